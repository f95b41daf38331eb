//! Material libraries (.mtl).

use crate::file::Folder;
use crate::material::{Alpha, Material};
use crate::text;
use std::collections::{HashMap, HashSet};

/// The number of bytes that the libraries of one model may have together; more than the libraries of any real model
/// have.
const MAX_BYTES: usize = 1 << 26;
/// Each library is counted as at least this many bytes, so that the number of small libraries is limited too.
const LEAST_BYTES: usize = 1 << 12;
/// The number of unreadable libraries that are named.
const MAX_FAULTS: usize = 20;

/// The materials of all libraries of a file.
pub(super) struct Libraries {
    pub(super) materials: Vec<Material>,
    /// The `map_Kd` of each material.
    pub(super) pictures: Vec<Option<String>>,
    /// The first material of each name.
    pub(super) known: HashMap<String, usize>,
    /// The libraries that cannot be read, and why.
    pub(super) faults: Vec<String>,
}

impl Libraries {
    /// Reads the libraries that `mtllib` statements name. A statement names one file with spaces in its name, or
    /// several files.
    pub(super) fn load(statements: &[String], folder: &Folder<'_>) -> Self {
        let mut libraries =
            Self { materials: Vec::new(), pictures: Vec::new(), known: HashMap::new(), faults: Vec::new() };
        let mut seen = HashSet::new();
        let mut bytes_left = MAX_BYTES;
        for statement in statements.iter().filter(|&statement| seen.insert(statement)) {
            if libraries.faults.len() == MAX_FAULTS {
                libraries.faults.push("there are more libraries that cannot be read".into());
                break;
            }
            libraries.add(statement, folder, &mut bytes_left);
        }
        libraries
    }

    fn add(&mut self, statement: &str, folder: &Folder<'_>, bytes_left: &mut usize) {
        let names: Vec<&str> = statement
            .split(|c| u8::try_from(c).is_ok_and(|byte| text::is_space(&byte)))
            .filter(|name| !name.is_empty())
            .collect();
        let whole = open(statement, folder, bytes_left);
        if names.len() < 2 || whole.is_ok() {
            self.extend(whole);
            return;
        }
        for name in names {
            if self.faults.len() < MAX_FAULTS {
                self.extend(open(name, folder, bytes_left));
            }
        }
    }

    fn extend(&mut self, library: Result<Vec<u8>, String>) {
        match library {
            Ok(bytes) => {
                for (material, picture) in parse(&text::decode(&bytes)) {
                    let name = material.name.clone().unwrap_or_default();
                    self.known.entry(name).or_insert(self.materials.len());
                    self.materials.push(material);
                    self.pictures.push(picture);
                }
            }
            Err(fault) => self.faults.push(fault),
        }
    }
}

fn open(name: &str, folder: &Folder<'_>, bytes_left: &mut usize) -> Result<Vec<u8>, String> {
    let bytes = folder.read(name, *bytes_left + 1)?;
    let rest = bytes_left.checked_sub(bytes.len().max(LEAST_BYTES));
    *bytes_left = rest
        .ok_or_else(|| format!("{name:?}: the libraries are too many, or have more than {MAX_BYTES} bytes together"))?;
    Ok(bytes)
}

/// The statements that say how much is seen through a material, and which picture is on it.
#[derive(Default)]
struct Look {
    picture: Option<String>,
    dissolve: Option<f32>,
    /// The opposite of `d`. Some programs write 1 for a solid material, so `d` is used if both are given.
    transparency: Option<f32>,
    has_picture_of_opacity: bool,
}

fn parse(text: &[u8]) -> Vec<(Material, Option<String>)> {
    let mut materials: Vec<(Material, Look)> = Vec::new();
    for (_, line) in text::Lines::new(text) {
        let Some((keyword, rest)) = text::split_word(line) else { continue };
        if keyword == b"newmtl" {
            let name = Some(text::name(rest));
            let material = Material { name, base_color: [1.0; 4], alpha: Alpha::Opaque, texture: None };
            materials.push((material, Look::default()));
            continue;
        }
        let Some((material, look)) = materials.last_mut() else { continue };
        match keyword {
            b"Kd" => {
                if let Some(color) = color(rest) {
                    material.base_color[..3].copy_from_slice(&color);
                }
            }
            b"d" => look.dissolve = fraction(text::trim_start(rest).strip_prefix(b"-halo").unwrap_or(rest)),
            b"Tr" => look.transparency = fraction(rest),
            b"map_Kd" => look.picture = Some(text::name(rest)),
            b"map_d" => look.has_picture_of_opacity = true,
            _ => {}
        }
    }
    let finished = |(mut material, look): (Material, Look)| {
        let seen = look.dissolve.or(look.transparency.map(|transparency| 1.0 - transparency)).unwrap_or(1.0);
        material.base_color[3] = seen;
        material.alpha = if seen < 1.0 || look.has_picture_of_opacity { Alpha::Blend } else { Alpha::Opaque };
        (material, look.picture)
    };
    materials.into_iter().map(finished).collect()
}

/// Reads red, green and blue; a single number means all three. `None` for a spectrum.
fn color(rest: &[u8]) -> Option<[f32; 3]> {
    let mut numbers = text::words(rest).map_while(|word| text::number::<f32>(word).filter(|value| value.is_finite()));
    let red = numbers.next()?;
    let (green, blue) = (numbers.next(), numbers.next());
    Some([red, green.unwrap_or(red), blue.unwrap_or(red)])
}

fn fraction(rest: &[u8]) -> Option<f32> {
    text::number::<f32>(text::words(rest).next()?).filter(|value| (0.0..=1.0).contains(value))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements() {
        let text = b"Kd 9 9 9\nnewmtl red glass \nKd 1 0.5 0 \r\n Tr 0.75\nd 0.25\nnewmtl b\nKd 0.5\nTr 0.25\nKd spectral x.rfl 1\n\
            newmtl leaf\nmap_d leaf.png\nd -halo 1";
        let materials = parse(text);
        let told: Vec<_> = materials.iter().map(|(m, _)| (m.name.as_deref().unwrap(), m.base_color, m.alpha)).collect();
        let expected = [
            ("red glass", [1.0, 0.5, 0.0, 0.25], Alpha::Blend),
            ("b", [0.5, 0.5, 0.5, 0.75], Alpha::Blend),
            ("leaf", [1.0; 4], Alpha::Blend),
        ];
        assert_eq!(told, expected);
    }
}
