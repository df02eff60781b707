//! What waiting in front of portals costs those who look for the quickest way.

use crate::journey::Aim;
use crate::people::People;
use passerby_geometry::Vec2;
use passerby_navigation::{Level, Network, PortalId, Spot};

/// However slowly a queue moves, people count on this share of their speed.
const SLOWEST: f32 = 0.05;

/// How those who head for each portal get on, at one moment.
#[derive(Debug, Default)]
pub(crate) struct Queues {
    /// For each portal what a newcomer loses before it, as metres that could be walked meanwhile.
    pub extra: Vec<f32>,
    /// For each portal how far off the last of those who head for it is, m.
    farthest: Vec<f32>,
    /// For each portal how many head for it, and the sum of how they get on: walked over wanted speed.
    heading: Vec<(u32, f32)>,
}

impl Queues {
    /// Sees how everybody gets on with the portal ahead of them.
    ///
    /// Whoever joins them walks no faster than they do, from the last of them to the portal.
    /// On slow ground, of which `pace` tells, nobody gets on as elsewhere: that is no queue.
    pub fn count(&mut self, network: &Network, people: &People, pace: impl Fn(Vec2) -> f32) {
        let portals = network.subdivision().portals();
        (self.extra.clear(), self.farthest.clear(), self.heading.clear());
        (self.farthest.resize(portals.len(), 0.0), self.heading.resize(portals.len(), (0, 0.0)));
        let (agents, journeys) = (&people.agents, &people.journeys);
        // In the order of ids: float addition depends on it.
        for row in people.by_id().iter().map(|row| row.index()).filter(|row| journeys.aim[*row] != Aim::Nothing) {
            let at = agents.now.position[row];
            if let Some(portal) = ahead(network, at, journeys.waypoint[row]) {
                let i = portal.0 as usize;
                let (count, sum) = &mut self.heading[i];
                *count += 1;
                *sum += (agents.now.velocity[row].length() / (agents.speed[row] * pace(at))).min(1.0);
                self.farthest[i] = self.farthest[i].max(portals[i].middle().as_vec2().distance(at));
            }
        }
        let lost = |(&(count, sum), &farthest): (&(u32, f32), &f32)| {
            let pace = (sum / count.max(1) as f32).max(SLOWEST);
            // One person is no queue.
            if count > 1 { farthest * (1.0 / pace - 1.0) } else { 0.0 }
        };
        self.extra.extend(self.heading.iter().zip(&self.farthest).map(lost));
    }

    /// What the portal that somebody is about to cross costs them: they are on the way to it already.
    pub fn own(&self, network: &Network, at: Vec2, waypoint: Vec2) -> Option<(PortalId, f32)> {
        let portal = ahead(network, at, waypoint)?;
        let i = portal.0 as usize;
        let off = network.subdivision().portal(portal).middle().as_vec2().distance(at);
        Some((portal, self.extra[i] * (off / self.farthest[i].max(1e-3)).min(1.0)))
    }
}

/// The portal by which somebody is about to leave their cell. Beyond the way point: who heads for a point in a portal crosses it.
fn ahead(network: &Network, at: Vec2, waypoint: Vec2) -> Option<PortalId> {
    let beyond = waypoint + (waypoint - at).normalize_or_zero() * 0.5;
    network.exit(Spot { level: Level(0), at }, beyond)
}
