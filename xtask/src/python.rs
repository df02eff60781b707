//! The Python environment with the programs that tests and benches compare with: PedPy and JuPedSim.
//!
//! It is made in the target folder with the pins of `xtask/python.txt` and used again as long as they are the same. Suites
//! find it by the variable `PASSERBY_PYTHON`; without it their tests say that they are skipped.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use crate::command::{root, run};
use crate::suites::Outcome;
use crate::tally::Tally;

/// The variable that names the interpreter.
pub const VARIABLE: &str = "PASSERBY_PYTHON";

/// Longer than this nobody waits for packages.
const LIMIT: Duration = Duration::from_secs(15 * 60);

/// The suite: makes the environment. Where there is no Python it counts as skipped.
pub fn suite(_: Duration) -> Outcome {
    let tally = |passed, skipped| Tally { passed, failed: 0, skipped };
    match interpreter() {
        Some(_) => (tally(1, 0), Ok(())),
        None => (tally(0, 1), Ok(())),
    }
}

/// The command with the interpreter in its environment, if there is one.
pub fn with(mut command: Command) -> Command {
    if let Some(python) = interpreter() {
        command.env(VARIABLE, python);
    }
    command
}

/// The interpreter of the environment, which is made at the first call. `None`, after a line that says why: there is none.
fn interpreter() -> Option<&'static Path> {
    static MADE: OnceLock<Option<PathBuf>> = OnceLock::new();
    let made = MADE.get_or_init(|| {
        if let Some(given) = std::env::var_os(VARIABLE) {
            return Some(PathBuf::from(given));
        }
        let begun = Instant::now();
        let made = make(&folder(), &root().join("xtask/python.txt"));
        match &made {
            Ok(_) => println!("Python environment ready after {:.1} s", begun.elapsed().as_secs_f64()),
            Err(why) => println!("no Python environment, so tests that need PedPy or JuPedSim are skipped: {why}"),
        }
        made.ok()
    });
    made.as_deref()
}

/// Where the environment is.
fn folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    root().join(target).join("python")
}

/// Makes the environment, unless it is there with the same pins; its interpreter.
fn make(folder: &Path, pins: &Path) -> Result<PathBuf, String> {
    let wanted = fs::read_to_string(pins).map_err(|error| format!("{}: {error}", pins.display()))?;
    let python = folder.join(if cfg!(windows) { "Scripts/python.exe" } else { "bin/python" });
    let installed = folder.join("installed.txt");
    if fs::read_to_string(&installed).is_ok_and(|there| there == wanted) && starts(&python) {
        return Ok(python);
    }
    let system = ["python3", "python"].map(Path::new).into_iter().find(|name| starts(name));
    let system = system.ok_or("there is no `python3`")?;
    let mut create = Command::new(system);
    create.args(["-m", "venv", "--clear"]).arg(folder);
    step(create, "`python3 -m venv` failed")?;
    let mut install = Command::new(&python);
    // Wheels only: nothing is built here. What is imported is compiled below, the rest never.
    install.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--no-compile", "--no-deps"]);
    install.args(["--only-binary", ":all:", "--requirement"]).arg(pins);
    step(install, "`pip install` failed")?;
    let mut import = Command::new(&python);
    import.args(["-c", "import pedpy, jupedsim"]).env_remove("PYTHONDONTWRITEBYTECODE");
    step(import, "what was installed cannot be imported")?;
    fs::write(&installed, wanted).map_err(|error| format!("{}: {error}", installed.display()))?;
    Ok(python)
}

/// Whether this is an interpreter that runs.
fn starts(python: &Path) -> bool {
    let mut command = Command::new(python);
    command.args(["-c", ""]).stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    command.status().is_ok_and(|status| status.success())
}

fn step(command: Command, failed: &str) -> Result<(), String> {
    run(command, LIMIT).1.map_err(|why| format!("{failed}: {why}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Exact pins, each package once, and the two that everything is for.
    #[test]
    fn everything_is_pinned() {
        let text = fs::read_to_string(root().join("xtask/python.txt")).unwrap();
        let lines: Vec<&str> = text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')).collect();
        let mut names: Vec<&str> = lines.iter().map(|line| line.split_once("==").expect("an exact pin").0).collect();
        assert!(["pedpy", "jupedsim"].iter().all(|name| names.contains(name)), "{names:?}");
        let count = names.len();
        (names.sort_unstable(), names.dedup());
        assert_eq!(names.len(), count);
    }

    #[test]
    fn pins_that_are_not_there_are_told() {
        let why = make(&std::env::temp_dir().join("passerby-no-python"), Path::new("no-pins.txt"));
        assert!(why.is_err_and(|why| why.contains("no-pins.txt")));
    }
}
