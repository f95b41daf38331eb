//! The scene against a naive list: no tree, no collector, every triangle of every part tested.

use super::{Explanation, Filter, Hit, RayQueries, RayView};
use crate::geom::aabb::Aabb;
use crate::geom::culling::{Cull, Inside};
use crate::geom::hit::Side;
use crate::geom::ray::{LocalRay, Ray};
use crate::geom::transform::{Placement, Transform};
use crate::math::splitmix64::splitmix64;
use crate::mesh::Mesh;
use crate::scene::{Compound, Geometry, PartGeometry, Scene};
use crate::shape::{Plane, RayStart, Sphere, Triangle, intersect_triangle};
use alloc::vec;
use alloc::vec::Vec;
use glam::{DAffine3, DMat3, DQuat, DVec3, Vec3};

/// A seeded generator of numbers, half of which are on a coarse grid.
struct Random(u64);

impl Random {
    fn next(&mut self) -> u64 {
        splitmix64(&mut self.0)
    }

    fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    fn pick<T: Copy>(&mut self, choices: &[T]) -> T {
        choices[self.below(choices.len() as u64) as usize]
    }

    /// In -1..1, on a coarse grid half of the time, so that edges, corners and ties are met.
    fn unit(&mut self) -> f64 {
        let fine = (self.next() >> 11) as f64 / (1u64 << 52) as f64 - 1.0;
        if self.below(2) == 0 { f64::from((fine * 4.0) as i32) / 4.0 } else { fine }
    }

    fn vec3(&mut self, scale: f64) -> DVec3 {
        DVec3::new(self.unit(), self.unit(), self.unit()) * scale
    }
}

struct Entry {
    key: u32,
    geometry: Geometry,
    transform: DAffine3,
    layers: u32,
}

/// A hit without its derived fields: t's bits, the entity's place in the list, part, primitive, side.
type Plain = (u32, usize, u32, u32, Side);

fn naive_hits(list: &[Entry], ray: &Ray, options: &Options) -> Vec<Plain> {
    let Some(world) = LocalRay::new(ray) else { return Vec::new() };
    let mut hits = Vec::new();
    for (place, entry) in list.iter().enumerate() {
        if !options.asks_for(entry) {
            continue;
        }
        let outer = Placement::new(entry.transform).unwrap();
        for (part, (geometry, inner)) in (0..).zip(parts_of(&entry.geometry)) {
            let local = world.transformed(&outer.compose(&inner).unwrap().to_local);
            let mut add = |t: f32, primitive: u32, triangle: u32, side: Side| {
                if options.keeps(entry.key, triangle, side) {
                    hits.push((t, (t.to_bits(), place, part, primitive, side)));
                }
            };
            match geometry {
                PartGeometry::Mesh(mesh) => {
                    for triangle in 0..mesh.triangle_count() as u32 {
                        let corners = mesh.triangle(triangle).unwrap().map(|v| v.as_dvec3());
                        if let Some(hit) = intersect_triangle(&local, corners) {
                            add(hit.t, triangle, triangle, hit.side);
                        }
                    }
                }
                shape => {
                    let test = shape.test().expect("there are meshes and shapes here");
                    for hit in test.hits(&local, options.inside, RayStart::Anywhere).iter() {
                        add(hit.t, hit.crossing.into(), 0, hit.side);
                    }
                }
            }
        }
    }
    hits.sort_by(|(t, a), (s, b)| t.total_cmp(s).then((a.1, a.2, a.3).cmp(&(b.1, b.2, b.3))));
    hits.into_iter().map(|(_, plain)| plain).collect()
}

fn parts_of(geometry: &Geometry) -> Vec<(PartGeometry, Placement)> {
    match geometry {
        Geometry::Shape(shape) => vec![(PartGeometry::Shape(*shape), Placement::IDENTITY)],
        Geometry::Mesh(mesh) => vec![(PartGeometry::Mesh(mesh.clone()), Placement::IDENTITY)],
        Geometry::Compound(compound) => compound.parts().to_vec(),
        _ => panic!("there are meshes and shapes here"),
    }
}

