//! How bodies were posed: 19 plain columns beside the seven that every recording has.
//!
//! All of them are four bytes wide and stand in one page each, so all of their chunks are equally long and begin with the same
//! header. Nothing is packed: most of these numbers change with every frame, and recording a run must cost little.

use parquet::basic::Encoding;

use crate::pages::put_data_header;

/// Columns that bodies have.
pub(crate) const BODY_COLUMNS: usize = 19;
/// Bytes of a value.
const WIDTH: usize = 4;
/// Rows that are turned into columns at a time: they stay in the nearest cache.
const BLOCK: usize = 64;

/// How somebody's body was posed: everything a pose is rebuilt from. All zero for those who have none.
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C)]
pub struct BodyRow {
    /// From where the person is to the root of the body, m.
    pub root: [f32; 2],
    /// How the figure is turned, rad from the x axis.
    pub heading: f32,
    /// Where the torso faces, rad from the x axis.
    pub torso: f32,
    /// Of the clip's cycle, from 0 to 1.
    pub phase: f32,
    /// Share of the change between clips that is done.
    pub fade: f32,
    /// Left, right.
    pub feet: [FootRow; 2],
    /// Numbers of the clip that is played and of the one before it.
    pub clips: [u16; 2],
}

/// One foot of a [`BodyRow`].
#[derive(Debug, Clone, Copy, Default, PartialEq)]
#[repr(C)]
pub struct FootRow {
    /// From where its clip puts it to where it is, m.
    pub shift: [f32; 2],
    /// How far it is turned against the clip, rad.
    pub yaw: f32,
    /// How much of a step on the spot is done; 0 if there is none.
    pub step: f32,
    /// Share of the change between clips that is done.
    pub fade: f32,
    /// Numbers of the clip it goes by and of the one before it.
    pub clips: [u16; 2],
}

impl BodyRow {
    /// The bits of all values in the order of the columns.
    fn words(&self) -> [u32; BODY_COLUMNS] {
        let Self { root, heading, torso, phase, fade, feet, clips } = *self;
        let [left, right] = feet.map(FootRow::words);
        let bits = [root[0], root[1], heading, torso, phase, fade].map(f32::to_bits);
        let mut words = [0; BODY_COLUMNS];
        words[..6].copy_from_slice(&bits);
        words[6] = pack(clips);
        words[7..13].copy_from_slice(&left);
        words[13..].copy_from_slice(&right);
        words
    }

    fn from_words(words: &[u32; BODY_COLUMNS]) -> Self {
        let &[x, y, heading, torso, phase, fade, clips, left @ .., r0, r1, r2, r3, r4, r5] = words;
        let [x, y, heading, torso, phase, fade] = [x, y, heading, torso, phase, fade].map(f32::from_bits);
        let feet = [left, [r0, r1, r2, r3, r4, r5]].map(FootRow::from_words);
        Self { root: [x, y], heading, torso, phase, fade, feet, clips: unpack(clips) }
    }

    /// Column and value of the first number that is not finite.
    pub(crate) fn not_finite(&self) -> Option<(&'static str, f32)> {
        let Self { root: [x, y], heading, torso, phase, fade, feet: [left, right], clips: _ } = *self;
        let body = [
            ("body_x", x),
            ("body_y", y),
            ("body_heading", heading),
            ("torso", torso),
            ("phase", phase),
            ("fade", fade),
        ];
        let left = left.numbers(["left_x", "left_y", "left_yaw", "left_step", "left_fade"]);
        let right = right.numbers(["right_x", "right_y", "right_yaw", "right_step", "right_fade"]);
        body.into_iter().chain(left).chain(right).find(|(_, value)| !value.is_finite())
    }

    /// The same question without a way out, so that the compiler looks at several values at a time.
    pub(crate) fn is_finite(&self) -> bool {
        let Self { root: [x, y], heading, torso, phase, fade, feet: [left, right], clips: _ } = *self;
        let foot = |foot: FootRow| [foot.shift[0], foot.shift[1], foot.yaw, foot.step, foot.fade];
        let body = [x, y, heading, torso, phase, fade].iter().fold(true, |all, value| all & value.is_finite());
        foot(left).iter().chain(&foot(right)).fold(body, |all, value| all & value.is_finite())
    }
}

