//! What a user starts from: a commented scenario, and the schema that editors complete it with.

/// The JSON schema (draft 2020-12) of scenario files.
pub fn schema() -> &'static str {
    include_str!("schema.json")
}

/// A commented scenario called `name`: two rooms, a door between them and an exit.
pub fn template(name: &str) -> String {
    let quoted = toml::Value::from(name).to_string(); // with its quotes and whatever has to be escaped
    include_str!("template.toml").replacen("\"NAME\"", &quoted, 1)
}
