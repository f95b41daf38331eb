/* Processes that fork, and processes that cannot start threads. Small work starts no threads, and a forked child works as
   its parent does. Where no thread can be started, the thread that asks does all the work, and prints nothing to stderr.
   */
#define _DEFAULT_SOURCE
#include "check.h"
#include <errno.h>
#include <grp.h>
#include <pthread.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* Enough for many threads: a terrain of 20,000 triangles, and rays. */
enum { SIDE = 100, ROW = SIDE + 1, VERTICES = ROW * ROW, INDICES = 6 * SIDE * SIDE, RAYS = 5000, NOBODY = 65534 };

/* A child that takes this many seconds is regarded as hanging. */
enum { PATIENCE = 300 };

static float positions[3 * VERTICES];
static uint32_t indices[INDICES];
static HsRay rays[RAYS];
static HsHit hits[RAYS];

static void prepare(void) {
    for (int i = 0; i < VERTICES; i++) {
        positions[3 * i] = (float)(i % ROW);
        positions[3 * i + 1] = (float)(i * 37 % 11) / 11;
        positions[3 * i + 2] = (float)(i / ROW);
    }
    for (uint32_t cell = 0; cell < SIDE * SIDE; cell++) {
        uint32_t a = cell / SIDE * ROW + cell % SIDE;
        uint32_t corners[6];
        corners[0] = corners[3] = a;
        corners[1] = a + ROW;
        corners[2] = corners[4] = a + ROW + 1;
        corners[5] = a + 1;
        memcpy(indices + 6 * cell, corners, sizeof corners);
    }
    for (int i = 0; i < RAYS; i++) {
        float origin[3], down[3] = {0, -1, 0};
        origin[0] = (float)(i % SIDE) + 0.3f;
        origin[1] = 5;
        origin[2] = (float)(i / SIDE) + 0.6f;
        rays[i] = hs_ray_new(origin, down);
    }
}

/* Builds a large mesh, casts a large batch at it and at a scene with it, and refits, saves and loads it. */
static void work(void) {
    HsMesh *mesh = NULL, *loaded = NULL;
    HsScene *scene = NULL;
    HsHit hit;
    size_t length;
    OK(hs_mesh_new(positions, VERTICES, indices, INDICES, &mesh));
    OK(hs_mesh_cast_batch(mesh, rays, 0, RAYS, HS_CULL_NONE, hits, 0));
    for (int i = 0; i < RAYS; i++) {
        OK(hs_mesh_cast(mesh, rays + i, HS_CULL_NONE, &hit));
        CHECK(memcmp(&hit, hits + i, sizeof hit) == 0);
    }
    OK(hs_scene_new(&scene));
    OK(hs_scene_insert_mesh(scene, 1, mesh, NULL));
    OK(hs_scene_cast_batch(scene, rays, 0, RAYS, NULL, hits, 0));
    for (int i = 0; i < RAYS; i++) CHECK(hits[i].key == 1);
    OK(hs_mesh_refit(mesh, positions, 0, VERTICES));
    CHECK(hs_mesh_save(mesh, NULL, 0, &length) == HS_STATUS_MORE);
    uint8_t *bytes = malloc(length);
    CHECK(bytes != NULL);
    OK(hs_mesh_save(mesh, bytes, length, &length));
    OK(hs_mesh_load(bytes, length, &loaded));
    CHECK(hs_mesh_triangle_count(loaded) == INDICES / 3);
    free(bytes);
    hs_mesh_free(loaded);
    hs_mesh_free(mesh);
    hs_scene_free(scene);
}

/* Builds and asks a cube, alone and in a scene. */
static void small_work(void) {
    HsMesh *mesh = NULL, *loaded = NULL;
    HsScene *scene = NULL, *loaded_scene = NULL;
    HsHit few[16];
    HsRay ray = ahead(0.1f, 0.2f, 5), same[16];
    uint8_t bytes[4096];
    size_t length;
    bool is_inside;
    double middle[3] = {0, 0, 0};
    OK(hs_mesh_new(CUBE, 8, CUBE_INDICES, 36, &mesh));
    OK(hs_mesh_contains(mesh, middle, &is_inside));
    CHECK(is_inside);
    OK(hs_mesh_refit(mesh, CUBE, 0, 8));
    OK(hs_mesh_save(mesh, bytes, sizeof bytes, &length));
    OK(hs_mesh_load(bytes, length, &loaded));
    OK(hs_scene_new(&scene));
    OK(hs_scene_insert_mesh(scene, 7, loaded, NULL));
    for (int i = 0; i < 16; i++) same[i] = ray;
    OK(hs_mesh_cast_batch(mesh, same, 0, 16, HS_CULL_NONE, few, 0));
    OK(hs_scene_cast_batch(scene, same, 0, 16, NULL, few, 0));
    CHECK(few[15].key == 7 && few[15].t == 4);
    OK(hs_scene_save(scene, bytes, sizeof bytes, &length));
    OK(hs_scene_load(bytes, length, &loaded_scene));
    hs_mesh_free(mesh);
    hs_mesh_free(loaded);
    hs_scene_free(scene);
    hs_scene_free(loaded_scene);
}

static int thread_count(void) {
    char line[256];
    int count = 0;
    FILE *status = fopen("/proc/self/status", "r");
    CHECK(status != NULL);
    while (fgets(line, sizeof line, status) != NULL) sscanf(line, "Threads: %d", &count);
    fclose(status);
    return count;
}

static void *nothing(void *argument) {
    return argument;
}

/* Does the work where no thread can be started. The limit does not apply to root, so root becomes the user nobody. */
static void work_alone(void) {
    struct rlimit none = {0, 0};
    pthread_t thread;
    if (geteuid() == 0) CHECK(setgroups(0, NULL) == 0 && setgid(NOBODY) == 0 && setuid(NOBODY) == 0);
    CHECK(setrlimit(RLIMIT_NPROC, &none) == 0);
    CHECK(pthread_create(&thread, NULL, nothing, NULL) == EAGAIN);
    small_work();
    work();
    CHECK(thread_count() == 1);
}

static void in_child(void (*task)(void));

static void work_below(void) {
    work();
    in_child(work);
}

/* Runs a task in a forked child, which must end well and print nothing to stderr. */
static void in_child(void (*task)(void)) {
    char said[1024];
    int pipes[2], status = 0;
    size_t length;
    FILE *errors;
    CHECK(pipe(pipes) == 0);
    pid_t child = fork();
    CHECK(child >= 0);
    if (child == 0) {
        CHECK(dup2(pipes[1], STDERR_FILENO) >= 0);
        close(pipes[0]);
        close(pipes[1]);
        alarm(PATIENCE);
        task();
        _exit(0);
    }
    close(pipes[1]);
    errors = fdopen(pipes[0], "r");
    CHECK(errors != NULL);
    length = fread(said, 1, sizeof said - 1, errors);
    said[length] = 0;
    fclose(errors);
    CHECK(waitpid(child, &status, 0) == child);
    if (length > 0) fprintf(stderr, "a child said: %s\n", said);
    CHECK(WIFEXITED(status) && WEXITSTATUS(status) == 0 && length == 0);
}

int main(void) {
    prepare();
    small_work();
    CHECK(thread_count() == 1);
    in_child(work_alone);
    in_child(work_below);
    work();
    in_child(work_below);
    in_child(work_alone);
    printf("forks: all as it should be\n");
    return 0;
}
