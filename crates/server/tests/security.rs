//! Who is kept out, and that nobody who misbehaves hurts a run.

mod common;

use common::{HALL, Page, Running, request};
use serde_json::json;
use std::io::Write;
use std::net::TcpStream;
use std::time::{Duration, Instant};
use tungstenite::Message;

/// A request that opens a socket, with these lines in it.
fn opening(path: &str, lines: &str) -> String {
    format!(
        "GET {path} HTTP/1.1\r\n{lines}Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
         Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    )
}

#[test]
fn other_origins_hosts_and_tokens_are_refused_and_logged() {
    let running = Running::new(HALL);
    let (host, token) = (running.host(), running.token());
    let path = format!("/ws?token={token}");
    let check = |request_text: &str, status: &str, logged: &str| {
        let answer = request(&host, request_text);
        assert!(answer.contains(status), "{answer}\n{request_text}");
        assert!(logged.is_empty() || running.logged(logged), "{logged} is not in {:?}", running.log);
        // No more lines a second than are logged.
        std::thread::sleep(Duration::from_millis(60));
    };
    let ours = format!("Host: {host}\r\n");
    check(&opening(&path, &format!("{ours}Origin: http://{host}\r\n")), "101", "");
    check(&opening(&path, &ours), "101", "");
    for origin in [
        "null",
        "http://evil.example",
        &format!("http://{host}.evil.example"),
        &format!("https://{host}"),
        "http://localhost",
    ] {
        check(&opening(&path, &format!("{ours}Origin: {origin}\r\n")), "403", "no page of ours");
    }
    for other in ["evil.example", &format!("{host}.evil.example"), "127.0.0.1", "localhost:1", ""] {
        check(&opening(&path, &format!("Host: {other}\r\n")), "403", "which is not us");
        check(&format!("GET /?token={token} HTTP/1.1\r\nHost: {other}\r\n\r\n"), "403", "which is not us");
    }
    check(&opening(&path, ""), "403", "without one host");
    for wrong in [
        "/ws",
        "/ws?token=",
        "/ws?token=00",
        &format!("/ws?token={token}0"),
        &format!("/ws?token={}", token.to_uppercase()),
    ] {
        let refused = if token.to_uppercase() == token && wrong.ends_with(&token) { "101" } else { "403" };
        check(&opening(wrong, &ours), refused, "");
    }
    for page in ["/", "/flat", "/body.bin", "/?token=1"] {
        check(&format!("GET {page} HTTP/1.1\r\n{ours}\r\n"), "403", "token");
    }
    check(&format!("GET {path} HTTP/1.1\r\n{ours}\r\n"), "426", "opens none");
}

#[test]
fn only_the_viewers_own_files_are_served() {
    let running = Running::new(HALL);
    let host = running.host();
    let get = |path: &str| request(&host, &format!("GET {path} HTTP/1.1\r\nHost: {host}\r\n\r\n"));
    assert!(get("/frames.js").contains("200") && get("/flat.js").contains("200"));
    for path in [
        "/../Cargo.toml",
        "/../../etc/passwd",
        "/%2e%2e/%2e%2e/etc/passwd",
        "//etc/passwd",
        "/README.md",
        "/bundle/README.md",
        "/frames.js/",
        "/frames.js%00",
        "http://evil.example/",
        "/page/frames.js",
    ] {
        let answer = get(path);
        assert!(answer.contains("404"), "{path}: {answer}");
    }
    for (text, status) in [
        ("POST / HTTP/1.1\r\n\r\n".to_owned(), "405"),
        ("GET /\r\n\r\n".to_owned(), "400"),
        ("nonsense\r\n\r\n".to_owned(), "400"),
        (format!("GET /{} HTTP/1.1\r\n\r\n", "x".repeat(10_000)), "400"),
        ("\u{0}\u{0}\r\n\r\n".to_owned(), "400"),
    ] {
        let answer = request(&host, &text);
        assert!(answer.contains(status), "{answer}");
    }
}

