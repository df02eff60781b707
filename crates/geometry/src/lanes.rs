//! Eight floats in lockstep, with the same bits on every machine.
//!
//! Hot loops take eight neighbouring agents at a time, one per lane, with masks instead of branches. They are written once,
//! over [`Lanes`], from the operations that every processor rounds alike: `+ - * /`, square root, comparison, selection.
//! There is no fused multiply-add, no reciprocal estimate and no sum across lanes, so [`Plain`], [`Sse2`] and [`Avx2`] agree
//! to the bit and the widest one present can be chosen at run time ([`Width::detect`]).
//!
//! A mask is a value of the same type with all bits of a lane set or clear.
//!
//! A kernel for AVX2 is a function marked `#[target_feature(enable = "avx2")]` that calls the generic one; everything
//! in between has to be `#[inline(always)]`, or the compiler builds it without the feature.

use std::ops::{Add, Div, Mul, Sub};

/// How many lanes there are.
pub const LANES: usize = 8;

/// Eight `f32` in lockstep.
pub trait Lanes: Copy + Add<Output = Self> + Sub<Output = Self> + Mul<Output = Self> + Div<Output = Self> {
    /// The same value in each lane.
    fn splat(value: f32) -> Self;
    /// From memory.
    fn load(values: &[f32; LANES]) -> Self;
    /// To memory.
    fn store(self, values: &mut [f32; LANES]);
    /// Square root.
    fn sqrt(self) -> Self;
    /// The smaller one. Neither may be NaN; of +0 and -0 either.
    fn min(self, other: Self) -> Self;
    /// The larger one. Neither may be NaN; of +0 and -0 either.
    fn max(self, other: Self) -> Self;
    /// Mask of lanes in which `self < other`.
    fn lt(self, other: Self) -> Self;
    /// Mask of lanes in which `self <= other`.
    fn le(self, other: Self) -> Self;
    /// Mask of lanes in which `self == other`.
    fn same(self, other: Self) -> Self;
    /// Mask of lanes in which all 32 bits are the same.
    fn same_bits(self, other: Self) -> Self;
    /// Bitwise and.
    fn and(self, other: Self) -> Self;
    /// Bitwise or.
    fn or(self, other: Self) -> Self;
    /// Bitwise: not `self`, and `other`.
    fn not_and(self, other: Self) -> Self;
    /// `yes` in the lanes of the mask `self`, elsewhere `no`.
    fn select(self, yes: Self, no: Self) -> Self;
    /// One bit per lane of a mask, lane 0 lowest.
    fn bits(self) -> u8;
    /// 2 to the power of each lane, which holds a whole number from -126 to 127.
    fn power_of_two(self) -> Self;
    /// From eight rows in memory, one for each lane: value `i` of the result holds value `i` of every row.
    fn transpose(rows: &[[f32; LANES]; LANES]) -> [Self; LANES];

    /// The same 32 bits in each lane.
    #[inline(always)]
    fn splat_bits(bits: u32) -> Self {
        Self::splat(f32::from_bits(bits))
    }
    /// Whether the mask has any lane.
    #[inline(always)]
    fn any(self) -> bool {
        self.bits() != 0
    }
    /// The value without its sign.
    #[inline(always)]
    fn abs(self) -> Self {
        self.and(Self::splat_bits(0x7fff_ffff))
    }
    /// The value with the other sign.
    #[inline(always)]
    fn negate(self) -> Self {
        Self::splat(0.0) - self
    }
    /// Mask with the lanes of `bits`.
    #[inline(always)]
    fn mask(bits: u8) -> Self {
        let mut lanes = [0.0; LANES];
        for (lane, value) in lanes.iter_mut().enumerate() {
            *value = f32::from_bits(if bits >> lane & 1 == 1 { u32::MAX } else { 0 });
        }
        Self::load(&lanes)
    }
}

/// Which lanes to use. Only ever holds what the processor at hand has, which is what makes calling the kernels sound.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Width(Registers);

