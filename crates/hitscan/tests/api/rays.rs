//! All queries with a ray.

use crate::numbers::Numbers;
use crate::world::{Choice, Key, World};
use hitscan::batch::{AllHitColumns, HitColumns, RayColumns, Threads};
use hitscan::glam::{DVec3, Vec2, Vec3};
use hitscan::query::{Explanation, IntervalEnd, PathHit};
use hitscan::{Hit, Mesh, Ray, RayQueries, Scene, Side, Trajectory};

/// Checks that the point of a hit is on the ray and on the entity that was hit.
fn check_hit(world: &mut World<'_>, ray: &Ray, hit: &Hit<Key>) {
    let in_range = ray.t_min <= hit.t && hit.t <= ray.t_max;
    world.log.check(in_range && hit.t.is_finite(), "t in range", || format!("{hit:?} of {ray:?}"));
    check_place(world, hit);
}

fn check_place(world: &mut World<'_>, hit: &Hit<Key>) {
    world.log.sound(&(hit, hit.point_f64(), hit.facing_normal()));
    world.log.check(hit.point_f64().is_finite(), "finite point", || format!("{hit:?}"));
    let length = hit.normal.length();
    world.log.check((length - 1.0).abs() < 1e-5, "unit normal", || format!("{hit:?}"));
    let is_unit = |uv: Vec2| uv.cmpge(Vec2::splat(-1e-6)).all() && uv.x + uv.y <= 1.0 + 1e-5;
    world.log.check(hit.triangle.is_none() || hit.uv.is_some_and(is_unit), "barycentrics", || format!("{hit:?}"));
    let there = world.scene.get(&hit.id).is_some();
    world.log.check(there, "entity exists", || format!("{hit:?}"));
    let scene = &world.scene;
    world.log.ask("attributes", hit, || {
        (scene.surface(hit).texcoord(), scene.surface(hit).is_hole(), scene.surface(hit).interpolated_normal())
    });
}

pub(crate) fn cast(world: &mut World<'_>) {
    let ray = world.ray();
    let (choice, words) = world.choice();
    let view = choice.rays(&world.scene);
    let hit = world.log.ask("cast", &(ray, &words), || view.cast(&ray));
    let blocked = world.log.ask("is_blocked", &(ray, &words), || view.is_blocked(&ray));
    world.log.check(blocked == hit.is_some(), "as cast", || format!("{blocked} {hit:?}"));
    let all = world.log.ask("cast_all", &(ray, &words), || {
        let mut hits = Vec::new();
        view.cast_all(&ray, &mut hits);
        hits
    });
    world.log.check(all.first() == hit.as_ref(), "as cast", || format!("{:?} {hit:?}", all.first()));
    world.log.check(all.is_sorted_by(|a, b| a.t <= b.t), "sorted", || format!("{all:?}"));
    few(world, &ray, &choice, &words, &all);
    if let Some(hit) = &hit {
        check_hit(world, &ray, hit);
        world.hit = Some(*hit);
    }
}

/// Queries the first few hits, and the first hit of each entity.
fn few(world: &mut World<'_>, ray: &Ray, choice: &Choice, words: &str, all: &[Hit<Key>]) {
    let n = if world.numbers.one_in(8) { world.numbers.index(9) } else { world.numbers.below(5) };
    let view = choice.rays(&world.scene);
    let first = world.log.ask("cast_first_n", &(ray, n, words), || {
        let mut hits = Vec::new();
        view.cast_first_n(ray, n, &mut hits);
        hits
    });
    world.log.check(first == all[..n.min(all.len())], "as cast_all", || format!("{first:?} {all:?}"));
    let entities = world.log.ask("cast_entities", &(ray, words), || {
        let mut hits = Vec::new();
        view.cast_entities(ray, &mut hits);
        hits
    });
    let mut expected: Vec<Hit<Key>> = Vec::new();
    for hit in all {
        if expected.iter().all(|other| other.id != hit.id) {
            expected.push(*hit);
        }
    }
    world.log.check(entities == expected, "as cast_all", || format!("{entities:?} {expected:?}"));
}

