//! The things that a volume touches or overlaps in a pose.

use super::proximity_parts::{form_of, is_in_front, near_parts};
use crate::collections::sort::SharedSort;
use crate::convex::{Anchor, Body, ConvexFaces, PlacedBody, Pose, Volume};
use crate::geom::hit::Side;
use crate::hull::ConvexHull;
use crate::proximity::{ConvexPart, PlacedShape, Touching, each_touching};
use crate::query::View;
use crate::scene::Part;
use alloc::vec::Vec;
use core::cell::OnceCell;
use core::hash::Hash;
use core::ops::ControlFlow;

/// A thing that a volume touches or overlaps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[non_exhaustive]
pub struct Overlap<K> {
    /// The entity.
    pub id: K,
    /// Index of the part in a compound; 0 for other entities.
    pub part: u32,
    /// The triangle of a mesh or height field; `None` on other geometry.
    pub triangle: Option<u32>,
}

impl<K: Clone + Eq + Hash> View<'_, K> {
    pub(in crate::query) fn any_overlap(&self, volume: &Volume, at: &Pose) -> bool {
        VolumeQuery::new(self, volume, at)
            .is_some_and(|standing| standing.show_contacts(&mut |_, _| ControlFlow::Break(())).is_break())
    }

    pub(in crate::query) fn overlapping_entities(&self, volume: &Volume, at: &Pose, entities: &mut Vec<K>) {
        entities.clear();
        let Some(standing) = VolumeQuery::new(self, volume, at) else { return };
        let mut found: Vec<(u64, &K)> = Vec::new();
        let _ = standing.show_near_parts(&mut |part| {
            if standing.show_contacts_of_part(part, &mut |_, _| ControlFlow::Break(())).is_break()
                && let Some(owner) = self.scene.owner(part)
            {
                found.push((part.order, owner.key));
            }
            ControlFlow::Continue(())
        });
        found.sort_shared_by_key(|&(order, _)| order);
        found.dedup_by_key(|&mut (order, _)| order);
        entities.extend(found.into_iter().map(|(_, key)| key.clone()));
    }

    pub(in crate::query) fn every_overlap(&self, volume: &Volume, at: &Pose, overlaps: &mut Vec<Overlap<K>>) {
        overlaps.clear();
        let Some(standing) = VolumeQuery::new(self, volume, at) else { return };
        let mut found: Vec<(TouchedPart, &K)> = Vec::new();
        let _ = standing.show_contacts(&mut |part, touching| {
            found.extend(self.scene.owner(part).map(|owner| (TouchedPart::new(part, &touching), owner.key)));
            ControlFlow::Continue(())
        });
        overlaps.extend(in_order(found).map(|(TouchedPart { part, triangle, .. }, id)| Overlap {
            id: id.clone(),
            part,
            triangle,
        }));
    }
}

/// A part that a volume touches, in the order of answers. A triangle may occur more than once, because it may be in
/// several leaves of its mesh's tree.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::query) struct TouchedPart {
    order: u64,
    part: u32,
    triangle: Option<u32>,
}

impl TouchedPart {
    pub(in crate::query) fn new(part: &Part, touching: &Touching) -> Self {
        let triangle = touching.triangle.map(|(number, ..)| number);
        Self { order: part.order, part: part.index, triangle }
    }
}

/// Returns the result for each touched part, once, in the order of answers. A tree finds the parts in another order.
pub(in crate::query) fn in_order<T>(mut found: Vec<(TouchedPart, T)>) -> impl Iterator<Item = (TouchedPart, T)> {
    found.sort_shared_by_key(|&(thing, _)| thing);
    found.dedup_by_key(|&mut (thing, _)| thing);
    found.into_iter()
}

