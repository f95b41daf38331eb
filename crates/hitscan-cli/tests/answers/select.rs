//! The answers of `hitscan select`, compared with the answers of `pick` and of the library.

use crate::common::{hitscan, line, walls};
use serde_json::{Value, json};
use std::fs;
use std::path::Path;

/// Selects parts of the walls through the orthographic camera, in a picture where (x, y) = ((X - 100) / 100, (100 - Y) /
/// 100).
fn of_walls(file: &Path, more: &[&str]) -> Value {
    let file = file.to_str().unwrap();
    let run = hitscan([&["select", file, "--size", "200x200", "--camera", "1", "--json"], more].concat());
    run.json(if run.stdout.trim_end() == r#"{"entities":[]}"# { 1 } else { 0 })
}

fn names(answer: &Value) -> Vec<&str> {
    answer["entities"].as_array().unwrap().iter().map(|of| of["entity"].as_str().unwrap()).collect()
}

#[test]
fn entities_come_in_the_order_of_the_model() {
    let file = walls::write("select_entities");
    let answer = of_walls(&file, &["--rect", "120,120,180,180"]);
    assert_eq!(names(&answer), ["near", "wall", "node2"]);
    assert_eq!(answer["entities"][0], json!({"entity": "near", "node": 0}));
    // The third wall is the triangle below the diagonal.
    assert_eq!(names(&of_walls(&file, &["--rect", "80,20,20,10"])), ["near", "wall"]);
    assert_eq!(names(&of_walls(&file, &["--circle", "150,150,10", "--visible"])), ["near"]);
    assert_eq!(names(&of_walls(&file, &["--circle", "150,150,10", "--visible", "--hide", "near"])), ["wall"]);
    assert_eq!(names(&of_walls(&file, &["--circle", "150,150,10", "--cull", "front"])), Vec::<&str>::new());
}

#[test]
fn triangles_and_vertices_are_numbered_as_in_a_pick() {
    let file = walls::write("select_triangles");
    let answer = of_walls(&file, &["--rect", "120,150,150,180", "--kind", "triangle"]);
    let triangles: Vec<&Value> = answer["entities"].as_array().unwrap().iter().map(|of| &of["triangles"]).collect();
    // Triangle 0 has no area.
    assert_eq!(triangles, [&json!([1]); 3]);
    assert_eq!(
        answer["entities"][2],
        json!({"entity": "node2", "node": answer["entities"][2]["node"], "triangles": [1]})
    );
    let both = of_walls(&file, &["--rect", "90,90,110,110", "--kind", "triangle"]);
    assert_eq!(both["entities"][0]["triangles"], json!([1, 2]));
    let corner = of_walls(&file, &["--circle", "200,200,1", "--kind", "vertex"]);
    assert_eq!(names(&corner), ["near", "wall", "node2"]);
    assert_eq!(corner["entities"][0]["vertices"].as_array().unwrap().len(), 1);
    assert_eq!(corner["entities"][0].as_object().unwrap().len(), 3);
}

#[test]
fn what_is_inside_is_less_than_what_touches() {
    let file = walls::write("select_inside");
    // An entity that reaches beyond the picture is not wholly inside.
    assert_eq!(names(&of_walls(&file, &["--rect", "-1,-1,201,201", "--inside"])), ["near", "wall", "node2"]);
    assert_eq!(names(&of_walls(&file, &["--rect", "-1,-1,199,201", "--inside"])), Vec::<&str>::new());
}

#[test]
fn a_lasso_is_read_from_a_file() {
    let file = walls::write("select_lasso");
    let corners = file.with_file_name("lasso.csv");
    fs::write(&corners, "\u{a}20,20\r\n 80 , 10\n\n80,20\n").unwrap();
    let lasso = corners.to_str().unwrap();
    assert_eq!(names(&of_walls(&file, &["--lasso", lasso])), ["near", "wall"]);
    fs::write(&corners, "\u{feff}20,20\n80,10\n80,20\n").unwrap();
    assert_eq!(names(&of_walls(&file, &["--lasso", lasso])), ["near", "wall"]);
    for (text, message) in [
        ("1,2\n3,4\n", "at least 3 corners"),
        ("1,2\n3\n5,6\n", "line 2: \"3\" is not a corner X,Y"),
        ("1,2\n3,4\n5,inf\n", "line 3"),
        ("1,2,3\n", "line 1"),
        ("", "at least 3 corners"),
    ] {
        fs::write(&corners, text).unwrap();
        let run = hitscan(["select", file.to_str().unwrap(), "--lasso", lasso]);
        assert!(run.error().contains(message), "{}", run.stderr);
    }
}

#[test]
fn visible_is_what_a_pick_of_each_pixel_finds() {
    let selected = line("select demo --circle 150,100,5.5 --visible --kind triangle --size 320x180 --json").json(0);
    let mut expected = std::collections::BTreeSet::new();
    for (x, y) in (140..160).flat_map(|x| (90..110).map(move |y| (f64::from(x) + 0.5, f64::from(y) + 0.5))) {
        if (x - 150.0f64).hypot(y - 100.0) <= 5.5 {
            let run = line(&format!("pick demo --at {x},{y} --size 320x180 --json"));
            // A lamp's ball is no mesh, and has no triangles to select.
            let hits = run.hits().into_iter().filter(|hit| !hit["triangle"].is_null());
            expected.extend(hits.map(|hit| (hit["node"].to_string(), hit["triangle"].to_string())));
        }
    }
    let mut found = std::collections::BTreeSet::new();
    for of in selected["entities"].as_array().unwrap() {
        for triangle in of["triangles"].as_array().unwrap() {
            found.insert((of["node"].to_string(), triangle.to_string()));
        }
    }
    assert!(expected.len() > 2, "{expected:?}");
    assert_eq!(expected, found);
}

#[test]
fn nothing_found_is_no_error() {
    let run = line("select demo --rect 0,0,1,1 --eye 0,1000,0 --target 0,2000,0 --json");
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), "{\"entities\":[]}\n"));
    let run = line("select demo --rect 0,0,1,1 --eye 0,1000,0 --target 0,2000,0");
    assert_eq!((run.code, run.stdout.as_str()), (Some(1), "nothing is selected\n"));
}

#[test]
fn bad_options_are_errors() {
    for args in [
        "select demo",
        "select demo --rect 1,2,3",
        "select demo --rect 1,2,3,nan",
        "select demo --rect 1,2,3,4 --circle 1,2,3",
        "select demo --circle 1,2,-3",
        "select demo --circle 1,2,3 --kind edge",
        "select demo --lasso no-such-file",
        "render demo -o x.png --inside",
    ] {
        assert_eq!(line(args).code, Some(2), "{args}");
    }
}

#[test]
fn people_get_a_table() {
    let file = walls::write("select_table");
    let file = file.to_str().unwrap();
    let run = hitscan(["select", file, "--camera", "1", "--circle", "640,360,5", "--kind", "triangle"]);
    assert_eq!(run.code, Some(0), "{run:?}");
    assert!(run.stdout.starts_with("ENTITY  NODE  TRIANGLES\nnear"), "{}", run.stdout);
}
