//! JSON with a limit on what it takes in memory.

use serde_json::Value;

use passerby_geometry::DVec2;

use super::error::{ImportError, fail};

/// Most values: numbers, texts, lists and objects. A value takes up to 100 bytes.
const VALUES_MAX: usize = 3_000_000;

/// Reads a text that is not too much.
pub(super) fn parse(text: &str) -> Result<Value, ImportError> {
    // Every value but the first comes after one of these.
    let values = 1 + text.bytes().filter(|byte| matches!(byte, b',' | b'[' | b'{')).count();
    if values > VALUES_MAX {
        let what = format!("there are about {values} values, at most {VALUES_MAX} can be read");
        return fail("", what, "cut out the part that is needed");
    }
    serde_json::from_str(text).or_else(|error| {
        let at = format!("line {}, column {}", error.line(), error.column());
        let what = error.to_string();
        let what = what.split(" at line ").next().unwrap_or_default().to_owned();
        fail(at, what, "this is not JSON: was the file cut short?")
    })
}

/// The number under a key.
pub(super) fn number(at: &str, object: &Value, key: &str) -> Result<f64, ImportError> {
    match object.get(key).and_then(Value::as_f64).filter(|number| number.is_finite()) {
        Some(number) => Ok(number),
        None => fail(at, format!("`{key}` is {}", shown(object.get(key))), "give a number"),
    }
}

/// The point `{ "x": .., "y": .. }`.
pub(super) fn point(at: &str, object: &Value) -> Result<DVec2, ImportError> {
    Ok(DVec2::new(number(at, object, "x")?, number(at, object, "y")?))
}

/// What a message says of a value.
pub(super) fn shown(value: Option<&Value>) -> String {
    match value {
        None => "missing".to_owned(),
        Some(Value::Array(_)) => "a list".to_owned(),
        Some(Value::Object(_)) => "an object".to_owned(),
        Some(value) => super::error::short(&value.to_string()),
    }
}
