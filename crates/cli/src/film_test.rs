//! Films as other programs see them.

use super::*;
use passerby::record::{FORMAT, Header, NamedPolygon, Person, PlaceShape, Writer};
use passerby_measure::chart::Color;
use std::io::Cursor;
use std::process::Command;

/// Two who walk past each other on a floor of 20 m x 8 m, 4 s at 10 frames a second.
fn recording() -> Recording {
    let floor = vec![[0.0, 0.0], [20.0, 0.0], [20.0, 8.0], [0.0, 8.0]];
    let region =
        NamedPolygon { name: "exit".into(), polygon: vec![[18.0, 0.0], [20.0, 0.0], [20.0, 8.0], [18.0, 8.0]] };
    let place = PlaceShape { areas: vec![vec![floor]], regions: vec![region], ..PlaceShape::default() };
    let header = Header {
        format: FORMAT,
        version: "0".into(),
        name: "two".into(),
        scenario: String::new(),
        seed: 1,
        tick: 0.1,
        every: 1,
        offset: [0.0; 2],
        place,
        bodies: false,
    };
    let mut writer = Writer::new(Vec::new(), &header).unwrap();
    let person = |id: u32, population: &str| Person {
        id,
        population: population.into(),
        radius: 0.4,
        mass: 80.0,
        speed: 1.0,
        model: "recorded".into(),
    };
    writer.people(&[person(3, "east"), person(8, "west")]);
    for tick in 0..=40 {
        let [east, west] = places(f64::from(tick) * 0.1);
        let heading = [0.0, std::f32::consts::PI];
        let (x, y) = ([east[0], west[0]], [east[1], west[1]]);
        writer
            .frame(&Frame {
                tick,
                id: &[3, 8],
                x: &x,
                y: &y,
                vx: &[2.0, -1.0],
                vy: &[0.0; 2],
                heading: &heading,
                bodies: &[],
            })
            .unwrap();
    }
    Recording::open(Cursor::new(writer.finish().unwrap())).unwrap()
}

fn places(seconds: f64) -> [[f64; 2]; 2] {
    [[5.0 + 2.0 * seconds, 2.0], [15.0 - seconds, 6.0]]
}

fn folder(name: &str) -> PathBuf {
    let folder = std::env::temp_dir().join(format!("passerby-film-{name}-{}", std::process::id()));
    let _ = fs::remove_dir_all(&folder);
    fs::create_dir_all(&folder).unwrap();
    folder
}

/// What ffprobe says of the only stream, in the order asked for; `None`, and a word, without ffprobe.
fn probe(file: &Path, entries: &str) -> Option<Vec<String>> {
    let shown = format!("stream={entries}");
    let words = ["-v", "error", "-count_frames", "-show_entries", &shown, "-of", "default=noprint_wrappers=1:nokey=1"];
    let Ok(output) = Command::new("ffprobe").args(words).arg(file).output() else {
        println!("skipped: ffprobe is not installed (Debian: apt install ffmpeg)");
        return None;
    };
    assert!(output.status.success(), "{output:?}");
    Some(String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect())
}

/// The n-th frame: width and RGB bytes.
fn decoded(file: &Path, n: u32) -> tiny_skia::Pixmap {
    let png = file.with_extension(format!("{n}.png"));
    let select = format!("select=eq(n\\,{n})");
    let status = Command::new("ffmpeg")
        .args(["-v", "error", "-y", "-i"])
        .arg(file)
        .args(["-vf", &select, "-frames:v", "1", "-update", "1"])
        .arg(&png)
        .status()
        .unwrap();
    assert!(status.success());
    tiny_skia::Pixmap::decode_png(&fs::read(png).unwrap()).unwrap()
}

fn is_near(pixmap: &tiny_skia::Pixmap, at: [f32; 2], color: Color) -> bool {
    let pixel = pixmap.pixel(at[0].round() as u32, at[1].round() as u32).unwrap();
    let found = [pixel.red(), pixel.green(), pixel.blue()];
    found.iter().zip(color.rgb).all(|(a, b)| a.abs_diff(b) < 40)
}

/// 4 s at double speed and 20 frames a second: times 0, 0.1, .. 4.0 are 41 frames; every other one at --speed 4.
#[track_caller]
fn check(name: &str, kind: Kind, codec: &str, speed: f64, frames: u32) {
    let (folder, recording) = (folder(name), recording());
    let film = Film { fps: Some(20.0), speed: Some(speed), ..Film::default() };
    let to = folder.join(name);
    let wanted = Wanted { kind, width: 640, ticks: (0, 40), to: &to, quiet: true };
    if Command::new("ffmpeg").arg("-version").output().is_err() {
        println!("skipped: ffmpeg is not installed (Debian: apt install ffmpeg)");
        return;
    }
    assert_eq!(film.write(&recording, Path::new("two.parquet"), &wanted).unwrap(), ExitCode::SUCCESS);
    let layout = layout(&recording, &wanted).unwrap();
    if let Some(found) = probe(&to, "codec_name,width,height,r_frame_rate,nb_read_frames") {
        let expected = [codec, "640", &layout.height.to_string(), "20/1", &frames.to_string()].map(str::to_owned);
        assert_eq!(found, expected);
    }
    for n in [0, 1, frames / 2, frames - 1] {
        let picture = decoded(&to, n);
        let seconds = f64::from(n) * speed / 20.0;
        for (walker, at) in places(seconds).into_iter().enumerate() {
            let pixel = layout.pixel(at);
            assert!(
                is_near(&picture, pixel, legend::kind_color(walker)),
                "{name}: frame {n}, walker {walker} at {pixel:?}"
            );
            let beside = layout.pixel([at[0], at[1] + 0.7]);
            assert!(
                is_near(&picture, beside, passerby_measure::chart::ink::FLOOR),
                "{name}: frame {n}, beside {walker}"
            );
        }
    }
    let left: Vec<PathBuf> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
    assert!(left.iter().all(|path| !path.to_string_lossy().ends_with(".part")), "{left:?}");
    fs::remove_dir_all(folder).unwrap();
}

#[test]
fn discs_of_an_mp4_are_where_the_recording_says() {
    check("a.mp4", Kind::Mp4, "h264", 2.0, 41);
}

#[test]
fn discs_of_a_gif_are_where_the_recording_says() {
    check("a.gif", Kind::Gif, "gif", 4.0, 21);
}

/// Half as fast as recorded at twice the rate: three of four frames are between recorded ones.
#[test]
fn people_walk_between_recorded_frames() {
    check("slow.mp4", Kind::Mp4, "h264", 0.5, 161);
}
