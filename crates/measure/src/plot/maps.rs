//! Charts over the place: everybody's way, presence, mean speed.

use passerby_record::Person;

use super::legend::{self, STEPS};
use super::{MARGINS, Scene, TOP, WIDTH};
use crate::chart::{
    Align, Axis, Color, Panel, Path, Pen, Sheet, View, Words, doors, floor, ink, kind, outlines, pale, ramp,
    surroundings,
};
use crate::{Extent, Grid, Maps, Profiles, Service, Tracks};

/// A place is drawn no higher than this.
const HEIGHT_MAX: f32 = 760.0;
/// From the place's lower edge to the middle of the scale bar.
const FOOT: f32 = 64.0;
/// Populations that get a colour of their own.
const KINDS: usize = 12;

/// Height of a sheet with a place and so many rows of legend.
pub(super) fn height(scene: &Scene<'_>, rows: usize) -> f32 {
    panel(scene).frame[3] + FOOT + 30.0 + legend::ROW * rows as f32
}

/// Names of the populations, if there are several; more than a dozen share one name.
pub(super) fn populations(scene: &Scene<'_>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for Person { population, .. } in scene.people {
        if !names.contains(population) {
            if names.len() == KINDS {
                names.push("others".to_owned());
                break;
            }
            names.push(population.clone());
        }
    }
    if names.len() > 1 { names } else { Vec::new() }
}

fn kind_color(n: usize) -> Color {
    if n < KINDS { kind(n) } else { ink::FAINT }
}

/// The place with a little ground around it, between axes of metres.
fn panel(scene: &Scene<'_>) -> Panel {
    let size = scene.extent.size();
    let edge = 0.012 * size[0].max(size[1]);
    let [low, high] =
        [scene.extent.low.map(|low| low - edge), [0, 1].map(|axis| scene.extent.low[axis] + size[axis] + edge)];
    let (wide, high_metres) = (high[0] - low[0], high[1] - low[1]);
    let room = WIDTH - MARGINS[0] - MARGINS[1];
    let scale = (f64::from(room) / wide).min(f64::from(HEIGHT_MAX) / high_metres);
    let [width, height] = [wide * scale, high_metres * scale].map(|length| length as f32);
    let left = MARGINS[0] + 0.5 * (room - width);
    let ticks = |length: f32, each: f32| ((length / each) as usize).clamp(2, 10);
    Panel {
        frame: [left, TOP, left + width, TOP + height],
        x: Axis::exact("x in m", low[0], high[0], ticks(width, 60.0)),
        y: Axis::exact("y in m", low[1], high[1], ticks(height, 22.0)),
    }
}

fn view(panel: &Panel) -> View {
    let [left, _, right, bottom] = panel.frame;
    let scale = f64::from(right - left) / (panel.x.high - panel.x.low);
    View { origin: [panel.x.low, panel.y.low], corner: [left, bottom], scale, unit: 0.75 }
}

/// Draws the place, what `inside` draws over it, and axes and scale around it. Gives the height of the scale bar.
fn over_place(scene: &Scene<'_>, sheet: &mut dyn Sheet, inside: impl FnOnce(&mut dyn Sheet, &Panel)) -> f32 {
    let (panel, place) = (panel(scene), &scene.header.place);
    let view = view(&panel);
    sheet.clip(panel.frame);
    sheet.rectangle(panel.frame, if place.areas.is_empty() { ink::FLOOR } else { ink::PAPER });
    floor(sheet, &view, place);
    inside(sheet, &panel);
    outlines(sheet, &view, place);
    doors(sheet, &view, place);
    sheet.unclip();
    names(sheet, &panel, scene);
    panel.axes(sheet);
    let y = panel.frame[3] + FOOT;
    legend::scale_bar(sheet, y, view.scale);
    y
}

/// Names of doors, beside them.
fn names(sheet: &mut dyn Sheet, panel: &Panel, scene: &Scene<'_>) {
    const MOST: usize = 40; // more would cover the picture
    let size = 8.5;
    for door in scene.header.place.doors.iter().take(MOST) {
        let [from, to] = door.line.map(|end| panel.at(end));
        let name = super::shortened(&door.name);
        let upright = (from[1] - to[1]).abs() > (from[0] - to[0]).abs();
        let half = 0.5 * sheet.text_width(&name, size);
        let [x, y] = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
        let [x, y] = if upright { [x + half + 8.0, y + 0.5 * size] } else { [x, y - 7.0] };
        let (least, most) = (panel.frame[0] + half + 4.0, panel.frame[2] - half - 4.0);
        let x = if least < most { x.clamp(least, most) } else { x };
        sheet.text([x, y], &name, &Words::label(Align::Middle, size, Color::hex(0xa3560c)));
    }
}

