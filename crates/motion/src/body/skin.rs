//! Which joints carry a point of the left half, and by which shares.

use crate::mesh::{CARRIERS, Carried};
use crate::skeleton::JointId;
use crate::walker::{self, *};
use passerby_geometry::Vec3;

/// Shares of all joints while they are put together.
type Shares = [f32; walker::JOINTS];

/// A point of the trunk, neck or head.
pub fn trunk(at: Vec3) -> Carried {
    let mut shares = [0.0; JOINTS];
    shares[HIPS.index()] = 1.0;
    hips_to_thighs(&mut shares, at);
    over_trunk(&mut shares, at);
    carried(&shares)
}

/// A point of the arm, of which the arm itself carries `own` and the trunk the rest.
pub fn arm(at: Vec3, own: f32) -> Carried {
    let mut shares = [0.0; JOINTS];
    shares[HIPS.index()] = 1.0;
    over_trunk(&mut shares, at);
    pass_on(&mut shares, LEFT_UPPER_ARM, own);
    for (joint, along, reach) in [(LEFT_FOREARM, 0.632, 0.026), (LEFT_HAND, 0.486, 0.016), (LEFT_FINGERS, 0.434, 0.014)]
    {
        pass_on(&mut shares, joint, smooth(along + reach, along - reach, at.z));
    }
    carried(&shares)
}

/// A point of the thumb.
pub fn thumb() -> Carried {
    let mut shares = [0.0; JOINTS];
    shares[LEFT_HAND.index()] = 1.0;
    carried(&shares)
}

/// A point of the leg above the shoe.
pub fn leg(at: Vec3) -> Carried {
    let mut shares = [0.0; JOINTS];
    shares[HIPS.index()] = 1.0;
    hips_to_thighs(&mut shares, at);
    pass_on(&mut shares, LEFT_SHIN, smooth(KNEE + 0.036, KNEE - 0.036, at.z));
    carried(&shares)
}

/// A point of the shoe. Its upper rim gives way half to the shin.
pub fn foot(at: Vec3) -> Carried {
    let mut shares = [0.0; JOINTS];
    shares[LEFT_SHIN.index()] = 1.0;
    pass_on(&mut shares, LEFT_FOOT, smooth(0.064, 0.040, at.z));
    pass_on(&mut shares, LEFT_TOE, smooth(BALL_AHEAD - 0.014, BALL_AHEAD + 0.014, at.x));
    carried(&shares)
}

/// Hands the spine's share up, and to the collar bone where the shoulder is.
fn over_trunk(shares: &mut Shares, at: Vec3) {
    for (joint, height, reach) in [(SPINE, 0.570, 0.035), (BELLY, 0.630, 0.035), (CHEST, 0.705, 0.045)] {
        pass_on(shares, joint, smooth(height - reach, height + reach, at.z));
    }
    let collar = smooth(0.025, 0.085, at.y) * smooth(0.735, 0.795, at.z) * smooth(0.862, 0.846, at.z);
    pass_on(shares, LEFT_COLLAR, 0.8 * collar);
    let arm = smooth(0.065, 0.105, at.y) * smooth(0.735, 0.775, at.z);
    pass_on(shares, LEFT_UPPER_ARM, 0.4 * arm);
    pass_on(shares, NECK, smooth(0.832, 0.866, at.z));
    // The chin moves with the head though it is lower than the nape: the limit rises to the back.
    pass_on(shares, HEAD, smooth(0.880, 0.904, at.z + 0.6 * at.x));
}

/// Hands the hips' share down to the thighs, near the middle plane to both.
fn hips_to_thighs(shares: &mut Shares, at: Vec3) {
    // Below the crotch each leg is on its own.
    let aside = smooth(-0.035, 0.035, at.y);
    let left = aside + (1.0 - aside) * smooth(0.456, 0.425, at.z);
    let both = 1.0 - (2.0 * left - 1.0).abs();
    let down = smooth(0.560, 0.440, at.z + 0.25 * at.x.min(0.0)) * (1.0 - 0.5 * both);
    shares[HIPS.index()] *= 1.0 - down;
    shares[LEFT_THIGH.index()] += down * left;
    shares[RIGHT_THIGH.index()] += down * (1.0 - left);
}

/// Gives a joint this part of what all others have.
fn pass_on(shares: &mut Shares, to: JointId, part: f32) {
    shares.iter_mut().for_each(|share| *share *= 1.0 - part);
    shares[to.index()] += part;
}

/// 0 at `from`, 1 at `to`, smooth between; `from` may be the larger.
fn smooth(from: f32, to: f32, at: f32) -> f32 {
    let t = ((at - from) / (to - from)).clamp(0.0, 1.0);
    t * t * (3.0 - 2.0 * t)
}

/// The four largest, scaled to a sum of 1; shares under 1 % are not worth a joint.
fn carried(shares: &Shares) -> Carried {
    let mut order: Vec<usize> = (0..JOINTS).filter(|joint| shares[*joint] >= 0.01).collect();
    order.sort_by(|a, b| shares[*b].total_cmp(&shares[*a]).then(a.cmp(b)));
    order.truncate(CARRIERS);
    let sum: f32 = order.iter().map(|joint| shares[*joint]).sum();
    let mut carried = Carried { joints: [JointId(0); CARRIERS], shares: [0.0; CARRIERS] };
    for (place, joint) in order.into_iter().enumerate() {
        (carried.joints[place], carried.shares[place]) = (JointId(joint as u16), shares[joint] / sum);
    }
    carried
}

/// The same on the other side.
pub fn mirrored(carried: &Carried) -> Carried {
    Carried { joints: carried.joints.map(walker::mirrored), shares: carried.shares }
}
