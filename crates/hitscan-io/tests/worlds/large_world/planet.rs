//! A planet of the size of the Earth, with objects from a millimetre to a metre lying on it.

use crate::large_world::world::{World, corners};
use crate::shared::{Random, Surface, grid_cube, icosphere};
use hitscan::Mesh;
use hitscan::glam::{DAffine3, DMat3, DVec3, Vec3};

/// The radius in metres.
const RADIUS: f64 = 6e6;
/// The number of places with objects, all over the planet.
const PLACES: usize = 200;
const THINGS: usize = 24;

pub(crate) fn world() -> World {
    let mut random = Random(6_000_000);
    let ground = Surface { triangles: ground_triangles(), positions: ground_positions(&mut random) };
    let forms = [icosphere(1), grid_cube(2), grid_cube(1)].map(|surface| surface.mesh());
    let forms: Vec<_> = forms.into_iter().chain([ground.mesh()]).map(|mesh| (corners(&mesh), mesh)).collect();
    let form = |number: usize| -> (&Mesh, &_) { (&forms[number].1, &forms[number].0) };
    let mut world = World::new("a planet");
    for _ in 0..PLACES {
        let up = random.direction();
        let place = up * RADIUS;
        let level = DMat3::from_cols(up.any_orthonormal_pair().0, up, up.cross(up.any_orthonormal_pair().0));
        let (mesh, corners) = form(3);
        world.insert(mesh, corners, DAffine3::from_mat3_translation(level, place));
        // There are many small objects near each other, and a few large ones.
        for _ in 0..THINGS {
            let size = 10f64.powf(-1.5 + 1.5 * random.unit());
            let stretch = DVec3::new(1.0, 1.0 + 0.5 * random.unit(), 1.0 - 0.3 * random.unit());
            let linear = DMat3::from_quat(random.rotation()) * DMat3::from_diagonal(stretch * size / 2.0);
            let beside = level * (DVec3::new(random.unit(), 0.0, random.unit()) * 5.0 * size);
            let (mesh, corners) = form(random.below(3));
            world.insert(mesh, corners, DAffine3::from_mat3_translation(linear, place + beside + up * size));
        }
    }
    world
}

/// The number of cells, of a metre each, along a side of the uneven ground.
const CELLS: u32 = 20;

fn ground_positions(random: &mut Random) -> Vec<Vec3> {
    let half = CELLS as f32 / 2.0;
    let grid = (0..=CELLS).flat_map(|x| (0..=CELLS).map(move |z| (x as f32 - half, z as f32 - half)));
    grid.map(|(x, z)| Vec3::new(x, 0.05 * random.unit() as f32, z)).collect()
}

fn ground_triangles() -> Vec<[u32; 3]> {
    let cells = (0..CELLS).flat_map(|x| (0..CELLS).map(move |z| x * (CELLS + 1) + z));
    cells.flat_map(|a| [[a, a + 1, a + CELLS + 2], [a, a + CELLS + 2, a + CELLS + 1]]).collect()
}
