//! `passerby export` writes what others read, and reads what they write.

mod common;
use common::{expect, folder, open, write};
use std::fs;
use std::path::Path;

/// A few people walk for a second.
const WALK: &str = r#"
name = "walk"
[place]
floor = [[0, 0], [12, 0], [12, 6], [0, 6]]
obstacles = [[[7, 0], [7.2, 0], [7.2, 2], [7, 2]]]
[[population]]
name = "walkers"
grid = { origin = [1, 3], columns = 3, rows = 2, spacing = 1 }
journey = [[11, 3]]
[run]
until = 1
"#;

fn walk(name: &str) -> std::path::PathBuf {
    let folder = folder(name);
    write(&folder, "walk.toml", WALK);
    expect(0, &folder, &["run", "walk.toml", "--quiet", "--out", "walk.parquet"]);
    folder
}

/// Ids and positions of the frame at a tick.
fn at(path: &Path, tick: u32) -> (Vec<u32>, Vec<f64>, Vec<f64>) {
    let frame = open(path).frame_at(tick).expect("readable").expect("a frame");
    (frame.id, frame.x, frame.y)
}

#[test]
fn a_run_goes_through_every_format_and_back() {
    let folder = walk("export-run");
    let recorded = at(&folder.join("walk.parquet"), 20);
    assert_eq!(recorded.0.len(), 6);
    for name in ["walk.csv", "walk.txt", "walk.sqlite", "WALK2.PARQUET"] {
        let (out, _) = expect(0, &folder, &["export", "walk.parquet", "--to", name]);
        assert!(out.contains(name) && out.contains("6 people") && out.contains("20 frames a second"), "{out}");
        let (out, _) = expect(0, &folder, &["export", name, "--to", "back.parquet", "--quiet"]);
        assert_eq!(out, "");
        assert_eq!(at(&folder.join("back.parquet"), 20), recorded, "{name}");
    }
    assert!(fs::read_dir(&folder).expect("a folder").flatten().all(|f| !f.path().to_string_lossy().ends_with(".part")));
}

#[test]
fn every_nth_frame() {
    let folder = walk("export-every");
    let (out, _) = expect(0, &folder, &["export", "walk.parquet", "--to", "few.parquet", "--every", "5"]);
    assert!(out.contains("5 frames") && out.contains("4 frames a second"), "{out}");
    let few = open(&folder.join("few.parquet"));
    assert_eq!((few.header().every, few.frame_count()), (5, 5));
    expect(0, &folder, &["export", "walk.parquet", "--to", "few.csv", "--every", "10"]);
    let csv = fs::read_to_string(folder.join("few.csv")).expect("a file");
    let mut lines = csv.lines();
    assert_eq!(lines.next(), Some("id,frame,time_s,x_m,y_m,vx_m_s,vy_m_s,heading_rad"));
    assert_eq!(lines.count(), 3 * 6);
    assert!(csv.contains(",2,1.0,"), "{csv}");
}

#[test]
fn recorded_people_can_be_drawn() {
    let folder = folder("export-people");
    let rows: String =
        (0..50).map(|frame| format!("1 {frame} {} 0 170\n2 {frame} 0 {} 180\n", 10 * frame, -4 * frame)).collect();
    write(&folder, "people.txt", &rows);
    let (_, err) = expect(2, &folder, &["export", "people.txt", "--to", "people.parquet"]);
    assert!(err.contains("people.txt") && err.contains("--unit"), "{err}");
    let (_, err) = expect(2, &folder, &["export", "people.txt", "--to", "people.parquet", "--unit", "cm"]);
    assert!(err.contains("--fps"), "{err}");
    expect(0, &folder, &["export", "people.txt", "--to", "people.parquet", "--unit", "cm", "--fps", "16"]);
    assert_eq!(at(&folder.join("people.parquet"), 49), (vec![1, 2], vec![4.9, 0.0], vec![0.0, -1.96]));
    expect(0, &folder, &["render", "people.parquet", "--to", "people.png", "--from-time", "1"]);
    let (_, err) = expect(2, &folder, &["render", "people.txt", "--to", "people.png"]);
    assert!(err.contains("hint: `passerby export people.txt --to people.parquet` makes one"), "{err}");
    write(&folder, "gap.txt", "# framerate: 25\n# x/m\n1 0 0 0\n1 1 0 0\n1 9 0 0\n");
    let (out, _) = expect(0, &folder, &["export", "gap.txt", "--to", "gap.csv"]);
    assert!(out.contains("gap: person 1 is missing between frames 1 and 9"), "{out}");
}

#[test]
fn wrong_input_is_told() {
    let folder = folder("export-wrong");
    write(&folder, "people.txt", "# framerate: 25\n# x/m\n1 0 0 0\n1 1 NaN 0\n");
    write(&folder, "kept.csv", "kept");
    let check = |arguments: &[&str], words: &[&str]| {
        let (_, err) = expect(2, &folder, &[&["export"], arguments].concat());
        assert!(words.iter().all(|word| err.contains(word)), "{err}");
    };
    check(&["people.txt", "--to", "kept.csv"], &["people.txt", "line 4", "`NaN`"]);
    check(&["people.txt", "--to", "people.doc"], &["people.doc", ".csv, .txt, .sqlite, .parquet or .glb"]);
    check(&["people.txt", "--to", "people.txt"], &["would overwrite"]);
    check(&["peple.txt", "--to", "people.csv"], &["did you mean people.txt?"]);
    check(&[".", "--to", "people.csv"], &["is a folder"]);
    #[cfg(unix)]
    check(&["/dev/zero", "--to", "people.csv"], &["is a pipe or a device", "into a file first"]);
    check(&["people.txt", "--to", "a.csv", "--every", "0"], &["0"]);
    check(&["people.txt", "--to", "a.csv", "--fps", "-3"], &["-3", "frame rate"]);
    check(&["people.txt", "--to", "a.csv", "--unit", "mm"], &["mm"]);
    assert_eq!(fs::read_to_string(folder.join("kept.csv")).expect("a file"), "kept");
}
