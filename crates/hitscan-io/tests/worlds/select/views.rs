//! Random cameras, viewports and regions.

use crate::select::oracle::{Picture, Shape};
use hitscan::glam::{DMat4, DVec2, DVec3, DVec4, Vec2};
use hitscan::select::Region;
use hitscan::{Aabb, Camera, Viewport};
use hitscan_random::Random;

/// A camera with its viewport, and the picture as the oracle sees it.
pub(crate) struct RandomView {
    pub(crate) camera: Camera,
    pub(crate) viewport: Viewport,
    pub(crate) picture: Picture,
}

/// Returns a random camera that looks at something in the bounds, from outside or from within.
pub(crate) fn random_view(random: &mut Random, bounds: Aabb) -> RandomView {
    let viewport = random.pick(&[
        Viewport::new(1280.0, 720.0),
        Viewport { origin: Vec2::new(640.5, 20.25), size: Vec2::new(320.0, 500.0) },
        Viewport { origin: Vec2::new(-10.0, 3.0), size: Vec2::new(200.0, 90.5) },
    ]);
    let size = bounds.size().as_dvec3();
    let inside = |random: &mut Random| bounds.center().as_dvec3() + random.cube() * size * 0.5;
    let (target, radius) = (inside(random), size.length());
    let eye = if random.below(3) == 0 {
        inside(random)
    } else {
        target + random.direction() * radius * (0.2 + random.fraction())
    };
    let back = (eye - target).normalize();
    let right = random.direction().cross(back).normalize();
    let up = back.cross(right);
    let axes = [right, up, -back];
    match random.below(4) {
        0 => orthographic(random, eye, axes, viewport, radius),
        1 => off_axis(random, eye, axes, viewport),
        _ => perspective(random, eye, axes, viewport, radius),
    }
}

fn perspective(random: &mut Random, eye: DVec3, axes: [DVec3; 3], viewport: Viewport, radius: f64) -> RandomView {
    let fov = 0.2 + random.fraction() * 2.0;
    let transform = Camera::look_at(eye, eye + axes[2], axes[1]).expect("three axes");
    let mut camera = Camera::perspective(transform, fov).expect("an angle");
    let (mut near, mut far) = (0.0, f64::INFINITY);
    if random.below(3) == 0 {
        (near, far) = (radius * (0.01 + 0.3 * random.fraction()), radius * (0.5 + random.fraction()));
        camera = camera.with_clip(near, far).expect("in order");
    }
    let half = (fov / 2.0).tan();
    let aspect = f64::from(viewport.size.x) / f64::from(viewport.size.y);
    let rows = [axes[0] / (half * aspect), axes[1] / half, axes[2]].map(|axis| axis.extend(-axis.dot(eye)));
    RandomView { camera, viewport, picture: picture(rows[0], rows[1], rows[2], rows[2], [near, far], viewport) }
}

fn orthographic(random: &mut Random, eye: DVec3, axes: [DVec3; 3], viewport: Viewport, radius: f64) -> RandomView {
    let height = radius * (0.1 + random.fraction());
    let transform = Camera::look_at(eye, eye + axes[2], axes[1]).expect("three axes");
    let mut camera = Camera::orthographic(transform, height).expect("a height");
    let (mut near, mut far) = (0.0, f64::INFINITY);
    if random.below(2) == 0 {
        (near, far) = (-radius * random.fraction(), radius * random.fraction());
        camera = camera.with_clip(near, far).expect("in order");
    }
    let half = height / 2.0;
    let aspect = f64::from(viewport.size.x) / f64::from(viewport.size.y);
    let rows = [axes[0] / (half * aspect), axes[1] / half, axes[2]].map(|axis| axis.extend(-axis.dot(eye)));
    RandomView { camera, viewport, picture: picture(rows[0], rows[1], DVec4::W, rows[2], [near, far], viewport) }
}

