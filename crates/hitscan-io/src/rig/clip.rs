//! Animations: curves, and the things that follow them.

use super::{Curve, Local, Trs};
use serde::{Deserialize, Serialize};

/// The tracks of an animation: its curves, each with the property that it moves.
#[derive(Debug, Default)]
pub(crate) struct Clip {
    pub(crate) tracks: Vec<Track>,
}

#[derive(Debug)]
pub(crate) struct Track {
    pub(crate) follower: Follower,
    pub(crate) curve: Curve,
}

/// The property that a curve moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(crate) enum Follower {
    /// The translation of a node.
    Translation(usize),
    Rotation(usize),
    Scale(usize),
    /// The weights of a body's morph targets.
    Weights(usize),
}

impl Track {
    /// Applies the animation at a time in seconds; times before the first key use the first key, and times after the last key use the last one. `weights` finds
    /// the weights of a body.
    pub(crate) fn play<'a>(
        &self,
        time: f64,
        locals: &mut [Local],
        weights: impl FnOnce(usize) -> Option<&'a mut [f64]>,
    ) {
        let (node, part): (usize, fn(&mut Trs, &Curve, f64)) = match self.follower {
            Follower::Translation(node) => (node, |trs, curve, time| trs.translation = curve.vector(time)),
            Follower::Rotation(node) => (node, |trs, curve, time| trs.rotation = curve.rotation(time)),
            Follower::Scale(node) => (node, |trs, curve, time| trs.scale = curve.vector(time)),
            Follower::Weights(body) => {
                return weights(body).into_iter().for_each(|weights| self.curve.numbers(time, weights));
            }
        };
        if let Some(Local::Parts(trs)) = locals.get_mut(node) {
            part(trs, &self.curve, time);
        }
    }
}
