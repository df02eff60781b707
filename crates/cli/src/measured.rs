//! What was measured, as the JSON that programs read; `measured_rows` makes the table of it that people read.

use crate::measured_rows::{crowd, places};
use passerby_measure::{Amounts, Crossings, FaultExample, Gate, Measures, Passing, Series, Zone};
use serde_json::{Value, json};
use std::fmt::Write;

/// Windows in which people who leave are counted, s.
const EXIT_WINDOW: f64 = 10.0;

/// Measures with the length of a tick, s, and of a frame in ticks.
pub struct Measured<'a> {
    pub measures: &'a Measures,
    pub tick: f64,
    pub every: u32,
}

impl Measured<'_> {
    fn seconds(&self, tick: u32) -> f64 {
        f64::from(tick) * self.tick
    }

    /// Everything, for programs.
    pub fn json(&self) -> Value {
        let Measures { seen, present, speed, off_floor, .. } = self.measures;
        let named = self.named();
        let frame = self.tick * f64::from(self.every);
        let plan = self.measures.plan();
        json!({
            "frames": seen.0,
            "rows": seen.1,
            "speed_step_s": f64::from(plan.step) * frame,
            "cells_every_s": f64::from(plan.cells_every) * frame,
            "jump_speed_m_s": plan.jump_speed,
            "jumps_left_out": self.measures.jumps(),
            "cut_off_m": plan.cut_off.map(|cut_off| cut_off.radius),
            "rows_off_floor": off_floor,
            "present": { "mean": present.mean(), "max": present.max() },
            "speed_m_s": { "mean": speed.mean(), "sd": speed.deviation(), "max": speed.max() },
            "walks": self.walks(),
            "contacts": self.contacts(),
            "time_to_collision": self.collisions(),
            "faults": self.faults(),
            "stops": self.stops(),
            "lanes": self.lanes(),
            "neighbours": {
                "count": self.measures.neighbourhood.count.mean(),
                "distance_m": self.measures.neighbourhood.distance.mean(),
            },
            "pair_distribution": self.measures.pairs.distribution(),
            "areas": named["areas"],
            "lines": named["lines"],
            "strips": named["strips"],
            "exits": self.exits(),
        })
    }

    /// Areas, lines and strips only, for the report of a run.
    pub fn named(&self) -> Value {
        let Measures { zones, gates, crossings, passing, .. } = self.measures;
        json!({
            "areas": zones.iter().map(|zone| self.area(zone)).collect::<Vec<_>>(),
            "lines": gates.iter().enumerate().map(|(n, gate)| self.line(n, gate, crossings)).collect::<Vec<_>>(),
            "strips": passing.iter().map(|passing| self.strip(passing)).collect::<Vec<_>>(),
        })
    }

    fn walks(&self) -> Value {
        let walks: Vec<Amounts> = self.measures.walks.amounts().collect();
        let series = |value: &dyn Fn(&Amounts) -> Option<f64>| {
            let mut series = Series::default();
            walks.iter().filter_map(value).for_each(|value| series.push(0, value));
            json!({ "mean": series.mean(), "sd": series.deviation(), "min": series.min(), "max": series.max() })
        };
        let sum = |value: fn(&Amounts) -> f64| walks.iter().map(value).sum::<f64>();
        let (seconds, length) = (sum(|walk| walk.walked), sum(|walk| walk.length));
        json!({
            "people": walks.len(),
            "time_s": series(&|walk| Some(walk.seconds)),
            "length_m": series(&|walk| Some(walk.length)),
            "speed_m_s": series(&Amounts::speed),
            "detour": series(&Amounts::detour),
            "turned_rad": series(&|walk| Some(walk.turned)),
            "effort_j_kg": series(&|walk| Some(walk.effort)),
            "effort_j_kg_m": (length > 0.0).then(|| sum(|walk| walk.effort) / length),
            "slow_share": (seconds > 0.0).then(|| sum(|walk| walk.slow) / seconds),
        })
    }

    fn contacts(&self) -> Value {
        let contacts = &self.measures.contacts;
        // Radii are single precision: 0.3 m and not 0.30000001 m.
        let radii = contacts.radii().map(|radii| radii.map(|radius| (1e6 * radius).round() / 1e6));
        json!({
            "radius_m": radii.map(|[least, most]| json!({ "min": least, "max": most })),
            "people_of_assumed_radius": contacts.assumed(),
            "count": contacts.count(),
            "seconds": contacts.ticks() as f64 * self.tick,
            "deepest_m": contacts.deepest(),
            "smallest_gap_m": contacts.smallest_gap(),
        })
    }

    fn collisions(&self) -> Value {
        let collisions = &self.measures.collisions;
        json!({
            "shortest_s": collisions.shortest(),
            "share_within_1_s": collisions.share_within(1.0),
            "share_within_2_s": collisions.share_within(2.0),
            "bin_s": collisions.times().width(),
            "counts": collisions.times().counts(),
        })
    }

    /// What is wrong with the data: how often, and where first.
    fn faults(&self) -> Value {
        let example = |example: &FaultExample| json!({ "id": example.id, "at_s": self.seconds(example.tick), "at_m": example.at, "value": example.value });
        let faults = self.measures.audit.faults();
        let kinds = faults.iter().map(|(fault, faults)| {
            json!({
                "what": fault.words(),
                "count": faults.count,
                "first": faults.examples.iter().map(example).collect::<Vec<_>>(),
            })
        });
        kinds.collect()
    }

    fn stops(&self) -> Value {
        let stops = &self.measures.stops;
        let minutes = stops.rows() as f64 * self.tick * f64::from(self.every) / 60.0;
        json!({
            "stops": stops.stops(),
            "stops_per_person_minute": (minutes > 0.0).then(|| stops.stops() as f64 / minutes),
            "standing_share": stops.standing_share(),
        })
    }

    fn lanes(&self) -> Value {
        let lanes = &self.measures.lanes;
        json!({
            "order": lanes.order.mean(),
            "order_by_chance": lanes.by_chance.mean(),
            "moments": lanes.order.count(),
            "stripes_from_bisector_deg": lanes.stripes.mean(),
            "stripes_from_bisector_sd_deg": lanes.stripes.deviation(),
            "stripes_spacing_m": lanes.spacing.mean(),
            "stripes_moments": lanes.stripes.count(),
            "moments_without_two_streams": lanes.without,
            "moments_of_opposite_streams_that_do_not_pass": lanes.unmet,
            "moments_of_streams_that_do_not_cross": lanes.apart,
            "moments_of_crossing_without_stripes": lanes.mixed,
        })
    }

    fn points(&self, series: &Series) -> Value {
        series.points().iter().map(|(tick, value)| json!([self.seconds(*tick), value])).collect()
    }

    fn area(&self, zone: &Zone) -> Value {
        json!({
            "name": zone.name,
            "area_m2": zone.area(),
            "density": { "mean": zone.density.mean(), "max": zone.density.max() },
            "voronoi_density": { "mean": zone.voronoi_density.mean(), "max": zone.voronoi_density.max() },
            "speed_m_s": zone.speed.mean(),
            "speed_with_empty_m_s": zone.speed_with_empty(),
            "voronoi_speed_m_s": zone.voronoi_speed.mean(),
            "acceleration_m_s2": zone.acceleration.mean(),
            "fundamental_diagram": zone.diagram.means().map(|at| json!([at.density, at.speed, at.deviation, at.count])).collect::<Vec<_>>(),
            "series": {
                "density": self.points(&zone.density),
                "speed": self.points(&zone.speed),
                "voronoi_density": self.points(&zone.voronoi_density),
                "voronoi_speed": self.points(&zone.voronoi_speed),
            },
        })
    }

    fn line(&self, n: usize, gate: &Gate, crossings: &Crossings) -> Value {
        let line = gate.line();
        let ticks = crossings.first_ticks(n);
        let all = crossings.of_line(n);
        let left = all.iter().filter(|crossing| crossing.from_left).count();
        let flow = crossings.flow(n, self.tick);
        let [a, b] = line.line;
        let width = ((b[0] - a[0]).powi(2) + (b[1] - a[1]).powi(2)).sqrt();
        let window = (10.0 / (self.tick * f64::from(self.every))).round() as u32;
        let windows = crossings.windows(n, self.measures.last, window, self.every, self.tick);
        let way = |n: usize| json!({ "density": gate.density[n].mean(), "speed_m_s": gate.speed[n].mean(), "flow_per_m_s": gate.flow[n].mean() });
        json!({
            "name": line.name,
            "line": line.line,
            "width_m": width,
            "people": ticks.len(),
            "crossings": { "from_left": left, "from_right": all.len() - left },
            "first_s": ticks.first().map(|tick| self.seconds(*tick)),
            "last_s": ticks.last().map(|tick| self.seconds(*tick)),
            "flow_per_s": flow,
            "specific_flow_per_m_s": flow.map(|flow| flow / width),
            "flow_windows": windows.iter().map(|w| json!([self.seconds(w.begin), self.seconds(w.end), w.people, w.flow])).collect::<Vec<_>>(),
            "n_t_s": ticks.iter().map(|tick| self.seconds(*tick)).collect::<Vec<_>>(),
            "cells": {
                "density": gate.total.density.mean(),
                "speed_m_s": gate.total.speed.mean(),
                "flow_per_m_s": gate.total.flow.mean(),
                "from_left": way(0),
                "from_right": way(1),
            },
        })
    }

    fn strip(&self, passing: &Passing) -> Value {
        let passed = passing.passed();
        let mean = |value: fn(&passerby_measure::Passed) -> f64| {
            (!passed.is_empty()).then(|| passed.iter().map(value).sum::<f64>() / passed.len() as f64)
        };
        json!({
            "name": passing.name,
            "area_m2": passing.area(),
            "people": passed.len(),
            "speed_m_s": mean(|passed| passed.speed),
            "density": mean(|passed| passed.density),
            "each": passed.iter().map(|p| json!([p.id, self.seconds(p.entered), self.seconds(p.left), p.speed, p.density])).collect::<Vec<_>>(),
        })
    }

    fn exits(&self) -> Value {
        let (uses, elsewhere) = self.measures.exits.uses();
        let window = (EXIT_WINDOW / self.tick).round().max(1.0) as u32;
        let flow_over_time = |exit: &passerby_measure::ExitUse| -> Vec<Value> {
            let seconds = f64::from(window) * self.tick;
            let windows = exit.windows(window).into_iter();
            windows
                .map(|(begin, n)| (self.seconds(begin), n))
                .map(|(begin, n)| json!([begin, begin + seconds, n, n as f64 / seconds]))
                .collect()
        };
        let exit = |exit: &passerby_measure::ExitUse| {
            json!({
                "name": exit.name,
                "people": exit.ticks.len(),
                "first_s": exit.ticks.first().map(|tick| self.seconds(*tick)),
                "last_s": exit.ticks.last().map(|tick| self.seconds(*tick)),
                "flow_per_s": exit.flow(self.tick),
                "flow_windows": flow_over_time(exit),
                "left_s": exit.ticks.iter().map(|tick| self.seconds(*tick)).collect::<Vec<_>>(),
            })
        };
        json!({ "each": uses.iter().filter(|exit| !exit.ticks.is_empty()).map(exit).collect::<Vec<_>>(), "elsewhere": elsewhere })
    }

    /// The table, for a terminal.
    pub fn table(&self) -> String {
        let mut text = String::new();
        let whole = self.json();
        for (name, value) in crowd(&whole).into_iter().chain(places(&whole)) {
            let _ = writeln!(text, "  {name:<32}{value}");
        }
        text
    }

    /// Areas, lines, strips and exits, for people.
    pub fn places(&self) -> Vec<(String, String)> {
        let mut named = self.named();
        named["exits"] = self.exits();
        places(&named)
    }
}
