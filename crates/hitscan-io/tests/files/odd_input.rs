//! Test files of other projects: unusual, broken and hostile ones. Each is read, or refused with a reason.

use crate::common;
use hitscan::Geometry;
use hitscan_io::{Detail, Format, LoadError, Model, Warning};
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

/// Returns all files of these formats below a folder.
fn files(folder: &Path, formats: &[Format]) -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir().unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if Format::of_name(&path).is_some_and(|format| formats.contains(&format)) {
                found.push(path);
            }
        }
    }
    found.sort();
    found
}

/// Loads a file with a time limit, for hits and for a picture.
fn load(path: &Path) -> Result<Model, LoadError> {
    let start = Instant::now();
    let model = Model::load(path);
    let entities = |model: &Result<Model, LoadError>| model.as_ref().ok().map(|model| model.entities.len());
    assert_eq!(entities(&model), entities(&Model::load_with(path, Detail::Colors)), "{}", path.display());
    assert!(start.elapsed() < Duration::from_secs(10), "{} took {:?}", path.display(), start.elapsed());
    model
}

#[test]
fn every_file_loads_or_says_why_not() {
    let Some(models) = common::models() else { return };
    let (mut loaded, mut refused) = (0, 0);
    let (mut played_count, mut broken_count) = (0, 0);
    for path in files(&models.join("odd-input"), &[Format::Gltf]) {
        match load(&path) {
            Ok(model) => {
                loaded += 1;
                let mut scene = model.scene().unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                let mut pose = model.pose();
                for (index, animation) in model.animations.iter().enumerate() {
                    let played = pose.animate(index, animation.duration / 2.0);
                    assert_eq!(played.is_ok(), animation.fault.is_none(), "{}: {played:?}", path.display());
                    pose.apply(&mut scene).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
                    (played_count, broken_count) = match played {
                        Ok(()) => (played_count + 1, broken_count),
                        Err(_) => (played_count, broken_count + 1),
                    };
                }
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
    println!("{played_count} animations play, {broken_count} cannot be played");
    assert!(loaded + refused > 300, "the folder has 312 of them");
    assert!(played_count > 8 && broken_count > 8, "there are 29 in all");
}

#[test]
fn what_the_validator_finds_no_error_in_loads() {
    let Some(models) = common::models() else { return };
    let folder = models.join("odd-input/gltf-validator");
    let (mut valid, mut shown, mut without_data) = (0, Vec::new(), Vec::new());
    for path in files(&folder, &[Format::Gltf]) {
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
    // The other files have no mesh, or no node that shows one. These have triangles whose corners are all at (0, 0, 0).
    let expected = [
        ("node/node_skinned_mesh_without_skin.gltf", 1),
        ("node/node_weights_override.gltf", 2),
        ("node/valid.gltf", 1),
        ("skin/ignored_animated_transform.gltf", 1),
        ("skin/ignored_local_transform.gltf", 1),
        ("skin/ignored_parent_transform.gltf", 1),
    ];
    assert_eq!(shown, expected.map(|(name, entities)| (name.to_owned(), entities)));
    // Each has a cube in a buffer that is stored elsewhere.
    assert_eq!(without_data, ["root/named_objects.gltf", "root/unused_objects.gltf"]);
    assert_eq!(valid, 76);
}

/// The numbers of entities and triangles, or a part of the message.
type Outcome = Result<(usize, usize), &'static str>;

/// The outcomes of the files that are not glTF. The entities and triangles of small files were counted by hand. The
/// triangles of the others are from their `f` lines, or from the number in an STL.
const OTHERS: [(&str, Outcome); 60] = [
    ("assimp/OBJ/box_UTF16BE.obj", Ok((1, 12))),
    ("assimp/OBJ/box_longline.obj", Ok((1, 944))),
    ("assimp/OBJ/box_mat_with_spaces.obj", Ok((1, 12))),
    ("assimp/OBJ/box_without_lineending.obj", Ok((1, 12))),
    ("assimp/OBJ/multiple_spaces.obj", Ok((1, 1))),
    ("assimp/OBJ/number_formats.obj", Ok((1, 1))),
    ("assimp/OBJ/only_a_part_of_vertexcolors.obj", Ok((1, 3))),
    ("assimp/OBJ/point_cloud.obj", Err("has no faces")),
    ("assimp/OBJ/regr01.obj", Ok((55, 2710))),
    ("assimp/OBJ/regr_3429812.obj", Ok((3, 4))),
    ("assimp/OBJ/testline.obj", Err("has no faces")),
    ("assimp/OBJ/testmixed.obj", Ok((1, 12))),
    ("assimp/OBJ/testpoints.obj", Err("has no faces")),
    ("assimp/PLY/cube.ply", Ok((1, 12))),
    ("assimp/PLY/cube_binary_header_with_RN_newline.ply", Ok((1, 12))),
    ("assimp/PLY/cube_binary_starts_with_nl.ply", Ok((1, 12))),
    ("assimp/PLY/cube_uv.ply", Ok((1, 12))),
    ("assimp/PLY/float-color.ply", Ok((1, 1))),
    ("assimp/PLY/issue623.ply", Err("line 14 has fewer values")),
    ("assimp/PLY/points.ply", Err("has no faces")),
    ("assimp/STL/formatDetection", Ok((1, 1))),
    ("assimp/STL/triangle.stl", Ok((1, 1))),
    ("assimp/STL/triangle_with_empty_solid.stl", Ok((1, 1))),
    ("assimp/STL/triangle_with_two_solids.stl", Ok((2, 2))),
    ("assimp/invalid/crash-30d6d0f7c529b3b66b4131700b7a4580cd7082df.ply", Err("line 7 of its header")),
    ("assimp/invalid/empty.obj", Ok((0, 0))),
    ("assimp/invalid/empty.ply", Err("does not begin with the line")),
    ("assimp/invalid/malformed.obj", Err("line 28 has the corner")),
    ("assimp/invalid/malformed2.obj", Ok((1, 10))),
    ("trimesh/busted.STL", Ok((1, 3878))),
    ("trimesh/cube_compressed.obj", Ok((1, 12))),
    ("trimesh/empty.obj", Ok((0, 0))),
    ("trimesh/empty.ply", Ok((0, 0))),
    ("trimesh/empty.stl", Ok((0, 0))),
    ("trimesh/emptyIO/obj_empty.obj", Ok((0, 0))),
    ("trimesh/emptyIO/obj_points.obj", Err("has no faces")),
    ("trimesh/emptyIO/obj_wireframe.obj", Err("has no faces")),
    ("trimesh/emptyIO/ply_empty_ascii.ply", Ok((0, 0))),
    ("trimesh/emptyIO/ply_empty_bin.ply", Ok((0, 0))),
    ("trimesh/emptyIO/ply_empty_header.ply", Ok((0, 0))),
    ("trimesh/emptyIO/ply_points_ascii.ply", Err("has no faces")),
    ("trimesh/emptyIO/ply_points_bin.ply", Err("has no faces")),
    ("trimesh/emptyIO/stl_empty_ascii.stl", Ok((0, 0))),
    ("trimesh/emptyIO/stl_empty_bin.stl", Ok((0, 0))),
    ("trimesh/face_in_group_name.obj", Err("has no faces")),
    ("trimesh/face_in_group_name_mid_file.obj", Ok((2, 2))),
    ("trimesh/jacked.obj", Ok((1, 12))),
    ("trimesh/joined_tetrahedra.obj", Ok((2, 8))),
    ("trimesh/metadata.ply", Ok((1, 2))),
    ("trimesh/multi.ply", Ok((1, 2))),
    ("trimesh/nancolor.obj", Ok((1, 12))),
    ("trimesh/negative_indices.obj", Ok((1, 12))),
    ("trimesh/not_convex.obj", Ok((1, 96))),
    ("trimesh/notenoughindices.obj", Ok((1, 1))),
    ("trimesh/obj_with_no_face_in_chunk.obj", Ok((1, 1))),
    ("trimesh/points_ascii_with_lists.ply", Err("has no faces")),
    ("trimesh/points_emptyascii.ply", Err("has no faces")),
    ("trimesh/points_emptyface.ply", Err("has no faces")),
    ("trimesh/polygonfaces.obj", Ok((1, 3))),
    ("trimesh/singlevn.obj", Ok((1, 2))),
];

/// The first byte of the file's binary data is a line feed.
#[test]
fn binary_data_may_begin_like_a_line_break() {
    let Some(models) = common::models() else { return };
    let model = load(&models.join("odd-input/assimp/PLY/cube_binary_starts_with_nl.ply")).unwrap();
    let Geometry::Mesh(mesh) = &model.entities[0].geometry else { panic!("an entity is a mesh") };
    // The cube has edges of 1. A shift by a byte would change all coordinates.
    let (low, high) = (f32::from_bits(0x40BE_F60A), f32::from_bits(0x40DE_F60A));
    let bounds = mesh.bounds();
    assert_eq!((bounds.min.to_array(), bounds.max.to_array()), ([low, 0.0, 0.0], [high, 1.0, 1.0]));
}

#[test]
fn other_formats_load_or_say_why_not() {
    let Some(models) = common::models() else { return };
    let folder = models.join("odd-input");
    let mut found = files(&folder, &[Format::Obj, Format::Stl, Format::Ply]);
    // This is an STL without an extension.
    found.push(folder.join("assimp/STL/formatDetection"));
    assert_eq!(found.len(), OTHERS.len());
    for path in found {
        let name = path.strip_prefix(&folder).unwrap().to_str().unwrap();
        let expected = OTHERS.iter().find(|(file, _)| *file == name).map(|(_, expected)| *expected);
        match load(&path) {
            Ok(model) => {
                model.scene().unwrap();
                let triangles = |geometry: &Geometry| match geometry {
                    Geometry::Mesh(mesh) => mesh.triangle_count(),
                    _ => panic!("{name}: an entity is a mesh"),
                };
                let count = model.entities.iter().map(|entity| triangles(&entity.geometry)).sum::<usize>();
                let counts = (model.entities.len(), count);
                let said: Vec<String> = model.warnings.iter().map(ToString::to_string).collect();
                assert_eq!(Some(Ok(counts)), expected, "{name}: {said:?}");
            }
            Err(error) => {
                let is_expected = expected
                    .is_some_and(|expected| expected.is_err_and(|part| error.problem.to_string().contains(part)));
                assert!(is_expected, "{error}, not {expected:?}");
            }
        }
    }
}
