//! `hitscan collide`: its answers and its picture.

use crate::common::tables::folder;
use crate::common::{hitscan, line};
use crate::solids::{Soup, ball, cube, written};
use hitscan::Entity;
use hitscan::glam::Vec3;
use hitscan::pairs::PairFilter;
use hitscan_io::Model;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn collide(file: &Path, options: &[&str], code: i32) -> Value {
    hitscan(["collide", file.to_str().unwrap(), "--json"].iter().chain(options)).json(code)
}

/// A large triangle in the plane z = 0, and one whose corner is a quarter below it.
fn pierced() -> [Soup; 2] {
    let [floor, wedge] = [
        [[-8.0, -8.0, 0.0], [8.0, -8.0, 0.0], [0.0, 8.0, 0.0]],
        [[0.0, 0.0, -0.25], [1.0, 0.0, 2.0], [-1.0, 0.0, 2.0]],
    ];
    [vec![floor.map(Vec3::from_array)], vec![wedge.map(Vec3::from_array)]]
}

#[test]
fn an_overlap_is_told_to_the_letter() {
    let [floor, wedge] = pierced();
    let file = written("collide_pierced", &[("floor", &floor), ("wedge", &wedge)]);
    let side = |name: &str| json!({"entity": name, "node": null, "triangle": 0});
    let answer = collide(&file, &[], 1);
    let overlap = &answer["overlaps"][0];
    assert_eq!((&overlap["first"], &overlap["second"]), (&side("floor"), &side("wedge")));
    assert_eq!((&overlap["depth"], &overlap["normal"]), (&json!(0.25), &json!([0.0, 0.0, 1.0])));
    assert_eq!(overlap["points"][1], json!([0.0, 0.0, -0.25]));
    assert_eq!([&answer["inside"], &answer["near"], &answer["nearest"]], [&json!([]), &json!([]), &Value::Null]);
    // An overlap that is less deep than asked for is ignored.
    assert_eq!(collide(&file, &["--min-depth", "0.25"], 1)["overlaps"].as_array().unwrap().len(), 1);
    assert_eq!(collide(&file, &["--min-depth", "0.26"], 0)["overlaps"], json!([]));
    let text = hitscan(["collide", file.to_str().unwrap()]);
    assert!(text.code == Some(1) && text.stdout.starts_with("2 parts overlap\nFIRST "), "{text:?}");
    assert!(text.stdout.lines().nth(2).unwrap().starts_with("floor  0 "), "{text:?}");
}

#[test]
fn near_pairs_are_measured() {
    let (one, other) = (cube([0.0; 3], [1.0; 3]), cube([1.5, 0.0, 0.0], [2.0, 1.0, 1.0]));
    let far = cube([10.0; 3], [11.0; 3]);
    let file = written("collide_near", &[("one", &one), ("other", &other), ("far", &far)]);
    let clear = collide(&file, &[], 0);
    assert_eq!((&clear["overlaps"], &clear["near"]), (&json!([]), &json!([])));
    let nearest = &clear["nearest"];
    assert_eq!([&nearest["first"]["entity"], &nearest["second"]["entity"]], ["one", "other"]);
    assert_eq!((&nearest["distance"], &nearest["normal"]), (&json!(0.5), &json!([1.0, 0.0, 0.0])));
    // A pair is near if it is nearer than the clearance.
    assert_eq!(collide(&file, &["--clearance", "0.5"], 0)["near"], json!([]));
    let near = collide(&file, &["--clearance", "0.51"], 1);
    assert_eq!((near["near"].as_array().unwrap().len(), &near["near"][0]), (1, nearest));
    assert_eq!(collide(&file, &["--clearance", "0.51", "--hide", "other"], 0)["nearest"]["second"]["entity"], "far");
    let text = hitscan(["collide", file.to_str().unwrap(), "--clearance", "1"]);
    assert!(text.code == Some(1) && text.stdout.starts_with("1 pair is too near\nFIRST "), "{text:?}");
    let text = hitscan(["collide", file.to_str().unwrap()]);
    assert!(text.stdout.starts_with("nothing overlaps or is too near\n\nnearest pair\nFIRST "), "{text:?}");
}

