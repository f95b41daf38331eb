//! Eight rays at once, by component. They are in f32 as they were given, and in f64, so that all are transformed
//! together.

use super::affine::ColumnAffine;
use super::ray::{LocalRay, Ray};
use crate::simd::{Axes, FloatLanes, Simd, SimdBase, SimdMask, dispatch, dot, f32x4, f32x8, f64x8};
use glam::DVec3;

/// The number of rays.
pub(crate) const LANES: usize = 8;

/// The smallest number of similar rays for which a packet is worth it. Fewer rays are cast one by one.
pub(crate) const FEWEST: u32 = 4;

/// Rays may be cast as a packet if the cosine of the angle between their directions, squared, is at least this.
const ALIKE: f32 = 0.9;

/// Eight rays of one space.
pub(crate) struct EightRays {
    /// The rays one by one.
    pub(crate) rows: [LocalRay; LANES],
    origin: Axes<[f64; LANES]>,
    direction: Axes<[f64; LANES]>,
    /// The least and the largest t of each.
    pub(crate) t_min: [f32; LANES],
    pub(crate) t_max: [f32; LANES],
    /// The lanes whose rays can hit anything.
    pub(crate) usable: u64,
}

/// Origins and directions of eight rays in another space.
pub(crate) type EightImages<S> = [Axes<f64x8<S>>; 2];

impl EightRays {
    /// Makes rays of the world from rays relative to an origin; `None` if their directions clearly differ too much. A
    /// ray is usable if [`LocalRay::new`] accepts it and its start in the world is finite.
    pub(crate) fn of_world(rays: &[Ray; LANES], origin: DVec3) -> Option<Self> {
        dispatch!(simd => Self::of_world_with(simd, rays, origin))
    }

    #[inline(always)]
    fn of_world_with<S: Simd>(simd: S, rays: &[Ray; LANES], place: DVec3) -> Option<Self> {
        let [dx, dy, dz, t_max] = ways(simd, rays);
        if !go_together(&[dx, dy, dz]) {
            return None;
        }
        let [ox, oy, oz, t_min] = starts(simd, rays);
        let all = |x: f32| f32x8::splat(simd, x);
        let size = dx.abs().larger(dy.abs()).larger(dz.abs());
        // A product of zero and a number that is not finite is NaN.
        let nothing = (ox * all(0.0) + oy * all(0.0) + oz * all(0.0)) + (dx * all(0.0) + dy * all(0.0) + dz * all(0.0));
        let usable = nothing.simd_eq(all(0.0)) & size.simd_gt(all(0.0)) & t_min.simd_le(t_max);
        let origin = [widened(ox, place.x), widened(oy, place.y), widened(oz, place.z)];
        let direction = [widened(dx, -0.0), widened(dy, -0.0), widened(dz, -0.0)];
        let mut rays = Self::by_axis([origin, direction], [by_lane(t_min), by_lane(t_max)]);
        rays.usable = usable.to_bitmask() & rays.that_start_somewhere(simd);
        Some(rays)
    }

    /// Makes the rays from single rays, all of which must be able to hit something.
    #[cfg(test)]
    pub(crate) fn of_rows(rows: &[LocalRay; LANES]) -> Self {
        let by_axis = |of: fn(&LocalRay) -> DVec3| [0, 1, 2].map(|axis| rows.map(|ray| of(&ray)[axis]));
        let line = [by_axis(|ray| ray.origin), by_axis(|ray| ray.direction)];
        Self::by_axis(line, [rows.map(|ray| ray.t_min), rows.map(|ray| ray.t_max)])
    }

    /// Makes the rays from their origins, their directions, and their least and largest ts. All lanes are usable.
    #[inline(always)]
    fn by_axis([origin, direction]: [Axes<[f64; LANES]>; 2], [t_min, t_max]: [[f32; LANES]; 2]) -> Self {
        const NO_RAY: LocalRay = LocalRay { origin: DVec3::ZERO, direction: DVec3::ZERO, t_min: 0.0, t_max: 0.0 };
        let mut rows = [NO_RAY; LANES];
        for (lane, row) in rows.iter_mut().enumerate() {
            row.origin = DVec3::new(origin[0][lane], origin[1][lane], origin[2][lane]);
            row.direction = DVec3::new(direction[0][lane], direction[1][lane], direction[2][lane]);
            (row.t_min, row.t_max) = (t_min[lane], t_max[lane]);
        }
        Self { rows, origin, direction, t_min, t_max, usable: (1 << LANES) - 1 }
    }