/// The kinds of registers that eight lanes are kept in.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Registers {
    /// An array of eight: any processor.
    Plain,
    /// Two registers of four: any x86-64.
    Sse2,
    /// One register of eight.
    Avx2,
}

impl Width {
    /// The widest that the processor at hand offers. Choosing another one changes the time, never the result.
    pub fn detect() -> Width {
        #[cfg(target_arch = "x86_64")]
        if std::arch::is_x86_feature_detected!("avx2") {
            return Width(Registers::Avx2);
        }
        Width::baseline()
    }

    /// What every processor of this architecture has.
    pub fn baseline() -> Width {
        Width(if cfg!(target_arch = "x86_64") { Registers::Sse2 } else { Registers::Plain })
    }

    /// An array of eight.
    pub fn plain() -> Width {
        Width(Registers::Plain)
    }

    /// Which registers it means.
    pub fn registers(self) -> Registers {
        self.0
    }
}

/// Eight floats in an array: the reference, and what other processors use.
#[derive(Debug, Clone, Copy)]
pub struct Plain([f32; LANES]);

impl Plain {
    #[inline(always)]
    fn both(self, other: Self, f: impl Fn(f32, f32) -> f32) -> Self {
        let mut out = [0.0; LANES];
        for (lane, value) in out.iter_mut().enumerate() {
            *value = f(self.0[lane], other.0[lane]);
        }
        Plain(out)
    }
    #[inline(always)]
    fn compare(self, other: Self, f: impl Fn(f32, f32) -> bool) -> Self {
        self.both(other, |a, b| f32::from_bits(if f(a, b) { u32::MAX } else { 0 }))
    }
    #[inline(always)]
    fn bitwise(self, other: Self, f: impl Fn(u32, u32) -> u32) -> Self {
        self.both(other, |a, b| f32::from_bits(f(a.to_bits(), b.to_bits())))
    }
}

impl Lanes for Plain {
    #[inline(always)]
    fn splat(value: f32) -> Self {
        Plain([value; LANES])
    }
    #[inline(always)]
    fn load(values: &[f32; LANES]) -> Self {
        Plain(*values)
    }
    #[inline(always)]
    fn store(self, values: &mut [f32; LANES]) {
        *values = self.0;
    }
    #[inline(always)]
    fn sqrt(self) -> Self {
        self.both(self, |a, _| a.sqrt())
    }
    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.both(other, |a, b| if a < b { a } else { b })
    }
    #[inline(always)]
    fn max(self, other: Self) -> Self {
        self.both(other, |a, b| if a > b { a } else { b })
    }
    #[inline(always)]
    fn lt(self, other: Self) -> Self {
        self.compare(other, |a, b| a < b)
    }
    #[inline(always)]
    fn le(self, other: Self) -> Self {
        self.compare(other, |a, b| a <= b)
    }
    #[inline(always)]
    fn same(self, other: Self) -> Self {
        self.compare(other, |a, b| a == b)
    }
    #[inline(always)]
    fn same_bits(self, other: Self) -> Self {
        self.bitwise(other, |a, b| if a == b { u32::MAX } else { 0 })
    }
    #[inline(always)]
    fn and(self, other: Self) -> Self {
        self.bitwise(other, |a, b| a & b)
    }
    #[inline(always)]
    fn or(self, other: Self) -> Self {
        self.bitwise(other, |a, b| a | b)
    }
    #[inline(always)]
    fn not_and(self, other: Self) -> Self {
        self.bitwise(other, |a, b| !a & b)
    }
    #[inline(always)]
    fn select(self, yes: Self, no: Self) -> Self {
        let mut out = no.0;
        for (lane, value) in out.iter_mut().enumerate() {
            if self.0[lane].to_bits() != 0 {
                *value = yes.0[lane];
            }
        }
        Plain(out)
    }
    #[inline(always)]
    fn bits(self) -> u8 {
        (0..LANES).fold(0, |bits, lane| bits | ((self.0[lane].to_bits() >> 31) as u8) << lane)
    }
    #[inline(always)]
    fn power_of_two(self) -> Self {
        self.both(self, |a, _| f32::from_bits(((a as i32 + 127) as u32) << 23))
    }
    #[inline(always)]
    fn transpose(rows: &[[f32; LANES]; LANES]) -> [Self; LANES] {
        let mut out = [Plain([0.0; LANES]); LANES];
        for (lane, row) in rows.iter().enumerate() {
            for (i, value) in row.iter().enumerate() {
                out[i].0[lane] = *value;
            }
        }
        out
    }
}

