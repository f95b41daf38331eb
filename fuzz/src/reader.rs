//! Model files. Arbitrary bytes are read or refused, in memory proportional to the number of bytes, and hits are on the
//! model.

use crate::MEMORY;
use hitscan::glam::{DAffine3, Vec3};
use hitscan::{CutOuts, Geometry, Hit, Mesh, Ray, RayQueries, Scene};
use hitscan_io::{Entity, EntityId, Format, Model, Problem};
use std::path::{Path, PathBuf};
use std::sync::OnceLock;

/// The name of the material library in an OBJ.
pub const LIBRARY: &str = "a.mtl";

/// Reads an input as a file of this format within limits, and casts rays at its content.
///
/// A zero byte is not valid text in a glTF or an OBJ. After it, the input has a second file: see [`read`].
pub fn check(format: Format, input: &[u8]) {
    let before = MEMORY.current_usage();
    MEMORY.reset_peak_usage();
    let result = read(format, input);
    let memory = MEMORY.peak_usage().saturating_sub(before);
    assert!(memory <= most_memory(format, input), "{memory} bytes of memory for {} of {format}", input.len());
    match result {
        Ok(model) => check_model(&model),
        Err(problem) => assert!(!problem.to_string().is_empty()),
    }
}

/// Reads an input as a file of this format.
///
/// The bytes after the first zero byte of an OBJ are a material library with the name [`LIBRARY`], the only other file.
/// JSON and the bytes after a zero byte become a GLB. So a mutation need not keep the lengths in the headers of a GLB
/// correct.
pub fn read(format: Format, input: &[u8]) -> Result<Model, Problem> {
    match (format, at_zero(input)) {
        (Format::Gltf, Some((json, binary))) if json.trim_ascii_start().starts_with(b"{") => {
            Model::from_bytes_as(format, &glb(json, binary), None)
        }
        // A path out of the folder would refer to files that are not part of the input.
        (Format::Obj, Some((obj, library))) if !obj.windows(2).any(|pair| pair == b"..") => {
            let folder = scratch();
            std::fs::write(folder.join(LIBRARY), library).expect("the folder for temporary files can be written to");
            Model::from_bytes_as(format, obj, Some(folder))
        }
        _ => Model::from_bytes_as(format, input, None),
    }
}

/// Splits the bytes at the first zero byte.
fn at_zero(bytes: &[u8]) -> Option<(&[u8], &[u8])> {
    let at = bytes.iter().position(|&byte| byte == 0)?;
    Some((&bytes[..at], &bytes[at + 1..]))
}

/// Returns a GLB of these chunks.
fn glb(json: &[u8], binary: &[u8]) -> Vec<u8> {
    let word = |size: usize| u32::try_from(size).expect("an input is far below 4 GiB").to_le_bytes();
    let mut chunks = Vec::new();
    for (kind, data, filler) in [(b"JSON", json, b' '), (b"BIN\0", binary, 0)] {
        let padding = data.len().next_multiple_of(4) - data.len();
        chunks.extend([&word(data.len() + padding), &kind[..], data, &vec![filler; padding]].concat());
    }
    [&b"glTF"[..], &word(2), &word(12 + chunks.len()), &chunks].concat()
}

