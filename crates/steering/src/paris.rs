//! Prediction over orientation sections: Paris, Pettré, Donikian, *Pedestrian reactive navigation for crowd simulation: a
//! predictive approach*, 2007.
//!
//! The future is cut into intervals, longer the farther they are: [0, 1], [1, 2], [2, 4], [4, 8] s. In each of them a neighbour
//! sweeps a section of directions; who walks into it passes behind if slower than V1 and in front if faster than V2
//! (section 3.2 of the paper; `paris_section.rs` here). Walls give sections too (3.3). Where sections overlap they are split, and each piece costs
//! what its speeds, its turn and its nearness in time ask for (3.4). The cheapest piece is taken, in it the direction nearest to
//! the desired one and the speed nearest to the desired one that all allow.
//!
//! The model is asked when a foot lands, once or twice a second, and its velocity is approached in between as fast as people can.
//! Who is hidden by a wall does not count; who is out of the field of view is expected to stand (3.5).
//!
//! Read differently from the paper, settled in the project's notes: V2 is infinite in the first interval; merging takes the later
//! end; the turn of a section that holds the desired direction is 0; to accelerate beyond the fastest is out of question; every
//! piece costs its own turn once, free or not, plus what each of those who cover it asks for.

use crate::Walker;
use crate::explanation::{self, Witness};
use crate::parameter::Field;
use crate::paris_section::{INTERVALS, Range, Swept, of_neighbour, of_wall};
use crate::sight::{Mind, Neighbour, Sight};
use passerby_crowd::NEAREST_MAX;
use passerby_geometry::{Vec2, math};
use std::f32::consts::{PI, TAU};

/// Parameters of the predictive approach.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Paris {
    /// Length of the first interval: Delta t, s, 0.1 to 5, default 1 as in the paper. Each later one ends twice as far away, so the
    /// prediction reaches eight times as far: T.
    pub interval: f32,
    /// Between changes of speed (towards 1) and of direction (towards 0): alpha, 0.01 to 0.99, default 0.5.
    pub balance: f32,
    /// Trust in what is far ahead: beta, s, 0 to 1000, default 0.
    pub trust: f32,
    /// Room kept between bodies beyond contact, m, 0 to 2, default 0.2.
    pub margin: f32,
    /// Field of view in all, rad, 0.1 to 6.2832, default 3.4907: 200 degrees. Ours; the paper prints none.
    pub view: f32,
    /// Seconds of prediction for each metre to the sixth nearest neighbour, 0 to 100, default 1; 0: always the whole. Ours, as the paper
    /// asks for: in a dense crowd a prediction of eight seconds leaves no direction in which anybody would walk. With 0 those who are
    /// too near stand as printed, too.
    pub adapt: f32,
    /// What sections on the left cost more: C_add there, 0.1 to 10, default 1: no side.
    pub left: f32,
}

impl Default for Paris {
    fn default() -> Self {
        Self { interval: 1.0, balance: 0.5, trust: 0.0, margin: 0.2, view: 200f32.to_radians(), adapt: 1.0, left: 1.0 }
    }
}

/// A full circle, rad, rounded up to four digits as pages print it.
const TAU_UP: f32 = 62_832e-4;
/// Two bodies of usual width, m.
const USUAL_WIDTHS: f32 = 0.5;
/// The least share of the prediction that is left in the densest crowd.
const SHORTEST: f32 = 0.15;
/// How fast those part who are too near, m/s.
const PARTING: f32 = 0.5;
/// Walls looked at, nearest first.
const WALLS: usize = 8;
/// Those who can cover a direction: people, and two sides of each wall.
const COVERS: usize = NEAREST_MAX as usize + 2 * WALLS;
/// Ends of their ranges.
const ENDS: usize = 2 * INTERVALS * COVERS;

