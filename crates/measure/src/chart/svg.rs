//! A sheet of SVG text: lines stay lines and words stay words, to be edited and searched.

use std::fmt::Write;

use super::path::{Path, Point};
use super::sheet::{Align, Color, Pen, Sheet, Words};

/// Height of a capital through the size of its font, in most fonts without serifs.
const CAPITAL: f32 = 0.72;

/// An SVG picture that grows.
#[derive(Debug, Clone)]
pub struct Svg {
    size: [f32; 2],
    body: String,
    clips: usize,
    clipped: bool,
}

impl Svg {
    /// A sheet of one colour.
    pub fn new(size: [f32; 2], background: Color) -> Svg {
        let mut svg = Svg { size, body: String::new(), clips: 0, clipped: false };
        svg.rectangle([0.0, 0.0, size[0], size[1]], background);
        svg
    }

    /// The file.
    pub fn finish(mut self) -> String {
        self.unclip();
        let [width, height] = self.size.map(number);
        format!(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" \
             height=\"{height}\" viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\">\n{}</svg>\n",
            self.body
        )
    }

    fn add(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = self.body.write_fmt(element); // a String takes everything
    }
}

impl Sheet for Svg {
    fn size(&self) -> [f32; 2] {
        self.size
    }

    fn fill(&mut self, path: &Path, color: Color) {
        let paint = paint("fill", color);
        self.add(format_args!("<path d=\"{}\"{paint} fill-rule=\"evenodd\"/>\n", data(path)));
    }

    fn stroke(&mut self, path: &Path, pen: &Pen) {
        let (paint, width) = (paint("stroke", pen.color), number(pen.width));
        let dash = pen.dash.map_or(String::new(), |dash| format!(" stroke-dasharray=\"{}\"", number(dash)));
        let data = data(path);
        self.add(format_args!(
            "<path d=\"{data}\" fill=\"none\"{paint} stroke-width=\"{width}\"{dash} stroke-linejoin=\"round\"/>\n"
        ));
    }

    fn disc(&mut self, at: Point, radius: f32, color: Color) {
        let ([x, y], radius) = (at.map(number), number(radius));
        self.add(format_args!("<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\"{}/>\n", paint("fill", color)));
    }

    fn text(&mut self, at: Point, text: &str, words: &Words) {
        let [x, y] = at.map(number);
        let anchor = match words.align {
            Align::Left => "",
            Align::Middle => " text-anchor=\"middle\"",
            Align::Right => " text-anchor=\"end\"",
        };
        let turn = if words.upward { format!(" transform=\"rotate(-90 {x} {y})\"") } else { String::new() };
        let halo = match words.halo {
            true => {
                let width = number(0.5 * words.size);
                format!(
                    " stroke=\"#ffffff\" stroke-opacity=\"0.75\" stroke-width=\"{width}\" paint-order=\"stroke\" stroke-linejoin=\"round\""
                )
            }
            false => String::new(),
        };
        let (size, paint, text) = (number(words.size / CAPITAL), paint("fill", words.color), escaped(text));
        self.add(format_args!(
            "<text x=\"{x}\" y=\"{y}\" font-size=\"{size}\"{anchor}{turn}{halo}{paint}>{text}</text>\n"
        ));
    }

    /// Which font will be used is not known: widths of a broad one.
    fn text_width(&self, text: &str, size: f32) -> f32 {
        let letter = |c: char| match c {
            'i' | 'j' | 'l' | '.' | ',' | ':' | ';' | '\'' | '|' | '!' | ' ' => 0.34,
            'f' | 't' | 'r' | '(' | ')' | '[' | ']' | '-' | '/' => 0.42,
            'm' | 'w' | 'M' | 'W' | '@' | '%' => 0.98,
            'A'..='Z' => 0.74,
            _ => 0.64,
        };
        text.chars().map(letter).sum::<f32>() * size / CAPITAL
    }

    fn cells(&mut self, [left, top, right, bottom]: [f32; 4], columns: usize, colors: &[Option<Color>]) {
        let rows = colors.len() / columns.max(1);
        let (wide, high) = ((right - left) / columns.max(1) as f32, (bottom - top) / rows.max(1) as f32);
        // Without blurred edges, or the ground would show between cells.
        self.body.push_str("<g shape-rendering=\"crispEdges\">\n");
        for (row, colors) in colors.chunks(columns.max(1)).enumerate() {
            let mut column = 0;
            // Neighbours of one colour are one rectangle.
            for equal in colors.chunk_by(|a, b| a == b) {
                if let Some(color) = equal[0] {
                    let (x, y) = (left + column as f32 * wide, bottom - (row + 1) as f32 * high);
                    let [x, y, width, height] = [x, y, equal.len() as f32 * wide, high].map(number);
                    let paint = paint("fill", color);
                    self.add(format_args!(
                        "<rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"{paint}/>\n"
                    ));
                }
                column += equal.len();
            }
        }
        self.body.push_str("</g>\n");
    }

