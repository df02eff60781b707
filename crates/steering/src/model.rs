//! The closed set of steering models, and the one `match` over it.

use crate::parameter::{self, ParameterError};
use crate::{CustomId, Headway, Helbing1995, Helbing2000, Lamarche, Orca, Paris, Reynolds, Rvo, Tangent, Vision};

/// How a walker chooses its velocity.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Model {
    /// Walks at its desired velocity and sees nobody.
    Straight,
    /// Keeps a time gap to whoever is in front (Tordeux, Chraibi, Seyfried 2016). The default.
    Headway(Headway),
    /// Optimal reciprocal collision avoidance (van den Berg, Guy, Lin, Manocha 2011).
    Orca(Orca),
    /// Social force with an elliptic potential and a field of view (Helbing, Molnár 1995).
    Helbing1995(Helbing1995),
    /// Social force with body contact and friction (Helbing, Farkas, Vicsek 2000).
    Helbing2000(Helbing2000),
    /// Reactive navigation by prediction and the best of several reactions (Lamarche, Donikian 2004).
    Lamarche(Lamarche),
    /// The best of some velocities, by time to collision and change (van den Berg, Lin, Manocha 2008).
    Rvo(Rvo),
    /// Directions and speeds that avoid everybody, asked when a foot lands (Paris, Pettré, Donikian 2007).
    Paris(Paris),
    /// Interactions solved as people were seen to (Pettré et al. 2009).
    Tangent(Tangent),
    /// What the bearings of all that is in view say (Ondřej, Pettré, Olivier, Donikian 2010).
    Vision(Vision),
    /// Weighed steering behaviours (Reynolds 1999).
    Reynolds(Reynolds),
    /// One that the user brings; see [`crate::CustomModel`].
    Custom(CustomId),
}

impl Default for Model {
    fn default() -> Self {
        Model::Headway(Headway::default())
    }
}