/// A camera from matrices: off centre, with reversed and infinite depth.
fn off_axis(random: &mut Random, eye: DVec3, axes: [DVec3; 3], viewport: Viewport) -> RandomView {
    let [right, up, forward] = axes.map(|axis| axis.extend(-axis.dot(eye)));
    let view = DMat4::from_cols(right, up, -forward, DVec4::W).transpose();
    let (scale, shift) = (0.5 + random.fraction(), DVec2::new(random.unit(), random.unit()) * 0.5);
    // The rows of the projection: z / w is the near distance divided by the depth, and w is the depth.
    let rows = [
        DVec4::new(scale, 0.0, shift.x, 0.0),
        DVec4::new(0.0, scale * 1.5, shift.y, 0.0),
        DVec4::new(0.0, 0.0, 0.0, 0.1),
        DVec4::new(0.0, 0.0, -1.0, 0.0),
    ];
    let projection = DMat4::from_cols(rows[0], rows[1], rows[2], rows[3]).transpose();
    let camera = Camera::from_matrices(view, projection).expect("a projection");
    let x = right * scale - forward * shift.x;
    let y = up * (scale * 1.5) - forward * shift.y;
    RandomView { camera, viewport, picture: picture(x, y, forward, forward, [0.0, f64::INFINITY], viewport) }
}

/// Returns a picture, given clip x, y and w, and the depth.
fn picture(x: DVec4, y: DVec4, w: DVec4, depth: DVec4, [near, far]: [f64; 2], viewport: Viewport) -> Picture {
    let (origin, size) = (viewport.origin.as_dvec2(), viewport.size.as_dvec2());
    let rows = [
        x * (size.x / 2.0) + w * (origin.x + size.x / 2.0),
        y * (-size.y / 2.0) + w * (origin.y + size.y / 2.0),
        w,
        depth,
    ];
    Picture { rows, near, far, viewport: [origin, origin + size] }
}

/// The kinds of regions.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Kind {
    Rect,
    Circle,
    Lasso,
}

/// Returns a random region that is near a viewport, in the types of the library and of the oracle.
pub(crate) fn random_region(random: &mut Random, viewport: Viewport, kind: Kind) -> (Region, Shape) {
    let mut pixel = |reach: f64| {
        let at = DVec2::new(random.fraction(), random.fraction()) * (1.0 + 2.0 * reach) - reach;
        (viewport.origin.as_dvec2() + at * viewport.size.as_dvec2()).as_vec2()
    };
    match kind {
        Kind::Rect => {
            let (a, b) = (pixel(0.2), pixel(0.2));
            let b = if random.below(2) == 0 { a + (b - a) * 0.1 } else { b };
            let ends = [a.min(b).as_dvec2(), a.max(b).as_dvec2()];
            (Region::rect(a, b).expect("finite"), Shape::Rect(ends))
        }
        Kind::Circle => {
            let center = pixel(0.1);
            let radius = (f64::from(viewport.size.y) * random.fraction() * random.pick(&[0.02, 0.2, 0.7])) as f32;
            (Region::circle(center, radius).expect("finite"), Shape::Circle(center.as_dvec2(), radius.into()))
        }
        Kind::Lasso => {
            let (a, b) = (pixel(0.2), pixel(0.2));
            let count = random.pick(&[3, 4, 5, 12, 60, 300]);
            let is_wild = count < 60 && random.below(2) == 0;
            let corners: Vec<Vec2> = (0..count)
                .map(|i| {
                    let angle = i as f64 / count as f64 * std::f64::consts::TAU * random.pick(&[1.0, 1.0, 1.0, 2.0]);
                    let around = DVec2::from_angle(angle) * (0.6 + 0.4 * random.fraction());
                    let at = if is_wild { DVec2::new(random.unit(), random.unit()) } else { around };
                    (a + b) * 0.5 + (b - a) * 0.5 * at.as_vec2()
                })
                .collect();
            let shape = Shape::Lasso(corners.iter().map(|corner| corner.as_dvec2()).collect());
            (Region::lasso(&corners).expect("finite"), shape)
        }
    }
}