pub(crate) fn bounce(world: &mut World<'_>) {
    let ray = world.ray();
    let mut hit = world.scene.cast(&ray);
    for _ in 0..4 {
        let Some(last) = hit else { return };
        let next = if world.numbers.one_in(2) { last.bounce() } else { last.onward() };
        let view = world.scene.after(&last);
        hit = world.log.ask("cast after", &(next, last), || view.cast(&next));
        if let Some(hit) = &hit {
            check_hit(world, &next, hit);
        }
        at_point(world, &last);
        world.hit = Some(last);
    }
}

/// Casts several rays from the point of one hit.
fn at_point(world: &mut World<'_>, last: &Hit<Key>) {
    for direction in [last.reflect(), last.onward().direction, last.normal, -last.normal, Vec3::X, Vec3::NEG_Y] {
        let ray = Ray::with_direction(last.point, direction);
        let view = world.scene.after(last);
        let hit = world.log.ask("cast after", &(ray, last), || view.cast(&ray));
        let is_right = view.is_blocked(&ray) == hit.is_some();
        world.log.check(is_right, "as is_blocked", || format!("{hit:?}"));
        if let Some(hit) = &hit {
            check_hit(world, &ray, hit);
        }
    }
}

/// Checks that a ray stays inside a closed room that is one mesh.
pub(crate) fn room(world: &mut World<'_>, numbers: &mut Numbers) {
    let half = Vec3::from_array([(); 3].map(|()| numbers.pick(&[0.5, 1.0, 2.75, 10.0])));
    let corner = |number: usize| half * Vec3::from_array([0, 1, 2].map(|axis| (number >> axis & 1) as f32 * 2.0 - 1.0));
    let corners: Vec<[f32; 3]> = (0..8).map(|number| corner(number).to_array()).collect();
    let sides = [[0, 2, 6, 4], [1, 5, 7, 3], [0, 4, 5, 1], [2, 3, 7, 6], [0, 1, 3, 2], [4, 6, 7, 5]];
    let triangles: Vec<u32> = sides.iter().flat_map(|[a, b, c, d]| [*a, *b, *c, *a, *c, *d]).collect();
    let mesh = Mesh::new(&corners, &triangles).expect("a room");
    let mut room = Scene::new();
    room.insert(0, mesh, DVec3::ZERO).expect("a room");
    // The rays are aimed at corners, edges and diagonals, where several walls meet.
    let aims: [f32; 5] = [-1.0, 1.0, 0.0, 0.5, 0.3];
    let aim = half * Vec3::from_array([(); 3].map(|()| numbers.pick(&aims)));
    let from = half * Vec3::from_array([(); 3].map(|()| numbers.pick(&[0.0, 0.25, -0.4])));
    if aim == from {
        return;
    }
    let mut ray = Ray::new(from, aim - from);
    let mut last: Option<Hit<Key>> = None;
    for bounce in 0..24 {
        let hit = world.log.ask("bounce in a room", &(ray, bounce), || room.after(last.as_ref()).cast(&ray));
        let is_inside = |hit: &Hit<Key>| hit.point.abs().cmple(half * (1.0 + 1e-6)).all();
        world.log.check(hit.as_ref().is_some_and(is_inside), "stays inside", || format!("{ray:?} {hit:?}"));
        let Some(hit) = hit else { return };
        (ray, last) = (hit.bounce(), Some(hit));
    }
}

pub(crate) fn filtered(world: &mut World<'_>) {
    let ray = world.ray();
    let (mut choice, words) = world.choice();
    let odd = world.numbers.below(2) as u32;
    choice.filter = choice.filter.entities(move |id| id % 2 == odd).hits(|candidate| candidate.t > 0.5);
    let view = choice.rays(&world.scene);
    let hit = world.log.ask("cast filtered", &(ray, words, odd), || view.cast(&ray));
    let is_right = hit.as_ref().is_none_or(|hit| hit.id % 2 == odd && hit.t > 0.5);
    world.log.check(is_right, "filtered", || format!("{hit:?}"));
}

