//! `cargo xtask fuzz`: inputs that are led by the code they reach, for every reader of other people's files.
//!
//! The programs of `fuzz/` are built by the nightly compiler with libFuzzer's counters and the address sanitizer, which also
//! sees single allocations that are too large. All that is made stays in the target folder.

use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode, Stdio};

use crate::command::root;
use crate::fuzz_targets::{ALL, INPUT_MAX, Target, dictionary, seed};

/// Longest time for one input, seconds.
const TIMEOUT: u32 = 10;
/// Most memory, megabytes; the sanitizer's own is part of it.
const MEMORY_MB: u32 = 512;

/// What libFuzzer needs to see which way an input took.
const FLAGS: &[&str] = &[
    "-Cpasses=sancov-module",
    "-Cllvm-args=-sanitizer-coverage-level=4",
    "-Cllvm-args=-sanitizer-coverage-inline-8bit-counters",
    "-Cllvm-args=-sanitizer-coverage-pc-table",
    "-Cllvm-args=-sanitizer-coverage-trace-compares",
    "-Ccodegen-units=1",
    "-Zsanitizer=address",
    "--cfg=fuzzing",
];

/// What to fuzz, and for how long.
struct Choice {
    targets: Vec<&'static Target>,
    seconds: u32,
}

impl Choice {
    /// Reads the arguments behind `fuzz`.
    fn parse(arguments: &[String]) -> Result<Choice, String> {
        let mut choice = Choice { targets: Vec::new(), seconds: 60 };
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            if word == "--seconds" {
                let seconds = words.next().and_then(|word| word.parse().ok()).filter(|seconds| *seconds > 0);
                choice.seconds = seconds.ok_or("`--seconds` needs a whole number, at least 1")?;
            } else if let Some(target) = ALL.iter().find(|target| target.name == *word) {
                choice.targets.push(target);
            } else {
                let names: Vec<&str> = ALL.iter().map(|target| target.name).collect();
                return Err(format!("there is no fuzz target `{word}`; there are {}", names.join(", ")));
            }
        }
        if choice.targets.is_empty() {
            choice.targets = ALL.iter().collect();
        }
        Ok(choice)
    }
}

/// Runs the targets one after another, all of them even when one has a finding. `Err` says what is wrong with the arguments.
pub fn run(arguments: &[String]) -> Result<ExitCode, String> {
    let Choice { targets, seconds } = Choice::parse(arguments)?;
    let done = build(&targets).and_then(|programs| {
        let outcomes = targets.iter().map(|target| Ok((target.name, fuzz(target, &programs, seconds)?)));
        outcomes.collect::<Result<Vec<_>, String>>()
    });
    let outcomes = match done {
        Ok(outcomes) => outcomes,
        Err(why) => {
            eprintln!("nothing was fuzzed: {why}");
            return Ok(ExitCode::FAILURE);
        }
    };
    println!("\n{:<12} {:>9} {:>7}  finding", "target", "runs", "edges");
    for (name, Outcome { runs, edges, finding }) in &outcomes {
        println!("{name:<12} {runs:>9} {edges:>7}  {}", finding.as_ref().map_or("none", |(what, _)| what));
    }
    for (name, Outcome { finding, .. }) in &outcomes {
        if let Some((_, repeat)) = finding {
            println!("\n{name}, again: {repeat}");
        }
    }
    let good = outcomes.iter().all(|(_, outcome)| outcome.finding.is_none());
    Ok(if good { ExitCode::SUCCESS } else { ExitCode::FAILURE })
}

/// Everything that is made goes here.
fn folder() -> PathBuf {
    let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| PathBuf::from("target"), PathBuf::from);
    root().join(target).join("fuzz")
}

/// The nightly compiler's cargo or rustc: `cargo +nightly` only works where cargo is rustup's.
fn nightly(program: &str) -> Command {
    let mut command = Command::new("rustup");
    command.args(["run", "nightly", program]).env_remove("RUSTC").env_remove("RUSTFLAGS");
    command
}

/// Builds the targets; the folder of their programs.
fn build(targets: &[&Target]) -> Result<PathBuf, String> {
    let missing = "there is no nightly compiler; `rustup toolchain install nightly` brings it (https://rustup.rs)";
    let version = nightly("rustc").arg("-vV").stderr(Stdio::null()).output().map_err(|_| missing.to_owned())?;
    let version = String::from_utf8_lossy(&version.stdout).into_owned();
    let host = version.lines().find_map(|line| line.strip_prefix("host: ")).ok_or(missing)?;
    let mut command = nightly("cargo");
    // With `--target` the flags are for the programs alone, not for what is run while they are built.
    // Not `--locked`: the lock file follows when a crate of the workspace gets another dependency.
    command.args(["build", "--release", "--target", host, "--manifest-path"]);
    command.arg(root().join("fuzz/Cargo.toml")).arg("--target-dir").arg(folder());
    command.args(targets.iter().flat_map(|target| ["--bin", target.name]));
    let status = command.env("RUSTFLAGS", FLAGS.join(" ")).status().map_err(|error| error.to_string())?;
    if status.success() { Ok(folder().join(host).join("release")) } else { Err("the targets cannot be built".into()) }
}

