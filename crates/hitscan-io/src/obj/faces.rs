//! Checks that the indices of the corners of faces exist.

use super::statements::Document;
use crate::error::{Item, Problem, Warning};

/// Refuses a face with a vertex that does not exist. A texture coordinate or normal that does not exist, or is not
/// finite, is removed: no hit depends on it.
pub(super) fn check(document: &mut Document, warnings: &mut Vec<Warning>) -> Result<(), Problem> {
    if let Some((first, count)) = document.stunted {
        warnings.push(Warning::Faces { count, first: Item::new("line", first) });
    }
    let [mut texcoords, mut normals] = ["texture coordinate", "normal"].map(Missing::new);
    for face in 0..document.faces.len() {
        let (range, line) = (document.range(face), document.faces[face].line);
        let points = &document.points;
        for corner in &mut document.corners[range] {
            if corner.position as usize >= points.positions.len() {
                let (vertex, count) = (u64::from(corner.position) + 1, points.positions.len());
                let fault = format!("has a face with vertex {vertex}, and the file has {count} of them");
                return Err(Item::new("line", line).invalid(fault));
            }
            let texcoord = |index: u32| points.texcoords.get(index as usize).is_some_and(|value| value.is_finite());
            let normal = |index: u32| points.normals.get(index as usize).is_some_and(|value| value.is_finite());
            texcoords.take_unless(texcoord, &mut corner.texcoord, line);
            normals.take_unless(normal, &mut corner.normal, line);
        }
    }
    warnings.extend([texcoords, normals].into_iter().filter_map(Missing::warning));
    Ok(())
}

/// References that lead nowhere.
struct Missing {
    what: &'static str,
    count: usize,
    first: Option<usize>,
}

impl Missing {
    fn new(what: &'static str) -> Self {
        Self { what, count: 0, first: None }
    }

    fn take_unless(&mut self, is_there: impl Fn(u32) -> bool, reference: &mut Option<u32>, line: usize) {
        if reference.is_some_and(|index| !is_there(index)) {
            *reference = None;
            self.count += 1;
            self.first.get_or_insert(line);
        }
    }

    fn warning(self) -> Option<Warning> {
        let first = Item::new("line", self.first?);
        Some(Warning::Attributes { what: self.what, count: self.count, first })
    }
}
