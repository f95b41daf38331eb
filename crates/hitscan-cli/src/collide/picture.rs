//! The places of pairs, drawn over a picture of the model.

use super::report::{Answer, Side};
use crate::args::ThreadArgs;
use crate::output::{Console, one_line, short};
use crate::picture::{Canvas, Color};
use crate::render::{self, View};
use anyhow::Result;
use hitscan::glam::{DVec2, DVec3};

const OVERLAP: Color = [255, 60, 60];
const NEAR: Color = [255, 210, 40];
const SHADOW: Color = [20, 20, 28];

/// The radius of a mark, as a fraction of the picture's height.
const MARK: f64 = 0.008;
/// The largest number of pairs with a label; the others only have a mark.
const LABELLED: usize = 6;
/// The least distances of labels from each other, across and down, as fractions of the picture's height.
const APART: DVec2 = DVec2::new(0.6, 0.04);

/// A place that is marked, with the text beside it.
struct Mark {
    places: [DVec3; 2],
    color: Color,
    text: String,
}

/// Draws the model and marks: what is inside first, then the deepest overlaps, then the nearest pairs.
pub(super) fn draw(view: &View<'_>, answer: &Answer<'_>, threads: &ThreadArgs, console: &Console) -> Result<Canvas> {
    let mut canvas = render::draw(view, threads, console)?;
    let named = |[first, second]: [&Side<'_>; 2]| format!("{}, {}", one_line(first.entity), one_line(second.entity));
    let inside = answer.inside.iter().map(|pair| {
        let text = format!("{} inside {}", one_line(pair.first.entity), one_line(pair.second.entity));
        Mark { places: [pair.place; 2], color: OVERLAP, text }
    });
    let mut overlaps: Vec<_> = answer.overlaps.iter().collect();
    overlaps.sort_by(|a, b| b.depth.unwrap_or(0.0).total_cmp(&a.depth.unwrap_or(0.0)));
    let overlaps = overlaps.into_iter().filter_map(|pair| {
        let depth = pair.depth.map_or_else(String::new, |depth| format!(": {} deep", short(depth.into())));
        Some(Mark { places: pair.places?, color: OVERLAP, text: named([&pair.first, &pair.second]) + &depth })
    });
    let mut near: Vec<_> = answer.near.iter().collect();
    near.sort_by(|a, b| a.distance.total_cmp(&b.distance));
    let near = near.into_iter().map(|pair| {
        let text = format!("{}: {} apart", named([&pair.first, &pair.second]), short(pair.distance.into()));
        Mark { places: pair.places, color: NEAR, text }
    });
    let marks: Vec<Mark> = inside.chain(overlaps).chain(near).collect();
    marks.iter().rev().for_each(|mark| mark.draw(&mut canvas, view));
    label(&mut canvas, view, &marks);
    Ok(canvas)
}

/// Writes the texts of the first marks that are far enough from each other.
fn label(canvas: &mut Canvas, view: &View<'_>, marks: &[Mark]) {
    let height = f64::from(view.size.height);
    let scale = (height / 720.0).round().max(1.0) as u32;
    let mut labelled: Vec<DVec2> = Vec::new();
    for mark in marks {
        let Some([from, _]) = mark.pixels(view) else { continue };
        let is_free = labelled.iter().all(|other| ((from - other).abs() / height).cmpge(APART).any());
        if is_free && labelled.len() < LABELLED {
            canvas.label(from + DVec2::splat(1.8 * MARK * height), &[(mark.text.clone(), mark.color)], scale);
            labelled.push(from);
        }
    }
}

impl Mark {
    /// Returns the places in the picture. What is behind the eye or beside the picture is left out.
    fn pixels(&self, view: &View<'_>) -> Option<[DVec2; 2]> {
        let [from, to] = self.places.map(|place| view.pixel(view.relative(place)));
        let size = DVec2::new(view.size.width.into(), view.size.height.into());
        let is_seen = |pixel: &DVec2| pixel.cmpge(DVec2::ZERO).all() && pixel.cmple(size).all();
        Some([from?, to?]).filter(|ends| ends.iter().any(is_seen))
    }

    /// Draws a disc at each of the two places, with a line between them.
    fn draw(&self, canvas: &mut Canvas, view: &View<'_>) {
        let Some([from, to]) = self.pixels(view) else { return };
        let radius = (f64::from(view.size.height) * MARK).max(2.0);
        for (border, color) in [(0.35 * radius, SHADOW), (0.0, self.color)] {
            canvas.line(from, to, 0.6 * radius + 2.0 * border, color);
            canvas.disc(from, radius + border, color);
            canvas.disc(to, radius + border, color);
        }
    }
}
