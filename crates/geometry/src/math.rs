//! Transcendental functions with the same bits on every platform and in every build.
//!
//! The standard library hands `exp`, `sin` and their like to the platform's C library, and those differ in the last bit
//! for 3-10 % of all inputs; a crowd amplifies one bit into another run within seconds. So the core takes them from
//! here (`f32`) and from [`double`] (`f64`); both are the `libm` crate, plain Rust everywhere. Additions, products,
//! divisions and `sqrt` are exact by IEEE 754 and come from the standard library.

use std::f64;

/// e to the power of `x`.
pub fn exp(x: f32) -> f32 {
    libm::expf(x)
}

/// Natural logarithm; NaN below zero, minus infinity at zero.
pub fn ln(x: f32) -> f32 {
    libm::logf(x)
}

/// Sine of an angle in radians.
pub fn sin(x: f32) -> f32 {
    libm::sinf(x)
}

/// Cosine of an angle in radians.
pub fn cos(x: f32) -> f32 {
    libm::cosf(x)
}

/// Sine and cosine of an angle in radians.
pub fn sin_cos(x: f32) -> (f32, f32) {
    libm::sincosf(x)
}

/// Tangent of an angle in radians.
pub fn tan(x: f32) -> f32 {
    libm::tanf(x)
}

/// Angle in [-pi/2, pi/2] whose sine is `x`; NaN outside [-1, 1].
pub fn asin(x: f32) -> f32 {
    libm::asinf(x)
}

/// Angle in [0, pi] whose cosine is `x`; NaN outside [-1, 1].
pub fn acos(x: f32) -> f32 {
    libm::acosf(x)
}

/// Direction of the vector (x, y) as an angle in [-pi, pi]. Mind the order: y comes first.
pub fn atan2(y: f32, x: f32) -> f32 {
    libm::atan2f(y, x)
}

/// `base` to the power of `exponent`.
pub fn powf(base: f32, exponent: f32) -> f32 {
    libm::powf(base, exponent)
}

/// The same direction as `angle`, in (-pi, pi].
pub fn wrap_angle(angle: f32) -> f32 {
    const PI: f32 = std::f32::consts::PI;
    if angle > -PI && angle <= PI {
        return angle;
    }
    // In f64: a full turn in f32 is off by 2e-7, which a thousand turns would add up to a visible angle.
    let wrapped = double::wrap_angle(f64::from(angle)) as f32;
    if wrapped <= -PI { PI } else { wrapped }
}

/// The same functions for `f64`.
pub mod double {
    use std::f64::consts::{PI, TAU};

    /// e to the power of `x`.
    pub fn exp(x: f64) -> f64 {
        libm::exp(x)
    }

    /// Natural logarithm; NaN below zero, minus infinity at zero.
    pub fn ln(x: f64) -> f64 {
        libm::log(x)
    }

    /// Sine of an angle in radians.
    pub fn sin(x: f64) -> f64 {
        libm::sin(x)
    }

    /// Cosine of an angle in radians.
    pub fn cos(x: f64) -> f64 {
        libm::cos(x)
    }

    /// Sine and cosine of an angle in radians.
    pub fn sin_cos(x: f64) -> (f64, f64) {
        libm::sincos(x)
    }

    /// Tangent of an angle in radians.
    pub fn tan(x: f64) -> f64 {
        libm::tan(x)
    }

    /// Angle in [-pi/2, pi/2] whose sine is `x`; NaN outside [-1, 1].
    pub fn asin(x: f64) -> f64 {
        libm::asin(x)
    }

    /// Angle in [0, pi] whose cosine is `x`; NaN outside [-1, 1].
    pub fn acos(x: f64) -> f64 {
        libm::acos(x)
    }

    /// Direction of the vector (x, y) as an angle in [-pi, pi]. Mind the order: y comes first.
    pub fn atan2(y: f64, x: f64) -> f64 {
        libm::atan2(y, x)
    }

    /// `base` to the power of `exponent`.
    pub fn powf(base: f64, exponent: f64) -> f64 {
        libm::pow(base, exponent)
    }

    /// The same direction as `angle`, in (-pi, pi].
    pub fn wrap_angle(angle: f64) -> f64 {
        if angle > -PI && angle <= PI {
            return angle;
        }
        let wrapped = angle - TAU * (angle / TAU).round();
        // Rounding may land a hair outside of the half-open range.
        if wrapped <= -PI || wrapped > PI { PI } else { wrapped }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;
    use std::f32::consts::{FRAC_PI_2, FRAC_PI_4, FRAC_PI_6, LN_2, PI};

    #[track_caller]
    fn check(value: f32, expected: f32) {
        assert!((value - expected).abs() <= 2e-7 * expected.abs().max(1.0), "{value}, expected {expected}");
    }

    #[test]
    fn known_values() {
        check(exp(0.0), 1.0);
        check(exp(-0.5), 0.606_530_66);
        check(ln(2.0), LN_2);
        check(sin(FRAC_PI_6), 0.5);
        check(cos(PI), -1.0);
        check(tan(FRAC_PI_4), 1.0);
        check(asin(0.5), FRAC_PI_6);
        check(acos(0.0), FRAC_PI_2);
        check(atan2(1.0, 0.0), FRAC_PI_2);
        check(atan2(1.0, -1.0), 3.0 * FRAC_PI_4);
        check(powf(2.0, 10.0), 1024.0);
        let (sine, cosine) = sin_cos(FRAC_PI_6);
        check(sine, 0.5);
        check(cosine, 0.866_025_4);
    }

    #[test]
    fn known_values_in_double() {
        let close = |value: f64, expected: f64| assert!((value - expected).abs() < 1e-14, "{value}, not {expected}");
        close(double::exp(1.0), f64::consts::E);
        close(double::ln(2.0), f64::consts::LN_2);
        close(double::sin(f64::consts::FRAC_PI_6), 0.5);
        close(double::cos(f64::consts::FRAC_PI_3), 0.5);
        close(double::tan(f64::consts::FRAC_PI_4), 1.0);
        close(double::asin(1.0), f64::consts::FRAC_PI_2);
        close(double::acos(-1.0), f64::consts::PI);
        close(double::atan2(-1.0, 0.0), -f64::consts::FRAC_PI_2);
        close(double::powf(2.0, 0.5), f64::consts::SQRT_2);
        close(double::sin_cos(f64::consts::FRAC_PI_6).0, 0.5);
        close(double::wrap_angle(3.0 * f64::consts::PI), f64::consts::PI);
    }

    #[test]
    fn angles_wrap_to_the_half_open_range() {
        check(wrap_angle(0.0), 0.0);
        check(wrap_angle(PI), PI);
        check(wrap_angle(-PI), PI); // the open end
        check(wrap_angle(1.5 * PI), -FRAC_PI_2);
        check(wrap_angle(-1.5 * PI), FRAC_PI_2);
        assert!(wrap_angle(f32::NAN).is_nan());
    }

    proptest! {
        #[test]
        fn wrapping_keeps_the_direction(angle in -1.0e4f32..1.0e4) {
            let wrapped = wrap_angle(angle);
            prop_assert!(wrapped > -PI && wrapped <= PI);
            let (from, to) = (double::sin_cos(f64::from(angle)), double::sin_cos(f64::from(wrapped)));
            prop_assert!((from.0 - to.0).abs() < 1e-6 && (from.1 - to.1).abs() < 1e-6);
        }
    }
}
