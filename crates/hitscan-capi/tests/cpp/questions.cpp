// The questions of the C++ header that `everything.cpp` does not ask, each with a known answer.
#include <hitscan.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>

#define CHECK(condition)                                                                                              \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            std::fprintf(stderr, "%s:%d: %s does not hold; the last error is: %s\n", __FILE__, __LINE__, #condition,  \
                         hitscan::last_error());                                                                      \
            std::exit(1);                                                                                             \
        }                                                                                                             \
    } while (0)

namespace {

const float SQUARE[12] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
const std::vector<std::uint32_t> SQUARE_INDICES = {0, 1, 2, 0, 2, 3};
const float CUBE[24] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1};
const std::vector<std::uint32_t> CUBE_INDICES = {4, 5, 6, 4, 6, 7, 1, 0, 3, 1, 3, 2, 5, 1, 2, 5, 2, 6,
                                                 0, 4, 7, 0, 7, 3, 7, 6, 2, 7, 2, 3, 0, 1, 5, 0, 5, 4};

bool is_near(double a, double b) { return std::abs(a - b) < 1e-6; }

HsRay ahead(float x, float y, float z) { return hitscan::ray({x, y, z}, {0, 0, -1}); }

HsVolume ball(float radius) { return hitscan::volume(hitscan::sphere(radius)); }

// A scene with three keys: 1 is a ball of radius 1 at z = -5, 2 is such a ball at z = -9, and 3 is a floor at y = -2.
hitscan::Scene make_scene() {
    auto scene = std::move(*hitscan::Scene::make());
    CHECK(scene.insert(1, hitscan::sphere(1), hitscan::translation({0, 0, -5})) == HS_STATUS_OK);
    CHECK(scene.insert(2, hitscan::sphere(1), hitscan::translation({0, 0, -9})) == HS_STATUS_OK);
    CHECK(scene.insert(3, hitscan::plane({0, -2, 0}, {0, 1, 0}), hitscan::translation({})) == HS_STATUS_OK);
    return scene;
}

void rays_and_shapes() {
    CHECK(std::strchr(hitscan::version(), '.') != nullptr);
    const HsRay ray = ahead(0, 0, 5), beside = ahead(9, 0, 5);
    CHECK((*hitscan::ray_at(ray, 2) == hitscan::Vec3{0, 0, 3}));
    CHECK(hitscan::ray_validate(ray) == HS_STATUS_OK);
    CHECK(hitscan::ray_with_direction({0, 0, 5}, {0, 0, -4}).direction[2] == -4);
    CHECK(hitscan::shape_cast(hitscan::sphere(1), ray)->t == 4);
    CHECK(!hitscan::shape_cast(hitscan::sphere(1), ahead(0, 0, 0), HS_INSIDE_IGNORE));
    CHECK(*hitscan::shape_cast_t(hitscan::sphere(1), ray) == 4 && !hitscan::shape_cast_t(hitscan::sphere(1), beside));
    CHECK(*hitscan::shape_is_blocked(hitscan::torus(2, 0.5f), hitscan::ray({2, 5, 0}, {0, -1, 0})));
    CHECK(hitscan::shape_closest_point(hitscan::sphere(1), {0, 0, 3})->distance == 2);
    CHECK(*hitscan::shape_contains(hitscan::sphere(1), {0, 0, 1}));
    CHECK(!*hitscan::shape_contains(hitscan::disc({0, 0, 0}, {0, 0, 1}, 1), {0, 0, 0}));
    const auto interval = hitscan::shape_box_interval(hitscan::box({-1, -1, -1}, {1, 1, 1}), ray);
    CHECK(interval && (*interval)[0] == 4 && (*interval)[1] == 6);
    CHECK(*hitscan::shape_plane_signed_distance(hitscan::plane({0, 0, 0}, {0, 0, 2}), {1, 2, 3}) == 3);
    CHECK(hitscan::shape_validate(hitscan::quad({0, 0, 0}, {2, 0, 0}, {0, 2, 0})) == HS_STATUS_OK);
    CHECK(hitscan::shape_validate(hitscan::triangle({0, 0, 0}, {2, 0, 0}, {0, 2, 0})) == HS_STATUS_OK);
    CHECK(hitscan::shape_cast(hitscan::oriented_box({0, 0, 0}, {1, 1, 2}, {0, 0, 0, 1}), ray)->t == 3);
    CHECK(hitscan::volume_validate(ball(-1)) == HS_STATUS_INVALID_INPUT);
    const auto matrix = hitscan::transform(hitscan::pose({1, 2, 3}), {2, 2, 2});
    CHECK(matrix && (*matrix)[0] == 2 && (*matrix)[14] == 3);
}

