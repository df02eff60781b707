//! The whole engine: scene x model x size x threads, with and without a recording of every tick.
//!
//! `cargo bench -p passerby-benches --bench engine` times everything; with `-- --quick` little of it and not the largest;
//! `-- --only=plane-1.5/orca` leaves out what has another name, `-- --rounds=1` takes one turn instead of five. Processor time is what is compared, except from one thread to
//! two and for steps a second, which are times of the clock on the wall and want a machine that does nothing else.

use passerby_benches::allocations::Counting;
use passerby_benches::clock;
use passerby_benches::ours::bytes_per_agent;
use passerby_benches::run::{Manner, Memory, Run, Turn};
use passerby_benches::workload::Workload;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::collections::BTreeMap;

#[global_allocator]
static ALLOCATOR: Counting = Counting;

/// Seconds of a tick, as scenarios have it when they do not say.
const TICK: f64 = 0.05;

const MANNERS: [Manner; 4] = [
    Manner { threads: 1, record: false },
    Manner { threads: 2, record: false },
    Manner { threads: 1, record: true },
    Manner { threads: 2, record: true },
];

/// A workload and the turns it has had, by manner.
struct Case {
    name: String,
    memory: Memory,
    turns: [Vec<Turn>; 4],
}

fn main() {
    let options: Vec<String> = std::env::args().skip(1).collect();
    let quick = options.iter().any(|option| option == "--quick");
    let only = options.iter().find_map(|option| option.strip_prefix("--only=")).unwrap_or_default();
    let mut workloads = workloads(if quick { 1000 } else { 100_000 });
    workloads.retain(|workload| workload.name.contains(only));
    let rounds = options.iter().find_map(|option| option.strip_prefix("--rounds=")?.parse().ok());
    let (rounds, seconds) = if quick { (1, 0.05) } else { (rounds.unwrap_or(5), 0.5) };

    let pools = [1, 2].map(|threads| ThreadPoolBuilder::new().num_threads(threads).build().expect("threads"));
    let cases: Vec<Case> = workloads.iter().map(|workload| time(workload, &pools, rounds, seconds)).collect();
    print_steps(&cases);
    print_growth(&cases);
}

/// All scenes and models up to so many people. Every model once, the three for large crowds everywhere.
fn workloads(most: usize) -> Vec<Workload> {
    let mut all = Vec::new();
    for model in ["orca", "headway", "helbing-1995"] {
        for density in [0.5, 1.5] {
            let sizes = [1000, 10_000, 100_000].into_iter().filter(|people| *people <= most);
            all.extend(sizes.map(|people| Workload::plane(people, density, model, TICK)));
        }
        all.push(Workload::circle(100, model));
        all.push(Workload::bottleneck(model));
    }
    all.extend(["helbing-2000", "straight"].map(|model| Workload::plane(1000, 1.5, model, TICK)));
    all
}

/// Times a workload in all manners in turn, so that whatever else the machine does meets all of them.
fn time(workload: &Workload, pools: &[ThreadPool; 2], rounds: usize, seconds: f64) -> Case {
    let mut run = Run::new(workload, &std::env::temp_dir());
    let mut turns: [Vec<Turn>; 4] = Default::default();
    for _ in 0..rounds {
        for (turns, manner) in turns.iter_mut().zip(MANNERS) {
            turns.push(run.turn(&pools[manner.threads - 1], manner, seconds));
        }
    }
    eprintln!("{}: done, mean speed {:.2} m/s", workload.name, run.mean_speed());
    Case { name: workload.name.clone(), memory: run.memory, turns }
}

fn median(turns: &[Turn], value: impl Fn(&Turn) -> f64) -> f64 {
    clock::median(&mut turns.iter().map(value).collect::<Vec<_>>())
}

/// The best turn: what the machine does besides only ever takes away.
fn best(turns: &[Turn]) -> f64 {
    turns.iter().map(|turn| turn.steps_per_second).fold(0.0, f64::max)
}

fn print_steps(cases: &[Case]) {
    println!("Columns of the crowd take {} bytes an agent.\n", bytes_per_agent());
    println!("<!-- bench: engine -->");
    println!(
        "| | steps a second | recording | thousand agent-steps per CPU second | recording | spread | allocations a step | bytes an agent: heap, most, resident |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- | --- |");
    for Case { name, memory, turns } in cases {
        for threads in [1, 2] {
            let [plain, recorded] = [&turns[threads - 1], &turns[threads + 1]];
            let cpu = |turns: &[Turn]| median(turns, |turn| turn.agent_steps_per_cpu_second);
            let rates: Vec<f64> = plain.iter().map(|turn| turn.agent_steps_per_cpu_second).collect();
            let resident = memory.resident.map_or("-".to_owned(), |bytes| format!("{bytes:.0}"));
            println!(
                "| step/{name}/{threads}t | {:.0} | {:.0} | {:.0} | {:+.0} % | {:.0} % | {:.1} | {:.0}, {:.0}, {resident} |",
                best(plain),
                best(recorded),
                cpu(plain) / 1000.0,
                100.0 * (cpu(plain) / cpu(recorded) - 1.0),
                100.0 * clock::spread(&rates),
                median(plain, |turn| turn.allocations),
                memory.held,
                memory.most,
            );
        }
    }
    println!("<!-- end -->\n");
}

/// How time grows with the size at one density, and shrinks with the threads.
fn print_growth(cases: &[Case]) {
    let mut families: BTreeMap<&str, BTreeMap<usize, &Case>> = BTreeMap::new();
    for case in cases.iter().filter(|case| case.name.starts_with("plane")) {
        let (family, people) = case.name.rsplit_once('/').expect("scene/model/size");
        families.entry(family).or_default().insert(people.parse().expect("a size"), case);
    }
    let [smallest, largest] = [1000, 100_000];
    println!("<!-- bench: growth -->");
    println!(
        "| | ns per agent-step, 1k | 10k | 100k | 100k over 1k | two threads over one, largest | steps a second, largest, recording, 2t |"
    );
    println!("| --- | --- | --- | --- | --- | --- | --- |");
    for (family, sizes) in families {
        let time = |people: usize| {
            let turns = &sizes.get(&people)?.turns[0];
            Some(1e9 / median(turns, |turn| turn.agent_steps_per_cpu_second))
        };
        let shown = |time: Option<f64>| time.map_or("-".to_owned(), |ns| format!("{ns:.0}"));
        let growth = time(largest).zip(time(smallest)).map_or("-".to_owned(), |(l, s)| format!("{:.2}", l / s));
        let turns = &sizes.values().next_back().expect("a size").turns;
        println!(
            "| {family} | {} | {} | {} | {growth} | {:.2} | {:.0} |",
            shown(time(smallest)),
            shown(time(10_000)),
            shown(time(largest)),
            best(&turns[1]) / best(&turns[0]),
            best(&turns[3]),
        );
    }
    println!("<!-- end -->");
}
