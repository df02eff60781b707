//! What would otherwise be shell: `cargo xtask demo`, `viewer`, `test`, `bench`, `figures` and `fuzz`.

mod bench;
mod command;
mod figures;
mod first_run;
mod fuzz;
mod fuzz_targets;
mod packages;
mod python;
mod suites;
mod tally;
mod test;
mod viewer;

use std::process::ExitCode;

const HELP: &str = "\
cargo xtask demo [ARGUMENT ...]            build what can be built and show the demo in the browser; arguments go to
                                           `passerby view`
cargo xtask viewer                         make the viewer's page with Node; the next build takes it in
cargo xtask test [--long] [--suite NAME]   run all suites, or one; --long adds the long ones
cargo xtask bench [--table] [--update-readme] [--bench NAME] [ARGUMENT ...]
                                           run all benches, or one; --table prints only tables, --update-readme
                                           writes them into README.md and docs/speed.md; other arguments, like
                                           --quick, go to the benches
cargo xtask figures [NAME ...]             draw the pictures of docs/ by running passerby; only those that begin so
cargo xtask fuzz [TARGET ...] [--seconds N]
                                           look for inputs that break the readers of files, 60 s each; needs the
                                           nightly compiler
cargo xtask help                           print this

suites:";

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let (name, rest) = match arguments.split_first() {
        Some((name, rest)) => (name.as_str(), rest),
        None => ("", &[][..]),
    };
    if wants_help(&arguments) {
        help();
        return ExitCode::SUCCESS;
    }
    match name {
        "test" => match test::Choice::parse(rest) {
            Ok(choice) => test::run(&choice),
            Err(problem) => refuse(&problem),
        },
        "bench" => bench::run(rest).unwrap_or_else(|problem| refuse(&problem)),
        "viewer" => viewer::make(rest).unwrap_or_else(|problem| refuse(&problem)),
        "demo" => viewer::demo(rest).unwrap_or_else(|problem| refuse(&problem)),
        "figures" => figures::run(rest),
        "fuzz" => fuzz::run(rest).unwrap_or_else(|problem| refuse(&problem)),
        _ => refuse(&format!("there is no command `{name}`")),
    }
}

/// Whether help is asked for, of whatever command: `bench` would hand `--help` on to benches that take an hour.
fn wants_help(arguments: &[String]) -> bool {
    let first = arguments.first().map_or("help", String::as_str);
    first == "help" || arguments.iter().any(|argument| argument == "--help" || argument == "-h")
}

fn help() {
    println!("{HELP}");
    for suite in suites::ALL {
        println!("    {:<15} {}{}", suite.name, suite.about, if suite.long { " (with --long)" } else { "" });
    }
}

/// Says what is wrong with the arguments.
fn refuse(problem: &str) -> ExitCode {
    eprintln!("{problem}; `cargo xtask help` lists what there is");
    ExitCode::from(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn help_is_for_every_command() {
        let asked = |line: &str| wants_help(&line.split_whitespace().map(str::to_owned).collect::<Vec<_>>());
        for line in ["", "help", "--help", "-h", "bench --help", "bench --bench paths -h", "test --help", "fuzz -h"] {
            assert!(asked(line), "{line}");
        }
        for line in ["bench", "bench --quick", "test --suite clippy", "hepl"] {
            assert!(!asked(line), "{line}");
        }
    }
}
