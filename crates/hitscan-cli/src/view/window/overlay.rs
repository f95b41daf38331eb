//! Outlines, handles and text over the picture of the model.

use super::gesture::{Kind, Tool};
use super::pace::Pace;
use super::stage::Reach;
use super::state::State;
use crate::model::Loaded;
use crate::output::{joined, one_line};
use crate::picture::{Canvas, Color, Outline};
use crate::render::explain;
use crate::report::{side, triangle};
use hitscan::Hit;
use hitscan::glam::DVec2;
use hitscan_io::EntityId;

const SELECTED: Color = [255, 150, 20];
const HOVERED: Color = [250, 250, 255];
const NORMAL: Color = [255, 60, 120];
const MARQUEE: Color = [120, 200, 255];
const TEXT: Color = [225, 230, 238];
const DIM: Color = [160, 170, 184];

const HELP: &str = "click select  drag orbit  wheel zoom  shift-drag box  L lasso  X through  G R S handles  F look";

/// Draws the window's content. Pictures for a script omit the frame rate, so that they are reproducible.
pub(super) fn composed(state: &State<'_>, pace: Option<&Pace>) -> Option<Canvas> {
    let mut canvas = state.refinement.canvas(state.stage.size)?;
    outlines(&mut canvas, state);
    // With handles, the mark is left out, because they would cover it.
    if let (Some(hit), None) = (&state.picked, &state.handles) {
        explain(&mut canvas, &state.stage.view(), hit, &lines(&state.stage.loaded, hit));
    }
    handles(&mut canvas, state);
    gesture(&mut canvas, state);
    status(&mut canvas, state, pace);
    Some(canvas)
}

/// Draws lines around the selected entities, and around the entity under the cursor.
fn outlines(canvas: &mut Canvas, state: &State<'_>) {
    // In a coarse picture, which consists of squares, the line is at least as wide as a square.
    let width = (state.stage.scale * 1.6).round().max(f64::from(state.refinement.step())) as i64;
    let mut around = |is_chosen: &dyn Fn(EntityId) -> bool, color: Color, tint: f64| {
        if let Some(covered) = state.refinement.showing(is_chosen) {
            canvas.outline(Outline { color, width, tint }, &covered);
        }
    };
    if !state.selected.is_empty() {
        around(&|id| state.selected.contains(&id), SELECTED, 0.25);
    }
    if let Some(hovered) = state.hovered() {
        around(&|id| id == hovered, HOVERED, 0.0);
    }
}

fn gesture(canvas: &mut Canvas, state: &State<'_>) {
    let width = 1.5 * state.stage.scale;
    match state.gesture.as_ref().map(|gesture| &gesture.kind) {
        Some(Kind::Marquee { from, to }) => {
            let (low, high) = (from.min(*to).as_dvec2(), from.max(*to).as_dvec2());
            canvas.plate(low, high, MARQUEE, 0.15);
            let corners = [low, DVec2::new(high.x, low.y), high, DVec2::new(low.x, high.y), low];
            canvas.path(&corners, width, MARQUEE);
        }
        Some(Kind::Lasso(corners)) => {
            let points: Vec<DVec2> = corners.iter().map(|corner| corner.as_dvec2()).collect();
            canvas.path(&points, width, MARQUEE);
            if let [first, .., last] = points[..] {
                canvas.dashes(last, first, width, 8.0 * state.stage.scale, MARQUEE);
            }
        }
        Some(Kind::Orbit { .. } | Kind::Pan { .. }) | None => {}
    }
}

/// Draws the handles.
fn handles(canvas: &mut Canvas, state: &State<'_>) {
    let Some(handles) = &state.handles else { return };
    let drawing = handles.drawing(&state.stage);
    let pixel = |point| state.stage.pixel(point);
    for line in &drawing.lines {
        let ([red, green, blue, alpha], [from, to]) = (line.color, line.ends.map(pixel));
        if let (Some(from), Some(to)) = (from, to) {
            canvas.stroke([from, to], 2.5 * state.stage.scale, [red, green, blue], f64::from(alpha) / 255.0);
        }
    }
    for triangle in &drawing.triangles {
        let [red, green, blue, alpha] = triangle.color;
        if let [Some(a), Some(b), Some(c)] = triangle.corners.map(pixel) {
            canvas.triangle([a, b, c], 0.0, [red, green, blue], f64::from(alpha) / 255.0);
        }
    }
}

/// Draws the available actions, the entity under the cursor, and the frame rate.
fn status(canvas: &mut Canvas, state: &State<'_>, pace: Option<&Pace>) {
    let scale = state.stage.scale.round().max(1.0) as u32;
    let size = state.stage.size;
    let hint = match state.tool {
        Tool::Look => HELP,
        Tool::Lasso => "lasso: drag around what is to be selected   Escape back",
    };
    canvas.label(DVec2::new(0.0, size.height.into()), &[(hint.into(), DIM)], scale);
    let mut lines: Vec<(String, Color)> = pace.map(|pace| (pace.shown(), DIM)).into_iter().collect();
    lines.extend(state.hovered().map(|id| (name(&state.stage.loaded, id), HOVERED)));
    if state.reach == Reach::Through {
        lines.push(("selects through".into(), DIM));
    }
    if state.selected.len() > 1 {
        lines.push((format!("{} selected", state.selected.len()), SELECTED));
    }
    if !lines.is_empty() {
        canvas.label(DVec2::ZERO, &lines, scale);
    }
}

fn name(loaded: &Loaded, id: EntityId) -> String {
    loaded.model.entity(id).map_or_else(String::new, |entity| one_line(&entity.name))
}

/// Returns the lines of text with the values of a hit.
fn lines(loaded: &Loaded, hit: &Hit<EntityId>) -> Vec<(String, Color)> {
    let entity = loaded.model.entity(hit.id);
    let rounded = |numbers: [f64; 3]| joined(numbers.map(|number| format!("{number:.3}"))).replace(',', ", ");
    let node = entity.and_then(|entity| entity.node);
    let triangle = entity.and_then(|entity| triangle(entity, hit));
    let mut lines = vec![(name(loaded, hit.id), SELECTED)];
    lines.extend(node.map(|node| (format!("node     {node}"), TEXT)));
    lines.extend(triangle.map(|triangle| (format!("triangle {triangle} ({})", side(hit.side)), TEXT)));
    lines.push((format!("t        {:.3}", hit.t), TEXT));
    lines.push((format!("point    {}", rounded(hit.point_f64().to_array())), TEXT));
    lines.push((format!("normal   {}", rounded(hit.normal.as_dvec3().to_array())), NORMAL));
    lines
}
