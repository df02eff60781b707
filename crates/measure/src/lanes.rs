//! Lanes: how well those who walk one way keep apart from those who walk the other. `stripes` is about streams that cross.
//!
//! Band order (after Nowak and Schadschneider 2012): for each person, those within 0.4 m of the line through them at an angle; the square
//! of (same - other) / all, averaged over everybody. 1 in perfect lanes. In a mixture it is not 0 but what chance gives, about one
//! over the people in a band, so it is read beside that value, which is known exactly.

use std::f64::consts::PI;

use passerby_geometry::{DVec2, math::double};

use crate::moment::Moment;
use crate::series::Series;
use crate::stripes::{crossing, stripe_angle, stripe_spacing};

/// Half the width of a band, m.
pub const BAND: f64 = 0.4;
/// Slower people walk nowhere, m/s.
const WALKS: f64 = 0.2;

/// The mean of the directions in a stream is at least this long: 1 if all are the same, 0 if they point everywhere.
const AGREE: f64 = 0.8;
/// Two streams are this many times as far apart as directions spread in either. A broad stream that is cut in two is 2.7 to 3.5.
const APART: f64 = 4.0;

/// How the people at one moment are ordered along one angle.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct BandOrder {
    /// Mean of ((same - other) / all)^2 over everybody.
    pub order: f64,
    /// The mean it would have if the same directions were dealt out by chance.
    pub by_chance: f64,
    /// Sum of what is above 1 / all: somebody alone adds nothing to it.
    pub excess: f64,
}

/// The order of people of two streams in bands at `angle` rad from the x axis; `None` without people.
pub fn band_order(at: &[DVec2], stream: &[bool], angle: f64) -> Option<BandOrder> {
    let (sin, cos) = double::sin_cos(angle);
    let across = DVec2::new(-sin, cos);
    let mut people: Vec<(f64, f64)> =
        at.iter().zip(stream).map(|(p, s)| (across.dot(*p), if *s { 1.0 } else { -1.0 })).collect();
    people.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let n = people.len() as f64;
    let total: f64 = people.iter().map(|person| person.1).sum();
    // Of two different people drawn by chance, the mean product of their signs.
    let pair = if people.len() > 1 { (total * total - n) / (n * (n - 1.0)) } else { 0.0 };
    let (mut first, mut last, mut sum) = (0, 0, 0.0);
    let mut found = BandOrder { order: 0.0, by_chance: 0.0, excess: 0.0 };
    for &(place, _) in &people {
        while last < people.len() && people[last].0 <= place + BAND + 1e-9 {
            sum += people[last].1;
            last += 1;
        }
        while people[first].0 < place - BAND - 1e-9 {
            sum -= people[first].1;
            first += 1;
        }
        let all = (last - first) as f64;
        let order = (sum / all) * (sum / all);
        found.order += order / n;
        found.by_chance += (1.0 + (all - 1.0) * pair) / all / n;
        found.excess += order - 1.0 / all;
    }
    (!people.is_empty()).then_some(found)
}

/// The two streams that people walk in: which of two mean directions each is nearer to. `None` if there are not two that are
/// at least 30 degrees apart, or if those in one do not agree on theirs. Who stands belongs to none and is left out: rows of those who walk, and their streams.
pub fn streams(moment: &Moment<'_>) -> Option<(Vec<usize>, Vec<bool>, [DVec2; 2])> {
    let walking: Vec<(usize, DVec2)> = (0..moment.id.len())
        .filter_map(|row| Some((row, moment.velocity[row].filter(|v| v.length() >= WALKS)?.normalize())))
        .collect();
    let first = walking.first()?.1;
    let farthest = |from: DVec2| walking.iter().map(|w| w.1).min_by(|a, b| from.dot(*a).total_cmp(&from.dot(*b)));
    let mut middles = [farthest(farthest(first)?)?, farthest(first)?];
    let mut stream: Vec<bool> = Vec::new();
    for _ in 0..8 {
        stream = walking.iter().map(|w| middles[1].dot(w.1) > middles[0].dot(w.1)).collect();
        for (n, middle) in middles.iter_mut().enumerate() {
            let own = walking.iter().zip(&stream).filter(|(_, s)| usize::from(**s) == n).map(|(w, _)| w.1);
            *middle = own.sum::<DVec2>().normalize_or(*middle);
        }
    }
    let between = double::acos(middles[0].dot(middles[1]).clamp(-1.0, 1.0));
    let apart = between >= std::f64::consts::FRAC_PI_6;
    // People in a queue turn to all sides, and one broad stream can always be cut in two: neither are two streams.
    let agree = (0..2).all(|n| {
        let own = || walking.iter().zip(&stream).filter(|(_, s)| usize::from(**s) == n).map(|(w, _)| w.1);
        let length = own().sum::<DVec2>().length() / own().count() as f64;
        let spread = (-2.0 * double::ln(length.clamp(1e-9, 1.0))).sqrt();
        length > AGREE && between > APART * spread
    });
    (apart && agree).then(|| (walking.into_iter().map(|w| w.0).collect(), stream, middles))
}

