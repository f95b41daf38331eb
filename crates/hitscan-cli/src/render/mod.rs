//! `hitscan render`: a picture of a model, a cast for each of its samples.

mod exposure;
mod film;
mod light;
mod mark;
mod mode;
mod pixel;
mod surface;

use crate::args::{CastArgs, ModelArg, PictureArgs, Size, ThreadArgs, numbers};
use crate::outcome::Outcome;
use crate::output::Console;
use crate::picture::{Canvas, Picture};
use crate::region::RegionArgs;
use crate::snap::{self, SnapReport};
use anyhow::{Context, Result, ensure};
use clap::Args;
use hitscan_io::EntityId;
use std::collections::HashSet;
use std::path::PathBuf;

pub(crate) use exposure::{Exposure, Grain, Sky};
pub(crate) use film::Film;
pub(crate) use mark::explain;
pub(crate) use mode::Mode;
pub(crate) use surface::View;

const AFTER_HELP: &str = "\
Examples:
  hitscan render demo -o village.png
  hitscan render demo -o map.png --camera Map --mode entity
  hitscan render level.glb -o level.png --eye 0,2,10 --target 0,1,0 --size 800x600
  hitscan render demo -o picked.png --mark 640,360
  hitscan render demo -o selected.png --circle 640,360,80 --visible
  hitscan render demo -o snapped.png --snap 640,360,20
  hitscan render fox.glb -o running.png --animation Run --time 0.4

Modes: shaded (sun, sky, base colors and textures; dark rooms are exposed for longer), normal (x, y, z of the surface's normal as red, green, blue), depth (the \
nearer the brighter), entity (a color for each).

Exit codes: 0 success, 2 an error.";

/// The default number of samples of a pixel in each direction.
const SAMPLES: u32 = 2;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct RenderArgs {
    #[command(flatten)]
    model: ModelArg,
    /// The .png file to write
    #[arg(short, long, value_name = "OUT")]
    out: PathBuf,
    #[command(flatten)]
    picture: PictureArgs,
    /// The property of surfaces to show
    #[arg(long, value_name = "MODE", default_value = "shaded")]
    mode: Mode,
    /// Show what is under this pixel: the entity with its name, the point and the normal
    #[arg(long, value_name = "X,Y", value_parser = numbers::<2>, allow_hyphen_values = true)]
    mark: Option<[f64; 2]>,
    #[command(flatten)]
    region: RegionArgs,
    /// Show what a cursor here snaps to within this many pixels, as `hitscan snap` finds it
    #[arg(long, value_name = "X,Y,RADIUS", value_parser = numbers::<3>, allow_hyphen_values = true)]
    snap: Option<[f64; 3]>,
    /// Cast NxN rays for each pixel, for smooth edges
    #[arg(long, value_name = "N", default_value_t = SAMPLES, value_parser = clap::value_parser!(u32).range(1..=8))]
    samples: u32,
    #[command(flatten)]
    cast: CastArgs,
    #[command(flatten)]
    threads: ThreadArgs,
}

pub(crate) fn run(args: &RenderArgs, console: &Console) -> Result<Outcome> {
    if let Some(cursor) = args.mark {
        args.picture.check_cursor("--mark", cursor)?;
    }
    let region = args.region.region()?;
    if let Some([x, y, radius]) = args.snap {
        args.picture.check_cursor("--snap", [x, y])?;
        ensure!(snap::is_radius(radius), "--snap has a radius of {radius} pixels: give one from 0 to {:e}", f32::MAX);
    }
    let size = args.picture.size;
    let picture = Picture::create("-o", &args.out, &[args.model.path()], size)?;
    let mut loaded = args.model.load(args.mode.detail(), console)?;
    picture.keep_apart(&loaded.model.files)?;
    args.cast.choice.hide(&mut loaded)?;
    let view = args.picture.view(&loaded, console)?;
    let camera = view.camera()?;
    let view = View::new(&loaded, &args.cast, camera, view.lens, size);
    let marked = args.mark.map(|cursor| view.pick(cursor));
    if let (Some(cursor), Some(None)) = (args.mark, marked) {
        let cursor = crate::output::joined(cursor);
        console.warn(format_args!("--mark {cursor}: there is nothing under this pixel, so nothing is marked"));
    }
    let marked = marked.flatten();

    let mut shown: HashSet<EntityId> = marked.iter().map(|hit| hit.id).collect();
    if let Some(drawn) = &region {
        let selected = view.select(&args.region.selector(&drawn.region, &view.camera, &args.picture)?);
        if selected.is_empty() {
            console.warn(format_args!("nothing is in the region, so only its outline is drawn"));
        }
        shown.extend(selected);
    }
    let grain = Grain { step: 1, samples: args.samples, sky: Sky::Sampled };
    let film = film(&Exposure::new(&view, args.mode, grain, &shown), size, &args.threads, console)?;
    let mut canvas = developed(&film, args.mode)?;
    if !shown.is_empty() {
        mark::outline(&mut canvas, &film);
    }
    if let Some(drawn) = &region {
        mark::region(&mut canvas, &drawn.outline);
    }
    if let Some(hit) = &marked {
        explain(&mut canvas, &view, hit, &mark::lines(&view, hit));
    }
    if let Some([x, y, radius]) = args.snap {
        let of_cursor = ([x, y], radius);
        let snap = snap::nearest(&loaded, &camera, &args.picture, &args.cast, of_cursor, &snap::DEFAULT_KINDS);
        let report = snap.and_then(|snap| SnapReport::new(&loaded, &snap));
        if report.is_none() {
            console.warn(format_args!("--snap {x},{y},{radius}: nothing is within the radius"));
        }
        mark::snap(&mut canvas, of_cursor, report.as_ref());
    }
    picture.write(&canvas)?;
    Ok(Outcome::Success)
}

/// Draws a view with the default options of `render`.
pub(crate) fn draw(view: &View<'_>, threads: &ThreadArgs, console: &Console) -> Result<Canvas> {
    let grain = Grain { step: 1, samples: SAMPLES, sky: Sky::Sampled };
    let film = film(&Exposure::new(view, Mode::Shaded, grain, &HashSet::new()), view.size, threads, console)?;
    developed(&film, Mode::Shaded)
}

/// Exposes a whole film.
fn film(exposure: &Exposure<'_>, size: Size, threads: &ThreadArgs, console: &Console) -> Result<Film> {
    let bar = console.progress(Some(size.height.into()));
    let mut film = Film::blank(size);
    threads.pool()?.install(|| film.expose(exposure, 0..size.height as usize, &bar));
    bar.finish_and_clear();
    Ok(film)
}

fn developed(film: &Film, mode: Mode) -> Result<Canvas> {
    film.develop(mode).context("the picture is incomplete")
}
