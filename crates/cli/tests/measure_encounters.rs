//! `passerby measure --encounters`: pairs who come near each other, what is told of them, and who walks with whom.

mod common;
use common::{data_and_python, expect, folder, write};
use serde_json::{Value, json};

/// Two cross at a right angle, as in the worked example: the second brakes from 1.5 to 1.2 m/s between 1 and 2 s and lets the first pass.
#[test]
fn single_encounters_are_rows_of_a_table() {
    let folder = folder("measure-pairs");
    let braking = |t: f64| (t - 1.0_f64).clamp(0.0, 1.0);
    let y = |t: f64| -6.1 + 1.5 * t - 0.15 * braking(t) * braking(t) - 0.3 * (t - 2.0).max(0.0);
    let mut rows = String::new();
    for frame in 0..=120_u32 {
        let t = 0.05 * f64::from(frame);
        rows += &format!("3 {frame} {:.6} 0\n8 {frame} 0 {:.6}\n", -6.0 + 1.5 * t, y(t));
    }
    write(&folder, "pair.txt", &rows);
    let recorded = ["pair.txt", "--unit", "m", "--fps", "20"];
    let (out, _) =
        expect(0, &folder, &[&["measure"], &recorded[..], &["--encounters-csv", "pairs.csv", "--entropy"]].concat());
    assert!(
        out.contains("1 used; 0 walks")
            && out.contains("who walks with whom           0 pairs")
            && out.contains("nats: walking on misses by"),
        "{out}"
    );
    let text = std::fs::read_to_string(folder.join("pairs.csv")).expect("a table");
    let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(lines.len(), 2, "{text}");
    let value = |name: &str| lines[1][lines[0].iter().position(|column| *column == name).expect("a column")];
    let near = |name: &str, expected: f64, within: f64| {
        let found: f64 = value(name).parse().expect("a number");
        assert!((found - expected).abs() <= within, "{name}: {found}, expected {expected}\n{text}");
    };
    assert_eq!((value("id_1"), value("id_2"), value("would_pass_first"), value("passed_first")), ("3", "8", "3", "3"));
    // After 2 s the second is at -6.1 + 3 - 0.15 + 1.2 (t - 2), the first at -6 + 1.5 t: nearest after 4.274 s, 0.664 m.
    near("closest_s", 4.274, 0.03);
    near("clearance_m", 0.664, 0.01);
    near("see_s", 0.25, 0.051);
    // The filter of 0.5 Hz spreads the braking by some tenths of a second and overshoots it a little at both ends.
    near("predicted_at_first_m", 0.1 / 2.0_f64.sqrt(), 0.05);
    near("reaction_s", 1.1, 0.35);
    near("regulation_s", 1.9, 0.35);
    near("adaptation_1_m_s", 0.0, 0.01);
    near("adaptation_2_m_s", 0.3, 0.05);
    // Nobody meets: the chart says so, and so does the command.
    write(
        &folder,
        "alone.txt",
        &rows.lines().filter(|row| row.starts_with('3')).map(|row| format!("{row}\n")).collect::<String>(),
    );
    let alone = ["plot", "alone.txt", "--unit", "m", "--fps", "20"];
    let (_, err) = expect(0, &folder, &[&alone[..], &["--what", "encounters", "--to", "e.svg"]].concat());
    assert!(err.contains("the chart of encounters is empty"), "{err}");
    assert!(
        std::fs::read_to_string(folder.join("e.svg")).expect("a chart").contains("no two people would have passed")
    );
    let (_, err) = expect(
        0,
        &folder,
        &[&alone[..], &["--what", "diagram", "--area", "-6,1,6,1,6,2,-6,2", "--to", "d.svg"]].concat(),
    );
    assert!(err.contains("the fundamental diagram is empty") && err.contains("lies beyond everybody"), "{err}");
    assert!(
        std::fs::read_to_string(folder.join("d.svg")).expect("a chart").contains("nobody walked in any of these areas")
    );
}

/// The pairs of the reference: 228 encounters among those of zara01 who do not walk together, 80 of them predicted to pass within a metre.
#[test]
fn encounters_say_how_many_they_used() {
    let Some((data, _)) = data_and_python() else { return };
    let folder = folder("measure-encounters");
    let (file, groups) = (data.join("ucy-zara01/obsmat.txt"), data.join("ucy-zara01/groups.txt"));
    let (file, groups) = (file.to_str().expect("UTF-8"), groups.to_str().expect("UTF-8"));
    let arguments = ["measure", file, "--fps", "25", "--encounters", "--groups", groups];
    let (out, _) = expect(0, &folder, &[&arguments[..], &["--json", "-"]].concat());
    let found: Value = serde_json::from_str(&out).expect("JSON");
    assert_eq!(
        (&found["encounters"]["used"], &found["encounters"]["would_pass_within_1_m"]["count"]),
        (&json!(228), &json!(80))
    );
    let (table, _) = expect(0, &folder, &arguments);
    for words in ["228 used; ", "45 groups in the file", "order of passing kept", "regulation from 80 % of the time"] {
        assert!(table.contains(words), "{words}\n{table}");
    }
    assert_eq!(found["encounters"]["company"], Value::Null);
    expect(0, &folder, &["plot", file, "--fps", "25", "--what", "encounters", "--to", "pairs.svg", "--quiet"]);
    assert!(std::fs::read_to_string(folder.join("pairs.svg")).expect("a chart").contains("predicted distance in m"));
    let (_, err) = expect(2, &folder, &["measure", file, "--fps", "25", "--encounters", "--groups", "nobody.txt"]);
    assert!(err.contains("--groups nobody.txt"), "{err}");
}

/// On the forecourt what is predicted rises until people pass: there is no plateau, and nobody says there is one. 58 and 153 pairs as in NumPy;
/// in the jam of the crossing nobody is said to belong to anybody.
#[test]
fn what_is_not_there_is_not_told() {
    let Some((data, _)) = data_and_python() else { return };
    let folder = folder("measure-company");
    let measure = |file: &str, more: &[&str]| -> (String, Value) {
        let file = data.join(file);
        let arguments = [&["measure", file.to_str().expect("UTF-8"), "--fps", "25", "--encounters"], more].concat();
        let json = expect(0, &folder, &[&arguments[..], &["--json", "-"]].concat()).0;
        let json: Value = serde_json::from_str(&json).expect("JSON");
        (expect(0, &folder, &arguments).0, json["encounters"].clone())
    };
    let (table, found) = measure("ucy-students03/obsmat.txt", &[]);
    assert!(table.contains("no regulation phase found") && table.contains("153 pairs"), "{table}");
    let close = &found["would_pass_within_1_m"];
    assert_eq!((&close["regulation_from"], &close["reaction_from"]), (&Value::Null, &json!(0.0)));
    assert_eq!(found["company"]["pairs"].as_array().map(Vec::len), Some(153));
    assert!(close["single_phases"]["with_regulation"].as_u64() < close["single_phases"]["with_reaction"].as_u64());
    let (table, found) = measure("juelich-crossing-90/traj_crossing_90_c_6_v5.txt", &["--unit", "m"]);
    assert!(
        table.contains("too dense to tell: of 3030 pairs who stay together 2 nearer than strangers would be"),
        "{table}"
    );
    assert_eq!((&found["company"]["too_dense"], &found["company"]["pairs"]), (&json!(true), &Value::Null));
    assert_eq!(found["left_out"]["together"], json!(0));
}
