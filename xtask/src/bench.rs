//! `cargo xtask bench`: all benches one after another, and their tables into the pages.
//!
//! A bench prints a table between `<!-- bench: NAME -->` and `<!-- end -->`; a page holds the same lines, so that what it
//! shows is what was printed.

use std::collections::BTreeMap;
use std::fs;
use std::io::{BufRead, BufReader};
use std::process::{ExitCode, Stdio};

use crate::command::{cargo, root};
use crate::python;

/// The benches of the package `passerby-benches`.
pub const BENCHES: &[&str] =
    &["peers", "jupedsim", "engine", "paths", "measures", "graph", "models", "vision", "bodies", "situations"];

/// Pages with tables.
const PAGES: &[&str] = &["README.md", "docs/speed.md"];

const BEGIN: &str = "<!-- bench: ";
const END: &str = "<!-- end -->";

/// What is asked for.
#[derive(Debug, Default, PartialEq, Eq)]
struct Asked {
    /// Only the tables are printed.
    table: bool,
    /// Tables go into the pages.
    update: bool,
    /// Only this one.
    bench: Option<String>,
    /// For the benches.
    rest: Vec<String>,
}

impl Asked {
    fn parse(arguments: &[String]) -> Result<Asked, String> {
        let mut asked = Asked::default();
        let mut arguments = arguments.iter();
        while let Some(argument) = arguments.next() {
            match argument.as_str() {
                "--table" => asked.table = true,
                "--update-readme" => asked.update = true,
                "--bench" => {
                    let name = arguments.next().filter(|name| BENCHES.contains(&name.as_str()));
                    let name = name.ok_or_else(|| format!("`--bench` wants one of {}", BENCHES.join(", ")))?;
                    asked.bench = Some(name.clone());
                }
                _ => asked.rest.push(argument.clone()),
            }
        }
        Ok(asked)
    }
}

/// Runs the benches; `Err` if the arguments are wrong.
pub fn run(arguments: &[String]) -> Result<ExitCode, String> {
    let asked = Asked::parse(arguments)?;
    let mut tables = BTreeMap::new();
    for bench in BENCHES.iter().filter(|bench| asked.bench.as_deref().is_none_or(|wanted| wanted == **bench)) {
        if let Err(problem) = run_one(bench, &asked, &mut tables) {
            eprintln!("bench {bench}: {problem}");
            return Ok(ExitCode::FAILURE);
        }
    }
    if asked.update {
        for page in PAGES {
            let path = root().join(page);
            let done = fs::read_to_string(&path).and_then(|text| fs::write(&path, with_tables(&text, &tables)));
            if let Err(error) = done {
                eprintln!("{page}: {error}");
                return Ok(ExitCode::FAILURE);
            }
        }
    }
    Ok(ExitCode::SUCCESS)
}

/// Runs one bench and collects its tables.
fn run_one(bench: &str, asked: &Asked, tables: &mut BTreeMap<String, String>) -> Result<(), String> {
    let mut command = python::with(cargo(&["bench", "-p", "passerby-benches", "--bench", bench, "--"]));
    let mut child = command.args(&asked.rest).stdout(Stdio::piped()).spawn().map_err(|error| error.to_string())?;
    let output = child.stdout.take().expect("a pipe");
    let mut inside = None;
    for line in BufReader::new(output).lines().map_while(Result::ok) {
        if let Some(name) = line.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(" -->")) {
            inside = Some(name.to_owned());
            continue;
        }
        if line == END {
            inside = None;
            println!();
            continue;
        }
        if let Some(name) = &inside {
            tables.entry(name.clone()).or_default().push_str(&format!("{line}\n"));
        }
        if inside.is_some() || !asked.table {
            println!("{line}");
        }
    }
    match child.wait() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(status.to_string()),
        Err(error) => Err(error.to_string()),
    }
}

/// A page with these tables in the places that have their names.
fn with_tables(page: &str, tables: &BTreeMap<String, String>) -> String {
    let mut done = String::new();
    let mut lines = page.lines();
    while let Some(line) = lines.next() {
        done.push_str(&format!("{line}\n"));
        let name = line.strip_prefix(BEGIN).and_then(|rest| rest.strip_suffix(" -->"));
        if let Some(table) = name.and_then(|name| tables.get(name)) {
            done.push_str(table);
            let _ = lines.by_ref().find(|line| *line == END); // what stood there
            done.push_str(&format!("{END}\n"));
        }
    }
    done
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_replace_those_of_their_name() {
        let page = "a\n<!-- bench: x -->\nold\nolder\n<!-- end -->\nb\n<!-- bench: y -->\nkept\n<!-- end -->\nc\n";
        let tables = [("x".to_owned(), "new\n".to_owned())].into();
        let expected = "a\n<!-- bench: x -->\nnew\n<!-- end -->\nb\n<!-- bench: y -->\nkept\n<!-- end -->\nc\n";
        assert_eq!(with_tables(page, &tables), expected);
        assert_eq!(with_tables(page, &BTreeMap::new()), page);
    }

    /// Each table that a bench prints has exactly one place on the pages.
    #[test]
    fn pages_have_a_place_for_each_table() {
        let pages: Vec<String> =
            PAGES.iter().map(|page| fs::read_to_string(root().join(page)).expect("a page")).collect();
        let pages = pages.join("\n");
        for bench in BENCHES {
            let source = fs::read_to_string(root().join(format!("benches/benches/{bench}.rs"))).expect("a bench");
            let names: Vec<&str> = source.split(BEGIN).skip(1).filter_map(|rest| rest.split(" -->").next()).collect();
            assert!(!names.is_empty(), "{bench} prints no table");
            for name in names {
                let place = format!("{BEGIN}{name} -->\n");
                assert_eq!(pages.matches(&place).count(), 1, "places of the table {name}");
                let (_, rest) = pages.split_once(&place).expect("it is there");
                assert!(rest.contains(END), "the place of {name} has no end");
            }
        }
    }

    #[test]
    fn arguments_are_understood() {
        let parse = |line: &str| Asked::parse(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        assert_eq!(parse(""), Ok(Asked::default()));
        let asked = parse("--table --bench engine --quick").expect("fine");
        assert_eq!(
            (asked.table, asked.bench.as_deref(), &asked.rest[..]),
            (true, Some("engine"), &["--quick".into()][..])
        );
        assert!(parse("--bench engin").is_err_and(|why| why.contains("engine")));
    }
}
