//! A decision as a picture: the surroundings on the left, the velocities that were weighed on the right.

use crate::explain::Explained;
use crate::explain_draw::{CHOSEN, DESIRED, NOW, SEEN, Shades, TEXT, arrow, ring, wedge};
use crate::measured_rows::{counted, people};
use crate::{explain_velocities, explain_view};
use passerby::geometry::Vec2;
use passerby::steering::{Force, Section};
use passerby_measure::chart::{
    Align, Color, Path, Pen, Pixels, Point, Sheet, Svg, View, Words, doors, floor, ink, kind, mover, round_below,
};
use serde_json::json;

const SIZE: [f32; 2] = [960.0, 612.0];
/// Surroundings: left, top, right, bottom.
const LEFT: [f32; 4] = [26.0, 84.0, 472.0, 530.0];
/// Velocities.
const RIGHT: [f32; 4] = [488.0, 84.0, 934.0, 530.0];
/// From one line of the legend to the next.
const ROW: f32 = 19.0;
/// The longest force is drawn as long as this share of the panel.
const FORCE: f32 = 0.24;
/// Names of forces that are shorter than this share of the longest would only be in the way.
const NAMED: f32 = 0.15;

/// As an SVG file.
pub fn svg(explained: &Explained) -> String {
    let mut sheet = Svg::new(SIZE, ink::FLOOR);
    draw(&mut sheet, explained);
    sheet.finish()
}

/// As a PNG file, so many pixels wide.
pub fn png(explained: &Explained, width: u32) -> Option<Vec<u8>> {
    let mut sheet = Pixels::new(SIZE, width as f32 / SIZE[0], ink::FLOOR)?;
    draw(&mut sheet, explained);
    sheet.png()
}

fn draw(sheet: &mut dyn Sheet, explained: &Explained) {
    let why = &explained.why;
    let person = &explained.person;
    let title = format!("{}: person {}, {}", shortened(&explained.name), person.id, person.model);
    sheet.text([LEFT[0], 27.0], &title, &Words::new(Align::Left, 12.5, ink::TEXT));
    let line = format!(
        "of \"{}\", at {:.2} s, seed {}; sees {} and {}",
        shortened(&person.population),
        explained.time,
        explained.seed,
        people(&json!(why.seen.len())),
        counted(&json!(why.walls.len()), "wall")
    );
    sheet.text([LEFT[0], 48.0], &line, &Words::new(Align::Left, 9.0, ink::FAINT));
    surroundings(sheet, explained);
    let right = match &why.view {
        Some(view) => {
            explain_view::draw(sheet, RIGHT, view);
            "what they see"
        }
        None => {
            explain_velocities::draw(sheet, RIGHT, explained);
            "velocities"
        }
    };
    for (frame, title) in [(LEFT, "what there is, and a second of everybody's way"), (RIGHT, right)] {
        sheet.stroke(&Path::rectangle(frame), &Pen::new(ink::WALL, 0.8));
        sheet.text([frame[0], frame[1] - 8.0], title, &Words::new(Align::Left, 9.0, ink::TEXT));
    }
    legend(sheet, explained);
}

/// How the walker's surroundings are seen: everybody it sees is on the picture, if they are not too far.
fn view(explained: &Explained) -> View {
    let farthest = explained.why.seen.iter().map(|other| other.offset.length() + other.radius).fold(0.0, f32::max);
    let half = f64::from((farthest + 0.4).clamp(2.5, 8.0));
    let middle = explained.why.me.position.as_dvec2() + explained.offset;
    View {
        origin: [middle.x - half, middle.y - half],
        corner: [LEFT[0], LEFT[3]],
        scale: f64::from(LEFT[2] - LEFT[0]) / (2.0 * half),
        unit: 0.75,
    }
}

fn surroundings(sheet: &mut dyn Sheet, explained: &Explained) {
    let (view, why) = (view(explained), &explained.why);
    let at = |point: Vec2| view.at((point.as_dvec2() + explained.offset).to_array());
    sheet.clip(LEFT);
    sheet.rectangle(LEFT, if explained.place.areas.is_empty() { ink::FLOOR } else { ink::PAPER });
    floor(sheet, &view, &explained.place);
    doors(sheet, &view, &explained.place);
    explained.place.movers.iter().for_each(|one| mover(sheet, &view, one, explained.time, 0.8));
    for wall in &why.walls {
        sheet.line(at(wall.a), at(wall.b), &Pen::new(ink::WALL, 3.0));
    }
    sections(sheet, &why.sections, at(why.me.position), (why.me.radius * view.scale as f32, 0.3 * (LEFT[2] - LEFT[0])));
    everybody(sheet, &view, explained);
    let middle = at(why.me.position);
    let disc = why.me.radius * view.scale as f32;
    sheet.disc(middle, disc, NOW.with_alpha(0.75));
    let tip = |v: Vec2| [middle[0] + v.x * view.scale as f32, middle[1] - v.y * view.scale as f32];
    arrow(sheet, middle, tip(why.me.desired), &Pen::new(DESIRED, 5.0));
    forces(sheet, &why.forces, middle);
    arrow(sheet, middle, tip(why.chosen), &Pen::new(CHOSEN, 3.2));
    sheet.unclip();
    scale_bar(sheet, view.scale);
}

