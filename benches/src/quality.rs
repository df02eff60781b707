//! How well a crowd walks: do they get on, and do they overlap?

use crate::scene::{RADIUS, SPEED, Scene};
use crate::{Crowd, Walking};

/// Figures of one run.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Quality {
    /// Mean speed in the desired direction over the desired speed, of those not at their goal.
    pub progress: f64,
    /// Pairs that overlap by more than a centimetre, for each person, mean over the steps.
    pub overlaps: f64,
    /// Deepest overlap, m.
    pub deepest: f32,
}

impl Quality {
    /// Steps a crowd of this scene and looks at it every fifth time.
    pub fn of(scene: &Scene, crowd: &mut impl Crowd, steps: usize) -> Quality {
        let (mut quality, mut looks, mut moving) = (Quality::default(), 0, 0);
        let mut state = Vec::new();
        for step in 1..=steps {
            crowd.step();
            if step % 5 == 0 {
                crowd.state(&mut state);
                looks += 1;
                for walking in state.iter().filter(|w| w.desired.length() > 0.9 * SPEED) {
                    moving += 1;
                    quality.progress += f64::from(walking.velocity.dot(walking.desired.normalize()) / SPEED);
                }
                let (pairs, deepest) = overlaps(&mut state);
                quality.overlaps += pairs as f64 / scene.start.len() as f64;
                quality.deepest = quality.deepest.max(deepest);
            }
        }
        quality.progress /= f64::from(moving.max(1));
        quality.overlaps /= f64::from(looks.max(1));
        quality
    }

    /// Whether both walk equally well: a tenth in progress (who takes all of the room that others leave, see
    /// [`crate::peer::GiveWay`], gets on a little faster), 0.01 or 30 % in overlaps, ten centimetres in the deepest one.
    pub fn agrees(&self, other: &Quality) -> bool {
        (self.progress - other.progress).abs() <= 0.1
            && (self.overlaps - other.overlaps).abs() <= 0.01 + 0.3 * self.overlaps.max(other.overlaps)
            && (self.deepest - other.deepest).abs() <= 0.1
    }
}

/// Pairs that overlap by more than a centimetre, and the deepest overlap. Sorts the people by x.
fn overlaps(people: &mut [Walking]) -> (usize, f32) {
    people.sort_by(|a, b| a.position.x.total_cmp(&b.position.x));
    let (mut pairs, mut deepest) = (0, 0.0f32);
    for (i, a) in people.iter().enumerate() {
        for b in people[i + 1..].iter().take_while(|b| b.position.x - a.position.x < 2.0 * RADIUS) {
            let depth = 2.0 * RADIUS - a.position.distance(b.position);
            deepest = deepest.max(depth);
            pairs += usize::from(depth > 0.01);
        }
    }
    (pairs, deepest)
}
