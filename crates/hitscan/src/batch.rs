//! Many questions at once on all threads: rays in columns, answers in columns, and any question for each item of a slice.
//!
//! Rays are cast in batches by methods such as [`RayQueries::cast_batch`](crate::RayQueries::cast_batch). The functions here ask any other question.

pub use crate::geom::hit_lists::AllHitColumns;
pub use crate::geom::ray_columns::{HitColumns, RayBatch, RayColumns};
pub use crate::parallel::{BatchLists, Threads, batch, batch_lists, batch_on};
