//! A recording as a film: people as discs with their heading, what they walked last, clock and scale.

use crate::failure::Failure;
use crate::ffmpeg::{Encoder, Frames, Kind};
use crate::film_frame::{Drawer, place};
use crate::layout::Layout;
use crate::{interrupt, legend, picture, progress, render};
use anyhow::{Context, anyhow};
use clap::Args;
use passerby::record::{Frame, OwnedFrame, Recording};
use passerby_measure::chart::Pixels;
use std::fs;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

/// Width of a film nobody asked more of, pixels.
pub const WIDTH: u32 = 1280;

/// How a film is made.
#[derive(Debug, Default, Args)]
pub struct Film {
    /// Films: frames a second [default: 25]
    #[arg(long, value_name = "F", allow_negative_numbers = true)]
    fps: Option<f64>,
    /// Films: seconds of the recording in a second of the film [default: 1]
    #[arg(long, value_name = "X", allow_negative_numbers = true)]
    speed: Option<f64>,
    /// Films: how much of their way people trail behind them, s [default: 2]
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    trail: Option<f64>,
    /// Films: where the program ffmpeg is [default: found in PATH]
    #[arg(long, value_name = "PATH")]
    ffmpeg: Option<PathBuf>,
}

/// Which film.
#[derive(Debug, Clone, Copy)]
pub struct Wanted<'a> {
    pub kind: Kind,
    pub width: u32,
    pub ticks: (u32, u32),
    pub to: &'a Path,
    pub quiet: bool,
}

/// Numbers of a film that were checked.
#[derive(Debug, Clone, Copy)]
pub struct Plan {
    pub fps: f64,
    pub speed: f64,
    pub trail: f64,
    /// First tick, and ticks from one frame of the film to the next.
    pub first: f64,
    pub step: f64,
    pub count: u64,
}

impl Film {
    /// Pictures have no frame rate.
    pub fn refuse_for_pictures(&self) -> Result<(), Failure> {
        let given =
            [("--fps", self.fps.is_some()), ("--speed", self.speed.is_some()), ("--trail", self.trail.is_some())];
        match given.iter().find(|(_, given)| *given) {
            Some((option, _)) => {
                Err(Failure::input(format!("{option}: is for films; name a file that ends in .mp4 or .gif with --to")))
            }
            None => Ok(()),
        }
    }

    fn plan(&self, recording: &Recording, ticks: (u32, u32)) -> Result<Plan, Failure> {
        let check = |option: &str, value: Option<f64>, default: f64, low: f64, high: f64| match value.unwrap_or(default)
        {
            value if (low..=high).contains(&value) => Ok(value),
            value => Err(Failure::input(format!("{option} {value}: not possible\n    allowed: {low} to {high}"))),
        };
        let fps = check("--fps", self.fps, 25.0, 1.0, 120.0)?;
        let speed = check("--speed", self.speed, 1.0, 0.01, 1000.0)?;
        let trail = check("--trail", self.trail, 2.0, 0.0, 60.0)?;
        let step = speed / fps / recording.header().tick;
        let count = (f64::from(ticks.1 - ticks.0) / step + 1e-6).floor() as u64 + 1;
        Ok(Plan { fps, speed, trail, first: f64::from(ticks.0), step, count })
    }

    /// Makes the film. It appears under its name when it is whole.
    pub fn write(&self, recording: &Recording, path: &Path, wanted: &Wanted<'_>) -> Result<ExitCode, Failure> {
        let plan = self.plan(recording, wanted.ticks)?;
        let beside = |ending: &str| {
            let mut name = wanted.to.as_os_str().to_owned();
            name.push(ending);
            PathBuf::from(name)
        };
        let (part, palette) = (beside(".part"), beside(".palette.part"));
        let made = self.make(recording, path, wanted, &plan, [&part, &palette]);
        let done = made.and_then(|whole| {
            if whole {
                fs::rename(&part, wanted.to).with_context(|| format!("{} cannot be written", wanted.to.display()))?;
            }
            Ok(whole)
        });
        for left in [&part, &palette] {
            let _ = fs::remove_file(left); // what failed before is what to tell
        }
        match done? {
            true => Ok(ExitCode::SUCCESS),
            false => {
                eprintln!("interrupted: no film was written");
                Ok(ExitCode::from(interrupt::EXIT))
            }
        }
    }

