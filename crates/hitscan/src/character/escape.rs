//! Motions that bring a character out of solids that it overlaps.

use super::CharacterContact;
use super::body::{AT_REST, MOST_SLIDES, Move};
use super::contact::ContactResponse;
use super::grade::AT_EDGE;
use super::planes::out_of;
use crate::collections::sort::SharedSort;
use crate::convex::{Body, PlacedBody};
use crate::math::float::{larger, length, smaller, unit};
use crate::query::{Penetration, ProximityQueries, SweepQueries};
use crate::sweep::ContactFilter;
use alloc::vec::Vec;
use core::hash::Hash;
use core::slice;
use glam::DVec3;

/// The separations from this many of the deepest things are tried, and the sums of two of these separations.
const MOST_THINGS: usize = 8;

/// A separation with a larger component along up is not treated as horizontal.
const LEVEL: f64 = 0.5;

/// If things have no unique shortest separation, motions in this many horizontal directions are tried. Their lengths in a direction are the
/// shortest length that leads out, times each of `RINGS`.
const TURNS: u32 = 8;
const RINGS: [f64; 3] = [1.0, 2.0, 3.0];

/// The golden angle. Its multiples by consecutive numbers are evenly spread directions.
const GOLDEN_ANGLE: f64 = 2.399_963_229_728_653;

/// The number of equal round things that fit on a circle around a point. Each thing is as far from the point as from its neighbours. Six things fit if they
/// touch. A seventh of the room is left free to keep them apart.
const AROUND: f64 = 6.0 * 6.0 / 7.0;

/// The longest motion that is made only to widen a gap, in multiples of the skin. In a wedge of 29 degrees, the place at the distance of the skin from
/// both sides is this far from the edge of the wedge. In a narrower wedge, a character that overlaps nothing keeps a smaller gap.
const WORTH_OF_A_GAP: f64 = 4.0;

/// Returns the factor, at least 1, by which separations are lengthened if several things leave one point together. The argument is the number of the other
/// things.
fn spread(others: usize) -> f64 {
    larger((others + 1) as f64 / AROUND, 1.0)
}

/// A thing whose distance from the character is less than the skin.
struct Near<K> {
    contact: CharacterContact<K>,
    /// The direction away from the thing, and the distance that the character has to move in this direction until the
    /// gap is the skin.
    plane: (DVec3, f64),
}

/// A thing that the character overlaps.
struct Thing<K> {
    contact: CharacterContact<K>,
    planes: Vec<(DVec3, f64)>,
    /// True if the shortest separation is horizontal, and the opposite motion is a separation of equal length.
    is_even: bool,
}

/// The end or the continuation of a motion away from things when another thing stops it.
#[derive(Clone, Copy, PartialEq, Eq)]
enum AtWall {
    /// The motion ends, because the character then tries the list of separations.
    Ends,
    /// The motion continues along the thing that stops it.
    Slides,
}

impl<K: Clone + Eq + Hash> Move<'_, '_, K> {
    /// Moves the character out of every solid that it overlaps, and away from everything that is nearer than the skin.
    pub(super) fn recover(&mut self, dt: f64) {
        let kept = self.unfinished_escape.take();
        let meshes = self.meshes_around();
        let near = self.near();
        if meshes.is_empty() && near.is_empty() {
            return;
        }
        let things = self.things(&near, &meshes);
        self.depths = things.iter().map(|thing| (thing.contact.id.clone(), thing.contact.depth)).collect();
        self.contacts.extend(things.iter().map(|thing| thing.contact.clone()));
        let most = self.character.escape_speed * dt;
        if things.is_empty() {
            self.push_out(near, most, AtWall::Slides);
            return;
        }
        // The unfinished motion is continued, because the shortest motion from the present position may lead back to an earlier position.
        if kept.is_some_and(|way| self.keeps_sides(way, &things) && self.take(way, &things, most).is_none()) {
            return;
        }
        if !(meshes.is_empty() && self.leave_all(near, &things, most)) {
            self.escape(&things, most);
        }
    }

    /// Moves out of the planes of all things nearby, by at most `most`, if the whole motion leaves all of them. Returns whether the character was moved.
    fn leave_all(&mut self, near: Vec<Near<K>>, things: &[Thing<K>], most: f64) -> bool {
        let (from, reported) = (self.position, self.contacts.len());
        // The motion is made in full, even if it is longer than `most`. Only its end shows whether it leads out.
        self.push_out(near, f64::INFINITY, AtWall::Ends);
        let is_out = self.widen_gap(f64::INFINITY);
        let way = self.position - from;
        if is_out && length(way) <= most {
            return true;
        }
        self.position = from;
        self.contacts.truncate(reported);
        is_out && self.take(way, things, most).is_none()
    }

