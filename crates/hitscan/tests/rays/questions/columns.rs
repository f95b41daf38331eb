//! Batches in columns, against single rays.

use super::common::Random;
use super::world::{scattered, soup};
use hitscan::batch::{HitColumns, RayColumns};
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Cull, Filter, Hit, Mesh, Quad, Ray, RayQueries, Scene, Side, Sphere, View};

pub(super) struct Rays {
    columns: [Vec<f32>; 8],
}

impl Rays {
    pub(super) fn new(rays: &[Ray]) -> Self {
        let column = |of: fn(&Ray) -> f32| rays.iter().map(of).collect();
        Self {
            columns: [
                column(|ray| ray.origin.x),
                column(|ray| ray.origin.y),
                column(|ray| ray.origin.z),
                column(|ray| ray.direction.x),
                column(|ray| ray.direction.y),
                column(|ray| ray.direction.z),
                column(|ray| ray.t_min),
                column(|ray| ray.t_max),
            ],
        }
    }

    pub(super) fn columns(&self) -> RayColumns<'_> {
        let [ox, oy, oz, dx, dy, dz, t_min, t_max] = &self.columns;
        RayColumns { t_min: Some(t_min), t_max: Some(t_max), ..RayColumns::new([ox, oy, oz], [dx, dy, dz]) }
    }
}

pub(super) fn scene(random: &mut Random) -> Scene<u32> {
    let (mut scene, _) = scattered(random, 60);
    for key in 0..10 {
        scene.insert(100 + key, Sphere::new(0.6), random.cube() * 5.0).unwrap();
        scene.insert(200 + key, Quad::new([0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.3]), random.cube() * 5.0).unwrap();
    }
    scene
}

/// Returns rays; every second group of eight has nearly the same direction.
pub(super) fn rays(random: &mut Random, count: usize) -> Vec<Ray> {
    let (mut from, mut way) = (DVec3::ZERO, DVec3::X);
    let ray = |i: usize| {
        if i.is_multiple_of(8) || i % 16 > 8 {
            (from, way) = (random.cube() * 8.0, random.cube());
        }
        let aside = if i % 16 < 8 { random.cube() * 0.05 } else { DVec3::ZERO };
        let ray = Ray::with_direction(from.as_vec3(), (way + aside).as_vec3());
        match i % 50 {
            0 => Ray::new(Vec3::NAN, Vec3::X),
            1..20 => ray.with_range(-2.0, 6.0),
            _ => ray,
        }
    };
    (0..count).map(ray).collect()
}

#[test]
fn columns_hold_the_hits_of_single_rays() {
    for (seed, count) in [0, 1, 7, 1024, 1025, 5000].into_iter().enumerate() {
        let mut random = Random(seed as u64);
        let scene = scene(&mut random);
        let rays = rays(&mut random, count);
        let given = Rays::new(&rays);
        for cull in [Cull::None, Cull::Back] {
            let filter = Filter::new().cull(cull).entities(|key| key % 5 != 3);
            let view = scene.with(&filter);
            let singles: Vec<Option<Hit<u32>>> = rays.iter().map(|ray| view.cast(ray)).collect();
            check(view, &given, &singles, &format!("seed {seed}, {count} rays, {cull:?}"));
            let mut blocked = vec![false; count];
            view.is_blocked_batch(&given.columns(), &mut blocked).unwrap();
            assert_eq!(blocked, singles.iter().map(Option::is_some).collect::<Vec<_>>());
        }
    }
}

fn check(view: View<'_, u32>, given: &Rays, singles: &[Option<Hit<u32>>], context: &str) {
    let count = singles.len();
    // Entries that are not written keep their values.
    let floats = || vec![-7.5f32; count];
    let (mut t, [mut u, mut v], mut point, mut normal) =
        (floats(), [floats(), floats()], [floats(), floats(), floats()], [floats(), floats(), floats()]);
    let (mut id, mut part, mut triangle, mut side) =
        (vec![Some(9999); count], vec![9999; count], vec![9999; count], vec![Side::Inside; count]);
    let [px, py, pz] = &mut point;
    let [nx, ny, nz] = &mut normal;
    let hits = HitColumns {
        id: &mut id,
        t: Some(&mut t),
        part: Some(&mut part),
        triangle: Some(&mut triangle),
        side: Some(&mut side),
        uv: Some([&mut u, &mut v]),
        point: Some([px, py, pz]),
        normal: Some([nx, ny, nz]),
    };
    view.cast_columns(&given.columns(), hits).unwrap();
    for (i, single) in singles.iter().enumerate() {
        let vector = |columns: &[Vec<f32>; 3]| columns.each_ref().map(|column| column[i].to_bits());
        let found =
            (id[i], t[i].to_bits(), part[i], triangle[i], side[i], [u[i], v[i]], vector(&point), vector(&normal));
        let bits = |v: Vec3| v.to_array().map(f32::to_bits);
        let nothing = bits(Vec3::splat(-7.5));
        let expected = match single {
            None => (None, f32::INFINITY.to_bits(), 9999, 9999, Side::Inside, [-7.5; 2], nothing, nothing),
            Some(hit) => (
                Some(hit.id),
                hit.t.to_bits(),
                hit.part,
                hit.triangle.unwrap_or(9999),
                hit.side,
                hit.uv.map_or([-7.5; 2], |uv| uv.to_array()),
                bits(hit.point),
                bits(hit.normal),
            ),
        };
        assert_eq!(found, expected, "{context}, ray {i}");
    }
}

