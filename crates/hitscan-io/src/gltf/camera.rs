//! Cameras, at their nodes.

use super::accessor::{Accessors, elements_of};
use super::document::{self, Document, get};
use super::node::Placed;
use crate::error::{Item, Problem, Warning};
use crate::model::{NamedCamera, Projection};

/// Returns the cameras that nodes carry, in the order of the file's cameras.
pub(super) fn load(
    document: &Document,
    placed: &[Placed<'_>],
    accessors: &Accessors<'_>,
    warnings: &mut Vec<Warning>,
) -> Result<Vec<NamedCamera>, Problem> {
    let mut cameras = Vec::new();
    for place in placed {
        let Some(index) = place.node.camera else { continue };
        let camera = get(&document.cameras, "camera", index)?;
        match projection(camera) {
            Ok(projection) => {
                let name = [&place.node.name, &camera.name].into_iter().flatten().find(|name| !name.is_empty());
                accessors.spend(&place.item(), name.map_or(0, |name| elements_of(name)))?;
                cameras.push(NamedCamera {
                    name: name.cloned().unwrap_or_else(|| format!("camera{}", index.0)),
                    camera: index.0,
                    node: Some(place.index as u32),
                    transform: place.to_world,
                    projection,
                });
            }
            Err(fault) => {
                let camera = Item::named("camera", index.0, camera.name.as_deref());
                warnings.push(Warning::Camera { camera, fault: fault.into() });
            }
        }
    }
    cameras.sort_by_key(|camera| camera.camera);
    Ok(cameras)
}

fn projection(camera: &document::Camera) -> Result<Projection, &'static str> {
    let projection = match (&camera.perspective, &camera.orthographic) {
        (Some(p), None) => {
            Projection::Perspective { yfov: p.yfov, aspect: p.aspect_ratio, znear: p.znear, zfar: p.zfar }
        }
        (None, Some(o)) => Projection::Orthographic { xmag: o.xmag, ymag: o.ymag, znear: o.znear, zfar: o.zfar },
        _ => return Err("it has to be perspective or orthographic"),
    };
    projection.fault().map_or(Ok(projection), Err)
}
