//! Routes for a crowd in a place that changes: cells, a hierarchy for each width in use, doors, and what is crowded.

use passerby_geometry::{DVec2, Vec2};

use crate::detours::{Costs, Detours};
use crate::hierarchy::{Crossing, Hierarchy};
use crate::map::Map;
use crate::pace::Paces;
use crate::routing::Routing;
use crate::standing::Standing;
use crate::subdivision::{PortalId, Spot, Subdivision};

/// Widths that differ by less than this are one, m.
const SAME_WIDTH: f64 = 1e-6;

/// A portal this close to the line of a door is part of it, m.
pub(crate) const ON_DOOR: f64 = 1e-6;

/// The floor in cells, with all doors open, and which of its portals can be passed now.
#[derive(Debug, Clone, Default)]
pub struct Network {
    pub(crate) offset: DVec2,
    paces: Paces,
    pub(crate) subdivision: Subdivision,
    pub(crate) hierarchies: Vec<(f64, Hierarchy)>,
    /// For each door its portals, those that obstacles cover for the time being too.
    pub(crate) of_door: Vec<Vec<PortalId>>,
    pub(crate) door_closed: Vec<bool>,
    /// How many closed doors each portal belongs to.
    pub(crate) doors_closed: Vec<u32>,
    /// Obstacles that were put, in the order they were.
    pub(crate) standing: Vec<Standing>,
    pub(crate) put_count: u32,
}

/// The memory of queries to a network. Keep one per thread.
#[derive(Debug, Clone, Default)]
pub struct NetworkSearch {
    routing: Routing,
    detours: Detours,
}

impl Network {
    /// Cuts the floor of a map into cells. Its closed doors are closed portals: they open without cutting anew.
    pub fn build(map: &Map) -> Network {
        let mut open = map.clone();
        (0..map.closed_doors().len()).for_each(|door| open.set_door(door, true));
        let subdivision = Subdivision::build(&open);
        let count = subdivision.portals().len();
        let mut network = Network {
            offset: map.offset(),
            paces: map.paces.clone(),
            door_closed: vec![false; map.closed_doors().len()],
            standing: Vec::new(),
            put_count: 0,
            of_door: portals_of_doors(&open, &subdivision),
            subdivision,
            doors_closed: vec![0; count],
            hierarchies: Vec::new(),
        };
        for (door, _) in map.closed_doors().iter().enumerate().filter(|(_, closed)| **closed) {
            network.set_door(door, false);
        }
        network
    }

    /// The cells.
    pub fn subdivision(&self) -> &Subdivision {
        &self.subdivision
    }

    /// Makes sure that discs of a width (m) can ask. While obstacles stand that were put, that is too late: they are not known to what
    /// would be made.
    ///
    /// # Panics
    /// If the width is new and an obstacle stands.
    pub fn need(&mut self, width: f64) {
        if self.hierarchy(width).is_none() {
            assert!(self.standing.is_empty(), "widths have to be known before obstacles are put");
            let mut hierarchy = Hierarchy::build(&self.subdivision, width);
            let all = (0..self.subdivision.portals().len() as u32).map(PortalId);
            let closed: Vec<PortalId> = all.filter(|portal| self.subdivision.is_closed(*portal)).collect();
            hierarchy.set_open(&self.subdivision, &closed, false);
            self.hierarchies.push((width, hierarchy));
        }
    }

    /// The widths that were needed, m.
    pub fn widths(&self) -> impl Iterator<Item = f64> {
        self.hierarchies.iter().map(|(width, _)| *width)
    }

    /// The hierarchy of a width; none before [`Network::need`].
    pub fn hierarchy(&self, width: f64) -> Option<&Hierarchy> {
        self.hierarchies.iter().find(|(w, _)| (w - width).abs() < SAME_WIDTH).map(|(_, hierarchy)| hierarchy)
    }

    /// Opens or closes a door that was in the other state, by its index in the floor. Only what it is part of is worked out
    /// anew.
    pub fn set_door(&mut self, door: usize, open: bool) {
        let Network { subdivision, hierarchies, of_door, door_closed, doors_closed, .. } = self;
        let mut changed = Vec::new();
        door_closed.get_mut(door).into_iter().for_each(|closed| *closed = !open);
        for portal in of_door.get(door).into_iter().flatten() {
            let i = portal.0 as usize;
            doors_closed[i] = if open { doors_closed[i].saturating_sub(1) } else { doors_closed[i] + 1 };
            if subdivision.is_closed(*portal) != (doors_closed[i] > 0) {
                changed.push(*portal);
            }
        }
        let turned = subdivision.set_closed(&changed, !open);
        for (_, hierarchy) in hierarchies {
            hierarchy.set_open_and_turn(subdivision, &changed, open, &turned);
        }
    }

