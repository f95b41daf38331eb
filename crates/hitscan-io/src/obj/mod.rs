//! Wavefront OBJ: polygons with names and materials.
//!
//! Entities are the file's objects (`o`) if it has any, otherwise its groups (`g`). Faces before the first object or
//! group, or in an object or group without a name, are an entity `object<N>`. A name that is repeated continues its
//! entity, whose triangles are in the order of the file. Points, lines and curved surfaces are ignored. Materials are
//! solid: their `d` and `map_d` say how much is seen through them, not where they have holes.
//!
//! This reader exists because `tobj` 4.0.5 does not distinguish `o` from `g`, takes lines for faces, and refuses
//! continued lines. It also refuses 4 of the test files that can be read: one with names that are not UTF-8, one in
//! UTF-16, one with colours at some vertices, and one with an odd number at a vertex that no face uses. `obj` 0.10.2
//! refuses 4 as well.

mod faces;
mod library;
mod lines;
mod names;
mod pictures;
mod statements;

use crate::error::{Item, Problem, Warning};
use crate::file::Folder;
use crate::material::{Alpha, Material};
use crate::model::{Entity, Model};
use crate::origin;
use crate::polygon::Cutter;
use crate::surface::{Corner, Surface};
use crate::text;
use crate::texture::Detail;
use hitscan::glam::DAffine2;
use library::Libraries;
use statements::{Document, Face};

/// Reads a file's bytes; its material libraries are in `folder`.
pub(crate) fn read(bytes: &[u8], folder: &Folder<'_>, detail: Detail) -> Result<Model, Problem> {
    let mut document = statements::read(&text::decode(bytes), detail)?;
    let mut warnings = Vec::new();
    faces::check(&mut document, &mut warnings)?;
    let materials = materials(&document, folder, detail, &mut warnings);
    let entities = entities(&document, &materials)?;
    if entities.is_empty() {
        match document.points.positions.len() {
            0 => warnings.push(Warning::Nothing),
            vertices => return Err(Problem::NoFaces { vertices }),
        }
    }
    Ok(Model { entities, materials: materials.list, warnings, ..Model::default() })
}

struct Materials {
    list: Vec<Material>,
    /// The layout of the texture of each of the first materials, if it was read.
    layouts: Vec<Option<DAffine2>>,
    /// The material of each name that the document uses.
    of_names: Vec<usize>,
}

/// Returns the materials of the libraries, followed by the materials that the document uses without a definition, which only have a name.
fn materials(document: &Document, folder: &Folder<'_>, detail: Detail, warnings: &mut Vec<Warning>) -> Materials {
    let mut libraries = Libraries::load(&document.libraries, folder);
    let is_complete = libraries.faults.is_empty();
    warnings.extend(std::mem::take(&mut libraries.faults).into_iter().map(Warning::Library));
    let layouts = match detail {
        Detail::Hits => Vec::new(),
        Detail::Colors => pictures::read(&mut libraries, folder, warnings),
    };

    let mut list = libraries.materials;
    let defined = list.len();
    let of_names = document.materials.iter().map(|name| {
        libraries.known.get(name).copied().unwrap_or_else(|| {
            let name = Some(name.to_owned());
            list.push(Material { name, base_color: [1.0; 4], alpha: Alpha::Opaque, texture: None });
            list.len() - 1
        })
    });
    let of_names = of_names.collect();
    if let Some(first) = list.get(defined).filter(|_| is_complete) {
        let first = first.name.clone().unwrap_or_default();
        warnings.push(Warning::Undefined { count: list.len() - defined, first });
    }
    Materials { list, layouts, of_names }
}

fn entities(document: &Document, materials: &Materials) -> Result<Vec<Entity>, Problem> {
    let has_objects = document.objects.iter().next().is_some();
    let names = if has_objects { &document.objects } else { &document.groups };
    let owner = |face: &Face| if has_objects { face.object } else { face.group };
    let mut order: Vec<usize> = (0..document.faces.len()).collect();
    // The sort is stable: each entity's faces stay in the order of the file.
    order.sort_by_key(|&face| owner(&document.faces[face]));

    let points = &document.points;
    let origin = origin::of_model(points.positions_of(document.corners.iter().copied()));
    let mut cutter = Cutter::new();
    let mut entities: Vec<Entity> = Vec::new();
    for faces in order.chunk_by(|&a, &b| owner(&document.faces[a]) == owner(&document.faces[b])) {
        let corners = faces.iter().flat_map(|&face| &document.corners[document.range(face)]).copied();
        let origin = origin::of_entity(points.positions_of(corners), origin);
        let mut surface = Surface::new(points, origin);
        for &index in faces {
            let face = &document.faces[index];
            let material = face.material.map(|name| materials.of_names[name as usize]);
            let corners: &[Corner] = &document.corners[document.range(index)];
            surface.add(&mut cutter, corners, material).map_err(|fault| document.fault(fault, face))?;
        }
        let name = owner(&document.faces[faces[0]]).and_then(|name| names.get(name));
        let name = name.map_or_else(|| format!("object{}", entities.len()), str::to_owned);
        let item = Item::named("object", entities.len(), Some(&name));
        entities.push(surface.entity(name, &materials.layouts).map_err(|cause| Problem::Mesh { item, cause })?);
    }
    Ok(entities)
}
