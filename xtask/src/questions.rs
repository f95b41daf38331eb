//! Checks that every query documents its edge cases and has an example, and that every query of a scene is on the page of all queries.

use crate::shell::root;
use anyhow::{Context, Result, bail};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The files with the queries, and their smallest number in each.
const FILES: [(&str, usize); 3] = [("ray_queries.rs", 18), ("sweep_queries.rs", 3), ("proximity_queries.rs", 8)];

/// The folder of these files.
const FOLDER: &str = "crates/hitscan/src/query";

/// The sources of the library, in which things answer questions by themselves.
const LIBRARY: &str = "crates/hitscan/src";

/// The names of public functions and methods that are questions, wherever they are.
const OWN: &str = "blast cast cast_all cast_all_columns cast_batch cast_columns cast_crossings cast_t closest_on_surface closest_on_surface_batch \
    closest_point closest_point_batch collide_segment distance end find \
    height_at is_blocked is_blocked_batch move_and_respond move_and_slide overlap_pairs overlaps penetration \
    segment_is_blocked shoot signed_distance_batch sweep winding_number winding_number_batch";

/// The smallest number of these, and the folder whose functions draw answers and so have none of their own.
const LEAST_OWN: usize = 50;
const DRAWINGS: &str = "debug";

/// The page of all queries.
const PAGE: &str = "docs/api.md";

/// Methods that only make a view or look at an answer, and so have no edges of their own.
const OPTIONS: [&str; 5] = ["when_inside", "cut_outs", "after", "surface", "contact_filter"];

/// The rows of a table of edges; the fourth, about the end of a range, has a name of its own for each kind of query.
const ROWS: [&str; 5] = ["frame", "inside start", "back face", "bad input", "miss"];

/// The largest number of queries, options and ways to change a scene.
const MOST_METHODS: usize = 61;

/// The folders of the other methods of scenes and views.
const METHODS: [&str; 2] = ["crates/hitscan/src/scene", "crates/hitscan/src/query"];

/// Fails if a query lacks something, and names it.
pub(crate) fn check() -> Result<()> {
    let folder = root().join(FOLDER);
    let page = read(&root().join(PAGE))?;
    let (mut faults, mut total) = (String::new(), 0);
    for (file, least) in FILES {
        let source = read(&folder.join(file))?;
        let questions: Vec<Question<'_>> = questions(&source).collect();
        if questions.len() < least {
            bail!(
                "{FOLDER}/{file} has {} questions, and there should be {least}: has the check lost them?",
                questions.len()
            );
        }
        total += questions.len();
        for question in &questions {
            for fault in question.faults(&page) {
                writeln!(faults, "{FOLDER}/{file}: `{}` {fault}", question.name)?;
            }
        }
    }
    let sources = sources(&root().join(LIBRARY))?;
    let mut own = 0;
    for (path, source) in sources.iter().filter(|(path, _)| !path.starts_with(root().join(LIBRARY).join(DRAWINGS))) {
        for question in own_questions(source) {
            own += 1;
            for fault in question.own_faults() {
                writeln!(faults, "{}: `{}` {fault}", path.display(), question.name)?;
            }
        }
    }
    if own < LEAST_OWN {
        bail!("{LIBRARY} has {own} own questions, and there should be {LEAST_OWN}: has the check lost them?");
    }
    let used: String = sources.into_iter().map(|(_, source)| source).collect();
    for (name, text) in tables(&folder.join("edges"))? {
        for fault in table_faults(&name, &text, &used) {
            writeln!(faults, "{FOLDER}/edges/{name} {fault}")?;
        }
    }
    total += own_methods()?;
    if total > MOST_METHODS {
        writeln!(faults, "scenes and their views have {total} methods, which is more than {MOST_METHODS}")?;
    }
    if faults.is_empty() { Ok(()) } else { bail!("{}", faults.trim_end()) }
}

/// The source files in a folder and in those below it, with their texts.
fn sources(folder: &Path) -> Result<Vec<(PathBuf, String)>> {
    let mut sources = Vec::new();
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            sources.extend(self::sources(&path)?);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let text = read(&path)?;
            sources.push((path, text));
        }
    }
    sources.sort();
    Ok(sources)
}

