//! What `passerby plot` measures, for programs.

use crate::plot::Measured;
use passerby_measure::Histogram;
use passerby_measure::plot::Scene;
use serde_json::{Value, json};

/// The numbers behind the charts.
pub fn text(scene: &Scene<'_>, measured: &Measured) -> String {
    let tick = scene.header.tick;
    let seconds = |ticks: &[u32]| ticks.iter().map(|ticks| rounded(f64::from(*ticks) * tick)).collect::<Vec<_>>();
    let Measured { tracks, maps, stays, crossings, histograms, density: _, encountered: _ } = measured;
    let lines: Vec<Value> = (crossings.lines().iter().enumerate())
        .map(|(n, line)| {
            let ticks = crossings.first_ticks(n);
            json!({
                "name": line.name,
                "line": line.line,
                "people": ticks.len(),
                "crossings": crossings.of_line(n).len(),
                "first_crossings_s": seconds(&ticks),
                "flow_per_second": crossings.flow(n, tick),
            })
        })
        .collect();
    let grid = maps.grid();
    let [speed, travel_time, nearest] = histograms;
    let value = json!({
        "name": scene.header.name,
        "from_s": rounded(f64::from(scene.ticks.0) * tick),
        "to_s": rounded(f64::from(scene.ticks.1) * tick),
        "people": stays.people(),
        "person_seconds": rounded(maps.person_seconds() + maps.outside_seconds()),
        "entered_s": seconds(&stays.entered()),
        "left_s": seconds(&stays.left()),
        "lines": lines,
        "speed_m_s": histogram(speed),
        "travel_time_s": histogram(travel_time),
        "nearest_m": histogram(nearest),
        "cells": {
            "low_m": grid.extent().low,
            "side_m": grid.cell(),
            "columns": grid.columns(),
            "rows": grid.rows(),
            "presence_s": maps.seconds().map(|value| value.map(rounded)).collect::<Vec<_>>(),
            "mean_speed_m_s": maps.mean_speeds().map(|value| value.map(rounded)).collect::<Vec<_>>(),
        },
        "track_tolerance_m": tracks.tolerance(),
    });
    format!("{value}\n")
}

fn histogram(histogram: &Histogram) -> Value {
    json!({
        "bin": histogram.width(),
        "counts": histogram.counts(),
        "above": histogram.above(),
        "mean": histogram.mean(),
    })
}

/// To the nanosecond: sums of ticks are not written with the last bits of their binary form.
fn rounded(value: f64) -> f64 {
    (value * 1e9).round() / 1e9
}
