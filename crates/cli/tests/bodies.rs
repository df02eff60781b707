//! People with bodies through the real program: runs, recordings, crowds for other programs, clips.

mod common;
use common::{expect, folder, write};
use passerby_geometry::{Quat, Vec3};
use serde_json::Value;
use std::fs;
use std::path::Path;

const WALK: &str = r#"
name = "on feet"
[place]
floor = [[0, 0], [40, 0], [40, 12], [0, 12]]
[[population]]
name = "walkers"
grid = { origin = [2, 2], columns = 2, rows = 5, spacing = 1.6 }
speed = { uniform = [0.6, 1.6] }
body = "mediated"
journey = [[20, 9], [38, 4]]
[run]
until = 20
"#;

/// A binary glTF, taken apart by what its specification says and nothing else.
struct Crowd {
    json: Value,
    bytes: Vec<u8>,
}

impl Crowd {
    fn read(path: &Path) -> Crowd {
        let file = fs::read(path).expect("a file");
        let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes")) as usize;
        assert_eq!((&file[..4], word(4), word(8)), (&b"glTF"[..], 2, file.len()));
        let (length, kind) = (word(12), word(16));
        assert_eq!(kind, 0x4e4f_534a, "the first chunk is JSON");
        let bytes = 20 + length;
        assert_eq!(word(bytes + 4), 0x004e_4942, "the second chunk is binary");
        Crowd { json: serde_json::from_slice(&file[20..bytes]).expect("JSON"), bytes: file[bytes + 8..].to_vec() }
    }

    /// All numbers of an accessor of floats.
    fn floats(&self, accessor: &Value) -> Vec<f32> {
        let accessor = &self.json["accessors"][number(accessor)];
        let view = &self.json["bufferViews"][number(&accessor["bufferView"])];
        let width = match accessor["type"].as_str() {
            Some("SCALAR") => 1,
            Some("VEC3") => 3,
            Some("VEC4") => 4,
            other => panic!("{other:?}"),
        };
        assert_eq!(accessor["componentType"], 5126);
        let start = number(&view["byteOffset"]) + number(&accessor["byteOffset"]);
        let end = start + 4 * width * number(&accessor["count"]);
        self.bytes[start..end].chunks(4).map(|four| f32::from_le_bytes(four.try_into().expect("four bytes"))).collect()
    }
}

fn number(value: &Value) -> usize {
    value.as_u64().unwrap_or(0) as usize
}

/// What is moved, the times of its keys, and their values.
type Keyed = (String, Vec<f32>, Vec<f32>);

/// What a channel says at a time: linear between keys, or held.
fn at(times: &[f32], values: &[f32], width: usize, time: f32) -> Vec<f32> {
    let after = times.partition_point(|key| *key <= time);
    let row = |i: usize| &values[i * width..(i + 1) * width];
    if after == 0 || after == times.len() {
        return row(after.min(times.len() - 1)).to_vec();
    }
    let share = (time - times[after - 1]) / (times[after] - times[after - 1]);
    row(after - 1).iter().zip(row(after)).map(|(a, b)| a + (b - a) * share).collect()
}

