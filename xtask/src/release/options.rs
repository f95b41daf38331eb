//! The options of the commands.

use anyhow::{Context, Result, bail};
use std::path::PathBuf;

pub(super) const USAGE: &str = "usage: cargo xtask release VERSION [--dry-run] [--try] [--out DIR] [--only KIND,...]
       cargo xtask release pack [--out DIR] [--only KIND,...] [--target TRIPLE] [--portable]
       cargo xtask release try DIR [--only KIND,...]
       cargo xtask release check [contents] [workflows] [semver] [dependencies] [advisories]
       cargo xtask release address URL | notices | notes [VERSION] | tagged TAG

KIND is crates, wheel, sdist, npm or c. docs/releasing.md describes each command.";

/// A kind of published package.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    Crates,
    Wheel,
    Sdist,
    Npm,
    C,
}

impl Kind {
    pub(super) const ALL: [Self; 5] = [Self::Crates, Self::Wheel, Self::Sdist, Self::Npm, Self::C];

    /// Returns the name of the kind on the command line, which is also the name of its folder.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Crates => "crates",
            Self::Wheel => "wheel",
            Self::Sdist => "sdist",
            Self::Npm => "npm",
            Self::C => "c",
        }
    }

    fn named(name: &str) -> Result<Self> {
        let found = Self::ALL.into_iter().find(|kind| kind.name() == name);
        found
            .with_context(|| format!("there is no kind of package `{name}`; there are crates, wheel, sdist, npm and c"))
    }
}

/// The purpose of a run: to prepare a release, or only to show it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Purpose {
    #[default]
    Prepare,
    Show,
}

/// The kinds of machines of the target on which the binaries can run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Reach {
    /// Machines like this one.
    #[default]
    Here,
    /// Machines with old systems, too: zig links with glibc 2.17 or with musl.
    Portable,
}

#[derive(Debug, Default)]
pub(super) struct Options {
    pub(super) purpose: Purpose,
    pub(super) kinds: Vec<Kind>,
    pub(super) out: Option<PathBuf>,
    pub(super) target: Option<String>,
    pub(super) reach: Reach,
    /// True if each package is installed and used after it was made.
    pub(super) is_tried: bool,
}

impl Options {
    pub(super) fn read(args: &[&str]) -> Result<Self> {
        let mut options = Self { kinds: Kind::ALL.to_vec(), ..Self::default() };
        let mut rest = args.iter();
        while let Some(&word) = rest.next() {
            let mut value = || rest.next().copied().with_context(|| format!("`{word}` needs a value"));
            match word {
                "--dry-run" => options.purpose = Purpose::Show,
                "--try" => options.is_tried = true,
                "--portable" => options.reach = Reach::Portable,
                "--out" => options.out = Some(std::path::absolute(value()?)?),
                "--target" => options.target = Some(value()?.to_owned()),
                "--only" => options.kinds = value()?.split(',').map(Kind::named).collect::<Result<_>>()?,
                _ => bail!("`release` has no option `{word}`\n\n{}", USAGE),
            }
        }
        Ok(options)
    }

    /// Returns the kinds as the values of `--only`.
    pub(super) fn kinds(&self) -> String {
        self.kinds.iter().map(|kind| kind.name()).collect::<Vec<_>>().join(",")
    }
}

#[cfg(test)]
mod tests {
    use super::{Kind, Options, Purpose};

    #[test]
    fn options_are_read_and_wrong_ones_named() {
        let options = Options::read(&["--dry-run", "--only", "npm,c"]).unwrap();
        assert_eq!((options.purpose, options.kinds.as_slice()), (Purpose::Show, &[Kind::Npm, Kind::C][..]));
        assert_eq!(options.kinds(), "npm,c");
        for (wrong, named) in [(&["--only", "deb"][..], "deb"), (&["--out"], "--out"), (&["--fast"], "--fast")] {
            assert!(Options::read(wrong).unwrap_err().to_string().contains(named), "{wrong:?}");
        }
    }
}
