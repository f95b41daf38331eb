/* Characters that jump, are put somewhere else, and stand on ground that moves or is placed elsewhere. */
#include "check.h"

static const double DT = 1 / 60.0;

static HsCharacter *make_character(double x, double y, double z) {
    HsCharacter *character = NULL;
    HsVolume volume;
    float low[3] = {0, -0.6f, 0}, high[3] = {0, 0.6f, 0};
    double at[3] = {x, y, z};
    memset(&volume, 0, sizeof volume);
    volume.shape = hs_shape_capsule(low, high, 0.3f);
    OK(hs_character_new(&volume, at, &character));
    return character;
}

static HsMoved move(HsCharacter *character, const HsScene *scene, double x, double y, double z) {
    HsMoved moved;
    HsCharacterContact contacts[16];
    size_t count;
    double velocity[3] = {x, y, z};
    OK(hs_character_move(character, scene, velocity, DT, NULL, NULL, NULL, &moved, contacts, 16, &count));
    return moved;
}

static double x_of(const HsCharacter *character) {
    HsPose pose;
    OK(hs_character_get_pose(character, &pose));
    return pose.position[0];
}

/* A scene with a plane under the key 1. */
static HsScene *make_ground(float x, float y, float z) {
    HsScene *scene = NULL;
    float origin[3] = {0, 0, 0}, normal[3] = {x, y, z};
    HsShape ground = hs_shape_plane(origin, normal);
    OK(hs_scene_new(&scene));
    OK(hs_scene_insert_shape(scene, 1, &ground, NULL));
    return scene;
}

/* On a slope of 37 degrees the ground rises faster than the character: this is a walk, unless the caller says that it is a
   jump. */
static void jumps(void) {
    HsScene *scene = make_ground(-0.6f, 0.8f, 0);
    HsCharacter *walks = make_character(0, 1.2, 0), *jumps = NULL;
    for (int step = 0; step < 60; step++) move(walks, scene, 0, -5, 0);
    OK(hs_character_clone(walks, &jumps));
    CHECK(move(walks, scene, 5, 3, 0).is_grounded);
    OK(hs_character_leave_ground(jumps));
    double up = 3;
    for (int step = 0; step < 10; step++) {
        HsMoved moved = move(jumps, scene, 5, up, 0);
        CHECK(!moved.is_grounded && moved.velocity[1] > 0);
        up = moved.velocity[1];
    }
    /* Once it falls, the ground holds it again. */
    for (int step = 0; step < 60; step++) move(jumps, scene, 0, -5, 0);
    CHECK(move(jumps, scene, 0, -5, 0).is_grounded);
    hs_character_free(walks);
    hs_character_free(jumps);
    hs_scene_free(scene);
}

/* A position that is set is kept, and the motion of the ground since then is added. */
static void places(void) {
    HsScene *scene = make_ground(0, 1, 0);
    HsCharacter *character = make_character(20, 0.95, 0);
    HsPose pose;
    double matrix[16], to[3] = {-10, 0.91, 0};
    for (int step = 0; step < 60; step++) move(character, scene, 0, -5, 0);
    OK(hs_character_get_pose(character, &pose));
    pose.position[0] = 30;
    OK(hs_character_set_pose(character, &pose));
    HsMoved moved = move(character, scene, 3, -1, 0);
    CHECK(is_near(x_of(character), 30.05) && moved.is_grounded && moved.ground_velocity[0] == 0);
    pose.position[0] = 10;
    OK(hs_scene_set_transform(scene, 1, moved_to(matrix, 0.5, 0, 0)));
    OK(hs_character_set_pose(character, &pose));
    moved = move(character, scene, 0, 0, 0);
    CHECK(is_near(x_of(character), 10.5) && is_near(moved.ground_velocity[0], 30));
    OK(hs_scene_set_transform(scene, 1, moved_to(matrix, 1, 0, 0)));
    OK(hs_character_teleport(character, to));
    moved = move(character, scene, 0, -1, 0);
    CHECK(x_of(character) == -10 && moved.ground_velocity[0] == 0 && moved.is_grounded);
    hs_character_free(character);
    hs_scene_free(scene);
}

/* A platform that moves carries the character, and a platform that was placed elsewhere does not. */
static void platforms(void) {
    HsScene *scene = make_ground(0, 1, 0);
    HsCharacter *rides = make_character(0, 1.2, 0), *stays = NULL;
    float min[3] = {-2, 0, -2}, max[3] = {2, 0.2f, 2};
    double matrix[16];
    HsShape platform = hs_shape_box(min, max);
    OK(hs_scene_insert_shape(scene, 2, &platform, NULL));
    for (int step = 0; step < 60; step++) move(rides, scene, 0, -5, 0);
    CHECK(move(rides, scene, 0, 0, 0).ground_key == 2);
    OK(hs_character_clone(rides, &stays));
    OK(hs_scene_set_transform(scene, 2, moved_to(matrix, 30, 0, 0)));
    OK(hs_character_ground_was_placed(stays));
    CHECK(move(stays, scene, 0, 0, 0).ground_velocity[0] == 0 && x_of(stays) == 0);
    CHECK(move(rides, scene, 0, 0, 0).ground_velocity[0] > 0 && is_near(x_of(rides), 30));
    hs_character_free(rides);
    hs_character_free(stays);
    hs_scene_free(scene);
}

int main(void) {
    jumps();
    places();
    platforms();
    puts("characters: all as it should be");
    return 0;
}
