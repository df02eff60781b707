//! What is written as glb is read back with a JSON reader and nothing of the writer's.

use passerby_geometry::{Quat, Vec3};
use passerby_motion::glb::{self, GlbError, Person, Root};
use passerby_motion::walker::{self, LEFT_SHIN, RIGHT_FOREARM};
use passerby_motion::{Looks, Pose, body};
use serde_json::Value;

const FRAMES: usize = 31;

fn times() -> Vec<f32> {
    (0..FRAMES).map(|frame| frame as f32 / 25.0).collect()
}

/// Walks along x at 1 m/s and bends a knee and an elbow; turns left by a radian a second.
fn walker(id: u32, first: usize, frames: usize) -> Person {
    let looks = Looks::new(5, id);
    let skeleton = walker::skeleton(looks.stature);
    let (mut roots, mut poses) = (Vec::new(), Vec::new());
    for frame in 0..frames {
        let time = frame as f32 / 25.0;
        roots.push(Root { position: Vec3::new(time, id as f32, 0.0), heading: time });
        let mut pose = Pose::rest(&skeleton);
        pose.rotations[LEFT_SHIN.index()] = Quat::from_rotation_y(time);
        pose.rotations[RIGHT_FOREARM.index()] = -Quat::from_rotation_y(-0.5 * time); // the other sign, the same rotation
        pose.offsets[0].z -= 0.01 * time;
        poses.push(pose);
    }
    Person { name: format!("person{id}"), looks, first, roots, poses }
}

fn crowd() -> Vec<u8> {
    let people = [walker(0, 0, FRAMES), walker(1, 0, FRAMES), walker(2, 10, 12)];
    glb::write(&body::levels()[1], &people, &times()).unwrap()
}

/// Takes the file apart as the specification says.
fn read(file: &[u8]) -> (Value, &[u8]) {
    let number = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().unwrap()) as usize;
    assert_eq!((&file[..4], number(4), number(8)), (&b"glTF"[..], 2, file.len()));
    let text = number(12);
    assert_eq!((&file[16..20], text % 4), (&b"JSON"[..], 0));
    let binary = 20 + text;
    assert_eq!((&file[binary + 4..binary + 8], number(binary) % 4), (&b"BIN\0"[..], 0));
    assert_eq!(binary + 8 + number(binary), file.len());
    (serde_json::from_slice(&file[20..20 + text]).unwrap(), &file[binary + 8..])
}

fn whole(value: &Value) -> usize {
    value.as_u64().unwrap_or_else(|| panic!("{value} is no whole number")) as usize
}

fn list(value: &Value) -> &[Value] {
    value.as_array().unwrap_or_else(|| panic!("{value} is no list"))
}

/// Parts of each element of an accessor.
type Elements = Vec<Vec<f64>>;

/// Reads an accessor, whatever its numbers are.
fn elements(document: &Value, binary: &[u8], accessor: usize) -> Elements {
    let accessor = &document["accessors"][accessor];
    let parts = match accessor["type"].as_str().unwrap() {
        "SCALAR" => 1,
        "VEC3" => 3,
        "VEC4" => 4,
        "MAT4" => 16,
        other => panic!("{other}"),
    };
    let (kind, count) = (whole(&accessor["componentType"]), whole(&accessor["count"]));
    let size = [(5121, 1), (5123, 2), (5125, 4), (5126, 4)].into_iter().find(|(known, _)| *known == kind).unwrap().1;
    let view = &document["bufferViews"][whole(&accessor["bufferView"])];
    let (offset, length) = (whole(&accessor["byteOffset"]), count * parts * size);
    assert!(offset + length <= whole(&view["byteLength"]), "an accessor reaches out of its view: {accessor}");
    let start = whole(&view["byteOffset"]) + offset;
    assert_eq!(start % size, 0, "{accessor}");
    let part = |bytes: &[u8]| match kind {
        5121 => f64::from(bytes[0]),
        5123 => f64::from(u16::from_le_bytes(bytes.try_into().unwrap())),
        5125 => f64::from(u32::from_le_bytes(bytes.try_into().unwrap())),
        _ => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
    };
    let numbers: Vec<f64> = binary[start..start + length].chunks(size).map(part).collect();
    numbers.chunks(parts).map(<[f64]>::to_vec).collect()
}

