/* Scenes: their contents, and every question about rays, volumes and points. */
#include "check.h"

/* A scene with three keys: 1 is a ball at z = -5, 2 is a square at z = -9, and 3 is a floor at y = -2. */
static HsScene *make_scene(void) {
    HsScene *scene = NULL;
    HsMesh *square = NULL;
    double matrix[16];
    float origin[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    HsShape sphere = hs_shape_sphere(origin, 1), plane = hs_shape_plane(origin, up);
    OK(hs_scene_new(&scene));
    OK(hs_mesh_new(SQUARE, 4, SQUARE_INDICES, 6, &square));
    OK(hs_scene_insert_shape(scene, 1, &sphere, moved_to(matrix, 0, 0, -5)));
    OK(hs_scene_insert_mesh(scene, 2, square, moved_to(matrix, 0, 0, -9)));
    OK(hs_scene_insert_shape(scene, 3, &plane, moved_to(matrix, 0, -2, 0)));
    /* The scene shares the mesh, so the handle can be freed. */
    hs_mesh_free(square);
    CHECK(hs_scene_count(scene) == 3);
    return scene;
}

static void contents(void) {
    HsScene *scene = make_scene(), *other = NULL;
    HsHit hit;
    HsRay ray = ahead(0, 0, 0);
    double matrix[16], read[16];
    float single[16], min[3], max[3];
    uint32_t layers;
    uint64_t keys[3];
    size_t count, moved;
    NONE(hs_scene_contains(scene, 7));
    OK(hs_scene_contains(scene, 1));
    OK(hs_scene_keys(scene, keys, 3, &count));
    CHECK(count == 3 && keys[0] + keys[1] + keys[2] == 6);
    OK(hs_scene_get_transform(scene, 1, read));
    CHECK(read[14] == -5 && read[15] == 1);
    NONE(hs_scene_get_transform(scene, 7, read));
    OK(hs_scene_bounds_of(scene, 1, min, max));
    CHECK(is_at(min, -1, -1, -6) && is_at(max, 1, 1, -4));
    NONE(hs_scene_bounds_of(scene, 7, min, max));

    OK(hs_scene_clone(scene, &other));
    OK(hs_scene_set_transform(scene, 1, moved_to(matrix, 0, 0, -6)));
    OK(hs_scene_cast(scene, &ray, NULL, &hit));
    CHECK(hit.key == 1 && hit.t == 5);
    OK(hs_scene_cast(other, &ray, NULL, &hit));
    CHECK(hit.t == 4);
    NONE(hs_scene_set_transform(scene, 7, matrix));
    for (int i = 0; i < 16; i++) single[i] = (float)matrix[i];
    single[14] = -7;
    OK(hs_scene_set_transform_f32(scene, 1, single));
    HsPose pose = pose_at(0, 0, -4);
    OK(hs_scene_set_pose(scene, 1, &pose));
    OK(hs_scene_cast(scene, &ray, NULL, &hit));
    CHECK(hit.t == 3);
    matrix[0] = NAN;
    REFUSED(HS_STATUS_INVALID_INPUT, "NaN", hs_scene_set_transform(scene, 1, matrix));
    memset(matrix, 0, sizeof matrix);
    matrix[15] = 1;
    REFUSED(HS_STATUS_INVALID_INPUT, "inverted", hs_scene_set_transform(scene, 1, matrix));

    /* Many entities are moved at once, or none if a transform is invalid. */
    double both[32];
    float singles[32];
    moved_to(both, 0, 0, -8);
    moved_to(both + 16, 0, 0, -20);
    keys[0] = 1, keys[1] = 7;
    OK(hs_scene_set_transforms(scene, keys, both, 2, &moved));
    CHECK(moved == 1);
    for (int i = 0; i < 32; i++) singles[i] = (float)both[i];
    OK(hs_scene_set_transforms_f32(scene, keys, singles, 2, NULL));
    OK(hs_scene_set_transforms(scene, NULL, NULL, 0, &moved));
    CHECK(moved == 0);
    keys[1] = 2;
    both[14] = -3;
    both[30] = NAN;
    REFUSED(HS_STATUS_INVALID_INPUT, "NaN", hs_scene_set_transforms(scene, keys, both, 2, &moved));
    OK(hs_scene_cast(scene, &ray, NULL, &hit));
    CHECK(hit.t == 7);

    OK(hs_scene_get_layers(scene, 1, &layers));
    CHECK(layers == 1);
    OK(hs_scene_set_layers(scene, 1, 4));
    OK(hs_scene_get_layers(scene, 1, &layers));
    CHECK(layers == 4);
    NONE(hs_scene_set_layers(scene, 7, 4));
    NONE(hs_scene_get_layers(scene, 7, &layers));

    OK(hs_scene_remove(scene, 1));
    NONE(hs_scene_remove(scene, 1));
    OK(hs_scene_cast(scene, &ray, NULL, &hit));
    CHECK(hit.key == 2 && hit.t == 9 && hit.triangle == 0);
    OK(hs_scene_clear(scene));
    CHECK(hs_scene_count(scene) == 0 && hs_scene_count(NULL) == 0);
    NONE(hs_scene_cast(scene, &ray, NULL, &hit));
    hs_scene_free(other);
    hs_scene_free(scene);
    hs_scene_free(NULL);
}

static void other_geometry(void) {
    HsScene *scene = NULL;
    HsHull *hull = NULL;
    HsHeightField *field = NULL;
    HsMesh *mesh = NULL;
    HsHit hit;
    double matrix[16], aside[16];
    float origin[3] = {0, 0, 0}, heights[4] = {0, 0, 0, 0}, high[4] = {2, 2, 2, 2}, raised[24];
    HsRay ray = ahead(0, 0, 0);
    HsShape sphere = hs_shape_sphere(origin, 1), bad = hs_shape_sphere(origin, NAN);
    OK(hs_scene_new(&scene));
    OK(hs_hull_new(CUBE, 0, 8, &hull));
    OK(hs_mesh_new(CUBE, 8, CUBE_INDICES, 36, &mesh));
    OK(hs_height_field_new(2, 2, 10, 10, heights, HS_DIAGONAL_FALLING, NULL, 0, &field));
    OK(hs_scene_insert_hull(scene, 1, hull, moved_to(matrix, 0, 0, -5)));
    OK(hs_scene_cast(scene, &ray, NULL, &hit));
    CHECK(hit.key == 1 && hit.t == 4);
    OK(hs_scene_insert_height_field(scene, 2, field, moved_to(matrix, -5, -2, -5)));
    float above[3] = {1, 5, 1}, down[3] = {0, -1, 0};
    HsRay falling = hs_ray_new(above, down);
    OK(hs_scene_cast(scene, &falling, NULL, &hit));
    CHECK(hit.key == 2 && hit.t == 7);
    OK(hs_scene_set_heights(scene, 2, 0, 0, 2, 0, 2, high));
    OK(hs_scene_cast(scene, &falling, NULL, &hit));
    CHECK(hit.t == 5);
    NONE(hs_scene_set_heights(scene, 1, 0, 0, 2, 0, 2, high));
    REFUSED(HS_STATUS_INVALID_INPUT, "", hs_scene_set_heights(scene, 2, 0, 1, 2, 0, 2, high));
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "beyond", hs_scene_set_heights(scene, 2, 0, SIZE_MAX, 2, 0, 2, high));

    /* A compound replaces the hull under the same key. */
    HsPart parts[2];
    memset(parts, 0, sizeof parts);
    parts[0].shape = &sphere;
    parts[1].mesh = mesh;
    parts[1].transform = moved_to(aside, 0, 0, 10);
    OK(hs_scene_insert_compound(scene, 1, parts, 2, moved_to(matrix, 0, 0, -20)));
    OK(hs_scene_cast(scene, &ray, NULL, &hit));
    CHECK(hit.key == 1 && hit.part == 1 && hit.t == 9);
    memcpy(raised, CUBE, sizeof raised);
    for (int i = 0; i < 8; i++) raised[3 * i + 2] += 1;
    OK(hs_scene_refit(scene, 1, 1, raised, 0, 8));
    OK(hs_scene_cast(scene, &ray, NULL, &hit));
    CHECK(hit.t == 8);
    NONE(hs_scene_refit(scene, 1, 0, raised, 0, 8));
    REFUSED(HS_STATUS_INVALID_INPUT, "7", hs_scene_refit(scene, 1, 1, raised, 0, 7));
    parts[0].hull = hull;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "exactly one", hs_scene_insert_compound(scene, 1, parts, 2, NULL));
    OK(hs_scene_insert_compound(scene, 9, NULL, 0, NULL));
    REFUSED(HS_STATUS_INVALID_INPUT, "NaN", hs_scene_insert_shape(scene, 5, &bad, NULL));
    NONE(hs_scene_contains(scene, 5));

    /* Rays do not hit clouds and lines. */
    OK(hs_scene_insert_points(scene, 10, CUBE, 0, 8, NULL));
    OK(hs_scene_insert_polyline(scene, 11, CUBE, 0, 8, NULL));
    OK(hs_scene_cast(scene, &ray, NULL, &hit));
    CHECK(hit.key == 1);
    origin[0] = NAN;
    REFUSED(HS_STATUS_INVALID_INPUT, "NaN", hs_scene_insert_points(scene, 10, origin, 0, 1, NULL));

    /* An instance with a scale. */
    double scale[3] = {2, 2, 2};
    HsPose pose = pose_at(0, 0, -6);
    OK(hs_transform_from_pose(&pose, scale, matrix));
    OK(hs_scene_insert_mesh(scene, 12, mesh, matrix));
    OK(hs_scene_cast(scene, &ray, NULL, &hit));
    CHECK(hit.key == 12 && hit.t == 4);
    hs_mesh_free(mesh);
    hs_hull_free(hull);
    hs_height_field_free(field);
    hs_scene_free(scene);
}

