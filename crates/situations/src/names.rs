//! What a rule calls by name and nobody has: functions, and the behaviours, situations and tags it speaks of. Told before it runs.

use crate::rule::{Words, find};
use crate::script::Mistake;
use rhai::{AST, ASTNode, Engine, Expr, FnCallExpr, Position, Stmt};
use std::collections::BTreeSet;

/// Functions that are part of the language.
const BUILT_IN: [&str; 7] = ["Fn", "call", "curry", "type_of", "is_shared", "is_def_var", "is_def_fn"];

/// The names of all functions in reach, whatever they take.
pub(crate) fn functions(engine: &Engine) -> BTreeSet<String> {
    let signatures = engine.gen_fn_signatures(true);
    let names = signatures.iter().filter_map(|signature| signature.split('(').next());
    names.chain(BUILT_IN).map(str::to_owned).collect()
}

/// The first name in a text that nobody has.
pub(crate) fn check(ast: &AST, functions: &BTreeSet<String>, words: Option<&Words>) -> Result<(), Mistake> {
    let mut mistake = None;
    ast.walk(&mut |path| {
        if let Some((call, position)) = call(path) {
            mistake = unknown(call, is_to_me(path, call), ast, functions, words).map(|what| placed(what, position));
        }
        mistake.is_none()
    });
    mistake.map_or(Ok(()), Err)
}

/// The call at the end of a path through a text.
fn call<'a>(path: &[ASTNode<'a>]) -> Option<(&'a FnCallExpr, Position)> {
    match path.last()? {
        ASTNode::Expr(Expr::FnCall(call, at) | Expr::MethodCall(call, at)) => Some((call, *at)),
        ASTNode::Stmt(Stmt::FnCall(call, at)) => Some((call, *at)),
        _ => None,
    }
}

/// Whether it is `me` who is called: `me.hold()`, or `hold(me)`.
fn is_to_me(path: &[ASTNode<'_>], call: &FnCallExpr) -> bool {
    let is_me = |expression: &Expr| matches!(expression, Expr::Variable(variable, ..) if variable.1 == "me");
    match path {
        [.., ASTNode::Expr(Expr::Dot(both, ..)), ASTNode::Expr(Expr::MethodCall(..))] => is_me(&both.lhs),
        _ => call.args.first().is_some_and(is_me),
    }
}

/// What to say about a call of something that nobody has, or that speaks of it.
fn unknown(
    call: &FnCallExpr,
    to_me: bool,
    ast: &AST,
    functions: &BTreeSet<String>,
    words: Option<&Words>,
) -> Option<String> {
    let name = call.name.as_str();
    let is_known = || functions.contains(name) || ast.iter_functions().any(|own| own.name == name);
    if call.op_token.is_none() && !is_known() {
        let named = |name: &&String| name.starts_with(|first: char| first.is_ascii_lowercase()) && !name.contains('$');
        let known: Vec<String> = functions.iter().filter(named).cloned().collect();
        return find(&known, "function", name).err();
    }
    let (Some(words), true, Some(Expr::StringConstant(word, ..))) = (words, to_me, call.args.last()) else {
        return None;
    };
    match name {
        "only" | "suppress" => words.behaviour(word).err(),
        "go_into" => words.situation(word).err(),
        "take" | "lose" | "has" => words.tag(word).err(),
        _ => None,
    }
}

fn placed(what: String, at: Position) -> Mistake {
    let number = |place: Option<usize>| place.map_or(0, |place| place as u32);
    Mistake { line: number(at.line()), column: number(at.position()), what }
}
