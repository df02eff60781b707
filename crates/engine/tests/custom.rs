//! Models and observers that users bring.

mod common;

use common::{scene, scene_with};
use passerby::geometry::Vec2;
use passerby::geometry::chance::Purpose;
use passerby::steering::{CustomId, CustomModel, Model, View};
use passerby::{ResumeError, Scenario, Simulation};
use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

/// Walks at a speed that changes from tick to tick by chance and by what it remembers.
#[derive(Default)]
struct Moody {
    ticks: u32,
}

impl CustomModel for Moody {
    fn name(&self) -> &str {
        "moody"
    }

    fn choose(&mut self, view: &View<'_>, velocities: &mut [Vec2]) {
        self.ticks += 1;
        assert!(view.rows.is_sorted_by_key(|row| view.agents.id[row.index()]), "people come in the order of ids");
        for (row, velocity) in view.rows.iter().zip(velocities) {
            assert_eq!(*velocity, view.desired[row.index()]);
            let id = view.agents.id[row.index()];
            let luck = view.chance.stream(id.bits(), view.tick, Purpose::Choice).uniform() as f32;
            *velocity *= if self.ticks.is_multiple_of(3) { 0.5 } else { luck };
        }
    }

    fn save(&self) -> Vec<u8> {
        self.ticks.to_le_bytes().to_vec()
    }

    fn load(&mut self, memory: &[u8]) -> Result<(), String> {
        self.ticks = u32::from_le_bytes(memory.try_into().map_err(|_| "expected 4 bytes".to_owned())?);
        Ok(())
    }
}

fn moody_room() -> Scenario {
    scene_with("room", Model::Custom(CustomId(0)))
}

fn models() -> Vec<Box<dyn CustomModel>> {
    vec![Box::new(Moody::default())]
}

fn run(simulation: &mut Simulation, until: f64, threads: usize) -> u64 {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
    pool.install(|| {
        while simulation.time() < until {
            simulation.step();
        }
        simulation.digest()
    })
}

#[test]
fn custom_models_repeat_and_resume_to_the_bit() {
    let mut whole = Simulation::with_models(moody_room(), models()).unwrap();
    let digest = run(&mut whole, 8.0, 1);
    let mut reversed = Simulation::with_models(moody_room(), models()).unwrap();
    reversed.reverse_rows();
    assert_eq!(run(&mut reversed, 8.0, 3), digest);

    let mut first = Simulation::with_models(moody_room(), models()).unwrap();
    run(&mut first, 3.55, 2); // 71 ticks: not a multiple of three
    let checkpoint = first.checkpoint();
    let mut second = Simulation::resume_with_models(moody_room(), &checkpoint, models()).unwrap();
    assert_eq!(run(&mut second, 8.0, 1), digest);
    assert!(matches!(Simulation::resume(moody_room(), &checkpoint), Err(ResumeError::Scenario(_))));
}

#[test]
fn a_model_that_was_not_given_is_named() {
    let problems = Simulation::new(moody_room()).unwrap_err().to_string();
    assert!(problems.contains("custom model 0, but 0 were given"), "{problems}");
}

#[test]
#[should_panic(expected = "model \"lost\" chose the velocity [NaN, 0]")]
fn a_velocity_that_is_no_number_is_told_with_its_model_and_person() {
    struct Lost;
    impl CustomModel for Lost {
        fn name(&self) -> &str {
            "lost"
        }
        fn choose(&mut self, _: &View<'_>, velocities: &mut [Vec2]) {
            velocities[0] = Vec2::new(f32::NAN, 0.0);
        }
    }
    let mut simulation = Simulation::with_models(moody_room(), vec![Box::new(Lost)]).unwrap();
    simulation.step();
}

/// Custom people are slower than they can be at most, and keep out of walls and each other like anybody else.
#[test]
fn nobody_is_faster_than_they_can_be() {
    struct Hasty;
    impl CustomModel for Hasty {
        fn name(&self) -> &str {
            "hasty"
        }
        fn choose(&mut self, _: &View<'_>, velocities: &mut [Vec2]) {
            velocities.iter_mut().for_each(|velocity| *velocity *= 100.0);
        }
    }
    let mut simulation = Simulation::with_models(moody_room(), vec![Box::new(Hasty)]).unwrap();
    for _ in 0..100 {
        simulation.step();
        let agents = &simulation.people().agents;
        for (velocity, most) in agents.now.velocity.iter().zip(&agents.speed_max) {
            assert!(velocity.length() <= most * 1.0001);
        }
    }
}

#[test]
fn observers_see_every_tick_once() {
    let mut simulation = Simulation::new(scene("room")).unwrap();
    let ticks = Arc::new(AtomicU32::new(0));
    let seen = Arc::clone(&ticks);
    simulation.on_tick(move |simulation| {
        assert_eq!(seen.fetch_add(1, Ordering::Relaxed) + 1, simulation.tick());
    });
    for _ in 0..50 {
        simulation.step();
    }
    assert_eq!(ticks.load(Ordering::Relaxed), 50);
}
