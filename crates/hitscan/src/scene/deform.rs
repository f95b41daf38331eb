//! Meshes of entities that deform.

use super::{Geometry, PartGeometry, Revision, Scene};
use crate::error::MeshError;
use crate::mesh::Mesh;
use crate::shape::Sphere;
use core::hash::Hash;
use glam::Vec3;

impl<K: Copy + Eq + Hash> Scene<K> {
    /// Moves the vertices of a mesh in the scene, as [`Mesh::refit`] does: one local position for each vertex, in their order. `part`
    /// counts as in [`Hit::part`](crate::Hit::part), and is 0 for an entity that is a mesh.
    ///
    /// Only this entity changes. A mesh that is shared with other entities, or with clones outside, is copied first, once; from then on all
    /// is done in place. Place, layers and order stay, and so do vertex normals: see [`set_normals`](Self::set_normals). Answers the mesh as it is now; `None` for an absent key, or where the
    /// entity has no such part or a shape there.
    ///
    /// ```
    /// use hitscan::{Mesh, Ray, Scene, glam::DVec3};
    ///
    /// let corners = [[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]];
    /// let mut scene = Scene::new();
    /// scene.insert("flag", Mesh::new(&corners, &[0, 1, 2])?, DVec3::new(0.0, 0.0, -5.0))?;
    /// let blown = corners.map(|[x, y, z]| [x, y, z + x]);
    /// let size = scene.refit(&"flag", 0, &blown)?.map(|mesh| mesh.bounds().size().z);
    /// assert_eq!(size, Some(1.0));
    /// assert_eq!(scene.cast(&Ray::new([0.5, 0.25, 0.0], [0.0, 0.0, -1.0])).unwrap().t, 4.5);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Mesh::refit`]; the scene is unchanged then.
    pub fn refit<P: Copy + Into<Vec3>>(
        &mut self,
        key: &K,
        part: u32,
        positions: &[P],
    ) -> Result<Option<&Mesh>, MeshError> {
        let Some(&place) = self.places.get(key) else { return Ok(None) };
        let Some(record) = self.entities.get_mut(place) else { return Ok(None) };
        let Some(&number) = record.parts.get(part as usize) else { return Ok(None) };
        let Some(placed) = self.parts.get_mut(number) else { return Ok(None) };
        let Some(mesh) = record.entity.geometry.mesh_mut(part) else { return Ok(None) };
        let checked = mesh.checked(positions)?;
        // The part's own clone goes away for so long, so that the data need not be copied.
        placed.geometry = PartGeometry::Shape(Sphere::new(0.0).into());
        mesh.fit(checked);
        placed.geometry = PartGeometry::Mesh(mesh.clone());
        record.revision = Revision::new();
        self.link_part(number);
        Ok(self.parts.get(number).and_then(|part| match &part.geometry {
            PartGeometry::Mesh(mesh) => Some(mesh),
            PartGeometry::Shape(_) => None,
        }))
    }

    /// Gives the vertices of a mesh in the scene other normals, as [`Mesh::set_normals`] does: for
    /// [`interpolated_normal`](Self::interpolated_normal) after a [`refit`](Self::refit), which leaves them as they are. No hit depends on
    /// them: [`Hit::normal`](crate::Hit::normal) is the triangle's own.
    ///
    /// `part` counts as there, and only this entity changes. Answers whether there is such a mesh.
    ///
    /// ```
    /// use hitscan::{Mesh, Ray, Scene, glam::{DVec3, Vec3}};
    ///
    /// let wall = Mesh::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[0, 1, 2])?;
    /// let mut scene = Scene::new();
    /// scene.insert("wall", wall.with_normals(&[Vec3::Z; 3])?, DVec3::ZERO)?;
    /// assert!(scene.set_normals(&"wall", 0, &[Vec3::X; 3])?);
    /// let hit = scene.cast(&Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])).unwrap();
    /// assert_eq!((hit.normal, scene.interpolated_normal(&hit)), (Vec3::Z, Some(Vec3::X)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// As for [`Mesh::set_normals`]; the scene is unchanged then.
    pub fn set_normals<P: Copy + Into<Vec3>>(&mut self, key: &K, part: u32, normals: &[P]) -> Result<bool, MeshError> {
        let Some(&place) = self.places.get(key) else { return Ok(false) };
        let Some(record) = self.entities.get_mut(place) else { return Ok(false) };
        let Some(&number) = record.parts.get(part as usize) else { return Ok(false) };
        let Some(placed) = self.parts.get_mut(number) else { return Ok(false) };
        let Some(mesh) = record.entity.geometry.mesh_mut(part) else { return Ok(false) };
        // As for a refit: the part's own clone goes away for so long.
        placed.geometry = PartGeometry::Shape(Sphere::new(0.0).into());
        let result = mesh.set_normals(normals);
        placed.geometry = PartGeometry::Mesh(mesh.clone());
        result.map(|()| true)
    }
}

impl Geometry {
    /// The mesh that is a part of it.
    fn mesh_mut(&mut self, part: u32) -> Option<&mut Mesh> {
        match self {
            Self::Mesh(mesh) => (part == 0).then_some(mesh),
            Self::Compound(compound) => compound.mesh_mut(part),
            Self::Shape(_) => None,
        }
    }
}
