//! Runs the tests of mutants.

use crate::build::VARIABLE;
use crate::kernels::{Kernel, Tests};
use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

/// The time limit for the tests of a mutant. A slower mutant may never end.
const LIMIT: Duration = Duration::from_secs(120);

/// The tests' verdict on a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Killed,
    /// The tests took too long, which counts as killed.
    TooLong,
    Survived,
}

impl Verdict {
    pub(crate) const ALL: [Self; 3] = [Self::Killed, Self::TooLong, Self::Survived];

    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Killed => "killed",
            Self::TooLong => "too long",
            Self::Survived => "survived",
        }
    }
}

/// The test programs, and the folder in which they run.
pub(crate) struct Programs {
    pub(crate) built: BTreeMap<String, PathBuf>,
    pub(crate) folder: PathBuf,
}

impl Programs {
    /// Runs all lists of tests on the unchanged library: they must pass, and leave time for slower mutants.
    pub(crate) fn check(&self, kernels: &[Kernel]) -> Result<()> {
        let lists: BTreeSet<&[Tests]> = kernels.iter().map(|kernel| kernel.tests).collect();
        for tests in lists {
            let start = Instant::now();
            let verdict = self.verdict(tests, None)?;
            let seconds = start.elapsed().as_secs();
            println!("without a mutant: {seconds} s for {}", shown(tests));
            ensure!(
                verdict == Verdict::Survived,
                "these tests fail without a mutant: {} ({})",
                shown(tests),
                verdict.name()
            );
        }
        Ok(())
    }

    /// Runs tests with a mutant until one fails.
    pub(crate) fn verdict(&self, tests: &[Tests], mutant: Option<usize>) -> Result<Verdict> {
        let start = Instant::now();
        for tests in tests {
            let program = self.built.get(tests.program).with_context(|| format!("there is no {}", tests.program))?;
            let mut command = Command::new(program);
            command.args(tests.names).arg("--quiet").current_dir(&self.folder);
            command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
            match mutant {
                Some(number) => command.env(VARIABLE, number.to_string()),
                None => command.env_remove(VARIABLE),
            };
            match passes(&mut command, LIMIT.saturating_sub(start.elapsed()), program)? {
                Some(true) => {}
                Some(false) => return Ok(Verdict::Killed),
                None => return Ok(Verdict::TooLong),
            }
        }
        Ok(Verdict::Survived)
    }
}

/// Returns whether a program succeeds; nothing if it exceeds its time limit.
fn passes(command: &mut Command, limit: Duration, program: &Path) -> Result<Option<bool>> {
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start {}", program.display()))?;
    while start.elapsed() < limit {
        if let Some(status) = child.try_wait()? {
            return Ok(Some(status.success()));
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    child.kill()?;
    child.wait()?;
    Ok(None)
}

fn shown(tests: &[Tests]) -> String {
    let lists = tests.iter().map(|tests| format!("{} {}", tests.program, tests.names.join(" ")));
    lists.collect::<Vec<_>>().join(", ")
}
