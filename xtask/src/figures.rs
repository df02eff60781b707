//! `cargo xtask figures`: every picture of `docs/`, made by running `passerby` itself.

use std::cell::Cell;
use std::fs::{self, File};
use std::io::{BufReader, BufWriter};
use std::path::Path;
use std::process::ExitCode;

use crate::command::{cargo, root};

/// One picture: `docs/images/<file>.png`.
struct Figure {
    file: &'static str,
    /// The scene it shows: of `scenarios/`, or the first one on a page of `docs/`.
    scene: &'static str,
    /// Who walks there; `None`: as the scene says.
    model: Option<&'static str>,
    /// What `passerby render` is told besides.
    render: &'static [&'static str],
}

/// A page is slow to load with larger ones, bytes.
const BYTES_MAX: u64 = 400_000;

const SMALL: &[&str] = &["--size", "600"];
/// Four seconds in which the two streams meet.
const MEETING: &[&str] = &["--size", "1000", "--color", "population", "--from", "24", "--to-time", "28"];

const FIGURES: &[Figure] = &[
    Figure { file: "demo", scene: "demo", model: None, render: &["--size", "1400"] },
    Figure { file: "room", scene: "room", model: None, render: &["--size", "1000", "--color", "speed"] },
    Figure { file: "corner", scene: "corner", model: None, render: &["--size", "800"] },
    Figure { file: "groups", scene: "groups", model: None, render: &["--size", "1000", "--color", "population"] },
    Figure { file: "theatre", scene: "theatre", model: None, render: &["--size", "860"] },
    Figure { file: "street", scene: "street", model: None, render: &["--size", "1200"] },
    Figure { file: "widths", scene: "routes.md", model: None, render: &["--size", "800", "--color", "population"] },
];

/// A chart: `docs/images/<file>.png`.
struct Chart {
    file: &'static str,
    /// The scene of `scenarios/` that is measured.
    scene: &'static str,
    /// What `passerby plot` is told besides.
    plot: &'static [&'static str],
}

const CHARTS: &[Chart] = &[
    Chart { file: "plot-trajectories", scene: "corner", plot: &["--what", "trajectories"] },
    Chart { file: "plot-occupancy", scene: "room", plot: &["--what", "occupancy"] },
    Chart { file: "plot-speed", scene: "room", plot: &["--what", "speed"] },
    Chart { file: "plot-egress", scene: "room", plot: &["--what", "egress"] },
    Chart {
        file: "plot-flow",
        scene: "bottleneck",
        plot: &["--what", "flow", "--line", "entrance=8,2.4,8,3.6", "--line", "exit=12,2.4,12,3.6"],
    },
    Chart { file: "plot-histograms", scene: "room", plot: &["--what", "histograms"] },
    Chart { file: "measure-density", scene: "room", plot: &["--what", "density"] },
    Chart { file: "measure-service", scene: "room", plot: &["--what", "service"] },
    Chart { file: "measure-last", scene: "room", plot: &["--what", "last"] },
    Chart { file: "measure-encounters", scene: "crossing", plot: &["--what", "encounters"] },
    Chart {
        file: "measure-diagram",
        scene: "bottleneck",
        plot: &[
            "--what",
            "diagram",
            "--area",
            "before the neck=5,1,8,1,8,5,5,5",
            "--area",
            "in the neck=8,2.4,12,2.4,12,3.6,8,3.6",
        ],
    },
];

/// A map: `docs/images/<file>.png`.
struct MapFigure {
    file: &'static str,
    /// The scene of `scenarios/` whose place is shown.
    scene: &'static str,
    /// What `passerby map` is told besides.
    map: &'static [&'static str],
}

const MAPS: &[MapFigure] = &[
    MapFigure { file: "map-cells", scene: "demo", map: &["--show", "cells", "--path", "3,20", "53,3"] },
    MapFigure { file: "map-tree", scene: "demo", map: &["--show", "abstraction=7"] },
];

