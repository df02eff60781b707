//! Lines and outlines.

/// A place on a sheet: to the right and down.
pub type Point = [f32; 2];

/// Lines through points, or rings.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Path {
    /// Points, and whether a new line begins with each.
    points: Vec<(Point, bool)>,
    closed: bool,
}

impl Path {
    /// No lines.
    pub fn new() -> Self {
        Self::default()
    }

    /// One line through points.
    pub fn line(points: impl IntoIterator<Item = Point>) -> Self {
        let mut path = Self::new();
        path.add(points);
        path
    }

    /// Rings, each closed; what is inside of an even number of them is outside.
    pub fn rings<I: IntoIterator<Item = Point>>(rings: impl IntoIterator<Item = I>) -> Self {
        let mut path = Self { closed: true, ..Self::default() };
        rings.into_iter().for_each(|ring| path.add(ring));
        path
    }

    /// A rectangle: left, top, right, bottom.
    pub fn rectangle([left, top, right, bottom]: [f32; 4]) -> Self {
        Self::rings([[[left, top], [right, top], [right, bottom], [left, bottom]]])
    }

    /// Adds a line, or a ring if the others are rings.
    pub fn add(&mut self, points: impl IntoIterator<Item = Point>) {
        let start = self.points.len();
        self.points.extend(points.into_iter().map(|point| (point, false)));
        if let Some((_, starts)) = self.points.get_mut(start) {
            *starts = true;
        }
    }

    /// Points, and whether a new line begins with each.
    pub fn points(&self) -> &[(Point, bool)] {
        &self.points
    }

    /// Whether lines end where they begin.
    pub fn closed(&self) -> bool {
        self.closed
    }

    /// Takes all lines away.
    pub fn clear(&mut self) {
        self.points.clear();
    }
}
