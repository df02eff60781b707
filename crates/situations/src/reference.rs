//! The reference of behaviours, sensors and what rules can say, as a page: `passerby schema --situations` prints it.

use crate::behaviour::BEHAVIOURS;
use crate::rule::FUNCTIONS;
use crate::script::OPERATIONS_MAX;
use crate::sensor::Sensor;
use crate::template::{SCORED, STEERED};
use std::fmt::Write;

/// The page, in Markdown.
pub fn reference() -> String {
    let mut page = "# Situations: reference\n\nMade by `passerby schema --situations` from the code. \
        [Situations](situations.md) tells how they work.\n\n## Behaviours\n\n\
        | name | written | people |\n| --- | --- | --- |\n"
        .to_owned();
    for behaviour in BEHAVIOURS {
        let _ = writeln!(page, "| `{}` | {} | {} |", behaviour.name, written(behaviour.example), told(behaviour.does));
    }
    page += "\nDurations are numbers in seconds or laws: `{ uniform = [5, 20] }`.\n\n\
        ## Sensors\n\n| kind | written | tells |\n| --- | --- | --- |\n";
    for (kind, example, tells) in Sensor::KINDS {
        let _ = writeln!(page, "| {kind} | {} | {} |", written(example), told(tells));
    }
    page += "\n## What a rule can say\n\nA rule knows its sensors by their names, and the person as `me`.\n\n\
        | written | does |\n| --- | --- |\n";
    for (example, does) in FUNCTIONS {
        let _ = writeln!(page, "| {} | {} |", written(example), told(does));
    }
    let _ = write!(
        page,
        "\nA call may take {OPERATIONS_MAX} operations; depth and sizes are limited too, never time. There is no file, no clock, no module \
         and no `eval`.\n\n## What formulas know\n\n| formula | of |\n| --- | --- |\n| `speed`, `hold` | {} |\n| `score` | {} |\n",
        STEERED.join(", "),
        SCORED.join(", ")
    );
    page
}

/// Examples as code; several are joined by words.
fn written(example: &str) -> String {
    if example == "-" {
        return "-".to_owned();
    }
    let parts: Vec<String> = example.split(" or ").map(|part| format!("`{part}`")).collect();
    parts.join(" or ").replace('|', "\\|")
}

fn told(text: &str) -> String {
    text.replace('|', "\\|")
}
