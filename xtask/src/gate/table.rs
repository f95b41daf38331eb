//! All steps, in the order in which they start.

use super::cargo_steps as build;
use super::changes::Inputs;
use crate::effort::is_full;
use crate::{
    bindings, capi, counts, homonyms, layers, npm, parity, playground, prose, python, questions, readme, release,
    returns, state, tolerances, tools, viewer, window,
};
use anyhow::Result;

/// A part of the gate.
pub(crate) struct Step {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    pub(crate) when: When,
    pub(crate) lane: Lane,
    /// The files that the step reads. On a branch that does not change them, a contributor's loop leaves the step out.
    pub(crate) inputs: Inputs,
    /// The kinds of tools and data that the step needs and that a machine may lack, in the words of `--without`.
    pub(crate) needs: &'static [&'static str],
    /// The steps that must end before this step starts, if they run.
    pub(crate) after: &'static [&'static str],
    /// The targets that the step `build` compiles for this step.
    pub(crate) targets: &'static [&'static str],
    pub(crate) run: fn(&[&str]) -> Result<()>,
}

/// The runs that a step belongs to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    /// The step belongs to the contributor's loop and to the gate, and does the same in both.
    Always,
    /// The step belongs to both, and tries more in the gate.
    EachEffort,
    /// The step belongs to the gate alone.
    Gate,
}

/// Steps of one lane run one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Lane {
    /// The step builds in the workspace's target folder, which cargo locks for one process at a time.
    Target,
    /// The step builds in a folder of its own, or builds nothing.
    Own,
}

impl Step {
    const fn new(name: &'static str, what: &'static str, when: When, run: fn(&[&str]) -> Result<()>) -> Self {
        let (lane, inputs) = (Lane::Target, Inputs::ALL);
        Self { name, what, when, lane, inputs, needs: &[], after: &[], targets: &[], run }
    }

    /// Returns the mark of a step in a list. It is `+` if the step tries more in the gate, and `*` if it belongs to the
    /// gate alone.
    pub(crate) fn mark(&self) -> char {
        match self.when {
            When::Always => ' ',
            When::EachEffort => '+',
            When::Gate => '*',
        }
    }

    const fn own(mut self) -> Self {
        self.lane = Lane::Own;
        self
    }

    const fn needs(mut self, needs: &'static [&'static str]) -> Self {
        self.needs = needs;
        self
    }

    const fn after(mut self, after: &'static [&'static str]) -> Self {
        self.after = after;
        self
    }

    const fn targets(mut self, targets: &'static [&'static str]) -> Self {
        self.targets = targets;
        self
    }

    const fn reads(mut self, from: &'static [&'static str], except: &'static [&'static str]) -> Self {
        self.inputs = Inputs { from, except };
        self
    }
}

/// Every build of the workspace reads the files whose paths begin with this.
const MANIFESTS: &str = "Cargo.";
const LIBRARY: &str = "crates/hitscan/src/";
const RANDOM: &str = "crates/hitscan-random/";
const IO: &str = "crates/hitscan-io/src/";
const PROGRAM: &str = "crates/hitscan-cli/src/";
const RUST: &[&str] = &[
    "crates/",
    "xtask/",
    "fuzz/",
    "examples/",
    "glam-floor/",
    MANIFESTS,
    ".cargo/",
    "rustfmt.toml",
    "ARCHITECTURE.md",
    "README.md",
];

/// Folders of the library that no question about rays, meshes, shapes and batches uses.
const ABOVE_RAYS: &[&str] = &[
    "crates/hitscan/src/character/",
    "crates/hitscan/src/convex/",
    "crates/hitscan/src/drag/",
    "crates/hitscan/src/gizmo/",
    "crates/hitscan/src/pointer/",
    "crates/hitscan/src/select/",
    "crates/hitscan/src/snap/",
    "crates/hitscan/src/sweep/",
];
/// Folders of the library that no tool for editors uses.
const BESIDE_TOOLS: &[&str] = &[
    "crates/hitscan/src/character/",
    "crates/hitscan/src/convex/",
    "crates/hitscan/src/d2/",
    "crates/hitscan/src/gameplay/",
    "crates/hitscan/src/sweep/",
];
/// Folders of the library that volumes and characters do not use.
const BESIDE_VOLUMES: &[&str] = &[
    "crates/hitscan/src/d2/",
    "crates/hitscan/src/drag/",
    "crates/hitscan/src/gizmo/",
    "crates/hitscan/src/pointer/",
    "crates/hitscan/src/select/",
    "crates/hitscan/src/snap/",
];