#[derive(Clone, Copy, Debug)]
struct Options {
    layers: u32,
    cull: Cull,
    inside: Inside,
    excluded: Option<u32>,
    /// The filter lets hits through that this divides.
    sieve: u32,
    /// The filter lets entities through that this divides.
    coarse_sieve: u32,
}

impl Options {
    fn random(random: &mut Random) -> Self {
        Self {
            layers: random.pick(&[u32::MAX, 1, 2, 3]),
            cull: random.pick(&[Cull::None, Cull::None, Cull::Back, Cull::Front]),
            inside: random.pick(&[Inside::Exit, Inside::Solid, Inside::Ignore]),
            excluded: random.pick(&[None, Some(3), Some(11)]),
            sieve: random.pick(&[1, 1, 2]),
            coarse_sieve: random.pick(&[1, 1, 2]),
        }
    }

    /// The range alone decides.
    const NONE: Self =
        Self { layers: u32::MAX, cull: Cull::None, inside: Inside::Exit, excluded: None, sieve: 1, coarse_sieve: 1 };

    fn asks_for(&self, entry: &Entry) -> bool {
        entry.layers & self.layers != 0
            && self.excluded != Some(entry.key)
            && entry.key.is_multiple_of(self.coarse_sieve)
    }

    fn keeps(&self, key: u32, triangle: u32, side: Side) -> bool {
        self.cull.keeps(side) && (key + triangle).is_multiple_of(self.sieve)
    }

    /// This is done without the sieves.
    fn plain(self) -> Filter<'static, u32> {
        let filter = Filter::new().layers(self.layers).cull(self.cull);
        self.excluded.into_iter().fold(filter, Filter::exclude)
    }

    fn filter(self) -> Filter<'static, u32> {
        self.plain()
            .hits(move |c| (c.id + c.triangle.unwrap_or(0)).is_multiple_of(self.sieve))
            .entities(move |id| id.is_multiple_of(self.coarse_sieve))
    }

    fn view<'a>(self, scene: &'a Scene<u32>, filter: &'a Filter<'a, u32>) -> RayView<'a, u32> {
        scene.with(filter).when_inside(self.inside)
    }
}

fn mesh(random: &mut Random) -> Mesh {
    let positions: Vec<Vec3> = (0..12).map(|_| random.vec3(2.0).as_vec3()).collect();
    let indices: Vec<u32> = (0..60).map(|_| random.below(12) as u32).collect();
    Mesh::new(&positions, &indices).unwrap()
}

fn geometry(random: &mut Random, meshes: &[Mesh]) -> Geometry {
    let mesh = meshes[random.below(meshes.len() as u64) as usize].clone();
    match random.below(7) {
        0 => Sphere::new(random.below(3) as f32).into(),
        1 => Aabb::from_center_size(Vec3::ZERO, random.vec3(2.0).abs().as_vec3()).into(),
        2 => Plane::new(Vec3::ZERO, random.vec3(1.0).as_vec3() + 1.5).unwrap().into(),
        3 => {
            let triangle = Triangle::new(Vec3::ZERO, random.vec3(2.0).as_vec3(), random.vec3(2.0).as_vec3());
            if triangle.validate().is_ok() { triangle.into() } else { mesh.into() }
        }
        4 => {
            let parts = [(mesh.into(), transform(random).into()), (Sphere::new(0.5).into(), transform(random).into())];
            Compound::new(parts).unwrap().into()
        }
        _ => mesh.into(),
    }
}

/// Translated, and rotated, scaled unevenly and mirrored or none of these.
fn transform(random: &mut Random) -> DAffine3 {
    let translation = random.vec3(6.0);
    if random.below(3) == 0 {
        return DAffine3::from_translation(translation);
    }
    let axis = random.vec3(1.0).try_normalize().unwrap_or(DVec3::X);
    let rotation = DMat3::from_quat(DQuat::from_axis_angle(axis, random.unit() * 3.0));
    let scale = random.vec3(1.0) + 1.25;
    let mirrored = DVec3::new(scale.x, -scale.y, scale.z * random.pick(&[1.0, -1.0]));
    DAffine3::from_mat3_translation(rotation * DMat3::from_diagonal(mirrored), translation)
}

