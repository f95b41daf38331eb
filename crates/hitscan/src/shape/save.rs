//! Shapes as bytes, and back.

use super::{Shape, each_shape};
use crate::error::ReadError;
use crate::save::{Reader, Value, Writer};

/// Saves each shape by its number and its own bytes.
macro_rules! saved {
    ($($number:literal => $variant:ident($shape:ident): $kind:ident, $doc:literal;)*) => {
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

each_shape!(saved);