/// What became of a target.
struct Outcome {
    runs: u64,
    edges: u64,
    /// What was found, and how to see it again.
    finding: Option<(String, String)>,
}

/// Runs one target.
fn fuzz(target: &Target, programs: &Path, seconds: u32) -> Result<Outcome, String> {
    let folder = folder().join(target.name);
    let told = |error: std::io::Error| format!("{}: {error}", folder.display());
    let [corpus, seeds, findings] = ["corpus", "seeds", "findings"].map(|name| folder.join(name));
    [&corpus, &findings].into_iter().try_for_each(fs::create_dir_all).map_err(told)?;
    seed(target, &seeds).map_err(told)?;
    let words = folder.join("words.txt");
    fs::write(&words, dictionary(target)).map_err(told)?;
    let log = folder.join("log.txt");
    println!("fuzzing {} for {seconds} s, log in {}", target.name, log.display());

    let program = programs.join(target.name);
    let mut command = Command::new(&program);
    command.args([
        format!("-max_total_time={seconds}"),
        format!("-max_len={INPUT_MAX}"),
        format!("-timeout={TIMEOUT}"),
    ]);
    command.arg(format!("-rss_limit_mb={MEMORY_MB}")).arg("-print_final_stats=1");
    command.arg(format!("-artifact_prefix={}/", findings.display())).arg(format!("-dict={}", words.display()));
    // What is new goes into the first folder. Old findings are tried again with the rest: they have to be mended.
    command.args([&corpus, &seeds, &findings]);
    // Freed memory is held back to catch its use; little of it, because it counts as ours.
    command.env("ASAN_OPTIONS", "quarantine_size_mb=16").env("RUST_BACKTRACE", "1");
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(File::create(&log).map_err(told)?);
    let status = command.status().map_err(|error| format!("{}: {error}", program.display()))?;
    let text = String::from_utf8_lossy(&fs::read(&log).map_err(told)?).into_owned();
    let mut outcome = read(&text);
    if !status.success() {
        let what = outcome.finding.map_or_else(|| status.to_string(), |(what, _)| what);
        let input = text.lines().find_map(|line| line.split_once("Test unit written to ")).map(|(_, file)| file);
        let input = input.map_or_else(|| format!("see {}", log.display()), str::to_owned);
        outcome.finding = Some((what, format!("{} {input}", program.display())));
    } else {
        outcome.finding = None;
    }
    Ok(outcome)
}

/// The figures in libFuzzer's log, and the line of it that tells best what was found.
fn read(log: &str) -> Outcome {
    let number = |line: &str, before: &str| {
        let rest = line.split_once(before)?.1.trim_start();
        rest[..rest.find(|c: char| !c.is_ascii_digit()).unwrap_or(rest.len())].parse::<u64>().ok()
    };
    let edges = log.lines().rev().find_map(|line| number(line, " cov: ")).unwrap_or(0);
    let runs = log.lines().rev().find_map(|line| {
        number(line, "stat::number_of_executed_units:")
            .or_else(|| line.strip_prefix('#').and_then(|line| number(line, "")))
    });
    let telling = |mark: &str| log.lines().find(|line| line.contains(mark));
    let finding = telling("panicked at").or_else(|| telling("ERROR: ")).map(|line| (line.to_owned(), String::new()));
    Outcome { runs: runs.unwrap_or(0), edges, finding }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn arguments_name_targets_and_seconds() {
        let parse = |line: &str| {
            let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
            Choice::parse(&words)
                .map(|choice| (choice.targets.iter().map(|t| t.name).collect::<Vec<_>>(), choice.seconds))
        };
        assert_eq!(parse("").map(|(names, seconds)| (names.len(), seconds)), Ok((ALL.len(), 60)));
        assert_eq!(parse("dxf --seconds 5 osm"), Ok((vec!["dxf", "osm"], 5)));
        assert!(parse("dwg").is_err_and(|why| why.contains("`dwg`") && why.contains("vadere")));
        assert!(parse("--seconds").is_err() && parse("--seconds 0").is_err());
    }

    #[test]
    fn figures_are_read_from_the_log() {
        let log = "#2\tINITED cov: 900 ft: 901 corp: 1/104b\n#65\tNEW    cov: 933 ft: 950\n#80\tDONE   cov: 935 ft: 951\n\
                   Done 80 runs in 2 second(s)\nstat::number_of_executed_units: 81\nstat::peak_rss_mb: 100\n";
        let Outcome { runs, edges, finding } = read(log);
        assert_eq!((runs, edges, finding), (81, 935, None));
        let log =
            "#65\tNEW    cov: 933 ft: 950\nthread 'main' panicked at src/a.rs:3:4:\nERROR: libFuzzer: deadly signal\n";
        let Outcome { runs, edges, finding } = read(log);
        assert_eq!((runs, edges), (65, 933));
        assert!(finding.is_some_and(|(what, _)| what.contains("src/a.rs:3:4")));
    }
}
