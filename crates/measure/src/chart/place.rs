//! A place seen from above: the one function that draws floors, regions and obstacles, for plots, pictures and films alike.

use passerby_record::{Mover, PlaceShape};

use super::ink;
use super::path::{Path, Point};
use super::sheet::{Pen, Sheet};

/// How metres become lengths on a sheet.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct View {
    /// The place's point that is at `corner`, m.
    pub origin: [f64; 2],
    /// Where that point is on the sheet.
    pub corner: Point,
    /// Lengths on the sheet for a metre.
    pub scale: f64,
    /// A thin line.
    pub unit: f32,
}

impl View {
    /// Where a point of the place is on the sheet.
    pub fn at(&self, point: [f64; 2]) -> Point {
        let [x, y] = [0, 1].map(|axis| (point[axis] - self.origin[axis]) * self.scale);
        [self.corner[0] + x as f32, self.corner[1] - y as f32]
    }

    fn rings<'a>(&self, rings: impl IntoIterator<Item = &'a Vec<[f64; 2]>>) -> Path {
        Path::rings(rings.into_iter().map(|ring| ring.iter().map(|point| self.at(*point))))
    }
}

/// Draws what people walk on and round; what they walk through, [`doors`], goes on top of them.
pub fn floor(sheet: &mut dyn Sheet, view: &View, place: &PlaceShape) {
    let unit = view.unit;
    let areas: Vec<Path> = place.areas.iter().map(|area| view.rings(area)).collect();
    // Walls first: where two areas meet there is none, and the floor of the other covers it.
    areas.iter().for_each(|area| sheet.stroke(area, &Pen::new(ink::WALL, 5.0 * unit)));
    areas.iter().for_each(|area| sheet.fill(area, ink::FLOOR));
    for region in place.regions.iter().map(|region| view.rings([&region.polygon])) {
        sheet.fill(&region, ink::REGION.with_alpha(0.07));
        sheet.stroke(&region, &Pen { dash: Some(5.0 * unit), ..Pen::new(ink::REGION.with_alpha(0.45), unit) });
    }
    for obstacle in place.obstacles.iter().map(|obstacle| view.rings([obstacle])) {
        sheet.fill(&obstacle, ink::SOLID);
        sheet.stroke(&obstacle, &Pen::new(ink::WALL, 1.2 * unit));
    }
}

/// Draws lines that can be closed.
pub fn doors(sheet: &mut dyn Sheet, view: &View, place: &PlaceShape) {
    for [from, to] in place.doors.iter().map(|door| door.line.map(|end| view.at(end))) {
        sheet.line(from, to, &Pen::new(ink::DOOR.with_alpha(0.85), 3.0 * view.unit));
        sheet.disc(from, 3.5 * view.unit, ink::DOOR);
        sheet.disc(to, 3.5 * view.unit, ink::DOOR);
    }
}

/// Draws a mover where it is at a time, s, if it is there at all; `alpha` is how firm it looks.
pub fn mover(sheet: &mut dyn Sheet, view: &View, mover: &Mover, time: f64, alpha: f32) {
    // Files that others wrote may hold anything.
    let Some(corners) = mover.outline(time).filter(|corners| (3..=1000).contains(&corners.len())) else { return };
    let shape = view.rings([&corners]);
    sheet.fill(&shape, ink::MOVER.with_alpha(0.5 * alpha));
    sheet.stroke(&shape, &Pen::new(ink::MOVER.with_alpha(alpha), 1.5 * view.unit));
}

/// Covers what is no floor within a frame (left, top, right, bottom): cells of a map reach beyond walls and into obstacles.
pub fn surroundings(sheet: &mut dyn Sheet, view: &View, place: &PlaceShape, frame: [f32; 4]) {
    // Where areas meet or overlap, what is outside of one may be inside of another.
    if let [area] = &place.areas[..] {
        let mut outside = Path::rectangle(frame);
        area.iter().for_each(|ring| outside.add(ring.iter().map(|point| view.at(*point))));
        sheet.fill(&outside, ink::PAPER);
        sheet.stroke(&view.rings(area), &Pen::new(ink::WALL, 4.0 * view.unit));
    }
    place.obstacles.iter().for_each(|obstacle| sheet.fill(&view.rings([obstacle]), ink::SOLID));
}

/// Draws the edges of floor and obstacles once more, on top of what covers them.
pub fn outlines(sheet: &mut dyn Sheet, view: &View, place: &PlaceShape) {
    let pen = Pen::new(ink::WALL, 1.2 * view.unit);
    // Not of areas: where two of them meet there is no wall.
    if let [area] = &place.areas[..] {
        sheet.stroke(&view.rings(area), &pen);
    }
    place.obstacles.iter().for_each(|obstacle| sheet.stroke(&view.rings([obstacle]), &pen));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::chart::Color;
    use crate::chart::pixels::Pixels;

    /// A floor of 3 m by 2 m with an obstacle from 1 to 1.4 m, under one cell of 4 m by 2 m that begins at its lower left corner.
    #[test]
    fn cells_end_at_walls_and_obstacles() {
        let ring = |low: f64, high: f64| vec![[low, 0.0], [high, 0.0], [high, 2.0], [low, 2.0]];
        let place =
            PlaceShape { areas: vec![vec![ring(0.0, 3.0)]], obstacles: vec![ring(1.0, 1.4)], ..PlaceShape::default() };
        let view = View { origin: [0.0, 0.0], corner: [0.0, 200.0], scale: 100.0, unit: 1.0 };
        let (frame, cell) = ([0.0, 0.0, 400.0, 200.0], Color::hex(0x123456));
        let mut sheet = Pixels::new([400.0, 200.0], 1.0, ink::FLOOR).expect("a sheet");
        sheet.cells(frame, 1, &[Some(cell)]);
        surroundings(&mut sheet, &view, &place, frame);
        for (x, expected) in [(50, cell), (120, ink::SOLID), (200, cell), (300, ink::WALL), (350, ink::PAPER)] {
            let single = Pixels::new([1.0, 1.0], 1.0, expected).expect("a sheet");
            let start = 4 * (100 * 400 + x);
            assert_eq!(&sheet.bytes()[start..start + 4], single.bytes(), "at {x}");
        }
    }
}
