// hitscan for C++17: handles that free themselves, views of arrays, and answers that say whether there is one.
//
// Nothing here throws but `std::bad_alloc`. Every question returns an `Answer`:
//
//     if (auto hit = scene.cast(ray)) use(hit->key, hit->t);
//     else if (hit.failed()) report(hitscan::last_error());
//
// The rules of hitscan.h hold here, too: questions from any number of threads, changes by one.
#ifndef HITSCAN_HPP
#define HITSCAN_HPP

#include "hitscan.h"

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace hitscan {

using Vec3 = std::array<float, 3>;
using DVec3 = std::array<double, 3>;
// Sixteen doubles, column after column.
using Matrix = std::array<double, 16>;
using Key = std::uint64_t;

// Returns why the last call of this thread failed that did.
inline const char* last_error() { return hs_last_error(); }

// A view of items that somebody else owns: of an array, a `std::vector`, a `std::array`, a `std::span`.
template <class T>
class View {
public:
    constexpr View() = default;
    constexpr View(T* data, std::size_t size) : data_(data), size_(size) {}
    template <std::size_t N>
    constexpr View(T (&items)[N]) : data_(items), size_(N) {}
    template <class C, class = std::enable_if_t<std::is_convertible_v<decltype(std::declval<C&>().data()), T*>>>
    constexpr View(C&& items) : data_(items.data()), size_(items.size()) {}

    constexpr T* data() const { return data_; }
    constexpr std::size_t size() const { return size_; }
    constexpr T* begin() const { return data_; }
    constexpr T* end() const { return data_ + size_; }
    constexpr T& operator[](std::size_t place) const { return data_[place]; }

private:
    T* data_ = nullptr;
    std::size_t size_ = 0;
};

// The answer to a question, or the status that says why there is none.
template <class T>
class Answer {
public:
    Answer(HsStatus status, T value) : status_(status), value_(std::move(value)) {}

    explicit operator bool() const { return status_ == HS_STATUS_OK; }
    HsStatus status() const { return status_; }
    // Returns whether the call failed, rather than found nothing.
    bool failed() const { return status_ < 0; }
    T& operator*() { return value_; }
    const T& operator*() const { return value_; }
    T* operator->() { return &value_; }
    const T* operator->() const { return &value_; }

private:
    HsStatus status_;
    T value_;
};

namespace detail {

template <auto Free>
struct Deleter {
    template <class T>
    void operator()(T* handle) const {
        Free(handle);
    }
};

template <class T, auto Free>
using Handle = std::unique_ptr<T, Deleter<Free>>;

// Asks a question that writes one answer.
template <class T, class F>
Answer<T> ask(F question) {
    T value{};
    HsStatus status = question(&value);
    return {status, value};
}

// Asks a question that fills a buffer, again if the buffer was too small. The number may have grown only if somebody
// else changes what is asked, so that twice is enough.
template <class T, class F>
Answer<std::vector<T>> ask_all(F question, std::size_t first = 16) {
    std::vector<T> items(first);
    std::size_t count = 0;
    HsStatus status = question(items.data(), items.size(), &count);
    if (status == HS_STATUS_MORE) {
        items.resize(count);
        status = question(items.data(), items.size(), &count);
    }
    items.resize(status >= 0 ? (count < items.size() ? count : items.size()) : 0);
    return {status, std::move(items)};
}

// Makes something that has a handle.
template <class T, class H, class F>
Answer<T> make(F maker) {
    H* handle = nullptr;
    HsStatus status = maker(&handle);
    return {status, T(handle)};
}

}  // namespace detail

inline HsRay ray(const Vec3& origin, const Vec3& direction) { return hs_ray_new(origin.data(), direction.data()); }
inline HsRay ray_between(const Vec3& a, const Vec3& b) { return hs_ray_between(a.data(), b.data()); }

inline HsShape box(const Vec3& min, const Vec3& max) { return hs_shape_box(min.data(), max.data()); }
inline HsShape sphere(float radius, const Vec3& center = {}) { return hs_shape_sphere(center.data(), radius); }
inline HsShape capsule(const Vec3& a, const Vec3& b, float radius) {
    return hs_shape_capsule(a.data(), b.data(), radius);
}
inline HsShape cylinder(const Vec3& a, const Vec3& b, float radius) {
    return hs_shape_cylinder(a.data(), b.data(), radius);
}
inline HsShape cone(const Vec3& base_center, const Vec3& apex, float radius) {
    return hs_shape_cone(base_center.data(), apex.data(), radius);
}
inline HsShape plane(const Vec3& point, const Vec3& normal) { return hs_shape_plane(point.data(), normal.data()); }

inline HsPose pose(const DVec3& position) { return {{position[0], position[1], position[2]}, {0, 0, 0, 1}}; }

// Returns the matrix that moves.
inline Matrix translation(const DVec3& by) { return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, by[0], by[1], by[2], 1}; }

