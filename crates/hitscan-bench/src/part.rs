//! The measurements that can be selected. Runs make them, and reports show them.

use clap::ValueEnum;
use serde::{Deserialize, Serialize};

/// A measurement that can be selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ValueEnum)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum Part {
    /// Ray sets
    Rays,
    /// Single rays with cold caches
    Picks,
    /// Building several times; without it each contender is built and timed once
    Build,
    /// Fitting a tree to moved vertices
    Refit,
    /// Moving instances, and being ready for rays
    Update,
    /// Rays after many frames of motion
    Motion,
    /// Reading a mesh that was saved
    Load,
    /// Ground as a grid of heights, and as triangles
    HeightField,
    /// Volumes that move
    Sweep,
    /// Pairs that overlap in a crowd that moves
    Pairs,
    /// Closest points of a mesh
    Closest,
}

impl Part {
    pub(crate) const ALL: [Self; 11] = [
        Self::Rays,
        Self::Picks,
        Self::Build,
        Self::Refit,
        Self::Update,
        Self::Motion,
        Self::Load,
        Self::HeightField,
        Self::Sweep,
        Self::Pairs,
        Self::Closest,
    ];
}
