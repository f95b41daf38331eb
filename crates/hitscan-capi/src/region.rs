//! Regions of the window, and what they show.

pub use crate::answers::HsSelected;
use crate::camera::{HsCamera, HsViewport};
use crate::facts::HS_NO_TRIANGLE;
use crate::filter::{Asked, FilterName, HsFilter};
use crate::pointer::{Buffer, free, hand_out, handle_place, shared, slice};
use crate::ray::choice;
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, guard};
use hitscan::query::{RayView, SightView};
use hitscan::select::{Region, Rule, SelectedEdge, SelectedTriangle, SelectedVertex, Selector};

#[rustfmt::skip]
pub mod functions;

/// A region of the window: a handle, which `hs_region_free` frees.
pub struct HsRegion(Region);

/// The share of a thing that must be in a region.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsRule {
    /// A point of the thing, at least.
    Touching = 0,
    /// All of the thing.
    Inside = 1,
    /// The centre of the thing.
    Center = 2,
}

/// Makes a lasso from its corners, two floats each, in window pixels.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_region_lasso(corners: *const f32, count: usize, region: *mut *mut HsRegion) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (region, corners) =
            unsafe { (handle_place(region, "region")?, slice(corners.cast::<[f32; 2]>(), count, "corners")?) };
        hand_out(region, HsRegion(Region::lasso(corners).map_err(Failure::input)?))
    })
}

/// Frees a region; null is allowed.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_region_free(region: *mut HsRegion) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(region) }
}

/// A selection: what a region shows through a camera.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsSelection {
    /// The region.
    pub region: *const HsRegion,
    /// The camera that shows the scene.
    pub camera: *const HsCamera,
    /// The viewport with the camera's picture.
    pub viewport: HsViewport,
    /// The share of a thing that must be in the region, an `HsRule`.
    pub rule: i32,
    /// 0 selects hidden things, too. Otherwise only things that the ray through a sample hits first are selected, and
    /// the samples are this many pixels apart. A thing that the filter leaves out hides nothing, unless `hidden_by` says
    /// otherwise.
    pub visible_spacing: f32,
    /// The filter of the entities that hide others, whether they are selected or not. If it is null, the entities that
    /// pass the question's filter hide others. With this filter, a ray goes on to the first hit on something that hides others. It selects all that it hits up
    /// to there. Only the layers, the sides, the exclusions and the callbacks of this filter are used; the question's filter decides everything else.
    pub hidden_by: *const HsFilter,
}

impl HsSelection {
    /// Returns the library's selector.
    ///
    /// # Safety
    /// Its pointers are valid or null.
    unsafe fn selector(&self) -> Result<Selector, Failure> {
        // SAFETY: The caller guarantees it.
        let (region, camera) =
            unsafe { (shared(self.region, "selection->region")?, shared(self.camera, "selection->camera")?) };
        let rule = choice(self.rule, "rule", &[Rule::Touching, Rule::Inside, Rule::Center])?;
        let selector = Selector::new(&camera.0, self.viewport.viewport(), &region.0).rule(rule);
        if self.visible_spacing == 0.0 {
            return Ok(selector);
        }
        selector.visible(self.visible_spacing).map_err(Failure::input)
    }
}

const HIDDEN_BY: FilterName = FilterName { filter: "selection->hidden_by", exclude: "selection->hidden_by->exclude" };

/// Asks a selector, and fills the caller's buffer.
///
/// # Safety
/// The pointers are valid or null.
unsafe fn select<A, B>(
    scene: *const HsScene,
    selection: *const HsSelection,
    filter: *const HsFilter,
    (items, capacity, count): (*mut B, usize, *mut usize),
    ask: impl FnOnce(&Selector, SightView<'_, u64, RayView<'_, u64>>, &mut Vec<A>),
    convert: impl Fn(&A) -> B,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller guarantees it.
        let (scene, selection, asked) =
            unsafe { (shared(scene, "scene")?, shared(selection, "selection")?, Asked::new(filter)?) };
        // SAFETY: The caller guarantees it.
        let (selector, hides) = unsafe { (selection.selector()?, Asked::named(selection.hidden_by, &HIDDEN_BY)?) };
        // SAFETY: The caller guarantees it.
        let buffer = unsafe { Buffer::new(items, capacity, count) }?;
        let mut found = Vec::new();
        let view = asked.rays(scene);
        ask(&selector, hides.filter().map_or(view.into(), |hides| view.hidden_by(hides)), &mut found);
        Ok(buffer.fill(found.iter().map(convert)))
    })
}

/// Finds the entities that a selection shows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_select_entities(
    scene: *const HsScene,
    selection: *const HsSelection,
    filter: *const HsFilter,
    keys: *mut u64,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    let buffer = (keys, capacity, count);
    // SAFETY: The caller keeps the rules of this crate.
    unsafe {
        select(scene, selection, filter, buffer, |selector, view, found| selector.entities(view, found), |id| *id)
    }
}

/// Finds the triangles that a selection shows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_select_triangles(
    scene: *const HsScene,
    selection: *const HsSelection,
    filter: *const HsFilter,
    triangles: *mut HsSelected,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    let selected = |&SelectedTriangle { id: key, part, triangle: number, .. }: &SelectedTriangle<u64>| HsSelected {
        key,
        part,
        number,
        second: HS_NO_TRIANGLE,
    };
    let buffer = (triangles, capacity, count);
    // SAFETY: The caller keeps the rules of this crate.
    unsafe {
        select(scene, selection, filter, buffer, |selector, view, found| selector.triangles(view, found), selected)
    }
}

/// Finds the vertices that a selection shows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_select_vertices(
    scene: *const HsScene,
    selection: *const HsSelection,
    filter: *const HsFilter,
    vertices: *mut HsSelected,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    let selected = |&SelectedVertex { id: key, part, vertex: number, .. }: &SelectedVertex<u64>| HsSelected {
        key,
        part,
        number,
        second: HS_NO_TRIANGLE,
    };
    let buffer = (vertices, capacity, count);
    // SAFETY: The caller keeps the rules of this crate.
    unsafe {
        select(scene, selection, filter, buffer, |selector, view, found| selector.vertices(view, found), selected)
    }
}

/// Finds the edges that a selection shows.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_select_edges(
    scene: *const HsScene,
    selection: *const HsSelection,
    filter: *const HsFilter,
    edges: *mut HsSelected,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    let selected = |&SelectedEdge { id: key, part, vertices: [number, second], .. }: &SelectedEdge<u64>| HsSelected {
        key,
        part,
        number,
        second,
    };
    let buffer = (edges, capacity, count);
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { select(scene, selection, filter, buffer, |selector, view, found| selector.edges(view, found), selected) }
}
