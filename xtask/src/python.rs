//! `cargo xtask python` builds the Python package and tests it, and `cargo xtask peers` runs other packages' own tests against it.

use crate::paths;
use crate::shell::{cargo, root, run, succeeds, target};
use crate::skips::skip;
use crate::snippets;
use crate::tools::is_there_after_apt;
use anyhow::{Context, Result, bail, ensure};
use std::env::consts::EXE_EXTENSION;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The package's crate, which is a workspace of its own because it needs a Python to build.
const FOLDER: &str = "crates/hitscan-py";
const MANIFEST: &str = "crates/hitscan-py/Cargo.toml";

/// Programs that may be a Python, and the packages of a Debian with which a Python can make environments.
const INTERPRETERS: [&str; 3] = ["python3", "python", "py"];
const PACKAGES: [&str; 3] = ["python3", "python3-venv", "python3-dev"];

/// The fault of a machine on which the package cannot be tested.
const MISSING: &str = "there is no Python 3.10 or later that can make environments";

/// Another package whose own tests call hitscan.
struct Peer {
    name: &'static str,
    /// The packages of the registry that its tests need.
    needs: &'static [&'static str],
    /// The folder of the tests in the package's repository, and the tests of questions that hitscan answers.
    folder: &'static str,
    tests: &'static [&'static str],
}

const PEERS: [Peer; 3] = [
    Peer {
        name: "trimesh",
        needs: &["trimesh", "networkx", "shapely", "lxml", "scipy", "rtree", "manifold3d"],
        folder: "",
        tests: &[
            "tests/test_ray.py",
            "tests/test_ray_upstream.py",
            "tests/test_proximity.py",
            "tests/test_thickness.py",
            "tests/test_collision.py",
        ],
    },
    Peer {
        name: "open3d",
        needs: &["open3d-cpu"],
        folder: "python/test",
        tests: &["t/geometry/test_raycasting_scene.py"],
    },
    Peer { name: "fcl", needs: &[], folder: "", tests: &["tests/test_fcl.py", "tests/test_precision.py"] },
];

/// Returns the folder in which the package is built, with its environments. It is not the workspace's folder. A wheel is built without symbols, so nothing
/// could be shared.
fn builds() -> Result<PathBuf> {
    Ok(target()?.join("python"))
}

/// Returns the names of the peers.
pub(crate) fn peers() -> String {
    PEERS.map(|peer| peer.name).join(", ")
}

/// Runs pytest with arguments. Without arguments, it does everything that [`check`] does.
pub(crate) fn run_tests(chosen: &[&str]) -> Result<()> {
    if chosen.is_empty() {
        return check().map(|_| ());
    }
    let environment = environment(interpreter().context(MISSING)?)?;
    environment.install_wheel()?;
    environment.pytest(chosen)
}

/// Builds a wheel, installs it into an environment in the target folder, runs its tests and the checks of its types, and returns it. Without a Python, this
/// step is skipped.
pub(crate) fn check() -> Result<Option<PathBuf>> {
    let Some(python) = interpreter() else {
        skip("python", "the Python package", &format!("on a Debian: apt-get install {}", PACKAGES.join(" ")))?;
        return Ok(None);
    };
    let environment = environment(python)?;
    let wheel = environment.install_wheel()?;
    environment.pytest(&["-q"])?;
    environment.module("mypy", &["--strict", "examples", "python"])?;
    environment.module("mypy.stubtest", &["hitscan", "--allowlist", "tests/stubtest-allowlist.txt"])?;
    for example in files(&root().join(FOLDER).join("examples"), "py")? {
        run(environment.python().arg(&example))?;
    }
    snippets::python::check(|| environment.python())?;
    println!("{} passed", wheel.display());
    Ok(Some(wheel))
}

/// Builds the package, and runs the code of the pages with it.
pub(crate) fn run_snippets() -> Result<()> {
    let environment = environment(interpreter().context(MISSING)?)?;
    environment.install_wheel()?;
    snippets::python::check(|| environment.python())
}

/// Makes the environment of the tests.
fn environment(python: &str) -> Result<Environment> {
    let environment = Environment::new(python, "venv")?;
    let requirements = ["install", "--quiet", "--disable-pip-version-check", "--requirement", "tests/requirements.txt"];
    environment.module("pip", &requirements)?;
    Ok(environment)
}

