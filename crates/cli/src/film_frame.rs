//! One frame of a film.

use crate::film::Plan;
use crate::layout::Layout;
use crate::legend::{self, kind_color};
use crate::{film, labels, picture};
use passerby::record::{Frame, Mover, OwnedFrame, Recording};
use passerby_measure::ById;
use passerby_measure::chart::{self, Align, Color, Path, Pen, Pixels, Point, Sheet, Words, ink};
use std::collections::VecDeque;
use std::f64::consts::{PI, TAU};

/// Parts of a trail, the older the fainter.
const FADE: [f32; 3] = [0.15, 0.3, 0.5];

/// Draws frames on top of the place.
pub struct Drawer<'a> {
    layout: &'a Layout,
    background: &'a Pixels,
    sheet: Pixels,
    /// Id, number of the population and radius in pixels of everybody, in order of id.
    people: Vec<(u32, usize, f32)>,
    /// Where people were lately: tick and place.
    trails: ById<VecDeque<(f64, Point)>>,
    trail_ticks: f64,
    movers: Vec<Mover>,
    every: f64,
    tick_seconds: f64,
    speed: f64,
}

/// Somebody at a time between two recorded frames.
struct Walker {
    row: usize,
    at: Point,
    heading: f64,
}

/// The place with everything that does not change.
pub fn place(recording: &Recording, layout: &Layout) -> Option<Pixels> {
    let mut sheet = Pixels::new([layout.width, layout.height], 1.0, ink::PAPER)?;
    let place = &recording.header().place;
    if place.areas.is_empty() {
        sheet.rectangle(layout.frame, ink::FLOOR);
    }
    chart::floor(&mut sheet, &layout.view(), place);
    chart::doors(&mut sheet, &layout.view(), place);
    labels::draw(&mut sheet, layout, place);
    let base = layout.frame[3] + 58.0 * layout.unit;
    legend::scale_bar(&mut sheet, layout, base);
    legend::kinds(&mut sheet, layout, base, &film::names(recording));
    let name = picture::shortened(&recording.header().name);
    let words = Words::new(Align::Left, 20.0 * layout.unit, ink::TEXT);
    sheet.text([layout.margin, 66.0 * layout.unit], &name, &words);
    Some(sheet)
}

