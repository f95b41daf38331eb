//! A mesh in float32 around an origin, with its vertices in float64 where these differ.

use super::neighbours::Neighbours;
use crate::error;
use crate::input::{FloatSlice, VectorSlice, vector_text};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Aabb, Mesh, Quality, WindingTree};
use pyo3::prelude::*;
use std::hash::Hasher;
use std::sync::{Arc, OnceLock};
use twox_hash::XxHash3_64;

/// Rays and trees are f32. So vertices in f64 are stored relative to an origin near them, where f32 is finest, and f64
/// values in answers are computed from the vertices as they were given.
#[derive(Clone)]
pub(crate) struct Surface {
    /// The triangles, relative to the origin.
    pub(crate) mesh: Mesh,
    pub(crate) origin: DVec3,
    /// The vertices as they were given, unless the mesh's vertices plus the origin are the same.
    exact: Option<Arc<[DVec3]>>,
    /// A hash of everything that decides an answer.
    digest: Arc<OnceLock<u64>>,
    neighbours: Arc<OnceLock<Neighbours>>,
    winding_tree: Arc<OnceLock<WindingTree>>,
}

/// Vertices relative to an origin. A mesh is made of them without reading the caller's arrays again.
pub(crate) struct Local {
    positions: Vec<Vec3>,
    exact: Option<Arc<[DVec3]>>,
    origin: DVec3,
}

impl Local {
    /// Takes vertices, relative to `origin` or, if it is `None`, to a good origin.
    pub(crate) fn new(vertices: VectorSlice<'_>, is_f32: bool, origin: Option<DVec3>) -> PyResult<Self> {
        check_finite(vertices)?;
        let origin = origin.unwrap_or_else(|| if is_f32 { DVec3::ZERO } else { good_origin(vertices) });
        let positions: Vec<Vec3> = (0..vertices.count).map(|place| (vertices.get(place) - origin).as_vec3()).collect();
        let is_exact = (is_f32 && origin == DVec3::ZERO)
            || positions.iter().enumerate().all(|(place, &position)| {
                let vertex = vertices.get(place);
                // A vertex that is not finite is refused later, by its number.
                position.as_dvec3() + origin == vertex || !vertex.is_finite()
            });
        let exact = (!is_exact).then(|| (0..vertices.count).map(|place| vertices.get(place)).collect());
        check_range(&positions, vertices)?;
        Ok(Self { positions, exact, origin })
    }
}

impl Surface {
    pub(crate) fn new(vertices: Local, indices: &[u32], quality: Quality) -> PyResult<Self> {
        let mesh = Mesh::with_quality(&vertices.positions, indices, quality).map_err(error::of_mesh)?;
        Ok(Self::of_parts(mesh, vertices.origin, vertices.exact))
    }

    /// Makes a mesh of vertices in f64.
    pub(crate) fn of_vertices(vertices: &[DVec3], indices: &[u32], quality: Quality) -> PyResult<Self> {
        let numbers: Vec<f64> = vertices.iter().flat_map(|vertex| vertex.to_array()).collect();
        let vertices = VectorSlice { floats: FloatSlice::F64(&numbers), count: vertices.len() };
        Self::new(Local::new(vertices, false, None)?, indices, quality)
    }

    pub(super) fn of_parts(mesh: Mesh, origin: DVec3, exact: Option<Arc<[DVec3]>>) -> Self {
        Self { mesh, origin, exact, digest: Arc::default(), neighbours: Arc::default(), winding_tree: Arc::default() }
    }

    /// Returns the surface with other vertices, relative to its origin.
    pub(crate) fn refit(&self, vertices: Local) -> PyResult<Self> {
        let mut mesh = self.mesh.clone();
        mesh.refit(&vertices.positions).map_err(error::of_mesh)?;
        Ok(Self::of_parts(mesh, self.origin, vertices.exact))
    }

    pub(crate) fn rebuilt(&self, quality: Quality) -> Self {
        Self { mesh: self.mesh.rebuilt(quality), ..self.clone() }
    }

    /// Returns the triangles at each vertex, which the first question that needs them collects.
    pub(super) fn neighbours(&self) -> &Neighbours {
        self.neighbours.get_or_init(|| Neighbours::new(&self.mesh))
    }

    /// Returns the tree for winding numbers, which the first question that needs it makes.
    pub(super) fn winding_tree(&self) -> &WindingTree {
        self.winding_tree.get_or_init(|| WindingTree::new(&self.mesh))
    }

    /// Returns the vertices as they were given, if they are kept.
    pub(super) fn exact(&self) -> Option<&[DVec3]> {
        self.exact.as_deref()
    }

    pub(crate) fn vertices(&self) -> impl Iterator<Item = DVec3> {
        let positions = self.mesh.positions();
        (0..positions.len()).map(move |place| match &self.exact {
            Some(exact) => exact[place],
            None => positions[place].as_dvec3() + self.origin,
        })
    }

