//! Lines, areas, strips, lengths and times as they are named on a command line, and shapes of scenarios that lie off the floor.

use crate::failure::Failure;
use passerby::geometry::{DVec2, Polygon};
use passerby::record::{MeasureShape, NamedLine, NamedMeasure, NamedPolygon};
use passerby::{Scenario, place_shape};
use passerby_measure::{Floor, Passing, astray};

/// What importers take, m.
const COORDINATE_MAX: f64 = 1e9;
/// Widths of strips, and how far cells reach, m.
const METRES: [f64; 2] = [0.01, 1e4];

/// A line and how wide the strip to its left is.
#[derive(Debug, Clone)]
pub struct Strip(pub NamedLine, pub f64);

/// How far cells reach; `None`: to the walls.
#[derive(Debug, Clone, Copy)]
pub struct Reach(pub Option<f64>);

/// A speed above which somebody has jumped, m/s; infinite if nobody ever has.
#[derive(Debug, Clone, Copy)]
pub struct JumpSpeed(pub f64);

/// `[NAME=]X1,Y1,X2,Y2`; without a name it is empty.
pub fn line(text: &str) -> Result<NamedLine, String> {
    let (name, numbers) = split(text)?;
    match numbers[..] {
        [x1, y1, x2, y2] if [x1, y1] != [x2, y2] => Ok(NamedLine { name: name.to_owned(), line: [[x1, y1], [x2, y2]] }),
        _ => Err("allowed: the two different ends of a line in metres, such as 10,4.4,10,5.6 or gate=10,4.4,10,5.6"
            .to_owned()),
    }
}

/// `[NAME=]X,Y,X,Y,X,Y,...`; without a name it is empty.
pub fn area(text: &str) -> Result<NamedPolygon, String> {
    let (name, numbers) = split(text)?;
    if numbers.len() < 6 || numbers.len() % 2 == 1 {
        return Err("allowed: at least three corners X,Y,X,Y,X,Y, such as 0,0,4,0,4,2,0,2".to_owned());
    }
    let polygon: Vec<[f64; 2]> = numbers.chunks_exact(2).map(|pair| [pair[0], pair[1]]).collect();
    Polygon::new(polygon.iter().map(|p| DVec2::from(*p)).collect()).map_err(|error| error.to_string())?;
    Ok(NamedPolygon { name: name.to_owned(), polygon })
}

/// `[NAME=]X1,Y1,X2,Y2,WIDTH`.
pub fn strip(text: &str) -> Result<Strip, String> {
    let (_, numbers) = split(text)?;
    let [.., width] = numbers[..] else { return Err("a strip is a line and a width".to_owned()) };
    if numbers.len() != 5 {
        return Err(format!(
            "{} numbers are no strip; allowed: a line and a width, X1,Y1,X2,Y2,WIDTH, such as 10,4,10,6,2",
            numbers.len()
        ));
    }
    if !within(width, METRES) {
        return Err(format!("allowed: a width above 0, from {} to {} m, such as 10,4,10,6,2", METRES[0], METRES[1]));
    }
    let line = line(text.rsplit_once(',').map_or(text, |(line, _)| line))?;
    Ok(Strip(line, width))
}

/// The name, empty if there is none, and coordinates with commas between them.
fn split(text: &str) -> Result<(&str, Vec<f64>), String> {
    let (name, numbers) = text.rsplit_once('=').unwrap_or(("", text));
    let one = |text: &str| {
        let number = text.trim().parse().ok().filter(|number| within(*number, [-COORDINATE_MAX, COORDINATE_MAX]));
        number.ok_or_else(|| {
            format!("`{text}` is no coordinate; allowed: numbers from -{COORDINATE_MAX} to {COORDINATE_MAX} m, such as 10.5,-4")
        })
    };
    Ok((name, numbers.split(',').map(one).collect::<Result<_, _>>()?))
}

fn within(value: f64, [low, high]: [f64; 2]) -> bool {
    (low..=high).contains(&value)
}

fn number(text: &str, range: [f64; 2], allowed: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| within(*number, range));
    number.ok_or_else(|| format!("allowed: {allowed}"))
}

/// Seconds to each side that speeds are taken over. Frames of four times as long are held.
pub fn step(text: &str) -> Result<f64, String> {
    number(text, [1e-6, 10.0], "seconds above 0 and up to 10, such as 0.2")
}

/// Seconds between things that are looked at now and then.
pub fn interval(text: &str) -> Result<f64, String> {
    number(text, [1e-6, 1e4], "seconds above 0 and up to 10000, such as 0.4")
}

