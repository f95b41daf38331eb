//! A cursor that snaps.

use super::reach::Reach;
use crate::camera::{Camera, Viewport};
use crate::geom::culling::CutOuts;
use glam::{DVec3, Vec2};

/// Chooses whether points behind a surface are found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
pub enum Hidden {
    /// Hidden points are skipped.
    #[default]
    Skip,
    /// Points are found as if every surface were transparent.
    Keep,
}

/// A cursor in a camera's picture that finds the points within some pixels of it: vertices, edges and the other kinds
/// of [`SnapKind`](super::SnapKind).
///
/// The distance of a point is the distance of its pixel from the cursor. The distance of an edge is the distance of the
/// nearest pixel that shows the edge. An edge is cut off at the camera's near and far depths and at the sides of the viewport. Points beyond these limits are
/// not found. Everything is computed in f64. A radius of 0 only finds points exactly under the cursor.
///
/// # Order
///
/// Among several points within the radius, the point with the least of these properties wins. The first property is the most important:
///
/// 1. whether it is farther behind the nearest of them than the [depth tolerance](Self::depth_tolerance), if there is one;
/// 2. the priority of its [kind](super::SnapKind);
/// 3. its distance from the cursor, in pixels;
/// 4. its depth;
/// 5. the order of the scene, which begins with its entity's place in the order of insertion, and its part. Then comes
///    the number of a vertex, or the triangle of an edge or a face, and the lower and the higher vertex of an edge.
///    Crossings on the same nearer edge are ordered in the same way by their farther edges.
///
/// This is a strict total order. No two points are equal in all of these properties.
///
/// # Time
///
/// [`nearest`](Self::nearest) visits vertices, midpoints, perpendicular feet and edges in the order of their distance
/// from the cursor. It tests whether each is hidden, until it finds a visible point. It does not visit anything
/// farther away, however much there is. Centres and faces need a ray. For crossings, all edges within the radius are
/// compared with each other. [`all`](Self::all) visits everything within the radius.
///
/// ```
/// use hitscan::prelude::*;
/// use hitscan::snap::{Cursor, SnapKind};
///
/// let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
/// let mut scene = Scene::new();
/// scene.insert("sheet", Mesh::new(&corners, &[0, 1, 2, 0, 2, 3])?, DVec3::ZERO)?;
/// let transform = Camera::look_at([0.0, 0.0, 10.0], [0.0, 0.0, 0.0], [0.0, 1.0, 0.0])?;
/// let camera = Camera::orthographic(transform, 6.0)?;
///
/// // A unit is 100 pixels wide. The cursor is beside the corner at 500, 200.
/// let cursor = Cursor::new(&camera, [800.0, 600.0], [497.0, 204.0], 8.0);
/// let snap = cursor.nearest(&scene, &SnapKind::ALL).unwrap();
/// assert_eq!((snap.kind, snap.point, snap.distance), (SnapKind::Vertex, DVec3::new(1.0, 1.0, 0.0), 5.0));
/// assert_eq!(snap.target.and_then(|target| target.vertex), Some(2));
///
/// // The diagonal lies inside of a flat face, and is no edge.
/// let cursor = Cursor::new(&camera, [800.0, 600.0], [450.0, 252.0], 8.0);
/// assert!(cursor.nearest(&scene, &[SnapKind::Vertex, SnapKind::Edge]).is_none());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[doc(alias("object_snap", "osnap", "inference", "pick_tolerance", "pick_radius"))]
#[derive(Clone, Copy, Debug)]
pub struct Cursor {
    pub(super) camera: Camera,
    pub(super) viewport: Viewport,
    pub(super) pixel: Vec2,
    /// `None` for input that finds nothing.
    pub(super) reach: Option<Reach>,
    pub(super) hidden: Hidden,
    pub(super) cut_outs: CutOuts,
    pub(super) depth_tolerance: Option<f64>,
    pub(super) start: Option<DVec3>,
}

impl Cursor {
    /// Makes a cursor at a window pixel, given the viewport with the camera's picture, and the radius in pixels.
    ///
    /// Cursor, viewport and radius are all in physical or all in logical pixels. If any of them is NaN or infinite, or the radius is negative or the viewport
    /// empty, the cursor finds nothing.
    pub fn new(camera: &Camera, viewport: impl Into<Viewport>, cursor: impl Into<Vec2>, radius: f32) -> Self {
        let (viewport, pixel) = (viewport.into(), cursor.into());
        let map = camera.pixel_map(pixel, &viewport);
        let reach = map.and_then(|map| Reach::new(map, &viewport, radius.into()));
        let (hidden, cut_outs) = (Hidden::Skip, CutOuts::Open);
        Self { camera: *camera, viewport, pixel, reach, hidden, cut_outs, depth_tolerance: None, start: None }
    }

    /// Chooses whether points behind a surface are found. They are skipped by default.
    ///
    /// A point is hidden if a ray towards it hits a surface in front of it. The ray starts at the eye, the camera's near depth or the bounds of the scene.
    /// Surfaces that pass through the point do not hide it. The point must be behind the surface, measured perpendicular to it, by more than a tolerance. The
    /// tolerance is 2^-22 of the length of the line of sight, which is the resolution of a ray, plus an ulp of f32. The ulp is taken of the largest coordinate
    /// of either part.
    ///
    /// If the point of an edge that is nearest to the cursor is hidden, the nearest visible part of the edge is used
    /// instead. It is searched for within the radius, to both sides from that point. A step is a pixel, or a sixteenth
    /// of the radius if that is more. So a visible part is found if it is longer than a step, and its end is exact to
    /// a sixteenth of a step.
    ///
    /// Two edges cross only where both are visible. The nearer edge must not be hidden at the crossing. The farther
    /// edge passes behind it there. It must be visible a pixel before or after the crossing. So an edge that ends
    /// behind a silhouette crosses the silhouette. Points on an axis are never hidden. With [`Hidden::Keep`],
    /// every surface under the cursor is a face to snap to.
    #[must_use]
    pub fn hidden(self, hidden: Hidden) -> Self {
        Self { hidden, ..self }
    }

    /// Chooses whether the holes of cut-out meshes hide the objects behind them, and are faces; they are open by
    /// default.
    #[must_use]
    pub fn cut_outs(self, cut_outs: CutOuts) -> Self {
        Self { cut_outs, ..self }
    }

    /// Puts points last that are more than this many world units of depth behind the nearest of all points within the radius. For this, points on an axis are
    /// not the nearest. A tolerance that is negative or NaN is treated as 0.
    #[must_use]
    pub fn depth_tolerance(self, tolerance: f64) -> Self {
        Self { depth_tolerance: Some(tolerance.max(0.0)), ..self }
    }

    /// Sets the start point of a line that is being drawn, relative to the view's origin if there is one.
    /// [`SnapKind::Perpendicular`](super::SnapKind::Perpendicular) and [`SnapKind::Axis`](super::SnapKind::Axis) need it, and find nothing without it.
    #[must_use]
    pub fn from_start(self, start: impl Into<DVec3>) -> Self {
        Self { start: Some(start.into()), ..self }
    }
}
