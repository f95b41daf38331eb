//! `hitscan bench`: how fast is this model?

mod builds;
mod casts;
mod figures;
mod rounds;
mod shared;
mod text;

use crate::args::{ModelArg, Size, ThreadArgs};
use crate::camera::{Origin, View as CameraView};
use crate::model::Loaded;
use crate::outcome::Outcome;
use crate::output::{Console, print, print_json};
use anyhow::{Result, ensure};
use clap::{Args, value_parser};
use figures::Figures;
use hitscan::RayQueries;
use hitscan::glam::DVec3;
use hitscan::simd::SimdLevel;
use hitscan_io::Detail;
use rounds::Rounds;
use shared::rays::{Choice, RaySet, Rays, View};

const AFTER_HELP: &str = "\
Examples:
  hitscan bench demo
  hitscan bench level.glb --json
  hitscan bench level.glb --threads 4 --rounds 15

Rays are cast at the scene as the other commands load it, cut-outs as if they were solid:
  primary        a picture, 60 degrees wide, from the file's first camera, else from half as far as one that frames the model
  ao             from what that picture shows into the hemisphere above it, cosine-weighted
  random         from anywhere in the model's box into any direction
  shadow         from what the picture shows to a light above the model
  ao-any         as ao, but no further than a twentieth of the box's diagonal
  line-of-sight  between two points anywhere in the box
The first three ask for the closest hit, the others whether there is any. All are cast by one thread and by all of them. \
A cold pick is one primary ray by one thread after 64 MiB of other memory were used, each time another ray.

BUILD is the time to build the trees of all meshes in each quality, and once more to put all entities into a scene, with \
the bytes of those trees. Times are medians over the rounds, with the fastest and the slowest one; a measurement ends \
early once it has taken ten seconds.

JSON: `model`, `simd` (the instruction set), `entities`, `meshes`, `triangles` (of each mesh once), `seed`; `builds`, \
`scene`, `rays` and `cold_pick` with these figures. `seconds`, `fastest` and `slowest` are of one round, in which all \
meshes are built or all rays of a set are cast.

Exit codes: 0 success, 2 an error, such as a model without triangles.";

/// This number of rays takes 3 GiB.
const MOST_RAYS: i64 = 1 << 24;
const RAYS: u32 = 1 << 16;

#[derive(Debug, Args)]
#[command(after_help = AFTER_HELP)]
pub(crate) struct BenchArgs {
    #[command(flatten)]
    model: ModelArg,
    /// The number of rays in a set, rounded up to a square number; a million take 200 MB of memory
    #[arg(long, value_name = "N", default_value_t = RAYS, value_parser = value_parser!(u32).range(1..=MOST_RAYS))]
    rays: u32,
    /// The number of times that everything is measured
    #[arg(long, value_name = "N", default_value_t = 7, value_parser = value_parser!(u32).range(1..))]
    rounds: u32,
    /// Other rays
    #[arg(long, value_name = "N", default_value_t = Choice::SEED)]
    seed: u64,
    #[command(flatten)]
    threads: ThreadArgs,
    /// Write JSON
    #[arg(long)]
    json: bool,
}

pub(crate) fn run(args: &BenchArgs, console: &Console) -> Result<Outcome> {
    let loaded = args.model.load(Detail::Hits, console)?;
    let meshes = loaded.meshes();
    let with_area = |mesh: &hitscan::Mesh| mesh.triangle_count() - mesh.degenerate_count();
    ensure!(
        meshes.iter().map(with_area).sum::<usize>() > 0,
        "{}: there are no triangles (with an area) that rays could be cast at",
        args.model.model
    );
    let pools = args.threads.one_and_all()?;
    // There are three qualities and six sets for each pool, and the scene.
    let measurements = 9 * pools.len() as u64 + 1;
    let bar = console.progress(Some(measurements * u64::from(args.rounds) + u64::from(casts::PICKS)));
    let rounds = Rounds::new(args.rounds, &bar);
    let rays = args.rays(&loaded);
    let figures = Figures {
        model: &args.model.model,
        simd: SimdLevel::current().to_string(),
        entities: loaded.model.entities.len(),
        meshes: meshes.len(),
        triangles: meshes.iter().map(hitscan::Mesh::triangle_count).sum(),
        seed: args.seed,
        builds: builds::measure(&meshes, &pools, &rounds)?,
        scene: builds::scene(&loaded, &rounds)?,
        rays: RaySet::ALL
            .iter()
            .flat_map(|&set| casts::measure(&loaded.scene, set, &rays.of(set), &pools, &rounds))
            .collect(),
        cold_pick: casts::cold_pick(&loaded.scene, &rays.of(RaySet::Primary), &rounds),
    };
    bar.finish_and_clear();
    if args.json {
        print_json(&figures)?
    } else {
        print(|out| text::write(out, &figures))?
    }
    Ok(Outcome::Success)
}

impl BenchArgs {
    fn rays(&self, loaded: &Loaded) -> Rays {
        let bounds = loaded.scene.bounds();
        let (min, max) = (bounds.min.as_dvec3(), bounds.max.as_dvec3());
        let middle = (min + max) / 2.0;
        let camera = CameraView::default_of(loaded, Size { width: 1, height: 1 });
        // A camera that frames the model also shows much empty space around it, so the eye is moved halfway to the middle.
        let eye = match camera.origin {
            Origin::Framing(_) => middle.midpoint(camera.transform.translation),
            Origin::File(_) | Origin::ByHand => camera.transform.translation,
        };
        let light = middle + DVec3::new(-0.2, 1.0, 0.3) * (max - min).length();
        let view = View { eye, forward: -camera.transform.matrix3.z_axis.normalize_or(DVec3::Z), light };
        let side = f64::from(self.rays).sqrt().ceil() as u32;
        Rays::new(view, (min, max), Choice { side, seed: self.seed }, |ray| {
            loaded.scene.cast(ray).map(|hit| (hit.point, hit.facing_normal()))
        })
    }
}