    pub(crate) fn faces(&self) -> impl Iterator<Item = [u32; 3]> {
        (0..self.mesh.triangle_count() as u32).filter_map(|triangle| self.mesh.indices(triangle))
    }

    /// Returns the corners of a triangle in f64, relative to the origin.
    #[inline]
    pub(crate) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        let Some(indices) = self.mesh.indices(triangle) else { return [DVec3::NAN; 3] };
        match &self.exact {
            Some(exact) => indices.map(|index| exact[index as usize] - self.origin),
            None => {
                let positions = self.mesh.positions();
                indices.map(|index| positions[index as usize].as_dvec3())
            }
        }
    }

    pub(crate) fn bounds(&self) -> [DVec3; 2] {
        let Aabb { min, max, .. } = self.mesh.bounds();
        if !(min.x <= max.x) {
            return [DVec3::NAN; 2];
        }
        match &self.exact {
            None => [min, max].map(|corner| corner.as_dvec3() + self.origin),
            Some(exact) => {
                let corners = self.faces().flatten().map(|index| exact[index as usize]);
                let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
                corners.fold(none, |[low, high], corner| [low.min(corner), high.max(corner)])
            }
        }
    }

    pub(crate) fn bytes(&self) -> usize {
        let mesh = size_of_val(self.mesh.positions()) + 12 * self.mesh.triangle_count() + self.mesh.tree_stats().bytes;
        size_of::<Self>() + mesh + self.exact().map_or(0, size_of_val)
    }

    /// Returns a hash of the vertices, the triangles and the origin, which decide every answer.
    pub(crate) fn digest(&self) -> u64 {
        *self.digest.get_or_init(|| {
            let mut hasher = XxHash3_64::new();
            for vertex in self.vertices().chain([self.origin]) {
                vertex.to_array().into_iter().for_each(|number| hasher.write(&number.to_le_bytes()));
            }
            self.faces().flatten().for_each(|index| hasher.write(&index.to_le_bytes()));
            hasher.finish()
        })
    }

    /// Returns whether both surfaces give the same answers.
    pub(crate) fn is_same(&self, other: &Self) -> bool {
        let is_clone = self.mesh.is_clone_of(&other.mesh) && Arc::ptr_eq(&self.digest, &other.digest);
        is_clone
            || (self.origin == other.origin
                && self.mesh.positions().len() == other.mesh.positions().len()
                && self.vertices().eq(other.vertices())
                && self.faces().eq(other.faces()))
    }

    pub(crate) fn describe(&self) -> String {
        let (vertices, triangles) = (self.mesh.positions().len(), self.mesh.triangle_count());
        let [low, high] = self.bounds();
        let place = if triangles == 0 { String::new() } else { format!(", from {low} to {high}") };
        let [vertices, triangles] =
            [(vertices, "vertices"), (triangles, "triangles")].map(|(n, what)| format!("{n} {what}"));
        let origin = if self.origin == DVec3::ZERO { String::new() } else { format!(", origin {}", self.origin) };
        format!("<hitscan.Mesh: {vertices}, {triangles}{place}{origin}>")
    }
}

/// Returns an origin for vertices in f64: zero if f32 holds all vertices and they are not far from zero, otherwise their middle.
fn good_origin(vertices: VectorSlice<'_>) -> DVec3 {
    let all = || (0..vertices.count).map(|place| vertices.get(place));
    let none = [DVec3::INFINITY, DVec3::NEG_INFINITY];
    let [low, high] = all().fold(none, |[low, high], vertex| [low.min(vertex), high.max(vertex)]);
    let (middle, size) = ((low + high) / 2.0, (high - low).max_element());
    if !middle.as_vec3().is_finite() {
        return DVec3::ZERO;
    }
    let is_near = middle.abs().max_element() <= size;
    let fits = || all().all(|vertex| vertex.as_vec3().as_dvec3() == vertex);
    // The middle is rounded to f32: relative to it, nearby vertices that f32 holds stay exact.
    if is_near && fits() { DVec3::ZERO } else { middle.as_vec3().as_dvec3() }
}

fn check_finite(vertices: VectorSlice<'_>) -> PyResult<()> {
    match (0..vertices.count).find(|&place| !vertices.get(place).is_finite()) {
        None => Ok(()),
        Some(place) => Err(error::value(format!(
            "vertices[{place}] is {}: a vertex must be finite, so drop its faces or mend it",
            vector_text(vertices.get(place))
        ))),
    }
}

fn check_range(positions: &[Vec3], vertices: VectorSlice<'_>) -> PyResult<()> {
    let Some(first) = positions.iter().position(|position| !position.is_finite()) else { return Ok(()) };
    // A vertex that is far away moves the origin towards it, so that f32 may fail to hold the other vertices.
    let is_beyond = |&place: &usize| !vertices.get(place).as_vec3().is_finite();
    let place = (0..vertices.count).find(is_beyond).unwrap_or(first);
    Err(error::value(format!(
        "vertices[{place}] is {}, which float32 cannot hold: scale the mesh down, or give an origin near it",
        vector_text(vertices.get(place))
    )))
}
