//! `hitscan pick`: its answers.

use crate::common::{hitscan, line, walls};
use hitscan::glam::Vec2;
use hitscan::{Camera, CutOuts, RayQueries};
use hitscan_io::Model;
use serde_json::{Value, json};
use std::path::Path;

/// Picks at the walls through the orthographic camera, in a picture where (x, y) = ((X - 100) / 100, (100 - Y) / 100).
fn at_walls(file: &Path, at: &str, more: &[&str]) -> Vec<Value> {
    let file = file.to_str().unwrap();
    hitscan([&["pick", file, "--at", at, "--size", "200x200", "--camera", "1", "--json"], more].concat()).hits()
}

fn entities(hits: &[Value]) -> Vec<&str> {
    hits.iter().map(|hit| hit["entity"].as_str().unwrap()).collect()
}

#[test]
fn a_hit_is_told_to_the_letter() {
    let file = walls::write("a_hit_is_told_to_the_letter");
    let upper_left = json!({
        "entity": "near", "node": 0, "primitive": 1, "material": "material1", "t": 1.0, "point": [-0.5, 0.25, -1.0],
        "normal": [0.0, 0.0, 1.0], "side": "front", "triangle": 2, "barycentrics": [0.25, 0.375],
        "texcoord": [0.25, 0.625], "joint": null, "joint_node": null,
    });
    assert_eq!(at_walls(&file, "50,75", &[]), [upper_left]);
    let lower_right = json!({
        "entity": "near", "node": 0, "primitive": 0, "material": null, "t": 1.0, "point": [0.5, -0.25, -1.0],
        "normal": [0.0, 0.0, 1.0], "side": "front", "triangle": 1, "barycentrics": [0.375, 0.375],
        "texcoord": null, "joint": null, "joint_node": null,
    });
    assert_eq!(at_walls(&file, "150,125", &[]), [lower_right]);
}

#[test]
fn all_hits_come_nearest_first() {
    let file = walls::write("all_hits_come_nearest_first");
    let hits = at_walls(&file, "150,125", &["--all"]);
    assert_eq!(entities(&hits), ["near", "wall", "node2"]);
    assert_eq!(hits.iter().map(|hit| &hit["t"]).collect::<Vec<_>>(), [&json!(1.0), &json!(5.0), &json!(20.0)]);
    assert_eq!(hits[2]["material"], "Paint");
    assert_eq!(hits[2]["primitive"], 0);
}

