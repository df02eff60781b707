//! The same corner with every model: who is fastest, who touches whom.

use passerby::scenario::{NoFiles, Problems};
use passerby::steering::Model;
use passerby::{Scenario, Simulation};

const CORNER: &str = r#"
[place]
floor = [[0, 0], [12, 0], [12, 12], [10, 12], [10, 2], [0, 2]]
regions = [{ name = "end", polygon = [[10, 11], [12, 11], [12, 12], [10, 12]] }]

[[population]]
count = 15
area = [[0.3, 0.3], [6, 0.3], [6, 1.7], [0.3, 1.7]]
journey = ["end"]

[run]
until = 120
"#;

pub(crate) fn main() -> Result<(), Problems> {
    let scenario = Scenario::parse(CORNER, &NoFiles, "corner.toml")?;
    println!("{:14} {:>8} {:>10} {:>9}", "model", "arrived", "mean time", "contacts");
    for model in Model::all() {
        let mut scenario = scenario.clone();
        scenario.populations[0].model = model;
        let mut simulation = Simulation::new(scenario)?;
        simulation.run();
        let summary = simulation.summary();
        let mean = summary.travel_time.map_or(f64::NAN, |time| time.mean);
        println!("{:14} {:>8} {:>8.1} s {:>9}", model.name(), summary.arrived, mean, summary.contacts);
    }
    Ok(())
}
