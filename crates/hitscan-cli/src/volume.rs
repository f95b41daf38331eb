//! Parses volumes on the command line.

use crate::args::numbers;
use hitscan::{Aabb, Capsule, Cone, Cylinder, Sphere, Volume};

/// The values of `--shape`.
pub(crate) const FORMS: &str = "sphere:R|capsule:R,H|cylinder:R,H|cone:R,H|box:X,Y,Z";

/// Parses a volume in one of the [`FORMS`]. Its centre is the origin.
pub(crate) fn volume(text: &str) -> Result<Volume, String> {
    let (name, text) = text.split_once(':').ok_or_else(expected)?;
    match name {
        "sphere" => Ok(Sphere::new(sizes::<1>(text, FORMS)?[0]).into()),
        "capsule" => capsule_in(text, FORMS).map(Into::into),
        "cylinder" => sizes(text, FORMS).map(|[radius, height]| Cylinder::new(radius, height).into()),
        "cone" => sizes(text, FORMS).map(|[radius, height]| Cone::new(radius, height).into()),
        "box" => Ok(Aabb::from_center_size([0.0; 3], sizes::<3>(text, FORMS)?).into()),
        _ => Err(expected()),
    }
}

fn expected() -> String {
    format!("expected {FORMS}, such as capsule:0.4,1.8")
}

/// The value of `--capsule`.
pub(crate) const CAPSULE: &str = "R,H";

/// Parses the radius and the whole height of a capsule.
pub(crate) fn capsule(text: &str) -> Result<Capsule, String> {
    capsule_in(text, CAPSULE)
}

/// Parses the value of `--margin`.
pub(crate) fn margin(text: &str) -> Result<f32, String> {
    sizes::<1>(text, "M").map(|[margin]| margin)
}

fn capsule_in(text: &str, form: &str) -> Result<Capsule, String> {
    let [radius, height] = sizes(text, form)?;
    if height < 2.0 * radius {
        return Err(format!(
            "a capsule of radius {radius} is at least {} high, as its height counts the round ends",
            2.0 * radius
        ));
    }
    Ok(Capsule::new(radius, height))
}

/// Parses sizes that f32 can hold. A size may be 0, which makes the volume a point, a segment or a flat box.
fn sizes<const N: usize>(text: &str, form: &str) -> Result<[f32; N], String> {
    let sizes = numbers::<N>(text).map_err(|problem| format!("{problem}, in {form}"))?.map(|size| size as f32);
    let is_usable = |size: &f32| *size >= 0.0 && size.is_finite();
    sizes.iter().all(is_usable).then_some(sizes).ok_or_else(|| "expected sizes from 0 to 3.4e38".into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn volumes() {
        assert_eq!(volume("sphere:0.5"), Ok(Sphere::new(0.5).into()));
        assert_eq!(volume("sphere:0"), Ok(Sphere::new(0.0).into()));
        assert_eq!(volume("capsule:0.4,1.8"), Ok(Capsule::new(0.4, 1.8).into()));
        assert_eq!(volume("capsule:0.5,1"), Ok(Capsule::new(0.5, 1.0).into()));
        assert_eq!(volume("cylinder:0.5,0.25"), Ok(Cylinder::new(0.5, 0.25).into()));
        assert_eq!(volume("cone:0.5,2"), Ok(Cone::new(0.5, 2.0).into()));
        let [whole, flat] =
            [Aabb::new([-1.0, -2.0, -3.0], [1.0, 2.0, 3.0]), Aabb::new([-1.0, 0.0, -3.0], [1.0, 0.0, 3.0])];
        assert_eq!(volume("box:2,4,6"), Ok(whole.into()));
        assert_eq!(volume("box:2,0,6"), Ok(flat.into()));
        let wrong = [
            ("", "expected sphere:R|capsule:R,H|cylinder:R,H|cone:R,H|box:X,Y,Z, such as "),
            ("ball:1", "expected sphere:R|capsule:R,H|cylinder:R,H|cone:R,H|box:X,Y,Z, such as "),
            ("sphere", "expected sphere:R"),
            ("sphere:", "expected a finite number"),
            ("sphere:1,2", "expected a finite number"),
            ("sphere:nan", "expected a finite number"),
            ("capsule:1", "expected 2 finite numbers"),
            ("cylinder:1", "expected 2 finite numbers"),
            ("cone:-1,2", "from 0 to 3.4e38"),
            ("box:1,1", "expected 3 finite numbers"),
            ("box:1,1,-1", "from 0 to 3.4e38"),
            ("sphere:-1", "from 0 to 3.4e38"),
            ("sphere:1e39", "from 0 to 3.4e38"),
            ("capsule:0.5,0.9", "a capsule of radius 0.5 is at least 1 high"),
        ];
        for (text, expected) in wrong {
            let message = volume(text).unwrap_err();
            assert!(message.contains(expected), "{text}: {message}");
        }
    }
}
