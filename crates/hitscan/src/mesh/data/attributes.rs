//! Optional data at the vertices, interpolated at a hit.

use super::cut_out::MeshCutOuts;
use crate::error::MeshError;
use crate::mesh::Mesh;
use alloc::sync::Arc;
use glam::{DVec3, Vec2, Vec3};

#[derive(Clone, Debug, Default)]
pub(in crate::mesh) struct Attributes {
    pub(in crate::mesh) normals: Option<Arc<[Vec3]>>,
    pub(in crate::mesh) texcoords: Option<Arc<[Vec2]>>,
    pub(in crate::mesh) cut_outs: MeshCutOuts,
}

impl Mesh {
    /// Returns the same mesh with local vertex normals, of any length. The triangles and the tree stay shared.
    ///
    /// # Errors
    /// Returns an error if there is not one normal for each vertex, or if a normal is not finite.
    pub fn with_normals<P: Copy + Into<Vec3>>(mut self, normals: &[P]) -> Result<Self, MeshError> {
        self.set_normals(normals)?;
        Ok(self)
    }

    /// Returns the same mesh with texture coordinates at the vertices. The triangles and the tree stay shared.
    ///
    /// # Errors
    /// Returns an error if there is not one texture coordinate for each vertex, or if one of them is not finite.
    pub fn with_texcoords<P: Copy + Into<Vec2>>(mut self, texcoords: &[P]) -> Result<Self, MeshError> {
        self.check_count("texture coordinates", texcoords.len())?;
        let texcoords: Arc<[Vec2]> = texcoords.iter().map(|&t| t.into()).collect();
        check_finite("texture coordinates", texcoords.iter().map(|t| t.is_finite()))?;
        self.attributes.texcoords = Some(texcoords);
        Ok(self)
    }

    /// Sets new local vertex normals, of any length: for a mesh that deforms, after [`refit`](Self::refit). This is done in place, unless clones share them.
    ///
    /// ```
    /// use hitscan::{Mesh, glam::{Vec2, Vec3}};
    ///
    /// let flat = Mesh::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[0, 1, 2])?;
    /// let mut bent = flat.with_normals(&[[0.0, 0.0, 1.0]; 3])?;
    /// bent.set_normals(&[[0.0, 1.0, 0.0]; 3])?;
    /// assert_eq!(bent.normal_at(0, Vec2::ZERO), Some(Vec3::Y));
    /// # Ok::<(), hitscan::error::MeshError>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error as [`with_normals`](Self::with_normals) does; the mesh is unchanged then.
    pub fn set_normals<P: Copy + Into<Vec3>>(&mut self, normals: &[P]) -> Result<(), MeshError> {
        self.check_normals(normals)?;
        let place = self.attributes.normals.as_mut().and_then(Arc::get_mut);
        match place.filter(|place| place.len() == normals.len()) {
            Some(place) => place.iter_mut().zip(normals).for_each(|(place, &normal)| *place = normal.into()),
            None => self.attributes.normals = Some(normals.iter().map(|&n| n.into()).collect()),
        }
        Ok(())
    }

    /// Checks whether these can be the normals at the mesh's vertices.
    pub(crate) fn check_normals<P: Copy + Into<Vec3>>(&self, normals: &[P]) -> Result<(), MeshError> {
        self.check_count("normals", normals.len())?;
        check_finite("normals", normals.iter().map(|&n| n.into().is_finite()))
    }

    pub(in crate::mesh) fn check_count(&self, what: &'static str, count: usize) -> Result<(), MeshError> {
        let vertices = self.shared.positions.len();
        if count == vertices { Ok(()) } else { Err(MeshError::Attributes { what, count, vertices }) }
    }

    /// Returns the texture coordinate at barycentrics `uv` of a triangle, interpolated in f64; `None` without texture
    /// coordinates or beyond the last triangle.
    pub fn texcoord_at(&self, triangle: u32, uv: Vec2) -> Option<Vec2> {
        let texcoords = self.attributes.texcoords.as_ref()?;
        let corners = self.indices(triangle)?.map(|i| texcoords[i as usize].as_dvec2().extend(0.0));
        Some(interpolate(corners, uv).truncate().as_vec2())
    }

    /// Returns the local vertex normal at barycentrics `uv` of a triangle, interpolated in f64 and not normalised.
    /// Returns `None` without vertex normals or beyond the last triangle.
    pub fn normal_at(&self, triangle: u32, uv: Vec2) -> Option<Vec3> {
        let normals = self.attributes.normals.as_ref()?;
        let corners = self.indices(triangle)?.map(|i| normals[i as usize].as_dvec3());
        Some(interpolate(corners, uv).as_vec3())
    }
}

fn check_finite(what: &'static str, mut finite: impl Iterator<Item = bool>) -> Result<(), MeshError> {
    finite.position(|finite| !finite).map_or(Ok(()), |index| Err(MeshError::Attribute { what, index }))
}

/// Returns (1 - u - v) a + u b + v c.
fn interpolate([a, b, c]: [DVec3; 3], uv: Vec2) -> DVec3 {
    let uv = uv.as_dvec2();
    a * (1.0 - uv.x - uv.y) + b * uv.x + c * uv.y
}
