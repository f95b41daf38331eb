use crate::common::{Random, icosphere, instance_transform};
use crate::saved::subjects;
use core::ops::ControlFlow;
use hitscan::custom::{Custom, CustomHit, CustomRay, CustomShape};
use hitscan::error::{ReadError, SaveError, SceneError};
use hitscan::glam::{DAffine3, DVec3, Quat, Vec3};
use hitscan::height_field::Diagonal;
use hitscan::mesh::{AlphaMask, CutOut, Wrap};
use hitscan::wire::{PointCloud, Polyline};
use hitscan::{
    Aabb, Capsule, Compound, Cone, ConvexHull, Cylinder, Disc, Filter, Geometry, HeightField, Hit, Mesh, OrientedBox,
    Plane, Quad, Quality, Ray, RayQueries, RoundedBox, Scene, Shape, Sphere, Torus, Transform, Triangle,
};

/// Returns one of each shape.
fn shapes() -> Vec<Shape> {
    let turn = Quat::from_xyzw(0.1, -0.7, 0.3, 0.2);
    vec![
        Aabb::new([-0.0, -1.0, -0.5], [0.5, 1.0, 0.5]).into(),
        Capsule::new(0.3, 1.4).into(),
        // The given height is less than the diameter, so the capsule is higher than given.
        Capsule::new(0.5, 0.2).into(),
        Capsule::between([0.1, 0.2, 0.3], [-1.0, 0.4, 0.7], 0.2).into(),
        Cone::new(0.5, 1.1).into(),
        Cone::between([0.1, 0.2, 0.3], [-1.0, 0.4, 0.7], 0.2).into(),
        Cylinder::new(0.5, 1.1).into(),
        Cylinder::between([0.1, 0.2, 0.3], [-1.0, 0.4, 0.7], 0.2).into(),
        Disc::new([0.0, 0.5, 0.0], [0.3, 2.0, -0.0], 1.5).into(),
        OrientedBox::from_rotation([0.1, 0.2, 0.3], [1.0, 0.5, 0.0], turn).unwrap().into(),
        Plane::new([0.0, -9.0, 0.0], [0.1, 1.0, 0.0]).unwrap().into(),
        Quad::new([-0.5; 3], [1.0, 0.0, 0.2], [0.0, 1.0, 0.0]).into(),
        Sphere::at([0.5, 0.0, 0.0], 0.75).into(),
        Torus::new(0.8, 0.25).into(),
        Triangle::new([-1.0, 0.0, 0.0], [1.0, 0.0, 0.0], [0.0, 1.0, 0.5]).into(),
        RoundedBox::new(Aabb::new([-0.5, 0.0, 0.1], [0.5, 0.75, 0.2]), 0.125).into(),
    ]
}

/// Returns a height field with holes, whose cells are cut along either diagonal.
fn field(random: &mut Random) -> HeightField {
    let heights: Vec<f32> = (0..5 * 7).map(|_| random.unit() as f32).collect();
    let diagonal = [Diagonal::Falling, Diagonal::Rising][random.below(2)];
    let holes = [[random.below(4), random.below(6)], [1, 1]];
    HeightField::new(5, 7, [0.25, 0.5], &heights).unwrap().with_diagonal(diagonal).with_holes(holes).unwrap()
}

fn hull(random: &mut Random) -> ConvexHull {
    let points: Vec<Vec3> = (0..20).map(|_| Vec3::from_array([0; 3].map(|_| random.unit() as f32 - 0.5))).collect();
    ConvexHull::new(&points).unwrap()
}

/// Returns a cloud or a polyline.
fn wire(random: &mut Random) -> Geometry {
    let mut points = |count: usize| (0..count).map(|_| random.cube().as_vec3()).collect::<Vec<Vec3>>();
    let strips = [points(2), points(5), points(3)];
    let cloud = points(20);
    if random.below(2) == 0 {
        PointCloud::new(&cloud).unwrap().into()
    } else {
        Polyline::from_strips(strips).unwrap().into()
    }
}

