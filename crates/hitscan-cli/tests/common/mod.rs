//! Code that the tests share. It runs the program, and makes a small glTF file whose answers are known by hand.
#![allow(dead_code, unreachable_pub, reason = "each test uses its part")]

pub mod fox;
pub mod tables;
pub mod walls;

use serde_json::Value;
use std::process::{Command, Stdio};

/// The result of a run of the program.
#[derive(Debug)]
pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

pub fn program() -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_hitscan"));
    command.stdin(Stdio::null());
    command
}

pub fn hitscan<S: AsRef<std::ffi::OsStr>>(args: impl IntoIterator<Item = S>) -> Run {
    let output = program().args(args).output().expect("the program starts");
    let text = |bytes| String::from_utf8(bytes).expect("the program writes UTF-8");
    Run { code: output.status.code(), stdout: text(output.stdout), stderr: text(output.stderr) }
}

/// Runs the program with the words of a line, which are separated by spaces.
pub fn line(line: &str) -> Run {
    hitscan(line.split_whitespace())
}

impl Run {
    /// Returns the JSON of a run that ended with this code and wrote no error or warning.
    pub fn json(&self, code: i32) -> Value {
        assert_eq!((self.code, self.stderr.as_str()), (Some(code), ""), "{self:?}");
        serde_json::from_str(&self.stdout).unwrap_or_else(|error| panic!("{error}: {self:?}"))
    }

    /// Returns the `hits` of a pick.
    pub fn hits(&self) -> Vec<Value> {
        let code = if self.stdout.trim_end() == r#"{"hits":[]}"# { 1 } else { 0 };
        self.json(code)["hits"].as_array().expect("hits is a list").clone()
    }

    /// Returns the message of a run that failed without results.
    pub fn error(&self) -> &str {
        assert_eq!((self.code, self.stdout.as_str()), (Some(2), ""), "{self:?}");
        assert!(self.stderr.starts_with("error: "), "{self:?}");
        &self.stderr
    }
}

pub use hitscan_random::skip::models;
