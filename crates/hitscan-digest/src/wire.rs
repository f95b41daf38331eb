//! Messages as bytes, little endian.

use crate::QUALITIES;
use crate::content::{Content, Form, Placed, Surface};
use hitscan::glam::{DAffine3, Vec3};
use hitscan::{Quality, Ray, SimdLevel};

/// What a [`Server`](crate::Server) can be asked.
#[derive(Clone, Debug, PartialEq)]
pub enum Message {
    /// To cast with this instruction set from now on.
    Level(SimdLevel),
    /// To build the trees of this, and cast rays at it from now on.
    Build(Quality, Content),
    /// For the digest of rays whose indices count up from the number.
    Cast(u64, Vec<Ray>),
}

impl Message {
    /// As bytes.
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

    /// From bytes; `None` for those that are no message.
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

    fn surface(&mut self, surface: &Surface) {
        self.u32(surface.positions.len() as u32);
        self.u32(surface.triangles.len() as u32);
        surface.positions.iter().for_each(|&p| self.vector(p));
        surface.triangles.as_flattened().iter().for_each(|&index| self.u32(index));
    }

    fn content(&mut self, content: &Content) {
        match content {
            Content::Mesh(surface) => {
                self.u32(0);
                self.surface(surface);
            }
            Content::Scene { meshes, entities } => {
                self.u32(1);
                self.u32(meshes.len() as u32);
                meshes.iter().for_each(|surface| self.surface(surface));
                self.u32(entities.len() as u32);
                entities.iter().for_each(|entity| self.entity(entity));
            }
        }
    }

    fn entity(&mut self, entity: &Placed) {
        let (kind, number) = match entity.form {
            Form::Mesh(number) => (0, number),
            Form::Shape(number) => (1, number),
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

    fn surface(&mut self) -> Option<Surface> {
        let (positions, triangles) = (self.u32()?, self.u32()?);
        let positions = (0..positions).map(|_| self.vector()).collect::<Option<_>>()?;
        let triangle = |bytes: &mut Self| Some([bytes.u32()?, bytes.u32()?, bytes.u32()?]);
        let triangles = (0..triangles).map(|_| triangle(self)).collect::<Option<_>>()?;
        Some(Surface { positions, triangles })
    }

    fn content(&mut self) -> Option<Content> {
        match self.u32()? {
            0 => self.surface().map(Content::Mesh),
            1 => {
                let meshes: Vec<_> = (0..self.u32()?).map(|_| self.surface()).collect::<Option<_>>()?;
                let entities = (0..self.u32()?).map(|_| self.entity(meshes.len())).collect::<Option<_>>()?;
                Some(Content::Scene { meshes, entities })
            }
            _ => None,
        }
    }

    fn entity(&mut self, meshes: usize) -> Option<Placed> {
        let form = match (self.u32()?, self.u32()?) {
            (0, mesh) if (mesh as usize) < meshes => Form::Mesh(mesh),
            (1, shape) => Form::Shape(shape),
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
        let (_, scene) = generated().into_iter().find(|(name, _)| *name == "instances").unwrap();
        let rays = (0..9).map(|index| Aim::new(&scene, 1).ray(index)).filter(|ray| ray.validate().is_ok()).collect();
        for message in
            [Message::Level(SimdLevel::Sse4), Message::Build(Quality::Best, scene.clone()), Message::Cast(7, rays)]
        {
            let bytes = message.encode();
            assert_eq!(Message::decode(&bytes).as_ref(), Some(&message));
            assert!(!matches!(Message::decode(&bytes[..bytes.len() - 1]), Some(other) if other == message));
            assert_eq!(Message::decode(&[&bytes[..], &[0]].concat()), None);
        }
        assert_eq!(Message::decode(&[]), None);
    }
}