/// Returns a mesh of two triangles with cut-outs.
fn fence(random: &mut Random) -> Mesh {
    let corners = [[0.0, 0.0, 0.0], [2.0, 0.0, 0.0], [2.0, 2.0, 0.5], [0.0, 2.0, 0.0]];
    let mesh = Mesh::new(&corners, &[0, 1, 2, 0, 2, 3]).unwrap();
    let mesh = mesh.with_texcoords(&[[0.0, 1.0], [2.0, 1.0], [2.0, 0.0], [0.0, 0.0]]).unwrap();
    let mask =
        AlphaMask::new(2, 3, [255, 0, 100, 200, 0, 130].map(|alpha: u8| alpha ^ random.below(256) as u8)).unwrap();
    let first = CutOut::from(mask.wrap(Wrap::MirroredRepeat, Wrap::ClampToEdge)).triangles(0..1).cutoff(0.4);
    let alphas = CutOut::without_mask().triangles(1..2).alphas([[0.1, 0.9, 0.5]]).factor(0.9);
    mesh.with_cut_out(first).unwrap().with_cut_out(alphas).unwrap()
}

#[derive(Debug)]
struct Nothing;

impl CustomShape for Nothing {
    fn bounds(&self) -> Aabb {
        Aabb::new([-1.0; 3], [1.0; 3])
    }

    fn cast(&self, _: &CustomRay, _: &mut dyn FnMut(CustomHit) -> ControlFlow<()>) {}
}

#[test]
fn shapes_of_ones_own_are_refused() {
    let mut scene = Scene::new();
    scene.insert(1u64, Sphere::new(1.0), DVec3::ZERO).unwrap();
    scene.insert(2, Compound::new([(Custom::new(Nothing).into(), DVec3::X.into())]).unwrap(), DVec3::ZERO).unwrap();
    assert_eq!(scene.to_bytes(|key| key.to_le_bytes()), Err(SaveError::Custom { entity: 1 }));
}

type Bits = (u64, [u32; 2], [u32; 6], hitscan::Side, Option<u32>, Option<[u32; 2]>, [u64; 3]);

/// Returns all data of a hit.
fn bits(hit: &Hit<u64>) -> Bits {
    let (p, n) = (hit.point, hit.normal);
    let six = [p.x, p.y, p.z, n.x, n.y, n.z].map(f32::to_bits);
    let uv = hit.uv.map(|uv| uv.to_array().map(f32::to_bits));
    let exact = hit.point_f64().to_array().map(f64::to_bits);
    (hit.id, [hit.part, hit.t.to_bits()], six, hit.side, hit.triangle, uv, exact)
}

fn save(scene: &Scene<u64>) -> Vec<u8> {
    scene.to_bytes(|key| key.to_le_bytes()).unwrap()
}

fn read(bytes: &[u8]) -> Result<Scene<u64>, ReadError> {
    Scene::from_bytes(bytes, |key| Some(u64::from_le_bytes(key.try_into().ok()?)))
}

/// Returns a scene whose entities were inserted, moved, replaced and removed.
fn world(random: &mut Random, meshes: &[Mesh]) -> Scene<u64> {
    let geometry = |random: &mut Random| -> Geometry {
        let shapes = shapes();
        let mesh = &meshes[random.below(meshes.len())];
        match random.below(7) {
            0 => mesh.into(),
            5 => wire(random),
            2 => field(random).into(),
            3 => hull(random).into(),
            4 => fence(random).into(),
            1 => shapes[random.below(shapes.len())].into(),
            _ => {
                let parts = (0..random.below(4)).map(|i| {
                    let part = if i == 1 { mesh.into() } else { shapes[random.below(shapes.len())].into() };
                    (part, instance_transform(random, i, 2.0).into())
                });
                Compound::new(parts.collect::<Vec<_>>()).unwrap().into()
            }
        }
    };
    let mut scene = Scene::new();
    for i in 0..300 {
        let place = |random: &mut Random| instance_transform(random, i, [5.0, 30.0][i % 2]);
        let key = random.below(120) as u64;
        match random.below(6) {
            0 => drop(scene.remove(&key)),
            1 => drop(scene.set_transform(&key, place(random)).unwrap()),
            2 => drop(scene.set_layers(&key, random.bits() as u32 | 1)),
            // These entities coincide with other entities. So their hits tie.
            3 => drop(scene.insert(key, &meshes[0], DVec3::X).unwrap()),
            _ => {
                let geometry = geometry(random);
                scene.insert(key, geometry, place(random)).unwrap();
            }
        }
    }
    scene
}

