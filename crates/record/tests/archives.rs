//! HDF5 files as h5py writes them: plain, in chunks, packed, of either byte order; and with everything wrong that rows can be.
//!
//! `cargo xtask test` makes the environment with h5py and names its interpreter in `PASSERBY_PYTHON`; without it these tests
//! say that they are skipped.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::process::Command;

use passerby_record::{Frame, ImportError, Recording, Stated, import};

/// Each argument is `name rows how`: rows as Python reads them, how as keywords of `create_dataset`.
const SCRIPT: &str = "
import sys, h5py, numpy
nan, inf = float('nan'), float('inf')
for name, order, rows, how in zip(*[iter(sys.argv[1:])] * 4):
    with h5py.File(name, 'w') as file:
        kind = [('id', order + 'i8'), ('frame', order + 'i4'), ('x', order + 'f8'), ('y', order + 'f4')]
        rows = numpy.array(eval(rows), dtype=kind)
        file.create_dataset('trajectory', data=rows, **eval('dict(' + how + ')')).attrs['fps'] = 10.0
";

struct File<'a> {
    order: &'a str,
    rows: &'a str,
    how: &'a str,
}

/// Writes the files and reads them; `None`, after a line that says so, where there is no Python.
fn read(test: &str, files: &[File<'_>]) -> Option<Vec<Result<Recording, ImportError>>> {
    let Some(python) = std::env::var_os("PASSERBY_PYTHON") else {
        eprintln!("skipped: PASSERBY_PYTHON is not set; `cargo xtask test` makes the environment it names");
        return None;
    };
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(test);
    fs::create_dir_all(&folder).expect("a folder");
    let paths: Vec<PathBuf> = (0..files.len()).map(|i| folder.join(format!("{i}.h5"))).collect();
    let mut command = Command::new(python);
    command.args(["-c", SCRIPT]);
    for (path, File { order, rows, how }) in paths.iter().zip(files) {
        command.arg(path).args([order, rows, how]);
    }
    let output = command.output().expect("PASSERBY_PYTHON starts");
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let open = |path: &PathBuf| import(Cursor::new(fs::read(path).expect("a file")), "h5py", &Stated::default());
    Some(paths.iter().map(open).collect())
}

/// Persons 4 and 9 in 30 frames, x = id + frame / 8, y = -frame / 4: numbers without rounding in either precision.
const WALK: &str = "[(i, f, i + f / 8, -f / 4) for f in range(30) for i in (4, 9)]";

#[test]
fn plain_chunked_and_packed_ones_hold_the_same() {
    let ways = ["", "chunks=(7,)", "chunks=(7,), compression='gzip', shuffle=True", "chunks=(1000,), maxshape=(None,)"];
    let files = ways.iter().flat_map(|how| ["<", ">"].map(|order| File { order, rows: WALK, how }));
    let files: Vec<File<'_>> = files.collect();
    let Some(read) = read("h5py-ways", &files) else { return };
    for (recording, File { order, how, .. }) in read.into_iter().zip(&files) {
        let recording = recording.unwrap_or_else(|error| panic!("{order} {how}: {error}"));
        let mut frames = 0;
        let each = &mut |frame: &Frame<'_>| {
            let at = f64::from(frame.tick);
            assert_eq!(frame.id, [4, 9], "{how}");
            assert_eq!((frame.x, frame.y), (&[4.0 + at / 8.0, 9.0 + at / 8.0][..], &[-at / 4.0; 2][..]), "{how}");
            assert_eq!(
                (frame.vx, frame.vy),
                (&[1.25; 2][..], &[-2.5; 2][..]),
                "{how}: an eighth in a tenth of a second"
            );
            frames += 1;
            std::ops::ControlFlow::Continue(())
        };
        recording.frames(0, u32::MAX, each).expect("all frames");
        assert_eq!(frames, 30, "{how}");
    }
}

#[test]
fn wrong_rows_are_named() {
    let cases = [
        ("(4, 1, nan, 0)", &["row 2", "x is `NaN`"][..]),
        ("(4, 1, 0, nan)", &["row 2", "y is `NaN`"]),
        ("(4, 1, -inf, 0)", &["row 2", "x is `-inf`"]),
        ("(4, 1, 2e9, 0)", &["row 2", "x is `2000000000`", "-1e9 to 1e9"]),
        ("(-4, 1, 0, 0)", &["row 2", "the id is `-4`"]),
        ("(2 ** 62, 1, 0, 0)", &["row 2", "the id is `46116860184273"]),
        ("(4, -1, 0, 0)", &["row 2", "the frame is `-1`"]),
        ("(4, 0, 0, 0)", &["row 2", "person 4", "frame 0 a second time", "row 1"]),
        ("(9, 5, 0, 0), (4, 1, 0, 0), (9, 4, 0, 0)", &["row 4", "person 9", "frame 4 after frame 5"]),
    ];
    let rows: Vec<String> = cases.iter().map(|(rows, _)| format!("[(4, 0, 0, 0), {rows}]")).collect();
    for how in ["", "chunks=(2,), compression='gzip'"] {
        let files: Vec<File<'_>> = rows.iter().map(|rows| File { order: "<", rows, how }).collect();
        let Some(read) = read("h5py-wrong", &files) else { return };
        for (recording, (rows, words)) in read.into_iter().zip(&cases) {
            let error = recording.err().unwrap_or_else(|| panic!("{rows} was read")).to_string();
            assert!(words.iter().all(|word| error.contains(word)), "{rows}: {error}");
        }
    }
}

/// Rows that nobody wrote, and pieces that would not fit into memory.
#[test]
fn empty_and_large_ones_are_refused() {
    let files = [
        File { order: "<", rows: "[]", how: "" },
        File { order: "<", rows: WALK, how: "chunks=(2000000,), maxshape=(None,), compression='gzip'" },
    ];
    let Some(read) = read("h5py-large", &files) else { return };
    for (recording, words) in read.into_iter().zip(["there are no rows in it", "store it in smaller chunks"]) {
        let error = recording.err().expect(words).to_string();
        assert!(error.contains(words), "{error}");
    }
}
