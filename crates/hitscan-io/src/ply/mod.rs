//! PLY: one mesh of polygons or triangle strips, as text or binary of either byte order.
//!
//! The entity is `mesh0`. Texture coordinates are those of the faces (the list `texcoord`), else of the vertices (`s` `t`, `u`
//! `v` and the like). Colours are not read.
//!
//! The reader is our own because `ply-rs-bw` 4.0.1 refuses one of the well-formed test files (a comment without the
//! word `comment`), takes the wrong numbers from another (a line break before binary data), and reads each value into a map,
//! which takes memory, and goes through an element without properties as often as the header says.

mod body;
mod header;
mod mesh;
mod scalar;
mod values;

use crate::error::{Problem, Warning};
use crate::format::Format;
use crate::model::Model;
use crate::text;
use body::Body;
use header::{Encoding, Header};

/// Whether the bytes begin with the word `ply` in a line of its own.
pub(crate) fn is_ply(bytes: &[u8]) -> bool {
    text::Lines::new(bytes).next().is_some_and(|(_, line)| line.trim_ascii_end() == b"ply")
}

/// Reads a file's bytes.
pub(crate) fn read(bytes: &[u8]) -> Result<Model, Problem> {
    let header = Header::read(bytes).map_err(|fault| Problem::Unreadable { format: Format::Ply, fault })?;
    let body = body(&header, bytes)?;
    let mut warnings = Vec::new();
    if body.unread > 0 && header.encoding != Encoding::Text {
        warnings.push(Warning::Trailing { bytes: body.unread });
    }
    let vertices = body.points.positions.len();
    let entity = mesh::entity(body, &mut warnings)?;
    if entity.is_none() {
        if vertices > 0 {
            return Err(Problem::NoFaces { vertices });
        }
        warnings.push(Warning::Nothing);
    }
    Ok(Model { entities: entity.into_iter().collect(), cameras: Vec::new(), materials: Vec::new(), warnings })
}

/// What follows the header. Some programs write a line break more before binary data: it is passed over if what follows it
/// fits the file exactly, and the data with it does not.
fn body(header: &Header, bytes: &[u8]) -> Result<Body, Problem> {
    let rest = &bytes[header.end..];
    let body = Body::read(header, rest);
    let fits = |body: &Result<Body, Problem>| body.as_ref().is_ok_and(|body| body.unread == 0);
    let line_break = text::line_break(rest);
    if header.encoding != Encoding::Text && line_break > 0 && !fits(&body) {
        let after = Body::read(header, &rest[line_break..]);
        if fits(&after) {
            return after;
        }
    }
    body
}
