//! The records of the elements.

use super::header::{Element, Header, Property};
use super::values::Values;
use crate::color::linear;
use crate::error::{Item, Problem, Warning};
use crate::surface::Points;
use crate::texture::Detail;
use hitscan::glam::{DVec3, Vec2, Vec3};

/// The data of a mesh in the records of the elements.
#[derive(Default)]
pub(super) struct Body {
    /// The vertices. Texture coordinates, normals and colours exist for each vertex, or for none.
    pub(super) points: Points,
    /// The vertices of each face.
    pub(super) faces: Lists<i64>,
    /// The u and v of the corners of each face; empty lists for faces without them.
    pub(super) face_texcoords: Lists<f32>,
    /// The vertices of strips, each ended by -1.
    pub(super) strips: Lists<i64>,
    /// The number of bytes that are left after the last record.
    pub(super) unread: usize,
}

/// Lists of different lengths, one after the other.
pub(super) struct Lists<T> {
    items: Vec<T>,
    ends: Vec<usize>,
}

impl<T> Default for Lists<T> {
    fn default() -> Self {
        Self { items: Vec::new(), ends: Vec::new() }
    }
}

impl<T> Lists<T> {
    /// Returns the items of all lists.
    pub(super) fn items(&self) -> &[T] {
        &self.items
    }

    pub(super) fn iter(&self) -> impl Iterator<Item = &[T]> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, &end)| &self.items[start..end])
    }

    /// Adds an empty list.
    fn skip(&mut self) {
        self.ends.push(self.items.len());
    }

    /// Adds a list. Its items are allocated as they are read, because the file may end before the stated length.
    fn read(&mut self, length: usize, mut next: impl FnMut() -> Result<T, Problem>) -> Result<(), Problem> {
        for _ in 0..length {
            self.items.push(next()?);
        }
        self.ends.push(self.items.len());
        Ok(())
    }
}

/// The purpose for which a property is read.
#[derive(Clone, Copy)]
enum Role {
    Position(usize),
    Normal(usize),
    Texcoord(usize),
    Color(usize),
    FaceVertices,
    FaceTexcoords,
    StripVertices,
    Nothing,
}

/// The names of lists of vertices.
const VERTICES: [&str; 2] = ["vertex_indices", "vertex_index"];
/// The names of a vertex's texture coordinates.
const TEXCOORDS: [[&str; 2]; 4] = [["s", "t"], ["u", "v"], ["texture_u", "texture_v"], ["texture_s", "texture_t"]];
/// The names of a vertex's colour.
const COLORS: [[&str; 3]; 3] =
    [["red", "green", "blue"], ["r", "g", "b"], ["diffuse_red", "diffuse_green", "diffuse_blue"]];

impl Body {
    /// Reads all elements. No more is allocated than the bytes can fill, whatever the header states.
    ///
    /// All elements with the names of faces and strips are read. They index the vertices of the first element with vertices.
    pub(super) fn read(
        header: &Header,
        bytes: &[u8],
        detail: Detail,
        warnings: &mut Vec<Warning>,
    ) -> Result<Self, Problem> {
        let mut body = Self::default();
        let mut values = Values::new(header, bytes);
        for (index, element) in header.elements.iter().enumerate() {
            let is_passed_over = element.name == "vertex" && element.count > 0 && !body.points.positions.is_empty();
            let roles = if is_passed_over {
                let (element, count) = (Item::named("element", index, Some(&element.name)), element.count);
                warnings.push(Warning::Element { element, count });
                vec![Role::Nothing; header.elements[index].properties.len()]
            } else {
                roles(index, element, detail)?
            };
            check_room(index, element, &values)?;
            // An element without properties has no records to read.
            let count = if element.properties.is_empty() { 0 } else { element.count };
            for _ in 0..count {
                body.record(element, &roles, &mut values)?;
            }
        }
        body.unread = values.bytes_left();
        Ok(body)
    }