pub(crate) fn batch(world: &mut World<'_>) {
    let rays: Vec<Ray> = (0..world.numbers.below(40)).map(|_| world.ray()).collect();
    let (choice, words) = world.choice();
    let view = choice.rays(&world.scene);
    let hits = world.log.ask("cast_batch", &(&rays, &words), || {
        let mut hits = vec![None; rays.len()];
        view.cast_batch(&rays, &mut hits).map(|()| hits)
    });
    let blocked = world.log.ask("is_blocked_batch", &(&rays, &words), || {
        let mut blocked = vec![false; rays.len()];
        view.is_blocked_batch(&rays, &mut blocked).map(|()| blocked)
    });
    let expected: Vec<Option<Hit<Key>>> = rays.iter().map(|ray| view.cast(ray)).collect();
    world.log.check(hits.as_ref() == Ok(&expected), "as cast", || format!("{hits:?} {expected:?}"));
    let expected: Vec<bool> = expected.iter().map(Option::is_some).collect();
    world.log.check(blocked.as_ref() == Ok(&expected), "as cast", || format!("{blocked:?} {expected:?}"));
    let short = rays.len().saturating_sub(1);
    let refused = world.scene.cast_batch(&rays, &mut vec![None; short]).is_err() || rays.is_empty();
    world.log.check(refused, "lengths", || String::from("a short buffer was taken"));
}

pub(crate) fn columns(world: &mut World<'_>) {
    let rays: Vec<Ray> = (0..world.numbers.below(20)).map(|_| world.ray()).collect();
    let (choice, words) = world.choice();
    let column = |of: &dyn Fn(&Ray) -> f32| -> Vec<f32> { rays.iter().map(of).collect() };
    let origin = [0, 1, 2].map(|axis| column(&|ray| ray.origin[axis]));
    let direction = [0, 1, 2].map(|axis| column(&|ray| ray.direction[axis]));
    let (t_min, t_max) = (column(&|ray| ray.t_min), column(&|ray| ray.t_max));
    let mut given = RayColumns::new(origin.each_ref().map(|c| &c[..]), direction.each_ref().map(|c| &c[..]));
    (given.t_min, given.t_max) = (Some(&t_min[..]), Some(&t_max[..]));
    let view = choice.rays(&world.scene);
    let answers = world.log.ask("cast_columns", &(&rays, &words), || {
        let (mut t, mut ids, mut parts) = (vec![0.0; rays.len()], vec![None; rays.len()], vec![0; rays.len()]);
        let (mut triangles, mut sides) = (vec![0; rays.len()], vec![Side::Front; rays.len()]);
        let [mut x, mut y, mut z, mut u, mut v] = [(); 5].map(|()| vec![0.0; rays.len()]);
        let hits = HitColumns {
            id: &mut ids,
            t: Some(&mut t),
            part: Some(&mut parts),
            triangle: Some(&mut triangles),
            side: Some(&mut sides),
            uv: Some([&mut u, &mut v]),
            point: Some([&mut x, &mut y, &mut z]),
            normal: None,
        };
        view.cast_columns(&given, hits).map(|()| (t, ids, parts, triangles, sides, [x, y, z, u, v]))
    });
    let expected: Vec<Option<Key>> = rays.iter().map(|ray| Some(view.cast(ray)?.id)).collect();
    let is_right = answers.as_ref().is_ok_and(|answers| answers.1 == expected);
    world.log.check(is_right, "as cast", || format!("{answers:?} {expected:?}"));
    let blocked = world.log.ask("is_blocked_columns", &(&rays, &words), || {
        let mut blocked = vec![false; rays.len()];
        view.is_blocked_batch(&given, &mut blocked).map(|()| blocked)
    });
    let expected: Vec<bool> = expected.iter().map(Option::is_some).collect();
    world.log.check(blocked.as_ref() == Ok(&expected), "as cast", || format!("{blocked:?} {expected:?}"));
    let all = world.log.ask("cast_all_columns", &(&rays, &words), || {
        let (mut offsets, mut ids, mut t, mut triangles) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        let hits = AllHitColumns {
            id: Some(&mut ids),
            t: Some(&mut t),
            triangle: Some(&mut triangles),
            ..AllHitColumns::new(&mut offsets)
        };
        view.cast_all_columns(&given, Threads::All, hits).map(|()| (offsets, ids, t, triangles))
    });
    let (mut expected, mut found) = ((vec![0], Vec::new(), Vec::new(), Vec::new()), Vec::new());
    for ray in &rays {
        view.cast_all(ray, &mut found);
        for hit in &found {
            expected.1.push(hit.id);
            expected.2.push(hit.t);
            expected.3.push(hit.triangle.unwrap_or(u32::MAX));
        }
        expected.0.push(expected.1.len());
    }
    world.log.check(all.as_ref() == Ok(&expected), "as cast_all", || format!("{all:?} {expected:?}"));
}

