//! Two bones that reach for a point: thigh and shin, or upper arm and forearm.

use passerby_geometry::{DVec3, Vec3, math::double};

/// A leg is never stretched further than this share of its length: just before, the knee would snap straight.
pub const REACH_MAX: f64 = 0.999;

/// Two bones after they have reached for a point.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bent {
    /// Where the joint between the bones is.
    pub knee: Vec3,
    /// Where the end is: the point asked for, unless that is too far or too near.
    pub ankle: Vec3,
    /// How far the knee is bent, rad: 0 is straight.
    pub flexion: f32,
    /// How far the end stays from the point asked for, m.
    pub short: f32,
}

/// The same in doubles, for analysis.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct DBent {
    /// Where the joint between the bones is.
    pub knee: DVec3,
    /// Where the end is.
    pub ankle: DVec3,
    /// How far the knee is bent, rad.
    pub flexion: f64,
    /// How far the end stays from the point asked for, m.
    pub short: f64,
}

/// Bends a leg of two bones so that its end comes to `ankle_target`. The knee goes to the side of `knee_hint`, a direction;
/// bones keep their lengths, and what is out of reach is reached for.
pub fn two_bone(hip: Vec3, ankle_target: Vec3, thigh: f32, shin: f32, knee_hint: Vec3) -> Bent {
    let (thigh, shin) = (f64::from(thigh), f64::from(shin));
    let bent = two_bone_double(hip.as_dvec3(), ankle_target.as_dvec3(), thigh, shin, knee_hint.as_dvec3());
    Bent {
        knee: bent.knee.as_vec3(),
        ankle: bent.ankle.as_vec3(),
        flexion: bent.flexion as f32,
        short: bent.short as f32,
    }
}

/// [`two_bone`] in doubles: law of cosines in the plane of hip, target and hint.
pub fn two_bone_double(hip: DVec3, ankle_target: DVec3, thigh: f64, shin: f64, knee_hint: DVec3) -> DBent {
    let towards = ankle_target - hip;
    let asked = towards.length();
    // A target in the hip has no direction: then the leg folds downwards.
    let axis = if asked > 1e-9 { towards / asked } else { DVec3::NEG_Z };
    let near = (thigh - shin).abs() + (1.0 - REACH_MAX) * thigh.min(shin);
    let reach = asked.clamp(near, REACH_MAX * (thigh + shin));
    let cosine = (thigh * thigh + reach * reach - shin * shin) / (2.0 * thigh * reach);
    let (along, aside) = (thigh * cosine, thigh * (1.0 - cosine * cosine).max(0.0).sqrt());
    let knee = hip + axis * along + across(axis, knee_hint) * aside;
    let inner = (thigh * thigh + shin * shin - reach * reach) / (2.0 * thigh * shin);
    DBent {
        knee,
        ankle: hip + axis * reach,
        flexion: std::f64::consts::PI - double::acos(inner.clamp(-1.0, 1.0)),
        short: (asked - reach).abs(),
    }
}

/// The part of `hint` across the axis, unit length; any direction across if there is none.
fn across(axis: DVec3, hint: DVec3) -> DVec3 {
    let side = hint - axis * hint.dot(axis);
    if side.length_squared() > 1e-12 * hint.length_squared() && side.is_finite() {
        side.normalize()
    } else {
        axis.any_orthonormal_vector()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Thigh 0.43, shin 0.42, hip (0, 0, 0.9), ankle (0.15, 0.02, 0.09), knee towards +x.
    #[test]
    fn the_worked_leg_bends() {
        let hip = Vec3::new(0.0, 0.0, 0.9);
        let bent = two_bone(hip, Vec3::new(0.15, 0.02, 0.09), 0.43, 0.42, Vec3::X);
        assert!((bent.flexion.to_degrees() - 28.409_69).abs() < 1e-4, "{bent:?}");
        assert!(bent.knee.distance(Vec3::new(0.178472, 0.009657, 0.508906)) < 2e-6, "{bent:?}");
        let off = (bent.knee - hip).angle_between(bent.ankle - hip).to_degrees();
        assert!((off - 14.03422).abs() < 0.01, "{off}");
        assert!(bent.short < 1e-6, "{bent:?}");
    }

    #[test]
    fn out_of_reach_stretches_nothing() {
        let hip = DVec3::new(0.1, 0.2, 0.9);
        for target in [DVec3::new(9.0, 0.0, -3.0), DVec3::new(0.1, 0.2, -1e6), hip, hip + DVec3::X * 1e-4] {
            for hint in [DVec3::X, DVec3::ZERO, DVec3::Z, DVec3::new(1e-30, 0.0, 0.0)] {
                let bent = two_bone_double(hip, target, 0.43, 0.42, hint);
                assert!((bent.knee.distance(hip) - 0.43).abs() < 1e-12, "{target} {bent:?}");
                assert!((bent.knee.distance(bent.ankle) - 0.42).abs() < 1e-9, "{target} {bent:?}");
            }
        }
        let bent = two_bone_double(hip, DVec3::new(0.1, 0.2, -5.0), 0.43, 0.42, DVec3::X);
        assert!((bent.flexion.to_degrees() - 5.125472).abs() < 1e-6, "{bent:?}");
        assert!(bent.knee.x > 0.1, "the knee is on the side of the hint: {bent:?}");
    }
}
