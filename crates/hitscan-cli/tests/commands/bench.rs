//! `hitscan bench`: the figures exist and are consistent. Their sizes depend on the machine.

use crate::common::{Run, hitscan, line, program, walls};
use hitscan::simd::SimdLevel;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

const SETS: [(&str, &str); 6] = [
    ("primary", "closest"),
    ("ao", "closest"),
    ("random", "closest"),
    ("shadow", "any"),
    ("ao-any", "any"),
    ("line-of-sight", "any"),
];

/// Runs the command with few rays, which takes little time.
fn quick(more: &str) -> Run {
    line(&format!("bench demo --rays 900 --rounds 2 --json {more}"))
}

fn rows<'a>(figures: &'a Value, list: &str) -> &'a [Value] {
    figures[list].as_array().unwrap_or_else(|| panic!("{list} is a list: {figures}"))
}

fn hits(figures: &Value) -> Vec<u64> {
    rows(figures, "rays").iter().map(|row| row["hits"].as_u64().unwrap()).collect()
}

fn is_timed(row: &Value, rounds: u64) -> bool {
    let [fastest, seconds, slowest] = ["fastest", "seconds", "slowest"].map(|name| row[name].as_f64().unwrap());
    0.0 < fastest && fastest <= seconds && seconds <= slowest && row["rounds"] == rounds
}

#[test]
fn every_set_by_one_thread_and_by_all() {
    let figures = quick("--threads 2").json(0);
    let rays = rows(&figures, "rays");
    let named = |row: &Value| json!([row["set"], row["asks"], row["threads"]]);
    let expected = SETS.iter().flat_map(|(set, asks)| [1, 2].map(|threads| json!([set, asks, threads])));
    assert!(rays.iter().map(named).eq(expected), "{figures}");
    for row in rays {
        let [seconds, second, each] =
            ["seconds", "rays_per_second", "nanoseconds_per_ray"].map(|name| row[name].as_f64().unwrap());
        assert!(is_timed(row, 2) && row["rays"] == 900, "{row}");
        assert!((second * seconds / 900.0 - 1.0).abs() < 1e-9 && (second * each / 1e9 - 1.0).abs() < 1e-9, "{row}");
        // The demo's camera sees something, and no set has only hits or only misses.
        assert!((1..900).contains(&row["hits"].as_u64().unwrap()), "{row}");
    }
    for pair in rays.chunks(2) {
        assert_eq!(pair[0]["hits"], pair[1]["hits"]);
    }
    assert!(is_timed(&figures["cold_pick"], 51), "{figures}");
}

#[test]
fn every_quality_is_built() {
    let figures = quick("--threads 2").json(0);
    let builds = rows(&figures, "builds");
    let named = |row: &Value| (row["quality"].as_str().unwrap().to_owned(), row["threads"].as_u64().unwrap());
    let expected = ["fast", "balanced", "best"].into_iter().flat_map(|name| [1, 2].map(|n| (name.to_owned(), n)));
    assert!(builds.iter().map(named).eq(expected), "{figures}");
    let triangles = figures["triangles"].as_f64().unwrap();
    for row in builds {
        let bytes = row["bytes"].as_f64().unwrap();
        assert!(is_timed(row, 2) && bytes > 0.0, "{row}");
        assert!((row["bytes_per_triangle"].as_f64().unwrap() * triangles - bytes).abs() < 1e-6 * bytes, "{row}");
    }
    // The trees of `balanced` have the same size as the trees of the loaded model.
    let info = line("info demo --json").json(0);
    assert_eq!(builds[2]["bytes"], info["trees"]["meshes"]["bytes"]);
    assert_eq!(figures["scene"]["bytes"], info["trees"]["scene"]["bytes"]);
    assert_eq!(figures["meshes"], info["trees"]["mesh_count"]);
    assert!(is_timed(&figures["scene"], 2), "{figures}");
}

#[test]
fn one_thread_is_measured_once() {
    let figures = quick("--threads 1").json(0);
    assert_eq!((rows(&figures, "rays").len(), rows(&figures, "builds").len()), (6, 3));
}

