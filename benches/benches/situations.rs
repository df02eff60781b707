//! Situations: many of them with many people, what a person costs as the world gets more of them, what a rule costs.
//!
//! `cargo bench -p passerby-benches --bench situations`; with `-- --quick` it checks, and times little. Before it times anything it checks that people
//! are in the situations, that rules were asked and none was stopped. A check that fails ends it with exit code 1.

use passerby::scenario::NoFiles;
use passerby::{Scenario, Simulation};
use passerby_benches::clock;
use std::fmt::Write;
use std::process::ExitCode;
use std::time::Instant;

/// How long everybody walks before anything is timed, s.
const WARM_UP: f64 = 5.0;

fn main() -> ExitCode {
    let quick = std::env::args().any(|option| option == "--quick");
    println!("<!-- bench: situations -->");
    println!("| what | measured |");
    println!("| --- | --- |");
    let done = many(quick).and_then(|()| flat(quick)).and_then(|()| rules(quick));
    println!("<!-- end -->");
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

/// A floor of so many metres, people who wander over the lower left part of it, and what else there is.
fn simulation(side: f64, people: u32, wander: f64, rest: &str) -> Result<Simulation, String> {
    let text = format!(
        "[place]\nfloor = [[0, 0], [{side}, 0], [{side}, {side}], [0, {side}]]\n\
         regions = [{{ name = \"all\", polygon = [[0.5, 0.5], [{wander}, 0.5], [{wander}, {wander}], [0.5, {wander}]] }}]\n\
         [[signal]]\nname = \"light\"\nphases = [{{ show = \"red\", for = 5 }}, {{ show = \"green\", for = 5 }}]\n\
         {rest}[[population]]\ncount = {people}\narea = [[1, 1], [{wander}, 1], [{wander}, {wander}], [1, {wander}]]\n\
         journey = [{{ wander = \"all\" }}]\n[run]\nuntil = 100000\n"
    );
    let scenario = Scenario::parse(&text, &NoFiles, "bench.toml").map_err(|problems| problems.to_string())?;
    let mut simulation = Simulation::new(scenario).map_err(|problems| problems.to_string())?;
    while simulation.time() < WARM_UP {
        simulation.step();
    }
    Ok(simulation)
}

/// One of several kinds of situation, a square of 3 m.
fn situation(number: usize, [x, y]: [f64; 2]) -> String {
    let what = match number % 5 {
        0 => "behaviours = [{ hurry = 1.3 }]".to_owned(),
        1 => "behaviours = [{ wait = { uniform = [1, 4] } }]\ncapacity = 4".to_owned(),
        2 => "behaviours = [\"talk\"]\nsensors = { crowd = { density = 2 }, light = { signal = \"light\" } }\n\
              rule = 'if crowd > 1.0 || light == \"red\" { me.pace(0.8) }'"
            .to_owned(),
        3 => format!("behaviours = [{{ gather = {{ at = [{}, {}], for = 5 }} }}]\ncapacity = 6", x + 1.5, y + 1.5),
        _ => "enter = { signal = \"light\", show = \"green\" }".to_owned(),
    };
    format!(
        "[[situation]]\nname = \"s{number}\"\nregion = [[{x}, {y}], [{}, {y}], [{}, {}], [{x}, {}]]\n{what}\n",
        x + 3.0,
        x + 3.0,
        y + 3.0,
        y + 3.0
    )
}

/// So many situations on a lattice of 6 m, beginning at a corner, in rows of so many.
fn lattice(count: usize, corner: [f64; 2], columns: usize) -> String {
    (0..count).fold(String::new(), |mut text, number| {
        let (column, row) = ((number % columns) as f64, (number / columns) as f64);
        let _ = write!(text, "{}", situation(number, [corner[0] + 6.0 * column, corner[1] + 6.0 * row]));
        text
    })
}

fn has_members(simulation: &Simulation, least: usize) -> Result<(), String> {
    let situations = simulation.situations().ok_or("there are no situations")?;
    let members: usize = situations.ids().map(|id| situations.state(id).members.len()).sum();
    match situations.incidents() {
        ([], _) if members >= least => Ok(()),
        ([], _) => Err(format!("only {members} memberships")),
        ([first, ..], count) => Err(format!("{count} rules were stopped: {}", first.what)),
    }
}

/// Steps for so many seconds of wall time on all threads; steps a second.
fn rate(simulation: &mut Simulation, seconds: f64) -> f64 {
    let begun = Instant::now();
    let first = simulation.tick();
    while begun.elapsed().as_secs_f64() < seconds {
        simulation.step();
    }
    f64::from(simulation.tick() - first) / begun.elapsed().as_secs_f64()
}

/// 10 000 people with 1 000 situations.
fn many(quick: bool) -> Result<(), String> {
    let (people, count, columns, side) = if quick { (500, 100, 10, 61.0) } else { (10_000, 1000, 32, 194.0) };
    let mut simulation = simulation(side, people, side - 0.5, &lattice(count, [1.0, 1.0], columns))?;
    has_members(&simulation, people as usize / 20)?;
    let rate = rate(&mut simulation, if quick { 0.2 } else { 5.0 });
    println!("| {people} people, {count} situations, headway, all threads | {rate:.0} steps a second |");
    Ok(())
}

/// The same people in the same ten situations, with more and more of them elsewhere.
fn flat(quick: bool) -> Result<(), String> {
    let (counts, people, rounds): (&[usize], _, _) =
        if quick { (&[10, 100], 200, 1) } else { (&[10, 100, 1000, 10_000], 2000, 9) };
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| error.to_string())?;
    pool.install(|| {
        let mut runs = Vec::new();
        for count in counts {
            let near = lattice(10, [2.0, 2.0], 4);
            let far = lattice(*count, [2.0, 72.0], 100).replace("name = \"s", "name = \"far");
            let far: String = far.split_inclusive("[[situation]]\n").take(count - 10 + 1).collect();
            let far = far.strip_suffix("[[situation]]\n").unwrap_or(&far).to_owned();
            let simulation = simulation(700.0, people, 60.0, &format!("{near}{far}"))?;
            has_members(&simulation, people as usize / 200)?;
            runs.push((*count, simulation, Vec::new()));
        }
        // In turn, so that what else the machine does hits all alike.
        for _ in 0..rounds {
            for (_, simulation, times) in &mut runs {
                let begun = clock::seconds();
                let steps = if quick { 5 } else { 200 };
                (0..steps).for_each(|_| simulation.step());
                times.push(1e9 * (clock::seconds() - begun) / f64::from(steps * people));
            }
        }
        for (count, simulation, times) in &mut runs {
            let carried = simulation.people().plugged.iter().flatten().map(|person| person.bytes()).sum::<usize>();
            let bytes = carried as f64 / f64::from(people);
            let time = clock::median(times);
            let spread = 100.0 * clock::spread(times);
            println!(
                "| {people} people, {count} situations in the world, one thread | {time:.0} ns a person and step (spread {spread:.0} %), {bytes:.0} bytes a person |"
            );
        }
        Ok(())
    })
}