/// A decision: `docs/images/<file>.png`.
struct Decision {
    file: &'static str,
    /// The scene of `scenarios/`, and who walks there.
    scene: &'static str,
    model: &'static str,
    /// Whose decision, and when.
    explain: [&'static str; 2],
}

const DECISIONS: &[Decision] = &[
    Decision { file: "explain-orca", scene: "crossing", model: "orca", explain: ["10", "16"] },
    Decision { file: "explain-paris", scene: "crossing", model: "paris", explain: ["30", "13"] },
    Decision { file: "explain-rvo", scene: "crossing", model: "rvo", explain: ["10", "14"] },
    Decision { file: "explain-lamarche", scene: "crossing", model: "lamarche", explain: ["20", "16"] },
];

/// The scene that all models walk through side by side: `docs/images/compare.png`.
const SIDE_BY_SIDE: &str = "crossing";

/// The film on a page: it takes ffmpeg.
const FILM: (&str, &str, &[&str]) =
    ("film", "corridor", &["--size", "700", "--speed", "8", "--fps", "6", "--to-time", "60"]);

/// The page of `passerby view`, photographed in a browser: `docs/images/<name>.png`.
const VIEWS: &[&str] = &["viewer", "viewer-why"];

/// Sheets of figures: `docs/images/<name>.png`, and what `passerby motion` is told besides.
const SHEETS: &[(&str, &[&str])] = &[
    ("bodies-people", &["--seed", "3"]),
    ("bodies-walk", &["--clip", "walk-1.35"]),
    ("bodies-sit", &["--clip", "sit-down"]),
];

const MODELS: &[&str] = &[
    "straight",
    "headway",
    "orca",
    "helbing-1995",
    "helbing-2000",
    "rvo",
    "lamarche",
    "paris",
    "reynolds",
    "tangent",
    "vision",
];
/// Scenes that are drawn once for each model.
const COMPARED: &[(&str, &[&str])] = &[("head-on", SMALL), ("circle", SMALL), ("corridor", MEETING)];

/// Draws all pictures, or those whose names begin with one of these, or says which one could not be drawn.
pub fn run(names: &[String]) -> ExitCode {
    let folder = std::env::temp_dir().join(format!("passerby-figures-{}", std::process::id()));
    let found = Cell::new(false);
    let wanted = |file: &str| {
        let wanted = names.is_empty() || names.iter().any(|name| file.starts_with(name.as_str()));
        found.set(found.get() || wanted);
        wanted
    };
    let done = draw_all(&folder, &wanted).and_then(|()| {
        found.get().then_some(()).ok_or_else(|| format!("no picture's name begins with {}", names.join(" or ")))
    });
    let _ = fs::remove_dir_all(&folder); // what is left in a temporary folder harms nobody
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(problem) => {
            eprintln!("{problem}");
            ExitCode::FAILURE
        }
    }
}

