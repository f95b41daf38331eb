//! The choice of the animation that `--animation` names.

use crate::output::Console;
use anyhow::{Result, anyhow};
use hitscan_io::Animation;

/// Returns the index of the animation with this name, or else with this index. If several have the name, returns the
/// first.
pub(crate) fn choose(animations: &[Animation], wanted: &str, console: &Console) -> Result<usize> {
    let numbered = animations.iter().enumerate();
    let by_name: Vec<usize> =
        numbered.filter(|(_, animation)| animation.name.as_deref() == Some(wanted)).map(|(index, _)| index).collect();
    let by_index = wanted.parse::<usize>().ok().filter(|&index| index < animations.len());
    match by_name[..] {
        [] => by_index.ok_or_else(|| not_there(animations, wanted)),
        [animation] => Ok(animation),
        [first, ..] => {
            console.warn(format_args!(
                "--animation {wanted} names {} animations: {}; the first of them is taken",
                by_name.len(),
                list(animations.iter().enumerate().filter(|(index, _)| by_name.contains(index)))
            ));
            Ok(first)
        }
    }
}

fn not_there(animations: &[Animation], wanted: &str) -> anyhow::Error {
    if animations.is_empty() {
        return anyhow!("--animation {wanted}: the model has no animations; leave it out to have the model at rest");
    }
    anyhow!("--animation {wanted}: there is no such animation; the model has {}", list(animations.iter().enumerate()))
}

fn list<'a>(animations: impl Iterator<Item = (usize, &'a Animation)>) -> String {
    animations.map(described).collect::<Vec<_>>().join(", ")
}

/// Returns the index and the name of an animation.
fn described((index, animation): (usize, &Animation)) -> String {
    match &animation.name {
        Some(name) => format!("{index} {name:?}"),
        None => index.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan_io::Model;

    /// Makes animations with these names and without channels.
    fn animations(names: &[Option<&str>]) -> Vec<Animation> {
        let list: Vec<_> = names.iter().map(|name| serde_json::json!({"name": name.unwrap_or("")})).collect();
        let file = serde_json::json!({"asset": {"version": "2.0"}, "animations": list});
        Model::from_bytes(file.to_string().as_bytes(), None).unwrap().animations
    }

    #[test]
    fn a_name_goes_before_an_index() {
        let animations = animations(&[Some("1"), Some("Run"), Some("Run"), None]);
        let chosen = |wanted| choose(&animations, wanted, &Console::new(true));
        let cases = [("1", 0), ("0", 0), ("Run", 1), ("2", 2), ("3", 3)];
        for (wanted, index) in cases {
            assert_eq!(chosen(wanted).unwrap(), index, "{wanted}");
        }
        for wanted in ["run", "4", "-1", "1.0", ""] {
            let message = chosen(wanted).unwrap_err().to_string();
            assert!(message.ends_with(r#"the model has 0 "1", 1 "Run", 2 "Run", 3"#), "{message}");
        }
    }

    #[test]
    fn a_model_without_animations_says_so() {
        let message = choose(&[], "0", &Console::new(true)).unwrap_err().to_string();
        assert!(message.contains("has no animations"), "{message}");
    }
}