impl FootRow {
    fn words(self) -> [u32; 6] {
        let Self { shift, yaw, step, fade, clips } = self;
        let [x, y, yaw, step, fade] = [shift[0], shift[1], yaw, step, fade].map(f32::to_bits);
        [x, y, yaw, step, fade, pack(clips)]
    }

    fn from_words([x, y, yaw, step, fade, clips]: [u32; 6]) -> Self {
        let [x, y, yaw, step, fade] = [x, y, yaw, step, fade].map(f32::from_bits);
        Self { shift: [x, y], yaw, step, fade, clips: unpack(clips) }
    }

    fn numbers(self, names: [&'static str; 5]) -> impl Iterator<Item = (&'static str, f32)> {
        let Self { shift, yaw, step, fade, clips: _ } = self;
        names.into_iter().zip([shift[0], shift[1], yaw, step, fade])
    }
}

/// Two clips as one number: the played one in its lower half.
fn pack([played, before]: [u16; 2]) -> u32 {
    u32::from(before) << 16 | u32::from(played)
}

fn unpack(clips: u32) -> [u16; 2] {
    [clips as u16, (clips >> 16) as u16]
}

/// Makes `out` the chunks of all body columns, one behind the other; the length of each of them.
pub(crate) fn put_bodies(bodies: &[BodyRow], out: &mut Vec<u8>) -> usize {
    if bodies.is_empty() {
        out.clear();
        return 0;
    }
    let header = header(bodies.len());
    let chunk = header.len() + WIDTH * bodies.len();
    // Every byte is written below: what is there need not be cleared first.
    out.resize(BODY_COLUMNS * chunk, 0);
    out.chunks_exact_mut(chunk).for_each(|column| column[..header.len()].copy_from_slice(&header));
    let mut words = [[0; BODY_COLUMNS]; BLOCK];
    for (block, rows) in bodies.chunks(BLOCK).enumerate() {
        words.iter_mut().zip(rows).for_each(|(words, row)| *words = row.words());
        let from = header.len() + WIDTH * BLOCK * block;
        for (index, column) in out.chunks_exact_mut(chunk).enumerate() {
            let (values, _) = column[from..from + WIDTH * rows.len()].as_chunks_mut::<WIDTH>();
            values.iter_mut().zip(&words).for_each(|(value, words)| *value = words[index].to_le_bytes());
        }
    }
    chunk
}

/// Reads what [`put_bodies`] made of `rows` bodies into `out`. `Err` names the column and what is wrong with it.
pub(crate) fn read_bodies(
    bytes: &[u8],
    names: impl Iterator<Item = &'static str>,
    rows: usize,
    out: &mut Vec<BodyRow>,
) -> Result<(), String> {
    let header = header(rows);
    let chunk = header.len() + WIDTH * rows;
    out.clear();
    if rows == 0 && bytes.is_empty() {
        return Ok(());
    }
    if rows == 0 || bytes.len() != BODY_COLUMNS * chunk {
        return Err(format!("the columns of {rows} bodies have {} bytes", bytes.len()));
    }
    if let Some((name, _)) = names.zip(bytes.chunks_exact(chunk)).find(|(_, column)| !column.starts_with(&header)) {
        return Err(format!("column {name}: a page header is not of the kind we write"));
    }
    out.reserve_exact(rows);
    let mut words = [[0; BODY_COLUMNS]; BLOCK];
    for first in (0..rows).step_by(BLOCK) {
        let block = BLOCK.min(rows - first);
        let from = header.len() + WIDTH * first;
        for (index, column) in bytes.chunks_exact(chunk).enumerate() {
            let (values, _) = column[from..from + WIDTH * block].as_chunks::<WIDTH>();
            values.iter().zip(&mut words).for_each(|(value, words)| words[index] = u32::from_le_bytes(*value));
        }
        out.extend(words[..block].iter().map(BodyRow::from_words));
    }
    Ok(())
}

/// What each chunk of so many values begins with.
fn header(rows: usize) -> Vec<u8> {
    let mut header = Vec::new();
    put_data_header(rows, WIDTH * rows, Encoding::PLAIN, &mut header);
    header
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::columns::Layout;

    /// A body whose values are the numbers of their columns, counted from `from`.
    fn counted(from: u16) -> BodyRow {
        let n = |column: u16| f32::from(from + column);
        let foot = |at: u16| FootRow {
            shift: [n(at), n(at + 1)],
            yaw: n(at + 2),
            step: n(at + 3),
            fade: n(at + 4),
            clips: [from + at + 5, 7],
        };
        BodyRow {
            root: [n(0), n(1)],
            heading: n(2),
            torso: n(3),
            phase: n(4),
            fade: n(5),
            feet: [foot(7), foot(13)],
            clips: [from + 6, 7],
        }
    }

    fn names() -> impl Iterator<Item = &'static str> {
        Layout::Bodies.columns()[7..].iter().map(|column| column.name)
    }