impl Paris {
    pub(crate) const FIELDS: &[Field<Self>] = &[
        Field { name: "interval", low: 0.1, high: 5.0, allowed: "0.1 to 5 s", slot: |p| &mut p.interval },
        Field { name: "balance", low: 0.01, high: 0.99, allowed: "0.01 to 0.99", slot: |p| &mut p.balance },
        Field { name: "trust", low: 0.0, high: 1000.0, allowed: "0 to 1000 s", slot: |p| &mut p.trust },
        Field { name: "margin", low: 0.0, high: 2.0, allowed: "0 to 2 m", slot: |p| &mut p.margin },
        Field { name: "view", low: 0.1, high: TAU_UP, allowed: "0.1 to 6.2832 rad", slot: |p| &mut p.view },
        Field { name: "adapt", low: 0.0, high: 100.0, allowed: "0 to 100 s/m", slot: |p| &mut p.adapt },
        Field { name: "left", low: 0.1, high: 10.0, allowed: "0.1 to 10", slot: |p| &mut p.left },
    ];

    /// It is asked when feet land; in between positions have to follow walls and others.
    pub fn step_max(&self) -> f32 {
        0.25
    }

    /// How far ahead it predicts: T, s.
    fn horizon(&self) -> f32 {
        8.0 * self.interval
    }

    /// The model as it is where people stand as densely as here: interval and margin shrink together.
    fn adapted(&self, me: &Walker, others: &[Neighbour]) -> Paris {
        let Some(sixth) = others.get(5).filter(|_| self.adapt > 0.0) else { return *self };
        // For wide people it is as dense as the gaps say.
        let apart = sixth.offset.length() - (me.radius + sixth.radius - USUAL_WIDTHS).max(0.0);
        let share = (self.adapt * apart / self.horizon()).clamp(SHORTEST, 1.0);
        Paris { interval: self.interval * share, margin: self.margin * share, ..*self }
    }

    /// How near somebody may come, m. Who is nearer already keeps what there is: as printed, two such would see no way at all, not even
    /// the one apart, and stand for good.
    fn reach_to(&self, me: &Walker, other: &Neighbour) -> f32 {
        let reach = me.radius + other.radius + self.margin;
        if self.adapt > 0.0 { reach.min(0.999 * other.offset.length()) } else { reach }
    }

    /// C_dev, for a piece whose nearest direction is `turn` away from the desired one.
    fn turn_cost(&self, turn: f32) -> f32 {
        (1.0 - self.balance) * 0.5 * (1.0 - math::cos(turn))
    }

    /// C_speed: what passing behind or in front costs, whichever is less.
    fn speed_cost(&self, behind: f32, before: f32, wanted: f32, most: f32) -> f32 {
        let slower = if wanted <= behind { 0.0 } else { 1.0 - behind / wanted };
        let faster = match () {
            () if wanted >= before => 0.0,
            () if before > most || most <= wanted => f32::INFINITY,
            () => (before - wanted) / (most - wanted),
        };
        self.balance * slower.min(faster)
    }
}

impl Mind for Paris {
    fn reach(&self, me: &Walker) -> f32 {
        // As far as it could walk in half the time it predicts: farther walls cost next to nothing.
        me.radius + 0.5 * self.horizon() * me.desired.length().max(0.5)
    }

    fn velocity(&self, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
        let here = self.adapted(sight.me, sight.others);
        let decided = here.decide(sight, why);
        (decided + here.part(sight, why)).clamp_length_max(sight.me.speed_max)
    }
}

impl Paris {
    /// Away from those who are nearer than they should be, over a second. Ours: two who are as near as that see no way past
    /// each other at all, and would stand for good.
    fn part(&self, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
        let mut sum = Vec2::ZERO;
        for other in sight.others {
            let (reach, distance) = (sight.me.radius + other.radius + self.margin, other.offset.length());
            if distance < reach {
                let push = -other.offset * ((reach - distance) * other.share / distance);
                why.force("too near", push, Some(other.id));
                sum += push;
            }
        }
        sum.clamp_length_max(PARTING)
    }

