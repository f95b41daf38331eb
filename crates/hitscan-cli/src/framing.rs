//! The default camera frames all of a model, unless one huge or distant entity or piece would make the rest small.

use crate::extent::Extent;
use crate::mesh_extent::Within;
use crate::model_extent::{Extents, count_pieces, every_piece};
use hitscan::glam::DVec3;
use hitscan_io::{Entity, Model};

/// The part of a model that is framed.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Framed {
    pub(crate) extent: Extent,
    /// The numbers of the entities that reach beyond this box.
    pub(crate) beyond: Vec<usize>,
}

/// The largest share of the entities that is always framed. With fewer than ten entities, the share is all entities except one; see [`FEWEST`]. Only pieces
/// that reach far beyond this share can be left out.
const MOST_ENTITIES: f64 = 0.9;
/// The largest share of the triangles that is always framed. With few triangles, the share is all triangles except as many as a box has.
const MOST_TRIANGLES: f64 = 0.98;
const BOX: f64 = 12.0;
/// The smallest share of the triangles that is always framed, however few there are.
const LEAST_TRIANGLES: f64 = 0.8;
/// One of the entities can be an outlier only if there are more entities than this.
const FEWEST: f64 = 3.5;
/// The error that rounding may add to a share. A share is a sum of no more than 2^17 weights, with a
/// relative error of 2^-53 for each addition.
const ROUNDING: f64 = 1.0 / (1u64 << 36) as f64;
/// A piece is an outlier if it reaches this many times as far from the middle as the share that is always framed.
const FAR: f64 = 8.0;
/// The frame reaches this many times as far as the share that is always framed, if there is an outlier.
const MARGIN: f64 = 2.0;
/// The number of pieces that are sampled to find the share.
const SAMPLES: usize = 1 << 16;

/// Finds what to frame.
///
/// The core of the model is the part nearest to its middle, with nine tenths of its entities. All entities have equal
/// weights, regardless of their numbers of triangles. If the model reaches more than eight times as far as the core,
/// the pieces within twice the radius of the core are framed. Otherwise the same test is made with nearly all
/// triangles as the core. If this fails too, all pieces are framed. Returns `None` for a model without extent.
pub(crate) fn framed(model: &Model) -> Option<Framed> {
    framed_by(&mut Extents::default(), model)
}

fn framed_by(extents: &mut Extents, model: &Model) -> Option<Framed> {
    let full = extents.of_model(model)?;
    let pieces = sampled(model);
    let extent = [Weighting::Entities, Weighting::Triangles]
        .into_iter()
        .find_map(|weighting| core(&pieces, weighting, &full))
        .map(|core| within(extents, model, core))
        .filter(Extent::is_box)
        .unwrap_or(full);
    // The triangles of an entity within the frame are not tested.
    let beyond = |(number, entity): (usize, &Entity)| {
        let both = Some(extents.extended(entity, Within::Everywhere, extent)).filter(Extent::is_box)?;
        (!extent.nearly_contains(&both)).then_some(number)
    };
    Some(Framed { extent, beyond: model.entities.iter().enumerate().filter_map(beyond).collect() })
}

/// The things that have equal weights.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Weighting {
    Entities,
    Triangles,
}

impl Weighting {
    /// Returns the share of the weight that is always framed.
    fn most(self, pieces: &[Piece]) -> f64 {
        let all: f64 = pieces.iter().map(|piece| piece.weight(self)).sum();
        match self {
            Self::Triangles => (1.0 - BOX / all).clamp(LEAST_TRIANGLES, MOST_TRIANGLES),
            Self::Entities if all < FEWEST => MOST_ENTITIES,
            Self::Entities => MOST_ENTITIES.min(1.0 - 1.0 / all),
        }
    }
}

/// A triangle or shape of an entity.
struct Piece {
    extent: Extent,
    /// The weight of the piece among all triangles, and its share of its entity.
    triangles: f64,
    share: f64,
}

impl Piece {
    fn weight(&self, weighting: Weighting) -> f64 {
        match weighting {
            Weighting::Entities => self.share,
            Weighting::Triangles => self.triangles,
        }
    }
}

/// A ball around the middle of the model.
#[derive(Clone, Copy)]
struct Core {
    middle: DVec3,
    radius: f64,
}

