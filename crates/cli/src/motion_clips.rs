//! What is in clips: tables of the built-in ones and of files.

use crate::failure::Failure;
use anyhow::Context;
use passerby_motion::analysis::{cycle, faults};
use passerby_motion::import::{self, Imported, Options};
use passerby_motion::library::STATURE;
use passerby_motion::retarget::{self, Figure};
use passerby_motion::{Clip, Library, Take, walker};
use serde_json::{Value, json};
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// A clip that can be drawn on the built-in body.
pub struct Shown {
    pub take: Take,
    pub looped: bool,
}

/// What there is to tell.
pub struct Told {
    pub text: String,
    pub json: Vec<Value>,
    pub shown: Option<Shown>,
}

/// The clips of the built-in body.
pub fn built_in(library: &Library) -> Told {
    let mut text = format!("{:<22}{:>8}{:>10}{:>12}{:>10}\n", "clip", "s", "m/s", "degrees", "stance");
    let mut json = Vec::new();
    for clip in library.clips() {
        let told = measured(clip);
        let _ = writeln!(
            text,
            "{:<22}{:>8.2}{:>10.2}{:>12.0}{:>9.0} %",
            clip.take.name,
            clip.take.duration(),
            clip.velocity.length(),
            clip.velocity.to_angle().to_degrees(),
            told["stance"].as_f64().unwrap_or_default() * 100.0
        );
        json.push(told);
    }
    Told { text, json, shown: None }
}

/// A built-in clip to draw.
pub fn named(library: &Library, name: &str) -> Result<Shown, Failure> {
    let Some(id) = library.find(name) else {
        let known: Vec<&str> = library.clips().iter().map(|clip| clip.take.name.as_str()).collect();
        return Err(Failure::input(format!("--clip {name}: there is no such clip\n    allowed: {}", known.join(", "))));
    };
    let clip = library.clip(id);
    Ok(Shown { take: clip.take.clone(), looped: clip.looped })
}

/// Share of the time that the right foot stands.
fn measured(clip: &Clip) -> Value {
    let foot = &clip.contacts[1];
    let stands = |phase: f32| foot.heel.iter().chain(&foot.ball).any(|span| span.holds(phase));
    let stance = (0..200).filter(|i| stands(*i as f32 / 200.0)).count() as f64 / 200.0;
    json!({
        "name": clip.take.name,
        "seconds": clip.take.duration(),
        "speed": clip.velocity.length(),
        "direction_deg": clip.velocity.to_angle().to_degrees(),
        "turn_rate": clip.turn,
        "looped": clip.looped,
        "stance": stance,
    })
}

/// Figures and takes of files.
pub fn files(paths: &[PathBuf]) -> Result<Told, Failure> {
    let mut told = Told { text: String::new(), json: Vec::new(), shown: None };
    for path in paths {
        let bytes = fs::read(path).with_context(|| format!("{} cannot be read", path.display()))?;
        let imported = read(path, &bytes)?;
        tell(path, &imported, &mut told);
    }
    Ok(told)
}

fn read(path: &Path, bytes: &[u8]) -> Result<Imported, Failure> {
    let ending = path.extension().map_or_else(String::new, |ending| ending.to_string_lossy().to_lowercase());
    let beside = |name: &str| fs::read(path.parent()?.join(Path::new(name).file_name()?)).ok();
    let read = match ending.as_str() {
        "bvh" => import::bvh::read(bytes, &Options::default()),
        "gltf" | "glb" => import::gltf::read(bytes, &beside, &Options::default()),
        _ => {
            return Err(Failure::input(format!(
                "{}: cannot tell the format\n    allowed: files that end in .bvh, .gltf or .glb",
                path.display()
            )));
        }
    };
    read.map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}

fn tell(path: &Path, imported: &Imported, told: &mut Told) {
    let Imported { skeleton, roles, takes, report, .. } = imported;
    let line = |text: &mut String, what: String| {
        let _ = writeln!(text, "  {what}");
    };
    let _ = writeln!(told.text, "{}", path.display());
    let hips = report.hip_height.map_or_else(|| "no legs".to_owned(), |height| format!("hips {height:.2} m high"));
    line(
        &mut told.text,
        format!("{} joints, {hips}, a unit is {} m, {:?} is up", skeleton.len(), report.scale, report.up),
    );
    report.notes.iter().for_each(|note| line(&mut told.text, note.clone()));
    if let Err(why) = roles {
        line(&mut told.text, format!("cannot walk: {why}"));
    }
    for take in takes {
        let mut row = json!({
            "file": path.display().to_string(),
            "name": take.name,
            "joints": skeleton.len(),
            "frames": take.frames(),
            "frame_rate": take.frame_rate,
            "seconds": take.duration(),
        });
        let name = &take.name;
        line(&mut told.text, format!("take \"{name}\": {} frames, {:.2} s", take.frames(), take.duration()));
        if let Ok(roles) = roles {
            let figure = Figure { skeleton, roles };
            let found = faults::find(skeleton, roles, take);
            found.iter().take(5).for_each(|fault| line(&mut told.text, format!("  faulty {fault}")));
            if found.len() > 5 {
                line(&mut told.text, format!("  and {} more faulty frames", found.len() - 5));
            }
            row["faulty_frames"] = json!(found.iter().map(|fault| fault.frame).collect::<Vec<_>>());
            let body = (walker::skeleton(STATURE), walker::roles());
            let onto = Figure { skeleton: &body.0, roles: &body.1 };
            match cycle::cut(figure, take) {
                Ok(cut) => {
                    let (clip, speed) = (&cut.clip, cut.clip.velocity.length());
                    line(
                        &mut told.text,
                        format!(
                            "  cycle of frames {} to {}: {:.2} s, {speed:.2} m/s at {:.0} degrees, seam {:.0} mm, feet moved by up to {:.0} mm",
                            cut.frames.0,
                            cut.frames.1,
                            clip.take.duration(),
                            clip.velocity.to_angle().to_degrees(),
                            cut.seam_gap * 1000.0,
                            cut.shift * 1000.0
                        ),
                    );
                    row["cycle"] = measured(clip);
                    let take = retarget::retarget(&clip.take, figure, onto);
                    told.shown.get_or_insert(Shown { take, looped: true });
                }
                Err(why) => {
                    line(&mut told.text, format!("  {why}"));
                    let good = faults::mend(take, &found).unwrap_or_else(|| take.clone());
                    let take = retarget::retarget(&good, figure, onto);
                    told.shown.get_or_insert(Shown { take, looped: false });
                }
            }
        }
        told.json.push(row);
    }
}
