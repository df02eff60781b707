//! How tall somebody is, of which build, and what they wear: a function of the run's seed and their number alone.
//!
//! Statures are normal for each sex, with the spreads of adults in the United States 1960-62 (National Center for Health Statistics,
//! series 11 number 8: 2.85 and 2.58 inches) around round means of adults today. All else is ours: colours of a street.

use crate::mesh::{Shape, Slot};
use passerby_geometry::chance::{Chance, Purpose, Stream};

/// Mean and standard deviation of stature, m: men, women.
const STATURE: [(f64, f64); 2] = [(1.76, 0.0724), (1.63, 0.0655)];
/// Beyond this many standard deviations nobody is drawn: one in 300.
const SPREAD_MAX: f64 = 3.0;
/// Mean and standard deviation of build.
const BUILD: (f64, f64) = (1.03, 0.10);

const SKIN: [[u8; 3]; 8] = [
    [241, 203, 176],
    [232, 188, 158],
    [224, 174, 140],
    [208, 156, 120],
    [184, 130, 94],
    [150, 100, 70],
    [112, 74, 52],
    [82, 54, 40],
];
const HAIR: [[u8; 3]; 8] = [
    [32, 26, 24],
    [44, 32, 26],
    [66, 46, 34],
    [92, 64, 42],
    [134, 98, 60],
    [178, 142, 92],
    [126, 62, 36],
    [150, 148, 146],
];
/// With dark skin the first few only, and grey.
const DARK_HAIR: [[u8; 3]; 3] = [HAIR[0], HAIR[1], HAIR[7]];
const TOP: [[u8; 3]; 14] = [
    [238, 236, 230],
    [206, 208, 210],
    [48, 50, 56],
    [86, 92, 100],
    [44, 62, 96],
    [70, 110, 150],
    [122, 160, 190],
    [150, 44, 48],
    [186, 92, 72],
    [212, 170, 84],
    [66, 98, 78],
    [112, 128, 92],
    [128, 92, 128],
    [196, 140, 152],
];
const TROUSERS: [[u8; 3]; 9] = [
    [44, 46, 52],
    [60, 62, 70],
    [52, 66, 96],
    [72, 92, 124],
    [40, 52, 78],
    [104, 92, 78],
    [150, 134, 108],
    [84, 88, 76],
    [120, 122, 124],
];
const SHOES: [[u8; 3]; 6] = [[36, 32, 32], [58, 42, 34], [92, 66, 46], [220, 218, 212], [70, 76, 88], [128, 128, 126]];

/// sRGB of every slot.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Colours([[u8; 3]; Slot::ALL.len()]);

impl Colours {
    /// Of one slot, sRGB.
    pub fn of(&self, slot: Slot) -> [u8; 3] {
        self.0[slot as usize]
    }

    /// Of one slot as light, as graphics cards mix it: red, green, blue from 0 to 1.
    pub fn light(&self, slot: Slot) -> [f32; 3] {
        self.of(slot).map(|part| {
            let part = f32::from(part) / 255.0;
            if part <= 0.04045 { part / 12.92 } else { passerby_geometry::math::powf((part + 0.055) / 1.055, 2.4) }
        })
    }
}

/// How somebody looks.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Looks {
    /// Height, m.
    pub stature: f32,
    /// Girth and figure.
    pub shape: Shape,
    /// What is to be seen of skin, hair and clothes.
    pub colours: Colours,
}

impl Looks {
    /// Of the person of this number in a run of this seed.
    pub fn new(seed: u64, id: u32) -> Looks {
        let stream = &mut Chance::new(seed).stream(id, 0, Purpose::Looks);
        let female = stream.below(2);
        let (mean, deviation) = STATURE[female as usize];
        let stature = (mean + deviation * within(stream)) as f32;
        let build = (BUILD.0 + BUILD.1 * within(stream)) as f32;
        Looks { stature, shape: Shape { build, female: female as f32 }, colours: colours(stream, female == 1) }
    }
}

