//! Looks at every tick: how many people are in the waiting area, and when most of them are.

use passerby::scenario::{NoFiles, Problems};
use passerby::{Scenario, Simulation};
use std::sync::{Arc, Mutex};

const STATION: &str = r#"
[place]
floor = [[0, 0], [20, 0], [20, 8], [0, 8]]
regions = [
    { name = "waiting", polygon = [[8, 0], [12, 0], [12, 8], [8, 8]] },
    { name = "train", polygon = [[19, 0], [20, 0], [20, 8], [19, 8]] },
]

[[population]]
rate = 1.0
total = 30
area = [[0.5, 1], [2, 1], [2, 7], [0.5, 7]]
journey = ["waiting", { wait = { uniform = [5, 15] } }, "train"]

[run]
until = 120
"#;

pub(crate) fn main() -> Result<(), Problems> {
    let mut simulation = Simulation::new(Scenario::parse(STATION, &NoFiles, "station.toml")?)?;
    let most = Arc::new(Mutex::new((0, 0.0)));
    let seen = Arc::clone(&most);
    simulation.on_tick(move |simulation| {
        let map = &simulation.world().map;
        let waiting = simulation.positions().iter().filter(|at| map.in_region(0, **at)).count();
        let mut most = seen.lock().expect("nobody else holds it");
        if waiting > most.0 {
            *most = (waiting, simulation.time());
        }
    });
    simulation.run();
    let (waiting, at) = *most.lock().expect("nobody else holds it");
    println!("at most {waiting} of {} waited, at {at:.1} s", simulation.summary().entered);
    Ok(())
}
