//! Holes as bytes.

use super::{CutOut, MeshCutOuts};
use crate::error::ReadError;
use crate::mesh::Mesh;
use crate::mesh::data::alpha_mask::{AlphaMask, Wrap};
use crate::save::{Reader, Value, Writer, row, vec2, words};
use alloc::sync::Arc;
use alloc::vec::Vec;
use core::ops::Range;
use glam::Vec2;

/// The least size of a saved cut-out: four flags (for mask, triangles, corners and alphas) and two numbers, each of
/// four bytes.
const LEAST_BYTES: usize = 6 * 4;

impl MeshCutOuts {
    /// The size in bytes if there is no cut-out.
    pub(in crate::mesh) const LEAST_BYTES: usize = 8;

    pub(in crate::mesh) fn write(&self, to: &mut Writer) {
        let all = self.0.as_deref().unwrap_or_default();
        to.count(all.len());
        all.iter().for_each(|cut_out| cut_out.write(to));
    }
}

impl Mesh {
    /// Reads the cut-outs that follow.
    pub(in crate::mesh) fn with_saved_cut_outs(mut self, from: &mut Reader<'_>) -> Result<Self, ReadError> {
        let mut all: Vec<CutOut> = Vec::new();
        for index in 0..from.count(LEAST_BYTES)? {
            let fault = |fault| ReadError::Invalid { item: "cut-out", index, fault };
            let cut_out = CutOut::read(from)?;
            self.check_alone(&cut_out).map_err(|_| fault("does not fit its mesh"))?;
            let whole = 0..self.triangle_count() as u32;
            let range = |cut_out: &CutOut| cut_out.triangles.clone().unwrap_or(whole.clone());
            let follows = all.last().is_none_or(|last| range(last).end <= range(&cut_out).start);
            if !follows
                || cut_out.triangles.as_ref().is_some_and(Range::is_empty)
                || (index > 0 && range(&cut_out).is_empty())
            {
                return Err(fault("is not in the order of its triangles"));
            }
            all.push(cut_out);
        }
        if !all.is_empty() {
            self.attributes.cut_outs = MeshCutOuts(Some(all.into()));
        }
        Ok(self)
    }
}

impl CutOut {
    fn write(&self, to: &mut Writer) {
        let Self { mask, cutoff, factor, triangles, texcoords, alphas } = self;
        u32::from(mask.is_some()).write(to);
        if let Some(mask) = mask {
            mask.write(to);
        }
        cutoff.write(to);
        factor.write(to);
        u32::from(triangles.is_some()).write(to);
        if let Some(Range { start, end }) = triangles {
            [*start, *end].write(to);
        }
        to.optional_rows(texcoords.as_ref().map(|corners| corners.iter().map(row_of_corners)));
        to.optional_rows(
            alphas.as_ref().map(|alphas| alphas.iter().map(|alphas| row::<3, 12>(alphas.map(f32::to_bits)))),
        );
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, ReadError> {
        let mask = from.choice()?.then(|| AlphaMask::read(from)).transpose()?;
        let (cutoff, factor) = (f32::read(from)?, f32::read(from)?);
        let triangles = from.choice()?.then(|| <[u32; 2]>::read(from)).transpose()?;
        let texcoords = from.optional_rows()?.map(|rows| rows.iter().map(corners).collect());
        let alphas =
            from.optional_rows()?.map(|rows| rows.iter().map(|row| words::<3, 12>(row).map(f32::from_bits)).collect());
        Ok(Self { mask, cutoff, factor, triangles: triangles.map(|[start, end]| start..end), texcoords, alphas })
    }
}

fn row_of_corners([a, b, c]: &[Vec2; 3]) -> [u8; 24] {
    row([a.x, a.y, b.x, b.y, c.x, c.y].map(f32::to_bits))
}

fn corners(row: &[u8; 24]) -> [Vec2; 3] {
    let mut corners = [Vec2::ZERO; 3];
    for (corner, bytes) in corners.iter_mut().zip(row.as_chunks().0) {
        *corner = vec2(bytes);
    }
    corners
}

impl AlphaMask {
    fn write(&self, to: &mut Writer) {
        let (width, height) = self.size();
        [width, height].write(to);
        self.wraps().map(Wrap::number).write(to);
        to.bytes(self.texels());
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, ReadError> {
        let [width, height] = <[u32; 2]>::read(from)?;
        let [across, down] = <[u32; 2]>::read(from)?;
        let texels = (width as usize).checked_mul(height as usize).ok_or(ReadError::Short)?;
        let texels: Arc<[u8]> = Vec::from(from.bytes(texels)?).into();
        let invalid = |fault| ReadError::Invalid { item: "mask", index: 0, fault };
        let (across, down) = Wrap::from_number(across)
            .zip(Wrap::from_number(down))
            .ok_or(invalid("goes on beyond its edges in no known way"))?;
        Ok(Self::new(width, height, texels).map_err(|_| invalid("has no texels"))?.wrap(across, down))
    }
}

impl Wrap {
    fn number(self) -> u32 {
        match self {
            Self::Repeat => 1,
            Self::MirroredRepeat => 2,
            Self::ClampToEdge => 3,
        }
    }

    fn from_number(number: u32) -> Option<Self> {
        [Self::Repeat, Self::MirroredRepeat, Self::ClampToEdge].into_iter().find(|wrap| wrap.number() == number)
    }
}
