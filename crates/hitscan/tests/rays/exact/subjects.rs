//! The surfaces at which rays are aimed.

use crate::common::{Random, Surface, grid_cube, icosphere, instance_transform};
use crate::exact::oracle::Oracle;
use crate::ply;
use hitscan::glam::{DAffine3, DMat3, DVec3, Vec3};
use hitscan::{Mesh, Quality, Scene};
use std::collections::HashMap;

pub(crate) struct Subject {
    pub(crate) name: String,
    pub(crate) surface: Surface,
    pub(crate) oracle: Oracle,
    /// A mesh with each quality of tree.
    pub(crate) meshes: Vec<Mesh>,
    /// A point inside, if the surface is closed.
    pub(crate) inside: Option<DVec3>,
    /// The edges that belong to one triangle only.
    pub(crate) border: Vec<[u32; 2]>,
    pub(crate) low: DVec3,
    pub(crate) high: DVec3,
}

impl Subject {
    fn new(name: impl Into<String>, surface: Surface, inside: Option<DVec3>) -> Self {
        if inside.is_some() {
            surface.assert_closed();
        }
        let corners = surface.triangles.iter().map(|t| t.map(|i| surface.positions[i as usize].as_dvec3())).collect();
        let build = |quality| Mesh::with_quality(&surface.positions, surface.triangles.as_flattened(), quality);
        let meshes = [Quality::Fast, Quality::Balanced, Quality::Best].map(|quality| build(quality).expect("sound"));
        let bounds = meshes[0].bounds();
        Self {
            name: name.into(),
            border: border(&surface),
            oracle: Oracle::new(corners),
            meshes: meshes.into(),
            inside,
            low: bounds.min.as_dvec3(),
            high: bounds.max.as_dvec3(),
            surface,
        }
    }

    pub(crate) fn middle(&self) -> DVec3 {
        self.inside.unwrap_or((self.low + self.high) / 2.0)
    }

    pub(crate) fn size(&self) -> f64 {
        (self.high - self.low).max_element()
    }
}

fn border(surface: &Surface) -> Vec<[u32; 2]> {
    let mut triangles: HashMap<[u32; 2], u32> = HashMap::new();
    for &[a, b, c] in &surface.triangles {
        for (p, q) in [(a, b), (b, c), (c, a)] {
            *triangles.entry([p.min(q), p.max(q)]).or_default() += 1;
        }
    }
    let mut border: Vec<_> = triangles.into_iter().filter(|(_, count)| *count == 1).map(|(edge, _)| edge).collect();
    border.sort_unstable();
    border
}

/// Returns hills on a grid, with quantised or arbitrary f32 heights.
fn terrain(side: u32, steps: Option<f32>, random: &mut Random) -> Surface {
    let mut height = |x: u32, z: u32| {
        let hills = (x as f32 * 0.7).sin() * 1.5 + (z as f32 * 0.45).cos() + random.unit() as f32 * 0.3;
        steps.map_or(hills, |steps| (hills * steps).round() / steps)
    };
    let mut positions = Vec::new();
    for (z, x) in (0..=side).flat_map(|z| (0..=side).map(move |x| (z, x))) {
        positions.push(Vec3::new(x as f32, height(x, z), z as f32));
    }
    let mut triangles = Vec::new();
    for (z, x) in (0..side).flat_map(|z| (0..side).map(move |x| (z, x))) {
        let [a, b] = [z * (side + 1) + x, (z + 1) * (side + 1) + x];
        triangles.extend([[a, b, b + 1], [a, b + 1, a + 1]]);
    }
    Surface { positions, triangles }
}

/// Returns a flat square grid across this axis.
fn sheet(side: u32, axis: usize) -> Surface {
    let flat = terrain(side, None, &mut Random(0));
    flat.map(|p| {
        let mut placed = [0.0; 3];
        (placed[(axis + 1) % 3], placed[(axis + 2) % 3]) = (p.x, p.z);
        placed[axis] = 2.0;
        Vec3::from_array(placed)
    })
}