/// The four operators of a lane type, each through the function of its registers.
macro_rules! operators {
    ($type:ty, $(($trait:ident, $method:ident, $a:ident, $b:ident, $result:expr)),*) => {
        $(impl $trait for $type {
            type Output = Self;
            #[inline(always)]
            fn $method(self, other: Self) -> Self {
                let ($a, $b) = (self, other);
                $result
            }
        })*
    };
}

operators!(
    Plain,
    (Add, add, a, b, a.both(b, |a, b| a + b)),
    (Sub, sub, a, b, a.both(b, |a, b| a - b)),
    (Mul, mul, a, b, a.both(b, |a, b| a * b)),
    (Div, div, a, b, a.both(b, |a, b| a / b))
);

#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Sse2};

#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86;

#[cfg(test)]
mod tests {
    use super::*;

    /// One of each operation, the results stored.
    #[inline(always)]
    fn mix<L: Lanes>(a: &[f32; LANES], b: &[f32; LANES]) -> Vec<[u32; LANES]> {
        let mut rows = [*a, *b, *a, *b, *a, *b, *a, *b];
        for (i, row) in rows.iter_mut().enumerate() {
            row.rotate_left(i);
        }
        let columns = L::transpose(&rows);
        let (a, b) = (L::load(a), L::load(b));
        let less = a.lt(b);
        [
            a + b,
            a - b,
            a * b,
            a / b,
            a.abs().sqrt(),
            a.min(b),
            a.max(b),
            less,
            a.le(b),
            a.same(b),
            a.same_bits(b),
            a.and(b),
            a.or(b),
            a.not_and(b),
            less.select(a, b),
            a.negate(),
            L::mask(less.bits()),
            L::splat(1.5),
            crate::lane_math::exp(a.min(L::splat(80.0)).max(L::splat(-80.0))),
            columns[0],
            columns[1],
            columns[2],
            columns[3],
            columns[4],
            columns[5],
            columns[6],
            columns[7],
        ]
        .map(|lanes| {
            let mut out = [0.0; LANES];
            lanes.store(&mut out);
            out.map(f32::to_bits)
        })
        .to_vec()
    }

    #[cfg(target_arch = "x86_64")]
    #[target_feature(enable = "avx2")]
    fn mix_avx2(a: &[f32; LANES], b: &[f32; LANES]) -> Vec<[u32; LANES]> {
        mix::<Avx2>(a, b)
    }

    #[cfg(target_arch = "x86_64")]
    #[allow(unsafe_code)]
    #[test]
    fn all_widths_agree_to_the_bit() {
        let a = [1.5, -2.0, 0.1, 3.0e-20, 7.0, -0.3, 1.0e10, 5.0];
        let b = [0.7, -2.0, 9.0, 1.0, -7.1, 0.2, 3.0, 5.5];
        let plain = mix::<Plain>(&a, &b);
        assert_eq!(plain, mix::<Sse2>(&a, &b));
        if Width::detect().registers() == Registers::Avx2 {
            // SAFETY: just detected.
            assert_eq!(plain, unsafe { mix_avx2(&a, &b) });
        }
    }

    #[test]
    fn masks_select_and_count() {
        let mask = Plain::load(&[1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]).lt(Plain::splat(3.5));
        assert_eq!(mask.bits(), 0b111);
        let mut out = [0.0; LANES];
        mask.select(Plain::splat(1.0), Plain::splat(-1.0)).store(&mut out);
        assert_eq!(out, [1.0, 1.0, 1.0, -1.0, -1.0, -1.0, -1.0, -1.0]);
    }
}
