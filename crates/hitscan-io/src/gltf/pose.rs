//! Where vertices are in a pose: morph targets first, then joints (glTF 2.0, 3.7.2.2 and 3.7.3.3).

use super::accessor::{Accessors, Vectors};
use super::vertices::{Fault, Streams, check_count};
use hitscan::glam::{DAffine3, DMat3, DVec3, Vec3};

/// How a mesh stands: the weights of its morph targets, and where its joints are.
#[derive(Default)]
pub(super) struct Pose {
    /// Morph targets by their numbers, each with a weight other than 0.
    pub(super) morphs: Vec<(usize, f64)>,
    /// For each joint of the skin the matrix from the mesh's space, where the mesh was bound to it, to the world.
    pub(super) joints: Option<Vec<DAffine3>>,
}

impl Pose {
    pub(super) fn is_rest(&self) -> bool {
        self.morphs.is_empty() && self.joints.is_none()
    }

    /// How many vectors it takes, no more than this, to compute one vertex.
    pub(super) fn streams(&self) -> usize {
        1 + self.morphs.len() + usize::from(self.joints.is_some())
    }
}

/// The morph targets with a weight; there may be more than a mesh has.
pub(super) fn morphs(weights: &[f64]) -> Vec<(usize, f64)> {
    weights.iter().copied().enumerate().filter(|&(_, weight)| weight != 0.0).collect()
}

/// Computes the vertices of a primitive in a pose, in f64 and rounded once.
pub(super) struct Deform<'a> {
    streams: &'a Streams,
    morphs: Vec<Morph>,
    skin: Option<Skin<'a>>,
}

struct Morph {
    weight: f64,
    positions: Option<Vectors<3>>,
    normals: Option<Vectors<3>>,
}

/// Joints that vertices follow, all of them there.
struct Skin<'a> {
    joints: &'a [DAffine3],
    /// Four joints, and as many weights, of each vertex.
    influences: Vec<[Vectors<4>; 2]>,
}

impl<'a> Deform<'a> {
    /// Reads what the pose needs, for those vertices that are in use; `None` is all.
    pub(super) fn new(
        streams: &'a Streams,
        used: Option<&[u32]>,
        pose: &'a Pose,
        accessors: &Accessors<'_>,
    ) -> Result<Self, Fault> {
        let morphs = pose.morphs.iter().filter_map(|&(number, weight)| {
            let target = streams.bind.targets.get(number)?;
            Some(Morph::read(target.map(|index| index.map(|index| accessors.vectors(index))), weight, number, streams))
        });
        let morphs = morphs.collect::<Result<_, Fault>>()?;
        let skin = match &pose.joints {
            Some(joints) => Some(Skin::read(streams, used, joints, accessors)?),
            None => None,
        };
        Ok(Self { streams, morphs, skin })
    }

    pub(super) fn position(&self, vertex: usize) -> Vec3 {
        let at_rest = Vec3::from(self.streams.positions[vertex]);
        if self.morphs.is_empty() && self.skin.is_none() {
            return at_rest;
        }
        let morphed = self.morphed(at_rest, vertex, |morph| morph.positions.as_ref());
        self.skin.as_ref().map_or(morphed, |skin| skin.matrix(vertex).transform_point3(morphed)).as_vec3()
    }

    /// Of unit length if it is moved; `None` without normals.
    pub(super) fn normal(&self, vertex: usize) -> Option<Vec3> {
        let at_rest = Vec3::from(self.streams.normals.as_ref()?[vertex]);
        if self.morphs.is_empty() && self.skin.is_none() {
            return Some(at_rest);
        }
        let morphed = self.morphed(at_rest, vertex, |morph| morph.normals.as_ref());
        let turned = self.skin.as_ref().map_or(morphed, |skin| carry_normal(skin.matrix(vertex).matrix3, morphed));
        Some(turned.normalize_or_zero().as_vec3())
    }

    fn morphed(&self, at_rest: Vec3, vertex: usize, stream: impl Fn(&Morph) -> Option<&Vectors<3>>) -> DVec3 {
        self.morphs.iter().fold(at_rest.as_dvec3(), |sum, morph| {
            stream(morph).map_or(sum, |by| sum + morph.weight * Vec3::from(by[vertex]).as_dvec3())
        })
    }
}

