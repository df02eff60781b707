//! `passerby measure`: named lines and areas, what cannot be measured, and how much memory it takes.

mod common;
use common::{expect, folder, write};
use passerby::record::{FORMAT, Frame, Header, PlaceShape, Writer};
use serde_json::{Value, json};

/// A walker whom we know everything about.
const ONE: &str = r#"
name = "one"
[place]
floor = [[0, 0], [30, 0], [30, 4], [0, 4]]
doors = [{ name = "gate", line = [[10, 0], [10, 4]] }]
regions = [{ name = "end", polygon = [[28, 0], [30, 0], [30, 4], [28, 4]] }]
[[population]]
at = [[1, 2]]
model = "straight"
speed = 1.0
journey = ["end"]
[[measure]]
name = "middle"
area = [[5, 1], [15, 1], [15, 3], [5, 3]]
[[measure]]
name = "line"
line = [[20, 4], [20, 0]]
[[measure]]
name = "strip"
line = [[12, 4], [12, 0]]
width = 2
"#;

#[test]
fn named_lines_and_areas_are_reported_by_runs_and_by_measure() {
    let folder = folder("measure-named");
    write(&folder, "one.toml", ONE);
    let (run, _) = expect(0, &folder, &["run", "one.toml", "--out", "one.parquet"]);
    for words in ["area middle", "line line", "1 person, 0 crossings from its left and 1 from its right", "strip strip"]
    {
        assert!(run.contains(words), "{words}\n{run}");
    }
    let json: Value =
        serde_json::from_str(&expect(0, &folder, &["run", "one.toml", "--out", "one.parquet", "--json", "-"]).0)
            .unwrap();
    let (measured, _) = expect(0, &folder, &["measure", "one.parquet", "--json", "-"]);
    let measured: Value = serde_json::from_str(&measured).unwrap();
    for name in ["areas", "lines", "strips"] {
        assert_eq!(json["measures"][name], measured[name], "{name}");
    }
    // The line leads downwards, so who walks to +x comes from its right. 27 m at 1 m/s, 10 of them in 20 m2; the strip from x = 12 to 14 takes 2 s.
    let near = |value: &Value, expected: f64, within: f64| {
        assert!((value.as_f64().unwrap() - expected).abs() < within, "{value}, {expected}")
    };
    near(&measured["areas"][0]["density"]["mean"], 10.0 / 27.0 / 20.0, 2e-4);
    near(&measured["areas"][0]["speed_m_s"], 1.0, 1e-3);
    near(&measured["lines"][0]["first_s"], 19.0, 0.06);
    near(&measured["strips"][0]["speed_m_s"], 1.0, 0.03);
    near(&measured["walks"]["length_m"]["mean"], 27.0, 0.1);
    near(&measured["exits"]["each"][0]["last_s"], 27.0, 0.1);
    near(&measured["exits"]["each"][0]["left_s"][0], 27.0, 0.1);
    let [begin, end] = [0, 1].map(|n| measured["exits"]["each"][0]["flow_windows"][0][n].as_f64().unwrap());
    assert!((end - begin - 10.0).abs() < 1e-9, "{begin} to {end}");
    assert_eq!(measured["exits"]["each"][0]["flow_windows"][0][3], json!(0.1));
    assert_eq!((&measured["lines"][0]["name"], &measured["exits"]["each"][0]["name"]), (&json!("line"), &json!("end")));
    // Where nobody can be: said by `check`, before a run, and before many.
    write(
        &folder,
        "off.toml",
        &ONE.replace("area = [[5, 1], [15, 1], [15, 3], [5, 3]]", "area = [[5, 6], [15, 6], [15, 8], [5, 8]]"),
    );
    let run = ["run", "off.toml", "--out", "off.parquet"];
    for arguments in [&["check", "off.toml"][..], &run, &["run", "off.toml", "--runs", "1"]] {
        let (_, err) = expect(0, &folder, arguments);
        assert_eq!(
            err.matches("warning: area \"middle\" lies off the floor of the place").count(),
            1,
            "{arguments:?}: {err}"
        );
    }
    // Named on the command line instead.
    let (table, _) =
        expect(0, &folder, &["measure", "one.parquet", "--line", "4,0,4,4", "--area", "here=2,0,4,0,4,4,2,4"]);
    assert!(table.contains("line line 1") && table.contains("area here") && !table.contains("middle"), "{table}");
}

