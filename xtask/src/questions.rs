//! Checks that every query documents its edge cases and has an example. Also checks that every query of a scene is on the page of all queries.

use crate::shell::root;
use anyhow::{Context, Result, bail};
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The files with the queries, each with the least number of queries that it must have.
pub(crate) const FILES: [(&str, usize); 3] =
    [("ray/ray_queries.rs", 18), ("sweep/sweep_queries.rs", 3), ("overlap/proximity_queries.rs", 8)];

/// The folder of these files.
pub(crate) const FOLDER: &str = "crates/hitscan/src/query";

/// The sources of the library, which also have the questions to single objects such as meshes.
pub(crate) const LIBRARY: &str = "crates/hitscan/src";

/// The names of public functions and methods that are questions, wherever they are.
const OWN: &str = "all blast cast cast_all cast_all_columns cast_batch cast_columns cast_crossings cast_t closest_on_surface closest_on_surface_batch \
    closest_pair closest_point closest_point_batch collide_segment contains contains_batch distance distance_pairs edges end entities find first_impacts \
    has_room height_at is_blocked is_blocked_batch move_and_respond move_and_slide nearest overlap_pairs overlaps penetration penetration_all \
    segment_is_blocked self_intersections self_intersections_in shoot signed_distance signed_distance_batch sweep triangles vertices \
    winding_number winding_number_batch";

/// The methods with such names that are no questions. They only read an answer or a shape, make a choice, or say whether a pixel is in a region of the window.
const NO_QUESTIONS: [(&str, &str); 8] = [
    ("ClosestPoint", "signed_distance"),
    ("ConvexHull", "vertices"),
    ("CutOut", "triangles"),
    ("Filter", "entities"),
    ("MeshPoint", "signed_distance"),
    ("Region", "contains"),
    ("ShapePoint", "signed_distance"),
    ("Viewport", "contains"),
];

/// The least number of questions that are found by the names in [`OWN`], and the folder whose functions only draw answers.
const LEAST_OWN: usize = 70;
const DRAWINGS: &str = "debug";

/// The page of all queries.
const PAGE: &str = "docs/api.md";

/// Methods that only make a view or read an answer, and so have no edge cases of their own.
const OPTIONS: [&str; 5] = ["when_inside", "cut_outs", "after", "surface", "contact_filter"];

/// The titles of rows that every table of edge cases has. The row about the end of a range has a different title for
/// each kind of query.
const ROWS: [&str; 5] = ["frame", "inside start", "back face", "bad input", "miss"];

