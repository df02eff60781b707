//! Where things are in a picture: the place in the middle, the title above, the legend below.

use passerby::record::PlaceShape;

/// The smallest rectangle around points.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Bounds {
    pub low: [f64; 2],
    pub high: [f64; 2],
}

impl Bounds {
    /// Around all of them; none if there are none.
    pub fn of(points: impl IntoIterator<Item = [f64; 2]>) -> Option<Bounds> {
        points.into_iter().map(|point| Bounds { low: point, high: point }).reduce(|a, b| Bounds {
            low: [a.low[0].min(b.low[0]), a.low[1].min(b.low[1])],
            high: [a.high[0].max(b.high[0]), a.high[1].max(b.high[1])],
        })
    }

    /// Around the floor.
    pub fn of_place(place: &PlaceShape) -> Option<Bounds> {
        Bounds::of(place.areas.iter().flatten().flatten().copied())
    }

    /// Width and height, m; a single point gets a metre.
    pub fn size(&self) -> [f64; 2] {
        [0, 1].map(|axis| (self.high[axis] - self.low[axis]).max(1.0))
    }
}

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
    pub fn new(width: u32, bounds: &Bounds, legend_lines: usize) -> Layout {
        let width = width as f32;
        let unit = (width / 1600.0).max(0.4);
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
        let x = (at[0] - self.origin[0]) * self.scale;
        let y = (at[1] - self.origin[1]) * self.scale;
        [self.frame[0] + x as f32, self.frame[3] - y as f32]
    }

    /// Height of the capitals of ordinary text.
    pub fn text(&self) -> f32 {
        11.0 * self.unit
    }
}

/// The round number (1, 2 or 5 with zeros) nearest below `value`, which is positive.
pub fn round_below(value: f64) -> f64 {
    let power = 10f64.powf(value.log10().floor());
    [5.0, 2.0, 1.0].into_iter().map(|digit| digit * power).find(|round| *round <= value * (1.0 + 1e-9)).unwrap_or(power)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn place_keeps_its_shape_and_fits() {
        for [w, h] in [[56.0, 25.0], [2.0, 100.0], [1000.0, 1.5], [10.0, 10.0]] {
            let bounds = Bounds { low: [500_000.0, -3.0], high: [500_000.0 + w, -3.0 + h] };
            for width in [200, 1600, 4000] {
                let layout = Layout::new(width, &bounds, 1);
                let (low, high) = (layout.pixel(bounds.low), layout.pixel(bounds.high));
                assert!(low[0] >= layout.margin - 0.1 && high[0] <= layout.width - layout.margin + 0.1, "{w} x {h}");
                assert!(high[1] > 0.0 && low[1] < layout.height, "{w} x {h}");
                assert!(((high[0] - low[0]) / (low[1] - high[1]) - (w / h) as f32).abs() < 0.01 * (w / h) as f32);
                assert!(layout.height < 2.0 * layout.width + 200.0, "{layout:?}");
            }
        }
    }

    #[test]
    fn round_numbers() {
        for (value, round) in
            [(1.0, 1.0), (1.9, 1.0), (4.0, 2.0), (9.3, 5.0), (10.0, 10.0), (0.07, 0.05), (730.0, 500.0)]
        {
            assert!((round_below(value) - round).abs() < 1e-9, "{value}");
        }
    }
}
