//! Records a run in memory and reads back who was where at half time.

use passerby::record::{Recording, Writer};
use passerby::scenario::NoFiles;
use passerby::{Scenario, Simulation};
use std::error::Error;
use std::io::Cursor;

const CIRCLE: &str = r#"
name = "eight swap places"

[place]
floor = [[-8, -8], [8, -8], [8, 8], [-8, 8]]

[[population]]
count = 8
circle = { center = [0, 0], radius = 5 }
model = "orca"
journey = ["opposite"]

[run]
until = 20
"#;

pub(crate) fn main() -> Result<(), Box<dyn Error>> {
    let mut simulation = Simulation::new(Scenario::parse(CIRCLE, &NoFiles, "circle.toml")?)?;
    let mut writer = Writer::new(Vec::new(), &simulation.header())?;
    writer.people(&simulation.persons());
    writer.frame(&simulation.frame())?;
    while !simulation.finished() {
        simulation.step();
        writer.frame(&simulation.frame())?;
    }
    let bytes = writer.finish()?;
    println!("{} ticks in {} kB", simulation.tick(), bytes.len() / 1000);

    let recording = Recording::open(Cursor::new(bytes))?;
    if let Some(frame) = recording.frame_at(simulation.tick() / 2)? {
        for (id, (x, y)) in frame.id.iter().zip(frame.x.iter().zip(&frame.y)) {
            println!("{id}: {x:.2}, {y:.2}");
        }
    }
    Ok(())
}
