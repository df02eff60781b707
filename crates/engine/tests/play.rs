//! Recorded people: they walk as recorded, and others keep clear of them.

mod watch;

use passerby::scenario::{Files, Problems};
use passerby::steering::Model;
use passerby::{Scenario, Simulation};
use std::fmt::Write;

/// A hall of 20 m x 10 m; its corner is far from the origin, so that local coordinates differ from the place's.
const HALL: &str = r#"
[place]
floor = [[1000, 500], [1020, 500], [1020, 510], [1000, 510]]

[[population]]
name = "recorded"
play = "people.txt"
"#;

struct Text(String);

impl Files for Text {
    fn read(&self, _path: &str) -> Result<Vec<u8>, String> {
        Ok(self.0.clone().into_bytes())
    }
}

/// Two people at 20 frames a second. The first walks east with a sway for ten seconds, the second stands, comes two seconds later
/// and goes after six.
fn people() -> Text {
    let mut text = "# framerate: 20\n# id frame x/m y/m\n".to_owned();
    for frame in 0..=200 {
        let [x, y] = first(frame);
        let _ = writeln!(text, "1 {frame} {x} {y}");
    }
    for frame in 40..=120 {
        let _ = writeln!(text, "2 {frame} 1012.345678 503.3");
    }
    Text(text)
}

fn first(frame: u32) -> [f64; 2] {
    let t = f64::from(frame) / 20.0;
    [1003.0 + 1.1 * t, 505.0 + 0.3 * (t * 0.7) * (1.0 - t / 10.0)]
}

fn read(rest: &str) -> Result<Scenario, Problems> {
    Scenario::parse(&format!("{HALL}{rest}"), &people(), "hall.toml")
}

fn simulation(rest: &str) -> Simulation {
    read(rest).and_then(Simulation::new).unwrap_or_else(|problems| panic!("{problems}"))
}

#[test]
fn they_come_out_as_they_went_in() {
    // Walkers of a model that needs shorter steps are there too: they divide the tick.
    let mut simulation = simulation(
        "[[population]]\nmodel = \"helbing-2000\"\nat = [[1002, 502]]\njourney = [[1018, 508]]\nstay = true\n",
    );
    for frame in 0..=210 {
        let shown = simulation.frame();
        assert_eq!(shown.tick, frame);
        let played: Vec<(u32, f64, f64, f32)> = (0..shown.id.len())
            .filter(|i| shown.id[*i] < 1 << 22)
            .map(|i| (shown.id[i], shown.x[i], shown.y[i], shown.vx[i]))
            .collect();
        let expected = usize::from(frame <= 200) + usize::from((40..=120).contains(&frame));
        assert_eq!(played.len(), expected, "frame {frame}");
        for (id, x, y, vx) in played {
            let ([right_x, right_y], right_vx) =
                if id == 0 { (first(frame), 1.1) } else { ([1012.345678, 503.3], 0.0) };
            assert!((x - right_x).abs() < 2e-6 && (y - right_y).abs() < 2e-6, "frame {frame}: {x} {y}");
            assert!((vx - right_vx).abs() < 1e-3, "frame {frame}: {vx} m/s");
        }
        simulation.step();
    }
    let persons = simulation.persons();
    assert!(persons.iter().all(|person| person.population != "recorded"), "they have gone");
    assert_eq!(simulation.summary().entered, 1, "recorded people are not counted");
}

#[test]
fn a_run_with_recorded_people_alone_ends_with_the_last() {
    let mut simulation = simulation("");
    while !simulation.finished() {
        simulation.step();
    }
    assert_eq!(simulation.tick(), 201);
    let text = HALL.replace("\"people.txt\"", "{ file = \"people.txt\", start = 3 }");
    let scenario = Scenario::parse(&text, &people(), "late.toml").unwrap_or_else(|problems| panic!("{problems}"));
    let mut simulation = Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"));
    assert!(simulation.is_empty());
    while !simulation.finished() {
        simulation.step();
    }
    assert_eq!(simulation.tick(), 261);
}

