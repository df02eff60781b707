//! What `passerby map` says, to people and to programs.

use crate::output;
use crate::report::peak_rss_bytes;
use passerby::geometry::{DVec2, Vec2};
use passerby::navigation::CellId;
use serde_json::{Value, json};
use std::fmt::Write;
use std::time::Duration;

use super::built::{Built, middle};
use super::parts::Parts;
use super::passages::Passage;
use super::queries::{Queries, Spread};
use super::way::{Answer, main_points};

/// Passages and parts that are listed.
const LISTED: usize = 5;

/// Everything as text.
pub fn text(built: &Built, answers: &[Answer], queries: Option<&Queries>) -> String {
    let mut text = format!("{}\n", built.place.name);
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<12}{value}");
    };
    if let Some(report) = &built.place.report {
        report.to_string().lines().for_each(|line| row("file", line.to_owned()));
    }
    let (low, high) = bounds(built);
    let size = high - low;
    let free = built.map.free_area();
    row("floor", format!("{:.2} m x {:.2} m from ({:.2}, {:.2}), {free:.1} m2 free", size.x, size.y, low.x, low.y));
    let (subdivision, width) = (&built.subdivision, built.width);
    let rounds = counted(subdivision.rounds() as usize, "round");
    row("corners", format!("{} original, {} feet in {rounds}", subdivision.original_count(), subdivision.feet().len()));
    let (portals, wide) = (subdivision.portals().len(), built.hierarchy.topology().portals().len());
    row("cells", format!("{}, portals {portals}, of these {wide} wide enough for {width} m", subdivision.cell_count()));
    let [closed, one, two, three, four, more] = built.arities();
    row("ways out", format!("0: {closed}, 1: {one}, 2: {two}, 3: {three}, 4: {four}, more: {more}"));
    row("parts", parts(built, &built.parts));
    row("for width", format!("{width} m: {}", parts(built, &built.parts_wide)));
    let (narrow, passable) = divided(built);
    for Passage { width, at } in passable.iter().take(LISTED) {
        row("passage", format!("{width:.3} m at {}", point(built.place_point(*at))));
    }
    if let Some(widest) = narrow.last() {
        let at = point(built.place_point(widest.at));
        // To the micrometre: some plans have rows that miss the width by less than a millimetre.
        let width = (widest.width * 1e6).round() / 1e6;
        row("too narrow", format!("{}, the widest {width} m at {at}", counted(narrow.len(), "passage")));
    }
    let (deepest, mean) = built.depth();
    let (tree, paths) = (built.hierarchy.tree(), built.hierarchy.path_count());
    let merged = tree.node_count() - tree.cell_count();
    let merged = counted(merged as usize, "abstract cell");
    row("tree", format!("{merged}, depth {deepest} (mean {mean:.1}), {paths} stored paths"));
    row("memory", memory(built));
    let times = &built.times;
    let [read, map, cells, hierarchy] = [built.place.time, times.map, times.cells, times.hierarchy].map(duration);
    row("time", format!("read {read}, map {map}, cells {cells}, tree and paths {hierarchy}"));
    answers.iter().for_each(|answer| text += &way(built, answer));
    text + queries.map_or_else(String::new, asked).as_str()
}

fn memory(built: &Built) -> String {
    let [cells, tree] = [built.subdivision.bytes(), built.hierarchy.bytes()].map(|bytes| output::bytes(bytes as u64));
    let peak =
        peak_rss_bytes().map_or_else(String::new, |most| format!(", the program at most {}", output::bytes(most)));
    format!("cells {cells}, tree and paths {tree}{peak}")
}

/// Passages that are too narrow for the width, and the others.
fn divided(built: &Built) -> (&[Passage], &[Passage]) {
    // The planner lets through whoever is wider by less than two thousandths of a millimetre.
    built.passages.split_at(built.passages.partition_point(|passage| passage.width < built.width - 2e-6))
}

fn bounds(built: &Built) -> (DVec2, DVec2) {
    let (low, high) = built.map.bounds();
    (low.as_dvec2() + built.map.offset(), high.as_dvec2() + built.map.offset())
}

