//! How near two walkers would come if both kept their velocities, and what follows from it: the minimal predicted
//! distance of Olivier et al. 2012 ("Minimal predicted distance", Gait & Posture 36) and of Pettré et al. 2009.
//!
//! In all of it `apart` is the second walker's place less the first's, `relative` the second's velocity less the first's.

use passerby_geometry::DVec2;
use passerby_geometry::math::double::cos;

/// Below this square of a relative speed, m2/s2, two walkers move alike.
const ALIKE: f64 = 1e-12;
/// Directions nearer than this to parallel or opposite have no order of passing, rad.
const PARALLEL: f64 = std::f64::consts::FRAC_PI_6;

/// The closest approach of two walkers who keep their velocities.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Approach {
    /// How near they would come, m: the minimal predicted distance.
    pub distance: f64,
    /// In how many seconds, never negative. Zero for those who part or move alike.
    pub time: f64,
    /// The same without regard to its sign: negative when it is past. `None` for those who move alike.
    pub time_signed: Option<f64>,
    /// Where the second would be then, seen from the first, m.
    pub apart: DVec2,
}

/// The closest approach from now on. Eq. (2) of the paper, whose "argmin" means the distance.
pub fn approach(apart: DVec2, relative: DVec2) -> Approach {
    let squared = relative.length_squared();
    let time_signed = (squared >= ALIKE).then(|| -apart.dot(relative) / squared);
    let time = time_signed.unwrap_or(0.0).max(0.0);
    let then = apart + time * relative;
    Approach { distance: then.length(), time, time_signed, apart: then }
}

/// In how many seconds they would be `reach` metres from each other for the first time. Zero for those who are that near
/// already, `None` if they never would be. Touching in passing counts.
pub fn time_to_collision(apart: DVec2, relative: DVec2, reach: f64) -> Option<f64> {
    if apart.length() <= reach {
        return Some(0.0);
    }
    let nearest = approach(apart, relative);
    // A hair of tolerance: two discs that just touch do so whatever the rounding of their velocities.
    if nearest.time == 0.0 || nearest.distance > reach * (1.0 + 1e-12) {
        return None;
    }
    let before = (reach * reach - nearest.distance * nearest.distance).max(0.0).sqrt() / relative.length();
    Some((nearest.time - before).max(0.0))
}

/// Who is first at the place where two ways cross.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PassingOrder {
    /// The first walker.
    First,
    /// The second one.
    Second,
}

/// Who would pass first; `None` if nobody can be said to, because they would meet, stand, or walk within 30 degrees of
/// parallel or opposite.
pub fn passing_order(apart: DVec2, first: DVec2, second: DVec2) -> Option<PassingOrder> {
    let slant = first.dot(second).abs();
    if slant > cos(PARALLEL) * first.length() * second.length() {
        return None;
    }
    passing_side(apart, first, second)
}

/// As [`passing_order`], for walkers who are known to cross, however they walk at the moment.
pub(crate) fn passing_side(apart: DVec2, first: DVec2, second: DVec2) -> Option<PassingOrder> {
    // At the closest approach the line between them is orthogonal to the relative velocity, so it does not matter
    // whose velocity it is compared with.
    let ahead = approach(apart, second - first).apart.dot(first);
    if ahead.abs() < 1e-6 {
        None
    } else if ahead < 0.0 {
        Some(PassingOrder::First)
    } else {
        Some(PassingOrder::Second)
    }
}

/// How strongly somebody changes their velocity at each sample, m/s2: |dV/dt|, by differences over the samples before and
/// behind, at the ends to the only neighbour. Zero for a single sample.
pub fn adaptation(velocities: &[DVec2], step: f64) -> impl Iterator<Item = f64> {
    (0..velocities.len()).map(move |sample| difference(velocities, sample, step).length())
}

/// The difference of a series over time at one sample: central, at the ends one-sided, zero if it is the only one.
pub(crate) fn difference(series: &[DVec2], sample: usize, step: f64) -> DVec2 {
    let (from, to) = (sample.saturating_sub(1), (sample + 1).min(series.len() - 1));
    (series[to] - series[from]) / ((to - from).max(1) as f64 * step)
}

/// The closest approach that happened, of two tracks in steps of equal time.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Closest {
    /// The sample at which they were nearest.
    pub sample: usize,
    /// Their distance at it, m.
    pub distance: f64,
    /// The moment, in samples from the first, if they walk straight between samples.
    pub moment: f64,
    /// Their distance at that moment, m.
    pub clearance: f64,
}

