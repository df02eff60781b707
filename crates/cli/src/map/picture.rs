//! A place as those see it who look for ways: its cells and portals, the graph they make, levels of the tree, ways.

use crate::layout::Layout;
use crate::picture::shortened;
use crate::{labels, legend};
use anyhow::{Context, Result};
use passerby::geometry::DVec2;
use passerby::navigation::{CellId, NodeId, Portal};
use passerby::place_shape;
use passerby_measure::Extent;
use passerby_measure::chart::{self, Align, Color, Path, Pen, Pixels, Point, Sheet, Svg, Words, ink};
use std::collections::BTreeMap;

use super::built::Built;
use super::way::Answer;

/// What a picture shows besides the place.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Show {
    /// Nothing.
    Map,
    /// Cells by their ways out, and portals.
    Cells,
    /// Middles of cells, joined through portals.
    Graph,
    /// Cells by what they belong to so many levels below the root.
    Abstraction(u32),
}

impl Show {
    /// The word of the command line.
    pub fn parse(text: &str) -> Result<Show, String> {
        let level = |text: &str| text.strip_prefix("abstraction=").and_then(|level| level.parse().ok());
        match (text, level(text)) {
            ("map", _) => Ok(Show::Map),
            ("cells", _) => Ok(Show::Cells),
            ("graph", _) => Ok(Show::Graph),
            (_, Some(level)) => Ok(Show::Abstraction(level)),
            _ => Err("allowed: map, cells, graph, abstraction=N with a level N, such as abstraction=3".to_owned()),
        }
    }
}

/// Which file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    Svg,
    Png,
}

/// How a picture is to be.
pub struct Wanted {
    pub show: Show,
    /// Pixels.
    pub width: u32,
    pub kind: Kind,
}

const NARROW: Color = Color::hex(0xc8372d);
const PORTAL: Color = Color::hex(0x4a5361);
const EXACT: Color = Color::hex(0xb3261e);
const PULLED: Color = Color::hex(0x1c4fa0);

/// How firm the colours of cells are.
const FIRMNESS: f32 = 0.4;

/// Colours of cells by their ways out, and what they are called.
fn by_arity() -> [(Color, &'static str); 6] {
    [
        (ink::MOVER, "closed"),
        (chart::kind(3), "dead end"),
        (chart::kind(0), "passage"),
        (chart::kind(2), "3 ways out"),
        (chart::kind(4), "4 ways out"),
        (chart::kind(1), "more"),
    ]
}

/// The bytes of the picture.
pub fn draw(built: &Built, answers: &[Answer], wanted: &Wanted) -> Result<Vec<u8>> {
    let place = place_shape(&built.place.floor);
    let extent = Extent::of_place(&place).context("there is no floor to draw")?;
    let entries = entries(wanted.show, answers);
    let names: Vec<String> = entries.iter().map(|(_, name)| (*name).to_owned()).collect();
    let layout = Layout::new(wanted.width, &extent, legend::rows(&names, wanted.width as f32).len());
    let paint = |sheet: &mut dyn Sheet| {
        let canvas = Canvas { built, layout: &layout };
        // Obstacles and regions may reach beyond the floor: not over the words.
        let [left, top, right, bottom] = layout.frame;
        let rim = 4.0 * layout.unit;
        sheet.clip([left - rim, top - rim, right + rim, bottom + rim]);
        chart::floor(sheet, &layout.view(), &place);
        match wanted.show {
            Show::Map => {}
            Show::Cells => canvas.cells(sheet),
            Show::Graph => canvas.graph(sheet),
            Show::Abstraction(level) => canvas.abstraction(sheet, level),
        }
        chart::outlines(sheet, &layout.view(), &place);
        chart::doors(sheet, &layout.view(), &place);
        if matches!(wanted.show, Show::Map) {
            labels::draw(sheet, &layout, &place);
        }
        answers.iter().for_each(|answer| canvas.way(sheet, answer));
        sheet.unclip();
        canvas.words(sheet, wanted.show);
        canvas.legend(sheet, &entries, &names);
    };
    let size = [layout.width, layout.height];
    match wanted.kind {
        Kind::Svg => {
            let mut sheet = Svg::new(size, ink::PAPER);
            paint(&mut sheet);
            Ok(sheet.finish().into_bytes())
        }
        Kind::Png => {
            let mut sheet =
                Pixels::new(size, 1.0, ink::PAPER).with_context(|| format!("no picture of {size:?} pixels"))?;
            paint(&mut sheet);
            sheet.png().context("the picture cannot be packed")
        }
    }
}

/// What the legend explains.
fn entries(show: Show, answers: &[Answer]) -> Vec<(Color, &'static str)> {
    let mut entries = match show {
        Show::Cells => by_arity().map(|(color, name)| (color.with_alpha(FIRMNESS), name)).to_vec(),
        Show::Graph => by_arity().to_vec(),
        Show::Map | Show::Abstraction(_) => Vec::new(),
    };
    if show == Show::Cells {
        entries.extend([(PORTAL, "portal"), (NARROW, "too narrow")]);
    }
    if !answers.is_empty() {
        entries.extend([(EXACT, "exact way"), (PULLED, "way over cells")]);
    }
    entries
}

struct Canvas<'a> {
    built: &'a Built,
    layout: &'a Layout,
}

