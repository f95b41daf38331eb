//! The arguments of `cargo xtask test`.

use super::table::{STEPS, Step, When};
use crate::effort::{EFFORT, FULL};
use anyhow::{Context, Result, bail, ensure};

/// The kinds of tools and data that a run may lack, each with a description.
pub(crate) const KINDS: [(&str, &str); 9] = [
    ("models", "the test models"),
    ("node", "what runs in Node.js"),
    ("wasm", "what is compiled for WebAssembly"),
    ("browser", "what runs in a browser"),
    ("python", "the Python package"),
    ("c", "the programs in C and C++"),
    ("display", "what opens a window"),
    ("valgrind", "what runs under Valgrind"),
    ("old-rust", "the check by the oldest Rust that is stated"),
];

/// The choice of steps, and how they run.
#[derive(Debug, Default)]
pub(crate) struct Options {
    extent: Extent,
    /// True if the run is at full effort, as in the gate. Then tests try more cases with every instruction set, and
    /// missing tools are installed or are faults.
    pub(crate) is_full: bool,
    pub(crate) checks_budgets: bool,
    /// The kinds of tools and data that this run is declared to lack.
    pub(crate) without: Vec<String>,
    /// The names of the steps that run. If there are none, all steps of the extent run.
    names: Vec<String>,
}

/// The steps of a run that names no steps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
enum Extent {
    /// A contributor's loop.
    #[default]
    Loop,
    /// The steps that the contributor's loop leaves to the gate.
    Rest,
    All,
}

impl Options {
    /// Parses the arguments of a run; `is_full` says whether the environment of the run requests full effort.
    pub(crate) fn parse(args: &[&str], is_full: bool) -> Result<Self> {
        let mut options = Self { is_full, ..Self::default() };
        let mut args = args.iter();
        while let Some(&arg) = args.next() {
            match arg {
                "--all" | "--rest" => {
                    ensure!(options.extent == Extent::Loop, "`--all` and `--rest` do not go together");
                    options.extent = if arg == "--all" { Extent::All } else { Extent::Rest };
                }
                "--budgets" => options.checks_budgets = true,
                "--without" => {
                    options.leave_out(args.next().context("`--without` needs a list such as `models,browser`")?)?
                }
                _ if arg.starts_with('-') => bail!("`test` has no option `{arg}`; see `cargo xtask --help`"),
                _ => options.add_step(arg)?,
            }
        }
        options.is_full |= options.extent != Extent::Loop;
        let needs_full = options.checks_budgets || !options.without.is_empty();
        ensure!(
            options.is_full || !needs_full,
            "`--budgets` and `--without` belong to `--all`, to `--rest`, or to {EFFORT}={FULL}"
        );
        Ok(options)
    }

    fn leave_out(&mut self, list: &str) -> Result<()> {
        for word in list.split(',') {
            let known = || KINDS.map(|(kind, _)| kind).join(", ");
            ensure!(KINDS.iter().any(|(kind, _)| *kind == word), "`--without {word}`: there are {}", known());
            self.without.push(word.to_owned());
        }
        Ok(())
    }

    fn add_step(&mut self, name: &str) -> Result<()> {
        let known = || STEPS.iter().map(|step| step.name).collect::<Vec<_>>().join(", ");
        ensure!(STEPS.iter().any(|step| step.name == name), "there is no step `{name}`; there are {}", known());
        self.names.push(name.to_owned());
        Ok(())
    }

    /// Returns whether a step is to run.
    pub(crate) fn wants(&self, step: &Step) -> bool {
        if !self.names.is_empty() {
            return self.names.iter().any(|name| name == step.name);
        }
        match step.when {
            When::Always | When::EachEffort => self.extent != Extent::Rest,
            When::Gate => self.extent != Extent::Loop,
        }
    }

    /// Returns whether a step is skipped, because it needs a tool or data that this run is declared to lack.
    pub(crate) fn is_without(&self, step: &Step) -> bool {
        step.needs.iter().any(|need| self.without.iter().any(|word| word == need))
    }

    /// Returns whether steps with unchanged inputs are left out. This is never so at full effort, for a run that names its
    /// steps, or if the variable `CI` is set.
    pub(crate) fn leaves_out_unchanged(&self) -> bool {
        !self.is_full && self.names.is_empty() && std::env::var_os("CI").is_none()
    }

    /// Returns a sentence about the tools and data that the run is declared to lack, if there are any.
    pub(crate) fn declared(&self) -> Option<String> {
        (!self.without.is_empty()).then(|| format!("declared: this run is without {}", self.without.join(", ")))
    }

    /// Returns the end of the last line of a run, which names the declared lacks.
    pub(crate) fn suffix(&self) -> String {
        if self.without.is_empty() { String::new() } else { format!(", without {}", self.without.join(", ")) }
    }
}

#[cfg(test)]
mod tests {
    use super::{Options, STEPS};

    fn names(args: &[&str]) -> Vec<&'static str> {
        let options = Options::parse(args, false).unwrap();
        STEPS.iter().filter(|step| options.wants(step)).map(|step| step.name).collect()
    }

    #[test]
    fn the_gate_is_the_loop_and_the_rest() {
        let (quick, rest, all) = (names(&[]), names(&["--rest"]), names(&["--all"]));
        assert!(quick.contains(&"clippy") && !quick.contains(&"python"), "{quick:?}");
        assert!(rest.contains(&"python"), "{rest:?}");
        assert!(all.iter().all(|step| quick.contains(step) != rest.contains(step)), "{all:?}");
        assert_eq!(all.len(), STEPS.len());
        assert_eq!(names(&["prose", "fmt"]).len(), 2);
    }

    #[test]
    fn wrong_arguments_are_named() {
        let error = |args: &[&str]| Options::parse(args, false).unwrap_err().to_string();
        assert!(error(&["--al"]).contains("`--al`"));
        assert!(error(&["ray"]).starts_with("there is no step `ray`; there are fmt, "));
        assert!(error(&["--budgets"]).contains("`--all`"));
        assert!(Options::parse(&["--budgets"], true).is_ok_and(|options| options.checks_budgets));
        assert!(error(&["--all", "--rest"]).contains("do not go together"));
        assert!(error(&["--all", "--without"]).contains("models,browser"));
        assert!(error(&["--all", "--without", "models,nothing"]).contains("`--without nothing`: there are models, "));
    }
}
