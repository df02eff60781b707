//! Processor time of this thread: what others do on the same cores does not count.

use std::time::Instant;

/// Seconds that this thread has spent on a processor, or has been alive where the system does not tell.
///
/// Linux brings the figure up to date at every scheduler tick, so time stretches of a tenth of a second and more.
pub fn seconds() -> f64 {
    thread_local!(static START: Instant = Instant::now());
    let spent = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = spent.and_then(|text| text.split(' ').next()?.parse::<f64>().ok());
    nanoseconds.map_or_else(|| START.with(|start| start.elapsed().as_secs_f64()), |ns| 1e-9 * ns)
}

/// The middle value, or the mean of the two in the middle.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { 0.5 * (values[half - 1] + values[half]) }
}