    /// Moves out of the planes of all things nearby, as far as nothing stops the character. Returns the distance that is left.
    fn push_out(&mut self, mut near: Vec<Near<K>>, mut left: f64, at_wall: AtWall) -> f64 {
        let (mut walls, slides) = (Vec::new(), at_wall == AtWall::Slides);
        for _ in 0..MOST_SLIDES {
            let planes: Vec<_> = near.iter().map(|near| near.plane).chain(walls.iter().copied()).collect();
            let way = out_of(&planes);
            let distance = length(way);
            // Between nearly parallel surfaces, the motion along them to a place with a wider gap may have any length. A wider gap is worth only a motion of
            // some skins.
            let worth = if walls.is_empty() { WORTH_OF_A_GAP } else { 1.0 };
            let is_far = slides && distance > worth * self.character.skin;
            if is_far || !(distance > 0.0 && left > 0.0) {
                return left;
            }
            let made = smaller(distance, left) / distance;
            let stop = self.stop(way * made);
            let free = stop.as_ref().map_or(1.0, |stop| stop.made);
            self.position += way * (made * free);
            left -= distance * made * free;
            if let Some(stop) = stop {
                // If the motion goes into a plane that it has to leave, there is no room.
                let is_known = |(normal, _): &(DVec3, f64)| length(*normal - stop.normal) <= AT_EDGE;
                if free == 0.0 && (!slides || planes.iter().any(is_known)) {
                    return left;
                }
                self.report(&stop.hit);
                // The separation leaves a gap of the skin plus this depth. Such a gap is treated as the skin, and rounding does not make it smaller than the
                // skin. So the wall does not stop the next motion.
                walls.extend(slides.then_some((stop.normal, 0.5 * AT_REST * self.character.skin)));
            }
            near = self.near();
            if near.is_empty() {
                return left;
            }
        }
        left
    }

    /// Makes the shortest motion whose end is free, by at most `most`; if there is none, the character is crushed.
    fn escape(&mut self, things: &[Thing<K>], most: f64) {
        let mut between: Vec<CharacterContact<K>> = things.iter().map(|thing| thing.contact.clone()).collect();
        for way in self.ways(things) {
            match self.take(way, things, most) {
                None => return,
                Some(obstacles) => between.extend(obstacles),
            }
        }
        if let [thing] = things {
            let made = self.yield_to(thing, most);
            let left = self.things_here();
            if left.is_empty() {
                self.widen_gap(most - made);
                return;
            }
            between.splice(..1, left.into_iter().map(|thing| thing.contact));
        }
        for contact in between {
            if self.crushed.iter().all(|other| (&other.id, other.part) != (&contact.id, contact.part)) {
                self.crushed.push(contact);
            }
        }
    }

    /// Makes a motion out of things, by at most `most`, if it is free. Otherwise returns the things that it leads into.
    fn take(&mut self, way: DVec3, things: &[Thing<K>], most: f64) -> Option<Vec<CharacterContact<K>>> {
        let obstacles = self.obstacles(way, things);
        if obstacles.is_none() {
            let distance = length(way);
            let part = smaller(distance, most) / distance;
            self.position += way * part;
            if distance < most {
                // A motion is computed from some planes of some things. So its end may be nearer than the skin to another thing.
                self.widen_gap(most - distance);
            } else {
                self.unfinished_escape = Some(way * (1.0 - part));
            }
        }
        obstacles
    }

    /// Moves the character out of the only thing that crushes it, as far as there is room. Otherwise, a thin thing would move through the character. Returns
    /// the distance of the motion.
    fn yield_to(&mut self, thing: &Thing<K>, most: f64) -> f64 {
        let way = out_of(&thing.planes);
        let (distance, id) = (length(way), &thing.contact.id);
        if !(distance > 0.0 && self.keeps_sides(way, slice::from_ref(thing))) {
            return 0.0;
        }
        let wanted = smaller(distance, most) / distance;
        let part = wanted * self.stop_but(slice::from_ref(id), way * wanted).map_or(1.0, |stop| stop.made);
        self.position += way * part;
        distance * part
    }

