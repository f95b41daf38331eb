//! STL: triangles, as text or binary.
//!
//! There is an entity for each solid with triangles, with its name, or `solid<N>`, where N counts all solids. Names may
//! repeat: solids of the same name are separate entities, which their order distinguishes. A binary file is one solid;
//! its header is not a name. The order of the corners decides which side is the front; the normals in the file are not
//! read.
//!
//! This reader exists because `stl_io` 0.11.0 ends at the first solid, reads no names, and refuses a tab after `solid`.

mod ascii;
mod binary;
mod solid;

use crate::error::{Item, Problem, Warning, shortened};
use crate::format::Format;
use crate::material::{Paint, Primitive};
use crate::model::{Entity, Model};
use crate::origin;
use crate::text;
use hitscan::Mesh;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use solid::Solid;

/// Returns whether the bytes are an STL: a binary file that is as long as it states, or text that begins with `solid`.
pub(crate) fn is_stl(bytes: &[u8]) -> bool {
    binary::is_exact(bytes) || ascii::is_ascii(&text::decode(bytes))
}

/// Reads a file's bytes.
pub(crate) fn read(bytes: &[u8]) -> Result<Model, Problem> {
    let mut warnings = Vec::new();
    let text = text::decode(bytes);
    let solids = if !binary::is_exact(bytes) && ascii::is_ascii(&text) {
        ascii::read(&text)?
    } else {
        let (solid, trailing) =
            binary::read(bytes).map_err(|fault| comment(&text).unwrap_or(fault)).map_err(unreadable)?;
        warnings.extend((trailing > 0).then_some(Warning::Trailing { bytes: trailing }));
        vec![solid]
    };
    let origin = origin::of_model(solids.iter().flat_map(|solid| &solid.corners).copied());
    let with_triangles = solids.into_iter().enumerate().filter(|(_, solid)| !solid.corners.is_empty());
    let entities = with_triangles.map(|(index, solid)| entity(index, solid, origin)).collect::<Result<Vec<_>, _>>()?;
    if entities.is_empty() {
        warnings.push(Warning::Nothing);
    }
    Ok(Model { entities, warnings, ..Model::default() })
}

fn unreadable(fault: String) -> Problem {
    Problem::Unreadable { format: Format::Stl, fault }
}

/// Returns the fault of text that would be an STL without the lines before `solid`.
fn comment(bytes: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(bytes).ok()?;
    let lines =
        text.lines().take_while(|line| line.trim_start().starts_with(['#', ';', '/']) || line.trim().is_empty());
    let count = lines.count();
    let first = text.lines().next()?;
    let solid = text.lines().nth(count).filter(|_| count > 0)?;
    ascii::is_ascii(solid.as_bytes()).then(|| {
        let first = shortened(first);
        format!("its text begins with {first:?}, and STL has no comments: remove what is before `solid`")
    })
}

/// Makes the entity of a solid, in a model whose positions are relative to this origin.
fn entity(index: usize, solid: Solid, model: DVec3) -> Result<Entity, Problem> {
    let origin = origin::of_entity(solid.corners.iter().copied(), model);
    let corners: Vec<Vec3> = solid.corners.iter().map(|&corner| (corner - origin).as_vec3()).collect();
    let mesh = Mesh::from_soup(&corners).map_err(|cause| {
        let item = Item::named("solid", index, Some(&solid.name));
        Problem::Mesh { item, cause }
    })?;
    let primitive = Primitive {
        index: 0,
        part: 0,
        first_triangle: 0,
        triangles: mesh.triangle_count() as u32,
        material: None,
        has_texcoords: false,
        paint: Paint::default(),
    };
    Ok(Entity {
        name: if solid.name.is_empty() { format!("solid{index}") } else { solid.name },
        node: None,
        geometry: mesh.into(),
        transform: DAffine3::from_translation(origin),
        primitives: [primitive].into(),
    })
}
