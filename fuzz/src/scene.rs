//! Scenes after arbitrary changes. They hold the same entities as a plain list, and give the same answers as these entities when each is alone in a scene.

use crate::list::List;
use crate::numbers::{Aim, Number, Vector, vector};
use crate::shapes::{Form, Place, cast_t, local_ray};
use arbitrary::Arbitrary;
use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::query::RayView;
use hitscan::{Aabb, Cull, Entity, Filter, Geometry, Hit, Inside, Ray, RayQueries, Scene, Transform};

/// Changes, and rays that are cast afterwards.
#[derive(Debug, Arbitrary)]
pub struct Input {
    rays: List<(Aim, Options), 15>,
    changes: List<Change, 31>,
}

#[derive(Debug, Arbitrary)]
enum Change {
    Insert(Key, Form, Place),
    InsertAll(List<(Key, Form, Place), 7>),
    Move(Key, Place),
    MoveAll(List<(Key, Place), 7>),
    Layers(Key, u8),
    Remove(Key),
    Clear,
    SaveAndRead,
}

/// The key of an entity. There are few keys, so that they are used again.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
struct Key(u8);

impl<'a> Arbitrary<'a> for Key {
    fn arbitrary(u: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self(u8::arbitrary(u)? % 8))
    }
}

/// The options of a query.
#[derive(Debug, Arbitrary)]
struct Options {
    layers: Option<u8>,
    excluded: Option<Key>,
    cull: Choice,
    inside: Choice,
    relative_to: Option<Vector>,
    ground: Number,
}

#[derive(Clone, Copy, Debug, Arbitrary)]
enum Choice {
    First,
    Second,
    Third,
}

impl Options {
    fn cull(&self) -> Cull {
        match self.cull {
            Choice::First => Cull::None,
            Choice::Second => Cull::Back,
            Choice::Third => Cull::Front,
        }
    }

    fn inside(&self) -> Inside {
        match self.inside {
            Choice::First => Inside::Exit,
            Choice::Second => Inside::Solid,
            Choice::Third => Inside::Ignore,
        }
    }

    fn filter(&self) -> Filter<'static, Key> {
        let filter = Filter::new().cull(self.cull()).layers(self.layers.map_or(u32::MAX, u32::from));
        self.excluded.into_iter().fold(filter, Filter::exclude)
    }

    fn view<'a>(&self, scene: &'a Scene<Key>, filter: &'a Filter<'a, Key>) -> RayView<'a, Key> {
        scene.with(filter).when_inside(self.inside())
    }

    fn lets_count(&self, entity: &Listed) -> bool {
        let layers = self.layers.map_or(u32::MAX, u32::from);
        self.excluded != Some(entity.key) && entity.layers & layers != 0
    }
}

/// An entity in the plain list.
#[derive(Debug)]
struct Listed {
    key: Key,
    geometry: Geometry,
    transform: DAffine3,
    layers: u32,
}

/// The entities in the order of their insertion.
type Entities = Vec<Listed>;

/// Makes the changes and casts the rays. Returns how many of the rays hit.
pub fn check(input: &Input) -> usize {
    let (mut scene, mut list) = (Scene::new(), Entities::new());
    for change in input.changes.iter() {
        apply(change, &mut scene, &mut list);
        check_contents(&scene, &list);
    }
    let points = points(&list);
    let mut hits = 0;
    for (aim, options) in input.rays.iter() {
        let ray = aim.ray(&points);
        check_ray(&scene, &list, &ray, options);
        ask_the_rest(&scene, &ray, options);
        hits += usize::from(scene.is_blocked(&ray));
    }
    hits
}

