//! Tests that are short in the suite, and can run for any length of time: `cargo xtask long`.

use crate::api;
use crate::digest;
use crate::shell::{cargo, run};
use anyhow::{Context, Result, bail, ensure};

/// The variable with the effort of tests (`crates/hitscan-random/src/effort.rs`).
const EFFORT: &str = "HITSCAN_EFFORT";

/// A long run.
pub(crate) struct Long {
    pub(crate) name: &'static str,
    /// A description, as a sentence without its subject.
    what: &'static str,
    /// The size of the run at the effort `long`.
    size: &'static str,
    how: How,
}

enum How {
    /// A test of the suite: its package, its program, and the filter for the test.
    Test { package: &'static str, test: &'static str, filter: &'static str },
    /// A function that runs it with an effort.
    Command(fn(&str) -> Result<()>),
}

const fn test(
    name: &'static str,
    size: &'static str,
    what: &'static str,
    [package, test, filter]: [&'static str; 3],
) -> Long {
    Long { name, what, size, how: How::Test { package, test, filter } }
}

pub(crate) const LONG: [Long; 26] = [
    test(
        "exact",
        "10 million rays",
        "compares rays at corners, edges and grid lines with exact arithmetic, and a tenth of them on each instruction set",
        ["hitscan", "rays", "exact::"],
    ),
    test(
        "bounces",
        "10 million bounces",
        "lets rays bounce in closed rooms, aimed at edges and corners, and counts what gets out or stays at one point",
        ["hitscan", "rays", "ricochet::sweep"],
    ),
    test(
        "crossings",
        "10 million rays",
        "casts rays at edges and corners of closed meshes, and compares where they go in and out with intervals",
        ["hitscan", "rays", "solid_intervals::crossings"],
    ),
    test(
        "heights",
        "10 million places",
        "compares the heights of height fields with rays and exact numbers",
        ["hitscan", "api", "heights"],
    ),
    test(
        "contacts",
        "10 million contacts",
        "checks the normals and points of contacts of moving volumes with every kind of thing",
        ["hitscan", "volumes", "sweep::contacts"],
    ),
    test(
        "sweeps",
        "50,000 cases of each kind",
        "compares when moving balls, capsules, boxes and hulls first touch terrain, scans and instances with searches over distances",
        ["hitscan", "volumes", "sweep::"],
    ),
    test(
        "slides",
        "1 million slides",
        "lets volumes that landed slide over flat floors of every kind, and counts what stops them",
        ["hitscan", "volumes", "sweep::seams"],
    ),
    test(
        "touches",
        "1 million cases of each pair",
        "proves the closest points, overlaps and ways out of each pair of shapes, touching, flat and empty ones included",
        ["hitscan", "volumes", "touch::"],
    ),
    test(
        "manifolds",
        "1 million contact points",
        "looks whether contact points at meshes, height fields, boxes in one plane and rings are on both things",
        ["hitscan", "volumes", "touch::on_both"],
    ),
    test(
        "closest",
        "10 million points",
        "proves the closest points of every solid under every kind of transform, and compares closest points of meshes with brute force",
        ["hitscan", "volumes", "closest::"],
    ),
    test(
        "crowd",
        "1,000 frames",
        "compares the pairs among 10,000 moving entities with a naive list",
        ["hitscan", "volumes", "pairs::crowd"],
    ),
    test(
        "steps",
        "10 million steps",
        "treats characters as games do, at random, and checks after each step whether they are in or through something",
        ["hitscan", "volumes", "character::"],
    ),
    test(
        "stroll",
        "100,000 steps in each world",
        "lets characters stroll through levels and triangle soup, and checks each step by brute force",
        ["hitscan-io", "worlds", "stroll::"],
    ),
    test(
        "walk",
        "1 million steps",
        "changes a scene in random steps and compares all answers with a naive list",
        ["hitscan", "scenes", "walk::every_answer"],
    ),
    test(
        "soak",
        "ten minutes",
        "changes a scene for so long, and fails if memory grows",
        ["hitscan", "scenes", "walk::a_living_scene"],
    ),
    test(
        "select",
        "1,000 regions of each kind",
        "compares what regions of the window select in real and generated scenes with brute force",
        ["hitscan-io", "worlds", "select::"],
    ),
    test(
        "solids",
        "10,000 regions of each solid",
        "compares what regions select of solids with meshes that enclose them",
        ["hitscan", "tools", "select::"],
    ),
    test(
        "snap",
        "100,000 cursors",
        "compares what cursors snap to in a cloud of a million points and 100,000 edges with brute force, and measures it",
        ["hitscan", "tools", "snap::"],
    ),
    test(
        "pointer",
        "10 million inputs",
        "gives random inputs to the pointer's state machine, and compares its events with a plain model",
        ["hitscan", "tools", "pointer::"],
    ),
    test(
        "drags",
        "1 million drags",
        "drags along random paths before random cameras, and looks for leaps and for what is not under the cursor",
        ["hitscan", "tools", "drag::"],
    ),
    test(
        "handles",
        "1 million drags",
        "picks and drags the handles of gizmos before random cameras",
        ["hitscan", "tools", "gizmo::"],
    ),
    test(
        "nearest",
        "2,000 points of each",
        "compares the closest points of two models and of a city of two million triangles with brute force",
        ["hitscan-io", "worlds", "nearest::"],
    ),
    test(
        "large",
        "100,000 picks in each world",
        "picks in worlds far from the origin or as large as a planet, and compares with exact arithmetic",
        ["hitscan-io", "worlds", "large_world::"],
    ),
    test(
        "c-bits",
        "10 million hits",
        "compares the hits of the C interface with the library's, bit by bit",
        ["hitscan-capi", "bits", ""],
    ),
    Long {
        name: "glam",
        size: "once",
        what: "compares the answers with recorded ones, to the bit, with the oldest glam that the library takes",
        how: How::Command(|_| digest::test_with_oldest_glam()),
    },
    Long {
        name: "api",
        size: "an hour",
        what: "makes random calls of the whole library, in a build with overflow checks and in a release build at once: nothing may panic, answer a NaN, \
               contradict itself, or take more than 10 ms",
        how: How::Command(api::run_long),
    },
];

/// Runs the named long run, or all, or lists them.
pub(crate) fn run_with(args: &[&str]) -> Result<()> {
    let (names, effort) = match args {
        [] => {
            println!("{}", list());
            return Ok(());
        }
        [names @ .., "--times", factor] => (names, effort(factor)?),
        names => (names, "long".to_owned()),
    };
    ensure!(!names.is_empty(), "`long --times` needs the name of a run, or `all`");
    for name in names {
        ensure!(
            *name == "all" || LONG.iter().any(|long| long.name == *name),
            "there is no long run `{name}`; `cargo xtask long` lists them"
        );
    }
    for long in LONG.iter().filter(|long| names.contains(&"all") || names.contains(&long.name)) {
        println!("== {}: {}", long.name, long.what);
        long.run(&effort).with_context(|| format!("long run `{}`", long.name))?;
    }
    Ok(())
}

fn effort(factor: &str) -> Result<String> {
    match factor.parse::<f64>() {
        Ok(number) if number > 0.0 && number.is_finite() => Ok(format!("long*{factor}")),
        _ => bail!("`--times {factor}` is no positive number"),
    }
}

/// Returns a line for each long run.
pub(crate) fn list() -> String {
    let lines = LONG.iter().map(|long| format!("  {:10} {:28} {}", long.name, long.size, long.what));
    lines.collect::<Vec<_>>().join("\n")
}

impl Long {
    fn run(&self, effort: &str) -> Result<()> {
        match self.how {
            How::Test { package, test, filter } => {
                let mut command = cargo(&["test", "--package", package, "--test", test, "--", "--nocapture"]);
                // An empty filter selects every test.
                run(command.args((!filter.is_empty()).then_some(filter)).env(EFFORT, effort))
            }
            How::Command(start) => start(effort),
        }
    }
}
