//! A model of one's own: people slow down for whoever is in front, and remember how often they had to.

use passerby::geometry::Vec2;
use passerby::scenario::{NoFiles, Problems};
use passerby::steering::{CustomId, CustomModel, Model, View};
use passerby::{Scenario, Simulation};

const CORRIDOR: &str = r#"
[place]
floor = [[0, 0], [30, 0], [30, 3], [0, 3]]
regions = [{ name = "end", polygon = [[29, 0], [30, 0], [30, 3], [29, 3]] }]

[[population]]
count = 20
area = [[1, 0.5], [12, 0.5], [12, 2.5], [1, 2.5]]
journey = ["end"]
"#;

#[derive(Default)]
struct Patient {
    times_slowed: u64,
}

impl CustomModel for Patient {
    fn name(&self) -> &str {
        "patient"
    }

    fn choose(&mut self, view: &View<'_>, velocities: &mut [Vec2]) {
        let mut near = Vec::new();
        for (row, velocity) in view.rows.iter().zip(velocities) {
            let at = view.agents.now.position[row.index()];
            view.index.nearest(at, 6, 2.0, &mut near); // nearest first, ties by id; the first is oneself
            let in_front =
                near.iter().skip(1).find(|other| velocity.dot(view.index.body(other.slot).position - at) > 0.0);
            let gap = in_front.map_or(2.0, |other| (other.distance_squared.sqrt() - 0.5).max(0.0));
            self.times_slowed += u64::from(gap < 1.0);
            *velocity *= gap.min(1.0);
        }
    }

    fn save(&self) -> Vec<u8> {
        self.times_slowed.to_le_bytes().to_vec()
    }

    fn load(&mut self, memory: &[u8]) -> Result<(), String> {
        self.times_slowed = u64::from_le_bytes(memory.try_into().map_err(|_| "expected 8 bytes".to_owned())?);
        Ok(())
    }
}

pub(crate) fn main() -> Result<(), Problems> {
    let mut scenario = Scenario::parse(CORRIDOR, &NoFiles, "corridor.toml")?;
    scenario.populations[0].model = Model::Custom(CustomId(0));
    let mut simulation = Simulation::with_models(scenario, vec![Box::new(Patient::default())])?;
    simulation.run();
    println!("{} have arrived after {:.1} s", simulation.arrived(), simulation.time());
    Ok(())
}
