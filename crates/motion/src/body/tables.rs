//! The body's measures: rings of the left half of somebody of stature 1, in the order they are joined.
//!
//! Main measures are those of `walker`; girths, and how build and sex change them, are ours, made by looking.

use super::ring::{Ring, curve};
use crate::mesh::{Shape, Slot};
use crate::walker::HIP_ASIDE;

/// Columns of the trunk's half, from the middle of the front to the middle of the back.
pub const COLUMNS: usize = 10;
/// The arm leaves the trunk through these columns ...
pub const ARM_COLUMNS: [usize; 2] = [3, 7];
/// ... and rows.
pub const ARM_ROWS: [usize; 2] = [8, 11];
/// Points around an arm or a leg: those around the hole for the arm, or half of the trunk and the crotch.
pub const AROUND: usize = 14;

/// Heights in front, at the sides and behind; reach to the front, back and side; fullness.
const TRUNK: [([f32; 3], [f32; 3], f32); 28] = [
    ([0.480, 0.505, 0.472], [0.052, 0.066, 0.092], 0.90), // where legs begin
    ([0.518, 0.530, 0.512], [0.058, 0.070, 0.0945], 0.90),
    ([0.550, 0.552, 0.546], [0.060, 0.069, 0.0935], 0.92),
    ([0.574, 0.574, 0.572], [0.059, 0.063, 0.0895], 0.94), // under the hem of the top
    ([0.564, 0.564, 0.560], [0.064, 0.070, 0.0950], 0.94), // its hem
    ([0.612, 0.612, 0.612], [0.062, 0.056, 0.0865], 0.94),
    ([0.658, 0.658, 0.658], [0.061, 0.051, 0.0830], 0.92),
    ([0.708, 0.708, 0.708], [0.065, 0.057, 0.0870], 0.88),
    ([0.750, 0.752, 0.752], [0.068, 0.063, 0.0910], 0.85), // armpit
    ([0.776, 0.780, 0.782], [0.065, 0.064, 0.0930], 0.84),
    ([0.800, 0.808, 0.810], [0.057, 0.061, 0.0930], 0.84),
    ([0.820, 0.833, 0.836], [0.045, 0.054, 0.0880], 0.88), // top of the shoulder
    ([0.831, 0.846, 0.851], [0.035, 0.046, 0.0600], 0.95),
    ([0.837, 0.856, 0.862], [0.031, 0.039, 0.0390], 1.00), // collar
    ([0.849, 0.868, 0.875], [0.029, 0.036, 0.0340], 1.00),
    ([0.863, 0.882, 0.889], [0.033, 0.037, 0.0335], 1.00),
    ([0.869, 0.890, 0.901], [0.053, 0.042, 0.0345], 1.00), // under the jaw
    ([0.876, 0.898, 0.912], [0.060, 0.047, 0.0365], 1.00), // chin
    ([0.8895, 0.907, 0.921], [0.0595, 0.051, 0.0395], 0.97), // lips
    ([0.8965, 0.915, 0.929], [0.0605, 0.053, 0.0415], 0.94),
    ([0.908, 0.923, 0.936], [0.060, 0.0545, 0.0425], 0.92), // tip of the nose
    ([0.929, 0.935, 0.944], [0.0575, 0.0555, 0.0430], 0.90), // under the eyes
    ([0.9365, 0.944, 0.951], [0.0575, 0.056, 0.0435], 0.90), // over the eyes
    ([0.947, 0.952, 0.957], [0.060, 0.0565, 0.0435], 0.90), // brows
    ([0.960, 0.961, 0.964], [0.058, 0.056, 0.0430], 0.92),
    ([0.973, 0.973, 0.974], [0.052, 0.051, 0.0395], 0.96),
    ([0.986, 0.986, 0.986], [0.040, 0.040, 0.0315], 1.00),
    ([0.9955, 0.9955, 0.9955], [0.022, 0.023, 0.0175], 1.00),
];

/// The first row that is the neck's skin, and the first that is the head's.
pub const COLLAR_ROW: usize = 13;
/// The row under the hem of the top; the next is the hem.
pub const HEM_ROW: usize = 3;

/// Rows from which a column of the head has hair, front to back.
const HAIRLINE: [usize; COLUMNS] = [24, 24, 24, 23, 23, 23, 19, 17, 17, 17];

type Limb = ([f32; 2], [f32; 2], [f32; 2], f32);

