//! `play`: people who walk exactly as somebody recorded them.

use std::collections::BTreeMap;
use std::io::Cursor;
use std::ops::ControlFlow;

use passerby_geometry::DVec2;
use passerby_record::{Image, ImportError, Recording, Stated, Unit, import};

use super::place::path_problem;
use super::place_file::homography;
use super::run::AT;
use super::sheet::{Keys, Table};
use super::value::Range;
use super::{Files, Played, Track};

pub(super) const PLAY: Keys = Keys {
    name: "play",
    title: "recorded people: a file's name, or { file, unit, fps, homography, pixel_size, start }",
    known: &["file", "unit", "fps", "homography", "pixel_size", "start"],
    later: &[],
};

/// Frames a second of a file that does not state them.
pub(super) const FPS: Range = Range::new(0.001, 1e6, " frames a second");
/// Metres a pixel.
const PIXEL_SIZE: Range = Range::new(1e-6, 1e3, " m");
/// Largest file of recorded people, in bytes.
const FILE_MAX: usize = 256 << 20;
/// Units that may be stated.
const UNITS: &[&str] = &["m", "cm"];

/// Keys of a population that mean nothing where its people are recorded.
const STRANGERS: &[&str] = &[
    "count",
    "rate",
    "until",
    "total",
    "area",
    "region",
    "circle",
    "grid",
    "at",
    "model",
    "profile",
    "speed",
    "mass",
    "premovement",
    "neighbours",
    "follow",
    "journey",
    "stay",
    "repeat",
    "routes",
    "group",
    "side",
];

/// The recorded people of a population.
pub(super) fn play(table: &Table<'_>, files: &dyn Files) -> Option<Played> {
    for other in table.present(STRANGERS).into_iter().filter_map(|key| table.get(key)) {
        table.report(other.key_problem("has no meaning beside `play`").hint("recorded people walk as recorded"));
    }
    let value = table.get("play")?;
    let (file, stated, start) = if value.is_table() {
        let fields = value.table(&PLAY)?;
        let unit = fields.get("unit").map(|unit| unit.one_of("unit", UNITS.iter().copied()));
        let fps = fields.get("fps").map(|fps| fps.number(&FPS));
        let homography = fields.get("homography").map(|value| homography(&value, files));
        let pixel_size = fields.get("pixel_size").map(|size| size.number(&PIXEL_SIZE));
        let start = fields.number_or("start", &AT, 0.0);
        let file = fields.require("file", "file = \"people.txt\"");
        let unit = match unit {
            Some(wrong_or_unit) => Some(if wrong_or_unit? == 0 { Unit::Metre } else { Unit::Centimetre }),
            None => None,
        };
        let fps = match fps {
            Some(wrong_or_fps) => Some(wrong_or_fps?),
            None => None,
        };
        if let (Some(_), Some(size)) = (&homography, fields.get("pixel_size")) {
            table.report(size.key_problem("has no meaning beside `homography`").hint("keep one of the two"));
        }
        let image = match (homography, pixel_size) {
            (Some(wrong_or_homography), _) => Some(Image::Homography(wrong_or_homography?)),
            (None, Some(wrong_or_size)) => Some(Image::PixelSize(wrong_or_size?)),
            (None, None) => None,
        };
        (file?, Stated { unit, fps, image }, start)
    } else {
        (table.get("play")?, Stated::default(), 0.0)
    };
    let path = file.text()?;
    if let Some(problem) = path_problem(&file, path) {
        table.report(problem);
        return None;
    }
    match read(path, files, &stated) {
        Ok(tracks) => Some(Played { start, tracks: tracks.into() }),
        Err((what, hint)) => {
            let problem = file.problem(what);
            table.report(if hint.is_empty() { problem } else { problem.hint(hint) });
            None
        }
    }
}