/// Returns some of the pieces of each entity, in proportion to its number of pieces.
fn sampled(model: &Model) -> Vec<Piece> {
    let counts: Vec<(usize, u64)> = model.entities.iter().map(count_pieces).collect();
    let stride = counts.iter().map(|(pieces, _)| pieces).sum::<usize>().div_ceil(SAMPLES).max(1);
    let mut sampled = Vec::new();
    for (entity, (pieces, weight)) in model.entities.iter().zip(counts) {
        let (taken, weight) = (pieces.div_ceil(stride) as f64, weight as f64);
        let pieces = every_piece(entity, stride).into_iter().filter(Extent::is_box);
        let each = weight / taken;
        sampled.extend(pieces.map(|extent| Piece { extent, triangles: each, share: each / weight }));
    }
    sampled
}

/// Returns the ball to frame; `None` unless the model reaches far beyond the share that is always framed. The ball is
/// around the middle of the model, and somewhat larger than that share.
fn core(pieces: &[Piece], weighting: Weighting, full: &Extent) -> Option<Core> {
    let middle = DVec3::from_array([0, 1, 2].map(|axis| {
        let centers = pieces.iter().map(|piece| (piece.extent.center()[axis], piece.weight(weighting)));
        quantile(centers.collect(), 0.5)
    }));
    let reaches = pieces.iter().map(|piece| (piece.extent.farthest_from(middle), piece.weight(weighting)));
    let reach = quantile(reaches.collect(), weighting.most(pieces));
    let is_far = reach > 0.0 && full.farthest_from(middle) > FAR * reach;
    is_far.then_some(Core { middle, radius: MARGIN * reach })
}

/// Returns the smallest value such that at least this share of the weight has no larger value.
fn quantile(mut values: Vec<(f64, f64)>, share: f64) -> f64 {
    values.sort_unstable_by(|a, b| a.0.total_cmp(&b.0));
    let wanted = share * (1.0 - ROUNDING) * values.iter().map(|(_, weight)| weight).sum::<f64>();
    let mut sum = 0.0;
    let found = values.iter().find(|(_, weight)| {
        sum += weight;
        sum >= wanted
    });
    found.or(values.last()).map_or(0.0, |&(value, _)| value)
}

/// Returns the box around all pieces that lie in a ball.
fn within(extents: &mut Extents, model: &Model, Core { middle, radius }: Core) -> Extent {
    let ball = Within::Ball { middle, radius };
    model.entities.iter().fold(Extent::EMPTY, |known, entity| extents.extended(entity, ball, known))
}

#[cfg(test)]
mod tests {
    use super::*;
    use hitscan::glam::DAffine3;
    use hitscan_io::Format;

    /// Returns a box of twelve triangles.
    fn cube([x, y, z]: [f64; 3], half: f64) -> String {
        let corner = |i: u32| [0, 1, 2].map(|axis| if i >> axis & 1 == 0 { -half } else { half });
        let vertices = (0..8).map(corner).map(|[a, b, c]| format!("v {} {} {}\n", x + a, y + b, z + c));
        let faces = ["1 3 4 2", "5 6 8 7", "1 2 6 5", "3 7 8 4", "1 5 7 3", "2 4 8 6"];
        // The indices of faces are relative to the vertices before them.
        let back =
            |face: &str| face.split(' ').map(|i| format!("{}", i.parse::<i32>().unwrap() - 9)).collect::<Vec<_>>();
        vertices.chain(faces.map(|face| format!("f {}\n", back(face).join(" ")))).collect()
    }

    fn plane(half: f64, cells: u32) -> String {
        let place = |i: u32| -half + 2.0 * half * f64::from(i) / f64::from(cells);
        let corners = |x: u32, z: u32| [(x, z), (x, z + 1), (x + 1, z + 1), (x + 1, z)];
        let cells = (0..cells).flat_map(|x| (0..cells).map(move |z| (x, z)));
        let quad = |(x, z)| {
            let vertices = corners(x, z).map(|(x, z)| format!("v {} 0 {}\n", place(x), place(z)));
            vertices.join("") + "f -4 -3 -2 -1\n"
        };
        cells.map(quad).collect()
    }

    fn framed_of(obj: &str) -> (Extent, usize) {
        let model = Model::from_bytes_as(Format::Obj, obj.as_bytes(), None).unwrap();
        let Framed { extent, beyond } = framed(&model).unwrap();
        (extent, beyond.len())
    }

