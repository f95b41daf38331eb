//! tinybvh through tinybvh-rs: its 8-wide tree for CPUs, from a tree with spatial splits or a binned one.
//!
//! The crate has rays for that tree only where it is itself compiled for AVX2, which `cargo xtask bench` sees to. It knows only
//! the question for the closest hit, and its trees are not for several threads.

use super::{Contender, Hit, Meter, Tree, Workers};
use crate::scenes::Soup;
use anyhow::{Result, anyhow, ensure};
use hitscan::Ray;
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
        let built = Built(bvh8_cpu::BVH::new(&wide).map_err(|error| anyhow!("{error}"))?);
        let mut ray = tinybvh_rs::Ray::new([0.0; 3], [0.0, 0.0, 1.0]);
        ensure!(built.intersect(&mut ray).is_some(), "tinybvh-rs is not compiled for AVX2: run `cargo xtask bench`");
        Ok(Box::new(built))
    }

    /// It allocates in C++.
    fn meter(&self) -> Meter {
        Meter::Resident
    }
}

struct Built(bvh8_cpu::BVH);

/// Whether `T` can be asked is known only to the compiler, as no `cfg` of another crate can be seen. The method of the trait
/// whose bound holds is found before the other one, which needs one more reference.
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
    /// `None` where the crate cannot ask its tree.
    #[inline]
    fn intersect(&self, ray: &mut tinybvh_rs::Ray) -> Option<u32> {
        (&Asked(&self.0)).intersect(ray)
    }
}

impl Tree for Built {
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        // It normalises the direction.
        let length = ray.direction.length();
        let mut traced = tinybvh_rs::Ray::new(ray.origin.to_array(), ray.direction.to_array());
        let t_max = (ray.t_max * length).min(tinybvh_rs::INFINITE);
        traced.hit.t = t_max;
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