fn ray(random: &mut Random) -> Ray {
    let ray = Ray::with_direction(random.vec3(8.0).as_vec3(), random.vec3(1.0).as_vec3());
    match random.below(4) {
        0 => ray.with_range(0.0, 4.0),
        1 => ray.with_range(-3.0, 5.0),
        _ => ray,
    }
}

fn check_queries(scene: &Scene<u32>, list: &[Entry], random: &mut Random, context: &str) {
    let ray = ray(random);
    let options = Options::random(random);
    let filter = options.filter();
    let view = options.view(scene, &filter);
    let expected = naive_hits(list, &ray, &options);
    let plain = |hit: &Hit<u32>| {
        let place = list.iter().position(|entry| entry.key == hit.id).unwrap();
        (hit.t.to_bits(), place, hit.part, hit.key.primitive, hit.side)
    };

    let mut all = Vec::new();
    view.cast_all(&ray, &mut all);
    assert_eq!(all.iter().map(plain).collect::<Vec<_>>(), expected, "all, {context}, {ray:?} {options:?}");

    let closest = view.cast(&ray);
    assert_eq!(closest, all.first().copied(), "closest, {context}, {ray:?} {options:?}");
    assert_eq!(view.is_blocked(&ray), !all.is_empty(), "any, {context}, {ray:?} {options:?}");

    // Without a choice of hits parts are asked in another way.
    if options.sieve == 1 {
        let coarse = options.plain().entities(|id| id.is_multiple_of(options.coarse_sieve));
        let coarse = options.view(scene, &coarse);
        assert_eq!(coarse.cast(&ray), closest, "closest, unfiltered, {context}, {ray:?} {options:?}");
        let is_blocked = coarse.is_blocked(&ray);
        assert_eq!(is_blocked, !all.is_empty(), "any, unfiltered, {context}, {ray:?} {options:?}");
    }
    if options.sieve == 1 && options.coarse_sieve == 1 {
        let plain = options.plain();
        let plain = options.view(scene, &plain);
        assert_eq!(plain.cast(&ray), closest, "closest, plain, {context}, {ray:?} {options:?}");
        assert_eq!(plain.is_blocked(&ray), !all.is_empty(), "any, plain, {context}, {ray:?} {options:?}");
    }

    let n = random.below(expected.len() as u64 + 2) as usize;
    let mut few = Vec::new();
    view.cast_first_n(&ray, n, &mut few);
    assert_eq!(few, all[..n.min(all.len())], "first {n}, {context}, {ray:?} {options:?}");

    let mut entities = Vec::new();
    view.cast_entities(&ray, &mut entities);
    let mut nearest = expected.clone();
    let mut seen = Vec::new();
    nearest.retain(|plain| {
        !seen.contains(&plain.1) && {
            seen.push(plain.1);
            true
        }
    });
    assert_eq!(entities.iter().map(plain).collect::<Vec<_>>(), nearest, "entities, {context}, {ray:?} {options:?}");

    check_explanation(scene, list, (&ray, &options), random, context);

    // Walking along the ray by `after` meets the same hits one by one.
    let mut walked = Vec::new();
    let mut next = closest;
    while let Some(hit) = next {
        walked.push(hit);
        next = view.after(&hit).cast(&ray);
    }
    assert_eq!(walked, all, "after, {context}, {ray:?} {options:?}");
}

