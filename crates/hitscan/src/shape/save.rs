//! Shapes as bytes, and back.

use super::Shape;
use crate::error::ReadError;
use crate::save::{Reader, Value, Writer};

/// The number of each shape in saved bytes. A number that was given stays for ever.
macro_rules! numbers {
    ($($number:literal => $variant:ident),* $(,)?) => {
        impl Value for Shape {
            fn write(&self, to: &mut Writer) {
                match self {
                    $(Self::$variant(shape) => {
                        u32::write(&$number, to);
                        shape.write(to);
                    })*
                }
            }

            fn read(from: &mut Reader<'_>) -> Result<Self, ReadError> {
                match u32::read(from)? {
                    $($number => Value::read(from).map(Self::$variant),)*
                    _ => Err(ReadError::Invalid { item: "shape", index: 0, fault: "is a shape of an unknown kind" }),
                }
            }
        }
    };
}

numbers! {
    1 => Box,
    2 => Capsule,
    3 => Cone,
    4 => Cylinder,
    5 => Disc,
    6 => OrientedBox,
    7 => Plane,
    8 => Quad,
    9 => Sphere,
    10 => Torus,
    11 => Triangle,
}
