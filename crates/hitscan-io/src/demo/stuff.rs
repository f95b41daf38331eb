//! The village's materials by name.

/// The village's materials, in the order of [`Model::materials`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stuff {
    Grass,
    Plaster,
    Ochre,
    Tiles,
    Thatch,
    Wood,
    Stone,
    Window,
    Bark,
    Leaves,
    Iron,
    Glow,
}
