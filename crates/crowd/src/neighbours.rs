//! Whom a walker looks at.

use crate::search::{Group, Nearest};
use crate::{Graph, Index, Slot};
use passerby_geometry::Vec2;
use passerby_geometry::lanes::Width;
use passerby_geometry::math;
use passerby_geometry::walls::Walls;

/// How many neighbours a walker can look at.
pub const NEAREST_MAX: u32 = 32;

/// Whom a walker looks at: a choice of the scenario, the same for every model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Neighbours {
    /// The nearest ones, wherever they are, walls or not.
    Nearest {
        /// How many at most, up to [`NEAREST_MAX`].
        count: u32,
        /// How far, m.
        within: f32,
    },
    /// The nearest of those in its field of view whom no wall hides. Somebody who touches it is felt, seen or not.
    View {
        /// How wide it sees in all, rad; half of it to each side of where it faces.
        angle: f32,
        /// How many at most, up to [`NEAREST_MAX`].
        count: u32,
        /// How far, m.
        within: f32,
    },
    /// Those it is joined to in the neighbourhood graph, up to [`NEAREST_MAX`] of them: far ones in sparse crowds, near ones in dense
    /// crowds, nobody behind a wall.
    Delaunay,
}

impl Default for Neighbours {
    fn default() -> Self {
        Neighbours::Nearest { count: 10, within: 5.0 }
    }
}

impl Neighbours {
    /// How many they are at most.
    pub fn count(&self) -> u32 {
        match *self {
            Neighbours::Nearest { count, .. } | Neighbours::View { count, .. } => count,
            Neighbours::Delaunay => NEAREST_MAX,
        }
    }

    /// How many have to be looked at to find them: of the nearest some are not seen.
    pub fn looked_at(&self) -> u32 {
        match *self {
            Neighbours::Nearest { count, .. } => count,
            Neighbours::View { .. } | Neighbours::Delaunay => NEAREST_MAX,
        }
    }

    /// Finds the neighbours of each walker of a group, nearest first, ties by id. `heading` says where a slot faces, rad; the graph has
    /// to be that of the index where it is asked.
    #[inline(always)]
    pub fn find<const K: usize>(
        &self,
        width: Width,
        index: &Index,
        (walls, graph): (&Walls, &Graph),
        heading: impl Fn(Slot) -> f32,
        group: &Group,
        nearest: &mut Nearest<K>,
    ) {
        match *self {
            Neighbours::Nearest { count, within } => {
                nearest.find_with(width, index, group, within);
                nearest.keep_first(count);
            }
            Neighbours::View { angle, count, within } => {
                let half = math::cos((0.5 * angle).min(std::f32::consts::PI));
                nearest.find_seen(width, index, group, (count, within), |own, other| {
                    let (me, they) = (index.body(own), index.body(other));
                    sees(me.position, heading(own), half, they.position, me.radius + they.radius, walls)
                });
            }
            Neighbours::Delaunay => nearest.take(group, |slot| graph.of(slot)),
        }
    }
}

/// Whether somebody at `from` who faces `heading` sees `to`, with half the field of view given by its cosine. Who is as near as
/// `touch` is felt.
fn sees(from: Vec2, heading: f32, half: f32, to: Vec2, touch: f32, walls: &Walls) -> bool {
    let (offset, (sin, cos)) = (to - from, math::sin_cos(heading));
    let distance = offset.length();
    distance <= touch || (offset.dot(Vec2::new(cos, sin)) >= half * distance && walls.visible(from, to))
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby_geometry::Segment;

    /// 200 degrees: 100 to each side.
    #[test]
    fn the_field_of_view_ends_where_it_says() {
        let none = Walls::new(Vec::new());
        let half = math::cos(100f32.to_radians());
        let at = |degrees: f32| {
            let (sin, cos) = math::sin_cos(degrees.to_radians());
            sees(Vec2::ZERO, 0.0, half, 3.0 * Vec2::new(cos, sin), 0.5, &none)
        };
        assert!(at(0.0) && at(99.0) && at(-99.0) && !at(101.0) && !at(-101.0) && !at(180.0));
    }

    #[test]
    fn walls_hide_and_touch_is_felt() {
        let wall = Walls::new(vec![Segment { a: Vec2::new(1.0, -1.0), b: Vec2::new(1.0, 1.0) }]);
        assert!(!sees(Vec2::ZERO, 0.0, -1.0, Vec2::new(2.0, 0.0), 0.5, &wall));
        assert!(sees(Vec2::ZERO, 0.0, -1.0, Vec2::new(2.0, 2.5), 0.5, &wall));
        // Behind its back, but in contact.
        assert!(sees(Vec2::ZERO, 0.0, 0.0, Vec2::new(-0.45, 0.0), 0.5, &wall));
    }
}
