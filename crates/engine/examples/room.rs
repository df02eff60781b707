//! A room empties through one door; prints how fast.

use passerby::scenario::{NoFiles, Problems};
use passerby::{Scenario, Simulation};

const ROOM: &str = r#"
name = "room"

[place]
floor = [[0, 0], [8, 0], [8, 2.4], [12, 2.4], [12, 3.6], [8, 3.6], [8, 6], [0, 6]]
regions = [{ name = "exit", polygon = [[11, 2.4], [12, 2.4], [12, 3.6], [11, 3.6]] }]

[[population]]
name = "visitors"
count = 40
area = [[0.5, 0.5], [7, 0.5], [7, 5.5], [0.5, 5.5]]
journey = ["exit"]

[run]
until = 180
"#;

pub(crate) fn main() -> Result<(), Problems> {
    let mut simulation = Simulation::new(Scenario::parse(ROOM, &NoFiles, "room.toml")?)?;
    let mut first = None;
    while !simulation.finished() {
        simulation.step();
        if simulation.arrived() > 0 {
            first.get_or_insert(simulation.time());
        }
    }
    let summary = simulation.summary();
    let last = summary.last_arrival.unwrap_or(f64::NAN);
    println!("{} of {} have left after {last:.1} s", summary.arrived, summary.entered);
    if let Some(first) = first.filter(|first| last > *first) {
        println!("{:.2} people per second", (summary.arrived - 1) as f64 / (last - first));
    }
    Ok(())
}
