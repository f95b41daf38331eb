//! Calls on shapes, meshes, height fields and hulls without a scene.

use crate::world::World;
use hitscan::glam::{Vec2, Vec3};
use hitscan::mesh::Wrap;
use hitscan::query::ShapeHit;
use hitscan::{Aabb, CollisionMatrix, Cull, HeightField, Inside, Mesh, MeshHit, Plane, Ray, Shape};

/// Returns the closest hit of a shape, computed by each of its methods.
fn cast_shape(shape: &Shape, ray: &Ray) -> (Option<ShapeHit>, Option<f32>, bool) {
    macro_rules! each {
        ($($variant:ident),*) => {
            match shape {
                $(Shape::$variant(shape) => (shape.cast(ray), shape.cast_t(ray), shape.is_blocked(ray)),)*
                _ => (None, None, false),
            }
        };
    }
    each!(Box, Capsule, Cone, Cylinder, Disc, OrientedBox, Plane, Quad, Sphere, Torus, Triangle)
}

fn cast_solid(shape: &Shape, ray: &Ray, inside: Inside, cull: Cull) -> Option<ShapeHit> {
    macro_rules! each {
        ($($variant:ident),*) => {
            match shape {
                $(Shape::$variant(shape) => shape.when_inside(inside).cast(ray),)*
                Shape::Quad(quad) => quad.culled(cull).cast(ray),
                Shape::Triangle(triangle) => triangle.culled(cull).cast(ray),
                _ => None,
            }
        };
    }
    each!(Box, Capsule, Cone, Cylinder, OrientedBox, Sphere, Torus)
}

pub(crate) fn shape(world: &mut World<'_>) {
    let (shape, ray) = (world.numbers.shape(), world.ray());
    let is_valid = shape.validate().is_ok();
    let bounds = world.log.call("Shape::bounds", &shape, || shape.bounds());
    if is_valid {
        world.log.sound(&bounds);
        world.log.check(!bounds.is_empty(), "bounds", || format!("{bounds:?} of {shape:?}"));
    }
    let (hit, t, blocked) = world.log.ask("Shape::cast", &(shape, ray), || cast_shape(&shape, &ray));
    let is_right = hit.map(|hit| hit.t) == t && hit.is_some() == blocked;
    world.log.check(is_right, "as cast", || format!("{hit:?} {t:?} {blocked} of {shape:?} {ray:?}"));
    let is_box = matches!(shape, Shape::Box(_) | Shape::OrientedBox(_));
    world.log.check(is_valid || is_box || hit.is_none(), "unusable", || format!("{hit:?} of {shape:?}"));
    if let Some(hit) = hit {
        let is_right = (hit.normal.length() - 1.0).abs() < 1e-5 && ray.t_min <= hit.t && hit.t <= ray.t_max;
        world.log.check(is_right, "normal and t", || format!("{hit:?} of {shape:?} {ray:?}"));
        world.log.sound(&hit.facing_normal());
    }
    let inside = world.numbers.pick(&[Inside::Exit, Inside::Solid, Inside::Ignore]);
    let cull = world.numbers.pick(&[Cull::None, Cull::Back, Cull::Front]);
    world.log.ask("Shape::cast inside, culled", &(shape, ray, inside, cull), || cast_solid(&shape, &ray, inside, cull));
    // The work is proportional to the count. So a small count keeps it within the time limit of a call.
    let (count, seed) = (world.numbers.below(9), world.numbers.bits());
    let points = world.log.ask("sample_points", &(shape, count, seed), || shape.sample_points(count, seed));
    world.log.check(points.len() <= count, "count", || format!("{count} {points:?}"));
}

