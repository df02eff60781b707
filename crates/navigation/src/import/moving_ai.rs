//! Grid maps of the Moving AI lab: cells that can be walked on become floor, to the edge of each cell.
//!
//! A cell at column x and row y of the file, counted from the top left, is the square around
//! `((x + 0.5) cell, (height - y - 0.5) cell)`. Cells that share only a corner are not connected.

use std::collections::BTreeMap;

use passerby_geometry::{Area, DVec2, Polygon};

use super::clean;
use super::draft::{Draft, Patch, Unit};
use super::error::{ImportError, fail, short};
use super::report::{Change, Report};
use super::{Format, Imported, Options};
use crate::floor::Floor;

/// Longest side of a map, in cells.
const SIDE_MAX: usize = 10_000;

/// Most cells.
const CELLS_MAX: usize = 16_000_000;

/// Which cells are free, row by row from the bottom.
struct Cells {
    width: usize,
    height: usize,
    free: Vec<bool>,
}

/// The map as a floor. Outlines of cells are exact, so that nothing needs cleaning unless only a part is wanted.
pub(super) fn read(text: &str, options: &Options) -> Result<Imported, ImportError> {
    let cells = cells(text)?;
    let corners = cells.corners();
    if corners > super::POINTS_MAX {
        let what = format!("its free cells have {corners} corners, at most {} can be read", super::POINTS_MAX);
        return fail("", what, "cut out the part that is needed");
    }
    let areas = areas(&cells);
    let cell = options.cell;
    let unit_name = format!("{} x {} cells of {cell} m", cells.width, cells.height);
    let ring = |ring: &Vec<[u32; 2]>| ring.iter().map(|&[x, y]| DVec2::new(x.into(), y.into())).collect::<Vec<_>>();
    if areas.is_empty() {
        return fail("", "no cell can be walked on", "cells `.`, `G` and `S` can");
    }
    let points = areas.iter().flatten().map(Vec::len).sum();
    if options.area.is_some() || points > super::POINTS_MAX || areas.len() > super::ELEMENTS_MAX {
        let mut draft = Draft { unit: Unit::Metres(cell), unit_name, ..Draft::default() };
        for (index, rings) in areas.iter().enumerate() {
            let element = format!("piece {index}");
            draft.count(&element, rings.iter().map(Vec::len).sum())?;
            draft.floors.push(Patch { element, rings: rings.iter().map(ring).collect() });
        }
        return clean::imported(Format::MovingAi, draft, options);
    }
    let polygon = |cells: &Vec<[u32; 2]>| Polygon::new(ring(cells).into_iter().map(|p| p * cell).collect()).ok();
    let area = |rings: &Vec<Vec<[u32; 2]>>| {
        let holes = rings[1..].iter().filter_map(polygon).collect();
        Some(Area { outer: polygon(&rings[0])?, holes })
    };
    let mut floor = Floor { areas: areas.iter().filter_map(area).collect(), ..Floor::default() };
    let mut changes = Vec::new();
    if options.fill_enclosed && floor.areas.len() > 1 {
        floor.areas.sort_by(|a, b| b.area().total_cmp(&a.area()));
        let rest = floor.areas.split_off(1);
        changes.push(Change::Filled(rest.len(), rest.iter().map(Area::area).sum()));
    }
    let mut pieces: Vec<f64> = floor.areas.iter().map(Area::area).collect();
    pieces.sort_by(|a, b| b.total_cmp(a));
    let holes = areas.iter().map(|rings| rings.len() - 1).sum();
    let corners = floor.areas.iter().map(|area| area.outer.bounds());
    let bounds = corners.fold((DVec2::INFINITY, DVec2::NEG_INFINITY), |(l, h), (low, high)| (l.min(low), h.max(high)));
    let report = Report {
        format: Format::MovingAi,
        unit: unit_name,
        floors: areas.len(),
        obstacles: holes,
        doors: 0,
        regions: 0,
        points,
        centre: None,
        distortion: 0.0,
        bounds,
        free_area: pieces.iter().sum(),
        pieces,
        tolerance: 0.0,
        changes,
        ignored: Vec::new(),
    };
    Ok(Imported { floor, report })
}