/// Feet of an exported crowd, from joints alone: whoever's ball is within 4 mm of the ground for a fifth of a second stands, and stays.
#[test]
fn feet_of_an_exported_crowd_stand_still() {
    let folder = folder("bodies-glb");
    write(&folder, "walk.toml", WALK);
    expect(0, &folder, &["run", "walk.toml", "--quiet", "--out", "walk.parquet"]);
    expect(0, &folder, &["export", "walk.parquet", "--to", "crowd.glb", "--quiet"]);
    let crowd = Crowd::read(&folder.join("crowd.glb"));
    let nodes = crowd.json["nodes"].as_array().expect("nodes");
    let mut parents = vec![None; nodes.len()];
    for (parent, node) in nodes.iter().enumerate() {
        for child in node["children"].as_array().into_iter().flatten() {
            parents[number(child)] = Some(parent);
        }
    }
    let animation = &crowd.json["animations"][0];
    let mut channels: Vec<Vec<Keyed>> = vec![Vec::new(); nodes.len()];
    for channel in animation["channels"].as_array().expect("channels") {
        let sampler = &animation["samplers"][number(&channel["sampler"])];
        let path = channel["target"]["path"].as_str().expect("a path").to_owned();
        let keys = (crowd.floats(&sampler["input"]), crowd.floats(&sampler["output"]));
        channels[number(&channel["target"]["node"])].push((path, keys.0, keys.1));
    }
    let list = |value: &Value, default: &[f32]| -> Vec<f32> {
        let given = value.as_array().map(|all| all.iter().filter_map(Value::as_f64).map(|v| v as f32).collect());
        given.unwrap_or_else(|| default.to_vec())
    };
    let local = |node: usize, time: f32| {
        let part = |path: &str, default: &[f32]| {
            let keyed = channels[node].iter().find(|channel| channel.0 == path);
            keyed.map_or_else(
                || list(&nodes[node][path], default),
                |(_, times, values)| at(times, values, default.len(), time),
            )
        };
        let rotation = part("rotation", &[0.0, 0.0, 0.0, 1.0]);
        (
            Vec3::from_slice(&part("translation", &[0.0; 3])),
            Quat::from_slice(&rotation).normalize(),
            Vec3::from_slice(&part("scale", &[1.0; 3])),
        )
    };
    let place = |node: usize, time: f32| {
        let (mut point, mut up) = (Vec3::ZERO, Some(node));
        while let Some(node) = up {
            let (translation, rotation, scale) = local(node, time);
            point = translation + rotation * (scale * point);
            up = parents[node];
        }
        point
    };
    let feet = |name: &str| name.ends_with("left_toe") || name.ends_with("right_toe");
    let toes: Vec<usize> = (0..nodes.len()).filter(|i| nodes[*i]["name"].as_str().is_some_and(feet)).collect();
    assert_eq!(toes.len(), 20, "ten people have two feet each");
    let mut slides = Vec::new();
    for toe in toes {
        let mut stance: Vec<Vec3> = Vec::new();
        // In the middle of everybody's way: nobody comes or leaves.
        for frame in 20..240 {
            // glTF's y is up.
            let ball = place(toe, frame as f32 * 0.05);
            if ball.y < 0.004 {
                stance.push(ball);
                continue;
            }
            if stance.len() >= 6 {
                let inner = &stance[1..stance.len() - 1];
                let most = inner.iter().map(|ball| (*ball - inner[0]).with_y(0.0).length()).fold(0.0, f32::max);
                slides.push(most * 1000.0);
            }
            stance.clear();
        }
    }
    slides.sort_by(f32::total_cmp);
    let [median, p95] = [0.5, 0.95].map(|share| slides[(slides.len() as f32 * share) as usize]);
    println!("{} stances: {median:.2} mm in the median, {p95:.2} mm for 95 of 100", slides.len());
    assert!(slides.len() > 150, "{} stances", slides.len());
    assert!(median < 1.0 && p95 < 5.0, "{median} mm, {p95} mm");
}

#[test]
fn a_recording_without_bodies_says_how_to_get_them() {
    let folder = folder("bodies-none");
    write(&folder, "walk.toml", &WALK.replace("body = \"mediated\"\n", ""));
    expect(0, &folder, &["run", "walk.toml", "--quiet", "--out", "walk.parquet", "--until", "1"]);
    let (_, error) = expect(2, &folder, &["export", "walk.parquet", "--to", "crowd.glb"]);
    assert!(error.contains("nobody in this recording has a body") && error.contains("mediated"), "{error}");
}

#[test]
fn a_run_with_bodies_reports_feet_and_roots() {
    let folder = folder("bodies-report");
    write(&folder, "walk.toml", WALK);
    let (text, _) = expect(0, &folder, &["run", "walk.toml", "--json", "run.json"]);
    assert!(text.contains("feet slide") && text.contains("roots off by"), "{text}");
    let json: Value = serde_json::from_slice(&fs::read(folder.join("run.json")).unwrap()).unwrap();
    for key in [
        "/foot_slide_mm/median",
        "/foot_slide_mm/p95",
        "/foot_slide_locked_mm/p95",
        "/root_deviation_mm/mean",
        "/skating_ratio",
    ] {
        assert!(json.pointer(key).is_some_and(Value::is_number), "{key}: {json}");
    }
}

#[test]
fn clips_are_listed_drawn_and_refused() {
    let folder = folder("motion");
    let (text, _) = expect(0, &folder, &["motion"]);
    assert!(
        ["idle", "walk-1.35", "run-2.50", "sit-down", "turn-left-90"].iter().all(|name| text.contains(name)),
        "{text}"
    );
    expect(0, &folder, &["motion", "--clip", "walk-1.35", "--sheet", "walk.png", "--quiet"]);
    let png = fs::read(folder.join("walk.png")).unwrap();
    assert_eq!(&png[1..4], b"PNG");
    let (_, error) = expect(2, &folder, &["motion", "--clip", "moonwalk"]);
    assert!(error.contains("moonwalk") && error.contains("walk-1.35"), "{error}");
    write(&folder, "broken.bvh", "HIERARCHY\nROOT hips\n{\n");
    let (_, error) = expect(2, &folder, &["motion", "broken.bvh"]);
    assert!(error.contains("broken.bvh") && error.contains("line"), "{error}");
    let (_, error) = expect(2, &folder, &["motion", "--sheet", "walk.jpg"]);
    assert!(error.contains(".png"), "{error}");
}
