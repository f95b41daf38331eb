/* This program tests cameras, regions, snaps, characters and snapshots. */
#include "check.h"

static const HsViewport VIEWPORT = {0, 0, 800, 600};

/* A camera at z = 10 that looks at the origin. Its picture is 6 units and 600 pixels high. */
static HsCamera *make_camera(void) {
    HsCamera *camera = NULL;
    double eye[3] = {0, 0, 10}, target[3] = {0, 0, 0}, up[3] = {0, 1, 0}, transform[16];
    OK(hs_camera_look_at(eye, target, up, transform));
    OK(hs_camera_orthographic(transform, 6, &camera));
    REFUSED(HS_STATUS_INVALID_INPUT, "", hs_camera_look_at(eye, eye, up, transform));
    return camera;
}

/* The square from (-1, -1) to (1, 1) under the key 1, and another square behind it under the key 2. */
static HsScene *make_squares(void) {
    HsScene *scene = NULL;
    HsMesh *square = NULL;
    double matrix[16];
    OK(hs_scene_new(&scene));
    OK(hs_mesh_new(SQUARE, 4, SQUARE_INDICES, 6, &square));
    OK(hs_scene_insert_mesh(scene, 1, square, NULL));
    OK(hs_scene_insert_mesh(scene, 2, square, moved_to(matrix, 0, 0, -5)));
    hs_mesh_free(square);
    return scene;
}

static void cameras(void) {
    HsCamera *camera = make_camera(), *other = NULL;
    HsRay ray;
    double identity[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1}, point[3] = {1, 0, 0}, behind[3] = {0, 0, 5};
    double origin[3] = {0, 0, 10};
    float pixel[2], depth;
    OK(hs_camera_ray(camera, 500, 300, &VIEWPORT, &ray));
    CHECK(is_at(ray.origin, 1, 0, 10) && is_at(ray.direction, 0, 0, -1));
    OK(hs_camera_project(camera, point, &VIEWPORT, pixel, &depth));
    CHECK(pixel[0] == 500 && pixel[1] == 300 && depth == 10);
    OK(hs_camera_set_clip(camera, 1, 20));
    OK(hs_camera_ray(camera, 500, 300, &VIEWPORT, &ray));
    CHECK(ray.t_min == 1 && ray.t_max == 20);
    REFUSED(HS_STATUS_INVALID_INPUT, "20", hs_camera_set_clip(camera, 20, 1));
    OK(hs_camera_set_origin(camera, origin));
    OK(hs_camera_ray(camera, 500, 300, &VIEWPORT, &ray));
    CHECK(is_at(ray.origin, 1, 0, 0));
    origin[0] = NAN;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "NaN", hs_camera_set_origin(camera, origin));
    OK(hs_camera_ray(camera, NAN, 300, &VIEWPORT, &ray));
    REFUSED(HS_STATUS_INVALID_INPUT, "direction", hs_ray_validate(&ray));
    hs_camera_free(camera);

    OK(hs_camera_perspective(identity, 1.5707963267948966, &camera));
    OK(hs_camera_set_aspect(camera, 1));
    OK(hs_camera_ray(camera, 800, 300, &VIEWPORT, &ray));
    CHECK(is_near(ray.direction[0], -ray.direction[2]));
    REFUSED(HS_STATUS_INVALID_INPUT, "", hs_camera_set_aspect(camera, 0));
    NONE(hs_camera_project(camera, behind, &VIEWPORT, pixel, &depth));
    REFUSED(HS_STATUS_INVALID_INPUT, "field of view", hs_camera_perspective(identity, 4, &other));
    CHECK(other == NULL);
    hs_camera_free(camera);
    OK(hs_camera_from_matrices(identity, identity, &camera));
    OK(hs_camera_ray(camera, 600, 150, &VIEWPORT, &ray));
    CHECK(is_at(ray.origin, 0.5f, 0.5f, 0) && is_at(ray.direction, 0, 0, -1));
    OK(hs_camera_set_clip_y_down(camera));
    OK(hs_camera_set_view_left_handed(camera));
    OK(hs_camera_ray(camera, 600, 150, &VIEWPORT, &ray));
    CHECK(is_at(ray.origin, 0.5f, -0.5f, 0) && is_at(ray.direction, 0, 0, 1));
    hs_camera_free(camera);
    hs_camera_free(NULL);
    identity[3] = 1;
    REFUSED(HS_STATUS_INVALID_INPUT, "last row", hs_camera_orthographic(identity, 6, &camera));
    identity[0] = INFINITY;
    REFUSED(HS_STATUS_INVALID_INPUT, "view matrix", hs_camera_from_matrices(identity, identity, &camera));
}

