//! `passerby plot` draws what was measured, and says the same in numbers; `passerby render` makes films.

mod common;
use common::{LONG, expect, folder, texts, write};
use std::fs;
use std::path::Path;
use tiny_skia::Pixmap;

/// Two walk along x at 1 m/s and 0.5 m/s, a row every 0.1 s: they are at 5 m after 5 s and after 8 s.
fn two_walkers() -> String {
    let mut text = "id,frame,x_m,y_m,time_s\n".to_owned();
    for frame in 0..=100 {
        let time = 0.1 * f64::from(frame);
        text += &format!("1,{frame},{:.3},1.0,{time:.1}\n", time + 0.02);
        text += &format!("2,{frame},{:.3},3.0,{time:.1}\n", 0.5 * time + 1.02);
    }
    text
}

const NAMES: [&str; 9] =
    ["trajectories", "occupancy", "speed", "egress", "flow", "histograms", "density", "service", "last"];

#[track_caller]
fn well_formed(path: &Path) -> Vec<String> {
    let text = fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let document = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    assert_eq!(document.root_element().tag_name().name(), "svg");
    let words = document.descendants().filter(|node| node.has_tag_name("text"));
    words.filter_map(|node| node.text().map(str::to_owned)).collect()
}

#[test]
fn two_walkers_are_measured_as_worked_out_by_hand() {
    let folder = folder("plot-two");
    write(&folder, "two <&> walkers.csv", &two_walkers());
    let line = "gate=5,0,5,4";
    let (out, err) =
        expect(0, &folder, &["plot", "two <&> walkers.csv", "--to", "out", "--line", line, "--json", "out.json"]);
    assert!(err.is_empty() && out.lines().count() == 2 * NAMES.len(), "{out}\n{err}");
    for name in NAMES {
        let words = well_formed(&folder.join(format!("out/two <&> walkers-{name}.svg")));
        assert!(words.iter().any(|word| word.starts_with("two <&> walkers: ")), "{name}: {words:?}");
        let bytes = fs::read(folder.join(format!("out/two <&> walkers-{name}.png"))).expect("a picture");
        assert_eq!(Pixmap::decode_png(&bytes).expect("a picture that opens").width(), 1600);
    }
    let words = well_formed(&folder.join("out/two <&> walkers-flow.svg"));
    for word in ["people passed", "time in s", "gate: 2, 0.33/s"] {
        assert!(words.iter().any(|found| found == word), "{word} is missing: {words:?}");
    }
    let text = fs::read_to_string(folder.join("out.json")).expect("a result");
    let json: serde_json::Value = serde_json::from_str(&text).expect("JSON");
    assert_eq!(json["people"], 2);
    assert_eq!(json["person_seconds"], 20.2); // 202 rows of 0.1 s
    let presence = json["cells"]["presence_s"].as_array().expect("cells");
    let sum: f64 = presence.iter().filter_map(serde_json::Value::as_f64).sum();
    assert!((sum - 20.2).abs() < 1e-9, "{sum}");
    // At 5.02 m after 5.0 s, at 5.02 m after 8.0 s.
    assert_eq!(json["lines"][0]["first_crossings_s"], serde_json::json!([5.0, 8.0]));
    assert!((json["lines"][0]["flow_per_second"].as_f64().expect("flow") - 1.0 / 3.0).abs() < 1e-9);
    // 1 m/s and 0.5 m/s as often; bins of 0.05 m/s.
    let counts = &json["speed_m_s"]["counts"];
    let near = |bin: usize| counts[bin - 1].as_u64().unwrap_or(0) + counts[bin].as_u64().unwrap_or(0);
    assert_eq!((near(20), near(10)), (101, 101), "{counts}"); // the last bit decides which side of the border
    assert!((json["speed_m_s"]["mean"].as_f64().expect("mean") - 0.75).abs() < 1e-4);
    assert_eq!(json["nearest_m"]["above"], 0);
    assert_eq!(json["left_s"], serde_json::json!([])); // both are there at the end
}

