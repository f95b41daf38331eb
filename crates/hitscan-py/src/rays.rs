//! Arrays of rays: origins, directions and ranges, of which each has one value for all rays or one for each ray.

use crate::arguments::power_to_unit;
use crate::error;
use crate::input::{FloatSlice, Floats, KeptVectors, VectorSlice, Vectors, row_name, shape_text, vector_text};
use hitscan::glam::DVec3;
use hitscan::{Cull, CutOuts, Inside, Ray};
use pyo3::prelude::*;
use std::sync::atomic::{AtomicUsize, Ordering};

/// The arrays of a call.
pub(crate) struct RayArrays<'py> {
    origins: Vectors<'py>,
    directions: Vectors<'py>,
    t_min: Option<Floats<'py>>,
    t_max: Option<Floats<'py>>,
    /// The shape of the answers.
    pub(crate) shape: Vec<usize>,
}

/// The treatment of rays that can hit nothing.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(crate) enum Unusable {
    Raise,
    Miss,
}

impl Unusable {
    pub(crate) fn new(word: &str) -> PyResult<Self> {
        match word {
            "raise" => Ok(Self::Raise),
            "miss" => Ok(Self::Miss),
            _ => Err(error::value(format!("invalid is {word:?}, but must be \"raise\" or \"miss\""))),
        }
    }
}

/// Returns the side that rays go through.
pub(crate) fn cull(word: &str) -> PyResult<Cull> {
    match word {
        "none" => Ok(Cull::None),
        "back" => Ok(Cull::Back),
        "front" => Ok(Cull::Front),
        _ => Err(error::value(format!("cull is {word:?}, but must be \"none\", \"back\" or \"front\""))),
    }
}

/// Returns the choice for rays that start inside of a solid.
pub(crate) fn inside(word: &str) -> PyResult<Inside> {
    match word {
        "exit" => Ok(Inside::Exit),
        "solid" => Ok(Inside::Solid),
        "ignore" => Ok(Inside::Ignore),
        _ => Err(error::value(format!("inside is {word:?}, but must be \"exit\", \"solid\" or \"ignore\""))),
    }
}

/// Returns whether rays go through the holes of cut-out textures.
pub(crate) fn cut_outs(word: &str) -> PyResult<CutOuts> {
    match word {
        "open" => Ok(CutOuts::Open),
        "solid" => Ok(CutOuts::Solid),
        _ => Err(error::value(format!("cut_outs is {word:?}, but must be \"open\" or \"solid\""))),
    }
}

impl<'py> RayArrays<'py> {
    pub(crate) fn new(
        origins: &Bound<'py, PyAny>,
        directions: &Bound<'py, PyAny>,
        t_min: Option<&Bound<'py, PyAny>>,
        t_max: Option<&Bound<'py, PyAny>>,
    ) -> PyResult<Self> {
        let (origins, directions) = (Vectors::new(origins, "origins")?, Vectors::new(directions, "directions")?);
        let shape = match (&origins.shape[..], &directions.shape[..]) {
            ([], shape) | (shape, []) => shape.to_vec(),
            (one, other) if one == other => one.to_vec(),
            (one, other) => {
                let [one, other] = [one, other].map(|shape| shape_text(&[shape, &[3]].concat()));
                return Err(error::value(format!(
                    "origins has the shape {one} and directions {other}: give one origin for each direction, or a single \
                     one, of shape (3,), for all"
                )));
            }
        };
        let bound = |value: Option<&Bound<'py, PyAny>>, name: &str| match value {
            None => Ok(None),
            Some(value) => {
                let floats = Floats::new(value, name)?;
                if floats.shape().is_empty() || floats.shape() == shape {
                    return Ok(Some(floats));
                }
                let [given, wanted] = [floats.shape(), &shape].map(shape_text);
                Err(error::value(format!(
                    "{name} has the shape {given}, but must be one number, or one for each ray, of shape {wanted}"
                )))
            }
        };
        let count = shape.iter().product::<usize>();
        if u32::try_from(count).is_err() {
            return Err(error::value(format!("there are {count} rays, but a call takes fewer than 2^32: divide them")));
        }
        Ok(Self { t_min: bound(t_min, "t_min")?, t_max: bound(t_max, "t_max")?, origins, directions, shape })
    }

    pub(crate) fn count(&self) -> usize {
        self.shape.iter().product()
    }

    /// Returns the rays relative to an origin.
    pub(crate) fn rays(&self, origin: DVec3) -> PyResult<Rays<'_>> {
        Ok(Rays {
            origins: self.origins.slice()?,
            directions: self.directions.slice()?,
            t_min: Limit::new(self.t_min.as_ref(), 0.0)?,
            t_max: Limit::new(self.t_max.as_ref(), f32::INFINITY)?,
            origin,
            count: self.count(),
        })
    }

    /// Returns the exception for a ray that can hit nothing.
    pub(crate) fn fault(&self, place: usize) -> PyErr {
        let fault = || -> PyResult<String> {
            let rays = self.rays(DVec3::ZERO)?;
            let row = |name: &str, vectors: &Vectors<'_>| row_name(name, &vectors.shape, place);
            let (origin, direction) = (rays.origins.get_or_only(place), rays.directions.get_or_only(place));
            let (origin_text, direction_text) = (vector_text(origin), vector_text(direction));
            if !origin.as_vec3().is_finite() {
                let name = row("origins", &self.origins);
                return Ok(format!("{name} is {origin_text}: an origin must be finite, in float32 too"));
            }
            if !direction.is_finite() || direction == DVec3::ZERO {
                let name = row("directions", &self.directions);
                return Ok(format!("{name} is {direction_text}: a direction must be finite and not zero"));
            }
            let [low, high] = rays.range(place);
            let name = row_name("ray", &self.shape, place);
            Ok(format!("{name} has t_min {low} and t_max {high}: t_min must not be above t_max, and neither be NaN"))
        };
        match fault() {
            Ok(fault) => error::value(format!("{fault} (invalid=\"miss\" lets such rays hit nothing)")),
            Err(error) => error,
        }
    }
}

