//! The contents of a model, as the command writes them.

use crate::camera::{Lens, Origin, View};
use crate::extent::Extent;
use crate::model::{Loaded, material_name};
use crate::model_extent::{Extents, parts};
use hitscan::Geometry;
use hitscan::glam::{DAffine3, DVec3};
use hitscan_io::{Alpha, Animation, Entity, Model, NamedCamera, Projection};
use serde::Serialize;
use std::borrow::Cow;

#[derive(Debug, Serialize)]
pub(super) struct EntityInfo<'a> {
    pub(super) name: &'a str,
    pub(super) node: Option<u32>,
    pub(super) primitives: usize,
    pub(super) triangles: u64,
    pub(super) degenerate_triangles: u64,
    pub(super) bounds: Option<Extent>,
}

pub(super) fn entities(loaded: &Loaded) -> Vec<EntityInfo<'_>> {
    let mut extents = Extents::default();
    loaded.model.entities.iter().map(|entity| EntityInfo::new(entity, &mut extents)).collect()
}

impl<'a> EntityInfo<'a> {
    fn new(entity: &'a Entity, extents: &mut Extents) -> Self {
        let mut info = Self {
            name: &entity.name,
            node: entity.node,
            primitives: entity.primitives.len(),
            triangles: 0,
            degenerate_triangles: 0,
            bounds: extents.of_entity(entity),
        };
        for (part, _) in parts(&entity.geometry) {
            if let Geometry::Mesh(mesh) = part {
                info.triangles += mesh.triangle_count() as u64;
                info.degenerate_triangles += mesh.degenerate_count() as u64;
            }
        }
        info
    }
}

#[derive(Debug, Serialize)]
pub(super) struct MaterialInfo<'a> {
    pub(super) name: Cow<'a, str>,
    pub(super) alpha: &'static str,
}

pub(super) fn materials(model: &Model) -> Vec<MaterialInfo<'_>> {
    let alpha = |alpha| match alpha {
        Alpha::Opaque => "opaque",
        Alpha::Mask { .. } => "mask",
        Alpha::Blend => "blend",
    };
    let numbered = model.materials.iter().enumerate();
    numbered
        .map(|(index, material)| MaterialInfo { name: material_name(model, index), alpha: alpha(material.alpha) })
        .collect()
}

/// A material with holes that rays pass through.
#[derive(Debug, Serialize)]
pub(super) struct CutOut<'a> {
    pub(super) material: Cow<'a, str>,
    pub(super) cutoff: f32,
    /// The number of triangles with this material. Shared triangles are counted for each entity.
    pub(super) triangles: u64,
}

pub(super) fn cut_outs(model: &Model) -> Vec<CutOut<'_>> {
    let mut triangles = vec![0; model.materials.len()];
    for primitive in model.entities.iter().flat_map(|entity| entity.primitives.iter()) {
        if let Some(count) = primitive.material.and_then(|material| triangles.get_mut(material)) {
            *count += u64::from(primitive.triangles);
        }
    }
    let numbered = model.materials.iter().zip(triangles).enumerate();
    let cut_out = |(index, (material, triangles)): (usize, (&hitscan_io::Material, u64))| match material.alpha {
        Alpha::Mask { cutoff } => Some(CutOut { material: material_name(model, index), cutoff, triangles }),
        Alpha::Opaque | Alpha::Blend => None,
    };
    numbered.filter_map(cut_out).collect()
}

#[derive(Debug, Serialize)]
pub(super) struct CameraInfo<'a> {
    pub(super) name: &'a str,
    pub(super) index: usize,
    pub(super) node: Option<u32>,
    pub(super) projection: &'static str,
}

impl<'a> CameraInfo<'a> {
    pub(super) fn new(camera: &'a NamedCamera) -> Self {
        let projection = match camera.projection {
            Projection::Perspective { .. } => "perspective",
            Projection::Orthographic { .. } => "orthographic",
        };
        Self { name: &camera.name, index: camera.camera, node: camera.node, projection }
    }
}

#[derive(Debug, Serialize)]
pub(super) struct AnimationInfo<'a> {
    pub(super) name: Option<&'a str>,
    pub(super) index: usize,
    /// The duration as an f32, like the times of the keys.
    pub(super) duration_seconds: f32,
    pub(super) channels: usize,
    /// The reason why the animation cannot be played.
    pub(super) fault: Option<&'a str>,
}

impl<'a> AnimationInfo<'a> {
    pub(super) fn new((index, animation): (usize, &'a Animation)) -> Self {
        Self {
            name: animation.name.as_deref(),
            index,
            duration_seconds: animation.duration as f32,
            channels: animation.channels,
            fault: animation.fault.as_deref(),
        }
    }
}

/// A camera in world space.
#[derive(Debug, Serialize)]
pub(super) struct ViewInfo<'a> {
    /// The source of the camera: the file, or framing of the model.
    pub(super) origin: &'static str,
    pub(super) name: Option<&'a str>,
    pub(super) index: Option<usize>,
    pub(super) projection: &'static str,
    pub(super) fov_y_degrees: Option<f64>,
    /// The height of an orthographic picture.
    pub(super) height: Option<f64>,
    pub(super) eye: [f64; 3],
    /// The view direction, of unit length.
    pub(super) forward: [f64; 3],
    /// The up direction, of unit length.
    pub(super) up: [f64; 3],
    pub(super) znear: Option<f64>,
    /// The far depth; infinity is written as null.
    pub(super) zfar: Option<f64>,
    /// The box that the camera frames.
    pub(super) framed: Option<Extent>,
    /// The entities that reach beyond this box.
    pub(super) beyond: Vec<&'a str>,
}

impl<'a> ViewInfo<'a> {
    pub(super) fn new(view: &View<'a>, model: &'a Model) -> Self {
        let (origin, camera, framed) = match &view.origin {
            Origin::File(camera) => ("file", Some(*camera), None),
            Origin::ByHand => ("options", None, None),
            Origin::Framing(framed) => ("framing", None, framed.as_ref()),
        };
        let beyond = framed.iter().flat_map(|framed| &framed.beyond);
        let (projection, fov_y_degrees, height) = match view.lens {
            Lens::Perspective { fov_y } => ("perspective", Some(fov_y.to_degrees()), None),
            Lens::Orthographic { height } => ("orthographic", None, Some(height)),
        };
        let [up, back] = axes(&view.transform);
        Self {
            origin,
            name: camera.map(|camera| camera.name.as_str()),
            index: camera.map(|camera| camera.camera),
            projection,
            fov_y_degrees,
            height,
            eye: view.transform.translation.to_array(),
            forward: (-back).to_array(),
            up: up.to_array(),
            znear: view.clip.map(|[near, _]| near),
            zfar: view.clip.map(|[_, far]| far),
            framed: framed.map(|framed| framed.extent),
            beyond: beyond.filter_map(|&number| Some(model.entities.get(number)?.name.as_str())).collect(),
        }
    }
}

/// Returns the up and back directions of a camera's transform, of unit length, or zero if the transform has no such
/// direction.
fn axes(transform: &DAffine3) -> [DVec3; 2] {
    let back = transform.matrix3.z_axis.normalize_or_zero();
    let up = transform.matrix3.y_axis;
    [(up - back * up.dot(back)).normalize_or_zero(), back]
}
