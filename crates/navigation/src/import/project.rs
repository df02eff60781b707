//! From degrees to metres, for a place of a few kilometres.

use std::f64::consts::PI;

use passerby_geometry::DVec2;
use passerby_geometry::math::double;

/// The Earth of WGS 84: half its width at the equator, m, and its flattening.
const SEMI_MAJOR: f64 = 6_378_137.0;
const FLATTENING: f64 = 1.0 / 298.257_223_563;

/// A map that is true at its centre: x to the east, y to the north.
///
/// Equirectangular with the two radii of curvature that the ellipsoid has at the centre. A length that runs east at a
/// latitude farther north by d radians is drawn too long by the part d tan(latitude), [`Projection::distortion`].
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Projection {
    /// Longitude and latitude, degrees.
    pub centre: DVec2,
    /// Metres for a degree, to the east and to the north.
    metres: DVec2,
}

impl Projection {
    pub fn new(centre: DVec2) -> Projection {
        let (sin, cos) = double::sin_cos(centre.y * PI / 180.0);
        let squared = FLATTENING * (2.0 - FLATTENING);
        let w = (1.0 - squared * sin * sin).sqrt();
        let (meridian, normal) = (SEMI_MAJOR * (1.0 - squared) / (w * w * w), SEMI_MAJOR / w);
        Projection { centre, metres: DVec2::new(normal * cos, meridian) * (PI / 180.0) }
    }

    pub fn metres(&self, degrees: DVec2) -> DVec2 {
        (degrees - self.centre) * self.metres
    }

    /// How wrong a length may be as far from the centre as this, m, as a part of it.
    pub fn distortion(&self, north: f64) -> f64 {
        let latitude = self.centre.y.abs() * PI / 180.0;
        let away = (north / self.metres.y).abs() * PI / 180.0;
        let cos = |angle: f64| double::cos(angle.min(PI / 2.0));
        (cos(latitude) / cos(latitude + away).max(1e-9) - 1.0)
            .max(1.0 - cos(latitude) / cos((latitude - away).max(0.0)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Lengths of a degree at several latitudes: tables of the WGS 84 ellipsoid (National Geospatial-Intelligence
    /// Agency, length of a degree of latitude and longitude calculator), m.
    #[test]
    fn degrees_have_the_published_lengths() {
        let check = |latitude: f64, east: f64, north: f64| {
            let metres = Projection::new(DVec2::new(13.0, latitude)).metres(DVec2::new(14.0, latitude + 1.0));
            assert!((metres - DVec2::new(east, north)).abs().max_element() < 1.0, "{latitude}: {metres}");
        };
        check(0.0, 111_319.5, 110_574.3);
        check(45.0, 78_846.8, 111_131.8);
        check(60.0, 55_800.0, 111_412.2);
    }

    #[test]
    fn distortion_grows_with_the_way_north() {
        let berlin = Projection::new(DVec2::new(13.4, 52.5));
        // 1 km is 1.5706e-4 rad of a sphere of 6367 km: times tan(52.5 deg) = 1.3032.
        assert!((berlin.distortion(1000.0) - 2.04e-4).abs() < 2e-6, "{}", berlin.distortion(1000.0));
        assert_eq!(berlin.distortion(0.0), 0.0);
    }
}
