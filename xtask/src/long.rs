//! Tests that are short in the suite, and can run for any time.

use crate::shell::{cargo, run};
use anyhow::{Context, Result, bail};
use std::num::NonZeroU64;

/// A test that an environment variable makes longer.
pub(crate) struct Long {
    pub(crate) name: &'static str,
    /// A sentence about what it does, without its subject.
    pub(crate) what: &'static str,
    package: &'static str,
    test: &'static str,
    /// A filter: only tests with this in their name are run.
    filter: &'static str,
    pub(crate) option: &'static str,
    variable: &'static str,
    pub(crate) usual: u64,
}

pub(crate) const LONG: [Long; 18] = [
    Long {
        name: "exact",
        what: "compares rays at corners, edges and grid lines with exact arithmetic, and a tenth of them on each instruction set",
        package: "hitscan",
        test: "exact",
        filter: "",
        option: "--rays",
        variable: "HITSCAN_EXACT_RAYS",
        usual: 10_000_000,
    },
    Long {
        name: "bounces",
        what: "lets rays bounce in closed rooms, aimed at edges and corners, and counts what gets out or stays at one point",
        package: "hitscan",
        test: "ricochet",
        filter: "rooms",
        option: "--bounces",
        variable: "HITSCAN_BOUNCES",
        usual: 10_000_000,
    },
    Long {
        name: "select",
        what: "compares what regions of the window select in real and generated scenes with brute force",
        package: "hitscan-io",
        test: "select",
        filter: "",
        option: "--regions",
        variable: "HITSCAN_SELECT",
        usual: 1000,
    },
    Long {
        name: "snap",
        what: "compares what cursors snap to in a cloud of a million points and 100,000 edges with brute force, and measures it",
        package: "hitscan",
        test: "snap",
        filter: "",
        option: "--cursors",
        variable: "HITSCAN_SNAP_CURSORS",
        usual: 100_000,
    },
    Long {
        name: "closest",
        what: "proves the closest points of every solid under every kind of transform, and compares those of meshes with brute force",
        package: "hitscan",
        test: "closest",
        filter: "",
        option: "--points",
        variable: "HITSCAN_CLOSEST_POINTS",
        usual: 10_000_000,
    },
    Long {
        name: "nearest",
        what: "compares the closest points of two models and of a city of two million triangles with brute force",
        package: "hitscan-io",
        test: "nearest",
        filter: "",
        option: "--points",
        variable: "HITSCAN_NEAREST_POINTS",
        usual: 2_000,
    },
    Long {
        name: "crossings",
        what: "casts rays at edges and corners of closed meshes, and compares where they go in and out with intervals",
        package: "hitscan",
        test: "solid_intervals",
        filter: "crossings",
        option: "--rays",
        variable: "HITSCAN_CROSSINGS",
        usual: 10_000_000,
    },
    Long {
        name: "contacts",
        what: "checks the normals and points of contacts of moving volumes with every kind of thing",
        package: "hitscan",
        test: "sweep",
        filter: "the_plane_across",
        option: "--contacts",
        variable: "HITSCAN_CONTACTS",
        usual: 10_000_000,
    },
    Long {
        name: "slides",
        what: "lets volumes that landed slide over flat floors of every kind, and counts what stops them",
        package: "hitscan",
        test: "sweep",
        filter: "seams",
        option: "--slides",
        variable: "HITSCAN_SLIDES",
        usual: 1_000_000,
    },
    Long {
        name: "steps",
        what: "lets characters walk at random, and looks after each step whether they are in or through something",
        package: "hitscan",
        test: "character",
        filter: "soup",
        option: "--steps",
        variable: "HITSCAN_STEPS",
        usual: 1_000_000,
    },
    Long {
        name: "stroll",
        what: "lets characters stroll through levels and triangle soup, and looks after each step by brute force",
        package: "hitscan-io",
        test: "stroll",
        filter: "",
        option: "--steps",
        variable: "HITSCAN_STEPS",
        usual: 100_000,
    },
    Long {
        name: "pointer",
        what: "gives random inputs to the pointer's state machine, and compares its events with a plain model",
        package: "hitscan",
        test: "pointer",
        filter: "",
        option: "--inputs",
        variable: "HITSCAN_POINTER_INPUTS",
        usual: 10_000_000,
    },
    Long {
        name: "drags",
        what: "drags along random paths before random cameras, and looks for leaps and for what is not under the cursor",
        package: "hitscan",
        test: "drag",
        filter: "",
        option: "--drags",
        variable: "HITSCAN_DRAGS",
        usual: 1_000_000,
    },
    Long {
        name: "handles",
        what: "picks and drags the handles of gizmos before random cameras",
        package: "hitscan",
        test: "gizmo",
        filter: "",
        option: "--drags",
        variable: "HITSCAN_DRAGS",
        usual: 1_000_000,
    },
    Long {
        name: "heights",
        what: "compares the heights of height fields with rays and exact numbers",
        package: "hitscan",
        test: "api",
        filter: "heights",
        option: "--places",
        variable: "HITSCAN_HEIGHTS",
        usual: 10_000_000,
    },
    Long {
        name: "walk",
        what: "changes a scene in random steps and compares all answers with a naive list",
        package: "hitscan",
        test: "walk",
        filter: "every_answer",
        option: "--steps",
        variable: "HITSCAN_WALK_STEPS",
        usual: 100_000,
    },
    Long {
        name: "soak",
        what: "changes a scene for so long, and fails if memory grows",
        package: "hitscan",
        test: "walk",
        filter: "memory",
        option: "--minutes",
        variable: "HITSCAN_SOAK_MINUTES",
        usual: 10,
    },
    Long {
        name: "large",
        what: "picks in worlds far from the origin or as large as a planet, and compares with exact arithmetic",
        package: "hitscan-io",
        test: "large_world",
        filter: "",
        option: "--picks",
        variable: "HITSCAN_LARGE_PICKS",
        usual: 100_000,
    },
];

impl Long {
    /// Returns how it is called.
    pub(crate) fn call(&self) -> String {
        format!("{} [{} N]", self.name, self.option)
    }

    /// Runs it, for the time that the arguments give, or the usual time.
    pub(crate) fn run_with(&self, args: &[&str]) -> Result<()> {
        let length = self.length(args)?;
        let mut command = cargo(&["test", "--package", self.package, "--test", self.test, "--", "--nocapture"]);
        run(command.arg(self.filter).env(self.variable, length.to_string()))
    }

    fn length(&self, args: &[&str]) -> Result<u64> {
        match args {
            [] => Ok(self.usual),
            [option, number] if *option == self.option => {
                Ok(number.parse::<NonZeroU64>().with_context(|| format!("`{option} {number}` is no count"))?.get())
            }
            _ => bail!("`{}` takes `{} N` only, not `{}`", self.name, self.option, args.join(" ")),
        }
    }
}
