//! Two streams that cross at any angle, written as a scenario.

use passerby_geometry::DVec2;
use passerby_geometry::math::double as math;
use std::fmt::Write;

/// Angles between the streams, degrees: above the first number, up to the second, where they meet head on.
pub const CROSSING: [f64; 2] = [0.0, 180.0];

/// Half the width of both corridors, m.
const HALF: f64 = 2.5;
/// How long the corridors are beyond the crossing, m.
const ARM: f64 = 17.5;
/// How long half of the crossing is at the most, m: what corridors share grows without end as their angle goes to 0 or 180 degrees. It is as
/// long at 10 degrees.
const FAR_MAX: f64 = 28.575;
/// Corridors that are less than twice this apart at their ends, m, are one.
const APART: f64 = 0.5;

/// A scenario called `name` in which two streams of 50 cross at an angle of so many degrees, which is to be within [`CROSSING`]. At 90 it is
/// `scenarios/crossing.toml`. Below some 7 degrees the corridors do not part within the place: both streams walk through one, merging; above 173
/// they meet in one.
pub fn crossing(name: &str, degrees: f64) -> String {
    let Shape { floor, end, far } = shape(degrees);
    let (sin, cos) = math::sin_cos(degrees.to_radians());
    let (along, across) = (DVec2::new(cos, sin), DVec2::new(-sin, cos));
    let box_of = |from: f64, to: f64, half: f64| [[from, -half], [to, -half], [to, half], [from, half]];
    let start = box_of(-end + 0.5, -far - 2.5, HALF - 0.3);
    let goal = box_of(end - 1.0, end, HALF);
    let first = |corners: [[f64; 2]; 4]| polygon(&corners.map(DVec2::from));
    let second = |corners: [[f64; 2]; 4]| polygon(&corners.map(|[x, y]| x * along + y * across));
    let quoted = toml::Value::from(name).to_string(); // with its quotes and whatever has to be escaped
    let seen = if degrees == CROSSING[1] {
        "Two streams meet head on: lanes of people form along their ways".to_owned()
    } else {
        format!(
            "Two streams cross at {degrees} degrees: where they meet, stripes of people form across the bisector of their ways"
        )
    };
    let place = if floor.len() == 12 { "Two corridors" } else { "Two corridors that are one, each" };
    format!(
        "# {seen}.\n\
         name = {quoted}\n\n\
         [place]\n\
         # {place} {} m wide and {:.1} m long.\n\
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

/// The floor of a crossing.
struct Shape {
    floor: Vec<DVec2>,
    /// How far both corridors reach from the middle, m.
    end: f64,
    /// How far from the middle the crossing reaches along both, m, or as much of it as there is.
    far: f64,
}

/// The corridor along the x axis, and one at an angle to it.
fn shape(degrees: f64) -> Shape {
    // As lines, ways that meet at an obtuse angle are ways at an acute one, seen in a mirror. Half of that angle:
    let tan = match math::sin_cos(0.5 * degrees.to_radians()) {
        (sin, cos) if sin <= cos => sin / cos,
        (sin, cos) => cos / sin,
    };
    let far = if HALF < FAR_MAX * tan { HALF / tan } else { FAR_MAX };
    let end = far + ARM;
    let floor = if end * tan >= HALF + APART { parted(degrees, end) } else { merged(degrees, tan, end) };
    Shape { floor, end, far }
}

/// Both corridors whole, with four corners where they meet.
fn parted(degrees: f64, end: f64) -> Vec<DVec2> {
    let (sin, cos) = math::sin_cos(degrees.to_radians());
    let (along, across) = (DVec2::new(cos, sin), DVec2::new(-sin, cos));
    // Where the side y = s HALF of one corridor meets the side t HALF of the other.
    let corner = |s: f64, t: f64| DVec2::new(HALF * (s * cos - t) / sin, s * HALF);
    let there = |along: f64, left: f64| DVec2::new(along, left);
    let turned = |x: f64, y: f64| x * along + y * across;
    vec![
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
    ]
}

/// Both corridors and what little lies between their ends: a strip that is a little wider there, cut across the line half way between both.
fn merged(degrees: f64, tan: f64, end: f64) -> Vec<DVec2> {
    // To where the sides are cut so that the corners of both ends are inside.
    let cut = end + 2.0 * HALF * tan;
    let (cos, sin) = ((1.0 - tan * tan) / (1.0 + tan * tan), 2.0 * tan / (1.0 + tan * tan));
    let mirrored = if degrees > 90.0 { -1.0 } else { 1.0 };
    let turned = |x: f64, y: f64| DVec2::new(x * cos - y * sin, x * sin + y * cos);
    let half = [DVec2::new(cut, -HALF), turned(cut, HALF), DVec2::new(-HALF * tan, HALF)];
    let mut floor: Vec<DVec2> = half.into_iter().chain(half.map(|corner| -corner)).collect();
    if cut * tan < 0.001 {
        floor.retain(|corner| corner.x.abs() > 1.0); // the middle of a straight side is no corner
    }
    floor.iter_mut().for_each(|corner| corner.y *= mirrored);
    floor
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
    use crate::Simulation;
    use passerby_navigation::Map;
    use passerby_steering::Model;

    fn scene(degrees: f64) -> Scenario {
        Scenario::parse(&crossing("a \"b\"", degrees), &NoFiles, "x").unwrap_or_else(|problems| panic!("{problems}"))
    }

    #[track_caller]
    fn check_area(degrees: f64, area: f64) {
        let scenario = scene(degrees);
        let map = Map::build(&scenario.place).unwrap_or_else(|error| panic!("{degrees}: {error}"));
        assert!((map.free_area() - area).abs() < 0.2, "{degrees}: {} m2, expected {area}", map.free_area());
        assert_eq!(scenario.name, "a \"b\"");
    }

    /// Two strips of 5 m by twice the arm, less the rhombus that both have: 25 / sin.
    #[test]
    fn both_corridors_cross_at_the_angle() {
        for degrees in [8.0, 10.0, 20.0, 30.0, 60.0, 90.0, 120.0, 150.0, 165.0, 172.0] {
            let (sin, cos) = math::sin_cos(f64::to_radians(degrees));
            let end = f64::min(2.5 * (1.0 + cos.abs()) / sin, 28.575) + 17.5;
            check_area(degrees, 20.0 * end - 25.0 / sin);
        }
    }

    /// Seen along the line half way between both, the sides are 2.5 m / cos from it in the middle and rise with tan of half the angle, out to where the
    /// corners of both ends are: at 46.075 cos + 2.5 sin.
    #[test]
    fn corridors_that_hardly_part_are_one() {
        for degrees in [1e-6, 0.01, 1.0, 5.0, 7.0] {
            let (sin, cos) = math::sin_cos(f64::to_radians(0.5 * degrees));
            let reach = 46.075 * cos + 2.5 * sin;
            let area = 4.0 * reach * (2.5 / cos + 0.5 * reach * sin / cos);
            check_area(degrees, area);
            check_area(180.0 - degrees, area);
        }
        check_area(180.0, 4.0 * 46.075 * 2.5);
    }

    /// People start and arrive on the floor, and the second stream goes where the angle says.
    #[test]
    fn everybody_fits_and_can_get_through_at_every_angle() {
        for degrees in (1..=36).map(|n| 5.0 * f64::from(n)).chain([1e-6, 0.5, 7.4, 7.5, 172.5, 172.6, 179.5]) {
            let mut scenario = scene(degrees);
            scenario.populations.iter_mut().for_each(|population| population.model = Model::Straight);
            let mut simulation = Simulation::new(scenario).unwrap_or_else(|problems| panic!("{degrees}: {problems}"));
            simulation.step();
            let mean = |population: u32| {
                let rows = simulation.ids().iter().zip(simulation.velocities());
                rows.filter(|(id, _)| id.population() == population).map(|(_, v)| v.as_dvec2()).sum::<DVec2>()
            };
            let turn = math::atan2(mean(0).perp_dot(mean(1)), mean(0).dot(mean(1))).to_degrees();
            let off = (turn - degrees + 180.0).rem_euclid(360.0) - 180.0;
            assert!(off.abs() < 8.0, "{degrees}: {turn}");
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