    /// By hand: a header of 17 bytes for two values, then the two values.
    #[test]
    fn bodies_become_columns_in_the_order_of_the_schema() {
        let mut bytes = vec![0xaa; 5000];
        assert_eq!(put_bodies(&[counted(0), counted(100)], &mut bytes), 17 + 8);
        assert_eq!(bytes.len(), 19 * 25);
        for (index, column) in (0_u16..).zip(bytes.chunks_exact(25)) {
            assert_eq!(column[..17], [0x15, 0, 0x15, 16, 0x15, 16, 0x2c, 0x15, 4, 0x15, 0, 0x15, 6, 0x15, 6, 0, 0]);
            let value = |number: u16| match index {
                6 | 12 | 18 => 7 << 16 | u32::from(number),
                _ => f32::from(number).to_bits(),
            };
            assert_eq!(column[17..21], value(index).to_le_bytes(), "column {index}");
            assert_eq!(column[21..], value(100 + index).to_le_bytes(), "column {index}");
        }
    }

    #[test]
    fn bodies_come_back_for_any_number_of_them() {
        let (mut bytes, mut back) = (Vec::new(), Vec::new());
        for rows in [1, 63, 64, 65, 200, 0, 3] {
            let bodies: Vec<_> = (0..rows).map(|row| counted(row * 20)).collect();
            put_bodies(&bodies, &mut bytes);
            read_bodies(&bytes, names(), usize::from(rows), &mut back).expect("bodies");
            assert_eq!(back, bodies);
        }
    }

    #[test]
    fn every_number_that_is_not_finite_is_named() {
        assert_eq!((counted(0).not_finite(), counted(0).is_finite()), (None, true));
        for (index, name) in names().enumerate().filter(|(_, name)| !name.contains("clips")) {
            for value in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                let mut words = counted(0).words();
                words[index] = value.to_bits();
                let body = BodyRow::from_words(&words);
                assert!(!body.is_finite(), "{name}");
                let (found, at) = body.not_finite().expect(name);
                assert_eq!((found, at.to_bits()), (name, value.to_bits()));
            }
        }
    }

    #[test]
    fn wrong_headers_and_lengths_are_refused() {
        let (mut bytes, mut back) = (Vec::new(), Vec::new());
        let chunk = put_bodies(&[counted(0), counted(100)], &mut bytes);
        for (column, name) in names().enumerate() {
            for at in 0..17 {
                let mut wrong = bytes.clone();
                wrong[column * chunk + at] ^= 1;
                let error = read_bodies(&wrong, names(), 2, &mut back).expect_err(name);
                assert_eq!(error, format!("column {name}: a page header is not of the kind we write"));
            }
        }
        for rows in [0, 1, 3, 1 << 18] {
            assert!(read_bodies(&bytes, names(), rows, &mut back).is_err());
        }
        assert!(read_bodies(&bytes[1..], names(), 2, &mut back).is_err());
    }
}
