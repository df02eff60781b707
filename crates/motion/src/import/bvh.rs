//! Biovision hierarchies: one figure, one take, as text.
//!
//! Positions replace the offset of their joint (as Blender and MotionBuilder have it, and all files where the first joint has an
//! offset that is not zero); rotations are applied in the order in which the file lists them, each about the axes turned by those
//! before it.

use super::placing::{Raw, place};
use super::{End, ImportError, Imported, Options};
use crate::skeleton::{JOINTS_MAX, Joint, JointId};
use crate::take::{Moved, Take};
use passerby_geometry::{DQuat, DVec3, Quat, Vec3};

/// Larger numbers are no lengths and no angles.
const NUMBER_MAX: f64 = 1e7;

/// What one number of a frame moves.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Channel {
    Position(usize),
    Rotation(usize),
}

/// Reads a BVH file.
pub fn read(bytes: &[u8], options: &Options) -> Result<Imported, ImportError> {
    let text = String::from_utf8_lossy(bytes);
    let mut words = Words::new(&text);
    let mut figure = hierarchy(&mut words)?;
    let take = motion(&mut words, &figure)?;
    let (joints, ends) = (std::mem::take(&mut figure.joints), std::mem::take(&mut figure.ends));
    place(Raw { joints, takes: vec![take], ends, inverse_binds: vec![], notes: vec![] }, options)
}

/// The hierarchy of a file.
#[derive(Default)]
struct Figure {
    joints: Vec<Joint>,
    channels: Vec<(JointId, Channel)>,
    ends: Vec<End>,
}

/// What stands between the braces that are open.
enum Open {
    Joint(JointId),
    End(JointId),
}

fn hierarchy(words: &mut Words) -> Result<Figure, ImportError> {
    words.expect("HIERARCHY")?;
    words.expect("ROOT")?;
    let mut figure = Figure::default();
    let mut open = vec![figure.joint(words, None)?];
    while let Some(inner) = open.last() {
        let word = words.next()?;
        match (inner, word.to_ascii_uppercase().as_str()) {
            (Open::Joint(joint), "OFFSET") => {
                let index = joint.index();
                figure.joints[index].offset = words.vector()?;
            }
            (Open::Joint(joint), "CHANNELS") => {
                let joint = *joint;
                figure.channels(words, joint)?;
            }
            (Open::Joint(joint), "JOINT") => {
                let parent = *joint;
                open.push(figure.joint(words, Some(parent))?);
            }
            (Open::Joint(joint), "END") => {
                let joint = *joint;
                words.rest_of_line();
                words.expect("{")?;
                open.push(Open::End(joint));
            }
            (Open::End(joint), "OFFSET") => {
                let end = End { joint: *joint, offset: words.vector()? };
                figure.ends.push(end);
            }
            (_, "}") => {
                open.pop();
            }
            _ => {
                return Err(
                    words.error(format!("`{}`: OFFSET, CHANNELS, JOINT, End Site or }} may stand here", cut(word)))
                );
            }
        }
        if figure.ends.len() > JOINTS_MAX {
            return Err(words.error(format!("more than {JOINTS_MAX} end sites")));
        }
    }
    Ok(figure)
}

impl Figure {
    /// A name and an opening brace.
    fn joint(&mut self, words: &mut Words, parent: Option<JointId>) -> Result<Open, ImportError> {
        if self.joints.len() == JOINTS_MAX {
            return Err(words.error(format!("more than {JOINTS_MAX} joints")));
        }
        let name = words.rest_of_line().trim().to_string();
        let name = match name.strip_suffix('{') {
            Some(name) => name.trim().to_string(),
            None => {
                words.expect("{")?;
                name
            }
        };
        if name.is_empty() {
            return Err(words.error("a joint without a name".into()));
        }
        let id = JointId(self.joints.len() as u16);
        self.joints.push(Joint { name, parent, offset: Vec3::ZERO, rest: Quat::IDENTITY });
        Ok(Open::Joint(id))
    }

    fn channels(&mut self, words: &mut Words, joint: JointId) -> Result<(), ImportError> {
        if self.channels.iter().any(|(other, _)| *other == joint) {
            return Err(words.error(format!("joint `{}` has channels twice", self.joints[joint.index()].name)));
        }
        let count = words.number()?;
        if !(0.0..=6.0).contains(&count) || count.fract() != 0.0 {
            return Err(words.error(format!("{count} channels: 0 to 6 are allowed")));
        }
        for _ in 0..count as usize {
            let word = words.next()?;
            let axis = b"XYZ".iter().position(|axis| word.as_bytes()[0].eq_ignore_ascii_case(axis));
            let channel = match (axis, word.get(1..).unwrap_or("").to_ascii_lowercase().as_str()) {
                (Some(axis), "position") => Channel::Position(axis),
                (Some(axis), "rotation") => Channel::Rotation(axis),
                _ => return Err(words.error(format!("`{}` is no channel: Xposition to Zrotation are", cut(word)))),
            };
            if self.channels.contains(&(joint, channel)) {
                return Err(words.error(format!("channel `{}` twice in one joint", cut(word))));
            }
            self.channels.push((joint, channel));
        }
        Ok(())
    }
}

