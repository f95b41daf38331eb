//! Messages as bytes, little endian.

use crate::QUALITIES;
use crate::content::{Cloth, Content, Form, Ground, Placed, Surface, World};
use hitscan::glam::{DAffine3, Vec2, Vec3};
use hitscan::height_field::Diagonal;
use hitscan::simd::SimdLevel;
use hitscan::{Quality, Ray};

/// A request to a [`Server`](crate::Server).
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// Selects an instruction set for the following casts.
    Level(SimdLevel),
    /// Builds the trees of this content for the following casts.
    Build(Quality, Content),
    /// Requests the digest of rays. The indices of the rays count up from the number.
    Cast(u64, Vec<Ray>),
}

impl Message {
    /// Encodes the message.
    pub fn encode(&self) -> Vec<u8> {
        let mut bytes = Writer(Vec::new());
        match self {
            Self::Level(level) => {
                bytes.0.push(0);
                bytes.0.extend(level.to_string().into_bytes());
            }
            Self::Build(quality, content) => {
                let quality = QUALITIES.into_iter().position(|q| q == *quality).unwrap_or_default();
                bytes.0.extend([1, quality as u8]);
                bytes.content(content);
            }
            Self::Cast(first, rays) => {
                bytes.0.push(2);
                bytes.u64(*first);
                rays.iter().for_each(|ray| bytes.ray(ray));
            }
        }
        bytes.0
    }

    /// Decodes a message; `None` for invalid bytes.
    pub fn decode(bytes: &[u8]) -> Option<Self> {
        let (&kind, bytes) = bytes.split_first()?;
        let mut bytes = Reader(bytes);
        match kind {
            0 => Some(Self::Level(std::str::from_utf8(bytes.0).ok()?.parse().ok()?)),
            1 => {
                let quality = *QUALITIES.get(usize::from(bytes.array::<1>()?[0]))?;
                Some(Self::Build(quality, bytes.content()?)).filter(|_| bytes.0.is_empty())
            }
            2 => {
                let first = bytes.u64()?;
                let is_whole = bytes.0.len().is_multiple_of(RAY_BYTES);
                is_whole.then(|| Self::Cast(first, std::iter::from_fn(|| bytes.ray()).collect()))
            }
            _ => None,
        }
    }
}

const RAY_BYTES: usize = 8 * size_of::<f32>();

struct Writer(Vec<u8>);

impl Writer {
    fn u32(&mut self, x: u32) {
        self.0.extend(x.to_le_bytes());
    }

    fn u64(&mut self, x: u64) {
        self.0.extend(x.to_le_bytes());
    }

    fn vector(&mut self, v: Vec3) {
        v.to_array().into_iter().for_each(|x| self.u32(x.to_bits()));
    }

    fn ray(&mut self, ray: &Ray) {
        self.vector(ray.origin);
        self.vector(ray.direction);
        self.u32(ray.t_min.to_bits());
        self.u32(ray.t_max.to_bits());
    }

    fn pair(&mut self, v: Vec2) {
        v.to_array().into_iter().for_each(|x| self.u32(x.to_bits()));
    }

    /// Writes the length of a list and each of its items.
    fn list<T>(&mut self, items: &[T], mut write: impl FnMut(&mut Self, &T)) {
        self.u32(items.len() as u32);
        items.iter().for_each(|item| write(self, item));
    }

    fn surface(&mut self, surface: &Surface) {
        self.list(&surface.positions, |to, &p| to.vector(p));
        self.list(&surface.triangles, |to, triangle| triangle.iter().for_each(|&index| to.u32(index)));
        self.list(surface.cloth.as_slice(), |to, Cloth { width, texels, texcoords }| {
            to.u32(*width);
            to.list(texels, |to, &texel| to.0.push(texel));
            to.list(texcoords, |to, &texcoord| to.pair(texcoord));
        });
    }

    fn ground(&mut self, ground: &Ground) {
        let Ground { rows, columns, cell, diagonal, heights, holes } = ground;
        [*rows, *columns, (*diagonal == Diagonal::Rising).into()].into_iter().for_each(|x| self.u32(x));
        self.pair(*cell);
        self.list(heights, |to, height| to.u32(height.to_bits()));
        self.list(holes, |to, hole| hole.iter().for_each(|&x| to.u32(x)));
    }

    fn content(&mut self, content: &Content) {
        match content {
            Content::Mesh(surface) => {
                self.u32(0);
                self.surface(surface);
            }
            Content::Scene(world) => {
                self.u32(1);
                self.world(world);
            }
            Content::Course(world) => {
                self.u32(2);
                self.world(world);
            }
        }
    }

    fn world(&mut self, World { meshes, fields, hulls, entities }: &World) {
        self.list(meshes, Self::surface);
        self.list(fields, Self::ground);
        self.list(hulls, |to, points| to.list(points, |to, &p| to.vector(p)));
        self.list(entities, Self::entity);
    }