#[test]
fn scenes_read_answer_as_those_saved() {
    let seed = 56;
    let mut random = Random(seed);
    let mesh = subjects::mesh(&icosphere(2), Quality::Balanced);
    // The tree is the same, but the attributes differ.
    let plain = icosphere(2).mesh();
    let flipped = mesh.clone().with_normals(&mesh.positions().iter().map(|p| -*p).collect::<Vec<_>>()).unwrap();
    let meshes = [mesh, plain, flipped];
    for round in 0..12 {
        let scene = world(&mut random, &meshes);
        let bytes = save(&scene);
        let again = read(&bytes).unwrap();
        let context = format!("round {round}, seed {seed}");
        assert_eq!(save(&again), bytes, "{context}");
        assert_eq!(again.len(), scene.len(), "{context}");
        for (key, entity) in scene.iter() {
            let other = again.get(&key).unwrap();
            assert_eq!((entity.layers(), entity.transform()), (other.layers(), other.transform()), "{context}");
            assert_eq!(scene.bounds_of(&key), again.bounds_of(&key), "{context}, {key}");
        }
        let (mut hits, mut expected) = (Vec::new(), Vec::new());
        for _ in 0..300 {
            let (from, to) = (random.cube() * 40.0, random.cube() * 8.0);
            let ray = Ray::new(from.as_vec3(), (to - from).as_vec3());
            let filter = Filter::new().layers([u32::MAX, 1, 2][random.below(3)]);
            let origin = random.cube();
            let views = [&scene, &again].map(|scene| scene.with(&filter).relative_to(origin));
            views[0].cast_all(&ray, &mut expected);
            views[1].cast_all(&ray, &mut hits);
            assert_eq!(
                hits.iter().map(bits).collect::<Vec<_>>(),
                expected.iter().map(bits).collect::<Vec<_>>(),
                "{context}"
            );
            let closest = views.map(|view| view.cast(&ray));
            let all = closest.each_ref().map(|hit| hit.as_ref().map(bits));
            assert_eq!(all[0], all[1], "{context}");
            if let [Some(a), Some(b)] = closest {
                assert_eq!(scene.surface(&a).texcoord(), again.surface(&b).texcoord(), "{context}");
                assert_eq!(
                    scene.surface(&a).interpolated_normal(),
                    again.surface(&b).interpolated_normal(),
                    "{context}"
                );
                let onward = [(&scene, a), (&again, b)]
                    .map(|(scene, hit)| scene.after(&hit).cast(&hit.onward()).map(|hit| bits(&hit)));
                assert_eq!(onward[0], onward[1], "{context}");
            }
            assert_eq!(scene.is_blocked(&ray), again.is_blocked(&ray), "{context}");
        }
    }
}

#[test]
fn meshes_that_are_shared_are_saved_once_and_shared_again() {
    let mesh = icosphere(4).mesh();
    let alone = mesh.to_bytes().len();
    let mut scene = Scene::new();
    for key in 0..50 {
        scene.insert(key, &mesh, DVec3::X * key as f64 * 3.0).unwrap();
    }
    let parts = [((&mesh).into(), DVec3::Y.into()), ((&mesh).into(), DVec3::Z.into())];
    scene.insert(50, Compound::new(parts).unwrap(), DVec3::ZERO).unwrap();
    let bytes = save(&scene);
    assert!(bytes.len() < alone + 51 * 200, "{} bytes of {alone}", bytes.len());
    let mut again = read(&bytes).unwrap();
    let place = |scene: &Scene<u64>, key: u64| match scene.get(&key).unwrap().geometry() {
        Geometry::Mesh(mesh) => mesh.positions().as_ptr(),
        _ => panic!("it was a mesh"),
    };
    assert!((0..50).all(|key| place(&again, key) == place(&again, 0)));
    // A mesh that is deformed gets its own copy, as usual.
    let moved: Vec<Vec3> = mesh.positions().iter().map(|p| *p * 1.5).collect();
    again.refit(&3, 0, &moved).unwrap().unwrap();
    assert!(place(&again, 3) != place(&again, 0) && place(&again, 4) == place(&again, 0));
    let down = |x: f32| Ray::new([x, 9.0, 0.0], [0.0, -1.0, 0.0]);
    assert_eq!([3, 4].map(|key| again.cast(&down(3.0 * key as f32)).unwrap().id), [3, 4]);
}

/// Every bit of every shape is read back.
#[test]
fn shapes_read_are_those_saved() {
    for shape in shapes() {
        let mut scene = Scene::new();
        scene.insert(0, shape, DVec3::ZERO).unwrap();
        let again = read(&save(&scene)).unwrap();
        let Geometry::Shape(other) = again.get(&0).unwrap().geometry() else { panic!("it was a shape") };
        assert_eq!(format!("{shape:?}"), format!("{other:?}"));
    }
}

