//! `passerby view` as it is started from a terminal.

#![cfg(unix)]

mod common;
use common::{LONG, expect, folder, open, seconds, signal, start, texts, write};
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::process::Child;
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// A program that shows something, and where.
struct Viewed {
    child: Child,
    host: String,
    token: String,
}

fn view(folder: &Path, arguments: &[&str]) -> Viewed {
    let mut child = start(folder, &[&["view", "--no-open"], arguments].concat());
    let mut line = String::new();
    let printed = child.stdout.as_mut().expect("what it prints");
    BufReader::new(printed).read_line(&mut line).expect("a line");
    let address = line.trim().strip_prefix("http://").unwrap_or_else(|| panic!("no address: {line}"));
    let (host, token) = address.split_once("/?token=").unwrap_or_else(|| panic!("no token: {line}"));
    Viewed { child, host: host.to_owned(), token: token.to_owned() }
}

impl Viewed {
    /// Opens the page's socket, and so begins a live run.
    fn page(&self) -> WebSocket<TcpStream> {
        let stream = TcpStream::connect(&self.host).expect("connected");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        let url = format!("ws://{}/ws?token={}", self.host, self.token);
        tungstenite::client(url, stream).expect("a socket").0
    }

    /// What it printed besides the address, once it has ended.
    fn ended(self) -> (String, String) {
        texts(&self.child.wait_with_output().expect("an end"))
    }
}

/// The next text of a kind that a page is sent.
fn told(page: &mut WebSocket<TcpStream>, kind: &str) -> serde_json::Value {
    loop {
        if let Message::Text(text) = page.read().expect("something comes") {
            let told: serde_json::Value = serde_json::from_str(&text).expect("JSON");
            assert_ne!(told["is"], "error", "{told}");
            if told["is"] == kind {
                return told;
            }
        }
    }
}

/// Reads what a page is sent, for a while.
fn watch(page: &mut WebSocket<TcpStream>, time: Duration) {
    let until = Instant::now() + time;
    while Instant::now() < until {
        page.read().expect("something comes");
    }
}

