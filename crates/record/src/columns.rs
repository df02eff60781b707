//! The seven columns of the Parquet file: how they are stored, and how they are decoded.
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

use crate::OwnedFrame;
use crate::pages::check_pages;

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

/// All columns, in the order of the file.
pub(crate) const COLUMNS: [Column; 7] = [
    Column { name: "tick", physical: Physical::INT32, width: 4, encoding: Encoding::RLE_DICTIONARY, compressed: false },
    Column { name: "id", physical: Physical::INT32, width: 4, encoding: Encoding::BYTE_STREAM_SPLIT, compressed: true },
    Column { name: "x", physical: Physical::DOUBLE, width: 8, encoding: Encoding::PLAIN, compressed: false },
    Column { name: "y", physical: Physical::DOUBLE, width: 8, encoding: Encoding::PLAIN, compressed: false },
    Column { name: "vx", physical: Physical::FLOAT, width: 4, encoding: Encoding::PLAIN, compressed: false },
    Column { name: "vy", physical: Physical::FLOAT, width: 4, encoding: Encoding::PLAIN, compressed: false },
    Column { name: "heading", physical: Physical::FLOAT, width: 4, encoding: Encoding::PLAIN, compressed: false },
];

impl Column {
    pub(crate) fn compression(&self) -> Compression {
        let level = ZstdLevel::try_new(LEVEL).unwrap_or_default();
        if self.compressed { Compression::ZSTD(level) } else { Compression::UNCOMPRESSED }
    }

    fn field(&self) -> Result<Type, ParquetError> {
        let unsigned = self.name == "id";
        Type::primitive_type_builder(self.name, self.physical)
            .with_repetition(Repetition::REQUIRED)
            .with_converted_type(if unsigned { ConvertedType::UINT_32 } else { ConvertedType::NONE })
            .build()
    }
}

/// The file's schema.
pub(crate) fn schema() -> Result<Arc<Type>, ParquetError> {
    let fields = COLUMNS.iter().map(|column| column.field().map(Arc::new)).collect::<Result<_, _>>()?;
    Ok(Arc::new(Type::group_type_builder("passerby").with_fields(fields).build()?))
}

/// Reads column chunks, each checked before Parquet may see it.
pub(crate) struct Decoder {
    schema: SchemaDescriptor,
}

impl Decoder {
    pub(crate) fn new() -> Result<Self, ParquetError> {
        Ok(Self { schema: SchemaDescriptor::new(schema()?) })
    }

    /// Reads a row group whose chunks have these lengths into `out`, whose tick it leaves alone. `Err` names the column
    /// and what is wrong with it.
    pub(crate) fn decode(
        &self,
        group: &Bytes,
        lengths: &[u32; COLUMNS.len()],
        rows: usize,
        out: &mut OwnedFrame,
    ) -> Result<(), String> {
        let mut chunks = Vec::with_capacity(COLUMNS.len());
        let mut start = 0;
        for &length in lengths {
            let end = start + length as usize;
            chunks.push(group.slice(start..end));
            start = end;
        }
        let OwnedFrame { tick: _, id, x, y, vx, vy, heading } = out;
        // The ticks are in the journal; that column is for other programs.
        let mut signed = id.drain(..).map(u32::cast_signed).collect();
        self.column::<Int32Type>(1, &chunks, rows, &mut signed)?;
        *id = signed.into_iter().map(i32::cast_unsigned).collect();
        self.column::<DoubleType>(2, &chunks, rows, x)?;
        self.column::<DoubleType>(3, &chunks, rows, y)?;
        self.column::<FloatType>(4, &chunks, rows, vx)?;
        self.column::<FloatType>(5, &chunks, rows, vy)?;
        self.column::<FloatType>(6, &chunks, rows, heading)
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