static void regions(void) {
    HsScene *scene = make_squares();
    HsCamera *camera = make_camera();
    HsRegion *region = NULL, *bad = NULL;
    HsSelection selection;
    HsSelected found[16];
    uint64_t keys[4];
    size_t count;
    float lasso[6] = {390, 290, 410, 290, 400, 320};
    memset(&selection, 0, sizeof selection);
    OK(hs_region_rect(350, 250, 450, 350, &region));
    selection.region = region;
    selection.camera = camera;
    selection.viewport = VIEWPORT;
    OK(hs_scene_select_entities(scene, &selection, NULL, keys, 4, &count));
    CHECK(count == 2);
    selection.visible_spacing = 1;
    OK(hs_scene_select_entities(scene, &selection, NULL, keys, 4, &count));
    CHECK(count == 1 && keys[0] == 1);
    selection.visible_spacing = -1;
    REFUSED(HS_STATUS_INVALID_INPUT, "-1", hs_scene_select_entities(scene, &selection, NULL, keys, 4, &count));
    selection.visible_spacing = 0;
    selection.rule = HS_RULE_INSIDE;
    OK(hs_scene_select_entities(scene, &selection, NULL, keys, 4, &count));
    CHECK(count == 0);
    selection.rule = 3;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "rule", hs_scene_select_entities(scene, &selection, NULL, keys, 4, &count));
    hs_region_free(region);

    selection.rule = HS_RULE_TOUCHING;
    OK(hs_region_lasso(lasso, 3, &region));
    selection.region = region;
    OK(hs_scene_select_triangles(scene, &selection, NULL, found, 16, &count));
    CHECK(count == 4 && found[0].second == HS_NO_TRIANGLE);
    hs_region_free(region);
    OK(hs_region_circle(300, 400, 30, &region));
    selection.region = region;
    OK(hs_scene_select_vertices(scene, &selection, NULL, found, 16, &count));
    CHECK(count == 2 && found[0].number == 0);
    OK(hs_scene_select_edges(scene, &selection, NULL, found, 16, &count));
    CHECK(count >= 4 && found[0].number != found[0].second);
    CHECK(hs_scene_select_edges(scene, &selection, NULL, found, 1, &count) == HS_STATUS_MORE);
    selection.region = NULL;
    REFUSED(HS_STATUS_NULL, "region", hs_scene_select_edges(scene, &selection, NULL, found, 1, &count));
    REFUSED(HS_STATUS_INVALID_INPUT, "3", hs_region_lasso(lasso, 2, &bad));
    REFUSED(HS_STATUS_INVALID_INPUT, "radius", hs_region_circle(0, 0, -1, &bad));
    REFUSED(HS_STATUS_INVALID_INPUT, "finite", hs_region_rect(NAN, 0, 1, 1, &bad));
    CHECK(bad == NULL);
    hs_region_free(region);
    hs_region_free(NULL);
    hs_camera_free(camera);
    hs_scene_free(scene);
}

/* A cursor near the corner of the first square. */
static HsCursor make_cursor(const HsCamera *camera) {
    HsCursor cursor;
    memset(&cursor, 0, sizeof cursor);
    cursor.camera = camera;
    cursor.viewport = VIEWPORT;
    cursor.pixel[0] = 502;
    cursor.pixel[1] = 201;
    cursor.radius = 8;
    return cursor;
}

