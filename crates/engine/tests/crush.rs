//! Eight to the square metre, many at their goal already: nobody loses their head. What people choose who are on top of each other is in
//! `nothing_makes_them_lose_their_heads`.

mod watch;

use passerby::Scenario;
use passerby::scenario::NoFiles;
use passerby::steering::Model;
use watch::watch;

/// 0.3535 m from each other are 8 to the square metre. Half of them want out by a door of 1 m, half to one point among them. Nobody is faster or turns faster than people
/// or leaves the floor, which who walks nowhere in numbers would.
#[test]
fn eight_to_the_square_metre() {
    for name in ["tangent", "vision"] {
        let model = Model::named(name).expect("a model");
        let grid = |x: f64| {
            format!("grid = {{ origin = [{x}, 0.3], columns = 8, rows = 16, spacing = 0.3535 }}\nradius = 0.17\n")
        };
        let text = format!(
            "[place]\nfloor = [[0, 0], [6, 0], [6, 2.5], [8, 2.5], [8, 3.5], [6, 3.5], [6, 6], [0, 6]]\n\
             regions = [{{ name = \"out\", polygon = [[7, 2.5], [8, 2.5], [8, 3.5], [7, 3.5]] }}]\n\
             [[population]]\n{}journey = [\"out\"]\n[[population]]\n{}journey = [[1.5, 3]]\nstay = true\n[run]\nuntil = 15\n",
            grid(3.13),
            grid(0.3)
        );
        let mut scenario =
            Scenario::parse(&text, &NoFiles, "crush.toml").unwrap_or_else(|problems| panic!("{problems}"));
        scenario.populations.iter_mut().for_each(|population| population.model = model);
        let (run, what) = (watch(scenario), model.name());
        println!("{what}: {} got out, headings turn {:.2} rad/s", run.summary.arrived, run.heading_turn);
        assert_eq!(run.outside, 0, "{what}");
        assert!(run.speed_share < 1.0001, "{what}: {} times the fastest speed", run.speed_share);
        assert!(run.heading_turn < 2.9 * 1.001, "{what}: a heading turned by {} rad/s", run.heading_turn);
    }
}
