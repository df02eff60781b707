use passerby::{Scenario, Simulation, scenario::NoFiles};
#[test]
fn dbg() {
    let text = include_str!("../../../scenarios/bodies.toml");
    let mut simulation = Simulation::new(Scenario::parse(text, &NoFiles, "x").unwrap()).unwrap();
    let mut log: std::collections::BTreeMap<u32, Vec<String>> = Default::default();
    for tick in 0..3000 {
        simulation.step();
        let people = simulation.people();
        for row in 0..people.len() {
            let w = people.bodies[row].as_deref().unwrap();
            let at = people.agents.now.position[row];
            let off = w.body.root - at;
            let l = log.entry(people.agents.id[row].bits()).or_default();
            l.push(format!("{tick} at {:.3},{:.3} v {:.3},{:.3} wanted {:.3},{:.3} off {:.3},{:.3} head {:.2} torso {:.2} clip {} fade {:.2} phase {:.2} pushed {:.3},{:.3} shiftL {:.2} R {:.2}", at.x, at.y, people.agents.now.velocity[row].x, people.agents.now.velocity[row].y, people.agents.wanted[row].x, people.agents.wanted[row].y, off.x, off.y, w.body.heading, w.body.torso, w.body.clip.0, w.body.fade, w.body.phase, people.agents.pushed[row].x, people.agents.pushed[row].y, w.body.feet[0].shift.length(), w.body.feet[1].shift.length()));
            if off.length() > 0.25 {
                for l in l.iter().rev().take(25).rev() {
                    println!("{l}");
                }
                return;
            }
        }
    }
}
