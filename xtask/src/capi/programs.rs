//! The programs in C and C++. Two compilers compile them, and they run plainly, with sanitizers and in Valgrind.

use super::program::{CAPI, Program};
use super::{cost, functions, refusals};
use crate::shell::{root, run, target};
use crate::skips::skip;
use crate::snippets;
use crate::window::are_there;
use anyhow::{Context, Result, ensure};
use std::path::{Path, PathBuf};
use std::process::Command;

/// Compilers, a build tool, Valgrind, and for the game a library for windows and a virtual display.
const PACKAGES: [&str; 9] = ["gcc", "g++", "clang", "cmake", "pkg-config", "valgrind", "libsdl2-dev", "xvfb", "xauth"];

const C: [&str; 5] = ["-std=c99", "-Wall", "-Wextra", "-Werror", "-pedantic"];
const CPP: [&str; 5] = ["-std=c++17", "-Wall", "-Wextra", "-Werror", "-pedantic"];

/// Options with which Valgrind fails if memory is leaked. Leaked means that nothing points to it any more.
const LEAKS: [&str; 3] = ["--leak-check=full", "--show-leak-kinds=definite", "--errors-for-leak-kinds=definite"];

/// Returns the sources in a folder, in order.
fn sources(folder: &Path) -> Result<Vec<Program>> {
    let mut files = Vec::new();
    for entry in folder.read_dir().with_context(|| format!("cannot list {}", folder.display()))? {
        let path = entry.with_context(|| format!("cannot list {}", folder.display()))?.path();
        if path.extension().is_some_and(|extension| extension == "c" || extension == "cpp") {
            files.push(path);
        }
    }
    files.sort();
    files.into_iter().map(Program::new).collect()
}

/// A variant of building and running programs.
struct Build {
    name: &'static str,
    c: &'static str,
    cpp: &'static str,
    flags: &'static [&'static str],
}

const BUILDS: [Build; 3] = [
    Build { name: "gcc", c: "gcc", cpp: "g++", flags: &["-O2", "-g"] },
    Build { name: "clang", c: "clang", cpp: "clang++", flags: &["-O2"] },
    Build {
        name: "sanitizers",
        c: "gcc",
        cpp: "g++",
        flags: &["-O1", "-g", "-fsanitize=address,undefined", "-fno-sanitize-recover=all"],
    },
];

/// Compiles and runs all programs and the code of the pages with the library below a prefix, and compares the cost of calls.
pub(super) fn check(prefix: &Path) -> Result<()> {
    if !are_there(&PACKAGES) {
        let way = format!("on a Debian: apt-get install {}", PACKAGES.join(" "));
        return skip("c", "the programs in C and C++", &way);
    }
    let folder = root().join(CAPI);
    let mut programs = Vec::new();
    for place in ["tests/c", "tests/cpp", "examples"] {
        programs.extend(sources(&folder.join(place))?);
    }
    programs.push(refusals::write()?);
    for build in BUILDS {
        for program in &programs {
            let built = compile(program, &build, prefix)?;
            execute(program, Command::new(&built))?;
            if build.name == "gcc" && !program.is_game() {
                let leaks: &[&str] = if program.is_forking() { &[] } else { &LEAKS };
                execute(program, valgrind(&[&["--error-exitcode=1"], leaks].concat(), &built))?;
            }
        }
    }
    run_snippets(prefix)?;
    helgrind()?;
    cost::check(prefix)?;
    outside(prefix)
}

/// Compiles and runs the code of the pages.
pub(super) fn run_snippets(prefix: &Path) -> Result<()> {
    snippets::native::check(prefix, [&C, &CPP])
}

/// Compiles a program with all warnings denied, and links the shared library.
fn compile(program: &Program, build: &Build, prefix: &Path) -> Result<PathBuf> {
    let folder = target()?.join("capi").join(build.name);
    std::fs::create_dir_all(&folder).with_context(|| format!("cannot make {}", folder.display()))?;
    let built = folder.join(&program.name);
    let (compiler, flags) = if program.is_c() { (build.c, C) } else { (build.cpp, CPP) };
    let mut command = Command::new(compiler);
    command
        .args(flags)
        .args(build.flags)
        .arg("-I")
        .arg(prefix.join("include"))
        .arg("-I")
        .arg(root().join(CAPI).join("tests/c"));
    command.arg(&program.source).arg("-o").arg(&built);
    if program.is_game() {
        command.args(pkg_config(&["--cflags", "--libs", "sdl2"], None)?);
    }
    command.arg(format!("-L{}", prefix.join("lib").display()));
    command.arg(format!("-Wl,-rpath,{}", prefix.join("lib").display())).args(["-lhitscan", "-lm", "-lpthread"]);
    run(&mut command)?;
    Ok(built)
}

/// Runs a program, and fails unless it exits with 0.
fn execute(program: &Program, mut command: Command) -> Result<()> {
    command.env("HITSCAN_QUIET", "1").env("UBSAN_OPTIONS", "print_stacktrace=1");
    if !program.is_game() {
        return run(&mut command);
    }
    // The libraries of the window keep memory of their own.
    let mut shown = Command::new("timeout");
    shown.args(["120", "xvfb-run", "--auto-servernum", "--server-args=-screen 0 640x480x24"]);
    shown.arg(command.get_program()).arg("--frames").arg("120");
    run(shown.env("ASAN_OPTIONS", "detect_leaks=0").env("SDL_RENDER_DRIVER", "software"))
}

