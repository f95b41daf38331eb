//! Real models. Their content is compared with the counts of other programs.

use crate::common;
use hitscan::Geometry;
use hitscan_io::{Alpha, Model, Problem, Projection};
use std::collections::HashSet;

/// A file and the facts about it.
struct Facts {
    file: &'static str,
    /// The number of triangles, counted for every node that shows them.
    triangles: usize,
    entities: usize,
    /// The number of different names of nodes with a mesh, or of their instances.
    node_names: usize,
    cameras: usize,
    materials: usize,
    masks: usize,
    blends: usize,
}

const fn facts(
    file: &'static str,
    triangles: usize,
    [entities, node_names, cameras]: [usize; 3],
    [materials, masks, blends]: [usize; 3],
) -> Facts {
    Facts { file, triangles, entities, node_names, cameras, materials, masks, blends }
}

const FACTS: [Facts; 27] = [
    facts("interiors/sponza.glb", 262_267, [1, 0, 0], [25, 3, 0]),
    facts("interiors/dream-apartment.glb", 177_934, [1, 0, 0], [67, 0, 0]),
    facts("scenes/truck-town.glb", 30_477, [20, 20, 0], [9, 0, 0]),
    facts("scenes/tps-level-lights.glb", 5_440, [136, 136, 0], [1, 0, 0]),
    facts("scenes/low-poly-terrain.glb", 3_868, [35, 35, 0], [8, 0, 0]),
    facts("scenes/balloon.glb", 35_698, [37, 37, 0], [37, 0, 0]),
    facts("scenes/car.glb", 13_278, [24, 24, 0], [2, 0, 0]),
    facts("scenes/2CylinderEngine.glb", 121_496, [67, 0, 1], [34, 0, 0]),
    facts("scenes/many-cubes.gltf", 6_012, [501, 501, 1], [0, 0, 0]),
    facts("scenes/geodesic-sphere.glb", 1_076, [93, 93, 0], [0, 0, 0]),
    facts("skinned/Fox.glb", 576, [1, 1, 0], [1, 0, 0]),
    facts("skinned/godot-player.glb", 1_911, [1, 1, 0], [2, 0, 0]),
    facts("skinned/mannequiny.glb", 13_832, [1, 1, 0], [3, 0, 0]),
    facts("skinned/SimpleSkin.gltf", 8, [1, 0, 0], [0, 0, 0]),
    facts("skinned/morph-stress-test.glb", 2_412, [1, 1, 0], [2, 0, 0]),
    facts("alpha-mask/orange-flower.glb", 56, [1, 1, 0], [2, 2, 0]),
    facts("alpha-mask/alpha-blend-mode-test.glb", 61, [9, 9, 1], [6, 3, 1]),
    facts("alpha-mask/pine-tree.glb", 1_650, [2, 2, 0], [2, 0, 1]),
    facts("cameras/Cameras.gltf", 2, [1, 0, 2], [0, 0, 0]),
    facts("cameras/geometry-camera-light.glb", 14, [2, 2, 2], [1, 0, 0]),
    facts("transforms/truck-flat-mirrored.glb", 2_370, [5, 5, 0], [9, 0, 0]),
    facts("transforms/IrradianceVolumeExample.glb", 32, [1, 1, 0], [4, 0, 0]),
    facts("transforms/GrassFieldInstanced.glb", 1_155_872, [3_001, 3_001, 0], [2, 0, 0]),
    facts("transforms/InstanceTest.glb", 200_000, [2_500, 2_500, 0], [0, 0, 0]),
    facts("compressed/pirate-quantized.glb", 5_010, [1, 0, 0], [1, 0, 0]),
    facts("compressed/meshopt-fallback.gltf", 60, [2, 0, 0], [2, 0, 0]),
    facts("compressed/box-textured-webp.gltf", 12, [1, 0, 0], [1, 0, 0]),
];

#[test]
fn models_hold_what_others_counted() {
    let Some(folder) = common::models() else { return };
    for expected in FACTS {
        let file = expected.file;
        let model = Model::load(folder.join(file)).unwrap_or_else(|error| panic!("{error}"));
        let triangles = |geometry: &Geometry| match geometry {
            Geometry::Mesh(mesh) => mesh.triangle_count(),
            _ => panic!("{file}: a glTF entity is a mesh"),
        };
        let placed: usize = model.entities.iter().map(|entity| triangles(&entity.geometry)).sum();
        assert_eq!(placed, expected.triangles, "{file}: triangles");
        assert_eq!(model.entities.len(), expected.entities, "{file}: entities");
        assert_eq!(model.cameras.len(), expected.cameras, "{file}: cameras");
        assert_eq!(model.materials.len(), expected.materials, "{file}: materials");
        let alpha = |of: fn(&Alpha) -> bool| model.materials.iter().filter(|material| of(&material.alpha)).count();
        assert_eq!(alpha(|alpha| matches!(alpha, Alpha::Mask { .. })), expected.masks, "{file}: masks");
        assert_eq!(alpha(|alpha| *alpha == Alpha::Blend), expected.blends, "{file}: blends");
        for entity in &model.entities {
            let listed: u32 = entity.primitives.iter().map(|primitive| primitive.triangles).sum();
            assert_eq!(listed as usize, triangles(&entity.geometry), "{file}: primitives of {}", entity.name);
        }
        let names: HashSet<&str> = model.entities.iter().map(|entity| entity.name.as_str()).collect();
        assert!(names.len() >= expected.node_names, "{file}: {} names", names.len());
        assert_eq!(model.scene().unwrap().len(), expected.entities, "{file}: in the scene");
    }
}

