// The C++ header: handles, views, answers.
#include <hitscan.hpp>

#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <thread>

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
const std::vector<std::uint32_t> INDICES = {0, 1, 2, 0, 2, 3};

hitscan::Scene make_scene() {
    auto scene = std::move(*hitscan::Scene::make());
    CHECK(scene.insert(1, hitscan::sphere(1), hitscan::translation({0, 0, -5})) == HS_STATUS_OK);
    auto square = hitscan::Mesh::make(SQUARE, INDICES);
    CHECK(square);
    CHECK(scene.insert(2, *square, hitscan::translation({0, 0, -9})) == HS_STATUS_OK);
    CHECK(scene.insert(3, hitscan::plane({0, -2, 0}, {0, 1, 0}), hitscan::translation({})) == HS_STATUS_OK);
    return scene;
}

void meshes() {
    auto mesh = hitscan::Mesh::make(SQUARE, INDICES);
    CHECK(mesh && mesh->triangle_count() == 2);
    auto ray = hitscan::ray({0, 0, 3}, {0, 0, -1});
    auto hit = mesh->cast(ray);
    CHECK(hit && hit->t == 3 && hit->side == HS_SIDE_FRONT);
    CHECK(!mesh->cast(ray, HS_CULL_FRONT) && !mesh->cast(ray, HS_CULL_FRONT).failed());
    CHECK(mesh->cast_all(ray)->size() == 2);
    CHECK(*mesh->is_blocked(ray));
    CHECK(mesh->closest_point({0, 0, 4})->distance == 4);
    CHECK(!*mesh->contains({0, 0, 4}));
    std::vector<HsRay> rays(3, ray);
    std::array<HsHit, 3> hits;
    CHECK(mesh->cast_batch(rays, hits) == HS_STATUS_OK && hits[2].t == 3);
    CHECK(mesh->cast_batch(rays, hitscan::View<HsHit>(hits.data(), 2)) == HS_STATUS_INVALID_ARGUMENT);
    auto bytes = mesh->save();
    CHECK(bytes && !bytes->empty());
    auto again = hitscan::Mesh::load(*bytes);
    CHECK(again && again->cast(ray)->t == 3);
    // An error gives an answer without a value, and a text.
    const std::vector<std::uint32_t> wrong = {0, 1, 9};
    auto bad = hitscan::Mesh::make(SQUARE, wrong);
    CHECK(!bad && bad.failed() && bad->get() == nullptr && std::strstr(hitscan::last_error(), "9") != nullptr);
    HsMeshSource source{};
    source.positions = SQUARE;
    source.vertex_count = 3;
    CHECK(hitscan::Mesh::make(source)->triangle_count() == 1);
    float raised[12];
    for (int i = 0; i < 12; ++i) raised[i] = SQUARE[i] + (i % 3 == 2 ? 1.0f : 0.0f);
    CHECK(mesh->refit(raised) == HS_STATUS_OK && mesh->cast(ray)->t == 2);
    // A move takes the handle of the mesh, and leaves null behind.
    hitscan::Mesh moved = std::move(*mesh);
    CHECK(mesh->get() == nullptr && moved.triangle_count() == 2);
    CHECK(mesh->cast(ray).status() == HS_STATUS_NULL);
}

void scenes() {
    auto scene = make_scene();
    CHECK(scene.count() == 3 && scene.contains(2) && !scene.contains(4));
    auto ray = hitscan::ray({0, 0, 0}, {0, 0, -1});
    CHECK(scene.cast(ray)->key == 1);
    CHECK(*scene.is_blocked(ray));
    CHECK(scene.cast_all(ray)->size() == 4);
    const hitscan::Key ball = 1;
    hitscan::Filter filter;
    filter.exclude(hitscan::View<const hitscan::Key>(&ball, 1));
    CHECK(scene.cast(ray, &filter)->key == 2);
    int calls = 0;
    auto odd = [&](hitscan::Key key) { return ++calls, key % 2 == 1; };
    auto far = [](const HsCandidate& candidate) { return candidate.t > 5; };
    hitscan::Filter choosy;
    choosy.entities(odd).hits(far);
    CHECK(scene.cast(ray, &choosy)->t == 6 && calls > 0);
    CHECK(scene.ground_below({3, 0, 0}, {0, 1, 0}, 10)->hit.t == 2);
    CHECK(!*scene.sees({0, 0, 0}, {0, 0, -8}));
    auto volume = hitscan::volume(hitscan::sphere(0.5f));
    CHECK(scene.sweep(volume, hitscan::pose({0, 0, 0}), {0, 0, -7})->t == 0.5f);
    CHECK(*scene.overlaps(volume, hitscan::pose({0, 0, -5})));
    CHECK(scene.overlap_entities(volume, hitscan::pose({0, 0, -5}))->at(0) == 1);
    CHECK(scene.penetration(volume, hitscan::pose({0, -2, 0}))->key == 3);
    CHECK(scene.closest_point({0, 0, -2}, 100)->distance == 2);
    CHECK(!scene.closest_point({0, 0, -2}, 1));
    std::vector<HsRay> rays(2000, ray);
    std::vector<HsHit> hits(2000);
    CHECK(scene.cast_batch(rays, hits) == HS_STATUS_OK && hits.back().t == 4);

    auto bytes = scene.save();
    auto again = hitscan::Scene::load(*bytes);
    CHECK(again && again->cast(ray)->t == 4);
    auto copy = scene.clone();
    CHECK(scene.remove(1) == HS_STATUS_OK && scene.remove(1) == HS_STATUS_NONE);
    CHECK(copy->cast(ray)->key == 1 && scene.cast(ray)->key == 2);
    hitscan::Scene other = std::move(scene);
    CHECK(other.cast(ray)->key == 2 && scene.cast(ray).failed());
    scene = std::move(other);
    CHECK(scene.set_transform(2, hitscan::translation({0, 0, -3})) == HS_STATUS_OK && scene.cast(ray)->t == 3);
    CHECK(scene.set_layers(2, 8) == HS_STATUS_OK && !scene.cast(ray, &filter.layers(1)));
    CHECK(scene.clear() == HS_STATUS_OK && scene.count() == 0);

    auto hull = hitscan::Hull::make(hitscan::View<const float>(SQUARE, 12));
    CHECK(!hull && hull.failed());
    const float heights[9] = {0, 0, 0, 0, 1, 0, 0, 0, 0};
    auto field = hitscan::HeightField::make(3, 1, 1, heights);
    CHECK(field && *field->height_at(1, 1) == 1 && !field->height_at(9, 9));
    CHECK(scene.insert(5, *field, hitscan::translation({})) == HS_STATUS_OK);
}

