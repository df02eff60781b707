//! From a file's axes and unit to ours.

use super::{End, ImportError, Imported};
use crate::placed;
use crate::role::{Role, Roles};
use crate::skeleton::{Joint, JointId, Skeleton};
use crate::take::Take;
use crate::{role_names, role_shape};
use passerby_geometry::{DQuat, DVec3, Vec3, math::double};

/// What may be given instead of being found.
#[derive(Debug, Clone, PartialEq)]
pub struct Options {
    /// Which axis of the file is up.
    pub up: Option<Axis>,
    /// Metres in one unit of the file, above 0.
    pub scale: Option<f32>,
    /// Frames a second that curves of glTF are sampled at, 1 to 1000.
    pub frame_rate: f32,
}

impl Default for Options {
    fn default() -> Self {
        Self { up: None, scale: None, frame_rate: 60.0 }
    }
}

/// An axis of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[allow(missing_docs)] // Each name says it.
pub enum Axis {
    X,
    Y,
    Z,
    MinusX,
    MinusY,
    MinusZ,
}

impl Axis {
    const ALL: [Axis; 6] = [Axis::X, Axis::Y, Axis::Z, Axis::MinusX, Axis::MinusY, Axis::MinusZ];

    fn vector(self) -> DVec3 {
        match self {
            Axis::X => DVec3::X,
            Axis::Y => DVec3::Y,
            Axis::Z => DVec3::Z,
            Axis::MinusX => DVec3::NEG_X,
            Axis::MinusY => DVec3::NEG_Y,
            Axis::MinusZ => DVec3::NEG_Z,
        }
    }

    /// The axis that a direction is nearest to.
    fn nearest(direction: DVec3) -> Axis {
        let along = |axis: &Axis| direction.dot(axis.vector());
        Axis::ALL.into_iter().rev().max_by(|a, b| along(a).total_cmp(&along(b))).expect("there are six")
    }
}

/// Where the scale comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ScaleFrom {
    /// It was given.
    Given,
    /// A usual unit (m, cm, mm, inch, CMU) that makes the hips 0.7 to 1.1 m high.
    Unit,
    /// No usual unit does: the hips were put at 0.9 m.
    LegLength,
    /// No legs were found: the unit was taken for metres.
    Assumed,
}

/// What was assumed about a file.
#[derive(Debug, Clone, PartialEq)]
pub struct Report {
    /// The file's axis that is up.
    pub up: Axis,
    /// The file's axis that the figure faces at rest.
    pub forward: Axis,
    /// Metres in one unit of the file.
    pub scale: f32,
    /// Why this scale.
    pub scale_from: ScaleFrom,
    /// How high the hips are when the figure stands, m, from the length of its legs.
    pub hip_height: Option<f32>,
    /// What was left out or mended, in words.
    pub notes: Vec<String>,
}

/// Units in use, m: metre, centimetre, CMU (2.54 cm / 0.45), inch, millimetre, decimetre.
const UNITS: [f64; 6] = [1.0, 0.01, 0.0254 / 0.45, 0.0254, 0.001, 0.1];

/// Thigh and shank are 0.491 of the stature, hip joints are 0.530 high (Drillis and Contini).
const HIP_OF_LEG: f64 = 0.530 / 0.491;

/// A figure as it stands in the file.
pub(super) struct Raw {
    pub joints: Vec<Joint>,
    pub takes: Vec<Take>,
    pub ends: Vec<End>,
    pub inverse_binds: Vec<(JointId, [f32; 16])>,
    pub notes: Vec<String>,
}

/// Turns and scales a figure.
pub(super) fn place(raw: Raw, options: &Options) -> Result<Imported, ImportError> {
    let Raw { joints, takes, ends, inverse_binds, notes } = raw;
    let skeleton = Skeleton::new(joints)?;
    let (up, forward) = axes(&skeleton, options.up);
    let turn = turn(up, forward);
    let standing = turned(&skeleton, turn, 1.0)?;
    let found = role_shape::find(&standing);
    let leg = found.as_ref().ok().map(|roles| roles.leg_length(&standing));
    let (scale, scale_from) = scale(leg, options.scale)?;
    let skeleton = turned(&skeleton, turn, scale)?;
    let takes = takes.into_iter().map(|take| moved(take, turn, scale)).collect::<Result<_, _>>()?;
    let ends = ends.into_iter().map(|end| End { offset: scaled(end.offset, scale), ..end }).collect();
    let hip_height = leg.map(|leg| (leg * scale * HIP_OF_LEG) as f32);
    let report = Report { up, forward, scale: scale as f32, scale_from, hip_height, notes };
    Ok(Imported { skeleton, roles: found, takes, ends, inverse_binds, report })
}

