//! The region of the picture that `select` and `render` accept, and the entities that it selects.

use crate::args::{PictureArgs, finite, numbers};
use crate::csv_reader::{CsvReader, shown, unquoted};
use anyhow::{Context, Result, anyhow};
use clap::Args;
use hitscan::Camera;
use hitscan::glam::DVec2;
use hitscan::select::{Region, Rule, Selector};
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

/// A region, and how much of a thing must be in it.
#[derive(Debug, Args)]
pub(crate) struct RegionArgs {
    /// Select in a rectangle with these two opposite corners, in pixels
    #[arg(long, value_name = "X0,Y0,X1,Y1", value_parser = numbers::<4>, allow_hyphen_values = true, group = "region")]
    rect: Option<[f64; 4]>,
    /// Select in a polygon, by the even-odd rule; FILE has a corner X,Y in each line, and - is standard input
    #[arg(long, value_name = "FILE", group = "region")]
    lasso: Option<PathBuf>,
    /// Select in a circle with this centre and radius, in pixels
    #[arg(long, value_name = "X,Y,R", value_parser = numbers::<3>, allow_hyphen_values = true, group = "region")]
    circle: Option<[f64; 3]>,
    /// Select only what is wholly in the region, instead of all that touches it
    #[arg(long, requires = "region")]
    inside: bool,
    /// Select only what a ray through the middle of a pixel of the region hits first
    #[arg(long, requires = "region")]
    visible: bool,
}

/// A region, and its outline in the picture.
pub(crate) struct Drawn {
    pub(crate) region: Region,
    pub(crate) outline: Vec<DVec2>,
}

/// The number of corners with which a circle is drawn.
const CORNERS: u32 = 96;

impl RegionArgs {
    /// Returns the region; `None` if none was given.
    pub(crate) fn region(&self) -> Result<Option<Drawn>> {
        if let Some([x0, y0, x1, y1]) = self.rect {
            let region = Region::rect(pixel([x0, y0]), pixel([x1, y1])).context("--rect")?;
            let outline = [[x0, y0], [x1, y0], [x1, y1], [x0, y1]].map(DVec2::from).into();
            return Ok(Some(Drawn { region, outline }));
        }
        if let Some([x, y, radius]) = self.circle {
            let region = Region::circle(pixel([x, y]), radius as f32).context("--circle")?;
            let turn = |corner: u32| f64::from(corner) / f64::from(CORNERS) * std::f64::consts::TAU;
            let on_circle = |corner: u32| DVec2::new(x, y) + DVec2::from_angle(turn(corner)) * radius;
            return Ok(Some(Drawn { region, outline: (0..CORNERS).map(on_circle).collect() }));
        }
        let Some(file) = &self.lasso else { return Ok(None) };
        let outline = corners(file)?;
        let pixels: Vec<[f32; 2]> = outline.iter().map(|corner| pixel(corner.to_array())).collect();
        let region = Region::lasso(&pixels).with_context(|| format!("--lasso {}", file.display()))?;
        Ok(Some(Drawn { region, outline }))
    }

    /// Returns the selector of a region in the picture of a camera.
    pub(crate) fn selector(&self, region: &Region, camera: &Camera, picture: &PictureArgs) -> Result<Selector> {
        let rule = if self.inside { Rule::Inside } else { Rule::Touching };
        let selector = Selector::new(camera, [picture.size.width, picture.size.height], region).rule(rule);
        if self.visible { selector.visible(1.0).context("--visible") } else { Ok(selector) }
    }
}

fn pixel(at: [f64; 2]) -> [f32; 2] {
    at.map(|coordinate| coordinate as f32)
}

/// Reads the corners of a lasso.
fn corners(path: &Path) -> Result<Vec<DVec2>> {
    let name = path.display().to_string();
    let mut lines = if path == Path::new("-") {
        CsvReader::new("standard input".into(), Box::new(io::stdin()))
    } else {
        let file = File::open(path).with_context(|| format!("{name}: cannot be read"))?;
        CsvReader::new(name, Box::new(file))
    };
    let mut corners = Vec::new();
    while lines.advance()? {
        corners.push(corner(&lines)?);
    }
    Ok(corners)
}

fn corner(lines: &CsvReader) -> Result<DVec2> {
    let cells = lines.row();
    let read = |cell: &[u8]| std::str::from_utf8(cell).ok().and_then(|cell| finite(unquoted(cell)).ok());
    let numbers: Option<Vec<f64>> = cells.iter().map(|cell| read(cell)).collect();
    match numbers.as_deref() {
        Some(&[x, y]) => Ok(DVec2::new(x, y)),
        _ => Err(anyhow!("{}: {} is not a corner X,Y, such as 640,360", lines.place(), shown(lines.line()))),
    }
}
