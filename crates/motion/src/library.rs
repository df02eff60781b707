//! Clips by number.

/// A clip of a library.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct ClipId(pub u16);
