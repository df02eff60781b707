//! Corners of what stands in a picture, `column row` a line, in pixels, as UCY's `static.txt` has them: the outline of an
//! obstacle if the last is the first again, else a wall.
//!
//! Rows and columns stand in the order of x and y. That UCY means so is seen in the numbers, which reach 587 where a film has 576
//! rows, and on the ground: so read, nobody walks through the wall.

use passerby_geometry::DVec2;

use super::Options;
use super::draft::{Draft, Patch, Stroke};
use super::error::{ImportError, check_reach, fail, number, short};

/// Whether a text begins as these do: with a line of two numbers.
pub(super) fn begins(head: &str) -> bool {
    let mut words = head.lines().next().unwrap_or_default().split_whitespace();
    let two = words.by_ref().take(2).filter_map(number).count() == 2;
    two && words.next().is_none()
}

pub(super) fn draft(text: &str, options: &Options) -> Result<Draft, ImportError> {
    let Some(homography) = options.homography else {
        let help = "name the homography that leads from (row, column, 1) to metres: homography = \"H.txt\", --homography H.txt";
        return fail("", "its points are pixels of a picture", help);
    };
    let mut draft = Draft::default();
    draft.count("", 0)?;
    let mut points: Vec<DVec2> = Vec::new();
    for (line, words) in (1..).zip(text.lines()).filter(|(_, words)| !words.trim().is_empty()) {
        let at = format!("line {line}");
        draft.count_points(&at, 1)?;
        let numbers: Vec<Option<f64>> = words.split_whitespace().take(3).map(number).collect();
        let [Some(column), Some(row)] = numbers[..] else {
            return fail(at, format!("`{}` are not two numbers", short(words)), "give column and row of a pixel");
        };
        let Some(ground) = homography.ground(row, column) else {
            return fail(at, "this pixel is on the horizon", "is it the homography of this picture?");
        };
        points.push(check_reach(&at, ground)?);
    }
    let element = format!("points 1 to {}", points.len());
    let closed = points.len() > 3 && points.first() == points.last();
    if closed {
        draft.obstacles.push(Patch { element, rings: vec![points] });
    } else if points.len() > 1 {
        draft.walls.push(Stroke { element, points });
    } else {
        return fail(element, "one point is no wall", "give all corners, one a line");
    }
    draft.unit_name = "pixels".to_owned();
    draft.boxed = true;
    Ok(draft)
}
