//! The light of sun and sky.

use super::surface::{Surface, View};
use crate::camera::Lens;
use hitscan::glam::{DVec3, Mat3, Vec3};

const SUN: Vec3 = Vec3::new(1.75, 1.6, 1.35);
/// The light from above, and from below.
const SKY: [Vec3; 2] = [Vec3::new(0.38, 0.45, 0.60), Vec3::new(0.20, 0.175, 0.15)];
/// A weak light at the eye, which shades surfaces that neither sun nor sky reach.
const EYE: f32 = 0.22;
/// The background at the bottom and at the top of the picture.
const BACKGROUND: [Vec3; 2] = [Vec3::new(0.66, 0.76, 0.85), Vec3::new(0.16, 0.36, 0.72)];

/// The distance within which rays search for an occluder of the sky, relative to the distance from the eye or to the
/// height of the view. So it is the same fraction of the picture everywhere.
const REACH: f32 = 0.14;
/// The number of rays towards the sky from each sample; the rays of 4x4 pixels are combined.
const SKY_RAYS: u32 = 1;

/// The light for one view. The sun is behind the viewer's right shoulder, so that every model shows lit and shadowed
/// sides.
pub(super) struct Light {
    /// The direction towards the sun, of unit length.
    sun: Vec3,
}

/// The light that a surface sends to the viewer; linear.
pub(super) struct Lit {
    pub(super) direct: Vec3,
    /// The light from the sky, if nothing occludes it.
    pub(super) ambient: Vec3,
}

impl Light {
    pub(super) fn of(view: &View<'_>) -> Self {
        let forward = view.camera.forward();
        // In a view straight up or down, any direction may be to the right.
        let right = DVec3::new(-forward.z, 0.0, forward.x).normalize_or(DVec3::X);
        let back = right.cross(DVec3::Y);
        let sun = right * 0.75 + DVec3::Y * 1.1 + back * 0.45;
        Self { sun: sun.normalize().as_vec3() }
    }

    /// Returns the background at a fraction of the picture's height from its bottom.
    pub(super) fn background(height: f32) -> Vec3 {
        let [bottom, top] = BACKGROUND;
        bottom.lerp(top, height.clamp(0.0, 1.0).powf(1.4))
    }

    pub(super) fn lit(&self, view: &View<'_>, surface: &Surface, to_eye: Vec3) -> Lit {
        let Surface { hit, normal, color } = surface;
        let slope = normal.dot(self.sun);
        let in_sun = slope > 0.0 && hit.facing_normal().dot(self.sun) > 0.0 && !view.is_blocked(hit, self.sun);
        let sun = if in_sun { SUN * slope } else { Vec3::ZERO };
        let eye = EYE * normal.dot(to_eye).max(0.0);
        let [above, below] = SKY;
        let sky = below.lerp(above, normal.y * 0.5 + 0.5);
        Lit { direct: *color * (sun + eye), ambient: *color * sky }
    }

    /// Returns the fraction of the sky that is visible from a surface, in the directions of set `number` of `count`
    /// sets.
    pub(super) fn openness(view: &View<'_>, surface: &Surface, number: u32, count: u32) -> f32 {
        let scale = match view.lens {
            Lens::Perspective { .. } => surface.hit.t,
            Lens::Orthographic { height } => height as f32,
        };
        let reach = scale * REACH;
        let frame = Mat3::from_cols_array_2d(&frame(surface.normal));
        let outward = surface.hit.facing_normal();
        let open = |ray: u32| {
            let direction = frame * cosine_weighted(ray * count + number, SKY_RAYS * count);
            if direction.dot(outward) <= 0.0 {
                return 1.0;
            }
            // Occluders that are farther away shade less.
            view.distance(&surface.hit, direction, reach).map_or(1.0, |distance| distance / reach)
        };
        (0..SKY_RAYS).map(open).sum::<f32>() / SKY_RAYS as f32
    }
}

/// Returns two directions that are perpendicular to `n` and to each other, and `n` itself (Duff et al. 2017, Building an
/// Orthonormal Basis, Revisited).
fn frame(n: Vec3) -> [[f32; 3]; 3] {
    let sign = 1f32.copysign(n.z);
    let a = -1.0 / (sign + n.z);
    let b = n.x * n.y * a;
    [[1.0 + sign * n.x * n.x * a, sign * b, -sign * n.x], [b, sign + n.y * n.y * a, -n.y], n.to_array()]
}

/// Returns the `index`-th of `count` directions around z, denser near z (Hammersley's points on a disc, lifted).
fn cosine_weighted(index: u32, count: u32) -> Vec3 {
    let radius = ((index.reverse_bits() as f32) / (u32::MAX as f32)).clamp(0.0, 1.0);
    let (sin, cos) = (std::f32::consts::TAU * (index as f32 + 0.5) / count as f32).sin_cos();
    Vec3::new(radius.sqrt() * cos, radius.sqrt() * sin, (1.0 - radius).sqrt())
}
