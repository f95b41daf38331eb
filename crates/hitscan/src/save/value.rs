//! Small values: numbers, vectors, and structs of a few of them.

use super::{Reader, Writer};
use crate::error::ReadError;
use core::array::from_fn;
use glam::{DAffine3, DMat3, DVec3, Vec2, Vec3};

/// A value of a few numbers, which is loaded as it was saved, bit by bit.
pub(crate) trait Value: Sized {
    fn write(&self, to: &mut Writer);

    fn read(from: &mut Reader<'_>) -> Result<Self, ReadError>;
}

/// Makes a struct a [`Value`]. It is made from all its fields, in this order, or through another value.
macro_rules! value {
    ($of:ident as $parts:ident) => {
        impl crate::save::Value for $of {
            fn write(&self, to: &mut crate::save::Writer) {
                $parts::from(*self).write(to);
            }

            fn read(from: &mut crate::save::Reader<'_>) -> Result<Self, crate::error::ReadError> {
                let made = Self::try_from($parts::read(from)?);
                made.map_err(|error| crate::error::ReadError::Entity { index: 0, error: error.into() })
            }
        }
    };
    ($of:ident { $($field:ident),* $(,)? }) => {
        impl crate::save::Value for $of {
            fn write(&self, to: &mut crate::save::Writer) {
                let Self { $($field),* } = self;
                $($field.write(to);)*
            }

            fn read(from: &mut crate::save::Reader<'_>) -> Result<Self, crate::error::ReadError> {
                $(let $field = crate::save::Value::read(from)?;)*
                Ok(Self { $($field),* })
            }
        }
    };
}

pub(crate) use value;

macro_rules! numbers {
    ($($number:ty),*) => {
        $(impl Value for $number {
            fn write(&self, to: &mut Writer) {
                to.bytes(&self.to_le_bytes());
            }

            fn read(from: &mut Reader<'_>) -> Result<Self, ReadError> {
                from.array().map(Self::from_le_bytes)
            }
        })*
    };
}

numbers!(u32, u64, f32, f64);

value!(Vec3 { x, y, z });
value!(DVec3 { x, y, z });
value!(DMat3 { x_axis, y_axis, z_axis });
value!(DAffine3 { matrix3, translation });

impl<T: Value + Copy + Default, const N: usize> Value for [T; N] {
    fn write(&self, to: &mut Writer) {
        self.iter().for_each(|item| item.write(to));
    }

    fn read(from: &mut Reader<'_>) -> Result<Self, ReadError> {
        let mut items = [T::default(); N];
        for item in &mut items {
            *item = T::read(from)?;
        }
        Ok(items)
    }
}

/// Returns the bytes of a row of words, four for each word.
pub(crate) fn row<const N: usize, const BYTES: usize>(words: [u32; N]) -> [u8; BYTES] {
    const { assert!(BYTES == 4 * N) };
    let mut bytes = [0; BYTES];
    for (four, word) in bytes.as_chunks_mut().0.iter_mut().zip(words) {
        *four = word.to_le_bytes();
    }
    bytes
}

/// Returns the words whose bytes [`row`] returned.
pub(crate) fn words<const N: usize, const BYTES: usize>(row: &[u8; BYTES]) -> [u32; N] {
    const { assert!(BYTES == 4 * N) };
    let (words, _) = row.as_chunks();
    from_fn(|i| u32::from_le_bytes(words[i]))
}

pub(crate) fn row_of_vec3(v: &Vec3) -> [u8; 12] {
    row(v.to_array().map(f32::to_bits))
}

pub(crate) fn vec3(bytes: &[u8; 12]) -> Vec3 {
    Vec3::from_array(words(bytes).map(f32::from_bits))
}

pub(crate) fn row_of_vec2(v: &Vec2) -> [u8; 8] {
    row(v.to_array().map(f32::to_bits))
}

pub(crate) fn vec2(bytes: &[u8; 8]) -> Vec2 {
    Vec2::from_array(words(bytes).map(f32::from_bits))
}