    /// Returns a few houses around the origin, each an entity.
    fn town() -> String {
        let houses = (0..9).map(|i| (10.0 * f64::from(i % 3) - 10.0, 10.0 * f64::from(i / 3) - 10.0));
        houses.enumerate().map(|(i, (x, z))| format!("o house{i}\n{}", cube([x, 1.0, z], 1.0))).collect()
    }

    const TOWN: Extent = Extent { min: DVec3::new(-11.0, 0.0, -11.0), max: DVec3::new(11.0, 2.0, 11.0) };

    #[test]
    fn one_huge_or_far_thing_does_not_decide() {
        let cases = [
            ("a ground of two triangles", format!("{}o ground\n{}", town(), plane(5000.0, 1))),
            ("a far speck", format!("{}o speck\nv 1e6 0 0\nv 1000001 0 0\nv 1e6 1 0\nf -3 -2 -1\n", town())),
            ("a sky of many triangles", format!("{}o sky\n{}", town(), cube([0.0; 3], 900.0).repeat(50))),
            ("all in one", format!("{}o ground\n{}", town(), plane(5000.0, 1)).replace("o ", "# ")),
        ];
        for (name, obj) in cases {
            let (extent, beyond) = framed_of(&obj);
            assert_eq!((extent, beyond), (TOWN, 1), "{name}");
        }
        // The near cells of a ground are framed.
        let (extent, beyond) = framed_of(&format!("{}o ground\n{}", town(), plane(5000.0, 300)));
        assert!(extent.contains(&TOWN) && extent.half_size().max_element() < 60.0 && beyond == 1, "{extent:?}");
        let (extent, _) = framed_of(&format!("o ground\n{}o cube\n{}", plane(1000.0, 1), cube([3.0, 1.0, 2.0], 1.0)));
        assert_eq!(extent.center(), DVec3::new(3.0, 1.0, 2.0));
    }

    #[test]
    fn ordinary_models_are_framed_as_a_whole() {
        let room = format!("o room\n{}o cup\n{}", cube([0.0; 3], 4.0), cube([1.0, -3.0, 1.0], 1.0));
        let row: String = (0..100).map(|i| format!("o {i}\n{}", cube([3.0 * f64::from(i), 0.0, 0.0], 1.0))).collect();
        // A balloon of a few parts is above a basket of many parts.
        let basket = (0..30).map(|i| format!("o basket{i}\n{}", cube([0.02 * f64::from(i), 0.0, 0.0], 0.05)));
        let balloon = basket.collect::<String>()
            + &(0..7)
                .map(|i| format!("o balloon{i}\n{}", plane(4.0, 8).replace(" 0 ", &format!(" {} ", 5 + i))))
                .collect::<String>();
        let tower = format!("o tower\n{}{}", cube([0.0, 30.0, 0.0], 1.0), town());
        for obj in [town(), room, row, balloon, tower, plane(100.0, 20), "v 0 0 0\nv 0 0 0\nv 0 0 0\nf 1 2 3\n".into()]
        {
            let model = Model::from_bytes_as(Format::Obj, obj.as_bytes(), None).unwrap();
            let full = Extents::default().of_model(&model).unwrap();
            assert_eq!(framed_of(&obj), (full, 0));
        }
        assert_eq!(framed(&Model::default()), None);
    }

    /// The work grows with the number of triangles of each mesh plus the number of entities. It does not grow with their product, because entities within the
    /// frame are not opened.
    #[test]
    fn many_instances_of_a_large_mesh_take_little_work() {
        let one = Model::from_bytes_as(Format::Obj, plane(1.0, 64).as_bytes(), None).unwrap();
        let place = |i: u32| DVec3::new(f64::from(i % 50), f64::from(i / 50), 0.0) * 3.0;
        let at = |i| Entity { transform: DAffine3::from_translation(place(i)), ..one.entities[0].clone() };
        for far in [0.0, 1e6] {
            let mut model = one.clone();
            model.entities = (0..2_000).map(at).collect();
            model.entities[7].transform.translation.z = far;
            let mut extents = Extents::default();
            let framed = framed_by(&mut extents, &model).unwrap();
            assert_eq!(framed.beyond.len(), usize::from(far > 0.0));
            let triangles = model.entities.len() as u64 * 8_192;
            assert!(extents.opened() < 2 * 8_192, "{} of {triangles}", extents.opened());
        }
    }
}
