//! The area and volume of triangles, and the solids among their patches that are inside out.

use super::listed::Listed;
use super::topology::Topology;
use crate::extent::Extent;
use crate::triangle_list::TriangleList;
use anyhow::Result;
use hitscan::Mesh;
use hitscan::glam::DVec3;
use std::collections::BTreeMap;

/// The number of corners of a solid that are tested for being inside others. One that is on the surface of another solid says nothing.
const PROBES: usize = 8;

/// The sizes of some triangles.
pub(super) struct Sizes {
    pub(super) area: f64,
    /// `None` if the triangles do not enclose one.
    pub(super) volume: Option<f64>,
    /// The lowest triangle of each solid that is inside out.
    pub(super) inside_out: Listed<u32>,
}

/// Six times the sum of the volumes under the triangles of a patch, with a bound on its error.
#[derive(Clone, Copy, Default)]
struct Volume {
    sum: f64,
    /// The sum of the sizes of all products.
    magnitude: f64,
    triangles: u64,
}

impl Volume {
    fn add(&mut self, [a, b, c]: [DVec3; 3]) {
        self.sum += a.dot(b.cross(c));
        let [a, b, c] = [a.abs(), b.abs(), c.abs()];
        let sums = DVec3::new(b.y * c.z + b.z * c.y, b.z * c.x + b.x * c.z, b.x * c.y + b.y * c.x);
        self.magnitude += a.dot(sums);
        self.triangles += 1;
    }

    /// Returns whether the volume is surely negative. Each corner relative to the centre is rounded once, a term at most eight times, and the sum once for each
    /// triangle. The error is below twice this number of unit roundoffs, relative to the magnitude.
    fn is_negative(&self) -> bool {
        let error = (self.triangles as f64 + 12.0) * f64::EPSILON * self.magnitude;
        self.sum < -error
    }
}

impl Sizes {
    pub(super) fn new(list: &TriangleList, topology: &Topology, most: usize) -> Result<Self> {
        let center = list.center();
        let mut volumes = vec![Volume::default(); list.triangles.len()];
        let mut area = 0.0;
        for (number, &patch) in (0..).zip(&topology.patches) {
            let corners = list.corners(number).map(|corner| corner - center);
            area += 0.5 * (corners[1] - corners[0]).cross(corners[2] - corners[0]).length();
            volumes[patch as usize].add(corners);
        }
        let encloses = topology.is_watertight && topology.is_oriented && !list.triangles.is_empty();
        let volume = encloses.then(|| volumes.iter().map(|volume| volume.sum).sum::<f64>() / 6.0);
        let is_negative = |&patch: &u32| topology.is_solid[patch as usize] && volumes[patch as usize].is_negative();
        let negative: Vec<u32> = (0..list.triangles.len() as u32).filter(is_negative).collect();
        let mut inside_out = Listed::new(most);
        if !negative.is_empty() {
            let solids = Solids::new(list, topology);
            for patch in negative {
                if !solids.is_cavity(patch)? {
                    inside_out.push(patch);
                }
            }
        }
        Ok(Self { area, volume, inside_out })
    }
}

/// The patches that enclose a volume.
struct Solids<'a> {
    list: &'a TriangleList,
    /// The triangles of each solid and the box around them, by its lowest triangle.
    solids: BTreeMap<u32, (Vec<u32>, Extent)>,
}

impl<'a> Solids<'a> {
    fn new(list: &'a TriangleList, topology: &Topology) -> Self {
        let mut triangles: BTreeMap<u32, Vec<u32>> = BTreeMap::new();
        for (number, &patch) in (0..).zip(&topology.patches) {
            if topology.is_solid[patch as usize] {
                triangles.entry(patch).or_default().push(number);
            }
        }
        let boxed = |triangles: Vec<u32>| {
            let around = Extent::of_points(triangles.iter().flat_map(|&triangle| list.corners(triangle)));
            (triangles, around)
        };
        let solids = triangles.into_iter().map(|(patch, triangles)| (patch, boxed(triangles)));
        Self { list, solids: solids.collect() }
    }

    /// Returns whether a solid that faces inwards is a cavity: it is inside the others.
    fn is_cavity(&self, patch: u32) -> Result<bool> {
        let Some((own, extent)) = self.solids.get(&patch) else { return Ok(false) };
        let around = self.solids.iter().filter(|(other, (_, around))| **other != patch && around.contains(extent));
        let triangles: Vec<u32> = around.flat_map(|(_, (triangles, _))| triangles).copied().collect();
        if triangles.is_empty() {
            return Ok(false);
        }
        let center = extent.center();
        let corners: Vec<[f32; 3]> = triangles
            .iter()
            .flat_map(|&triangle| self.list.corners(triangle))
            .map(|corner| (corner - center).as_vec3().to_array())
            .collect();
        let others = Mesh::from_soup(&corners)?;
        let probes = own.iter().step_by(own.len().div_ceil(PROBES)).map(|&triangle| self.list.corners(triangle)[0]);
        Ok(probes.into_iter().any(|corner| others.contains(corner - center)))
    }
}