/// Lane and stripe order over time.
#[derive(Debug, Clone, Default)]
pub struct Lanes {
    /// Band order along the walking axis of opposite streams.
    pub order: Series,
    /// What chance would give.
    pub by_chance: Series,
    /// Angle of the stripes between streams that cross, degrees from the bisector of their directions: 90 by the theory.
    pub stripes: Series,
    /// Distance of stripes of one stream, m.
    pub spacing: Series,
    /// Moments without two streams of at least five people each.
    pub without: u64,
    /// Moments with opposite streams that do not pass each other: fewer than five people of each are beside the others.
    pub unmet: u64,
    /// Moments with two streams at an angle that do not cross: fewer than five people of each are among the others. One stream that
    /// turns a corner, and two that come together, look so.
    pub apart: u64,
    /// Moments in which streams cross and alternate no more than chance has them do.
    pub mixed: u64,
}

/// People in each stream below which there is no order to speak of.
const STREAM_MIN: usize = 5;

impl Lanes {
    /// Takes in a moment; of people in the area only, if there is one.
    pub fn see(&mut self, moment: &Moment<'_>, inside: impl Fn(DVec2) -> bool) {
        let Some((rows, stream, middles)) = streams(moment) else {
            self.without += 1;
            return;
        };
        let chosen: Vec<(DVec2, bool)> =
            rows.iter().zip(&stream).map(|(row, s)| (moment.at[*row], *s)).filter(|(at, _)| inside(*at)).collect();
        let (at, stream): (Vec<DVec2>, Vec<bool>) = chosen.into_iter().unzip();
        let ahead = stream.iter().filter(|s| **s).count();
        if ahead < STREAM_MIN || stream.len() - ahead < STREAM_MIN {
            self.without += 1;
            return;
        }
        if middles[0].dot(middles[1]) < -0.866_025 {
            self.see_opposite(moment.tick, &at, &stream, middles[1] - middles[0]);
        } else {
            self.see_crossing(moment.tick, &at, &stream, middles[0] + middles[1]);
        }
    }

    /// Lanes of opposite streams that are beside each other, and not still before each other: then there is nothing to keep apart from.
    fn see_opposite(&mut self, tick: u32, at: &[DVec2], stream: &[bool], axis: DVec2) {
        let along: Vec<(f64, bool)> = at.iter().zip(stream).map(|(at, s)| (axis.dot(*at), *s)).collect();
        let of = |which: bool| along.iter().filter(move |(_, s)| *s == which).map(|(place, _)| *place);
        let begin =
            [true, false].map(|s| of(s).fold(f64::INFINITY, f64::min)).into_iter().fold(f64::NEG_INFINITY, f64::max);
        let end =
            [true, false].map(|s| of(s).fold(f64::NEG_INFINITY, f64::max)).into_iter().fold(f64::INFINITY, f64::min);
        let beside = |which: bool| of(which).filter(|place| (begin..=end).contains(place)).count();
        if beside(true) < STREAM_MIN || beside(false) < STREAM_MIN {
            self.unmet += 1;
            return;
        }
        if let Some(found) = band_order(at, stream, double::atan2(axis.y, axis.x)) {
            self.order.push(tick, found.order);
            self.by_chance.push(tick, found.by_chance);
        }
    }

