//! Each explanation once, with answers computed by hand. `explain_random` checks all of them against casts.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::mesh::AlphaMask;
use hitscan::query::Explanation;
use hitscan::{Compound, Cull, CutOuts, Filter, Inside, Mesh, Ray, RayQueries, Scene, Sphere};

fn scene() -> Scene<&'static str> {
    let corners = [[-1.0, -1.0, 0.0], [1.0, -1.0, 0.0], [1.0, 1.0, 0.0], [-1.0, 1.0, 0.0]];
    let square = Mesh::new(&corners, &[0, 1, 2, 0, 2, 3]).unwrap();
    let net = square.clone().with_texcoords(&[[0.0, 0.0]; 4]).unwrap();
    let net = net.with_cut_out(AlphaMask::new(1, 1, [0]).unwrap()).unwrap();
    let mut scene = Scene::new();
    scene.insert("ball", Sphere::new(1.0), DVec3::new(0.0, 0.0, -5.0)).unwrap();
    scene.insert("square", square, DVec3::new(0.0, 0.0, -8.0)).unwrap();
    scene.insert("net", net, DVec3::new(0.0, 0.0, -2.0)).unwrap();
    scene.insert("nothing", Compound::new([]).unwrap(), DAffine3::IDENTITY).unwrap();
    scene
}

/// Asserts that the explanation for a ray and an entity has this part.
fn check<'a>(world: impl RayQueries<'a, Key = &'static str>, key: &'static str, ray: &Ray, part: &str) {
    let text = world.explain(ray, &key).to_string();
    assert!(text.contains(part), "{key}: {text}");
}

#[test]
fn every_reason_has_its_case() {
    let scene = &scene();
    let ray = Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]);
    check(scene, "ball", &ray, "it is hit, at t 4");
    check(scene, "square", &ray, "it would be hit at t 8, but \"ball\" is before it, at t 4");
    check(scene, "cat", &ray, "no entity");
    check(scene, "nothing", &ray, "no triangles");
    check(scene, "ball", &Ray::new(Vec3::ZERO, Vec3::ZERO), "direction");
    check(scene.relative_to(DVec3::NAN), "ball", &ray, "origin");
    check(scene.with(&Filter::new().layers(6)), "ball", &ray, "layers 0b1, none of which is among the filter's 0b110");
    check(scene.with(&Filter::new().exclude("ball")), "ball", &ray, "excludes it");
    check(scene, "ball", &ray.with_range(0.0, 3.0), "at t 4, beyond the ray's t_max of 3");
    check(scene, "ball", &ray.with_range(7.0, 8.0), "at t 6, before the ray's t_min of 7");
    check(scene.with(&Filter::new().cull(Cull::Front)), "square", &ray, "through its front at t 8");
    check(scene, "net", &ray, "a hole of it at t 2");
    check(scene.cut_outs(CutOuts::Solid), "net", &ray, "it is hit");
    let from_inside = Ray::new([0.0, 0.0, -5.0], [0.0, 0.0, -1.0]);
    check(scene.when_inside(Inside::Ignore), "ball", &from_inside, "starts inside");
    // The ray passes next to the diagonal, which two triangles share.
    let beside = Ray::new([0.0, 0.5, 0.0], [0.0, 0.0, -1.0]);
    let square = scene.with(&Filter::new().exclude("ball")).cast(&beside);
    check(scene.after(square.as_ref()), "square", &beside, "is not after the hit");
    check(scene, "square", &Ray::new([0.0, 5.0, -8.0], [0.0, -1.0, 0.0]), "none of its surfaces");
    assert_eq!(
        scene.explain(&Ray::new([0.0, 4.0, 3.0], [0.0, 0.0, -1.0]), &"ball"),
        Explanation::Apart { distance: 3.0, t: 7.0 }
    );
    let away = Ray::new([0.0, 10.0, 4.0], [0.0, 0.0, 1.0]);
    assert_eq!(scene.explain(&away, &"square"), Explanation::Apart { distance: 15.0, t: 0.0 });
    let away = Ray::new([0.0, 10.0, -1.0], [0.0, 0.0, 1.0]).with_range(5.0, f32::INFINITY);
    assert_eq!(scene.explain(&away, &"square"), Explanation::Apart { distance: 15.0, t: 5.0 });
    let nothing = Filter::new().hits(|_| false);
    check(scene.with(&nothing), "ball", &ray, "filter's choice of hits leaves out its surface at t 4");
    let picky = Filter::new().entities(|id| id != "ball");
    assert_eq!(scene.with(&picky).explain(&ray, &"ball"), Explanation::Entity);
}