inline HsVolume volume(const HsShape& shape, float margin = 0) {
    HsVolume made{};
    made.shape = shape;
    made.margin = margin;
    return made;
}

class Mesh {
public:
    explicit Mesh(HsMesh* handle = nullptr) : handle_(handle) {}
    static Answer<Mesh> make(View<const float> positions, View<const std::uint32_t> indices) {
        return detail::make<Mesh, HsMesh>([&](HsMesh** mesh) {
            return hs_mesh_new(positions.data(), positions.size() / 3, indices.data(), indices.size(), mesh);
        });
    }
    static Answer<Mesh> make(HsMeshSource source) {
        source.size = sizeof source;
        return detail::make<Mesh, HsMesh>([&](HsMesh** mesh) { return hs_mesh_build(&source, mesh); });
    }
    static Answer<Mesh> load(View<const std::uint8_t> bytes) {
        return detail::make<Mesh, HsMesh>([&](HsMesh** mesh) { return hs_mesh_load(bytes.data(), bytes.size(), mesh); });
    }

    HsMesh* get() const { return handle_.get(); }
    std::size_t triangle_count() const { return hs_mesh_triangle_count(get()); }
    Answer<HsHit> cast(const HsRay& ray, HsCull cull = HS_CULL_NONE) const {
        return detail::ask<HsHit>([&](HsHit* hit) { return hs_mesh_cast(get(), &ray, cull, hit); });
    }
    Answer<bool> is_blocked(const HsRay& ray, HsCull cull = HS_CULL_NONE) const {
        return detail::ask<bool>([&](bool* blocked) { return hs_mesh_is_blocked(get(), &ray, cull, blocked); });
    }
    Answer<std::vector<HsHit>> cast_all(const HsRay& ray, HsCull cull = HS_CULL_NONE) const {
        return detail::ask_all<HsHit>([&](HsHit* hits, std::size_t capacity, std::size_t* count) {
            return hs_mesh_cast_all(get(), &ray, cull, hits, capacity, count);
        });
    }
    // There must be as many places as rays.
    HsStatus cast_batch(View<const HsRay> rays, View<HsHit> hits, HsCull cull = HS_CULL_NONE) const {
        if (rays.size() != hits.size()) return HS_STATUS_INVALID_ARGUMENT;
        return hs_mesh_cast_batch(get(), rays.data(), 0, rays.size(), cull, hits.data(), 0);
    }
    Answer<HsNearest> closest_point(const DVec3& point) const {
        return detail::ask<HsNearest>([&](HsNearest* nearest) {
            return hs_mesh_closest_point(get(), point.data(), nearest);
        });
    }
    Answer<bool> contains(const DVec3& point) const {
        return detail::ask<bool>([&](bool* contains) { return hs_mesh_contains(get(), point.data(), contains); });
    }
    HsStatus refit(View<const float> positions) {
        return hs_mesh_refit(get(), positions.data(), 0, positions.size() / 3);
    }
    Answer<std::vector<std::uint8_t>> save() const {
        return detail::ask_all<std::uint8_t>([&](std::uint8_t* bytes, std::size_t capacity, std::size_t* count) {
            return hs_mesh_save(get(), bytes, capacity, count);
        }, 0);
    }

private:
    detail::Handle<HsMesh, hs_mesh_free> handle_;
};

