/* hitscan: ray casting, picking and collision queries. The rules for all functions are in docs/c.md.

   This file is generated from crates/hitscan-capi/src by `cargo xtask capi --header`. */

#ifndef HITSCAN_H
#define HITSCAN_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/**
 * The version of the binary interface, which is in the name of the shared library, too. It grows when a program has to
 * be compiled anew.
 */
#define HS_ABI_VERSION 1

/**
 * The triangle number of a hit on a thing without triangles, and the vertex number of an answer that is not at a
 * vertex.
 */
#define HS_NO_TRIANGLE UINT32_MAX

/**
 * The result of a call. A negative status is an error. Then `hs_last_error` returns its text, and nothing was changed
 * or written, except a null at the place of a new handle.
 */
enum HsStatus
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The call succeeded, and wrote its answer.
     */
    HS_STATUS_OK = 0,
    /**
     * There is no answer. Nothing was hit, or there is no such key. This is no error.
     */
    HS_STATUS_NONE = 1,
    /**
     * The caller's buffer is full, and there are more answers than fit: the count is the number of all answers. This is no error.
     */
    HS_STATUS_MORE = 2,
    /**
     * A pointer is null that must not be null.
     */
    HS_STATUS_NULL = -1,
    /**
     * A pointer or a stride is not aligned for its type.
     */
    HS_STATUS_MISALIGNED = -2,
    /**
     * A number, an enumerator, a count or a size is not one that the function takes.
     */
    HS_STATUS_INVALID_ARGUMENT = -3,
    /**
     * Something cannot be built from this input, such as a mesh with an index that has no vertex.
     */
    HS_STATUS_INVALID_INPUT = -4,
    /**
     * Saved bytes cannot be read.
     */
    HS_STATUS_UNREADABLE = -5,
    /**
     * An internal error of hitscan. Please report it, and free the handles of the call, which may be half changed.
     */
    HS_STATUS_INTERNAL = -6,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsStatus HsStatus;
#else
typedef int32_t HsStatus;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The side that a ray or volume hit.
 */
enum HsSide
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Nothing was hit.
     */
    HS_SIDE_NONE = 0,
    /**
     * The front of a surface, or a solid from outside.
     */
    HS_SIDE_FRONT = 1,
    /**
     * The back of a surface, or a solid from inside.
     */
    HS_SIDE_BACK = 2,
    /**
     * The start was inside of a solid, and `HS_INSIDE_SOLID` was chosen.
     */
    HS_SIDE_INSIDE = 3,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsSide HsSide;
#else
typedef int32_t HsSide;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The side of surfaces that is ignored.
 */
enum HsCull
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Both sides are hit.
     */
    HS_CULL_NONE = 0,
    /**
     * Back sides and the exits of solids are ignored.
     */
    HS_CULL_BACK = 1,
    /**
     * Front sides and the entries of solids are ignored.
     */
    HS_CULL_FRONT = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsCull HsCull;
#else
typedef int32_t HsCull;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The answer for a ray that starts inside of a solid.
 */
enum HsInside
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The ray hits the exit.
     */
    HS_INSIDE_EXIT = 0,
    /**
     * The ray hits the solid at once, at t_min.
     */
    HS_INSIDE_SOLID = 1,
    /**
     * The ray does not hit the solid.
     */
    HS_INSIDE_IGNORE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsInside HsInside;
#else
typedef int32_t HsInside;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The meaning of the holes of cut-out meshes.
 */
enum HsCutOuts
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Rays pass through the holes.
     */
    HS_CUT_OUTS_OPEN = 0,
    /**
     * Rays hit the triangles, holes or not.
     */
    HS_CUT_OUTS_SOLID = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsCutOuts HsCutOuts;
#else
typedef int32_t HsCutOuts;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The quality of a tree: a better tree takes longer to build, and makes rays faster.
 */
enum HsQuality
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The usual quality.
     */
    HS_QUALITY_BALANCED = 0,
    /**
     * A tree that is built fast.
     */
    HS_QUALITY_FAST = 1,
    /**
     * A tree for very many rays.
     */
    HS_QUALITY_BEST = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsQuality HsQuality;
#else
typedef int32_t HsQuality;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The data that a mesh keeps beside its vertices and indices. Answers are the same with each layout.
 */
enum HsLayout
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Triangles are stored in the form that rays need: the fastest layout.
     */
    HS_LAYOUT_PACKED = 0,
    /**
     * Each ray gathers triangles from the vertices: the layout with the least memory.
     */
    HS_LAYOUT_COMPACT = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsLayout HsLayout;
#else
typedef int32_t HsLayout;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The kind of a shape.
 */
enum HsShapeKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * No shape: the function that makes the shape was given a null pointer.
     */
    HS_SHAPE_KIND_INVALID = -1,
    /**
     * No shape. As a volume it is a point.
     */
    HS_SHAPE_KIND_NONE = 0,
    /**
     * A box along the axes.
     */
    HS_SHAPE_KIND_BOX = 1,
    /**
     * A box of any rotation.
     */
    HS_SHAPE_KIND_ORIENTED_BOX = 2,
    /**
     * A ball.
     */
    HS_SHAPE_KIND_SPHERE = 3,
    /**
     * All points within a radius of a segment.
     */
    HS_SHAPE_KIND_CAPSULE = 4,
    /**
     * A solid cylinder.
     */
    HS_SHAPE_KIND_CYLINDER = 5,
    /**
     * A solid cone.
     */
    HS_SHAPE_KIND_CONE = 6,
    /**
     * A flat disc.
     */
    HS_SHAPE_KIND_DISC = 7,
    /**
     * An infinite plane.
     */
    HS_SHAPE_KIND_PLANE = 8,
    /**
     * A parallelogram.
     */
    HS_SHAPE_KIND_QUAD = 9,
    /**
     * A triangle, whose corners go counter-clockwise seen from its front.
     */
    HS_SHAPE_KIND_TRIANGLE = 10,
    /**
     * A ring around the y axis.
     */
    HS_SHAPE_KIND_TORUS = 11,
    /**
     * A box along the axes with a margin around it.
     */
    HS_SHAPE_KIND_ROUNDED_BOX = 12,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsShapeKind HsShapeKind;
#else
typedef int32_t HsShapeKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The kind of place on a triangle or a flat shape.
 */
enum HsFeature
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A place between the edges, or any place on a round shape.
     */
    HS_FEATURE_FACE = 0,
    /**
     * A place on an edge.
     */
    HS_FEATURE_EDGE = 1,
    /**
     * A corner.
     */
    HS_FEATURE_VERTEX = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsFeature HsFeature;
#else
typedef int32_t HsFeature;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The relation between a point and the thing that is nearest to it.
 */
enum HsContainment
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The point is outside of a solid or a closed mesh, or on its surface.
     */
    HS_CONTAINMENT_OUTSIDE = 0,
    /**
     * The point is inside of a solid or a closed mesh.
     */
    HS_CONTAINMENT_INSIDE = 1,
    /**
     * There is no inside: a flat shape, a height field, a mesh that is not closed.
     */
    HS_CONTAINMENT_OPEN = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsContainment HsContainment;
#else
typedef int32_t HsContainment;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The relation between a volume and an obstacle, when the volume begins to move.
 */
enum HsSweepStart
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * They are apart.
     */
    HS_SWEEP_START_APART = 0,
    /**
     * They touch.
     */
    HS_SWEEP_START_TOUCHING = 1,
    /**
     * They overlap.
     */
    HS_SWEEP_START_PENETRATING = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsSweepStart HsSweepStart;
#else
typedef int32_t HsSweepStart;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The contacts of a moving volume that are reported.
 */
enum HsContacts
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * All contacts.
     */
    HS_CONTACTS_ALL = 0,
    /**
     * Contacts that stop the motion. A contact at the start is ignored if the volume moves away from the surface or
     * along it.
     */
    HS_CONTACTS_AHEAD = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsContacts HsContacts;
#else
typedef int32_t HsContacts;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The kind of the end of an interval that is inside of a solid.
 */
enum HsIntervalEnd
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The ray goes through the surface there.
     */
    HS_INTERVAL_END_SURFACE = 0,
    /**
     * The range of the ray ends there.
     */
    HS_INTERVAL_END_RANGE = 1,
    /**
     * The end is not known, because the mesh is not closed. Such an interval has length 0.
     */
    HS_INTERVAL_END_OPEN = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsIntervalEnd HsIntervalEnd;
#else
typedef int32_t HsIntervalEnd;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The share of a thing that must be in a region.
 */
enum HsRule
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A point of the thing, at least.
     */
    HS_RULE_TOUCHING = 0,
    /**
     * All of the thing.
     */
    HS_RULE_INSIDE = 1,
    /**
     * The centre of the thing.
     */
    HS_RULE_CENTER = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsRule HsRule;
#else
typedef int32_t HsRule;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The kinds of points that a cursor snaps to, the most wanted first.
 */
enum HsSnapKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A vertex of a mesh, a hull or a height field, or a point of a cloud or a line.
     */
    HS_SNAP_KIND_VERTEX = 0,
    /**
     * The middle of an edge.
     */
    HS_SNAP_KIND_MIDPOINT = 1,
    /**
     * The centre of the flat face under the cursor.
     */
    HS_SNAP_KIND_CENTER = 2,
    /**
     * The point at which two edges cross on the screen.
     */
    HS_SNAP_KIND_CROSSING = 3,
    /**
     * The foot of the perpendicular from the start point onto an edge.
     */
    HS_SNAP_KIND_PERPENDICULAR = 4,
    /**
     * A point on an edge.
     */
    HS_SNAP_KIND_EDGE = 5,
    /**
     * A point on an axis through the start point.
     */
    HS_SNAP_KIND_AXIS = 6,
    /**
     * The point on the surface under the cursor.
     */
    HS_SNAP_KIND_FACE = 7,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsSnapKind HsSnapKind;
#else
typedef int32_t HsSnapKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The treatment of points that are behind a surface.
 */
enum HsHidden
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * Hidden points are skipped.
     */
    HS_HIDDEN_SKIP = 0,
    /**
     * Hidden points are found, too.
     */
    HS_HIDDEN_KEEP = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsHidden HsHidden;
#else
typedef int32_t HsHidden;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The effect of a contact on a character.
 */
enum HsResponse
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The entity is solid.
     */
    HS_RESPONSE_SOLID = 0,
    /**
     * The entity is ignored until the end of the move. Examples are a trigger, and a one-way platform from below.
     */
    HS_RESPONSE_PASS_THROUGH = 1,
    /**
     * The entity is solid and carries the character at the velocity that the callback wrote.
     */
    HS_RESPONSE_CONVEYOR = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsResponse HsResponse;
#else
typedef int32_t HsResponse;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The diagonal by which a cell is cut into two triangles.
 */
enum HsDiagonal
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The diagonal from the corner of smallest x and z to the corner of largest x and z.
     */
    HS_DIAGONAL_FALLING = 0,
    /**
     * The diagonal from the corner of largest x and smallest z to the corner of smallest x and largest z.
     */
    HS_DIAGONAL_RISING = 1,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsDiagonal HsDiagonal;
#else
typedef int32_t HsDiagonal;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The change of a pair since the previous update.
 */
enum HsPairChange
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The pair overlaps, and did not before.
     */
    HS_PAIR_CHANGE_ENTER = 0,
    /**
     * The pair overlaps, as it did before.
     */
    HS_PAIR_CHANGE_STAY = 1,
    /**
     * The pair no longer overlaps, or one of the two is gone.
     */
    HS_PAIR_CHANGE_LEAVE = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsPairChange HsPairChange;
#else
typedef int32_t HsPairChange;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The reason why a ray does not hit an entity first. After the first three, the reasons are tested in this order.
 */
enum HsReason
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The entity is hit.
     */
    HS_REASON_HIT = 0,
    /**
     * The entity would be hit, but another entity is in front of it.
     */
    HS_REASON_BEHIND = 1,
    /**
     * There is no entity under this key.
     */
    HS_REASON_ABSENT = 2,
    /**
     * The ray is not valid, as `hs_ray_validate` says.
     */
    HS_REASON_RAY = 3,
    /**
     * The start of the ray in world space is not finite.
     */
    HS_REASON_ORIGIN = 4,
    /**
     * The entity is on no layer of the filter.
     */
    HS_REASON_LAYERS = 5,
    /**
     * The filter excludes the entity.
     */
    HS_REASON_EXCLUDED = 6,
    /**
     * The callback `entities` of the filter leaves out the entity.
     */
    HS_REASON_ENTITY = 7,
    /**
     * The entity has no triangles and no shapes.
     */
    HS_REASON_EMPTY = 8,
    /**
     * The ray does not touch the entity's bounding box.
     */
    HS_REASON_APART = 9,
    /**
     * The ray touches the bounding box, but no surface.
     */
    HS_REASON_BETWEEN = 10,
    /**
     * The entity is before the ray's range or beyond it.
     */
    HS_REASON_RANGE = 11,
    /**
     * The ray starts inside of a solid, which `HS_INSIDE_IGNORE` leaves out.
     */
    HS_REASON_INSIDE = 12,
    /**
     * The ray goes on from a hit, and the surface is not after that hit.
     */
    HS_REASON_AFTER = 13,
    /**
     * The ray hits a side that `cull` of the filter leaves out.
     */
    HS_REASON_CULL = 14,
    /**
     * The ray goes through a hole.
     */
    HS_REASON_HOLE = 15,
    /**
     * The callback `hits` of the filter leaves out the hit.
     */
    HS_REASON_FILTER = 16,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsReason HsReason;
#else
typedef int32_t HsReason;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The kind of a path that something is dragged on.
 */
enum HsDragPathKind
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * A plane, whose normal is the direction.
     */
    HS_DRAG_PATH_KIND_PLANE = 0,
    /**
     * A straight line along the direction.
     */
    HS_DRAG_PATH_KIND_AXIS = 1,
    /**
     * The plane that faces the camera and goes through the point. The direction does not matter.
     */
    HS_DRAG_PATH_KIND_SCREEN = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsDragPathKind HsDragPathKind;
#else
typedef int32_t HsDragPathKind;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * The effect of a hit on a shot.
 */
enum HsImpact
#if defined(__cplusplus) || __STDC_VERSION__ >= 202311L
  : int32_t
#endif // defined(__cplusplus) || __STDC_VERSION__ >= 202311L
 {
    /**
     * The shot ends at the hit.
     */
    HS_IMPACT_STOP = 0,
    /**
     * The shot goes on as a perfect reflection.
     */
    HS_IMPACT_RICOCHET = 1,
    /**
     * The shot goes straight on, into or out of the entity.
     */
    HS_IMPACT_PASS_THROUGH = 2,
};
#ifndef __cplusplus
#if __STDC_VERSION__ >= 202311L
typedef enum HsImpact HsImpact;
#else
typedef int32_t HsImpact;
#endif // __STDC_VERSION__ >= 202311L
#endif // __cplusplus

