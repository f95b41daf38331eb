//! Members of JSON objects that are `null`. The format has none, but exporters in JavaScript write them, and loaders in JavaScript treat them as absent.

use std::borrow::Cow;

/// Replaces each member that is `null`, and the comma that separates it from the others, with spaces.
pub(super) fn without_nulls(json: &[u8]) -> Cow<'_, [u8]> {
    let mut cleaned = Cow::Borrowed(json);
    let mut at = 0;
    while let Some(start) = json[at..].iter().position(|&byte| byte == b'"').map(|place| at + place) {
        let Some(end) = end_of_string(json, start) else { break };
        at = match null_behind(json, end) {
            Some(behind) => blank(cleaned.to_mut(), start, behind),
            None => end,
        };
    }
    cleaned
}

/// Returns the place after the string that starts here.
fn end_of_string(json: &[u8], start: usize) -> Option<usize> {
    let mut at = start + 1;
    loop {
        match json.get(at)? {
            b'"' => return Some(at + 1),
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
}

/// Returns the place after `: null`, if that follows a string.
fn null_behind(json: &[u8], end: usize) -> Option<usize> {
    let colon = skip_spaces(json, end);
    let value = (json.get(colon) == Some(&b':')).then(|| skip_spaces(json, colon + 1))?;
    let behind = json[value..].starts_with(b"null").then_some(value + 4)?;
    matches!(json.get(skip_spaces(json, behind)), Some(b',' | b'}')).then_some(behind)
}

fn skip_spaces(json: &[u8], from: usize) -> usize {
    json[from..].iter().position(|byte| !byte.is_ascii_whitespace()).map_or(json.len(), |place| from + place)
}

/// Blanks a member and the comma after it, or else the comma before it. Returns the place at which the rest begins.
fn blank(json: &mut [u8], start: usize, end: usize) -> usize {
    json[start..end].fill(b' ');
    let next = skip_spaces(json, end);
    if json.get(next) == Some(&b',') {
        json[next] = b' ';
        return next + 1;
    }
    if let Some(before) = json[..start].iter().rposition(|byte| !byte.is_ascii_whitespace())
        && json[before] == b','
    {
        json[before] = b' ';
    }
    next
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_go_with_one_comma() {
        let cases = [
            (r#"{"a":null}"#, r#"{}"#),
            (r#"{"a":null,"b":1}"#, r#"{"b":1}"#),
            (r#"{"b":1,"a" : null }"#, r#"{"b":1}"#),
            (r#"{"b":1,"a":null,"c":null}"#, r#"{"b":1}"#),
            (r#"{"a":null,"b":null,"c":2,"d":null}"#, r#"{"c":2}"#),
            (r#"{"x":{"a":null},"y":[null,{"a":null}]}"#, r#"{"x":{},"y":[null,{}]}"#),
            (r#"{"a\":null,":"null,","\\":null}"#, r#"{"a\":null,":"null,"}"#),
            (r#"{"a":nullx}"#, r#"{"a":nullx}"#),
            (r#"{"a":null"#, r#"{"a":null"#),
            (r#"{"a"#, r#"{"a"#),
        ];
        for (json, expected) in cases {
            let cleaned = without_nulls(json.as_bytes());
            assert_eq!(cleaned.len(), json.len(), "places in messages stay");
            let text = String::from_utf8(cleaned.into_owned()).unwrap();
            assert_eq!(text.replace(' ', ""), expected, "{json}");
        }
    }
}
