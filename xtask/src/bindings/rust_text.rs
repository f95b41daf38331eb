//! Rust source as text: items with their docs, the ends of brackets, and lists. Unlike a syntax tree, this also handles the sources of macros.

use crate::source::{is_in_name, opaque};

/// An item, or the input from which a macro makes an item.
pub(super) struct Item<'a> {
    /// The lines of its docs.
    pub(super) docs: String,
    pub(super) attributes: Vec<&'a str>,
    /// Everything before the braces, or before the semicolon.
    pub(super) head: &'a str,
    /// The text between the braces.
    pub(super) body: &'a str,
}

impl Item<'_> {
    pub(super) fn has_attribute(&self, name: &str) -> bool {
        self.attributes.iter().any(|attribute| attribute.trim_start().starts_with(name))
    }

    /// Returns the word after a keyword in its head, such as the name after `fn`.
    pub(super) fn word_after(&self, keyword: &str) -> Option<&str> {
        let (_, after) = self.head.split_once(&format!("{keyword} "))?;
        // A name that is a keyword begins with `r#`.
        let after = after.trim_start_matches("r#");
        let end = after.find(|c| !is_in_name(c) && c != '$').unwrap_or(after.len());
        (end > 0).then(|| &after[..end])
    }
}

/// Returns the items of a text.
pub(super) fn items(text: &str) -> Vec<Item<'_>> {
    let (mut found, mut at) = (Vec::new(), 0);
    while let Some((item, end)) = item(text, at) {
        found.push(item);
        at = end;
    }
    found
}

/// Returns the item that begins at a place, and its end.
fn item(text: &str, mut at: usize) -> Option<(Item<'_>, usize)> {
    let (mut docs, mut attributes) = (String::new(), Vec::new());
    loop {
        at += text[at..].len() - text[at..].trim_start_matches([' ', '\n', ',', ';', ')']).len();
        let rest = &text[at..];
        if rest.starts_with("//") {
            let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
            if let Some(line) = line.strip_prefix("///") {
                docs = docs + line.trim() + "\n";
            }
            at += line.len();
        } else if rest.starts_with("#[") || rest.starts_with("#![") {
            let open = at + rest.find('[')?;
            let end = end_of(text, open);
            attributes.push(&text[open + 1..end - 1]);
            at = end;
        } else if rest.is_empty() {
            return None;
        } else {
            break;
        }
    }
    let stop = find(text, at, |c| c == '{' || c == ';').unwrap_or(text.len());
    let head = text[at..stop].trim();
    if text[stop..].starts_with('{') {
        let end = end_of(text, stop);
        return Some((Item { docs, attributes, head, body: &text[stop + 1..end - 1] }, end));
    }
    Some((Item { docs, attributes, head, body: "" }, stop))
}

/// Returns the index of the first character from `at` on for which `is` is true, outside of brackets, comments and
/// strings.
pub(super) fn find(text: &str, mut at: usize, is: impl Fn(char) -> bool) -> Option<usize> {
    while let Some(c) = text[at..].chars().next() {
        if let Some(length) = opaque(&text[at..], text[..at].ends_with(is_in_name)) {
            at += length;
        } else if is(c) {
            return Some(at);
        } else if "([{".contains(c) {
            at = end_of(text, at);
        } else {
            at += c.len_utf8();
        }
    }
    None
}

/// Returns the end of the bracket that opens at a place.
pub(super) fn end_of(text: &str, open: usize) -> usize {
    find(text, open + 1, |c| ")]}".contains(c)).map_or(text.len(), |close| close + 1)
}

/// Returns the text between the first `bracket` and the bracket that closes it.
pub(super) fn within(text: &str, bracket: char) -> Option<&str> {
    let open = text.find(bracket)?;
    Some(&text[open + 1..end_of(text, open) - 1])
}

/// Returns the parts of a list, without empty ones. Commas between `<` and `>` separate nothing.
pub(super) fn list(text: &str) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    while let Some(end) = find(text, start, |c| c == ',') {
        // A comma between the arguments of a type belongs to the part.
        let mut end = end;
        while opened(&text[start..end]) {
            let Some(next) = find(text, end + 1, |c| c == ',') else { break };
            end = next;
        }
        if opened(&text[start..end]) {
            break;
        }
        parts.push(text[start..end].trim());
        start = end + 1;
    }
    parts.push(text[start..].trim());
    parts.retain(|part| !part.is_empty());
    parts
}

/// Returns whether a `<` is not closed by a `>`.
fn opened(text: &str) -> bool {
    let text = text.replace("->", "");
    text.matches('<').count() > text.matches('>').count()
}

/// Returns the parts between semicolons.
pub(super) fn sections(text: &str) -> Vec<&str> {
    let (mut parts, mut start) = (Vec::new(), 0);
    while let Some(end) = find(text, start, |c| c == ';') {
        parts.push(text[start..end].trim());
        start = end + 1;
    }
    parts.push(text[start..].trim());
    parts
}

#[cfg(test)]
mod tests {
    use super::{items, list, sections, within};

    #[test]
    fn items_have_docs_attributes_and_bodies() {
        let text = "/// Says \"{\".\n#[a(b = [1])]\npub fn f<'a>(x: [u8; 3]) -> T<'a> {\n    '{'\n}\nuse a::b;\nName of X by y { z: 1, }\n";
        let found = items(text);
        let heads: Vec<&str> = found.iter().map(|item| item.head).collect();
        assert_eq!(heads, ["pub fn f<'a>(x: [u8; 3]) -> T<'a>", "use a::b", "Name of X by y"]);
        assert_eq!((&*found[0].docs, &found[0].attributes[..]), ("Says \"{\".\n", &["a(b = [1])"][..]));
        assert_eq!(
            (found[0].word_after("fn"), found[0].body.trim(), found[2].body.trim()),
            (Some("f"), "'{'", "z: 1,")
        );
    }

    #[test]
    fn lists_are_split_outside_of_brackets() {
        assert_eq!(list("a: B<'c, D>, e: F = [1, 2],"), ["a: B<'c, D>", "e: F = [1, 2]"]);
        assert_eq!(sections("a; b: [u8; 3], c;"), ["a", "b: [u8; 3], c", ""]);
        assert_eq!(within("f(a, (b))", '('), Some("a, (b)"));
    }
}
