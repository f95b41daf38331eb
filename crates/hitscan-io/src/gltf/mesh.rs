//! Meshes: all triangle primitives of one, in file order, as one mesh of the library.

use super::accessor::Accessors;
use super::document::{self, Document, Whole, get};
use super::extensions;
use super::material::Materials;
use crate::error::{Item, Problem, Warning};
use crate::material::{Cut, Primitive};
use hitscan::Mesh;
use hitscan::glam::{Vec2, Vec3};
use std::collections::HashMap;
use std::sync::Arc;

/// A mesh of the file, ready to be placed.
#[derive(Clone)]
pub(super) struct Loaded {
    pub(super) mesh: Mesh,
    pub(super) primitives: Arc<[Primitive]>,
}

/// Reads meshes.
pub(super) struct Meshes<'a> {
    pub(super) document: &'a Document,
    pub(super) accessors: &'a Accessors<'a>,
    pub(super) materials: &'a Materials,
}

impl Meshes<'_> {
    /// Reads one mesh; `None`, and a warning, for one without triangles, or whose data the file does not have.
    pub(super) fn load(&self, index: Whole, warnings: &mut Vec<Warning>) -> Result<Option<Loaded>, Problem> {
        let mesh = get(&self.document.meshes, "mesh", index)?;
        let item = Item::named("mesh", index.0, mesh.name.as_deref());
        match self.join(mesh, &item, warnings) {
            Err(Problem::NoData(buffer)) => {
                warnings.push(Warning::NoData { mesh: item, buffer });
                Ok(None)
            }
            result => result,
        }
    }

    fn join(&self, mesh: &document::Mesh, item: &Item, warnings: &mut Vec<Warning>) -> Result<Option<Loaded>, Problem> {
        let mut joined = Joined { item, vertices: Vertices::default(), indices: Vec::new(), primitives: Vec::new() };
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            self.add(&mut joined, number, primitive, warnings)?;
        }
        if mesh.primitives.iter().any(|primitive| !primitive.targets.is_empty()) {
            warnings.push(Warning::Morphed(item.clone()));
        }
        if joined.indices.is_empty() {
            warnings.push(Warning::NoTriangles(item.clone()));
            return Ok(None);
        }
        let primitives = joined.primitives.into();
        let mesh =
            joined.vertices.mesh(&joined.indices).map_err(|cause| Problem::Mesh { item: item.clone(), cause })?;
        Ok(Some(Loaded { mesh, primitives }))
    }

    fn add(
        &self,
        joined: &mut Joined<'_>,
        number: usize,
        primitive: &document::Primitive,
        warnings: &mut Vec<Warning>,
    ) -> Result<(), Problem> {
        let mode = Mode::of(primitive.mode).ok_or_else(|| {
            joined.item.clone().invalid(format!("has the unknown mode {} in primitive {number}", primitive.mode.0))
        })?;
        let Some(&position) = primitive.attributes.get("POSITION").filter(|_| mode != Mode::NoTriangles) else {
            return Ok(());
        };
        if !self.accessors.is_stored(position) {
            extensions::compression(&primitive.extensions).map_or(Ok(()), Err)?;
        }
        let vertices = joined.vertices.place(self.accessors, primitive, position).map_err(|fault| match fault {
            Fault::Problem(problem) => problem,
            Fault::Count(what) => joined.item.clone().invalid(format!("has {what} in primitive {number}")),
        })?;
        let corners = self.corners(joined.item, number, primitive, vertices.count)?;
        let triangles = mode.triangles(&corners);
        if mode == Mode::Triangles && corners.len() % 3 != 0 {
            let mesh = joined.item.clone();
            warnings.push(Warning::Remainder { mesh, primitive: number, corners: corners.len() % 3 });
        }
        if triangles.is_empty() {
            return Ok(());
        }
        if let Some(material) = primitive.material {
            get(&self.document.materials, "material", material)?;
        }
        joined.primitives.push(Primitive {
            index: number as u32,
            part: 0,
            first_triangle: (joined.indices.len() / 3) as u32,
            triangles: triangles.len() as u32,
            material: primitive.material.map(|material| material.0),
            has_texcoords: primitive.attributes.contains_key("TEXCOORD_0"),
            cut: self.cut(primitive, &triangles, warnings)?,
        });
        joined.indices.extend(triangles.iter().flatten().map(|corner| corner + vertices.first));
        Ok(())
    }

    /// The vertex of each corner, all of them below `count`.
    fn corners(
        &self,
        item: &Item,
        number: usize,
        primitive: &document::Primitive,
        count: u32,
    ) -> Result<Vec<u32>, Problem> {
        let Some(indices) = primitive.indices else { return Ok((0..count).collect()) };
        let corners = self.accessors.indices(indices)?;
        match corners.iter().position(|&corner| corner >= count) {
            Some(at) => {
                let what = format!(
                    "has the index {} at place {at} of primitive {number}, which has {count} vertices",
                    corners[at]
                );
                Err(item.clone().invalid(what))
            }
            None => Ok(corners),
        }
    }

    /// What a cut-out material needs to know of each corner.
    fn cut(
        &self,
        primitive: &document::Primitive,
        triangles: &[[u32; 3]],
        warnings: &mut Vec<Warning>,
    ) -> Result<Cut, Problem> {
        let mut cut = Cut::default();
        let Some(Whole(index)) = primitive.material else { return Ok(cut) };
        let material = &self.materials.list[index];
        if !matches!(material.alpha, crate::Alpha::Mask { .. }) {
            return Ok(cut);
        }
        if let Some(layout) = self.materials.layouts[index] {
            match primitive.attributes.get(&format!("TEXCOORD_{}", layout.set)) {
                Some(&accessor) => {
                    let all = self.accessors.vectors::<2>(accessor)?;
                    let of = |corner: u32| all.get(corner as usize).map_or(Vec2::ZERO, |&c| layout.apply(c.into()));
                    cut.coordinates = triangles.iter().map(|corners| corners.map(of)).collect();
                }
                None => {
                    let fault = format!("a primitive lacks the TEXCOORD_{} of its texture", layout.set);
                    let material = Item::named("material", index, material.name.as_deref());
                    warnings.push(Warning::Texture { material, fault });
                }
            }
        }
        if let Some(&color) =
            primitive.attributes.get("COLOR_0").filter(|&&color| self.accessors.width(color) == Some(4))
        {
            let all = self.accessors.vectors::<4>(color)?;
            let of = |corner: u32| all.get(corner as usize).map_or(1.0, |color| color[3]);
            cut.alphas = triangles.iter().map(|corners| corners.map(of)).collect();
        }
        Ok(cut)
    }
}

