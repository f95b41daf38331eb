//! Picks with a tolerance in pixels.

use crate::answer::{self, NONE, Record, place, vector_f64};
use crate::camera::{Camera, viewport};
use crate::question::Choices;
use crate::scene::Scene;
use hitscan::glam::DVec3;
use hitscan::snap::{Cursor, Hidden, Snap, SnapKind};
use wasm_bindgen::prelude::*;

impl Record for Snap<u32> {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        let target = self.target.as_ref();
        put(place::T, self.distance.into());
        put(place::ID, target.map_or(NONE, |target| target.id.into()));
        put(place::PART, target.map_or(NONE, |target| target.part.into()));
        put(place::TRIANGLE, answer::index(target.and_then(|target| target.triangle)));
        let kind = SnapKind::ALL.iter().position(|&kind| kind == self.kind);
        put(place::SIDE, kind.map_or(NONE, |number| number as f64));
        vector_f64(&mut put, place::POINT, self.point);
        vector_f64(&mut put, place::NORMAL, self.axis.unwrap_or(DVec3::NAN));
        put(place::UV, self.pixel.x.into());
        put(place::UV + 1, self.pixel.y.into());
        put(place::FEATURE, answer::index(target.and_then(|target| target.vertex)));
        put(place::EXTRA, self.depth);
        let edge = target.and_then(|target| target.edge);
        put(place::SECOND, answer::index(edge.map(|edge| edge[0])));
        put(place::SECOND + 1, answer::index(edge.map(|edge| edge[1])));
    }
}

#[wasm_bindgen]
impl Scene {
    /// Finds all points within the radius of a cursor, the best first, or only the best point. Each bit of `kinds`
    /// allows one kind of points.
    pub fn snap(
        &self,
        camera: &Camera,
        left: f32,
        top: f32,
        width: f32,
        height: f32,
        x: f32,
        y: f32,
        radius: f32,
        kinds: u32,
        hidden: bool,
        fx: f64,
        fy: f64,
        fz: f64,
        bits: u32,
        best: bool,
    ) -> usize {
        let cursor = Cursor::new(&camera.0, viewport(left, top, width, height), [x, y], radius);
        let cursor = cursor.hidden(if hidden { Hidden::Keep } else { Hidden::Skip });
        let mut cursor = cursor.cut_outs(Choices::new(bits).cut_outs());
        if !fx.is_nan() {
            cursor = cursor.from_start([fx, fy, fz]);
        }
        let chosen = SnapKind::ALL.into_iter().enumerate().filter(|(number, _)| kinds >> number & 1 != 0);
        let chosen: Vec<SnapKind> = chosen.map(|(_, kind)| kind).collect();
        let mut snaps = Vec::new();
        if best {
            snaps.extend(cursor.nearest(self.sight(), &chosen));
        } else {
            cursor.all(self.sight(), &chosen, &mut snaps);
        }
        answer::many(&snaps)
    }
}
