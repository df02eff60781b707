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

/// The lanes of x86-64.
///
/// Why `unsafe`: ORCA with these registers is 1.1 to 1.3 times as fast as with arrays of eight left to the compiler where
/// there is SSE2 only, and 1.9 to 2.3 times where there is AVX2 (bench `peers`, column "plain lanes").
#[cfg(target_arch = "x86_64")]
#[allow(unsafe_code)]
mod x86 {
    use super::{Add, Div, LANES, Lanes, Mul, Sub};
    use std::arch::x86_64::*;

    /// Two registers of four. Every x86-64 has them.
    #[derive(Debug, Clone, Copy)]
    pub struct Sse2(__m128, __m128);

    /// One register of eight. Only inside functions marked for AVX2, which only [`super::Width::detect`] leads to.
    #[derive(Debug, Clone, Copy)]
    pub struct Avx2(__m256);

    // SAFETY, all of `Sse2`: SSE2 is part of x86-64; loads and stores are unaligned and within arrays of eight.
    operators!(
        Sse2,
        (Add, add, a, b, unsafe { Sse2(_mm_add_ps(a.0, b.0), _mm_add_ps(a.1, b.1)) }),
        (Sub, sub, a, b, unsafe { Sse2(_mm_sub_ps(a.0, b.0), _mm_sub_ps(a.1, b.1)) }),
        (Mul, mul, a, b, unsafe { Sse2(_mm_mul_ps(a.0, b.0), _mm_mul_ps(a.1, b.1)) }),
        (Div, div, a, b, unsafe { Sse2(_mm_div_ps(a.0, b.0), _mm_div_ps(a.1, b.1)) })
    );

    // SAFETY, all of `Avx2`: values of this type are only made and used in kernels marked `target_feature(enable =
    // "avx2")`, which are called after `Width::detect` found the feature; loads and stores as above.
    operators!(
        Avx2,
        (Add, add, a, b, unsafe { Avx2(_mm256_add_ps(a.0, b.0)) }),
        (Sub, sub, a, b, unsafe { Avx2(_mm256_sub_ps(a.0, b.0)) }),
        (Mul, mul, a, b, unsafe { Avx2(_mm256_mul_ps(a.0, b.0)) }),
        (Div, div, a, b, unsafe { Avx2(_mm256_div_ps(a.0, b.0)) })
    );

    /// A two-register function from a four-lane one.
    macro_rules! halves {
        ($f:ident, $a:expr, $b:expr) => {
            unsafe { Sse2($f($a.0, $b.0), $f($a.1, $b.1)) }
        };
    }

