//! Memory that the system has given to this program, where `/proc` tells.

/// Bytes that are in memory now.
pub fn resident() -> Option<u64> {
    status("VmRSS:")
}

/// The most bytes that were in memory at once, since [`forget_peak`] where that works.
pub fn peak() -> Option<u64> {
    status("VmHWM:")
}

/// Begins a new peak.
pub fn forget_peak() {
    let _ = std::fs::write("/proc/self/clear_refs", "5"); // where it is not allowed the peak is that of the whole run
}

fn status(key: &str) -> Option<u64> {
    let text = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix(key))?;
    let kilobytes: u64 = line.trim().strip_suffix("kB")?.trim().parse().ok()?;
    Some(1024 * kilobytes)
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_seen() {
        let before = resident().expect("Linux tells");
        let held = std::hint::black_box(vec![1u8; 64 << 20]);
        let grown = peak().expect("Linux tells").saturating_sub(before);
        assert!(grown >= 60 << 20, "{grown} bytes");
        drop(held);
    }
}