    fn entity(&mut self, entity: &Placed) {
        let (kind, number) = match entity.form {
            Form::Mesh(number) => (0, number),
            Form::Shape(number) => (1, number),
            Form::Field(number) => (2, number),
            Form::Hull(number) => (3, number),
        };
        self.u32(kind);
        self.u32(number);
        entity.place.to_cols_array().into_iter().for_each(|x| self.u64(x.to_bits()));
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn array<const N: usize>(&mut self) -> Option<[u8; N]> {
        let (array, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(*array)
    }

    fn u32(&mut self) -> Option<u32> {
        self.array().map(u32::from_le_bytes)
    }

    fn u64(&mut self) -> Option<u64> {
        self.array().map(u64::from_le_bytes)
    }

    fn f32(&mut self) -> Option<f32> {
        self.u32().map(f32::from_bits)
    }

    fn vector(&mut self) -> Option<Vec3> {
        Some(Vec3::new(self.f32()?, self.f32()?, self.f32()?))
    }

    fn ray(&mut self) -> Option<Ray> {
        let ray = Ray::with_direction(self.vector()?, self.vector()?);
        Some(ray.with_range(self.f32()?, self.f32()?))
    }

    fn pair(&mut self) -> Option<Vec2> {
        Some(Vec2::new(self.f32()?, self.f32()?))
    }

    fn list<T>(&mut self, mut read: impl FnMut(&mut Self) -> Option<T>) -> Option<Vec<T>> {
        (0..self.u32()?).map(|_| read(self)).collect()
    }

    fn surface(&mut self) -> Option<Surface> {
        let positions = self.list(Self::vector)?;
        let triangles = self.list(|from| Some([from.u32()?, from.u32()?, from.u32()?]))?;
        let cloth = self.list(|from| {
            let width = from.u32()?;
            let texels = from.list(|from| Some(from.array::<1>()?[0]))?;
            Some(Cloth { width, texels, texcoords: from.list(Self::pair)? })
        });
        Some(Surface { positions, triangles, cloth: cloth?.pop() })
    }

    fn ground(&mut self) -> Option<Ground> {
        let (rows, columns) = (self.u32()?, self.u32()?);
        let diagonal = *[Diagonal::Falling, Diagonal::Rising].get(self.u32()? as usize)?;
        let (cell, heights) = (self.pair()?, self.list(Self::f32)?);
        let holes = self.list(|from| Some([from.u32()?, from.u32()?]))?;
        Some(Ground { rows, columns, cell, diagonal, heights, holes })
    }

    fn content(&mut self) -> Option<Content> {
        match self.u32()? {
            0 => self.surface().map(Content::Mesh),
            1 => self.world().map(Content::Scene),
            2 => self.world().map(Content::Course),
            _ => None,
        }
    }

    fn world(&mut self) -> Option<World> {
        let meshes = self.list(Self::surface)?;
        let fields = self.list(Self::ground)?;
        let hulls = self.list(|from| from.list(Self::vector))?;
        let mut world = World { meshes, fields, hulls, entities: Vec::new() };
        world.entities = self.list(|from| from.entity(&world))?;
        Some(world)
    }

    fn entity(&mut self, world: &World) -> Option<Placed> {
        let form = match (self.u32()?, self.u32()?) {
            (0, mesh) if (mesh as usize) < world.meshes.len() => Form::Mesh(mesh),
            (1, shape) => Form::Shape(shape),
            (2, field) if (field as usize) < world.fields.len() => Form::Field(field),
            (3, hull) if (hull as usize) < world.hulls.len() => Form::Hull(hull),
            _ => return None,
        };
        let mut columns = [0.0; 12];
        for x in &mut columns {
            *x = f64::from_bits(self.u64()?);
        }
        Some(Placed { form, place: DAffine3::from_cols_array(&columns) })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Aim, generated};

    #[test]
    fn messages_come_back_as_they_were() {
        let contents = generated().into_iter().map(|(_, content)| content);
        let mut scenes: Vec<Content> = contents.filter(|content| !matches!(content, Content::Mesh(_))).collect();
        let aim = Aim::new(&scenes[0], 1);
        let rays = (0..9).map(|index| aim.ray(index)).filter(|ray| ray.validate().is_ok()).collect();
        let others = [Message::Level(SimdLevel::Scalar), Message::Cast(7, rays)];
        for message in scenes.drain(..).map(|scene| Message::Build(Quality::Best, scene)).chain(others) {
            let bytes = message.encode();
            assert_eq!(Message::decode(&bytes).as_ref(), Some(&message));
            assert!(!matches!(Message::decode(&bytes[..bytes.len() - 1]), Some(other) if other == message));
            assert_eq!(Message::decode(&[&bytes[..], &[0]].concat()), None);
        }
        assert_eq!(Message::decode(&[]), None);
    }
}
