//! Where vertices are: morph targets first, then joints (glTF 2.0, 3.7.2.2 and 3.7.3.3).

use super::Influences;
use crate::vectors::Vectors;
use hitscan::glam::{DAffine3, DMat3, DVec3, Vec3};
use std::sync::Arc;

/// The vertices of a mesh, and what moves them.
#[derive(Debug)]
pub(crate) struct Flesh {
    pub(crate) parts: Vec<Part>,
}

/// A run of vertices from the same streams.
#[derive(Debug)]
pub(crate) struct Part {
    pub(crate) positions: Vectors<3>,
    pub(crate) normals: Option<Vectors<3>>,
    /// Which of the streams' vertices, in this order; `None` is all.
    pub(crate) used: Option<Arc<[u32]>>,
    /// By their numbers; those that were not read are empty.
    pub(crate) targets: Vec<Target>,
    pub(crate) influences: Option<Influences>,
}

/// The displacements of a morph target.
#[derive(Debug, Default)]
pub(crate) struct Target {
    pub(crate) positions: Option<Vectors<3>>,
    pub(crate) normals: Option<Vectors<3>>,
}

/// How a mesh stands.
pub(crate) struct Stance<'a> {
    /// Of the morph targets; those that are missing are 0.
    pub(crate) weights: &'a [f64],
    /// For each joint of the skin, if there is one, the matrix from the mesh's space, where it was bound to them, to the
    /// world.
    pub(crate) joints: Option<&'a [DAffine3]>,
}

/// Where the vertices of a mesh are; the normals are empty unless all of it has some.
#[derive(Clone, Debug, Default)]
pub(crate) struct Surface {
    pub(crate) positions: Vec<Vec3>,
    pub(crate) normals: Vec<Vec3>,
}

impl Flesh {
    /// Computes each vertex in f64 and rounds it once. Normals that are moved are of unit length.
    pub(crate) fn stand(&self, stance: &Stance<'_>, surface: &mut Surface) {
        let has_normals = self.parts.iter().all(|part| part.normals.is_some());
        surface.positions.clear();
        surface.normals.clear();
        for part in &self.parts {
            let is_morphed = stance.weights.iter().take(part.targets.len()).any(|&weight| weight != 0.0);
            let joints = part.influences.as_ref().zip(stance.joints);
            let moved = Moved { part, weights: stance.weights, joints };
            for vertex in 0..part.len() {
                let source = part.source(vertex);
                if !is_morphed && joints.is_none() {
                    surface.positions.push(part.positions[source].into());
                    surface.normals.extend(part.normal(source).filter(|_| has_normals));
                    continue;
                }
                let matrix = moved.matrix(vertex);
                surface.positions.push(moved.position(source, matrix.as_ref()));
                if has_normals {
                    surface.normals.extend(moved.normal(source, matrix.as_ref()));
                }
            }
        }
    }

    /// The joints that a vertex of the mesh follows and their shares of it; none without a skin.
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

    /// Which of the streams' vertices is this one.
    pub(crate) fn source(&self, vertex: usize) -> usize {
        self.used.as_ref().map_or(vertex, |used| used[vertex] as usize)
    }

    fn normal(&self, source: usize) -> Option<Vec3> {
        self.normals.as_ref().map(|normals| normals[source].into())
    }
}

/// A part in a stance other than rest.
struct Moved<'a> {
    part: &'a Part,
    weights: &'a [f64],
    joints: Option<(&'a Influences, &'a [DAffine3])>,
}

impl Moved<'_> {
    fn matrix(&self, vertex: usize) -> Option<DAffine3> {
        self.joints.map(|(influences, joints)| influences.matrix(vertex, joints))
    }

    fn position(&self, source: usize, matrix: Option<&DAffine3>) -> Vec3 {
        let at_rest = self.part.positions[source].into();
        let morphed = self.morphed(at_rest, source, |target| target.positions.as_ref());
        matrix.map_or(morphed, |matrix| matrix.transform_point3(morphed)).as_vec3()
    }

    fn normal(&self, source: usize, matrix: Option<&DAffine3>) -> Option<Vec3> {
        let at_rest = self.part.normal(source)?;
        let morphed = self.morphed(at_rest, source, |target| target.normals.as_ref());
        let turned = matrix.map_or(morphed, |matrix| carry_normal(matrix.matrix3, morphed));
        Some(turned.normalize_or_zero().as_vec3())
    }

    fn morphed(&self, at_rest: Vec3, source: usize, stream: impl Fn(&Target) -> Option<&Vectors<3>>) -> DVec3 {
        let targets = self.part.targets.iter().zip(self.weights).filter(|&(_, &weight)| weight != 0.0);
        targets.fold(at_rest.as_dvec3(), |sum, (target, &weight)| {
            stream(target).map_or(sum, |by| sum + weight * Vec3::from(by[source]).as_dvec3())
        })
    }
}

/// A normal by the inverse transpose of a matrix, up to a positive factor: the cofactors need no inverse.
fn carry_normal(matrix: DMat3, normal: DVec3) -> DVec3 {
    let DMat3 { x_axis: x, y_axis: y, z_axis: z } = matrix;
    let carried = y.cross(z) * normal.x + z.cross(x) * normal.y + x.cross(y) * normal.z;
    if matrix.determinant() < 0.0 { -carried } else { carried }
}
