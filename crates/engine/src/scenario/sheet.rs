//! Reads values out of TOML with their place in the text. Every wrong one is noted and reading goes on, so that a file's
//! problems are found all at once.

use std::cell::RefCell;
use std::ops::Range as Span;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::problem::{Problem, listed, nearest};

/// A scenario file being read: its text, where its lines begin, and what is wrong with it so far.
pub(super) struct Sheet<'a> {
    file: &'a str,
    text: &'a str,
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

    /// All problems noted.
    pub fn into_problems(self) -> Vec<Problem> {
        self.problems.into_inner()
    }

    /// Line and column of a byte of the text, counted from 1.
    pub fn position(&self, byte: usize) -> (u32, u32) {
        let line = self.line_starts.partition_point(|start| *start <= byte); // the first starts at 0: never 0
        let before = self.text.get(self.line_starts[line - 1]..byte).unwrap_or("");
        (line as u32, before.chars().count() as u32 + 1) // a text has at most 16 Mi bytes
    }

    /// A problem at a byte of the text.
    pub fn problem_at(&self, byte: usize, key: &str, what: impl Into<String>) -> Problem {
        let (line, column) = self.position(byte);
        Problem { line: Some(line), column: Some(column), key: key.to_owned(), ..Problem::of_file(self.file, what) }
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
    path: String,
    /// First byte of its header or brace; `None` for the file itself.
    start: Option<usize>,
    table: &'a DeTable<'a>,
    keys: &'static Keys,
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
        if matches!(list.value.get_ref(), DeValue::Table(_)) {
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
        self.start.map_or(0, |start| self.sheet.position(start).0)
    }

    fn path_of(&self, key: &str) -> String {
        if self.path.is_empty() { key.to_owned() } else { format!("{}.{key}", self.path) }
    }

    /// Reports the keys that are not known here: meant for later, misspelt, or in the wrong table.
    fn report_strangers(&self) {
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
            let problem = self.sheet.problem_at(stranger.key_at, &stranger.path, "unknown key");
            let problem = problem.allowed(format!("in {}: {}", self.keys.title, self.keys.known.join(", ")));
            let elsewhere = super::TABLES.iter().find(|keys| keys.known.contains(&name));
            self.report(match (nearest(name, self.keys.known.iter().copied()), elsewhere) {
                (Some(near), _) => problem.hint(format!("did you mean `{near}`?")),
                (None, Some(keys)) => problem.hint(format!("`{name}` belongs in {}", keys.title)),
                (None, None) => problem,
            });
        }
    }
}

