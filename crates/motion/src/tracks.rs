//! Which clip goes with a velocity: rings of speed, cut into sectors of direction.
//!
//! Animation Planning Mediator, "Avatar Locomotion": a track covers the speeds from the next slower clip up to its own. Going
//! inwards a track takes over the sectors of the faster one; a clip of nearly the same direction takes the place of the one
//! before it, any other adds a sector. Sectors end half way between neighbouring directions; the other half circle is the mirror
//! image.

use crate::library::ClipId;
use std::f32::consts::PI;

/// Clips that differ by less in speed share a track, m/s: eps_v of the paper, whose library has ten walks. A library with more of them takes less.
pub const SPEED_NEAR: f32 = 0.05;
/// Clips that differ by less in direction are one sector, rad.
pub const ANGLE_NEAR: f32 = 0.17;
/// How much faster than the fastest clip of a track is played at the most.
pub const HURRY: f32 = 1.25;

/// What tracks are made from: how fast a clip goes and where to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Going {
    /// Which.
    pub clip: ClipId,
    /// Mean speed, m/s.
    pub speed: f32,
    /// Direction of its velocity against the torso, from 0 to pi.
    pub alpha: f32,
}

/// A clip, and how it is to be played.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Choice {
    /// Which.
    pub clip: ClipId,
    /// Left and right exchanged.
    pub mirrored: bool,
    /// Played backwards.
    pub reversed: bool,
    /// How fast it is to be played: negative for a reversed one.
    pub tau: f32,
}

#[derive(Debug, Clone, Copy, PartialEq)]
struct Sector {
    /// Where it ends, rad; the next one begins there.
    until: f32,
    clip: ClipId,
    speed: f32,
    reversed: bool,
    /// Whether it goes so nearly straight on (or back) that a mirror image would be the same.
    straight: bool,
}

#[derive(Debug, Clone, PartialEq)]
struct Track {
    /// Fastest speed it covers, m/s.
    speed: f32,
    sectors: Vec<Sector>,
}

/// All tracks, the fastest first.
#[derive(Debug, Clone, PartialEq)]
pub struct Tracks {
    tracks: Vec<Track>,
}

impl Tracks {
    /// Puts clips on tracks; those that differ by less than `near` in speed share one. With `reversal` a clip also serves the opposite direction, played backwards, unless a forward one is as
    /// near. There must be at least one clip, and none may stand still.
    pub fn new(clips: &[Going], near: f32, reversal: bool) -> Self {
        let mut clips = clips.to_vec();
        assert!(clips.iter().all(|clip| clip.speed > 0.0) && !clips.is_empty(), "tracks need clips that go somewhere");
        clips.sort_by(|a, b| b.speed.total_cmp(&a.speed).then(a.alpha.total_cmp(&b.alpha)).then(a.clip.cmp(&b.clip)));
        let (mut tracks, mut serving): (Vec<Track>, Vec<Going>) = (Vec::new(), Vec::new());
        let mut rest = &clips[..];
        while let Some(first) = rest.first() {
            let together = rest.iter().take_while(|clip| first.speed - clip.speed < near).count();
            for clip in &rest[..together] {
                match serving.iter_mut().find(|old| (old.alpha - clip.alpha).abs() < ANGLE_NEAR) {
                    Some(old) => *old = *clip,
                    None => serving.push(*clip),
                }
            }
            serving.sort_by(|a, b| a.alpha.total_cmp(&b.alpha));
            tracks.push(Track { speed: first.speed, sectors: sectors(&serving, reversal) });
            rest = &rest[together..];
        }
        Self { tracks }
    }

    /// The clip for a speed and a direction against the torso, rad from -pi to pi.
    pub fn choose(&self, speed: f32, phi: f32) -> Choice {
        let track = self.tracks.iter().rev().find(|track| speed <= track.speed).unwrap_or(&self.tracks[0]);
        let angle = phi.abs().min(PI);
        let at = track.sectors.iter().position(|sector| angle < sector.until).unwrap_or(track.sectors.len() - 1);
        let sector = track.sectors[at];
        let fastest = std::ptr::eq(track, &raw const self.tracks[0]);
        let tau = (speed / sector.speed).min(if fastest { HURRY } else { 1.0 });
        let mirrored = if sector.straight && !sector.reversed { false } else { sector.reversed != (phi < 0.0) };
        Choice { clip: sector.clip, mirrored, reversed: sector.reversed, tau: if sector.reversed { -tau } else { tau } }
    }
}

