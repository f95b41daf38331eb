//! The projections of points onto a mesh, of the crate parry3d.

use crate::contenders::Surface;
use hitscan::glam::Vec3;
use parry3d::math::Vector;
use parry3d::query::PointQuery;
use parry3d::shape::TriMesh;

impl Surface for TriMesh {
    fn distance(&self, point: Vec3) -> f32 {
        let at = Vector::new(point.x, point.y, point.z);
        let near = self.project_local_point(at, false).point;
        (Vec3::new(near.x, near.y, near.z) - point).length()
    }
}
