//! Ends of ranges for serde: an infinite end is stored as none, because not every format has a number for infinity.

use serde::{Deserialize, Deserializer, Serialize, Serializer, ser::Error};

macro_rules! end {
    ($name:ident, $none:expr) => {
        pub(crate) mod $name {
            use super::*;

            pub(crate) fn serialize<S: Serializer>(end: &f32, serializer: S) -> Result<S::Ok, S::Error> {
                if end.is_nan() {
                    return Err(S::Error::custom("the end of a range must be a number"));
                }
                (*end != $none).then_some(*end).serialize(serializer)
            }

            pub(crate) fn deserialize<'a, D: Deserializer<'a>>(deserializer: D) -> Result<f32, D::Error> {
                Ok(Option::deserialize(deserializer)?.unwrap_or($none))
            }
        }
    };
}

end!(below, f32::NEG_INFINITY);
end!(above, f32::INFINITY);
