//! Embree 4 through its C API, loaded at run time, behind safe types. This is the only unsafe code of the benchmark.
//!
//! The declarations follow embree4/rtcore_*.h of 4.4 with the configuration of its x86-64 wheels. There is one level of instances, and there are instance
//! arrays, so a hit has `instPrimID`.
#![allow(unsafe_code)]

use super::contender::{Bytes, Hit};
use crate::scenes::Soup;
use anyhow::{Context, Result, bail, ensure};
use hitscan::Ray;
use hitscan::glam::{DAffine3, Vec3};
use libloading::Library;
use std::ffi::{CString, c_char, c_int, c_uint, c_void};
use std::marker::PhantomData;
use std::mem::ManuallyDrop;
use std::path::Path;
use std::ptr::{NonNull, null_mut};
use std::sync::Arc;
use std::sync::atomic::{AtomicIsize, Ordering};

/// The number of rays in a packet.
pub(super) const PACKET: usize = 8;

const INVALID: u32 = u32::MAX;
const TRIANGLE: c_int = 0;
const INSTANCE: c_int = 121;
const INDEX_BUFFER: c_int = 0;
const VERTEX_BUFFER: c_int = 1;
const FLOAT3: c_int = 0x9003;
const UINT3: c_int = 0x5003;
const FLOAT3X4_COLUMN_MAJOR: c_int = 0x9234;

/// `RTCBuildQuality`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(super) enum Quality {
    Low = 0,
    Medium = 1,
    High = 2,
    /// The quality of a geometry in a dynamic scene whose tree is kept and refitted.
    Refit = 3,
}

/// `RTCSceneFlags`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(i32)]
pub(super) enum Flags {
    None = 0,
    Dynamic = 1,
    Robust = 4,
}

/// `RTCRay`.
#[derive(Clone, Copy)]
#[repr(C, align(16))]
struct RtcRay {
    origin: [f32; 3],
    t_near: f32,
    direction: [f32; 3],
    time: f32,
    t_far: f32,
    mask: u32,
    id: u32,
    flags: u32,
}

/// `RTCRayHit`: `RTCRay`, and `RTCHit` with its own alignment.
#[repr(C, align(16))]
struct RtcRayHit {
    ray: RtcRay,
    normal: [f32; 3],
    u: f32,
    v: f32,
    triangle: u32,
    geometry: u32,
    instance: u32,
    instance_primitive: u32,
}

type Lanes<T> = [T; PACKET];

/// `RTCRay8`.
#[derive(Clone, Copy)]
#[repr(C, align(32))]
struct RtcRay8 {
    origin: [Lanes<f32>; 3],
    t_near: Lanes<f32>,
    direction: [Lanes<f32>; 3],
    time: Lanes<f32>,
    t_far: Lanes<f32>,
    mask: Lanes<u32>,
    id: Lanes<u32>,
    flags: Lanes<u32>,
}

/// `RTCRayHit8`.
#[repr(C, align(32))]
struct RtcRayHit8 {
    ray: RtcRay8,
    normal: [Lanes<f32>; 3],
    u: Lanes<f32>,
    v: Lanes<f32>,
    triangle: Lanes<u32>,
    geometry: Lanes<u32>,
    instance: Lanes<u32>,
    instance_primitive: Lanes<u32>,
}

/// `RTCPointQuery`.
#[repr(C, align(16))]
struct RtcPointQuery {
    place: [f32; 3],
    time: f32,
    radius: f32,
}

/// `RTCPointQueryContext`.
#[repr(C, align(16))]
struct RtcPointQueryContext {
    to_instance: [f32; 16],
    to_world: [f32; 16],
    instance: u32,
    instance_primitive: u32,
    depth: u32,
}

/// `RTCPointQueryFunctionArguments`.
#[repr(C, align(16))]
struct RtcPointQueryArguments {
    query: *mut RtcPointQuery,
    user: *mut c_void,
    triangle: u32,
    geometry: u32,
    context: *mut RtcPointQueryContext,
    similarity_scale: f32,
}

type PointQueryFunction = unsafe extern "C" fn(*mut RtcPointQueryArguments) -> bool;

/// The `valid` argument of packets: -1 for an active ray.
#[repr(C, align(32))]
struct Valid(Lanes<i32>);

