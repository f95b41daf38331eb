//! Questions to a scene about volumes, which move or stay in place.

pub use crate::answers::{HsContactPoint, HsOverlap, HsPenetration};
use crate::filter::{Asked, HsFilter};
use crate::pointer::{Buffer, numbers, place, shared};
use crate::scene::HsScene;
use crate::status::{HsStatus, guard};
use crate::volume::{HsPose, HsSweepHit, HsVolume};
use hitscan::{ProximityQueries, SweepQueries};

#[rustfmt::skip]
pub mod functions;
