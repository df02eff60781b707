//! Cells, portals and levels of the abstraction, for pages that draw them.

use passerby::geometry::DVec2;
use passerby::navigation::{CellId, Hierarchy, Map, NodeId, Subdivision};
use serde_json::json;

/// Width of the people for whom cells are put together, m.
const WIDTH: f64 = 0.5;
/// More cells than this are not sent: the page could not draw them.
const CELLS_MAX: u32 = 50_000;
/// Levels of the tree that are sent, from the cells up.
const LEVELS_MAX: u32 = 12;

/// The message with all of it, or why there is none. The map's local coordinates are the scene's.
pub(crate) fn cells(map: &Map) -> Result<String, String> {
    let subdivision = Subdivision::build(map);
    let count = subdivision.cell_count();
    if count > CELLS_MAX {
        return Err(format!("{count} cells are too many to draw: `passerby map` draws them into a file"));
    }
    let tree = Hierarchy::build(&subdivision, WIDTH);
    let tree = tree.tree();
    let local = |at: &DVec2| at.to_array();
    let outline = |cell: u32| subdivision.outline(CellId(cell)).iter().map(local).collect::<Vec<_>>();
    // From the finest: each cell by itself, then what it is part of one level up, and so on to the root.
    let depth = (0..count).map(|cell| tree.depth(NodeId(cell))).max().unwrap_or_default();
    let part_of = |cell: u32, up: u32| {
        let above = tree.depth(NodeId(cell)).saturating_sub(depth.saturating_sub(up)) as usize;
        std::iter::successors(Some(NodeId(cell)), |node| tree.parent(*node)).nth(above).map_or(cell, |node| node.0)
    };
    let levels = (0..=depth.min(LEVELS_MAX)).map(|up| (0..count).map(|cell| part_of(cell, up)).collect::<Vec<u32>>());
    let portals = subdivision.portals().iter().map(|portal| portal.ends.map(|end| end.to_array()));
    Ok(json!({
        "is": "cells",
        "cells": (0..count).map(outline).collect::<Vec<_>>(),
        "levels": levels.collect::<Vec<_>>(),
        "portals": portals.collect::<Vec<_>>(),
    })
    .to_string())
}