const _: () = {
    assert!(size_of::<RtcRay>() == 48);
    assert!(size_of::<RtcRayHit>() == 96 && align_of::<RtcRayHit>() == 16);
    assert!(size_of::<RtcPointQuery>() == 32 && size_of::<RtcPointQueryContext>() == 144);
    assert!(size_of::<RtcPointQueryArguments>() == 48);
    assert!(size_of::<RtcRay8>() == 12 * 32);
    assert!(size_of::<RtcRayHit8>() == (12 + 9) * 32 && align_of::<RtcRayHit8>() == 32);
};

/// A device, scene or geometry.
type Handle = *mut c_void;
type MemoryMonitor = unsafe extern "C" fn(*mut c_void, isize, bool) -> bool;

macro_rules! api {
    ($($field:ident = $symbol:literal: fn($($argument:ty),*) $(-> $result:ty)?;)*) => {
        /// The functions of the library, which is never closed: TBB's threads run its code until the process ends.
        pub(super) struct Embree {
            $($field: unsafe extern "C" fn($($argument),*) $(-> $result)?,)*
            _library: ManuallyDrop<Library>,
        }

        impl Embree {
            fn resolve(library: Library) -> Result<Self, libloading::Error> {
                $(
                    // SAFETY: the symbol is the C function of this name, declared as embree4's headers do.
                    let $field = unsafe { *library.get(concat!($symbol, "\0").as_bytes())? };
                )*
                Ok(Self { $($field,)* _library: ManuallyDrop::new(library) })
            }
        }
    };
}

api! {
    new_device = "rtcNewDevice": fn(*const c_char) -> Handle;
    release_device = "rtcReleaseDevice": fn(Handle);
    device_error = "rtcGetDeviceError": fn(Handle) -> c_int;
    device_property = "rtcGetDeviceProperty": fn(Handle, c_int) -> isize;
    set_memory_monitor = "rtcSetDeviceMemoryMonitorFunction": fn(Handle, MemoryMonitor, *mut c_void);
    new_scene = "rtcNewScene": fn(Handle) -> Handle;
    release_scene = "rtcReleaseScene": fn(Handle);
    set_scene_flags = "rtcSetSceneFlags": fn(Handle, c_int);
    set_scene_quality = "rtcSetSceneBuildQuality": fn(Handle, c_int);
    commit_scene = "rtcCommitScene": fn(Handle);
    new_geometry = "rtcNewGeometry": fn(Handle, c_int) -> Handle;
    release_geometry = "rtcReleaseGeometry": fn(Handle);
    attach_geometry = "rtcAttachGeometry": fn(Handle, Handle) -> c_uint;
    set_geometry_quality = "rtcSetGeometryBuildQuality": fn(Handle, c_int);
    set_shared_buffer = "rtcSetSharedGeometryBuffer": fn(Handle, c_int, c_uint, c_int, *const c_void, usize, usize, usize);
    update_buffer = "rtcUpdateGeometryBuffer": fn(Handle, c_int, c_uint);
    commit_geometry = "rtcCommitGeometry": fn(Handle);
    set_instanced_scene = "rtcSetGeometryInstancedScene": fn(Handle, Handle);
    set_transform = "rtcSetGeometryTransform": fn(Handle, c_uint, c_int, *const c_void);
    intersect1 = "rtcIntersect1": fn(Handle, *mut RtcRayHit, *mut c_void);
    occluded1 = "rtcOccluded1": fn(Handle, *mut RtcRay, *mut c_void);
    intersect8 = "rtcIntersect8": fn(*const Valid, Handle, *mut RtcRayHit8, *mut c_void);
    occluded8 = "rtcOccluded8": fn(*const Valid, Handle, *mut RtcRay8, *mut c_void);
    point_query = "rtcPointQuery": fn(Handle, *mut RtcPointQuery, *mut RtcPointQueryContext, PointQueryFunction, *mut c_void) -> bool;
}

impl Embree {
    pub(super) fn open(path: &Path) -> Result<Arc<Self>> {
        // SAFETY: Embree's and TBB's initialisers have no requirements; the caller names a library that he trusts.
        let library = unsafe { Library::new(path) };
        let library = library.with_context(|| format!("cannot open {}", path.display()))?;
        let embree = Self::resolve(library).with_context(|| format!("{} is not Embree 4", path.display()))?;
        Ok(Arc::new(embree))
    }
}

