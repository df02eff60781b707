//! Who is there when: people present, entered and left over time, and how long each was there.

use passerby_record::Frame;

use crate::ById;

/// When somebody was seen.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stay {
    /// The first tick.
    pub first: u32,
    /// The last tick.
    pub last: u32,
}

/// Everybody's first and last tick, and how many were there in each frame.
#[derive(Debug, Clone, Default)]
pub struct Stays {
    stays: ById<Stay>,
    present: Vec<(u32, u32)>,
}

impl Stays {
    /// Takes in the next frame.
    pub fn see(&mut self, frame: &Frame<'_>) {
        let tick = frame.tick;
        self.stays.visit(frame, |_| Stay { first: tick, last: tick }, |_, stay| stay.last = tick);
        self.present.push((tick, frame.id.len() as u32));
    }

    /// Ticks of all frames, and how many people were there.
    pub fn present(&self) -> &[(u32, u32)] {
        &self.present
    }

    /// How many people were seen.
    pub fn people(&self) -> usize {
        self.stays.len()
    }

    /// The ticks at which people were first seen, in order: the k-th is when the k-th person had entered.
    pub fn entered(&self) -> Vec<u32> {
        let mut ticks: Vec<u32> = self.stays.iter().map(|(_, stay)| stay.first).collect();
        ticks.sort_unstable();
        ticks
    }

    /// The ticks at which people had left, in order: those of the first frame without them. Who is in the last frame has not left.
    pub fn left(&self) -> Vec<u32> {
        let mut last: Vec<u32> = self.gone().map(|stay| stay.last).collect();
        last.sort_unstable();
        let mut frames = self.present.iter().map(|(tick, _)| *tick).peekable();
        let after = |last: u32| {
            while frames.next_if(|tick| *tick <= last).is_some() {}
            frames.peek().copied()
        };
        last.into_iter().filter_map(after).collect()
    }

    /// How long those who have left were seen, in ticks, in order of id.
    pub fn durations(&self) -> impl Iterator<Item = u32> + '_ {
        self.gone().map(|stay| stay.last - stay.first)
    }

    /// Those who are not in the last frame.
    fn gone(&self) -> impl Iterator<Item = &Stay> {
        let end = self.present.last().map(|(tick, _)| *tick);
        self.stays.iter().map(|(_, stay)| stay).filter(move |stay| Some(stay.last) != end)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_enter_and_leave() {
        let mut stays = Stays::default();
        // Frames every 2 ticks. 1 is there from the beginning and leaves, 2 stays, 5 comes, is lost for a frame, and leaves.
        let frames: [&[u32]; 6] = [&[1, 2], &[1, 2, 5], &[2], &[2, 5], &[2], &[2]];
        for (n, id) in frames.into_iter().enumerate() {
            let (x, v) = (vec![0.0; id.len()], vec![0.0; id.len()]);
            stays.see(&Frame { tick: 2 * n as u32, id, x: &x, y: &x, vx: &v, vy: &v, heading: &v, bodies: &[] });
        }
        assert_eq!(stays.people(), 3);
        assert_eq!(stays.present(), [(0, 2), (2, 3), (4, 1), (6, 2), (8, 1), (10, 1)]);
        assert_eq!((stays.entered(), stays.left()), (vec![0, 0, 2], vec![4, 8]));
        assert_eq!(stays.durations().collect::<Vec<_>>(), [2, 4]);
    }
}
