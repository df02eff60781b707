//! Stripes: where two streams cross, people of either form stripes that alternate. Their angle, how far they are apart, and whether
//! there are any.

use std::f64::consts::PI;

use passerby_geometry::{DVec2, math::double};

use crate::lanes::band_order;

/// Wave lengths that are tried, m: the shortest, the longest, and how far they are from each other.
const WAVES: [f64; 3] = [0.8, 8.0, 0.05];
/// So many waves have to fit across the people. One is two stripes, and so is any crowd of which one stream comes from here and the other
/// from there.
const ALTERNATIONS: f64 = 1.4;
/// Each longer wave that is tried besides is this many times as long as the one before.
const GROWTH: f64 = 1.05;
/// Stripes are told if the alternation is so many times as strong as that of directions dealt out by chance. With some hundred pairs of angle
/// and wave length to choose from, chance reaches it in one moment of some hundred.
const ALTERNATION: f64 = 12.0;
/// Who is this near to the others is among them, m: half of a usual spacing.
const AMONG: f64 = 1.0;

/// Those of two streams who are where both are: inside the convex hull of the other stream, or within 1 m of it. `None` unless at least
/// `least` people of each are inside of it.
pub fn crossing(at: &[DVec2], stream: &[bool], least: usize) -> Option<(Vec<DVec2>, Vec<bool>)> {
    let of = |which: bool| at.iter().zip(stream).filter(|(_, s)| **s == which).map(|(at, _)| *at).collect::<Vec<_>>();
    let hulls = [hull(of(false)), hull(of(true))];
    let gap = |at: &DVec2, stream: &bool| gap(&hulls[usize::from(!*stream)], *at);
    let gaps: Vec<f64> = at.iter().zip(stream).map(|(at, stream)| gap(at, stream)).collect();
    let inside = |which: bool| gaps.iter().zip(stream).filter(|(gap, s)| **gap <= 1e-9 && **s == which).count();
    if inside(false) < least || inside(true) < least {
        return None;
    }
    let among = (0..at.len()).filter(|row| gaps[*row] <= AMONG + 1e-9);
    Some(among.map(|row| (at[row], stream[row])).unzip())
}

/// The convex hull of points, counter-clockwise, by Andrew's chains.
fn hull(mut points: Vec<DVec2>) -> Vec<DVec2> {
    points.sort_by(|a, b| a.x.total_cmp(&b.x).then(a.y.total_cmp(&b.y)));
    points.dedup();
    if points.len() < 3 {
        return points;
    }
    let chain = |points: &mut dyn Iterator<Item = &DVec2>| {
        let mut chain: Vec<DVec2> = Vec::new();
        for point in points {
            while let [.., a, b] = chain[..]
                && (b - a).perp_dot(*point - a) <= 0.0
            {
                chain.pop();
            }
            chain.push(*point);
        }
        chain.pop();
        chain
    };
    [chain(&mut points.iter()), chain(&mut points.iter().rev())].concat()
}

/// How far a point is outside of a convex hull, m; 0 inside.
fn gap(hull: &[DVec2], at: DVec2) -> f64 {
    let edges = || (0..hull.len()).map(|k| (hull[k], hull[(k + 1) % hull.len()]));
    if hull.len() > 2 && edges().all(|(a, b)| (b - a).perp_dot(at - a) >= 0.0) {
        return 0.0;
    }
    let to_edge = |(a, b): (DVec2, DVec2)| {
        let along = b - a;
        let part = if a == b { 0.0 } else { ((at - a).dot(along) / along.length_squared()).clamp(0.0, 1.0) };
        at.distance(a + part * along)
    };
    edges().map(to_edge).fold(f64::INFINITY, f64::min)
}

/// The angle of stripes, rad from 0 to pi: the middle of those (in steps of a degree) where the excess is largest.
pub fn stripe_angle(at: &[DVec2], stream: &[bool]) -> Option<f64> {
    let excess: Vec<f64> = (0..180)
        .map(|degree| Some(band_order(at, stream, f64::from(degree).to_radians())?.excess))
        .collect::<Option<_>>()?;
    let most = excess.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let best = |degree: usize| excess[degree % 180] > most - 1e-9;
    // The longest run of best angles, round the circle.
    let (mut longest, mut middle) = (0, 0.0);
    for begin in (0..180).filter(|&degree| best(degree) && !best(degree + 179)) {
        let length = (begin..begin + 180).take_while(|&degree| best(degree)).count();
        if length > longest {
            (longest, middle) = (length, begin as f64 + (length - 1) as f64 / 2.0);
        }
    }
    (longest > 0).then(|| (middle % 180.0).to_radians())
}