#[test]
fn messages_that_are_malformed_are_refused_and_the_page_stays() {
    let running = Running::new(HALL);
    let mut page = running.page();
    for text in ["", "x", "{}", "[1]", r#"{"do":"fly"}"#, r#"{"do":"speed","times":1e9}"#, &"[".repeat(60_000)] {
        page.socket.send(Message::text(text.to_owned())).expect("sent");
        let error = page.told("error");
        assert!(error["what"].as_str().expect("words").starts_with("a message"), "{error}");
    }
    assert!(running.logged("not understood"));
    // It is still there.
    page.send(json!({ "do": "pause" }));
    while page.told("clock")["playing"] == true {}
}

#[test]
fn messages_that_are_too_long_or_too_many_end_the_page() {
    let running = Running::new(HALL);
    let mut page = running.page();
    page.socket.send(Message::text("x".repeat(70_000))).expect("sent");
    while !matches!(page.next(), common::Came::Closed) {}
    assert!(running.logged("too long"));
    let mut page = running.page();
    page.socket.send(Message::binary(vec![0; 10])).expect("sent");
    while !matches!(page.next(), common::Came::Closed) {}
    assert!(running.logged("no text"));
    let mut page = running.page();
    // Until the server has had enough: more than it allows at once.
    for _ in 0..2000 {
        if page.socket.send(Message::text(r#"{"do":"play"}"#)).is_err() {
            break;
        }
    }
    while !matches!(page.next(), common::Came::Closed) {}
    assert!(running.logged("too many messages"));
    // Others are not disturbed.
    running.page().frame(1);
}

/// Ticks that a run does in a second of the clock.
fn ticks_a_second(page: &mut Page) -> f64 {
    // Frames that have waited for us are not of this second.
    let late = Instant::now() + Duration::from_millis(500);
    while Instant::now() < late {
        page.next();
    }
    let from = page.frame(0).tick;
    let begun = Instant::now();
    while begun.elapsed() < Duration::from_secs(1) {
        page.next();
    }
    f64::from(page.frame(0).tick - from) / begun.elapsed().as_secs_f64()
}

#[test]
fn a_thousand_connections_and_pages_that_do_not_read_do_not_hurt_the_run() {
    let running = Running::new(
        &HALL
            .replace("until = 120", "until = 100000")
            .replace("journey = [\"exit\"]", "journey = [[2, 2], [10, 10]]\nrepeat = true"),
    );
    let mut page = running.page();
    let before = ticks_a_second(&mut page);
    // At real time 20 ticks a second.
    assert!((18.0..23.0).contains(&before), "{before}");
    let host = running.host();
    // Some open a socket and never read; the others say nothing, or half of it.
    let mut idle: Vec<TcpStream> = Vec::new();
    let path = format!("/ws?token={}", running.token());
    for i in 0..1000 {
        let Ok(mut stream) = TcpStream::connect(&host) else { continue };
        // Whoever is turned away at the door may find it closed already.
        let _ = match i % 3 {
            0 => stream.write_all(opening(&path, &format!("Host: {host}\r\n")).as_bytes()),
            1 => stream.write_all(b"GET / HT"),
            _ => Ok(()),
        };
        idle.push(stream);
    }
    let during = ticks_a_second(&mut page);
    assert!((18.0..23.0).contains(&during), "{during} ticks a second with {} idle connections", idle.len());
    assert!(running.logged("too many"));
    drop(idle);
    // When they have gone there is room again.
    let until = Instant::now() + Duration::from_secs(15);
    while !request(&host, &format!("GET /frames.js HTTP/1.1\r\nHost: {host}\r\n\r\n")).contains("200") {
        assert!(Instant::now() < until, "nobody is let in any more");
        std::thread::sleep(Duration::from_millis(200));
    }
}
