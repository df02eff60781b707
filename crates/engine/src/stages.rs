//! The stages of a tick, in their order. No stage calls another.

pub(crate) mod doors;
pub(crate) mod fidget;
pub(crate) mod ground;
pub(crate) mod motion;
pub(crate) mod near;
pub(crate) mod routes;
pub(crate) mod sides;
pub(crate) mod situations;
pub(crate) mod steering;
pub(crate) mod together;
