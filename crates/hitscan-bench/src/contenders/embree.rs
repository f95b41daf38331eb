//! Embree with several settings, each as a contender.

use super::contender::{Bytes, Contender, Hit, Meter, Refit, Surface, Tree, World};
use super::embree_sys::{Device, DynamicMesh, Embree, EmbreeScene, Flags, PACKET, Quality};
use super::workers::Workers;
use crate::scenes::{Instances, Move, Soup};
use anyhow::{Result, ensure};
use hitscan::Ray;
use hitscan::glam::{DVec3, Vec3};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

#[derive(Clone, Copy, PartialEq, Eq)]
enum Calls {
    OneByOne,
    Packets,
}

struct Setting {
    name: &'static str,
    quality: Quality,
    flags: Flags,
    calls: Calls,
    devices: Arc<Devices>,
}

/// Returns all settings, the reference first.
pub(super) fn all(library: &Path) -> Result<Vec<Box<dyn Contender>>> {
    let devices = Arc::new(Devices { embree: Embree::open(library)?, made: Mutex::default() });
    let version = devices.of(1)?.version();
    ensure!(version / 100 == 404, "this is version {version} of Embree, its rays were declared for 40400");
    let settings = [
        ("embree MEDIUM", Quality::Medium, Flags::None, Calls::OneByOne),
        ("embree ROBUST", Quality::Medium, Flags::Robust, Calls::OneByOne),
        ("embree HIGH", Quality::High, Flags::None, Calls::OneByOne),
        ("embree LOW", Quality::Low, Flags::None, Calls::OneByOne),
        ("embree packets", Quality::Medium, Flags::None, Calls::Packets),
    ];
    let boxed = |(name, quality, flags, calls)| {
        let devices = devices.clone();
        Box::new(Setting { name, quality, flags, calls, devices }) as Box<dyn Contender>
    };
    Ok(settings.map(boxed).into())
}

/// The device in use, with its number of threads. The device is kept because making a device starts threads, which is
/// not part of a build.
///
/// Only one device is kept at a time. The reason is that in Embree all devices use as many threads as the device with
/// the most. While a device of two threads exists, a device of one thread builds with two.
struct Devices {
    embree: Arc<Embree>,
    made: Mutex<Option<(usize, Arc<Device>)>>,
}

impl Devices {
    fn of(&self, threads: usize) -> Result<Arc<Device>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        // The old device is released before another is made.
        drop(made.take_if(|(by, _)| *by != threads));
        if let Some((_, device)) = &*made {
            return Ok(device.clone());
        }
        let device = Device::new(&self.embree, threads)?;
        // The device starts its threads with the first build.
        let mut warm = Soup::default();
        warm.sphere(DVec3::ZERO, 1.0, 64, |_| 0.0);
        EmbreeScene::of_mesh(&device, &warm, warm.padded(), Quality::Medium, Flags::None)?;
        *made = Some((threads, device.clone()));
        Ok(device)
    }
}

impl Setting {
    fn is_default(&self) -> bool {
        self.quality == Quality::Medium && self.flags == Flags::None && self.calls == Calls::OneByOne
    }
}

