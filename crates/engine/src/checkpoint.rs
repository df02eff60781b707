//! A run put away and taken up again: the state of a [`Simulation`] as bytes, from which it goes on bit for bit.
//!
//! What follows from the scenario is not in it: map, trees and stages are made anew. So a checkpoint belongs to one
//! scenario, and says to which.

use crate::custom::CustomModels;
use crate::people::People;
use crate::saved::{Bytes, Saved};
use crate::scenario::{Problems, Run, Scenario};
use crate::simulation::Simulation;
use crate::tally::{Tally, mix};
use crate::world::{World, place_problem};
use passerby_steering::CustomModel;
use std::fmt::{self, Write};

/// Version of what checkpoints hold; another one is refused.
const FORMAT: u32 = 8;
/// Kind, format, length.
const HEAD: usize = 8 + 4 + 8;
/// The checksum behind the body.
const TAIL: usize = 8;
/// What a checkpoint of the engine begins with.
const ENGINE: [u8; 8] = *b"PsbyChk\xff";
/// The program whose state it is: another version may give other bits.
const VERSION: &str = env!("CARGO_PKG_VERSION");

/// Why a run could not be taken up again.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum ResumeError {
    /// The bytes are something else.
    #[error("this is no checkpoint: it does not begin like one; take the file that `--checkpoint-every` wrote")]
    NotACheckpoint,
    /// Another version wrote it.
    #[error("the checkpoint was written by {found}, this is {known}: resume with the version that wrote it")]
    Version {
        /// Who wrote it.
        found: String,
        /// Who reads it.
        known: String,
    },
    /// It is cut, or bits of it have changed.
    #[error("the checkpoint is damaged: {what}; take an older copy, or begin anew")]
    Damaged {
        /// What is wrong.
        what: String,
    },
    /// It belongs to another scenario.
    #[error("the checkpoint is of another run: {what} differs; resume with the scenario and settings it was made with")]
    OtherScenario {
        /// What is not the same.
        what: String,
    },
    /// The place of the scenario cannot be walked in.
    #[error("{0}")]
    Scenario(Problems),
}

fn damaged(what: impl Into<String>) -> ResumeError {
    ResumeError::Damaged { what: what.into() }
}

/// Puts a body into an envelope: kind, format, length, body, checksum.
pub fn seal(kind: [u8; 8], body: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEAD + body.len() + TAIL);
    bytes.extend_from_slice(&kind);
    (FORMAT.save(&mut bytes), (body.len() as u64).save(&mut bytes));
    bytes.extend_from_slice(body);
    let sum = checksum(&bytes);
    sum.save(&mut bytes);
    bytes
}

/// Takes the body out of an envelope of a kind, if it is whole.
pub fn unseal(kind: [u8; 8], bytes: &[u8]) -> Result<&[u8], ResumeError> {
    let Some(rest) = bytes.strip_prefix(&kind) else { return Err(ResumeError::NotACheckpoint) };
    let mut head = Bytes(rest);
    let format = u32::load(&mut head).map_err(damaged)?;
    if format != FORMAT {
        return Err(ResumeError::Version { found: format!("format {format}"), known: format!("format {FORMAT}") });
    }
    let length = u64::load(&mut head).map_err(damaged)?;
    if length.checked_add((HEAD + TAIL) as u64) != Some(bytes.len() as u64) {
        let what = format!("it has {} bytes and should have {length} and {} more", bytes.len(), HEAD + TAIL);
        return Err(damaged(what));
    }
    let (sealed, sum) = bytes.split_at(bytes.len() - TAIL);
    if sum != checksum(sealed).to_le_bytes() {
        return Err(damaged("its checksum does not fit"));
    }
    Ok(&sealed[HEAD..])
}

fn checksum(bytes: &[u8]) -> u64 {
    let word = |chunk: &[u8]| chunk.iter().rev().fold(0, |word, byte| word << 8 | u64::from(*byte));
    bytes.chunks(8).map(word).fold(bytes.len() as u64, mix)
}

