//! Who may come in: whoever runs the program, from a page that the program served.
//!
//! Any web page can open a socket to a port of the machine it is shown on. So a request has to name a host we know, by exact comparison
//! (else a name that somebody pointed at this machine would do), come from a page of ours, and know the token of this run.

use crate::http::{Refusal, Request, Status};
use std::net::{IpAddr, SocketAddr};

/// What a run lets in.
#[derive(Debug, Clone)]
pub(crate) struct Guard {
    token: String,
    /// Hosts by which we may be called, with the port.
    hosts: Vec<String>,
    /// Where others than this machine may come from, the port by which they call any of its addresses.
    open: Option<u16>,
}

impl Guard {
    pub(crate) fn new(token: String, at: SocketAddr) -> Guard {
        let port = at.port();
        let mut hosts =
            vec![format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}"), at.to_string()];
        if port == 80 {
            hosts.extend(["127.0.0.1", "localhost", "[::1]"].map(str::to_owned));
        }
        Guard { token, hosts, open: (!at.ip().is_loopback()).then_some(port) }
    }

    /// Whether the request names us, and comes from nowhere else.
    pub(crate) fn host(&self, request: &Request) -> Result<(), Refusal> {
        let no = |why: String| Err(Refusal::new(Status::Forbidden, why));
        let Some(host) = request.header("host") else { return no("a request without one host".to_owned()) };
        if !self.is_ours(host) {
            return no(format!("a request to {:?}, which is not us", short(host)));
        }
        match request.header("origin") {
            None if request.has("origin") => no("a request from several origins".to_owned()),
            // Browsers name the origin of every page that opens a socket; programs that are no browser need the token all the same.
            None => Ok(()),
            Some(origin) if origin.strip_prefix("http://") == Some(host) => Ok(()),
            Some(origin) => no(format!("a request from {:?}, which is no page of ours", short(origin))),
        }
    }

    /// Whether the request knows the token.
    pub(crate) fn token(&self, request: &Request) -> Result<(), Refusal> {
        let no = |why: &str| Err(Refusal::new(Status::Forbidden, why));
        match request.asked("token") {
            None => no("a request without a token: use the address that `passerby view` printed"),
            Some(token) if same(token.as_bytes(), self.token.as_bytes()) => Ok(()),
            Some(_) => no("a request with a wrong token: use the address that `passerby view` printed"),
        }
    }

    fn is_ours(&self, host: &str) -> bool {
        if self.hosts.iter().any(|ours| ours == host) {
            return true;
        }
        // Names can be pointed at us by anybody; an address cannot.
        let Some(port) = self.open else { return false };
        let address = host.strip_suffix(&format!(":{port}"));
        address.is_some_and(|ip| ip.trim_start_matches('[').trim_end_matches(']').parse::<IpAddr>().is_ok())
    }
}

/// Whether both are the same; takes as long for a wrong first letter as for a wrong last one.
fn same(a: &[u8], b: &[u8]) -> bool {
    a.len() == b.len() && a.iter().zip(b).fold(0, |differs, (a, b)| differs | (a ^ b)) == 0
}

/// What strangers send is not printed at length.
fn short(text: &str) -> String {
    text.chars().take(60).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::net::TcpStream;

    fn request(lines: &str) -> Request {
        // Through the same reader as all others.
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let mut client = TcpStream::connect(listener.local_addr().expect("an address")).expect("connected");
        std::io::Write::write_all(&mut client, format!("GET /?token=secret HTTP/1.1\r\n{lines}\r\n\r\n").as_bytes())
            .expect("sent");
        crate::http::read(&mut listener.accept().expect("accepted").0).expect("a request")
    }

    #[test]
    fn only_our_own_names_and_pages_come_in() {
        let guard = Guard::new("secret".to_owned(), "127.0.0.1:4000".parse().expect("an address"));
        let check = |lines: &str, may: bool| assert_eq!(guard.host(&request(lines)).is_ok(), may, "{lines}");
        check("Host: 127.0.0.1:4000", true);
        check("Host: localhost:4000\r\nOrigin: http://localhost:4000", true);
        check("Host: 127.0.0.1:4000\r\nOrigin: http://127.0.0.1:4000", true);
        for host in [
            "127.0.0.1",
            "127.0.0.1:4001",
            "localhost.evil.com:4000",
            "evil.com",
            "127.0.0.1:4000.evil.com",
            "10.0.0.1:4000",
            "",
        ] {
            check(&format!("Host: {host}"), false);
        }
        for origin in [
            "null",
            "http://evil.com",
            "http://127.0.0.1:4000.evil.com",
            "http://evil.com/127.0.0.1:4000",
            "https://127.0.0.1:4000",
            "http://localhost:4000",
            "http://127.0.0.1:40000",
            "http://127.0.0.1",
            "",
        ] {
            check(&format!("Host: 127.0.0.1:4000\r\nOrigin: {origin}"), false);
        }
        check("X: y", false);
        check("Host: 127.0.0.1:4000\r\nHost: evil.com", false);
        check("Host: 127.0.0.1:4000\r\nOrigin: http://127.0.0.1:4000\r\nOrigin: null", false);
    }

    #[test]
    fn a_run_that_listens_to_all_is_called_by_addresses_only() {
        let guard = Guard::new("secret".to_owned(), "0.0.0.0:4000".parse().expect("an address"));
        for (host, ours) in
            [("192.168.1.7:4000", true), ("[fe80::1]:4000", true), ("evil.com:4000", false), ("192.168.1.7:80", false)]
        {
            assert_eq!(guard.is_ours(host), ours, "{host}");
        }
    }

    #[test]
    fn tokens_have_to_be_the_same() {
        let guard = |token: &str| Guard::new(token.to_owned(), "127.0.0.1:4000".parse().expect("an address"));
        let request = request("Host: a");
        assert!(guard("secret").token(&request).is_ok());
        for other in ["Secret", "secre", "secrets", ""] {
            assert!(guard(other).token(&request).is_err(), "{other}");
        }
    }
}