fn read(path: &Path) -> Result<String> {
    std::fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))
}

/// The tables of edges: the names of their files and their texts, in the order of the names.
fn tables(folder: &Path) -> Result<Vec<(String, String)>> {
    let entries = std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))?;
    let mut tables = Vec::new();
    for entry in entries {
        let entry = entry?;
        tables.push((entry.file_name().to_string_lossy().into_owned(), read(&entry.path())?));
    }
    tables.sort();
    Ok(tables)
}

/// Returns the faults of a table of edges. `used` is the source of all questions.
fn table_faults(name: &str, text: &str, used: &str) -> Vec<String> {
    let row = |title: &str| format!("| {title} |");
    let missing = ROWS.iter().filter(|title| !text.contains(&row(title)));
    let mut faults: Vec<String> = missing.map(|title| format!("has no row `{title}`")).collect();
    let rows =
        text.lines().filter(|line| line.starts_with("| ") && !line.starts_with("| |") && !line.starts_with("| ---"));
    let titled = rows.filter(|line| !ROWS.iter().any(|title| line.starts_with(&row(title)))).count();
    if titled != 1 {
        faults.push(format!("has {titled} rows about the end of the range, and should have one"));
    }
    if !used.contains(&format!("edges/{name}\"")) {
        faults.push("belongs to no question".to_owned());
    }
    faults
}

/// A method of a trait, and the lines of docs and attributes before it.
struct Question<'a> {
    name: &'a str,
    docs: Vec<&'a str>,
}

impl Question<'_> {
    fn faults(&self, page: &str) -> Vec<&'static str> {
        let has = |text: &str| self.docs.iter().any(|line| line.contains(text));
        let is_option = OPTIONS.contains(&self.name);
        let page_has = page.contains(&format!("`{}`", self.name))
            || page.contains(&format!("`.{}(", self.name))
            || page.contains(&format!("`{}(", self.name));
        [
            (!has("```"), "has no example"),
            (!is_option && !has("include_str!(\"edges/"), "does not say what happens at its edges"),
            (!page_has, "is not in docs/api.md"),
        ]
        .into_iter()
        .filter_map(|(is_fault, what)| is_fault.then_some(what))
        .collect()
    }

    /// Returns the faults of a question outside of the traits. One that answers as another does, and links to that, has what that has.
    fn own_faults(&self) -> Vec<&'static str> {
        let has = |text: &str| self.docs.iter().any(|line| line.contains(text));
        if has("nswers as ") || has("as [`") {
            return Vec::new();
        }
        // The example of what a macro makes for every shape is that of the shape.
        let is_in_macro = self.docs.iter().any(|line| line.starts_with("         "));
        [(!is_in_macro && !has("```"), "has no example"), (!has("edges/"), "does not say what happens at its edges")]
            .into_iter()
            .filter_map(|(is_fault, what)| is_fault.then_some(what))
            .collect()
    }
}

/// Returns the public functions and methods of a file that are questions by their names.
fn own_questions(source: &str) -> Vec<Question<'_>> {
    let mut found = Vec::new();
    let mut docs: Vec<&str> = Vec::new();
    for line in source.lines() {
        let text = line.trim_start();
        let name = text.strip_prefix("pub fn ").and_then(|rest| rest.split(['(', '<']).next());
        if let Some(name) = name.filter(|name| OWN.split(' ').any(|own| own == *name)) {
            found.push(Question { name, docs: std::mem::take(&mut docs) });
        } else if text.starts_with("///") || text.starts_with("#[") || text.starts_with("// ") {
            docs.push(line);
        } else {
            docs.clear();
        }
    }
    found
}

/// Returns the methods of the trait in a file.
fn questions(source: &str) -> impl Iterator<Item = Question<'_>> {
    let mut docs = Vec::new();
    source.lines().filter_map(move |line| {
        let name = line.strip_prefix("    fn ").and_then(|rest| rest.split(['(', '<']).next());
        match name {
            Some(name) => Some(Question { name, docs: std::mem::take(&mut docs) }),
            None if line.starts_with("    }") || line.trim().is_empty() => {
                docs.clear();
                None
            }
            None => {
                docs.push(line);
                None
            }
        }
    })
}

