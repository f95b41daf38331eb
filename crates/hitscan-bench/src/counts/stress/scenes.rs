//! Scenes that break trees: flat fans, slivers, instances, one far vertex, and many things at one place.

use crate::random::Random;
use anyhow::Result;
use hitscan::glam::{DAffine3, DQuat, DVec3, Vec3};
use hitscan::{Aabb, Capsule, Geometry, Mesh, Scene, Sphere};
use std::f64::consts::{PI, TAU};

/// A scene, and the ball in which queries are run.
pub(super) struct Stressed {
    pub(super) scene: Scene<u32>,
    pub(super) middle: DVec3,
    /// The radius of the ball. The volumes that move and overlap are smaller by fixed factors.
    pub(super) radius: f64,
}

impl Stressed {
    fn new(scene: Scene<u32>) -> Self {
        Self { scene, middle: DVec3::ZERO, radius: 4.0 }
    }

    pub(super) fn small(&self) -> Sphere {
        Sphere::new(0.05 * self.radius as f32)
    }

    pub(super) fn long(&self) -> Capsule {
        Capsule::new(0.05 * self.radius as f32, 0.3 * self.radius as f32)
    }

    fn of_mesh(soup: &[Vec3]) -> Result<Self> {
        let mut scene = Scene::new();
        scene.insert(0, Mesh::from_soup(soup)?, DVec3::ZERO)?;
        Ok(Self::new(scene))
    }
}

fn vec3(x: f64, y: f64, z: f64) -> Vec3 {
    DVec3::new(x, y, z).as_vec3()
}

/// Makes a flat fan of slivers around one corner.
pub(super) fn fan(count: u32) -> Result<Stressed> {
    let rim = |number: u32| {
        let (sin, cos) = libm::sincos(f64::from(number) / f64::from(count) * TAU);
        vec3(4.0 * cos, 0.0, 4.0 * sin)
    };
    let soup: Vec<Vec3> = (0..count).flat_map(|number| [vec3(0.1, 0.0, -0.2), rim(number + 1), rim(number)]).collect();
    Stressed::of_mesh(&soup)
}

/// Makes 4,096 slivers in all directions. Each is as long as the cube around all of them.
pub(super) fn slivers() -> Result<Stressed> {
    let mut random = Random::new(13);
    let mut soup = Vec::new();
    for _ in 0..4096 {
        let from = random.point(DVec3::splat(-4.0), DVec3::splat(4.0));
        let (along, aside) = (random.direction() * 4.0, random.direction() * 4e-3);
        soup.extend([from - along, from + along, from + aside].map(|corner| corner.as_vec3()));
    }
    Stressed::of_mesh(&soup)
}

/// Returns a ball of radius 1, which has `rows` rows of 64 quads.
fn ball(rows: u32) -> Vec<Vec3> {
    let place = |row: u32, column: u32| {
        let (sin, cos) = libm::sincos(f64::from(row) / f64::from(rows) * PI);
        let (east, north) = libm::sincos(f64::from(column) / 64.0 * TAU);
        vec3(sin * east, cos, sin * north)
    };
    let cells = (0..rows).flat_map(|row| (0..64).map(move |column| (row, column)));
    cells
        .flat_map(|(row, column)| {
            let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| place(row + x, column + y));
            [a, b, c, a, c, d]
        })
        .collect()
}

fn rotation(random: &mut Random) -> DQuat {
    DQuat::from_rotation_arc(DVec3::Y, random.direction())
}

/// Makes 20,000 instances of a ball of 8,192 triangles. Each overlaps a few others.
pub(super) fn instances() -> Result<Stressed> {
    let (mesh, mut random) = (Mesh::from_soup(&ball(64))?, Random::new(17));
    let poses = (0..20_000).map(|key| {
        let at = random.point(DVec3::splat(-40.0), DVec3::splat(40.0));
        let size = DVec3::splat(random.between(0.5, 2.0));
        (key, mesh.clone(), DAffine3::from_scale_rotation_translation(size, rotation(&mut random), at))
    });
    let mut scene = Scene::new();
    scene.insert_all(poses.collect::<Vec<_>>())?;
    Ok(Stressed::new(scene))
}

/// Makes a ball of 4,096 triangles, and one triangle with a corner at 10^9.
pub(super) fn far_vertex() -> Result<Stressed> {
    let mut soup: Vec<Vec3> = ball(32).into_iter().map(|corner| corner * 4.0).collect();
    soup.extend([vec3(4.0, 0.0, 0.0), vec3(4.0, 1.0, 0.0), Vec3::splat(1e9)]);
    Stressed::of_mesh(&soup)
}

/// Makes 64 balls of 4,096 triangles, one within the other.
pub(super) fn nested() -> Result<Stressed> {
    let (mesh, mut random) = (Mesh::from_soup(&ball(32))?, Random::new(19));
    let mut scene = Scene::new();
    for key in 0..64 {
        let size = DVec3::splat(random.between(2.0, 4.0));
        let pose = DAffine3::from_scale_rotation_translation(size, rotation(&mut random), random.direction() * 0.01);
        scene.insert(key, mesh.clone(), pose)?;
    }
    Ok(Stressed::new(scene))
}

/// Puts 64 boxes, balls and capsules at one place.
pub(super) fn heap() -> Result<Stressed> {
    let mut random = Random::new(23);
    let mut scene = Scene::new();
    for key in 0..64 {
        let solid: Geometry = match key % 3 {
            0 => Aabb::new([-2.0, -1.5, -1.0], [2.0, 1.5, 1.0]).into(),
            1 => Sphere::new(1.5).into(),
            _ => Capsule::new(1.0, 4.0).into(),
        };
        scene.insert(key, solid, (random.direction() * 1e-3, rotation(&mut random)))?;
    }
    Ok(Stressed::new(scene))
}
