//! The document and the numbers of a glTF file: container, buffers, views, accessors. Every index and every length is checked.

use super::ImportError;
use serde_json::Value;
use std::cell::Cell;

/// Numbers that all accessors of a file may give together: a small file must not ask for hours.
const NUMBERS_MAX: usize = 8 << 20;

/// A glTF file with its buffers.
pub(super) struct Document {
    pub json: Value,
    buffers: Vec<Vec<u8>>,
    numbers: Cell<usize>,
}

type Result<T> = std::result::Result<T, ImportError>;

fn fail<T>(place: impl Into<String>, what: impl Into<String>) -> Result<T> {
    Err(ImportError::new(place, what))
}

impl Document {
    /// Reads the container (GLB or plain JSON) and fetches all buffers; `external` gives those that are files of their own.
    pub fn read(bytes: &[u8], external: &dyn Fn(&str) -> Option<Vec<u8>>) -> Result<Self> {
        let (json, binary) = container(bytes)?;
        let json: Value = match serde_json::from_slice(json) {
            Ok(json) => json,
            Err(error) => return fail("glTF document", format!("no JSON: {error}")),
        };
        let mut document = Self { json, buffers: vec![], numbers: Cell::new(0) };
        let list = document.list("buffers")?.len();
        for index in 0..list {
            let buffer = document.buffer(index, binary, external)?;
            document.buffers.push(buffer);
        }
        Ok(document)
    }

    /// A list of the document; none if it is not there.
    pub fn list(&self, key: &str) -> Result<&[Value]> {
        match self.json.get(key) {
            None => Ok(&[]),
            Some(Value::Array(list)) => Ok(list),
            Some(_) => fail(key, "has to be a list"),
        }
    }

    fn buffer(
        &self,
        index: usize,
        binary: Option<&[u8]>,
        external: &dyn Fn(&str) -> Option<Vec<u8>>,
    ) -> Result<Vec<u8>> {
        let place = format!("buffers[{index}]");
        let buffer = &self.list("buffers")?[index];
        let length = whole(buffer, "byteLength", &place)?;
        let mut bytes = match buffer.get("uri") {
            None if index == 0 && binary.is_some() => binary.unwrap_or_default().to_vec(),
            None => return fail(place, "has no uri, and there is no binary chunk for it"),
            Some(Value::String(uri)) => match uri.strip_prefix("data:") {
                Some(data) => match data.split_once(";base64,") {
                    Some((_, text)) => base64(text, &place)?,
                    None => return fail(place, "a data uri that is not base64"),
                },
                None => match external(uri) {
                    Some(bytes) => bytes,
                    None => {
                        return fail(place, format!("`{}` was not given", uri.chars().take(80).collect::<String>()));
                    }
                },
            },
            Some(_) => return fail(place, "uri has to be a text"),
        };
        if bytes.len() < length {
            return fail(place, format!("{} bytes, and {length} are said to be there", bytes.len()));
        }
        bytes.truncate(length);
        Ok(bytes)
    }

    /// Part of a buffer: its bytes, and the distance of its elements if that is given.
    fn view(&self, index: usize, place: &str) -> Result<(&[u8], Option<usize>)> {
        let Some(view) = self.list("bufferViews")?.get(index) else {
            return fail(place, format!("bufferView {index} does not exist"));
        };
        let place = format!("bufferViews[{index}]");
        let buffer = whole(view, "buffer", &place)?;
        let Some(buffer) = self.buffers.get(buffer) else {
            return fail(place, format!("buffer {buffer} does not exist"));
        };
        let (start, length) = (whole_or(view, "byteOffset", 0, &place)?, whole(view, "byteLength", &place)?);
        let Some(bytes) = start.checked_add(length).and_then(|end| buffer.get(start..end)) else {
            let all = buffer.len();
            return fail(place, format!("{length} bytes from {start} on are beyond the buffer's {all}"));
        };
        let stride = whole_or(view, "byteStride", 0, &place)?;
        Ok((bytes, (stride > 0).then_some(stride)))
    }

