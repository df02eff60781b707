//! What page and server tell each other besides frames: JSON. `viewer/src/protocol.ts` has the same from the page's side.

use serde::Deserialize;

/// A point, m from the scene's origin.
pub(crate) type Point = [f64; 2];

/// What somebody at the page wants. The braces without fields make serde refuse fields there as elsewhere.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(tag = "do", rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Wish {
    Play {},
    Pause {},
    /// Goes on by so many frames and stops.
    Step {
        frames: u32,
    },
    Speed {
        times: f64,
    },
    Seek {
        tick: u32,
    },
    /// Where the camera looks, and for how many people around it full poses are wanted.
    Look {
        x: f32,
        y: f32,
        radius: f32,
        most: usize,
    },
    /// Whether desired velocities are wanted.
    Desired {
        on: bool,
    },
    /// Whom the inspector shows.
    Inspect {
        id: Option<u32>,
    },
    Cells {},
    Edit {
        edit: Edit,
    },
    Undo {},
    Redo {},
    Scenario {},
}

/// What is painted into a live run.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub(crate) enum Edit {
    Paint(Paint),
    Move { situation: String, by: Point },
    Resize { situation: String, ring: Vec<Point> },
    End { situation: String },
    Put { ring: Vec<Point> },
    Take { name: String },
    Door { name: String, open: bool },
    Drop { population: String, at: Vec<Point> },
    Goal { to: Point, people: Option<Vec<u32>>, population: Option<String> },
}

/// A situation that is painted: along a stroke, or in a ring.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Paint {
    pub kind: String,
    pub line: Option<Vec<Point>>,
    pub width: Option<f64>,
    pub ring: Option<Vec<Point>>,
}

/// Slowest and fastest that a run is shown.
pub(crate) const SPEED: [f64; 2] = [0.1, 20.0];
/// Most people that are sent with full poses.
pub(crate) const POSES_MAX: usize = 1000;

/// Reads a wish; the error says what is wrong with it.
pub(crate) fn wish(text: &str) -> Result<Wish, String> {
    let wish: Wish =
        serde_json::from_str(text).map_err(|error| format!("a message that is not understood: {error}"))?;
    let finite = match &wish {
        Wish::Speed { times } => (SPEED[0]..=SPEED[1]).contains(times),
        Wish::Look { x, y, radius, .. } => x.is_finite() && y.is_finite() && *radius >= 0.0,
        Wish::Step { frames } => (1..=10_000).contains(frames),
        _ => true,
    };
    if finite {
        Ok(wish)
    } else {
        Err(format!("a message with a value out of range: {}", text.chars().take(80).collect::<String>()))
    }
}

/// A message that says that something cannot be done.
pub(crate) fn error(what: &str) -> String {
    serde_json::json!({ "is": "error", "what": what }).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wishes_are_read() {
        let check = |text: &str, expected: Wish| assert_eq!(wish(text), Ok(expected));
        check(r#"{"do":"play"}"#, Wish::Play {});
        check(r#"{"do":"seek","tick":12}"#, Wish::Seek { tick: 12 });
        check(r#"{"do":"inspect","id":null}"#, Wish::Inspect { id: None });
        let put = Edit::Put { ring: vec![[0.0, 1.0], [2.5, 1.0], [1.0, 3.0]] };
        check(r#"{"do":"edit","edit":{"put":{"ring":[[0,1],[2.5,1],[1,3]]}}}"#, Wish::Edit { edit: put });
        let goal = Edit::Goal { to: [1.0, 2.0], people: Some(vec![3]), population: None };
        check(r#"{"do":"edit","edit":{"goal":{"to":[1,2],"people":[3]}}}"#, Wish::Edit { edit: goal });
    }

    #[test]
    fn what_is_no_wish_is_told() {
        for text in [
            "",
            "{",
            "[]",
            "1",
            r#"{"do":"fly"}"#,
            r#"{"do":"seek"}"#,
            r#"{"do":"seek","tick":-1}"#,
            r#"{"do":"seek","tick":1e99}"#,
            r#"{"do":"play","x":1}"#,
            r#"{"do":"speed","times":0}"#,
            r#"{"do":"speed","times":21}"#,
            r#"{"do":"step","frames":0}"#,
            r#"{"do":"look","x":0,"y":0,"radius":-1,"most":3}"#,
            r#"{"do":"edit","edit":{"put":{}}}"#,
        ] {
            assert!(wish(text).is_err(), "{text}");
        }
        let deep = "[".repeat(30_000);
        assert!(wish(&deep).is_err() && wish(&format!(r#"{{"do":{deep}"#)).is_err());
    }
}
