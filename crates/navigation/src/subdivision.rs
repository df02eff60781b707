//! The free floor in convex cells, joined by portals.

use passerby_geometry::{DVec2, Vec2};

use crate::bottlenecks::{Facets, Rule};
use crate::cells::Merged;
use crate::ground::FIT;
use crate::map::Map;
use crate::mesh::Mesh;
use crate::turns;

/// A storey. There is only level 0 as yet.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Level(pub u16);

/// A convex cell of a [`Subdivision`].
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct CellId(pub u32);

/// A free segment between two cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct PortalId(pub u32);

/// A point on a level, in the map's local coordinates.
#[derive(Debug, Clone, Copy, PartialEq, Default)]
pub struct Spot {
    /// Its storey.
    pub level: Level,
    /// m.
    pub at: Vec2,
}

/// A free segment between two cells, in the map's local coordinates.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Portal {
    /// From end to end, with the first cell on the left.
    pub ends: [DVec2; 2],
    /// The cells to its left and right.
    pub cells: [CellId; 2],
    /// Whether it is part of a door line.
    pub door: bool,
}

impl Portal {
    /// m.
    pub fn length(&self) -> f64 {
        self.ends[0].distance(self.ends[1])
    }

    /// Its key point.
    pub fn middle(&self) -> DVec2 {
        (self.ends[0] + self.ends[1]) / 2.0
    }
}

/// Convex cells that tile the free floor of a map, doors as they were, and the portals between them.
///
/// Portals measure the narrow places. What is wider than a portal, or than the turn from one portal of a cell to another
/// ([`Subdivision::turn_widths`]), cannot pass.
#[derive(Debug, Clone, Default)]
pub struct Subdivision {
    pub(crate) mesh: Mesh,
    /// For each triangle its cell.
    pub(crate) cell_of: Vec<u32>,
    /// For each corner of each triangle how wide a disc may be that goes round it.
    pub(crate) corner_widths: Vec<[f64; 3]>,
    /// For each edge of each triangle its portal, if it is one.
    pub(crate) portal_of: Vec<[Option<u32>; 3]>,
    portals: Vec<Portal>,
    /// Outlines of all cells, one after the other.
    outline: Vec<DVec2>,
    outline_starts: Vec<u32>,
    /// Portals of all cells, counter-clockwise, one cell after the other.
    of_cell: Vec<PortalId>,
    of_cell_starts: Vec<u32>,
    /// For each cell a square of its portals.
    turn_widths: Vec<f64>,
    turn_starts: Vec<u32>,
    feet: Vec<DVec2>,
    rounds: u32,
    wall_count: u32,
}

impl Subdivision {
    /// Cuts the floor of a map into cells. Closed doors are walls, the lines of open doors are portals.
    pub fn build(map: &Map) -> Subdivision {
        Subdivision::build_by(map, Rule::Extended)
    }

    /// As [`Subdivision::build`], by another bottleneck rule.
    pub fn build_by(map: &Map, rule: Rule) -> Subdivision {
        let facets = Facets::new(map, rule);
        let mut merged = Merged::new(&facets);
        let count = facets.triangles.len();
        let mut of =
            Subdivision { feet: facets.points[facets.originals as usize..].to_vec(), ..Subdivision::default() };
        of.rounds = facets.rounds;
        let mut number = vec![u32::MAX; count];
        let mut cells: u32 = 0;
        for t in 0..count as u32 {
            let first = merged.first(t) as usize;
            if number[first] == u32::MAX {
                number[first] = cells;
                cells += 1;
            }
            of.cell_of.push(number[first]);
        }
        of.portal_of = vec![[None; 3]; count];
        for e in (0..3 * count as u32).filter(|&e| merged.stays[e as usize]) {
            let (twin, at) = (merged.twin[e as usize], |e: u32| (e as usize / 3, e as usize % 3));
            if twin == u32::MAX {
                of.wall_count += 1;
            } else if twin > e {
                let [(t, i), (u, j)] = [at(e), at(twin)];
                let corners = facets.triangles[t].corners;
                let ends = [corners[i], corners[(i + 1) % 3]].map(|v| facets.points[v as usize]);
                let portal = of.portals.len() as u32;
                (of.portal_of[t][i], of.portal_of[u][j]) = (Some(portal), Some(portal));
                let cells = [t, u].map(|t| CellId(of.cell_of[t]));
                of.portals.push(Portal { ends, cells, door: facets.doors[t][i] });
            }
        }
        of.write_outlines(&facets, &merged, cells);
        of.corner_widths = turns::widths(&facets.points, &facets.triangles);
        of.mesh = Mesh::new(facets.points, facets.triangles);
        of.write_turns();
        of
    }

