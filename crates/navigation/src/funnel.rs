//! String pulling: the shortest line through a sequence of portals, drawn in from their ends by a radius.

use passerby_geometry::{DVec2, Vec2};

use crate::hierarchy::Crossing;
use crate::subdivision::Subdivision;

/// Puts the corners of the shortest line from `from` through the portals to `to` into `out`, both ends included, and gives its
/// length, m. Portals lose `radius` at both ends; one that is not longer than that is passed in its middle. Clears `out` before.
///
/// Between two portals that meet in a corner the line cuts the arc round it, so it is a little too short for a disc.
pub fn pull(
    subdivision: &Subdivision,
    from: Vec2,
    crossings: &[Crossing],
    to: Vec2,
    radius: f64,
    out: &mut Vec<DVec2>,
) -> f64 {
    let (from, to) = (from.as_dvec2(), to.as_dvec2());
    let gate = |i: usize| match crossings.get(i) {
        Some(crossing) => narrowed(subdivision, *crossing, radius),
        None => [to, to],
    };
    out.clear();
    out.push(from);
    let (mut apex, [mut right, mut left]) = (from, gate(0));
    let (mut right_at, mut left_at, mut i) = (0, 0, 1);
    let left_of = |p: DVec2, q: DVec2, r: DVec2| (q - p).perp_dot(r - p);
    while i <= crossings.len() {
        let [next_right, next_left] = gate(i);
        let mut restart = None;
        if left_of(apex, right, next_right) >= 0.0 {
            if right == apex || left_of(apex, left, next_right) <= 0.0 {
                (right, right_at) = (next_right, i);
            } else {
                restart = Some((left, left_at));
            }
        }
        if restart.is_none() && left_of(apex, left, next_left) <= 0.0 {
            if left == apex || left_of(apex, right, next_left) >= 0.0 {
                (left, left_at) = (next_left, i);
            } else {
                restart = Some((right, right_at));
            }
        }
        i += 1;
        if let Some((corner, at)) = restart {
            if corner != apex {
                out.push(corner);
            }
            apex = corner;
            [right, left] = gate(at + 1);
            (right_at, left_at, i) = (at + 1, at + 1, at + 2);
        }
    }
    if out.last() != Some(&to) {
        out.push(to);
    }
    out.windows(2).map(|pair| pair[0].distance(pair[1])).sum()
}

/// The right and left end of a portal as seen by who crosses it, drawn in by the radius.
fn narrowed(subdivision: &Subdivision, crossing: Crossing, radius: f64) -> [DVec2; 2] {
    let portal = subdivision.portal(crossing.portal);
    // The first cell is to the left of the portal. Into it, the start of the portal is on the left-hand side.
    let [a, b] = portal.ends;
    let [right, left] = if portal.cells[0] == crossing.into { [b, a] } else { [a, b] };
    let length = right.distance(left);
    if length <= 2.0 * radius {
        return [portal.middle(); 2];
    }
    let inward = (left - right) * (radius / length);
    [right + inward, left - inward]
}