static void saved(void) {
    HsScene *scene = make_scene(), *again = NULL;
    HsHit hit;
    HsRay ray = ahead(0, 0, 0);
    size_t count, written;
    CHECK(hs_scene_save(scene, NULL, 0, &count) == HS_STATUS_MORE);
    uint8_t *bytes = malloc(count);
    OK(hs_scene_save(scene, bytes, count, &written));
    CHECK(written == count);
    OK(hs_scene_load(bytes, count, &again));
    OK(hs_scene_cast(again, &ray, NULL, &hit));
    CHECK(hit.key == 1 && hit.t == 4);
    hs_scene_free(again);
    REFUSED(HS_STATUS_UNREADABLE, "", hs_scene_load(bytes, count - 1, &again));
    CHECK(again == NULL);
    free(bytes);
    hs_scene_free(scene);
}

static int32_t is_even(void *user, uint64_t key) {
    ++*(int *)user;
    return key % 2 == 0;
}

static int32_t is_far(void *user, const HsCandidate *candidate) {
    ++*(int *)user;
    CHECK(candidate->side != HS_SIDE_NONE);
    return candidate->t > 5;
}

static void filters(void) {
    HsScene *scene = make_scene();
    HsHit hit;
    HsRay ray = ahead(0, 0, 0);
    HsFilter filter;
    uint64_t ball_key = 1;
    int calls = 0;
    OK(hs_filter_init(&filter, sizeof filter));
    OK(hs_scene_cast(scene, &ray, &filter, &hit));
    CHECK(hit.key == 1);
    filter.exclude = &ball_key;
    filter.exclude_count = 1;
    OK(hs_scene_cast(scene, &ray, &filter, &hit));
    CHECK(hit.key == 2);
    OK(hs_filter_init(&filter, sizeof filter));
    filter.user = &calls;
    filter.entities = is_even;
    OK(hs_scene_cast(scene, &ray, &filter, &hit));
    CHECK(hit.key == 2 && calls > 0);
    filter.entities = NULL;
    filter.hits = is_far;
    OK(hs_scene_cast(scene, &ray, &filter, &hit));
    CHECK(hit.key == 1 && hit.t == 6 && hit.side == HS_SIDE_BACK);
    OK(hs_filter_init(&filter, sizeof filter));
    OK(hs_scene_set_layers(scene, 1, 2));
    filter.layers = 1;
    OK(hs_scene_cast(scene, &ray, &filter, &hit));
    CHECK(hit.key == 2);
    OK(hs_filter_init(&filter, sizeof filter));
    filter.cull = HS_CULL_FRONT;
    OK(hs_scene_cast(scene, &ray, &filter, &hit));
    CHECK(hit.t == 6);
    filter.cull = HS_CULL_NONE;
    filter.origin[2] = 1;
    OK(hs_scene_cast(scene, &ray, &filter, &hit));
    CHECK(hit.t == 5 && is_at(hit.point, 0, 0, -5));
    OK(hs_filter_init(&filter, sizeof filter));
    filter.inside = HS_INSIDE_SOLID;
    filter.cut_outs = HS_CUT_OUTS_SOLID;
    HsRay within = ahead(0, 0, -5);
    OK(hs_scene_cast(scene, &within, &filter, &hit));
    CHECK(hit.side == HS_SIDE_INSIDE && hit.t == 0);

    filter.cull = 3;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "cull", hs_scene_cast(scene, &ray, &filter, &hit));
    OK(hs_filter_init(&filter, sizeof filter));
    filter.size = 3;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "sizeof", hs_scene_cast(scene, &ray, &filter, &hit));
    OK(hs_filter_init(&filter, sizeof filter));
    filter.reserved = 1;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "reserved", hs_scene_cast(scene, &ray, &filter, &hit));
    OK(hs_filter_init(&filter, sizeof filter));
    filter.origin[0] = NAN;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "origin", hs_scene_cast(scene, &ray, &filter, &hit));
    OK(hs_filter_init(&filter, sizeof filter));
    filter.exclude_count = 1;
    REFUSED(HS_STATUS_NULL, "exclude", hs_scene_cast(scene, &ray, &filter, &hit));
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "sizeof", hs_filter_init(&filter, 8));
    hs_scene_free(scene);
}

