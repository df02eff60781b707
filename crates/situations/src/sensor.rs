//! What people perceive in a situation. A reading is put into the person's memory and stays there until they leave.

use crate::situation::SituationId;

/// A sensor that a situation plugs in.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Sensor {
    /// What a signal shows.
    Signal {
        /// Which.
        signal: u32,
    },
    /// How far the nearest other person is, rim to rim, m; the range if nobody is within it.
    Proximity {
        /// How far it reaches, m.
        within: f32,
    },
    /// How many people of a population are near.
    Agents {
        /// Which; `None`: any.
        population: Option<u32>,
        /// How far it reaches, m.
        within: f32,
    },
    /// People to the square metre around, oneself included.
    Density {
        /// Radius of the circle in which they are counted, m.
        within: f32,
    },
    /// How many places of a situation are empty: seats, counters, or what its capacity leaves.
    Empty {
        /// Which.
        of: SituationId,
    },
    /// Seconds since somebody entered.
    SinceEntry,
    /// Seconds since the run began.
    Clock,
    /// How fast somebody walks, m/s.
    Speed,
    /// Whether somebody has a tag.
    Has {
        /// Its bit.
        tag: u64,
    },
}

/// A reading.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Reading {
    /// A number.
    Number(f64),
    /// Yes or no.
    Flag(bool),
    /// What a signal shows.
    Shows {
        /// Which signal.
        signal: u32,
        /// Which of the different things it can show.
        phase: u32,
    },
}

impl Sensor {
    /// Its kinds, as scenarios name them, with what they tell: the reference is made of this.
    pub const KINDS: &[(&str, &str, &str)] = &[
        ("signal", "{ signal = \"light\" }", "what a signal shows, as text"),
        (
            "proximity",
            "{ proximity = 3 }",
            "how far the nearest other person is, rim to rim, m; 3 if nobody is within 3 m",
        ),
        (
            "agents",
            "{ agents = \"children\", within = 3 }",
            "how many people of a population (\"any\": of all) are within so many metres",
        ),
        ("density", "{ density = 2 }", "people to the square metre in a circle of 2 m, oneself included"),
        (
            "empty",
            "{ empty = \"seats\" }",
            "how many places of a situation are empty: seats, or what its capacity leaves",
        ),
        ("time", "{ time = \"entry\" }", "seconds since somebody entered; { time = \"run\" }: since the run began"),
        (
            "state",
            "{ state = \"speed\" }",
            "how fast somebody walks, m/s; { state = \"ticket\" }: whether they have that tag",
        ),
    ];
}
