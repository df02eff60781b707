//! A server with a run, and pages that are written by others: sockets by tungstenite, requests by hand.

// Each test binary uses a part of it.
#![allow(dead_code)]

use passerby::scenario::NoFiles;
use passerby::{Scenario, Simulation};
use passerby_server::{Live, Log, Server, Show};
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::{Duration, Instant};
use tungstenite::{Message, WebSocket};

/// A hall with a door, and people who cross it.
pub const HALL: &str = r#"
name = "hall"
[place]
floor = [[0, 0], [30, 0], [30, 12], [0, 12]]
obstacles = [[[14.8, 0], [15.2, 0], [15.2, 5], [14.8, 5]], [[14.8, 7], [15.2, 7], [15.2, 12], [14.8, 12]]]
doors = [{ name = "front", line = [[15, 5], [15, 7]] }]
regions = [{ name = "exit", polygon = [[28, 0], [30, 0], [30, 12], [28, 12]] }]
[[population]]
name = "visitors"
count = 30
area = [[1, 1], [12, 1], [12, 11], [1, 11]]
journey = ["exit"]
[run]
until = 120
"#;

/// A server whose run goes on in a thread of its own.
pub struct Running {
    pub server: Server,
    pub log: Arc<Mutex<Vec<String>>>,
    stop: Arc<AtomicBool>,
    run: Option<JoinHandle<Simulation>>,
}

impl Running {
    pub fn new(text: &str) -> Running {
        let scenario = Scenario::parse(text, &NoFiles, "hall.toml").expect("a scenario");
        let live = Live::new(Simulation::new(scenario).expect("it runs"));
        let (log, lines) = log();
        let server = Server::start("127.0.0.1:0".parse().expect("an address"), Show::Live(live.show()), log)
            .expect("it listens");
        let stop = Arc::new(AtomicBool::new(false));
        let asked = Arc::clone(&stop);
        let run = std::thread::spawn(move || {
            let stopped = move || asked.load(Ordering::Relaxed);
            live.run::<()>(&NoFiles, &mut |_| Ok(()), &stopped).expect("nothing fails")
        });
        Running { server, log: lines, stop, run: Some(run) }
    }

    /// Ends the run.
    pub fn end(mut self) -> Simulation {
        self.stop.store(true, Ordering::Relaxed);
        self.run.take().expect("it ran").join().expect("it ended")
    }

    pub fn host(&self) -> String {
        self.server.url().trim_start_matches("http://").split('/').next().expect("a host").to_owned()
    }

    pub fn token(&self) -> String {
        self.server.url().split_once("token=").expect("a token").1.to_owned()
    }

    pub fn page(&self) -> Page {
        Page::open(&self.host(), &self.token())
    }

    pub fn logged(&self, what: &str) -> bool {
        self.log.lock().expect("the log").iter().any(|line| line.contains(what))
    }
}

pub fn log() -> (Log, Arc<Mutex<Vec<String>>>) {
    let lines = Arc::new(Mutex::new(Vec::new()));
    let kept = Arc::clone(&lines);
    (Box::new(move |line| kept.lock().expect("the log").push(line.to_owned())), lines)
}

/// A page that reads what it is sent.
pub struct Page {
    pub socket: WebSocket<TcpStream>,
    pub scene: Value,
    pub people: Vec<Value>,
    /// The clock as it was told last.
    pub clock: Value,
    reader: FrameReader,
}

/// Something that came.
#[derive(Debug)]
pub enum Came {
    Told(Value),
    Frame(Seen),
    Closed,
}

impl Page {
    pub fn open(host: &str, token: &str) -> Page {
        let stream = TcpStream::connect(host).expect("connected");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        let (socket, _) = tungstenite::client(format!("ws://{host}/ws?token={token}"), stream).expect("a socket");
        let mut page =
            Page { socket, scene: Value::Null, people: Vec::new(), clock: Value::Null, reader: FrameReader::default() };
        let Came::Told(scene) = page.next() else { panic!("the scene comes first") };
        assert_eq!(scene["is"], "scene");
        page.reader.joints = scene["joints"].as_u64().expect("joints") as usize;
        page.scene = scene;
        page
    }

    pub fn send(&mut self, wish: Value) {
        self.socket.send(Message::text(wish.to_string())).expect("sent");
    }

    pub fn next(&mut self) -> Came {
        loop {
            match self.socket.read() {
                Ok(Message::Text(text)) => {
                    let told: Value = serde_json::from_str(&text).expect("JSON");
                    if told["is"] == "people" {
                        self.people.extend(told["people"].as_array().expect("people").iter().cloned());
                        continue;
                    }
                    if told["is"] == "clock" {
                        self.clock = told.clone();
                    }
                    return Came::Told(told);
                }
                Ok(Message::Binary(bytes)) => return Came::Frame(self.reader.read(&bytes)),
                Ok(Message::Close(_)) | Err(_) => return Came::Closed,
                Ok(_) => {}
            }
        }
    }

    /// The next message of a kind.
    pub fn told(&mut self, kind: &str) -> Value {
        let until = Instant::now() + Duration::from_secs(20);
        while Instant::now() < until {
            match self.next() {
                Came::Told(told) if told["is"] == kind => return told,
                Came::Closed => panic!("the socket was closed before `{kind}` came"),
                _ => {}
            }
        }
        panic!("no `{kind}` came");
    }