pub(crate) fn path(world: &mut World<'_>) {
    let points: Vec<Vec3> = (0..world.numbers.below(7)).map(|_| world.point().as_vec3()).collect();
    let (choice, words) = world.choice();
    let view = choice.rays(&world.scene);
    let found = world.log.ask("cast_path", &(&points, &words), || view.cast_path(&points));
    if let Some(PathHit { hit, segment, distance, .. }) = &found {
        let is_right = *segment + 1 < points.len() && *distance >= 0.0;
        world.log.check(is_right, "segment and distance", || format!("{found:?}"));
        check_place(world, hit);
    }
}

pub(crate) fn trajectory(world: &mut World<'_>) {
    let (origin, velocity) = (world.point().as_vec3(), world.numbers.vec3());
    let numbers = &mut world.numbers;
    let arc = Trajectory::new(origin, velocity, numbers.vec3());
    let arc = if numbers.one_in(2) { arc.with_range(0.0, 2.0) } else { arc.with_range(numbers.f32(), numbers.f32()) };
    // The tolerance stays moderate because the work is proportional to the number of chords, as the documentation says.
    let tolerance = if numbers.one_in(10) { numbers.f32() } else { 0.05 };
    let (choice, words) = world.choice();
    if arc.validate(tolerance).is_ok() && arc.points(tolerance).take(300).count() == 300 {
        return;
    }
    let view = choice.rays(&world.scene);
    let found = world.log.ask("cast_trajectory", &(arc, tolerance, &words), || view.cast_trajectory(&arc, tolerance));
    if let Some(found) = &found {
        let in_time = arc.t_min <= found.time && found.time <= arc.t_max;
        world.log.check(in_time, "time in range", || format!("{found:?}"));
        check_place(world, &found.hit);
    }
    let is_usable = arc.validate(tolerance).is_ok();
    let places = world.log.call("trajectory points", &(arc, tolerance), || {
        (arc.at(0.5), arc.velocity_at(0.5), arc.points(tolerance).collect::<Vec<_>>())
    });
    if is_usable {
        world.log.sound(&places.2);
    }
}

pub(crate) fn solid_intervals(world: &mut World<'_>) {
    let ray = world.ray();
    let (choice, words) = world.choice();
    let view = choice.rays(&world.scene);
    let intervals = world.log.ask("solid_intervals", &(ray, &words), || {
        let mut intervals = Vec::new();
        view.solid_intervals(&ray, &mut intervals);
        intervals
    });
    for of in &intervals {
        let in_range = ray.t_min <= of.t_enter && of.t_enter <= of.t_exit && of.t_exit <= ray.t_max;
        world.log.check(in_range, "range", || format!("{of:?}"));
        let thickness = of.thickness();
        world.log.check(thickness >= 0.0, "thickness", || format!("{thickness} {of:?}"));
        for end in [&of.enter, &of.exit] {
            if let IntervalEnd::Surface(hit) = end {
                world.log.sound(&(hit, hit.point_f64()));
            }
        }
    }
}

