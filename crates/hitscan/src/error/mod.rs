//! Errors about inputs. Each names the offender and says what would be right.

mod cut_outs;
mod meshes;
mod rays;
mod saved;
mod scenes;
mod windows;

pub use cut_outs::CutOutError;
pub use meshes::{HeightFieldError, HullError, MeshError, WireError};
pub use rays::{BatchError, RayError};
pub use saved::{ReadError, SaveError};
pub use scenes::{SceneError, ShapeError, TransformError};
pub use windows::{CameraError, RegionError};
