//! Checks that the floating-point constants of the library have reasons. A constant has a name and a comment, and the comment refers to a derivation instead of
//! observations.

use crate::files::name;
use crate::questions::{LIBRARY, sources};
use crate::shell::root;
use anyhow::{Result, ensure};

/// Files whose numbers decide nothing about a query. They are the generator of the tests, and tests in files of their
/// own.
const EXCEPT: [&str; 4] = ["bvh/dynamic/validate.rs", "bvh/builder/tests.rs", "math/random.rs", "mesh/tests.rs"];

/// Words in a comment on a bound that was observed, and not derived.
const OBSERVED: [&str; 7] =
    ["far above", "far below", "in all tests", "in practice", "notable", "noticeable", "seems enough"];

/// Words in a comment that refers to the derivation, or says that no answer needs one.
const DERIVED: [&str; 2] = ["docs/robustness", "only cost"];

/// The least number of such constants.
const LEAST: usize = 150;

/// Fails if a constant has no reason, or a literal no name.
pub(crate) fn check() -> Result<()> {
    let folder = root().join(LIBRARY);
    let (mut faults, mut count) = (Vec::new(), 0);
    for (path, source) in sources(&folder)?.iter().filter(|(path, _)| !EXCEPT.iter().any(|file| path.ends_with(file))) {
        count += constants(code(source)).count();
        let found = literals(code(source)).chain(constants(code(source)).filter_map(|found| found.fault()));
        faults.extend(found.map(|(line, fault)| format!("{}:{line}: {fault}", name(path))));
    }
    ensure!(faults.is_empty(), "{}", faults.join("\n"));
    ensure!(count >= LEAST, "{LIBRARY} has {count} floating-point constants: has the check lost them?");
    Ok(())
}

/// Returns a file without its tests, which are at its end.
fn code(source: &str) -> &str {
    source.split("#[cfg(test)]\nmod ").next().unwrap_or(source)
}

/// Returns the lines outside of constants that have a literal with an exponent, because tolerances are written so.
fn literals(source: &str) -> impl Iterator<Item = (usize, String)> {
    let code = (1..).zip(source.lines()).map(|(number, line)| (number, line.split("//").next().unwrap_or(line)));
    code.filter(|(_, code)| !code.contains("const ") && has_exponent(code))
        .map(|(number, _)| (number, "a number with an exponent has no name".to_owned()))
}

/// Returns whether there is a number like `1e-9` in a line.
fn has_exponent(code: &str) -> bool {
    let words = code.split(|c: char| !(c.is_alphanumeric() || "_.-".contains(c)));
    words.filter_map(|word| word.trim_start_matches('-').split_once('e')).any(|(digits, exponent)| {
        let is_number = digits.starts_with(|c: char| c.is_ascii_digit())
            && digits.chars().all(|c| c.is_ascii_digit() || c == '_' || c == '.');
        is_number && exponent.trim_start_matches('-').starts_with(|c: char| c.is_ascii_digit())
    })
}

/// A floating-point constant with its comment. Constants that follow without a comment share the comment of the first one.
struct Constant {
    line: usize,
    name: String,
    comment: String,
}

impl Constant {
    fn fault(&self) -> Option<(usize, String)> {
        let observed = OBSERVED.iter().find(|words| self.comment.contains(*words));
        let is_derived = DERIVED.iter().any(|words| self.comment.contains(words));
        let fault = match observed {
            _ if self.comment.is_empty() => format!("`{}` has no comment with its reason", self.name),
            Some(words) if !is_derived => format!("`{}` has `{words}` in place of a derivation", self.name),
            _ => return None,
        };
        Some((self.line, fault))
    }
}

fn constants(source: &str) -> impl Iterator<Item = Constant> {
    let mut comment = String::new();
    let (mut is_done, mut is_signature) = (false, false);
    (1..).zip(source.lines()).filter_map(move |(line, text)| {
        let text = text.trim_start();
        if let Some(words) = text.strip_prefix("//") {
            if std::mem::take(&mut is_done) {
                comment.clear();
            }
            comment.push_str(words.trim_start_matches('/'));
            return None;
        }
        // The comment of a function is also the comment of a constant at its beginning.
        if text.contains("fn ") || is_signature {
            (is_done, is_signature) = (true, !text.ends_with(['{', ';', '}']));
            return None;
        }
        let Some((name, kind)) = text.split_once("const ").and_then(|(_, rest)| rest.split_once(": ")) else {
            if !text.starts_with("#[") {
                comment.clear();
            }
            return None;
        };
        is_done = true;
        let kind = kind.trim_start_matches('[');
        let is_float = ["f32", "f64"].iter().any(|float| kind.starts_with(float));
        // The mathematical constants need no reason.
        (is_float && !kind.contains("consts::")).then(|| Constant {
            line,
            name: name.to_owned(),
            comment: comment.clone(),
        })
    })
}

#[cfg(test)]
mod tests {
    use super::{code, constants, literals};

    fn faults(source: &str) -> Vec<(usize, String)> {
        constants(source).filter_map(|found| found.fault()).collect()
    }

    #[test]
    fn literals_have_names() {
        let source = "const A: f64 = 1e-9;\nlet b = a <= 1e60; // 1e-9\nlet c = \"e\" + one_e9 + 0x1e9;\nlet d = 2.5e-3f32;\nlet e = stage-1;\n";
        assert_eq!(literals(source).map(|(line, _)| line).collect::<Vec<_>>(), [2, 4]);
    }

    #[test]
    fn constants_have_reasons() {
        let source = "/// The bound, 3 u (docs/robustness/rays.md).\nconst A: f64 = 1.0;\nconst B: [f32; 2] = C;\n\nconst D: f32 = 1.0;\n\
                      /// It is far above all errors.\n#[inline]\n    pub(crate) const E: f64 = 1.0;\n\
                      /// It is far above the error; more only costs work.\nconst F: f64 = 1.0;\nconst G: usize = 1;\nfn f() {}\n";
        let names: Vec<(usize, String)> = faults(source);
        assert_eq!(names.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [5, 8], "{names:?}");
        assert!(names[0].1.contains("`D` has no comment") && names[1].1.contains("`E` has `far above`"), "{names:?}");
    }

    #[test]
    fn functions_explain_their_first_constants() {
        let function = "fn f<const N: usize>(\n    a: f64,\n) -> f64 {\n    const A: f64 = 1.0;\n    let b = a;\n    const C: f64 = 1.0;\n}\n";
        assert_eq!(faults(&format!("/// The bound is 3 u.\n{function}")).len(), 1);
        assert_eq!(faults(function).len(), 2);
    }

    #[test]
    fn tests_are_left_out() {
        assert_eq!(code("const A: u8 = 1;\n#[cfg(test)]\nmod tests {}\n"), "const A: u8 = 1;\n");
    }
}
