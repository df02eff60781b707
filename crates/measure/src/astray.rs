//! Lines, areas and strips that nobody can be at: off the floor of the place, or beyond everything that was recorded. Their numbers would be
//! zeros that look measured; most often a unit or a coordinate is wrong.

use std::fmt;

use passerby_geometry::{DVec2, Polygon};

use crate::floor::Floor;
use crate::grid::Extent;

/// Something that nobody can be at.
#[derive(Debug, Clone, PartialEq)]
pub struct Astray {
    /// "line", "area" or "strip".
    pub kind: &'static str,
    /// Its name.
    pub name: String,
    /// Where everybody was, m; `None` if it lies off the floor.
    pub people: Option<Extent>,
}

impl fmt::Display for Astray {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Astray { kind, name, people } = self;
        match people {
            None => write!(f, "{kind} \"{name}\" lies off the floor of the place: nobody can be there"),
            Some(Extent { low: [left, low], high: [right, high] }) => write!(
                f,
                "{kind} \"{name}\" lies beyond everybody: people were between ({left:.2}, {low:.2}) and ({right:.2}, {high:.2}) m"
            ),
        }
    }
}

/// Why nobody can be at a shape with these corners, a line if there are two; `None` if somebody can.
pub fn astray(
    kind: &'static str,
    name: &str,
    corners: &[[f64; 2]],
    floor: Option<&Floor>,
    people: Option<Extent>,
) -> Option<Astray> {
    let found = |people: Option<Extent>| Some(Astray { kind, name: name.to_owned(), people });
    if floor.is_some_and(|floor| !on_floor(corners, floor)) {
        return found(None);
    }
    let (shape, people) = (Extent::of(corners.iter().copied())?, people?);
    let apart = |axis: usize| shape.high[axis] < people.low[axis] || people.high[axis] < shape.low[axis];
    if apart(0) || apart(1) { found(Some(people)) } else { None }
}

fn on_floor(corners: &[[f64; 2]], floor: &Floor) -> bool {
    let points: Vec<DVec2> = corners.iter().copied().map(DVec2::from).collect();
    if let [a, b] = points[..] {
        return floor.has_part_of([a, b]);
    }
    let region = Polygon::new(points).ok().and_then(|polygon| Floor::of_polygon(&polygon).ok());
    region.is_none_or(|region| floor.overlaps(&region))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shapes_are_looked_for_on_the_floor_and_among_people() {
        // An L: 10 x 2 along x and 2 x 10 along y.
        let corners = [[0.0, 0.0], [10.0, 0.0], [10.0, 2.0], [2.0, 2.0], [2.0, 10.0], [0.0, 10.0]].map(DVec2::from);
        let floor = Floor::of_polygon(&Polygon::new(corners.to_vec()).unwrap()).unwrap();
        let people = Extent { low: [1.0, 1.0], high: [9.0, 1.5] };
        let check = |corners: &[[f64; 2]], floor: Option<&Floor>, words: Option<&str>| {
            let found = astray("line", "gate", corners, floor, Some(people)).map(|astray| astray.to_string());
            assert_eq!(found.is_some(), words.is_some(), "{corners:?}: {found:?}");
            assert!(found.unwrap_or_default().contains(words.unwrap_or_default()), "{corners:?}");
        };
        let off = Some("line \"gate\" lies off the floor");
        let beyond = Some("lies beyond everybody: people were between (1.00, 1.00) and (9.00, 1.50) m");
        check(&[[5.0, -3.0], [5.0, 9.0]], Some(&floor), None);
        check(&[[5.0, 3.0], [9.0, 9.0]], Some(&floor), off); // in the notch
        check(&[[5.0, 3.0], [9.0, 9.0]], None, beyond);
        check(&[[0.0, 0.0], [0.0, 2.0]], Some(&floor), beyond); // along a wall, left of everybody
        check(&[[0.0, 2.0], [10.0, 2.0]], Some(&floor), beyond);
        check(&[[0.0, 1.2], [10.0, 1.2]], Some(&floor), None);
        check(&[[3.0, 3.0], [9.0, 3.0], [9.0, 9.0]], Some(&floor), off);
        check(&[[3.0, 1.5], [9.0, 1.5], [9.0, 9.0]], Some(&floor), None);
        check(&[[0.5, 5.0], [1.5, 5.0], [1.5, 6.0]], Some(&floor), beyond);
        check(&[[500.0, 120.0], [900.0, 120.0], [900.0, 130.0]], None, beyond);
        assert_eq!(astray("area", "a", &[[5.0, 0.0], [5.0, 1.0]], None, None), None);
    }
}
