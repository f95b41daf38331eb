//! The demo village. It is the same everywhere, and its cameras see something.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{CutOuts, Geometry, Mesh, Ray, RayQueries, Scene};
use hitscan_io::{Alpha, Model, Projection};
use std::collections::HashSet;

/// Returns an FNV-1a hash of the bits of every number that decides a hit.
fn fingerprint(model: &Model) -> u64 {
    let mut hash = 0xCBF2_9CE4_8422_2325_u64;
    let mut add = |bits: u64| hash = (hash ^ bits).wrapping_mul(0x0100_0000_01B3);
    for entity in &model.entities {
        entity.transform.to_cols_array().iter().for_each(|value| add(value.to_bits()));
        if let Geometry::Mesh(mesh) = &entity.geometry {
            let coordinates = mesh.positions().iter().flat_map(|position| position.to_array());
            coordinates.for_each(|value| add(u64::from(value.to_bits())));
        }
    }
    for camera in &model.cameras {
        camera.transform.to_cols_array().iter().for_each(|value| add(value.to_bits()));
    }
    for material in &model.materials {
        let Some(texture) = &material.texture else { continue };
        let (width, height) = texture.size();
        for (x, y) in (0..height).flat_map(|y| (0..width).map(move |x| (x, y))) {
            let texel = [(x, width), (y, height)].map(|(i, size)| (i as f32 + 0.5) / size as f32);
            add(u64::from(texture.alpha(texel.into()).to_bits()));
        }
    }
    hash
}

#[test]
fn it_is_the_same_to_the_bit() {
    let told = "the village changed, and with it every picture and every recorded pick of it";
    assert_eq!(fingerprint(&Model::demo()), 7_949_435_600_107_101_814, "{told}");
}

#[test]
fn everything_has_a_name_a_node_and_a_place_in_the_scene() {
    let model = Model::demo();
    let names: HashSet<&str> = model.entities.iter().map(|entity| entity.name.as_str()).collect();
    assert_eq!(names.len(), model.entities.len(), "names are unique");
    for (index, entity) in model.entities.iter().enumerate() {
        assert_eq!(entity.node, Some(index as u32));
        assert!(!entity.primitives.is_empty());
        for primitive in entity.primitives.iter() {
            assert!(primitive.material.is_some_and(|material| material < model.materials.len()));
        }
    }
    for name in ["Ground", "Bakery", "Inn", "School", "Barn", "Tower", "Well", "Lamp 1", "Fence post 1", "Tree 1"] {
        assert!(names.contains(name), "{name}");
    }
    assert_eq!(model.scene().unwrap().len(), model.entities.len());
    assert_eq!(model.warnings, []);
}

#[test]
fn instances_share_meshes_and_some_are_mirrored() {
    let model = Model::demo();
    let mesh = |name: &str| -> (&Mesh, f64) {
        let entity = model.entities.iter().find(|entity| entity.name == name).unwrap();
        let Geometry::Mesh(mesh) = &entity.geometry else { panic!("{name} is a mesh") };
        (mesh, entity.transform.matrix3.determinant())
    };
    let ((bakery, upright), (ferry_house, mirrored)) = (mesh("Bakery"), mesh("Ferry house"));
    assert_eq!(bakery.positions().as_ptr(), ferry_house.positions().as_ptr(), "one mesh, not two equal ones");
    assert!(upright > 0.0 && mirrored < 0.0);
}

/// Returns the ray through the centre of the first camera's picture.
fn middle(model: &Model) -> Ray {
    let camera = &model.cameras[0];
    assert_eq!(camera.name, "Overview");
    assert!(matches!(camera.projection, Projection::Perspective { .. }));
    let forward = camera.transform.transform_vector3(-DVec3::Z);
    Ray::new(camera.transform.translation.as_vec3(), forward.as_vec3())
}

