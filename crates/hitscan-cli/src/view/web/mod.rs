//! `hitscan view MODEL --web`: the page with a model, on loopback.
//!
//! [`page`] has the embedded files, [`glb`] converts a model that the page cannot read itself, and [`site`] maps addresses to contents. [`request`] and
//! [`response`] have the small part of HTTP that is needed, and [`server`] listens.

mod glb;
mod page;
mod request;
mod response;
mod server;
mod site;
#[cfg(test)]
mod tests;

use super::options::ViewArgs;
use crate::outcome::Outcome;
use crate::output::{Console, print};
use anyhow::{Context, Result};
use hitscan_io::Detail;
use site::{Shown, Site};
use std::net::{Ipv4Addr, TcpListener};
use std::path::Path;

/// The extension of files that the page can read without conversion.
const GLB: &str = "glb";

/// Serves the page until the program is ended.
pub(super) fn open(args: &ViewArgs, console: &Console) -> Result<Outcome> {
    let files = page::files()?;
    let shown = shown(args, console)?;
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).context("cannot listen on 127.0.0.1")?;
    let port = listener.local_addr().context("cannot listen on 127.0.0.1")?.port();
    let site = Site::new(files, shown, token()?, port);
    print(|out| writeln!(out, "{}", site.address()))?;
    server::serve(&listener, &site);
    Ok(Outcome::Success)
}

/// Loads the model, so that an unreadable model is an error before the page opens, and returns the data for the page.
fn shown(args: &ViewArgs, console: &Console) -> Result<Shown> {
    let loaded = args.model.load(Detail::Colors, console)?;
    let path = Path::new(&args.model.model);
    let name = path.file_stem().map_or_else(|| "model".into(), |stem| stem.to_string_lossy().into_owned());
    let is_read_by_page = path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(GLB));
    if is_read_by_page && args.model.animation.is_none() {
        return Ok(Shown::file(&name, path.to_owned()));
    }
    let bytes = console.during("converting", || glb::write(&loaded.model)).with_context(|| args.model.model.clone())?;
    Ok(Shown::bytes(&name, bytes))
}

/// Returns 128 random bits as text. They are a secret in the address of the page.
fn token() -> Result<String> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes).map_err(|error| anyhow::anyhow!("the system gives no random numbers: {error}"))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}
