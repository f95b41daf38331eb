//! `hitscan validate`: surfaces whose faults are known, and soups against a count of everything.

mod oracle;

use crate::common::tables::folder;
use crate::common::{hitscan, line};
use crate::solids::{Soup, ball, cube, turned, written};
use hitscan::glam::Vec3;
use hitscan_random::Random;
use hitscan_random::effort::{seed, size};
use oracle::truth;
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

fn validate(file: &Path, options: &[&str], code: i32) -> Value {
    hitscan(["validate", file.to_str().unwrap(), "--json"].iter().chain(options)).json(code)
}

/// Validates one soup, and returns the verdict on its part.
fn verdict(test: &str, soup: &Soup, code: i32) -> Value {
    let mut answer = validate(&written(test, &[("soup", soup)]), &[], code);
    assert_eq!(answer["is_sound"], json!(code == 0), "{answer}");
    let mut whole = answer["whole"].clone();
    let part = answer["parts"][0].take();
    // The whole is this part, but for its self-intersections, which make it unsound.
    for key in ["entity", "node", "instances", "self_intersections", "is_sound"] {
        whole[key] = part[key].clone();
    }
    assert_eq!(part, whole);
    part
}

/// Returns the names of the faults that a verdict counts, with their counts.
fn faults(verdict: &Value) -> Vec<(&str, u64)> {
    let counted =
        verdict.as_object().unwrap().iter().filter_map(|(key, value)| Some((key.as_str(), value["count"].as_u64()?)));
    counted.filter(|(_, count)| *count > 0).collect()
}