/**
 * A camera: a handle, which `hs_camera_free` frees.
 */
typedef struct HsCamera HsCamera;

/**
 * A character, with its settings and its position: a handle, which `hs_character_free` frees. To roll back, keep an
 * `hs_character_clone`.
 */
typedef struct HsCharacter HsCharacter;

/**
 * A triangle's collision matrix: a handle, which `hs_collision_matrix_free` frees. It answers several times as fast as
 * a triangle, but is not watertight.
 */
typedef struct HsCollisionMatrix HsCollisionMatrix;

/**
 * A shape of the caller's own, such as a distance field or voxels: a handle, which `hs_custom_free` frees. A scene shares
 * the shapes that are put into it, so the handle may be freed after that. Rays hit it, and volumes pass through it.
 */
typedef struct HsCustom HsCustom;

/**
 * A height field: a handle, which `hs_height_field_free` frees. A scene shares the memory of the fields that are put
 * into it. So the handle may be freed after that.
 */
typedef struct HsHeightField HsHeightField;

/**
 * A convex hull: a handle, which `hs_hull_free` frees. A scene shares the hulls that are put into it, so the handle
 * may be freed after that.
 */
typedef struct HsHull HsHull;

/**
 * A mesh of triangles with its tree: a handle, which `hs_mesh_free` frees. A scene shares the memory of the meshes
 * that are put into it. So the handle may be freed after that. Put a mesh under several keys to make instances.
 */
typedef struct HsMesh HsMesh;

/**
 * The pairs of entities that overlapped at the last update: a handle, which `hs_pair_tracker_free` frees. It is for
 * triggers, sensors and contacts. A tracker belongs to one thread at a time.
 */
typedef struct HsPairTracker HsPairTracker;

/**
 * The path of a ray that goes on from its hits. It is a handle, which `hs_path_free` frees. It remembers the last hit.
 * The next ray does not hit the surfaces that the last ray touched there, so no epsilon is needed. An `HsHit` alone
 * has too little information for this. A path belongs to one thread at a time.
 */
typedef struct HsPath HsPath;

/**
 * A region of the window: a handle, which `hs_region_free` frees.
 */
typedef struct HsRegion HsRegion;

/**
 * A set of entities under 64-bit keys of the caller's: a handle, which `hs_scene_free` frees.
 *
 * Any number of threads may ask a scene at the same time, as long as nobody changes it. A question sees every change
 * that was made before it; no call is needed to update the scene.
 */
typedef struct HsScene HsScene;

/**
 * The newest version of a scene, for any number of threads: a handle, which `hs_snapshots_free` frees. One thread
 * changes a scene of its own and commits it. The other threads acquire the newest version, ask it, and release
 * it.
 */
typedef struct HsSnapshots HsSnapshots;

/**
 * A mesh that is prepared for winding numbers: a handle, which `hs_winding_tree_free` frees. It shares the memory of the
 * mesh, and stays as it is if the mesh is changed.
 */
typedef struct HsWindingTree HsWindingTree;

/**
 * A ray or segment: the points origin + t * direction for t_min <= t <= t_max, both ends included. `hs_ray_new`,
 * `hs_ray_with_direction` and `hs_ray_between` make one.
 *
 * t is in units of the direction's length. A ray hits nothing if it has a NaN, an infinite origin, a zero or
 * infinite direction, or t_min > t_max. `hs_ray_validate` says which of these it is.
 */
typedef struct {
    /**
     * The point at t = 0.
     */
    float origin[3];
    /**
     * The smallest t that counts as a hit, usually 0.
     */
    float t_min;
    /**
     * The direction of growing t; its length is the unit of t.
     */
    float direction[3];
    /**
     * The largest t that counts as a hit, usually `INFINITY`.
     */
    float t_max;
} HsRay;

/**
 * A shape in its own space. The functions `hs_shape_...` make shapes, and document the meaning of their numbers; they
 * check nothing but null pointers. `hs_shape_validate`, and every function that needs a valid shape, says what is
 * wrong with it.
 */
typedef struct {
    /**
     * The kind of the shape, an `HsShapeKind`.
     */
    int32_t kind;
    /**
     * The first vector. The kind determines its meaning: a minimum, a center, an end, a point or a corner.
     */
    float a[3];
    /**
     * The second vector: a maximum, half extents, an end, a normal or a corner.
     */
    float b[3];
    /**
     * The third vector: a corner or edge, or a rotation as a quaternion (x, y, z, w).
     */
    float c[4];
    /**
     * The radius, or the margin.
     */
    float radius;
    /**
     * The radius of a torus' tube.
     */
    float tube;
} HsShape;

/**
 * A hit of a ray. Where there is none, `side` is `HS_SIDE_NONE`, `t` is infinite, `triangle` is `HS_NO_TRIANGLE`, and
 * all other fields are 0.
 */
typedef struct {
    /**
     * The key of the entity; 0 if the question was not about a scene.
     */
    uint64_t key;
    /**
     * The distance along the ray, in units of its direction.
     */
    float t;
    /**
     * The barycentric of the triangle's second corner, or the coordinate along a quad's first edge; otherwise 0.
     */
    float u;
    /**
     * The barycentric of the triangle's third corner, or the coordinate along a quad's second edge; otherwise 0.
     */
    float v;
    /**
     * The point on the surface, relative to the filter's origin.
     */
    float point[3];
    /**
     * The surface's own outward (front) normal, of unit length.
     */
    float normal[3];
    /**
     * The number of the part in a compound; 0 for other entities.
     */
    uint32_t part;
    /**
     * The number of the triangle; `HS_NO_TRIANGLE` on a thing without triangles.
     */
    uint32_t triangle;
    /**
     * The side that the ray hit, an `HsSide`.
     */
    int32_t side;
} HsHit;

/**
 * The nearest point of an entity, a mesh or a shape to a given point.
 */
typedef struct {
    /**
     * The key of the entity; 0 if the question was not about a scene.
     */
    uint64_t key;
    /**
     * The distance, not negative.
     */
    float distance;
    /**
     * The nearest point, relative to the filter's origin.
     */
    float point[3];
    /**
     * The outward normal of the surface there, of unit length; at an edge it points to the given point.
     */
    float normal[3];
    /**
     * The number of the part in a compound.
     */
    uint32_t part;
    /**
     * The number of the triangle, or `HS_NO_TRIANGLE`.
     */
    uint32_t triangle;
    /**
     * The kind of the place, an `HsFeature`.
     */
    int32_t feature;
    /**
     * The number of the edge or corner.
     */
    int32_t feature_number;
    /**
     * The side of the surface on which the given point is, an `HsContainment`.
     */
    int32_t containment;
} HsNearest;

/**
 * A volume that moves or is placed, in its own space: a shape or a hull, with a margin around it. Without a shape and
 * a hull it is a point. A volume may be a box, an oriented box, a rounded box, a ball, a capsule, a cylinder, a
 * cone or a hull.
 */
typedef struct {
    /**
     * The shape; its kind is `HS_SHAPE_KIND_NONE` for a hull or a point.
     */
    HsShape shape;
    /**
     * The hull, or null.
     */
    const HsHull *hull;
    /**
     * The width of the margin around the shape or hull, usually 0.
     */
    float margin;
} HsVolume;

/**
 * The triangles that a mesh is made of, which `hs_mesh_build` copies. Set all fields to zero, then set `size` and the
 * fields that are needed.
 */
typedef struct {
    /**
     * The size of this struct, `sizeof(HsMeshSource)`.
     */
    size_t size;
    /**
     * The position of the first vertex, three floats.
     */
    const float *positions;
    /**
     * The number of bytes from one vertex to the next; 0 means three floats.
     */
    size_t position_stride;
    /**
     * The number of vertices.
     */
    size_t vertex_count;
    /**
     * Three vertex numbers for each triangle. If it is null, every three vertices are a triangle.
     */
    const void *indices;
    /**
     * The bytes of an index: 2, 4, or 0 for 4.
     */
    size_t index_bytes;
    /**
     * The number of indices.
     */
    size_t index_count;
    /**
     * The quality of the tree, an `HsQuality`.
     */
    int32_t quality;
    /**
     * The layout, an `HsLayout`.
     */
    int32_t layout;
    /**
     * The normal of the first vertex, three floats, or null if there are none.
     */
    const float *normals;
    /**
     * The number of bytes from one normal to the next; 0 means three floats.
     */
    size_t normal_stride;
    /**
     * The texture coordinates of the first vertex, two floats, or null if there are none.
     */
    const float *texcoords;
    /**
     * The number of bytes from one pair of texture coordinates to the next; 0 means two floats.
     */
    size_t texcoord_stride;
} HsMeshSource;

/**
 * The place of a volume. It is the position of its own origin, and its rotation around that.
 */
typedef struct {
    /**
     * The position.
     */
    double position[3];
    /**
     * The rotation as a quaternion (x, y, z, w) of any length but 0. Without a rotation it is (0, 0, 0, 1).
     */
    double rotation[4];
} HsPose;

/**
 * A contact of a moving volume with a single mesh or height field, outside of any scene.
 */
typedef struct {
    /**
     * The fraction of the motion that is made before the contact, from 0 to 1.
     */
    float t;
    /**
     * The point of contact.
     */
    float point[3];
    /**
     * The normal of the contact, from the surface to the volume, of unit length.
     */
    float normal[3];
    /**
     * The number of the triangle.
     */
    uint32_t triangle;
    /**
     * The kind of the place on the triangle, an `HsFeature`.
     */
    int32_t feature;
    /**
     * The number of the edge or corner.
     */
    int32_t feature_number;
    /**
     * The side that was hit, an `HsSide`.
     */
    int32_t side;
    /**
     * The relation at the start, an `HsSweepStart`.
     */
    int32_t start;
} HsMeshContact;

/**
 * The nearest point of a mesh's triangles to a given point. It does not say whether the given point is inside.
 */
typedef struct {
    /**
     * The distance, not negative.
     */
    float distance;
    /**
     * The nearest point, in the mesh's own space.
     */
    float point[3];
    /**
     * The direction from the nearest point to the given one, of unit length; the triangle's own normal if they are
     * equal.
     */
    float normal[3];
    /**
     * The number of the triangle, or `HS_NO_TRIANGLE`.
     */
    uint32_t triangle;
    /**
     * The kind of the place on the triangle, an `HsFeature`.
     */
    int32_t feature;
    /**
     * The number of the edge or corner.
     */
    int32_t feature_number;
    /**
     * The side of the triangle's plane on which the given point is, an `HsSide`. At an edge or a corner it does not
     * say whether the point is inside of the mesh.
     */
    int32_t side;
} HsTrianglePoint;

/**
 * A hit of a segment on a triangle.
 */
typedef struct {
    /**
     * The fraction of the segment, from 0 at its first end to 1 at its second.
     */
    float fraction;
    /**
     * The barycentric of the second corner.
     */
    float u;
    /**
     * The barycentric of the third corner.
     */
    float v;
    /**
     * The side that the segment comes from, an `HsSide`.
     */
    int32_t side;
} HsSegmentHit;

/**
 * A ray in the own space of a custom shape. t is the same as in the world.
 */
typedef struct {
    /**
     * The point at t = 0.
     */
    double origin[3];
    /**
     * The direction of growing t, of any length but 0.
     */
    double direction[3];
    /**
     * The smallest t that counts.
     */
    double t_min;
    /**
     * The largest t that counts; it may be infinite.
     */
    double t_max;
} HsCustomRay;

/**
 * A crossing of a ray with the surface of a custom shape, in the shape's own space.
 */
typedef struct {
    /**
     * The distance along the ray, in units of its direction.
     */
    double t;
    /**
     * The outward (front) normal, of any length.
     */
    double normal[3];
    /**
     * The first coordinate on the surface, which an `HsHit` reports.
     */
    float u;
    /**
     * The second coordinate on the surface.
     */
    float v;
    /**
     * The side that the ray hits, `HS_SIDE_FRONT` or `HS_SIDE_BACK`.
     */
    int32_t side;
} HsCustomHit;

/**
 * Takes a crossing from a custom shape. `sink` is the pointer that the callback of the shape was given. Returns 0 if no
 * further crossing matters.
 */
typedef int32_t (*HsOffer)(void *sink, const HsCustomHit *hit);

/**
 * Casts a ray at a custom shape. It calls `offer` for each crossing of the surface in the ray's closed range, in the order of t, until `offer` returns 0. The
 * same ray must have the same crossings every time, and their sides must alternate as on a solid. Crossings that break these rules, or that are outside of the
 * bounds, are left out.
 */
typedef void (*HsCustomCast)(void *user, const HsCustomRay *ray, HsOffer offer, void *sink);

/**
 * Frees the data of a custom shape.
 */
typedef void (*HsCustomFree)(void *user);

/**
 * Decides whether an entity counts: 0 means no.
 */
typedef int32_t (*HsEntityChoice)(void *user, uint64_t key);

/**
 * A possible hit, as the callback `hits` of a filter sees it.
 */
typedef struct {
    /**
     * The entity.
     */
    uint64_t key;
    /**
     * The distance along the ray, the fraction of a motion, 0 for an overlap, or the distance of a nearest point.
     */
    float t;
    /**
     * The barycentric of the triangle's second corner, or 0.
     */
    float u;
    /**
     * The barycentric of the triangle's third corner, or 0.
     */
    float v;
    /**
     * The texture coordinates there; 0 without any.
     */
    float texcoord[2];
    /**
     * The number of the part in a compound.
     */
    uint32_t part;
    /**
     * The number of the triangle, or `HS_NO_TRIANGLE`.
     */
    uint32_t triangle;
    /**
     * The side that was hit, an `HsSide`.
     */
    int32_t side;
} HsCandidate;

/**
 * Decides whether a hit counts: 0 means no.
 */
typedef int32_t (*HsHitChoice)(void *user, const HsCandidate *candidate);

/**
 * The choices of a question to a scene. `hs_filter_init` makes a filter that accepts everything. A null pointer means
 * the same.
 *
 * The question ignores an entity that its filter leaves out. The entity is not hit, and hides nothing behind it. To find the first enemy that no wall hides,
 * let the filter accept walls too. Then check whether the key that is found belongs to an enemy.
 *
 * The callbacks of a batch are called from several threads at once. They must return, and must not change the scene.
 */
