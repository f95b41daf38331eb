//! Answers to requests.

use super::request::{BadRequest, Method, Request};
use super::site::{Found, Site};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::Path;

const TEXT: &str = "text/plain; charset=utf-8";

/// Answers a request, or reports its error.
pub(super) fn answer(site: &Site, request: Result<Request, BadRequest>, out: &mut impl Write) -> io::Result<()> {
    let request = match request {
        Ok(request) => request,
        Err(BadRequest::Gone) => return Ok(()),
        Err(BadRequest::Malformed) => {
            return refuse(out, Method::Get, "400 Bad Request", "this is no request of HTTP/1");
        }
        Err(BadRequest::TooLong) => {
            return refuse(out, Method::Get, "431 Request Header Fields Too Large", "the request is too long");
        }
        Err(BadRequest::Method) => {
            return refuse(
                out,
                Method::Get,
                "405 Method Not Allowed\r\nAllow: GET, HEAD",
                "there is only GET and HEAD",
            );
        }
    };
    let method = request.method;
    if !request.host.as_deref().is_some_and(|host| site.is_host(host)) {
        return refuse(out, method, "403 Forbidden", "the request is for another host");
    }
    match site.find(&request.path) {
        Found::Refused => refuse(
            out,
            method,
            "403 Forbidden",
            "the address needs its token: use the whole address that `hitscan view --web` has printed",
        ),
        Found::Nothing => refuse(out, method, "404 Not Found", "there is no such file"),
        Found::Bytes { kind, bytes } => {
            head(out, "200 OK", kind, bytes.len() as u64)?;
            if method == Method::Get { out.write_all(&bytes) } else { Ok(()) }
        }
        Found::File { kind, path } => file(out, method, kind, path),
    }
}

/// Sends a file piece by piece. It sends as many bytes as the file had at the beginning.
fn file(out: &mut impl Write, method: Method, kind: &str, path: &Path) -> io::Result<()> {
    let opened = File::open(path).and_then(|file| Ok((file.metadata()?.len(), file)));
    let Ok((length, file)) = opened else {
        let gone = format!("{} cannot be read any more", path.display());
        return refuse(out, method, "500 Internal Server Error", &gone);
    };
    head(out, "200 OK", kind, length)?;
    if method == Method::Get {
        io::copy(&mut file.take(length), out)?;
    }
    Ok(())
}

fn refuse(out: &mut impl Write, method: Method, status: &str, why: &str) -> io::Result<()> {
    let text = format!("hitscan: {why}\n");
    head(out, status, TEXT, text.len() as u64)?;
    if method == Method::Get { out.write_all(text.as_bytes()) } else { Ok(()) }
}

/// Writes the head of an answer. Each connection has only one answer.
fn head(out: &mut impl Write, status: &str, kind: &str, length: u64) -> io::Result<()> {
    write!(
        out,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {length}\r\nConnection: close\r\n\
         Cache-Control: no-store\r\nReferrer-Policy: no-referrer\r\nX-Content-Type-Options: nosniff\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\n\r\n"
    )
}