fn parts(built: &Built, parts: &Parts) -> String {
    let area = |(area, at): (f64, [f64; 2])| format!("{area:.1} m2 at {}", point(at));
    let first: Vec<String> = each_part(built, parts).take(LISTED).map(area).collect();
    let more = if parts.areas().len() > LISTED { ", ..." } else { "" };
    match parts.areas() {
        [_] => "all of it can be reached from everywhere".to_owned(),
        areas => format!("{} without a way between them: {}{more}", areas.len(), first.join(", ")),
    }
}

/// Area of each part, m2, and a place in it.
fn each_part<'a>(built: &'a Built, parts: &'a Parts) -> impl Iterator<Item = (f64, [f64; 2])> + 'a {
    let inside = |cell: &CellId| built.place_point(middle(built.subdivision.outline(*cell)));
    parts.areas().iter().copied().zip(parts.largest_cells().iter().map(inside))
}

fn way(built: &Built, answer: &Answer) -> String {
    let [from, to] = answer.ends.map(|end| point(end.to_array()));
    let mut text = format!("way from {from} to {to}\n");
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<12}{value}");
    };
    match &answer.exact {
        Some(path) => {
            let points: Vec<String> =
                main_points(&path.points).iter().map(|at| point(built.place_point(at.as_dvec2()))).collect();
            row("exact", format!("{:.4} m: {}", path.length, points.join(" ")));
        }
        None => row("exact", "none".to_owned()),
    }
    match &answer.route {
        Some(route) => {
            let portals = counted(route.crossings.len(), "portal");
            let excess = answer.exact.as_ref().map_or_else(String::new, |path| {
                format!(", {:+.2} %", 100.0 * (route.pulled / f64::from(path.length).max(1e-6) - 1.0))
            });
            let over = route.over_middles;
            row(
                "cells",
                format!("{:.4} m pulled tight{excess}; {over:.4} m over the middles of {portals}", route.pulled),
            );
            let line: Vec<String> = route.line.iter().map(|at| point(built.place_point(*at))).collect();
            row("pulled", line.join(" "));
        }
        None => row("cells", "none".to_owned()),
    }
    if let Some(why) = &answer.why {
        row("why", why.clone());
    }
    text
}

fn asked(queries: &Queries) -> String {
    let Queries { count, seed, search, portals, exact, excess, unreachable, differ, .. } = queries;
    let mut text = format!("{count} random ways, seed {seed}\n");
    let mut row = |name: &str, value: String| {
        let _ = writeln!(text, "  {name:<12}{value}");
    };
    let times = |Spread { mean, p99, largest }: &Spread| {
        let [mean, p99, largest] = [mean, p99, largest].map(|seconds| duration(Duration::from_secs_f64(*seconds)));
        format!("mean {mean}, p99 {p99}, largest {largest}")
    };
    row("cells", format!("{} with all portals", times(portals)));
    row("search only", times(search));
    row("exact", times(exact));
    if let Some(Spread { mean, p99, largest }) = excess.map(|e| e.scaled(100.0)) {
        row("longer", format!("mean {mean:.2} %, p99 {p99:.2} %, largest {largest:.2} %"));
    }
    let [cells, exact] = unreachable;
    let agree = if *differ == 0 { "they agree".to_owned() } else { format!("they differ in {differ}") };
    row("no way", format!("{cells} over cells, {exact} exact: {agree}"));
    text
}