typedef struct {
    /**
     * The size of this struct, which `hs_filter_init` sets.
     */
    size_t size;
    /**
     * The accepted layers, a bit each. At first all are accepted.
     */
    uint32_t layers;
    /**
     * The side of surfaces that is ignored, an `HsCull`.
     */
    int32_t cull;
    /**
     * The answer for rays that start inside of a solid, an `HsInside`.
     */
    int32_t inside;
    /**
     * The meaning of holes for rays, an `HsCutOuts`.
     */
    int32_t cut_outs;
    /**
     * The contacts of a moving volume that are reported, an `HsContacts`.
     */
    int32_t contacts;
    /**
     * This must be zero.
     */
    uint32_t reserved;
    /**
     * The keys of the entities that are ignored.
     */
    const uint64_t *exclude;
    /**
     * The number of keys in `exclude`.
     */
    size_t exclude_count;
    /**
     * Decides which entities can be hit. Null accepts all entities. It is called at most once for each part that is
     * near.
     */
    HsEntityChoice entities;
    /**
     * Decides which hits are accepted. Null accepts all hits. It is called for each possible hit.
     */
    HsHitChoice hits;
    /**
     * The first argument of both callbacks.
     */
    void *user;
    /**
     * The origin that rays, points, poses and answers are relative to; at first the origin of the world.
     */
    double origin[3];
    /**
     * The gap that `safe_t` and `slide` of a sweep leave to the surface; at first 0.
     */
    double skin;
} HsFilter;

/**
 * A part of a compound: exactly one of `shape`, `mesh`, `field` and `hull` is not null.
 */
typedef struct {
    /**
     * A shape, or null.
     */
    const HsShape *shape;
    /**
     * A mesh, or null.
     */
    const HsMesh *mesh;
    /**
     * A height field, or null.
     */
    const HsHeightField *field;
    /**
     * A hull, or null.
     */
    const HsHull *hull;
    /**
     * The transform from the part to the entity, sixteen doubles, column after column; null is the identity.
     */
    const double *transform;
} HsPart;

/**
 * The ground below a point.
 */
typedef struct {
    /**
     * The hit; its t is the distance.
     */
    HsHit hit;
    /**
     * The cosine of the angle between the ground and level ground.
     */
    float slope_cos;
} HsGround;

/**
 * An interval of a ray that is inside of a solid or a closed mesh.
 */
typedef struct {
    /**
     * The hit at the start of the interval, a miss unless `enter_kind` is `HS_INTERVAL_END_SURFACE`.
     */
    HsHit enter;
    /**
     * The hit at the end of the interval, a miss unless `exit_kind` is `HS_INTERVAL_END_SURFACE`.
     */
    HsHit exit;
    /**
     * The entity.
     */
    uint64_t key;
    /**
     * The number of the part in a compound.
     */
    uint32_t part;
    /**
     * The t at the start of the interval.
     */
    float t_enter;
    /**
     * The t at the end of the interval.
     */
    float t_exit;
    /**
     * The kind of the interval's start, an `HsIntervalEnd`.
     */
    int32_t enter_kind;
    /**
     * The kind of the interval's end, an `HsIntervalEnd`.
     */
    int32_t exit_kind;
} HsInterval;

/**
 * The path of a moving point.
 */
typedef struct {
    /**
     * The hit that stopped the point; a miss if nothing did.
     */
    HsHit hit;
    /**
     * The end position.
     */
    float position[3];
    /**
     * The fraction of the motion that was made.
     */
    float fraction;
    /**
     * The motion that is left.
     */
    float remaining[3];
    /**
     * The motion that is left, without its component into the surface.
     */
    float slide[3];
} HsPointMove;

/**
 * The path of something that is thrown: origin + velocity * t + acceleration * t * t / 2 for t_min <= t <= t_max.
 */
typedef struct {
    /**
     * The point at t = 0.
     */
    float origin[3];
    /**
     * The velocity at t = 0.
     */
    float velocity[3];
    /**
     * The acceleration, such as gravity.
     */
    float acceleration[3];
    /**
     * The first accepted time.
     */
    float t_min;
    /**
     * The last accepted time.
     */
    float t_max;
} HsTrajectory;

/**
 * A hit of something that is thrown.
 */
typedef struct {
    /**
     * The hit; its t is the fraction of the chord that hit.
     */
    HsHit hit;
    /**
     * The time of the hit.
     */
    float time;
    /**
     * The velocity at that time.
     */
    float velocity[3];
} HsTrajectoryHit;

/**
 * The first hit along a path of segments.
 */
typedef struct {
    /**
     * The hit; its t is the fraction of the segment.
     */
    HsHit hit;
    /**
     * The number of the segment, from 0: it goes from the point of this number to the next.
     */
    size_t segment;
    /**
     * The distance along the path from its first point.
     */
    float distance;
} HsPathHit;

/**
 * The reason why a ray does not hit an entity first, or the hit if it does.
 */
typedef struct {
    /**
     * The hit on the entity: the reported one, or the nearest one that the reason excludes. A miss if there is none.
     */
    HsHit hit;
    /**
     * The hit in front of `hit` for `HS_REASON_BEHIND`; otherwise a miss.
     */
    HsHit nearer;
    /**
     * The distance between the ray and the bounding box for `HS_REASON_APART`, in world units; otherwise 0.
     */
    float distance;
    /**
     * The t at which the ray is nearest to the box for `HS_REASON_APART`; otherwise 0.
     */
    float t;
    /**
     * The reason, an `HsReason`.
     */
    int32_t reason;
} HsExplanation;

/**
 * A contact of a moving volume.
 */
typedef struct {
    /**
     * The key of the entity; 0 if the question was not about a scene.
     */
    uint64_t key;
    /**
     * The same fraction as `t`, before it is rounded to a float.
     */
    double t_exact;
    /**
     * The fraction of the motion that leaves the gap of the filter's `skin` to the surface.
     */
    double safe_t;
    /**
     * The motion that is left after `safe_t`, without its component into the surface: the motion to try next, to slide
     * along the surface.
     */
    double slide[3];
    /**
     * The fraction of the motion that is made before the contact, from 0 to 1.
     */
    float t;
    /**
     * The point of contact, relative to the filter's origin.
     */
    float point[3];
    /**
     * The normal of the contact, from the surface to the volume, of unit length. It is tilted at an edge.
     */
    float normal[3];
    /**
     * The normal of the surface that is hit, on the side of the volume.
     */
    float surface_normal[3];
    /**
     * The number of the part in a compound.
     */
    uint32_t part;
    /**
     * The number of the triangle, or `HS_NO_TRIANGLE`.
     */
    uint32_t triangle;
    /**
     * The kind of the place on the triangle, an `HsFeature`.
     */
    int32_t feature;
    /**
     * The number of the edge or corner.
     */
    int32_t feature_number;
    /**
     * The side that was hit, an `HsSide`.
     */
    int32_t side;
    /**
     * The relation at the start, an `HsSweepStart`.
     */
    int32_t start;
} HsSweepHit;

/**
 * Something that a volume overlaps.
 */
typedef struct {
    /**
     * The entity.
     */
    uint64_t key;
    /**
     * The number of the part in a compound.
     */
    uint32_t part;
    /**
     * The number of the triangle, or `HS_NO_TRIANGLE`.
     */
    uint32_t triangle;
} HsOverlap;

/**
 * The depth of a volume in something.
 */
typedef struct {
    /**
     * The entity.
     */
    uint64_t key;
    /**
     * The shortest motion of the volume that ends the overlap.
     */
    double separation[3];
    /**
     * The length of the separation.
     */
    float depth;
    /**
     * The direction of the separation, of unit length.
     */
    float normal[3];
    /**
     * The point on the entity where the volume is deepest, relative to the filter's origin.
     */
    float point[3];
    /**
     * The number of the part in a compound.
     */
    uint32_t part;
    /**
     * The number of the triangle, or `HS_NO_TRIANGLE`.
     */
    uint32_t triangle;
} HsPenetration;

/**
 * A point at which a volume and something touch.
 */
typedef struct {
    /**
     * The entity.
     */
    uint64_t key;
    /**
     * The depth of the overlap at this point.
     */
    float depth;
    /**
     * The direction in which the volume moves out of the entity, of unit length.
     */
    float normal[3];
    /**
     * The point on the entity, relative to the filter's origin.
     */
    float point[3];
    /**
     * The point on the volume.
     */
    float on_volume[3];
    /**
     * The number of the part in a compound.
     */
    uint32_t part;
    /**
     * The number of the triangle, or `HS_NO_TRIANGLE`.
     */
    uint32_t triangle;
} HsContactPoint;

/**
 * The motion of an entity in a step. It moves along a straight line and rotates meanwhile, both at constant speed.
 */
typedef struct {
    /**
     * The key of the entity.
     */
    uint64_t key;
    /**
     * The motion of the entity's origin.
     */
    double translation[3];
    /**
     * The rotation about the entity's origin as a quaternion (x, y, z, w) of any length but 0, at most half a turn. Without a rotation it is (0, 0, 0, 1).
     */
    double rotation[4];
} HsEntityMotion;

/**
 * The first contact of two entities of which at least one moves.
 */
typedef struct {
    /**
     * The entity of the two that was inserted first.
     */
    uint64_t first;
    /**
     * The other one.
     */
    uint64_t second;
    /**
     * The fraction of the motions at which they touch, from 0 to 1.
     */
    double time;
    /**
     * Their distance at that time, which is at most the tolerance unless the search ended early.
     */
    float distance;
    /**
     * The nearest points of the first and the second at that time.
     */
    float points[2][3];
    /**
     * The direction from the first to the second, of unit length; zero if they overlap and no direction leads out.
     */
    float normal[3];
    /**
     * The parts that these points are on.
     */
    uint32_t parts[2];
    /**
     * The triangles that these points are on, or `HS_NO_TRIANGLE`.
     */
    uint32_t triangles[2];
} HsEntityImpact;

/**
 * Two entities, and the distance between them.
 */
typedef struct {
    /**
     * The entity of the two that was inserted first, or the entity of the first scene.
     */
    uint64_t first;
    /**
     * The other one.
     */
    uint64_t second;
    /**
     * The distance; 0 if they touch or overlap.
     */
    float distance;
    /**
     * The nearest points of the first and the second.
     */
    float points[2][3];
    /**
     * The direction from the first to the second, of unit length; zero if they overlap and no direction leads out.
     */
    float normal[3];
    /**
     * The parts that these points are on.
     */
    uint32_t parts[2];
    /**
     * The triangles that these points are on, or `HS_NO_TRIANGLE`.
     */
    uint32_t triangles[2];
} HsNearPair;

/**
 * The distance between two entities.
 */
typedef struct {
    /**
     * The distance; 0 if they touch or overlap.
     */
    float distance;
    /**
     * The nearest points of the first and the second.
     */
    float points[2][3];
    /**
     * The direction from the first to the second, of unit length; zero if they overlap and no direction leads out.
     */
    float normal[3];
    /**
     * The numbers of the parts that the two points are on.
     */
    uint32_t parts[2];
    /**
     * The numbers of the triangles that the two points are on, or `HS_NO_TRIANGLE`.
     */
    uint32_t triangles[2];
} HsPairDistance;

/**
 * The overlap of two entities.
 */
typedef struct {
    /**
     * The shortest motion of the second that ends the overlap.
     */
    double separation[3];
    /**
     * The length of the separation.
     */
    float depth;
    /**
     * The direction of the separation, from the first to the second, of unit length.
     */
    float normal[3];
    /**
     * The deepest points of the first and the second.
     */
    float points[2][3];
    /**
     * The numbers of the parts that the two points are on.
     */
    uint32_t parts[2];
    /**
     * The numbers of the triangles that the two points are on, or `HS_NO_TRIANGLE`.
     */
    uint32_t triangles[2];
} HsPairPenetration;

/**
 * A pair, and how it has changed.
 */
typedef struct {
    /**
     * The entity of the two that was inserted first.
     */
    uint64_t first;
    /**
     * The other entity.
     */
    uint64_t second;
    /**
     * The change, an `HsPairChange`.
     */
    int32_t change;
} HsPairEvent;

/**
 * Rays of a batch in columns. A stride of 0 means that the floats of each column are contiguous.
 */
typedef struct {
    /**
     * The size of this struct, `sizeof(HsRayColumns)`.
     */
    size_t size;
    /**
     * The x, y and z of the origins.
     */
    const float *origin[3];
    /**
     * The x, y and z of the directions, which are used as they are.
     */
    const float *direction[3];
    /**
     * The smallest accepted t for each ray. Null means 0.
     */
    const float *t_min;
    /**
     * The largest accepted t for each ray. Null means infinity.
     */
    const float *t_max;
    /**
     * The number of bytes from one float of a column to the next, or 0.
     */
    size_t stride;
} HsRayColumns;

/**
 * Answers of a batch in columns. A column that is null is not written. A miss has the values that it has in an
 * `HsHit`. A stride of 0 means that the numbers of each column are contiguous.
 */
typedef struct {
    /**
     * The size of this struct, `sizeof(HsHitColumns)`.
     */
    size_t size;
    /**
     * The entities.
     */
    uint64_t *key;
    /**
     * The distances along the rays; infinity for a miss.
     */
    float *t;
    /**
     * The barycentrics of the second corners.
     */
    float *u;
    /**
     * The barycentrics of the third corners.
     */
    float *v;
    /**
     * The x, y and z of the points.
     */
    float *point[3];
    /**
     * The x, y and z of the normals.
     */
    float *normal[3];
    /**
     * The numbers of the parts.
     */
    uint32_t *part;
    /**
     * The numbers of the triangles.
     */
    uint32_t *triangle;
    /**
     * The sides, an `HsSide` each; 0 for a miss.
     */
    int32_t *side;
    /**
     * The number of bytes from one number of a column to the next, or 0.
     */
    size_t stride;
} HsHitColumns;

/**
 * Does one piece of the work of `hs_batch`, given the number of the piece.
 */
typedef void (*HsWork)(void *user, size_t number);

/**
 * The part of the window that shows the picture: its top-left corner and its size in pixels.
 */
typedef struct {
    /**
     * The left border.
     */
    float x;
    /**
     * The upper border; y points down.
     */
    float y;
    /**
     * The width.
     */
    float width;
    /**
     * The height.
     */
    float height;
} HsViewport;

/**
 * A selection: what a region shows through a camera.
 */