#[test]
fn the_server_is_killed_and_the_recording_is_whole_to_the_last_flush() {
    let folder = folder("view-killed");
    write(&folder, "long.toml", LONG);
    let mut viewed = view(&folder, &["long.toml", "--out", "a.parquet"]);
    let mut page = viewed.page();
    page.send(Message::text(r#"{"do":"speed","times":4.0}"#)).expect("sent");
    // Twenty seconds of the run.
    while told(&mut page, "clock")["tick"].as_u64() < Some(400) {}
    viewed.child.kill().expect("SIGKILL");
    viewed.child.wait().expect("an end");
    let path = folder.join("a.parquet");
    assert!(!open(&path).complete());
    // The last of them may not have been flushed.
    let held = seconds(&path);
    assert!((14.0..=24.0).contains(&held), "{held} s");
    // And it can be looked at.
    let viewed = view(&folder, &["a.parquet"]);
    watch(&mut viewed.page(), Duration::from_millis(300));
    signal("-INT", &viewed.child);
    viewed.ended();
}

/// What somebody paints, saved, is run again to the digest: with the seed of the command line, and from the first frame on. Whoever opens no page
/// loses no recording.
#[test]
fn what_is_saved_repeats_the_run_and_its_recording() {
    let folder = folder("view-saved");
    write(&folder, "long.toml", LONG);
    let viewed = view(&folder, &["long.toml", "--seed", "7", "--out", "a.parquet"]);
    let mut page = viewed.page();
    let ask = |page: &mut WebSocket<TcpStream>, wish: &str| page.send(Message::text(wish.to_owned())).expect("sent");
    // Somebody paints while the run is on its way, and lets it go on.
    while told(&mut page, "clock")["tick"].as_u64() < Some(10) {}
    ask(&mut page, r#"{"do":"edit","edit":{"drop":{"population":"walkers","at":[[0,1],[0,1]]}}}"#);
    told(&mut page, "changed");
    while told(&mut page, "clock")["tick"].as_u64() < Some(30) {}
    ask(&mut page, r#"{"do":"pause"}"#);
    while told(&mut page, "clock")["playing"] == true {}
    ask(&mut page, r#"{"do":"scenario"}"#);
    let text = told(&mut page, "scenario")["text"].as_str().expect("a text").to_owned();
    signal("-INT", &viewed.child);
    let (out, err) = viewed.ended();
    let said = out.split(" at ").nth(1).unwrap_or_else(|| panic!("{out}\n{err}"));
    let (time, digest) = said.trim().split_once(" s, digest ").unwrap_or_else(|| panic!("{out}"));
    write(&folder, "saved.toml", &text);
    let arguments = ["run", "saved.toml", "--out", "b.parquet", "--until", time, "--json", "b.json", "--quiet"];
    expect(0, &folder, &arguments);
    let result = std::fs::read_to_string(folder.join("b.json")).expect("a result");
    assert!(result.contains(digest), "{digest} is not in {result}");
    let [a, b] = ["a.parquet", "b.parquet"].map(|name| open(&folder.join(name)));
    assert_eq!((a.ticks(), a.frame_count()), (b.ticks(), b.frame_count()));
    let viewed = view(&folder, &["long.toml", "--out", "b.parquet"]);
    signal("-INT", &viewed.child);
    assert!(viewed.ended().0.contains("nothing was run"));
    assert_eq!(open(&folder.join("b.parquet")).frame_count(), b.frame_count());
}

#[test]
fn ctrl_c_ends_it_and_says_what_was_run() {
    let folder = folder("view-interrupted");
    write(&folder, "long.toml", LONG);
    let viewed = view(&folder, &["long.toml", "--out", "a.parquet"]);
    watch(&mut viewed.page(), Duration::from_secs(1));
    signal("-INT", &viewed.child);
    let (out, err) = viewed.ended();
    assert!(out.contains("a.parquet at ") && out.contains("digest "), "{out}\n{err}");
    assert!(!err.contains("warning"), "{err}");
    assert!(open(&folder.join("a.parquet")).complete());
}

/// Nobody but this machine can reach it. All of 127.0.0.0/8 is this machine on Linux only.
#[cfg(target_os = "linux")]
#[test]
fn it_listens_to_this_machine_unless_told_otherwise() {
    let folder = folder("view-listens");
    write(&folder, "long.toml", LONG);
    let viewed = view(&folder, &["long.toml"]);
    assert!(viewed.host.starts_with("127.0.0.1:"), "{}", viewed.host);
    let port = viewed.host.rsplit(':').next().expect("a port");
    // Another address of the same machine: only whoever listens to all would answer.
    assert!(TcpStream::connect(format!("127.0.0.2:{port}")).is_err());
    signal("-INT", &viewed.child);
    let (_, err) = viewed.ended();
    assert!(!err.contains("--listen"), "{err}");

    let viewed = view(&folder, &["long.toml", "--listen", "0.0.0.0"]);
    let port = viewed.host.rsplit(':').next().expect("a port");
    let mut other = TcpStream::connect(format!("127.0.0.2:{port}")).expect("it listens to all");
    write!(other, "GET /?token={} HTTP/1.1\r\nHost: 127.0.0.2:{port}\r\n\r\n", viewed.token).expect("sent");
    let mut answer = [0; 12];
    other.read_exact(&mut answer).expect("an answer");
    assert_eq!(&answer, b"HTTP/1.1 200");
    signal("-INT", &viewed.child);
    let (_, err) = viewed.ended();
    assert!(err.contains("warning: --listen 0.0.0.0 lets everybody"), "{err}");
}

#[test]
fn what_cannot_be_shown_is_told() {
    let folder = folder("view-refused");
    write(&folder, "long.toml", LONG);
    let taken = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = taken.local_addr().expect("an address").port().to_string();
    let refused = |arguments: &[&str], why: &str| {
        let (_, err) = expect(2, &folder, &[&["view", "--no-open"], arguments].concat());
        assert!(err.contains(why), "{err}");
    };
    refused(&["none.toml"], "none.toml");
    refused(&["none.parquet"], "none.parquet");
    refused(&["long.toml", "--port", &port], "something else listens there");
    refused(&["long.toml", "--listen", "192.0.2.1"], "is no address of this machine");
    write(&folder, "bad.parquet", "PAR1");
    refused(&["bad.parquet"], "bad.parquet");
    write(&folder, "people.txt", "1 2 3 4\n");
    refused(&["people.txt"], "passerby export");
}
