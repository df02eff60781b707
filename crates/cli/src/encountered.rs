//! Encounters in a recording: which pairs were used, how near they came, how they adapted.

use crate::failure::Failure;
use crate::measured_rows::{counted, number};
use clap::Args;
use passerby::record::{Frame, Header};
use passerby_measure::{
    Belonging, CURVE_POINTS, Company, Encounter, EncounterCounts, EncounterSelection, EncounterSummary, Groups, Jumps,
    Phases, Samples, Smoothing, Sway, find_encounters, sway,
};
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// Files of groups are small.
const GROUPS_MAX: u64 = 16 << 20;

/// Which pairs are encounters.
#[derive(Debug, Args)]
#[command(next_help_heading = "Encounters")]
pub struct Choice {
    /// Who walks with whom, a group of ids a line [default: found from how people walk]
    #[arg(long, value_name = "FILE")]
    groups: Option<PathBuf>,
    /// Pairs that come as near as this, m [default: 3]
    #[arg(long, value_name = "M", allow_negative_numbers = true)]
    encounter_within: Option<f64>,
    /// Pairs of whom both are faster than this when they see each other, m/s [default: 0.5]
    #[arg(long, value_name = "M/S", allow_negative_numbers = true)]
    encounter_speed: Option<f64>,
}

/// What was found.
pub struct Encountered {
    pub counts: EncounterCounts,
    pub summary: EncounterSummary,
    /// Those who would have passed within a metre.
    pub close: EncounterSummary,
    /// Groups of the file; none if there is no file.
    groups: Option<usize>,
    /// What walks tell; none if there is a file.
    company: Option<Company>,
    too_short: usize,
    thinned: u32,
    full: Option<u32>,
    /// Of those for whom it can be told: mean amplitude, m, and frequency, Hz.
    sway: Option<[f64; 2]>,
}

/// Collects what encounters need.
pub struct Collector {
    samples: Samples,
    jumps: Jumps,
    selection: EncounterSelection,
    groups: Option<Groups>,
}

impl Choice {
    /// The file of groups.
    pub fn groups(&self) -> Option<&Path> {
        self.groups.as_deref()
    }

    /// Refuses what says something about encounters where none are looked for.
    pub fn refuse(&self, hint: &str) -> Result<(), Failure> {
        let given = [
            ("--groups", self.groups.is_some()),
            ("--encounter-within", self.encounter_within.is_some()),
            ("--encounter-speed", self.encounter_speed.is_some()),
        ];
        given.iter().find(|(_, given)| *given).map_or(Ok(()), |(option, _)| {
            Err(Failure::input(format!("{option} goes with encounters, which nobody asked for\n    hint: {hint}")))
        })
    }

    /// For the frames of a recording.
    pub fn collector(&self, header: &Header, jump_speed: f64) -> Result<Collector, Failure> {
        let wrong =
            |option: &str, value: f64, allowed: &str| Failure::input(format!("{option} {value:?}: allowed: {allowed}"));
        let usual = EncounterSelection::default();
        let distance = self.encounter_within.unwrap_or(usual.distance);
        let speed = self.encounter_speed.unwrap_or(usual.speed);
        if !(0.01..=100.0).contains(&distance) {
            return Err(wrong("--encounter-within", distance, "0.01 to 100 m"));
        }
        if !(0.0..=10.0).contains(&speed) {
            return Err(wrong("--encounter-speed", speed, "0 to 10 m/s"));
        }
        let selection = EncounterSelection { distance, speed, ..usual };
        let groups = self.groups.as_deref().map(read_groups).transpose()?;
        let jumps = Jumps::new(jump_speed, header.tick);
        Ok(Collector { samples: Samples::new(header), jumps, selection, groups })
    }
}

fn read_groups(path: &Path) -> Result<Groups, Failure> {
    let wrong = |what: String| Failure::input(format!("--groups {}: {what}", path.display()));
    let size = fs::metadata(path).map_err(|error| wrong(error.to_string()))?.len();
    if size > GROUPS_MAX {
        return Err(wrong(format!("{size} bytes are too many for a list of groups; at most {GROUPS_MAX}")));
    }
    let text = fs::read_to_string(path).map_err(|error| wrong(error.to_string()))?;
    Groups::parse(&text).map_err(|error| wrong(error.to_string()))
}

