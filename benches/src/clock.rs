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

/// Seconds that all threads of this program have spent on processors, of those that are still alive.
pub fn seconds_of_all() -> f64 {
    let tasks = std::fs::read_dir("/proc/self/task").into_iter().flatten().flatten();
    let texts = tasks.filter_map(|task| std::fs::read_to_string(task.path().join("schedstat")).ok());
    let spent: f64 = texts.filter_map(|text| text.split(' ').next()?.parse::<f64>().ok()).sum();
    if spent > 0.0 { 1e-9 * spent } else { seconds() }
}

/// How far apart the values are: the largest less the smallest, as a share of the middle one.
pub fn spread(values: &[f64]) -> f64 {
    let (low, high) = values.iter().fold((f64::INFINITY, 0.0f64), |(low, high), v| (low.min(*v), high.max(*v)));
    (high - low) / median(&mut values.to_vec())
}

/// The middle value, or the mean of the two in the middle.
pub fn median(values: &mut [f64]) -> f64 {
    values.sort_by(f64::total_cmp);
    let half = values.len() / 2;
    if values.len() % 2 == 1 { values[half] } else { 0.5 * (values[half - 1] + values[half]) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_middle_and_how_far_apart() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.5);
        assert_eq!(spread(&[2.0, 1.0, 4.0]), 1.5);
    }

    /// Work of another thread is in the time of all, and not in this one's.
    #[test]
    fn all_threads_count() {
        let (own, all) = (seconds(), seconds_of_all());
        let (until, done) = (std::sync::mpsc::channel::<()>(), std::sync::mpsc::channel());
        std::thread::spawn(move || {
            let begun = seconds();
            while seconds() - begun < 0.2 {
                std::hint::black_box((0..10_000).sum::<u64>());
            }
            done.0.send(()).expect("somebody waits");
            let _ = until.1.recv(); // alive until it has been asked
        });
        done.1.recv().expect("the other thread works");
        if std::path::Path::new("/proc/self/schedstat").exists() {
            assert!(seconds_of_all() - all >= 0.19, "{} s", seconds_of_all() - all);
            assert!(seconds() - own < 0.1, "{} s", seconds() - own);
        }
        drop(until.0);
    }
}
