//! `passerby measure` of data that is strange: few people, jumps, places where nobody is, and faults of real recordings.

mod common;
use common::{data_and_python, expect, folder, write};
use serde_json::{Value, json};

/// One person, one frame, nobody moving, people on top of each other, a teleport: numbers that are right, or none.
#[test]
fn few_people_and_strange_ones() {
    let folder = folder("measure-few");
    let measure = |name: &str, rows: &str| -> Value {
        write(&folder, name, rows);
        let area = "all=-5,-5,50,-5,50,50,-5,50";
        let (out, _) = expect(
            0,
            &folder,
            &["measure", name, "--unit", "m", "--fps", "10", "--area", area, "--line", "2,-1,2,3", "--json", "-"],
        );
        serde_json::from_str(&out).expect("JSON")
    };
    let one = measure("one.txt", "7 3 1.5 1.5\n");
    assert_eq!((&one["frames"], &one["rows"], &one["speed_m_s"]["mean"]), (&json!(1), &json!(1), &Value::Null));
    assert_eq!((&one["walks"]["slow_share"], &one["contacts"]["smallest_gap_m"]), (&Value::Null, &Value::Null));
    assert_eq!((&one["lines"][0]["people"], &one["lines"][0]["flow_per_s"]), (&json!(0), &Value::Null));
    assert_eq!((&one["areas"][0]["speed_m_s"], &one["areas"][0]["voronoi_speed_m_s"]), (&Value::Null, &Value::Null));
    let same = measure("same.txt", "1 0 1 1\n1 1 1 1\n1 2 1 1\n2 0 1 1\n2 1 1 1\n2 2 1 1\n");
    assert!(same["areas"][0]["voronoi_density"]["mean"].as_f64().is_some_and(f64::is_finite));
    assert_eq!(same["speed_m_s"]["mean"], json!(0.0));
}

/// The radius of recorded people is said to be assumed, stripes and lanes say why there are none, and far away is a short number.
#[test]
fn what_is_assumed_and_what_is_missing_is_said() {
    let folder = folder("measure-assumed");
    let measure = |rows: &str| -> (String, Value) {
        write(&folder, "people.txt", rows);
        let arguments = ["measure", "people.txt", "--unit", "m", "--fps", "10", "--jump-speed", "none"];
        let json = expect(0, &folder, &[&arguments[..], &["--json", "-"]].concat()).0;
        (expect(0, &folder, &arguments).0, serde_json::from_str(&json).expect("JSON"))
    };
    let (table, found) = measure("1 0 0 0\n1 1 0.1 0\n2 0 0.4 0\n2 1 0.5 0\n");
    assert!(table.contains("with an assumed radius of 0.25 m: recorded people have none"), "{table}");
    assert!(
        table.contains("lane order                      -, in no moment")
            && table.contains("stripes                         -, in no")
    );
    let contacts = &found["contacts"];
    assert_eq!(
        (&contacts["radius_m"], &contacts["people_of_assumed_radius"]),
        (&json!({ "min": 0.25, "max": 0.25 }), &json!(2))
    );
    assert!((contacts["deepest_m"].as_f64().expect("a depth") - 0.1).abs() < 1e-9); // two of 0.25 m, 0.4 m apart
    // What is too far away, too fast or too seldom is one number in the message, not three hundred digits.
    write(&folder, "far.txt", "1 0 0 0\n1 1 1e300 0\n");
    let refused = |arguments: &[&str], words: &str| {
        let (_, err) = expect(2, &folder, &[&["measure"], arguments, &["--unit", "m"]].concat());
        assert!(err.contains(words) && err.len() < 400, "{words}\n{err}");
    };
    refused(&["far.txt", "--fps", "10"], "line 2: x is `1e300`");
    refused(&["people.txt", "--fps", "1e300"], "the frame rate is 1e300");
    refused(&["people.txt", "--fps", "10", "--encounters", "--encounter-within", "1e300"], "--encounter-within 1e300");
    write(&folder, "people.txt", "1 0 0 0\n1 1 1 0\n");
    let (told, _) = expect(0, &folder, &["export", "people.txt", "--unit", "m", "--fps", "10", "--to", "people.csv"]);
    assert!(told.contains("1 person, 2 rows in 2 frames"), "{told}");
}

