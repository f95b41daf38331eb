//! Items along a space-filling curve (G. M. Morton, 1966), the longest side of a cell halved first.

use super::bounds::Bounds;
use super::reference::{self, Reference};
use crate::parallel;
use crate::simd::in_huge_pages;
use alloc::vec;
use alloc::vec::Vec;
use core::slice::IterMut;
use glam::Vec4;

/// Most bits of one axis, two bytes, and of all.
const AXIS_BITS: usize = 16;
const CODE_BITS: usize = 32;
/// Pieces of work that are worth handing to another thread.
const GRAIN: usize = 8192;

/// The places of the references in the order of their middles along the curve; those of equal codes stay in order.
pub(super) fn order(references: &[Reference]) -> Vec<u32> {
    let curve = Curve::new(&reference::center_bounds(references));
    let mut keys = in_huge_pages(vec![0; references.len()]);
    parallel::fill(&mut keys, GRAIN, &|start, piece| {
        for ((key, reference), place) in piece.iter_mut().zip(&references[start..]).zip(start as u64..) {
            *key = u64::from(curve.code(reference.bounds.center())) << 32 | place;
        }
    });
    sort(&mut keys);
    keys.into_iter().map(|key| key as u32).collect()
}

struct Curve {
    low: Vec4,
    scale: Vec4,
    /// By axis and byte of the cell's coordinate: where its bits are in the code.
    spread: [[[u32; 256]; 2]; 3],
}

impl Curve {
    fn new(centers: &Bounds) -> Self {
        let extent = (centers.high - centers.low).to_array();
        let mut sizes = extent;
        let mut bits = [0; 3];
        let mut spread = [[[0; 256]; 2]; 3];
        for bit in (0..CODE_BITS).rev() {
            let open = (0..3).filter(|&axis| bits[axis] < AXIS_BITS && extent[axis] > 0.0);
            let Some(axis) = open.max_by(|&a, &b| sizes[a].total_cmp(&sizes[b])) else { break };
            bits[axis] += 1;
            sizes[axis] *= 0.5;
            // The axis's next lower bit.
            let place = AXIS_BITS - bits[axis];
            for (byte, code) in spread[axis][place / 8].iter_mut().enumerate() {
                *code |= ((byte >> (place % 8) & 1) as u32) << bit;
            }
        }
        let cells = ((1 << AXIS_BITS) - 1) as f32;
        // Where the spread is so small that its inverse is infinite, it is none.
        let scale = extent.map(|extent| if extent > 0.0 { cells / extent } else { 0.0 });
        let [x, y, z, _] = scale.map(|scale| if scale.is_finite() { scale } else { 0.0 });
        // As of the bins' grid: no product with the item's number in the last lane.
        Self { low: centers.low.with_w(1.0), scale: Vec4::new(x, y, z, 0.0), spread }
    }

    fn code(&self, center: Vec4) -> u32 {
        let cell = ((center - self.low) * self.scale).to_array();
        let spread = |axis: usize| {
            // A conversion saturates.
            let place = cell[axis] as u16 as usize;
            self.spread[axis][0][place & 255] | self.spread[axis][1][place >> 8]
        };
        spread(0) | spread(1) | spread(2)
    }
}

const DIGIT_BITS: usize = 11;
const DIGITS: usize = 1 << DIGIT_BITS;
const ROUNDS: usize = CODE_BITS.div_ceil(DIGIT_BITS);

/// By the upper half of each key, those that are equal there staying as they are: rounds of counting. Each thread has a part of the keys, and of the
/// places for each digit those after the parts' before it.
fn sort(keys: &mut Vec<u64>) {
    let part = keys.len().div_ceil(parallel::threads()).max(GRAIN);
    let mut sorted = in_huge_pages(vec![0; keys.len()]);
    for round in 0..ROUNDS {
        let digit = |key: u64| (key >> (CODE_BITS + DIGIT_BITS * round)) as usize % DIGITS;
        let mut parts: Vec<Part<'_>> = keys.chunks(part).map(Part::new).collect();
        parallel::for_each(&mut parts, &|part| part.count(digit));
        deal(&mut sorted, &mut parts);
        parallel::for_each(&mut parts, &|part| part.scatter(digit));
        drop(parts);
        core::mem::swap(keys, &mut sorted);
    }
}

/// Some of the keys, and by digit how many there are and where they go.
struct Part<'a> {
    keys: &'a [u64],
    counts: Vec<u32>,
    places: Vec<IterMut<'a, u64>>,
}

impl<'a> Part<'a> {
    fn new(keys: &'a [u64]) -> Self {
        Self { keys, counts: vec![0; DIGITS], places: Vec::with_capacity(DIGITS) }
    }

    fn count(&mut self, digit: impl Fn(u64) -> usize) {
        for &key in self.keys {
            self.counts[digit(key)] += 1;
        }
    }

    fn scatter(&mut self, digit: impl Fn(u64) -> usize) {
        for &key in self.keys {
            if let Some(place) = self.places[digit(key)].next() {
                *place = key;
            }
        }
    }
}

/// Gives each part its places.
fn deal<'a>(mut sorted: &'a mut [u64], parts: &mut [Part<'a>]) {
    for digit in 0..DIGITS {
        for part in &mut *parts {
            let places = sorted.split_off_mut(..part.counts[digit] as usize).unwrap_or_default();
            part.places.push(places.iter_mut());
        }
    }
}
