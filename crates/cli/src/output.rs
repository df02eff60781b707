//! What goes out: text on stdout, and files that must not land on top of something else.

use crate::failure::{Failure, plain};
use anyhow::{Context, anyhow};
use std::fs;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};

/// Where recordings and pictures go when nobody says so.
pub const FOLDER: &str = "passerby-out";

/// Prints to stdout; one that was closed early is no error.
pub fn print(text: &str) -> Result<(), Failure> {
    let mut stdout = std::io::stdout().lock();
    let written = stdout.write_all(text.as_bytes()).and_then(|()| stdout.flush());
    written.map_err(|error| match error.kind() {
        ErrorKind::BrokenPipe => Failure::Unheard,
        _ => anyhow!("cannot print the result: {error}").into(),
    })
}

/// Says on stderr what may be meant otherwise, unless nothing is to be said.
pub fn warn(warnings: &[String], quiet: bool) {
    for warning in warnings.iter().filter(|_| !quiet) {
        eprintln!("warning: {}", plain(warning));
    }
}

/// Prints a result to stdout (`-`) or writes it to a file.
pub fn put(to: &Path, text: &str) -> Result<(), Failure> {
    if to == Path::new("-") {
        return print(text);
    }
    fs::write(to, text).with_context(|| format!("{} cannot be written", to.display())).map_err(Failure::Failed)
}

/// The default file of a scenario whose file is called `name`. Makes its folder.
pub fn default_file(name: &str, extension: &str) -> Result<PathBuf, Failure> {
    fs::create_dir_all(FOLDER).with_context(|| {
        format!("the folder {FOLDER} cannot be made here: nothing was recorded; choose another place with --out")
    })?;
    Ok(Path::new(FOLDER).join(format!("{}.{extension}", file_name(name))))
}

/// A name that can stand in a shell and is not hidden.
fn file_name(name: &str) -> String {
    let allowed = |c: char| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_' | '.' | '+' | ',');
    let name: String = name.chars().map(|c| if allowed(c) { c } else { '-' }).take(80).collect();
    if name.starts_with('.') { format!("-{name}") } else { name }
}

/// Refuses to write over `kept` or a folder; `option` is how the user named the path.
pub fn refuse(path: &Path, option: &str, kept: &[&Path]) -> Result<(), Failure> {
    if path.is_dir() {
        let message = format!("{option} {}: is a folder; name a file in it", path.display());
        return Err(Failure::input(message));
    }
    match kept.iter().find(|kept| same_file(path, kept)) {
        Some(kept) => Err(Failure::input(format!(
            "{option} {}: would overwrite {}; choose another name",
            path.display(),
            kept.display()
        ))),
        None => Ok(()),
    }
}

fn same_file(a: &Path, b: &Path) -> bool {
    #[cfg(unix)]
    if let (Ok(a), Ok(b)) = (a.metadata(), b.metadata()) {
        use std::os::unix::fs::MetadataExt;
        return (a.dev(), a.ino()) == (b.dev(), b.ino());
    }
    a == b || matches!((a.canonicalize(), b.canonicalize()), (Ok(a), Ok(b)) if a == b)
}

/// A number of bytes for people to read.
pub fn bytes(count: u64) -> String {
    match count {
        0..1_000 => format!("{count} bytes"),
        1_000..1_000_000 => format!("{:.1} kB", count as f64 / 1e3),
        1_000_000..1_000_000_000 => format!("{:.1} MB", count as f64 / 1e6),
        _ => format!("{:.2} GB", count as f64 / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn file_names_stay_in_their_folder() {
        for (name, expected) in [("demo", "demo"), ("a/b", "a-b"), ("../x", "-..-x"), ("Büro 1", "Büro 1"), ("", "")]
        {
            assert_eq!(file_name(name), expected, "{name}");
        }
    }

    #[test]
    fn bytes_have_a_unit() {
        assert_eq!([bytes(999), bytes(1_000), bytes(2_340_000)], ["999 bytes", "1.0 kB", "2.3 MB"]);
    }
}
