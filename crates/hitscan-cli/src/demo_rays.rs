//! `hitscan demo-rays`: the worked example of the box, as a picture.

use crate::args::Size;
use crate::outcome::Outcome;
use crate::output::joined;
use crate::picture::{Canvas, Color, Picture};
use anyhow::Result;
use clap::Args;
use hitscan::glam::{DVec2, DVec3, Vec3};
use hitscan::{Aabb, Camera, Ray};
use std::path::PathBuf;

const AFTER_HELP: &str = "\
Examples:
  hitscan demo-rays -o rays.png

The box is that from (0.5, 0.5, 0.5) to (2, 2, 2). An arrow is a ray's origin and direction; t counts in its multiples.

Exit codes: 0 success, 2 an error.";

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct DemoRaysArgs {
    /// The .png file to write
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
    /// Width and height of the picture in pixels
    #[arg(long, value_name = "WxH", default_value_t)]
    size: Size,
}

const BOX: Aabb = Aabb { min: Vec3::splat(0.5), max: Vec3::splat(2.0) };
/// The origin and direction of each ray, and the offset of its number from the origin, in units of the size of a letter.
const RAYS: [([f32; 3], [f32; 3], [f64; 2]); 5] = [
    ([-2.0, -2.0, -2.0], [2.0, 2.0, 2.0], [-1.6, 0.4]),
    ([0.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.6, -7.0]),
    ([0.0, 0.0, 0.0], [-1.0, 0.0, 0.0], [-4.0, 0.8]),
    ([1.0, 1.0, 1.0], [1.0, 1.0, 0.0], [-0.6, 0.7]),
    ([0.4, 1.0, 1.0], [-1.0, 0.0, 0.0], [-2.0, -1.7]),
];

const EYE: DVec3 = DVec3::new(4.4, 3.2, 7.6);
const TARGET: DVec3 = DVec3::new(-0.35, 0.12, 0.0);
const FOV_Y: f64 = 0.6;

const PAPER: Color = [250, 250, 248];
const INK: Color = [40, 44, 52];
const PALE: Color = [168, 172, 180];
const HIT: Color = [214, 40, 40];
const MISS: Color = [36, 92, 214];

const AXIS: f64 = 2.7;
/// The t up to which a ray that misses is drawn.
const FOLLOWED: f32 = 2.2;
/// The numbers of the corners of a box. Each bit of a number is a coordinate x, y or z, and an edge joins two corners
/// that differ in one bit.
const CORNERS: std::ops::Range<u8> = 0..8;

pub(crate) fn run(args: &DemoRaysArgs) -> Result<Outcome> {
    let picture = Picture::create("-o", &args.out, &[], args.size)?;
    let camera = Camera::perspective(Camera::look_at(EYE, TARGET, DVec3::Y)?, FOV_Y)?;
    let mut sheet = Sheet { canvas: Canvas::filled(args.size, PAPER), camera };
    sheet.axes();
    sheet.edges(Edges::Hidden);
    (1..).zip(RAYS).for_each(|(number, (origin, direction, beside))| {
        sheet.ray(number, &Ray::with_direction(origin, direction), beside.into());
    });
    sheet.edges(Edges::Visible);
    sheet.legend();
    picture.write(&sheet.canvas)?;
    Ok(Outcome::Success)
}

struct Sheet {
    canvas: Canvas,
    camera: Camera,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Edges {
    Hidden,
    Visible,
}

impl Sheet {
    /// Returns the unit of lengths in the picture in pixels: the height of the picture divided by 720.
    fn unit(&self) -> f64 {
        f64::from(self.canvas.size().height) / 720.0
    }

    fn scale(&self) -> u32 {
        (2.0 * self.unit()).round().max(1.0) as u32
    }

    /// Returns the pixel of a point in the world; `None` behind the eye.
    fn pixel(&self, point: DVec3) -> Option<DVec2> {
        let Size { width, height } = self.canvas.size();
        self.camera.project(point, [width, height]).map(|seen| seen.pixel.as_dvec2())
    }