/// How far stripes of one stream are apart, m, across an angle: the wave length that carries most of the alternation. From 0.8 m to 8 m, and
/// short enough for three stripes where people are. `None` if none in that range carries most of it, or if it is no stronger than chance may have it.
pub fn stripe_spacing(at: &[DVec2], stream: &[bool], angle: f64) -> Option<f64> {
    let (sin, cos) = double::sin_cos(angle);
    let across = DVec2::new(-sin, cos);
    let places: Vec<f64> = at.iter().map(|at| across.dot(*at)).collect();
    let reach = |pick: fn(f64, f64) -> f64, from: f64| places.iter().copied().fold(from, pick);
    let width = reach(f64::max, f64::NEG_INFINITY) - reach(f64::min, f64::INFINITY);
    // About their mean: a stream with more people would else alternate with the gaps in the crowd.
    let ahead = stream.iter().filter(|s| **s).count() as f64;
    let mean = 2.0 * ahead / stream.len() as f64 - 1.0;
    let signs: Vec<f64> = stream.iter().map(|s| if *s { 1.0 - mean } else { -1.0 - mean }).collect();
    let power = |wave: f64| {
        let (mut re, mut im) = (0.0, 0.0);
        for (place, sign) in places.iter().zip(&signs) {
            let (sin, cos) = double::sin_cos(2.0 * PI * place / wave);
            (re += sign * cos, im += sign * sin);
        }
        re * re + im * im
    };
    let [shortest, longest, step] = WAVES;
    let count = ((longest - shortest) / step).round() as u32;
    let tried = (0..=count).map(|k| shortest + step * f64::from(k));
    // Longer ones too: two halves of a crowd alternate once, and a third of that length is no spacing of theirs.
    let longer = std::iter::successors(Some(longest * GROWTH), |wave| Some(wave * GROWTH));
    let waves: Vec<f64> = tried.chain(longer.take_while(|wave| *wave <= 2.0 * width)).collect();
    let powers: Vec<f64> = waves.iter().map(|wave| power(*wave)).collect();
    let best = (0..powers.len()).fold(0, |best, k| if powers[k] > powers[best] { k } else { best });
    let by_chance: f64 = signs.iter().map(|sign| sign * sign).sum();
    let inside = best > 0 && waves[best] < longest && ALTERNATIONS * waves[best] <= width;
    (inside && powers[best] >= ALTERNATION * by_chance).then(|| waves[best])
}

#[cfg(test)]
pub(crate) mod tests {
    use super::*;
    use passerby_geometry::{Chance, Purpose};

    /// Section 5 of the worked examples.
    pub(crate) fn stripes() -> (Vec<DVec2>, Vec<bool>) {
        let along = DVec2::new(-1.0, 1.0) / 2.0_f64.sqrt();
        let across = DVec2::new(1.0, 1.0) / 2.0_f64.sqrt();
        let place = |k: i32, s: i32| (f64::from(k) * across + f64::from(s) * along, k % 2 == 0);
        (0..4).flat_map(|k| (-2..=2).map(move |s| place(k, s))).unzip()
    }

    #[test]
    fn stripes_of_twenty() {
        let (at, stream) = stripes();
        for (degrees, order) in [(0.0, 0.133333), (90.0, 0.133333), (45.0, 0.0), (135.0, 1.0)] {
            let found = band_order(&at, &stream, f64::to_radians(degrees)).unwrap().order;
            assert!((found - order).abs() < 1e-6, "{degrees}: {found}");
        }
        let best = band_order(&at, &stream, f64::to_radians(135.0)).unwrap();
        assert!((best.excess - 16.0).abs() < 1e-9 && (best.by_chance - 0.157895).abs() < 1e-6, "{best:?}");
        assert!((stripe_angle(&at, &stream).unwrap().to_degrees() - 135.0).abs() < 1e-9);
        let spacing = stripe_spacing(&at, &stream, f64::to_radians(135.0)).unwrap();
        assert!((spacing - 2.0).abs() < 0.11, "{spacing}"); // every second of rows 1 m apart
    }

