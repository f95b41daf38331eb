//! Vertices: what the file's streams say of them, and how those of several primitives come together in one mesh.

use super::accessor::{Accessors, Vectors};
use super::document::{self, Whole};
use crate::error::Problem;
use hitscan::Mesh;
use hitscan::glam::{Vec2, Vec3};
use std::collections::HashMap;

/// What the file says of a primitive's vertices.
pub(super) struct Streams {
    /// Which accessors these are.
    key: [Option<Whole>; 3],
    pub(super) positions: Vectors<3>,
    normals: Option<Vectors<3>>,
    texcoords: Option<Vectors<2>>,
}

pub(super) enum Fault {
    Problem(Problem),
    Count(String),
}

impl From<Problem> for Fault {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl Streams {
    pub(super) fn read(
        accessors: &Accessors<'_>,
        primitive: &document::Primitive,
        position: Whole,
    ) -> Result<Self, Fault> {
        let [normal, texcoord] = ["NORMAL", "TEXCOORD_0"].map(|name| primitive.attributes.get(name).copied());
        let positions = accessors.vectors::<3>(position)?;
        let normals = normal.map(|normal| accessors.vectors::<3>(normal)).transpose()?;
        let texcoords = texcoord.map(|texcoord| accessors.vectors::<2>(texcoord)).transpose()?;
        check_count("normals", normals.as_ref().map(|normals| normals.len()), positions.len())?;
        check_count("texture coordinates", texcoords.as_ref().map(|texcoords| texcoords.len()), positions.len())?;
        Ok(Self { key: [Some(position), normal, texcoord], positions, normals, texcoords })
    }
}

/// The vertices of a mesh, those that several primitives share once.
#[derive(Default)]
pub(super) struct Vertices {
    positions: Vec<Vec3>,
    /// As many as positions while every primitive has normals, else cut short.
    normals: Vec<Vec3>,
    /// As many as positions, (0, 0) where a primitive has none.
    texcoords: Vec<Vec2>,
    has_texcoords: bool,
    /// Where streams begin that are there as a whole.
    known: HashMap<[Option<Whole>; 3], u32>,
}

/// Where a primitive's vertices are in the mesh.
pub(super) enum Place {
    /// All of them, from here on.
    Whole(u32),
    /// Those in use.
    Each(HashMap<u32, u32>),
}

impl Place {
    pub(super) fn at(&self, vertex: u32) -> u32 {
        match self {
            Self::Whole(first) => first + vertex,
            Self::Each(places) => places[&vertex],
        }
    }
}

impl Vertices {
    /// Adds the vertices of a primitive, unless they are there; `None` if there are too many to number.
    ///
    /// Of a primitive that uses a part of its vertices, such as one of many meshes that are cut from one large buffer, that
    /// part is added.
    pub(super) fn place(&mut self, streams: &Streams, corners: &[u32]) -> Option<Place> {
        if let Some(&first) = self.known.get(&streams.key) {
            return Some(Place::Whole(first));
        }
        let first = u32::try_from(self.positions.len()).ok()?;
        if streams.positions.len() <= corners.len() {
            self.extend(streams, 0..streams.positions.len());
            self.known.insert(streams.key, first);
            u32::try_from(self.positions.len()).ok()?;
            return Some(Place::Whole(first));
        }
        let mut places = HashMap::new();
        let mut used = Vec::new();
        for &corner in corners {
            places.entry(corner).or_insert_with(|| {
                used.push(corner as usize);
                first.wrapping_add(used.len() as u32 - 1)
            });
        }
        self.extend(streams, used.into_iter());
        u32::try_from(self.positions.len()).ok()?;
        Some(Place::Each(places))
    }

    fn extend(&mut self, streams: &Streams, vertices: impl Iterator<Item = usize> + Clone) {
        let first = self.positions.len();
        self.positions.extend(vertices.clone().map(|i| Vec3::from(streams.positions[i])));
        if let Some(normals) = streams.normals.as_ref().filter(|_| self.normals.len() == first) {
            self.normals.extend(vertices.clone().map(|i| Vec3::from(normals[i])));
        }
        if let Some(texcoords) = &streams.texcoords {
            self.texcoords.extend(vertices.map(|i| Vec2::from(texcoords[i])));
            self.has_texcoords = true;
        }
        self.texcoords.resize(self.positions.len(), Vec2::ZERO);
    }

    pub(super) fn mesh(&self, indices: &[u32]) -> Result<Mesh, hitscan::MeshError> {
        let mut mesh = Mesh::new(&self.positions, indices)?;
        if self.normals.len() == self.positions.len() {
            mesh = mesh.with_normals(&self.normals)?;
        }
        if self.has_texcoords {
            mesh = mesh.with_texcoords(&self.texcoords)?;
        }
        Ok(mesh)
    }
}

fn check_count(what: &str, count: Option<usize>, vertices: usize) -> Result<(), Fault> {
    match count {
        Some(count) if count != vertices => Err(Fault::Count(format!("{count} {what} for {vertices} positions"))),
        _ => Ok(()),
    }
}
