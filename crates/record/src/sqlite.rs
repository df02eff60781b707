//! JuPedSim's SQLite trajectories, version 1 and 2. The database lives in memory: nothing here opens a path.

use std::io::Write;

use passerby_geometry::math;
use rusqlite::{Connection, MAIN_DB, OptionalExtension};

use crate::export::{Beat, ExportError, Exported};
use crate::import::{Read, Unit, unreadable};
use crate::import_error::{ImportError, Place, shortened};
use crate::text::{COUNTS, whole_count};
use crate::tracks::{Row, Tracks};
use crate::{PlaceShape, Recording, floor, wkt};

const FORMAT: &str = "JuPedSim SQLite";

/// Reads the whole database.
pub(crate) fn read(bytes: &[u8]) -> Result<Read, ImportError> {
    let wrong = |error: rusqlite::Error| unreadable(FORMAT, error);
    check_length(bytes)?;
    let mut database = Connection::open_in_memory().map_err(wrong)?;
    database.deserialize_read_exact(MAIN_DB, bytes, bytes.len(), true).map_err(wrong)?;
    database.execute_batch("PRAGMA trusted_schema = OFF; PRAGMA cell_size_check = ON;").map_err(wrong)?;
    check_table(&database, "metadata")?;
    check_table(&database, "trajectory_data")?;
    let version = meta(&database, "version")?.unwrap_or_default();
    if !matches!(version.as_str(), "1" | "2") {
        return Err(unreadable(FORMAT, format!("its version is `{}`; known: 1, 2", shortened(&version))));
    }
    let fps = meta(&database, "fps")?
        .map(|fps| {
            let wrong = || unreadable(FORMAT, format!("its fps is `{}`; allowed: a number", shortened(&fps)));
            fps.trim().parse::<f64>().ok().filter(|fps| fps.is_finite()).ok_or_else(wrong)
        })
        .transpose()?;
    Ok(Read {
        tracks: tracks(&database)?,
        unit: Some((Unit::Metre, "the format JuPedSim SQLite".to_owned())),
        fps: fps.map(|fps| (fps, "its metadata".to_owned())),
        place: place(&database)?,
    })
}

/// SQLite itself notices that a file was cut only when it needs what is missing. Page size and number of pages stand
/// in the first 100 bytes, highest byte first.
fn check_length(bytes: &[u8]) -> Result<(), ImportError> {
    let byte = |at: usize| bytes.get(at).map_or(0, |byte| u64::from(*byte));
    let size = match byte(16) << 8 | byte(17) {
        1 => 1 << 16,
        size => size,
    };
    let pages = (28..32).fold(0, |pages, at| pages << 8 | byte(at));
    let (expected, found) = (size * pages, bytes.len() as u64);
    if found < 100 || found < expected {
        return Err(unreadable(FORMAT, format!("it was cut: {found} of {} bytes are there", expected.max(100))));
    }
    Ok(())
}

/// A view or a virtual table could compute for ever.
fn check_table(database: &Connection, name: &str) -> Result<(), ImportError> {
    let sql = "SELECT sql FROM sqlite_master WHERE type = 'table' AND name = ?1";
    let found = database.query_row(sql, [name], |row| row.get::<_, String>(0)).optional();
    let plain = found.map_err(|error| unreadable(FORMAT, error))?.is_some_and(|sql| {
        let sql = sql.to_ascii_uppercase();
        sql.starts_with("CREATE TABLE") && !sql.contains("GENERATED") && !sql.contains(" AS ")
    });
    if plain { Ok(()) } else { Err(unreadable(FORMAT, format!("there is no plain table `{name}` in it"))) }
}

fn meta(database: &Connection, key: &str) -> Result<Option<String>, ImportError> {
    let sql = "SELECT CAST(value AS TEXT) FROM metadata WHERE key = ?1";
    let value = database.query_row(sql, [key], |row| row.get(0)).optional();
    value.map_err(|error| unreadable(FORMAT, error))
}

fn tracks(database: &Connection) -> Result<Tracks, ImportError> {
    let wrong = |error: rusqlite::Error| unreadable(FORMAT, error);
    let sql = "SELECT frame, id, pos_x, pos_y, ori_x, ori_y FROM trajectory_data ORDER BY rowid";
    let mut query = database.prepare(sql).map_err(wrong)?;
    let mut rows = query.query([]).map_err(wrong)?;
    let mut tracks = Tracks::new(Place::Row);
    let mut number = 0;
    while let Some(row) = rows.next().map_err(wrong)? {
        number += 1;
        let value = |column: usize| {
            row.get::<_, f64>(column).map_err(|error| unreadable(FORMAT, format!("row {number}: {error}")))
        };
        let count = |what, column| {
            let value = value(column)?;
            let wrong =
                || ImportError::Value { place: Place::Row(number), what, value: value.to_string(), allowed: COUNTS };
            whole_count(value).ok_or_else(wrong)
        };
        let row = Row {
            id: count("the id", 1)?,
            frame: count("the frame", 0)?,
            at: [value(2)?, value(3)?],
            velocity: None,
            heading: Some(math::double::atan2(value(5)?, value(4)?) as f32),
        };
        tracks.push(row, number)?;
    }
    Ok(tracks)
}