pub(crate) fn boxes(world: &mut World<'_>) {
    let (a, b, ray) = (world.numbers.aabb(), world.numbers.aabb(), world.ray());
    let point = world.point().as_vec3();
    let interval = world.log.ask("Aabb::interval", &(a, ray), || a.interval(&ray));
    world.log.check(interval.is_none_or(|(enter, exit)| enter <= exit), "order", || format!("{interval:?} of {a:?}"));
    let union = a.union(&b);
    let is_right = b.min.is_nan() || b.max.is_nan() || !a.contains(point) || union.contains(point);
    world.log.check(is_right, "union", || format!("{a:?} {b:?} {point}"));
    world.log.call("Aabb", &(a, point), || (a.center(), a.size(), a.is_empty(), Aabb::from_points([a.min, point])));
}

pub(crate) fn plane(world: &mut World<'_>) {
    let (point, normal, ray) = (world.numbers.vec3(), world.numbers.vec3(), world.ray());
    let (place, velocity) = (world.numbers.vec3(), world.numbers.vec3());
    let Ok(plane) = Plane::new(point, normal) else { return };
    if place.is_finite() && velocity.is_finite() {
        world.log.ask("Plane", &(plane, place, velocity), || {
            let distances = (plane.signed_distance(place), plane.approach_speed(velocity));
            (plane.normal(), distances, plane.time_to_reach(place, velocity))
        });
    }
    world.log.ask("Plane::collision_point", &(plane, ray), || plane.collision_point(&ray));
}

pub(crate) fn collision_matrix(world: &mut World<'_>) {
    let [a, b, c, j, k] = [(); 5].map(|()| world.numbers.vec3());
    let (transform, ray) = (world.numbers.affine(), world.ray());
    let made = world.log.call("CollisionMatrix::new", &[a, b, c], || CollisionMatrix::new(a, b, c));
    let Ok(matrix) = made else { return };
    let placed = world.log.call("CollisionMatrix::placed", &transform, || {
        (matrix.placed(&transform).ok(), matrix.placed_rigid(&transform).ok())
    });
    for matrix in [Some(matrix), placed.0, placed.1].into_iter().flatten() {
        let (hit, blocked) = world.log.ask("collide_segment", &(matrix, j, k), || {
            (matrix.collide_segment(j, k), matrix.segment_is_blocked(j, k))
        });
        world.log.check(hit.is_some() == blocked, "as collide_segment", || format!("{hit:?} {blocked}"));
        world.log.ask("CollisionMatrix::cast", &(matrix, ray), || {
            (matrix.normal(), matrix.cast(&ray), matrix.cast_t(&ray), matrix.is_blocked(&ray))
        });
    }
}

pub(crate) fn mesh(world: &mut World<'_>) {
    let Some(mesh) = world.numbers.mesh() else { return };
    let (ray, point) = (world.ray(), world.point());
    let cull = world.numbers.pick(&[Cull::None, Cull::Back, Cull::Front]);
    let input = (&mesh, ray, cull);
    let hit = world.log.ask("Mesh::cast", &input, || mesh.culled(cull).cast(&ray));
    let all = world.log.ask("Mesh::cast_all", &input, || {
        let mut hits = Vec::new();
        mesh.culled(cull).cast_all(&ray, &mut hits);
        hits
    });
    world.log.check(all.first() == hit.as_ref(), "as cast", || format!("{hit:?} {all:?}"));
    check_mesh_hits(world, &mesh, &all);
    let rays = [ray, world.ray(), world.ray()];
    let batch = world.log.ask("Mesh::cast_batch", &(&mesh, rays), || {
        let (mut hits, mut blocked) = ([None; 3], [false; 3]);
        mesh.cast_batch(&rays, &mut hits)
            .and_then(|()| mesh.is_blocked_batch(&rays, &mut blocked))
            .map(|()| (hits, blocked))
    });
    let expected = rays.map(|ray| mesh.cast(&ray));
    world.log.check(batch == Ok((expected, expected.map(|hit| hit.is_some()))), "as cast", || format!("{batch:?}"));
    let nearest = world.log.ask("Mesh::closest_point", &(&mesh, point), || mesh.closest_point(point));
    let is_right = nearest.as_ref().is_none_or(|near| near.distance >= 0.0 && mesh.triangle(near.triangle).is_some());
    world.log.check(is_right, "distance and triangle", || format!("{nearest:?}"));
    let (volume, pose, motion) = (world.numbers.volume(), world.numbers.pose(point), world.numbers.dvec3());
    let contact = world.log.ask("Mesh::sweep", &(&mesh, &volume, pose, motion), || mesh.sweep(&volume, pose, motion));
    let is_right =
        contact.as_ref().is_none_or(|of| (0.0..=1.0).contains(&of.t) && mesh.triangle(of.triangle).is_some());
    world.log.check(is_right, "t and triangle", || format!("{contact:?}"));
    numbered(world, &mesh);
    save(world, &mesh, &ray);
}

