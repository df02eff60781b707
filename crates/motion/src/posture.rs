//! What people do where they stay: which clip that is, and what is played on the way from one posture to another.
//!
//! Between two postures people stand: who talks and is to sit stands first, then sits down. Sitting down and getting up are clips with
//! an end; all others go on until something else is wanted.

use crate::library::{ClipId, Library};

/// What somebody does who stays in a place.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Posture {
    /// Stands quietly.
    #[default]
    Stand,
    /// Sits, and sits down before.
    Sit,
    /// Stands and talks with a hand.
    Talk,
    /// Stands and shifts weight from one leg to the other.
    Wait,
    /// Stands and looks to both sides.
    LookAround,
}

impl Posture {
    /// All of them; the place of each is its number.
    pub const ALL: [Self; 5] = [Self::Stand, Self::Sit, Self::Talk, Self::Wait, Self::LookAround];

    /// A number for checkpoints and digests.
    pub fn number(self) -> u8 {
        self as u8
    }

    /// The posture of a number.
    pub fn from_number(number: u8) -> Option<Self> {
        Self::ALL.get(usize::from(number)).copied()
    }
}

/// Clips of postures in a library. What it has none for is standing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Postures {
    idle: ClipId,
    talk: ClipId,
    wait: ClipId,
    look_around: ClipId,
    /// Sitting down, sitting, getting up.
    seat: Option<[ClipId; 3]>,
}

impl Postures {
    /// Finds them by name.
    pub(crate) fn of(idle: ClipId, find: impl Fn(&str) -> Option<ClipId>) -> Self {
        let seat = || Some([find("sit-down")?, find("sit")?, find("stand-up")?]);
        let or_idle = |name: &str| find(name).unwrap_or(idle);
        Self { idle, talk: or_idle("talk"), wait: or_idle("wait"), look_around: or_idle("look-around"), seat: seat() }
    }

    /// Whether a clip is one of somebody who stays.
    pub(crate) fn stays(&self, clip: ClipId) -> bool {
        [self.idle, self.talk, self.wait, self.look_around].contains(&clip) || self.seated(clip)
    }

    /// Whether a clip is one of somebody who sits, sits down or gets up.
    pub(crate) fn seated(&self, clip: ClipId) -> bool {
        self.seat.is_some_and(|seat| seat.contains(&clip))
    }

    /// What is played after a clip, which may have come to its end, on the way to a posture; none if it goes on.
    pub(crate) fn next(&self, clip: ClipId, ended: bool, posture: Posture) -> Option<ClipId> {
        if let Some([down, sit, up]) = self.seat {
            if clip == down {
                return ended.then_some(sit);
            }
            if clip == up {
                return ended.then_some(self.idle);
            }
            if clip == sit {
                return (posture != Posture::Sit).then_some(up);
            }
        }
        let wanted = match posture {
            Posture::Stand => self.idle,
            Posture::Sit => self.seat.map_or(self.idle, |seat| seat[0]),
            Posture::Talk => self.talk,
            Posture::Wait => self.wait,
            Posture::LookAround => self.look_around,
        };
        (clip != wanted).then_some(if clip == self.idle { wanted } else { self.idle })
    }
}

impl Library {
    /// Whether a clip is one of somebody who stays where they are.
    pub fn stays(&self, clip: ClipId) -> bool {
        self.postures().stays(clip)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_stand_between_postures_and_get_up_from_a_seat() {
        let library = Library::built_in();
        let check = |from: &str, ended: bool, posture: Posture, expected: Option<&str>| {
            let next = library.postures().next(library.find(from).unwrap(), ended, posture);
            let name = next.map(|clip| library.clip(clip).take.name.as_str());
            assert_eq!(name, expected, "from {from} to {posture:?}");
        };
        check("idle", false, Posture::Stand, None);
        check("idle", false, Posture::Talk, Some("talk"));
        check("talk", false, Posture::Talk, None);
        check("talk", false, Posture::Sit, Some("idle"));
        check("idle", false, Posture::Sit, Some("sit-down"));
        // Who has begun to sit down sits down, whatever comes up meanwhile.
        check("sit-down", false, Posture::Stand, None);
        check("sit-down", true, Posture::Stand, Some("sit"));
        check("sit", false, Posture::Sit, None);
        check("sit", false, Posture::Wait, Some("stand-up"));
        check("stand-up", false, Posture::Sit, None);
        check("stand-up", true, Posture::Sit, Some("idle"));
        check("look-around", false, Posture::Stand, Some("idle"));
    }

    #[test]
    fn numbers_are_places() {
        for (number, posture) in (0..).zip(Posture::ALL) {
            assert_eq!((posture.number(), Posture::from_number(number)), (number, Some(posture)));
        }
        assert_eq!(Posture::from_number(5), None);
    }
}
