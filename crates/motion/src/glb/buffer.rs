//! The binary half of a glTF file: bytes, views of them, and accessors that say what the bytes are.

use passerby_geometry::{Quat, Vec3};
use serde_json::{Value, json};

/// Types of numbers, as glTF counts them.
const U8: u32 = 5121;
const U16: u32 = 5123;
const U32: u32 = 5125;
const F32: u32 = 5126;

/// What a view is for: vertices, corners of triangles, or neither.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Use {
    /// Columns of vertices.
    Vertices,
    /// Corners of triangles.
    Indices,
    /// Matrices and keys of animations.
    Other,
}

/// Bytes while they are collected, and the JSON that describes them.
#[derive(Debug, Default)]
pub struct Buffer {
    bytes: Vec<u8>,
    views: Vec<Value>,
    accessors: Vec<Value>,
    /// Where the open view starts.
    start: usize,
}

impl Buffer {
    /// Room for so many bytes.
    pub fn with_capacity(bytes: usize) -> Buffer {
        Buffer { bytes: Vec::with_capacity(bytes), ..Buffer::default() }
    }

    /// Starts a view; accessors that follow are in it.
    pub fn view(&mut self) {
        self.start = self.bytes.len();
    }

    /// Ends the view.
    pub fn end_view(&mut self, used: Use) {
        let mut view = json!({ "buffer": 0, "byteOffset": self.start, "byteLength": self.bytes.len() - self.start });
        match used {
            Use::Vertices => view["target"] = json!(34962),
            Use::Indices => view["target"] = json!(34963),
            Use::Other => {}
        }
        self.views.push(view);
    }

    /// A part of an accessor that is there already, from its `first` number on.
    pub fn part(&mut self, accessor: usize, first: usize, values: &[f32]) -> usize {
        let mut part = self.accessors[accessor].clone();
        part["byteOffset"] = json!(part["byteOffset"].as_u64().unwrap_or(0) + 4 * first as u64);
        self.described(part, values.len(), Some(bounds(values.iter().map(|value| [*value]))))
    }

    /// Numbers by themselves, with their smallest and largest.
    pub fn scalars(&mut self, values: &[f32]) -> usize {
        let at = self.put(values.iter().flat_map(|value| value.to_le_bytes()));
        let description =
            json!({ "bufferView": self.views.len(), "byteOffset": at, "componentType": F32, "type": "SCALAR" });
        self.described(description, values.len(), Some(bounds(values.iter().map(|value| [*value]))))
    }

    /// Vectors, with their smallest and largest parts where the format asks for them.
    pub fn vectors(&mut self, values: &[Vec3], bounded: bool) -> usize {
        let at = self.put(values.iter().flat_map(|value| value.to_array()).flat_map(f32::to_le_bytes));
        let description =
            json!({ "bufferView": self.views.len(), "byteOffset": at, "componentType": F32, "type": "VEC3" });
        self.described(description, values.len(), bounded.then(|| bounds(values.iter().map(Vec3::to_array))))
    }

    /// Rotations.
    pub fn rotations(&mut self, values: &[Quat]) -> usize {
        let at = self.put(values.iter().flat_map(|value| value.to_array()).flat_map(f32::to_le_bytes));
        self.plain("VEC4", F32, at, values.len())
    }

    /// Four numbers each.
    pub fn shares(&mut self, values: &[[f32; 4]]) -> usize {
        let at = self.put(values.iter().flatten().flat_map(|value| value.to_le_bytes()));
        self.plain("VEC4", F32, at, values.len())
    }

    /// Four joints each.
    pub fn joints(&mut self, values: &[[u8; 4]]) -> usize {
        let at = self.put(values.iter().flatten().copied());
        self.plain("VEC4", U8, at, values.len())
    }

    /// Red, green, blue and opacity as shares of 65535.
    pub fn colours(&mut self, values: &[[u16; 4]]) -> usize {
        let at = self.put(values.iter().flatten().flat_map(|value| value.to_le_bytes()));
        let accessor = self.plain("VEC4", U16, at, values.len());
        self.accessors[accessor]["normalized"] = json!(true);
        accessor
    }

    /// Matrices, column by column.
    pub fn matrices(&mut self, values: &[[f32; 16]]) -> usize {
        let at = self.put(values.iter().flatten().flat_map(|value| value.to_le_bytes()));
        self.plain("MAT4", F32, at, values.len())
    }

    /// Corners of triangles.
    pub fn indices(&mut self, values: &[[u32; 3]]) -> usize {
        let at = self.put(values.iter().flatten().flat_map(|value| value.to_le_bytes()));
        self.plain("SCALAR", U32, at, 3 * values.len())
    }

    /// Views, accessors and bytes, padded to a multiple of four.
    pub fn finish(mut self) -> (Vec<Value>, Vec<Value>, Vec<u8>) {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        (self.views, self.accessors, self.bytes)
    }

    /// Appends bytes; where they are in the open view.
    fn put(&mut self, bytes: impl Iterator<Item = u8>) -> usize {
        let at = self.bytes.len() - self.start;
        self.bytes.extend(bytes);
        at
    }

    fn plain(&mut self, kind: &str, component: u32, at: usize, count: usize) -> usize {
        let description =
            json!({ "bufferView": self.views.len(), "byteOffset": at, "componentType": component, "type": kind });
        self.described(description, count, None)
    }

    fn described(&mut self, mut description: Value, count: usize, bounds: Option<[Vec<f32>; 2]>) -> usize {
        description["count"] = json!(count);
        if let Some([low, high]) = bounds {
            description["min"] = json!(low);
            description["max"] = json!(high);
        }
        self.accessors.push(description);
        self.accessors.len() - 1
    }
}

/// The smallest and largest of each part.
fn bounds<const N: usize>(values: impl Iterator<Item = [f32; N]>) -> [Vec<f32>; 2] {
    let (mut low, mut high) = ([f32::INFINITY; N], [f32::NEG_INFINITY; N]);
    for value in values {
        (0..N).for_each(|i| (low[i], high[i]) = (low[i].min(value[i]), high[i].max(value[i])));
    }
    [low.to_vec(), high.to_vec()]
}
