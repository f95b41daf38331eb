//! Other projects' test files for glTF readers: odd, broken and hostile ones. Each loads, or says why not.

mod common;

use hitscan_io::{LoadError, Model, Warning};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// All glTF and GLB files below a folder.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "gltf" || extension == "glb") {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Loads a file with a watch on the time.
fn load(path: &Path) -> Result<Model, LoadError> {
    let start = Instant::now();
    let model = Model::load(path);
    assert!(start.elapsed() < Duration::from_secs(10), "{} took {:?}", path.display(), start.elapsed());
    model
}

#[test]
fn every_file_loads_or_says_why_not() {
    let Some(models) = common::models() else { return };
    let (mut loaded, mut refused) = (0, 0);
    for path in files(&models.join("odd-input")) {
        match load(&path) {
            Ok(model) => {
                loaded += 1;
                model.scene().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let said: Vec<String> = model.warnings.iter().map(ToString::to_string).collect();
                println!("ok  {} {} {said:?}", path.display(), model.entities.len());
            }
            Err(error) => {
                refused += 1;
                let message = error.to_string();
                assert!(message.starts_with(path.to_str().unwrap()), "{message}");
                println!("err {message}");
            }
        }
    }
    println!("{loaded} load, {refused} are refused");
    assert!(loaded + refused > 300, "the folder has 312 of them");
}

#[test]
fn what_the_validator_finds_no_error_in_loads() {
    let Some(models) = common::models() else { return };
    let folder = models.join("odd-input/gltf-validator");
    let (mut valid, mut shown, mut without_data) = (0, Vec::new(), Vec::new());
    for path in files(&folder) {
        let report = PathBuf::from(format!("{}.report.json", path.display()));
        let Ok(report) = std::fs::read(report) else { continue };
        let report: serde_json::Value = serde_json::from_slice(&report).unwrap();
        if report["issues"]["numErrors"] != 0 {
            continue;
        }
        valid += 1;
        let model = load(&path).unwrap_or_else(|error| panic!("{error}"));
        let name = path.strip_prefix(folder.join("base/data")).unwrap_or(&path).to_str().unwrap().to_owned();
        if model.warnings.iter().any(|warning| matches!(warning, Warning::NoData { .. })) {
            without_data.push(name);
        } else if !model.entities.is_empty() {
            shown.push((name, model.entities.len()));
        }
    }
    // The others have no mesh, or no node that shows one. These are of triangles whose corners are all at (0, 0, 0).
    let expected = [
        ("node/node_skinned_mesh_without_skin.gltf", 1),
        ("node/node_weights_override.gltf", 2),
        ("node/valid.gltf", 1),
        ("skin/ignored_animated_transform.gltf", 1),
        ("skin/ignored_local_transform.gltf", 1),
        ("skin/ignored_parent_transform.gltf", 1),
    ];
    assert_eq!(shown, expected.map(|(name, entities)| (name.to_owned(), entities)));
    // A cube each, in a buffer that is said to be elsewhere.
    assert_eq!(without_data, ["root/named_objects.gltf", "root/unused_objects.gltf"]);
    assert_eq!(valid, 76);
}
