//! The part of a scene that a ray hit, before a filter has decided whether the hit is accepted.

use super::self_hit::SurfaceAhead;
use crate::geom::hit::{RawHit, Side};
use crate::geom::ray::LocalRay;
use crate::query::collect::HitKey;
use crate::scene::Part;
use crate::shape::CustomFound;
use crate::tri::{FoundTriangle, TriangleSet};
use glam::Vec2;

/// The part of a scene that was hit, and how.
pub(in crate::query) type FoundPart<'a> = (&'a Part, PartHit<'a>);

/// A possible hit, before the filter has decided whether it is accepted. Details such as uv are computed only if they
/// are needed.
#[derive(Clone, Copy)]
pub(in crate::query) enum PartHit<'a> {
    Shape(RawHit),
    Triangle(&'a dyn TriangleSet, FoundTriangle),
    Custom(CustomFound),
    /// A surface that is ahead of the ray at its start.
    Ahead(&'a SurfaceAhead),
}

impl PartHit<'_> {
    pub(in crate::query) fn t(&self) -> f32 {
        match self {
            Self::Shape(raw) => raw.t,
            Self::Triangle(_, found) => found.verdict.t,
            Self::Custom(found) => found.t,
            Self::Ahead(_) => 0.0,
        }
    }

    pub(in crate::query) fn side(&self) -> Side {
        match self {
            Self::Shape(raw) => raw.side,
            Self::Triangle(_, found) => found.verdict.side,
            Self::Custom(found) => found.hit.side,
            Self::Ahead(ahead) => ahead.side,
        }
    }

    pub(in crate::query) fn primitive(&self) -> u32 {
        match self {
            Self::Shape(raw) => raw.crossing.into(),
            Self::Triangle(_, found) => found.triangle,
            Self::Custom(found) => found.rank,
            Self::Ahead(ahead) => ahead.primitive,
        }
    }

    pub(in crate::query) fn triangle(&self) -> Option<u32> {
        match self {
            Self::Triangle(_, found) => Some(found.triangle),
            Self::Ahead(ahead) => ahead.triangle,
            Self::Shape(_) | Self::Custom(_) => None,
        }
    }

    pub(super) fn feature(&self) -> Option<u32> {
        if let Self::Custom(found) = self { Some(found.hit.feature) } else { None }
    }

    /// Returns the coordinates of the hit on the surface, given the local ray.
    pub(super) fn uv(&self, ray: &LocalRay) -> Option<Vec2> {
        match self {
            Self::Shape(raw) => raw.uv.map(|uv| uv.as_vec2()),
            Self::Triangle(surface, found) => surface.raw_hit(ray, *found).uv.map(|uv| uv.as_vec2()),
            Self::Custom(found) => found.hit.uv,
            Self::Ahead(ahead) => ahead.uv.map(|uv| uv.as_vec2()),
        }
    }
}

/// Returns the key of a hit on a part.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
pub(in crate::query) fn key(part: &Part, part_hit: &PartHit<'_>) -> HitKey {
    HitKey::on(part, (part_hit.t(), ()), part_hit.primitive())
}
