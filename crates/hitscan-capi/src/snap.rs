//! Picks with a tolerance in pixels: points of things that are near a cursor.

pub use crate::answers::{HsSnap, HsSnapTarget};
use crate::camera::{HsCamera, HsViewport};
use crate::facts::HS_NO_TRIANGLE;
use crate::filter::{Asked, FilterName, HsFilter};
use crate::pointer::{Buffer, place, shared, slice};
use crate::ray::{choice, cut_outs};
use crate::scene::HsScene;
use crate::status::{Failure, HsStatus, guard};
use hitscan::snap::{Cursor, Hidden, Snap, SnapKind, SnapTarget};

/// The kinds of points that a cursor snaps to, the most wanted first.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsSnapKind {
    /// A vertex of a mesh, a hull or a height field, or a point of a cloud or a line.
    Vertex = 0,
    /// The middle of an edge.
    Midpoint = 1,
    /// The centre of the flat face under the cursor.
    Center = 2,
    /// The point at which two edges cross on the screen.
    Crossing = 3,
    /// The foot of the perpendicular from the start point onto an edge.
    Perpendicular = 4,
    /// A point on an edge.
    Edge = 5,
    /// A point on an axis through the start point.
    Axis = 6,
    /// The point on the surface under the cursor.
    Face = 7,
}

const KINDS: [SnapKind; 8] = [
    SnapKind::Vertex,
    SnapKind::Midpoint,
    SnapKind::Center,
    SnapKind::Crossing,
    SnapKind::Perpendicular,
    SnapKind::Edge,
    SnapKind::Axis,
    SnapKind::Face,
];

/// The treatment of points that are behind a surface.
#[derive(Clone, Copy, Debug)]
#[repr(i32)]
pub enum HsHidden {
    /// Hidden points are skipped.
    Skip = 0,
    /// Hidden points are found, too.
    Keep = 1,
}

/// A cursor with a tolerance. Set all fields to zero, then set the fields that are needed.
#[derive(Clone, Copy, Debug)]
#[repr(C)]
pub struct HsCursor {
    /// The camera that shows the scene.
    pub camera: *const HsCamera,
    /// The viewport with the camera's picture.
    pub viewport: HsViewport,
    /// The place of the cursor, in window pixels.
    pub pixel: [f32; 2],
    /// The tolerance, in pixels.
    pub radius: f32,
    /// The treatment of hidden points, an `HsHidden`. A thing that the filter leaves out hides nothing, unless
    /// `hidden_by` says otherwise.
    pub hidden: i32,
    /// The meaning of holes, an `HsCutOuts`.
    pub cut_outs: i32,
    /// 1 if `start` is the start point of a line that is drawn, otherwise 0.
    pub has_start: i32,
    /// The start point.
    pub start: [f64; 3],
    /// The kinds that are wanted, an `HsSnapKind` each.
    pub kinds: *const i32,
    /// The number of kinds.
    pub kind_count: usize,
    /// 1 if points that are more than `depth_tolerance` behind the nearest point come last, otherwise 0.
    pub has_depth_tolerance: i32,
    /// The tolerance of depth, in world units.
    pub depth_tolerance: f64,
    /// The filter of the entities that hide others, whether the cursor snaps to them or not. If it is null, the entities
    /// that pass the question's filter hide others. Only the layers, the sides, the exclusions and the callbacks of this
    /// filter are used; the question's filter decides everything else.
    pub hidden_by: *const HsFilter,
}

