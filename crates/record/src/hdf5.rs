//! HDF5 as the Pedestrian Dynamics Data Archive publishes it: a compound dataset `trajectory` {id, frame, x, y, ..} in
//! metres with an attribute `fps`, and the walls in the root attribute `wkt_geometry`.

use hdf5_reader::messages::datatype::CompoundField;
use hdf5_reader::{ByteOrder, Dataset, Datatype, Hdf5File as Archive, OpenOptions as Limits};
use passerby_geometry::math;

use crate::import::{Read, Unit, unreadable};
use crate::import_error::{ImportError, Place};
use crate::text::{COUNTS, whole_count};
use crate::tracks::{Row, Tracks};
use crate::{PlaceShape, wkt};

const FORMAT: &str = "HDF5";
/// Bytes of the unpacked dataset: a small file may claim a large one.
const BYTES_MAX: usize = 1 << 28;
/// How many times larger than the file its dataset may be: recorded people pack to a fifth, emptiness to nothing.
const UNPACKED_MAX: u64 = 100;

/// Reads the whole file.
pub(crate) fn read(bytes: Vec<u8>) -> Result<Read, ImportError> {
    let limits = Limits::default()
        .with_max_read_bytes(BYTES_MAX)
        .with_max_chunk_bytes(BYTES_MAX)
        .with_chunk_cache_bytes(0)
        .with_max_object_header_bytes(1 << 20);
    let size = bytes.len() as u64;
    let file = Archive::from_vec_with_options(bytes, limits).map_err(|error| unreadable(FORMAT, error))?;
    let root = file.root_group().map_err(|error| unreadable(FORMAT, error))?;
    let dataset = file
        .dataset("trajectory")
        .map_err(|error| unreadable(FORMAT, format!("there is no dataset `trajectory` in it ({error})")))?;
    let fps = dataset.attribute("fps").or_else(|_| root.attribute("fps")).ok();
    let fps = fps.map(|fps| fps.read_as_f64()).transpose().map_err(|error| unreadable(FORMAT, error))?;
    let place = match root.attribute("wkt_geometry").and_then(|walls| walls.read_string()) {
        Ok(walls) => wkt::read(&walls).map_err(|reason| unreadable(FORMAT, format!("wkt_geometry: {reason}")))?,
        Err(_) => PlaceShape::default(),
    };
    Ok(Read {
        tracks: tracks(&dataset, size)?,
        unit: Some((Unit::Metre, "the format HDF5".to_owned())),
        fps: fps.map(|fps| (fps, "its attribute fps".to_owned())),
        place,
    })
}

fn tracks(dataset: &Dataset, file_size: u64) -> Result<Tracks, ImportError> {
    let Datatype::Compound { size, fields } = dataset.dtype() else {
        return Err(unreadable(FORMAT, "the dataset `trajectory` has no named columns"));
    };
    let width = *size as usize;
    let rows = dataset.shape().iter().try_fold(1_u64, |rows, length| rows.checked_mul(*length));
    let most = file_size.saturating_mul(UNPACKED_MAX);
    if rows.and_then(|rows| rows.checked_mul(u64::from(*size))).is_none_or(|bytes| bytes > most) {
        let (shape, times) = (dataset.shape(), UNPACKED_MAX);
        let reason =
            format!("`trajectory` claims {shape:?} rows of {width} bytes, over {times} times the file's {file_size}");
        return Err(unreadable(FORMAT, reason));
    }
    let optional = |name: &str| fields.iter().find(|field| field.name == name);
    let column = |name: &str| {
        let names = || fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ");
        optional(name).ok_or_else(|| unreadable(FORMAT, format!("`trajectory` has no column {name}, only {}", names())))
    };
    let [id, frame, x, y] = [column("id")?, column("frame")?, column("x")?, column("y")?];
    let orientation = optional("ox").zip(optional("oy"));
    let bytes = dataset.read_raw_bytes().map_err(|error| unreadable(FORMAT, error))?;
    if width == 0 {
        return Err(unreadable(FORMAT, "the rows of `trajectory` are empty"));
    }
    let mut tracks = Tracks::new(Place::Row);
    for (number, row) in (1..).zip(bytes.chunks_exact(width)) {
        let value = |field| value(row, field);
        let count = |what, field| {
            let value = value(field)?;
            let wrong =
                || ImportError::Value { place: Place::Row(number), what, value: value.to_string(), allowed: COUNTS };
            whole_count(value).ok_or_else(wrong)
        };
        let heading = match orientation {
            Some((ox, oy)) => Some(math::double::atan2(value(oy)?, value(ox)?) as f32),
            None => None,
        };
        let row = Row {
            id: count("the id", id)?,
            frame: count("the frame", frame)?,
            at: [value(x)?, value(y)?],
            velocity: None,
            heading,
        };
        tracks.push(row, number)?;
    }
    Ok(tracks)
}

/// The value of a column in a row.
fn value(row: &[u8], field: &CompoundField) -> Result<f64, ImportError> {
    let (size, order) = match &field.datatype {
        Datatype::FixedPoint { size, byte_order, .. } | Datatype::FloatingPoint { size, byte_order } => {
            (*size as usize, byte_order)
        }
        _ => return Err(not_a_number(field)),
    };
    let start = field.byte_offset as usize;
    let bytes = start.checked_add(size).and_then(|end| row.get(start..end)).ok_or_else(|| not_a_number(field))?;
    // Eight bytes, lowest first.
    let mut low = [0; 8];
    for i in 0..size.min(8) {
        low[i] = match order {
            ByteOrder::LittleEndian => bytes[i],
            ByteOrder::BigEndian => bytes[size - 1 - i],
        };
    }
    let bits = u64::from_le_bytes(low);
    match (&field.datatype, size) {
        (Datatype::FloatingPoint { .. }, 8) => Ok(f64::from_bits(bits)),
        (Datatype::FloatingPoint { .. }, 4) => Ok(f64::from(f32::from_bits(bits as u32))),
        (Datatype::FixedPoint { signed: true, .. }, 1..=8) => {
            let unused = 64 - 8 * size as u32;
            Ok((bits.cast_signed() << unused >> unused) as f64)
        }
        (Datatype::FixedPoint { signed: false, .. }, 1..=8) => Ok(bits as f64),
        _ => Err(not_a_number(field)),
    }
}

fn not_a_number(field: &CompoundField) -> ImportError {
    unreadable(FORMAT, format!("column {} of `trajectory` holds no numbers of a known kind", field.name))
}
