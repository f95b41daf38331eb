//! The folder of test models, which several tests share.

use std::path::{Path, PathBuf};

pub(crate) use hitscan_random::skip::models;
