//! `passerby plot runs.json --what boxes`: how results spread over seeds.

use crate::failure::Failure;
use crate::runs::counted;
use passerby_measure::plot::{Boxes, Spread};
use serde_json::Value;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// Hundred thousand runs take 40 MB.
const BYTES_MAX: u64 = 256 << 20;

/// Where a quantity is in the result of one run, what it is, and its unit.
const QUANTITIES: [(&str, &str); 8] = [
    ("/last_arrival", "last arrival in s"),
    ("/travel_time/mean", "mean travel time in s"),
    ("/travel_time/p95", "travel time of 95 of 100 in s"),
    ("/travel_time/max", "longest travel time in s"),
    ("/mean_speed", "mean speed in m/s"),
    ("/slow_share", "share of the time below 0.5 m/s"),
    ("/contacts", "contacts"),
    ("/overlap_before_ground_m", "deepest overlap before ground in m"),
];

/// Reads the result of many runs.
pub fn read(path: &Path) -> Result<Boxes, Failure> {
    let shown = path.display();
    let mut text = String::new();
    let file = File::open(path).map_err(|error| Failure::input(format!("{shown}: cannot be read: {error}")))?;
    let wrong = |what: &str| {
        let hint = "boxes are drawn from the JSON of `passerby run SCENARIO --runs N --json FILE`";
        Failure::input(format!("{shown}: {what}\n    hint: {hint}"))
    };
    file.take(BYTES_MAX)
        .read_to_string(&mut text)
        .map_err(|error| wrong(&format!("cannot be read as text: {error}")))?;
    let value: Value = serde_json::from_str(&text).map_err(|error| wrong(&format!("not JSON: {error}")))?;
    let runs = value["each"].as_array().filter(|runs| !runs.is_empty()).ok_or_else(|| wrong("holds no runs"))?;
    let spread = |(at, label): (&str, &str)| {
        let values: Vec<f64> = runs.iter().filter_map(|run| run.pointer(at)?.as_f64()).collect();
        (!values.is_empty()).then(|| Spread { label: label.to_owned(), values })
    };
    let named = runs[0]["measures"].as_object().into_iter().flat_map(|named| named.keys());
    let measured = named.filter_map(|name| {
        let values: Vec<f64> = runs.iter().filter_map(|run| run["measures"][name].as_f64()).collect();
        (!values.is_empty()).then(|| Spread { label: name.clone(), values })
    });
    let models: Vec<&str> = value["models"].as_array().into_iter().flatten().filter_map(Value::as_str).collect();
    let seeds = format!("{}, seeds from {}", counted(runs.len() as u32), value["first_seed"]);
    Ok(Boxes {
        title: format!("{}: spread over seeds", value["name"].as_str().unwrap_or("runs")),
        subtitle: format!("{seeds}, {}", models.join(", ")),
        spreads: QUANTITIES.into_iter().filter_map(spread).chain(measured).collect(),
    })
}
