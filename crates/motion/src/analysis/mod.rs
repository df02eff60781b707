//! What a take shows: which frames are faulty, when feet stand, where the torso faces, how fast it goes; and the cycle in it.

pub mod contacts;
pub mod cycle;
pub mod faults;
pub mod gait;
pub mod level;
mod replant;
mod seam;

pub use contacts::{Contacts, Interval};
pub use cycle::{Cut, CutError, cut};
pub use faults::{Fault, FaultKind};
pub use gait::Gait;
