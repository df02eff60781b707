//! A stroke font of our own: every letter is a few lines and curves, drawn at any size without a font file.
//!
//! A glyph is written as strokes separated by spaces; a stroke is a list of points separated by commas, a point two digits: x
//! from 0, and y in hexadecimal, where 0 is the lowest descender, 3 the base line, 8 the height of an x and a (10) that of a
//! capital. A plain stroke is a polyline, one point is a dot, `~` begins a smooth curve (a quadratic B-spline that touches the
//! first and the last of its control points), `o` a closed one.

use tiny_skia::{Path, PathBuilder};

/// Height of a capital in the grid that glyphs are drawn on.
const CAPITAL: f32 = 7.0;
/// Space between two glyphs.
const GAP: f32 = 1.9;

/// From space to `~`, in the order of ASCII.
const GLYPHS: [&str; 95] = [
    "",                                            // space
    "0a,06 03",                                    // !
    "0a,08 2a,28",                                 // "
    "13,2a 33,4a 05,45 08,48",                     // #
    "~58,5a,0a,07,56,53,03,05 2b,22",              // $
    "03,6a o0a,2a,28,08 o45,65,63,43",             // %
    "63,19 ~19,1a,4a,48,05,03,43,56",              // &
    "0a,08",                                       // '
    "~2b,09,04,22",                                // (
    "~0b,29,24,02",                                // )
    "25,29 06,48 08,46",                           // *
    "24,28 06,46",                                 // +
    "13,02",                                       // ,
    "06,36",                                       // -
    "03",                                          // .
    "02,4b",                                       // /
    "o0a,4a,43,03",                                // 0
    "08,2a,23",                                    // 1
    "~08,0a,4a,47,03 03,43",                       // 2
    "~09,0a,4a,47,17 ~17,47,43,03,04",             // 3
    "33,3a,05,45",                                 // 4
    "4a,0a,07 ~07,47,43,03,04",                    // 5
    "o07,47,43,03 ~05,0a,3a",                      // 6
    "0a,4a,13",                                    // 7
    "o0a,4a,47,07 o07,47,43,03",                   // 8
    "o0a,4a,46,06 ~48,43,13",                      // 9
    "03 07",                                       // :
    "17 13,02",                                    // ;
    "48,06,44",                                    // <
    "05,45 07,47",                                 // =
    "08,46,04",                                    // >
    "~08,0a,4a,47,27,25 23",                       // ?
    "o28,58,55,25 ~58,55,75,7a,0a,02,62",          // @
    "03,3a,63 15,55",                              // A
    "33,03,0a,3a ~3a,5a,57,37 07,37 ~37,67,63,33", // B
    "~68,6a,0a,03,63,65",                          // C
    "23,03,0a,2a ~2a,6a,63,23",                    // D
    "5a,0a,03,53 07,47",                           // E
    "5a,0a,03 07,47",                              // F
    "~68,6a,0a,03,63,66 66,36",                    // G
    "03,0a 63,6a 07,67",                           // H
    "03,0a",                                       // I
    "~05,03,43,46 46,4a",                          // J
    "03,0a 5a,05 27,53",                           // K
    "0a,03,43",                                    // L
    "03,0a,35,6a,63",                              // M
    "03,0a,63,6a",                                 // N
    "o0a,6a,63,03",                                // O
    "03,0a,3a ~3a,6a,66,36 36,06",                 // P
    "o0a,6a,63,03 45,62",                          // Q
    "03,0a,3a ~3a,6a,66,36 36,06 26,53",           // R
    "~58,5a,0a,07,56,53,03,05",                    // S
    "0a,6a 3a,33",                                 // T
    "0a,06 ~06,03,63,66 66,6a",                    // U
    "0a,33,6a",                                    // V
    "0a,23,49,63,8a",                              // W
    "03,6a 0a,63",                                 // X
    "0a,37,6a 37,33",                              // Y
    "0a,6a,03,63",                                 // Z
    "2b,0b,02,22",                                 // [
    "0b,42",                                       // \
    "0b,2b,22,02",                                 // ]
    "07,2a,47",                                    // ^
    "02,52",                                       // _
    "0a,18",                                       // `
    "o08,48,43,03 48,43",                          // a
    "0a,03 o08,48,43,03",                          // b
    "~47,48,08,03,43,44",                          // c
    "o08,48,43,03 4a,43",                          // d
    "06,46 ~46,48,08,03,43,44",                    // e
    "~3a,1a,18 18,13 08,38",                       // f
    "o08,48,43,03 48,42 ~42,40,00,01",             // g
    "0a,03 ~06,08,48,46 46,43",                    // h
    "03,08 0a",                                    // i
    "18,12 ~12,10,00 1a",                          // j
    "0a,03 48,05 16,43",                           // k
    "0a,03",                                       // l
    "03,08 ~06,08,38,36 36,33 ~36,38,68,66 66,63", // m
    "03,08 ~06,08,48,46 46,43",                    // n
    "o08,48,43,03",                                // o
    "08,00 o08,48,43,03",                          // p
    "48,40 o08,48,43,03",                          // q
    "03,08 ~06,08,38",                             // r
    "~47,48,08,06,45,43,03,04",                    // s
    "1a,15 ~15,13,33 08,38",                       // t
    "08,05 ~05,03,43,45 48,43",                    // u
    "08,23,48",                                    // v
    "08,13,38,53,68",                              // w
    "03,48 08,43",                                 // x
    "08,23 48,10",                                 // y
    "08,48,03,43",                                 // z
    "~2b,1b,18,06 ~06,14,11,21",                   // {
    "0b,01",                                       // |
    "~0b,1b,18,26 ~26,14,11,01",                   // }
    "~05,18,34,47",                                // ~
];
/// Letters and signs beyond ASCII that are not one of these with a mark.
const FURTHER: [(char, &str); 11] = [
    ('ß', "03,08 ~08,0b,3b,37,17 ~17,57,53,23"),
    ('æ', "o08,38,33,03 38,33 36,66 ~66,68,38,36 ~36,33,63,64"),
    ('ø', "o08,48,43,03 03,48"),
    ('Æ', "03,3a,7a 33,3a 15,35 37,67 33,73"),
    ('Ø', "o0a,6a,63,03 03,6a"),
    ('ı', "23,28"), // under a mark, so it stands in the middle of it
    ('°', "o0a,2a,28,08"),
    ('²', "~0a,0b,2b,29,07 07,27"),
    ('–', "06,46"),
    ('—', "06,76"),
    ('’', "0a,08"),
];
/// Marks over and under small letters, the letters that have them, and these letters without.
const MARKS: [(&str, &str, &str); 7] = [
    ("1b,39", "àèìòùÀÈÌÒÙ", "aeıouAEIOU"),
    ("3b,19", "áéíóúýÁÉÍÓÚÝ", "aeıouyAEIOUY"),
    ("19,2b,39", "âêîôûÂÊÎÔÛ", "aeıouAEIOU"),
    ("~09,1b,39,4b", "ãñõÃÑÕ", "anoANO"),
    ("1a 3a", "äëïöüÿÄËÏÖÜŸ", "aeıouyAEIOUY"),
    ("o1b,3b,39,19", "åÅ", "aA"),
    ("23,32 ~32,31,20,10", "çÇ", "cC"),
];
/// What is drawn for everything else.
const UNKNOWN: &str = "03,43,4a,0a,03";

