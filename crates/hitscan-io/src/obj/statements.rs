//! The statements of a file, one on each line.

use super::lines::WholeLines;
use super::names::Names;
use crate::color::linear;
use crate::error::{Item, Problem};
use crate::format::Format;
use crate::surface::{Corner, Fault, Points};
use crate::text;
use crate::texture::Detail;
use hitscan::glam::{DVec3, Vec2, Vec3};
use std::ops::Range;

/// The contents of a file.
#[derive(Default)]
pub(super) struct Document {
    /// The points, with NaN for numbers that are missing or cannot be read: that matters only if a face uses them.
    pub(super) points: Points,
    /// Positions that are not finite, and their lines.
    pub(super) unusable: Vec<(u32, usize)>,
    /// The corners of all faces, one after the other. It is not checked here whether their indices exist.
    pub(super) corners: Vec<Corner>,
    pub(super) faces: Vec<Face>,
    pub(super) objects: Names,
    pub(super) groups: Names,
    pub(super) materials: Names,
    /// Whole `mtllib` statements.
    pub(super) libraries: Vec<String>,
    /// Lines of `f` statements with fewer than three corners: the first, and how many.
    pub(super) stunted: Option<(usize, usize)>,
}

/// A polygon.
pub(super) struct Face {
    pub(super) line: usize,
    /// The index after its last corner in [`Document::corners`].
    end: usize,
    pub(super) object: Option<u32>,
    pub(super) group: Option<u32>,
    pub(super) material: Option<u32>,
}

impl Document {
    /// Returns the range of a face's corners.
    pub(super) fn range(&self, face: usize) -> Range<usize> {
        let start = face.checked_sub(1).map_or(0, |before| self.faces[before].end);
        start..self.faces[face].end
    }

    /// Returns the problem with a face that cannot be used.
    pub(super) fn fault(&self, fault: Fault, face: &Face) -> Problem {
        let line = match fault {
            Fault::Position(vertex) => self.unusable.iter().find(|(unusable, _)| *unusable == vertex),
            _ => None,
        };
        match line {
            Some(&(_, line)) => {
                let fault = format!("is no vertex of three finite numbers, and the face of line {} has it", face.line);
                Item::new("line", line).invalid(fault)
            }
            None => fault.at(Item::new("line", face.line), &self.points),
        }
    }
}

/// The state after the statements so far.
#[derive(Default)]
struct State {
    object: Option<u32>,
    group: Option<u32>,
    material: Option<u32>,
}

/// Reads all statements.
pub(super) fn read(text: &[u8], detail: Detail) -> Result<Document, Problem> {
    let mut document = Document::default();
    let mut state = State::default();
    let mut unknown = None;
    for (line, statement) in WholeLines::new(text) {
        let Some((keyword, rest)) = text::split_word(&statement).filter(|(word, _)| !word.starts_with(b"#")) else {
            continue;
        };
        match keyword {
            b"v" => {
                document.position(line, rest)?;
                if detail == Detail::Colors {
                    document.color(rest);
                }
            }
            b"vt" => {
                let [u, v] = numbers(rest, [f32::NAN, 0.0]);
                document.points.texcoords.push(Vec2::new(u, v));
            }
            b"vn" => document.points.normals.push(numbers(rest, [f32::NAN; 3]).into()),
            b"f" | b"fo" => document.face(line, rest, &state)?,
            b"o" => state.object = named(&mut document.objects, rest),
            b"g" => state.group = named(&mut document.groups, rest),
            b"usemtl" => state.material = named(&mut document.materials, rest),
            b"mtllib" => document.libraries.push(text::name(rest)),
            _ => unknown = unknown.or_else(|| Some((line, text::shown(keyword)))),
        }
    }
    match unknown {
        // Other statements are skipped, but a file that contains nothing else is of another format.
        Some((line, word)) if document.points.positions.is_empty() && document.faces.is_empty() => {
            let fault = format!("it has no vertices, and line {line} begins with {word}");
            Err(Problem::Unreadable { format: Format::Obj, fault })
        }
        _ => Ok(document),
    }
}

