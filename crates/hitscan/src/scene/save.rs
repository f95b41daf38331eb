//! Scenes as bytes: writing and reading.
//!
//! Entities are saved in the order in which they were inserted. So among hits with equal t, the same entity wins. The
//! tree is not saved: it is built when a scene is read.

use super::{Compound, Entity, EntityRef, Geometry, PartGeometry, PreparedEntity, Record, Scene};
use crate::collections::sort::SharedSort;
use crate::error::{ReadError, SaveError, SceneError};
use crate::geom::transform::Placement;
use crate::height_field::{Diagonal, HeightField};
use crate::hull::ConvexHull;
use crate::mesh::{Mesh, SavedMeshes, read_meshes};
use crate::save::{self, Reader, SavedKind, Value, Writer, row_of_vec3, vec3};
use crate::shape::Shape;
use crate::wire::{ReadWires, SavedWires};
use alloc::vec::Vec;
use core::hash::Hash;
use glam::{DAffine3, Vec3};
use hashbrown::HashMap;

impl<K: Clone + Eq + Hash> Scene<K> {
    /// Returns the scene as bytes, for [`from_bytes`](Self::from_bytes): shapes, meshes with their trees, transforms, layers and order. A mesh, a point
    /// cloud or a polyline that several entities share is stored once, and shared again when it is read.
    ///
    /// `key` returns the bytes for a key, whose format only the caller knows. [`Mesh::to_bytes`] saves a mesh alone.
    ///
    /// ```
    /// use hitscan::{Ray, RayQueries, Scene, Sphere, glam::DVec3};
    ///
    /// let mut scene = Scene::new();
    /// scene.insert(7u32, Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0))?;
    /// let bytes = scene.to_bytes(|key| key.to_le_bytes())?;
    ///
    /// let key = |bytes: &[u8]| Some(u32::from_le_bytes(bytes.try_into().ok()?));
    /// let again = Scene::from_bytes(&bytes, key)?;
    /// let ray = Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]);
    /// assert_eq!(again.cast(&ray), scene.cast(&ray));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// Returns an error if two keys have the same bytes. Another error is a custom shape ([`Custom`](crate::custom::Custom)), which the library cannot save.
    pub fn to_bytes<B: AsRef<[u8]>>(&self, mut key: impl FnMut(&K) -> B) -> Result<Vec<u8>, SaveError> {
        let mut records: Vec<&Record<K>> = self.entities.iter().map(|(_, record)| record).collect();
        records.sort_shared_by_key(|record| record.order);
        let keys: Vec<B> = records.iter().map(|record| key(&record.key)).collect();
        check_keys(&keys)?;
        let entities = || records.iter().filter_map(|record| self.entity(record));
        if let Some(entity) = entities().position(|entity| entity.geometry.has_custom()) {
            return Err(SaveError::Custom { entity });
        }
        let mut shared = SavedShared::default();
        entities().for_each(|entity| entity.geometry.number_shared(&mut shared));
        Ok(save::write(SavedKind::Scene, |to| {
            shared.meshes.write(to);
            shared.wires.write(to);
            to.count(keys.len());
            for (key, entity) in keys.iter().zip(entities()) {
                to.count(key.as_ref().len());
                to.bytes(key.as_ref());
                entity.write(&mut shared, to);
            }
        }))
    }

    /// Reads a scene that [`to_bytes`](Self::to_bytes) saved. Every query has an answer with the same bits as in the saved scene. However, a hit of one scene
    /// is not a hit of the other. [`RayQueries::after`](crate::RayQueries::after) then skips no surface.
    ///
    /// `key` makes a key from its bytes, and returns `None` for bytes that are not a key.
    ///
    /// # Errors
    /// Returns an error as [`Mesh::from_bytes`] does, and if the bytes of a key are not a key or belong to an earlier
    /// entity. Shapes and transforms are checked as on insertion.
    pub fn from_bytes(bytes: &[u8], mut key: impl FnMut(&[u8]) -> Option<K>) -> Result<Self, ReadError> {
        let entities = save::read(SavedKind::Scene, bytes, |from| {
            let shared = ReadShared { meshes: read_meshes(from)?, wires: ReadWires::read(from)? };
            let count = from.count(Entity::LEAST_BYTES)?;
            (0..count).map(|index| read_entity(from, &shared).map_err(|error| error.of_entity(index))).collect()
        })?;
        let mut scene = Self::new();
        for (entity, (bytes, prepared)) in Vec::into_iter(entities).enumerate() {
            let key = key(bytes).ok_or(ReadError::Key { entity })?;
            if scene.get(&key).is_some() {
                return Err(ReadError::SameKey { entity });
            }
            scene.place(key, prepared);
        }
        scene.rebuild();
        Ok(scene)
    }
}