fn glyph(c: char) -> &'static str {
    let place = (c as usize).checked_sub(0x20);
    let further = || FURTHER.iter().find(|(letter, _)| *letter == c).map(|(_, glyph)| *glyph);
    place.and_then(|place| GLYPHS.get(place)).copied().or_else(further).unwrap_or(UNKNOWN)
}

/// The strokes of a letter: a kind and points each.
fn strokes(c: char) -> Vec<(char, Vec<[f32; 2]>)> {
    let with_mark = MARKS.iter().find_map(|(mark, letters, plain)| {
        let place = letters.chars().position(|letter| letter == c)?;
        Some((*mark, plain.chars().nth(place)?))
    });
    let Some((mark, plain)) = with_mark else { return drawn(glyph(c)).collect() };
    // Capitals are higher and wider; what hangs under a letter hangs under both.
    let up = if plain.is_uppercase() && !mark.starts_with("23") { 2.0 } else { 0.0 };
    let aside = if plain.is_uppercase() { 1.0 } else { 0.0 };
    let moved = drawn(mark).map(|(kind, points)| (kind, points.iter().map(|p| [p[0] + aside, p[1] + up]).collect()));
    drawn(glyph(plain)).chain(moved).collect()
}

/// The strokes of a glyph.
fn drawn(glyph: &str) -> impl Iterator<Item = (char, Vec<[f32; 2]>)> + '_ {
    glyph.split_ascii_whitespace().map(|stroke| {
        let kind = stroke.chars().next().filter(|first| "~o".contains(*first)).unwrap_or('-');
        let digit = |c: Option<char>| c.and_then(|c| c.to_digit(16)).unwrap_or(0) as f32;
        let point = |text: &str| [digit(text.chars().next()), digit(text.chars().nth(1))];
        (kind, stroke.trim_start_matches(['~', 'o']).split(',').map(point).collect())
    })
}

/// How far the next glyph is, in units of the grid.
fn advance(c: char) -> f32 {
    match c {
        ' ' => 3.4,
        _ => strokes(c).into_iter().flat_map(|(_, points)| points).map(|point| point[0]).fold(0.0, f32::max) + GAP,
    }
}

