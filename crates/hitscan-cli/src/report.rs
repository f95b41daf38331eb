//! Descriptions of hits.

use crate::model::{Loaded, material_name};
use crate::output::{joined, one_line, write_table};
use crate::precision::Point;
use hitscan::query::Feature;
use hitscan::{Hit, RayQueries, Side};
use hitscan_io::{Entity, EntityId};
use serde::Serialize;
use std::borrow::Cow;
use std::io::{self, Write};

/// A hit in the form for output. A field is `None` if the thing that was hit does not have it.
#[derive(Debug, Serialize)]
pub(crate) struct HitReport<'a> {
    pub(crate) entity: &'a str,
    pub(crate) node: Option<u32>,
    /// The index of the primitive in its mesh.
    pub(crate) primitive: Option<u32>,
    pub(crate) material: Option<Cow<'a, str>>,
    pub(crate) t: f32,
    pub(crate) point: Point,
    pub(crate) normal: [f32; 3],
    pub(crate) side: &'static str,
    /// The index of the triangle among the triangles of all of the entity's primitives.
    pub(crate) triangle: Option<u64>,
    pub(crate) barycentrics: Option<[f32; 2]>,
    pub(crate) texcoord: Option<[f32; 2]>,
    /// The joint that influences the point most.
    pub(crate) joint: Option<&'a str>,
    pub(crate) joint_node: Option<u32>,
}

impl<'a> HitReport<'a> {
    /// Makes the report of a hit. Returns `None` if the entity is not in this model.
    pub(crate) fn new(loaded: &'a Loaded, hit: &Hit<EntityId>) -> Option<Self> {
        let entity = loaded.model.entity(hit.id)?;
        let primitive = entity.primitive(hit.part, hit.triangle);
        let joint = loaded.model.joint(hit);
        let texcoord = || loaded.scene.surface(hit).texcoord().map(|texcoord| texcoord.to_array());
        Some(Self {
            entity: &entity.name,
            node: entity.node,
            primitive: primitive.map(|primitive| primitive.index),
            material: primitive
                .and_then(|primitive| primitive.material)
                .map(|index| material_name(&loaded.model, index)),
            t: hit.t,
            point: Point::new(hit.point_f64(), loaded.precision),
            normal: hit.normal.to_array(),
            side: side(hit.side),
            triangle: triangle(entity, hit),
            barycentrics: barycentrics(hit),
            texcoord: primitive.filter(|primitive| primitive.has_texcoords).and_then(|_| texcoord()),
            joint: joint.map(|joint| joint.name),
            joint_node: joint.map(|joint| joint.node),
        })
    }

    /// The titles of the columns of [`row`](Self::row).
    const TITLES: [&'static str; 8] = ["ENTITY", "NODE", "TRIANGLE", "T", "POINT", "NORMAL", "SIDE", "MATERIAL"];

    /// Returns the row of a table for people.
    pub(crate) fn row(&self) -> [String; 8] {
        [
            one_line(self.entity),
            or_dash(self.node),
            or_dash(self.triangle),
            self.t.to_string(),
            self.point.joined(),
            joined(self.normal),
            self.side.to_owned(),
            or_dash(self.material.as_deref().map(one_line)),
        ]
    }

    fn row_with_joint(&self) -> [String; 9] {
        let [entity, node, triangle, t, point, normal, side, material] = self.row();
        [entity, node, triangle, t, point, normal, side, material, or_dash(self.joint.map(one_line))]
    }
}

/// Writes hits for people, with their joints if a hit has some.
pub(crate) fn write_hits(out: &mut dyn Write, hits: &[HitReport<'_>]) -> io::Result<()> {
    if hits.iter().all(|hit| hit.joint.is_none()) {
        let rows: Vec<_> = hits.iter().map(HitReport::row).collect();
        return write_table(out, HitReport::TITLES, &rows);
    }
    let [entity, node, triangle, t, point, normal, side, material] = HitReport::TITLES;
    let rows: Vec<_> = hits.iter().map(HitReport::row_with_joint).collect();
    write_table(out, [entity, node, triangle, t, point, normal, side, material, "JOINT"], &rows)
}

pub(crate) fn or_dash(value: Option<impl ToString>) -> String {
    value.map_or_else(|| "-".into(), |value| value.to_string())
}

/// Returns the index of the triangle that was hit among the triangles of all of the entity's primitives.
pub(crate) fn triangle(entity: &Entity, hit: &Hit<EntityId>) -> Option<u64> {
    hit.triangle.map(|triangle| numbered_through(entity, hit.part, triangle))
}

/// Returns the index of a part's triangle among the triangles of all of the entity's primitives.
pub(crate) fn numbered_through(entity: &Entity, part: u32, triangle: u32) -> u64 {
    first_triangle(entity, part) + u64::from(triangle)
}

/// Returns the barycentrics of a hit on a triangle. The coordinates on a shape are not barycentric.
pub(crate) fn barycentrics(hit: &Hit<EntityId>) -> Option<[f32; 2]> {
    hit.triangle.and(hit.uv).map(|uv| uv.to_array())
}

pub(crate) fn side(side: Side) -> &'static str {
    match side {
        Side::Front => "front",
        Side::Back => "back",
        Side::Inside => "inside",
    }
}

pub(crate) fn feature(feature: Feature) -> &'static str {
    match feature {
        Feature::Face => "face",
        Feature::Edge(_) => "edge",
        Feature::Vertex(_) => "vertex",
    }
}

/// Returns the number of triangles in the entity's parts before this part.
fn first_triangle(entity: &Entity, part: u32) -> u64 {
    let before = entity.primitives.iter().take_while(|primitive| primitive.part < part);
    before.map(|primitive| u64::from(primitive.triangles)).sum()
}