fn check_keys(keys: &[impl AsRef<[u8]>]) -> Result<(), SaveError> {
    let mut known = HashMap::new();
    for (entity, key) in keys.iter().enumerate() {
        if let Some(other) = known.insert(key.as_ref(), entity) {
            return Err(SaveError::SameKey { entities: [other, entity] });
        }
    }
    Ok(())
}

/// Reads the bytes of an entity's key, and the entity.
fn read_entity<'a>(from: &mut Reader<'a>, shared: &ReadShared) -> Result<(&'a [u8], PreparedEntity), ReadError> {
    let length = from.count(1)?;
    let key = from.bytes(length)?;
    let layers = u32::read(from)?;
    let transform = DAffine3::read(from)?;
    let geometry = Geometry::read(from, shared)?;
    let mut prepared = PreparedEntity::new(geometry, transform.into()).map_err(invalid)?;
    prepared.entity.layers = layers;
    Ok((key, prepared))
}

fn invalid(error: impl Into<SceneError>) -> ReadError {
    ReadError::Entity { index: 0, error: error.into() }
}

/// The meshes, clouds and polylines of entities, which get numbers when they are written.
#[derive(Default)]
struct SavedShared<'a> {
    meshes: SavedMeshes<'a>,
    wires: SavedWires<'a>,
}

/// The meshes, clouds and polylines of entities, which were read under their numbers.
struct ReadShared {
    meshes: Vec<Mesh>,
    wires: ReadWires,
}

impl Entity {
    /// The least number of bytes of a saved entity. They are the length of its key, its layers, its transform, and the kind of its geometry.
    const LEAST_BYTES: usize = 8 + 4 + size_of::<[f64; 12]>() + 4;
}

impl<'a> EntityRef<'a> {
    fn write(&self, shared: &mut SavedShared<'a>, to: &mut Writer) {
        self.layers.write(to);
        self.transform.write(to);
        self.geometry.write(shared, to);
    }
}

const SHAPE: u32 = 1;
const MESH: u32 = 2;
const COMPOUND: u32 = 3;
const HEIGHT_FIELD: u32 = 4;
const CONVEX_HULL: u32 = 5;
const POINT_CLOUD: u32 = 6;
const POLYLINE: u32 = 7;

impl Geometry {
    /// Returns whether the geometry contains a custom shape.
    fn has_custom(&self) -> bool {
        match self {
            Self::Custom(_) => true,
            Self::Compound(compound) => {
                compound.parts().iter().any(|(part, _)| matches!(part, PartGeometry::Custom(_)))
            }
            _ => false,
        }
    }

    fn number_shared<'a>(&'a self, shared: &mut SavedShared<'a>) {
        match self {
            Self::Shape(_) | Self::HeightField(_) | Self::ConvexHull(_) | Self::Custom(_) => {}
            Self::Mesh(mesh) => drop(shared.meshes.number(mesh)),
            Self::PointCloud(cloud) => drop(shared.wires.cloud(cloud)),
            Self::Polyline(line) => drop(shared.wires.line(line)),
            Self::Compound(compound) => {
                for (part, _) in compound.parts() {
                    match part {
                        PartGeometry::Shape(_)
                        | PartGeometry::HeightField(_)
                        | PartGeometry::ConvexHull(_)
                        | PartGeometry::Custom(_) => {}
                        PartGeometry::Mesh(mesh) => drop(shared.meshes.number(mesh)),
                        PartGeometry::PointCloud(cloud) => drop(shared.wires.cloud(cloud)),
                        PartGeometry::Polyline(line) => drop(shared.wires.line(line)),
                    }
                }
            }
        }
    }

    fn write<'a>(&'a self, shared: &mut SavedShared<'a>, to: &mut Writer) {
        match self {
            Self::Shape(shape) => write_shape(shape, to),
            Self::Mesh(mesh) => write_number(MESH, shared.meshes.number(mesh), to),
            Self::HeightField(field) => write_height_field(field, to),
            Self::ConvexHull(hull) => write_hull(hull, to),
            Self::PointCloud(cloud) => write_number(POINT_CLOUD, shared.wires.cloud(cloud), to),
            Self::Polyline(line) => write_number(POLYLINE, shared.wires.line(line), to),
            // Custom shapes were refused before.
            Self::Custom(_) => {}
            Self::Compound(compound) => {
                COMPOUND.write(to);
                // A compound that several entities share is written again for each of them. Therefore, a small number of
                // bytes cannot make very many parts.
                to.count(compound.len());
                for (part, placement) in compound.parts() {
                    placement.to_world.write(to);
                    match part {
                        PartGeometry::Shape(shape) => write_shape(shape, to),
                        PartGeometry::Mesh(mesh) => write_number(MESH, shared.meshes.number(mesh), to),
                        PartGeometry::HeightField(field) => write_height_field(field, to),
                        PartGeometry::ConvexHull(hull) => write_hull(hull, to),
                        PartGeometry::PointCloud(cloud) => write_number(POINT_CLOUD, shared.wires.cloud(cloud), to),
                        PartGeometry::Polyline(line) => write_number(POLYLINE, shared.wires.line(line), to),
                        PartGeometry::Custom(_) => {}
                    }
                }
            }
        }
    }

    fn read(from: &mut Reader<'_>, shared: &ReadShared) -> Result<Self, ReadError> {
        let kind = u32::read(from)?;
        if kind != COMPOUND {
            return Ok(read_part(kind, from, shared)?.into());
        }
        let count = from.count(PartGeometry::LEAST_BYTES)?;
        let part = |_| {
            let placement = Placement::new(DAffine3::read(from)?).map_err(invalid)?;
            let kind = u32::read(from)?;
            Ok((read_part(kind, from, shared)?, placement))
        };
        Ok(Compound::of_parts((0..count).map(part).collect::<Result<_, ReadError>>()?).into())
    }
}