impl Collector {
    /// Takes in the next frame.
    pub fn see(&mut self, frame: &Frame<'_>) {
        self.samples.see_parts(frame, self.jumps.see(frame));
    }

    /// Smooths all walks and looks at all pairs. `each` is shown every encounter, and when they see each other, s.
    pub fn finish(self, path: &Path, mut each: impl FnMut(&Encounter<'_>, f64)) -> Result<Encountered, Failure> {
        let smoothed = self.samples.smoothed(&Smoothing::default());
        let smoothed = smoothed.map_err(|error| Failure::input(format!("{}: {error}", path.display())))?;
        let company = self.groups.is_none().then(|| Belonging::default().company(&smoothed));
        let told = company.as_ref().map(|company| Groups::of_pairs(&company.pairs));
        let known = self.groups.as_ref().map(|groups| groups.sets().len());
        let groups = self.groups.or(told).unwrap_or_default();
        let (mut summary, mut close) = (EncounterSummary::default(), EncounterSummary::default());
        let counts = find_encounters(&smoothed, &self.selection, &groups, |encounter| {
            each(encounter, self.samples.seconds(encounter.see));
            summary.see(encounter);
            if encounter.predicted[0] < 1.0 {
                close.see(encounter);
            }
        });
        let (thinned, full) = (self.samples.thinned(), self.samples.full());
        let sways = sway(&self.samples, &Smoothing::default()).unwrap_or_default();
        let mean = |value: fn(&Sway) -> f64| sways.iter().map(value).sum::<f64>() / sways.len() as f64;
        let sway = (!sways.is_empty()).then(|| [mean(|sway| sway.amplitude), mean(|sway| sway.frequency)]);
        let (groups, too_short) = (known, smoothed.too_short);
        Ok(Encountered { counts, summary, close, groups, company, too_short, thinned, full, sway })
    }
}

impl Encountered {
    /// For programs.
    pub fn json(&self, tick: f64) -> Value {
        let EncounterCounts { used, together, far, at_start, at_end, slow, alike } = self.counts;
        let left_out = json!({
            "together": together, "far": far, "at_start": at_start, "at_end": at_end, "slow": slow, "alike": alike,
        });
        json!({
            "used": used,
            "left_out": left_out,
            "walks_too_short": self.too_short,
            "groups": self.groups,
            "company": self.company.as_ref().map(|company| json!({
                "too_dense": company.too_dense,
                "pairs": (!company.too_dense).then_some(&company.pairs),
                "pairs_staying_together": company.staying,
                "pairs_nearer_than_strangers": company.nearer,
            })),
            "sway_m": self.sway.map(|[amplitude, _]| amplitude),
            "sway_hz": self.sway.map(|[_, frequency]| frequency),
            "every_nth_frame": self.thinned,
            "full_after_s": self.full.map(|full| f64::from(full) * tick),
            "all": of(&self.summary),
            "would_pass_within_1_m": of(&self.close),
        })
    }

    /// What the chart shows: how often which predicted distance at which share of the time, of those who would have passed within a metre.
    pub fn histogram(&self) -> Value {
        let close = &self.close;
        json!({
            "times": (0..CURVE_POINTS).map(|point| point as f64 / (CURVE_POINTS - 1) as f64).collect::<Vec<_>>(),
            "bin_m": close.bin(),
            "counts": (0..CURVE_POINTS).map(|point| close.bins(point)).collect::<Vec<_>>(),
            "above": close.above(),
        })
    }

    /// Who walks with whom, or why that cannot be told.
    fn together(&self) -> String {
        let Some(Company { pairs, staying, nearer, too_dense }) = &self.company else {
            return format!("{} in the file", counted(&json!(self.groups), "group"));
        };
        if *too_dense {
            return format!(
                "too dense to tell: of {} who stay together {nearer} nearer than strangers would be",
                counted(&json!(staying), "pair")
            );
        }
        counted(&json!(pairs.len()), "pair")
    }

