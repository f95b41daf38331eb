//! The macros of the crate that make methods and classes of answers. Their calls are expanded to members, as by the compiler.

use super::members::{Kind, Member, Module, Parameter, answer, method, parameters, signature, typed};
use crate::bindings::rust_text::{Item, end_of, find, items, list, sections, within};
use anyhow::{Context, Result};
use std::collections::BTreeMap;

/// The text that the first rule of each macro makes, by the macro's name.
pub(super) struct Macros<'a>(BTreeMap<&'a str, &'a str>);

/// The macro that makes every class of answers.
const ANSWERS: &str = "answers";

impl<'a> Macros<'a> {
    pub(super) fn new(texts: &'a [String]) -> Self {
        let mut rules = BTreeMap::new();
        for text in texts {
            for (at, _) in text.match_indices("macro_rules! ") {
                let after = &text[at + "macro_rules! ".len()..];
                if let (Some((name, _)), Some(rule)) = (after.split_once(' '), within(after, '{').and_then(rule)) {
                    rules.insert(name, rule);
                }
            }
        }
        Self(rules)
    }

    /// Adds the members that a call makes to a module.
    pub(super) fn expand(&self, call: &Item<'_>, module: &mut Module) -> Result<()> {
        let name = call.head.trim_end_matches('!');
        let Some(&rule) = self.0.get(name) else { return Ok(()) };
        if self.makes_answers(name) {
            self.answers(name, call.body, module);
        } else if rule.contains("fn $name") {
            self.methods(rule, call.body, module)?;
        } else if rule.contains("impl $class") {
            self.methods_of_classes(rule, call.body, module);
        }
        Ok(())
    }

    /// Returns whether a macro makes classes of answers, itself or by another macro.
    fn makes_answers(&self, name: &str) -> bool {
        name == ANSWERS || self.inner(name).is_some_and(|inner| self.makes_answers(inner))
    }

    /// Returns the name of the macro to which a macro passes its columns or its methods.
    fn inner(&self, name: &str) -> Option<&'a str> {
        let rule = self.0.get(name)?;
        let at = rule.find("! {")?;
        rule[..at].rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next()
    }

    /// Adds classes of answers.
    fn answers(&self, name: &str, body: &str, module: &mut Module) {
        let mut class = String::new();
        for item in items(body) {
            if let Some((own, _)) = item.head.split_once(" of ") {
                own.trim().clone_into(&mut class);
                let made = module.class(&class);
                (made.docs, made.is_answer) = (item.docs.clone(), true);
                made.members.extend(columns(item.body));
                self.add_columns(name, &class, module);
            } else if let Some(member) = method(&item) {
                module.class(&class).members.push(member);
            }
        }
    }

    /// Adds the columns and methods that a macro gives to each of its classes.
    fn add_columns(&self, name: &str, class: &str, module: &mut Module) {
        let Some(&rule) = self.0.get(name).filter(|_| name != ANSWERS) else { return };
        let Some(at) = rule.find("$name of") else { return };
        let Some(open) = rule[at..].find('{').map(|open| at + open) else { return };
        let end = end_of(rule, open);
        let members = &mut module.class(class).members;
        members.extend(columns(&rule[open + 1..end - 1].replace("$($columns)*", "")));
        members.extend(items(&rule[end..].replace("$($more)*", "")).iter().filter_map(method));
        if let Some(inner) = self.inner(name) {
            self.add_columns(inner, class, module);
        }
    }

    /// Adds the methods of a call such as `name! { fn a(this; x: u8; y: u8 = 1) -> A { .. } }`.
    fn methods(&self, rule: &str, body: &str, module: &mut Module) -> Result<()> {
        // A call may begin with its class and a colon.
        let named = body.trim_start().split_once(':').filter(|(name, _)| name.chars().all(char::is_alphanumeric));
        let (class, body) = named.unwrap_or(("", body));
        for item in items(body) {
            let name = item.word_after("fn").context("a call has something else than functions")?;
            let (made, parameters) = self.parameters(rule, within(item.head, '(').unwrap_or_default());
            module.class(if made == "$class" { class } else { &made }).members.push(Member {
                name: name.to_owned(),
                docs: item.docs.clone(),
                kind: Kind::Method,
                parameters,
                answer: answer(item.head),
            });
        }
        Ok(())
    }

    /// Returns the class and the parameters of a method that a rule of a macro makes. In the call, the
    /// parameters of the method itself come after the first semicolon, and names for its body before it.
    /// Parameters with a default are options.
    fn parameters(&self, rule: &str, own: &str) -> (String, Vec<Parameter>) {
        let head = rule.find("fn $name").map_or(rule, |at| &rule[at..]);
        let declared = within(head, '(').unwrap_or_default();
        if let Some(&outer) = rule.find("! {").and_then(|at| self.0.get(rule[..at].trim())) {
            return self.parameters(outer, declared);
        }
        let own = sections(own).into_iter().skip(1).flat_map(list);
        let (options, arguments): (Vec<&str>, Vec<&str>) = own.partition(|parameter| parameter.contains(" = "));
        let names: Vec<&str> = arguments.iter().filter_map(|argument| argument.split(':').next()).collect();
        let defaults: Vec<String> = options.iter().map(|option| without_type(option)).collect();
        let written = rule.find("signature = ").and_then(|at| signature(&rule[at..])).unwrap_or_default();
        let written = repeated(&repeated(written, "$($arg,)", &names), "$($option = $default,)", &defaults);
        let declared = without_repetitions(declared);
        let mut types = typed(&declared);
        types.extend(arguments.iter().filter_map(|argument| pair(argument)));
        types.extend(options.iter().filter_map(|option| pair(option)));
        let class = rule.split_once("impl ").and_then(|(_, after)| after.split_whitespace().next()).unwrap_or_default();
        (class.to_owned(), parameters(Some(&written), &types))
    }

    /// Adds the methods that a rule makes for each class of a call such as `name! { A(this): x; B(this): y; }`.
    fn methods_of_classes(&self, rule: &str, body: &str, module: &mut Module) {
        let Some(methods) = rule.find("impl $class").and_then(|at| within(&rule[at..], '{')) else { return };
        for (class, _) in sections(body).iter().filter_map(|call| call.split_once('(')) {
            module.class(class.trim()).members.extend(items(methods).iter().filter_map(method));
        }
    }
}