#[test]
fn names_are_the_nodes_else_the_meshes() {
    let Some(folder) = common::models() else { return };
    let names = |file: &str| -> Vec<String> {
        Model::load(folder.join(file)).unwrap().entities.into_iter().map(|entity| entity.name).collect()
    };
    assert!(names("scenes/truck-town.glb").iter().any(|name| name == "GrassMesh"));
    assert!(names("scenes/2CylinderEngine.glb").iter().all(|name| !name.starts_with("node")), "its meshes have names");
    assert_eq!(names("cameras/Cameras.gltf"), ["node0"]);
}

#[test]
fn cameras_are_as_in_the_file() {
    let Some(folder) = common::models() else { return };
    let cameras = Model::load(folder.join("cameras/Cameras.gltf")).unwrap().cameras;
    let perspective = Projection::Perspective { yfov: 0.7, aspect: Some(1.0), znear: 0.01, zfar: Some(100.0) };
    let orthographic = Projection::Orthographic { xmag: 1.0, ymag: 1.0, znear: 0.01, zfar: 100.0 };
    assert_eq!(cameras.iter().map(|camera| camera.projection).collect::<Vec<_>>(), [perspective, orthographic]);
    assert_eq!(cameras[0].transform.translation.to_array(), [0.5, 0.5, 3.0]);
}

/// Returns for each mask the number of texels of its picture that are below the cutoff, and their total number.
fn holes(model: &Model) -> Vec<(usize, u32)> {
    let counts = model.materials.iter().filter_map(|material| {
        let (Alpha::Mask { cutoff }, Some(texture)) = (material.alpha, &material.texture) else { return None };
        let (width, height) = texture.size();
        let texel = |i: u32, size: u32| (i as f32 + 0.5) / size as f32;
        let places = (0..height).flat_map(|y| (0..width).map(move |x| (x, y)));
        let is_hole = |&(x, y): &(u32, u32)| texture.alpha([texel(x, width), texel(y, height)].into()) < cutoff;
        Some((places.filter(is_hole).count(), width * height))
    });
    counts.collect()
}

#[test]
fn masks_have_as_many_holes_as_others_counted() {
    let Some(folder) = common::models() else { return };
    let flower = Model::load(folder.join("alpha-mask/orange-flower.glb")).unwrap();
    let sizes: Vec<_> = flower.materials.iter().map(|material| material.texture.as_ref().unwrap().size()).collect();
    assert_eq!(sizes, [(128, 192), (128, 128)]);
    // The numbers were counted in Python with zlib and an implementation of the PNG filters.
    assert_eq!(holes(&flower), [(10_036, 128 * 192), (7_777, 128 * 128)]);
    let sponza = holes(&Model::load(folder.join("interiors/sponza.glb")).unwrap());
    assert_eq!(sponza.len(), 3);
    let share = |&(holes, texels): &(usize, u32)| 100.0 * holes as f64 / f64::from(texels);
    assert!(sponza.iter().map(share).all(|share| (50.5..62.5).contains(&share)), "{sponza:?}");
}

#[test]
fn what_moves_stands_still_without_a_warning() {
    let Some(folder) = common::models() else { return };
    for file in ["skinned/Fox.glb", "skinned/morph-stress-test.glb", "transforms/InstanceTest.glb"] {
        assert_eq!(Model::load(folder.join(file)).unwrap().warnings, [], "{file}");
    }
}

#[test]
fn instances_share_their_mesh_and_have_numbers() {
    let Some(folder) = common::models() else { return };
    let model = Model::load(folder.join("transforms/GrassFieldInstanced.glb")).unwrap();
    let grass: Vec<_> = model.entities.iter().filter(|entity| entity.name.contains('#')).collect();
    assert_eq!(grass.len(), 3_000);
    let Geometry::Mesh(first) = &grass[0].geometry else { panic!("a glTF entity is a mesh") };
    for (number, entity) in grass.iter().enumerate() {
        assert!(entity.name.ends_with(&format!("#{number}")) && entity.node == grass[0].node, "{}", entity.name);
        let Geometry::Mesh(mesh) = &entity.geometry else { panic!("a glTF entity is a mesh") };
        assert_eq!(mesh.positions().as_ptr(), first.positions().as_ptr(), "one mesh, not many equal ones");
    }
}

#[test]
fn compressed_geometry_is_refused_by_name() {
    let Some(folder) = common::models() else { return };
    let files = [
        ("compressed/pirate-meshopt.glb", "EXT_meshopt_compression"),
        ("compressed/dream-apartment-meshopt.glb", "EXT_meshopt_compression"),
        ("compressed/2CylinderEngine.gltf", "KHR_draco_mesh_compression"),
        ("compressed/DenseSphere-draco.glb", "KHR_draco_mesh_compression"),
    ];
    for (file, extension) in files {
        let error = Model::load(folder.join(file)).unwrap_err();
        assert!(matches!(&error.problem, Problem::Extension { name, .. } if name == extension), "{error}");
        assert!(error.to_string().contains(extension) && error.to_string().contains("gltf-transform"), "{error}");
    }
    for file in ["odd-input/gltf1/box-gltf1.gltf", "odd-input/gltf1/box-textured-binary-gltf1.glb"] {
        let path = folder.join(file);
        let error = Model::load(&path).unwrap_err();
        assert!(matches!(&error.problem, Problem::Version(version) if version.starts_with('1')), "{error}");
    }
}