/// One stream round a corner: two directions, nobody who crosses anybody, no stripes.
#[test]
fn a_corner_has_no_stripes() {
    let Some((data, _)) = data_and_python() else { return };
    let folder = folder("measure-corner");
    let file = data.join("juelich-corner/traj.txt");
    let arguments = ["measure", file.to_str().expect("UTF-8"), "--unit", "m", "--fps", "16"];
    let (table, _) = expect(0, &folder, &arguments);
    assert!(table.contains("moments, but not in one place"), "{table}");
    let found = expect(0, &folder, &[&arguments[..], &["--json", "-"]].concat()).0;
    let lanes = &serde_json::from_str::<Value>(&found).expect("JSON")["lanes"];
    assert_eq!((&lanes["stripes_moments"], &lanes["stripes_spacing_m"]), (&json!(0), &Value::Null));
}

/// 1 m at 1 m/s, a jump of 39 m over the line, 1 m at 1 m/s; and all of it with the jump, as PedPy measures it.
#[test]
fn a_jump_is_stated_and_used_for_nothing() {
    let folder = folder("measure-jump");
    let x = |frame: u32| 0.1 * f64::from(frame) + if frame > 10 { 38.9 } else { 0.0 };
    let rows: String = (0..=21).map(|frame| format!("1 {frame} {} 0\n", x(frame))).collect();
    write(&folder, "jump.txt", &rows);
    let arguments =
        ["measure", "jump.txt", "--unit", "m", "--fps", "10", "--line", "20,-1,20,1", "--strip", "0.5,1,0.5,-1,38"];
    let measure = |more: &[&str]| -> Value {
        serde_json::from_str(&expect(0, &folder, &[&arguments[..], more, &["--json", "-"]].concat()).0).expect("JSON")
    };
    let near = |value: &Value, expected: f64| {
        assert!((value.as_f64().expect("a number") - expected).abs() < 1e-9, "{value}, expected {expected}");
    };
    let split = measure(&[]);
    assert_eq!((&split["jumps_left_out"], &split["jump_speed_m_s"]), (&json!(1), &json!(5.0)));
    near(&split["walks"]["length_m"]["mean"], 2.0);
    near(&split["walks"]["time_s"]["mean"], 2.1);
    near(&split["walks"]["speed_m_s"]["mean"], 1.0); // 2 m in the 2 s that are no jump
    near(&split["walks"]["effort_j_kg"]["mean"], (2.23 + 1.26) * 2.0);
    near(&split["walks"]["slow_share"], 0.0);
    assert_eq!(split["walks"]["detour"]["mean"], Value::Null);
    near(&split["speed_m_s"]["max"], 1.0);
    assert_eq!((&split["lines"][0]["people"], &split["strips"][0]["people"]), (&json!(0), &json!(0)));
    let (table, _) = expect(0, &folder, &arguments);
    assert!(table.contains("1 time faster than people are, first person 1 at 1.10 s"), "{table}");
    assert!(table.contains("1 jump: no way, crossing, speed or turn leads over one"), "{table}");
    let whole = measure(&["--jump-speed", "none"]);
    assert_eq!((&whole["jumps_left_out"], &whole["jump_speed_m_s"]), (&json!(0), &Value::Null));
    near(&whole["walks"]["length_m"]["mean"], 41.0);
    assert_eq!((&whole["lines"][0]["people"], &whole["strips"][0]["people"]), (&json!(1), &json!(1)));
    assert!(whole["speed_m_s"]["max"].as_f64().is_some_and(|speed| speed > 90.0), "{}", whole["speed_m_s"]); // 39.3 m in 0.4 s
    let (out, err) = expect(
        0,
        &folder,
        &[
            "plot",
            "jump.txt",
            "--unit",
            "m",
            "--fps",
            "10",
            "--line",
            "20,-1,20,1",
            "--what",
            "speed",
            "--to",
            "speed.svg",
            "--json",
            "-",
        ],
    );
    let plotted: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!((&plotted["lines"][0]["people"], &plotted["jumps_left_out"]), (&json!(0), &json!(1)));
    assert!(err.contains("warning: 1 jump left out of tracks, crossings and speeds"), "{err}");
    near(&plotted["speed_m_s"]["mean"], 1.0);
}

