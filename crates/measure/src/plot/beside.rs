//! Small multiples: everybody's way in several runs of one place, side by side at one scale.

use super::legend::{self, STEPS};
use super::{TOP, WIDTH, shortened};
use crate::chart::{
    Align, Axis, Color, Path, Pen, Pixels, Sheet, Svg, View, Words, doors, floor, ink, kind, outlines, ramp,
};
use crate::{Extent, Tracks};
use passerby_record::PlaceShape;

/// Left and right of all panels: there are no axes to make room for.
const MARGIN: f32 = 26.0;
/// Between panels.
const GAP: f32 = 16.0;
/// Above each panel: its name, and what came of it.
const CAPTION: f32 = 44.0;
/// Below the last row: the scale bar.
const FOOT: f32 = 42.0;
/// A page is no higher than so many widths, if it can be helped.
const TALLEST: f32 = 1.25;
/// Populations that get a colour of their own.
const KINDS: usize = 12;

/// One panel.
#[derive(Debug)]
pub struct Side<'a> {
    /// Over it.
    pub name: String,
    /// Below its name.
    pub remark: String,
    /// Everybody's way.
    pub tracks: &'a Tracks,
}

/// A sheet of panels that show the same ground.
pub struct Beside<'a> {
    /// What it is about.
    pub title: String,
    /// Below the title.
    pub subtitle: String,
    /// The place.
    pub place: &'a PlaceShape,
    /// The ground that is shown.
    pub extent: Extent,
    /// Names of the populations.
    pub populations: Vec<String>,
    /// To which of them somebody belongs.
    pub population_of: fn(u32) -> usize,
    /// Length of a tick, s.
    pub tick: f64,
    /// The panels.
    pub sides: Vec<Side<'a>>,
}

/// Where panels are.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Grid {
    columns: usize,
    rows: usize,
    /// Lengths on the sheet for a metre.
    scale: f64,
    /// Of a panel.
    size: [f32; 2],
}

