//! Materials: the properties that decide where a ray passes through, and the colours for a simple picture.

use crate::texture::Texture;
use hitscan::glam::Vec2;
use hitscan::mesh::{AlphaMask, CutOut};
use serde::{Deserialize, Serialize};
use std::sync::Arc;

/// A material, which primitives refer to.
#[derive(Clone, Debug, PartialEq)]
pub struct Material {
    /// The name in the file; `None` if it has none.
    pub name: Option<String>,
    /// The base colour's factor: linear red, green, blue, and alpha. For an OBJ these are the values of `Kd` and `d`.
    pub base_color: [f32; 4],
    /// The meaning of its alpha.
    pub alpha: Alpha,
    /// The base-colour texture. Without [`Detail::Colors`](crate::Detail::Colors) it has only alpha, and exists only
    /// for [`Alpha::Mask`]. `None` means white and opaque.
    pub texture: Option<Arc<Texture>>,
}

/// The meaning of a material's alpha.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub enum Alpha {
    /// The alpha has no meaning: the surface is solid.
    #[default]
    Opaque,
    /// There is a hole where the alpha is below the cutoff; elsewhere the surface is solid.
    Mask {
        /// The cutoff; 0.5 unless the file says otherwise.
        cutoff: f32,
    },
    /// The alpha says how much of the background is seen; to a ray the surface is solid.
    Blend,
}

/// A run of triangles with one material.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Primitive {
    /// Index of the primitive in its glTF mesh, counting primitives without triangles too. In other formats, it is the index of the run of one material.
    pub index: u32,
    /// Index of the part of the entity's geometry: 0 except for compounds.
    pub part: u32,
    /// The first of its triangles, counted through the part.
    pub first_triangle: u32,
    /// The number of its triangles; 0 if the part is a shape.
    pub triangles: u32,
    /// Index into [`Model::materials`](crate::Model::materials).
    pub material: Option<usize>,
    /// True if the file has TEXCOORD_0 for the primitive, or texture coordinates at all its corners. Otherwise the
    /// texture coordinates of the mesh are (0, 0) here and mean nothing. Texture coordinates are as in the file: v goes
    /// down in a glTF, and by convention up in an OBJ or PLY.
    pub has_texcoords: bool,
    /// The data that is needed to find the holes of a material with [`Alpha::Mask`], and the colours of any material.
    pub(crate) paint: Paint,
}

impl Material {
    /// Returns the alpha of its texture, if that cuts holes.
    pub(crate) fn mask(&self) -> Option<AlphaMask> {
        match self.alpha {
            Alpha::Mask { .. } => self.texture.as_ref().and_then(|texture| texture.mask()),
            Alpha::Opaque | Alpha::Blend => None,
        }
    }
}

impl Primitive {
    /// Returns the cut-out that a material with this mask makes in its triangles.
    pub(crate) fn cut_out(&self, material: &Material, mask: Option<&AlphaMask>) -> Option<CutOut> {
        let Alpha::Mask { cutoff } = material.alpha else { return None };
        let Paint { coordinates, alphas, .. } = &self.paint;
        let cut_out = match mask.filter(|_| !coordinates.is_empty()) {
            Some(mask) => CutOut::from(mask.clone()).texcoords(coordinates.clone()),
            None => CutOut::without_mask(),
        };
        let cut_out = if alphas.is_empty() { cut_out } else { cut_out.alphas(alphas.clone()) };
        let triangles = self.first_triangle..self.first_triangle.saturating_add(self.triangles);
        Some(cut_out.cutoff(cutoff).factor(material.base_color[3]).triangles(triangles))
    }

    /// Returns the triangle's number, counted from the primitive's first triangle; `None` for a triangle before it.
    pub(crate) fn own_triangle(&self, triangle: u32) -> Option<u32> {
        triangle.checked_sub(self.first_triangle)
    }
}

/// The data of corners that the alpha of cut-outs and the colours need, for the three corners of each triangle.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Paint {
    /// The texture coordinates, already transformed by the texture's transform; empty if there is no texture.
    pub(crate) coordinates: Arc<[[Vec2; 3]]>,
    /// The vertex colours' alpha; empty if there is none.
    pub(crate) alphas: Arc<[[f32; 3]]>,
    /// The vertex colours' linear red, green and blue; empty if there are none.
    pub(crate) colors: Vec<[[f32; 3]; 3]>,
}

impl Paint {
    /// Returns the product of factor, texel and vertex colour at barycentrics (u, v) of the primitive's own triangle `triangle`.
    pub(crate) fn color(&self, material: Option<&Material>, triangle: usize, barycentrics: Vec2) -> Option<[f32; 4]> {
        let vertex = self.colors.get(triangle).map(|corners| {
            let [red, green, blue] = [0, 1, 2].map(|k| interpolate(corners.map(|corner| corner[k]), barycentrics));
            [red, green, blue, self.alpha(triangle, barycentrics)]
        });
        let coordinates = self.coordinates(triangle, barycentrics);
        let texture = material.and_then(|material| material.texture.as_ref());
        let texel = texture.zip(coordinates).and_then(|(texture, at)| texture.color(at));
        let known = [material.map(|material| material.base_color), texel, vertex];
        known.into_iter().flatten().reduce(|a, b| std::array::from_fn(|channel| a[channel] * b[channel]))
    }

    fn coordinates(&self, triangle: usize, barycentrics: Vec2) -> Option<Vec2> {
        let corners = self.coordinates.get(triangle)?;
        Some([0, 1].map(|axis| interpolate(corners.map(|corner| corner[axis]), barycentrics)).into())
    }

    fn alpha(&self, triangle: usize, barycentrics: Vec2) -> f32 {
        self.alphas.get(triangle).map_or(1.0, |corners| interpolate(*corners, barycentrics))
    }
}

/// Returns (1-u-v) a + u b + v c, in f64 and rounded once.
fn interpolate([a, b, c]: [f32; 3], barycentrics: Vec2) -> f32 {
    let [a, b, c, u, v] = [a, b, c, barycentrics.x, barycentrics.y].map(f64::from);
    ((1.0 - u - v) * a + u * b + v * c) as f32
}
