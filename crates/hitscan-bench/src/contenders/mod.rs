//! The libraries that are compared, each behind the same small traits.

#[cfg(feature = "peers")]
mod bvh;
mod embree;
mod embree_sys;
mod hitscan;
mod naive;
#[cfg(feature = "peers")]
mod obvhs;
mod overlaps;
#[cfg(feature = "peers")]
mod parry;
#[cfg(feature = "peers")]
mod placed;
#[cfg(feature = "peers")]
mod rapier;
mod sweeps;
#[cfg(feature = "peers")]
mod tinybvh;

pub(crate) use self::hitscan::{Calls, Hitscan, height_field, surface};
pub(crate) use embree::find_library;
pub(crate) use overlaps::{Overlaps, Pairs, Tracked};
#[cfg(feature = "peers")]
pub(crate) use parry::{
    Boxes as ParryBoxes, height_field as parry_height_field, obstacle as parry_obstacle, obstacles as parry_obstacles,
};
pub(crate) use sweeps::{Body, Obstacle, Way, mesh as mesh_obstacle, rigid_scene};

use crate::scenes::{Instances, Move, Soup};
use crate::shared::clock::seconds;
use ::hitscan::{Layout, Quality, Ray};
use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Where a ray hits.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// In multiples of the ray's direction.
    pub(crate) t: f32,
    /// In the order in which they were given; of an instance, in its mesh.
    pub(crate) triangle: u32,
}

/// The threads that a build may use.
pub(crate) struct Workers {
    pub(crate) threads: usize,
    pub(crate) pool: rayon::ThreadPool,
}

impl Workers {
    pub(crate) fn new(threads: usize) -> Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build();
        Ok(Self { threads, pool: pool.with_context(|| format!("no pool of {threads} threads"))? })
    }

    /// Seconds of what one of the threads does, with the others. Not of waking it, for which a thread from elsewhere waits some 50 us, and
    /// which is no library's own.
    pub(crate) fn seconds(&self, work: impl FnOnce() + Send) -> f64 {
        self.pool.install(|| seconds(work).0)
    }
}

/// Something that can be built and asked: a library with its settings.
pub(crate) trait Contender: Sync {
    fn name(&self) -> &'static str;

    /// Whether it is worth its time on so many triangles.
    fn takes(&self, _triangles: usize) -> bool {
        true
    }

    /// Called before anything by so many threads is timed.
    fn prepare(&self, _workers: &Workers) -> Result<()> {
        Ok(())
    }

    /// Ready for rays.
    fn build<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Box<dyn Tree + 'a>>;

    /// Ready for rays, and for other positions of its vertices; `None` if it has no refit.
    fn refittable<'a>(&self, _soup: &'a Soup, _workers: &Workers) -> Result<Option<Box<dyn Refit + 'a>>> {
        Ok(None)
    }

    /// Whether it promises the same bits, however a tree came about.
    fn is_exact(&self) -> bool {
        false
    }

    /// Whether moving its instances is measured; not if that is as with another contender.
    fn updates(&self) -> bool {
        true
    }

    /// Meshes and their instances; `None` if it is not compared there.
    fn world<'a>(&self, _instances: &'a Instances, _workers: &Workers) -> Result<Option<Box<dyn World + 'a>>> {
        Ok(None)
    }

    /// How its memory is counted.
    fn meter(&self) -> Meter {
        Meter::Allocator
    }
}

/// Who knows how much memory a contender holds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Meter {
    /// The program's own allocator, which counts.
    Allocator,
    /// The contender, by its tree.
    Own,
    /// Nobody: the process's resident memory before and after.
    #[cfg_attr(not(feature = "peers"), allow(dead_code, reason = "only peers need it"))]
    Resident,
}

impl Meter {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Allocator => "allocator",
            Self::Own => "itself",
            Self::Resident => "resident memory",
        }
    }
}

/// Who divides rays among threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// The benchmark, into equal shares.
    Shares,
    /// The contender, among rayon's threads.
    Own,
}

/// Bytes that a contender took.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bytes {
    pub(crate) held: usize,
    /// Largest amount while it was built.
    pub(crate) peak: usize,
}

/// What a contender has built, ready for rays.
///
/// The timed loops are methods, so that they are compiled for each contender: a call through the trait object is paid once a batch.
pub(crate) trait Tree {
    fn closest(&self, ray: &Ray) -> Option<Hit>;

    fn any(&self, ray: &Ray) -> bool;

    fn closest_all(&self, rays: &[Ray], hits: &mut [Option<Hit>]) {
        for (ray, hit) in rays.iter().zip(hits) {
            *hit = self.closest(ray);
        }
    }

    fn any_all(&self, rays: &[Ray], blocked: &mut [bool]) {
        for (ray, blocked) in rays.iter().zip(blocked) {
            *blocked = self.any(ray);
        }
    }

    /// Who divides rays among threads.
    fn division(&self) -> Division {
        Division::Shares
    }

    /// Itself for several threads; `None` if it is for one only.
    fn shared(&self) -> Option<&(dyn Tree + Sync)>;

    /// Bytes of the user's vertices and indices that it keeps copies of: its memory is compared without them.
    fn copied_input(&self) -> usize {
        0
    }

    /// Of [`Meter::Own`].
    fn bytes(&self) -> Bytes {
        Bytes::default()
    }
}

/// A tree whose vertices can move.
pub(crate) trait Refit: Tree + Send {
    /// On one of the threads that it may use.
    fn refit(&mut self, positions: &[[f32; 3]]);
}

/// Instances that can move.
pub(crate) trait World: Tree + Send {
    /// Moves some instances or all of them, each once, and is ready for rays. On one of the threads that it may use.
    fn update(&mut self, moves: &[Move]);

    /// What that takes: what is done for each instance that moves, and what for the tree.
    fn readiness(&self) -> &'static str;
}

/// All contenders, the reference first: Embree MEDIUM if its library is given, else hitscan.
pub(crate) fn all(embree: Option<&Path>) -> Result<Vec<Box<dyn Contender>>> {
    let mut contenders: Vec<Box<dyn Contender>> = Vec::new();
    if let Some(library) = embree {
        contenders.extend(embree::all(library)?);
    }
    let own = [
        (Quality::Balanced, Layout::Packed, Calls::OneByOne),
        (Quality::Balanced, Layout::Packed, Calls::Batch),
        (Quality::Balanced, Layout::Compact, Calls::OneByOne),
        (Quality::Fast, Layout::Packed, Calls::OneByOne),
        (Quality::Best, Layout::Packed, Calls::OneByOne),
        (Quality::Best, Layout::Packed, Calls::Batch),
    ];
    let own =
        own.map(|(quality, layout, calls)| Box::new(hitscan::Hitscan { quality, layout, calls }) as Box<dyn Contender>);
    let place = usize::from(!contenders.is_empty());
    contenders.splice(place..place, own);
    #[cfg(feature = "peers")]
    contenders.extend([
        Box::new(obvhs::Bvh2) as Box<dyn Contender>,
        Box::new(obvhs::RefittedBvh2),
        Box::new(obvhs::CwBvh),
        Box::new(parry::Parry),
        Box::new(rapier::Rapier),
        Box::new(bvh::Bvh),
        Box::new(tinybvh::TinyBvh::Sbvh),
        Box::new(tinybvh::TinyBvh::Binned),
    ]);
    contenders.push(Box::new(naive::Naive));
    Ok(contenders)
}

#[cfg(test)]
mod tests;
