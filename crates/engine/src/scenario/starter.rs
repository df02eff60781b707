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

#[cfg(test)]
mod tests {
    use super::super::read::TABLES;
    use super::super::{
        NoFiles, Scenario, arrivals, event, group, journey, play, population, profile, reactions, run, shape, signal,
    };
    use super::*;
    use passerby_steering::Model;
    use serde_json::{Map, Value};

    fn parsed() -> Value {
        serde_json::from_str(schema()).expect("the schema is JSON")
    }

    fn sorted<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable();
        names
    }

    /// Whether the schema takes a value, by those of its words that our schema uses; else what it does not take.
    fn validate(schema: &Value, rule: &Map<String, Value>, value: &Value, path: &str) -> Result<(), String> {
        let fits = |rule: &Value| match rule.as_object() {
            Some(rule) => validate(schema, rule, value, path),
            None => panic!("{path}: {rule} is no rule"),
        };
        for (word, argument) in rule {
            let list = || argument.as_array().expect("a list");
            let limit = || argument.as_f64().expect("a number");
            let size = || argument.as_u64().expect("a count") as usize;
            let length = || match value {
                Value::Array(items) => items.len(),
                Value::Object(fields) => fields.len(),
                Value::String(text) => text.chars().count(),
                _ => panic!("{path}: {word} of {value}"),
            };
            let taken = match word.as_str() {
                "title" | "description" | "default" | "$schema" | "$defs" | "pattern" => true,
                "$ref" => {
                    let pointer = argument.as_str().and_then(|name| name.strip_prefix('#')).expect("a local reference");
                    fits(schema.pointer(pointer).expect(pointer)).map(|()| true)?
                }
                "type" => match argument.as_str() {
                    Some("object") => value.is_object(),
                    Some("array") => value.is_array(),
                    Some("string") => value.is_string(),
                    Some("number") => value.is_number(),
                    Some("integer") => value.is_u64() || value.is_i64(),
                    Some("boolean") => value.is_boolean(),
                    _ => panic!("{path}: type {argument}"),
                },
                "const" => value == argument,
                "enum" => list().contains(value),
                "minimum" => value.as_f64().is_some_and(|x| x >= limit()),
                "maximum" => value.as_f64().is_some_and(|x| x <= limit()),
                "minItems" | "minProperties" | "minLength" => length() >= size(),
                "maxItems" | "maxProperties" | "maxLength" => length() <= size(),
                "required" => list().iter().all(|key| value.get(key.as_str().unwrap_or("")).is_some()),
                "items" => {
                    let rule = argument.as_object().expect("a rule");
                    for (i, item) in value.as_array().into_iter().flatten().enumerate() {
                        validate(schema, rule, item, &format!("{path}[{i}]"))?;
                    }
                    true
                }
                "properties" => {
                    for (key, inner) in value.as_object().into_iter().flatten() {
                        if let Some(rule) = argument.get(key).and_then(Value::as_object) {
                            validate(schema, rule, inner, &format!("{path}.{key}"))?;
                        }
                    }
                    true
                }
                "additionalProperties" if argument.is_object() => {
                    for (key, inner) in value.as_object().into_iter().flatten() {
                        let rule = argument.as_object().expect("a rule");
                        validate(schema, rule, inner, &format!("{path}.{key}"))?;
                    }
                    true
                }
                "additionalProperties" => {
                    let known = &rule["properties"];
                    value.as_object().into_iter().flatten().all(|(key, _)| known.get(key).is_some())
                }
                "anyOf" => list().iter().any(|rule| fits(rule).is_ok()),
                "oneOf" => list().iter().filter(|rule| fits(rule).is_ok()).count() == 1,
                "not" => fits(argument).is_err(),
                _ => panic!("{path}: the checker does not know {word}"),
            };
            if !taken {
                return Err(format!("{path} = {value}: not {word} {argument}"));
            }
        }
        Ok(())
    }

    fn checked(text: &str) -> Result<(), String> {
        let schema = parsed();
        let table: toml::Table = text.parse().map_err(|error| format!("{error}"))?;
        let value = serde_json::to_value(table).expect("TOML fits into JSON");
        validate(&schema, schema.as_object().expect("an object"), &value, "")
    }

    #[test]
    fn schema_knows_the_keys_the_reader_knows() {
        let schema = parsed();
        for keys in TABLES {
            let table = schema.pointer(&format!("/$defs/{}/properties", keys.name)).and_then(Value::as_object);
            let listed = sorted(table.expect(keys.name).keys().map(String::as_str));
            assert_eq!(listed, sorted(keys.known.iter().copied()), "{}", keys.name);
        }
    }

    #[test]
    fn schema_knows_the_models_and_their_parameters() {
        let schema = parsed();
        let choices = schema.pointer("/$defs/model/anyOf").expect("models");
        let names: Vec<&str> = choices[0]["enum"].as_array().expect("names").iter().filter_map(Value::as_str).collect();
        assert_eq!(names, Model::names());
        let tables = choices[1]["properties"].as_object().expect("tables");
        assert_eq!(sorted(tables.keys().map(String::as_str)), sorted(names.iter().copied()));
        for model in Model::all() {
            let listed = tables[model.name()]["properties"].as_object().expect("parameters");
            let known = model.parameters();
            let tables = if model.name() == "lamarche" { &reactions::KEYS[..] } else { &[] };
            let names = known.iter().map(|(name, _)| *name).chain(tables.iter().copied());
            assert_eq!(sorted(listed.keys().map(String::as_str)), sorted(names));
            for (name, value) in known {
                assert_eq!(listed[name]["default"].as_f64().map(|x| x as f32), Some(value), "{} {name}", model.name());
                let differs = model.differs_between_people();
                assert_eq!(listed[name].pointer("/anyOf/1/$ref").is_some(), differs, "{} {name}", model.name());
                let number = if differs { &listed[name]["anyOf"][0] } else { &listed[name] };
                for end in ["minimum", "maximum"] {
                    let limit = number[end].as_f64().expect("a number") as f32;
                    assert_eq!(model.clone().set(name, limit), Ok(()), "{} {name} {end}", model.name());
                }
            }
        }
    }

    #[test]
    fn schema_knows_the_profiles() {
        let names = parsed().pointer("/$defs/population/properties/profile/enum").cloned();
        assert_eq!(names, Some(Value::from(profile::NAMES.to_vec())));
    }

    #[test]
    fn schema_has_the_ranges_of_the_reader() {
        let schema = parsed();
        let [nearest, every] = [population::NEAREST, run::EVERY].map(|ends| ends.map(|end| end as f64));
        for (pointer, [low, high]) in [
            ("population/properties/speed/anyOf/0", [population::SPEED.low, population::SPEED.high]),
            ("population/properties/radius/anyOf/0", [population::RADIUS.low, population::RADIUS.high]),
            ("population/properties/mass/anyOf/0", [population::MASS.low, population::MASS.high]),
            ("population/properties/premovement/anyOf/0", [population::PREMOVEMENT.low, population::PREMOVEMENT.high]),
            ("population/properties/count", [0.0, population::PEOPLE_MAX as f64]),
            ("population/properties/rate/anyOf/0", [arrivals::PER_SECOND.low, arrivals::PER_SECOND.high]),
            ("population/properties/until", [run::AT.low, run::AT.high]),
            ("population/properties/total", [0.0, population::PEOPLE_MAX as f64]),
            ("any/properties/wait/anyOf/0", [journey::SECONDS.low, journey::SECONDS.high]),
            ("any/properties/for/anyOf/0", [journey::SECONDS.low, journey::SECONDS.high]),
            ("circle/properties/radius", [population::CIRCLE_RADIUS.low, population::CIRCLE_RADIUS.high]),
            ("grid/properties/spacing", [population::SPACING.low, population::SPACING.high]),
            ("neighbours/properties/within", [population::WITHIN.low, population::WITHIN.high]),
            ("neighbours/properties/nearest", nearest),
            ("neighbours/properties/view", [population::VIEW.low, population::VIEW.high]),
            ("group/properties/size/anyOf/0", [1.0, group::SIZE_MOST as f64]),
            ("group/properties/size/anyOf/1/items", [1.0, group::SIZE_MOST as f64]),
            ("group/properties/weights/items", [group::WEIGHT.low, group::WEIGHT.high]),
            ("group/properties/speeds/items", [population::SPEED.low, population::SPEED.high]),
            ("exponents/items", [reactions::EXPONENT.low, reactions::EXPONENT.high]),
            ("event/properties/at", [run::AT.low, run::AT.high]),
            ("event/properties/count", [1.0, population::PEOPLE_MAX as f64]),
            ("event/properties/speed", [event::FACTOR.low, event::FACTOR.high]),
            ("signal/properties/start", [run::AT.low, run::AT.high]),
            ("phase/properties/for", [signal::LASTING.low, signal::LASTING.high]),
            ("play/properties/fps", [play::FPS.low, play::FPS.high]),
            ("play/properties/start", [run::AT.low, run::AT.high]),
            ("run/properties/until", [run::UNTIL.low, run::UNTIL.high]),
            ("run/properties/tick", [run::TICK.low, run::TICK.high]),
            ("record/properties/every", every),
            ("point/items", [shape::COORDINATE.low, shape::COORDINATE.high]),
        ] {
            let rule = schema.pointer(&format!("/$defs/{pointer}")).expect(pointer);
            let ends = ["minimum", "maximum"].map(|word| rule[word].as_f64());
            assert_eq!(ends, [Some(low), Some(high)], "{pointer}");
        }
    }

    #[test]
    fn schema_takes_what_the_reader_takes() {
        assert_eq!(checked(&template("x")), Ok(()));
        let floor = "[place]\nfloor = [[0, 0], [9, 0], [9, 9]]\n";
        assert_eq!(checked(floor), Ok(()));
        let laws = "[[population]]\ncount = 3\narea = [[0, 0], [9, 0], [9, 9]]\n\
                    model = { tangent = { strategy = { uniform = [0, 1] }, speed_error = 0.4 } }\n";
        assert_eq!(checked(&format!("{floor}{laws}")), Ok(()));
        assert!(Scenario::parse(&format!("{floor}{laws}"), &NoFiles, "x.toml").is_ok());
        for wrong in ["[[population]]\ncount = 3\n", "[run]\ntick = 0\n", "[runs]\n", "[[event]]\nat = 3\n"] {
            let text = format!("{floor}{wrong}");
            assert!(checked(&text).is_err(), "the schema takes {wrong}");
            assert!(Scenario::parse(&text, &NoFiles, "x.toml").is_err(), "the reader takes {wrong}");
        }
    }

    #[test]
    fn scenarios_of_the_project_are_taken_by_reader_and_schema() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../scenarios");
        let entries = std::fs::read_dir(folder).expect("the scenarios folder");
        let mut names: Vec<String> =
            entries.map(|e| e.expect("an entry").file_name().to_string_lossy().into()).collect();
        names.retain(|name| name.ends_with(".toml"));
        names.sort_unstable();
        assert!(names.len() >= 15, "{names:?}");
        for name in names {
            let text = std::fs::read_to_string(format!("{folder}/{name}")).expect("a text");
            assert!(text.starts_with("# "), "{name} does not say what it shows");
            let scenario = Scenario::parse(&text, &NoFiles, &name).unwrap_or_else(|problems| panic!("{problems}"));
            assert!(!scenario.populations.is_empty(), "{name} has no people");
            checked(&text).unwrap_or_else(|wrong| panic!("{name}: {wrong}"));
        }
    }
}
