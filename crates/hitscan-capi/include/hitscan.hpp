// hitscan.hpp for C++17. It is generated from hitscan.hpp.in and hitscan.h by `cargo xtask capi --header`.
//
// This header has handles that free themselves, views of arrays, and answers that say whether they have a value.
//
// Nothing here throws an exception other than `std::bad_alloc`. Every question returns an `Answer`:
//
//     if (auto hit = scene.cast(ray)) use(hit->key, hit->t);
//     else if (hit.failed()) report(hitscan::last_error());
//
// The rules of hitscan.h hold here, too: any number of threads may ask questions, and one thread at a time may change
// something.
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

// Returns why the last failed call of this thread failed.
inline const char* last_error() { return hs_last_error(); }
inline const char* version() { return hs_version(); }

// A view of items that it does not own: the items of an array, a `std::vector`, a `std::array` or a `std::span`.
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

// Asks a question that fills a buffer, and asks it once more if the buffer was too small. Two calls are enough, because
// nobody changes the scene or the mesh in between.
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

// Asks a question that finds a list of hits for each of many rays. `offsets` has one place more than there are rays.
template <class F>
Answer<std::size_t> ask_lists(View<std::size_t> offsets, F question) {
    std::size_t hit_count = 0;
    if (offsets.size() == 0) return {HS_STATUS_INVALID_ARGUMENT, hit_count};
    HsStatus status = question(offsets.size() - 1, &hit_count);
    return {status, hit_count};
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
// Returns the ray along a direction as given: t is in units of the direction's length.
inline HsRay ray_with_direction(const Vec3& origin, const Vec3& direction) {
    return hs_ray_with_direction(origin.data(), direction.data());
}

inline HsShape box(const Vec3& min, const Vec3& max) { return hs_shape_box(min.data(), max.data()); }
inline HsShape rounded_box(const Vec3& min, const Vec3& max, float margin) {
    return hs_shape_rounded_box(min.data(), max.data(), margin);
}
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
inline HsShape oriented_box(const Vec3& center, const Vec3& half_extents, const std::array<float, 4>& rotation) {
    return hs_shape_oriented_box(center.data(), half_extents.data(), rotation.data());
}
inline HsShape disc(const Vec3& center, const Vec3& normal, float radius) {
    return hs_shape_disc(center.data(), normal.data(), radius);
}
inline HsShape quad(const Vec3& corner, const Vec3& edge_u, const Vec3& edge_v) {
    return hs_shape_quad(corner.data(), edge_u.data(), edge_v.data());
}
inline HsShape triangle(const Vec3& a, const Vec3& b, const Vec3& c) {
    return hs_shape_triangle(a.data(), b.data(), c.data());
}
inline HsShape torus(float radius, float tube) { return hs_shape_torus(radius, tube); }

inline HsPose pose(const DVec3& position) { return {{position[0], position[1], position[2]}, {0, 0, 0, 1}}; }

// Returns the matrix of a pose with a scale.
inline Answer<Matrix> transform(const HsPose& pose, const DVec3& scale = {1, 1, 1}) {
    return detail::ask<Matrix>([&](Matrix* matrix) {
        return hs_transform_from_pose(&pose, scale.data(), matrix->data());
    });
}

// Returns the matrix that moves by a vector.
inline Matrix translation(const DVec3& by) { return {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, by[0], by[1], by[2], 1}; }

inline HsVolume volume(const HsShape& shape, float margin = 0) {
    HsVolume made{};
    made.shape = shape;
    made.margin = margin;
    return made;
}

// Checks whether a ray can hit anything; if it cannot, the status is `HS_STATUS_INVALID_INPUT`, and `hs_last_error`
// says why.
inline HsStatus ray_validate(const HsRay& ray) {
    return hs_ray_validate(&ray);
}
// Writes the point origin + t * direction, computed in double precision and rounded once, as three numbers.
inline Answer<Vec3> ray_at(const HsRay& ray, float t) {
    return detail::ask<Vec3>([&](Vec3* point) { return hs_ray_at(&ray, t, point->data()); });
}
// Finds where the infinite line of a ray enters and leaves a box along the axes, in the box's own space.
inline Answer<std::array<float, 2>> shape_box_interval(const HsShape& shape, const HsRay& ray) {
    return detail::ask<std::array<float, 2>>([&](std::array<float, 2>* interval) {
        return hs_shape_box_interval(&shape, &ray, interval->data());
    });
}
// Finds the signed distance of a point of three floats from a plane, in the plane's own space and units.
inline Answer<float> shape_plane_signed_distance(const HsShape& shape, const Vec3& point) {
    return detail::ask<float>([&](float* distance) {
        return hs_shape_plane_signed_distance(&shape, point.data(), distance);
    });
}
// Checks whether a shape can be hit; if it cannot, `hs_last_error` says what is wrong.
inline HsStatus shape_validate(const HsShape& shape) {
    return hs_shape_validate(&shape);
}
// Finds the hit of a ray on a shape in its own space; `when_inside` is an `HsInside`, the answer for a ray that starts
// inside of it.
inline Answer<HsHit> shape_cast(const HsShape& shape, const HsRay& ray, HsInside when_inside = HS_INSIDE_EXIT) {
    return detail::ask<HsHit>([&](HsHit* hit) { return hs_shape_cast(&shape, &ray, when_inside, hit); });
}
// Finds the point of a shape, in its own space, that is nearest to a point of three doubles.
inline Answer<HsNearest> shape_closest_point(const HsShape& shape, const DVec3& point) {
    return detail::ask<HsNearest>([&](HsNearest* nearest) {
        return hs_shape_closest_point(&shape, point.data(), nearest);
    });
}
// Finds the t of the hit of a ray on a shape in its own space, as `hs_shape_cast` would report it, without computing
// the rest of the hit.
inline Answer<float> shape_cast_t(const HsShape& shape, const HsRay& ray) {
    return detail::ask<float>([&](float* t) { return hs_shape_cast_t(&shape, &ray, t); });
}
// Finds whether a ray hits a shape in its own space.
inline Answer<bool> shape_is_blocked(const HsShape& shape, const HsRay& ray) {
    return detail::ask<bool>([&](bool* blocked) { return hs_shape_is_blocked(&shape, &ray, blocked); });
}
// Finds whether a point of three floats is in a solid or on its surface, in the shape's own space.
inline Answer<bool> shape_contains(const HsShape& shape, const Vec3& point) {
    return detail::ask<bool>([&](bool* contains) { return hs_shape_contains(&shape, point.data(), contains); });
}
// Checks whether a volume is valid; otherwise `hs_last_error` says what is wrong with it.
inline HsStatus volume_validate(const HsVolume& volume) {
    return hs_volume_validate(&volume);
}

// Calls `work(number)` once for each number from 0 to `count` - 1, on at most `threads` threads; 0 means all. `work`
// asks a question that has no batch function. It must not throw, and several threads call it at once.
template <class F>
HsStatus batch(std::size_t count, F&& work, std::size_t threads = 0) {
    using Work = std::remove_reference_t<F>;
    const auto call = [](void* user, std::size_t number) noexcept { (*static_cast<Work*>(user))(number); };
    return hs_batch(count, threads, call, const_cast<void*>(static_cast<const void*>(std::addressof(work))));
}

// The choices of a question. A filter refers to the keys and the functions that it is given, which must outlive it.
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
    // The `user` of the C filter is this object, in which the callbacks find the functions.
    HsFilter filter_;
    const void* entity_choice_ = nullptr;
    const void* hit_choice_ = nullptr;
};

namespace detail {

inline const HsFilter* choices(const Filter* filter) { return filter == nullptr ? nullptr : filter->get(); }

}  // namespace detail

