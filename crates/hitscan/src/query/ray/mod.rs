//! Rays: the nearest hit, the first few, all, any, paths, and the intervals inside of solids.

pub(super) mod cast;
pub(super) mod cast_all_columns;
pub(super) mod cast_batch;
pub(super) mod cast_columns;
pub(super) mod cast_entities;
pub(super) mod cast_first_n;
pub(super) mod cast_path;
pub(super) mod explain;
pub(super) mod hit;
pub(super) mod hit_report;
pub(super) mod hit_sink;
pub(super) mod move_point;
pub(super) mod occlusion;
pub(super) mod packet_cast;
pub(super) mod part_hit;
pub(super) mod plain_cast;
pub(super) mod query_ray;
pub(super) mod ray_queries;
pub(super) mod region_parts;
pub(super) mod search_report;
pub(super) mod self_hit;
pub(super) mod sight_view;
pub(super) mod solid_intervals;
pub(super) mod trajectory;
pub(super) mod visibility;