impl PartGeometry {
    /// The least number of bytes of a saved part. They are its transform, the kind of its geometry, and the number of a mesh, cloud or polyline.
    const LEAST_BYTES: usize = size_of::<[f64; 12]>() + 4 + 4;
}

fn write_shape(shape: &Shape, to: &mut Writer) {
    SHAPE.write(to);
    shape.write(to);
}

/// Writes the kind and the number of data that is saved once for all entities that share it.
fn write_number(kind: u32, number: u32, to: &mut Writer) {
    kind.write(to);
    number.write(to);
}

fn write_height_field(field: &HeightField, to: &mut Writer) {
    HEIGHT_FIELD.write(to);
    to.count(field.rows());
    to.count(field.columns());
    field.cell_size().to_array().write(to);
    u32::from(field.diagonal() == Diagonal::Rising).write(to);
    to.rows(field.heights().iter().map(|height| height.to_le_bytes()));
    let holes: Vec<[u8; 8]> = field.holes().map(|[row, column]| save::row([row as u32, column as u32])).collect();
    to.rows(holes.into_iter());
}

fn read_height_field(from: &mut Reader<'_>) -> Result<HeightField, ReadError> {
    let (rows, columns) = (from.count(0)?, from.count(0)?);
    let cell = <[f32; 2]>::read(from)?;
    let diagonal = if from.choice()? { Diagonal::Rising } else { Diagonal::Falling };
    let heights: Vec<f32> = from.rows()?.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect();
    let holes = from.rows()?.iter().map(|bytes| save::words::<2, 8>(bytes).map(|place| place as usize));
    let field = HeightField::new(rows, columns, cell, &heights).map(|field| field.with_diagonal(diagonal));
    let field = if holes.len() == 0 { field } else { field.and_then(|field| field.with_holes(holes)) };
    field.map_err(|_| ReadError::Invalid { item: "entity", index: 0, fault: "has a height field that cannot be" })
}

fn write_hull(hull: &ConvexHull, to: &mut Writer) {
    CONVEX_HULL.write(to);
    to.rows(hull.vertices().iter().map(row_of_vec3));
}

fn read_part(kind: u32, from: &mut Reader<'_>, shared: &ReadShared) -> Result<PartGeometry, ReadError> {
    let invalid = |fault| ReadError::Invalid { item: "entity", index: 0, fault };
    match kind {
        SHAPE => Ok(PartGeometry::Shape(Shape::read(from)?)),
        MESH => {
            let mesh = shared.meshes.get(u32::read(from)? as usize).ok_or(invalid("has a mesh that is not there"))?;
            Ok(PartGeometry::Mesh(mesh.clone()))
        }
        HEIGHT_FIELD => read_height_field(from).map(PartGeometry::HeightField),
        CONVEX_HULL => {
            let points: Vec<Vec3> = from.rows()?.iter().map(vec3).collect();
            let hull = ConvexHull::new(&points).map_err(|_| invalid("has a convex hull without volume"))?;
            Ok(PartGeometry::ConvexHull(hull))
        }
        POINT_CLOUD => {
            let cloud = shared.wires.clouds.get(u32::read(from)? as usize);
            Ok(PartGeometry::PointCloud(cloud.ok_or(invalid("has a point cloud that is not there"))?.clone()))
        }
        POLYLINE => {
            let line = shared.wires.lines.get(u32::read(from)? as usize);
            Ok(PartGeometry::Polyline(line.ok_or(invalid("has a polyline that is not there"))?.clone()))
        }
        _ => Err(invalid("is of an unknown kind")),
    }
}

impl ReadError {
    /// Sets the index of the entity, if the error is about an entity at all.
    fn of_entity(self, index: usize) -> Self {
        match self {
            Self::Entity { error, .. } => Self::Entity { index, error },
            Self::Invalid { fault, .. } => Self::Invalid { item: "entity", index, fault },
            other => other,
        }
    }
}
