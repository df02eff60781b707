//! Who an agent is, and where its row is.

/// Who an agent is: its population and its number in it. Never reused in a run; the order of ids settles every tie.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct AgentId(u32);

impl AgentId {
    /// Bits of the ordinal; the rest names the population.
    const ORDINAL_BITS: u32 = 22;
    /// How many populations there can be.
    pub const POPULATIONS_MAX: u32 = 1 << (32 - Self::ORDINAL_BITS);
    /// How many people a population can ever have.
    pub const ORDINALS_MAX: u32 = 1 << Self::ORDINAL_BITS;

    /// The agent with this number in this population.
    ///
    /// # Panics
    /// If there cannot be so many populations or people; the scenario reader refuses those.
    pub fn new(population: u32, ordinal: u32) -> Self {
        assert!(population < Self::POPULATIONS_MAX && ordinal < Self::ORDINALS_MAX, "{population}, {ordinal}");
        Self(population << Self::ORDINAL_BITS | ordinal)
    }

    /// From the number a file holds.
    pub const fn from_bits(bits: u32) -> Self {
        Self(bits)
    }

    /// The number a file holds.
    pub fn bits(self) -> u32 {
        self.0
    }

    /// Which population.
    pub fn population(self) -> u32 {
        self.0 >> Self::ORDINAL_BITS
    }

    /// Which number in it.
    pub fn ordinal(self) -> u32 {
        self.0 & (Self::ORDINALS_MAX - 1)
    }
}

impl std::fmt::Display for AgentId {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}.{}", self.population(), self.ordinal())
    }
}

/// A place in the columns. Dies with the tick: rows move when people leave and when rows are sorted in space.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Row(pub u32);

impl Row {
    /// As an index.
    pub fn index(self) -> usize {
        self.0 as usize
    }
}
