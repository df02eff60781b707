//! Closed doors are walls to cells: corners that face one are measured anew when it closes or opens.
//!
//! A door's line is a portal always, so that no cell has to be cut when it closes. But who passes close by an open door has the
//! room of the doorway too, and not when it is closed.

use std::collections::BTreeSet;

use crate::subdivision::{CellId, PortalId, Subdivision, Turning};
use crate::turns::widths_of;

impl Subdivision {
    /// Whether nobody can use a portal for the time being.
    pub(crate) fn is_closed(&self, portal: PortalId) -> bool {
        self.closed[portal.0 as usize]
    }

    /// Closes portals that are doors, or opens them. Gives the cells of which some turn has another width now.
    pub(crate) fn set_closed(&mut self, portals: &[PortalId], closed: bool) -> Vec<u32> {
        let mut facing = Vec::new();
        for portal in portals {
            self.closed[portal.0 as usize] = closed;
            // Of one that an obstacle covers nothing is there to be faced.
            if self.portal(*portal).door {
                let [a, b] = self.portal(*portal).ends;
                facing.extend(self.looking_into(a.min(b), a.max(b)));
            }
        }
        facing.sort_unstable();
        facing.dedup();
        let turned = self.measure_corners(&facing);
        let mut memory = Turning::default();
        turned.iter().for_each(|&cell| self.write_turns(CellId(cell), &mut memory));
        turned.into_iter().collect()
    }

    /// Works out how wide a disc may be at the corners of some triangles; gives the cells in which that has changed.
    pub(crate) fn measure_corners(&mut self, triangles: &[u32]) -> BTreeSet<u32> {
        let (mut stack, mut turned) = (Vec::new(), BTreeSet::new());
        for &t in triangles {
            let is_closed =
                |t: u32, edge: usize| self.portal_of[t as usize][edge].is_some_and(|p| self.closed[p as usize]);
            let widths = widths_of((&self.mesh.points, &self.mesh.triangles), t, &mut stack, is_closed);
            if std::mem::replace(&mut self.corner_widths[t as usize], widths) != widths {
                turned.insert(self.cell_of[t as usize]);
            }
        }
        turned
    }
}
