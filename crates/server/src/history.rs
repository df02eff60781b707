//! What was painted into a run, so that it can be undone and done again.
//!
//! Nothing is taken out of a run's past: undoing is something else that happens, and so is doing it again.

use crate::edits::Deed;

/// Deeds that can be undone.
const UNDO_MAX: usize = 200;

/// What was done, and what of it was undone.
#[derive(Debug, Default)]
pub(crate) struct History {
    done: Vec<Deed>,
    undone: Vec<Deed>,
}

impl History {
    /// Something new was done; what had been undone cannot be done again any more.
    pub(crate) fn did(&mut self, deed: Deed) {
        self.undone.clear();
        self.keep(deed);
    }

    /// What makes the last deed undone: events without their time.
    pub(crate) fn undoing(&self) -> Option<&[String]> {
        let (last, before) = self.done.split_last()?;
        // Who was sent somewhere twice goes to where they were sent first.
        let again = before.iter().rev().find(|deed| deed.sends.is_some() && deed.sends == last.sends);
        Some(again.map_or(&last.undoes, |deed| &deed.does))
    }

    /// The last deed is undone.
    pub(crate) fn undid(&mut self) {
        self.undone.extend(self.done.pop());
    }

    /// What does the deed again that was undone last.
    pub(crate) fn redoing(&self) -> Option<&[String]> {
        self.undone.last().map(|deed| deed.does.as_slice())
    }

    /// It is done again.
    pub(crate) fn redid(&mut self) {
        if let Some(deed) = self.undone.pop() {
            self.keep(deed);
        }
    }

    /// What would be undone and what done again, in words.
    pub(crate) fn labels(&self) -> [Option<&str>; 2] {
        [&self.done, &self.undone].map(|deeds| deeds.last().map(|deed| deed.label.as_str()))
    }

    fn keep(&mut self, deed: Deed) {
        self.done.push(deed);
        if self.done.len() > UNDO_MAX {
            self.done.remove(0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn deed(name: &str, sends: Option<&str>) -> Deed {
        Deed {
            label: name.to_owned(),
            does: vec![format!("do {name}")],
            undoes: vec![format!("undo {name}")],
            sends: sends.map(str::to_owned),
            ..Deed::default()
        }
    }

    #[test]
    fn what_was_done_last_is_undone_first() {
        let mut history = History::default();
        assert_eq!((history.undoing(), history.redoing()), (None, None));
        history.did(deed("a", None));
        history.did(deed("b", None));
        assert_eq!(history.undoing(), Some(&["undo b".to_owned()][..]));
        history.undid();
        assert_eq!(history.undoing(), Some(&["undo a".to_owned()][..]));
        assert_eq!(history.redoing(), Some(&["do b".to_owned()][..]));
        history.redid();
        assert_eq!(history.labels(), [Some("b"), None]);
        history.undid();
        history.did(deed("c", None));
        assert_eq!(history.labels(), [Some("c"), None]);
    }

    #[test]
    fn who_was_sent_twice_goes_to_where_they_were_sent_first() {
        let mut history = History::default();
        history.did(deed("one", Some("4")));
        history.did(deed("other", Some("5")));
        history.did(deed("two", Some("4")));
        assert_eq!(history.undoing(), Some(&["do one".to_owned()][..]));
        history.undid();
        assert_eq!(history.undoing(), Some(&["undo other".to_owned()][..]));
    }
}