/// A column has the same values for any set of other columns.
#[test]
fn columns_do_not_depend_on_each_other() {
    let mut random = Random(44);
    let scene = scene(&mut random);
    // Some rays are side by side, and others are not.
    let one = rays(&mut random, 40);
    let beside = |ray: &Ray| {
        [0.0f32, 1e-3, 2e-3, 3e-3, 4e-3, 5e-3, 6e-3, 7e-3].map(|by| Ray { origin: ray.origin + by, ..*ray })
    };
    let rays: Vec<Ray> = one.iter().flat_map(beside).chain(rays(&mut random, 99)).collect();
    let mut singles: Vec<Option<Hit<u32>>> = vec![None; rays.len()];
    scene.cast_batch(&rays, &mut singles).unwrap();
    let floats = || vec![-7.5f32; rays.len()];
    let (mut t, mut x, mut y, mut z, mut ids) = (floats(), floats(), floats(), floats(), vec![None; rays.len()]);
    scene.cast_columns(&rays, HitColumns { t: Some(&mut t), ..HitColumns::new(&mut ids) }).unwrap();
    let mut ids_beside = vec![None; rays.len()];
    let points = HitColumns { point: Some([&mut x, &mut y, &mut z]), ..HitColumns::new(&mut ids_beside) };
    scene.cast_columns(&rays, points).unwrap();
    assert_eq!(ids, ids_beside);
    for (i, single) in singles.iter().enumerate() {
        let found = (ids[i], t[i], [x[i], y[i], z[i]]);
        let expected = match single {
            Some(hit) => (Some(hit.id), hit.t, hit.point.to_array()),
            None => (None, f32::INFINITY, [-7.5; 3]),
        };
        assert_eq!(found, expected, "ray {i}");
    }
    assert!(singles.iter().flatten().count() > 100);
}

#[test]
fn columns_of_other_lengths_are_errors() {
    let mut scene = Scene::new();
    scene.insert(1, Sphere::new(1.0), DVec3::ZERO).unwrap();
    let (three, two) = ([0.0f32; 3], [0.0f32; 2]);
    let good = RayColumns::new([&three; 3], [&three; 3]);
    let (mut t, mut ids) = ([9.0f32; 3], [Some(9); 3]);
    for axis in 0..2 {
        for is_direction in [false, true] {
            let mut bad = good;
            (if is_direction { &mut bad.direction } else { &mut bad.origin })[axis + 1] = &two;
            let error =
                scene.cast_columns(&bad, HitColumns { t: Some(&mut t), ..HitColumns::new(&mut ids) }).unwrap_err();
            assert_eq!((error.questions, error.answers), (3, 2));
            let name = format!("{}.{}", if is_direction { "direction" } else { "origin" }, ["y", "z"][axis]);
            assert!(error.to_string().contains(&name), "{error}");
        }
    }
    let bad = RayColumns { t_max: Some(&two), ..good };
    assert_eq!(scene.is_blocked_batch(&bad, &mut [false; 3]).unwrap_err().what, "t_max");
    assert_eq!(scene.is_blocked_batch(&good, &mut [false; 2]).unwrap_err().what, "places for answers");
    let (mut short, mut other) = ([9.0f32; 2], [9.0f32; 3]);
    let hits = HitColumns { t: Some(&mut t), uv: Some([&mut other, &mut short]), ..HitColumns::new(&mut ids) };
    assert_eq!(scene.cast_columns(&good, hits).unwrap_err().what, "places in v");
    assert_eq!(scene.cast_columns(&good, HitColumns::new(&mut [None; 2])).unwrap_err().what, "places in id");
    assert_eq!((t, ids), ([9.0; 3], [Some(9); 3]));
}

#[test]
fn columns_hold_the_hits_of_a_mesh() {
    for (seed, count) in [0, 1, 63, 64, 65, 3000].into_iter().enumerate() {
        let mut random = Random(seed as u64);
        let mesh = Mesh::from_soup(&soup(&mut random, 300)).unwrap();
        let rays = rays(&mut random, count);
        let mut singles = vec![None; count];
        mesh.culled(Cull::Back).cast_batch(&rays, &mut singles).unwrap();
        let floats = || vec![-7.5f32; count];
        let (mut t, mut u, mut v, [mut x, mut y, mut z]) = (floats(), floats(), floats(), [(); 3].map(|()| floats()));
        let (mut triangle, mut ids) = (vec![9999; count], vec![None; count]);
        let hits = HitColumns {
            t: Some(&mut t),
            triangle: Some(&mut triangle),
            uv: Some([&mut u, &mut v]),
            point: Some([&mut x, &mut y, &mut z]),
            ..HitColumns::new(&mut ids)
        };
        mesh.culled(Cull::Back).cast_columns(&Rays::new(&rays).columns(), hits).unwrap();
        let (mut t_of_rows, mut ids_of_rows) = (vec![-7.5; count], vec![None; count]);
        let hits = HitColumns { t: Some(&mut t_of_rows), ..HitColumns::new(&mut ids_of_rows) };
        mesh.culled(Cull::Back).cast_columns(&rays, hits).unwrap();
        assert_eq!((&t_of_rows, &ids_of_rows), (&t, &ids), "seed {seed}, {count} rays in rows");
        for (i, single) in singles.iter().enumerate() {
            assert_eq!(ids[i], single.map(|_| ()), "seed {seed}, {count} rays, ray {i}");
            let expected = single.map_or((f32::INFINITY, 9999, [-7.5; 2], [-7.5; 3]), |hit| {
                (hit.t, hit.triangle, hit.uv().to_array(), hit.point().to_array())
            });
            assert_eq!(
                (t[i], triangle[i], [u[i], v[i]], [x[i], y[i], z[i]]),
                expected,
                "seed {seed}, {count} rays, ray {i}"
            );
        }
    }
}