/// The numbers behind the maps, the diagram and the chart of encounters.
#[test]
fn every_chart_has_its_numbers() {
    let folder = folder("plot-numbers");
    write(&folder, "two.csv", &two_walkers());
    write(&folder, "floor.wkt", "POLYGON ((0 0, 12 0, 12 4, 0 4, 0 0))");
    let json = |arguments: &[&str]| -> serde_json::Value {
        let (out, _) =
            expect(0, &folder, &[&["plot", "two.csv", "--place", "floor.wkt", "--json", "-"], arguments].concat());
        serde_json::from_str(&out).expect("JSON")
    };
    let all = json(&["--to", "out", "--area", "low=0,0.5,12,0.5,12,1.5,0,1.5"]);
    let numbers = |values: &serde_json::Value| -> Vec<Option<f64>> {
        values.as_array().expect("numbers").iter().map(serde_json::Value::as_f64).collect()
    };
    let side = all["cells"]["side_m"].as_f64().expect("a side");
    let profiles = &all["profiles"];
    // Densities times ground are the people: both of them, all the time, on the floor.
    for name in ["voronoi_density_per_m2", "gaussian_density_per_m2"] {
        let people: f64 = numbers(&profiles[name]).iter().flatten().sum::<f64>() * side * side;
        assert!((people - 2.0).abs() < 0.06, "{name}: {people}"); // bell curves reach over the walls a little
    }
    let last = numbers(&profiles["last_occupied_s"]);
    assert_eq!(last.iter().flatten().copied().fold(0.0, f64::max), 10.0);
    let columns = all["cells"]["columns"].as_u64().expect("columns") as usize;
    // The first is at 5.02 m after 5.0 s and at 5.12 m after 5.1 s: the cell from 5.0 m on is theirs up to 5.1 s.
    assert_eq!(last[5 * columns + 25], Some(5.1));
    assert_eq!(profiles["level_of_service"].as_array().map(Vec::len), Some(last.len()));
    // One person in 12 m2 in every frame, at 1 m/s.
    let diagram = &all["diagram"][0];
    assert_eq!((&diagram["area"], &diagram["frames"]), (&"low".into(), &101.into()));
    let point = numbers(&diagram["points"][50]);
    assert!(point[0] == Some(5.0) && (point[1].expect("density") - 1.0 / 12.0).abs() < 1e-9, "{point:?}");
    assert!((point[2].expect("speed") - 1.0).abs() < 1e-9, "{point:?}");
    assert_eq!(diagram["points"].as_array().map(Vec::len), Some(101));
    let counted: f64 = diagram["cells"].as_array().expect("cells").iter().filter_map(|cell| cell[2].as_f64()).sum();
    assert_eq!((counted, diagram["means"][0][3].as_u64()), (101.0, Some(101)));
    assert_eq!(all["encounters"], serde_json::Value::Null);
    let pairs = json(&["--what", "encounters", "--to", "e.svg"]);
    let histogram = &pairs["encounters"]["histogram"];
    assert_eq!(
        (histogram["times"][100].as_f64(), histogram["counts"].as_array().map(Vec::len)),
        (Some(1.0), Some(101))
    );
    assert_eq!((&pairs["encounters"]["used"], &pairs["profiles"]), (&0.into(), &serde_json::Value::Null));
}

