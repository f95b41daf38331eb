//! The library tinybvh through tinybvh-rs: its 8-wide tree for CPUs, built from a tree with spatial splits or from a
//! binned tree.
//!
//! The crate casts rays at that tree only if the crate is compiled for AVX2, which `cargo xtask bench` does. It has
//! closest-hit queries only, and its trees are not for several threads.

use super::contender::{Contender, Hit, Meter, Tree};
use super::workers::Workers;
use crate::scenes::Soup;
use anyhow::{Result, anyhow, ensure};
use hitscan::Ray;
use hitscan::glam::Vec3;
use tinybvh_rs::{Intersector, bvh, bvh8_cpu, mbvh};

pub(super) enum TinyBvh {
    Sbvh,
    Binned,
}

impl Contender for TinyBvh {
    fn name(&self) -> &'static str {
        match self {
            Self::Sbvh => "tinybvh-rs SBVH",
            Self::Binned => "tinybvh-rs",
        }
    }

    fn build<'a>(&self, soup: &'a Soup, _workers: &Workers) -> Result<Box<dyn Tree + 'a>> {
        let corners = soup.corners().flatten().map(|[x, y, z]| [x, y, z, 0.0]);
        let corners: Vec<[f32; 4]> = corners.collect();
        let built = match self {
            Self::Sbvh => bvh::BVH::new_hq(corners.as_slice().into()),
            Self::Binned => bvh::BVH::new(corners.as_slice().into()),
        };
        let mut binary = built.map_err(|error| anyhow!("{error}"))?;
        binary.split_leaves(4);
        let wide = mbvh::BVH::new(&binary);
        let stack = stack_need(wide.nodes());
        ensure!(stack <= STACK, "its rays may need a stack of {stack}, and write beyond theirs of {STACK}");
        let built = Built(bvh8_cpu::BVH::new(&wide).map_err(|error| anyhow!("{error}"))?);
        let mut ray = converted(&Ray::new([0.0; 3], [0.0, 0.0, 1.0]), 1.0);
        ensure!(
            built.intersect(&mut ray).is_some(),
            "tinybvh-rs is not compiled for AVX2: run `cargo xtask bench`, and before that, if it was compiled otherwise, `cargo clean --release --package tinybvh-rs`"
        );
        Ok(Box::new(built))
    }

    /// The library allocates in C++, where the counting allocator of this program does not count.
    fn meter(&self) -> Meter {
        Meter::Resident
    }
}

struct Built(bvh8_cpu::BVH);

/// The capacity of the stack in tinybvh's `BVH8_CPU::Intersect`, which is not checked there.
const STACK: usize = 256;

/// Returns the number of stack entries that a ray may need. On each level these are all children except one, and
/// on the last level all eight.
fn stack_need(nodes: &[mbvh::Node]) -> usize {
    let (mut most, mut open) = (0, vec![(0, 0)]);
    while let Some((node, used)) = open.pop() {
        let Some(node) = nodes.get(node as usize).filter(|node| !node.is_leaf()) else { continue };
        most = most.max(used + 8);
        let children = &node.child[..(node.child_count as usize).min(8)];
        open.extend(children.iter().map(|&child| (child, used + children.len().saturating_sub(1))));
    }
    most
}

/// The traits determine at compile time whether `T` can cast rays, because the `cfg` of another crate is not visible.
/// Method resolution prefers the trait whose bound holds, since the other one needs one more reference.
#[allow(dead_code, reason = "nobody is asked without AVX2")]
struct Asked<'a, T>(&'a T);

#[allow(dead_code, reason = "used with AVX2")]
trait Answers {
    fn intersect(&self, ray: &mut tinybvh_rs::Ray) -> Option<u32>;
}

impl<T: Intersector> Answers for Asked<'_, T> {
    #[inline]
    fn intersect(&self, ray: &mut tinybvh_rs::Ray) -> Option<u32> {
        Some(self.0.intersect(ray))
    }
}

#[allow(dead_code, reason = "used without AVX2")]
trait IsMute {
    fn intersect(&self, ray: &mut tinybvh_rs::Ray) -> Option<u32>;
}

impl<T> IsMute for &Asked<'_, T> {
    fn intersect(&self, _ray: &mut tinybvh_rs::Ray) -> Option<u32> {
        None
    }
}

impl Built {
    /// Casts a ray; `None` if the crate cannot cast rays at its tree.
    #[inline]
    fn intersect(&self, ray: &mut tinybvh_rs::Ray) -> Option<u32> {
        (&Asked(&self.0)).intersect(ray)
    }
}

/// Returns a ray with a direction of unit length, as tinybvh requires.
///
/// The crate's `Ray::new` is not used. In 0.1.0-beta.3 it writes the 128 bytes of the C++ ray into the 64 bytes of the
/// Rust ray. In C++ the other 64 bytes belong to the user, and no query touches them.
#[inline]
fn converted(ray: &Ray, length: f32) -> tinybvh_rs::Ray {
    let direction = ray.direction / length;
    let hit = tinybvh_rs::Intersection { t: (ray.t_max * length).min(tinybvh_rs::INFINITE), ..Default::default() };
    tinybvh_rs::Ray {
        origin: ray.origin.to_array(),
        // The mask includes every instance.
        padding_0: 0xFFFF,
        dir: direction.to_array(),
        // With infinite values, the query would enter nodes that do not exist.
        r_d: direction.recip().clamp(Vec3::splat(-tinybvh_rs::INFINITE), Vec3::splat(tinybvh_rs::INFINITE)).to_array(),
        hit,
        ..Default::default()
    }
}

impl Tree for Built {
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        let length = ray.direction.length();
        let mut traced = converted(ray, length);
        let t_max = traced.hit.t;
        self.intersect(&mut traced)?;
        (traced.hit.t < t_max).then_some(Hit { t: traced.hit.t / length, triangle: traced.hit.prim })
    }

    fn any(&self, ray: &Ray) -> bool {
        self.closest(ray).is_some()
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        None
    }
}