// The least and the greatest corner of a box.
struct Bounds {
    Vec3 min;
    Vec3 max;
};

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
    HsMesh* get() const { return handle_.get(); }
    // For a mesh without triangles, the least corner is above the greatest.
    Answer<Bounds> bounds() const {
        return detail::ask<Bounds>([&](Bounds* bounds) {
            return hs_mesh_bounds(get(), bounds->min.data(), bounds->max.data());
        });
    }
    // Finds all hits of each of many rays. `offsets` has one place more than there are rays. The answer is the number
    // of hits; only the first `capacity` hits are written.
    Answer<std::size_t> cast_all_columns(const HsRayColumns& rays, View<std::size_t> offsets, const HsHitColumns& hits,
                                         std::size_t capacity, HsCull sides = HS_CULL_NONE) const {
        return detail::ask_lists(offsets, [&](std::size_t rays_count, std::size_t* hit_count) {
            return hs_mesh_cast_all_columns(get(), &rays, rays_count, sides, offsets.data(), &hits, capacity,
                                            hit_count);
        });
    }
    // Finds the pairs of triangles that intersect or touch beyond the corners and edges that they share, and whose lower triangle is from `first` to below `end`.
    Answer<std::vector<std::array<std::uint32_t, 2>>> self_intersections(std::uint32_t first = 0,
                                                                         std::uint32_t end = UINT32_MAX) const {
        using Pair = std::array<std::uint32_t, 2>;
        return detail::ask_all<Pair>([&](Pair* pairs, std::size_t capacity, std::size_t* count) {
            return hs_mesh_self_intersections(get(), first, end, pairs->data(), capacity, count);
        });
    }
    // Moves the vertices of a mesh: there must be as many positions as before.
    HsStatus refit(View<const float> points) {
        return hs_mesh_refit(get(), points.data(), 0, points.size() / 3);
    }
    // Returns the number of triangles; 0 for null.
    std::size_t triangle_count() const {
        return hs_mesh_triangle_count(get());
    }
    // Makes a mesh from bytes of `hs_mesh_save`.
    static Answer<Mesh> load(View<const std::uint8_t> bytes) {
        return detail::make<Mesh, HsMesh>([&](HsMesh** mesh) {
            return hs_mesh_load(bytes.data(), bytes.size(), mesh);
        });
    }
    // Makes another handle of a mesh, which shares its memory until one of them is changed.
    Answer<Mesh> clone() const {
        return detail::make<Mesh, HsMesh>([&](HsMesh** clone) { return hs_mesh_clone(get(), clone); });
    }
    // Writes the three corners of a triangle, nine floats.
    Answer<std::array<float, 9>> triangle(std::uint32_t triangle) const {
        return detail::ask<std::array<float, 9>>([&](std::array<float, 9>* corners) {
            return hs_mesh_triangle(get(), triangle, corners->data());
        });
    }
    // Finds the closest hit of a ray, in the mesh's own space; among several hits with the same t, it is on the
    // triangle with the lowest number.
    Answer<HsHit> cast(const HsRay& ray, HsCull sides = HS_CULL_NONE) const {
        return detail::ask<HsHit>([&](HsHit* hit) { return hs_mesh_cast(get(), &ray, sides, hit); });
    }
    // Finds whether a ray hits any triangle.
    Answer<bool> is_blocked(const HsRay& ray, HsCull sides = HS_CULL_NONE) const {
        return detail::ask<bool>([&](bool* blocked) { return hs_mesh_is_blocked(get(), &ray, sides, blocked); });
    }
    // Finds all hits of a ray, in order: each triangle that it touches, two at an edge that they share, and more at a
    // corner.
    Answer<std::vector<HsHit>> cast_all(const HsRay& ray, HsCull sides = HS_CULL_NONE) const {
        return detail::ask_all<HsHit>([&](HsHit* hits, std::size_t capacity, std::size_t* count) {
            return hs_mesh_cast_all(get(), &ray, sides, hits, capacity, count);
        });
    }
    // Finds where a ray goes into a closed mesh and out of it, in the mesh's own space and in order of t.
    Answer<std::vector<HsHit>> cast_crossings(const HsRay& ray) const {
        return detail::ask_all<HsHit>([&](HsHit* hits, std::size_t capacity, std::size_t* count) {
            return hs_mesh_cast_crossings(get(), &ray, hits, capacity, count);
        });
    }
    // Finds the point of a mesh that is nearest to a point of three doubles.
    Answer<HsNearest> closest_point(const DVec3& point) const {
        return detail::ask<HsNearest>([&](HsNearest* nearest) {
            return hs_mesh_closest_point(get(), point.data(), nearest);
        });
    }
    // Finds whether a point of three doubles is inside of a closed mesh.
    Answer<bool> contains(const DVec3& point) const {
        return detail::ask<bool>([&](bool* contains) { return hs_mesh_contains(get(), point.data(), contains); });
    }
    // Finds the first triangle that a volume touches when it moves by a motion of three doubles.
    Answer<HsMeshContact> sweep(const HsVolume& volume, const HsPose& from, const DVec3& motion) const {
        return detail::ask<HsMeshContact>([&](HsMeshContact* contact) {
            return hs_mesh_sweep(get(), &volume, &from, motion.data(), contact);
        });
    }
    // Writes the texture coordinates at a place on a triangle, two floats.
    Answer<std::array<float, 2>> texcoord_at(std::uint32_t triangle, float u, float v) const {
        return detail::ask<std::array<float, 2>>([&](std::array<float, 2>* texcoord) {
            return hs_mesh_texcoord_at(get(), triangle, u, v, texcoord->data());
        });
    }
    // Writes the smooth normal at a place on a triangle, three floats.
    Answer<Vec3> normal_at(std::uint32_t triangle, float u, float v) const {
        return detail::ask<Vec3>([&](Vec3* normal) {
            return hs_mesh_normal_at(get(), triangle, u, v, normal->data());
        });
    }
    // Writes a mesh with its tree as bytes, and the number of bytes.
    Answer<std::vector<std::uint8_t>> save() const {
        return detail::ask_all<std::uint8_t>([&](std::uint8_t* bytes, std::size_t capacity, std::size_t* count) {
            return hs_mesh_save(get(), bytes, capacity, count);
        }, 0);
    }
    // Finds the nearest point of a mesh for each of many points of three doubles, in the mesh's own space and on all
    // threads.
    HsStatus closest_point_batch(View<const double> points, View<HsNearest> nearest) const {
        if (points.size() != 3 * nearest.size()) return HS_STATUS_INVALID_ARGUMENT;
        return hs_mesh_closest_point_batch(get(), points.data(), 0, points.size() / 3, nearest.data());
    }
    // Does the same as `hs_mesh_closest_on_surface` for each of many points, on all threads.
    HsStatus closest_on_surface_batch(View<const double> points, double max_distance,
                                      View<HsTrianglePoint> nearest) const {
        if (points.size() != 3 * nearest.size()) return HS_STATUS_INVALID_ARGUMENT;
        return hs_mesh_closest_on_surface_batch(get(), points.data(), 0, points.size() / 3, max_distance,
                                                nearest.data());
    }
    // Finds for each of many points of three doubles whether it is inside of a closed mesh, in the mesh's own space and
    // on all threads.
    HsStatus contains_batch(View<const double> points, View<bool> contains) const {
        if (points.size() != 3 * contains.size()) return HS_STATUS_INVALID_ARGUMENT;
        return hs_mesh_contains_batch(get(), points.data(), 0, points.size() / 3, contains.data());
    }
    // Finds the signed distance for each of many points, on all threads: NaN where `hs_mesh_signed_distance` finds
    // none.
    HsStatus signed_distance_batch(View<const double> points, View<float> distances) const {
        if (points.size() != 3 * distances.size()) return HS_STATUS_INVALID_ARGUMENT;
        return hs_mesh_signed_distance_batch(get(), points.data(), 0, points.size() / 3, distances.data());
    }
    // Finds the point of a mesh's triangles that is nearest to a point of three doubles, within `max_distance`, which
    // may be infinite.
    Answer<HsTrianglePoint> closest_on_surface(const DVec3& point, double max_distance) const {
        return detail::ask<HsTrianglePoint>([&](HsTrianglePoint* nearest) {
            return hs_mesh_closest_on_surface(get(), point.data(), max_distance, nearest);
        });
    }
    // Finds the distance from a point of three doubles to a mesh, negative inside, in the mesh's own space and units.
    Answer<float> signed_distance(const DVec3& point) const {
        return detail::ask<float>([&](float* distance) {
            return hs_mesh_signed_distance(get(), point.data(), distance);
        });
    }
    // Finds the closest hit of each of many rays, on all threads: the same answers as by `hs_mesh_cast`.
    HsStatus cast_batch(View<const HsRay> rays, View<HsHit> hits, HsCull sides = HS_CULL_NONE) const {
        if (rays.size() != hits.size()) return HS_STATUS_INVALID_ARGUMENT;
        return hs_mesh_cast_batch(get(), rays.data(), 0, rays.size(), sides, hits.data(), 0);
    }
    // Does the same as `hs_mesh_cast_batch`, but reads the rays from columns, and writes the hits to columns.
    HsStatus cast_columns(const HsRayColumns& rays, std::size_t count, const HsHitColumns& hits,
                          HsCull sides = HS_CULL_NONE) const {
        return hs_mesh_cast_columns(get(), &rays, count, sides, &hits);
    }
    // Finds for each of many rays whether it hits any triangle, on all threads.
    HsStatus is_blocked_batch(View<const HsRay> rays, View<bool> blocked, HsCull sides = HS_CULL_NONE) const {
        if (rays.size() != blocked.size()) return HS_STATUS_INVALID_ARGUMENT;
        return hs_mesh_is_blocked_batch(get(), rays.data(), 0, rays.size(), sides, blocked.data());
    }

