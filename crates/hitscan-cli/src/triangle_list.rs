//! The triangles of entities as one list, whatever meshes they come from.

use crate::extent::Extent;
use crate::model::indices;
use crate::model_extent::parts;
use anyhow::{Result, ensure};
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Geometry, Mesh};

/// Triangles with corners in f64.
#[derive(Default)]
pub(crate) struct TriangleList {
    pub(crate) positions: Vec<DVec3>,
    pub(crate) triangles: Vec<[u32; 3]>,
}

impl TriangleList {
    /// Adds the triangles of an entity's meshes, in the order in which its primitives count them. Shapes have no triangles. A transform that mirrors keeps the
    /// front of each triangle where it is, as in a picture.
    pub(crate) fn add(&mut self, geometry: &Geometry, to_space: &DAffine3) -> Result<()> {
        for (part, inner) in parts(geometry) {
            if let Geometry::Mesh(mesh) = part {
                self.add_mesh(&mesh, &(*to_space * inner))?;
            }
        }
        Ok(())
    }

    fn add_mesh(&mut self, mesh: &Mesh, to_space: &DAffine3) -> Result<()> {
        let first = self.positions.len();
        ensure!(
            u32::try_from(first + mesh.positions().len()).is_ok(),
            "there are more than {} vertices: give the model in parts",
            u32::MAX
        );
        let is_placed = *to_space != DAffine3::IDENTITY;
        let place = |corner: &Vec3| {
            let corner = corner.as_dvec3();
            if is_placed { to_space.transform_point3(corner) } else { corner }
        };
        self.positions.extend(mesh.positions().iter().map(place));
        let mirrors = to_space.matrix3.determinant() < 0.0;
        for triangle in indices(mesh).chunks_exact(3) {
            let [a, b, c] = [0, 1, 2].map(|corner| triangle[corner] + first as u32);
            self.triangles.push(if mirrors { [a, c, b] } else { [a, b, c] });
        }
        Ok(())
    }

    /// Returns the corners of a triangle of the list.
    pub(crate) fn corners(&self, triangle: u32) -> [DVec3; 3] {
        self.triangles[triangle as usize].map(|vertex| self.positions[vertex as usize])
    }

    /// Returns the middle of the box around all corners; the origin without any.
    pub(crate) fn center(&self) -> DVec3 {
        Some(Extent::of_points(self.positions.iter().copied()))
            .filter(Extent::is_box)
            .map_or(DVec3::ZERO, |all| all.center())
    }

    /// Makes a mesh of the triangles, relative to an origin and rounded to f32.
    pub(crate) fn mesh(&self, origin: DVec3) -> Result<Mesh> {
        let positions: Vec<Vec3> = self.positions.iter().map(|&position| (position - origin).as_vec3()).collect();
        Ok(Mesh::new(&positions, self.triangles.as_flattened())?)
    }
}
