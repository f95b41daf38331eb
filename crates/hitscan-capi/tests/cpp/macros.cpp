// The C++ header is included after the macros of the window systems' headers: Xlib.h and X.h, windows.h and the headers that it
// includes.
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

#define Above 0
#define Always 2
#define Below 1
#define Bool int
#define Complex 0
#define Convex 2
#define CurrentTime 0L
#define False 0
#define None 0L
#define Status int
#define Success 0
#define True 1

#define CONST const
#define DELETE (0x00010000L)
#define ERROR 0
#define IN
#define OPTIONAL
#define OUT
#define TRANSPARENT 1
#define far
#define interface struct
#define max(a, b) (((a) > (b)) ? (a) : (b))
#define min(a, b) (((a) < (b)) ? (a) : (b))
#define near
#define small char

#include <hitscan.hpp>

int main() {
    auto scene = hitscan::Scene::make();
    if (!scene || scene->insert(1, hitscan::sphere(1), hitscan::translation({0, 0, -5})) != HS_STATUS_OK) return 1;
    // The macro `Status` makes this name an int here. Each question must return the library's status.
    auto character = hitscan::Character::make(hitscan::volume(hitscan::sphere(1)), {0, 0, 0});
    static_assert(std::is_same<decltype(character->teleport({0, 0, 0})), HsStatus>::value, "a status of the library");
    static_assert(std::is_same<decltype(character->leave_ground()), HsStatus>::value, "a status of the library");
    static_assert(std::is_same<decltype(character->ground_was_placed()), HsStatus>::value, "a status of the library");
    static_assert(std::is_same<decltype(scene->clear()), HsStatus>::value, "a status of the library");
    if (!character || character->leave_ground() != HS_STATUS_OK) return 1;
    auto hit = scene->cast(hitscan::ray({0, 0, 0}, {0, 0, -1}));
    return hit && hit->t == 4 ? 0 : 1;
}