fn draw_all(folder: &Path, wanted: &dyn Fn(&str) -> bool) -> Result<(), String> {
    let images = root().join("docs/images");
    for path in [folder, &images] {
        fs::create_dir_all(path).map_err(|error| format!("{}: {error}", path.display()))?;
    }
    for figure in FIGURES.iter().filter(|figure| wanted(figure.file)) {
        draw(figure, figure.file, folder, &images)?;
    }
    for (scene, render) in COMPARED {
        for model in MODELS.iter().filter(|model| wanted(&format!("{scene}-{model}"))) {
            let figure = Figure { file: "", scene, model: Some(model), render };
            draw(&figure, &format!("{scene}-{model}"), folder, &images)?;
        }
    }
    for chart in CHARTS.iter().filter(|chart| wanted(chart.file)) {
        let name = chart.file;
        let recording = record(&scene(chart.scene)?, folder)?;
        let picture = images.join(name).with_extension("png");
        let plot = ["plot", &recording, "--to", &shown(&picture), "--size", "800", "--quiet"];
        passerby(&[&plot[..], chart.plot].concat())?;
        check_size(name, &picture, shrink(&picture).map_err(|error| format!("{}: {error}", picture.display()))?)?;
    }
    if wanted("measure-boxes") {
        boxes(folder, &images)?;
    }
    if wanted("compare") {
        side_by_side(&images)?;
    }
    for decision in DECISIONS.iter().filter(|decision| wanted(decision.file)) {
        explain(decision, folder, &images)?;
    }
    for map in MAPS.iter().filter(|map| wanted(map.file)) {
        let picture = images.join(map.file).with_extension("png");
        let place = shown(&root().join(format!("scenarios/{}.toml", map.scene)));
        passerby(&[&["map", &place, "--out", &shown(&picture), "--size", "800", "--quiet"], map.map].concat())?;
        check_size(map.file, &picture, shrink(&picture).map_err(|error| format!("{}: {error}", picture.display()))?)?;
    }
    for (name, motion) in SHEETS.iter().filter(|(name, _)| wanted(name)) {
        let picture = images.join(name).with_extension("png");
        passerby(&[&["motion", "--sheet", &shown(&picture), "--quiet"], *motion].concat())?;
        check_size(name, &picture, shrink(&picture).map_err(|error| format!("{}: {error}", picture.display()))?)?;
    }
    if VIEWS.iter().any(|name| wanted(name)) {
        crate::viewer::pictures(&images)?;
        for name in VIEWS {
            let picture = images.join(name).with_extension("png");
            check_size(name, &picture, shrink(&picture).map_err(|error| format!("{}: {error}", picture.display()))?)?;
        }
    }
    let (name, film_scene, render) = FILM;
    if !wanted(name) {
        return Ok(());
    }
    let recording = record(&scene(film_scene)?, folder)?;
    let film = images.join(name).with_extension("gif");
    passerby(&[&["render", &recording, "--to", &shown(&film), "--quiet"], render].concat())?;
    check_size(name, &film, fs::metadata(&film).map_err(|error| error.to_string())?.len())
}

/// The spread of a scene over thirty seeds.
fn boxes(folder: &Path, images: &Path) -> Result<(), String> {
    let (scenario, result) = (root().join("scenarios/room.toml"), folder.join("runs.json"));
    passerby(&["run", &shown(&scenario), "--runs", "30", "--json", &shown(&result), "--quiet"])?;
    let picture = images.join("measure-boxes.png");
    passerby(&["plot", &shown(&result), "--what", "boxes", "--to", &shown(&picture), "--size", "800", "--quiet"])?;
    check_size("boxes", &picture, shrink(&picture).map_err(|error| format!("{}: {error}", picture.display()))?)
}

/// Everybody's way with every model.
fn side_by_side(images: &Path) -> Result<(), String> {
    let (scenario, picture) = (root().join(format!("scenarios/{SIDE_BY_SIDE}.toml")), images.join("compare.png"));
    passerby(&["compare", &shown(&scenario), "--picture", &shown(&picture), "--size", "1000", "--quiet"])?;
    check_size("compare", &picture, shrink(&picture).map_err(|error| format!("{}: {error}", picture.display()))?)
}

/// Why somebody chooses what they choose.
fn explain(decision: &Decision, folder: &Path, images: &Path) -> Result<(), String> {
    let recording = record(&with_model(&scene(decision.scene)?, decision.model), folder)?;
    let picture = images.join(decision.file).with_extension("png");
    let [who, when] = decision.explain;
    let plot = ["plot", &recording, "--explain", who, "--at", when, "--out", &shown(&picture), "--size", "1000"];
    passerby(&[&plot[..], &["--quiet"]].concat())?;
    check_size(decision.file, &picture, shrink(&picture).map_err(|error| format!("{}: {error}", picture.display()))?)
}

/// Runs a scene; the path of its recording.
fn record(text: &str, folder: &Path) -> Result<String, String> {
    let (scenario, recording) = (folder.join("scene.toml"), folder.join("scene.parquet"));
    fs::write(&scenario, text).map_err(|error| format!("{}: {error}", scenario.display()))?;
    passerby(&["run", &shown(&scenario), "--out", &shown(&recording), "--quiet"])?;
    Ok(shown(&recording))
}