static void rays(void) {
    HsScene *scene = make_scene();
    HsHit hits[4];
    HsRay ray = ahead(0, 0, 0);
    size_t count;
    bool answer;
    OK(hs_scene_is_blocked(scene, &ray, NULL, &answer));
    CHECK(answer);
    OK(hs_scene_cast_all(scene, &ray, NULL, hits, 4, &count));
    CHECK(count == 4 && hits[0].t == 4 && hits[1].t == 6 && hits[2].t == 9 && hits[3].triangle == 1);
    CHECK(hs_scene_cast_all(scene, &ray, NULL, hits, 2, &count) == HS_STATUS_MORE);
    CHECK(count == 4);
    OK(hs_scene_cast_first_n(scene, &ray, NULL, hits, 2, &count));
    CHECK(count == 2 && hits[1].t == 6);
    OK(hs_scene_cast_entities(scene, &ray, NULL, hits, 4, &count));
    CHECK(count == 2 && hits[1].key == 2);
    float eye[3] = {0, 0, 0}, behind[3] = {0, 0, -8}, beside[3] = {3, 0, 0}, up[3] = {0, 1, 0}, motion[3] = {0, -4, 0};
    OK(hs_scene_sees(scene, eye, behind, NULL, &answer));
    CHECK(!answer);
    OK(hs_scene_sees(scene, eye, beside, NULL, &answer));
    CHECK(answer);
    OK(hs_scene_line_of_sight(scene, 7, eye, 1, behind, NULL, &answer));
    CHECK(answer);
    HsGround ground;
    OK(hs_scene_ground_below(scene, beside, up, 10, NULL, &ground));
    CHECK(ground.hit.key == 3 && ground.hit.t == 2 && ground.slope_cos == 1);
    NONE(hs_scene_ground_below(scene, beside, up, 1, NULL, &ground));
    HsPointMove moved;
    OK(hs_scene_move_point(scene, beside, motion, 0, NULL, &moved));
    CHECK(moved.hit.key == 3 && moved.fraction == 0.5f && is_at(moved.position, 3, -2, 0));
    OK(hs_scene_move_point(scene, beside, up, 0, NULL, &moved));
    CHECK(moved.hit.side == HS_SIDE_NONE && moved.fraction == 1);

    /* Down, ahead, and back up: the second segment hits the first sphere. */
    float path[12] = {0, 0, 3, 0, 0, 0, 0, 0, -5, 0, 9, -5};
    HsPathHit along;
    OK(hs_scene_cast_path(scene, path, 4, NULL, &along));
    CHECK(along.segment == 1 && along.hit.key == 1 && is_near(along.hit.t, 0.8) && is_near(along.distance, 7));
    NONE(hs_scene_cast_path(scene, path, 2, NULL, &along));
    NONE(hs_scene_cast_path(scene, NULL, 0, NULL, &along));
    size_t seen;
    float looked_at[6] = {0, 0, -8, 3, 0, 0};
    OK(hs_scene_visibility(scene, eye, looked_at, 2, NULL, &seen));
    CHECK(seen == 1);
    OK(hs_scene_visibility(scene, eye, NULL, 0, NULL, &seen));
    CHECK(seen == 0);

    HsTrajectory thrown = {{0, 0, 0}, {0, 3, -5}, {0, -6, 0}, 0, 10};
    HsTrajectoryHit met;
    OK(hs_scene_cast_trajectory(scene, &thrown, 0.001f, NULL, &met));
    CHECK(met.hit.key == 1 && met.time > 0.8f && met.time < 1);
    thrown.t_max = INFINITY;
    REFUSED(HS_STATUS_INVALID_INPUT, "", hs_scene_cast_trajectory(scene, &thrown, 0.001f, NULL, &met));
    thrown.t_max = 0.1f;
    NONE(hs_scene_cast_trajectory(scene, &thrown, 0.001f, NULL, &met));

    HsInterval intervals[2];
    OK(hs_scene_solid_intervals(scene, &ray, NULL, intervals, 2, &count));
    CHECK(count == 2 && intervals[0].key == 1 && intervals[0].t_enter == 4 && intervals[0].t_exit == 6);
    CHECK(intervals[1].key == 2 && intervals[1].exit_kind == HS_INTERVAL_END_OPEN);
    CHECK(intervals[0].enter_kind == HS_INTERVAL_END_SURFACE && intervals[0].exit.t == 6);
    ray = ahead(0, 0, -5);
    OK(hs_scene_solid_intervals(scene, &ray, NULL, intervals, 2, &count));
    CHECK(count == 2 && intervals[0].enter_kind == HS_INTERVAL_END_RANGE && intervals[0].enter.side == HS_SIDE_NONE);
    hs_scene_free(scene);
}