/// The others: those who are seen in blue with their ids, the rest pale; an arrow is a second of their way.
fn everybody(sheet: &mut dyn Sheet, view: &View, explained: &Explained) {
    let (frame, why) = (&explained.frame, &explained.why);
    let mut names: Vec<(Point, u32)> = Vec::new();
    for (i, id) in frame.id.iter().enumerate().filter(|(_, id)| **id != explained.person.id) {
        let middle = view.at([frame.x[i], frame.y[i]]);
        let seen = why.seen.iter().any(|other| other.id.bits() == *id);
        let radius = explained.radii.get(i).copied().unwrap_or(why.me.radius) * view.scale as f32;
        if !(LEFT[0] - radius..LEFT[2] + radius).contains(&middle[0])
            || !(LEFT[1] - radius..LEFT[3] + radius).contains(&middle[1])
        {
            continue;
        }
        let color = if seen { SEEN } else { Color::hex(0xb9c0ca) };
        sheet.disc(middle, radius, color.with_alpha(if seen { 0.6 } else { 0.45 }));
        sheet.stroke(&ring(middle, radius), &Pen::new(color, 0.9));
        let scale = view.scale as f32;
        let tip = [middle[0] + frame.vx[i] * scale, middle[1] - frame.vy[i] * scale];
        arrow(sheet, middle, tip, &Pen::new(color, 1.1));
        if seen {
            names.push(([middle[0], middle[1] + 0.4 * TEXT], *id));
        }
    }
    for (at, id) in names {
        sheet.text(at, &id.to_string(), &Words::label(Align::Middle, 0.72 * TEXT, ink::TEXT));
    }
}

/// Directions as pieces of a ring, dark where they are cheap.
fn sections(sheet: &mut dyn Sheet, sections: &[Section], middle: Point, (inner, outer): (f32, f32)) {
    let Some(costs) = Shades::of(sections.iter().map(|section| section.cost)) else { return };
    for section in sections {
        let color = costs.color(section.cost).with_alpha(0.5);
        sheet.fill(&wedge(middle, [section.from, section.to], [1.2 * inner, outer]), color);
    }
}

/// What pulls and pushes, with names; a colour for each kind.
fn forces(sheet: &mut dyn Sheet, forces: &[Force], middle: Point) {
    let longest = forces.iter().map(|force| force.vector.length()).fold(0.0, f32::max);
    if longest <= 0.0 {
        return;
    }
    let scale = FORCE * (LEFT[2] - LEFT[0]) / longest;
    let names = names(forces);
    for force in forces {
        let color = kind(1 + names.iter().position(|name| *name == force.what).unwrap_or(0));
        let tip = [middle[0] + force.vector.x * scale, middle[1] - force.vector.y * scale];
        arrow(sheet, middle, tip, &Pen::new(color, 1.6));
        let Some(of) = force.of.filter(|_| force.vector.length() >= NAMED * longest) else { continue };
        let out = force.vector.normalize_or_zero() * 9.0;
        let at = [tip[0] + out.x, tip[1] - out.y + 0.4 * TEXT];
        sheet.text(at, &of.bits().to_string(), &Words::label(Align::Middle, 0.72 * TEXT, color));
    }
}

/// The kinds of forces there are.
fn names(forces: &[Force]) -> Vec<&'static str> {
    let mut names: Vec<&'static str> = Vec::new();
    forces.iter().for_each(|force| {
        if !names.contains(&force.what) {
            names.push(force.what)
        }
    });
    names
}

fn scale_bar(sheet: &mut dyn Sheet, scale: f64) {
    let metres = round_below(90.0 / scale);
    let (right, y) = (LEFT[2] - 10.0, LEFT[3] - 12.0);
    let left = right - (metres * scale) as f32;
    let pen = Pen::new(ink::TEXT, 1.5);
    sheet.line([left, y], [right, y], &pen);
    [left, right].into_iter().for_each(|x| sheet.line([x, y - 4.0], [x, y + 4.0], &pen));
    sheet.text([left - 6.0, y + 0.5 * TEXT], &format!("{metres} m"), &Words::label(Align::Right, TEXT, ink::TEXT));
}

/// What arrows and colours stand for.
fn legend(sheet: &mut dyn Sheet, explained: &Explained) {
    let why = &explained.why;
    let entry = |sheet: &mut dyn Sheet, [x, y]: Point, color: Color, width: f32, name: &str| {
        arrow(sheet, [x, y - 0.5 * TEXT], [x + 22.0, y - 0.5 * TEXT], &Pen::new(color, width));
        sheet.text([x + 28.0, y], name, &Words::new(Align::Left, TEXT, ink::TEXT));
        x + 28.0 + sheet.text_width(name, TEXT) + 14.0
    };
    let (mut x, mut y) = (LEFT[0], LEFT[3] + ROW);
    for (color, width, name) in [(DESIRED, 5.0, "desired"), (CHOSEN, 3.2, "chosen"), (SEEN, 1.1, "seen")] {
        x = entry(sheet, [x, y], color, width, name);
    }
    explain_velocities::legend(sheet, [RIGHT[0], y], explained);
    let longest = why.forces.iter().map(|force| force.vector.length()).fold(0.0, f32::max);
    if longest > 0.0 {
        let unit = if explained.person.model == "reynolds" { "m/s2" } else { "m/s" };
        let words = format!("longest of those below: {longest:.3} {unit}");
        sheet.text([x, y], &words, &Words::new(Align::Left, TEXT, ink::FAINT));
        (x, y) = (LEFT[0], y + ROW);
        for (n, name) in names(&why.forces).into_iter().enumerate() {
            if x + 28.0 + sheet.text_width(name, TEXT) > LEFT[2] {
                (x, y) = (LEFT[0], y + ROW);
            }
            x = entry(sheet, [x, y], kind(1 + n), 1.6, name);
        }
    }
    if let Some(costs) = Shades::of(why.sections.iter().map(|section| section.cost)) {
        costs.bar(sheet, [LEFT[0], y + ROW], "cost of a direction");
    }
}

/// A name that leaves room for others.
fn shortened(name: &str) -> String {
    crate::picture::shortened(name)
}