/// Somebody walks towards the one who sways and round the one who stands: with every model that sees others they do not touch.
#[test]
fn walkers_avoid_them() {
    for model in Model::all().filter(|model| *model != Model::Straight) {
        let name = model.name();
        let text = format!(
            "[[population]]\nmodel = \"{name}\"\nat = [[1017, 505.1], [1012.2, 508.5], [1012.5, 500.5]]\nspeed = 1.2\n\
             journey = [{{ any = [[1001.5, 505], [1012, 501]], by = \"weights\", weights = [1, 1] }}]\n"
        );
        let seen = watch::watch(read(&text).unwrap_or_else(|problems| panic!("{problems}")));
        assert_eq!((seen.summary.arrived, seen.outside), (3, 0), "{name}");
        assert!(seen.wall_gap > -0.13 && seen.time < 60.0, "{name}: {} m, {} s", seen.wall_gap, seen.time);
        assert!(seen.turned_back < 0.02, "{name}: {} of the steps turn back", seen.turned_back);
        let allowed = if name == "helbing-2000" { -0.05 } else { -0.001 };
        assert!(seen.gap_after_ground >= allowed, "{name}: overlap of {} m", -seen.gap_after_ground);
    }
}

/// Who sees nobody is run over, takes all of the separation, and is never faster than they can be.
#[test]
fn who_overlaps_takes_all_of_the_separation() {
    let text = "[[population]]\nmodel = \"straight\"\nat = [[1008, 505.2]]\n";
    let seen = watch::watch(
        read(text)
            .map(|mut scenario| {
                scenario.run.until = 12.0;
                scenario
            })
            .unwrap_or_else(|problems| panic!("{problems}")),
    );
    // 1.1 m/s is slower than they can be pushed, 1.34 x 1.3.
    assert!(seen.gap_after_ground > -0.002, "overlap of {} m", -seen.gap_after_ground);
    assert!(seen.summary.contacts >= 1 && seen.speed_share <= 1.001, "{} {}", seen.summary.contacts, seen.speed_share);
}

#[test]
fn the_same_bytes_on_any_threads() {
    let digest = |threads: usize, reversed: bool| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let text = "[[population]]\ncount = 40\narea = [[1001, 501], [1019, 501], [1019, 509], [1001, 509]]\n\
                        journey = [[1019, 505], [1001, 505]]\nrepeat = true\n";
            let mut simulation = simulation(text);
            if reversed {
                simulation.sort_rows(false);
                simulation.reverse_rows();
            }
            while simulation.time() < 11.0 {
                simulation.step();
            }
            simulation.digest()
        })
    };
    let one = digest(1, false);
    assert_eq!((one, one), (digest(8, false), digest(2, true)));
}

#[test]
fn people_recorded_elsewhere_are_a_problem() {
    let text = HALL.replace("1000", "3000").replace("1020", "3020");
    let scenario = Scenario::parse(&text, &people(), "hall.toml").unwrap_or_else(|problems| panic!("{problems}"));
    let problems = Simulation::new(scenario).expect_err("nobody is on the floor").to_string();
    assert!(problems.contains("hall.toml:7") && problems.contains("ever on the floor"), "{problems}");
}

/// With bodies they are where they were recorded all the same, on feet that do not slide: the root stays within 9 mm of its person.
#[test]
fn they_walk_on_feet() {
    let text = HALL.replace("play = \"people.txt\"", "play = \"people.txt\"\nbody = \"mediated\"");
    let scenario = Scenario::parse(&text, &people(), "feet.toml").unwrap_or_else(|problems| panic!("{problems}"));
    let mut simulation = Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"));
    for frame in 0..=200 {
        let shown = simulation.frame();
        for i in 0..shown.id.len() {
            let [x, y] = if shown.id[i] == 0 { first(frame) } else { [1012.345678, 503.3] };
            assert!(
                (shown.x[i] - x).abs() < 2e-6 && (shown.y[i] - y).abs() < 2e-6,
                "frame {frame}: {} {}",
                shown.x[i],
                shown.y[i]
            );
            let root = shown.bodies[i].root;
            assert!(
                passerby::geometry::Vec2::new(root[0], root[1]).length() < 0.0091,
                "frame {frame}: the root is at {root:?} from its person"
            );
        }
        simulation.step();
    }
    let bodies = simulation.summary().bodies.expect("they have bodies");
    println!("{bodies:?}");
    assert!(bodies.stances > 15, "{} stances", bodies.stances);
    assert!(bodies.slide[0] < 5.0 && bodies.slide[1] < 20.0, "before the lock");
    assert!(bodies.slide_locked[0] < 1.0 && bodies.slide_locked[1] < 5.0, "after the lock");
    assert!(bodies.skating_ratio < 0.01, "skating");
}
