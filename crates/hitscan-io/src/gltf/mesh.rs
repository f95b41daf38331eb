//! Meshes: all triangle primitives of a mesh in the file, in file order, become one mesh of the library.

use super::accessor::Accessors;
use super::deformer::Need;
use super::document::{self, Document, Whole, get};
use super::extensions;
use super::material::{self, Materials};
use super::primitive_mode::PrimitiveMode;
use super::streams::{Fault, Odd, Streams, StreamsKey};
use super::vertices::Vertices;
use crate::error::{Item, Problem, Warning};
use crate::material::{Alpha, Paint, Primitive};
use crate::rig::{Deformer, Surface};
use crate::texture::Detail;
use hitscan::Mesh;
use hitscan::glam::Vec2;
use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap};
use std::rc::Rc;
use std::sync::Arc;

/// A mesh of the file, ready to be posed.
pub(super) struct Loaded {
    item: Item,
    shape: Rc<Shape>,
    pub(super) primitives: Arc<[Primitive]>,
    /// The weights of the morph targets, for nodes that have none of their own.
    pub(super) weights: Vec<f64>,
}

/// The triangles of a mesh. Meshes that name the same accessors share them.
struct Shape {
    /// The index of the first mesh that has it.
    mesh: usize,
    vertices: Vertices,
    indices: Vec<u32>,
    runs: Vec<Run>,
    /// Primitives that end in corners that do not make a whole triangle, and their number.
    remainders: Vec<(usize, usize)>,
    /// Primitives with attributes that are not finite.
    odd: Vec<(usize, Odd)>,
}

/// The range of a primitive's triangles among the triangles of its mesh.
struct Run {
    primitive: usize,
    first_triangle: u32,
    triangles: u32,
}

/// The parts of a primitive that decide its triangles.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct ShapeKey {
    streams: StreamsKey,
    indices: Option<Whole>,
    mode: Whole,
}

/// The parts of a primitive that decide how it looks.
#[derive(PartialEq, Eq, Hash)]
pub(super) struct LooksKey {
    attributes: BTreeMap<String, Whole>,
    indices: Option<Whole>,
    mode: Whole,
    material: Option<Whole>,
}

impl Loaded {
    pub(super) fn item(&self) -> &Item {
        &self.item
    }

    /// Returns the index of the first mesh with the same triangles.
    pub(super) fn shape(&self) -> usize {
        self.shape.mesh
    }

    /// Returns the number of morph targets of the mesh.
    pub(super) fn targets(&self) -> usize {
        self.shape.vertices.targets()
    }

    /// Returns whether a skin can move the whole mesh.
    pub(super) fn follows_joints(&self) -> bool {
        self.shape.vertices.follow_joints()
    }
}

/// Reads meshes.
pub(super) struct Meshes<'a> {
    document: &'a Document,
    pub(super) accessors: &'a Accessors<'a>,
    materials: &'a Materials,
    shapes: RefCell<HashMap<Vec<ShapeKey>, Rc<Shape>>>,
    looks: RefCell<HashMap<Vec<LooksKey>, Arc<[Primitive]>>>,
}

impl<'a> Meshes<'a> {
    pub(super) fn new(document: &'a Document, accessors: &'a Accessors<'a>, materials: &'a Materials) -> Self {
        Self { document, accessors, materials, shapes: RefCell::default(), looks: RefCell::default() }
    }

    pub(super) fn document(&self) -> &'a Document {
        self.document
    }
}

