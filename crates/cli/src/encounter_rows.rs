//! Single encounters, one a row: `passerby measure RECORDING --encounters-csv FILE`.

use passerby_measure::{Encounter, PassingOrder};
use std::fmt::Write;

/// The line of names.
pub const HEAD: &str = "id_1,id_2,see_s,reaction_s,regulation_s,closest_s,predicted_at_first_m,predicted_least_m,predicted_most_m,\
distance_m,clearance_m,adaptation_1_m_s,adaptation_2_m_s,would_pass_first,passed_first\n";

/// Adds the row of an encounter that begins at `seconds`. Phases that it does not have, and nobody who passes first, are empty.
pub fn add(rows: &mut String, encounter: &Encounter<'_>, seconds: f64) {
    let [one, other] = encounter.people;
    let time = |from_seeing: Option<f64>| from_seeing.map_or_else(String::new, |s| format!("{:.3}", seconds + s));
    let phases = encounter.phases();
    let [reaction, regulation] =
        [phases.map(|phases| phases.reaction), phases.and_then(|phases| phases.regulation)].map(time);
    let closest = seconds + encounter.closest.moment * encounter.step;
    let predicted = encounter.predicted;
    let least = predicted.iter().copied().fold(f64::INFINITY, f64::min);
    let most = predicted.iter().copied().fold(0.0, f64::max);
    let [of_one, of_other] = encounter.adaptations();
    let [foreseen, happened] = encounter.orders().map(|order| match order {
        Some(PassingOrder::First) => one.to_string(),
        Some(PassingOrder::Second) => other.to_string(),
        None => String::new(),
    });
    let (distance, clearance) = (encounter.closest.distance, encounter.closest.clearance);
    let _ = writeln!(
        rows,
        "{one},{other},{seconds:.3},{reaction},{regulation},{closest:.3},{:.4},{least:.4},{most:.4},\
         {distance:.4},{clearance:.4},{of_one:.4},{of_other:.4},{foreseen},{happened}",
        predicted[0]
    );
}
