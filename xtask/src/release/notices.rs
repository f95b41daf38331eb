//! The notices and licences of everything that is compiled into the wheel, the package for JavaScript, and the C libraries.

use super::command::output;
use super::html::{between, plain};
use super::manifest::{C, Crate, FILE, NPM, PYTHON, Product};
use super::sbom;
use crate::shell::root;
use anyhow::{Context, Result, ensure};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

const PRODUCTS: [Product; 3] = [PYTHON, NPM, C];

/// The beginnings of the names of files with licences and notices, in capitals.
const LICENCES: [&str; 7] = ["LICENSE", "LICENCE", "COPYING", "COPYRIGHT", "NOTICE", "UNLICENSE", "AUTHORS"];

/// A part of the standard library that is only in programs for enclaves of SGX.
const NOT_FOR_TARGETS: &str = "fortanix-sgx-abi";

/// A part by other authors, with the texts of its licences.
struct Part {
    title: String,
    terms: String,
    texts: Vec<String>,
}

/// Writes all files of notices, and the list of parts for the wheel.
pub(super) fn write() -> Result<()> {
    for product in PRODUCTS {
        let file = product.notices();
        fs::write(&file, fresh(&product)?).with_context(|| format!("cannot write {}", file.display()))?;
    }
    sbom::write(&PYTHON.crates()?)
}

/// Fails if a file of notices differs from a new one. The part about the standard library is compared only if it belongs to the current compiler.
pub(super) fn check() -> Result<()> {
    let compiler = compiler()?;
    for product in PRODUCTS {
        let file = product.notices();
        let committed = read(&file)?;
        let fresh = fresh(&product)?;
        let is_of_this = committed.contains(&heading(&compiler));
        let is_same = if is_of_this { committed == fresh } else { crates_part(&committed) == crates_part(&fresh) };
        ensure!(is_same, "{} is not up to date: run `cargo xtask release notices`", file.display());
    }
    sbom::check(&PYTHON.crates()?)
}

fn fresh(product: &Product) -> Result<String> {
    let crates = product.crates()?.iter().map(of_crate).collect::<Result<Vec<_>>>()?;
    let compiler = compiler()?;
    let title = format!(
        "Notices of third parties\n\nThe binaries of hitscan contain the crates and the standard library below, by others. hitscan itself is \
         under MIT or Apache-2.0.\nThis file is written by `cargo xtask release notices`.\n\n{}",
        render("Crates", &crates)
    );
    Ok(format!("{title}{}", render(&heading(&compiler), &standard_library()?)))
}

fn heading(compiler: &str) -> String {
    format!("The standard library of {compiler}")
}

/// Returns the part before the standard library.
fn crates_part(text: &str) -> &str {
    text.split_once("==== The standard library").map_or(text, |(crates, _)| crates)
}

/// Returns a list of the parts, followed by each licence text once.
fn render(heading: &str, parts: &[Part]) -> String {
    let mut texts: Vec<&str> = Vec::new();
    let mut list = format!("==== {heading}\n\n");
    for part in parts {
        let mut numbers = Vec::new();
        for text in &part.texts {
            let same = texts.iter().position(|other| words(other).eq(words(text)));
            numbers.push(
                1 + same.unwrap_or_else(|| {
                    texts.push(text);
                    texts.len() - 1
                }),
            );
        }
        let numbers = numbers.iter().map(usize::to_string).collect::<Vec<_>>().join(", ");
        let _ = writeln!(list, "{}: {} [{numbers}]", part.title, part.terms);
    }
    for (number, text) in texts.iter().enumerate() {
        let _ = write!(list, "\n---- [{}] of: {heading}\n\n{}\n", number + 1, text.trim_end());
    }
    list.push('\n');
    list
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split_whitespace()
}

