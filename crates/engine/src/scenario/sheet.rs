//! A scenario file being read: its tables, and the problems found. Every wrong value is noted and reading goes on, so that
//! a file's problems are found all at once.

use std::cell::RefCell;

use toml::de::DeTable;

use super::problem::{Problem, nearest};
use super::value::{Range, Value};

/// A scenario file being read: its text, where its lines begin, and what is wrong with it so far.
pub(super) struct Sheet<'a> {
    file: &'a str,
    pub text: &'a str,
    line_starts: Vec<usize>,
    problems: RefCell<Vec<Problem>>,
}

impl<'a> Sheet<'a> {
    pub fn new(file: &'a str, text: &'a str) -> Sheet<'a> {
        let after_breaks = text.bytes().enumerate().filter(|(_, byte)| *byte == b'\n').map(|(i, _)| i + 1);
        let line_starts = std::iter::once(0).chain(after_breaks).collect();
        Sheet { file, text, line_starts, problems: RefCell::default() }
    }

    /// Notes a problem.
    pub fn report(&self, problem: Problem) {
        self.problems.borrow_mut().push(problem);
    }

    /// Whether so many problems are noted that no more suggestions need to be looked up: a file of a million wrong names
    /// is not worth comparing each with all others.
    pub fn is_crowded(&self) -> bool {
        self.problems.borrow().len() >= 1000
    }

    /// All problems noted.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems.into_inner()
    }

    /// Line of a byte of the text, counted from 1.
    pub fn line(&self, byte: usize) -> u32 {
        self.line_starts.partition_point(|start| *start <= byte) as u32 // the first starts at 0: never 0
    }

    /// A problem at a byte of the text. Columns are no longer counted in a crowd: a line may have a million characters.
    pub fn problem_at(&self, byte: usize, key: &str, what: impl Into<String>) -> Problem {
        let line = self.line(byte);
        let before = self.text.get(self.line_starts[line as usize - 1]..byte);
        let column = before.filter(|_| !self.is_crowded()).map(|before| before.chars().count() as u32 + 1);
        Problem { line: Some(line), column, key: key.to_owned(), ..Problem::of_file(self.file, what) }
    }

    /// The file's topmost table; its unknown keys are reported.
    pub fn root(&'a self, table: &'a DeTable<'a>, keys: &'static Keys) -> Table<'a> {
        let root = Table { sheet: self, path: String::new(), start: None, table, keys };
        root.report_strangers();
        root
    }
}

/// The keys of one kind of table.
pub(super) struct Keys {
    /// Its name in the JSON schema's `$defs`.
    pub name: &'static str,
    /// How a message calls it.
    pub title: &'static str,
    /// What it may hold.
    pub known: &'static [&'static str],
    /// What the file format reserves and this version does not read.
    pub later: &'static [&'static str],
}

/// A table of the file.
pub(super) struct Table<'a> {
    pub sheet: &'a Sheet<'a>,
    pub path: String,
    /// First byte of its header or brace; `None` for the file itself.
    pub start: Option<usize>,
    pub table: &'a DeTable<'a>,
    pub keys: &'static Keys,
}

impl<'a> Table<'a> {
    /// The value of a key.
    pub fn get(&self, key: &'static str) -> Option<Value<'a>> {
        debug_assert!(self.keys.known.contains(&key), "{key} is not listed in {}", self.keys.name);
        let (found, value) = self.table.get_key_value(key)?;
        Some(Value { sheet: self.sheet, path: self.path_of(key), key_at: found.span().start, value })
    }

    /// The value of a key that must be there.
    pub fn require(&self, key: &'static str, hint: &str) -> Option<Value<'a>> {
        let found = self.get(key);
        if found.is_none() {
            self.report(self.problem(format!("`{key}` is missing")).hint(hint));
        }
        found
    }

    /// Those of `keys` that are there.
    pub fn present(&self, keys: &[&'static str]) -> Vec<&'static str> {
        keys.iter().copied().filter(|key| self.table.contains_key(*key)).collect()
    }

    /// The single one of several alternatives that must be there.
    pub fn exactly_one(&self, keys: &[&'static str], hint: &str) -> Option<&'static str> {
        let choice = keys.iter().map(|key| format!("`{key}`")).collect::<Vec<_>>().join(", ");
        match self.present(keys)[..] {
            [one] => Some(one),
            [] => {
                self.report(self.problem(format!("one of {choice} is missing")).hint(hint));
                None
            }
            [first, second, ..] => {
                if let Some(value) = self.get(second) {
                    let what = format!("cannot stand beside `{first}`");
                    self.report(value.problem(what).allowed(format!("one of {choice}")));
                }
                Some(first)
            }
        }
    }

    /// A number, or the default where there is none or a wrong one.
    pub fn number_or(&self, key: &'static str, range: &Range, default: f64) -> f64 {
        self.get(key).and_then(|value| value.number(range)).unwrap_or(default)
    }

    /// A whole number, or the default where there is none or a wrong one.
    pub fn whole_or(&self, key: &'static str, low: u64, high: u64, default: u64) -> u64 {
        self.get(key).and_then(|value| value.whole(low, high)).unwrap_or(default)
    }

    /// A truth value, or the default where there is none or a wrong one.
    pub fn flag_or(&self, key: &'static str, default: bool) -> bool {
        self.get(key).and_then(|value| value.flag()).unwrap_or(default)
    }

    /// The tables of a list of tables; none where the key is absent.
    pub fn tables(&self, key: &'static str, keys: &'static Keys) -> Vec<Table<'a>> {
        let Some(list) = self.get(key) else { return Vec::new() };
        if list.is_table() {
            let what = "expected a list of tables, found one table".to_owned();
            self.report(list.problem(what).hint(format!("write [[{0}]] instead of [{0}]", list.path)));
            return list.table(keys).into_iter().collect();
        }
        list.list("a list of tables").into_iter().flatten().filter_map(|item| item.table(keys)).collect()
    }

    /// A problem of the table itself.
    pub fn problem(&self, what: impl Into<String>) -> Problem {
        match self.start {
            Some(start) => self.sheet.problem_at(start, &self.path, what),
            None => Problem::of_file(self.sheet.file, what),
        }
    }

    /// Notes a problem.
    pub fn report(&self, problem: Problem) {
        self.sheet.report(problem);
    }

    /// Line of the table, counted from 1; 0 for the file itself.
    pub fn line(&self) -> u32 {
        self.start.map_or(0, |start| self.sheet.line(start))
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Reports the keys that are not known here: meant for later, misspelt, or in the wrong table.
    pub fn report_strangers(&self) {
        for (key, value) in self.table.iter() {
            let name: &str = key.get_ref();
            if self.keys.known.contains(&name) {
                continue;
            }
            let shown: String = name.chars().take(60).collect();
            let stranger = Value { sheet: self.sheet, path: self.path_of(&shown), key_at: key.span().start, value };
            if self.keys.later.contains(&name) {
                self.report(stranger.later());
                continue;
            }
            let problem = stranger.key_problem("unknown key");
            if self.sheet.is_crowded() {
                self.report(problem);
                continue;
            }
            let problem = problem.allowed(format!("in {}: {}", self.keys.title, self.keys.known.join(", ")));
            let elsewhere = super::read::TABLES.iter().find(|keys| keys.known.contains(&name));
            self.report(match (nearest(name, self.keys.known.iter().copied()), elsewhere) {
                (Some(near), _) => problem.hint(format!("did you mean `{near}`?")),
                (None, Some(keys)) => problem.hint(format!("`{name}` belongs in {}", keys.title)),
                (None, None) => problem,
            });
        }
    }
}