fn apply(change: &Change, scene: &mut Scene<Key>, list: &mut Entities) {
    match change {
        Change::Insert(key, form, place) => {
            let Some(geometry) = form.get() else { return };
            let result = scene.insert(*key, geometry.clone(), place.get());
            expect(&result, &geometry, place);
            if let Ok(old) = result {
                assert_eq!(old.is_some(), put(list, *key, geometry, place.get()));
            }
        }
        Change::InsertAll(entities) => {
            let made = |(key, form, place): &(Key, Form, Place)| Some((*key, form.get()?, place.get()));
            let entities: Vec<_> = entities.iter().filter_map(made).collect();
            if scene.insert_all(entities.clone()).is_ok() {
                entities.into_iter().for_each(|(key, geometry, place)| {
                    put(list, key, geometry, place);
                });
            }
        }
        Change::Move(key, place) => {
            let entity = list.iter_mut().find(|entity| entity.key == *key);
            match (scene.set_transform(key, place.get()), entity) {
                (Ok(old), Some(entity)) => {
                    assert_eq!(old, Some(entity.transform));
                    entity.transform = place.get();
                }
                (result, None) => assert_eq!(result, Ok(None)),
                (Err(error), Some(entity)) => expect(&Err::<(), _>(error), &entity.geometry, place),
            }
        }
        Change::MoveAll(moves) => {
            let moves: Vec<(Key, DAffine3)> = moves.iter().map(|(key, place)| (*key, place.get())).collect();
            let Ok(count) = scene.set_transforms(moves.clone()) else { return };
            let mut moved = 0;
            for (key, place) in moves {
                for entity in list.iter_mut().filter(|entity| entity.key == key) {
                    entity.transform = place;
                    moved += 1;
                }
            }
            assert_eq!(count, moved);
        }
        Change::Layers(key, layers) => {
            let layers = u32::from(*layers);
            let entity = list.iter_mut().find(|entity| entity.key == *key);
            let old = entity.map(|entity| std::mem::replace(&mut entity.layers, layers));
            assert_eq!(scene.set_layers(key, layers), old);
        }
        Change::Remove(key) => {
            let place = list.iter().position(|entity| entity.key == *key);
            let old = place.map(|place| list.remove(place));
            assert_eq!(scene.remove(key).map(|entity| entity.transform()), old.map(|entity| entity.transform));
        }
        Change::Clear => {
            scene.clear();
            list.clear();
        }
        Change::SaveAndRead => {
            let bytes = scene.to_bytes(|key| [key.0]).expect("the keys are different");
            let key = |bytes: &[u8]| Some(Key(*bytes.first()?));
            *scene = Scene::from_bytes(&bytes, key).expect("it was saved just now");
        }
    }
}

/// Checks a result. A valid shape or mesh is accepted if its transform is valid, although the transforms of the parts
/// of a compound may still be invalid.
fn expect<T, E: std::fmt::Debug>(result: &Result<T, E>, geometry: &Geometry, place: &Place) {
    let is_usable = Transform::from(place.get()).validate().is_ok();
    let may_fail = !is_usable || matches!(geometry, Geometry::Compound(_));
    let may_succeed = is_usable;
    assert!(
        if result.is_ok() { may_succeed } else { may_fail },
        "{:?} of {geometry:?} at {place:?}",
        result.as_ref().err()
    );
}

/// Inserts an entity into the list, or replaces the one with the same key, and returns whether the key existed. A
/// replaced entity keeps its place in the order and its layers.
fn put(list: &mut Entities, key: Key, geometry: Geometry, transform: DAffine3) -> bool {
    match list.iter_mut().find(|entity| entity.key == key) {
        Some(entity) => {
            *entity = Listed { key, geometry, transform, layers: entity.layers };
            true
        }
        None => {
            list.push(Listed { key, geometry, transform, layers: Entity::DEFAULT_LAYERS });
            false
        }
    }
}

fn check_contents(scene: &Scene<Key>, list: &Entities) {
    assert_eq!((scene.len(), scene.is_empty(), scene.iter().count()), (list.len(), list.is_empty(), list.len()));
    for entity in list {
        let there = scene.get(&entity.key).expect("what was inserted is there");
        assert_eq!((there.transform(), there.layers()), (entity.transform, entity.layers));
    }
}