private:
    detail::Handle<HsMesh, hs_mesh_free> handle_;
};

// A mesh that is prepared for winding numbers.
class WindingTree {
public:
    explicit WindingTree(HsWindingTree* handle = nullptr) : handle_(handle) {}
    HsWindingTree* get() const { return handle_.get(); }
    // Finds the winding number of each of many points, on all threads: NaN where `hs_winding_tree_winding_number` finds
    // none.
    HsStatus winding_number_batch(View<const double> points, double error_bound, View<double> numbers) const {
        if (points.size() != 3 * numbers.size()) return HS_STATUS_INVALID_ARGUMENT;
        return hs_winding_tree_winding_number_batch(get(), points.data(), 0, points.size() / 3, error_bound,
                                                    numbers.data());
    }
    // Prepares a mesh.
    static Answer<WindingTree> make(const Mesh& mesh) {
        return detail::make<WindingTree, HsWindingTree>([&](HsWindingTree** tree) {
            return hs_winding_tree_new(mesh.get(), tree);
        });
    }
    // Finds the winding number of a point of three doubles, in the mesh's own space, with an error of at most
    // `error_bound` plus the rounding of a double.
    Answer<double> winding_number(const DVec3& point, double error_bound) const {
        return detail::ask<double>([&](double* number) {
            return hs_winding_tree_winding_number(get(), point.data(), error_bound, number);
        });
    }

private:
    detail::Handle<HsWindingTree, hs_winding_tree_free> handle_;
};

class Hull {
public:
    explicit Hull(HsHull* handle = nullptr) : handle_(handle) {}
    HsHull* get() const { return handle_.get(); }
    Answer<std::vector<Vec3>> vertices() const {
        return detail::ask_all<Vec3>([&](Vec3* vertices, std::size_t capacity, std::size_t* count) {
            return hs_hull_vertices(get(), vertices->data(), capacity, count);
        });
    }
    // Makes the convex hull of points.
    static Answer<Hull> make(View<const float> points) {
        return detail::make<Hull, HsHull>([&](HsHull** hull) {
            return hs_hull_new(points.data(), 0, points.size() / 3, hull);
        });
    }
    // Finds the hit of a ray on a hull in its own space; `when_inside` is an `HsInside`.
    Answer<HsHit> cast(const HsRay& ray, HsInside when_inside = HS_INSIDE_EXIT) const {
        return detail::ask<HsHit>([&](HsHit* hit) { return hs_hull_cast(get(), &ray, when_inside, hit); });
    }
    // Finds the t of the hit of a ray on a hull in its own space, as `hs_hull_cast` would report it, without computing
    // the rest of the hit.
    Answer<float> cast_t(const HsRay& ray) const {
        return detail::ask<float>([&](float* t) { return hs_hull_cast_t(get(), &ray, t); });
    }
    // Finds whether a ray hits a hull in its own space.
    Answer<bool> is_blocked(const HsRay& ray) const {
        return detail::ask<bool>([&](bool* blocked) { return hs_hull_is_blocked(get(), &ray, blocked); });
    }
    // Finds whether a point of three floats is in a hull or on its surface.
    Answer<bool> contains(const Vec3& point) const {
        return detail::ask<bool>([&](bool* contains) { return hs_hull_contains(get(), point.data(), contains); });
    }
    // Finds the point of a hull that is nearest to a point of three doubles.
    Answer<HsNearest> closest_point(const DVec3& point) const {
        return detail::ask<HsNearest>([&](HsNearest* nearest) {
            return hs_hull_closest_point(get(), point.data(), nearest);
        });
    }

private:
    detail::Handle<HsHull, hs_hull_free> handle_;
};

class HeightField {
public:
    explicit HeightField(HsHeightField* handle = nullptr) : handle_(handle) {}
    // The number of rows is the size of `heights` divided by `columns`. `holes` has the row and the column of each cell
    // without ground.
    static Answer<HeightField> make(std::size_t columns, float cell_x, float cell_z, View<const float> heights,
                                    HsDiagonal diagonal = HS_DIAGONAL_FALLING, View<const std::size_t> holes = {}) {
        return detail::make<HeightField, HsHeightField>([&](HsHeightField** field) {
            const std::size_t rows = columns == 0 ? 0 : heights.size() / columns;
            return hs_height_field_new(rows, columns, cell_x, cell_z, heights.data(), diagonal, holes.data(),
                                       holes.size() / 2, field);
        });
    }
    HsHeightField* get() const { return handle_.get(); }
    // Finds the closest hit of a ray, in the field's own space.
    Answer<HsHit> cast(const HsRay& ray, HsCull sides = HS_CULL_NONE) const {
        return detail::ask<HsHit>([&](HsHit* hit) { return hs_height_field_cast(get(), &ray, sides, hit); });
    }
    // Finds whether a ray hits the ground, in the field's own space.
    Answer<bool> is_blocked(const HsRay& ray, HsCull sides = HS_CULL_NONE) const {
        return detail::ask<bool>([&](bool* blocked) {
            return hs_height_field_is_blocked(get(), &ray, sides, blocked);
        });
    }
    // Finds all hits of a ray, in the field's own space and in order.
    Answer<std::vector<HsHit>> cast_all(const HsRay& ray, HsCull sides = HS_CULL_NONE) const {
        return detail::ask_all<HsHit>([&](HsHit* hits, std::size_t capacity, std::size_t* count) {
            return hs_height_field_cast_all(get(), &ray, sides, hits, capacity, count);
        });
    }
    // Finds the height at a place in the field's own space.
    Answer<float> height_at(float x, float z) const {
        return detail::ask<float>([&](float* height) { return hs_height_field_height_at(get(), x, z, height); });
    }
    // Finds the point of a height field that is nearest to a point of three doubles.
    Answer<HsNearest> closest_point(const DVec3& point) const {
        return detail::ask<HsNearest>([&](HsNearest* nearest) {
            return hs_height_field_closest_point(get(), point.data(), nearest);
        });
    }
    // Finds the first triangle that a volume touches when it moves by a motion of three doubles.
    Answer<HsMeshContact> sweep(const HsVolume& volume, const HsPose& from, const DVec3& motion) const {
        return detail::ask<HsMeshContact>([&](HsMeshContact* contact) {
            return hs_height_field_sweep(get(), &volume, &from, motion.data(), contact);
        });
    }

private:
    detail::Handle<HsHeightField, hs_height_field_free> handle_;
};

// The collision matrix of a triangle that is tested against very many segments.
class CollisionMatrix {
public:
    explicit CollisionMatrix(HsCollisionMatrix* handle = nullptr) : handle_(handle) {}
    HsCollisionMatrix* get() const { return handle_.get(); }
    // Makes the collision matrix of the same triangle in an instance, given the transform of the instance: sixteen
    // doubles, column after column.
    Answer<CollisionMatrix> placed(const Matrix& transform) const {
        return detail::make<CollisionMatrix, HsCollisionMatrix>([&](HsCollisionMatrix** placed) {
            return hs_collision_matrix_placed(get(), transform.data(), placed);
        });
    }
    // Makes the collision matrix of a triangle, given its corners of three floats.
    static Answer<CollisionMatrix> make(const Vec3& a, const Vec3& b, const Vec3& c) {
        return detail::make<CollisionMatrix, HsCollisionMatrix>([&](HsCollisionMatrix** matrix) {
            return hs_collision_matrix_new(a.data(), b.data(), c.data(), matrix);
        });
    }
    // Finds the hit of a ray on the triangle.
    Answer<HsHit> cast(const HsRay& ray) const {
        return detail::ask<HsHit>([&](HsHit* hit) { return hs_collision_matrix_cast(get(), &ray, hit); });
    }
    // Finds the t of the hit of a ray in world space, as `hs_collision_matrix_cast` would report it, without computing
    // the rest of the hit.
    Answer<float> cast_t(const HsRay& ray) const {
        return detail::ask<float>([&](float* t) { return hs_collision_matrix_cast_t(get(), &ray, t); });
    }
    // Finds whether a ray in world space hits the triangle, as `hs_collision_matrix_cast` would, without computing the
    // hit.
    Answer<bool> is_blocked(const HsRay& ray) const {
        return detail::ask<bool>([&](bool* blocked) { return hs_collision_matrix_is_blocked(get(), &ray, blocked); });
    }
    // Finds whether a segment between two points of three floats, in world space, goes through the triangle, as
    // `hs_collision_matrix_collide_segment` would, without computing the hit.
    Answer<bool> segment_is_blocked(const Vec3& from, const Vec3& to) const {
        return detail::ask<bool>([&](bool* blocked) {
            return hs_collision_matrix_segment_is_blocked(get(), from.data(), to.data(), blocked);
        });
    }
    // Finds where a segment between two points of three floats goes through the triangle.
    Answer<HsSegmentHit> collide_segment(const Vec3& from, const Vec3& to) const {
        return detail::ask<HsSegmentHit>([&](HsSegmentHit* hit) {
            return hs_collision_matrix_collide_segment(get(), from.data(), to.data(), hit);
        });
    }

private:
    detail::Handle<HsCollisionMatrix, hs_collision_matrix_free> handle_;
};

