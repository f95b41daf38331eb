//! The choices of a question to a scene. They decide which entities and surfaces are accepted, and how.

pub use crate::answers::HsCandidate;
use crate::facts::{HS_NO_TRIANGLE, HsSide};
use crate::pointer::{User, put_sized, sized, slice};
use crate::ray::{choice, cull, cut_outs, inside};
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, guard};
use hitscan::glam::DVec3;
use hitscan::query::{Candidate, RayView, SightView, SweepView};
use hitscan::{ContactFilter, CutOuts, Filter, Inside, RayQueries, SweepQueries, View};
use std::ffi::c_void;
use std::mem::offset_of;

/// The contacts of a moving volume that are reported.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsContacts {
    /// All contacts.
    All = 0,
    /// Contacts that stop the motion. A contact at the start is ignored if the volume moves away from the surface or
    /// along it.
    Ahead = 1,
}

impl HsCandidate {
    fn new(candidate: &Candidate<'_, u64>) -> Self {
        let uv = candidate.uv.unwrap_or_default();
        Self {
            key: candidate.id,
            t: candidate.t,
            u: uv.x,
            v: uv.y,
            texcoord: candidate.texcoord().unwrap_or_default().to_array(),
            part: candidate.part,
            triangle: candidate.triangle.unwrap_or(HS_NO_TRIANGLE),
            side: HsSide::from(candidate.side) as i32,
        }
    }
}

/// Decides whether an entity counts: 0 means no.
pub type HsEntityChoice = Option<unsafe extern "C" fn(user: *mut c_void, key: u64) -> i32>;

/// Decides whether a hit counts: 0 means no.
pub type HsHitChoice = Option<unsafe extern "C" fn(user: *mut c_void, candidate: *const HsCandidate) -> i32>;

/// The choices of a question to a scene. `hs_filter_init` makes a filter that accepts everything. A null pointer means
/// the same.
///
/// The question ignores an entity that its filter leaves out. The entity is not hit, and hides nothing behind it. To find the first enemy that no wall hides,
/// let the filter accept walls too. Then check whether the key that is found belongs to an enemy.
///
/// The callbacks of a batch are called from several threads at once. They must return, and must not change the scene.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsFilter {
    /// The size of this struct, which `hs_filter_init` sets.
    pub size: usize,
    /// The accepted layers, a bit each. At first all are accepted.
    pub layers: u32,
    /// The side of surfaces that is ignored, an `HsCull`.
    pub cull: i32,
    /// The answer for rays that start inside of a solid, an `HsInside`.
    pub inside: i32,
    /// The meaning of holes for rays, an `HsCutOuts`.
    pub cut_outs: i32,
    /// The contacts of a moving volume that are reported, an `HsContacts`.
    pub contacts: i32,
    /// This must be zero.
    pub reserved: u32,
    /// The keys of the entities that are ignored.
    pub exclude: *const u64,
    /// The number of keys in `exclude`.
    pub exclude_count: usize,
    /// Decides which entities can be hit. Null accepts all entities. It is called at most once for each part that is
    /// near.
    pub entities: HsEntityChoice,
    /// Decides which hits are accepted. Null accepts all hits. It is called for each possible hit.
    pub hits: HsHitChoice,
    /// The first argument of both callbacks.
    pub user: *mut c_void,
    /// The origin that rays, points, poses and answers are relative to; at first the origin of the world.
    pub origin: [f64; 3],
    /// The gap that `safe_t` and `slide` of a sweep leave to the surface; at first 0.
    pub skin: f64,
}

const EVERYTHING: HsFilter = HsFilter {
    size: size_of::<HsFilter>(),
    layers: u32::MAX,
    cull: 0,
    inside: 0,
    cut_outs: 0,
    contacts: 0,
    reserved: 0,
    exclude: std::ptr::null(),
    exclude_count: 0,
    entities: None,
    hits: None,
    user: std::ptr::null_mut(),
    origin: [0.0; 3],
    skin: 0.0,
};

/// The size of this struct in the first version of the library.
const LEAST: usize = offset_of!(HsFilter, skin) + size_of::<f64>();

/// Makes a filter that accepts everything. `size` is `sizeof(HsFilter)`.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_filter_init(filter: *mut HsFilter, size: usize) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        unsafe { put_sized(filter, size, LEAST, &HsFilter { size, ..EVERYTHING }, "filter") }?;
        Ok(HsStatus::Ok)
    })
}

/// The choices that the caller gave, in the library's types.
pub(crate) struct Choices<'a> {
    pub(crate) filter: Filter<'a, u64>,
    inside: Inside,
    cut_outs: CutOuts,
    contacts: ContactFilter,
    origin: DVec3,
    skin: f64,
}

