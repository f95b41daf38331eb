//! Baked models. A model is read back as it was baked, every ray hits the same, and no other bytes are accepted.

use crate::common;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Geometry, Hit, Mesh, Quality, Ray, RayQueries};
use hitscan_io::{Detail, EntityId, Format, Model, Pose, Problem, Warning};
use hitscan_random::Random;
use std::collections::HashSet;
use std::path::Path;
use twox_hash::XxHash3_64;

type Bits = (u32, u32, u32, Option<u32>, [u32; 6], Option<[u32; 2]>);

fn bits(hit: &Hit<EntityId>) -> Bits {
    let (p, n) = (hit.point, hit.normal);
    let six = [p.x, p.y, p.z, n.x, n.y, n.z].map(f32::to_bits);
    (hit.id.0, hit.part, hit.t.to_bits(), hit.triangle, six, hit.uv.map(|uv| uv.to_array().map(f32::to_bits)))
}

/// An entity, its transform, its vertices and their normals.
type Posed = (u32, Option<DAffine3>, Vec<Vec3>, Vec<Vec3>);

/// Returns the state of everything that moves.
fn posed(pose: &Pose) -> Vec<Posed> {
    let all = |vectors: Option<&[Vec3]>| vectors.unwrap_or_default().to_vec();
    pose.entities().map(|one| (one.id.0, one.transform, all(one.positions), all(one.normals))).collect()
}

/// Asserts that all data of the two models and the hits of rays are the same.
fn same(model: &Model, baked: &Model, rays: usize, context: &str) {
    assert_eq!(model.materials.len(), baked.materials.len(), "{context}");
    for (a, b) in model.materials.iter().zip(&baked.materials) {
        assert_eq!((&a.name, a.base_color, a.alpha), (&b.name, b.base_color, b.alpha), "{context}");
    }
    assert_eq!(model.cameras, baked.cameras, "{context}");
    assert_eq!(model.entities.len(), baked.entities.len(), "{context}");
    for (a, b) in model.entities.iter().zip(&baked.entities) {
        assert_eq!((&a.name, a.node, a.transform), (&b.name, b.node, b.transform), "{context}");
        let said = |entity: &hitscan_io::Entity| {
            let runs = entity.primitives.iter();
            runs.map(|p| (p.index, p.part, p.first_triangle, p.triangles, p.material, p.has_texcoords))
                .collect::<Vec<_>>()
        };
        assert_eq!(said(a), said(b), "{context}");
    }
    let said = |model: &Model| model.warnings.iter().map(ToString::to_string).collect::<Vec<_>>();
    assert_eq!(said(model), said(baked), "{context}");

    assert_eq!(model.animations, baked.animations, "{context}");
    let poses = [model, baked].map(|model| {
        let mut pose = model.pose();
        let animations = 0..model.animations.len();
        animations.map(|index| pose.animate(index, 0.4).map(|()| posed(&pose))).collect::<Vec<_>>()
    });
    assert!(poses[0] == poses[1], "{context}: poses are others");

    let scenes = [model, baked].map(|model| model.scene().unwrap());
    let bounds = scenes[0].bounds();
    if bounds.is_empty() {
        return;
    }
    let mut random = Random(57);
    let (low, size) = (bounds.min.as_dvec3(), bounds.size().as_dvec3());
    let mut point = || low + size * DVec3::new(random.fraction(), random.fraction(), random.fraction());
    for _ in 0..rays {
        let (from, to) = (point(), point());
        let ray = Ray::new((from + (from - to)).as_vec3(), (to - from).as_vec3());
        let hits = [(model, &scenes[0]), (baked, &scenes[1])].map(|(model, scene)| {
            let hit = scene.cast(&ray);
            let more =
                hit.as_ref().map(|hit| (scene.surface(hit).texcoord(), scene.surface(hit).interpolated_normal()));
            (hit.as_ref().map(bits), more, hit.and_then(|hit| model.base_color(&hit)))
        });
        assert_eq!(hits[0], hits[1], "{context}, {ray:?}");
    }
}

fn check(model: &Model, detail: Detail, rays: usize, context: &str) -> usize {
    let bytes = model.bake(detail).unwrap();
    assert_eq!(Format::of(&bytes), Some(Format::Baked));
    let baked = Model::from_bytes_with(Format::Baked, &bytes, None, detail).unwrap();
    same(model, &baked, rays, context);
    bytes.len()
}

#[test]
fn the_demo_is_the_same_when_it_is_baked() {
    let demo = Model::demo();
    check(&demo, Detail::Hits, 3000, "hits");
    check(&demo, Detail::Colors, 3000, "colors");
    for quality in [Quality::Fast, Quality::Best] {
        let rebuilt = demo.clone().rebuilt(quality);
        same(&demo, &rebuilt, 1000, "rebuilt");
        check(&rebuilt, Detail::Hits, 1000, "rebuilt and baked");
        assert_eq!(meshes(&rebuilt), meshes(&demo), "what was shared is shared");
        assert_eq!(meshes(&Model::from_bytes(&rebuilt.bake(Detail::Hits).unwrap(), None).unwrap()), meshes(&demo));
    }
}

/// Returns the number of different meshes.
fn meshes(model: &Model) -> usize {
    let places = model.entities.iter().filter_map(|entity| match &entity.geometry {
        Geometry::Mesh(mesh) => Some(mesh.positions().as_ptr()),
        _ => None,
    });
    places.collect::<HashSet<_>>().len()
}