impl Canvas<'_> {
    fn at(&self, point: DVec2) -> Point {
        self.layout.pixel(self.built.place_point(point))
    }

    fn outline(&self, cell: u32) -> Vec<Point> {
        self.built.subdivision.outline(CellId(cell)).iter().map(|point| self.at(*point)).collect()
    }

    /// Fills cells, all of one colour at once.
    fn fill(&self, sheet: &mut dyn Sheet, colors: &[Color], of: impl Fn(u32) -> usize) {
        let mut rings: Vec<Vec<Vec<Point>>> = vec![Vec::new(); colors.len()];
        for cell in 0..self.built.subdivision.cell_count() {
            rings[of(cell)].push(self.outline(cell));
        }
        for (rings, color) in rings.into_iter().zip(colors).filter(|(rings, _)| !rings.is_empty()) {
            sheet.fill(&Path::rings(rings), *color);
        }
    }

    fn arity(&self, cell: u32) -> usize {
        self.built.hierarchy.topology().arity(CellId(cell)).min(5) as usize
    }

    fn cells(&self, sheet: &mut dyn Sheet) {
        self.fill(sheet, &by_arity().map(|(color, _)| color.with_alpha(FIRMNESS)), |cell| self.arity(cell));
        let too_narrow = |portal: &Portal| portal.length() < self.built.width - 2e-6;
        self.portals(sheet, &Pen::new(PORTAL, self.layout.unit), |portal| !too_narrow(portal));
        self.portals(sheet, &Pen::new(NARROW, 2.0 * self.layout.unit), too_narrow);
    }

    fn portals(&self, sheet: &mut dyn Sheet, pen: &Pen, which: impl Fn(&Portal) -> bool) {
        let mut path = Path::new();
        for portal in self.built.subdivision.portals().iter().filter(|portal| which(portal)) {
            path.add(portal.ends.map(|end| self.at(end)));
        }
        sheet.stroke(&path, pen);
    }

    fn graph(&self, sheet: &mut dyn Sheet) {
        let (subdivision, unit) = (&self.built.subdivision, self.layout.unit);
        let middles: Vec<DVec2> = (0..subdivision.cell_count())
            .map(|cell| {
                let outline = subdivision.outline(CellId(cell));
                outline.iter().sum::<DVec2>() / outline.len() as f64
            })
            .collect();
        let mut path = Path::new();
        for &portal in self.built.hierarchy.topology().portals() {
            let portal = subdivision.portal(portal);
            let [a, b] = portal.cells.map(|cell| self.at(middles[cell.0 as usize]));
            path.add([a, self.at(portal.middle()), b]);
        }
        sheet.stroke(&path, &Pen::new(PORTAL, unit));
        // In a city dots are small, in a room they are easily seen.
        let [left, top, right, bottom] = self.layout.frame;
        let apart = ((right - left) * (bottom - top) / middles.len() as f32).sqrt();
        let (radius, colors) = ((0.13 * apart).clamp(1.2 * unit, 6.0 * unit), by_arity());
        for (cell, middle) in middles.iter().enumerate() {
            sheet.disc(self.at(*middle), radius, colors[self.arity(cell as u32)].0);
        }
    }

    /// Cells by the node of the tree they belong to so many levels below their root; neighbours differ.
    fn abstraction(&self, sheet: &mut dyn Sheet, level: u32) {
        let (tree, cells) = (self.built.hierarchy.tree(), self.built.subdivision.cell_count());
        let node_of: Vec<NodeId> = (0..cells)
            .map(|cell| {
                let up = tree.depth(NodeId(cell)).saturating_sub(level) as usize;
                let mut nodes = std::iter::successors(Some(NodeId(cell)), |node| tree.parent(*node));
                nodes.nth(up).unwrap_or(NodeId(cell))
            })
            .collect();
        let color = colored(&node_of, self.built.hierarchy.topology().ends());
        let colors: Vec<Color> = (0..12).map(|n| chart::kind(n).with_alpha(FIRMNESS)).collect();
        self.fill(sheet, &colors, |cell| color[&node_of[cell as usize]] % colors.len());
        let node = |cell: CellId| node_of[cell.0 as usize];
        let between = |portal: &Portal| node(portal.cells[0]) != node(portal.cells[1]);
        self.portals(sheet, &Pen::new(PORTAL, 1.5 * self.layout.unit), between);
    }

    fn way(&self, sheet: &mut dyn Sheet, answer: &Answer) {
        let unit = self.layout.unit;
        let mut line = |points: Vec<Point>, color: Color, width: f32| {
            let path = Path::line(points);
            sheet.stroke(&path, &Pen::new(ink::FLOOR.with_alpha(0.8), (width + 3.0) * unit));
            sheet.stroke(&path, &Pen::new(color, width * unit));
        };
        if let Some(route) = &answer.route {
            line(route.line.iter().map(|point| self.at(*point)).collect(), PULLED, 4.5);
        }
        if let Some(path) = &answer.exact {
            line(path.points.iter().map(|point| self.at(point.as_dvec2())).collect(), EXACT, 2.2);
        }
        for end in answer.ends.map(|end| self.layout.pixel(end.to_array())) {
            sheet.disc(end, 8.0 * unit, ink::FLOOR);
            sheet.disc(end, 6.0 * unit, ink::TEXT);
        }
    }

    fn words(&self, sheet: &mut dyn Sheet, show: Show) {
        let (built, layout) = (self.built, self.layout);
        let large = Words::new(Align::Left, 20.0 * layout.unit, ink::TEXT);
        sheet.text([layout.margin, 54.0 * layout.unit], &shortened(&built.place.name), &large);
        let (cells, portals) = (built.subdivision.cell_count(), built.hierarchy.topology().portals().len());
        let line = match show {
            Show::Map => format!("{:.0} m2 free", built.map.free_area()),
            Show::Cells | Show::Graph => format!("{cells} cells, {portals} portals wide enough for {} m", built.width),
            Show::Abstraction(level) => format!("{cells} cells, {level} levels below the root, {} m wide", built.width),
        };
        sheet.text([layout.margin, 86.0 * layout.unit], &line, &Words::new(Align::Left, layout.text(), ink::FAINT));
    }

    fn legend(&self, sheet: &mut dyn Sheet, entries: &[(Color, &str)], names: &[String]) {
        let (layout, unit) = (self.layout, self.layout.unit);
        let base = layout.frame[3] + 58.0 * unit;
        legend::scale_bar(sheet, layout, base);
        let words = Words::new(Align::Left, layout.text(), ink::TEXT);
        for (i, row) in legend::rows(names, layout.width).iter().enumerate() {
            let y = base + (36.0 + 26.0 * i as f32) * unit;
            for (x, n) in row {
                let (left, middle) = (layout.margin + x, y - 0.5 * layout.text());
                let swatch = [left, middle - 5.0 * unit, left + 22.0 * unit, middle + 5.0 * unit];
                sheet.rectangle(swatch, ink::FLOOR);
                sheet.rectangle(swatch, entries[*n].0);
                sheet.text([left + 30.0 * unit, y], entries[*n].1, &words);
            }
        }
    }
}

