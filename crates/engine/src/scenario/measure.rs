//! `[[measure]]`: named lines and areas that every run reports on.

use passerby_record::{MeasureShape, NamedMeasure};

use super::place::at_most;
use super::shape::{line, polygon};
use super::sheet::{Keys, Table};
use super::value::Range;

pub(super) const MEASURE: Keys =
    Keys { name: "measure", title: "[[measure]]", known: &["name", "line", "area", "width"], later: &["level"] };

const MEASURES_MAX: usize = 1000;
const WIDTH: Range = Range::new(0.01, 1e4, " m");

/// Reads all measures.
pub(super) fn measures(root: &Table<'_>) -> Vec<NamedMeasure> {
    let mut measures: Vec<NamedMeasure> = Vec::new();
    for table in at_most(MEASURES_MAX, "measures", root.tables("measure", &MEASURE)) {
        let value = table.require("name", "name = \"gate\"");
        let name = value.as_ref().and_then(|value| value.name());
        if let (Some(value), Some(name)) = (value, name)
            && measures.iter().any(|other| other.name == name)
        {
            table.report(value.problem("there is another measure of this name").hint("choose another name"));
        }
        if let (Some(name), Some(shape)) = (name, shape(&table)) {
            measures.push(NamedMeasure { name: name.to_owned(), shape });
        }
    }
    measures
}

fn shape(table: &Table<'_>) -> Option<MeasureShape> {
    let hint = "line = [[10, 4], [10, 6]], or area = [[2, 2], [4, 2], [4, 4], [2, 4]]";
    let key = table.exactly_one(&["line", "area"], hint)?;
    let value = table.get(key)?;
    if key == "area" {
        if let Some(width) = table.get("width") {
            table.report(width.problem("goes with `line`").hint("leave it out"));
        }
        return Some(MeasureShape::Area(polygon(&value)?.points().iter().map(|corner| corner.to_array()).collect()));
    }
    let line = line(&value)?.map(|end| end.to_array());
    Some(match table.get("width") {
        Some(width) => MeasureShape::Strip { line, width: width.number(&WIDTH)? },
        None => MeasureShape::Line(line),
    })
}
