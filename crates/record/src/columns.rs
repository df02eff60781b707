//! The columns of the Parquet file, seven and those of bodies: how they are stored, and how they are decoded.
//!
//! Chosen by measuring 100 000 walkers. Ticks are a run a frame, and ids in byte planes compress to next to nothing. Velocities
//! and heading are noise. Positions in byte planes would compress to half of their 16 bytes, because a run computes in single
//! precision; but that doubles the time to write a row and trebles the time to read one, and recording a run must cost little. So
//! they stay plain too, and go to the file from where they are.

use std::sync::Arc;

use bytes::Bytes;
use parquet::basic::{Compression, ConvertedType, Encoding, Repetition, Type as Physical, ZstdLevel};
use parquet::column::reader::ColumnReaderImpl;
use parquet::data_type::{DataType, DoubleType, FloatType, Int32Type};
use parquet::errors::ParquetError;
use parquet::file::metadata::ColumnChunkMetaData;
use parquet::file::serialized_reader::SerializedPageReader;
use parquet::schema::types::{SchemaDescriptor, Type};

use crate::body::{BODY_COLUMNS, read_bodies};
use crate::limits::{BODIES_MAX, BODY_RECORDS_MAX, RECORDS_MAX, ROWS_MAX};
use crate::pages::check_pages;
use crate::{Header, OwnedFrame};

/// Level of zstd.
const LEVEL: i32 = -4;

/// How one column is stored.
pub(crate) struct Column {
    pub name: &'static str,
    physical: Physical,
    /// Bytes of one value.
    pub width: usize,
    pub encoding: Encoding,
    /// Compressed with zstd.
    pub compressed: bool,
}

/// The columns that every recording has, and all columns.
pub(crate) const BASE: usize = 7;
const ALL: usize = BASE + BODY_COLUMNS;

/// All columns, in the order of the file.
const COLUMNS: [Column; ALL] = [
    Column { name: "tick", physical: Physical::INT32, width: 4, encoding: Encoding::RLE_DICTIONARY, compressed: false },
    Column { name: "id", physical: Physical::INT32, width: 4, encoding: Encoding::BYTE_STREAM_SPLIT, compressed: true },
    Column { name: "x", physical: Physical::DOUBLE, width: 8, encoding: Encoding::PLAIN, compressed: false },
    Column { name: "y", physical: Physical::DOUBLE, width: 8, encoding: Encoding::PLAIN, compressed: false },
    Column { name: "vx", physical: Physical::FLOAT, width: 4, encoding: Encoding::PLAIN, compressed: false },
    Column { name: "vy", physical: Physical::FLOAT, width: 4, encoding: Encoding::PLAIN, compressed: false },
    number("heading"),
    number("body_x"),
    number("body_y"),
    number("body_heading"),
    number("torso"),
    number("phase"),
    number("fade"),
    clips("clips"),
    number("left_x"),
    number("left_y"),
    number("left_yaw"),
    number("left_step"),
    number("left_fade"),
    clips("left_clips"),
    number("right_x"),
    number("right_y"),
    number("right_yaw"),
    number("right_step"),
    number("right_fade"),
    clips("right_clips"),
];

/// A plain column of numbers.
const fn number(name: &'static str) -> Column {
    Column { name, physical: Physical::FLOAT, width: 4, encoding: Encoding::PLAIN, compressed: false }
}

/// A plain column of two clips in one number.
const fn clips(name: &'static str) -> Column {
    Column { name, physical: Physical::INT32, width: 4, encoding: Encoding::PLAIN, compressed: false }
}

/// Which columns a recording has: decided when it begins.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(crate) enum Layout {
    Base,
    Bodies,
}

impl Layout {
    /// What the header says.
    pub(crate) fn of(header: &Header) -> Self {
        if header.bodies { Layout::Bodies } else { Layout::Base }
    }

    pub(crate) fn columns(self) -> &'static [Column] {
        match self {
            Layout::Base => &COLUMNS[..BASE],
            Layout::Bodies => &COLUMNS,
        }
    }

    /// Rows of one row group, and so people in one frame.
    pub(crate) fn rows_max(self) -> usize {
        match self {
            Layout::Base => ROWS_MAX,
            Layout::Bodies => BODIES_MAX,
        }
    }

    /// Journal records in a recording.
    pub(crate) fn records_max(self) -> usize {
        match self {
            Layout::Base => RECORDS_MAX,
            Layout::Bodies => BODY_RECORDS_MAX,
        }
    }

    /// Bytes of one row group: those of uncompressed rows, and four for each of them as room for page headers.
    pub(crate) fn group_bytes_max(self) -> usize {
        let row: usize = self.columns().iter().map(|column| column.width).sum();
        self.rows_max() * (row + 4)
    }

    /// The file's schema.
    pub(crate) fn schema(self) -> Result<Arc<SchemaDescriptor>, ParquetError> {
        let fields = self.columns().iter().map(|column| column.field().map(Arc::new)).collect::<Result<_, _>>()?;
        let schema = Type::group_type_builder("passerby").with_fields(fields).build()?;
        Ok(Arc::new(SchemaDescriptor::new(Arc::new(schema))))
    }
}

