//! Origins in f64. Far from the world's origin, f32 positions of a mesh would lose its form. So the positions are
//! relative to a point nearby, and the entity's transform adds this point.

use hitscan::glam::{DVec3, Vec3};

/// A model gets an origin of its own if it is farther away from (0, 0, 0) than this many times its half size. The
/// positions in f32 would have kept less than 18 of their 24 bits for the form.
const FARTHEST_MODEL: f64 = 64.0;
/// A single entity gets an origin of its own if it is farther away from the model's origin than this many times its
/// half size: its positions would have kept 14 bits. Its vertices are then no longer rounded like the vertices of its
/// neighbours, so the limit is higher.
const FARTHEST_ENTITY: f64 = 1024.0;

/// Returns the origin of the positions of a model: (0, 0, 0) unless f32 would lose its form. Positions that are exact in f32 stay as they are.
pub(crate) fn of_model(positions: impl Iterator<Item = DVec3> + Clone) -> DVec3 {
    origin(positions, DVec3::ZERO, FARTHEST_MODEL)
}

/// Returns the origin of the positions of one entity of a model: the model's origin unless f32 would lose the entity's
/// form.
pub(crate) fn of_entity(positions: impl Iterator<Item = DVec3> + Clone, model: DVec3) -> DVec3 {
    origin(positions, model, FARTHEST_ENTITY)
}

/// Returns the origin of the vertices of a mesh that joints have moved, given their f32 values. The limit is
/// [`FARTHEST_MODEL`], even for vertices that are exact in f32.
pub(crate) fn of_moved(positions: &[Vec3]) -> DVec3 {
    let extent = Extent::of(positions.iter().map(|position| position.as_dvec3()));
    let half = extent.half_size();
    let is_near = extent.farthest_from(DVec3::ZERO) <= FARTHEST_MODEL * half || !half.is_finite();
    if is_near { DVec3::ZERO } else { extent.center_on_grid() }
}

fn origin(positions: impl Iterator<Item = DVec3> + Clone, usual: DVec3, farthest: f64) -> DVec3 {
    let extent = Extent::of(positions.clone());
    let half = extent.half_size();
    if extent.farthest_from(usual) <= farthest * half || !half.is_finite() {
        return usual;
    }
    let own = extent.center_on_grid();
    // A model beyond f32's range is still refused.
    if own.as_vec3().is_finite() && !positions.clone().all(|position| is_exact(position, usual)) { own } else { usual }
}

/// Returns whether a position relative to an origin is exact in f32.
fn is_exact(position: DVec3, origin: DVec3) -> bool {
    let local = (position - origin).as_vec3().as_dvec3();
    local == position - origin && local + origin == position
}

/// The box around positions.
struct Extent {
    low: DVec3,
    high: DVec3,
}

impl Extent {
    fn of(positions: impl Iterator<Item = DVec3>) -> Self {
        let empty = Self { low: DVec3::INFINITY, high: DVec3::NEG_INFINITY };
        positions
            .fold(empty, |extent, position| Self { low: extent.low.min(position), high: extent.high.max(position) })
    }

    /// Returns the half size, which is not finite if the box is not.
    fn half_size(&self) -> f64 {
        (self.high * 0.5 - self.low * 0.5).max_element()
    }

    fn farthest_from(&self, origin: DVec3) -> f64 {
        (self.low - origin).abs().max((self.high - origin).abs()).max_element()
    }

    /// Returns the middle of the box, rounded to a grid. The spacing of the grid is a power of two that is larger than the box and at most twice as large. So
    /// the middle has few digits, and a position minus the middle has no more digits than the position.
    fn center_on_grid(&self) -> DVec3 {
        let (size, middle) = (2.0 * self.half_size(), self.low * 0.5 + self.high * 0.5);
        // A box without size has no grid, and no form to lose either.
        let exponent_bits = size.to_bits() & f64::INFINITY.to_bits();
        let grid = 2.0 * f64::from_bits(exponent_bits);
        if grid > 0.0 { (middle / grid).round() * grid } else { middle }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(corners: [[f64; 3]; 2]) -> DVec3 {
        of_model(corners.map(DVec3::from).into_iter())
    }

    #[test]
    fn origins_are_short_and_near() {
        assert_eq!(of([[1e6 + 0.1, 0.0, 0.0], [1e6 + 0.3, 0.2, 0.1]]), DVec3::new(1e6 + 0.25, 0.0, 0.0));
        assert_eq!(of([[-5e6 - 0.1, 7.1, 0.0], [-5e6 + 99.9, 7.2, 0.1]]), DVec3::new(-4_999_936.0, 0.0, 0.0));
    }

    #[test]
    fn what_loses_nothing_stays() {
        let stay = [
            [[0.1, 0.2, 0.3], [0.4, 0.5, 0.6]],
            [[10.1, 0.0, 0.0], [11.1, 0.0, 0.0]],
            [[1e6, 0.0, 0.0], [1e6 + 1.0, 1.0, 1.0]],
            [[1e300, 0.0, 0.0], [1.000_1e300, 0.0, 0.0]],
            [[-1e308, 0.0, 0.0], [1e308, 0.0, 0.0]],
            [[f64::INFINITY, 0.0, 0.0], [1.0, 0.0, 0.0]],
        ];
        for corners in stay {
            assert_eq!(of(corners), DVec3::ZERO, "{corners:?}");
        }
        assert_eq!(of_model(std::iter::empty()), DVec3::ZERO);
        let far = DVec3::new(5e6, 0.0, 0.0);
        assert_eq!(of_entity([far + 0.1, far + 9.3].into_iter(), far), far);
    }

    #[test]
    fn a_point_needs_no_form() {
        let point = DVec3::new(1e7 + 0.1, 0.0, 0.0);
        assert_eq!(of_model([point, point].into_iter()), point);
    }
}
