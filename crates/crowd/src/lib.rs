//! Agent columns, ids, and the index that answers who is near.

mod id;

pub use id::{AgentId, Row};
