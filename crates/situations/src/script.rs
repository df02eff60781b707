//! Rules and formulas written in the scenario: Rhai, with nothing in reach but the person they speak of.
//!
//! Operations, depth and sizes are limited, never time; there is no file, no clock, no module, no process, no `eval`, and every float
//! function is ours, so that a rule gives the same bits everywhere.

use crate::names;
use crate::rule::{Me, Rule, RuleError, Words};
use crate::sensor::Reading;
use passerby_geometry::math::double as math;
use rhai::packages::{
    ArithmeticPackage, BasicArrayPackage, BasicIteratorPackage, LogicPackage, MoreStringPackage, Package,
};
use rhai::{AST, Dynamic, Engine, EvalAltResult, ImmutableString, OptimizationLevel, Position, Scope};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Most operations of one call.
pub const OPERATIONS_MAX: u64 = 10_000;
const CALLS_MAX: usize = 16;
const EXPRESSION_DEPTH: usize = 32;
const STRING_MAX: usize = 1_000;
/// One operation may go over a whole list, so a list is short.
const LIST_MAX: usize = 100;
const VARIABLES_MAX: usize = 100;
/// Longest text of a rule, in bytes.
pub const TEXT_MAX: usize = 100_000;

/// Where a text is wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mistake {
    /// Counted from 1; 0 where none is known.
    pub line: u32,
    /// Counted from 1; 0 where none is known.
    pub column: u32,
    /// What is wrong.
    pub what: String,
}

/// What runs rules; one for all of them.
#[derive(Debug, Clone)]
pub struct Scripts {
    engine: Arc<Engine>,
    /// Names of the functions in reach.
    functions: Arc<BTreeSet<String>>,
}

impl Default for Scripts {
    fn default() -> Self {
        let engine = engine();
        let functions = Arc::new(names::functions(&engine));
        Scripts { engine: Arc::new(engine), functions }
    }
}

type Said = Result<(), Box<EvalAltResult>>;

fn said<T>(result: Result<T, String>) -> Result<T, Box<EvalAltResult>> {
    result.map_err(Into::into)
}

fn engine() -> Engine {
    let mut engine = Engine::new_raw();
    engine.register_global_module(ArithmeticPackage::new().as_shared_module());
    engine.register_global_module(LogicPackage::new().as_shared_module());
    engine.register_global_module(BasicIteratorPackage::new().as_shared_module());
    engine.register_global_module(BasicArrayPackage::new().as_shared_module());
    engine.register_global_module(MoreStringPackage::new().as_shared_module());
    // `**` of floats is the platform's; `eval` hides what a text does.
    engine.disable_symbol("**").disable_symbol("eval").disable_symbol("print").disable_symbol("debug");
    engine.set_strict_variables(true).set_optimization_level(OptimizationLevel::Simple);
    engine.set_max_operations(OPERATIONS_MAX).set_max_call_levels(CALLS_MAX);
    engine.set_max_expr_depths(EXPRESSION_DEPTH, EXPRESSION_DEPTH);
    engine.set_max_string_size(STRING_MAX).set_max_array_size(LIST_MAX).set_max_map_size(LIST_MAX);
    engine.set_max_variables(VARIABLES_MAX).set_max_functions(VARIABLES_MAX);
    type Function = fn(f64) -> f64;
    let one: [(&str, Function); 8] = [
        ("sqrt", f64::sqrt),
        ("floor", f64::floor),
        ("abs", f64::abs),
        ("exp", math::exp),
        ("ln", math::ln),
        ("sin", math::sin),
        ("cos", math::cos),
        ("ceiling", f64::ceil),
    ];
    for (name, function) in one {
        engine.register_fn(name, function);
        engine.register_fn(name, move |x: i64| function(x as f64));
    }
    engine.register_fn("atan2", math::atan2);
    engine.register_fn("min", |a: f64, b: f64| a.min(b)).register_fn("max", |a: f64, b: f64| a.max(b));
    engine.register_fn("min", |a: i64, b: i64| a.min(b)).register_fn("max", |a: i64, b: i64| a.max(b));
    engine.register_fn("min", |a: f64, b: i64| a.min(b as f64)).register_fn("max", |a: f64, b: i64| a.max(b as f64));
    engine.register_fn("min", |a: i64, b: f64| b.min(a as f64)).register_fn("max", |a: i64, b: f64| b.max(a as f64));
    engine.register_type_with_name::<Me>("Me");
    engine.register_fn("only", |me: &mut Me, name: &str| -> Said { said(me.only(name)) });
    engine.register_fn("suppress", |me: &mut Me, name: &str| -> Said { said(me.suppress(name)) });
    engine.register_fn("go_into", |me: &mut Me, name: &str| -> Said { said(me.go_into(name)) });
    engine.register_fn("take", |me: &mut Me, name: &str| -> Said { said(me.take(name)) });
    engine.register_fn("lose", |me: &mut Me, name: &str| -> Said { said(me.lose(name)) });
    engine.register_fn("has", |me: &mut Me, name: &str| said(me.has(name)));
    engine.register_fn("go_to", |me: &mut Me, x: f64, y: f64| me.go_to(x, y));
    engine.register_fn("go_to", |me: &mut Me, x: i64, y: i64| me.go_to(x as f64, y as f64));
    engine.register_fn("go_to", |me: &mut Me, x: f64, y: i64| me.go_to(x, y as f64));
    engine.register_fn("go_to", |me: &mut Me, x: i64, y: f64| me.go_to(x as f64, y));
    engine.register_fn("look_at", |me: &mut Me, x: f64, y: i64| me.look_at(x, y as f64));
    engine.register_fn("look_at", |me: &mut Me, x: i64, y: f64| me.look_at(x as f64, y));
    engine.register_fn("look_at", |me: &mut Me, x: f64, y: f64| me.look_at(x, y));
    engine.register_fn("look_at", |me: &mut Me, x: i64, y: i64| me.look_at(x as f64, y as f64));
    engine.register_fn("pace", |me: &mut Me, factor: f64| me.pace(factor));
    engine.register_fn("pace", |me: &mut Me, factor: i64| me.pace(factor as f64));
    engine.register_fn("hold", Me::hold).register_fn("finish", Me::finish).register_fn("chance", Me::chance);
    engine
}

