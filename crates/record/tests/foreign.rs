//! Other people's files, broken in every way we could think of: an error that says where, or a gap that is stated; never a
//! panic, never a number that is not in the file.

use std::io::Cursor;
use std::path::Path;
use std::time::{Duration, Instant};

use passerby_record::{ImportError, Recording, Stated, Unit, import};
use rusqlite::{Connection, MAIN_DB};

fn read(bytes: Vec<u8>, stated: Stated) -> Result<Recording, ImportError> {
    import(Cursor::new(bytes), "broken", &stated)
}

const TEXT: Stated = Stated { unit: Some(Unit::Metre), fps: Some(10.0), image: None };
const NOTHING: Stated = Stated { unit: None, fps: None, image: None };

#[track_caller]
#[allow(clippy::disallowed_methods, reason = "a broken file must be refused at once")]
fn refused(bytes: Vec<u8>, stated: Stated, words: &[&str]) {
    let begin = Instant::now();
    let error = read(bytes, stated).err().unwrap_or_else(|| panic!("read, though {words:?}")).to_string();
    assert!(begin.elapsed() < Duration::from_secs(1), "{:?}", begin.elapsed());
    assert!(words.iter().all(|word| error.contains(word)), "{error}, expected {words:?}");
}

/// The same three rows in each text format: person 1 in frames 0 and 1, person 2 in frame 1. `{}` is the x of the last.
const TEXTS: [&str; 4] = [
    "1 0 0.5 0.25\n1 1 1.5 0.25\n2 1 {} 0.75\n",
    "# id frame x/m y/m z/m\n1 0 0.5 0.25 1.7\n1 1 1.5 0.25 1.7\n2 1 {} 0.75 1.7\n",
    "0 1 0.5 0 0.25 1 0 0\n1 1 1.5 0 0.25 1 0 0\n1 2 {} 0 0.75 1 0 0\n",
    "id,frame,x_m,y_m\n1,0,0.5,0.25\n1,1,1.5,0.25\n2,1,{},0.75\n",
];

#[test]
fn texts_with_wrong_rows_are_named() {
    for text in TEXTS {
        let line = format!("line {}", text.lines().count());
        assert!(read(text.replace("{}", "2.5").into_bytes(), TEXT).is_ok(), "{text}");
        for (x, words) in [("NaN", "x is `NaN`"), ("-inf", "x is `-inf`"), ("1e400", "x is `1e400`"), ("x", "x is `x`")]
        {
            refused(text.replace("{}", x).into_bytes(), TEXT, &[&line, words]);
        }
        let last = text.replace("{}", "2.5").lines().last().expect("a line").to_owned();
        let twice = text.replace("{}", "2.5") + &last + "\n";
        refused(twice.into_bytes(), TEXT, &["person 2", "frame 1 a second time", &line]);
    }
    // Of each person the frames must rise; that others are between them does not matter.
    let backwards = "1 5 0 0\n2 5 1 1\n1 4 0 0\n";
    refused(backwards.into(), TEXT, &["line 3", "person 1", "frame 4 after frame 5"]);
    let others = read(b"2 7 9 9\n1 5 0 0\n1 6 0 0\n".to_vec(), TEXT).expect("frames of different people in any order");
    assert_eq!(others.ticks(), Some((5, 7)));
}

/// What is left of a text is read as it stands or refused; where its last number may be shorter than it was, that is said.
#[test]
fn a_text_cut_at_any_byte_is_refused_or_the_cut_is_stated() {
    for text in TEXTS {
        let whole = text.replace("{}", "2.5125");
        for cut in 0..whole.len() {
            let Ok(recording) = read(whole.as_bytes()[..cut].to_vec(), TEXT) else { continue };
            let stated = recording.events().iter().any(|event| event.what.starts_with("gap: line"));
            assert_eq!(stated, !whole[..cut].ends_with('\n'), "{:?}", &whole[..cut]);
        }
    }
}

#[test]
fn what_is_no_text_is_refused_by_its_beginning() {
    refused(vec![0; 64 << 20], TEXT, &["byte 0", "no UTF-8 text"]);
    refused("1 0 0 0\n".encode_utf16().flat_map(u16::to_le_bytes).collect(), TEXT, &["byte 1", "no UTF-8 text"]);
    refused(vec![b'1'; 64 << 20], TEXT, &["first line is longer"]);
    // One row for ever: refused at the second one, not when memory is full.
    refused(b"1 0 0.5 0.5\n".repeat(4 << 20), TEXT, &["line 2", "a second time"]);
}

