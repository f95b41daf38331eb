//! Rays, hits and the choices of rays.

pub use crate::answers::HsHit;
use crate::facts::{HS_NO_TRIANGLE, HsSide};
use crate::pointer::{numbers, place, shared};
use crate::status::{Failure, HsStatus, guard, guard_value};
use hitscan::glam::Vec3;
use hitscan::query::ShapeHit;
use hitscan::{Cull, CutOuts, Hit, Inside, MeshHit, Ray};
use std::mem::offset_of;

#[rustfmt::skip]
pub mod functions;

/// A ray or segment: the points origin + t * direction for t_min <= t <= t_max, both ends included. `hs_ray_new`,
/// `hs_ray_with_direction` and `hs_ray_between` make one.
///
/// t is in units of the direction's length. A ray hits nothing if it has a NaN, an infinite origin, a zero or
/// infinite direction, or t_min > t_max. `hs_ray_validate` says which of these it is.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsRay {
    /// The point at t = 0.
    pub origin: [f32; 3],
    /// The smallest t that counts as a hit, usually 0.
    pub t_min: f32,
    /// The direction of growing t; its length is the unit of t.
    pub direction: [f32; 3],
    /// The largest t that counts as a hit, usually `INFINITY`.
    pub t_max: f32,
}

const _: () = {
    assert!(size_of::<HsRay>() == size_of::<Ray>() && align_of::<HsRay>() == align_of::<Ray>());
    assert!(offset_of!(HsRay, origin) == offset_of!(Ray, origin) && offset_of!(HsRay, t_min) == offset_of!(Ray, t_min));
    assert!(offset_of!(HsRay, direction) == offset_of!(Ray, direction));
    assert!(offset_of!(HsRay, t_max) == offset_of!(Ray, t_max));
};

impl HsRay {
    #[inline(always)]
    pub(crate) fn as_ray(&self) -> &Ray {
        // SAFETY: Both types have the same fields at the same offsets, as the assertions above check.
        unsafe { &*std::ptr::from_ref(self).cast::<Ray>() }
    }
}

impl From<Ray> for HsRay {
    fn from(ray: Ray) -> Self {
        let Ray { origin, t_min, direction, t_max } = ray;
        Self { origin: origin.to_array(), t_min, direction: direction.to_array(), t_max }
    }
}

/// The side of surfaces that is ignored.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsCull {
    /// Both sides are hit.
    None = 0,
    /// Back sides and the exits of solids are ignored.
    Back = 1,
    /// Front sides and the entries of solids are ignored.
    Front = 2,
}

/// The answer for a ray that starts inside of a solid.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsInside {
    /// The ray hits the exit.
    Exit = 0,
    /// The ray hits the solid at once, at t_min.
    Solid = 1,
    /// The ray does not hit the solid.
    Ignore = 2,
}

/// The meaning of the holes of cut-out meshes.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsCutOuts {
    /// Rays pass through the holes.
    Open = 0,
    /// Rays hit the triangles, holes or not.
    Solid = 1,
}

#[cold]
fn unknown(value: i32, name: &str, most: i32) -> Failure {
    Failure::argument(format!("`{name}` is {value}, which is no enumerator: it must be from 0 to {most}"))
}

/// Reads an enumerator that the caller gave as a number.
pub(crate) fn choice<T: Copy>(value: i32, name: &str, choices: &[T]) -> Result<T, Failure> {
    let chosen = usize::try_from(value).ok().and_then(|number| choices.get(number));
    chosen.copied().ok_or_else(|| unknown(value, name, choices.len() as i32 - 1))
}

#[inline(always)]
pub(crate) fn cull(value: i32) -> Result<Cull, Failure> {
    choice(value, "cull", &[Cull::None, Cull::Back, Cull::Front])
}

pub(crate) fn inside(value: i32) -> Result<Inside, Failure> {
    choice(value, "inside", &[Inside::Exit, Inside::Solid, Inside::Ignore])
}

pub(crate) fn cut_outs(value: i32) -> Result<CutOuts, Failure> {
    choice(value, "cut_outs", &[CutOuts::Open, CutOuts::Solid])
}

impl HsHit {
    pub(crate) const MISS: Self = Self {
        key: 0,
        t: f32::INFINITY,
        u: 0.0,
        v: 0.0,
        point: [0.0; 3],
        normal: [0.0; 3],
        part: 0,
        triangle: HS_NO_TRIANGLE,
        side: HsSide::None as i32,
    };
}