/* A shot that goes down to the floor and bounces up, and a shot that goes on through a ball. */
static void paths(void) {
    HsScene *scene = make_scene();
    HsPath *path = NULL;
    HsHit hit;
    HsRay ray;
    float from[3] = {-4, 2, -5}, direction[3] = {1, -2, 0}, texcoord[2], normal[3];
    OK(hs_path_new(&path));
    NONE(hs_path_bounce(path, &ray));
    ray = hs_ray_new(from, direction);
    OK(hs_path_cast(path, scene, &ray, NULL, &hit));
    CHECK(hit.key == 3 && is_at(hit.point, -2, -2, -5));
    NONE(hs_path_texcoord(path, scene, texcoord));
    NONE(hs_path_normal(path, scene, normal));
    OK(hs_path_bounce(path, &ray));
    CHECK(ray.direction[1] > 0 && is_at(ray.origin, -2, -2, -5));
    float to_ball[3] = {1, 1, 0};
    ray = hs_ray_new(hit.point, to_ball);
    OK(hs_path_cast(path, scene, &ray, NULL, &hit));
    CHECK(hit.key == 1 && hit.side == HS_SIDE_FRONT);
    OK(hs_path_onward(path, &ray));
    OK(hs_path_cast(path, scene, &ray, NULL, &hit));
    CHECK(hit.key == 1 && hit.side == HS_SIDE_BACK);
    OK(hs_path_onward(path, &ray));
    NONE(hs_path_cast(path, scene, &ray, NULL, &hit));
    NONE(hs_path_onward(path, &ray));
    OK(hs_path_reset(path));
    hs_path_free(path);
    hs_path_free(NULL);
    hs_scene_free(scene);
}

