//! Animations as they are in the JSON, and the properties that they move.

use super::document::{self, Document};
use crate::error::shortened;
use serde_json::value::RawValue;
use std::collections::HashSet;

/// An animation as it is in the JSON, or the fault in it.
pub(super) type Parsed = Result<document::Animation, String>;

pub(super) fn parse(document: &Document) -> Vec<Parsed> {
    let Some(animations) = &document.animations else { return Vec::new() };
    match serde_json::from_str::<Vec<&RawValue>>(animations.get()) {
        Ok(list) => list.iter().map(|json| parse_one(json)).collect(),
        Err(_) => vec![Err("is in no list".into())],
    }
}

fn parse_one(json: &RawValue) -> Parsed {
    serde_json::from_str(json.get()).map_err(|error| shortened(&error.to_string()))
}

/// The things that animations move.
#[derive(Default)]
pub(super) struct Moved {
    /// Nodes moved by their own transforms.
    pub(super) places: HashSet<usize>,
    /// Nodes moved by the weights of their meshes' morph targets.
    pub(super) weights: HashSet<usize>,
}

impl Moved {
    pub(super) fn by(animations: &[Parsed]) -> Self {
        let mut moved = Self::default();
        for channel in animations.iter().flatten().flat_map(|animation| &animation.channels) {
            let Some(node) = channel.target.node else { continue };
            match channel.target.path.as_str() {
                "translation" | "rotation" | "scale" => moved.places.insert(node.0),
                "weights" => moved.weights.insert(node.0),
                _ => false,
            };
        }
        moved
    }
}