impl Contender for Setting {
    fn name(&self) -> &'static str {
        self.name
    }

    fn prepare(&self, workers: &Workers) -> Result<()> {
        self.devices.of(workers.threads).map(|_| ())
    }

    fn build<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Box<dyn Tree + 'a>> {
        let device = self.devices.of(workers.threads)?;
        let before = device.take_bytes().held;
        let scene = EmbreeScene::of_mesh(&device, soup, soup.padded(), self.quality, self.flags)?;
        let after = device.take_bytes();
        let bytes = Bytes { held: after.held.saturating_sub(before), peak: after.peak.saturating_sub(before) };
        let asked = Asked { scene, bytes };
        Ok(match self.calls {
            Calls::OneByOne => Box::new(asked),
            Calls::Packets => Box::new(InPackets(asked)),
        })
    }

    fn refittable<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Option<Box<dyn Refit + 'a>>> {
        if !self.is_default() {
            return Ok(None);
        }
        Ok(Some(Box::new(DynamicMesh::new(&self.devices.of(workers.threads)?, soup)?)))
    }

    fn surface<'a>(&self, soup: &'a Soup, workers: &Workers) -> Result<Option<Box<dyn Surface + 'a>>> {
        if !self.is_default() {
            return Ok(None);
        }
        let device = self.devices.of(workers.threads)?;
        Ok(Some(Box::new(Queried {
            scene: EmbreeScene::of_mesh(&device, soup, soup.padded(), self.quality, self.flags)?,
            soup,
        })))
    }

    /// The other settings also rebuild the tree over instances, and take at least as long.
    fn updates(&self) -> bool {
        self.is_default()
    }

    fn world<'a>(&self, instances: &'a Instances, workers: &Workers) -> Result<Option<Box<dyn World + 'a>>> {
        let device = self.devices.of(workers.threads)?;
        let mesh = |soup: &'a Soup| EmbreeScene::of_mesh(&device, soup, soup.padded(), self.quality, self.flags);
        let meshes = instances.meshes.iter().map(mesh).collect::<Result<Vec<_>>>()?;
        let placements = instances.placements.iter().map(|placement| (placement.mesh, placement.transform()));
        let scene = EmbreeScene::of_instances(&device, meshes, placements, self.quality)?;
        let asked = Asked { scene, bytes: Bytes::default() };
        Ok(Some(match self.calls {
            Calls::OneByOne => Box::new(asked),
            Calls::Packets => Box::new(InPackets(asked)),
        }))
    }

    fn meter(&self) -> Meter {
        Meter::Own
    }
}

/// A mesh whose tree is searched with a sphere, as in Open3D. The sphere becomes smaller with each nearer triangle.
struct Queried<'a> {
    scene: EmbreeScene<'a>,
    soup: &'a Soup,
}

impl Surface for Queried<'_> {
    fn distance(&self, point: Vec3) -> f32 {
        let corner = |index: u32| Vec3::from_array(self.soup.positions[index as usize]);
        self.scene.nearest(point, |triangle| {
            let first = 3 * triangle as usize;
            let [a, b, c] = [0, 1, 2].map(|next| corner(self.soup.indices[first + next]));
            (nearest_place(point, [a, b, c]) - point).length()
        })
    }
}

/// Returns the point of a triangle that is nearest to `point` (C. Ericson, "Real-Time Collision Detection", 2005,
/// 5.1.5).
#[inline]
fn nearest_place(point: Vec3, [a, b, c]: [Vec3; 3]) -> Vec3 {
    let (ab, ac, ap) = (b - a, c - a, point - a);
    let (d1, d2) = (ab.dot(ap), ac.dot(ap));
    if d1 <= 0.0 && d2 <= 0.0 {
        return a;
    }
    let bp = point - b;
    let (d3, d4) = (ab.dot(bp), ac.dot(bp));
    if d3 >= 0.0 && d4 <= d3 {
        return b;
    }
    let vc = d1 * d4 - d3 * d2;
    if vc <= 0.0 && d1 >= 0.0 && d3 <= 0.0 {
        return a + ab * (d1 / (d1 - d3));
    }
    let cp = point - c;
    let (d5, d6) = (ab.dot(cp), ac.dot(cp));
    if d6 >= 0.0 && d5 <= d6 {
        return c;
    }
    let vb = d5 * d2 - d1 * d6;
    if vb <= 0.0 && d2 >= 0.0 && d6 <= 0.0 {
        return a + ac * (d2 / (d2 - d6));
    }
    let va = d3 * d6 - d5 * d4;
    let (after, before) = (d4 - d3, d5 - d6);
    if va <= 0.0 && after >= 0.0 && before >= 0.0 {
        return b + (c - b) * (after / (after + before));
    }
    let part = 1.0 / (va + vb + vc);
    a + ab * (vb * part) + ac * (vc * part)
}

