//! Rays against a mesh: single ones, packets, batches, and in f64.

pub(super) mod cast_batch;
pub(super) mod cast_columns;
pub(super) mod cast_f64;
pub(super) mod crossings;
pub(super) mod instance_packet;
pub(super) mod interleaved_cast;
pub(super) mod leaf_intersect;
pub(super) mod packet_any;
pub(super) mod packet_cast;
pub(super) mod packet_closest;
pub(super) mod packet_search;
pub(super) mod single;
pub(super) mod visits;
