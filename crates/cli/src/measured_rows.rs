//! What was measured, as the table that people read.

use passerby_measure::Fault;
use serde_json::{Value, json};

/// The crowd as a whole.
pub fn crowd(whole: &Value) -> Vec<(String, String)> {
    let (walks, contacts, stops, lanes) = (&whole["walks"], &whole["contacts"], &whole["stops"], &whole["lanes"]);
    let mut rows = Vec::new();
    let mut row = |name: &str, value: String| rows.push((name.to_owned(), value));
    row(
        "people",
        format!(
            "{}, {} at once on average, at most {}",
            walks["people"],
            digits(&whole["present"]["mean"], 1),
            digits(&whole["present"]["max"], 0)
        ),
    );
    let spread =
        |value: &Value, unit: &str| format!("{} +- {} {unit}", digits(&value["mean"], 2), digits(&value["sd"], 2));
    row("time there", spread(&walks["time_s"], "s"));
    row("way", spread(&walks["length_m"], "m"));
    row("  over straight distance", digits(&walks["detour"]["mean"], 3));
    row("  over time", spread(&walks["speed_m_s"], "m/s"));
    row(
        "speed of all rows",
        spread(
            &whole["speed_m_s"],
            &format!("m/s over {} s", digits(&json!(2.0 * whole["speed_step_s"].as_f64().unwrap_or(0.0)), 2)),
        ),
    );
    row("turning", spread(&walks["turned_rad"], "rad"));
    row(
        "effort",
        format!("{} J/kg, {} J/(kg m)", digits(&walks["effort_j_kg"]["mean"], 1), digits(&walks["effort_j_kg_m"], 2)),
    );
    row("below 0.5 m/s", percent(&walks["slow_share"]));
    row(
        "stops",
        format!(
            "{}, {} a minute of each person; {} of the time standing",
            stops["stops"],
            digits(&stops["stops_per_person_minute"], 2),
            percent(&stops["standing_share"])
        ),
    );
    row(
        "contacts",
        format!(
            "{}, {} s together, deepest {} mm",
            contacts["count"],
            digits(&contacts["seconds"], 1),
            digits(&json!(1e3 * contacts["deepest_m"].as_f64().unwrap_or(0.0)), 0)
        ),
    );
    row(
        "smallest gap",
        contacts["smallest_gap_m"].as_f64().map_or_else(|| "-".to_owned(), |gap| format!("{:.0} mm", 1e3 * gap)),
    );
    let ahead = &whole["time_to_collision"];
    row(
        "collision ahead within 1 s",
        format!(
            "{} of people and moments, within 2 s {}",
            percent(&ahead["share_within_1_s"]),
            percent(&ahead["share_within_2_s"])
        ),
    );
    if lanes["moments"] != 0 {
        row(
            "lane order",
            format!("{}, by chance {}", digits(&lanes["order"], 3), digits(&lanes["order_by_chance"], 3)),
        );
    }
    if lanes["stripes_moments"] != 0 {
        row(
            "stripes",
            format!(
                "{} degrees from the bisector of the streams, {} m apart",
                digits(&lanes["stripes_from_bisector_deg"], 0),
                digits(&lanes["stripes_spacing_m"], 1)
            ),
        );
    }
    for fault in whole["faults"].as_array().into_iter().flatten() {
        let first = &fault["first"][0];
        let who = if first["id"].is_null() { String::new() } else { format!("person {} ", first["id"]) };
        let what = fault["what"].as_str().unwrap_or_default();
        row(
            "fault in the data",
            format!("{} {what}, first {who}at {} s", counted(&fault["count"], "time"), digits(&first["at_s"], 2)),
        );
        if what == Fault::Jump.words() {
            let jumps = counted(&whole["jumps_left_out"], "jump");
            row(
                "  left out",
                format!("{jumps}: no way, crossing, speed or turn leads over one; --jump-speed none uses them"),
            );
        }
    }
    if whole["rows_off_floor"] != 0 {
        row("not on the floor", format!("{} without a Voronoi cell", counted(&whole["rows_off_floor"], "row")));
    }
    rows
}

/// Areas, lines, strips and exits.
pub fn places(whole: &Value) -> Vec<(String, String)> {
    let mut rows = Vec::new();
    for area in whole["areas"].as_array().into_iter().flatten() {
        rows.push((format!("area {}", name(area)), format!("{} m2", digits(&area["area_m2"], 2))));
        rows.push((
            "  density".into(),
            format!("{} /m2, at most {}", digits(&area["density"]["mean"], 3), digits(&area["density"]["max"], 3)),
        ));
        rows.push((
            "  Voronoi density".into(),
            format!(
                "{} /m2, at most {}",
                digits(&area["voronoi_density"]["mean"], 3),
                digits(&area["voronoi_density"]["max"], 3)
            ),
        ));
        rows.push((
            "  speed".into(),
            format!("{} m/s, Voronoi {} m/s", digits(&area["speed_m_s"], 3), digits(&area["voronoi_speed_m_s"], 3)),
        ));
    }
    for line in whole["lines"].as_array().into_iter().flatten() {
        rows.push((
            format!("line {}", name(line)),
            format!(
                "{}, {} from its left and {} from its right",
                people(&line["people"]),
                counted(&line["crossings"]["from_left"], "crossing"),
                line["crossings"]["from_right"]
            ),
        ));
        let when = format!(", from {} to {} s", digits(&line["first_s"], 2), digits(&line["last_s"], 2));
        rows.push((
            "  flow".into(),
            format!(
                "{} /s, {} /(m s){}",
                digits(&line["flow_per_s"], 3),
                digits(&line["specific_flow_per_m_s"], 3),
                if line["people"] == 0 { "" } else { &when }
            ),
        ));
    }
    for strip in whole["strips"].as_array().into_iter().flatten() {
        rows.push((
            format!("strip {}", name(strip)),
            format!(
                "{} passed at {} m/s and {} /m2",
                people(&strip["people"]),
                digits(&strip["speed_m_s"], 3),
                digits(&strip["density"], 3)
            ),
        ));
    }
    for exit in whole["exits"]["each"].as_array().into_iter().flatten() {
        rows.push((
            format!("exit {}", name(exit)),
            format!(
                "{}, the last after {} s, {} /s",
                people(&exit["people"]),
                digits(&exit["last_s"], 2),
                digits(&exit["flow_per_s"], 3)
            ),
        ));
    }
    rows
}

fn name(value: &Value) -> &str {
    value["name"].as_str().unwrap_or_default()
}

/// A number with so many digits behind the point, or a dash.
fn digits(value: &Value, digits: usize) -> String {
    value.as_f64().map_or_else(|| "-".to_owned(), |value| format!("{value:.digits$}"))
}

fn percent(value: &Value) -> String {
    value.as_f64().map_or_else(|| "-".to_owned(), |value| format!("{:.1} %", 100.0 * value))
}

/// So many of something.
pub fn counted(count: &Value, what: &str) -> String {
    if *count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

fn people(count: &Value) -> String {
    if *count == 1 { "1 person".to_owned() } else { format!("{count} people") }
}