/// Everybody's way: coloured by population, or by time where there is only one.
pub(super) fn trajectories(scene: &Scene<'_>, sheet: &mut dyn Sheet, tracks: &Tracks) {
    let names = populations(scene);
    let (first, last) = scene.ticks;
    let span = f64::from((last - first).max(1));
    let step = |tick: u32| ((f64::from(tick - first.min(tick)) / span * STEPS as f64) as usize).min(STEPS - 1);
    let step_color = |i: usize| ramp(i as f32 / (STEPS - 1) as f32);
    let colors: Vec<Color> = match names.len() {
        0 => (0..STEPS).map(step_color).collect(),
        many => (0..many).map(kind_color).collect(),
    };
    let mut of: Vec<(u32, usize)> = scene.people.iter().map(|person| (person.id, kind_of(&names, person))).collect();
    of.sort_unstable();
    let y = over_place(scene, sheet, |sheet, panel| {
        let mut paths = vec![Path::new(); colors.len()];
        for (id, track) in tracks.iter() {
            let vertices: Vec<_> = track.vertices().collect();
            if names.is_empty() {
                vertices.windows(2).filter(|pair| pair[0].part == pair[1].part).for_each(|pair| {
                    let middle = pair[0].tick + (pair[1].tick - pair[0].tick) / 2;
                    paths[step(middle)].add(pair.iter().map(|vertex| panel.at(vertex.at)));
                });
            } else {
                let person = of.partition_point(|(other, _)| *other < id);
                let kind = of.get(person).map_or(0, |(_, kind)| *kind);
                for walked in vertices.chunk_by(|a, b| a.part == b.part) {
                    paths[kind].add(walked.iter().map(|vertex| panel.at(vertex.at)));
                }
            }
        }
        // Many tracks: finer and fainter, so that busy places are dark and others stay light.
        let crowd = tracks.iter().len().max(1) as f32;
        let (alpha, width) = ((7.0 / crowd.sqrt()).clamp(0.4, 0.9), (8.0 / crowd.sqrt()).clamp(0.7, 1.4));
        for (path, color) in paths.iter().zip(&colors).filter(|(path, _)| !path.points().is_empty()) {
            sheet.stroke(path, &Pen::new(color.with_alpha(alpha), width));
        }
    });
    if names.is_empty() {
        let axis = Axis::exact("time in s", scene.seconds(first), scene.seconds(last), 5);
        legend::color_bar(sheet, y, &axis, ramp);
    } else {
        legend::draw(sheet, y + 12.0 + legend::ROW, &names, &colors);
    }
}

fn kind_of(names: &[String], person: &Person) -> usize {
    names.iter().position(|name| *name == person.population).unwrap_or(names.len().saturating_sub(1))
}

/// Seconds of presence: the longer, the darker.
pub(super) fn occupancy(scene: &Scene<'_>, sheet: &mut dyn Sheet, maps: &Maps) {
    let values: Vec<Option<f64>> = maps.seconds().collect();
    let cell = maps.grid().cell();
    let (high, more) = upper(&values);
    let label = format!("presence in s per {cell} m x {cell} m{}", if more { ", or more" } else { "" });
    cells(scene, sheet, maps.grid(), &values, &Axis::from_zero(label, high, 4), pale);
}

/// Mean speed: the slower, the darker.
pub(super) fn speed(scene: &Scene<'_>, sheet: &mut dyn Sheet, maps: &Maps) {
    let values: Vec<Option<f64>> = maps.mean_speeds().collect();
    let (high, more) = upper(&values);
    let label = format!("mean speed in m/s{}", if more { ", or more" } else { "" });
    cells(scene, sheet, maps.grid(), &values, &Axis::from_zero(label, high, 4), ramp);
}

