//! Materials and their pictures.

use super::buffers::Buffers;
use super::document::{self, Document, TextureInfo, TextureTransform, Whole, get};
use crate::error::{Item, Warning, shortened};
use crate::material::{Alpha, Material};
use crate::texture::Detail;
use crate::texture::{Decoder, MAX_FILE, Texture};
use hitscan::glam::{DAffine2, DVec2, Vec2};
use hitscan::mesh::Wrap;
use std::collections::HashMap;
use std::sync::Arc;

/// The file's materials; for each, the layout of its texture if that was read.
pub(super) struct Materials {
    pub(super) detail: Detail,
    pub(super) list: Vec<Material>,
    pub(super) layouts: Vec<Option<Layout>>,
}

/// The texture coordinates of a primitive that a picture uses, and their transform.
#[derive(Clone, Copy)]
pub(super) struct Layout {
    pub(super) set: usize,
    transform: Option<DAffine2>,
}

impl Layout {
    fn new(info: &TextureInfo) -> Self {
        let transform = info.extensions.transform.as_ref();
        let set = transform.and_then(|transform| transform.tex_coord).unwrap_or(info.tex_coord);
        Self { set: set.0, transform: transform.map(matrix) }
    }

    /// Returns the place in the picture of a vertex with these texture coordinates.
    pub(super) fn apply(&self, coordinates: Vec2) -> Vec2 {
        self.transform.map_or(coordinates, |m| m.transform_point2(coordinates.as_dvec2()).as_vec2())
    }
}

/// Applies scale, then rotation, then offset. The rotation appears counter-clockwise, in coordinates whose v goes down;
/// the matrix in the extension's text has the other sense (KhronosGroup/glTF issue 1563).
fn matrix(transform: &TextureTransform) -> DAffine2 {
    let (sin, cos) = libm::sincos(transform.rotation);
    let [x, y] = transform.scale;
    DAffine2::from_cols(DVec2::new(cos, -sin) * x, DVec2::new(sin, cos) * y, DVec2::from_array(transform.offset))
}

/// Reads all materials, and the pictures that the detail requires; always the pictures of cut-outs. A material whose picture
/// cannot be read has no holes and no texture, and there is a warning.
pub(super) fn load<'a>(
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    detail: Detail,
    warnings: &mut Vec<Warning>,
) -> Materials {
    let mut materials = Materials { detail, list: Vec::new(), layouts: Vec::new() };
    let mut pictures = Pictures { document, buffers, decoded: HashMap::new(), decoder: Decoder::new(detail) };
    for (index, source) in document.materials.iter().enumerate() {
        let pbr = &source.pbr_metallic_roughness;
        let mut material = Material {
            name: source.name.clone(),
            base_color: pbr.base_color_factor.unwrap_or([1.0; 4]),
            alpha: alpha(source),
            texture: None,
        };
        let is_wanted = detail == Detail::Colors || matches!(material.alpha, Alpha::Mask { .. });
        let info = pbr.base_color_texture.as_ref().filter(|_| is_wanted);
        let mut layout = None;
        if let Some(info) = info {
            match pictures.texture(info.index) {
                Ok(texture) => (material.texture, layout) = (Some(texture), Some(Layout::new(info))),
                Err(fault) => {
                    warnings.push(unpainted(index, &material, fault));
                    if matches!(material.alpha, Alpha::Mask { .. }) {
                        material.alpha = Alpha::Opaque;
                    }
                }
            }
        }
        materials.list.push(material);
        materials.layouts.push(layout);
    }
    materials
}

/// Returns the warning for a material whose picture cannot be read or laid on.
pub(super) fn unpainted(index: usize, material: &Material, fault: String) -> Warning {
    let item = Item::named("material", index, material.name.as_deref());
    match material.alpha {
        Alpha::Mask { .. } => Warning::Texture { material: item, fault },
        _ => Warning::Untextured { material: item, fault },
    }
}

fn alpha(material: &document::Material) -> Alpha {
    match material.alpha_mode.as_deref() {
        Some("MASK") => Alpha::Mask { cutoff: material.alpha_cutoff.unwrap_or(0.5) },
        Some("BLEND") => Alpha::Blend,
        _ => Alpha::Opaque,
    }
}

/// Decodes each texture once.
struct Pictures<'a> {
    document: &'a Document,
    buffers: &'a Buffers<'a>,
    decoded: HashMap<usize, Result<Arc<Texture>, String>>,
    decoder: Decoder,
}

impl Pictures<'_> {
    fn texture(&mut self, index: Whole) -> Result<Arc<Texture>, String> {
        if let Some(known) = self.decoded.get(&index.0) {
            return known.clone();
        }
        // Many materials may report the same picture.
        let texture = self.decode(index).map(Arc::new).map_err(|fault| shortened(&fault));
        self.decoded.insert(index.0, texture.clone());
        texture
    }

    fn decode(&mut self, index: Whole) -> Result<Texture, String> {
        let texture = get(&self.document.textures, "texture", index).map_err(|problem| problem.to_string())?;
        let source = texture.source.ok_or_else(|| match texture.extensions.keys().next() {
            Some(extension) => {
                format!("texture {} has its picture in {extension}, and only PNG and JPEG are read", index.0)
            }
            None => format!("texture {} has no picture", index.0),
        })?;
        let image = get(&self.document.images, "image", source).map_err(|problem| problem.to_string())?;
        let fault = |fault: String| format!("{} {fault}", Item::named("image", source.0, image_name(image)));
        let owned;
        let bytes = match (&image.uri, image.buffer_view) {
            (Some(uri), _) => {
                owned = self.buffers.resource(uri, MAX_FILE).map_err(|what| fault(format!("at {what}")))?;
                &owned[..]
            }
            (None, Some(view)) => self.buffers.view(view).map_err(|problem| fault(format!("in {problem}")))?.1,
            (None, None) => return Err(fault("has neither a URI nor a buffer view".into())),
        };
        let wrap = self.wrap(texture);
        self.decoder.decode(bytes, wrap).map_err(|what| fault(format!("cannot be read: {what}")))
    }

    fn wrap(&self, texture: &document::Texture) -> [Wrap; 2] {
        let sampler = texture.sampler.and_then(|sampler| self.document.samplers.get(sampler.0));
        let axes = sampler.map_or([None, None], |sampler| [sampler.wrap_s, sampler.wrap_t]);
        axes.map(|code| match code {
            Some(Whole(33071)) => Wrap::ClampToEdge,
            Some(Whole(33648)) => Wrap::MirroredRepeat,
            _ => Wrap::Repeat,
        })
    }
}

/// Returns a name by which a user can find the picture; a data URI is no such name.
fn image_name(image: &document::Image) -> Option<&str> {
    let uri = image.uri.as_deref().filter(|uri| !uri.get(..5).is_some_and(|s| s.eq_ignore_ascii_case("data:")));
    image.name.as_deref().or(uri)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_texture_transform_scales_rotates_and_moves() {
        let quarter_turn = std::f64::consts::FRAC_PI_2;
        let transform =
            TextureTransform { offset: [0.5, 0.25], rotation: quarter_turn, scale: [2.0, 3.0], tex_coord: None };
        let layout = Layout { set: 0, transform: Some(matrix(&transform)) };
        // (1, 0) is scaled to (2, 0), turned upwards, which is towards -v, to (0, -2), and moved.
        assert!(layout.apply(Vec2::X).distance(Vec2::new(0.5, -1.75)) < 1e-6);
        assert!(layout.apply(Vec2::Y).distance(Vec2::new(3.5, 0.25)) < 1e-6);
    }
}
