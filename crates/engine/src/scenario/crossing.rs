//! Two streams that cross at any angle, written as a scenario.

use passerby_geometry::DVec2;
use passerby_geometry::math::double as math;
use std::fmt::Write;

/// Angles between the streams, degrees. Two ways through one corridor are 180, which is a scene of its own.
pub const CROSSING: [f64; 2] = [30.0, 150.0];

/// Half the width of both corridors, m.
const HALF: f64 = 2.5;
/// How long the corridors are beyond the crossing, m.
const ARM: f64 = 17.5;

/// A scenario called `name` in which two streams of 50 cross at an angle of so many degrees, which is to be within [`CROSSING`]. At 90 it is
/// `scenarios/crossing.toml`.
pub fn crossing(name: &str, degrees: f64) -> String {
    let (sin, cos) = math::sin_cos(degrees.to_radians());
    let (along, across) = (DVec2::new(cos, sin), DVec2::new(-sin, cos));
    // Where the side y = s HALF of one corridor meets the side t HALF of the other.
    let corner = |s: f64, t: f64| DVec2::new(HALF * (s * cos - t) / sin, s * HALF);
    let far = HALF * (1.0 + cos.abs()) / sin;
    let end = far + ARM;
    let there = |along: f64, left: f64| DVec2::new(along, left);
    let turned = |x: f64, y: f64| x * along + y * across;
    let floor = [
        there(end, -HALF),
        there(end, HALF),
        corner(1.0, -1.0),
        turned(end, -HALF),
        turned(end, HALF),
        corner(1.0, 1.0),
        there(-end, HALF),
        there(-end, -HALF),
        corner(-1.0, 1.0),
        turned(-end, HALF),
        turned(-end, -HALF),
        corner(-1.0, -1.0),
    ];
    let box_of = |from: f64, to: f64, half: f64| [[from, -half], [to, -half], [to, half], [from, half]];
    let start = box_of(-end + 0.5, -far - 2.5, HALF - 0.3);
    let goal = box_of(end - 1.0, end, HALF);
    let first = |corners: [[f64; 2]; 4]| polygon(&corners.map(|[x, y]| there(x, y)));
    let second = |corners: [[f64; 2]; 4]| polygon(&corners.map(|[x, y]| turned(x, y)));
    let quoted = toml::Value::from(name).to_string(); // with its quotes and whatever has to be escaped
    format!(
        "# Two streams cross at {degrees} degrees: where they meet, stripes of people form across the bisector of their ways.\n\
         name = {quoted}\n\n\
         [place]\n\
         # Two corridors, {} m wide and {:.1} m long.\n\
         floor = {}\n\
         regions = [\n    {{ name = \"end of the first\", polygon = {} }},\n    {{ name = \"end of the second\", polygon = {} }},\n]\n\n\
         [[population]]\nname = \"first\"\ncount = 50\narea = {}\njourney = [\"end of the first\"]\n\n\
         [[population]]\nname = \"second\"\ncount = 50\narea = {}\njourney = [\"end of the second\"]\n\n\
         [run]\nuntil = 240\n",
        2.0 * HALF,
        2.0 * end,
        polygon(&floor),
        first(goal),
        second(goal),
        first(start),
        second(start),
    )
}

/// Corners as a scenario writes them, to the millimetre.
fn polygon(corners: &[DVec2]) -> String {
    let mut text = String::from("[");
    for (i, corner) in corners.iter().enumerate() {
        let [x, y] = corner.to_array().map(|v| (1000.0 * v).round() / 1000.0 + 0.0); // no -0
        let comma = if i == 0 { "" } else { ", " };
        let _ = write!(text, "{comma}[{x}, {y}]");
    }
    text + "]"
}

#[cfg(test)]
mod tests {
    use super::super::{NoFiles, Scenario};
    use super::*;
    use passerby_navigation::Map;

    fn scene(degrees: f64) -> Scenario {
        Scenario::parse(&crossing("a \"b\"", degrees), &NoFiles, "x").unwrap_or_else(|problems| panic!("{problems}"))
    }

    /// Two strips of 5 m by twice the arm, less the rhombus that both have: 25 / sin.
    #[test]
    fn both_corridors_cross_at_the_angle() {
        for degrees in [30.0, 60.0, 90.0, 120.0, 150.0] {
            let scenario = scene(degrees);
            let (sin, cos) = math::sin_cos(degrees.to_radians());
            let end = 2.5 * (1.0 + cos.abs()) / sin + 17.5;
            let map = Map::build(&scenario.place).unwrap_or_else(|error| panic!("{degrees}: {error}"));
            let area = 20.0 * end - 25.0 / sin;
            assert!((map.free_area() - area).abs() < 0.1, "{degrees}: {} m2, expected {area}", map.free_area());
            assert_eq!(scenario.name, "a \"b\"");
        }
    }

    #[test]
    fn a_right_angle_is_the_scene_of_the_project() {
        let text = include_str!("../../../../scenarios/crossing.toml");
        let known = Scenario::parse(text, &NoFiles, "x").unwrap_or_else(|problems| panic!("{problems}"));
        let made = scene(90.0);
        let map = |scenario: &Scenario| Map::build(&scenario.place).expect("a map");
        assert_eq!(map(&made).free_area(), map(&known).free_area());
        let starts = |scenario: &Scenario| scenario.populations.iter().map(|p| p.start.clone()).collect::<Vec<_>>();
        assert_eq!(starts(&made).len(), 2);
        assert_eq!(starts(&made)[0], starts(&known)[0]);
    }
}