impl From<&Hit<u64>> for HsHit {
    #[inline(always)]
    fn from(hit: &Hit<u64>) -> Self {
        let uv = hit.uv.unwrap_or_default();
        Self {
            key: hit.id,
            t: hit.t,
            u: uv.x,
            v: uv.y,
            point: hit.point.to_array(),
            normal: hit.normal.to_array(),
            part: hit.part,
            triangle: hit.triangle.unwrap_or(HS_NO_TRIANGLE),
            side: HsSide::from(hit.side) as i32,
        }
    }
}

impl From<&MeshHit> for HsHit {
    #[inline(always)]
    fn from(hit: &MeshHit) -> Self {
        let uv = hit.uv();
        Self {
            key: 0,
            t: hit.t,
            u: uv.x,
            v: uv.y,
            point: hit.point().to_array(),
            normal: hit.normal().to_array(),
            part: 0,
            triangle: hit.triangle,
            side: HsSide::from(hit.side) as i32,
        }
    }
}

impl HsHit {
    /// Returns the hit of a shape by itself. The library's hit has no point, so this is computed from the ray.
    pub(crate) fn of_shape(hit: &ShapeHit, ray: &Ray) -> Self {
        let uv = hit.uv.unwrap_or_default();
        Self {
            t: hit.t,
            u: uv.x,
            v: uv.y,
            point: ray.at(hit.t).to_array(),
            normal: hit.normal.to_array(),
            side: HsSide::from(hit.side) as i32,
            ..Self::MISS
        }
    }
}

/// A ray that hits nothing.
const NOWHERE: HsRay = HsRay { origin: [f32::NAN; 3], t_min: 0.0, direction: [0.0; 3], t_max: 0.0 };

/// Returns the ray from a point along a direction, three numbers each. The direction is normalised, so that t is a
/// distance. If a pointer is null, the ray hits nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_ray_new(origin: *const f32, direction: *const f32) -> HsRay {
    guard_value(NOWHERE, || {
        // SAFETY: The caller keeps the rules of this crate.
        let [origin, direction] = unsafe { [vec3(origin, "origin")?, vec3(direction, "direction")?] };
        Ok(Ray::new(origin, direction).into())
    })
}

/// Returns the ray from a point along a direction as given: t is in units of the direction's length. If a pointer is
/// null, the ray hits nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_ray_with_direction(origin: *const f32, direction: *const f32) -> HsRay {
    guard_value(NOWHERE, || {
        // SAFETY: The caller keeps the rules of this crate.
        let [origin, direction] = unsafe { [vec3(origin, "origin")?, vec3(direction, "direction")?] };
        Ok(Ray::with_direction(origin, direction).into())
    })
}

/// Returns the segment between two points, three numbers each: t is 0 at `a` and 1 at `b`, both included. If a pointer
/// is null or the points are equal, the ray hits nothing.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_ray_between(a: *const f32, b: *const f32) -> HsRay {
    guard_value(NOWHERE, || {
        // SAFETY: The caller keeps the rules of this crate.
        let [a, b] = unsafe { [vec3(a, "a")?, vec3(b, "b")?] };
        Ok(Ray::between(a, b).into())
    })
}

/// Reads three numbers.
///
/// # Safety
/// The rules of [`numbers`] hold.
#[inline(always)]
pub(crate) unsafe fn vec3(pointer: *const f32, name: &str) -> Result<Vec3, Failure> {
    // SAFETY: The caller guarantees it.
    unsafe { numbers::<f32, 3>(pointer, name) }.map(Vec3::from)
}

/// Writes the t of the closest hit, or infinity for a miss.
pub(crate) fn answer_t(place: &mut std::mem::MaybeUninit<f32>, t: Option<f32>) -> HsStatus {
    place.write(t.unwrap_or(f32::INFINITY));
    if t.is_some() { HsStatus::Ok } else { HsStatus::None }
}

/// Writes the closest hit or a miss.
#[inline(always)]
pub(crate) fn answer(place: &mut std::mem::MaybeUninit<HsHit>, hit: Option<HsHit>) -> HsStatus {
    match hit {
        Some(hit) => {
            place.write(hit);
            HsStatus::Ok
        }
        None => {
            place.write(HsHit::MISS);
            HsStatus::None
        }
    }
}
