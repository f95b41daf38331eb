//! The debug lines of questions.

use super::common::Random;
use super::world::scattered;
use hitscan::debug::{self, DebugLine, Role};
use hitscan::glam::{DAffine3, DQuat, DVec3, EulerRot, Vec3};
use hitscan::{
    Aabb, Capsule, ConvexHull, Filter, Mesh, OrientedBox, Plane, ProximityQueries, Ray, RayQueries, Scene, Sphere,
    SweepQueries, Trajectory, Volume,
};

fn around(lines: &[DebugLine]) -> Aabb {
    let ends = lines.iter().flat_map(|line| [line.from, line.to]);
    ends.fold(Aabb::EMPTY, |all, end| all.union(&Aabb::new(end, end)))
}

#[test]
fn a_ray_ends_at_its_hit() {
    let mut scene = Scene::new();
    scene.insert(1, Sphere::new(1.0), DVec3::new(5.0, 0.0, 0.0)).unwrap();
    let ray = Ray::new([0.0; 3], [1.0, 0.0, 0.0]);
    let hit = scene.cast(&ray);
    let way = |lines: &[DebugLine]| lines.iter().map(|line| (line.from.x, line.to.x, line.role)).collect::<Vec<_>>();
    assert_eq!(way(&debug::ray(&ray, hit.as_ref(), 9.0)), [(0.0, 4.0, Role::Way), (4.0, 9.0, Role::Beyond)]);
    assert_eq!(way(&debug::ray(&ray, hit.as_ref(), 3.0)), [(0.0, 4.0, Role::Way)]);
    assert_eq!(way(&debug::ray::<u32>(&ray, None, 9.0)), [(0.0, 9.0, Role::Way)]);
    assert_eq!(way(&debug::ray::<u32>(&ray.with_range(2.0, 3.0), None, 9.0)), [(2.0, 3.0, Role::Way)]);
    assert_eq!(way(&debug::hit(&hit.unwrap(), 0.5)), [(4.0, 3.5, Role::Normal)]);
    assert!(debug::ray::<u32>(&Ray::new(Vec3::NAN, Vec3::X), None, 9.0).is_empty());
}

/// The box has twelve edges, each along one axis, and every corner occurs three times.
#[test]
fn boxes_have_twelve_edges() {
    let bounds = Aabb::new([-1.0, 2.0, 3.0], [4.0, 5.0, 7.0]);
    let lines = debug::bounds(&bounds);
    assert_eq!((lines.len(), around(&lines)), (12, bounds));
    let lengths: f32 = lines.iter().map(|line| (line.to - line.from).length()).sum();
    assert_eq!(lengths, 4.0 * (5.0 + 3.0 + 4.0));
    assert!(lines.iter().all(|line| (line.to - line.from).to_array().iter().filter(|&&x| x != 0.0).count() == 1));
    assert!(debug::bounds(&Aabb::EMPTY).is_empty());
}

