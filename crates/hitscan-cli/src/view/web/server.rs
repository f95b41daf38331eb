//! The listener: a thread for each connection, of which there are only so many.

use super::request;
use super::response::answer;
use super::site::Site;
use std::io::{BufWriter, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// The number of connections that are answered at a time; others are closed at once.
const MOST_CONNECTIONS: usize = 64;
/// The time for which a connection may be idle.
const PATIENCE: Duration = Duration::from_secs(10);
/// The pause after a connection that the system could not accept, as when it has no more handles of files.
const PAUSE: Duration = Duration::from_millis(50);
/// The most bytes that are read and thrown away after an answer.
const MOST_LEFT: u64 = 1 << 20;

/// Answers connections, and never returns unless the listener ends.
pub(super) fn serve(listener: &TcpListener, site: &Site) {
    let open = AtomicUsize::new(0);
    thread::scope(|scope| {
        for connection in listener.incoming() {
            let Ok(stream) = connection else {
                thread::sleep(PAUSE);
                continue;
            };
            if open.fetch_add(1, Ordering::Relaxed) >= MOST_CONNECTIONS {
                open.fetch_sub(1, Ordering::Relaxed);
                continue;
            }
            let open = &open;
            let converse = move || {
                converse(stream, site);
                open.fetch_sub(1, Ordering::Relaxed);
            };
            // Without another thread the connection is closed.
            if thread::Builder::new().spawn_scoped(scope, converse).is_err() {
                open.fetch_sub(1, Ordering::Relaxed);
            }
        }
    });
}

/// Reads one request and answers it. A peer that goes away meanwhile is no error.
fn converse(stream: TcpStream, site: &Site) {
    let waits = [stream.set_read_timeout(Some(PATIENCE)), stream.set_write_timeout(Some(PATIENCE))];
    if waits.iter().any(Result::is_err) {
        return;
    }
    let request = request::read(&stream);
    let mut out = BufWriter::new(&stream);
    if answer(site, request, &mut out).and_then(|()| out.flush()).is_err() {
        return;
    }
    drop(out);
    // A connection that is closed with something unread is reset, and the peer may lose the answer.
    let _ = stream.shutdown(Shutdown::Write);
    let _ = std::io::copy(&mut (&stream).take(MOST_LEFT), &mut std::io::sink());
}