fn line_of(position: Position) -> u32 {
    position.line().map_or(0, |line| line as u32)
}

impl Scripts {
    /// Compiles a rule over sensors of these names, which it knows as variables.
    pub fn rule(&self, text: &str, sensors: &[String], words: &Arc<Words>) -> Result<Script, Mistake> {
        let mut known = Scope::new();
        for name in sensors {
            known.push(name.as_str(), Dynamic::UNIT);
        }
        known.push("me", Dynamic::UNIT);
        let ast = self.compile(text, &known, Some(words))?;
        let shown = words.shown.iter().map(|phases| phases.iter().map(|show| show.as_str().into()).collect()).collect();
        let sensors = sensors.iter().map(|name| name.as_str().into()).collect();
        Ok(Script { engine: self.engine.clone(), ast, sensors, shown, text: text.to_owned() })
    }

    /// Compiles a formula over numbers of these names.
    pub fn formula(&self, text: &str, variables: &'static [&'static str]) -> Result<Formula, Mistake> {
        let mut known = Scope::new();
        for name in variables {
            known.push(*name, 0.0_f64);
        }
        let ast = self.compile(text, &known, None)?;
        Ok(Formula { engine: self.engine.clone(), ast, variables, text: text.to_owned() })
    }

    fn compile(&self, text: &str, known: &Scope<'_>, words: Option<&Words>) -> Result<AST, Mistake> {
        if text.len() > TEXT_MAX {
            let what = format!("{} bytes are too long for a rule, at most {TEXT_MAX} can be read", text.len());
            return Err(Mistake { line: 0, column: 0, what });
        }
        let ast = self.engine.compile_with_scope(known, text).map_err(|error| {
            let column = error.position().position().map_or(0, |column| column as u32);
            Mistake { line: line_of(error.position()), column, what: error.err_type().to_string() }
        })?;
        names::check(&ast, &self.functions, words)?;
        Ok(ast)
    }
}

/// A compiled rule.
pub struct Script {
    engine: Arc<Engine>,
    ast: AST,
    /// Names of the sensors, in their order.
    sensors: Vec<ImmutableString>,
    /// What each signal can show.
    shown: Vec<Vec<ImmutableString>>,
    text: String,
}

impl std::fmt::Debug for Script {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Script").field(&self.text).finish()
    }
}

impl Rule for Script {
    fn decide(&self, sensed: &[Reading], me: &mut Me) -> Result<(), RuleError> {
        let mut scope = Scope::new();
        for (name, reading) in self.sensors.iter().zip(sensed) {
            let value: Dynamic = match reading {
                Reading::Number(number) => (*number).into(),
                Reading::Flag(flag) => (*flag).into(),
                Reading::Shows { signal, phase } => self.shown[*signal as usize][*phase as usize].clone().into(),
            };
            scope.push_dynamic(name.clone(), value);
        }
        scope.push("me", me.clone());
        let outcome = self.engine.run_ast_with_scope(&mut scope, &self.ast);
        match scope.remove::<Me>("me") {
            Some(spoken_to) => *me = spoken_to,
            None => return Err(RuleError { what: "it replaced `me` by something else".to_owned(), line: 0 }),
        }
        outcome.map_err(|error| stopped(*error))
    }
}