    /// The same stripes, twice as many, and directions dealt out anew a hundred times: none of them has stripes.
    #[test]
    fn mixed_directions_have_no_spacing() {
        let along = DVec2::new(-1.0, 1.0) / 2.0_f64.sqrt();
        let across = DVec2::new(1.0, 1.0) / 2.0_f64.sqrt();
        let place = |k: u32| f64::from(k / 5) * across + f64::from(k % 5) * along;
        let at: Vec<DVec2> = (0..40).map(place).collect();
        let mut stream: Vec<bool> = (0..40).map(|k| (k / 5) % 2 == 0).collect();
        let angle = f64::to_radians(135.0);
        assert!((stripe_spacing(&at, &stream, angle).unwrap() - 2.0).abs() < 0.06);
        let chance = Chance::new(1);
        let mut told = 0;
        for deal in 0..100 {
            let mut draw = chance.stream(0, deal, Purpose::Sample);
            for i in (1..stream.len()).rev() {
                stream.swap(i, draw.below(i as u32 + 1) as usize);
            }
            told +=
                u32::from(stripe_angle(&at, &stream).and_then(|angle| stripe_spacing(&at, &stream, angle)).is_some());
        }
        assert!(told <= 1, "{told} of 100");
    }

    /// Two halves of a crowd: what is longest is strongest, and that is the end of the range, not a spacing.
    #[test]
    fn the_end_of_the_range_is_no_spacing() {
        // No rows: a lattice would have waves of its own.
        let part = |k: u32, turn: f64| 20.0 * (turn * f64::from(k)).fract();
        let at: Vec<DVec2> = (0..400).map(|k| DVec2::new(part(k, 0.414_214), part(k, 0.618_034))).collect();
        let stream: Vec<bool> = at.iter().map(|at| at.y < 10.0).collect();
        assert_eq!(stripe_spacing(&at, &stream, 0.0), None);
        assert_eq!(stripe_spacing(&[], &[], 0.0), None);
        assert_eq!(stripe_spacing(&[DVec2::X], &[true], 0.0), None);
        assert_eq!(stripe_spacing(&[DVec2::X, 9.0 * DVec2::X], &[true, true], 1.0), None);
    }

    #[test]
    fn who_is_where_both_are() {
        let (at, stream) = stripes();
        let (all, _) = crossing(&at, &stream, 5).unwrap();
        assert_eq!(all.len(), 20); // the outer rows are 1 m from the others' hull
        assert_eq!(crossing(&at, &stream, 6), None);
        // One stream that turns a corner: first along x, then along y.
        let corner: Vec<DVec2> = (0..20).map(|k| DVec2::new(f64::from(k % 10), f64::from(k / 10))).collect();
        let behind: Vec<DVec2> =
            (0..20).map(|k| DVec2::new(10.0 + f64::from(k / 10), 2.0 + f64::from(k % 10))).collect();
        let both: Vec<DVec2> = corner.iter().chain(&behind).copied().collect();
        let ways: Vec<bool> = (0..40).map(|k| k < 20).collect();
        assert_eq!(crossing(&both, &ways, 1), None);
        assert_eq!(crossing(&[], &[], 1), None);
    }

    #[test]
    fn hulls_are_convex() {
        let square: Vec<DVec2> = (0..9).map(|k| DVec2::new(f64::from(k % 3), f64::from(k / 3))).collect();
        let found = hull(square);
        assert_eq!(found, [[0.0, 0.0], [2.0, 0.0], [2.0, 2.0], [0.0, 2.0]].map(DVec2::from_array));
        assert_eq!(gap(&found, DVec2::new(1.0, 1.9)), 0.0);
        assert!((gap(&found, DVec2::new(3.0, 3.0)) - 2.0_f64.sqrt()).abs() < 1e-12);
        assert!((gap(&hull(vec![DVec2::ZERO, DVec2::X]), DVec2::new(0.5, 2.0)) - 2.0).abs() < 1e-12);
        assert_eq!(gap(&[], DVec2::ZERO), f64::INFINITY);
    }
}
