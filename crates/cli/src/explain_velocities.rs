//! The plane of velocities: what was allowed, what was weighed, what was chosen.

use crate::explain::Explained;
use crate::explain_draw::{CHOSEN, DESIRED, NOW, Shades, TEXT, arrow, ring, wedge};
use passerby::geometry::Vec2;
use passerby::steering::{Candidate, Line, Section};
use passerby_measure::chart::{Align, Color, Path, Pen, Point, Sheet, Words, ink};

/// What half planes and critical speeds forbid.
const FORBIDDEN: Color = Color::hex(0xd9822b);
/// A wall's half plane.
const WALL: Color = Color::hex(0x3d4450);
/// So few velocities can have their names on the picture.
const NAMES_MAX: usize = 24;

/// Capitals of their names.
const NAME: f32 = 0.76 * TEXT;

/// How velocities become points.
struct Plane {
    middle: Point,
    /// Lengths on the sheet for 1 m/s.
    scale: f32,
}

impl Plane {
    fn at(&self, v: Vec2) -> Point {
        [self.middle[0] + v.x * self.scale, self.middle[1] - v.y * self.scale]
    }
}

/// Draws the plane into a frame.
pub fn draw(sheet: &mut dyn Sheet, frame: [f32; 4], explained: &Explained) {
    let why = &explained.why;
    let [left, top, right, bottom] = frame;
    let most = [why.me.speed_max, why.chosen.length(), why.me.velocity.length(), 0.1];
    let scale = 0.45 * (right - left) / most.into_iter().fold(0.0, f32::max);
    let plane = Plane { middle: [0.5 * (left + right), 0.5 * (top + bottom)], scale };
    sheet.clip(frame);
    ground(sheet, frame, &plane, why.me.speed_max);
    // Many planes would add up to one dark plane.
    let alpha = (0.8 / why.lines.len().max(1) as f32).clamp(0.05, 0.2);
    why.lines.iter().for_each(|line| half_plane(sheet, &plane, line, (2.0 * (right - left), alpha)));
    why.sections.iter().for_each(|section| critical_speeds(sheet, &plane, section, why.me.speed_max));
    candidates(sheet, &plane, &why.candidates, right);
    let from = plane.at(Vec2::ZERO);
    arrow(sheet, from, plane.at(why.me.velocity), &Pen::new(NOW, 1.4));
    arrow(sheet, from, plane.at(why.me.desired), &Pen::new(DESIRED, 5.0));
    arrow(sheet, from, plane.at(why.chosen), &Pen::new(CHOSEN, 3.2));
    sheet.unclip();
}

/// Axes, a ring for every half m/s, and the fastest that the walker can go.
fn ground(sheet: &mut dyn Sheet, [left, top, right, bottom]: [f32; 4], plane: &Plane, speed_max: f32) {
    sheet.rectangle([left, top, right, bottom], ink::FLOOR);
    let [x, y] = plane.middle;
    let pen = Pen::new(ink::GRID, 1.0);
    (sheet.line([left, y], [right, y], &pen), sheet.line([x, top], [x, bottom], &pen));
    let step = if speed_max > 4.0 { 1.0 } else { 0.5 };
    let rings = ((0.48 * (right - left) / plane.scale / step) as u32).min(40);
    for n in 1..=rings {
        sheet.stroke(&ring(plane.middle, n as f32 * step * plane.scale), &pen);
        let words = Words::label(Align::Left, 0.72 * TEXT, ink::FAINT);
        sheet.text([x + 3.0, y + n as f32 * step * plane.scale - 3.0], &format!("{}", n as f32 * step), &words);
    }
    sheet.stroke(&ring(plane.middle, speed_max * plane.scale), &Pen::new(ink::WALL, 1.2));
}

