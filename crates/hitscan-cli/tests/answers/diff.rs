//! `hitscan diff`: its distances and its picture.

use crate::common::tables::folder;
use crate::common::{hitscan, line};
use crate::solids::{Soup, ball, cube, written};
use hitscan::glam::{DVec3, Vec3};
use hitscan_random::Random;
use hitscan_random::effort::{seed, size};
use serde_json::{Value, json};
use std::path::Path;

fn diff(files: [&Path; 2], options: &[&str], code: i32) -> Value {
    let [one, other] = files.map(|file| file.to_str().unwrap());
    hitscan(["diff", one, other, "--json"].iter().chain(options)).json(code)
}

/// Returns the distance of a point from a triangle: from its inside or else from its edges.
fn to_triangle(point: DVec3, corners: [Vec3; 3]) -> f64 {
    let [a, b, c] = corners.map(|corner| corner.as_dvec3());
    let normal = (b - a).cross(c - a);
    let edges = [[a, b], [b, c], [c, a]];
    let is_above = edges.iter().all(|[from, to]| normal.cross(*to - *from).dot(point - *from) >= 0.0);
    if is_above && normal != DVec3::ZERO {
        return (point - a).dot(normal.normalize()).abs();
    }
    let to_edge = |[from, to]: [DVec3; 2]| {
        let way = ((point - from).dot(to - from) / (to - from).length_squared()).clamp(0.0, 1.0);
        point.distance(from + (to - from) * if way.is_nan() { 0.0 } else { way })
    };
    edges.map(to_edge).into_iter().fold(f64::INFINITY, f64::min)
}

fn to_soup(point: DVec3, soup: &Soup) -> f64 {
    soup.iter().map(|&corners| to_triangle(point, corners)).fold(f64::INFINITY, f64::min)
}

#[test]
fn a_moved_plane_is_told_to_the_letter() {
    let square = |z: f32| -> Soup {
        let corner = |x: f32, y: f32| Vec3::new(x, y, z);
        vec![
            [corner(0.0, 0.0), corner(1.0, 0.0), corner(1.0, 1.0)],
            [corner(0.0, 0.0), corner(1.0, 1.0), corner(0.0, 1.0)],
        ]
    };
    let [one, other] = [0.0, 0.25].map(|z| written(&format!("diff_square_{z}"), &[("floor", &square(z))]));
    let answer = diff([&one, &other], &["--samples", "1000"], 0);
    let from = |point: [f64; 3], nearest: [f64; 3]| {
        json!({
            "vertices": 6, "samples": 1000, "largest": 0.25, "mean": 0.25, "root_mean_square": 0.25,
            "entity": "floor", "node": null, "triangle": 0, "point": point, "nearest": nearest,
        })
    };
    let expected = json!({
        "model": one.to_str().unwrap(), "other": other.to_str().unwrap(), "largest": 0.25,
        "from_model": from([0.0, 0.0, 0.0], [0.0, 0.0, 0.25]), "from_other": from([0.0, 0.0, 0.25], [0.0, 0.0, 0.0]),
    });
    assert_eq!(answer, expected);
    for (max, code) in [("0.25", 0), ("0.2499", 1)] {
        assert_eq!(diff([&one, &other], &["--max", max], code)["largest"], json!(0.25));
    }
    let text = hitscan(["diff", one.to_str().unwrap(), other.to_str().unwrap()]);
    assert!(text.code == Some(0) && text.stdout.starts_with("FROM ") && text.stdout.lines().count() == 3, "{text:?}");
}

#[test]
fn a_model_does_not_differ_from_itself() {
    for soup in [ball([0.0; 3], 2), ball([1e5, 0.3, -7.7], 2), cube([-1e-20; 3], [1e-20; 3])] {
        let file = written("diff_itself", &[("soup", &soup)]);
        let answer = diff([&file, &file], &["--max", "0"], 0);
        assert_eq!([&answer["largest"], &answer["from_model"]["mean"]], [&json!(0.0), &json!(0.0)], "{answer}");
    }
}

