//! Numbers that differ from person to person: a constant or a law they are drawn from.

use super::Distribution;
use super::sheet::{Keys, Table};
use super::value::{Range, Value};
use passerby_geometry::math::double::{exp, ln};

pub(super) const DISTRIBUTION: Keys = Keys {
    name: "distribution",
    title: "a number or one of { uniform = [low, high] }, { normal = [mean, sd] }, { lognormal = [mu, sigma] }, { gamma = [shape, scale] }, { weibull = [shape, scale] }, { exponential = mean }",
    known: &["uniform", "normal", "lognormal", "gamma", "weibull", "exponential", "min", "max"],
    later: &[],
};

/// Shapes from very skewed to a spike; scales of anything.
const SHAPE: Range = Range::new(0.1, 100.0, "");
const SCALE: Range = Range::new(1e-6, 1e9, "");

/// A number or a law, all of whose draws lie in `range`.
///
/// Draws outside of its bounds are repeated, so at least some 4 % of them have to lie inside: the middle of the law must,
/// and the bounds must be at least a tenth of its spread apart.
pub(super) fn distribution(value: &Value<'_>, range: &Range) -> Option<Distribution> {
    if value.is_number() {
        return value.number(range).map(Distribution::Constant);
    }
    let table = value.table(&DISTRIBUTION)?;
    let hint = format!("write a number, or for example {{ uniform = [{}, {}] }}", range.low, range.high);
    match table.exactly_one(&["uniform", "normal", "lognormal", "gamma", "weibull", "exponential"], &hint)? {
        "uniform" => uniform(&table, range),
        "normal" => normal(&table, range),
        "lognormal" => lognormal(&table, range),
        "gamma" => gamma(&table, range),
        "weibull" => weibull(&table, range),
        _ => exponential(&table, range),
    }
}

fn uniform(table: &Table<'_>, range: &Range) -> Option<Distribution> {
    let law = table.get("uniform")?;
    refuse_bounds(table, &["min", "max"], "uniform = [low, high] has its own bounds");
    let [low, high] = pair(&law, "[low, high]", range, range)?;
    if low > high {
        law.sheet.report(law.problem("its low end is above its high end").hint(format!("try [{high}, {low}]")));
        return None;
    }
    Some(Distribution::Uniform { low, high })
}

fn normal(table: &Table<'_>, range: &Range) -> Option<Distribution> {
    let law = table.get("normal")?;
    let any = Range::new(-1e9, 1e9, "");
    let numbers = pair(&law, "[mean, standard deviation]", &any, &Range::new(0.0, 1e9, ""));
    let [min, max] = bounds(table, range)?;
    let [mean, sd] = numbers?;
    let reachable = (min..=max).contains(&mean) && max - min >= 0.1 * sd;
    reachable_or_report(&law, reachable, "mean", [min, max])?;
    Some(if sd == 0.0 { Distribution::Constant(mean) } else { Distribution::Normal { mean, sd, min, max } })
}

fn lognormal(table: &Table<'_>, range: &Range) -> Option<Distribution> {
    let law = table.get("lognormal")?;
    let numbers = pair(&law, "[mu, sigma]", &Range::new(-50.0, 50.0, ""), &Range::new(0.0, 50.0, ""));
    let [min, max] = bounds(table, range)?;
    let [mu, sigma] = numbers?;
    // From a tenth of sigma below mu: ln 0 is minus infinity and needs no case of its own.
    let reachable = (min..=max).contains(&exp(mu)) && (min <= 0.0 || ln(max) - ln(min) >= 0.1 * sigma);
    reachable_or_report(&law, reachable, "median, exp(mu),", [min, max])?;
    Some(if sigma == 0.0 { Distribution::Constant(exp(mu)) } else { Distribution::Lognormal { mu, sigma, min, max } })
}

fn gamma(table: &Table<'_>, range: &Range) -> Option<Distribution> {
    let law = table.get("gamma")?;
    let numbers = pair(&law, "[shape, scale]", &SHAPE, &SCALE);
    let [min, max] = bounds(table, range)?;
    let [shape, scale] = numbers?;
    let reachable = (min..=max).contains(&(shape * scale)) && max - min >= 0.1 * scale * shape.sqrt();
    reachable_or_report(&law, reachable, "mean, shape times scale,", [min, max])?;
    Some(Distribution::Gamma { shape, scale, min, max })
}

fn weibull(table: &Table<'_>, range: &Range) -> Option<Distribution> {
    let law = table.get("weibull")?;
    let numbers = pair(&law, "[shape, scale]", &SHAPE, &SCALE);
    let [min, max] = bounds(table, range)?;
    let [shape, scale] = numbers?;
    reachable_or_report(&law, (min..=max).contains(&scale) && max - min >= 0.1 * scale, "scale", [min, max])?;
    Some(Distribution::Weibull { shape, scale, min, max })
}

fn exponential(table: &Table<'_>, range: &Range) -> Option<Distribution> {
    let law = table.get("exponential")?;
    refuse_bounds(table, &["min"], "an exponential law begins at 0");
    if range.low > 0.0 {
        let problem = law.problem("an exponential law begins at 0, which is too low here").allowed(range.to_string());
        law.sheet.report(problem.hint("use uniform, normal or lognormal"));
        return None;
    }
    let mean = law.number(&Range::new(1e-6, range.high, range.unit));
    let max = table.number_or("max", range, range.high);
    let mean = mean?;
    reachable_or_report(&law, max >= 0.1 * mean, "mean", [0.0, max])?;
    Some(Distribution::Exponential { mean, max })
}

/// Two numbers in a list.
fn pair(law: &Value<'_>, shape: &str, first: &Range, second: &Range) -> Option<[f64; 2]> {
    let items = law.list(&format!("a list {shape}"))?;
    let [a, b] = &items[..] else {
        law.sheet.report(law.problem(format!("expected a list {shape}, found a list of {}", items.len())));
        return None;
    };
    let (a, b) = (a.number(first), b.number(second)); // both, so that both are reported
    Some([a?, b?])
}

/// `min` and `max`, the range's own ends where they are absent.
fn bounds(table: &Table<'_>, range: &Range) -> Option<[f64; 2]> {
    let [min, max] = [table.number_or("min", range, range.low), table.number_or("max", range, range.high)];
    if min <= max {
        return Some([min, max]);
    }
    let value = table.get("min")?;
    value.sheet.report(value.problem(format!("above max = {max}")).hint("swap them"));
    None
}

/// Reports bounds beside a law that has none.
fn refuse_bounds(table: &Table<'_>, keys: &[&'static str], why: &str) {
    for value in table.present(keys).into_iter().filter_map(|key| table.get(key)) {
        table.report(value.problem(why.to_owned()).hint("leave it out"));
    }
}

/// `None`, and a problem, when too few draws would lie within the bounds.
fn reachable_or_report(law: &Value<'_>, reachable: bool, middle: &str, [min, max]: [f64; 2]) -> Option<()> {
    if !reachable {
        let problem = law.problem(format!("hardly ever between {min} and {max}"));
        law.sheet
            .report(problem.allowed(format!("a {middle} from {min} to {max}, a spread of at most ten times that")));
    }
    reachable.then_some(())
}
