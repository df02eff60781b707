//! `cargo xtask test`: the suites one after another, each with its seconds, and a table at the end.

use std::process::ExitCode;
use std::time::{Duration, Instant};

use crate::suites::{ALL, Suite};
use crate::tally::Tally;

/// Which suites to run.
#[derive(Debug, PartialEq, Eq)]
pub enum Choice {
    /// All but the long ones.
    Usual,
    /// All.
    Long,
    /// The one of this name.
    One(&'static str),
}

impl Choice {
    /// Reads the arguments behind `test`.
    pub fn parse(arguments: &[String]) -> Result<Choice, String> {
        let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
        match words[..] {
            [] => Ok(Choice::Usual),
            ["--long"] => Ok(Choice::Long),
            ["--suite", name] => match ALL.iter().find(|suite| suite.name == name) {
                Some(suite) => Ok(Choice::One(suite.name)),
                None => Err(format!("there is no suite `{name}`")),
            },
            _ => Err(format!("`test {}` is not understood", words.join(" "))),
        }
    }

    fn includes(&self, suite: &Suite) -> bool {
        match self {
            Choice::Usual => !suite.long,
            Choice::Long => true,
            Choice::One(name) => suite.name == *name,
        }
    }
}

/// One line of the table.
struct Row {
    name: &'static str,
    seconds: f64,
    tally: Tally,
    end: Result<(), String>,
}

/// Runs the suites, all of them even when one fails.
pub fn run(choice: &Choice) -> ExitCode {
    let rows: Vec<Row> = ALL.iter().filter(|suite| choice.includes(suite)).map(run_one).collect();
    println!("\n{:<15} {:>8}  {:>6} {:>6} {:>7}", "suite", "seconds", "passed", "failed", "skipped");
    let mut total = Tally::default();
    for Row { name, seconds, tally, end } in &rows {
        let Tally { passed, failed, skipped } = tally;
        let why = end.as_ref().err().map_or(String::new(), |why| format!("  FAILED: {why}"));
        println!("{name:<15} {seconds:>8.1}  {passed:>6} {failed:>6} {skipped:>7}{why}");
        total.add(*tally);
    }
    let seconds: f64 = rows.iter().map(|row| row.seconds).sum();
    println!("\n{} passed, {} failed, {} skipped in {seconds:.0} s", total.passed, total.failed, total.skipped);
    if total.failed == 0 { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_one(suite: &Suite) -> Row {
    println!("\n== {}: {}", suite.name, suite.about);
    let begun = Instant::now();
    let (tally, end) = (suite.run)(Duration::from_secs(60 * suite.minutes));
    let seconds = begun.elapsed().as_secs_f64();
    let word = if end.is_ok() { "passed" } else { "FAILED" };
    println!("== {} {word} after {seconds:.1} s", suite.name);
    Row { name: suite.name, seconds, tally: with_itself(tally, end.is_ok()), end }
}

/// A suite that counts no tests is one itself, and one that failed has at least one failure.
fn with_itself(tally: Tally, good: bool) -> Tally {
    match (good, tally) {
        (true, Tally { passed: 0, failed: 0, skipped: 0 }) => Tally { passed: 1, ..tally },
        (false, Tally { failed: 0, .. }) => Tally { failed: 1, ..tally },
        _ => tally,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, expected: Option<Choice>) {
        let words: Vec<String> = line.split_whitespace().map(str::to_owned).collect();
        assert_eq!(Choice::parse(&words).ok(), expected, "{line}");
    }

    #[test]
    fn arguments_are_understood() {
        check("", Some(Choice::Usual));
        check("--long", Some(Choice::Long));
        check("--suite clippy", Some(Choice::One("clippy")));
        check("--suite klippy", None);
        check("--suite", None);
        check("everything", None);
    }

    #[test]
    fn a_suite_without_tests_counts_as_one() {
        let none = Tally::default();
        assert_eq!(with_itself(none, true), Tally { passed: 1, ..none });
        assert_eq!(with_itself(none, false), Tally { failed: 1, ..none });
        let seen = Tally { passed: 3, failed: 0, skipped: 2 };
        assert_eq!(with_itself(seen, true), seen);
        assert_eq!(with_itself(seen, false), Tally { failed: 1, ..seen }); // it crashed after three
        let failed = Tally { failed: 2, ..seen };
        assert_eq!(with_itself(failed, false), failed);
    }
}
