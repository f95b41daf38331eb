//! The commands that answer queries, compared with known answers and with recorded ones.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../hitscan/tests/common/triangle_pairs.rs"]
mod triangle_pairs;
#[path = "../../../hitscan-io/tests/common/truth.rs"]
mod truth;

mod agreement;
mod cast;
mod closest;
mod collide;
mod diff;
mod far;
mod pick;
mod picks;
mod select;
mod snap;
mod solids;
mod sweep;
mod validate;
mod walk;
mod why;
