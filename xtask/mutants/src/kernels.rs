//! The files that are changed, and the tests that should notice.

/// A file of the library, and its own short list of tests.
pub(crate) struct Kernel {
    /// The path below the library's `src`.
    pub(crate) file: &'static str,
    pub(crate) tests: &'static [Tests],
}

/// Some tests of one program.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Tests {
    /// The name of the test program; `hitscan` is the program of the library's unit tests.
    pub(crate) program: &'static str,
    /// Filters by name: a test with any of these runs.
    pub(crate) names: &'static [&'static str],
}

const fn tests(program: &'static str, names: &'static [&'static str]) -> Tests {
    Tests { program, names }
}

const TRIANGLES: &[Tests] =
    &[tests("hitscan", &["tri::", "mesh::"]), tests("rays", &["kernel::", "watertight::", "repeats::", "exact::"])];
const BOXES: &[Tests] =
    &[tests("hitscan", &["bvh::"]), tests("rays", &["kernel::", "watertight::", "exact::", "batch::"])];
const PREDICATES: &[Tests] =
    &[tests("hitscan", &["math::", "shape::"]), tests("rays", &["exact::", "watertight::", "d2::"])];
const SHAPES: &[Tests] = &[
    tests("hitscan", &["shape::", "tri::"]),
    tests("rays", &["shapes::", "exact::", "ricochet::", "solid_intervals::", "departure::"]),
];
const LEAVES: &[Tests] = &[
    tests("hitscan", &["tri::", "mesh::"]),
    tests("rays", &["kernel::", "watertight::", "repeats::", "exact::", "ricochet::", "questions::", "mesh::"]),
    tests("volumes", &["closest::"]),
];
const SWEEPS: &[Tests] = &[tests("hitscan", &["sweep::"]), tests("volumes", &["sweep::"])];
const CORES: &[Tests] =
    &[tests("hitscan", &["convex::", "proximity::"]), tests("volumes", &["touch::", "closest::", "pairs::"])];

const fn kernel(file: &'static str, tests: &'static [Tests]) -> Kernel {
    Kernel { file, tests }
}

pub(crate) const KERNELS: [Kernel; 17] = [
    kernel("math/filtered_predicates.rs", PREDICATES),
    kernel("math/exact_predicates.rs", PREDICATES),
    kernel("shape/triangle.rs", SHAPES),
    kernel("tri/triangle8.rs", TRIANGLES),
    kernel("tri/error_bounds.rs", TRIANGLES),
    kernel("tri/rounded_t.rs", TRIANGLES),
    kernel("tri/leaf_visitors.rs", LEAVES),
    kernel("mesh/cast/leaf_intersect.rs", LEAVES),
    kernel("bvh/traverse/ray_box8.rs", BOXES),
    kernel("bvh/traverse/single_ray.rs", BOXES),
    kernel("bvh/traverse/packet_traversal.rs", BOXES),
    kernel("tri/sweep_filter.rs", SWEEPS),
    kernel("sweep/capsule_triangle.rs", SWEEPS),
    kernel("sweep/box_triangle.rs", SWEEPS),
    kernel("convex/gjk.rs", CORES),
    kernel("convex/epa.rs", CORES),
    kernel("proximity/distance.rs", CORES),
];
