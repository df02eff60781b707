//! A program that is run with a limit on its time, its output shown and counted while it runs.

use std::io::{BufRead, BufReader, PipeReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::time::{Duration, Instant};

use crate::tally::Tally;

/// The folder of the workspace.
pub fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace")
}

/// Cargo in the workspace's folder, always with the same target folder.
pub fn cargo(arguments: &[&str]) -> Command {
    let program = std::env::var_os("CARGO").unwrap_or_else(|| "cargo".into());
    let mut command = Command::new(program);
    command.args(arguments).current_dir(root());
    if let Some(target) = std::env::var_os("CARGO_TARGET_DIR") {
        command.env("CARGO_TARGET_DIR", root().join(PathBuf::from(target))); // a relative one depends on the folder
    }
    command
}

/// Whether `cargo NAME` is installed.
pub fn has_cargo_command(name: &str) -> bool {
    let asked = cargo(&[name, "--version"]).stdout(Stdio::null()).stderr(Stdio::null()).status();
    asked.is_ok_and(|status| status.success())
}

/// Runs a program to its end, or to its limit, and counts the tests it reports.
///
/// `Err` says why it counts as failed; the tally is what was seen until then.
pub fn run(mut command: Command, limit: Duration) -> (Tally, Result<(), String>) {
    println!("$ {}", shown(&command));
    let deadline = Instant::now() + limit;
    let (mut child, lines) = match start(&mut command) {
        Ok(started) => started,
        Err(error) => return (Tally::default(), Err(format!("cannot be started: {error}"))),
    };
    drop(command); // it holds the pipe's other end
    let mut tally = Tally::default();
    loop {
        match lines.recv_timeout(deadline.saturating_duration_since(Instant::now())) {
            Ok(line) => {
                println!("{line}");
                tally.read(&line);
            }
            Err(RecvTimeoutError::Disconnected) => break,
            Err(RecvTimeoutError::Timeout) => {
                stop(&mut child);
                return (tally, Err(format!("stopped after {} s, its limit", limit.as_secs())));
            }
        }
    }
    let end = match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(error.to_string()),
    };
    (tally, end)
}

/// The command as one would type it.
fn shown(command: &Command) -> String {
    let program = Path::new(command.get_program()).file_stem().unwrap_or(command.get_program());
    let words = std::iter::once(program).chain(command.get_args());
    words.map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
}

/// Starts a program, both of its outputs in one pipe so that their order is kept.
fn start(command: &mut Command) -> std::io::Result<(Child, Receiver<String>)> {
    let (output, input) = std::io::pipe()?;
    command.stdin(Stdio::null()).stdout(input.try_clone()?).stderr(input);
    let child = command.spawn()?;
    Ok((child, lines(output)))
}

/// The lines of a pipe. The channel closes when everybody who could write to the pipe has ended.
fn lines(output: PipeReader) -> Receiver<String> {
    let (sender, receiver) = channel();
    std::thread::spawn(move || {
        for line in BufReader::new(output).split(b'\n').map_while(Result::ok) {
            if sender.send(String::from_utf8_lossy(&line).trim_end().to_owned()).is_err() {
                break;
            }
        }
    });
    receiver
}

/// Kills a program and all it has started: cargo's own end would leave its tests running.
fn stop(child: &mut Child) {
    let mut family = vec![child.id()];
    let mut next = 0;
    while next < family.len() {
        // Held first, or it could start another one after we have looked.
        signal("STOP", &family[next..=next]);
        family.extend(children(family[next]));
        next += 1;
    }
    signal("KILL", &family);
    let _ = child.kill();
    let _ = child.wait();
}

fn signal(name: &str, processes: &[u32]) {
    if cfg!(unix) {
        let ids = processes.iter().map(u32::to_string).collect::<Vec<_>>().join(" ");
        // `kill` is built into every shell, a program of that name is not everywhere.
        let _ = Command::new("sh").args(["-c", &format!("kill -{name} {ids}")]).stderr(Stdio::null()).status();
    }
}

/// Processes started by this one, where `/proc` tells.
fn children(process: u32) -> Vec<u32> {
    let tasks = std::fs::read_dir(format!("/proc/{process}/task")).into_iter().flatten().flatten();
    let lists = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("children")).ok());
    lists.flat_map(|list| list.split_whitespace().filter_map(|id| id.parse().ok()).collect::<Vec<_>>()).collect()
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    fn shell(script: &str) -> Command {
        let mut command = Command::new("sh");
        command.args(["-c", script]);
        command
    }

    #[test]
    fn output_is_counted_and_the_end_is_told() {
        let script = "echo 'test result: ok. 3 passed; 0 failed; 1 ignored'; echo more >&2";
        let (tally, end) = run(shell(script), Duration::from_secs(60));
        assert_eq!((tally, end), (Tally { passed: 3, failed: 0, skipped: 1 }, Ok(())));
        let (_, end) = run(shell("exit 3"), Duration::from_secs(60));
        assert!(end.is_err_and(|why| why.contains('3')));
    }

    #[test]
    fn a_program_past_its_limit_is_stopped() {
        let (_, end) = run(shell("sleep 1000"), Duration::from_millis(100));
        assert!(end.is_err_and(|why| why.contains("limit")));
    }

    #[test]
    fn what_a_stopped_program_has_started_ends_too() {
        let (mut child, lines) = start(&mut shell("sleep 1000 & echo started; sleep 1000")).unwrap();
        assert_eq!(lines.recv_timeout(Duration::from_secs(60)).as_deref(), Ok("started"));
        stop(&mut child);
        // Both hold the pipe: it closes when the last of them is gone.
        assert_eq!(lines.recv_timeout(Duration::from_secs(60)), Err(RecvTimeoutError::Disconnected));
    }
}
