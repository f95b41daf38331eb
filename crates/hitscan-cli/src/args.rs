//! The options that several commands share, and how their values are read.

use anyhow::{Context, Result};
use clap::{Args, ValueEnum};
use hitscan::glam::DVec3;
use hitscan::query::RayView;
use hitscan::{Cull, CutOuts, Entity, Filter, RayQueries, Scene};
use hitscan_io::EntityId;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fmt;
use std::num::NonZeroUsize;
use std::str::FromStr;

/// The model, and its pose.
#[derive(Debug, Args)]
pub(crate) struct ModelArg {
    /// A .gltf, .glb, .obj, .stl or .ply file, a baked one, or `demo` for a village that the program makes itself
    #[arg(value_name = "MODEL")]
    pub(crate) model: String,
    /// The animation that poses the model, by name or else by index; without it the model is at rest
    #[arg(long, value_name = "NAME|INDEX")]
    pub(crate) animation: Option<String>,
    /// Leave out meshes of a glTF that have a fault, each with a warning, instead of refusing the model
    #[arg(long)]
    pub(crate) lenient: bool,
    /// The time of the animation, in seconds. Before its first key and after its last one the animation stands still
    /// [default: 0]
    #[arg(long, value_name = "S", value_parser = finite, allow_hyphen_values = true, requires = "animation")]
    pub(crate) time: Option<f64>,
}

/// The picture of the model, and its camera.
#[derive(Debug, Args)]
pub(crate) struct PictureArgs {
    /// Width and height of the picture in pixels; their ratio is its aspect
    #[arg(long, value_name = "WxH", default_value_t)]
    pub(crate) size: Size,
    /// A camera of the file, by name or else by index. The default is the file's first camera. Without one, a camera
    /// frames the model without a huge or far thing (see `hitscan info`)
    #[arg(long, value_name = "NAME|INDEX", conflicts_with_all = ["eye", "target", "up", "fov_y", "ortho"])]
    pub(crate) camera: Option<String>,
    /// Look from this point instead
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>, allow_hyphen_values = true, requires = "target")]
    pub(crate) eye: Option<[f64; 3]>,
    /// The point that --eye looks at
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>, allow_hyphen_values = true, requires = "eye")]
    pub(crate) target: Option<[f64; 3]>,
    /// The direction that is upwards in the picture from --eye [default: 0,1,0; looking straight down 0,0,-1, straight
    /// up 0,0,1]
    #[arg(long, value_name = "X,Y,Z", value_parser = numbers::<3>, allow_hyphen_values = true, requires = "eye")]
    pub(crate) up: Option<[f64; 3]>,
    /// Vertical field of view from --eye, in degrees [default: 45]
    #[arg(long, value_name = "DEG", value_parser = field_of_view, allow_hyphen_values = true, requires = "eye")]
    pub(crate) fov_y: Option<f64>,
    /// Parallel rays instead: an orthographic picture of this height, in the model's units
    #[arg(
        long,
        value_name = "HEIGHT",
        value_parser = height,
        allow_hyphen_values = true,
        requires = "eye",
        conflicts_with = "fov_y"
    )]
    pub(crate) ortho: Option<f64>,
}

/// The surfaces that rays pass through.
#[derive(Debug, Args)]
pub(crate) struct CastArgs {
    /// Treat cut-out materials (alpha MASK) as solid, instead of letting rays through their holes
    #[arg(long)]
    pub(crate) no_cutout: bool,
    #[command(flatten)]
    pub(crate) choice: ChoiceArgs,
}

/// The surfaces that are hit, for rays and volumes.
#[derive(Debug, Args)]
pub(crate) struct ChoiceArgs {
    /// Pass through surfaces that a ray or volume reaches from this side
    #[arg(long, value_name = "SIDE", default_value = "none")]
    pub(crate) cull: CullArg,
    /// Pass through the entities of this name; may be given several times
    #[arg(long, value_name = "NAME")]
    pub(crate) hide: Vec<String>,
}

/// The side that is passed through.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum CullArg {
    None,
    Back,
    Front,
}

impl ChoiceArgs {
    pub(crate) fn filter(&self) -> Filter<'static, EntityId> {
        let cull = match self.cull {
            CullArg::None => Cull::None,
            CullArg::Back => Cull::Back,
            CullArg::Front => Cull::Front,
        };
        Filter::new().layers(Entity::DEFAULT_LAYERS).cull(cull)
    }
}

impl CastArgs {
    /// Returns the choice that every surface is solid and visible.
    pub(crate) fn solid() -> Self {
        Self { no_cutout: true, choice: ChoiceArgs { cull: CullArg::None, hide: Vec::new() } }
    }

    /// Returns the scene for rays that are relative to an origin, through [`ChoiceArgs::filter`]. For the rays of a picture, this origin is the eye. Far from
    /// the world's origin, rounding the start of a ray to f32 would lose a large part of a short t.
    pub(crate) fn view<'a>(
        &self,
        scene: &'a Scene<EntityId>,
        filter: &'a Filter<'_, EntityId>,
        origin: DVec3,
    ) -> RayView<'a, EntityId> {
        scene.with(filter).relative_to(origin).cut_outs(self.cut_outs())
    }

    pub(crate) fn cut_outs(&self) -> CutOuts {
        if self.no_cutout { CutOuts::Solid } else { CutOuts::Open }
    }
}

