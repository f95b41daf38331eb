//! Numbers of inputs for serde. A number that is not finite is stored as `None`, because not every format can represent it. It is read as NaN, which an input
//! treats in the same way.

use glam::Vec2;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

macro_rules! finite {
    ($name:ident, $number:ty) => {
        pub(super) mod $name {
            use super::*;

            pub(crate) fn serialize<S: Serializer>(number: &$number, serializer: S) -> Result<S::Ok, S::Error> {
                number.is_finite().then_some(*number).serialize(serializer)
            }

            pub(crate) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<$number, D::Error> {
                Ok(Option::deserialize(deserializer)?.unwrap_or(<$number>::NAN))
            }
        }
    };
}

finite!(time, f64);
finite!(position, Vec2);
