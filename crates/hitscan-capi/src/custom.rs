//! Shapes of the caller's own: callbacks cast rays at them.

pub use crate::answers::HsCustomRay;
use crate::facts::HsSide;
use crate::pointer::{User, free, hand_out, handle_place, place, shared};
use crate::ray::{HsHit, HsRay, answer, inside, vec3};
use crate::status::{Failure, HsStatus, guard, guard_value};
use hitscan::custom::{Custom, CustomHit, CustomRay, CustomShape};
use hitscan::error::ShapeError;
use hitscan::glam::{DVec3, Vec2};
use hitscan::{Aabb, Side};
use std::ffi::c_void;
use std::ops::ControlFlow;

/// A shape of the caller's own, such as a distance field or voxels: a handle, which `hs_custom_free` frees. A scene shares
/// the shapes that are put into it, so the handle may be freed after that. Rays hit it, and volumes pass through it.
pub struct HsCustom(pub(crate) Custom);

/// A crossing of a ray with the surface of a custom shape, in the shape's own space.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsCustomHit {
    /// The distance along the ray, in units of its direction.
    pub t: f64,
    /// The outward (front) normal, of any length.
    pub normal: [f64; 3],
    /// The first coordinate on the surface, which an `HsHit` reports.
    pub u: f32,
    /// The second coordinate on the surface.
    pub v: f32,
    /// The side that the ray hits, `HS_SIDE_FRONT` or `HS_SIDE_BACK`.
    pub side: i32,
}

/// Takes a crossing from a custom shape. `sink` is the pointer that the callback of the shape was given. Returns 0 if no
/// further crossing matters.
pub type HsOffer = Option<unsafe extern "C" fn(sink: *mut c_void, hit: *const HsCustomHit) -> i32>;

/// Casts a ray at a custom shape. It calls `offer` for each crossing of the surface in the ray's closed range, in the order of t, until `offer` returns 0. The
/// same ray must have the same crossings every time, and their sides must alternate as on a solid. Crossings that break these rules, or that are outside of the
/// bounds, are left out.
pub type HsCustomCast =
    Option<unsafe extern "C" fn(user: *mut c_void, ray: *const HsCustomRay, offer: HsOffer, sink: *mut c_void)>;

/// Frees the data of a custom shape.
pub type HsCustomFree = Option<unsafe extern "C" fn(user: *mut c_void)>;

/// The callbacks of a custom shape, and the box around it. It frees the caller's data when it is dropped.
struct Callbacks {
    bounds: Aabb,
    cast: unsafe extern "C" fn(*mut c_void, *const HsCustomRay, HsOffer, *mut c_void),
    free: HsCustomFree,
    user: User,
}

impl Drop for Callbacks {
    fn drop(&mut self) {
        if let Some(free) = self.free {
            // SAFETY: The caller guarantees that the callback may be called, and nobody else has the data any more.
            unsafe { free(self.user.data()) }
        }
    }
}

/// The place to which crossings are offered.
struct Sink<'a>(&'a mut dyn FnMut(CustomHit) -> ControlFlow<()>);

/// # Safety
/// The pointer is to a [`Sink`] that nothing else uses, and a hit that is not null is valid.
unsafe extern "C" fn offer(sink: *mut c_void, hit: *const HsCustomHit) -> i32 {
    guard_value(0, || {
        // SAFETY: The caller guarantees it.
        let (sink, hit) = unsafe { (&mut *sink.cast::<Sink<'_>>(), shared(hit, "hit")?) };
        let side = match hit.side {
            side if side == HsSide::Front as i32 => Side::Front,
            side if side == HsSide::Back as i32 => Side::Back,
            // No crossing has this side, so the hit is left out.
            _ => Side::Inside,
        };
        let found = CustomHit::new(hit.t, DVec3::from_array(hit.normal), side);
        Ok((sink.0)(CustomHit { uv: Some(Vec2::new(hit.u, hit.v)), ..found }).is_continue().into())
    })
}

impl CustomShape for Callbacks {
    fn bounds(&self) -> Aabb {
        self.bounds
    }

    fn cast(&self, ray: &CustomRay, take: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {
        let (ray, mut sink) = (HsCustomRay::from(ray), Sink(take));
        let place = (&raw mut sink).cast::<c_void>();
        // SAFETY: The caller guarantees that the callback may be called; the ray and the sink live as long as the call.
        unsafe { (self.cast)(self.user.data(), &raw const ray, Some(offer), place) }
    }
}

/// Makes a shape of the caller's own, given its bounding box and the function that casts rays at it. The corners of the
/// box are three floats each, which may be infinite, and the box contains all of the surface. `user` is the first
/// argument of `cast` and of `free`. `free`, which may be null, is called once, when the handle is freed and no scene
/// or snapshot has the shape any more. It is not called after an error. Several threads call `cast` at once; it must
/// return, and must not change a scene.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_custom_new(
    min: *const f32,
    max: *const f32,
    cast: HsCustomCast,
    user: *mut c_void,
    free: HsCustomFree,
    custom: *mut *mut HsCustom,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (custom, min, max) = unsafe { (handle_place(custom, "custom")?, vec3(min, "min")?, vec3(max, "max")?) };
        let null = || Failure::new(HsStatus::Null, "`cast` is null: pass the function that casts rays at the shape");
        let (cast, bounds) = (cast.ok_or_else(null)?, Aabb { min, max });
        if bounds.is_empty() {
            return Err(Failure::input(ShapeError::EmptyBox { min, max }));
        }
        hand_out(custom, HsCustom(Custom::new(Callbacks { bounds, cast, free, user: User(user) })))
    })
}

/// Frees the handle of a custom shape; null is allowed. Scenes that share the shape keep it.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_custom_free(custom: *mut HsCustom) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(custom) }
}

/// Finds the hit of a ray on a custom shape in the shape's own space, as a scene would; `when_inside` is an `HsInside`. The
/// status is `HS_STATUS_NONE` for a miss.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_custom_cast(
    custom: *const HsCustom,
    ray: *const HsRay,
    when_inside: i32,
    hit: *mut HsHit,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (custom, ray, hit) =
            unsafe { (shared(custom, "custom")?, shared(ray, "ray")?.as_ray(), place(hit, "hit")?) };
        let found = custom.0.when_inside(inside(when_inside)?).cast(ray);
        Ok(answer(hit, found.map(|found| HsHit::of_shape(&found, ray))))
    })
}
