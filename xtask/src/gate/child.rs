//! One step as a process of its own.

use super::options::Options;
use super::table::{STEPS, Step};
use crate::effort::{EFFORT, FULL};
use crate::shell::target;
use crate::skips::{self, INSTALLS, SKIPS, Skip};
use anyhow::{Context, Result};
use std::path::PathBuf;
use std::process::{Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

/// The variable with the folder of the tests' models. If it names a folder that does not exist, there are no models.
const MODELS: &str = "HITSCAN_MODELS";

/// The outcome of a step.
pub(crate) struct Outcome {
    pub(crate) passed: bool,
    pub(crate) wall: Duration,
    /// The processor time of the step and of all processes that it started, where the system reports it.
    pub(crate) processor: Option<f64>,
    pub(crate) skips: Vec<Skip>,
    /// The output, if the step did not write to the output of this process.
    pub(crate) output: Option<String>,
}

impl Outcome {
    /// Returns the number of skips.
    pub(crate) fn skipped(&self) -> usize {
        self.skips.iter().map(|skip| skip.who.len()).sum()
    }

    /// Describes the outcome of the step, for a line about it.
    pub(crate) fn verdict(&self) -> String {
        match (self.passed, self.skipped()) {
            (false, _) => "FAILED".to_owned(),
            (true, 0) => "passed".to_owned(),
            (true, skipped) => format!("passed but for {}", count(skipped)),
        }
    }
}

/// Returns a number of skips in words.
pub(crate) fn count(skips: usize) -> String {
    if skips == 1 { "1 skip".to_owned() } else { format!("{skips} skips") }
}

/// Runs a step in a child process, and waits for it. Its output is kept if the step runs beside another one.
pub(crate) fn start(step: &Step, words: &[&str], options: &Options, is_beside: bool) -> Result<Outcome> {
    let files = Files::new(step.name)?;
    let this = std::env::current_exe().context("cannot find this program")?;
    let mut command = Command::new(this);
    command.arg("step").arg(step.name).args(words).env(SKIPS, &files.skips).stdin(Stdio::null());
    if options.is_full {
        command.env(EFFORT, FULL).env(INSTALLS, "1");
    }
    if options.without.iter().any(|kind| kind == "models") {
        command.env(MODELS, files.folder.join("no models"));
    }
    let start = Instant::now();
    let (status, output) = if is_beside { kept(command)? } else { (command.status()?, None) };
    let wall = start.elapsed();
    let processor = std::fs::read_to_string(&files.processor).ok().and_then(|text| text.trim().parse().ok());
    Ok(Outcome { passed: status.success(), wall, processor, skips: skips::read(&files.skips)?, output })
}

/// Runs a command, and returns its output and errors in one text.
fn kept(mut command: Command) -> Result<(ExitStatus, Option<String>)> {
    let (mut reader, writer) = std::io::pipe().context("cannot make a pipe")?;
    command.stdout(writer.try_clone()?).stderr(writer);
    let mut child = command.spawn().context("cannot start a step")?;
    // The command owns the writing ends of the pipe, which would keep the reader waiting.
    drop(command);
    let mut output = Vec::new();
    std::io::Read::read_to_end(&mut reader, &mut output)?;
    Ok((child.wait()?, Some(String::from_utf8_lossy(&output).into_owned())))
}

/// Runs a step in this process, which was started for that step alone.
pub(crate) fn run_step(words: &[&str]) -> Result<()> {
    let [name, words @ ..] = words else { anyhow::bail!("`step` needs a name") };
    let step = STEPS.iter().find(|step| step.name == *name).with_context(|| format!("there is no step `{name}`"))?;
    let done = (step.run)(words);
    if let Some(seconds) = processor_time() {
        std::fs::write(Files::new(name)?.processor, seconds.to_string()).context("cannot write the processor time")?;
    }
    done
}

/// The files that a step writes for its parent.
struct Files {
    folder: PathBuf,
    skips: PathBuf,
    processor: PathBuf,
}

impl Files {
    /// Returns the paths of the files of a step. In the parent process, it also removes the files of an earlier run.
    fn new(name: &str) -> Result<Self> {
        let folder = target()?.join("gate");
        std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
        let file = |extension: &str| folder.join(name).with_extension(extension);
        let files = Self { skips: file("skips"), processor: file("seconds"), folder };
        if std::env::var_os(SKIPS).is_none() {
            let _ = std::fs::remove_file(&files.skips);
            let _ = std::fs::remove_file(&files.processor);
        }
        Ok(files)
    }
}

/// Returns the processor time of this process and of the processes that it has waited for, in seconds, on Linux.
fn processor_time() -> Option<f64> {
    /// The unit of these times, which Linux has fixed for programs.
    const TICKS_A_SECOND: f64 = 100.0;
    let text = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program, in parentheses, may have spaces. Fields 14 and 15 are the user and system time, and fields 16 and 17 are the same times of its
    // children.
    let fields = text.rsplit_once(')')?.1.split_whitespace().skip(11).take(4);
    Some(fields.filter_map(|field| field.parse::<f64>().ok()).sum::<f64>() / TICKS_A_SECOND)
}
