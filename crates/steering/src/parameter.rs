//! Parameters by name: how a scenario file sets them, with the range each may take.

/// One parameter of a model: its name in a scenario file, its range, and where it lives in the model's struct.
pub(crate) struct Field<P> {
    pub name: &'static str,
    pub low: f32,
    pub high: f32,
    /// The range in words, with its unit.
    pub allowed: &'static str,
    pub slot: fn(&mut P) -> &mut f32,
}

/// Why a parameter was not taken.
#[derive(Debug, Clone, PartialEq)]
pub enum ParameterError {
    /// The model has no such parameter.
    Unknown {
        /// Those it has.
        known: Vec<&'static str>,
    },
    /// The value is outside the documented range.
    OutOfRange {
        /// The range in words.
        allowed: &'static str,
    },
}

/// Sets the parameter called `key`.
pub(crate) fn set<P>(fields: &[Field<P>], params: &mut P, key: &str, value: f32) -> Result<(), ParameterError> {
    let Some(field) = fields.iter().find(|field| field.name == key) else {
        return Err(ParameterError::Unknown { known: fields.iter().map(|field| field.name).collect() });
    };
    if !(field.low..=field.high).contains(&value) {
        return Err(ParameterError::OutOfRange { allowed: field.allowed });
    }
    *(field.slot)(params) = value;
    Ok(())
}

/// Names and ranges of all parameters.
pub(crate) fn ranges<P>(fields: &[Field<P>]) -> Vec<(&'static str, [f32; 2])> {
    fields.iter().map(|field| (field.name, [field.low, field.high])).collect()
}

/// Names and values of all parameters.
pub(crate) fn list<P: Clone>(fields: &[Field<P>], params: &P) -> Vec<(&'static str, f32)> {
    let mut copy = params.clone();
    fields.iter().map(|field| (field.name, *(field.slot)(&mut copy))).collect()
}
