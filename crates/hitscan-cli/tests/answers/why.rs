//! `hitscan pick --why`: the surfaces that were passed through, and the rule for each.

use crate::common::{Run, hitscan, line, walls};
use serde_json::{Value, json};

/// Picks at the lower-right triangles of all three walls, at depths 1, 5 and 20.
fn at_walls(test: &str, more: &[&str]) -> Run {
    let file = walls::write(test);
    let pick = ["pick", file.to_str().unwrap(), "--at", "101,101", "--size", "200x200", "--why"];
    hitscan([&pick, more].concat())
}

fn passed(run: &Run, code: i32) -> Vec<(String, String)> {
    let answer = run.json(code);
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    let passed = answer["passed"].as_array().unwrap();
    passed.iter().map(|surface| (text(&surface["entity"]), text(&surface["reason"]))).collect()
}

fn pairs(expected: &[(&str, &str)]) -> Vec<(String, String)> {
    expected.iter().map(|(entity, reason)| (entity.to_string(), reason.to_string())).collect()
}

#[test]
fn the_range_of_a_files_camera() {
    let json = at_walls("the_range", &["--json"]);
    assert_eq!(passed(&json, 0), pairs(&[("near", "range")]));
    assert_eq!(json.hits()[0]["entity"], "wall");
    // All surfaces are listed with --all, and also if nothing is hit.
    assert_eq!(
        passed(&at_walls("the_range", &["--json", "--all"]), 0),
        pairs(&[("near", "range"), ("node2", "range")])
    );
    let miss = at_walls("the_range", &["--json", "--hide", "wall"]);
    assert_eq!(passed(&miss, 1), pairs(&[("near", "range"), ("wall", "layer"), ("node2", "range")]));
}

#[test]
fn hidden_and_culled_entities() {
    let orthographic = ["--json", "--camera", "1"];
    let hidden = at_walls("hidden", &[&orthographic[..], &["--hide", "near"]].concat());
    assert_eq!(passed(&hidden, 0), pairs(&[("near", "layer")]));
    let culled = at_walls("hidden", &[&orthographic[..], &["--hide", "wall", "--cull", "front"]].concat());
    assert_eq!(passed(&culled, 1), pairs(&[("near", "cull"), ("wall", "layer"), ("node2", "cull")]));
    assert_eq!(passed(&at_walls("hidden", &orthographic), 0), []);
}

#[test]
fn a_passed_surface_is_told_like_a_hit() {
    let hit = at_walls("told_like_a_hit", &["--json", "--camera", "1"]).hits()[0].clone();
    let passed =
        at_walls("told_like_a_hit", &["--json", "--camera", "1", "--hide", "near"]).json(0)["passed"][0].clone();
    let mut expected = hit;
    expected["reason"] = json!("layer");
    assert_eq!(passed, expected);
}

#[test]
fn text_says_it_in_words() {
    let run = at_walls("in_words", &[]);
    let lines: Vec<&str> = run.stdout.lines().collect();
    assert!(lines[0].starts_with("ENTITY") && lines[1].starts_with("wall ") && lines[2].is_empty(), "{run:?}");
    assert_eq!(lines[3], "passed over:");
    assert!(lines[5].starts_with("near ") && lines[5].contains("range: before t 2"), "{run:?}");
    let run = at_walls("in_words", &["--camera", "1"]);
    assert!(run.stdout.ends_with("\n\nnothing was passed over\n"), "{run:?}");
    let run = at_walls("in_words", &["--hide", "wall"]);
    assert!(run.stdout.starts_with("no hit\n\npassed over:\n") && run.code == Some(1), "{run:?}");
    assert!(run.stdout.contains("layer: hidden by --hide") && run.stdout.contains("range: behind t 10"), "{run:?}");
}

/// Without the option, the JSON has no additional field.
#[test]
fn only_when_asked() {
    let run = line("pick demo --at 640,360 --json");
    assert_eq!(run.json(0).as_object().unwrap().keys().collect::<Vec<_>>(), ["hits"]);
}

/// With --no-cutout, every reported hole is a hit, and the hit behind holes stays the same.
#[test]
fn holes_of_the_demos_leaves() {
    let mut holes = 0;
    for (x, y) in (0..12).flat_map(|x| (0..8).map(move |y| (20 + x * 20, 200 + y * 25))) {
        let pick = format!("pick demo --at {x},{y} --json");
        let why = line(&format!("{pick} --why"));
        let Ok(answer) = serde_json::from_str::<Value>(&why.stdout) else { panic!("{why:?}") };
        let found: Vec<&Value> = answer["passed"].as_array().unwrap().iter().collect();
        holes += found.len();
        assert_eq!(answer["hits"], json!(line(&pick).hits()), "{pick}");
        if let Some(first) = found.first() {
            assert!(found.iter().all(|hole| hole["reason"] == "hole" && hole["material"] == "Leaves"), "{why:?}");
            assert_eq!(line(&format!("{pick} --no-cutout")).hits()[0]["t"], first["t"]);
        }
    }
    assert!(holes > 10, "{holes}");
}
