//! Calls of the C interface in any order, with handles that are freed in any order. A freed handle is null
//! from then on, as the rules for callers require, and null must be refused.
#![expect(unsafe_code, reason = "the functions are called as C calls them")]

use crate::list::List;
use crate::numbers::{Number, Vector, vector};
use arbitrary::Arbitrary;
use hitscan_capi::batch::{hs_mesh_cast_batch, hs_scene_cast_batch, hs_scene_is_blocked_batch};
use hitscan_capi::character::{
    HsCharacter, hs_character_clone, hs_character_free, hs_character_move, hs_character_new,
};
use hitscan_capi::filter::{HsFilter, hs_filter_init};
use hitscan_capi::hull::{HsHull, hs_hull_free, hs_hull_new};
use hitscan_capi::mesh::functions::{hs_mesh_cast, hs_mesh_closest_point};
use hitscan_capi::mesh::{HsMesh, hs_mesh_free, hs_mesh_new, hs_mesh_refit};
use hitscan_capi::path::functions::hs_path_new;
use hitscan_capi::path::{HsPath, hs_path_bounce, hs_path_cast, hs_path_free, hs_path_onward};
use hitscan_capi::ray::{HsHit, HsRay};
use hitscan_capi::scene::functions::{
    hs_scene_clone, hs_scene_insert_hull, hs_scene_insert_mesh, hs_scene_insert_shape, hs_scene_new, hs_scene_remove,
    hs_scene_save, hs_scene_set_layers, hs_scene_set_transform,
};
use hitscan_capi::scene::{HsScene, hs_scene_free, hs_scene_load, hs_scene_refit};
use hitscan_capi::scene_proximity::functions::{hs_scene_closest_point, hs_scene_pair_distance};
use hitscan_capi::scene_rays::functions::hs_scene_cast_all;
use hitscan_capi::scene_rays::hs_scene_cast;
use hitscan_capi::scene_sweeps::functions::{hs_scene_overlap_entities, hs_scene_penetration, hs_scene_sweep};
use hitscan_capi::shape::HsShape;
use hitscan_capi::snapshots::{
    HsSnapshots, hs_snapshot_release, hs_snapshots_acquire, hs_snapshots_commit, hs_snapshots_free, hs_snapshots_new,
};
use hitscan_capi::status::{HsStatus, hs_last_error};
use hitscan_capi::volume::{HsPose, HsVolume};
use std::ffi::CStr;
use std::mem::zeroed;
use std::ptr;

/// A sequence of calls.
#[derive(Debug, Arbitrary)]
pub struct Input {
    calls: List<Call, 31>,
}

/// There are few handles of each type, so that calls often share one.
const SLOTS: usize = 3;

/// The index of one of the handles of a type.
#[derive(Clone, Copy, Debug)]
struct Slot(usize);

impl<'a> Arbitrary<'a> for Slot {
    fn arbitrary(u: &mut arbitrary::Unstructured<'a>) -> arbitrary::Result<Self> {
        Ok(Self(usize::from(u8::arbitrary(u)?) % SLOTS))
    }
}

#[derive(Clone, Copy, Debug, Arbitrary)]
struct Key(u8);

impl Key {
    fn get(self) -> u64 {
        (self.0 % 6).into()
    }
}

#[derive(Debug, Arbitrary)]
struct Shape {
    kind: u8,
    numbers: [Number; 10],
    sizes: [Number; 2],
}

impl Shape {
    fn get(&self) -> HsShape {
        let n = self.numbers.map(Number::get);
        HsShape {
            kind: i32::from(self.kind % 14) - 1,
            a: [n[0], n[1], n[2]],
            b: [n[3], n[4], n[5]],
            c: [n[6], n[7], n[8], n[9]],
            radius: self.sizes[0].get(),
            tube: self.sizes[1].get(),
        }
    }
}

#[derive(Debug, Arbitrary)]
struct Ray {
    origin: Vector,
    direction: Vector,
    range: Option<[Number; 2]>,
}