    fn write_outlines(&mut self, facets: &Facets, merged: &Merged, cells: u32) {
        let mut starts = vec![u32::MAX; cells as usize];
        for e in (0..3 * facets.triangles.len() as u32).rev().filter(|&e| merged.stays[e as usize]) {
            starts[self.cell_of[(e / 3) as usize] as usize] = e;
        }
        for start in starts {
            self.outline_starts.push(self.outline.len() as u32);
            self.of_cell_starts.push(self.of_cell.len() as u32);
            for e in merged.outline(start) {
                let (t, i) = ((e / 3) as usize, (e % 3) as usize);
                self.outline.push(facets.points[facets.triangles[t].corners[i] as usize]);
                self.of_cell.extend(self.portal_of[t][i].map(PortalId));
            }
        }
        self.outline_starts.push(self.outline.len() as u32);
        self.of_cell_starts.push(self.of_cell.len() as u32);
    }

    /// The widths of all turns: for each portal of a cell, walk through the cell's triangles to all others.
    fn write_turns(&mut self) {
        let mut entry = vec![[(u32::MAX, 0); 2]; self.portals.len()];
        for (t, portals) in self.portal_of.iter().enumerate() {
            for (i, portal) in portals.iter().enumerate().filter_map(|(i, p)| p.map(|p| (i, p as usize))) {
                let side = usize::from(entry[portal][0].0 != u32::MAX);
                entry[portal][side] = (t as u32, i);
            }
        }
        let (mut widths, mut starts, mut stack) = (Vec::new(), Vec::new(), Vec::new());
        for cell in 0..self.cell_count() {
            starts.push(widths.len() as u32);
            let portals = self.portals_of(CellId(cell));
            for from in portals {
                let row = widths.len();
                widths.resize(row + portals.len(), 0.0);
                let from = from.0 as usize;
                let (t, i) =
                    entry[from].into_iter().find(|(t, _)| self.cell_of[*t as usize] == cell).unwrap_or_default();
                let write = |portal: u32, width: f64| {
                    if let Some(to) = portals.iter().position(|p| p.0 == portal) {
                        widths[row + to] = width.min(self.portals[from].length());
                    }
                };
                self.walk_cell(t, Some(i), &mut stack, write, |_, _| ());
            }
        }
        (self.turn_widths, self.turn_starts) = (widths, starts);
    }

    /// Calls `reach` with the portals of the cell of triangle `t` and how wide a disc may be that gets there from `t`, which
    /// it has entered by an edge, or in which it stands; and `pass` with the triangles likewise.
    pub(crate) fn walk_cell(
        &self,
        t: u32,
        entered: Option<usize>,
        stack: &mut Vec<(u32, Option<usize>, f64)>,
        mut reach: impl FnMut(u32, f64),
        mut pass: impl FnMut(u32, f64),
    ) {
        stack.clear();
        stack.push((t, entered, f64::INFINITY));
        while let Some((t, entered, width)) = stack.pop() {
            pass(t, width);
            let triangle = self.mesh.triangle(t);
            for i in (0..3).filter(|&i| Some(i) != entered && triangle.pass[i].is_some()) {
                // Edges i and k share the corner that is not opposite to the third one.
                let turn = entered.map_or(f64::INFINITY, |k| {
                    let corner = if (k + 1) % 3 == i { i } else { k };
                    self.corner_widths[t as usize][corner]
                });
                let [a, b] = self.mesh.edge(t, i);
                let width = width.min(turn).min(a.distance(b));
                if let Some(portal) = self.portal_of[t as usize][i] {
                    reach(portal, width);
                } else if let Some(beyond) = triangle.pass[i] {
                    let back = self.mesh.triangle(beyond).pass.iter().position(|&n| n == Some(t));
                    stack.push((beyond, back, width));
                }
            }
        }
    }

