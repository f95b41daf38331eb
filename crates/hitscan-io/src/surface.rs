//! Faces with separately numbered positions, texture coordinates and normals, as in OBJ and PLY, joined into one mesh.

use crate::error::{Item, Problem};
use crate::material::{Paint, Primitive};
use crate::model::Entity;
use crate::polygon::{Cutter, TooIntricate};
use hitscan::Mesh;
use hitscan::error::MeshError;
use hitscan::glam::{DAffine2, DAffine3, DVec3, Vec2, Vec3};
use std::collections::HashMap;

/// The data that the corners of faces refer to.
#[derive(Default)]
pub(crate) struct Points {
    /// The positions. Their rounding to f32 is the f32 nearest to the written numbers.
    pub(crate) positions: Vec<DVec3>,
    pub(crate) texcoords: Vec<Vec2>,
    pub(crate) normals: Vec<Vec3>,
    /// The linear colours of the positions. They may be missing for the last positions, which are white then.
    pub(crate) colors: Vec<Vec3>,
}

impl Points {
    /// Returns the positions of corners; corners that do not exist are skipped.
    pub(crate) fn positions_of<'a>(
        &'a self,
        corners: impl Iterator<Item = Corner> + Clone + 'a,
    ) -> impl Iterator<Item = DVec3> + Clone + 'a {
        corners.filter_map(|corner| self.positions.get(corner.position as usize).copied())
    }

    fn color(&self, position: u32) -> [f32; 3] {
        self.colors.get(position as usize).copied().unwrap_or(Vec3::ONE).to_array()
    }
}

/// A corner of a face; all indices exist.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Corner {
    pub(crate) position: u32,
    pub(crate) texcoord: Option<u32>,
    pub(crate) normal: Option<u32>,
}

/// Why a face cannot be added.
pub(crate) enum Fault {
    /// The position is not finite.
    Position(u32),
    TooIntricate,
    /// There are no more numbers for vertices.
    TooMany,
}

impl Fault {
    /// Returns the fault of a face at this place.
    pub(crate) fn at(self, place: Item, points: &Points) -> Problem {
        match self {
            Self::Position(vertex) => {
                let position = points.positions[vertex as usize];
                place.invalid(format!("has the vertex {vertex} (counted from 0), {position}: it must be finite"))
            }
            Self::TooIntricate => place.invalid(
                "has a polygon whose many corners are too much work to be cut into triangles: export the model in triangles",
            ),
            Self::TooMany => place.invalid(format!("has corners with which there are more than {} vertices", u32::MAX)),
        }
    }
}

impl From<TooIntricate> for Fault {
    fn from(_: TooIntricate) -> Self {
        Self::TooIntricate
    }
}

/// The faces of one entity. It includes only vertices that the faces use.
pub(crate) struct Surface<'a> {
    points: &'a Points,
    /// The place that the positions of the mesh are relative to.
    origin: DVec3,
    known: HashMap<Corner, u32>,
    /// The vertices in the order of their first use.
    vertices: Vec<Corner>,
    indices: Vec<u32>,
    primitives: Vec<Primitive>,
    polygon: Vec<Vec3>,
}

impl<'a> Surface<'a> {
    /// Makes a surface whose positions are relative to this origin.
    pub(crate) fn new(points: &'a Points, origin: DVec3) -> Self {
        Self {
            points,
            origin,
            known: HashMap::new(),
            vertices: Vec::new(),
            indices: Vec::new(),
            primitives: Vec::new(),
            polygon: Vec::new(),
        }
    }

    /// Adds a face of at least three corners.
    pub(crate) fn add(&mut self, cutter: &mut Cutter, face: &[Corner], material: Option<usize>) -> Result<(), Fault> {
        self.polygon.clear();
        for corner in face {
            let position = self.local(*corner);
            if !position.is_finite() {
                return Err(Fault::Position(corner.position));
            }
            self.polygon.push(position);
        }
        self.begin(material, face.iter().all(|corner| corner.texcoord.is_some()));
        let first = self.indices.len();
        for triangle in cutter.cut(&self.polygon)? {
            for &corner in triangle {
                let vertex = weld(&mut self.known, &mut self.vertices, face[corner]);
                self.indices.push(vertex.ok_or(Fault::TooMany)?);
            }
        }
        if let Some(primitive) = self.primitives.last_mut() {
            primitive.triangles += ((self.indices.len() - first) / 3) as u32;
        }
        Ok(())
    }