/// The side of a line that is not allowed, shaded; the line itself as the border.
fn half_plane(sheet: &mut dyn Sheet, plane: &Plane, line: &Line, (far, alpha): (f32, f32)) {
    let color = if line.of.is_some() { FORBIDDEN } else { WALL };
    let [x, y] = plane.at(line.point);
    // On the sheet y points down: left of the direction is allowed, so what is right of it is shaded.
    let (ux, uy) = (line.direction.x, -line.direction.y);
    let (rx, ry) = (-uy, ux);
    let at = |along: f32, right: f32| [x + along * ux + right * rx, y + along * uy + right * ry];
    let shaded = Path::rings([[at(-far, 0.0), at(far, 0.0), at(far, far), at(-far, far)]]);
    sheet.fill(&shaded, color.with_alpha(alpha));
    sheet.line(at(-far, 0.0), at(far, 0.0), &Pen::new(color, 1.3));
    if let Some(of) = line.of {
        // Beside the point of the line that is nearest to standing still.
        let words = Words::label(Align::Middle, 0.72 * TEXT, Color::hex(0xa3560c));
        sheet.text(at(0.0, 9.0), &of.bits().to_string(), &words);
    }
}

/// Between the fastest that passes behind somebody and the slowest that passes in front there is no way.
fn critical_speeds(sheet: &mut dyn Sheet, plane: &Plane, section: &Section, speed_max: f32) {
    let (slow, fast) = (section.behind.max(0.0), section.before.min(speed_max));
    if slow < fast {
        let piece = wedge(plane.middle, [section.from, section.to], [slow * plane.scale, fast * plane.scale]);
        sheet.fill(&piece, FORBIDDEN.with_alpha(0.35));
    }
}

/// Velocities as dots, coloured by their rating; few have their names beside them.
fn candidates(sheet: &mut dyn Sheet, plane: &Plane, candidates: &[Candidate], right: f32) {
    let Some(ratings) = Shades::of(candidates.iter().map(|candidate| candidate.rating)) else { return };
    let few = candidates.len() <= NAMES_MAX;
    for candidate in candidates {
        let at = plane.at(candidate.velocity);
        sheet.disc(at, if few { 4.0 } else { 3.0 }, ratings.color(candidate.rating));
    }
    let mut used: Vec<Point> = Vec::new();
    for (n, candidate) in candidates.iter().enumerate().filter(|_| few) {
        let name = format!("{}. {} {:.2}", n + 1, candidate.what, candidate.rating);
        let width = sheet.text_width(&name, NAME);
        let [x, y] = plane.at(candidate.velocity);
        // Beside the dot, on the side where there is room.
        let mut at = [if x + 10.0 + width > right { x - 7.0 - width } else { x + 7.0 }, y + 3.0];
        // Names of equal velocities one below the other.
        while used.iter().any(|other| (other[0] - at[0]).abs() < 60.0 && (other[1] - at[1]).abs() < 9.0) {
            at[1] += 9.5;
        }
        used.push(at);
        sheet.text(at, &name, &Words::label(Align::Left, NAME, ink::TEXT));
    }
}

/// What is on the plane.
pub fn legend(sheet: &mut dyn Sheet, [x, y]: Point, explained: &Explained) {
    let why = &explained.why;
    let words = Words::new(Align::Left, TEXT, ink::FAINT);
    if why.view.is_some() {
        return sheet.text([x, y], "left to right as they see it, from the horizon down", &words);
    }
    let fastest = format!("rings: m/s; dark ring: {:.2} m/s, the fastest; dark arrow: now", why.me.speed_max);
    sheet.text([x, y], &fastest, &words);
    let below = [x, y + 19.0];
    if let Some(ratings) = Shades::of(why.candidates.iter().map(|candidate| candidate.rating)) {
        let what = match explained.person.model.as_str() {
            "lamarche" => "quality",
            "tangent" => "new interactions",
            _ => "penalty",
        };
        return ratings.bar(sheet, below, what);
    }
    let shaded = if !why.lines.is_empty() {
        "shaded: forbidden by the one it names; grey: by a wall"
    } else if !why.sections.is_empty() {
        "shaded: too fast to pass behind, too slow to pass before"
    } else {
        "this model weighs no velocities; what moves it is on the left"
    };
    sheet.text(below, shaded, &words);
}