/// The names of a filter and of its exclusions in error messages.
pub(crate) struct FilterName {
    pub(crate) filter: &'static str,
    pub(crate) exclude: &'static str,
}

/// The choices of a question; `None` without a filter.
pub(crate) struct Asked<'a>(Option<Choices<'a>>);

impl<'a> Asked<'a> {
    /// Reads a filter, which may be null.
    ///
    /// # Safety
    /// A pointer that is not null is to a filter, whose pointers are valid.
    #[inline(always)]
    pub(crate) unsafe fn new(filter: *const HsFilter) -> Result<Self, Failure> {
        // SAFETY: The caller guarantees it.
        unsafe { Self::named(filter, &FilterName { filter: "filter", exclude: "filter->exclude" }) }
    }

    /// Reads a filter, which may be null.
    ///
    /// # Safety
    /// A pointer that is not null is to a filter, whose pointers are valid.
    #[inline(always)]
    pub(crate) unsafe fn named(filter: *const HsFilter, name: &FilterName) -> Result<Self, Failure> {
        // SAFETY: The caller guarantees it.
        Ok(Self(if filter.is_null() { None } else { Some(unsafe { Choices::read(filter, name) }?) }))
    }

    /// Returns the scene with the choices of all questions.
    #[inline(always)]
    pub(crate) fn view(&'a self, scene: &'a HsScene) -> View<'a, u64> {
        match &self.0 {
            None => View::from(&scene.0),
            Some(choices) => scene.0.with(&choices.filter).relative_to(choices.origin),
        }
    }

    /// Returns the scene with the choices of rays.
    #[inline(always)]
    pub(crate) fn rays(&'a self, scene: &'a HsScene) -> RayView<'a, u64> {
        let view = self.view(scene);
        match &self.0 {
            None => view.when_inside(Inside::Exit),
            Some(choices) => view.when_inside(choices.inside).cut_outs(choices.cut_outs),
        }
    }

    /// Returns the scene with the choices of moving volumes.
    pub(crate) fn sweeps(&'a self, scene: &'a HsScene) -> SweepView<'a, u64> {
        let contacts = self.0.as_ref().map_or(ContactFilter::All, |choices| choices.contacts);
        self.view(scene).contact_filter(contacts)
    }

    /// Returns the scene with two filters: this one selects the entities that are found, and `hides` the entities that
    /// hide them.
    pub(crate) fn sight(&'a self, hides: &'a Asked<'a>, scene: &'a HsScene) -> SightView<'a, u64> {
        let view = self.view(scene);
        hides.filter().map_or(view.into(), |hides| view.hidden_by(hides))
    }

    /// Returns the filter of entities and sides, if there is one.
    pub(crate) fn filter(&'a self) -> Option<&'a Filter<'a, u64>> {
        self.0.as_ref().map(|choices| &choices.filter)
    }

    pub(crate) fn skin(&self) -> f64 {
        self.0.as_ref().map_or(0.0, |choices| choices.skin)
    }
}

impl Choices<'_> {
    #[inline(never)]
    unsafe fn read(pointer: *const HsFilter, name: &FilterName) -> Result<Self, Failure> {
        // SAFETY: The caller guarantees it.
        let given = unsafe { sized(pointer, LEAST, EVERYTHING, name.filter) }?;
        if given.reserved != 0 {
            return Err(Failure::argument(format!(
                "`{}->reserved` is not 0: make the filter by hs_filter_init",
                name.filter
            )));
        }
        let origin = DVec3::from_array(given.origin);
        if !origin.is_finite() || !given.skin.is_finite() {
            return Err(Failure::argument(format!("the origin and the skin of `{}` must be finite", name.filter)));
        }
        // SAFETY: The caller guarantees it.
        let excluded = unsafe { slice(given.exclude, given.exclude_count, name.exclude) }?;
        let filter = Filter::new().layers(given.layers).cull(cull(given.cull)?);
        let mut filter = excluded.iter().fold(filter, |filter, key| filter.exclude(*key));
        let user = User(given.user);
        if let Some(choice) = given.entities {
            // SAFETY: The caller guarantees that the callback may be called.
            filter = filter.entities(move |key| unsafe { choice(user.data(), key) } != 0);
        }
        if let Some(choice) = given.hits {
            filter = filter.hits(move |found| {
                let candidate = HsCandidate::new(found);
                // SAFETY: The caller guarantees that the callback may be called; the candidate lives as long as the call.
                unsafe { choice(user.data(), &raw const candidate) != 0 }
            });
        }
        Ok(Self {
            filter,
            inside: inside(given.inside)?,
            cut_outs: cut_outs(given.cut_outs)?,
            contacts: choice(given.contacts, "contacts", &[ContactFilter::All, ContactFilter::Ahead])?,
            origin,
            skin: given.skin,
        })
    }
}
