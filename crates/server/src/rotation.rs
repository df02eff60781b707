//! Rotations and offsets of joints in few bytes, as frames and the body's clips have them.

use passerby::geometry::{Quat, Vec3};

/// Offsets of hips are whole numbers of this many metres.
const HIPS_GRID: f32 = 1.0 / 8192.0;
/// Steps of a part of a rotation from -sqrt(1/2) to sqrt(1/2).
const STEPS: f32 = 32767.0;

/// Appends an offset: three numbers of 16 bits, lowest byte first; what is further than 4 m away is cut.
pub(crate) fn put_offset(offset: Vec3, out: &mut Vec<u8>) {
    for part in offset.to_array() {
        let steps = (part / HIPS_GRID).round().clamp(f32::from(i16::MIN), f32::from(i16::MAX)) as i16;
        out.extend(steps.to_le_bytes());
    }
}

/// Appends a rotation of unit length: its three smallest parts in 15 bits each. The highest bits of the first two tell which part is
/// left out; that one is taken as positive, since a rotation and its negative are the same.
pub(crate) fn put_rotation(rotation: Quat, out: &mut Vec<u8>) {
    let parts = rotation.to_array();
    let largest = (0..4).fold(0, |best, i| if parts[i].abs() > parts[best].abs() { i } else { best });
    let sign = if parts[largest] < 0.0 { -1.0 } else { 1.0 };
    let mut words = [0u16; 3];
    let rest = (0..4).filter(|i| *i != largest);
    for (word, i) in words.iter_mut().zip(rest) {
        let share = parts[i] * sign * std::f32::consts::FRAC_1_SQRT_2 + 0.5;
        *word = (share * STEPS).round().clamp(0.0, STEPS) as u16;
    }
    words[0] |= ((largest & 1) as u16) << 15;
    words[1] |= ((largest >> 1) as u16) << 15;
    words.iter().for_each(|word| out.extend(word.to_le_bytes()));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page does, written down again: `unpackRotation` in `page/frames.js`.
    fn unpacked(bytes: &[u8]) -> Quat {
        let word = |i: usize| u16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]]);
        let largest = usize::from(word(0) >> 15 | word(1) >> 15 << 1);
        let (mut parts, mut rest, mut at) = ([0.0; 4], 1.0, 0);
        for i in (0..4).filter(|i| *i != largest) {
            parts[i] = (f32::from(word(at) & 32767) / STEPS * 2.0 - 1.0) * std::f32::consts::FRAC_1_SQRT_2;
            rest -= parts[i] * parts[i];
            at += 1;
        }
        parts[largest] = rest.max(0.0).sqrt();
        Quat::from_array(parts)
    }

    /// By hand: no turn has three parts of nothing, half of 32767 steps rounded up, and leaves out the fourth: both highest bits.
    #[test]
    fn no_turn_is_three_middles() {
        let mut bytes = Vec::new();
        put_rotation(Quat::IDENTITY, &mut bytes);
        assert_eq!(bytes, [0x00, 0xc0, 0x00, 0xc0, 0x00, 0x40]);
    }

    #[test]
    fn rotations_come_back_within_a_hundredth_of_a_degree() {
        for i in 0..2000 {
            let part = |k: i32| ((i * 37 + k * 101) % 200 - 100) as f32 / 100.0;
            let drawn = Quat::from_xyzw(part(1), part(2), part(3), part(4));
            if drawn.length() < 0.1 {
                continue;
            }
            let rotation = drawn.normalize();
            let mut bytes = Vec::new();
            put_rotation(rotation, &mut bytes);
            let off = 1.0 - unpacked(&bytes).dot(rotation).abs();
            // Half an angle of 0.01 degrees: 1 - cos = 3.8e-9, below what single numbers tell; 2.5e-7 is 0.08 degrees.
            assert!(off < 2.5e-7, "{rotation}: {off}");
        }
    }

    #[test]
    fn offsets_come_back_within_a_tenth_of_a_millimetre_and_are_cut_at_four_metres() {
        let mut bytes = Vec::new();
        put_offset(Vec3::new(0.95, -0.031, 100.0), &mut bytes);
        let part = |i: usize| f32::from(i16::from_le_bytes([bytes[2 * i], bytes[2 * i + 1]])) * HIPS_GRID;
        assert!((part(0) - 0.95).abs() < 1e-4 && (part(1) + 0.031).abs() < 1e-4, "{} {}", part(0), part(1));
        assert_eq!(part(2), f32::from(i16::MAX) * HIPS_GRID);
    }
}