/// A number for each node, none the same as one of its neighbours': the lowest that is left, in the order of ids.
fn colored(node_of: &[NodeId], ends: &[[u32; 2]]) -> BTreeMap<NodeId, usize> {
    let mut neighbours: BTreeMap<NodeId, Vec<NodeId>> = node_of.iter().map(|node| (*node, Vec::new())).collect();
    for [a, b] in ends.iter().map(|ends| ends.map(|cell| node_of[cell as usize])).filter(|[a, b]| a != b) {
        neighbours.entry(a).or_default().push(b);
        neighbours.entry(b).or_default().push(a);
    }
    let mut color: BTreeMap<NodeId, usize> = BTreeMap::new();
    for (n, (node, around)) in neighbours.iter().enumerate() {
        let taken: Vec<usize> = around.iter().filter_map(|node| color.get(node).copied()).collect();
        // Another first choice each time, so that all colours are used.
        let free = (n..n + 12).find(|n| !taken.contains(&(n % 12)));
        color.insert(*node, free.unwrap_or(n) % 12);
    }
    color
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_to_show_is_read() {
        assert_eq!(Show::parse("cells"), Ok(Show::Cells));
        assert_eq!(Show::parse("abstraction=12"), Ok(Show::Abstraction(12)));
        for wrong in ["", "cell", "abstraction", "abstraction=", "abstraction=-1", "abstraction=x"] {
            assert!(Show::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn neighbours_have_different_colours() {
        // A ring of five, each joined to the next.
        let nodes: Vec<NodeId> = (0..5).map(NodeId).collect();
        let ends: Vec<[u32; 2]> = (0..5).map(|n| [n, (n + 1) % 5]).collect();
        let color = colored(&nodes, &ends);
        assert!(ends.iter().all(|ends| color[&NodeId(ends[0])] != color[&NodeId(ends[1])]), "{color:?}");
    }
}