    fn clip(&mut self, [left, top, right, bottom]: [f32; 4]) {
        self.unclip();
        self.clips += 1;
        let (n, [x, y, width, height]) = (self.clips, [left, top, right - left, bottom - top].map(number));
        self.add(format_args!(
            "<clipPath id=\"clip{n}\"><rect x=\"{x}\" y=\"{y}\" width=\"{width}\" height=\"{height}\"/></clipPath>\n\
             <g clip-path=\"url(#clip{n})\">\n"
        ));
        self.clipped = true;
    }

    fn unclip(&mut self) {
        if std::mem::take(&mut self.clipped) {
            self.body.push_str("</g>\n");
        }
    }
}

fn data(path: &Path) -> String {
    let mut data = String::new();
    for (point, starts) in path.points() {
        if *starts && path.closed() && !data.is_empty() {
            data.push('Z');
        }
        let [x, y] = point.map(number);
        let _ = write!(data, "{}{x} {y}", if *starts { 'M' } else { 'L' });
    }
    if path.closed() && !data.is_empty() {
        data.push('Z');
    }
    data
}

fn paint(kind: &str, color: Color) -> String {
    let [red, green, blue] = color.rgb;
    let opacity =
        if color.alpha < 1.0 { format!(" {kind}-opacity=\"{}\"", number(color.alpha)) } else { String::new() };
    format!(" {kind}=\"#{red:02x}{green:02x}{blue:02x}\"{opacity}")
}

/// A number to the hundredth, as short as it can be written.
fn number(value: f32) -> String {
    if !value.is_finite() {
        return "0".to_owned();
    }
    let text = format!("{value:.2}");
    let text = text.trim_end_matches('0').trim_end_matches('.');
    if text == "-0" { "0".to_owned() } else { text.to_owned() }
}

/// Words of anybody as XML: marks are written out, characters that XML forbids are left out.
fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '\u{fffe}' | '\u{ffff}' => {}
            c if c.is_control() => {}
            c => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn everything_is_well_formed() {
        let mut svg = Svg::new([100.0, 50.0], Color::hex(0xffffff));
        svg.line([0.0, 0.0], [10.0, 1.0 / 3.0], &Pen { dash: Some(2.0), ..Pen::new(Color::hex(0x102030), 1.5) });
        svg.disc([f32::NAN, 5.0], 1.0, Color::hex(0xff0000).with_alpha(0.5));
        svg.clip([0.0, 0.0, 10.0, 10.0]);
        svg.clip([1.0, 0.0, 10.0, 10.0]);
        let green = Some(Color::hex(0x00ff00));
        svg.cells([0.0, 0.0, 9.0, 6.0], 3, &[green, green, None, None, green, Some(Color::hex(0))]);
        let words = Words { upward: true, ..Words::label(Align::Middle, 7.2, Color::hex(0)) };
        svg.text([50.0, 20.0], "a < b & \"c\" > \u{7}\u{0}Büro \u{fffe}", &words);
        let text = svg.finish();
        let document = roxmltree::Document::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        let named = |name: &'static str| document.descendants().filter(move |node| node.has_tag_name(name));
        let words = named("text").next().unwrap();
        assert_eq!((words.text(), words.attribute("font-size")), (Some("a < b & \"c\" > Büro "), Some("10")));
        assert_eq!(document.root_element().attribute("viewBox"), Some("0 0 100 50"));
        let cells: Vec<_> = named("g").flat_map(|g| g.children()).filter(|node| node.has_tag_name("rect")).collect();
        let shape = |i: usize| ["x", "y", "width", "height"].map(|name| cells[i].attribute(name).unwrap());
        assert_eq!(cells.len(), 3);
        assert_eq!((shape(0), shape(1), shape(2)), (["0", "3", "6", "3"], ["3", "0", "3", "3"], ["6", "0", "3", "3"]));
        assert!(text.contains("d=\"M0 0L10 0.33\""), "{text}");
    }
}