struct Asked<'a> {
    scene: EmbreeScene<'a>,
    bytes: Bytes,
}

impl Tree for Asked<'_> {
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        self.scene.intersect(ray)
    }

    fn any(&self, ray: &Ray) -> bool {
        self.scene.is_occluded(ray)
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }

    fn bytes(&self) -> Bytes {
        self.bytes
    }
}

impl World for Asked<'_> {
    fn update(&mut self, moves: &[Move]) {
        self.scene.update(moves.iter().map(|moved| (moved.instance, &moved.transform)));
    }

    fn readiness(&self) -> &'static str {
        "rtcSetGeometryTransform and rtcCommitGeometry of each with f32 transforms; rtcCommitScene, which builds the tree over all anew"
    }
}

struct InPackets<'a>(Asked<'a>);

impl Tree for InPackets<'_> {
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        self.0.closest(ray)
    }

    fn any(&self, ray: &Ray) -> bool {
        self.0.any(ray)
    }

    fn closest_all(&self, rays: &[Ray], hits: &mut [Option<Hit>]) {
        for (rays, hits) in rays.chunks(PACKET).zip(hits.chunks_mut(PACKET)) {
            self.0.scene.intersect_packet(rays, hits);
        }
    }

    fn any_all(&self, rays: &[Ray], blocked: &mut [bool]) {
        for (rays, blocked) in rays.chunks(PACKET).zip(blocked.chunks_mut(PACKET)) {
            self.0.scene.is_packet_occluded(rays, blocked);
        }
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }

    fn bytes(&self) -> Bytes {
        self.0.bytes
    }
}

impl World for InPackets<'_> {
    fn update(&mut self, moves: &[Move]) {
        self.0.update(moves);
    }

    fn readiness(&self) -> &'static str {
        self.0.readiness()
    }
}

impl Tree for DynamicMesh<'_> {
    fn closest(&self, ray: &Ray) -> Option<Hit> {
        self.scene().intersect(ray)
    }

    fn any(&self, ray: &Ray) -> bool {
        self.scene().is_occluded(ray)
    }

    fn shared(&self) -> Option<&(dyn Tree + Sync)> {
        Some(self)
    }
}

impl Refit for DynamicMesh<'_> {
    fn refit(&mut self, positions: &[[f32; 3]]) {
        self.set_positions(positions);
    }
}

/// Finds Embree's library. It is the named file, otherwise the file of `EMBREE_LIB`, otherwise the library in the
/// virtual environment that `cargo xtask bench` makes next to this program.
pub(crate) fn find_library(named: Option<&Path>) -> Option<PathBuf> {
    let from_environment = || std::env::var_os("EMBREE_LIB").filter(|path| !path.is_empty()).map(PathBuf::from);
    named.map(Path::to_owned).or_else(from_environment).or_else(|| {
        let program = std::env::current_exe().ok()?;
        // The program is <target>/<profile>/hitscan-bench, and tests are one folder deeper.
        program.ancestors().skip(2).take(2).find_map(|folder| library_under(&folder.join("embree"), 6))
    })
}

/// Searches a folder for the library, which the wheels for Linux, macOS and Windows name and place differently.
fn library_under(folder: &Path, depth: u32) -> Option<PathBuf> {
    let entries: Vec<PathBuf> = folder.read_dir().ok()?.filter_map(|entry| Some(entry.ok()?.path())).collect();
    let is_library = |path: &&PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_embree = name.trim_start_matches("lib").starts_with("embree4");
        is_embree && [".so", ".dylib", ".dll"].iter().any(|ending| name.contains(ending)) && path.is_file()
    };
    let folders = || entries.iter().filter(|path| depth > 0 && path.is_dir() && !path.is_symlink());
    entries.iter().find(is_library).cloned().or_else(|| folders().find_map(|folder| library_under(folder, depth - 1)))
}
