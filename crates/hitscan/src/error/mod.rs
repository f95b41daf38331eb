//! Errors about inputs. Each names the invalid item and says what would be valid.

/// Defines an error type and its [`Display`](core::fmt::Display). The message of a variant precedes it, and may name the variant's values.
macro_rules! errors {
    ($(#[$meta:meta])* pub enum $name:ident {$(
        $(#[doc = $doc:literal])*
        #[error($($message:tt)*)]
        $variant:ident $(($($value:ident: $value_type:ty),*))? $({$($(#[$field_meta:meta])* $field:ident: $field_type:ty,)*})?,
    )*} $(source { $($source:pat => $error:expr,)* })?) => {
        $(#[$meta])*
        #[derive(Clone, Copy, Debug, PartialEq)]
        #[non_exhaustive]
        pub enum $name {$(
            $(#[doc = $doc])*
            $variant $(($($value_type),*))? $({$($(#[$field_meta])* $field: $field_type,)*})?,
        )*}

        impl core::fmt::Display for $name {
            #[allow(unused_variables, reason = "a message need not name every value")]
            fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
                match self {
                    $(Self::$variant $(($($value),*))? $({$($field),*})? => write!(f, $($message)*),)*
                }
            }
        }

        impl core::error::Error for $name {
            $(fn source(&self) -> Option<&(dyn core::error::Error + 'static)> {
                match self {
                    $($source => Some($error),)*
                    _ => None,
                }
            })?
        }
    };
}
pub(crate) use errors;

mod cut_outs;
mod meshes;
mod rays;
mod saved;
mod scenes;
mod windows;

pub use cut_outs::CutOutError;
pub use meshes::{HeightFieldError, HullError, MeshError, WireError};
pub(crate) use rays::ray_error;
pub use rays::{BatchError, RayError};
pub use saved::{ReadError, SaveError};
pub(crate) use scenes::shape_error;
pub use scenes::{BulkError, SceneError, ShapeError, TransformError};
pub use windows::{CameraError, RegionError};
