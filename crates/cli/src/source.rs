//! A scenario file from the disk: whatever is wrong with the file itself is found here, before its text is looked at.

use crate::folder::{Folder, similar_name};
use passerby::Scenario;
use passerby::scenario::{Problem, Problems, TEXT_MAX};
use std::fs::File;
use std::io::{ErrorKind, Read};
use std::path::Path;
use std::string::FromUtf8Error;

/// Reads and checks a scenario file, or finds everything that is wrong with it.
pub fn load(path: &Path) -> Result<Scenario, Problems> {
    let file = path.display().to_string();
    let text = read_text(path, &file)?;
    Scenario::parse(&text, &Folder::of(path), &file)
}

/// The text of a file of bearable size.
fn read_text(path: &Path, file: &str) -> Result<String, Problems> {
    let fail = |what: String| Problem::of_file(file, what);
    let only = |problem: Problem| Problems(vec![problem]);
    let unreadable = |error: std::io::Error| only(fail(format!("cannot be read: {error}")));
    let metadata = path.metadata().map_err(|error| match error.kind() {
        ErrorKind::NotFound => only(missing(path, file)),
        _ => unreadable(error),
    })?;
    if metadata.is_dir() {
        return Err(only(fail("is a folder, not a scenario file".to_owned()).hint("name the .toml file in it")));
    }
    let too_large = |size: String| {
        let problem = fail(format!("has {size} bytes, at most {TEXT_MAX} (16 MiB) can be read"));
        only(
            problem.hint("a large place goes into a file of its own beside the scenario: [place] file = \"place.wkt\""),
        )
    };
    if metadata.len() > TEXT_MAX as u64 {
        return Err(too_large(metadata.len().to_string()));
    }
    let mut bytes = Vec::new();
    // A pipe or a growing file has no size that could have been asked before.
    let read = File::open(path).and_then(|file| file.take(TEXT_MAX as u64 + 1).read_to_end(&mut bytes));
    if read.map_err(unreadable)? > TEXT_MAX {
        return Err(too_large(format!("more than {TEXT_MAX}")));
    }
    String::from_utf8(bytes).map_err(|error| only(not_text(error, file)))
}

fn missing(path: &Path, file: &str) -> Problem {
    let problem = Problem::of_file(file, "there is no such file");
    match similar_name(path) {
        Some(name) => problem.hint(format!("did you mean {}?", path.with_file_name(name).display())),
        None => problem.hint("`passerby new NAME` writes a scenario to start from"),
    }
}

/// Names the first byte that is no text, and its line.
fn not_text(error: FromUtf8Error, file: &str) -> Problem {
    let at = error.utf8_error().valid_up_to();
    let line = 1 + error.as_bytes()[..at].iter().filter(|byte| **byte == b'\n').count() as u32;
    let what = format!("not UTF-8 text: byte {at} is 0x{:02x}, which cannot be there", error.as_bytes()[at]);
    let hint = "save the file as UTF-8; a recording or a picture is no scenario";
    Problem { line: Some(line), ..Problem::of_file(file, what) }.hint(hint)
}