    /// Stripes of streams at an angle, where there are any.
    fn see_crossing(&mut self, tick: u32, at: &[DVec2], stream: &[bool], bisector: DVec2) {
        let Some((at, stream)) = crossing(at, stream, STREAM_MIN) else {
            self.apart += 1;
            return;
        };
        let found = stripe_angle(&at, &stream).and_then(|angle| Some((angle, stripe_spacing(&at, &stream, angle)?)));
        let Some((angle, spacing)) = found else {
            self.mixed += 1;
            return;
        };
        let turned = (angle - double::atan2(bisector.y, bisector.x)).rem_euclid(PI);
        self.stripes.push(tick, turned.to_degrees());
        self.spacing.push(tick, spacing);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(y: f64, signs: &str) -> Vec<(DVec2, bool)> {
        signs.chars().enumerate().map(|(i, sign)| (DVec2::new(1.7 * i as f64, y), sign == '+')).collect()
    }

    #[track_caller]
    fn check(lower: &str, upper: &str, expected: f64) {
        let (at, stream): (Vec<DVec2>, Vec<bool>) = row(0.5, lower).into_iter().chain(row(1.5, upper)).unzip();
        let order = band_order(&at, &stream, 0.0).unwrap().order;
        assert!((order - expected).abs() < 1e-6, "{lower} {upper}: {order}, expected {expected}");
    }

    /// Section 5 of the worked examples.
    #[test]
    fn lanes_of_two_rows() {
        check("++++", "----", 1.0);
        check("+-+-", "-+-+", 0.0);
        check("+++-", "---+", 0.25);
        check("++++-", "+--", 0.266667);
        assert_eq!(band_order(&[], &[], 0.0), None);
    }

    /// Two groups of ten, each 2 m deep, who walk towards each other: there is no order until they are beside each other.
    #[test]
    fn groups_that_have_not_met_have_no_lanes() {
        let id: Vec<u32> = (0..20).collect();
        let velocity: Vec<Option<DVec2>> =
            id.iter().map(|id| Some(if *id < 10 { DVec2::X } else { -DVec2::X })).collect();
        let none = vec![None; 20];
        let mut lanes = Lanes::default();
        for gap in [3.0, -2.0] {
            let place = |id: &u32| {
                DVec2::new(f64::from(id % 10) * 0.2 + if *id < 10 { 0.0 } else { 2.0 + gap }, f64::from(id / 10))
            };
            let at: Vec<DVec2> = id.iter().map(place).collect();
            lanes.see(&Moment { tick: 0, id: &id, at: &at, velocity: &velocity, acceleration: &none }, |_| true);
        }
        assert_eq!((lanes.unmet, lanes.order.count(), lanes.apart), (1, 1, 0));
        assert!((lanes.order.mean().unwrap() - 1.0).abs() < 1e-12);
    }

    #[test]
    fn an_accumulator_tells_lanes_from_stripes() {
        let (at, stream) = crate::stripes::tests::stripes();
        let id: Vec<u32> = (0..20).collect();
        let moving = |a: DVec2, b: DVec2| -> Vec<Option<DVec2>> {
            stream.iter().map(|s| Some(if *s { a } else { b })).collect()
        };
        let mut lanes = Lanes::default();
        let none = vec![None; 20];
        let mut see = |velocity: &[Option<DVec2>]| {
            lanes.see(&Moment { tick: 0, id: &id, at: &at, velocity, acceleration: &none }, |_| true);
        };
        see(&moving(DVec2::X, DVec2::Y)); // crossing
        see(&moving(DVec2::X, DVec2::NEG_X)); // opposite
        see(&moving(DVec2::X, DVec2::new(1.0, 0.2))); // together
        see(&moving(DVec2::X, DVec2::ZERO)); // some stand
        assert!((lanes.stripes.mean().unwrap() - 90.0).abs() < 1e-9); // 135 degrees from the bisector at 45
        assert!((lanes.order.mean().unwrap() - 0.133333).abs() < 1e-6);
        assert_eq!((lanes.without, lanes.order.count(), lanes.stripes.count()), (2, 1, 1));
    }
}
