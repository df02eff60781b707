//! Files that want to hurt: the real program refuses each of them with a second of processor time and 256 MB of memory.
#![cfg(target_os = "linux")]

mod common;
use common::{PASSERBY, expect, folder, write};
use std::fs::{self, File};
use std::io::Write;
use std::path::Path;
use std::process::Command;

/// Runs the program as the shell limits it: memory in kB, processor time in seconds. Gives its exit code and stderr.
fn limited(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let script = format!("ulimit -v 262144; ulimit -t 1; exec '{PASSERBY}' {arguments}");
    let output = Command::new("sh").current_dir(folder).args(["-c", &script]).output().expect("a shell");
    (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
}

#[track_caller]
fn refused(folder: &Path, name: &str, words: &str) {
    for arguments in [format!("export {name} --unit m --fps 10 --to out.csv"), format!("render {name} --to out.png")] {
        let (code, error) = limited(folder, &arguments);
        assert!(code.is_some_and(|code| (1..=2).contains(&code)), "{arguments}: {code:?}\n{error}");
        assert!(!error.contains("panicked"), "{arguments}: {error}");
        if arguments.starts_with("export") {
            assert!(error.contains(words), "{arguments}: {error}");
        }
    }
    assert!(!folder.join("out.csv").exists());
}

/// A file that begins like this and has a size of `size` bytes, the rest of them zeros that take no place on the disk.
fn sparse(folder: &Path, name: &str, beginning: &[u8], size: u64) {
    let mut file = File::create(folder.join(name)).expect("a file");
    file.write_all(beginning).expect("its beginning");
    file.set_len(size).expect("its size");
}

#[test]
fn files_of_two_gigabytes_are_refused_by_their_size_or_beginning() {
    let folder = folder("hostile-large");
    let limit = "size of the file in bytes is 2147483648; allowed: at most 1073741824";
    for (name, beginning, words) in [
        ("text.txt", &b"1 0 0.5 0.5\n"[..], limit),
        ("people.csv", b"id,frame,x,y\n1,0,0.5,0.5\n", limit),
        ("archive.h5", b"\x89HDF\r\n\x1a\n", limit),
        ("base.sqlite", b"SQLite format 3\0", limit),
        ("run.parquet", b"PAR1", "there is no whole journal record in it"),
    ] {
        sparse(&folder, name, beginning, 2 << 30);
        refused(&folder, name, words);
    }
    sparse(&folder, "zeros.txt", b"", 1 << 30);
    refused(&folder, "zeros.txt", "byte 0 of it is 0");
    sparse(&folder, "half.csv", b"id,frame,x,y\n", 1 << 30);
    refused(&folder, "half.csv", "byte 13 of it is 0");
}

/// A few people walk for some seconds.
const WALK: &str = r#"
name = "walk"
[place]
floor = [[0, 0], [60, 0], [60, 6], [0, 6]]
[[population]]
name = "walkers"
grid = { origin = [1, 2], columns = 10, rows = 3, spacing = 1 }
journey = [[59, 3]]
[run]
until = 10
"#;

#[test]
fn cut_and_damaged_runs_are_read_as_far_as_they_go() {
    let folder = folder("hostile-cut");
    write(&folder, "walk.toml", WALK);
    expect(0, &folder, &["run", "walk.toml", "--quiet", "--out", "walk.parquet"]);
    let whole = fs::read(folder.join("walk.parquet")).expect("a recording");
    for part in [2, 3, 5, 9] {
        fs::write(folder.join("cut.parquet"), &whole[..whole.len() * (part - 1) / part]).expect("a cut file");
        let (code, error) = limited(&folder, "export cut.parquet --to cut.csv");
        assert_eq!(code, Some(0), "{error}");
    }
    fs::write(folder.join("cut.parquet"), &whole[..40]).expect("a cut file");
    refused(&folder, "cut.parquet", "not a recording, or cut before its beginning was written");
    let mut damaged = whole.clone();
    let middle = damaged.len() / 2;
    damaged[middle..middle + 2000].fill(0xff);
    fs::write(folder.join("damaged.parquet"), damaged).expect("a damaged file");
    let (code, error) = limited(&folder, "export damaged.parquet --to damaged.csv");
    assert_eq!(code, Some(2), "{error}");
    assert!(error.contains("the recording is damaged at byte"), "{error}");
}