#[test]
fn a_sound_cube_is_told_to_the_letter() {
    let none = json!({"count": 0, "first": []});
    let expected = json!({
        "entity": "soup", "node": null, "instances": 1, "is_sound": true, "triangles": 12, "vertices": 8, "shells": 1,
        "area": 24.0, "volume": 8.0, "is_watertight": true, "is_manifold": true, "is_oriented": true,
        "boundary_edges": none, "crowded_edges": none, "pinched_vertices": none, "flipped_triangles": none,
        "inside_out_shells": none, "degenerate_triangles": none, "duplicate_triangles": none, "self_intersections": none,
    });
    let soup = cube([-1.0; 3], [1.0; 3]);
    assert_eq!(verdict("validate_cube", &soup, 0), expected);
    let file = written("validate_cube_text", &[("soup", &soup)]);
    let run = hitscan(["validate", file.to_str().unwrap()]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert_eq!(lines[1..4], ["verdict  sound", "parts    1, 0 of them with faults", "whole    sound"]);
    assert_eq!(lines[5], "ENTITY  NODE  INSTANCES  TRIANGLES  SHELLS  AREA  VOLUME  VERDICT");
    assert_eq!(lines[6], "soup    -     1          12         1       24    8       sound");
}

#[test]
fn each_fault_is_found_alone() {
    let ball = || ball([0.0; 3], 2);
    let sound = verdict("validate_ball", &ball(), 0);
    assert!(faults(&sound).is_empty() && sound["volume"].as_f64().unwrap() > 3.8, "{sound}");

    let open = verdict("validate_open", &ball()[1..].to_vec(), 1);
    assert_eq!(faults(&open), [("boundary_edges", 3)]);
    assert_eq!(
        (&open["is_watertight"], &open["is_manifold"], &open["volume"]),
        (&json!(false), &json!(true), &Value::Null)
    );

    let mut flipped = ball();
    flipped[17].swap(0, 1);
    let flipped = verdict("validate_flipped", &flipped, 1);
    assert_eq!(faults(&flipped), [("flipped_triangles", 1)]);
    assert_eq!((&flipped["flipped_triangles"]["first"], &flipped["is_oriented"]), (&json!([17]), &json!(false)));
    assert_eq!((&flipped["is_watertight"], &flipped["volume"]), (&json!(true), &Value::Null));

    let inside_out = verdict("validate_inside_out", &turned(ball()), 1);
    assert_eq!(faults(&inside_out), [("inside_out_shells", 1)]);
    assert_eq!(inside_out["volume"].as_f64().unwrap(), -sound["volume"].as_f64().unwrap());

    let bow_tie = [cube([0.0; 3], [1.0; 3]), cube([1.0; 3], [2.0; 3])].concat();
    let bow_tie = verdict("validate_bow_tie", &bow_tie, 1);
    assert_eq!(faults(&bow_tie), [("pinched_vertices", 1)]);
    assert_eq!(bow_tie["pinched_vertices"]["first"], json!([[1.0, 1.0, 1.0]]));
    assert_eq!(
        (&bow_tie["shells"], &bow_tie["volume"], &bow_tie["is_manifold"]),
        (&json!(2), &json!(2.0), &json!(false))
    );
}

#[test]
fn edges_with_more_than_two_triangles_are_found() {
    // A fin on an edge of the cube, and two cubes with a common edge.
    let fin = [Vec3::new(1.0, 1.0, -1.0), Vec3::new(1.0, 1.0, 1.0), Vec3::new(2.0, 2.0, 0.0)];
    let with_fin = [cube([-1.0; 3], [1.0; 3]), vec![fin]].concat();
    let with_fin = verdict("validate_fin", &with_fin, 1);
    assert_eq!(faults(&with_fin), [("boundary_edges", 2), ("crowded_edges", 1)]);
    let edge = json!({"triangle": 2, "triangles": 3, "from": [1.0, 1.0, 1.0], "to": [1.0, 1.0, -1.0]});
    let found = &with_fin["crowded_edges"]["first"][0];
    assert_eq!([&found["triangle"], &found["triangles"]], [&edge["triangle"], &edge["triangles"]], "{found}");
    assert!([[&found["from"], &found["to"]], [&found["to"], &found["from"]]].contains(&[&edge["from"], &edge["to"]]));

    let cubes = [cube([0.0; 3], [1.0; 3]), cube([1.0, 1.0, 0.0], [2.0, 2.0, 1.0])].concat();
    let cubes = verdict("validate_two_cubes", &cubes, 1);
    // They are closed, so they have a volume.
    assert_eq!(faults(&cubes), [("crowded_edges", 1)]);
    assert_eq!((&cubes["is_watertight"], &cubes["volume"]), (&json!(true), &json!(2.0)));
}

#[test]
fn shells_that_cross_are_found_and_cavities_are_sound() {
    let crossing = [ball([0.0; 3], 2), ball([0.75, 0.25, 0.125], 2)].concat();
    let expected = truth(&crossing).self_intersections as u64;
    let crossing = verdict("validate_crossing", &crossing, 1);
    assert!(expected > 50);
    assert_eq!(faults(&crossing), [("self_intersections", expected)]);
    assert_eq!(crossing["self_intersections"]["first"].as_array().unwrap().len(), 10);

    let outer = cube([-4.0; 3], [4.0; 3]);
    let hollow = [outer.clone(), turned(ball([0.0; 3], 2)), ball([8.0, 0.0, 0.0], 1)].concat();
    let hollow = verdict("validate_hollow", &hollow, 0);
    assert_eq!((&hollow["shells"], &hollow["is_sound"]), (&json!(3), &json!(true)));
    // A ball that faces inwards is a cavity in material, and inside out elsewhere, also if it is in a cavity.
    let island = [outer, turned(cube([-3.0; 3], [3.0; 3])), turned(ball([0.0; 3], 1))].concat();
    assert_eq!(faults(&verdict("validate_island", &island, 1)), [("inside_out_shells", 1)]);
    let nested = [island[..24].to_vec(), cube([-2.0; 3], [2.0; 3]), turned(ball([0.0; 3], 1))].concat();
    assert!(faults(&verdict("validate_nested", &nested, 0)).is_empty());
}

#[test]
fn duplicates_and_triangles_without_area_are_found() {
    let soup = cube([-1.0; 3], [1.0; 3]);
    let copy = [soup.clone(), vec![soup[4]]].concat();
    let copy = verdict("validate_copy", &copy, 1);
    assert_eq!(faults(&copy), [("crowded_edges", 3), ("duplicate_triangles", 1)]);
    assert_eq!(copy["duplicate_triangles"]["first"], json!([[4, 12]]));
    let [a, b, c] = soup[4];
    // One copy faces the other way. The other copy overlaps half of a face without being a copy.
    let back = verdict("validate_back", &[soup.clone(), vec![[a, c, b]]].concat(), 1);
    assert_eq!(faults(&back), [("crowded_edges", 3), ("duplicate_triangles", 1)]);
    let part = verdict("validate_part", &[soup.clone(), vec![[a, b, (a + c) * 0.5]]].concat(), 1);
    assert_eq!(part["self_intersections"]["first"], json!([[4, 12], [5, 12]]), "{part}");

    let flat = [[a, b, b], [a, a, a], [a, b, a * 2.0 - b]];
    let flat = verdict("validate_flat", &[soup, flat.to_vec()].concat(), 1);
    assert_eq!(flat["degenerate_triangles"], json!({"count": 3, "first": [12, 13, 14]}));
    // A sliver has an area, however thin it is.
    let sliver = [Vec3::ZERO, Vec3::X, Vec3::new(0.5, 1e-30, 0.0)];
    assert_eq!(verdict("validate_sliver", &vec![sliver], 1)["degenerate_triangles"]["count"], 0);
}

/// A soup of triangles between few corners has every fault.
fn soup(random: &mut Random) -> Soup {
    let (steps, count) = (random.pick(&[1usize, 2, 3]), random.pick(&[4usize, 10, 30]));
    let mut corner = || Vec3::from_array([0, 1, 2].map(|_: i32| random.below(steps + 1) as f32 - 1.0));
    (0..count).map(|_| [corner(), corner(), corner()]).collect()
}

#[test]
fn soups_have_what_is_counted() {
    let mut random = Random(seed(6480));
    for case in 0..size(40, 200, 10_000) {
        let mut soup = soup(&mut random);
        if case % 4 == 0 {
            let mut solid = if case % 8 == 0 { ball([0.0; 3], 1) } else { cube([-1.0; 3], [1.0; 3]) };
            for _ in 0..random.below(4) {
                let at = random.below(solid.len());
                match random.below(3) {
                    0 => drop(solid.swap_remove(at)),
                    1 => solid[at].swap(0, 1),
                    _ => solid.push(solid[at]),
                }
            }
            soup = solid;
        }
        let (expected, file) = (truth(&soup), written("validate_soups", &[("soup", &soup)]));
        let run = hitscan(["validate", file.to_str().unwrap(), "--json", "--quiet"]);
        assert!(matches!(run.code, Some(0 | 1)), "{case}: {run:?}");
        let answer: Value = serde_json::from_str(&run.stdout).unwrap();
        // A reader leaves out a group in which no triangle has an area.
        let Some(found) = answer["parts"].get(0) else {
            assert_eq!(expected.degenerate_triangles, soup.len(), "{case}");
            continue;
        };
        let count = |key: &str| found[key]["count"].as_u64().unwrap() as usize;
        let said = format!("{case}: {soup:?}: {found}");
        assert_eq!(found["vertices"], expected.vertices, "{said}");
        assert_eq!(found["shells"], expected.shells, "{said}");
        assert_eq!(count("boundary_edges"), expected.boundary_edges, "{said}");
        assert_eq!(count("crowded_edges"), expected.crowded_edges, "{said}");
        assert_eq!(count("pinched_vertices"), expected.pinched_vertices, "{said}");
        assert!(expected.flipped_triangles.is_none_or(|flipped| flipped == count("flipped_triangles")), "{said}");
        assert_eq!(count("degenerate_triangles"), expected.degenerate_triangles, "{said}");
        assert_eq!(count("duplicate_triangles"), expected.duplicate_triangles, "{said}");
        assert_eq!(count("self_intersections"), expected.self_intersections, "{said}");
        assert_eq!(found["is_watertight"], expected.is_watertight, "{said}");
        assert_eq!(found["is_oriented"], expected.is_oriented, "{said}");
        let is_manifold = expected.crowded_edges == 0 && expected.pinched_vertices == 0;
        assert_eq!(found["is_manifold"], is_manifold, "{said}");
    }
}

#[test]
fn parts_close_each_others_holes() {
    let soup = ball([0.0; 3], 1);
    let halves = [("left", &soup[..16].to_vec()), ("right", &soup[16..].to_vec())];
    let file = written("validate_halves", &halves);
    let answer = validate(&file, &["--list", "1"], 1);
    let part = |place: usize| &answer["parts"][place];
    assert_eq!([&part(0)["entity"], &part(1)["entity"]], ["left", "right"]);
    for place in [0, 1] {
        let edges = &part(place)["boundary_edges"];
        assert!(edges["count"].as_u64() > Some(1) && edges["first"].as_array().unwrap().len() == 1, "{answer}");
    }
    assert_eq!((&answer["whole"]["is_watertight"], &answer["whole"]["is_sound"]), (&json!(true), &json!(true)));
    // Open surfaces may have borders.
    assert_eq!(validate(&file, &["--open"], 0)["is_sound"], true);
    let text = hitscan(["validate", file.to_str().unwrap(), "--list", "1"]);
    assert!(
        text.code == Some(1) && text.stdout.contains("\nleft\n  edges with one triangle: of triangle "),
        "{text:?}"
    );
    assert!(text.stdout.contains("; and ") && text.stdout.contains("verdict  has faults"), "{text:?}");
}

#[test]
fn a_model_without_triangles_or_with_a_fault_is_not_sound() {
    let folder = folder("validate_broken");
    let file = folder.join("empty.gltf");
    fs::write(&file, "{\"asset\": {\"version\": \"2.0\"}}").unwrap();
    let run = hitscan(["validate", file.to_str().unwrap(), "--quiet"]);
    assert_eq!((run.code, run.stderr.as_str()), (Some(1), ""), "{run:?}");
    assert!(run.stdout.contains("whole    no triangles"), "{run:?}");
    let file = folder.join("nan.obj");
    fs::write(&file, "v 0 0 0\nv 1 nan 0\nv 0 1 0\nf 1 2 3\n").unwrap();
    let run = hitscan(["validate", file.to_str().unwrap()]);
    assert!(run.error().contains("nan.obj"), "{run:?}");
    let run = line("validate nowhere.glb");
    assert!(run.error().contains("nowhere.glb: there is no such file"), "{run:?}");
    assert_eq!(line("validate demo --list -1").code, Some(2));
}
