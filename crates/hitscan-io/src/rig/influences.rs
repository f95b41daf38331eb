//! The joints that vertices follow, and how much.

use crate::vectors::Vectors;
use hitscan::glam::{DAffine3, DMat3, DVec3};
use serde::{Deserialize, Serialize};

/// The joints of each vertex of a run that have a weight.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Influences {
    /// The end of each vertex's joints in `all`.
    ends: Vec<usize>,
    all: Vec<(u32, f32)>,
}

impl Influences {
    /// Makes influences from sets of four joints and their weights, for the vertices of a stream that are in use.
    ///
    /// A vertex whose weights add up to 0 follows the joint that is named first.
    pub(crate) fn new(sets: &[[Vectors<4>; 2]], used: impl Iterator<Item = usize>) -> Self {
        let mut influences = Self { ends: Vec::new(), all: Vec::new() };
        for vertex in used {
            let start = influences.all.len();
            for [joints, weights] in sets {
                let pairs = joints[vertex].iter().zip(weights[vertex]).map(|(&joint, weight)| (joint as u32, weight));
                influences.all.extend(pairs.filter(|&(_, weight)| weight != 0.0));
            }
            if total(&influences.all[start..]) == 0.0 {
                influences.all.truncate(start);
                influences.all.extend(sets.first().map(|[joints, _]| (joints[vertex][0] as u32, 1.0)));
            }
            influences.ends.push(influences.all.len());
        }
        influences
    }

    /// Returns whether the influences are consistent, and belong to this many vertices.
    pub(crate) fn is_of(&self, vertices: usize) -> bool {
        self.ends.len() == vertices && self.ends.is_sorted() && self.ends.last().copied().unwrap_or(0) == self.all.len()
    }

    /// Returns the joints of a vertex and their weights, which need not add up to 1.
    fn of(&self, vertex: usize) -> &[(u32, f32)] {
        let start = vertex.checked_sub(1).map_or(0, |before| self.ends[before]);
        &self.all[start..self.ends[vertex]]
    }

    /// Returns the joints of a vertex and their shares of it, which add up to 1.
    pub(crate) fn shares(&self, vertex: usize) -> impl Iterator<Item = (u32, f64)> {
        let of = self.of(vertex);
        let total = total(of);
        of.iter().map(move |&(joint, weight)| (joint, f64::from(weight) / total))
    }

    /// Returns the number of vertices.
    pub(crate) fn len(&self) -> usize {
        self.ends.len()
    }

    /// Returns the number of vertices whose weights do not add up to 1, up to the rounding of integers of 8 bits, and the first of
    /// these vertices.
    pub(crate) fn uneven(&self) -> Option<(usize, usize)> {
        let is_uneven = |&vertex: &usize| (total(self.of(vertex)) - 1.0).abs() > 0.01;
        let first = (0..self.ends.len()).find(is_uneven)?;
        Some(((first..self.ends.len()).filter(is_uneven).count(), first))
    }

    /// Returns the first vertex that follows a joint whose number is not below `joints`, and that joint.
    pub(crate) fn beyond(&self, joints: usize) -> Option<(usize, u32)> {
        let beyond = |vertex| {
            let (joint, _) = self.of(vertex).iter().find(|&&(joint, _)| joint as usize >= joints)?;
            Some((vertex, *joint))
        };
        (0..self.ends.len()).find_map(beyond)
    }

    /// Returns the matrix that transforms a vertex to the world: the mean of the matrices of its joints by their
    /// weights. All joints exist.
    ///
    /// Weights that do not add up to 1 are divided by their sum, as a renderer with homogeneous coordinates does.
    pub(crate) fn matrix(&self, vertex: usize, joints: &[DAffine3]) -> DAffine3 {
        let mut sum = DAffine3::from_mat3_translation(DMat3::ZERO, DVec3::ZERO);
        let of = self.of(vertex);
        for &(joint, weight) in of {
            let (matrix, weight) = (&joints[joint as usize], f64::from(weight));
            sum.matrix3 += matrix.matrix3 * weight;
            sum.translation += matrix.translation * weight;
        }
        let share = total(of).recip();
        DAffine3 { matrix3: sum.matrix3 * share, translation: sum.translation * share }
    }
}

fn total(influences: &[(u32, f32)]) -> f64 {
    influences.iter().map(|&(_, weight)| f64::from(weight)).sum()
}
