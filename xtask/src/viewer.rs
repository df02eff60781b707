//! The page that `passerby view` serves, made from `viewer/` with Node, and looked at in a browser.
//!
//! Nothing here is needed to build or run Passerby: without Node the program serves a plain page of its own.

use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};
use std::time::{Duration, Instant};

use crate::command::{cargo, root, run};
use crate::packages;
use crate::suites::Outcome;
use crate::tally::Tally;

/// Longer than this nobody waits for packages.
const LIMIT: Duration = Duration::from_secs(10 * 60);
/// Node 18 is what Debian 12 has.
const NODE_MIN: u32 = 18;

/// `cargo xtask viewer`: makes the page; the next build of the program takes it in.
pub fn make(arguments: &[String]) -> Result<ExitCode, String> {
    if let Some(unknown) = arguments.first() {
        return Err(format!("`viewer` takes no `{unknown}`"));
    }
    match bundle(LIMIT) {
        Ok(()) => {
            println!(
                "the page is in crates/server/bundle: the next `cargo build --release` makes it part of the program"
            );
            Ok(ExitCode::SUCCESS)
        }
        Err(why) => {
            eprintln!("the viewer could not be made: {why}");
            Ok(ExitCode::FAILURE)
        }
    }
}

/// `cargo xtask demo`: builds what can be built and shows the demo in the browser.
pub fn demo(arguments: &[String]) -> Result<ExitCode, String> {
    match bundle(LIMIT) {
        Ok(()) => println!("the viewer is made"),
        Err(why) => println!("{why}: the demo is shown in two dimensions"),
    }
    let mut command = cargo(&["run", "--release", "--", "view"]);
    command.args(arguments);
    let ended = command.status().map_err(|error| format!("cargo cannot be started: {error}"))?;
    Ok(if ended.success() { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// The suite: types, the page, the program with it, and the page in a real browser. Where there is no Node or browser it is skipped.
pub fn suite(limit: Duration) -> Outcome {
    packages::install_for_viewer();
    let begun = Instant::now();
    let left = || limit.saturating_sub(begun.elapsed());
    if let Some(why) = node_is_missing().or_else(browser_is_missing) {
        println!("the viewer is not tested: {why}");
        return (Tally { skipped: 1, ..Tally::default() }, Ok(()));
    }
    let prepared = bundle(left())
        .and_then(|()| step(npm(&["run", "check"]), left(), "the types are not right"))
        .and_then(|()| step(cargo(&["build", "--release"]), left(), "the program cannot be built"));
    if let Err(why) = prepared {
        return (Tally::default(), Err(why));
    }
    let mut command = Command::new("node");
    command.arg("test/run.mjs").current_dir(folder()).env("PASSERBY", program());
    run(command, left())
}

/// Photographs the page into a folder.
pub fn pictures(folder: &Path) -> Result<(), String> {
    packages::install_for_viewer();
    if let Some(why) = node_is_missing().or_else(browser_is_missing) {
        return Err(why);
    }
    bundle(LIMIT)?;
    step(cargo(&["build", "--release"]), LIMIT, "the program cannot be built")?;
    let mut command = Command::new("node");
    command.arg("test/figures.mjs").arg(folder).current_dir(self::folder()).env("PASSERBY", program());
    step(command, LIMIT, "the page cannot be photographed")
}

/// Installs what `viewer/package-lock.json` names and bundles the page.
fn bundle(limit: Duration) -> Result<(), String> {
    if let Some(why) = node_is_missing() {
        return Err(why);
    }
    let begun = Instant::now();
    if !is_installed() {
        step(npm(&["ci", "--no-audit", "--no-fund", "--loglevel", "error"]), limit, "`npm ci` failed")?;
    }
    step(npm(&["run", "--silent", "build"]), limit.saturating_sub(begun.elapsed()), "the page cannot be bundled")
}

fn step(command: Command, limit: Duration, failed: &str) -> Result<(), String> {
    run(command, limit).1.map_err(|why| format!("{failed}: {why}"))
}

fn folder() -> PathBuf {
    root().join("viewer")
}

/// Where `cargo build --release` puts the program.
fn program() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    root().join(target).join("release").join(if cfg!(windows) { "passerby.exe" } else { "passerby" })
}

/// Whether npm has installed what the lock file names: it leaves a copy of it, and touches it last.
fn is_installed() -> bool {
    let changed = |path: &str| folder().join(path).metadata().and_then(|about| about.modified()).ok();
    matches!((changed("node_modules/.package-lock.json"), changed("package-lock.json")), (Some(there), Some(wanted)) if there >= wanted)
}

fn npm(arguments: &[&str]) -> Command {
    let mut command = Command::new(if cfg!(windows) { "npm.cmd" } else { "npm" });
    command.args(arguments).current_dir(folder());
    command
}

fn node_is_missing() -> Option<String> {
    let said = Command::new("node").arg("--version").stderr(Stdio::null()).output();
    let Ok(said) = said else { return Some("there is no `node`".to_owned()) };
    let version = String::from_utf8_lossy(&said.stdout).trim().to_owned();
    match major(&version) {
        Some(major) if major >= NODE_MIN => None,
        _ => Some(format!("`node` is {version}, and {NODE_MIN} or newer is needed")),
    }
}

/// 18 of v18.19.0.
fn major(version: &str) -> Option<u32> {
    version.strip_prefix('v')?.split('.').next()?.parse().ok()
}

fn browser_is_missing() -> Option<String> {
    let browser = std::env::var_os("CHROMIUM").map_or_else(|| PathBuf::from("/usr/bin/chromium"), PathBuf::from);
    (!browser.exists()).then(|| format!("there is no {}; CHROMIUM names another browser", browser.display()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn versions_of_node_are_read() {
        assert_eq!(major("v18.19.0"), Some(18));
        assert_eq!(major("v20"), Some(20));
        assert_eq!(major("20.1.0"), None);
        assert_eq!(major(""), None);
    }

    /// Whoever clones this installs from their own registry: the lock file names none.
    #[test]
    fn the_lock_file_names_no_registry() {
        let text = std::fs::read_to_string(folder().join("package-lock.json")).unwrap();
        assert!(text.contains("\"integrity\"") && !text.contains("\"resolved\""));
    }
}