impl Meshes<'_> {
    /// Returns the item of a mesh, which need not exist.
    pub(super) fn item(&self, index: Whole) -> Item {
        let name = self.document.meshes.get(index.0).and_then(|mesh| mesh.name.as_deref());
        Item::named("mesh", index.0, name)
    }

    /// Reads one mesh. For a mesh without triangles, or with data that is not in the file, returns `None` and adds a
    /// warning.
    pub(super) fn load(&self, index: Whole, warnings: &mut Vec<Warning>) -> Result<Option<Loaded>, Problem> {
        let mesh = get(&self.document.meshes, "mesh", index)?;
        let item = self.item(index);
        let Some(shape) = with_data(self.shape(index, mesh, &item), &item, warnings)? else { return Ok(None) };
        let remainder = |&(primitive, corners)| Warning::Remainder { mesh: item.clone(), primitive, corners };
        warnings.extend(shape.remainders.iter().map(remainder));
        warnings.extend(shape.odd.iter().map(|&(primitive, Odd { what, count, vertex })| Warning::NotFinite {
            mesh: item.clone(),
            primitive,
            what,
            count,
            vertex,
        }));
        if shape.indices.is_empty() {
            warnings.push(Warning::NoTriangles(item));
            return Ok(None);
        }
        let looks = with_data(self.looks(mesh, &shape, warnings), &item, warnings);
        let Some(primitives) = looks? else { return Ok(None) };
        Ok(Some(Loaded { item, shape, primitives, weights: mesh.weights.clone().unwrap_or_default() }))
    }

    /// Returns the vertices of a mesh, and the data that moves them.
    pub(super) fn deformer(&self, loaded: &Loaded, need: &Need<'_>) -> Result<Deformer, Problem> {
        let streams = need.streams(loaded.targets(), loaded.shape.vertices.influence_sets());
        self.accessors.spend(&loaded.item, loaded.targets().saturating_mul(loaded.shape.vertices.part_count()))?;
        let work = loaded.shape.vertices.len().saturating_mul(streams).saturating_add(loaded.shape.indices.len());
        self.accessors.spend(&loaded.item, if streams == 0 { 0 } else { work })?;
        loaded.shape.vertices.deformer(need, self.accessors).map_err(|fault| match fault {
            Fault::Problem(problem) => problem,
            Fault::Mesh(what) => loaded.item.clone().invalid(format!("has {what}")),
        })
    }

    /// Makes a mesh with its vertices on this surface.
    pub(super) fn mesh(&self, loaded: &Loaded, surface: &Surface) -> Result<Mesh, Problem> {
        let mesh = loaded.shape.vertices.mesh(&loaded.shape.indices, surface);
        mesh.map_err(|cause| Problem::Mesh { item: loaded.item.clone(), cause })
    }

    /// Returns the triangles of a mesh, made once for all meshes of the same accessors.
    fn shape(&self, index: Whole, mesh: &document::Mesh, item: &Item) -> Result<Rc<Shape>, Problem> {
        let key = |primitive: &document::Primitive| ShapeKey {
            streams: StreamsKey::new(primitive),
            indices: primitive.indices,
            mode: primitive.mode,
        };
        let keys: Vec<ShapeKey> = mesh.primitives.iter().map(key).collect();
        if let Some(known) = self.shapes.borrow().get(&keys) {
            return Ok(known.clone());
        }
        let (vertices, indices) = (Vertices::default(), Vec::new());
        let mut shape =
            Shape { mesh: index.0, vertices, indices, runs: Vec::new(), remainders: Vec::new(), odd: Vec::new() };
        for (number, primitive) in mesh.primitives.iter().enumerate() {
            self.add(&mut shape, item, number, primitive)?;
        }
        let shape = Rc::new(shape);
        self.shapes.borrow_mut().insert(keys, shape.clone());
        Ok(shape)
    }

    fn add(
        &self,
        shape: &mut Shape,
        item: &Item,
        number: usize,
        primitive: &document::Primitive,
    ) -> Result<(), Problem> {
        let mode = mode(item, number, primitive)?;
        let Some(&position) = primitive.attributes.get("POSITION").filter(|_| mode != PrimitiveMode::NoTriangles)
        else {
            return Ok(());
        };
        if !self.accessors.is_stored(position) {
            extensions::compression(&primitive.extensions).map_or(Ok(()), Err)?;
        }
        let streams = Streams::read(self.accessors, primitive, position).map_err(|fault| match fault {
            Fault::Problem(problem) => problem,
            Fault::Mesh(what) => item.clone().invalid(format!("has {what} in primitive {number}")),
        })?;
        let corners = self.corners(item, number, primitive, streams.positions.len())?;
        self.accessors.spend(item, corners.len())?;
        let triangles = mode.triangles(&corners);
        if mode == PrimitiveMode::Triangles && corners.len() % 3 != 0 {
            shape.remainders.push((number, corners.len() % 3));
        }
        if triangles.is_empty() {
            return Ok(());
        }
        shape.odd.extend(streams.odd.iter().map(|&odd| (number, odd)));
        let first_triangle = (shape.indices.len() / 3) as u32;
        shape.runs.push(Run { primitive: number, first_triangle, triangles: triangles.len() as u32 });
        let vertices = shape.vertices.place(streams, &corners).ok_or_else(|| {
            item.clone().invalid(format!("has more than {} vertices up to primitive {number}", u32::MAX))
        })?;
        shape.indices.extend(triangles.iter().flatten().map(|&corner| vertices.at(corner)));
        Ok(())
    }

    /// Returns the primitives of a mesh with their materials, made once for all meshes that look the same.
    fn looks(
        &self,
        mesh: &document::Mesh,
        shape: &Shape,
        warnings: &mut Vec<Warning>,
    ) -> Result<Arc<[Primitive]>, Problem> {
        let key = |primitive: &document::Primitive| LooksKey {
            attributes: primitive.attributes.clone(),
            indices: primitive.indices,
            mode: primitive.mode,
            material: primitive.material,
        };
        let keys: Vec<LooksKey> = mesh.primitives.iter().map(key).collect();
        if let Some(known) = self.looks.borrow().get(&keys) {
            return Ok(known.clone());
        }
        let item = Item::named("mesh", shape.mesh, mesh.name.as_deref());
        let mut primitives = Vec::new();
        for &Run { primitive: number, first_triangle, triangles } in &shape.runs {
            let primitive = &mesh.primitives[number];
            if let Some(material) = primitive.material {
                get(&self.document.materials, "material", material)?;
            }
            primitives.push(Primitive {
                index: number as u32,
                part: 0,
                first_triangle,
                triangles,
                material: primitive.material.map(|material| material.0),
                has_texcoords: primitive.attributes.contains_key("TEXCOORD_0"),
                paint: self.paint(&item, number, primitive, warnings)?,
            });
        }
        let primitives: Arc<[Primitive]> = primitives.into();
        self.looks.borrow_mut().insert(keys, primitives.clone());
        Ok(primitives)
    }

    /// Returns the triangles of a primitive whose vertices have been read before, as vertex indices into its accessors.
    fn triangles(&self, item: &Item, number: usize, primitive: &document::Primitive) -> Result<Vec<[u32; 3]>, Problem> {
        let Some(&position) = primitive.attributes.get("POSITION") else { return Ok(Vec::new()) };
        let corners = self.corners(item, number, primitive, self.accessors.count(position)?)?;
        self.accessors.spend(item, corners.len())?;
        Ok(mode(item, number, primitive)?.triangles(&corners))
    }

    /// Returns the vertex of each corner, all of them below `count`.
    fn corners(
        &self,
        item: &Item,
        number: usize,
        primitive: &document::Primitive,
        count: usize,
    ) -> Result<Arc<[u32]>, Problem> {
        let Some(indices) = primitive.indices else {
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

    /// Reads the data of each corner that a cut-out material, or a picture, needs.
    fn paint(
        &self,
        item: &Item,
        number: usize,
        primitive: &document::Primitive,
        warnings: &mut Vec<Warning>,
    ) -> Result<Paint, Problem> {
        let mut paint = Paint::default();
        let material = primitive.material.map(|Whole(index)| (index, &self.materials.list[index]));
        let is_cut = material.is_some_and(|(_, material)| matches!(material.alpha, Alpha::Mask { .. }));
        let is_colored = self.materials.detail == Detail::Colors;
        let layout = material.and_then(|(index, _)| self.materials.layouts[index]);
        let has_colors = primitive.attributes.contains_key("COLOR_0") && (is_cut || is_colored);
        if layout.is_none() && !has_colors {
            return Ok(paint);
        }
        let triangles = self.triangles(item, number, primitive)?;
        if let Some(((index, material), layout)) = material.zip(layout) {
            match primitive.attributes.get(&format!("TEXCOORD_{}", layout.set)) {
                Some(&accessor) => {
                    let all = self.accessors.vectors::<2>(accessor)?;
                    let finite = |at: Vec2| if at.is_finite() { at } else { Vec2::ZERO };
                    let of = |corner: u32| {
                        all.get(corner as usize).map_or(Vec2::ZERO, |&at| finite(layout.apply(finite(at.into()))))
                    };
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
                let of = |corner: u32| finite_color(all.get(corner as usize).copied());
                paint.alphas = triangles.iter().map(|corners| corners.map(|corner| of(corner)[3])).collect();
                if is_colored {
                    let rgb = |corner| of(corner).first_chunk().copied().unwrap_or([1.0; 3]);
                    paint.colors = triangles.iter().map(|corners| corners.map(rgb)).collect();
                }
            }
            Some(3) if is_colored => {
                let all = self.accessors.vectors::<3>(color)?;
                let of = |corner: u32| finite_color(all.get(corner as usize).copied());
                paint.colors = triangles.iter().map(|corners| corners.map(of)).collect();
            }
            _ => {}
        }
        Ok(paint)
    }
}

/// Returns the colour of a vertex: white if it has no finite colour.
fn finite_color<const N: usize>(color: Option<[f32; N]>) -> [f32; N] {
    color.filter(|color| color.iter().all(|part| part.is_finite())).unwrap_or([1.0; N])
}

/// Returns `None`, and adds a warning, for data that is not in the file.
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

/// Returns the mode in which a primitive's corners make triangles.
fn mode(item: &Item, number: usize, primitive: &document::Primitive) -> Result<PrimitiveMode, Problem> {
    let unknown = || item.clone().invalid(format!("has the unknown mode {} in primitive {number}", primitive.mode.0));
    PrimitiveMode::of(primitive.mode).ok_or_else(unknown)
}