void meshes() {
    const auto cube = hitscan::Mesh::make(CUBE, CUBE_INDICES), square = hitscan::Mesh::make(SQUARE, SQUARE_INDICES);
    const auto ray = ahead(0, 0, 5);
    CHECK(cube->bounds()->min[0] == -1 && cube->bounds()->max[2] == 1);
    CHECK((*cube->triangle(1))[3] == 1 && !cube->triangle(12));
    CHECK(cube->clone()->triangle_count() == 12);
    CHECK(!cube->texcoord_at(0, 0, 0) && !cube->normal_at(0, 0, 0));
    CHECK(cube->cast_all(ray)->size() == 4);
    const auto crossings = cube->cast_crossings(ray);
    CHECK(crossings->size() == 2 && crossings->at(1).t == 6 && crossings->at(1).side == HS_SIDE_BACK);
    CHECK(cube->self_intersections(0, UINT32_MAX)->empty());
    const std::vector<float> cross = {-2, 0, 0, 2, 0, 0, 0, 3, 0, 0, 1, -2, 0, 1, 2, 0, 2, 0};
    const auto pierced = hitscan::Mesh::make(cross, std::vector<uint32_t>{0, 1, 2, 3, 4, 5});
    CHECK((pierced->self_intersections()->at(0) == std::array<uint32_t, 2>{0, 1}));
    // More pairs than the first buffer has room for.
    std::vector<uint32_t> twice(3 * 40);
    for (std::size_t i = 0; i < twice.size(); ++i) twice[i] = static_cast<uint32_t>(i % 6);
    const auto many = hitscan::Mesh::make(cross, twice)->self_intersections();
    CHECK(many->size() == 20 * 20 && (many->back() == std::array<uint32_t, 2>{38, 39}));
    const auto contact = cube->sweep(ball(0.5f), hitscan::pose({0.25, 0, 5}), {0, 0, -7});
    CHECK(contact && is_near(contact->t, 0.5));
    CHECK(cube->closest_on_surface({0, 0, 3}, 2)->distance == 2 && !cube->closest_on_surface({0, 0, 3}, 1));
    CHECK(*cube->signed_distance({0, 0, 0}) == -1 && !square->signed_distance({0, 0, 3}));

    const std::vector<double> points = {0, 0, 0, 0, 0, 3};
    std::vector<HsNearest> nearest(2);
    CHECK(cube->closest_point_batch(points, nearest) == HS_STATUS_OK && nearest[1].distance == 2);
    std::vector<HsTrianglePoint> spots(2);
    CHECK(cube->closest_on_surface_batch(points, 1.5, spots) == HS_STATUS_OK);
    CHECK(spots[0].distance == 1 && std::isinf(spots[1].distance));
    std::array<bool, 2> inside{};
    CHECK(cube->contains_batch(points, inside) == HS_STATUS_OK && inside[0] && !inside[1]);
    CHECK(cube->contains_batch(points, hitscan::View<bool>(inside.data(), 1)) == HS_STATUS_INVALID_ARGUMENT);
    std::vector<float> distances(2);
    CHECK(cube->signed_distance_batch(points, distances) == HS_STATUS_OK && distances[0] == -1 && distances[1] == 2);

    const auto tree = hitscan::WindingTree::make(*cube);
    CHECK(is_near(*tree->winding_number({0.5, 0.25, 1}, 0), 0.5));
    std::vector<double> numbers(2);
    CHECK(tree->winding_number_batch(points, 0, numbers) == HS_STATUS_OK);
    CHECK(numbers[0] == 1 && numbers[1] == 0);

    const std::vector<HsRay> rays = {ray, ahead(9, 0, 5)};
    std::array<bool, 2> blocked{};
    CHECK(cube->is_blocked_batch(rays, blocked) == HS_STATUS_OK && blocked[0] && !blocked[1]);
}

