//! `passerby motion`: clips, what is in them, and figures on a sheet.

use crate::failure::Failure;
use crate::figure::{self, Figure, Frame};
use crate::motion_clips::{self, Shown};
use crate::output;
use anyhow::Context;
use clap::Args;
use passerby_geometry::Quat;
use passerby_motion::walker::{self, *};
use passerby_motion::{JointId, Library, Looks, Pose, body};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

const EXAMPLES: &str = "\
Examples:
  passerby motion                                     the clips of the built-in body
  passerby motion --clip walk-1.35 --sheet walk.png   one of them, frame by frame
  passerby motion 07_01.bvh dance.glb                 figures, takes, faults and cycles of your own files
  passerby motion 07_01.bvh --sheet captured.png      a captured walk on the built-in body
  passerby motion --sheet people.png --people 24      the body from all sides, and people as a seed makes them

Reads BVH (.bvh) and glTF (.gltf, .glb).";

/// Pictures in a row, and pixels of each.
const COLUMNS: usize = 6;
const SIZE: [u32; 2] = [240, 460];
/// Frames of a clip on a sheet.
const FRAMES: usize = 12;

/// Analyse clips and draw figures.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Motion {
    /// Clips to analyse; the built-in ones if there are none
    clips: Vec<PathBuf>,
    /// Built-in clip to draw
    #[arg(long, value_name = "NAME", conflicts_with = "clips")]
    clip: Option<String>,
    /// Picture to write
    #[arg(long, value_name = "FILE.png")]
    sheet: Option<PathBuf>,
    /// Seed of the people's looks
    #[arg(long, value_name = "N", default_value_t = 0)]
    seed: u64,
    /// How many of them
    #[arg(long, value_name = "N", default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=120))]
    people: u32,
    /// Write the result as JSON; - for standard output
    #[arg(long, value_name = "FILE|-")]
    json: Option<PathBuf>,
    /// Say nothing
    #[arg(short, long)]
    quiet: bool,
}

impl Motion {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        if let Some(sheet) = &self.sheet {
            if !sheet.extension().is_some_and(|ending| ending.eq_ignore_ascii_case("png")) {
                return Err(Failure::input(format!(
                    "--sheet {}: cannot tell what to draw\n    allowed: files that end in .png",
                    sheet.display()
                )));
            }
            let kept: Vec<&Path> = self.clips.iter().map(PathBuf::as_path).collect();
            output::refuse(sheet, "--sheet", &kept)?;
        }
        let library = Library::built_in();
        let named = self.clip.as_ref().map(|name| motion_clips::named(&library, name)).transpose()?;
        let told = match self.clips.is_empty() {
            true => motion_clips::built_in(&library),
            false => motion_clips::files(&self.clips)?,
        };
        if let Some(sheet) = &self.sheet {
            let picture = match told.shown.as_ref().or(named.as_ref()) {
                Some(shown) => self.draw_clip(shown)?,
                None if self.clips.is_empty() => self.draw()?,
                None => {
                    let what = "no clip of these files can be drawn on a body";
                    return Err(Failure::input(format!("--sheet: {what}\n    hint: see what is missing above")));
                }
            };
            fs::write(sheet, picture).with_context(|| format!("{} cannot be written", sheet.display()))?;
        }
        if let Some(json) = &self.json {
            output::put(json, &format!("{:#}\n", json!({ "clips": told.json })))?;
        }
        let spoken = self.json.as_deref().is_some_and(|path| path.as_os_str() == "-");
        if !self.quiet && !spoken {
            let written =
                self.sheet.as_ref().map_or_else(String::new, |sheet| format!("{} written\n", sheet.display()));
            output::print(&format!("{}{written}", told.text))?;
        }
        Ok(ExitCode::SUCCESS)
    }

    /// Twelve moments of a clip on the built-in body, from the left.
    fn draw_clip(&self, shown: &Shown) -> anyhow::Result<Vec<u8>> {
        let (mesh, looks) = (&body::levels()[0], Looks::new(self.seed, 0));
        let skeleton = walker::skeleton(passerby_motion::library::STATURE);
        let looks = Looks { stature: passerby_motion::library::STATURE, ..looks };
        let poses: Vec<Pose> = (0..FRAMES)
            .map(|i| {
                let mut pose = Pose::default();
                let last = if shown.looped { FRAMES } else { FRAMES - 1 };
                shown.take.sample(&skeleton, shown.take.duration() * i as f32 / last as f32, &mut pose);
                pose
            })
            .collect();
        let frames: Vec<Frame> = (poses.iter().enumerate())
            .map(|(i, pose)| Frame {
                figure: Figure { mesh, looks: &looks, skeleton: &skeleton, pose },
                camera: figure::camera(looks.stature, 75.0),
                caption: format!("{} {:.2} s", shown.take.name, shown.take.duration() * i as f32 / FRAMES as f32),
            })
            .collect();
        figure::sheet(&frames, COLUMNS, SIZE)
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