/* A path that ends on a mesh with normals and texture coordinates. */
static void surfaces(void) {
    HsScene *scene = NULL;
    HsMesh *mesh = NULL;
    HsPath *path = NULL;
    HsHit hit;
    double matrix[16], scale[3] = {2, 2, 2};
    float normals[12] = {1, 0, 0, 1, 0, 0, 1, 0, 0, 1, 0, 0}, texcoords[8] = {0, 0, 1, 0, 1, 1, 0, 1};
    float texcoord[2], normal[3];
    HsMeshSource source;
    HsPose pose = pose_at(0, 0, -4);
    memset(&source, 0, sizeof source);
    source.size = sizeof source;
    source.positions = SQUARE;
    source.vertex_count = 4;
    source.indices = SQUARE_INDICES;
    source.index_count = 6;
    source.normals = normals;
    source.texcoords = texcoords;
    OK(hs_mesh_build(&source, &mesh));
    OK(hs_scene_new(&scene));
    OK(hs_transform_from_pose(&pose, scale, matrix));
    OK(hs_scene_insert_mesh(scene, 1, mesh, matrix));
    HsRay ray = ahead(1, 1, 0);
    OK(hs_path_new(&path));
    OK(hs_path_cast(path, scene, &ray, NULL, &hit));
    CHECK(hit.t == 4);
    OK(hs_path_texcoord(path, scene, texcoord));
    CHECK(is_near(texcoord[0], 0.75) && is_near(texcoord[1], 0.75));
    OK(hs_path_normal(path, scene, normal));
    CHECK(is_at(normal, 1, 0, 0));
    hs_path_free(path);
    hs_mesh_free(mesh);
    hs_scene_free(scene);
}

struct Query {
    uint32_t tag;
    HsRay ray;
    uint64_t other;
    HsHit hit;
};

static void batches(void) {
    enum { COUNT = 5000 };
    HsScene *scene = make_scene();
    HsMesh *mesh = NULL;
    OK(hs_mesh_new(SQUARE, 4, SQUARE_INDICES, 6, &mesh));
    HsRay *rays = malloc(COUNT * sizeof *rays);
    HsHit *hits = malloc(COUNT * sizeof *hits);
    struct Query *queries = malloc(COUNT * sizeof *queries);
    bool *blocked = malloc(COUNT * sizeof *blocked);
    float *t = malloc(COUNT * sizeof *t), *x = malloc(COUNT * sizeof *x);
    uint64_t *keys = malloc(COUNT * sizeof *keys);
    for (int i = 0; i < COUNT; i++) {
        rays[i] = ahead((float)(i % 70) / 35 - 1, (float)(i % 31) / 20 - 0.75f, 3);
        queries[i].tag = queries[i].other = 77;
        queries[i].ray = rays[i];
    }
    HsRayColumns columns;
    memset(&columns, 0, sizeof columns);
    columns.size = sizeof columns;
    columns.stride = sizeof *rays;
    for (int axis = 0; axis < 3; axis++) {
        columns.origin[axis] = &rays->origin[axis];
        columns.direction[axis] = &rays->direction[axis];
    }
    HsHitColumns into;
    memset(&into, 0, sizeof into);
    into.size = sizeof into;
    into.t = t;
    into.key = keys;
    into.point[0] = x;
    for (int of_mesh = 0; of_mesh < 2; of_mesh++) {
        if (of_mesh) {
            OK(hs_mesh_cast_batch(mesh, rays, 0, COUNT, HS_CULL_NONE, hits, 0));
            OK(hs_mesh_cast_batch(mesh, &queries->ray, sizeof *queries, COUNT, HS_CULL_NONE, &queries->hit,
                                  sizeof *queries));
            OK(hs_mesh_is_blocked_batch(mesh, rays, 0, COUNT, HS_CULL_NONE, blocked));
            OK(hs_mesh_cast_columns(mesh, &columns, COUNT, HS_CULL_NONE, &into));
        } else {
            OK(hs_scene_cast_batch(scene, rays, 0, COUNT, NULL, hits, 0));
            OK(hs_scene_cast_batch(scene, &queries->ray, sizeof *queries, COUNT, NULL, &queries->hit, sizeof *queries));
            OK(hs_scene_is_blocked_batch(scene, rays, 0, COUNT, NULL, blocked));
            OK(hs_scene_cast_columns(scene, &columns, COUNT, NULL, &into));
        }
        int count = 0;
        for (int i = 0; i < COUNT; i++) {
            HsHit one;
            if (of_mesh) hs_mesh_cast(mesh, rays + i, HS_CULL_NONE, &one);
            else hs_scene_cast(scene, rays + i, NULL, &one);
            CHECK(memcmp(&one, hits + i, sizeof one) == 0);
            CHECK(memcmp(&one, &queries[i].hit, sizeof one) == 0);
            CHECK(blocked[i] == (one.side != HS_SIDE_NONE));
            CHECK(t[i] == one.t && keys[i] == one.key && x[i] == one.point[0]);
            CHECK(queries[i].tag == 77 && queries[i].other == 77);
            count += blocked[i];
        }
        CHECK(count > 100);
    }
    OK(hs_mesh_cast_batch(mesh, NULL, 0, 0, HS_CULL_NONE, NULL, 0));
    REFUSED(HS_STATUS_NULL, "rays", hs_mesh_cast_batch(mesh, NULL, 0, 1, HS_CULL_NONE, hits, 0));
    REFUSED(HS_STATUS_MISALIGNED, "stride 57", hs_mesh_cast_batch(mesh, rays, 0, 1, HS_CULL_NONE, hits, 57));
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "less than", hs_mesh_cast_batch(mesh, rays, 4, 2, HS_CULL_NONE, hits, 0));
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "fit", hs_scene_cast_batch(scene, rays, 0, SIZE_MAX, NULL, hits, 0));
    columns.origin[1] = NULL;
    REFUSED(HS_STATUS_NULL, "origin", hs_scene_cast_columns(scene, &columns, COUNT, NULL, &into));
    into.size = 1;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "sizeof", hs_mesh_cast_columns(mesh, &columns, 0, HS_CULL_NONE, &into));
    free(rays);
    free(hits);
    free(queries);
    free(blocked);
    free(t);
    free(x);
    free(keys);
    hs_mesh_free(mesh);
    hs_scene_free(scene);
}

