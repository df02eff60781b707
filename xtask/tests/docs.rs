//! The pages of `docs/` against the program: scenarios on them run, Rust on them compiles, links lead somewhere, and
//! tables of parameters hold the names and values the models have.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Instant;

use passerby::geometry::{DVec2, Polygon, Vec2};
use passerby::navigation::{Floor, Goal, Map, Search};
use passerby::scenario::NoFiles;
use passerby::steering::Model;
use passerby::{Scenario, Simulation};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("xtask is a folder of the workspace")
}

fn text(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// All pages, by path.
fn pages() -> Vec<PathBuf> {
    let in_folder = |folder: PathBuf| {
        let entries = fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
        entries.map(|entry| entry.expect("a readable folder").path()).collect::<Vec<_>>()
    };
    let mut pages = ["docs", "docs/models", "docs/measures"].map(|folder| in_folder(root().join(folder))).concat();
    pages.retain(|path| path.extension().is_some_and(|extension| extension == "md"));
    pages.sort();
    pages
}

/// What stands between fences of a language, with the number of its first line.
fn blocks(page: &str, language: &str) -> Vec<(usize, String)> {
    let mut found = Vec::new();
    let mut lines = page.lines().enumerate();
    while let Some((number, line)) = lines.next() {
        let Some(name) = line.strip_prefix("```") else { continue };
        let body = lines.by_ref().map(|(_, line)| line).take_while(|line| *line != "```");
        let body = body.fold(String::new(), |body, line| body + line + "\n");
        if name == language {
            found.push((number + 2, body));
        }
    }
    found
}

/// Blocks of TOML that begin with `# complete` are whole scenarios: they are read, everybody is placed, and a second is run.
#[test]
fn scenarios_on_pages_run() {
    let mut count = 0;
    for page in pages() {
        for (line, block) in blocks(&text(&page), "toml") {
            if !block.starts_with("# complete") {
                continue;
            }
            let name = format!("{}:{line}", page.display());
            let scenario = Scenario::parse(&block, &NoFiles, &name).unwrap_or_else(|problems| panic!("{problems}"));
            let mut simulation = Simulation::new(scenario).unwrap_or_else(|problems| panic!("{name}: {problems}"));
            while !simulation.finished() && simulation.time() < 1.0 {
                simulation.step();
            }
            count += 1;
        }
    }
    assert!(count >= 5, "only {count} scenarios were found");
}

/// Rust on pages is a copy of code that is compiled and run: [`examples`] below, or those of the engine.
#[test]
fn rust_on_pages_is_compiled() {
    let mut here = text(&root().join("xtask/tests/docs.rs"));
    for example in ["custom_model", "observe"] {
        here += &text(&root().join(format!("crates/engine/examples/{example}.rs")));
    }
    let compiled: Vec<&str> = here.lines().map(str::trim).collect();
    for page in pages() {
        for (line, block) in blocks(&text(&page), "rust") {
            let wanted: Vec<&str> = block.lines().map(str::trim).filter(|line| !line.is_empty()).collect();
            let found = compiled.windows(wanted.len()).any(|lines| lines == wanted);
            assert!(
                found,
                "{}:{line}: the lines of this block are not in examples of xtask/tests/docs.rs",
                page.display()
            );
        }
    }
}

/// Links to files and pictures of the repository lead to one that is there.
#[test]
fn links_on_pages_lead_somewhere() {
    for page in pages() {
        let text = text(&page);
        for link in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let file = link.split('#').next().unwrap_or_default();
            if file.is_empty() || file.contains("://") {
                continue;
            }
            let path = page.parent().expect("a page is in a folder").join(file);
            assert!(path.exists(), "{}: {link} leads nowhere", page.display());
        }
    }
}

/// Functions that pages name as `Type::function` are in the sources.
#[test]
fn functions_on_pages_exist() {
    let mut sources = String::new();
    let mut folders = vec![root().join("crates")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display())) {
            let path = entry.expect("a readable folder").path();
            if path.is_dir() {
                folders.push(path);
            } else if path.extension().is_some_and(|extension| extension == "rs") {
                sources += &text(&path);
            }
        }
    }
    for page in pages() {
        for quoted in text(&page).split('`').skip(1).step_by(2) {
            let Some((place, name)) = quoted.rsplit_once("::") else { continue };
            let of_a_type = place.rsplit("::").next().is_some_and(|kind| kind.starts_with(char::is_uppercase));
            if of_a_type && !quoted.contains([' ', '\n']) && name.starts_with(char::is_lowercase) {
                let there = ["(", "<"].iter().any(|then| sources.contains(&format!("fn {name}{then}")));
                assert!(there, "{}: there is no `{quoted}`", page.display());
            }
        }
    }
}