    /// For people.
    pub fn rows(&self, tick: f64) -> Vec<(String, String)> {
        let EncounterCounts { used, together, far, at_start, at_end, slow, alike } = self.counts;
        let mut rows = Vec::new();
        let mut row = |name: &str, value: String| rows.push((name.to_owned(), value));
        row("encounters", format!("{used} used; {} too short", counted(&json!(self.too_short), "walk")));
        row("  who walks with whom", self.together());
        if let Some([amplitude, frequency]) = self.sway {
            row("  sway of heads", format!("{} cm at {frequency:.2} Hz, smoothed away", number(100.0 * amplitude, 1)));
        }
        row(
            "  pairs left out",
            format!(
                "{together} together, {far} far, {at_start} at the start, {at_end} at the end, {slow} slow, {alike} alike"
            ),
        );
        let mean = |value: Option<f64>| value.map_or_else(|| "-".to_owned(), |value| number(value, 2));
        let least = Some(self.summary.distance.least).filter(|least| least.is_finite());
        if used > 0 {
            row(
                "  nearest",
                format!("{} m on average, at least {} m", mean(self.summary.distance.mean()), mean(least)),
            );
        }
        row("  would pass within 1 m", self.close.count().to_string());
        if let Some(curve) = self.close.curve() {
            let most = curve.iter().copied().fold(0.0, f64::max);
            let last = curve[curve.len() - 1];
            row(
                "    predicted distance",
                format!(
                    "{} m at first, {} m at the end, {} m at most",
                    number(curve[0], 2),
                    number(last, 2),
                    number(most, 2)
                ),
            );
            row("    phases of its mean", phases(self.close.phases()));
            row("    share of who adapts more", mean(self.close.share_of_more.mean()));
            row(
                "    order of passing kept",
                format!("by {} of {} that cross", self.close.order_kept, self.close.crossing),
            );
        }
        if let Some(full) = self.full {
            row("  for want of memory", format!("nothing after {:.2} s was used", f64::from(full) * tick));
        }
        rows
    }
}

fn phases(phases: Option<Phases>) -> String {
    match phases {
        None => "none found: it does not rise".to_owned(),
        Some(Phases { reaction, regulation: Some(regulation) }) => {
            format!("reaction from {:.0} %, regulation from {:.0} % of the time", 100.0 * reaction, 100.0 * regulation)
        }
        Some(Phases { reaction, regulation: None }) => format!(
            "reaction from {:.0} % of the time; no regulation phase found: no plateau before they pass",
            100.0 * reaction
        ),
    }
}

/// What encounters have in common, for programs.
pub fn of(summary: &EncounterSummary) -> Value {
    let phases = summary.phases();
    let finite = |value: f64| value.is_finite().then_some(value);
    json!({
        "count": summary.count(),
        "duration_s": summary.duration.mean(),
        "speed_m_s": summary.speed.mean(),
        "distance_m": { "mean": summary.distance.mean(), "least": finite(summary.distance.least) },
        "clearance_m": { "mean": summary.clearance.mean(), "least": finite(summary.clearance.least) },
        "predicted_at_first_m": summary.predicted_see.mean(),
        "predicted_m": summary.curve().map(|curve| curve.to_vec()),
        "predicted_sd_m": summary.curve_deviation().map(|curve| curve.to_vec()),
        "reaction_from": phases.map(|phases| phases.reaction),
        "regulation_from": phases.and_then(|phases| phases.regulation),
        "single_phases": {
            "with_reaction": summary.reaction.count(),
            "reaction_from": summary.reaction.mean(),
            "with_regulation": summary.regulation.count(),
            "regulation_from": summary.regulation.mean(),
        },
        "adaptation_m_s": summary.adaptation.mean(),
        "share_of_more": summary.share_of_more.mean(),
        "share_of_first": summary.share_of_first.mean(),
        "crossing": summary.crossing,
        "order_kept": summary.order_kept,
    })
}
