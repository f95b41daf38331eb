//! Random explanations. Each is compared with casts at the entity alone, and with casts that leave out one of the rules at a time.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::query::Explanation;
use hitscan::{Aabb, Cull, Filter, Geometry, Hit, Inside, Mesh, Ray, RayQueries, Scene, Sphere};
use hitscan_random::Random;

struct Entry {
    key: u32,
    geometry: Geometry,
    transform: DAffine3,
    layers: u32,
}

#[derive(Clone, Copy, Debug)]
struct Rules {
    layers: u32,
    excluded: Option<u32>,
    cull: Cull,
    inside: Inside,
    /// An entity is accepted if the first number divides its key. A hit is accepted if the second number divides the
    /// sum of its key and its triangle.
    sieves: [u32; 2],
}

impl Rules {
    const NONE: Self =
        Self { layers: u32::MAX, excluded: None, cull: Cull::None, inside: Inside::Exit, sieves: [1, 1] };

    fn random(random: &mut Random) -> Self {
        Self {
            layers: random.pick(&[u32::MAX, 1, 2, 3]),
            excluded: random.pick(&[None, Some(3), Some(7)]),
            cull: random.pick(&[Cull::None, Cull::Back, Cull::Front]),
            inside: random.pick(&[Inside::Exit, Inside::Solid, Inside::Ignore]),
            sieves: [random.pick(&[1, 1, 2]), random.pick(&[1, 1, 2])],
        }
    }

    fn filter(self) -> Filter<'static, u32> {
        let [entities, hits] = self.sieves;
        let filter = Filter::new().layers(self.layers).cull(self.cull);
        let filter = self.excluded.into_iter().fold(filter, Filter::exclude);
        filter
            .entities(move |id| id.is_multiple_of(entities))
            .hits(move |hit| (hit.id + hit.triangle.unwrap_or(0)).is_multiple_of(hits))
    }

    /// Returns the first hit that these rules accept.
    fn cast(self, scene: &Scene<u32>, ray: &Ray) -> Option<Hit<u32>> {
        scene.with(&self.filter()).when_inside(self.inside).cast(ray)
    }
}

fn mesh(random: &mut Random) -> Mesh {
    let positions: Vec<Vec3> = (0..12).map(|_| (random.cube() * 2.0).as_vec3()).collect();
    let indices: Vec<u32> = (0..60).map(|_| random.below(12) as u32).collect();
    Mesh::new(&positions, &indices).unwrap()
}

fn geometry(random: &mut Random) -> Geometry {
    match random.below(3) {
        0 => Sphere::new(0.5 + random.fraction() as f32).into(),
        1 => Aabb::from_center_size(Vec3::ZERO, (random.cube().abs() * 2.0).as_vec3()).into(),
        _ => mesh(random).into(),
    }
}

fn entries(random: &mut Random) -> Vec<Entry> {
    let entry = |key: u32| Entry {
        key,
        geometry: geometry(random),
        transform: DAffine3::from_scale_rotation_translation(
            DVec3::ONE + random.cube() * 0.5,
            random.rotation(),
            random.cube() * 4.0,
        ),
        layers: random.below(4) as u32,
    };
    (0..12).filter(|key| key % 5 != 4).map(entry).collect()
}

fn scene<'a>(entries: impl IntoIterator<Item = &'a Entry>) -> Scene<u32> {
    let mut scene = Scene::new();
    for entry in entries {
        scene.insert(entry.key, entry.geometry.clone(), entry.transform).unwrap();
        scene.set_layers(&entry.key, entry.layers);
    }
    scene
}

fn ray(random: &mut Random) -> Ray {
    let ray = Ray::with_direction((random.cube() * 6.0).as_vec3(), random.cube().as_vec3());
    match random.below(5) {
        0 => ray.with_range(0.0, 4.0),
        1 => ray.with_range(-3.0, 5.0),
        2 if random.below(8) == 0 => ray.with_range(1.0, 0.0),
        _ => ray,
    }
}

/// Returns whether an explanation of an entity is right.
fn is_right(explanation: &Explanation<u32>, all: &Scene<u32>, entry: &Entry, ray: &Ray, rules: Rules) -> bool {
    let alone = scene([entry]);
    let first = |ray: &Ray, rules: Rules| rules.cast(&alone, ray).map(|hit| hit.t);
    let line = ray.with_range(f32::NEG_INFINITY, f32::INFINITY);
    let from_inside = Rules { inside: rules.inside, ..Rules::NONE };
    let one_sided = Rules { cull: rules.cull, ..from_inside };
    let is_on_layers = entry.layers & rules.layers != 0;
    let closest = rules.cast(all, ray);
    match explanation {
        Explanation::Hit(hit) => hit.id == entry.key && closest == Some(*hit),
        Explanation::Behind { hit, nearer } => {
            let is_its_own = hit.id == entry.key && first(ray, rules) == Some(hit.t);
            is_its_own && nearer.id != entry.key && closest.is_some_and(|hit| hit.id == nearer.id && hit.t == nearer.t)
        }
        Explanation::Layers { .. } => !is_on_layers,
        Explanation::Excluded => is_on_layers && rules.excluded == Some(entry.key),
        Explanation::Entity => rules.excluded != Some(entry.key) && !entry.key.is_multiple_of(rules.sieves[0]),
        Explanation::Apart { distance, .. } => *distance > 0.0 && first(&line, Rules::NONE).is_none(),
        Explanation::Between => first(&line, Rules::NONE).is_none(),
        Explanation::Range { hit, .. } => {
            let is_outside = !(ray.t_min <= hit.t && hit.t <= ray.t_max);
            is_outside && hit.id == entry.key && first(ray, Rules::NONE).is_none()
        }
        Explanation::Inside(hit) => first(ray, Rules::NONE) == Some(hit.t) && first(ray, from_inside).is_none(),
        Explanation::Cull(hit) => first(ray, from_inside) == Some(hit.t) && first(ray, one_sided).is_none(),
        Explanation::Filter(hit) => first(ray, one_sided) == Some(hit.t) && first(ray, rules).is_none(),
        _ => false,
    }
}

#[test]
fn explanations_agree_with_casts() {
    let mut random = Random(1);
    let mut kinds = std::collections::BTreeMap::<String, u32>::new();
    for case in 0..400 {
        let entries = entries(&mut random);
        let all = scene(&entries);
        for question in 0..60 {
            let (ray, rules, key) = (ray(&mut random), Rules::random(&mut random), random.below(12) as u32);
            let filter = rules.filter();
            let explanation = all.with(&filter).when_inside(rules.inside).explain(&ray, &key);
            let context = format!("case {case}, question {question}: {key} {ray:?} {rules:?}: {explanation:?}");
            let kind = format!("{explanation:?}");
            *kinds.entry(kind.split([' ', '(', '{']).next().unwrap_or_default().to_owned()).or_default() += 1;
            match entries.iter().find(|entry| entry.key == key) {
                None => assert_eq!(explanation, Explanation::Absent, "{context}"),
                Some(_) if ray.validate().is_err() => {
                    assert!(matches!(explanation, Explanation::Ray(_)), "{context}");
                }
                Some(entry) => assert!(is_right(&explanation, &all, entry, &ray, rules), "{context}"),
            }
        }
    }
    // Each of these kinds occurs.
    for kind in
        ["Absent", "Ray", "Hit", "Behind", "Layers", "Excluded", "Entity", "Apart", "Range", "Inside", "Cull", "Filter"]
    {
        assert!(kinds.contains_key(kind), "{kind} in {kinds:?}");
    }
}