fn check_mesh_hits(world: &mut World<'_>, mesh: &Mesh, hits: &[MeshHit]) {
    for hit in hits {
        let values = (hit.uv(), hit.point(), hit.normal(), hit.facing_normal());
        world.log.sound(&values);
        let is_right = mesh.triangle(hit.triangle).is_some() && (values.2.length() - 1.0).abs() < 1e-5;
        world.log.check(is_right, "triangle and normal", || format!("{hit:?}"));
    }
}

/// Calls every query that takes an index, with any index.
fn numbered(world: &mut World<'_>, mesh: &Mesh) {
    let triangle = world.numbers.index_u32(mesh.triangle_count());
    let uv = world.numbers.vec2();
    world.log.call("Mesh by number", &(triangle, uv), || {
        let corners = (mesh.triangle(triangle), mesh.indices(triangle));
        (corners, mesh.texcoord_at(triangle, uv), mesh.normal_at(triangle, uv), mesh.is_hole(triangle, uv))
    });
    let wrap = world.numbers.pick(&[Wrap::Repeat, Wrap::MirroredRepeat, Wrap::ClampToEdge]);
    let (coordinate, size) = (world.numbers.f64(), world.numbers.index_u32(8).max(1));
    let texel = world.log.call("Wrap::texel", &(wrap, coordinate, size), || {
        (wrap.texel(coordinate, size), wrap.wrapped(coordinate.floor(), size))
    });
    world.log.check(texel.0 < size && texel.1 < size, "texel", || format!("{texel:?} of {size}"));
}

fn save(world: &mut World<'_>, mesh: &Mesh, ray: &Ray) {
    let bytes = world.log.call("Mesh::to_bytes", mesh, || mesh.to_bytes());
    let read = world.log.call("Mesh::from_bytes", &bytes.len(), || Mesh::from_bytes(&bytes));
    let is_right = read.as_ref().is_ok_and(|read| read.cast(ray) == mesh.cast(ray) && read.to_bytes() == bytes);
    world.log.check(is_right, "the same", || format!("{:?}", read.err()));
    let positions: Vec<Vec3> = mesh.positions().iter().map(|_| world.numbers.vec3()).collect();
    let mut changed = mesh.clone();
    let taken = world.log.change("Mesh::refit", &positions, &mut changed, |mesh| mesh.refit(&positions).is_ok());
    let is_right = taken || changed.cast(ray) == mesh.cast(ray);
    world.log.check(is_right, "unchanged", || String::from("a refused refit changed the mesh"));
    world.log.ask("Mesh::cast refitted", &ray, || changed.cast(ray));
}

