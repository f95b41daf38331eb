//! Checks the uses between modules. In the library, a module only uses modules on lower floors of the table in ARCHITECTURE.md. In the other crates, there are
//! no cycles.
//!
//! A module is a file at the root of a crate, or a folder there with all of the folder's files. Tests may use anything.

use crate::shell::root;
use crate::source::Sources;
use crate::uses::{circles, file_uses};
use anyhow::{Context, Result, bail, ensure};
use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

/// The page with the table of floors, and the table's heading.
const PAGE: &str = "ARCHITECTURE.md";
const HEADING: &str = "| Floor | Modules |";

/// The crate whose modules have floors.
const LAYERED: &str = "hitscan";
const LIBRARY: &str = "crates/hitscan/src";

/// The source folders in which neither modules nor files may use each other in a cycle.
const ACYCLIC: [&str; 12] = [
    LIBRARY,
    "crates/hitscan-bench/src",
    "crates/hitscan-capi/src",
    "crates/hitscan-capi/cost/src",
    "crates/hitscan-cli/src",
    "crates/hitscan-digest/src",
    "crates/hitscan-io/src",
    "crates/hitscan-py/src",
    "crates/hitscan-random/src",
    "crates/hitscan-web/src",
    "fuzz/src",
    "xtask/src",
];

/// The files of the library that are still in cycles. They are parents whose types their children extend, and algorithms that call each other. No file may be
/// added, and a file that is no longer in a cycle must be removed.
const STILL_IN_CIRCLES: [&str; 37] = [
    "bvh/builder/binary",
    "bvh/builder/lbvh_clusters",
    "bvh/builder/top_down",
    "character",
    "character/body",
    "d2",
    "d2/rect",
    "mesh",
    "mesh/data/attributes",
    "mesh/data/closed",
    "mesh/data/cut_out",
    "mesh/data/leaf_storage",
    "proximity/dispatch",
    "proximity/distance",
    "proximity/penetration",
    "proximity/point_query",
    "proximity/stretched_solids",
    "proximity/stretched_torus",
    "proximity/stretched_torus_search",
    "proximity/torus_torus",
    "proximity/triangle_distance",
    "query/ray/cast",
    "query/ray/hit",
    "query/ray/hit_sink",
    "query/overlap/proximity_parts",
    "query/sweep/seam",
    "query/ray/self_hit",
    "query/sweep/search",
    "query/view",
    "scene",
    "scene/part_tree",
    "scene/transform_update",
    "sweep/conservative_advancement",
    "sweep/mover",
    "sweep/rotational_ccd",
    "sweep/swept_extents",
    "sweep/triangle_set",
];

/// The modules that a module uses, each with the files that use it.
type Uses = BTreeMap<String, BTreeMap<String, BTreeSet<String>>>;

/// Fails if a module uses a module that is not below it, and names the file with this use.
pub(crate) fn check() -> Result<()> {
    let page = std::fs::read_to_string(root().join(PAGE)).with_context(|| format!("cannot read {PAGE}"))?;
    let floors = floors(&page)?;
    let sources = sources(LAYERED)?;
    let uses = uses(&sources);
    ensure!(uses.len() > 10, "{LAYERED} has {} modules that use others: has the check lost them?", uses.len());
    let mut faults = String::new();
    for fault in floor_faults(&floors, &sources.top(), &uses) {
        writeln!(faults, "{LAYERED}: {fault}")?;
    }
    for folder in ACYCLIC {
        let sources = Sources::read(&root().join(folder))?;
        let of_modules = circle(&self::uses(&sources));
        let known: &[&str] = if folder == LIBRARY { &STILL_IN_CIRCLES } else { &[] };
        let (circles, mended) = circles(&file_uses(&sources), known);
        for circle in of_modules.into_iter().chain(circles) {
            writeln!(faults, "{folder}: {circle}")?;
        }
        for file in mended {
            writeln!(faults, "{folder}: {file} is in no circle any more: take it out of the list")?;
        }
    }
    if faults.is_empty() { Ok(()) } else { bail!("{}", faults.trim_end()) }
}

fn sources(name: &str) -> Result<Sources> {
    Sources::read(&root().join("crates").join(name).join("src"))
}

/// Returns the floor of each module from the table on a page. The lowest floor is 0.
fn floors(page: &str) -> Result<BTreeMap<&str, usize>> {
    let table = page.split_once(HEADING).with_context(|| format!("{PAGE} has no table `{HEADING}`"))?.1;
    let rows = table.lines().skip(2).take_while(|line| line.starts_with('|'));
    let mut floors = BTreeMap::new();
    for (floor, row) in rows.enumerate() {
        for name in row.split('`').skip(1).step_by(2) {
            ensure!(floors.insert(name, floor).is_none(), "{PAGE} has `{name}` on two floors");
        }
    }
    Ok(floors)
}

