//! How far predictions of a place miss, as a covariance, and how much chance is in that, as its entropy.

use std::f64::consts::{E, TAU};

use passerby_geometry::DVec2;
use passerby_geometry::math::double::ln;

/// Variances are no smaller than this, (10 um)^2: a covariance of perfect predictions would have no entropy.
const VARIANCE_MIN: f64 = 1e-10;

/// Covariance of what predictions of somebody's place miss by, m2.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Covariance {
    /// Variance of x.
    pub xx: f64,
    /// Covariance of x and y.
    pub xy: f64,
    /// Variance of y.
    pub yy: f64,
}

impl Covariance {
    /// Misses that are the same in all directions, with this standard deviation along each axis, m.
    pub fn even(deviation: f64) -> Covariance {
        Covariance { xx: deviation * deviation, xy: 0.0, yy: deviation * deviation }
    }

    /// Entropy of a normal distribution with this covariance, nats: ln(2 pi e) + ln(det) / 2. It is negative when misses are
    /// small, zero at 0.242 m along each axis; to halve the misses is 2 ln 2 = 1.39 less.
    pub fn entropy(&self) -> f64 {
        // The determinant is the square of the product of the root's diagonal.
        let [x, y] = self.root();
        ln(TAU * E) + ln(x.x) + ln(y.y)
    }

    /// The lower triangle L, row by row, with L times its transpose the covariance (Cholesky).
    pub(crate) fn root(&self) -> [DVec2; 2] {
        let x = self.xx.max(VARIANCE_MIN).sqrt();
        let slant = self.xy / x;
        [DVec2::new(x, 0.0), DVec2::new(slant, (self.yy - slant * slant).max(VARIANCE_MIN).sqrt())]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entropy_is_that_of_the_formula() {
        let check = |covariance: Covariance, expected: f64| {
            let found = covariance.entropy();
            assert!((found - expected).abs() < 1e-9, "{found}, expected {expected}");
        };
        // ln(2 pi e) = 2.837877066409345
        check(Covariance::even(1.0), 2.837_877_066_409_345);
        check(Covariance::even(0.1), 2.837_877_066_409_345 - 4.605_170_185_988_091); // 2 ln 0.1
        check(Covariance::even(0.241_970_724_519_143_37), 0.0); // 1 / sqrt(2 pi e)
        // det = 0.04 0.09 - 0.03^2 = 0.0027, half of its logarithm is -2.957251752985927.
        let slanted = Covariance { xx: 0.04, xy: 0.03, yy: 0.09 };
        check(slanted, 2.837_877_066_409_345 - 2.957_251_752_985_927);
        let [x, y] = slanted.root();
        for (product, expected) in [(x.dot(x), 0.04), (x.dot(y), 0.03), (y.dot(y), 0.09)] {
            assert!((product - expected).abs() < 1e-15, "{product}, expected {expected}");
        }
        assert!(Covariance::even(0.0).entropy().is_finite());
    }
}
