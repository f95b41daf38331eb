//! The functions of the header, with their parameters and docs.

use super::program::CAPI;
use crate::files::read;
use crate::map::sentence;
use crate::shell::root;
use anyhow::{Result, ensure};

/// A function of the header.
pub(super) struct Function {
    /// The type that it returns.
    pub(super) answer: String,
    pub(super) name: String,
    pub(super) parameters: Vec<Parameter>,
    /// The first sentence of its docs.
    pub(super) says: String,
}

pub(super) struct Parameter {
    pub(super) kind: String,
    pub(super) name: String,
}

impl Parameter {
    /// Reads a declaration such as `const float *origin`.
    fn new(text: &str) -> Option<Self> {
        let start = text.rfind(|c: char| !(c.is_alphanumeric() || c == '_'))? + 1;
        Some(Self { kind: text[..start].trim().to_owned(), name: text[start..].to_owned() })
    }

    pub(super) fn is_pointer(&self) -> bool {
        self.kind.ends_with('*')
    }
}

/// Reads the functions of the header.
pub(super) fn functions() -> Result<Vec<Function>> {
    let path = root().join(CAPI).join("include/hitscan.h");
    let (found, said) = functions_of(&read(&path)?);
    ensure!(found.len() == said, "{} functions of {said} in {} were understood", found.len(), path.display());
    Ok(found)
}

/// Returns the functions of a header, and the number of function names in it.
fn functions_of(header: &str) -> (Vec<Function>, usize) {
    let (mut found, mut said) = (Vec::new(), 0);
    let (mut code, mut docs, mut is_comment) = (String::new(), String::new(), false);
    for line in header.lines().map(str::trim) {
        if line.starts_with("/*") {
            (is_comment, docs) = (true, String::new());
        }
        if is_comment {
            docs += line.trim_matches(['/', '*']).trim();
            docs.push(' ');
        } else if !line.starts_with('#') {
            code += line;
            code.push(' ');
        }
        is_comment &= !line.ends_with("*/");
        if let Some(declaration) = code.trim_end().strip_suffix(';') {
            said += declaration.matches(" hs_").count() + declaration.matches("*hs_").count();
            found.extend(function(declaration, &docs));
            code.clear();
        }
    }
    (found, said)
}

/// Reads a declaration such as `HsStatus hs_scene_new(HsScene **scene)`.
fn function(declaration: &str, docs: &str) -> Option<Function> {
    let (head, rest) = declaration.split_once('(')?;
    let head = head.rsplit(['{', '}', '"']).next()?.trim();
    let start = head.rfind([' ', '*'])? + 1;
    let name = head[start..].to_owned();
    let parameters = rest.strip_suffix(')')?;
    let parameters: Option<Vec<Parameter>> = match parameters {
        "void" => Some(Vec::new()),
        _ => parameters.split(',').map(|text| Parameter::new(text.trim())).collect(),
    };
    let (parameters, says) = (parameters?, format!("{}.", sentence(docs.trim())));
    name.starts_with("hs_").then(|| Function { answer: head[..start].trim().to_owned(), name, parameters, says })
}

/// Returns the types of handles, which are the types that functions of the header make.
pub(super) fn handles(functions: &[Function]) -> Vec<&str> {
    let parameters = functions.iter().flat_map(|function| &function.parameters);
    let mut handles: Vec<&str> =
        parameters.filter_map(|parameter| parameter.kind.trim_start_matches("const ").strip_suffix(" **")).collect();
    handles.sort_unstable();
    handles.dedup();
    handles
}

#[cfg(test)]
mod tests {
    use super::{functions_of, handles};

    #[test]
    fn functions_have_parameters_and_docs() {
        let header = "/* A header. */\n#include <a.h>\ntypedef struct {\n    /**\n     * A field.\n     */\n    float t;\n} HsHit;\n\
                      extern \"C\" {\n/**\n * Makes a mesh,\n * slowly. It is large.\n */\n\
                      HsStatus hs_mesh_new(const float *positions,\n                     HsMesh **mesh);\n\n\
                      const char *hs_version(void);\n";
        let (found, said) = functions_of(header);
        assert_eq!((found.len(), said, handles(&found)), (2, 2, vec!["HsMesh"]));
        let [new, version] = &found[..] else { panic!("two functions") };
        assert_eq!((&*new.name, &*new.answer, &*new.says), ("hs_mesh_new", "HsStatus", "Makes a mesh, slowly."));
        assert_eq!((&*new.parameters[0].kind, &*new.parameters[1].name), ("const float *", "mesh"));
        assert_eq!((&*version.answer, version.parameters.len()), ("const char *", 0));
    }
}
