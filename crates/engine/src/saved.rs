//! State as bytes and back: little-endian words one after another, nothing in between.
//!
//! Who owns state has its `save` and `load` beside it and takes itself apart in both, so that a forgotten field is a
//! compile error. What is read back may come from anywhere: counts are held against the bytes that are left before
//! anything is allocated.

use crate::journey::{Aim, TargetId};
use passerby_crowd::AgentId;
use passerby_geometry::Vec2;
use passerby_steering::{MEMORY_SLOTS, Memory, Seen, Turning};

/// What can be put into a checkpoint and read back from it.
pub(crate) trait Saved: Sized {
    /// Fewest bytes one takes.
    const SIZE_MIN: usize;
    /// Appends it.
    fn save(&self, to: &mut Vec<u8>);
    /// Reads it, or says what is wrong.
    fn load(from: &mut Bytes<'_>) -> Result<Self, String>;
}

/// Bytes that are still to be read.
pub(crate) struct Bytes<'a>(pub &'a [u8]);

impl Bytes<'_> {
    fn take<const N: usize>(&mut self) -> Result<[u8; N], String> {
        let (taken, rest) = self.0.split_first_chunk().ok_or("it ends in the middle of a value")?;
        self.0 = rest;
        Ok(*taken)
    }
}

macro_rules! saved_words {
    ($($word:ty),*) => {$(
        impl Saved for $word {
            const SIZE_MIN: usize = size_of::<$word>();
            fn save(&self, to: &mut Vec<u8>) {
                to.extend_from_slice(&self.to_le_bytes());
            }
            fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
                from.take().map(<$word>::from_le_bytes)
            }
        }
    )*};
}
saved_words!(u8, u32, u64, f32, f64);

impl Saved for bool {
    const SIZE_MIN: usize = 1;
    fn save(&self, to: &mut Vec<u8>) {
        u8::from(*self).save(to);
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        match u8::load(from)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(format!("{other} stands where yes (1) or no (0) is expected")),
        }
    }
}

impl<T: Saved> Saved for Option<T> {
    const SIZE_MIN: usize = 1;
    fn save(&self, to: &mut Vec<u8>) {
        self.is_some().save(to);
        self.iter().for_each(|value| value.save(to));
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        bool::load(from)?.then(|| T::load(from)).transpose()
    }
}

impl<T: Saved> Saved for Vec<T> {
    const SIZE_MIN: usize = u64::SIZE_MIN;
    fn save(&self, to: &mut Vec<u8>) {
        (self.len() as u64).save(to);
        self.iter().for_each(|value| value.save(to));
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        let (count, most) = (u64::load(from)?, from.0.len() / T::SIZE_MIN);
        if count > most as u64 {
            return Err(format!("it claims {count} values where there is room for {most}"));
        }
        (0..count).map(|_| T::load(from)).collect()
    }
}

/// Reads a column of so many people.
pub(crate) fn column<T: Saved>(from: &mut Bytes<'_>, people: usize) -> Result<Vec<T>, String> {
    let column: Vec<T> = Saved::load(from)?;
    if column.len() == people { Ok(column) } else { Err(format!("{} values for {people} people", column.len())) }
}

impl Saved for Vec2 {
    const SIZE_MIN: usize = 8;
    fn save(&self, to: &mut Vec<u8>) {
        (self.x.save(to), self.y.save(to));
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        Ok(Vec2::new(f32::load(from)?, f32::load(from)?))
    }
}

impl Saved for AgentId {
    const SIZE_MIN: usize = 4;
    fn save(&self, to: &mut Vec<u8>) {
        self.bits().save(to);
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        u32::load(from).map(AgentId::from_bits)
    }
}

impl<T: Saved> Saved for Box<T> {
    const SIZE_MIN: usize = T::SIZE_MIN;
    fn save(&self, to: &mut Vec<u8>) {
        (**self).save(to);
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        T::load(from).map(Box::new)
    }
}

impl Saved for Seen {
    const SIZE_MIN: usize = 1 + 4 + 4 + 8 + 8;
    fn save(&self, to: &mut Vec<u8>) {
        let Self { who, since, last, velocity, acceleration } = self;
        (who.save(to), since.save(to), last.save(to), velocity.save(to), acceleration.save(to));
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        Ok(Self {
            who: Saved::load(from)?,
            since: Saved::load(from)?,
            last: Saved::load(from)?,
            velocity: Saved::load(from)?,
            acceleration: Saved::load(from)?,
        })
    }
}

impl Saved for Turning {
    const SIZE_MIN: usize = 8;
    fn save(&self, to: &mut Vec<u8>) {
        let Self { rate, facing } = self;
        (rate.save(to), facing.save(to));
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        Ok(Self { rate: Saved::load(from)?, facing: Saved::load(from)? })
    }
}

impl Saved for Memory {
    const SIZE_MIN: usize = MEMORY_SLOTS * Seen::SIZE_MIN + 1;
    fn save(&self, to: &mut Vec<u8>) {
        let Self { seen, turning } = self;
        seen.iter().for_each(|seen| seen.save(to));
        turning.save(to);
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        let mut seen = [Seen::NOBODY; MEMORY_SLOTS];
        for seen in &mut seen {
            *seen = Saved::load(from)?;
        }
        Ok(Self { seen, turning: Saved::load(from)? })
    }
}

impl Saved for Aim {
    const SIZE_MIN: usize = 1;
    fn save(&self, to: &mut Vec<u8>) {
        match self {
            Aim::Nothing => 0u8.save(to),
            Aim::Own => 1u8.save(to),
            Aim::Target(TargetId(target)) => {
                2u8.save(to);
                target.save(to);
            }
        }
    }
    fn load(from: &mut Bytes<'_>) -> Result<Self, String> {
        match u8::load(from)? {
            0 => Ok(Aim::Nothing),
            1 => Ok(Aim::Own),
            2 => u32::load(from).map(|target| Aim::Target(TargetId(target))),
            other => Err(format!("{other} is no kind of aim")),
        }
    }
}
