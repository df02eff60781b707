//! Curves of glTF: keys in time, and what is between them (glTF 2.0, appendix C).

use super::ImportError;
use super::gltf_buffers::{Document, whole};
use passerby_geometry::{DQuat, DVec3};
use serde_json::Value;

#[derive(Debug, Clone, Copy, PartialEq)]
enum Between {
    Step,
    Linear,
    Cubic,
}

/// A curve of `width` numbers.
pub(super) struct Curve {
    pub times: Vec<f64>,
    values: Vec<f64>,
    width: usize,
    between: Between,
}

impl Curve {
    /// Reads sampler `index` of an animation. Times have to rise.
    pub fn read(
        document: &Document,
        animation: &Value,
        index: usize,
        width: usize,
        place: &str,
    ) -> Result<Self, ImportError> {
        let fail = |what: String| Err(ImportError::new(place, what));
        let samplers = animation.get("samplers").and_then(Value::as_array);
        let Some(sampler) = samplers.and_then(|samplers| samplers.get(index)) else {
            return fail(format!("sampler {index} does not exist"));
        };
        let between = match sampler.get("interpolation").map(|name| name.as_str()) {
            None | Some(Some("LINEAR")) => Between::Linear,
            Some(Some("STEP")) => Between::Step,
            Some(Some("CUBICSPLINE")) => Between::Cubic,
            Some(other) => return fail(format!("interpolation {other:?}: LINEAR, STEP or CUBICSPLINE")),
        };
        let times = document.numbers(whole(sampler, "input", place)?, 1, place)?;
        let values = document.numbers(whole(sampler, "output", place)?, width, place)?;
        if times.is_empty() {
            return fail(format!("sampler {index} has no keys"));
        }
        if times[0] < 0.0 || times.windows(2).any(|pair| pair[1] <= pair[0]) {
            return fail(format!("times of sampler {index} have to rise from 0 on"));
        }
        let needed = times.len() * width * if between == Between::Cubic { 3 } else { 1 };
        if values.len() != needed {
            return fail(format!(
                "sampler {index} has {} times and {} numbers: {needed} are needed",
                times.len(),
                values.len()
            ));
        }
        Ok(Self { times, values, width, between })
    }

    /// The key before a time, and how far it is to the next one, 0 to 1.
    fn at(&self, time: f64) -> (usize, f64) {
        let after = self.times.partition_point(|key| *key <= time);
        match after {
            0 => (0, 0.0),
            after if after == self.times.len() => (after - 1, 0.0),
            after => (after - 1, (time - self.times[after - 1]) / (self.times[after] - self.times[after - 1])),
        }
    }

    fn key(&self, key: usize) -> &[f64] {
        let start = if self.between == Between::Cubic { (key * 3 + 1) * self.width } else { key * self.width };
        &self.values[start..start + self.width]
    }

    /// The curve at a time, held before the first and after the last key; not normalised.
    fn sample<const N: usize>(&self, time: f64) -> [f64; N] {
        let (key, share) = self.at(time);
        let here = self.key(key);
        if share == 0.0 || self.between == Between::Step {
            return std::array::from_fn(|n| here[n]);
        }
        let next = self.key(key + 1);
        if self.between == Between::Linear {
            return std::array::from_fn(|n| here[n] + (next[n] - here[n]) * share);
        }
        let (t, t2, t3) = (share, share * share, share * share * share);
        let length = self.times[key + 1] - self.times[key];
        let out = &self.values[(key * 3 + 2) * N..];
        let into = &self.values[(key + 1) * 3 * N..];
        std::array::from_fn(|n| {
            (2.0 * t3 - 3.0 * t2 + 1.0) * here[n]
                + length * (t3 - 2.0 * t2 + t) * out[n]
                + (-2.0 * t3 + 3.0 * t2) * next[n]
                + length * (t3 - t2) * into[n]
        })
    }

    /// A place.
    pub fn vector(&self, time: f64) -> DVec3 {
        DVec3::from_array(self.sample::<3>(time))
    }

    /// A rotation: on the great circle between two keys if linear.
    pub fn rotation(&self, time: f64) -> DQuat {
        let (key, share) = self.at(time);
        let of = |numbers: [f64; 4]| {
            let rotation = DQuat::from_array(numbers);
            let length = rotation.length();
            if length > 1e-9 { rotation * (1.0 / length) } else { DQuat::IDENTITY }
        };
        if self.between == Between::Linear && share > 0.0 {
            let (here, next) = (self.key(key), self.key(key + 1));
            return of(std::array::from_fn(|n| here[n])).slerp(of(std::array::from_fn(|n| next[n])), share).normalize();
        }
        of(self.sample::<4>(time))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn curve(between: Between, values: &[f64]) -> Curve {
        Curve { times: vec![1.0, 3.0], values: values.to_vec(), width: 3, between }
    }

    /// Hermite by hand: from 0 with slope 1 to 2 with slope 0 over 2 s; in the middle 0.5 * 2 + 2 * 0.125 * 1 = 1.25.
    #[test]
    fn curves_between_keys() {
        let check = |curve: &Curve, time: f64, expected: f64| {
            let got = curve.vector(time).x;
            assert!((got - expected).abs() < 1e-12, "{:?} at {time}: {got}", curve.between);
        };
        let plain = [0.0, 0.0, 0.0, 2.0, 0.0, 0.0];
        for (between, middle) in [(Between::Linear, 1.0), (Between::Step, 0.0)] {
            let curve = curve(between, &plain);
            (check(&curve, 0.0, 0.0), check(&curve, 2.0, middle), check(&curve, 3.0, 2.0), check(&curve, 9.0, 2.0));
        }
        let mut keys = [0.0; 18];
        (keys[6] = 1.0, keys[12] = 2.0);
        let cubic = curve(Between::Cubic, &keys);
        (check(&cubic, 1.0, 0.0), check(&cubic, 2.0, 1.25), check(&cubic, 3.0, 2.0));
    }
}