class Hull {
public:
    explicit Hull(HsHull* handle = nullptr) : handle_(handle) {}
    static Answer<Hull> make(View<const float> points) {
        return detail::make<Hull, HsHull>([&](HsHull** hull) {
            return hs_hull_new(points.data(), 0, points.size() / 3, hull);
        });
    }
    HsHull* get() const { return handle_.get(); }

private:
    detail::Handle<HsHull, hs_hull_free> handle_;
};

class HeightField {
public:
    explicit HeightField(HsHeightField* handle = nullptr) : handle_(handle) {}
    // `heights` has as many rows as fit.
    static Answer<HeightField> make(std::size_t columns, float cell_x, float cell_z, View<const float> heights) {
        return detail::make<HeightField, HsHeightField>([&](HsHeightField** field) {
            const std::size_t rows = columns == 0 ? 0 : heights.size() / columns;
            return hs_height_field_new(rows, columns, cell_x, cell_z, heights.data(), HS_DIAGONAL_FALLING, nullptr, 0,
                                       field);
        });
    }
    HsHeightField* get() const { return handle_.get(); }
    Answer<float> height_at(float x, float z) const {
        return detail::ask<float>([&](float* height) { return hs_height_field_height_at(get(), x, z, height); });
    }

private:
    detail::Handle<HsHeightField, hs_height_field_free> handle_;
};

// The choices of a question. It refers to the keys and the functions that it is given, which must outlive it.
class Filter {
public:
    Filter() {
        hs_filter_init(&filter_, sizeof filter_);
        filter_.user = this;
    }
    Filter(const Filter& other)
        : filter_(other.filter_), entity_choice_(other.entity_choice_), hit_choice_(other.hit_choice_) {
        filter_.user = this;
    }
    Filter& operator=(const Filter& other) {
        filter_ = other.filter_;
        entity_choice_ = other.entity_choice_;
        hit_choice_ = other.hit_choice_;
        filter_.user = this;
        return *this;
    }
    Filter& layers(std::uint32_t layers) { return filter_.layers = layers, *this; }
    Filter& cull(HsCull cull) { return filter_.cull = cull, *this; }
    Filter& inside(HsInside inside) { return filter_.inside = inside, *this; }
    Filter& cut_outs(HsCutOuts cut_outs) { return filter_.cut_outs = cut_outs, *this; }
    Filter& contacts(HsContacts contacts) { return filter_.contacts = contacts, *this; }
    Filter& skin(double skin) { return filter_.skin = skin, *this; }
    Filter& relative_to(const DVec3& origin) {
        for (std::size_t axis = 0; axis < 3; ++axis) filter_.origin[axis] = origin[axis];
        return *this;
    }
    Filter& exclude(View<const Key> keys) {
        filter_.exclude = keys.data();
        filter_.exclude_count = keys.size();
        return *this;
    }
    // `choice(key)` returns a bool, does not throw, and may be called from several threads.
    template <class F>
    Filter& entities(F& choice) {
        entity_choice_ = &choice;
        filter_.entities = [](void* user, std::uint64_t key) noexcept -> std::int32_t {
            return (*static_cast<F*>(const_cast<void*>(static_cast<const Filter*>(user)->entity_choice_)))(key);
        };
        return *this;
    }
    // `choice(candidate)` returns a bool, does not throw, and may be called from several threads.
    template <class F>
    Filter& hits(F& choice) {
        hit_choice_ = &choice;
        filter_.hits = [](void* user, const HsCandidate* candidate) noexcept -> std::int32_t {
            return (*static_cast<F*>(const_cast<void*>(static_cast<const Filter*>(user)->hit_choice_)))(*candidate);
        };
        return *this;
    }

    const HsFilter* get() const { return &filter_; }

private:
    // Its `user` is this object, which finds the functions.
    HsFilter filter_;
    const void* entity_choice_ = nullptr;
    const void* hit_choice_ = nullptr;
};