/// The walkable area; a file whose geometry changes has several, of which the first frame's is taken.
fn place(database: &Connection) -> Result<PlaceShape, ImportError> {
    if check_table(database, "geometry").is_err() {
        return Ok(PlaceShape::default());
    }
    let sql = "SELECT wkt FROM geometry ORDER BY rowid LIMIT 1";
    let walls = database.query_row(sql, [], |row| row.get::<_, String>(0)).optional();
    match walls.map_err(|error| unreadable(FORMAT, error))? {
        Some(walls) => wkt::read(&walls).map_err(|reason| unreadable(FORMAT, format!("its geometry: {reason}"))),
        None => Ok(PlaceShape::default()),
    }
}

/// Rows of a database that is made in memory: about a gigabyte.
const ROWS_MAX: u64 = 1 << 24;

/// The tables of version 2, as JuPedSim makes them.
const TABLES: &str = "
PRAGMA journal_mode = OFF;
CREATE TABLE trajectory_data (frame INTEGER NOT NULL, id INTEGER NOT NULL, pos_x REAL NOT NULL, pos_y REAL NOT NULL,
    ori_x REAL NOT NULL, ori_y REAL NOT NULL);
CREATE TABLE metadata (key TEXT NOT NULL UNIQUE PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE geometry (hash INTEGER NOT NULL, wkt TEXT NOT NULL);
CREATE UNIQUE INDEX geometry_hash ON geometry (hash);
CREATE TABLE frame_data (frame INTEGER NOT NULL, geometry_hash INTEGER NOT NULL);
BEGIN;
";

impl From<rusqlite::Error> for ExportError {
    fn from(error: rusqlite::Error) -> Self {
        ExportError::Database(error.to_string())
    }
}

/// Writes a database of version 2. Frames count from 0.
pub(crate) fn write<W: Write>(recording: &Recording, beat: &Beat, mut sink: W) -> Result<Exported, ExportError> {
    let mut database = Connection::open_in_memory()?;
    database.execute_batch(TABLES)?;
    let walls = wkt::write(&floor::free(&recording.header().place));
    let hash = crc32fast::hash(walls.as_bytes());
    database.execute("INSERT INTO geometry VALUES (?1, ?2)", (hash, &walls))?;
    let mut bounds = Bounds::of_place(&recording.header().place);
    let mut rows = 0;
    let mut put_row = database.prepare("INSERT INTO trajectory_data VALUES (?1, ?2, ?3, ?4, ?5, ?6)")?;
    let mut put_frame = database.prepare("INSERT INTO frame_data VALUES (?1, ?2)")?;
    let exported = beat.frames(recording, &mut |frame| {
        let number = (frame.tick - beat.first) / beat.ticks;
        rows += frame.id.len() as u64;
        if rows > ROWS_MAX {
            return Err(ExportError::TooManyRows { most: ROWS_MAX });
        }
        put_frame.execute((number, hash))?;
        for i in 0..frame.id.len() {
            let (sin, cos) = math::double::sin_cos(f64::from(frame.heading[i]));
            bounds.include([frame.x[i], frame.y[i]]);
            put_row.execute((number, frame.id[i], frame.x[i], frame.y[i], cos, sin))?;
        }
        Ok(())
    })?;
    drop((put_row, put_frame));
    let Bounds { min, max } = bounds;
    let [fps, xmin, ymin, xmax, ymax] = [beat.fps, min[0], min[1], max[0], max[1]].map(|number| number.to_string());
    let metadata =
        [("version", "2"), ("fps", &fps), ("xmin", &xmin), ("xmax", &xmax), ("ymin", &ymin), ("ymax", &ymax)];
    for row in metadata {
        database.execute("INSERT INTO metadata VALUES (?1, ?2)", row)?;
    }
    database.execute_batch("CREATE INDEX frame_id_idx ON trajectory_data (frame, id); COMMIT;")?;
    sink.write_all(&database.serialize(MAIN_DB)?)?;
    sink.flush()?;
    Ok(exported)
}

/// The rectangle around place and people.
struct Bounds {
    min: [f64; 2],
    max: [f64; 2],
}

impl Bounds {
    fn of_place(place: &PlaceShape) -> Self {
        let mut bounds = Self { min: [f64::INFINITY; 2], max: [f64::NEG_INFINITY; 2] };
        place.areas.iter().flatten().flatten().for_each(|point| bounds.include(*point));
        bounds
    }

    fn include(&mut self, point: [f64; 2]) {
        for axis in 0..2 {
            self.min[axis] = self.min[axis].min(point[axis]);
            self.max[axis] = self.max[axis].max(point[axis]);
        }
    }
}
