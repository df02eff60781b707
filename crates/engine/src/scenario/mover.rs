//! `[[mover]]`: what moves along a path in time and does not give way, such as a bus.

use super::Mover;
use super::place::at_most;
use super::run::AT;
use super::shape::{COORDINATE, polygon};
use super::sheet::{Keys, Table};
use super::value::Value;

pub(super) const MOVER: Keys = Keys {
    name: "mover",
    title: "[[mover]]",
    known: &["name", "polygon", "path", "repeat", "turn"],
    later: &["level"],
};

const MOVERS_MAX: usize = 1000;
const CORNERS_MAX: usize = 100;
const POINTS_MAX: usize = 100_000;
const PATH: &str = "a path [[seconds, x, y], [seconds, x, y], ...]";

/// Reads all movers.
pub(super) fn movers(root: &Table<'_>) -> Vec<Mover> {
    let mut movers: Vec<Mover> = Vec::new();
    for table in at_most(MOVERS_MAX, "movers", root.tables("mover", &MOVER)) {
        let value = table.require("name", "name = \"bus\"");
        let name = value.as_ref().and_then(|value| value.name());
        if let (Some(value), Some(name)) = (value, name)
            && movers.iter().any(|other| other.name == name)
        {
            table.report(value.problem("there is another mover of this name").hint("choose another name"));
        }
        let ring =
            table.require("polygon", "polygon = [[-5, -1.2], [5, -1.2], [5, 1.2], [-5, 1.2]], round its own origin");
        let ring = ring.and_then(|ring| corners(&ring));
        let path = table.require("path", "path = [[0, -10, 4], [15, 40, 4]], each with seconds, x and y");
        let path = path.and_then(|path| read_path(&path));
        let (repeat, turn) = (table.flag_or("repeat", false), table.flag_or("turn", false));
        movers.push(Mover {
            name: name.unwrap_or_default().to_owned(),
            polygon: ring.unwrap_or_default(),
            path: path.unwrap_or_default(),
            repeat,
            turn,
        });
    }
    movers
}

fn corners(value: &Value<'_>) -> Option<Vec<[f64; 2]>> {
    let shape = polygon(value)?;
    if shape.points().len() > CORNERS_MAX {
        let problem = value.problem(format!("{} corners are too many", shape.points().len()));
        value.sheet.report(problem.allowed(format!("at most {CORNERS_MAX}")));
        return None;
    }
    Some(shape.points().iter().map(|corner| corner.to_array()).collect())
}

fn read_path(value: &Value<'_>) -> Option<Vec<[f64; 3]>> {
    let items = value.list(PATH)?;
    if !(2..=POINTS_MAX).contains(&items.len()) {
        let problem = value.problem(format!("a path of {} points", items.len()));
        value.sheet.report(problem.allowed(format!("2 to {POINTS_MAX} points")));
        return None;
    }
    let read: Vec<Option<[f64; 3]>> = items.iter().map(point).collect();
    let path: Vec<[f64; 3]> = read.into_iter().collect::<Option<_>>()?;
    if let Some(i) = path.windows(2).position(|pair| pair[1][0] <= pair[0][0]) {
        let problem = items[i + 1].problem(format!("not later than the point before it, at {} s", path[i][0]));
        value.sheet.report(problem.hint("list the points in order of time"));
        return None;
    }
    Some(path)
}

fn point(value: &Value<'_>) -> Option<[f64; 3]> {
    let items = value.list("a point [seconds, x, y]")?;
    let [seconds, x, y] = &items[..] else {
        let what = format!("expected a point [seconds, x, y], found a list of {}", items.len());
        value.sheet.report(value.problem(what));
        return None;
    };
    // All three, so that all are reported.
    let (seconds, x, y) = (seconds.number(&AT), x.number(&COORDINATE), y.number(&COORDINATE));
    Some([seconds?, x?, y?])
}