/// A database with these rows, made without the rules that JuPedSim's tables have.
fn database(version: &str, rows: &[&str]) -> Vec<u8> {
    let mut connection = Connection::open_in_memory().expect("a database");
    let mut sql = "CREATE TABLE trajectory_data (frame, id, pos_x, pos_y, ori_x, ori_y);
        CREATE TABLE metadata (key TEXT, value TEXT);
        CREATE TABLE geometry (hash INTEGER, wkt TEXT);
        INSERT INTO geometry VALUES (1, 'POLYGON ((0 0, 9 0, 9 9, 0 0))');
        INSERT INTO metadata VALUES ('fps', '10');"
        .to_owned();
    sql += &format!("INSERT INTO metadata VALUES ('version', '{version}');");
    rows.iter().for_each(|row| sql += &format!("INSERT INTO trajectory_data VALUES ({row});"));
    connection.execute_batch(&sql).expect("tables");
    connection.serialize(MAIN_DB).expect("bytes").to_vec()
}

#[test]
fn databases_with_wrong_rows_are_named() {
    let first = "0, 1, 0.5, 0.5, 1, 0";
    assert!(read(database("2", &[first, "1, 1, 0.6, 0.5, 1, 0"]), NOTHING).is_ok());
    for (row, words) in [
        ("1, 1, NULL, 0.5, 1, 0", &["row 2", "Null", "pos_x"][..]),
        ("1, 1, 0.5, 'far', 1, 0", &["row 2", "Text", "pos_y"]),
        ("1, 1, x'00', 0.5, 1, 0", &["row 2", "Blob", "pos_x"]),
        ("1, 1, 9e999, 0.5, 1, 0", &["row 2", "x is `inf`"]),
        ("1, 1, 0.5, 0.5, NULL, 0", &["row 2", "ori_x"]),
        ("1, -1, 0.5, 0.5, 1, 0", &["row 2", "the id is `-1`"]),
        ("4611686018427387904, 1, 0.5, 0.5, 1, 0", &["row 2", "the frame is `46116860184273"]),
        ("1.5, 1, 0.5, 0.5, 1, 0", &["row 2", "the frame is `1.5`"]),
        ("0, 1, 0.5, 0.5, 1, 0", &["row 2", "person 1", "a second time", "row 1"]),
    ] {
        refused(database("2", &[first, row]), NOTHING, words);
    }
    refused(database("3", &[first]), NOTHING, &["its version is `3`; known: 1, 2"]);
    let backwards = ["5, 1, 0.5, 0.5, 1, 0", "5, 2, 0.5, 0.5, 1, 0", "4, 1, 0.5, 0.5, 1, 0"];
    refused(database("2", &backwards), NOTHING, &["row 3", "frame 4 after frame 5"]);
    let whole = database("2", &[first, "1, 1, 0.6, 0.5, 1, 0"]);
    for cut in 16..whole.len() {
        refused(whole[..cut].to_vec(), NOTHING, &["it was cut"]);
    }
}

/// A file of another program's Parquet is not taken for one of ours.
#[test]
fn parquet_of_others_is_refused() {
    let footer = [0x15, 2, 0x19, 0x0c, 0x16, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 1, 0x19, 0x0c, 0];
    let file = [b"PAR1", &footer[..], &(footer.len() as u32).to_le_bytes(), b"PAR1"].concat();
    refused(file, NOTHING, &["not a recording", "no whole journal record"]);
}

/// Archives whose dataset claims more rows than there are. The rows of the test data stand in the file as a number.
#[test]
fn archives_that_claim_more_rows_than_they_have_are_refused() {
    let beside = || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data");
    let data = std::env::var_os("PASSERBY_DATA").map_or_else(beside, Into::into);
    let path = data.join("trajectories/juelich-bottleneck-pupils/00_01a.h5");
    let Ok(whole) = std::fs::read(&path) else {
        eprintln!("skipped: there is no {}; set PASSERBY_DATA", path.display());
        return;
    };
    let recording = read(whole.clone(), NOTHING).expect("a recording");
    let mut rows = 0_u64;
    let each = &mut |frame: &passerby_record::Frame<'_>| {
        rows += frame.id.len() as u64;
        std::ops::ControlFlow::Continue(())
    };
    recording.frames(0, u32::MAX, each).expect("all frames");
    for claimed in [1 << 62, u64::MAX, 1 << 40, 1 << 23, rows + 1] {
        let mut forged = whole.clone();
        let places: Vec<usize> = (0..whole.len() - 8).filter(|at| whole[*at..*at + 8] == rows.to_le_bytes()).collect();
        assert!(!places.is_empty());
        places.iter().for_each(|at| forged[*at..*at + 8].copy_from_slice(&claimed.to_le_bytes()));
        refused(forged, NOTHING, &["HDF5"]);
    }
}
