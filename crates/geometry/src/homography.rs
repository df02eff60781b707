//! From the pixels of a picture to metres on the ground.

use crate::DVec2;

/// How a camera's picture lies on flat ground: 3 x 3 numbers H, the ground being `H (row, column, 1)` up to its third
/// coordinate. Rows are counted downwards from the upper edge of the picture, columns from its left one.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Homography([[f64; 3]; 3]);

/// Why nine numbers are no homography.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum HomographyError {
    /// Something is not a finite number.
    #[error("line {line}: `{word}` is no finite number")]
    NotANumber {
        /// Where, counted from 1.
        line: usize,
        /// What stands there, shortened.
        word: String,
    },
    /// A line that has not three numbers, or a fourth line.
    #[error("line {line}: {found} numbers; a homography has 3 lines of 3 numbers")]
    Shape {
        /// Where, counted from 1.
        line: usize,
        /// How many there are.
        found: usize,
    },
    /// The picture would lie on a line of the ground.
    #[error("its determinant is {determinant}: no picture lies on the ground like that")]
    Flat {
        /// Zero, or no number.
        determinant: f64,
    },
}

impl Homography {
    /// Reads three lines of three numbers; empty lines do not count.
    pub fn parse(text: &str) -> Result<Homography, HomographyError> {
        let mut rows = [[0.0; 3]; 3];
        let mut count = 0;
        let mut last = 1;
        for (line, words) in (1..).zip(text.lines()).filter(|(_, words)| !words.trim().is_empty()) {
            let mut numbers = Vec::new();
            // More than is needed tells enough.
            for word in words.split_whitespace().take(4) {
                let number = word.parse::<f64>().ok().filter(|number| number.is_finite());
                let short = || word.chars().take(30).collect();
                numbers.push(number.ok_or_else(|| HomographyError::NotANumber { line, word: short() })?);
            }
            match (rows.get_mut(count), &numbers[..]) {
                (Some(row), &[a, b, c]) => *row = [a, b, c],
                (Some(_), _) => return Err(HomographyError::Shape { line, found: numbers.len() }),
                (None, _) => return Err(HomographyError::Shape { line, found: 9 + numbers.len() }),
            }
            (count, last) = (count + 1, line);
        }
        if count < 3 {
            return Err(HomographyError::Shape { line: last, found: 3 * count });
        }
        let [[a, b, c], [d, e, f], [g, h, i]] = rows;
        let determinant = a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
        if determinant == 0.0 || !determinant.is_finite() {
            return Err(HomographyError::Flat { determinant });
        }
        Ok(Homography(rows))
    }

    /// The place of a pixel on the ground, m; none on the horizon.
    pub fn ground(&self, row: f64, column: f64) -> Option<DVec2> {
        let [x, y, w] = self.0.map(|[a, b, c]| a * row + b * column + c);
        Some(DVec2::new(x / w, y / w)).filter(|at| at.is_finite())
    }

    /// Where a small step in the picture leads on the ground, in rows and columns: a direction of any length; none on the
    /// horizon, or where the step leads nowhere.
    pub fn direction(&self, row: f64, column: f64, [down, right]: [f64; 2]) -> Option<DVec2> {
        let [x, y, w] = self.0.map(|[a, b, c]| a * row + b * column + c);
        let [dx, dy, dw] = self.0.map(|[a, b, _]| a * down + b * right);
        // The derivative of x / w, times w^2: its sign is that of w^2.
        Some(DVec2::new(dx * w - x * dw, dy * w - y * dw)).filter(|way| way.is_finite() && *way != DVec2::ZERO)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pixels_become_metres() {
        // A tenth of a metre a pixel; rows go down, y goes up; far rows are farther apart by the third line.
        let plain = Homography::parse("0 0.1 -1\n-0.1 0 2\n\n0 0 1\n").expect("a homography");
        assert_eq!(plain.ground(20.0, 30.0), Some(DVec2::new(2.0, 0.0)));
        assert_eq!(plain.direction(20.0, 30.0, [1.0, 0.0]), Some(DVec2::new(0.0, -0.1)));
        let tilted = Homography::parse("0 1 0\n-1 0 100\n0.01 0 0").expect("a homography");
        // (50, 7, 1) is (7, 50, 0.5).
        assert_eq!(tilted.ground(50.0, 7.0), Some(DVec2::new(14.0, 100.0)));
        assert_eq!(tilted.ground(0.0, 7.0), None, "the horizon");
        // Numerically: one row further down is (7 / 0.51, 49 / 0.51), nearer to the camera.
        let step = DVec2::new(7.0 / 0.51, 49.0 / 0.51) - DVec2::new(14.0, 100.0);
        let way = tilted.direction(50.0, 7.0, [1.0, 0.0]).expect("a way");
        assert!(way.normalize().distance(step.normalize()) < 0.01, "{way}");
    }

    #[test]
    fn what_is_no_homography_is_named() {
        for (text, words) in [
            ("", "line 1: 0 numbers"),
            ("1 0 0\n0 1 0\n", "line 2: 6 numbers"),
            ("1 0 0\n0 1\n0 0 1", "line 2: 2 numbers"),
            ("1 0 0\n0 1 0\n0 0 1\n0 0 1", "line 4: 12 numbers"),
            ("1 0 0\n0 x 0\n0 0 1", "line 2: `x` is no finite number"),
            ("1 0 0\n0 NaN 0\n0 0 1", "line 2: `NaN`"),
            ("1 0 0\n0 1e999 0\n0 0 1", "line 2: `1e999`"),
            ("1 2 3\n2 4 6\n0 0 1", "determinant is 0"),
        ] {
            let error = Homography::parse(text).expect_err(text).to_string();
            assert!(error.contains(words), "{error}, expected {words}");
        }
    }
}
