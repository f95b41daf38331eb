//! Docs in lines.

/// The longest line.
const LINE: usize = 120;

/// Returns docs in Rust, each line after this many spaces.
pub(super) fn docs(says: &str, indent: usize) -> String {
    let start = format!("{}///", " ".repeat(indent));
    let (mut lines, mut line) = (String::new(), start.clone());
    for word in says.split_whitespace() {
        if line.len() + 1 + word.len() > LINE {
            lines = lines + &line + "\n";
            line.clone_from(&start);
        }
        line = line + " " + word;
    }
    lines + &line + "\n"
}
