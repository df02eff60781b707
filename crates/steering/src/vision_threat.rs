//! What a view asks for: bearing rates and times to interaction of its pixels, and the turns that clear them all.
//!
//! Ondřej et al. 2010, sections 3.2 and 3.3, eq. (1) to (4), (8) and (10) to (14).

use crate::vision_decision::Vision;
use crate::vision_image::{Seen, turned};
use passerby_geometry::Vec2;
use passerby_geometry::lane_math::{cross, dot, exp};
#[cfg(target_arch = "x86_64")]
use passerby_geometry::lanes::{Avx2, Sse2};
use passerby_geometry::lanes::{LANES, Lanes, Plain, Registers};

/// What all points on a collision course, P_col, ask for together.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Threat {
    /// Turn rates below clear every point: phi+ of eq. (3), rad/s.
    pub right: f32,
    /// Turn rates above clear every point: phi- of eq. (4), rad/s.
    pub left: f32,
    /// The shortest time to interaction: tti_mp of eq. (8), s.
    pub soonest: f32,
}

/// What one point means to a walker.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Stimulus {
    /// Its bearing rate, rad/s, left positive: what eq. (14) stands for.
    pub rate: f32,
    /// Its time to interaction, eq. (13), s; `None` if it comes no nearer.
    pub tti: Option<f32>,
    /// Whether it is on a collision course: in P_col, eq. (2).
    pub collides: bool,
}

impl Vision {
    /// The bearing rate below which a point at this time to interaction is one to react to: b tti^-c of eq. (1), rad/s.
    pub fn threshold(&self, tti: f32) -> f32 {
        first(self.threshold_of(Plain::splat(1.0 / tti)))
    }

    /// b tti^-c for one over the time to interaction, which is above 0.
    #[inline(always)]
    fn threshold_of<L: Lanes>(&self, soon: L) -> L {
        // The published exponent needs a square root only.
        let power = if self.curvature == 1.5 { soon * soon.sqrt() } else { exp(L::splat(self.curvature) * ln(soon)) };
        L::splat(self.anticipation) * power
    }

    /// The mean of a bearing rate over the next while, for one over the time to interaction: eq. (14), V_orth / |D - V_conv u|.
    ///
    /// Without its arctangent, which takes less than 4 % from rates at the threshold from 1.5 s on. The distance left is taken as a length: what is
    /// passed within that while turns to the side it turns to now, and is not thought to turn by almost pi.
    #[inline(always)]
    fn mean_rate<L: Lanes>(&self, rate: L, soon: L) -> L {
        if self.mean_over == 0.0 {
            return rate;
        }
        let left = (L::splat(1.0) - L::splat(self.mean_over) * soon).abs();
        rate / left.max(L::splat(1e-3))
    }

    /// What a pixel means to a walker with this velocity; `None` if nothing is there.
    pub fn stimulus(&self, seen: &Seen<'_>, velocity: Vec2, column: u32, row: u32) -> Option<Stimulus> {
        let (theirs, u) = seen.flow(column, row)?;
        let relative = theirs - turned(seen.heading, velocity);
        Some(self.of_ray(seen.rays.direction(column, row), relative, u))
    }

    /// What a point at an offset, with this velocity relative to the walker's, means to the walker.
    pub fn of_point(&self, offset: Vec2, relative: Vec2) -> Stimulus {
        let u = 1.0 / offset.length().max(1e-6);
        self.of_ray(offset * u, relative, u)
    }

    /// What points at offsets, with these velocities relative to the walker's, ask for; `None` if none is on a collision course.
    ///
    /// Section 5.2: "assuming that each obstacle is represented by a single point, the model applies without synthetic vision".
    pub fn of_points(&self, points: impl IntoIterator<Item = (Vec2, Vec2)>) -> Option<Threat> {
        let mut all = Extremes::<Plain>::none();
        for (offset, relative) in points {
            let u = 1.0 / offset.length().max(1e-6);
            let direction = [Plain::splat(offset.x * u), Plain::splat(offset.y * u)];
            all.add(self, &Flow::new(direction, relative), Plain::splat(u));
        }
        all.threat()
    }

    fn of_ray(&self, direction: Vec2, relative: Vec2, u: f32) -> Stimulus {
        let mut all = Extremes::<Plain>::none();
        let flow = Flow::new([Plain::splat(direction.x), Plain::splat(direction.y)], relative);
        all.add(self, &flow, Plain::splat(u));
        let soon = first(flow.closing) * u;
        let tti = (soon > 0.0).then_some(1.0 / soon);
        let rate = first(self.mean_rate(flow.turning * Plain::splat(u), flow.closing * Plain::splat(u)));
        Stimulus { rate, tti, collides: all.threat().is_some() }
    }