/// Everything for programs.
pub fn json(built: &Built, answers: &[Answer], queries: Option<&Queries>) -> Value {
    let (low, high) = bounds(built);
    let (subdivision, tree) = (&built.subdivision, built.hierarchy.tree());
    let [closed, one, two, three, four, more] = built.arities();
    let (narrow, passable) = divided(built);
    let passage = |passage: &Passage| json!({ "width_m": passage.width, "at": built.place_point(passage.at) });
    let part = |(area, at): (f64, [f64; 2])| json!({ "m2": area, "at": at });
    let (deepest, mean) = built.depth();
    let report = built.place.report.as_ref();
    json!({
        "place": built.place.name,
        "file_report": report.map(|report| report.to_string().lines().map(str::to_owned).collect::<Vec<_>>()),
        "width_m": built.width,
        "low_m": low.to_array(),
        "high_m": high.to_array(),
        "offset_m": built.map.offset().to_array(),
        "free_m2": built.map.free_area(),
        "corners": subdivision.original_count(),
        "feet": subdivision.feet().iter().map(|foot| built.place_point(*foot)).collect::<Vec<_>>(),
        "cells": subdivision.cell_count(),
        "portals": subdivision.portals().len(),
        "portals_wide_enough": built.hierarchy.topology().portals().len(),
        "ways_out": { "0": closed, "1": one, "2": two, "3": three, "4": four, "more": more },
        "parts": each_part(built, &built.parts).map(part).collect::<Vec<_>>(),
        "parts_for_width": each_part(built, &built.parts_wide).map(part).collect::<Vec<_>>(),
        "passages": passable.iter().take(LISTED).map(passage).collect::<Vec<_>>(),
        "too_narrow": { "count": narrow.len(), "widest": narrow.last().map(passage) },
        "abstract_cells": tree.node_count() - tree.cell_count(),
        "depth": deepest,
        "depth_mean": mean,
        "stored_paths": built.hierarchy.path_count(),
        "memory_bytes": { "cells": subdivision.bytes(), "hierarchy": built.hierarchy.bytes(), "peak": peak_rss_bytes() },
        "seconds": {
            "read": built.place.time.as_secs_f64(),
            "map": built.times.map.as_secs_f64(),
            "cells": built.times.cells.as_secs_f64(),
            "hierarchy": built.times.hierarchy.as_secs_f64(),
        },
        "paths": answers.iter().map(|answer| way_json(built, answer)).collect::<Vec<_>>(),
        "queries": queries.map(queries_json),
    })
}

fn way_json(built: &Built, answer: &Answer) -> Value {
    let places = |points: &[Vec2]| points.iter().map(|at| built.place_point(at.as_dvec2())).collect::<Vec<_>>();
    json!({
        "from": answer.ends[0].to_array(),
        "to": answer.ends[1].to_array(),
        "exact": answer.exact.as_ref().map(|path| json!({ "length_m": path.length, "points": places(&path.points) })),
        "cells": answer.route.as_ref().map(|route| json!({
            "over_middles_m": route.over_middles,
            "pulled_m": route.pulled,
            "points": route.line.iter().map(|at| built.place_point(*at)).collect::<Vec<_>>(),
            "portals": route.crossings.iter().map(|crossing| {
                built.subdivision.portal(crossing.portal).ends.map(|end| built.place_point(end))
            }).collect::<Vec<_>>(),
        })),
        "why": answer.why,
    })
}

fn queries_json(queries: &Queries) -> Value {
    let Queries { count, seed, search, portals, exact, excess, unreachable: [cells, exactly], differ, .. } = queries;
    let spread = |Spread { mean, p99, largest }: &Spread| json!({ "mean": mean, "p99": p99, "largest": largest });
    json!({
        "count": count,
        "seed": seed,
        "search_s": spread(search),
        "cells_s": spread(portals),
        "exact_s": spread(exact),
        "excess": excess.as_ref().map(spread),
        "unreachable": { "cells": cells, "exact": exactly, "differ": differ },
    })
}

fn point([x, y]: [f64; 2]) -> String {
    format!("({}, {})", rounded(x), rounded(y))
}

/// To the millimetre, without zeros that say nothing.
fn rounded(value: f64) -> f64 {
    (value * 1e3).round() / 1e3 + 0.0
}

fn counted(count: usize, what: &str) -> String {
    if count == 1 { format!("1 {what}") } else { format!("{count} {what}s") }
}

/// A time for people to read.
fn duration(time: Duration) -> String {
    match time.as_secs_f64() {
        seconds if seconds < 1e-3 => format!("{:.1} us", seconds * 1e6),
        seconds if seconds < 1.0 => format!("{:.1} ms", seconds * 1e3),
        seconds => format!("{seconds:.2} s"),
    }
}
