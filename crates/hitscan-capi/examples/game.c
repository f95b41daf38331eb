/* A small game loop with SDL2: arrow keys walk around a yard with crates, the mouse picks what is under it, and a click
   removes a crate. `--frames N` ends after N frames, in which a script plays, and checks what happened.

   cc game.c $(pkg-config --cflags --libs hitscan sdl2) -lm */
#include <SDL.h>
#include <hitscan.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { WIDTH = 640, HEIGHT = 480, CRATES = 5, FLOOR = 100 };

struct Game {
    HsScene *scene;
    HsCharacter *hero;
    HsCamera *camera;
    HsViewport viewport;
    double hero_at[3];
    double fall;
    uint64_t under_cursor;
    int is_over_crate;
    int removed;
};

/* Ends the game if a call fails. */
static void must(HsStatus status) {
    if (status >= 0) return;
    fprintf(stderr, "game: %s\n", hs_last_error());
    exit(1);
}

static void make_world(struct Game *game) {
    const float origin[3] = {0, 0, 0}, up[3] = {0, 1, 0}, min[3] = {-0.5f, 0, -0.5f}, max[3] = {0.5f, 1, 0.5f};
    const float low[3] = {0, 0.3f, 0}, high[3] = {0, 1.5f, 0};
    const double start[3] = {0, 0.5, 4}, eye[3] = {0, 8, 10}, target[3] = {0, 0, 0}, world_up[3] = {0, 1, 0};
    HsShape ground = hs_shape_plane(origin, up), crate = hs_shape_box(min, max);
    HsVolume body;
    double matrix[16];
    memset(game, 0, sizeof *game);
    must(hs_scene_new(&game->scene));
    must(hs_scene_insert_shape(game->scene, FLOOR, &ground, NULL));
    for (int i = 0; i < CRATES; i++) {
        HsPose pose = {{1.5 * (i - CRATES / 2), 0, 0}, {0, 0, 0, 1}};
        must(hs_transform_from_pose(&pose, NULL, matrix));
        must(hs_scene_insert_shape(game->scene, (uint64_t)i, &crate, matrix));
    }
    memset(&body, 0, sizeof body);
    body.shape = hs_shape_capsule(low, high, 0.3f);
    must(hs_character_new(&body, start, &game->hero));
    must(hs_camera_look_at(eye, target, world_up, matrix));
    must(hs_camera_perspective(matrix, 0.9, &game->camera));
    game->viewport.width = WIDTH;
    game->viewport.height = HEIGHT;
}

/* Walks for one step of the simulation. The game computes the gravity. */
static void step(struct Game *game, double x, double z, double dt) {
    const double velocity[3] = {x * 3, game->fall, z * 3};
    HsMoved moved;
    HsPose pose;
    size_t contacts;
    must(hs_character_move(game->hero, game->scene, velocity, dt, NULL, NULL, NULL, &moved, NULL, 0, &contacts));
    game->fall = moved.is_grounded ? 0 : moved.velocity[1] - 9.81 * dt;
    must(hs_character_get_pose(game->hero, &pose));
    memcpy(game->hero_at, pose.position, sizeof game->hero_at);
}

static void pick(struct Game *game, int x, int y) {
    HsRay ray;
    HsHit hit;
    must(hs_camera_ray(game->camera, (float)x + 0.5f, (float)y + 0.5f, &game->viewport, &ray));
    HsStatus status = hs_scene_cast(game->scene, &ray, NULL, &hit);
    must(status);
    game->under_cursor = hit.key;
    game->is_over_crate = status == HS_STATUS_OK && hit.key < CRATES;
}

static void click(struct Game *game) {
    if (game->is_over_crate && hs_scene_remove(game->scene, game->under_cursor) == HS_STATUS_OK) game->removed++;
    game->is_over_crate = 0;
}

/* Finds the pixel of a point; returns 0 if the camera does not show it. */
static int pixel_of(const struct Game *game, double x, double y, double z, float *pixel) {
    const double point[3] = {x, y, z};
    float depth;
    return hs_camera_project(game->camera, point, &game->viewport, pixel, &depth) == HS_STATUS_OK;
}

