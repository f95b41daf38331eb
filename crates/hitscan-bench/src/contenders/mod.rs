//! The libraries that are compared, behind common traits.

#[cfg(feature = "peers")]
mod bvh;
mod contender;
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
mod workers;

pub(crate) use self::hitscan::{Calls, Hitscan, height_field, surface};
pub(crate) use contender::{Bytes, Contender, Division, Hit, Meter, Refit, Surface, Tree, World};
pub(crate) use embree::find_library;
pub(crate) use overlaps::{Overlaps, Pairs, Tracked};
#[cfg(feature = "peers")]
pub(crate) use parry::{
    Boxes as ParryBoxes, height_field as parry_height_field, obstacle as parry_obstacle, obstacles as parry_obstacles,
};
pub(crate) use sweeps::{Body, Obstacle, Way, mesh as mesh_obstacle, rigid_scene};
pub(crate) use workers::Workers;

use ::hitscan::{Quality, mesh::Layout};
use anyhow::Result;
use std::path::Path;

/// Returns all contenders, the reference first: Embree MEDIUM if its library is given, otherwise hitscan.
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
