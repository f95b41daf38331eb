/* The five intersection tests of every book on games: a ray against a plane, a ball, a box and a triangle, and a segment
   against a triangle by the triangle's collision matrix. */
#include <hitscan.h>
#include <math.h>
#include <stdio.h>

/* Casts a ray at a shape, prints the hit, and returns its t; infinity for a miss. */
static float cast(const char *name, HsShape shape, HsRay ray) {
    HsHit hit;
    HsStatus status = hs_shape_cast(&shape, &ray, HS_INSIDE_EXIT, &hit);
    if (status < 0) printf("%-9s %s\n", name, hs_last_error());
    else if (status == HS_STATUS_NONE) printf("%-9s no hit\n", name);
    else
        printf("%-9s t %g at (%g, %g, %g), normal (%g, %g, %g)\n", name, hit.t, hit.point[0], hit.point[1], hit.point[2],
               hit.normal[0], hit.normal[1], hit.normal[2]);
    return status == HS_STATUS_OK ? hit.t : INFINITY;
}

/* Tests a segment against two instances of a triangle, whose collision matrix is computed once. */
static int collide(void) {
    const float a[3] = {0, 0, 0}, b[3] = {2, 0, 0}, c[3] = {0, 2, 0}, from[3] = {0.5f, 1, 3}, to[3] = {0.5f, 1, -1};
    double moved[16] = {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 1, 1};
    HsCollisionMatrix *matrix = NULL, *placed = NULL;
    HsSegmentHit hit = {0, 0, 0, 0}, second = {0, 0, 0, 0};
    if (hs_collision_matrix_new(a, b, c, &matrix) != HS_STATUS_OK ||
        hs_collision_matrix_placed(matrix, moved, &placed) != HS_STATUS_OK) {
        printf("%s\n", hs_last_error());
        return 0;
    }
    if (hs_collision_matrix_collide_segment(matrix, from, to, &hit) == HS_STATUS_OK)
        printf("matrix    fraction %g, u %g, v %g, from the %s\n", hit.fraction, hit.u, hit.v,
               hit.side == HS_SIDE_FRONT ? "front" : "back");
    if (hs_collision_matrix_collide_segment(placed, from, to, &second) == HS_STATUS_OK)
        printf("moved     fraction %g\n", second.fraction);
    hs_collision_matrix_free(placed);
    hs_collision_matrix_free(matrix);
    return hit.fraction == 0.75f && second.fraction == 0.5f;
}

int main(void) {
    const float eye[3] = {0, 1, 4}, ahead[3] = {0, 0, -1}, down[3] = {0, -1, 0}, origin[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    const float center[3] = {0, 1, 0}, min[3] = {-1, 0, -1}, max[3] = {1, 2, 1};
    const float a[3] = {-1, 0, 0}, b[3] = {1, 0, 0}, c[3] = {0, 2, 0};
    HsRay level = hs_ray_new(eye, ahead), falling = hs_ray_new(eye, down);
    /* A ray that lies in a plane does not hit it: there is no single crossing. */
    HsRay along = hs_ray_new(origin, ahead);
    int ok = cast("plane", hs_shape_plane(origin, up), falling) == 1;
    ok &= isinf(cast("in plane", hs_shape_plane(origin, up), along)) != 0;
    ok &= cast("ball", hs_shape_sphere(center, 0.5f), level) == 3.5f;
    ok &= cast("box", hs_shape_box(min, max), level) == 3;
    ok &= cast("triangle", hs_shape_triangle(a, b, c), level) == 4;
    return ok && collide() ? 0 : 1;
}