void columns() {
    const auto square = hitscan::Mesh::make(SQUARE, SQUARE_INDICES);
    auto scene = std::move(*hitscan::Scene::make());
    CHECK(scene.insert(7, *square, hitscan::translation({})) == HS_STATUS_OK);
    // The first ray goes through the common edge of both triangles, and the second ray misses.
    const std::vector<HsRay> rays = {ahead(0, 0, 5), ahead(9, 0, 5)};
    HsRayColumns columns{};
    columns.size = sizeof columns;
    columns.stride = sizeof(HsRay);
    for (std::size_t axis = 0; axis < 3; ++axis) {
        columns.origin[axis] = &rays[0].origin[axis];
        columns.direction[axis] = &rays[0].direction[axis];
    }
    std::array<float, 2> t{};
    std::array<hitscan::Key, 2> keys{};
    HsHitColumns hits{};
    hits.size = sizeof hits;
    hits.t = t.data();
    hits.key = keys.data();
    CHECK(square->cast_columns(columns, 2, hits) == HS_STATUS_OK && t[0] == 5 && std::isinf(t[1]));
    CHECK(scene.cast_columns(columns, 2, hits) == HS_STATUS_OK && keys[0] == 7 && keys[1] == 0);
    std::array<std::size_t, 3> offsets{};
    CHECK(*square->cast_all_columns(columns, offsets, hits, 2) == 2 && offsets[1] == 2 && offsets[2] == 2 && t[1] == 5);
    const auto some = scene.cast_all_columns(columns, offsets, hits, 1);
    CHECK(!some && some.status() == HS_STATUS_MORE && *some == 2 && keys[0] == 7);
    CHECK(scene.cast_all_columns(columns, {}, hits, 1).failed());
    std::array<bool, 2> blocked{};
    CHECK(scene.is_blocked_batch(rays, blocked) == HS_STATUS_OK && blocked[0] && !blocked[1]);
}

void things() {
    const auto hull = hitscan::Hull::make(CUBE);
    const auto ray = ahead(0.25f, 0, 5), beside = ahead(9, 0, 5);
    CHECK(hull->vertices()->size() == 8);
    CHECK(hull->cast(ray)->t == 4 && *hull->cast_t(ray) == 4 && !hull->cast_t(beside));
    CHECK(*hull->is_blocked(ray) && !*hull->is_blocked(beside));
    CHECK(*hull->contains({0.5f, 0, 0}) && hull->closest_point({0, 4, 0})->distance == 3);

    const float heights[9] = {0, 0, 0, 0, 1, 0, 0, 0, 0};
    const std::size_t hole[2] = {1, 1};
    const auto field = hitscan::HeightField::make(3, 2, 2, heights);
    const auto mine = hitscan::HeightField::make(3, 2, 2, heights, HS_DIAGONAL_RISING, hole);
    const auto down = hitscan::ray({2, 5, 2}, {0, -1, 0});
    CHECK(field->cast(down)->t == 4 && *field->is_blocked(down) && field->cast_all(down)->size() == 6);
    CHECK(!field->cast(down, HS_CULL_FRONT) && !mine->height_at(3, 3));
    CHECK(field->closest_point({2, 3, 2})->distance == 2);
    CHECK(is_near(field->sweep(ball(0.5f), hitscan::pose({2, 3, 2}), {0, -4, 0})->t, 0.375));

    const auto matrix = hitscan::CollisionMatrix::make({0, 0, 0}, {2, 0, 0}, {0, 2, 0});
    const auto through = ahead(0.5f, 1, 5);
    CHECK(matrix->cast(through)->t == 5 && *matrix->cast_t(through) == 5 && *matrix->is_blocked(through));
    CHECK(matrix->collide_segment({0.5f, 1, 3}, {0.5f, 1, -1})->fraction == 0.75f);
    CHECK(*matrix->segment_is_blocked({0.5f, 1, 3}, {0.5f, 1, -1}));
    CHECK(!*matrix->segment_is_blocked({0.5f, 1, 3}, {0.5f, 1, 1}));
    CHECK(matrix->placed(hitscan::translation({0, 0, 1}))->cast(through)->t == 4);
}

