//! Cells in place of others: what an obstacle leaves of them, or the old ones when it is gone.

use std::collections::BTreeSet;

use passerby_geometry::{DVec2, Polygon};

use crate::cells::Merged;
use crate::mending::{Laid, Piece};
use crate::mesh::Triangle;
use crate::subdivision::{CellId, Portal, PortalId, Subdivision, Turning};
use crate::turns::shorter_edge;

/// What an obstacle has changed, and what was there before.
#[derive(Debug, Clone, Default)]
pub(crate) struct Mend {
    laid: Laid,
    old_triangles: Vec<(u32, Triangle)>,
    /// With one of their triangles each.
    old_cells: Vec<(u32, Option<u32>)>,
    old_portals: Vec<(u32, Portal)>,
    new_cells: Vec<u32>,
    new_portals: Vec<u32>,
    /// Portals to cells that stay, with the old cell and the new one on this side.
    border: Vec<(u32, [u32; 2])>,
}

/// What has changed, for whoever keeps something by cells or portals.
#[derive(Debug, Clone, Default)]
pub(crate) struct Change {
    pub gone_cells: Vec<u32>,
    pub new_cells: Vec<u32>,
    pub gone_portals: Vec<u32>,
    pub new_portals: Vec<u32>,
    /// Portals that have another cell on one side.
    pub border: Vec<u32>,
    /// Cells that are there still, with turns of other widths.
    pub turned: Vec<u32>,
}

impl Change {
    /// More cells with turns of other widths; the new ones are known already.
    pub fn add_turned(&mut self, cells: Vec<u32>) {
        self.turned.extend(cells.into_iter().filter(|cell| !self.new_cells.contains(cell)));
        self.turned.sort_unstable();
        self.turned.dedup();
    }
}

impl Mend {
    /// The portals on doors that were there before, and their ends.
    pub fn old_doors(&self) -> impl Iterator<Item = (PortalId, [DVec2; 2])> {
        self.old_portals.iter().filter(|(_, was)| was.door).map(|(portal, was)| (PortalId(*portal), was.ends))
    }

    /// Whether it was made out of cells of another one: then that cannot be undone before this.
    pub fn is_on(&self, other: &Mend) -> bool {
        self.old_cells.iter().any(|(cell, _)| other.new_cells.contains(cell))
    }
}

impl Subdivision {
    /// Cuts an obstacle out of the cells, which stay tiles of the free floor. `None`, and nothing has changed, if rounding leaves no
    /// clean cut: then everything has to be made anew.
    pub(crate) fn put(&mut self, polygon: &Polygon) -> Option<(Mend, Change)> {
        match self.cut_out(polygon)? {
            Some(piece) => Some(self.replace_cells(piece)),
            None => Some(Default::default()),
        }
    }

