//! JuPedSim's SQLite trajectories, version 2, written. The database lives in memory: nothing here opens a path.

use std::io::Write;

use passerby_geometry::math;
use rusqlite::{Connection, MAIN_DB};

use crate::export::{Beat, ExportError, Exported};
use crate::{PlaceShape, Recording, floor, wkt};

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