void customs() {
    // The part of the plane y = `height` within a distance of 1 from the axis.
    const double height = 2;
    const auto floor = [height](const HsCustomRay& ray, const auto& offer) {
        HsCustomHit hit{};
        hit.t = (height - ray.origin[1]) / ray.direction[1];
        hit.normal[1] = 1;
        hit.side = ray.direction[1] < 0 ? HS_SIDE_FRONT : HS_SIDE_BACK;
        offer(hit);
    };
    auto scene = std::move(*hitscan::Scene::make());
    const auto down = hitscan::ray({0.5f, 5, 0}, {0, -1, 0});
    {
        const auto custom = hitscan::Custom::make({-1, 2, -1}, {1, 2, 1}, floor);
        CHECK(custom && custom->cast(down)->t == 3);
        CHECK(scene.insert(1, *custom, hitscan::translation({0, 1, 0})) == HS_STATUS_OK);
    }
    CHECK(scene.cast(down)->t == 2 && !scene.cast(hitscan::ray({2, 5, 0}, {0, -1, 0})));
    CHECK(hitscan::Custom::make({1, 2, 1}, {-1, 2, -1}, floor).failed());
}

void contents() {
    auto scene = make_scene();
    CHECK(scene.keys()->size() == 3 && *scene.layers(1) == 1 && (*scene.transform(1))[14] == -5);
    CHECK(is_near(scene.bounds_of(1)->max[2], -4) && !scene.bounds_of(7));
    CHECK(scene.set_pose(1, hitscan::pose({0, 0, -4})) == HS_STATUS_OK && (*scene.transform(1))[14] == -4);
    const std::vector<hitscan::Key> keys = {1, 7};
    std::vector<double> both(32);
    for (int i = 0; i < 2; ++i) std::memcpy(&both[16 * i], hitscan::translation({0, 0, -6}).data(), 128);
    CHECK(*scene.set_transforms(keys, both) == 1 && (*scene.transform(1))[14] == -6);
    CHECK(scene.set_transforms(keys, hitscan::View<const double>(both.data(), 16)).failed());
    CHECK(scene.insert_points(10, CUBE, hitscan::translation({})) == HS_STATUS_OK);
    CHECK(scene.insert_polyline(11, CUBE, hitscan::translation({})) == HS_STATUS_OK);
    const float flat[4] = {0, 0, 0, 0}, high[4] = {2, 2, 2, 2};
    CHECK(scene.insert(12, *hitscan::HeightField::make(2, 10, 10, flat), hitscan::translation({20, 0, 0})) >= 0);
    CHECK(scene.set_heights(12, 0, 0, 0, 2, high) == HS_STATUS_OK);
    CHECK(scene.cast(hitscan::ray({21, 5, 1}, {0, -1, 0}))->t == 3);
    CHECK(scene.insert(13, *hitscan::Mesh::make(SQUARE, SQUARE_INDICES), hitscan::translation({0, 0, 5})) >= 0);
    float raised[12];
    for (int i = 0; i < 12; ++i) raised[i] = SQUARE[i] + (i % 3 == 2 ? 1.0f : 0.0f);
    CHECK(scene.refit(13, 0, raised) == HS_STATUS_OK && scene.cast(ahead(0, 0, 9))->t == 3);
}

