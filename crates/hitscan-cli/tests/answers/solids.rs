//! Surfaces of which everything is known.

use crate::common::tables::folder;
use hitscan::glam::Vec3;
use std::fs;
use std::path::PathBuf;

/// The corners of triangles.
pub(crate) type Soup = Vec<[Vec3; 3]>;

/// Returns a box with outward faces, each of two triangles.
pub(crate) fn cube(low: [f32; 3], high: [f32; 3]) -> Soup {
    let corner = |number: usize| {
        Vec3::from_array([0, 1, 2].map(|axis| if number >> axis & 1 == 0 { low[axis] } else { high[axis] }))
    };
    let faces = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 1, 5, 4], [2, 6, 7, 3], [0, 2, 3, 1], [4, 5, 7, 6]];
    let halves = faces.into_iter().flat_map(|[a, b, c, d]| [[a, b, c], [a, c, d]]);
    halves.map(|triangle| triangle.map(corner)).collect()
}

/// Returns a ball of 8 * 4^levels triangles, whose coordinates are multiples of 2^-10.
pub(crate) fn ball(center: [f32; 3], levels: u32) -> Soup {
    let mut triangles: Soup = Vec::new();
    for signs in 0..8u32 {
        let axis = |axis: usize| {
            let mut corner = [0.0; 3];
            corner[axis] = if signs >> axis & 1 == 0 { 1.0 } else { -1.0 };
            Vec3::from_array(corner)
        };
        let corners = [axis(0), axis(1), axis(2)];
        triangles.push(if signs.count_ones() % 2 == 0 { corners } else { [corners[0], corners[2], corners[1]] });
    }
    for _ in 0..levels {
        let middle = |a: Vec3, b: Vec3| (((a + b).normalize()) * 1024.0).round() / 1024.0;
        let split = |[a, b, c]: [Vec3; 3]| {
            let (ab, bc, ca) = (middle(a, b), middle(b, c), middle(c, a));
            [[a, ab, ca], [ab, b, bc], [ca, bc, c], [ab, bc, ca]]
        };
        triangles = triangles.into_iter().flat_map(split).collect();
    }
    triangles.into_iter().map(|triangle| triangle.map(|corner| corner + Vec3::from_array(center))).collect()
}

pub(crate) fn turned(soup: Soup) -> Soup {
    soup.into_iter().map(|[a, b, c]| [a, c, b]).collect()
}

/// Writes an OBJ with an object for each soup, in which no two triangles share a vertex.
pub(crate) fn written(test: &str, objects: &[(&str, &Soup)]) -> PathBuf {
    let (mut text, mut count) = (String::new(), 0);
    for (name, soup) in objects {
        text += &format!("o {name}\n");
        for corner in soup.as_flattened() {
            text += &format!("v {} {} {}\n", corner.x, corner.y, corner.z);
        }
        for _ in *soup {
            text += &format!("f {} {} {}\n", count + 1, count + 2, count + 3);
            count += 3;
        }
    }
    let file = folder(test).join("model.obj");
    fs::write(&file, text).unwrap();
    file
}
