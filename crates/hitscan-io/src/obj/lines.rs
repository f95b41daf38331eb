//! Lines that may continue on the next one.

use crate::text::{self, Lines};
use std::borrow::Cow;

/// Whole lines, each with the number of its first part. A `\` at the end of a line, perhaps followed by blanks, joins
/// the line with the next one, unless the line is a comment.
pub(super) struct WholeLines<'a>(Lines<'a>);

impl<'a> WholeLines<'a> {
    pub(super) fn new(text: &'a [u8]) -> Self {
        Self(Lines::new(text))
    }
}

impl<'a> Iterator for WholeLines<'a> {
    type Item = (usize, Cow<'a, [u8]>);

    fn next(&mut self) -> Option<Self::Item> {
        let (number, line) = self.0.next()?;
        let Some(mut part) = continued(line).filter(|line| !text::trim_start(line).starts_with(b"#")) else {
            return Some((number, Cow::Borrowed(line)));
        };
        let mut whole = Vec::new();
        loop {
            whole.extend_from_slice(part);
            whole.push(b' ');
            let Some((_, more)) = self.0.next() else { break };
            match continued(more) {
                Some(more) => part = more,
                None => {
                    whole.extend_from_slice(more);
                    break;
                }
            }
        }
        Some((number, Cow::Owned(whole)))
    }
}

/// Returns the part of a line before the `\` that ends it.
fn continued(line: &[u8]) -> Option<&[u8]> {
    text::trim_end(line).strip_suffix(b"\\")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_joined_but_for_comments() {
        let text = b"f 1 \\\r\n2 \\\n3\n# C:\\models\\\nv 1\\\n";
        let lines: Vec<(usize, String)> =
            WholeLines::new(text).map(|(n, line)| (n, String::from_utf8_lossy(&line).into_owned())).collect();
        let expected = [(1, "f 1  2  3"), (4, "# C:\\models\\"), (5, "v 1 ")];
        assert_eq!(lines, expected.map(|(n, line)| (n, line.to_owned())));
    }
}