/// An error with the line where it arose, inside functions of the rule too.
fn stopped(error: EvalAltResult) -> RuleError {
    match error {
        EvalAltResult::ErrorInFunctionCall(_, _, inner, position) => {
            let inner = stopped(*inner);
            if inner.line > 0 { inner } else { RuleError { line: line_of(position), ..inner } }
        }
        EvalAltResult::ErrorTooManyOperations(position) => RuleError {
            what: format!("more than {OPERATIONS_MAX} operations: it loops for ever, or does too much"),
            line: line_of(position),
        },
        mut error => {
            let line = line_of(error.position());
            RuleError { what: error.clear_position().to_string(), line }
        }
    }
}

/// A compiled formula.
pub struct Formula {
    engine: Arc<Engine>,
    ast: AST,
    variables: &'static [&'static str],
    text: String,
}

impl std::fmt::Debug for Formula {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Formula").field(&self.text).finish()
    }
}

impl PartialEq for Formula {
    fn eq(&self, other: &Self) -> bool {
        self.text == other.text
    }
}

impl Formula {
    /// Its value for these numbers, in the order of the names it was compiled with; truth counts as 1.
    pub fn value(&self, numbers: &[f64]) -> Result<f64, RuleError> {
        let mut scope = Scope::new();
        for (name, number) in self.variables.iter().zip(numbers) {
            scope.push(*name, *number);
        }
        let value =
            self.engine.eval_ast_with_scope::<Dynamic>(&mut scope, &self.ast).map_err(|error| stopped(*error))?;
        let number = value.as_float().ok().or_else(|| value.as_int().ok().map(|whole| whole as f64));
        let number = number.or_else(|| value.as_bool().ok().map(|truth| f64::from(u8::from(truth))));
        match number {
            Some(number) if number.is_finite() => Ok(number),
            Some(number) => Err(RuleError { what: format!("it gives {number}, which is no number to go by"), line: 0 }),
            None => Err(RuleError { what: format!("it gives {}, not a number", value.type_name()), line: 0 }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use passerby_geometry::chance::{Chance, Purpose};

    fn words() -> Arc<Words> {
        Arc::new(Words {
            behaviours: ["stop", "target", "hurry"].map(str::to_owned).to_vec(),
            situations: vec!["lobby".to_owned()],
            tags: vec!["ticket".to_owned()],
            shown: vec![vec!["red".to_owned(), "green".to_owned()]],
        })
    }

    fn me() -> Me {
        Me::new(words(), Chance::new(1).stream(5, 0, Purpose::Situation), 0)
    }

    fn rule(text: &str, sensors: &[&str]) -> Script {
        let sensors: Vec<String> = sensors.iter().map(|name| (*name).to_owned()).collect();
        Scripts::default().rule(text, &sensors, &words()).expect("it compiles")
    }

    const LIGHT: &str = "if light == \"red\" {\n  me.only(\"stop\");\n} else { me.only(\"target\"); me.pace(1.5); }";

    #[test]
    fn a_rule_chooses_by_what_it_reads() {
        let rule = rule(LIGHT, &["light"]);
        let mut at_red = me();
        rule.decide(&[Reading::Shows { signal: 0, phase: 0 }], &mut at_red).expect("it runs");
        assert_eq!((at_red.only, at_red.speed), (Some(0b001), 1.0));
        let mut at_green = me();
        rule.decide(&[Reading::Shows { signal: 0, phase: 1 }], &mut at_green).expect("it runs");
        assert_eq!((at_green.only, at_green.speed), (Some(0b010), 1.5));
    }

    #[test]
    fn everything_a_rule_can_say() {
        let text = "me.suppress(\"hurry\"); me.go_into(\"lobby\"); me.look_at(1, 2); me.take(\"ticket\");\n\
            if me.has(\"ticket\") && max(near, 2) > 2.5 { me.hold(); me.finish(); }\n me.go_to(near + 1, 2.0);";
        let rule = rule(&text.replace("me.go_to(near + 1, 2.0)", "let x = near + 1; me.go_to(x, 2.0)"), &["near"]);
        let mut spoken_to = me();
        rule.decide(&[Reading::Number(3.0)], &mut spoken_to).expect("it runs");
        assert_eq!(spoken_to.sent, Some(crate::rule::Sent::To([4.0, 2.0])));
        assert_eq!((spoken_to.suppressed, spoken_to.has, spoken_to.holds, spoken_to.done), (0b100, 1, true, true));
        assert_eq!(spoken_to.looks_at, Some([1.0, 2.0]));
    }

    /// What a text must not do is stopped, and the message has its line.
    #[test]
    fn runaways_are_stopped_with_their_line() {
        let check = |text: &str, line: u32, says: &str| {
            let error = rule(text, &["n"]).decide(&[Reading::Number(0.0)], &mut me()).expect_err(text);
            assert!(error.what.contains(says) && error.line == line, "{text}: {error}");
        };
        check("let x = 0;\nloop { x += 1; }", 2, "10000 operations");
        check("let x = \"ab\";\n\nloop { x += x; }", 3, "Length of string");
        check("let x = [1];\nloop { x += x; }", 2, "Size of array");
        check("fn f(x) {\n f(x + 1) }\nf(0)", 3, "Stack overflow"); // where it was called
        check("let x = 1;\nlet y = x / 0;", 2, "Division by zero");
        check("let word = \"stopp\";\nme.only(word);", 2, "did you mean \"stop\"");
        check("me = 3;", 0, "replaced `me`");
    }

    #[test]
    fn what_is_out_of_reach_does_not_compile() {
        let check = |text: &str, line: u32, says: &str| {
            let mistake = Scripts::default().rule(text, &["light".to_owned()], &words()).expect_err(text);
            assert!(mistake.what.contains(says) && mistake.line == line, "{text}: {mistake:?}");
        };
        check("let x = 1;\nif ligth == \"red\" {}", 2, "ligth");
        check("if light == {", 1, "");
        check("\n\nimport \"files\" as f;", 3, "import");
        check("eval(\"1\")", 1, "eval");
        check("let x = 2.0 ** 0.5;", 1, "**");
        let deep = format!("{}1{}", "(".repeat(200), ")".repeat(200));
        check(&deep, 1, "");
    }

    /// Functions and names that nobody has are told with line and column, wherever they are; functions of the rule's own are known.
    #[test]
    fn names_that_nobody_has_do_not_compile() {
        let mistake = |text: &str| Scripts::default().rule(text, &["light".to_owned()], &words());
        let check = |text: &str, place: [u32; 2], says: &str| {
            let mistake = mistake(text).expect_err(text);
            assert!(mistake.what.contains(says) && [mistake.line, mistake.column] == place, "{text}: {mistake:?}");
        };
        check("me.hodl();", [1, 4], "no function \"hodl\", did you mean \"hold\"?");
        check("if light == \"red\" {\n  stp(me);\n}", [2, 3], "no function \"stp\"");
        check("let x = 1 + sqr(4.0);", [1, 13], "did you mean \"sqrt\"?");
        check("fn f(x) {\n  g(x)\n}\nf(1);", [2, 3], "no function \"g\"");
        check("me.only(\"stopp\");", [1, 4], "no behaviour \"stopp\", did you mean \"stop\"?");
        check("if me.chance() < 0.5 { me.suppress(\"run\"); }", [1, 27], "no behaviour \"run\"");
        check(
            "if light == \"red\" { go_into(me, \"loby\"); }",
            [1, 21],
            "no situation \"loby\", did you mean \"lobby\"?",
        );
        check("let free = !me.has(\"tiket\");", [1, 16], "no tag \"tiket\"");
        for text in [
            "fn f(x) { x + 1 }\nlet y = f(1); let z = y.f();",
            "let list = [1, 2]; list.push(3); if list.len() > 2 || list.contains(1) { me.hold(); }",
            "let double = |x| 2 * x; let y = double.call(2); let text = type_of(y); text.trim();",
            "me.go_to(-1, abs(-2)); let s = \"a\" + 1; for i in 0..3 { s += i; }",
        ] {
            mistake(text).unwrap_or_else(|mistake| panic!("{text}: {mistake:?}"));
        }
        let formula = Scripts::default().formula("mn(1.0, density)", &["density"]).expect_err("no function");
        assert!(formula.what.contains("no function \"mn\""), "{formula:?}");
    }

    #[test]
    fn formulas_give_numbers() {
        let formula = |text| Scripts::default().formula(text, &["density", "speed"]).expect("it compiles");
        assert_eq!(formula("if density > 1.0 { 0.5 } else { 1.0 }").value(&[2.0, 0.0]), Ok(0.5));
        assert_eq!(formula("density > 1.0").value(&[2.0, 0.0]), Ok(1.0));
        assert_eq!(formula("min(3, speed)").value(&[2.0, 5.5]), Ok(3.0));
        assert!(formula("1.0 / (density - 2.0)").value(&[2.0, 0.0]).is_err_and(|error| error.what.contains("inf")));
        assert!(formula("\"fast\"").value(&[2.0, 0.0]).is_err());
    }
}