#[test]
fn views_and_accessors_hold_what_they_say() {
    let file = crowd();
    let (document, binary) = read(&file);
    assert_eq!(whole(&document["buffers"][0]["byteLength"]), binary.len());
    for view in list(&document["bufferViews"]) {
        assert!(
            whole(&view["byteOffset"]) + whole(&view["byteLength"]) <= binary.len() && whole(&view["byteLength"]) > 0
        );
    }
    for (index, accessor) in list(&document["accessors"]).iter().enumerate() {
        let elements = elements(&document, binary, index);
        assert!(elements.iter().flatten().all(|part| part.is_finite()));
        let Some(low) = accessor["min"].as_array() else { continue };
        for (part, low) in low.iter().enumerate() {
            let column = || elements.iter().map(|element| element[part]);
            // Readers of JSON may round the last bit of a double, but not one of a float.
            let float = |value: &Value| value.as_f64().unwrap() as f32;
            assert_eq!(column().fold(f64::INFINITY, f64::min) as f32, float(low));
            assert_eq!(column().fold(f64::NEG_INFINITY, f64::max) as f32, float(&accessor["max"][part]));
        }
    }
}

#[test]
fn everybody_has_a_body_and_a_skin_of_26_joints() {
    let file = crowd();
    let (document, binary) = read(&file);
    let nodes = list(&document["nodes"]);
    assert_eq!(list(&document["skins"]).len(), 3);
    for skin in list(&document["skins"]) {
        assert_eq!(list(&skin["joints"]).len(), 26);
        assert_eq!(elements(&document, binary, whole(&skin["inverseBindMatrices"])).len(), 26);
        let hips = &nodes[whole(&skin["joints"][0])];
        assert!(hips["name"].as_str().unwrap().ends_with("_hips"), "{hips}");
    }
    let vertices = body::levels()[1].positions.len();
    let bodies: Vec<&Value> = nodes.iter().filter(|node| node["mesh"].is_u64()).collect();
    assert_eq!(bodies.len(), 3);
    for (id, body) in bodies.iter().enumerate() {
        let looks = Looks::new(5, id as u32);
        assert_eq!(body["weights"][0].as_f64(), Some(f64::from(looks.shape.build - 1.0)));
        let attributes = &document["meshes"][whole(&body["mesh"])]["primitives"][0]["attributes"];
        for name in ["POSITION", "NORMAL", "JOINTS_0", "WEIGHTS_0", "COLOR_0"] {
            let count = elements(&document, binary, whole(&attributes[name])).len();
            assert_eq!(count, vertices, "{name}");
        }
        for shares in elements(&document, binary, whole(&attributes["WEIGHTS_0"])) {
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 1e-5, "{shares:?}");
        }
    }
    // Every node but the crowd has one parent.
    let mut parents = vec![0; nodes.len()];
    nodes.iter().filter_map(|node| node["children"].as_array()).flatten().for_each(|child| parents[whole(child)] += 1);
    assert_eq!(parents.iter().filter(|count| **count == 1).count(), nodes.len() - 1);
    assert_eq!(parents[whole(&document["scenes"][0]["nodes"][0])], 0);
}

/// Times and values of a channel, by its node's name and its path.
fn keys(document: &Value, binary: &[u8], name: &str, path: &str) -> Option<(Elements, Elements)> {
    let animation = &document["animations"][0];
    let wanted = |channel: &&Value| {
        let target = &channel["target"];
        document["nodes"][whole(&target["node"])]["name"] == name && target["path"] == path
    };
    let channel = list(&animation["channels"]).iter().find(wanted)?;
    let sampler = &animation["samplers"][whole(&channel["sampler"])];
    let [input, output] = ["input", "output"].map(|end| elements(document, binary, whole(&sampler[end])));
    assert_eq!(input.len(), output.len());
    Some((input, output))
}