    /// Returns the motions that are tried. The list has the motion out of all things at once, the motions out of each thing, the sums of two of these, up, and
    /// the motions of [`ways_around`](Self::ways_around). The shortest comes first.
    fn ways(&self, things: &[Thing<K>]) -> Vec<DVec3> {
        let up = self.character.up;
        let all: Vec<_> = things.iter().flat_map(|thing| thing.planes.iter().copied()).collect();
        let each: Vec<DVec3> = things.iter().take(MOST_THINGS).map(|thing| out_of(&thing.planes)).collect();
        let sums = each.iter().enumerate().flat_map(|(k, a)| each[..k].iter().map(move |b| *a + *b));
        let rise = things.iter().filter_map(|thing| self.exit(&thing.contact.id, up)).fold(0.0, larger);
        let single = [out_of(&all), up * rise].into_iter().chain(each.iter().copied());
        let mut ways: Vec<DVec3> = single.chain(sums).chain(self.ways_around(things)).collect();
        ways.sort_shared_stable_by(|a, b| a.length_squared().total_cmp(&b.length_squared()));
        ways.retain(|way| way.is_finite() && *way != DVec3::ZERO && self.keeps_sides(*way, things));
        ways
    }

    /// Returns whether a motion keeps the character on the required side of each overlapped thing.
    fn keeps_sides(&self, way: DVec3, things: &[Thing<K>]) -> bool {
        let is_in = |id: &K| things.iter().any(|thing| thing.contact.id == *id);
        self.sides.iter().all(|(id, normal)| way.dot(*normal) >= 0.0 || !is_in(id))
    }

    /// Returns the things that a motion out of things leads into. Returns `None` if the motion is free. In a crowd, the motion may pass through other things
    /// that are no larger than the character.
    fn obstacles(&mut self, way: DVec3, things: &[Thing<K>]) -> Option<Vec<CharacterContact<K>>> {
        let is_crowd = things.iter().any(|thing| thing.is_even);
        let mut through: Vec<K> = things.iter().map(|thing| thing.contact.id.clone()).collect();
        while let Some(stop) = self.stop_but(&through, way) {
            if !(is_crowd && through.len() < things.len() + MOST_THINGS && self.is_as_large(&stop.hit.id)) {
                return Some([self.contact(&stop.hit)].into());
            }
            through.push(stop.hit.id);
        }
        let from = self.position;
        self.position += way;
        let obstacles: Vec<_> = self.things_here().into_iter().map(|thing| thing.contact).collect();
        self.position = from;
        (!obstacles.is_empty()).then_some(obstacles)
    }

    /// Returns whether an entity is no larger than the character.
    fn is_as_large(&self, id: &K) -> bool {
        let (bounds, placed) = (self.view.entity_bounds(id), self.placed());
        bounds.zip(placed).is_some_and(|([low, high], placed)| {
            let (half, own) = ((high - low) * 0.5, placed.body.half_extents());
            half.max_element() <= own.max_element() + self.character.skin
        })
    }

    /// Widens the gap to the skin, as far as there is room, if the character overlaps nothing. Returns whether it overlaps nothing.
    fn widen_gap(&mut self, most: f64) -> bool {
        let (near, limit) = (self.near(), AT_REST * self.character.skin);
        let is_outside = near.iter().all(|near| near.contact.depth <= limit);
        if is_outside {
            self.push_out(near, most, AtWall::Slides);
        }
        is_outside
    }

    /// Returns the things that the character overlaps at its present position.
    fn things_here(&mut self) -> Vec<Thing<K>> {
        let (near, meshes) = (self.near(), self.meshes_around());
        self.things(&near, &meshes)
    }

    /// Returns the things that the character overlaps by more than rounding, the deepest first.
    fn things(&self, near: &[Near<K>], meshes: &[K]) -> Vec<Thing<K>> {
        let limit = AT_REST * self.character.skin;
        let mut things: Vec<Thing<K>> = Vec::new();
        for near in near.iter().filter(|near| near.contact.depth > limit && !meshes.contains(&near.contact.id)) {
            match things.iter_mut().find(|thing| thing.contact.id == near.contact.id) {
                Some(thing) => {
                    thing.planes.push(near.plane);
                    if near.contact.depth > thing.contact.depth {
                        thing.contact = near.contact.clone();
                    }
                }
                None => {
                    things.push(Thing { contact: near.contact.clone(), planes: [near.plane].into(), is_even: false });
                }
            }
        }
        self.part(&mut things);
        things.extend(meshes.iter().filter_map(|id| self.inside_of(id)));
        things.sort_shared_stable_by(|a, b| b.contact.depth.total_cmp(&a.contact.depth));
        things
    }