/// Each parameter of a model is a row `| `name` | default | ...` of the model's page, with the value the code has.
#[test]
fn parameters_on_pages_are_those_of_the_models() {
    for model in Model::all() {
        let file = model.name().split('-').next().unwrap_or_default(); // both forms of Helbing share a page
        let page = text(&root().join(format!("docs/models/{file}.md")));
        let (_, section) = page.split_once(&format!("## Parameters of `{}`", model.name())).unwrap_or_else(|| {
            panic!("docs/models/{file}.md has no section `## Parameters of `{}``", model.name());
        });
        let section = section.split("\n## ").next().unwrap_or_default();
        let rows: Vec<Vec<&str>> = section
            .lines()
            .filter(|line| line.starts_with("| `"))
            .map(|line| line.split('|').map(|cell| cell.trim().trim_matches('`')).collect())
            .collect();
        let parameters = model.parameters();
        assert_eq!(rows.len(), parameters.len(), "{}: rows of the page, parameters of the model", model.name());
        for (row, (name, value)) in rows.iter().zip(parameters) {
            assert_eq!(row[1], name, "{}: parameters in the order of the code", model.name());
            assert_eq!(
                row[2].parse(),
                Ok(value),
                "{} {name}: the default of the page and that of the code",
                model.name()
            );
        }
    }
}

/// The times of docs/routes.md: a town of square houses, ways for somebody of 0.25 m. Prints them, and checks that a tree and
/// a single question agree.
#[test]
fn ways_through_a_town_take_this_long() {
    for side in [10, 25, 50] {
        let (pitch, house) = (26.0, 18.0);
        let size = f64::from(side) * pitch + 8.0;
        let square = |x: f64, y: f64, a: f64| {
            let corners = [[x, y], [x + a, y], [x + a, y + a], [x, y + a]];
            Polygon::new(corners.map(DVec2::from_array).to_vec()).expect("a square")
        };
        let places = (0..side * side).map(|i| [i % side, i / side].map(|k| 8.0 + pitch * f64::from(k)));
        let floor = Floor {
            areas: vec![square(0.0, 0.0, size).into()],
            obstacles: places.map(|[x, y]| square(x, y, house)).collect(),
            ..Floor::default()
        };
        let begun = Instant::now();
        let map = Map::build(&floor).expect("a map");
        let build = begun.elapsed();

        let local = |x: f64, y: f64| (DVec2::new(x, y) - map.offset()).as_vec2();
        let goal = Goal::Point(local(size - 4.0, size - 4.0));
        let begun = Instant::now();
        let tree = map.tree(&goal, 0.25);
        let planted = begun.elapsed();

        // Everywhere in the streets, in an order that jumps about.
        let count = 1000;
        let street = |i: i32| (8.0 + pitch * f64::from(i % side), 4.0 + pitch * f64::from((7 * i / side) % side));
        let starts: Vec<Vec2> = (0..count).map(street).map(|(x, y)| local(x, y)).collect();
        let mut search = Search::default();
        let begun = Instant::now();
        let distances: Vec<f32> =
            starts.iter().map(|at| map.next(&tree, *at, &mut search).expect("a way").distance).collect();
        let asked = begun.elapsed();

        let begun = Instant::now();
        let single: Vec<f32> =
            starts.iter().step_by(200).map(|at| map.path(*at, &goal, 0.25).expect("a way").length).collect();
        let alone = begun.elapsed();
        for (tree, path) in distances.iter().step_by(200).zip(&single) {
            assert!((tree - path).abs() < 0.01, "by the tree {tree} m, by itself {path} m");
        }
        println!(
            "{} houses, {} corners, {size} m: map {:.1} ms, tree {:.1} ms, way by the tree {:.1} us, way by itself {:.2} ms",
            side * side,
            map.corner_count(),
            1e3 * build.as_secs_f64(),
            1e3 * planted.as_secs_f64(),
            1e6 * asked.as_secs_f64() / f64::from(count),
            1e3 * alone.as_secs_f64() / single.len() as f64,
        );
    }
}

/// What pages show, compiled and run.
mod examples {
    use passerby::geometry::{DVec2, lanes::Width};
    use passerby::record::{Recording, Writer};
    use passerby::scenario::{NoFiles, Problems};
    use passerby::steering::{Headway, Model};
    use passerby::{AddError, Scenario, Simulation};
    use std::error::Error;
    use std::ops::ControlFlow;

