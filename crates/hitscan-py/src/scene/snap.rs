//! Points under and near a cursor: the class `Cursor`, and `Scene.surface_point`, where an object can be put down.

use super::Scene;
use super::ask::{Asked, scene_questions};
use super::choice::Choice;
use super::hits::{HitRow, PlaceRow, SurfacePoints};
use super::rays::RayOptions;
use crate::answers::{Ragged, Rows, counted, counted_answers, or_none};
use crate::arguments::{Layers, ThreadCount};
use crate::camera::{Camera, Pixels, viewport as viewport_of};
use crate::each::{each, each_of_many};
use crate::error;
use crate::rays::{cull as cull_of, cut_outs as cut_outs_of};
use hitscan::drag::{DragPath, Picture, surface_point};
use hitscan::glam::{DVec3, Vec2};
use hitscan::query::SightView;
use hitscan::snap::{Hidden, Snap, SnapKind, SnapTarget};
use hitscan::{CutOuts, Viewport};
use pyo3::prelude::*;

/// A point that a cursor snaps to, in the world.
type Snapped = Option<Snap<i64>>;

fn target(target: Option<SnapTarget<i64>>) -> [i64; 6] {
    target.map_or([-1, 0, -1, -1, -1, -1], |target| {
        let [start, end] = target.edge.map_or([-1; 2], |edge| edge.map(i64::from));
        [target.id, i64::from(target.part), or_none(target.triangle), start, end, or_none(target.vertex)]
    })
}

/// Returns a number of [`target`] for the feature that a point belongs to, or for the other edge of a crossing.
fn of(snap: &Snapped, number: usize, is_crossed: bool) -> i64 {
    target(snap.as_ref().and_then(|snap| if is_crossed { snap.crossed } else { snap.target }))[number]
}

/// Makes classes of points that cursors snap to: their own columns, and the columns of a snap.
macro_rules! snap_answers {
    ($($(#[$about:meta])* $name:ident of $found:ty as $kind:ident { $($columns:tt)* })*) => {$(
        counted_answers! {
            $(#[$about])*
            $name of $found as $kind("cursor", "snap") by kind {
                $($columns)*
                /// The kind of the point, its index in `Cursor.KINDS`; -1 if there is none.
                kind: i8 = |found| found.rows().column(|snap| {
                    let is_same = |snap: &Snap<i64>| SnapKind::ALL.iter().position(|kind| *kind == snap.kind);
                    snap.as_ref().and_then(is_same).map_or(-1, |kind| kind as i8)
                }),
                /// The point, in float64; NaN if there is none.
                point: f64 = |found| found.rows().vectors(|snap| snap.map_or([f64::NAN; 3], |snap| snap.point.to_array())),
                /// The pixel that shows the point, of shape (..., 2); NaN if there is none.
                pixel: f32 = |found| found.rows().vectors(|snap| snap.map_or([f32::NAN; 2], |snap| snap.pixel.to_array())),
                /// The distance of that pixel from the cursor; infinity if there is none.
                distance: f32 = |found| found.rows().column(|snap| snap.map_or(f32::INFINITY, |snap| snap.distance)),
                /// The depth of the point along the view axis, in float64; NaN if there is none.
                depth: f64 = |found| found.rows().column(|snap| snap.map_or(f64::NAN, |snap| snap.depth)),
                /// The key of the entity that the point belongs to, or -1.
                key: i64 = |found| found.rows().column(|snap| of(snap, 0, false)),
                /// The index of the part of a compound; 0 for other entities.
                part: i64 = |found| found.rows().column(|snap| of(snap, 1, false)),
                /// The index of the triangle, or -1.
                triangle: i64 = |found| found.rows().column(|snap| of(snap, 2, false)),
                /// The two vertices of an edge, of shape (..., 2), or -1.
                edge: i64 = |found| found.rows().vectors(|snap| [3, 4].map(|number| of(snap, number, false))),
                /// The number of a vertex, or -1.
                vertex: i64 = |found| found.rows().column(|snap| of(snap, 5, false)),
                /// The key of the entity of the other edge of a crossing, or -1.
                crossed_key: i64 = |found| found.rows().column(|snap| of(snap, 0, true)),
                /// The two vertices of the other edge of a crossing, of shape (..., 2), or -1.
                crossed_edge: i64 = |found| found.rows().vectors(|snap| [3, 4].map(|number| of(snap, number, true))),
                /// The direction of an axis through the start point, in float64; 0 for other kinds.
                axis: f64 = |found| found.rows().vectors(|snap| {
                    snap.and_then(|snap| snap.axis).unwrap_or_default().to_array()
                }),
            }
        }
    )*};
}

snap_answers! {
    /// The points that cursors snap to: an array for each value, of the shape of the pixels.
    Snaps of Rows<Snapped> as single {}

    /// All points within the radius of cursors: the rows of cursor i, in their order, are at splits[i] to splits[i + 1].
    AllSnaps of Ragged<Snapped> as ragged {
        /// The start of the points of each cursor, and at the end the number of all points.
        splits: i64 = Ragged::splits,
        /// The index of each point's cursor.
        cursor: i64 = Ragged::question,
    }
}

/// A cursor in a camera's picture, or several, that finds points within some pixels of it: `Cursor(camera, viewport, pixels, radius)`.
///
/// `pixels` has the shape (..., 2). Points behind a surface are left out with `hidden="skip"`, and count with "keep". `start`
/// is the start point of a line that is drawn, which the kinds "perpendicular" and "axis" need. Points that are more than
/// `depth_tolerance` behind the nearest come last. Holes of cut-out textures are "open", or "solid" as `cut_outs` says.
#[pyclass(frozen, module = "hitscan")]
pub(crate) struct Cursor {
    camera: hitscan::Camera,
    viewport: Viewport,
    pixels: Pixels,
    radius: f32,
    hidden: Hidden,
    cut_outs: CutOuts,
    start: Option<DVec3>,
    depth_tolerance: Option<f64>,
}

impl Cursor {
    /// Returns a cursor for each pixel, relative to an origin.
    fn cursors(&self, origin: DVec3) -> Vec<hitscan::snap::Cursor> {
        let camera = self.camera.relative_to(origin);
        let cursor = |&pixel: &Vec2| {
            let cursor = hitscan::snap::Cursor::new(&camera, self.viewport, pixel, self.radius);
            let cursor = cursor.hidden(self.hidden).cut_outs(self.cut_outs);
            let cursor = self.start.map_or(cursor, |start| cursor.from_start(start - origin));
            self.depth_tolerance.map_or(cursor, |tolerance| cursor.depth_tolerance(tolerance))
        };
        self.pixels.values.iter().map(cursor).collect()
    }
}

/// Takes the words for kinds of points.
fn kinds(words: Option<Vec<String>>) -> PyResult<Vec<SnapKind>> {
    let Some(words) = words else { return Ok(SnapKind::ALL.to_vec()) };
    let kind = |word: &String| {
        let found = SnapKind::ALL.into_iter().find(|kind| kind.name() == word);
        found.ok_or_else(|| error::value(format!("kinds has {word:?}, but must be of {}", names().join(", "))))
    };
    words.iter().map(kind).collect()
}

fn names() -> [&'static str; 8] {
    SnapKind::ALL.map(SnapKind::name)
}

/// A question of cursors about a scene.
struct CursorQuestion<'py> {
    asked: Asked<'py>,
    hides: Option<Choice>,
    kinds: Vec<SnapKind>,
    cursors: Vec<hitscan::snap::Cursor>,
    origin: DVec3,
}

impl CursorQuestion<'_> {
    /// Answers with the cursors, by a view of the scene.
    fn ask<A: Send + 'static>(
        self,
        answer: impl FnOnce(&[hitscan::snap::Cursor], &[SnapKind], SightView<'_, i64>) -> A + Send + 'static,
    ) -> PyResult<A> {
        let Self { asked, hides, kinds, cursors, origin } = self;
        asked.apart(cursors.len(), move |view| {
            let (view, hides) = (view.relative_to(origin), hides.as_ref().map(Choice::filter));
            let sight = hides.as_ref().map_or(view.into(), |hides| view.hidden_by(hides));
            answer(&cursors, &kinds, sight)
        })
    }
}