    fn axes(&mut self) {
        let (width, scale) = (1.5 * self.unit(), self.scale());
        for (axis, name) in [(DVec3::X, "x"), (DVec3::Y, "y"), (DVec3::Z, "z")] {
            if let (Some(from), Some(to)) = (self.pixel(DVec3::ZERO), self.pixel(axis * AXIS)) {
                self.canvas.arrow(from, to, width, PALE);
                let letter = 8.0 * f64::from(scale);
                let beside = (to - from).normalize_or_zero() * letter - letter * 0.5;
                self.canvas.text(to + beside, name, scale, PALE);
            }
        }
    }

    /// Draws edges. The edges at the corner that is farthest from the eye are behind the box.
    fn edges(&mut self, which: Edges) {
        let corner = |number: u8| {
            DVec3::from_array(
                [0, 1, 2].map(|axis| if number >> axis & 1 == 0 { BOX.min } else { BOX.max }[axis].into()),
            )
        };
        let distance = |number: &u8| corner(*number).distance(EYE);
        let farthest = CORNERS.max_by(|a, b| distance(a).total_cmp(&distance(b)));
        for from in CORNERS {
            for to in [1, 2, 4].map(|bit| from | bit).into_iter().filter(|&to| to != from) {
                let is_hidden = [Some(from), Some(to)].contains(&farthest);
                let (Some(a), Some(b)) = (self.pixel(corner(from)), self.pixel(corner(to))) else { continue };
                let width = 2.0 * self.unit();
                match which {
                    Edges::Hidden if is_hidden => self.canvas.dashes(a, b, width, 10.0 * self.unit(), PALE),
                    Edges::Visible if !is_hidden => self.canvas.line(a, b, width, INK),
                    _ => {}
                }
            }
        }
    }

    fn ray(&mut self, number: u32, ray: &Ray, beside: DVec2) {
        let (unit, scale) = (self.unit(), self.scale());
        let hit = BOX.cast(ray);
        let color = if hit.is_some() { HIT } else { MISS };
        let at = |t: f32| ray.at(t).as_dvec3();
        let end = hit.map_or(FOLLOWED, |hit| hit.t);
        let places = [0.0, 1.0, end].map(|t| self.pixel(at(t)));
        let [Some(origin), Some(tip), Some(end)] = places else { return };
        match hit {
            Some(_) => self.canvas.line(origin, end, 1.5 * unit, color),
            None => self.canvas.dashes(tip, end, 1.5 * unit, 8.0 * unit, color),
        }
        self.canvas.arrow(origin, tip, 4.0 * unit, color);
        self.canvas.disc(origin, 4.0 * unit, color);
        if hit.is_some() {
            self.canvas.disc(end, 7.0 * unit, color);
            self.canvas.disc(end, 4.0 * unit, PAPER);
        }
        self.canvas.text(origin + beside * 8.0 * f64::from(scale), &number.to_string(), scale, color);
    }

    fn legend(&mut self) {
        let (scale, leading) = (self.scale(), 26.0 * self.unit());
        let left = 24.0 * self.unit();
        let top = f64::from(self.canvas.size().height) - (RAYS.len() + 1) as f64 * leading - left * 0.5;
        let triple = |numbers: [f32; 3]| format!("({})", joined(numbers).replace(',', ", "));
        let title = format!("box {} to {}", triple(BOX.min.to_array()), triple(BOX.max.to_array()));
        self.canvas.text(DVec2::new(left, top), &title, scale, INK);
        for (number, (origin, direction, _)) in (1..).zip(RAYS) {
            let hit = BOX.cast(&Ray::with_direction(origin, direction));
            let (color, verdict) = match hit {
                Some(hit) => (HIT, format!("hits at t = {}", hit.t)),
                None => (MISS, "misses".into()),
            };
            let ray = format!("{} + {}", triple(origin), triple(direction));
            let down = top + leading * f64::from(number);
            self.canvas.text(DVec2::new(left, down), &format!("{number} {ray:<25} {verdict}"), scale, color);
        }
    }
}
