//! The library in WebAssembly, run by node.

use anyhow::{Context, Result};
use hitscan::simd::SimdLevel;
use hitscan::{Quality, Ray};
use hitscan_digest::{Content, Digest, Message};
use std::io::{Read, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

/// A process that answers messages.
pub(crate) struct Remote {
    pub(crate) name: String,
    process: Child,
    input: Option<ChildStdin>,
    output: ChildStdout,
}

impl Remote {
    /// Starts the module with the instruction set of this name.
    pub(crate) fn start(node: &Path, module: &Path, level: &str) -> Result<Self> {
        let script = Path::new(env!("CARGO_MANIFEST_DIR")).join("node/serve.mjs");
        let mut command = Command::new(node);
        command.arg(script).arg(module).stdin(Stdio::piped()).stdout(Stdio::piped());
        let mut process = command.spawn().with_context(|| format!("cannot start {}", node.display()))?;
        let (input, output) = (process.stdin.take(), process.stdout.take().context("a process without output")?);
        let mut remote = Self { name: format!("wasm32 {level}"), process, input, output };
        remote.ask(&Message::Level(level.parse::<SimdLevel>()?))?;
        Ok(remote)
    }

    pub(crate) fn build(&mut self, content: &Content, quality: Quality) -> Result<()> {
        self.ask(&Message::Build(quality, content.clone())).map(drop)
    }

    /// Returns a digest. Rays are sent in several messages, because the module keeps each message in its memory.
    pub(crate) fn digest(&mut self, first: u64, rays: &[Ray]) -> Result<Digest> {
        const GRAIN: usize = 1 << 16;
        let pieces = (first..).step_by(GRAIN).zip(rays.chunks(GRAIN));
        pieces.map(|(first, rays)| Ok(Digest(self.ask(&Message::Cast(first, rays.to_vec()))?))).sum()
    }

    fn ask(&mut self, message: &Message) -> Result<u64> {
        let mut exchange = || {
            let message = message.encode();
            let input = self.input.as_mut().context("it has ended")?;
            input.write_all(&u32::try_from(message.len())?.to_le_bytes())?;
            input.write_all(&message)?;
            input.flush()?;
            let mut answer = [0; 8];
            self.output.read_exact(&mut answer)?;
            anyhow::Ok(u64::from_le_bytes(answer))
        };
        exchange().with_context(|| format!("{} gives no answer", self.name))
    }
}

impl Drop for Remote {
    fn drop(&mut self) {
        // The process ends when its input ends.
        self.input = None;
        let _ = self.process.wait();
    }
}
