//! The scene of the instances, which are scattered over a field.

use super::instances::{EXTENT, scattered};
use super::scene::{Content, Scene};
use crate::shared::rays::View;
use hitscan::glam::DVec3;

pub(super) fn field() -> Scene {
    let view = View {
        eye: EXTENT * DVec3::new(0.02, 0.7, 0.02),
        forward: EXTENT * DVec3::new(0.48, -0.3, 0.48),
        light: EXTENT * DVec3::new(0.4, 3.0, 0.6),
    };
    Scene { content: Content::Instances(scattered()), view }
}