impl Beside<'_> {
    /// As an SVG file.
    pub fn svg(&self) -> String {
        let mut sheet = Svg::new(self.size(), ink::FLOOR);
        self.draw(&mut sheet);
        sheet.finish()
    }

    /// As a PNG file, so many pixels wide; `None` if that is no picture.
    pub fn png(&self, width: u32) -> Option<Vec<u8>> {
        let mut sheet = Pixels::new(self.size(), width as f32 / WIDTH, ink::FLOOR)?;
        self.draw(&mut sheet);
        sheet.png()
    }

    fn size(&self) -> [f32; 2] {
        let rows = legend::rows(&self.names());
        [WIDTH, (self.foot() + 24.0 + legend::ROW * rows as f32).ceil()]
    }

    /// Where the scale bar is.
    fn foot(&self) -> f32 {
        let grid = self.grid();
        TOP + grid.rows as f32 * (CAPTION + grid.size[1] + GAP) - GAP + FOOT
    }

    /// Names that colours stand for: none where colours stand for time.
    fn names(&self) -> Vec<String> {
        match self.populations.len() {
            0 | 1 => Vec::new(),
            many => {
                let more = (many > KINDS).then(|| "others".to_owned());
                self.populations.iter().take(KINDS).cloned().chain(more).collect()
            }
        }
    }

    /// Panels nearly as large as they can be; of several ways the one with most columns, whose page is the least high.
    fn grid(&self) -> Grid {
        let sides = self.sides.len().max(1);
        let metres = self.extent.size().map(|length| 1.04 * length.max(0.1));
        let with = |columns: usize| {
            let rows = sides.div_ceil(columns);
            let room = (WIDTH - 2.0 * MARGIN - GAP * (columns - 1) as f32) / columns as f32;
            let high = ((TALLEST * WIDTH - TOP - FOOT) / rows as f32 - CAPTION - GAP).max(60.0);
            let scale = (f64::from(room) / metres[0]).min(f64::from(high) / metres[1]);
            Grid { columns, rows, scale, size: metres.map(|length| (length * scale) as f32) }
        };
        let largest = (1..=sides).map(|columns| with(columns).scale).fold(0.0, f64::max);
        let large = (1..=sides).rev().map(with).find(|grid| grid.scale >= 0.85 * largest);
        large.unwrap_or_else(|| with(1))
    }

    /// Left, top, right and bottom of a panel.
    fn frame(&self, grid: &Grid, n: usize) -> [f32; 4] {
        let (row, column) = (n / grid.columns, n % grid.columns);
        let [width, height] = grid.size;
        let all = grid.columns as f32 * width + GAP * (grid.columns - 1) as f32;
        let left = 0.5 * (WIDTH - all) + column as f32 * (width + GAP);
        let top = TOP + row as f32 * (CAPTION + height + GAP) + CAPTION;
        [left, top, left + width, top + height]
    }

    fn draw(&self, sheet: &mut dyn Sheet) {
        let grid = self.grid();
        let left = self.frame(&grid, 0)[0];
        sheet.text([left, 27.0], &shortened(&self.title), &Words::new(Align::Left, 12.5, ink::TEXT));
        sheet.text([left, 48.0], &self.subtitle, &Words::new(Align::Left, 9.0, ink::FAINT));
        let last = self.last_tick();
        for (n, side) in self.sides.iter().enumerate() {
            self.panel(sheet, &grid, self.frame(&grid, n), side, last);
        }
        let y = self.foot();
        legend::scale_bar(sheet, y, grid.scale);
        let names = self.names();
        if names.is_empty() {
            let axis = Axis::exact("time in s", 0.0, f64::from(last.max(1)) * self.tick, 5);
            legend::color_bar(sheet, y - 4.0, &axis, ramp);
        } else {
            let colors: Vec<Color> = (0..names.len()).map(kind_color).collect();
            legend::draw(sheet, y + 12.0 + legend::ROW, &names, &colors);
        }
    }

    fn panel(&self, sheet: &mut dyn Sheet, grid: &Grid, frame: [f32; 4], side: &Side<'_>, last: u32) {
        let metres = self.extent.size();
        let origin = [0, 1].map(|axis| self.extent.low[axis] - 0.02 * metres[axis].max(0.1));
        let unit = (0.75 / (grid.columns as f32).sqrt()).max(0.3);
        let view = View { origin, corner: [frame[0], frame[3]], scale: grid.scale, unit };
        sheet.text([frame[0], frame[1] - 24.0], &side.name, &Words::new(Align::Left, 10.0, ink::TEXT));
        sheet.text([frame[0], frame[1] - 7.0], &side.remark, &Words::new(Align::Left, 8.0, ink::FAINT));
        sheet.clip(frame);
        sheet.rectangle(frame, if self.place.areas.is_empty() { ink::FLOOR } else { ink::PAPER });
        floor(sheet, &view, self.place);
        for (path, color) in self.paths(&view, side.tracks, last).iter().filter(|(path, _)| !path.points().is_empty()) {
            // Many tracks: finer and fainter, so that busy places are dark and others stay light.
            let crowd = side.tracks.iter().len().max(1) as f32;
            let (alpha, width) = ((7.0 / crowd.sqrt()).clamp(0.4, 0.9), (6.0 / crowd.sqrt()).clamp(0.5, 1.2));
            sheet.stroke(path, &Pen::new(color.with_alpha(alpha), width));
        }
        outlines(sheet, &view, self.place);
        doors(sheet, &view, self.place);
        sheet.unclip();
    }

    /// The lines of each colour: populations, or time where there is only one.
    fn paths(&self, view: &View, tracks: &Tracks, last: u32) -> Vec<(Path, Color)> {
        let kinds = self.names().len();
        let step_color = |i: usize| ramp(i as f32 / (STEPS - 1) as f32);
        let mut paths: Vec<(Path, Color)> = match kinds {
            0 => (0..STEPS).map(|i| (Path::new(), step_color(i))).collect(),
            kinds => (0..kinds).map(|n| (Path::new(), kind_color(n))).collect(),
        };
        for (id, track) in tracks.iter() {
            let vertices: Vec<_> = track.vertices().collect();
            if kinds == 0 {
                for pair in vertices.windows(2) {
                    let middle = f64::from(pair[0].tick) + 0.5 * f64::from(pair[1].tick - pair[0].tick);
                    let step = (middle / f64::from(last.max(1)) * STEPS as f64) as usize;
                    paths[step.min(STEPS - 1)].0.add(pair.iter().map(|vertex| view.at(vertex.at)));
                }
            } else {
                let kind = (self.population_of)(id).min(kinds - 1);
                paths[kind].0.add(vertices.iter().map(|vertex| view.at(vertex.at)));
            }
        }
        paths
    }

    /// The last tick of all panels: the same colour is the same time in each.
    fn last_tick(&self) -> u32 {
        let tracks = self.sides.iter().flat_map(|side| side.tracks.iter());
        tracks.filter_map(|(_, track)| track.vertices().last().map(|vertex| vertex.tick)).max().unwrap_or(0)
    }
}

