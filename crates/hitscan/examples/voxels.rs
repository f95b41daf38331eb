//! A custom shape: a block of voxels in a scene, in which a player digs and builds.
//!
//! The shape traverses the voxels along a ray (J. Amanatides, A. Woo, "A Fast Voxel Traversal Algorithm for Ray
//! Tracing", 1987) and offers the hits at which it enters and leaves stone. The scene adds everything else: the entity
//! is rotated and moved, and has layers, filters, solid intervals and `after` like any other.

use hitscan::custom::{Custom, CustomHit, CustomRay, CustomShape};
use hitscan::glam::{DAffine3, DVec3};
use hitscan::{Aabb, Hit, Ray, RayQueries, Scene, Side};
use std::error::Error;
use std::ops::ControlFlow;

const SIZE: i32 = 16;

/// A cube of voxels, each stone or air.
#[derive(Clone)]
struct Voxels(Vec<bool>);

/// The coordinates of a voxel along x, y and z.
type Place = [i32; 3];

/// Returns a voxel's number, which hits report as their feature.
fn number([x, y, z]: Place) -> u32 {
    ((y * SIZE + z) * SIZE + x) as u32
}

fn place(number: u32) -> Place {
    let number = number as i32;
    [number % SIZE, number / (SIZE * SIZE), number / SIZE % SIZE]
}

impl Voxels {
    /// Returns a block with ground that is 4 high.
    fn new() -> Self {
        let count = (SIZE * SIZE * SIZE) as u32;
        Self((0..count).map(|i| place(i)[1] < 4).collect())
    }

    fn is_inside(place: Place) -> bool {
        place.into_iter().all(|along| (0..SIZE).contains(&along))
    }

    fn is_stone(&self, place: Place) -> bool {
        Self::is_inside(place) && self.0[number(place) as usize]
    }

    fn set(&mut self, place: Place, is_stone: bool) {
        if Self::is_inside(place) {
            self.0[number(place) as usize] = is_stone;
        }
    }
}

/// Returns the interval of a ray between the two planes of an axis.
fn between_planes(ray: &CustomRay, axis: usize) -> (f64, f64) {
    let (origin, direction) = (ray.origin[axis], ray.direction[axis]);
    if direction == 0.0 {
        let is_between = (0.0..=f64::from(SIZE)).contains(&origin);
        return if is_between { (f64::NEG_INFINITY, f64::INFINITY) } else { (f64::INFINITY, f64::NEG_INFINITY) };
    }
    let (a, b) = (-origin / direction, (f64::from(SIZE) - origin) / direction);
    (a.min(b), a.max(b))
}

impl CustomShape for Voxels {
    fn bounds(&self) -> Aabb {
        Aabb::new([0.0; 3], [SIZE as f32; 3])
    }

    fn cast(&self, ray: &CustomRay, offer: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {
        let slabs = [0, 1, 2].map(|axis| between_planes(ray, axis));
        let axis_of_entry = (0..3).max_by(|&a, &b| slabs[a].0.total_cmp(&slabs[b].0)).unwrap_or(0);
        let (first, end) = slabs.iter().fold((ray.t_min, ray.t_max), |(n, f), slab| (n.max(slab.0), f.min(slab.1)));
        if first > end {
            return;
        }
        let step = ray.direction.signum();
        let mut here = ray.at(first).to_array().map(|along| (along.floor() as i32).clamp(0, SIZE - 1));
        // The ray comes from this very voxel, or from the air around the whole block.
        let mut was_stone = slabs[axis_of_entry].0 < ray.t_min && self.is_stone(here);
        let (mut t, mut axis, mut before) = (first, axis_of_entry, here);
        loop {
            let is_stone = self.is_stone(here);
            if is_stone != was_stone {
                let (side, of) = if is_stone { (Side::Front, here) } else { (Side::Back, before) };
                // The normal points outwards. It is against the ray where the ray enters, and along the ray where it
                // leaves.
                let sign = if is_stone { -step[axis] } else { step[axis] };
                let hit = CustomHit { feature: number(of), ..CustomHit::new(t, DVec3::AXES[axis] * sign, side) };
                if offer(hit).is_break() {
                    return;
                }
            }
            if !Self::is_inside(here) {
                return;
            }
            let next = |axis: usize| {
                let plane = f64::from(here[axis]) + if step[axis] > 0.0 { 1.0 } else { 0.0 };
                let t = (plane - ray.origin[axis]) / ray.direction[axis];
                if ray.direction[axis] == 0.0 { f64::INFINITY } else { t }
            };
            axis = (0..3).min_by(|&a, &b| next(a).total_cmp(&next(b))).unwrap_or(0);
            t = next(axis).max(t);
            if t > ray.t_max {
                return;
            }
            (before, was_stone) = (here, is_stone);
            here[axis] += step[axis] as i32;
        }
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut voxels = Voxels::new();
    let transform = DAffine3::from_rotation_y(0.5) * DAffine3::from_translation(DVec3::new(-8.0, 0.0, -8.0));
    let mut scene = Scene::new();
    scene.insert("voxels", Custom::new(voxels.clone()), transform)?;

    let ray = Ray::new([0.3, 9.0, 6.0], [0.0, -1.0, -1.0]);
    let say = |what: &str, hit: &Hit<&str>| {
        let voxel = hit.feature.map(place).unwrap_or_default();
        println!("{what}: voxel {voxel:?} at t = {:.3}, normal {:.3}", hit.t, hit.normal);
    };

    let hit = scene.cast(&ray).ok_or("the ground is under the cursor")?;
    say("clicked", &hit);

    // Building adds the voxel on the other side of the face that was clicked, in the entity's space.
    let target = place(hit.feature.ok_or("voxels have numbers")?);
    let outward = transform.inverse().transform_vector3(hit.normal.as_dvec3());
    voxels.set([0, 1, 2].map(|axis| target[axis] + outward[axis].round() as i32), true);
    scene.insert("voxels", Custom::new(voxels.clone()), transform)?;
    let built = scene.cast(&ray).ok_or("it is still there")?;
    say("built  ", &built);

    // Digging there twice makes a hole.
    for _ in 0..2 {
        let hit = scene.cast(&ray).ok_or("there is more")?;
        voxels.set(place(hit.feature.ok_or("voxels have numbers")?), false);
        scene.insert("voxels", Custom::new(voxels.clone()), transform)?;
        say("dug    ", &hit);
    }

    let mut intervals = Vec::new();
    scene.solid_intervals(&Ray::new([0.0, 2.5, 12.0], [0.0, 0.0, -1.0]), &mut intervals);
    for interval in &intervals {
        println!("a ray through the ground is in stone for {:.3}", interval.thickness());
    }
    Ok(())
}
