//! Meshes and height fields of entities that deform.

use super::slot_map::Numbered;
use super::{Deformable, Geometry, PartGeometry, Revision, Scene};
use crate::error::{HeightFieldError, MeshError};
use crate::height_field::HeightField;
use crate::mesh::Mesh;
use crate::shape::Sphere;
use core::hash::Hash;
use core::ops::Range;
use glam::Vec3;

impl<K: Clone + Eq + Hash> Scene<K> {
    /// Moves the vertices of a mesh in the scene, as [`Mesh::refit`] does: `positions` has one local position for each vertex, in the order of the vertices.
    /// `part` is the number of the part as in [`Hit::part`](crate::Hit::part), 0 for an entity that is a mesh.
    ///
    /// Only this entity changes. A mesh that is shared with other entities, or with clones outside, is copied once. Later calls change the copy in place.
    /// Transform, layers and order stay, and so do vertex normals: see [`set_normals`](Self::set_normals). Returns the mesh as it is now. Returns `None` for an
    /// absent key, or if the entity has no such part or the part is not a mesh.
    ///
    /// ```
    /// use hitscan::{Mesh, Ray, RayQueries, Scene, glam::DVec3};
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
    /// Returns an error as [`Mesh::refit`] does; the scene is unchanged then.
    pub fn refit<P: Copy + Into<Vec3>>(
        &mut self,
        key: &K,
        part: u32,
        positions: &[P],
    ) -> Result<Option<&Mesh>, MeshError> {
        self.deform(key, part, |mesh: &Mesh| mesh.checked(positions), |mesh, checked| mesh.fit(checked))
    }

    /// Sets new heights for a rectangle of a height field in the scene, for example for a crater, as [`HeightField::set_heights`] does. `part` is 0 for an
    /// entity that is a height field.
    ///
    /// Only this entity changes: a field that is shared is copied once. Transform, layers and order stay. Returns the field as it is now. Returns `None` for an
    /// absent key, or if the entity has no such part or the part is not a height field.
    ///
    /// ```
    /// use hitscan::{HeightField, Ray, RayQueries, Scene, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert("ground", HeightField::new(9, 9, [1.0, 1.0], &[0.0; 81])?, DVec3::ZERO)?;
    /// scene.set_heights(&"ground", 0, 4..5, 4..5, &[-2.0])?;
    /// assert_eq!(scene.cast(&Ray::new([4.0, 1.0, 4.0], [0.0, -1.0, 0.0])).unwrap().t, 3.0);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error as [`HeightField::set_heights`] does; the scene is unchanged then.
    pub fn set_heights(
        &mut self,
        key: &K,
        part: u32,
        rows: Range<usize>,
        columns: Range<usize>,
        heights: &[f32],
    ) -> Result<Option<&HeightField>, HeightFieldError> {
        let check = |field: &HeightField| field.check(&rows, &columns, heights);
        self.deform(key, part, check, |field, ()| field.fit(rows.clone(), columns.clone(), heights))
    }

    /// Checks and then changes the geometry of a part in place, and updates the tree. Returns the changed geometry; `None` if there is no such part.
    fn deform<T: Deformable, C, E>(
        &mut self,
        key: &K,
        part: u32,
        check: impl FnOnce(&T) -> Result<C, E>,
        change: impl FnOnce(&mut T, C),
    ) -> Result<Option<&T>, E> {
        let Some((place, number)) = self.edit(key, part, check, change)? else { return Ok(None) };
        if let Some(record) = self.entities.get_mut(place) {
            record.revision = Revision::new();
        }
        self.link_part(number);
        Ok(self.parts.get(number).and_then(|part| T::of_part(&part.geometry)))
    }

    /// Checks and then changes the geometry of a part in place. Returns the numbers of its entity and of the part. Returns `None` if there is no such part.
    fn edit<T: Deformable, C, E>(
        &mut self,
        key: &K,
        part: u32,
        check: impl FnOnce(&T) -> Result<C, E>,
        change: impl FnOnce(&mut T, C),
    ) -> Result<Option<(u32, u32)>, E> {
        let Some(place) = self.places.get(key) else { return Ok(None) };
        let Some(record) = self.entities.get_mut(place) else { return Ok(None) };
        let Some(&number) = record.parts.get(part as usize) else { return Ok(None) };
        let Some(placed) = self.parts.get_mut(number) else { return Ok(None) };
        let Some(own) = record.geometry.part_mut::<T>(part) else { return Ok(None) };
        let checked = check(own)?;
        // The part's clone of the geometry is replaced meanwhile, so that the change need not copy shared data.
        placed.geometry = PartGeometry::Shape(Sphere::new(0.0).into());
        change(own, checked);
        placed.geometry = own.clone().into_part();
        Ok(Some((place, number)))
    }

    /// Sets the vertex normals of a mesh in the scene, as [`Mesh::set_normals`] does. [`interpolated_normal`](crate::query::HitSurface::interpolated_normal)
    /// uses them; [`refit`](Self::refit) leaves them unchanged. No hit depends on them: [`Hit::normal`](crate::Hit::normal) is the triangle's own normal.
    ///
    /// `part` is the number of the part as in `refit`, and only this entity changes. Returns whether there is such a mesh.
    ///
    /// ```
    /// use hitscan::{Mesh, Ray, RayQueries, Scene, glam::{DVec3, Vec3}};
    ///
    /// let wall = Mesh::new(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]], &[0, 1, 2])?;
    /// let mut scene = Scene::new();
    /// scene.insert("wall", wall.with_normals(&[Vec3::Z; 3])?, DVec3::ZERO)?;
    /// assert!(scene.set_normals(&"wall", 0, &[Vec3::X; 3])?);
    /// let hit = scene.cast(&Ray::new([0.2, 0.2, 1.0], [0.0, 0.0, -1.0])).unwrap();
    /// assert_eq!((hit.normal, scene.surface(&hit).interpolated_normal()), (Vec3::Z, Some(Vec3::X)));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error as [`Mesh::set_normals`] does; the scene is unchanged then.
    pub fn set_normals<P: Copy + Into<Vec3>>(&mut self, key: &K, part: u32, normals: &[P]) -> Result<bool, MeshError> {
        // The normals were checked before.
        let change = |mesh: &mut Mesh, ()| _ = mesh.set_normals(normals);
        let edited = self.edit(key, part, |mesh: &Mesh| mesh.check_normals(normals), change)?;
        Ok(edited.is_some())
    }
}

impl Geometry {
    /// Returns the geometry of a part, if it is of the requested kind.
    fn part_mut<T: Deformable>(&mut self, part: u32) -> Option<&mut T> {
        match self {
            Self::Compound(compound) => compound.part_mut(part),
            single => T::of_geometry_mut(single).filter(|_| part == 0),
        }
    }
}
