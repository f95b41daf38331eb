//! `hitscan cast` on real models, through files, compared with the recorded truth of agreement.rs in hitscan-io.

use crate::common::tables::{Npy, folder, ray_csv, ray_npy, rows};
use crate::common::{hitscan, models};
use crate::truth;
use crate::truth::{Hit, Truth};
use rayon::prelude::*;
use std::fs;
use std::path::Path;

/// The number of a file's rays that are also cast from CSV.
const CSV_RAYS: usize = 500;

#[test]
fn casts_agree_with_brute_force_in_another_language() {
    let Some(models) = models() else { return };
    let folder = folder("casts_agree");
    let files: Vec<&str> = truth::files().collect();
    files.par_iter().for_each(|file| compare(&models, file, &folder.join(file.replace('/', "-"))));
}

fn compare(models: &Path, file: &str, folder: &Path) {
    fs::create_dir(folder).unwrap();
    let model = models.join(file);
    let truth = Truth::of(&model);
    let (npy, csv) = (folder.join("rays.npy"), folder.join("rays.csv"));
    let rays = truth.rays();
    fs::write(&npy, ray_npy(&rays, "<f4", false)).unwrap();
    fs::write(&csv, ray_csv(&rays[..CSV_RAYS])).unwrap();
    for (set, options) in [&["--no-cutout"][..], &[]].into_iter().enumerate().take(truth.answers.len()) {
        let hits = Hits::cast(&model, &npy, &folder.join("hits.npz"), options);
        assert_eq!(hits.ray, (0..rays.len() as i64).collect::<Vec<_>>(), "{file}");
        hits.check_names(file, &truth);
        let tally = truth.compare(file, set, (0..rays.len()).map(|row| hits.hit(row)));
        println!("{file} {options:?}: {tally:?}");
        assert!(tally.hits > 300 && tally.undecided * 500 < rays.len(), "{file}: {tally:?}");
        hits.check_csv(&run(&model, &csv, options));
    }
}

/// Returns the output of the program for valid rays; it may warn only about the model.
fn run(model: &Path, rays: &Path, options: &[&str]) -> String {
    let paths = [model, rays].map(|path| path.to_str().unwrap());
    let run = hitscan([&["--quiet", "cast"], &paths[..], options].concat());
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{}", model.display());
    run.stdout
}

/// The arrays of an .npz.
struct Hits {
    ray: Vec<i64>,
    entity: Vec<i32>,
    node: Vec<i32>,
    triangle: Vec<i32>,
    t: Vec<f32>,
    names: Vec<String>,
}

impl Hits {
    fn cast(model: &Path, rays: &Path, out: &Path, options: &[&str]) -> Self {
        let printed = run(model, rays, &[&["-o", out.to_str().unwrap()], options].concat());
        assert_eq!(printed, "");
        let arrays = Npy::read_all(out);
        let array = |name: &str| arrays.iter().find(|array| array.name == name).unwrap();
        Self {
            ray: array("ray").values(),
            entity: array("entity").values(),
            node: array("node").values(),
            triangle: array("triangle").values(),
            t: array("t").values(),
            names: array("names").strings(),
        }
    }

    fn hit(&self, row: usize) -> Option<Hit> {
        let entity = usize::try_from(self.entity[row]).ok();
        // All columns of a miss are empty, and all columns of a hit are filled.
        assert_eq!(entity.is_some(), self.triangle[row] >= 0, "row {row}");
        assert_eq!(entity.is_some(), !self.t[row].is_nan(), "row {row}");
        Some(Hit { entity: entity?, triangle: self.triangle[row].cast_unsigned(), t: self.t[row] })
    }

    /// Checks that entities are listed in the order of the truth, with the same names and nodes if the truth has some.
    fn check_names(&self, file: &str, truth: &Truth) {
        assert_eq!(self.names.len(), truth.entities.len(), "{file}");
        for (own, (name, _)) in self.names.iter().zip(&truth.entities) {
            assert!(name.as_ref().is_none_or(|name| name == own), "{file}: {own:?} should be {name:?}");
        }
        for (row, &node) in self.node.iter().enumerate() {
            let entity = usize::try_from(self.entity[row]).ok();
            let expected = entity.and_then(|entity| truth.entities[entity].1);
            assert_eq!(u32::try_from(node).ok(), expected, "{file}, row {row}");
        }
    }

    /// Checks that CSV and the arrays have the same values, to the bit.
    fn check_csv(&self, csv: &str) {
        let rows = rows(csv);
        assert_eq!(rows.len(), CSV_RAYS + 1);
        for (place, row) in rows[1..].iter().enumerate() {
            let entity = usize::try_from(self.entity[place]).ok();
            let whole = |number: i32| if number < 0 { String::new() } else { number.to_string() };
            let name = entity.map_or(String::new(), |entity| self.names[entity].clone());
            let expected = [place.to_string(), name, whole(self.node[place]), whole(self.triangle[place])];
            assert_eq!(row[..4], expected);
            assert_eq!(row[4].parse().ok().map(f32::to_bits), entity.map(|_| self.t[place].to_bits()), "{row:?}");
        }
    }
}