/* Draws a square around a point. */
static void mark(const struct Game *game, SDL_Renderer *renderer, double x, double y, double z, int size) {
    float pixel[2];
    if (!pixel_of(game, x, y, z, pixel)) return;
    SDL_Rect square = {(int)pixel[0] - size / 2, (int)pixel[1] - size / 2, size, size};
    SDL_RenderFillRect(renderer, &square);
}

static void draw(const struct Game *game, SDL_Renderer *renderer) {
    double matrix[16];
    SDL_SetRenderDrawColor(renderer, 30, 34, 40, 255);
    SDL_RenderClear(renderer);
    for (uint64_t i = 0; i < CRATES; i++) {
        if (hs_scene_get_transform(game->scene, i, matrix) != HS_STATUS_OK) continue;
        int is_lit = game->is_over_crate && game->under_cursor == i;
        SDL_SetRenderDrawColor(renderer, is_lit ? 250 : 160, is_lit ? 220 : 110, 70, 255);
        mark(game, renderer, matrix[12], matrix[13] + 0.5, matrix[14], 32);
    }
    SDL_SetRenderDrawColor(renderer, 90, 190, 120, 255);
    mark(game, renderer, game->hero_at[0], game->hero_at[1] + 0.9, game->hero_at[2], 24);
    SDL_RenderPresent(renderer);
}

/* Plays by itself: walks forwards into the middle crate, points at the crate on the left, and clicks once. */
static void play(struct Game *game, int frame, double *z) {
    float pixel[2];
    *z = -1;
    if (frame == 60 && pixel_of(game, -1.5, 0.5, 0.5, pixel)) {
        pick(game, (int)pixel[0], (int)pixel[1]);
        click(game);
    }
}

static int check(const struct Game *game) {
    double z = game->hero_at[2];
    printf("game: the hero stands at z %.3f, %d crate was removed\n", z, game->removed);
    /* The crate's side is at 0.5, and the hero has a radius of 0.3. */
    return game->removed == 1 && z > 0.79 && z < 0.82 && fabs(game->hero_at[1]) < 0.02 ? 0 : 1;
}

int main(int argc, char **argv) {
    int frames = argc == 3 && strcmp(argv[1], "--frames") == 0 ? atoi(argv[2]) : 0, is_running = 1, result = 0;
    struct Game game;
    if (SDL_Init(SDL_INIT_VIDEO) != 0) {
        fprintf(stderr, "game: %s\n", SDL_GetError());
        return 1;
    }
    SDL_Window *window = SDL_CreateWindow("hitscan", SDL_WINDOWPOS_CENTERED, SDL_WINDOWPOS_CENTERED, WIDTH, HEIGHT, 0);
    SDL_Renderer *renderer = window == NULL ? NULL : SDL_CreateRenderer(window, -1, 0);
    if (renderer == NULL) {
        fprintf(stderr, "game: %s\n", SDL_GetError());
        return 1;
    }
    make_world(&game);
    for (int frame = 0; is_running; frame++) {
        SDL_Event event;
        while (SDL_PollEvent(&event)) {
            if (event.type == SDL_QUIT) is_running = 0;
            if (event.type == SDL_MOUSEMOTION && frames == 0) pick(&game, event.motion.x, event.motion.y);
            if (event.type == SDL_MOUSEBUTTONDOWN && frames == 0) click(&game);
        }
        const Uint8 *keys = SDL_GetKeyboardState(NULL);
        double x = keys[SDL_SCANCODE_RIGHT] - keys[SDL_SCANCODE_LEFT];
        double z = keys[SDL_SCANCODE_DOWN] - keys[SDL_SCANCODE_UP];
        if (frames > 0) play(&game, frame, &z);
        step(&game, x, z, 1 / 60.0);
        draw(&game, renderer);
        if (frames > 0 && frame + 1 >= frames) is_running = 0;
        if (frames == 0) SDL_Delay(16);
    }
    if (frames > 0) result = check(&game);
    hs_camera_free(game.camera);
    hs_character_free(game.hero);
    hs_scene_free(game.scene);
    SDL_DestroyRenderer(renderer);
    SDL_DestroyWindow(window);
    SDL_Quit();
    return result;
}
