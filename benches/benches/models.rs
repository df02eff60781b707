//! What one decision costs with each model: 10 000 people at 1.5 per m2, ten neighbours within 5 m, one thread, processor time; and how
//! many times faster than real time the whole engine steps them on all threads, each model at its own rate.
//!
//! `cargo bench -p passerby-benches --bench models` checks that every decision is a velocity somebody can walk, and that a second of
//! ours moves people, before it times them; with `-- --quick` it checks, and times little; `-- tangent vision` asks these models alone. A check that
//! fails ends it with exit code 1.

use passerby::Simulation;
use passerby::scenario::NoFiles;
use passerby_benches::clock;
use passerby_benches::scene::{RADIUS, SPEED, SPEED_MAX, Scene};
use passerby_crowd::{AgentId, Agents, Graph, Index, Neighbours, NewAgent, Slot};
use passerby_geometry::lanes::Width;
use passerby_geometry::{Vec2, Walls};
use passerby_steering::{Batch, Model, Moment, Scratch, choose};
use std::collections::BTreeMap;
use std::process::ExitCode;
use std::time::Instant;

/// People per m2.
const DENSITY: f32 = 1.5;

fn main() -> ExitCode {
    let quick = std::env::args().any(|option| option == "--quick");
    let (people, rounds, seconds) = if quick { (1000, 1, 1.0) } else { (10_000, 5, 5.0) };
    println!("<!-- bench: models -->");
    println!("| model | us a decision | spread | asked | people | times real time |");
    println!("| --- | --- | --- | --- | --- | --- |");
    let named: Vec<String> = std::env::args().skip(1).filter(|option| !option.starts_with('-')).collect();
    let asked = |model: &Model| named.is_empty() || named.iter().any(|name| name == model.name());
    for model in Model::all().filter(|model| *model != Model::Straight && asked(model)) {
        // Images cost a hundred times as much as other decisions.
        let people = if matches!(model, Model::Vision(_)) { people / 5 } else { people };
        let (least, spread) = match decisions(&model, people, rounds, 0.05 * seconds) {
            Ok(times) => times,
            Err(problem) => return fail(&model, &problem),
        };
        let speed = match run(&model, people, seconds) {
            Ok(speed) => speed,
            Err(problem) => return fail(&model, &problem),
        };
        let asked = match model.decide_every() {
            _ if model.decides_at_steps() => "when a foot lands".to_owned(),
            0.0 => "20 times a second".to_owned(),
            every => format!("{:.0} times a second", 1.0 / every),
        };
        let (us, spread) = (1e6 * least, 100.0 * spread);
        println!("| `{}` | {us:.2} | {spread:.0} % | {asked} | {people} | {speed:.1} |", model.name());
    }
    println!("<!-- end -->");
    ExitCode::SUCCESS
}

fn fail(model: &Model, problem: &str) -> ExitCode {
    eprintln!("{}: {problem}", model.name());
    ExitCode::FAILURE
}

/// Seconds of one decision, the middle of some rounds, and how far the rounds are apart.
fn decisions(model: &Model, people: usize, rounds: usize, seconds: f64) -> Result<(f64, f64), String> {
    let scene = Scene::plane(people, DENSITY);
    let mut agents = Agents::default();
    let mut desired = Vec::new();
    for (i, at) in scene.start.iter().enumerate() {
        let (id, mass, share) = (AgentId::new(0, i as u32), 80.0, 0.5);
        // They walk everywhere, so that there is something to avoid.
        let direction = Vec2::from_angle(2.4 * i as f32);
        let (radius, speed, speed_max, heading) = (RADIUS, SPEED, SPEED_MAX, 0.0);
        agents.push(NewAgent { id, position: *at, heading, radius, mass, speed, speed_max, share });
        agents.now.velocity[i] = 0.8 * SPEED * direction;
        desired.push(SPEED * direction);
    }
    let (mut index, walls, graph) = (Index::default(), Walls::new(Vec::new()), Graph::default());
    index.build(scene.low, scene.high, agents.columns());
    let left = vec![f32::INFINITY; people];
    let slots: Vec<Slot> = (0..people as u32).map(Slot).collect();
    let mut out = vec![Vec2::ZERO; people];
    let mut scratch = Scratch::default();
    let now = Moment { tick: 0, length: 0.05 };
    let mut memories = vec![model.remembers().then(Box::default); people];
    let (neighbours, width) = (Neighbours::Nearest { count: 10, within: 5.0 }, Width::detect());
    let (index, agents, desired, left) = (&index, &agents, &desired[..], &left[..]);
    let batch = Batch {
        index,
        agents,
        desired,
        left,
        walls: &walls,
        neighbours,
        graph: &graph,
        dt: 0.05,
        now,
        movers: &[],
        led: &[],
        groups: &[],
        ahead: left,
        width,
    };
    let mut times = Vec::new();
    for _ in 0..=rounds {
        // The clock of the processor ticks in hundredths of a second: enough decisions to fill some of them.
        let (begun, mut asked) = (clock::seconds(), 0);
        while asked == 0 || clock::seconds() - begun < seconds {
            choose(model, &batch, &slots, &mut memories, &mut out, &mut scratch);
            asked += people;
        }
        times.push((clock::seconds() - begun) / asked as f64);
    }
    if let Some(v) = out.iter().find(|v| !v.is_finite() || v.length() > 1.001 * SPEED_MAX) {
        return Err(format!("somebody chooses {v}"));
    }
    // The first round fills caches.
    times.remove(0);
    times.sort_by(f64::total_cmp);
    let middle = times[times.len() / 2];
    Ok((middle, (times[times.len() - 1] - times[0]) / middle))
}

/// How many times faster than real time a crowd is stepped on all threads.
fn run(model: &Model, people: usize, seconds: f64) -> Result<f64, String> {
    let side = (people as f32 / DENSITY).sqrt();
    let text = format!(
        "[place]\nfloor = [[0, 0], [{side}, 0], [{side}, {side}], [0, {side}]]\n\
         regions = [{{ name = \"all\", polygon = [[1, 1], [{e}, 1], [{e}, {e}], [1, {e}]] }}]\n\
         [[population]]\ncount = {people}\narea = [[0.3, 0.3], [{s}, 0.3], [{s}, {s}], [0.3, {s}]]\nmodel = \"{}\"\n\
         journey = [{{ wander = \"all\" }}]\n[run]\nuntil = 1000\n",
        model.name(),
        e = side - 1.0,
        s = side - 0.3,
    );
    let scenario = passerby::Scenario::parse(&text, &NoFiles, "bench.toml").map_err(|problems| problems.to_string())?;
    let mut simulation = Simulation::new(scenario).map_err(|problems| problems.to_string())?;
    while simulation.time() < 1.0 {
        simulation.step();
    }
    let rows = simulation.ids().iter().copied().zip(simulation.positions().iter().copied());
    let before: BTreeMap<AgentId, Vec2> = rows.collect();
    let (begun, from) = (Instant::now(), simulation.time());
    while simulation.time() < from + seconds {
        simulation.step();
    }
    let wall = begun.elapsed().as_secs_f64();
    let moved =
        simulation.positions().iter().zip(simulation.ids()).map(|(at, id)| before[id].distance(*at)).sum::<f32>();
    if moved / (people as f32) < 0.1 {
        return Err(format!("people moved by {} m in {seconds} s", moved / people as f32));
    }
    Ok(seconds / wall)
}
