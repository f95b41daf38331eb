/* Things by themselves: rays, shapes, meshes, height fields, hulls and collision matrices. */
#include "check.h"

static void status_and_version(void) {
    CHECK(hs_abi_version() == HS_ABI_VERSION);
    CHECK(strchr(hs_version(), '.') != NULL);
    HsHit hit;
    HsRay ray = ahead(0, 0, 5);
    REFUSED(HS_STATUS_NULL, "`mesh` is null", hs_mesh_cast(NULL, &ray, HS_CULL_NONE, &hit));
}

static void rays(void) {
    float a[3] = {0, 0, 5}, b[3] = {0, 0, -5}, down[3] = {0, -4, 0}, zero[3] = {0, 0, 0}, point[3];
    HsRay ray = hs_ray_new(a, down);
    CHECK(ray.direction[1] == -1 && ray.t_min == 0 && isinf(ray.t_max));
    ray = hs_ray_with_direction(a, down);
    CHECK(ray.direction[1] == -4);
    OK(hs_ray_at(&ray, 0.5f, point));
    CHECK(is_at(point, 0, -2, 5));
    ray = hs_ray_between(a, b);
    CHECK(ray.direction[2] == -10 && ray.t_max == 1);
    OK(hs_ray_validate(&ray));
    ray = hs_ray_new(a, zero);
    REFUSED(HS_STATUS_INVALID_INPUT, "direction", hs_ray_validate(&ray));
    ray = hs_ray_new(NULL, down);
    REFUSED(HS_STATUS_INVALID_INPUT, "origin", hs_ray_validate(&ray));
    ray = ahead(0, 0, 5);
    ray.t_min = 2;
    ray.t_max = 1;
    REFUSED(HS_STATUS_INVALID_INPUT, "2", hs_ray_validate(&ray));
}

/* Casts a ray along -z from z = 5 at a shape. */
static float distance_to(HsShape shape) {
    HsHit hit;
    HsRay ray = ahead(0, 0, 5);
    OK(hs_shape_validate(&shape));
    HsStatus status = hs_shape_cast(&shape, &ray, HS_INSIDE_EXIT, &hit);
    CHECK(status == HS_STATUS_OK || (status == HS_STATUS_NONE && hit.side == HS_SIDE_NONE && isinf(hit.t)));
    return hit.t;
}

static void shapes(void) {
    float origin[3] = {0, 0, 0}, one[3] = {1, 1, 1}, less[3] = {-1, -1, -1}, turn[4] = {0, 0, 0, 1};
    float up[3] = {0, 1, 0}, down[3] = {0, -1, 0}, towards[3] = {0, 0, 1}, x[3] = {2, 0, 0}, y[3] = {0, 2, 0};
    float half[3] = {1, 1, 2};
    CHECK(distance_to(hs_shape_box(less, one)) == 4);
    CHECK(distance_to(hs_shape_oriented_box(origin, half, turn)) == 3);
    CHECK(distance_to(hs_shape_rounded_box(less, one, 0.5f)) == 3.5f);
    CHECK(distance_to(hs_shape_sphere(origin, 2)) == 3);
    CHECK(distance_to(hs_shape_capsule(down, up, 0.5f)) == 4.5f);
    CHECK(distance_to(hs_shape_cylinder(down, up, 0.5f)) == 4.5f);
    CHECK(is_near(distance_to(hs_shape_cone(down, up, 1)), 4.5));
    CHECK(distance_to(hs_shape_disc(origin, towards, 1)) == 5);
    CHECK(distance_to(hs_shape_plane(origin, towards)) == 5);
    CHECK(distance_to(hs_shape_quad(less, x, y)) == 6);
    CHECK(distance_to(hs_shape_triangle(less, x, y)) < 6);
    CHECK(is_near(distance_to(hs_shape_torus(2, 0.5f)), 2.5));

    HsShape shape = hs_shape_sphere(origin, -1);
    REFUSED(HS_STATUS_INVALID_INPUT, "radius -1", hs_shape_validate(&shape));
    shape = hs_shape_sphere(NULL, 1);
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "null pointer", hs_shape_validate(&shape));
    memset(&shape, 0, sizeof shape);
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "kind is 0", hs_shape_validate(&shape));
    shape.kind = 99;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "99", hs_shape_validate(&shape));

    HsHit hit;
    HsNearest nearest;
    double point[3] = {0, 3, 0};
    shape = hs_shape_sphere(origin, 1);
    HsRay ray = ahead(0, 0, 0);
    OK(hs_shape_cast(&shape, &ray, HS_INSIDE_EXIT, &hit));
    CHECK(hit.t == 1 && hit.side == HS_SIDE_BACK && is_at(hit.normal, 0, 0, -1) && is_at(hit.point, 0, 0, -1));
    OK(hs_shape_cast(&shape, &ray, HS_INSIDE_SOLID, &hit));
    CHECK(hit.t == 0 && hit.side == HS_SIDE_INSIDE);
    NONE(hs_shape_cast(&shape, &ray, HS_INSIDE_IGNORE, &hit));
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "from 0 to 2", hs_shape_cast(&shape, &ray, 3, &hit));
    OK(hs_shape_closest_point(&shape, point, &nearest));
    CHECK(nearest.distance == 2 && is_at(nearest.point, 0, 1, 0) && nearest.containment == HS_CONTAINMENT_OUTSIDE);
    point[1] = NAN;
    NONE(hs_shape_closest_point(&shape, point, &nearest));
}

