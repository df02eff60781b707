//! The neighbourhood graph against its definition, against `spade`, and against other orders of the same people.

use passerby_crowd::{AgentId, Columns, Graph, Index, Slot};
use passerby_geometry::chance::{Chance, Purpose};
use passerby_geometry::triangulation::orientation;
use passerby_geometry::{DVec2, Segment, Vec2, Walls};
use proptest::prelude::*;
use spade::{DelaunayTriangulation, Point2, Triangulation};
use std::collections::{BTreeMap, BTreeSet};

/// Somebody: the number of its id, and where.
type Person = (u32, Vec2);

/// Edges between ids, the lower first.
type Edges = BTreeSet<[u32; 2]>;

fn index(people: &[Person], low: Vec2, high: Vec2) -> Index {
    let n = people.len();
    let id: Vec<AgentId> = people.iter().map(|(id, _)| AgentId::from_bits(*id)).collect();
    let position: Vec<Vec2> = people.iter().map(|(_, at)| *at).collect();
    let (velocity, radius, share) = (vec![Vec2::ZERO; n], vec![0.25; n], vec![0.5; n]);
    let mut index = Index::default();
    index.build(
        low,
        high,
        Columns { id: &id, position: &position, velocity: &velocity, radius: &radius, share: &share },
    );
    index
}

fn no_walls() -> Walls {
    Walls::new(Vec::new())
}

/// Neighbours of each id, as the graph lists them.
fn lists(graph: &Graph, index: &Index) -> BTreeMap<u32, Vec<u32>> {
    let id = |slot: Slot| index.body(slot).id.bits();
    let slots = (0..index.len() as u32).map(Slot);
    slots.map(|slot| (id(slot), graph.of(slot).iter().map(|other| id(*other)).collect())).collect()
}

fn joined(people: &[Person], walls: &Walls) -> BTreeMap<u32, Vec<u32>> {
    let index = index(people, Vec2::ZERO, Vec2::splat(20.0));
    let mut graph = Graph::default();
    graph.build(&index, walls);
    lists(&graph, &index)
}

/// Edges of the lists. Each is in both, sorted as promised, nobody twice.
fn edges(people: &[Person], lists: &BTreeMap<u32, Vec<u32>>) -> Edges {
    let at: BTreeMap<u32, Vec2> = people.iter().copied().collect();
    let mut edges = Edges::new();
    for (id, others) in lists {
        let rank = |other: &u32| (at[id].distance_squared(at[other]).to_bits(), *other);
        assert!(others.windows(2).all(|w| rank(&w[0]) < rank(&w[1])), "{id}: {others:?} are not nearest first");
        for other in others {
            assert!(other != id && lists[other].contains(id), "{id} has {other}, but not the other way");
            edges.insert([*id.min(other), *id.max(other)]);
        }
    }
    edges
}

/// The lowest id of each position, and the chains between those who share one.
fn positions(people: &[Person]) -> (Vec<(u32, DVec2)>, Edges) {
    let mut groups: Vec<(Vec2, Vec<u32>)> = Vec::new();
    for &(id, at) in people {
        match groups.iter_mut().find(|group| group.0 == at) {
            Some(group) => group.1.push(id),
            None => groups.push((at, vec![id])),
        }
    }
    let mut chains = Edges::new();
    for (_, group) in &mut groups {
        group.sort_unstable();
        chains.extend(group.windows(2).map(|pair| [pair[0], pair[1]]));
    }
    (groups.into_iter().map(|(at, group)| (group[0], at.as_dvec2())).collect(), chains)
}

/// The exact sign of the circle's determinant, with whole numbers: positive if `d` is inside the circle through `a`, `b`, `c`, which are
/// counter-clockwise. For coordinates that are multiples of 2^-20 and below 2^9.
fn inside(a: DVec2, b: DVec2, c: DVec2, d: DVec2) -> i128 {
    let whole = |x: f64| {
        let scaled = x * 1_048_576.0;
        assert_eq!(scaled.fract(), 0.0, "{x} is no multiple of 2^-20");
        scaled as i128
    };
    let [a, b, c] = [a, b, c].map(|p| [whole(p.x) - whole(d.x), whole(p.y) - whole(d.y)]);
    let lift = |p: [i128; 2]| p[0] * p[0] + p[1] * p[1];
    let cross = |p: [i128; 2], q: [i128; 2]| p[0] * q[1] - p[1] * q[0];
    lift(a) * cross(b, c) + lift(b) * cross(c, a) + lift(c) * cross(a, b)
}