    /// All numbers of an accessor, `width` in an element; integers that stand for fractions become fractions.
    pub fn numbers(&self, index: usize, width: usize, place: &str) -> Result<Vec<f64>> {
        let Some(accessor) = self.list("accessors")?.get(index) else {
            return fail(place, format!("accessor {index} does not exist"));
        };
        let place = format!("accessors[{index}]");
        let kind = accessor.get("type").and_then(Value::as_str).unwrap_or("");
        let found = match kind {
            "SCALAR" => 1,
            "VEC2" => 2,
            "VEC3" => 3,
            "VEC4" => 4,
            "MAT4" => 16,
            _ => 0,
        };
        if found != width {
            return fail(place, format!("type `{kind}`: elements of {width} numbers are needed"));
        }
        let count = whole(accessor, "count", &place)?;
        let total = count.saturating_mul(width).saturating_add(self.numbers.get());
        if total > NUMBERS_MAX {
            return fail(place, format!("{count} elements: with what was read before too many numbers"));
        }
        self.numbers.set(total);
        let component = Component::read(accessor, "componentType", &place)?;
        let normalised = accessor.get("normalized").and_then(Value::as_bool).unwrap_or(false);
        let mut numbers = match accessor.get("bufferView") {
            None => vec![0.0; count * width],
            Some(_) => {
                let view = whole(accessor, "bufferView", &place)?;
                let start = whole_or(accessor, "byteOffset", 0, &place)?;
                let numbers = self.elements(view, start, count, width, component, &place)?;
                numbers.into_iter().map(|number| component.fraction(number, normalised)).collect()
            }
        };
        if let Some(sparse) = accessor.get("sparse") {
            self.sparse(sparse, &mut numbers, (count, width, component, normalised), &place)?;
        }
        match numbers.iter().position(|number| !number.is_finite() || number.abs() > 1e9) {
            Some(at) => fail(place, format!("element {}: {} is no number up to 1e9", at / width, numbers[at])),
            None => Ok(numbers),
        }
    }

    /// Elements that replace others.
    fn sparse(
        &self,
        sparse: &Value,
        numbers: &mut [f64],
        (count, width, component, normalised): (usize, usize, Component, bool),
        place: &str,
    ) -> Result<()> {
        let place = format!("{place}.sparse");
        let changed = whole(sparse, "count", &place)?;
        if changed > count {
            return fail(place, format!("{changed} elements are replaced, and there are {count}"));
        }
        let (Some(indices), Some(values)) = (sparse.get("indices"), sparse.get("values")) else {
            return fail(place, "needs indices and values");
        };
        let kind = Component::read(indices, "componentType", &place)?;
        let start = whole_or(indices, "byteOffset", 0, &place)?;
        let indices = self.elements(whole(indices, "bufferView", &place)?, start, changed, 1, kind, &place)?;
        let start = whole_or(values, "byteOffset", 0, &place)?;
        let values = self.elements(whole(values, "bufferView", &place)?, start, changed, width, component, &place)?;
        for (index, element) in indices.iter().zip(values.chunks_exact(width)) {
            if !(0.0..count as f64).contains(index) {
                return fail(place, format!("element {index} is replaced, and there are {count}"));
            }
            let at = *index as usize * width;
            let element = element.iter().map(|number| component.fraction(*number, normalised));
            numbers[at..at + width].iter_mut().zip(element).for_each(|(own, new)| *own = new);
        }
        Ok(())
    }

    fn elements(
        &self,
        view: usize,
        start: usize,
        count: usize,
        width: usize,
        component: Component,
        place: &str,
    ) -> Result<Vec<f64>> {
        let (bytes, stride) = self.view(view, place)?;
        let size = component.size() * width;
        let stride = stride.unwrap_or(size);
        let end = count
            .checked_sub(1)
            .map_or(Some(start), |last| last.checked_mul(stride)?.checked_add(size)?.checked_add(start));
        if stride < size || end.is_none_or(|end| end > bytes.len()) {
            let have = bytes.len();
            return fail(
                place,
                format!("{count} elements of {size} bytes, {stride} apart, from {start} on: the view has {have}"),
            );
        }
        let mut numbers = Vec::with_capacity(count * width);
        for element in 0..count {
            let at = start + element * stride;
            let parts = bytes[at..at + size].chunks_exact(component.size());
            numbers.extend(parts.map(|part| component.number(part)));
        }
        Ok(numbers)
    }
}

/// How a number is stored.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Component {
    I8,
    U8,
    I16,
    U16,
    U32,
    F32,
}

impl Component {
    fn read(value: &Value, key: &str, place: &str) -> Result<Self> {
        match whole(value, key, place)? {
            5120 => Ok(Component::I8),
            5121 => Ok(Component::U8),
            5122 => Ok(Component::I16),
            5123 => Ok(Component::U16),
            5125 => Ok(Component::U32),
            5126 => Ok(Component::F32),
            other => fail(place, format!("component type {other}: 5120 to 5123, 5125 and 5126 are allowed")),
        }
    }

    fn size(self) -> usize {
        match self {
            Component::I8 | Component::U8 => 1,
            Component::I16 | Component::U16 => 2,
            Component::U32 | Component::F32 => 4,
        }
    }