static void sweeps(void) {
    HsScene *scene = make_scene();
    HsVolume volume = ball(0.5f);
    HsPose from = pose_at(0, 0, 0), to = pose_at(0, 0, -7);
    double motion[3] = {0, 0, -7};
    HsSweepHit hit, hits[2];
    HsFilter filter;
    size_t count;
    OK(hs_filter_init(&filter, sizeof filter));
    OK(hs_scene_sweep(scene, &volume, &from, motion, NULL, &hit));
    CHECK(hit.key == 1 && hit.t == 0.5f && hit.safe_t == 0.5 && hit.start == HS_SWEEP_START_APART);
    filter.skin = 0.7;
    filter.contacts = HS_CONTACTS_AHEAD;
    OK(hs_scene_sweep(scene, &volume, &from, motion, &filter, &hit));
    CHECK(is_near(hit.safe_t, 0.4) && is_near(hit.slide[2], 0) && is_near(hit.t_exact, 0.5));
    CHECK(hs_scene_sweep_all(scene, &volume, &from, motion, NULL, hits, 0, &count) == HS_STATUS_OK || count > 0);
    OK(hs_scene_sweep_all(scene, &volume, &from, motion, NULL, hits, 2, &count));
    CHECK(count >= 1 && hits[0].key == 1);
    OK(hs_scene_sweep_rotating(scene, &volume, &from, &to, NULL, &hit));
    CHECK(is_near(hit.t, 0.5));
    OK(hs_scene_sweep_entity(scene, 1, motion, NULL, &hit));
    CHECK(hit.key == 2 && is_near(hit.t, 3.0 / 7));
    NONE(hs_scene_sweep_entity(scene, 7, motion, NULL, &hit));
    motion[2] = 7;
    NONE(hs_scene_sweep(scene, &volume, &from, motion, NULL, &hit));
    motion[2] = NAN;
    NONE(hs_scene_sweep(scene, &volume, &from, motion, NULL, &hit));
    from.position[0] = INFINITY;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "`from`", hs_scene_sweep(scene, &volume, &from, motion, NULL, &hit));
    volume.shape.radius = -1;
    REFUSED(HS_STATUS_INVALID_INPUT, "radius", hs_scene_sweep(scene, &volume, &from, motion, NULL, &hit));
    hs_scene_free(scene);
}