/* Questions with shorter answers than a hit, about a ball of radius 1, a box and a plane. */
static void shapes_in_short(void) {
    float origin[3] = {0, 0, 0}, less[3] = {-1, -1, -1}, one[3] = {1, 1, 1}, steep[3] = {0, 0, 2};
    float t, distance, interval[2], on[3] = {0, 0, 1}, off[3] = {1, 2, 1.5f}, behind[3] = {1, 2, -4};
    HsShape sphere = hs_shape_sphere(origin, 1), box = hs_shape_box(less, one), plane = hs_shape_plane(origin, steep);
    HsRay ray = ahead(0, 0, 5), within = ahead(0, 0, 0), beside = ahead(2, 0, 5);
    bool answer;
    OK(hs_shape_cast_t(&sphere, &ray, &t));
    CHECK(t == 4);
    OK(hs_shape_cast_t(&sphere, &within, &t));
    CHECK(t == 1);
    NONE(hs_shape_cast_t(&sphere, &beside, &t));
    CHECK(isinf(t));
    OK(hs_shape_cast_t(&plane, &beside, &t));
    CHECK(t == 5);
    OK(hs_shape_is_blocked(&box, &ray, &answer));
    CHECK(answer);
    OK(hs_shape_is_blocked(&box, &beside, &answer));
    CHECK(!answer);
    OK(hs_shape_contains(&sphere, on, &answer));
    CHECK(answer);
    OK(hs_shape_contains(&sphere, off, &answer));
    CHECK(!answer);
    OK(hs_shape_contains(&box, one, &answer));
    CHECK(answer);
    OK(hs_shape_contains(&plane, origin, &answer));
    CHECK(!answer);
    OK(hs_shape_plane_signed_distance(&plane, off, &distance));
    CHECK(distance == 1.5f);
    OK(hs_shape_plane_signed_distance(&plane, behind, &distance));
    CHECK(distance == -4);
    OK(hs_shape_box_interval(&box, &ray, interval));
    CHECK(interval[0] == 4 && interval[1] == 6);
    OK(hs_shape_box_interval(&box, &within, interval));
    CHECK(interval[0] == -1 && interval[1] == 1);
    NONE(hs_shape_box_interval(&box, &beside, interval));
    ray.t_max = 3;
    NONE(hs_shape_box_interval(&box, &ray, interval));
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "no box", hs_shape_box_interval(&sphere, &ray, interval));
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "no plane", hs_shape_plane_signed_distance(&box, off, &distance));
    sphere.radius = NAN;
    NONE(hs_shape_cast_t(&sphere, &within, &t));
    OK(hs_shape_contains(&sphere, origin, &answer));
    CHECK(!answer);
}

