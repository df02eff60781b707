//! The thread that writes a recording while the run goes on: what it takes to pack a frame is not taken from the next step.

use crate::failure::Failure;
use anyhow::{Context, anyhow};
use passerby::record::{Event, OwnedFrame, Person, RecordError, Writer};
use std::fs::File;
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread::JoinHandle;

/// Frames that may wait to be written. A run that is faster than the disk waits, and memory stays bounded.
const WAITING: usize = 2;

/// What there is to write.
pub enum Note {
    People(Vec<Person>),
    Event(Event),
    Frame(OwnedFrame),
    /// Everything onto the disk, then a word back.
    Flush(SyncSender<()>),
}

/// Turns what the writer says into what users are told.
pub type Explain = Box<dyn Fn(RecordError) -> Failure + Send>;

/// A running thread; ends when it is told to finish, or at the first error.
pub struct Scribe {
    notes: Option<SyncSender<Note>>,
    /// Frames that were written, to be filled again.
    spare: Receiver<OwnedFrame>,
    thread: Option<JoinHandle<Result<u64, Failure>>>,
}

impl Scribe {
    /// Starts to write. `file` is the one that the writer writes to, for telling the disk.
    pub fn start(writer: Writer<File>, file: File, explain: Explain) -> Result<Scribe, Failure> {
        let (notes, received) = sync_channel(WAITING);
        let (written, spare) = sync_channel(WAITING + 1);
        let thread = std::thread::Builder::new()
            .name("recording".to_owned())
            .spawn(move || write(writer, &file, &received, &written, &explain))
            .context("the thread that records cannot be started")?;
        Ok(Scribe { notes: Some(notes), spare, thread: Some(thread) })
    }

    /// A frame to fill.
    pub fn blank(&self) -> OwnedFrame {
        self.spare.try_recv().unwrap_or_default()
    }

    /// Hands over something to write. An error is that of something handed over before.
    pub fn put(&mut self, note: Note) -> Result<(), Failure> {
        match &self.notes {
            Some(notes) if notes.send(note).is_ok() => Ok(()),
            _ => Err(self.end().err().unwrap_or_else(|| anyhow!("the recording has ended").into())),
        }
    }

    /// Comes back when everything so far is on the disk.
    pub fn flush(&mut self) -> Result<(), Failure> {
        let (done, wait) = sync_channel(1);
        self.put(Note::Flush(done))?;
        match wait.recv() {
            Ok(()) => Ok(()),
            Err(_) => Err(self.end().err().unwrap_or_else(|| anyhow!("the recording has ended").into())),
        }
    }

    /// Completes the recording; its size in bytes.
    pub fn finish(mut self) -> Result<u64, Failure> {
        self.end()
    }

    fn end(&mut self) -> Result<u64, Failure> {
        self.notes = None;
        let thread = self.thread.take().ok_or_else(|| anyhow!("the recording has ended"))?;
        thread.join().unwrap_or_else(|_| Err(anyhow!("the thread that records has panicked").into()))
    }
}

impl Drop for Scribe {
    /// What was handed over is written, though the recording stays without its end.
    fn drop(&mut self) {
        if self.thread.is_some() {
            let _ = self.end();
        }
    }
}

fn write(
    mut writer: Writer<File>,
    file: &File,
    notes: &Receiver<Note>,
    written: &SyncSender<OwnedFrame>,
    explain: &Explain,
) -> Result<u64, Failure> {
    for note in notes {
        match note {
            Note::People(people) => writer.people(&people),
            Note::Event(event) => writer.event(event),
            Note::Frame(frame) => {
                writer.frame(&frame.as_frame()).map_err(explain)?;
                // Nobody takes it back: then it goes.
                let _ = written.try_send(frame);
            }
            Note::Flush(done) => {
                writer.flush_all().map_err(explain)?;
                file.sync_data().context("the recording cannot be put onto the disk")?;
                let _ = done.send(());
            }
        }
    }
    let file = writer.finish().map_err(explain)?;
    Ok(file.metadata().map_or(0, |metadata| metadata.len()))
}
