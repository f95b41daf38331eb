//! A scene: its content, and the view of it.

use super::instances::Instances;
use super::soup::Soup;
use crate::shared::rays::View;
use hitscan::glam::DVec3;

/// The content of a scene.
pub(crate) enum Content {
    /// One mesh.
    Mesh(Soup),
    /// A few meshes, placed many times.
    Instances(Instances),
}

pub(crate) struct Scene {
    pub(crate) content: Content,
    pub(crate) view: View,
}

impl Scene {
    /// Returns the smallest and largest coordinates.
    pub(crate) fn bounds(&self) -> (DVec3, DVec3) {
        match &self.content {
            Content::Mesh(soup) => soup.bounds(),
            Content::Instances(instances) => instances.bounds(),
        }
    }

    /// Returns the scene of a mesh with a camera, a target and a light, as fractions of the bounding box.
    pub(super) fn mesh(soup: Soup, eye: [f64; 3], target: [f64; 3], light: [f64; 3]) -> Self {
        let (min, max) = soup.bounds();
        let [eye, target, light] = [eye, target, light].map(|f| min + (max - min) * DVec3::from_array(f));
        Self { view: View { eye, forward: target - eye, light }, content: Content::Mesh(soup) }
    }
}
