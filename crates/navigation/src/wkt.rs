//! Floor plans as well-known text: POLYGON, MULTIPOLYGON and GEOMETRYCOLLECTION of these.

use passerby_geometry::{Area, DVec2, Polygon, PolygonError};

/// Longest text that is read, bytes.
pub const TEXT_MAX: usize = 64 << 20;

/// Deepest nesting of collections.
pub const DEPTH_MAX: usize = 16;

/// What is wrong, and where. Lines and columns count from 1, columns in characters.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum WktError {
    /// The text is not what it should be.
    #[error("line {line}, column {column}: expected {expected}, found {found}")]
    Unexpected {
        /// Line.
        line: usize,
        /// Column.
        column: usize,
        /// What would have been right.
        expected: &'static str,
        /// What is there.
        found: String,
    },
    /// A polygon is no polygon.
    #[error("line {line}, column {column}: {error}")]
    Polygon {
        /// Line of its first character.
        line: usize,
        /// Column of its first character.
        column: usize,
        /// Why.
        error: PolygonError,
    },
    /// Collections within collections.
    #[error("line {line}, column {column}: collections are nested deeper than {DEPTH_MAX}")]
    TooDeep {
        /// Line.
        line: usize,
        /// Column.
        column: usize,
    },
    /// The text is longer than [`TEXT_MAX`].
    #[error("the text has {bytes} bytes, at most {TEXT_MAX} are read")]
    TooLong {
        /// Its length.
        bytes: usize,
    },
}

/// A ring as it is written, and the byte at which it begins.
pub(crate) type RawRing = (usize, Vec<DVec2>);

/// Reads all polygons of a text, in order. Coordinates beyond x and y are ignored.
pub fn read(text: &str) -> Result<Vec<Area>, WktError> {
    let mut areas = Vec::new();
    for (start, rings) in read_rings(text, usize::MAX)? {
        let failed = |at: usize, error: PolygonError| {
            let (line, column) = place(text, at);
            WktError::Polygon { line, column, error }
        };
        let mut polygons = Vec::with_capacity(rings.len());
        for (at, points) in rings {
            polygons.push(Polygon::new(points).map_err(|error| failed(at, error))?);
        }
        let mut polygons = polygons.into_iter();
        if let Some(outer) = polygons.next() {
            areas.push(Area::new(outer, polygons.collect()).map_err(|error| failed(start, error))?);
        }
    }
    Ok(areas)
}

/// The rings of all polygons, whatever they look like, and the byte at which each polygon begins.
pub(crate) fn read_rings(text: &str, points_max: usize) -> Result<Vec<(usize, Vec<RawRing>)>, WktError> {
    if text.len() > TEXT_MAX {
        return Err(WktError::TooLong { bytes: text.len() });
    }
    let mut reader = Reader { text, at: 0, points_left: points_max };
    let mut polygons = Vec::new();
    reader.geometry(&mut polygons, 0)?;
    reader.skip_space();
    if reader.at < text.len() {
        return Err(reader.unexpected("the end of the text"));
    }
    Ok(polygons)
}

/// Line and column of a byte.
pub(crate) fn place(text: &str, at: usize) -> (usize, usize) {
    let before = &text[..at];
    let line_start = before.rfind('\n').map_or(0, |i| i + 1);
    (before.matches('\n').count() + 1, before[line_start..].chars().count() + 1)
}

struct Reader<'a> {
    text: &'a str,
    at: usize,
    points_left: usize,
}

impl<'a> Reader<'a> {
    fn geometry(&mut self, polygons: &mut Vec<(usize, Vec<RawRing>)>, depth: usize) -> Result<(), WktError> {
        const KINDS: &str = "POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION";
        self.skip_space();
        let start = self.at;
        if depth > DEPTH_MAX {
            let (line, column) = place(self.text, start);
            return Err(WktError::TooDeep { line, column });
        }
        let kind = self.word().to_ascii_uppercase();
        let known = ["POLYGON", "MULTIPOLYGON", "GEOMETRYCOLLECTION"].contains(&kind.as_str());
        if !known {
            self.at = start;
            return Err(self.unexpected(KINDS));
        }
        // Z, M or ZM only announce the further coordinates.
        let after = self.at;
        if !["Z", "M", "ZM"].contains(&self.word().to_ascii_uppercase().as_str()) {
            self.at = after;
        }
        let after = self.at;
        if self.word().eq_ignore_ascii_case("EMPTY") {
            return Ok(());
        }
        self.at = after;
        match kind.as_str() {
            "POLYGON" => self.polygon(polygons),
            "MULTIPOLYGON" => self.list(|reader| reader.polygon(polygons)),
            _ => self.list(|reader| reader.geometry(polygons, depth + 1)),
        }
    }

