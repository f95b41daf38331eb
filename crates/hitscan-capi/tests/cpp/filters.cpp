// Filters are values: several threads share a const filter, and a copy has the choices of its original.
#include <hitscan.hpp>

#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <thread>

#define CHECK(condition)                                                                                              \
    do {                                                                                                              \
        if (!(condition)) {                                                                                           \
            std::fprintf(stderr, "%s:%d: %s does not hold; the last error is: %s\n", __FILE__, __LINE__, #condition,  \
                         hitscan::last_error());                                                                      \
            std::exit(1);                                                                                             \
        }                                                                                                             \
    } while (0)

int main() {
    auto scene = std::move(*hitscan::Scene::make());
    for (hitscan::Key key = 0; key < 8; ++key) {
        const double z = -5.0 - 5.0 * static_cast<double>(key);
        CHECK(scene.insert(key, hitscan::sphere(1), hitscan::translation({0, 0, z})) == HS_STATUS_OK);
    }
    const auto ray = hitscan::ray({0, 0, 0}, {0, 0, -1});
    const auto odd = [](hitscan::Key key) { return key % 2 == 1; };
    const auto distant = [](const HsCandidate& candidate) { return candidate.t > 25; };

    // Helgrind of Valgrind runs this, and reports threads that write to the same memory.
    hitscan::Filter made;
    made.entities(odd).hits(distant);
    const hitscan::Filter& shared = made;
    std::vector<std::thread> threads;
    for (int thread = 0; thread < 4; ++thread) {
        threads.emplace_back([&] {
            for (int i = 0; i < 100; ++i) CHECK(scene.cast(ray, &shared)->key == 5);
        });
    }
    for (auto& thread : threads) thread.join();

    // A copy calls its own choices, and lives longer than its original.
    auto original = std::make_unique<hitscan::Filter>();
    original->entities(odd);
    hitscan::Filter copy = *original;
    hitscan::Filter assigned;
    assigned = *original;
    original->layers(0);
    CHECK(!scene.cast(ray, original.get()));
    original.reset();
    CHECK(scene.cast(ray, &copy)->key == 1 && scene.cast(ray, &assigned)->key == 1);
    copy.hits(distant);
    CHECK(scene.cast(ray, &copy)->key == 5 && scene.cast(ray, &assigned)->key == 1);
    return 0;
}