impl Model {
    /// Names of all models of ours, as scenario files write them.
    pub const fn names() -> &'static [&'static str] {
        &[
            "straight",
            "headway",
            "orca",
            "helbing-1995",
            "helbing-2000",
            "rvo",
            "lamarche",
            "paris",
            "reynolds",
            "tangent",
            "vision",
        ]
    }

    /// The model of that name with its published parameters.
    pub fn named(name: &str) -> Option<Model> {
        Some(match name {
            "straight" => Model::Straight,
            "headway" => Model::Headway(Headway::default()),
            "orca" => Model::Orca(Orca::default()),
            "helbing-1995" => Model::Helbing1995(Helbing1995::default()),
            "helbing-2000" => Model::Helbing2000(Helbing2000::default()),
            "rvo" => Model::Rvo(Rvo::default()),
            "tangent" => Model::Tangent(Tangent::default()),
            "vision" => Model::Vision(Vision::default()),
            "paris" => Model::Paris(Paris::default()),
            "reynolds" => Model::Reynolds(Reynolds::default()),
            "lamarche" => Model::Lamarche(Lamarche::default()),
            _ => return None,
        })
    }

    /// All models with their published parameters.
    pub fn all() -> impl Iterator<Item = Model> {
        Self::names().iter().filter_map(|name| Self::named(name))
    }

    /// Its name, as scenario files write it.
    pub fn name(&self) -> &'static str {
        match self {
            Model::Straight => "straight",
            Model::Headway(_) => "headway",
            Model::Orca(_) => "orca",
            Model::Helbing1995(_) => "helbing-1995",
            Model::Helbing2000(_) => "helbing-2000",
            Model::Rvo(_) => "rvo",
            Model::Paris(_) => "paris",
            Model::Tangent(_) => "tangent",
            Model::Vision(_) => "vision",
            Model::Reynolds(_) => "reynolds",
            Model::Lamarche(_) => "lamarche",
            Model::Custom(_) => "custom",
        }
    }

    /// Sets one parameter by the name it has in a scenario file.
    pub fn set(&mut self, key: &str, value: f32) -> Result<(), ParameterError> {
        match self {
            Model::Straight | Model::Custom(_) => Err(ParameterError::Unknown { known: Vec::new() }),
            Model::Headway(p) => parameter::set(Headway::FIELDS, p, key, value),
            Model::Orca(p) => parameter::set(Orca::FIELDS, p, key, value),
            Model::Helbing1995(p) => parameter::set(Helbing1995::FIELDS, p, key, value),
            Model::Helbing2000(p) => parameter::set(Helbing2000::FIELDS, p, key, value),
            Model::Rvo(_) if key == "samples" && value.is_finite() && value.fract() != 0.0 => {
                Err(ParameterError::OutOfRange { allowed: "20 to 1000, whole" })
            }
            Model::Rvo(p) => parameter::set(Rvo::FIELDS, p, key, value),
            Model::Paris(p) => parameter::set(Paris::FIELDS, p, key, value),
            Model::Tangent(p) => parameter::set(Tangent::FIELDS, p, key, value),
            Model::Vision(p) => parameter::set(Vision::FIELDS, p, key, value),
            Model::Reynolds(p) => parameter::set(Reynolds::FIELDS, p, key, value),
            Model::Lamarche(p) => parameter::set(Lamarche::FIELDS, p, key, value),
        }
    }

    /// Names and values of all parameters.
    pub fn parameters(&self) -> Vec<(&'static str, f32)> {
        match self {
            Model::Straight | Model::Custom(_) => Vec::new(),
            Model::Headway(p) => parameter::list(Headway::FIELDS, p),
            Model::Orca(p) => parameter::list(Orca::FIELDS, p),
            Model::Helbing1995(p) => parameter::list(Helbing1995::FIELDS, p),
            Model::Helbing2000(p) => parameter::list(Helbing2000::FIELDS, p),
            Model::Rvo(p) => parameter::list(Rvo::FIELDS, p),
            Model::Paris(p) => parameter::list(Paris::FIELDS, p),
            Model::Tangent(p) => parameter::list(Tangent::FIELDS, p),
            Model::Vision(p) => parameter::list(Vision::FIELDS, p),
            Model::Reynolds(p) => parameter::list(Reynolds::FIELDS, p),
            Model::Lamarche(p) => parameter::list(Lamarche::FIELDS, p),
        }
    }

    /// Names and ranges of all parameters.
    pub fn ranges(&self) -> Vec<(&'static str, [f32; 2])> {
        match self {
            Model::Straight | Model::Custom(_) => Vec::new(),
            Model::Headway(_) => parameter::ranges(Headway::FIELDS),
            Model::Orca(_) => parameter::ranges(Orca::FIELDS),
            Model::Helbing1995(_) => parameter::ranges(Helbing1995::FIELDS),
            Model::Helbing2000(_) => parameter::ranges(Helbing2000::FIELDS),
            Model::Rvo(_) => parameter::ranges(Rvo::FIELDS),
            Model::Paris(_) => parameter::ranges(Paris::FIELDS),
            Model::Tangent(_) => parameter::ranges(Tangent::FIELDS),
            Model::Vision(_) => parameter::ranges(Vision::FIELDS),
            Model::Reynolds(_) => parameter::ranges(Reynolds::FIELDS),
            Model::Lamarche(_) => parameter::ranges(Lamarche::FIELDS),
        }
    }

    /// The largest step in seconds the model is stable with; the engine divides a tick until it is met.
    pub fn step_max(&self) -> f32 {
        match self {
            Model::Straight | Model::Custom(_) => 1.0,
            Model::Headway(p) => p.step_max(),
            Model::Orca(p) => p.step_max(),
            Model::Helbing1995(p) => p.step_max(),
            Model::Helbing2000(p) => p.step_max(),
            Model::Rvo(p) => p.step_max(),
            Model::Paris(p) => p.step_max(),
            Model::Tangent(p) => p.step_max(),
            Model::Vision(p) => p.step_max(),
            Model::Reynolds(p) => p.step_max(),
            Model::Lamarche(p) => p.step_max(),
        }
    }

    /// Seconds after which the model wants to be asked again; 0: at every step.
    pub fn decide_every(&self) -> f32 {
        match self {
            Model::Orca(p) => p.interval,
            Model::Vision(p) => p.interval,
            _ => 0.0,
        }
    }

    /// Whether it wants to be asked when a foot lands instead of at set times.
    pub fn decides_at_steps(&self) -> bool {
        matches!(self, Model::Paris(_))
    }

    /// Whether its people remember whom they saw.
    pub fn remembers(&self) -> bool {
        matches!(self, Model::Tangent(_) | Model::Vision(_))
    }

    /// Whether its parameters may differ from person to person.
    pub fn differs_between_people(&self) -> bool {
        matches!(self, Model::Tangent(_) | Model::Vision(_))
    }

    /// Whether it slows down in front of where it will stand.
    pub fn slows_before_goals(&self) -> bool {
        matches!(self, Model::Reynolds(_) | Model::Vision(_))
    }

    /// Whether the speed it chooses is taken as it is, not approached as fast as people can: forces are accelerations already, vision has bounds of its own, who sees nobody has
    /// nothing to be sudden about, and what ORCA promises, no collision, holds only for velocities that are taken at once (approached
    /// with 4 m/s2, its circle of 100 overlaps by 6 cm).
    pub fn takes_at_once(&self) -> bool {
        matches!(
            self,
            Model::Straight
                | Model::Orca(_)
                | Model::Helbing1995(_)
                | Model::Helbing2000(_)
                | Model::Reynolds(_)
                | Model::Vision(_)
                | Model::Custom(_)
        )
    }

    /// Whether the direction it chooses is taken as it is, too: vision bounds its turns itself, who sees nobody turns where the way does, and models that users
    /// bring are taken at their word. Social forces push people aside, which is not steering: turned no faster than people do by themselves, those of
    /// `helbing-1995` no longer sway as they are known for, and soft bodies, which nothing else keeps apart, are pressed into each other by 1 to 2 cm.
    pub fn turns_at_once(&self) -> bool {
        matches!(
            self,
            Model::Straight | Model::Helbing1995(_) | Model::Helbing2000(_) | Model::Vision(_) | Model::Custom(_)
        )
    }

    /// Whether it brakes at once where its velocities are else approached as fast as people can: what keeps bodies apart in the
    /// headway model is a speed that is zero where there is no gap.
    pub fn brakes_at_once(&self) -> bool {
        matches!(self, Model::Headway(_))
    }

    /// Whether it gives way to others. Towards those who do not, a walker takes all of the avoidance upon itself.
    pub fn gives_way(&self) -> bool {
        !matches!(self, Model::Straight)
    }

    /// Whether its bodies give under pressure. Two such bodies may overlap by their compression and are not separated.
    pub fn soft_bodies(&self) -> bool {
        matches!(self, Model::Helbing2000(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_name_leads_to_its_model_and_back() {
        for name in Model::names() {
            assert_eq!(Model::named(name).map(|model| model.name()), Some(*name));
        }
        assert_eq!(Model::named("orka"), None);
    }

    #[test]
    fn parameters_are_set_by_name_within_their_range() {
        for mut model in Model::all() {
            for (name, value) in model.parameters() {
                assert_eq!(
                    model.set(name, value),
                    Ok(()),
                    "{} {name}: the default is outside its own range",
                    model.name()
                );
                assert!(matches!(model.set(name, f32::NAN), Err(ParameterError::OutOfRange { .. })), "{name} took NaN");
            }
            for (name, [low, high]) in model.ranges() {
                for outside in [low.next_down(), high.next_up(), f32::INFINITY, f32::NEG_INFINITY] {
                    assert!(model.set(name, outside).is_err(), "{} {name} took {outside}", model.name());
                }
            }
            assert!(matches!(model.set("no such", 1.0), Err(ParameterError::Unknown { .. })));
        }
    }
}
