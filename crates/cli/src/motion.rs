//! `passerby motion`: the built-in body on a sheet.

use crate::failure::Failure;
use crate::figure::{self, Figure, Frame};
use crate::output;
use anyhow::Context;
use clap::Args;
use passerby_geometry::Quat;
use passerby_motion::walker::{self, *};
use passerby_motion::{JointId, Looks, Pose, body};
use std::fs;
use std::path::PathBuf;
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  passerby motion --sheet body.png
  passerby motion --sheet people.png --seed 7 --people 24";

/// Pictures in a row, and pixels of each.
const COLUMNS: usize = 6;
const SIZE: [u32; 2] = [240, 460];

/// Draw the built-in body: from all sides, at its levels of detail, and people as a seed makes them.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Motion {
    /// Picture to write
    #[arg(long, value_name = "FILE.png")]
    sheet: PathBuf,
    /// Seed of the people's looks
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How many of them
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=120))]
    people: u32,
    /// Say nothing
    #[arg(short, long)]
    quiet: bool,
}

impl Motion {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        let sheet = self.sheet.display();
        if !self.sheet.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
            return Err(Failure::input(format!(
                "--sheet {sheet}: cannot tell what to draw\n    allowed: files that end in .png"
            )));
        }
        output::refuse(&self.sheet, "--sheet", &[])?;
        let picture = self.draw()?;
        fs::write(&self.sheet, picture).with_context(|| format!("{sheet} cannot be written"))?;
        if !self.quiet {
            output::print(&format!("{sheet} written\n"))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    fn draw(&self) -> anyhow::Result<Vec<u8>> {
        let levels = body::levels();
        let people: Vec<Looks> = (0..self.people.max(1)).map(|id| Looks::new(self.seed, id)).collect();
        let skeletons: Vec<_> = people.iter().map(|looks| walker::skeleton(looks.stature)).collect();
        let poses: Vec<[Pose; 2]> = skeletons.iter().map(|skeleton| [standing(skeleton), striding(skeleton)]).collect();
        let frame = |level: usize, person: usize, pose: usize, around_deg: f32, caption: String| Frame {
            figure: Figure {
                mesh: &levels[level],
                looks: &people[person],
                skeleton: &skeletons[person],
                pose: &poses[person][pose],
            },
            camera: figure::camera(people[person].stature, around_deg),
            caption,
        };
        let mut frames = Vec::new();
        for (around_deg, side) in [(0.0, "front"), (90.0, "left"), (40.0, "between"), (180.0, "back")] {
            frames.push(frame(0, 0, 0, around_deg, side.to_owned()));
        }
        frames.extend([90.0, 40.0].map(|around_deg| frame(0, 0, 1, around_deg, "walking".to_owned())));
        for (level, mesh) in levels.iter().enumerate() {
            frames.push(frame(level, 0, 1, 60.0, format!("{} triangles", mesh.triangles.len())));
        }
        for (person, looks) in people.iter().enumerate().take(self.people as usize) {
            let caption = format!("{person}: {:.2} m, build {:.2}", looks.stature, looks.shape.build);
            frames.push(frame(0, person, 0, 25.0, caption));
        }
        figure::sheet(&frames, COLUMNS, SIZE)
    }
}

/// Arms a little off the body and bent.
fn standing(skeleton: &passerby_motion::Skeleton) -> Pose {
    let mut pose = Pose::rest(skeleton);
    for (joint, side) in [(LEFT_UPPER_ARM, 1.0), (RIGHT_UPPER_ARM, -1.0)] {
        pose.rotations[joint.index()] = Quat::from_rotation_x(side * f32::to_radians(7.0));
        pose.rotations[joint.index() + 1] = Quat::from_rotation_y(f32::to_radians(-12.0));
    }
    pose
}

/// The left foot lands: angles of textbook gait, by hand.
fn striding(skeleton: &passerby_motion::Skeleton) -> Pose {
    let mut pose = standing(skeleton);
    let mut bend = |joint: JointId, degrees: f32| {
        let turned = pose.rotations[joint.index()] * Quat::from_rotation_y(degrees.to_radians());
        pose.rotations[joint.index()] = turned;
    };
    for (joint, degrees) in [
        (LEFT_THIGH, -27.0),
        (LEFT_SHIN, 6.0),
        (RIGHT_THIGH, 14.0),
        (RIGHT_SHIN, 38.0),
        (RIGHT_TOE, -35.0),
        (LEFT_UPPER_ARM, 22.0),
        (RIGHT_UPPER_ARM, -20.0),
        (RIGHT_FOREARM, -16.0),
    ] {
        bend(joint, degrees);
    }
    pose.offsets[HIPS.index()].z -= 0.045 * skeleton.joint(HIPS).offset.z; // bent and spread legs are shorter
    pose
}