fn cells(text: &str) -> Result<Cells, ImportError> {
    let mut lines = text.lines().enumerate();
    let (mut width, mut height) = (None, None);
    loop {
        let Some((number, line)) = lines.next() else {
            return fail("", "there is no line `map`", "a map begins with type, height, width and map");
        };
        let at = format!("line {}", number + 1);
        let side = |value: Option<&str>| match value.and_then(|v| v.parse::<usize>().ok()) {
            Some(side) if (1..=SIDE_MAX).contains(&side) => Ok(Some(side)),
            _ => fail(&*at, format!("`{}`", short(line)), format!("give 1 to {SIDE_MAX} cells")),
        };
        let mut words = line.split_whitespace();
        match words.next() {
            Some("type") => (),
            Some("height") => height = side(words.next())?,
            Some("width") => width = side(words.next())?,
            Some("map") => break,
            None => (),
            Some(_) => return fail(at, format!("`{}`", short(line)), "expected type, height, width or map"),
        }
    }
    let (Some(width), Some(height)) = (width, height) else {
        return fail("", "width or height is missing", "both stand before the line `map`");
    };
    // Cells are characters of the file: a file that is too short never gets its memory.
    if width * height > CELLS_MAX || width * height > text.len() {
        let what = format!("{width} x {height} cells, and the file has {} bytes", text.len());
        return fail("", what, format!("a cell is one character, at most {CELLS_MAX} are read"));
    }
    let mut free = vec![false; width * height];
    for row in (0..height).rev() {
        let Some((number, line)) = lines.next() else {
            return fail(
                "",
                format!("only {} of {height} rows are there", height - 1 - row),
                "was the file cut short?",
            );
        };
        read_row(line.trim_end(), &mut free[row * width..(row + 1) * width])
            .or_else(|(column, what, help)| fail(format!("line {}{column}", number + 1), what, help))?;
    }
    if let Some((number, line)) = lines.find(|(_, line)| !line.trim().is_empty()) {
        let what = format!("`{}` comes after the last of {height} rows", short(line));
        return fail(format!("line {}", number + 1), what, "there are as many rows as `height` says");
    }
    Ok(Cells { width, height, free })
}

/// Reads the cells of one row; gives the column if it is one cell that is wrong, what is wrong and what to do.
fn read_row(line: &str, free: &mut [bool]) -> Result<(), (String, String, &'static str)> {
    // Columns are characters: one beyond ASCII is a single wrong cell, however many bytes it has.
    for (column, cell) in line.chars().enumerate() {
        let is_free = match cell {
            '.' | 'G' | 'S' => true,
            '@' | 'O' | 'T' | 'W' => false,
            _ => {
                let help = "`.`, `G`, `S` can be walked on, `@`, `O`, `T`, `W` cannot";
                let what = format!("no such cell: `{}`", cell.escape_debug());
                return Err((format!(", column {}", column + 1), what, help));
            }
        };
        if let Some(place) = free.get_mut(column) {
            *place = is_free;
        }
    }
    if line.len() != free.len() {
        let what = format!("the row has {} cells, not {}", line.len(), free.len());
        return Err((String::new(), what, "every row has as many as `width` says"));
    }
    Ok(())
}

impl Cells {
    fn is_free(&self, x: i64, y: i64) -> bool {
        let inside = (0..self.width as i64).contains(&x) && (0..self.height as i64).contains(&y);
        inside && self.free[y as usize * self.width + x as usize]
    }

    /// How many corners the outlines of all pieces have together: where one or three of the four cells around a point are
    /// free it is one corner, and two where two are that touch with it only.
    fn corners(&self) -> usize {
        let row = |y: usize| y.checked_sub(1).and_then(|y| self.free.get(y * self.width..(y + 1) * self.width));
        let mut count = 0;
        for y in 0..=self.height {
            let (below, above) = (row(y), row(y + 1));
            let is_free = |row: Option<&[bool]>, x: usize| row.and_then(|row| row.get(x)).is_some_and(|free| *free);
            let mut left = (false, false);
            for x in 0..=self.width {
                let right = (is_free(below, x), is_free(above, x));
                count += match (left.0 == right.0, left.1 == right.1) {
                    (true, true) => 0,
                    (false, false) if left.0 == left.1 => 0,
                    (false, false) => 2,
                    _ => 1,
                };
                left = right;
            }
        }
        count
    }

    /// A number for every free cell, the same for all that are connected by sides.
    fn pieces(&self) -> Vec<u32> {
        let mut piece = vec![u32::MAX; self.free.len()];
        let mut next = 0;
        let mut left = Vec::new();
        for start in 0..piece.len() {
            if !self.free[start] || piece[start] != u32::MAX {
                continue;
            }
            left.push(start);
            piece[start] = next;
            while let Some(cell) = left.pop() {
                let (x, y) = ((cell % self.width) as i64, (cell / self.width) as i64);
                for (x, y) in [(x + 1, y), (x - 1, y), (x, y + 1), (x, y - 1)] {
                    let to = y.max(0) as usize * self.width + x.max(0) as usize;
                    if self.is_free(x, y) && piece[to] == u32::MAX {
                        piece[to] = next;
                        left.push(to);
                    }
                }
            }
            next += 1;
        }
        piece
    }
}