/// Returns the text that the first rule of a macro makes.
fn rule(rules: &str) -> Option<&str> {
    let pattern = end_of(rules, rules.find('(')?);
    within(&rules[pattern..], '{')
}

/// Returns columns such as `/// What it is.\n t: f32 = |hits| ..,`.
fn columns(text: &str) -> Vec<Member> {
    let (mut found, mut start) = (Vec::new(), 0);
    loop {
        let end = find(text, start, |c| c == ',').unwrap_or(text.len());
        for item in items(&text[start..end]) {
            if let Some((name, kind)) = item.head.split_once(" = ").and_then(|(head, _)| head.split_once(':')) {
                found.push(Member {
                    name: name.trim().to_owned(),
                    docs: item.docs.clone(),
                    kind: Kind::Column,
                    parameters: Vec::new(),
                    answer: kind.trim().to_owned(),
                });
            }
        }
        if end == text.len() {
            return found;
        }
        start = end + 1;
    }
}

/// Returns `name = default`, given `name: type = default`.
fn without_type(option: &str) -> String {
    let (head, default) = option.split_once(" = ").unwrap_or((option, ""));
    format!("{} = {default}", head.split(':').next().unwrap_or_default())
}

fn pair(declared: &str) -> Option<(&str, &str)> {
    let (name, kind) = declared.split_once(':')?;
    Some((name.trim(), kind.split(" = ").next()?.trim()))
}

/// Returns a text with items in place of a repetition.
fn repeated(text: &str, repetition: &str, items: &[impl AsRef<str>]) -> String {
    let items: String = items.iter().map(|item| format!("{},", item.as_ref())).collect();
    let found = ["*", "?"].into_iter().map(|end| format!("{repetition}{end}")).find(|found| text.contains(found));
    found.map_or_else(|| text.to_owned(), |found| text.replace(&found, &items))
}

/// Returns a text without the repetitions of a macro.
fn without_repetitions(text: &str) -> String {
    let mut text = text.to_owned();
    while let Some(at) = text.find("$(") {
        let end = end_of(&text, at + 1);
        // The sign after the parenthesis is the number of repetitions.
        text.replace_range(at..text.len().min(end + 1), "");
    }
    text
}