    /// Makes cells of a piece that was laid into the mesh.
    fn replace_cells(&mut self, piece: Piece) -> (Mend, Change) {
        let Piece { patch, facets, laid, around } = piece;
        let mut merged = Merged::new(&facets);
        let mut mend = Mend::default();
        let old_cells: BTreeSet<u32> = patch.iter().map(|&t| self.cell_of[t as usize]).collect();
        let mut number = vec![None; facets.triangles.len()];
        for (t, &new) in laid.triangles.iter().enumerate() {
            let first = merged.first(t as u32) as usize;
            let cell = *number[first].get_or_insert_with(|| {
                let cell = self.new_cell();
                mend.new_cells.push(cell);
                self.a_triangle[cell as usize] = Some(new);
                cell
            });
            self.cell_of[new as usize] = cell;
            self.portal_of[new as usize] = [None; 3];
        }
        for &[(old, edge), (new, i)] in &laid.border {
            let Some(portal) = self.portal_of[old as usize][edge] else { continue };
            self.portal_of[new as usize][i] = Some(portal);
            let cells = [old, new].map(|t| self.cell_of[t as usize]);
            mend.border.push((portal, cells));
            self.portals[portal as usize].hand_over(cells);
        }
        for e in (0..3 * laid.triangles.len() as u32).filter(|&e| merged.stays[e as usize]) {
            let (twin, at) = (merged.twin[e as usize], |e: u32| (laid.triangles[e as usize / 3], e as usize % 3));
            if twin != u32::MAX && twin > e {
                let [(t, i), (u, j)] = [at(e), at(twin)];
                let cells = [t, u].map(|t| CellId(self.cell_of[t as usize]));
                let door = facets.doors[e as usize / 3][e as usize % 3];
                let portal = self.new_portal(Portal { ends: self.mesh.edge(t, i), cells, door });
                mend.new_portals.push(portal);
                (self.portal_of[t as usize][i], self.portal_of[u as usize][j]) = (Some(portal), Some(portal));
            }
        }
        self.write_new_outlines(&merged, &laid);
        mend.old_cells = old_cells.iter().map(|&cell| (cell, self.a_triangle[cell as usize])).collect();
        mend.old_portals = self.portals_between(&old_cells, &mend.border);
        mend.old_triangles = patch.iter().map(|&t| (t, *self.mesh.triangle(t))).collect();
        self.mesh.grid.replace(&self.mesh.shapes(&patch), &self.mesh.shapes(&laid.triangles));
        patch.iter().for_each(|&t| self.mesh.triangles[t as usize] = Triangle::GONE);
        mend.old_cells.iter().for_each(|(cell, _)| self.a_triangle[*cell as usize] = None);
        mend.old_portals.iter().for_each(|(portal, _)| self.close_off(*portal));
        let turned = self.measure(&laid.triangles, &around, &mend.new_cells);
        mend.laid = laid;
        let change = mend.change(turned);
        (mend, change)
    }

    /// Gives the cells back that an obstacle was cut out of.
    pub(crate) fn take(&mut self, mend: &Mend) -> Change {
        let old: Vec<u32> = mend.old_triangles.iter().map(|(t, _)| *t).collect();
        for (t, triangle) in &mend.old_triangles {
            self.mesh.triangles[*t as usize] = *triangle;
        }
        for &[old, new] in &mend.laid.border {
            self.mesh.hand_over(new, old);
        }
        if !old.is_empty() {
            self.mesh.grid.replace(&self.mesh.shapes(&mend.laid.triangles), &self.mesh.shapes(&old));
        }
        self.forget(&mend.laid);
        for &(portal, [old, new]) in &mend.border {
            self.portals[portal as usize].hand_over([new, old]);
        }
        mend.new_cells.iter().for_each(|&cell| self.a_triangle[cell as usize] = None);
        mend.new_portals.iter().for_each(|&portal| self.close_off(portal));
        self.unused.cells.extend(mend.new_cells.iter().rev());
        self.unused.portals.extend(mend.new_portals.iter().rev());
        mend.old_cells.iter().for_each(|&(cell, triangle)| self.a_triangle[cell as usize] = triangle);
        mend.old_portals.iter().for_each(|&(portal, was)| self.portals[portal as usize] = was);
        let cells: Vec<u32> = mend.old_cells.iter().map(|(cell, _)| *cell).collect();
        let turned = if old.is_empty() { Vec::new() } else { self.measure(&old, &self.around(&old), &cells) };
        let Change { gone_cells, new_cells, gone_portals, new_portals, border, turned } = mend.change(turned);
        Change {
            gone_cells: new_cells,
            new_cells: gone_cells,
            gone_portals: new_portals,
            new_portals: gone_portals,
            border,
            turned,
        }
    }

    /// Whether the cells that were given back go with what is around them now: others may have been cut since.
    pub(crate) fn goes_with_rest(&self, mend: &Mend) -> bool {
        let old: Vec<u32> = mend.old_triangles.iter().map(|(t, _)| *t).collect();
        if old.is_empty() {
            return true;
        }
        let border: Vec<_> = mend.laid.border.iter().map(|&[old, _]| [old, old]).collect();
        let (wanted, outside) = self.wanted_cuts(&old, &self.around(&old));
        self.not_delaunay(&border).is_empty() && wanted.is_empty() && outside.is_empty()
    }