#[test]
fn entities_triangles_and_trees_are_where_they_are() {
    let (mut scene, things) = scattered(&mut Random(3), 50);
    let origin = DVec3::new(1e6, 0.0, 0.0);
    for key in 0..50 {
        let moved = DAffine3::from_translation(origin) * scene.get(&key).unwrap().transform();
        scene.set_transform(&key, moved).unwrap();
    }
    scene.insert(99, Plane::new([0.0, -9.0, 0.0], [0.0, 1.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
    let is_near = |a: &Aabb, b: &Aabb| a.min.abs_diff_eq(b.min, 1e-4) && a.max.abs_diff_eq(b.max, 1e-4);
    let mut all = Aabb::EMPTY;
    for thing in &things {
        let lines = debug::entity(&scene, &thing.key, origin);
        let corners = thing.triangles.iter().flatten();
        let expected = corners.fold(Aabb::EMPTY, |all, c| all.union(&Aabb::new(c.as_vec3(), c.as_vec3())));
        assert!(lines.len() == 12 && is_near(&around(&lines), &expected), "{}", thing.key);
        all = all.union(&expected);
    }
    assert!(debug::entity(&scene, &99, origin).is_empty() && debug::entity(&scene, &77, origin).is_empty());

    let root = debug::scene_tree(&scene, 0, origin);
    assert!(root.len() == 12 && root[0].role == Role::Tree { depth: 0 });
    // World boxes in f32 are rounded outwards, by up to an ulp of a million.
    assert!(around(&root).min.abs_diff_eq(all.min, 0.2) && around(&root).max.abs_diff_eq(all.max, 0.2));
    let whole = debug::scene_tree(&scene, usize::MAX, origin);
    let stats = hitscan::mesh::TreeStats::of(&scene);
    assert_eq!(whole.len(), 12 * (stats.nodes + stats.leaves));
    let deepest = whole
        .iter()
        .map(|line| match line.role {
            Role::Tree { depth } => depth,
            _ => 99,
        })
        .max();
    assert_eq!(deepest, Some(stats.depth));

    let mut triangles = 0;
    for seed in 0..100 {
        let mut random = Random(seed);
        let ray = Ray::new((random.cube() * 6.0).as_vec3(), random.cube().as_vec3());
        let Some(hit) = scene.with(&Filter::new().exclude(99)).relative_to(origin).cast(&ray) else { continue };
        let lines = debug::triangle(&scene, &hit);
        let [a, b, c] = [lines[0].from, lines[1].from, lines[2].from];
        let uv = hit.uv.unwrap();
        assert!((a + (b - a) * uv.x + (c - a) * uv.y).abs_diff_eq(hit.point, 1e-4), "seed {seed}");
        assert_eq!([lines[0].to, lines[1].to, lines[2].to], [b, c, a]);
        triangles += 1;
    }
    assert!(triangles > 10, "{triangles}");
}

#[test]
fn a_meshs_tree_is_around_its_triangles() {
    let corners: Vec<Vec3> = (0..300).map(|i| (Random(i).cube() * 50.0).as_vec3()).collect();
    let mesh = Mesh::from_soup(&corners).unwrap();
    let root = around(&debug::mesh_tree(&mesh, 0));
    assert!(root.min.abs_diff_eq(mesh.bounds().min, 1e-3) && root.max.abs_diff_eq(mesh.bounds().max, 1e-3));
    let stats = mesh.tree_stats();
    assert_eq!(debug::mesh_tree(&mesh, usize::MAX).len(), 12 * (stats.nodes + stats.leaves));
    assert!(debug::mesh_tree(&Mesh::from_soup::<Vec3>(&[]).unwrap(), 9).is_empty());
}

/// Each box that a ray visits is inside a box one level higher that the ray visited before. One of the visited leaves
/// contains the hit. Few of all boxes are visited.
#[test]
fn a_ray_visits_the_boxes_on_its_way() {
    let side = 64;
    let positions: Vec<Vec3> = (0..side * side).map(|i| wavy(i % side, i / side)).collect();
    let cells = (0..side - 1).flat_map(|y| (0..side - 1).map(move |x| y * side + x));
    let indices: Vec<u32> = cells.flat_map(|i| [i, i + 1, i + side, i + side, i + 1, i + side + 1]).collect();
    let mesh = Mesh::new(&positions, &indices).unwrap();
    let all = mesh.tree_stats();
    let mut random = Random(11);
    let mut hits = 0;
    for _ in 0..500 {
        let [x, y, z, w] = [0, 1, 2, 3].map(|_| 60.0 * random.fraction() as f32);
        let ray = Ray::between([x, 30.0, y], [z, -10.0, w]);
        let visits = debug::mesh_visits(&mesh, &ray);
        assert_eq!((visits[0].depth, visits[0].is_leaf), (0, false));
        for (number, visit) in visits.iter().enumerate().skip(1) {
            let is_above = |above: &debug::TreeVisit| {
                let holds = above.bounds.union(&visit.bounds) == above.bounds;
                holds && above.depth + 1 == visit.depth && !above.is_leaf
            };
            assert!(visits[..number].iter().any(is_above), "{visit:?}");
        }
        assert!(visits.len() < (all.nodes + all.leaves) / 4, "{} of {all:?}", visits.len());
        let Some(hit) = mesh.cast(&ray) else { continue };
        hits += 1;
        let near = Aabb::new(hit.point() - Vec3::splat(1e-3), hit.point() + Vec3::splat(1e-3));
        let holds_it = |visit: &debug::TreeVisit| {
            let (low, high) = (near.max.cmpge(visit.bounds.min).all(), near.min.cmple(visit.bounds.max).all());
            visit.is_leaf && low && high
        };
        assert!(visits.iter().any(holds_it), "{hit:?} {visits:?}");
    }
    assert!(hits > 300, "{hits}");
    assert!(debug::mesh_visits(&mesh, &Ray::new(Vec3::NAN, Vec3::X)).is_empty());
}

/// Returns a point of a sheet with hills.
fn wavy(x: u32, z: u32) -> Vec3 {
    let [x, z] = [x, z].map(|number| number as f32);
    Vec3::new(x, 3.0 * (0.3 * x).sin() * (0.2 * z).cos(), z)
}

#[test]
fn ways_are_cut_where_they_end() {
    let mut scene = Scene::new();
    scene.insert(1, Plane::new([0.0; 3], [0.0, 1.0, 0.0]).unwrap(), DVec3::ZERO).unwrap();
    let points = [[0.0, 2.0, 0.0], [2.0, 2.0, 0.0], [2.0, -2.0, 0.0], [0.0, -2.0, 0.0]];
    let met = scene.cast_path(&points);
    let roles = |lines: &[DebugLine]| lines.iter().map(|line| (line.to, line.role)).collect::<Vec<_>>();
    let at = |x: f32, y: f32| Vec3::new(x, y, 0.0);
    let expected = [
        (at(2.0, 2.0), Role::Way),
        (at(2.0, 0.0), Role::Way),
        (at(2.0, -2.0), Role::Beyond),
        (at(0.0, -2.0), Role::Beyond),
    ];
    assert_eq!(roles(&debug::path(&points, met.as_ref())), expected);
    assert!(debug::path::<u32, _>(&points, None).iter().all(|line| line.role == Role::Way));

    let arc = Trajectory::new([0.0, 1.0, 0.0], [1.0, 0.0, 0.0], [0.0, -2.0, 0.0]).with_range(0.0, 2.0);
    let landed = scene.cast_trajectory(&arc, 0.01).unwrap();
    let lines = debug::trajectory(&arc, 0.01, Some(&landed));
    assert!(lines.windows(2).all(|pair| pair[0].to == pair[1].from));
    assert!(lines.iter().all(|line| (line.role == Role::Way) == (line.to.y > -1e-6)), "{lines:?}");

    let sights = debug::sight(Vec3::ZERO, &[Vec3::X, Vec3::Y], &[true, false]);
    assert_eq!(roles(&sights), [(Vec3::X, Role::Seen), (Vec3::Y, Role::Hidden)]);
    let from = at(0.0, 1.0);
    let moved = scene.move_point(from, at(1.0, -2.0), 0.0);
    let expected =
        [(moved.position, Role::Way), (at(1.0, -1.0), Role::Beyond), (moved.position + Vec3::Y, Role::Normal)];
    assert_eq!(roles(&debug::motion(from, &moved, 1.0)), expected);
    let ground = scene.ground_below(from, Vec3::Y, 5.0).unwrap();
    assert_eq!(roles(&debug::ground(from, &ground, 1.0)), [(Vec3::ZERO, Role::Way), (Vec3::Y, Role::Normal)]);
    let colors = [Role::Way, Role::Beyond, Role::Seen, Role::Hidden, Role::Tree { depth: 0 }, Role::Tree { depth: 99 }]
        .map(Role::color);
    assert!((1..colors.len()).all(|i| !colors[..i].contains(&colors[i])));
}

/// Every point of the lines is on the volume's surface, and the lines extend as far as the volume.
#[test]
fn edges_of_volumes_are_on_their_surfaces() {
    let rotation = DQuat::from_euler(EulerRot::XYZ, 0.3, -0.8, 1.9);
    let at = DVec3::new(1.0, 2.0, -3.0);
    let capsule = Capsule::between([0.5, 0.0, 0.0], [0.0, 2.0, 1.0], 0.25);
    let ends = capsule.ends().map(|end| at + rotation * end.as_dvec3());
    for end in debug::volume(capsule, (at, rotation)).iter().flat_map(|line| [line.from, line.to]) {
        let (point, along) = (end.as_dvec3(), ends[1] - ends[0]);
        let foot = ends[0] + along * ((point - ends[0]).dot(along) / along.length_squared()).clamp(0.0, 1.0);
        assert!((point.distance(foot) - 0.25).abs() < 1e-6, "{point}");
    }
    let ball = debug::volume(Sphere::new(2.0), at);
    assert!(ball.iter().all(|line| (line.from.as_dvec3().distance(at) - 2.0).abs() < 1e-6));
    let reach = around(&ball);
    assert!(reach.min.abs_diff_eq(at.as_vec3() - 2.0, 1e-6) && reach.max.abs_diff_eq(at.as_vec3() + 2.0, 1e-6));
    let aabb = Aabb::new([-1.0, 0.0, 0.0], [2.0, 1.0, 4.0]);
    assert_eq!(around(&debug::volume(aabb, [1.0, 0.0, 0.0])), Aabb::new([0.0, 0.0, 0.0], [3.0, 1.0, 4.0]));
    let turned = OrientedBox::new(aabb, DAffine3::from_translation(DVec3::X)).unwrap();
    assert_eq!(around(&debug::volume(turned, [0.0; 3])), Aabb::new([0.0, 0.0, 0.0], [3.0, 1.0, 4.0]));
    let tetrahedron = ConvexHull::new(&[[0.0; 3], [1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0f32]]).unwrap();
    assert_eq!(debug::volume(&tetrahedron, [0.0; 3]).len(), 6);
    assert!(debug::volume(Volume::Point, at).is_empty() && debug::volume(Sphere::new(-1.0), at).is_empty());
    assert!(debug::volume(Sphere::new(1.0), DVec3::NAN).is_empty());
}

#[test]
fn sweeps_stop_where_they_meet_and_gaps_are_where_they_are() {
    let mut scene = Scene::new();
    scene.insert(1, Sphere::new(1.0), DVec3::new(5.0, 0.0, 0.0)).unwrap();
    scene.insert(2, Sphere::new(1.0), DVec3::new(5.0, 4.0, 0.0)).unwrap();
    let ball = Sphere::new(0.5);
    let hit = scene.sweep(ball, [0.0; 3], [7.0, 0.0, 0.0]);
    let lines = debug::sweep(ball, [0.0; 3], [7.0, 0.0, 0.0], hit.as_ref());
    let of = |role| around(&lines.iter().filter(|line| line.role == role).copied().collect::<Vec<_>>());
    assert_eq!((of(Role::Volume).min.x, of(Role::Volume).max.x), (3.0, 4.0));
    assert_eq!((of(Role::Way).min.x, of(Role::Way).max.x), (-0.5, 3.5));
    assert_eq!((of(Role::Beyond).min.x, of(Role::Beyond).max.x), (3.5, 7.0));
    let way = |lines: &[DebugLine]| lines.iter().map(|line| (line.from, line.to)).collect::<Vec<_>>();
    let at = |x, y| Vec3::new(x, y, 0.0);
    assert_eq!(way(&debug::contact(&hit.unwrap(), 2.0)), [(at(4.0, 0.0), at(2.0, 0.0))]);
    assert_eq!(
        debug::sweep::<u32>(ball, [0.0; 3], [0.0, 9.0, 0.0], None).iter().filter(|l| l.role == Role::Beyond).count(),
        0
    );
    let nearest = scene.closest_point([0.0; 3]).unwrap();
    assert_eq!(way(&debug::closest([0.0; 3], &nearest)), [(at(0.0, 0.0), at(4.0, 0.0))]);
    assert_eq!(way(&debug::distance(&scene.pair(&1, &2).distance().unwrap())), [(at(5.0, 1.0), at(5.0, 3.0))]);
    let deepest = scene.penetration(ball, [3.75, 0.0, 0.0]).unwrap();
    assert_eq!(way(&debug::penetration(&deepest)), [(at(4.25, 0.0), at(4.0, 0.0))]);
}
