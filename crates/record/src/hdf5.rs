//! HDF5 as the Pedestrian Dynamics Data Archive publishes it: a compound dataset `trajectory` {id, frame, x, y, ..} in
//! metres with an attribute `fps`, and the walls in the root attribute `wkt_geometry`.

use std::ops::ControlFlow;
use std::sync::Arc;

use hdf5_reader::messages::HdfMessage;
use hdf5_reader::messages::datatype::CompoundField;
use hdf5_reader::messages::layout::{DataLayout, DataLayoutMessage};
use hdf5_reader::storage::RangeRequestStorage;
use hdf5_reader::{ByteOrder, Dataset, Datatype, Hdf5File as Contents, OpenOptions as Limits};

use crate::cell::{COUNTS, whole_count};
use crate::import::{Unit, unreadable};
use crate::import_error::{ImportError, Place, short_number};
use crate::input::Input;
use crate::table::{Each, Facing, Facts, Mark, Row, Table};
use crate::{PlaceShape, wkt};

const FORMAT: &str = "HDF5";
/// Bytes that are unpacked at once: a chunk, or a dataset that has none.
const BYTES_MAX: usize = 1 << 25;
/// How many times larger than the file its dataset may be: recorded people pack to a fifth, emptiness to nothing.
const UNPACKED_MAX: u64 = 100;

/// Bytes of plain rows that are read at once.
const PIECE: u64 = 1 << 20;

/// What is done with a piece: the number of its first row, and its bytes.
type EachPiece<'a> = dyn FnMut(u64, &[u8]) -> Result<ControlFlow<()>, ImportError> + 'a;

/// A file whose dataset `trajectory` can be read.
pub(crate) struct Archive {
    file: Contents,
    dataset: Dataset,
    /// Where the rows are, if they are plain and in one piece.
    plain: Option<u64>,
    columns: Columns,
    rows: u64,
    facts: Facts,
}

/// Where in a row what stands.
struct Columns {
    /// Bytes of a row.
    width: usize,
    id: CompoundField,
    frame: CompoundField,
    at: [CompoundField; 2],
    orientation: Option<[CompoundField; 2]>,
}

impl Archive {
    /// Finds the dataset and what is stated beside it.
    pub(crate) fn open(input: &Arc<Input>) -> Result<Self, ImportError> {
        let limits = Limits::default()
            .with_max_read_bytes(BYTES_MAX)
            .with_max_chunk_bytes(BYTES_MAX)
            .with_chunk_cache_bytes(0)
            .with_max_object_header_bytes(1 << 20);
        let wrong = |error: hdf5_reader::error::Error| unreadable(FORMAT, error);
        let source = Arc::clone(input);
        let storage = RangeRequestStorage::new(input.size(), move |offset, length| {
            source.read(offset, length).map_err(|error| hdf5_reader::error::Error::Io(std::io::Error::other(error)))
        });
        let file = Contents::from_storage_with_options(Arc::new(storage), limits).map_err(wrong)?;
        let root = file.root_group().map_err(wrong)?;
        let dataset = file
            .dataset("trajectory")
            .map_err(|error| unreadable(FORMAT, format!("there is no dataset `trajectory` in it ({error})")))?;
        let fps = dataset.attribute("fps").or_else(|_| root.attribute("fps")).ok();
        let fps = fps.map(|fps| fps.read_as_f64()).transpose().map_err(wrong)?;
        let place = match root.attribute("wkt_geometry").and_then(|walls| walls.read_string()) {
            Ok(walls) => wkt::read(&walls).map_err(|reason| unreadable(FORMAT, format!("wkt_geometry: {reason}")))?,
            Err(_) => PlaceShape::default(),
        };
        let columns = Columns::of(&dataset)?;
        let (rows, bytes) = check_claim(&dataset, columns.width as u64, input.size())?;
        let plain = plain(&file, &dataset, bytes)?;
        if plain.is_none() {
            check_pieces(&dataset, columns.width as u64, bytes)?;
        }
        let facts = Facts {
            unit: Some((Unit::Metre, "the format HDF5".to_owned())),
            fps: fps.map(|fps| (fps, "its attribute fps".to_owned())),
            place,
        };
        Ok(Self { file, dataset, plain, columns, rows, facts })
    }

    /// Hands pieces of the dataset to `each`, in order, until it breaks. Those that end before row `from` may be left out.
    fn pieces(&self, from: u64, each: &mut EachPiece<'_>) -> Result<(), ImportError> {
        let wrong = |error: hdf5_reader::error::Error| unreadable(FORMAT, error);
        if let Some(start) = self.plain {
            return self.plain_pieces(start, from, each);
        }
        if self.dataset.chunks().is_none() || self.dataset.ndim() != 1 {
            return each(0, &self.dataset.read_raw_bytes().map_err(wrong)?).map(drop);
        }
        let mut next = 0;
        for chunk in self.dataset.iter_chunks().map_err(wrong)? {
            let chunk = chunk.map_err(wrong)?;
            if chunk.offsets().first() != Some(&next) {
                return Err(unreadable(FORMAT, format!("rows {} and later of `trajectory` are missing", next + 1)));
            }
            let bytes = (self.rows - next).saturating_mul(self.columns.width as u64).min(chunk.bytes().len() as u64);
            let bytes = &chunk.bytes()[..bytes as usize];
            if let ControlFlow::Break(()) = each(next, bytes)? {
                return Ok(());
            }
            next += (bytes.len() / self.columns.width) as u64;
        }
        if next < self.rows {
            return Err(unreadable(FORMAT, format!("`trajectory` claims {} rows, but has {next}", self.rows)));
        }
        Ok(())
    }

