//! Things that move along a path in time, such as a bus: where they are is a function of time alone.

use serde::{Deserialize, Serialize};

/// A polygon that moves along a path.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub struct Mover {
    /// Its name in the scenario.
    pub name: String,
    /// Its corners around its own origin, m; it faces along +x.
    pub polygon: Vec<[f64; 2]>,
    /// When its origin is where: `[s, x, y]`, times rise, straight in between. It is there from the first time to the last.
    pub path: Vec<[f64; 3]>,
    /// Whether it starts over at the first point when it has reached the last.
    pub repeat: bool,
    /// Whether it faces along its path.
    pub turn: bool,
}

/// Where a mover is.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Pose {
    /// Its origin, m.
    pub at: [f64; 2],
    /// Unit vector in which its +x points.
    pub facing: [f64; 2],
    /// m/s.
    pub velocity: [f64; 2],
}

/// Tolerance on times, s.
const HAIR: f64 = 1e-9;

impl Mover {
    /// Where it is at a time, s; `None` when it is not there.
    pub fn pose(&self, time: f64) -> Option<Pose> {
        let ([first, ..], [last, ..]) = (self.path.first()?, self.path.last()?);
        let mut time = time;
        if self.repeat && time > *last && last > first {
            time = first + (time - first).rem_euclid(last - first);
        }
        if time < first - HAIR || time > last + HAIR {
            return None;
        }
        // The leg that it is on; at its very end it is on the last one.
        let next = self.path.partition_point(|[when, ..]| *when <= time + HAIR).clamp(1, self.path.len().max(2) - 1);
        let ([t0, x0, y0], [t1, x1, y1]) = (self.path[next - 1], *self.path.get(next).unwrap_or(&self.path[next - 1]));
        let lasting = t1 - t0;
        let share = if lasting > 0.0 { ((time - t0) / lasting).clamp(0.0, 1.0) } else { 0.0 };
        let velocity = if lasting > 0.0 { [(x1 - x0) / lasting, (y1 - y0) / lasting] } else { [0.0, 0.0] };
        Some(Pose { at: [x0 + share * (x1 - x0), y0 + share * (y1 - y0)], facing: self.facing(next - 1), velocity })
    }

    /// Its corners at a time, s, m; `None` when it is not there.
    pub fn outline(&self, time: f64) -> Option<Vec<[f64; 2]>> {
        let Pose { at, facing: [c, s], .. } = self.pose(time)?;
        Some(self.polygon.iter().map(|[x, y]| [at[0] + c * x - s * y, at[1] + s * x + c * y]).collect())
    }

    /// Where it faces on a leg: along it. Where it stands, as on the last leg before on which it moved, else the first after.
    fn facing(&self, leg: usize) -> [f64; 2] {
        let along = |leg: usize| {
            let ([_, x0, y0], [_, x1, y1]) = (self.path.get(leg)?, self.path.get(leg + 1)?);
            let [x, y] = [x1 - x0, y1 - y0];
            let length = (x * x + y * y).sqrt();
            (length > 0.0).then(|| [x / length, y / length])
        };
        let moving = (0..=leg).rev().find_map(along).or_else(|| (leg + 1..self.path.len()).find_map(along));
        moving.filter(|_| self.turn).unwrap_or([1.0, 0.0])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bus() -> Mover {
        Mover {
            name: "bus".to_owned(),
            polygon: vec![[-5.0, -1.0], [5.0, -1.0], [5.0, 1.0], [-5.0, 1.0]],
            path: vec![[10.0, 0.0, 0.0], [20.0, 20.0, 0.0], [25.0, 20.0, 0.0], [30.0, 20.0, 10.0]],
            repeat: false,
            turn: true,
        }
    }

    #[test]
    fn it_is_there_from_the_first_time_to_the_last() {
        let bus = bus();
        assert_eq!((bus.pose(9.9), bus.pose(30.1)), (None, None));
        let at = |time: f64| bus.pose(time).map(|pose| (pose.at, pose.facing, pose.velocity));
        assert_eq!(at(10.0), Some(([0.0, 0.0], [1.0, 0.0], [2.0, 0.0])));
        assert_eq!(at(15.0), Some(([10.0, 0.0], [1.0, 0.0], [2.0, 0.0])));
        // At the stop it faces as it came.
        assert_eq!(at(22.0), Some(([20.0, 0.0], [1.0, 0.0], [0.0, 0.0])));
        assert_eq!(at(27.5), Some(([20.0, 5.0], [0.0, 1.0], [0.0, 2.0])));
        assert_eq!(at(30.0), Some(([20.0, 10.0], [0.0, 1.0], [0.0, 2.0])));
        assert_eq!(bus.outline(27.5).map(|corners| corners[0]), Some([21.0, 0.0]));
    }

    #[test]
    fn it_starts_over_and_keeps_its_direction_if_told_to() {
        let bus = Mover { repeat: true, turn: false, ..bus() };
        assert_eq!(bus.pose(9.0), None);
        assert_eq!(bus.pose(35.0).map(|pose| (pose.at, pose.facing)), Some(([10.0, 0.0], [1.0, 0.0])));
        assert_eq!(
            bus.pose(10.0 + 20.0 * 50.0 + 17.5).map(|pose| (pose.at, pose.facing)),
            Some(([20.0, 5.0], [1.0, 0.0]))
        );
    }

    #[test]
    fn broken_ones_are_nowhere() {
        assert_eq!(Mover::default().pose(0.0), None);
        let one = Mover { path: vec![[1.0, 2.0, 3.0]], ..bus() };
        assert_eq!(one.pose(1.0).map(|pose| pose.at), Some([2.0, 3.0]));
        let same = Mover { path: vec![[1.0, 2.0, 3.0], [1.0, 4.0, 5.0]], repeat: true, ..bus() };
        assert!(same.pose(1.0).is_some_and(|pose| pose.at[0].is_finite()));
    }
}
