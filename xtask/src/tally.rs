//! How many tests passed, failed and were skipped.

/// Numbers of tests.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Tally {
    pub passed: u32,
    pub failed: u32,
    pub skipped: u32,
}

impl Tally {
    /// Adds the summary that a test harness prints; any other line means nothing.
    pub fn read(&mut self, line: &str) {
        let nextest = line.trim_start().starts_with("Summary [") && line.contains("run:");
        // Nextest shows the output of a failed test indented: its `test result:` is already in the summary.
        if !nextest && !line.starts_with("test result:") {
            return;
        }
        let words: Vec<&str> = line.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2) {
            let Ok(number) = pair[0].parse::<u32>() else { continue };
            match pair[1] {
                "passed" => self.passed += number,
                "failed" | "timed" | "exec" => self.failed += number, // "2 timed out", "1 exec failed"
                "skipped" | "ignored" => self.skipped += number,
                _ => {}
            }
        }
    }

    /// Adds another tally.
    pub fn add(&mut self, other: Tally) {
        self.passed += other.passed;
        self.failed += other.failed;
        self.skipped += other.skipped;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn check(line: &str, passed: u32, failed: u32, skipped: u32) {
        let mut tally = Tally::default();
        tally.read(line);
        assert_eq!(tally, Tally { passed, failed, skipped }, "{line}");
    }

    #[test]
    fn summaries_are_read() {
        check("     Summary [   0.012s] 4 tests run: 3 passed (1 slow), 1 failed, 2 skipped", 3, 1, 2);
        check("     Summary [   1.500s] 1 test run: 1 passed, 0 skipped", 1, 0, 0);
        check("     Summary [  90.000s] 3 tests run: 1 passed, 2 timed out, 0 skipped", 1, 2, 0);
        check("     Summary [  90.000s] 3 tests run: 2 passed, 1 exec failed, 5 skipped", 2, 1, 5);
        check(
            "test result: FAILED. 3 passed; 1 failed; 2 ignored; 0 measured; 7 filtered out; finished in 0.02s",
            3,
            1,
            2,
        );
        check("test summaries_are_read ... ok", 0, 0, 0);
        check("    test result: FAILED. 0 passed; 1 failed; 0 ignored; 0 measured; 8 filtered out", 0, 0, 0);
        check("I saw 3 passed", 0, 0, 0);
    }
}
