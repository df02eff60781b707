//! From a place to a walkable map and the paths through it.
