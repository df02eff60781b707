//! A result as Markdown, to be pasted into a report: what was run, who walked, what came out, how to get it again.

use crate::report::Report;
use crate::runs::{RunsReport, counted};
use passerby::Scenario;
use passerby::scenario::{Distribution, Population};
use std::fmt::Write;

/// The page of a run.
pub fn of_run(report: &Report, scenario: &Scenario) -> String {
    let mut page = head(&report.name, scenario, &[("seed", report.seed.to_string())]);
    page += &people(scenario);
    page += "\n## Results\n\n| | |\n| --- | --- |\n";
    for (name, value) in report.results() {
        let _ = writeln!(page, "| {} | {} |", cell(name.trim()), cell(&value));
    }
    for (name, value) in &report.measured {
        let _ = writeln!(page, "| {} | {} |", cell(name.trim()), cell(value));
    }
    let sentence = format!("Passerby {} gives the digest `{}` again, on any machine.", report.version, report.digest);
    // What was interrupted ended in the middle of its last tick, whichever way that is rounded.
    let until = if report.interrupted { report.sim_seconds - 0.5 * report.tick } else { scenario.run.until };
    page + again(&command(scenario, until, &format!("--every {}", report.every)), &sentence).as_str()
}

/// The page of many runs.
pub fn of_runs(report: &RunsReport, scenario: &Scenario) -> String {
    let last = report.each.last().map_or(report.first_seed, |run| run.seed);
    let seeds = format!("{} to {last} ({})", report.first_seed, counted(report.runs));
    let mut page = head(&report.name, scenario, &[("seeds", seeds)]);
    page += &people(scenario);
    let _ = writeln!(page, "\n## Results\n\n| {} |\n| --- {}|", RunsReport::HEAD.join(" | "), "| ---: ".repeat(5));
    for row in report.cells() {
        let _ = writeln!(page, "| {} |", row.map(|value| cell(&value)).join(" | "));
    }
    page += "\nsd: standard deviation between runs. T0.95: time by which the last one has arrived in 95 of 100 runs; its\n\
        interval is that of order statistics and assumes no law.\n\n| | |\n| --- | --- |\n";
    for (name, value) in report.remarks() {
        let _ = writeln!(page, "| {} | {} |", cell(name.trim()), cell(&value));
    }
    let sentence = format!("Passerby {} gives the same figures again, on any machine.", report.version);
    page + again(&command(scenario, report.until, &format!("--runs {}", report.runs)), &sentence).as_str()
}

fn head(name: &str, scenario: &Scenario, more: &[(&str, String)]) -> String {
    let mut page = format!("# {}\n\n| | |\n| --- | --- |\n", cell(name));
    let run = scenario.run;
    let shared = [
        ("scenario", scenario.file.clone()),
        ("program", format!("Passerby {}", env!("CARGO_PKG_VERSION"))),
        ("tick", format!("{} s", run.tick)),
        ("ends at the latest after", format!("{} s", run.until)),
    ];
    for (key, value) in shared.iter().chain(more) {
        let _ = writeln!(page, "| {key} | {} |", cell(value));
    }
    page
}

fn people(scenario: &Scenario) -> String {
    let mut text =
        "\n## People\n\n| population | people | model | parameters | speed [m/s] | radius [m] | premovement [s] |\n\
        | --- | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
    for (i, population) in scenario.populations.iter().enumerate() {
        let Population { name, start, arrivals, model, laws, speed, radius, premovement, .. } = population;
        let count = match arrivals {
            Some(arrivals) => format!("{:.0} expected to come", arrivals.expected()),
            None => start.count().to_string(),
        };
        let shown = |(name, value): &(&'static str, f32)| match laws.iter().find(|drawn| drawn.parameter == *name) {
            Some(drawn) => format!("{name} {}", law(&drawn.law)),
            None => format!("{name} {value}"),
        };
        let parameters: Vec<String> = model.parameters().iter().map(shown).collect();
        // Once is enough where several walk alike.
        let parameters =
            match scenario.populations[..i].iter().find(|other| (&other.model, &other.laws) == (model, laws)) {
                Some(other) if !parameters.is_empty() => format!("as {}", other.name),
                _ => parameters.join(", "),
            };
        let [speed, radius, premovement] = [speed, radius, premovement].map(law);
        let cells = [name, &count, model.name(), &parameters, &speed, &radius, &premovement].map(cell);
        let _ = writeln!(text, "| {} |", cells.join(" | "));
    }
    text
}

/// A law in words.
fn law(law: &Distribution) -> String {
    match law {
        Distribution::Constant(value) => value.to_string(),
        Distribution::Uniform { low, high } => format!("uniform {low} to {high}"),
        Distribution::Normal { mean, sd, min, max } => format!("normal {mean}, sd {sd}, {min} to {max}"),
        Distribution::Lognormal { mu, sigma, min, max } => {
            format!("log-normal mu {mu}, sigma {sigma}, {min} to {max}")
        }
        Distribution::Gamma { shape, scale, min, max } => format!("gamma shape {shape}, scale {scale}, {min} to {max}"),
        Distribution::Weibull { shape, scale, min, max } => {
            format!("Weibull shape {shape}, scale {scale}, {min} to {max}")
        }
        Distribution::RimeaAge => "by age (RiMEA 4.1.1, test 7)".to_owned(),
        Distribution::Exponential { mean, max } => format!("exponential mean {mean}, up to {max}"),
    }
}

/// The command that gives the same result. It says everything that the command line may change.
fn command(scenario: &Scenario, until: f64, more: &str) -> String {
    format!("passerby run {} --seed {} --until {until} {more}", quoted(&scenario.file), scenario.run.seed)
}

fn again(command: &str, sentence: &str) -> String {
    format!("\n## How to get it again\n\n```sh\n{command}\n```\n\n{sentence}\n")
}

/// A word as a shell takes it.
fn quoted(word: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || matches!(c, '/' | '.' | '-' | '_' | '+' | ',');
    if !word.is_empty() && word.chars().all(plain) {
        word.to_owned()
    } else {
        format!("'{}'", word.replace('\'', r"'\''"))
    }
}

/// A text as a cell of a table takes it: no bars, no line ends, nothing that steers a terminal.
fn cell(text: &str) -> String {
    text.chars().map(|c| if c.is_control() { ' ' } else { c }).collect::<String>().replace('|', "\\|")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_and_cells_cannot_break_out() {
        assert_eq!(quoted("rooms/a.toml"), "rooms/a.toml");
        assert_eq!(quoted("it's; a b.toml"), r"'it'\''s; a b.toml'");
        assert_eq!(cell("a|b\nc"), "a\\|b c");
    }
}
