//! Checks that the library keeps no state except the state that ARCHITECTURE.md names.

use crate::shell::root;
use crate::source::Sources;
use anyhow::{Context, Result, ensure};

/// The page that names the files with kept state.
const PAGE: &str = "ARCHITECTURE.md";
const LIBRARY: &str = "crates/hitscan/src";

/// The modules whose state outlives a call: global values, and results that a mesh keeps. The page names them.
const KEPT: [&str; 6] =
    ["mesh/data/closed", "mesh/data/slabs", "parallel/crew", "parallel/per_process", "scene", "simd/level"];

/// The modules whose state belongs to one call. Their state is counters that threads share, and values that are computed when they are first needed.
const OF_ONE_CALL: [&str; 10] = [
    "bvh/traverse/recorded",
    "convex/epa",
    "mesh/build/construct",
    "proximity/dispatch",
    "query/overlap/volume_query",
    "query/own_space/inside_batch",
    "select/solid",
    "select/surface",
    "simd/huge_pages",
    "sweep/triangle_set",
];

/// The names of state that can be changed through a shared reference, except atomics. All cells come from one module.
const NAMES: [&str; 9] =
    ["LazyLock", "Mutex", "Once", "OnceLock", "RwLock", "core::cell", "static", "std::cell", "thread_local"];

/// The start of the names of all atomics.
const ATOMIC: &str = "Atomic";

/// Fails if a module with state is in neither list, or if a list has a module without state. It also fails if the page does not name a module with kept state.
pub(crate) fn check() -> Result<()> {
    let page = std::fs::read_to_string(root().join(PAGE)).with_context(|| format!("cannot read {PAGE}"))?;
    let sources = Sources::read(&root().join(LIBRARY))?;
    let found = faults(&sources, &[&KEPT, &OF_ONE_CALL]).into_iter().chain(unnamed(&page, &KEPT));
    let found: Vec<String> = found.collect();
    ensure!(found.is_empty(), "{}", found.join("\n"));
    Ok(())
}

/// Returns the differences between the modules with state and the lists of them.
fn faults(sources: &Sources, lists: &[&[&str]]) -> Vec<String> {
    let with_state: Vec<(String, &str)> =
        sources.modules().filter_map(|(module, code)| Some((module.join("/"), state_in(code)?))).collect();
    let is_listed = |module: &str| lists.iter().any(|list| list.contains(&module));
    let new = with_state.iter().filter(|(module, _)| !is_listed(module));
    let new =
        new.map(|(module, name)| format!("{LIBRARY}: {module} has state, `{name}`, and is in no list of state.rs"));
    let gone = lists.iter().copied().flatten().filter(|listed| !with_state.iter().any(|(module, _)| module == *listed));
    new.chain(gone.map(|listed| format!("{LIBRARY}: {listed} has no state: take it out of the list in state.rs")))
        .collect()
}

/// Returns the modules whose file a page does not name.
fn unnamed<'a>(page: &'a str, modules: &'a [&str]) -> impl Iterator<Item = String> + 'a {
    let is_named = |module: &str| ["", "/mod"].iter().any(|end| page.contains(&format!("`{module}{end}.rs`")));
    modules
        .iter()
        .filter(move |module| !is_named(module))
        .map(|module| format!("{PAGE} does not name {module}, which keeps state"))
}

/// Returns the first name of state in the code of a module.
fn state_in(code: &str) -> Option<&str> {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '\'';
    let is_whole = |(at, name): &(usize, &str)| {
        let (before, after) = (&code[..*at], &code[at + name.len()..]);
        !before.ends_with(is_part) && (*name == ATOMIC || !after.starts_with(is_part))
    };
    let names = NAMES.into_iter().chain([ATOMIC]);
    names.flat_map(|name| code.match_indices(name)).filter(is_whole).map(|(_, name)| name).next()
}

#[cfg(test)]
mod tests {
    use super::{faults, state_in, unnamed};
    use crate::source::Sources;

    #[test]
    fn state_is_found_in_code_alone() {
        assert_eq!(state_in("fn name() -> &'static str { STATIC.cells::<Cell>().non_static() }"), None);
        assert_eq!(state_in("    static COUNT: u32 = 0;"), Some("static"));
        assert_eq!(state_in("use core::sync::atomic::{AtomicBool, Ordering};"), Some("Atomic"));
        assert_eq!(state_in("use core::cell::{OnceCell, Cell};"), Some("core::cell"));
        let texts = [("a", "// A Mutex.\n#[cfg(test)]\nmod tests {\n    static N: u8 = 0;\n}\n")];
        let sources = Sources::new(texts.map(|(name, text)| (vec![name.to_owned()], text.to_owned())));
        assert!(faults(&sources, &[]).is_empty());
    }

    #[test]
    fn lists_and_state_are_the_same() {
        let texts = [("a", "static N: u8 = 0;"), ("b", "fn f() {}"), ("c", "x: Mutex<u8>,")];
        let sources = Sources::new(texts.map(|(name, text)| (vec![name.to_owned()], text.to_owned())));
        assert!(faults(&sources, &[&["a"], &["c"]]).is_empty());
        let found = faults(&sources, &[&["a"], &["b"]]);
        assert_eq!(found.len(), 2, "{found:?}");
        assert!(found[0].contains("c has state, `Mutex`") && found[1].contains("b has no state"), "{found:?}");
    }

    #[test]
    fn the_page_names_kept_state() {
        let page = "State is in `a/b.rs` and `scene/mod.rs`, and not in c.rs.";
        assert_eq!(unnamed(page, &["a/b", "scene"]).count(), 0);
        assert_eq!(unnamed(page, &["c"]).count(), 1);
    }
}