/// A moment of a recording, s.
pub fn moment(text: &str) -> Result<f64, String> {
    number(
        text,
        [-1e9, 1e9],
        "seconds from -1000000000 to 1000000000, such as 12.5; leave it out for all of the recording",
    )
}

/// One moment.
pub fn instant(text: &str) -> Result<f64, String> {
    number(text, [-1e9, 1e9], "seconds from -1000000000 to 1000000000, such as 12.5")
}

/// How far cells reach.
pub fn cut_off(text: &str) -> Result<Reach, String> {
    if text == "none" {
        return Ok(Reach(None));
    }
    let [low, high] = METRES;
    number(text, METRES, &format!("metres from {low} to {high}, such as 0.8, or none"))
        .map(|metres| Reach(Some(metres)))
}

/// From when on somebody has jumped.
pub fn jump_speed(text: &str) -> Result<JumpSpeed, String> {
    if text == "none" {
        return Ok(JumpSpeed(f64::INFINITY));
    }
    number(text, [0.1, 1e4], "m/s from 0.1 to 10000, such as 5, or none").map(JumpSpeed)
}

/// What a scenario measures where nobody can be.
pub fn off_floor(scenario: &Scenario) -> Vec<String> {
    if scenario.measures.is_empty() {
        return Vec::new();
    }
    let Ok(Some(floor)) = Floor::new(&place_shape(&scenario.place)) else { return Vec::new() };
    let look = |NamedMeasure { name, shape }: &NamedMeasure| match shape {
        MeasureShape::Area(polygon) => astray("area", name, polygon, Some(&floor), None),
        MeasureShape::Line(line) => astray("line", name, line, Some(&floor), None),
        MeasureShape::Strip { line, width } => {
            let line = NamedLine { name: name.clone(), line: *line };
            let strip = Passing::new(&line, *width, 1, scenario.run.tick).ok()?;
            astray("strip", name, &strip.corners(), Some(&floor), None)
        }
    };
    scenario.measures.iter().filter_map(look).map(|astray| astray.to_string()).collect()
}

/// Numbers those that have no name; two of one name are refused.
pub fn name_all<'a>(kind: &str, names: impl Iterator<Item = &'a mut String>) -> Result<(), Failure> {
    let mut known: Vec<&str> = Vec::new();
    for (n, name) in names.enumerate() {
        if name.is_empty() {
            *name = format!("{kind} {}", n + 1);
        }
        if known.contains(&name.as_str()) {
            return Err(Failure::input(format!(
                "--{kind} {name}=...: there are two of this name\n    hint: give each a name of its own, --{kind} NAME=..."
            )));
        }
        known.push(name);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read() {
        let gate = line("north gate=10, -4.5,10,5.6").unwrap();
        assert_eq!((&*gate.name, gate.line), ("north gate", [[10.0, -4.5], [10.0, 5.6]]));
        assert_eq!(line("-1,0,1,0").unwrap().line, [[-1.0, 0.0], [1.0, 0.0]]);
        for wrong in ["", "1,2,3", "1,2,3,4,5", "1,2,3,x", "1,2,1,2", "nan,0,1,1", "1,2,,3,4", "1e300,0,1,1"] {
            assert!(line(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn what_is_out_of_range_says_the_range() {
        let check = |found: Option<String>, words: &str| {
            assert!(found.as_ref().is_some_and(|error| error.contains(words)), "{found:?}, expected {words}");
        };
        check(line("0,0,1e12,0").err(), "`1e12` is no coordinate; allowed: numbers from -1000000000 to 1000000000 m");
        check(area("0,0,nan,0,1,1").err(), "`nan` is no coordinate");
        check(strip("0,0,1,0").err(), "4 numbers are no strip; allowed: a line and a width, X1,Y1,X2,Y2,WIDTH");
        check(strip("0,0,1,0,1e5").err(), "from 0.01 to 10000 m");
        check(strip("0,0,0,0,1").err(), "two different ends");
        check(step("1e9").err(), "up to 10,");
        check(interval("0").err(), "above 0 and up to 10000");
        check(cut_off("1e9").err(), "from 0.01 to 10000, such as 0.8, or none");
        check(moment("inf").err(), "leave it out for all");
        check(jump_speed("0").err(), "or none");
        let strip = strip("a=0,0,1,0,2").unwrap();
        assert_eq!((&*strip.0.name, strip.0.line, strip.1), ("a", [[0.0, 0.0], [1.0, 0.0]], 2.0));
        let mut names = ["", "line 1"].map(str::to_owned);
        assert!(name_all("line", names.iter_mut()).is_err());
        let mut names = ["", "gate", ""].map(str::to_owned);
        assert!(name_all("line", names.iter_mut()).is_ok() && names[2] == "line 3");
    }
}
