//! The libraries that are compared, behind common traits.

#[cfg(feature = "peers")]
mod bvh;
mod embree;
mod embree_sys;
mod hitscan;
mod naive;
mod nearest;
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
pub(crate) use nearest::Surface;
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

/// The hit of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// The distance in multiples of the ray's direction.
    pub(crate) t: f32,
    /// The index of the triangle in the input, or in the mesh of an instance.
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

    /// Returns the seconds that a job takes on one of the threads with the help of the others. Waking that thread from
    /// outside is not included, as it is not part of any library's work.
    pub(crate) fn seconds(&self, work: impl FnOnce() + Send) -> f64 {
        self.pool.install(|| seconds(work).0)
    }
}

/// A library with certain settings, which builds structures that answer queries.
pub(crate) trait Contender: Sync {
    fn name(&self) -> &'static str;

    /// Returns whether it is fast enough for so many triangles.
    fn takes(&self, _triangles: usize) -> bool {
        true
    }

    /// Prepares a contender before anything with so many threads is timed.
    fn prepare(&self, _workers: &Workers) -> Result<()> {
        Ok(())
    }

    /// Builds a structure that is ready for rays.
    fn build<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Box<dyn Tree + 'a>>;

    /// Builds a structure that is ready for rays and can be refitted; `None` if it has no refit.
    fn refittable<'a>(&self, _soup: &'a Soup, _workers: &Workers) -> Result<Option<Box<dyn Refit + 'a>>> {
        Ok(None)
    }

    /// Builds a structure that tells closest points; `None` if it is not compared there.
    fn surface<'a>(&self, _soup: &'a Soup, _workers: &Workers) -> Result<Option<Box<dyn Surface + 'a>>> {
        Ok(None)
    }

    /// Returns whether it promises the same bits, however a tree was made.
    fn is_exact(&self) -> bool {
        false
    }

    /// Returns whether moving its instances is measured; it is not if that is the same as for another contender.
    fn updates(&self) -> bool {
        true
    }

    /// Builds meshes and their instances; `None` if it is not compared there.
    fn world<'a>(&self, _instances: &'a Instances, _workers: &Workers) -> Result<Option<Box<dyn World + 'a>>> {
        Ok(None)
    }

    /// Returns how its memory is counted.
    fn meter(&self) -> Meter {
        Meter::Allocator
    }
}

/// The way in which a contender's memory is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Meter {
    /// The program's counting allocator measures it.
    Allocator,
    /// The contender reports it.
    Own,
    /// The process's resident memory before and after the build is compared.
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

/// The way in which rays are divided among threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Division {
    /// The benchmark divides them into equal shares.
    Shares,
    /// The contender divides them among rayon's threads.
    Own,
}

/// The memory that a contender uses, in bytes.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct Bytes {
    pub(crate) held: usize,
    /// The peak during the build.
    pub(crate) peak: usize,
}

/// A built structure that is ready for rays.
///
/// The timed loops are provided methods, so that they are compiled for each contender, and a call through the trait
/// object is made only once a batch.
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

    /// Returns how rays are divided among threads.
    fn division(&self) -> Division {
        Division::Shares
    }

    /// Returns itself for use by several threads; `None` if it is for one thread only.
    fn shared(&self) -> Option<&(dyn Tree + Sync)>;

    /// Returns the bytes of the user's vertices and indices that it keeps copies of. Its memory is compared without
    /// them.
    fn copied_input(&self) -> usize {
        0
    }

    /// Returns its memory, for [`Meter::Own`].
    fn bytes(&self) -> Bytes {
        Bytes::default()
    }
}

/// A structure whose vertices can move.
pub(crate) trait Refit: Tree + Send {
    /// Moves the vertices. It is called on one of the threads that it may use.
    fn refit(&mut self, positions: &[[f32; 3]]);
}

/// Instances that can move.
pub(crate) trait World: Tree + Send {
    /// Moves some or all instances, each once, and is then ready for rays. It is called on one of the threads that it
    /// may use.
    fn update(&mut self, moves: &[Move]);

    /// Describes that: the work for each moved instance, and the work for the tree.
    fn readiness(&self) -> &'static str;
}

/// Returns all contenders, the reference first: Embree MEDIUM if its library is given, else hitscan.
pub(crate) fn all(embree: Option<&Path>) -> Result<Vec<Box<dyn Contender>>> {
    let mut contenders: Vec<Box<dyn Contender>> = Vec::new();
    if let Some(library) = embree {
        contenders.extend(embree::all(library)?);
    }
    let own = [
        (Quality::Balanced, Layout::Packed, Calls::OneByOne),
        (Quality::Balanced, Layout::Packed, Calls::Batch),
        (Quality::Balanced, Layout::Packed, Calls::Columns),
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