void rays() {
    auto scene = make_scene();
    const auto ray = ahead(0, 0, 0);
    CHECK(scene.cast_first_n(ray, 3)->size() == 3 && scene.cast_first_n(ray, 3)->at(2).t == 8);
    CHECK(scene.cast_entities(ray)->size() == 2 && scene.cast_entities(ray)->at(1).key == 2);
    const std::vector<float> corner = {0, 0, 3, 0, 0, 0, 0, 0, -5};
    CHECK(scene.cast_path(corner)->segment == 1 && is_near(scene.cast_path(corner)->distance, 7));
    const HsTrajectory thrown = {{3, 2, 0}, {0, 0, 0}, {0, -2, 0}, 0, 10};
    CHECK(std::abs(scene.cast_trajectory(thrown, 0.001f)->time - 2) < 1e-3);
    const auto intervals = scene.solid_intervals(ray);
    CHECK(intervals->size() == 2 && intervals->at(1).t_enter == 8 && intervals->at(1).t_exit == 10);
    CHECK(!*scene.line_of_sight(7, {0, 0, 0}, 2, {0, 0, -8}) && *scene.line_of_sight(7, {0, 0, 0}, 1, {0, 0, -4}));
    const std::vector<float> points = {0, 0, -7, 3, 0, 0};
    CHECK(*scene.visibility({0, 0, 0}, points) == 1);
    CHECK(scene.move_point({3, 0, 0}, {0, -4, 0}, 0)->fraction == 0.5f);
    const auto found = scene.explain(ray, 2);
    CHECK(found && found->reason == HS_REASON_BEHIND && found->nearer.key == 1);
    CHECK(std::strcmp(found->text(), "it would be hit at t 8, but 1 is before it, at t 4") == 0);
    CHECK(scene.explain(ray, 7)->reason == HS_REASON_ABSENT);

    // A path goes through the first ball to the second ball.
    auto path = hitscan::Path::make();
    CHECK(path->cast(scene, ray)->t == 4 && path->bounce()->direction[2] > 0.99f);
    CHECK(path->cast(scene, *path->onward())->side == HS_SIDE_BACK && path->cast(scene, *path->onward())->key == 2);
    CHECK(!path->texcoord(scene) && !path->normal(scene));
    CHECK(path->reset() == HS_STATUS_OK && !path->onward());
}