    /// Returns the closed meshes that contain the character's middle. If the response to such a mesh is to pass through, the rest of the move ignores it.
    fn meshes_around(&mut self) -> Vec<K> {
        let Some(placed) = self.placed() else { return Vec::new() };
        let middle = placed.center.world();
        let mut meshes = self.ask(&[], |view| view.closed_meshes_around(middle));
        meshes.retain(|id| {
            let Some(thing) = self.inside_of(id) else { return false };
            let passes = self.response(|_| thing.contact) == ContactResponse::PassThrough;
            if passes {
                self.pass(id.clone());
            }
            !passes
        });
        meshes
    }

    /// Returns the separation from a closed mesh that contains the character's middle: through the nearest point of its surface.
    fn inside_of(&self, id: &K) -> Option<Thing<K>> {
        let placed = self.placed()?;
        let filter = self.view.filter_only(id.clone());
        let middle = placed.center.world();
        let nearest = self.view.with(&filter).closest_point(middle - self.view.origin)?;
        let direction = unit(nearest.point_f64() - middle).unwrap_or(self.character.up);
        let exit = self.exit(id, direction)?;
        let contact = CharacterContact {
            id: id.clone(),
            part: nearest.part,
            triangle: nearest.triangle,
            point: nearest.point_f64(),
            normal: direction,
            surface_normal: direction,
            depth: larger(exit - self.character.skin, 0.0),
            velocity: self.velocity,
        };
        Some(Thing { contact, planes: [(direction, exit)].into(), is_even: false })
    }

    /// Some things can be left equally well in opposite directions, such as other characters at the same point. Gives all of these things the same horizontal
    /// direction of separation.
    fn part(&self, things: &mut [Thing<K>]) {
        let even: Vec<bool> = things.iter().map(|thing| self.is_even(thing)).collect();
        let ids = things.iter().zip(&even).filter(|(_, is_even)| **is_even).map(|(thing, _)| &thing.contact.id);
        let Some(direction) = self.away_from_all(ids) else { return };
        let spread = spread(even.iter().filter(|is_even| **is_even).count());
        for (thing, _) in things.iter_mut().zip(even).filter(|(_, is_even)| *is_even) {
            if let Some(distance) = self.exit(&thing.contact.id, direction) {
                (thing.planes, thing.is_even) = ([(direction, distance * spread)].into(), true);
            }
        }
    }

    /// Returns whether the separation from a thing is horizontal, and the opposite motion is a separation of equal length.
    fn is_even(&self, thing: &Thing<K>) -> bool {
        let &[(normal, depth)] = thing.planes.as_slice() else { return false };
        let is_level = normal.dot(self.character.up).abs() <= LEVEL;
        let opposite = is_level.then(|| self.exit(&thing.contact.id, -normal)).flatten();
        opposite.is_some_and(|opposite| (opposite - depth).abs() <= 2.0 * AT_REST * self.character.skin)
    }

