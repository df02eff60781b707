//! What can be seen from a point: triangular expansion.
//!
//! A cone looks through the edges of the triangle it starts in, and narrows at every edge it passes. Its sides always
//! go through vertices, so the tests are exact: nothing is seen through a wall, however thin.

use passerby_geometry::DVec2;
use passerby_geometry::triangulation::orientation;

use crate::corners::{Corner, Corners, fan};
use crate::ground::FIT;
use crate::mesh::Mesh;

/// What an expansion found, and the memory it needs.
#[derive(Debug, Clone, Default)]
pub(crate) struct Sight {
    /// Wall vertices in sight; a few of them twice.
    pub vertices: Vec<u32>,
    /// Whether the point that was looked for is in sight.
    pub point: bool,
    /// Edges in sight through which the region that was looked for is entered.
    pub entries: Vec<Entry>,
    /// Whether something was left out because it was too far away.
    pub cut: bool,
    /// Triangles that were looked through; some of them several times.
    pub visited: Vec<u32>,
    stack: Vec<Cone>,
    turn: Option<Turn>,
}

/// Somebody turns round a corner on a side, until they leave its circle at a normal.
///
/// They have come from between the wall and the line they leave on, or else the way could be shortened. Their line touches the
/// circle, so whatever it ends at or passes too closely is there too, or beside it at most a diameter in the normal's
/// direction. Most of what the corner sees is elsewhere.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Turn {
    pub side: f64,
    pub normal: DVec2,
    pub radius: f64,
}

/// The visible part of an edge through which a region is entered: fractions from its right to its left end.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Entry {
    /// The triangle outside of the region, and its edge.
    pub edge: (u32, usize),
    pub from: f64,
    pub to: f64,
}

/// What is looked for besides wall vertices.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Sought<'a> {
    /// Nothing.
    Nothing,
    /// A point and the triangles that hold it. Nothing is looked at by which the way from the looker to this point would be
    /// longer than `within`, m.
    Point { at: DVec2, triangles: &'a [u32], within: f64 },
    /// A region: whether each triangle is in it.
    Region(&'a [bool]),
}

impl Sought<'_> {
    /// The same, but only where the way to it is not longer than this, m. Regions are looked for everywhere.
    pub fn within(self, within: f64) -> Self {
        match self {
            Sought::Point { at, triangles, .. } => Sought::Point { at, triangles, within },
            other => other,
        }
    }

    /// Whether the way to it is too long by all points of a segment, given by its right and left end as seen from `from`.
    fn is_short_of(&self, from: DVec2, [right, left]: [DVec2; 2]) -> bool {
        let Sought::Point { at, within, .. } = *self else { return false };
        if within == f64::INFINITY {
            return false;
        }
        let along = left - right;
        // The shortest way by the segment is the straight one if that crosses it; to a point on this side of it, as if
        // it were on the other.
        let offset = along.perp_dot(at - right);
        let opposite = offset * along.perp_dot(from - right) < 0.0;
        let goal = if opposite { at } else { at - along.perp() * (2.0 * offset / along.length_squared()) };
        let by = |p: DVec2| from.distance(p) + p.distance(at);
        let least = if (goal - from).perp_dot(right - from) > 0.0 {
            by(right)
        } else if (goal - from).perp_dot(left - from) < 0.0 {
            by(left)
        } else {
            from.distance(goal)
        };
        least > within
    }
}

/// A cone that has come through `edge` of `triangle`, between the directions of two vertices.
#[derive(Debug, Clone, Copy)]
struct Cone {
    triangle: u32,
    edge: usize,
    right: u32,
    left: u32,
}

impl Sight {
    /// Looks around from `from`, which is in all of `triangles`.
    pub fn look_from_point(
        &mut self,
        mesh: &Mesh,
        corners: &Corners,
        from: DVec2,
        triangles: &[u32],
        sought: Sought<'_>,
    ) {
        self.clear(None);
        for &t in triangles {
            self.start_in(corners, t, mesh, sought);
            for edge in 0..3 {
                let [a, b] = mesh.edge(t, edge);
                // From a point on the edge there is nothing to see through it: the triangle behind it is in the list.
                if orientation(from, a, b) > 0.0 {
                    let ends = mesh.triangle(t).corners;
                    self.look_through(mesh, from, t, edge, (ends[edge], ends[(edge + 1) % 3]), sought);
                }
            }
        }
        self.expand(mesh, corners, from, sought);
    }

    /// Looks around from a corner, into its free sector.
    pub fn look_from_corner(&mut self, mesh: &Mesh, corners: &Corners, corner: &Corner, sought: Sought<'_>) {
        self.look_into(mesh, corners, corner, None, sought);
    }

    /// Looks from a corner to where somebody may have come from who turns round it.
    pub fn look_from_turn(&mut self, mesh: &Mesh, corners: &Corners, corner: &Corner, turn: Turn, sought: Sought<'_>) {
        self.look_into(mesh, corners, corner, Some(turn), sought);
    }