/// Lengths of the column chunks of a row group, which follow one another.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
pub(crate) struct Lengths {
    /// Of those that every recording has.
    pub base: [u32; BASE],
    /// Of each column of bodies, 0 if there are none: all are equally long.
    pub body: u32,
}

impl Lengths {
    /// In the order of the columns; those of bodies are there whether the recording has them or not.
    pub(crate) fn each(&self) -> [u32; ALL] {
        let mut each = [self.body; ALL];
        each[..BASE].copy_from_slice(&self.base);
        each
    }

    /// Length of the row group.
    pub(crate) fn total(&self) -> u64 {
        self.each().iter().map(|&length| u64::from(length)).sum()
    }
}

impl Column {
    pub(crate) fn compression(&self) -> Compression {
        let level = ZstdLevel::try_new(LEVEL).unwrap_or_default();
        if self.compressed { Compression::ZSTD(level) } else { Compression::UNCOMPRESSED }
    }

    fn field(&self) -> Result<Type, ParquetError> {
        // Ticks never reach the sign.
        let unsigned = self.physical == Physical::INT32 && self.name != "tick";
        Type::primitive_type_builder(self.name, self.physical)
            .with_repetition(Repetition::REQUIRED)
            .with_converted_type(if unsigned { ConvertedType::UINT_32 } else { ConvertedType::NONE })
            .build()
    }
}

/// Reads column chunks, each checked before Parquet may see it.
pub(crate) struct Decoder {
    layout: Layout,
    schema: Arc<SchemaDescriptor>,
}

impl Decoder {
    pub(crate) fn new(layout: Layout) -> Result<Self, ParquetError> {
        Ok(Self { layout, schema: layout.schema()? })
    }

    /// Reads a row group whose chunks have these lengths into `out`, whose tick it leaves alone. `Err` names the column
    /// and what is wrong with it.
    pub(crate) fn decode(
        &self,
        group: &Bytes,
        lengths: &Lengths,
        rows: usize,
        out: &mut OwnedFrame,
    ) -> Result<(), String> {
        let mut chunks = Vec::with_capacity(BASE);
        let mut start = 0;
        for length in lengths.base {
            let end = start + length as usize;
            chunks.push(group.slice(start..end));
            start = end;
        }
        let OwnedFrame { tick: _, id, x, y, vx, vy, heading, bodies } = out;
        // The ticks are in the journal; that column is for other programs.
        let mut signed = id.drain(..).map(u32::cast_signed).collect();
        self.column::<Int32Type>(1, &chunks, rows, &mut signed)?;
        *id = signed.into_iter().map(i32::cast_unsigned).collect();
        self.column::<DoubleType>(2, &chunks, rows, x)?;
        self.column::<DoubleType>(3, &chunks, rows, y)?;
        self.column::<FloatType>(4, &chunks, rows, vx)?;
        self.column::<FloatType>(5, &chunks, rows, vy)?;
        self.column::<FloatType>(6, &chunks, rows, heading)?;
        bodies.clear();
        match self.layout {
            Layout::Base => Ok(()),
            Layout::Bodies => {
                let names = COLUMNS[BASE..].iter().map(|column| column.name);
                read_bodies(&group[start..], names, rows, bodies)
            }
        }
    }

    fn column<T: DataType>(
        &self,
        index: usize,
        chunks: &[Bytes],
        rows: usize,
        out: &mut Vec<T::T>,
    ) -> Result<(), String> {
        let (column, chunk) = (&COLUMNS[index], &chunks[index]);
        check_pages(chunk, column, rows).map_err(|reason| format!("column {}: {reason}", column.name))?;
        out.clear();
        let read =
            self.values::<T>(index, chunk, rows, out).map_err(|error| format!("column {}: {error}", column.name))?;
        if read != rows || out.len() != rows {
            return Err(format!("column {} has {read} of {rows} values", column.name));
        }
        Ok(())
    }

    fn values<T: DataType>(
        &self,
        index: usize,
        chunk: &Bytes,
        rows: usize,
        out: &mut Vec<T::T>,
    ) -> Result<usize, ParquetError> {
        let description = self.schema.column(index);
        let chunk_data = ColumnChunkMetaData::builder(description.clone())
            .set_compression(COLUMNS[index].compression())
            .set_num_values(i64::try_from(rows)?)
            .set_total_compressed_size(i64::try_from(chunk.len())?)
            .set_data_page_offset(0)
            .build()?;
        let pages = SerializedPageReader::new(Arc::new(chunk.clone()), &chunk_data, rows, None)?;
        let mut reader = ColumnReaderImpl::<T>::new(description, Box::new(pages));
        out.reserve_exact(rows);
        Ok(reader.read_records(rows, None, None, out)?.0)
    }
}