/// Returns the generated surfaces, and the scan if the models are there.
pub(crate) fn all() -> Vec<Subject> {
    let mut random = Random(20_261_121);
    let bumpy = |p: Vec3| p * (1.0 + 0.3 * (7.0 * p.x).sin() * (5.0 * p.y).cos());
    let closed = |name: &str, surface| Subject::new(name, surface, Some(DVec3::ZERO));
    let rotation = random.rotation();
    let turned = |p: Vec3| (rotation * p.as_dvec3()).as_vec3();
    let mut list = vec![
        closed("sphere", icosphere(4)),
        closed("bumpy sphere", icosphere(5).map(bumpy)),
        closed("needle", icosphere(3).map(|p| p * Vec3::new(1.0, 40.0, 0.5))),
        closed("grid cube", grid_cube(16)),
        closed("turned cube", grid_cube(12).map(turned)),
        closed("box", grid_cube(1)),
        closed("radius 1e-20", icosphere(3).map(|p| p * 1e-20)),
        closed("radius 1e30", icosphere(3).map(|p| p * 1e30)),
        closed("subnormal", icosphere(2).map(|p| p * 1e-41)),
        Subject::new("sphere far off", icosphere(3).map(|p| p + 4096.0), Some(DVec3::splat(4096.0))),
        Subject::new("terrain", terrain(60, None, &mut random), None),
        Subject::new("terrain in steps", terrain(60, Some(8.0), &mut random), None),
        Subject::new("sheet across x", sheet(12, 0), None),
        Subject::new("sheet across y", sheet(12, 1), None),
        Subject::new("sheet across z", sheet(12, 2), None),
    ];
    list.extend(ply::model("scans/igea.ply").map(|surface| {
        let middle = surface.positions.iter().map(|p| p.as_dvec3()).sum::<DVec3>() / surface.positions.len() as f64;
        Subject::new("igea", surface, Some(middle))
    }));
    list
}

/// A closed mesh that is the only entity of a scene.
pub(crate) struct Instance {
    pub(crate) scene: Scene<()>,
    pub(crate) transform: DAffine3,
    /// The inverse transform, if f64 represents this transform and the local rays near the entity without rounding.
    pub(crate) exact_inverse: Option<DAffine3>,
}

/// Returns rotated, stretched and mirrored instances. Every second instance permutes the axes and scales by powers of
/// two, so that the local ray is known exactly.
pub(crate) fn instances(subject: &Subject) -> Vec<Instance> {
    let mut random = Random(subject.surface.triangles.len() as u64);
    let size = subject.size();
    let place = |i: usize| {
        let (transform, exact_inverse) = if i.is_multiple_of(2) {
            (instance_transform(&mut random, i / 2, 4.0 * size), None)
        } else {
            let (there, back) = axial(&mut random, size);
            (there, Some(back))
        };
        let mut scene = Scene::new();
        scene.insert((), subject.meshes[i % 3].clone(), transform).expect("a sound transform");
        Instance { scene, transform, exact_inverse }
    };
    (0..8).map(place).collect()
}

/// Returns a signed permutation of the axes times powers of two with a translation of few bits, and its inverse.
fn axial(random: &mut Random, size: f64) -> (DAffine3, DAffine3) {
    let first = random.below(3);
    let second = (first + 1 + random.below(2)) % 3;
    let axes = [first, second, 3 - first - second].map(|axis| DVec3::AXES[axis]);
    let scales = [(); 3].map(|()| {
        let sign = if random.below(2) == 0 { 1.0 } else { -1.0 };
        sign * 2f64.powi(random.below(7) as i32 - 3)
    });
    let linear = DMat3::from_cols(axes[0] * scales[0], axes[1] * scales[1], axes[2] * scales[2]);
    let inverse = DMat3::from_diagonal(DVec3::from(scales).recip())
        * DMat3::from_cols_array_2d(&axes.map(|a| a.to_array())).transpose();
    let unit = 2f64.powi(size.log2().floor() as i32 - 2);
    let moved = DVec3::from([(); 3].map(|()| random.below(32) as f64 - 16.0)) * unit;
    let there = DAffine3::from_mat3_translation(linear, moved);
    (there, DAffine3::from_mat3_translation(inverse, -(inverse * moved)))
}
