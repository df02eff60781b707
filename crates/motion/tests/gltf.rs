//! glTF: samplers, accessors and containers; written and read again; and what is wrong with broken ones.

mod common;

use passerby_geometry::{Quat, Vec3};
use passerby_motion::import::{Axis, ImportError, Imported, Options, gltf};
use passerby_motion::{Skeleton, Take};
use serde_json::{Value, json};

const SMALL: &str = include_str!("small/a.gltf");

fn read(bytes: &[u8]) -> Result<Imported, ImportError> {
    gltf::read(bytes, &|_| None, &Options::default())
}

fn small() -> Value {
    serde_json::from_str(SMALL).unwrap()
}

/// Keys at 0, 0.5 and 1 s. Frame 15 of 60 a second is half way to the second key, frame 30 on it.
#[test]
fn the_small_file_is_what_it_says() {
    let read = read(SMALL.as_bytes()).unwrap();
    assert_eq!((read.skeleton.len(), read.takes.len(), read.inverse_binds.len()), (11, 1, 11));
    assert_eq!((read.report.up, read.report.forward, read.report.scale), (Axis::Y, Axis::Z, 1.0));
    let take = &read.takes[0];
    assert_eq!((take.name.as_str(), take.frames(), take.frame_rate), ("step", 61, 60.0));
    let turned = |frame: usize, name: &str, axis: fn(f32) -> Quat, degrees: f32| {
        let own = take.frame(frame)[read.skeleton.find(name).unwrap().index()];
        let apart = own.angle_between(axis(degrees.to_radians())).to_degrees();
        assert!(apart < 0.1, "{name} in frame {frame}: {apart} degrees off");
    };
    let x = Quat::from_rotation_x;
    (turned(0, "LeftUpLeg", x, -30.0), turned(15, "LeftUpLeg", x, 0.0), turned(10, "LeftUpLeg", x, -10.0));
    (turned(30, "LeftLeg", x, 60.0), turned(20, "LeftLeg", x, 40.0)); // normalised shorts
    (turned(29, "Spine", Quat::from_rotation_y, 0.0), turned(30, "Spine", Quat::from_rotation_y, 20.0)); // steps
    (turned(15, "RightUpLeg", x, 0.0), turned(30, "RightUpLeg", x, -30.0)); // a cubic without slopes
    let offset = |frame: usize, name: &str, expected: Vec3| {
        let joint = read.skeleton.find(name).unwrap();
        let own = take.moved.iter().find(|moved| moved.joint == joint).unwrap().offsets[frame];
        assert!(own.distance(expected) < 1e-6, "{name} in frame {frame}: {own}");
    };
    offset(30, "Head", Vec3::new(0.0, 0.41, 0.02)); // sparse
    offset(0, "Head", Vec3::new(0.0, 0.4, 0.0));
    offset(30, "Hips", Vec3::new(0.6, 0.0, 0.97)); // forward is x, up is z
    assert!(read.roles.is_ok());
}

/// A quarter of the way along a Hermite curve with slope: worked in `gltf_sampler`; here the numbers come through a file.
#[test]
fn all_kinds_of_numbers_are_read() {
    // Rotations of 90 degrees about x, as each kind: (0.7071, 0, 0, 0.7071).
    for (kind, size, one) in
        [(5126u64, 4, 0.0), (5120, 1, 127.0), (5121, 1, 255.0), (5122, 2, 32767.0), (5123, 2, 65535.0)]
    {
        let mut bytes: Vec<u8> = 0f32.to_le_bytes().to_vec();
        for number in [std::f32::consts::FRAC_1_SQRT_2, 0.0, 0.0, std::f32::consts::FRAC_1_SQRT_2] {
            match size {
                4 => bytes.extend(number.to_le_bytes()),
                2 => bytes.extend(((number * one).round() as u16).to_le_bytes()),
                _ => bytes.push((number * one).round() as u8),
            }
        }
        let document = json!({
            "nodes": [{"name": "a"}],
            "animations": [{"samplers": [{"input": 0, "output": 1}], "channels": [{"sampler": 0, "target": {"node": 0, "path": "rotation"}}]}],
            "accessors": [{"bufferView": 0, "componentType": 5126, "count": 1, "type": "SCALAR"},
                {"bufferView": 0, "byteOffset": 4, "componentType": kind, "normalized": kind != 5126, "count": 1, "type": "VEC4"}],
            "bufferViews": [{"buffer": 0, "byteLength": bytes.len()}],
            "buffers": [{"byteLength": bytes.len(), "uri": "numbers.bin"}],
        });
        let external = |uri: &str| (uri == "numbers.bin").then(|| bytes.clone());
        let read = gltf::read(
            document.to_string().as_bytes(),
            &external,
            &Options { up: Some(Axis::Z), ..Options::default() },
        );
        let rotation = read.unwrap().takes[0].rotations[0];
        // z up, facing -y: the figure is turned by 90 degrees about z.
        let expected = Quat::from_rotation_z(90f32.to_radians()) * Quat::from_rotation_x(90f32.to_radians());
        assert!(rotation.angle_between(expected).to_degrees() < 0.5, "{kind}: {rotation}");
    }
}

