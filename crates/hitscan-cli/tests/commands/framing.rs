//! The default camera frames the model, and `info` reports what it frames.

use crate::common::tables::folder;
use crate::common::{hitscan, models};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn default_camera(model: &Path) -> Value {
    hitscan(["--quiet", "info", model.to_str().unwrap(), "--json"]).json(0)["default_camera"].clone()
}

/// Returns nine towers of two metres in the plane of a ground.
fn town() -> String {
    let tower = |i: i32| {
        let (x, z) = (10 * (i % 3) - 10, 10 * (i / 3) - 10);
        format!(
            "o tower{i}\nv {x} 0 {z}\nv {} 0 {z}\nv {x} 2 {z}\nv {x} 0 {}\nf -4 -2 -3\nf -4 -3 -1\nf -4 -1 -2\nf -3 -2 -1\n",
            x + 2,
            z + 2
        )
    };
    (0..9).map(tower).collect()
}

#[test]
fn a_huge_ground_or_a_far_speck_does_not_decide() {
    let folder = folder("a_huge_ground");
    let file = folder.join("town.obj");
    let extras = [
        ("ground", "o ground\nv -5e4 0 -5e4\nv 5e4 0 -5e4\nv 5e4 0 5e4\nv -5e4 0 5e4\nf -1 -2 -3 -4\n"),
        ("speck", "o speck\nv 3e5 1 1\nv 300001 1 1\nv 3e5 2 1\nf -3 -2 -1\n"),
    ];
    for (name, extra) in extras {
        fs::write(&file, town() + extra).unwrap();
        let camera = default_camera(&file);
        assert_eq!((&camera["origin"], &camera["beyond"]), (&"framing".into(), &serde_json::json!([name])));
        assert_eq!(camera["framed"], serde_json::json!({"min": [-10.0, 0.0, -10.0], "max": [12.0, 2.0, 12.0]}));
        let eye = &camera["eye"];
        assert!((0..3).all(|axis| eye[axis].as_f64().unwrap().abs() < 60.0), "{eye}");
        let text = hitscan(["info", file.to_str().unwrap()]).stdout;
        assert!(text.contains(&format!("frames -10,0,-10 to 12,2,12 (beyond reach {name})")), "{text}");
        // The centre of the picture is the centre of the framed box.
        let all = hitscan(["pick", file.to_str().unwrap(), "--at", "640,360", "--json", "--all"]);
        assert_eq!(all.code, Some(0), "{name}: {all:?}");
    }
    fs::write(&file, town()).unwrap();
    let camera = default_camera(&file);
    assert_eq!(camera["beyond"], serde_json::json!([]));
    let text = hitscan(["info", file.to_str().unwrap()]).stdout;
    assert!(text.contains("frames the model: perspective"), "{text}");
}

#[test]
fn the_town_of_a_real_scene_is_framed() {
    let Some(models) = models() else { return };
    let camera = default_camera(&models.join("scenes/truck-town.glb"));
    println!("{camera}");
    assert!(!camera["beyond"].as_array().unwrap().is_empty());
}
