//! Tests that are short in the suite, for as long as one likes: `cargo xtask exact`, `walk`, `soak`, `contacts` and
//! `large`.

use crate::shell::{cargo, run};
use anyhow::{Context, Result, bail};
use std::num::NonZeroU64;

/// A test that an environment variable makes longer.
pub(crate) struct Long {
    pub(crate) name: &'static str,
    package: &'static str,
    test: &'static str,
    /// Only tests with this in their name.
    filter: &'static str,
    option: &'static str,
    variable: &'static str,
    usual: u64,
}

pub(crate) const LONG: [Long; 5] = [
    Long {
        name: "exact",
        package: "hitscan",
        test: "exact",
        filter: "",
        option: "--rays",
        variable: "HITSCAN_EXACT_RAYS",
        usual: 10_000_000,
    },
    Long {
        name: "walk",
        package: "hitscan",
        test: "walk",
        filter: "every_answer",
        option: "--steps",
        variable: "HITSCAN_WALK_STEPS",
        usual: 100_000,
    },
    Long {
        name: "soak",
        package: "hitscan",
        test: "walk",
        filter: "memory",
        option: "--minutes",
        variable: "HITSCAN_SOAK_MINUTES",
        usual: 10,
    },
    Long {
        name: "contacts",
        package: "hitscan",
        test: "sweep",
        filter: "the_plane_across",
        option: "--contacts",
        variable: "HITSCAN_CONTACTS",
        usual: 10_000_000,
    },
    Long {
        name: "large",
        package: "hitscan-io",
        test: "large_world",
        filter: "",
        option: "--picks",
        variable: "HITSCAN_LARGE_PICKS",
        usual: 100_000,
    },
];

impl Long {
    /// Runs it, as long as the arguments say or as usual.
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