    fn look_into(&mut self, mesh: &Mesh, corners: &Corners, corner: &Corner, turn: Option<Turn>, sought: Sought<'_>) {
        self.clear(turn);
        for (t, i) in fan(mesh, corner.vertex, corner.fan) {
            if let Some(Turn { side, normal, .. }) = turn {
                let near = mesh.triangle(t).corners[(i + if side > 0.0 { 1 } else { 2 }) % 3];
                if !corner.is_before(side, mesh.point(near) - corner.at, normal) {
                    continue;
                }
            }
            self.start_in(corners, t, mesh, sought);
            if let Sought::Region(inside) = sought {
                // The region may begin at a line that starts at this very corner.
                for edge in [i, (i + 2) % 3] {
                    if !inside[t as usize] && mesh.triangle(t).pass[edge].is_some_and(|n| inside[n as usize]) {
                        self.entries.push(Entry { edge: (t, edge), from: 0.0, to: 1.0 });
                    }
                }
            }
            let ends = mesh.triangle(t).corners;
            self.look_through(mesh, corner.at, t, (i + 1) % 3, (ends[(i + 1) % 3], ends[(i + 2) % 3]), sought);
        }
        self.expand(mesh, corners, corner.at, sought);
    }

    fn clear(&mut self, turn: Option<Turn>) {
        self.turn = turn;
        self.cut = false;
        self.vertices.clear();
        self.visited.clear();
        self.entries.clear();
        self.point = false;
    }

    fn start_in(&mut self, corners: &Corners, t: u32, mesh: &Mesh, sought: Sought<'_>) {
        self.visited.push(t);
        self.vertices.extend(mesh.triangle(t).corners.iter().filter(|&&v| corners.is_wall(v)));
        if let Sought::Point { triangles, .. } = sought {
            self.point |= triangles.contains(&t);
        }
    }

    /// Sends the cone between `right` and `left` through an edge, unless that is a wall.
    fn look_through(
        &mut self,
        mesh: &Mesh,
        from: DVec2,
        t: u32,
        edge: usize,
        (right, left): (u32, u32),
        sought: Sought<'_>,
    ) {
        let Some(triangle) = mesh.triangle(t).pass[edge] else { return };
        // The right and the left end of what the cone shows of the edge: where its sides do not go through the edge's ends.
        let (ends, [a, b]) = (mesh.triangle(t).corners, mesh.edge(t, edge));
        let shown = [
            if right == ends[edge] { a } else { towards(from, mesh.point(right), [a, b]) },
            if left == ends[(edge + 1) % 3] { b } else { towards(from, mesh.point(left), [a, b]) },
        ];
        if self.turn.is_some_and(|turn| turn.is_beyond(from, shown)) {
            return;
        }
        if sought.is_short_of(from, shown) {
            self.cut = true;
            return;
        }
        let Some(entered) = mesh.triangle(triangle).pass.iter().position(|&n| n == Some(t)) else { return };
        if let Sought::Region(inside) = sought {
            let ends = mesh.edge(t, edge);
            let fraction = |v: u32| fraction_towards(from, mesh.point(v), ends);
            match (inside[t as usize], inside[triangle as usize]) {
                (false, true) => {
                    self.entries.push(Entry { edge: (t, edge), from: fraction(right), to: fraction(left) });
                }
                // Seen from inside: a corner there may be turned round by somebody who is still outside.
                (true, false) => {
                    let (from, to) = (1.0 - fraction(left), 1.0 - fraction(right));
                    self.entries.push(Entry { edge: (triangle, entered), from, to });
                }
                _ => {}
            }
        }
        self.visited.push(triangle);
        self.stack.push(Cone { triangle, edge: entered, right, left });
    }

    fn expand(&mut self, mesh: &Mesh, corners: &Corners, from: DVec2, sought: Sought<'_>) {
        while let Some(Cone { triangle, edge, right, left }) = self.stack.pop() {
            if let Sought::Point { at, triangles, .. } = sought
                && triangles.contains(&triangle)
                && orientation(from, mesh.point(right), at) >= 0.0
                && orientation(from, mesh.point(left), at) <= 0.0
            {
                self.point = true;
            }
            let apex = mesh.triangle(triangle).corners[(edge + 2) % 3];
            let at = mesh.point(apex);
            let (of_right, of_left) =
                (orientation(from, mesh.point(right), at), orientation(from, mesh.point(left), at));
            if of_right >= 0.0 && of_left <= 0.0 && corners.is_wall(apex) {
                self.vertices.push(apex);
            }
            if of_right > 0.0 {
                let left = if of_left < 0.0 { apex } else { left };
                self.look_through(mesh, from, triangle, (edge + 1) % 3, (right, left), sought);
            }
            if of_left < 0.0 {
                let right = if of_right > 0.0 { apex } else { right };
                self.look_through(mesh, from, triangle, (edge + 2) % 3, (right, left), sought);
            }
        }
    }
}

impl Turn {
    /// Whether all of an edge that a cone shows, and so all behind it, is farther than a diameter from the line.
    fn is_beyond(&self, from: DVec2, shown: [DVec2; 2]) -> bool {
        // Where it begins to be seen: before the line, everything behind it may matter.
        let first = if self.side > 0.0 { shown[0] } else { shown[1] };
        self.normal.dot(first - from) > 0.0
            && shown.into_iter().all(|p| self.normal.dot(p - from) > 2.0 * self.radius + FIT)
    }
}

/// Where the ray from `from` towards `through` meets a segment.
fn towards(from: DVec2, through: DVec2, [a, b]: [DVec2; 2]) -> DVec2 {
    a + (b - a) * fraction_towards(from, through, [a, b])
}

/// At which fraction of the segment the ray from `from` towards `through` meets it.
fn fraction_towards(from: DVec2, through: DVec2, [a, b]: [DVec2; 2]) -> f64 {
    let ray = through - from;
    let (of_a, of_b) = (ray.perp_dot(a - from), ray.perp_dot(b - from));
    if of_a == of_b { 0.0 } else { (of_a / (of_a - of_b)).clamp(0.0, 1.0) }
}
