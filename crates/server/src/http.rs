//! As much of HTTP as a page and a socket need: one `GET` a connection.

use std::io::{self, Read, Write};
use std::net::TcpStream;
use std::time::{Duration, Instant};

/// Longest request, from its first byte to the empty line.
const HEAD_MAX: usize = 8 * 1024;
/// How long somebody may take to send it.
const PATIENCE: Duration = Duration::from_secs(5);

/// What is asked for.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Request {
    /// Without what follows the question mark.
    pub path: String,
    /// What follows it.
    pub query: String,
    /// Names in small letters, and values, in their order.
    headers: Vec<(String, String)>,
}

/// Why there is no request: what to answer, and why.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Refusal {
    pub status: Status,
    pub why: String,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Status {
    Ok,
    BadRequest,
    Forbidden,
    NotFound,
    MethodNotAllowed,
    UpgradeRequired,
    Busy,
}

impl Status {
    fn line(self) -> &'static str {
        match self {
            Status::Ok => "200 OK",
            Status::BadRequest => "400 Bad Request",
            Status::Forbidden => "403 Forbidden",
            Status::NotFound => "404 Not Found",
            Status::MethodNotAllowed => "405 Method Not Allowed",
            Status::UpgradeRequired => "426 Upgrade Required",
            Status::Busy => "503 Service Unavailable",
        }
    }
}

impl Refusal {
    pub(crate) fn new(status: Status, why: impl Into<String>) -> Refusal {
        Refusal { status, why: why.into() }
    }
}

impl Request {
    /// The only value of a header; `None` if there is none, or more than one: then nobody knows which is meant.
    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        let mut values = self.headers.iter().filter(|(other, _)| other == name).map(|(_, value)| value.as_str());
        values.next().filter(|_| values.next().is_none())
    }

    /// Whether a header is there at all.
    pub(crate) fn has(&self, name: &str) -> bool {
        self.headers.iter().any(|(other, _)| other == name)
    }

    /// A part of the query.
    pub(crate) fn asked(&self, name: &str) -> Option<&str> {
        self.query.split('&').filter_map(|part| part.split_once('=')).find(|(key, _)| *key == name).map(|(_, v)| v)
    }
}

/// Reads a request; `Err(None)` if the connection was cut or nothing came in time.
pub(crate) fn read(stream: &mut TcpStream) -> Result<Request, Option<Refusal>> {
    let until = Instant::now() + PATIENCE;
    let mut head = Vec::new();
    let mut byte = [0; 1024];
    loop {
        let left = until.checked_duration_since(Instant::now()).filter(|left| !left.is_zero()).ok_or(None)?;
        stream.set_read_timeout(Some(left)).map_err(|_| None)?;
        // What follows the empty line would be the first words on the socket; nobody speaks there before it is open.
        let read = stream.read(&mut byte).map_err(|_| None)?;
        if read == 0 {
            return Err(None);
        }
        head.extend(&byte[..read]);
        if let Some(end) = head.windows(4).position(|four| four == b"\r\n\r\n") {
            return parse(&head[..end]).map_err(Some);
        }
        if head.len() > HEAD_MAX {
            return Err(Some(Refusal::new(Status::BadRequest, format!("a request of more than {HEAD_MAX} bytes"))));
        }
    }
}

fn parse(head: &[u8]) -> Result<Request, Refusal> {
    let bad = |why: &str| Refusal::new(Status::BadRequest, why);
    let text = std::str::from_utf8(head).map_err(|_| bad("a request that is no text"))?;
    let mut lines = text.split("\r\n");
    let mut first = lines.next().unwrap_or_default().split(' ');
    let (Some(method), Some(target), Some(version), None) = (first.next(), first.next(), first.next(), first.next())
    else {
        return Err(bad("a request that is none"));
    };
    if version != "HTTP/1.1" && version != "HTTP/1.0" {
        return Err(bad("a request of another version of HTTP"));
    }
    if method != "GET" {
        return Err(Refusal::new(Status::MethodNotAllowed, "a request that is no GET"));
    }
    let (path, query) = target.split_once('?').unwrap_or((target, ""));
    let headers = lines
        .map(|line| {
            let (name, value) = line.split_once(':').ok_or_else(|| bad("a header without a colon"))?;
            if name.is_empty() || name.contains(|c: char| !c.is_ascii_graphic()) {
                return Err(bad("a header with no name"));
            }
            Ok((name.to_ascii_lowercase(), value.trim().to_owned()))
        })
        .collect::<Result<_, _>>()?;
    Ok(Request { path: path.to_owned(), query: query.to_owned(), headers })
}

/// Answers and says that this was all. Nothing of a page may come from elsewhere, be shown inside of another, or be kept.
pub(crate) fn answer(stream: &mut TcpStream, status: Status, kind: &str, body: &[u8]) -> io::Result<()> {
    stream.set_write_timeout(Some(PATIENCE))?;
    let head = format!(
        "HTTP/1.1 {}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\nCache-Control: no-store\r\n\
         X-Content-Type-Options: nosniff\r\nX-Frame-Options: DENY\r\nReferrer-Policy: no-referrer\r\n\
         Cross-Origin-Resource-Policy: same-origin\r\nContent-Security-Policy: default-src 'self'; connect-src 'self' ws:; \
         img-src 'self' data: blob:; style-src 'self' 'unsafe-inline'; object-src 'none'; base-uri 'none'\r\n\r\n",
        status.line(),
        body.len()
    );
    stream.write_all(head.as_bytes())?;
    stream.write_all(body)?;
    stream.flush()
}

/// Says no.
pub(crate) fn refuse(stream: &mut TcpStream, refusal: &Refusal) -> io::Result<()> {
    answer(stream, refusal.status, "text/plain; charset=utf-8", format!("{}\n", refusal.why).as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_request_is_taken_apart() {
        let request = parse(b"GET /ws?token=12&x=y HTTP/1.1\r\nHost: a:1\r\nOrigin:  http://a:1 \r\nX: 1\r\nx: 2")
            .expect("it is one");
        assert_eq!((&request.path[..], request.asked("token"), request.asked("y")), ("/ws", Some("12"), None));
        assert_eq!((request.header("host"), request.header("origin")), (Some("a:1"), Some("http://a:1")));
        assert_eq!((request.header("x"), request.has("x"), request.has("y")), (None, true, false));
    }

    #[test]
    fn what_is_no_request_is_refused() {
        let check = |head: &[u8], status: Status| {
            assert_eq!(parse(head).expect_err("refused").status, status, "{}", String::from_utf8_lossy(head));
        };
        check(b"", Status::BadRequest);
        check(b"GET /", Status::BadRequest);
        check(b"GET / x HTTP/1.1", Status::BadRequest);
        check(b"GET / HTTP/2", Status::BadRequest);
        check(b"POST / HTTP/1.1", Status::MethodNotAllowed);
        check(b"GET / HTTP/1.1\r\nHost", Status::BadRequest);
        check(b"GET / HTTP/1.1\r\n : x", Status::BadRequest);
        check(b"GET /\xff HTTP/1.1", Status::BadRequest);
    }
}