/// Outermost and innermost point (y, z), reach to front and back, and how much of it the upper arm carries.
const ARM: [Limb; 14] = [
    ([0.1140, 0.8270], [0.0905, 0.7540], [0.039, 0.041], 0.45),
    ([0.1270, 0.8080], [0.0870, 0.7440], [0.036, 0.037], 0.75),
    ([0.1330, 0.7780], [0.0840, 0.7340], [0.034, 0.034], 0.95),
    ([0.1335, 0.7400], [0.0840, 0.7180], [0.0315, 0.0305], 1.0),
    ([0.1310, 0.6920], [0.0855, 0.6860], [0.0285, 0.028], 1.0),
    ([0.1290, 0.6540], [0.0875, 0.6540], [0.0240, 0.0255], 1.0),
    ([0.1285, 0.6320], [0.0875, 0.6320], [0.0230, 0.0250], 1.0), // elbow
    ([0.1295, 0.6080], [0.0870, 0.6080], [0.0245, 0.0240], 1.0),
    ([0.1270, 0.5600], [0.0890, 0.5600], [0.0220, 0.0210], 1.0),
    ([0.1185, 0.4880], [0.0975, 0.4880], [0.0155, 0.0155], 1.0), // wrist
    ([0.1180, 0.4690], [0.0985, 0.4690], [0.0200, 0.0180], 1.0),
    ([0.1175, 0.4500], [0.0990, 0.4500], [0.0220, 0.0205], 1.0),
    ([0.1155, 0.4310], [0.0980, 0.4310], [0.0215, 0.0215], 1.0), // knuckles
    ([0.1070, 0.3880], [0.0940, 0.3880], [0.0150, 0.0165], 1.0),
];
/// Fingertips.
pub const ARM_END: [f32; 3] = [0.0, 0.0985, 0.378];
const SHORT_SLEEVE_ROW: usize = 5;
const CUFF_ROW: usize = 9;
/// The thumb leaves the hand between this ring and two further.
pub const THUMB_ROW: usize = 10;
/// Middles and half widths of the thumb's rings, and its tip.
pub const THUMB: [([f32; 3], f32); 2] = [([0.0285, 0.1065, 0.4480], 0.0075), ([0.0330, 0.1045, 0.4330], 0.0062)];
/// Tip of the thumb.
pub const THUMB_END: [f32; 3] = [0.0350, 0.1030, 0.4235];

/// Points between the legs, from back to front: x and z.
pub const CROTCH: [[f32; 2]; 3] = [[-0.036, 0.461], [-0.004, 0.458], [0.027, 0.464]];

/// Outermost and innermost point (y, z), reach to front and back.
const LEG: [([f32; 2], [f32; 2], [f32; 2]); 12] = [
    ([0.0940, 0.474], [0.0040, 0.445], [0.052, 0.061]),
    ([0.0930, 0.440], [0.0055, 0.425], [0.0505, 0.055]),
    ([0.0900, 0.395], [0.0110, 0.390], [0.047, 0.047]),
    ([0.0855, 0.345], [0.0185, 0.343], [0.041, 0.039]),
    ([0.0820, 0.307], [0.0245, 0.307], [0.0365, 0.034]),
    ([0.0810, 0.285], [0.0265, 0.285], [0.036, 0.0315]), // knee
    ([0.0805, 0.263], [0.0275, 0.263], [0.0335, 0.0335]),
    ([0.0810, 0.225], [0.0285, 0.225], [0.0300, 0.0365]),
    ([0.0780, 0.160], [0.0315, 0.160], [0.0275, 0.0330]),
    ([0.0760, 0.095], [0.0335, 0.095], [0.0260, 0.0300]),
    ([0.0770, 0.050], [0.0325, 0.050], [0.0275, 0.0305]), // hem
    ([0.0700, 0.056], [0.0395, 0.056], [0.0210, 0.0230]), // ankle, inside the hem
];
const SHORTS_ROW: usize = 4;
/// The ring of the hem.
pub const HEM: usize = 10;

/// Instep and sole (x, z), half width.
const FOOT: [([f32; 2], [f32; 2], f32); 6] = [
    ([0.030, 0.050], [-0.034, 0.038], 0.0205),
    ([0.043, 0.043], [-0.0395, 0.016], 0.0220),
    ([0.056, 0.038], [-0.0340, -0.008], 0.0230),
    ([0.070, 0.033], [0.0180, -0.010], 0.0245),
    ([0.093, 0.027], [0.0720, -0.010], 0.0275),
    ([0.108, 0.020], [0.1010, -0.006], 0.0205),
];
/// Tip of the shoe.
pub const FOOT_END: [f32; 3] = [0.1140, HIP_ASIDE + 0.002, 0.008];

/// How many rows the trunk has.
pub const TRUNK_ROWS: usize = TRUNK.len();
/// How many rings hang on the hole for the arm.
pub const ARM_RINGS: usize = ARM.len();
/// How many rings hang on the hip, down to the ankle.
pub const LEG_RINGS: usize = LEG.len();
/// How many rings the foot has.
pub const FOOT_RINGS: usize = FOOT.len();

// How far a unit of build reaches out, by height.
const HEAVY_FRONT: [(f32, f32); 8] =
    [(0.47, 0.02), (0.55, 0.07), (0.63, 0.15), (0.70, 0.10), (0.78, 0.04), (0.84, 0.02), (0.87, 0.012), (0.90, 0.004)];
