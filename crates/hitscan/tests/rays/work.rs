//! The work of rays in scenes that break trees: one far vertex, spikes, flat fans, and slivers. Work is counted in nodes and leaves, and not in time.

use core::f32::consts::{PI, TAU};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{HeightField, Mesh, MeshHit, Ray, RayQueries, Scene, debug};
use hitscan_random::Random;
use hitscan_random::effort::size;

/// Returns a ball of radius 1 with this many rows of 64 quads.
fn ball(rows: u32) -> Vec<Vec3> {
    let place = |row: u32, column: u32| {
        let (polar, azimuth) = (row as f32 / rows as f32 * PI, column as f32 / 64.0 * TAU);
        Vec3::new(polar.sin() * azimuth.cos(), polar.cos(), polar.sin() * azimuth.sin())
    };
    let cells = (0..rows).flat_map(|row| (0..64).map(move |column| (row, column)));
    cells
        .flat_map(|(row, column)| {
            let [a, b, c, d] = [(0, 0), (1, 0), (1, 1), (0, 1)].map(|(x, y)| place(row + x, column + y));
            [a, b, c, a, c, d]
        })
        .collect()
}

/// Returns a ray from somewhere around the ball to a point in it.
fn ray(random: &mut Random) -> Ray {
    let reach = random.pick(&[1.5, 10.0, 1e4, 1e8]);
    let (from, to) = (random.cube().normalize() * reach, random.cube());
    Ray::between(from.as_vec3(), to.as_vec3())
}

fn compared(hit: Option<MeshHit>) -> Option<(u32, f32, Vec3)> {
    hit.map(|hit| (hit.triangle, hit.t, hit.point()))
}

/// One distant triangle makes all other triangles smaller than the f32 error in the mesh's tree. So rays test the tree's boxes in f64, and no more boxes than
/// without the distant triangle.
#[test]
fn one_far_vertex_costs_little() {
    let near = ball(32);
    let plain = Mesh::from_soup(&near).unwrap();
    for far in [1e6f32, 1e7, 1e9, 1e15, 1e30] {
        let mut soup = near.clone();
        soup.extend([Vec3::splat(far), Vec3::new(far, far * 1.1, far), Vec3::new(far, far, far * 1.2)]);
        let mut moved = plain.clone();
        let mesh = Mesh::from_soup(&soup).unwrap();
        let saved = Mesh::from_bytes(&mesh.to_bytes()).unwrap();
        let mut random = Random(far as u64);
        let (mut most, mut hits) = (0, 0);
        let mut scene = Scene::new();
        scene.insert(0, mesh.clone(), DVec3::new(3.0, -2.0, 1.0)).unwrap();
        let mut all = [Vec::new(), Vec::new()];
        for case in 0..size(300, 2_000, 200_000) {
            let ray = ray(&mut random);
            let (found, truth) = (compared(mesh.cast(&ray)), compared(plain.cast(&ray)));
            assert_eq!(found, truth, "{far:e} {case}: {ray:?}");
            assert_eq!(compared(saved.cast(&ray)), truth, "{far:e} {case}: {ray:?}, saved");
            assert_eq!(mesh.is_blocked(&ray), truth.is_some(), "{far:e} {case}: {ray:?}");
            mesh.cast_all(&ray, &mut all[0]);
            plain.cast_all(&ray, &mut all[1]);
            assert!(all[0].iter().map(|hit| (hit.triangle, hit.t)).eq(all[1].iter().map(|hit| (hit.triangle, hit.t))));
            let placed = Ray { origin: ray.origin + Vec3::new(3.0, -2.0, 1.0), ..ray };
            assert!(scene.cast(&placed).is_some() == scene.is_blocked(&placed), "{far:e} {case}: {placed:?}");
            most = most.max(debug::mesh_visits(&mesh, &ray).len());
            hits += usize::from(truth.is_some());
        }
        println!("{far:e}: at most {most} boxes, {hits} hits");
        assert!(hits > 100 && most < 120, "{far:e}: {most} of {} boxes", mesh.tree_stats().nodes);
        let mut positions = near.clone();
        positions[0] = Vec3::splat(far);
        moved.refit(&positions).unwrap();
        let visits = (0..100).map(|_| debug::mesh_visits(&moved, &self::ray(&mut random)).len()).max();
        assert!(visits.unwrap() < 200, "{far:e}: {visits:?} boxes after a vertex has moved");
    }
}

/// A height field with a spike answers as a field without the spike, except at the spike.
#[test]
fn one_spike_does_not_change_a_height_field() {
    let (side, mut random) = (65, Random(5));
    let heights: Vec<f32> = (0..side * side).map(|_| random.unit() as f32).collect();
    let plain = HeightField::new(side, side, [0.5, 0.5], &heights).unwrap();
    for far in [1e6f32, 1e9, 1e20] {
        let mut spiked = heights.clone();
        spiked[0] = far;
        let field = HeightField::new(side, side, [0.5, 0.5], &spiked).unwrap();
        let mut hits = 0;
        for case in 0..size(2_000, 20_000, 2_000_000) {
            let place = |random: &mut Random| DVec3::new(16.0, 0.0, 16.0) + random.cube() * DVec3::new(14.0, 3.0, 14.0);
            let ray = Ray::between(place(&mut random).as_vec3(), place(&mut random).as_vec3());
            let answer = |field: &HeightField| field.cast(&ray).map(|hit| (hit.triangle, hit.t));
            assert_eq!(answer(&field), answer(&plain), "{far:e} {case}: {ray:?}");
            assert_eq!(field.is_blocked(&ray), plain.is_blocked(&ray), "{far:e} {case}: {ray:?}");
            hits += usize::from(answer(&plain).is_some());
        }
        assert!(hits > 100, "{hits}");
    }
}

