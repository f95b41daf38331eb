//! Marks of picked and selected things, drawn over the picture.

use super::film::Film;
use super::surface::View;
use crate::output::{joined, one_line};
use crate::picture::{Canvas, Color, Coverage, Outline};
use crate::report::{side, triangle};
use crate::snap::SnapReport;
use hitscan::Hit;
use hitscan::glam::{DVec2, DVec3};
use hitscan_io::EntityId;

const ENTITY: Color = [255, 150, 20];
const NORMAL: Color = [255, 60, 120];
const POINT: Color = [255, 255, 255];
const SHADOW: Color = [20, 20, 28];
const TEXT: Color = [225, 230, 238];

/// The sizes of the mark as fractions of the picture's height. They are the length of the arrow if it lies in the
/// picture's plane, the radius of the ring around its start, and the width of lines.
const ARROW: f64 = 0.2;
const RING: f64 = 0.035;
const LINE: f64 = 0.005;

/// The number of straight pieces of the ring.
const PIECES: u32 = 48;

/// Tints the marked entities and draws a line around their visible parts.
pub(super) fn outline(canvas: &mut Canvas, film: &Film) {
    let width = (f64::from(film.size.height) * LINE * 0.6).ceil() as i64;
    let marked = |x, y| film.at(x, y).map_or(0.0, |pixel| f64::from(pixel.marked));
    let covered = Coverage { low: [0; 2], high: [film.size.width.into(), film.size.height.into()], of: marked };
    canvas.outline(Outline { color: ENTITY, width, tint: 0.35 }, &covered);
}

/// Draws the outline of a region.
pub(super) fn region(canvas: &mut Canvas, outline: &[DVec2]) {
    let closed: Vec<DVec2> = outline.iter().chain(outline.first()).copied().collect();
    let width = f64::from(canvas.size().height) * LINE * 0.5;
    canvas.path(&closed, width * 2.0, SHADOW);
    canvas.path(&closed, width, POINT);
}

/// Draws the point with the normal on it, and lines of text.
pub(crate) fn explain(canvas: &mut Canvas, view: &View<'_>, hit: &Hit<EntityId>, lines: &[(String, Color)]) {
    let height = f64::from(view.size.height);
    let (point, normal) = (view.relative(hit.point_f64()), hit.normal.as_dvec3());
    let project = |at: DVec3| view.pixel(at);
    let Some(foot) = project(point) else { return };
    let unit = world_height(view, point);
    let across = normal.any_orthonormal_pair();
    let ring: Vec<DVec2> = (0..=PIECES)
        .filter_map(|piece| {
            let (sin, cos) = (f64::from(piece) / f64::from(PIECES) * std::f64::consts::TAU).sin_cos();
            project(point + (across.0 * cos + across.1 * sin) * (unit * RING))
        })
        .collect();
    let width = height * LINE;
    for (border, colors) in [(0.4 * width, [SHADOW; 3]), (0.0, [POINT, NORMAL, POINT])] {
        canvas.path(&ring, width * 0.6 + 2.0 * border, colors[0]);
        if let Some(tip) = project(point + normal * (unit * ARROW)) {
            canvas.wide_arrow(foot, tip, width, border, colors[1]);
        }
        canvas.disc(foot, width * 1.2 + border, colors[2]);
    }
    let scale = (height / 360.0).round().max(1.0) as u32;
    canvas.label(foot + DVec2::new(height * 0.06, height * 0.05), lines, scale);
}

/// Draws the circle within which a cursor searches for points, and the point to which it snaps.
pub(super) fn snap(canvas: &mut Canvas, ([x, y], radius): ([f64; 2], f64), found: Option<&SnapReport<'_>>) {
    let (cursor, height) = (DVec2::new(x, y), f64::from(canvas.size().height));
    let (width, scale) = (height * LINE, (height / 360.0).round().max(1.0) as u32);
    let circle: Vec<DVec2> = (0..=PIECES)
        .map(|piece| cursor + DVec2::from_angle(f64::from(piece) / f64::from(PIECES) * std::f64::consts::TAU) * radius)
        .collect();
    canvas.path(&circle, width * 1.2, SHADOW);
    canvas.path(&circle, width * 0.6, POINT);
    let Some(found) = found else { return };
    let pixel = DVec2::from(found.pixel.map(f64::from));
    canvas.line(cursor, pixel, width * 0.6, ENTITY);
    canvas.disc(pixel, width * 1.6, SHADOW);
    canvas.disc(pixel, width * 1.2, ENTITY);
    let lines = [
        (format!("{} of {}", found.kind, one_line(found.entity)), ENTITY),
        (format!("point  {}", found.point.joined().replace(',', ", ")), TEXT),
    ];
    canvas.label(pixel + DVec2::new(height * 0.06, height * 0.05), &lines, scale);
}

/// Returns the height of a picture at the depth of a point, in the model's units.
fn world_height(view: &View<'_>, point: DVec3) -> f64 {
    match view.lens {
        crate::camera::Lens::Perspective { fov_y } => 2.0 * (fov_y * 0.5).tan() * point.dot(view.camera.forward()),
        crate::camera::Lens::Orthographic { height } => height,
    }
}

/// Returns the lines of text with the values of a hit.
pub(super) fn lines(view: &View<'_>, hit: &Hit<EntityId>) -> Vec<(String, Color)> {
    let entity = view.loaded.model.entity(hit.id);
    let name = entity.map_or_else(String::new, |entity| one_line(&entity.name));
    let point = hit.point_f64().to_array();
    let rounded = |numbers: [f64; 3]| joined(numbers.map(|number| format!("{number:.2}"))).replace(',', ", ");
    let mut lines = vec![(name, ENTITY)];
    if let Some(triangle) = entity.and_then(|entity| triangle(entity, hit)) {
        lines.push((format!("triangle {triangle} ({})", side(hit.side)), TEXT));
    }
    if let Some(joint) = view.loaded.model.joint(hit) {
        lines.push((format!("joint {}", one_line(joint.name)), TEXT));
    }
    lines.push((format!("point  {}", rounded(point)), TEXT));
    lines.push((format!("normal {}", rounded(hit.normal.as_dvec3().to_array())), NORMAL));
    lines
}