/// Mean Voronoi density: the denser, the darker.
pub(super) fn density(scene: &Scene<'_>, sheet: &mut dyn Sheet, profiles: &Profiles) {
    let values: Vec<Option<f64>> = profiles.voronoi_density().map(|value| (value > 1e-6).then_some(value)).collect();
    let (high, more) = upper(&values);
    let label = format!("Voronoi density in 1/m2{}", if more { ", or more" } else { "" });
    let axis = Axis::from_zero(label, high, 4);
    let colors = shades(&values, &axis, pale);
    let y = over_place(scene, sheet, |sheet, panel| lay_on_floor(scene, sheet, panel, profiles, &colors));
    legend::color_bar(sheet, y, &axis, pale);
}

/// When somebody was there last: the later, the darker.
pub(super) fn last(scene: &Scene<'_>, sheet: &mut dyn Sheet, profiles: &Profiles) {
    let values: Vec<Option<f64>> =
        profiles.last_occupied().iter().map(|tick| tick.map(|tick| scene.seconds(tick))).collect();
    let axis = Axis::exact("last occupied, s", scene.seconds(scene.ticks.0), scene.seconds(scene.ticks.1), 4);
    cells(scene, sheet, profiles.grid(), &values, &axis, pale);
}

/// Fruin's levels of service by the mean Voronoi density.
pub(super) fn service(scene: &Scene<'_>, sheet: &mut dyn Sheet, profiles: &Profiles) {
    let color = |level: Service| ramp(1.0 - level as u8 as f32 / 5.0);
    let level = |density: f64| (density > 1e-6).then(|| color(Service::at(density)));
    let colors: Vec<Option<Color>> = profiles.voronoi_density().map(level).collect();
    let y = over_place(scene, sheet, |sheet, panel| lay_on_floor(scene, sheet, panel, profiles, &colors));
    let (names, colors) = (service_names(), Service::ALL.map(color));
    legend::draw(sheet, y + 12.0 + legend::ROW, &names, &colors);
}

pub(super) fn service_names() -> Vec<String> {
    let most = ["0.31", "0.43", "0.72", "1.08", "2.17"].map(|border| format!("to {border}"));
    let words = most.into_iter().chain(["above".to_owned()]);
    Service::ALL.iter().zip(words).map(|(level, words)| format!("{} {words}", level.letter())).collect()
}

/// The value that 99 of 100 cells do not exceed, or the largest if that is little more; and whether there are larger ones.
/// One cell in which somebody stands all the time would take the colours of all others.
fn upper(values: &[Option<f64>]) -> (f64, bool) {
    let mut sorted: Vec<f64> = values.iter().copied().flatten().collect();
    sorted.sort_unstable_by(f64::total_cmp);
    let Some(most) = sorted.last().copied() else { return (1.0, false) };
    let usual = sorted[(sorted.len() - 1) * 99 / 100];
    if most <= 1.5 * usual { (most, false) } else { (usual, true) }
}

fn cells(
    scene: &Scene<'_>,
    sheet: &mut dyn Sheet,
    grid: &Grid,
    values: &[Option<f64>],
    axis: &Axis,
    color: impl Fn(f32) -> Color,
) {
    let colors = shades(values, axis, &color);
    let y = over_place(scene, sheet, |sheet, panel| lay(sheet, panel, grid, &colors));
    legend::color_bar(sheet, y, axis, color);
}

/// The colour of each value, in so many steps as the colour bar has.
fn shades(values: &[Option<f64>], axis: &Axis, color: impl Fn(f32) -> Color) -> Vec<Option<Color>> {
    let steps = (STEPS - 1) as f64;
    let of = |value: f64| color(((axis.fraction(value).clamp(0.0, 1.0) * steps).round() / steps) as f32);
    values.iter().map(|value| value.map(of)).collect()
}

/// Puts cells where they are. Those of rows may be off the floor: that is told by showing them.
fn lay(sheet: &mut dyn Sheet, panel: &Panel, grid: &Grid, colors: &[Option<Color>]) {
    let Extent { low, high } = grid.extent();
    let ([left, bottom], [right, top]) = (panel.at(low), panel.at(high));
    sheet.cells([left, top, right, bottom], grid.columns(), colors);
}

/// The same for Voronoi cells, which end at walls, though squares of a grid do not.
fn lay_on_floor(
    scene: &Scene<'_>,
    sheet: &mut dyn Sheet,
    panel: &Panel,
    profiles: &Profiles,
    colors: &[Option<Color>],
) {
    lay(sheet, panel, profiles.grid(), colors);
    surroundings(sheet, &view(panel), &scene.header.place, panel.frame);
}
