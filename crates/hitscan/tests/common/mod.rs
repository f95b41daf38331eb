//! A seeded generator and closed meshes that several tests share.
#![allow(dead_code, unreachable_pub, reason = "each test uses its part")]

use hitscan::glam::{DAffine3, DMat3, DVec3, Vec3};
pub use hitscan_random::Random;
use std::collections::HashMap;

/// An indexed triangle mesh.
#[derive(Clone)]
pub struct Surface {
    pub positions: Vec<Vec3>,
    pub triangles: Vec<[u32; 3]>,
}

impl Surface {
    pub fn mesh(&self) -> hitscan::Mesh {
        hitscan::Mesh::new(&self.positions, self.triangles.as_flattened()).unwrap()
    }

    pub fn map(mut self, f: impl Fn(Vec3) -> Vec3) -> Self {
        self.positions.iter_mut().for_each(|p| *p = f(*p));
        self
    }

    /// Asserts that every directed edge has exactly one counterpart in the opposite direction.
    pub fn assert_closed(&self) {
        let mut edges: HashMap<(u32, u32), i32> = HashMap::new();
        for [a, b, c] in &self.triangles {
            for (p, q) in [(a, b), (b, c), (c, a)] {
                *edges.entry((*p.min(q), *p.max(q))).or_default() += if p < q { 1 } else { -1 };
            }
        }
        assert!(edges.values().all(|&balance| balance == 0), "the surface is not closed");
    }
}

/// Returns a unit sphere of 20 * 4^levels triangles that face outwards.
pub fn icosphere(levels: u32) -> Surface {
    let g = (1.0 + 5f32.sqrt()) / 2.0;
    #[rustfmt::skip]
    let corners = [
        [-1.0, g, 0.0], [1.0, g, 0.0], [-1.0, -g, 0.0], [1.0, -g, 0.0], [0.0, -1.0, g], [0.0, 1.0, g],
        [0.0, -1.0, -g], [0.0, 1.0, -g], [g, 0.0, -1.0], [g, 0.0, 1.0], [-g, 0.0, -1.0], [-g, 0.0, 1.0],
    ];
    #[rustfmt::skip]
    let mut triangles: Vec<[u32; 3]> = vec![
        [0, 11, 5], [0, 5, 1], [0, 1, 7], [0, 7, 10], [0, 10, 11], [1, 5, 9], [5, 11, 4], [11, 10, 2], [10, 7, 6], [7, 1, 8],
        [3, 9, 4], [3, 4, 2], [3, 2, 6], [3, 6, 8], [3, 8, 9], [4, 9, 5], [2, 4, 11], [6, 2, 10], [8, 6, 7], [9, 8, 1],
    ];
    let mut positions: Vec<Vec3> = corners.map(|c| Vec3::from_array(c).normalize()).to_vec();
    for _ in 0..levels {
        let mut middles: HashMap<(u32, u32), u32> = HashMap::new();
        let mut middle = |a: u32, b: u32| {
            *middles.entry((a.min(b), a.max(b))).or_insert_with(|| {
                positions.push((positions[a as usize] + positions[b as usize]).normalize());
                positions.len() as u32 - 1
            })
        };
        let split = |[a, b, c]: [u32; 3]| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [b, bc, ab], [c, ca, bc], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(split).collect();
    }
    Surface { positions, triangles }
}

/// Returns a cube from -1 to 1 whose faces are grids of n * n squares. So every edge and many vertices have round
/// coordinates.
pub fn grid_cube(n: u32) -> Surface {
    let mut numbers: HashMap<[u32; 3], u32> = HashMap::new();
    let mut positions = Vec::new();
    let mut triangles = Vec::new();
    for axis in 0..3 {
        for end in [0, n] {
            for (i, j) in (0..n).flat_map(|i| (0..n).map(move |j| (i, j))) {
                let mut number = |di: u32, dj: u32| {
                    let mut cell = [0; 3];
                    (cell[axis], cell[(axis + 1) % 3], cell[(axis + 2) % 3]) = (end, i + di, j + dj);
                    *numbers.entry(cell).or_insert_with(|| {
                        positions.push(Vec3::from_array(cell.map(|k| 2.0 * k as f32 / n as f32 - 1.0)));
                        positions.len() as u32 - 1
                    })
                };
                let [a, b, c, d] = [number(0, 0), number(1, 0), number(1, 1), number(0, 1)];
                if end == n {
                    triangles.extend([[a, b, c], [a, c, d]]);
                } else {
                    triangles.extend([[a, c, b], [a, d, c]]);
                }
            }
        }
    }
    Surface { positions, triangles }
}

/// Returns a rotation with an uneven scale and a translation by up to `distance`, mirrored for odd `i`.
pub fn instance_transform(random: &mut Random, i: usize, distance: f64) -> DAffine3 {
    let scale =
        DVec3::new(0.3 + random.unit().abs() * 3.0, 0.3 + random.unit().abs() * 3.0, 0.3 + random.unit().abs() * 3.0);
    let mirror = DVec3::new(if i % 2 == 1 { -1.0 } else { 1.0 }, 1.0, 1.0);
    let linear = DMat3::from_quat(random.rotation())
        * DMat3::from_diagonal(scale * mirror)
        * DMat3::from_quat(random.rotation());
    DAffine3::from_mat3_translation(linear, random.cube() * distance)
}