/// All edges by definition: for each three positions on an empty circle, the polygon of all positions on it, and the fan from its
/// lowest id. `None` if all are on a line.
fn by_definition(of: &[(u32, DVec2)]) -> Option<Edges> {
    let mut edges = Edges::new();
    for (i, a) in of.iter().enumerate() {
        for (j, b) in of.iter().enumerate().skip(i + 1) {
            for c in &of[j + 1..] {
                let [b, c] = match orientation(a.1, b.1, c.1) {
                    side if side > 0.0 => [b, c],
                    side if side < 0.0 => [c, b],
                    _ => continue,
                };
                let circle: Vec<i128> = of.iter().map(|d| inside(a.1, b.1, c.1, d.1)).collect();
                if circle.iter().any(|side| *side > 0) {
                    continue;
                }
                let on: Vec<&(u32, DVec2)> = of.iter().zip(&circle).filter(|(_, s)| **s == 0).map(|(d, _)| d).collect();
                let lowest = on.iter().map(|d| d.0).min().expect("three of them");
                for p in &on {
                    for q in on.iter().filter(|q| q.0 > p.0) {
                        // A side of the polygon has all others on one side of it.
                        let sides: Vec<f64> = on.iter().map(|d| orientation(p.1, q.1, d.1)).collect();
                        let side = sides.iter().all(|s| *s >= 0.0) || sides.iter().all(|s| *s <= 0.0);
                        if side || p.0 == lowest {
                            edges.insert([p.0, q.0]);
                        }
                    }
                }
            }
        }
    }
    (!edges.is_empty()).then_some(edges)
}

/// A chain in the order of x, then y.
fn chain(of: &[(u32, DVec2)]) -> Edges {
    let mut of = of.to_vec();
    of.sort_by(|a, b| a.1.x.total_cmp(&b.1.x).then(a.1.y.total_cmp(&b.1.y)));
    of.windows(2).map(|pair| [pair[0].0.min(pair[1].0), pair[0].0.max(pair[1].0)]).collect()
}

#[track_caller]
fn check(people: &[Person]) {
    let found = edges(people, &joined(people, &no_walls()));
    let (of, chains) = positions(people);
    let mut expected = by_definition(&of).unwrap_or_else(|| chain(&of));
    expected.extend(chains);
    assert_eq!(found, expected, "of {people:?}");
    nearest_is_joined(people, &found);
}

/// Nobody has another strictly nearer than all those it is joined to.
#[track_caller]
fn nearest_is_joined(people: &[Person], edges: &Edges) {
    let (of, _) = positions(people);
    for (id, at) in &of {
        let joined = of.iter().filter(|other| edges.contains(&[*id.min(&other.0), *id.max(&other.0)]));
        let all = of.iter().filter(|other| other.0 != *id);
        let least = |d: f64, other: &(u32, DVec2)| d.min(at.distance_squared(other.1));
        assert_eq!(joined.fold(f64::INFINITY, least), all.fold(f64::INFINITY, least), "nearest of {id}");
    }
}

/// Ids that have nothing to do with the order.
fn numbered(at: impl IntoIterator<Item = Vec2>) -> Vec<Person> {
    at.into_iter().enumerate().map(|(i, at)| ((i as u32).wrapping_mul(2_654_435_761), at)).collect()
}

fn lattice(columns: u32, rows: u32, step: f32) -> Vec<Person> {
    numbered((0..columns * rows).map(|i| Vec2::new((i % columns) as f32, (i / columns) as f32) * step))
}

#[test]
fn nobody_and_a_few() {
    assert_eq!(joined(&[], &no_walls()), BTreeMap::new());
    let [a, b, c] = [[1.0, 1.0], [4.0, 5.0], [2.0, 8.0]].map(Vec2::from);
    assert_eq!(joined(&[(7, a)], &no_walls()), [(7, vec![])].into());
    assert_eq!(joined(&[(7, a), (2, b)], &no_walls()), [(7, vec![2]), (2, vec![7])].into());
    // Squared distances: a b 25, a c 50, b c 13.
    let three = joined(&[(7, a), (2, b), (5, c)], &no_walls());
    assert_eq!(three, [(7, vec![2, 5]), (2, vec![5, 7]), (5, vec![2, 7])].into());
}

