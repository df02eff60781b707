//! The neighbourhood graph beside `spade`: everybody joined anew, one thread, processor time.
//!
//! `cargo bench -p passerby-benches --bench graph` checks that both have the same edges and then times them; with `-- --quick` it checks, and
//! times little. Spade loads all positions in bulk and is walked once round every vertex, as somebody would who wants to know the
//! neighbours; ours has them listed in the end, nearest first. Its index is there anyway: the step sorts everybody for the searches.
//! A check that fails ends it with exit code 1.

use passerby_benches::clock;
use passerby_benches::scene::{RADIUS, Scene};
use passerby_crowd::{AgentId, Columns, Graph, Index, Slot};
use passerby_geometry::{Segment, Vec2, Walls};
use spade::{DelaunayTriangulation, Point2, Triangulation};
use std::hint::black_box;
use std::process::ExitCode;

/// People per m2.
const DENSITY: f32 = 1.5;

fn main() -> ExitCode {
    let quick = std::env::args().any(|option| option == "--quick");
    let (sizes, rounds, seconds): (&[usize], _, _) =
        if quick { (&[1000], 1, 0.02) } else { (&[1000, 10_000, 100_000], 9, 0.3) };
    println!("<!-- bench: graph -->");
    println!("| {DENSITY}/m², ns a person | spade | Passerby | ratio | spread | with walls | the index |");
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for people in sizes {
        let crowd = Crowd::new(&Scene::plane(*people, DENSITY));
        if let Err(problem) = crowd.check() {
            eprintln!("{people} people: {problem}");
            return ExitCode::FAILURE;
        }
        time(&crowd, rounds, seconds);
    }
    println!("<!-- end -->");
    ExitCode::SUCCESS
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
        crowd.sort(&mut index);
        crowd.index = index;
        crowd
    }

    fn sort(&self, index: &mut Index) {
        let Crowd { scene, id, flat, radius, share, .. } = self;
        index.build(scene.low, scene.high, Columns { id, position: &scene.start, velocity: flat, radius, share });
    }

    /// Whether both have the same edges. People stand at random: no four of them are on one circle.
    fn check(&self) -> Result<(), String> {
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
        if ours == theirs { Ok(()) } else { Err(format!("{} edges, spade {}", ours.len(), theirs.len())) }
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
    // Two threads to sort everybody, one for all else, would not be one thread.
    let one = rayon::ThreadPoolBuilder::new().num_threads(1).use_current_thread().build().expect("this thread");
    for _ in 0..rounds {
        times[0].push(each(seconds, || (black_box(spade_walk(&crowd.scene.start)), ()).1));
        times[1].push(each(seconds, || graph.build(&crowd.index, &none)));
        times[2].push(each(seconds, || graph.build(&crowd.index, &crowd.rooms)));
        times[3].push(each(seconds, || one.install(|| crowd.sort(&mut index))));
    }
    let mut ratios: Vec<f64> = times[1].iter().zip(&times[0]).map(|(ours, theirs)| ours / theirs).collect();
    let people = crowd.scene.start.len() as f64;
    let [spade, ours, walled, sorted] = times.each_mut().map(|times| 1e9 * clock::median(times) / people);
    let spread = 100.0 * clock::spread(&ratios);
    let ratio = clock::median(&mut ratios);
    println!("| {people} people | {spade:.0} | {ours:.0} | {ratio:.2} | {spread:.0} % | {walled:.0} | {sorted:.0} |");
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
