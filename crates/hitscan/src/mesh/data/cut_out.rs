//! Holes in triangles, by a texture.

mod save;

use crate::error::CutOutError;
use crate::mesh::{AlphaMask, Mesh};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use glam::Vec2;

/// Holes in a mesh's triangles: the places where the alpha is below a cutoff. A ray goes through a hole as if nothing were there.
///
/// The alpha is the value of the mask's nearest texel, multiplied by the factor and by the interpolated alpha of the
/// corners. A value that is not finite is opaque. Pass the cut-out to [`Mesh::with_cut_out`]; an [`AlphaMask`] alone
/// cuts the whole mesh at 0.5. Clones share everything.
///
/// ```
/// use hitscan::mesh::{AlphaMask, CutOut};
/// use hitscan::{Mesh, Ray};
///
/// let corners = [[0.0, 0.0, 0.0], [4.0, 0.0, 0.0], [4.0, 4.0, 0.0], [0.0, 4.0, 0.0]];
/// let stripes = AlphaMask::new(2, 1, [255, 0])?;
/// let fence = Mesh::new(&corners, &[0, 1, 2, 0, 2, 3])?
///     .with_texcoords(&[[0.0, 1.0], [2.0, 1.0], [2.0, 0.0], [0.0, 0.0]])?
///     .with_cut_out(CutOut::from(stripes).cutoff(0.25))?;
/// let blocked = [0.5, 1.5, 2.5, 3.5].map(|x| fence.is_blocked(&Ray::new([x, 1.0, 5.0], [0.0, 0.0, -1.0])));
/// assert_eq!(blocked, [true, false, true, false]);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct CutOut {
    mask: Option<AlphaMask>,
    cutoff: f32,
    factor: f32,
    triangles: Option<Range<u32>>,
    texcoords: Option<Arc<[[Vec2; 3]]>>,
    alphas: Option<Arc<[[f32; 3]]>>,
}

impl From<AlphaMask> for CutOut {
    fn from(mask: AlphaMask) -> Self {
        Self { mask: Some(mask), ..Self::without_mask() }
    }
}

impl CutOut {
    /// Makes a cut-out without a mask: the factor and the corners decide.
    pub fn without_mask() -> Self {
        Self { mask: None, cutoff: 0.5, factor: 1.0, triangles: None, texcoords: None, alphas: None }
    }

    /// Sets the alpha below which there is a hole; 0.5 unless changed. A NaN cuts nothing.
    #[must_use]
    pub fn cutoff(self, cutoff: f32) -> Self {
        Self { cutoff, ..self }
    }

    /// Sets a factor for all alphas, such as the alpha of a material; 1 unless changed.
    #[must_use]
    pub fn factor(self, factor: f32) -> Self {
        Self { factor, ..self }
    }

    /// Restricts the cut-out to these triangles; without this, it cuts all triangles of the mesh.
    #[must_use]
    pub fn triangles(self, triangles: Range<u32>) -> Self {
        Self { triangles: Some(triangles), ..self }
    }

    /// Sets the mask's texture coordinates at the corners of each of its triangles. Without this, the mesh's own
    /// texture coordinates at the vertices are used.
    #[must_use]
    pub fn texcoords(self, corners: impl Into<Arc<[[Vec2; 3]]>>) -> Self {
        Self { texcoords: Some(corners.into()), ..self }
    }

    /// Sets alphas at the corners of each of its triangles, for example from vertex colours.
    #[must_use]
    pub fn alphas(self, corners: impl Into<Arc<[[f32; 3]]>>) -> Self {
        Self { alphas: Some(corners.into()), ..self }
    }

    /// Returns the first of its triangles.
    fn first(&self) -> u32 {
        self.triangles.as_ref().map_or(0, |triangles| triangles.start)
    }

    fn has(&self, triangle: u32) -> bool {
        self.triangles.as_ref().is_none_or(|triangles| triangles.contains(&triangle))
    }

    fn is_hole(&self, mesh: &Mesh, triangle: u32, uv: Vec2) -> bool {
        let own = (triangle - self.first()) as usize;
        let texel = self.mask.as_ref().map_or(1.0, |mask| {
            let coordinates = match &self.texcoords {
                Some(corners) => corners.get(own).map(|corners| interpolate_both(*corners, uv)),
                None => mesh.texcoord_at(triangle, uv),
            };
            coordinates.map_or(1.0, |coordinates| mask.alpha(coordinates))
        });
        let alphas = self.alphas.as_ref().and_then(|alphas| alphas.get(own));
        texel * self.factor * alphas.map_or(1.0, |corners| interpolate(*corners, uv)) < self.cutoff
    }
}

