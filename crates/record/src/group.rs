//! A row group: the frames of a second, or one frame of a large crowd, as the bytes of its column chunks.
//!
//! Plain columns are not copied: a page is a header and the column as it stands in memory. Parquet's own writer copies each
//! value three times. Ids are packed by it, but only when they are others than before.

use std::borrow::Cow;
use std::sync::Arc;

use bytemuck::NoUninit;
use parquet::basic::Encoding;
use parquet::column::writer::{get_column_writer, get_typed_column_writer};
use parquet::data_type::Int32Type;
use parquet::errors::ParquetError;
use parquet::file::properties::{EnabledStatistics, WriterProperties, WriterPropertiesPtr};
use parquet::file::writer::{SerializedPageWriter, TrackedWrite};
use parquet::schema::types::ColumnDescPtr;

use crate::Frame;
use crate::body::put_bodies;
use crate::columns::{BASE, Layout, Lengths};
use crate::footer::Written;
use crate::journal::FrameRows;
use crate::pages::{put_data_header, put_dictionary_header, put_number};

/// Columns that stand in the file as they do in memory: all behind tick and id but those of bodies.
const PLAIN: usize = BASE - 2;

/// Turns rows into row groups. What it needs for one is kept for the next.
pub(crate) struct Encoder {
    properties: WriterPropertiesPtr,
    id_description: ColumnDescPtr,
    ticks: Vec<u8>,
    /// Whose ids are in `id_chunk`.
    ids: Vec<u32>,
    id_chunk: Vec<u8>,
    id_unpacked: u32,
    headers: [Vec<u8>; PLAIN],
    layout: Layout,
    bodies: Vec<u8>,
}

/// A row group that can be written.
pub(crate) struct Group<'a> {
    /// Its bytes: ticks, ids, then header and values of each plain column, then all of bodies.
    pub parts: [Cow<'a, [u8]>; 2 + 2 * PLAIN + 1],
    /// What the footer will say of it.
    pub facts: Written,
}

impl Group<'_> {
    /// CRC-32 of all bytes.
    pub(crate) fn sum(&self) -> u32 {
        let mut hasher = crc32fast::Hasher::new();
        self.parts.iter().for_each(|part| hasher.update(part));
        hasher.finalize()
    }
}

impl Encoder {
    pub(crate) fn new(layout: Layout) -> Result<Self, ParquetError> {
        let id = &layout.columns()[1];
        let properties = WriterProperties::builder()
            .set_statistics_enabled(EnabledStatistics::None)
            .set_offset_index_disabled(true)
            .set_dictionary_enabled(false)
            .set_encoding(id.encoding)
            .set_compression(id.compression())
            .set_write_batch_size(8192)
            .set_data_page_size_limit(128 << 10)
            .set_data_page_row_count_limit(usize::MAX)
            .build();
        Ok(Self {
            properties: Arc::new(properties),
            id_description: layout.schema()?.column(1),
            ticks: Vec::new(),
            ids: Vec::new(),
            id_chunk: Vec::new(),
            id_unpacked: 0,
            headers: Default::default(),
            layout,
            bodies: Vec::new(),
        })
    }

