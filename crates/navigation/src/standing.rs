//! Obstacles that come and go on a network: cells and hierarchies are repaired where they stand.

use passerby_geometry::Polygon;

use crate::mesh::closest_point;
use crate::network::{Network, ON_DOOR};
use crate::regrowing::Grown;
use crate::repair::{Change, Mend};
use crate::subdivision::PortalId;

/// Obstacles this close to each other are cut with one another, m.
pub(crate) const NEAR: f64 = 0.01;

/// What whoever puts an obstacle calls it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ObstacleId(pub u32);

/// An obstacle that stands, and how to be rid of it.
#[derive(Debug, Clone)]
pub(crate) struct Standing {
    id: ObstacleId,
    /// How many were put before it.
    order: u32,
    /// In local coordinates.
    polygon: Polygon,
    mend: Mend,
    /// For each hierarchy.
    grown: Vec<Grown>,
}

impl Standing {
    /// Whether it was cut out of what another one had left, or stands where that hides it.
    fn is_on(&self, other: &Standing) -> bool {
        let ((low, high), (from, to)) = (self.polygon.bounds(), other.polygon.bounds());
        self.mend.is_on(&other.mend) || (low.cmple(to + NEAR).all() && high.cmpge(from - NEAR).all())
    }
}

impl Network {
    /// Puts an obstacle on the floor, in the place's coordinates; nobody else may be called so. Only the cells that it touches are
    /// made anew, and stored paths as far as they change.
    ///
    /// `false`, and nothing has changed, if rounding leaves no clean cut or there are too many: then everything has to be built anew.
    #[must_use]
    pub fn put(&mut self, id: ObstacleId, polygon: &Polygon) -> bool {
        self.put_local(id, polygon.translated(-self.offset))
    }

    fn put_local(&mut self, id: ObstacleId, polygon: Polygon) -> bool {
        let Some((mend, mut change)) = self.subdivision.put(&polygon) else { return false };
        let cells = self.subdivision.cell_count();
        if !self.hierarchies.iter().all(|(_, hierarchy)| hierarchy.has_room_for(cells)) {
            self.subdivision.take(&mend);
            return false;
        }
        let closed = self.find_doors(&change, &mend);
        let Network { subdivision, hierarchies, .. } = self;
        change.add_turned(subdivision.set_closed(&closed, true));
        let grown = hierarchies.iter_mut().map(|(_, hierarchy)| hierarchy.put(subdivision, &change)).collect();
        self.put_count += 1;
        self.standing.push(Standing { id, order: self.put_count, polygon, mend, grown });
        true
    }

    /// Takes an obstacle away that was put.
    ///
    /// `false` if there is none of that name, or it cannot be taken out by itself: then everything has to be built anew.
    #[must_use]
    pub fn take(&mut self, id: ObstacleId) -> bool {
        let Some(first) = self.standing.iter().position(|s| s.id == id) else { return false };
        // What was cut out of cells that this one has left has to go before it, and comes again afterwards.
        let mut with_it = vec![first];
        for later in first + 1..self.standing.len() {
            if with_it.iter().any(|&before| self.standing[later].is_on(&self.standing[before])) {
                with_it.push(later);
            }
        }
        let is_last = with_it.len() == self.standing.len() - first;
        let mut gone: Vec<Standing> = with_it.iter().rev().map(|&place| self.undo(place)).collect();
        if !is_last && !gone.iter().all(|s| self.subdivision.goes_with_rest(&s.mend)) {
            // Something beside it was fitted to what it had left.
            gone = (first..self.standing.len()).rev().map(|place| self.undo(place)).chain(gone).collect();
            gone.sort_by_key(|s| std::cmp::Reverse(s.order));
        }
        gone.retain(|s| s.id != id);
        gone.into_iter().rev().all(|again| self.put_local(again.id, again.polygon))
    }

    fn undo(&mut self, place: usize) -> Standing {
        let standing = self.standing.remove(place);
        let change = self.subdivision.take(&standing.mend);
        let Network { subdivision, hierarchies, of_door, .. } = self;
        if !change.gone_portals.is_empty() {
            of_door.iter_mut().for_each(|portals| portals.retain(|p| !change.gone_portals.contains(&p.0)));
        }
        for ((_, hierarchy), grown) in hierarchies.iter_mut().zip(&standing.grown) {
            hierarchy.take(subdivision, &change, grown);
        }
        standing
    }

    /// Finds out which doors the new portals belong to, and gives those that are closed.
    fn find_doors(&mut self, change: &Change, mend: &Mend) -> Vec<PortalId> {
        let Network { subdivision, of_door, doors_closed, door_closed, .. } = self;
        doors_closed.resize(subdivision.portals().len(), 0);
        let mut closed = Vec::new();
        for &new in &change.new_portals {
            doors_closed[new as usize] = 0;
            let middle = subdivision.portal(PortalId(new)).middle();
            if subdivision.portal(PortalId(new)).door {
                let on = |ends| closest_point(ends, middle).distance(middle) <= ON_DOOR;
                let old: Vec<PortalId> = mend.old_doors().filter(|(_, ends)| on(*ends)).map(|(p, _)| p).collect();
                for (door, portals) in of_door.iter_mut().enumerate() {
                    if portals.iter().any(|p| old.contains(p)) {
                        portals.push(PortalId(new));
                        doors_closed[new as usize] += u32::from(door_closed[door]);
                    }
                }
            }
            closed.extend((doors_closed[new as usize] > 0).then_some(PortalId(new)));
        }
        closed
    }
}
