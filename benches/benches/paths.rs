//! Paths in a city of 2600 houses: hierarchical queries against the exact planner and against `polyanya`, in one run.
//!
//! `cargo bench -p passerby-benches --bench paths` takes some minutes; with `-- --quick` a small city and few questions, with
//! `-- --growth` only how the search grows from one city to sixteen.
//! Each question is asked in several rounds and its shortest time counts: others use the same processor. `polyanya` gets the
//! settings at which it was fastest in trials: corners of grown houses in one piece, polygons merged, everything baked. So
//! it cuts corners, up to 0.09 m closer than a disc can; lengths are also compared with corners in pieces of 22 degrees.

use std::time::Instant;

use glam_033::Vec2 as PeerVec;
use passerby_benches::allocations::{self, Counting};
use passerby_benches::city::{City, HOUSES};
use passerby_benches::clock;
use passerby_geometry::{Chance, DVec2, Polygon, Purpose, Vec2};
use passerby_navigation::{
    Abstraction, CellId, Crossing, Door, Goal, Hierarchy, Level, Map, Network, NodeId, ObstacleId, Pairing, Routing,
    Spot, Subdivision, Topology, heading, pull,
};

#[global_allocator]
static ALLOCATOR: Counting = Counting;

const RADIUS: f32 = 0.3;
const WIDTH: f64 = 2.0 * RADIUS as f64;

/// How narrow a cone of sight the walker accepts, rad: in the middle of what the engine draws.
const THRESHOLD: f32 = 0.09;

/// Seconds of each stage, the least of some rounds, and what is held afterwards.
struct Built {
    map: Map,
    subdivision: Subdivision,
    hierarchy: Hierarchy,
}

fn main() {
    let quick = std::env::args().any(|option| option == "--quick");
    if std::env::args().any(|option| option == "--growth") {
        return growth();
    }
    let (houses, questions, rounds) = if quick { (130, 200, 1) } else { (HOUSES, 10_000, 3) };
    let city = City::new(houses, 1);
    // What the README shows of all this.
    let mut table = Vec::new();
    let built = build(&city, rounds, &mut table);
    let asked = city.questions(&built.map, questions, RADIUS, 5);
    let lengths = hierarchical(&built, &asked, rounds, &mut table);
    let shortest = exact(&built.map, &asked, rounds.min(2), &mut table);
    print_excess("Hierarchical paths over the exact planner's", &lengths, &shortest);
    let some = asked.len().min(1000);
    let walked = follow(&built, &asked[..some], &mut table);
    print_excess("Paths followed over the exact planner's", &walked, &shortest[..some]);
    table.push(excess("paths followed, longer than exact ones by", &walked, &shortest[..some]));
    doors(&city, &built, if quick { 20 } else { 400 }, &mut table);
    obstacles(&city, &built, if quick { 20 } else { 1000 }, &mut table);
    trees(if quick { 5 } else { 200 }, &mut table);
    let ours: [(&str, &[f64]); 2] = [("Hierarchical", &lengths), ("Exact", &shortest)];
    table.push(peer(&city, &built.map, &asked, &ours, (1, rounds.min(2))));
    let some = asked.len().min(300);
    peer(&city, &built.map, &asked[..some], &[("Exact", &shortest[..some])], (8, 1));
    if !quick {
        growth();
    }
    println!("<!-- bench: paths -->");
    println!("| {} houses, width {WIDTH:.1} m, {} queries | mean | p99 |\n| --- | --- | --- |", houses, asked.len());
    table.iter().for_each(|row| println!("{row}"));
    println!("<!-- end -->");
}

fn spot(at: Vec2) -> Spot {
    Spot { level: Level(0), at }
}

/// The least processor seconds of some rounds, and the last result.
fn timed<T>(rounds: usize, mut work: impl FnMut() -> T) -> (f64, T) {
    let (mut least, mut result) = (f64::INFINITY, None);
    for _ in 0..rounds {
        let from = clock::seconds();
        let made = work();
        least = least.min(clock::seconds() - from);
        result = Some(made);
    }
    (least, result.expect("at least one round"))
}