/// The largest number of methods that scenes and views may have: queries, options and changes of a scene.
const MOST_METHODS: usize = 68;

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
    let mut own = Vec::new();
    for (path, source) in sources.iter().filter(|(path, _)| !path.starts_with(root().join(LIBRARY).join(DRAWINGS))) {
        own.extend(own_questions(source).into_iter().map(|question| (path.as_path(), question)));
    }
    if own.len() < LEAST_OWN {
        bail!("{LIBRARY} has {} own questions, and there should be {LEAST_OWN}: has the check lost them?", own.len());
    }
    for (of, name) in lost_methods(&sources) {
        writeln!(faults, "{LIBRARY} has no `{of}::{name}` any more: take it out of xtask/src/questions.rs")?;
    }
    let generated: Vec<&str> = sources.iter().flat_map(|(_, source)| generated(source)).collect();
    for (path, question) in &own {
        for fault in own_faults((path, question), &own, &generated) {
            writeln!(faults, "{}: `{}` {fault}", path.display(), question.shown())?;
        }
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

/// Returns the methods of `NO_QUESTIONS` that no file has.
fn lost_methods(sources: &[(PathBuf, String)]) -> impl Iterator<Item = (&str, &str)> {
    let is_there = |named: &(&str, &str)| {
        sources
            .iter()
            .flat_map(|(_, source)| functions(source))
            .any(|function| (function.owner(), function.name) == *named)
    };
    NO_QUESTIONS.into_iter().filter(move |named| !is_there(named))
}

/// Returns the source files in a folder and in its subfolders, with their texts.
pub(crate) fn sources(folder: &Path) -> Result<Vec<(PathBuf, String)>> {
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

/// Returns the tables of edge cases. They are the names of their files and their texts, in the order of the names.
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

/// Returns the faults of a table of edge cases. `used` is the source of all questions.
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

/// A method of a trait or type, or a free function, and the lines of docs and attributes before it.
pub(crate) struct Question<'a> {
    pub(crate) name: &'a str,
    /// The type that has the method, as its `impl` names it; empty for a trait and a free function.
    pub(crate) of: &'a str,
    pub(crate) docs: Vec<&'a str>,
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
            (!is_option && !has("include_str!(\"../edges/"), "does not say what happens at its edges"),
            (!page_has, "is not in docs/api.md"),
        ]
        .into_iter()
        .filter_map(|(is_fault, what)| is_fault.then_some(what))
        .collect()
    }

    /// Returns whether it is a question by its name.
    pub(crate) fn is_own(&self) -> bool {
        OWN.split_whitespace().any(|own| own == self.name) && !NO_QUESTIONS.contains(&(self.owner(), self.name))
    }

    /// Returns the type that has the method, without parameters.
    fn owner(&self) -> &str {
        self.of.split('<').next().unwrap_or_default()
    }

    fn has(&self, text: &str) -> bool {
        self.docs.iter().any(|line| line.contains(text))
    }

    fn shown(&self) -> String {
        if self.of.is_empty() { self.name.to_owned() } else { format!("{}::{}", self.of, self.name) }
    }

    /// Returns whether a macro makes it for several types. Then its example is in the docs of the type.
    fn is_in_macro(&self) -> bool {
        self.docs.iter().any(|line| line.starts_with("         "))
    }

    /// Returns the parts that are missing in its own docs.
    fn lacks(&self) -> Vec<String> {
        let faults = [
            (!self.is_in_macro() && !self.has("```"), "has no example"),
            (!self.has("edges/"), "does not say what happens at its edges"),
        ];
        faults.into_iter().filter(|(is_fault, _)| *is_fault).map(|(_, what)| what.to_owned()).collect()
    }

    /// Returns its docs with the names of a macro's parameters in place of the types.
    fn text(&self) -> String {
        self.docs.join("\n").replace("\", stringify!(", "").replace("), \"", "")
    }

    /// Returns the type and name of the question to which its docs refer by a link after the word "as".
    fn link<'d>(&'d self, docs: &'d str) -> Option<Link<'d>> {
        docs.lines().find_map(|line| {
            let (before, rest) = line.split_once("as [`")?;
            let (_, target) = rest.split_once('`')?;
            let path = match target.strip_prefix("](") {
                Some(target) => target.split_once(')')?.0,
                None => rest.split_once('`')?.0,
            };
            let (of, name) = path.rsplit_once("::")?;
            let after = rest.split_once(if target.starts_with("](") { ")" } else { "`]" })?.1;
            let said = [before.trim_start_matches(['/', ' ']), after].concat();
            let words = said.split(|c: char| !c.is_alphanumeric()).filter(|word| !word.is_empty());
            let differs = words.filter(|word| !EMPTY.contains(word)).count() >= LEAST_WORDS;
            let of = if of == "Self" { self.of } else { of.rsplit("::").next()? };
            Some(Link { of, name, differs })
        })
    }
}

/// Words that do not describe a difference between two questions, and the least number of other words that a
/// description has.
const EMPTY: [&str; 8] = ["Answers", "Does", "does", "as", "the", "same", "would", "it"];
const LEAST_WORDS: usize = 2;

/// A link to another question, and whether the sentence says how the two differ.
struct Link<'a> {
    of: &'a str,
    name: &'a str,
    differs: bool,
}

