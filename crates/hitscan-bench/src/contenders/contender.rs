//! The traits through which libraries are compared, and their answers.

use super::workers::Workers;
use crate::scenes::{Instances, Move, Soup};
use ::hitscan::Ray;
use ::hitscan::glam::Vec3;
use anyhow::Result;
use serde::{Deserialize, Serialize};

/// The hit of a ray.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Hit {
    /// The distance in multiples of the ray's direction.
    pub(crate) t: f32,
    /// The index of the triangle in the input, or in the mesh of an instance.
    pub(crate) triangle: u32,
}

/// A library with certain settings, which builds structures that answer queries.
pub(crate) trait Contender: Sync {
    fn name(&self) -> &'static str;

    /// Returns whether the contender is fast enough for this number of triangles.
    fn takes(&self, _triangles: usize) -> bool {
        true
    }

    /// Prepares a contender before anything with these threads is timed.
    fn prepare(&self, _workers: &Workers) -> Result<()> {
        Ok(())
    }

    /// Builds a structure that is ready for rays.
    fn build<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Box<dyn Tree + 'a>>;

    /// Builds a structure that is ready for rays and can be refitted; `None` if the contender has no refit.
    fn refittable<'a>(&self, _soup: &'a Soup, _workers: &Workers) -> Result<Option<Box<dyn Refit + 'a>>> {
        Ok(None)
    }

    /// Builds a structure that finds closest points. Returns `None` if the contender does not take part in that
    /// comparison.
    fn surface<'a>(&self, _soup: &'a Soup, _workers: &Workers) -> Result<Option<Box<dyn Surface + 'a>>> {
        Ok(None)
    }

    /// Returns whether the contender guarantees answers with the same bits for every tree.
    fn is_exact(&self) -> bool {
        false
    }

    /// Returns whether moving the contender's instances is measured. The moves are not measured if another contender
    /// makes them by the same code.
    fn updates(&self) -> bool {
        true
    }

    /// Builds meshes and their instances; `None` if the contender does not take part in that comparison.
    fn world<'a>(&self, _instances: &'a Instances, _workers: &Workers) -> Result<Option<Box<dyn World + 'a>>> {
        Ok(None)
    }

    /// Returns the method by which the contender's memory is measured.
    fn meter(&self) -> Meter {
        Meter::Allocator
    }
}

/// The method by which a contender's memory is measured.
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

/// The method by which rays are divided among threads.
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
/// The timed loops are provided methods. So they are compiled for each contender, and each batch makes a
/// single call through the trait object.
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

    /// Returns the structure for use by several threads; `None` if it is for one thread only.
    fn shared(&self) -> Option<&(dyn Tree + Sync)>;

    /// Returns the bytes of the copies that the contender keeps of the user's vertices and indices. Its memory is
    /// compared without these copies.
    fn copied_input(&self) -> usize {
        0
    }

    /// Returns the memory that the contender reports, for [`Meter::Own`].
    fn bytes(&self) -> Bytes {
        Bytes::default()
    }
}

/// A structure whose vertices can move.
pub(crate) trait Refit: Tree + Send {
    /// Moves the vertices. The method is called on one of the threads that it may use.
    fn refit(&mut self, positions: &[[f32; 3]]);
}

/// Instances that can move.
pub(crate) trait World: Tree + Send {
    /// Moves some or all instances, each once. After that, the structure is ready for rays. The method is called on one
    /// of the threads that it may use.
    fn update(&mut self, moves: &[Move]);

    /// Describes the work of an update, for each moved instance and for the tree.
    fn readiness(&self) -> &'static str;
}

/// A surface that computes its distance to points.
///
/// The loop is a provided method, so that it is compiled for each library.
pub(crate) trait Surface {
    /// Returns the distance to the nearest point.
    fn distance(&self, point: Vec3) -> f32;

    fn distances(&self, points: &[Vec3], answers: &mut [f32]) {
        for (&point, answer) in points.iter().zip(answers) {
            *answer = self.distance(point);
        }
    }
}
