//! A volume through a tree with triangles in its leaves. Of meshes and of height fields.

use super::search::{Leaves, Place};
use super::tube::Tube;
use crate::bvh::{Frame, FramedRay, Order, Visitor};
use crate::float::smaller;
use crate::ray::LocalRay;
use crate::simd::Simd;
use crate::sweep::Thickness;
use core::ops::ControlFlow;

/// What is done with each triangle that a volume may touch: the largest t that matters from now on.
pub(crate) type NearPlace<'a> = dyn FnMut(Place) -> f32 + 'a;

/// Shows where every triangle is that a volume may touch whose middle goes along the ray, nearer leaves roughly first.
#[inline(always)]
pub(crate) fn sweep_leaves<S: Simd, L: Leaves<S, N>, const N: usize>(
    simd: S,
    (leaves, frame): (L, &Frame),
    ray: &LocalRay,
    thickness: &Thickness<'_>,
    show: &mut NearPlace<'_>,
) {
    let slack = (thickness.slack_near(), || thickness.slack());
    let Some(framed) = frame.thick_ray(simd, ray, slack, thickness.half) else { return };
    let limit = framed.limit(ray.t_max);
    let tube = Prepared::Not { thickness, scale: frame.scale };
    let mut swept = Swept::<_, _, N> { leaves, simd, ray: &framed, tube, t_max: ray.t_max, show };
    let _ = leaves.tree().traverse(simd, &framed, limit, &mut swept);
}

/// A volume among the leaves.
struct Swept<'a, 'b, L, S, const N: usize> {
    leaves: L,
    simd: S,
    ray: &'a FramedRay,
    tube: Prepared<'a>,
    t_max: f32,
    show: &'a mut NearPlace<'b>,
}

/// What triangles are tested with, once the first leaf is reached: most ways reach none.
enum Prepared<'a> {
    Not {
        thickness: &'a Thickness<'a>,
        scale: f64,
    },
    /// Every triangle is to be shown where there is none.
    Yes(Option<Tube>),
}

impl Prepared<'_> {
    #[inline(always)]
    fn tube(&mut self, ray: &FramedRay, limit: f32) -> Option<&Tube> {
        if let Self::Not { thickness, scale } = *self {
            *self = Self::Yes(thickness.form().and_then(|form| Tube::new(ray, &form, scale, limit)));
        }
        match self {
            Self::Yes(tube) => tube.as_ref(),
            Self::Not { .. } => None,
        }
    }
}

impl<L: Leaves<S, N>, S: Simd, const N: usize> Visitor for Swept<'_, '_, L, S, N> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::NearToFar
    }

    const LEAF_BYTES: usize = L::LEAF_BYTES;

    #[inline(always)]
    fn leaves(&self) -> *const u8 {
        self.leaves.leaves()
    }

    #[inline(always)]
    fn visit(&mut self, leaf: u32, _: f32, mut limit: f32) -> ControlFlow<(), f32> {
        let mut left = u64::MAX;
        loop {
            let mut near = self.leaves.near(self.simd, leaf, self.tube.tube(self.ray, limit), limit);
            near.which &= left;
            let before = self.t_max;
            // Where one is met, fewer of the others are: to test them again takes less time than to show them.
            while self.t_max >= before
                && let Some(lane) = near.take_first()
            {
                self.t_max = smaller((self.show)(Place::new::<N>(leaf, lane)), self.t_max);
            }
            if self.t_max < before {
                limit = self.ray.limit(self.t_max);
            }
            left = near.which;
            if left == 0 {
                return ControlFlow::Continue(limit);
            }
        }
    }
}
