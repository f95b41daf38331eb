/* This program tests helpers of games and tools: shots, explosions, camera arms, ledges, pairs over time, explanations,
   the surface under a cursor, and work on all threads. */
#include "check.h"

static void insert_box(HsScene *scene, uint64_t key, HsShape box) {
    OK(hs_scene_insert_shape(scene, key, &box, NULL));
}

static HsShape box_of(float x0, float y0, float z0, float x1, float y1, float z1) {
    float min[3], max[3];
    min[0] = x0, min[1] = y0, min[2] = z0;
    max[0] = x1, max[1] = y1, max[2] = z1;
    return hs_shape_box(min, max);
}

static void insert_ball(HsScene *scene, uint64_t key, float radius, double x, double y, double z) {
    HsVolume volume = ball(radius);
    double matrix[16];
    OK(hs_scene_insert_shape(scene, key, &volume.shape, moved_to(matrix, x, y, z)));
}

static HsFilter everything(void) {
    HsFilter filter;
    OK(hs_filter_init(&filter, sizeof filter));
    return filter;
}

static int32_t bounces_off_floor(void *user, const HsRay *ray, const HsHit *hit) {
    ++*(int *)user;
    CHECK(is_near(ray->direction[0], sqrt(0.5)));
    return hit->key == 1 ? HS_IMPACT_RICOCHET : HS_IMPACT_PASS_THROUGH;
}

static int32_t is_no_impact(void *user, const HsRay *ray, const HsHit *hit) {
    (void)user, (void)ray, (void)hit;
    return 9;
}

/* The shot goes down to the floor at x = 2, up into the wall at x = 4, out of it at x = 5, and on as far as it goes. */
static void shots(void) {
    HsScene *scene = NULL;
    HsShotLeg legs[8];
    float muzzle[3] = {0, 2, 0}, down[3] = {2, -2, 0}, origin[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    HsRay ray = hs_ray_with_direction(muzzle, down);
    HsShape floor = hs_shape_plane(origin, up);
    size_t count;
    int calls = 0;
    OK(hs_scene_new(&scene));
    OK(hs_scene_insert_shape(scene, 1, &floor, NULL));
    insert_box(scene, 2, box_of(4, -9, -9, 5, 9, 9));
    OK(hs_scene_shoot(scene, &ray, 10, NULL, bounces_off_floor, &calls, legs, 8, &count));
    CHECK(count == 4 && calls == 3);
    CHECK(legs[0].hit.key == 1 && is_at(legs[0].from, 0, 2, 0) && is_at(legs[0].to, 2, 0, 0));
    CHECK(legs[1].hit.key == 2 && legs[1].hit.side == HS_SIDE_FRONT && is_at(legs[1].to, 4, 2, 0));
    CHECK(legs[2].hit.key == 2 && legs[2].hit.side == HS_SIDE_BACK && is_at(legs[2].to, 5, 3, 0));
    CHECK(legs[3].hit.side == HS_SIDE_NONE && is_at(legs[3].from, 5, 3, 0));
    CHECK(fabs(legs[3].to[0] - 10 * sqrt(0.5)) < 1e-5);
    OK(hs_scene_shoot(scene, &ray, 10, NULL, NULL, NULL, legs, 8, &count));
    CHECK(count == 1 && legs[0].hit.key == 1);
    CHECK(hs_scene_shoot(scene, &ray, 10, NULL, bounces_off_floor, &calls, legs, 1, &count) == HS_STATUS_MORE);
    OK(hs_scene_shoot(scene, &ray, 0, NULL, NULL, NULL, legs, 8, &count));
    CHECK(count == 0);
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "HsImpact",
            hs_scene_shoot(scene, &ray, 10, NULL, is_no_impact, NULL, legs, 8, &count));
    hs_scene_free(scene);
}

