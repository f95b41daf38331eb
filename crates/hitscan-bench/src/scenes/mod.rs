//! The scenes. Some are generated, and the same on every machine. Others are real models, if they are available.

mod city;
mod field;
mod instances;
mod interior;
mod models;
mod motion;
mod scene;
mod soup;
mod terrain;

#[cfg(feature = "peers")]
pub(crate) use instances::Pose;
pub(crate) use instances::{Instances, Move, Placement};
pub(crate) use motion::{Moving, Paths};
pub(crate) use scene::{Content, Scene};
pub(crate) use soup::Soup;
pub(crate) use terrain::Grid;

use anyhow::Result;

/// A scene that can be selected by name.
pub(crate) struct Entry {
    pub(crate) name: &'static str,
    pub(crate) what: &'static str,
    pub(crate) load: fn() -> Result<Scene>,
}

/// All scenes, the cheap ones first.
pub(crate) const SCENES: [Entry; 10] = [
    Entry {
        name: "room",
        what: "generated: one furnished room; the naive loop runs here",
        load: || Ok(interior::room()),
    },
    Entry { name: "interior", what: "generated: twelve furnished rooms", load: || Ok(interior::interior()) },
    Entry { name: "truck-town", what: "model: a driving-game town", load: models::truck_town },
    Entry { name: "bunny", what: "model: the Stanford bunny, a scan", load: models::bunny },
    Entry { name: "apartment", what: "model: a furnished flat", load: models::apartment },
    Entry { name: "sponza", what: "model: the Sponza atrium", load: models::sponza },
    Entry { name: "igea", what: "model: a dense scan of a head", load: models::igea },
    Entry { name: "terrain", what: "generated: a height field", load: || Ok(terrain::terrain(512)) },
    Entry { name: "city", what: "generated: 2 million triangles, many long and thin", load: || Ok(city::city()) },
    Entry { name: "instances", what: "generated: 10,000 instances of 8 meshes", load: || Ok(field::field()) },
];

/// The scenes for instruction counts, which take little time to build.
pub(crate) const COUNTED: [Entry; 3] = [
    Entry { name: "interior", what: "twelve furnished rooms", load: || Ok(interior::interior()) },
    Entry { name: "terrain", what: "a small height field", load: || Ok(terrain::terrain(128)) },
    Entry { name: "instances", what: "10,000 instances of 8 meshes", load: || Ok(field::field()) },
];

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generated_scenes_have_their_size() {
        let triangles = |scene: Scene| match scene.content {
            Content::Mesh(soup) => soup.triangle_count(),
            Content::Instances(_) => 0,
        };
        assert!((1_000..6_000).contains(&triangles(interior::room())));
        assert!((55_000..60_000).contains(&triangles(interior::interior())));
        assert!((1_900_000..2_100_000).contains(&triangles(city::city())));
    }
}