#[test]
fn what_cannot_be_measured_is_said() {
    let folder = folder("measure-wrong");
    write(&folder, "one.txt", "1 0 0.5 0.5\n1 1 0.6 0.5\n");
    let text = ["--unit", "m", "--fps", "10"];
    let refused = |arguments: &[&str], words: &[&str]| {
        let (_, err) = expect(2, &folder, &[&["measure", "one.txt"], arguments, &text].concat());
        assert!(words.iter().all(|word| err.contains(word)), "{err}, expected {words:?}");
    };
    refused(&["--area", "1,2,3"], &["three corners"]);
    refused(&["--area", "0,0,1,1,0,1,1,0"], &["meets the edge"]);
    refused(&["--line", "0,0,0,0"], &["two different ends"]);
    refused(&["--strip", "0,0,1,0,-1"], &["a width above 0"]);
    refused(&["--strip", "0,0,1,0"], &["4 numbers are no strip", "X1,Y1,X2,Y2,WIDTH"]);
    refused(&["--step", "0"], &["above 0"]);
    refused(&["--step", "1e9"], &["up to 10,"]);
    refused(&["--cut-off", "1e9"], &["0.01 to 10000"]);
    refused(&["--line", "0,0,1e12,0"], &["`1e12`", "-1000000000 to 1000000000"]);
    refused(&["--line", "0,0,nan,0"], &["`nan`"]);
    refused(&["--line", "-1,0,-1e12,0"], &["`-1e12`"]);
    refused(&["--to-time", "inf"], &["leave it out for all"]);
    refused(&["--jump-speed", "0"], &["or none"]);
    refused(&["--line", "a=0,0,1,0", "--line", "a=0,1,1,1"], &["--line a=", "two of this name"]);
    refused(&["--area", "0,0,1,0,1,1", "--area", "area 1=0,0,1,0,1,1"], &["--area area 1=", "two of this name"]);
    refused(&["--strip", "b=0,0,1,0,1", "--strip", "b=0,1,1,1,1"], &["--strip b=", "two of this name"]);
    refused(&["--groups", "groups.txt"], &["--groups goes with encounters", "add --encounters"]);
    refused(&["--encounter-within", "2"], &["--encounter-within goes with encounters"]);
    refused(&["--entropy-step", "1"], &["--entropy"]);
    refused(&["--entropy"], &["nobody is there for three frames in a row"]);
    refused(&["--encounters-csv", "-"], &["name a file"]);
    refused(&["--encounters-csv", "a", "--json", "a"], &["--encounters-csv a", "would overwrite"]);
    refused(&["--encounters-csv", "one.txt"], &["--encounters-csv one.txt", "would overwrite"]);
    refused(&["--cut-off", "-2"], &["or none"]);
    refused(&["--cut-off", "none", "--area", "0,0,1,0,1,1"], &["no walls", "--place FILE"]);
    refused(&["--from-time", "50"], &["--from-time 50: nothing was recorded then"]);
    refused(&["--from-time", "50", "--to-time", "60"], &["--from-time 50 --to-time 60: nothing was recorded then"]);
    refused(&["--to-time", "-1"], &["--to-time -1: nothing was recorded then"]);
    refused(&["--place", "nowhere.wkt"], &["nowhere.wkt", "no such file"]);
    write(&folder, "empty.txt", "");
    assert!(expect(2, &folder, &[&["measure", "empty.txt"][..], &text].concat()).1.contains("empty.txt"));
}

/// Three million rows: a file of 84 MB, measured in memory that does not grow with it.
#[test]
fn a_long_recording_is_measured_in_little_memory() {
    let folder = folder("measure-long");
    let place = PlaceShape {
        areas: vec![vec![vec![[0.0, 0.0], [40.0, 0.0], [40.0, 40.0], [0.0, 40.0]]]],
        ..PlaceShape::default()
    };
    let (version, name, scenario) = ("0".into(), "long".into(), String::new());
    let header = Header {
        format: FORMAT,
        version,
        name,
        scenario,
        seed: 1,
        tick: 0.05,
        every: 1,
        offset: [0.0; 2],
        place,
        bodies: false,
    };
    let file = std::fs::File::create(folder.join("long.parquet")).expect("a file");
    let mut writer = Writer::new(file, &header).expect("a header");
    let (id, flat): (Vec<u32>, Vec<f32>) = (0..1000).map(|id| (id, 0.0)).unzip();
    for tick in 0..3000 {
        // Everybody on a circle of their own, once round in a minute.
        let angle = |id: &u32| f64::from(*id) + f64::from(tick) * 0.005_236;
        let x: Vec<f64> = id.iter().map(|id| 4.0 + f64::from(id % 32) + 2.0 * angle(id).cos()).collect();
        let y: Vec<f64> = id.iter().map(|id| 4.0 + f64::from(id / 32) + 2.0 * angle(id).sin()).collect();
        writer
            .frame(&Frame { tick, id: &id, x: &x, y: &y, vx: &flat, vy: &flat, heading: &flat, bodies: &[] })
            .expect("a frame");
    }
    writer.finish().expect("a file");
    let arguments = [
        "measure",
        "long.parquet",
        "--area",
        "10,10,30,10,30,30,10,30",
        "--line",
        "20,0,20,40",
        "--encounters",
        "--json",
        "-",
    ];
    let found: Value = serde_json::from_str(&expect(0, &folder, &arguments).0).expect("JSON");
    let _ = std::fs::remove_file(folder.join("long.parquet"));
    assert_eq!(found["rows"], json!(3_000_000));
    let most = found["peak_rss_bytes"].as_u64().expect("Linux tells");
    println!("{} MB", most / 1_000_000);
    assert!(most < 200_000_000, "{most} bytes");
}
