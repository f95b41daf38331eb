//! Tests of a server on loopback through sockets.

use super::page::File;
use super::server::serve;
use super::site::{Shown, Site};
use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

const TOKEN: &str = "0123456789abcdef0123456789abcdef";
const FILES: &[File] = &[
    ("assets/page.js", b"let hitscan;"),
    ("index.html", b"<html><head><title>hitscan</title></head><body></body></html>"),
];

/// A server that runs until the tests end.
struct Served {
    port: u16,
}

struct Answer {
    status: u16,
    head: String,
    body: Vec<u8>,
}

fn served(shown: Shown) -> Served {
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
    let port = listener.local_addr().unwrap().port();
    let site = Site::new(FILES, shown, TOKEN.into(), port);
    assert_eq!(site.address(), format!("http://127.0.0.1:{port}/{TOKEN}/"));
    std::thread::spawn(move || serve(&listener, &site));
    Served { port }
}

fn with_bytes() -> Served {
    served(Shown::bytes("a \"level\"", b"glTF...".to_vec()))
}

impl Served {
    /// Sends bytes as they are, and returns all that comes back.
    fn send(&self, bytes: &[u8]) -> Vec<u8> {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(bytes).unwrap();
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut all = Vec::new();
        stream.read_to_end(&mut all).unwrap();
        all
    }

    fn raw(&self, bytes: &[u8]) -> Answer {
        let all = self.send(bytes);
        let end = all.windows(4).position(|four| four == b"\r\n\r\n").expect("an answer has a head");
        let head = String::from_utf8(all[..end].to_vec()).unwrap();
        let status = head.split(' ').nth(1).and_then(|code| code.parse().ok()).expect("an answer has a status");
        Answer { status, head, body: all[end + 4..].to_vec() }
    }

    fn ask(&self, method: &str, path: &str) -> Answer {
        self.raw(format!("{method} {path} HTTP/1.1\r\nHost: 127.0.0.1:{}\r\n\r\n", self.port).as_bytes())
    }

    fn get(&self, path: &str) -> Answer {
        self.ask("GET", &format!("/{TOKEN}/{path}"))
    }
}

