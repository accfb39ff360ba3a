/* Random games of Classic Realm (standard rules) as a C programmer would write them: 16-bit masks, no allocation.
 * The peer of the compiled Python kernels in bench/classic.py. Usage: classic_realm SECONDS; prints a line of JSON. */
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { MAX_PLIES = 300, FULL = 9 };

typedef struct {
    uint16_t pads[2];      /* frogs on pads, one bit per Realm */
    uint8_t water[2][16];  /* frogs in the water of each Realm */
    uint16_t full;         /* Realms that hold nine pieces */
    uint64_t key;
    int seat, plies, passed;
    uint64_t seen[MAX_PLIES + 1];
} Game;

static uint64_t pad_keys[2][16], water_keys[2][16][16], seat_key, stream;

static uint64_t next_random(void) {
    stream ^= stream << 13;
    stream ^= stream >> 7;
    stream ^= stream << 17;
    return stream;
}

static uint16_t neighbours(uint16_t mask) {
    return (uint16_t)(mask << 4 | mask >> 4 | (mask << 1 & 0xEEEE) | (mask >> 1 & 0x7777));
}

static void change_water(Game *game, int side, int realm, int by) {
    game->key ^= water_keys[side][realm][game->water[side][realm]];
    game->water[side][realm] = (uint8_t)(game->water[side][realm] + by);
    game->key ^= water_keys[side][realm][game->water[side][realm]];
}

static void flip_pad(Game *game, int side, int realm) {
    game->pads[side] ^= (uint16_t)(1u << realm);
    game->key ^= pad_keys[side][realm];
}

static void note_full(Game *game, int realm) {
    int frogs = game->water[0][realm] + game->water[1][realm] + ((game->pads[0] | game->pads[1]) >> realm & 1);
    uint16_t bit = (uint16_t)(1u << realm);
    game->full = frogs >= FULL ? game->full | bit : game->full & (uint16_t)~bit;
}

/* Every move as source * 16 + target, in ascending order. */
static int list_moves(const Game *game, uint8_t *moves) {
    int count = 0;
    uint16_t own = game->pads[game->seat];
    uint16_t open = (uint16_t)~game->full;
    for (uint16_t sources = own; sources; sources &= (uint16_t)(sources - 1)) {
        int source = __builtin_ctz(sources);
        uint16_t start = (uint16_t)(1u << source), through = own & open & (uint16_t)~start;
        uint16_t reached = start, before;
        do {
            before = reached;
            reached |= neighbours(reached) & through;
        } while (reached != before);
        for (uint16_t targets = neighbours(reached) & (uint16_t)~own & open; targets; targets &= (uint16_t)(targets - 1))
            moves[count++] = (uint8_t)(source << 4 | __builtin_ctz(targets));
    }
    return count;
}

/* Returns 1 if the mover wins, 0 if the game continues. */
static int move(Game *game, int source, int target) {
    int side = game->seat, other = 1 - side;
    flip_pad(game, side, source);
    if (game->water[side][source]) {
        change_water(game, side, source, -1);
        flip_pad(game, side, source);
    }
    if (game->pads[other] >> target & 1) {
        flip_pad(game, other, target);
        change_water(game, other, target, 1);
    }
    flip_pad(game, side, target);
    note_full(game, source);
    note_full(game, target);
    return game->pads[other] == 0;
}

static int play_out(long *plies, long *listed) {
    Game game;
    uint8_t moves[256];
    memset(&game, 0, offsetof(Game, seen));
    for (int realm = 0; realm < 16; realm++) flip_pad(&game, realm >> 3, realm);
    game.seen[0] = game.key;
    for (;;) {
        int count = list_moves(&game, moves);
        *listed += count ? count : 1;
        *plies += 1;
        if (count) {
            int pick = moves[next_random() % (uint64_t)count];
            if (move(&game, pick >> 4, pick & 15)) return game.seat;
        }
        int two_passes = !count && game.passed, repeats = 0;
        game.passed = !count;
        game.seat ^= 1;
        game.key ^= seat_key;
        game.plies++;
        for (int index = 0; index < game.plies; index++) repeats += game.seen[index] == game.key;
        game.seen[game.plies] = game.key;
        if (two_passes || repeats >= 2 || game.plies >= MAX_PLIES) return 2;
    }
}

static double now(void) {
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (double)time.tv_sec + (double)time.tv_nsec * 1e-9;
}

int main(int argc, char **argv) {
    double seconds = argc > 1 ? atof(argv[1]) : 2.0, start, passed;
    long games = 0, plies = 0, listed = 0, results[3] = {0, 0, 0};
    stream = 88172645463325252ULL;
    for (int side = 0; side < 2; side++)
        for (int realm = 0; realm < 16; realm++) {
            pad_keys[side][realm] = next_random();
            for (int frogs = 0; frogs < 16; frogs++) water_keys[side][realm][frogs] = next_random();
        }
    seat_key = next_random();
    start = now();
    do {
        for (int batch = 0; batch < 256; batch++, games++) results[play_out(&plies, &listed)]++;
        passed = now() - start;
    } while (passed < seconds);
    printf("{\"playouts_per_s\": %.1f, \"steps_per_game\": %.2f, \"branching\": %.2f, \"white\": %.4f, \"black\": %.4f, \"drawn\": %.4f}\n",
           games / passed, (double)plies / games, (double)listed / plies, (double)results[0] / games,
           (double)results[1] / games, (double)results[2] / games);
    return 0;
}
