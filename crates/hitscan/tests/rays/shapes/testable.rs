//! The queries that the tests make of any shape, and a small seeded generator.

use glam::{DVec3, Vec3};
use hitscan::error::ShapeError;
use hitscan::query::ShapeHit;
use hitscan::{
    Aabb, Capsule, Cone, Cylinder, Disc, Inside, OrientedBox, Plane, Quad, Ray, RoundedBox, Shape, Sphere, Torus,
    Triangle, glam,
};
use hitscan_random::splitmix64;
use std::fmt::Debug;

pub(crate) trait Testable: Debug {
    fn cast(&self, ray: &Ray) -> Option<ShapeHit>;
    fn cast_from_inside(&self, ray: &Ray, inside: Inside) -> Option<ShapeHit>;
    fn cast_t(&self, ray: &Ray) -> Option<f32>;
    fn is_blocked(&self, ray: &Ray) -> bool;
    fn bounds(&self) -> Aabb;
    fn validate(&self) -> Result<(), ShapeError>;
    fn shape(&self) -> Shape;
}

macro_rules! testable {
    ($($shape:ty: |$self:ident, $ray:ident, $inside:ident| $cast_from_inside:expr;)*) => {
        $(impl Testable for $shape {
            fn cast(&self, ray: &Ray) -> Option<ShapeHit> {
                self.cast(ray)
            }
            fn cast_from_inside(&$self, $ray: &Ray, $inside: Inside) -> Option<ShapeHit> {
                $cast_from_inside
            }
            fn cast_t(&self, ray: &Ray) -> Option<f32> {
                self.cast_t(ray)
            }
            fn is_blocked(&self, ray: &Ray) -> bool {
                self.is_blocked(ray)
            }
            fn bounds(&self) -> Aabb {
                self.bounds()
            }
            fn validate(&self) -> Result<(), ShapeError> {
                self.validate()
            }
            fn shape(&self) -> Shape {
                (*self).into()
            }
        })*
    };
}

testable! {
    Aabb: |self, ray, inside| self.when_inside(inside).cast(ray);
    Capsule: |self, ray, inside| self.when_inside(inside).cast(ray);
    Cone: |self, ray, inside| self.when_inside(inside).cast(ray);
    Cylinder: |self, ray, inside| self.when_inside(inside).cast(ray);
    OrientedBox: |self, ray, inside| self.when_inside(inside).cast(ray);
    RoundedBox: |self, ray, inside| self.when_inside(inside).cast(ray);
    Sphere: |self, ray, inside| self.when_inside(inside).cast(ray);
    Torus: |self, ray, inside| self.when_inside(inside).cast(ray);
    Disc: |self, ray, _inside| self.cast(ray);
    Plane: |self, ray, _inside| self.cast(ray);
    Quad: |self, ray, _inside| self.cast(ray);
    Triangle: |self, ray, _inside| self.cast(ray);
}

/// Returns every hit along the ray's whole line, by restarting one ulp of t after each hit.
pub(crate) fn crossings(shape: &dyn Testable, ray: &Ray) -> Vec<ShapeHit> {
    let mut hits = Vec::new();
    let mut t_min = f32::NEG_INFINITY;
    while let Some(hit) = shape.cast(&ray.with_range(t_min, f32::INFINITY)) {
        hits.push(hit);
        assert!(hits.len() <= 4, "no shape has so many crossings: {hits:?}");
        t_min = hit.t.next_up();
    }
    hits
}

/// A seeded generator of numbers, vectors and directions.
pub(crate) struct Rng(pub(crate) u64);

impl Rng {
    pub(crate) fn bits(&mut self) -> u64 {
        splitmix64(&mut self.0)
    }

    pub(crate) fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    /// Returns a number from -1 to 1.
    pub(crate) fn signed(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 52) as f64 - 1.0
    }

    /// Returns a power of ten with an exponent between these.
    pub(crate) fn magnitude(&mut self, low: f64, high: f64) -> f64 {
        10f64.powf(low + (high - low) * 0.5 * (self.signed() + 1.0))
    }

    pub(crate) fn vector(&mut self) -> DVec3 {
        DVec3::new(self.signed(), self.signed(), self.signed())
    }

    pub(crate) fn unit(&mut self) -> DVec3 {
        loop {
            let v = self.vector();
            if (0.01..=1.0).contains(&v.length_squared()) {
                return v.normalize();
            }
        }
    }

    /// Returns a direction: arbitrary, along a coordinate axis, or in a coordinate plane.
    pub(crate) fn direction(&mut self) -> DVec3 {
        let mut v = self.unit();
        match self.below(8) {
            0 => v = DVec3::AXES[self.below(3) as usize] * if self.below(2) == 0 { 1.0 } else { -1.0 },
            1 => v[self.below(3) as usize] = 0.0,
            _ => {}
        }
        v
    }
}

pub(crate) fn f32s(v: DVec3) -> Vec3 {
    v.as_vec3()
}