/// A GLB of a document whose only buffer is these bytes.
fn glb(document: &Value, binary: &[u8]) -> Vec<u8> {
    let pad = |mut bytes: Vec<u8>, with: u8| {
        while !bytes.len().is_multiple_of(4) {
            bytes.push(with);
        }
        bytes
    };
    let (text, binary) = (pad(document.to_string().into_bytes(), b' '), pad(binary.to_vec(), 0));
    let total = 12 + 8 + text.len() + 8 + binary.len();
    let mut out = b"glTF".to_vec();
    out.extend(2u32.to_le_bytes());
    out.extend((total as u32).to_le_bytes());
    for (kind, chunk) in [(b"JSON", text), (b"BIN\0", binary)] {
        out.extend((chunk.len() as u32).to_le_bytes());
        out.extend(kind);
        out.extend(chunk);
    }
    out
}

/// Writes a figure and a take: z up, which a node above all says.
fn write(skeleton: &Skeleton, take: &Take) -> Vec<u8> {
    let (mut binary, mut views, mut accessors) = (vec![], vec![], vec![]);
    let mut store = |numbers: Vec<f32>, kind: &str, width: usize| {
        views.push(json!({"buffer": 0, "byteOffset": binary.len(), "byteLength": numbers.len() * 4}));
        accessors.push(
            json!({"bufferView": views.len() - 1, "componentType": 5126, "count": numbers.len() / width, "type": kind}),
        );
        numbers.iter().for_each(|number| binary.extend(number.to_le_bytes()));
        accessors.len() - 1
    };
    let mut nodes = vec![json!({"name": "Z_UP", "rotation": [-0.5, -0.5, -0.5, 0.5], "children": [1]})];
    for id in skeleton.ids() {
        let joint = skeleton.joint(id);
        let mut node =
            json!({"name": joint.name, "translation": joint.offset.to_array(), "rotation": joint.rest.to_array()});
        let children: Vec<u16> = skeleton.children(id).map(|child| child.0 + 1).collect();
        if !children.is_empty() {
            node["children"] = json!(children);
        }
        nodes.push(node);
    }
    let times = store((0..take.frames()).map(|frame| frame as f32 / take.frame_rate).collect(), "SCALAR", 1);
    let (mut samplers, mut channels) = (vec![], vec![]);
    let mut add = |node: usize, path: &str, output: usize| {
        samplers.push(json!({"input": times, "output": output}));
        channels.push(json!({"sampler": samplers.len() - 1, "target": {"node": node, "path": path}}));
    };
    for joint in 0..take.joints {
        let rotations = (0..take.frames()).flat_map(|frame| take.frame(frame)[joint].to_array()).collect();
        add(joint + 1, "rotation", store(rotations, "VEC4", 4));
    }
    for moved in &take.moved {
        let offsets = moved.offsets.iter().flat_map(|offset| offset.to_array()).collect();
        add(moved.joint.index() + 1, "translation", store(offsets, "VEC3", 3));
    }
    let joints: Vec<usize> = (1..=skeleton.len()).collect();
    let document = json!({
        "asset": {"version": "2.0"}, "nodes": nodes, "skins": [{"joints": joints}],
        "animations": [{"name": take.name, "samplers": samplers, "channels": channels}],
        "accessors": accessors, "bufferViews": views, "buffers": [{"byteLength": binary.len()}],
    });
    glb(&document, &binary)
}