/// Checks every rule by itself, with the naive list of the one entity.
fn check_explanation(
    scene: &Scene<u32>,
    list: &[Entry],
    (ray, options): (&Ray, &Options),
    random: &mut Random,
    context: &str,
) {
    let key = random.below(24) as u32;
    let filter = options.filter();
    let explained = options.view(scene, &filter).explain(ray, &key);
    let context = alloc::format!("{key}: {explained}, {context}, {ray:?} {options:?}");
    let Some(entry) = list.iter().find(|entry| entry.key == key) else {
        return assert_eq!(explained, Explanation::Absent, "{context}");
    };
    if ray.validate().is_err() {
        return assert!(matches!(explained, Explanation::Ray(_)), "{context}");
    }
    let alone = core::slice::from_ref(entry);
    let first = |ray: &Ray, options: Options| naive_hits(alone, ray, &options).first().map(|plain| plain.0);
    let is = |expected: Option<u32>, hit: &Hit<u32>| expected == Some(hit.t.to_bits()) && hit.id == key;
    let line = ray.with_range(f32::NEG_INFINITY, f32::INFINITY);
    let from_inside = Options { inside: options.inside, ..Options::NONE };
    let one_sided = Options { cull: options.cull, ..from_inside };
    let is_right = match &explained {
        Explanation::Hit(hit) => {
            let all = naive_hits(list, ray, options);
            is(first(ray, *options), hit) && all.first().is_some_and(|plain| list[plain.1].key == key)
        }
        Explanation::Behind { hit, nearer } => {
            let all = naive_hits(list, ray, options);
            is(first(ray, *options), hit)
                && all.first().is_some_and(|plain| nearer.id != key && list[plain.1].key == nearer.id)
        }
        Explanation::Layers { .. } => entry.layers & options.layers == 0,
        Explanation::Excluded => entry.layers & options.layers != 0 && options.excluded == Some(key),
        Explanation::Entity => options.excluded != Some(key) && !options.asks_for(entry),
        Explanation::Apart { distance, .. } => *distance > 0.0 && first(&line, Options::NONE).is_none(),
        Explanation::Between => first(&line, Options::NONE).is_none(),
        Explanation::Range { hit, .. } => {
            let gap = |t: f32| (ray.t_min - t).max(t - ray.t_max);
            let all = naive_hits(alone, &line, &Options::NONE);
            let least = all.iter().map(|plain| gap(f32::from_bits(plain.0))).min_by(f32::total_cmp);
            first(ray, Options::NONE).is_none() && least == Some(gap(hit.t))
        }
        Explanation::Inside(hit) => is(first(ray, Options::NONE), hit) && first(ray, from_inside).is_none(),
        Explanation::Cull(hit) => is(first(ray, from_inside), hit) && first(ray, one_sided).is_none(),
        Explanation::Filter(hit) => is(first(ray, one_sided), hit) && first(ray, *options).is_none(),
        _ => false,
    };
    assert!(is_right, "{context}");
}

/// Random inserts, replacements, moves, removals, in bulk too, each followed by questions.
fn random_steps(seed: u64, steps: u32) {
    let mut random = Random(seed);
    let meshes: Vec<Mesh> = (0..3).map(|_| mesh(&mut random)).collect();
    let mut scene: Scene<u32> = Scene::new();
    let mut list: Vec<Entry> = Vec::new();
    for step in 0..steps {
        let key = random.below(24) as u32;
        let (geometry, transform) = (geometry(&mut random, &meshes), transform(&mut random));
        let present = list.iter().position(|entry| entry.key == key);
        match random.below(12) {
            0..=4 => {
                let old = scene.insert(key, geometry.clone(), transform).unwrap();
                assert_eq!(old.is_some(), present.is_some());
                let layers = present.map_or(1, |place| list[place].layers);
                let entry = Entry { key, geometry, transform, layers };
                match present {
                    Some(place) => list[place] = entry,
                    None => list.push(entry),
                }
            }
            5..=6 => {
                let old = scene.set_transform(&key, transform).unwrap();
                assert_eq!(old, present.map(|place| list[place].transform));
                present.into_iter().for_each(|place| list[place].transform = transform);
            }
            7..=8 => {
                assert_eq!(scene.remove(&key).is_some(), present.is_some());
                list.retain(|entry| entry.key != key);
            }
            9 => {
                let layers = random.below(4) as u32;
                assert_eq!(scene.set_layers(&key, layers), present.map(|place| list[place].layers));
                present.into_iter().for_each(|place| list[place].layers = layers);
            }
            10 => {
                let shift = DAffine3::from_translation(random.vec3(2.0));
                let moved = list.iter_mut().filter(|_| random.below(2) == 0);
                let moves: Vec<(u32, DAffine3)> = moved
                    .map(|entry| {
                        entry.transform = shift * entry.transform;
                        (entry.key, entry.transform)
                    })
                    .collect();
                assert_eq!(scene.set_transforms(moves.iter().copied()), Ok(moves.len()));
            }
            _ => {
                let bad = DAffine3::from_scale(DVec3::ZERO);
                assert!(scene.insert(key, geometry, bad).is_err());
                assert_eq!(scene.set_transform(&key, bad).is_err(), present.is_some());
            }
        }
        assert_eq!(scene.len(), list.len());
        check_queries(&scene, &list, &mut random, &alloc::format!("seed {seed}, step {step}"));
    }
}

