//! The addresses of the page and the model, and their contents.

use super::page::{File, INDEX};
use std::borrow::Cow;
use std::path::PathBuf;

/// The model in the form for the page.
pub(super) struct Shown {
    /// The name of the model in the address. It consists of letters, digits, dots, hyphens and underscores.
    name: String,
    content: ModelContent,
}

enum ModelContent {
    /// A file, which is read again for each request.
    File(PathBuf),
    Bytes(Vec<u8>),
}

impl Shown {
    pub(super) fn file(name: &str, path: PathBuf) -> Self {
        Self { name: address_name(name), content: ModelContent::File(path) }
    }

    pub(super) fn bytes(name: &str, bytes: Vec<u8>) -> Self {
        Self { name: address_name(name), content: ModelContent::Bytes(bytes) }
    }
}

/// Returns a name that needs no escapes in an address or in HTML.
fn address_name(name: &str) -> String {
    let plain = |c: char| if c.is_ascii_alphanumeric() || c == '-' || c == '_' { c } else { '_' };
    format!("{}.glb", name.chars().take(100).map(plain).collect::<String>())
}

/// A page with its model, below an address that nobody can guess.
pub(super) struct Site {
    files: &'static [File],
    shown: Shown,
    token: String,
    port: u16,
}

/// The answer to the path of a request.
pub(super) enum Found<'a> {
    Bytes {
        kind: &'static str,
        bytes: Cow<'a, [u8]>,
    },
    File {
        kind: &'static str,
        path: &'a std::path::Path,
    },
    /// The path does not begin with the token.
    Refused,
    Nothing,
}

impl Site {
    pub(super) fn new(files: &'static [File], shown: Shown, token: String, port: u16) -> Self {
        Self { files, shown, token, port }
    }

    /// Returns the page's address.
    pub(super) fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.token)
    }

    /// Returns whether a request names this program as its host. A page of another host whose name was made to resolve to 127.0.0.1 (DNS rebinding) does not.
    pub(super) fn is_host(&self, host: &str) -> bool {
        ["127.0.0.1", "localhost"].iter().any(|name| host == format!("{name}:{}", self.port))
    }

    /// Returns the content at the path of an address. Paths are compared with a list of known names, so no other
    /// file can be read.
    pub(super) fn find(&self, path: &str) -> Found<'_> {
        let Some((token, rest)) = path.strip_prefix('/').and_then(|path| path.split_once('/')) else {
            return Found::Refused;
        };
        if !is_same(token, &self.token) {
            return Found::Refused;
        }
        if rest.strip_prefix("model/") == Some(&self.shown.name) {
            return match &self.shown.content {
                ModelContent::File(path) => Found::File { kind: kind_of(&self.shown.name), path },
                ModelContent::Bytes(bytes) => Found::Bytes { kind: kind_of(&self.shown.name), bytes: bytes.into() },
            };
        }
        let wanted = if rest.is_empty() { INDEX } else { rest };
        match self.files.iter().find(|(name, _)| *name == wanted) {
            Some((name, bytes)) if *name == INDEX => {
                Found::Bytes { kind: kind_of(name), bytes: self.index(bytes).into() }
            }
            Some((name, bytes)) => Found::Bytes { kind: kind_of(name), bytes: (*bytes).into() },
            None => Found::Nothing,
        }
    }

    /// Returns the page with the address of its model.
    fn index(&self, bytes: &[u8]) -> Vec<u8> {
        let page = String::from_utf8_lossy(bytes);
        let told = format!("<meta name=\"hitscan-model\" content=\"model/{}\" /></head>", self.shown.name);
        page.replacen("</head>", &told, 1).into_bytes()
    }
}

/// Compares two texts in a time that does not depend on the position of the first difference.
fn is_same(a: &str, b: &str) -> bool {
    a.len() == b.len() && a.bytes().zip(b.bytes()).fold(0, |differ, (a, b)| differ | (a ^ b)) == 0
}

fn kind_of(name: &str) -> &'static str {
    match name.rsplit_once('.').map(|(_, extension)| extension) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("json") => "application/json",
        Some("wasm") => "application/wasm",
        Some("svg") => "image/svg+xml",
        Some("png") => "image/png",
        Some("glb") => "model/gltf-binary",
        _ => "application/octet-stream",
    }
}