void volumes() {
    auto scene = make_scene();
    const auto volume = ball(1);
    const auto from = hitscan::pose({0, 0, 0}), to = hitscan::pose({0, 0, -6}), at = hitscan::pose({0, -1.5, -5});
    CHECK(is_near(scene.sweep_rotating(volume, from, to)->t, 0.5));
    const auto contacts = scene.sweep_all(volume, from, {0, 0, -6});
    CHECK(!contacts->empty() && contacts->at(0).key == 1);
    CHECK(is_near(scene.sweep_entity(1, {0, 0, -4})->t, 0.5) && !scene.sweep_entity(7, {0, 0, -4}));
    CHECK(scene.overlap_all(volume, at)->size() == 2);
    const auto depths = scene.penetration_all(volume, at);
    CHECK(depths->size() == 2 && is_near(depths->at(0).depth, 0.5));
    CHECK(scene.contact_points(volume, at)->size() == 2);
    CHECK(!*scene.pair_overlaps(1, 2) && scene.pair_distance(1, 2)->distance == 2 && !scene.pair_penetration(1, 2));
    std::vector<HsNearest> nearest(1);
    const std::vector<double> point = {0, 0, -2};
    CHECK(scene.closest_point_batch(point, 100, nearest) == HS_STATUS_OK && nearest[0].distance == 2);

    auto tracker = hitscan::PairTracker::make();
    CHECK(scene.overlap_pairs()->empty() && tracker->update(scene) == HS_STATUS_OK && tracker->events()->empty());
    CHECK(scene.set_transform(2, hitscan::translation({0, 0, -6.5})) == HS_STATUS_OK);
    CHECK(scene.overlap_pairs()->at(0) == (std::array<hitscan::Key, 2>{1, 2}));
    CHECK(is_near(scene.pair_penetration(1, 2)->depth, 0.5));
    CHECK(is_near(scene.pair_penetration_all(1, 2)->at(0).depth, 0.5) && scene.pair_penetration_all(1, 7)->empty());
    CHECK(tracker->update(scene) == HS_STATUS_OK && tracker->events()->at(0).change == HS_PAIR_CHANGE_ENTER);
    CHECK(scene.overlap_pairs(UINT32_MAX, UINT32_MAX, hitscan::PairTest::boxes)->size() >= 1);

    // Half of the balls move towards the ball with the key 1, and half of them past it.
    std::vector<float> t(1000);
    const auto work = [&](std::size_t number) {
        const auto hit = scene.sweep(volume, hitscan::pose({number % 2 * 9.0, 0, 0}), {0, 0, -6});
        t[number] = hit ? hit->t : 1;
    };
    CHECK(hitscan::batch(t.size(), work) == HS_STATUS_OK);
    for (std::size_t number = 0; number < t.size(); ++number) CHECK(is_near(t[number], number % 2 == 0 ? 0.5 : 1));
}

void windows() {
    auto scene = make_scene();
    const HsViewport viewport = {0, 0, 800, 600};
    const auto at = hitscan::Camera::look_at({0, 0, 10}, {0, 0, 0}, {0, 1, 0});
    auto camera = hitscan::Camera::orthographic(*at, 6);
    const auto shown = camera->project({1, 0, 0}, viewport);
    CHECK(shown && shown->pixel[0] == 500 && shown->pixel[1] == 300 && shown->depth == 10);
    CHECK(camera->set_aspect(4 / 3.0) == HS_STATUS_OK && camera->set_clip(1, 50) == HS_STATUS_OK);
    CHECK(camera->ray(400, 300, viewport)->t_max == 50);
    CHECK(hitscan::Region::circle(400, 300, 5) && hitscan::Region::rect(0, 0, 1, 1));
    const std::vector<float> corners = {390, 290, 410, 290, 400, 320};
    CHECK(scene.insert(4, *hitscan::Mesh::make(SQUARE, SQUARE_INDICES), hitscan::translation({})) == HS_STATUS_OK);
    const auto region = hitscan::Region::lasso(corners), around = hitscan::Region::circle(300, 400, 30);
    HsSelection selection{};
    selection.region = region->get();
    selection.camera = camera->get();
    selection.viewport = viewport;
    CHECK(scene.select_triangles(selection)->size() == 2);
    selection.region = around->get();
    CHECK(scene.select_vertices(selection)->size() == 1 && scene.select_edges(selection)->size() >= 2);
    const std::int32_t kinds[] = {HS_SNAP_KIND_VERTEX, HS_SNAP_KIND_FACE};
    HsCursor cursor{};
    cursor.camera = camera->get();
    cursor.viewport = viewport;
    cursor.pixel[0] = 301;
    cursor.pixel[1] = 400;
    cursor.radius = 8;
    cursor.kinds = kinds;
    cursor.kind_count = 2;
    const auto snaps = scene.snap_all(cursor);
    CHECK(!snaps->empty() && snaps->at(0).target.key == 4 && snaps->at(0).target.vertex == 0);
    const HsDragPath path = {{0, 0, 0}, {0, 0, 1}, HS_DRAG_PATH_KIND_PLANE};
    CHECK(scene.surface_point(*camera, viewport, 400, 300, path)->hit.key == 4);
    const auto beside = scene.surface_point(*camera, viewport, 790, 10, path);
    CHECK(beside && beside->hit.side == HS_SIDE_NONE && is_near(beside->point[2], 0));
    CHECK(camera->set_origin({0, 0, 10}) == HS_STATUS_OK && camera->set_view_left_handed() == HS_STATUS_OK);
    CHECK(camera->set_clip_y_down() == HS_STATUS_OK);
}

