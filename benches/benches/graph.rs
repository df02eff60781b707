//! The neighbourhood graph beside `spade`: everybody joined anew, one thread, processor time.
//!
//! `cargo bench -p passerby-benches --bench graph` checks that both have the same edges, and that ours asks for no memory once it has been
//! built, and then times them; with `-- --quick` it checks, and times little. Spade loads all positions in bulk and is walked once
//! round every vertex, as somebody would who wants to know the neighbours; ours has them listed in the end, nearest first. Its index is
//! there anyway: the step sorts everybody for the searches. A check that fails ends it with exit code 1.

use passerby_benches::allocations::{self, Counting};
use passerby_benches::clock;
use passerby_benches::scene::{RADIUS, Scene};
use passerby_crowd::{AgentId, Columns, Graph, Index, Slot};
use passerby_geometry::{Segment, Vec2, Walls};
use spade::{DelaunayTriangulation, Point2, Triangulation};
use std::hint::black_box;
use std::process::ExitCode;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// People per m2.
const DENSITY: f32 = 1.5;

fn main() -> ExitCode {
    let quick = std::env::args().any(|option| option == "--quick");
    let (sizes, rounds, seconds): (&[usize], _, _) =
        if quick { (&[1000], 1, 0.02) } else { (&[1000, 10_000, 100_000], 9, 0.3) };
    // The index would take all cores there are.
    rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build_global().expect("the first pool");
    println!("<!-- bench: graph -->");
    println!("| ns a person | spade | Passerby | ratio | spread | with walls | the index |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    let mut scenes: Vec<Scene> = sizes.iter().map(|people| Scene::plane(*people, DENSITY)).collect();
    scenes.push(lattice(*sizes.last().expect("some")));
    for scene in &scenes {
        let crowd = Crowd::new(scene);
        if let Err(problem) = crowd.same_edges().and_then(|()| crowd.no_allocations()) {
            eprintln!("{}: {problem}", scene.name);
            return ExitCode::FAILURE;
        }
        time(&crowd, rounds, seconds);
    }
    println!("<!-- end -->");
    ExitCode::SUCCESS
}

/// Everybody exactly a metre apart: each square has two diagonals to choose from.
fn lattice(people: usize) -> Scene {
    let mut scene = Scene::plane(people, 1.0);
    scene.start.iter_mut().for_each(|at| *at = at.floor());
    scene.name = format!("{}k on a lattice of 1 m", people / 1000);
    scene
}

/// Everybody of a scene, and the rooms they may be in.
struct Crowd {
    scene: Scene,
    id: Vec<AgentId>,
    flat: Vec<Vec2>,
    radius: Vec<f32>,
    share: Vec<f32>,
    index: Index,
    rooms: Walls,
}

impl Crowd {
    fn new(scene: &Scene) -> Crowd {
        let people = scene.start.len();
        let mut crowd = Crowd {
            scene: scene.clone(),
            id: (0..people as u32).map(|ordinal| AgentId::new(0, ordinal)).collect(),
            flat: vec![Vec2::ZERO; people],
            radius: vec![RADIUS; people],
            share: vec![0.5; people],
            index: Index::default(),
            rooms: rooms(scene),
        };
        let mut index = Index::default();
        crowd.sort(&scene.start, &mut index);
        crowd.index = index;
        crowd
    }

    fn sort(&self, position: &[Vec2], index: &mut Index) {
        let Crowd { scene, id, flat, radius, share, .. } = self;
        index.build(scene.low, scene.high, Columns { id, position, velocity: flat, radius, share });
    }

    /// Whether a graph that has once been built is built for as many people elsewhere without asking for memory: all in one point, on a
    /// line, round one in the middle.
    fn no_allocations(&self) -> Result<(), String> {
        let (mut graph, mut index, none) = (Graph::default(), self.index.clone(), Walls::new(Vec::new()));
        let people = self.scene.start.len();
        let middle = 0.5 * (self.scene.low + self.scene.high);
        let round = |i: usize| if i == 0 { middle } else { middle + 0.4 * middle.x * Vec2::from_angle(i as f32) };
        let crowds: [Vec<Vec2>; 4] = [
            vec![middle; people],
            (0..people).map(|i| Vec2::new(0.001 * i as f32, 1.0)).collect(),
            (0..people).map(round).collect(),
            self.scene.start.clone(),
        ];
        for (number, crowd) in crowds.iter().enumerate() {
            self.sort(crowd, &mut index);
            let before = allocations::calls();
            graph.build(&index, if number % 2 == 0 { &none } else { &self.rooms });
            let asked = allocations::calls() - before;
            if number > 0 && asked > 0 {
                return Err(format!("{asked} allocations for crowd {number}"));
            }
        }
        Ok(())
    }

    /// Whether both have the same edges, or as many where four are on one circle: there spade may choose others.
    fn same_edges(&self) -> Result<(), String> {
        let mut graph = Graph::default();
        graph.build(&self.index, &Walls::new(Vec::new()));
        let row = |slot: Slot| self.index.body(slot).row.index();
        let mut ours: Vec<[usize; 2]> = (0..self.index.len() as u32)
            .flat_map(|slot| graph.of(Slot(slot)).iter().map(move |other| [Slot(slot), *other]))
            .map(|edge| edge.map(row))
            .filter(|edge| edge[0] < edge[1])
            .collect();
        let spade = load(&self.scene.start);
        let ends = spade.undirected_edges().map(|edge| edge.vertices().map(|vertex| vertex.fix().index()));
        let mut theirs: Vec<[usize; 2]> = ends.map(|[a, b]| [a.min(b), a.max(b)]).collect();
        (ours.sort_unstable(), theirs.sort_unstable());
        let ties = ours.len() == theirs.len() && self.scene.name.contains("lattice");
        if ties || ours == theirs { Ok(()) } else { Err(format!("{} edges, spade {}", ours.len(), theirs.len())) }
    }
}

/// Walls every 20 m, with a door of 2 m in the middle of each side of a room.
fn rooms(scene: &Scene) -> Walls {
    let (side, door) = (20.0, 2.0);
    let mut walls = Vec::new();
    let rooms = ((scene.high - scene.low) / side).ceil();
    for line in 1..rooms.x.max(rooms.y) as u32 {
        for room in 0..rooms.x.max(rooms.y) as u32 {
            let (across, along) = (side * line as f32, side * room as f32);
            for part in [along, along + 0.5 * (side + door)] {
                let end = part + 0.5 * (side - door);
                walls.push(Segment::new(Vec2::new(across, part), Vec2::new(across, end)));
                walls.push(Segment::new(Vec2::new(part, across), Vec2::new(end, across)));
            }
        }
    }
    Walls::new(walls)
}

/// Spade's vertices are in the order of the positions.
fn load(positions: &[Vec2]) -> DelaunayTriangulation<Point2<f64>> {
    let points = positions.iter().map(|at| Point2::new(f64::from(at.x), f64::from(at.y))).collect();
    DelaunayTriangulation::bulk_load_stable(points).expect("positions are finite")
}

/// Loads spade in bulk, in whatever order it likes best, and walks round every vertex.
fn spade_walk(positions: &[Vec2]) -> usize {
    let points = positions.iter().map(|at| Point2::new(f64::from(at.x), f64::from(at.y))).collect();
    let spade = DelaunayTriangulation::<Point2<f64>>::bulk_load(points).expect("positions are finite");
    let neighbours = spade.vertices().flat_map(|vertex| vertex.out_edges()).map(|edge| edge.to().fix().index());
    neighbours.fold(0, usize::wrapping_add)
}

/// Times all in turn and prints the medians.
fn time(crowd: &Crowd, rounds: usize, seconds: f64) {
    let (mut graph, mut index, none) = (Graph::default(), crowd.index.clone(), Walls::new(Vec::new()));
    let mut times: [Vec<f64>; 4] = Default::default();
    for _ in 0..rounds {
        times[0].push(each(seconds, || (black_box(spade_walk(&crowd.scene.start)), ()).1));
        times[1].push(each(seconds, || graph.build(&crowd.index, &none)));
        times[2].push(each(seconds, || graph.build(&crowd.index, &crowd.rooms)));
        times[3].push(each(seconds, || crowd.sort(&crowd.scene.start, &mut index)));
    }
    let mut ratios: Vec<f64> = times[1].iter().zip(&times[0]).map(|(ours, theirs)| ours / theirs).collect();
    let people = crowd.scene.start.len() as f64;
    let [spade, ours, walled, sorted] = times.each_mut().map(|times| 1e9 * clock::median(times) / people);
    let name = &crowd.scene.name;
    let spread = 100.0 * clock::spread(&ratios);
    let ratio = clock::median(&mut ratios);
    println!("| {name} | {spade:.0} | {ours:.0} | {ratio:.2} | {spread:.0} % | {walled:.0} | {sorted:.0} |");
}

/// Processor seconds of one turn of `work`, over at least so many seconds; the first turn, when memory is taken, is left out.
fn each(seconds: f64, mut work: impl FnMut()) -> f64 {
    work();
    let (from, mut turns) = (clock::seconds(), 0);
    loop {
        work();
        turns += 1;
        let spent = clock::seconds() - from;
        if spent >= seconds {
            return spent / f64::from(turns);
        }
    }
}