/// The mean of the distances over a tilted square is the distance of its middle.
#[test]
fn means_are_those_of_the_surface() {
    let flat: Soup = vec![
        [[-9.0, -9.0, 0.0], [9.0, -9.0, 0.0], [9.0, 9.0, 0.0]].map(Vec3::from_array),
        [[-9.0, -9.0, 0.0], [9.0, 9.0, 0.0], [-9.0, 9.0, 0.0]].map(Vec3::from_array),
    ];
    // Vertices and small triangles are only on one side, and the distances grow linearly from there.
    let tilted: Soup = (0..32)
        .flat_map(|step| {
            let [x, next] =
                [step, step + 1].map(|step: u32| step as f32 * if step < 31 { 1.0 / 64.0 } else { 1.0 / 32.0 });
            let corner = |x: f32, y: f32| Vec3::new(x, y, 1.0 + x);
            [
                [corner(x, 0.0), corner(next, 0.0), corner(next, 1.0)],
                [corner(x, 0.0), corner(next, 1.0), corner(x, 1.0)],
            ]
        })
        .collect();
    let files = [("diff_flat", &flat), ("diff_tilted", &tilted)].map(|(test, soup)| written(test, &[("soup", soup)]));
    let from_other = &diff([&files[0], &files[1]], &["--samples", "20000"], 0)["from_other"];
    let size = |key: &str| from_other[key].as_f64().unwrap();
    assert!((size("mean") - 1.5).abs() < 1e-3 && (size("largest") - 2.0).abs() < 1e-6, "{from_other}");
    assert!((size("root_mean_square") - (7.0f64 / 3.0).sqrt()).abs() < 1e-3, "{from_other}");
}

#[test]
fn the_largest_distance_is_that_of_brute_force() {
    let mut random = Random(seed(6490));
    for case in 0..size(12, 60, 2_000) {
        let mut soup = || -> Soup {
            let center = random.cube() * 2.0;
            let corner = |random: &mut Random| (center + random.cube()).as_vec3();
            (0..1 + random.below(20)).map(|_| [corner(&mut random), corner(&mut random), corner(&mut random)]).collect()
        };
        let soups = [soup(), soup()];
        let files = [0, 1].map(|side: usize| written(&format!("diff_brute_{side}"), &[("soup", &soups[side])]));
        let answer = diff([&files[0], &files[1]], &["--samples", "500"], 0);
        for (side, key) in [(0, "from_model"), (1, "from_other")] {
            let (own, other, report) = (&soups[side], &soups[1 - side], &answer[key]);
            let largest = report["largest"].as_f64().unwrap();
            let vertices =
                own.as_flattened().iter().map(|corner| to_soup(corner.as_dvec3(), other)).fold(0.0, f64::max);
            let point = DVec3::from_array([0, 1, 2].map(|axis: usize| report["point"][axis].as_f64().unwrap()));
            let said = format!("{case}: {key} {report} {vertices}");
            assert!(largest >= vertices - 1e-6, "{said}");
            assert!((to_soup(point, other) - largest).abs() < 1e-6 && to_soup(point, own) < 1e-6, "{said}");
            assert!(report["mean"].as_f64().unwrap() <= largest, "{said}");
        }
    }
}

#[test]
fn the_picture_is_hot_where_the_models_differ() {
    let one = cube([-1.0; 3], [1.0; 3]);
    let mut other = one.clone();
    // A corner of the cube moves out.
    other.as_flattened_mut().iter_mut().filter(|corner| **corner == Vec3::ONE).for_each(|corner| *corner *= 1.5);
    let files = [("diff_cube", &one), ("diff_corner", &other)].map(|(test, soup)| written(test, &[("soup", soup)]));
    let picture = folder("diff_picture").join("heat.png");
    let [one, other] = files.each_ref().map(|file| file.to_str().unwrap());
    let run = hitscan(["diff", other, one, "--render", picture.to_str().unwrap(), "--size", "200x200"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let picture = image::open(picture).unwrap().into_rgb8();
    let count = |is: &dyn Fn([u8; 3]) -> bool| picture.pixels().filter(|pixel| is(pixel.0)).count();
    let hot = count(&|[red, _, blue]| red > 120 && red / 2 > blue);
    let cold = count(&|[red, _, blue]| blue > 60 && blue / 2 > red);
    assert!(hot > 100 && cold > 1_000, "{hot} hot, {cold} cold");
}

#[test]
fn wrong_usage_exits_with_2() {
    let wrong = [
        ("demo", "OTHER"),
        ("demo demo --samples 0", "1.."),
        ("demo demo --max -1", "a distance from 0"),
        ("demo demo --scale 1", "--render"),
        ("demo nowhere.obj", "nowhere.obj: there is no such file"),
    ];
    for (words, expected) in wrong {
        let run = line(&format!("diff {words}"));
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{words}: {run:?}");
        assert!(run.stderr.contains(expected), "{words}: {run:?}");
    }
    let empty = folder("diff_empty").join("empty.gltf");
    std::fs::write(&empty, "{\"asset\": {\"version\": \"2.0\"}}").unwrap();
    let run = hitscan(["--quiet", "diff", "demo", empty.to_str().unwrap()]);
    assert!(run.error().contains("empty.gltf has no triangles, so nothing can be compared with it"), "{run:?}");
}