    /// Number of cells; their ids are below it.
    pub fn cell_count(&self) -> u32 {
        self.outline_starts.len().saturating_sub(1) as u32
    }

    /// All portals, in the order of their ids.
    pub fn portals(&self) -> &[Portal] {
        &self.portals
    }

    /// A portal.
    pub fn portal(&self, portal: PortalId) -> &Portal {
        &self.portals[portal.0 as usize]
    }

    /// The outline of a cell, counter-clockwise; feet of bottlenecks are on it.
    pub fn outline(&self, cell: CellId) -> &[DVec2] {
        let c = cell.0 as usize;
        &self.outline[self.outline_starts[c] as usize..self.outline_starts[c + 1] as usize]
    }

    /// The portals of a cell, counter-clockwise.
    pub fn portals_of(&self, cell: CellId) -> &[PortalId] {
        let c = cell.0 as usize;
        &self.of_cell[self.of_cell_starts[c] as usize..self.of_cell_starts[c + 1] as usize]
    }

    /// How wide a disc may be that crosses a cell: row by row from each of its portals to each other, m. 0 from one to itself.
    pub fn turn_widths(&self, cell: CellId) -> &[f64] {
        let arity = self.portals_of(cell).len();
        let start = self.turn_starts[cell.0 as usize] as usize;
        &self.turn_widths[start..start + arity * arity]
    }

    /// The points at which bottlenecks cut walls, in the order they were found.
    pub fn feet(&self) -> &[DVec2] {
        &self.feet
    }

    /// Number of corners that were there before: ends of walls and doors that are no feet.
    pub fn original_count(&self) -> u32 {
        (self.mesh.points.len() - self.feet.len()) as u32
    }

    /// How many rounds it took to find all bottlenecks.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Number of wall pieces on the outlines of cells.
    pub fn wall_count(&self) -> u32 {
        self.wall_count
    }

    /// The cell that holds a spot; one of them if it is on a portal.
    pub fn locate(&self, spot: Spot) -> Option<CellId> {
        self.triangle_at(spot).map(|t| CellId(self.cell_of[t as usize]))
    }

    pub(crate) fn triangle_at(&self, spot: Spot) -> Option<u32> {
        if spot.level == Level(0) { self.mesh.locate(spot.at.as_dvec2()) } else { None }
    }

    /// Bytes in memory.
    pub fn bytes(&self) -> usize {
        let Subdivision { mesh, cell_of, corner_widths, portal_of, portals, outline, of_cell, turn_widths, .. } = self;
        let columns = [size_of_val(&cell_of[..]), size_of_val(&corner_widths[..]), size_of_val(&portal_of[..])];
        let cells = [size_of_val(&portals[..]), size_of_val(&outline[..]), size_of_val(&of_cell[..])];
        let starts = 12 * self.cell_count() as usize;
        columns.iter().chain(&cells).sum::<usize>() + size_of_val(&turn_widths[..]) + starts + mesh.bytes()
    }
}

/// Whether a disc passes where `room` is as wide as that, with the slack the exact planner allows on either side.
pub(crate) fn passes(width: f64, room: f64) -> bool {
    room >= width - 2.0 * FIT
}