#[test]
fn keys_come_in_the_order_of_the_contract() {
    let run = line("pick demo --at 640,360 --json");
    let keys = [
        "entity",
        "node",
        "primitive",
        "material",
        "t",
        "point",
        "normal",
        "side",
        "triangle",
        "barycentrics",
        "texcoord",
        "joint",
        "joint_node",
    ];
    let places: Vec<_> = keys.iter().map(|key| run.stdout.find(&format!("\"{key}\":"))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{}", run.stdout);
    assert!(run.stdout.starts_with(r#"{"hits":[{"#) && run.stdout.ends_with("}]}\n"), "{}", run.stdout);
    assert_eq!(run.hits()[0].as_object().unwrap().len(), keys.len());
}

#[test]
fn a_files_camera_clips_and_its_first_is_the_default() {
    let file = walls::write("a_files_camera_clips");
    let file = file.to_str().unwrap();
    // The scale of the camera's node and the camera's own aspect have no effect. The point is above the centre by 0.1
    // of half the picture's height.
    let default = hitscan(["pick", file, "--at", "100,90", "--size", "200x200", "--all", "--json"]).hits();
    assert_eq!(entities(&default), ["wall"]);
    let y = default[0]["point"][1].as_f64().unwrap();
    assert!((y - 0.1 * 5.0 * 0.5f64.tan()).abs() < 1e-6, "{y}");
    for camera in ["Clipped", "0"] {
        let run = hitscan(["pick", file, "--at", "100,90", "--size", "200x200", "--camera", camera, "--all", "--json"]);
        assert_eq!(run.hits(), default);
    }
    let by_name =
        hitscan(["pick", file, "--at", "100,90", "--size", "200x200", "--camera", "camera1", "--all", "--json"]);
    assert_eq!(entities(&by_name.hits()), ["near", "wall"]);
}

#[test]
fn rays_start_at_the_eye_and_meet_both_sides() {
    let file = walls::write("rays_start_at_the_eye");
    let file = file.to_str().unwrap();
    let from_behind = |more: &[&str]| {
        hitscan([&["pick", file, "--eye", "-0.25,0.5,-10", "--target=-0.25,0.5,0", "--json"], more].concat()).hits()
    };
    let hits = from_behind(&["--at", "640,360", "--all"]);
    assert_eq!(entities(&hits), ["wall", "near"]);
    assert_eq!(hits[0]["side"], "back");
    assert_eq!(hits[0]["normal"], json!([0.0, 0.0, 1.0]));
    assert_eq!(hits[0]["t"], 5.0);
    // Seen from behind, +x is to the left, and the picture is 3 high.
    let hits = from_behind(&["--at", "350,150", "--size", "600x300", "--ortho", "3"]);
    assert_eq!(hits[0]["point"], json!([-0.75, 0.5, -5.0]));
}

#[test]
fn up_and_field_of_view_turn_and_widen_the_picture() {
    let file = walls::write("up_and_field_of_view");
    let file = file.to_str().unwrap();
    let seen = |more: &[&str]| {
        let args = [&["pick", file, "--eye", "0,0,0", "--target", "0,0,-1", "--size", "200x200", "--json"], more];
        hitscan(args.concat()).hits()[0]["point"].clone()
    };
    // With a field of view of 90 degrees, half the picture's height at depth 1 is 1.
    assert_point(&seen(&["--at", "150,75", "--fov-y", "90"]), [0.5, 0.25, -1.0]);
    assert_point(&seen(&["--at", "150,75", "--fov-y", "90", "--up", "-1,0,0"]), [-0.25, 0.5, -1.0]);
    let tan = 22.5f64.to_radians().tan();
    assert_point(&seen(&["--at", "150,75"]), [0.5 * tan, 0.25 * tan, -1.0]);
}

fn assert_point(point: &Value, expected: [f64; 3]) {
    for (axis, expected) in expected.into_iter().enumerate() {
        let found = point[axis].as_f64().unwrap();
        assert!(
            (found - expected).abs() <= 1e-6 * expected.abs().max(1.0),
            "{point}, expected {expected:?} on axis {axis}"
        );
    }
}

#[test]
fn a_miss_is_empty_and_exits_with_1() {
    let away = "--eye 0,500,0 --target 0,501,0";
    let run = line(&format!("pick demo --at 640,360 {away} --json"));
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(1), "{\"hits\":[]}\n", ""));
    let run = line(&format!("pick demo --at 640,360 {away} --all"));
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(1), "no hit\n", ""));
}

#[test]
fn text_has_a_line_for_each_hit() {
    let hits = line("pick demo --at 640,360 --all --json").hits();
    let run = line("pick demo --at 640,360 --all");
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines.len(), hits.len() + 1);
    assert!(lines[0].starts_with("ENTITY "));
    for (line, hit) in lines[1..].iter().zip(&hits) {
        assert!(line.starts_with(hit["entity"].as_str().unwrap()), "{line}");
        assert!(line.contains(hit["side"].as_str().unwrap()), "{line}");
        let t = hit["t"].to_string();
        assert!(line.split_whitespace().any(|cell| cell == t), "{line}: {t}");
    }
}

#[test]
fn the_pictures_edges_belong_to_it() {
    for at in ["0,0", "1280,720", "1280,0", "0,720", "0.001,719.999"] {
        assert_ne!(line(&format!("pick demo --at {at}")).code, Some(2), "{at}");
    }
    for at in ["-0.001,0", "1280.001,0", "0,-1", "0,720.001"] {
        let run = line(&format!("pick demo --at {at}"));
        assert!(run.error().contains("outside the picture of 1280x720"), "{at}: {run:?}");
    }
    assert!(line("pick demo --at 801,2 --size 800x600").error().contains("X is from 0 to 800, Y from 0 to 600"));
}

