//! The folder of a scenario: the only place from which it may read files.

use passerby::scenario::Files;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

/// Largest file that a scenario may name, in bytes.
const SIZE_MAX: usize = 256 << 20;

/// The files in and below a folder.
#[derive(Debug)]
pub struct Folder {
    root: PathBuf,
}

impl Folder {
    /// The folder that a scenario file is in.
    pub fn of(scenario: &Path) -> Folder {
        Folder { root: folder_of(scenario).to_owned() }
    }

    /// Where a path leads, links followed; an error if that is not a file in the folder.
    fn locate(&self, path: &str) -> Result<PathBuf, String> {
        let relative = Path::new(path);
        if relative.is_absolute()
            || relative.components().any(|c| matches!(c, Component::Prefix(_) | Component::RootDir))
        {
            return Err("is an absolute path; name the file relative to the scenario".to_owned());
        }
        if relative.components().any(|part| part == Component::ParentDir) {
            return Err("leads out of the scenario's folder with `..`; put the file beside the scenario".to_owned());
        }
        let named = self.root.join(relative);
        let root = self.root.canonicalize().map_err(|error| format!("{}: {error}", self.root.display()))?;
        let real = named.canonicalize().map_err(|error| match similar_name(&named) {
            Some(near) => {
                format!("cannot be read: {error}; did you mean \"{}\"?", relative.with_file_name(near).display())
            }
            None => format!("cannot be read: {error}"),
        })?;
        if !real.starts_with(&root) {
            let to = real.display();
            return Err(format!(
                "is a link that leads out of the scenario's folder, to {to}; put a copy beside the scenario"
            ));
        }
        Ok(real)
    }
}

impl Files for Folder {
    fn read(&self, path: &str) -> Result<Vec<u8>, String> {
        self.read_at_most(path, SIZE_MAX)
    }

    fn read_at_most(&self, path: &str, most: usize) -> Result<Vec<u8>, String> {
        let most = most as u64;
        let real = self.locate(path)?;
        let metadata = real.metadata().map_err(|error| format!("cannot be read: {error}"))?;
        if !metadata.is_file() {
            return Err("is not a file".to_owned());
        }
        let too_large =
            |size: String| format!("has {size} bytes, at most {most} can be read; cut out the part that is needed");
        if metadata.len() > most {
            return Err(too_large(metadata.len().to_string()));
        }
        let mut bytes = Vec::new();
        let read = File::open(&real).and_then(|file| file.take(most + 1).read_to_end(&mut bytes));
        match read.map_err(|error| format!("cannot be read: {error}"))? as u64 {
            size if size > most => Err(too_large(format!("more than {most}"))),
            _ => Ok(bytes),
        }
    }
}

/// The folder that a path is in.
pub fn folder_of(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// The name in the same folder that looks most like the one of `path`, if one is close enough to be meant.
pub fn similar_name(path: &Path) -> Option<String> {
    let wanted = path.file_name()?.to_str()?.to_lowercase();
    let names = folder_of(path).read_dir().ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let (distance, name) =
        names.take(10_000).map(|name| (strsim::damerau_levenshtein(&wanted, &name.to_lowercase()), name)).min()?; // of several equally near ones the first in the alphabet
    (distance <= (wanted.chars().count() / 3).max(1)).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;

    fn folder(name: &str) -> PathBuf {
        let path = std::env::temp_dir().join(format!("passerby-folder-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(path.join("in/deep")).unwrap();
        path
    }

    #[test]
    fn only_files_inside_are_read() {
        let top = folder("inside");
        fs::write(top.join("secret.wkt"), "no").unwrap();
        fs::write(top.join("in/deep/plan.wkt"), "yes").unwrap();
        let files = Folder::of(&top.join("in/room.toml"));
        assert_eq!(files.read("deep/plan.wkt"), Ok(b"yes".to_vec()));
        assert_eq!(files.read("./deep/plan.wkt"), Ok(b"yes".to_vec()));
        let check = |path: &str, word: &str| {
            let error = files.read(path).expect_err(path);
            assert!(error.contains(word), "{path}: {error}");
        };
        check("../secret.wkt", "with `..`");
        check("deep/../../secret.wkt", "with `..`");
        check(top.join("secret.wkt").to_str().unwrap(), "absolute");
        check("deep", "not a file");
        check("deep/plam.wkt", "did you mean \"deep/plan.wkt\"?");
        fs::remove_dir_all(top).unwrap();
    }

    #[cfg(unix)]
    #[test]
    fn links_are_followed_only_inside() {
        let top = folder("links");
        fs::write(top.join("secret.wkt"), "no").unwrap();
        fs::write(top.join("in/plan.wkt"), "yes").unwrap();
        let link = |to: &str, name: &str| std::os::unix::fs::symlink(to, top.join(name)).unwrap();
        link("../secret.wkt", "in/out.wkt");
        link("plan.wkt", "in/alias.wkt");
        link("..", "in/up");
        let files = Folder::of(&top.join("in/room.toml"));
        assert_eq!(files.read("alias.wkt"), Ok(b"yes".to_vec()));
        for path in ["out.wkt", "up/secret.wkt"] {
            let error = files.read(path).expect_err(path);
            assert!(error.contains("is a link that leads out"), "{path}: {error}");
        }
        fs::remove_dir_all(top).unwrap();
    }
}
