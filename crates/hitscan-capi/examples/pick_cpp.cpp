// This program tells which thing is under the cursor.
#include <hitscan.hpp>

#include <iostream>

int main() {
    auto scene = hitscan::Scene::make();
    auto eye = hitscan::Camera::look_at({0, 0, 6}, {0, 0, 0}, {0, 1, 0});
    auto camera = hitscan::Camera::perspective(*eye, 1.0);
    if (!scene || !camera || scene->insert(17, hitscan::box({-1, -1, -1}, {1, 1, 1}), hitscan::translation({})) < 0) {
        std::cerr << hitscan::last_error() << '\n';
        return 1;
    }
    auto hit = scene->cast(*camera->ray(640, 360, {0, 0, 1280, 720}));
    if (hit) std::cout << "picked " << hit->key << " at " << hit->t << '\n';
    return hit && hit->key == 17 && hit->t == 5 ? 0 : 1;
}