static void volumes(void) {
    HsVolume volume = ball(1);
    float origin[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    OK(hs_volume_validate(&volume));
    volume.margin = NAN;
    REFUSED(HS_STATUS_INVALID_INPUT, "margin", hs_volume_validate(&volume));
    volume.margin = 0;
    volume.shape = hs_shape_plane(origin, up);
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "no volume", hs_volume_validate(&volume));
    memset(&volume, 0, sizeof volume);
    OK(hs_volume_validate(&volume));
}

static void meshes(void) {
    HsMesh *mesh = NULL, *copy = NULL, *other = NULL;
    HsHit hit, hits[2];
    HsNearest nearest;
    bool answer;
    size_t count;
    float min[3], max[3], corners[9], pair[2], normal[3];
    OK(hs_mesh_new(SQUARE, 4, SQUARE_INDICES, 6, &mesh));
    CHECK(hs_mesh_triangle_count(mesh) == 2);
    CHECK(hs_mesh_triangle_count(NULL) == 0);
    OK(hs_mesh_bounds(mesh, min, max));
    CHECK(is_at(min, -1, -1, 0) && is_at(max, 1, 1, 0));
    OK(hs_mesh_triangle(mesh, 1, corners));
    CHECK(is_at(corners + 3, 1, 1, 0));
    NONE(hs_mesh_triangle(mesh, 2, corners));

    HsRay ray = ahead(0.5f, -0.25f, 3);
    OK(hs_mesh_cast(mesh, &ray, HS_CULL_NONE, &hit));
    CHECK(hit.t == 3 && hit.triangle == 0 && hit.side == HS_SIDE_FRONT && is_at(hit.point, 0.5f, -0.25f, 0));
    CHECK(is_at(hit.normal, 0, 0, 1) && hit.u == 0.375f && hit.v == 0.375f && hit.key == 0 && hit.part == 0);
    NONE(hs_mesh_cast(mesh, &ray, HS_CULL_FRONT, &hit));
    CHECK(hit.side == HS_SIDE_NONE && isinf(hit.t) && hit.triangle == HS_NO_TRIANGLE);
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "`cull` is -1", hs_mesh_cast(mesh, &ray, -1, &hit));
    OK(hs_mesh_is_blocked(mesh, &ray, HS_CULL_BACK, &answer));
    CHECK(answer);
    ray = ahead(0, 0, 3);
    count = 99;
    CHECK(hs_mesh_cast_all(mesh, &ray, HS_CULL_NONE, hits, 1, &count) == HS_STATUS_MORE);
    CHECK(count == 2 && hits[0].triangle == 0);
    OK(hs_mesh_cast_all(mesh, &ray, HS_CULL_NONE, hits, 2, &count));
    CHECK(count == 2 && hits[1].triangle == 1);
    ray.direction[0] = NAN;
    NONE(hs_mesh_cast(mesh, &ray, HS_CULL_NONE, &hit));

    double point[3] = {0, 0, 2}, motion[3] = {0, 0, -4};
    OK(hs_mesh_closest_point(mesh, point, &nearest));
    CHECK(nearest.distance == 2 && nearest.triangle == 0 && nearest.containment == HS_CONTAINMENT_OPEN);
    OK(hs_mesh_contains(mesh, point, &answer));
    CHECK(!answer);
    HsVolume volume = ball(0.5f);
    HsPose from = pose_at(0.25, 0, 2);
    HsMeshContact contact;
    OK(hs_mesh_sweep(mesh, &volume, &from, motion, &contact));
    CHECK(contact.t == 0.375f && contact.start == HS_SWEEP_START_APART && contact.feature == HS_FEATURE_FACE);
    from.rotation[3] = 0;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "(0, 0, 0, 1)", hs_mesh_sweep(mesh, &volume, &from, motion, &contact));

    NONE(hs_mesh_texcoord_at(mesh, 0, 0.5f, 0.25f, pair));
    NONE(hs_mesh_normal_at(mesh, 0, 0.5f, 0.25f, normal));

    /* A change of a clone leaves the original mesh as it was. */
    float raised[12];
    memcpy(raised, SQUARE, sizeof raised);
    for (int i = 0; i < 4; i++) raised[3 * i + 2] = 1;
    OK(hs_mesh_clone(mesh, &copy));
    OK(hs_mesh_refit(copy, raised, 0, 4));
    ray = ahead(0, 0, 3);
    OK(hs_mesh_cast(copy, &ray, HS_CULL_NONE, &hit));
    CHECK(hit.t == 2);
    OK(hs_mesh_cast(mesh, &ray, HS_CULL_NONE, &hit));
    CHECK(hit.t == 3);
    REFUSED(HS_STATUS_INVALID_INPUT, "3", hs_mesh_refit(copy, raised, 0, 3));

    /* A mesh is saved and read. */
    REFUSED(HS_STATUS_NULL, "count", hs_mesh_save(mesh, NULL, 0, NULL));
    CHECK(hs_mesh_save(mesh, NULL, 0, &count) == HS_STATUS_MORE);
    uint8_t *bytes = malloc(count);
    OK(hs_mesh_save(mesh, bytes, count, &count));
    OK(hs_mesh_load(bytes, count, &other));
    OK(hs_mesh_cast(other, &ray, HS_CULL_NONE, &hit));
    CHECK(hit.t == 3);
    hs_mesh_free(other);
    bytes[count / 2] ^= 1;
    REFUSED(HS_STATUS_UNREADABLE, "", hs_mesh_load(bytes, count, &other));
    CHECK(other == NULL);
    REFUSED(HS_STATUS_UNREADABLE, "", hs_mesh_load(NULL, 0, &other));
    free(bytes);
    hs_mesh_free(copy);
    hs_mesh_free(mesh);
    hs_mesh_free(NULL);
}

