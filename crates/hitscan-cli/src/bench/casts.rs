//! The time that rays take.

use super::rounds::{Rounds, Timing};
use super::shared::clock::{Cold, seconds};
use super::shared::rays::{Question, RaySet};
use hitscan::{Ray, RayQueries, Scene};
use hitscan_io::EntityId;
use rayon::ThreadPool;
use rayon::prelude::*;
use serde::Serialize;
use std::hint::black_box;

/// A set of rays cast by one thread or by all.
#[derive(Debug, Serialize)]
pub(super) struct Cast {
    pub(super) set: &'static str,
    pub(super) asks: &'static str,
    pub(super) threads: usize,
    pub(super) rays: usize,
    /// The number of rays that hit something.
    pub(super) hits: usize,
    #[serde(flatten)]
    pub(super) timing: Timing,
    pub(super) rays_per_second: f64,
    pub(super) nanoseconds_per_ray: f64,
}

/// The number of rays that a thread takes at a time.
const SHARE: usize = 1 << 10;
/// The number of picks. The time of a pick depends on its target, so the median needs many picks.
pub(super) const PICKS: u32 = 51;

pub(super) fn measure(
    scene: &Scene<EntityId>,
    set: RaySet,
    rays: &[Ray],
    pools: &[ThreadPool],
    rounds: &Rounds<'_>,
) -> Vec<Cast> {
    let question = set.question();
    let by = |pool: &ThreadPool| {
        let threads = pool.current_num_threads();
        let ask = || pool.install(|| rays.par_chunks(SHARE).map(|rays| count_hits(scene, question, rays)).sum());
        // This round warms the caches, and is not timed.
        let hits: usize = ask();
        let timing = rounds.time(format!("{}, {threads} threads", set.name()), || seconds(ask).0);
        let each = timing.seconds / rays.len() as f64;
        Cast {
            set: set.name(),
            asks: match question {
                Question::Closest => "closest",
                Question::Any => "any",
            },
            threads,
            rays: rays.len(),
            hits,
            timing,
            rays_per_second: 1.0 / each,
            nanoseconds_per_ray: each * 1e9,
        }
    };
    pools.iter().map(by).collect()
}

/// Counts hits. Each answer is computed completely, although only the hits are counted.
fn count_hits(scene: &Scene<EntityId>, question: Question, rays: &[Ray]) -> usize {
    match question {
        Question::Closest => rays.iter().filter(|ray| black_box(scene.cast(ray)).is_some()).count(),
        Question::Any => rays.iter().filter(|ray| scene.is_blocked(ray)).count(),
    }
}

/// Times single primary rays, each from another place of the picture.
pub(super) fn cold_pick(scene: &Scene<EntityId>, rays: &[Ray], rounds: &Rounds<'_>) -> Timing {
    let (mut cold, mut picks) = (Cold::new(), 0..);
    rounds.repeat(PICKS, "cold picks".into(), || {
        let pick = picks.next().unwrap_or(0);
        let ray = &rays[(pick * 2 + 1) * rays.len() / (2 * PICKS as usize) % rays.len()];
        cold.seconds(|| scene.cast(ray))
    })
}