/// The number of threads.
#[derive(Debug, Args)]
pub(crate) struct ThreadArgs {
    /// The number of threads [default: one for each core]
    #[arg(long, value_name = "N", value_parser = thread_count)]
    threads: Option<NonZeroUsize>,
}

fn thread_count(text: &str) -> Result<NonZeroUsize, String> {
    text.parse().map_err(|_| "give a number from 1 on, or leave it out for one thread for each core".into())
}

impl ThreadArgs {
    pub(crate) fn pool(&self) -> Result<ThreadPool> {
        pool(self.threads)
    }

    /// Returns a pool of one thread and a pool of all threads, or a single pool if there is only one thread.
    pub(crate) fn one_and_all(&self) -> Result<Vec<ThreadPool>> {
        let all = self.pool()?;
        let one = if all.current_num_threads() > 1 { Some(pool(Some(NonZeroUsize::MIN))?) } else { None };
        Ok(one.into_iter().chain([all]).collect())
    }
}

/// Makes a pool of threads. Without a count, it has one thread for each core.
fn pool(threads: Option<NonZeroUsize>) -> Result<ThreadPool> {
    let count = threads.map_or(0, NonZeroUsize::get);
    ThreadPoolBuilder::new().num_threads(count).build().context("the threads cannot be started")
}

/// The size of a picture, in pixels; neither is 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Size {
    pub(crate) width: u32,
    pub(crate) height: u32,
}

impl Size {
    pub(crate) fn aspect(self) -> f64 {
        f64::from(self.width) / f64::from(self.height)
    }
}

impl Default for Size {
    fn default() -> Self {
        Self { width: 1280, height: 720 }
    }
}

impl fmt::Display for Size {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}x{}", self.width, self.height)
    }
}

impl FromStr for Size {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let positive = |number: &str| number.trim().parse().ok().filter(|&number: &u32| number > 0);
        let size = text
            .split_once(['x', 'X'])
            .and_then(|(width, height)| Some(Self { width: positive(width)?, height: positive(height)? }));
        size.ok_or_else(|| "expected two whole numbers above 0 with an x between, such as 1280x720".into())
    }
}

/// Parses `N` finite numbers that are separated by commas.
pub(crate) fn numbers<const N: usize>(text: &str) -> Result<[f64; N], String> {
    let numbers: Option<Vec<f64>> = text.split(',').map(|number| finite(number).ok()).collect();
    numbers.and_then(|numbers| numbers.try_into().ok()).ok_or_else(|| {
        if N == 1 {
            return "expected a finite number, such as 1.5".into();
        }
        let example = ["1.5", "-2", "30"].iter().cycle().take(N).copied().collect::<Vec<_>>().join(",");
        format!("expected {N} finite numbers with commas between, such as {example}")
    })
}

/// Parses a point or a motion in the model's space. Beyond the limit of 1e70, the library finds no motion and no
/// distance.
pub(crate) fn place(text: &str) -> Result<[f64; 3], String> {
    let place = numbers::<3>(text)?;
    let is_usable = place.iter().all(|number| number.abs() < 1e70);
    is_usable.then_some(place).ok_or_else(|| "expected numbers below 1e70".into())
}

pub(crate) fn finite(text: &str) -> Result<f64, String> {
    let number = text.trim().parse().ok().filter(|number: &f64| number.is_finite());
    number.ok_or_else(|| "expected a finite number".into())
}

fn field_of_view(text: &str) -> Result<f64, String> {
    let degrees = finite(text)?;
    let in_range = degrees > 0.0 && degrees < 180.0;
    in_range.then_some(degrees).ok_or_else(|| "expected degrees above 0 and below 180".into())
}

/// Parses a distance, from 0.
pub(crate) fn distance(text: &str) -> Result<f64, String> {
    let distance = finite(text)?;
    (distance >= 0.0).then_some(distance).ok_or_else(|| "expected a distance from 0".into())
}

fn height(text: &str) -> Result<f64, String> {
    let height = finite(text)?;
    (height > 0.0).then_some(height).ok_or_else(|| "expected a height above 0".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes() {
        assert_eq!("1280x720".parse(), Ok(Size::default()));
        assert_eq!("1X2".parse(), Ok(Size { width: 1, height: 2 }));
        for text in ["", "1280", "0x720", "1280x0", "-1x2", "1.5x2", "1x2x3", "x", "4294967296x1"] {
            assert!(text.parse::<Size>().is_err(), "{text}");
        }
    }

    #[test]
    fn numbers_with_commas() {
        assert_eq!(numbers("-1,2.5,3e2"), Ok([-1.0, 2.5, 300.0]));
        assert_eq!(numbers(" 1 , -0 "), Ok([1.0, -0.0]));
        for text in ["", "1", "1,2", "1,2,", "1,2,3,4", "1;2;3", "nan,0,0", "inf,0,0", "1e999,0,0", "--target"] {
            assert!(numbers::<3>(text).is_err(), "{text}");
        }
    }
}
