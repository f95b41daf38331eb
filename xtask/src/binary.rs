//! Searches in bytes.

/// Returns whether a needle, which is not empty, is in the bytes.
pub(super) fn contains(bytes: &[u8], needle: &[u8]) -> bool {
    let Some(&first) = needle.first() else { return true };
    let mut rest = bytes;
    while let Some(at) = rest.iter().position(|&byte| byte == first) {
        if rest[at..].starts_with(needle) {
            return true;
        }
        rest = &rest[at + 1..];
    }
    false
}

#[cfg(test)]
mod tests {
    use super::contains;

    #[test]
    fn needles_are_found_anywhere() {
        assert!(contains(b"\0/root/x", b"/root/") && contains(b"aab", b"ab") && !contains(b"/roo", b"/root/"));
    }
}
