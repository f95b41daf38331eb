//! Real models in OBJ, STL and PLY. Their content is compared with the counts of other programs.

use crate::common;
use hitscan::glam::{DVec3, Vec3};
use hitscan::{Geometry, Mesh};
use hitscan_io::{Entity, Model, Warning};
use std::path::Path;
use std::time::Instant;

/// A file, and its numbers of triangles, entities and materials.
const FACTS: [(&str, usize, usize, usize); 22] = [
    ("scans/stanford-bunny.obj", 69_451, 1, 0),
    ("scans/igea.ply", 268_686, 1, 0),
    ("scans/igea-tristrips.ply", 268_686, 1, 0),
    ("obj/dungeon.obj", 10_133, 1, 0),
    ("obj/nav_test.obj", 1_612, 1, 1),
    ("obj/spider.obj", 1_368, 19, 5),
    ("obj/rabbit.obj", 1_252, 9, 1),
    ("obj/concave_polygon.obj", 64, 1, 1),
    ("obj/cube_usemtl.obj", 12, 1, 3),
    ("obj/cube_with_vertexcolors.obj", 12, 1, 0),
    ("stl/featuretype.STL", 3_476, 1, 0),
    ("stl/plate_holes.STL", 1_252, 1, 0),
    ("stl/1002_tray_bottom.STL", 4_520, 1, 0),
    ("stl/multibody.stl", 32, 2, 0),
    ("stl/two_objects_mixed_case_names.stl", 24, 2, 0),
    ("stl/Spider_ascii.stl", 1_368, 1, 0),
    ("stl/sphereWithHole.stl", 285, 1, 0),
    ("ply/cycloidal.ply", 43_368, 1, 0),
    ("ply/Wuson.ply", 3_732, 1, 0),
    ("ply/fuze_ascii.ply", 1_000, 1, 0),
    ("ply/suzanne.ply", 968, 1, 0),
    ("ply/cube_binary.ply", 12, 1, 0),
];

fn mesh(entity: &Entity) -> &Mesh {
    match &entity.geometry {
        Geometry::Mesh(mesh) => mesh,
        other => panic!("an entity is a mesh, not {other:?}"),
    }
}

fn load(path: &Path) -> Model {
    Model::load(path).unwrap_or_else(|error| panic!("{error}"))
}

fn triangles(model: &Model) -> impl Iterator<Item = [Vec3; 3]> {
    model.entities.iter().flat_map(|entity| (0..).map_while(|triangle| mesh(entity).triangle(triangle)))
}

#[test]
fn models_hold_what_others_counted() {
    let Some(folder) = common::models() else { return };
    for (file, count, entities, materials) in FACTS {
        let start = Instant::now();
        let model = load(&folder.join(file));
        println!("{file}: {:?} {:?}", start.elapsed(), model.warnings);
        let counts = (triangles(&model).count(), model.entities.len(), model.materials.len());
        assert_eq!(counts, (count, entities, materials), "{file}: triangles, entities, materials");
        for entity in &model.entities {
            let (listed, mut next) = (mesh(entity).triangle_count(), 0);
            for (primitive, index) in entity.primitives.iter().zip(0..) {
                assert_eq!((primitive.index, primitive.first_triangle), (index, next), "{file}: {}", entity.name);
                assert!(primitive.triangles > 0, "{file}: {}", entity.name);
                next += primitive.triangles;
            }
            assert_eq!(next as usize, listed, "{file}: primitives of {}", entity.name);
            assert_eq!(entity.node, None, "{file}");
        }
        assert_eq!(model.scene().unwrap().len(), entities, "{file}: in the scene");
    }
}

#[test]
fn names_are_as_in_the_file() {
    let Some(folder) = common::models() else { return };
    let names = |file: &str| -> Vec<String> {
        load(&folder.join(file)).entities.into_iter().map(|entity| entity.name).collect()
    };
    assert_eq!(names("obj/nav_test.obj"), ["nav_test.obj"]);
    assert_eq!(names("obj/dungeon.obj"), ["object0"]);
    assert_eq!(names("obj/concave_polygon.obj"), ["concave_test.obj"]);
    assert_eq!(names("obj/rabbit.obj")[..2], ["sphere4_cut11", "sphere6_copy11"]);
    assert_eq!(names("obj/spider.obj")[..3], ["HLeib01", "OK", "Bein1Li"]);
    assert_eq!(names("stl/multibody.stl")[0], "bodyB");
    assert_eq!(names("stl/sphereWithHole.stl"), ["tinysphere_withhole"]);
    assert_eq!(names("stl/two_objects_mixed_case_names.stl")[0], "CubeExportedFromCAD");
    assert_eq!(names("stl/plate_holes.STL"), ["solid0"]);
    assert_eq!(names("scans/igea.ply"), ["mesh0"]);
}