impl Ray {
    fn get(&self) -> HsRay {
        let [t_min, t_max] = self.range.map_or([0.0, f32::INFINITY], |range| range.map(Number::get));
        let [origin, direction] = [self.origin, self.direction].map(|of| vector(of).to_array());
        HsRay { origin, t_min, direction, t_max }
    }
}

#[derive(Debug, Arbitrary)]
struct Volume {
    shape: Shape,
    hull: Option<Slot>,
    margin: Option<Number>,
    position: Vector,
    rotation: Option<[Number; 4]>,
}

#[derive(Debug, Arbitrary)]
struct Filter {
    layers: u32,
    choices: [u8; 4],
    origin: Option<Vector>,
    excluded: Option<Key>,
}

#[derive(Debug, Arbitrary)]
enum Call {
    MakeMesh(Slot, List<Vector, 15>, Option<List<u8, 31>>),
    RefitMesh(Slot, List<Vector, 15>),
    CastMesh(Slot, List<Ray, 7>, u8),
    NearMesh(Slot, Vector),
    MakeHull(Slot, List<Vector, 15>),
    MakeScene(Slot),
    CloneScene(Slot, Slot),
    InsertMesh(Slot, Key, Slot, Option<[Number; 12]>),
    InsertHull(Slot, Key, Slot, Option<[Number; 12]>),
    InsertShape(Slot, Key, Shape, Option<[Number; 12]>),
    Move(Slot, Key, [Number; 12]),
    Layers(Slot, Key, u32),
    Refit(Slot, Key, List<Vector, 15>),
    Remove(Slot, Key),
    SaveAndLoad(Slot, Slot, Option<u8>),
    Cast(Slot, List<Ray, 7>, Option<Filter>),
    CastAll(Slot, Ray, Option<Filter>, u8),
    Sweep(Slot, Volume, Vector, Option<Filter>),
    Overlap(Slot, Volume, Option<Filter>, u8),
    Near(Slot, Vector, Number, Option<Filter>),
    Pair(Slot, Key, Key),
    MakePath(Slot),
    Follow(Slot, Slot, Ray, bool),
    MakeCharacter(Slot, Volume),
    CloneCharacter(Slot, Slot),
    Walk(Slot, Slot, Vector, u8),
    MakeSnapshots(Slot, Slot),
    Commit(Slot, Slot),
    Acquire(Slot),
    Release(u8),
    Free(u8, Slot),
}

/// All handles. Null means that there is no handle.
struct Handles {
    meshes: [*mut HsMesh; SLOTS],
    hulls: [*mut HsHull; SLOTS],
    scenes: [*mut HsScene; SLOTS],
    paths: [*mut HsPath; SLOTS],
    characters: [*mut HsCharacter; SLOTS],
    snapshots: [*mut HsSnapshots; SLOTS],
    acquired: Vec<*const HsScene>,
}

/// Makes the calls, frees all handles, and returns the number of rays that hit.
pub fn check(input: &Input) -> usize {
    let mut handles = Handles {
        meshes: [ptr::null_mut(); SLOTS],
        hulls: [ptr::null_mut(); SLOTS],
        scenes: [ptr::null_mut(); SLOTS],
        paths: [ptr::null_mut(); SLOTS],
        characters: [ptr::null_mut(); SLOTS],
        snapshots: [ptr::null_mut(); SLOTS],
        acquired: Vec::new(),
    };
    handles.begin();
    // SAFETY: All pointers have valid targets of their types, or are null.
    input.calls.iter().map(|call| unsafe { handles.make(call) }).sum()
}

/// Checks a status: it is not a failure of the library itself, and an error has a text.
fn look(status: HsStatus) -> bool {
    // SAFETY: The text is valid until the next failure of this thread.
    let text = unsafe { CStr::from_ptr(hs_last_error()) }.to_str().unwrap_or_default();
    assert_ne!(status, HsStatus::Internal, "{text}");
    assert!((status as i32) >= 0 || text.len() > 10, "{status:?} says {text:?}");
    status == HsStatus::Ok
}