typedef struct {
    /**
     * The region.
     */
    const HsRegion *region;
    /**
     * The camera that shows the scene.
     */
    const HsCamera *camera;
    /**
     * The viewport with the camera's picture.
     */
    HsViewport viewport;
    /**
     * The share of a thing that must be in the region, an `HsRule`.
     */
    int32_t rule;
    /**
     * 0 selects hidden things, too. Otherwise only things that the ray through a sample hits first are selected, and
     * the samples are this many pixels apart. A thing that the filter leaves out hides nothing, unless `hidden_by` says
     * otherwise.
     */
    float visible_spacing;
    /**
     * The filter of the entities that hide others, whether they are selected or not. If it is null, the entities that
     * pass the question's filter hide others. With this filter, a ray goes on to the first hit on something that hides others. It selects all that it hits up
     * to there. Only the layers, the sides, the exclusions and the callbacks of this filter are used; the question's filter decides everything else.
     */
    const HsFilter *hidden_by;
} HsSelection;

/**
 * A triangle, a vertex or an edge of a selection.
 */
typedef struct {
    /**
     * The entity.
     */
    uint64_t key;
    /**
     * The number of the part in a compound.
     */
    uint32_t part;
    /**
     * The number of the triangle or the vertex, or of the first vertex of an edge.
     */
    uint32_t number;
    /**
     * The number of the second vertex of an edge; otherwise `HS_NO_TRIANGLE`.
     */
    uint32_t second;
} HsSelected;

/**
 * A cursor with a tolerance. Set all fields to zero, then set the fields that are needed.
 */
typedef struct {
    /**
     * The camera that shows the scene.
     */
    const HsCamera *camera;
    /**
     * The viewport with the camera's picture.
     */
    HsViewport viewport;
    /**
     * The place of the cursor, in window pixels.
     */
    float pixel[2];
    /**
     * The tolerance, in pixels.
     */
    float radius;
    /**
     * The treatment of hidden points, an `HsHidden`. A thing that the filter leaves out hides nothing, unless
     * `hidden_by` says otherwise.
     */
    int32_t hidden;
    /**
     * The meaning of holes, an `HsCutOuts`.
     */
    int32_t cut_outs;
    /**
     * 1 if `start` is the start point of a line that is drawn, otherwise 0.
     */
    int32_t has_start;
    /**
     * The start point.
     */
    double start[3];
    /**
     * The kinds that are wanted, an `HsSnapKind` each.
     */
    const int32_t *kinds;
    /**
     * The number of kinds.
     */
    size_t kind_count;
    /**
     * 1 if points that are more than `depth_tolerance` behind the nearest point come last, otherwise 0.
     */
    int32_t has_depth_tolerance;
    /**
     * The tolerance of depth, in world units.
     */
    double depth_tolerance;
    /**
     * The filter of the entities that hide others, whether the cursor snaps to them or not. If it is null, the entities
     * that pass the question's filter hide others. Only the layers, the sides, the exclusions and the callbacks of this
     * filter are used; the question's filter decides everything else.
     */
    const HsFilter *hidden_by;
} HsCursor;

/**
 * The thing that a point belongs to.
 */
typedef struct {
    /**
     * The entity.
     */
    uint64_t key;
    /**
     * The number of the part in a compound.
     */
    uint32_t part;
    /**
     * The number of the triangle, or `HS_NO_TRIANGLE`.
     */
    uint32_t triangle;
    /**
     * The two vertices of an edge, or `HS_NO_TRIANGLE`.
     */
    uint32_t edge[2];
    /**
     * The number of a vertex, or `HS_NO_TRIANGLE`.
     */
    uint32_t vertex;
    /**
     * 1 if there is such a thing; otherwise 0, and the other fields have no meaning.
     */
    int32_t exists;
} HsSnapTarget;

/**
 * A point that a cursor snaps to.
 */
typedef struct {
    /**
     * The point, relative to the filter's origin.
     */
    double point[3];
    /**
     * The depth of the point along the view axis.
     */
    double depth;
    /**
     * The direction of the axis for `HS_SNAP_KIND_AXIS`; otherwise 0.
     */
    double axis[3];
    /**
     * The thing that the point belongs to.
     */
    HsSnapTarget target;
    /**
     * The other edge for `HS_SNAP_KIND_CROSSING`.
     */
    HsSnapTarget crossed;
    /**
     * The pixel that shows the point.
     */
    float pixel[2];
    /**
     * The distance from the cursor to that pixel.
     */
    float distance;
    /**
     * The kind of the point, an `HsSnapKind`.
     */
    int32_t kind;
} HsSnap;

/**
 * A path that something is dragged on, relative to the camera's origin.
 */
typedef struct {
    /**
     * A point of the path: the place of the thing when the drag begins.
     */
    double point[3];
    /**
     * The normal of a plane or the direction of a line, of any length but 0.
     */
    double direction[3];
    /**
     * The kind, an `HsDragPathKind`.
     */
    int32_t kind;
} HsDragPath;

/**
 * The place under a cursor where something can be put down.
 */
typedef struct {
    /**
     * The point on the surface, or on the given path if there is no such surface, relative to the filter's origin.
     */
    double point[3];
    /**
     * The hit on the surface; a miss if the point is on the path.
     */
    HsHit hit;
} HsSurfacePoint;

/**
 * The settings of a character.
 */
typedef struct {
    /**
     * The size of this struct, `sizeof(HsCharacterSettings)`.
     */
    size_t size;
    /**
     * The up direction, of unit length; at first +y.
     */
    double up[3];
    /**
     * The gap that the character keeps to all surfaces.
     */
    double skin;
    /**
     * The steepest ground that can be walked on, in radians.
     */
    double max_slope;
    /**
     * The highest step that is climbed.
     */
    double step_up;
    /**
     * The least depth of a step.
     */
    double step_depth;
    /**
     * The distance over which the character follows the ground down.
     */
    double step_down;
    /**
     * The speed at which the character gets out of an obstacle; it may be infinite.
     */
    double escape_speed;
    /**
     * 1 if the speed along a slope is the wanted speed, 0 if the horizontal speed is the wanted speed everywhere.
     */
    int32_t keeps_speed_on_slopes;
} HsCharacterSettings;

/**
 * A contact of a character.
 */
typedef struct {
    /**
     * The entity.
     */
    uint64_t key;
    /**
     * The point on the entity.
     */
    double point[3];
    /**
     * The normal of the contact, from the entity to the character, of unit length.
     */
    double normal[3];
    /**
     * The normal of the face that is touched, of unit length.
     */
    double surface_normal[3];
    /**
     * The distance that the character is inside of the entity.
     */
    double depth;
    /**
     * The wanted velocity of the character.
     */
    double velocity[3];
    /**
     * The number of the part in a compound.
     */
    uint32_t part;
    /**
     * The number of the triangle, or `HS_NO_TRIANGLE`.
     */
    uint32_t triangle;
} HsCharacterContact;

/**
 * Decides the effect of a contact. It returns an `HsResponse`, and for `HS_RESPONSE_CONVEYOR` writes a velocity of
 * three doubles.
 */
typedef int32_t (*HsContactResponder)(void *user, const HsCharacterContact *contact, double *velocity);

/**
 * The result of a move.
 */
typedef struct {
    /**
     * The motion that was made, including the motion of the ground that carried the character.
     */
    double motion[3];
    /**
     * The wanted velocity without the components that contacts removed.
     */
    double velocity[3];
    /**
     * The velocity at which the ground carried the character.
     */
    double ground_velocity[3];
    /**
     * The point of contact with the ground.
     */
    double ground_point[3];
    /**
     * The normal of the contact with the ground, of unit length.
     */
    double ground_normal[3];
    /**
     * The normal of the ground itself, of unit length.
     */
    double ground_surface_normal[3];
    /**
     * The entity that the character stands on.
     */
    uint64_t ground_key;
    /**
     * The change of height along up: positive for steps that lifted the character, negative for following the ground
     * down.
     */
    double stepped;
    /**
     * 1 if the character stands on ground; otherwise 0, and all fields about the ground are 0.
     */
    int32_t is_grounded;
    /**
     * 1 if the character is crushed: it is inside an obstacle, and no motion out of it is free. The last contacts are
     * then all obstacles that it is between, with their depths.
     */
    int32_t is_crushed;
} HsMoved;

/**
 * Decides how a shot goes on at a hit, given the ray of the leg. It returns an `HsImpact`.
 */
typedef int32_t (*HsImpactChoice)(void *user, const HsRay *ray, const HsHit *hit);

/**
 * A straight part of a shot.
 */
typedef struct {
    /**
     * The hit at the end; a miss where the range ends.
     */
    HsHit hit;
    /**
     * The start, relative to the filter's origin: the muzzle, or the point of the previous hit.
     */
    float from[3];
    /**
     * The end, relative to the filter's origin.
     */
    float to[3];
} HsShotLeg;

/**
 * An entity within the radius of an explosion.
 */
typedef struct {
    /**
     * The entity.
     */
    uint64_t key;
    /**
     * The nearest point of the entity, relative to the filter's origin.
     */
    float point[3];
    /**
     * The distance to that point, in world units; 0 if the center is inside.
     */
    float distance;
    /**
     * 1 if another entity is between the center and the nearest point, otherwise 0. Obstacles within a ten thousandth
     * of the distance from the center or from the nearest point do not count.
     */
    int32_t is_covered;
} HsBlastHit;

/**
 * An arm that holds a camera away from a target, as far as there is room.
 */
typedef struct {
    /**
     * The distance of the camera from its target if nothing blocks it, in world units.
     */
    double length;
    /**
     * The room that the camera keeps around itself: at least the distance from the eye to a corner of the near plane.
     */
    float radius;
} HsCameraArm;

/**
 * The place of a camera at the end of its arm.
 */
typedef struct {
    /**
     * The place of the camera, relative to the filter's origin.
     */
    double position[3];
    /**
     * The distance of the camera from its target.
     */
    double length;
    /**
     * The entity that blocks the full length.
     */
    uint64_t blocked_by;
    /**
     * 1 if an entity blocks the full length; otherwise 0, and `blocked_by` is 0.
     */
    int32_t is_blocked;
} HsArmEnd;

/**
 * A probe for the edge of a surface in front of a character, at a height where hands reach.
 */
typedef struct {
    /**
     * The distance ahead in which an edge is searched for, in world units.
     */
    double reach;
    /**
     * The least height of the edge above the feet.
     */
    double lowest;
    /**
     * The largest height of the edge above the feet.
     */
    double highest;
    /**
     * The steepest surface behind the edge, in radians from level.
     */
    double max_slope;
    /**
     * The radius of the ball that probes the surface: about the size of a hand.
     */
    float radius;
} HsLedgeProbe;

/**
 * An edge with a surface behind it and a wall below.
 */
typedef struct {
    /**
     * The entity of the surface.
     */
    uint64_t key;
    /**
     * The point of the edge in front of the character, relative to the filter's origin.
     */
    double point[3];
    /**
     * The normal of the surface, of unit length.
     */
    double top_normal[3];
    /**
     * The normal of the wall below the edge, of unit length.
     */
    double wall_normal[3];
} HsLedge;