/// A search for the nearest triangle.
struct NearestSoFar<F> {
    distance: f32,
    distance_of: F,
}

/// Tests one triangle, and returns whether it has reduced the query's radius.
///
/// # Safety
/// The arguments come from a point query. Its user pointer points to a `NearestSoFar<F>` that nothing else uses during
/// the call.
unsafe extern "C" fn take_nearer<F: FnMut(u32) -> f32>(arguments: *mut RtcPointQueryArguments) -> bool {
    // SAFETY: by the caller's promise; Embree passes valid arguments, with the query's own address.
    let (search, query, triangle) = unsafe {
        let arguments = &*arguments;
        (&mut *arguments.user.cast::<NearestSoFar<F>>(), &mut *arguments.query, arguments.triangle)
    };
    let distance = (search.distance_of)(triangle);
    let is_nearer = distance < search.distance;
    if is_nearer {
        search.distance = distance;
        query.radius = distance;
    }
    is_nearer
}

/// The memory that Embree has allocated, as Embree reports it.
#[derive(Default)]
struct Memory {
    held: AtomicIsize,
    peak: AtomicIsize,
}

/// Counts memory. Embree's threads call this before each allocation and after each release, and continue if it returns
/// true.
///
/// # Safety
/// `memory` is the `Memory` that the monitor was set with.
unsafe extern "C" fn count(memory: *mut c_void, bytes: isize, _post: bool) -> bool {
    // SAFETY: by the caller's promise; the device that calls is released before its `Memory` is dropped.
    let memory = unsafe { &*memory.cast::<Memory>() };
    let held = memory.held.fetch_add(bytes, Ordering::Relaxed) + bytes;
    memory.peak.fetch_max(held, Ordering::Relaxed);
    true
}

/// Embree with a number of threads.
pub(super) struct Device {
    embree: Arc<Embree>,
    handle: NonNull<c_void>,
    memory: Box<Memory>,
}

// SAFETY: Embree's devices may be used from any thread, and count references atomically.
unsafe impl Send for Device {}
// SAFETY: as above; functions that change a scene need `&mut` of that scene.
unsafe impl Sync for Device {}

impl Device {
    pub(super) fn new(embree: &Arc<Embree>, threads: usize) -> Result<Arc<Self>> {
        let config = CString::new(format!("threads={threads}"))?;
        // SAFETY: the text ends in a zero and lives through the call.
        let handle = NonNull::new(unsafe { (embree.new_device)(config.as_ptr()) });
        let device = Self {
            embree: embree.clone(),
            handle: handle.context("Embree makes no device: the processor may be too old")?,
            memory: Box::default(),
        };
        let memory = std::ptr::from_ref::<Memory>(&device.memory).cast_mut().cast();
        // SAFETY: the handle is valid; the memory is in a box, and outlives the device.
        unsafe { (embree.set_memory_monitor)(device.handle.as_ptr(), count, memory) };
        device.check()?;
        Ok(Arc::new(device))
    }

    /// Returns the version, such as 40400 for 4.4.0.
    pub(super) fn version(&self) -> isize {
        // SAFETY: the handle is valid; property 0 is the version.
        unsafe { (self.embree.device_property)(self.handle.as_ptr(), 0) }
    }

    /// Returns the bytes held now, and the peak since the last call.
    pub(super) fn take_bytes(&self) -> Bytes {
        let held = self.memory.held.load(Ordering::Relaxed);
        let peak = self.memory.peak.swap(held, Ordering::Relaxed);
        Bytes { held: held.max(0) as usize, peak: peak.max(0) as usize }
    }

    fn check(&self) -> Result<()> {
        // SAFETY: the handle is valid.
        match unsafe { (self.embree.device_error)(self.handle.as_ptr()) } {
            0 => Ok(()),
            code => bail!("Embree's error {code}"),
        }
    }
}

impl Drop for Device {
    fn drop(&mut self) {
        // SAFETY: the handle is valid, and this was its only reference.
        unsafe { (self.embree.release_device)(self.handle.as_ptr()) }
    }
}