/// Checks the status and the hit of a ray, and returns the number of hits: 1 or 0.
fn look_at_hit(status: HsStatus, hit: &HsHit) -> usize {
    let is_hit = look(status);
    if is_hit {
        let numbers = [hit.t, hit.u, hit.v].into_iter().chain(hit.point).chain(hit.normal);
        assert!(numbers.clone().all(|number| !number.is_nan()) && (1..=3).contains(&hit.side), "{hit:?}");
    } else if status == HsStatus::None {
        assert!(hit.side == 0 && hit.t == f32::INFINITY, "{hit:?}");
    }
    is_hit.into()
}

fn rows(vectors: &List<Vector, 15>) -> Vec<[f32; 3]> {
    vectors.iter().map(|of| vector(*of).to_array()).collect()
}

/// Returns a matrix of these numbers as its first three rows.
fn matrix(numbers: &[Number; 12]) -> [f64; 16] {
    let n = numbers.map(|number| f64::from(number.get()));
    [n[0], n[1], n[2], 0.0, n[3], n[4], n[5], 0.0, n[6], n[7], n[8], 0.0, n[9], n[10], n[11], 1.0]
}

fn pointer<T>(of: &Option<T>) -> *const T {
    of.as_ref().map_or(ptr::null(), ptr::from_ref)
}

/// Replaces a handle by a new handle, if the call makes one, and frees the old handle.
///
/// # Safety
/// The handle is null or a valid handle of this type.
unsafe fn replace<T>(
    handle: &mut *mut T,
    free: unsafe extern "C" fn(*mut T),
    make: impl FnOnce(*mut *mut T) -> HsStatus,
) {
    let mut made = ptr::null_mut();
    assert_eq!(look(make(&raw mut made)), !made.is_null());
    if !made.is_null() {
        // SAFETY: The caller guarantees it.
        unsafe { free(std::mem::replace(handle, made)) }
    }
}

impl Filter {
    /// Returns the filter of the C interface, which refers to the excluded key.
    ///
    /// # Safety
    /// The filter is not used after the key is dropped.
    unsafe fn get(&self, excluded: *const u64) -> HsFilter {
        // SAFETY: A filter whose bytes are all zero is valid, and it is filled in.
        let mut filter: HsFilter = unsafe { zeroed() };
        // SAFETY: The pointer points to a filter.
        assert!(look(unsafe { hs_filter_init(&raw mut filter, size_of::<HsFilter>()) }));
        let [cull, inside, cut_outs, contacts] = self.choices.map(|choice| i32::from(choice % 4));
        filter.layers = self.layers;
        filter.cull = cull;
        filter.inside = inside;
        filter.cut_outs = cut_outs;
        filter.contacts = contacts;
        filter.origin = self.origin.map_or([0.0; 3], |origin| vector(origin).as_dvec3().to_array());
        filter.exclude = excluded;
        filter.exclude_count = usize::from(!excluded.is_null());
        filter
    }
}

/// Runs a question with the pointer to a filter, which is null without one.
fn with_filter<A>(filter: &Option<Filter>, ask: impl FnOnce(*const HsFilter) -> A) -> A {
    let excluded = filter.as_ref().and_then(|filter| filter.excluded).map(Key::get);
    // SAFETY: The key lives as long as the question.
    let filter = filter.as_ref().map(|filter| unsafe { filter.get(pointer(&excluded)) });
    ask(pointer(&filter))
}

impl Handles {
    fn volume(&self, volume: &Volume) -> (HsVolume, HsPose) {
        let hull = volume.hull.map_or(ptr::null(), |slot| self.hulls[slot.0].cast_const());
        let margin = volume.margin.map_or(0.0, Number::get);
        let position = vector(volume.position).as_dvec3().to_array();
        let rotation = volume.rotation.map_or([0.0, 0.0, 0.0, 1.0], |of| of.map(|number| f64::from(number.get())));
        (HsVolume { shape: volume.shape.get(), hull, margin }, HsPose { position, rotation })
    }

