//! Where things are in a picture: the place in the middle, the title above, the legend below.

use passerby_measure::Extent;
use passerby_measure::chart::View;

/// The measures of a picture, in pixels.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Layout {
    pub width: f32,
    pub height: f32,
    /// Pixels a metre.
    pub scale: f64,
    /// A thin line; all sizes are multiples of it.
    pub unit: f32,
    /// Margin on all sides.
    pub margin: f32,
    /// Where the place is: left, top, right, bottom.
    pub frame: [f32; 4],
    /// The place's lower left corner, m.
    origin: [f64; 2],
}

impl Layout {
    /// A picture of so many pixels' width; `legend_lines` of text go below the place.
    pub fn new(width: u32, bounds: &Extent, legend_lines: usize) -> Layout {
        let width = width as f32;
        let unit = unit(width);
        let margin = 44.0 * unit;
        let [place_width, place_height] = bounds.size();
        let (room, height_max) = (f64::from(width - 2.0 * margin), f64::from(1.25 * width));
        let scale = (room / place_width).min(height_max / place_height);
        let used = [place_width * scale, place_height * scale].map(|length| length as f32);
        let (left, top) = (0.5 * (width - used[0]), 112.0 * unit);
        let frame = [left, top, left + used[0], top + used[1]];
        let height = (frame[3] + (96.0 + 26.0 * legend_lines as f32) * unit).ceil();
        Layout { width, height, scale, unit, margin, frame, origin: bounds.low }
    }

    /// The pixel of a point of the place.
    pub fn pixel(&self, at: [f64; 2]) -> [f32; 2] {
        self.view().at(at)
    }

    /// How the place is seen.
    pub fn view(&self) -> View {
        let [left, _, _, bottom] = self.frame;
        View { origin: self.origin, corner: [left, bottom], scale: self.scale, unit: self.unit }
    }

    /// Height of the capitals of ordinary text: never too small to be read.
    pub fn text(&self) -> f32 {
        text(self.width)
    }
}

fn unit(width: f32) -> f32 {
    (width / 1600.0).max(0.5)
}

/// Height of the capitals of ordinary text in a picture of this width.
pub fn text(width: f32) -> f32 {
    (11.0 * unit(width)).max(7.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_keeps_its_shape_and_fits() {
        for [w, h] in [[56.0, 25.0], [2.0, 100.0], [1000.0, 1.5], [10.0, 10.0]] {
            let bounds = Extent { low: [500_000.0, -3.0], high: [500_000.0 + w, -3.0 + h] };
            for width in [600, 1600, 4000] {
                let layout = Layout::new(width, &bounds, 1);
                let (low, high) = (layout.pixel(bounds.low), layout.pixel(bounds.high));
                assert!(low[0] >= layout.margin - 0.1 && high[0] <= layout.width - layout.margin + 0.1, "{w} x {h}");
                assert!(high[1] > 0.0 && low[1] < layout.height, "{w} x {h}");
                assert!(((high[0] - low[0]) / (low[1] - high[1]) - (w / h) as f32).abs() < 0.01 * (w / h) as f32);
                assert!(layout.height < 2.0 * layout.width + 200.0, "{layout:?}");
            }
        }
    }
}