/// A committed scene, over buffers that live for `'a`.
pub(super) struct EmbreeScene<'a> {
    device: Arc<Device>,
    scene: NonNull<c_void>,
    geometries: Vec<NonNull<c_void>>,
    /// The scenes that its instances refer to.
    _meshes: Vec<EmbreeScene<'a>>,
    _buffers: PhantomData<&'a [f32]>,
}

// SAFETY: any thread may query a committed scene; it is changed through `&mut` only.
unsafe impl Send for EmbreeScene<'_> {}
// SAFETY: as above.
unsafe impl Sync for EmbreeScene<'_> {}

impl<'a> EmbreeScene<'a> {
    fn empty(device: &Arc<Device>, quality: Quality, flags: Flags) -> Result<Self> {
        let embree = &device.embree;
        // SAFETY: the device is valid.
        let scene = NonNull::new(unsafe { (embree.new_scene)(device.handle.as_ptr()) }).context("no scene")?;
        // SAFETY: the scene is valid, and the numbers are values of the header's enums.
        unsafe {
            (embree.set_scene_quality)(scene.as_ptr(), quality as c_int);
            (embree.set_scene_flags)(scene.as_ptr(), flags as c_int);
        }
        let (geometries, _meshes) = (Vec::new(), Vec::new());
        Ok(Self { device: device.clone(), scene, geometries, _meshes, _buffers: PhantomData })
    }

    /// Makes a scene of one mesh. `positions` are padded as by [`Soup::padded`]. Neither the positions nor the soup's
    /// indices are copied.
    pub(super) fn of_mesh(
        device: &Arc<Device>,
        soup: &'a Soup,
        positions: &'a [[f32; 3]],
        quality: Quality,
        flags: Flags,
    ) -> Result<Self> {
        ensure!(positions.len() == soup.positions.len() + 1, "the positions are not padded");
        let in_range = soup.indices.iter().all(|&index| (index as usize) < soup.positions.len());
        ensure!(in_range, "an index without a vertex");
        let embree = &device.embree;
        let mut built = Self::empty(device, quality, flags)?;
        let geometry = built.add_geometry(TRIANGLE)?.as_ptr();
        let (vertices, triangles) = (soup.positions.len(), soup.triangle_count());
        let (positions, indices) = (positions.as_ptr().cast(), soup.indices.as_ptr().cast());
        // SAFETY: geometry and scene are valid. The buffers have these numbers of items of 12 bytes, and the buffer of vertices has 12 bytes more. Both buffers
        // live for 'a, which the scene does not outlive. All indices are in range.
        unsafe {
            (embree.set_shared_buffer)(geometry, VERTEX_BUFFER, 0, FLOAT3, positions, 0, 12, vertices);
            (embree.set_shared_buffer)(geometry, INDEX_BUFFER, 0, UINT3, indices, 0, 12, triangles);
            // The quality LOW of a scene takes effect only if the geometry has it, too.
            let quality = if flags == Flags::Dynamic { Quality::Refit } else { quality };
            (embree.set_geometry_quality)(geometry, quality as c_int);
            (embree.commit_geometry)(geometry);
            (embree.commit_scene)(built.scene.as_ptr());
        }
        device.check()?;
        Ok(built)
    }

    /// Makes a scene of instances of meshes. Each instance is given by the index of its mesh and a transform.
    pub(super) fn of_instances(
        device: &Arc<Device>,
        meshes: Vec<EmbreeScene<'a>>,
        placements: impl IntoIterator<Item = (usize, DAffine3)>,
        quality: Quality,
    ) -> Result<Self> {
        let embree = &device.embree;
        let mut built = Self::empty(device, quality, Flags::None)?;
        for (mesh, transform) in placements {
            let mesh = meshes.get(mesh).context("an instance without a mesh")?.scene.as_ptr();
            let geometry = built.add_geometry(INSTANCE)?.as_ptr();
            // SAFETY: geometry and mesh are valid. Embree counts a reference to the mesh.
            unsafe { (embree.set_instanced_scene)(geometry, mesh) };
            built.place(built.geometries.len() - 1, &transform);
        }
        built._meshes = meshes;
        built.commit();
        device.check()?;
        Ok(built)
    }