/// A target's displacements, perhaps, of the positions and of the normals.
type Displacements = [Option<Result<Vectors<3>, crate::error::Problem>>; 2];

impl Morph {
    fn read([positions, normals]: Displacements, weight: f64, number: usize, streams: &Streams) -> Result<Self, Fault> {
        let morph = Self { weight, positions: positions.transpose()?, normals: normals.transpose()? };
        for (what, stream) in [("positions", &morph.positions), ("normals", &morph.normals)] {
            let count = stream.as_ref().map(|stream| stream.len());
            check_count(&format!("{what} in morph target {number}"), count, streams.positions.len())?;
        }
        Ok(morph)
    }
}

impl<'a> Skin<'a> {
    fn read(
        streams: &Streams,
        used: Option<&[u32]>,
        joints: &'a [DAffine3],
        accessors: &Accessors<'_>,
    ) -> Result<Self, Fault> {
        let mut influences = Vec::new();
        for &[of, weight] in &streams.bind.influences {
            let set = [accessors.joints(of)?, accessors.vectors(weight)?];
            for (what, stream) in [("joints", &set[0]), ("weights", &set[1])] {
                check_count(what, Some(stream.len()), streams.positions.len())?;
            }
            influences.push(set);
        }
        let skin = Self { joints, influences };
        let mut vertices = 0..streams.positions.len();
        let missing = match used {
            Some(used) => used.iter().find_map(|&vertex| skin.missing_joint(vertex as usize)),
            None => vertices.find_map(|vertex| skin.missing_joint(vertex)),
        };
        missing.map_or(Ok(skin), |what| Err(Fault::Mesh(what)))
    }

    /// The joints of a vertex and their weights.
    fn influences(&self, vertex: usize) -> impl Iterator<Item = (usize, f64)> {
        self.influences.iter().flat_map(move |[joints, weights]| {
            let pair = |(&joint, &weight): (&f32, &f32)| (joint as usize, f64::from(weight));
            joints[vertex].iter().zip(&weights[vertex]).map(pair)
        })
    }

    /// The sum of a vertex's weights.
    fn total(&self, vertex: usize) -> f64 {
        self.influences(vertex).map(|(_, weight)| weight).sum()
    }

    /// Joints of no weight need not be there, but for the first, which a vertex without any weight follows.
    fn missing_joint(&self, vertex: usize) -> Option<String> {
        let count = self.joints.len();
        let first_counts = self.total(vertex) == 0.0;
        let counts = |place: usize, weight: f64| weight != 0.0 || (place == 0 && first_counts);
        let mut influences = self.influences(vertex).enumerate();
        let (_, (joint, _)) = influences.find(|&(place, (joint, weight))| joint >= count && counts(place, weight))?;
        Some(format!("joint {joint} at vertex {vertex}, of a skin with {count} joints,"))
    }

    /// What carries a vertex to the world: the mean of its joints by their weights.
    ///
    /// Weights that do not add up to 1 are divided by their sum, which is what a picture in homogeneous coordinates
    /// shows; a vertex whose weights add up to 0 follows the joint that is named first.
    fn matrix(&self, vertex: usize) -> DAffine3 {
        let mut sum = DAffine3::from_mat3_translation(DMat3::ZERO, DVec3::ZERO);
        for (joint, weight) in self.influences(vertex).filter(|&(_, weight)| weight != 0.0) {
            sum.matrix3 += self.joints[joint].matrix3 * weight;
            sum.translation += self.joints[joint].translation * weight;
        }
        let total = self.total(vertex);
        if total == 0.0 {
            return self.influences(vertex).next().map_or(DAffine3::IDENTITY, |(joint, _)| self.joints[joint]);
        }
        DAffine3 { matrix3: sum.matrix3 * total.recip(), translation: sum.translation * total.recip() }
    }
}

/// A normal by the inverse transpose of a matrix, up to a positive factor: the cofactors need no inverse.
fn carry_normal(matrix: DMat3, normal: DVec3) -> DVec3 {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = matrix;
    let carried = y.cross(z) * normal.x + z.cross(x) * normal.y + x.cross(y) * normal.z;
    if matrix.determinant() < 0.0 { -carried } else { carried }
}