#[track_caller]
fn comes_back(name: &str, once: &Imported) {
    for take in &once.takes {
        let options = Options { frame_rate: take.frame_rate, scale: Some(1.0), ..Options::default() };
        let again = gltf::read(&write(&once.skeleton, take), &|_| None, &options)
            .unwrap_or_else(|error| panic!("{name}: {error}"));
        for (a, b) in once.skeleton.joints().iter().zip(again.skeleton.joints()) {
            assert_eq!((&a.name, a.parent), (&b.name, b.parent), "{name}");
            assert!(a.offset.distance(b.offset) < 1e-5 * (1.0 + a.offset.length()), "{name}: {a:?} {b:?}");
            assert!((a.rest - b.rest).length().min((a.rest + b.rest).length()) < 1e-5, "{name}: {a:?} {b:?}");
        }
        let other = &again.takes[0];
        assert_eq!((take.frames(), &take.name), (other.frames(), &other.name), "{name}");
        assert!((take.frame_rate - other.frame_rate).abs() < 1e-3, "{name}");
        for (a, b) in take.rotations.iter().zip(&other.rotations) {
            // Times are floats in the file, so a sample lies a millionth of a second beside its key.
            assert!((*a - *b).length().min((*a + *b).length()) < 2e-4, "{name}: {a} {b}");
        }
        let moved = |take: &Take| take.moved[0].offsets.clone();
        assert!(moved(take).iter().zip(moved(other)).all(|(a, b)| a.distance(b) < 1e-4), "{name}");
    }
}

#[test]
fn written_and_read_again_is_the_same() {
    comes_back("small", &read(SMALL.as_bytes()).unwrap());
    for path in common::files("glb").into_iter().chain(common::files("bvh").into_iter().take(3)) {
        comes_back(&path.display().to_string(), &common::load(&path));
    }
}

/// Embedded, in a chunk, in a file of its own: the same figure.
#[test]
fn buffers_may_be_anywhere() {
    let embedded = read(SMALL.as_bytes()).unwrap();
    let mut document = small();
    let uri = document["buffers"][0]["uri"].as_str().unwrap().to_string();
    let coded: Vec<u8> = uri.split_once(',').unwrap().1.bytes().filter(|byte| *byte != b'=').collect();
    let letters = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let bits: Vec<bool> = coded
        .iter()
        .flat_map(|byte| {
            let value = letters.iter().position(|letter| letter == byte).unwrap();
            (0..6).rev().map(move |bit| value >> bit & 1 == 1)
        })
        .collect();
    let binary: Vec<u8> =
        bits.chunks_exact(8).map(|bits| bits.iter().fold(0, |byte, bit| byte << 1 | u8::from(*bit))).collect();
    document["buffers"][0].as_object_mut().unwrap().remove("uri");
    assert_eq!(read(&glb(&document, &binary)).unwrap(), embedded);
    document["buffers"][0]["uri"] = json!("walk.bin");
    let external = |uri: &str| (uri == "walk.bin").then(|| binary.clone());
    let outside = gltf::read(document.to_string().as_bytes(), &external, &Options::default());
    assert_eq!(outside.unwrap(), embedded);
    let error = read(document.to_string().as_bytes()).unwrap_err().to_string();
    assert!(error.contains("buffers[0]") && error.contains("`walk.bin` was not given"), "{error}");
}