fn motion(words: &mut Words, figure: &Figure) -> Result<Take, ImportError> {
    words.expect("MOTION")?;
    words.expect("Frames:")?;
    let frames = words.number()?;
    if !(1.0..=1e9).contains(&frames) || frames.fract() != 0.0 {
        return Err(words.error(format!("{frames} frames: at least one, and a whole number")));
    }
    let frames = frames as usize;
    words.expect("Frame")?;
    words.expect("Time:")?;
    let frame_time = words.number()?;
    if !(1e-5..=60.0).contains(&frame_time) {
        return Err(words.error(format!("a frame time of {frame_time} s: 0.00001 to 60 are allowed")));
    }
    if figure.channels.is_empty() {
        return Err(words.error("no joint has channels: nothing moves".into()));
    }
    // Two bytes are the least that a number takes.
    if frames.saturating_mul(figure.channels.len()) > words.left().saturating_add(1) / 2 {
        let (channels, left) = (figure.channels.len(), words.left());
        return Err(
            words.error(format!("{frames} frames of {channels} numbers are said to follow, and {left} bytes do"))
        );
    }
    if frames.saturating_mul(figure.joints.len()) > super::ROTATIONS_MAX {
        return Err(words.error(format!("{frames} frames of {} joints are too many", figure.joints.len())));
    }
    let mut take = Take {
        name: String::new(),
        frame_rate: rate(frame_time),
        joints: figure.joints.len(),
        rotations: Vec::with_capacity(frames * figure.joints.len()),
        moved: moving(figure),
    };
    for frame in 0..frames {
        one_frame(words, figure, &mut take)
            .map_err(|error| ImportError::new(error.place, format!("frame {frame} of {frames}: {}", error.what)))?;
    }
    if let Ok(word) = words.next() {
        return Err(words.error(format!(
            "`{}` after the last of {frames} frames of {} numbers",
            cut(word),
            figure.channels.len()
        )));
    }
    Ok(take)
}

/// Files round the time of a frame: 0.0083333 are 120 frames a second.
fn rate(frame_time: f64) -> f32 {
    let rate = 1.0 / frame_time;
    let whole = rate.round();
    if whole >= 1.0 && (rate - whole).abs() < 1e-3 * whole { whole as f32 } else { rate as f32 }
}

/// Joints with a position: the first one always, so that whoever plays a take finds it there.
fn moving(figure: &Figure) -> Vec<Moved> {
    let moves = |joint: JointId| {
        joint.index() == 0
            || figure.channels.iter().any(|(other, channel)| *other == joint && matches!(channel, Channel::Position(_)))
    };
    let ids = (0..figure.joints.len() as u16).map(JointId);
    ids.filter(|joint| moves(*joint)).map(|joint| Moved { joint, offsets: vec![] }).collect()
}

fn one_frame(words: &mut Words, figure: &Figure, take: &mut Take) -> Result<(), ImportError> {
    let mut rotations = vec![DQuat::IDENTITY; figure.joints.len()];
    let mut offsets: Vec<DVec3> = figure.joints.iter().map(|joint| joint.offset.as_dvec3()).collect();
    for (joint, channel) in &figure.channels {
        let (value, joint) = (words.number()?, joint.index());
        match channel {
            Channel::Position(axis) => offsets[joint][*axis] = value,
            Channel::Rotation(axis) => rotations[joint] *= about(*axis, value.to_radians()),
        }
    }
    take.rotations.extend(rotations.into_iter().map(|rotation| rotation.normalize().as_quat()));
    for moved in &mut take.moved {
        moved.offsets.push(offsets[moved.joint.index()].as_vec3());
    }
    Ok(())
}

fn about(axis: usize, angle: f64) -> DQuat {
    match axis {
        0 => DQuat::from_rotation_x(angle),
        1 => DQuat::from_rotation_y(angle),
        _ => DQuat::from_rotation_z(angle),
    }
}

/// Words of a text, and the line of the last one.
struct Words<'a> {
    text: &'a str,
    at: usize,
    line: usize,
}

impl<'a> Words<'a> {
    fn new(text: &'a str) -> Self {
        Self { text: text.strip_prefix('\u{feff}').unwrap_or(text), at: 0, line: 1 }
    }

    fn error(&self, what: String) -> ImportError {
        ImportError::new(format!("line {}", self.line), what)
    }

    /// Bytes that were not read yet.
    fn left(&self) -> usize {
        self.text.len() - self.at
    }

    fn next(&mut self) -> Result<&'a str, ImportError> {
        let rest = &self.text.as_bytes()[self.at..];
        let blank = rest.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
        self.line += rest[..blank].iter().filter(|byte| **byte == b'\n').count();
        let length = rest[blank..].iter().take_while(|byte| !byte.is_ascii_whitespace()).count();
        let start = self.at + blank;
        self.at = start + length;
        if length == 0 {
            return Err(self.error("the file ends here, and something is missing".into()));
        }
        Ok(&self.text[start..start + length])
    }

    fn rest_of_line(&mut self) -> &'a str {
        let rest = &self.text[self.at..];
        let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
        self.at += line.len();
        line
    }

    fn expect(&mut self, expected: &str) -> Result<(), ImportError> {
        let word = self.next()?;
        if word.eq_ignore_ascii_case(expected) {
            return Ok(());
        }
        Err(self.error(format!("`{}` where `{expected}` has to stand", cut(word))))
    }

    fn number(&mut self) -> Result<f64, ImportError> {
        let word = self.next()?;
        match word.parse::<f64>() {
            Ok(number) if number.abs() <= NUMBER_MAX => Ok(number),
            _ => Err(self.error(format!("`{}` where a number from -1e7 to 1e7 has to stand", cut(word)))),
        }
    }

    fn vector(&mut self) -> Result<Vec3, ImportError> {
        Ok(DVec3::new(self.number()?, self.number()?, self.number()?).as_vec3())
    }
}

/// The beginning of a word, for messages.
fn cut(word: &str) -> String {
    word.chars().take(40).collect()
}