struct Vertex {
    float position[3];
    float normal[3];
    float texcoord[2];
    uint8_t color[4];
};

static void built_meshes(void) {
    HsMesh *mesh = NULL;
    HsHit hit;
    bool inside;
    struct Vertex vertices[4];
    memset(vertices, 0, sizeof vertices);
    for (int i = 0; i < 4; i++) {
        memcpy(vertices[i].position, SQUARE + 3 * i, sizeof vertices[i].position);
        vertices[i].normal[0] = 1;
        vertices[i].texcoord[0] = SQUARE[3 * i];
        vertices[i].color[0] = 255;
    }
    const uint16_t indices[6] = {0, 1, 2, 0, 2, 3};
    HsMeshSource source;
    memset(&source, 0, sizeof source);
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "sizeof", hs_mesh_build(&source, &mesh));
    source.size = sizeof source;
    OK(hs_mesh_build(&source, &mesh));
    CHECK(hs_mesh_triangle_count(mesh) == 0);
    hs_mesh_free(mesh);
    source.positions = vertices[0].position;
    source.position_stride = sizeof *vertices;
    source.vertex_count = 4;
    source.indices = indices;
    source.index_bytes = 2;
    source.index_count = 6;
    source.normals = vertices[0].normal;
    source.normal_stride = sizeof *vertices;
    source.texcoords = vertices[0].texcoord;
    source.texcoord_stride = sizeof *vertices;
    source.quality = HS_QUALITY_BEST;
    source.layout = HS_LAYOUT_COMPACT;
    OK(hs_mesh_build(&source, &mesh));
    HsRay ray = ahead(0.5f, -0.25f, 3);
    float texcoord[2], normal[3];
    OK(hs_mesh_cast(mesh, &ray, HS_CULL_NONE, &hit));
    OK(hs_mesh_texcoord_at(mesh, hit.triangle, hit.u, hit.v, texcoord));
    CHECK(is_near(texcoord[0], 0.5));
    OK(hs_mesh_normal_at(mesh, hit.triangle, hit.u, hit.v, normal));
    CHECK(is_at(normal, 1, 0, 0));
    hs_mesh_free(mesh);

    source.index_bytes = 3;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "must be 2 or 4", hs_mesh_build(&source, &mesh));
    source.index_bytes = 2;
    source.position_stride = 7;
    REFUSED(HS_STATUS_MISALIGNED, "stride 7", hs_mesh_build(&source, &mesh));
    source.position_stride = 8;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "less than 12", hs_mesh_build(&source, &mesh));
    source.position_stride = sizeof *vertices;
    source.vertex_count = 3;
    REFUSED(HS_STATUS_INVALID_INPUT, "3", hs_mesh_build(&source, &mesh));
    CHECK(mesh == NULL);
    source.vertex_count = 4;
    source.index_count = 5;
    REFUSED(HS_STATUS_INVALID_INPUT, "5", hs_mesh_build(&source, &mesh));
    source.index_count = SIZE_MAX;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "more than fit", hs_mesh_build(&source, &mesh));
    source.indices = NULL;
    REFUSED(HS_STATUS_NULL, "indices", hs_mesh_build(&source, &mesh));
    source.index_count = 0;
    source.quality = 7;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "quality", hs_mesh_build(&source, &mesh));

    /* A struct of a later version is accepted if its new fields are zero. */
    struct {
        HsMeshSource source;
        size_t later;
    } longer;
    memset(&longer, 0, sizeof longer);
    longer.source.size = sizeof longer;
    OK(hs_mesh_build(&longer.source, &mesh));
    hs_mesh_free(mesh);
    longer.later = 1;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "newer", hs_mesh_build(&longer.source, &mesh));

    /* Without indices, every three vertices are a triangle. */
    OK(hs_mesh_new(SQUARE, 3, NULL, 0, &mesh));
    CHECK(hs_mesh_triangle_count(mesh) == 1);
    hs_mesh_free(mesh);
    REFUSED(HS_STATUS_INVALID_INPUT, "4", hs_mesh_new(SQUARE, 4, NULL, 0, &mesh));
    OK(hs_mesh_new(CUBE, 8, CUBE_INDICES, 36, &mesh));
    double middle[3] = {0, 0, 0};
    OK(hs_mesh_contains(mesh, middle, &inside));
    CHECK(inside);
    hs_mesh_free(mesh);
}