    /// Makes a scene with a mesh and a ball that many rays hit.
    fn begin(&mut self) {
        let corners: [[f32; 3]; 4] = [[-90.0, -90.0, -90.0], [90.0, -90.0, 0.0], [0.0, 90.0, 0.0], [0.0, 0.0, 90.0]];
        let ball = HsShape { kind: 3, a: [0.0; 3], b: [0.0; 3], c: [0.0; 4], radius: 60.0, tube: 0.0 };
        let indices = [0, 2, 1, 0, 1, 3, 0, 3, 2, 1, 2, 3];
        // SAFETY: All pointers have valid targets of their types.
        unsafe {
            let (count, at) = (indices.len(), corners.as_ptr().cast());
            assert!(look(hs_mesh_new(at, corners.len(), indices.as_ptr(), count, &raw mut self.meshes[0])));
            assert!(look(hs_scene_new(&raw mut self.scenes[0])));
            assert!(look(hs_scene_insert_mesh(self.scenes[0], 0, self.meshes[0], ptr::null())));
            assert!(look(hs_scene_insert_shape(self.scenes[0], 1, &raw const ball, ptr::null())));
        }
    }

    /// Makes a call, and returns the number of rays that hit.
    ///
    /// # Safety
    /// All handles are null or of their types.
    #[allow(clippy::too_many_lines, reason = "an arm for each call")]
    unsafe fn make(&mut self, call: &Call) -> usize {
        // SAFETY: Handles are null or of their types, and all other pointers have valid targets.
        unsafe {
            match call {
                Call::MakeMesh(slot, vertices, indices) => {
                    let vertices = rows(vertices);
                    let indices: Option<Vec<u32>> =
                        indices.as_ref().map(|of| of.iter().map(|index| u32::from(index % 20)).collect());
                    let (at, count) = indices.as_ref().map_or((ptr::null(), 0), |of| (of.as_ptr(), of.len()));
                    replace(&mut self.meshes[slot.0], hs_mesh_free, |made| {
                        hs_mesh_new(vertices.as_ptr().cast(), vertices.len(), at, count, made)
                    });
                }
                Call::RefitMesh(slot, vertices) => {
                    let vertices = rows(vertices);
                    look(hs_mesh_refit(self.meshes[slot.0], vertices.as_ptr().cast(), 0, vertices.len()));
                }
                Call::CastMesh(slot, rays, cull) => {
                    return self.cast_mesh(self.meshes[slot.0], rays, i32::from(cull % 4));
                }
                Call::NearMesh(slot, point) => {
                    let (point, mut nearest) = (vector(*point).as_dvec3().to_array(), zeroed());
                    look(hs_mesh_closest_point(self.meshes[slot.0], point.as_ptr(), &raw mut nearest));
                }
                Call::MakeHull(slot, points) => {
                    let points = rows(points);
                    replace(&mut self.hulls[slot.0], hs_hull_free, |made| {
                        hs_hull_new(points.as_ptr().cast(), 0, points.len(), made)
                    });
                }
                Call::MakeScene(slot) => {
                    replace(&mut self.scenes[slot.0], hs_scene_free, |made| hs_scene_new(made));
                }
                Call::CloneScene(slot, of) => {
                    let of = self.scenes[of.0];
                    replace(&mut self.scenes[slot.0], hs_scene_free, |made| hs_scene_clone(of, made));
                }
                Call::InsertMesh(slot, key, mesh, place) => {
                    let place = place.as_ref().map(matrix);
                    let (scene, mesh) = (self.scenes[slot.0], self.meshes[mesh.0]);
                    look(hs_scene_insert_mesh(scene, key.get(), mesh, pointer(&place).cast()));
                }
                Call::InsertHull(slot, key, hull, place) => {
                    let place = place.as_ref().map(matrix);
                    let (scene, hull) = (self.scenes[slot.0], self.hulls[hull.0]);
                    look(hs_scene_insert_hull(scene, key.get(), hull, pointer(&place).cast()));
                }
                Call::InsertShape(slot, key, shape, place) => {
                    let (shape, place) = (shape.get(), place.as_ref().map(matrix));
                    let scene = self.scenes[slot.0];
                    look(hs_scene_insert_shape(scene, key.get(), &raw const shape, pointer(&place).cast()));
                }
                Call::Move(slot, key, place) => {
                    look(hs_scene_set_transform(self.scenes[slot.0], key.get(), matrix(place).as_ptr()));
                }
                Call::Layers(slot, key, layers) => {
                    look(hs_scene_set_layers(self.scenes[slot.0], key.get(), *layers));
                }
                Call::Refit(slot, key, vertices) => {
                    let (scene, vertices) = (self.scenes[slot.0], rows(vertices));
                    look(hs_scene_refit(scene, key.get(), 0, vertices.as_ptr().cast(), 0, vertices.len()));
                }
                Call::Remove(slot, key) => {
                    look(hs_scene_remove(self.scenes[slot.0], key.get()));
                }
                Call::SaveAndLoad(from, to, damage) => self.save_and_load(*from, *to, *damage),
                Call::Cast(slot, rays, filter) => {
                    let scene = self.scenes[slot.0];
                    let hits = with_filter(filter, |filter| Self::cast_scene(scene, rays, filter));
                    let of_version = |version: &*const HsScene| Self::cast_scene(*version, rays, ptr::null());
                    return hits + self.acquired.iter().map(of_version).sum::<usize>();
                }
                Call::CastAll(slot, ray, filter, capacity) => {
                    let (scene, ray) = (self.scenes[slot.0], ray.get());
                    let mut hits = Vec::with_capacity(usize::from(*capacity % 8));
                    let (at, capacity, mut count) = (hits.as_mut_ptr(), hits.capacity(), 0);
                    with_filter(filter, |filter| {
                        look(hs_scene_cast_all(scene, &raw const ray, filter, at, capacity, &raw mut count));
                    });
                }
                Call::Sweep(slot, volume, motion, filter) => {
                    let (scene, (volume, from)) = (self.scenes[slot.0], self.volume(volume));
                    let (motion, mut hit) = (vector(*motion).as_dvec3().to_array(), zeroed());
                    with_filter(filter, |filter| {
                        let (volume, from, motion) = (&raw const volume, &raw const from, motion.as_ptr());
                        look(hs_scene_sweep(scene, volume, from, motion, filter, &raw mut hit));
                    });
                }
                Call::Overlap(slot, volume, filter, capacity) => {
                    let (scene, (volume, at)) = (self.scenes[slot.0], self.volume(volume));
                    let (mut keys, mut count) = (Vec::with_capacity(usize::from(*capacity % 8)), 0);
                    let (mut deepest, (into, capacity)) = (zeroed(), (keys.as_mut_ptr(), keys.capacity()));
                    let (volume, at) = (&raw const volume, &raw const at);
                    with_filter(filter, |filter| {
                        look(hs_scene_overlap_entities(scene, volume, at, filter, into, capacity, &raw mut count));
                        look(hs_scene_penetration(scene, volume, at, filter, &raw mut deepest));
                    });
                }
                Call::Near(slot, point, within, filter) => {
                    let (scene, point) = (self.scenes[slot.0], vector(*point).as_dvec3().to_array());
                    let (within, mut nearest) = (f64::from(within.get()), zeroed());
                    with_filter(filter, |filter| {
                        look(hs_scene_closest_point(scene, point.as_ptr(), within, filter, &raw mut nearest));
                    });
                }
                Call::Pair(slot, first, second) => {
                    let mut distance = zeroed();
                    look(hs_scene_pair_distance(self.scenes[slot.0], first.get(), second.get(), &raw mut distance));
                }
                Call::MakePath(slot) => replace(&mut self.paths[slot.0], hs_path_free, |made| hs_path_new(made)),
                Call::Follow(path, scene, ray, is_bounce) => {
                    let (path, scene, mut ray) = (self.paths[path.0], self.scenes[scene.0], ray.get());
                    let mut hit = zeroed();
                    let first = look_at_hit(hs_path_cast(path, scene, &raw const ray, ptr::null(), &raw mut hit), &hit);
                    look(if *is_bounce {
                        hs_path_bounce(path, &raw mut ray)
                    } else {
                        hs_path_onward(path, &raw mut ray)
                    });
                    return first
                        + look_at_hit(hs_path_cast(path, scene, &raw const ray, ptr::null(), &raw mut hit), &hit);
                }
                Call::MakeCharacter(slot, volume) => {
                    let (volume, pose) = self.volume(volume);
                    replace(&mut self.characters[slot.0], hs_character_free, |made| {
                        hs_character_new(&raw const volume, pose.position.as_ptr(), made)
                    });
                }
                Call::CloneCharacter(slot, of) => {
                    let of = self.characters[of.0];
                    replace(&mut self.characters[slot.0], hs_character_free, |made| hs_character_clone(of, made));
                }
                Call::Walk(character, scene, velocity, capacity) => {
                    let (character, scene) = (self.characters[character.0], self.scenes[scene.0]);
                    let velocity = vector(*velocity).as_dvec3().to_array();
                    let (mut contacts, mut count) = (Vec::with_capacity(usize::from(*capacity % 4)), 0);
                    let (mut moved, none) = (zeroed(), ptr::null_mut());
                    let (into, capacity) = (contacts.as_mut_ptr(), contacts.capacity());
                    look(hs_character_move(
                        character,
                        scene,
                        velocity.as_ptr(),
                        1.0 / 60.0,
                        ptr::null(),
                        None,
                        none,
                        &raw mut moved,
                        into,
                        capacity,
                        &raw mut count,
                    ));
                }
                Call::MakeSnapshots(slot, scene) => {
                    let scene = self.scenes[scene.0];
                    replace(&mut self.snapshots[slot.0], hs_snapshots_free, |made| hs_snapshots_new(scene, made));
                }
                Call::Commit(slot, scene) => {
                    look(hs_snapshots_commit(self.snapshots[slot.0], self.scenes[scene.0]));
                }
                Call::Acquire(slot) => {
                    let mut scene = ptr::null();
                    look(hs_snapshots_acquire(self.snapshots[slot.0], &raw mut scene));
                    self.acquired.push(scene);
                }
                Call::Release(number) => {
                    if !self.acquired.is_empty() {
                        let number = usize::from(*number) % self.acquired.len();
                        hs_snapshot_release(self.acquired.swap_remove(number));
                    }
                }
                Call::Free(kind, slot) => self.free(*kind, *slot),
            }
        }
        0
    }

