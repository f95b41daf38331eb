//! Animations: the properties that they move, and their curves. A fault in an animation affects only that animation.

use super::accessor::Accessors;
use super::document::{self, AnimationSampler, Whole};
use super::entity::Shown;
use super::moved::Parsed;
use crate::error::{Item, Problem, Warning, shortened};
use crate::model;
use crate::rig::{Binding, Broken, Clip, Curve, Follower, Interpolation, Local, Track, Tree};
use std::collections::{HashMap, HashSet};

/// Reads animations.
pub(super) struct Animations<'a> {
    accessors: &'a Accessors<'a>,
    tree: &'a Tree,
    stiff: &'a HashMap<usize, String>,
    /// The body of each node that shows a mesh, and the number of its morph targets.
    shown: HashMap<usize, Option<(usize, usize)>>,
}

/// An animation as it is listed, and as it is played.
pub(super) type Read = (model::Animation, Result<Clip, Broken>);

/// The result of reading a channel.
enum Channel {
    Track(Track),
    /// The thing that it moves is not shown.
    Unseen,
    /// The channel is not supported; this is its kind.
    Passed(String),
}

impl<'a> Animations<'a> {
    pub(super) fn new(accessors: &'a Accessors<'a>, tree: &'a Tree, shown: &'a Shown) -> Self {
        let body = |binding: &Binding| binding.body.map(|body| (body, shown.bodies[body].weights.len()));
        let shown_by = shown.bindings.iter().map(|binding| (binding.node, body(binding))).collect();
        Self { accessors, tree, stiff: &shown.stiff, shown: shown_by }
    }

    pub(super) fn read(&self, parsed: &[Parsed], warnings: &mut Vec<Warning>) -> Vec<Read> {
        let read = |(index, parsed)| self.animation(index, parsed, warnings);
        parsed.iter().enumerate().map(read).collect()
    }

    fn animation(&self, index: usize, parsed: &Parsed, warnings: &mut Vec<Warning>) -> Read {
        let name = parsed.as_ref().ok().and_then(|animation| animation.name.clone()).filter(|name| !name.is_empty());
        let item = Item::named("animation", index, name.as_deref());
        let channels = parsed.as_ref().map_or(0, |animation| animation.channels.len());
        let clip = parsed.as_ref().map_err(Clone::clone);
        let clip = clip.and_then(|animation| self.clip(&item, animation, warnings));
        if let Err(fault) = &clip {
            warnings.push(Warning::Animation { animation: item.clone(), fault: fault.clone() });
        }
        let ends = clip.iter().flat_map(|clip| &clip.tracks).map(|track| track.curve.end());
        let listed = model::Animation {
            name,
            duration: ends.fold(0.0, f64::max),
            channels,
            fault: clip.as_ref().err().cloned(),
        };
        (listed, clip.map_err(|fault| Broken { animation: item, fault }))
    }

    fn clip(&self, item: &Item, animation: &document::Animation, warnings: &mut Vec<Warning>) -> Result<Clip, String> {
        let (mut clip, mut followers) = (Clip::default(), HashSet::new());
        let (mut passed, mut first) = (0, None);
        for (number, channel) in animation.channels.iter().enumerate() {
            match self.channel(animation, channel).map_err(|fault| format!("channel {number} {fault}"))? {
                Channel::Track(track) if !followers.insert(track.follower) => {
                    return Err(format!("channel {number} moves what another one moves already"));
                }
                Channel::Track(track) => clip.tracks.push(track),
                Channel::Unseen => {}
                Channel::Passed(reason) => {
                    passed += 1;
                    first = first.or(Some((number, reason)));
                }
            }
        }
        if let Some((first, reason)) = first {
            warnings.push(Warning::Channels { animation: item.clone(), count: passed, first, reason });
        }
        Ok(clip)
    }