/// What the primitives of a mesh come together in.
struct Joined<'a> {
    item: &'a Item,
    vertices: Vertices,
    indices: Vec<u32>,
    primitives: Vec<Primitive>,
}

/// The vertices of a mesh, those that several primitives share once.
#[derive(Default)]
struct Vertices {
    positions: Vec<Vec3>,
    /// As many as positions while every primitive has normals, else cut short.
    normals: Vec<Vec3>,
    /// As many as positions, (0, 0) where a primitive has none.
    texcoords: Vec<Vec2>,
    has_texcoords: bool,
    known: HashMap<[Option<Whole>; 3], Range>,
}

/// The vertices of one primitive.
#[derive(Clone, Copy)]
struct Range {
    first: u32,
    count: u32,
}

enum Fault {
    Problem(Problem),
    Count(String),
}

impl From<Problem> for Fault {
    fn from(problem: Problem) -> Self {
        Self::Problem(problem)
    }
}

impl Vertices {
    /// Adds the vertices of a primitive, unless they are there.
    fn place(
        &mut self,
        accessors: &Accessors<'_>,
        primitive: &document::Primitive,
        position: Whole,
    ) -> Result<Range, Fault> {
        let [normal, texcoord] = ["NORMAL", "TEXCOORD_0"].map(|name| primitive.attributes.get(name).copied());
        let key = [Some(position), normal, texcoord];
        if let Some(&known) = self.known.get(&key) {
            return Ok(known);
        }
        let first = self.positions.len();
        self.positions.extend(accessors.vectors::<3>(position)?.into_iter().map(Vec3::from));
        let count = self.positions.len() - first;
        if let Some(normal) = normal.filter(|_| self.normals.len() == first) {
            let normals = accessors.vectors::<3>(normal)?;
            check_count("normals", normals.len(), count)?;
            self.normals.extend(normals.into_iter().map(Vec3::from));
        }
        if let Some(texcoord) = texcoord {
            let texcoords = accessors.vectors::<2>(texcoord)?;
            check_count("texture coordinates", texcoords.len(), count)?;
            self.texcoords.extend(texcoords.into_iter().map(Vec2::from));
            self.has_texcoords = true;
        }
        self.texcoords.resize(self.positions.len(), Vec2::ZERO);
        let too_many = |_| Fault::Count(format!("more than {} vertices up to its end", u32::MAX));
        let range = Range {
            first: u32::try_from(first).map_err(too_many)?,
            count: u32::try_from(self.positions.len()).map_err(too_many)? - first as u32,
        };
        self.known.insert(key, range);
        Ok(range)
    }

    fn mesh(&self, indices: &[u32]) -> Result<Mesh, hitscan::MeshError> {
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

fn check_count(what: &str, count: usize, vertices: usize) -> Result<(), Fault> {
    if count == vertices { Ok(()) } else { Err(Fault::Count(format!("{count} {what} for {vertices} positions"))) }
}

/// How corners make triangles.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Mode {
    /// Points and lines.
    NoTriangles,
    Triangles,
    Strip,
    Fan,
}

impl Mode {
    fn of(code: Whole) -> Option<Self> {
        match code.0 {
            0..=3 => Some(Self::NoTriangles),
            4 => Some(Self::Triangles),
            5 => Some(Self::Strip),
            6 => Some(Self::Fan),
            _ => None,
        }
    }

    /// The triangles, each counter-clockwise from its front (glTF 2.0, 3.7.2.1).
    fn triangles(self, corners: &[u32]) -> Vec<[u32; 3]> {
        let pairs = corners.windows(2).skip(1);
        match self {
            Self::NoTriangles => Vec::new(),
            Self::Triangles => corners.chunks_exact(3).map(|c| [c[0], c[1], c[2]]).collect(),
            Self::Strip => {
                let turned = |(i, c): (usize, &[u32])| if i % 2 == 0 { [c[0], c[1], c[2]] } else { [c[0], c[2], c[1]] };
                corners.windows(3).enumerate().map(turned).collect()
            }
            Self::Fan => pairs.map(|pair| [pair[0], pair[1], corners[0]]).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strips_and_fans() {
        let corners = [10, 11, 12, 13, 14];
        assert_eq!(Mode::Triangles.triangles(&corners), [[10, 11, 12]]);
        assert_eq!(Mode::Strip.triangles(&corners), [[10, 11, 12], [11, 13, 12], [12, 13, 14]]);
        assert_eq!(Mode::Fan.triangles(&corners), [[11, 12, 10], [12, 13, 10], [13, 14, 10]]);
        for mode in [Mode::Triangles, Mode::Strip, Mode::Fan] {
            assert_eq!(mode.triangles(&corners[..2]), [[0; 3]; 0]);
            assert_eq!(mode.triangles(&[]), [[0; 3]; 0]);
        }
    }
}