pub(crate) fn explain(world: &mut World<'_>) {
    let (ray, key) = (world.ray(), world.present_key());
    let (choice, words) = world.choice();
    let view = choice.rays(&world.scene);
    let explanation = world.log.call("explain", &(ray, key, &words), || view.explain(&ray, &key));
    let hit = view.cast(&ray);
    let is_hit = matches!(explanation, Explanation::Hit(_));
    let is_right = is_hit == hit.is_some_and(|hit| hit.id == key) && !explanation.to_string().is_empty();
    world.log.check(is_right, "as cast", || format!("{explanation:?} {hit:?}"));
    if !matches!(explanation, Explanation::Ray(_) | Explanation::Origin(_) | Explanation::Range { .. }) {
        world.log.sound(&explanation);
    }
}

pub(crate) fn sight(world: &mut World<'_>) {
    let (eye, point) = (world.point().as_vec3(), world.point().as_vec3());
    let (a, b) = (world.present_key(), world.present_key());
    let scene = &world.scene;
    world.log.ask("line_of_sight", &(a, eye, b, point), || scene.line_of_sight((a, eye), (b, point)));
    let points: Vec<Vec3> = (0..world.numbers.below(20)).map(|_| world.point().as_vec3()).collect();
    let (choice, words) = world.choice();
    let view = choice.rays(&world.scene);
    let visibility = world.log.ask("visibility", &(eye, &points, &words), || view.visibility(eye, &points));
    let is_right = visibility.seen <= visibility.total && (0.0..=1.0).contains(&visibility.fraction());
    world.log.check(is_right, "fraction", || format!("{visibility:?}"));
    let seen = world.log.ask("batch of sees", &(eye, &points, &words), || {
        let mut seen = vec![false; points.len()];
        hitscan::batch::batch(&points, &mut seen, |&point| view.sees(eye, point)).map(|()| seen)
    });
    let is_right = visibility.total == points.len()
        && seen.as_ref().is_ok_and(|seen| seen.iter().filter(|&&seen| seen).count() == visibility.seen);
    world.log.check(is_right, "as visibility", || format!("{seen:?} {visibility:?}"));
}

pub(crate) fn movement(world: &mut World<'_>) {
    let (from, motion) = (world.point().as_vec3(), world.numbers.vec3());
    let skin = if world.numbers.one_in(2) { 0.0 } else { world.numbers.size() };
    let (choice, words) = world.choice();
    let view = choice.rays(&world.scene);
    let input = (from, motion, skin, &words);
    let moved = world.log.call("move_point", &input, || view.move_point(from, motion, skin));
    if from.is_finite() && motion.is_finite() && skin.is_finite() {
        world.log.sound(&moved);
        world.log.check((0.0..=1.0).contains(&moved.fraction), "fraction", || format!("{moved:?}"));
    }
    let ground = world.log.ask("ground_below", &input, || view.ground_below(from, motion, skin));
    let is_right = ground.as_ref().is_none_or(|ground| {
        (-1.0001..=1.0001).contains(&ground.slope_cos) && ground.hit.t >= 0.0 && ground.hit.t <= skin
    });
    world.log.check(is_right, "slope and reach", || format!("{ground:?}"));
}

/// Checks that a ray at an entity has the same hit in a scene as in the entity's own space. The entity is at the
/// scene's origin.
pub(crate) fn single(world: &mut World<'_>) {
    let (geometry, ray) = (world.numbers.geometry(), world.ray());
    let mut alone = Scene::new();
    if alone.insert(0, geometry.clone(), DVec3::ZERO).is_err() {
        return;
    }
    let hit = world.log.ask("cast alone", &(&geometry, ray), || alone.cast(&ray));
    let blocked = alone.is_blocked(&ray);
    world.log.check(blocked == hit.is_some(), "as is_blocked", || format!("{hit:?}"));
}