// A camera that shows the scene.
class Camera {
public:
    explicit Camera(HsCamera* handle = nullptr) : handle_(handle) {}
    static Answer<Camera> perspective(const Matrix& camera_to_world, double fov_y) {
        return detail::make<Camera, HsCamera>([&](HsCamera** camera) {
            return hs_camera_perspective(camera_to_world.data(), fov_y, camera);
        });
    }
    static Answer<Camera> orthographic(const Matrix& camera_to_world, double height) {
        return detail::make<Camera, HsCamera>([&](HsCamera** camera) {
            return hs_camera_orthographic(camera_to_world.data(), height, camera);
        });
    }
    static Answer<Camera> from_matrices(const Matrix& view, const Matrix& projection) {
        return detail::make<Camera, HsCamera>([&](HsCamera** camera) {
            return hs_camera_from_matrices(view.data(), projection.data(), camera);
        });
    }
    static Answer<Matrix> look_at(const DVec3& eye, const DVec3& target, const DVec3& up) {
        return detail::ask<Matrix>([&](Matrix* matrix) {
            return hs_camera_look_at(eye.data(), target.data(), up.data(), matrix->data());
        });
    }
    HsCamera* get() const { return handle_.get(); }
    Answer<HsRay> ray(float x, float y, const HsViewport& viewport) const {
        return detail::ask<HsRay>([&](HsRay* ray) { return hs_camera_ray(get(), x, y, &viewport, ray); });
    }

private:
    detail::Handle<HsCamera, hs_camera_free> handle_;
};

// The questions to a scene, or to a snapshot of one.
class SceneView {
public:
    explicit SceneView(const HsScene* scene) : scene_(scene) {}