#[test]
fn real_models_are_the_same_when_they_are_baked() {
    let Some(folder) = common::models() else { return };
    let files = [
        "scenes/car.glb",
        "scenes/tps-level-lights.glb",
        "skinned/Fox.glb",
        "skinned/mannequiny.glb",
        "skinned/morph-stress-test.glb",
        "alpha-mask/orange-flower.glb",
        "alpha-mask/alpha-blend-mode-test.glb",
        "cameras/geometry-camera-light.glb",
        "transforms/truck-flat-mirrored.glb",
        "transforms/InstanceTest.glb",
        "scans/stanford-bunny.obj",
    ];
    for file in files {
        for detail in [Detail::Hits, Detail::Colors] {
            let model = Model::load_with(folder.join(file), detail).unwrap();
            let bytes = check(&model, detail, 500, &format!("{file}, {detail:?}"));
            println!("{file}, {detail:?}: {bytes} bytes");
        }
    }
}

/// Data that decides no hit is left out. If this data is requested, a warning says so.
#[test]
fn colors_are_baked_only_on_demand() {
    let text = "v 0 0 0 1 0 0\nv 1 0 0 1 0 0\nv 0 1 0 1 0 0\nf 1 2 3\n";
    let model = Model::from_bytes_with(Format::Obj, text.as_bytes(), None, Detail::Colors).unwrap();
    let color = |model: &Model| {
        let hit = model.scene().unwrap().cast(&Ray::new([0.2, 0.2, 1.0], Vec3::NEG_Z)).unwrap();
        model.base_color(&hit)
    };
    let load = |bytes: &[u8]| Model::from_bytes_with(Format::Baked, bytes, None, Detail::Colors).unwrap();
    let [plain, colored] = [Detail::Hits, Detail::Colors].map(|detail| load(&model.bake(detail).unwrap()));
    assert_eq!((color(&colored), &colored.warnings[..]), (Some([1.0, 0.0, 0.0, 1.0]), &[][..]));
    assert_eq!((color(&plain), &plain.warnings[..]), (None, &[Warning::NoColors][..]));
    assert!(Model::from_bytes(&model.bake(Detail::Hits).unwrap(), None).unwrap().warnings.is_empty());
}

/// A baked model is recognised whatever its file name is.
#[test]
fn baked_files_are_known_by_their_content() {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR"));
    let bytes = Model::demo().bake(Detail::Hits).unwrap();
    for name in ["baked.hitscan", "baked", "baked.obj", "baked.glb"] {
        let file = folder.join(name);
        std::fs::write(&file, &bytes).unwrap();
        assert_eq!(Model::load(&file).unwrap().entities.len(), Model::demo().entities.len(), "{name}");
    }
    let file = folder.join("a mesh.hitscan");
    std::fs::write(&file, Mesh::from_soup(&[Vec3::ZERO, Vec3::X, Vec3::Y]).unwrap().to_bytes()).unwrap();
    let error = Model::load(&file).unwrap_err().to_string();
    assert!(error.contains("is no readable baked model: it does not begin as one"), "{error}");
}

fn small() -> Model {
    let text = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 1 1 0\no a\nf 1 2 3\no b\nf 2 4 3\n";
    Model::from_bytes_as(Format::Obj, text.as_bytes(), None).unwrap()
}

#[test]
fn every_bit_and_every_length_count() {
    let bytes = small().bake(Detail::Colors).unwrap();
    for bit in 0..8 * bytes.len() {
        let mut damaged = bytes.clone();
        damaged[bit / 8] ^= 1 << (bit % 8);
        assert!(Model::from_bytes_as(Format::Baked, &damaged, None).is_err(), "bit {bit}");
    }
    for length in 0..bytes.len() {
        let error = Model::from_bytes_as(Format::Baked, &bytes[..length], None).unwrap_err();
        assert!(matches!(error, Problem::Unreadable { format: Format::Baked, .. }), "{length}: {error}");
    }
    assert!(Model::from_bytes(&[&bytes[..], &[0]].concat(), None).is_err());
    let mut other = bytes;
    other[8] = 9;
    let error = Model::from_bytes(&other, None).unwrap_err().to_string();
    assert_eq!(error, "is no readable baked model: it is of version 9, and 2 can be read: bake it anew");
}

/// Altered contents with a valid checksum are refused, or make a model that can be queried.
#[test]
fn forged_contents_are_refused_or_harmless() {
    let seed = 58;
    let mut random = Random(seed);
    let demo = Model::demo().bake(Detail::Colors).unwrap();
    let (mut read, mut refused) = (0, 0);
    for (model, steps) in [(small().bake(Detail::Colors).unwrap(), 3000), (demo, 60)] {
        let contents = u64::from_le_bytes(model[12..20].try_into().unwrap()) as usize;
        for _ in 0..steps {
            let mut forged = model.clone();
            for _ in 0..1 + random.below(3) {
                let at = 28 + random.below(contents);
                forged[at] =
                    [forged[at] ^ 1, forged[at].wrapping_add(1), 0xff, 0, 0x80, random.bits() as u8][random.below(6)];
            }
            let checksum = XxHash3_64::oneshot(&forged[..28 + contents]);
            forged[28 + contents..36 + contents].copy_from_slice(&checksum.to_le_bytes());
            let Ok(model) = Model::from_bytes(&forged, None) else {
                refused += 1;
                continue;
            };
            read += 1;
            model.scene().unwrap();
            for entity in &model.entities {
                for triangle in [0, 1, 2, 1000, u32::MAX] {
                    let _ = entity.primitive(0, Some(triangle));
                }
            }
        }
    }
    println!("{read} were read, {refused} refused, seed {seed}");
    assert!(read > 100 && refused > 100);
}
