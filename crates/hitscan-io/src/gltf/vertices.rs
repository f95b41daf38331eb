//! Vertices: how the streams of several primitives come together in one mesh.

use super::accessor::Accessors;
use super::deformer::{self, Need};
use super::streams::{Fault, Streams, StreamsKey};
use crate::rig::{Deformer, Surface};
use hitscan::Mesh;
use hitscan::glam::{Vec2, Vec3};
use std::collections::HashMap;
use std::sync::Arc;

/// The vertices of a mesh. Vertices that several primitives share are stored once.
#[derive(Default)]
pub(super) struct Vertices {
    parts: Vec<Part>,
    count: usize,
    /// The first vertex of streams that are stored as a whole.
    known: HashMap<StreamsKey, u32>,
}

/// A run of vertices from the same streams.
struct Part {
    streams: Streams,
    /// The streams' vertices that are used, in this order; `None` means all.
    used: Option<Arc<[u32]>>,
}

impl Part {
    fn len(&self) -> usize {
        self.used.as_ref().map_or(self.streams.positions.len(), |used| used.len())
    }

    /// Returns one value for each vertex.
    fn each<T>(&self, value: impl Fn(usize) -> T) -> Vec<T> {
        match &self.used {
            Some(used) => used.iter().map(|&vertex| value(vertex as usize)).collect(),
            None => (0..self.len()).map(value).collect(),
        }
    }
}

/// The place of a primitive's vertices in the mesh.
pub(super) enum Place {
    /// All vertices are stored, from here on.
    Whole(u32),
    /// The vertices in use are stored.
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
    pub(super) fn len(&self) -> usize {
        self.count
    }

    /// Returns the number of morph targets.
    pub(super) fn targets(&self) -> usize {
        self.parts.iter().map(|part| part.streams.key.bind.targets.len()).max().unwrap_or(0)
    }

    /// Returns the largest number of sets of four joints that its vertices have.
    pub(super) fn influence_sets(&self) -> usize {
        self.parts.iter().map(|part| part.streams.key.bind.influences.len()).max().unwrap_or(0)
    }

    /// Returns the number of runs of vertices.
    pub(super) fn part_count(&self) -> usize {
        self.parts.len()
    }

    /// Returns whether every vertex has joints to follow.
    pub(super) fn follow_joints(&self) -> bool {
        self.parts.iter().all(|part| !part.streams.key.bind.influences.is_empty())
    }

    /// Adds the vertices of a primitive, unless they are already stored; `None` if there are too many to number.
    ///
    /// A primitive may use only a part of its vertices, as when many meshes share one large buffer. Then only that part is added.
    pub(super) fn place(&mut self, streams: Streams, corners: &[u32]) -> Option<Place> {
        if let Some(&first) = self.known.get(&streams.key) {
            return Some(Place::Whole(first));
        }
        let first = u32::try_from(self.count).ok()?;
        if streams.positions.len() <= corners.len() {
            self.known.insert(streams.key.clone(), first);
            return self.add(Part { streams, used: None }, Place::Whole(first));
        }
        let mut places = HashMap::new();
        let mut used = Vec::new();
        for &corner in corners {
            places.entry(corner).or_insert_with(|| {
                used.push(corner);
                first.wrapping_add(used.len() as u32 - 1)
            });
        }
        self.add(Part { streams, used: Some(used.into()) }, Place::Each(places))
    }

    fn add(&mut self, part: Part, place: Place) -> Option<Place> {
        self.count += part.len();
        self.parts.push(part);
        u32::try_from(self.count).ok().map(|_| place)
    }

    /// Returns the vertices, and the data that moves them. A fault names the parts of the mesh that do not fit together.
    pub(super) fn deformer(&self, need: &Need<'_>, accessors: &Accessors<'_>) -> Result<Deformer, Fault> {
        let parts = self.parts.iter().map(|part| deformer::read(&part.streams, part.used.clone(), need, accessors));
        Ok(Deformer { parts: parts.collect::<Result<_, _>>()? })
    }

    /// Makes the mesh with its vertices on this surface.
    pub(super) fn mesh(&self, indices: &[u32], surface: &Surface) -> Result<Mesh, hitscan::error::MeshError> {
        let mut mesh = Mesh::new(&surface.positions, indices)?;
        if !surface.normals.is_empty() {
            // A morph target may displace a normal by a vector that is not finite.
            let finite = |normal: &Vec3| if normal.is_finite() { *normal } else { Vec3::ZERO };
            let normals: Vec<Vec3> = surface.normals.iter().map(finite).collect();
            mesh = mesh.with_normals(&normals)?;
        }
        match self.texcoords() {
            Some(texcoords) => mesh.with_texcoords(&texcoords),
            None => Ok(mesh),
        }
    }

    /// Returns the texture coordinates, which are (0, 0) for a primitive without any; `None` if no primitive has any.
    fn texcoords(&self) -> Option<Vec<Vec2>> {
        self.parts.iter().find(|part| part.streams.texcoords.is_some())?;
        let of = |part: &Part| match &part.streams.texcoords {
            Some(texcoords) => part.each(|vertex| Vec2::from(texcoords[vertex])),
            None => vec![Vec2::ZERO; part.len()],
        };
        Some(self.parts.iter().flat_map(of).collect())
    }
}