/// East, north, west, south.
const STEPS: [[i64; 2]; 4] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/// For every piece its outline, then its holes: rings of corners of cells.
fn areas(cells: &Cells) -> Vec<Vec<Vec<[u32; 2]>>> {
    let piece = cells.pieces();
    // The free cell to the left of a step from a corner, and the one to the right.
    let beside = |x: i64, y: i64, step: usize| match step {
        0 => ((x, y), (x, y - 1)),
        1 => ((x - 1, y), (x, y)),
        2 => ((x - 1, y - 1), (x - 1, y)),
        _ => ((x, y - 1), (x - 1, y - 1)),
    };
    let is_border = |x: i64, y: i64, step: usize| {
        let (left, right) = beside(x, y, step);
        cells.is_free(left.0, left.1) && !cells.is_free(right.0, right.1)
    };
    let columns = cells.width + 1;
    let mut seen = vec![0_u8; columns * (cells.height + 1)];
    let mut found: BTreeMap<u32, Vec<Vec<[u32; 2]>>> = BTreeMap::new();
    for start in 0..seen.len() {
        for first in 0..4 {
            let (x, y) = ((start % columns) as i64, (start / columns) as i64);
            if seen[start] & (1 << first) != 0 || !is_border(x, y, first) {
                continue;
            }
            let left = beside(x, y, first).0;
            let number = piece[left.1 as usize * cells.width + left.0 as usize];
            let mut ring = Vec::new();
            let (mut at, mut step) = ([x, y], first);
            loop {
                let index = at[1] as usize * columns + at[0] as usize;
                if seen[index] & (1 << step) != 0 {
                    break;
                }
                seen[index] |= 1 << step;
                ring.push([at[0] as u32, at[1] as u32]);
                at = [at[0] + STEPS[step][0], at[1] + STEPS[step][1]];
                // Left first: where two free cells touch with a corner only, the border stays with its own.
                let turns = [(step + 1) % 4, step, (step + 3) % 4];
                step = turns.into_iter().find(|&turn| is_border(at[0], at[1], turn)).unwrap_or(step);
            }
            found.entry(number).or_default().extend(simple(ring));
        }
    }
    found.into_values().map(outer_first).collect()
}

/// Divides a ring where it comes to a corner again, and leaves out corners on straight lines.
fn simple(ring: Vec<[u32; 2]>) -> Vec<Vec<[u32; 2]>> {
    let mut rings = Vec::new();
    let mut path: Vec<[u32; 2]> = Vec::new();
    let mut place: BTreeMap<[u32; 2], usize> = BTreeMap::new();
    for corner in ring {
        if let Some(&first) = place.get(&corner) {
            let part = path.split_off(first);
            part.iter().for_each(|corner| {
                place.remove(corner);
            });
            rings.push(part);
        }
        place.insert(corner, path.len());
        path.push(corner);
    }
    rings.push(path);
    rings.into_iter().map(|ring| turning(&ring)).filter(|ring| ring.len() > 3).collect()
}

fn turning(ring: &[[u32; 2]]) -> Vec<[u32; 2]> {
    let n = ring.len();
    let straight = |i: usize| {
        let (a, b) = (ring[(i + n - 1) % n], ring[(i + 1) % n]);
        a[0] == b[0] || a[1] == b[1]
    };
    (0..n).filter(|&i| !straight(i)).map(|i| ring[i]).collect()
}

/// The outline of a piece is the ring that turns left; all others turn right.
fn outer_first(mut rings: Vec<Vec<[u32; 2]>>) -> Vec<Vec<[u32; 2]>> {
    let doubled = |ring: &Vec<[u32; 2]>| {
        let next = ring.iter().cycle().skip(1);
        let cross =
            |(a, b): (&[u32; 2], &[u32; 2])| i64::from(a[0]) * i64::from(b[1]) - i64::from(a[1]) * i64::from(b[0]);
        ring.iter().zip(next).map(cross).sum::<i64>()
    };
    rings.sort_by_key(|ring| -doubled(ring));
    rings
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Counted by hand, and as many as the outlines have.
    #[test]
    fn corners_are_counted() {
        let check = |rows: &str, expected: usize| {
            let (width, height) = (rows.find(' ').unwrap_or(rows.len()), rows.split(' ').count());
            let text = format!("height {height}\nwidth {width}\nmap\n{}\n", rows.replace(' ', "\n"));
            let cells = cells(&text).unwrap();
            let outlines: usize = areas(&cells).iter().flatten().map(Vec::len).sum();
            assert_eq!((cells.corners(), outlines), (expected, expected), "{rows}");
        };
        check("...", 4);
        check("... .@. ...", 8);
        check(".@ @.", 8);
        check("..@ @..", 8);
        check("... .@@", 6);
    }
}
