//! STL as text: `solid`, facets of three vertices, `endsolid` or `end solid`. Keywords may be in upper or lower case, and
//! lines may end as in any text.

use super::solid::Solid;
use crate::error::{Item, Problem};
use crate::text::{self, Lines};
use hitscan::glam::DVec3;

const KEYWORD: &[u8] = b"solid";
/// The length in bytes of a binary file's header, number of triangles and first triangle.
const BINARY_START: usize = 134;

/// Returns whether this is text that begins with `solid`. Binary files may begin with it too. They have a zero byte
/// soon after, at the latest as the highest byte of the number of triangles, and text has no zero byte.
pub(super) fn is_ascii(text: &[u8]) -> bool {
    let start = text::trim_start(text);
    start.get(..KEYWORD.len()).is_some_and(|word| word.eq_ignore_ascii_case(KEYWORD))
        && !text[..text.len().min(BINARY_START)].contains(&0)
}

/// Reads all solids.
pub(super) fn read(text: &[u8]) -> Result<Vec<Solid>, Problem> {
    let mut reader = Reader { lines: Lines::new(text), line: 0, rest: b"", solids: Vec::new() };
    let mut place = Place::Outside;
    while let Some(word) = reader.word() {
        let keyword = reader.keyword(word);
        place = reader.step(place, &keyword, word)?;
    }
    // The end of the last solid may be missing.
    match place {
        Place::Outside => Ok(reader.solids),
        Place::Facet | Place::Loop(_) => Err(reader.at_line("is the last one, and ends within a facet".into())),
    }
}

/// The reader's position among the statements.
enum Place {
    Outside,
    Facet,
    /// The reader is in a loop, with this many vertices so far.
    Loop(usize),
}

struct Reader<'a> {
    lines: Lines<'a>,
    line: usize,
    rest: &'a [u8],
    solids: Vec<Solid>,
}

impl<'a> Reader<'a> {
    fn step(&mut self, place: Place, keyword: &[u8], word: &[u8]) -> Result<Place, Problem> {
        match (place, keyword) {
            (Place::Outside, b"solid") => {
                let name = text::name(self.rest_of_line());
                self.solids.push(Solid { name, corners: Vec::new() });
                Ok(Place::Outside)
            }
            (Place::Outside, b"endsolid") => {
                self.rest_of_line();
                Ok(Place::Outside)
            }
            (Place::Outside, b"facet") => Ok(Place::Facet),
            // The normal is skipped, and may be anything.
            (Place::Facet, keyword) => Ok(if keyword == b"loop" { Place::Loop(0) } else { Place::Facet }),
            (Place::Loop(count @ 0..3), b"vertex") => {
                let vertex = self.vertex()?;
                self.corners().push(vertex);
                Ok(Place::Loop(count + 1))
            }
            (Place::Loop(3), b"endloop") => Ok(Place::Loop(3)),
            (Place::Loop(3), b"endfacet") => Ok(Place::Outside),
            (place, _) => {
                let expected = match place {
                    Place::Outside => "`facet`, `endsolid` or `solid`",
                    Place::Loop(0..3) => "`vertex`",
                    Place::Facet | Place::Loop(_) => "`endloop` or `endfacet` after three vertices",
                };
                Err(self.at_line(format!("has {} where {expected} is expected", text::shown(word))))
            }
        }
    }

    fn vertex(&mut self) -> Result<DVec3, Problem> {
        let mut numbers = [0.0; 3];
        for number in &mut numbers {
            let word = self.word().unwrap_or_default();
            *number = text::real(word)
                .ok_or_else(|| self.at_line(format!("has {} where a vertex has a number", text::shown(word))))?;
        }
        Ok(numbers.into())
    }

    /// Returns the corners of the last solid.
    fn corners(&mut self) -> &mut Vec<DVec3> {
        if self.solids.is_empty() {
            self.solids.push(Solid { name: String::new(), corners: Vec::new() });
        }
        let last = self.solids.len() - 1;
        &mut self.solids[last].corners
    }

    /// Returns a keyword in lower case. Some programs write `endsolid` as two words: `end solid`.
    fn keyword(&mut self, word: &[u8]) -> Vec<u8> {
        let mut keyword = word.to_ascii_lowercase();
        if keyword == b"end"
            && let Some((what, rest)) = text::split_word(self.rest)
        {
            keyword.extend(what.to_ascii_lowercase());
            self.rest = rest;
        }
        keyword
    }

    fn word(&mut self) -> Option<&'a [u8]> {
        loop {
            if let Some((word, rest)) = text::split_word(self.rest) {
                self.rest = rest;
                return Some(word);
            }
            (self.line, self.rest) = self.lines.next()?;
        }
    }

    fn rest_of_line(&mut self) -> &'a [u8] {
        std::mem::take(&mut self.rest)
    }

    fn at_line(&self, fault: String) -> Problem {
        Item::new("line", self.line).invalid(fault)
    }
}
