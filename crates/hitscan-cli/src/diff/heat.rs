//! A picture in the colors of distances.

use crate::args::ThreadArgs;
use crate::output::{Console, short};
use crate::picture::{Canvas, Color};
use crate::render::{self, View};
use anyhow::Result;
use hitscan::Mesh;
use hitscan::glam::{DVec2, DVec3};

/// The colors from 0 to the scale, at equal distances.
const HEAT: [Color; 5] = [[70, 110, 255], [60, 200, 220], [90, 210, 90], [255, 220, 60], [255, 60, 50]];
const TEXT: Color = [225, 230, 238];

/// The sizes of the legend, as fractions of the picture's height.
const LEGEND: f64 = 0.3;
const WIDTH: f64 = 0.03;
const BORDER: f64 = 0.04;

/// Draws a model in the colors of the distances between its visible places and a mesh, which is relative to an origin. `scale` is the distance of the last
/// color.
pub(super) fn draw(
    view: &View<'_>,
    (other, origin): (&Mesh, DVec3),
    scale: f64,
    (threads, console): (&ThreadArgs, &Console),
) -> Result<Canvas> {
    let mut canvas = render::draw(view, threads, console)?;
    let recolored = |[x, y]: [u32; 2], shade: Color| {
        let hit = view.pick([f64::from(x) + 0.5, f64::from(y) + 0.5])?;
        let place = hit.point_f64() - origin;
        let distance = other.closest_on_surface(place, f64::INFINITY)?.distance;
        // The model itself is gray, so each channel has the light of the surface.
        let light = f64::from(shade[1]) / 190.0;
        Some(heat(fraction(f64::from(distance), scale)).map(|channel| (f64::from(channel) * light).min(255.0) as u8))
    };
    console.during("measuring what is visible", || canvas.recolor(&recolored));
    legend(&mut canvas, scale);
    Ok(canvas)
}

/// Returns the fraction of the scale, from 0 to 1. With a scale of 0, everything that differs is beyond it.
fn fraction(distance: f64, scale: f64) -> f64 {
    if distance <= 0.0 {
        0.0
    } else if distance >= scale {
        1.0
    } else {
        distance / scale
    }
}

/// Returns the color of a fraction of the scale.
fn heat(fraction: f64) -> Color {
    let place = fraction * (HEAT.len() - 1) as f64;
    let below = (place as usize).min(HEAT.len() - 2);
    let (from, to, part) = (HEAT[below], HEAT[below + 1], place - below as f64);
    [0, 1, 2].map(|channel| {
        let [from, to] = [from, to].map(|color| f64::from(color[channel]));
        (from + (to - from) * part).round() as u8
    })
}

/// Draws the colors with the distances at their ends.
fn legend(canvas: &mut Canvas, scale: f64) {
    let height = f64::from(canvas.size().height);
    let [bar, width, border] = [LEGEND, WIDTH, BORDER].map(|part| part * height);
    let rows = bar.round().max(1.0) as u32;
    for row in 0..rows {
        let top = height - border - f64::from(row) - 1.0;
        let color = heat(f64::from(row) / f64::from(rows.max(2) - 1));
        canvas.plate(DVec2::new(border, top), DVec2::new(border + width, top + 1.0), color, 1.0);
    }
    let letter = (height / 360.0).round().max(1.0) as u32;
    let beside = border + width * 1.4;
    for (at, text) in [(height - border - bar, short(scale)), (height - border - f64::from(8 * letter), "0".into())] {
        canvas.label(DVec2::new(beside, at - f64::from(4 * letter)), &[(text, TEXT)], letter);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_go_from_the_first_to_the_last() {
        assert_eq!([0.0, 0.25, 1.0].map(heat), [HEAT[0], HEAT[1], HEAT[4]]);
        assert_eq!(heat(0.125), [65, 155, 238]);
        assert_eq!(
            [(0.0, 2.0), (1.0, 2.0), (3.0, 2.0), (0.0, 0.0), (1.0, 0.0)].map(|(d, s)| fraction(d, s)),
            [0.0, 0.5, 1.0, 0.0, 1.0]
        );
    }
}
