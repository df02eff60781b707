//! From a place to a walkable map and the paths through it.
//!
//! A [`Floor`] says what a place is made of. [`Map::build`] triangulates it once: areas, holes, obstacles, doors and
//! regions. The map then answers where the walls are, what is free, and which way is the shortest for a disc of any
//! radius: [`Map::tree`] for many people with one goal, [`Map::path`] for one question.
//!
//! Ways are exact. They consist of straight pieces that touch circles of the disc's radius about corners, and of arcs on
//! these circles; nothing is sampled and nothing is smoothed afterwards.
//!
//! ```
//! use passerby_geometry::{DVec2, Polygon, Vec2};
//! use passerby_navigation::{Floor, Goal, Map, Search};
//!
//! let corners = [(0, 0), (10, 0), (10, 4), (4, 4), (4, 10), (0, 10)];
//! let outline = Polygon::new(corners.map(|(x, y)| DVec2::new(x.into(), y.into())).to_vec()).unwrap();
//! let map = Map::build(&Floor { areas: vec![outline.into()], ..Floor::default() }).unwrap();
//! let local = |x: f64, y: f64| (DVec2::new(x, y) - map.offset()).as_vec2();
//!
//! let tree = map.tree(&Goal::Point(local(2.0, 9.0)), 0.25);
//! let way = map.next(&tree, local(9.0, 2.0), &mut Search::default()).unwrap();
//! assert!((way.distance - 10.9844).abs() < 1e-4);
//! ```
//!
//! # Cells, trees and portals
//!
//! Where exactness matters less than time, the floor is cut into convex cells once and queries go over a tree of them
//! (Lamarche and Donikian 2004, section 3). Routes are sequences of portals; after string pulling they are about 1 % longer
//! than exact ones.
//!
//! ```text
//! Map -> border -> bottlenecks -> cells ------> topology -> abstraction -> roadmap -> routing -> funnel
//!                  walls cut at   Subdivision   one width   tree           tables     portals    a line
//!                  feet                         '----------- Hierarchy ----------'    climb, meeting
//!                                                            landmarks, bounds
//! ```
//!
//! | step | in a city of 2600 houses on 1.3 x 1.3 km, width 0.6 m |
//! | --- | --- |
//! | [`Subdivision::build`] | 8590 feet in 4 rounds, 13 864 cells, 16 463 portals; 0.12 s, 6 MB |
//! | [`Hierarchy::build`] | 12 214 abstract cells, depth 17, 496 365 stored paths; 0.08 s, 13 MB |
//! | [`Map::put`], [`Network::put`] | an obstacle of 2 x 2 m comes: 1.5 ms, 4.4 ms at p99, most of it for the tree |
//! | [`Routing::find`] | 53 rows looked at, 18 us; with all of 90 portals 33 us. The exact planner: 0.6 ms |
//!
//! ```
//! # use passerby_geometry::{DVec2, Polygon};
//! # use passerby_navigation::{Floor, Hierarchy, Level, Map, Routing, Spot, Subdivision, pull};
//! # let corners = [(0, 0), (10, 0), (10, 4), (4, 4), (4, 10), (0, 10)];
//! # let outline = Polygon::new(corners.map(|(x, y)| DVec2::new(x.into(), y.into())).to_vec()).unwrap();
//! # let map = Map::build(&Floor { areas: vec![outline.into()], ..Floor::default() }).unwrap();
//! let spot = |x: f64, y: f64| Spot { level: Level(0), at: (DVec2::new(x, y) - map.offset()).as_vec2() };
//! let subdivision = Subdivision::build(&map);
//! let hierarchy = Hierarchy::build(&subdivision, 0.5); // for everybody who is 0.5 m wide
//! let (from, to, mut routing) = (spot(9.0, 2.0), spot(2.0, 9.0), Routing::default());
//! let over_middles = routing.find(&hierarchy, &subdivision, from, to).unwrap();
//! let (mut portals, mut line) = (Vec::new(), Vec::new());
//! routing.crossings(&hierarchy, &mut portals);
//! let pulled = pull(&subdivision, from.at, &portals, to.at, 0.25, &mut line);
//! assert!(portals.len() == 2 && over_middles > 12.8 && pulled < 11.0);
//! ```

mod abstraction;
mod border;
mod bottlenecks;
mod bounds;
mod build;
mod carve;
mod cells;
mod climb;
mod corners;
mod detours;
mod floor;
mod following;
mod funnel;
mod grid;
mod ground;
mod growth;
mod hierarchy;
pub mod import;
mod labels;
mod landmarks;
mod map;
mod meeting;
mod mending;
mod mesh;
mod network;
mod pace;
mod patches;
mod path;
mod placing;
mod regrowing;
mod repair;
mod rewalling;
mod roadmap;
mod routing;
mod shutting;
mod sight;
mod standing;
mod subdivision;
mod table;
mod tangent;
mod target;
mod topology;
mod tree;
mod turns;
mod views;
mod way;
pub mod wkt;

pub use abstraction::{Abstraction, NodeId, Pairing, added_paths};
pub use bottlenecks::Rule;
pub use build::MapError;
pub use floor::{Door, Floor, Region};
pub use following::{Heading, heading};
pub use funnel::pull;
pub use hierarchy::{Crossing, Hierarchy};
pub use map::Map;
pub use network::{Network, NetworkSearch};
pub use routing::Routing;
pub use standing::ObstacleId;
pub use subdivision::{CellId, Level, Portal, PortalId, Spot, Subdivision};
pub use topology::Topology;
pub use tree::{Search, Tree};
pub use way::{Goal, Path, Way};