/// A square has two diagonals: the one at the lowest id is taken.
#[test]
fn the_lowest_id_of_a_square_has_the_diagonal() {
    let corners = [[0.0, 0.0], [1.0, 0.0], [1.0, 1.0], [0.0, 1.0]].map(Vec2::from);
    for lowest in 0..4 {
        let people: Vec<Person> = (0..4).map(|i| (if i == lowest { 0 } else { 10 + i as u32 }, corners[i])).collect();
        let opposite = 10 + (lowest as u32 + 2) % 4;
        let found = edges(&people, &joined(&people, &no_walls()));
        assert!(found.len() == 5 && found.contains(&[0, opposite]), "{found:?}");
    }
}

/// Twelve whole points at distance five from one: 3-4-5 triangles. The lowest is joined to all, with or without the middle.
#[test]
fn a_whole_circle_is_a_fan() {
    let quarter = [[5.0, 0.0], [4.0, 3.0], [3.0, 4.0]].map(Vec2::from);
    let circle = (0..4).flat_map(|turn| quarter.map(|p| (0..turn).fold(p, |p, _| p.perp()) + 10.0));
    let people = numbered(circle);
    let lists = joined(&people, &no_walls());
    assert_eq!(lists[&0].len(), 11);
    assert_eq!(edges(&people, &lists).len(), 3 * 12 - 3 - 12);
    check(&people);
    let mut with_middle = people;
    with_middle.push((1, Vec2::splat(10.0)));
    assert_eq!(joined(&with_middle, &no_walls())[&1].len(), 12);
    check(&with_middle);
}

#[test]
fn lines_are_chains() {
    for direction in [Vec2::X, Vec2::Y, Vec2::ONE, Vec2::new(0.25, -0.5)] {
        let people = numbered([3, 0, 4, 1, 2, 6, 5].map(|k| Vec2::splat(8.0) + direction * k as f32));
        let found = edges(&people, &joined(&people, &no_walls()));
        assert_eq!(found.len(), 6, "along {direction}");
        check(&people);
    }
}

#[test]
fn people_at_one_point_are_a_chain() {
    let here = Vec2::new(3.0, 4.0);
    let people = [(9, here), (4, here), (6, here)];
    assert_eq!(joined(&people, &no_walls()), [(4, vec![6]), (6, vec![4, 9]), (9, vec![6])].into());
    // Zero has two signs and is one place.
    check(&[(9, Vec2::ZERO), (4, -Vec2::ZERO), (6, Vec2::new(0.0, 3.0)), (5, Vec2::new(-0.0, 7.0)), (1, Vec2::ONE)]);
    // A thousand in a point have as few edges as others.
    let crowd: Vec<Person> = (0..1000).map(|i| (i, here)).chain(lattice(3, 3, 2.0)).collect();
    let crowd: Vec<Person> = crowd.into_iter().enumerate().map(|(i, (_, at))| (i as u32, at)).collect();
    assert!(edges(&crowd, &joined(&crowd, &no_walls())).len() <= 3 * crowd.len());
}

#[test]
fn lattices_are_fans_by_id() {
    for (columns, rows) in [(2, 2), (3, 3), (5, 4), (1, 6), (9, 2)] {
        check(&lattice(columns, rows, 1.0));
        check(&lattice(columns, rows, 0.375));
    }
}

/// Large and small numbers in one crowd: no product is lost.
#[test]
fn the_whole_range_of_numbers_is_fine() {
    let tiny = f32::from_bits(1);
    let people = numbered(
        [[0.0, 0.0], [tiny, 0.0], [0.0, tiny], [tiny, tiny], [1.0, 1.0], [-3e38, 1.0], [3e38, -3e38], [1.0, 3e38]]
            .map(Vec2::from),
    );
    let found = edges(&people, &joined(&people, &no_walls()));
    // The square of the smallest numbers there are: four sides and the diagonal of the lowest id.
    let id = |i: usize| people[i].0;
    for [a, b] in [[0, 1], [1, 3], [3, 2], [2, 0], [0, 3]] {
        assert!(found.contains(&[id(a).min(id(b)), id(a).max(id(b))]), "{a} and {b}");
    }
}

#[test]
#[should_panic(expected = "not finite")]
fn what_is_no_number_is_refused() {
    joined(&[(1, Vec2::new(f32::NAN, 0.0))], &no_walls());
}

