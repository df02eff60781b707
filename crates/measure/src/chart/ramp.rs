//! Colours for numbers: even steps of the number are even steps for the eye.
//!
//! Colours are made in OKLCH (Björn Ottosson 2020): lightness, chroma and hue as people see them.

use super::sheet::Color;
use passerby_geometry::math::{powf, sin_cos};

/// The colour of a fraction from 0 (dark violet) over teal and green to 1 (light amber). Lightness rises evenly, so that the
/// order can be read without colours; it ends early enough to be seen on white.
pub fn ramp(fraction: f32) -> Color {
    let t = fraction.clamp(0.0, 1.0);
    let chroma = 0.145 - 0.21 * t * (1.0 - t);
    lch(0.34 + 0.44 * t, chroma, 300.0 - 228.0 * t)
}

/// The colour of a fraction from 0 (nearly white) over green and blue to 1 (dark violet): for what is more than nothing, on white.
pub fn pale(fraction: f32) -> Color {
    let t = fraction.clamp(0.0, 1.0);
    lch(0.95 - 0.63 * t, 0.045 + 0.085 * t + 0.1 * t * (1.0 - t), 105.0 + 195.0 * t)
}

/// The colour of the n-th of several kinds; after a dozen they repeat. Neighbours differ in lightness as well as in hue: red and
/// green of one lightness look the same to one man in twelve.
pub fn kind(n: usize) -> Color {
    const HUES: [(f32, f32); 6] =
        [(255.0, 0.58), (45.0, 0.67), (150.0, 0.47), (350.0, 0.62), (95.0, 0.76), (205.0, 0.52)];
    let (hue_deg, lightness) = HUES[n % HUES.len()];
    let dark = (n / HUES.len()) % 2 == 1;
    lch(if dark { lightness - 0.2 } else { lightness }, if dark { 0.09 } else { 0.13 }, hue_deg)
}

/// Lightness 0 to 1, chroma 0 to about 0.3, hue in degrees.
fn lch(lightness: f32, chroma: f32, hue_deg: f32) -> Color {
    let (sin, cos) = sin_cos(hue_deg.to_radians());
    let (a, b) = (chroma * cos, chroma * sin);
    let cube = |x: f32| x * x * x;
    let l = cube(lightness + 0.396_337_78 * a + 0.215_803_76 * b);
    let m = cube(lightness - 0.105_561_346 * a - 0.063_854_17 * b);
    let s = cube(lightness - 0.089_484_18 * a - 1.291_485_5 * b);
    let channel = |linear: f32| {
        let x = linear.clamp(0.0, 1.0);
        if x <= 0.003_130_8 { 12.92 * x } else { 1.055 * powf(x, 1.0 / 2.4) - 0.055 }.clamp(0.0, 1.0)
    };
    let red = channel(4.076_741_7 * l - 3.307_711_6 * m + 0.230_969_94 * s);
    let green = channel(-1.268_438 * l + 2.609_757_4 * m - 0.341_319_4 * s);
    let blue = channel(-0.004_196_086 * l - 0.703_418_6 * m + 1.707_614_7 * s);
    Color { rgb: [red, green, blue].map(|channel| (255.0 * channel).round() as u8), alpha: 1.0 }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Relative luminance of the sRGB standard, from 0 to 1.
    fn luminance(color: Color) -> f64 {
        let linear = |channel: u8| {
            let x = f64::from(channel) / 255.0;
            if x <= 0.04045 { x / 12.92 } else { passerby_geometry::math::double::powf((x + 0.055) / 1.055, 2.4) }
        };
        let [red, green, blue] = color.rgb.map(linear);
        0.2126 * red + 0.7152 * green + 0.0722 * blue
    }

    #[test]
    fn grey_has_equal_channels() {
        let [red, green, blue] = lch(0.5, 0.0, 0.0).rgb;
        assert!(red == green && green == blue);
        assert_eq!((lch(1.0, 0.0, 0.0).rgb, lch(0.0, 0.0, 0.0).rgb), ([255; 3], [0; 3]));
    }

    #[test]
    fn ramp_gets_lighter_all_the_way() {
        let values: Vec<f64> = (0..=20).map(|i| luminance(ramp(i as f32 / 20.0))).collect();
        assert!(values.windows(2).all(|pair| pair[0] < pair[1]), "{values:?}");
        assert!(values[20] < 0.7, "the light end must be seen on white: {}", values[20]);
    }

    /// Equal steps of the number are about equal steps of CIE lightness, which is not the lightness the ramps are made with: the
    /// order is seen without any colours.
    #[test]
    fn ramps_have_even_steps() {
        for colors in [ramp, pale] {
            let lightness = |i: usize| 116.0 * luminance(colors(i as f32 / 16.0)).cbrt() - 16.0;
            let steps: Vec<f64> = (0..16).map(|i| lightness(i + 1) - lightness(i)).collect();
            let mean = steps.iter().sum::<f64>() / 16.0;
            assert!(steps.iter().all(|step| (0.6..1.5).contains(&(step / mean))), "{steps:?}");
        }
    }

    #[test]
    fn kinds_differ() {
        for i in 0..12 {
            assert!((0..i).all(|j| kind(i) != kind(j)), "{i}");
        }
    }
}