static void height_fields(void) {
    HsHeightField *field = NULL;
    HsHit hit;
    float height, heights[9] = {0, 0, 0, 0, 1, 0, 0, 0, 0};
    size_t holes[2] = {1, 1};
    OK(hs_height_field_new(3, 3, 2, 2, heights, HS_DIAGONAL_FALLING, NULL, 0, &field));
    OK(hs_height_field_height_at(field, 1, 2, &height));
    CHECK(height == 0.5f);
    NONE(hs_height_field_height_at(field, 5, 2, &height));
    float above[3] = {2, 5, 2}, down[3] = {0, -1, 0};
    HsRay ray = hs_ray_new(above, down);
    OK(hs_height_field_cast(field, &ray, HS_CULL_NONE, &hit));
    CHECK(hit.t == 4);
    /* The top is a corner of six triangles. */
    HsHit hits[6];
    size_t count;
    bool answer;
    OK(hs_height_field_cast_all(field, &ray, HS_CULL_NONE, hits, 6, &count));
    CHECK(count == 6 && hits[0].t == 4 && hits[5].t == 4);
    OK(hs_height_field_is_blocked(field, &ray, HS_CULL_NONE, &answer));
    CHECK(answer);
    OK(hs_height_field_is_blocked(field, &ray, HS_CULL_FRONT, &answer));
    CHECK(!answer);
    above[0] = 1;
    above[2] = 0.5f;
    ray = hs_ray_new(above, down);
    OK(hs_height_field_cast_all(field, &ray, HS_CULL_NONE, hits, 6, &count));
    CHECK(count == 1 && hits[0].t == 4.75f);
    HsNearest nearest;
    double point[3] = {2, 3, 2}, motion[3] = {0, -4, 0};
    OK(hs_height_field_closest_point(field, point, &nearest));
    CHECK(nearest.distance == 2);
    HsVolume volume = ball(0.5f);
    HsPose from = pose_at(2, 3, 2);
    HsMeshContact contact;
    OK(hs_height_field_sweep(field, &volume, &from, motion, &contact));
    CHECK(is_near(contact.t, 0.375));
    hs_height_field_free(field);
    OK(hs_height_field_new(3, 3, 2, 2, heights, HS_DIAGONAL_RISING, holes, 1, &field));
    NONE(hs_height_field_height_at(field, 3, 3, &height));
    hs_height_field_free(field);
    hs_height_field_free(NULL);
    REFUSED(HS_STATUS_INVALID_INPUT, "1", hs_height_field_new(1, 3, 2, 2, heights, 0, NULL, 0, &field));
    CHECK(field == NULL);
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "memory", hs_height_field_new(SIZE_MAX, 3, 2, 2, heights, 0, NULL, 0, &field));
    heights[4] = NAN;
    REFUSED(HS_STATUS_INVALID_INPUT, "NaN", hs_height_field_new(3, 3, 2, 2, heights, 0, NULL, 0, &field));
    heights[4] = 1;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "diagonal", hs_height_field_new(3, 3, 2, 2, heights, 2, NULL, 0, &field));
    holes[0] = 5;
    REFUSED(HS_STATUS_INVALID_INPUT, "5",
            hs_height_field_new(3, 3, 2, 2, heights, 0, holes, 1, &field));
}