    /// The velocity of the cheapest piece.
    fn decide(&self, sight: &Sight<'_>, why: &mut impl Witness) -> Vec2 {
        let me = sight.me;
        let wanted = me.desired.length();
        if wanted <= 1e-4 {
            return Vec2::ZERO;
        }
        // Directions are angles from the desired one.
        let ahead = me.desired / wanted;
        let turned = |v: Vec2| Vec2::new(ahead.dot(v), ahead.perp_dot(v));
        let mut pieces = Pieces::new();
        let view = View::new(self, me);
        for other in sight.others {
            let Some(velocity) = view.perceived(sight, other) else { continue };
            let reach = self.reach_to(me, other);
            pieces.cover(&of_neighbour(turned(other.offset), turned(velocity), reach, self.interval));
        }
        for wall in sight.walls.iter().take(WALLS) {
            let [a, b] = [wall.a, wall.b].map(|end| turned(end - me.position));
            let [toward, away] = of_wall([a, b], me.radius, wanted, self.interval);
            pieces.cover(&toward);
            pieces.cover(&away);
        }
        let heading = math::atan2(ahead.y, ahead.x);
        let best = pieces.cheapest(&Wish { model: self, wanted, most: me.speed_max, heading }, why);
        let (sin, cos) = math::sin_cos(best.direction);
        (ahead * cos + ahead.perp() * sin) * best.speed
    }
}

/// The field of view: who is at its rim has this cosine to the heading.
struct View {
    facing: Vec2,
    rim: f32,
}

impl View {
    fn new(model: &Paris, me: &Walker) -> Self {
        let (sin, cos) = math::sin_cos(me.heading);
        // With a full circle in view nobody is behind it, whatever the rounding.
        let rim = if model.view >= TAU { f32::NEG_INFINITY } else { math::cos(0.5 * model.view) };
        Self { facing: Vec2::new(cos, sin), rim }
    }

    /// The velocity somebody seems to have: `None` if a wall hides them, none at all if they are out of the field of view.
    fn perceived(&self, sight: &Sight<'_>, other: &Neighbour) -> Option<Vec2> {
        let at = sight.me.position;
        if !sight.walls.is_empty() && !sight.map.visible(at, at + other.offset) {
            return None;
        }
        let seen = other.offset.dot(self.facing) >= self.rim * other.offset.length();
        Some(if seen { other.velocity } else { Vec2::ZERO })
    }
}

/// What was decided.
#[derive(Debug, Clone, Copy, PartialEq)]
struct Decision {
    /// From the desired direction, rad.
    direction: f32,
    speed: f32,
    cost: f32,
}

/// Where a range begins or ends.
#[derive(Debug, Clone, Copy)]
struct End {
    at: f32,
    cover: u16,
    range: u8,
    begins: bool,
}

/// What somebody who covers a piece asks for: the merged critical speeds, what they cost, and how near in time it is.
#[derive(Debug, Clone, Copy)]
struct Ask {
    behind: f32,
    before: f32,
    speed: f32,
    nearness: f32,
}

impl Ask {
    const NOTHING: Ask = Ask { behind: f32::INFINITY, before: 0.0, speed: 0.0, nearness: 0.0 };
}

/// All directions, cut where somebody's range begins or ends.
struct Pieces {
    covers: [Swept; COVERS],
    covered: usize,
    ends: [End; ENDS],
    len: usize,
    /// Ranges in use at the direction looked at, from -pi on, for each who covers: bits.
    active: [u8; COVERS],
}

/// Who wants how fast to which side.
struct Wish<'a> {
    model: &'a Paris,
    /// The desired speed, m/s.
    wanted: f32,
    /// The greatest one, m/s.
    most: f32,
    /// The desired direction, rad.
    heading: f32,
}

impl Pieces {
    fn new() -> Self {
        let end = End { at: 0.0, cover: 0, range: 0, begins: false };
        Self { covers: [Swept::NOTHING; COVERS], covered: 0, ends: [end; ENDS], len: 0, active: [0; COVERS] }
    }

    /// Adds the ranges that somebody covers.
    fn cover(&mut self, swept: &Swept) {
        let cover = self.covered as u16;
        (self.covers[self.covered], self.covered) = (*swept, self.covered + 1);
        for (number, range) in swept.ranges.iter().enumerate() {
            if range.width <= 0.0 {
                continue;
            }
            if range.width >= 2.0 * PI {
                self.active[cover as usize] |= 1 << number;
                continue;
            }
            let from = math::wrap_angle(range.from);
            let (to, range) = (math::wrap_angle(range.from + range.width), number as u8);
            if to <= from {
                self.active[cover as usize] |= 1 << number;
            }
            for (at, begins) in [(from, true), (to, false)] {
                self.ends[self.len] = End { at, cover, range, begins };
                self.len += 1;
            }
        }
    }

