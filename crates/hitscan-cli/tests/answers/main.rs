//! The commands that answer queries, compared with known answers and with recorded ones.

#[path = "../common/mod.rs"]
mod common;
#[path = "../../../hitscan-io/tests/common/truth.rs"]
mod truth;

mod agreement;
mod cast;
mod closest;
mod far;
mod pick;
mod picks;
mod select;
mod snap;
mod sweep;
mod walk;
mod why;