    const HsScene* view() const { return scene_; }
    std::size_t count() const { return hs_scene_count(scene_); }
    bool contains(Key key) const { return hs_scene_contains(scene_, key) == HS_STATUS_OK; }
    Answer<HsHit> cast(const HsRay& ray, const Filter* filter = nullptr) const {
        return detail::ask<HsHit>([&](HsHit* hit) { return hs_scene_cast(scene_, &ray, choices(filter), hit); });
    }
    Answer<bool> is_blocked(const HsRay& ray, const Filter* filter = nullptr) const {
        return detail::ask<bool>([&](bool* blocked) {
            return hs_scene_is_blocked(scene_, &ray, choices(filter), blocked);
        });
    }
    Answer<std::vector<HsHit>> cast_all(const HsRay& ray, const Filter* filter = nullptr) const {
        return detail::ask_all<HsHit>([&](HsHit* hits, std::size_t capacity, std::size_t* count) {
            return hs_scene_cast_all(scene_, &ray, choices(filter), hits, capacity, count);
        });
    }
    // There must be as many places as rays.
    HsStatus cast_batch(View<const HsRay> rays, View<HsHit> hits, const Filter* filter = nullptr) const {
        if (rays.size() != hits.size()) return HS_STATUS_INVALID_ARGUMENT;
        return hs_scene_cast_batch(scene_, rays.data(), 0, rays.size(), choices(filter), hits.data(), 0);
    }
    Answer<bool> sees(const Vec3& eye, const Vec3& point, const Filter* filter = nullptr) const {
        return detail::ask<bool>([&](bool* sees) {
            return hs_scene_sees(scene_, eye.data(), point.data(), choices(filter), sees);
        });
    }
    Answer<HsGround> ground_below(const Vec3& point, const Vec3& up, float reach, const Filter* filter = nullptr) const {
        return detail::ask<HsGround>([&](HsGround* ground) {
            return hs_scene_ground_below(scene_, point.data(), up.data(), reach, choices(filter), ground);
        });
    }
    Answer<HsSweepHit> sweep(const HsVolume& volume, const HsPose& from, const DVec3& motion,
                             const Filter* filter = nullptr) const {
        return detail::ask<HsSweepHit>([&](HsSweepHit* hit) {
            return hs_scene_sweep(scene_, &volume, &from, motion.data(), choices(filter), hit);
        });
    }
    Answer<bool> overlaps(const HsVolume& volume, const HsPose& at, const Filter* filter = nullptr) const {
        return detail::ask<bool>([&](bool* overlaps) {
            return hs_scene_overlaps(scene_, &volume, &at, choices(filter), overlaps);
        });
    }
    Answer<std::vector<Key>> overlap_entities(const HsVolume& volume, const HsPose& at,
                                              const Filter* filter = nullptr) const {
        return detail::ask_all<Key>([&](Key* keys, std::size_t capacity, std::size_t* count) {
            return hs_scene_overlap_entities(scene_, &volume, &at, choices(filter), keys, capacity, count);
        });
    }
    Answer<HsPenetration> penetration(const HsVolume& volume, const HsPose& at, const Filter* filter = nullptr) const {
        return detail::ask<HsPenetration>([&](HsPenetration* deepest) {
            return hs_scene_penetration(scene_, &volume, &at, choices(filter), deepest);
        });
    }
    Answer<HsNearest> closest_point(const DVec3& point, double max_distance, const Filter* filter = nullptr) const {
        return detail::ask<HsNearest>([&](HsNearest* nearest) {
            return hs_scene_closest_point(scene_, point.data(), max_distance, choices(filter), nearest);
        });
    }
    Answer<HsSnap> snap(const HsCursor& cursor, const Filter* filter = nullptr) const {
        return detail::ask<HsSnap>([&](HsSnap* snap) { return hs_scene_snap(scene_, &cursor, choices(filter), snap); });
    }
    Answer<std::vector<Key>> select_entities(const HsSelection& selection, const Filter* filter = nullptr) const {
        return detail::ask_all<Key>([&](Key* keys, std::size_t capacity, std::size_t* count) {
            return hs_scene_select_entities(scene_, &selection, choices(filter), keys, capacity, count);
        });
    }
    Answer<std::vector<std::uint8_t>> save() const {
        return detail::ask_all<std::uint8_t>([&](std::uint8_t* bytes, std::size_t capacity, std::size_t* count) {
            return hs_scene_save(scene_, bytes, capacity, count);
        }, 0);
    }

protected:
    static const HsFilter* choices(const Filter* filter) { return filter == nullptr ? nullptr : filter->get(); }

    const HsScene* scene_;
};

// A scene.
class Scene : public SceneView {
public:
    explicit Scene(HsScene* handle = nullptr) : SceneView(handle), handle_(handle) {}
    Scene(Scene&& other) noexcept : SceneView(other.get()), handle_(std::move(other.handle_)) { other.scene_ = nullptr; }
    Scene& operator=(Scene&& other) noexcept {
        handle_ = std::move(other.handle_);
        scene_ = get();
        if (this != &other) other.scene_ = nullptr;
        return *this;
    }
    static Answer<Scene> make() {
        return detail::make<Scene, HsScene>([](HsScene** scene) { return hs_scene_new(scene); });
    }
    static Answer<Scene> load(View<const std::uint8_t> bytes) {
        return detail::make<Scene, HsScene>([&](HsScene** scene) {
            return hs_scene_load(bytes.data(), bytes.size(), scene);
        });
    }
    Answer<Scene> clone() const {
        return detail::make<Scene, HsScene>([&](HsScene** scene) { return hs_scene_clone(get(), scene); });
    }

