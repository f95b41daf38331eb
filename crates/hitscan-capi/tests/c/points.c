/* This program tests points, one and many, against meshes by themselves, and rays through a closed mesh. */
#include "check.h"

/* A point among other fields. */
struct Place {
    uint64_t tag;
    double point[3];
};

static HsMesh *make_cube(void) {
    HsMesh *cube = NULL;
    OK(hs_mesh_new(CUBE, 8, CUBE_INDICES, 36, &cube));
    return cube;
}

/* The middle of the cube, a point 2 above its face towards +z, a point on that face, and an invalid point. */
static const double POINTS[12] = {0, 0, 0, 0, 0, 3, 0.5, 0.25, 1, NAN, 0, 0};

static void nearest_points(void) {
    HsMesh *cube = make_cube();
    HsNearest nearest[4];
    HsTrianglePoint spots[4], spot;
    OK(hs_mesh_closest_point_batch(cube, POINTS, 0, 4, nearest));
    CHECK(nearest[0].distance == 1 && nearest[0].containment == HS_CONTAINMENT_INSIDE);
    CHECK(nearest[1].distance == 2 && is_at(nearest[1].point, 0, 0, 1));
    CHECK(nearest[1].containment == HS_CONTAINMENT_OUTSIDE && nearest[2].distance == 0);
    CHECK(isinf(nearest[3].distance) && nearest[3].triangle == HS_NO_TRIANGLE);

    /* The point is on the diagonal of the face, which triangles 0 and 1 share. */
    OK(hs_mesh_closest_on_surface(cube, POINTS + 3, INFINITY, &spot));
    CHECK(spot.distance == 2 && is_at(spot.point, 0, 0, 1) && is_at(spot.normal, 0, 0, 1));
    CHECK(spot.triangle == 0 && spot.feature == HS_FEATURE_EDGE && spot.side == HS_SIDE_FRONT);
    OK(hs_mesh_closest_on_surface(cube, POINTS + 3, 2, &spot));
    NONE(hs_mesh_closest_on_surface(cube, POINTS + 3, 1.5, &spot));
    NONE(hs_mesh_closest_on_surface(cube, POINTS + 3, NAN, &spot));
    NONE(hs_mesh_closest_on_surface(cube, POINTS + 9, INFINITY, &spot));
    OK(hs_mesh_closest_on_surface_batch(cube, POINTS, 0, 4, 1.5, spots));
    CHECK(spots[0].distance == 1 && spots[0].side == HS_SIDE_BACK && spots[2].distance == 0);
    CHECK(isinf(spots[1].distance) && spots[1].triangle == HS_NO_TRIANGLE && spots[1].side == HS_SIDE_NONE);
    CHECK(isinf(spots[3].distance));
    hs_mesh_free(cube);
}

static void insides(void) {
    HsMesh *cube = make_cube(), *square = NULL;
    struct Place places[3];
    bool inside[3];
    float distance, distances[4];
    for (int i = 0; i < 3; i++) memcpy(places[i].point, POINTS + 3 * i, sizeof places[i].point);
    OK(hs_mesh_contains_batch(cube, places->point, sizeof *places, 3, inside));
    CHECK(inside[0] && !inside[1] && !inside[2]);
    OK(hs_mesh_signed_distance(cube, POINTS, &distance));
    CHECK(distance == -1);
    NONE(hs_mesh_signed_distance(cube, POINTS + 9, &distance));
    OK(hs_mesh_signed_distance_batch(cube, POINTS, 0, 4, distances));
    CHECK(distances[0] == -1 && distances[1] == 2 && distances[2] == 0 && isnan(distances[3]));

    /* A square has no inside. */
    OK(hs_mesh_new(SQUARE, 4, SQUARE_INDICES, 6, &square));
    NONE(hs_mesh_signed_distance(square, POINTS + 3, &distance));
    OK(hs_mesh_signed_distance_batch(square, POINTS + 3, 0, 1, distances));
    CHECK(isnan(distances[0]));
    hs_mesh_free(square);

    OK(hs_mesh_contains_batch(cube, NULL, 0, 0, NULL));
    REFUSED(HS_STATUS_NULL, "points", hs_mesh_contains_batch(cube, NULL, 0, 1, inside));
    REFUSED(HS_STATUS_NULL, "contains", hs_mesh_contains_batch(cube, POINTS, 0, 1, NULL));
    REFUSED(HS_STATUS_MISALIGNED, "stride 28", hs_mesh_contains_batch(cube, POINTS, 28, 2, inside));
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "less than 24", hs_mesh_contains_batch(cube, POINTS, 16, 2, inside));
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "fit", hs_mesh_contains_batch(cube, POINTS, 0, SIZE_MAX, inside));
    hs_mesh_free(cube);
}

/* A triangle, and one that pierces it. */
static const float CROSS[18] = {-2, 0, 0, 2, 0, 0, 0, 3, 0, 0, 1, -2, 0, 1, 2, 0, 2, 0};
static const uint32_t CROSS_INDICES[6] = {0, 1, 2, 3, 4, 5};

