//! Runs the real binary in folders of its own.

#![allow(dead_code)] // every test file is a program of its own and uses some of this

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

/// The binary under test.
pub const PASSERBY: &str = env!("CARGO_BIN_EXE_passerby");

/// An empty folder for one test.
pub fn folder(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).expect("a folder");
    path
}

/// The program with arguments, to be started in a folder.
pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(PASSERBY);
    command.current_dir(folder).args(arguments).stdin(Stdio::null());
    command
}

/// Runs the program to its end.
pub fn passerby(folder: &Path, arguments: &[&str]) -> Output {
    command(folder, arguments).output().expect("the program starts")
}

/// Runs the program; fails unless it ends with `code`. Gives stdout and stderr.
#[track_caller]
pub fn expect(code: i32, folder: &Path, arguments: &[&str]) -> (String, String) {
    let output = passerby(folder, arguments);
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(code), "{arguments:?}\n{out}\n{err}");
    (out, err)
}

/// What a shell makes of a script, of which the last line runs the program: for limits and pipes.
#[cfg(unix)]
pub fn shell(folder: &Path, script: &str) -> Output {
    Command::new("bash").current_dir(folder).args(["-c", script]).stdin(Stdio::null()).output().expect("bash")
}

/// Sends a signal, such as `-INT`.
#[cfg(unix)]
pub fn signal(name: &str, child: &Child) {
    let sent = Command::new("kill").args([name, &child.id().to_string()]).status().expect("kill");
    assert!(sent.success());
}

/// What a program said.
pub fn texts(output: &Output) -> (String, String) {
    let text = |bytes: &[u8]| String::from_utf8(bytes.to_vec()).expect("UTF-8");
    (text(&output.stdout), text(&output.stderr))
}

/// Starts the program and leaves it running.
pub fn start(folder: &Path, arguments: &[&str]) -> Child {
    command(folder, arguments).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("the program starts")
}

/// Waits until the file has more than `size` bytes.
#[track_caller]
pub fn wait_for(path: &Path, size: u64) {
    let start = Instant::now();
    while path.metadata().map_or(0, |metadata| metadata.len()) <= size {
        assert!(start.elapsed() < Duration::from_secs(60), "{} does not grow", path.display());
        std::thread::sleep(Duration::from_millis(20));
    }
}

/// Writes a text into a file of the folder.
pub fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("a file");
}

/// Somebody walks for 400 s; nobody arrives before.
pub const LONG: &str = r#"
name = "long"
[place]
floor = [[0, 0], [700, 0], [700, 4], [0, 4]]
[[population]]
name = "walkers"
grid = { origin = [1, 1], columns = 10, rows = 3, spacing = 1 }
journey = [[690, 2]]
[run]
until = 400
"#;

/// Opens a recording.
#[track_caller]
pub fn open(path: &Path) -> passerby::record::Recording {
    let file = std::fs::File::open(path).expect("a recording");
    passerby::record::Recording::open(file).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Seconds from the first to the last frame of a recording; all frames are read.
#[track_caller]
pub fn seconds(path: &Path) -> f64 {
    let recording = open(path);
    let (first, last) = recording.ticks().expect("frames");
    let mut frames = 0;
    let read = recording.frames(first, last, &mut |frame| {
        assert!(!frame.id.is_empty() && frame.x.iter().all(|x| x.is_finite()));
        frames += 1;
        std::ops::ControlFlow::Continue(())
    });
    read.expect("all frames can be read");
    assert_eq!(frames, recording.frame_count());
    f64::from(last - first) * recording.header().tick
}

/// Whether the program runs as root, who may write everywhere.
pub fn is_root() -> bool {
    let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
    status.lines().any(|line| line.starts_with("Uid:\t0\t"))
}

/// `PASSERBY_DATA`, or `../shared/data` beside the project, and the interpreter with PedPy; without them the test says so.
pub fn data_and_python() -> Option<(PathBuf, std::ffi::OsString)> {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("PASSERBY_DATA").map_or_else(beside, PathBuf::from).join("trajectories");
    if !data.is_dir() {
        println!("skipped: there is no {}", data.display());
        return None;
    }
    let Some(python) = std::env::var_os("PASSERBY_PYTHON") else {
        println!("skipped: PASSERBY_PYTHON is not set; `cargo xtask test` makes the environment it names");
        return None;
    };
    Some((data.canonicalize().expect("a folder"), python))
}