#[test]
fn ten_thousand_random_steps_equal_a_naive_list() {
    random_steps(1, 10_000);
}

#[test]
fn bulk_changes_equal_single_ones() {
    let mut random = Random(3);
    let meshes: Vec<Mesh> = (0..3).map(|_| mesh(&mut random)).collect();
    for round in 0..50 {
        let count = 1 + random.below(40);
        let list: Vec<(u32, Geometry, DAffine3)> = (0..count)
            .map(|_| (random.below(20) as u32, geometry(&mut random, &meshes), transform(&mut random)))
            .collect();
        let (mut single, mut bulk) = (Scene::new(), Scene::new());
        bulk.insert(99, Sphere::new(1.0), Transform::IDENTITY).unwrap();
        single.insert(99, Sphere::new(1.0), Transform::IDENTITY).unwrap();
        for (key, geometry, transform) in list.iter().cloned() {
            single.insert(key, geometry, transform).unwrap();
        }
        bulk.insert_all(list.iter().cloned()).unwrap();
        for question in 0..40 {
            let ray = ray(&mut random);
            let (mut a, mut b) = (Vec::new(), Vec::new());
            single.cast_all(&ray, &mut a);
            bulk.cast_all(&ray, &mut b);
            assert_eq!(a, b, "round {round}, question {question}");
        }
        let removed = bulk.remove_all(0..20);
        assert_eq!((removed.len() + 1, bulk.len()), (single.len(), 1));
    }
}

fn any_shape(random: &mut Random) -> crate::Shape {
    use crate::*;
    let s = 10f32.powi(random.below(7) as i32 - 3);
    let c = (random.vec3(1.0) * f64::from(s)).as_vec3();
    let r = (random.unit().abs() as f32) * s;
    let e = (random.vec3(1.0) * f64::from(s)).as_vec3();
    match random.below(11) {
        0 => Sphere::at(c, r).into(),
        1 => Aabb::from_center_size(c, e.abs()).into(),
        2 => Capsule::between(c, c + e, r).into(),
        3 => Cylinder::between(c, c + e, r).into(),
        4 => Cone::between(c, c + e, r).into(),
        5 => Disc::new(c, e + Vec3::new(0.0, 1e-3, 0.0) * s, r).into(),
        6 => Quad::new(c, Vec3::new(s, r, 0.0), Vec3::new(0.0, r, s)).into(),
        7 => Torus::new(s, r).into(),
        8 => Triangle::new(c, e, e - c * 0.5).into(),
        9 => Capsule::new(r, s).into(),
        _ => OrientedBox::new(
            Aabb::from_center_size(c, e.abs()),
            DAffine3::from_mat3_translation(
                DMat3::from_quat(DQuat::from_axis_angle(
                    random.vec3(1.0).try_normalize().unwrap_or(DVec3::X),
                    random.unit(),
                )),
                random.vec3(1.0) * f64::from(s),
            ),
        )
        .unwrap()
        .into(),
    }
}