#ifdef __cplusplus
extern "C" {
#endif // __cplusplus

/**
 * Returns why the last failed call of this thread failed, and what to do about it. The text is empty if no call
 * has failed. The text is valid until another call of this thread fails.
 */
const char *hs_last_error(void);

/**
 * Returns the version of the library, such as "0.1.0". The text is valid for ever.
 */
const char *hs_version(void);

/**
 * Returns the version of the library's binary interface. A program that loads the library by itself compares it with
 * `HS_ABI_VERSION`.
 */
uint32_t hs_abi_version(void);

/**
 * Returns the ray from a point along a direction, three numbers each. The direction is normalised, so that t is a
 * distance. If a pointer is null, the ray hits nothing.
 */
HsRay hs_ray_new(const float *origin, const float *direction);

/**
 * Returns the ray from a point along a direction as given: t is in units of the direction's length. If a pointer is
 * null, the ray hits nothing.
 */
HsRay hs_ray_with_direction(const float *origin, const float *direction);

/**
 * Returns the segment between two points, three numbers each: t is 0 at `a` and 1 at `b`, both included. If a pointer
 * is null or the points are equal, the ray hits nothing.
 */
HsRay hs_ray_between(const float *a, const float *b);

/**
 * Checks whether a ray can hit anything; if it cannot, the status is `HS_STATUS_INVALID_INPUT`, and `hs_last_error`
 * says why.
 */
HsStatus hs_ray_validate(const HsRay *ray);

/**
 * Writes the point origin + t * direction, computed in double precision and rounded once, as three numbers.
 */
HsStatus hs_ray_at(const HsRay *ray, float t, float *point);

/**
 * Returns a box along the axes, given two corners of three numbers.
 */
HsShape hs_shape_box(const float *min, const float *max);

/**
 * Returns a box of any rotation: its centre, the halves of its sizes, and its rotation as a quaternion (x, y, z, w).
 */
HsShape hs_shape_oriented_box(const float *center, const float *half_extents, const float *rotation);

/**
 * Returns a ball.
 */
HsShape hs_shape_sphere(const float *center, float radius);

/**
 * Returns the plane through a point, with a normal of any length that points to its front.
 */
HsShape hs_shape_plane(const float *point, const float *normal);

/**
 * Finds where the infinite line of a ray enters and leaves a box along the axes, in the box's own space. `interval` gets t
 * of the entry and t of the exit, two floats, which may be outside of the ray's range. The status is `HS_STATUS_NONE` if
 * the line misses the box, or if the box is outside of the range. Any other kind of shape is refused.
 */
HsStatus hs_shape_box_interval(const HsShape *shape,
                               const HsRay *ray,
                               float *interval);

/**
 * Finds the signed distance of a point of three floats from a plane, in the plane's own space and units. It is
 * positive on the side of the normal, negative behind the plane, and 0 on the plane. Any other kind of shape is
 * refused.
 */
HsStatus hs_shape_plane_signed_distance(const HsShape *shape, const float *point, float *distance);

/**
 * Checks whether a shape can be hit; if it cannot, `hs_last_error` says what is wrong.
 */
HsStatus hs_shape_validate(const HsShape *shape);

/**
 * Finds the hit of a ray on a shape in its own space; `when_inside` is an `HsInside`, the answer for a ray that starts
 * inside of it. The status is `HS_STATUS_NONE` for a miss, an invalid shape included.
 */
HsStatus hs_shape_cast(const HsShape *shape, const HsRay *ray, int32_t when_inside, HsHit *hit);

/**
 * Finds the point of a shape, in its own space, that is nearest to a point of three doubles. The status is
 * `HS_STATUS_NONE` if the shape is invalid or the point not finite.
 */
HsStatus hs_shape_closest_point(const HsShape *shape, const double *point, HsNearest *nearest);

/**
 * Finds the t of the hit of a ray on a shape in its own space, as `hs_shape_cast` would report it, without computing
 * the rest of the hit. A ray that starts inside hits the exit. The status is `HS_STATUS_NONE` for a miss, an invalid
 * shape included, and t is infinite then.
 */
HsStatus hs_shape_cast_t(const HsShape *shape, const HsRay *ray, float *t);

/**
 * Finds whether a ray hits a shape in its own space. A ray that starts inside hits the exit. An invalid shape is never
 * hit.
 */
HsStatus hs_shape_is_blocked(const HsShape *shape, const HsRay *ray, bool *blocked);

/**
 * Finds whether a point of three floats is in a solid or on its surface, in the shape's own space. A flat shape
 * contains nothing, nor does an invalid one, and a point that is not finite is in nothing.
 */
HsStatus hs_shape_contains(const HsShape *shape, const float *point, bool *contains);

/**
 * Returns a solid capsule: all points within a radius of the segment between two points.
 */
HsShape hs_shape_capsule(const float *a, const float *b, float radius);

/**
 * Returns a solid cylinder between the centres of its two ends.
 */
HsShape hs_shape_cylinder(const float *a, const float *b, float radius);

/**
 * Returns a solid cone between the centre of its base and its apex; the radius is the radius of its base.
 */
HsShape hs_shape_cone(const float *base_center, const float *apex, float radius);

/**
 * Returns a flat disc, which faces along its normal.
 */
HsShape hs_shape_disc(const float *center, const float *normal, float radius);

/**
 * Returns a flat parallelogram with a corner and the two edges that begin there, which faces along their cross
 * product.
 */
HsShape hs_shape_quad(const float *corner, const float *edge_u, const float *edge_v);

/**
 * Returns a triangle with three corners, which go counter-clockwise seen from its front.
 */
HsShape hs_shape_triangle(const float *a, const float *b, const float *c);

/**
 * Returns a solid ring around the y axis. The first radius is the radius of the ring's circle, and the second one the
 * radius of the tube around it.
 */
HsShape hs_shape_torus(float radius, float tube);

/**
 * Returns a solid box along the axes with round edges and corners: all points within a margin of the box between two
 * corners.
 */
HsShape hs_shape_rounded_box(const float *min, const float *max, float margin);

/**
 * Checks whether a volume is valid; otherwise `hs_last_error` says what is wrong with it.
 */
HsStatus hs_volume_validate(const HsVolume *volume);

/**
 * Makes a mesh from packed positions, three floats each, and 32-bit indices, three for each triangle. If `indices` is
 * null and `index_count` 0, every three vertices are a triangle. The mesh copies the positions and the indices.
 */
HsStatus hs_mesh_new(const float *positions,
                     size_t vertex_count,
                     const uint32_t *indices,
                     size_t index_count,
                     HsMesh **mesh);

/**
 * Makes a mesh from buffers of any stride, with normals and texture coordinates if there are any.
 */
HsStatus hs_mesh_build(const HsMeshSource *source, HsMesh **mesh);

/**
 * Frees a mesh; null is allowed.
 */
void hs_mesh_free(HsMesh *mesh);

/**
 * Moves the vertices of a mesh: there must be as many positions as before. The mesh's tree is refitted, which is much
 * faster than building a tree.
 */
HsStatus hs_mesh_refit(HsMesh *mesh, const float *points, size_t stride, size_t count);

/**
 * Returns the number of triangles; 0 for null.
 */
size_t hs_mesh_triangle_count(const HsMesh *mesh);

/**
 * Writes the least and the greatest corner of the bounds, three floats each. For a mesh without triangles, the least
 * corner is above the greatest.
 */
HsStatus hs_mesh_bounds(const HsMesh *mesh, float *min, float *max);

/**
 * Makes a mesh from bytes of `hs_mesh_save`.
 */
HsStatus hs_mesh_load(const uint8_t *bytes, size_t count, HsMesh **mesh);

/**
 * Makes another handle of a mesh, which shares its memory until one of them is changed.
 */
HsStatus hs_mesh_clone(const HsMesh *mesh, HsMesh **clone);

/**
 * Writes the three corners of a triangle, nine floats. The status is `HS_STATUS_NONE` if there is no such triangle.
 */
HsStatus hs_mesh_triangle(const HsMesh *mesh, uint32_t triangle, float *corners);

/**
 * Finds the closest hit of a ray, in the mesh's own space; among several hits with the same t, it is on the triangle
 * with the lowest number. `sides` is an `HsCull`. The status is `HS_STATUS_NONE` for a miss.
 */
HsStatus hs_mesh_cast(const HsMesh *mesh, const HsRay *ray, int32_t sides, HsHit *hit);

/**
 * Finds whether a ray hits any triangle.
 */
HsStatus hs_mesh_is_blocked(const HsMesh *mesh, const HsRay *ray, int32_t sides, bool *blocked);

/**
 * Finds all hits of a ray, in order: each triangle that it touches, two at an edge that they share, and more at a
 * corner.
 */
HsStatus hs_mesh_cast_all(const HsMesh *mesh,
                          const HsRay *ray,
                          int32_t sides,
                          HsHit *hits,
                          size_t capacity,
                          size_t *count);

/**
 * Finds where a ray goes into a closed mesh and out of it, in the mesh's own space and in order of t. Entries are hits
 * on fronts, and exits are hits on backs. An edge or a corner between triangles is crossed once, or not at all if the
 * ray only touches it. Surfaces within the mesh do not count, and holes are solid. In a mesh that is not closed, each
 * surface without a counterpart is a hit.
 */
HsStatus hs_mesh_cast_crossings(const HsMesh *mesh, const HsRay *ray, HsHit *hits, size_t capacity, size_t *count);

/**
 * Finds the point of a mesh that is nearest to a point of three doubles.
 */
HsStatus hs_mesh_closest_point(const HsMesh *mesh, const double *point, HsNearest *nearest);

/**
 * Finds whether a point of three doubles is inside of a closed mesh. The surface does not count.
 */
HsStatus hs_mesh_contains(const HsMesh *mesh, const double *point, bool *contains);

/**
 * Finds the first triangle that a volume touches when it moves by a motion of three doubles.
 */
HsStatus hs_mesh_sweep(const HsMesh *mesh,
                       const HsVolume *volume,
                       const HsPose *from,
                       const double *motion,
                       HsMeshContact *contact);

/**
 * Finds the pairs of triangles of a mesh that intersect or touch beyond the corners and edges that they share. The
 * lower triangle of each pair is from `first` to below `end`. 0 and `UINT32_MAX` choose all pairs. They are decided
 * exactly and in order. `pairs` has two triangles for each pair, and both `capacity` and `count` are numbers of pairs.
 */
HsStatus hs_mesh_self_intersections(const HsMesh *mesh,
                                    uint32_t first,
                                    uint32_t end,
                                    uint32_t *pairs,
                                    size_t capacity,
                                    size_t *count);

/**
 * Writes the texture coordinates at a place on a triangle, two floats. The status is `HS_STATUS_NONE` if the mesh has
 * none, or no such triangle.
 */
HsStatus hs_mesh_texcoord_at(const HsMesh *mesh, uint32_t triangle, float u, float v, float *texcoord);

/**
 * Writes the smooth normal at a place on a triangle, three floats. The status is `HS_STATUS_NONE` if the mesh has
 * none, or no such triangle.
 */
HsStatus hs_mesh_normal_at(const HsMesh *mesh, uint32_t triangle, float u, float v, float *normal);

/**
 * Writes a mesh with its tree as bytes, and the number of bytes. Ask with a capacity of 0 for the number first: the
 * status is `HS_STATUS_MORE` then.
 */
HsStatus hs_mesh_save(const HsMesh *mesh, uint8_t *bytes, size_t capacity, size_t *count);

/**
 * Finds the nearest point of a mesh for each of many points of three doubles, in the mesh's own space and on all threads. The answers are the same as by
 * `hs_mesh_closest_point`. `stride` is the number of bytes from one point to the next; 0 means three doubles. If a point has no nearest point, the distance is
 * infinite, and the triangle is `HS_NO_TRIANGLE`.
 */
HsStatus hs_mesh_closest_point_batch(const HsMesh *mesh,
                                     const double *points,
                                     size_t stride,
                                     size_t count,
                                     HsNearest *nearest);

/**
 * Does the same as `hs_mesh_closest_on_surface` for each of many points, on all threads. `stride` is as in
 * `hs_mesh_closest_point_batch`. Where there is no answer, the distance is infinite, and the triangle is
 * `HS_NO_TRIANGLE`.
 */
HsStatus hs_mesh_closest_on_surface_batch(const HsMesh *mesh,
                                          const double *points,
                                          size_t stride,
                                          size_t count,
                                          double max_distance,
                                          HsTrianglePoint *nearest);

/**
 * Finds for each of many points of three doubles whether it is inside of a closed mesh, in the mesh's own space and on all
 * threads. A point on the surface is not inside. A mesh that is not closed contains nothing. A point that is not
 * finite is never inside. `stride` is as in `hs_mesh_closest_point_batch`.
 */
HsStatus hs_mesh_contains_batch(const HsMesh *mesh,
                                const double *points,
                                size_t stride,
                                size_t count,
                                bool *contains);

/**
 * Finds the signed distance for each of many points, on all threads: NaN where `hs_mesh_signed_distance` finds none.
 * `stride` is as in `hs_mesh_closest_point_batch`.
 */
HsStatus hs_mesh_signed_distance_batch(const HsMesh *mesh,
                                       const double *points,
                                       size_t stride,
                                       size_t count,
                                       float *distances);

/**
 * Finds the point of a mesh's triangles that is nearest to a point of three doubles, within `max_distance`, which may
 * be infinite. It is the point that `hs_mesh_closest_point` finds, much faster, because it is not decided whether the
 * given point is inside. All values are in the mesh's own space and units. If several triangles are equally near, the
 * answer is on the one with the lowest number. The status is `HS_STATUS_NONE` if no triangle is within the distance,
 * for a point that is not finite, and for a distance that is negative or NaN.
 */
HsStatus hs_mesh_closest_on_surface(const HsMesh *mesh,
                                    const double *point,
                                    double max_distance,
                                    HsTrianglePoint *nearest);

/**
 * Finds the distance from a point of three doubles to a mesh, negative inside, in the mesh's own space and units. The
 * status is `HS_STATUS_NONE` if the mesh is not closed, and where `hs_mesh_closest_point` finds nothing.
 */
HsStatus hs_mesh_signed_distance(const HsMesh *mesh, const double *point, float *distance);

/**
 * Frees a winding tree; null is allowed.
 */
void hs_winding_tree_free(HsWindingTree *tree);

/**
 * Finds the winding number of each of many points, on all threads: NaN where `hs_winding_tree_winding_number` finds none.
 * `stride` is as in `hs_mesh_closest_point_batch`.
 */
HsStatus hs_winding_tree_winding_number_batch(const HsWindingTree *tree,
                                              const double *points,
                                              size_t stride,
                                              size_t count,
                                              double error_bound,
                                              double *numbers);

/**
 * Prepares a mesh. A closed mesh, or a mesh with few border edges, needs little time and memory. Any other mesh needs
 * about the time of a build, and about 90 bytes for each triangle.
 */
HsStatus hs_winding_tree_new(const HsMesh *mesh, HsWindingTree **tree);

/**
 * Finds the winding number of a point of three doubles, in the mesh's own space, with an error of at most
 * `error_bound` plus the rounding of a double. It is 1 inside of a closed mesh and 0 outside. For an open mesh it is
 * the share of all directions that the mesh covers, and is negative where the front faces the point. On a surface it
 * is the mean of both sides. A larger bound takes less time; with 0, a negative number or NaN, only the rounding
 * remains. The status is `HS_STATUS_NONE` for a point that is not finite or beyond 1e70.
 */
HsStatus hs_winding_tree_winding_number(const HsWindingTree *tree,
                                        const double *point,
                                        double error_bound,
                                        double *number);

/**
 * Makes a height field. `heights` has `columns` floats along x for each of the rows along z. Each cell has the size `cell_x`
 * by `cell_z`, and the first vertex is at x = z = 0. `diagonal` is an `HsDiagonal`. `holes` has the row and the column of each cell without ground. With a
 * `hole_count` of 0 it may be null.
 */
HsStatus hs_height_field_new(size_t rows,
                             size_t columns,
                             float cell_x,
                             float cell_z,
                             const float *heights,
                             int32_t diagonal,
                             const size_t *holes,
                             size_t hole_count,
                             HsHeightField **field);

/**
 * Frees a height field; null is allowed.
 */
void hs_height_field_free(HsHeightField *field);

/**
 * Finds the closest hit of a ray, in the field's own space. `sides` is an `HsCull`.
 */
HsStatus hs_height_field_cast(const HsHeightField *field, const HsRay *ray, int32_t sides, HsHit *hit);

/**
 * Finds whether a ray hits the ground, in the field's own space. `sides` is an `HsCull`.
 */
HsStatus hs_height_field_is_blocked(const HsHeightField *field, const HsRay *ray, int32_t sides, bool *blocked);

/**
 * Finds all hits of a ray, in the field's own space and in order. The answer has each triangle that the ray touches:
 * two at an edge that they share, and more at a corner. `sides` is an `HsCull`.
 */
HsStatus hs_height_field_cast_all(const HsHeightField *field,
                                  const HsRay *ray,
                                  int32_t sides,
                                  HsHit *hits,
                                  size_t capacity,
                                  size_t *count);

/**
 * Finds the height at a place in the field's own space. The status is `HS_STATUS_NONE` outside of it and in a hole.
 */
HsStatus hs_height_field_height_at(const HsHeightField *field, float x, float z, float *height);

/**
 * Finds the point of a height field that is nearest to a point of three doubles.
 */
HsStatus hs_height_field_closest_point(const HsHeightField *field, const double *point, HsNearest *nearest);

/**
 * Finds the first triangle that a volume touches when it moves by a motion of three doubles.
 */
HsStatus hs_height_field_sweep(const HsHeightField *field,
                               const HsVolume *volume,
                               const HsPose *from,
                               const double *motion,
                               HsMeshContact *contact);

/**
 * Makes the convex hull of points. `stride` is the number of bytes from one point to the next; 0 means three floats.
 */
HsStatus hs_hull_new(const float *points, size_t stride, size_t count, HsHull **hull);

/**
 * Frees a hull; null is allowed.
 */
void hs_hull_free(HsHull *hull);

/**
 * Writes the corners of a hull, three floats each; both `capacity` and `count` are numbers of corners.
 */
HsStatus hs_hull_vertices(const HsHull *hull, float *vertices, size_t capacity, size_t *count);

/**
 * Finds the hit of a ray on a hull in its own space; `when_inside` is an `HsInside`. The status is `HS_STATUS_NONE`
 * for a miss.
 */
HsStatus hs_hull_cast(const HsHull *hull, const HsRay *ray, int32_t when_inside, HsHit *hit);

/**
 * Finds the t of the hit of a ray on a hull in its own space, as `hs_hull_cast` would report it, without computing the
 * rest of the hit. A ray that starts inside hits the exit. The status is `HS_STATUS_NONE` for a miss, and t is
 * infinite then.
 */
HsStatus hs_hull_cast_t(const HsHull *hull, const HsRay *ray, float *t);

/**
 * Finds whether a ray hits a hull in its own space. A ray that starts inside hits the exit.
 */
HsStatus hs_hull_is_blocked(const HsHull *hull, const HsRay *ray, bool *blocked);

/**
 * Finds whether a point of three floats is in a hull or on its surface.
 */
HsStatus hs_hull_contains(const HsHull *hull, const float *point, bool *contains);

/**
 * Finds the point of a hull that is nearest to a point of three doubles.
 */
HsStatus hs_hull_closest_point(const HsHull *hull, const double *point, HsNearest *nearest);

/**
 * Makes the collision matrix of the same triangle in an instance, given the transform of the instance: sixteen
 * doubles, column after column.
 */
HsStatus hs_collision_matrix_placed(const HsCollisionMatrix *matrix,
                                    const double *transform,
                                    HsCollisionMatrix **placed);

/**
 * Frees a collision matrix; null is allowed.
 */
void hs_collision_matrix_free(HsCollisionMatrix *matrix);

/**
 * Makes the collision matrix of a triangle, given its corners of three floats.
 */
HsStatus hs_collision_matrix_new(const float *a, const float *b, const float *c, HsCollisionMatrix **matrix);

/**
 * Finds the hit of a ray on the triangle.
 */
HsStatus hs_collision_matrix_cast(const HsCollisionMatrix *matrix, const HsRay *ray, HsHit *hit);

/**
 * Finds the t of the hit of a ray in world space, as `hs_collision_matrix_cast` would report it, without computing the
 * rest of the hit. The status is `HS_STATUS_NONE` for a miss, and t is infinite then.
 */
HsStatus hs_collision_matrix_cast_t(const HsCollisionMatrix *matrix, const HsRay *ray, float *t);

/**
 * Finds whether a ray in world space hits the triangle, as `hs_collision_matrix_cast` would, without computing the
 * hit.
 */
HsStatus hs_collision_matrix_is_blocked(const HsCollisionMatrix *matrix, const HsRay *ray, bool *blocked);

/**
 * Finds whether a segment between two points of three floats, in world space, goes through the triangle, as
 * `hs_collision_matrix_collide_segment` would, without computing the hit. An end on the triangle counts.
 */
HsStatus hs_collision_matrix_segment_is_blocked(const HsCollisionMatrix *matrix,
                                                const float *from,
                                                const float *to,
                                                bool *blocked);

/**
 * Finds where a segment between two points of three floats goes through the triangle.
 */
HsStatus hs_collision_matrix_collide_segment(const HsCollisionMatrix *matrix,
                                             const float *from,
                                             const float *to,
                                             HsSegmentHit *hit);

/**
 * Makes a shape of the caller's own, given its bounding box and the function that casts rays at it. The corners of the
 * box are three floats each, which may be infinite, and the box contains all of the surface. `user` is the first
 * argument of `cast` and of `free`. `free`, which may be null, is called once, when the handle is freed and no scene
 * or snapshot has the shape any more. It is not called after an error. Several threads call `cast` at once; it must
 * return, and must not change a scene.
 */
HsStatus hs_custom_new(const float *min,
                       const float *max,
                       HsCustomCast cast,
                       void *user,
                       HsCustomFree free,
                       HsCustom **custom);

/**
 * Frees the handle of a custom shape; null is allowed. Scenes that share the shape keep it.
 */
void hs_custom_free(HsCustom *custom);

/**
 * Finds the hit of a ray on a custom shape in the shape's own space, as a scene would; `when_inside` is an `HsInside`. The
 * status is `HS_STATUS_NONE` for a miss.
 */
HsStatus hs_custom_cast(const HsCustom *custom,
                        const HsRay *ray,
                        int32_t when_inside,
                        HsHit *hit);

/**
 * Makes a filter that accepts everything. `size` is `sizeof(HsFilter)`.
 */
HsStatus hs_filter_init(HsFilter *filter, size_t size);

/**
 * Frees a scene; null is allowed.
 */
void hs_scene_free(HsScene *scene);

/**
 * Returns the number of entities; 0 for null.
 */
size_t hs_scene_count(const HsScene *scene);

/**
 * Puts a cloud of points into a scene, to snap to; rays and volumes do not hit it.
 */
HsStatus hs_scene_insert_points(HsScene *scene,
                                uint64_t key,
                                const float *points,
                                size_t stride,
                                size_t count,
                                const double *transform);

/**
 * Puts a line through points into a scene, to snap to; rays and volumes do not hit it.
 */
HsStatus hs_scene_insert_polyline(HsScene *scene,
                                  uint64_t key,
                                  const float *points,
                                  size_t stride,
                                  size_t count,
                                  const double *transform);

/**
 * Puts several things into a scene as one entity. The part number of a hit says which of them was hit.
 */
HsStatus hs_scene_insert_compound(HsScene *scene,
                                  uint64_t key,
                                  const HsPart *parts,
                                  size_t count,
                                  const double *transform);

/**
 * Moves an entity, given a transform of sixteen floats.
 */
HsStatus hs_scene_set_transform_f32(HsScene *scene, uint64_t key, const float *transform);

/**
 * Moves many entities at once: `transforms` has sixteen doubles for each key. Absent keys are ignored. `moved`, which may be null, gets the number of these
 * keys that are in the scene. If a transform is invalid, nothing is moved. If more than an eighth of all parts move, the tree is refitted or rebuilt once. So
 * make one call for everything that moves in a frame.
 */
HsStatus hs_scene_set_transforms(HsScene *scene,
                                 const uint64_t *keys,
                                 const double *transforms,
                                 size_t count,
                                 size_t *moved);

/**
 * Moves many entities at once, given sixteen floats for each key.
 */
HsStatus hs_scene_set_transforms_f32(HsScene *scene,
                                     const uint64_t *keys,
                                     const float *transforms,
                                     size_t count,
                                     size_t *moved);

/**
 * Moves the vertices of the mesh of an entity, or of one part of a compound. Other entities with the same mesh keep
 * their vertices. The status is `HS_STATUS_NONE` if there is no such mesh.
 */
HsStatus hs_scene_refit(HsScene *scene, uint64_t key, uint32_t part, const float *points, size_t stride, size_t count);

/**
 * Changes heights of the height field of an entity, or of one part of a compound. The call sets `rows` rows from `row` on, in `columns` columns from `column`
 * on. `heights` has the new heights, row after row. The status is `HS_STATUS_NONE` if there is no such field.
 */
HsStatus hs_scene_set_heights(HsScene *scene,
                              uint64_t key,
                              uint32_t part,
                              size_t row,
                              size_t rows,
                              size_t column,
                              size_t columns,
                              const float *heights);

/**
 * Writes the least and the greatest corner of the box around an entity, three floats each. The status is
 * `HS_STATUS_NONE` if there is no such entity. A plane has infinite bounds.
 */
HsStatus hs_scene_bounds_of(const HsScene *scene, uint64_t key, float *min, float *max);

/**
 * Makes a scene from bytes of `hs_scene_save`.
 */
HsStatus hs_scene_load(const uint8_t *bytes, size_t count, HsScene **scene);

/**
 * Writes the matrix of a pose with a scale, sixteen doubles, column after column. `scale` is three doubles, or null for
 * no scale.
 */
HsStatus hs_transform_from_pose(const HsPose *pose, const double *scale, double *transform);

/**
 * Makes an empty scene.
 */
HsStatus hs_scene_new(HsScene **scene);

/**
 * Makes a copy of a scene, which shares its memory: each of them copies only the data that it changes later. The copy
 * of a thousand entities takes some microseconds.
 */
HsStatus hs_scene_clone(const HsScene *scene, HsScene **clone);

/**
 * Puts a mesh into a scene under a key, and replaces the entity there. The transform from the mesh to the world is
 * sixteen doubles, column after column; null is the identity. The mesh is shared, not copied.
 */
HsStatus hs_scene_insert_mesh(HsScene *scene, uint64_t key, const HsMesh *mesh, const double *transform);

/**
 * Puts a shape into a scene, as `hs_scene_insert_mesh` does with a mesh.
 */
HsStatus hs_scene_insert_shape(HsScene *scene, uint64_t key, const HsShape *shape, const double *transform);

/**
 * Puts a height field into a scene, as `hs_scene_insert_mesh` does with a mesh.
 */
HsStatus hs_scene_insert_height_field(HsScene *scene,
                                      uint64_t key,
                                      const HsHeightField *field,
                                      const double *transform);

/**
 * Puts a shape of the caller's own into a scene, as `hs_scene_insert_mesh` does with a mesh. Such a scene cannot be
 * saved.
 */
HsStatus hs_scene_insert_custom(HsScene *scene, uint64_t key, const HsCustom *custom, const double *transform);

/**
 * Puts a convex hull into a scene, as `hs_scene_insert_mesh` does with a mesh.
 */
HsStatus hs_scene_insert_hull(HsScene *scene, uint64_t key, const HsHull *hull, const double *transform);

/**
 * Removes an entity. The status is `HS_STATUS_NONE` if there is none under this key.
 */
HsStatus hs_scene_remove(HsScene *scene, uint64_t key);

/**
 * Removes all entities.
 */
HsStatus hs_scene_clear(HsScene *scene);

/**
 * Finds whether there is an entity under a key: the status is `HS_STATUS_OK` or `HS_STATUS_NONE`.
 */
HsStatus hs_scene_contains(const HsScene *scene, uint64_t key);

/**
 * Writes the keys of all entities, in no particular order, and their number.
 */
HsStatus hs_scene_keys(const HsScene *scene, uint64_t *keys, size_t capacity, size_t *count);

/**
 * Moves an entity. The transform to the world is sixteen doubles, column after column. The status is `HS_STATUS_NONE`
 * if there is no entity under this key.
 */
HsStatus hs_scene_set_transform(HsScene *scene, uint64_t key, const double *transform);

/**
 * Moves an entity to a pose.
 */
HsStatus hs_scene_set_pose(HsScene *scene, uint64_t key, const HsPose *pose);

/**
 * Writes the transform from an entity's own space to the world, sixteen doubles, column after column.
 */
HsStatus hs_scene_get_transform(const HsScene *scene, uint64_t key, double *transform);

/**
 * Puts an entity on layers, a bit each. At first it is only on the layer of the lowest bit.
 */
HsStatus hs_scene_set_layers(HsScene *scene, uint64_t key, uint32_t layers);

/**
 * Writes the layers of an entity, a bit each.
 */
HsStatus hs_scene_get_layers(const HsScene *scene, uint64_t key, uint32_t *layers);

/**
 * Writes a scene as bytes, and their number. Ask with a capacity of 0 for the number first: the status is
 * `HS_STATUS_MORE` then.
 */
HsStatus hs_scene_save(const HsScene *scene, uint8_t *bytes, size_t capacity, size_t *count);

/**
 * Finds the closest hit of a ray. If several hits have the same t, the entity inserted first is hit. An entity that is
 * replaced keeps its place in the order of insertion. An entity that is removed and inserted again becomes the last. The
 * status is `HS_STATUS_NONE` for a miss.
 */
HsStatus hs_scene_cast(const HsScene *scene,
                       const HsRay *ray,
                       const HsFilter *filter,
                       HsHit *hit);

/**
 * Finds whether a ray hits anything.
 */
HsStatus hs_scene_is_blocked(const HsScene *scene, const HsRay *ray, const HsFilter *filter, bool *blocked);

/**
 * Finds all hits of a ray, in order: each triangle that it touches, two at an edge that they share, and each crossing
 * of a solid. So the number of hits is not the number of surfaces; `hs_scene_solid_intervals` finds those.
 */
HsStatus hs_scene_cast_all(const HsScene *scene,
                           const HsRay *ray,
                           const HsFilter *filter,
                           HsHit *hits,
                           size_t capacity,
                           size_t *count);

/**
 * Finds the first `capacity` hits of a ray, in order, faster than all of them; `count` gets their number.
 */
HsStatus hs_scene_cast_first_n(const HsScene *scene,
                               const HsRay *ray,
                               const HsFilter *filter,
                               HsHit *hits,
                               size_t capacity,
                               size_t *count);

/**
 * Finds the first hit of a ray on each entity, in order.
 */
HsStatus hs_scene_cast_entities(const HsScene *scene,
                                const HsRay *ray,
                                const HsFilter *filter,
                                HsHit *hits,
                                size_t capacity,
                                size_t *count);

/**
 * Finds whether nothing is between two points of three floats each. Entities that the filter excludes hide nothing.
 */
HsStatus hs_scene_sees(const HsScene *scene, const float *eye, const float *point, const HsFilter *filter, bool *sees);

/**
 * Finds whether nothing is between a point of one entity and a point of another one. These two entities hide nothing.
 */
HsStatus hs_scene_line_of_sight(const HsScene *scene,
                                uint64_t from,
                                const float *from_point,
                                uint64_t to,
                                const float *to_point,
                                const HsFilter *filter,
                                bool *sees);

/**
 * Finds the ground below a point of three floats, against the direction `up` and within a distance.
 */
HsStatus hs_scene_ground_below(const HsScene *scene,
                               const float *point,
                               const float *up,
                               float reach,
                               const HsFilter *filter,
                               HsGround *ground);

/**
 * Finds the intervals of a ray that are inside of solids and closed meshes, in order.
 */
HsStatus hs_scene_solid_intervals(const HsScene *scene,
                                  const HsRay *ray,
                                  const HsFilter *filter,
                                  HsInterval *intervals,
                                  size_t capacity,
                                  size_t *count);

/**
 * Moves a point by a motion, three floats each, until it is at the distance `skin` from a surface.
 */
HsStatus hs_scene_move_point(const HsScene *scene,
                             const float *from,
                             const float *motion,
                             float skin,
                             const HsFilter *filter,
                             HsPointMove *moved);

/**
 * Finds the first hit of something that is thrown, along chords that are at most `tolerance` from its path.
 */
HsStatus hs_scene_cast_trajectory(const HsScene *scene,
                                  const HsTrajectory *trajectory,
                                  float tolerance,
                                  const HsFilter *filter,
                                  HsTrajectoryHit *hit);

/**
 * Finds the first hit along a path through `count` points of three floats each. The status is `HS_STATUS_NONE` for a
 * miss, for fewer than two points, and for points that are not finite.
 */
HsStatus hs_scene_cast_path(const HsScene *scene,
                            const float *points,
                            size_t count,
                            const HsFilter *filter,
                            HsPathHit *hit);

/**
 * Counts how many of `count` points of three floats each can be seen from an eye, with nothing in between. If the
 * points are on the surface of an entity, let the filter exclude that entity. An entity that the filter leaves out
 * hides nothing.
 */
HsStatus hs_scene_visibility(const HsScene *scene,
                             const float *eye,
                             const float *points,
                             size_t count,
                             const HsFilter *filter,
                             size_t *seen);

/**
 * Explains why a ray does not hit an entity first, or that it does. The answer is a reason, and a sentence for people. The ray and the hits are in world
 * space, relative to the filter's origin. `text` gets the sentence with a terminating null, which `capacity` and `count` include. The pointer may be null for
 * a capacity of 0. The explanation is written even if the text does not fit.
 */
HsStatus hs_scene_explain(const HsScene *scene,
                          const HsRay *ray,
                          uint64_t key,
                          const HsFilter *filter,
                          HsExplanation *explanation,
                          char *text,
                          size_t capacity,
                          size_t *count);

/**
 * Frees a path; null is allowed.
 */
void hs_path_free(HsPath *path);

/**
 * Finds the closest hit of a ray that goes on from the last hit of a path, and remembers it. The ray is usually from
 * `hs_path_bounce` or `hs_path_onward`; the first ray of a path may be any ray. After a miss, the path has no hit.
 */
HsStatus hs_path_cast(HsPath *path, const HsScene *scene, const HsRay *ray, const HsFilter *filter, HsHit *hit);

/**
 * Writes the ray that is reflected at the last hit of a path. The status is `HS_STATUS_NONE` if there is no hit.
 */
HsStatus hs_path_bounce(const HsPath *path, HsRay *ray);

/**
 * Writes the ray that goes straight on from the last hit of a path. The status is `HS_STATUS_NONE` if there is no hit.
 */
HsStatus hs_path_onward(const HsPath *path, HsRay *ray);

/**
 * Makes a path without a hit.
 */
HsStatus hs_path_new(HsPath **path);

/**
 * Lets a path forget its last hit, so that another one can begin.
 */
HsStatus hs_path_reset(HsPath *path);

/**
 * Writes the texture coordinates at the last hit of a path, two floats. The scene must be as it was at the hit. The
 * status is `HS_STATUS_NONE` if there is no hit, or if the surface has no texture coordinates.
 */
HsStatus hs_path_texcoord(const HsPath *path, const HsScene *scene, float *texcoord);

/**
 * Writes the smooth normal at the last hit of a path, three floats, interpolated from the vertices and in world space.
 * The status is `HS_STATUS_NONE` if there is no hit, or if the mesh has no normals.
 */
HsStatus hs_path_normal(const HsPath *path, const HsScene *scene, float *normal);

/**
 * Finds the first contact of a volume that is moved by a motion of three doubles. The status is `HS_STATUS_NONE` if
 * nothing is hit.
 */
HsStatus hs_scene_sweep(const HsScene *scene,
                        const HsVolume *volume,
                        const HsPose *from,
                        const double *motion,
                        const HsFilter *filter,
                        HsSweepHit *hit);

/**
 * Finds all contacts of a volume that is moved by a motion of three doubles, in order.
 */
HsStatus hs_scene_sweep_all(const HsScene *scene,
                            const HsVolume *volume,
                            const HsPose *from,
                            const double *motion,
                            const HsFilter *filter,
                            HsSweepHit *hits,
                            size_t capacity,
                            size_t *count);

/**
 * Finds the first contact of a volume that moves and rotates from one pose to another one. `safe_t` and `slide` of the
 * hit are for the straight part of the motion.
 */
HsStatus hs_scene_sweep_rotating(const HsScene *scene,
                                 const HsVolume *volume,
                                 const HsPose *from,
                                 const HsPose *to,
                                 const HsFilter *filter,
                                 HsSweepHit *hit);

/**
 * Finds the first contact that an entity of the scene has with any other entity when it moves by a motion of three
 * doubles. The status is `HS_STATUS_NONE` if the entity hits nothing, is not in the scene, or is no volume.
 */
HsStatus hs_scene_sweep_entity(const HsScene *scene,
                               uint64_t key,
                               const double *motion,
                               const HsFilter *filter,
                               HsSweepHit *hit);

/**
 * Finds whether a volume overlaps anything.
 */
HsStatus hs_scene_overlaps(const HsScene *scene,
                           const HsVolume *volume,
                           const HsPose *at,
                           const HsFilter *filter,
                           bool *overlaps);

/**
 * Finds the entities that a volume overlaps.
 */
HsStatus hs_scene_overlap_entities(const HsScene *scene,
                                   const HsVolume *volume,
                                   const HsPose *at,
                                   const HsFilter *filter,
                                   uint64_t *keys,
                                   size_t capacity,
                                   size_t *count);

/**
 * Finds all parts and triangles that a volume overlaps.
 */
HsStatus hs_scene_overlap_all(const HsScene *scene,
                              const HsVolume *volume,
                              const HsPose *at,
                              const HsFilter *filter,
                              HsOverlap *overlaps,
                              size_t capacity,
                              size_t *count);

/**
 * Finds the deepest overlap of a volume. The status is `HS_STATUS_NONE` if it overlaps nothing.
 */
HsStatus hs_scene_penetration(const HsScene *scene,
                              const HsVolume *volume,
                              const HsPose *at,
                              const HsFilter *filter,
                              HsPenetration *penetration);

/**
 * Finds the overlap of a volume with each part.
 */
HsStatus hs_scene_penetration_all(const HsScene *scene,
                                  const HsVolume *volume,
                                  const HsPose *at,
                                  const HsFilter *filter,
                                  HsPenetration *penetrations,
                                  size_t capacity,
                                  size_t *count);

/**
 * Finds the points at which a volume touches or overlaps something, up to four for each part.
 */
HsStatus hs_scene_contact_points(const HsScene *scene,
                                 const HsVolume *volume,
                                 const HsPose *at,
                                 const HsFilter *filter,
                                 HsContactPoint *contacts,
                                 size_t capacity,
                                 size_t *count);

/**
 * Finds the nearest point for each of many points of three doubles, on all threads. `stride` is the number of bytes
 * from one point to the next; 0 means three doubles. If there is no nearest point, the distance is infinite, the
 * triangle is `HS_NO_TRIANGLE`, and everything else is 0.
 */
HsStatus hs_scene_closest_point_batch(const HsScene *scene,
                                      const double *points,
                                      size_t stride,
                                      size_t count,
                                      double max_distance,
                                      const HsFilter *filter,
                                      HsNearest *nearest);

/**
 * Finds the first contact of every two entities that come to touch while all of the given entities move at the same time. A pair counts if one is on `layers`
 * and the other on `other_layers`. The contacts are in the order of their times. At the time of a contact, the two are at most `tolerance` apart, and a
 * contact is never late. The scene does not change. An absent key is left out; an invalid motion is an error that names its index.
 */
HsStatus hs_scene_first_impacts(const HsScene *scene,
                                const HsEntityMotion *motions,
                                size_t motion_count,
                                double tolerance,
                                uint32_t layers,
                                uint32_t other_layers,
                                HsEntityImpact *impacts,
                                size_t capacity,
                                size_t *count);

/**
 * Finds the point of all entities that is nearest to a point of three doubles, within `max_distance`, which may be
 * infinite. The status is `HS_STATUS_NONE` if there is no such point.
 */
HsStatus hs_scene_closest_point(const HsScene *scene,
                                const double *point,
                                double max_distance,
                                const HsFilter *filter,
                                HsNearest *nearest);

/**
 * Finds whether two entities overlap. They do not if one of them is not in the scene.
 */
HsStatus hs_scene_pair_overlaps(const HsScene *scene, uint64_t first, uint64_t second, bool *overlaps);

/**
 * Finds all pairs of entities that overlap, of which one is on `layers` and the other on `other_layers`. `boxes_only`
 * is 1 to compare only their boxes, which is faster, otherwise 0. `pairs` has two keys for each pair, and both
 * `capacity` and `count` are numbers of pairs.
 */
HsStatus hs_scene_overlap_pairs(const HsScene *scene,
                                uint32_t layers,
                                uint32_t other_layers,
                                int32_t boxes_only,
                                uint64_t *pairs,
                                size_t capacity,
                                size_t *count);

/**
 * Finds the two entities that are nearest to each other, of which one is on `layers` and the other on `other_layers`.
 * Among equally near pairs the first in the order of insertion counts. The status is `HS_STATUS_NONE` if there is no
 * pair.
 */
HsStatus hs_scene_closest_pair(const HsScene *scene, uint32_t layers, uint32_t other_layers, HsNearPair *pair);

/**
 * Finds the entity of a scene and the entity of another one that are nearest to each other. One of the two is on
 * `layers` and the other on `other_layers`. The status is `HS_STATUS_NONE` if there is no pair.
 */
HsStatus hs_scene_closest_pair_against(const HsScene *scene,
                                       const HsScene *other,
                                       uint32_t layers,
                                       uint32_t other_layers,
                                       HsNearPair *pair);

/**
 * Finds all pairs of entities that are no farther apart than `max_distance`, of which one is on `layers` and the other
 * on `other_layers`. They are in the order of insertion of their first entities, then of their second ones.
 */
HsStatus hs_scene_distance_pairs(const HsScene *scene,
                                 double max_distance,
                                 uint32_t layers,
                                 uint32_t other_layers,
                                 HsNearPair *pairs,
                                 size_t capacity,
                                 size_t *count);

/**
 * Finds all pairs of an entity of a scene and an entity of another one that are no farther apart than `max_distance`.
 * One of the two is on `layers` and the other on `other_layers`.
 */
HsStatus hs_scene_distance_pairs_against(const HsScene *scene,
                                         const HsScene *other,
                                         double max_distance,
                                         uint32_t layers,
                                         uint32_t other_layers,
                                         HsNearPair *pairs,
                                         size_t capacity,
                                         size_t *count);

/**
 * Finds all pairs of an entity of a scene and an entity of another one that overlap, as `hs_scene_overlap_pairs` does
 * in one scene.
 */
HsStatus hs_scene_overlap_pairs_against(const HsScene *scene,
                                        const HsScene *other,
                                        uint32_t layers,
                                        uint32_t other_layers,
                                        int32_t boxes_only,
                                        uint64_t *pairs,
                                        size_t capacity,
                                        size_t *count);

/**
 * Finds the distance between two entities. The status is `HS_STATUS_NONE` if one of them is not in the scene.
 */
HsStatus hs_scene_pair_distance(const HsScene *scene, uint64_t first, uint64_t second, HsPairDistance *distance);

/**
 * Finds how deep two entities overlap. The status is `HS_STATUS_NONE` if they do not.
 */
HsStatus hs_scene_pair_penetration(const HsScene *scene,
                                   uint64_t first,
                                   uint64_t second,
                                   HsPairPenetration *penetration);

/**
 * Finds the penetration of every two convex pieces of two entities, each a solid or a triangle, that overlap or touch,
 * the deepest first. There is none if the entities do not overlap or one of them is not in the scene.
 */
HsStatus hs_scene_pair_penetration_all(const HsScene *scene,
                                       uint64_t first,
                                       uint64_t second,
                                       HsPairPenetration *penetrations,
                                       size_t capacity,
                                       size_t *count);

/**
 * Frees a tracker; null is allowed.
 */
void hs_pair_tracker_free(HsPairTracker *tracker);

/**
 * Makes a tracker, which has no pairs at first. It tracks the pairs that `hs_scene_overlap_pairs` finds for the same
 * layers and the same `boxes_only`.
 */
HsStatus hs_pair_tracker_new(uint32_t layers, uint32_t other_layers, int32_t boxes_only, HsPairTracker **tracker);

/**
 * Compares a scene with the last update, usually once a frame, and replaces the events of a tracker. The scene may
 * have changed in any way, and may be a clone or a snapshot. Pairs are identified by their keys: an entity that is
 * replaced, or removed and inserted again under its key, is the same one.
 */
HsStatus hs_pair_tracker_update(HsPairTracker *tracker, const HsScene *scene);

/**
 * Writes the events of the last update: one for each pair that overlaps or did before. Pairs that leave come first.
 * These pairs, and the others after them, are in the order of insertion.
 */
HsStatus hs_pair_tracker_events(const HsPairTracker *tracker, HsPairEvent *events, size_t capacity, size_t *count);

/**
 * Finds the closest hit of each of many rays, on all threads: the same answers as by `hs_mesh_cast`. Both strides
 * are numbers of bytes from one struct to the next; 0 means that the structs are contiguous.
 */
HsStatus hs_mesh_cast_batch(const HsMesh *mesh,
                            const HsRay *rays,
                            size_t ray_stride,
                            size_t count,
                            int32_t sides,
                            HsHit *hits,
                            size_t hit_stride);

/**
 * Does the same as `hs_mesh_cast_batch`, but reads the rays from columns, and writes the hits to columns.
 */
HsStatus hs_mesh_cast_columns(const HsMesh *mesh,
                              const HsRayColumns *rays,
                              size_t count,
                              int32_t sides,
                              const HsHitColumns *hits);

/**
 * Finds all hits of each of many rays, on all threads and into columns: the same hits as by `hs_mesh_cast_all`, in the same
 * order. `offsets` gets one number more than there are rays. In each column, the hits of ray `i` are from `offsets[i]` to before `offsets[i + 1]`. `capacity`
 * is the number of hits for which the columns have places, and `hit_count` gets the number of all hits. If these do not fit, the status is `HS_STATUS_MORE`,
 * and only the first hits are written.
 */
HsStatus hs_mesh_cast_all_columns(const HsMesh *mesh,
                                  const HsRayColumns *rays,
                                  size_t count,
                                  int32_t sides,
                                  size_t *offsets,
                                  const HsHitColumns *hits,
                                  size_t capacity,
                                  size_t *hit_count);

/**
 * Finds for each of many rays whether it hits any triangle, on all threads. `ray_stride` is as in `hs_mesh_cast_batch`.
 */
HsStatus hs_mesh_is_blocked_batch(const HsMesh *mesh,
                                  const HsRay *rays,
                                  size_t ray_stride,
                                  size_t count,
                                  int32_t sides,
                                  bool *blocked);

/**
 * Finds the closest hit of each of many rays, on all threads: the same answers as by `hs_scene_cast`. Both
 * strides are numbers of bytes from one struct to the next; 0 means that the structs are contiguous.
 */
HsStatus hs_scene_cast_batch(const HsScene *scene,
                             const HsRay *rays,
                             size_t ray_stride,
                             size_t count,
                             const HsFilter *filter,
                             HsHit *hits,
                             size_t hit_stride);

/**
 * Does the same as `hs_scene_cast_batch`, but reads the rays from columns, and writes the hits to columns.
 */
HsStatus hs_scene_cast_columns(const HsScene *scene,
                               const HsRayColumns *rays,
                               size_t count,
                               const HsFilter *filter,
                               const HsHitColumns *hits);

/**
 * Does the same as `hs_mesh_cast_all_columns` for a scene. The hits are the same as by `hs_scene_cast_all`.
 */
HsStatus hs_scene_cast_all_columns(const HsScene *scene,
                                   const HsRayColumns *rays,
                                   size_t count,
                                   const HsFilter *filter,
                                   size_t *offsets,
                                   const HsHitColumns *hits,
                                   size_t capacity,
                                   size_t *hit_count);

/**
 * Finds for each of many rays whether it hits anything, on all threads. `ray_stride` is as in `hs_scene_cast_batch`.
 */
HsStatus hs_scene_is_blocked_batch(const HsScene *scene,
                                   const HsRay *rays,
                                   size_t ray_stride,
                                   size_t count,
                                   const HsFilter *filter,
                                   bool *blocked);

/**
 * Calls `work` once for each number from 0 to `count` - 1, on at most `threads` threads. For `threads`, 0 means all. This is for questions without a batch
 * function, such as sweeps and overlaps. `work` asks one question, and finds the place for the answers by its first argument, `user`. Several threads call
 * `work` at once and in any order. It may ask the scene but not change it, and must return. `hs_batch` returns when all of these calls have returned.
 */
HsStatus hs_batch(size_t count,
                  size_t threads,
                  HsWork work,
                  void *user);

/**
 * Writes the camera-to-world transform of a camera at `eye` that looks at `target` with `up` upwards. The transform is
 * sixteen doubles, column after column; `eye`, `target` and `up` are three doubles each.
 */
HsStatus hs_camera_look_at(const double *eye, const double *target, const double *up, double *transform);

/**
 * Makes a perspective camera from its camera-to-world transform, sixteen doubles, column after column, and its vertical
 * field of view in radians. The camera looks along the -z of the transform.
 */
HsStatus hs_camera_perspective(const double *camera_to_world, double fov_y, HsCamera **camera);

/**
 * Makes an orthographic camera from its camera-to-world transform and the height of its picture in world units.
 */
HsStatus hs_camera_orthographic(const double *camera_to_world, double height, HsCamera **camera);

/**
 * Makes a camera from the matrices that draw its picture, world to view and view to clip space. Each matrix has
 * sixteen doubles, column after column. In clip space, y points up unless `hs_camera_set_clip_y_down` is called
 * (Vulkan).
 */
HsStatus hs_camera_from_matrices(const double *view, const double *projection, HsCamera **camera);

/**
 * Frees a camera; null is allowed.
 */
void hs_camera_free(HsCamera *camera);

/**
 * Fixes the aspect ratio of a camera, width over height. Without this call, a camera has the aspect ratio of the
 * viewport.
 */
HsStatus hs_camera_set_aspect(HsCamera *camera, double aspect);

/**
 * Limits the depth of a camera's picture: the camera's rays begin at the depth `near` and end at the depth `far`.
 */
HsStatus hs_camera_set_clip(HsCamera *camera, double near, double far);

/**
 * Turns the picture of a camera upside down: for matrices whose clip space has y downwards (Vulkan). A second call
 * undoes the first.
 */
HsStatus hs_camera_set_clip_y_down(HsCamera *camera);

/**
 * Lets an orthographic camera look along the +z of its view space: for matrices whose view space is left-handed.
 */
HsStatus hs_camera_set_view_left_handed(HsCamera *camera);

/**
 * Makes a camera relative to an origin of three doubles. Its rays, and the points given to it, are relative to this
 * origin.
 */
HsStatus hs_camera_set_origin(HsCamera *camera, const double *origin);

/**
 * Writes the pixel, two floats, that shows a point of three doubles, and the depth of the point. The status is
 * `HS_STATUS_NONE` for a point that is behind the camera or not finite.
 */
HsStatus hs_camera_project(const HsCamera *camera,
                           const double *point,
                           const HsViewport *viewport,
                           float *pixel,
                           float *depth);

/**
 * Writes the ray under a cursor at window pixel (x, y). Its direction has unit length. A cursor that is not finite, or
 * a viewport without a size, gives a ray that hits nothing.
 */
HsStatus hs_camera_ray(const HsCamera *camera, float x, float y, const HsViewport *viewport, HsRay *ray);

/**
 * Makes a lasso from its corners, two floats each, in window pixels.
 */
HsStatus hs_region_lasso(const float *corners, size_t count, HsRegion **region);

/**
 * Frees a region; null is allowed.
 */
void hs_region_free(HsRegion *region);

/**
 * Finds the entities that a selection shows.
 */
HsStatus hs_scene_select_entities(const HsScene *scene,
                                  const HsSelection *selection,
                                  const HsFilter *filter,
                                  uint64_t *keys,
                                  size_t capacity,
                                  size_t *count);

/**
 * Finds the triangles that a selection shows.
 */
HsStatus hs_scene_select_triangles(const HsScene *scene,
                                   const HsSelection *selection,
                                   const HsFilter *filter,
                                   HsSelected *triangles,
                                   size_t capacity,
                                   size_t *count);

/**
 * Finds the vertices that a selection shows.
 */
HsStatus hs_scene_select_vertices(const HsScene *scene,
                                  const HsSelection *selection,
                                  const HsFilter *filter,
                                  HsSelected *vertices,
                                  size_t capacity,
                                  size_t *count);

/**
 * Finds the edges that a selection shows.
 */
HsStatus hs_scene_select_edges(const HsScene *scene,
                               const HsSelection *selection,
                               const HsFilter *filter,
                               HsSelected *edges,
                               size_t capacity,
                               size_t *count);

/**
 * Makes the rectangle between two corners, in window pixels.
 */
HsStatus hs_region_rect(float x0, float y0, float x1, float y1, HsRegion **region);

/**
 * Makes a circle, in window pixels.
 */
HsStatus hs_region_circle(float x, float y, float radius, HsRegion **region);

/**
 * Finds the point that a cursor snaps to. The status is `HS_STATUS_NONE` if no point is within the radius of the cursor.
 */
HsStatus hs_scene_snap(const HsScene *scene,
                       const HsCursor *cursor,
                       const HsFilter *filter,
                       HsSnap *snap);

/**
 * Finds all points that a cursor could snap to, the most wanted first.
 */
HsStatus hs_scene_snap_all(const HsScene *scene,
                           const HsCursor *cursor,
                           const HsFilter *filter,
                           HsSnap *snaps,
                           size_t capacity,
                           size_t *count);

/**
 * Finds the place on the first surface under a cursor at window pixel (x, y). Let the filter exclude the thing that is dragged. Otherwise, the thing climbs
 * onto itself. If no surface is there, the answer is a point of the path `otherwise`. It is the point that is shown at the cursor, or near the cursor if the
 * camera sees the path edge-on. This point is also the answer if the surface is more than 16 times as far from a perspective eye as the point. The camera and
 * the filter have the same origin. The status is `HS_STATUS_NONE` for a cursor or a path that is not finite, a direction of length 0, and a viewport without a
 * size.
 */
HsStatus hs_scene_surface_point(const HsScene *scene,
                                const HsCamera *camera,
                                const HsViewport *viewport,
                                float x,
                                float y,
                                const HsDragPath *otherwise,
                                const HsFilter *filter,
                                HsSurfacePoint *surface);

/**
 * Makes a character of a volume, at a position of three doubles, with the usual settings for the volume.
 */
HsStatus hs_character_new(const HsVolume *volume, const double *at, HsCharacter **character);

/**
 * Frees a character; null is allowed.
 */
void hs_character_free(HsCharacter *character);

/**
 * Makes a copy of a character, with all that it remembers.
 */
HsStatus hs_character_clone(const HsCharacter *character, HsCharacter **clone);

/**
 * Writes the settings of a character. `size` is `sizeof(HsCharacterSettings)`.
 */
HsStatus hs_character_get_settings(const HsCharacter *character, HsCharacterSettings *settings, size_t size);

/**
 * Changes the settings of a character.
 */
HsStatus hs_character_set_settings(HsCharacter *character, const HsCharacterSettings *settings);

/**
 * Writes the place of a character. It is the position of its volume's origin, and its rotation.
 */
HsStatus hs_character_get_pose(const HsCharacter *character, HsPose *pose);

/**
 * Puts a character somewhere else, without a move. The ground that it stood on still carries it along when the ground moves.
 */
HsStatus hs_character_set_pose(HsCharacter *character,
                               const HsPose *pose);

/**
 * Moves a character by a velocity of three doubles, for `dt` seconds. The character slides along walls, climbs steps,
 * and follows the ground. `responder`, which may be null, decides the effect of each contact, with `user` as its first
 * argument. `moved` gets the result. The buffer gets the contacts along the path, as many as fit, and `count` the
 * number of all contacts. The move is made even if the contacts do not fit, and the status is never `HS_STATUS_MORE`.
 * Call `hs_character_get_contacts` to get all contacts. If the character is crushed, the last contacts are the ones
 * that crush it.
 */
HsStatus hs_character_move(HsCharacter *character,
                           const HsScene *scene,
                           const double *velocity,
                           double dt,
                           const HsFilter *filter,
                           HsContactResponder responder,
                           void *user,
                           HsMoved *moved,
                           HsCharacterContact *contacts,
                           size_t capacity,
                           size_t *count);

/**
 * Puts a character at a position of three doubles, in the air: the ground that it stood on no longer carries it.
 */
HsStatus hs_character_teleport(HsCharacter *character, const double *to);

/**
 * Says that a character jumps: no ground holds it until its velocity no longer points up.
 */
HsStatus hs_character_leave_ground(HsCharacter *character);

/**
 * Says that the entity on which a character stands was placed somewhere else rather than moved there, so that it does
 * not carry the character.
 */
HsStatus hs_character_ground_was_placed(HsCharacter *character);

/**
 * Finds whether there is room for a character where it is.
 */
HsStatus hs_character_has_room(const HsCharacter *character,
                               const HsScene *scene,
                               const HsFilter *filter,
                               bool *has_room);

/**
 * Writes the contacts of the last move of a character, in the order in which it touched them; none before the first
 * move.
 */
HsStatus hs_character_get_contacts(const HsCharacter *character,
                                   HsCharacterContact *contacts,
                                   size_t capacity,
                                   size_t *count);

/**
 * Follows a shot, and finds its legs in order, at most 1,024. `range` is its length in world units; the range of the ray and
 * the length of its direction do not matter. `impact` decides how the shot goes on at each hit, with `user` as its first argument. If `impact` is null, the
 * shot ends at the first hit. A shot that goes through a solid has a hit where it enters, and another where it leaves. It never hits a surface that it has
 * just left. The ray and the legs are in world space, relative to the filter's origin. There are no legs for an invalid ray, or for a range that is not above
 * 0.
 */
HsStatus hs_scene_shoot(const HsScene *scene,
                        const HsRay *ray,
                        float range,
                        const HsFilter *filter,
                        HsImpactChoice impact,
                        void *user,
                        HsShotLeg *legs,
                        size_t capacity,
                        size_t *count);

/**
 * Finds the entities within a radius of a center of three doubles, in world space relative to the filter's origin. The nearest comes first, and at equal
 * distances the entity that was inserted first. An entity at exactly the radius is reached. Only the surface of a mesh is used, not its inside. `hidden_by` is
 * the filter of the entities that give cover, whether the explosion reaches them or not. If it is null, only the entities that pass the other filter give
 * cover. Nothing is found if the center is not finite, or if the radius is not finite and above 0.
 */
HsStatus hs_scene_blast(const HsScene *scene,
                        const double *center,
                        float radius,
                        const HsFilter *filter,
                        const HsFilter *hidden_by,
                        HsBlastHit *hits,
                        size_t capacity,
                        size_t *count);

/**
 * Finds the end of a camera arm that goes from a target in a direction of any length. Both are three doubles in world
 * space, relative to the filter's origin. Exclude the target itself by the filter. An obstacle that the camera touches
 * at the start does not stop the camera if it moves away from that obstacle. Bad input, which includes a negative
 * length, leaves the camera at the target.
 */
HsStatus hs_scene_camera_arm_end(const HsScene *scene,
                                 const HsCameraArm *arm,
                                 const double *target,
                                 const double *direction,
                                 const HsFilter *filter,
                                 HsArmEnd *end);

/**
 * Finds the nearest edge ahead of the feet, in the direction of the component of `forward` perpendicular to `up`. The
 * arguments are three doubles each, in world space relative to the filter's origin, and the directions may have any
 * length. Exclude the character itself by the filter. The path of the hand, up from the lowest to the highest edge and
 * then ahead, must be free. At most 64 places are probed, so thin edges may be missed if the reach is more than 64
 * radii. The status is `HS_STATUS_NONE` if there is no edge, and for bad input.
 */
HsStatus hs_scene_find_ledge(const HsScene *scene,
                             const HsLedgeProbe *probe,
                             const double *feet,
                             const double *forward,
                             const double *up,
                             const HsFilter *filter,
                             HsLedge *ledge);

/**
 * Makes snapshots whose newest version is the present state of a scene.
 */
HsStatus hs_snapshots_new(const HsScene *scene, HsSnapshots **snapshots);

/**
 * Frees snapshots; null is allowed. Versions that were acquired live on until they are released.
 */
void hs_snapshots_free(HsSnapshots *snapshots);

/**
 * Makes the present state of a scene the newest version. The scene may be changed afterwards, and copies only what changes.
 * Any thread may call this at any time, as long as nobody changes the scene meanwhile.
 */
HsStatus hs_snapshots_commit(const HsSnapshots *snapshots,
                             const HsScene *scene);

/**
 * Writes the newest version, a scene that never changes. It must be released by `hs_snapshot_release`, and not be freed.
 * Any thread may call this at any time.
 */
HsStatus hs_snapshots_acquire(const HsSnapshots *snapshots,
                              const HsScene **scene);

/**
 * Releases a version that `hs_snapshots_acquire` wrote; null is allowed. Any thread may call this.
 */
void hs_snapshot_release(const HsScene *scene);

#ifdef __cplusplus
}  // extern "C"
#endif  // __cplusplus

#endif  /* HITSCAN_H */