// A shape of your own.
class Custom {
public:
    explicit Custom(HsCustom* handle = nullptr) : handle_(handle) {}
    // `cast(ray, offer)` gets an `HsCustomRay`, and calls `offer(hit)` with an `HsCustomHit` for each crossing in the
    // order of t until `offer` returns false. `cast` is const, must not throw, and is called by several threads at
    // once.
    template <class F>
    static Answer<Custom> make(const Vec3& min, const Vec3& max, F cast) {
        auto owned = std::make_unique<const F>(std::move(cast));
        const auto call = [](void* user, const HsCustomRay* ray, HsOffer offer, void* sink) noexcept {
            (*static_cast<const F*>(user))(*ray, [&](const HsCustomHit& hit) { return offer(sink, &hit) != 0; });
        };
        const auto free = [](void* user) noexcept { delete static_cast<const F*>(user); };
        auto made = detail::make<Custom, HsCustom>([&](HsCustom** custom) {
            return hs_custom_new(min.data(), max.data(), call, const_cast<F*>(owned.get()), free, custom);
        });
        if (made) owned.release();
        return made;
    }
    HsCustom* get() const { return handle_.get(); }
    // Finds the hit of a ray on a custom shape in the shape's own space, as a scene would; `when_inside` is an
    // `HsInside`.
    Answer<HsHit> cast(const HsRay& ray, HsInside when_inside = HS_INSIDE_EXIT) const {
        return detail::ask<HsHit>([&](HsHit* hit) { return hs_custom_cast(get(), &ray, when_inside, hit); });
    }

private:
    detail::Handle<HsCustom, hs_custom_free> handle_;
};

// The pixel that shows a point, and the depth of the point.
struct Projected {
    std::array<float, 2> pixel;
    float depth;
};

// A camera that shows the scene.
class Camera {
public:
    explicit Camera(HsCamera* handle = nullptr) : handle_(handle) {}
    HsCamera* get() const { return handle_.get(); }
    // There is no answer for a point that is behind the camera or not finite.
    Answer<Projected> project(const DVec3& point, const HsViewport& viewport) const {
        return detail::ask<Projected>([&](Projected* shown) {
            return hs_camera_project(get(), point.data(), &viewport, shown->pixel.data(), &shown->depth);
        });
    }
    // Writes the camera-to-world transform of a camera at `eye` that looks at `target` with `up` upwards.
    static Answer<Matrix> look_at(const DVec3& eye, const DVec3& target, const DVec3& up) {
        return detail::ask<Matrix>([&](Matrix* transform) {
            return hs_camera_look_at(eye.data(), target.data(), up.data(), transform->data());
        });
    }
    // Makes a perspective camera from its camera-to-world transform, sixteen doubles, column after column, and its
    // vertical field of view in radians.
    static Answer<Camera> perspective(const Matrix& camera_to_world, double fov_y) {
        return detail::make<Camera, HsCamera>([&](HsCamera** camera) {
            return hs_camera_perspective(camera_to_world.data(), fov_y, camera);
        });
    }
    // Makes an orthographic camera from its camera-to-world transform and the height of its picture in world units.
    static Answer<Camera> orthographic(const Matrix& camera_to_world, double height) {
        return detail::make<Camera, HsCamera>([&](HsCamera** camera) {
            return hs_camera_orthographic(camera_to_world.data(), height, camera);
        });
    }
    // Makes a camera from the matrices that draw its picture, world to view and view to clip space.
    static Answer<Camera> from_matrices(const Matrix& view, const Matrix& projection) {
        return detail::make<Camera, HsCamera>([&](HsCamera** camera) {
            return hs_camera_from_matrices(view.data(), projection.data(), camera);
        });
    }
    // Fixes the aspect ratio of a camera, width over height.
    HsStatus set_aspect(double aspect) {
        return hs_camera_set_aspect(get(), aspect);
    }
    // Limits the depth of a camera's picture: the camera's rays begin at the depth `near` and end at the depth `far`.
    HsStatus set_clip(double near_plane, double far_plane) {
        return hs_camera_set_clip(get(), near_plane, far_plane);
    }
    // Turns the picture of a camera upside down: for matrices whose clip space has y downwards (Vulkan).
    HsStatus set_clip_y_down() {
        return hs_camera_set_clip_y_down(get());
    }
    // Lets an orthographic camera look along the +z of its view space: for matrices whose view space is left-handed.
    HsStatus set_view_left_handed() {
        return hs_camera_set_view_left_handed(get());
    }
    // Makes a camera relative to an origin of three doubles.
    HsStatus set_origin(const DVec3& origin) {
        return hs_camera_set_origin(get(), origin.data());
    }
    // Writes the ray under a cursor at window pixel (x, y).
    Answer<HsRay> ray(float x, float y, const HsViewport& viewport) const {
        return detail::ask<HsRay>([&](HsRay* ray) { return hs_camera_ray(get(), x, y, &viewport, ray); });
    }

private:
    detail::Handle<HsCamera, hs_camera_free> handle_;
};

// A region of the window, for `HsSelection`.
class Region {
public:
    explicit Region(HsRegion* handle = nullptr) : handle_(handle) {}
    HsRegion* get() const { return handle_.get(); }
    // Makes a lasso from its corners, two floats each, in window pixels.
    static Answer<Region> lasso(View<const float> corners) {
        return detail::make<Region, HsRegion>([&](HsRegion** region) {
            return hs_region_lasso(corners.data(), corners.size() / 2, region);
        });
    }
    // Makes the rectangle between two corners, in window pixels.
    static Answer<Region> rect(float x0, float y0, float x1, float y1) {
        return detail::make<Region, HsRegion>([&](HsRegion** region) {
            return hs_region_rect(x0, y0, x1, y1, region);
        });
    }
    // Makes a circle, in window pixels.
    static Answer<Region> circle(float x, float y, float radius) {
        return detail::make<Region, HsRegion>([&](HsRegion** region) {
            return hs_region_circle(x, y, radius, region);
        });
    }

private:
    detail::Handle<HsRegion, hs_region_free> handle_;
};

// The test by which two entities are a pair: a test of their shapes, or of their boxes alone, which is faster.
enum class PairTest : std::int32_t { shapes = 0, boxes = 1 };

// An explanation why a ray does not hit an entity first, with a sentence for people.
struct Explanation : HsExplanation {
    const char* text() const { return sentence.empty() ? "" : sentence.data(); }

    // The sentence, with a terminating null.
    std::vector<char> sentence;
};

// The questions to a scene, or to a snapshot of one.
class SceneView {
public:
    explicit SceneView(const HsScene* scene) : scene_(scene) {}

