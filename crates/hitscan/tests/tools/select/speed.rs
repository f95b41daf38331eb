//! Selections beside casts: ratios of times in one process, by one thread. They are printed, and decide nothing.
//!
//! They are only measured if `HITSCAN_SELECT_RATIOS` is set: to the beginning of the names of those that are, or to nothing for all.

use crate::select::clock::thread_time;
use crate::select::form::turned;
use hitscan::glam::{DAffine3, DVec3, Vec2};
use hitscan::select::{Region, Selector};
use hitscan::{Camera, Mesh, RayQueries, Scene, Viewport};
use hitscan_random::Random;
use std::hint::black_box;

const WINDOW: Viewport = Viewport::new(1280.0, 720.0);

/// Returns the median ratio of the times of two questions, which are asked in turns.
fn ratio(mut ours: impl FnMut(), mut casts: impl FnMut()) -> f64 {
    let time = |ask: &mut dyn FnMut()| {
        let start = thread_time();
        ask();
        (thread_time() - start).as_secs_f64()
    };
    let mut ratios: Vec<f64> = (0..41).map(|_| time(&mut ours) / time(&mut casts)).collect();
    ratios.sort_by(f64::total_cmp);
    ratios[ratios.len() / 2]
}

fn looking_at(eye: DVec3) -> Camera {
    let transform = Camera::look_at(eye, DVec3::ZERO, DVec3::Y).expect("a direction");
    Camera::perspective(transform, 0.8).expect("an angle")
}

/// Casts this many rays through random pixels of a region.
fn casts(scene: &Scene<u32>, camera: &Camera, region: &Region, count: usize) -> impl FnMut() {
    let mut random = Random(1);
    let pixels = core::iter::repeat_with(move || {
        Vec2::new(random.fraction() as f32 * WINDOW.size.x, random.fraction() as f32 * WINDOW.size.y)
    });
    let rays: Vec<_> =
        pixels.filter(|pixel| region.contains(*pixel)).take(count).map(|pixel| camera.ray(pixel, WINDOW)).collect();
    move || rays.iter().for_each(|ray| _ = black_box(scene.cast(ray)))
}

fn ball(rings: u32) -> Mesh {
    let bumpy = |(radius, height): (f64, f64), i: usize| {
        let bump = 1.0 + 0.1 * (i as f64 * 0.7).sin();
        (radius * bump, height * bump)
    };
    let half = std::f64::consts::FRAC_PI_2;
    let angles = (0..=rings).map(|ring| -half + 2.0 * half * f64::from(ring) / f64::from(rings));
    turned(&angles.enumerate().map(|(i, angle)| bumpy((angle.cos(), angle.sin()), i)).collect::<Vec<_>>())
}

/// A lasso with this many corners, around a pixel, that is this rough.
fn lasso(center: Vec2, radius: f32, corners: usize, rough: f32) -> Region {
    let mut random = Random(2);
    let corners: Vec<Vec2> = (0..corners)
        .map(|i| {
            let angle = i as f32 / corners as f32 * std::f32::consts::TAU;
            center + Vec2::from_angle(angle) * radius * (1.0 - rough * random.fraction() as f32)
        })
        .collect();
    Region::lasso(&corners).expect("finite")
}

/// Returns whether a measurement is wanted.
fn is_wanted(name: &str) -> bool {
    std::env::var("HITSCAN_SELECT_RATIOS").is_ok_and(|wanted| name.starts_with(&wanted))
}

#[test]
fn ratios() {
    if std::env::var_os("HITSCAN_SELECT_RATIOS").is_none() {
        return;
    }
    let mut random = Random(3);
    let mut scene = Scene::new();
    let meshes = [2, 3, 4, 5, 6, 8, 10, 12].map(ball);
    for id in 0..10_000 {
        let scale = DVec3::new(0.5 + random.fraction(), 0.5 + random.fraction(), 0.5 + random.fraction());
        let place = random.cube() * DVec3::new(100.0, 12.0, 100.0);
        let to_world = DAffine3::from_scale_rotation_translation(scale, random.rotation(), place);
        scene.insert(id, &meshes[id as usize % 8], to_world).expect("a transform");
    }
    let camera = looking_at(DVec3::new(30.0, 70.0, 170.0));
    for (name, [low, high]) in [
        ("whole picture", [Vec2::ZERO, WINDOW.size]),
        ("half", [WINDOW.size * 0.15, WINDOW.size * 0.85]),
        ("tenth", [WINDOW.size * 0.35, WINDOW.size * 0.65]),
        ("small", [WINDOW.size * 0.48, WINDOW.size * 0.52]),
    ] {
        let region = Region::rect(low, high).expect("finite");
        if !is_wanted(&format!("marquee, {name}")) {
            continue;
        }
        let mut ids = Vec::new();
        let marquee = || Selector::new(&camera, WINDOW, &region).entities(&scene, &mut ids);
        let ratio = ratio(marquee, casts(&scene, &camera, &region, 1500));
        println!("marquee, {name}, {} of 10,000 instances: {ratio:.2} of 1,500 casts", ids.len());
    }
    visible(&scene, &camera, "10,000 instances");

    let mut scene = Scene::new();
    let mesh = ball(60_000 / 192);
    println!("a mesh of {} triangles", mesh.triangle_count());
    scene.insert(0, mesh, DVec3::ZERO).expect("a place");
    let camera = looking_at(DVec3::new(0.0, 1.0, 2.8));
    for (name, radius, corners, rough) in [
        ("whole mesh", 500.0, 200, 0.02),
        ("most of it", 300.0, 400, 0.02),
        ("most of it, zigzag", 300.0, 400, 0.2),
        ("part", 120.0, 200, 0.02),
        ("small", 30.0, 100, 0.02),
    ] {
        let region = lasso(WINDOW.size * 0.5, radius, corners, rough);
        if !is_wanted(&format!("lasso, {name}")) {
            continue;
        }
        let mut triangles = Vec::new();
        let drawn = || Selector::new(&camera, WINDOW, &region).triangles(&scene, &mut triangles);
        let ratio = ratio(drawn, casts(&scene, &camera, &region, 5000));
        println!("lasso, {name}, {corners} corners, {} triangles: {ratio:.2} of 5,000 casts", triangles.len());
    }
    visible(&scene, &camera, "the mesh");
}

fn visible(scene: &Scene<u32>, camera: &Camera, name: &str) {
    if !is_wanted(&format!("visible of {name}")) {
        return;
    }
    let region = lasso(WINDOW.size * 0.5, 150.0, 200, 0.02);
    let selector = Selector::new(camera, WINDOW, &region).visible(1.0).expect("few samples");
    let mut triangles = Vec::new();
    let pixels: Vec<Vec2> = (0..720u16)
        .flat_map(|y| (0..1280u16).map(move |x| Vec2::new(f32::from(x) + 0.5, f32::from(y) + 0.5)))
        .filter(|&pixel| region.contains(pixel))
        .collect();
    let each = || pixels.iter().for_each(|&pixel| _ = black_box(scene.cast(&camera.ray(pixel, WINDOW))));
    let ratio = ratio(|| selector.triangles(scene, &mut triangles), each);
    println!("visible of {name}, {} pixels, {} triangles: {ratio:.2} of a cast each", pixels.len(), triangles.len());
}
