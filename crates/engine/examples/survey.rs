use passerby::{Scenario, Simulation, scenario::NoFiles, steering::Model};
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let models: Vec<&str> = args[1].split(',').collect();
    for file in &args[2..] {
        for name in &models {
            let text = std::fs::read_to_string(file).unwrap();
            let mut scenario = match Scenario::parse(&text, &NoFiles, file) { Ok(s) => s, Err(e) => { println!("{e}"); continue } };
            for p in &mut scenario.populations { if *name != "file" { p.model = Model::named(name).unwrap(); } if let Model::Headway(h) = &mut p.model { for kv in std::env::var("H").unwrap_or_default().split_whitespace() { let (k, v) = kv.split_once("=").unwrap(); Model::set(&mut Model::Headway(*h), k, 1.0).ok(); let mut m = Model::Headway(*h); m.set(k, v.parse().unwrap()).unwrap(); if let Model::Headway(n) = m { *h = n; } } } }
            let t0 = std::time::Instant::now();
            let mut sim = match Simulation::new(scenario) { Ok(s) => s, Err(e) => { println!("{e}"); continue } };
            let setup = t0.elapsed().as_secs_f64();
            let t0 = std::time::Instant::now();
            let mut after: f32 = f32::INFINITY; let mut worst_speed = 0f32; let mut wall = f32::INFINITY;
            while !sim.finished() {
                let before: std::collections::BTreeMap<_, _> = sim.ids().iter().copied().zip(sim.positions().iter().copied()).collect();
                sim.step();
                let dt = sim.world().tick as f32;
                for (i, id) in sim.ids().iter().enumerate() {
                    if let Some(b) = before.get(id) { worst_speed = worst_speed.max(b.distance(sim.positions()[i]) / dt / sim.people().agents.speed_max[i]); }
                    if sim.tick() % 10 == 0 {
                        let p = sim.positions()[i];
                        if !sim.world().map.contains(p) { println!("OUTSIDE {id} {p}"); }
                        let mut near = Vec::new(); sim.world().map.walls().near(p, 0.5, &mut near);
                        if let Some(n) = near.first() { wall = wall.min(n.distance - sim.radii()[i]); }
                    }
                }
                if sim.tick() % 5 == 0 && sim.len() < 1500 { let (p, r) = (sim.positions(), sim.radii());
                    for i in 0..p.len() { for j in 0..i { after = after.min(p[i].distance(p[j]) - r[i] - r[j]); } } }
            }
            let s = sim.summary();
            println!("{:28} {:13} t {:6.1} arrived {}/{} unable {} last {:?} contacts {} own {:.4} after {:.4} wall {:.4} speed {:.3}|{:.2} slow {:.2} digest {:016x} wall {:.2}s setup {:.2}",
                file.rsplit('/').next().unwrap(), name, sim.time(), s.arrived, s.entered, s.unable, s.last_arrival.map(|x| (x*10.).round()/10.), s.contacts, s.overlap_before_ground, after, wall, worst_speed, s.mean_speed, s.slow_share, sim.digest(), t0.elapsed().as_secs_f64(), setup);
        }
    }
}
