//! What is wrong with a scenario: every problem with its place in the file, what is allowed and the nearest fix.

use std::fmt;

/// One thing that is wrong in a scenario file.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Problem {
    /// The file, as the caller named it.
    pub file: String,
    /// Line, counted from 1; `None` where the problem is that something is missing from the whole file.
    pub line: Option<u32>,
    /// Column in characters, counted from 1.
    pub column: Option<u32>,
    /// Where in the file's tables, as in `population "visitors".speed.min` or `place.obstacles[2][0]` (counted from 0).
    /// Empty for the file as a whole.
    pub key: String,
    /// What the file says there.
    pub value: Option<String>,
    /// What is wrong with it.
    pub what: String,
    /// What would be right.
    pub allowed: Option<String>,
    /// The nearest fix.
    pub hint: Option<String>,
}

impl Problem {
    /// A problem of a whole file.
    pub fn of_file(file: &str, what: impl Into<String>) -> Problem {
        Problem { file: file.to_owned(), what: what.into(), ..Problem::default() }
    }

    /// The same problem with what would be right.
    pub fn allowed(self, allowed: impl Into<String>) -> Problem {
        Problem { allowed: Some(allowed.into()), ..self }
    }

    /// The same problem with the nearest fix.
    pub fn hint(self, hint: impl Into<String>) -> Problem {
        Problem { hint: Some(hint.into()), ..self }
    }
}

/// `room.toml:14:9: population "visitors".speed = -1.3: out of range`, then what is allowed and the hint, a line each.
impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.file)?;
        if let Some(line) = self.line {
            write!(f, ":{line}")?;
            if let Some(column) = self.column {
                write!(f, ":{column}")?;
            }
        }
        write!(f, ": ")?;
        match (self.key.is_empty(), &self.value) {
            (true, _) => {}
            (false, None) => write!(f, "{}: ", self.key)?,
            (false, Some(value)) => write!(f, "{} = {value}: ", self.key)?,
        }
        write!(f, "{}", self.what)?;
        if let Some(allowed) = &self.allowed {
            write!(f, "\n    allowed: {allowed}")?;
        }
        if let Some(hint) = &self.hint {
            write!(f, "\n    hint: {hint}")?;
        }
        Ok(())
    }
}

/// All problems of a scenario, in order of their lines; those of the whole file come first. Never empty.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problems(pub Vec<Problem>);

impl Problems {
    /// More than these are counted, not listed.
    const LISTED: usize = 100;

    /// Sorts by line and column, and cuts a list nobody would read to the end.
    pub(super) fn sorted(mut list: Vec<Problem>) -> Problems {
        list.sort_by_key(|problem| (problem.line, problem.column)); // stable: as found where both agree
        let more = list.len().saturating_sub(Self::LISTED);
        list.truncate(Self::LISTED);
        if let (true, Some(last)) = (more > 0, list.last()) {
            let note = format!("{more} more problems are not listed");
            list.push(Problem { line: last.line, ..Problem::of_file(&last.file, note) });
        }
        Problems(list)
    }
}

impl fmt::Display for Problems {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (i, problem) in self.0.iter().enumerate() {
            if i > 0 {
                writeln!(f)?;
            }
            write!(f, "{problem}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Problems {}

/// The known name that looks most like `name`, if one is close enough to be meant. Ties: the first.
pub(super) fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wanted: Vec<char> = name.to_lowercase().chars().take(64).collect();
    let (distance, best) = known
        .into_iter()
        .map(|candidate| (edits(&wanted, &candidate.to_lowercase().chars().take(64).collect::<Vec<_>>()), candidate))
        .min_by_key(|(distance, _)| *distance)?;
    (distance <= (wanted.len().max(best.chars().count()) / 3).max(1)).then_some(best)
}

/// Edits from one word to the other: insert, delete, replace a letter, or swap two adjacent ones.
fn edits(a: &[char], b: &[char]) -> usize {
    let mut rows = vec![vec![0; b.len() + 1]; a.len() + 1];
    for i in 0..=a.len() {
        for j in 0..=b.len() {
            rows[i][j] = if i == 0 || j == 0 {
                i + j
            } else {
                let replaced = rows[i - 1][j - 1] + usize::from(a[i - 1] != b[j - 1]);
                let least = replaced.min(rows[i - 1][j] + 1).min(rows[i][j - 1] + 1);
                let swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
                if swapped { least.min(rows[i - 2][j - 2] + 1) } else { least }
            };
        }
    }
    rows[a.len()][b.len()]
}

/// `"a"`, `"a" or "b"`, `"a", "b" or "c"`: at most a dozen.
pub(super) fn listed<'a>(names: impl IntoIterator<Item = &'a str>) -> String {
    const MOST: usize = 12;
    let mut names = names.into_iter();
    let mut quoted: Vec<String> = names.by_ref().take(MOST).map(|name| format!("\"{name}\"")).collect();
    let more = names.count();
    if more > 0 {
        return format!("{} and {more} more", quoted.join(", "));
    }
    match quoted.pop() {
        None => "none".to_owned(),
        Some(last) if quoted.is_empty() => last,
        Some(last) => format!("{} or {last}", quoted.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(name: &str, expected: Option<&str>) {
        assert_eq!(nearest(name, ["speed", "radius", "neighbours", "at"]), expected, "{name}");
    }

    #[test]
    fn nearest_name_is_the_one_meant() {
        check("sped", Some("speed"));
        check("psede", None);
        check("Speed", Some("speed"));
        check("neighbors", Some("neighbours"));
        check("raduis", Some("radius"));
        check("ta", Some("at"));
        check("weather", None);
        check("", None);
        assert_eq!(nearest("x", []), None);
    }

    #[test]
    fn edits_counts_a_swap_once() {
        let word = |text: &str| text.chars().collect::<Vec<_>>();
        assert_eq!(edits(&word("ab"), &word("ba")), 1);
        assert_eq!(edits(&word("kitten"), &word("sitting")), 3);
        assert_eq!(edits(&word(""), &word("abc")), 3);
    }

    #[test]
    fn names_are_listed_as_a_sentence() {
        assert_eq!(listed([]), "none");
        assert_eq!(listed(["a"]), "\"a\"");
        assert_eq!(listed(["a", "b", "c"]), "\"a\", \"b\" or \"c\"");
    }

    #[test]
    fn a_problem_reads_from_place_to_fix() {
        let problem = Problem {
            line: Some(14),
            column: Some(9),
            key: "population \"visitors\".speed".into(),
            value: Some("-1.3".into()),
            ..Problem::of_file("room.toml", "out of range")
        };
        let shown = problem.allowed("from 0.01 to 10 m/s").hint("try 1.3").to_string();
        let expected = "room.toml:14:9: population \"visitors\".speed = -1.3: out of range\n    allowed: from 0.01 to 10 m/s\n    hint: try 1.3";
        assert_eq!(shown, expected);
    }

    #[test]
    fn a_long_list_is_cut() {
        let many = (0..150).map(|i| Problem { line: Some(150 - i), ..Problem::of_file("a", "wrong") }).collect();
        let Problems(list) = Problems::sorted(many);
        assert_eq!(list.len(), 101);
        assert_eq!(list[0].line, Some(1));
        assert_eq!(list[100].what, "50 more problems are not listed");
    }
}