fn build(city: &City, rounds: usize, table: &mut Vec<String>) -> Built {
    let floor = city.floor();
    let before = allocations::held();
    let (map_seconds, map) = timed(rounds, || Map::build(&floor).expect("a city has streets"));
    let with_map = allocations::held();
    let (subdivision_seconds, subdivision) = timed(rounds, || Subdivision::build(&map));
    let (tree_seconds, _) = timed(rounds, || {
        let topology = Topology::new(&subdivision, WIDTH);
        Abstraction::build(subdivision.cell_count(), topology.ends(), Pairing::default())
    });
    let (hierarchy_seconds, hierarchy) = timed(rounds, || Hierarchy::build(&subdivision, WIDTH));
    let held = allocations::held();
    println!("| stage | ms | held, MB |\n| --- | --- | --- |");
    let mb = |bytes: u64| bytes as f64 / 1e6;
    println!("| map (triangulation, walls, corners) | {:.0} | {:.1} |", 1e3 * map_seconds, mb(with_map - before));
    println!(
        "| bottlenecks and convex cells | {:.0} | {:.1} |",
        1e3 * subdivision_seconds,
        mb(subdivision.bytes() as u64)
    );
    println!("| graph and abstraction tree | {:.0} | {:.1} |", 1e3 * tree_seconds, mb(hierarchy.tree().bytes() as u64));
    println!("| the same with stored paths | {:.0} | {:.1} |", 1e3 * hierarchy_seconds, mb(hierarchy.bytes() as u64));
    let total = map_seconds + subdivision_seconds + hierarchy_seconds;
    println!("| together | {:.0} | {:.1} |\n", 1e3 * total, mb(held - before));
    table.push(format!("| everything built on one thread | {:.2} s, {:.0} MB | |", total, mb(held - before)));
    describe(&subdivision, &hierarchy);
    Built { map, subdivision, hierarchy }
}

fn describe(subdivision: &Subdivision, hierarchy: &Hierarchy) {
    let mut arities = [0; 6];
    (0..subdivision.cell_count()).for_each(|c| arities[hierarchy.topology().arity(CellId(c)).min(5) as usize] += 1);
    let tree = hierarchy.tree();
    let depths: Vec<f64> = (0..subdivision.cell_count()).map(|c| f64::from(tree.depth(NodeId(c)))).collect();
    let largest = (0..tree.node_count()).map(|n| tree.arity(NodeId(n))).max().unwrap_or(0);
    println!("| what | count |\n| --- | --- |");
    println!("| feet, rounds | {}, {} |", subdivision.feet().len(), subdivision.rounds());
    println!("| convex cells, portals | {}, {} |", subdivision.cell_count(), subdivision.portals().len());
    println!("| cells of arity 0, 1, 2, 3, 4, more | {arities:?} |");
    println!("| abstract cells, largest arity | {}, {largest} |", tree.node_count() - tree.cell_count());
    println!("| depth of the tree, mean, most | {:.1}, {:.0} |", mean(&depths), share(&depths, 1.0));
    println!("| stored directed paths | {} |\n", hierarchy.path_count());
}

fn mean(values: &[f64]) -> f64 {
    values.iter().sum::<f64>() / values.len() as f64
}

/// The value below which this share of them is.
fn share(values: &[f64], share: f64) -> f64 {
    let mut values = values.to_vec();
    values.sort_by(f64::total_cmp);
    values[((values.len() - 1) as f64 * share) as usize]
}

/// Prints times, and gives a row with mean and p99.
fn print_times(name: &str, seconds: &[f64]) -> String {
    let us: Vec<f64> = seconds.iter().map(|s| 1e6 * s).collect();
    println!("| {name} | {:.1} | {:.1} | {:.1} |", mean(&us), share(&us, 0.5), share(&us, 0.99));
    format!("| {name} | {:.0} us | {:.0} us |", mean(&us), share(&us, 0.99))
}

