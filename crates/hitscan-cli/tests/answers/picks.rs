//! Picks in real models, as recorded by an independent program: see `record.py` beside the records.

use crate::common::{hitscan, models};
use crate::truth;
use crate::truth::T_TOLERANCE;
use rayon::prelude::*;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};

/// A recorded pick, and its file.
struct Pick {
    file: PathBuf,
    record: Value,
}

#[test]
fn picks_are_as_recorded() {
    let Some(models) = models() else { return };
    let at_rest = truth::files().map(|file| (file, "picks.json"));
    for (file, record) in at_rest.chain(truth::POSED.map(|file| (file, "poses.json"))) {
        let picks = picks(&models, file, record);
        let agreeing: usize = picks.par_iter().map(|pick| usize::from(pick.agrees())).sum();
        println!("{file}, {record}: {agreeing} of {} picks have one right answer, and it was given", picks.len());
        assert!(agreeing * 4 > picks.len() * 3, "{file}, {record}: only {agreeing} picks that are not ambiguous");
    }
}

fn picks(models: &Path, file: &str, record: &str) -> Vec<Pick> {
    let file = models.join(file);
    let name = file.file_stem().unwrap().to_str().unwrap();
    let record = truth::folder().join(format!("{name}.{record}"));
    let text = fs::read_to_string(&record).unwrap_or_else(|error| panic!("{}: {error}", record.display()));
    let mut record: Value = serde_json::from_str(&text).unwrap();
    let Value::Array(picks) = record["picks"].take() else { panic!("{name} has no picks") };
    picks.into_iter().map(|record| Pick { file: file.clone(), record }).collect()
}

impl Pick {
    /// Returns whether the record has a single right answer. Then it also checks that the program gives this answer,
    /// for the solid model, and through holes if the model has some.
    fn agrees(&self) -> bool {
        let through_holes = &self.record["through_holes"];
        let solid = self.answer_is(&self.record, &["--no-cutout"]);
        solid && (through_holes.is_null() || self.answer_is(through_holes, &[]))
    }

    fn answer_is(&self, answer: &Value, options: &[&str]) -> bool {
        let at = || format!("{} {}", self.file.display(), self.record);
        let file = self.file.to_str().unwrap();
        let options = options.iter().map(ToString::to_string).chain(arguments(&self.record));
        let hits = hitscan(["--quiet", "pick", file].map(String::from).into_iter().chain(options)).hits();
        if answer["ambiguous"] == true {
            return false;
        }
        let expected = &answer["hit"];
        assert_eq!(hits.len(), usize::from(!expected.is_null()), "{}: {hits:?}", at());
        if let [hit] = &hits[..] {
            // Values that the independent program cannot know are null in the record.
            for key in ["entity", "node", "triangle", "joint", "joint_node"]
                .into_iter()
                .filter(|&key| !expected[key].is_null())
            {
                assert_eq!(hit[key], expected[key], "{}: {hit}", at());
            }
            assert_eq!(hit["node"], expected["node"], "{}: {hit}", at());
            let (t, expected) = (hit["t"].as_f64().unwrap(), expected["t"].as_f64().unwrap());
            assert!((t - expected).abs() <= T_TOLERANCE * expected, "{}: {hit}", at());
        }
        true
    }
}

fn arguments(pick: &Value) -> Vec<String> {
    let mut arguments: Vec<String> = vec!["--json".to_owned()];
    let mut add = |option: &str, value: String| arguments.extend([option.to_owned(), value]);
    let [x, y] = [0, 1].map(|axis| pick["size"][axis].to_string());
    add("--size", format!("{x}x{y}"));
    if let Some(animation) = pick["animation"].as_str() {
        add("--animation", animation.to_owned());
        add("--time", pick["time"].to_string());
    }
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