/// Runs the tests of a peer in a checkout of its repository, with hitscan in its place.
pub(crate) fn run_peer(words: &[&str]) -> Result<()> {
    let [name, folder] = words else { bail!("usage: cargo xtask peers {} DIR", peers().replace(", ", "|")) };
    let peer = PEERS.iter().find(|peer| peer.name == *name);
    let peer = peer.with_context(|| format!("there is no peer `{name}`; there are {}", peers()))?;
    let folder = Path::new(folder).canonicalize().with_context(|| format!("cannot open {folder}"))?.join(peer.folder);
    for test in peer.tests {
        ensure!(folder.join(test).is_file(), "{} is no checkout of {name}: it has no {test}", folder.display());
    }
    let python = interpreter().context(MISSING)?;
    let environment = Environment::new(python, &format!("venv-{name}"))?;
    let pip = ["install", "--quiet", "--disable-pip-version-check", "--requirement", "tests/requirements.txt"];
    environment.module("pip", &[&pip, peer.needs].concat())?;
    environment.install_wheel()?;
    let plugins = root().join(FOLDER).join("tests/peers");
    let path = std::env::join_paths([&plugins, &folder])?;
    let plugin = format!("inject_{name}");
    let mut command = environment.python();
    command.args(["-m", "pytest", "-q", "-p", &plugin, "-p", "no:cacheprovider"]).args(peer.tests);
    run(command.current_dir(&folder).env("PYTHONPATH", path))
}

/// The package that builds the wheel.
const MATURIN: &str = "maturin==1.16.0";

/// The packages that the command `machines` uses, in the versions of its last run. Spark also needs a Java.
const MACHINES: [&str; 5] =
    ["dask[array,distributed]==2026.8.0", "pandas", "pyarrow==26.0.1", "pyspark==4.3.0", "ray[data]==2.60.0"];

/// Casts a million rays by Dask, Ray and Spark on loopback, or by the named ones, and compares every bit with one process.
pub(crate) fn run_machines(names: &[&str]) -> Result<()> {
    let python = interpreter().context(MISSING)?;
    let environment = Environment::new(python, "venv-machines")?;
    let pip = ["install", "--quiet", "--disable-pip-version-check", MATURIN, "numpy>=2.2"];
    environment.module("pip", &[&pip[..], &MACHINES].concat())?;
    environment.install_wheel()?;
    run(environment.python().arg("tests/machines/snippets.py").args(names))?;
    run(environment.python().arg("tests/machines/run.py").args(names))
}

/// Returns the name of a Python that is new enough and can make environments.
pub(crate) fn interpreter() -> Option<&'static str> {
    let code = "import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 10))";
    let find = || INTERPRETERS.into_iter().find(|program| succeeds(Command::new(program).args(["-c", code])));
    find().or_else(|| is_there_after_apt(&PACKAGES, || find().is_some()).then(find)?)
}

/// An environment of Python in the target folder.
pub(crate) struct Environment {
    folder: PathBuf,
}

impl Environment {
    fn new(python: &str, name: &str) -> Result<Self> {
        let folder = builds()?.join(name);
        let environment = Self { folder };
        environment.make(python)?;
        Ok(environment)
    }

    /// Makes the environment with a Python, unless the environment exists.
    fn make(&self, python: &str) -> Result<()> {
        if !succeeds(self.python().args(["-m", "pip", "--version"])) {
            run(Command::new(python).args(["-m", "venv", "--clear"]).arg(&self.folder))?;
        }
        Ok(())
    }

    /// Returns an environment in a folder.
    pub(crate) fn at(folder: PathBuf) -> Result<Self> {
        let python = interpreter().context("there is no Python 3.10 or later that can make environments")?;
        let environment = Self { folder };
        environment.make(python)?;
        Ok(environment)
    }

    /// Returns an environment in the target folder that has these packages.
    pub(crate) fn with(name: &str, packages: &[&str]) -> Result<Self> {
        let environment = Self::at(builds()?.join(name))?;
        environment.module("pip", &[&["install", "--quiet", "--disable-pip-version-check"], packages].concat())?;
        Ok(environment)
    }