/* The guard is behind the wall, the barrel is on the other side, and the last ball is outside of the radius. */
static void explosions(void) {
    HsScene *scene = NULL;
    HsBlastHit hits[4];
    HsFilter targets = everything(), cover = everything();
    double center[3] = {0, 0, 0};
    const uint64_t wall = 1;
    size_t count;
    OK(hs_scene_new(&scene));
    insert_box(scene, 1, box_of(2, -9, -9, 2.5f, 9, 9));
    insert_ball(scene, 2, 0.5f, 4, 0, 0);
    insert_ball(scene, 3, 0.5f, -2, 0, 0);
    insert_ball(scene, 4, 0.5f, -9, 0, 0);
    OK(hs_scene_blast(scene, center, 5, NULL, NULL, hits, 4, &count));
    CHECK(count == 3 && hits[0].key == 3 && hits[1].key == 1 && hits[2].key == 2);
    CHECK(hits[0].distance == 1.5f && !hits[0].is_covered && is_at(hits[0].point, -1.5f, 0, 0));
    CHECK(hits[1].distance == 2 && !hits[1].is_covered && hits[2].distance == 3.5f && hits[2].is_covered);
    targets.exclude = &wall;
    targets.exclude_count = 1;
    OK(hs_scene_blast(scene, center, 5, &targets, NULL, hits, 4, &count));
    CHECK(count == 2 && !hits[1].is_covered);
    OK(hs_scene_blast(scene, center, 5, &targets, &cover, hits, 4, &count));
    CHECK(count == 2 && hits[1].key == 2 && hits[1].is_covered);
    OK(hs_scene_blast(scene, center, NAN, NULL, NULL, hits, 4, &count));
    CHECK(count == 0);
    cover.exclude_count = 1;
    REFUSED(HS_STATUS_NULL, "hidden_by->exclude", hs_scene_blast(scene, center, 5, NULL, &cover, hits, 4, &count));
    hs_scene_free(scene);
}

static void camera_arms(void) {
    HsScene *scene = NULL;
    HsCameraArm arm = {6, 0.25f};
    HsArmEnd end;
    double target[3] = {0, 1.5, 0}, back[3] = {0, 0, 2};
    OK(hs_scene_new(&scene));
    insert_box(scene, 5, box_of(-5, 0, 3, 5, 4, 3.5f));
    OK(hs_scene_camera_arm_end(scene, &arm, target, back, NULL, &end));
    CHECK(end.is_blocked && end.blocked_by == 5 && end.length == 2.75);
    CHECK(end.position[1] == 1.5 && end.position[2] == 2.75);
    arm.length = 2;
    OK(hs_scene_camera_arm_end(scene, &arm, target, back, NULL, &end));
    CHECK(!end.is_blocked && end.blocked_by == 0 && end.length == 2);
    arm.length = -1;
    OK(hs_scene_camera_arm_end(scene, &arm, target, back, NULL, &end));
    CHECK(end.length == 0 && end.position[1] == 1.5);
    REFUSED(HS_STATUS_NULL, "arm", hs_scene_camera_arm_end(scene, NULL, target, back, NULL, &end));
    hs_scene_free(scene);
}

/* The edge of the roof is 2 above the feet and 0.7 ahead. */
static void ledges(void) {
    HsScene *scene = NULL;
    HsLedgeProbe probe = {1, 1.2, 2.4, 0.6, 0.05f};
    HsLedge ledge;
    double feet[3] = {0, 0, 0.3}, forward[3] = {0, 0, 3}, up[3] = {0, 2, 0};
    OK(hs_scene_new(&scene));
    insert_box(scene, 5, box_of(-5, 0, 1, 5, 2, 5));
    OK(hs_scene_find_ledge(scene, &probe, feet, forward, up, NULL, &ledge));
    CHECK(ledge.key == 5);
    CHECK(is_near(ledge.point[0], 0) && is_near(ledge.point[1], 2) && is_near(ledge.point[2], 1));
    CHECK(is_near(ledge.top_normal[1], 1) && is_near(ledge.wall_normal[2], -1));
    NONE(hs_scene_find_ledge(scene, &probe, feet, up, up, NULL, &ledge));
    probe.highest = 1.9;
    NONE(hs_scene_find_ledge(scene, &probe, feet, forward, up, NULL, &ledge));
    REFUSED(HS_STATUS_NULL, "probe", hs_scene_find_ledge(scene, NULL, feet, forward, up, NULL, &ledge));
    hs_scene_free(scene);
}

