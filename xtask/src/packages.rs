//! Programs of the system that tests use, installed before they run where that is possible.

use std::process::{Command, Stdio};
use std::time::Duration;

use crate::command::run;

/// A program, and the Debian package it is in.
type Needed = (&'static str, &'static str);
const FILMS: &[Needed] = &[("ffmpeg", "ffmpeg"), ("ffprobe", "ffmpeg")];
const VIEWER: &[Needed] = &[("node", "nodejs"), ("npm", "npm"), ("chromium", "chromium")];

/// What makes and reads films.
pub fn install_for_films() {
    install(FILMS);
}

/// What makes the viewer's page and looks at it.
pub fn install_for_viewer() {
    install(VIEWER);
}

/// Installs what is missing if this is root on Debian; otherwise says what to install. A test whose program is missing says
/// that it is skipped, so nothing here fails.
fn install(needed: &[Needed]) {
    let missing = missing(needed, |program| {
        Command::new(program).arg("-version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok()
    });
    if missing.is_empty() {
        return;
    }
    if !is_root() || Command::new("apt-get").arg("--version").stdout(Stdio::null()).status().is_err() {
        println!("some tests will be skipped; they need: apt-get install {}", missing.join(" "));
        return;
    }
    let get = |arguments: &[&str]| {
        let mut command = Command::new("apt-get");
        command.args(arguments).env("DEBIAN_FRONTEND", "noninteractive");
        run(command, Duration::from_secs(600)).1
    };
    let install = [&["install", "-y", "--no-install-recommends"], &missing[..]].concat();
    if let Err(why) = get(&["update"]).and_then(|()| get(&install)) {
        println!("{} could not be installed ({why}): some tests will be skipped", missing.join(" "));
    }
}

/// Packages whose programs are not there, each once.
fn missing(needed: &[Needed], is_there: impl Fn(&str) -> bool) -> Vec<&'static str> {
    let mut missing: Vec<&str> =
        needed.iter().filter(|(program, _)| !is_there(program)).map(|(_, package)| *package).collect();
    missing.dedup();
    missing
}

fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().any(|line| line.starts_with("Uid:\t0\t"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_package_is_asked_for_once() {
        assert_eq!(missing(FILMS, |_| false), ["ffmpeg"]);
        assert_eq!(missing(VIEWER, |program| program == "node"), ["npm", "chromium"]);
        assert_eq!(missing(FILMS, |program| program == "ffmpeg"), ["ffmpeg"]);
        assert!(missing(FILMS, |_| true).is_empty());
    }
}
