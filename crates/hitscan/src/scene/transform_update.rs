//! Moves of entities, checked before any is made.

use super::geometry::{Geometry, PartGeometry};
use super::slot_map::{Numbered, OpenSlab, SlotMap};
use super::{Part, PartNumbers, Record, Revision, TREE_SLACK};
use crate::bvh::DynamicBvh;
use crate::error::TransformError;
use crate::geom::aabb::{Aabb, Extent};
use crate::geom::affine::{AffineX4, Inverse};
use crate::geom::transform::{Placement, Transform};
use crate::simd::{Simd, dispatch};
use alloc::vec::Vec;
use glam::DAffine3;

/// An entity before it was moved.
pub(super) struct EntityBefore {
    pub(super) transform: DAffine3,
    pub(super) revision: Revision,
}

/// A checked move of an entity.
pub(super) struct CheckedMove {
    pub(super) place: u32,
    parts: MovedParts,
}

/// The moved parts of an entity. Most entities have one part, which needs no Vec.
// If the one part were boxed, each move would need an allocation.
#[allow(clippy::large_enum_variant)]
enum MovedParts {
    /// The part has the transform of the entity.
    One(MovedPart),
    /// The entity has this transform, and the parts are placed relative to it.
    Several(DAffine3, Vec<MovedPart>),
}

pub(super) struct MovedPart {
    pub(super) number: u32,
    pub(super) placement: Placement,
    pub(super) room: TouchableExtent,
}

/// A move that is requested.
pub(super) struct RequestedMove<'a> {
    pub(super) place: u32,
    pub(super) transform: &'a Transform,
    pub(super) geometry: &'a Geometry,
    pub(super) numbers: &'a PartNumbers,
}

/// The parts of a scene, without the type of its keys. So this code is compiled in this crate, and not in each crate that uses a scene.
pub(super) trait SceneParts: Numbered<Part> {
    /// Prepares each requested move, and writes it to the place in `moves` with the same index. The bits of a prepared move do not depend on whether moves are
    /// prepared together.
    fn moves(&self, asked: &[RequestedMove<'_>], moves: &mut [Result<CheckedMove, TransformError>]);
}

impl SceneParts for SlotMap<Part> {
    fn moves(&self, asked: &[RequestedMove<'_>], moves: &mut [Result<CheckedMove, TransformError>]) {
        dispatch!(simd => CheckedMove::several(simd, asked, |number| self.get(number), moves));
    }
}

impl SceneParts for OpenSlab<'_, Part> {
    fn moves(&self, asked: &[RequestedMove<'_>], moves: &mut [Result<CheckedMove, TransformError>]) {
        dispatch!(simd => CheckedMove::several(simd, asked, |number| self.get(number), moves));
    }
}

impl CheckedMove {
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn new<'a>(
        asked: &RequestedMove<'_>,
        part: impl Fn(u32) -> Option<&'a Part>,
    ) -> Result<Self, TransformError> {
        let world = Placement::new(*asked.transform)?;
        let moved = |number: u32, placement: Placement| {
            let room =
                part(number).map_or(TouchableExtent::Nothing, |part| TouchableExtent::new(&part.geometry, &placement));
            MovedPart { number, placement, room }
        };
        let parts = match asked.numbers {
            PartNumbers::One([only]) => MovedParts::One(moved(*only, world)),
            PartNumbers::Several(assembly) => {
                let placements = assembly.numbers.iter().zip(asked.geometry.placements(&world)?);
                let parts = placements.map(|(&number, placement)| moved(number, placement)).collect();
                MovedParts::Several(world.to_world, parts)
            }
        };
        Ok(Self { place: asked.place, parts })
    }

    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn several<'a, S: Simd>(
        simd: S,
        asked: &[RequestedMove<'_>],
        part: impl Fn(u32) -> Option<&'a Part>,
        moves: &mut [Result<Self, TransformError>],
    ) {
        for (asked, moves) in asked.chunks(AffineX4::<S>::COUNT).zip(moves.chunks_mut(AffineX4::<S>::COUNT)) {
            // Without vectors, four moves at once are no faster than one after the other, and take minutes to compile.
            if S::HAS_VECTORS && four(simd, asked, &part, moves).is_some() {
                continue;
            }
            for (asked, slot) in asked.iter().zip(moves) {
                *slot = Self::one(asked, &part);
            }
        }
    }

    /// Does the same as [`new`](Self::new), compiled once for all instruction sets.
    #[inline(never)]
    fn one<'a>(asked: &RequestedMove<'_>, part: impl Fn(u32) -> Option<&'a Part>) -> Result<Self, TransformError> {
        Self::new(asked, part)
    }

    /// Makes the move, but does not change the tree. Returns the state of the entity before the move.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn make<K>(
        &self,
        record: &mut Record<K>,
        parts: &mut impl Numbered<Part>,
        revision: Revision,
    ) -> Option<EntityBefore> {
        let mut place = |part: &MovedPart| Some(parts.get_mut(part.number)?.place(&part.placement));
        let transform = match (&self.parts, &mut record.parts) {
            (MovedParts::Several(transform, parts), PartNumbers::Several(assembly)) => {
                parts.iter().for_each(|part| _ = place(part));
                core::mem::replace(&mut assembly.to_world, *transform)
            }
            (MovedParts::One(part), _) => place(part)?,
            (MovedParts::Several(..), PartNumbers::One(_)) => return None,
        };
        Some(EntityBefore { transform, revision: core::mem::replace(&mut record.revision, revision) })
    }

