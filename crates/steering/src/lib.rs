//! Steering models: from what a walker sees to a velocity.