    /// The same for rows that stand one behind the other from byte `start` on.
    fn plain_pieces(&self, start: u64, from: u64, each: &mut EachPiece<'_>) -> Result<(), ImportError> {
        let width = self.columns.width as u64;
        let most = (PIECE / width).max(1);
        let mut next = from;
        while next < self.rows {
            let rows = most.min(self.rows - next);
            let at = next.checked_mul(width).and_then(|bytes| start.checked_add(bytes));
            let at = at.ok_or_else(|| unreadable(FORMAT, "its rows stand behind the end of the file"))?;
            let bytes = self.file.storage().read_range(at, (rows * width) as usize);
            if let ControlFlow::Break(()) = each(next, &bytes.map_err(|error| unreadable(FORMAT, error))?)? {
                break;
            }
            next += rows;
        }
        Ok(())
    }
}

impl Table for Archive {
    fn rows(&mut self, from: Mark, each: &mut Each<'_>) -> Result<(), ImportError> {
        self.pieces(from.at, &mut |first, bytes| {
            let skipped = from.at.saturating_sub(first) as usize;
            for (index, row) in (first..).zip(bytes.chunks_exact(self.columns.width)).skip(skipped) {
                let mark = Mark { at: index, number: index + 1 };
                if let ControlFlow::Break(()) = each(&self.columns.row(row, mark.number)?, mark)? {
                    return Ok(ControlFlow::Break(()));
                }
            }
            Ok(ControlFlow::Continue(()))
        })
    }

    fn facts(&self) -> Result<Facts, ImportError> {
        Ok(self.facts.clone())
    }

    fn place(&self) -> fn(u64) -> Place {
        Place::Row
    }

    fn end_is_open(&self) -> Result<bool, ImportError> {
        Ok(false)
    }
}

/// How many rows there are, and how many bytes they have, if the file can hold so many.
fn check_claim(dataset: &Dataset, width: u64, file_size: u64) -> Result<(u64, u64), ImportError> {
    let shape = dataset.shape();
    let rows = shape.iter().try_fold(1_u64, |rows, length| rows.checked_mul(*length));
    let most = file_size.saturating_mul(UNPACKED_MAX);
    let claim = rows.and_then(|rows| Some((rows, rows.checked_mul(width)?)));
    claim.filter(|(_, bytes)| *bytes <= most).ok_or_else(|| {
        let times = UNPACKED_MAX;
        let claim = format!("`trajectory` claims {shape:?} rows of {width} bytes");
        unreadable(FORMAT, format!("{claim}, over {times} times the file's {file_size}"))
    })
}

/// Where the rows of a dataset are that is neither packed nor cut into pieces.
fn plain(file: &Contents, dataset: &Dataset, bytes: u64) -> Result<Option<u64>, ImportError> {
    let header = file.get_or_parse_header(dataset.address()).map_err(|error| unreadable(FORMAT, error))?;
    let elsewhere =
        |message: &HdfMessage| matches!(message, HdfMessage::ExternalFiles(_) | HdfMessage::FilterPipeline(_));
    if header.messages.iter().any(elsewhere) {
        return Ok(None);
    }
    Ok(header.messages.iter().find_map(|message| match message {
        HdfMessage::DataLayout(DataLayoutMessage { layout: DataLayout::Contiguous { address, size } }) => {
            // All bits set: the rows were never written.
            (*address != u64::MAX && *size == bytes).then_some(*address)
        }
        _ => None,
    }))
}

/// What is not plain is unpacked piece by piece: no piece may be too large for that.
fn check_pieces(dataset: &Dataset, width: u64, bytes: u64) -> Result<(), ImportError> {
    let piece = match dataset.chunks() {
        Some(chunks) if chunks.len() == 1 => width.saturating_mul(u64::from(chunks[0])),
        _ => bytes,
    };
    if piece <= BYTES_MAX as u64 {
        return Ok(());
    }
    let limit = format!("`trajectory` has a piece of {piece} bytes; allowed: at most {BYTES_MAX}");
    Err(unreadable(FORMAT, format!("{limit}; store it in smaller chunks (h5py: chunks=(65536,)), or as CSV")))
}

impl Columns {
    fn of(dataset: &Dataset) -> Result<Self, ImportError> {
        let Datatype::Compound { size, fields } = dataset.dtype() else {
            return Err(unreadable(FORMAT, "the dataset `trajectory` has no named columns"));
        };
        if *size == 0 {
            return Err(unreadable(FORMAT, "the rows of `trajectory` are empty"));
        }
        let optional = |name: &str| fields.iter().find(|field| field.name == name).cloned();
        let column = |name: &str| {
            let names = || fields.iter().map(|field| field.name.as_str()).collect::<Vec<_>>().join(", ");
            let missing = || unreadable(FORMAT, format!("`trajectory` has no column {name}, only {}", names()));
            optional(name).ok_or_else(missing)
        };
        Ok(Self {
            width: *size as usize,
            id: column("id")?,
            frame: column("frame")?,
            at: [column("x")?, column("y")?],
            orientation: optional("ox").zip(optional("oy")).map(Into::into),
        })
    }

    fn row(&self, bytes: &[u8], number: u64) -> Result<Row, ImportError> {
        let Self { width: _, id, frame, at: [x, y], orientation } = self;
        let count = |what, field| {
            let value = value(bytes, field)?;
            let wrong =
                || ImportError::Value { place: Place::Row(number), what, value: short_number(value), allowed: COUNTS };
            whole_count(value).ok_or_else(wrong)
        };
        let facing = match orientation {
            Some([ox, oy]) => Some(Facing::Along([value(bytes, ox)?, value(bytes, oy)?])),
            None => None,
        };
        Ok(Row {
            id: count("the id", id)?,
            frame: count("the frame", frame)?,
            at: [value(bytes, x)?, value(bytes, y)?],
            velocity: None,
            facing,
        })
    }
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
