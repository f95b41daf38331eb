/* Casts fixed rays at a mesh or a scene, for counting instructions: src/main.rs does the same in Rust, and prints
   the same numbers. The argument is mesh_one, mesh_batch, scene_one or scene_batch. With the rays of a
   camera, it is view_batch, view_columns or view_blocked. */
#include <hitscan.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SIDE = 64, ROW = SIDE + 1, RAYS = 4096, ENTITIES = 64 };

static float positions[3 * ROW * ROW];
static uint32_t indices[6 * SIDE * SIDE];
static HsRay rays[RAYS];
static HsHit hits[RAYS];
static bool blocked[RAYS];

static uint64_t state = 45;

/* A number from 0 to 1, by splitmix64. */
static float fraction(void) {
    uint64_t z = state += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return (float)((z ^ (z >> 31)) >> 40) / (float)(1 << 24);
}

static uint64_t word(const void *from) {
    uint32_t bits;
    memcpy(&bits, from, sizeof bits);
    return bits;
}

static uint64_t mix(uint64_t sum, const HsHit *hit) {
    sum = sum * 31 + hit->key;
    sum = sum * 31 + word(&hit->t);
    sum = sum * 31 + word(&hit->u);
    sum = sum * 31 + word(&hit->v);
    for (int axis = 0; axis < 3; axis++) sum = sum * 31 + word(hit->point + axis);
    for (int axis = 0; axis < 3; axis++) sum = sum * 31 + word(hit->normal + axis);
    sum = sum * 31 + hit->part;
    sum = sum * 31 + hit->triangle;
    return sum * 31 + (uint64_t)hit->side;
}

/* Casts the rays with a pointer to each component of the rays and of the hits. */
static void cast_columns(const HsScene *scene) {
    HsRayColumns from = {.size = sizeof from, .t_min = &rays->t_min, .t_max = &rays->t_max, .stride = sizeof *rays};
    HsHitColumns to = {.size = sizeof to, .key = &hits->key, .t = &hits->t, .u = &hits->u, .v = &hits->v,
                       .part = &hits->part, .triangle = &hits->triangle, .side = &hits->side, .stride = sizeof *hits};
    for (int axis = 0; axis < 3; axis++) {
        from.origin[axis] = rays->origin + axis;
        from.direction[axis] = rays->direction + axis;
        to.point[axis] = hits->point + axis;
        to.normal[axis] = hits->normal + axis;
    }
    hs_scene_cast_columns(scene, &from, RAYS, NULL, &to);
}

/* Valgrind finds this function by its name, and counts its instructions. */
__attribute__((noinline)) static uint64_t measured(const char *mode, const HsMesh *mesh, const HsScene *scene) {
    uint64_t sum = 0;
    HsHit hit;
    if (strcmp(mode, "mesh_one") == 0) {
        for (int i = 0; i < RAYS; i++)
            if (hs_mesh_cast(mesh, rays + i, HS_CULL_NONE, &hit) == HS_STATUS_OK) sum = mix(sum, &hit);
    } else if (strcmp(mode, "scene_one") == 0) {
        for (int i = 0; i < RAYS; i++)
            if (hs_scene_cast(scene, rays + i, NULL, &hit) == HS_STATUS_OK) sum = mix(sum, &hit);
    } else if (strcmp(mode, "view_blocked") == 0) {
        hs_scene_is_blocked_batch(scene, rays, 0, RAYS, NULL, blocked);
        for (int i = 0; i < RAYS; i++) sum = sum * 31 + blocked[i];
    } else {
        if (strcmp(mode, "view_columns") == 0) cast_columns(scene);
        else if (strcmp(mode, "mesh_batch") == 0) hs_mesh_cast_batch(mesh, rays, 0, RAYS, HS_CULL_NONE, hits, 0);
        else hs_scene_cast_batch(scene, rays, 0, RAYS, NULL, hits, 0);
        for (int i = 0; i < RAYS; i++)
            if (hits[i].side != HS_SIDE_NONE) sum = mix(sum, hits + i);
    }
    return sum;
}

static void make_terrain(void) {
    for (uint32_t i = 0; i < ROW * ROW; i++) {
        positions[3 * i] = (float)(i % ROW);
        positions[3 * i + 1] = 16 * fraction();
        positions[3 * i + 2] = (float)(i / ROW);
    }
    for (uint32_t cell = 0; cell < SIDE * SIDE; cell++) {
        uint32_t a = cell / SIDE * ROW + cell % SIDE, corners[6];
        corners[0] = corners[3] = a;
        corners[1] = a + ROW;
        corners[2] = corners[4] = a + ROW + 1;
        corners[5] = a + 1;
        memcpy(indices + 6 * cell, corners, sizeof corners);
    }
}

static void make_rays(void) {
    for (int i = 0; i < RAYS; i++) {
        float from[3], to[3];
        for (int axis = 0; axis < 3; axis++) from[axis] = fraction() * SIDE;
        for (int axis = 0; axis < 3; axis++) to[axis] = fraction() * SIDE - from[axis];
        rays[i] = hs_ray_with_direction(from, to);
    }
}

/* The rays from an eye to the points of a grid, row after row. */
static void make_view(void) {
    const float eye[3] = {32, 60, 110};
    for (int i = 0; i < RAYS; i++) {
        float direction[3] = {(float)(i % SIDE) - eye[0], 8 - eye[1], (float)(i / SIDE) - eye[2]};
        rays[i] = hs_ray_with_direction(eye, direction);
    }
}

int main(int argc, char **argv) {
    const char *mode = argc > 1 ? argv[1] : "mesh_one";
    HsMesh *mesh = NULL;
    HsScene *scene = NULL;
    const float center[3] = {0, 0, 0};
    HsShape sphere = hs_shape_sphere(center, 2);
    make_terrain();
    make_rays();
    if (hs_mesh_new(positions, ROW * ROW, indices, 6 * SIDE * SIDE, &mesh) < 0 || hs_scene_new(&scene) < 0) return 1;
    for (uint64_t key = 0; key < ENTITIES; key++) {
        double place[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1};
        for (int axis = 0; axis < 3; axis++) place[12 + axis] = fraction() * SIDE;
        HsStatus status = key % 2 == 0 ? hs_scene_insert_mesh(scene, key, mesh, place)
                                       : hs_scene_insert_shape(scene, key, &sphere, place);
        if (status < 0) return 1;
    }
    if (strncmp(mode, "view", 4) == 0) make_view();
    printf("%016llx\n", (unsigned long long)measured(mode, mesh, scene));
    hs_mesh_free(mesh);
    hs_scene_free(scene);
    return 0;
}
