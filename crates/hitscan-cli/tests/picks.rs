//! Picks in real models, as recorded from an independent program: see `record.py` beside the records.

mod common;

use common::{hitscan, models};
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// Relative, as the records promise.
const T_TOLERANCE: f64 = 1e-5;

#[test]
fn picks_are_as_recorded() {
    let Some(models) = models() else { return };
    let truth = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hitscan-io/tests/truth");
    let is_record = |path: &PathBuf| path.to_str().is_some_and(|path| path.ends_with(".picks.json"));
    let mut records: Vec<PathBuf> =
        fs::read_dir(&truth).unwrap().map(|entry| entry.unwrap().path()).filter(is_record).collect();
    records.sort();
    assert!(!records.is_empty(), "no records in {}", truth.display());

    let compared: Vec<usize> = std::thread::scope(|scope| {
        let threads: Vec<_> = records.iter().map(|record| scope.spawn(|| compare(&models, record))).collect();
        threads.into_iter().map(|thread| thread.join().expect("the picks of each record are as recorded")).collect()
    });
    for (record, count) in records.iter().zip(&compared) {
        println!("{}: {count} picks agree", record.display());
        assert!(*count >= 10, "{}: only {count} picks that are not ambiguous", record.display());
    }
}

/// How many picks of a record agree that have one right answer; panics where one does not.
fn compare(models: &Path, record: &Path) -> usize {
    let record: Value = serde_json::from_str(&fs::read_to_string(record).unwrap()).unwrap();
    let name = record["model"].as_str().unwrap();
    let file = find(models, name).unwrap_or_else(|| panic!("{name} is nowhere in {}", models.display()));
    let picks = record["picks"].as_array().unwrap();
    picks.iter().filter(|pick| agrees(&file, pick)).count()
}

/// The model of this name, in the folder or one below it.
fn find(folder: &Path, name: &str) -> Option<PathBuf> {
    let below = fs::read_dir(folder).ok()?.filter_map(|entry| Some(entry.ok()?.path()));
    std::iter::once(folder.to_owned()).chain(below).map(|folder| folder.join(name)).find(|path| path.is_file())
}

/// Whether there is one right answer, which the program must have given.
fn agrees(file: &Path, pick: &Value) -> bool {
    let file = file.to_str().unwrap();
    let run = hitscan([vec!["pick".into(), file.into()], arguments(pick)].concat());
    let hits = run.hits();
    if pick["ambiguous"] == true {
        return false;
    }
    let expected = &pick["hit"];
    assert_eq!(hits.len(), usize::from(!expected.is_null()), "{file} {pick}: {hits:?}");
    if let [hit] = &hits[..] {
        for key in ["entity", "node", "triangle"] {
            assert_eq!(hit[key], expected[key], "{file} {pick}: {hit}");
        }
        let (t, expected) = (hit["t"].as_f64().unwrap(), expected["t"].as_f64().unwrap());
        assert!((t - expected).abs() <= T_TOLERANCE * expected, "{file} {pick}: {hit}");
    }
    true
}

fn arguments(pick: &Value) -> Vec<String> {
    let mut arguments: Vec<String> = ["--json", "--no-cutout"].map(String::from).to_vec();
    let mut add = |option: &str, value: String| arguments.extend([option.to_owned(), value]);
    let [x, y] = [0, 1].map(|axis| pick["size"][axis].to_string());
    add("--size", format!("{x}x{y}"));
    let options = [("at", "--at"), ("eye", "--eye"), ("target", "--target"), ("up", "--up")];
    let numbers = [("camera", "--camera"), ("fov_y_degrees", "--fov-y"), ("ortho", "--ortho")];
    for (key, option) in options.into_iter().chain(numbers) {
        match &pick[key] {
            Value::Null => {}
            Value::Array(numbers) => add(option, numbers.iter().map(Value::to_string).collect::<Vec<_>>().join(",")),
            number => add(option, number.to_string()),
        }
    }
    arguments
}