/* A guard goes through a door. */
static void pairs_over_time(void) {
    static const double PLACES[4] = {3, 1.25, 0, 2};
    static const int CHANGES[4] = {-1, HS_PAIR_CHANGE_ENTER, HS_PAIR_CHANGE_STAY, HS_PAIR_CHANGE_LEAVE};
    HsScene *scene = NULL;
    HsPairTracker *tracker = NULL;
    HsPairEvent events[2];
    double matrix[16];
    size_t count;
    OK(hs_scene_new(&scene));
    insert_box(scene, 8, box_of(-1, 0, -1, 1, 2, 1));
    insert_ball(scene, 2, 0.5f, 9, 1, 0);
    OK(hs_pair_tracker_new(UINT32_MAX, UINT32_MAX, 0, &tracker));
    OK(hs_pair_tracker_events(tracker, events, 2, &count));
    CHECK(count == 0);
    for (int i = 0; i < 4; i++) {
        OK(hs_scene_set_transform(scene, 2, moved_to(matrix, PLACES[i], 1, 0)));
        OK(hs_pair_tracker_update(tracker, scene));
        OK(hs_pair_tracker_events(tracker, events, 2, &count));
        CHECK(count == (CHANGES[i] < 0 ? 0 : 1));
        CHECK(count == 0 || (events[0].first == 8 && events[0].second == 2 && events[0].change == CHANGES[i]));
    }
    hs_pair_tracker_free(tracker);
    hs_pair_tracker_free(NULL);
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "boxes_only", hs_pair_tracker_new(1, 1, 2, &tracker));
    CHECK(tracker == NULL);
    hs_scene_free(scene);
}

static void explanations(void) {
    HsScene *scene = NULL;
    HsExplanation found;
    HsFilter filter = everything();
    HsRay ray = ahead(0, 0, 0), past = ahead(4, 0, 3);
    const uint64_t near_ball = 1;
    char text[100];
    size_t count;
    OK(hs_scene_new(&scene));
    insert_ball(scene, 1, 1, 0, 0, -5);
    insert_ball(scene, 2, 1, 0, 0, -9);
    OK(hs_scene_explain(scene, &ray, 2, NULL, &found, text, sizeof text, &count));
    CHECK(found.reason == HS_REASON_BEHIND && found.hit.t == 8 && found.nearer.key == 1 && found.nearer.t == 4);
    CHECK(strcmp(text, "it would be hit at t 8, but 1 is before it, at t 4") == 0 && count == strlen(text) + 1);
    CHECK(hs_scene_explain(scene, &ray, 1, NULL, &found, NULL, 0, &count) == HS_STATUS_MORE);
    CHECK(found.reason == HS_REASON_HIT && found.hit.t == 4 && count > 1);
    OK(hs_scene_explain(scene, &ray, 7, NULL, &found, text, sizeof text, &count));
    CHECK(found.reason == HS_REASON_ABSENT && found.hit.side == HS_SIDE_NONE);
    OK(hs_scene_explain(scene, &past, 1, NULL, &found, text, sizeof text, &count));
    CHECK(found.reason == HS_REASON_APART && found.distance == 3 && found.t == 7);
    filter.exclude = &near_ball;
    filter.exclude_count = 1;
    OK(hs_scene_explain(scene, &ray, 1, &filter, &found, text, sizeof text, &count));
    CHECK(found.reason == HS_REASON_EXCLUDED);
    filter.exclude_count = 0;
    filter.layers = 2;
    OK(hs_scene_explain(scene, &ray, 1, &filter, &found, text, sizeof text, &count));
    CHECK(found.reason == HS_REASON_LAYERS);
    filter.layers = UINT32_MAX;
    ray.t_max = 5;
    OK(hs_scene_explain(scene, &ray, 2, &filter, &found, text, sizeof text, &count));
    CHECK(found.reason == HS_REASON_RANGE && found.hit.t == 8);
    filter.cull = HS_CULL_FRONT;
    OK(hs_scene_explain(scene, &ray, 1, &filter, &found, text, sizeof text, &count));
    CHECK(found.reason == HS_REASON_CULL && found.hit.t == 4);
    ray.t_max = NAN;
    OK(hs_scene_explain(scene, &ray, 1, NULL, &found, text, sizeof text, &count));
    CHECK(found.reason == HS_REASON_RAY);
    hs_scene_free(scene);
}