    fn add_geometry(&mut self, kind: c_int) -> Result<NonNull<c_void>> {
        let embree = &self.device.embree;
        // SAFETY: the device is valid, the kind is one of the header's.
        let geometry = unsafe { (embree.new_geometry)(self.device.handle.as_ptr(), kind) };
        let geometry = NonNull::new(geometry).context("no geometry")?;
        self.geometries.push(geometry);
        // SAFETY: both are valid.
        unsafe { (embree.attach_geometry)(self.scene.as_ptr(), geometry.as_ptr()) };
        Ok(geometry)
    }

    fn place(&mut self, instance: usize, transform: &DAffine3) {
        let columns = transform.to_cols_array().map(|number| number as f32);
        let geometry = self.geometries[instance].as_ptr();
        let embree = &self.device.embree;
        // SAFETY: the geometry is an instance; Embree copies the 12 floats, three a column.
        unsafe {
            (embree.set_transform)(geometry, 0, FLOAT3X4_COLUMN_MAJOR, columns.as_ptr().cast());
            (embree.commit_geometry)(geometry);
        }
    }

    fn commit(&mut self) {
        // SAFETY: the scene is valid, and no query runs meanwhile, because it is borrowed mutably.
        unsafe { (self.device.embree.commit_scene)(self.scene.as_ptr()) };
    }

    /// Moves instances, and rebuilds the tree over all of them.
    pub(super) fn update<'t>(&mut self, moves: impl IntoIterator<Item = (usize, &'t DAffine3)>) {
        for (instance, transform) in moves {
            self.place(instance, transform);
        }
        self.commit();
    }

    #[inline]
    pub(super) fn intersect(&self, ray: &Ray) -> Option<Hit> {
        let mut traced = RtcRayHit {
            ray: RtcRay::new(ray),
            normal: [0.0; 3],
            u: 0.0,
            v: 0.0,
            triangle: INVALID,
            geometry: INVALID,
            instance: INVALID,
            instance_primitive: INVALID,
        };
        // SAFETY: the scene is committed; the ray has the header's layout and alignment; no arguments is allowed.
        unsafe { (self.device.embree.intersect1)(self.scene.as_ptr(), &raw mut traced, null_mut()) };
        (traced.geometry != INVALID).then_some(Hit { t: traced.ray.t_far, triangle: traced.triangle })
    }

    /// Returns the distance from a point to the nearest triangle. `distance_of` returns the distance to a triangle.
    #[inline]
    pub(super) fn nearest<F: FnMut(u32) -> f32>(&self, point: Vec3, distance_of: F) -> f32 {
        let mut query = RtcPointQuery { place: point.to_array(), time: 0.0, radius: f32::INFINITY };
        let mut context = RtcPointQueryContext {
            to_instance: [0.0; 16],
            to_world: [0.0; 16],
            instance: INVALID,
            instance_primitive: INVALID,
            depth: 0,
        };
        let mut search = NearestSoFar { distance: f32::INFINITY, distance_of };
        let user = (&raw mut search).cast();
        // SAFETY: the scene is committed; query and context have the header's layout and alignment, and the values that
        // `rtcInitPointQueryContext` sets. `search` is what `take_nearer` of its type expects, and outlives the call.
        unsafe {
            (self.device.embree.point_query)(
                self.scene.as_ptr(),
                &raw mut query,
                &raw mut context,
                take_nearer::<F>,
                user,
            );
        }
        search.distance
    }

    #[inline]
    pub(super) fn is_occluded(&self, ray: &Ray) -> bool {
        let mut traced = RtcRay::new(ray);
        // SAFETY: as in `intersect`.
        unsafe { (self.device.embree.occluded1)(self.scene.as_ptr(), &raw mut traced, null_mut()) };
        traced.t_far == f32::NEG_INFINITY
    }

    /// Casts at most [`PACKET`] rays.
    #[inline]
    pub(super) fn intersect_packet(&self, rays: &[Ray], hits: &mut [Option<Hit>]) {
        let (valid, ray) = packet(rays);
        let mut traced = RtcRayHit8 {
            ray,
            normal: [[0.0; PACKET]; 3],
            u: [0.0; PACKET],
            v: [0.0; PACKET],
            triangle: [INVALID; PACKET],
            geometry: [INVALID; PACKET],
            instance: [INVALID; PACKET],
            instance_primitive: [INVALID; PACKET],
        };
        // SAFETY: as in `intersect`.
        unsafe {
            (self.device.embree.intersect8)(&raw const valid, self.scene.as_ptr(), &raw mut traced, null_mut());
        }
        for (lane, hit) in hits.iter_mut().enumerate().take(PACKET) {
            let found = Hit { t: traced.ray.t_far[lane], triangle: traced.triangle[lane] };
            *hit = (traced.geometry[lane] != INVALID).then_some(found);
        }
    }

    /// Casts at most [`PACKET`] rays.
    #[inline]
    pub(super) fn is_packet_occluded(&self, rays: &[Ray], blocked: &mut [bool]) {
        let (valid, mut traced) = packet(rays);
        // SAFETY: as in `intersect`.
        unsafe {
            (self.device.embree.occluded8)(&raw const valid, self.scene.as_ptr(), &raw mut traced, null_mut());
        }
        for (blocked, t_far) in blocked.iter_mut().zip(traced.t_far) {
            *blocked = t_far == f32::NEG_INFINITY;
        }
    }
}