/// Returns a command that runs a program in Valgrind. Valgrind runs one thread at a time. With its default lock, a
/// thread that never sleeps can starve the others.
fn valgrind(options: &[&str], program: &Path) -> Command {
    let mut command = Command::new("valgrind");
    command.args(["--quiet", "--fair-sched=yes"]).args(options).arg(program);
    command
}

/// Looks for data races between queries: eight threads query one version of a scene, and four share a filter in C++. No report is suppressed. Commits are left
/// out, because Helgrind knows C's locks, but not Rust's, which use atomics. It would report every read of a version as a race with the thread that made the
/// version.
fn helgrind() -> Result<()> {
    let options = ["--tool=helgrind", "--error-exitcode=1", "--history-level=approx"];
    let program = |name: &str| Ok::<_, anyhow::Error>(valgrind(&options, &target()?.join("capi/gcc").join(name)));
    run(program("threads")?.arg("0"))?;
    run(&mut program("filters")?)
}

/// Returns the words that pkg-config prints.
fn pkg_config(args: &[&str], path: Option<&Path>) -> Result<Vec<String>> {
    let mut command = Command::new("pkg-config");
    command.args(args);
    if let Some(path) = path {
        command.env("PKG_CONFIG_PATH", path);
    }
    let output = command.output().context("cannot start pkg-config")?;
    ensure!(output.status.success(), "pkg-config: {}", String::from_utf8_lossy(&output.stderr));
    Ok(String::from_utf8_lossy(&output.stdout).split_whitespace().map(str::to_owned).collect())
}

/// Compiles a program outside of the repository with the installed files: with the header alone, by pkg-config, and by
/// CMake.
fn outside(prefix: &Path) -> Result<()> {
    let folder = std::env::temp_dir().join(format!("hitscan-capi-{}", std::process::id()));
    let done = outside_in(prefix, &folder);
    let removed = std::fs::remove_dir_all(&folder);
    done?;
    removed.with_context(|| format!("cannot remove {}", folder.display()))
}

fn outside_in(prefix: &Path, folder: &Path) -> Result<()> {
    let installed = folder.join("installed");
    std::fs::create_dir_all(folder).with_context(|| format!("cannot make {}", folder.display()))?;
    // The installed files must work at any path, so the programs use a copy of them outside of the repository.
    run(Command::new("cp").arg("-a").arg(prefix).arg(&installed))?;
    for (from, to) in [
        ("examples/pick.c", "pick.c"),
        ("examples/pick_cpp.cpp", "pick_cpp.cpp"),
        ("tests/outside/CMakeLists.txt", "CMakeLists.txt"),
    ] {
        let from = root().join(CAPI).join(from);
        std::fs::copy(&from, folder.join(to)).with_context(|| format!("cannot copy {}", from.display()))?;
    }
    let by = |name: &str, words: Vec<String>| -> Result<()> {
        let program = folder.join(name);
        run(Command::new("gcc").args(C).arg("pick.c").arg("-o").arg(&program).args(words).current_dir(folder))?;
        run(Command::new(&program).env("LD_LIBRARY_PATH", installed.join("lib")))
    };
    let (include, library) = (installed.join("include"), installed.join("lib/libhitscan.so"));
    by("by_hand", vec![format!("-I{}", include.display()), library.display().to_string()])?;
    by("by_pkg_config", pkg_config(&["--cflags", "--libs", "hitscan"], Some(&installed.join("lib/pkgconfig")))?)?;
    let build = folder.join("build");
    let mut configure = Command::new("cmake");
    configure.arg("-S").arg(folder).arg("-B").arg(&build).arg(format!("-DCMAKE_PREFIX_PATH={}", installed.display()));
    run(&mut configure)?;
    run(Command::new("cmake").arg("--build").arg(&build))?;
    for name in ["pick", "pick_static", "pick_cpp"] {
        run(&mut Command::new(build.join(name)))?;
    }
    Ok(())
}

/// Fails if a function of the header is in no test.
pub(super) fn every_function_is_called() -> Result<()> {
    let folder = root().join(CAPI).join("tests/c");
    let files = sources(&folder)?.into_iter().map(|program| program.source).chain([folder.join("check.h")]);
    let read =
        |file: PathBuf| std::fs::read_to_string(&file).with_context(|| format!("cannot read {}", file.display()));
    let tests = files.map(read).collect::<Result<Vec<_>>>()?.concat();
    let functions = functions::functions()?;
    let is_called = |name: &str| tests.contains(&format!("{name}("));
    let missing: Vec<&str> = functions.iter().map(|function| &*function.name).filter(|name| !is_called(name)).collect();
    ensure!(missing.is_empty(), "no test in {CAPI}/tests/c calls {}", missing.join(", "));
    println!("{} functions, each of which a test in C calls", functions.len());
    Ok(())
}
