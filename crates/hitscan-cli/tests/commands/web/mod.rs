//! Tests of `view --web` through a socket. `src/view/web/tests.rs` tests the server by itself.

use crate::common::{line, program};
use hitscan_random::skip::skipped;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Stdio};

/// Returns whether the page was there when the program was built.
fn has_page() -> bool {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../playground/dist/page/index.html").is_file()
}

/// A program that serves the page, and ends with the test.
struct Serving {
    child: Child,
    address: String,
}

impl Drop for Serving {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Serving {
    fn of(args: &[&str]) -> Self {
        let mut child = program().arg("view").args(args).arg("--web").stdout(Stdio::piped()).spawn().unwrap();
        let mut address = String::new();
        BufReader::new(child.stdout.take().unwrap()).read_line(&mut address).unwrap();
        Self { child, address: address.trim_end().to_owned() }
    }

    fn get(&self, path: &str) -> Vec<u8> {
        let (host, folder) = self.address.strip_prefix("http://").unwrap().split_once('/').unwrap();
        let mut stream = TcpStream::connect(host).unwrap();
        write!(stream, "GET /{folder}{path} HTTP/1.1\r\nHost: {host}\r\n\r\n").unwrap();
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).unwrap();
        answer
    }
}

#[test]
fn what_does_not_go_with_the_page_is_refused() {
    for option in ["--size 100x100", "--camera 0", "--hide Well", "--cull back", "--no-cutout", "--script x"] {
        let run = line(&format!("view demo --web {option}"));
        assert!(run.error().contains("cannot be used with"), "{option}: {run:?}");
    }
}

#[test]
fn the_page_and_the_model_are_served() {
    if !has_page() {
        let run = line("view demo --web");
        assert!(run.error().contains("`cargo xtask playground`"), "{run:?}");
        return skipped("page", "cargo xtask playground");
    }
    assert!(line("view missing.glb --web").error().contains("missing.glb: there is no such file"));
    let serving = Serving::of(&["demo"]);
    assert!(serving.address.starts_with("http://127.0.0.1:") && serving.address.ends_with('/'), "{}", serving.address);
    let page = String::from_utf8(serving.get("")).unwrap();
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n") && page.contains("<title>hitscan"), "{page}");
    assert!(page.contains(r#"<meta name="hitscan-model" content="model/demo.glb" />"#), "{page}");
    let model = serving.get("model/demo.glb");
    let start = model.windows(4).position(|four| four == b"\r\n\r\n").unwrap() + 4;
    assert_eq!(&model[start..start + 4], b"glTF");
    let other = Serving::of(&["demo"]);
    assert_ne!(other.address.split('/').nth(3), serving.address.split('/').nth(3), "each has a token of its own");
}

#[cfg(unix)]
#[test]
fn an_interruption_ends_it() {
    if !has_page() {
        return skipped("page", "cargo xtask playground");
    }
    let mut serving = Serving::of(&["demo"]);
    let id = serving.child.id().to_string();
    assert!(std::process::Command::new("kill").args(["-INT", &id]).status().unwrap().success());
    assert_eq!(serving.child.wait().unwrap().code(), Some(130));
}
