//! The commands that answer questions, beside known answers and recorded truth.

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
