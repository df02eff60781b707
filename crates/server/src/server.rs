//! The socket that listens, and who is let in at a time.

use crate::connection::{Feed, serve};
use crate::guard::Guard;
use crate::http::{self, Refusal, Status};
use crate::live::LiveShow;
use crate::pages;
use crate::replay::ReplayShow;
use passerby::motion::Library;
use std::io;
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicU64, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

/// Connections at a time; more are turned away at the door.
const CONNECTIONS_MAX: usize = 48;
/// Lines of the log a second; more are counted.
const LINES_MAX: u32 = 20;

/// What there is to see.
#[derive(Clone)]
pub enum Show {
    /// A run that goes on now.
    Live(LiveShow),
    /// A recording.
    Replay(ReplayShow),
}

impl Show {
    /// A page comes.
    pub(crate) fn open(&self, page: u64) -> Feed {
        match self {
            Show::Live(live) => live.open(page),
            Show::Replay(replay) => replay.open(page),
        }
    }
}

/// Takes a line of the log.
pub type Log = Box<dyn Fn(&str) + Send + Sync>;

/// What all connections share.
pub(crate) struct Shared {
    pub guard: Guard,
    pub show: Show,
    pub library: Library,
    pub body: OnceLock<Vec<u8>>,
    log: Log,
    lines: Mutex<(Instant, u32)>,
    pages: AtomicU64,
    connections: AtomicUsize,
    closing: AtomicBool,
}

impl Shared {
    /// Writes a line, unless there have been too many lately.
    pub(crate) fn log(&self, line: &str) {
        let mut lines = self.lines.lock().unwrap_or_else(PoisonError::into_inner);
        if lines.0.elapsed() >= Duration::from_secs(1) {
            if lines.1 > LINES_MAX {
                (self.log)(&format!("and {} more like these", lines.1 - LINES_MAX));
            }
            *lines = (Instant::now(), 0);
        }
        lines.1 += 1;
        if lines.1 <= LINES_MAX {
            (self.log)(line);
        }
    }

    pub(crate) fn next_page(&self) -> u64 {
        self.pages.fetch_add(1, Ordering::Relaxed) + 1
    }
}

/// A server that listens. Ends when it is dropped.
pub struct Server {
    at: SocketAddr,
    token: String,
    shared: Arc<Shared>,
}

impl Server {
    /// Listens at an address; port 0 takes a free one.
    pub fn start(at: SocketAddr, show: Show, log: Log) -> io::Result<Server> {
        let listener = TcpListener::bind(at)?;
        let at = listener.local_addr()?;
        let token = token()?;
        let shared = Arc::new(Shared {
            guard: Guard::new(token.clone(), at),
            show,
            library: Library::built_in(),
            body: OnceLock::new(),
            log,
            lines: Mutex::new((Instant::now(), 0)),
            pages: AtomicU64::new(0),
            connections: AtomicUsize::new(0),
            closing: AtomicBool::new(false),
        });
        let door = Arc::clone(&shared);
        std::thread::Builder::new().name("door".to_owned()).spawn(move || accept(&listener, &door))?;
        Ok(Server { at, token, shared })
    }

    /// The address to open in a browser.
    pub fn url(&self) -> String {
        let host = match self.at.ip() {
            ip if ip.is_unspecified() => format!("127.0.0.1:{}", self.at.port()),
            _ => self.at.to_string(),
        };
        format!("http://{host}/?token={}", self.token)
    }

    /// Whether it serves the viewer in three dimensions.
    pub fn has_bundle(&self) -> bool {
        pages::HAS_BUNDLE
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.shared.closing.store(true, Ordering::Relaxed);
        // Whoever waits for the next connection gets one.
        let _ = TcpStream::connect(self.at);
    }
}

fn accept(listener: &TcpListener, shared: &Arc<Shared>) {
    for stream in listener.incoming() {
        if shared.closing.load(Ordering::Relaxed) {
            return;
        }
        // Out of file handles, for one: those that are open will end.
        let Ok(mut stream) = stream else {
            std::thread::sleep(Duration::from_millis(50));
            continue;
        };
        if shared.connections.fetch_add(1, Ordering::Relaxed) >= CONNECTIONS_MAX {
            shared.connections.fetch_sub(1, Ordering::Relaxed);
            shared.log("refused a connection: there are too many");
            let _ = stream.set_nonblocking(true);
            let _ = http::refuse(
                &mut stream,
                &Refusal::new(Status::Busy, "there are too many connections: close some pages"),
            );
            continue;
        }
        let guest = Guest(Arc::clone(shared));
        let served = std::thread::Builder::new().name("guest".to_owned()).spawn(move || serve(stream, &guest.0));
        if let Err(error) = served {
            shared.log(&format!("refused a connection: {error}"));
        }
    }
}

/// One connection of those there may be; counted until it ends, however it does.
struct Guest(Arc<Shared>);

impl Drop for Guest {
    fn drop(&mut self) {
        self.0.connections.fetch_sub(1, Ordering::Relaxed);
    }
}

/// 128 bits that nobody can guess.
fn token() -> io::Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
