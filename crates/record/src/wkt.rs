//! The shape of a place as well-known text: polygons with holes, and collections of them.

use crate::PlaceShape;
use crate::import_error::shortened;

/// How deep collections may lie in one another.
const DEPTH_MAX: u32 = 8;

/// The polygons of a text as walkable areas; `Err` says what is wrong with it.
pub(crate) fn read(text: &str) -> Result<PlaceShape, String> {
    let mut place = PlaceShape::default();
    let mut rest = text;
    geometry(&mut rest, &mut place, 0)?;
    match rest.trim_matches(['\0', ' ', '\n', '\r', '\t']) {
        "" => Ok(place),
        more => Err(format!("more than one geometry: `{}`", shortened(more))),
    }
}

fn geometry(rest: &mut &str, place: &mut PlaceShape, depth: u32) -> Result<(), String> {
    let word_end = rest.trim_start().find(|c: char| !c.is_alphabetic()).unwrap_or(0);
    let (word, after) = rest.trim_start().split_at(word_end);
    *rest = after;
    if depth > DEPTH_MAX {
        return Err(format!("collections more than {DEPTH_MAX} deep"));
    }
    if let Some(after) = rest.trim_start().strip_prefix("EMPTY") {
        *rest = after;
        return Ok(());
    }
    match word.to_ascii_uppercase().as_str() {
        "POLYGON" => {
            let area = polygon(rest)?;
            place.areas.push(area);
            Ok(())
        }
        "MULTIPOLYGON" => list(rest, &mut |rest| polygon(rest).map(|area| place.areas.push(area))),
        "GEOMETRYCOLLECTION" => list(rest, &mut |rest| geometry(rest, place, depth + 1)),
        _ => Err(format!("`{}` is no POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION", shortened(word))),
    }
}

fn polygon(rest: &mut &str) -> Result<Vec<Vec<[f64; 2]>>, String> {
    let mut rings = Vec::new();
    list(rest, &mut |rest| {
        let mut ring = Vec::new();
        list(rest, &mut |rest| {
            let end = rest.find([',', ')', '(']).unwrap_or(rest.len());
            let (point, after) = rest.split_at(end);
            *rest = after;
            let numbers: Vec<f64> = point.split_whitespace().map_while(|word| word.parse().ok()).collect();
            match numbers[..] {
                [x, y] if x.is_finite() && y.is_finite() => {
                    ring.push([x, y]);
                    Ok(())
                }
                _ => Err(format!("`{}` is no point; allowed: two finite numbers", shortened(point.trim()))),
            }
        })?;
        // The last point repeats the first one.
        if ring.len() > 1 && ring.first() == ring.last() {
            ring.pop();
        }
        if ring.len() < 3 {
            return Err(format!("a ring of {} points; allowed: 3 or more", ring.len()));
        }
        rings.push(ring);
        Ok(())
    })?;
    Ok(rings)
}

/// `( item, item )`.
fn list(rest: &mut &str, item: &mut dyn FnMut(&mut &str) -> Result<(), String>) -> Result<(), String> {
    let found = |rest: &str| format!("expected brackets and commas, found `{}`", shortened(rest));
    *rest = rest.trim_start().strip_prefix('(').ok_or_else(|| found(rest))?;
    loop {
        item(rest)?;
        let after = rest.trim_start();
        if let Some(after) = after.strip_prefix(')') {
            *rest = after;
            return Ok(());
        }
        *rest = after.strip_prefix(',').ok_or_else(|| found(after))?;
    }
}

/// Areas as one text.
pub(crate) fn write(areas: &[Vec<Vec<[f64; 2]>>]) -> String {
    let polygon = |area: &Vec<Vec<[f64; 2]>>| {
        let rings: Vec<String> = area.iter().map(|ring| write_ring(ring)).collect();
        format!("POLYGON ({})", rings.join(", "))
    };
    let polygons: Vec<String> = areas.iter().map(polygon).collect();
    match &polygons[..] {
        [one] => one.clone(),
        [] => "GEOMETRYCOLLECTION EMPTY".to_owned(),
        many => format!("GEOMETRYCOLLECTION ({})", many.join(", ")),
    }
}

fn write_ring(ring: &[[f64; 2]]) -> String {
    let points: Vec<String> = ring.iter().chain(ring.first()).map(|[x, y]| format!("{x:?} {y:?}")).collect();
    format!("({})", points.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn areas_come_back() {
        let square = |a: f64, b: f64| vec![[a, a], [b, a], [b, b], [a, b]];
        for areas in [
            vec![],
            vec![vec![square(0.0, 9.0), square(1.0, 2.5)]],
            vec![vec![square(0.0, 1.0)], vec![square(3.0, 4.0)]],
        ] {
            assert_eq!(read(&write(&areas)).expect("a place").areas, areas);
        }
        let multi = read("multipolygon(((0 0,1 0,1 1,0 0)),((5 5, 6 5, 6 6)))").expect("a place");
        assert_eq!(multi.areas.len(), 2);
    }

    #[test]
    fn what_is_no_place_is_refused() {
        for (text, words) in [
            ("", "is no POLYGON"),
            ("POINT (1 2)", "`POINT` is no POLYGON"),
            ("POLYGON ((0 0, 1 0, x 1))", "`x 1` is no point"),
            ("POLYGON ((0 0, 1 0, 1 NaN))", "`1 NaN` is no point"),
            ("POLYGON ((0 0, 1 0))", "ring of 2 points"),
            ("POLYGON ((0 0, 1 0, 1 1)", "brackets"),
            ("POLYGON ((0 0, 1 0, 1 1)) x", "more than one"),
            (&"GEOMETRYCOLLECTION (".repeat(100_000), "deep"),
        ] {
            let error = read(text).expect_err(words);
            assert!(error.contains(words), "{error}");
        }
    }
}