/// Up is where the head is above the feet; forward follows from left and right thigh. Without names of joints y is up and the
/// figure faces z, as in BVH and glTF.
fn axes(skeleton: &Skeleton, given: Option<Axis>) -> (Axis, Axis) {
    let roles: Roles = role_names::by_name(skeleton);
    let rest = placed::rest(skeleton);
    let at = |role| roles.get(role).map(|joint| rest[joint.index()].position);
    let rise = || Some(at(Role::Head).or(at(Role::Hips))? - (at(Role::LeftFoot)? + at(Role::RightFoot)?) * 0.5);
    let up = given.unwrap_or_else(|| rise().map_or(Axis::Y, Axis::nearest));
    let left = || Some(at(Role::LeftThigh)? - at(Role::RightThigh)?);
    let ahead = left().map(|left| left.cross(up.vector())).filter(|ahead| ahead.length() > 1e-9);
    let usual = if matches!(up, Axis::Z | Axis::MinusZ) { DVec3::NEG_Y } else { DVec3::Z };
    (up, Axis::nearest(ahead.unwrap_or(usual)))
}

/// The turn that takes `up` to z and `forward` to x.
fn turn(up: Axis, forward: Axis) -> DQuat {
    let rise = DQuat::from_rotation_arc(up.vector(), DVec3::Z);
    let ahead = rise * forward.vector();
    (DQuat::from_rotation_z(-double::atan2(ahead.y, ahead.x)) * rise).normalize()
}

fn scale(leg: Option<f64>, given: Option<f32>) -> Result<(f64, ScaleFrom), ImportError> {
    if let Some(scale) = given {
        if !(scale.is_finite() && scale > 0.0) {
            return Err(ImportError::new("scale", format!("{scale}: metres in one unit of the file, above 0")));
        }
        return Ok((f64::from(scale), ScaleFrom::Given));
    }
    let Some(leg) = leg else { return Ok((1.0, ScaleFrom::Assumed)) };
    let hip = leg * HIP_OF_LEG;
    let unit = UNITS.into_iter().find(|unit| (0.7..=1.1).contains(&(hip * unit)));
    Ok(unit.map_or((0.9 / hip, ScaleFrom::LegLength), |unit| (unit, ScaleFrom::Unit)))
}

fn scaled(offset: Vec3, scale: f64) -> Vec3 {
    (offset.as_dvec3() * scale).as_vec3()
}

fn turned(skeleton: &Skeleton, turn: DQuat, scale: f64) -> Result<Skeleton, ImportError> {
    let mut joints = skeleton.joints().to_vec();
    joints.iter_mut().for_each(|joint| joint.offset = scaled(joint.offset, scale));
    joints[0].rest = (turn * joints[0].rest.as_dquat()).normalize().as_quat();
    joints[0].offset = (turn * joints[0].offset.as_dvec3()).as_vec3();
    Ok(Skeleton::new(joints)?)
}

fn moved(mut take: Take, turn: DQuat, scale: f64) -> Result<Take, ImportError> {
    let joints = take.joints;
    for rotation in take.rotations.iter_mut().step_by(joints) {
        *rotation = (turn * rotation.as_dquat()).normalize().as_quat();
    }
    for moved in &mut take.moved {
        let turn = if moved.joint.index() == 0 { turn } else { DQuat::IDENTITY };
        moved.offsets.iter_mut().for_each(|offset| *offset = (turn * (offset.as_dvec3() * scale)).as_vec3());
        if let Some(frame) = moved.offsets.iter().position(|offset| !offset.is_finite()) {
            let what = format!("an offset of joint {} is no number in metres (scale {scale})", moved.joint.index());
            return Err(ImportError::new(format!("take `{}`, frame {frame}", take.name), what));
        }
    }
    Ok(take)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// y up, facing z: x is left. Each axis of the file lands on ours.
    #[test]
    fn axes_land_where_they_should() {
        let check = |up: Axis, forward: Axis, left: DVec3| {
            let turn = turn(up, forward);
            assert!((turn * up.vector()).distance(DVec3::Z) < 1e-12, "{up:?}");
            assert!((turn * forward.vector()).distance(DVec3::X) < 1e-12, "{forward:?}");
            assert!((turn * left).distance(DVec3::Y) < 1e-12, "{up:?} {forward:?}");
        };
        check(Axis::Y, Axis::Z, DVec3::X);
        check(Axis::Z, Axis::MinusY, DVec3::X);
        check(Axis::Z, Axis::X, DVec3::Y);
        check(Axis::MinusY, Axis::MinusX, DVec3::NEG_Z);
    }

    /// Legs of the CMU figure of subject 7 are 14.33 units; 81 cm and 0.81 m are the same leg.
    #[test]
    fn the_unit_is_found_from_the_leg() {
        let check = |leg: f64, expected: f64, from: ScaleFrom| {
            let (found, why) = scale(Some(leg), None).unwrap();
            assert!((found - expected).abs() < 1e-12 && why == from, "{leg}: {found} {why:?}");
        };
        check(14.33, 0.0254 / 0.45, ScaleFrom::Unit);
        check(0.81, 1.0, ScaleFrom::Unit);
        check(81.0, 0.01, ScaleFrom::Unit);
        check(810.0, 0.001, ScaleFrom::Unit);
        check(3.0, 0.9 / (3.0 * HIP_OF_LEG), ScaleFrom::LegLength);
        assert_eq!(scale(None, None).unwrap(), (1.0, ScaleFrom::Assumed));
        assert!(scale(None, Some(-1.0)).is_err() && scale(None, Some(f32::NAN)).is_err());
    }
}
