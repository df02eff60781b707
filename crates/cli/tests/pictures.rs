//! The same run gives the same pictures, byte for byte: twice, and whatever the threads.

mod common;
use common::{command, expect, folder, write};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// Two groups through a door in both directions; every chart has something to show.
const DOOR: &str = r#"
name = "door"
[place]
floor = [[0, 0], [16, 0], [16, 8], [0, 8]]
obstacles = [[[7.9, 0], [8.1, 0], [8.1, 3], [7.9, 3]], [[7.9, 5], [8.1, 5], [8.1, 8], [7.9, 8]]]
doors = [{ name = "middle", line = [[8, 3], [8, 5]] }]
[[population]]
name = "east"
count = 25
area = [[0.5, 0.5], [6, 0.5], [6, 7.5], [0.5, 7.5]]
journey = [[15, 4]]
[[population]]
name = "west"
count = 15
area = [[10, 0.5], [15.5, 0.5], [15.5, 7.5], [10, 7.5]]
model = "helbing-2000"
journey = [[1, 4]]
[run]
until = 12
"#;

/// Takes what ffmpeg would be given, and keeps it as it is.
#[cfg(unix)]
fn keeper(folder: &Path) -> &'static [&'static str] {
    use std::os::unix::fs::PermissionsExt;
    write(folder, "keep", "#!/bin/sh\nfor last; do :; done\nexec cat > \"$last\"\n");
    fs::set_permissions(folder.join("keep"), fs::Permissions::from_mode(0o755)).expect("rights");
    &["a.mp4", "a.gif"]
}

/// Elsewhere no program is put in the place of ffmpeg.
#[cfg(not(unix))]
fn keeper(_folder: &Path) -> &'static [&'static str] {
    &[]
}

/// Runs on so many threads and draws everything: the bytes of each file.
fn drawn(threads: &str) -> BTreeMap<String, Vec<u8>> {
    let folder = folder(&format!("pictures-{threads}"));
    write(&folder, "door.toml", DOOR);
    let films = keeper(&folder);
    expect(0, &folder, &["run", "door.toml", "--quiet", "--threads", threads, "--out", "a.parquet"]);
    let pictures = ["time.png", "speed.png", "population.png"];
    let render = |file: &str, more: &[&str]| {
        let arguments = [&["render", "a.parquet", "--quiet", "--to", file], more].concat();
        let output = command(&folder, &arguments).env("RAYON_NUM_THREADS", threads).output().expect("the program");
        assert!(output.status.success(), "{output:?}");
    };
    pictures.iter().for_each(|file| render(file, &["--color", file.trim_end_matches(".png")]));
    films.iter().for_each(|file| render(file, &["--ffmpeg", "./keep", "--size", "600", "--fps", "5"]));
    let plot = ["plot", "a.parquet", "--quiet", "--to", ".", "--json", "a.json"];
    let output = command(&folder, &plot).env("RAYON_NUM_THREADS", threads).output().expect("the program");
    assert!(output.status.success(), "{output:?}");
    let files = fs::read_dir(&folder).expect("a folder").flatten().map(|entry| entry.path());
    files.map(|path| (path.file_name().unwrap().to_string_lossy().into_owned(), fs::read(path).unwrap())).collect()
}

#[test]
fn pictures_and_films_are_the_same_bytes_twice_and_on_any_number_of_threads() {
    let first = drawn("1");
    let count = |ending: &str| first.keys().filter(|name| name.ends_with(ending)).count();
    assert_eq!((count(".svg"), count(".png")), (9, 9 + 3), "{:?}", first.keys());
    #[cfg(unix)]
    assert!(first["a.mp4"].len() > 50 * 600 * 100, "{} bytes are no film", first["a.mp4"].len());
    for threads in ["1", "3"] {
        let again = drawn(threads);
        assert!(again.keys().eq(first.keys()), "{:?}, before {:?}", again.keys(), first.keys());
        for (name, bytes) in &again {
            assert!(*bytes == first[name], "{name} differs, on {threads} threads");
        }
    }
}