/// Returns a flat fan of slivers around one corner.
fn fan(count: u32) -> Vec<Vec3> {
    let rim = |number: u32| {
        let angle = number as f32 / count as f32 * TAU;
        Vec3::new(4.0 * angle.cos(), 0.625, 4.0 * angle.sin())
    };
    (0..count).flat_map(|number| [Vec3::new(0.1, 0.625, -0.2), rim(number + 1), rim(number)]).collect()
}

/// Returns a grid in the plane of the fan with this many cells along a side.
fn grid(cells: u32) -> Vec<Vec3> {
    let place = |x: u32, z: u32| {
        let [x, z] = [x, z].map(|place| place as f32 / cells as f32 * 8.0 - 4.0);
        Vec3::new(x, 0.625, z)
    };
    let corners = |x: u32, z: u32| {
        let [a, b, c, d] = [(x, z), (x, z + 1), (x + 1, z + 1), (x + 1, z)].map(|(x, z)| place(x, z));
        [a, b, c, a, c, d]
    };
    (0..cells * cells).flat_map(|cell| corners(cell / cells, cell % cells)).collect()
}

/// Returns 4,096 triangles of this length and width, in all directions.
fn triangles(length: f64, width: f64) -> Vec<Vec3> {
    let mut random = Random(13);
    let mut soup = Vec::new();
    for _ in 0..4096 {
        let (from, along, aside) = (random.cube(), random.direction() * length, random.direction() * width);
        soup.extend([from - along, from + along, from + aside].map(|corner| corner.as_vec3()));
    }
    soup
}

/// The numbers of boxes that rays visit in a mesh.
#[derive(Default)]
struct Visits {
    rays: usize,
    all: usize,
    most: usize,
}

impl Visits {
    fn add(&mut self, mesh: &Mesh, ray: &Ray) {
        let boxes = debug::mesh_visits(mesh, ray).len();
        *self = Self { rays: self.rays + 1, all: self.all + boxes, most: self.most.max(boxes) };
    }

    fn mean(&self) -> f64 {
        self.all as f64 / self.rays as f64
    }
}

/// Returns the visits of rays that cross a mesh, and of other rays. These start at the hits and lie in the planes of the triangles up to rounding.
fn across_and_within(soup: &[Vec3], cases: usize) -> [Visits; 2] {
    let mesh = Mesh::from_soup(soup).unwrap();
    let mut random = Random(11);
    let [mut across, mut within] = [Visits::default(), Visits::default()];
    for _ in 0..cases {
        let ray = Ray::between((random.cube() * 5.0).as_vec3(), (random.cube() * 2.0).as_vec3());
        let aside = random.direction().as_vec3();
        across.add(&mesh, &ray);
        let Some(hit) = mesh.cast(&ray) else { continue };
        let normal = hit.normal();
        within.add(&mesh, &Ray::new(hit.point(), aside - normal * normal.dot(aside)));
    }
    [across, within]
}

/// The number of boxes that a ray tests is bounded, for rays across a flat fan, rays in its plane, and rays between slivers. The bound is a multiple of the
/// number for a plain scene of as many triangles. A fan's leaves have boxes that reach from its corner to its rim, so the multiple grows with the number of
/// slivers (docs/robustness/work.md).
#[test]
fn fans_and_slivers_cost_the_boxes_on_the_way() {
    let cases = size(1_000, 2_000, 100_000);
    // The bounds are about 1.5 times the multiples that 1,000 rays gave.
    let fan = ("fan", [fan(8192), grid(64)], [50.0, 11.0]);
    let slivers = ("slivers", [triangles(1.0, 1e-3), triangles(0.03, 0.03)], [48.0, 41.0]);
    for (what, soups, most) in [fan, slivers] {
        let [stress, plain] = soups.map(|soup| across_and_within(&soup, cases));
        for (((stress, plain), most), way) in stress.iter().zip(&plain).zip(most).zip(["across", "within"]) {
            let ratio = stress.mean() / plain.mean();
            println!(
                "{what}, {way}: {:.1} boxes (at most {}) beside {:.1} (at most {}), {ratio:.2} times; {} rays",
                stress.mean(),
                stress.most,
                plain.mean(),
                plain.most,
                stress.rays
            );
            assert!(
                stress.rays > cases / 50 && plain.rays > cases / 200,
                "{what}, {way}: {} and {} rays",
                stress.rays,
                plain.rays
            );
            assert!(ratio <= most, "{what}, {way}: {ratio:.2} times the boxes of the plain scene");
        }
    }
}
