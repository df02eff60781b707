//! What `passerby plot` measures, for programs.

use crate::plot_pass::Passed;
use passerby_measure::plot::Scene;
use passerby_measure::{Histogram, Profiles, Service, Zone};
use serde_json::{Value, json};

/// The numbers behind the charts.
pub fn text(scene: &Scene<'_>, passed: &Passed, warnings: &[String]) -> String {
    let tick = scene.header.tick;
    let seconds = |ticks: &[u32]| ticks.iter().map(|ticks| rounded(f64::from(*ticks) * tick)).collect::<Vec<_>>();
    let Passed { tracks, maps, stays, crossings, histograms, jumps, measures, encountered, .. } = passed;
    let profiles = measures.as_ref().and_then(|measures| measures.profiles.as_ref());
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
        "profiles": profiles.map(|profiles| ground(profiles, tick)),
        "diagram": passed.zones().iter().map(|zone| diagram(zone, tick)).collect::<Vec<_>>(),
        "encounters": encountered.as_ref().map(|found| {
            let mut value = found.json(tick);
            value["histogram"] = found.histogram();
            value
        }),
        "jumps_left_out": jumps.count(),
        "rows_too_fast": maps.too_fast(),
        "warnings": warnings,
        "track_tolerance_m": tracks.tolerance(),
    });
    format!("{value}\n")
}

/// What the maps of density, levels of service and last occupation show, cell by cell as in `cells`.
fn ground(profiles: &Profiles, tick: f64) -> Value {
    let last = profiles.last_occupied().iter().map(|last| last.map(|last| rounded(f64::from(last) * tick)));
    let service = profiles.voronoi_density().map(|density| Service::at(density).letter().to_string());
    json!({
        "voronoi_density_per_m2": profiles.voronoi_density().map(rounded).collect::<Vec<_>>(),
        "voronoi_speed_m_s": profiles.voronoi_speed().map(rounded).collect::<Vec<_>>(),
        "gaussian_density_per_m2": profiles.gaussian_density().map(rounded).collect::<Vec<_>>(),
        "gaussian_speed_m_s": profiles.gaussian_speed().map(|value| value.map(rounded)).collect::<Vec<_>>(),
        "level_of_service": service.collect::<Vec<_>>(),
        "last_occupied_s": last.collect::<Vec<_>>(),
    })
}

/// What the fundamental diagram shows of an area: points of single frames, cells with how many fell into them, and means at densities.
fn diagram(zone: &Zone, tick: f64) -> Value {
    let [density, speed] = zone.diagram.cell();
    let densities = zone.density.points();
    let point = |(at, speed): &(u32, f64)| {
        let found = densities.binary_search_by_key(at, |(tick, _)| *tick).ok()?;
        Some([rounded(f64::from(*at) * tick), densities[found].1, *speed])
    };
    json!({
        "area": zone.name,
        "area_m2": zone.area(),
        "frames": zone.speed.count(),
        "points": zone.speed.points().iter().filter_map(point).collect::<Vec<_>>(),
        "cell": { "density_per_m2": density, "speed_m_s": speed },
        "cells": zone.diagram.cells().map(|([density, speed], count)| json!([rounded(density), rounded(speed), count])).collect::<Vec<_>>(),
        "means": zone.diagram.means().map(|at| json!([at.density, at.speed, at.deviation, at.count])).collect::<Vec<_>>(),
    })
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