#[test]
fn the_page_knows_its_model() {
    let server = with_bytes();
    let page = server.get("");
    let text = String::from_utf8(page.body).unwrap();
    assert_eq!(page.status, 200);
    assert!(page.head.contains("Content-Type: text/html"), "{}", page.head);
    assert!(text.contains(r#"<meta name="hitscan-model" content="model/a__level_.glb" /></head>"#), "{text}");
    assert_eq!(server.get("index.html?query").body.len(), text.len());
    let model = server.get("model/a__level_.glb");
    assert_eq!((model.status, &model.body[..]), (200, &b"glTF..."[..]));
    assert!(model.head.contains("Content-Length: 7\r\n"), "{}", model.head);
    assert_eq!(server.get("assets/page.js").body, b"let hitscan;");
}

#[test]
fn heads_have_no_body() {
    let server = with_bytes();
    let [head, whole] = ["HEAD", "GET"].map(|method| server.ask(method, &format!("/{TOKEN}/")));
    assert_eq!((head.status, &head.body[..]), (200, &b""[..]));
    assert_eq!(head.head, whole.head);
}

#[test]
fn without_the_token_nothing_is_there() {
    let server = with_bytes();
    let longer = format!("/{TOKEN}0/");
    let bare = format!("/{TOKEN}");
    let upper = format!("/{}/", TOKEN.to_uppercase());
    for path in ["/", "/index.html", "/x/", &longer, &bare, &upper, "//", "/model/a__level_.glb"] {
        let answer = server.ask("GET", path);
        assert_eq!(answer.status, 403, "{path}");
        assert!(String::from_utf8(answer.body).unwrap().contains("needs its token"), "{path}");
    }
}

#[test]
fn no_path_leads_out() {
    let server = with_bytes();
    for path in [
        "../Cargo.toml",
        "..%2f..%2fetc/passwd",
        "assets/../index.html",
        "/etc/passwd",
        "model/../index.html",
        "model/",
        "assets",
        "assets/",
        "missing",
        "model/other.glb",
        "%00",
    ] {
        assert_eq!(server.get(path).status, 404, "{path}");
    }
}

#[test]
fn other_hosts_are_refused() {
    let server = with_bytes();
    let port = server.port;
    let with = |host: &str| server.raw(format!("GET /{TOKEN}/ HTTP/1.1\r\n{host}\r\n").as_bytes()).status;
    assert_eq!(with(&format!("host: LocalHost:{port}\r\n")), 200);
    for host in ["", "Host: example.org\r\n", "Host: 127.0.0.1\r\n", &format!("Host: example.org:{port}\r\n")] {
        assert_eq!(with(host), 403, "{host}");
    }
    assert_eq!(with(&format!("Host: 127.0.0.1:{port}\r\nHost: example.org\r\n")), 400);
}

#[test]
fn what_is_no_request_is_said_so() {
    let server = with_bytes();
    let long = format!("GET /{} HTTP/1.1\r\n\r\n", "a".repeat(20_000));
    let cases: [(&[u8], u16); 8] = [
        (b"\r\n\r\n", 400),
        (b"hello\r\n\r\n", 400),
        (b"GET / HTTP/2\r\n\r\n", 400),
        (b"GET http://127.0.0.1/ HTTP/1.1\r\n\r\n", 400),
        (b"GET / HTTP/1.1\r\nno colon\r\n\r\n", 400),
        (b"GET /\xff HTTP/1.1\r\n\r\n", 400),
        (b"POST / HTTP/1.1\r\nHost: x\r\n\r\n", 405),
        (long.as_bytes(), 431),
    ];
    for (bytes, status) in cases {
        assert_eq!(server.raw(bytes).status, status, "{}", String::from_utf8_lossy(&bytes[..bytes.len().min(60)]));
    }
    assert!(server.ask("DELETE", "/").head.contains("Allow: GET, HEAD"));
    // An incomplete request gets no answer, and the server continues.
    for half in [&b""[..], b"GET", b"GET / HTTP/1.1\r\nHost: 127"] {
        assert_eq!(server.send(half), b"");
    }
    assert_eq!(server.get("").status, 200);
}

#[test]
fn large_files_are_sent_whole_and_lost_ones_named() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("large.glb");
    let bytes: Vec<u8> = (0..30_000_000u32).map(|number| (number % 251) as u8).collect();
    std::fs::write(&path, &bytes).unwrap();
    let server = served(Shown::file("large", path.clone()));
    assert!(server.get("model/large.glb").body == bytes);
    let head = server.ask("HEAD", &format!("/{TOKEN}/model/large.glb"));
    assert!(head.head.contains("Content-Length: 30000000\r\n") && head.body.is_empty(), "{}", head.head);
    std::fs::remove_file(&path).unwrap();
    let lost = server.get("model/large.glb");
    assert_eq!(lost.status, 500);
    assert!(String::from_utf8(lost.body).unwrap().contains("large.glb cannot be read"));
}

#[test]
fn a_slow_peer_keeps_nobody_waiting() {
    let server = with_bytes();
    let _slow: Vec<_> = (0..8).map(|_| TcpStream::connect((Ipv4Addr::LOCALHOST, server.port)).unwrap()).collect();
    assert_eq!(server.get("").status, 200);
}

#[test]
fn the_demo_is_written_as_it_is() {
    let demo = hitscan_io::Model::demo();
    let bytes = super::glb::write(&demo).unwrap();
    let read = hitscan_io::Model::from_bytes(&bytes, None).unwrap();
    assert_eq!(read.warnings, []);
    let names = |model: &hitscan_io::Model| model.entities.iter().map(|entity| entity.name.clone()).collect::<Vec<_>>();
    assert_eq!(names(&read), names(&demo));
    let triangles = |model: &hitscan_io::Model| -> usize {
        let all = model.entities.iter().flat_map(|entity| crate::model_extent::parts(&entity.geometry));
        all.map(|(geometry, _)| if let hitscan::Geometry::Mesh(mesh) = geometry { mesh.triangle_count() } else { 0 })
            .sum()
    };
    assert_eq!(triangles(&read), triangles(&demo));
    let extent = |model: &hitscan_io::Model| crate::model_extent::Extents::default().of_model(model);
    assert_eq!(extent(&read), extent(&demo));
}
