//! WebSockets (RFC 6455) from the server's side: the handshake, messages in, messages out.

use crate::http::{Refusal, Request, Status};
use std::io::{self, Read, Write};

/// Longest message somebody may send us.
pub(crate) const MESSAGE_MAX: usize = 64 * 1024;
/// What every server appends to a client's key (section 1.3).
const GUID: &str = "258EAFA5-E914-47DA-95CA-C5AB0DC85B11";

/// What came.
#[derive(Debug, PartialEq)]
pub(crate) enum Incoming {
    Text(String),
    Ping(Vec<u8>),
    Pong,
    Close,
}

/// Why no more can come.
#[derive(Debug, thiserror::Error)]
pub(crate) enum SocketError {
    #[error(transparent)]
    Cut(#[from] io::Error),
    /// With the number that the other side is told (section 7.4.1).
    #[error("{why}")]
    Broken { code: u16, why: &'static str },
}

/// What an opening request is answered with.
pub(crate) fn handshake(request: &Request) -> Result<String, Refusal> {
    let no = |why: &str| Refusal::new(Status::UpgradeRequired, why);
    let names = |header: &str, wanted: &str| {
        request
            .header(header)
            .is_some_and(|value| value.split(',').any(|part| part.trim().eq_ignore_ascii_case(wanted)))
    };
    if !names("upgrade", "websocket") || !names("connection", "upgrade") {
        return Err(no("a request for the socket that opens none"));
    }
    if request.header("sec-websocket-version") != Some("13") {
        return Err(no("a socket of another version than 13"));
    }
    let key = request
        .header("sec-websocket-key")
        .filter(|key| key.len() == 24)
        .ok_or_else(|| no("a socket without a key"))?;
    let accept = base64(&sha1_smol::Sha1::from(format!("{key}{GUID}")).digest().bytes());
    Ok(format!(
        "HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: {accept}\r\n\r\n"
    ))
}

fn base64(bytes: &[u8]) -> String {
    const DIGITS: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let mut text = String::new();
    for chunk in bytes.chunks(3) {
        let byte = |i: usize| u32::from(chunk.get(i).copied().unwrap_or_default());
        let bits = byte(0) << 16 | byte(1) << 8 | byte(2);
        for digit in 0..4 {
            let six = (bits >> (18 - 6 * digit)) as usize & 63;
            text.push(if digit <= chunk.len() { char::from(DIGITS[six]) } else { '=' });
        }
    }
    text
}

/// The next message; what comes in pieces is put together.
pub(crate) fn receive(from: &mut impl Read) -> Result<Incoming, SocketError> {
    let broken = |code, why| Err(SocketError::Broken { code, why });
    let mut message: Option<Vec<u8>> = None;
    loop {
        let mut head = [0; 2];
        from.read_exact(&mut head)?;
        let (last, reserved, kind) = (head[0] & 0x80 != 0, head[0] & 0x70, head[0] & 0x0f);
        if reserved != 0 {
            return broken(1002, "a frame of an extension that nobody agreed on");
        }
        if head[1] & 0x80 == 0 {
            return broken(1002, "a frame that is not masked");
        }
        let length = match head[1] & 0x7f {
            126 => {
                let mut long = [0; 2];
                from.read_exact(&mut long)?;
                u64::from(u16::from_be_bytes(long))
            }
            127 => {
                let mut long = [0; 8];
                from.read_exact(&mut long)?;
                u64::from_be_bytes(long)
            }
            short => u64::from(short),
        };
        let before = message.as_ref().map_or(0, Vec::len) as u64;
        if length.saturating_add(before) > MESSAGE_MAX as u64 {
            return broken(1009, "a message that is too long");
        }
        let control = kind >= 8;
        if control && (!last || length > 125) {
            return broken(1002, "a control frame that is too long or in pieces");
        }
        let mut mask = [0; 4];
        from.read_exact(&mut mask)?;
        let mut payload = vec![0; length as usize];
        from.read_exact(&mut payload)?;
        payload.iter_mut().zip(mask.iter().cycle()).for_each(|(byte, mask)| *byte ^= mask);
        match (kind, &mut message) {
            (8, _) => return Ok(Incoming::Close),
            (9, _) => return Ok(Incoming::Ping(payload)),
            (10, _) => return Ok(Incoming::Pong),
            (1, None) => message = Some(payload),
            (0, Some(message)) => message.append(&mut payload),
            (2, None) => return broken(1003, "a message that is no text"),
            _ => return broken(1002, "a frame out of order"),
        }
        if last && let Some(message) = message.take() {
            let text = String::from_utf8(message);
            return text.map(Incoming::Text).or(broken(1007, "a message that is no UTF-8"));
        }
    }
}

/// Sends a text.
pub(crate) fn send_text(to: &mut impl Write, text: &str) -> io::Result<()> {
    send(to, 1, text.as_bytes())
}

/// Sends bytes.
pub(crate) fn send_bytes(to: &mut impl Write, bytes: &[u8]) -> io::Result<()> {
    send(to, 2, bytes)
}

/// Answers a ping.
pub(crate) fn send_pong(to: &mut impl Write, payload: &[u8]) -> io::Result<()> {
    send(to, 10, payload)
}

/// Says why this is the end.
pub(crate) fn send_close(to: &mut impl Write, code: u16, why: &str) -> io::Result<()> {
    let mut payload = code.to_be_bytes().to_vec();
    payload.extend(why.bytes().take(120));
    send(to, 8, &payload)
}

fn send(to: &mut impl Write, kind: u8, payload: &[u8]) -> io::Result<()> {
    let mut head = vec![0x80 | kind];
    match payload.len() {
        short @ 0..=125 => head.push(short as u8),
        middle @ 126..=0xffff => {
            head.push(126);
            head.extend((middle as u16).to_be_bytes());
        }
        long => {
            head.push(127);
            head.extend((long as u64).to_be_bytes());
        }
    }
    to.write_all(&head)?;
    to.write_all(payload)?;
    to.flush()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 4648, section 10.
    #[test]
    fn base64_gives_the_published_answers() {
        for (bytes, text) in
            [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foob", "Zm9vYg=="), ("foobar", "Zm9vYmFy")]
        {
            assert_eq!(base64(bytes.as_bytes()), text);
        }
    }

    /// RFC 6455, section 1.3.
    #[test]
    fn the_key_of_the_standard_is_answered_as_there() {
        let sha1 = sha1_smol::Sha1::from(format!("dGhlIHNhbXBsZSBub25jZQ=={GUID}"));
        assert_eq!(base64(&sha1.digest().bytes()), "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
    }

    /// RFC 6455, section 5.7: a masked "Hello", and the same in two pieces with a ping between.
    #[test]
    fn the_frames_of_the_standard_are_read() {
        let hello = [0x81, 0x85, 0x37, 0xfa, 0x21, 0x3d, 0x7f, 0x9f, 0x4d, 0x51, 0x58];
        assert_eq!(receive(&mut &hello[..]).expect("read"), Incoming::Text("Hello".to_owned()));
        let pieces = [0x01, 0x83, 0, 0, 0, 0, b'H', b'e', b'l', 0x80, 0x82, 0, 0, 0, 0, b'l', b'o'];
        assert_eq!(receive(&mut &pieces[..]).expect("read"), Incoming::Text("Hello".to_owned()));
        let mut sent = Vec::new();
        send_text(&mut sent, "Hello").expect("sent");
        assert_eq!(sent, [0x81, 0x05, 0x48, 0x65, 0x6c, 0x6c, 0x6f]);
    }

    #[test]
    fn what_is_not_allowed_ends_the_socket() {
        let check = |bytes: &[u8], expected: u16| match receive(&mut &bytes[..]) {
            Err(SocketError::Broken { code, .. }) => assert_eq!(code, expected, "{bytes:?}"),
            other => panic!("{other:?} for {bytes:?}"),
        };
        check(&[0x81, 0x05], 1002); // not masked
        check(&[0xc1, 0x80, 0, 0, 0, 0], 1002); // an extension
        check(&[0x81, 0xff, 0, 0, 0, 0, 0xff, 0, 0, 0], 1009);
        check(&[0x81, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff], 1009);
        check(&[0x80, 0x80, 0, 0, 0, 0], 1002); // goes on with nothing
        check(&[0x82, 0x80, 0, 0, 0, 0], 1003);
        check(&[0x81, 0x81, 0, 0, 0, 0, 0xff], 1007);
        check(&[0x09, 0x80, 0, 0, 0, 0], 1002); // a ping in pieces
        check(&[0x89, 0xfe, 0, 126], 1002); // a long ping
        assert!(matches!(receive(&mut &[0x81, 0x85, 1][..]), Err(SocketError::Cut(_))));
    }
}
