//! Calls that read buffers and columns, and shapes of the caller's own.

use crate::world::World;
use hitscan::batch::{HitColumns, RayColumns};
use hitscan::glam::Vec3;
use hitscan::{Geometry, Inside, Mesh, Quality};

pub(crate) fn vertex_buffer(world: &mut World<'_>) {
    let floats: Vec<f32> = (0..world.numbers.below(40)).map(|_| world.numbers.f32()).collect();
    let bytes: Vec<u8> = floats.iter().flat_map(|float| float.to_ne_bytes()).collect();
    let offset = if world.numbers.one_in(2) { 0 } else { world.numbers.index(20) };
    let stride = if world.numbers.one_in(2) { 12 } else { world.numbers.index(40) };
    let vertices = if world.numbers.one_in(2) { floats.len() / 3 } else { world.numbers.index(15) };
    let indices: Vec<u32> = (0..world.numbers.below(12)).map(|_| world.numbers.index_u32(vertices)).collect();
    let indices = if world.numbers.one_in(2) { None } else { Some(&indices[..]) };
    let input = (&floats, offset, stride, vertices, indices);
    let made =
        world.log.call("Mesh::from_buffer", &input, || Mesh::from_buffer(&bytes, offset, stride, vertices, indices));
    if let Ok(mesh) = made {
        let ray = world.ray();
        world.log.ask("Mesh::cast", &(&mesh, ray), || mesh.cast(&ray));
    }
}

pub(crate) fn mesh_columns(world: &mut World<'_>) {
    let Some(mesh) = world.numbers.mesh() else { return };
    let quality = world.numbers.pick(&[Quality::Fast, Quality::Balanced, Quality::Best]);
    let mesh = world.log.call("Mesh::rebuilt", &mesh, || mesh.rebuilt(quality));
    let rays: Vec<_> = (0..world.numbers.below(12)).map(|_| world.ray()).collect();
    let column = |of: &dyn Fn(Vec3) -> f32, direction: bool| -> Vec<f32> {
        rays.iter().map(|ray| of(if direction { ray.direction } else { ray.origin })).collect()
    };
    let [origin, direction] = [false, true].map(|direction| [0, 1, 2].map(|axis| column(&|v| v[axis], direction)));
    let given = RayColumns::new(origin.each_ref().map(|c| &c[..]), direction.each_ref().map(|c| &c[..]));
    let found = world.log.ask("Mesh::cast_columns", &(&mesh, &rays), || {
        let (mut t, mut ids) = (vec![0.0; rays.len()], vec![None; rays.len()]);
        mesh.cast_columns(&given, HitColumns { t: Some(&mut t), ..HitColumns::new(&mut ids) }).map(|()| (t, ids))
    });
    let expected = |place: usize| given.get(place).and_then(|ray| mesh.cast(&ray)).map_or(f32::INFINITY, |hit| hit.t);
    let is_right = found.as_ref().is_ok_and(|(t, ids)| {
        let mut places = t.iter().zip(ids).enumerate();
        places.all(|(place, (&t, id))| t == expected(place) && id.is_some() == t.is_finite())
    });
    world.log.check(is_right, "as cast", || format!("{found:?}"));
    let beyond = world.numbers.index(rays.len());
    world.log.call("RayColumns::get", &beyond, || given.get(beyond));
    let short = mesh.cast_columns(&given, HitColumns::new(&mut [None; 13]));
    world.log.check(short.is_err(), "lengths", || String::from("a column of another length was taken"));
}

pub(crate) fn custom(world: &mut World<'_>) {
    let Geometry::Custom(custom) = world.numbers.custom() else { return };
    let ray = world.ray();
    let inside = world.numbers.pick(&[Inside::Exit, Inside::Solid, Inside::Ignore]);
    let is_valid = custom.validate().is_ok();
    let hit =
        world.log.ask("Custom::cast", &(ray, inside), || (custom.cast(&ray), custom.when_inside(inside).cast(&ray)));
    let is_right = hit.1.is_none_or(|hit| ray.t_min <= hit.t && hit.t <= ray.t_max);
    world.log.check(is_right, "t in range", || format!("{hit:?} {is_valid}"));
}