    HsScene* get() const { return handle_.get(); }
    HsStatus insert(Key key, const Mesh& mesh, const Matrix& transform) {
        return hs_scene_insert_mesh(get(), key, mesh.get(), transform.data());
    }
    HsStatus insert(Key key, const HsShape& shape, const Matrix& transform) {
        return hs_scene_insert_shape(get(), key, &shape, transform.data());
    }
    HsStatus insert(Key key, const Hull& hull, const Matrix& transform) {
        return hs_scene_insert_hull(get(), key, hull.get(), transform.data());
    }
    HsStatus insert(Key key, const HeightField& field, const Matrix& transform) {
        return hs_scene_insert_height_field(get(), key, field.get(), transform.data());
    }
    HsStatus insert(Key key, View<const HsPart> parts, const Matrix& transform) {
        return hs_scene_insert_compound(get(), key, parts.data(), parts.size(), transform.data());
    }
    HsStatus set_transform(Key key, const Matrix& transform) {
        return hs_scene_set_transform(get(), key, transform.data());
    }
    HsStatus set_layers(Key key, std::uint32_t layers) { return hs_scene_set_layers(get(), key, layers); }
    HsStatus remove(Key key) { return hs_scene_remove(get(), key); }
    HsStatus clear() { return hs_scene_clear(get()); }

private:
    detail::Handle<HsScene, hs_scene_free> handle_;
};

// A version of a scene, which never changes.
class Snapshot : public SceneView {
public:
    explicit Snapshot(const HsScene* scene = nullptr) : SceneView(scene) {}
    Snapshot(Snapshot&& other) noexcept : SceneView(std::exchange(other.scene_, nullptr)) {}
    Snapshot& operator=(Snapshot&& other) noexcept {
        std::swap(scene_, other.scene_);
        return *this;
    }
    ~Snapshot() { hs_snapshot_release(scene_); }
};

// The newest version of a scene, for any number of threads.
class Snapshots {
public:
    explicit Snapshots(HsSnapshots* handle = nullptr) : handle_(handle) {}
    static Answer<Snapshots> make(const Scene& scene) {
        return detail::make<Snapshots, HsSnapshots>([&](HsSnapshots** snapshots) {
            return hs_snapshots_new(scene.get(), snapshots);
        });
    }
    HsStatus commit(const Scene& scene) const { return hs_snapshots_commit(handle_.get(), scene.get()); }
    Answer<Snapshot> acquire() const {
        const HsScene* scene = nullptr;
        HsStatus status = hs_snapshots_acquire(handle_.get(), &scene);
        return {status, Snapshot(scene)};
    }

private:
    detail::Handle<HsSnapshots, hs_snapshots_free> handle_;
};

// A character that walks.
class Character {
public:
    explicit Character(HsCharacter* handle = nullptr) : handle_(handle) {}
    static Answer<Character> make(const HsVolume& volume, const DVec3& position) {
        return detail::make<Character, HsCharacter>([&](HsCharacter** character) {
            return hs_character_new(&volume, position.data(), character);
        });
    }
    HsCharacter* get() const { return handle_.get(); }
    Answer<HsPose> pose() const {
        return detail::ask<HsPose>([&](HsPose* pose) { return hs_character_get_pose(get(), pose); });
    }
    // Puts it at a place, in the air.
    HsStatus teleport(const DVec3& position) { return hs_character_teleport(get(), position.data()); }
    // Says that it jumps: no ground holds it until it falls.
    HsStatus leave_ground() { return hs_character_leave_ground(get()); }
    // Says that what it stands on was placed somewhere else, and does not carry it.
    HsStatus ground_was_placed() { return hs_character_ground_was_placed(get()); }
    Answer<HsMoved> move(const SceneView& scene, const DVec3& velocity, double dt, const Filter* filter = nullptr) {
        std::size_t count = 0;
        return detail::ask<HsMoved>([&](HsMoved* moved) {
            return hs_character_move(get(), scene.view(), velocity.data(), dt,
                                     filter == nullptr ? nullptr : filter->get(), nullptr, nullptr, moved, nullptr, 0,
                                     &count);
        });
    }
    // The contacts of the last move.
    Answer<std::vector<HsCharacterContact>> contacts() const {
        return detail::ask_all<HsCharacterContact>(
            [&](HsCharacterContact* contacts, std::size_t capacity, std::size_t* count) {
                return hs_character_get_contacts(get(), contacts, capacity, count);
            });
    }

private:
    detail::Handle<HsCharacter, hs_character_free> handle_;
};

}  // namespace hitscan

#endif  // HITSCAN_HPP
