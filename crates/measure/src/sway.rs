//! How heads sway from step to step: what smoothing takes away, across the way somebody walks.
//!
//! It tells how far recorded places can be trusted as the middle of a body, and whether sway comes near the filter's band: at
//! 1.4 m/s heads swing about once a second, well above 0.5 Hz; in a jam they swing so slowly that part of it is left.

use std::f64::consts::TAU;

use passerby_geometry::DVec2;
use passerby_geometry::math::double::sin_cos;

use crate::{Samples, SmoothError, Smoothing};

/// Frequencies that are looked at, Hz, and the step between them. People do not swing slower or faster than that.
const SLOWEST: f64 = 0.3;
const FASTEST: f64 = 3.0;
const APART: f64 = 0.01;
/// Swings at the slowest frequency that a walk must have room for: of fewer nothing can be said.
const SWINGS_MIN: f64 = 1.0;
/// Below this speed, m/s, there is no direction to sway across.
const SPEED_MIN: f64 = 0.05;

/// Somebody's sway.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Sway {
    /// Who.
    pub id: u32,
    /// Half of the width they swing over, m: sqrt(2) times the root mean square.
    pub amplitude: f64,
    /// How often they swing from one side to the other and back, Hz: where the periodogram under a Hann window is highest.
    pub frequency: f64,
    /// Mean speed without sway, m/s.
    pub speed: f64,
}

/// Sway of everybody who walks long enough to tell: 3.3 s, and not standing. In order of the beginning of walks.
pub fn sway(samples: &Samples, smoothing: &Smoothing) -> Result<Vec<Sway>, SmoothError> {
    let smoothed = samples.smoothed(smoothing)?;
    let step = smoothed.step;
    let mut plain = samples.walks().into_iter();
    let mut found = Vec::new();
    for smooth in &smoothed.walks {
        let same = |walk: &&crate::SampledWalk| (walk.first, walk.id) == (smooth.first, smooth.id);
        let Some(walk) = plain.find(same) else { break };
        let n = walk.places.len();
        if step * n as f64 * SLOWEST < SWINGS_MIN {
            continue;
        }
        let velocities: Vec<DVec2> = (smooth.first..smooth.end()).map(|sample| smooth.velocity(sample, step)).collect();
        let speed = velocities.iter().map(|velocity| velocity.length()).sum::<f64>() / n as f64;
        if speed < SPEED_MIN {
            continue;
        }
        let aside: Vec<f64> =
            (0..n).map(|k| velocities[k].perp().normalize_or_zero().dot(walk.places[k] - smooth.places[k])).collect();
        let squares: f64 = aside.iter().map(|aside| aside * aside).sum();
        let amplitude = (2.0 * squares / n as f64).sqrt();
        found.push(Sway { id: walk.id, amplitude, frequency: peak(&aside, step), speed });
    }
    Ok(found)
}

/// The frequency that is strongest in a series, Hz.
fn peak(series: &[f64], step: f64) -> f64 {
    let n = series.len() as f64;
    let mean = series.iter().sum::<f64>() / n;
    // Without a window the strongest frequency leaks into its neighbours.
    let hann = |k: usize| 0.5 - 0.5 * sin_cos(TAU * k as f64 / (n - 1.0)).1;
    let windowed: Vec<f64> = series.iter().enumerate().map(|(k, value)| hann(k) * (value - mean)).collect();
    let fastest = FASTEST.min(0.5 / step);
    let count = ((fastest - SLOWEST) / APART) as usize + 1;
    let frequency = |k: usize| SLOWEST + APART * k as f64;
    let power = |frequency: f64| {
        // Turned on by one step after another; the error of that grows no larger than 1e-13 a thousand steps.
        let (sin, cos) = sin_cos(TAU * frequency * step);
        let (turn, mut at, mut sum) = (DVec2::new(cos, sin), DVec2::X, DVec2::ZERO);
        for value in &windowed {
            sum += *value * at;
            at = turn.rotate(at);
        }
        sum.length_squared()
    };
    let mut best = (0.0, SLOWEST);
    for frequency in (0..count).map(frequency) {
        let power = power(frequency);
        if power > best.0 {
            best = (power, frequency);
        }
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::samples::tests::{frame, header};

    /// Somebody who walks in a direction and swings across it.
    fn found(speed: f64, amplitude: f64, frequency: f64, seconds: u32) -> Vec<Sway> {
        let mut samples = Samples::new(&header(0.04, 1));
        let along = DVec2::new(0.6, 0.8);
        for tick in 0..25 * seconds {
            let t = 0.04 * f64::from(tick);
            let at = speed * t * along + amplitude * sin_cos(TAU * frequency * t).0 * along.perp();
            frame(tick, &[(7, at.x, at.y)], |frame| samples.see(frame));
        }
        sway(&samples, &Smoothing::default()).unwrap()
    }

    #[test]
    fn sway_is_found_as_it_was_made() {
        // The filter leaves 1 / (1 + (f / 0.5)^6) of it in the smoothed way: 2 % at 0.95 Hz, 0.4 % at 1.25 Hz.
        for (speed, amplitude, frequency) in [(1.4, 0.04, 0.95), (1.0, 0.06, 1.25), (0.3, 0.02, 0.8)] {
            let [sway] = found(speed, amplitude, frequency, 12)[..] else { panic!("one person") };
            assert!((sway.frequency - frequency).abs() <= 0.02, "{sway:?}, made {frequency} Hz");
            assert!((sway.amplitude - amplitude).abs() <= 0.1 * amplitude, "{sway:?}, made {amplitude} m");
            assert!((sway.speed - speed).abs() <= 0.02 * speed, "{sway:?}, made {speed} m/s");
        }
    }

    #[test]
    fn who_stands_or_is_gone_soon_has_none() {
        assert!(found(0.0, 0.0, 1.0, 12).is_empty());
        assert!(found(1.4, 0.04, 1.0, 3).is_empty());
        assert_eq!(found(1.4, 0.04, 1.0, 4).len(), 1);
    }
}
