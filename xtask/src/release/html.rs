//! Just enough of HTML for the page of copyright notices that comes with the compiler.

/// Returns text without tags, with its character references replaced.
pub(super) fn plain(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        rest = tag.split_once('>').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    let named = [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&quot;", "\""),
        ("&#34;", "\""),
        ("&#39;", "'"),
        ("&#x27;", "'"),
        ("&amp;", "&"),
    ];
    named.into_iter().fold(text, |text, (name, letter)| text.replace(name, letter))
}

/// Returns the text between each pair of tags.
pub(super) fn between<'a>(html: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    html.split(open).skip(1).filter_map(|after| Some(after.split_once(close)?.0)).collect()
}

#[cfg(test)]
mod tests {
    use super::{between, plain};

    #[test]
    fn tags_go_and_names_are_resolved() {
        assert_eq!(plain("<p>a &lt;b&gt; &amp; <i>c</i></p>"), "a <b> & c");
        assert_eq!(between("<li>a</li><li>b</li>", "<li>", "</li>"), ["a", "b"]);
    }
}
