//! The file's streams of vertices, and the data that moves them.

use super::accessor::Accessors;
use super::document::{self, Whole};
use crate::error::Problem;
use crate::vectors::Vectors;

/// The accessors that decide a primitive's vertices.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct StreamsKey {
    /// The accessors of positions, normals and texture coordinates.
    pub(super) vertices: [Option<Whole>; 3],
    pub(super) bind: Bind,
}

impl StreamsKey {
    pub(super) fn new(primitive: &document::Primitive) -> Self {
        let vertices = ["POSITION", "NORMAL", "TEXCOORD_0"].map(|name| primitive.attributes.get(name).copied());
        Self { vertices, bind: Bind::new(primitive) }
    }
}

/// The vertices of a primitive in the file.
pub(super) struct Streams {
    /// The accessors of the streams.
    pub(super) key: StreamsKey,
    pub(super) positions: Vectors<3>,
    pub(super) normals: Option<Vectors<3>>,
    pub(super) texcoords: Option<Vectors<2>>,
    /// The attributes that are not finite at some vertices.
    pub(super) odd: Vec<Odd>,
}

/// An attribute that is not finite at some vertices, the number of these vertices, and the first of them.
#[derive(Clone, Copy)]
pub(super) struct Odd {
    pub(super) what: &'static str,
    pub(super) count: usize,
    pub(super) vertex: usize,
}

/// Returns the vectors, with zeros in place of each vector that is not finite. Such vectors are counted in `odd`. No
/// hit needs them.
fn finite<const N: usize>(vectors: Vectors<N>, what: &'static str, odd: &mut Vec<Odd>) -> Vectors<N> {
    let is_finite = |vector: &[f32; N]| vector.iter().all(|number| number.is_finite());
    let Some(vertex) = vectors.iter().position(|vector| !is_finite(vector)) else { return vectors };
    let count = vectors.iter().filter(|vector| !is_finite(vector)).count();
    odd.push(Odd { what, count, vertex });
    let mended: Vec<f32> =
        vectors.iter().flat_map(|vector| if is_finite(vector) { *vector } else { [0.0; N] }).collect();
    Vectors::new(mended.into())
}

/// The data that moves a primitive's vertices: accessors, read when a pose needs them.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct Bind {
    /// The morph targets, each with the displacements of the positions and of the normals.
    pub(super) targets: Vec<[Option<Whole>; 2]>,
    /// Sets of four joints and their weights.
    pub(super) influences: Vec<[Whole; 2]>,
}

impl Bind {
    fn new(primitive: &document::Primitive) -> Self {
        let influences = |set: usize| {
            let stream = |name: &str| primitive.attributes.get(&format!("{name}_{set}")).copied();
            Some([stream("JOINTS")?, stream("WEIGHTS")?])
        };
        let target = |target: &document::Target| ["POSITION", "NORMAL"].map(|name| target.get(name).copied());
        Self {
            targets: primitive.targets.iter().map(target).collect(),
            influences: (0..).map_while(influences).collect(),
        }
    }
}

pub(super) enum Fault {
    Problem(Problem),
    /// A part of the mesh does not fit.
    Mesh(String),
}

impl From<Problem> for Fault {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl Streams {
    /// Returns the accessors that move the vertices.
    pub(super) fn bind(&self) -> &Bind {
        &self.key.bind
    }

    pub(super) fn read(
        accessors: &Accessors<'_>,
        primitive: &document::Primitive,
        position: Whole,
    ) -> Result<Self, Fault> {
        let key = StreamsKey::new(primitive);
        let [_, normal, texcoord] = key.vertices;
        let positions = accessors.vectors::<3>(position)?;
        let normals = normal.map(|normal| accessors.vectors::<3>(normal)).transpose()?;
        let texcoords = texcoord.map(|texcoord| accessors.vectors::<2>(texcoord)).transpose()?;
        check_count("normals", normals.as_ref().map(|normals| normals.len()), positions.len())?;
        check_count("texture coordinates", texcoords.as_ref().map(|texcoords| texcoords.len()), positions.len())?;
        let mut odd = Vec::new();
        let normals = normals.map(|normals| finite(normals, "normals", &mut odd));
        let texcoords = texcoords.map(|texcoords| finite(texcoords, "texture coordinates", &mut odd));
        Ok(Self { key, positions, normals, texcoords, odd })
    }
}

/// Checks that a stream has one element for each vertex.
pub(super) fn check_count(what: &str, count: Option<usize>, vertices: usize) -> Result<(), Fault> {
    match count {
        Some(count) if count != vertices => Err(Fault::Mesh(format!("{count} {what} for {vertices} positions"))),
        _ => Ok(()),
    }
}
