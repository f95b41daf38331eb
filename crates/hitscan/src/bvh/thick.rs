//! A volume through a tree that is built at once.

use super::frame::{Frame, FramedRay};
use super::probe::Slack;
use super::wide::{Order, Visitor, WideBvh};
use crate::ray::LocalRay;
use crate::simd::dispatch;
use core::ops::ControlFlow;
use glam::DVec3;

/// What is done with each leaf that the volume may touch, given its number: the largest t that matters from now on.
pub(crate) type VisitLeaf<'a> = dyn FnMut(u32) -> f32 + 'a;

impl WideBvh {
    /// Shows every leaf that a volume may touch whose middle goes along the ray, and which reaches as far as `half` from it; nearer ones roughly first.
    pub(crate) fn traverse_thick(
        &self,
        frame: &Frame,
        ray: &LocalRay,
        (slack, half): (Slack, DVec3),
        visit: &mut VisitLeaf<'_>,
    ) {
        dispatch!(simd => {
            if let Some(framed) = frame.thick_ray(simd, ray, slack, half) {
                let mut leaves = Leaves { ray: &framed, t_max: ray.t_max, visit };
                let _ = self.traverse(simd, &framed, framed.limit(ray.t_max), &mut leaves);
            }
        });
    }
}

struct Leaves<'a, 'b> {
    ray: &'a FramedRay,
    t_max: f32,
    visit: &'a mut VisitLeaf<'b>,
}

impl Visitor for Leaves<'_, '_> {
    #[inline(always)]
    fn order(&self) -> Order {
        Order::NearToFar
    }

    #[inline(always)]
    fn visit(&mut self, leaf: u32, _: f32, limit: f32) -> ControlFlow<(), f32> {
        let t_max = (self.visit)(leaf);
        if t_max >= self.t_max {
            return ControlFlow::Continue(limit);
        }
        self.t_max = t_max;
        ControlFlow::Continue(self.ray.limit(t_max))
    }
}