impl Drop for EmbreeScene<'_> {
    fn drop(&mut self) {
        let embree = &self.device.embree;
        // SAFETY: each was made by this scene, and is released once. Embree counts the references among them.
        unsafe {
            for geometry in &self.geometries {
                (embree.release_geometry)(geometry.as_ptr());
            }
            (embree.release_scene)(self.scene.as_ptr());
        }
    }
}

impl RtcRay {
    #[inline]
    fn new(ray: &Ray) -> Self {
        Self {
            origin: ray.origin.to_array(),
            t_near: ray.t_min,
            direction: ray.direction.to_array(),
            time: 0.0,
            t_far: ray.t_max,
            mask: u32::MAX,
            id: 0,
            flags: 0,
        }
    }
}

#[inline]
fn packet(rays: &[Ray]) -> (Valid, RtcRay8) {
    let mut valid = Valid([0; PACKET]);
    let zero = [0.0; PACKET];
    let mut packet = RtcRay8 {
        origin: [zero; 3],
        t_near: zero,
        direction: [zero; 3],
        time: zero,
        t_far: zero,
        mask: [u32::MAX; PACKET],
        id: [0; PACKET],
        flags: [0; PACKET],
    };
    for (lane, ray) in rays.iter().enumerate().take(PACKET) {
        valid.0[lane] = -1;
        for axis in 0..3 {
            packet.origin[axis][lane] = ray.origin[axis];
            packet.direction[axis][lane] = ray.direction[axis];
        }
        packet.t_near[lane] = ray.t_min;
        packet.t_far[lane] = ray.t_max;
    }
    (valid, packet)
}

/// A mesh in a dynamic scene of LOW quality, which Embree can refit. It owns its vertices.
pub(super) struct DynamicMesh<'a> {
    scene: EmbreeScene<'a>,
    /// The vertices that Embree reads. They never move, change only in `set_positions`, and are dropped after the
    /// scene.
    positions: Vec<[f32; 3]>,
}

impl<'a> DynamicMesh<'a> {
    pub(super) fn new(device: &Arc<Device>, soup: &'a Soup) -> Result<Self> {
        let positions = soup.padded().to_vec();
        // SAFETY: the vector is never resized, and is dropped after the scene, as it is declared after it.
        let buffer: &'a [[f32; 3]] = unsafe { std::slice::from_raw_parts(positions.as_ptr(), positions.len()) };
        let scene = EmbreeScene::of_mesh(device, soup, buffer, Quality::Low, Flags::Dynamic)?;
        Ok(Self { scene, positions })
    }

    pub(super) fn scene(&self) -> &EmbreeScene<'a> {
        &self.scene
    }

    pub(super) fn set_positions(&mut self, positions: &[[f32; 3]]) {
        let own = self.positions.len() - 1;
        self.positions[..own].copy_from_slice(positions);
        let geometry = self.scene.geometries[0].as_ptr();
        let embree = &self.scene.device.embree;
        // SAFETY: the geometry is the mesh, whose buffer 0 are its vertices.
        unsafe {
            (embree.update_buffer)(geometry, VERTEX_BUFFER, 0);
            (embree.commit_geometry)(geometry);
        }
        self.scene.commit();
    }
}
