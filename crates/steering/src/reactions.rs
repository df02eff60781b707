//! How a collision is met: the tables of Figure 11 of Lamarche and Donikian 2004.

use passerby_geometry::{Vec2, math};

/// The kinds of collisions, Figure 10.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// Somebody runs into the walker from behind.
    Rear,
    /// Somebody comes towards the walker.
    Front,
    /// Somebody goes the same way, or crosses at a right angle.
    Back,
    /// Somebody stands.
    Static,
}

impl Kind {
    /// All of them with the names they have in a scenario file.
    pub const ALL: [(&str, Kind); 4] =
        [("rear", Kind::Rear), ("front", Kind::Front), ("back", Kind::Back), ("static", Kind::Static)];
}

/// Changes of velocity that avoid a collision, in the order in which equal ones are preferred.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reaction {
    /// Turn so as to pass on the right, at the same speed.
    Right,
    /// Turn so as to pass on the left, at the same speed.
    Left,
    /// Slow down, in the same direction.
    Decelerate,
    /// Walk faster, in the same direction.
    Accelerate,
}

impl Reaction {
    /// In the order of the tables: ties are settled by it.
    pub const ALL: [Reaction; 4] = [Reaction::Right, Reaction::Left, Reaction::Decelerate, Reaction::Accelerate];

    /// Its name in a scenario file.
    pub fn name(self) -> &'static str {
        ["right", "left", "decelerate", "accelerate"][self as usize]
    }
}

/// Exponents with which a change is rated: n(S_O, S_I, beta_d, beta_n).
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Rating {
    /// Of the change of direction, beta_d, 0 to 100.
    pub turn: f32,
    /// Of the change of speed, beta_n, 0 to 100.
    pub speed: f32,
}

impl Rating {
    /// What a changed velocity is worth beside the one that was wanted, from 0 to 1.
    pub(crate) fn quality(&self, changed: Vec2, wanted: Vec2) -> f32 {
        let (a, b) = (changed.length(), wanted.length());
        if a.min(b) <= 1e-6 {
            return 0.0;
        }
        let cosine = (changed.dot(wanted) / (a * b)).clamp(-1.0, 1.0);
        // c_d: turned; c_n: slower or faster.
        let turned = power(0.5 * (1.0 + cosine), self.turn) * 2.0 - 1.0;
        (turned * power(a.min(b) / a.max(b), self.speed)).clamp(0.0, 1.0)
    }
}

/// Whole exponents, the usual ones, need no logarithm.
fn power(base: f32, exponent: f32) -> f32 {
    match exponent {
        1.0 => base,
        2.0 => base * base,
        5.0 => base * base * base * base * base,
        _ => math::powf(base, exponent),
    }
}

/// What comes into question for one kind of collision.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Answer {
    /// Whether the collision is accepted: the other will take care of it.
    pub accept: bool,
    /// How each reaction of [`Reaction::ALL`] is rated; `None`: out of question.
    pub rated: [Option<Rating>; 4],
}

/// What comes into question for each kind of collision, in the order of [`Kind::ALL`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Reactions {
    /// By kind.
    pub to: [Answer; 4],
}

const PLAIN: Option<Rating> = Some(Rating { turn: 1.0, speed: 1.0 });
/// To walk faster is rated lower than to walk slower.
const FASTER: Option<Rating> = Some(Rating { turn: 1.0, speed: 5.0 });
const ACCEPT: Answer = Answer { accept: true, rated: [None; 4] };

impl Reactions {
    /// Figure 11, above: oncoming people are passed on the right, others on the left.
    pub const DRIVING_RULE: Reactions = Reactions {
        to: [
            ACCEPT,
            Answer { accept: false, rated: [PLAIN, None, PLAIN, FASTER] },
            Answer { accept: false, rated: [None, PLAIN, PLAIN, FASTER] },
            Answer { accept: false, rated: [PLAIN, PLAIN, None, None] },
        ],
    };

    /// Figure 11, below: whatever changes least.
    pub const MINIMAL_ADJUSTMENT: Reactions = Reactions {
        to: [
            ACCEPT,
            Answer { accept: false, rated: [PLAIN, PLAIN, PLAIN, FASTER] },
            Answer { accept: false, rated: [PLAIN, PLAIN, PLAIN, FASTER] },
            Answer { accept: false, rated: [PLAIN, PLAIN, None, None] },
        ],
    };

    /// The tables by the names they have in a scenario file.
    pub const PRESETS: [(&str, Reactions); 2] =
        [("driving-rule", Reactions::DRIVING_RULE), ("minimal-adjustment", Reactions::MINIMAL_ADJUSTMENT)];
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The ratings of the worked examples.
    #[test]
    fn ratings_are_those_of_the_worked_examples() {
        let rate = |turn: f32, speed: f32, changed: Vec2| Rating { turn, speed }.quality(changed, Vec2::new(1.3, 0.0));
        let towards = |degrees: f32, speed: f32| {
            let (sin, cos) = math::sin_cos(degrees.to_radians());
            speed * Vec2::new(cos, sin)
        };
        for (found, expected) in [
            (rate(1.0, 1.0, towards(30.0, 1.3)), 0.866025),
            (rate(2.0, 1.0, towards(30.0, 1.3)), 0.741025),
            (rate(1.0, 1.0, towards(0.0, 1.0)), 0.769231),
            (rate(1.0, 5.0, towards(0.0, 1.6)), 0.354093),
            (rate(1.0, 1.0, towards(90.0, 1.3)), 0.0),
            (rate(1.0, 1.0, towards(180.0, 1.3)), 0.0),
            (rate(1.0, 1.0, Vec2::ZERO), 0.0),
        ] {
            assert!((found - expected).abs() < 1e-4, "{found}, expected {expected}");
        }
    }
}
