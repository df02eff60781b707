//! `passerby map`: what a place looks like to those who look for ways through it, in figures and pictures.

mod built;
mod parts;
mod passages;
mod picture;
pub mod place;
mod queries;
mod told;
mod way;

use crate::failure::Failure;
use crate::output;
use anyhow::{Context, anyhow};
use clap::Args;
use passerby::geometry::DVec2;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use built::Built;
use picture::{Kind, Show, Wanted};
use place::Reading;
use queries::Queries;
use way::Answer;

const EXAMPLES: &str = "\
Examples:
  passerby map plan.wkt                                  figures: cells, portals, narrowest passages, memory, times
  passerby map town.osm --fill-enclosed --out town.png   and a picture of the cells
  passerby map town.osm --show abstraction=4 --out tree.svg
  passerby map room.toml --path 1,1 18,9 --out way.svg   a way through the place of a scenario, exact and over cells
  passerby map town.osm --queries 1000 --seed 7          how long queries take, and how much longer their ways are
  passerby map drawing.dxf --scale 0.001 --layer floor=A-FLOR --save plan.pmap
  passerby map plan.pmap --width 0.8                     a saved map is a place, in scenarios too

Points are in the coordinates of the place, in metres; for places in degrees in metres from the middle.";

/// Most random queries.
const QUERIES_MAX: u32 = 1_000_000;

/// Show how a place is divided and how ways through it are found: figures, pictures, paths, queries.
#[derive(Debug, Args)]
#[command(after_help = EXAMPLES)]
pub struct Map {
    /// Place: WKT, GeoJSON, OpenStreetMap, DXF, Moving AI, JuPedSim, Vadere, a saved map, or a scenario
    place: PathBuf,
    /// How wide people are, m
    #[arg(long, value_name = "M", allow_negative_numbers = true, default_value_t = 0.5)]
    width: f64,
    /// A way to look for; may be given several times
    #[arg(long, value_names = ["X,Y", "X,Y"], num_args = 2, allow_hyphen_values = true, value_parser = point)]
    path: Vec<DVec2>,
    /// Ask for so many random ways, of the cells and of the exact planner
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=i64::from(QUERIES_MAX)))]
    queries: Option<u32>,
    /// Seed of the random ways
    #[arg(long, value_name = "S", default_value_t = 1)]
    seed: u64,
    /// Picture to write
    #[arg(long, value_name = "FILE.{svg,png}")]
    out: Option<PathBuf>,
    /// What the picture shows: map, cells, graph, or abstraction=N, N levels below the root
    #[arg(long, value_name = "WHAT", default_value = "cells", value_parser = Show::parse)]
    show: Show,
    /// Width of the picture in pixels
    #[arg(long, value_name = "W", default_value_t = 1600, value_parser = clap::value_parser!(u32).range(600..=8000))]
    size: u32,
    /// Write the place as a map file that scenarios and this command read
    #[arg(long, value_name = "FILE.pmap")]
    save: Option<PathBuf>,
    /// Print JSON, or write it to a file with --json=FILE
    #[arg(long, value_name = "FILE|-", num_args = 0..=1, require_equals = true, default_missing_value = "-")]
    json: Option<PathBuf>,
    /// Say nothing
    #[arg(short, long)]
    quiet: bool,
    // Last, for its heading goes on to all that follows.
    #[command(flatten)]
    reading: Reading,
}

impl Map {
    /// Does it.
    pub fn run(&self) -> Result<ExitCode, Failure> {
        self.check()?;
        let place = self.reading.read(&self.place)?;
        let built = Built::new(place, self.width)?;
        let answers: Vec<Answer> =
            self.path.chunks_exact(2).map(|ends| way::find(&built, [ends[0], ends[1]])).collect();
        let queries = self.queries.map(|count| Queries::ask(&built, count, self.seed)).transpose()?;
        let mut written = Vec::new();
        if let Some(out) = &self.out {
            let kind = if ending(out) == "svg" { Kind::Svg } else { Kind::Png };
            let bytes = picture::draw(&built, &answers, &Wanted { show: self.show, width: self.size, kind })?;
            fs::write(out, bytes).with_context(|| format!("{} cannot be written", out.display()))?;
            written.push(out);
        }
        if let Some(save) = &self.save {
            fs::write(save, built.saved()).with_context(|| format!("{} cannot be written", save.display()))?;
            written.push(save);
        }
        if let Some(json) = &self.json {
            let value = told::json(&built, &answers, queries.as_ref());
            output::put(json, &(serde_json::to_string_pretty(&value).context("result as JSON")? + "\n"))?;
        }
        if !self.quiet && self.json.as_deref() != Some(Path::new("-")) {
            let files: String = written.iter().map(|path| format!("{} written\n", path.display())).collect();
            output::print(&(told::text(&built, &answers, queries.as_ref()) + files.as_str()))?;
        }
        // All that was asked for is printed and written before: one missing way does not take the other answers away.
        let none = answers.iter().filter_map(Answer::failure);
        let failures: Vec<String> = none.chain(queries.and_then(|queries| queries.disagreement(&built))).collect();
        if failures.is_empty() { Ok(ExitCode::SUCCESS) } else { Err(Failure::Failed(anyhow!(failures.join("\n")))) }
    }

    fn check(&self) -> Result<(), Failure> {
        if !(0.0..=100.0).contains(&self.width) {
            return Err(Failure::input(format!("--width {}: not a width\n    allowed: 0 to 100 m", self.width)));
        }
        if let Some(out) = &self.out {
            output::refuse(out, "--out", &[&self.place])?;
            if !matches!(&*ending(out), "svg" | "png") {
                let message = format!(
                    "--out {}: cannot tell what to draw\n    allowed: files that end in .svg or .png",
                    out.display()
                );
                return Err(Failure::input(message));
            }
        }
        if let Some(save) = &self.save {
            output::refuse(save, "--save", &[&self.place])?;
            if ending(save) != "pmap" {
                let message = format!(
                    "--save {}: map files end in .pmap, or nobody would read them\n    hint: --save {}",
                    save.display(),
                    save.with_extension("pmap").display()
                );
                return Err(Failure::input(message));
            }
        }
        if let Some(json) = self.json.as_ref().filter(|json| **json != Path::new("-")) {
            output::refuse(json, "--json", &[&self.place])?;
        }
        Ok(())
    }
}

fn ending(path: &Path) -> String {
    path.extension().map_or_else(String::new, |ending| ending.to_string_lossy().to_lowercase())
}

/// `X,Y`.
fn point(text: &str) -> Result<DVec2, String> {
    match &place::numbers(text)?[..] {
        [x, y] => Ok(DVec2::new(*x, *y)),
        _ => Err("allowed: a point in metres, such as 10.5,-4".to_owned()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_are_read() {
        assert_eq!(point("10.5,-4"), Ok(DVec2::new(10.5, -4.0)));
        assert_eq!(point("-1e3, 2"), Ok(DVec2::new(-1000.0, 2.0)));
        for wrong in ["", "1", "1,2,3", "1,x", "nan,1", "1,inf", "1e300,0", "1,,2"] {
            assert!(point(wrong).is_err(), "{wrong}");
        }
    }
}
