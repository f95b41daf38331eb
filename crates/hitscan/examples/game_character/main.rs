//! The checklist of a game with characters: each entry prints its result, and asserts it.
//!
//! `cargo run --example game_character -p hitscan`

mod crowd;
mod forces;
mod movers;
mod places;
mod player;

use std::error::Error;

/// An entry of the checklist: its name, and the scene that it plays.
type Entry = (&'static str, fn() -> Result<String, Box<dyn Error>>);

const CHECKLIST: [Entry; 10] = [
    ("spawn", places::spawn),
    ("teleport", places::teleport),
    ("knockback", forces::knockback),
    ("lift", movers::lift),
    ("crusher", movers::crusher),
    ("conveyor", movers::conveyor),
    ("ladder", forces::ladder),
    ("crouch in a vent", places::vent),
    ("rollback", crowd::rollback),
    ("ten players in a door", crowd::door),
];

fn main() -> Result<(), Box<dyn Error>> {
    for (name, play) in CHECKLIST {
        println!("{name:22} {}", play()?);
    }
    Ok(())
}