/// The tracks of a file, in the order of entering; or what is wrong and what to do.
fn read(path: &str, files: &dyn Files, stated: &Stated) -> Result<Vec<Track>, (String, String)> {
    let nothing = String::new;
    let bytes = files.read(path).map_err(|what| (what, nothing()))?;
    if bytes.len() > FILE_MAX {
        return Err((format!("larger than {} MiB", FILE_MAX >> 20), nothing()));
    }
    let recording = import(Cursor::new(bytes), path, stated).map_err(|error| match error {
        ImportError::NotStated { what, option, .. } => {
            let example = match option {
                "--unit" => "unit = \"cm\"",
                "--homography" => "homography = \"H.txt\"",
                _ => "fps = 25",
            };
            let hint = format!("state it: play = {{ file = \"{path}\", {example} }}");
            (format!("the file does not state its {what}"), hint)
        }
        other => (other.to_string(), nothing()),
    })?;
    let tracks = tracks(&recording).map_err(|what| (what, nothing()))?;
    if tracks.is_empty() {
        return Err(("there is nobody in it".to_owned(), nothing()));
    }
    Ok(tracks)
}

/// Everybody's way, time counted from the first frame.
fn tracks(recording: &Recording) -> Result<Vec<Track>, String> {
    let Some((first, last)) = recording.ticks() else { return Ok(Vec::new()) };
    let seconds = |tick: u32| f64::from(tick - first) * recording.header().tick;
    let radius: BTreeMap<u32, f32> = recording.people().iter().map(|person| (person.id, person.radius)).collect();
    let mut found: BTreeMap<u32, Track> = BTreeMap::new();
    let read = recording.frames(first, last, &mut |frame| {
        for (i, id) in frame.id.iter().enumerate() {
            let track = found.entry(*id).or_insert_with(|| Track {
                radius: radius.get(id).copied().unwrap_or(0.25),
                times: Vec::new(),
                points: Vec::new(),
            });
            track.times.push(seconds(frame.tick));
            track.points.push(DVec2::new(frame.x[i], frame.y[i]));
        }
        ControlFlow::Continue(())
    });
    read.map_err(|error| error.to_string())?;
    let mut tracks: Vec<Track> = found.into_values().collect();
    tracks.sort_by(|a, b| a.times[0].total_cmp(&b.times[0])); // stable: ties by the file's ids
    Ok(tracks)
}

impl Track {
    /// When they come and go, s from the beginning of the recording.
    pub fn span(&self) -> (f64, f64) {
        (self.times[0], self.times[self.times.len() - 1])
    }

    /// Where they are at a time, s from the beginning of the recording: on the straight line between the frames before and after.
    pub fn at(&self, time: f64) -> DVec2 {
        let after = self.times.partition_point(|other| *other <= time);
        if after == 0 {
            return self.points[0];
        }
        match self.times.get(after) {
            None => self.points[after - 1],
            Some(next) => {
                let share = (time - self.times[after - 1]) / (next - self.times[after - 1]);
                // A tick that is a frame but for its last bits is that frame.
                if share < 1e-6 {
                    self.points[after - 1]
                } else {
                    self.points[after - 1].lerp(self.points[after], share)
                }
            }
        }
    }

    /// The fastest they go between two frames, m/s.
    pub fn speed_max(&self) -> f64 {
        let speed = |i: usize| self.points[i].distance(self.points[i + 1]) / (self.times[i + 1] - self.times[i]);
        (0..self.times.len() - 1).map(speed).fold(0.0, f64::max)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn between_frames_people_go_straight() {
        let points = [[0.0, 0.0], [2.0, 0.0], [2.0, 4.0]].map(DVec2::from).to_vec();
        let track = Track { radius: 0.25, times: vec![1.0, 2.0, 4.0], points };
        for (time, x, y) in [(0.0, 0.0, 0.0), (1.25, 0.5, 0.0), (2.0, 2.0, 0.0), (3.0, 2.0, 2.0), (9.0, 2.0, 4.0)] {
            assert_eq!(track.at(time), DVec2::new(x, y), "{time} s");
        }
        assert_eq!((track.span(), track.speed_max()), ((1.0, 4.0), 2.0));
    }
}