static void overlaps(void) {
    HsScene *scene = make_scene();
    HsVolume volume = ball(1);
    HsPose at = pose_at(0, -1.5, -5), apart = pose_at(20, 5, 0);
    uint64_t keys[3];
    HsOverlap all[4];
    HsPenetration deepest, depths[4];
    HsContactPoint contacts[8];
    size_t count;
    bool answer;
    OK(hs_scene_overlaps(scene, &volume, &at, NULL, &answer));
    CHECK(answer);
    OK(hs_scene_overlaps(scene, &volume, &apart, NULL, &answer));
    CHECK(!answer);
    OK(hs_scene_overlap_entities(scene, &volume, &at, NULL, keys, 3, &count));
    CHECK(count == 2 && keys[0] + keys[1] == 4);
    OK(hs_scene_overlap_all(scene, &volume, &at, NULL, all, 4, &count));
    CHECK(count == 2 && all[0].triangle == HS_NO_TRIANGLE);
    OK(hs_scene_penetration(scene, &volume, &at, NULL, &deepest));
    CHECK(is_near(deepest.depth, 0.5) && (deepest.key == 1 || deepest.key == 3));
    NONE(hs_scene_penetration(scene, &volume, &apart, NULL, &deepest));
    OK(hs_scene_penetration_all(scene, &volume, &at, NULL, depths, 4, &count));
    CHECK(count == 2);
    for (size_t i = 0; i < count; i++) {
        /* The ball is separated upwards from the floor, and downwards from the other ball. */
        CHECK(is_near(depths[i].separation[1], depths[i].key == 3 ? 0.5 : -0.5));
        CHECK(is_near(depths[i].normal[1], depths[i].key == 3 ? 1 : -1));
    }
    OK(hs_scene_contact_points(scene, &volume, &at, NULL, contacts, 8, &count));
    CHECK(count == 2 && is_near(contacts[0].depth, 0.5));
    hs_scene_free(scene);
}

static void proximity(void) {
    HsScene *scene = make_scene();
    HsNearest nearest, answers[3];
    HsPairDistance distance;
    HsPairPenetration depth, depths[9];
    double points[9] = {0, 0, -2, 0, 5, 0, NAN, 0, 0}, matrix[16];
    uint64_t pairs[4];
    size_t count;
    bool answer;
    OK(hs_scene_closest_point(scene, points, INFINITY, NULL, &nearest));
    CHECK(nearest.key == 1 || nearest.key == 3);
    CHECK(nearest.distance == 2);
    NONE(hs_scene_closest_point(scene, points, 1, NULL, &nearest));
    OK(hs_scene_closest_point_batch(scene, points, 0, 3, INFINITY, NULL, answers));
    CHECK(answers[0].distance == 2 && answers[1].distance > 5 && isinf(answers[2].distance));
    OK(hs_scene_pair_distance(scene, 1, 2, &distance));
    CHECK(distance.distance == 3 && is_at(distance.points[0], 0, 0, -6));
    NONE(hs_scene_pair_distance(scene, 1, 7, &distance));
    OK(hs_scene_pair_overlaps(scene, 1, 2, &answer));
    CHECK(!answer);
    NONE(hs_scene_pair_penetration(scene, 1, 2, &depth));
    OK(hs_scene_set_transform(scene, 1, moved_to(matrix, 0, -1.5, -5)));
    OK(hs_scene_pair_penetration(scene, 1, 3, &depth));
    CHECK(is_near(depth.depth, 0.5) && is_near(depth.separation[1], -0.5));
    OK(hs_scene_pair_penetration_all(scene, 1, 3, depths, 9, &count));
    CHECK(count >= 1 && is_near(depths[0].depth, 0.5));
    for (size_t i = 1; i < count && i < 9; i++) {
        CHECK(depths[i].depth <= depths[i - 1].depth);
    }
    OK(hs_scene_pair_penetration_all(scene, 1, 7, depths, 9, &count));
    CHECK(count == 0);
    OK(hs_scene_overlap_pairs(scene, UINT32_MAX, UINT32_MAX, 0, pairs, 2, &count));
    CHECK(count == 1 && pairs[0] + pairs[1] == 4);
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "boxes_only", hs_scene_overlap_pairs(scene, 1, 1, 2, pairs, 2, &count));
    hs_scene_free(scene);
}