    fn new_cell(&mut self) -> u32 {
        self.unused.cells.pop().unwrap_or_else(|| {
            self.a_triangle.push(None);
            self.a_triangle.len() as u32 - 1
        })
    }

    fn new_portal(&mut self, portal: Portal) -> u32 {
        if let Some(number) = self.unused.portals.pop() {
            (self.portals[number as usize], self.closed[number as usize]) = (portal, false);
            return number;
        }
        (self.portals.push(portal), self.closed.push(false));
        self.portals.len() as u32 - 1
    }

    fn close_off(&mut self, portal: u32) {
        let portal = &mut self.portals[portal as usize];
        (portal.cells[1], portal.door) = (portal.cells[0], false);
    }

    /// The portals that lead from one of these cells to another.
    fn portals_between(&self, cells: &BTreeSet<u32>, border: &[(u32, [u32; 2])]) -> Vec<(u32, Portal)> {
        let of_cells = cells.iter().flat_map(|&cell| self.of_cell.get(cell as usize)).map(|portal| portal.0);
        let mut inner: Vec<u32> = of_cells.filter(|p| border.iter().all(|(other, _)| other != p)).collect();
        inner.sort_unstable();
        inner.dedup();
        inner.into_iter().map(|portal| (portal, self.portals[portal as usize])).collect()
    }

    fn write_new_outlines(&mut self, merged: &Merged, laid: &Laid) {
        let mut written: BTreeSet<u32> = BTreeSet::new();
        let (mut outline, mut portals) = (Vec::new(), Vec::new());
        for e in (0..3 * laid.triangles.len() as u32).filter(|&e| merged.stays[e as usize]) {
            let cell = self.cell_of[laid.triangles[e as usize / 3] as usize];
            if !written.insert(cell) {
                continue;
            }
            (outline.clear(), portals.clear());
            for e in merged.outline(e) {
                let (t, i) = (laid.triangles[e as usize / 3], e as usize % 3);
                outline.push(self.mesh.point(self.mesh.triangle(t).corners[i]));
                portals.extend(self.portal_of[t as usize][i].map(PortalId));
            }
            self.outlines.set(cell as usize, &outline);
            self.of_cell.set(cell as usize, &portals);
        }
    }

    /// Works out the widths of new triangles and cells, and of corners around; gives the other cells of which some turn has changed.
    fn measure(&mut self, new: &[u32], around: &[u32], cells: &[u32]) -> Vec<u32> {
        let mut turned = self.measure_corners(new);
        turned.append(&mut self.measure_corners(around));
        for &t in new {
            let longest = [0, 1, 2].map(|i| shorter_edge(&self.mesh.points, self.mesh.triangle(t), i));
            self.reach = longest.into_iter().fold(self.reach, f64::max);
        }
        cells.iter().for_each(|cell| _ = turned.remove(cell));
        let mut memory = Turning::default();
        for &cell in cells.iter().chain(&turned) {
            self.write_turns(CellId(cell), &mut memory);
        }
        turned.into_iter().collect()
    }
}

impl Mend {
    fn change(&self, turned: Vec<u32>) -> Change {
        Change {
            gone_cells: self.old_cells.iter().map(|(cell, _)| *cell).collect(),
            new_cells: self.new_cells.clone(),
            gone_portals: self.old_portals.iter().map(|(portal, _)| *portal).collect(),
            new_portals: self.new_portals.clone(),
            border: self.border.iter().map(|(portal, _)| *portal).collect(),
            turned,
        }
    }
}

impl Portal {
    /// Puts another cell in the place of one.
    fn hand_over(&mut self, [from, to]: [u32; 2]) {
        if let Some(cell) = self.cells.iter_mut().find(|cell| cell.0 == from) {
            *cell = CellId(to);
        }
    }
}