#[test]
fn doors_are_lines_and_times_are_cut() {
    let folder = folder("plot-doors");
    let scene = LONG
        .replace(
            "[[population]]",
            "doors = [{ name = \"north & south\", line = [[11.5, 0], [11.5, 4]] }]\n[[population]]",
        )
        .replace("until = 400", "until = 6");
    write(&folder, "walk.toml", &scene);
    expect(0, &folder, &["run", "walk.toml", "--quiet", "--out", "walk.parquet"]);
    let (out, _) = expect(0, &folder, &["plot", "walk.parquet", "--what", "flow", "--to", "flow.svg", "--json", "-"]);
    let json: serde_json::Value = serde_json::from_str(&out).expect("nothing but JSON");
    assert_eq!(json["lines"][0]["name"], "north & south");
    assert!(json["lines"][0]["people"].as_u64().is_some_and(|people| people > 3), "{out}");
    well_formed(&folder.join("flow.svg"));
    let cut = ["plot", "walk.parquet", "--what", "egress", "--to", "e.PNG", "--from-time", "2", "--to-time", "3", "-q"];
    let (out, err) = expect(0, &folder, &[&cut[..], &["--json", "e.json"]].concat());
    assert_eq!((&*out, &*err), ("", ""));
    let json: serde_json::Value =
        serde_json::from_str(&fs::read_to_string(folder.join("e.json")).expect("a result")).expect("JSON");
    assert_eq!((json["from_s"].as_f64(), json["to_s"].as_f64()), (Some(2.0), Some(3.0)));
    assert_eq!(json["person_seconds"], 31.5); // 30 people in 21 frames of 0.05 s
    // Without --to all go to the folder that everything goes to.
    expect(0, &folder, &["plot", "walk.parquet", "--what", "speed"]);
    assert!(
        folder.join("passerby-out/walk-speed.svg").is_file() && folder.join("passerby-out/walk-speed.png").is_file()
    );
}

#[test]
fn wrong_arguments_are_answered() {
    let folder = folder("plot-wrong");
    write(&folder, "two.csv", &two_walkers());
    let check = |arguments: &[&str], words: &[&str]| {
        let (_, err) = expect(2, &folder, &[&["plot"], arguments].concat());
        assert!(err.starts_with("error: ") && words.iter().all(|word| err.contains(word)), "{arguments:?}: {err}");
    };
    check(&["two.csv", "--to", "all.svg"], &["--to all.svg", "so many charts", "--what"]);
    check(&["two.csv", "--what", "egress", "--to", "a.pdf"], &["--to a.pdf", ".svg or .png"]);
    check(&["two.csv", "--what", "flow", "--to", "a.svg"], &["no doors", "--line"]);
    check(&["two.csv", "--line", "1,2,3"], &["--line", "10,4.4,10,5.6"]);
    check(
        &["two.csv", "--line", "a=1,0,1,4", "--line", "a=2,0,2,4", "--to", "out"],
        &["--line a=", "two of this name"],
    );
    check(&["two.csv", "--groups", "g.txt", "--to", "out"], &["--groups goes with encounters", "--what encounters"]);
    check(&["two.csv", "--beside", "two.csv", "--what", "egress"], &["--beside", "--what diagram"]);
    check(&["two.csv", "--to-time", "inf"], &["--to-time", "leave it out for all"]);
    check(&["two.csv", "--place", "none.wkt"], &["none.wkt", "no such file"]);
    check(&["two.csv", "--cell", "0"], &["--cell 0", "0.01 m"]);
    check(&["two.csv", "--from-time", "99"], &["--from-time 99", "holds 0.00 to 10.00 s"]);
    check(&["tow.csv"], &["did you mean two.csv?"]);
    check(&["two.csv", "--what", "egres"], &["egress"]);
    check(&["two.csv", "--what", "egress", "--to", "two.csv"], &["--to two.csv"]);
    check(&["two.csv", "--json", "two.csv", "--to", "out"], &["--json two.csv", "would overwrite"]);
    let (_, err) = expect(1, &folder, &["plot", "two.csv", "--what", "egress", "--to", "nowhere/a.svg"]);
    assert!(err.contains("nowhere/a.svg cannot be written"), "{err}");
    assert!(fs::read_to_string(folder.join("two.csv")).expect("text") == two_walkers());
}