void windows() {
    auto scene = make_scene();
    const HsViewport viewport = {0, 0, 800, 600};
    auto at = hitscan::Camera::look_at({0, 0, 10}, {0, 0, 0}, {0, 1, 0});
    auto camera = hitscan::Camera::perspective(*at, 1);
    CHECK(camera);
    CHECK(scene.cast(*camera->ray(400, 300, viewport))->key == 1);
    CHECK(hitscan::Camera::orthographic(*at, 0).failed());
    HsCursor cursor{};
    const std::int32_t kinds[] = {HS_SNAP_KIND_FACE};
    cursor.camera = camera->get();
    cursor.viewport = viewport;
    cursor.pixel[0] = 400;
    cursor.pixel[1] = 300;
    cursor.radius = 4;
    cursor.kinds = kinds;
    cursor.kind_count = 1;
    CHECK(scene.snap(cursor)->target.key == 1);

    // The entities that hide and the wanted entities may differ: the square is behind the ball.
    const hitscan::Key ball = 1;
    hitscan::Filter units, everything;
    units.exclude(hitscan::View<const hitscan::Key>(&ball, 1));
    CHECK(scene.snap(cursor, &units)->target.key == 2);
    cursor.hidden_by = everything.get();
    CHECK(!scene.snap(cursor, &units) && scene.snap(cursor)->target.key == 1);
    HsRegion* region = nullptr;
    CHECK(hs_region_rect(395, 295, 405, 305, &region) == HS_STATUS_OK);
    HsSelection selection{};
    selection.region = region;
    selection.camera = camera->get();
    selection.viewport = viewport;
    selection.visible_spacing = 1;
    CHECK(*scene.select_entities(selection, &units) == std::vector<hitscan::Key>{2});
    selection.hidden_by = everything.get();
    CHECK(scene.select_entities(selection, &units)->empty());
    selection.hidden_by = units.get();
    CHECK((*scene.select_entities(selection) == std::vector<hitscan::Key>{1, 2}));
    hs_region_free(region);
}

void characters() {
    auto scene = make_scene();
    auto body = hitscan::volume(hitscan::capsule({0, 0.3f, 0}, {0, 1.5f, 0}, 0.3f));
    auto character = hitscan::Character::make(body, {5, 1, 0});
    CHECK(character);
    std::size_t met = 0;
    for (int step = 0; step < 120; ++step) {
        CHECK(character->move(scene, {0, -3, 0}, 1 / 60.0));
        const auto contacts = character->contacts();
        for (const HsCharacterContact& contact : *contacts) met += contact.key == 3;
    }
    CHECK(character->move(scene, {0, -3, 0}, 1 / 60.0)->is_grounded);
    CHECK(met > 0);
    CHECK(std::abs(character->pose()->position[1] + 2) < 0.1);
    CHECK(character->ground_was_placed() == HS_STATUS_OK && character->leave_ground() == HS_STATUS_OK);
    CHECK(!character->move(scene, {0, 0.5, 0}, 1 / 60.0)->is_grounded);
    CHECK(character->teleport({5, 3, 0}) == HS_STATUS_OK);
    CHECK(character->pose()->position[1] == 3 && !character->move(scene, {0, -1, 0}, 1 / 60.0)->is_crushed);
}

void snapshots() {
    auto scene = make_scene();
    auto ray = hitscan::ray({0, 0, 0}, {0, 0, -1});
    auto snapshots = hitscan::Snapshots::make(scene);
    auto before = snapshots->acquire();
    CHECK(scene.remove(1) == HS_STATUS_OK && snapshots->commit(scene) == HS_STATUS_OK);
    std::thread asked([&] { CHECK(snapshots->acquire()->cast(ray)->key == 2); });
    asked.join();
    CHECK(before->cast(ray)->key == 1);
    before = snapshots->acquire();
    CHECK(before->cast(ray)->key == 2);
}

}  // namespace

int main() {
    meshes();
    scenes();
    windows();
    characters();
    snapshots();
    std::puts("everything: all as it should be");
}
