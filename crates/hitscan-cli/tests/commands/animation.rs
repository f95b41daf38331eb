//! `--animation` and `--time`: models in poses, for every command that loads one.

use crate::common;
use crate::common::tables::folder;
use crate::common::{fox, hitscan};
use serde_json::{Value, json};
use std::fs;

/// Runs the program without the warning about the animation that cannot be played.
fn quiet(words: &str, file: &std::path::Path) -> common::Run {
    let words = words.split_whitespace().map(|word| if word == "FOX" { file.to_str().unwrap() } else { word });
    hitscan(["--quiet"].into_iter().chain(words))
}

fn depth(file: &std::path::Path, pose: &str) -> f64 {
    let hits = quiet(&format!("pick FOX --at 50,60 --size 100x100 --json {pose}"), file).hits();
    hits[0]["t"].as_f64().unwrap()
}

#[test]
fn a_pick_is_of_the_pose() {
    let file = fox::write_with_broken("a_pick_is_of_the_pose");
    let cases = [
        ("", 1.0),
        ("--animation Run", 1.0),
        ("--animation Run --time 0.5", 2.0),
        ("--animation 0 --time 1", 3.0),
        ("--animation Run --time 2", 5.0),
        // The pose is held before the first key and after the last one.
        ("--animation Run --time -3", 1.0),
        ("--animation Run --time 1e9", 5.0),
        ("--animation 1 --time 0.5", 2.0),
    ];
    let baked = file.with_extension("bake");
    assert_eq!(hitscan(["--quiet", "bake", file.to_str().unwrap(), "-o", baked.to_str().unwrap()]).code, Some(0));
    for (pose, expected) in cases {
        assert_eq!(depth(&file, pose), expected, "{pose}");
        assert_eq!(depth(&baked, pose), expected, "{pose}, baked");
    }
}

#[test]
fn the_joint_is_told() {
    let file = fox::write_with_broken("the_joint_is_told");
    let pick = "pick FOX --size 100x100 --animation Run --time 1";
    let joint = |at: &str| {
        let hits = quiet(&format!("{pick} --json --at {at}"), &file).hits();
        (hits[0]["joint"].clone(), hits[0]["joint_node"].clone())
    };
    assert_eq!([joint("50,20"), joint("50,80")], [(json!("Head"), json!(2)), (json!("Legs"), json!(1))]);
    let text = quiet(&format!("{pick} --at 50,20"), &file).stdout;
    let lines: Vec<&str> = text.lines().collect();
    assert!(lines[0].ends_with("  JOINT") && lines[1].ends_with("  Head"), "{text}");
}

#[test]
fn info_lists_the_animations_and_shows_the_pose() {
    let file = fox::write_with_broken("info_lists_the_animations");
    let info = quiet("info FOX --json --animation Run --time 1", &file).json(0);
    let animations = info["animations"].as_array().unwrap();
    assert_eq!(
        animations[0],
        json!({"name": "Run", "index": 0, "duration_seconds": 2.0, "channels": 1, "fault": null})
    );
    assert_eq!((&animations[1]["name"], &animations[1]["index"]), (&Value::Null, &json!(1)));
    assert!(animations[2]["fault"].as_str().unwrap().contains("3 numbers for 2 keys"), "{animations:?}");
    assert_eq!(info["bounds"], json!({"min": [-1.0, -1.0, -2.0], "max": [1.0, 1.0, -2.0]}));
    let text = hitscan(["info", file.to_str().unwrap()]);
    let expected = r#"3: 0 "Run" (2 s, 1 channels), 1 (0 s, 1 channels), 2 "Broken" (cannot be played)"#;
    assert!(text.stdout.contains(expected), "{}", text.stdout);
    assert!(text.stderr.contains(r#"warning: "#) && text.stderr.contains(r#"animation 2 "Broken""#), "{}", text.stderr);
}

#[test]
fn every_command_that_loads_a_model_takes_a_pose() {
    let folder = folder("every_command_takes_a_pose");
    let file = fox::write(&folder);
    let path = |name: &str| folder.join(name).to_str().unwrap().to_owned();
    fs::write(path("rays.csv"), "ox,oy,oz,dx,dy,dz\n0,0,0,0,0,-1\n").unwrap();
    let pose = "--animation Run --time 1.5";
    let cast = quiet(&format!("cast FOX {} {pose}", path("rays.csv")), &file);
    assert!(cast.stdout.lines().nth(1).unwrap().starts_with("0,fox,0,0,3.0,"), "{}", cast.stdout);
    let render = |out: &str, pose: &str| {
        let view = "--size 16x16 --samples 1 --mode depth --eye 3,0,3 --target 0,0,-1";
        let run = quiet(&format!("render FOX -o {} {view} {pose}", path(out)), &file);
        assert_eq!(run.code, Some(0), "{run:?}");
        fs::read(path(out)).unwrap()
    };
    assert_ne!(render("rest.png", ""), render("posed.png", pose));
    let bench = quiet(&format!("bench FOX --json --rays 16 --rounds 1 {pose}"), &file).json(0);
    assert_eq!(bench["triangles"], 1);
    for command in ["pick FOX --at 0,0", "info FOX", "cast FOX -", "render FOX -o x.png", "bench FOX"] {
        let error = quiet(&format!("{command} --animation Walk"), &file);
        let expected = r#"--animation Walk: there is no such animation; the model has 0 "Run", 1"#;
        assert!(error.error().contains(expected), "{command}: {error:?}");
    }
}

#[test]
fn poses_that_cannot_be_are_errors() {
    let file = fox::write_with_broken("poses_that_cannot_be_are_errors");
    let cases = [
        ("--animation 3", "--animation 3: there is no such animation; the model has 0 \"Run\", 1, 2 \"Broken\""),
        ("--animation run", "there is no such animation"),
        ("--time 1", "--animation <NAME|INDEX>"),
        ("--animation Run --time nan", "expected a finite number"),
        ("--animation Run --time inf", "expected a finite number"),
        ("--animation Run --time soon", "expected a finite number"),
        (
            "--animation Broken --time 1",
            "--animation Broken --time 1: animation 2 \"Broken\" cannot be played: channel 0",
        ),
    ];
    for (pose, expected) in cases {
        let run = quiet(&format!("pick FOX --at 1,1 {pose}"), &file);
        assert!(run.error().contains(expected), "{pose}: {run:?}");
    }
    let demo = quiet("pick demo --at 1,1 --animation 0", &file);
    assert!(demo.error().contains("--animation 0: the model has no animations; leave it out"), "{demo:?}");
}
