//! Where large files of others become recordings: a file that nobody sees and that is gone with the program.

use passerby::record::Scratch;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Cursor, ErrorKind};
use std::path::Path;

/// Files up to so many bytes become recordings in memory.
const IN_MEMORY: u64 = 16 << 20;

/// A place for the recording that a file of so many bytes becomes.
pub fn for_file_of(bytes: u64) -> io::Result<Box<dyn Scratch>> {
    if bytes <= IN_MEMORY {
        Ok(Box::new(Cursor::new(Vec::new())))
    } else {
        Ok(Box::new(unnamed(&std::env::temp_dir())?))
    }
}

/// A new file in a folder, whose name is removed at once: the system frees it when the program ends, however it does.
fn unnamed(folder: &Path) -> io::Result<File> {
    let mut attempt = 0;
    loop {
        let path = folder.join(format!("passerby-{}-{attempt}.part", std::process::id()));
        match OpenOptions::new().read(true).write(true).create_new(true).open(&path) {
            Ok(file) => {
                fs::remove_file(&path)?;
                return Ok(file);
            }
            Err(error) if error.kind() == ErrorKind::AlreadyExists && attempt < 1000 => attempt += 1,
            Err(error) => return Err(error),
        }
    }
}
