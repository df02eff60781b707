//! The first command of the README, in an empty folder: does it leave a recording and a picture?

use std::path::Path;
use std::time::Duration;

use crate::command::{cargo, root, run as run_command};
use crate::suites::Outcome;

/// A recording is a Parquet file, a picture a PNG: how they begin.
const EXPECTED: [(&str, &[u8]); 2] = [("recording", b"PAR1"), ("picture", b"\x89PNG\r\n\x1a\n")];

/// Runs the demo in a folder of its own and looks at what it left.
pub fn run(limit: Duration) -> Outcome {
    let folder = std::env::temp_dir().join(format!("passerby-first-run-{}", std::process::id()));
    if let Err(error) = std::fs::create_dir_all(&folder) {
        return (Default::default(), Err(format!("{}: {error}", folder.display())));
    }
    let manifest = root().join("Cargo.toml");
    let mut command = cargo(&["run", "--release", "--manifest-path"]);
    command.arg(manifest).current_dir(&folder);
    let (tally, end) = run_command(command, limit);
    let outcome = end.and_then(|()| everything_in(&folder.join("passerby-out")));
    let _ = std::fs::remove_dir_all(&folder); // what is left in a temporary folder harms nobody
    (tally, outcome)
}

/// Each kind of file is there.
fn everything_in(folder: &Path) -> Result<(), String> {
    let entries = std::fs::read_dir(folder).map_err(|error| format!("passerby-out: {error}"))?;
    let files: Vec<Vec<u8>> = entries.flatten().filter_map(|entry| std::fs::read(entry.path()).ok()).collect();
    for (kind, beginning) in EXPECTED {
        if !files.iter().any(|bytes| bytes.len() > beginning.len() && bytes.starts_with(beginning)) {
            return Err(format!("no {kind} in passerby-out"));
        }
    }
    Ok(())
}