static void hulls(void) {
    HsHull *hull = NULL;
    HsHit hit;
    HsNearest nearest;
    bool contains;
    float vertices[24], inside[3] = {0.5f, 0, 0};
    size_t count;
    OK(hs_hull_new(CUBE, 0, 8, &hull));
    OK(hs_hull_vertices(hull, vertices, 8, &count));
    CHECK(count == 8);
    CHECK(hs_hull_vertices(hull, NULL, 0, &count) == HS_STATUS_MORE);
    HsRay ray = ahead(0.25f, 0, 3);
    OK(hs_hull_cast(hull, &ray, HS_INSIDE_EXIT, &hit));
    CHECK(hit.t == 2 && hit.triangle == HS_NO_TRIANGLE);
    OK(hs_hull_contains(hull, inside, &contains));
    CHECK(contains);
    float t;
    bool blocked;
    HsRay beside = ahead(1.5f, 0, 3);
    OK(hs_hull_cast_t(hull, &ray, &t));
    CHECK(t == 2);
    NONE(hs_hull_cast_t(hull, &beside, &t));
    CHECK(isinf(t));
    OK(hs_hull_is_blocked(hull, &ray, &blocked));
    CHECK(blocked);
    OK(hs_hull_is_blocked(hull, &beside, &blocked));
    CHECK(!blocked);
    double point[3] = {0, 4, 0};
    OK(hs_hull_closest_point(hull, point, &nearest));
    CHECK(nearest.distance == 3);
    HsVolume volume = ball(1);
    volume.hull = hull;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "both", hs_volume_validate(&volume));
    memset(&volume, 0, sizeof volume);
    volume.hull = hull;
    OK(hs_volume_validate(&volume));
    hs_hull_free(hull);
    hs_hull_free(NULL);
    REFUSED(HS_STATUS_INVALID_INPUT, "", hs_hull_new(CUBE, 0, 2, &hull));
    CHECK(hull == NULL);
}

static void matrices(void) {
    HsCollisionMatrix *matrix = NULL, *moved = NULL, *other = NULL;
    HsSegmentHit segment;
    HsHit hit;
    double transform[16];
    float a[3] = {0, 0, 0}, b[3] = {2, 0, 0}, c[3] = {0, 2, 0}, from[3] = {0.5f, 1, 3}, to[3] = {0.5f, 1, -1};
    OK(hs_collision_matrix_new(a, b, c, &matrix));
    OK(hs_collision_matrix_collide_segment(matrix, from, to, &segment));
    CHECK(segment.fraction == 0.75f && segment.u == 0.25f && segment.v == 0.5f && segment.side == HS_SIDE_FRONT);
    OK(hs_collision_matrix_placed(matrix, moved_to(transform, 0, 0, 1), &moved));
    OK(hs_collision_matrix_collide_segment(moved, from, to, &segment));
    CHECK(segment.fraction == 0.5f);
    HsRay ray = ahead(0.5f, 1, 5);
    OK(hs_collision_matrix_cast(matrix, &ray, &hit));
    CHECK(hit.t == 5);
    float t, above[3] = {0.5f, 1, 1};
    bool blocked;
    OK(hs_collision_matrix_cast_t(matrix, &ray, &t));
    CHECK(t == 5);
    OK(hs_collision_matrix_is_blocked(matrix, &ray, &blocked));
    CHECK(blocked);
    ray.t_max = 4;
    NONE(hs_collision_matrix_cast_t(matrix, &ray, &t));
    CHECK(isinf(t));
    OK(hs_collision_matrix_is_blocked(matrix, &ray, &blocked));
    CHECK(!blocked);
    OK(hs_collision_matrix_segment_is_blocked(matrix, from, to, &blocked));
    CHECK(blocked);
    OK(hs_collision_matrix_segment_is_blocked(matrix, from, above, &blocked));
    CHECK(!blocked);
    transform[3] = 1;
    REFUSED(HS_STATUS_INVALID_INPUT, "last row", hs_collision_matrix_placed(matrix, transform, &other));
    CHECK(other == NULL);
    hs_collision_matrix_free(moved);
    hs_collision_matrix_free(matrix);
    REFUSED(HS_STATUS_INVALID_INPUT, "line", hs_collision_matrix_new(a, b, b, &matrix));
    hs_collision_matrix_free(NULL);
}