static void snaps(void) {
    HsScene *scene = make_squares();
    HsCamera *camera = make_camera();
    HsCursor cursor;
    HsSnap snap, all[16];
    size_t count;
    int32_t kinds[2] = {HS_SNAP_KIND_VERTEX, HS_SNAP_KIND_EDGE};
    cursor = make_cursor(camera);
    cursor.kinds = kinds;
    cursor.kind_count = 2;
    OK(hs_scene_snap(scene, &cursor, NULL, &snap));
    CHECK(snap.kind == HS_SNAP_KIND_VERTEX && snap.target.key == 1 && snap.target.vertex == 2 && snap.target.exists);
    CHECK(snap.point[0] == 1 && snap.point[1] == 1 && !snap.crossed.exists && is_near(snap.distance, sqrt(5)));
    cursor.hidden = HS_HIDDEN_KEEP;
    OK(hs_scene_snap_all(scene, &cursor, NULL, all, 16, &count));
    CHECK(count >= 2);
    cursor.hidden = HS_HIDDEN_SKIP;
    cursor.pixel[0] = 700;
    NONE(hs_scene_snap(scene, &cursor, NULL, &snap));
    kinds[0] = 8;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "kind", hs_scene_snap(scene, &cursor, NULL, &snap));
    kinds[0] = HS_SNAP_KIND_PERPENDICULAR;
    cursor.kind_count = 1;
    cursor.pixel[0] = 500;
    cursor.pixel[1] = 280;
    cursor.has_start = 1;
    cursor.start[1] = 0.2;
    cursor.has_depth_tolerance = 1;
    OK(hs_scene_snap(scene, &cursor, NULL, &snap));
    CHECK(is_near(snap.point[0], 1) && is_near(snap.point[1], 0.2) && snap.target.edge[0] != HS_NO_TRIANGLE);
    hs_camera_free(camera);
    hs_scene_free(scene);
}

static int32_t is_wall(void *user, uint64_t key) {
    (void)user;
    return key == 3;
}

/* The entities that hide and the wanted entities may differ: a square behind another square, and a wall between them.
   */
static void what_hides(void) {
    HsScene *scene = make_squares();
    HsCamera *camera = make_camera();
    HsRegion *region = NULL;
    HsSelection selection;
    HsCursor cursor;
    HsFilter units, hides;
    HsSelected found[8];
    HsSnap snap;
    float min[3] = {-2, -2, -2}, max[3] = {2, 2, -1};
    HsShape wall = hs_shape_box(min, max);
    uint64_t keys[4], not_units[2] = {1, 3};
    size_t count;
    int32_t vertex = HS_SNAP_KIND_VERTEX;
    OK(hs_scene_insert_shape(scene, 3, &wall, NULL));
    OK(hs_filter_init(&units, sizeof units));
    OK(hs_filter_init(&hides, sizeof hides));
    units.exclude = not_units;
    units.exclude_count = 2;
    OK(hs_region_rect(350, 250, 450, 350, &region));
    memset(&selection, 0, sizeof selection);
    selection.region = region;
    selection.camera = camera;
    selection.viewport = VIEWPORT;
    selection.visible_spacing = 1;
    OK(hs_scene_select_entities(scene, &selection, &units, keys, 4, &count));
    CHECK(count == 1 && keys[0] == 2);
    selection.hidden_by = &hides;
    OK(hs_scene_select_entities(scene, &selection, &units, keys, 4, &count));
    CHECK(count == 0);
    OK(hs_scene_select_triangles(scene, &selection, &units, found, 8, &count));
    CHECK(count == 0);
    hides.layers = 0;
    OK(hs_scene_select_triangles(scene, &selection, &units, found, 8, &count));
    CHECK(count == 2 && found[0].key == 2);
    hides.layers = UINT32_MAX;
    hides.entities = is_wall;
    OK(hs_scene_select_entities(scene, &selection, NULL, keys, 4, &count));
    CHECK(count == 2 && keys[0] == 1 && keys[1] == 3);
    hides.entities = NULL;
    hides.exclude = not_units;
    hides.exclude_count = 2;
    OK(hs_scene_select_entities(scene, &selection, NULL, keys, 4, &count));
    CHECK(count == 3);
    /* With a spacing of 0 nothing is hidden. */
    hides.exclude_count = 0;
    selection.visible_spacing = 0;
    OK(hs_scene_select_entities(scene, &selection, &units, keys, 4, &count));
    CHECK(count == 1 && keys[0] == 2);

    cursor = make_cursor(camera);
    cursor.kinds = &vertex;
    cursor.kind_count = 1;
    OK(hs_scene_snap(scene, &cursor, &units, &snap));
    CHECK(snap.target.key == 2 && snap.target.vertex == 2);
    cursor.hidden_by = &hides;
    NONE(hs_scene_snap(scene, &cursor, &units, &snap));
    OK(hs_scene_snap_all(scene, &cursor, &units, &snap, 1, &count));
    CHECK(count == 0);
    cursor.hidden = HS_HIDDEN_KEEP;
    OK(hs_scene_snap_all(scene, &cursor, &units, &snap, 1, &count));
    CHECK(count == 1 && snap.target.key == 2);

    hides.reserved = 1;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "`cursor->hidden_by->reserved`", hs_scene_snap(scene, &cursor, &units, &snap));
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "`selection->hidden_by->reserved`",
            hs_scene_select_entities(scene, &selection, NULL, keys, 4, &count));
    hides.reserved = 0;
    hides.exclude = NULL;
    hides.exclude_count = 1;
    REFUSED(HS_STATUS_NULL, "`cursor->hidden_by->exclude`", hs_scene_snap(scene, &cursor, &units, &snap));
    hs_region_free(region);
    hs_camera_free(camera);
    hs_scene_free(scene);
}

