//! Runs the tests of mutants.

use crate::build::VARIABLE;
use crate::kernels::{Kernel, Tests};
use anyhow::{Context, Result, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::io::{BufRead as _, BufReader};
use std::path::{Path, PathBuf};
use std::process::{ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc;
use std::time::{Duration, Instant};

/// The processor time that the tests of a mutant may take. A mutant that takes longer does not end, or is useless in practice. Unlike wall time, processor time
/// does not depend on the load of the machine.
const LIMIT: Duration = Duration::from_secs(120);
/// The wall time after which a program is killed. It is for programs that wait, and for systems without a limit of
/// processor time.
const WAIT: Duration = Duration::from_secs(1200);

/// The tests' verdict on a mutant.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Verdict {
    Killed,
    /// The tests took too long; the mutant is killed.
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
    /// Runs all lists of tests on the unchanged library, and fails unless they pass within the limits of time.
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
        for tests in tests {
            let program = self.built.get(tests.program).with_context(|| format!("there is no {}", tests.program))?;
            let mut command = limited(program);
            command.args(tests.names).current_dir(&self.folder);
            command.stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::null());
            match mutant {
                Some(number) => command.env(VARIABLE, number.to_string()),
                None => command.env_remove(VARIABLE),
            };
            match verdict(&mut command, program)? {
                Verdict::Survived => {}
                noticed => return Ok(noticed),
            }
        }
        Ok(Verdict::Survived)
    }
}

/// Returns a command that runs a program. On Unix, the command limits its processor time to [`LIMIT`].
fn limited(program: &Path) -> Command {
    if !cfg!(unix) {
        return Command::new(program);
    }
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -t \"$0\" && exec \"$@\"", &LIMIT.as_secs().to_string()]).arg(program);
    command
}

/// Returns the verdict of the tests of a program. It stops the program at the first failure, because the program would run all
/// other tests before it ends.
fn verdict(command: &mut Command, program: &Path) -> Result<Verdict> {
    let start = Instant::now();
    let mut child = command.spawn().with_context(|| format!("cannot start {}", program.display()))?;
    let failures = watched(child.stdout.take().context("the tests' output is piped")?);
    let verdict = loop {
        match child.try_wait()? {
            Some(status) if status.success() => return Ok(Verdict::Survived),
            Some(status) if is_of_limit(status) => return Ok(Verdict::TooLong),
            Some(_) => return Ok(Verdict::Killed),
            None if failures.try_recv().is_ok() => break Verdict::Killed,
            None if start.elapsed() > WAIT => break Verdict::TooLong,
            None => std::thread::sleep(Duration::from_millis(20)),
        }
    };
    child.kill()?;
    child.wait()?;
    Ok(verdict)
}

/// Reads the output of tests, and sends a message at the first failure.
fn watched(output: ChildStdout) -> mpsc::Receiver<()> {
    let (say, failures) = mpsc::channel();
    std::thread::spawn(move || {
        let mut lines = BufReader::new(output).lines().map_while(Result::ok);
        if lines.any(|line| line.ends_with("... FAILED")) {
            let _ = say.send(());
        }
    });
    failures
}

/// Returns whether a process was ended because it had used up its processor time.
#[cfg(unix)]
fn is_of_limit(status: ExitStatus) -> bool {
    const SIGKILL: i32 = 9;
    const SIGXCPU: i32 = 24;
    matches!(std::os::unix::process::ExitStatusExt::signal(&status), Some(SIGKILL | SIGXCPU))
}

#[cfg(not(unix))]
fn is_of_limit(_: ExitStatus) -> bool {
    false
}

fn shown(tests: &[Tests]) -> String {
    let lists = tests.iter().map(|tests| format!("{} {}", tests.program, tests.names.join(" ")));
    lists.collect::<Vec<_>>().join(", ")
}
