//! The window: [`app`] opens it, [`state`] has its state, [`overlay`] draws over the picture that [`refinement`] makes, and [`script`] plays the user.

mod app;
mod gesture;
mod handles;
mod input;
mod orbit;
mod overlay;
mod pace;
mod refinement;
mod script;
mod stage;
mod state;
#[cfg(test)]
mod tests;

use super::options::ViewArgs;
use crate::model_extent::Extents;
use crate::outcome::Outcome;
use crate::output::Console;
use anyhow::Result;
use hitscan_io::Detail;
use orbit::Orbit;
use stage::Stage;
use state::State;

/// Shows a model in a window until the window is closed.
pub(super) fn open(args: &ViewArgs, console: &Console) -> Result<Outcome> {
    let script = args.script.as_deref().map(script::read).transpose()?;
    let title = format!("{} - hitscan", args.model.model);
    app::run(state(args, console)?, &title, script)?;
    Ok(Outcome::Success)
}

/// Loads the model, and returns the state of a window that shows it.
fn state<'a>(args: &'a ViewArgs, console: &Console) -> Result<State<'a>> {
    let mut loaded = args.model.load(Detail::Colors, console)?;
    args.cast.choice.hide(&mut loaded)?;
    let orbit = Orbit::new(&args.picture.view(&loaded, console)?, Extents::default().of_model(&loaded.model))?;
    let stage = Stage::new(loaded, orbit, &args.cast, args.picture.size);
    Ok(State::new(stage, args.threads.pool()?))
}
