//! The examples, built and run; each is short enough to read at one sitting.

#[path = "../examples/compare_models.rs"]
mod compare_models;
#[path = "../examples/custom_model.rs"]
mod custom_model;
#[path = "../examples/observe.rs"]
mod observe;
#[path = "../examples/record.rs"]
mod record;
#[path = "../examples/room.rs"]
mod room;

#[test]
fn examples_run() {
    for (name, run) in [
        ("compare_models", compare_models::main as fn() -> Result<(), passerby::scenario::Problems>),
        ("custom_model", custom_model::main),
        ("observe", observe::main),
        ("room", room::main),
    ] {
        run().unwrap_or_else(|problems| panic!("{name}: {problems}"));
    }
    record::main().unwrap();
}

#[test]
fn examples_are_under_60_lines_and_say_what_they_show() {
    for (name, text) in [
        ("compare_models", include_str!("../examples/compare_models.rs")),
        ("custom_model", include_str!("../examples/custom_model.rs")),
        ("observe", include_str!("../examples/observe.rs")),
        ("record", include_str!("../examples/record.rs")),
        ("room", include_str!("../examples/room.rs")),
    ] {
        assert!(text.lines().count() < 60, "{name} has {} lines", text.lines().count());
        assert!(text.starts_with("//! "), "{name} does not say what it shows");
    }
}