/// A row with how much longer some paths are than others.
fn excess(name: &str, ours: &[f64], theirs: &[f64]) -> String {
    let over: Vec<f64> = ours.iter().zip(theirs).map(|(ours, theirs)| 100.0 * (ours / theirs - 1.0)).collect();
    format!("| {name} | {:.2} % | {:.2} % |", mean(&over), share(&over, 0.99))
}

fn print_excess(name: &str, ours: &[f64], theirs: &[f64]) {
    let over: Vec<f64> = ours.iter().zip(theirs).map(|(ours, theirs)| 100.0 * (ours / theirs - 1.0)).collect();
    let (least, most) = (share(&over, 0.0), share(&over, 1.0));
    println!(
        "\n{name}: mean {:+.3} %, p99 {:+.3} %, least {least:+.3} %, most {most:+.3} %\n",
        mean(&over),
        share(&over, 0.99)
    );
}

/// Asks everything, prints times, and gives the lengths after string pulling.
fn hierarchical(built: &Built, asked: &[[Vec2; 2]], rounds: usize, table: &mut Vec<String>) -> Vec<f64> {
    let Built { subdivision, hierarchy, .. } = built;
    let (mut routing, mut crossings, mut line) = (Routing::default(), Vec::<Crossing>::new(), Vec::new());
    let mut times = [vec![f64::INFINITY; asked.len()], vec![f64::INFINITY; asked.len()]];
    let (mut lengths, mut portals, mut expanded) = (vec![0.0; asked.len()], 0, 0);
    let mut warm = 0;
    for round in 0..=rounds {
        if round == 1 {
            warm = allocations::calls();
        }
        for (number, [from, to]) in asked.iter().enumerate() {
            let begun = Instant::now();
            let found = routing.find(hierarchy, subdivision, spot(*from), spot(*to));
            let searched = begun.elapsed().as_secs_f64();
            routing.crossings(hierarchy, &mut crossings);
            let all = begun.elapsed().as_secs_f64();
            times[0][number] = times[0][number].min(searched);
            times[1][number] = times[1][number].min(all);
            if round == 0 {
                assert!(found.is_some(), "all of the city is connected");
                lengths[number] = pull(subdivision, *from, &crossings, *to, f64::from(RADIUS), &mut line);
                (portals, expanded) = (portals + crossings.len(), expanded + routing.expanded());
            }
        }
    }
    assert_eq!(allocations::calls(), warm, "queries allocate nothing after warm-up");
    let count = asked.len() as f64;
    println!(
        "{} portals a path, {} rows looked at, mean length {:.0} m\n",
        portals as f64 / count,
        f64::from(expanded) / count,
        mean(&lengths)
    );
    println!("| query, us | mean | median | p99 |\n| --- | --- | --- | --- |");
    table.push(print_times("hierarchical query, search only", &times[0]));
    table.push(print_times("hierarchical query, with all portals", &times[1]));
    lengths
}

fn exact(map: &Map, asked: &[[Vec2; 2]], rounds: usize, table: &mut Vec<String>) -> Vec<f64> {
    let (mut times, mut shortest) = (vec![f64::INFINITY; asked.len()], vec![0.0; asked.len()]);
    for _ in 0..rounds {
        for (number, [from, to]) in asked.iter().enumerate() {
            let begun = Instant::now();
            let path = map.path(*from, &Goal::Point(*to), RADIUS).expect("all of the city is connected");
            times[number] = times[number].min(begun.elapsed().as_secs_f64());
            shortest[number] = f64::from(path.length);
        }
    }
    table.push(print_times("exact planner", &times));
    shortest
}