/// When two were nearest, from where the second was seen from the first; `None` for no samples. The first of equals.
pub fn closest(apart: &[DVec2]) -> Option<Closest> {
    let nearer = |best: usize, k: usize| if apart[k].length() < apart[best].length() { k } else { best };
    let sample = (0..apart.len()).reduce(nearer)?;
    let distance = apart[sample].length();
    let mut found = Closest { sample, distance, moment: sample as f64, clearance: distance };
    for piece in sample.saturating_sub(1)..=sample {
        let Some(to) = apart.get(piece + 1) else { continue };
        let way = *to - apart[piece];
        let part = (-apart[piece].dot(way) / way.length_squared()).clamp(0.0, 1.0);
        let clearance = (apart[piece] + part * way).length();
        if clearance < found.clearance {
            found = Closest { moment: piece as f64 + part, clearance, ..found };
        }
    }
    Some(found)
}

/// A moment between two others as a share: 0 at `see`, when they saw each other first, 1 at `cross`, their closest approach.
pub fn normalised_time(time: f64, see: f64, cross: f64) -> f64 {
    (time - see) / (cross - see)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f64::consts::FRAC_1_SQRT_2;

    const NEVER: f64 = f64::INFINITY;

    #[track_caller]
    fn near(value: f64, expected: f64, what: &str) {
        assert!(value == expected || (value - expected).abs() <= 6e-7, "{what}: {value}, expected {expected}");
    }

    type Row = (&'static str, [[f64; 2]; 4], f64, Option<f64>, f64, [f64; 2]);

    /// The cases of the worked examples: places and velocities of both, then what is expected.
    #[rustfmt::skip]
    const CASES: &[Row] = &[
        ("head-on", [[0.0, 0.0], [1.0, 0.0], [10.0, 0.0], [-1.0, 0.0]], 0.0, Some(5.0), 5.0, [4.75, 4.65]),
        ("offset", [[0.0, 0.0], [1.0, 0.0], [10.0, 0.6], [-1.0, 0.0]], 0.6, Some(5.0), 5.0, [NEVER, 4.819722]),
        ("90 deg", [[-5.0, 0.0], [1.25, 0.0], [0.0, -5.0], [0.0, 1.25]], 0.0, Some(4.0), 4.0, [3.717157, 3.604020]),
        ("one later", [[-5.0, 0.0], [1.25, 0.0], [0.0, -6.0], [0.0, 1.25]], FRAC_1_SQRT_2, Some(4.4), 4.4, [NEVER, NEVER]),
        ("diverging", [[0.0, 0.0], [-1.0, 0.0], [2.0, 0.0], [1.0, 0.0]], 2.0, Some(-1.0), 0.0, [NEVER, NEVER]),
        ("same velocity", [[0.0, 0.0], [1.3, 0.0], [0.0, 0.8], [1.3, 0.0]], 0.8, None, 0.0, [NEVER, NEVER]),
        ("overtaking", [[0.0, 0.0], [1.6, 0.0], [4.0, 0.5], [1.0, 0.0]], 0.5, Some(6.666667), 6.666667, [6.666667, 5.850170]),
        ("standing", [[0.0, 0.0], [1.5, 0.0], [6.0, 0.4], [0.0, 0.0]], 0.4, Some(4.0), 4.0, [3.8, 3.617029]),
        ("oblique", [[0.0, 0.0], [1.2, 0.3], [4.0, 3.0], [-0.4, -0.9]], 0.0, Some(2.5), 2.5, [2.25, 2.15]),
    ];

    #[test]
    fn approaches_are_the_worked_ones() {
        for (name, motion, distance, signed, time, collisions) in CASES {
            let [p1, v1, p2, v2] = motion.map(DVec2::from_array);
            for (apart, relative) in [(p2 - p1, v2 - v1), (p1 - p2, v1 - v2)] {
                let found = approach(apart, relative);
                near(found.distance, *distance, name);
                near(found.time, *time, name);
                assert_eq!(found.time_signed.is_some(), signed.is_some(), "{name}");
                near(found.time_signed.unwrap_or_default(), signed.unwrap_or_default(), name);
                near(time_to_collision(apart, relative, 0.5).unwrap_or(NEVER), collisions[0], name);
                near(time_to_collision(apart, relative, 0.7).unwrap_or(NEVER), collisions[1], name);
            }
        }
        assert_eq!(time_to_collision(DVec2::new(0.3, 0.0), DVec2::X, 0.5), Some(0.0)); // parting, but touching now
    }

    #[test]
    fn who_passes_first() {
        let (east, north) = (DVec2::new(1.25, 0.0), DVec2::new(0.0, 1.25));
        let order = |p1: [f64; 2], p2: [f64; 2]| {
            let apart = DVec2::from_array(p2) - DVec2::from_array(p1);
            let found = passing_order(apart, east, north);
            let turned = passing_order(-apart, north, east).map(|passing| match passing {
                PassingOrder::First => PassingOrder::Second,
                PassingOrder::Second => PassingOrder::First,
            });
            assert_eq!(found, turned);
            found
        };
        assert_eq!(order([-5.0, 0.0], [0.0, -6.0]), Some(PassingOrder::First));
        assert_eq!(order([-7.0, 0.0], [0.0, -6.0]), Some(PassingOrder::Second));
        assert_eq!(order([-5.0, 0.0], [0.0, -5.0]), None); // they meet
        let apart = DVec2::new(5.0, -6.0);
        let then = approach(apart, north - east).apart;
        near(then.x, -0.5, "r");
        near(then.y, -0.5, "r");
        near(then.dot(east), -0.625, "r.V1");
        near(then.dot(north), -0.625, "r.V2");
        for (degrees, defined) in [(29.0f64, false), (31.0, true), (149.0, true), (151.0, false)] {
            let (sin, cos) = passerby_geometry::math::double::sin_cos(degrees.to_radians());
            let slanted = DVec2::new(cos, sin) * 1.1;
            assert_eq!(passing_order(apart, east, slanted).is_some(), defined, "{degrees}");
        }
        assert_eq!(passing_order(apart, DVec2::ZERO, north), None);
    }

    /// The scripted encounter: one walks evenly, the other brakes by 0.3 m/s2 from 1 s to 2 s.
    fn script(t: f64) -> [DVec2; 4] {
        let braking = (t - 1.0).clamp(0.0, 1.0);
        let y = -6.0 + 1.5 * t - 0.15 * braking * braking - 0.3 * (t - 2.0).max(0.0);
        let (one, other) = (DVec2::new(-6.0 + 1.5 * t, 0.0), DVec2::new(0.0, y));
        [one, DVec2::new(1.5, 0.0), other, DVec2::new(0.0, 1.5 - 0.3 * braking)]
    }

    fn predicted(t: f64) -> Approach {
        let [p1, v1, p2, v2] = script(t);
        approach(p2 - p1, v2 - v1)
    }

    #[test]
    fn a_scripted_encounter_is_the_worked_one() {
        #[rustfmt::skip]
        let rows = [
            (0.0, 0.0, 4.0, 8.485281), (1.0, 0.0, 3.0, 6.363961), (1.25, 0.156328, 2.821781, 5.840264),
            (1.5, 0.306609, 2.636740, 5.329883), (1.75, 0.450020, 2.444303, 4.833001), (2.0, 0.585652, 2.243902, 4.35),
            (3.0, 0.585652, 1.243902, 2.460183), (4.0, 0.585652, 0.243902, 0.75), (4.2, 0.585652, 0.043902, 0.591692),
            (4.25, 0.585769, -0.006098, 0.585769), (4.5, 0.764853, -0.256098, 0.764853),
        ];
        for (t, distance, signed, present) in rows {
            let [p1, _, p2, _] = script(t);
            near(predicted(t).distance, distance, &format!("mpd at {t}"));
            near(predicted(t).time_signed.unwrap(), signed, &format!("k at {t}"));
            near((p2 - p1).length(), present, &format!("distance at {t}"));
        }
        let apart: Vec<DVec2> = (0..=45).map(|k| script(0.1 * f64::from(k))).map(|[p1, _, p2, _]| p2 - p1).collect();
        let found = closest(&apart).unwrap();
        assert_eq!(found.sample, 42);
        near(found.distance, 0.591692, "at the sample");
        near(0.1 * found.moment, 4.243902, "t_cross");
        near(found.clearance, 0.585652, "d_min");
        let [p1, v1, p2, v2] = script(4.243902439);
        near((p2 - p1).x, -0.365854, "r");
        near((p2 - p1).y, -0.457317, "r");
        near((p2 - p1).dot(v1), -0.548780, "r.V1");
        assert_eq!(passing_order(p2 - p1, v1, v2), Some(PassingOrder::First));
    }

    #[test]
    fn adaptation_of_the_scripted_encounter_is_the_worked_one() {
        let velocities = |who: usize| (0..=450).map(|k| script(0.01 * f64::from(k))[who]).collect::<Vec<_>>();
        assert!(adaptation(&velocities(1), 0.01).all(|a| a == 0.0));
        for (k, a) in adaptation(&velocities(3), 0.01).enumerate() {
            match k {
                100 | 200 => near(a, 0.15, "where braking begins and ends"),
                101..=199 => near(a, 0.3, "while braking"),
                _ => near(a, 0.0, "before and behind"),
            }
        }
        let of = |velocities: &[DVec2]| adaptation(velocities, 0.5).collect::<Vec<_>>();
        assert_eq!((of(&[DVec2::ZERO, DVec2::Y]), of(&[DVec2::X]), of(&[])), (vec![2.0, 2.0], vec![0.0], vec![]));
    }

    #[test]
    fn closest_of_few() {
        assert_eq!(closest(&[]), None);
        let alone = closest(&[DVec2::X]).unwrap();
        assert_eq!((alone.sample, alone.clearance), (0, 1.0));
        let still = closest(&[DVec2::X, DVec2::X]).unwrap();
        assert_eq!((still.sample, still.moment, still.clearance), (0, 0.0, 1.0));
    }
}
