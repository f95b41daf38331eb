//! The positions of vertices: morph targets first, then joints (glTF 2.0, 3.7.2.2 and 3.7.3.3).

use super::Influences;
use crate::parallel;
use crate::vectors::Vectors;
use hitscan::glam::{DAffine3, DMat3, DVec3, Vec3};
use std::sync::Arc;

/// The vertices of a mesh, and the data that moves them.
#[derive(Debug)]
pub(crate) struct Deformer {
    pub(crate) parts: Vec<Part>,
}

/// A run of vertices from the same streams.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) positions: Vectors<3>,
    pub(crate) normals: Option<Vectors<3>>,
    /// The streams' vertices that are used, in this order; `None` means all.
    pub(crate) used: Option<Arc<[u32]>>,
    /// The morph targets by their numbers. A target that was not read is empty.
    pub(crate) targets: Vec<Target>,
    pub(crate) influences: Option<Influences>,
}

/// The displacements of a morph target.
#[derive(Debug, Default)]
pub(crate) struct Target {
    pub(crate) positions: Option<Vectors<3>>,
    pub(crate) normals: Option<Vectors<3>>,
}

/// The weights of a mesh in a pose: the weights of its morph targets, and the matrices of its joints.
pub(crate) struct DeformerWeights<'a> {
    /// The weights of the morph targets; missing weights are 0.
    pub(crate) targets: &'a [f64],
    /// A matrix for each joint of the skin, if there is one: from the mesh's space in the bind pose to the world.
    pub(crate) joints: Option<&'a [DAffine3]>,
}

/// The positions of the vertices of a mesh; the normals are empty unless the whole mesh has some.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surface {
    pub(crate) positions: Vec<Vec3>,
    pub(crate) normals: Vec<Vec3>,
}

impl Deformer {
    /// Returns how many vertices have joints with weights that do not add up to 1, and the first of them among all vertices.
    pub(crate) fn uneven_weights(&self) -> Option<(usize, usize)> {
        let (mut found, mut start) = (None, 0);
        for influences in self.parts.iter().filter_map(|part| part.influences.as_ref()) {
            if let Some((count, first)) = influences.uneven() {
                let (before, place) = found.unwrap_or((0, start + first));
                found = Some((before + count, place));
            }
            start += influences.len();
        }
        found
    }

    /// Computes each vertex in f64 and rounds it once. Normals that are moved have unit length.
    pub(crate) fn deform(&self, weights: &DeformerWeights<'_>, surface: &mut Surface) {
        let count = self.len();
        let has_normals = self.parts.iter().all(|part| part.normals.is_some());
        let normals = |count| if has_normals { count } else { 0 };
        surface.positions.resize(count, Vec3::ZERO);
        surface.normals.resize(normals(count), Vec3::ZERO);
        let mut rest = (&mut surface.positions[..], &mut surface.normals[..]);
        for part in &self.parts {
            let own = (rest.0.split_at_mut(part.len()), rest.1.split_at_mut(normals(part.len())));
            Moved::new(part, weights).deform(own.0.0, own.1.0);
            rest = (own.0.1, own.1.1);
        }
    }

    pub(crate) fn len(&self) -> usize {
        self.parts.iter().map(Part::len).sum()
    }

    /// Returns the joints that a vertex of the mesh follows and their shares of it; none without a skin.
    pub(crate) fn shares(&self, vertex: u32) -> impl Iterator<Item = (u32, f64)> {
        let mut vertex = vertex as usize;
        let part = self.parts.iter().find(|part| {
            let is_here = vertex < part.len();
            vertex -= if is_here { 0 } else { part.len() };
            is_here
        });
        let influences = part.and_then(|part| part.influences.as_ref());
        influences.into_iter().flat_map(move |influences| influences.shares(vertex))
    }
}

impl Part {
    pub(crate) fn len(&self) -> usize {
        self.used.as_ref().map_or(self.positions.len(), |used| used.len())
    }