/// Everybody asks a rule of three lines in every tick.
fn rules(quick: bool) -> Result<(), String> {
    let people = if quick { 200 } else { 10_000 };
    let side = (f64::from(people) / 0.5).sqrt();
    let table = |rule: &str| {
        format!(
            "[[situation]]\nname = \"all\"\nregion = [[0, 0], [{side}, 0], [{side}, {side}], [0, {side}]]\n\
             sensors = {{ crowd = {{ density = 2 }}, light = {{ signal = \"light\" }} }}\n{rule}"
        )
    };
    let rule = "rule = '''\nif light == \"red\" && crowd > 0.6 {\n    me.pace(0.8);\n} else { me.suppress(\"hurry\"); }\n'''\n";
    let mut with = simulation(side, people, side - 0.5, &table(rule))?;
    let mut without = simulation(side, people, side - 0.5, &table(""))?;
    has_members(&with, people as usize)?;
    let pool = rayon::ThreadPoolBuilder::new().num_threads(1).build().map_err(|error| error.to_string())?;
    let (rounds, steps) = if quick { (1, 3) } else { (7, 10) };
    let mut extra: Vec<f64> = Vec::new();
    pool.install(|| {
        for _ in 0..rounds {
            let times = [&mut with, &mut without].map(|simulation| {
                let begun = clock::seconds();
                (0..steps).for_each(|_| simulation.step());
                clock::seconds() - begun
            });
            extra.push(1e6 * (times[0] - times[1]) / f64::from(steps * people));
        }
    });
    println!("| a call of a rule of three lines, one thread | {:.2} us |", clock::median(&mut extra));
    let rate = rate(&mut with, if quick { 0.2 } else { 4.0 });
    println!("| {people} people who ask it in every tick, all threads | {rate:.0} steps a second |");
    Ok(())
}
