/* Eight threads ask snapshots of a scene, with single rays and in batches, while a ninth thread changes the scene and
   commits it: 60 times, or as often as the argument says. */
#define _POSIX_C_SOURCE 200112L
#include "check.h"
#include <pthread.h>

enum { THREADS = 8, COMMITS = 60, ENTITIES = 40, RAYS = 16 };


static HsSnapshots *snapshots;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int is_done;
static long asked;

static int is_over(void) {
    pthread_mutex_lock(&lock);
    int over = is_done;
    pthread_mutex_unlock(&lock);
    return over;
}

/* Every version has all balls in one row at the same depth. A half-changed version would have balls at two depths. */
static void *ask(void *argument) {
    (void)argument;
    long count = 0;
    do {
        const HsScene *scene = NULL;
        HsRay rays[RAYS];
        HsHit hits[RAYS], one;
        OK(hs_snapshots_acquire(snapshots, &scene));
        CHECK(hs_scene_count(scene) == ENTITIES);
        for (int i = 0; i < RAYS; i++) rays[i] = ahead((float)(3 * i), 0, 0);
        OK(hs_scene_cast_batch(scene, rays, 0, RAYS, NULL, hits, 0));
        for (int i = 0; i < RAYS; i++) {
            OK(hs_scene_cast(scene, rays + i, NULL, &one));
            CHECK(one.key == (uint64_t)i && memcmp(&one, hits + i, sizeof one) == 0);
            CHECK(one.t == hits[0].t);
        }
        /* An error belongs to the thread whose call failed. */
        REFUSED(HS_STATUS_NULL, "`ray` is null", hs_scene_cast(scene, NULL, NULL, &one));
        hs_snapshot_release(scene);
        count += RAYS;
    } while (!is_over());
    pthread_mutex_lock(&lock);
    asked += count;
    pthread_mutex_unlock(&lock);
    return NULL;
}

int main(int argc, char **argv) {
    int commits = argc > 1 ? atoi(argv[1]) : COMMITS;
    HsScene *scene = NULL;
    pthread_t threads[THREADS];
    double matrix[16];
    float origin[3] = {0, 0, 0};
    HsShape sphere = hs_shape_sphere(origin, 1);
    OK(hs_scene_new(&scene));
    for (int i = 0; i < ENTITIES; i++)
        OK(hs_scene_insert_shape(scene, (uint64_t)i, &sphere, moved_to(matrix, 3 * i, 0, -5)));
    OK(hs_snapshots_new(scene, &snapshots));
    for (int i = 0; i < THREADS; i++) CHECK(pthread_create(threads + i, NULL, ask, NULL) == 0);
    for (int commit = 1; commit <= commits; commit++) {
        for (int i = 0; i < ENTITIES; i++)
            OK(hs_scene_set_transform(scene, (uint64_t)i, moved_to(matrix, 3 * i, 0, -5 - commit)));
        OK(hs_snapshots_commit(snapshots, scene));
    }
    pthread_mutex_lock(&lock);
    is_done = 1;
    pthread_mutex_unlock(&lock);
    for (int i = 0; i < THREADS; i++) CHECK(pthread_join(threads[i], NULL) == 0);
    hs_snapshots_free(snapshots);
    hs_scene_free(scene);
    printf("threads: %ld rays, all as they should be\n", asked);
    return 0;
}