/// Where nobody can be there is nothing to measure: it is said, and measured all the same.
#[test]
fn lines_and_areas_that_lie_elsewhere_are_warned_of() {
    let folder = folder("measure-astray");
    write(&folder, "one.txt", "1 0 0.5 0.5\n1 1 0.6 0.5\n1 2 0.7 0.6\n");
    write(&folder, "room.wkt", "POLYGON ((0 0, 4 0, 4 4, 0 4, 0 0))");
    write(&folder, "hall.wkt", "POLYGON ((0 0, 9 0, 9 9, 0 9, 0 0))");
    let recorded = ["one.txt", "--unit", "m", "--fps", "10"];
    let said = |arguments: &[&str]| expect(0, &folder, &[&["measure"], &recorded[..], arguments].concat()).1;
    assert_eq!(said(&["--line", "0,0.5,4,0.5", "--area", "0,0,1,0,1,1", "--place", "room.wkt"]), "");
    let far = ["--line", "gate=50,0,50,4", "--area", "hall=-1,-1,-3,-1,-3,-3", "--strip", "way=5,0,5,4,-0"];
    assert!(expect(2, &folder, &[&["measure"], &recorded[..], &far].concat()).1.contains("a width above 0"));
    let far = ["--line", "gate=50,0,50,4", "--area", "hall=-1,-1,-3,-1,-3,-3", "--strip", "way=7,0,7,4,1"];
    let err = said(&[&far[..], &["--place", "room.wkt"]].concat());
    for words in [
        "warning: line \"gate\" lies off the floor",
        "warning: area \"hall\" lies off",
        "warning: strip \"way\" lies off",
    ] {
        assert!(err.contains(words), "{words}\n{err}");
    }
    assert!(
        said(&far).contains("line \"gate\" lies beyond everybody: people were between (0.50, 0.50) and (0.70, 0.60) m")
    );
    assert_eq!(said(&[&far[..], &["--quiet"]].concat()), "");
    // A text that may have been cut says so.
    write(&folder, "cut.txt", "1 0 0.5 0.5\n1 1 0.6 0.5\n1 2 0.7 0.6");
    for arguments in [vec!["measure"], vec!["plot", "--what", "egress", "--to", "e.svg"]] {
        let (_, err) = expect(0, &folder, &[&arguments[..], &["cut.txt", "--unit", "m", "--fps", "10"]].concat());
        assert!(err.contains("warning: cut.txt: ") && err.contains("may have been cut"), "{err}");
    }
    // A place over another place.
    let export = |more: &[&str], to: &str| expect(0, &folder, &[&["export"], more, &["--to", to]].concat()).1;
    assert_eq!(export(&[&recorded[..], &["--place", "room.wkt"]].concat(), "one.parquet"), "");
    assert_eq!(export(&["one.parquet", "--place", "room.wkt"], "same.parquet"), "");
    let replaced = "warning: --place hall.wkt: one.parquet has walls";
    assert!(export(&["one.parquet", "--place", "hall.wkt"], "other.parquet").contains(replaced));
    for arguments in [vec!["measure", "one.parquet"], vec!["plot", "one.parquet", "--what", "egress", "--to", "e.svg"]]
    {
        assert!(expect(0, &folder, &[&arguments[..], &["--place", "hall.wkt"]].concat()).1.contains(replaced));
    }
    let other = common::open(&folder.join("other.parquet"));
    assert_eq!(other.header().place.areas, [[[[0.0, 0.0], [9.0, 0.0], [9.0, 9.0], [0.0, 9.0]]]]);
}

/// The recording of two ways through a corridor has one jump at 5.6 m/s and 75 rows outside of its 4 m.
#[test]
fn faults_of_real_data_are_told() {
    let Some((data, _)) = data_and_python() else { return };
    let folder = folder("measure-faults");
    write(&folder, "walls.wkt", "POLYGON ((-6 0, 5 0, 5 4, -6 4, -6 0))");
    let file = data.join("juelich-corridor-bi/bi_corr_400_b_03.txt");
    let file = file.to_str().expect("UTF-8");
    let (table, _) = expect(0, &folder, &["measure", file, "--unit", "cm", "--fps", "25", "--place", "walls.wkt"]);
    for words in ["75 times outside of the floor, first person", "1 time faster than people are, first person"] {
        assert!(table.contains(words), "{words}\n{table}");
    }
}
