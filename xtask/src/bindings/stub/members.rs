//! The classes of the Python module, and their members.

use crate::bindings::rust_text::{Item, end_of, list, within};
use std::collections::BTreeMap;

/// The functions and the classes of the module.
#[derive(Default)]
pub(super) struct Module {
    pub(super) functions: Vec<Member>,
    /// The classes by the names of their types in Rust.
    pub(super) classes: BTreeMap<String, Class>,
}

#[derive(Default)]
pub(super) struct Class {
    /// The name in Python.
    pub(super) name: String,
    pub(super) docs: String,
    pub(super) members: Vec<Member>,
    /// True if the class holds answers in columns.
    pub(super) is_answer: bool,
}

/// A function, a method, an attribute or a column.
#[derive(Clone)]
pub(super) struct Member {
    pub(super) name: String,
    pub(super) docs: String,
    pub(super) kind: Kind,
    pub(super) parameters: Vec<Parameter>,
    /// The type of its answer, in Rust.
    pub(super) answer: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Method,
    Static,
    Getter,
    Setter,
    /// A column of an answer. The type of the member is the type of the numbers.
    Column,
    Constant,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Parameter {
    /// The mark after which parameters are given by their names.
    Star,
    Named {
        name: String,
        kind: String,
        default: Option<String>,
    },
}

impl Module {
    /// Returns a class. It is added if it is not there.
    pub(super) fn class(&mut self, name: &str) -> &mut Class {
        let class = self.classes.entry(name.to_owned()).or_default();
        if class.name.is_empty() {
            name.clone_into(&mut class.name);
        }
        class
    }
}

/// Returns an item of a class as a method, an attribute or a constant.
pub(super) fn method(item: &Item<'_>) -> Option<Member> {
    if item.has_attribute("classattr") {
        return Some(Member {
            name: item.word_after("const")?.to_owned(),
            docs: item.docs.clone(),
            kind: Kind::Constant,
            parameters: Vec::new(),
            answer: String::new(),
        });
    }
    let name = item.word_after("fn")?;
    let kind = match () {
        () if item.has_attribute("getter") => Kind::Getter,
        () if item.has_attribute("setter") => Kind::Setter,
        () if item.has_attribute("staticmethod") => Kind::Static,
        () => Kind::Method,
    };
    let name = match kind {
        Kind::Setter => name.trim_start_matches("set_"),
        _ if item.has_attribute("new") => "__new__",
        _ => name,
    };
    let signature = item.attributes.iter().find_map(|attribute| signature(attribute));
    Some(Member {
        name: name.to_owned(),
        docs: item.docs.clone(),
        kind,
        parameters: parameters(signature, &typed(within(function(item.head), '(')?)),
        answer: answer(item.head),
    })
}

/// Returns the parameters in an attribute such as `pyo3(signature = (a, b = 1))`.
pub(super) fn signature(attribute: &str) -> Option<&str> {
    within(attribute.split_once("signature = ")?.1, '(')
}

/// Returns the parameters of a function with their types, without the parameters that Python does not see.
pub(super) fn typed(text: &str) -> Vec<(&str, &str)> {
    let pairs = list(text).into_iter().filter_map(|parameter| parameter.split_once(':'));
    pairs.map(|(name, kind)| (name.trim(), kind.trim())).filter(|(name, _)| !["py", "slf"].contains(name)).collect()
}

/// Returns parameters in the order of a signature, with their types and defaults. Without a signature, returns all of
/// them.
pub(super) fn parameters(signature: Option<&str>, typed: &[(&str, &str)]) -> Vec<Parameter> {
    let Some(signature) = signature else {
        let named = |&(name, kind): &(&str, &str)| (name.to_owned(), kind.to_owned());
        return typed.iter().map(named).map(|(name, kind)| Parameter::Named { name, kind, default: None }).collect();
    };
    let parameter = |text: &str| {
        if text == "*" {
            return Parameter::Star;
        }
        let (name, default) = text.split_once('=').map_or((text, None), |(name, default)| (name, Some(default)));
        let kind = typed.iter().find(|(other, _)| *other == name.trim()).map_or("", |(_, kind)| kind);
        Parameter::Named {
            name: name.trim().to_owned(),
            kind: kind.to_owned(),
            default: default.map(|default| default.trim().to_owned()),
        }
    };
    list(signature).into_iter().map(parameter).collect()
}

/// Returns the type after the arrow of a function's head.
pub(super) fn answer(head: &str) -> String {
    let head = function(head);
    let after = head.find('(').map_or("", |open| &head[end_of(head, open)..]);
    after.split_once("->").map_or(String::new(), |(_, answer)| answer.trim().to_owned())
}

/// Returns the head of a function from `fn` on, because its visibility before that may have parentheses, too.
fn function(head: &str) -> &str {
    head.find("fn ").map_or(head, |at| &head[at..])
}
