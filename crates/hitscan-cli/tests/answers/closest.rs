//! `hitscan closest`: its answers.

use crate::common::{hitscan, line, walls};
use hitscan::ProximityQueries;
use hitscan_io::Model;
use serde_json::{Value, json};

/// Runs the command at the walls, whose centres are on the z axis.
fn at_walls(test: &str, words: &str) -> Vec<Value> {
    let file = walls::write(test);
    hitscan(["closest", file.to_str().unwrap(), "--json"].into_iter().chain(words.split_whitespace())).hits()
}

#[test]
fn a_point_is_told_to_the_letter() {
    let before = json!({
        "entity": "near", "node": 0, "triangle": 2, "distance": 0.5, "signed_distance": null,
        "point": [-0.5, 0.25, -1.0], "normal": [0.0, 0.0, 1.0], "feature": "face",
    });
    assert_eq!(at_walls("closest_to_the_letter", "--to -0.5,0.25,-0.5"), [before]);
    let aside = &at_walls("closest_to_the_letter", "--to -0.5,4,-5")[0];
    assert_eq!(
        [&aside["entity"], &aside["distance"], &aside["feature"], &aside["point"]],
        [&json!("wall"), &json!(3.0), &json!("edge"), &json!([-0.5, 1.0, -5.0])]
    );
    let corner = &at_walls("closest_to_the_letter", "--to -4,5,-5 --hide near")[0];
    assert_eq!([&corner["distance"], &corner["feature"]], [&json!(5.0), &json!("vertex")]);
}

#[test]
fn what_is_too_far_or_hidden_is_not_found() {
    let found = |words: &str| at_walls("closest_too_far", words).len();
    assert_eq!(["2", "1.999"].map(|most| found(&format!("--to 0.5,0,1 --max-distance {most}"))), [1, 0]);
    assert_eq!(at_walls("closest_too_far", "--to 0.5,0,1 --hide near")[0]["entity"], "wall");
    let run = line("closest demo --to 0,999,0 --max-distance 1");
    assert_eq!((run.code, run.stdout.as_str(), run.stderr.as_str()), (Some(1), "nothing\n", ""));
}

/// The library gives the same points, and the sign for solids.
#[test]
fn the_program_answers_what_the_library_does() {
    let model = Model::demo();
    let scene = model.scene().unwrap();
    for to in [[0.0, 2.0, 0.0], [-7.5, 1.25, 9.0], [12.0, 0.5, -3.0], [3.0, -4.0, 3.0]] {
        let [x, y, z] = to;
        let run = line(&format!("closest demo --to {x},{y},{z} --json"));
        let (hits, expected) = (run.hits(), scene.closest_point(to).unwrap());
        let number = |value: &Value| value.as_f64().unwrap() as f32;
        assert_eq!(hits[0]["entity"], model.entity(expected.id).unwrap().name, "{to:?}");
        assert_eq!(number(&hits[0]["distance"]), expected.distance, "{to:?}");
        assert_eq!(hits[0]["signed_distance"].as_f64().map(|distance| distance as f32), expected.signed_distance());
        let point: [f32; 3] = std::array::from_fn(|axis| number(&hits[0]["point"][axis]));
        assert_eq!(point, expected.point.to_array(), "{to:?}");
        let text = line(&format!("closest demo --to {x},{y},{z}")).stdout;
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() == 2 && lines[0].starts_with("ENTITY ") && lines[0].ends_with("FEATURE"), "{text}");
        assert!(lines[1].starts_with(hits[0]["entity"].as_str().unwrap()), "{text}");
    }
}

#[test]
fn wrong_usage_exits_with_2() {
    let wrong = [
        ("", "--to"),
        ("--to 1,2", "3 finite numbers"),
        ("--to 1,2,1e99", "below 1e70"),
        ("--to 1,2,3 --max-distance -1", "a distance from 0"),
        ("--to 1,2,3 --hide Nobody", "--hide Nobody: there is no entity of this name"),
    ];
    for (words, expected) in wrong {
        let run = line(&format!("closest demo {words}"));
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{words}: {run:?}");
        assert!(run.stderr.contains(expected), "{words}: {run:?}");
    }
}
