//! Files that want to hurt: the real program refuses each of them with a second of processor time and 256 MB of memory.
#![cfg(target_os = "linux")]

mod common;
use common::{PASSERBY, expect, folder, shell, texts, write};
use std::fs::{self, File};
use std::io::{BufWriter, Write};
use std::path::Path;

/// Runs the program with a second of processor time. Gives its exit code and stderr.
fn limited(folder: &Path, arguments: &str) -> (Option<i32>, String) {
    limited_to(1, folder, arguments)
}

/// Runs the program as the shell limits it: 256 MB of memory, and so many seconds of processor time.
fn limited_to(seconds: u32, folder: &Path, arguments: &str) -> (Option<i32>, String) {
    let output =
        shell(folder, &format!("ulimit -v 262144; ulimit -t {seconds}; TMPDIR=. exec '{PASSERBY}' {arguments}"));
    (output.status.code(), texts(&output).1)
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

/// 284 MB of rows, frame by frame or person by person, of which only the last is wrong.
fn write_late_broken(path: &Path, header: &str, separator: char, by_frame: bool) {
    const PEOPLE: u32 = 900;
    const FRAMES: u32 = 10_000; // nine million rows
    let mut file = BufWriter::with_capacity(1 << 20, File::create(path).expect("a file"));
    write!(file, "{header}").expect("its beginning");
    for outer in 0..if by_frame { FRAMES } else { PEOPLE } {
        for inner in 0..if by_frame { PEOPLE } else { FRAMES } {
            let (id, frame) = if by_frame { (inner, outer) } else { (outer, inner) };
            let (x, y) = (frame * 7 + id * 31, id * 1000);
            let cells = [id, frame, x].map(|cell| format!("{cell}{separator}")).concat();
            writeln!(file, "{cells}{y}.000000125").expect("a row");
        }
    }
    writeln!(file, "5{separator}{FRAMES}{separator}NaN{separator}0").expect("a row");
    file.flush().expect("all of it");
}

/// A row is read in some hundred nanoseconds, so nine million of them take about a second, and no more memory than few.
#[test]
fn large_texts_that_break_off_late_are_refused_in_little_memory() {
    let folder = folder("hostile-late");
    for (name, header, separator, by_frame) in
        [("people.txt", "# framerate: 10\n# x/cm\n", ' ', false), ("people.csv", "id,frame,x_cm,y_cm\n", ',', true)]
    {
        write_late_broken(&folder.join(name), header, separator, by_frame);
        let size = fs::metadata(folder.join(name)).expect("a file").len();
        assert!(size > 256 << 20, "{size} bytes");
        let (code, error) = limited_to(30, &folder, &format!("export {name} --fps 10 --to out.parquet"));
        assert_eq!(code, Some(2), "{error}");
        assert!(error.contains("x is `NaN`") && error.contains("line 900000"), "{error}");
        fs::remove_file(folder.join(name)).expect("removed");
    }
    let left: Vec<_> = fs::read_dir(&folder).expect("a folder").flatten().map(|entry| entry.file_name()).collect();
    assert!(left.is_empty(), "{left:?}");
}

/// A file of others that is larger than what is held at once becomes a recording in little memory.
#[test]
fn large_texts_become_recordings_in_little_memory() {
    let folder = folder("hostile-valid");
    let mut file = BufWriter::new(File::create(folder.join("people.txt")).expect("a file"));
    writeln!(file, "# framerate: 10\n# x/m").expect("its beginning");
    // Sorted by person, all of them there all the time: every part of the file has something of every second.
    for id in 0..1000_u32 {
        for frame in 0..2500_u32 {
            writeln!(file, "{id} {frame} {}.5 {id}", frame / 8 + id).expect("a row");
        }
    }
    drop(file);
    let (code, error) = limited_to(60, &folder, "export people.txt --to people.parquet");
    assert_eq!(code, Some(0), "{error}");
    let recording = common::open(&folder.join("people.parquet"));
    assert_eq!((recording.people().len(), recording.frame_count()), (1000, 2500));
    for tick in [0, 777, 2499] {
        let frame = recording.frame_at(tick).expect("readable").expect("a frame");
        let expected: Vec<f64> = (0..1000).map(|id| f64::from(tick / 8 + id) + 0.5).collect();
        assert!(frame.id.iter().copied().eq(0..1000) && frame.x == expected, "tick {tick}");
    }
}
