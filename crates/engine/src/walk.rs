//! How somebody gets on with a route of portals, and whether they get on at all.

use crate::saved::{Bytes, Saved};
use passerby_geometry::Vec2;
use passerby_navigation::{CellId, Crossing, Level, Network, PortalId, Spot, heading};

/// Seconds over which it is seen whether somebody gets on. Longer than it takes to sway from one foot to the other.
const PATIENCE: f64 = 2.0;
/// Who walks less than this share of what they could does not get on.
const GETS_ON: f32 = 0.2;
/// How long somebody who was held up keeps an eye on who stands in the way, s.
const WARY: f64 = 5.0;
/// Crossings before and after the next one among which somebody looks for the cell they are in.
const BACK: usize = 3;
const AHEAD: usize = 8;

/// A route of portals, how far it has been followed, and how somebody has got on lately.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Walk {
    /// Portals to the goal; empty where none are needed.
    pub(crate) route: Vec<Crossing>,
    /// Which of them comes next.
    next: u32,
    /// Where the route leads.
    to: Vec2,
    /// Where they were when it was last seen how they get on, and when.
    looked_from: Vec2,
    looked_at: u32,
}

impl Walk {
    /// Whether there is a route to a goal.
    pub(crate) fn leads_to(&self, goal: Vec2) -> bool {
        !self.route.is_empty() && self.to == goal
    }

    /// What is left of the route.
    pub(crate) fn ahead(&self) -> &[Crossing] {
        &self.route[(self.next as usize).min(self.route.len())..]
    }

    /// Takes up a route. Keeps the memory of the last one.
    pub(crate) fn take_up(&mut self, route: &[Crossing], to: Vec2) {
        self.route.clear();
        self.route.extend_from_slice(route);
        (self.next, self.to) = (0, to);
    }

    /// Drops the route.
    pub(crate) fn drop_route(&mut self) {
        self.route.clear();
    }

    /// The point to head for. `None` off the route, and in the cell of the goal.
    pub(crate) fn toward(&mut self, network: &Network, at: Vec2, radius: f32, threshold: f32) -> Option<Vec2> {
        let subdivision = network.subdivision();
        let cell = subdivision.locate(Spot { level: Level(0), at })?;
        let next = self.next as usize;
        let seen = next.saturating_sub(BACK)..(next + AHEAD).min(self.route.len());
        let into = seen.clone().rev().find(|&i| self.route[i].into == cell).map(|i| i + 1);
        let here = into.or_else(|| {
            let before = |i: &usize| subdivision.portal(self.route[*i].portal).cells.contains(&cell);
            seen.clone().find(before)
        })?;
        if here >= self.route.len() {
            return None;
        }
        self.next = here as u32;
        Some(heading(subdivision, at, radius, &self.route[here..], self.to, threshold).toward)
    }

    /// Sees how somebody gets on; until when they have to keep an eye on who stands in the way, if they do not.
    ///
    /// What counts is how much nearer to the way point they came: who paces up and down before a group that stands does not get on.
    pub(crate) fn look_back(
        &mut self,
        [at, waypoint]: [Vec2; 2],
        speed: f32,
        tick: u32,
        ticks_per_second: f64,
    ) -> Option<u32> {
        let ticks = tick.saturating_sub(self.looked_at);
        let seconds = f64::from(ticks) / ticks_per_second;
        if seconds < PATIENCE {
            return None;
        }
        // After a wait there is nothing to compare with.
        let on_the_way = seconds < PATIENCE + 1.0 && self.looked_at > 0;
        let nearer = self.looked_from.distance(waypoint) - at.distance(waypoint);
        let gets_on = nearer >= GETS_ON * speed * seconds as f32;
        (self.looked_from, self.looked_at) = (at, tick);
        (on_the_way && !gets_on).then(|| tick + (WARY * ticks_per_second) as u32)
    }

    /// Whether a route can be one of this network.
    pub(crate) fn is_of(&self, network: Option<&Network>) -> bool {
        let portals = network.map_or(&[][..], |network| network.subdivision().portals());
        let known = |c: &Crossing| portals.get(c.portal.0 as usize).is_some_and(|p| p.cells.contains(&c.into));
        self.route.iter().all(known) && self.to.is_finite() && self.looked_from.is_finite()
    }
}

impl Saved for Crossing {
    const SIZE_MIN: usize = 8;
    fn save(&self, to: &mut Vec<u8>) {
        (self.portal.0.save(to), self.into.0.save(to));
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        Ok(Crossing { portal: PortalId(u32::load(from)?), into: CellId(u32::load(from)?) })
    }
}

impl Saved for Walk {
    const SIZE_MIN: usize = 32;
    fn save(&self, to: &mut Vec<u8>) {
        let Self { route, next, to: goal, looked_from, looked_at } = self;
        (route.save(to), next.save(to), goal.save(to), looked_from.save(to), looked_at.save(to));
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        Ok(Walk {
            route: Saved::load(from)?,
            next: Saved::load(from)?,
            to: Saved::load(from)?,
            looked_from: Saved::load(from)?,
            looked_at: Saved::load(from)?,
        })
    }
}
