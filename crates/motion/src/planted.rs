//! Feet on the ground: where they are, how they stay there, and how far beyond a leg's reach that is.

use crate::footing::Point;
use crate::leg::{self, REACH};
use crate::library::{ClipId, Library};
use crate::mediator::{ROLL, Walked};
use crate::state::Foot;
use passerby_geometry::{Vec2, Vec3, math};

/// When and how turned.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Moment {
    pub phase: f32,
    pub heading: f32,
}

/// Where heel or ball of a foot is, from the root, in the world's directions, m. Phases go on beyond 1.
pub(crate) fn contact(library: &Library, foot: &Foot, side: usize, point: Point, scale: f32, at: &Moment) -> Vec2 {
    let phase = if at.phase >= 1.0 { at.phase - 1.0 } else { at.phase };
    let now = library.footing(foot.clip).contact(side, point, phase);
    let place = if foot.fade >= 1.0 {
        now
    } else {
        library.footing(foot.before).contact(side, point, phase).lerp(now, foot.weight())
    };
    let (sin, cos) = math::sin_cos(at.heading);
    Vec2::new(cos, sin).rotate(place) * scale
}

/// A foot that stands goes by another clip from now on, and stays where it is.
pub(crate) fn stay(
    library: &Library,
    scale: f32,
    heading: f32,
    foot: &mut Foot,
    side: usize,
    phases: (f32, f32),
    clip: ClipId,
) {
    let was = contact(library, foot, side, Point::Ball, scale, &Moment { phase: phases.0, heading });
    (foot.before, foot.clip, foot.fade) = (clip, clip, 1.0);
    let is = contact(library, foot, side, Point::Ball, scale, &Moment { phase: phases.1, heading });
    foot.shift += was - is;
    foot.land();
}

/// Notes how far a foot that is held is beyond the leg's reach once the pelvis has given way by `give`, m, and a foot that stands on its ball
/// has rolled.
pub(crate) fn hold(
    library: &Library,
    foot: &mut Foot,
    (side, point): (usize, Point),
    scale: f32,
    at: &Moment,
    give: f32,
    walked: &mut Walked,
) {
    let place = library.footing(foot.clip).place(side, at.phase.rem_euclid(1.0));
    let (sin, cos) = math::sin_cos(at.heading);
    let to = (place.ankle - place.hip).truncate() * scale + Vec2::new(cos, -sin).rotate(foot.shift);
    let reach = REACH * library.leg() * scale;
    let down = ((place.hip.z - place.ankle.z) * scale - give).max(0.0);
    let mut left = (to.length_squared() + down * down).sqrt().max(reach) - reach;
    if left > 0.0 && point == Point::Ball {
        let ankle = to.extend(-down);
        let ball = ankle + (place.ball - place.ankle) * scale;
        let rolled = ball + leg::roll(Vec3::ZERO, ankle, ball, reach, ROLL) * (ankle - ball);
        left = rolled.length().max(reach) - reach;
    }
    foot.left = foot.left.max(left);
    walked.standing += 1;
    walked.skating += u32::from(left > 1e-3);
}