    /// The cheapest piece; equal ones: the smaller turn, then right.
    fn cheapest(&mut self, wish: &Wish<'_>, why: &mut impl Witness) -> Decision {
        self.ends[..self.len].sort_unstable_by(|a, b| a.at.total_cmp(&b.at));
        let mut asks = [Ask::NOTHING; COVERS];
        for cover in 0..self.covered {
            asks[cover] = self.ask(cover, wish);
        }
        let mut best: Option<(Decision, [u8; COVERS])> = None;
        let (mut from, mut next) = (-PI, 0);
        loop {
            let end = self.ends[..self.len].get(next).copied();
            let to = end.map_or(PI, |end| end.at);
            if to > from || (end.is_none() && best.is_none()) {
                let decision = weigh(wish, [from, to], &asks[..self.covered], why);
                if best.is_none_or(|(best, _)| better(&decision, &best)) {
                    best = Some((decision, self.active));
                }
                from = to;
            }
            let Some(End { cover, range, begins, .. }) = end else { break };
            let (cover, bit) = (cover as usize, 1 << range);
            match begins {
                true => self.active[cover] |= bit,
                false => self.active[cover] &= !bit,
            }
            asks[cover] = self.ask(cover, wish);
            next += 1;
        }
        let free = Decision { direction: 0.0, speed: wish.wanted, cost: 0.0 };
        let (decision, active) = best.unwrap_or((free, self.active));
        Decision { speed: self.speed(&active, wish), ..decision }
    }

    /// What somebody asks for in the ranges in use.
    fn ask(&self, cover: usize, Wish { model, wanted, most, .. }: &Wish<'_>) -> Ask {
        let bits = self.active[cover];
        if bits == 0 {
            return Ask::NOTHING;
        }
        let Range { behind, before, start, .. } = self.covers[cover].merged(bits);
        let speed = model.speed_cost(behind, before, *wanted, *most);
        Ask { behind, before, speed, nearness: 1.0 - start / (model.horizon() + model.trust) }
    }

    /// The speed nearest to the wanted one that all who cover a piece allow; 0 always belongs.
    fn speed(&self, active: &[u8; COVERS], Wish { wanted, most, .. }: &Wish<'_>) -> f32 {
        let covers = || self.covers[..self.covered].iter().zip(active).filter(|(_, bits)| **bits != 0);
        let merged = || covers().map(|(cover, bits)| cover.merged(*bits));
        let allowed = |speed: f32| merged().all(|range| speed <= range.behind || speed >= range.before);
        let mut best = 0.0;
        for speed in merged().flat_map(|range| [range.behind, range.before]).chain([*wanted]) {
            let possible = (0.0..=*most).contains(&speed) && allowed(speed);
            let (change, least) = ((speed - wanted).abs(), (best - wanted).abs());
            if possible && (change < least || (change == least && speed < best)) {
                best = speed;
            }
        }
        best
    }
}

/// What a piece costs, with its direction nearest to the desired one.
fn weigh(wish: &Wish<'_>, [from, to]: [f32; 2], asks: &[Ask], why: &mut impl Witness) -> Decision {
    let direction = 0f32.clamp(from, to);
    let turn = wish.model.turn_cost(direction);
    let side = if from + to > 0.0 { wish.model.left } else { 1.0 };
    let (mut cost, mut slow, mut fast) = (turn, f32::INFINITY, 0f32);
    for ask in asks {
        cost += (ask.speed + turn) * ask.nearness * side;
        (slow, fast) = (slow.min(ask.behind), fast.max(ask.before));
    }
    let (from, to) = (wish.heading + from, wish.heading + to);
    why.section(explanation::Section { from, to, behind: slow, before: fast, cost });
    Decision { direction, speed: 0.0, cost }
}

/// Whether a decision is better: cheaper; of equal ones the smaller turn, then right.
fn better(a: &Decision, b: &Decision) -> bool {
    let same = (a.cost - b.cost).abs() <= 1e-6 * b.cost.abs().max(1e-6);
    if !same {
        return a.cost < b.cost;
    }
    let (x, y) = (a.direction.abs(), b.direction.abs());
    if (x - y).abs() > 1e-6 { x < y } else { a.direction < b.direction }
}

#[cfg(test)]
#[path = "paris_test.rs"]
mod tests;
