//! Each explanation once, by hand; the scene's own tests have them all by the naive list.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{AlphaMask, Compound, Cull, CutOuts, Explanation, Inside, Mesh, Query, Ray, Scene, Sphere};

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

#[test]
fn every_reason_has_its_case() {
    let scene = scene();
    let ray = Ray::new([0.0, 0.0, 0.0], [0.0, 0.0, -1.0]);
    let any = || Query::new();
    let is = |key: &str, ray: &Ray, query: &Query<&'static str>, part: &str| {
        let key = ["ball", "square", "net", "nothing"].into_iter().find(|known| *known == key).unwrap_or("?");
        let text = scene.explain_with(ray, &key, query).to_string();
        assert!(text.contains(part), "{key}: {text}");
    };
    is("ball", &ray, &any(), "it is hit, at t 4");
    is("square", &ray, &any(), "it would be hit at t 8, but \"ball\" is before it, at t 4");
    is("cat", &ray, &any(), "no entity");
    is("nothing", &ray, &any(), "no triangles");
    is("ball", &Ray::new(Vec3::ZERO, Vec3::ZERO), &any(), "direction");
    is("ball", &ray, &any().relative_to(DVec3::NAN), "origin");
    is("ball", &ray, &any().layers(6), "layers 0b1, none of which is among the query's 0b110");
    is("ball", &ray, &any().exclude("ball"), "excludes it");
    is("ball", &ray.with_range(0.0, 3.0), &any(), "at t 4, beyond the ray's t_max of 3");
    is("ball", &ray.with_range(7.0, 8.0), &any(), "at t 6, before the ray's t_min of 7");
    is("square", &ray, &any().cull(Cull::Front), "through its front at t 8");
    is("net", &ray, &any(), "a hole of it at t 2");
    is("net", &ray, &any().cut_outs(CutOuts::Solid), "it is hit");
    is("ball", &Ray::new([0.0, 0.0, -5.0], [0.0, 0.0, -1.0]), &any().inside(Inside::Ignore), "starts inside");
    // Beside the diagonal, which two triangles have.
    let beside = Ray::new([0.0, 0.5, 0.0], [0.0, 0.0, -1.0]);
    let square = scene.cast_with(&beside, &any().exclude("ball"));
    is("square", &beside, &any().after(square.as_ref()), "is not after the hit");
    is("square", &Ray::new([0.0, 5.0, -8.0], [0.0, -1.0, 0.0]), &any(), "none of its surfaces");
    assert_eq!(
        scene.explain(&Ray::new([0.0, 4.0, 3.0], [0.0, 0.0, -1.0]), &"ball"),
        Explanation::Apart { distance: 3.0, t: 7.0 }
    );
    let away = Ray::new([0.0, 10.0, 4.0], [0.0, 0.0, 1.0]);
    assert_eq!(scene.explain(&away, &"square"), Explanation::Apart { distance: 15.0, t: 0.0 });
    let away = Ray::new([0.0, 10.0, -1.0], [0.0, 0.0, 1.0]).with_range(5.0, f32::INFINITY);
    assert_eq!(scene.explain(&away, &"square"), Explanation::Apart { distance: 15.0, t: 5.0 });
    let text = scene.explain_with(&ray, &"ball", &any().filter(|_| false)).to_string();
    assert!(text.contains("filter leaves out its surface at t 4"), "{text}");
    let picky = any().filter_entities(|id| id != "ball");
    assert_eq!(scene.explain_with(&ray, &"ball", &picky), Explanation::Entity);
}
