//! The Python package from its wheel and from its source distribution.

use super::trial_file::write;
use crate::python::Environment;
use crate::release::wheel::newest;
use crate::shell::{run as sh, target};
use anyhow::Result;
use std::path::Path;

const PROGRAM: &str = r#"import importlib.metadata
import numpy as np
import hitscan

mesh = hitscan.Mesh([[0, 0, 0], [2, 0, 0], [0, 2, 0]], [[0, 1, 2]])
hits = mesh.cast(np.array([[0.5, 0.5, 3.0], [5, 5, 3]]), np.array([[0, 0, -1.0], [0, 0, -1]]))
assert hits.triangle.tolist() == [0, -1] and hits.t.tolist() == [3, np.inf], (hits.triangle, hits.t)
assert "site-packages" in hitscan.__file__, hitscan.__file__
print("hitscan", importlib.metadata.version("hitscan"), "hits at", hits.t)
"#;

pub(super) fn run_wheel(packages: &Path, folder: &Path) -> Result<()> {
    install_and_use(&newest(packages, "whl")?, folder)
}

/// Builds from the source distribution as pip does, with the maturin that pip installs and without this checkout.
pub(super) fn run_source(packages: &Path, folder: &Path) -> Result<()> {
    install_and_use(&newest(packages, "gz")?, folder)
}

fn install_and_use(package: &Path, folder: &Path) -> Result<()> {
    let environment = Environment::at(folder.join("venv"))?;
    let mut pip = environment.python();
    pip.args(["-m", "pip", "install", "--quiet", "--disable-pip-version-check"]).arg(package);
    sh(pip.current_dir(folder).env("CARGO_TARGET_DIR", target()?.join("release-try")))?;
    write(folder, "use.py", PROGRAM)?;
    sh(environment.python().arg("use.py").current_dir(folder))
}
