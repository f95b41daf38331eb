//! The questions to a scene about volumes, points and pairs.

use crate::answer::{self, Record, place, vector, vector_f64};
use crate::question::pose;
use crate::scene::Scene;
use crate::shape::Shape;
use hitscan::{ClosestPoint, ContactFilter, ProximityQueries, SweepHit, SweepQueries};
use wasm_bindgen::prelude::*;

impl Record for SweepHit<u32> {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        put(place::T, self.t_f64());
        put(place::ID, self.id.into());
        put(place::PART, self.part.into());
        put(place::TRIANGLE, answer::index(self.triangle));
        answer::side_of(&mut put, self.side);
        vector(&mut put, place::POINT, self.point);
        vector(&mut put, place::NORMAL, self.normal);
        vector(&mut put, place::SECOND, self.surface_normal);
        put(place::FEATURE, answer::feature(self.feature));
        put(place::STATE, answer::start(self.start));
    }
}

/// A hit of a sweep, with the fraction of the motion that leaves a gap, and the motion to try next.
struct Stop {
    hit: SweepHit<u32>,
    motion: [f64; 3],
    skin: f64,
}

impl Record for Stop {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        self.hit.put(&mut put);
        put(place::EXTRA, self.hit.safe_t(self.motion, self.skin));
        vector_f64(&mut put, place::THIRD, self.hit.slide(self.motion, self.skin));
    }
}

impl Record for ClosestPoint<u32> {
    fn put(&self, mut put: impl FnMut(usize, f64)) {
        put(place::T, self.distance.into());
        put(place::ID, self.id.into());
        put(place::PART, self.part.into());
        put(place::TRIANGLE, answer::index(self.triangle));
        vector(&mut put, place::POINT, self.point);
        vector(&mut put, place::NORMAL, self.normal);
        put(place::FEATURE, answer::feature(self.feature));
        put(place::STATE, answer::containment(self.containment));
    }
}

/// Returns which contacts of a sweep count.
fn contacts(ahead: bool) -> ContactFilter {
    if ahead { ContactFilter::Ahead } else { ContactFilter::All }
}

#[wasm_bindgen]
impl Scene {
    /// Finds the first contact of a moving volume.
    pub fn sweep(
        &self,
        volume: &Shape,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
        mx: f64,
        my: f64,
        mz: f64,
        ahead: bool,
        skin: f64,
    ) -> Result<bool, JsError> {
        let (from, motion) = (pose([x, y, z], [qx, qy, qz, qw]), [mx, my, mz]);
        let hit = self.view().contact_filter(contacts(ahead)).sweep(volume.volume()?, from, motion);
        Ok(answer::one(hit.map(|hit| Stop { hit, motion, skin })))
    }

    /// Finds the first contact of a volume that moves and rotates from one pose to another.
    pub fn sweep_rotating(
        &self,
        volume: &Shape,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
        ex: f64,
        ey: f64,
        ez: f64,
        rx: f64,
        ry: f64,
        rz: f64,
        rw: f64,
        ahead: bool,
    ) -> Result<bool, JsError> {
        let from = pose([x, y, z], [qx, qy, qz, qw]);
        let to = pose([ex, ey, ez], [rx, ry, rz, rw]);
        Ok(answer::one(self.view().contact_filter(contacts(ahead)).sweep_rotating(volume.volume()?, from, to)))
    }

    /// Finds the first contact of an entity that moves.
    pub fn sweep_entity(&self, key: u32, mx: f64, my: f64, mz: f64, ahead: bool, skin: f64) -> bool {
        let motion = [mx, my, mz];
        let hit = hitscan::query::sweep_entity(self.view().contact_filter(contacts(ahead)), &key, motion);
        answer::one(hit.map(|hit| Stop { hit, motion, skin }))
    }

    /// Finds all contacts of a moving volume.
    pub fn sweep_all(
        &self,
        volume: &Shape,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
        mx: f64,
        my: f64,
        mz: f64,
        ahead: bool,
        skin: f64,
    ) -> Result<usize, JsError> {
        let (from, motion) = (pose([x, y, z], [qx, qy, qz, qw]), [mx, my, mz]);
        let mut hits = Vec::new();
        self.view().contact_filter(contacts(ahead)).sweep_all(volume.volume()?, from, motion, &mut hits);
        let stops: Vec<Stop> = hits.into_iter().map(|hit| Stop { hit, motion, skin }).collect();
        Ok(answer::many(&stops))
    }

    /// Returns whether anything overlaps a volume.
    pub fn overlaps(
        &self,
        volume: &Shape,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
    ) -> Result<bool, JsError> {
        Ok(self.view().overlaps(volume.volume()?, pose([x, y, z], [qx, qy, qz, qw])))
    }

    /// Finds the entities that overlap a volume.
    pub fn overlap_entities(
        &self,
        volume: &Shape,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
    ) -> Result<usize, JsError> {
        let mut ids = Vec::new();
        self.view().overlap_entities(volume.volume()?, pose([x, y, z], [qx, qy, qz, qw]), &mut ids);
        Ok(answer::numbers(ids.into_iter()))
    }

    /// Finds everything that overlaps a volume: an entity, a part and a triangle (or `u32::MAX`) each.
    pub fn overlap_all(
        &self,
        volume: &Shape,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
    ) -> Result<usize, JsError> {
        let mut overlaps = Vec::new();
        self.view().overlap_all(volume.volume()?, pose([x, y, z], [qx, qy, qz, qw]), &mut overlaps);
        let rows = overlaps.iter().flat_map(|overlap| [overlap.id, overlap.part, overlap.triangle.unwrap_or(u32::MAX)]);
        Ok(answer::numbers(rows))
    }

    /// Finds the deepest overlap with a volume, and the motion that ends it.
    pub fn penetration(
        &self,
        volume: &Shape,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
    ) -> Result<bool, JsError> {
        Ok(answer::one(self.view().penetration(volume.volume()?, pose([x, y, z], [qx, qy, qz, qw]))))
    }

    /// Finds all overlaps with a volume, and the motion that ends each overlap.
    pub fn penetration_all(
        &self,
        volume: &Shape,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
    ) -> Result<usize, JsError> {
        let mut all = Vec::new();
        self.view().penetration_all(volume.volume()?, pose([x, y, z], [qx, qy, qz, qw]), &mut all);
        Ok(answer::many(&all))
    }

    /// Finds the points of contact of a volume.
    pub fn contact_points(
        &self,
        volume: &Shape,
        x: f64,
        y: f64,
        z: f64,
        qx: f64,
        qy: f64,
        qz: f64,
        qw: f64,
    ) -> Result<usize, JsError> {
        let mut points = Vec::new();
        self.view().contact_points(volume.volume()?, pose([x, y, z], [qx, qy, qz, qw]), &mut points);
        Ok(answer::many(&points))
    }

    /// Finds the nearest point of all surfaces, up to a distance.
    pub fn closest_point(&self, x: f64, y: f64, z: f64, most: f64) -> bool {
        let nearest = if most == f64::INFINITY {
            self.view().closest_point([x, y, z])
        } else {
            self.view().closest_point_within([x, y, z], most)
        };
        answer::one(nearest)
    }
}
