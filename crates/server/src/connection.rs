//! One connection: a file, or a socket that stays open.

use crate::http::{self, Refusal, Request, Status};
use crate::hub::{Hub, Told};
use crate::packet::{Interest, Packer};
use crate::protocol::{self, POSES_MAX, Wish};
use crate::scene::Scene;
use crate::server::Shared;
use crate::websocket::{self, Incoming, SocketError};
use crate::{body_file, pages};
use std::collections::BTreeSet;
use std::io::{self, Write};
use std::net::TcpStream;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{SyncSender, TrySendError};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// Who takes no byte for so long is gone.
const WRITE_PATIENCE: Duration = Duration::from_secs(10);
/// Messages a page may send: so many at once, and then so many a second.
const BURST: f64 = 200.0;
const RATE: f64 = 100.0;

/// Where a page gets what it shows, and where its wishes go.
pub(crate) struct Feed {
    pub scene: Arc<Scene>,
    pub hub: Arc<Hub>,
    pub wishes: SyncSender<(u64, Wish)>,
}

/// What a page wants of frames.
#[derive(Debug, Default)]
struct Wanted {
    interest: Interest,
    desired: bool,
}

/// Answers one connection.
pub(crate) fn serve(mut stream: TcpStream, shared: &Arc<Shared>) {
    let from = stream.peer_addr().map_or_else(|_| "somebody".to_owned(), |peer| peer.to_string());
    let refused = |stream: &mut TcpStream, refusal: &Refusal| {
        shared.log(&format!("refused {from}: {}", refusal.why));
        // Whether they hear it is their affair.
        let _ = http::refuse(stream, refusal);
    };
    let request = match http::read(&mut stream) {
        Ok(request) => request,
        Err(Some(refusal)) => return refused(&mut stream, &refusal),
        Err(None) => return,
    };
    if let Err(refusal) = answer(&mut stream, &request, shared) {
        refused(&mut stream, &refusal);
    }
}

fn answer(stream: &mut TcpStream, request: &Request, shared: &Arc<Shared>) -> Result<(), Refusal> {
    shared.guard.host(request)?;
    match request.path.as_str() {
        "/ws" => {
            shared.guard.token(request)?;
            let welcome = websocket::handshake(request)?;
            // From here on there is nobody to refuse, only somebody to lose.
            let _ = socket(stream, &welcome, shared);
        }
        "/body.bin" => {
            shared.guard.token(request)?;
            let body = shared.body.get_or_init(|| body_file::body_file(&shared.library));
            let _ = http::answer(stream, Status::Ok, "application/octet-stream", body);
        }
        path => {
            if pages::needs_token(path) {
                shared.guard.token(request)?;
            }
            let (kind, bytes) =
                pages::file(path).ok_or_else(|| Refusal::new(Status::NotFound, "there is no such file"))?;
            let _ = http::answer(stream, Status::Ok, kind, bytes);
        }
    }
    Ok(())
}

/// The other half of a socket, and what both halves share.
struct Line {
    page: u64,
    writer: Mutex<TcpStream>,
    wanted: Mutex<Wanted>,
    gone: AtomicBool,
}