/* A floor at y = 0, 2 wide and 2 deep, whose data counts the casts and how often it is freed. */
struct Tile {
    int casts;
    int frees;
};

static void cast_at_tile(void *user, const HsCustomRay *ray, HsOffer offer, void *sink) {
    HsCustomHit hit;
    memset(&hit, 0, sizeof hit);
    ++((struct Tile *)user)->casts;
    hit.t = -ray->origin[1] / ray->direction[1];
    hit.normal[1] = 1;
    hit.u = 0.25f;
    hit.side = ray->direction[1] < 0 ? HS_SIDE_FRONT : HS_SIDE_BACK;
    offer(sink, &hit);
}

static void free_tile(void *user) {
    ++((struct Tile *)user)->frees;
}

static void customs(void) {
    struct Tile tile = {0, 0};
    HsCustom *custom = NULL, *other = NULL;
    HsScene *scene = NULL, *copy = NULL;
    HsHit hit;
    double matrix[16];
    size_t count;
    float min[3] = {-1, 0, -1}, max[3] = {1, 0, 1}, above[3] = {0.5f, 3, 0.5f}, beside[3] = {1.5f, 3, 0};
    float down[3] = {0, -1, 0};
    HsRay ray = hs_ray_new(above, down), off = hs_ray_new(beside, down);
    OK(hs_custom_new(min, max, cast_at_tile, &tile, free_tile, &custom));
    OK(hs_custom_cast(custom, &ray, HS_INSIDE_EXIT, &hit));
    CHECK(hit.t == 3 && hit.side == HS_SIDE_FRONT && hit.u == 0.25f && is_at(hit.normal, 0, 1, 0) && tile.casts == 1);
    NONE(hs_custom_cast(custom, &off, HS_INSIDE_EXIT, &hit));
    OK(hs_scene_new(&scene));
    OK(hs_scene_insert_custom(scene, 4, custom, moved_to(matrix, 0, 1, 0)));
    OK(hs_scene_clone(scene, &copy));
    hs_custom_free(custom);
    hs_custom_free(NULL);
    hs_scene_free(scene);
    OK(hs_scene_cast(copy, &ray, NULL, &hit));
    CHECK(hit.key == 4 && hit.t == 2 && tile.frees == 0);
    REFUSED(HS_STATUS_INVALID_INPUT, "", hs_scene_save(copy, NULL, 0, &count));
    hs_scene_free(copy);
    CHECK(tile.frees == 1);
    REFUSED(HS_STATUS_NULL, "cast", hs_custom_new(min, max, NULL, &tile, free_tile, &other));
    REFUSED(HS_STATUS_INVALID_INPUT, "", hs_custom_new(max, min, cast_at_tile, &tile, free_tile, &other));
    CHECK(other == NULL && tile.frees == 1);
}

int main(void) {
    status_and_version();
    rays();
    shapes();
    shapes_in_short();
    volumes();
    meshes();
    built_meshes();
    height_fields();
    hulls();
    matrices();
    customs();
    puts("things: all as it should be");
    return 0;
}