/// Sectors of clips in the order of their directions.
fn sectors(serving: &[Going], reversal: bool) -> Vec<Sector> {
    let mut all: Vec<(Going, f32, bool)> = serving.iter().map(|clip| (*clip, clip.alpha, false)).collect();
    if reversal {
        for clip in serving {
            let alpha = PI - clip.alpha;
            if serving.iter().all(|other| (other.alpha - alpha).abs() >= ANGLE_NEAR) {
                all.push((*clip, alpha, true));
            }
        }
        all.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.2.cmp(&b.2)));
    }
    let until = |i: usize| all.get(i + 1).map_or(f32::INFINITY, |next| (all[i].1 + next.1) / 2.0);
    let straight = |alpha: f32| !(ANGLE_NEAR..=PI - ANGLE_NEAR).contains(&alpha);
    (0..all.len())
        .map(|i| {
            let (clip, alpha, reversed) = all[i];
            Sector { until: until(i), clip: clip.clip, speed: clip.speed, reversed, straight: straight(alpha) }
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The clips of the worked example: A1 is clip 1.
    fn tracks(reversal: bool) -> Tracks {
        let clips = [(1.80, 0.0), (1.30, 0.0), (1.28, 45.0), (0.70, 90.0), (0.68, 1.0), (0.40, 40.0)];
        let going = |(i, (speed, alpha)): (usize, &(f32, f32))| Going {
            clip: ClipId(i as u16 + 1),
            speed: *speed,
            alpha: alpha.to_radians(),
        };
        Tracks::new(&clips.iter().enumerate().map(going).collect::<Vec<_>>(), SPEED_NEAR, reversal)
    }

    #[test]
    fn tracks_and_sectors_of_the_worked_example() {
        let tracks = tracks(false);
        let check = |track: usize, speed: f32, sectors: &[(u16, f32)]| {
            let track = &tracks.tracks[track];
            assert_eq!(track.speed, speed);
            assert_eq!(track.sectors.len(), sectors.len());
            for (sector, (clip, until)) in track.sectors.iter().zip(sectors) {
                assert_eq!(sector.clip.0, *clip);
                let degrees = sector.until.to_degrees().min(180.0);
                assert!((degrees - until).abs() < 1e-4, "{degrees}, expected {until}");
            }
        };
        check(0, 1.80, &[(1, 180.0)]);
        check(1, 1.30, &[(2, 22.5), (3, 180.0)]);
        check(2, 0.70, &[(5, 23.0), (3, 67.5), (4, 180.0)]);
        check(3, 0.40, &[(5, 20.5), (6, 65.0), (4, 180.0)]);
    }

    #[test]
    fn choices_of_the_worked_example() {
        let check = |speed: f32, phi: f32, clip: u16, mirrored: bool, tau: f32| {
            let choice = tracks(true).choose(speed, phi.to_radians());
            assert_eq!((choice.clip.0, choice.mirrored), (clip, mirrored), "{speed} m/s, {phi} degrees");
            assert!((choice.tau - tau).abs() < 1e-5, "{speed} m/s, {phi} degrees: tau {}, expected {tau}", choice.tau);
        };
        check(1.5, 10.0, 1, false, 0.833333);
        check(1.2, 30.0, 3, false, 0.937500);
        check(0.65, -80.0, 4, true, 0.928571);
        check(0.3, 25.0, 6, false, 0.75);
        check(0.5, 170.0, 5, true, -0.735294);
        check(1.29, 40.0, 3, false, 1.0);
        // Beyond the fastest clip it is played up to a quarter faster.
        check(2.0, 0.0, 1, false, 1.111111);
        check(9.0, 0.0, 1, false, 1.25);
    }
}