impl<'a> Drawer<'a> {
    /// Nobody has walked yet.
    pub fn new(recording: &Recording, layout: &'a Layout, background: &'a Pixels, plan: &Plan) -> Drawer<'a> {
        let header = recording.header();
        let kinds = legend::populations(recording).1;
        let radius = |metres: f32| ((f64::from(metres) * layout.scale) as f32).max(2.0);
        let mut people: Vec<(u32, usize, f32)> = recording
            .people()
            .iter()
            .zip(kinds)
            .map(|(person, kind)| (person.id, kind, radius(person.radius)))
            .collect();
        people.sort_unstable_by_key(|(id, ..)| *id);
        Drawer {
            layout,
            background,
            sheet: background.clone(),
            people,
            trails: ById::default(),
            trail_ticks: plan.trail / header.tick,
            movers: header.place.movers.clone(),
            every: f64::from(header.every),
            tick_seconds: header.tick,
            speed: plan.speed,
        }
    }

    /// Takes in a recorded frame whose time has passed.
    pub fn passed(&mut self, frame: &Frame<'_>) {
        let (layout, tick, oldest) = (self.layout, f64::from(frame.tick), f64::from(frame.tick) - self.trail_ticks);
        self.trails.visit(
            frame,
            |_| VecDeque::new(),
            |row, trail| {
                while trail.front().is_some_and(|(tick, _)| *tick < oldest) {
                    trail.pop_front();
                }
                trail.push_back((tick, layout.pixel([frame.x[row], frame.y[row]])));
            },
        );
    }

    /// Draws the time `tick`, which is between two recorded frames.
    pub fn draw(&mut self, tick: f64, before: Option<&OwnedFrame>, after: &Frame<'_>) -> &Pixels {
        self.sheet.copy_from(self.background);
        self.clock(tick);
        self.sheet.clip(self.layout.frame);
        for mover in &self.movers {
            chart::mover(&mut self.sheet, &self.layout.view(), mover, tick * self.tick_seconds, 0.8);
        }
        self.sheet.unclip();
        let earlier = before.filter(|_| tick < f64::from(after.tick) - 1e-6).map(OwnedFrame::as_frame);
        let (frame, walkers) = match earlier {
            None => {
                let there = (0..after.id.len()).map(|row| Walker {
                    row,
                    at: self.layout.pixel([after.x[row], after.y[row]]),
                    heading: f64::from(after.heading[row]),
                });
                (*after, there.collect::<Vec<_>>())
            }
            Some(before) => (before, self.between(tick, &before, after)),
        };
        self.draw_trails(tick, &frame, &walkers);
        self.draw_people(&frame, &walkers);
        &self.sheet
    }

    /// Those of the earlier frame on their way to where they are in the later one. Who is gone by then stays for a moment.
    fn between(&self, tick: f64, before: &Frame<'_>, after: &Frame<'_>) -> Vec<Walker> {
        let (start, end) = (f64::from(before.tick), f64::from(after.tick));
        let fraction = (tick - start) / (end - start);
        let mix = |a: f64, b: f64| a + (b - a) * fraction;
        let walker = |row: usize| {
            let (at, heading) = ([before.x[row], before.y[row]], f64::from(before.heading[row]));
            match after.id.binary_search(&before.id[row]) {
                Ok(then) => {
                    let turn = (f64::from(after.heading[then]) - heading + PI).rem_euclid(TAU) - PI;
                    let at = [mix(at[0], after.x[then]), mix(at[1], after.y[then])];
                    Some(Walker { row, at: self.layout.pixel(at), heading: heading + turn * fraction })
                }
                Err(_) if tick < start + self.every => Some(Walker { row, at: self.layout.pixel(at), heading }),
                Err(_) => None,
            }
        };
        (0..before.id.len()).filter_map(walker).collect()
    }

    fn clock(&mut self, tick: f64) {
        let Layout { width, margin, unit, .. } = *self.layout;
        let words = Words::new(Align::Right, 20.0 * unit, ink::TEXT);
        let time = format!("{:.1} s", tick * self.tick_seconds);
        self.sheet.text([width - margin, 66.0 * unit], &time, &words);
        if self.speed != 1.0 {
            let words = Words::new(Align::Right, self.layout.text(), ink::FAINT);
            let rate = format!("{} x real time", self.speed);
            self.sheet.text([width - margin, 92.0 * unit], &rate, &words);
        }
    }

    fn person(&self, id: u32) -> (usize, f32) {
        let found = self.people.binary_search_by_key(&id, |(id, ..)| *id);
        found.map_or((0, 2.0), |place| (self.people[place].1, self.people[place].2))
    }

    fn draw_trails(&mut self, tick: f64, frame: &Frame<'_>, walkers: &[Walker]) {
        let kinds = self.people.iter().map(|(_, kind, _)| kind + 1).max().unwrap_or(1);
        let mut paths = vec![Path::new(); kinds * FADE.len()];
        let (people, ticks) = (&self.people, self.trail_ticks);
        let kind_of = |id: u32| people.binary_search_by_key(&id, |(id, ..)| *id).map_or(0, |place| people[place].1);
        let mut walkers = walkers.iter().peekable();
        // Both are in order of id.
        self.trails.visit(
            frame,
            |_| VecDeque::new(),
            |row, trail| {
                while walkers.next_if(|walker| walker.row < row).is_some() {}
                let Some(walker) = walkers.next_if(|walker| walker.row == row) else { return };
                let points: Vec<(f64, Point)> = trail.iter().copied().chain([(tick, walker.at)]).collect();
                for pair in points.windows(2) {
                    let age = (tick - pair[1].0) / ticks.max(1e-9);
                    if age <= 1.0 {
                        let fade = FADE.len() - 1 - ((age * FADE.len() as f64) as usize).min(FADE.len() - 1);
                        paths[kind_of(frame.id[row]) * FADE.len() + fade].add([pair[0].1, pair[1].1]);
                    }
                }
            },
        );
        for (n, path) in paths.iter().enumerate().filter(|(_, path)| !path.points().is_empty()) {
            let color = kind_color(n / FADE.len()).with_alpha(FADE[n % FADE.len()]);
            self.sheet.stroke(path, &Pen::new(color, 2.2 * self.layout.unit.max(0.6)));
        }
    }

    fn draw_people(&mut self, frame: &Frame<'_>, walkers: &[Walker]) {
        const RIM: Color = ink::TEXT.with_alpha(0.9);
        let mut noses = Path::new();
        let mut nose = 1.0f32;
        for walker in walkers {
            let (kind, radius) = self.person(frame.id[walker.row]);
            nose = nose.max(0.16 * radius);
            self.sheet.disc(walker.at, radius, RIM);
            self.sheet.disc(walker.at, (radius - 1.1 * self.layout.unit).max(0.5 * radius), kind_color(kind));
            let (sin, cos) = (walker.heading.sin() as f32, walker.heading.cos() as f32);
            let ahead = |part: f32| [walker.at[0] + part * radius * cos, walker.at[1] - part * radius * sin];
            noses.add([ahead(0.4), ahead(1.05)]); // the middle keeps the colour of the population
        }
        self.sheet.stroke(&noses, &Pen::new(ink::TEXT, nose));
    }
}