    fn local(&self, corner: Corner) -> Vec3 {
        (self.points.positions[corner.position as usize] - self.origin).as_vec3()
    }

    /// Ensures that the last primitive has this material, so that a face can be added to it.
    fn begin(&mut self, material: Option<usize>, has_texcoords: bool) {
        if let Some(last) = self.primitives.last_mut().filter(|last| last.material == material) {
            last.has_texcoords &= has_texcoords;
            return;
        }
        let (index, first_triangle) = (self.primitives.len() as u32, (self.indices.len() / 3) as u32);
        let paint = Paint::default();
        self.primitives.push(Primitive {
            index,
            part: 0,
            first_triangle,
            triangles: 0,
            material,
            has_texcoords,
            paint,
        });
    }

    /// Makes the entity of these faces. `layouts` has the transform of the texture coordinates for each material with a
    /// texture.
    pub(crate) fn entity(mut self, name: String, layouts: &[Option<DAffine2>]) -> Result<Entity, MeshError> {
        self.paint(layouts);
        let positions: Vec<Vec3> = self.vertices.iter().map(|&corner| self.local(corner)).collect();
        let mut mesh = Mesh::new(&positions, &self.indices)?;
        if let Some(normals) = self.gather(|corner| Some(self.points.normals[corner.normal? as usize])) {
            mesh = mesh.with_normals(&normals)?;
        }
        if self.primitives.iter().any(|primitive| primitive.has_texcoords) {
            let texcoord = |corner: &Corner| corner.texcoord.map_or(Vec2::ZERO, |i| self.points.texcoords[i as usize]);
            mesh = mesh.with_texcoords(&self.vertices.iter().map(texcoord).collect::<Vec<_>>())?;
        }
        Ok(Entity {
            name,
            node: None,
            geometry: mesh.into(),
            transform: DAffine3::from_translation(self.origin),
            primitives: self.primitives.into(),
        })
    }

    /// Gives the primitives the colours of the points, and their texture coordinates, transformed by the layout of the
    /// material.
    fn paint(&mut self, layouts: &[Option<DAffine2>]) {
        let triangles = self.indices.as_chunks::<3>().0;
        for primitive in &mut self.primitives {
            let own = &triangles[primitive.first_triangle as usize..][..primitive.triangles as usize];
            let corners = || own.iter().map(|corners| corners.map(|vertex| self.vertices[vertex as usize]));
            if !self.points.colors.is_empty() {
                let color = |corner: Corner| self.points.color(corner.position);
                primitive.paint.colors = corners().map(|corners| corners.map(color)).collect();
            }
            let layout = primitive.material.and_then(|material| *layouts.get(material)?);
            if let Some(layout) = layout.filter(|_| primitive.has_texcoords) {
                let texcoord = |corner: Corner| {
                    let texcoord = corner.texcoord.map_or(Vec2::ZERO, |i| self.points.texcoords[i as usize]);
                    layout.transform_point2(texcoord.as_dvec2()).as_vec2()
                };
                primitive.paint.coordinates = corners().map(|corners| corners.map(texcoord)).collect();
            }
        }
    }

    /// Gathers a property that each vertex has; `None` if a vertex lacks it.
    fn gather<T>(&self, of: impl Fn(&Corner) -> Option<T>) -> Option<Vec<T>> {
        self.vertices.iter().map(of).collect()
    }
}

/// Returns the number of the vertex of a corner.
fn weld(known: &mut HashMap<Corner, u32>, vertices: &mut Vec<Corner>, corner: Corner) -> Option<u32> {
    let new = u32::try_from(vertices.len()).ok()?;
    let vertex = *known.entry(corner).or_insert(new);
    if vertex == new {
        vertices.push(corner);
    }
    Some(vertex)
}

/// Returns the triangles of a strip: every other one is reversed, so that all face the same side.
pub(crate) fn strip<T: Copy>(corners: &[T]) -> impl Iterator<Item = [T; 3]> {
    let turned = |(i, c): (usize, &[T])| if i % 2 == 0 { [c[0], c[1], c[2]] } else { [c[0], c[2], c[1]] };
    corners.windows(3).enumerate().map(turned)
}
