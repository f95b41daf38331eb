//! Arguments of functions of the C interface: their types in C, and how a function reads them.

use anyhow::{Context, Result};

/// The names of arguments, each with the type of handle or struct that it has unless the description has another type.
const USUAL: [(&str, &str); 18] = [
    ("scene", "HsScene"),
    ("mesh", "HsMesh"),
    ("field", "HsHeightField"),
    ("hull", "HsHull"),
    ("shape", "HsShape"),
    ("custom", "HsCustom"),
    ("tree", "HsWindingTree"),
    ("matrix", "HsCollisionMatrix"),
    ("tracker", "HsPairTracker"),
    ("path", "HsPath"),
    ("camera", "HsCamera"),
    ("region", "HsRegion"),
    ("character", "HsCharacter"),
    ("ray", "ray"),
    ("volume", "volume"),
    ("filter", "filter"),
    ("key", "u64"),
    ("pose", "pose"),
];

/// An argument that is read before the question.
pub(super) struct Argument {
    /// The declarations of its parameters in C.
    pub(super) declared: String,
    /// The name of the value that was read, and the expression that reads it; `None` for a number.
    pub(super) read: Option<(String, String)>,
}

impl Argument {
    /// Reads a description such as `scene` or `from: pose`.
    pub(super) fn new(text: &str) -> Result<Self> {
        let (name, kind) = match text.split_once(':') {
            Some((name, kind)) => (name.trim(), kind.trim()),
            None => (text, usual(text).with_context(|| format!("`{text}` needs a kind"))?),
        };
        let pointer = |kind: &str, read: String| Self {
            declared: format!("{name}: *const {kind}"),
            read: Some((name.to_owned(), read)),
        };
        let shared = format!("shared({name}, \"{name}\")?");
        Ok(match kind {
            "ray" => pointer("HsRay", format!("{shared}.as_ray()")),
            "volume" => pointer("HsVolume", format!("{shared}.volume()?")),
            "pose" => pointer("HsPose", format!("{shared}.pose(\"{name}\")?")),
            "vec3" => pointer("f32", format!("crate::ray::vec3({name}, \"{name}\")?")),
            "dvec3" => pointer("f64", format!("numbers({name}, \"{name}\").map(hitscan::glam::DVec3::from_array)?")),
            _ if kind.starts_with('[') => {
                let item = kind[1..].split(';').next().unwrap_or_default();
                pointer(item, format!("numbers({name}, \"{name}\")?"))
            }
            "placement" => pointer("f64", format!("placed({name})?")),
            "filter" => Self {
                declared: format!("{name}: *const HsFilter"),
                read: Some(("asked".to_owned(), format!("Asked::new({name})?"))),
            },
            _ => match kind.strip_prefix("mut ") {
                Some(handle) => Self {
                    declared: format!("{name}: *mut {handle}"),
                    read: Some((name.to_owned(), format!("unique({name}, \"{name}\")?"))),
                },
                None if kind.starts_with("Hs") => pointer(kind, shared),
                None => Self { declared: format!("{name}: {kind}"), read: None },
            },
        })
    }
}

fn usual(name: &str) -> Option<&'static str> {
    USUAL.iter().find(|(usual, _)| *usual == name).map(|(_, kind)| *kind)
}