    /// Returns the lanes whose origins are finite.
    #[inline(always)]
    fn that_start_somewhere<S: Simd>(&self, simd: S) -> u64 {
        let [[x, y, z], _] = self.in_lanes(simd);
        let zero = f64x8::splat(simd, 0.0);
        (x * zero + y * zero + z * zero).simd_eq(zero).to_bitmask()
    }

    #[inline(always)]
    fn in_lanes<S: Simd>(&self, simd: S) -> EightImages<S> {
        [in_lanes(simd, &self.origin), in_lanes(simd, &self.direction)]
    }

    /// Returns the rays in coordinates relative to an origin and then multiplied by a number. A product of zero and a number that is not finite is
    /// NaN.
    #[inline(always)]
    pub(crate) fn relative_to<S: Simd>(&self, simd: S, origin: DVec3, scale: f64) -> EightImages<S> {
        let [[x, y, z], direction] = self.in_lanes(simd);
        let all = |number: f64| f64x8::splat(simd, number);
        let place = [x - all(origin.x), y - all(origin.y), z - all(origin.z)];
        [scaled(place, scale), scaled(direction, scale)]
    }

    /// Returns the images of the rays under a transform, multiplied by a number. A product of zero and a number that is
    /// not finite is NaN.
    #[inline(always)]
    pub(crate) fn images<S: Simd>(&self, simd: S, transform: &ColumnAffine, scale: f64) -> EightImages<S> {
        let [origin, direction] = self.in_lanes(simd);
        let transform = transform.affine();
        let columns = transform.matrix3.to_cols_array_2d();
        let [x, y, z] = turned(&columns, &origin);
        let all = |number: f64| f64x8::splat(simd, number);
        let by = transform.translation;
        let place = [x + all(by.x), y + all(by.y), z + all(by.z)];
        [scaled(place, scale), scaled(turned(&columns, &direction), scale)]
    }
}

/// Returns directions and largest ts, by component.
#[inline(always)]
pub(crate) fn ways<S: Simd>(simd: S, [a, b, c, d, e, f, g, h]: &[Ray; LANES]) -> [f32x8<S>; 4] {
    // This uses no closures over vectors. They were not inlined, and neither was each of their steps.
    by_component([
        way(simd, a),
        way(simd, b),
        way(simd, c),
        way(simd, d),
        way(simd, e),
        way(simd, f),
        way(simd, g),
        way(simd, h),
    ])
}

/// Returns origins and least ts, by component.
#[inline(always)]
pub(crate) fn starts<S: Simd>(simd: S, [a, b, c, d, e, f, g, h]: &[Ray; LANES]) -> [f32x8<S>; 4] {
    by_component([
        start(simd, a),
        start(simd, b),
        start(simd, c),
        start(simd, d),
        start(simd, e),
        start(simd, f),
        start(simd, g),
        start(simd, h),
    ])
}

/// Returns a ray's direction and the end of its range, as they lie in memory.
#[inline(always)]
fn way<S: Simd>(simd: S, &Ray { direction: d, t_max, .. }: &Ray) -> f32x4<S> {
    f32x4::from_slice(simd, &[d.x, d.y, d.z, t_max])
}

/// Returns a ray's origin and the start of its range, as they lie in memory.
#[inline(always)]
fn start<S: Simd>(simd: S, &Ray { origin: o, t_min, .. }: &Ray) -> f32x4<S> {
    f32x4::from_slice(simd, &[o.x, o.y, o.z, t_min])
}

/// Transposes four numbers of each ray: returns one vector for each of the four numbers, with a lane for each ray.
#[inline(always)]
fn by_component<S: Simd>([a, b, c, d, e, f, g, h]: [f32x4<S>; LANES]) -> [f32x8<S>; 4] {
    let (first, last) = (transposed([a, b, c, d]), transposed([e, f, g, h]));
    let simd = a.simd;
    [
        simd.combine_f32x4(first[0], last[0]),
        simd.combine_f32x4(first[1], last[1]),
        simd.combine_f32x4(first[2], last[2]),
        simd.combine_f32x4(first[3], last[3]),
    ]
}

#[inline(always)]
fn transposed<S: Simd>([a, b, c, d]: [f32x4<S>; 4]) -> [f32x4<S>; 4] {
    let low = [a.zip_low(c), b.zip_low(d)];
    let high = [a.zip_high(c), b.zip_high(d)];
    [low[0].zip_low(low[1]), low[0].zip_high(low[1]), high[0].zip_low(high[1]), high[0].zip_high(high[1])]
}

/// Returns whether it is worth trying to cast rays with these directions as a packet. It is worth it if half of them
/// have nearly the same direction.
#[inline(always)]
pub(crate) fn go_together<S: Simd>(directions: &Axes<f32x8<S>>) -> bool {
    parallel_to(directions, 0).count_ones() >= FEWEST || parallel_to(directions, LANES / 2).count_ones() >= FEWEST
}