    /// The next frame of at least a tick.
    pub fn frame(&mut self, tick: u32) -> Seen {
        loop {
            match self.next() {
                Came::Frame(frame) if frame.tick >= tick => return frame,
                Came::Closed => panic!("the socket was closed before tick {tick} came"),
                _ => {}
            }
        }
    }

    /// The clock of a tick, which comes a little before its frame or after it.
    pub fn clock_at(&mut self, tick: u32) -> Value {
        while self.clock["tick"] != tick {
            self.told("clock");
        }
        self.clock.clone()
    }

    /// Steps to a tick and stops there.
    pub fn step_to(&mut self, tick: u32) -> Seen {
        self.send(json!({ "do": "pause" }));
        loop {
            let clock = self.told("clock");
            if clock["playing"] == false {
                let now = clock["tick"].as_u64().expect("a tick") as u32;
                assert!(now <= tick, "it is tick {now} already");
                if now == tick && self.reader.seen.tick == tick {
                    return self.reader.seen.clone();
                }
                if now < tick {
                    self.send(json!({ "do": "step", "frames": tick - now }));
                }
                return self.frame(tick);
            }
        }
    }
}

/// What a frame says.
#[derive(Debug, Clone, Default)]
pub struct Seen {
    pub tick: u32,
    pub ids: Vec<u32>,
    /// On a grid of 1/256 m.
    pub at: Vec<[i64; 2]>,
    pub heading: Vec<u8>,
    pub clips: Vec<u8>,
    pub desired: Vec<[i8; 2]>,
    /// Rows that have a full pose, and the first bytes of it.
    pub poses: Vec<usize>,
    pub bytes: usize,
}

/// Reads frames by what `crates/server/src/packet.rs` says of them.
#[derive(Default)]
pub struct FrameReader {
    pub joints: usize,
    pub seen: Seen,
    step: Vec<[i64; 2]>,
}

impl FrameReader {
    pub fn read(&mut self, bytes: &[u8]) -> Seen {
        let mut from = bytes;
        let mut byte = || {
            let (first, rest) = from.split_first().expect("a byte");
            from = rest;
            *first
        };
        assert_eq!(byte(), 1);
        let flags = byte();
        let number = |byte: &mut dyn FnMut() -> u8| {
            let (mut value, mut shift) = (0u64, 0);
            loop {
                let part = byte();
                value |= u64::from(part & 127) << shift;
                shift += 7;
                if part < 128 {
                    return value;
                }
            }
        };
        let signed = |value: u64| if value % 2 == 1 { -(value as i64 / 2) - 1 } else { value as i64 / 2 };
        let Seen { tick, ids, at, .. } = &mut self.seen;
        *tick = number(&mut byte) as u32;
        if flags & 1 != 0 {
            (ids.clear(), at.clear(), self.step.clear());
        }
        let (left, mut row) = (number(&mut byte), 0);
        for _ in 0..left {
            row += number(&mut byte) as usize;
            (ids.remove(row), at.remove(row), self.step.remove(row));
        }
        for (at, step) in at.iter_mut().zip(&mut self.step) {
            for axis in 0..2 {
                step[axis] += signed(number(&mut byte));
                at[axis] += step[axis];
            }
        }
        let (came, mut id) = (number(&mut byte), 0);
        for _ in 0..came {
            id += number(&mut byte) as u32;
            let row = ids.binary_search(&id).expect_err("nobody comes twice");
            ids.insert(row, id);
            at.insert(row, [signed(number(&mut byte)), signed(number(&mut byte))]);
            self.step.insert(row, [0; 2]);
        }
        let count = ids.len();
        self.seen.heading = (0..count).map(|_| byte()).collect();
        self.seen.clips = if flags & 2 != 0 { (0..count).map(|_| byte()).collect() } else { Vec::new() };
        (0..self.seen.clips.len()).for_each(|_| _ = byte());
        self.seen.desired =
            if flags & 4 != 0 { (0..count).map(|_| [byte() as i8, byte() as i8]).collect() } else { Vec::new() };
        self.seen.poses.clear();
        if flags & 8 != 0 {
            let mut row = 0;
            for _ in 0..number(&mut byte) {
                row += number(&mut byte) as usize;
                self.seen.poses.push(row);
                row += 1;
                (0..1 + 6 + 6 * self.joints).for_each(|_| _ = byte());
            }
        }
        assert!(from.is_empty(), "{} bytes are left over", from.len());
        self.seen.bytes = bytes.len();
        self.seen.clone()
    }
}

/// Sends a request by hand; the first line of the answer.
pub fn request(host: &str, lines: &str) -> String {
    let mut stream = TcpStream::connect(host).expect("connected");
    stream.set_read_timeout(Some(Duration::from_secs(10))).expect("a timeout");
    stream.write_all(lines.as_bytes()).expect("sent");
    let mut answer = Vec::new();
    let mut part = [0; 4096];
    while !answer.contains(&b'\n') {
        match stream.read(&mut part) {
            Ok(0) | Err(_) => break,
            Ok(read) => answer.extend(&part[..read]),
        }
    }
    String::from_utf8_lossy(&answer).lines().next().unwrap_or_default().to_owned()
}
