//! The free floor in convex cells, joined by portals.

use passerby_geometry::{DVec2, Vec2};

use crate::bottlenecks::{Facets, Rule};
use crate::cells::Merged;
use crate::ground::FIT;
use crate::map::Map;
use crate::mesh::Mesh;
use crate::turns;
use passerby_geometry::lists::Lists;

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
    /// Whether each point was made by a bottleneck.
    pub(crate) is_foot: Vec<bool>,
    /// For each triangle its cell.
    pub(crate) cell_of: Vec<u32>,
    /// For each corner of each triangle how wide a disc may be that goes round it.
    pub(crate) corner_widths: Vec<[f64; 3]>,
    /// For each edge of each triangle its portal, if it is one.
    pub(crate) portal_of: Vec<[Option<u32>; 3]>,
    pub(crate) portals: Vec<Portal>,
    /// Whether nobody can use each portal for the time being: it is part of a closed door.
    pub(crate) closed: Vec<bool>,
    /// The outline of each cell.
    pub(crate) outlines: Lists<DVec2>,
    /// The portals of each cell, counter-clockwise.
    pub(crate) of_cell: Lists<PortalId>,
    /// For each cell a square of its portals.
    pub(crate) turns: Lists<f64>,
    /// One of the triangles of each cell; none if it is gone.
    pub(crate) a_triangle: Vec<Option<u32>>,
    /// No corner can be nearer to a wall that faces it and still matter, m: no edges that meet are both longer.
    pub(crate) reach: f64,
    /// Numbers that are free again.
    pub(crate) unused: Unused,
    feet: Vec<DVec2>,
    rounds: u32,
    wall_count: u32,
}