/// Makes the methods of `Cursor` that ask a scene; a body has the cursor and the question.
macro_rules! cursor_questions {
    ($($(#[$about:meta])* fn $name:ident($this:ident, $question:ident) -> $answer:ty $body:block)*) => {
        #[pymethods]
        impl Cursor {$(
            $(#[$about])*
            #[pyo3(signature = (scene, kinds = None, *, hidden_by = None, layers = None, exclude = None, only = None, threads = None))]
            fn $name(
                slf: &Bound<'_, Self>,
                scene: &Scene,
                kinds: Option<Vec<String>>,
                hidden_by: Option<&Bound<'_, PyAny>>,
                layers: Option<Layers>,
                exclude: Option<&Bound<'_, PyAny>>,
                only: Option<&Bound<'_, PyAny>>,
                threads: Option<ThreadCount>,
            ) -> PyResult<$answer> {
                let ($this, kinds) = (slf.get(), self::kinds(kinds)?);
                let asked = Asked::new(slf.py(), scene, Choice::new(layers, exclude, only)?, threads)?;
                let hides = hidden_by.map(Choice::of_what_hides).transpose()?;
                let origin = asked.world.ray_origin();
                let $question = CursorQuestion { asked, hides, kinds, cursors: $this.cursors(origin), origin };
                $body
            }
        )*}
    };
}

/// Returns a point that a cursor snaps to in the world.
fn in_world(mut snap: Snap<i64>, origin: DVec3) -> Snapped {
    snap.point += origin;
    Some(snap)
}

cursor_questions! {
    /// Returns the point that each cursor snaps to: the first point in the order of kinds, pixels and depth.
    ///
    /// `kinds` names the entries of `Cursor.KINDS` that are wanted, or all. `hidden_by`, `layers`, `exclude` and `only` are as for `Scene.select`.
    fn nearest(this, question) -> Snaps {
        let origin = question.origin;
        let rows = question.ask(move |cursors, kinds, sight| {
            each(cursors.len(), 1, |place| {
                cursors[place].nearest(sight, kinds).and_then(|snap| in_world(snap, origin))
            })
        })?;
        Ok(Snaps::new(Rows::new(rows, &this.pixels.shape)))
    }

    /// Returns all points within the radius of each cursor, in their order. It takes the arguments of `nearest`.
    fn all(_this, question) -> AllSnaps {
        let origin = question.origin;
        Ok(AllSnaps::new(question.ask(move |cursors, kinds, sight| {
            each_of_many(cursors.len(), |place, piece, snaps: &mut Vec<Snap<i64>>| {
                cursors[place].all(sight, kinds, snaps);
                piece.add(snaps.iter().map(|snap| in_world(*snap, origin)));
            })
        })?))
    }
}

#[pymethods]
impl Cursor {
    /// The kinds of points, in the order of their priority.
    #[classattr]
    const KINDS: [&'static str; 8] =
        ["vertex", "midpoint", "center", "crossing", "perpendicular", "edge", "axis", "face"];

    #[new]
    #[pyo3(signature = (camera, viewport, pixels, radius, *, hidden = "skip", cut_outs = "open", start = None, depth_tolerance = None))]
    fn new(
        camera: &Camera,
        viewport: [f64; 2],
        pixels: &Bound<'_, PyAny>,
        radius: f64,
        hidden: &str,
        cut_outs: &str,
        start: Option<[f64; 3]>,
        depth_tolerance: Option<f64>,
    ) -> PyResult<Self> {
        let hidden = match hidden {
            "skip" => Hidden::Skip,
            "keep" => Hidden::Keep,
            _ => return Err(error::value(format!("hidden is {hidden:?}, but must be \"skip\" or \"keep\""))),
        };
        let (start, limits) = (start.map(DVec3::from_array), [Some(radius), depth_tolerance]);
        let is_start = start.is_none_or(DVec3::is_finite);
        if !is_start || limits.into_iter().flatten().any(|limit| !(limit >= 0.0)) || !(radius as f32).is_finite() {
            return Err(error::value(format!(
                "radius is {radius}, depth_tolerance {depth_tolerance:?} and start {start:?}, but must be finite, and distances not negative"
            )));
        }
        Ok(Self {
            camera: camera.camera,
            viewport: viewport_of(viewport)?,
            pixels: Pixels::new(pixels)?,
            radius: radius as f32,
            hidden,
            cut_outs: cut_outs_of(cut_outs)?,
            start,
            depth_tolerance,
        })
    }

    fn __repr__(&self) -> String {
        format!("<hitscan.Cursor: {} within {} pixels>", counted(self.pixels.values.len(), "cursor"), self.radius)
    }
}

scene_questions! {
    /// Returns for each cursor the point where an object can be put down: on the first surface under it, or else on a path through `point`.
    ///
    /// `pixels` has the shape (..., 2). The path is the "plane" whose normal is `direction`, the "axis" along it, or the plane through the point that faces
    /// the camera, the "screen". The path is also used if the surface is more than 16 times as far from a perspective eye as `point`. Leave the dragged
    /// object out by `exclude`, or it climbs onto itself. The other arguments are as for `cast`.
    fn surface_point(
        asked;
        camera: &Camera, viewport: [f64; 2], pixels: &Bound<'py, PyAny>, point: [f64; 3];
        direction: [f64; 3] = [0.0, 1.0, 0.0], path: &str = "plane", cull: &str = "none", inside: &str = "exit", cut_outs: &str = "open"
    ) -> SurfacePoints {
        let (viewport, pixels, origin) = (viewport_of(viewport)?, Pixels::new(pixels)?, asked.world.ray_origin());
        let (point, direction) = (DVec3::from_array(point) - origin, DVec3::from_array(direction));
        if !(point.is_finite() && direction.is_finite() && direction != DVec3::ZERO) {
            return Err(error::value("point and direction must be finite, and the direction not zero"));
        }
        let path = match path {
            "plane" => DragPath::Plane { point, normal: direction },
            "axis" => DragPath::Axis { point, direction },
            "screen" => DragPath::Screen { point },
            _ => return Err(error::value(format!("path is {path:?}, but must be \"plane\", \"axis\" or \"screen\""))),
        };
        let picture = Picture::new(camera.camera.relative_to(origin), viewport);
        let options = RayOptions::new(inside, cut_outs)?;
        let asked = asked.culled(cull_of(cull)?);
        let rows = asked.each(pixels.values.len(), 64, |view, place| {
            let view = options.view(view.relative_to(origin));
            let found = surface_point(view, &picture, pixels.get(place), &path);
            let position = found.as_ref().map_or([f64::NAN; 3], |found| (found.point + origin).to_array());
            PlaceRow { hit: HitRow::of(found.as_ref().and_then(|found| found.hit.as_ref())), position }
        })?;
        Ok(SurfacePoints::new(Rows::new(rows, &pixels.shape)))
    }
}
