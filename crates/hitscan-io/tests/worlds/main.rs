//! Real models and large worlds: their answers compared with brute force and with recorded answers.

#[path = "../../../hitscan/tests/common/all_triangles.rs"]
mod all_triangles;
#[path = "../common/mod.rs"]
mod common;
#[path = "../../../hitscan/tests/common/mod.rs"]
mod shared;
#[path = "../common/truth.rs"]
mod truth;

mod agreement;
mod large_world;
mod models;
mod nearest;
mod posed_truth;
mod select;
mod stroll;
