//! hitscan for C, C++, and every language that calls C: the source of `include/hitscan.h`.
//!
//! Everything that is exported begins with `hs_`, `Hs` or `HS_`. The rules for callers are in `docs/c.md` of the
//! repository. Internally, each function has the same three steps:
//!
//! 1. `pointer` checks the pointers for null and alignment, and turns them into references and slices.
//! 2. The library answers.
//! 3. The answer becomes a plain C struct, and an error a `status::HsStatus` with a text for `hs_last_error`.
//!
//! `status::guard` surrounds these steps, so that no panic leaves a function.
//!
//! # Safety
//!
//! All functions have the same rules for the caller. No function can check these rules. A pointer that is not null is
//! valid for as many items as the function reads or writes there. A handle was returned by this library and has not
//! been freed. While a function runs, nothing else writes to the memory that it reads, or touches the memory that it
//! writes.
#![expect(clippy::missing_safety_doc, reason = "the rules are the same for all functions, and stand above")]

mod pointer;
mod strided;

// The header has its functions in this order.
pub mod status;

pub mod facts;

#[rustfmt::skip]
pub mod answers;

pub mod ray;

pub mod shape;

pub mod volume;

pub mod nearest;

pub mod mesh;

pub mod mesh_points;

pub mod winding_tree;

pub mod height_field;

pub mod hull;

pub mod collision_matrix;

pub mod custom;

pub mod filter;

pub mod scene;

pub mod scene_rays;

pub mod scene_paths;

pub mod scene_explain;

pub mod path;

pub mod scene_sweeps;

pub mod scene_proximity;

pub mod pair_tracker;

pub mod rows;

pub mod batch;

pub mod camera;

pub mod region;

pub mod snap;

pub mod drag;

pub mod character;

pub mod gameplay;

pub mod snapshots;