impl HsCursor {
    /// Returns the library's cursor and the kinds.
    ///
    /// # Safety
    /// Its pointers are valid or null.
    unsafe fn cursor(&self) -> Result<(Cursor, Vec<SnapKind>), Failure> {
        // SAFETY: The caller guarantees it.
        let (camera, kinds) =
            unsafe { (shared(self.camera, "cursor->camera")?, slice(self.kinds, self.kind_count, "cursor->kinds")?) };
        let kinds = kinds.iter().map(|&kind| choice(kind, "kind", &KINDS)).collect::<Result<_, _>>()?;
        let hidden = choice(self.hidden, "hidden", &[Hidden::Skip, Hidden::Keep])?;
        let is_set = |value, name| choice(value, name, &[false, true]);
        let mut cursor = Cursor::new(&camera.0, self.viewport.viewport(), self.pixel, self.radius);
        cursor = cursor.hidden(hidden).cut_outs(cut_outs(self.cut_outs)?);
        if is_set(self.has_start, "has_start")? {
            cursor = cursor.from_start(self.start);
        }
        if is_set(self.has_depth_tolerance, "has_depth_tolerance")? {
            cursor = cursor.depth_tolerance(self.depth_tolerance);
        }
        Ok((cursor, kinds))
    }

    /// Returns the library's cursor and the kinds, and the filter of the entities that hide others.
    ///
    /// # Safety
    /// Its pointers are valid or null.
    unsafe fn with_what_hides(&self) -> Result<((Cursor, Vec<SnapKind>), Asked<'_>), Failure> {
        // SAFETY: The caller guarantees it.
        unsafe { Ok((self.cursor()?, Asked::named(self.hidden_by, &HIDDEN_BY)?)) }
    }
}

const HIDDEN_BY: FilterName = FilterName { filter: "cursor->hidden_by", exclude: "cursor->hidden_by->exclude" };

impl From<Option<SnapTarget<u64>>> for HsSnapTarget {
    fn from(target: Option<SnapTarget<u64>>) -> Self {
        const NO: u32 = HS_NO_TRIANGLE;
        let nothing = Self { key: 0, part: 0, triangle: NO, edge: [NO; 2], vertex: NO, exists: 0 };
        target.map_or(nothing, |target| Self {
            key: target.id,
            part: target.part,
            triangle: target.triangle.unwrap_or(NO),
            edge: target.edge.unwrap_or([NO; 2]),
            vertex: target.vertex.unwrap_or(NO),
            exists: 1,
        })
    }
}

impl From<&Snap<u64>> for HsSnap {
    fn from(snap: &Snap<u64>) -> Self {
        let kind = KINDS.iter().position(|kind| *kind == snap.kind);
        Self {
            point: snap.point.to_array(),
            depth: snap.depth,
            axis: snap.axis.unwrap_or_default().to_array(),
            target: snap.target.into(),
            crossed: snap.crossed.into(),
            pixel: snap.pixel.to_array(),
            distance: snap.distance,
            kind: kind.map_or(-1, |kind| kind as i32),
        }
    }
}

/// Finds the point that a cursor snaps to. The status is `HS_STATUS_NONE` if no point is within the radius of the cursor.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_snap(
    scene: *const HsScene,
    cursor: *const HsCursor,
    filter: *const HsFilter,
    snap: *mut HsSnap,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, asked) = unsafe { (shared(scene, "scene")?, Asked::new(filter)?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (((cursor, kinds), hides), snap) =
            unsafe { (shared(cursor, "cursor")?.with_what_hides()?, place(snap, "snap")?) };
        let Some(found) = cursor.nearest(asked.sight(&hides, scene), &kinds) else { return Ok(HsStatus::None) };
        snap.write(HsSnap::from(&found));
        Ok(HsStatus::Ok)
    })
}

/// Finds all points that a cursor could snap to, the most wanted first.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_scene_snap_all(
    scene: *const HsScene,
    cursor: *const HsCursor,
    filter: *const HsFilter,
    snaps: *mut HsSnap,
    capacity: usize,
    count: *mut usize,
) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (scene, asked) = unsafe { (shared(scene, "scene")?, Asked::new(filter)?) };
        // SAFETY: The caller keeps the rules of this crate.
        let (((cursor, kinds), hides), buffer) =
            unsafe { (shared(cursor, "cursor")?.with_what_hides()?, Buffer::new(snaps, capacity, count)?) };
        let mut found = Vec::new();
        cursor.all(asked.sight(&hides, scene), &kinds, &mut found);
        Ok(buffer.fill(found.iter().map(HsSnap::from)))
    })
}
