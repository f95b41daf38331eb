/* The tests in C share these macros and functions. */
#ifndef CHECK_H
#define CHECK_H

#include <hitscan.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Ends the program if a condition does not hold. */
#define CHECK(condition)                                                                                               \
    do {                                                                                                               \
        if (!(condition)) {                                                                                            \
            fprintf(stderr, "%s:%d: %s does not hold; the last error is: %s\n", __FILE__, __LINE__, #condition,        \
                    hs_last_error());                                                                                  \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

#define OK(call) CHECK((call) == HS_STATUS_OK)
#define NONE(call) CHECK((call) == HS_STATUS_NONE)

/* Checks that a call is refused with a status, and with a text that names what is wrong. */
#define REFUSED(wanted, text, call)                                                                                    \
    do {                                                                                                               \
        HsStatus status_ = (call);                                                                                     \
        CHECK(status_ == (wanted));                                                                                    \
        CHECK(strstr(hs_last_error(), text) != NULL);                                                                  \
    } while (0)

static inline int is_near(double a, double b) {
    return fabs(a - b) < 1e-6;
}

static inline int is_at(const float *point, float x, float y, float z) {
    return is_near(point[0], x) && is_near(point[1], y) && is_near(point[2], z);
}

/* A ray along -z from a point. */
static inline HsRay ahead(float x, float y, float z) {
    float origin[3], direction[3] = {0, 0, -1};
    origin[0] = x;
    origin[1] = y;
    origin[2] = z;
    return hs_ray_new(origin, direction);
}

static inline HsPose pose_at(double x, double y, double z) {
    HsPose pose;
    memset(&pose, 0, sizeof pose);
    pose.position[0] = x;
    pose.position[1] = y;
    pose.position[2] = z;
    pose.rotation[3] = 1;
    return pose;
}

static inline HsVolume ball(float radius) {
    static const float center[3] = {0, 0, 0};
    HsVolume volume;
    memset(&volume, 0, sizeof volume);
    volume.shape = hs_shape_sphere(center, radius);
    return volume;
}

/* A translation, sixteen doubles. */
static inline const double *moved_to(double *matrix, double x, double y, double z) {
    HsPose pose = pose_at(x, y, z);
    OK(hs_transform_from_pose(&pose, NULL, matrix));
    return matrix;
}

/* The square from (-1, -1, 0) to (1, 1, 0), with its front towards +z. */
static const float SQUARE[12] = {-1, -1, 0, 1, -1, 0, 1, 1, 0, -1, 1, 0};
static const uint32_t SQUARE_INDICES[6] = {0, 1, 2, 0, 2, 3};

/* The cube from (-1, -1, -1) to (1, 1, 1). */
static const float CUBE[24] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1, -1, -1, 1, 1, -1, 1, 1, 1, 1, -1, 1, 1};
static const uint32_t CUBE_INDICES[36] = {4, 5, 6, 4, 6, 7, 1, 0, 3, 1, 3, 2, 5, 1, 2, 5, 2, 6,
                                          0, 4, 7, 0, 7, 3, 7, 6, 2, 7, 2, 3, 0, 1, 5, 0, 5, 4};

#endif
