//! What is fuzzed, and what it begins with: small files that are right, files of `../shared/data` where they
//! are, and the words of each format.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::command::root;

/// Longest input, bytes: real plans fit, and thousands can be tried each second.
pub const INPUT_MAX: u64 = 128 << 10;

/// One reader of files: `fuzz/targets/NAME.rs`.
pub struct Target {
    /// What it is called.
    pub name: &'static str,
    /// How its files end.
    extension: &'static str,
    /// Words of the format that chance alone would not find soon.
    words: &'static str,
}

/// All of them.
pub const ALL: &[Target] = &[
    Target { name: "wkt", extension: "wkt", words: "POLYGON MULTIPOLYGON GEOMETRYCOLLECTION EMPTY Z ZM M (( )) ),(" },
    Target {
        name: "geojson",
        extension: "geojson",
        words: "Feature FeatureCollection GeometryCollection LineString MultiLineString MultiPoint MultiPolygon Point Polygon \
                coordinates features geometries geometry properties kind name type crs scale door floor obstacle region wall \
                building CRS84 urn:ogc:def:crs:EPSG::4326 [[ ]] ],[",
    },
    Target {
        name: "osm",
        extension: "osm",
        words: "<bounds <member <nd <node <relation <tag <way </relation> </way> building inner outer location underground \
                multipolygon roof minlat= ref= role= /> k= v= id= lat= lon=",
    },
    Target {
        name: "dxf",
        extension: "dxf",
        words: "$INSUNITS ARC CIRCLE ENDSEC ENTITIES EOF HEADER LINE LWPOLYLINE POLYLINE SECTION SEQEND VERTEX VIEWPORT INSERT \
                SPLINE ELLIPSE doors exits floor obstacles regions walls",
    },
    Target { name: "moving_ai", extension: "map", words: "type octile height width map ..... @@@@@ TTTTT SSWWW" },
    Target {
        name: "jupedsim",
        extension: "xml",
        words: "<crossing <obstacle <polygon> </polygon> <room <subroom <transition <vertex <wall caption= class= stair unit= cm \
                mm id= px= py= room1_id= subroom2_id= />",
    },
    Target {
        name: "vadere",
        extension: "scenario",
        words: "CIRCLE POLYGON RECTANGLE absorbingAreas attributes bounded boundingBoxWidth bounds center dynamicElements height \
                measurementAreas obstacles points radius scenario shape source sources stairs target targetChangers targets \
                teleporter topography type width",
    },
    Target { name: "picture", extension: "txt", words: "0 1 587 -0.5 1e2 0.0001" },
    Target {
        name: "bvh",
        extension: "bvh",
        words: "HIERARCHY ROOT JOINT OFFSET CHANNELS End Site MOTION Frames: Frame Time: Xposition Yposition Zposition Xrotation \
                Yrotation Zrotation Hips LeftUpLeg RightLeg LeftFoot { }",
    },
    Target {
        name: "gltf",
        extension: "gltf",
        words: "accessors animations bufferViews buffers nodes skins samplers channels sampler target path rotation translation scale \
                weights matrix children joints inverseBindMatrices input output interpolation LINEAR STEP CUBICSPLINE SCALAR VEC3 \
                VEC4 MAT4 5120 5121 5122 5123 5125 5126 normalized sparse indices values count byteOffset byteLength byteStride \
                componentType uri data:;base64, glTF BIN",
    },
];

/// Numbers that are no lengths, or hardly.
const NUMBERS: &str = "NaN inf -1 1e300 -1e9 1e-300 0.0001 99999999999999999999 4294967296";

/// Fills the folder with what a target begins with.
pub fn seed(target: &Target, folder: &Path) -> io::Result<()> {
    fs::create_dir_all(folder)?;
    let mut found = Vec::new();
    for small in ["crates/navigation/tests/small", "crates/motion/tests/small"] {
        files(&root().join(small), target.extension, &mut found)?;
    }
    for shared in ["../shared/data/environments", "../shared/data/mocap"].map(|folder| root().join(folder)) {
        if shared.is_dir() {
            files(&shared, target.extension, &mut found)?;
        }
    }
    for (number, file) in found.iter().enumerate() {
        fs::copy(file, folder.join(format!("{number}.{}", target.extension)))?;
    }
    Ok(())
}

/// The target's words, as the fuzzer wants them.
pub fn dictionary(target: &Target) -> String {
    let words = target.words.split_whitespace().chain(NUMBERS.split_whitespace());
    words.map(|word| format!("\"{word}\"\n")).collect()
}

/// Adds the files in this folder and below that end like this and can be an input.
fn files(folder: &Path, extension: &str, found: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        if path.is_dir() {
            files(&path, extension, found)?;
        } else if path.extension().is_some_and(|end| end == extension) && path.metadata()?.len() <= INPUT_MAX {
            found.push(path);
        }
    }
    found.sort();
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every target has its program, every program its target, and each begins with a file that is right.
    #[test]
    fn every_target_has_a_program_and_a_small_file() {
        let mut programs = Vec::new();
        files(&root().join("fuzz/targets"), "rs", &mut programs).unwrap();
        let mut programs: Vec<_> = programs.iter().map(|path| path.file_stem().unwrap().to_str().unwrap()).collect();
        let mut names: Vec<&str> = ALL.iter().map(|target| target.name).collect();
        (programs.sort_unstable(), names.sort_unstable());
        assert_eq!(programs, names);
        let folder = std::env::temp_dir().join(format!("passerby-seeds-{}", std::process::id()));
        for target in ALL {
            seed(target, &folder.join(target.name)).unwrap();
            assert!(folder.join(target.name).join(format!("0.{}", target.extension)).exists(), "{}", target.name);
        }
        fs::remove_dir_all(folder).unwrap();
    }

    /// A quote or a backslash in a word would have to be escaped.
    #[test]
    fn words_are_plain() {
        for target in ALL {
            assert!(!target.words.contains(['"', '\\']), "{}", target.name);
        }
    }
}
