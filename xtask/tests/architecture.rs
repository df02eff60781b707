//! `ARCHITECTURE.md` against the manifests, the folders and the sources: what it says is what stands.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

/// Crates outside the core: they own files, printing and threads.
const OUTSIDE_THE_CORE: &[&str] = &["cli", "server"];

/// What the core does not do, as it would be written.
const FORBIDDEN: &[&str] = &[
    "std::fs",
    "File::",
    "OpenOptions::new",
    "std::net",
    "std::process",
    "println!",
    "print!",
    "eprintln!",
    "eprint!",
    "dbg!",
    "io::stdout",
    "io::stderr",
    "thread::spawn",
    "thread::scope",
    "thread::Builder",
];

/// Past this a file probably holds a second idea.
const LINES_MAX: usize = 500;

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace")
}

fn text(path: impl AsRef<Path>) -> String {
    let path = root().join(path);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// Cells of the table under a heading of `ARCHITECTURE.md`, without its first two lines.
fn table(heading: &str) -> Vec<Vec<String>> {
    let page = text("ARCHITECTURE.md");
    let mut lines = page.lines().skip_while(|line| *line != format!("## {heading}")).skip(1);
    assert!(lines.by_ref().any(|line| line.starts_with("| ---")), "no table under `## {heading}`");
    let rows = lines.take_while(|line| line.starts_with('|'));
    rows.map(|row| row.trim_matches('|').split('|').map(|cell| cell.trim().to_owned()).collect()).collect()
}

/// What stands between backticks.
fn quoted(cell: &str) -> Vec<String> {
    cell.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

/// Folders in a folder, by name.
fn folders(path: &str) -> BTreeSet<String> {
    let entries = fs::read_dir(root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"));
    let folders = entries.map(|entry| entry.expect("a readable folder")).filter(|entry| entry.path().is_dir());
    folders.map(|entry| entry.file_name().to_string_lossy().into_owned()).collect()
}

/// Rust files in a folder and below, in order.
fn sources(path: &Path) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(path) else { return Vec::new() };
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    let below = |path: PathBuf| if path.is_dir() { sources(&path) } else { vec![path] };
    let files = paths.into_iter().flat_map(below);
    files.filter(|file| file.extension().is_some_and(|extension| extension == "rs")).collect()
}

/// Rust files of the workspace.
fn all_sources() -> Vec<PathBuf> {
    ["crates", "xtask", "benches"].iter().flat_map(|folder| sources(&root().join(folder))).collect()
}

/// Crate folders and the crates each may depend on, by the table.
fn layers() -> BTreeMap<String, BTreeSet<String>> {
    let rows = table("The crates");
    rows.iter().map(|row| (quoted(&row[0])[0].clone(), quoted(&row[2]).into_iter().collect())).collect()
}

/// Folder of the crate that a package is: `passerby-record` is `record`, `passerby` is `engine`.
fn folder_of(package: &str) -> String {
    package.strip_prefix("passerby-").unwrap_or("engine").to_owned()
}

/// Crates of the workspace that a manifest names in any of its dependency tables.
fn dependencies(manifest: &str) -> BTreeSet<String> {
    let mut inside = false;
    let mut found = BTreeSet::new();
    for line in manifest.lines() {
        let line = line.split('#').next().unwrap_or_default();
        if line.starts_with('[') {
            inside = line.contains("dependencies");
        }
        let words = line.split(|c: char| !c.is_ascii_alphanumeric() && c != '-');
        found.extend(words.filter(|word| inside && word.starts_with("passerby")).map(folder_of));
    }
    found
}

/// Code of a file with its line numbers: no comments, nothing that is only compiled for tests.
fn code(source: &str) -> Vec<(usize, &str)> {
    let mut kept = Vec::new();
    let mut lines = source.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        if line.trim_start().starts_with("#[cfg(test)]") {
            let indent = line.len() - line.trim_start().len();
            let ends = |item: &str| item.ends_with(';') || item.trim_end() == format!("{}}}", " ".repeat(indent));
            // The item's first line ends it if it is `mod tests;`, otherwise its closing brace does.
            let _ = lines.by_ref().map(|(_, item)| item).find(|item| {
                let inner = item.starts_with(&" ".repeat(indent + 1));
                !inner && !item.trim_start().starts_with("#[") && ends(item)
            });
        } else if !line.trim_start().starts_with("//") {
            kept.push((number + 1, line));
        }
    }
    kept
}

#[test]
fn the_crates_are_those_of_the_table() {
    assert_eq!(
        layers().into_keys().collect::<BTreeSet<_>>(),
        folders("crates"),
        "table on the left, folders on the right"
    );
}

#[test]
fn a_crate_depends_only_on_what_its_row_allows() {
    let mut wrong = Vec::new();
    for (name, allowed) in layers() {
        let manifest = text(format!("crates/{name}/Cargo.toml"));
        let package = if name == "engine" { "passerby".to_owned() } else { format!("passerby-{name}") };
        assert!(manifest.contains(&format!("name = \"{package}\"")), "crates/{name} is not called {package}");
        let more = dependencies(&manifest).difference(&allowed).cloned().collect::<Vec<_>>();
        if !more.is_empty() {
            wrong.push(format!("{name} depends on {}, its row allows {allowed:?}", more.join(", ")));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_arrows_go_one_way() {
    let layers = layers();
    let mut placed = BTreeSet::new();
    while placed.len() < layers.len() {
        let before = placed.len();
        let free = layers.iter().filter(|(_, allowed)| allowed.is_subset(&placed)).map(|(name, _)| name.clone());
        let free = free.collect::<Vec<_>>();
        placed.extend(free);
        assert!(placed.len() > before, "a ring, or a name that is no crate, among the rows of {layers:?}");
    }
}

#[test]
fn the_folders_are_those_of_the_table() {
    let ignored = text(".gitignore");
    let is_ours = |name: &String| {
        let is_ignored = |line: &str| match line.trim_start_matches('/').strip_suffix('*') {
            Some(beginning) => name.starts_with(beginning),
            None => name == line.trim_matches('/'),
        };
        !name.starts_with('.') && !ignored.lines().any(is_ignored)
    };
    let found: BTreeSet<String> = folders(".").into_iter().filter(is_ours).collect();
    let listed: BTreeSet<String> =
        table("The folders").iter().flat_map(|row| quoted(&row[0])).map(|name| name.trim_matches('/').into()).collect();
    assert_eq!(listed, found, "table on the left, folders on the right");
}

#[test]
fn the_stages_are_where_the_table_says_and_run_in_its_order() {
    let step = text("crates/engine/src/step.rs");
    let (_, body) = step.split_once("fn step(").expect("step.rs has a function `step`");
    let mut last = 0;
    for row in table("The step") {
        for file in quoted(&row[2]) {
            assert!(root().join(&file).exists(), "stage {}: there is no {file}", row[0]);
            let place =
                body.find(&format!("{}::", row[0])).unwrap_or_else(|| panic!("step.rs does not call {}", row[0]));
            assert!(place > last, "step.rs calls {} before the stage above it in the table", row[0]);
            last = place;
        }
    }
}

/// `crates/engine/tests/digest.rs` is a file, `speed_follows_equation_9` a test.
#[test]
fn every_promise_has_its_tests() {
    let tests: BTreeSet<String> = all_sources().iter().flat_map(|file| tests_of(&text(file))).collect();
    let mut missing = Vec::new();
    for row in table("Promises") {
        let named = quoted(&row[1]);
        assert!(!named.is_empty(), "nothing holds the promise: {}", row[0]);
        let exists = |name: &String| if name.contains('/') { root().join(name).exists() } else { tests.contains(name) };
        missing.extend(named.into_iter().filter(|name| !exists(name)));
    }
    assert!(missing.is_empty(), "promises name what is not there: {}", missing.join(", "));
}

/// Names of the functions that follow `#[test]`, also inside `proptest!`.
fn tests_of(source: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut lines = source.lines().map(str::trim_start);
    while lines.by_ref().any(|line| line.starts_with("#[test]")) {
        let name = lines.by_ref().find_map(|line| line.strip_prefix("fn "));
        names.extend(name.and_then(|name| name.split('(').next()).map(str::to_owned));
    }
    names
}

#[test]
fn the_core_opens_no_path_prints_nothing_and_starts_no_thread() {
    let mut wrong = Vec::new();
    for name in folders("crates").iter().filter(|name| !OUTSIDE_THE_CORE.contains(&name.as_str())) {
        for file in sources(&root().join("crates").join(name).join("src")) {
            if file.ends_with("tests.rs") {
                continue; // `#[cfg(test)] mod tests;`
            }
            for (number, line) in code(&text(&file)) {
                let found = FORBIDDEN.iter().filter(|word| line.contains(**word));
                wrong.extend(found.map(|word| format!("{}:{number}: {word}", file.display())));
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

/// Not a failure, only a list: `cargo test -p xtask --test architecture too_long -- --nocapture`.
#[test]
fn files_that_are_too_long_are_named() {
    for file in all_sources() {
        let lines = text(&file).lines().count();
        if lines > LINES_MAX {
            println!("{} has {lines} lines: is there a second idea in it?", file.display());
        }
    }
}

#[test]
fn the_readers_of_this_test_read() {
    let manifest = "[package]\nname = \"passerby-x\"\n[dependencies]\npasserby-crowd.workspace = true # passerby-cli\n\
        [dev-dependencies]\nengine = { package = \"passerby\", path = \"../engine\" }\n[target.x.dependencies.passerby-record]\n";
    assert_eq!(dependencies(manifest), ["crowd", "engine", "record"].map(str::to_owned).into());
    let source = "a\n#[cfg(test)]\nmod tests;\nb\n// c\n#[cfg(test)]\nmod more {\n    fn d() {\n    }\n    e;\n}\nf\n";
    assert_eq!(code(source), [(1, "a"), (4, "b"), (12, "f")]);
    assert_eq!(
        tests_of("#[test]\n#[ignore]\nfn one() {}\nfn not() {}\n    #[test]\n    fn two(x in 0..3) {}"),
        ["one", "two"]
    );
    assert_eq!(quoted("`a` and `b/c`"), ["a", "b/c"]);
}