#[test]
fn a_part_inside_another_one_is_found() {
    let (case, bolt) = (cube([-2.0; 3], [2.0; 3]), ball([0.5, 0.0, 0.0], 1));
    let open: Soup = case[1..].to_vec();
    let file = written("collide_inside", &[("case", &case), ("bolt", &bolt)]);
    let answer = collide(&file, &[], 1);
    let inside = &answer["inside"][0];
    assert_eq!([&inside["first"]["entity"], &inside["second"]["entity"]], ["bolt", "case"]);
    assert_eq!(answer["overlaps"], json!([]));
    // A mesh that is not closed has no inside.
    let file = written("collide_inside_open", &[("bolt", &bolt), ("case", &open)]);
    assert_eq!(collide(&file, &[], 0)["inside"], json!([]));
    // The result is the same if the entities are in two models, in either order.
    let [case, bolt] =
        [("case", &case), ("bolt", &bolt)].map(|object| written(&format!("collide_two_{}", object.0), &[object]));
    for models in [[&case, &bolt], [&bolt, &case]] {
        let inside = &collide(models[0], &[models[1].to_str().unwrap()], 1)["inside"];
        assert_eq!([&inside[0]["first"]["entity"], &inside[0]["second"]["entity"]], ["bolt", "case"]);
    }
}

/// The library finds the same pairs in the demo, with the same depths and distances.
#[test]
fn the_program_answers_what_the_library_does() {
    let model = Model::demo();
    let scene = model.scene().unwrap();
    let filter = PairFilter::new().layers(Entity::DEFAULT_LAYERS, Entity::DEFAULT_LAYERS);
    let (mut pairs, mut near) = (Vec::new(), Vec::new());
    scene.overlap_pairs(&filter, &mut pairs);
    scene.distance_pairs(&filter, 0.5, &mut near);
    near.retain(|pair| pair.between.distance > 0.0 && pair.between.distance < 0.5);
    assert!(pairs.len() > 3 && near.len() > 3, "{pairs:?} {near:?}");
    let answer = line("collide demo --clearance 0.5 --json").json(1);
    let name = |id| model.entity(id).unwrap().name.as_str();
    let names =
        |pair: &Value| [&pair["first"], &pair["second"]].map(|side| side["entity"].as_str().unwrap().to_owned());
    let overlaps = answer["overlaps"].as_array().unwrap();
    assert_eq!(overlaps.len(), pairs.len());
    for (found, (first, second)) in overlaps.iter().zip(&pairs) {
        assert_eq!(names(found), [name(*first), name(*second)]);
        let depth = scene.pair(first, second).penetration().map(|deep| deep.depth);
        assert_eq!(found["depth"].as_f64().map(|depth| depth as f32), depth, "{found}");
    }
    let found = answer["near"].as_array().unwrap();
    assert_eq!(found.len(), near.len());
    for (found, pair) in found.iter().zip(&near) {
        assert_eq!(names(found), [name(pair.first), name(pair.second)]);
        assert_eq!(found["distance"].as_f64().unwrap() as f32, pair.between.distance, "{found}");
    }
}

#[test]
fn the_places_are_in_the_picture() {
    let [floor, wedge] = pierced();
    let file = written("collide_picture", &[("floor", &floor), ("wedge", &wedge)]);
    let [plain, marked] = ["plain.png", "marked.png"].map(|name| folder("collide_picture_out").with_file_name(name));
    let camera = ["--size", "160x90", "--eye", "0,-20,6", "--target", "0,0,0"];
    let file = file.to_str().unwrap();
    let run = hitscan(["render", file, "-o", plain.to_str().unwrap()].iter().chain(&camera));
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let run = hitscan(["collide", file, "--render", marked.to_str().unwrap()].iter().chain(&camera));
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""));
    let [plain, marked] = [plain, marked].map(|file| image::open(file).unwrap().into_rgb8());
    let reds = |picture: &image::RgbImage| picture.pixels().filter(|pixel| pixel.0 == [255, 60, 60]).count();
    assert!(reds(&plain) == 0 && reds(&marked) > 4, "{} {}", reds(&plain), reds(&marked));
}

#[test]
fn wrong_usage_exits_with_2() {
    let wrong = [
        ("", "MODEL"),
        ("demo --clearance -1", "a distance from 0"),
        ("demo --min-depth x", "finite"),
        ("demo --size 10x10", "--render"),
        ("demo nowhere.glb", "nowhere.glb: there is no such file"),
        ("demo --hide Nobody", "--hide Nobody: there is no entity of this name"),
        ("demo --render picture.jpg", ".png"),
    ];
    for (words, expected) in wrong {
        let run = line(&format!("collide {words}"));
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{words}: {run:?}");
        assert!(run.stderr.contains(expected), "{words}: {run:?}");
    }
    let file = folder("collide_keeps").join("model.png");
    fs::write(&file, "").unwrap();
    let run = hitscan(["collide", file.to_str().unwrap(), "--render", file.to_str().unwrap()]);
    assert!(run.code == Some(2) && run.stderr.contains("model.png"), "{run:?}");
}