#[test]
fn what_moves_has_keys_and_what_does_not_has_none() {
    let file = crowd();
    let (document, binary) = read(&file);
    let get = |name: &str, path: &str| keys(&document, binary, name, path);
    let (input, knee) = get("person0_left_shin", "rotation").expect("the knee bends");
    assert_eq!(input.len(), FRAMES);
    assert!((input[30][0] - 1.2).abs() < 1e-6);
    // 1.2 rad about y: (0, sin 0.6, 0, cos 0.6).
    for (part, expected) in knee[30].iter().zip([0.0, 0.564_642, 0.0, 0.825_336]) {
        assert!((part - expected).abs() < 1e-5, "{knee:?}");
    }
    let (_, elbow) = get("person0_right_forearm", "rotation").expect("the elbow bends");
    for rotations in [&knee, &elbow] {
        for pair in rotations.windows(2) {
            let dot: f64 = pair[0].iter().zip(&pair[1]).map(|(a, b)| a * b).sum();
            assert!(dot > 0.9, "the long way from {:?} to {:?}", pair[0], pair[1]);
        }
        assert!(rotations.iter().all(|turn| (turn.iter().map(|part| part * part).sum::<f64>() - 1.0).abs() < 1e-5));
    }
    let (_, places) = get("person1", "translation").expect("they walk");
    assert!((places[30][0] - 1.2).abs() < 1e-6 && places[30][1] == 1.0, "{:?}", places[30]);
    assert!(get("person0_right_shin", "rotation").is_none());
    assert!(get("person0_left_shin", "translation").is_none());
    assert!(get("person0", "scale").is_none());
}

/// The third is there from time 10, 0.4 s, to time 21, and gone at time 22, 0.88 s.
#[test]
fn who_is_not_there_is_a_millimetre_tall() {
    let file = crowd();
    let (document, binary) = read(&file);
    let (moments, scales) = keys(&document, binary, "person2", "scale").unwrap();
    let stature = f64::from(Looks::new(5, 2).stature);
    let expected = [(0.0, 1e-3), (0.4, stature), (0.88, 1e-3)];
    assert_eq!(moments.len(), 3);
    for ((moment, scale), (at, size)) in moments.iter().zip(&scales).zip(expected) {
        assert!(
            (moment[0] - at).abs() < 1e-6 && scale.iter().all(|part| (part - size).abs() < 1e-6),
            "{moments:?} {scales:?}"
        );
    }
    let (input, _) = keys(&document, binary, "person2_left_shin", "rotation").unwrap();
    assert_eq!(input.len(), 12);
    assert!((input[0][0] - 0.4).abs() < 1e-6 && (input[11][0] - 0.84).abs() < 1e-6, "{input:?}");
}

#[test]
fn somebody_who_stands_needs_no_animation() {
    let mut person = walker(0, 0, 1);
    (person.roots, person.poses) = (vec![person.roots[0]; 3], vec![person.poses[0].clone(); 3]);
    let file = glb::write(&body::levels()[3], &[person], &[0.0, 0.1, 0.2]).unwrap();
    assert!(read(&file).0["animations"].is_null());
}

#[test]
fn what_does_not_fit_is_refused() {
    let mesh = &body::levels()[3];
    let check = |people: &[Person], times: &[f32], expected: &str| {
        let error = glb::write(mesh, people, times).unwrap_err().to_string();
        assert!(error.contains(expected), "{error}");
    };
    check(&[], &[0.0], "0 people");
    check(&[walker(0, 0, 1)], &[], "0 times");
    check(&[walker(0, 0, 2)], &[0.0, 0.0], "time 1 is 0 s");
    check(&[walker(0, 0, 1)], &[f32::NAN], "time 0 is NaN s");
    check(&[walker(0, 0, 1)], &[-1.0], "time 0 is -1 s");
    check(&[walker(3, 1, 2)], &[0.0, 0.1], "`person3`: 2 places and 2 poses from time 1 on");
    check(&[walker(3, usize::MAX, 2)], &[0.0, 0.1], "`person3`");
    let mut broken = walker(4, 0, 2);
    broken.poses[1].offsets[0].z = f32::NAN;
    check(&[broken.clone()], &[0.0, 0.1], "`person4`, frame 1");
    broken.poses[1] = Pose::default();
    check(&[broken], &[0.0, 0.1], "`person4`, frame 1");
    assert!(GlbError::TooLarge { bytes: 5_000_000_000 }.to_string().contains("less than 4 GiB"));
}
