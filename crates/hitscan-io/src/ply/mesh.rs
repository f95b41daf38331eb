//! Makes a mesh of the file's faces and triangle strips.

use super::body::{Body, Lists};
use crate::error::{Item, Problem, Warning};
use crate::model::Entity;
use crate::origin;
use crate::polygon::Cutter;
use crate::surface::{self, Corner, Points, Surface};
use hitscan::glam::{DVec3, Vec2};
use std::collections::HashMap;

/// The value that ends a strip, so that the next vertex begins another.
const END_OF_STRIP: i64 = -1;

/// Makes the entity; `None` without triangles. Its faces come before its strips.
pub(super) fn entity(body: Body, warnings: &mut Vec<Warning>) -> Result<Option<Entity>, Problem> {
    let Body { mut points, faces, face_texcoords, strips, .. } = body;
    let of_corners = corner_texcoords(&mut points, &faces, &face_texcoords);
    let corners = Corners { points: &points, texcoords: of_corners.as_deref() };
    let origin = origin::of_model(used(&points, &faces, &strips));
    let mut joined =
        Joined { surface: Surface::new(&points, origin), cutter: Cutter::new(), points: &points, is_empty: true };

    let mut stunted = Vec::new();
    let mut number = 0;
    for (index, vertices) in faces.iter().enumerate() {
        let place = || Item::new("face", index);
        let face = (number..).zip(vertices).map(|(number, &vertex)| corners.at(vertex, Some(number)));
        let face: Vec<Corner> = face.collect::<Result<_, _>>().map_err(|fault| place().invalid(fault))?;
        number += vertices.len();
        match face.len() {
            0..3 => stunted.push(index),
            _ => joined.add(&face, place)?,
        }
    }
    if let Some(&first) = stunted.first() {
        warnings.push(Warning::Faces { count: stunted.len(), first: Item::new("face", first) });
    }
    for (index, list) in strips.iter().enumerate() {
        let place = || Item::new("tristrip", index);
        for strip in list.split(|&vertex| vertex == END_OF_STRIP) {
            let strip = strip.iter().map(|&vertex| corners.at(vertex, None));
            let strip: Vec<Corner> = strip.collect::<Result<_, _>>().map_err(|fault| place().invalid(fault))?;
            surface::strip(&strip).try_for_each(|triangle| joined.add(&triangle, place))?;
        }
    }
    joined.entity()
}

/// Returns the positions that faces and strips use.
fn used<'a>(
    points: &'a Points,
    faces: &'a Lists<i64>,
    strips: &'a Lists<i64>,
) -> impl Iterator<Item = DVec3> + Clone + 'a {
    let vertices = faces.items().iter().chain(strips.items());
    vertices.filter_map(|&vertex| points.positions.get(usize::try_from(vertex).ok()?).copied())
}

/// The data in which faces and strips are collected.
struct Joined<'a> {
    surface: Surface<'a>,
    cutter: Cutter,
    points: &'a Points,
    is_empty: bool,
}

impl Joined<'_> {
    fn add(&mut self, face: &[Corner], place: impl FnOnce() -> Item) -> Result<(), Problem> {
        self.is_empty = false;
        self.surface.add(&mut self.cutter, face, None).map_err(|fault| fault.at(place(), self.points))
    }

    fn entity(self) -> Result<Option<Entity>, Problem> {
        if self.is_empty {
            return Ok(None);
        }
        let item = Item::new("mesh", 0);
        self.surface.entity("mesh0".into(), &[]).map(Some).map_err(|cause| Problem::Mesh { item, cause })
    }
}

/// Looks up the data of a corner.
struct Corners<'a> {
    points: &'a Points,
    /// The index of the texture coordinates of each corner, counted through all faces; `None` if the vertices have
    /// texture coordinates.
    texcoords: Option<&'a [Option<u32>]>,
}

impl Corners<'_> {
    /// Returns a vertex as a corner of a face, with the number of the corner among the corners of all faces; or without
    /// a number, as a corner of a strip.
    fn at(&self, vertex: i64, number: Option<usize>) -> Result<Corner, String> {
        let count = self.points.positions.len();
        let position = u32::try_from(vertex).ok().filter(|&position| (position as usize) < count);
        let position = position.ok_or_else(|| format!("has the vertex {vertex}, and there are {count}, from 0 on"))?;
        let own = |is_there: Option<bool>| is_there.unwrap_or(false).then_some(position);
        let texcoord = match self.texcoords {
            Some(texcoords) => number.and_then(|number| *texcoords.get(number)?),
            None => own(self.points.texcoords.get(position as usize).map(|value| value.is_finite())),
        };
        let normal = own(self.points.normals.get(position as usize).map(|value| value.is_finite()));
        Ok(Corner { position, texcoord, normal })
    }
}

/// If faces have texture coordinates, adds them to the points, and returns the index of the texture coordinates of each
/// corner. A face has none if its list does not have two numbers for each of its corners. A corner has none if its two
/// numbers are not finite.
fn corner_texcoords(points: &mut Points, faces: &Lists<i64>, lists: &Lists<f32>) -> Option<Vec<Option<u32>>> {
    if lists.iter().all(<[f32]>::is_empty) {
        return None;
    }
    points.texcoords.clear();
    let mut known: HashMap<[u32; 2], u32> = HashMap::new();
    let mut of_corners = Vec::new();
    for (face, list) in faces.iter().zip(lists.iter()) {
        let pairs = list.as_chunks::<2>().0;
        let fits = list.len() == 2 * face.len();
        of_corners.extend((0..face.len()).map(|corner| {
            let pair = pairs.get(corner).filter(|pair| fits && pair.iter().all(|value| value.is_finite()))?;
            let new = u32::try_from(points.texcoords.len()).ok()?;
            let index = *known.entry(pair.map(f32::to_bits)).or_insert(new);
            if index == new {
                points.texcoords.push(Vec2::from_array(*pair));
            }
            Some(index)
        }));
    }
    Some(of_corners)
}
