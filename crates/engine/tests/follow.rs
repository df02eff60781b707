//! People who follow people, with the model that can: `follow` of a population.

use passerby::scenario::NoFiles;
use passerby::{Scenario, Simulation};

fn simulation(text: &str) -> Simulation {
    let scenario = Scenario::parse(text, &NoFiles, "scene.toml").unwrap_or_else(|problems| panic!("{problems}"));
    Simulation::new(scenario).unwrap_or_else(|problems| panic!("{problems}"))
}

/// Where somebody is, and how they move; local coordinates.
fn person(simulation: &Simulation, population: u32, ordinal: u32) -> Option<[passerby::geometry::Vec2; 2]> {
    let row = simulation.ids().iter().position(|id| id.population() == population && id.ordinal() == ordinal)?;
    Some([simulation.positions()[row], simulation.velocities()[row]])
}

const HALL: &str = "[place]\nfloor = [[0, 0], [80, 0], [80, 20], [0, 20]]\n\
    regions = [{ name = \"east\", polygon = [[78, 0], [80, 0], [80, 20], [78, 20]] }]\n";

/// Section 6 of the paper: the bearing rate goes to zero and the time to interaction is constant. Behind a leader at 1 m/s the follower, who knows no way of its own,
/// settles 1.2 m behind (`follow_gap`), as fast, and its bearing does not turn.
#[test]
fn a_follower_settles_behind_its_leader() {
    let text = format!(
        "{HALL}[[population]]\nname = \"guide\"\nat = [[5, 5]]\njourney = [\"east\"]\nspeed = 1\n\
         [[population]]\nat = [[1, 8]]\nfollow = \"guide\"\nmodel = \"vision\"\nspeed = 1.3\n[run]\nuntil = 70\n"
    );
    let mut simulation = simulation(&text);
    let mut looks = 0;
    while !simulation.finished() {
        simulation.step();
        let (Some([a, v]), Some([b, w])) = (person(&simulation, 0, 0), person(&simulation, 1, 0)) else { continue };
        if simulation.time() > 15.0 {
            let (apart, relative) = (a - b, v - w);
            let rate = apart.perp_dot(relative) / apart.length_squared();
            assert!((apart.length() - 1.2).abs() < 0.1, "{} m apart at {} s", apart.length(), simulation.time());
            assert!(rate.abs() < 0.1 && relative.length() < 0.1, "{rate} rad/s, {relative} m/s");
            looks += 1;
        }
    }
    // The guide is out after 73 m.
    assert!(looks > 900, "{looks}");
}

/// The first walks to the exit by itself and each other one behind the one before: a file that nobody leaves, among people who cross it.
#[test]
fn a_file_of_people_stays_a_file() {
    let text = format!(
        "{HALL}[[population]]\nname = \"class\"\nat = [[14, 10], [12.5, 10.3], [11, 9.8], [9.5, 10.2], [8, 10], [6.5, 9.7]]\n\
         follow = \"class\"\nmodel = \"vision\"\nspeed = 1.1\njourney = [\"east\"]\n\
         [[population]]\nname = \"others\"\ncount = 12\narea = [[25, 1], [60, 1], [60, 5], [25, 5]]\nmodel = \"vision\"\n\
         journey = [[45, 19]]\n[run]\nuntil = 120\n"
    );
    let mut simulation = simulation(&text);
    let (mut together, mut looks, mut order_kept) = (0, 0, true);
    while !simulation.finished() {
        simulation.step();
        let file: Option<Vec<_>> = (0..6).map(|k| person(&simulation, 0, k)).collect();
        if let (Some(file), true) = (file, simulation.time() > 8.0) {
            let gaps: Vec<f32> = file.windows(2).map(|two| two[0][0].distance(two[1][0])).collect();
            looks += 1;
            together += u32::from(gaps.iter().all(|gap| *gap < 3.0));
            order_kept &= file.windows(2).all(|two| two[0][0].x > two[1][0].x - 1.0);
        }
    }
    println!("all within 3 m of the one before in {together} of {looks} looks, over after {:.1} s", simulation.time());
    assert!(looks > 600 && together as f32 > 0.95 * looks as f32 && order_kept, "{together} of {looks}");
    assert_eq!(simulation.arrived(), 18);
}

/// Two guides and five followers: they are shared out in turn. When its guide has left, a follower goes its own way; without one, it stands.
#[test]
fn followers_are_shared_out_and_go_on_alone() {
    let text = |journey: &str| {
        format!(
            "{HALL}[[population]]\nname = \"guides\"\nat = [[10, 4], [10, 16]]\njourney = [[40, 4]]\nspeed = 1.2\n\
             [[population]]\ncount = 5\narea = [[2, 8], [8, 8], [8, 12], [2, 12]]\nfollow = \"guides\"\nmodel = \"vision\"\n\
             speed = 1.2\n{journey}[run]\nuntil = 120\n"
        )
    };
    let mut going = simulation(&text("journey = [\"east\"]\n"));
    while going.time() < 20.0 {
        going.step();
    }
    // Ordinals 0, 2, 4 behind the first guide, 1 and 3 behind the second, who comes down from the north.
    let guides = [0, 1].map(|k| person(&going, 0, k).expect("still there")[0]);
    for k in 0..5 {
        let [at, _] = person(&going, 1, k).expect("still there");
        let [own, other] = [k % 2, 1 - k % 2].map(|guide| at.distance(guides[guide as usize]));
        assert!(own < 5.0 && own < other, "follower {k}: {own} m from its guide, {other} m from the other");
    }
    while !going.finished() {
        going.step();
    }
    assert_eq!(going.arrived(), 7);
    let mut standing = simulation(&text(""));
    while standing.time() < 110.0 {
        standing.step();
    }
    assert_eq!((standing.arrived(), standing.ids().len()), (2, 5));
    assert!(standing.velocities().iter().all(|v| v.length() < 0.05), "{:?}", standing.velocities());
}

/// Same bits on any number of threads and rows in any order; and a run that is put away goes on as it was.
#[test]
fn followers_repeat_to_the_bit() {
    let text = format!(
        "{HALL}[[population]]\nname = \"class\"\ncount = 30\narea = [[1, 1], [10, 1], [10, 19], [1, 19]]\nfollow = \"class\"\n\
         model = {{ vision = {{ columns = 64, rows = 12 }} }}\njourney = [\"east\"]\n[run]\nuntil = 60\n"
    );
    let run = |threads: usize, prepare: fn(&mut Simulation)| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let mut simulation = simulation(&text);
            prepare(&mut simulation);
            while simulation.time() < 20.0 {
                simulation.step();
            }
            simulation.digest()
        })
    };
    let plain = run(1, |_| {});
    assert_eq!(plain, run(3, |_| {}));
    let backwards = |simulation: &mut Simulation| {
        simulation.sort_rows(false);
        simulation.reverse_rows();
    };
    assert_eq!(plain, run(2, backwards));
}
