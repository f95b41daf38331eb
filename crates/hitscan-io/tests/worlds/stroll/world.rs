//! A scene, and its triangles in the world.

use hitscan::glam::{DAffine3, DVec3, Vec3};
use hitscan::{Geometry, Mesh, Scene};
use hitscan_io::Model;
use hitscan_random::Random;
use std::path::Path;

/// The grid of all positions has this many cells per unit. So moving the positions causes no rounding.
const GRID: f64 = (1u64 << 20) as f64;

/// Everything that is in a scene, and the corners of its triangles.
pub(crate) struct World {
    entities: Vec<(Geometry, DAffine3)>,
    pub(crate) triangles: Vec<[DVec3; 3]>,
    /// The number of triangles up to the end of each entity.
    ends: Vec<usize>,
}

/// Returns the nearest place of the grid.
pub(crate) fn on_grid(place: DVec3) -> DVec3 {
    (place * GRID).round() / GRID
}

impl World {
    fn new(entities: impl IntoIterator<Item = (Geometry, DAffine3)>) -> Self {
        let on_grid = |place: DAffine3| DAffine3 { translation: on_grid(place.translation), ..place };
        let entities: Vec<(Geometry, DAffine3)> =
            entities.into_iter().map(|(geometry, place)| (geometry, on_grid(place))).collect();
        let (mut triangles, mut ends) = (Vec::new(), Vec::new());
        for (geometry, place) in &entities {
            let Geometry::Mesh(mesh) = geometry else { panic!("a world is of meshes, not {geometry:?}") };
            let corners = (0..).map_while(|number| mesh.triangle(number));
            triangles.extend(corners.map(|corners| corners.map(|p| place.transform_point3(p.as_dvec3()))));
            ends.push(triangles.len());
        }
        Self { entities, triangles, ends }
    }

    pub(crate) fn of_model(file: &Path) -> Self {
        let model = Model::load(file).unwrap_or_else(|error| panic!("{error}"));
        Self::new(model.entities.into_iter().map(|entity| (entity.geometry, entity.transform)))
    }

    /// Returns a floor with triangles in any position and orientation, many of which intersect.
    pub(crate) fn soup() -> Self {
        let mut random = Random(42);
        let mut corners: Vec<Vec3> = Vec::new();
        for _ in 0..1_500 {
            let cube = |random: &mut Random| random.cube().as_vec3();
            let at = cube(&mut random) * Vec3::new(20.0, 3.0, 20.0);
            let size = random.pick(&[0.2, 1.0, 3.0]);
            corners.extend([at, at + size * cube(&mut random), at + size * cube(&mut random)]);
        }
        let [a, b, c, d] =
            [(-25, -25), (-25, 25), (25, 25), (25, -25)].map(|(x, z)| Vec3::new(x as f32, 0.0, z as f32));
        corners.extend([a, b, c, a, c, d]);
        let mesh = Mesh::from_soup(&corners).expect("the soup is a mesh");
        Self::new([(mesh.into(), DAffine3::IDENTITY)])
    }

    /// Returns a scene of everything, moved by a vector of the grid.
    pub(crate) fn scene(&self, by: DVec3) -> Scene<u32> {
        let mut scene = Scene::new();
        for (id, (geometry, place)) in (0..).zip(&self.entities) {
            let place = DAffine3 { translation: place.translation + by, ..*place };
            scene.insert(id, rebuilt(geometry), place).expect("the place is sound");
        }
        scene
    }

    /// Returns the triangles of each entity.
    pub(crate) fn surfaces(&self) -> impl Iterator<Item = &[[DVec3; 3]]> {
        let starts = [0].into_iter().chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.triangles[start..*end])
    }

    pub(crate) fn low(&self) -> f64 {
        self.triangles.iter().flatten().fold(f64::INFINITY, |low, corner| low.min(corner.y))
    }
}

/// Returns a mesh of the same triangles whose tree is built anew by the current thread pool.
fn rebuilt(geometry: &Geometry) -> Geometry {
    let Geometry::Mesh(mesh) = geometry else { return geometry.clone() };
    let indices: Vec<u32> = (0..).map_while(|number| mesh.indices(number)).flatten().collect();
    Mesh::new(mesh.positions(), &indices).expect("the mesh has been one before").into()
}