/* A cup is dragged over a table that is seen from above, and beside the table over a plane of the same height. */
static void surfaces_under_a_cursor(void) {
    static const HsViewport VIEWPORT = {0, 0, 600, 600};
    HsScene *scene = NULL;
    HsCamera *camera = NULL;
    HsSurfacePoint place;
    HsFilter others = everything();
    HsDragPath path = {{0, 1, 0}, {0, 2, 0}, HS_DRAG_PATH_KIND_PLANE};
    double eye[3] = {0, 9, 0}, target[3] = {0, 0, 0}, up[3] = {0, 0, -1}, transform[16];
    const uint64_t cup = 2;
    OK(hs_scene_new(&scene));
    insert_box(scene, 1, box_of(-2, 0, -2, 2, 1, 2));
    insert_ball(scene, 2, 0.25f, 0, 1.25, 0);
    OK(hs_camera_look_at(eye, target, up, transform));
    OK(hs_camera_perspective(transform, 1, &camera));
    others.exclude = &cup;
    others.exclude_count = 1;
    OK(hs_scene_surface_point(scene, camera, &VIEWPORT, 300, 300, &path, &others, &place));
    CHECK(place.hit.key == 1 && is_near(place.point[0], 0) && is_near(place.point[1], 1));
    CHECK(is_at(place.hit.normal, 0, 1, 0));
    OK(hs_scene_surface_point(scene, camera, &VIEWPORT, 300, 300, &path, NULL, &place));
    CHECK(place.hit.key == 2 && is_near(place.point[1], 1.5));
    OK(hs_scene_surface_point(scene, camera, &VIEWPORT, 10, 300, &path, &others, &place));
    CHECK(place.hit.side == HS_SIDE_NONE && place.point[0] < -2 && is_near(place.point[1], 1));
    NONE(hs_scene_surface_point(scene, camera, &VIEWPORT, NAN, 300, &path, &others, &place));
    path.kind = HS_DRAG_PATH_KIND_AXIS;
    memset(path.direction, 0, sizeof path.direction);
    NONE(hs_scene_surface_point(scene, camera, &VIEWPORT, 10, 300, &path, &others, &place));
    path.kind = HS_DRAG_PATH_KIND_SCREEN;
    OK(hs_scene_surface_point(scene, camera, &VIEWPORT, 10, 300, &path, &others, &place));
    CHECK(is_near(place.point[1], 1));
    path.kind = 3;
    REFUSED(HS_STATUS_INVALID_ARGUMENT, "HsDragPathKind",
            hs_scene_surface_point(scene, camera, &VIEWPORT, 10, 300, &path, &others, &place));
    hs_camera_free(camera);
    hs_scene_free(scene);
}

enum { SWEEPS = 5000 };

struct Work {
    const HsScene *scene;
    float t[SWEEPS];
};

/* Moves a ball by 10 towards another ball of radius 1, which is 5 away along the axis. Some of the moving balls pass
   beside it. */
static void sweep_one(void *user, size_t number) {
    struct Work *work = user;
    HsVolume volume = ball(1);
    HsPose from = pose_at((double)(number % 2) * 9, 0, 0);
    double motion[3] = {0, 0, -10};
    HsSweepHit hit;
    HsStatus status = hs_scene_sweep(work->scene, &volume, &from, motion, NULL, &hit);
    CHECK(status >= 0);
    work->t[number] += status == HS_STATUS_OK ? hit.t : 1;
}

static void batches(void) {
    HsScene *scene = NULL;
    struct Work *work = calloc(1, sizeof *work);
    OK(hs_scene_new(&scene));
    insert_ball(scene, 1, 1, 0, 0, -5);
    work->scene = scene;
    OK(hs_batch(SWEEPS, 0, sweep_one, work));
    for (size_t number = 0; number < SWEEPS; number++) CHECK(is_near(work->t[number], number % 2 == 0 ? 0.3 : 1));
    OK(hs_batch(3, 1, sweep_one, work));
    CHECK(is_near(work->t[2], 0.6) && is_near(work->t[4], 0.3));
    OK(hs_batch(0, 0, sweep_one, work));
    REFUSED(HS_STATUS_NULL, "work", hs_batch(1, 0, NULL, NULL));
    free(work);
    hs_scene_free(scene);
}

int main(void) {
    shots();
    explosions();
    camera_arms();
    ledges();
    pairs_over_time();
    explanations();
    surfaces_under_a_cursor();
    batches();
    puts("games: all as it should be");
    return 0;
}