    impl Lanes for Sse2 {
        #[inline(always)]
        fn splat(value: f32) -> Self {
            unsafe { Sse2(_mm_set1_ps(value), _mm_set1_ps(value)) }
        }
        #[inline(always)]
        fn load(values: &[f32; LANES]) -> Self {
            unsafe { Sse2(_mm_loadu_ps(values.as_ptr()), _mm_loadu_ps(values.as_ptr().add(4))) }
        }
        #[inline(always)]
        fn store(self, values: &mut [f32; LANES]) {
            unsafe {
                _mm_storeu_ps(values.as_mut_ptr(), self.0);
                _mm_storeu_ps(values.as_mut_ptr().add(4), self.1);
            }
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            unsafe { Sse2(_mm_sqrt_ps(self.0), _mm_sqrt_ps(self.1)) }
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            halves!(_mm_min_ps, self, other)
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            halves!(_mm_max_ps, self, other)
        }
        #[inline(always)]
        fn lt(self, other: Self) -> Self {
            halves!(_mm_cmplt_ps, self, other)
        }
        #[inline(always)]
        fn le(self, other: Self) -> Self {
            halves!(_mm_cmple_ps, self, other)
        }
        #[inline(always)]
        fn same(self, other: Self) -> Self {
            halves!(_mm_cmpeq_ps, self, other)
        }
        #[inline(always)]
        fn same_bits(self, other: Self) -> Self {
            unsafe {
                let half = |a, b| _mm_castsi128_ps(_mm_cmpeq_epi32(_mm_castps_si128(a), _mm_castps_si128(b)));
                Sse2(half(self.0, other.0), half(self.1, other.1))
            }
        }
        #[inline(always)]
        fn and(self, other: Self) -> Self {
            halves!(_mm_and_ps, self, other)
        }
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            halves!(_mm_or_ps, self, other)
        }
        #[inline(always)]
        fn not_and(self, other: Self) -> Self {
            halves!(_mm_andnot_ps, self, other)
        }
        #[inline(always)]
        fn select(self, yes: Self, no: Self) -> Self {
            self.and(yes).or(self.not_and(no))
        }
        #[inline(always)]
        fn bits(self) -> u8 {
            unsafe { (_mm_movemask_ps(self.0) | _mm_movemask_ps(self.1) << 4) as u8 }
        }
        #[inline(always)]
        fn power_of_two(self) -> Self {
            unsafe {
                let half = |a| {
                    let exponent = _mm_add_epi32(_mm_cvtps_epi32(a), _mm_set1_epi32(127));
                    _mm_castsi128_ps(_mm_slli_epi32::<23>(exponent))
                };
                Sse2(half(self.0), half(self.1))
            }
        }
        #[inline(always)]
        fn transpose(rows: &[[f32; LANES]; LANES]) -> [Self; LANES] {
            let r = [
                Self::load(&rows[0]),
                Self::load(&rows[1]),
                Self::load(&rows[2]),
                Self::load(&rows[3]),
                Self::load(&rows[4]),
                Self::load(&rows[5]),
                Self::load(&rows[6]),
                Self::load(&rows[7]),
            ];
            let (a, b) = (square(r[0].0, r[1].0, r[2].0, r[3].0), square(r[4].0, r[5].0, r[6].0, r[7].0));
            let (c, d) = (square(r[0].1, r[1].1, r[2].1, r[3].1), square(r[4].1, r[5].1, r[6].1, r[7].1));
            [
                Sse2(a[0], b[0]),
                Sse2(a[1], b[1]),
                Sse2(a[2], b[2]),
                Sse2(a[3], b[3]),
                Sse2(c[0], d[0]),
                Sse2(c[1], d[1]),
                Sse2(c[2], d[2]),
                Sse2(c[3], d[3]),
            ]
        }
    }

    /// Rows of four become columns.
    #[inline(always)]
    fn square(a: __m128, b: __m128, c: __m128, d: __m128) -> [__m128; 4] {
        unsafe {
            let (ab, cd) = (_mm_unpacklo_ps(a, b), _mm_unpacklo_ps(c, d));
            let (ab_high, cd_high) = (_mm_unpackhi_ps(a, b), _mm_unpackhi_ps(c, d));
            [
                _mm_movelh_ps(ab, cd),
                _mm_movehl_ps(cd, ab),
                _mm_movelh_ps(ab_high, cd_high),
                _mm_movehl_ps(cd_high, ab_high),
            ]
        }
    }

    impl Lanes for Avx2 {
        #[inline(always)]
        fn splat(value: f32) -> Self {
            unsafe { Avx2(_mm256_set1_ps(value)) }
        }
        #[inline(always)]
        fn load(values: &[f32; LANES]) -> Self {
            unsafe { Avx2(_mm256_loadu_ps(values.as_ptr())) }
        }
        #[inline(always)]
        fn store(self, values: &mut [f32; LANES]) {
            unsafe { _mm256_storeu_ps(values.as_mut_ptr(), self.0) }
        }
        #[inline(always)]
        fn sqrt(self) -> Self {
            unsafe { Avx2(_mm256_sqrt_ps(self.0)) }
        }
        #[inline(always)]
        fn min(self, other: Self) -> Self {
            unsafe { Avx2(_mm256_min_ps(self.0, other.0)) }
        }
        #[inline(always)]
        fn max(self, other: Self) -> Self {
            unsafe { Avx2(_mm256_max_ps(self.0, other.0)) }
        }
        #[inline(always)]
        fn lt(self, other: Self) -> Self {
            unsafe { Avx2(_mm256_cmp_ps::<_CMP_LT_OQ>(self.0, other.0)) }
        }
        #[inline(always)]
        fn le(self, other: Self) -> Self {
            unsafe { Avx2(_mm256_cmp_ps::<_CMP_LE_OQ>(self.0, other.0)) }
        }
        #[inline(always)]
        fn same(self, other: Self) -> Self {
            unsafe { Avx2(_mm256_cmp_ps::<_CMP_EQ_OQ>(self.0, other.0)) }
        }
        #[inline(always)]
        fn same_bits(self, other: Self) -> Self {
            unsafe {
                Avx2(_mm256_castsi256_ps(_mm256_cmpeq_epi32(_mm256_castps_si256(self.0), _mm256_castps_si256(other.0))))
            }
        }
        #[inline(always)]
        fn and(self, other: Self) -> Self {
            unsafe { Avx2(_mm256_and_ps(self.0, other.0)) }
        }
        #[inline(always)]
        fn or(self, other: Self) -> Self {
            unsafe { Avx2(_mm256_or_ps(self.0, other.0)) }
        }
        #[inline(always)]
        fn not_and(self, other: Self) -> Self {
            unsafe { Avx2(_mm256_andnot_ps(self.0, other.0)) }
        }
        #[inline(always)]
        fn select(self, yes: Self, no: Self) -> Self {
            unsafe { Avx2(_mm256_blendv_ps(no.0, yes.0, self.0)) }
        }
        #[inline(always)]
        fn bits(self) -> u8 {
            unsafe { _mm256_movemask_ps(self.0) as u8 }
        }
        #[inline(always)]
        fn power_of_two(self) -> Self {
            unsafe {
                let exponent = _mm256_add_epi32(_mm256_cvtps_epi32(self.0), _mm256_set1_epi32(127));
                Avx2(_mm256_castsi256_ps(_mm256_slli_epi32::<23>(exponent)))
            }
        }
        #[inline(always)]
        fn transpose(rows: &[[f32; LANES]; LANES]) -> [Self; LANES] {
            // Pairs of rows, then fours, both within the halves of a register; then the halves are put together.
            unsafe {
                let (a, b) = (Self::load(&rows[0]).0, Self::load(&rows[1]).0);
                let (c, d) = (Self::load(&rows[2]).0, Self::load(&rows[3]).0);
                let (e, f) = (Self::load(&rows[4]).0, Self::load(&rows[5]).0);
                let (g, h) = (Self::load(&rows[6]).0, Self::load(&rows[7]).0);
                let (ab, ab_high) = (_mm256_unpacklo_ps(a, b), _mm256_unpackhi_ps(a, b));
                let (cd, cd_high) = (_mm256_unpacklo_ps(c, d), _mm256_unpackhi_ps(c, d));
                let (ef, ef_high) = (_mm256_unpacklo_ps(e, f), _mm256_unpackhi_ps(e, f));
                let (gh, gh_high) = (_mm256_unpacklo_ps(g, h), _mm256_unpackhi_ps(g, h));
                let (p0, q0) = (_mm256_shuffle_ps::<0x44>(ab, cd), _mm256_shuffle_ps::<0x44>(ef, gh));
                let (p1, q1) = (_mm256_shuffle_ps::<0xee>(ab, cd), _mm256_shuffle_ps::<0xee>(ef, gh));
                let (p2, q2) =
                    (_mm256_shuffle_ps::<0x44>(ab_high, cd_high), _mm256_shuffle_ps::<0x44>(ef_high, gh_high));
                let (p3, q3) =
                    (_mm256_shuffle_ps::<0xee>(ab_high, cd_high), _mm256_shuffle_ps::<0xee>(ef_high, gh_high));
                [
                    Avx2(_mm256_permute2f128_ps::<0x20>(p0, q0)),
                    Avx2(_mm256_permute2f128_ps::<0x20>(p1, q1)),
                    Avx2(_mm256_permute2f128_ps::<0x20>(p2, q2)),
                    Avx2(_mm256_permute2f128_ps::<0x20>(p3, q3)),
                    Avx2(_mm256_permute2f128_ps::<0x31>(p0, q0)),
                    Avx2(_mm256_permute2f128_ps::<0x31>(p1, q1)),
                    Avx2(_mm256_permute2f128_ps::<0x31>(p2, q2)),
                    Avx2(_mm256_permute2f128_ps::<0x31>(p3, q3)),
                ]
            }
        }
    }
}

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
