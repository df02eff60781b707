//! Many runs: the same whatever the threads, and never more at a time than there are.

use passerby::scenario::NoFiles;
use passerby::{Scenario, Simulation};
use passerby_study::{Aggregate, One, Watch, run_seeds};
use std::collections::BTreeSet;
use std::ops::ControlFlow;
use std::sync::Mutex;

/// Six to ten metres: who is slower than 0.24 to 0.4 m/s, which some are with most seeds, does not arrive.
const ROOM: &str = r#"
[place]
floor = [[0, 0], [12, 0], [12, 6], [0, 6]]
regions = [{ name = "exit", polygon = [[11, 0], [12, 0], [12, 6], [11, 6]] }]
[[population]]
count = 8
area = [[1, 1], [5, 1], [5, 5], [1, 5]]
speed = { uniform = [0.2, 1.5] }
journey = ["exit"]
[run]
seed = 40
until = 25
"#;

fn room() -> Scenario {
    Scenario::parse(ROOM, &NoFiles, "room.toml").unwrap_or_else(|problems| panic!("{problems}"))
}

/// Seeds that are under way, and the most there ever were.
#[derive(Default)]
struct UnderWay(Mutex<(BTreeSet<u64>, usize)>);

impl Watch for UnderWay {
    fn stepped(&self, simulation: &Simulation) -> ControlFlow<()> {
        let mut under_way = self.0.lock().expect("a lock");
        under_way.0.insert(simulation.scenario().run.seed);
        under_way.1 = under_way.1.max(under_way.0.len());
        ControlFlow::Continue(())
    }

    fn ended(&self, run: &One) {
        self.0.lock().expect("a lock").0.remove(&run.seed);
    }
}

fn on(threads: usize, runs: u32) -> (Vec<One>, usize) {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().expect("threads");
    let watch = UnderWay::default();
    let done = pool.install(|| run_seeds(&room(), runs, &watch)).unwrap_or_else(|problems| panic!("{problems}"));
    let most = watch.0.lock().expect("a lock").1;
    (done, most)
}

#[test]
fn threads_change_neither_results_nor_their_order() {
    let (one, most) = on(1, 12);
    assert_eq!((one.iter().map(|run| run.seed).collect::<Vec<_>>(), most), ((40..52).collect(), 1));
    for threads in [2, 5] {
        let (runs, most) = on(threads, 12);
        assert_eq!(runs, one, "{threads} threads");
        assert!(most <= threads, "{most} runs at a time on {threads} threads");
    }
}

#[test]
fn who_does_not_arrive_is_reported_and_not_averaged() {
    let (runs, _) = on(2, 30);
    let all = Aggregate::of(&runs);
    let late: Vec<u64> = runs.iter().filter(|run| run.summary.arrived < 8).map(|run| run.seed).collect();
    assert!((2..28).contains(&late.len()), "{late:?} of 30 seeds");
    assert_eq!((all.runs, &all.incomplete), (30, &late));
    let last = all.last_arrival.expect("complete runs");
    assert_eq!(last.runs as usize, 30 - late.len());
    assert!(last.max <= 25.0);
    assert_eq!(all.arrived.map(|arrived| (arrived.runs, arrived.max)), Some((30, 8.0)));
    // Two of 30 are more than 5 in 100: the 29th of 30 never ends.
    assert_eq!(all.t95.map(|t95| t95.value), Some(f64::INFINITY));
}

#[test]
fn runs_end_when_the_watch_says_so() {
    struct AfterThree(Mutex<u32>);
    impl Watch for AfterThree {
        fn stepped(&self, _: &Simulation) -> ControlFlow<()> {
            if *self.0.lock().expect("a lock") < 3 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
        }
        fn ended(&self, _: &One) {
            *self.0.lock().expect("a lock") += 1;
        }
    }
    let runs = run_seeds(&room(), 1000, &AfterThree(Mutex::new(0))).unwrap_or_else(|problems| panic!("{problems}"));
    assert!((3..1000).contains(&runs.len()), "{} runs", runs.len());
}

#[test]
fn a_crowd_that_does_not_fit_is_a_problem() {
    let text = ROOM.replace("count = 8", "count = 900");
    let scenario = Scenario::parse(&text, &NoFiles, "room.toml").unwrap_or_else(|problems| panic!("{problems}"));
    assert!(run_seeds(&scenario, 3, &UnderWay::default()).is_err());
}
