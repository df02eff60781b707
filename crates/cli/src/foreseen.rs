//! How well people are foreseen who walk on as they walk: the entropy metric, with the plainest of predictors.

use crate::failure::Failure;
use crate::render;
use passerby::record::{Frame, Header, OwnedFrame, RecordError, Recording};
use passerby_measure::{ById, Entropy, EntropyOptions, Jumps, PersonState, entropy};
use serde_json::{Value, json};
use std::ops::ControlFlow;
use std::path::Path;

/// Seconds that are foreseen unless told otherwise: those between the rows of hand-annotated recordings.
pub const STEP_SECONDS: f64 = 0.4;

/// How well they are foreseen.
pub struct Foreseen {
    found: Entropy,
    step: f64,
    noise: f64,
}

impl Foreseen {
    /// Of the frames between two ticks, every `seconds`.
    pub fn new(
        recording: &Recording,
        ticks: (u32, u32),
        seconds: f64,
        jump_speed: f64,
        path: &Path,
    ) -> Result<Foreseen, Failure> {
        let held = recording.header();
        let frames = (seconds / (held.tick * f64::from(held.every))).round().max(1.0) as u32;
        let header = Header { every: held.every.saturating_mul(frames), ..held.clone() };
        let step = header.tick * f64::from(header.every);
        let mut walk_on = |_: &[u32], now: &[PersonState], next: &mut [PersonState]| {
            for (now, next) in now.iter().zip(next) {
                *next = PersonState { at: now.at + step * now.velocity, ..*now };
            }
        };
        let options = EntropyOptions::default();
        let mut unreadable: Option<RecordError> = None;
        let found = entropy(&header, &options, &mut walk_on, |see| {
            let mut thinned = Thinned::new(&header, jump_speed);
            let shown = recording.frames(ticks.0, ticks.1, &mut |frame| {
                thinned.see(frame, see);
                ControlFlow::Continue(())
            });
            unreadable = shown.err().or(unreadable.take());
        });
        if let Some(error) = unreadable {
            return Err(render::unreadable(path, error));
        }
        let found = found.map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
        Ok(Foreseen { found, step, noise: options.noise })
    }

    /// For programs.
    pub fn json(&self) -> Value {
        let Entropy { entropy, covariance, predictions, turns } = self.found;
        json!({
            "predictor": "walks on at the same velocity",
            "nats": entropy,
            "step_s": self.step,
            "noise_m": self.noise,
            "error_m": [covariance.xx.sqrt(), covariance.yy.sqrt()],
            "predictions": predictions,
            "turns": turns,
        })
    }

    /// For people.
    pub fn row(&self) -> (String, String) {
        let Entropy { entropy, covariance, predictions, .. } = self.found;
        let (x, y) = (covariance.xx.sqrt(), covariance.yy.sqrt());
        let value = format!(
            "{entropy:.2} nats: walking on misses by {x:.3} m and {y:.3} m in {:.2} s, {predictions} predictions",
            self.step
        );
        ("entropy".to_owned(), value)
    }
}

/// Every so many ticks a frame, without those who have jumped since the one before: who is missing for a frame is foreseen anew.
struct Thinned {
    first: Option<u32>,
    every: u32,
    jumps: Jumps,
    parts: ById<u32>,
    kept: OwnedFrame,
}

impl Thinned {
    fn new(header: &Header, jump_speed: f64) -> Thinned {
        let jumps = Jumps::new(jump_speed, header.tick);
        Thinned { first: None, every: header.every, jumps, parts: ById::default(), kept: OwnedFrame::default() }
    }

    fn see(&mut self, frame: &Frame<'_>, see: &mut dyn FnMut(&Frame<'_>)) {
        let Thinned { first, every, jumps, parts, kept } = self;
        let now = jumps.see(frame);
        let first = *first.get_or_insert(frame.tick);
        if !(frame.tick - first).is_multiple_of(*every) {
            return;
        }
        *kept = OwnedFrame { tick: frame.tick, ..OwnedFrame::default() };
        parts.visit(
            frame,
            |row| now[row],
            |row, part| {
                if std::mem::replace(part, now[row]) == now[row] {
                    kept.id.push(frame.id[row]);
                    (kept.x.push(frame.x[row]), kept.y.push(frame.y[row]));
                    (kept.vx.push(frame.vx[row]), kept.vy.push(frame.vy[row]), kept.heading.push(frame.heading[row]));
                }
            },
        );
        see(&kept.as_frame());
    }
}
