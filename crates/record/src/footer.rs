//! The Parquet footer: where every column of every row group is, for other programs. We read the journal instead.

use std::io::Write;
use std::sync::Arc;

use parquet::basic::Encoding;
use parquet::errors::ParquetError;
use parquet::file::metadata::{
    ColumnChunkMetaData, FileMetaData, KeyValue, ParquetMetaData, ParquetMetaDataWriter, RowGroupMetaData,
};
use parquet::schema::types::SchemaDescriptor;

use crate::columns::{Layout, Lengths};

/// The version of Parquet that the footer names.
const PARQUET_VERSION: i32 = 1;

/// A row group that was written.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Written {
    /// Where it begins in the file.
    pub start: u64,
    pub rows: u32,
    /// Lengths of its column chunks.
    pub lengths: Lengths,
    /// Length of the dictionary at the beginning of the ticks.
    pub dictionary: u32,
    /// Length of the chunk of ids, were it not compressed.
    pub id_unpacked: u32,
}

/// Writes the footer.
pub(crate) fn put_footer(
    sink: impl Write,
    layout: Layout,
    version: &str,
    groups: &[Written],
    words: Vec<KeyValue>,
) -> Result<(), ParquetError> {
    let schema = layout.schema()?;
    let rows = groups.iter().map(|group| i64::from(group.rows)).sum();
    let created_by = Some(format!("passerby {version}"));
    let file = FileMetaData::new(PARQUET_VERSION, rows, created_by, Some(words), schema.clone(), None);
    let groups = groups.iter().map(|group| row_group(group, layout, &schema)).collect::<Result<_, _>>()?;
    ParquetMetaDataWriter::new(sink, &ParquetMetaData::new(file, groups)).finish()
}

fn row_group(
    group: &Written,
    layout: Layout,
    schema: &Arc<SchemaDescriptor>,
) -> Result<RowGroupMetaData, ParquetError> {
    let Written { start, rows, lengths, dictionary, id_unpacked } = *group;
    let mut at = i64::try_from(start)?;
    let lengths = lengths.each();
    let mut unpacked = lengths;
    unpacked[1] = id_unpacked;
    let mut builder = RowGroupMetaData::builder(schema.clone())
        .set_num_rows(i64::from(rows))
        .set_file_offset(at)
        .set_total_byte_size(unpacked.iter().map(|&length| i64::from(length)).sum());
    for (index, column) in layout.columns().iter().enumerate() {
        let in_dictionary = column.encoding == Encoding::RLE_DICTIONARY;
        let encodings = if in_dictionary { vec![Encoding::PLAIN, Encoding::RLE] } else { vec![Encoding::RLE] };
        let chunk = ColumnChunkMetaData::builder(schema.column(index))
            .set_encodings([vec![column.encoding], encodings].concat())
            .set_compression(column.compression())
            .set_num_values(i64::from(rows))
            .set_total_compressed_size(i64::from(lengths[index]))
            .set_total_uncompressed_size(i64::from(unpacked[index]))
            .set_dictionary_page_offset(in_dictionary.then_some(at))
            .set_data_page_offset(if in_dictionary { at + i64::from(dictionary) } else { at });
        builder = builder.add_column_metadata(chunk.build()?);
        at += i64::from(lengths[index]);
    }
    builder.build()
}