/// Random positions, which no four of are on one circle: spade has the same edges.
#[test]
fn spade_has_the_same_edges() {
    for (seed, n) in [3, 4, 5, 10, 100, 1000, 5000].into_iter().enumerate() {
        let mut draw = Chance::new(seed as u64).stream(0, 0, Purpose::Placement);
        let people = numbered((0..n).map(|_| Vec2::new(draw.uniform() as f32, draw.uniform() as f32) * 60.0));
        let found = edges(&people, &joined(&people, &no_walls()));
        let mut spade = DelaunayTriangulation::<Point2<f64>>::new();
        let mut ids = BTreeMap::new();
        for (id, at) in &people {
            let vertex = spade.insert(Point2::new(at.x.into(), at.y.into())).unwrap();
            assert_eq!(ids.insert(vertex.index(), *id), None, "two at one point");
        }
        let theirs = spade.undirected_edges().map(|edge| edge.vertices().map(|v| ids[&v.fix().index()]));
        let theirs: Edges = theirs.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        assert!(found == theirs, "{n}: {} edges, spade {}", found.len(), theirs.len());
        assert_eq!(found.len(), 3 * n - 3 - spade.convex_hull_size());
        if n <= 1000 {
            nearest_is_joined(&people, &found); // looks at all pairs
        }
    }
}

/// Each square of a lattice has one diagonal, at its lowest id.
#[test]
fn large_lattices_are_canonical() {
    let (columns, rows) = (60, 50);
    let people = lattice(columns, rows, 0.5);
    let id = |column: u32, row: u32| people[(row * columns + column) as usize].0;
    let mut expected = Edges::new();
    let mut add = |a: u32, b: u32| expected.insert([a.min(b), a.max(b)]);
    for row in 0..rows {
        for column in 0..columns {
            if column + 1 < columns {
                add(id(column, row), id(column + 1, row));
            }
            if row + 1 < rows {
                add(id(column, row), id(column, row + 1));
            }
            if column + 1 < columns && row + 1 < rows {
                let rising = [id(column, row), id(column + 1, row + 1)];
                let falling = [id(column + 1, row), id(column, row + 1)];
                let [a, b] = if rising.iter().min() < falling.iter().min() { rising } else { falling };
                add(a, b);
            }
        }
    }
    let found = edges(&people, &joined(&people, &no_walls()));
    assert_eq!(found.len() as u32, 3 * columns * rows - 3 - 2 * (columns + rows - 2));
    assert!(found == expected, "some square has the other diagonal");
}

/// Positions on a coarse grid (ties, lines, people at one point), or on a fine one.
fn crowds() -> impl Strategy<Value = Vec<Person>> {
    let places = |side: u32, step: f32| {
        prop::collection::vec((0..side, 0..side), 1..22)
            .prop_map(move |at| at.into_iter().map(|(x, y)| Vec2::new(x as f32, y as f32) * step).collect::<Vec<_>>())
    };
    let places = prop_oneof![places(4, 1.0), places(7, 0.5), places(20, 1.0), places(1 << 20, 1.0 / 65536.0)];
    (places, any::<u32>()).prop_map(|(places, salt)| {
        let mixed = numbered(places);
        mixed.into_iter().map(|(id, at)| (id ^ salt, at)).collect()
    })
}

proptest! {
    #[test]
    fn all_circles_are_empty_and_ties_are_fans(people in crowds()) {
        check(&people);
    }

    /// Rows in another order, other bounds of the place, a graph and an index that have seen another crowd: the same lists.
    #[test]
    fn only_positions_and_ids_matter(people in crowds(), other in crowds(), turn in 0usize..22, high in 0.5f32..200.0) {
        let expected = joined(&people, &no_walls());
        let mut turned = people.clone();
        turned.rotate_left(turn % people.len());
        turned.reverse();
        let mut graph = Graph::default();
        graph.build(&index(&other, Vec2::ZERO, Vec2::splat(30.0)), &no_walls());
        let elsewhere = index(&turned, Vec2::new(-high, 3.0), Vec2::new(high, 3.0 + high));
        graph.build(&elsewhere, &no_walls());
        prop_assert_eq!(lists(&graph, &elsewhere), expected);
    }

    /// With walls it is the graph without, less the edges that meet a wall.
    #[test]
    fn walls_cut_what_is_not_visible(people in crowds(), ends in prop::collection::vec((0f32..16.0, 0f32..16.0, 0f32..16.0, 0f32..16.0), 1..6)) {
        let walls: Vec<Segment> = ends.iter().map(|&(a, b, c, d)| Segment::new(Vec2::new(a, b), Vec2::new(c, d))).collect();
        let walls = Walls::new(walls);
        let at: BTreeMap<u32, Vec2> = people.iter().copied().collect();
        let mut expected = edges(&people, &joined(&people, &no_walls()));
        expected.retain(|[a, b]| at[a] == at[b] || walls.visible(at[a], at[b]));
        prop_assert_eq!(edges(&people, &joined(&people, &walls)), expected);
    }
}
