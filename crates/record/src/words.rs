//! The JSON of a recording: header, people and events.

use serde::{Deserialize, Serialize};

use crate::{Event, Header, Person};

/// The body of one journal record of words: what was not yet in the ones before.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct Words {
    /// In the first record only.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub header: Option<Header>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub people: Option<People>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub events: Vec<Event>,
}

/// Just the number that says whether the rest can be understood.
#[derive(Deserialize)]
pub(crate) struct Version {
    pub header: VersionOfHeader,
}

/// See [`Version`].
#[derive(Deserialize)]
pub(crate) struct VersionOfHeader {
    pub format: u32,
}

/// People as an object of arrays, which is what data frames are made from. Row `i` of every column is the same person.
#[derive(Debug, Default, Serialize, Deserialize)]
pub(crate) struct People {
    id: Vec<u32>,
    population: Vec<String>,
    radius: Vec<f32>,
    mass: Vec<f32>,
    speed: Vec<f32>,
    model: Vec<String>,
}

impl People {
    /// Takes people apart.
    pub(crate) fn from_people(people: &[Person]) -> Self {
        let mut columns = Self::default();
        for Person { id, population, radius, mass, speed, model } in people {
            columns.id.push(*id);
            columns.population.push(population.clone());
            columns.radius.push(*radius);
            columns.mass.push(*mass);
            columns.speed.push(*speed);
            columns.model.push(model.clone());
        }
        columns
    }

    /// Appends everybody to `out`; `None`, and nothing appended, when the columns differ in length.
    pub(crate) fn append_to(self, out: &mut Vec<Person>) -> Option<()> {
        let Self { id, population, radius, mass, speed, model } = self;
        let count = id.len();
        if [population.len(), radius.len(), mass.len(), speed.len(), model.len()] != [count; 5] {
            return None;
        }
        let names = population.into_iter().zip(model);
        let numbers = radius.into_iter().zip(mass).zip(speed);
        out.extend(id.into_iter().zip(names).zip(numbers).map(
            |((id, (population, model)), ((radius, mass), speed))| Person {
                id,
                population,
                radius,
                mass,
                speed,
                model,
            },
        ));
        Some(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn people_are_an_object_of_arrays() {
        let person = Person {
            id: 7,
            population: "visitors".into(),
            radius: 0.25,
            mass: 80.0,
            speed: 1.34,
            model: "orca".into(),
        };
        let json = serde_json::to_string(&People::from_people(std::slice::from_ref(&person))).expect("JSON");
        assert_eq!(
            json,
            r#"{"id":[7],"population":["visitors"],"radius":[0.25],"mass":[80.0],"speed":[1.34],"model":["orca"]}"#
        );
        let mut back = Vec::new();
        let columns: People = serde_json::from_str(&json).expect("people");
        assert_eq!(columns.append_to(&mut back), Some(()));
        assert_eq!(back, [person]);
    }

    #[test]
    fn columns_of_different_length_are_refused() {
        let columns = People { id: vec![1], ..People::default() };
        assert_eq!(columns.append_to(&mut Vec::new()), None);
    }
}