impl Line {
    fn writer(&self) -> MutexGuard<'_, TcpStream> {
        self.writer.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn wanted(&self) -> MutexGuard<'_, Wanted> {
        self.wanted.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Speaks with a page until it goes: this thread writes, another one reads.
fn socket(stream: &mut TcpStream, welcome: &str, shared: &Arc<Shared>) -> io::Result<()> {
    stream.set_nodelay(true)?;
    stream.set_write_timeout(Some(WRITE_PATIENCE))?;
    stream.set_read_timeout(None)?;
    stream.write_all(welcome.as_bytes())?;
    let page = shared.next_page();
    let feed = shared.show.open(page);
    let line = Arc::new(Line {
        page,
        writer: Mutex::new(stream.try_clone()?),
        wanted: Mutex::new(Wanted::default()),
        gone: AtomicBool::new(false),
    });
    let reader = {
        let (line, shared, mut stream) = (Arc::clone(&line), Arc::clone(shared), stream.try_clone()?);
        let (hub, wishes) = (Arc::clone(&feed.hub), feed.wishes.clone());
        let read = move || {
            listen(&mut stream, &line, &hub, &wishes, &shared);
            line.gone.store(true, Ordering::Relaxed);
            // Whoever writes to it wakes up.
            let _ = stream.shutdown(std::net::Shutdown::Both);
        };
        std::thread::Builder::new().name("page".to_owned()).spawn(read)?
    };
    let spoken = speak(&line, &feed, shared);
    if !line.gone.swap(true, Ordering::Relaxed) {
        if let Err(error) = &spoken {
            shared.log(&format!("page {page} is gone: {error}"));
        }
        let _ = stream.shutdown(std::net::Shutdown::Both);
    }
    let _ = reader.join();
    feed.hub.forget(page);
    // Whom they inspected is of no interest any more; a replay of their own ends.
    let _ = feed.wishes.send((page, Wish::Inspect { id: None }));
    spoken
}

/// Sends what is new, as fast as the page takes it.
fn speak(line: &Line, feed: &Feed, shared: &Shared) -> io::Result<()> {
    let mut packer = Packer::new(feed.scene.header.offset, feed.scene.header.seed);
    let (mut told, mut known, mut packet) = (Told::default(), BTreeSet::new(), Vec::new());
    websocket::send_text(&mut *line.writer(), &feed.scene.json())?;
    while !line.gone.load(Ordering::Relaxed) {
        let news = feed.hub.wait(line.page, &mut told);
        for text in &news.texts {
            websocket::send_text(&mut *line.writer(), text)?;
        }
        if let Some(shot) = news.shot {
            let newcomers: Vec<u32> = shot.frame.id.iter().copied().filter(|id| known.insert(*id)).collect();
            if !newcomers.is_empty() {
                let text = {
                    let seen = feed.hub.lock();
                    feed.scene.people(newcomers.iter().filter_map(|id| seen.people.get(id)))
                };
                websocket::send_text(&mut *line.writer(), &text)?;
            }
            let (interest, desired) = {
                let wanted = line.wanted();
                (wanted.interest, wanted.desired)
            };
            packer.pack(&shot, &shared.library, interest, desired, &mut packet);
            websocket::send_bytes(&mut *line.writer(), &packet)?;
        }
        if news.closed {
            return websocket::send_close(&mut *line.writer(), 1001, "the run is over");
        }
    }
    Ok(())
}

/// Takes wishes until the page goes, or asks too much.
fn listen(stream: &mut TcpStream, line: &Line, hub: &Hub, wishes: &SyncSender<(u64, Wish)>, shared: &Shared) {
    let (mut may, mut since) = (BURST, Instant::now());
    let close = |code: u16, why: &str| {
        shared.log(&format!("page {} is shown out: {why}", line.page));
        let _ = websocket::send_close(&mut *line.writer(), code, why);
    };
    loop {
        let text = match websocket::receive(stream) {
            Ok(Incoming::Text(text)) => Some(text),
            Ok(Incoming::Ping(payload)) => {
                if websocket::send_pong(&mut *line.writer(), &payload).is_err() {
                    return;
                }
                None
            }
            Ok(Incoming::Pong) => None,
            Ok(Incoming::Close) => {
                let _ = websocket::send_close(&mut *line.writer(), 1000, "");
                return;
            }
            Err(SocketError::Broken { code, why }) => return close(code, why),
            Err(SocketError::Cut(_)) => return,
        };
        may = (may + RATE * since.elapsed().as_secs_f64()).min(BURST) - 1.0;
        since = Instant::now();
        if may < 0.0 {
            return close(1008, "too many messages");
        }
        let Some(text) = text else { continue };
        match protocol::wish(&text) {
            Err(what) => {
                shared.log(&format!("page {} sent {what}", line.page));
                hub.answer(line.page, protocol::error(&what));
            }
            Ok(Wish::Look { x, y, radius, most }) => {
                line.wanted().interest = Interest { at: [x, y], radius, most: most.min(POSES_MAX) };
            }
            Ok(wish) => {
                if let Wish::Desired { on } = wish {
                    line.wanted().desired = on;
                }
                match wishes.try_send((line.page, wish)) {
                    Ok(()) => {}
                    Err(TrySendError::Full(_)) => hub.answer(line.page, protocol::error("busy: try again in a moment")),
                    Err(TrySendError::Disconnected(_)) => {
                        hub.answer(line.page, protocol::error("the run has ended: nothing can be changed any more"));
                    }
                }
            }
        }
    }
}
