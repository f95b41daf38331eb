//! The folder of test models, which several tests share.

pub(crate) use hitscan_random::skip::models;
