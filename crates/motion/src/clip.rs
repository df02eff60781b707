//! A piece of motion that is ready to be walked: one cycle, or a clip that ends.

use crate::take::Take;
use passerby_geometry::Vec2;

/// One cycle (or a clip that ends), ready to be walked by the mediator.
///
/// Everything is relative to the *travel frame*, which moves at the mean velocity of the clip without swaying and is turned so that the
/// torso, averaged over the cycle, faces +x. The hips are a child of it.
#[derive(Debug, Clone, PartialEq)]
pub struct Clip {
    /// Rotations of all joints; `moved[0]` is the hips, relative to the travel frame. The last frame of a loop equals its first.
    pub take: Take,
    /// Whether the first frame follows the last.
    pub looped: bool,
    /// Mean velocity in the frame of the torso, m/s: x forward, y left.
    pub velocity: Vec2,
    /// How fast the travel frame turns, rad/s, counter-clockwise: 0 but for walks in a curve.
    pub turn: f32,
    /// When heel and ball stand: left foot, right foot.
    pub contacts: [FootContacts; 2],
}

/// When the two parts of a foot stand on the ground.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FootContacts {
    /// Of the heel, in order of time.
    pub heel: Vec<Span>,
    /// Of the ball, in order of time.
    pub ball: Vec<Span>,
}

/// A stretch of phase, 0 to 1. In a loop it may begin after its end: it goes over the seam.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Span {
    /// Where it begins.
    pub from: f32,
    /// Where it ends.
    pub to: f32,
}

impl Span {
    /// Whether a phase lies in it.
    pub fn holds(&self, phase: f32) -> bool {
        if self.from <= self.to {
            self.from <= phase && phase <= self.to
        } else {
            self.from <= phase || phase <= self.to
        }
    }

    /// How much of the phase it takes.
    pub fn length(&self) -> f32 {
        if self.from <= self.to { self.to - self.from } else { self.to + 1.0 - self.from }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_go_over_the_seam() {
        let check = |from: f32, to: f32, inside: &[f32], outside: &[f32], length: f32| {
            let span = Span { from, to };
            assert!(
                inside.iter().all(|phase| span.holds(*phase)) && !outside.iter().any(|phase| span.holds(*phase)),
                "{span:?}"
            );
            assert!((span.length() - length).abs() < 1e-6, "{span:?}: {}", span.length());
        };
        check(0.25, 0.75, &[0.25, 0.5, 0.75], &[0.0, 0.2, 0.8, 1.0], 0.5);
        check(0.75, 0.25, &[0.75, 0.9, 1.0, 0.0, 0.25], &[0.3, 0.5, 0.7], 0.5);
    }
}
