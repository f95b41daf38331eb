//! Positions from which other positions are measured.

use glam::DVec3;

/// A position in the world, as an offset from an origin.
///
/// The sum of origin and offset may have more digits than f64 can represent. Vectors that are measured from the
/// position are nevertheless accurate: far from the world's origin, an offset from a nearby origin is as accurate as
/// it would be near the world's origin.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Anchor {
    pub(crate) origin: DVec3,
    pub(crate) offset: DVec3,
}

impl Anchor {
    pub(crate) const ZERO: Self = Self { origin: DVec3::ZERO, offset: DVec3::ZERO };

    /// Returns the place in the world, rounded.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn world(self) -> DVec3 {
        self.origin + self.offset
    }

    /// Returns a point of the world relative to the place.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn vector_to(self, point: DVec3) -> DVec3 {
        (point - self.origin) - self.offset
    }

    /// Returns the position that differs from this one by a vector.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(crate) fn beside(self, vector: DVec3) -> Self {
        Self { offset: self.offset + vector, ..self }
    }
}

impl From<DVec3> for Anchor {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn from(place: DVec3) -> Self {
        Self { origin: DVec3::ZERO, offset: place }
    }
}