static void self_intersections(void) {
    HsMesh *cube = make_cube(), *cross = NULL;
    uint32_t pairs[2] = {7, 7};
    size_t count = 7;
    OK(hs_mesh_self_intersections(cube, 0, UINT32_MAX, pairs, 1, &count));
    CHECK(count == 0);
    OK(hs_mesh_new(CROSS, 6, CROSS_INDICES, 6, &cross));
    CHECK(hs_mesh_self_intersections(cross, 0, UINT32_MAX, NULL, 0, &count) == HS_STATUS_MORE && count == 1);
    OK(hs_mesh_self_intersections(cross, 0, 1, pairs, 1, &count));
    CHECK(count == 1 && pairs[0] == 0 && pairs[1] == 1);
    OK(hs_mesh_self_intersections(cross, 1, 2, pairs, 1, &count));
    CHECK(count == 0);
    hs_mesh_free(cross);
    hs_mesh_free(cube);
}

static void winding_numbers(void) {
    HsMesh *cube = make_cube();
    HsWindingTree *tree = NULL;
    double number, numbers[4];
    OK(hs_winding_tree_new(cube, &tree));
    hs_mesh_free(cube);
    OK(hs_winding_tree_winding_number(tree, POINTS, 0, &number));
    CHECK(number == 1);
    OK(hs_winding_tree_winding_number_batch(tree, POINTS, 0, 4, 0, numbers));
    CHECK(numbers[0] == 1 && numbers[1] == 0 && is_near(numbers[2], 0.5) && isnan(numbers[3]));
    OK(hs_winding_tree_winding_number(tree, POINTS + 3, NAN, &number));
    CHECK(number == 0);
    NONE(hs_winding_tree_winding_number(tree, POINTS + 9, 0, &number));
    hs_winding_tree_free(tree);
    hs_winding_tree_free(NULL);
}

/* A ray through the diagonals of two faces touches two triangles of each, and crosses each face once. */
static void crossings(void) {
    HsMesh *cube = make_cube();
    HsRay ray = ahead(0, 0, 5);
    HsHit hits[4];
    size_t count;
    OK(hs_mesh_cast_all(cube, &ray, HS_CULL_NONE, hits, 4, &count));
    CHECK(count == 4);
    OK(hs_mesh_cast_crossings(cube, &ray, hits, 4, &count));
    CHECK(count == 2 && hits[0].t == 4 && hits[0].side == HS_SIDE_FRONT);
    CHECK(hits[1].t == 6 && hits[1].side == HS_SIDE_BACK);
    CHECK(hs_mesh_cast_crossings(cube, &ray, hits, 1, &count) == HS_STATUS_MORE);
    ray.direction[2] = NAN;
    OK(hs_mesh_cast_crossings(cube, &ray, hits, 4, &count));
    CHECK(count == 0);
    hs_mesh_free(cube);
}

/* One ray goes through the cube, one misses it, and one starts inside. */
static void all_columns(void) {
    HsMesh *cube = make_cube();
    HsScene *scene = NULL;
    HsRay rays[3] = {ahead(0.5f, -0.25f, 5), ahead(9, 0, 5), ahead(0.5f, -0.25f, 0)};
    HsRayColumns columns;
    HsHitColumns into;
    float t[3] = {0, 0, 0};
    uint64_t keys[3] = {9, 9, 9};
    size_t offsets[4], count;
    OK(hs_scene_new(&scene));
    OK(hs_scene_insert_mesh(scene, 7, cube, NULL));
    memset(&columns, 0, sizeof columns);
    columns.size = sizeof columns;
    columns.stride = sizeof *rays;
    for (int axis = 0; axis < 3; axis++) {
        columns.origin[axis] = &rays->origin[axis];
        columns.direction[axis] = &rays->direction[axis];
    }
    memset(&into, 0, sizeof into);
    into.size = sizeof into;
    into.t = t;
    into.key = keys;
    OK(hs_mesh_cast_all_columns(cube, &columns, 3, HS_CULL_NONE, offsets, &into, 3, &count));
    CHECK(count == 3 && offsets[0] == 0 && offsets[1] == 2 && offsets[2] == 2 && offsets[3] == 3);
    CHECK(t[0] == 4 && t[1] == 6 && t[2] == 1 && keys[0] == 0);
    OK(hs_mesh_cast_all_columns(cube, &columns, 3, HS_CULL_FRONT, offsets, &into, 3, &count));
    CHECK(count == 2 && t[0] == 6 && t[1] == 1);
    t[2] = -1;
    CHECK(hs_scene_cast_all_columns(scene, &columns, 3, NULL, offsets, &into, 2, &count) == HS_STATUS_MORE);
    CHECK(count == 3 && offsets[3] == 3 && t[0] == 4 && keys[1] == 7 && t[2] == -1);
    OK(hs_scene_cast_all_columns(scene, &columns, 3, NULL, offsets, &into, 3, &count));
    CHECK(t[2] == 1 && keys[2] == 7);
    OK(hs_scene_cast_all_columns(scene, &columns, 0, NULL, offsets, &into, 0, &count));
    CHECK(count == 0 && offsets[0] == 0);
    REFUSED(HS_STATUS_NULL, "offsets", hs_scene_cast_all_columns(scene, &columns, 3, NULL, NULL, &into, 3, &count));
    REFUSED(HS_STATUS_NULL, "hit_count", hs_mesh_cast_all_columns(cube, &columns, 3, 0, offsets, &into, 3, NULL));
    columns.direction[2] = NULL;
    REFUSED(HS_STATUS_NULL, "direction", hs_mesh_cast_all_columns(cube, &columns, 3, 0, offsets, &into, 3, &count));
    hs_scene_free(scene);
    hs_mesh_free(cube);
}

int main(void) {
    nearest_points();
    insides();
    self_intersections();
    winding_numbers();
    crossings();
    all_columns();
    puts("points: all as it should be");
    return 0;
}
