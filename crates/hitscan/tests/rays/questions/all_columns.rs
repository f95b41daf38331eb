//! All hits of batches in columns, against single rays.

use super::columns::{Rays, rays, scene};
use super::common::Random;
use super::world::soup;
use hitscan::batch::{AllHitColumns, RayColumns, Threads};
use hitscan::error::BatchError;
use hitscan::glam::{DVec3, Vec3};
use hitscan::query::RayView;
use hitscan::{Cull, Filter, Hit, Inside, Mesh, MeshHit, RayQueries, Scene, Side, Sphere};
use hitscan_random::levels;
use std::fmt::Debug;

const THREADS: [Threads; 4] = [Threads::All, Threads::AtMost(0), Threads::AtMost(1), Threads::AtMost(3)];

/// All columns, in the buffers of a program.
#[derive(Default)]
struct Columns<K> {
    offsets: Vec<usize>,
    id: Vec<K>,
    t: Vec<f32>,
    part: Vec<u32>,
    triangle: Vec<u32>,
    side: Vec<Side>,
    uv: [Vec<f32>; 2],
    point: [Vec<f32>; 3],
    normal: [Vec<f32>; 3],
}

/// The values of a hit, floats as bits.
#[derive(Debug, PartialEq)]
struct Row<K> {
    id: K,
    t: u32,
    part: u32,
    triangle: u32,
    side: Side,
    uv: [u32; 2],
    point: [u32; 3],
    normal: [u32; 3],
}

fn bits(vector: Vec3) -> [u32; 3] {
    vector.to_array().map(f32::to_bits)
}

impl From<&Hit<u32>> for Row<u32> {
    fn from(hit: &Hit<u32>) -> Self {
        let uv = hit.uv.map_or([f32::NAN; 2], |uv| uv.to_array()).map(f32::to_bits);
        let (point, normal) = (bits(hit.point), bits(hit.normal));
        let triangle = hit.triangle.unwrap_or(u32::MAX);
        Self { id: hit.id, t: hit.t.to_bits(), part: hit.part, triangle, side: hit.side, uv, point, normal }
    }
}

impl From<&MeshHit> for Row<()> {
    fn from(hit: &MeshHit) -> Self {
        let uv = hit.uv().to_array().map(f32::to_bits);
        let (point, normal) = (bits(hit.point()), bits(hit.normal()));
        Self { id: (), t: hit.t.to_bits(), part: 0, triangle: hit.triangle, side: hit.side, uv, point, normal }
    }
}

impl<K: Copy + Debug + PartialEq> Columns<K> {
    fn all(&mut self) -> AllHitColumns<'_, K> {
        AllHitColumns {
            offsets: &mut self.offsets,
            id: Some(&mut self.id),
            t: Some(&mut self.t),
            part: Some(&mut self.part),
            triangle: Some(&mut self.triangle),
            side: Some(&mut self.side),
            uv: Some(self.uv.each_mut()),
            point: Some(self.point.each_mut()),
            normal: Some(self.normal.each_mut()),
        }
    }

    fn row(&self, place: usize) -> Row<K> {
        Row {
            id: self.id[place],
            t: self.t[place].to_bits(),
            part: self.part[place],
            triangle: self.triangle[place],
            side: self.side[place],
            uv: self.uv.each_ref().map(|column| column[place].to_bits()),
            point: self.point.each_ref().map(|column| column[place].to_bits()),
            normal: self.normal.each_ref().map(|column| column[place].to_bits()),
        }
    }

    fn check(&self, lists: &[Vec<Row<K>>], context: &str) {
        assert_eq!((self.offsets.len(), self.offsets[0]), (lists.len() + 1, 0), "{context}");
        let ends = [
            self.id.len(),
            self.t.len(),
            self.part.len(),
            self.triangle.len(),
            self.side.len(),
            self.uv[1].len(),
            self.point[2].len(),
            self.normal[2].len(),
        ];
        assert_eq!(ends, [self.offsets[lists.len()]; 8], "{context}");
        for (ray, list) in lists.iter().enumerate() {
            let found: Vec<_> = (self.offsets[ray]..self.offsets[ray + 1]).map(|place| self.row(place)).collect();
            assert_eq!(&found, list, "{context}, ray {ray}");
        }
    }
}