/// Returns the lanes whose direction is nearly the same as the direction of this lane.
#[inline(always)]
pub(crate) fn parallel_to<S: Simd>(directions: &Axes<f32x8<S>>, lane: usize) -> u64 {
    let way = |axis: usize| f32x8::splat(directions[axis].simd, directions[axis][lane]);
    let ways = [way(0), way(1), way(2)];
    let along = dot(directions, &ways);
    let lengths = dot(directions, directions) * dot(&ways, &ways);
    (along * along.abs()).simd_ge(lengths * f32x8::splat(along.simd, ALIKE)).to_bitmask()
}

#[inline(always)]
pub(crate) fn by_lane<S: Simd>(v: f32x8<S>) -> [f32; LANES] {
    let mut values = [0.0; LANES];
    v.store_slice(&mut values);
    values
}

/// Returns numbers in f64, each with another number added. Adding -0 changes no number.
#[inline(always)]
fn widened<S: Simd>(numbers: f32x8<S>, added: f64) -> [f64; LANES] {
    let (mut wide, numbers) = ([0.0; LANES], by_lane(numbers));
    for (wide, number) in wide.iter_mut().zip(numbers) {
        *wide = added + f64::from(number);
    }
    wide
}

#[inline(always)]
fn in_lanes<S: Simd>(simd: S, [x, y, z]: &Axes<[f64; LANES]>) -> Axes<f64x8<S>> {
    [f64x8::from_slice(simd, x), f64x8::from_slice(simd, y), f64x8::from_slice(simd, z)]
}

#[inline(always)]
fn scaled<S: Simd>([x, y, z]: Axes<f64x8<S>>, scale: f64) -> Axes<f64x8<S>> {
    let scale = f64x8::splat(x.simd, scale);
    [x * scale, y * scale, z * scale]
}

/// Returns the images of vectors under a matrix with these columns.
#[inline(always)]
fn turned<S: Simd>(columns: &[[f64; 3]; 3], vectors: &Axes<f64x8<S>>) -> Axes<f64x8<S>> {
    [coordinate(columns, 0, vectors), coordinate(columns, 1, vectors), coordinate(columns, 2, vectors)]
}

#[inline(always)]
fn coordinate<S: Simd>([a, b, c]: &[[f64; 3]; 3], axis: usize, &[x, y, z]: &Axes<f64x8<S>>) -> f64x8<S> {
    let all = |number: f64| f64x8::splat(x.simd, number);
    x * all(a[axis]) + y * all(b[axis]) + z * all(c[axis])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::random::Random;
    use alloc::format;
    use glam::Vec3;

    #[test]
    fn eight_rays_are_those_that_each_is_alone() {
        let seed = 44;
        let mut random = Random(seed);
        let odd = [0.0, -0.0, f32::NAN, f32::INFINITY, f32::MIN_POSITIVE / 4.0, f32::MAX, f32::NEG_INFINITY];
        let mut together = 0;
        for round in 0..2000 {
            let place = random.cube() * [0.0, 1.0, 1e300, f64::MAX, f64::INFINITY][random.below(5)];
            let rays = [(); LANES].map(|()| {
                let near = (DVec3::Z + random.cube() * 0.1).as_vec3();
                let mut ray = Ray::with_direction(random.cube().as_vec3(), near);
                let which = random.below(24);
                if which < 3 {
                    ray.direction[which] = odd[random.below(odd.len())];
                } else if which < 6 {
                    ray.origin[which - 3] = odd[random.below(odd.len())];
                }
                match which {
                    6 => ray.direction = Vec3::ZERO,
                    7 => ray.t_min = odd[random.below(odd.len())],
                    8 => ray.t_max = odd[random.below(odd.len())],
                    _ => {}
                }
                ray
            });
            let Some(eight) = EightRays::of_world(&rays, place) else { continue };
            together += 1;
            for (lane, ray) in rays.iter().enumerate() {
                let alone = LocalRay::new(ray).map(|ray| LocalRay { origin: place + ray.origin, ..ray });
                let alone = alone.filter(|ray| ray.origin.is_finite());
                let context = format!("seed {seed}, round {round}, {ray:?} from {place}");
                assert_eq!(eight.usable >> lane & 1 == 1, alone.is_some(), "{context}");
                if let Some(alone) = alone {
                    assert_eq!(format!("{:?}", eight.rows[lane]), format!("{alone:?}"), "{context}");
                }
            }
        }
        assert!(together > 1000, "only {together}");
    }
}