    /// Returns the number of this vertex in the streams.
    pub(crate) fn source(&self, vertex: usize) -> usize {
        self.used.as_ref().map_or(vertex, |used| used[vertex] as usize)
    }

    /// Returns whether all parts have the same number of vertices.
    pub(crate) fn is_whole(&self) -> bool {
        let count = self.positions.len();
        let is_whole = |stream: &Option<Vectors<3>>| stream.as_ref().is_none_or(|stream| stream.len() == count);
        is_whole(&self.normals)
            && self.targets.iter().all(|target| is_whole(&target.positions) && is_whole(&target.normals))
            && self.used.iter().flat_map(|used| used.iter()).all(|&vertex| (vertex as usize) < count)
            && self.influences.as_ref().is_none_or(|influences| influences.is_of(self.len()))
    }

    fn normal(&self, source: usize) -> Option<Vec3> {
        self.normals.as_ref().map(|normals| normals[source].into())
    }
}

/// A part with the weights of a pose.
struct Moved<'a> {
    part: &'a Part,
    weights: &'a [f64],
    joints: Option<(&'a Influences, &'a [DAffine3])>,
    is_at_rest: bool,
}

impl<'a> Moved<'a> {
    fn new(part: &'a Part, weights: &DeformerWeights<'a>) -> Self {
        let joints = part.influences.as_ref().zip(weights.joints);
        let is_morphed = weights.targets.iter().take(part.targets.len()).any(|&weight| weight != 0.0);
        Self { part, weights: weights.targets, joints, is_at_rest: !is_morphed && joints.is_none() }
    }

    /// Computes all vertices, and their normals if there is room for them.
    fn deform(&self, positions: &mut [Vec3], normals: &mut [Vec3]) {
        parallel::fill_both(0, positions, normals, &|start, positions, normals| {
            let mut normals = normals.iter_mut();
            for (vertex, position) in (start..).zip(positions) {
                let source = self.part.source(vertex);
                let matrix = self.matrix(vertex);
                *position = self.position(source, matrix.as_ref());
                if let Some((place, normal)) = normals.next().zip(self.part.normal(source)) {
                    *place = self.normal(source, normal, matrix.as_ref());
                }
            }
        });
    }

    fn matrix(&self, vertex: usize) -> Option<DAffine3> {
        self.joints.map(|(influences, joints)| influences.matrix(vertex, joints))
    }

    fn position(&self, source: usize, matrix: Option<&DAffine3>) -> Vec3 {
        let at_rest = self.part.positions[source].into();
        if self.is_at_rest {
            return at_rest;
        }
        let morphed = self.morphed(at_rest, source, |target| target.positions.as_ref());
        matrix.map_or(morphed, |matrix| matrix.transform_point3(morphed)).as_vec3()
    }

    fn normal(&self, source: usize, at_rest: Vec3, matrix: Option<&DAffine3>) -> Vec3 {
        if self.is_at_rest {
            return at_rest;
        }
        let morphed = self.morphed(at_rest, source, |target| target.normals.as_ref());
        let turned = matrix.map_or(morphed, |matrix| carry_normal(matrix.matrix3, morphed));
        turned.normalize_or_zero().as_vec3()
    }

    fn morphed(&self, at_rest: Vec3, source: usize, stream: impl Fn(&Target) -> Option<&Vectors<3>>) -> DVec3 {
        let targets = self.part.targets.iter().zip(self.weights).filter(|&(_, &weight)| weight != 0.0);
        targets.fold(at_rest.as_dvec3(), |sum, (target, &weight)| {
            stream(target).map_or(sum, |by| sum + weight * Vec3::from(by[source]).as_dvec3())
        })
    }
}

/// Transforms a normal by the inverse transpose of a matrix, up to a positive factor: the cofactors need no inverse.
fn carry_normal(matrix: DMat3, normal: DVec3) -> DVec3 {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = matrix;
    let carried = y.cross(z) * normal.x + z.cross(x) * normal.y + x.cross(y) * normal.z;
    if matrix.determinant() < 0.0 { -carried } else { carried }
}
