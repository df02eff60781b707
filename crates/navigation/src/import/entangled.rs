//! Whether outlines can be worked on in bearable time: a file may hold few points and still millions of crossings.

use passerby_geometry::DVec2;

use super::error::{ImportError, fail};
use super::overlay::Shape;

/// Most places of edges in the cells of a grid.
const PLACES_MAX: usize = 20_000_000;

/// Most pairs of edges that share a cell.
const PAIRS_MAX: usize = 100_000_000;

/// And most of them for each point, beyond some: houses side by side have a few, a scribble of 2000 points has hundreds, and takes
/// seconds to untangle.
const PAIRS_EACH: usize = 50;
const PAIRS_FREE: usize = 500_000;

/// An error if too many edges lie over each other.
pub(super) fn check<'a>(element: &str, shapes: impl Iterator<Item = &'a Shape> + Clone) -> Result<(), ImportError> {
    let points = shapes.clone().flatten().flatten().map(|&point| DVec2::from(point));
    let count = points.clone().count();
    let (low, high) = points.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), p| (l.min(p), h.max(p)));
    let side = (count as f64).sqrt().clamp(1.0, 1000.0).floor();
    let size = (high - low).max_element() / side;
    if count == 0 || size <= 0.0 {
        return Ok(());
    }
    let columns = side as usize + 1;
    let (mut cells, mut places) = (vec![0_u32; columns * columns], 0);
    for ring in shapes.flatten() {
        for (i, &a) in ring.iter().enumerate() {
            let b = ring[(i + 1) % ring.len()];
            let [a, b] = [a, b].map(|p| (DVec2::from(p) - low) / size);
            let (a, b) = if a.y <= b.y { (a, b) } else { (b, a) };
            for row in a.y as usize..=(b.y as usize).min(columns - 1) {
                // The piece of the edge within the row.
                let at = |y: f64| {
                    if b.y > a.y { a.x + (b.x - a.x) * ((y - a.y) / (b.y - a.y)).clamp(0.0, 1.0) } else { a.x }
                };
                let (from, to) = if b.y > a.y { (at(row as f64), at(row as f64 + 1.0)) } else { (a.x, b.x) };
                let (from, to) = (from.min(to).max(0.0) as usize, (from.max(to) as usize).min(columns - 1));
                places += to - from + 1;
                cells[row * columns + from..=row * columns + to].iter_mut().for_each(|cell| *cell += 1);
                if places > PLACES_MAX {
                    return refused(element);
                }
            }
        }
    }
    let pairs: f64 = cells.iter().map(|&edges| f64::from(edges) * f64::from(edges) / 2.0).sum();
    let most = (PAIRS_EACH * count).clamp(PAIRS_FREE, PAIRS_MAX);
    if pairs > most as f64 { refused(element) } else { Ok(()) }
}

fn refused(element: &str) -> Result<(), ImportError> {
    fail(element, "too many edges lie across each other", "simplify the outlines, or cut out the part that is needed")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zigzags_are_refused_and_cities_are_not() {
        let zigzag: Vec<[f64; 2]> = (0..100_000).map(|i| [f64::from(i) * 1e-3, f64::from(i % 2) * 100.0]).collect();
        assert!(check("ring", [vec![zigzag]].iter()).is_err());
        // Points all over a square, by multiples of two irrational numbers.
        let scribble: Vec<[f64; 2]> = (0..2000)
            .map(|i| [f64::from(i) * 0.618_034 % 1.0 * 100.0, f64::from(i) * 0.414_213_6 % 1.0 * 100.0])
            .collect();
        assert!(check("ring", [vec![scribble]].iter()).is_err());
        let house = |i: u32| {
            let (x, y) = (f64::from(i % 500) * 20.0, f64::from(i / 500) * 20.0);
            vec![vec![[x, y], [x + 15.0, y], [x + 15.0, y + 15.0], [x, y + 15.0]]]
        };
        let city: Vec<Shape> = (0..200_000).map(house).collect();
        assert!(check("city", city.iter()).is_ok());
    }
}
