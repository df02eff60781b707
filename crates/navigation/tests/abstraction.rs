//! The abstraction tree: the worked examples, and what holds for every graph.

mod common;

use std::collections::BTreeSet;

use common::*;
use passerby_navigation::{Abstraction, Floor, Map, NodeId, Pairing, Subdivision, added_paths};
use proptest::prelude::*;

#[test]
fn added_paths_as_tabled() {
    let table = [
        ([3, 3], 1, 0),
        ([3, 4], 1, 2),
        ([3, 5], 1, 4),
        ([4, 4], 1, 6),
        ([5, 5], 1, 16),
        ([3, 3], 2, -10),
        ([4, 4], 2, -12),
        ([3, 3], 3, -12),
        ([4, 4], 4, -24),
    ];
    for (arities, shared, expected) in table {
        assert_eq!(added_paths(arities, shared), expected, "{arities:?} sharing {shared}");
    }
}

/// A tree as text, every node with its arity: cells by letter.
fn drawn(tree: &Abstraction, node: NodeId) -> String {
    let arity = tree.arity(node);
    if node.0 < tree.cell_count() {
        return format!("{}{arity}", (b'A' + node.0 as u8) as char);
    }
    let mut children: Vec<String> = tree.children(node).map(|c| drawn(tree, c)).collect();
    children.sort();
    format!("[{}]{arity}", children.join(" "))
}

fn root(tree: &Abstraction) -> String {
    let roots: Vec<NodeId> = tree.roots().collect();
    assert_eq!(roots.len(), 1);
    drawn(tree, roots[0])
}

fn graph(edges: &str) -> (u32, Vec<[u32; 2]>) {
    let edges: Vec<[u32; 2]> = edges.split(' ').map(|e| [0, 2].map(|i| u32::from(e.as_bytes()[i] - b'A'))).collect();
    (edges.iter().flatten().max().unwrap() + 1, edges)
}

/// Example 1, with its letters: H is P there. Every arity is the one of the table.
#[test]
fn example_1() {
    let (cells, edges) = graph("A-B A-C A-E B-C B-H H-D C-D D-F F-G");
    for pairing in [Pairing::Fewest, Pairing::Disjoint] {
        let tree = Abstraction::build(cells, &edges, pairing);
        assert_eq!(root(&tree), "[C3 [B3 [A3 E1]2 [H2 [D3 [F2 G1]1]2]2]3]0", "{pairing:?}");
    }
}

/// Example 2: four crossroads, each joined to each.
#[test]
fn example_2() {
    let (cells, edges) = graph("A-B A-C A-D B-C B-D C-D");
    for pairing in [Pairing::Fewest, Pairing::Disjoint] {
        assert_eq!(root(&Abstraction::build(cells, &edges, pairing)), "[[A3 B3]4 [C3 D3]4]0");
    }
}

/// Example 3: a ring of eight is cut at the lowest id and balanced.
#[test]
fn example_3() {
    let edges: Vec<[u32; 2]> = (0..8).map(|i| [i, (i + 1) % 8]).collect();
    let tree = Abstraction::build(8, &edges, Pairing::Fewest);
    assert_eq!(root(&tree), "[[[A2 B2]2 [C2 D2]2]2 [[E2 F2]2 [G2 H2]2]2]0");
    assert!((0..8).all(|c| tree.depth(NodeId(c)) == 3));
    let pillar = of_floor(&pillar_floor());
    assert!((0..8).all(|c| pillar.depth(NodeId(c)) == 3));
}

fn of_floor(floor: &Floor) -> Abstraction {
    let of = Subdivision::build(&Map::build(floor).unwrap());
    let edges: Vec<[u32; 2]> = of.portals().iter().map(|p| p.cells.map(|c| c.0)).collect();
    Abstraction::build(of.cell_count(), &edges, Pairing::Fewest)
}

/// Example 4: L is one chain, T gathers three dead ends, the door makes a chain of three.
#[test]
fn example_4() {
    let shape = |floor: &Floor| -> String {
        let text = root(&of_floor(floor));
        text.chars().filter(|c| !c.is_ascii_alphabetic()).collect()
    };
    assert!(["[1 [1 2]1]0", "[[1 2]1 1]0", "[[2 1]1 1]0", "[1 [2 1]1]0"].contains(&shape(&l_floor()).as_str()));
    let t = shape(&t_floor());
    let mut arities: Vec<char> = t.chars().filter(char::is_ascii_digit).collect();
    arities.sort_unstable();
    assert_eq!((arities.iter().collect::<String>(), t.matches('[').count()), ("01113".into(), 1));
    let mut floor = door_floor();
    floor.doors.clear();
    let tree = of_floor(&floor);
    let (root, names) = (tree.roots().next().unwrap(), tree.roots().count());
    assert_eq!((names, tree.arity(root), tree.node_count() - tree.cell_count()), (1, 0, 4));
    let crossroads: Vec<NodeId> =
        (7..tree.node_count()).map(NodeId).filter(|&n| tree.children(n).count() == 3).collect();
    assert_eq!(crossroads.iter().map(|&n| tree.arity(n)).collect::<Vec<_>>(), [1, 1]);
}

#[test]
fn parts_that_do_not_touch_have_a_root_each() {
    let (_, edges) = graph("A-B C-D");
    let tree = Abstraction::build(5, &edges, Pairing::Fewest);
    assert_eq!(tree.roots().map(|r| drawn(&tree, r)).collect::<Vec<_>>(), ["E0", "[A1 B1]0", "[C1 D1]0"]);
}

fn parts(cells: u32, edges: &[[u32; 2]]) -> Vec<u32> {
    let mut part: Vec<u32> = (0..cells).collect();
    for _ in 0..cells {
        for [a, b] in edges.iter().map(|e| e.map(|v| v as usize)) {
            let least = part[a].min(part[b]);
            (part[a], part[b]) = (least, least);
        }
    }
    part
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 500, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn one_root_per_part_and_the_leaves_are_the_cells(
        cells in 1u32..60,
        ends in prop::collection::vec((0u32..60, 0u32..60), 0..120),
        printed in any::<bool>(),
    ) {
        let edges: Vec<[u32; 2]> =
            ends.iter().map(|e| [e.0 % cells, e.1 % cells]).filter(|e| e[0] != e[1]).collect();
        let tree = Abstraction::build(cells, &edges, if printed { Pairing::Fewest } else { Pairing::Disjoint });
        let part = parts(cells, &edges);
        let top = |c: u32| std::iter::successors(Some(NodeId(c)), |&n| tree.parent(n)).last().unwrap();
        for a in 0..cells {
            for b in 0..cells {
                prop_assert_eq!(top(a) == top(b), part[a as usize] == part[b as usize]);
            }
        }
        prop_assert_eq!(tree.roots().count(), part.iter().collect::<BTreeSet<_>>().len());
        for node in (0..tree.node_count()).map(NodeId) {
            let children: Vec<NodeId> = tree.children(node).collect();
            prop_assert_eq!(children.is_empty(), node.0 < cells);
            prop_assert!(children.iter().all(|&c| tree.parent(c) == Some(node) && c < node));
            prop_assert!(children.len() != 1);
            // Arity: edges with exactly one end among the leaves below.
            let under = |c: u32| std::iter::successors(Some(NodeId(c)), |&n| tree.parent(n)).any(|n| n == node);
            let out = edges.iter().filter(|e| under(e[0]) != under(e[1])).count();
            prop_assert_eq!(tree.arity(node) as usize, out);
        }
    }
}