    pub(super) fn parts(&self) -> &[MovedPart] {
        match &self.parts {
            MovedParts::One(part) => core::slice::from_ref(part),
            MovedParts::Several(_, parts) => parts,
        }
    }
}

/// Prepares four moves in the lanes of a vector. Returns `None` unless there are four moves, each of one part with finite bounds. Every transform must be close
/// to a rotation and a scale of ordinary size.
#[cfg_attr(target_family = "wasm", inline)]
#[cfg_attr(not(target_family = "wasm"), inline(always))]
fn four<'a, S: Simd>(
    simd: S,
    asked: &[RequestedMove<'_>],
    part: &impl Fn(u32) -> Option<&'a Part>,
    moves: &mut [Result<CheckedMove, TransformError>],
) -> Option<()> {
    let [a, b, c, d] = asked else { return None };
    let transforms = [a.transform.affine()?, b.transform.affine()?, c.transform.affine()?, d.transform.affine()?];
    let geometry = |asked: &RequestedMove<'_>| {
        let PartNumbers::One([only]) = asked.numbers else { return None };
        Some(&part(*only)?.geometry)
    };
    let [a, b, c, d] = [geometry(a)?, geometry(b)?, geometry(c)?, geometry(d)?];
    let bounds = [a.bounds(), b.bounds(), c.bounds(), d.bounds()];
    if !bounds.iter().all(Aabb::is_finite) {
        return None;
    }
    let placed = AffineX4::new(simd, transforms)?;
    let closer = [a.closer(), b.closer(), c.closer(), d.closer()];
    let images = placed.images(simd, bounds.each_ref(), closer.iter().any(Option::is_some));
    for (lane, (asked, slot)) in asked.iter().zip(moves).enumerate() {
        let &[number] = &**asked.numbers else { return None };
        let Inverse { transform: to_local, slack } = placed.inverse(lane);
        let placement = Placement { to_world: *transforms[lane], to_local, slack };
        let room = TouchableExtent::within(images.extent(lane, transforms[lane], closer[lane]), slack);
        let moved = MovedPart { number, placement, room };
        *slot = Ok(CheckedMove { place: asked.place, parts: MovedParts::One(moved) });
    }
    Some(())
}

/// The region of the world in which rays and volumes may touch a part.
pub(super) enum TouchableExtent {
    Nothing,
    Box(Extent),
    Everywhere,
}

impl TouchableExtent {
    /// Returns the region in which rays and volumes may touch a part, given the part's placement.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    pub(super) fn new(geometry: &PartGeometry, Placement { to_world, slack, .. }: &Placement) -> Self {
        let bounds = geometry.bounds();
        let extent = geometry.image(&bounds, to_world, *slack);
        if bounds.is_empty() { Self::Nothing } else { Self::within(extent, *slack) }
    }

    /// Returns the region in which rays and volumes may touch a part, given the part's box and the slack of its
    /// placement.
    #[cfg_attr(target_family = "wasm", inline)]
    #[cfg_attr(not(target_family = "wasm"), inline(always))]
    fn within(extent: Extent, slack: f64) -> Self {
        if DynamicBvh::takes(&extent) && slack <= TREE_SLACK { Self::Box(extent) } else { Self::Everywhere }
    }
}