impl Document {
    /// Reads x, y, z, and an optional weight, which is ignored, or a colour.
    fn position(&mut self, line: usize, rest: &[u8]) -> Result<(), Problem> {
        let position = position(rest);
        if !position.as_vec3().is_finite() {
            let index = u32::try_from(self.points.positions.len());
            let index = index.map_err(|_| Item::new("line", line).invalid("is one vertex too many"))?;
            self.unusable.push((index, line));
        }
        self.points.positions.push(position);
        Ok(())
    }

    /// Reads red, green and blue after x, y and z, as scanners write them. Positions before the first with a colour are white.
    fn color(&mut self, rest: &[u8]) {
        let [_, _, _, red, green, blue] = numbers(rest, [f32::NAN; 6]);
        let color = Vec3::new(red, green, blue);
        if color.is_finite() && values(rest).count() == 6 {
            self.points.colors.resize(self.points.positions.len().saturating_sub(1), Vec3::ONE);
            self.points.colors.push(color.map(linear));
        }
    }

    fn face(&mut self, line: usize, rest: &[u8], state: &State) -> Result<(), Problem> {
        let start = self.corners.len();
        for word in values(rest) {
            let corner = self.corner(word).map_err(|fault| Item::new("line", line).invalid(fault))?;
            self.corners.push(corner);
        }
        if self.corners.len() - start < 3 {
            self.corners.truncate(start);
            let (first, count) = self.stunted.unwrap_or((line, 0));
            self.stunted = Some((first, count + 1));
            return Ok(());
        }
        let State { object, group, material } = *state;
        self.faces.push(Face { line, end: self.corners.len(), object, group, material });
        Ok(())
    }

    /// Reads `v`, `v/vt`, `v//vn` or `v/vt/vn`; empty parts do not exist.
    fn corner(&self, word: &[u8]) -> Result<Corner, String> {
        let mut parts = word.split(|&byte| byte == b'/');
        let mut index = |what: &str, count: usize| match parts.next() {
            None | Some(b"") => Ok(None),
            Some(part) => index(part, count).map(Some).ok_or_else(|| {
                format!(
                    "has the corner {}, whose {what} is no index: 1 is the first, -1 the last so far",
                    text::shown(word)
                )
            }),
        };
        let position = index("vertex", self.points.positions.len())?;
        let texcoord = index("texture coordinate", self.points.texcoords.len())?;
        let normal = index("normal", self.points.normals.len())?;
        let position = position.ok_or_else(|| format!("has the corner {} without a vertex", text::shown(word)))?;
        Ok(Corner { position, texcoord, normal })
    }
}

/// Converts an index that counts from 1, or backwards from -1, to an index that counts from 0. A positive index may
/// refer to a later statement.
fn index(word: &[u8], count: usize) -> Option<u32> {
    let given: i64 = text::number(word)?;
    let index = if given > 0 { given - 1 } else { i64::try_from(count).ok()?.checked_add(given)? };
    // An index of 0 became `count`, and is not valid.
    u32::try_from(index).ok().filter(|_| given != 0)
}

/// Returns the number of the name that follows; `None` if there is none.
fn named(names: &mut Names, rest: &[u8]) -> Option<u32> {
    let name = text::name(rest);
    (!name.is_empty()).then(|| names.number(name))
}

/// Returns the words up to a comment.
fn values(rest: &[u8]) -> impl Iterator<Item = &[u8]> {
    text::words(rest).take_while(|word| !word.starts_with(b"#"))
}

/// Returns the first three numbers, in f64; NaN for words that are not numbers or are missing.
fn position(rest: &[u8]) -> DVec3 {
    let mut words = values(rest);
    DVec3::from([0; 3].map(|_| words.next().and_then(text::real).unwrap_or(f64::NAN)))
}

/// Returns the first numbers; NaN for words that are not numbers, and `missing` for missing words.
fn numbers<const N: usize>(rest: &[u8], missing: [f32; N]) -> [f32; N] {
    let mut numbers = missing;
    for (number, word) in numbers.iter_mut().zip(values(rest)) {
        *number = text::number(word).unwrap_or(f32::NAN);
    }
    numbers
}
