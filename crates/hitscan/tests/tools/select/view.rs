//! Random cameras outside of a scene, and regions of their pictures.

use hitscan::glam::{DVec3, Vec2};
use hitscan::select::Region;
use hitscan::{Camera, Viewport};
use hitscan_random::Random;

pub(crate) const WINDOW: Viewport = Viewport::new(640.0, 480.0);

/// Returns a camera that sees the origin from at least this distance.
pub(crate) fn camera(random: &mut Random, distance: f64) -> Camera {
    let eye = random.direction() * distance * (1.0 + random.fraction());
    let transform = Camera::look_at(eye, random.cube(), random.direction()).expect("a direction");
    let camera = match random.below(2) {
        0 => Camera::perspective(transform, 0.3 + random.fraction()).expect("an angle"),
        _ => Camera::orthographic(transform, 4.0 + 8.0 * random.fraction()).expect("a height"),
    };
    if random.below(3) == 0 { camera.with_clip(0.5, 1000.0).expect("in order") } else { camera }
}

/// Returns a rectangle, a circle or a lasso around a pixel near the middle.
pub(crate) fn region(random: &mut Random) -> Region {
    let mut pixel = || Vec2::new(random.fraction() as f32 * 640.0, random.fraction() as f32 * 480.0);
    let (a, b) = (pixel(), pixel());
    match random.below(3) {
        0 => Region::rect(a, b).expect("finite"),
        1 => Region::circle(a, (random.fraction() * 250.0) as f32).expect("finite"),
        _ => {
            let corners: Vec<Vec2> = (0..random.pick(&[3, 5, 40]))
                .map(|_| a + Vec2::new(random.unit() as f32, random.unit() as f32) * (b - a).abs())
                .collect();
            Region::lasso(&corners).expect("finite")
        }
    }
}

/// Returns a random placement near the origin: turned, stretched and mirrored.
pub(crate) fn placement(random: &mut Random) -> hitscan::glam::DAffine3 {
    let mut scale = DVec3::ONE;
    if random.below(2) == 0 {
        scale = DVec3::new(0.4 + random.fraction(), 0.4 + random.fraction(), 0.4 + random.fraction());
        scale.x *= random.pick(&[1.0, -1.0]);
    }
    hitscan::glam::DAffine3::from_scale_rotation_translation(scale, random.rotation(), random.cube() * 2.0)
}
