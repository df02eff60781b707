//! However a run ends, what it had flushed stays readable.

#![cfg(unix)]

mod common;
use common::{LONG, PASSERBY, expect, folder, open, seconds, shell, signal, start, texts, wait_for, write};
use std::time::{Duration, Instant};

#[test]
fn a_killed_run_keeps_all_but_the_last_second() {
    let folder = folder("killed");
    write(&folder, "long.toml", LONG);
    let mut child = start(&folder, &["run", "long.toml", "--realtime", "--out", "a.parquet"]);
    // Ten seconds from the first step, not from the start of a program that a busy machine may have to wait for.
    wait_for(&folder.join("a.parquet"), 0);
    std::thread::sleep(Duration::from_secs(10));
    child.kill().expect("SIGKILL");
    child.wait().expect("an end");
    let path = folder.join("a.parquet");
    assert!(!open(&path).complete());
    let held = seconds(&path);
    assert!((9.0..=30.0).contains(&held), "{held} s");
    expect(0, &folder, &["render", "a.parquet", "--to", "a.png"]);
    assert!(std::fs::read(folder.join("a.png")).expect("a picture").starts_with(b"\x89PNG"));
}

#[test]
fn ctrl_c_ends_cleanly() {
    let folder = folder("interrupted");
    write(&folder, "long.toml", LONG);
    let child = start(&folder, &["run", "long.toml", "--realtime", "--out", "a.parquet", "--json", "a.json"]);
    wait_for(&folder.join("a.parquet"), 0);
    std::thread::sleep(Duration::from_millis(1500));
    let asked = Instant::now();
    signal("-INT", &child);
    let output = child.wait_with_output().expect("an end");
    assert!(asked.elapsed() < Duration::from_secs(20), "{:?}", asked.elapsed());
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(130), "{out}\n{err}");
    assert!(out.contains("interrupted at") && err.is_empty(), "{out}\n{err}");
    let path = folder.join("a.parquet");
    assert!(open(&path).complete());
    let held = seconds(&path);
    assert!((0.5..60.0).contains(&held), "{held} s");
    let result: serde_json::Value =
        serde_json::from_str(&std::fs::read_to_string(folder.join("a.json")).expect("a result")).expect("JSON");
    assert_eq!(result["interrupted"].as_bool(), Some(true));
    assert!((result["sim_seconds"].as_f64().expect("seconds") - held).abs() < 0.06);
}

#[test]
fn ctrl_c_ends_a_run_that_does_not_wait() {
    let folder = folder("interrupted-fast");
    // So many that nobody could be through before the signal comes.
    write(
        &folder,
        "long.toml",
        &LONG.replace("columns = 10", "columns = 600").replace("until = 400", "until = 100000"),
    );
    let child = start(&folder, &["run", "long.toml", "--out", "a.parquet"]);
    wait_for(&folder.join("a.parquet"), 10_000);
    signal("-TERM", &child);
    let output = child.wait_with_output().expect("an end");
    assert_eq!(output.status.code(), Some(130), "{output:?}");
    assert!(open(&folder.join("a.parquet")).complete());
}

#[test]
fn realtime_is_as_slow_as_life() {
    let folder = folder("realtime");
    write(&folder, "long.toml", LONG);
    let began = Instant::now();
    expect(0, &folder, &["run", "long.toml", "--realtime", "--until", "2", "--quiet"]);
    assert!(began.elapsed() >= Duration::from_millis(1990), "{:?}", began.elapsed());
}

#[test]
fn a_full_disk_says_so() {
    let folder = folder("full");
    write(&folder, "long.toml", LONG);
    let (out, err) = expect(1, &folder, &["run", "long.toml", "--out", "/dev/full"]);
    assert!(out.is_empty(), "{out}");
    for word in ["error: the recording /dev/full", "No space left on device", "0 s of the run are safe", "--out"] {
        assert!(err.contains(word), "{word} is missing: {err}");
    }
}

#[test]
fn a_disk_that_fills_up_keeps_what_was_flushed() {
    let folder = folder("fills-up");
    write(&folder, "long.toml", LONG);
    // Files may not grow beyond 150 blocks of 1024 bytes: writes fail in the middle, as on a full disk.
    let script = format!("trap '' XFSZ; ulimit -f 150; exec '{PASSERBY}' run long.toml --out a.parquet");
    let output = shell(&folder, &script);
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(1), "{out}\n{err}");
    assert!(
        out.is_empty() && err.contains("error: the recording a.parquet cannot be written: File too large"),
        "{err}"
    );
    let path = folder.join("a.parquet");
    assert!(!open(&path).complete());
    let held = seconds(&path);
    assert!(held > 5.0, "{held} s");
    assert!(err.contains(&format!("the first {held:.2} s of the run are safe in it")), "{held} s: {err}");
    expect(0, &folder, &["render", "a.parquet", "--to", "a.png"]);
}
