//! A step of a closed population allocates nothing after a warm-up.
//!
//! One test in this file: counters are of the whole program, and tests of one file share it.

use passerby::scenario::NoFiles;
use passerby::steering::Model;
use passerby::{Scenario, Simulation};
use passerby_benches::allocations::{Counting, calls};
use passerby_benches::workload::Workload;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Two streams go round a block for ever, against each other, past its corners.
const BLOCK: &str = r#"
[place]
floor = [[0, 0], [20, 0], [20, 20], [0, 20]]
obstacles = [[[5, 5], [15, 5], [15, 15], [5, 15]]]
regions = [
    { name = "south-west", polygon = [[0, 0], [5, 0], [5, 5], [0, 5]] },
    { name = "south-east", polygon = [[15, 0], [20, 0], [20, 5], [15, 5]] },
    { name = "north-east", polygon = [[15, 15], [20, 15], [20, 20], [15, 20]] },
    { name = "north-west", polygon = [[0, 15], [5, 15], [5, 20], [0, 20]] },
]
[[population]]
count = 60
area = [[1, 0.5], [19, 0.5], [19, 4.5], [1, 4.5]]
journey = ["south-east", "north-east", "north-west", "south-west"]
repeat = true
[[population]]
count = 60
area = [[1, 15.5], [19, 15.5], [19, 19.5], [1, 19.5]]
journey = ["north-east", "south-east", "south-west", "north-west"]
repeat = true
[run]
until = 1000
"#;

/// Ticks before counting: everybody has turned to another stop, rows have been sorted, and somebody has been held up, whereupon the cells
/// are made that ways round others lead over.
const WARM_UP: u32 = 800;
const COUNTED: u32 = 200;
/// People and ticks of a large crowd, in which everything happens within a few steps; with the models for such.
const LARGE: (usize, u32, u32) = (10_000, 32, 32);

fn block(model: Model) -> Simulation {
    let mut scenario = Scenario::parse(BLOCK, &NoFiles, "block").unwrap_or_else(|problems| panic!("{problems}"));
    scenario.populations.iter_mut().for_each(|population| population.model = model);
    Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Allocations in the counted steps after the others, in a pool of so many threads.
fn count(mut simulation: Simulation, threads: usize, warm_up: u32, counted: u32) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let people = simulation.len();
    pool.install(|| {
        (0..warm_up).for_each(|_| simulation.step());
        let before = calls();
        (0..counted).for_each(|_| simulation.step());
        let allocations = calls() - before;
        assert_eq!(simulation.len(), people, "nobody leaves");
        allocations
    })
}

#[test]
fn a_step_of_a_closed_population_allocates_nothing() {
    let before = calls();
    drop(std::hint::black_box(vec![1u8; 100]));
    assert_eq!(calls() - before, 1, "the counter counts");
    let mut wrong = Vec::new();
    for model in Model::all() {
        for threads in [1, 2] {
            let plane = Workload::plane(400, 1.5, model.name(), 0.05).start();
            let mut scenes = vec![("plane", plane, WARM_UP, COUNTED), ("block", block(model), WARM_UP, COUNTED)];
            if ["orca", "headway", "helbing-1995"].contains(&model.name()) {
                let large = Workload::plane(LARGE.0, 1.5, model.name(), 0.05).start();
                scenes.push(("large plane", large, LARGE.1, LARGE.2));
            }
            for (scene, simulation, warm_up, counted) in scenes {
                let allocations = count(simulation, threads, warm_up, counted);
                println!("{scene}/{}/{threads}t: {allocations} allocations in {counted} steps", model.name());
                if allocations > 0 {
                    wrong.push(format!("{scene}/{}/{threads}t: {allocations} in {counted} steps", model.name()));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "allocations:\n{}", wrong.join("\n"));
}