fn interpolate_both(corners: [Vec2; 3], uv: Vec2) -> Vec2 {
    Vec2::new(interpolate(corners.map(|corner| corner.x), uv), interpolate(corners.map(|corner| corner.y), uv))
}

/// Returns (1-u-v) a + u b + v c, in f64 and rounded once.
fn interpolate([a, b, c]: [f32; 3], uv: Vec2) -> f32 {
    let [a, b, c, u, v] = [a, b, c, uv.x, uv.y].map(f64::from);
    ((1.0 - u - v) * a + u * b + v * c) as f32
}

/// The cut-outs of a mesh, in the order of their triangles. No triangle is in two cut-outs.
#[derive(Clone, Debug, Default)]
pub(in crate::mesh) struct MeshCutOuts(pub(in crate::mesh) Option<Arc<[CutOut]>>);

impl Mesh {
    /// Returns the same mesh with holes. Rays pass through the holes in every query to the mesh, or to a scene with it,
    /// unless the query uses [`CutOuts::Solid`](crate::CutOuts::Solid). The triangles and the tree stay shared. Call it
    /// several times for different triangles.
    ///
    /// The tree does not know about holes. A ray whose closest hit is in a hole tests every triangle along its path
    /// again.
    ///
    /// # Errors
    /// Returns an error for a mask without texture coordinates, for triangles that the mesh does not have, and for triangles that are cut already. The number
    /// of corners must match the triangles.
    pub fn with_cut_out(mut self, cut_out: impl Into<CutOut>) -> Result<Self, CutOutError> {
        let cut_out = cut_out.into();
        self.check(&cut_out)?;
        if cut_out.triangles.as_ref().is_some_and(Range::is_empty) {
            return Ok(self);
        }
        let mut all: Vec<CutOut> = self.attributes.cut_outs.0.as_deref().unwrap_or_default().to_vec();
        let place = all.partition_point(|other| other.first() < cut_out.first());
        all.insert(place, cut_out);
        self.attributes.cut_outs = MeshCutOuts(Some(all.into()));
        Ok(self)
    }

    /// Returns the cut-outs of the mesh, in the order of their triangles.
    pub fn cut_outs(&self) -> &[CutOut] {
        self.attributes.cut_outs.0.as_deref().unwrap_or_default()
    }

    /// Returns whether there is a hole at barycentrics `uv` of a triangle; `false` beyond the last one.
    pub fn is_hole(&self, triangle: u32, uv: Vec2) -> bool {
        if triangle as usize >= self.triangle_count() {
            return false;
        }
        let all = self.cut_outs();
        let after = all.partition_point(|cut_out| cut_out.first() <= triangle);
        let found = after.checked_sub(1).and_then(|place| all.get(place));
        found.is_some_and(|cut_out| cut_out.has(triangle) && cut_out.is_hole(self, triangle, uv))
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn has_cut_outs(&self) -> bool {
        self.attributes.cut_outs.0.is_some()
    }

    fn check(&self, cut_out: &CutOut) -> Result<(), CutOutError> {
        self.check_alone(cut_out)?;
        let count = self.triangle_count();
        let Range { start, end } = cut_out.triangles.clone().unwrap_or(0..count as u32);
        let overlaps = |other: &&CutOut| {
            let Range { start: first, end: last } = other.triangles.clone().unwrap_or(0..count as u32);
            first < end && start < last
        };
        if let Some(other) = self.cut_outs().iter().find(overlaps) {
            return Err(CutOutError::Twice { triangle: start.max(other.first()) });
        }
        Ok(())
    }

    /// Checks whether the mesh can have this cut-out if it has no other.
    fn check_alone(&self, cut_out: &CutOut) -> Result<(), CutOutError> {
        let count = self.triangle_count();
        let Range { start, end } = cut_out.triangles.clone().unwrap_or(0..count as u32);
        if start > end || end as usize > count {
            return Err(CutOutError::Triangles { start, end, count });
        }
        if cut_out.mask.is_some() && cut_out.texcoords.is_none() && self.attributes.texcoords.is_none() {
            return Err(CutOutError::NoTexcoords);
        }
        let triangles = (end - start) as usize;
        let texcoords = cut_out.texcoords.iter().map(|corners| ("texture coordinates", corners.len()));
        let alphas = cut_out.alphas.iter().map(|corners| ("alphas", corners.len()));
        match texcoords.chain(alphas).find(|&(_, given)| given != triangles) {
            Some((what, given)) => Err(CutOutError::Corners { what, given, triangles }),
            None => Ok(()),
        }
    }
}