/// Numbers of what is gone, the next to be used at the end.
#[derive(Debug, Clone, Default)]
pub(crate) struct Unused {
    pub points: Vec<u32>,
    pub triangles: Vec<u32>,
    pub cells: Vec<u32>,
    pub portals: Vec<u32>,
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
        of.is_foot = (0..facets.points.len()).map(|v| v >= facets.originals as usize).collect();
        of.rounds = facets.rounds;
        let mut number = vec![u32::MAX; count];
        let mut cells: u32 = 0;
        for t in 0..count as u32 {
            let first = merged.first(t) as usize;
            if number[first] == u32::MAX {
                number[first] = cells;
                cells += 1;
                of.a_triangle.push(Some(t));
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
        of.closed = vec![false; of.portals.len()];
        of.write_outlines(&facets, &merged, cells);
        of.corner_widths = turns::widths(&facets.points, &facets.triangles);
        of.reach = turns::reach(&facets.points, &facets.triangles);
        of.mesh = Mesh::new(facets.points, facets.triangles);
        let mut memory = Turning::default();
        (0..cells).for_each(|cell| of.write_turns(CellId(cell), &mut memory));
        of
    }

    fn write_outlines(&mut self, facets: &Facets, merged: &Merged, cells: u32) {
        let mut starts = vec![u32::MAX; cells as usize];
        for e in (0..3 * facets.triangles.len() as u32).rev().filter(|&e| merged.stays[e as usize]) {
            starts[self.cell_of[(e / 3) as usize] as usize] = e;
        }
        let at = |e: u32| ((e / 3) as usize, (e % 3) as usize);
        for start in starts {
            let corner = |(t, i): (usize, usize)| facets.points[facets.triangles[t].corners[i] as usize];
            self.outlines.push(merged.outline(start).map(|e| corner(at(e))));
            let portal = |(t, i): (usize, usize)| self.portal_of[t][i].map(PortalId);
            self.of_cell.push(merged.outline(start).filter_map(|e| portal(at(e))));
        }
    }

    /// The triangles of a cell. Clears `out` before.
    pub(crate) fn triangles_of(&self, cell: CellId, out: &mut Vec<u32>) {
        out.clear();
        out.extend(self.a_triangle[cell.0 as usize]);
        let mut next = 0;
        while let Some(&t) = out.get(next) {
            next += 1;
            for i in (0..3).filter(|&i| self.portal_of[t as usize][i].is_none()) {
                let beyond = self.mesh.triangle(t).pass[i].filter(|n| !out.contains(n));
                out.extend(beyond);
            }
        }
    }

    /// The widths of all turns of a cell: from each of its portals, walk through its triangles to all others.
    pub(crate) fn write_turns(&mut self, cell: CellId, memory: &mut Turning) {
        let Turning { triangles, widths, stack } = memory;
        self.triangles_of(cell, triangles);
        let portals = self.portals_of(cell);
        widths.clear();
        widths.resize(portals.len() * portals.len(), 0.0);
        for (row, from) in portals.iter().enumerate() {
            let entry = |t: u32| self.portal_of[t as usize].iter().position(|p| *p == Some(from.0)).map(|i| (t, i));
            let Some((t, i)) = triangles.iter().find_map(|&t| entry(t)) else { continue };
            let write = |portal: u32, width: f64| {
                if let Some(to) = portals.iter().position(|p| p.0 == portal) {
                    widths[row * portals.len() + to] = width.min(self.portal(*from).length());
                }
            };
            self.walk_cell(t, Some(i), stack, write, |_, _| ());
        }
        self.turns.set(cell.0 as usize, widths);
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

    /// Number of cells; their ids are below it. Some may be gone after a repair: they have no outline.
    pub fn cell_count(&self) -> u32 {
        self.a_triangle.len() as u32
    }

    /// All portals, in the order of their ids. One that is gone after a repair has the same cell on both sides.
    pub fn portals(&self) -> &[Portal] {
        &self.portals
    }

    /// A portal.
    pub fn portal(&self, portal: PortalId) -> &Portal {
        &self.portals[portal.0 as usize]
    }

    /// The outline of a cell, counter-clockwise; feet of bottlenecks are on it.
    pub fn outline(&self, cell: CellId) -> &[DVec2] {
        if self.is_gone(cell) { &[] } else { self.outlines.get(cell.0 as usize) }
    }

    /// The portals of a cell, counter-clockwise.
    pub fn portals_of(&self, cell: CellId) -> &[PortalId] {
        if self.is_gone(cell) { &[] } else { self.of_cell.get(cell.0 as usize) }
    }

    /// How wide a disc may be that crosses a cell: row by row from each of its portals to each other, m. 0 from one to itself.
    pub fn turn_widths(&self, cell: CellId) -> &[f64] {
        if self.is_gone(cell) { &[] } else { self.turns.get(cell.0 as usize) }
    }

    fn is_gone(&self, cell: CellId) -> bool {
        self.a_triangle[cell.0 as usize].is_none()
    }

    /// The points at which bottlenecks cut walls, in the order they were found when all was built.
    pub fn feet(&self) -> &[DVec2] {
        &self.feet
    }

    /// Number of corners that were there before: ends of walls and doors that are no feet.
    pub fn original_count(&self) -> u32 {
        self.is_foot.iter().filter(|foot| !**foot).count() as u32
    }

    /// How many rounds it took to find all bottlenecks.
    pub fn rounds(&self) -> u32 {
        self.rounds
    }

    /// Number of wall pieces on the outlines of cells when all was built.
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
        let Subdivision { mesh, cell_of, corner_widths, portal_of, portals, outlines, of_cell, turns, .. } = self;
        let columns = [size_of_val(&cell_of[..]), size_of_val(&corner_widths[..]), size_of_val(&portal_of[..])];
        let cells = [size_of_val(&portals[..]), outlines.bytes(), of_cell.bytes(), turns.bytes()];
        let rest = self.is_foot.len() + size_of_val(&self.a_triangle[..]) + mesh.bytes();
        columns.iter().chain(&cells).sum::<usize>() + rest
    }
}

/// Memory for the turns of a cell.
#[derive(Default)]
pub(crate) struct Turning {
    triangles: Vec<u32>,
    widths: Vec<f64>,
    stack: Vec<(u32, Option<usize>, f64)>,
}

/// Whether a disc passes where `room` is as wide as that, with the slack the exact planner allows on either side.
pub(crate) fn passes(width: f64, room: f64) -> bool {
    room >= width - 2.0 * FIT
}
