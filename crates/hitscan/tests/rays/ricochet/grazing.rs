//! Chains of rays that leave a wall at any angle, most of them grazing: a closed mesh whose walls are along the axes of the world keeps every one of them.
//! Under a rotation it does not keep all of them (docs/robustness/leaving.md).

use crate::common::Random;
use crate::ricochet::rooms::{Place, Room, Walls};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Hit, Mesh, Ray, RayQueries, Scene, Side};
use hitscan_random::effort;

const HOPS: usize = 40;
const CHAINS_OF_A_ROOM: usize = 40;

/// Returns a direction from a wall into the room: along the wall, and away from it by a part of that between 1e-9 and 1.
fn away(random: &mut Random, hit: &Hit<u32>) -> Vec3 {
    let inwards = hit.normal.as_dvec3().normalize() * if hit.side == Side::Front { 1.0 } else { -1.0 };
    let way = random.cube();
    let along = (way - inwards * way.dot(inwards)).normalize();
    (along + inwards * 10f64.powf(-4.5 + 4.5 * random.unit())).as_vec3()
}

#[test]
fn a_closed_mesh_keeps_grazing_chains() {
    for place in [Place::Whole, Place::Moved] {
        let mut random = Random(77 ^ (place as u64) << 16);
        let (mut hops, mut out) = (0, 0);
        for _ in 0..effort::size(5, 20, 100_000) {
            let room = Room::new(Walls::OneMesh, place, &mut random);
            for _ in 0..CHAINS_OF_A_ROOM {
                let start = room.to_world.transform_point3(random.cube() * 0.3).as_vec3();
                let (mut ray, mut last) = (Ray::with_direction(start, random.cube().as_vec3()), None);
                for _ in 0..HOPS {
                    hops += 1;
                    let Some(hit) = room.scene.after(last.as_ref()).cast(&ray) else {
                        println!("out: {ray:?}\n  after {last:?}\n  of {:?} {:?}", room.half, room.to_world);
                        out += 1;
                        break;
                    };
                    ray = Ray::with_direction(hit.point, away(&mut random, &hit));
                    last = Some(hit);
                }
            }
        }
        println!("{place:?}: {hops} hops, {out} out");
        assert_eq!(out, 0, "{place:?}: {out} of {hops} hops out");
    }
}

#[test]
fn a_chain_near_an_edge_stays_in_its_box() {
    let corner = |i: usize| {
        Vec3::new(4.0, 3.0, 2.0) * Vec3::new([-1.0, 1.0][i & 1], [-1.0, 1.0][i >> 1 & 1], [-1.0, 1.0][i >> 2])
    };
    let corners: Vec<Vec3> = (0..8).map(corner).collect();
    let triangles =
        [0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6, 0, 1, 5, 0, 5, 4, 2, 6, 7, 2, 7, 3, 0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5];
    let mut scene = Scene::new();
    scene.insert(0, Mesh::new(&corners, &triangles).unwrap(), DVec3::ZERO).unwrap();
    let mut hit = scene.cast(&Ray::with_direction([0.0, 2.977747, 1.7208062], [1.0, 0.0, 0.0])).unwrap();
    for (way, wall) in [
        ([-5.767572e-5f32, 0.73233896, 0.3495329], 1),
        ([0.053093903, -1.4351954e-5, -0.27447578], 0),
        ([-0.000121066, 0.45556247, -0.7501154], 1),
        ([0.29374492, -0.005922246, 0.42415684], 0),
    ] {
        let ray = Ray::with_direction(hit.point, way);
        let next = scene.after(&hit).cast(&ray).unwrap_or_else(|| panic!("{ray:?} leaves the box after {hit:?}"));
        assert_eq!(next.normal, Vec3::AXES[wall], "{next:?}");
        hit = next;
    }
}