use When::{Always, EachEffort, Gate};

pub(crate) const STEPS: [Step; 41] = [
    // These steps only read the sources, which takes seconds.
    Step::new("fmt", "formatting", Always, |_| build::formatting()).own(),
    Step::new("prose", "whole sentences in comments, lines and paragraphs of a length to read", Always, |_| {
        prose::check()
    })
    .own(),
    Step::new(
        "questions",
        "edges, examples, the page and the names in each language of every question",
        Always,
        |_| {
            questions::check()?;
            parity::check()
        },
    )
    .own(),
    Step::new("bindings", "generated files of the languages, as their description gives them", Always, |_| {
        bindings::check()
    })
    .own(),
    Step::new(
        "layers",
        "modules use what is below them, no circles, only listed state, constants with reasons",
        Always,
        |_| {
            layers::check()?;
            state::check()?;
            tolerances::check()
        },
    )
    .own(),
    Step::new("homonyms", "one name, one type", Always, |_| homonyms::check()).own(),
    Step::new("returns", "no test that returns early without a word", Always, |_| returns::check()).own(),
    // The step `build` compiles programs, which the steps after it run.
    Step::new("build", "all tests and examples that the next steps run", Always, build::tests).reads(RUST, &[]),
    Step::new("unit", "the unit tests of all packages", Always, |_| build::unit_tests(UNIT))
        .reads(RUST, &[])
        .targets(UNIT),
    Step::new("rays", "rays, meshes, shapes, fields, batches and the plane", EachEffort, |_| build::run_tests(RAYS))
        .reads(&[LIBRARY, "crates/hitscan/tests/rays/", "crates/hitscan/tests/common/", RANDOM, MANIFESTS], ABOVE_RAYS)
        .targets(RAYS),
    Step::new("volumes", "sweeps, overlaps, closest points and characters", EachEffort, |_| build::run_tests(VOLUMES))
        .reads(
            &[
                LIBRARY,
                "crates/hitscan/tests/volumes/",
                "crates/hitscan/tests/common/",
                "crates/hitscan/examples/",
                RANDOM,
                MANIFESTS,
            ],
            BESIDE_VOLUMES,
        )
        .targets(VOLUMES),
    Step::new("scenes", "the life of scenes, and what is saved of them", EachEffort, |_| build::run_tests(SCENES))
        .reads(&[LIBRARY, "crates/hitscan/tests/scenes/", "crates/hitscan/tests/common/", RANDOM, MANIFESTS], &[])
        .targets(SCENES),
    Step::new("tools", "regions, snaps, drags, gizmos, pointers and cameras", EachEffort, |_| build::run_tests(TOOLS))
        .reads(
            &[LIBRARY, "crates/hitscan/tests/tools/", "crates/hitscan/tests/common/", RANDOM, MANIFESTS],
            BESIDE_TOOLS,
        )
        .targets(TOOLS),
    Step::new("api", "random calls of the whole library", EachEffort, |_| build::run_tests(API))
        .reads(&[LIBRARY, "crates/hitscan/tests/api/", "crates/hitscan/tests/common/", RANDOM, MANIFESTS], &[])
        .targets(API),
    Step::new("files", "files of every format", EachEffort, |_| build::run_tests(FILES))
        .reads(&[LIBRARY, IO, "crates/hitscan-io/tests/", RANDOM, MANIFESTS], ABOVE_RAYS)
        .targets(FILES),
    Step::new("worlds", "real models and large worlds", EachEffort, |_| build::run_tests(WORLDS))
        .reads(&[LIBRARY, IO, "crates/hitscan-io/tests/", "crates/hitscan/tests/common/", RANDOM, MANIFESTS], &[])
        .targets(WORLDS),
    // The gate tests the page in the step `served`, because the page does not exist yet. It tests the window in the
    // step `viewer`.
    Step::new("program", "the program's commands", EachEffort, |_| {
        let left_out = ["--", "--skip", SERVED[0], "--skip", SERVED[1], "--skip", viewer::TESTS];
        build::run_tests(&[COMMANDS, if is_full() { &left_out } else { &[] }].concat())
    })
    .reads(&[LIBRARY, IO, PROGRAM, "crates/hitscan-cli/tests/", "crates/hitscan-io/tests/", RANDOM, MANIFESTS], &[])
    .targets(COMMANDS),
    Step::new("examples", "every example of the library", Always, |_| build::examples())
        .reads(&[LIBRARY, "crates/hitscan/examples/", RANDOM, MANIFESTS], &[])
        .targets(&["--examples"]),
    Step::new("doc-tests", "the examples in the documentation", Always, |_| build::doc_tests())
        .reads(&["crates/", "docs/", MANIFESTS, "README.md"], &[]),
    Step::new(
        "clippy",
        "clippy on all targets, warnings denied; in the gate in all workspaces, one of them with the oldest glam",
        EachEffort,
        |_| build::clippy(),
    )
    .own()
    .reads(RUST, &[]),
    Step::new("readme", "the README's first command, and in the gate with its build", EachEffort, |_| {
        if is_full() { readme::run_first_command() } else { readme::try_first_command() }
    })
    .reads(&[LIBRARY, IO, PROGRAM, MANIFESTS, "README.md", "docs/benchmarks.md"], ABOVE_RAYS),
    // These steps belong to the gate alone.
    Step::new("digest", "the same bits on every instruction set", Gate, |_| build::digest()),
    Step::new("benchmark", "the benchmark's own tests", Gate, |_| build::benchmark()),
    Step::new("no-std", "the library without the standard library", Gate, |_| build::no_std()).own(),
    Step::new("features", "the library with each feature alone", Gate, |_| build::each_feature()).own(),
    Step::new("docs", "the documentation, warnings denied", Gate, |_| build::docs()).own(),
    Step::new("window", "the example with a window, and a picture of it", Gate, |_| window::check())
        .needs(&["display"]),
    Step::new("viewer", "the program with a window, driven by a script", Gate, |_| viewer::check())
        .needs(&["display"])
        // A build of the program embeds the page.
        .after(&["playground"]),
    Step::new("capi", "the header, the libraries and the programs in C and C++", Gate, |_| capi::check()).needs(&["c"]),
    Step::new("counts", "instructions of fixed rays, as recorded", Gate, |_| counts::compare()).needs(&["valgrind"]),
    Step::new("typos", "the spelling of all words", Gate, |_| tools::TYPOS.check()).own(),
    Step::new("machete", "no dependency that nothing uses", Gate, |_| tools::MACHETE.check()).own(),
    Step::new("deny", "licences, versions and sources of the dependencies", Gate, |_| release::check_dependencies())
        .own(),
    Step::new("packages", "contents of packages, versions, notices, links", Gate, |_| release::check()).own(),
    Step::new("workflows", "the files for GitHub", Gate, |_| release::check_workflows()).own().needs(&["python"]),
    Step::new("semver", "the public interface beside the last release", Gate, |_| release::check_semver()).own(),
    Step::new("rust-version", "all packages by the oldest Rust that is stated", Gate, |_| build::stated_rust()).own(),
    Step::new("npm", "the package for JavaScript, and its tests", Gate, |_| npm()).own().needs(&["node", "wasm"]),
    Step::new("playground", "the page, in a browser", Gate, |_| playground::check())
        .own()
        .needs(&["node", "wasm", "browser"])
        .after(&["npm"]),
    Step::new("served", "the page, served by the program", Gate, |_| {
        build::run_tests(&[COMMANDS, &["--"], &SERVED].concat())
    })
    .needs(&["node", "wasm", "browser"])
    .after(&["playground"]),
    Step::new("python", "the Python package, its tests and its types", Gate, |_| python()).own().needs(&["python"]),
];

/// Tests the package for JavaScript, and checks the files that it would publish.
fn npm() -> Result<()> {
    if npm::check()? { release::check_npm() } else { Ok(()) }
}

/// Tests the Python package, and checks the files that it would publish.
fn python() -> Result<()> {
    python::check()?.map_or(Ok(()), |wheel| release::check_wheel(&wheel))
}

const UNIT: &[&str] = &["--lib", "--bins"];
const RAYS: &[&str] = &["--test", "rays"];
const VOLUMES: &[&str] = &["--test", "volumes"];
const SCENES: &[&str] = &["--test", "scenes"];
const TOOLS: &[&str] = &["--test", "tools"];
const API: &[&str] = &["--test", "api"];
const FILES: &[&str] = &["--test", "files", "--test", "damage"];
const WORLDS: &[&str] = &["--test", "worlds"];
const COMMANDS: &[&str] = &["--test", "answers", "--test", "commands"];
/// The tests of [`COMMANDS`] that need the page.
const SERVED: [&str; 2] = ["web::the_page_and_the_model_are_served", "web::an_interruption_ends_it"];