    /// The row group of several frames, whose rows stand one after the other in `rows`, for byte `start` of the file.
    pub(crate) fn encode<'a>(
        &'a mut self,
        start: u64,
        frames: &[FrameRows],
        rows: &Frame<'a>,
    ) -> Result<Group<'a>, ParquetError> {
        let Frame { tick: _, id, x, y, vx, vy, heading, bodies } = *rows;
        let dictionary = put_ticks(frames, id.len(), &mut self.ticks);
        self.pack_ids(id)?;
        let values = [little_endian(x), little_endian(y), little_endian(vx), little_endian(vy), little_endian(heading)];
        let mut lengths = Lengths::default();
        lengths.base[0] = u32::try_from(self.ticks.len())?;
        lengths.base[1] = u32::try_from(self.id_chunk.len())?;
        if self.layout == Layout::Bodies {
            lengths.body = u32::try_from(put_bodies(bodies, &mut self.bodies))?;
        }
        for ((header, values), length) in self.headers.iter_mut().zip(&values).zip(&mut lengths.base[2..]) {
            header.clear();
            put_data_header(id.len(), values.len(), Encoding::PLAIN, header);
            *length = u32::try_from(header.len() + values.len())?;
        }
        let [x, y, vx, vy, heading] = values;
        let [hx, hy, hvx, hvy, hheading] = self.headers.each_ref().map(|header| Cow::Borrowed(&header[..]));
        let (ticks, ids) = (Cow::Borrowed(&self.ticks[..]), Cow::Borrowed(&self.id_chunk[..]));
        let bodies = Cow::Borrowed(&self.bodies[..]);
        let parts = [ticks, ids, hx, x, hy, y, hvx, vx, hvy, vy, hheading, heading, bodies];
        let facts = Written {
            start,
            rows: u32::try_from(id.len())?,
            lengths,
            dictionary: u32::try_from(dictionary)?,
            id_unpacked: self.id_unpacked,
        };
        Ok(Group { parts, facts })
    }

    /// Makes `id_chunk` that of these ids. In a crowd that nobody joins or leaves it already is.
    fn pack_ids(&mut self, ids: &[u32]) -> Result<(), ParquetError> {
        if self.ids == ids && !self.id_chunk.is_empty() {
            return Ok(());
        }
        self.ids.clear();
        self.id_chunk.clear();
        let mut sink = TrackedWrite::new(&mut self.id_chunk);
        let pages = Box::new(SerializedPageWriter::new(&mut sink));
        let column = get_column_writer(self.id_description.clone(), self.properties.clone(), pages);
        let mut column = get_typed_column_writer::<Int32Type>(column);
        column.write_batch(bytemuck::cast_slice(ids), None, None)?;
        let closed = column.close()?;
        self.id_unpacked = u32::try_from(closed.metadata.uncompressed_size())?;
        drop(sink);
        self.ids.extend_from_slice(ids);
        Ok(())
    }
}

/// Values as they stand in a file: as in the memory of all but a few machines.
fn little_endian<T: NoUninit>(values: &[T]) -> Cow<'_, [u8]> {
    if cfg!(target_endian = "little") {
        return Cow::Borrowed(bytemuck::cast_slice(values));
    }
    values.iter().flat_map(|value| bytemuck::bytes_of(value).iter().rev().copied()).collect()
}