/// Returns the result for each touched part, once, the largest depth first.
pub(in crate::query) fn deepest_first<T>(found: Vec<(TouchedPart, (f64, T))>) -> impl Iterator<Item = T> {
    let mut found: Vec<_> = in_order(found).collect();
    found.sort_shared_by(|(a, (a_depth, _)), (b, (b_depth, _))| b_depth.total_cmp(a_depth).then(a.cmp(b)));
    found.into_iter().map(|(_, (_, of))| of)
}

/// A volume in a scene.
pub(in crate::query) struct VolumeQuery<'a, K> {
    pub(in crate::query) view: &'a View<'a, K>,
    pub(in crate::query) placed: PlacedBody,
    /// The hull, if the volume is a hull.
    pub(in crate::query) hull: Option<&'a ConvexHull>,
    outline: OnceCell<ConvexFaces>,
}

/// Handles each accepted contact.
pub(in crate::query) type TouchVisitor<'a, 's> = dyn FnMut(&'s Part, Touching) -> ControlFlow<()> + 'a;

impl<'a, K: Clone + Eq + Hash> VolumeQuery<'a, K> {
    /// Returns `None` for a volume that touches nothing.
    pub(in crate::query) fn new(view: &'a View<'a, K>, volume: &'a Volume, at: &Pose) -> Option<Self> {
        Some(Self {
            view,
            placed: Body::placed(volume, at, view.origin)?,
            hull: volume.hull(),
            outline: OnceCell::new(),
        })
    }

    /// Calls `take` with every accepted contact. Some contacts may be passed more than once.
    pub(in crate::query) fn show_contacts(&self, take: &mut TouchVisitor<'_, 'a>) -> ControlFlow<()> {
        self.show_near_parts(&mut |part| self.show_contacts_of_part(part, take))
    }

    /// Calls `show` with every part that may be touched.
    pub(in crate::query) fn show_near_parts(
        &self,
        show: &mut dyn FnMut(&'a Part) -> ControlFlow<()>,
    ) -> ControlFlow<()> {
        let PlacedBody { center, body } = &self.placed;
        let half = body.half_extents();
        let center = center.world();
        near_parts(self.view, (center - half, center + half), 0.0, &mut |part| {
            show(part)?;
            ControlFlow::Continue(0.0)
        })
    }

    /// Calls `take` with the accepted contacts between the volume and a part.
    pub(in crate::query) fn show_contacts_of_part(
        &self,
        part: &'a Part,
        take: &mut TouchVisitor<'_, 'a>,
    ) -> ControlFlow<()> {
        let Some(form) = form_of(part, self.placed.center) else { return ControlFlow::Continue(()) };
        self.show_contacts_of_form((part, &form), take)
    }

    /// Does the same as [`show_contacts_of_part`](Self::show_contacts_of_part), given the form of the part relative to the volume's middle.
    pub(in crate::query) fn show_contacts_of_form(
        &self,
        (part, form): (&'a Part, &PlacedShape<'_>),
        take: &mut TouchVisitor<'_, 'a>,
    ) -> ControlFlow<()> {
        each_touching(form, &ConvexPart::of_body(&self.placed.body), &mut |touching| {
            if self.counts(part, &touching) { take(part, touching) } else { ControlFlow::Continue(()) }
        })
    }

    fn counts(&self, part: &Part, touching: &Touching) -> bool {
        let in_front = match touching.triangle {
            Some((_, _, in_front)) => in_front,
            None => is_in_front(part, self.center().world()),
        };
        let side = if in_front { Side::Front } else { Side::Back };
        self.view.takes_side(part, touching.triangle.map(|(number, ..)| number), side)
    }

    /// Returns the faces and edges of the volume, which are computed on the first call.
    pub(in crate::query) fn outline(&self) -> &ConvexFaces {
        self.outline.get_or_init(|| ConvexFaces::of_body(&self.placed, self.hull))
    }

    /// Returns the volume, relative to its middle.
    pub(in crate::query) fn piece(&self) -> ConvexPart<'_> {
        ConvexPart::of_body(&self.placed.body)
    }

    pub(in crate::query) fn center(&self) -> Anchor {
        self.placed.center
    }
}
