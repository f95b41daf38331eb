//! Checks the files for GitHub: workflows, dependabot's settings and forms by their schemas, and workflows also by zizmor.

use crate::python::Environment;
use crate::shell::{files_below, root, run};
use anyhow::{Result, ensure};

/// The packages of the two programs, which contain everything that these need, including schemas.
const TOOLS: [&str; 2] = ["check-jsonschema==0.39.0", "zizmor==1.32.0"];

/// Checks all files.
pub(super) fn check() -> Result<()> {
    let environment = Environment::with("venv-workflows", &TOOLS)?;
    let folder = root().join(".github");
    let (workflows, dependabot) = (folder.join("workflows"), folder.join("dependabot.yml"));
    let forms = files_below(&folder.join("ISSUE_TEMPLATE"))?;
    let (settings, forms): (Vec<_>, Vec<_>) = forms.into_iter().partition(|file| file.ends_with("config.yml"));
    let files = [
        ("vendor.github-workflows", files_below(&workflows)?),
        ("vendor.dependabot", vec![dependabot.clone()]),
        ("vendor.github-issue-forms", forms),
        ("vendor.github-issue-config", settings),
    ];
    for (schema, files) in files {
        ensure!(!files.is_empty(), "there is no file for the schema {schema}");
        run(environment.tool("check-jsonschema").args(["--builtin-schema", schema]).args(files))?;
    }
    // The option `--offline` keeps zizmor from looking up the actions on the network.
    let mut zizmor = environment.tool("zizmor");
    run(zizmor.args(["--offline", "--no-progress", "--pedantic"]).arg(workflows).arg(dependabot))
}