/// Walks along routes by visual optimisation, with steps of 5 cm; prints what a look costs and gives the lengths.
fn follow(built: &Built, asked: &[[Vec2; 2]], table: &mut Vec<String>) -> Vec<f64> {
    let Built { subdivision, hierarchy, .. } = built;
    let (mut routing, mut route, step) = (Routing::default(), Vec::<Crossing>::new(), 0.05);
    let (mut lengths, mut looks, mut seconds) = (Vec::new(), 0_u64, 0.0);
    for [from, to] in asked {
        routing.find(hierarchy, subdivision, spot(*from), spot(*to)).expect("all of the city is connected");
        routing.crossings(hierarchy, &mut route);
        let (mut at, mut next, mut steps) = (*from, 0, 0_u64);
        let begun = clock::seconds();
        while at.distance(*to) > step {
            let cell = subdivision.locate(spot(at)).expect("on the street");
            let ahead = next..(next + 8).min(route.len());
            next = ahead.rev().find(|&i| route[i].into == cell).map_or(next, |i| i + 1);
            let found = heading(subdivision, at, RADIUS, &route[next..], *to, THRESHOLD);
            at += (found.toward - at).normalize_or_zero() * step;
            steps += 1;
            assert!(steps < 200_000, "a walk has an end");
        }
        seconds += clock::seconds() - begun;
        looks += steps;
        lengths.push(steps as f64 * f64::from(step));
    }
    let each = 1e9 * seconds / looks as f64;
    println!("\nFollowing, a look with the search for one's cell: {each:.0} ns of {looks}");
    table.push(format!("| following, a look (people look every half second) | {each:.0} ns | |"));
    lengths
}

/// Puts doors into passages all over the city, closes them one at a time and opens them again: map, cells and the tree of one width.
fn doors(city: &City, built: &Built, count: usize, table: &mut Vec<String>) {
    let portals = built.hierarchy.topology().portals();
    let mut floor = city.floor();
    for (number, portal) in portals.iter().step_by((portals.len() / count).max(1)).enumerate() {
        let line = built.subdivision.portal(*portal).ends.map(|end| end + built.map.offset());
        floor.doors.push(Door { name: format!("door {number}"), line });
    }
    let mut map = Map::build(&floor).expect("a city has streets");
    let mut network = Network::build(&map);
    network.need(WIDTH);
    let mut times = [(); 2].map(|()| vec![f64::INFINITY; floor.doors.len()]);
    for door in 0..floor.doors.len() {
        for _ in 0..3 {
            for (open, times) in [false, true].into_iter().zip(&mut times) {
                let begun = Instant::now();
                map.set_door(door, open);
                network.set_door(door, open);
                times[door] = times[door].min(1e3 * begun.elapsed().as_secs_f64());
            }
        }
    }
    println!("\n{} doors of {}", floor.doors.len(), portals.len());
    repairs("a door", &["closes", "opens"], &times, table);
}

/// Prints how long repairs took, ms, and adds their rows.
fn repairs(what: &str, done: &[&str; 2], times: &[Vec<f64>; 2], table: &mut Vec<String>) {
    for (done, times) in done.iter().zip(times) {
        let (mean, p99, most) = (mean(times), share(times, 0.99), share(times, 1.0));
        println!("When {what} {done}: {mean:.2} ms in the mean, {p99:.2} ms at p99, {most:.2} ms at most\n");
        table.push(format!("| {what} {done} | {mean:.1} ms | {p99:.1} ms |"));
    }
}

