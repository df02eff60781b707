//! Where everybody starts and wants to go.

use passerby_geometry::Vec2;
use passerby_geometry::chance::{Chance, Purpose};

/// Half a person's width, m.
pub const RADIUS: f32 = 0.25;
/// Desired speed, m/s.
pub const SPEED: f32 = 1.3;
/// Highest speed, m/s.
pub const SPEED_MAX: f32 = 1.3 * SPEED;
/// How many others each looks at.
pub const NEIGHBOURS: usize = 10;
/// How far each looks, m.
pub const RANGE: f32 = 5.0;
/// How far ahead collisions are avoided, s.
pub const HORIZON: f32 = 3.0;
/// Length of a step, s.
pub const DT: f32 = 0.1;

/// What somebody wants.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Goal {
    /// To reach this point and stay.
    Point(Vec2),
    /// To walk on in this direction (of length 1) and turn round at the border of the scene, for ever.
    Along(Vec2),
}

/// Where everybody starts and wants to go.
#[derive(Debug, Clone, PartialEq)]
pub struct Scene {
    /// As in the tables.
    pub name: String,
    /// The lower left corner.
    pub low: Vec2,
    /// The upper right corner.
    pub high: Vec2,
    /// Starting points: nobody overlaps.
    pub start: Vec<Vec2>,
    /// What each wants.
    pub goal: Vec<Goal>,
    /// Steps of one run: until the circle is crossed, or few enough for everybody to stay about where the storage has them.
    pub steps: usize,
    /// People in a cell of the peer's grid if they stood evenly: where the peer is fastest (tried: 0.25 to 8). A circle's
    /// people meet in the middle, which wants smaller cells.
    pub peer_cell: f32,
}

impl Scene {
    /// So many people on rings one metre apart, one metre from one another, each on the way to the opposite point. Up to a
    /// centimetre beside the ideal place: in a perfectly symmetric circle everything is a tie.
    pub fn circle(people: usize) -> Scene {
        let mut stream = Chance::new(1).stream(0, 0, Purpose::Placement);
        let rings = (people as f32 / 130.0).ceil();
        let (mut ring, mut start) = (people as f32 / rings / std::f32::consts::TAU - 0.5 * (rings - 1.0), Vec::new());
        while start.len() < people {
            let here = ((std::f32::consts::TAU * ring).round() as usize).min(people - start.len());
            for i in 0..here {
                let angle = std::f32::consts::TAU * i as f32 / here as f32;
                let mut off = || stream.between(-0.01, 0.01) as f32;
                start.push(ring * Vec2::from_angle(angle) + Vec2::new(off(), off()));
            }
            ring += 1.0;
        }
        let steps = (2.0 * ring / SPEED / DT) as usize + 50;
        let goal = start.iter().map(|at| Goal::Point(-*at)).collect();
        let high = Vec2::splat(ring + 1.0);
        Scene {
            name: format!("circle of {people}"),
            low: -high,
            high,
            start,
            goal,
            steps,
            peer_cell: if people > 500 { 0.4 } else { 1.0 },
        }
    }

    /// So many people at so many persons per m2, each in a random direction.
    pub fn plane(people: usize, density: f32) -> Scene {
        let mut stream = Chance::new(2).stream(0, 0, Purpose::Placement);
        let columns = (people as f32).sqrt().ceil() as usize;
        let spacing = density.sqrt().recip();
        let slack = f64::from(0.5 * spacing - RADIUS);
        let rows = people.div_ceil(columns);
        let start = (0..people).map(|i| {
            let cell = Vec2::new((i % columns) as f32, (i / columns) as f32) + 0.5;
            let mut off = || stream.between(-slack, slack) as f32;
            cell * spacing + Vec2::new(off(), off())
        });
        let start = start.collect();
        let goal = (0..people)
            .map(|_| Goal::Along(Vec2::from_angle(stream.between(0.0, std::f64::consts::TAU) as f32)))
            .collect();
        let name = format!("{}k at {density:.1}/m²", people / 1000);
        let high = Vec2::new(columns as f32, rows as f32) * spacing;
        Scene { name, low: Vec2::ZERO, high, start, goal, steps: 100, peer_cell: 2.0 }
    }

    /// The velocity somebody at `at` would choose if alone. Who is outside the border turns round.
    #[inline]
    pub fn desired(&self, at: Vec2, goal: &mut Goal) -> Vec2 {
        match goal {
            Goal::Point(to) => ((*to - at) / DT).clamp_length_max(SPEED),
            Goal::Along(direction) => {
                for axis in 0..2 {
                    if at[axis] < self.low[axis] {
                        direction[axis] = direction[axis].abs();
                    } else if at[axis] > self.high[axis] {
                        direction[axis] = -direction[axis].abs();
                    }
                }
                SPEED * *direction
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_overlaps_at_the_start() {
        for scene in [Scene::circle(100), Scene::circle(1000), Scene::plane(1000, 0.5), Scene::plane(1000, 1.5)] {
            assert_eq!(scene.start.len(), scene.goal.len());
            for (i, a) in scene.start.iter().enumerate() {
                let gap = scene.start[..i].iter().map(|b| a.distance(*b)).fold(f32::INFINITY, f32::min);
                assert!(gap >= 2.0 * RADIUS - 1e-5, "{}: {i} is {gap} m from another", scene.name);
                assert!(a.cmpge(scene.low).all() && a.cmple(scene.high).all(), "{}: {a} is outside", scene.name);
            }
        }
    }
}
