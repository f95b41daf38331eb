//! Meshes: all triangle primitives of one, in file order, as one mesh of the library.

use super::accessor::Accessors;
use super::document::{self, Document, Whole, get};
use super::extensions;
use super::flesh::Need;
use super::material::{self, Materials};
use super::mode::Mode;
use super::vertices::{Fault, Streams, Vertices};
use crate::error::{Item, Problem, Warning};
use crate::material::{Alpha, Paint, Primitive};
use crate::model::Detail;
use crate::rig::{Flesh, Surface};
use hitscan::Mesh;
use hitscan::glam::Vec2;
use std::sync::Arc;

/// A mesh of the file, ready to be posed.
pub(super) struct Loaded {
    item: Item,
    vertices: Vertices,
    indices: Vec<u32>,
    pub(super) primitives: Arc<[Primitive]>,
    /// Of the morph targets, where a node has none of its own.
    pub(super) weights: Vec<f64>,
    /// Whether a skin can move all of it.
    pub(super) follows_joints: bool,
}

impl Loaded {
    pub(super) fn item(&self) -> &Item {
        &self.item
    }

    /// How many morph targets it has.
    pub(super) fn targets(&self) -> usize {
        self.vertices.targets()
    }
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
        let joined = self.join(mesh, &item, warnings);
        Ok(with_data(joined, &item, warnings)?.flatten())
    }

    /// The vertices of a mesh, and what moves them.
    pub(super) fn flesh(&self, loaded: &Loaded, need: &Need<'_>) -> Result<Flesh, Problem> {
        let streams = need.streams(loaded.targets(), loaded.vertices.influence_sets());
        self.accessors.spend(&loaded.item, loaded.targets().saturating_mul(loaded.vertices.part_count()))?;
        let work = loaded.vertices.len().saturating_mul(streams).saturating_add(loaded.indices.len());
        self.accessors.spend(&loaded.item, if streams == 0 { 0 } else { work })?;
        loaded.vertices.flesh(need, self.accessors).map_err(|fault| match fault {
            Fault::Problem(problem) => problem,
            Fault::Mesh(what) => loaded.item.clone().invalid(format!("has {what}")),
        })
    }

    /// A mesh with its vertices on this surface.
    pub(super) fn mesh(&self, loaded: &Loaded, surface: &Surface) -> Result<Mesh, Problem> {
        let mesh = loaded.vertices.mesh(&loaded.indices, surface);
        mesh.map_err(|cause| Problem::Mesh { item: loaded.item.clone(), cause })
    }

    fn join(&self, mesh: &document::Mesh, item: &Item, warnings: &mut Vec<Warning>) -> Result<Option<Loaded>, Problem> {
        let mut joined = Joined { item, vertices: Vertices::default(), indices: Vec::new(), primitives: Vec::new() };
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            self.add(&mut joined, number, primitive, warnings)?;
        }
        if joined.indices.is_empty() {
            warnings.push(Warning::NoTriangles(item.clone()));
            return Ok(None);
        }
        let Joined { vertices, indices, primitives, .. } = joined;
        Ok(Some(Loaded {
            item: item.clone(),
            follows_joints: vertices.follow_joints(),
            vertices,
            indices,
            primitives: primitives.into(),
            weights: mesh.weights.clone().unwrap_or_default(),
        }))
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
        let streams = Streams::read(self.accessors, primitive, position).map_err(|fault| match fault {
            Fault::Problem(problem) => problem,
            Fault::Mesh(what) => joined.item.clone().invalid(format!("has {what} in primitive {number}")),
        })?;
        let corners = self.corners(joined.item, number, primitive, streams.positions.len())?;
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
            paint: self.paint(primitive, &triangles, warnings)?,
        });
        let vertices = joined.vertices.place(streams, &corners).ok_or_else(|| {
            joined.item.clone().invalid(format!("has more than {} vertices up to primitive {number}", u32::MAX))
        })?;
        joined.indices.extend(triangles.iter().flatten().map(|&corner| vertices.at(corner)));
        Ok(())
    }

    /// The vertex of each corner, all of them below `count`.
    fn corners(
        &self,
        item: &Item,
        number: usize,
        primitive: &document::Primitive,
        count: usize,
    ) -> Result<Vec<u32>, Problem> {
        let Some(indices) = primitive.indices else {
            self.accessors.spend(item, count)?;
            return Ok((0..=u32::MAX).take(count).collect());
        };
        let corners = self.accessors.indices(indices)?;
        match corners.iter().position(|&corner| corner as usize >= count) {
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

    /// What a cut-out material, or a picture, needs to know of each corner.
    fn paint(
        &self,
        primitive: &document::Primitive,
        triangles: &[[u32; 3]],
        warnings: &mut Vec<Warning>,
    ) -> Result<Paint, Problem> {
        let mut paint = Paint::default();
        let material = primitive.material.map(|Whole(index)| (index, &self.materials.list[index]));
        let is_cut = material.is_some_and(|(_, material)| matches!(material.alpha, Alpha::Mask { .. }));
        let is_colored = self.materials.detail == Detail::Colors;
        if let Some(((index, material), layout)) = material.and_then(|m| Some((m, self.materials.layouts[m.0]?))) {
            match primitive.attributes.get(&format!("TEXCOORD_{}", layout.set)) {
                Some(&accessor) => {
                    let all = self.accessors.vectors::<2>(accessor)?;
                    let of = |corner: u32| all.get(corner as usize).map_or(Vec2::ZERO, |&c| layout.apply(c.into()));
                    paint.coordinates = triangles.iter().map(|corners| corners.map(of)).collect();
                }
                None => {
                    let fault = format!("a primitive lacks the TEXCOORD_{} of its texture", layout.set);
                    warnings.push(material::unpainted(index, material, fault));
                }
            }
        }
        let Some(&color) = primitive.attributes.get("COLOR_0").filter(|_| is_cut || is_colored) else {
            return Ok(paint);
        };
        match self.accessors.width(color) {
            Some(4) => {
                let all = self.accessors.vectors::<4>(color)?;
                let of = |corner: u32| all.get(corner as usize).copied().unwrap_or([1.0; 4]);
                paint.alphas = triangles.iter().map(|corners| corners.map(|corner| of(corner)[3])).collect();
                if is_colored {
                    let rgb = |corner| of(corner).first_chunk().copied().unwrap_or([1.0; 3]);
                    paint.colors = triangles.iter().map(|corners| corners.map(rgb)).collect();
                }
            }
            Some(3) if is_colored => {
                let all = self.accessors.vectors::<3>(color)?;
                let of = |corner: u32| all.get(corner as usize).copied().unwrap_or([1.0; 3]);
                paint.colors = triangles.iter().map(|corners| corners.map(of)).collect();
            }
            _ => {}
        }
        Ok(paint)
    }
}

/// Nothing, and a warning, in the place of what a file does not have.
pub(super) fn with_data<T>(
    result: Result<T, Problem>,
    mesh: &Item,
    warnings: &mut Vec<Warning>,
) -> Result<Option<T>, Problem> {
    match result {
        Err(Problem::NoData(buffer)) => {
            warnings.push(Warning::NoData { mesh: mesh.clone(), buffer });
            Ok(None)
        }
        result => result.map(Some),
    }
}

/// What the primitives of a mesh come together in.
struct Joined<'a> {
    item: &'a Item,
    vertices: Vertices,
    indices: Vec<u32>,
    primitives: Vec<Primitive>,
}
