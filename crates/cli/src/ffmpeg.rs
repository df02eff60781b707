//! The program `ffmpeg`, which packs frames into films: started here, fed with raw frames, its complaints kept.

use crate::failure::Failure;
use anyhow::anyhow;
use std::io::{BufRead, BufReader, ErrorKind, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::thread::JoinHandle;

/// A kind of film.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// H.264 in MP4: small, plays everywhere.
    Mp4,
    /// GIF: plays in a README.
    Gif,
}

/// Lines of complaints that are told.
const LINES: usize = 5;

/// Size and rate of the frames that go in.
#[derive(Debug, Clone, Copy)]
pub struct Frames {
    pub pixels: [u32; 2],
    pub fps: f64,
}

impl Frames {
    fn input(&self) -> Vec<String> {
        let [width, height] = self.pixels;
        let (size, fps) = (format!("{width}x{height}"), self.fps.to_string());
        let words = ["-hide_banner", "-loglevel", "error", "-y", "-f", "rawvideo", "-pix_fmt", "rgba", "-s", &size];
        [&words[..], &["-r", &fps, "-i", "pipe:0"]].concat().into_iter().map(str::to_owned).collect()
    }

    /// Arguments that pack frames into a film.
    pub fn film(&self, kind: Kind, palette: &Path, to: &Path) -> Vec<String> {
        let (palette, to) = (palette.to_string_lossy(), to.to_string_lossy());
        let rest: &[&str] = match kind {
            // What every browser plays. No version of the encoder in the file: same frames, same bytes.
            Kind::Mp4 => &[
                "-an",
                "-c:v",
                "libx264",
                "-preset",
                "veryfast",
                "-crf",
                "20",
                "-pix_fmt",
                "yuv420p",
                "-movflags",
                "+faststart",
                "-fflags",
                "+bitexact",
                "-flags:v",
                "+bitexact",
                "-f",
                "mp4",
            ],
            Kind::Gif => &["-i", &palette, "-lavfi", "paletteuse=dither=none:diff_mode=rectangle", "-f", "gif"],
        };
        let rest = rest.iter().map(|word| (*word).to_owned());
        self.input().into_iter().chain(rest).chain([to.into_owned()]).collect()
    }

    /// Arguments that find the 256 colours which suit all frames best.
    pub fn palette(&self, to: &Path) -> Vec<String> {
        let to = to.to_string_lossy();
        let rest =
            ["-vf", "palettegen=stats_mode=full", "-frames:v", "1", "-update", "1", "-f", "image2", "-c:v", "png", &to];
        self.input().into_iter().chain(rest.map(str::to_owned)).collect()
    }
}

/// A running ffmpeg that takes frames.
#[derive(Debug)]
pub struct Encoder {
    child: Child,
    frames: Option<ChildStdin>,
    complaints: Option<JoinHandle<Vec<String>>>,
}

impl Encoder {
    /// Starts it.
    pub fn start(program: &Path, arguments: &[String]) -> Result<Encoder, Failure> {
        let mut command = Command::new(program);
        command.args(arguments).stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
        #[cfg(unix)]
        {
            use std::os::unix::process::CommandExt;
            command.process_group(0); // Ctrl-C is for us: we end it and clean up
        }
        let mut child = command.spawn().map_err(|error| match error.kind() {
            ErrorKind::NotFound | ErrorKind::PermissionDenied => Failure::input(format!(
                "{}: cannot be started ({error}); films need ffmpeg\n    hint: install it (Debian, Ubuntu: apt install \
                 ffmpeg; macOS: brew install ffmpeg; Windows: winget install ffmpeg), or say where it is with --ffmpeg PATH",
                program.display()
            )),
            _ => anyhow!("{} cannot be started: {error}", program.display()).into(),
        })?;
        let frames = child.stdin.take();
        // Read while it runs, or it would wait for us when the pipe is full.
        let complaints =
            child.stderr.take().map(|stderr| std::thread::spawn(move || last_lines(BufReader::new(stderr))));
        Ok(Encoder { child, frames, complaints })
    }

    /// Hands it a frame. `false`: it takes no more, and [`Encoder::finish`] says why.
    pub fn frame(&mut self, bytes: &[u8]) -> bool {
        self.frames.as_mut().is_some_and(|frames| frames.write_all(bytes).is_ok())
    }

    /// Waits until it has written its file.
    pub fn finish(mut self) -> Result<(), Failure> {
        drop(self.frames.take());
        let end = self.child.wait();
        let complaints = self.complaints.take().and_then(|lines| lines.join().ok()).unwrap_or_default();
        let told = if complaints.is_empty() { "it says nothing".to_owned() } else { complaints.join("\n    ") };
        match end {
            Ok(status) if status.success() => Ok(()),
            Ok(status) => Err(anyhow!("ffmpeg failed ({status}):\n    {told}").into()),
            Err(error) => Err(anyhow!("ffmpeg cannot be waited for: {error}").into()),
        }
    }
}

impl Drop for Encoder {
    /// Whoever gives up leaves no program behind. After [`Encoder::finish`] there is nothing to end.
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn last_lines(lines: impl BufRead) -> Vec<String> {
    let mut last: Vec<String> = Vec::new();
    for line in lines.split(b'\n').map_while(Result::ok) {
        let line = String::from_utf8_lossy(&line).trim_end().chars().take(300).collect::<String>();
        if !line.is_empty() {
            last.push(line);
        }
        if last.len() > LINES {
            last.remove(0);
        }
    }
    last
}
