//! Questions, from numbers.

use hitscan::glam::{DMat4, DQuat, DVec3};
use hitscan::{Cull, CutOuts, Inside, Pose, Quality, Ray, Transform};
use wasm_bindgen::JsError;

/// Choices that go with a ray, in the bits of one number. `npm/src/questions.ts` sets them.
#[derive(Clone, Copy)]
pub(crate) struct Choices(u32);

impl Choices {
    pub(crate) fn new(bits: u32) -> Self {
        Self(bits)
    }

    /// Makes the ray of a question that is asked often. Unless the first bit is set, its direction is normalized.
    #[inline]
    pub(crate) fn frequent_ray(self, origin: [f32; 3], direction: [f32; 3], t_min: f32, t_max: f32) -> Ray {
        let ray = if self.0 & 1 == 0 { Ray::new(origin, direction) } else { Ray::with_direction(origin, direction) };
        ray.with_range(t_min, t_max)
    }

    /// Makes the ray of another question. This function is not inlined, so its code exists once.
    #[inline(never)]
    pub(crate) fn ray(self, origin: [f32; 3], direction: [f32; 3], t_min: f32, t_max: f32) -> Ray {
        self.frequent_ray(origin, direction, t_min, t_max)
    }

    #[inline]
    pub(crate) fn cull(self) -> Cull {
        match self.0 >> 1 & 3 {
            0 => Cull::None,
            1 => Cull::Back,
            _ => Cull::Front,
        }
    }

    #[inline]
    pub(crate) fn inside(self) -> Inside {
        match self.0 >> 3 & 3 {
            0 => Inside::Exit,
            1 => Inside::Solid,
            _ => Inside::Ignore,
        }
    }

    #[inline]
    pub(crate) fn cut_outs(self) -> CutOuts {
        if self.0 >> 5 & 1 == 0 { CutOuts::Open } else { CutOuts::Solid }
    }
}

pub(crate) fn quality(number: u8) -> Quality {
    match number {
        0 => Quality::Fast,
        2 => Quality::Best,
        _ => Quality::default(),
    }
}

/// Reads a matrix of 16 numbers, column by column.
pub(crate) fn matrix(numbers: &[f64]) -> Result<DMat4, JsError> {
    match numbers.try_into() {
        Ok(columns) => Ok(DMat4::from_cols_array(columns)),
        Err(_) => Err(JsError::new(&format!("a transform is a matrix of 16 numbers, not {}", numbers.len()))),
    }
}

pub(crate) fn transform(numbers: &[f64]) -> Result<Transform, JsError> {
    matrix(numbers).map(Transform::from)
}

/// Reads a position and a quaternion.
pub(crate) fn pose(position: [f64; 3], [x, y, z, w]: [f64; 4]) -> Pose {
    Pose { position: DVec3::from(position), rotation: DQuat::from_xyzw(x, y, z, w) }
}