    fn number(self, bytes: &[u8]) -> f64 {
        match (self, bytes) {
            (Component::I8, [a]) => f64::from(*a as i8),
            (Component::U8, [a]) => f64::from(*a),
            (Component::I16, [a, b]) => f64::from(i16::from_le_bytes([*a, *b])),
            (Component::U16, [a, b]) => f64::from(u16::from_le_bytes([*a, *b])),
            (Component::U32, [a, b, c, d]) => f64::from(u32::from_le_bytes([*a, *b, *c, *d])),
            (Component::F32, [a, b, c, d]) => f64::from(f32::from_le_bytes([*a, *b, *c, *d])),
            _ => unreachable!("chunks have the size of the component"),
        }
    }

    /// What an integer stands for, by the table of glTF 2.0, section 3.11 ("Animations").
    fn fraction(self, number: f64, normalised: bool) -> f64 {
        match self {
            _ if !normalised => number,
            Component::I8 => (number / 127.0).max(-1.0),
            Component::U8 => number / 255.0,
            Component::I16 => (number / 32767.0).max(-1.0),
            Component::U16 => number / 65535.0,
            Component::U32 | Component::F32 => number,
        }
    }
}

/// A whole number that has to be there.
pub(super) fn whole(value: &Value, key: &str, place: &str) -> Result<usize> {
    match value.get(key) {
        Some(number) => match number.as_u64().and_then(|number| usize::try_from(number).ok()) {
            Some(number) => Ok(number),
            None => fail(place, format!("{key} is no whole number from 0 on")),
        },
        None => fail(place, format!("{key} is missing")),
    }
}

/// A whole number, or what stands for it.
pub(super) fn whole_or(value: &Value, key: &str, otherwise: usize, place: &str) -> Result<usize> {
    if value.get(key).is_none() { Ok(otherwise) } else { whole(value, key, place) }
}

/// The document and the binary chunk of a GLB; other bytes are the document.
fn container(bytes: &[u8]) -> Result<(&[u8], Option<&[u8]>)> {
    if !bytes.starts_with(b"glTF") {
        return Ok((bytes, None));
    }
    let word = |at: usize| bytes.get(at..at + 4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]) as usize);
    let (Some(version), Some(length)) = (word(4), word(8)) else { return fail("GLB header", "the file ends in it") };
    if version != 2 {
        return fail("GLB header", format!("version {version}: 2 is read"));
    }
    if length > bytes.len() {
        return fail("GLB header", format!("{length} bytes are said to be there, {} are", bytes.len()));
    }
    let chunk = |at: usize, kind: &[u8], what: &str| -> Result<&[u8]> {
        let size = word(at).filter(|_| bytes.get(at + 4..at + 8) == Some(kind));
        let end = size.and_then(|size| (at + 8).checked_add(size)).filter(|end| *end <= length);
        match end {
            Some(end) => Ok(&bytes[at + 8..end]),
            None => fail(format!("GLB, byte {at}"), format!("no whole {what} chunk")),
        }
    };
    let json = chunk(12, b"JSON", "JSON")?;
    let next = 20 + json.len().next_multiple_of(4);
    let binary = if length > next { Some(chunk(next, b"BIN\0", "binary")?) } else { None };
    Ok((json, binary))
}

fn base64(text: &str, place: &str) -> Result<Vec<u8>> {
    let mut out = Vec::with_capacity(text.len() / 4 * 3);
    let (mut bits, mut held) = (0u32, 0);
    for (at, byte) in text.trim_end_matches('=').bytes().enumerate() {
        let value = match byte {
            b'A'..=b'Z' => byte - b'A',
            b'a'..=b'z' => byte - b'a' + 26,
            b'0'..=b'9' => byte - b'0' + 52,
            b'+' | b'-' => 62,
            b'/' | b'_' => 63,
            _ => return fail(place, format!("letter {at} of the data is no base64")),
        };
        bits = (bits << 6 | u32::from(value)) & 0xff_ffff;
        held += 6;
        if held >= 8 {
            held -= 8;
            out.push((bits >> held) as u8);
        }
    }
    Ok(out)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The test vectors of RFC 4648, section 10.
    #[test]
    fn base64_gives_the_published_answers() {
        for (plain, coded) in [("", ""), ("f", "Zg=="), ("fo", "Zm8="), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy")] {
            assert_eq!(base64(coded, "here").unwrap(), plain.as_bytes());
        }
        assert!(base64("Zm9v!", "here").unwrap_err().to_string().contains("letter 4"));
    }
}