/// The rays are the same each time, with each instruction set, and differ with another seed.
#[test]
fn rays_follow_from_the_seed() {
    let by = |level: SimdLevel| {
        let bench = ["bench", "demo", "--rays", "900", "--rounds", "1", "--json"];
        let output = program().env("HITSCAN_SIMD", level.to_string()).args(bench).output().unwrap();
        let figures: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(figures["simd"], level.to_string());
        hits(&figures)
    };
    let expected = hits(&quick("").json(0));
    for level in SimdLevel::available() {
        assert_eq!(by(level), expected, "{level}");
    }
    let other = hits(&quick("--seed 7").json(0));
    // The rays of the picture are not random, so they do not change.
    assert!(other[0] == expected[0] && other != expected, "{other:?} {expected:?}");
}

#[test]
fn rays_are_rounded_up_to_a_square() {
    for (asked, cast) in [(1, 1), (2, 4), (900, 900), (901, 961)] {
        let figures = line(&format!("bench demo --rounds 1 --threads 1 --json --rays {asked}")).json(0);
        assert!(rows(&figures, "rays").iter().all(|row| row["rays"] == cast), "{asked}: {figures}");
    }
}

#[test]
fn text_has_all_figures() {
    let run = line("bench demo --rays 900 --rounds 7 --threads 2");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{run:?}");
    let has = |start: &str| run.stdout.lines().filter(|line| line.starts_with(start)).count();
    assert_eq!(["model  ", "instructions  ", "BUILD ", "RAYS ", "cold pick "].map(has), [1; 5], "{run:?}");
    assert!(SETS.iter().all(|(set, _)| has(&format!("{set} ")) == 2), "{run:?}");
    assert!(["fast ", "balanced ", "best "].map(has) == [2; 3] && has("scene ") == 1, "{run:?}");
    // Seven rounds are the default, and fewer are reported.
    assert!(!run.stdout.contains("rounds"), "{run:?}");
    let run = line("bench demo --rays 900 --rounds 2");
    assert!(run.stdout.contains(", 2 rounds"), "{run:?}");
}

#[test]
fn what_a_file_holds() {
    let file = walls::write("bench_what_a_file_holds");
    let file = file.to_str().unwrap();
    let figures = hitscan(["bench", file, "--rays", "100", "--rounds", "1", "--json"]).json(0);
    // Two of the three entities share a mesh.
    assert_eq!((&figures["entities"], &figures["meshes"]), (&3.into(), &2.into()));
    assert_eq!(figures["model"], file);
}

fn written(name: &str, content: &str) -> PathBuf {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    fs::write(&file, content).unwrap();
    file
}

#[test]
fn a_model_without_triangles_is_an_error() {
    let nothing = written("bench_nothing.gltf", "{\"asset\": {\"version\": \"2.0\"}}");
    let flat = written("bench_flat.obj", "v 0 0 0\nv 1 0 0\nv 2 0 0\nf 1 2 3\n");
    for file in [nothing, flat] {
        let run = hitscan(["bench", file.to_str().unwrap(), "--quiet"]);
        let expected = format!("error: {}: there are no triangles (with an area) that", file.display());
        assert!(run.error().starts_with(&expected), "{run:?}");
    }
}

/// All figures exist although the bounding box is flat.
#[test]
fn a_single_triangle() {
    let file = written("bench_single.obj", "v 0 0 0\nv 1 0 0\nv 0 0 1\nf 1 2 3\n");
    let figures = hitscan(["bench", file.to_str().unwrap(), "--rays", "400", "--rounds", "1", "--json"]).json(0);
    assert!(rows(&figures, "rays").iter().all(|row| row["rays"] == 400 && is_timed(row, 1)), "{figures}");
    assert!(hits(&figures)[0] > 0, "{figures}");
}

#[test]
fn wrong_options() {
    for (command, expected) in [
        ("bench", "MODEL"),
        ("bench demo --rays 0", "0 is not in 1..=16777216"),
        ("bench demo --rays 16777217", "16777217 is not in"),
        ("bench demo --rounds 0", "--rounds"),
        ("bench demo --threads 0", "--threads"),
        ("bench demo --seed x", "--seed"),
    ] {
        let run = line(command);
        assert_eq!((run.code, run.stdout.as_str()), (Some(2), ""), "{command}: {run:?}");
        assert!(run.stderr.contains(expected), "{command}: {run:?}");
    }
}
