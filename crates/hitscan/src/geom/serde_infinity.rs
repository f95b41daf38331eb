//! Ends of ranges and limits for serde. An infinite value is stored as none, because not every format has a number for
//! infinity.

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::Error};

macro_rules! end {
    ($name:ident, $number:ty, $none:expr) => {
        pub(crate) mod $name {
            use super::*;

            pub(crate) fn serialize<S: Serializer>(end: &$number, serializer: S) -> Result<S::Ok, S::Error> {
                if end.is_nan() {
                    return Err(S::Error::custom("the end of a range and a limit must be numbers"));
                }
                (*end != $none).then_some(*end).serialize(serializer)
            }

            pub(crate) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<$number, D::Error> {
                Ok(Option::deserialize(deserializer)?.unwrap_or($none))
            }
        }
    };
}

end!(below, f32, f32::NEG_INFINITY);
end!(above, f32, f32::INFINITY);
end!(above_f64, f64, f64::INFINITY);