/// A value of the file.
pub(super) struct Value<'a> {
    pub sheet: &'a Sheet<'a>,
    /// Where it is, as in `population "visitors".speed`.
    pub path: String,
    key_at: usize,
    value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Value<'a> {
    /// A finite number within a range.
    pub fn number(&self, range: &Range) -> Option<f64> {
        let number = match self.value.get_ref() {
            DeValue::Integer(integer) => {
                // Longer than 128 bits is far outside of every range.
                let negative = integer.as_str().starts_with('-');
                let far = if negative { f64::MIN } else { f64::MAX };
                i128::from_str_radix(integer.as_str(), integer.radix()).map_or(far, |whole| whole as f64)
            }
            DeValue::Float(float) => float.as_str().parse().unwrap_or(f64::NAN),
            _ => return self.wrong_type("a number"),
        };
        let problem = if number.is_nan() {
            self.problem("not a number")
        } else if number.is_infinite() {
            self.problem("not a finite number")
        } else if !range.contains(number) {
            self.problem("out of range")
        } else {
            return Some(number);
        };
        let problem = problem.allowed(range.to_string());
        self.sheet.report(match range.nearest_fix(number) {
            Some(fix) => problem.hint(format!("try {fix}")),
            None => problem,
        });
        None
    }

    /// A whole number within bounds.
    pub fn whole(&self, low: u64, high: u64) -> Option<u64> {
        let allowed = format!("a whole number from {low} to {high}");
        match self.value.get_ref() {
            DeValue::Integer(integer) => {
                let number = i128::from_str_radix(integer.as_str(), integer.radix()).ok();
                let fits = number.and_then(|n| u64::try_from(n).ok()).filter(|n| (low..=high).contains(n));
                if fits.is_none() {
                    let fix = number.map_or(high, |n| if n < i128::from(low) { low } else { high });
                    self.sheet.report(self.problem("out of range").allowed(allowed).hint(format!("try {fix}")));
                }
                fits
            }
            DeValue::Float(_) => {
                self.sheet.report(self.problem("not a whole number").allowed(allowed));
                None
            }
            _ => self.wrong_type(&allowed),
        }
    }

    /// `true` or `false`.
    pub fn flag(&self) -> Option<bool> {
        match self.value.get_ref() {
            DeValue::Boolean(flag) => Some(*flag),
            _ => self.wrong_type("true or false"),
        }
    }

    /// A string.
    pub fn text(&self) -> Option<&'a str> {
        match self.value.get_ref() {
            DeValue::String(text) => Some(text),
            _ => self.wrong_type("a string"),
        }
    }

    /// A string that can name something: one line of 1 to 100 characters.
    pub fn name(&self) -> Option<&'a str> {
        let text = self.text()?;
        let fits = (1..=100).contains(&text.chars().count()) && !text.trim().is_empty();
        if fits && !text.chars().any(char::is_control) {
            return Some(text);
        }
        let problem = self.problem("not usable as a name");
        self.sheet.report(problem.allowed("1 to 100 characters in one line, not only spaces"));
        None
    }

    /// The string if it is one, without a complaint if not.
    pub fn as_text(&self) -> Option<&'a str> {
        self.value.get_ref().as_str()
    }

    /// Which of `names` the string is. Reports a string that is none of them; `kind` is what they are, as in "region".
    pub fn one_of<'n>(&self, kind: &str, names: impl Iterator<Item = &'n str> + Clone) -> Option<usize> {
        let text = self.text()?;
        let found = names.clone().position(|name| name == text);
        if found.is_none() {
            let problem = self.problem(format!("unknown {kind}")).allowed(listed(names.clone()));
            self.sheet.report(match nearest(text, names) {
                Some(near) => problem.hint(format!("did you mean \"{near}\"?")),
                None => problem,
            });
        }
        found
    }

    /// The elements of a list.
    pub fn list(&self, expected: &str) -> Option<Vec<Value<'a>>> {
        let DeValue::Array(items) = self.value.get_ref() else { return self.wrong_type(expected) };
        let item = |(i, value): (usize, &'a Spanned<DeValue<'a>>)| Value {
            sheet: self.sheet,
            path: format!("{}[{i}]", self.path),
            key_at: value.span().start,
            value,
        };
        Some(items.iter().enumerate().map(item).collect())
    }

    /// A table; its unknown keys are reported. One of a list goes by its name, where it has one.
    pub fn table(&self, keys: &'static Keys) -> Option<Table<'a>> {
        let DeValue::Table(table) = self.value.get_ref() else { return self.wrong_type(keys.title) };
        let name = table.get("name").filter(|_| keys.known.contains(&"name")).and_then(|name| name.get_ref().as_str());
        let path = match (name, self.path.rsplit_once('[')) {
            (Some(name), Some((list, _))) => format!("{list} \"{}\"", name.chars().take(60).collect::<String>()),
            _ => self.path.clone(),
        };
        let table = Table { sheet: self.sheet, path, start: Some(self.value.span().start), table, keys };
        table.report_strangers();
        Some(table)
    }

    /// The keys of a table and their values, whatever they are called.
    pub fn entries(&self, expected: &str) -> Option<Vec<(&'a str, Value<'a>)>> {
        let DeValue::Table(table) = self.value.get_ref() else { return self.wrong_type(expected) };
        let entry = |(key, value): (&'a Spanned<toml::de::DeString<'a>>, &'a Spanned<DeValue<'a>>)| {
            let name: &str = key.get_ref();
            let path = format!("{}.{}", self.path, name.chars().take(60).collect::<String>());
            (name, Value { sheet: self.sheet, path, key_at: key.span().start, value })
        };
        Some(table.iter().map(entry).collect())
    }

    /// Whether it is a table.
    pub fn is_table(&self) -> bool {
        self.value.get_ref().is_table()
    }

    /// Whether it is a list.
    pub fn is_list(&self) -> bool {
        self.value.get_ref().is_array()
    }

    /// Whether it is a list without elements.
    pub fn is_empty_list(&self) -> bool {
        self.value.get_ref().as_array().is_some_and(|items| items.is_empty())
    }

    /// Whether it is a number.
    pub fn is_number(&self) -> bool {
        matches!(self.value.get_ref(), DeValue::Integer(_) | DeValue::Float(_))
    }

    /// A problem with this value.
    pub fn problem(&self, what: impl Into<String>) -> Problem {
        Problem { value: self.shown(), ..self.sheet.problem_at(self.value.span().start, &self.path, what) }
    }

    /// A problem with its key.
    pub fn key_problem(&self, what: impl Into<String>) -> Problem {
        self.sheet.problem_at(self.key_at, &self.path, what)
    }

    /// The problem that this is not read yet.
    pub fn later(&self) -> Problem {
        let problem = self.key_problem("not available in this version").hint("leave it out");
        Problem { value: self.shown(), ..problem }
    }

    /// Reports what was found instead of what was expected.
    pub fn wrong_type<T>(&self, expected: &str) -> Option<T> {
        let (found, hint) = match self.value.get_ref() {
            DeValue::String(text) if text.parse::<f64>().is_ok() => ("a string", Some("leave out the quotes")),
            DeValue::String(_) => ("a string", None),
            DeValue::Integer(_) | DeValue::Float(_) => ("a number", None),
            DeValue::Boolean(_) => ("a truth value", None),
            DeValue::Datetime(_) => ("a date", None),
            DeValue::Array(_) => ("a list", None),
            DeValue::Table(_) => ("a table", None),
        };
        let problem = self.problem(format!("expected {expected}, found {found}"));
        self.sheet.report(match hint {
            Some(hint) => problem.hint(hint),
            None => problem,
        });
        None
    }

    /// Line of the value, counted from 1.
    pub fn line(&self) -> u32 {
        self.sheet.position(self.value.span().start).0
    }

    /// What the file says, in one line and not too long. `None` for tables with a header: their key says where they are.
    fn shown(&self) -> Option<String> {
        const LONGEST: usize = 48;
        let Span { start, end } = self.value.span();
        let has_header = match self.value.get_ref() {
            DeValue::Table(_) => !self.sheet.text[..end].get(start..)?.starts_with('{'),
            DeValue::Array(items) => items.iter().next().is_some_and(|first| first.span().start == start),
            _ => false,
        };
        if has_header {
            return None;
        }
        // A prefix is enough: a floor may have a hundred thousand points.
        let text: String = self.sheet.text.get(start..end)?.chars().take(4 * LONGEST).collect();
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        let cut: String = line.chars().take(LONGEST).collect();
        Some(if cut.len() < line.len() { format!("{cut}...") } else { cut })
    }
}

/// The numbers a key may have, both ends included.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Range {
    pub low: f64,
    pub high: f64,
    /// With a leading space, or empty.
    pub unit: &'static str,
}

impl Range {
    pub const fn new(low: f64, high: f64, unit: &'static str) -> Range {
        Range { low, high, unit }
    }

    pub fn contains(&self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }

    /// The number that was probably meant: without its sign, or the nearer end.
    fn nearest_fix(&self, number: f64) -> Option<f64> {
        if number.is_nan() {
            None
        } else if number < 0.0 && self.contains(-number) {
            Some(-number)
        } else {
            Some(number.clamp(self.low, self.high))
        }
    }
}

impl std::fmt::Display for Range {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "from {} to {}{}", self.low, self.high, self.unit)
    }
}