/// Width of a line of text whose capitals are `size` pixels high.
pub fn width(text: &str, size: f32) -> f32 {
    (text.chars().map(advance).sum::<f32>() - GAP).max(0.0) * size / CAPITAL
}

/// How thick to stroke the letters.
pub fn thickness(size: f32) -> f32 {
    (0.13 * size).max(1.0)
}

/// The letters of a line, to be stroked with round ends; its base line begins at (x, y).
pub fn path(text: &str, x: f32, y: f32, size: f32) -> Option<Path> {
    let scale = size / CAPITAL;
    let mut builder = PathBuilder::new();
    let mut pen = x;
    for c in text.chars() {
        for (kind, points) in strokes(c) {
            let points: Vec<[f32; 2]> = points.iter().map(|p| [pen + p[0] * scale, y - (p[1] - 3.0) * scale]).collect();
            add(&mut builder, kind, &points, thickness(size));
        }
        pen += advance(c) * scale;
    }
    builder.finish()
}

fn add(builder: &mut PathBuilder, kind: char, points: &[[f32; 2]], thickness: f32) {
    let middle = |a: [f32; 2], b: [f32; 2]| [0.5 * (a[0] + b[0]), 0.5 * (a[1] + b[1])];
    let n = points.len();
    match (kind, points) {
        (_, []) => {}
        (_, [dot]) => {
            builder.push_circle(dot[0], dot[1], 0.3 * thickness);
        }
        ('o', _) => {
            let start = middle(points[n - 1], points[0]);
            builder.move_to(start[0], start[1]);
            for i in 0..n {
                let end = middle(points[i], points[(i + 1) % n]);
                builder.quad_to(points[i][0], points[i][1], end[0], end[1]);
            }
            builder.close();
        }
        ('~', [first, inner @ .., last]) => {
            builder.move_to(first[0], first[1]);
            for (i, control) in inner.iter().enumerate() {
                let end = inner.get(i + 1).map_or(*last, |next| middle(*control, *next));
                builder.quad_to(control[0], control[1], end[0], end[1]);
            }
        }
        (_, [first, rest @ ..]) => {
            builder.move_to(first[0], first[1]);
            rest.iter().for_each(|point| builder.line_to(point[0], point[1]));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_letter_can_be_drawn() {
        for c in '!'..='~' {
            assert!(!glyph(c).is_empty(), "{c}");
            for (kind, points) in strokes(c) {
                assert!(kind == '-' || points.len() >= 3, "{c}: a curve needs three points");
                assert!(points.iter().all(|p| p[0] <= 8.0 && p[1] <= 11.0), "{c}: {points:?}");
            }
            assert!(path(&c.to_string(), 0.0, 0.0, 10.0).is_some(), "{c}");
        }
        assert!(path(" ", 0.0, 0.0, 10.0).is_none());
        assert_eq!(glyph('a'), "o08,48,43,03 48,43");
    }

    #[test]
    fn other_letters_are_drawn_with_their_marks_and_unknown_ones_as_a_box() {
        let letters: Vec<char> = MARKS.iter().flat_map(|(_, letters, _)| letters.chars()).collect();
        for c in letters.iter().copied().chain(FURTHER.map(|(c, _)| c)) {
            assert!(strokes(c) != strokes('\u{4e2d}'), "{c} is a box");
            let points = || strokes(c).into_iter().flat_map(|(_, points)| points);
            assert!(points().all(|p| (0.0..=8.0).contains(&p[0]) && (0.0..=13.0).contains(&p[1])), "{c}");
            assert!(path(&c.to_string(), 0.0, 0.0, 10.0).is_some(), "{c}");
        }
        // All of Latin-1 that a language is written with.
        let latin = ('À'..='ÿ').filter(|c| !"×÷ÐðÞþ".contains(*c));
        latin.for_each(|c| assert!(strokes(c) != strokes('\u{4e2d}'), "{c} is a box"));
        for (_, letters, plain) in MARKS {
            assert_eq!(letters.chars().count(), plain.chars().count(), "{letters}");
        }
        assert_eq!(drawn(UNKNOWN).collect::<Vec<_>>(), strokes('\u{4e2d}'));
        assert!(
            strokes('é').len() == strokes('e').len() + 1 && strokes('é')[2] == ('-', vec![[3.0, 11.0], [1.0, 9.0]])
        );
        assert_eq!(strokes('É')[2], ('-', vec![[4.0, 13.0], [2.0, 11.0]]));
    }

    #[test]
    fn width_is_that_of_the_path() {
        let (text, size) = ("Door 12", 14.0);
        let bounds = path(text, 3.0, 50.0, size).unwrap().bounds();
        assert!((bounds.right() - 3.0 - width(text, size)).abs() < 0.1, "{bounds:?}");
        assert!((bounds.bottom() - 50.0).abs() < 0.1 && (bounds.height() - size).abs() < 0.1, "{bounds:?}");
    }
}
