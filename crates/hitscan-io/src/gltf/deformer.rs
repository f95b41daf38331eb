//! The data that moves the vertices of a primitive, read when a pose or an animation needs it.

use super::accessor::Accessors;
use super::document::Whole;
use super::streams::{Fault, Streams, check_count};
use crate::rig::{Influences, Part, Target};
use crate::vectors::Vectors;
use std::sync::Arc;

/// The needed part of the data of a mesh.
pub(super) struct Need<'a> {
    pub(super) targets: Targets,
    /// The weights of the morph targets, before any animation.
    pub(super) weights: &'a [f64],
    /// The number of joints of its skin, if it follows one.
    pub(super) joints: Option<usize>,
}

/// The size of four joints with their weights, in vectors.
const SIZE_OF_SET: usize = 3;

/// The morph targets that are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(super) enum Targets {
    /// Only the targets with a weight before any animation are needed.
    Weighted,
    /// Targets that animations may give a weight are needed too.
    All,
}

impl Need<'_> {
    fn has_target(&self, number: usize) -> bool {
        self.targets == Targets::All || self.weights.get(number).is_some_and(|&weight| weight != 0.0)
    }

    /// Returns an upper bound of the number of vectors that are needed to compute one vertex and to keep its joints;
    /// 0 for a mesh at rest. The mesh has this many morph targets and sets of joints.
    pub(super) fn streams(&self, targets: usize, sets: usize) -> usize {
        let targets = (0..targets).filter(|&number| self.has_target(number)).count();
        let joints = self.joints.map_or(0, |_| sets.saturating_mul(SIZE_OF_SET));
        if targets == 0 && self.joints.is_none() { 0 } else { joints.saturating_add(1 + targets) }
    }
}

/// Reads the data that is needed for the vertices in use; `None` means all vertices.
pub(super) fn read(
    streams: &Streams,
    used: Option<Arc<[u32]>>,
    need: &Need<'_>,
    accessors: &Accessors<'_>,
) -> Result<Part, Fault> {
    let target = |(number, target): (usize, &[Option<Whole>; 2])| {
        if need.has_target(number) { read_target(*target, number, streams, accessors) } else { Ok(Target::default()) }
    };
    let targets = streams.bind().targets.iter().enumerate().map(target).collect::<Result<_, Fault>>()?;
    let influences = match need.joints {
        Some(joints) => Some(read_influences(streams, used.as_deref(), joints, accessors)?),
        None => None,
    };
    Ok(Part { positions: streams.positions.clone(), normals: streams.normals.clone(), used, targets, influences })
}

fn read_target(
    target: [Option<Whole>; 2],
    number: usize,
    streams: &Streams,
    accessors: &Accessors<'_>,
) -> Result<Target, Fault> {
    let [positions, normals] = target.map(|index| index.map(|index| accessors.vectors(index)).transpose());
    let target = Target { positions: positions?, normals: normals? };
    for (what, stream) in [("positions", &target.positions), ("normals", &target.normals)] {
        let count = stream.as_ref().map(|stream: &Vectors<3>| stream.len());
        check_count(&format!("{what} in morph target {number}"), count, streams.positions.len())?;
    }
    Ok(target)
}

/// Reads the joints of the vertices in use, and checks that the skin has all of them.
fn read_influences(
    streams: &Streams,
    used: Option<&[u32]>,
    joints: usize,
    accessors: &Accessors<'_>,
) -> Result<Influences, Fault> {
    let mut sets = Vec::new();
    for &[of, weight] in &streams.bind().influences {
        let set = [accessors.joints(of)?, accessors.vectors(weight)?];
        for (what, stream) in [("joints", &set[0]), ("weights", &set[1])] {
            check_count(what, Some(stream.len()), streams.positions.len())?;
        }
        sets.push(set);
    }
    let influences = match used {
        Some(used) => Influences::new(&sets, used.iter().map(|&vertex| vertex as usize)),
        None => Influences::new(&sets, 0..streams.positions.len()),
    };
    match influences.beyond(joints) {
        Some((vertex, joint)) => {
            let vertex = used.map_or(vertex, |used| used[vertex] as usize);
            Err(Fault::Mesh(format!("joint {joint} at vertex {vertex}, of a skin with {joints} joints,")))
        }
        None => Ok(influences),
    }
}
