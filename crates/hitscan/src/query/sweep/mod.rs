//! Queries with moving volumes.

pub(super) mod depth_along;
pub(super) mod entity_sweep;
pub(super) mod seam;
pub(super) mod search;
pub(super) mod sweep_queries;