    const ROOM: &str = r#"
        [place]
        floor = [[0, 0], [20, 0], [20, 10], [0, 10]]
        doors = [{ name = "front", line = [[15, 0], [15, 10]] }]
        regions = [{ name = "exit", polygon = [[19, 0], [20, 0], [20, 10], [19, 10]] }]
        [[population]]
        name = "visitors"
        count = 20
        area = [[1, 1], [8, 1], [8, 9], [1, 9]]
        journey = ["exit"]
    "#;

    #[test]
    fn run() -> Result<(), Problems> {
        let text = ROOM;
        let scenario = Scenario::parse(text, &NoFiles, "room.toml")?;
        let mut simulation = Simulation::new(scenario)?;
        while !simulation.finished() {
            simulation.step();
        }
        println!("{} have arrived", simulation.summary().arrived);
        assert_eq!(simulation.summary().arrived, 20);
        Ok(())
    }

    #[test]
    fn columns() -> Result<(), Problems> {
        let mut simulation = Simulation::new(Scenario::parse(ROOM, &NoFiles, "room.toml")?)?;
        simulation.step();
        let offset = simulation.offset();
        for (row, id) in simulation.ids().iter().enumerate() {
            let at = simulation.positions()[row].as_dvec2() + offset; // in the scenario's coordinates
            let speed = simulation.velocities()[row].length();
            println!("{id}: [{:.2}, {:.2}], {speed:.2} m/s, {:.2} m wide", at.x, at.y, 2.0 * simulation.radii()[row]);
        }
        let agents = &simulation.people().agents;
        let most = agents.pushed.iter().fold(0.0f32, |most, push| most.max(push.length()));
        println!("the ground moved nobody by more than {most} m");
        Ok(())
    }

    #[test]
    fn come_and_go() -> Result<(), Box<dyn Error>> {
        let mut simulation = Simulation::new(Scenario::parse(ROOM, &NoFiles, "room.toml")?)?;
        let id = simulation.add("visitors", DVec2::new(12.0, 5.0))?;
        simulation.step();
        assert!(simulation.remove(id)); // true: they were there
        assert!(!simulation.remove(id)); // false: they are gone, and nobody will ever have this id again
        match simulation.add("visitors", DVec2::new(-1.0, 5.0)) {
            Err(AddError::NoRoom { what, hint }) => println!("{what}; {hint}"),
            other => panic!("there is no floor, but: {other:?}"),
        }
        Ok(())
    }

    #[test]
    fn change() -> Result<(), Problems> {
        let mut scenario = Scenario::parse(ROOM, &NoFiles, "room.toml")?;
        scenario.run.seed = 7;
        scenario.populations[0].model = Model::Headway(Headway { time_gap: 1.2, ..Headway::default() });
        let simulation = Simulation::new(scenario)?;
        assert_eq!(simulation.scenario().run.seed, 7);
        Ok(())
    }

    fn digest(threads: usize, width: Width) -> u64 {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
        pool.install(|| {
            let scenario = Scenario::parse(ROOM, &NoFiles, "room.toml").expect("a scenario");
            let mut simulation = Simulation::new(scenario).expect("a simulation");
            simulation.use_lanes(width);
            while !simulation.finished() {
                simulation.step();
            }
            simulation.digest()
        })
    }

    #[test]
    fn same() {
        let first = digest(1, Width::detect());
        assert_eq!(first, digest(8, Width::detect())); // threads do not matter
        assert_eq!(first, digest(2, Width::plain())); // neither do vector registers
    }

    #[test]
    fn record() -> Result<(), Box<dyn Error>> {
        let scenario = Scenario::parse(ROOM, &NoFiles, "room.toml")?;
        let mut simulation = Simulation::new(scenario)?;
        let file = Vec::new();
        let mut writer = Writer::new(file, &simulation.header())?; // a file, a pipe, a Vec<u8>
        writer.people(&simulation.persons());
        while !simulation.finished() {
            writer.frame(&simulation.frame())?;
            simulation.step();
        }
        let file = writer.finish()?;
        let file = std::io::Cursor::new(file);

        let recording = Recording::open(file)?; // a File, or a Cursor over bytes
        println!("{} frames of {} people", recording.frame_count(), recording.people().len());
        println!("finished: {}", recording.complete());
        let mut most = 0;
        recording.frames(0, u32::MAX, &mut |frame| {
            most = most.max(frame.id.len());
            ControlFlow::Continue(())
        })?;
        println!("at most {most} people at once");
        let after_ten_seconds = recording.frame_at(200)?; // the frame of that tick, or the nearest before it
        assert_eq!((most, after_ten_seconds.map(|frame| frame.tick)), (20, Some(200)));
        Ok(())
    }
}
