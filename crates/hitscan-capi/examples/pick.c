/* This program tells which thing is under the cursor. */
#include <hitscan.h>
#include <stdio.h>

int main(void) {
    const double eye[3] = {0, 0, 6}, target[3] = {0, 0, 0}, up[3] = {0, 1, 0};
    const float min[3] = {-1, -1, -1}, max[3] = {1, 1, 1};
    const HsViewport viewport = {0, 0, 1280, 720};
    HsShape box = hs_shape_box(min, max);
    HsScene *scene = NULL;
    HsCamera *camera = NULL;
    double transform[16];
    HsRay ray;
    HsHit hit;
    int ok = hs_scene_new(&scene) == HS_STATUS_OK && hs_scene_insert_shape(scene, 17, &box, NULL) == HS_STATUS_OK &&
             hs_camera_look_at(eye, target, up, transform) == HS_STATUS_OK &&
             hs_camera_perspective(transform, 1.0, &camera) == HS_STATUS_OK &&
             hs_camera_ray(camera, 640, 360, &viewport, &ray) == HS_STATUS_OK;
    if (!ok) fprintf(stderr, "%s\n", hs_last_error());
    else if (hs_scene_cast(scene, &ray, NULL, &hit) == HS_STATUS_OK) printf("picked %d at %g\n", (int)hit.key, hit.t);
    hs_camera_free(camera);
    hs_scene_free(scene);
    return ok && hit.key == 17 && hit.t == 5 ? 0 : 1;
}