    fn record(&mut self, element: &Element, roles: &[Role], values: &mut Values<'_>) -> Result<(), Problem> {
        let (mut position, mut normal, mut texcoord, mut color) = (DVec3::NAN, Vec3::ZERO, Vec2::ZERO, Vec3::ONE);
        values.next_record()?;
        for (property, &role) in element.properties.iter().zip(roles) {
            let length = match property.length {
                Some(length) => values.length(length)?,
                None => 1,
            };
            match role {
                Role::Position(axis) => position[axis] = values.real_f64(property.value)?,
                Role::Normal(axis) => normal[axis] = values.real(property.value)?,
                Role::Texcoord(axis) => texcoord[axis] = values.real(property.value)?,
                Role::Color(channel) => {
                    color[channel] = linear(values.real(property.value)? / property.value.whole());
                }
                Role::FaceVertices => self.faces.read(length, || values.whole(property.value))?,
                Role::StripVertices => self.strips.read(length, || values.whole(property.value))?,
                Role::FaceTexcoords => self.face_texcoords.read(length, || values.real(property.value))?,
                Role::Nothing => values.skip(property.value, length)?,
            }
        }
        let has = |wanted: fn(&Role) -> bool| roles.iter().any(wanted);
        if has(|role| matches!(role, Role::FaceVertices)) && !has(|role| matches!(role, Role::FaceTexcoords)) {
            self.face_texcoords.skip();
        }
        if has(|role| matches!(role, Role::Position(_))) {
            self.points.positions.push(position);
        }
        if has(|role| matches!(role, Role::Normal(_))) {
            self.points.normals.push(normal);
        }
        if has(|role| matches!(role, Role::Texcoord(_))) {
            self.points.texcoords.push(texcoord);
        }
        if has(|role| matches!(role, Role::Color(_))) {
            self.points.colors.push(color);
        }
        Ok(())
    }
}

/// Refuses an element with more records than there are bytes for.
fn check_room(index: usize, element: &Element, values: &Values<'_>) -> Result<(), Problem> {
    let least = |property: &Property| match values {
        // A digit and the separator after it take two bytes.
        Values::Text(_) => 2,
        Values::Binary { .. } => property.length.unwrap_or(property.value).size() as u64,
    };
    let record: u64 = element.properties.iter().map(least).sum();
    // The last value of a text need not be followed by a separator.
    let room = values.bytes_left() as u64 + 1;
    if element.count.saturating_mul(record) <= room {
        return Ok(());
    }
    let fault = format!("states {} records of {record} bytes or more, and {} bytes are left", element.count, room - 1);
    Err(Item::named("element", index, Some(&element.name)).invalid(fault))
}

/// Returns the purpose for which each property of an element is read.
fn roles(index: usize, element: &Element, detail: Detail) -> Result<Vec<Role>, Problem> {
    let mut roles = vec![Role::Nothing; element.properties.len()];
    let mut assign = |names: &[&str], is_list: bool, role: fn(usize) -> Role| {
        let place = |name: &&str| {
            element.properties.iter().position(|own| own.name == *name && own.length.is_some() == is_list)
        };
        let places: Option<Vec<usize>> = names.iter().map(place).collect();
        let is_there = places.is_some();
        places.into_iter().flatten().enumerate().for_each(|(axis, place)| roles[place] = role(axis));
        is_there
    };
    let lacks = |what: &str| Err(Item::named("element", index, Some(&element.name)).invalid(format!("has no {what}")));
    match element.name.as_str() {
        "vertex" if element.count > 0 => {
            if !assign(&["x", "y", "z"], false, Role::Position) {
                return lacks("properties x, y and z");
            }
            assign(&["nx", "ny", "nz"], false, Role::Normal);
            TEXCOORDS.iter().any(|names| assign(names, false, Role::Texcoord));
            if detail == Detail::Colors {
                COLORS.iter().any(|names| assign(names, false, Role::Color));
            }
        }
        name @ ("face" | "tristrips") if element.count > 0 => {
            let role: fn(usize) -> Role = if name == "face" { |_| Role::FaceVertices } else { |_| Role::StripVertices };
            if !VERTICES.iter().any(|name| assign(&[name], true, role)) {
                return lacks("list vertex_indices");
            }
            if name == "face" {
                assign(&["texcoord"], true, |_| Role::FaceTexcoords);
            }
        }
        _ => {}
    }
    Ok(roles)
}
