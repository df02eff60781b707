//! One value of a scenario file with its place in the text: what it may be read as, and what is said when it cannot.

use std::ops::Range as Span;

use toml::Spanned;
use toml::de::DeValue;

use super::problem::{Problem, listed, nearest};
use super::sheet::{Keys, Sheet, Table};

/// A value of the file.
pub(super) struct Value<'a> {
    pub sheet: &'a Sheet<'a>,
    /// Where it is, as in `population "visitors".speed`.
    pub path: String,
    /// First byte of its key, or of itself in a list.
    pub key_at: usize,
    pub value: &'a Spanned<DeValue<'a>>,
}

impl<'a> Value<'a> {
    /// A number that may be infinite or none: who asks has a range of their own.
    pub fn any_number(&self) -> Option<f64> {
        match self.value.get_ref() {
            DeValue::Integer(integer) => {
                // Longer than 128 bits is far outside of every range.
                let negative = integer.as_str().starts_with('-');
                let far = if negative { f64::MIN } else { f64::MAX };
                Some(i128::from_str_radix(integer.as_str(), integer.radix()).map_or(far, |whole| whole as f64))
            }
            DeValue::Float(float) => Some(float.as_str().parse().unwrap_or(f64::NAN)),
            _ => self.wrong_type("a number"),
        }
    }

    /// A finite number within a range.
    pub fn number(&self, range: &Range) -> Option<f64> {
        let number = self.any_number()?;
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
        if found.is_none() && self.sheet.is_crowded() {
            self.sheet.report(self.problem(format!("unknown {kind}")));
        } else if found.is_none() {
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

    /// Whether it is a table with this key.
    pub fn has_key(&self, key: &str) -> bool {
        self.value.get_ref().as_table().is_some_and(|table| table.contains_key(key))
    }

    /// Whether it is a list.
    pub fn is_list(&self) -> bool {
        self.value.get_ref().is_array()
    }

    /// The first element, if it is a list and has one.
    pub fn first_of_list(&self) -> Option<Value<'a>> {
        let value = self.value.get_ref().as_array()?.first()?;
        Some(Value { sheet: self.sheet, path: format!("{}[0]", self.path), key_at: value.span().start, value })
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
        self.sheet.line(self.value.span().start)
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

impl Value<'_> {
    /// The problem that a text of rules has, at the line of the file where it stands if the text stands in the file.
    pub fn mistake(&self, mistake: &passerby_situations::Mistake, is_here: bool) -> Problem {
        let passerby_situations::Mistake { line, column, what } = mistake;
        let Span { start, end } = self.value.span();
        let quoted = self.sheet.text.get(start..end).unwrap_or_default();
        // The text of a multi-line string begins in the line after its quotes.
        let begins_below =
            ["'''\n", "\"\"\"\n", "'''\r\n", "\"\"\"\r\n"].iter().any(|quotes| quoted.starts_with(quotes));
        let place = if *line > 0 { format!("line {line}, column {column} of the rule: ") } else { String::new() };
        let problem = Problem { value: None, ..self.problem(format!("{place}{what}")) };
        if !is_here || *line == 0 {
            return problem;
        }
        let first = self.line() + u32::from(begins_below);
        let column = (quoted.contains('\n') && *column > 0).then_some(*column);
        Problem { line: Some(first + line - 1), column: column.or(problem.column), ..problem }
    }
}