/// Casts with all columns, and with few of them.
fn check<K: Copy + Debug + Default + PartialEq>(
    kept: &mut Columns<K>,
    lists: &[Vec<Row<K>>],
    context: &str,
    ask: impl Fn(Threads, AllHitColumns<'_, K>) -> Result<(), BatchError>,
) {
    for threads in THREADS {
        ask(threads, kept.all()).unwrap();
        kept.check(lists, &format!("{context}, {threads:?}"));
        let (mut offsets, mut t, mut id) = (vec![7], vec![-1.0], vec![K::default(); 3]);
        let few = AllHitColumns { id: Some(&mut id), t: Some(&mut t), ..AllHitColumns::new(&mut offsets) };
        ask(threads, few).unwrap();
        assert_eq!((&offsets, &t, &id), (&kept.offsets, &kept.t, &kept.id), "{context}, {threads:?}");
        ask(threads, AllHitColumns::new(&mut offsets)).unwrap();
        assert_eq!(offsets, kept.offsets, "{context}, {threads:?}");
    }
}

#[test]
fn columns_hold_all_hits_of_single_rays() {
    let mut kept = Columns::default();
    let mut total = 0;
    for (seed, count) in [0, 1, 7, 16, 17, 700].into_iter().enumerate() {
        let mut random = Random(seed as u64);
        let scene = scene(&mut random);
        let rays = rays(&mut random, count);
        let given = Rays::new(&rays);
        let filter = Filter::new().cull(Cull::Back).entities(|key| key % 5 != 3);
        let start = rays.iter().find_map(|ray| scene.cast(ray));
        let mut views: Vec<RayView<'_, u32>> =
            vec![scene.when_inside(Inside::Exit), scene.with(&filter).when_inside(Inside::Solid)];
        views.push(scene.relative_to(DVec3::new(1.0, -2.0, 0.5)).when_inside(Inside::Ignore));
        views.extend(start.as_ref().map(|hit| scene.after(hit)));
        for (number, view) in views.into_iter().enumerate() {
            let mut hits = Vec::new();
            let lists: Vec<Vec<_>> = rays
                .iter()
                .map(|ray| {
                    view.cast_all(ray, &mut hits);
                    hits.iter().map(Row::from).collect()
                })
                .collect();
            total += lists.iter().map(Vec::len).sum::<usize>();
            for level in levels::each() {
                let context = format!("seed {seed}, {count} rays, view {number}, {level:?}");
                check(&mut kept, &lists, &context, |threads, hits| view.cast_all_columns(&rays, threads, hits));
                check(&mut kept, &lists, &context, |threads, hits| {
                    view.cast_all_columns(&given.columns(), threads, hits)
                });
            }
        }
    }
    assert!(total > 1000, "{total} hits");
}

#[test]
fn columns_hold_all_hits_of_a_mesh() {
    let mut kept = Columns::default();
    let mut total = 0;
    for (seed, count) in [0, 1, 15, 16, 17, 3000].into_iter().enumerate() {
        let mut random = Random(seed as u64);
        let mesh = Mesh::from_soup(&soup(&mut random, 300)).unwrap();
        let rays = rays(&mut random, count);
        let given = Rays::new(&rays);
        for cull in [Cull::None, Cull::Back, Cull::Front] {
            let mut hits = Vec::new();
            let lists: Vec<Vec<_>> = rays
                .iter()
                .map(|ray| {
                    mesh.culled(cull).cast_all(ray, &mut hits);
                    hits.iter().map(Row::from).collect()
                })
                .collect();
            total += lists.iter().map(Vec::len).sum::<usize>();
            for level in levels::each() {
                let context = format!("seed {seed}, {count} rays, {cull:?}, {level:?}");
                check(&mut kept, &lists, &context, |threads, hits| {
                    mesh.culled(cull).cast_all_columns(&given.columns(), threads, hits)
                });
                if cull == Cull::None {
                    check(&mut kept, &lists, &context, |threads, hits| mesh.cast_all_columns(&rays, threads, hits));
                }
            }
        }
    }
    assert!(total > 300, "{total} hits");
}

#[test]
fn rays_without_hits_have_empty_lists() {
    let scene: Scene<u32> = Scene::new();
    let (zeros, nan) = ([0.0f32; 40], [f32::NAN; 40]);
    let rays = RayColumns::new([&nan, &zeros, &zeros], [&zeros; 3]);
    let (mut offsets, mut t) = (Vec::new(), vec![3.0]);
    let hits = AllHitColumns { t: Some(&mut t), ..AllHitColumns::new(&mut offsets) };
    scene.cast_all_columns(&rays, Threads::All, hits).unwrap();
    assert_eq!((&offsets[..], &t[..]), (&[0; 41][..], &[][..]));
}

#[test]
fn rays_in_columns_of_other_lengths_are_errors() {
    let mut scene = Scene::new();
    scene.insert(1, Sphere::new(1.0), DVec3::ZERO).unwrap();
    let mesh = Mesh::from_soup(&[[0.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0]]).unwrap();
    let (three, two) = ([0.0f32; 3], [0.0f32; 2]);
    let good = RayColumns::new([&three; 3], [&three; 3]);
    let bad = [
        ("origin.z", RayColumns { origin: [&three, &three, &two], ..good }),
        ("direction.y", RayColumns { direction: [&three, &two, &three], ..good }),
        ("t_min", RayColumns { t_min: Some(&two), ..good }),
    ];
    let (mut offsets, mut t) = (vec![5], vec![9.0]);
    for (what, rays) in bad {
        let hits = AllHitColumns { t: Some(&mut t), ..AllHitColumns::new(&mut offsets) };
        assert_eq!(scene.cast_all_columns(&rays, Threads::All, hits).unwrap_err().what, what);
        let hits = AllHitColumns { t: Some(&mut t), ..AllHitColumns::new(&mut offsets) };
        assert_eq!(mesh.cast_all_columns(&rays, Threads::AtMost(1), hits).unwrap_err().what, what);
        assert_eq!((&offsets[..], &t[..]), (&[5][..], &[9.0][..]), "{what}");
    }
}