void games() {
    auto scene = std::move(*hitscan::Scene::make());
    CHECK(scene.insert(1, hitscan::plane({0, 0, 0}, {0, 1, 0}), hitscan::translation({})) == HS_STATUS_OK);
    CHECK(scene.insert(2, hitscan::box({4, 0, -9}, {5, 9, 9}), hitscan::translation({})) == HS_STATUS_OK);
    CHECK(scene.insert(3, hitscan::sphere(0.5f), hitscan::translation({8, 2, 0})) == HS_STATUS_OK);
    int calls = 0;
    const auto impact = [&](const HsRay&, const HsHit& hit) {
        return ++calls, hit.key == 1 ? HS_IMPACT_RICOCHET : HS_IMPACT_STOP;
    };
    const auto legs = scene.shoot(hitscan::ray({0, 2, 0}, {1, -1, 0}), 50, impact);
    CHECK(legs->size() == 2 && calls == 2 && legs->at(1).hit.key == 2 && is_near(legs->at(1).to[1], 2));
    const auto hits = scene.blast({2, 2, 0}, 6);
    CHECK(hits->size() == 3 && hits->at(2).key == 3 && hits->at(2).distance == 5.5f && hits->at(2).is_covered);
    const hitscan::Key wall = 2;
    hitscan::Filter targets, everything;
    targets.exclude(hitscan::View<const hitscan::Key>(&wall, 1));
    CHECK(!scene.blast({2, 2, 0}, 6, &targets)->at(1).is_covered);
    CHECK(scene.blast({2, 2, 0}, 6, &targets, &everything)->at(1).is_covered);
    const auto end = scene.camera_arm_end({6, 0.25f}, {1, 2, 0}, {1, 0, 0});
    CHECK(end && end->blocked_by == 2 && is_near(end->length, 2.75));
    const HsLedgeProbe probe = {1, 1, 2.4, 0.6, 0.05f};
    CHECK(scene.insert(4, hitscan::box({-5, 0, 1}, {0, 2, 5}), hitscan::translation({})) == HS_STATUS_OK);
    const auto ledge = scene.find_ledge(probe, {-2, 0, 0.25}, {0, 0, 1}, {0, 1, 0});
    CHECK(ledge && ledge->key == 4 && is_near(ledge->point[1], 2) && is_near(ledge->point[2], 1));

    // A conveyor carries a character that stands still.
    auto character = hitscan::Character::make(ball(0.5f), {1, 0.75, 0});
    for (int step = 0; step < 30; ++step) CHECK(character->move(scene, {0, -2, 0}, 1 / 60.0));
    const auto conveyor = [](const HsCharacterContact& contact, hitscan::DVec3& velocity) {
        velocity = {0, 0, 3};
        return contact.key == 1 ? HS_RESPONSE_CONVEYOR : HS_RESPONSE_SOLID;
    };
    for (int step = 0; step < 10; ++step) {
        CHECK(character->move_and_respond(scene, {0, -2, 0}, 1 / 60.0, conveyor));
    }
    CHECK(character->pose()->position[2] > 0.1 && *character->has_room(scene));
    auto settings = character->settings();
    CHECK(settings && settings->up[1] == 1);
    settings->skin = 0.03;
    CHECK(character->set_settings(*settings) == HS_STATUS_OK && character->settings()->skin == 0.03);
    CHECK(character->clone()->set_pose(hitscan::pose({9, 9, 9})) == HS_STATUS_OK);
}

}  // namespace

int main() {
    rays_and_shapes();
    meshes();
    columns();
    things();
    customs();
    contents();
    rays();
    volumes();
    windows();
    games();
    std::puts("questions: all as it should be");
}