/// Returns points that are related to the entities: the corners and centres of their boxes, and their origins.
fn points(list: &Entities) -> Vec<Vec3> {
    let of = |entity: &Listed| {
        let mut alone = Scene::new();
        let inserted = alone.insert((), entity.geometry.clone(), entity.transform);
        let bounds = inserted.ok().and_then(|_| alone.bounds_of(&())).unwrap_or(Aabb::EMPTY);
        [bounds.min, bounds.max, bounds.center(), entity.transform.translation.as_vec3()]
    };
    list.iter().flat_map(of).filter(|point| point.is_finite()).collect()
}

fn check_ray(scene: &Scene<Key>, list: &Entities, ray: &Ray, options: &Options) {
    let filter = options.filter();
    let view = options.view(scene, &filter);
    let expected = one_by_one(list, ray, options);
    let mut hits = Vec::new();
    view.cast_all(ray, &mut hits);
    assert_eq!(hits, expected, "{ray:?} {options:?}");
    assert_eq!(view.cast(ray).as_ref(), hits.first(), "{ray:?} {options:?}");
    assert_eq!(view.is_blocked(ray), !hits.is_empty(), "{ray:?} {options:?}");
    for (number, hit) in hits.iter().enumerate().take(8) {
        assert!(ray.t_min <= hit.t && hit.t <= ray.t_max, "{ray:?}: {hit:?}");
        let next = view.after(hit).cast(ray);
        assert_eq!(next.as_ref(), hits.get(number + 1), "{ray:?} {options:?} after {hit:?}");
    }
}

/// Returns the hits without a tree over the entities: each entity is queried in a scene of its own.
fn one_by_one(list: &Entities, ray: &Ray, options: &Options) -> Vec<Hit<Key>> {
    let mut hits = Vec::new();
    for entity in list {
        let mut alone = Scene::new();
        alone.insert(entity.key, entity.geometry.clone(), entity.transform).expect("it was inserted before");
        check_alone(&alone, entity, ray);
        let mut own = Vec::new();
        alone.when_inside(options.inside()).cast_all(ray, &mut own);
        if options.lets_count(entity) {
            hits.extend(own);
        }
    }
    let is_culled = |hit: &Hit<Key>| match options.cull() {
        Cull::None => false,
        Cull::Back => hit.side == hitscan::Side::Back,
        Cull::Front => hit.side == hitscan::Side::Front,
    };
    hits.retain(|hit| !is_culled(hit));
    // The sort is stable: an entity's own hits are in order.
    hits.sort_by(|a, b| a.t.total_cmp(&b.t));
    hits
}

/// Checks that a part gives the answers of the shape or mesh alone, if the ray can be expressed in its space.
fn check_alone(alone: &Scene<Key>, entity: &Listed, ray: &Ray) {
    if matches!(entity.geometry, Geometry::Compound(_)) {
        return;
    }
    let Some(local) = local_ray(ray, &entity.transform) else { return };
    let expected = cast_t(&entity.geometry, &local);
    assert_eq!(alone.cast(ray).map(|hit| hit.t), expected, "{ray:?} at {entity:?}");
}

/// Asks questions without a naive answer: they must terminate with a plausible result.
fn ask_the_rest(scene: &Scene<Key>, ray: &Ray, options: &Options) {
    let filter = options.filter();
    let view = options.view(scene, &filter);
    if let Some(hit) = view.cast(ray) {
        for next in [hit.bounce(), hit.onward()] {
            let after = view.after(&hit).cast(&next);
            assert!(after.is_none_or(|after| after.t >= 0.0), "{hit:?}, then {after:?}");
        }
    }
    if let Some(origin) = options.relative_to {
        let origin: DVec3 = vector(origin).as_dvec3();
        let hit = scene.with(&filter).relative_to(origin).when_inside(options.inside()).cast(ray);
        assert!(hit.is_none_or(|hit| ray.t_min <= hit.t && hit.t <= ray.t_max), "{hit:?}");
    }
    let moved = scene.move_point(ray.origin, ray.direction, options.ground.get());
    assert!((0.0..=1.0).contains(&moved.fraction), "{moved:?}");
    let ground = scene.ground_below(ray.origin, ray.direction, options.ground.get());
    assert!(ground.is_none_or(|ground| ground.hit.t <= options.ground.get()), "{ground:?}");
}