fn kind_color(n: usize) -> Color {
    if n < KINDS { kind(n) } else { ink::FAINT }
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby_record::Frame;

    fn beside<'a>(place: &'a PlaceShape, tracks: &'a Tracks, sides: usize, high: [f64; 2]) -> Beside<'a> {
        let side = |n: usize| Side { name: format!("model {n}"), remark: "last after 1 s".into(), tracks };
        Beside {
            title: "room".into(),
            subtitle: "seed 1".into(),
            place,
            extent: Extent { low: [500.0, -3.0], high: [500.0 + high[0], high[1] - 3.0] },
            populations: vec!["people".into()],
            population_of: |_| 0,
            tick: 0.1,
            sides: (0..sides).map(side).collect(),
        }
    }

    #[test]
    fn panels_fit_on_the_page_and_do_not_overlap() {
        let (place, tracks) = (PlaceShape::default(), Tracks::new(0.01, 10, 100));
        for sides in 1..=9 {
            for high in [[40.0, 40.0], [40.0, 3.0], [4.0, 50.0]] {
                let page = beside(&place, &tracks, sides, high);
                let (grid, [width, height]) = (page.grid(), page.size());
                let frames: Vec<[f32; 4]> = (0..sides).map(|n| page.frame(&grid, n)).collect();
                for (n, [left, top, right, bottom]) in frames.iter().enumerate() {
                    assert!(*left >= MARGIN - 0.1 && *right <= width - MARGIN + 0.1, "{sides} of {high:?}: {frames:?}");
                    assert!(*top > TOP && *bottom < height, "{sides} of {high:?}: {frames:?}");
                    let apart = |other: &[f32; 4]| other[0] >= *right || other[1] - CAPTION >= *bottom;
                    assert!(frames[n + 1..].iter().all(apart), "{sides} of {high:?}: {frames:?}");
                }
                assert!(height <= 1.6 * width, "{sides} of {high:?}: {height}");
            }
        }
    }

    #[test]
    fn sheets_are_drawn() {
        let (place, mut tracks) = (PlaceShape::default(), Tracks::new(0.01, 10, 100));
        for tick in 0..20 {
            let x = [500.0 + f64::from(tick)];
            tracks.see(&Frame {
                tick,
                id: &[7],
                x: &x,
                y: &[0.0],
                vx: &[10.0],
                vy: &[0.0],
                heading: &[0.0],
                bodies: &[],
            });
        }
        let page = beside(&place, &tracks, 3, [30.0, 10.0]);
        let svg = page.svg();
        assert!(svg.contains("model 2") && svg.contains("time in s"), "{svg}");
        assert!(roxmltree::Document::parse(&svg).is_ok());
        assert!(page.png(800).is_some_and(|png| png.starts_with(b"\x89PNG")));
    }
}
