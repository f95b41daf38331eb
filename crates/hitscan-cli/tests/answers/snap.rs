//! `hitscan snap`: its answers.

use crate::common;
use crate::common::{Run, hitscan, line, walls};
use serde_json::{Value, json};
use std::path::Path;

/// Snaps at the walls through the orthographic camera, in a picture where (x, y) = ((X - 100) / 100, (100 - Y) / 100).
fn at_walls(file: &Path, at: &str, more: &[&str]) -> Run {
    let file = file.to_str().unwrap();
    hitscan([&["snap", file, "--at", at, "--size", "200x200", "--camera", "1", "--json"], more].concat())
}

fn snap(file: &Path, at: &str, more: &[&str]) -> Value {
    at_walls(file, at, more).json(0)
}

#[test]
fn each_kind_is_told_to_the_letter() {
    let file = walls::write("each_kind_is_told_to_the_letter");
    let near = |kind: &str, point: [f64; 3], pixel: [f64; 2], triangle: u32| json!({"kind": kind, "point": point, "pixel": pixel, "entity": "near", "node": 0, "triangle": triangle});
    // The lower left corner belongs to both primitives. The first primitive begins with a triangle without area, so the
    // number of the triangle is 1.
    assert_eq!(snap(&file, "3,196", &[]), near("vertex", [-1.0, -1.0, -1.0], [0.0, 200.0], 1));
    assert_eq!(snap(&file, "104,197", &[]), near("midpoint", [0.0, -1.0, -1.0], [100.0, 200.0], 1));
    assert_eq!(snap(&file, "60,197", &[]), near("edge", [-0.4, -1.0, -1.0], [60.0, 200.0], 1));
    assert_eq!(snap(&file, "150,125", &[]), near("face", [0.5, -0.25, -1.0], [150.0, 125.0], 1));
    assert_eq!(snap(&file, "50,75", &[]), near("face", [-0.5, 0.25, -1.0], [50.0, 75.0], 2));
    assert_eq!(snap(&file, "60,197", &["--to", "face"]), near("face", [-0.4, -0.97, -1.0], [60.0, 197.0], 1));
}

#[test]
fn keys_come_in_the_order_of_the_contract() {
    let run = line("snap demo --at 640,360 --json");
    let keys = ["kind", "point", "pixel", "entity", "node", "triangle"];
    let places: Vec<_> = keys.iter().map(|key| run.stdout.find(&format!("\"{key}\":"))).collect();
    assert!(places.iter().all(Option::is_some) && places.is_sorted(), "{}", run.stdout);
    assert_eq!(run.json(0).as_object().unwrap().len(), keys.len());
}

#[test]
fn the_radius_and_the_kinds_limit_what_is_found() {
    let file = walls::write("the_radius_and_the_kinds");
    let found = |more: &[&str]| at_walls(&file, "5,195", &[&["--to", "vertex,midpoint"], more].concat());
    assert_eq!(found(&["--radius", "7.1"]).json(0)["kind"], "vertex");
    let run = found(&["--radius", "7"]);
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(1), "null\n", ""));
    let run = line("snap demo --at 640,360 --eye 0,500,0 --target 0,501,0");
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(1), "nothing\n", ""));
}

#[test]
fn hidden_points_are_skipped_unless_what_hides_them_is() {
    let file = walls::write("hidden_points_are_skipped");
    let corner = |more: &[&str]| snap(&file, "198,3", more);
    assert_eq!(corner(&[])["entity"], "near");
    assert_eq!(corner(&["--hide", "near"])["entity"], "wall");
    assert_eq!(corner(&["--hide", "near", "--hide", "wall"])["entity"], "node2");
    // Only back sides are seen from behind.
    let file = file.to_str().unwrap();
    let behind = ["snap", file, "--eye", "0,0,-30", "--target", "0,0,0", "--ortho", "2", "--size", "200x200", "--json"];
    let of = |more: &[&str]| hitscan([&behind[..], &["--at", "50,140", "--to", "face"], more].concat());
    assert_eq!(of(&[]).json(0)["entity"], "node2");
    assert_eq!(of(&["--cull", "front"]).json(0)["entity"], "node2");
    assert_eq!(of(&["--cull", "back"]).json(1), Value::Null);
}

#[test]
fn the_table_is_for_people() {
    let file = walls::write("the_table_is_for_people");
    let run = hitscan(["snap", file.to_str().unwrap(), "--at", "3,196", "--size", "200x200", "--camera", "1"]);
    let rows: Vec<Vec<&str>> = run.stdout.lines().map(|row| row.split_whitespace().collect()).collect();
    assert_eq!(rows[0], ["KIND", "ENTITY", "NODE", "TRIANGLE", "POINT", "PIXEL"]);
    assert_eq!(rows[1], ["vertex", "near", "0", "1", "-1,-1,-1", "0,200"]);
}

#[test]
fn bad_options_are_errors() {
    for (command, expected) in [
        ("snap demo --at 1281,0", "--at 1281,0 is outside the picture of 1280x720"),
        ("snap demo --at 1,1 --radius -1", "expected a distance from 0"),
        ("snap demo --at 1,1 --radius 1e39", "expected a distance from 0"),
        ("render demo -o never.png --snap 1,1,1e39", "give one from 0"),
        ("snap demo --at 1,1 --to corner", "invalid value 'corner'"),
        ("snap demo --at 1,1 --hide Nobody", "Nobody"),
    ] {
        let run = line(command);
        assert!(run.error().contains(expected), "{run:?}");
    }
}

#[test]
fn a_running_fox_is_snapped_to_where_it_is() {
    // The vertices of a skinned mesh move with its pose, so the nearest vertex differs between two times.
    let Some(models) = common::models() else { return };
    let fox = models.join("skinned/Fox.glb");
    let at = |time: &str| {
        let file = fox.to_str().unwrap();
        let view = ["--at", "640,360", "--radius", "60", "--to", "vertex", "--eye", "0,60,300", "--target", "0,40,0"];
        hitscan([&["snap", file, "--animation", "Run", "--time", time, "--json"], &view[..]].concat()).json(0)
    };
    assert_ne!(at("0.1")["point"], at("0.4")["point"]);
}
