//! The listener, which has a thread for each of a limited number of connections.

use super::request;
use super::response::answer;
use super::site::Site;
use std::io::{BufWriter, Read, Write};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::Duration;

/// The largest number of connections at a time. Further connections are closed at once.
const MOST_CONNECTIONS: usize = 64;
/// The time for which a connection may be idle.
const PATIENCE: Duration = Duration::from_secs(10);
/// The pause after a connection that the system could not accept, for example because there are no more file handles.
const PAUSE: Duration = Duration::from_millis(50);
/// The largest number of bytes that are read and discarded after an answer.
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
            // If no thread can be started, the connection is closed.
            if thread::Builder::new().spawn_scoped(scope, converse).is_err() {
                open.fetch_sub(1, Ordering::Relaxed);
            }
        }
    });
}

/// Reads one request and answers it. It is no error if the peer closes the connection before that.
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
    // If unread bytes were left when the connection is closed, it would be reset, and the peer could lose the answer.
    let _ = stream.shutdown(Shutdown::Write);
    let _ = std::io::copy(&mut (&stream).take(MOST_LEFT), &mut std::io::sink());
}