    fn channel(&self, animation: &document::Animation, channel: &document::Channel) -> Result<Channel, String> {
        let Some(node) = channel.target.node else { return Ok(Channel::Passed("names no node".into())) };
        let count = self.tree.nodes.len();
        let rest = self.tree.nodes.get(node.0).ok_or_else(|| format!("moves node {}, of {count} nodes", node.0))?;
        let path = channel.target.path.as_str();
        let (follower, width) = match path {
            "translation" => (Follower::Translation(node.0), 3),
            "rotation" => (Follower::Rotation(node.0), 4),
            "scale" => (Follower::Scale(node.0), 3),
            "weights" => match self.weights(node)? {
                Ok((body, targets)) => (Follower::Weights(body), targets),
                Err(channel) => return Ok(channel),
            },
            other => return Ok(Channel::Passed(format!("moves {:?}", shortened(other)))),
        };
        if path != "weights" && matches!(rest.local, Local::Matrix(_)) {
            return Err(format!("moves the {path} of node {}, which has a matrix in its place", node.0));
        }
        let samplers = animation.samplers.len();
        let sampler = animation
            .samplers
            .get(channel.sampler.0)
            .ok_or_else(|| format!("follows sampler {}, of {samplers} samplers", channel.sampler.0))?;
        let curve = self.curve(sampler, follower, width)?;
        Ok(Channel::Track(Track { follower, curve }))
    }

    /// Returns the body that a node shows, and the number of its morph targets.
    fn weights(&self, node: Whole) -> Result<Result<(usize, usize), Channel>, String> {
        if let Some(fault) = self.stiff.get(&node.0) {
            return Err(format!("moves the weights of node {}, and {fault}", node.0));
        }
        Ok(match self.shown.get(&node.0) {
            Some(Some(body)) if body.1 > 0 => Ok(*body),
            Some(_) => {
                let fault = format!("moves the weights of node {}, whose mesh has no morph targets", node.0);
                Err(Channel::Passed(fault))
            }
            None => Err(Channel::Unseen),
        })
    }

    fn curve(&self, sampler: &AnimationSampler, follower: Follower, width: usize) -> Result<Curve, String> {
        let said = |problem: Problem| format!("cannot be followed: {problem}");
        let interpolation = match sampler.interpolation.as_deref() {
            None | Some("LINEAR") => Interpolation::Linear,
            Some("STEP") => Interpolation::Step,
            Some("CUBICSPLINE") => Interpolation::CubicSpline,
            Some(other) => {
                return Err(format!("has the unknown interpolation {:?}", shortened(other)));
            }
        };
        let times = self.accessors.times(sampler.input).map_err(said)?.flat();
        let values = match follower {
            Follower::Translation(_) | Follower::Scale(_) => {
                self.accessors.values::<3>(sampler.output).map_err(said)?.flat()
            }
            Follower::Rotation(_) => self.accessors.values::<4>(sampler.output).map_err(said)?.flat(),
            Follower::Weights(_) => self.accessors.values::<1>(sampler.output).map_err(said)?.flat(),
        };
        // Many samplers may share accessors, and each of them checks the accessor.
        let item = Item::new("accessor", sampler.output.0);
        self.accessors.spend(&item, times.len().saturating_add(values.len())).map_err(said)?;
        let curve = Curve { times, values, width, interpolation };
        check(&curve, sampler, matches!(follower, Follower::Rotation(_)))?;
        Ok(curve)
    }
}

/// Checks that there are keys, in their order, each with its values.
fn check(curve: &Curve, sampler: &AnimationSampler, is_rotation: bool) -> Result<(), String> {
    let (input, output) = (sampler.input.0, sampler.output.0);
    let Curve { times, values, width, interpolation } = curve;
    if times.is_empty() {
        return Err(format!("has no keys: accessor {input} is empty"));
    }
    if let Some(at) = times.iter().position(|time| !time.is_finite()) {
        return Err(format!("has the time {} at key {at} (accessor {input})", times[at]));
    }
    if let Some(at) = times.windows(2).position(|pair| pair[1] < pair[0]) {
        return Err(format!("goes back in time after key {at} (accessor {input})"));
    }
    let (keys, each) = (times.len(), width * interpolation.values_per_key());
    if keys.checked_mul(each) != Some(values.len()) {
        return Err(format!(
            "has {} numbers for {keys} keys (accessors {output} and {input}), of which each needs {each}",
            values.len()
        ));
    }
    if let Some(at) = values.iter().position(|value| !value.is_finite()) {
        return Err(format!("has the value {} at place {at} of accessor {output}", values[at]));
    }
    match (0..keys).find(|&key| is_rotation && curve.is_zero(key)) {
        Some(key) => Err(format!("has a quaternion of no length at key {key} (accessor {output})")),
        None => Ok(()),
    }
}
