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

mod build;
mod corners;
mod floor;
mod grid;
mod ground;
pub mod import;
mod labels;
mod map;
mod mesh;
mod path;
mod sight;
mod tangent;
mod target;
mod tree;
mod way;
pub mod wkt;

pub use build::MapError;
pub use floor::{Door, Floor, Region};
pub use map::Map;
pub use tree::{Search, Tree};
pub use way::{Goal, Path, Way};