    /// Casts rays one by one and together, which must have the same answers.
    ///
    /// # Safety
    /// The mesh is null or a handle.
    unsafe fn cast_mesh(&self, mesh: *const HsMesh, rays: &List<Ray, 7>, cull: i32) -> usize {
        let rays: Vec<HsRay> = rays.iter().map(Ray::get).collect();
        let mut hits = vec![no_hit(); rays.len()];
        let (at, into, count) = (rays.as_ptr(), hits.as_mut_ptr(), rays.len());
        // SAFETY: The numbers of rays and places are correct.
        let is_answered = look(unsafe { hs_mesh_cast_batch(mesh, at, 0, count, cull, into, 0) });
        let mut count = 0;
        for (ray, together) in rays.iter().zip(&hits) {
            let mut hit = no_hit();
            // SAFETY: The pointers have valid targets of their types.
            count += look_at_hit(unsafe { hs_mesh_cast(mesh, &raw const *ray, cull, &raw mut hit) }, &hit);
            assert!(!is_answered || hit == *together, "{ray:?}: {hit:?} alone, {together:?} together");
        }
        count
    }

    /// Casts rays at a scene one by one and together, which must have the same answers.
    ///
    /// # Safety
    /// The scene is null or a handle.
    unsafe fn cast_scene(scene: *const HsScene, rays: &List<Ray, 7>, filter: *const HsFilter) -> usize {
        let rays: Vec<HsRay> = rays.iter().map(Ray::get).collect();
        let (mut hits, mut blocked) = (vec![no_hit(); rays.len()], vec![false; rays.len()]);
        let (at, into, count) = (rays.as_ptr(), hits.as_mut_ptr(), rays.len());
        // SAFETY: The numbers of rays and places are correct.
        let is_answered = unsafe {
            look(hs_scene_cast_batch(scene, at, 0, count, filter, into, 0))
                & look(hs_scene_is_blocked_batch(scene, at, 0, count, filter, blocked.as_mut_ptr()))
        };
        let mut count = 0;
        for ((ray, together), is_blocked) in rays.iter().zip(&hits).zip(&blocked) {
            let mut hit = no_hit();
            // SAFETY: The pointers have valid targets of their types.
            count += look_at_hit(unsafe { hs_scene_cast(scene, &raw const *ray, filter, &raw mut hit) }, &hit);
            assert!(!is_answered || hit == *together, "{ray:?}: {hit:?} alone, {together:?} together");
            assert!(!is_answered || (hit.side != 0) == *is_blocked, "{ray:?}: {hit:?}, blocked: {is_blocked}");
        }
        count
    }

