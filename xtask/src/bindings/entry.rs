//! Entries of the tables: an unknown key, or a value of another type, is an error rather than ignored.

use anyhow::{Context, Result, bail, ensure};
use toml::Value;

/// A key of a table, and TOML's name of the type of its value.
pub(super) type Key = (&'static str, &'static str);

/// Checks that an entry has only known keys, each with a value of its type.
pub(super) fn check_keys(entry: &Value, known: &[Key]) -> Result<()> {
    for (key, value) in entry.as_table().context("it is no table")? {
        match known.iter().find(|(name, _)| name == key) {
            None => {
                let names: Vec<_> = known.iter().map(|(name, _)| *name).collect();
                bail!("there is no key `{key}`: the keys are {}", names.join(", "))
            }
            Some((_, wanted)) => {
                ensure!(value.type_str() == *wanted, "`{key}` is of the type {}, not {wanted}", value.type_str());
            }
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Key, check_keys};

    const KEYS: [Key; 2] = [("name", "string"), ("kind", "integer")];

    fn error(entry: &str) -> Option<String> {
        let entry = entry.parse::<toml::Table>().expect("a table").into();
        check_keys(&entry, &KEYS).err().map(|error| error.to_string())
    }

    #[test]
    fn an_unknown_key_and_a_wrong_type_are_named() {
        assert_eq!(error("name = 'ball'\nkind = 3"), None);
        assert_eq!(error("radius = 'ball'").as_deref(), Some("there is no key `radius`: the keys are name, kind"));
        assert_eq!(error("kind = '3'").as_deref(), Some("`kind` is of the type string, not integer"));
    }
}