/// Finds holes with the library, and casts at them with the program.
#[test]
fn cut_outs_let_the_ray_through() {
    let model = Model::demo();
    let scene = model.scene().unwrap();
    let (eye, target) = ([20.0, 12.0, 30.0], [0.0, 1.0, 0.0]);
    let transform = Camera::look_at(eye, target, [0.0, 1.0, 0.0]).unwrap();
    let camera = Camera::perspective(transform, 45f64.to_radians()).unwrap();
    let all_pixels =
        (0..72).flat_map(|y| (0..128).map(move |x| Vec2::new(x as f32 * 10.0 + 5.0, y as f32 * 10.0 + 5.0)));
    let in_holes = all_pixels.filter(|&pixel| {
        let first = scene.cut_outs(CutOuts::Solid).cast(&camera.ray(pixel, [1280u32, 720]));
        first.is_some_and(|hit| scene.surface(&hit).is_hole())
    });
    let in_holes: Vec<Vec2> = in_holes.step_by(7).take(10).collect();
    assert_eq!(in_holes.len(), 10);
    for pixel in in_holes {
        let pick = format!("pick demo --at {},{} --eye 20,12,30 --target 0,1,0 --json", pixel.x, pixel.y);
        let solid = &line(&format!("{pick} --no-cutout")).hits()[0];
        assert_eq!(solid["material"], "Leaves", "{pick}");
        let through = line(&pick).hits();
        let is_behind = |hit: &Value| hit["t"].as_f64() > solid["t"].as_f64();
        assert!(through.first().is_none_or(is_behind), "{pick}: {solid} and {through:?}");
    }
}

/// The library gives the same hit, and the numbers have as few digits as possible.
#[test]
fn the_program_answers_what_the_library_does() {
    let model = Model::demo();
    let scene = model.scene().unwrap();
    let transform = Camera::look_at([-17.0, 6.0, 21.0], [1.0, 1.0, 2.0], [0.0, 1.0, 0.0]).unwrap();
    let camera = Camera::perspective(transform, 30f64.to_radians()).unwrap();
    let mut count = 0;
    for (x, y) in (0..5).flat_map(|x| (0..5).map(move |y| (x as f32 * 190.3 + 20.0, y as f32 * 140.7 + 15.0))) {
        let options = "--size 800x600 --eye -17,6,21 --target 1,1,2 --fov-y 30 --json";
        let run = line(&format!("pick demo --at {x},{y} {options}"));
        let (hits, expected) = (run.hits(), scene.cast(&camera.ray([x, y], [800u32, 600])));
        assert_eq!(hits.len(), usize::from(expected.is_some()), "{x},{y}: {run:?}");
        let Some(expected) = expected else { continue };
        count += 1;
        assert_eq!(hits[0]["entity"], model.entity(expected.id).unwrap().name, "{x},{y}");
        assert_point(&hits[0]["point"], expected.point.to_array().map(f64::from));
        let t = hits[0]["t"].as_f64().unwrap() as f32;
        assert!((t - expected.t).abs() < 1e-6 * t, "{t} {}", expected.t);
        assert!(run.stdout.contains(&format!("\"t\":{t:?},\"point\"")), "{run:?}");
    }
    assert!(count > 10, "{count}");
}

/// The rounding of the eye to f32 (0.03 at 1e6) does not affect the answer.
#[test]
fn far_from_the_origin_t_is_as_exact() {
    let file = walls::write("far_from_the_origin");
    let far = std::fs::read_to_string(&file).unwrap().replace("[0,0,-1]", "[1000000,0,-1]");
    std::fs::write(&file, far).unwrap();
    let eye = "--eye 1000000.2,0.01,-0.99 --target 1000000.2,0.01,-2";
    let run = line(&format!("pick {} --at 50,50 --size 100x100 {eye} --json", file.display()));
    let hit = &run.hits()[0];
    assert_eq!((&hit["entity"], &hit["t"]), (&json!("near"), &json!(0.01)));
    for (axis, expected) in [1_000_000.2, 0.01, -1.0].into_iter().enumerate() {
        assert!((hit["point"][axis].as_f64().unwrap() - expected).abs() < 1e-9, "{hit}");
    }
}

#[test]
fn shapes_have_null_for_what_they_lack() {
    let model = Model::demo();
    let (id, lamp) = (0..).zip(&model.entities).find(|(_, entity)| entity.name.starts_with("Lamp")).unwrap();
    let bounds = model.scene().unwrap().bounds_of(&hitscan_io::EntityId(id)).unwrap();
    // The topmost part as seen from straight above is its glass.
    let [x, _, z] = bounds.center().to_array();
    let y = bounds.max.y;
    let run = line(&format!("pick demo --at 640,360 --eye {x},{},{z} --target {x},{y},{z} --json", y + 2.0));
    let hit = &run.hits()[0];
    assert_eq!(hit["entity"], lamp.name);
    assert_eq!(hit["material"], "Lamp glow");
    assert!(hit["primitive"].is_u64() && hit["side"] == "front", "{hit}");
    for key in ["triangle", "barycentrics", "texcoord"] {
        assert_eq!(hit[key], Value::Null, "{key}");
    }
}