/// Returns six times the volume within closed surfaces that face outwards.
fn volume(model: &Model) -> f64 {
    triangles(model).map(|corners| corners.map(|v| v.as_dvec3())).map(|[a, b, c]| a.dot(b.cross(c))).sum()
}

#[test]
fn closed_surfaces_face_outwards() {
    let Some(folder) = common::models() else { return };
    for file in [
        "scans/igea.ply",
        "scans/igea-tristrips.ply",
        "stl/featuretype.STL",
        "stl/plate_holes.STL",
        "stl/1002_tray_bottom.STL",
        "stl/multibody.stl",
        "ply/cycloidal.ply",
        "ply/fuze_ascii.ply",
        "ply/cube_binary.ply",
        "obj/rabbit.obj",
    ] {
        let volume = volume(&load(&folder.join(file)));
        println!("{file}: {volume}");
        assert!(volume > 0.0, "{file}: {volume}");
    }
}

#[test]
fn strips_are_the_triangles_that_others_made_of_them() {
    let Some(folder) = common::models() else { return };
    // The corners of each triangle are rotated until the lowest is first, because the choice of a triangle's first
    // corner is free.
    let sorted = |file: &str| {
        let mut all: Vec<[[u32; 3]; 3]> = triangles(&load(&folder.join(file)))
            .map(|corners| {
                let mut corners = corners.map(|corner| corner.to_array().map(f32::to_bits));
                let lowest = (0..3).min_by_key(|&i| corners[i]).unwrap();
                corners.rotate_left(lowest);
                corners
            })
            .collect();
        all.sort_unstable();
        all
    };
    assert!(sorted("scans/igea.ply") == sorted("scans/igea-tristrips.ply"));
}

fn area([a, b, c]: [DVec3; 3]) -> f64 {
    (b - a).cross(c - a).length() / 2.0
}

#[test]
fn a_concave_polygon_is_covered_once() {
    let Some(folder) = common::models() else { return };
    let path = folder.join("obj/concave_polygon.obj");
    let text = std::fs::read_to_string(&path).unwrap();
    let statements = |keyword: &'static str| {
        text.lines().filter_map(move |line| line.strip_prefix(keyword).map(|rest| rest.split_ascii_whitespace()))
    };
    let vertices: Vec<DVec3> = statements("v ")
        .map(|words| words.map(|word| f64::from(word.parse::<f32>().unwrap())).collect::<Vec<_>>())
        .map(|numbers| DVec3::from_slice(&numbers))
        .collect();
    let face =
        statements("f ").next().unwrap().map(|corner| corner.split('/').next().unwrap().parse::<usize>().unwrap() - 1);
    let corners: Vec<DVec3> = face.map(|index| vertices[index]).collect();
    assert_eq!(corners.len(), 66);
    let turned = corners.iter().cycle().skip(1);
    let shoelace = corners.iter().zip(turned).map(|(p, q)| p.cross(*q)).sum::<DVec3>().length() / 2.0;

    let covered: f64 = triangles(&load(&path)).map(|corners| area(corners.map(|v| v.as_dvec3()))).sum();
    let fan: f64 = (2..66).map(|i| area([corners[0], corners[i - 1], corners[i]])).sum();
    // The sum has hundreds of terms with a few roundings each, none much larger than the sum.
    assert!((covered - shoelace).abs() <= 1e4 * f64::EPSILON * shoelace, "{covered} of {shoelace}");
    assert!(fan > 1.01 * shoelace, "the fan overlaps itself: {fan}");
}

#[test]
fn what_is_missing_is_said() {
    let Some(folder) = common::models() else { return };
    let warnings = |file: &str| load(&folder.join(file)).warnings;
    for (file, library) in [("obj/rabbit.obj", "rabbit.mtl"), ("obj/nav_test.obj", "nav_test.mtl")] {
        assert!(matches!(&warnings(file)[..], [Warning::Library(fault)] if fault.contains(library)), "{file}");
    }
    assert_eq!(warnings("obj/spider.obj"), []);
    let points = Model::load(folder.join("ply/points_ascii.ply")).unwrap_err();
    assert!(points.to_string().contains("has no faces"), "{points}");
}