#[test]
fn the_overview_looks_at_a_house() {
    let model = Model::demo();
    let hit = model.scene().unwrap().cast(&middle(&model)).unwrap();
    let entity = model.entity(hit.id).unwrap();
    assert_eq!(entity.name, "Bakery");
    let material = entity.primitive(hit.part, hit.triangle).unwrap().material.unwrap();
    assert_eq!(model.materials[material].name.as_deref(), Some("Roof tiles"));
}

#[test]
fn a_lamp_is_a_pole_and_a_sphere() {
    let model = Model::demo();
    let lamp = model.entities.iter().find(|entity| entity.name == "Lamp 1").unwrap();
    let foot = lamp.transform.translation.as_vec3();
    let scene = model.scene().unwrap();
    for (height, part, material) in [(1.5, 0, "Iron"), (3.1, 1, "Lamp glow")] {
        let ray = Ray::new([foot.x, foot.y + height, foot.z + 2.0], [0.0, 0.0, -1.0]);
        let hit = scene.cast(&ray).unwrap();
        assert_eq!((model.entity(hit.id).unwrap().name.as_str(), hit.part), ("Lamp 1", part));
        assert_eq!(hit.triangle.is_some(), part == 0);
        let primitive = lamp.primitive(hit.part, hit.triangle).unwrap();
        assert_eq!(model.materials[primitive.material.unwrap()].name.as_deref(), Some(material));
    }
}

#[test]
fn leaves_let_rays_through() {
    let model = Model::demo();
    let scene = model.scene().unwrap();
    assert!(model.materials.iter().any(|material| material.alpha == Alpha::Mask { cutoff: 0.5 }));
    let filled = scene.cut_outs(CutOuts::Solid);
    let tree = model.entities.iter().find(|entity| entity.name == "Tree 1").unwrap();
    let (mut on_cards, mut through) = (0, 0);
    for i in 0..400 {
        let aim = DVec3::new(f64::from(i % 20) * 0.1 - 1.0, 2.0 + f64::from(i / 20) * 0.1, 0.0);
        let [from, to] = [6.0, -6.0].map(|z| tree.transform.transform_point3(aim + DVec3::Z * z).as_vec3());
        let ray = Ray::between(from, to);
        let plain = filled.cast(&ray).filter(|hit| model.entity(hit.id).unwrap().name == "Tree 1");
        let Some(plain) = plain else { continue };
        on_cards += 1;
        let passes = scene.cast(&ray).is_none_or(|hit| hit.t > plain.t);
        assert_eq!(passes, scene.surface(&plain).is_hole(), "{plain:?}");
        through += u32::from(passes);
    }
    assert!(on_cards > 200 && through > on_cards / 10 && through < on_cards, "{through} of {on_cards}");
}

#[test]
fn own_keys_have_the_same_hits_and_holes() {
    let model = Model::demo();
    let scene = model.scene().unwrap();
    let mut own = Scene::new();
    let place = DAffine3::from_translation(DVec3::new(64.0, 0.0, -32.0));
    model.insert_into(&mut own, place, |id| ("village", id)).unwrap();
    let mut holes = 0;
    for number in 0..4096u16 {
        let from = DVec3::new(f64::from(number % 64), 120.0, f64::from(number / 64)) * DVec3::new(0.5, 1.0, 0.5);
        let from = from - DVec3::new(16.0, 0.0, 16.0);
        let ray = |from: DVec3| Ray::new(from.as_vec3(), Vec3::NEG_Y);
        let (theirs, ours) = (scene.cast(&ray(from)), own.cast(&ray(from + place.translation)));
        assert_eq!(theirs.map(|hit| (hit.id, hit.triangle)), ours.map(|hit| (hit.id.1, hit.triangle)), "{from}");
        let filled = scene.cut_outs(CutOuts::Solid).cast(&ray(from));
        holes += u32::from(filled.map(|hit| hit.t) != theirs.map(|hit| hit.t));
    }
    assert!(holes > 20, "only {holes} rays go through a hole");
}
