//! Agent columns, ids, and the index that answers who is near.
//!
//! Agents are rows of columns ([`Agents`]), not objects. A row is a place and may change; an [`AgentId`] never does. What is
//! read during a tick is `now`, what is written is `next`, so nobody ever sees a half-moved crowd. The [`Index`] sorts
//! everybody in space once a tick and answers [`Index::within`] and [`Index::nearest`], nearest first, ties by id;
//! [`search`] answers for eight agents at once. Whom of them a walker looks at is a choice: [`Neighbours`]. The [`Graph`] joins
//! neighbours however far they are.

mod agents;
mod circle;
mod delaunay;
mod graph;
mod id;
mod index;
mod neighbours;
mod reorder;
pub mod search;

pub use agents::{Agents, Motion, NewAgent};
pub use graph::Graph;
pub use id::{AgentId, Row};
pub use index::{Body, Columns, Found, Index, Slot};
pub use neighbours::{NEAREST_MAX, Neighbours};
pub use reorder::Reorder;