    /// What all that is seen asks for of a walker with this velocity; `None` if nothing is on a collision course.
    pub fn threat(&self, seen: &Seen<'_>, velocity: Vec2) -> Option<Threat> {
        match seen.image.width().registers() {
            #[cfg(target_arch = "x86_64")]
            // SAFETY: a `Width` only holds what the processor has.
            #[allow(unsafe_code)]
            Registers::Avx2 => unsafe { self.threat_avx2(seen, velocity) },
            #[cfg(target_arch = "x86_64")]
            Registers::Sse2 => self.threat_in::<Sse2>(seen, velocity),
            _ => self.threat_in::<Plain>(seen, velocity),
        }
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn threat_avx2(&self, seen: &Seen<'_>, velocity: Vec2) -> Option<Threat> {
        self.threat_in::<Avx2>(seen, velocity)
    }

    /// In one direction and on one surface, rate and 1/tti are both proportional to u, one over the distance. With a = 0, c >= 1 and rates of the moment every
    /// point nearer than one in P_col is in P_col too, asks for larger turns and is sooner: the nearest alone decides.
    #[inline(always)]
    fn threat_in<L: Lanes>(&self, seen: &Seen<'_>, velocity: Vec2) -> Option<Threat> {
        let own = turned(seen.heading, velocity);
        let nearest_decides = self.bias == 0.0 && self.curvature >= 1.0 && self.mean_over == 0.0;
        let mut all = Extremes::<L>::none();
        for span in seen.image.spans() {
            let [x, y] = seen.rays.block_direction(span.place as usize);
            let flow = Flow::new([L::load(x), L::load(y)], seen.image.velocities()[span.number as usize] - own);
            if !L::splat(0.0).lt(flow.closing).any() {
                continue;
            }
            let name = L::splat_bits(span.number + 1);
            let mut nearest = L::splat(0.0);
            for [u, who] in &seen.image.tiles()[span.tiles[0] as usize..span.tiles[1] as usize] {
                let u = name.same_bits(L::load(who)).and(L::load(u));
                if nearest_decides {
                    nearest = nearest.max(u);
                } else {
                    all.add(self, &flow, u);
                }
            }
            if nearest_decides {
                all.add(self, &flow, nearest);
            }
        }
        all.threat()
    }
}

/// How surfaces move in eight directions, per u.
struct Flow<L> {
    /// Bearing rate: the part of the relative velocity across the direction, left positive. Eq. (12).
    turning: L,
    /// The part towards the walker. Eq. (11).
    closing: L,
}

impl<L: Lanes> Flow<L> {
    #[inline(always)]
    fn new(direction: [L; 2], relative: Vec2) -> Self {
        let relative = [L::splat(relative.x), L::splat(relative.y)];
        Self { turning: cross(direction, relative), closing: dot(direction, relative).negate() }
    }
}

/// The extremes over P_col so far, in eight lanes.
pub(crate) struct Extremes<L> {
    right: L,
    left: L,
    /// One over tti_mp; 0 while P_col is empty.
    soonest: L,
}

impl<L: Lanes> Extremes<L> {
    #[inline(always)]
    fn none() -> Self {
        Self { right: L::splat(f32::MAX), left: L::splat(f32::MIN), soonest: L::splat(0.0) }
    }

    /// Takes in points one over `u` away; none where `u` is 0.
    #[inline(always)]
    fn add(&mut self, model: &Vision, flow: &Flow<L>, u: L) {
        let zero = L::splat(0.0);
        let soon = flow.closing * u;
        let rate = model.mean_rate(flow.turning * u, soon);
        let converges = zero.lt(soon);
        let tau = model.threshold_of(soon.max(L::splat(1e-30)));
        let (plus, minus) = (rate - (L::splat(model.bias) + tau), rate - (L::splat(model.bias) - tau));
        // Eq. (2), in magnitude; a rate of 0 counts as positive.
        let slow = zero.le(rate).select(plus.lt(zero), zero.lt(minus));
        let collides = converges.and(slow);
        self.right = self.right.min(collides.select(plus, L::splat(f32::MAX)));
        self.left = self.left.max(collides.select(minus, L::splat(f32::MIN)));
        self.soonest = self.soonest.max(collides.and(soon));
    }

    #[inline(always)]
    fn threat(&self) -> Option<Threat> {
        let (mut right, mut left, mut soonest) = ([0.0; LANES], [0.0; LANES], [0.0; LANES]);
        (self.right.store(&mut right), self.left.store(&mut left), self.soonest.store(&mut soonest));
        let soonest = soonest.into_iter().fold(0.0, f32::max);
        let right = right.into_iter().fold(f32::MAX, f32::min);
        let left = left.into_iter().fold(f32::MIN, f32::max);
        (soonest > 0.0).then_some(Threat { right, left, soonest: 1.0 / soonest })
    }
}

fn first(lanes: Plain) -> f32 {
    let mut values = [0.0; LANES];
    lanes.store(&mut values);
    values[0]
}

/// Natural logarithm of 1e-30 to 1e6, to 2e-7 of one plus its size.
#[inline(always)]
fn ln<L: Lanes>(x: L) -> L {
    // x = 2^n y with 1 <= y < 2: n by halving the range, since lanes have no whole numbers.
    let (mut y, mut n) = (x * L::splat(100.0).power_of_two(), L::splat(-100.0));
    for step in [64.0, 32.0, 16.0, 8.0, 4.0, 2.0, 1.0] {
        let power = L::splat(step).power_of_two();
        let large = power.le(y);
        y = large.select(y / power, y);
        n = n + large.and(L::splat(step));
    }
    let z = (y - L::splat(1.0)) / (y + L::splat(1.0));
    let square = z * z;
    let mut sum = L::splat(0.0);
    for odd in [13.0, 11.0, 9.0, 7.0, 5.0, 3.0, 1.0] {
        sum = sum * square + L::splat(2.0 / odd);
    }
    z * sum + n * L::splat(std::f32::consts::LN_2)
}

#[cfg(test)]
#[path = "vision_threat_test.rs"]
mod tests;