    const HsScene* view() const { return scene_; }
    bool contains(Key key) const { return hs_scene_contains(view(), key) == HS_STATUS_OK; }
    // There is no answer if no entity has this key.
    Answer<Bounds> bounds_of(Key key) const {
        return detail::ask<Bounds>([&](Bounds* bounds) {
            return hs_scene_bounds_of(view(), key, bounds->min.data(), bounds->max.data());
        });
    }
    // Finds the first `n` hits of a ray, in order; this is faster than finding all hits.
    Answer<std::vector<HsHit>> cast_first_n(const HsRay& ray, std::size_t n, const Filter* filter = nullptr) const {
        return detail::ask_all<HsHit>([&](HsHit* hits, std::size_t capacity, std::size_t* count) {
            return hs_scene_cast_first_n(view(), &ray, detail::choices(filter), hits, capacity, count);
        }, n);
    }
    // Does the same as `Mesh::cast_all_columns` for a scene.
    Answer<std::size_t> cast_all_columns(const HsRayColumns& rays, View<std::size_t> offsets, const HsHitColumns& hits,
                                         std::size_t capacity, const Filter* filter = nullptr) const {
        return detail::ask_lists(offsets, [&](std::size_t rays_count, std::size_t* hit_count) {
            return hs_scene_cast_all_columns(view(), &rays, rays_count, detail::choices(filter), offsets.data(), &hits,
                                             capacity, hit_count);
        });
    }
    // Explains why a ray does not hit an entity first, or that it does.
    Answer<Explanation> explain(const HsRay& ray, Key key, const Filter* filter = nullptr) const {
        Explanation found{};
        auto text = detail::ask_all<char>([&](char* text, std::size_t capacity, std::size_t* count) {
            return hs_scene_explain(view(), &ray, key, detail::choices(filter), &found, text, capacity, count);
        }, 256);
        if (text) found.sentence = std::move(*text);
        return {text.status(), std::move(found)};
    }
    // Follows a shot of a range in world units. `impact(ray, hit)` returns the `HsImpact` of each hit, and does not
    // throw.
    template <class F>
    Answer<std::vector<HsShotLeg>> shoot(const HsRay& ray, float range, F impact,
                                         const Filter* filter = nullptr) const {
        const auto call = [](void* user, const HsRay* ray, const HsHit* hit) noexcept -> std::int32_t {
            return (*static_cast<F*>(user))(*ray, *hit);
        };
        // There are never more legs than this, so the shot is followed only once.
        const std::size_t most = 1024;
        return detail::ask_all<HsShotLeg>([&](HsShotLeg* legs, std::size_t capacity, std::size_t* count) {
            return hs_scene_shoot(view(), &ray, range, detail::choices(filter), call, &impact, legs, capacity, count);
        }, most);
    }
    // Finds all pairs of entities that overlap, of which one is on `layers` and the other on `other_layers`.
    Answer<std::vector<std::array<Key, 2>>> overlap_pairs(std::uint32_t layers = UINT32_MAX,
                                                          std::uint32_t other_layers = UINT32_MAX,
                                                          PairTest test = PairTest::shapes) const {
        using Pair = std::array<Key, 2>;
        return detail::ask_all<Pair>([&](Pair* pairs, std::size_t capacity, std::size_t* count) {
            return hs_scene_overlap_pairs(view(), layers, other_layers, static_cast<std::int32_t>(test), pairs->data(),
                                          capacity, count);
        });
    }
    // Finds the first contact of every two entities that come to touch while the given entities move at the same time.
    Answer<std::vector<HsEntityImpact>> first_impacts(View<const HsEntityMotion> motions, double tolerance,
                                                      std::uint32_t layers = UINT32_MAX,
                                                      std::uint32_t other_layers = UINT32_MAX) const {
        return detail::ask_all<HsEntityImpact>([&](HsEntityImpact* impacts, std::size_t capacity, std::size_t* count) {
            return hs_scene_first_impacts(view(), motions.data(), motions.size(), tolerance, layers, other_layers,
                                          impacts, capacity, count);
        });
    }
    // Finds all pairs of an entity of this scene and an entity of another one that overlap.
    Answer<std::vector<std::array<Key, 2>>> overlap_pairs_against(const SceneView& other,
                                                                  std::uint32_t layers = UINT32_MAX,
                                                                  std::uint32_t other_layers = UINT32_MAX,
                                                                  PairTest test = PairTest::shapes) const {
        using Pair = std::array<Key, 2>;
        return detail::ask_all<Pair>([&](Pair* pairs, std::size_t capacity, std::size_t* count) {
            return hs_scene_overlap_pairs_against(view(), other.view(), layers, other_layers,
                                                  static_cast<std::int32_t>(test), pairs->data(), capacity, count);
        });
    }
    // Finds the two entities that are nearest to each other, of which one is on `layers` and the other on `other_layers`.
    Answer<HsNearPair> closest_pair(std::uint32_t layers = UINT32_MAX, std::uint32_t other_layers = UINT32_MAX) const {
        return detail::ask<HsNearPair>([&](HsNearPair* pair) {
            return hs_scene_closest_pair(view(), layers, other_layers, pair);
        });
    }
    // Finds the entity of this scene and the entity of another one that are nearest to each other.
    Answer<HsNearPair> closest_pair_against(const SceneView& other, std::uint32_t layers = UINT32_MAX,
                                            std::uint32_t other_layers = UINT32_MAX) const {
        return detail::ask<HsNearPair>([&](HsNearPair* pair) {
            return hs_scene_closest_pair_against(view(), other.view(), layers, other_layers, pair);
        });
    }
    // Finds the penetration of every two convex pieces of two entities that overlap or touch, the deepest first.
    Answer<std::vector<HsPairPenetration>> pair_penetration_all(Key first, Key second) const {
        return detail::ask_all<HsPairPenetration>([&](HsPairPenetration* found, std::size_t capacity, std::size_t* count) {
            return hs_scene_pair_penetration_all(view(), first, second, found, capacity, count);
        });
    }
    // Finds all pairs of entities that are no farther apart than `max_distance`.
    Answer<std::vector<HsNearPair>> distance_pairs(double max_distance, std::uint32_t layers = UINT32_MAX,
                                                   std::uint32_t other_layers = UINT32_MAX) const {
        return detail::ask_all<HsNearPair>([&](HsNearPair* pairs, std::size_t capacity, std::size_t* count) {
            return hs_scene_distance_pairs(view(), max_distance, layers, other_layers, pairs, capacity, count);
        });
    }
    // Finds all pairs of an entity of this scene and an entity of another one that are no farther apart than
    // `max_distance`.
    Answer<std::vector<HsNearPair>> distance_pairs_against(const SceneView& other, double max_distance,
                                                           std::uint32_t layers = UINT32_MAX,
                                                           std::uint32_t other_layers = UINT32_MAX) const {
        return detail::ask_all<HsNearPair>([&](HsNearPair* pairs, std::size_t capacity, std::size_t* count) {
            return hs_scene_distance_pairs_against(view(), other.view(), max_distance, layers, other_layers, pairs,
                                                   capacity, count);
        });
    }
    // Returns the number of entities; 0 for null.
    std::size_t count() const {
        return hs_scene_count(view());
    }
    // Writes the keys of all entities, in no particular order, and their number.
    Answer<std::vector<Key>> keys() const {
        return detail::ask_all<Key>([&](Key* keys, std::size_t capacity, std::size_t* count) {
            return hs_scene_keys(view(), keys, capacity, count);
        });
    }
    // Writes the transform from an entity's own space to the world, sixteen doubles, column after column.
    Answer<Matrix> transform(Key key) const {
        return detail::ask<Matrix>([&](Matrix* transform) {
            return hs_scene_get_transform(view(), key, transform->data());
        });
    }
    // Writes the layers of an entity, a bit each.
    Answer<std::uint32_t> layers(Key key) const {
        return detail::ask<std::uint32_t>([&](std::uint32_t* layers) {
            return hs_scene_get_layers(view(), key, layers);
        });
    }
    // Writes a scene as bytes, and their number.
    Answer<std::vector<std::uint8_t>> save() const {
        return detail::ask_all<std::uint8_t>([&](std::uint8_t* bytes, std::size_t capacity, std::size_t* count) {
            return hs_scene_save(view(), bytes, capacity, count);
        }, 0);
    }
    // Finds the closest hit of a ray.
    Answer<HsHit> cast(const HsRay& ray, const Filter* filter = nullptr) const {
        return detail::ask<HsHit>([&](HsHit* hit) {
            return hs_scene_cast(view(), &ray, detail::choices(filter), hit);
        });
    }
    // Finds whether a ray hits anything.
    Answer<bool> is_blocked(const HsRay& ray, const Filter* filter = nullptr) const {
        return detail::ask<bool>([&](bool* blocked) {
            return hs_scene_is_blocked(view(), &ray, detail::choices(filter), blocked);
        });
    }
    // Finds all hits of a ray, in order: each triangle that it touches, two at an edge that they share, and each
    // crossing of a solid.
    Answer<std::vector<HsHit>> cast_all(const HsRay& ray, const Filter* filter = nullptr) const {
        return detail::ask_all<HsHit>([&](HsHit* hits, std::size_t capacity, std::size_t* count) {
            return hs_scene_cast_all(view(), &ray, detail::choices(filter), hits, capacity, count);
        });
    }
    // Finds the first hit of a ray on each entity, in order.
    Answer<std::vector<HsHit>> cast_entities(const HsRay& ray, const Filter* filter = nullptr) const {
        return detail::ask_all<HsHit>([&](HsHit* hits, std::size_t capacity, std::size_t* count) {
            return hs_scene_cast_entities(view(), &ray, detail::choices(filter), hits, capacity, count);
        });
    }
    // Finds whether nothing is between two points of three floats each.
    Answer<bool> sees(const Vec3& eye, const Vec3& point, const Filter* filter = nullptr) const {
        return detail::ask<bool>([&](bool* sees) {
            return hs_scene_sees(view(), eye.data(), point.data(), detail::choices(filter), sees);
        });
    }
    // Finds whether nothing is between a point of one entity and a point of another one.
    Answer<bool> line_of_sight(Key from, const Vec3& from_point, Key to, const Vec3& to_point,
                               const Filter* filter = nullptr) const {
        return detail::ask<bool>([&](bool* sees) {
            return hs_scene_line_of_sight(view(), from, from_point.data(), to, to_point.data(), detail::choices(filter),
                                          sees);
        });
    }
    // Finds the ground below a point of three floats, against the direction `up` and within a distance.
    Answer<HsGround> ground_below(const Vec3& point, const Vec3& up, float reach,
                                  const Filter* filter = nullptr) const {
        return detail::ask<HsGround>([&](HsGround* ground) {
            return hs_scene_ground_below(view(), point.data(), up.data(), reach, detail::choices(filter), ground);
        });
    }
    // Finds the intervals of a ray that are inside of solids and closed meshes, in order.
    Answer<std::vector<HsInterval>> solid_intervals(const HsRay& ray, const Filter* filter = nullptr) const {
        return detail::ask_all<HsInterval>([&](HsInterval* intervals, std::size_t capacity, std::size_t* count) {
            return hs_scene_solid_intervals(view(), &ray, detail::choices(filter), intervals, capacity, count);
        });
    }
    // Moves a point by a motion, three floats each, until it is at the distance `skin` from a surface.
    Answer<HsPointMove> move_point(const Vec3& from, const Vec3& motion, float skin,
                                   const Filter* filter = nullptr) const {
        return detail::ask<HsPointMove>([&](HsPointMove* moved) {
            return hs_scene_move_point(view(), from.data(), motion.data(), skin, detail::choices(filter), moved);
        });
    }
    // Finds the first hit of something that is thrown, along chords that are at most `tolerance` from its path.
    Answer<HsTrajectoryHit> cast_trajectory(const HsTrajectory& trajectory, float tolerance,
                                            const Filter* filter = nullptr) const {
        return detail::ask<HsTrajectoryHit>([&](HsTrajectoryHit* hit) {
            return hs_scene_cast_trajectory(view(), &trajectory, tolerance, detail::choices(filter), hit);
        });
    }
    // Finds the first hit along a path through `count` points of three floats each.
    Answer<HsPathHit> cast_path(View<const float> points, const Filter* filter = nullptr) const {
        return detail::ask<HsPathHit>([&](HsPathHit* hit) {
            return hs_scene_cast_path(view(), points.data(), points.size() / 3, detail::choices(filter), hit);
        });
    }
    // Counts how many of `count` points of three floats each can be seen from an eye, with nothing in between.
    Answer<std::size_t> visibility(const Vec3& eye, View<const float> points, const Filter* filter = nullptr) const {
        return detail::ask<std::size_t>([&](std::size_t* seen) {
            return hs_scene_visibility(view(), eye.data(), points.data(), points.size() / 3, detail::choices(filter),
                                       seen);
        });
    }
    // Finds the first contact of a volume that is moved by a motion of three doubles.
    Answer<HsSweepHit> sweep(const HsVolume& volume, const HsPose& from, const DVec3& motion,
                             const Filter* filter = nullptr) const {
        return detail::ask<HsSweepHit>([&](HsSweepHit* hit) {
            return hs_scene_sweep(view(), &volume, &from, motion.data(), detail::choices(filter), hit);
        });
    }
    // Finds all contacts of a volume that is moved by a motion of three doubles, in order.
    Answer<std::vector<HsSweepHit>> sweep_all(const HsVolume& volume, const HsPose& from, const DVec3& motion,
                                              const Filter* filter = nullptr) const {
        return detail::ask_all<HsSweepHit>([&](HsSweepHit* hits, std::size_t capacity, std::size_t* count) {
            return hs_scene_sweep_all(view(), &volume, &from, motion.data(), detail::choices(filter), hits, capacity,
                                      count);
        });
    }
    // Finds the first contact of a volume that moves and rotates from one pose to another one.
    Answer<HsSweepHit> sweep_rotating(const HsVolume& volume, const HsPose& from, const HsPose& to,
                                      const Filter* filter = nullptr) const {
        return detail::ask<HsSweepHit>([&](HsSweepHit* hit) {
            return hs_scene_sweep_rotating(view(), &volume, &from, &to, detail::choices(filter), hit);
        });
    }
    // Finds the first contact that an entity of the scene has with any other entity when it moves by a motion of three
    // doubles.
    Answer<HsSweepHit> sweep_entity(Key key, const DVec3& motion, const Filter* filter = nullptr) const {
        return detail::ask<HsSweepHit>([&](HsSweepHit* hit) {
            return hs_scene_sweep_entity(view(), key, motion.data(), detail::choices(filter), hit);
        });
    }
    // Finds whether a volume overlaps anything.
    Answer<bool> overlaps(const HsVolume& volume, const HsPose& at, const Filter* filter = nullptr) const {
        return detail::ask<bool>([&](bool* overlaps) {
            return hs_scene_overlaps(view(), &volume, &at, detail::choices(filter), overlaps);
        });
    }
    // Finds the entities that a volume overlaps.
    Answer<std::vector<Key>> overlap_entities(const HsVolume& volume, const HsPose& at,
                                              const Filter* filter = nullptr) const {
        return detail::ask_all<Key>([&](Key* keys, std::size_t capacity, std::size_t* count) {
            return hs_scene_overlap_entities(view(), &volume, &at, detail::choices(filter), keys, capacity, count);
        });
    }
    // Finds all parts and triangles that a volume overlaps.
    Answer<std::vector<HsOverlap>> overlap_all(const HsVolume& volume, const HsPose& at,
                                               const Filter* filter = nullptr) const {
        return detail::ask_all<HsOverlap>([&](HsOverlap* overlaps, std::size_t capacity, std::size_t* count) {
            return hs_scene_overlap_all(view(), &volume, &at, detail::choices(filter), overlaps, capacity, count);
        });
    }
    // Finds the deepest overlap of a volume.
    Answer<HsPenetration> penetration(const HsVolume& volume, const HsPose& at, const Filter* filter = nullptr) const {
        return detail::ask<HsPenetration>([&](HsPenetration* penetration) {
            return hs_scene_penetration(view(), &volume, &at, detail::choices(filter), penetration);
        });
    }
    // Finds the overlap of a volume with each part.
    Answer<std::vector<HsPenetration>> penetration_all(const HsVolume& volume, const HsPose& at,
                                                       const Filter* filter = nullptr) const {
        return detail::ask_all<HsPenetration>(
            [&](HsPenetration* penetrations, std::size_t capacity, std::size_t* count) {
                return hs_scene_penetration_all(view(), &volume, &at, detail::choices(filter), penetrations, capacity,
                                                count);
            });
    }
    // Finds the points at which a volume touches or overlaps something, up to four for each part.
    Answer<std::vector<HsContactPoint>> contact_points(const HsVolume& volume, const HsPose& at,
                                                       const Filter* filter = nullptr) const {
        return detail::ask_all<HsContactPoint>([&](HsContactPoint* contacts, std::size_t capacity, std::size_t* count) {
            return hs_scene_contact_points(view(), &volume, &at, detail::choices(filter), contacts, capacity, count);
        });
    }
    // Finds the nearest point for each of many points of three doubles, on all threads.
    HsStatus closest_point_batch(View<const double> points, double max_distance, View<HsNearest> nearest,
                                 const Filter* filter = nullptr) const {
        if (points.size() != 3 * nearest.size()) return HS_STATUS_INVALID_ARGUMENT;
        return hs_scene_closest_point_batch(view(), points.data(), 0, points.size() / 3, max_distance,
                                            detail::choices(filter), nearest.data());
    }
    // Finds the point of all entities that is nearest to a point of three doubles, within `max_distance`, which may be
    // infinite.
    Answer<HsNearest> closest_point(const DVec3& point, double max_distance, const Filter* filter = nullptr) const {
        return detail::ask<HsNearest>([&](HsNearest* nearest) {
            return hs_scene_closest_point(view(), point.data(), max_distance, detail::choices(filter), nearest);
        });
    }
    // Finds whether two entities overlap.
    Answer<bool> pair_overlaps(Key first, Key second) const {
        return detail::ask<bool>([&](bool* overlaps) {
            return hs_scene_pair_overlaps(view(), first, second, overlaps);
        });
    }
    // Finds the distance between two entities.
    Answer<HsPairDistance> pair_distance(Key first, Key second) const {
        return detail::ask<HsPairDistance>([&](HsPairDistance* distance) {
            return hs_scene_pair_distance(view(), first, second, distance);
        });
    }
    // Finds how deep two entities overlap.
    Answer<HsPairPenetration> pair_penetration(Key first, Key second) const {
        return detail::ask<HsPairPenetration>([&](HsPairPenetration* penetration) {
            return hs_scene_pair_penetration(view(), first, second, penetration);
        });
    }
    // Finds the closest hit of each of many rays, on all threads: the same answers as by `hs_scene_cast`.
    HsStatus cast_batch(View<const HsRay> rays, View<HsHit> hits, const Filter* filter = nullptr) const {
        if (rays.size() != hits.size()) return HS_STATUS_INVALID_ARGUMENT;
        return hs_scene_cast_batch(view(), rays.data(), 0, rays.size(), detail::choices(filter), hits.data(), 0);
    }
    // Does the same as `hs_scene_cast_batch`, but reads the rays from columns, and writes the hits to columns.
    HsStatus cast_columns(const HsRayColumns& rays, std::size_t count, const HsHitColumns& hits,
                          const Filter* filter = nullptr) const {
        return hs_scene_cast_columns(view(), &rays, count, detail::choices(filter), &hits);
    }
    // Finds for each of many rays whether it hits anything, on all threads.
    HsStatus is_blocked_batch(View<const HsRay> rays, View<bool> blocked, const Filter* filter = nullptr) const {
        if (rays.size() != blocked.size()) return HS_STATUS_INVALID_ARGUMENT;
        return hs_scene_is_blocked_batch(view(), rays.data(), 0, rays.size(), detail::choices(filter), blocked.data());
    }
    // Finds the entities that a selection shows.
    Answer<std::vector<Key>> select_entities(const HsSelection& selection, const Filter* filter = nullptr) const {
        return detail::ask_all<Key>([&](Key* keys, std::size_t capacity, std::size_t* count) {
            return hs_scene_select_entities(view(), &selection, detail::choices(filter), keys, capacity, count);
        });
    }
    // Finds the triangles that a selection shows.
    Answer<std::vector<HsSelected>> select_triangles(const HsSelection& selection,
                                                     const Filter* filter = nullptr) const {
        return detail::ask_all<HsSelected>([&](HsSelected* triangles, std::size_t capacity, std::size_t* count) {
            return hs_scene_select_triangles(view(), &selection, detail::choices(filter), triangles, capacity, count);
        });
    }
    // Finds the vertices that a selection shows.
    Answer<std::vector<HsSelected>> select_vertices(const HsSelection& selection,
                                                    const Filter* filter = nullptr) const {
        return detail::ask_all<HsSelected>([&](HsSelected* vertices, std::size_t capacity, std::size_t* count) {
            return hs_scene_select_vertices(view(), &selection, detail::choices(filter), vertices, capacity, count);
        });
    }
    // Finds the edges that a selection shows.
    Answer<std::vector<HsSelected>> select_edges(const HsSelection& selection, const Filter* filter = nullptr) const {
        return detail::ask_all<HsSelected>([&](HsSelected* edges, std::size_t capacity, std::size_t* count) {
            return hs_scene_select_edges(view(), &selection, detail::choices(filter), edges, capacity, count);
        });
    }
    // Finds the point that a cursor snaps to.
    Answer<HsSnap> snap(const HsCursor& cursor, const Filter* filter = nullptr) const {
        return detail::ask<HsSnap>([&](HsSnap* snap) {
            return hs_scene_snap(view(), &cursor, detail::choices(filter), snap);
        });
    }
    // Finds all points that a cursor could snap to, the most wanted first.
    Answer<std::vector<HsSnap>> snap_all(const HsCursor& cursor, const Filter* filter = nullptr) const {
        return detail::ask_all<HsSnap>([&](HsSnap* snaps, std::size_t capacity, std::size_t* count) {
            return hs_scene_snap_all(view(), &cursor, detail::choices(filter), snaps, capacity, count);
        });
    }
    // Finds the place on the first surface under a cursor at window pixel (x, y).
    Answer<HsSurfacePoint> surface_point(const Camera& camera, const HsViewport& viewport, float x, float y,
                                         const HsDragPath& otherwise, const Filter* filter = nullptr) const {
        return detail::ask<HsSurfacePoint>([&](HsSurfacePoint* surface) {
            return hs_scene_surface_point(view(), camera.get(), &viewport, x, y, &otherwise, detail::choices(filter),
                                          surface);
        });
    }
    // Finds the entities within a radius of a center of three doubles, in world space relative to the filter's origin.
    Answer<std::vector<HsBlastHit>> blast(const DVec3& center, float radius, const Filter* filter = nullptr,
                                          const Filter* hidden_by = nullptr) const {
        return detail::ask_all<HsBlastHit>([&](HsBlastHit* hits, std::size_t capacity, std::size_t* count) {
            return hs_scene_blast(view(), center.data(), radius, detail::choices(filter), detail::choices(hidden_by),
                                  hits, capacity, count);
        });
    }
    // Finds the end of a camera arm that goes from a target in a direction of any length.
    Answer<HsArmEnd> camera_arm_end(const HsCameraArm& arm, const DVec3& target, const DVec3& direction,
                                    const Filter* filter = nullptr) const {
        return detail::ask<HsArmEnd>([&](HsArmEnd* end) {
            return hs_scene_camera_arm_end(view(), &arm, target.data(), direction.data(), detail::choices(filter), end);
        });
    }
    // Finds the nearest edge ahead of the feet, in the direction of the component of `forward` perpendicular to `up`.
    Answer<HsLedge> find_ledge(const HsLedgeProbe& probe, const DVec3& feet, const DVec3& forward, const DVec3& up,
                               const Filter* filter = nullptr) const {
        return detail::ask<HsLedge>([&](HsLedge* ledge) {
            return hs_scene_find_ledge(view(), &probe, feet.data(), forward.data(), up.data(), detail::choices(filter),
                                       ledge);
        });
    }

protected:
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
    HsStatus insert(Key key, const Custom& custom, const Matrix& transform) {
        return hs_scene_insert_custom(get(), key, custom.get(), transform.data());
    }
    HsStatus insert(Key key, View<const HsPart> parts, const Matrix& transform) {
        return hs_scene_insert_compound(get(), key, parts.data(), parts.size(), transform.data());
    }
    // Moves many entities at once: `transforms` has sixteen doubles for each key. The answer is the number of these
    // keys that are in the scene.
    Answer<std::size_t> set_transforms(View<const Key> keys, View<const double> transforms) {
        if (transforms.size() != 16 * keys.size()) return {HS_STATUS_INVALID_ARGUMENT, 0};
        return detail::ask<std::size_t>([&](std::size_t* moved) {
            return hs_scene_set_transforms(get(), keys.data(), transforms.data(), keys.size(), moved);
        });
    }
    // Changes the heights of a height field in some rows from `row` on, and there in `columns` columns from `column`
    // on. The number of rows is the size of `heights` divided by `columns`.
    HsStatus set_heights(Key key, std::uint32_t part, std::size_t row, std::size_t column, std::size_t columns,
                         View<const float> heights) {
        const std::size_t rows = columns == 0 ? 0 : heights.size() / columns;
        return hs_scene_set_heights(get(), key, part, row, rows, column, columns, heights.data());
    }
    // Puts a cloud of points into a scene, to snap to; rays and volumes do not hit it.
    HsStatus insert_points(Key key, View<const float> points, const Matrix& transform) {
        return hs_scene_insert_points(get(), key, points.data(), 0, points.size() / 3, transform.data());
    }
    // Puts a line through points into a scene, to snap to; rays and volumes do not hit it.
    HsStatus insert_polyline(Key key, View<const float> points, const Matrix& transform) {
        return hs_scene_insert_polyline(get(), key, points.data(), 0, points.size() / 3, transform.data());
    }
    // Moves the vertices of the mesh of an entity, or of one part of a compound.
    HsStatus refit(Key key, std::uint32_t part, View<const float> points) {
        return hs_scene_refit(get(), key, part, points.data(), 0, points.size() / 3);
    }
    // Makes a scene from bytes of `hs_scene_save`.
    static Answer<Scene> load(View<const std::uint8_t> bytes) {
        return detail::make<Scene, HsScene>([&](HsScene** scene) {
            return hs_scene_load(bytes.data(), bytes.size(), scene);
        });
    }
    // Makes an empty scene.
    static Answer<Scene> make() {
        return detail::make<Scene, HsScene>([&](HsScene** scene) { return hs_scene_new(scene); });
    }
    // Removes an entity.
    HsStatus remove(Key key) {
        return hs_scene_remove(get(), key);
    }
    // Removes all entities.
    HsStatus clear() {
        return hs_scene_clear(get());
    }
    // Moves an entity.
    HsStatus set_transform(Key key, const Matrix& transform) {
        return hs_scene_set_transform(get(), key, transform.data());
    }
    // Moves an entity to a pose.
    HsStatus set_pose(Key key, const HsPose& pose) {
        return hs_scene_set_pose(get(), key, &pose);
    }
    // Puts an entity on layers, a bit each.
    HsStatus set_layers(Key key, std::uint32_t layers) {
        return hs_scene_set_layers(get(), key, layers);
    }

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

// The path of a ray that goes on from its hits. It belongs to one thread at a time.
class Path {
public:
    explicit Path(HsPath* handle = nullptr) : handle_(handle) {}
    HsPath* get() const { return handle_.get(); }
    // Finds the closest hit of a ray that goes on from the last hit of a path, and remembers it.
    Answer<HsHit> cast(const SceneView& scene, const HsRay& ray, const Filter* filter = nullptr) {
        return detail::ask<HsHit>([&](HsHit* hit) {
            return hs_path_cast(get(), scene.view(), &ray, detail::choices(filter), hit);
        });
    }
    // Writes the ray that is reflected at the last hit of a path.
    Answer<HsRay> bounce() const {
        return detail::ask<HsRay>([&](HsRay* ray) { return hs_path_bounce(get(), ray); });
    }
    // Writes the ray that goes straight on from the last hit of a path.
    Answer<HsRay> onward() const {
        return detail::ask<HsRay>([&](HsRay* ray) { return hs_path_onward(get(), ray); });
    }
    // Makes a path without a hit.
    static Answer<Path> make() {
        return detail::make<Path, HsPath>([&](HsPath** path) { return hs_path_new(path); });
    }
    // Lets a path forget its last hit, so that another one can begin.
    HsStatus reset() {
        return hs_path_reset(get());
    }
    // Writes the texture coordinates at the last hit of a path, two floats.
    Answer<std::array<float, 2>> texcoord(const SceneView& scene) const {
        return detail::ask<std::array<float, 2>>([&](std::array<float, 2>* texcoord) {
            return hs_path_texcoord(get(), scene.view(), texcoord->data());
        });
    }
    // Writes the smooth normal at the last hit of a path, three floats, interpolated from the vertices and in world
    // space.
    Answer<Vec3> normal(const SceneView& scene) const {
        return detail::ask<Vec3>([&](Vec3* normal) { return hs_path_normal(get(), scene.view(), normal->data()); });
    }

private:
    detail::Handle<HsPath, hs_path_free> handle_;
};

// The pairs of entities that overlapped at the last update. It belongs to one thread at a time.
class PairTracker {
public:
    explicit PairTracker(HsPairTracker* handle = nullptr) : handle_(handle) {}
    static Answer<PairTracker> make(std::uint32_t layers = UINT32_MAX, std::uint32_t other_layers = UINT32_MAX,
                                    PairTest test = PairTest::shapes) {
        return detail::make<PairTracker, HsPairTracker>([&](HsPairTracker** tracker) {
            return hs_pair_tracker_new(layers, other_layers, static_cast<std::int32_t>(test), tracker);
        });
    }
    HsPairTracker* get() const { return handle_.get(); }
    // Compares a scene with the last update, usually once a frame, and replaces the events of a tracker.
    HsStatus update(const SceneView& scene) {
        return hs_pair_tracker_update(get(), scene.view());
    }
    // Writes the events of the last update: one for each pair that overlaps or did before.
    Answer<std::vector<HsPairEvent>> events() const {
        return detail::ask_all<HsPairEvent>([&](HsPairEvent* events, std::size_t capacity, std::size_t* count) {
            return hs_pair_tracker_events(get(), events, capacity, count);
        });
    }

private:
    detail::Handle<HsPairTracker, hs_pair_tracker_free> handle_;
};

// A character that walks.
class Character {
public:
    explicit Character(HsCharacter* handle = nullptr) : handle_(handle) {}
    HsCharacter* get() const { return handle_.get(); }
    Answer<HsCharacterSettings> settings() const {
        return detail::ask<HsCharacterSettings>([&](HsCharacterSettings* settings) {
            return hs_character_get_settings(get(), settings, sizeof *settings);
        });
    }
    Answer<HsMoved> move(const SceneView& scene, const DVec3& velocity, double dt, const Filter* filter = nullptr) {
        return move_with(scene, velocity, dt, nullptr, nullptr, filter);
    }
    // Moves, and asks `responder(contact, velocity)` about each contact. The responder returns an `HsResponse`, writes
    // the velocity of a conveyor to its `DVec3`, and must not throw.
    template <class F>
    Answer<HsMoved> move_and_respond(const SceneView& scene, const DVec3& velocity, double dt, F responder,
                                     const Filter* filter = nullptr) {
        const auto call = [](void* user, const HsCharacterContact* contact, double* written) noexcept -> std::int32_t {
            DVec3 conveyor{};
            const std::int32_t response = (*static_cast<F*>(user))(*contact, conveyor);
            for (std::size_t axis = 0; axis < 3; ++axis) written[axis] = conveyor[axis];
            return response;
        };
        return move_with(scene, velocity, dt, call, &responder, filter);
    }
    // Makes a character of a volume, at a position of three doubles, with the usual settings for the volume.
    static Answer<Character> make(const HsVolume& volume, const DVec3& at) {
        return detail::make<Character, HsCharacter>([&](HsCharacter** character) {
            return hs_character_new(&volume, at.data(), character);
        });
    }
    // Makes a copy of a character, with all that it remembers.
    Answer<Character> clone() const {
        return detail::make<Character, HsCharacter>([&](HsCharacter** clone) {
            return hs_character_clone(get(), clone);
        });
    }
    // Changes the settings of a character.
    HsStatus set_settings(const HsCharacterSettings& settings) {
        return hs_character_set_settings(get(), &settings);
    }
    // Writes the place of a character.
    Answer<HsPose> pose() const {
        return detail::ask<HsPose>([&](HsPose* pose) { return hs_character_get_pose(get(), pose); });
    }
    // Puts a character somewhere else, without a move.
    HsStatus set_pose(const HsPose& pose) {
        return hs_character_set_pose(get(), &pose);
    }
    // Puts a character at a position of three doubles, in the air: the ground that it stood on no longer carries it.
    HsStatus teleport(const DVec3& to) {
        return hs_character_teleport(get(), to.data());
    }
    // Says that a character jumps: no ground holds it until its velocity no longer points up.
    HsStatus leave_ground() {
        return hs_character_leave_ground(get());
    }
    // Says that the entity on which a character stands was placed somewhere else rather than moved there, so that it
    // does not carry the character.
    HsStatus ground_was_placed() {
        return hs_character_ground_was_placed(get());
    }
    // Finds whether there is room for a character where it is.
    Answer<bool> has_room(const SceneView& scene, const Filter* filter = nullptr) const {
        return detail::ask<bool>([&](bool* has_room) {
            return hs_character_has_room(get(), scene.view(), detail::choices(filter), has_room);
        });
    }
    // Writes the contacts of the last move of a character, in the order in which it touched them; none before the first
    // move.
    Answer<std::vector<HsCharacterContact>> contacts() const {
        return detail::ask_all<HsCharacterContact>(
            [&](HsCharacterContact* contacts, std::size_t capacity, std::size_t* count) {
                return hs_character_get_contacts(get(), contacts, capacity, count);
            });
    }

private:
    Answer<HsMoved> move_with(const SceneView& scene, const DVec3& velocity, double dt, HsContactResponder responder,
                              void* user, const Filter* filter) {
        std::size_t count = 0;
        return detail::ask<HsMoved>([&](HsMoved* moved) {
            return hs_character_move(get(), scene.view(), velocity.data(), dt, detail::choices(filter), responder, user,
                                     moved, nullptr, 0, &count);
        });
    }

    detail::Handle<HsCharacter, hs_character_free> handle_;
};

}  // namespace hitscan

// No method calls hs_abi_version. None calls hs_scene_set_transform_f32 or hs_scene_set_transforms_f32 either: the
// methods take doubles.

#endif  // HITSCAN_HPP