/// An end of the ranges of t.
#[derive(Clone, Copy)]
enum Limit<'a> {
    All(f32),
    Each(FloatSlice<'a>),
}

impl<'a> Limit<'a> {
    fn new(floats: Option<&'a Floats<'_>>, otherwise: f32) -> PyResult<Self> {
        let Some(floats) = floats else { return Ok(Self::All(otherwise)) };
        let slice = floats.slice()?;
        Ok(if floats.shape().is_empty() { Self::All(slice.get(0) as f32) } else { Self::Each(slice) })
    }

    #[inline(always)]
    fn get(self, place: usize) -> f32 {
        match self {
            Self::All(limit) => limit,
            Self::Each(limits) => limits.get(place) as f32,
        }
    }
}

/// Rays that can be read without the interpreter's lock.
#[derive(Clone, Copy)]
pub(crate) struct Rays<'a> {
    origins: VectorSlice<'a>,
    directions: VectorSlice<'a>,
    t_min: Limit<'a>,
    t_max: Limit<'a>,
    pub(crate) origin: DVec3,
    pub(crate) count: usize,
}

impl Rays<'_> {
    /// Returns the ray at an index, relative to the origin, rounded to f32 once.
    #[inline(always)]
    pub(crate) fn get(&self, place: usize) -> Ray {
        let [origin, direction] = self.line(place);
        let [low, high] = self.scaled_range(place);
        Ray::with_direction(origin.as_vec3(), direction.as_vec3()).with_range(low, high)
    }

    /// Returns a ray's start relative to the common origin, and its direction, scaled if it is beyond the range of float32.
    #[inline(always)]
    pub(crate) fn line(&self, place: usize) -> [DVec3; 2] {
        [self.origins.get_or_only(place) - self.origin, scaled(self.directions.get_or_only(place)).0]
    }

    /// Returns the t of a hit of the ray that [`get`](Self::get) returns, in multiples of the direction that was given.
    #[inline(always)]
    pub(crate) fn given_t(&self, place: usize, t: f32) -> f32 {
        match scaled(self.directions.get_or_only(place)).1 {
            1.0 => t,
            _ if t.is_infinite() => t,
            // A hit has a finite t, even if the exact value is beyond float32.
            power => ((f64::from(t) * power) as f32).min(f32::MAX),
        }
    }

    /// Returns the ray at an index. If it can hit nothing, and such rays must raise, it is noted in `fault`.
    #[inline(always)]
    pub(crate) fn checked(&self, place: usize, unusable: Unusable, fault: &FirstFault) -> Ray {
        let ray = self.get(place);
        if unusable == Unusable::Raise && ray.validate().is_err() {
            fault.put(place);
        }
        ray
    }

    /// Returns `count` rays from an index on.
    pub(crate) fn gather(&self, start: usize, count: usize, unusable: Unusable, fault: &FirstFault) -> Vec<Ray> {
        (start..start + count).map(|place| self.checked(place, unusable, fault)).collect()
    }

    /// Returns the lines of the rays, for answers that are computed later: the caller may change the arrays meanwhile.
    pub(crate) fn kept(&self) -> KeptRays {
        KeptRays { origins: self.origins.kept(), directions: self.directions.kept(), origin: self.origin }
    }

    /// Returns the range of t in multiples of the direction of [`line`](Self::line).
    #[inline(always)]
    fn scaled_range(&self, place: usize) -> [f32; 2] {
        match scaled(self.directions.get_or_only(place)).1 {
            1.0 => self.range(place),
            power => self.range(place).map(|end| (f64::from(end) / power) as f32),
        }
    }

    #[inline(always)]
    fn range(&self, place: usize) -> [f32; 2] {
        [self.t_min.get(place), self.t_max.get(place)]
    }
}

/// Returns a direction scaled so that float32 holds it with full precision, and the power of two by which it was scaled: 1 unless the given direction
/// is very short or very long.
#[inline(always)]
fn scaled(direction: DVec3) -> (DVec3, f64) {
    /// Directions whose largest component is from 2^-100 to 2^100 are taken as they are.
    const USUAL: std::ops::Range<f64> = 7.888609052210118e-31..1.2676506002282294e30;
    if USUAL.contains(&direction.abs().max_element()) {
        return (direction, 1.0);
    }
    let power = power_to_unit(direction.to_array());
    (direction * power, power)
}

/// Copies of the lines of rays, relative to an origin.
pub(crate) struct KeptRays {
    origins: KeptVectors,
    directions: KeptVectors,
    origin: DVec3,
}

impl KeptRays {
    /// Returns the line of the ray at an index, as [`Rays::line`] does.
    pub(crate) fn line(&self, place: usize) -> [DVec3; 2] {
        let directions = self.directions.slice();
        [self.origins.slice().get_or_only(place) - self.origin, scaled(directions.get_or_only(place)).0]
    }
}

/// The smallest index of a fault that several threads find.
pub(crate) struct FirstFault(AtomicUsize);

impl FirstFault {
    pub(crate) const fn new() -> Self {
        Self(AtomicUsize::new(usize::MAX))
    }

    pub(crate) fn put(&self, place: usize) {
        self.0.fetch_min(place, Ordering::Relaxed);
    }

    pub(crate) fn take(self) -> Option<usize> {
        Some(self.0.into_inner()).filter(|&place| place != usize::MAX)
    }
}