    fn polygon(&mut self, polygons: &mut Vec<(usize, Vec<RawRing>)>) -> Result<(), WktError> {
        self.skip_space();
        let start = self.at;
        let mut rings = Vec::new();
        self.list(|reader| {
            reader.skip_space();
            let at = reader.at;
            let mut points = Vec::new();
            reader.list(|reader| {
                if reader.points_left == 0 {
                    return Err(reader.unexpected("no more points than can be read"));
                }
                reader.points_left -= 1;
                points.push(reader.point()?);
                Ok(())
            })?;
            rings.push((at, points));
            Ok(())
        })?;
        polygons.push((start, rings));
        Ok(())
    }

    /// `(` item `,` item ... `)`
    fn list(&mut self, mut item: impl FnMut(&mut Self) -> Result<(), WktError>) -> Result<(), WktError> {
        if !self.eat('(') {
            return Err(self.unexpected("`(`"));
        }
        loop {
            item(self)?;
            if self.eat(')') {
                return Ok(());
            }
            if !self.eat(',') {
                return Err(self.unexpected("`,` or `)`"));
            }
        }
    }

    fn point(&mut self) -> Result<DVec2, WktError> {
        let point = DVec2::new(self.number()?, self.number()?);
        for _ in 0..2 {
            self.skip_space();
            if !self.rest().starts_with([',', ')']) && !self.rest().is_empty() {
                self.number()?;
            }
        }
        Ok(point)
    }

    fn number(&mut self) -> Result<f64, WktError> {
        self.skip_space();
        let length = self.rest().find(|c: char| !(c.is_ascii_alphanumeric() || "+-.".contains(c)));
        let length = length.unwrap_or(self.rest().len());
        // Rust also reads "inf" and "nan": those are no coordinates.
        match self.rest()[..length].parse::<f64>() {
            Ok(number) if number.is_finite() => {
                self.at += length;
                Ok(number)
            }
            _ => Err(self.unexpected("a number")),
        }
    }

    fn word(&mut self) -> &'a str {
        self.skip_space();
        let rest = &self.text[self.at..];
        let word = &rest[..rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len())];
        self.at += word.len();
        word
    }

    fn eat(&mut self, wanted: char) -> bool {
        self.skip_space();
        let found = self.rest().starts_with(wanted);
        self.at += if found { wanted.len_utf8() } else { 0 };
        found
    }

    fn rest(&self) -> &'a str {
        &self.text[self.at..]
    }

    fn skip_space(&mut self) {
        self.at += self.rest().len() - self.rest().trim_start().len();
    }

    fn unexpected(&mut self, expected: &'static str) -> WktError {
        self.skip_space();
        let (line, column) = place(self.text, self.at);
        let word = self.rest().split(|c: char| c.is_whitespace() || "(),".contains(c)).next().unwrap_or_default();
        let found = match (word.chars().take(20).collect::<String>(), self.rest().chars().next()) {
            (_, None) => "the end of the text".to_owned(),
            (word, Some(first)) if word.is_empty() => format!("`{first}`"),
            (word, _) => format!("`{word}`"),
        };
        WktError::Unexpected { line, column, expected, found }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn polygons_are_read_in_order() {
        let text = "GeometryCollection (\n  POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0), (1 1, 1 2, 2 2, 2 1, 1 1)),\n\
                    MULTIPOLYGON (((10 0, 11 0, 11 1, 10 0)), ((20 0 7, 2.1e1 0 7, 21 -1 7, 20 0 7))),\nPOLYGON EMPTY)";
        let areas = read(text).unwrap();
        let sizes: Vec<f64> = areas.iter().map(Area::area).collect();
        assert_eq!(sizes, [15.0, 0.5, 0.5]);
        assert_eq!(read("POLYGON Z ((0 0 1, 1 0 1, 1 1 1))").unwrap().len(), 1);
    }

    #[track_caller]
    fn check(text: &str, message: &str) {
        assert_eq!(read(text).unwrap_err().to_string(), message);
    }

    #[test]
    fn errors_say_where_and_what() {
        check("", "line 1, column 1: expected POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION, found the end of the text");
        check("POINT (1 2)", "line 1, column 1: expected POLYGON, MULTIPOLYGON or GEOMETRYCOLLECTION, found `POINT`");
        check("POLYGON ((0 0, 1 0,\n 1 x, 0 0))", "line 2, column 4: expected a number, found `x`");
        check("POLYGON ((0 0, 1 nan, 1 1))", "line 1, column 18: expected a number, found `nan`");
        check("POLYGON ((0 0, 1 0, 1 1)", "line 1, column 25: expected `,` or `)`, found the end of the text");
        check("POLYGON ((0 0, 1 0, 1 1)) x", "line 1, column 27: expected the end of the text, found `x`");
        check("POLYGON ((0 0, 1 0))", "line 1, column 10: 2 points do not enclose anything: give at least 3 corners");
        let deep = "GEOMETRYCOLLECTION (".repeat(40);
        assert!(matches!(read(&deep), Err(WktError::TooDeep { .. })));
    }
}