fn short_run(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    write(&folder, "walk.toml", &LONG.replace("until = 400", "until = 2"));
    expect(0, &folder, &["run", "walk.toml", "--quiet", "--out", "a.parquet"]);
    folder
}

fn files(folder: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(folder)
        .expect("a folder")
        .flatten()
        .map(|e| e.file_name().to_string_lossy().into_owned())
        .collect();
    names.sort();
    names
}

fn film<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&["render", "a.parquet", "--to", "a.mp4"], more].concat()
}

#[test]
fn films_say_what_they_need() {
    let folder = short_run("film-wrong");
    let (_, err) = expect(2, &folder, &film(&["--ffmpeg", "no-such-ffmpeg"]));
    assert!(
        err.contains("no-such-ffmpeg") && err.contains("apt install ffmpeg") && err.contains("--ffmpeg PATH"),
        "{err}"
    );
    for (option, value) in [("--fps", "0"), ("--speed", "-1"), ("--trail", "nan"), ("--fps", "1000")] {
        let (_, err) = expect(2, &folder, &film(&[option, value]));
        assert!(err.contains(option) && err.contains("allowed"), "{err}");
    }
    let (_, err) = expect(2, &folder, &film(&["--color", "time"]));
    assert!(err.contains("populations"), "{err}");
    let (_, err) = expect(2, &folder, &["render", "a.parquet", "--to", "a.png", "--fps", "10"]);
    assert!(err.contains("--fps") && err.contains(".mp4"), "{err}");
    assert_eq!(files(&folder), ["a.parquet", "walk.toml"]);
}

/// A program in the place of ffmpeg that fails as ffmpeg does.
#[cfg(unix)]
#[test]
fn what_ffmpeg_says_is_told_and_nothing_is_left() {
    use std::os::unix::fs::PermissionsExt;
    let folder = short_run("film-fails");
    write(&folder, "a.mp4", "what was there before");
    let script = "#!/bin/sh\nfor last; do :; done\necho half > \"$last\"\nhead -c 1000 > /dev/null\necho first >&2\necho 'Unknown encoder libx264' >&2\nexit 3\n";
    write(&folder, "broken", script);
    fs::set_permissions(folder.join("broken"), fs::Permissions::from_mode(0o755)).expect("rights");
    let (_, err) = expect(1, &folder, &["render", "a.parquet", "--to", "a.mp4", "--ffmpeg", "./broken"]);
    assert!(
        err.contains("ffmpeg failed") && err.contains("first\n") && err.contains("Unknown encoder libx264"),
        "{err}"
    );
    assert_eq!(files(&folder), ["a.mp4", "a.parquet", "broken", "walk.toml"]);
    assert_eq!(fs::read_to_string(folder.join("a.mp4")).expect("text"), "what was there before");
}

/// A program in the place of ffmpeg that takes everything and never ends by itself.
#[cfg(unix)]
#[test]
fn ctrl_c_ends_a_film_and_leaves_nothing() {
    use std::os::unix::fs::PermissionsExt;
    let folder = short_run("film-interrupted");
    write(
        &folder,
        "slow",
        "#!/bin/sh\nfor last; do :; done\necho half > \"$last\"\nwhile head -c 100000 > /dev/null; do sleep 0.2; done\n",
    );
    fs::set_permissions(folder.join("slow"), fs::Permissions::from_mode(0o755)).expect("rights");
    let arguments = ["render", "a.parquet", "--to", "a.mp4", "--ffmpeg", "./slow", "--speed", "0.01"];
    let child = common::start(&folder, &arguments);
    common::wait_for(&folder.join("a.mp4.part"), 0);
    common::signal("-INT", &child);
    let output = child.wait_with_output().expect("an end");
    let (out, err) = texts(&output);
    assert_eq!(output.status.code(), Some(130), "{out}\n{err}");
    assert!(err.contains("interrupted"), "{err}");
    assert_eq!(files(&folder), ["a.parquet", "slow", "walk.toml"]);
}