/// Puts obstacles of 2 x 2 m on free ground, one at a time, and takes them away: map, cells and the tree of one width. Ten others stand
/// all the time.
fn obstacles(city: &City, built: &Built, count: usize, table: &mut Vec<String>) {
    let mut map = built.map.clone();
    let mut network = Network::build(&map);
    network.need(WIDTH);
    let chance = Chance::new(11);
    let mut draw = chance.stream(2, 0, Purpose::Placement);
    let mut square = || loop {
        let at = DVec2::new(draw.uniform(), draw.uniform()) * city.side;
        if built.map.contains((at - built.map.offset()).as_vec2()) {
            break Polygon::rectangle(at - DVec2::ONE, at + DVec2::ONE).expect("it has an area");
        }
    };
    for number in 0..10 {
        let (id, polygon) = (ObstacleId(number), square());
        assert!(map.put(id, &polygon) && network.put(id, &polygon), "a clean cut");
    }
    let mut times = [vec![f64::INFINITY; count], vec![f64::INFINITY; count]];
    for number in 0..count {
        let (id, polygon) = (ObstacleId(10), square());
        // The shortest of some rounds counts, as for questions.
        for _ in 0..3 {
            let begun = Instant::now();
            assert!(map.put(id, &polygon) && network.put(id, &polygon), "a clean cut");
            times[0][number] = times[0][number].min(1e3 * begun.elapsed().as_secs_f64());
            let begun = Instant::now();
            assert!(map.take(id) && network.take(id), "what was put can be taken");
            times[1][number] = times[1][number].min(1e3 * begun.elapsed().as_secs_f64());
        }
    }
    repairs("an obstacle of 2 x 2 m", &["appears", "goes"], &times, table);
}

/// Houses of the town in which people share a goal.
const TOWN: usize = 625;

/// Doors close and open in a town, obstacles come and go, and the tree of a goal that people share follows: map and tree. What it is
/// then is compared with a tree planted anew.
fn trees(count: usize, table: &mut Vec<String>) {
    let city = City::new(TOWN, 1);
    let plain = Map::build(&city.floor()).expect("a town has streets");
    let subdivision = Subdivision::build(&plain);
    let topology = Topology::new(&subdivision, WIDTH);
    let portals = topology.portals();
    let mut floor = city.floor();
    for (number, portal) in portals.iter().step_by((portals.len() / count).max(1)).enumerate() {
        let line = subdivision.portal(*portal).ends.map(|end| end + plain.offset());
        floor.doors.push(Door { name: format!("door {number}"), line });
    }
    let mut map = Map::build(&floor).expect("a town has streets");
    let middle = map.nearest_free((DVec2::splat(city.side / 2.0) - map.offset()).as_vec2(), RADIUS);
    let goal = Goal::Point(middle.expect("free ground"));
    let (seconds, mut tree) = timed(3, || map.tree(&goal, RADIUS));
    assert!(map.look(), "a town has room");
    println!("\nA tree in a town of {TOWN} houses, {} corners: {:.1} ms", map.corner_count(), 1e3 * seconds);
    let mut follow = |map: &mut Map, change: &mut dyn FnMut(&mut Map)| {
        let begun = Instant::now();
        change(map);
        map.look();
        map.repair(&goal, &mut tree);
        1e3 * begun.elapsed().as_secs_f64()
    };
    let (mut doors, mut obstacles) = ([(); 2].map(|()| Vec::new()), [(); 2].map(|()| Vec::new()));
    for door in 0..floor.doors.len() {
        for (open, times) in [false, true].into_iter().zip(&mut doors) {
            times.push(follow(&mut map, &mut |map| map.set_door(door, open)));
        }
    }
    let chance = Chance::new(12);
    let mut draw = chance.stream(3, 0, Purpose::Placement);
    while obstacles[0].len() < count {
        let at = DVec2::new(draw.uniform(), draw.uniform()) * city.side;
        if !map.contains((at - map.offset()).as_vec2()) {
            continue;
        }
        let square = Polygon::rectangle(at - DVec2::ONE, at + DVec2::ONE).expect("it has an area");
        let id = ObstacleId(0);
        obstacles[0].push(follow(&mut map, &mut |map| assert!(map.put(id, &square), "a clean cut")));
        obstacles[1].push(follow(&mut map, &mut |map| assert!(map.take(id), "what was put can be taken")));
    }
    assert!(tree.is_like(&map.tree(&goal, RADIUS)), "a tree that follows is the one that would be planted");
    table.push(format!("| the tree of a shared goal in a town of {TOWN} houses | {:.0} ms | |", 1e3 * seconds));
    repairs("a tree follows: a door", &["closes", "opens"], &doors, table);
    repairs("a tree follows: an obstacle of 2 x 2 m", &["appears", "goes"], &obstacles, table);
}

