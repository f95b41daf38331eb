//! The pictures that `map_Kd` puts on materials.

use super::library::Libraries;
use crate::error::{Item, Warning};
use crate::file::Folder;
use crate::texture::Detail;
use crate::texture::{Decoder, MAX_FILE, Texture};
use hitscan::glam::{DAffine2, DMat2, DVec2};
use hitscan::mesh::Wrap;
use std::collections::HashMap;
use std::sync::Arc;

/// After this many pictures that cannot be read, no more are looked for.
const MAX_FAULTS: usize = 20;

/// Gives the libraries' materials their pictures, and returns the layout of each material's picture.
pub(super) fn read(
    libraries: &mut Libraries,
    folder: &Folder<'_>,
    warnings: &mut Vec<Warning>,
) -> Vec<Option<DAffine2>> {
    let mut pictures = Pictures { folder, decoder: Decoder::new(Detail::Colors), known: HashMap::new() };
    let mut faults = 0;
    let mut layouts = Vec::new();
    for (index, (material, statement)) in libraries.materials.iter_mut().zip(&libraries.pictures).enumerate() {
        let statement = statement.as_deref().filter(|_| faults < MAX_FAULTS).map(Statement::read);
        layouts.push(statement.and_then(|statement| match pictures.texture(&statement) {
            Ok(texture) => {
                material.texture = Some(texture);
                Some(statement.layout)
            }
            Err(fault) => {
                faults += 1;
                let material = Item::named("material", index, material.name.as_deref());
                warnings.push(Warning::Untextured { material, fault });
                None
            }
        }));
    }
    layouts
}

/// Decodes each picture once.
struct Pictures<'a> {
    folder: &'a Folder<'a>,
    decoder: Decoder,
    known: HashMap<(String, Wrap), Result<Arc<Texture>, String>>,
}

impl Pictures<'_> {
    fn texture(&mut self, statement: &Statement<'_>) -> Result<Arc<Texture>, String> {
        let key = (statement.file.to_owned(), statement.wrap);
        if let Some(known) = self.known.get(&key) {
            return known.clone();
        }
        let texture = self.decode(statement).map(Arc::new);
        self.known.insert(key, texture.clone());
        texture
    }

    fn decode(&mut self, statement: &Statement<'_>) -> Result<Texture, String> {
        let name = statement.file;
        let bytes = self.folder.read(name, MAX_FILE)?;
        let wrap = [statement.wrap; 2];
        self.decoder.decode(&bytes, wrap).map_err(|fault| format!("{name:?} cannot be read: {fault}"))
    }
}

/// Options and a file.
struct Statement<'a> {
    file: &'a str,
    wrap: Wrap,
    /// The transform from texture coordinates, whose v goes up, to coordinates of the picture, whose v goes down.
    layout: DAffine2,
}

impl<'a> Statement<'a> {
    /// Reads options: `-s u v w` scales, `-o u v w` moves, `-clamp on` ends the repetition; other options change nothing here.
    fn read(text: &'a str) -> Self {
        let (mut scale, mut offset, mut wrap) = (DVec2::ONE, DVec2::ZERO, Wrap::Repeat);
        let mut rest = text;
        while let Some((option, behind)) = word(rest).filter(|(word, _)| word.starts_with('-')) {
            rest = behind;
            match option {
                "-s" => scale = numbers(&mut rest, scale),
                "-o" => offset = numbers(&mut rest, offset),
                "-t" => drop(numbers(&mut rest, DVec2::ZERO)),
                "-clamp" => {
                    if argument(&mut rest) == Some("on") {
                        wrap = Wrap::ClampToEdge;
                    }
                }
                "-mm" => {
                    argument(&mut rest);
                    argument(&mut rest);
                }
                _ => drop(argument(&mut rest)),
            }
        }
        let turned = DAffine2::from_mat2_translation(DMat2::from_diagonal(DVec2::new(1.0, -1.0)), DVec2::Y);
        let placed = DAffine2::from_mat2_translation(DMat2::from_diagonal(scale), offset);
        Self { file: rest.trim(), wrap, layout: turned * placed }
    }
}

/// Returns the first word, and the rest.
fn word(text: &str) -> Option<(&str, &str)> {
    let text = text.trim_start();
    let end = text.find(char::is_whitespace).unwrap_or(text.len());
    (end > 0).then(|| text.split_at(end))
}

fn argument<'a>(rest: &mut &'a str) -> Option<&'a str> {
    let (argument, behind) = word(rest)?;
    *rest = behind;
    Some(argument)
}

/// Returns one to three numbers, of which the third does not matter for a picture.
fn numbers(rest: &mut &str, missing: DVec2) -> DVec2 {
    let mut numbers = missing.extend(0.0);
    for axis in 0..3 {
        let number = word(rest).and_then(|(word, behind)| Some((word.parse::<f64>().ok()?, behind)));
        let Some((number, behind)) = number.filter(|(number, _)| number.is_finite()) else { break };
        (numbers[axis], *rest) = (number, behind);
    }
    numbers.truncate()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_stand_before_the_file() {
        let plain = Statement::read(" my wood.png ");
        assert_eq!((plain.file, plain.wrap), ("my wood.png", Wrap::Repeat));
        assert_eq!(plain.layout.transform_point2(DVec2::new(0.25, 0.25)), DVec2::new(0.25, 0.75));
        let all = Statement::read("-blendu off -s 2 3 1 -o 0.5 -mm 0 1 -clamp on -t 1 1 1 -bm 2 dir\\a.png");
        assert_eq!((all.file, all.wrap), ("dir\\a.png", Wrap::ClampToEdge));
        assert_eq!(all.layout.transform_point2(DVec2::new(1.0, 0.5)), DVec2::new(2.5, -0.5));
        assert_eq!(Statement::read("-s 2 3.png").file, "3.png");
    }
}