impl Simulation {
    /// The state of the run after this tick, for [`Simulation::resume`]. About 100 bytes a person.
    pub fn checkpoint(&self) -> Vec<u8> {
        let mut body = Vec::new();
        VERSION.as_bytes().to_vec().save(&mut body);
        fingerprint(&self.scenario).iter().for_each(|(_, hash)| hash.save(&mut body));
        self.tick.save(&mut body);
        self.people.save(&mut body);
        self.tally.save(&mut body);
        self.world.save(&mut body);
        self.models.save(&mut body);
        seal(ENGINE, &body)
    }

    /// Takes a run up where [`Simulation::checkpoint`] put it away. From there it goes on bit for bit, on any number of
    /// threads. The scenario has to be the same; only its end, its name and what is recorded may differ.
    pub fn resume(scenario: Scenario, checkpoint: &[u8]) -> Result<Simulation, ResumeError> {
        Simulation::resume_with_models(scenario, checkpoint, Vec::new())
    }

    /// As [`Simulation::resume`], with the models it was made with; they take up what they remembered. Observers are not part of
    /// a checkpoint.
    pub fn resume_with_models(
        scenario: Scenario,
        checkpoint: &[u8],
        models: Vec<Box<dyn CustomModel>>,
    ) -> Result<Simulation, ResumeError> {
        let models = CustomModels::new(models, &scenario).map_err(ResumeError::Scenario)?;
        let mut from = Bytes(unseal(ENGINE, checkpoint)?);
        let version = String::from_utf8_lossy(&Vec::<u8>::load(&mut from).map_err(damaged)?).into_owned();
        if version != VERSION {
            let [found, known] = [version.as_str(), VERSION].map(|version| format!("version {version}"));
            return Err(ResumeError::Version { found, known });
        }
        for (what, hash) in fingerprint(&scenario) {
            if u64::load(&mut from).map_err(damaged)? != hash {
                return Err(ResumeError::OtherScenario { what: what.to_owned() });
            }
        }
        let world = World::new(&scenario)
            .map_err(|error| ResumeError::Scenario(Problems(vec![place_problem(&scenario, &error)])))?;
        load_state(world, models, scenario, from).map_err(damaged)
    }
}

fn load_state(
    mut world: World,
    mut models: CustomModels,
    scenario: Scenario,
    mut from: Bytes<'_>,
) -> Result<Simulation, String> {
    let tick = u32::load(&mut from)?;
    let people = People::load(&mut from)?;
    let tally = Tally::load(&mut from, &scenario)?;
    world.load(&mut from)?;
    models.load(&mut from)?;
    if !from.0.is_empty() {
        return Err(format!("{} bytes are left over", from.0.len()));
    }
    // A run cannot have more ticks: a million seconds of a thousandth each.
    if tick > 1 << 30 {
        return Err(format!("tick {tick} is beyond any run"));
    }
    people.check(&world)?;
    world.plant(&people);
    people.check_routes(&world)?;
    Ok(Simulation::assemble(world, people, tally, models, tick, scenario))
}

/// What has to be the same for a run to be the same, part by part, so that a message can say what is not.
fn fingerprint(scenario: &Scenario) -> [(&'static str, u64); 10] {
    let Scenario {
        name: _,
        file: _,
        text,
        place,
        place_report: _,
        place_lines: _,
        populations,
        signals,
        movers,
        doings,
        measures: _,
        events,
        run,
        record: _,
    } = scenario;
    let Run { seed, until: _, tick, separate } = run;
    [
        ("the seed", *seed),
        ("the length of a tick", tick.to_bits()),
        ("`separate`", u64::from(*separate)),
        ("the place", hash_of(place)),
        ("a population", hash_of(populations)),
        ("a signal", hash_of(signals)),
        ("a mover", hash_of(movers)),
        ("a situation", hash_of(doings)),
        ("an event", hash_of(events)),
        ("the text of the scenario", hash_of(text)),
    ]
}

/// A hash of how something is printed: nothing that is in it can be forgotten.
fn hash_of(value: &impl fmt::Debug) -> u64 {
    /// FNV-1a, byte by byte: how the text is handed over in pieces does not matter.
    struct Hash(u64);
    impl Write for Hash {
        fn write_str(&mut self, text: &str) -> fmt::Result {
            self.0 = text.bytes().fold(self.0, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3));
            Ok(())
        }
    }
    let mut hash = Hash(0xcbf2_9ce4_8422_2325);
    // Our own writer never fails.
    let _ = write!(hash, "{value:?}");
    hash.0
}
