//! Snapshots: versions of a scene that threads ask while the next version is made.

use crate::pointer::{free, hand_out, handle_place, place, shared};
use crate::scene::HsScene;
use crate::status::{HsStatus, guard};
use std::ptr;
use std::sync::{Arc, Mutex, PoisonError};

/// The newest version of a scene, for any number of threads: a handle, which `hs_snapshots_free` frees. One thread
/// changes a scene of its own and commits it. The other threads acquire the newest version, ask it, and release
/// it.
pub struct HsSnapshots(Mutex<Arc<HsScene>>);

impl HsSnapshots {
    fn replace(&self, scene: Arc<HsScene>) -> Arc<HsScene> {
        // Nothing panics while it is locked.
        std::mem::replace(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner), scene)
    }

    fn newest(&self) -> Arc<HsScene> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).clone()
    }
}

/// Makes snapshots whose newest version is the present state of a scene.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_snapshots_new(scene: *const HsScene, snapshots: *mut *mut HsSnapshots) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (snapshots, scene) = unsafe { (handle_place(snapshots, "snapshots")?, shared(scene, "scene")?) };
        hand_out(snapshots, HsSnapshots(Mutex::new(Arc::new(HsScene(scene.0.clone())))))
    })
}

/// Frees snapshots; null is allowed. Versions that were acquired live on until they are released.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_snapshots_free(snapshots: *mut HsSnapshots) {
    // SAFETY: The caller keeps the rules of this crate.
    unsafe { free(snapshots) }
}

/// Makes the present state of a scene the newest version. The scene may be changed afterwards, and copies only what changes.
/// Any thread may call this at any time, as long as nobody changes the scene meanwhile.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_snapshots_commit(snapshots: *const HsSnapshots, scene: *const HsScene) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let (snapshots, scene) = unsafe { (shared(snapshots, "snapshots")?, shared(scene, "scene")?) };
        // The previous version is dropped after the lock is released. So no other thread waits for that.
        drop(snapshots.replace(Arc::new(HsScene(scene.0.clone()))));
        Ok(HsStatus::Ok)
    })
}

/// Writes the newest version, a scene that never changes. It must be released by `hs_snapshot_release`, and not be freed.
/// Any thread may call this at any time.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_snapshots_acquire(snapshots: *const HsSnapshots, scene: *mut *const HsScene) -> HsStatus {
    guard(|| {
        // SAFETY: The caller keeps the rules of this crate.
        let scene = unsafe { place(scene, "scene") }?.write(ptr::null());
        // SAFETY: The caller keeps the rules of this crate.
        *scene = Arc::into_raw(unsafe { shared(snapshots, "snapshots") }?.newest());
        Ok(HsStatus::Ok)
    })
}

/// Releases a version that `hs_snapshots_acquire` wrote; null is allowed. Any thread may call this.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn hs_snapshot_release(scene: *const HsScene) {
    guard(|| {
        if !scene.is_null() {
            // SAFETY: It came from `hs_snapshots_acquire`, and the caller releases it once.
            drop(unsafe {
                shared(scene, "scene")?;
                Arc::from_raw(scene)
            });
        }
        Ok(HsStatus::Ok)
    });
}