/// Returns the part for a crate, with the licence files of its package.
fn of_crate(item: &Crate) -> Result<Part> {
    let mut files = Vec::new();
    for entry in item.folder.read_dir().with_context(|| format!("cannot list {}", item.folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().map(|name| name.to_string_lossy().to_uppercase()).unwrap_or_default();
        files.extend((path.is_file() && LICENCES.iter().any(|start| name.starts_with(start))).then_some(path));
    }
    files.sort();
    let mut texts = files.iter().map(|file| read(file)).collect::<Result<Vec<_>>>()?;
    if texts.is_empty() {
        texts = standard_texts(&item.licence)
            .with_context(|| format!("{} {} has no file with its licence", item.name, item.version))?;
    }
    let title = format!("{} {} ({})", item.name, item.version, item.repository);
    Ok(Part { title, terms: item.licence.clone(), texts })
}

/// Returns the standard text of a licence, for a package that only names the licence.
fn standard_texts(licence: &str) -> Result<Vec<String>> {
    let name = ["Apache-2.0", "MIT", "ISC", "BSD-2-Clause"]
        .into_iter()
        .find(|name| licence.split(' ').any(|word| word == *name));
    let name = name.with_context(|| format!("no text is known for `{licence}`"))?;
    Ok(vec![read(&documents()?.join("licenses").join(format!("{name}.txt")))?])
}

fn read(file: &Path) -> Result<String> {
    let bytes = fs::read(file).with_context(|| format!("cannot read {}", file.display()))?;
    Ok(String::from_utf8_lossy(&bytes).replace("\r\n", "\n"))
}

/// Returns the folder of documents that comes with the compiler.
fn documents() -> Result<PathBuf> {
    let sysroot = output(Command::new("rustc").args(["--print", "sysroot"]).current_dir(root()))?;
    Ok(Path::new(sysroot.trim()).join("share/doc/rust"))
}

/// Returns name and version of the compiler, such as `rustc 1.95.0`.
fn compiler() -> Result<String> {
    let text = output(Command::new("rustc").arg("--version").current_dir(root()))?;
    Ok(text.split(' ').take(2).collect::<Vec<_>>().join(" "))
}

/// Returns the standard library and its parts, from the page of notices that comes with the compiler.
fn standard_library() -> Result<Vec<Part>> {
    let page = read(&documents()?.join("COPYRIGHT-library.html"))?;
    let (_, others) =
        page.split_once("Out-of-tree dependencies</h2>").context("the compiler's notices have another form")?;
    let licences = ["Apache-2.0", "MIT", "BSD-2-Clause", "Unicode-3.0", "NCSA", "LLVM-exception"];
    let own =
        licences.map(|name| documents().and_then(|folder| read(&folder.join("licenses").join(format!("{name}.txt")))));
    let own = Part {
        title: "core, alloc, std (https://github.com/rust-lang/rust), copyright the Rust Project Developers and contributors".to_owned(),
        terms: "Apache-2.0 OR MIT; parts NCSA, BSD-2-Clause and Unicode-3.0".to_owned(),
        texts: own.into_iter().collect::<Result<_>>()?,
    };
    let others = others.split("<h3>").skip(1).filter(|part| !part.contains(NOT_FOR_TARGETS)).map(|part| {
        let title = part.split_once("</h3>").map_or(part, |(title, _)| title);
        let terms = part
            .split_once("License:")
            .and_then(|(_, after)| after.split_once("</p>"))
            .map_or(String::new(), |(terms, _)| plain(terms));
        let title = plain(title).trim_start_matches(|letter: char| !letter.is_ascii()).trim().to_owned();
        let texts = between(part, "<pre>", "</pre>").into_iter().map(plain).collect();
        Part { title, terms: words(&terms).collect::<Vec<_>>().join(" "), texts }
    });
    Ok(std::iter::once(own).chain(others).collect())
}

/// Fails if a file of notices does not name all crates of a product, or if a licence is missing in its folder.
pub(super) fn ensure_beside(product: &Product, folder: &Path) -> Result<()> {
    for (name, title) in [("LICENSE-MIT", "MIT License"), ("LICENSE-APACHE", "Apache License"), (FILE, "Notices of")] {
        let file = folder.join(name);
        ensure!(file.is_file(), "{name} is not in {}", folder.display());
        // A link that was checked out as a file has only the path to the licence in it.
        ensure!(read(&file)?.contains(title), "{} is not what its name says", file.display());
    }
    let text = read(&folder.join(FILE))?;
    for item in product.crates()? {
        let title = format!("\n{} {} (", item.name, item.version);
        ensure!(
            text.contains(&title),
            "{} {} is in the binary of {}, and not in {FILE}",
            item.name,
            item.version,
            product.package
        );
    }
    ensure!(text.contains("==== The standard library"), "{FILE} says nothing of the standard library");
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::{Part, render};

    #[test]
    fn a_text_is_printed_once() {
        let part = |title: &str, text: &str| Part {
            title: title.to_owned(),
            terms: "MIT".to_owned(),
            texts: vec![text.to_owned()],
        };
        let text = render("Crates", &[part("a 1", "one\ntwo"), part("b 2", "one  two\n"), part("c 3", "three")]);
        assert!(text.contains("a 1: MIT [1]\nb 2: MIT [1]\nc 3: MIT [2]\n"), "{text}");
        assert_eq!(text.matches("----").count(), 2);
    }
}