/// Asks `polyanya`, with the corners of houses in so many pieces for a half circle, and compares our lengths with its own.
fn peer(city: &City, map: &Map, asked: &[[Vec2; 2]], ours: &[(&str, &[f64])], (pieces, rounds): (u8, usize)) -> String {
    let before = allocations::held();
    let (seconds, mesh) = timed(1, || city.peer_mesh(map, RADIUS, pieces));
    let held = (allocations::held() - before) as f64 / 1e6;
    println!("polyanya, pieces a half circle {pieces}: built in {:.0} ms, {held:.1} MB\n", 1e3 * seconds);
    let (mut times, mut lengths) = (vec![f64::INFINITY; asked.len()], vec![None; asked.len()]);
    for _ in 0..rounds {
        for (number, ends) in asked.iter().enumerate() {
            let [from, to] = ends.map(|p| PeerVec::from(p.to_array()));
            let begun = Instant::now();
            let path = mesh.path(from, to);
            times[number] = times[number].min(begun.elapsed().as_secs_f64());
            lengths[number] = path.map(|path| f64::from(path.length));
        }
    }
    let found: Vec<f64> = lengths.iter().copied().flatten().collect();
    println!("| query, us | mean | median | p99 |\n| --- | --- | --- | --- |");
    let row = print_times(&format!("`polyanya`, found {} of {}", found.len(), asked.len()), &times);
    for (name, ours) in ours {
        let compared: Vec<f64> =
            ours.iter().zip(&lengths).filter_map(|(ours, theirs)| theirs.and(Some(*ours))).collect();
        print_excess(&format!("{name} paths over polyanya's"), &compared, &found);
    }
    row
}

/// How the search grows with the city.
fn growth() {
    println!(
        "| houses | cells | build, ms | search, us | the same again at once, us | with portals, us | portals |\n\
         | --- | --- | --- | --- | --- | --- | --- |"
    );
    for cities in [1, 4, 16] {
        let city = City::new(cities * HOUSES, 1);
        let map = Map::build(&city.floor()).expect("a city has streets");
        let (subdivision_seconds, subdivision) = timed(1, || Subdivision::build(&map));
        let (hierarchy_seconds, hierarchy) = timed(1, || Hierarchy::build(&subdivision, WIDTH));
        let (mut routing, mut crossings) = (Routing::default(), Vec::new());
        let asked = city.questions(&map, 2000, RADIUS, 5);
        let mut times = [(); 3].map(|()| vec![f64::INFINITY; asked.len()]);
        let mut portals = 0;
        for _ in 0..3 {
            for (number, [from, to]) in asked.iter().enumerate() {
                let begun = Instant::now();
                routing.find(&hierarchy, &subdivision, spot(*from), spot(*to));
                times[0][number] = times[0][number].min(begun.elapsed().as_secs_f64());
                routing.crossings(&hierarchy, &mut crossings);
                times[1][number] = times[1][number].min(begun.elapsed().as_secs_f64());
                portals += crossings.len();
                // All that it reads is in the processor's cache now: what is left is work.
                let again = Instant::now();
                routing.find(&hierarchy, &subdivision, spot(*from), spot(*to));
                times[2][number] = times[2][number].min(again.elapsed().as_secs_f64());
            }
        }
        let [search, all, again] = times.map(|times| 1e6 * mean(&times));
        println!(
            "| {} | {} | {:.0} | {search:.1} | {again:.1} | {all:.1} | {:.0} |",
            city.houses.len(),
            subdivision.cell_count(),
            1e3 * (subdivision_seconds + hierarchy_seconds),
            portals as f64 / 6000.0
        );
    }
}
