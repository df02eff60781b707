//! Names in the place: of regions and doors, each where it can be read and none on top of another.

use crate::layout::Layout;
use crate::picture::shortened;
use passerby::record::PlaceShape;
use passerby_measure::Extent;
use passerby_measure::chart::{Align, Color, Sheet, Words};

const REGION: Color = Color::hex(0x3f6391);
const DOOR: Color = Color::hex(0xa85f16);

/// More would cover the picture.
const MOST: usize = 200;

/// Writes names of regions into their upper left corners where they fit, else into their middle; those of doors beside them.
pub fn draw(sheet: &mut dyn Sheet, layout: &Layout, place: &PlaceShape) {
    let mut labels = Labels { sheet, layout, taken: Vec::new() };
    let (size, gap) = (layout.text(), 7.0 * layout.unit);
    for door in place.doors.iter().take(MOST) {
        let [from, to] = door.line.map(|end| layout.pixel(end));
        let middle = [0.5 * (from[0] + to[0]), 0.5 * (from[1] + to[1])];
        let text = shortened(&door.name);
        let upright = (from[1] - to[1]).abs() > (from[0] - to[0]).abs();
        let aside = 0.5 * labels.sheet.text_width(&text, size) + 2.0 * gap;
        let at = if upright { [middle[0] + aside, middle[1] + 0.5 * size] } else { [middle[0], middle[1] - 1.5 * gap] };
        labels.put(at, &text, DOOR);
    }
    for region in place.regions.iter().take(MOST) {
        let Some(bounds) = Extent::of(region.polygon.iter().copied()) else { continue };
        let (low, high) = (layout.pixel(bounds.low), layout.pixel(bounds.high));
        let text = shortened(&region.name);
        let width = labels.sheet.text_width(&text, size);
        let fits = width + 2.0 * gap < high[0] - low[0] && size + 2.0 * gap < low[1] - high[1];
        let at = match fits {
            true => [low[0] + gap + 0.5 * width, high[1] + gap + size],
            false => [0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1] + size)],
        };
        labels.put(at, &text, REGION);
    }
}

struct Labels<'a> {
    sheet: &'a mut dyn Sheet,
    layout: &'a Layout,
    /// Where there is text already: left, top, right, bottom.
    taken: Vec<[f32; 4]>,
}

impl Labels<'_> {
    /// Writes a name around the middle of its base line, or a little above or below; not at all where there is no room.
    fn put(&mut self, at: [f32; 2], text: &str, color: Color) {
        let size = self.layout.text();
        let half = 0.5 * self.sheet.text_width(text, size);
        let x = self.inside(at[0], half + 6.0 * self.layout.unit);
        for lines in [0.0, 1.0, -1.0, 2.0, -2.0] {
            let y = at[1] + lines * 1.7 * size;
            let (low, high) = ([x - half, y - 1.2 * size], [x + half, y + 0.4 * size]);
            let free = |[left, top, right, bottom]: &[f32; 4]| {
                high[0] < *left || low[0] > *right || high[1] < *top || low[1] > *bottom
            };
            if self.taken.iter().all(free) {
                self.taken.push([low[0] - size, low[1], high[0] + size, high[1]]); // names in a row keep apart
                return self.sheet.text([x, y], text, &Words::label(Align::Middle, size, color));
            }
        }
    }

    /// The nearest place for a middle so that all of the text is inside the place.
    fn inside(&self, x: f32, half: f32) -> f32 {
        let [left, _, right, _] = self.layout.frame;
        if right - left > 2.0 * half { x.clamp(left + half, right - half) } else { 0.5 * (left + right) }
    }
}
