//! Rays at real models, compared with answers that an independent program recorded (truth/record.py). The program is
//! in Python, tests every triangle in f64, and shares no code with this library.

use crate::common;
use crate::truth;
use crate::truth::{Tally, Truth};
use hitscan::glam::Vec3;
use hitscan::{CutOuts, Ray, RayQueries};
use hitscan_io::{Alpha, Material, Model};
use std::collections::BTreeMap;
use std::path::Path;

/// The files with cut-out materials. At least this many rays are stopped by each of these materials. At least as
/// many pass through its holes.
const CUT_OUTS: [(&str, usize); 3] =
    [("interiors/sponza.glb", 0), ("alpha-mask/orange-flower.glb", 100), ("alpha-mask/alpha-blend-mode-test.glb", 90)];

#[test]
fn closest_hits_agree_with_brute_force_in_another_language() {
    let Some(models) = common::models() else { return };
    for file in truth::files() {
        let (model, truth) = load(&models, file);
        let tally = compare(file, &model, &truth, 0, CutOuts::Solid);
        println!("{file}: {tally:?}");
        assert!(tally.hits > 300 && tally.hits + tally.misses > 9_900, "{file}: {tally:?}");
    }
}

#[test]
fn holes_are_where_another_reading_of_the_texture_has_them() {
    let Some(models) = common::models() else { return };
    for (file, least) in CUT_OUTS {
        let (model, truth) = load(&models, file);
        let tally = compare(file, &model, &truth, 1, CutOuts::Open);
        println!("{file}: {tally:?}");
        assert!(tally.hits > 300 && tally.undecided * 500 < truth.answers[1].len(), "{file}: {tally:?}");
        for (material, [stopped, through]) in at_cut_outs(&model, &truth) {
            let Material { name, alpha, .. } = &model.materials[material];
            println!("  {name:?}, {alpha:?}: {stopped} rays are stopped, {through} go through holes");
            assert!(stopped >= least && through >= least, "{file}: {name:?} {stopped} {through}");
        }
    }
}

/// Returns for each cut-out material how many rays it stops, and how many rays pass through its holes. Only rays
/// that would hit the material first, if it had no holes, are counted.
fn at_cut_outs(model: &Model, truth: &Truth) -> BTreeMap<usize, [usize; 2]> {
    let is_mask = |material: &Material| matches!(material.alpha, Alpha::Mask { .. });
    let masks = (0..model.materials.len()).filter(|&material| is_mask(&model.materials[material]));
    let mut counts: BTreeMap<usize, [usize; 2]> = masks.map(|material| (material, [0; 2])).collect();
    for (solid, cut) in truth.answers[0].iter().zip(&truth.answers[1]) {
        let Some(hit) = solid.hit else { continue };
        let material = model.entities[hit.entity].primitive(0, Some(hit.triangle)).unwrap().material;
        if let Some(counts) = material.and_then(|material| counts.get_mut(&material)) {
            counts[usize::from(cut.hit.is_none_or(|cut| cut.t != hit.t))] += 1;
        }
    }
    counts
}

#[test]
fn every_recorded_file_is_compared() {
    let recorded = truth::folder().read_dir().unwrap().map(|entry| entry.unwrap().path());
    let mut recorded: Vec<String> = recorded
        .filter(|path| path.extension().is_some_and(|extension| extension == "truth"))
        .map(|path| path.file_stem().unwrap().to_str().unwrap().to_owned())
        .collect();
    let stem = |file: &str| Path::new(file).file_stem().unwrap().to_str().unwrap().to_owned();
    let mut listed: Vec<String> = truth::files().map(stem).collect();
    recorded.sort();
    listed.sort();
    assert_eq!(recorded, listed);
}

/// Loads a model and its truth, which list the same entities in the same order.
fn load(models: &Path, file: &str) -> (Model, Truth) {
    let path = models.join(file);
    let (model, truth) = (Model::load(&path).unwrap(), Truth::of(&path));
    assert_eq!(model.entities.len(), truth.entities.len(), "{file}: entities");
    for (entity, (name, node)) in model.entities.iter().zip(&truth.entities) {
        assert_eq!(entity.node, *node, "{file}: node of {}", entity.name);
        assert!(name.as_ref().is_none_or(|name| *name == entity.name), "{file}: {} should be {name:?}", entity.name);
    }
    (model, truth)
}

fn compare(file: &str, model: &Model, truth: &Truth, set: usize, cut_outs: CutOuts) -> Tally {
    let scene = model.scene().unwrap();
    let found = truth.rays().into_iter().enumerate().map(|(number, ray)| {
        let hit = scene.cut_outs(cut_outs).cast(&ray)?;
        check_point(model, &hit, &ray, &|| format!("{file}, ray {number} {ray:?}: {hit:?}"));
        Some(truth::Hit { entity: hit.id.0 as usize, triangle: hit.triangle.unwrap(), t: hit.t })
    });
    truth.compare(file, set, found)
}

/// Checks that a hit is consistent. The point must be at the triangle's barycentrics, and on the ray.
fn check_point(model: &Model, hit: &hitscan::Hit<hitscan_io::EntityId>, ray: &Ray, at: &dyn Fn() -> String) {
    let entity = model.entity(hit.id).unwrap();
    let hitscan::Geometry::Mesh(mesh) = &entity.geometry else { panic!("a glTF entity is a mesh") };
    let corners = mesh.triangle(hit.triangle.unwrap()).unwrap();
    let [a, b, c] = corners.map(|corner| entity.transform.transform_point3(corner.as_dvec3()));
    let uv = hit.uv.unwrap().as_dvec2();
    let on_triangle = a * (1.0 - uv.x - uv.y) + b * uv.x + c * uv.y;
    // Barycentrics and point are each rounded to f32 once.
    let extent = [a, b, c].map(|corner| corner.abs().max_element()).into_iter().fold(0.0, f64::max);
    assert!(on_triangle.distance(hit.point.as_dvec3()) <= 4.0 * f64::from(f32::EPSILON) * extent, "{}", at());
    let reach = ray.origin.abs().max(hit.point.abs()).max(Vec3::splat(extent as f32)).max_element();
    let slack = 8.0 * f64::from(f32::EPSILON) * f64::from(reach);
    assert!(ray.at(hit.t).as_dvec3().distance(hit.point.as_dvec3()) <= slack, "{}", at());
}