fn wild_transform(random: &mut Random) -> DAffine3 {
    let q = |random: &mut Random| {
        DMat3::from_quat(DQuat::from_axis_angle(
            random.vec3(1.0).try_normalize().unwrap_or(DVec3::X),
            random.unit() * 3.0,
        ))
    };
    let p = |random: &mut Random, n: i64| 10f64.powi((random.below(2 * n as u64 + 1) as i64 - n) as i32);
    let spread = random.pick(&[0i64, 1, 3]);
    let d = DVec3::new(p(random, spread), -p(random, spread), p(random, spread)) * p(random, 4);
    let lin = q(random) * DMat3::from_diagonal(d) * if random.below(2) == 0 { q(random) } else { DMat3::IDENTITY };
    let lin = if random.below(4) == 0 {
        lin * DMat3::from_cols(DVec3::X, DVec3::new(random.unit() * 100.0, 1.0, 0.0), DVec3::Z)
    } else {
        lin
    };
    let t = random.vec3(1.0) * p(random, 6);
    DAffine3::from_mat3_translation(lin, t)
}

#[test]
fn adv_wild_scenes_equal_brute_force() {
    let mut random = Random(std::env::var("SEED").ok().and_then(|s| s.parse().ok()).unwrap_or(77));
    let start = std::time::Instant::now();
    let (mut total, mut rays, mut bad) = (0usize, 0usize, 0usize);
    while start.elapsed().as_secs() < 25 {
        let mut scene: Scene<u32> = Scene::new();
        let mut list = Vec::new();
        for key in 0..12u32 {
            let geometry: Geometry =
                if random.below(4) == 0 { mesh(&mut random).into() } else { any_shape(&mut random).into() };
            let transform = wild_transform(&mut random);
            if scene.insert(key, geometry.clone(), transform).is_ok() {
                list.push(Entry { key, geometry, transform, layers: 1 });
            }
        }
        if list.is_empty() {
            continue;
        }
        for _ in 0..60 {
            // aimed at a (corner / middle / random point of a) bounds of some entity, from any distance
            let entry = &list[random.below(list.len() as u64) as usize];
            let b = entry.geometry_bounds();
            let f = DVec3::new(
                random.pick(&[0.0, 0.5, 1.0, 0.3]),
                random.pick(&[0.0, 0.5, 1.0, 0.7]),
                random.pick(&[0.0, 0.5, 1.0, 0.1]),
            );
            let local = b.min.as_dvec3() + (b.max.as_dvec3() - b.min.as_dvec3()) * f;
            let target = entry.transform.transform_point3(local);
            let dist = 10f64.powi(random.below(12) as i32 - 3);
            let origin = (target + random.vec3(1.0) * dist).as_vec3();
            let ray = match random.below(3) {
                0 => Ray::new(origin, target.as_vec3() - origin),
                1 => Ray::with_direction(origin, target.as_vec3() - origin),
                _ => {
                    let axis = random.below(3) as usize;
                    let mut o = target.as_vec3();
                    o[axis] += dist as f32;
                    let mut d = Vec3::ZERO;
                    d[axis] = -1.0;
                    for k in 0..3 {
                        if k != axis && random.below(2) == 0 {
                            d[k] = -0.0;
                        }
                    }
                    Ray::new(o, d)
                }
            };
            let ray = match random.below(3) {
                0 => ray.with_range(f32::NEG_INFINITY, f32::INFINITY),
                _ => ray,
            };
            let options =
                Options { inside: random.pick(&[Inside::Exit, Inside::Solid, Inside::Ignore]), ..Options::NONE };
            let naive = naive_hits(&list, &ray, &options);
            let mut hits = Vec::new();
            let (filter, plain) = (options.filter(), options.plain());
            let (view, plain) = (options.view(&scene, &filter), options.view(&scene, &plain));
            view.cast_all(&ray, &mut hits);
            let found: Vec<(u32, u32, Side)> = hits.iter().map(|h| (h.t.to_bits(), h.id, h.side)).collect();
            let expected: Vec<(u32, u32, Side)> = naive.iter().map(|p| (p.0, list[p.1].key, p.4)).collect();
            rays += 1;
            total += naive.len();
            let same = found == expected
                && view.cast(&ray).map(|h| (h.t.to_bits(), h.id, h.side)) == expected.first().copied()
                && view.is_blocked(&ray) != expected.is_empty()
                && plain.cast(&ray) == hits.first().copied()
                && plain.is_blocked(&ray) != expected.is_empty();
            // walk by after
            let mut walked = 0;
            let mut next = view.cast(&ray);
            while let Some(h) = next {
                walked += 1;
                next = view.after(&h).cast(&ray);
                if walked > 1000 {
                    break;
                }
            }
            if !same || walked != expected.len() {
                bad += 1;
                if bad < 6 {
                    std::println!(
                        "MISMATCH {ray:?} {options:?}\n found {found:?}\n expected {expected:?} walked {walked}"
                    );
                    for e in &list {
                        if expected.iter().any(|x| x.1 == e.key) && !found.iter().any(|x| x.1 == e.key) {
                            std::println!("   lost {:?} {:?}", e.geometry, e.transform);
                        }
                    }
                }
            }
        }
    }
    std::println!("wild: {rays} rays, {total} hits, {bad} bad");
    assert_eq!(bad, 0);
}