/// Returns the faults of a question outside of the traits. A question needs a table of edge cases and an example, or a link to another question that has both
/// and gives the same answers.
///
/// `all` are all such questions with their files, and `generated` the types that get some of them from a macro.
fn own_faults(
    (path, question): (&Path, &Question<'_>),
    all: &[(&Path, Question<'_>)],
    generated: &[&str],
) -> Vec<String> {
    let lacks = question.lacks();
    let docs = question.text();
    let Some(link) = question.link(&docs).filter(|_| !lacks.is_empty()) else { return lacks };
    let shown = format!("{}::{}", link.of, link.name);
    let is_named = |other: &Question<'_>| other.name == link.name && other.of == link.of;
    let is_generated =
        |other: &Question<'_>| other.name == link.name && other.of.starts_with('$') && generated.contains(&link.of);
    let targets = || all.iter().filter(|(_, other)| is_named(other) || is_generated(other));
    let target = targets().find(|(other, _)| *other == path).or_else(|| targets().next());
    let Some((_, target)) = target else {
        return vec![format!("answers as `{shown}`, which is no question")];
    };
    let mut faults: Vec<String> =
        target.lacks().into_iter().map(|lack| format!("answers as `{shown}`, which {lack}")).collect();
    faults.extend((!link.differs).then(|| format!("does not say in what it differs from `{shown}`")));
    faults
}

/// Returns the public functions and methods of a file that are questions by their names.
fn own_questions(source: &str) -> Vec<Question<'_>> {
    functions(source).filter(Question::is_own).collect()
}

/// Returns the public functions and methods of a file.
pub(crate) fn functions(source: &str) -> impl Iterator<Item = Question<'_>> {
    let (mut docs, mut of): (Vec<&str>, _) = (Vec::new(), "");
    source.lines().filter_map(move |line| {
        let text = line.trim_start();
        if text.starts_with("impl") {
            of = implementor(text);
        } else if line.starts_with('}') {
            of = "";
        }
        let name = text.strip_prefix("pub fn ").and_then(|rest| rest.split(['(', '<']).next());
        if let Some(name) = name {
            return Some(Question { name, of, docs: std::mem::take(&mut docs) });
        }
        if text.starts_with("///") || text.starts_with("#[") || text.starts_with("// ") {
            docs.push(line);
        } else {
            docs.clear();
        }
        None
    })
}

/// Returns the types that get their questions by a macro in a file.
fn generated(source: &str) -> impl Iterator<Item = &str> {
    source.split("_queries!(").skip(1).filter_map(|rest| rest.split([')', ',']).next())
}

/// Returns the name of the type that an `impl` is for, without its path and parameters. For a view, it is the name of the view's target.
fn implementor(line: &str) -> &str {
    let line = line.trim_start_matches("impl").trim_end_matches(['{', ' ']);
    let line = if line.starts_with('<') { line.split_once("> ").map_or(line, |(_, rest)| rest) } else { line };
    let line = line.rsplit(" for ").next().unwrap_or(line).trim();
    let end = line.find('<').unwrap_or(line.len());
    let is_view = line[end..].starts_with("<'_, ");
    let start = line[..end].rfind("::").map_or(0, |at| at + 2);
    if is_view { &line[start..] } else { &line[start..end] }
}

/// Returns the methods of the trait in a file.
pub(crate) fn questions(source: &str) -> impl Iterator<Item = Question<'_>> {
    let mut docs = Vec::new();
    source.lines().filter_map(move |line| {
        let name = line.strip_prefix("    fn ").and_then(|rest| rest.split(['(', '<']).next());
        match name {
            Some(name) => Some(Question { name, of: "", docs: std::mem::take(&mut docs) }),
            // The docs of the trait do not belong to the first method.
            None if line.starts_with("    }") || line.trim().is_empty() || !line.starts_with(' ') => {
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

/// Returns the number of public methods that `Scene` and its views have without the traits.
fn own_methods() -> Result<usize> {
    METHODS.iter().map(|folder| methods_below(&root().join(folder))).sum()
}

/// Counts the public methods of scenes and views in the files of a folder and of its subfolders.
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
    use super::{NO_QUESTIONS, lost_methods, methods_in, own_faults, own_questions, questions, table_faults};
    use std::path::Path;

    const SOURCE: &str = "trait T {\n    /// Whether.\n    ///\n    /// ```\n    /// ```\n    #[doc = include_str!(\"../edges/ray.md\")]\n    \
                          fn good(self) -> bool {\n        true\n    }\n\n    /// What.\n    fn bad<P>(self, points: &[P]) {\n    }\n}\n";

    fn faults(source: &str) -> Vec<(String, Vec<String>)> {
        let own: Vec<_> = own_questions(source).into_iter().map(|question| (Path::new(""), question)).collect();
        let path = Path::new("");
        own.iter().map(|(_, question)| (question.shown(), own_faults((path, question), &own, &[]))).collect()
    }

    #[test]
    fn what_things_lack_by_themselves_is_told() {
        let table = "#[doc = include_str!(\"../query/edges/ray.md\")]";
        let source = format!(
            "impl Ball {{\n    /// Hits.\n    /// ```\n    {table}\n    pub fn cast(&self) {{\n    }}\n\n    /// Hits.\n    pub fn sweep<T>(&self) {{\n    }}\n}}\n\
             impl<T> Other<T> {{\n            {table}\n            pub fn distance(&self) {{}}\n}}\n"
        );
        let lacking = ["has no example", "does not say what happens at its edges"].map(str::to_owned).to_vec();
        let expected = [("Ball::cast", vec![]), ("Ball::sweep", lacking), ("Other::distance", vec![])];
        assert_eq!(faults(&source), expected.map(|(name, faults)| (name.to_owned(), faults)));
    }

    #[test]
    fn readers_of_answers_are_no_questions() {
        let source = "impl<'a, K> Filter<'a, K> {\n    pub fn entities(self) {}\n}\nimpl Selector {\n    pub fn entities(&self) {}\n}\n";
        assert_eq!(faults(source).into_iter().map(|(name, _)| name).collect::<Vec<_>>(), ["Selector::entities"]);
        let file = (Path::new("").to_owned(), source.to_owned());
        assert!(!lost_methods(&[file]).any(|(of, _)| of == "Filter"));
        assert_eq!(lost_methods(&[]).count(), NO_QUESTIONS.len());
    }

    #[test]
    fn a_link_stands_for_the_docs_of_a_question_that_has_them() {
        let docs = "    /// Hits.\n    /// ```\n    /// `edges/ray.md`\n";
        let told = |link: &str| {
            let source = format!(
                "impl Ball {{\n{docs}    pub fn cast(&self) {{}}\n    /// Hits.\n    pub fn sweep(&self) {{}}\n}}\n\
                 impl Culled<'_, Ball> {{\n    /// {link}\n    pub fn cast_t(&self) {{}}\n}}\n"
            );
            faults(&source).pop().unwrap().1
        };
        assert!(told("Answers as [`Ball::cast`] does, with one side alone.").is_empty());
        assert_eq!(told("Answers as [`Ball::cast`] does."), ["does not say in what it differs from `Ball::cast`"]);
        assert_eq!(
            told("Answers as [`cast`](Self::cast) does, faster and better."),
            ["answers as `Culled<'_, Ball>::cast`, which is no question"]
        );
        assert_eq!(
            told("Answers as [`Ball::sweep`] does, with one side alone."),
            [
                "answers as `Ball::sweep`, which has no example",
                "answers as `Ball::sweep`, which does not say what happens at its edges"
            ]
        );
        assert_eq!(told("Answers as nothing does.").len(), 2);
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
