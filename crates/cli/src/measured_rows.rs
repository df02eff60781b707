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
            millimetres(&contacts["deepest_m"])
        ),
    );
    row("  of bodies", bodies(contacts, &walks["people"]));
    row(
        "smallest gap",
        if contacts["smallest_gap_m"].is_null() {
            "-".to_owned()
        } else {
            format!("{} mm", millimetres(&contacts["smallest_gap_m"]))
        },
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
    row("lane order", lane_order(lanes));
    row("stripes", stripes(lanes));
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

/// The radius that contacts were told with, and whether anybody knows it.
fn bodies(contacts: &Value, people: &Value) -> String {
    let radius = &contacts["radius_m"];
    if radius.is_null() {
        return "whose radius nobody knows".to_owned();
    }
    let (least, most) = (digits(&radius["min"], 2), digits(&radius["max"], 2));
    let range = if least == most { least } else { format!("{least} to {most}") };
    let assumed = &contacts["people_of_assumed_radius"];
    match assumed.as_u64() {
        Some(0) | None => format!("with a radius of {range} m"),
        Some(_) if assumed == people => format!("with an assumed radius of {range} m: recorded people have none"),
        Some(_) => format!("with a radius of {range} m, assumed for {assumed} recorded people"),
    }
}

fn lane_order(lanes: &Value) -> String {
    if lanes["moments"] == 0 {
        return "-, in no moment did two opposite streams of five people or more pass each other".to_owned();
    }
    format!(
        "{}, by chance {}, in {}",
        digits(&lanes["order"], 3),
        digits(&lanes["order_by_chance"], 3),
        counted(&lanes["moments"], "moment")
    )
}

/// Stripes, or why there are none.
fn stripes(lanes: &Value) -> String {
    let number = |name: &str| lanes[name].as_u64().unwrap_or(0);
    let (told, mixed) = (number("stripes_moments"), number("moments_of_crossing_without_stripes"));
    let apart = number("moments_of_streams_that_do_not_cross");
    if told > 0 {
        return format!(
            "{} +- {} degrees from the bisector of the streams, {} m apart, in {told} of {} in which they cross",
            digits(&lanes["stripes_from_bisector_deg"], 0),
            digits(&lanes["stripes_from_bisector_sd_deg"], 0),
            digits(&lanes["stripes_spacing_m"], 1),
            counted(&json!(told + mixed), "moment")
        );
    }
    match (mixed, apart) {
        (0, 0) => "-, in no moment did two streams of five people or more cross".to_owned(),
        (0, _) => {
            format!("-, two directions in {}, but not in one place", counted(&json!(apart), "moment"))
        }
        _ => format!("-, streams cross in {} and alternate no more than by chance", counted(&json!(mixed), "moment")),
    }
}

/// A number with so many digits behind the point, or a dash.
fn digits(value: &Value, digits: usize) -> String {
    value.as_f64().map_or_else(|| "-".to_owned(), |value| number(value, digits))
}

/// A number with so many digits behind the point; one that would have too many before it as a power of ten.
pub fn number(value: f64, digits: usize) -> String {
    if value.abs() < 1e9 { format!("{value:.digits$}") } else { format!("{value:.3e}") }
}

fn millimetres(metres: &Value) -> String {
    number(1e3 * metres.as_f64().unwrap_or(0.0), 0)
}

fn percent(value: &Value) -> String {
    value.as_f64().map_or_else(|| "-".to_owned(), |value| format!("{:.1} %", 100.0 * value))
}

/// So many of something.
pub fn counted(count: &Value, what: &str) -> String {
    if *count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// So many people.
pub fn people(count: &Value) -> String {
    if *count == 1 { "1 person".to_owned() } else { format!("{count} people") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        assert_eq!(digits(&json!(1.25), 1), "1.2");
        assert_eq!(digits(&json!(-999_999_999.0), 0), "-999999999");
        assert_eq!(digits(&json!(1e300), 2), "1.000e300");
        assert_eq!(digits(&json!(-2.5e9), 2), "-2.500e9");
        assert_eq!(digits(&Value::Null, 2), "-");
        assert_eq!((counted(&json!(1), "row"), counted(&json!(0), "row")), ("1 row".to_owned(), "0 rows".to_owned()));
    }
}