    /// Saves a scene, perhaps damages the bytes, and replaces another scene by the scene that is read from them.
    ///
    /// # Safety
    /// Handles are null or of their types.
    unsafe fn save_and_load(&mut self, from: Slot, to: Slot, damage: Option<u8>) {
        let mut count = 0;
        // SAFETY: The pointers have valid targets of their types.
        let status = unsafe { hs_scene_save(self.scenes[from.0], ptr::null_mut(), 0, &raw mut count) };
        look(status);
        if status != HsStatus::More {
            return;
        }
        let mut bytes = vec![0; count];
        // SAFETY: The number of places is correct.
        assert!(look(unsafe { hs_scene_save(self.scenes[from.0], bytes.as_mut_ptr(), count, &raw mut count) }));
        if let Some(damage) = damage {
            let place = usize::from(damage) * bytes.len() / 256;
            bytes[place] ^= damage | 1;
        }
        // SAFETY: The number of bytes is correct.
        unsafe {
            replace(&mut self.scenes[to.0], hs_scene_free, |made| hs_scene_load(bytes.as_ptr(), bytes.len(), made));
        }
    }

    /// Frees a handle, and leaves null in its place.
    ///
    /// # Safety
    /// Handles are null or of their types.
    unsafe fn free(&mut self, kind: u8, Slot(slot): Slot) {
        /// # Safety
        /// The handle is null or of its type.
        unsafe fn drop_handle<T>(handle: &mut *mut T, free: unsafe extern "C" fn(*mut T)) {
            // SAFETY: The caller guarantees it.
            unsafe { free(std::mem::replace(handle, ptr::null_mut())) }
        }
        // SAFETY: The caller guarantees it.
        unsafe {
            match kind % 6 {
                0 => drop_handle(&mut self.meshes[slot], hs_mesh_free),
                1 => drop_handle(&mut self.hulls[slot], hs_hull_free),
                2 => drop_handle(&mut self.scenes[slot], hs_scene_free),
                3 => drop_handle(&mut self.paths[slot], hs_path_free),
                4 => drop_handle(&mut self.characters[slot], hs_character_free),
                _ => drop_handle(&mut self.snapshots[slot], hs_snapshots_free),
            }
        }
    }
}

impl Drop for Handles {
    fn drop(&mut self) {
        for kind in 0..6 {
            for slot in 0..SLOTS {
                // SAFETY: Handles are null or of their types.
                unsafe { self.free(kind, Slot(slot)) }
            }
        }
        for scene in self.acquired.drain(..) {
            // SAFETY: Each snapshot was acquired, and is released once.
            unsafe { hs_snapshot_release(scene) }
        }
    }
}

/// Returns a hit with values that no answer has.
fn no_hit() -> HsHit {
    // SAFETY: A hit whose bytes are all zero is valid.
    HsHit { side: 99, ..unsafe { zeroed() } }
}