static void nearest_pairs(void) {
    HsScene *scene = make_scene(), *other = make_scene();
    HsNearPair pair, near[9];
    double matrix[16];
    uint64_t pairs[18];
    size_t count;
    OK(hs_scene_closest_pair(scene, UINT32_MAX, UINT32_MAX, &pair));
    OK(hs_scene_distance_pairs(scene, INFINITY, UINT32_MAX, UINT32_MAX, near, 9, &count));
    CHECK(count == 3);
    for (size_t i = 0; i < count; i++) {
        CHECK(near[i].distance >= pair.distance && near[i].first != near[i].second);
    }
    OK(hs_scene_distance_pairs(scene, 3, UINT32_MAX, UINT32_MAX, near, 9, &count));
    for (size_t i = 0; i < count; i++) {
        CHECK(near[i].distance <= 3);
    }
    OK(hs_scene_distance_pairs(scene, -1, UINT32_MAX, UINT32_MAX, near, 9, &count));
    CHECK(count == 0);
    NONE(hs_scene_closest_pair(scene, 0, UINT32_MAX, &pair));
    OK(hs_scene_closest_pair_against(scene, other, UINT32_MAX, UINT32_MAX, &pair));
    CHECK(pair.distance == 0);
    OK(hs_scene_overlap_pairs_against(scene, other, UINT32_MAX, UINT32_MAX, 0, pairs, 9, &count));
    CHECK(count >= 3);
    OK(hs_scene_distance_pairs_against(scene, other, INFINITY, UINT32_MAX, UINT32_MAX, near, 9, &count));
    CHECK(count == 9);
    for (uint64_t key = 1; key <= 3; key++) {
        OK(hs_scene_set_transform(other, key, moved_to(matrix, 0, 1000, 10.0 * (double)key)));
    }
    OK(hs_scene_overlap_pairs_against(scene, other, UINT32_MAX, UINT32_MAX, 0, pairs, 9, &count));
    CHECK(count == 0);
    /* An entity that moves by the distance to another one touches it at the end, or something else before. */
    OK(hs_scene_closest_pair(scene, UINT32_MAX, UINT32_MAX, &pair));
    HsEntityMotion motion = {pair.first, {0, 0, 0}, {0, 0, 0, 2}};
    for (int axis = 0; axis < 3; axis++) {
        motion.translation[axis] = 1.01 * ((double)pair.points[1][axis] - (double)pair.points[0][axis]);
    }
    HsEntityImpact impacts[9];
    OK(hs_scene_first_impacts(scene, &motion, 1, 1e-4, UINT32_MAX, UINT32_MAX, impacts, 9, &count));
    CHECK(count >= 1 && impacts[0].first < impacts[0].second && impacts[0].time >= 0 && impacts[0].time <= 1);
    CHECK(impacts[0].distance <= 1e-4f);
    OK(hs_scene_first_impacts(scene, NULL, 0, 1e-4, UINT32_MAX, UINT32_MAX, impacts, 9, &count));
    CHECK(count == 0);
    motion.rotation[3] = 0;
    CHECK(hs_scene_first_impacts(scene, &motion, 1, 1e-4, UINT32_MAX, UINT32_MAX, impacts, 9, &count) ==
          HS_STATUS_INVALID_ARGUMENT);
    motion.rotation[3] = NAN;
    CHECK(hs_scene_first_impacts(scene, &motion, 1, 1e-4, UINT32_MAX, UINT32_MAX, impacts, 9, &count) ==
          HS_STATUS_INVALID_ARGUMENT);
    CHECK(hs_scene_first_impacts(scene, NULL, 0, 0, UINT32_MAX, UINT32_MAX, impacts, 9, &count) ==
          HS_STATUS_INVALID_ARGUMENT);
    hs_scene_free(other);
    hs_scene_free(scene);
}

/* A quaternion of any length but 0 is a rotation: here a third of a turn around x = y = z. */
static void rotations(void) {
    static const double LENGTHS[6] = {1, 1e-3, 1e-200, 1e-310, 5e-324, 1e200};
    HsScene *scene = NULL;
    HsCharacter *character = NULL;
    HsVolume volume;
    HsPenetration overlap;
    HsPose pose = pose_at(0, 0, 0), other;
    float center[3] = {0, 0, 0}, half[3] = {1, 2, 3}, turn[4], min[3], max[3];
    double matrix[16], at[3] = {0, 0, 0};
    HsShape box = hs_shape_oriented_box(center, half, (const float[4]){0, 0, 0, 1});
    OK(hs_scene_new(&scene));
    memset(&volume, 0, sizeof volume);
    volume.shape = box;
    for (int i = 0; i < 6; i++) {
        for (int k = 0; k < 4; k++) pose.rotation[k] = LENGTHS[i];
        OK(hs_scene_insert_shape(scene, 1, &box, NULL));
        OK(hs_scene_set_pose(scene, 1, &pose));
        OK(hs_scene_bounds_of(scene, 1, min, max));
        CHECK(is_at(max, 3, 1, 2));
        OK(hs_transform_from_pose(&pose, NULL, matrix));
        CHECK(is_near(matrix[1], 1) && is_near(matrix[6], 1) && is_near(matrix[8], 1));
        /* With the same rotation, and 5 apart along the longest side, the boxes overlap by 1. */
        other = pose;
        other.position[0] = 5;
        OK(hs_scene_penetration(scene, &volume, &other, NULL, &overlap));
        CHECK(is_near(overlap.depth, 1));
        OK(hs_character_new(&volume, at, &character));
        OK(hs_character_set_pose(character, &pose));
        hs_character_free(character);
    }
    for (int i = 0; i < 3; i++) {
        for (int k = 0; k < 4; k++) turn[k] = (float[]){1, 1e-20f, 1e20f}[i];
        box = hs_shape_oriented_box(center, half, turn);
        OK(hs_scene_insert_shape(scene, 1, &box, NULL));
        OK(hs_scene_bounds_of(scene, 1, min, max));
        CHECK(is_at(max, 3, 1, 2));
    }
    memset(pose.rotation, 0, sizeof pose.rotation);
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "rotation of `pose` is zero", hs_scene_set_pose(scene, 1, &pose));
    hs_scene_free(scene);
}

int main(void) {
    contents();
    rotations();
    other_geometry();
    saved();
    filters();
    rays();
    paths();
    surfaces();
    batches();
    sweeps();
    overlaps();
    proximity();
    nearest_pairs();
    puts("scenes: all as it should be");
    return 0;
}