const HEAVY_BACK: [(f32, f32); 6] = [(0.47, 0.04), (0.55, 0.06), (0.63, 0.06), (0.76, 0.05), (0.86, 0.02), (0.92, 0.0)];
const HEAVY_SIDE: [(f32, f32); 7] =
    [(0.47, 0.07), (0.56, 0.09), (0.65, 0.10), (0.75, 0.05), (0.82, 0.02), (0.86, 0.012), (0.95, 0.004)];
// How women differ from men, by height.
const FEMALE_FRONT: [(f32, f32); 9] = [
    (0.55, 0.0),
    (0.60, -0.004),
    (0.69, -0.005),
    (0.725, 0.006),
    (0.752, 0.013),
    (0.776, 0.008),
    (0.80, -0.002),
    (0.85, -0.004),
    (0.88, -0.002),
];
const FEMALE_BACK: [(f32, f32); 6] =
    [(0.47, 0.005), (0.54, 0.006), (0.62, -0.002), (0.70, -0.007), (0.86, -0.006), (0.92, -0.001)];
const FEMALE_SIDE: [(f32, f32); 7] =
    [(0.47, 0.004), (0.54, 0.007), (0.58, 0.003), (0.64, -0.008), (0.74, -0.008), (0.86, -0.006), (0.90, -0.002)];

/// A row of the trunk, neck and head.
pub fn trunk(row: usize, shape: Shape) -> Ring {
    let (heights, reach, power) = TRUNK[row];
    let (heavy, female, z) = (shape.build - 1.0, shape.female, heights[1]);
    let more = |heavier: &[(f32, f32)], other: &[(f32, f32)]| heavy * curve(heavier, z) + female * curve(other, z);
    Ring::slice(heights, reach, power).grown(
        more(&HEAVY_FRONT, &FEMALE_FRONT),
        more(&HEAVY_BACK, &FEMALE_BACK),
        more(&HEAVY_SIDE, &FEMALE_SIDE),
    )
}

/// A ring of the arm, and how much of it the upper arm and all below carry.
pub fn arm(ring: usize, shape: Shape) -> (Ring, f32) {
    let (outer, inner, [front, back], own) = ARM[ring];
    let hand = ring > CUFF_ROW;
    let wider = (shape.build - 1.0) * if hand { 0.15 } else { 0.7 } - shape.female * if hand { 0.08 } else { 0.13 };
    let wider = wider * own * own; // the shoulder goes on smoothly from the trunk
    (Ring::limb(outer, inner, front, back).widened(wider, wider, wider, wider), own)
}

/// A ring of the leg. The inside grows less than the outside: the other leg is there.
pub fn leg(ring: usize, shape: Shape) -> Ring {
    let (outer, inner, [front, back]) = LEG[ring];
    let thigh = curve(&[(0.2, 0.0), (0.45, 1.0)], outer[1]);
    let wider = (shape.build - 1.0) * (0.45 + 0.35 * thigh) - shape.female * (0.07 - 0.09 * thigh);
    Ring::limb(outer, inner, front, back).widened(wider, wider, wider, wider * (0.6 - 0.55 * thigh))
}

/// A ring of the foot.
pub fn foot(ring: usize, shape: Shape) -> Ring {
    let (instep, sole, half) = FOOT[ring];
    let toe_out = HIP_ASIDE + 0.002 * (ring as f32 / (FOOT_RINGS - 1) as f32);
    Ring::foot(instep, sole, toe_out, half * (1.0 - 0.06 * shape.female))
}

/// What covers the trunk between a row and the next, a column and the next.
pub fn trunk_slot(row: usize, column: usize) -> Slot {
    match row {
        _ if row <= HEM_ROW => Slot::Trousers,
        _ if row < COLLAR_ROW => Slot::Top,
        18 if column == 0 => Slot::Lips,
        21 if column == 1 => Slot::Eyes,
        _ if row >= HAIRLINE[column] => Slot::Hair,
        14.. if column >= 5 && row + 2 > 21 - column => Slot::LongHair,
        _ => Slot::Skin,
    }
}

/// What covers the arm between a ring and the next; the first lies between the trunk and ring 0.
pub fn arm_slot(gap: usize) -> Slot {
    match gap {
        _ if gap <= SHORT_SLEEVE_ROW => Slot::Top,
        _ if gap <= CUFF_ROW => Slot::Sleeves,
        _ => Slot::Skin,
    }
}

/// What covers the leg between a ring and the next; the first lies between the trunk and ring 0.
pub fn leg_slot(gap: usize) -> Slot {
    match gap {
        _ if gap <= SHORTS_ROW => Slot::Trousers,
        _ if gap <= HEM => Slot::Legs,
        _ => Slot::Shoes,
    }
}
