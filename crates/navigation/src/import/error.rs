//! What is wrong with a file.

use passerby_geometry::DVec2;

/// Why a file cannot be read: which part of it, what is wrong and what to do.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{}{}{what}: {help}", at, if at.is_empty() { "" } else { ": " })]
pub struct ImportError {
    /// The element: a line, a way, a feature, an entity of a layer. Empty if it is the whole file.
    pub at: String,
    /// What is wrong.
    pub what: String,
    /// What is allowed, or what to do.
    pub help: String,
}

pub(super) fn fail<T>(
    at: impl Into<String>,
    what: impl Into<String>,
    help: impl Into<String>,
) -> Result<T, ImportError> {
    Err(ImportError { at: at.into(), what: what.into(), help: help.into() })
}

/// The first characters of something that a file says.
pub(super) fn short(text: &str) -> String {
    let mut short: String = text.trim().chars().take(30).map(|c| if c.is_control() { ' ' } else { c }).collect();
    if short.len() < text.trim().len() {
        short.push_str("...");
    }
    short
}

/// A finite number, or none: Rust would also read "inf" and "nan".
pub(super) fn number(text: &str) -> Option<f64> {
    text.trim().parse::<f64>().ok().filter(|number| number.is_finite())
}

/// A coordinate that can be computed with.
pub(super) fn check_reach(at: &str, point: DVec2) -> Result<DVec2, ImportError> {
    use passerby_geometry::outline::COORDINATE_MAX;
    // `max_element` would pass over a NaN.
    if !point.is_finite() || point.abs().max_element() > COORDINATE_MAX {
        // 1e300 is not written out.
        let shown = |value: f64| if value.abs() < 1e15 { value.to_string() } else { format!("{value:e}") };
        let what = format!("the point ({}, {}) is no place", shown(point.x), shown(point.y));
        return fail(
            at,
            what,
            format!("give finite coordinates within {COORDINATE_MAX:e} m of the origin, or a scale"),
        );
    }
    Ok(point)
}