impl Entry {
    fn geometry_bounds(&self) -> Aabb {
        match &self.geometry {
            Geometry::Shape(s) => s.bounds(),
            Geometry::Mesh(m) => m.bounds(),
            _ => Aabb::EMPTY,
        }
    }
}

#[test]
fn adv_inside_modes() {
    let mut random = Random(5);
    let mut n = 0;
    for _ in 0..60000 {
        let shape = any_shape(&mut random);
        let solid = !matches!(shape, crate::Shape::Disc(_) | crate::Shape::Quad(_) | crate::Shape::Triangle(_));
        if !solid || shape.validate().is_err() {
            continue;
        }
        let b = shape.bounds();
        let size = f64::from((b.max - b.min).max_element());
        let o = (b.center().as_dvec3() + random.vec3(1.5) * size).as_vec3();
        let base = Ray::new(o, (random.vec3(1.0)).as_vec3());
        let Some(line) = LocalRay::new(&base.with_range(f32::NEG_INFINITY, f32::INFINITY)) else { continue };
        let all: Vec<_> = shape.test().hits(&line, Inside::Exit, RayStart::Anywhere).iter().collect();
        // spans
        let mut spans = Vec::new();
        let mut i = 0;
        while i < all.len() {
            let (k, e) = (all[i].crossing / 2, all[i].t);
            if i + 1 < all.len() && all[i + 1].crossing / 2 == k {
                spans.push((e, all[i + 1].t, false));
                i += 2
            } else {
                spans.push((e, e, true));
                i += 1
            }
        }
        let mut ends: Vec<f32> = all.iter().flat_map(|h| [h.t, h.t.next_up(), h.t.next_down()]).collect();
        ends.extend([0.0, -0.0, f32::NEG_INFINITY, f32::INFINITY, 1e-40, -1e-40]);
        for _ in 0..6 {
            let (t_min, t_max) = (random.pick(&ends), random.pick(&ends));
            if !(t_min <= t_max) {
                continue;
            }
            for inside in [Inside::Exit, Inside::Solid, Inside::Ignore] {
                let mut expected = Vec::new();
                for &(en, ex, touch) in &spans {
                    let is_in = en < t_min && t_min <= ex;
                    if is_in && inside == Inside::Solid && t_min.is_finite() {
                        expected.push((t_min + 0.0, Side::Inside));
                    }
                    if t_min <= en && en <= t_max {
                        expected.push((en, Side::Front));
                    }
                    if !touch && t_min <= ex && ex <= t_max && !(is_in && inside == Inside::Ignore) {
                        expected.push((ex, Side::Back));
                    }
                }
                let got: Vec<_> = shape
                    .test()
                    .hits(&LocalRay { t_min, t_max, ..line }, inside, RayStart::Anywhere)
                    .iter()
                    .map(|h| (h.t, h.side))
                    .collect();
                n += 1;
                assert_eq!(got, expected, "{shape:?} {base:?} {t_min} {t_max} {inside:?} {all:?}");
                if inside == Inside::Exit {
                    assert_eq!(
                        shape.test().is_blocked(&LocalRay { t_min, t_max, ..line }),
                        !got.is_empty(),
                        "blocked {shape:?} {base:?} {t_min} {t_max}"
                    );
                }
            }
        }
    }
    std::println!("inside modes: {n}");
}