fn uses(sources: &Sources) -> Uses {
    let mut uses = Uses::new();
    for reference in sources.references() {
        let Some(from) = reference.from.first() else { continue };
        if let Some(to) = sources.top_of(&reference.to).filter(|to| to != from) {
            let files = uses.entry(from.clone()).or_default().entry(to).or_default();
            files.insert(reference.from.join("/"));
        }
    }
    uses
}

fn floor_faults(floors: &BTreeMap<&str, usize>, modules: &BTreeSet<&str>, uses: &Uses) -> Vec<String> {
    let unplaced = modules.iter().filter(|name| !floors.contains_key(**name));
    let mut faults: Vec<String> = unplaced.map(|name| format!("`{name}` is on no floor of {PAGE}")).collect();
    let unknown = floors.keys().filter(|name| !modules.contains(**name));
    faults.extend(unknown.map(|name| format!("{PAGE} has a floor for `{name}`, which is no module")));
    for (from, used) in uses {
        for (to, files) in used {
            if let (Some(own), Some(other)) = (floors.get(from.as_str()), floors.get(to.as_str()))
                && other >= own
            {
                let files = files.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                faults.push(format!("`{from}` uses `{to}`, which is not below it: in {files}"));
            }
        }
    }
    faults
}

/// Returns a cycle of modules, in which each uses the next one.
fn circle(uses: &Uses) -> Option<String> {
    let mut open = uses.clone();
    // A module that uses no other remaining module is in no cycle.
    loop {
        let left: BTreeSet<String> = open.keys().cloned().collect();
        open.values_mut().for_each(|used| used.retain(|to, _| left.contains(to)));
        let before = open.len();
        open.retain(|_, used| !used.is_empty());
        if open.len() == before {
            break;
        }
    }
    let mut way = vec![open.keys().next()?];
    loop {
        let next = open.get(*way.last()?)?.keys().next()?;
        if let Some(start) = way.iter().position(|name| *name == next) {
            let mut circle = String::from("a circle:");
            let names = way[start..].iter().chain([&next]).copied().collect::<Vec<_>>();
            for pair in names.windows(2) {
                let files = open.get(pair[0])?.get(pair[1])?.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
                write!(circle, " `{}` uses `{}` (in {files});", pair[0], pair[1]).ok()?;
            }
            return Some(circle.trim_end_matches(';').to_owned());
        }
        way.push(next);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const TABLE: &str =
        "Text.\n\n| Floor | Modules |\n| --- | --- |\n| 1 | `low`, `base` |\n| 2 | `high` |\n\nMore `text`.\n";

    fn sources(texts: &[(&str, &str)]) -> Sources {
        let path = |text: &str| text.split('/').filter(|name| !name.is_empty()).map(str::to_owned).collect();
        Sources::new(texts.iter().map(|&(module, text)| (path(module), text.to_owned())))
    }

    fn faults(texts: &[(&str, &str)]) -> Vec<String> {
        let sources = sources(texts);
        floor_faults(&floors(TABLE).unwrap(), &sources.top(), &uses(&sources))
    }

    #[test]
    fn what_is_used_is_below() {
        let low = ("low", "use crate::low::a;");
        assert!(
            faults(&[low, ("base", ""), ("high", "use crate::low::A;"), ("high/a", "use super::super::base;")])
                .is_empty()
        );
        let upwards = faults(&[low, ("base/a", "crate::high::x();"), ("base", ""), ("high", "")]);
        assert_eq!(upwards, ["`base` uses `high`, which is not below it: in base/a"]);
        let sideways = faults(&[("low", "use crate::base;"), ("base", ""), ("high", "")]);
        assert_eq!(sideways, ["`low` uses `base`, which is not below it: in low"]);
        let by_the_root = faults(&[("", "pub use high::High;"), ("low", "crate::High"), ("base", ""), ("high", "")]);
        assert_eq!(by_the_root, ["`low` uses `high`, which is not below it: in low"]);
    }

    #[test]
    fn every_module_has_a_floor() {
        let lost = faults(&[("low", ""), ("high", ""), ("new", "")]);
        assert_eq!(
            lost,
            ["`new` is on no floor of ARCHITECTURE.md", "ARCHITECTURE.md has a floor for `base`, which is no module"]
        );
        assert!(floors("No table.").is_err());
        assert!(floors(&TABLE.replace("`base`", "`high`")).is_err());
    }

    #[test]
    fn circles_are_found() {
        let ends = ("a", "use crate::b::B;\nuse crate::d;");
        let straight = sources(&[ends, ("b", "use crate::c;"), ("c", "use crate::d;"), ("d", "")]);
        assert_eq!(circle(&uses(&straight)), None);
        let round = sources(&[ends, ("b", "use crate::c;"), ("c/e", "use crate::b::B;"), ("d", "")]);
        assert_eq!(circle(&uses(&round)).unwrap(), "a circle: `b` uses `c` (in b); `c` uses `b` (in c/e)");
    }
}