/// An oriented box is saved as its transform from the world, which is as far from singular as the transform that it was
/// made from.
#[test]
fn boxes_are_read_however_flat_they_were_placed() {
    let mut random = Random(57);
    for flat in [1e-3, 1e-6, 1e-9, 1e-12] {
        let squashed = instance_transform(&mut random, 1, 2.0) * DAffine3::from_scale(DVec3::new(1.0, flat, 1.0));
        let placed = squashed * instance_transform(&mut random, 0, 2.0);
        let shape = OrientedBox::new(Aabb::new([-1.0; 3], [1.0; 3]), placed).unwrap();
        let mut scene = Scene::new();
        scene.insert(0, shape, DVec3::ZERO).unwrap();
        let again = read(&save(&scene)).unwrap();
        for _ in 0..200 {
            let from = random.cube() * 9.0;
            let ray = Ray::new(from.as_vec3(), (placed.transform_point3(random.cube()) - from).as_vec3());
            assert_eq!(again.cast(&ray).as_ref().map(bits), scene.cast(&ray).as_ref().map(bits), "{flat}, {ray:?}");
        }
    }
}

#[test]
fn keys_are_the_callers() {
    let mut scene = Scene::new();
    let names = ["door", "", "Tür", "a name that is longer than the others"];
    for (i, name) in names.into_iter().enumerate() {
        scene.insert(name, Sphere::new(1.0), DVec3::X * i as f64).unwrap();
    }
    let bytes = scene.to_bytes(|name| name.as_bytes()).unwrap();
    let again = Scene::from_bytes(&bytes, |name| names.into_iter().find(|known| known.as_bytes() == name)).unwrap();
    assert!(names.into_iter().all(|name| again.get(&name).is_some()));
    assert_eq!(again.cast(&Ray::new([0.0, 0.0, 5.0], Vec3::NEG_Z)).unwrap().id, "door");
    let error = Scene::from_bytes(&bytes, |name| (name != "Tür".as_bytes()).then_some(name.len())).unwrap_err();
    assert_eq!(error, ReadError::Key { entity: 2 });
    assert_eq!(Scene::from_bytes(&bytes, |_| Some(7)).unwrap_err(), ReadError::SameKey { entity: 1 });
    let error = scene.to_bytes(|name| [name.len() as u8 / 2]).unwrap_err();
    assert_eq!(error, SaveError::SameKey { entities: [0, 2] });
    assert!(error.to_string().contains("entities 0 and 2"), "{error}");
}

#[test]
fn an_empty_scene_is_one() {
    let again = read(&save(&Scene::new())).unwrap();
    assert!(again.is_empty() && again.cast(&Ray::new([0.0; 3], [1.0, 0.0, 0.0])).is_none());
}

/// Loading checks the content as insertion does. Here a transform is made singular, and the checksum is valid.
#[test]
fn what_cannot_be_inserted_cannot_be_read() {
    let mut scene = Scene::new();
    scene.insert(1, Sphere::new(1.0), DAffine3::IDENTITY).unwrap();
    let mut bytes = save(&scene);
    // The bytes before the transform are the head, two counts of meshes, and one count each of clouds, polylines and entities. Then come the length of the key,
    // the key and the layers.
    let transform = 24 + 8 + 8 + 8 + 8 + 8 + 8 + 8 + 4;
    bytes[transform..transform + 8].fill(0);
    let end = bytes.len() - 8;
    let checksum = twox_hash::XxHash3_64::oneshot(&bytes[..end]);
    bytes[end..].copy_from_slice(&checksum.to_le_bytes());
    let error = read(&bytes).unwrap_err();
    assert!(matches!(error, ReadError::Entity { index: 0, error: SceneError::Transform(_) }), "{error:?}");
    assert!(error.to_string().starts_with("in entity 0, the transform cannot be inverted"), "{error}");
}