/// Makes `out` the chunk of ticks: a dictionary of those that somebody is in, then a run of each. Length of the dictionary.
fn put_ticks(frames: &[FrameRows], rows: usize, out: &mut Vec<u8>) -> usize {
    out.clear();
    let frames = || frames.iter().filter(|frame| frame.people > 0);
    let ticks = frames().count();
    put_dictionary_header(ticks, 4 * ticks, out);
    frames().for_each(|frame| out.extend_from_slice(&frame.tick.to_le_bytes()));
    let dictionary = out.len();
    // Some readers know no numbers of no bits.
    let bits = (usize::BITS - ticks.saturating_sub(1).leading_zeros()).max(1);
    let mut runs = vec![bits as u8];
    for (index, frame) in frames().enumerate() {
        put_number(2 * frame.people as usize, &mut runs);
        runs.extend_from_slice(&index.to_le_bytes()[..bits.div_ceil(8) as usize]);
    }
    put_data_header(rows, runs.len(), Encoding::RLE_DICTIONARY, out);
    out.extend_from_slice(&runs);
    dictionary
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Decoder;
    use crate::{BodyRow, OwnedFrame};
    use bytes::Bytes;

    const LAYOUTS: [Layout; 2] = [Layout::Base, Layout::Bodies];

    fn group(layout: Layout) -> (Bytes, Lengths, OwnedFrame) {
        let body = |row| BodyRow { phase: row as f32 / 7.0, clips: [row, 9], ..BodyRow::default() };
        let frame = OwnedFrame {
            tick: 7,
            id: (0..40).map(|row| row * 1000).collect(),
            x: (0..40).map(|row| f64::from(row) / 3.0).collect(),
            y: (0..40).map(|row| f64::from(row) * 0.1).collect(),
            vx: vec![1.5; 40],
            vy: vec![-0.0; 40],
            heading: vec![f32::NAN; 40],
            bodies: (0..40).filter(|_| layout == Layout::Bodies).map(body).collect(),
        };
        let frames = [FrameRows { tick: 7, people: 40 }];
        let mut encoder = Encoder::new(layout).expect("encoder");
        let group = encoder.encode(4, &frames, &frame.as_frame()).expect("encoded");
        let (bytes, lengths) = (group.parts.concat(), group.facts.lengths);
        assert_eq!((bytes.len() as u32, crc32fast::hash(&bytes)), (lengths.total() as u32, group.sum()));
        (bytes.into(), lengths, frame)
    }

    /// By hand: three ticks of 300, 1 and 2 rows; a dictionary of 12 bytes, then indices of two bits in three runs.
    #[test]
    fn ticks_are_a_run_a_frame() {
        let frames = [(5, 300), (6, 0), (7, 1), (260, 2)].map(|(tick, people)| FrameRows { tick, people });
        let mut chunk = Vec::new();
        let dictionary = put_ticks(&frames, 303, &mut chunk);
        let header = [0x15, 4, 0x15, 24, 0x15, 24, 0x4c, 0x15, 6, 0x15, 0, 0, 0];
        let values = [5, 0, 0, 0, 7, 0, 0, 0, 4, 1, 0, 0];
        assert_eq!(chunk[..dictionary], [&header[..], &values].concat());
        // 303 doubled is 606 = 4 * 128 + 94, 300 doubled 600 = 4 * 128 + 88; 8 is a dictionary's runs, 3 those of levels.
        let header = [0x15, 0, 0x15, 16, 0x15, 16, 0x2c, 0x15, 0xde, 4, 0x15, 16, 0x15, 6, 0x15, 6, 0, 0];
        let runs = [2, 0xd8, 4, 0, 2, 1, 4, 2];
        assert_eq!(chunk[dictionary..], [&header[..], &runs].concat());
    }

    /// Who comes and goes is packed anew; who stays is not, and is there all the same.
    #[test]
    fn ids_are_those_of_their_own_group() {
        let mut encoder = Encoder::new(Layout::Base).expect("encoder");
        let decoder = Decoder::new(Layout::Base).expect("decoder");
        for (tick, id) in [vec![1, 2], vec![1, 2], vec![1, 3], vec![3], vec![3, u32::MAX]].into_iter().enumerate() {
            let people = id.len();
            let frame = OwnedFrame {
                tick: tick as u32,
                x: vec![0.5; people],
                y: vec![1.5; people],
                vx: vec![0.0; people],
                vy: vec![0.0; people],
                heading: vec![0.0; people],
                bodies: Vec::new(),
                id,
            };
            let frames = [FrameRows { tick: frame.tick, people: people as u32 }];
            let group = encoder.encode(4, &frames, &frame.as_frame()).expect("encoded");
            let mut back = OwnedFrame { tick: frame.tick, ..OwnedFrame::default() };
            decoder.decode(&group.parts.concat().into(), &group.facts.lengths, people, &mut back).expect("decoded");
            assert_eq!(back, frame);
        }
    }

    #[test]
    fn a_row_group_comes_back() {
        for layout in LAYOUTS {
            let (group, lengths, frame) = group(layout);
            let mut back = OwnedFrame::default();
            Decoder::new(layout).expect("decoder").decode(&group, &lengths, 40, &mut back).expect("decoded");
            assert_eq!((&back.id, &back.x, &back.y, &back.vx), (&frame.id, &frame.x, &frame.y, &frame.vx));
            assert!(back.vy.iter().all(|v| v.to_bits() == 0x8000_0000) && back.heading.iter().all(|v| v.is_nan()));
            assert_eq!(back.bodies, frame.bodies);
        }
    }

    /// A file can be made whose checksums agree with its wrong bytes.
    #[test]
    fn wrong_bytes_are_an_error_or_other_values_but_no_panic() {
        LAYOUTS.into_iter().for_each(wrong_bytes);
    }

    fn wrong_bytes(layout: Layout) {
        let (group, lengths, frame) = group(layout);
        let decoder = Decoder::new(layout).expect("decoder");
        for at in 0..group.len() {
            for flip in [1, 2, 4, 8, 16, 32, 64, 128, 255] {
                let mut wrong = group.to_vec();
                wrong[at] ^= flip;
                let mut back = OwnedFrame::default();
                if decoder.decode(&wrong.into(), &lengths, 40, &mut back).is_ok() {
                    assert_eq!((back.id.len(), back.heading.len()), (40, 40));
                    assert_eq!(back.bodies.len(), frame.bodies.len());
                }
            }
        }
        for shift in 1..lengths.base[1] {
            let mut moved = lengths;
            (moved.base[1], moved.base[2]) = (lengths.base[1] - shift, lengths.base[2] + shift);
            assert!(decoder.decode(&group, &moved, 40, &mut OwnedFrame::default()).is_err());
        }
        for rows in [0, 39, 41, 1 << 19] {
            assert!(decoder.decode(&group, &lengths, rows, &mut OwnedFrame::default()).is_err());
        }
    }
}
