//! Lists the files of the viewer's bundle, if `cargo xtask viewer` has made one, so that they become part of the program.

use std::fmt::Write;
use std::path::Path;
use std::{env, fs};

fn main() {
    let root = env::var("CARGO_MANIFEST_DIR").expect("cargo says where the crate is");
    let bundle = Path::new(&root).join("bundle");
    println!("cargo::rerun-if-changed=bundle");
    let files = fs::read_dir(&bundle).into_iter().flatten();
    let mut names: Vec<String> = files.filter_map(|file| file.ok()?.file_name().into_string().ok()).collect();
    names.retain(|name| name != "README.md");
    names.sort();
    let mut text = "/// Names and bytes of the bundle's files.\nconst BUNDLE: &[(&str, &[u8])] = &[\n".to_owned();
    for name in names {
        let _ = writeln!(text, "    ({name:?}, include_bytes!({:?})),", bundle.join(&name));
    }
    text.push_str("];\n");
    let out = env::var("OUT_DIR").expect("cargo says where to write");
    fs::write(Path::new(&out).join("bundle.rs"), text).expect("the list can be written");
}