pub(crate) fn height_field(world: &mut World<'_>) {
    let Some(mut field) = world.numbers.height_field() else { return };
    let (row, column) = (world.numbers.index(field.rows()), world.numbers.index(field.columns()));
    let triangle = world.numbers.index_u32(field.triangle_count());
    world.log.ask("HeightField by number", &(&field, row, column, triangle), || {
        let vertex = (field.vertex(row, column), field.is_hole(row, column));
        (vertex, field.triangle(triangle), field.cell_of(triangle), field.holes().count())
    });
    height_at(world, &field);
    let ray = world.ray();
    world.log.ask("HeightField::cast", &(&field, ray), || {
        let mut hits = Vec::new();
        field.cast_all(&ray, &mut hits);
        (field.cast(&ray), field.is_blocked(&ray), hits)
    });
    let (end_row, end_column) = (world.numbers.index(field.rows()), world.numbers.index(field.columns()));
    let heights: Vec<f32> = (0..world.numbers.below(6)).map(|_| world.numbers.f32()).collect();
    world.log.change("HeightField::set_heights", &(row, column, &heights), &mut field, |field| {
        field.set_heights(row..end_row, column..end_column, &heights).is_ok()
    });
    let cut = world.log.call("with_holes", &(row, column), || field.clone().with_holes([[row, column]]).is_ok());
    let is_there = row < field.rows() - 1 && column < field.columns() - 1;
    world.log.check(cut == is_there, "a cell that is there", || format!("{row} {column}"));
}

/// Checks that a height exists exactly where a vertical ray hits.
fn height_at(world: &mut World<'_>, field: &HeightField) {
    let vertex = field.vertex(world.numbers.below(field.rows()), world.numbers.below(field.columns()));
    let other = field.vertex(world.numbers.below(field.rows()), world.numbers.below(field.columns()));
    let (Some(vertex), Some(other)) = (vertex, other) else { return };
    let (x, z) = match world.numbers.below(3) {
        0 => (vertex.x, other.z),
        1 => ((vertex.x + other.x) / 2.0, vertex.z),
        _ => (world.numbers.f32(), world.numbers.f32()),
    };
    let height = world.log.ask("height_at", &(field, x, z), || field.height_at(x, z));
    let is_blocked = |direction| field.is_blocked(&Ray::with_direction([x, 0.0, z], direction));
    let meets = is_blocked(Vec3::NEG_Y) || is_blocked(Vec3::Y);
    world.log.check(height.is_some() == meets, "as a ray down", || format!("{x} {z}: {height:?} {meets} of {field:?}"));
}

pub(crate) fn hull(world: &mut World<'_>) {
    let Some(hull) = world.numbers.hull() else { return };
    let (face, ray, point) = (world.numbers.index(hull.face_count()), world.ray(), world.point().as_vec3());
    let corners = world.log.ask("ConvexHull::face", &(&hull, face), || hull.face(face).collect::<Vec<_>>());
    let is_right = if face < hull.face_count() { corners.len() >= 3 } else { corners.is_empty() };
    world.log.check(is_right, "corners", || format!("{face} of {}: {corners:?}", hull.face_count()));
    let inside = world.numbers.pick(&[Inside::Exit, Inside::Solid, Inside::Ignore]);
    let (hit, t, blocked, _) = world.log.ask("ConvexHull::cast", &(&hull, ray, inside), || {
        (hull.cast(&ray), hull.cast_t(&ray), hull.is_blocked(&ray), hull.when_inside(inside).cast(&ray))
    });
    let is_right = hit.map(|hit| hit.t) == t && blocked == hit.is_some();
    world.log.check(is_right, "as cast", || format!("{hit:?} {t:?} {blocked}"));
    world.log.call("ConvexHull::contains", &(&hull, point), || (hull.contains(point), hull.bounds()));
}

pub(crate) fn rays(world: &mut World<'_>) {
    let (a, b, t) = (world.numbers.vec3(), world.numbers.vec3(), world.numbers.f32());
    for ray in [Ray::new(a, b), Ray::with_direction(a, b), Ray::between(a, b)] {
        let (is_valid, at) = world.log.call("Ray", &(ray, t), || (ray.validate().is_ok(), ray.at(t)));
        if is_valid && t.is_finite() {
            world.log.sound(&at);
        }
    }
    let uv: Vec2 = world.numbers.vec2();
    let dressed = world.numbers.mesh();
    if let Some(mask) = dressed.as_ref().and_then(|mesh| mesh.cut_outs().first()) {
        world.log.call("CutOut", &(mask, uv), || mask.clone().cutoff(uv.x).factor(uv.y));
    }
}
