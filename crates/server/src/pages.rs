//! The files that are served, all of them part of the program.

include!(concat!(env!("OUT_DIR"), "/bundle.rs"));

/// The page without a bundle: from above, on a plain canvas.
const FLAT: &[u8] = include_bytes!("../page/flat.html");

/// Whether the program was built with the viewer in three dimensions.
pub(crate) const HAS_BUNDLE: bool = !BUNDLE.is_empty();

/// A file by its path, with its kind; `None` if there is no such file.
pub(crate) fn file(path: &str) -> Option<(&'static str, &'static [u8])> {
    let bundled = |name: &str| BUNDLE.iter().find(|(other, _)| *other == name).map(|(_, bytes)| *bytes);
    let bytes = match path {
        "/" => bundled("index.html").unwrap_or(FLAT),
        "/flat" => FLAT,
        "/flat.js" => include_bytes!("../page/flat.js"),
        "/frames.js" => include_bytes!("../page/frames.js"),
        other => bundled(other.strip_prefix('/')?)?,
    };
    Some((kind(path), bytes))
}

/// Whether only those who know the token get it: pages do, what they are made of is no secret.
pub(crate) fn needs_token(path: &str) -> bool {
    matches!(path, "/" | "/flat")
}

fn kind(path: &str) -> &'static str {
    match path.rsplit_once('.').map(|(_, ending)| ending) {
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        _ => "text/html; charset=utf-8",
    }
}
