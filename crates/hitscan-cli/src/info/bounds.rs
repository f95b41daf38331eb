//! The box around what can be hit, tight to the triangles' corners: a scene's own boxes are a little larger, and looser
//! around what is turned.

use crate::model::parts;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Aabb, Geometry, Mesh};
use hitscan_io::Entity;
use serde::Serialize;

/// In world space.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(super) struct Bounds {
    pub(super) min: [f32; 3],
    pub(super) max: [f32; 3],
}

impl Bounds {
    /// `None` for an entity without triangles or shapes, and for one without end.
    pub(super) fn of(entity: &Entity) -> Option<Self> {
        let bounds = parts(&entity.geometry).iter().fold(Aabb::EMPTY, |bounds, (geometry, inner)| {
            bounds.union(&of_part(geometry, &(entity.transform * *inner)))
        });
        let is_box = !bounds.is_empty() && bounds.min.is_finite() && bounds.max.is_finite();
        is_box.then(|| Self { min: bounds.min.to_array(), max: bounds.max.to_array() })
    }

    pub(super) fn union(self, other: Self) -> Self {
        let [a, b] = [self, other].map(|bounds| Aabb::new(bounds.min, bounds.max));
        let both = a.union(&b);
        Self { min: both.min.to_array(), max: both.max.to_array() }
    }
}

fn of_part(geometry: &Geometry, to_world: &DAffine3) -> Aabb {
    let placed = |point: DVec3| to_world.transform_point3(point).as_vec3();
    match geometry {
        Geometry::Mesh(mesh) => Aabb::from_points(corners(mesh).map(|point| placed(point.as_dvec3()))),
        Geometry::Shape(shape) => Aabb::from_points(box_corners(shape.bounds()).map(placed)),
        // No reader makes anything else.
        _ => Aabb::EMPTY,
    }
}

/// The vertices that triangles use.
fn corners(mesh: &Mesh) -> impl Iterator<Item = Vec3> {
    (0..).map_while(|triangle| mesh.triangle(triangle)).flatten()
}

fn box_corners(bounds: Aabb) -> [DVec3; 8] {
    let [low, high] = [bounds.min, bounds.max].map(|corner| corner.as_dvec3());
    std::array::from_fn(|corner| {
        DVec3::from_array([0, 1, 2].map(|axis| if corner >> axis & 1 == 0 { low[axis] } else { high[axis] }))
    })
}
