//! Why a walker chose what it chose: what it saw, and what spoke for and against.
//!
//! Models tell a [`Witness`] what they weigh while they decide. In a run nobody listens and it costs nothing; asked for one
//! walker, the witness is an [`Explanation`], which `passerby plot --explain` draws.

use crate::vision_threat::{Stimulus, Threat};
use crate::{Neighbour, Walker};
use passerby_crowd::AgentId;
use passerby_geometry::{Segment, Vec2};

/// Directions that a model looked at together, with what it thinks of them.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Section {
    /// First direction, rad, counter-clockwise from +x.
    pub from: f32,
    /// Last direction, rad, not below `from`.
    pub to: f32,
    /// The fastest that passes behind whoever is there, m/s; infinite where nobody is.
    pub behind: f32,
    /// The slowest that passes in front, m/s; 0 where nobody is.
    pub before: f32,
    /// What it costs; the cheapest is taken.
    pub cost: f32,
}

/// Half a plane of velocities: those left of the line are allowed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Line {
    /// A point of it, m/s.
    pub point: Vec2,
    /// Its direction, a unit vector.
    pub direction: Vec2,
    /// Because of whom; of a wall if nobody.
    pub of: Option<AgentId>,
}

/// What pulls or pushes.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Force {
    /// What it is.
    pub what: &'static str,
    /// How strong and where to, m/s2 for forces, m/s for velocities.
    pub vector: Vec2,
    /// Because of whom, where it is one person.
    pub of: Option<AgentId>,
}

/// A velocity that was weighed.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Candidate {
    /// How it came up.
    pub what: &'static str,
    /// m/s.
    pub velocity: Vec2,
    /// What it is worth to the model: a penalty or a quality, as its page says.
    pub rating: f32,
    /// When it would lead into somebody, s; infinite if never.
    pub collides_in: f32,
    /// Because of whom it came up.
    pub of: Option<AgentId>,
}

/// Why one walker chose what it chose.
#[derive(Debug, Clone, PartialEq)]
pub struct Explanation {
    /// The walker.
    pub me: Walker,
    /// Whom it saw, nearest first.
    pub seen: Vec<Neighbour>,
    /// Which walls it minded.
    pub walls: Vec<Segment>,
    /// What it chose, m/s.
    pub chosen: Vec2,
    /// Directions and their costs.
    pub sections: Vec<Section>,
    /// Half planes it kept to.
    pub lines: Vec<Line>,
    /// Forces it felt.
    pub forces: Vec<Force>,
    /// Velocities it weighed.
    pub candidates: Vec<Candidate>,
    /// What it saw, pixel by pixel, with models that look.
    pub view: Option<Looked>,
}

/// What somebody saw, pixel by pixel, and what it asks for.
#[derive(Debug, Clone, PartialEq)]
pub struct Looked {
    /// Pixels side by side, left to right.
    pub columns: u32,
    /// Pixels one above the other, from the top.
    pub rows: u32,
    /// Row by row; `None` where nothing is seen.
    pub pixels: Vec<Option<Stimulus>>,
    /// What they ask for together; `None` if nothing is on a collision course.
    pub threat: Option<Threat>,
}

impl Explanation {
    pub(crate) fn new(me: Walker, seen: &[Neighbour], walls: &[Segment]) -> Self {
        Self {
            me,
            seen: seen.to_vec(),
            walls: walls.to_vec(),
            chosen: Vec2::ZERO,
            sections: Vec::new(),
            lines: Vec::new(),
            forces: Vec::new(),
            candidates: Vec::new(),
            view: None,
        }
    }
}

/// Somebody whom a model tells what it weighs. The one that does nothing is `()`.
pub(crate) trait Witness {
    /// Directions and what they cost.
    #[inline(always)]
    fn section(&mut self, _: Section) {}
    /// A half plane.
    #[inline(always)]
    fn line(&mut self, _: Line) {}
    /// A force.
    #[inline(always)]
    fn force(&mut self, _: &'static str, _: Vec2, _of: Option<AgentId>) {}
    /// A velocity.
    #[inline(always)]
    fn candidate(&mut self, _: Candidate) {}
}

impl Witness for () {}

impl Witness for Explanation {
    fn section(&mut self, section: Section) {
        self.sections.push(section);
    }

    fn line(&mut self, line: Line) {
        self.lines.push(line);
    }

    fn force(&mut self, what: &'static str, vector: Vec2, of: Option<AgentId>) {
        self.forces.push(Force { what, vector, of });
    }

    fn candidate(&mut self, candidate: Candidate) {
        self.candidates.push(candidate);
    }
}