#[test]
fn what_is_wrong_is_said_with_its_place() {
    let check = |change: &dyn Fn(&mut Value), place: &str, what: &str| {
        let mut document = small();
        change(&mut document);
        let error = read(document.to_string().as_bytes()).expect_err(what);
        assert!(error.place.contains(place) && error.what.contains(what), "{place}, {what}: {error}");
    };
    check(&|d| d["nodes"][5]["children"] = json!([1]), "nodes[5].children", "is a child of node 0 too");
    check(&|d| (d["nodes"][0]["children"] = json!([]), d["nodes"][5]["children"] = json!([1])).0, "nodes", "a cycle");
    check(&|d| d["nodes"][5]["children"] = json!([99]), "nodes[5].children", "does not exist");
    check(&|d| d["nodes"][2]["rotation"] = json!([0, 0, 0, 0]), "nodes[2]", "has no direction");
    check(&|d| d["nodes"][2]["translation"] = json!([0, 1]), "nodes[2]", "list of 3 numbers");
    check(&|d| d["nodes"][2]["scale"] = json!([0, 1, 1]), "nodes[2]", "scale");
    check(&|d| d["skins"][0]["joints"] = json!([77]), "skins[0]", "does not exist");
    check(&|d| d["accessors"][0]["count"] = json!(4), "accessors[0]", "the view has 12");
    check(&|d| d["accessors"][0]["count"] = json!(1u64 << 60), "accessors[0]", "too many numbers");
    check(&|d| d["accessors"][0]["count"] = json!(-1), "accessors[0]", "whole number");
    check(&|d| d["accessors"][0]["componentType"] = json!(5130), "accessors[0]", "5130");
    check(&|d| d["accessors"][0]["bufferView"] = json!(50), "accessors[0]", "bufferView 50 does not exist");
    check(&|d| d["bufferViews"][0]["byteLength"] = json!(u64::MAX), "bufferViews[0]", "beyond the buffer");
    check(&|d| d["bufferViews"][0]["byteStride"] = json!(2), "accessors[0]", "2 apart");
    check(&|d| d["bufferViews"][0]["buffer"] = json!(3), "bufferViews[0]", "buffer 3 does not exist");
    check(&|d| d["buffers"][0]["byteLength"] = json!(1_000_000), "buffers[0]", "1000000 are said to be there");
    check(&|d| d["buffers"][0]["uri"] = json!("data:;base64,A!"), "buffers[0]", "no base64");
    check(&|d| d["animations"][0]["samplers"][1]["output"] = json!(2), "accessors[2]", "elements of 4 numbers");
    check(&|d| d["animations"][0]["samplers"][1]["input"] = json!(9999), "channels[1]", "accessor 9999 does not exist");
    check(
        &|d| d["animations"][0]["samplers"][1]["interpolation"] = json!("CUBICSPLINE"),
        "channels[1]",
        "36 are needed",
    );
    check(
        &|d| d["animations"][0]["samplers"][1]["interpolation"] = json!("WILD"),
        "channels[1]",
        "LINEAR, STEP or CUBICSPLINE",
    );
    check(
        &|d| d["animations"][0]["channels"][1]["target"]["node"] = json!(99),
        "channels[1]",
        "node 99 does not exist",
    );
    check(&|d| d["animations"][0]["channels"][1]["sampler"] = json!(99), "channels[1]", "sampler 99 does not exist");
    check(&|d| d["animations"][0]["channels"][1]["target"]["path"] = json!("twist"), "channels[1]", "twist");
    let sparse =
        small()["accessors"].as_array().unwrap().iter().position(|accessor| accessor.get("sparse").is_some()).unwrap();
    check(&|d| d["accessors"][sparse]["sparse"]["count"] = json!(9), "sparse", "9 elements are replaced");
    assert!(read(b"{").unwrap_err().to_string().contains("no JSON"));
    assert!(read(b"{}").unwrap_err().to_string().contains("no joints"));
    assert!(read(b"glTF").unwrap_err().to_string().contains("GLB header"));
    assert!(read(&[b"[".repeat(100_000), vec![]].concat()).is_err());
    // A chain of 100 000 nodes.
    let nodes: Vec<Value> = (0..100_000).map(|node| json!({"children": [node + 1]})).chain([json!({})]).collect();
    let deep = json!({"nodes": nodes, "skins": [{"joints": [0, 100_000]}]}).to_string();
    assert!(read(deep.as_bytes()).unwrap_err().to_string().contains("up to 65536"));
    let nodes: Vec<Value> = (0..50_000).map(|node| json!({"children": [node + 1]})).chain([json!({})]).collect();
    let deep = json!({"nodes": nodes, "skins": [{"joints": [0, 50_000]}]}).to_string();
    assert!(read(deep.as_bytes()).unwrap_err().to_string().contains("more than 1024 joints"));
}

/// Values that are no numbers, and times that do not rise, in the buffer itself.
#[test]
fn numbers_that_are_none_are_refused() {
    let whole = read(SMALL.as_bytes()).unwrap();
    let mut bytes = write(&whole.skeleton, &whole.takes[0]);
    let binary = bytes.windows(4).position(|window| window == b"BIN\0").unwrap() + 4;
    bytes[binary + 4..binary + 8].copy_from_slice(&f32::NAN.to_le_bytes());
    let error = read(&bytes).unwrap_err().to_string();
    assert!(error.contains("accessors[0]: element 1: NaN is no number"), "{error}");
    bytes[binary + 4..binary + 8].copy_from_slice(&9f32.to_le_bytes());
    assert!(read(&bytes).unwrap_err().to_string().contains("have to rise"));
    for end in (0..bytes.len()).step_by(7) {
        assert!(read(&bytes[..end]).is_err(), "{end}");
    }
}
