//! Serves the viewer and streams frames to it.
//!
//! A [`Server`] listens on loopback and hands out pages that are part of the program. Each page opens a socket, over which it is told the
//! scene (`scene.rs`), the people, and frames that hold only what the page could not foresee (`packet.rs`). What it shows is a [`Show`]: a [`Live`] run, or a recording.
//!
//! Threads and plain blocking sockets: a viewer has a handful of connections, each of which waits most of the time. Whoever runs leaves
//! the newest frame in the hub (`hub.rs`) and goes on; whoever is slow takes a newer one next time. So no page can slow a run.

mod body_file;
mod cells;
mod connection;
mod edits;
pub mod explained;
mod facts;
mod guard;
mod history;
mod http;
mod hub;
mod live;
mod packet;
mod pages;
mod protocol;
mod replay;
mod rotation;
mod scene;
mod server;
mod shadow;
mod staged;
mod websocket;

pub use live::{Live, LiveShow, Stepped};
pub use replay::{NoFrames, ReplayShow};
pub use server::{Log, Server, Show};