    /// Returns an environment that has maturin.
    pub(crate) fn with_maturin(name: &str) -> Result<Self> {
        Self::with(name, &[MATURIN])
    }

    /// Returns the Python of the environment.
    pub(crate) fn program(&self) -> PathBuf {
        self.in_bin("python")
    }

    fn in_bin(&self, program: &str) -> PathBuf {
        let folder = if cfg!(windows) { "Scripts" } else { "bin" };
        self.folder.join(folder).join(program).with_extension(EXE_EXTENSION)
    }

    /// Returns the command of a program that pip has installed.
    pub(crate) fn tool(&self, program: &str) -> Command {
        let mut command = Command::new(self.in_bin(program));
        command.env("VIRTUAL_ENV", &self.folder);
        command
    }

    /// Returns the `PATH` of the system with the folder of this environment's programs before all others.
    pub(crate) fn path(&self) -> Result<OsString> {
        let own = self.program().parent().map(Path::to_owned);
        let path = std::env::var_os("PATH").unwrap_or_default();
        Ok(std::env::join_paths(own.into_iter().chain(std::env::split_paths(&path)))?)
    }

    /// Returns a command that runs the environment's Python in the package's folder.
    pub(crate) fn python(&self) -> Command {
        let mut command = Command::new(self.program());
        command.current_dir(root().join(FOLDER)).env("VIRTUAL_ENV", &self.folder).env_remove("PYTHONPATH");
        command
    }

    /// Runs a module with the environment's Python.
    pub(crate) fn module(&self, module: &str, args: &[&str]) -> Result<()> {
        run(self.python().args(["-m", module]).args(args))
    }

    /// Builds the program that the tests compare with, and runs pytest.
    fn pytest(&self, args: &[&str]) -> Result<()> {
        let mut build = of_crate("build", self)?;
        build.args(["--release", "--example", "native"]).env("CARGO_INCREMENTAL", "0");
        // Maturin's settings keep cargo from compiling the crates of the wheel again.
        build.env("PYO3_BUILD_EXTENSION_MODULE", "1");
        if let Some(settings) = files(&builds()?.join("maturin"), "txt")?.pop() {
            build.env("PYO3_CONFIG_FILE", settings);
        }
        run(&mut build)?;
        let program =
            builds()?.join(if cfg!(windows) { "release/examples/native.exe" } else { "release/examples/native" });
        run(self.python().args(["-m", "pytest"]).args(args).env("HITSCAN_NATIVE", program))
    }

    /// Builds a wheel of the package, and installs it.
    fn install_wheel(&self) -> Result<PathBuf> {
        let wheels = builds()?.join("wheels");
        if wheels.is_dir() {
            std::fs::remove_dir_all(&wheels).with_context(|| format!("cannot remove {}", wheels.display()))?;
        }
        let mut build = self.python();
        build.args(["-m", "maturin", "build", "--release", "--locked", "--interpreter"]).arg(self.program());
        build.arg("--out").arg(&wheels).env("CARGO_TARGET_DIR", builds()?).env("CARGO_INCREMENTAL", "0");
        run(paths::remap(&mut build, ""))?;
        let wheel = files(&wheels, "whl")?.pop().context("maturin made no wheel")?;
        let pip = ["-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--force-reinstall", "--no-deps"];
        run(self.python().args(pip).arg(&wheel))?;
        Ok(wheel)
    }
}

/// Returns a command of cargo for the crate, with the environment's Python.
fn of_crate(subcommand: &str, environment: &Environment) -> Result<Command> {
    let mut command = cargo(&[subcommand, "--manifest-path", MANIFEST, "--locked", "--target-dir"]);
    command.arg(builds()?).env("PYO3_PYTHON", environment.program());
    // The flags of the wheel keep cargo from compiling its dependencies again.
    paths::remap(&mut command, "");
    Ok(command)
}

/// Returns the files of a folder with an extension, by name.
fn files(folder: &Path, extension: &str) -> Result<Vec<PathBuf>> {
    let entries = folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))?;
    let mut files = Vec::new();
    for entry in entries {
        let path = entry.with_context(|| format!("cannot list {}", folder.display()))?.path();
        files.extend((path.extension() == Some(OsStr::new(extension))).then_some(path));
    }
    files.sort();
    Ok(files)
}