static int32_t pass_two(void *user, const HsCharacterContact *contact, double *velocity) {
    ++*(int *)user;
    if (contact->key == 2) return HS_RESPONSE_PASS_THROUGH;
    velocity[0] = 1;
    return contact->key == 1 ? HS_RESPONSE_CONVEYOR : HS_RESPONSE_SOLID;
}

static int32_t nonsense(void *user, const HsCharacterContact *contact, double *velocity) {
    (void)user, (void)contact, (void)velocity;
    return 12;
}

static void characters(void) {
    HsScene *scene = NULL;
    HsCharacter *character = NULL, *earlier = NULL;
    HsCharacterSettings settings;
    HsCharacterContact contacts[8];
    HsMoved moved;
    HsPose pose;
    size_t count;
    bool has_room;
    int calls = 0;
    float origin[3] = {0, 0, 0}, up[3] = {0, 1, 0}, low[3] = {0, 0.3f, 0}, high[3] = {0, 1.5f, 0};
    float min[3] = {-1, 0, -3}, max[3] = {1, 3, -2};
    double at[3] = {0, 0.1, 0}, ahead_and_down[3] = {0, -1, -2};
    HsShape floor_shape = hs_shape_plane(origin, up), wall = hs_shape_box(min, max);
    HsVolume volume;
    memset(&volume, 0, sizeof volume);
    volume.shape = hs_shape_capsule(low, high, 0.3f);
    OK(hs_scene_new(&scene));
    OK(hs_scene_insert_shape(scene, 1, &floor_shape, NULL));
    OK(hs_scene_insert_shape(scene, 2, &wall, NULL));
    OK(hs_character_new(&volume, at, &character));
    OK(hs_character_has_room(character, scene, NULL, &has_room));
    CHECK(has_room);
    OK(hs_character_get_contacts(character, contacts, 8, &count));
    CHECK(count == 0);
    OK(hs_character_get_settings(character, &settings, sizeof settings));
    CHECK(settings.up[1] == 1 && settings.skin > 0 && isinf(settings.escape_speed));
    settings.step_up = 0.5;
    OK(hs_character_set_settings(character, &settings));
    settings.skin = -1;
    REFUSED(HS_STATUS_INVALID_INPUT, "skin", hs_character_set_settings(character, &settings));
    for (int step = 0; step < 60; step++)
        OK(hs_character_move(character, scene, ahead_and_down, 1 / 60.0, NULL, NULL, NULL, &moved, contacts, 8, &count));
    CHECK(moved.is_grounded && moved.ground_key == 1 && is_near(moved.ground_normal[1], 1));
    OK(hs_character_clone(character, &earlier));
    for (int step = 0; step < 60; step++)
        OK(hs_character_move(character, scene, ahead_and_down, 1 / 60.0, NULL, NULL, NULL, &moved, contacts, 8, &count));
    OK(hs_character_get_pose(character, &pose));
    /* The wall stops the character, whose centre is a radius and a skin before the wall. */
    CHECK(pose.position[2] < -1.6 && pose.position[2] > -1.7 && pose.rotation[3] == 1);
    CHECK(count > 0 && contacts[0].key == 2 && contacts[0].normal[2] > 0.99);
    size_t all = count;
    uint64_t first = contacts[0].key;
    CHECK(hs_character_get_contacts(character, NULL, 0, &count) == HS_STATUS_MORE && count == all);
    OK(hs_character_get_contacts(character, contacts, 8, &count));
    CHECK(count == all && contacts[0].key == first);
    /* A move without a buffer is made once, and its contacts can be written later. The clone has the moves before it.
       */
    HsCharacter *without = NULL;
    HsPose other;
    OK(hs_character_clone(earlier, &without));
    for (int step = 0; step < 60; step++)
        OK(hs_character_move(without, scene, ahead_and_down, 1 / 60.0, NULL, NULL, NULL, &moved, NULL, 0, &count));
    OK(hs_character_get_pose(without, &other));
    CHECK(memcmp(&other, &pose, sizeof pose) == 0 && count == all);
    OK(hs_character_get_contacts(without, contacts, 8, &count));
    CHECK(count == all && contacts[0].key == first);
    hs_character_free(without);
    /* The clone, which goes through the wall, is still at the earlier place. */
    OK(hs_character_get_pose(earlier, &pose));
    CHECK(pose.position[2] < -1.6);
    for (int step = 0; step < 60; step++)
        OK(hs_character_move(earlier, scene, ahead_and_down, 1 / 60.0, NULL, pass_two, &calls, &moved, contacts, 8, &count));
    OK(hs_character_get_pose(earlier, &pose));
    CHECK(pose.position[2] < -3 && calls > 0 && pose.position[0] > 0.5);
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "12",
            hs_character_move(earlier, scene, ahead_and_down, 1, NULL, nonsense, NULL, &moved, contacts, 8, &count));
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "dt",
            hs_character_move(earlier, scene, ahead_and_down, -1, NULL, NULL, NULL, &moved, contacts, 8, &count));
    /* A character that was put elsewhere is in the air there and lands. After an announced jump it leaves the ground.
       */
    double elsewhere[3] = {4, 0.5, 4}, up_slowly[3] = {0, 0.5, 0}, down[3] = {0, -9, 0};
    OK(hs_character_teleport(earlier, elsewhere));
    OK(hs_character_get_pose(earlier, &pose));
    CHECK(pose.position[0] == 4 && pose.position[2] == 4);
    OK(hs_character_move(earlier, scene, down, 0.1, NULL, NULL, NULL, &moved, contacts, 8, &count));
    CHECK(moved.is_grounded && !moved.is_crushed);
    OK(hs_character_ground_was_placed(earlier));
    OK(hs_character_leave_ground(earlier));
    OK(hs_character_move(earlier, scene, up_slowly, 0.1, NULL, NULL, NULL, &moved, contacts, 8, &count));
    CHECK(!moved.is_grounded);
    elsewhere[1] = NAN;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "position", hs_character_teleport(earlier, elsewhere));
    pose = pose_at(0, 1, -2.5);
    OK(hs_character_set_pose(character, &pose));
    OK(hs_character_has_room(character, scene, NULL, &has_room));
    CHECK(!has_room);
    pose.position[0] = NAN;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "`pose`", hs_character_set_pose(character, &pose));
    hs_character_free(earlier);
    hs_character_free(character);
    hs_character_free(NULL);
    memset(&volume, 0, sizeof volume);
    REFUSED(HS_STATUS_INVALID_INPUT, "extent", hs_character_new(&volume, at, &character));
    volume = ball(1);
    at[0] = NAN;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "position", hs_character_new(&volume, at, &character));
    CHECK(character == NULL);
    hs_scene_free(scene);
}

static void snapshots(void) {
    HsScene *scene = make_squares();
    const HsScene *before = NULL, *after = NULL;
    HsSnapshots *snapshots = NULL;
    HsRay ray = ahead(0, 0, 3);
    HsHit hit;
    OK(hs_snapshots_new(scene, &snapshots));
    OK(hs_snapshots_acquire(snapshots, &before));
    OK(hs_scene_remove(scene, 1));
    OK(hs_scene_cast(before, &ray, NULL, &hit));
    CHECK(hit.key == 1);
    OK(hs_snapshots_commit(snapshots, scene));
    OK(hs_snapshots_acquire(snapshots, &after));
    hs_snapshots_free(snapshots);
    hs_scene_free(scene);
    OK(hs_scene_cast(after, &ray, NULL, &hit));
    CHECK(hit.key == 2);
    OK(hs_scene_cast(before, &ray, NULL, &hit));
    CHECK(hit.key == 1);
    hs_snapshot_release(before);
    hs_snapshot_release(after);
    hs_snapshot_release(NULL);
    hs_snapshots_free(NULL);
}

int main(void) {
    cameras();
    regions();
    snaps();
    what_hides();
    characters();
    snapshots();
    puts("windows: all as it should be");
    return 0;
}