    /// The portals of a short route, over the tree. Gives its length over their middles, m; `None` if there is no way or nobody
    /// has said that this width is needed.
    pub fn route(
        &self,
        width: f64,
        [from, to]: [Spot; 2],
        search: &mut NetworkSearch,
        out: &mut Vec<Crossing>,
    ) -> Option<f32> {
        out.clear();
        let hierarchy = self.hierarchy(width)?;
        let length = search.routing.find(hierarchy, &self.subdivision, from, to)?;
        search.routing.crossings(hierarchy, out);
        Some(length)
    }

    /// The portals of the cheapest route where portals cost `extra` metres on top, and one of them something of its own
    /// (who is at the head of a queue does not wait for all of it; nobody passes where it is infinitely much). Gives the whole
    /// cost, m.
    pub fn detour(
        &self,
        width: f64,
        ends: [Spot; 2],
        (extra, own): (&[f32], Option<(PortalId, f32)>),
        search: &mut NetworkSearch,
        out: &mut Vec<Crossing>,
    ) -> Option<f32> {
        let costs = Costs { extra, own, paces: &Paces::default() };
        search.detours.find(&self.subdivision, width, costs, ends, out)
    }

    /// The portals of the quickest route: as [`Network::detour`], where ground on which people are slower costs as many metres as
    /// they would walk meanwhile.
    pub fn quickest(
        &self,
        width: f64,
        ends: [Spot; 2],
        (extra, own): (&[f32], Option<(PortalId, f32)>),
        search: &mut NetworkSearch,
        out: &mut Vec<Crossing>,
    ) -> Option<f32> {
        let costs = Costs { extra, own, paces: &self.paces };
        search.detours.find(&self.subdivision, width, costs, ends, out)
    }

    /// What a route costs who looks for the quickest, m of plain ground over the middles of its portals.
    pub fn cost(
        &self,
        [from, to]: [Spot; 2],
        route: &[Crossing],
        (extra, own): (&[f32], Option<(PortalId, f32)>),
    ) -> f32 {
        let costs = Costs { extra, own, paces: &self.paces };
        let (mut at, mut cost) = (from.at, 0.0);
        for crossing in route {
            let middle = self.subdivision.portal(crossing.portal).middle().as_vec2();
            cost += self.paces.metres(at, middle) + costs.of(&self.subdivision, crossing.portal);
            at = middle;
        }
        cost + self.paces.metres(at, to.at)
    }

    /// The portal by which a straight line leaves the cell of a spot; `None` if it ends inside, or leaves through a wall.
    pub fn exit(&self, from: Spot, toward: Vec2) -> Option<PortalId> {
        let cell = self.subdivision.locate(from)?;
        let (at, direction) = (from.at.as_dvec2(), (toward - from.at).as_dvec2());
        let crosses = |portal: &&PortalId| {
            let portal = self.subdivision.portal(**portal);
            // The cell is to the left of the first of the two sides.
            let [a, b] = if portal.cells[0] == cell { portal.ends } else { [portal.ends[1], portal.ends[0]] };
            let leaves = (b - a).perp_dot(at + direction - a) < 0.0;
            leaves && direction.perp_dot(a - at) <= 0.0 && direction.perp_dot(b - at) >= 0.0
        };
        self.subdivision.portals_of(cell).iter().find(crosses).copied()
    }
}

/// For each door of the map the portals on its line.
fn portals_of_doors(map: &Map, subdivision: &Subdivision) -> Vec<Vec<PortalId>> {
    let mut of_door = vec![Vec::new(); map.closed_doors().len()];
    let on_doors = subdivision.portals().iter().enumerate().filter(|(_, portal)| portal.door);
    for (number, portal) in on_doors {
        for edge in &map.door_edges {
            let [(t, i), _] = edge.sides;
            let [a, b] = map.ground.mesh.edge(t, i);
            let along = (portal.middle() - a).dot(b - a) / (b - a).length_squared();
            if (a + (b - a) * along.clamp(0.0, 1.0)).distance(portal.middle()) <= ON_DOOR {
                for &door in &edge.doors {
                    if of_door[door].last() != Some(&PortalId(number as u32)) {
                        of_door[door].push(PortalId(number as u32));
                    }
                }
            }
        }
    }
    of_door
}
