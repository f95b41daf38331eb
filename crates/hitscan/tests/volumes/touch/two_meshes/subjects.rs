//! Meshes for pairs. Some of them are difficult for trees or for tests of triangles.

use super::oracle::Corners;
use crate::common::{Random, grid_cube, icosphere};
use hitscan::Mesh;
use hitscan::glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};

/// The kinds of meshes.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Kind {
    Ball,
    Cube,
    /// Triangles anywhere.
    Soup,
    /// Long and thin triangles.
    Slivers,
    /// A flat grid whose corners have few bits, so that corners and edges of two grids often coincide.
    Grid,
    /// A ball with one vertex far away.
    FarVertex,
    /// Triangles that are there several times, and triangles without area.
    Repeated,
    /// A ball around the middle of the others.
    Around,
    Single,
}

pub(super) const KINDS: [Kind; 9] = [
    Kind::Ball,
    Kind::Cube,
    Kind::Soup,
    Kind::Slivers,
    Kind::Grid,
    Kind::FarVertex,
    Kind::Repeated,
    Kind::Around,
    Kind::Single,
];

fn flat(surface: crate::common::Surface) -> Vec<Vec3> {
    surface.triangles.iter().flatten().map(|&corner| surface.positions[corner as usize]).collect()
}

fn soup(random: &mut Random, count: usize, size: f64) -> Vec<Vec3> {
    let triangle = |random: &mut Random| {
        let middle = random.cube();
        [(); 3].map(|()| (middle + random.cube() * size).as_vec3())
    };
    (0..count).flat_map(|_| triangle(random)).collect()
}

fn grid(random: &mut Random) -> Vec<Vec3> {
    let number = |random: &mut Random| (random.below(9) as f32 - 4.0) * 0.25;
    let corner = |random: &mut Random| Vec3::new(number(random), number(random), number(random).min(0.0));
    (0..30).flat_map(|_| [corner(random), corner(random), corner(random)]).collect()
}

/// Returns the corners of the triangles of a mesh.
pub(super) fn soup_of(kind: Kind, random: &mut Random) -> Vec<Vec3> {
    let bumpy = |p: Vec3| p * (1.0 + 0.2 * (7.0 * p.x).sin() * (5.0 * p.y + 3.0 * p.z).cos());
    match kind {
        Kind::Ball => flat(icosphere(2).map(bumpy)),
        Kind::Cube => flat(grid_cube(3)),
        Kind::Soup => soup(random, 60, 0.3),
        Kind::Slivers => {
            let sliver = |random: &mut Random| {
                let (from, along) = (random.cube(), random.cube());
                let thin = random.pick(&[1e-2, 1e-4, 1e-6]);
                [from, from + along, from + along * random.unit() + random.cube() * thin].map(|corner| corner.as_vec3())
            };
            (0..40).flat_map(|_| sliver(random)).collect()
        }
        Kind::Grid => grid(random),
        Kind::FarVertex => {
            let mut corners = flat(icosphere(1).map(bumpy));
            let far = random.pick(&[1e3, 1e6, 1e9]);
            corners.extend([Vec3::Y, Vec3::X, Vec3::new(far, far * 0.5, -far)]);
            corners
        }
        Kind::Repeated => {
            let mut corners = flat(grid_cube(1));
            corners.extend_from_within(..9);
            corners.extend([Vec3::ONE, Vec3::ONE, Vec3::ZERO]);
            corners.extend(soup(random, 5, 0.5));
            corners
        }
        Kind::Around => flat(icosphere(2).map(|p| p * 6.0)),
        Kind::Single => soup(random, 1, 1.0),
    }
}

pub(super) fn mesh(corners: &[Vec3]) -> Mesh {
    Mesh::from_soup(corners).unwrap()
}

/// Returns the triangles that have an area, in the world.
pub(super) fn in_world(mesh: &Mesh, to_world: &DAffine3) -> Vec<Corners> {
    let has_area =
        |[a, b, c]: &[Vec3; 3]| (b.as_dvec3() - a.as_dvec3()).cross(c.as_dvec3() - a.as_dvec3()) != DVec3::ZERO;
    let triangles = (0..mesh.triangle_count() as u32).filter_map(|triangle| mesh.triangle(triangle)).filter(has_area);
    triangles.map(|corners| corners.map(|corner| to_world.transform_point3(corner.as_dvec3()))).collect()
}

/// Returns a transform: the identity, a translation by few bits, a rotation, or a stretched, sheared and mirrored one.
pub(super) fn transform(random: &mut Random, case: usize, distance: f64) -> DAffine3 {
    let steps = (random.cube() * distance * 4.0).round() * 0.25;
    match case % 5 {
        0 => DAffine3::from_translation(steps),
        1 => DAffine3::from_rotation_translation(quarter(random), steps),
        2 => DAffine3::from_rotation_translation(random.rotation(), random.cube() * distance),
        3 => {
            let scale = DMat3::from_diagonal(DVec3::splat(random.pick(&[0.01, 1.0, 30.0])));
            DAffine3::from_mat3_translation(DMat3::from_quat(random.rotation()) * scale, random.cube() * distance)
        }
        _ => crate::common::instance_transform(random, case, distance),
    }
}

fn quarter(random: &mut Random) -> DQuat {
    let turns = f64::from(random.below(4) as u32);
    DQuat::from_axis_angle(random.pick(&[DVec3::X, DVec3::Y, DVec3::Z]), turns * std::f64::consts::FRAC_PI_2)
}
