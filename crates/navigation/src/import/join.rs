//! Lines put together to outlines, and curves divided into lines.

use std::collections::BTreeMap;
use std::f64::consts::{PI, TAU};

use passerby_geometry::DVec2;
use passerby_geometry::math::double;

use super::error::{ImportError, fail};

/// Rings and lines that lines were joined to at equal ends.
pub(super) struct Joined<T> {
    /// The first point is not repeated.
    pub closed: Vec<Vec<T>>,
    pub open: Vec<Vec<T>>,
}

/// Joins lines at their ends, the earlier ones first.
pub(super) fn join<T: Copy + Ord>(lines: Vec<Vec<T>>) -> Joined<T> {
    let mut ends: BTreeMap<T, Vec<usize>> = BTreeMap::new();
    for (index, line) in lines.iter().enumerate() {
        if let [first, .., last] = line[..] {
            ends.entry(first).or_default().push(index);
            ends.entry(last).or_default().push(index);
        }
    }
    // Lines are taken from the back of each list: the earlier ones first.
    ends.values_mut().for_each(|list| list.reverse());
    let mut used = vec![false; lines.len()];
    let mut take = |at: T, used: &mut Vec<bool>| {
        let list = ends.get_mut(&at)?;
        loop {
            let index = list.pop()?;
            if !used[index] {
                used[index] = true;
                return Some(index);
            }
        }
    };
    let mut joined = Joined { closed: Vec::new(), open: Vec::new() };
    for start in 0..lines.len() {
        if used[start] || lines[start].len() < 2 {
            continue;
        }
        used[start] = true;
        let mut line = lines[start].clone();
        for _ in 0..2 {
            while line.first() != line.last() {
                let Some(index) = take(line[line.len() - 1], &mut used) else { break };
                let next = &lines[index];
                if next[0] == line[line.len() - 1] {
                    line.extend(&next[1..]);
                } else {
                    line.extend(next.iter().rev().skip(1));
                }
            }
            if line.first() == line.last() {
                break;
            }
            line.reverse(); // then from the other end
        }
        if line.first() == line.last() {
            line.pop();
            joined.closed.push(line);
        } else {
            joined.open.push(line);
        }
    }
    joined
}

/// A point by its bits: equal if and only if the points are, once -0 is 0.
pub(super) fn key(point: DVec2) -> [u64; 2] {
    let point = point + DVec2::ZERO;
    [point.x.to_bits(), point.y.to_bits()]
}

pub(super) fn from_key([x, y]: [u64; 2]) -> DVec2 {
    DVec2::new(f64::from_bits(x), f64::from_bits(y))
}

/// Whether a ray from the point crosses the ring an odd number of times.
pub(super) fn encloses(ring: &[DVec2], at: DVec2) -> bool {
    let mut inside = false;
    for (i, a) in ring.iter().enumerate() {
        let b = ring[(i + 1) % ring.len()];
        if (a.y > at.y) != (b.y > at.y) && at.x < a.x + (b.x - a.x) * ((at.y - a.y) / (b.y - a.y)) {
            inside = !inside;
        }
    }
    inside
}

/// A circle as a polygon whose sides lie at most `sagitta` within it.
pub(super) fn circle(at: &str, centre: DVec2, radius: f64, sagitta: f64) -> Result<Vec<DVec2>, ImportError> {
    if !(radius > 0.0 && radius.is_finite()) {
        return fail(at, format!("its radius is {radius}"), "give more than 0");
    }
    let mut points = arc(centre, radius, 0.0, TAU, sagitta);
    points.pop();
    Ok(points)
}

/// Points of an arc, both ends among them.
pub(super) fn arc(centre: DVec2, radius: f64, from: f64, angle: f64, sagitta: f64) -> Vec<DVec2> {
    let step = 2.0 * double::acos((1.0 - sagitta / radius.max(sagitta)).clamp(-1.0, 1.0));
    let least = (8.0 * angle.abs() / TAU).ceil();
    let count = (angle.abs() / step).ceil().max(least).clamp(1.0, 512.0);
    let point = |i: usize| {
        let (sin, cos) = double::sin_cos(from + angle * (i as f64 / count));
        centre + DVec2::new(cos, sin) * radius
    };
    (0..=count as usize).map(point).collect()
}

/// Points between two ends of an arc with this bulge: the tangent of a quarter of its angle, positive to the left.
pub(super) fn bulge(from: DVec2, to: DVec2, bulge: f64, sagitta: f64) -> Vec<DVec2> {
    let angle = 4.0 * double::atan2(bulge, 1.0);
    let chord = to - from;
    if bulge == 0.0 || chord.length() == 0.0 || angle.abs() < 1e-9 || (angle.abs() - TAU).abs() < 1e-9 {
        return Vec::new();
    }
    let radius = chord.length() / 2.0 / double::sin(angle.abs() / 2.0).abs().max(1e-12);
    // From the middle of the chord to the centre.
    let aside = chord.perp() * ((1.0 - bulge * bulge) / (4.0 * bulge));
    let centre = from + chord / 2.0 + aside;
    let start = from - centre;
    let points = arc(centre, radius, double::atan2(start.y, start.x), angle, sagitta);
    points[1..points.len() - 1].to_vec()
}

/// Degrees to radians.
pub(super) fn radians(degrees: f64) -> f64 {
    degrees * (PI / 180.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_become_rings_whatever_their_order_and_sense() {
        let joined = join(vec![vec![1, 2], vec![4, 3], vec![2, 3], vec![1, 4], vec![7, 8, 9], vec![5, 7]]);
        assert_eq!(joined.closed, [vec![1, 2, 3, 4]]);
        assert_eq!(joined.open, [vec![5, 7, 8, 9]]);
    }

    #[test]
    fn a_bulge_of_one_is_half_a_circle_to_the_right_of_its_chord() {
        // Counter-clockwise from (1, 0) to (-1, 0): over (0, 1).
        let points = bulge(DVec2::X, -DVec2::X, 1.0, 0.01);
        assert!(points.iter().all(|p| (p.length() - 1.0).abs() < 1e-12 && p.y > 0.0), "{points:?}");
        let quarter = bulge(DVec2::X, DVec2::Y, (2.0_f64).sqrt() - 1.0, 0.01);
        assert!(quarter.iter().all(|p| (p.length() - 1.0).abs() < 1e-12), "{quarter:?}");
        // Sides within the sagitta: a chord of angle a lies 1 - cos(a / 2) inside.
        let ring = circle("circle", DVec2::ZERO, 1.0, 0.01).unwrap();
        let middle = (ring[0] + ring[1]) / 2.0;
        assert!(middle.length() > 0.99 && ring.len() < 40, "{} points", ring.len());
    }
}