    /// Draws all frames once, for GIF twice; `false` if somebody wants us to end.
    fn make(
        &self,
        recording: &Recording,
        path: &Path,
        wanted: &Wanted<'_>,
        plan: &Plan,
        [part, palette]: [&Path; 2],
    ) -> Result<bool, Failure> {
        let program = self.ffmpeg.clone().unwrap_or_else(|| "ffmpeg".into());
        let layout = layout(recording, wanted)?;
        let background = place(recording, &layout).ok_or_else(|| anyhow!("no film of this size can be drawn"))?;
        let frames = Frames { pixels: background.pixels(), fps: plan.fps };
        if wanted.kind == Kind::Gif {
            let encoder = Encoder::start(&program, &frames.palette(palette))?;
            if !self.feed(encoder, recording, path, wanted, plan, (&layout, &background))? {
                return Ok(false);
            }
        }
        let encoder = Encoder::start(&program, &frames.film(wanted.kind, palette, part))?;
        self.feed(encoder, recording, path, wanted, plan, (&layout, &background))
    }

    /// Hands all frames to ffmpeg; `false` if somebody wants us to end.
    fn feed(
        &self,
        mut encoder: Encoder,
        recording: &Recording,
        path: &Path,
        wanted: &Wanted<'_>,
        plan: &Plan,
        (layout, background): (&Layout, &Pixels),
    ) -> Result<bool, Failure> {
        let bar = progress::counting(plan.count, wanted.quiet);
        let mut drawer = Drawer::new(recording, layout, background, plan);
        let mut number = 0;
        let mut before: Option<OwnedFrame> = None;
        let mut taken = true;
        recording
            .frames(wanted.ticks.0, wanted.ticks.1, &mut |frame: &Frame<'_>| {
                while number < plan.count && plan.first + number as f64 * plan.step <= f64::from(frame.tick) + 1e-6 {
                    let pixels = drawer.draw(plan.first + number as f64 * plan.step, before.as_ref(), frame);
                    taken = encoder.frame(pixels.bytes());
                    number += 1;
                    bar.inc(1);
                    if !taken || interrupt::asked() {
                        return ControlFlow::Break(());
                    }
                }
                drawer.passed(frame);
                before = Some(frame.into());
                ControlFlow::Continue(())
            })
            .map_err(|error| render::unreadable(path, error))?;
        bar.finish_and_clear();
        if interrupt::asked() {
            return Ok(false); // the encoder is dropped, and so ended
        }
        encoder.finish()?;
        if taken { Ok(true) } else { Err(anyhow!("ffmpeg took only {number} of {} frames", plan.count).into()) }
    }
}

/// Where things are: even lengths, as H.264 wants them.
pub fn layout(recording: &Recording, wanted: &Wanted<'_>) -> Result<Layout, Failure> {
    let extent = picture::extent(recording, wanted.ticks)?;
    let names = names(recording);
    let width = wanted.width.next_multiple_of(2);
    let mut layout =
        Layout::new(width, &extent, if names.is_empty() { 0 } else { legend::rows(&names, width as f32).len() });
    layout.height = (layout.height / 2.0).ceil() * 2.0;
    Ok(layout)
}

/// Names of the populations, if there is anything to tell apart.
pub fn names(recording: &Recording) -> Vec<String> {
    let names = legend::populations(recording).0;
    if names.len() > 1 { names } else { Vec::new() }
}

#[cfg(test)]
#[path = "film_test.rs"]
mod tests;
