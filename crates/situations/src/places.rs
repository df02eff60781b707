//! Which situations are where: a grid over the place, so that asking costs the same however many there are.

use crate::shape::Shape;
use crate::situation::SituationId;
use passerby_geometry::Vec2;

/// Smallest and largest cell, m.
const CELL_MIN: f32 = 1.0;
const CELL_MAX: f32 = 50.0;
/// Most cells along one side.
const SIDE_MAX: usize = 2048;

/// Shapes sorted into a grid.
#[derive(Debug, Clone, Default)]
pub struct Places {
    low: Vec2,
    cell: f32,
    columns: usize,
    rows: usize,
    /// Where in `listed` the list of each cell begins; one more than there are cells.
    begins: Vec<u32>,
    listed: Vec<SituationId>,
}

impl Places {
    /// Sorts these shapes, each with so much room around it, m. What lies outside of the bounds counts to the nearest cell.
    pub fn new<'a>(
        bounds: (Vec2, Vec2),
        margin: f32,
        shapes: impl Iterator<Item = (SituationId, &'a Shape)> + Clone,
    ) -> Places {
        let (low, high) = bounds;
        let size = (high - low).max(Vec2::splat(CELL_MIN));
        let count = shapes.clone().count().max(4) as f32;
        let cell = (0.5 * (size.x * size.y / count).sqrt()).clamp(CELL_MIN, CELL_MAX);
        let cell = cell.max(size.max_element() / SIDE_MAX as f32);
        let (columns, rows) = ((size.x / cell).ceil() as usize, (size.y / cell).ceil() as usize);
        let mut places = Places { low, cell, columns, rows, begins: Vec::new(), listed: Vec::new() };
        let cells_of = |shape: &Shape| {
            let (from, to) = shape.bounds();
            let [(left, bottom), (right, top)] = [from - margin, to + margin].map(|corner| places.cell_of(corner));
            (bottom..=top).flat_map(move |row| (left..=right).map(move |column| row * columns + column))
        };
        let mut counts = vec![0u32; columns * rows + 1];
        for (_, shape) in shapes.clone() {
            cells_of(shape).for_each(|cell| counts[cell + 1] += 1);
        }
        for cell in 0..columns * rows {
            counts[cell + 1] += counts[cell];
        }
        let mut listed = vec![SituationId(0); counts[columns * rows] as usize];
        let mut next = counts.clone();
        for (id, shape) in shapes {
            for cell in cells_of(shape) {
                listed[next[cell] as usize] = id;
                next[cell] += 1;
            }
        }
        (places.begins, places.listed) = (counts, listed);
        places
    }

    /// Those that may hold a point, in the order of their numbers.
    pub fn at(&self, at: Vec2) -> &[SituationId] {
        if self.begins.is_empty() {
            return &[];
        }
        let (column, row) = self.cell_of(at);
        let cell = row * self.columns + column;
        &self.listed[self.begins[cell] as usize..self.begins[cell + 1] as usize]
    }

    /// The cell of a point; one outside counts to the nearest.
    fn cell_of(&self, at: Vec2) -> (usize, usize) {
        let place = ((at - self.low) / self.cell).max(Vec2::ZERO);
        ((place.x as usize).min(self.columns - 1), (place.y as usize).min(self.rows - 1))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_grid_finds_what_a_plain_search_finds() {
        let square = |x: f32, y: f32, side: f32| {
            Shape::new(vec![
                [[0.0, 0.0], [side, 0.0], [side, side], [0.0, side]].map(|c| Vec2::from(c) + Vec2::new(x, y)).to_vec(),
            ])
        };
        let shapes: Vec<Shape> =
            (0..40u32).map(|i| square((i * 37 % 83) as f32, (i * 53 % 61) as f32, 1.0 + (i % 7) as f32)).collect();
        let numbered = || (0..).map(SituationId).zip(&shapes);
        let places = Places::new((Vec2::ZERO, Vec2::new(90.0, 70.0)), 0.0, numbered());
        for step in 0..3000u32 {
            let at = Vec2::new((step * 7 % 900) as f32 * 0.1, (step * 11 % 700) as f32 * 0.1);
            let plain: Vec<_> = numbered().filter(|(_, shape)| shape.contains(at)).map(|(id, _)| id).collect();
            let found = places.at(at).iter().copied().filter(|id| shapes[id.0 as usize].contains(at));
            assert_eq!(found.collect::<Vec<_>>(), plain, "{at}");
        }
        assert!(Places::default().at(Vec2::ONE).is_empty());
    }
}
