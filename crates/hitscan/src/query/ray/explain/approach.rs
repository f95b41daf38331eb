//! The nearest approach of a ray to a box.

use crate::collections::sort::SharedSort;
use crate::geom::aabb::Aabb;
use crate::geom::ray::LocalRay;
use crate::math::float::sqrt;

/// Returns the first t in the ray's range at which the ray is nearest to a box, and the distance there. The box is
/// not empty.
///
/// The square of the distance is convex along the ray. Between two of the ray's crossings with the planes of the box's faces, it is a parabola. So it is least
/// at a crossing, at an end of the range, or at a parabola's vertex. The result is for people: it is rounded, without an error bound.
pub(super) fn nearest(ray: &LocalRay, bounds: &Aabb) -> (f32, f32) {
    let (t_min, t_max) = (f64::from(ray.t_min), f64::from(ray.t_max));
    let gaps = |t: f64| -> [f64; 3] {
        core::array::from_fn(|axis| {
            let x = ray.origin[axis] + ray.direction[axis] * t;
            // The difference is negative below the box, and positive above it.
            (x - f64::from(bounds.max[axis])).max(0.0) + (x - f64::from(bounds.min[axis])).min(0.0)
        })
    };
    let distance = |t: f64| sqrt(gaps(t).iter().map(|gap| gap * gap).sum());
    let mut stops = [t_min, t_max, t_min, t_max, t_min, t_max, t_min, t_max];
    for axis in 0..3 {
        for (side, face) in [bounds.min[axis], bounds.max[axis]].into_iter().enumerate() {
            let t = (f64::from(face) - ray.origin[axis]) / ray.direction[axis];
            stops[2 * axis + side] = if t > t_min && t < t_max { t } else { stops[2 * axis + side] };
        }
    }
    stops.sort_shared_by(f64::total_cmp);
    let vertex = |a: f64, b: f64| {
        let inner = match (a.is_finite(), b.is_finite()) {
            (true, true) => a + (b - a) / 2.0,
            (true, false) => a + 1.0,
            (false, true) => b - 1.0,
            (false, false) => 0.0,
        };
        let outside = gaps(inner).map(|gap| gap != 0.0);
        let (slope, curve) = (0..3).filter(|&axis| outside[axis]).fold((0.0, 0.0), |(slope, curve), axis| {
            let d = ray.direction[axis];
            (slope + d * gaps(inner)[axis], curve + d * d)
        });
        let t = inner - slope / curve;
        if t > a && t < b { t } else { inner }
    };
    let between = stops.windows(2).filter(|pair| pair[0] < pair[1]).map(|pair| vertex(pair[0], pair[1]));
    let all = stops.iter().copied().chain(between).filter(|t| t.is_finite());
    let best = all.map(|t| (distance(t), t)).min_by(|(d, t), (e, s)| d.total_cmp(e).then(t.total_cmp(s)));
    best.map_or((ray.t_min, f32::INFINITY), |(distance, t)| (t as f32, distance as f32))
}