fn check_size(name: &str, picture: &Path, bytes: u64) -> Result<(), String> {
    let file = picture.file_name().map_or_else(String::new, |file| file.to_string_lossy().into_owned());
    println!("docs/images/{file}: {} kB", bytes / 1000);
    if bytes > BYTES_MAX {
        return Err(format!("{name} has {bytes} bytes, more than {BYTES_MAX}: draw it smaller"));
    }
    Ok(())
}

/// Runs the scene, draws its recording as `images/<name>.png` and looks how large that is.
fn draw(figure: &Figure, name: &str, folder: &Path, images: &Path) -> Result<(), String> {
    let mut text = scene(figure.scene)?;
    if let Some(model) = figure.model {
        text = with_model(&text, model);
    }
    let recording = record(&text, folder)?;
    let picture = images.join(name).with_extension("png");
    let render = ["render", &recording, "--to", &shown(&picture), "--quiet"];
    passerby(&[&render[..], figure.render].concat())?;
    check_size(name, &picture, shrink(&picture).map_err(|error| format!("{}: {error}", picture.display()))?)
}

/// The text of a scene.
fn scene(name: &str) -> Result<String, String> {
    let on_page = name.ends_with(".md");
    let path = if on_page { root().join("docs").join(name) } else { root().join(format!("scenarios/{name}.toml")) };
    let text = fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
    if !on_page {
        return Ok(text);
    }
    let block = text.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next());
    block.map(str::to_owned).ok_or_else(|| format!("{}: there is no scenario on it", path.display()))
}

/// Rounds colours to 32 steps a channel, which nobody sees and which halves the file. Returns its bytes.
fn shrink(picture: &Path) -> Result<u64, Box<dyn std::error::Error>> {
    let mut reader = png::Decoder::new(BufReader::new(File::open(picture)?)).read_info()?;
    let mut pixels = vec![0; reader.output_buffer_size().ok_or("too large")?];
    let info = reader.next_frame(&mut pixels)?;
    let samples = match (info.color_type, info.bit_depth) {
        (png::ColorType::Rgba, png::BitDepth::Eight) => 4,
        (png::ColorType::Rgb, png::BitDepth::Eight) => 3,
        _ => return Err("neither what `passerby render` draws nor what a browser does".into()),
    };
    let colours: Vec<u8> = pixels.chunks_exact(samples).flat_map(|pixel| &pixel[..3]).map(|value| value | 7).collect();
    let mut encoder = png::Encoder::new(BufWriter::new(File::create(picture)?), info.width, info.height);
    encoder.set_color(png::ColorType::Rgb);
    encoder.set_compression(png::Compression::High);
    encoder.write_header()?.write_image_data(&colours)?;
    Ok(fs::metadata(picture)?.len())
}

/// A scenario's text with this model for everybody.
fn with_model(text: &str, model: &str) -> String {
    let kept = text.lines().filter(|line| !line.starts_with("model ="));
    let changed = kept.map(|line| match line {
        "[[population]]" => format!("{line}\nmodel = \"{model}\"\n"),
        other => format!("{other}\n"),
    });
    changed.collect()
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// Runs the program as users do: built with all optimisation.
fn passerby(arguments: &[&str]) -> Result<(), String> {
    let start = ["run", "--release", "--quiet", "--package", "passerby-cli", "--"];
    match cargo(&[&start[..], arguments].concat()).status() {
        Ok(status) if status.success() => Ok(()),
        Ok(status) => Err(format!("`passerby {}`: {status}", arguments.join(" "))),
        Err(error) => Err(format!("cargo cannot be started: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everybody_gets_the_model() {
        let text = "[[population]]\nmodel = { orca = {} }\ncount = 1\n[[population]]\ncount = 2\n";
        let expected = "[[population]]\nmodel = \"x\"\ncount = 1\n[[population]]\nmodel = \"x\"\ncount = 2\n";
        assert_eq!(with_model(text, "x"), expected);
    }
}
