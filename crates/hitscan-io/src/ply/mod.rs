//! PLY: one mesh of polygons or triangle strips, as text or binary of either byte order.
//!
//! The entity `mesh0` consists of all elements `face` and `tristrips`. Texture coordinates are read from the faces (the list `texcoord`), otherwise from the
//! vertices (`s` `t`, `u` `v` and the like). Colours are read from the vertices (`red` `green` `blue`); colours of faces are not read.
//!
//! This reader exists because `ply-rs-bw` 4.0.1 refuses one of the well-formed test files (it has a comment without the
//! word `comment`). It also makes a map for each record, even for a record without properties, and a file of 67 bytes
//! may state 30 million such records.

mod body;
mod header;
mod mesh;
mod scalar;
mod values;

use crate::error::{Problem, Warning};
use crate::format::Format;
use crate::model::Model;
use crate::texture::Detail;
use body::Body;
use header::{Encoding, Header};

pub(crate) use header::is_ply;

/// Reads a file's bytes.
pub(crate) fn read(bytes: &[u8], detail: Detail) -> Result<Model, Problem> {
    let header = Header::read(bytes).map_err(|fault| Problem::Unreadable { format: Format::Ply, fault })?;
    let mut warnings = Vec::new();
    let body = Body::read(&header, &bytes[header.end..], detail, &mut warnings)?;
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
    Ok(Model { entities: entity.into_iter().collect(), warnings, ..Model::default() })
}
