//! A recording with bodies as a crowd that three.js and Blender open.

use crate::failure::Failure;
use passerby::motion::figure::Figure;
use passerby::motion::glb::{self, Person, Root};
use passerby::motion::library::STATURE;
use passerby::motion::{Library, Looks, body};
use passerby::record::{BodyRow, Exported, Frame, Recording};
use passerby::recorded_body;
use passerby_geometry::Vec3;
use std::collections::BTreeMap;
use std::ops::ControlFlow;
use std::path::Path;

/// Poses that one file holds at the most: some 300 MB of keys, more than viewers open with pleasure.
const POSES_MAX: usize = 400_000;

/// The bytes of the file, and what is in it.
pub fn write(from: &Path, recording: &Recording, every: u32) -> Result<(Vec<u8>, Exported), Failure> {
    let header = recording.header();
    let wrong = |what: String| Failure::input(format!("{}: {what}", from.display()));
    if !header.bodies {
        let hint = "give a [[population]] body = \"mediated\" and run it again";
        return Err(wrong(format!("nobody in this recording has a body\n    hint: {hint}")));
    }
    let Some((first, last)) = recording.ticks() else {
        return Err(wrong("there is no frame in this recording".to_owned()));
    };
    let mut crowd = Crowd {
        library: Library::built_in(),
        figure: Figure::default(),
        times: Vec::new(),
        people: BTreeMap::new(),
        poses: 0,
    };
    let (mut frames, mut bad) = (0, None);
    let mut each = |frame: &Frame<'_>| {
        if frames % every == 0 {
            crowd.times.push((f64::from(frame.tick - first) * header.tick) as f32);
            bad = crowd.take(frame, header.seed, header.offset).err();
        }
        frames += 1;
        if bad.is_some() || crowd.poses > POSES_MAX { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
    };
    let read = recording.frames(first, last, &mut each);
    read.map_err(|error| wrong(error.to_string()))?;
    if let Some(what) = bad {
        return Err(wrong(what));
    }
    if crowd.poses > POSES_MAX {
        let hint = "take every n-th frame with --every, or run fewer people or seconds";
        return Err(wrong(format!("more than {POSES_MAX} poses are too many for one file\n    hint: {hint}")));
    }
    let people: Vec<Person> = crowd.people.into_values().collect();
    let mesh = &body::levels()[1];
    let bytes = glb::write(mesh, &people, &crowd.times).map_err(|error| wrong(error.to_string()))?;
    let fps = 1.0 / (header.tick * f64::from(header.every * every));
    let exported = Exported { frames: crowd.times.len() as u64, rows: crowd.poses as u64, fps };
    Ok((bytes, exported))
}

/// Everybody so far.
struct Crowd {
    library: Library,
    figure: Figure,
    times: Vec<f32>,
    people: BTreeMap<u32, Person>,
    poses: usize,
}

impl Crowd {
    fn take(&mut self, frame: &Frame<'_>, seed: u64, offset: [f64; 2]) -> Result<(), String> {
        let now = self.times.len() - 1;
        for (i, row) in frame.bodies.iter().enumerate() {
            // Discs have none, and newcomers none before their first step.
            if *row == BodyRow::default() {
                continue;
            }
            let mut body = recorded_body(row);
            if !body.is_of(&self.library) {
                return Err(format!("person {} has a body at tick {} that nobody can have", frame.id[i], frame.tick));
            }
            let looks = Looks::new(seed, frame.id[i]);
            self.figure.set(&self.library, &body, looks.stature / STATURE);
            let mut pose = self.figure.pose.clone();
            let scale = looks.stature / STATURE;
            pose.offsets.iter_mut().for_each(|offset| *offset *= scale);
            let at = [frame.x[i] - offset[0], frame.y[i] - offset[1]].map(|value| value as f32);
            body.root += passerby_geometry::Vec2::from(at);
            let person = self.people.entry(frame.id[i]).or_insert_with(|| Person {
                name: format!("person-{}", frame.id[i]),
                looks,
                first: now,
                roots: Vec::new(),
                poses: Vec::new(),
            });
            person.roots.push(Root { position: Vec3::new(body.root.x, body.root.y, 0.0), heading: body.heading });
            person.poses.push(pose);
            self.poses += 1;
        }
        Ok(())
    }
}