/// Returns the number of public methods that `Scene` and its views have by themselves.
fn own_methods() -> Result<usize> {
    METHODS.iter().map(|folder| methods_below(&root().join(folder))).sum()
}

/// Counts such methods in the files of a folder and of those in it.
fn methods_below(folder: &Path) -> Result<usize> {
    let mut count = 0;
    for entry in std::fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            count += methods_below(&path)?;
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            count += methods_in(&read(&path)?);
        }
    }
    Ok(count)
}

/// Counts the public methods of scenes and views in a file.
fn methods_in(source: &str) -> usize {
    let mut is_scene = false;
    let mut count = 0;
    for line in source.lines() {
        if line.starts_with("impl") {
            let of = line.split(" for ").last().unwrap_or(line);
            is_scene = !line.contains(" for ")
                && [" Scene<", " View<", " RayView<", " SweepView<"].iter().any(|name| of.contains(name));
        } else if is_scene && ["    pub fn ", "    pub const fn "].iter().any(|start| line.starts_with(start)) {
            count += 1;
        }
    }
    count
}

#[cfg(test)]
mod tests {
    use super::{methods_in, own_questions, questions, table_faults};

    const SOURCE: &str = "trait T {\n    /// Whether.\n    ///\n    /// ```\n    /// ```\n    #[doc = include_str!(\"edges/ray.md\")]\n    \
                          fn good(self) -> bool {\n        true\n    }\n\n    /// What.\n    fn bad<P>(self, points: &[P]) {\n    }\n}\n";

    #[test]
    fn what_things_lack_by_themselves_is_told() {
        let table = "#[doc = include_str!(\"../query/edges/ray.md\")]";
        let source = format!(
            "    /// Hits.\n    /// ```\n    {table}\n    pub fn cast(&self) {{\n    }}\n\n    /// Hits.\n    pub fn sweep<T>(&self) {{\n    }}\n\n    \
             /// Answers as [`cast`](Self::cast) does.\n    pub fn cast_t(&self) {{}}\n            {table}\n            pub fn distance(&self) {{}}\n"
        );
        let faults: Vec<_> =
            own_questions(&source).iter().map(|question| (question.name, question.own_faults())).collect();
        let lacking = vec!["has no example", "does not say what happens at its edges"];
        let none = Vec::new;
        assert_eq!(faults, [("cast", none()), ("sweep", lacking), ("cast_t", none()), ("distance", none())]);
    }

    #[test]
    fn what_is_lacking_is_told() {
        let page = "| any | `good` |";
        let faults: Vec<_> = questions(SOURCE).map(|question| (question.name, question.faults(page))).collect();
        let lacking = vec!["has no example", "does not say what happens at its edges", "is not in docs/api.md"];
        assert_eq!(faults, [("good", Vec::new()), ("bad", lacking)]);
    }

    #[test]
    fn tables_have_all_rows_and_a_question() {
        let table = "\n# Edges\n\n| | |\n| --- | --- |\n| frame | a |\n| inside start | b |\n| back face | c |\n| exactly at the end | d |\n\
                     | bad input | e |\n| miss | f |\n";
        assert!(table_faults("ray.md", table, "include_str!(\"edges/ray.md\")").is_empty());
        assert_eq!(table_faults("way.md", table, "include_str!(\"edges/ray.md\")"), ["belongs to no question"]);
        let faults = table_faults("ray.md", &table.replace("| exactly at the end | d |\n", ""), "edges/ray.md\"");
        assert_eq!(faults, ["has 0 rows about the end of the range, and should have one"]);
        let faults = table_faults("ray.md", &table.replace("| miss | f |\n", ""), "edges/ray.md\"");
        assert_eq!(faults, ["has no row `miss`"]);
    }

    #[test]
    fn methods_of_scenes_are_counted() {
        let source = "impl<K> Scene<K> {\n    pub fn a(&self) {}\n    pub const fn e(&self) {}\n    pub(crate) fn b(&self) {}\n}\nimpl<K> Hit<K> {\n    pub fn c(&self) {}\n}\n\
                      impl<'a, K> From<&'a Scene<K>> for View<'a, K> {\n}\n";
        assert_eq!(methods_in(source), 2);
    }
}
