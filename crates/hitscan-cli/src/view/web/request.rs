//! The head of an HTTP request.

use std::io::{self, BufRead, ErrorKind, Read};

/// The largest number of bytes in a head.
const MOST: u64 = 16 * 1024;

/// A supported method of a request.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Method {
    Get,
    Head,
}

/// A valid request.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Request {
    pub(super) method: Method,
    /// The path up to a question mark.
    pub(super) path: String,
    pub(super) host: Option<String>,
}

/// The fault of an invalid request.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum BadRequest {
    /// The connection ended, or was idle for too long.
    Gone,
    Malformed,
    TooLong,
    Method,
}

/// Reads the head of a request. A body after it is not read.
pub(super) fn read(stream: impl Read) -> Result<Request, BadRequest> {
    let mut lines = io::BufReader::new(stream.take(MOST));
    let first = line(&mut lines)?;
    let words: Vec<&str> = first.split(' ').collect();
    let &[method, target, version] = &words[..] else { return Err(BadRequest::Malformed) };
    if !version.starts_with("HTTP/1.") || !target.starts_with('/') {
        return Err(BadRequest::Malformed);
    }
    let mut host = None;
    loop {
        let field = line(&mut lines)?;
        if field.is_empty() {
            break;
        }
        let (name, value) = field.split_once(':').ok_or(BadRequest::Malformed)?;
        if name.eq_ignore_ascii_case("host") && host.replace(value.trim().to_ascii_lowercase()).is_some() {
            return Err(BadRequest::Malformed);
        }
    }
    let method = match method {
        "GET" => Method::Get,
        "HEAD" => Method::Head,
        _ => return Err(BadRequest::Method),
    };
    let path = target.split_once('?').map_or(target, |(path, _)| path).to_owned();
    Ok(Request { method, path, host })
}

/// Returns the next line without its end.
fn line(lines: &mut io::BufReader<io::Take<impl Read>>) -> Result<String, BadRequest> {
    let mut text = String::new();
    match lines.read_line(&mut text) {
        Err(error) if error.kind() == ErrorKind::InvalidData => return Err(BadRequest::Malformed),
        Err(_) => return Err(BadRequest::Gone),
        Ok(_) => {}
    }
    let Some(line) = text.strip_suffix('\n') else {
        return Err(if lines.get_ref().limit() == 0 { BadRequest::TooLong } else { BadRequest::Gone });
    };
    Ok(line.strip_suffix('\r').unwrap_or(line).to_owned())
}
