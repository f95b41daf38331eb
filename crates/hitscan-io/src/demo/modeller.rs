//! Builds the village's meshes from quads: boxes, slabs, bodies of revolution, cards.

use super::stuff::Stuff;
use crate::material::{Paint, Primitive};
use hitscan::Mesh;
use hitscan::glam::{DVec3, Vec2};
use std::sync::Arc;

/// A finished mesh and the materials of its triangles.
#[derive(Clone)]
pub(super) struct Part {
    pub(super) mesh: Mesh,
    pub(super) primitives: Arc<[Primitive]>,
}

/// Collects faces, each counter-clockwise from outside.
#[derive(Default)]
pub(super) struct Modeller {
    /// The groups in the order in which the materials were first used.
    groups: Vec<Group>,
}

struct Group {
    stuff: Stuff,
    triangles: Vec<[(DVec3, Vec2); 3]>,
    has_texcoords: bool,
}

impl Modeller {
    fn group(&mut self, stuff: Stuff) -> &mut Group {
        let known = self.groups.iter().position(|group| group.stuff == stuff);
        let place = known.unwrap_or(self.groups.len());
        if known.is_none() {
            self.groups.push(Group { stuff, triangles: Vec::new(), has_texcoords: false });
        }
        &mut self.groups[place]
    }

    pub(super) fn triangle(&mut self, stuff: Stuff, corners: [DVec3; 3]) {
        self.group(stuff).triangles.push(corners.map(|corner| (corner, Vec2::ZERO)));
    }

    pub(super) fn quad(&mut self, stuff: Stuff, [a, b, c, d]: [DVec3; 4]) {
        self.triangle(stuff, [a, b, c]);
        self.triangle(stuff, [a, c, d]);
    }

    pub(super) fn textured_quad(&mut self, stuff: Stuff, corners: [DVec3; 4], texcoords: [[f64; 2]; 4]) {
        let group = self.group(stuff);
        let corner = |i: usize| (corners[i], Vec2::new(texcoords[i][0] as f32, texcoords[i][1] as f32));
        group.triangles.extend([[0, 1, 2], [0, 2, 3]].map(|triangle| triangle.map(corner)));
        group.has_texcoords = true;
    }

    /// Adds a textured parallelogram around `center`. `right` and `up` lead from there to the middle of its right and
    /// top sides.
    pub(super) fn card(&mut self, stuff: Stuff, center: DVec3, right: DVec3, up: DVec3) {
        let corners = [center - right - up, center + right - up, center + right + up, center - right + up];
        self.textured_quad(stuff, corners, [[0.0, 1.0], [1.0, 1.0], [1.0, 0.0], [0.0, 0.0]]);
    }

    /// Adds a body with six faces between `bottom` and `top`, which are both counter-clockwise as seen from above.
    pub(super) fn hexahedron(&mut self, stuff: Stuff, bottom: [DVec3; 4], top: [DVec3; 4]) {
        self.quad(stuff, top);
        self.quad(stuff, [bottom[3], bottom[2], bottom[1], bottom[0]]);
        for (i, j) in [(0, 1), (1, 2), (2, 3), (3, 0)] {
            self.quad(stuff, [bottom[i], bottom[j], top[j], top[i]]);
        }
    }

    /// Adds an axis-aligned box.
    pub(super) fn cuboid(&mut self, stuff: Stuff, min: [f64; 3], max: [f64; 3]) {
        let level = |y: f64| {
            [[min[0], max[2]], [max[0], max[2]], [max[0], min[2]], [min[0], min[2]]].map(|[x, z]| DVec3::new(x, y, z))
        };
        self.hexahedron(stuff, level(min[1]), level(max[1]));
    }

    /// Adds a profile of (radius, height) pairs revolved around the y axis in `sides` steps. Its outside is to the
    /// right of the profile's direction, so a profile that goes up faces outwards.
    pub(super) fn revolve(&mut self, stuff: Stuff, sides: usize, profile: &[[f64; 2]]) {
        let point = |[radius, height]: [f64; 2], side: usize| {
            let (sin, cos) = libm::sincos((side % sides) as f64 / sides as f64 * std::f64::consts::TAU);
            DVec3::new(radius * sin, height, radius * cos)
        };
        for (side, ends) in (0..sides).flat_map(|side| profile.windows(2).map(move |ends| (side, ends))) {
            let [a, b, c, d] =
                [(0, side), (0, side + 1), (1, side + 1), (1, side)].map(|(end, side)| point(ends[end], side));
            match (ends[0][0] == 0.0, ends[1][0] == 0.0) {
                (true, _) => self.triangle(stuff, [a, c, d]),
                (_, true) => self.triangle(stuff, [a, b, c]),
                _ => self.quad(stuff, [a, b, c, d]),
            }
        }
    }

    pub(super) fn finish(self) -> Part {
        let corners = || self.groups.iter().flat_map(|group| group.triangles.iter().flatten());
        let positions: Vec<_> = corners().map(|(position, _)| position.as_vec3()).collect();
        let texcoords: Vec<_> = corners().map(|(_, texcoord)| *texcoord).collect();
        let has_texcoords = self.groups.iter().any(|group| group.has_texcoords);
        let mesh = Mesh::from_soup(&positions)
            .and_then(|mesh| if has_texcoords { mesh.with_texcoords(&texcoords) } else { Ok(mesh) })
            .unwrap_or_else(|error| unreachable!("the village is made of finite numbers: {error}"));
        Part { mesh, primitives: self.primitives() }
    }

    fn primitives(&self) -> Arc<[Primitive]> {
        let mut first = 0;
        let primitive = |(index, group): (usize, &Group)| {
            let triangles = group.triangles.len() as u32;
            let coordinates = match group.stuff {
                Stuff::Leaves => group.triangles.iter().map(|corners| corners.map(|(_, texcoord)| texcoord)).collect(),
                _ => Arc::default(),
            };
            first += triangles;
            Primitive {
                index: index as u32,
                part: 0,
                first_triangle: first - triangles,
                triangles,
                material: Some(group.stuff as usize),
                has_texcoords: group.has_texcoords,
                paint: Paint { coordinates, ..Paint::default() },
            }
        };
        self.groups.iter().enumerate().map(primitive).collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Returns the volume that the faces enclose; negative if they face inwards.
    fn volume(modeller: Modeller) -> f64 {
        let part = modeller.finish();
        let volume = |i: usize| {
            let [a, b, c] = part.mesh.triangle(i as u32).unwrap().map(|corner| corner.as_dvec3());
            a.dot(b.cross(c)) / 6.0
        };
        (0..part.mesh.triangle_count()).map(volume).sum()
    }

    #[test]
    fn bodies_face_outwards() {
        let mut cuboid = Modeller::default();
        cuboid.cuboid(Stuff::Wood, [1.0, 1.0, 1.0], [2.0, 3.0, 4.0]);
        assert!((volume(cuboid) - 6.0).abs() < 1e-5);
        let mut cone = Modeller::default();
        cone.revolve(Stuff::Stone, 4, &[[0.0, 0.0], [1.0, 0.0], [0.0, 3.0]]);
        assert!((volume(cone) - 2.0).abs() < 1e-5, "a pyramid on a square of area 2");
    }
}