/// Normal, and drawn again where it is far out.
fn within(stream: &mut Stream) -> f64 {
    loop {
        let drawn = stream.normal();
        if drawn.abs() <= SPREAD_MAX {
            return drawn;
        }
    }
}

fn one_of(stream: &mut Stream, of: &[[u8; 3]]) -> [u8; 3] {
    of[stream.below(of.len() as u32) as usize]
}

fn colours(stream: &mut Stream, female: bool) -> Colours {
    let tone = stream.below(SKIN.len() as u32) as usize;
    let skin = SKIN[tone];
    let hair = if tone > 3 { one_of(stream, &DARK_HAIR) } else { one_of(stream, &HAIR) };
    let [top, trousers, shoes] = [one_of(stream, &TOP), one_of(stream, &TROUSERS), one_of(stream, &SHOES)];
    let long_hair = stream.uniform() < if female { 0.75 } else { 0.06 };
    let short_sleeves = stream.uniform() < 0.35;
    let bare_legs = stream.uniform() < if female { 0.2 } else { 0.1 };
    let mixed = |share: f32, with: [u8; 3]| -> [u8; 3] {
        std::array::from_fn(|i| (f32::from(skin[i]) * (1.0 - share) + f32::from(with[i]) * share) as u8)
    };
    Colours(Slot::ALL.map(|slot| match slot {
        Slot::Skin => skin,
        Slot::Hair => hair,
        Slot::Eyes => mixed(0.75, [38, 26, 22]),
        Slot::Lips => mixed(0.45, [150, 50, 48]),
        Slot::LongHair => {
            if long_hair {
                hair
            } else {
                skin
            }
        }
        Slot::Top => top,
        Slot::Sleeves => {
            if short_sleeves {
                skin
            } else {
                top
            }
        }
        Slot::Trousers => trousers,
        Slot::Legs => {
            if bare_legs {
                skin
            } else {
                trousers
            }
        }
        Slot::Shoes => shoes,
    }))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn looks_depend_on_seed_and_number_alone() {
        assert_eq!(Looks::new(7, 42), Looks::new(7, 42));
        assert_ne!(Looks::new(7, 42), Looks::new(7, 43));
        assert_ne!(Looks::new(7, 42), Looks::new(8, 42));
    }

    /// 20 000 people: means within five standard errors of those of the law, nobody beyond three deviations.
    #[test]
    fn statures_follow_the_laws_of_both_sexes() {
        let people: Vec<Looks> = (0..20_000).map(|id| Looks::new(3, id)).collect();
        for (female, mean, deviation) in [(0.0, 1.76, 0.0724), (1.0, 1.63, 0.0655)] {
            let statures: Vec<f64> =
                people.iter().filter(|one| one.shape.female == female).map(|one| f64::from(one.stature)).collect();
            let count = statures.len() as f64;
            assert!((count - 10_000.0).abs() < 5.0 * 70.7, "{count}");
            let average = statures.iter().sum::<f64>() / count;
            assert!((average - mean).abs() < 5.0 * deviation / count.sqrt(), "{average}");
            let square: f64 = statures.iter().map(|stature| (stature - average) * (stature - average)).sum();
            // Cut off at three deviations, a normal law's own is 1.3 % less.
            assert!(((square / count).sqrt() / deviation - 0.987).abs() < 0.035);
            assert!(statures.iter().all(|stature| (stature - mean).abs() < 3.0 * deviation + 1e-6));
        }
    }

    /// 188 is (188/255 + 0.055) / 1.055 to the power of 2.4 = 0.5029.
    #[test]
    fn light_is_what_srgb_stands_for() {
        let colours = Colours([[0, 188, 255]; Slot::ALL.len()]);
        let [dark, half, full] = colours.light(Slot::Top);
        assert!(dark == 0.0 && (half - 0.5029).abs() < 1e-4 && (full - 1.0).abs() < 1e-6, "{half}");
    }
}