/// Returns a folder for this process alone.
fn scratch() -> &'static Path {
    static FOLDER: OnceLock<PathBuf> = OnceLock::new();
    FOLDER.get_or_init(|| {
        let folder = std::env::temp_dir().join(format!("hitscan-fuzz-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("the folder for temporary files can be written to");
        folder
    })
}

/// Returns the limit of the memory for reading a file.
fn most_memory(format: Format, bytes: &[u8]) -> usize {
    match format {
        // A decoded picture, or vertices that are shared by many meshes, may be much larger than the file.
        Format::Gltf => 1 << 30,
        // Two bytes of text can become a triangle, with a box, nodes and a share of growing lists. A material library
        // is converted to text and reported in messages of bounded length.
        _ => (1 << 17) + 400 * bytes.len(),
    }
}

fn check_model(model: &Model) {
    assert!(model.warnings.iter().all(|warning| !warning.to_string().is_empty()));
    let mut scene = model.scene().expect("what was read can be placed");
    assert_eq!(scene.len(), model.entities.len());
    check_poses(model, &mut scene);
    let scene = model.scene().expect("what was read can be placed");
    let bounds = scene.bounds();
    if bounds.is_empty() {
        return;
    }
    let (center, far) = (bounds.center(), bounds.max + bounds.size());
    for axis in Vec3::AXES {
        check_ray(model, &scene, &Ray::new(center - bounds.size() * axis, axis));
    }
    for entity in model.entities.iter().take(4) {
        for (mesh, transform) in meshes(entity) {
            for target in targets(&mesh, &transform) {
                check_ray(model, &scene, &Ray::with_direction(far, target - far));
                check_ray(model, &scene, &Ray::between(center, target));
            }
        }
    }
}

/// Checks that animations play or return an error. Also checks that a scene with a pose gives the answers of a new
/// scene in that pose.
fn check_poses(model: &Model, scene: &mut Scene<EntityId>) {
    let (mut pose, mut own) = (model.pose(), model.clone());
    for (index, animation) in model.animations.iter().enumerate().take(4) {
        for time in [-1.0, animation.duration / 3.0, animation.duration] {
            match pose.animate(index, time) {
                Ok(()) => assert_eq!(animation.fault, None),
                Err(error) => assert!(!error.to_string().is_empty()),
            }
            pose.apply(scene).expect("a pose fits its model");
            own.set_pose(&pose).expect("a pose fits its model");
            let fresh = own.scene().expect("a posed model can be placed");
            let bounds = fresh.bounds();
            for axis in Vec3::AXES.into_iter().filter(|_| !bounds.is_empty()) {
                let ray = Ray::new(bounds.center() - bounds.size() * axis, axis);
                let hit = scene.cast(&ray);
                assert_eq!(hit, fresh.cast(&ray), "{ray:?}");
                hit.iter().for_each(|hit| check_hit(&own, &ray, hit));
                let joint = hit.as_ref().and_then(|hit| model.joint(hit));
                assert!(joint.is_none_or(|joint| !joint.name.is_empty()));
            }
        }
    }
}

/// Returns the meshes of an entity, and their transforms to the world.
fn meshes(entity: &Entity) -> Vec<(Mesh, DAffine3)> {
    let whole = |geometry: Geometry, transform| match geometry {
        Geometry::Mesh(mesh) => Some((mesh, transform)),
        _ => None,
    };
    match &entity.geometry {
        Geometry::Compound(compound) => {
            let parts = compound.iter().take(4);
            parts.filter_map(|(part, transform)| whole(part, entity.transform * transform)).collect()
        }
        geometry => whole(geometry.clone(), entity.transform).into_iter().collect(),
    }
}

/// Returns the middle and a corner of a triangle, in the world.
fn targets(mesh: &Mesh, transform: &DAffine3) -> Vec<Vec3> {
    let Some(corners) = mesh.triangle(mesh.triangle_count() as u32 / 2) else { return Vec::new() };
    let [a, b, c] = corners.map(|corner| transform.transform_point3(corner.as_dvec3()));
    vec![((a + b + c) / 3.0).as_vec3(), b.as_vec3()]
}

/// Checks that all answers about a ray are consistent with each other and with the model.
fn check_ray(model: &Model, scene: &Scene<EntityId>, ray: &Ray) {
    let mut hits = Vec::new();
    let filled = scene.cut_outs(CutOuts::Solid);
    filled.cast_all(ray, &mut hits);
    hits.iter().for_each(|hit| check_hit(model, ray, hit));
    let place = |hit: &Hit<EntityId>| (hit.id, hit.part, hit.triangle);
    let in_order = |a: &Hit<EntityId>, b: &Hit<EntityId>| a.t < b.t || (a.t == b.t && place(a) < place(b));
    assert!(hits.is_sorted_by(in_order), "{ray:?}: {hits:?}");
    assert_eq!(filled.cast(ray).as_ref(), hits.first(), "{ray:?}");
    assert_eq!(filled.is_blocked(ray), !hits.is_empty(), "{ray:?}");

    let first = hits.iter().find(|hit| !scene.surface(hit).is_hole());
    assert_eq!(scene.cast(ray).as_ref(), first, "{ray:?}");
    assert_eq!(scene.is_blocked(ray), first.is_some(), "{ray:?}");
}

/// Checks that a hit is in the ray's range and on an existing triangle.
fn check_hit(model: &Model, ray: &Ray, hit: &Hit<EntityId>) {
    assert!(ray.t_min <= hit.t && hit.t <= ray.t_max, "{ray:?}: {hit:?}");
    let entity = model.entity(hit.id).expect("a hit is on an entity");
    let triangle = hit.triangle.expect("what is read from a file has triangles");
    let mesh = match &entity.geometry {
        Geometry::Mesh(mesh) => (hit.part == 0).then(|| mesh.clone()),
        Geometry::Compound(compound) => compound.iter().nth(hit.part as usize).and_then(|(part, _)| match part {
            Geometry::Mesh(mesh) => Some(mesh),
            _ => None,
        }),
        _ => None,
    };
    let mesh = mesh.expect("a hit is on a mesh");
    assert!((triangle as usize) < mesh.triangle_count(), "{hit:?} of {}", mesh.triangle_count());
    assert!(entity.primitive(hit.part, Some(triangle)).is_some(), "{hit:?} is of no primitive");
    let uv = hit.uv.expect("a triangle has barycentrics");
    // Each coordinate is rounded to f32 by itself.
    assert!(uv.min_element() >= 0.0 && uv.element_sum() <= 1.0 + f32::EPSILON, "{hit:?}");
    // Each of the three components is within half an ulp of 1.
    assert!((hit.normal.length_squared() - 1.0).abs() <= 4.0 * f32::EPSILON, "{hit:?}");
}