/// Clouds and polylines are read as they were saved, and strips that do not have all points are refused.
#[test]
fn points_and_strips_are_read_and_checked() {
    let strips = [vec![Vec3::ZERO, Vec3::X], vec![Vec3::Y, Vec3::NEG_Z, Vec3::ONE]];
    let line = Polyline::from_strips(&strips).unwrap();
    let cloud = PointCloud::new(&[Vec3::ZERO, Vec3::splat(-0.0)]).unwrap();
    let mut scene = Scene::new();
    scene.insert(0, Compound::new([(cloud.into(), DVec3::X.into())]).unwrap(), DVec3::ZERO).unwrap();
    scene.insert(1, line, DVec3::ZERO).unwrap();
    let bytes = save(&scene);
    let again = read(&bytes).unwrap();
    let Geometry::Polyline(line) = again.get(&1).unwrap().geometry() else { panic!("it was a polyline") };
    assert!(line.strips().eq(strips.iter().map(|strip| &strip[..])));
    let Geometry::Compound(parts) = again.get(&0).unwrap().geometry() else { panic!("it was a compound") };
    let Some((Geometry::PointCloud(cloud), place)) = parts.iter().next() else { panic!("it was a cloud") };
    assert_eq!(place.translation, DVec3::X);
    assert_eq!(cloud.positions()[1].x.to_bits(), (-0.0f32).to_bits());
    // The strips have 2 and 3 points.
    let lengths = [&2u64.to_le_bytes()[..], &2u32.to_le_bytes(), &3u32.to_le_bytes()].concat();
    let place = bytes.windows(16).position(|window| window == lengths).unwrap() + 12;
    for length in [0, 1, 2, 4, u32::MAX] {
        let forged = forge(&bytes, place, length);
        let fault = "has points or strips that cannot be";
        assert_eq!(read(&forged).unwrap_err(), ReadError::Invalid { item: "polyline", index: 0, fault });
    }
    // The number of the polyline of the last entity comes last.
    let forged = forge(&bytes, bytes.len() - 12, 1);
    let fault = "has a polyline that is not there";
    assert_eq!(read(&forged).unwrap_err(), ReadError::Invalid { item: "entity", index: 1, fault });
}

/// Returns bytes with another number at a place, and with the right checksum.
fn forge(bytes: &[u8], place: usize, number: u32) -> Vec<u8> {
    let (mut forged, end) = (bytes.to_vec(), bytes.len() - 8);
    forged[place..place + 4].copy_from_slice(&number.to_le_bytes());
    let checksum = twox_hash::XxHash3_64::oneshot(&forged[..end]);
    forged[end..].copy_from_slice(&checksum.to_le_bytes());
    forged
}

/// Clouds and polylines that entities and parts share are saved once, and are shared again.
#[test]
fn shared_clouds_and_lines_stay_shared() {
    let points: Vec<Vec3> = (0..1000u16).map(|number| Vec3::splat(number.into())).collect();
    let (cloud, line) = (PointCloud::new(&points).unwrap(), Polyline::new(&points).unwrap());
    let mut scene = Scene::new();
    let alone = |geometry: Geometry| {
        let mut scene = Scene::new();
        scene.insert(0, geometry, DVec3::ZERO).unwrap();
        save(&scene).len()
    };
    let (of_cloud, of_line) = (alone(cloud.clone().into()), alone(line.clone().into()));
    for id in 0..10 {
        let parts: [(Geometry, Transform); 2] =
            [(cloud.clone().into(), DVec3::X.into()), (line.clone().into(), DVec3::Y.into())];
        scene.insert(3 * id, cloud.clone(), DVec3::splat(id as f64)).unwrap();
        scene.insert(3 * id + 1, line.clone(), DVec3::splat(id as f64)).unwrap();
        scene.insert(3 * id + 2, Compound::new(parts).unwrap(), DVec3::splat(id as f64)).unwrap();
    }
    // An equal cloud with data of its own is another cloud.
    scene.insert(100, PointCloud::new(&points).unwrap(), DVec3::ZERO).unwrap();
    let bytes = save(&scene);
    assert!(bytes.len() < 2 * of_cloud + of_line + 10_000, "{} {of_cloud} {of_line}", bytes.len());
    let again = read(&bytes).unwrap();
    let geometry = |id: u64| again.get(&id).unwrap().geometry();
    let (Geometry::PointCloud(cloud), Geometry::Polyline(line)) = (geometry(0), geometry(1)) else { panic!("kinds") };
    for id in 0..10 {
        assert!(matches!(geometry(3 * id), Geometry::PointCloud(other) if cloud.is_clone_of(other)));
        assert!(matches!(geometry(3 * id + 1), Geometry::Polyline(other) if line.is_clone_of(other)));
        let Geometry::Compound(parts) = geometry(3 * id + 2) else { panic!("it was a compound") };
        let parts: Vec<Geometry> = parts.iter().map(|(part, _)| part).collect();
        assert!(matches!(&parts[0], Geometry::PointCloud(other) if cloud.is_clone_of(other)));
        assert!(matches!(&parts[1], Geometry::Polyline(other) if line.is_clone_of(other)));
    }
    assert!(matches!(geometry(100), Geometry::PointCloud(other) if !cloud.is_clone_of(other)));
    assert_eq!(save(&again), bytes);
}
