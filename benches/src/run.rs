//! One workload in the whole engine, stepped in turns: on one thread or two, recording every tick or nothing.

use crate::workload::Workload;
use crate::{allocations, clock, memory};
use passerby::Simulation;
use passerby::record::{OwnedFrame, Writer};
use rayon::ThreadPool;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::sync::mpsc::sync_channel;
use std::time::Instant;

/// Ticks before the first turn: everybody walks, rows have been sorted, and every buffer has its size.
const WARM_UP: u32 = 64;

/// How a turn is done.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Manner {
    /// Threads of the pool.
    pub threads: usize,
    /// Whether every tick goes into a file.
    pub record: bool,
}

/// What a turn took.
#[derive(Debug, Clone, Copy)]
pub struct Turn {
    /// Steps a second of the clock on the wall.
    pub steps_per_second: f64,
    /// Steps of one person a second of processor time, all threads added up.
    pub agent_steps_per_cpu_second: f64,
    /// Allocations a step.
    pub allocations: f64,
}

/// Memory for each person, bytes.
#[derive(Debug, Clone, Copy)]
pub struct Memory {
    /// On the heap after the warm-up: map, columns, buffers.
    pub held: f64,
    /// The most that was on the heap until then, placing everybody included.
    pub most: f64,
    /// By how much the program has grown at most, as the system counts it; `None` where it does not tell.
    pub resident: Option<f64>,
}

/// A workload that is under way.
pub struct Run<'a> {
    workload: &'a Workload,
    simulation: Simulation,
    /// Memory of its people.
    pub memory: Memory,
    folder: PathBuf,
}

impl<'a> Run<'a> {
    /// Starts a workload and warms up. Recordings go to `folder`, and are removed.
    pub fn new(workload: &'a Workload, folder: &Path) -> Self {
        memory::forget_peak();
        allocations::most_held();
        let (held, resident) = (allocations::held(), memory::resident());
        let mut simulation = workload.start();
        (0..WARM_UP).for_each(|_| simulation.step());
        let each = |bytes: u64| bytes as f64 / workload.people as f64;
        let memory = Memory {
            held: each(allocations::held().saturating_sub(held)),
            most: each(allocations::most_held().saturating_sub(held)),
            resident: memory::peak().zip(resident).map(|(peak, before)| each(peak.saturating_sub(before))),
        };
        Self { workload, simulation, memory, folder: folder.to_owned() }
    }

    /// Mean speed of everybody now, m/s.
    pub fn mean_speed(&self) -> f32 {
        let velocities = self.simulation.velocities();
        velocities.iter().map(|v| v.length()).sum::<f32>() / velocities.len().max(1) as f32
    }

    /// Steps for at least so many seconds of processor time. A run that ends begins anew, which is not counted.
    pub fn turn(&mut self, pool: &ThreadPool, manner: Manner, seconds: f64) -> Turn {
        pool.install(|| {
            self.renew();
            self.simulation.step(); // buffers of each thread
            let mut total = Spent::default();
            while total.processor < seconds {
                let spent = if manner.record { self.recorded() } else { self.plain() };
                total.add(spent);
                self.renew();
            }
            Turn {
                steps_per_second: total.steps / total.wall,
                agent_steps_per_cpu_second: total.agent_steps / total.processor,
                allocations: total.allocations / total.steps,
            }
        })
    }

    /// Begins anew if the run has ended.
    fn renew(&mut self) {
        if self.simulation.finished() {
            self.simulation = self.workload.start();
            (0..WARM_UP / 2).for_each(|_| self.simulation.step());
        }
    }

    /// A cycle of steps without a recording.
    fn plain(&mut self) -> Spent {
        let (simulation, steps) = (&mut self.simulation, self.workload.cycle());
        Spent::of(|| step_all(simulation, steps, |_| {}))
    }

    /// A cycle of steps with every tick in a file. What is done once a run, to begin the file with who is there and to end it, is
    /// not counted: a cycle is short.
    fn recorded(&mut self) -> Spent {
        let (simulation, steps) = (&mut self.simulation, self.workload.cycle());
        let path = self.folder.join("bench.parquet");
        let file = File::create(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        let mut writer = Writer::new(file, &simulation.header()).expect("a recording");
        writer.people(&simulation.persons());
        writer.flush_all().expect("room on the disk");
        // As `passerby run` does it: a thread of its own packs and writes, two frames may wait.
        let (notes, received) = sync_channel::<OwnedFrame>(2);
        let (written, spare) = sync_channel::<OwnedFrame>(3);
        let mut packing = 0.0;
        let mut spent = Spent::of(|| {
            std::thread::scope(|scope| {
                let scribe = scope.spawn(move || {
                    for frame in received {
                        writer.frame(&frame.as_frame()).expect("room on the disk");
                        let _ = written.try_send(frame);
                    }
                    writer.flush_all().expect("room on the disk");
                    (clock::seconds(), writer)
                });
                let done = step_all(simulation, steps, |simulation| {
                    let mut frame = spare.try_recv().unwrap_or_default();
                    simulation.fill_frame(&mut frame);
                    notes.send(frame).expect("the thread that writes");
                });
                drop(notes);
                // Its time is that of no living thread any more when all are asked.
                let (seconds, writer) = scribe.join().expect("the thread that writes");
                packing = seconds;
                drop(writer);
                done
            })
        });
        spent.processor += packing;
        std::fs::remove_file(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        spent
    }
}

/// So many steps, or to the end of the run; steps, and steps of people.
fn step_all(simulation: &mut Simulation, most: u32, mut then: impl FnMut(&mut Simulation)) -> (u32, usize) {
    let (mut steps, mut agent_steps) = (0, 0);
    while steps < most && !simulation.finished() {
        agent_steps += simulation.len();
        simulation.step();
        then(simulation);
        steps += 1;
    }
    (steps, agent_steps)
}

/// What some steps have cost.
#[derive(Debug, Default)]
struct Spent {
    steps: f64,
    agent_steps: f64,
    wall: f64,
    processor: f64,
    allocations: f64,
}

impl Spent {
    fn of(work: impl FnOnce() -> (u32, usize)) -> Spent {
        // The clock of the processor allocates: it is asked outside of what is counted.
        let (processor, calls, wall) = (clock::seconds_of_all(), allocations::calls(), Instant::now());
        let (steps, agent_steps) = work();
        let (wall, allocations) = (wall.elapsed().as_secs_f64(), (allocations::calls() - calls) as f64);
        let processor = clock::seconds_of_all() - processor;
        Spent { steps: f64::from(steps), agent_steps: agent_steps as f64, wall, processor, allocations }
    }

    fn add(&mut self, other: Spent) {
        let Spent { steps, agent_steps, wall, processor, allocations } = other;
        (self.steps += steps, self.agent_steps += agent_steps, self.wall += wall);
        (self.processor += processor, self.allocations += allocations);
    }
}