    /// Returns a horizontal direction away from entities. Each entity has a direction of its own, and the result is opposite to the sum of these. If several
    /// characters are at one point, each character's sum lacks only the direction of that character. So no two move in the same direction.
    fn away_from_all<'k>(&self, ids: impl Iterator<Item = &'k K>) -> Option<DVec3>
    where
        K: 'k,
    {
        let (a, b) = self.character.up.any_orthonormal_pair();
        let sum = ids.filter_map(|id| self.view.entity_order(id)).fold(DVec3::ZERO, |sum, order| {
            let angle = GOLDEN_ANGLE * order as f64;
            sum + a * libm::cos(angle) + b * libm::sin(angle)
        });
        unit(-sum)
    }

    /// Returns horizontal motions, in evenly spread directions and of a few lengths. They lead out of all things whose separation has an opposite of equal
    /// length.
    fn ways_around(&self, things: &[Thing<K>]) -> Vec<DVec3> {
        let even = || things.iter().filter(|thing| thing.is_even);
        let Some(&(first, _)) = even().next().and_then(|thing| thing.planes.first()) else { return Vec::new() };
        let aside = self.character.up.cross(first);
        let directions = (0..TURNS).map(|turn| {
            let angle = core::f64::consts::TAU * f64::from(turn) / f64::from(TURNS);
            first * libm::cos(angle) + aside * libm::sin(angle)
        });
        let exit = |direction| even().filter_map(|thing| self.exit(&thing.contact.id, direction)).fold(0.0, larger);
        directions.map(|direction| direction * exit(direction)).flat_map(|way| RINGS.map(|ring| way * ring)).collect()
    }

    /// Returns the distance that the character has to move in a direction until its gap to an entity is the skin. The distance is found by a sweep back
    /// from beyond the entity. Returns `None` for an entity that is infinite in this direction, and for an entity that is wholly behind the character.
    fn exit(&self, id: &K, direction: DVec3) -> Option<f64> {
        let [low, high] = self.view.entity_bounds(id)?;
        let placed = self.placed()?;
        let reach = length(placed.body.half_extents()) + 2.0 * self.character.skin;
        let (middle, half) = ((low + high) * 0.5, (high - low) * 0.5);
        let far = (middle - placed.center.world()).dot(direction) + half.dot(direction.abs()) + reach;
        if !(far > 0.0 && far.is_finite()) {
            return None;
        }
        let mut beyond = self.pose();
        beyond.position += direction * far;
        let filter = self.view.filter_only(id.clone());
        let sweeps = self.view.with(&filter).contact_filter(ContactFilter::Ahead).margin(self.character.skin);
        let hit = sweeps.first_sweep_hit(&self.character.volume, &beyond, direction * -far);
        hit.map(|hit| far * (1.0 - hit.t_f64()))
    }

    pub(super) fn placed(&self) -> Option<PlacedBody> {
        Body::placed(&self.character.volume, &self.pose(), self.view.origin)
    }

    /// Returns the solid things that are nearer than the skin.
    fn near(&mut self) -> Vec<Near<K>> {
        let distance = self.character.skin * (1.0 - AT_REST);
        let mut near = self.within(distance);
        if near.is_empty() {
            return near;
        }
        let inside = self.within(0.0);
        let place = |near: &Near<K>| (near.contact.id.clone(), near.contact.part, near.contact.triangle);
        let is_among = |some: &[Near<K>], other: &Near<K>| some.iter().any(|near| place(near) == place(other));
        // A hole may be too narrow for the skin. Then only the volume enlarged by the skin overlaps the ring around the hole.
        // The separation from the ring would not widen the gap, so the ring is left out.
        let limit = AT_REST * self.character.skin;
        near.retain(|near| near.contact.triangle.is_some() || near.contact.depth <= limit || is_among(&inside, near));
        // A thing that is only near may hide a thing that the character overlaps.
        let hidden: Vec<_> = inside.into_iter().filter(|way| !is_among(&near, way)).collect();
        near.extend(hidden);
        near
    }

    /// Returns the solid things that are nearer than a distance.
    fn within(&mut self, distance: f64) -> Vec<Near<K>> {
        let mut found = self.ask(&[], |view| view.ways_to_distance(&self.character.volume, &self.pose(), distance));
        found.retain(|way| !self.has_passed(&way.id) && !self.passes(way, distance));
        found.iter().map(|way| self.near_of(way, distance)).collect()
    }

    fn near_of(&self, way: &Penetration<K>, distance: f64) -> Near<K> {
        let contact = self.contact_with(way, distance);
        let plane = (way.normal_f64(), way.depth_f64() - distance + self.character.skin);
        // The character is never moved through the ground, nor through an entity that crushes it. It is separated on
        // the side where it was. An entity that is only near keeps its own normal.
        let is_in = contact.depth > AT_REST * self.character.skin;
        let own = self.sides.iter().find(|(id, normal)| is_in && *id == way.id && normal.dot(plane.0) < 0.0);
        match own.and_then(|(id, normal)| Some((*normal, self.exit(id, *normal)?))) {
            Some(plane) => {
                let depth = larger(plane.1 - self.character.skin, 0.0);
                Near { contact: CharacterContact { normal: plane.0, surface_normal: plane.0, depth, ..contact }, plane }
            }
            None => Near { contact, plane },
        }
    }

    /// Returns whether the response to a thing is to pass through it. The thing must be nearer than a distance. If so, the remaining move ignores the thing.
    fn passes(&mut self, way: &Penetration<K>, distance: f64) -> bool {
        let contact = self.contact_with(way, distance);
        let passes = self.response(|_| contact) == ContactResponse::PassThrough;
        if passes {
            self.pass(way.id.clone());
        }
        passes
    }

    fn contact_with(&self, way: &Penetration<K>, distance: f64) -> CharacterContact<K> {
        CharacterContact {
            id: way.id.clone(),
            part: way.part,
            triangle: way.triangle,
            point: way.point_f64(),
            normal: way.normal_f64(),
            surface_normal: way.normal_f64(),
            depth: larger(way.depth_f64() - distance, 0.0),
            velocity: self.velocity,
        }
    }
}
