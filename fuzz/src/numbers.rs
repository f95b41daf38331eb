//! Numbers, points and rays. Some are arbitrary, but most are related to others. They are equal, some ulps apart, on a segment or in a plane.

use arbitrary::Arbitrary;
use hitscan::Ray;
use hitscan::glam::Vec3;

/// An f32.
#[derive(Clone, Copy, Debug, Arbitrary)]
pub enum Number {
    /// A small whole number. The sums, products and thirds of such numbers are often equal.
    Whole(i8),
    /// A number with a few bits, at any scale.
    Scaled {
        /// The bits.
        bits: i8,
        /// The power of two.
        power: i8,
    },
    /// A number some ulps from a small whole number.
    Beside {
        /// The number.
        whole: i8,
        /// The ulps.
        ulps: i8,
    },
    /// Arbitrary bits, including NaN and infinity.
    Any(u32),
}

impl Number {
    /// Returns the value of the number.
    pub fn get(self) -> f32 {
        match self {
            Self::Whole(whole) => whole.into(),
            Self::Scaled { bits, power } => f32::from(bits) * 2f32.powi(power.into()),
            Self::Beside { whole, ulps } => beside(whole.into(), ulps),
            Self::Any(bits) => f32::from_bits(bits),
        }
    }
}

/// Returns the number moved by some ulps away from zero, or towards zero if `ulps` is negative.
fn beside(number: f32, ulps: i8) -> f32 {
    f32::from_bits(number.to_bits().saturating_add_signed(ulps.into()))
}

/// A vector of any numbers.
pub type Vector = [Number; 3];

/// Returns the vector of the values of three numbers.
pub fn vector(numbers: Vector) -> Vec3 {
    numbers.map(Number::get).into()
}

/// A point that may coincide with earlier points.
#[derive(Clone, Copy, Debug, Arbitrary)]
pub enum Point {
    /// A point that is unrelated to earlier points.
    Free(Vector),
    /// An earlier point.
    Same(u8),
    /// An earlier point, with one coordinate changed by some ulps.
    Beside {
        /// The point.
        point: u8,
        /// The coordinate.
        axis: u8,
        /// The ulps.
        ulps: i8,
    },
    /// A point on the segment between two earlier points. The third number is the fraction along the segment, in
    /// 255ths.
    Between(u8, u8, u8),
    /// A point in the plane of three earlier points, inside or outside of their triangle.
    Among {
        /// The points.
        points: [u8; 3],
        /// The barycentrics of the second and the third point, in 255ths.
        weights: [u8; 2],
    },
}

impl Point {
    /// Returns the point, given the points that it may refer to.
    pub fn get(self, points: &[Vec3]) -> Vec3 {
        let point = |index: u8| points.get(usize::from(index) % points.len().max(1)).copied().unwrap_or_default();
        match self {
            Self::Free(numbers) => vector(numbers),
            Self::Same(index) => point(index),
            Self::Beside { point: index, axis, ulps } => {
                let mut near = point(index);
                let axis = usize::from(axis % 3);
                near[axis] = beside(near[axis], ulps);
                near
            }
            Self::Between(a, b, part) => point(a) + (point(b) - point(a)) * (f32::from(part) / 255.0),
            Self::Among { points: [a, b, c], weights: [u, v] } => {
                let (u, v) = (f32::from(u) / 255.0, f32::from(v) / 255.0);
                point(a) * (1.0 - u - v) + point(b) * u + point(c) * v
            }
        }
    }
}

/// Returns the positions of points. Each may refer to the points before it.
pub fn positions(points: &[Point]) -> Vec<Vec3> {
    let mut positions = Vec::with_capacity(points.len());
    for point in points {
        positions.push(point.get(&positions));
    }
    positions
}

/// A ray.
#[derive(Clone, Copy, Debug, Arbitrary)]
pub struct Aim {
    origin: Point,
    direction: Direction,
    range: Range,
}

#[derive(Clone, Copy, Debug, Arbitrary)]
enum Direction {
    Free(Vector),
    Towards(Point),
    Axis(u8),
}

#[derive(Clone, Copy, Debug, Arbitrary)]
enum Range {
    Ahead,
    Segment,
    Line,
    Free(Number, Number),
}

impl Aim {
    /// Returns the ray, given the points that it may refer to.
    pub fn ray(&self, points: &[Vec3]) -> Ray {
        let origin = self.origin.get(points);
        let direction = match self.direction {
            Direction::Free(numbers) => vector(numbers),
            Direction::Towards(point) => point.get(points) - origin,
            Direction::Axis(axis) => {
                let sign = if axis < 128 { 1.0 } else { -1.0 };
                Vec3::AXES[usize::from(axis % 3)] * sign
            }
        };
        let ray = Ray::with_direction(origin, direction);
        match self.range {
            Range::Ahead => ray,
            Range::Segment => ray.with_range(0.0, 1.0),
            Range::Line => ray.with_range(f32::NEG_INFINITY, f32::INFINITY),
            Range::Free(t_min, t_max) => ray.with_range(t_min.get(), t_max.get()),
        }
    }
}
