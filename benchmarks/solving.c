/* One round of Shanghaien, solved position by position: the plain loop that the solver is measured against.

   A game is a pair of options, one of each player's: what it has played. Option 0 is nothing; the others are 'p', 'b',
   'r', or 'j' for a joker. Layers, and their tables, are those of p2p_shanghaien/games/shanghaien/players/geometry.py. */

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define PLACEMENTS 462 /* of six dice: the most */

struct layer {
    int32_t there, mover, may_roll, dice, moving, waiting;
    const int64_t *ends; /* (waiting, moving), or null */
};

struct position {
    int32_t turns;
    const struct layer *layers[2][2];   /* by who has placed both dice: (turns) */
    const int64_t *one[6], *two[5];     /* by dice: (6, placements), (21, placements) */
};

struct round {
    const struct position *position;
    int32_t options[2];
    const char *played[2];
    const float *endings;               /* (options, options, 2, 729) */
    float **turn, **roll;               /* (options, options, turns) tables */
};

static inline float better(int mover, float a, float b) { return mover ? (a < b ? a : b) : (a > b ? a : b); }

static size_t game(const struct round *r, int first, int second)
{
    return ((size_t)first * r->options[1] + second) * r->position->turns;
}

static const struct layer *layers(const struct round *r, int first, int second)
{
    return r->position->layers[r->played[0][first] == 'b'][r->played[1][second] == 'b'];
}

static inline void improve(int mover, float *restrict values, const float *restrict others, int count)
{
    for (int w = 0; w < count; w++)
        values[w] = better(mover, values[w], others[w]);
}

/* What a roll is worth, with `m` the placement of who moves, for every placement of who waits. */
static inline void roll_row(const struct round *r, int first, int second, int t, int mover, int m,
                            float *restrict values)
{
    const struct layer *l = &layers(r, first, second)[t];
    const int64_t *one = r->position->one[l->dice], *two = r->position->two[l->dice];
    const int moving = l->moving, waiting = l->waiting;
    const float *both = NULL;
    size_t here = game(r, first, second);
    float die[6][PLACEMENTS];

    for (int d = 0; d < 6; d++)
        memcpy(die[d], r->turn[here + t + 1] + one[d * moving + m] * waiting, waiting * sizeof(float));
    for (int trick = 1; (mover ? second : first) == 0 && trick < r->options[mover]; trick++) {
        size_t there = mover ? game(r, first, trick) : game(r, trick, second);
        char played = r->played[mover][trick];
        const float *after = r->turn[there + t + 1];
        if (played == 'b')
            both = after;
        for (int d = 0; d < 6; d++)
            if (played == 'r')
                improve(mover, die[d], r->roll[there + t] + m * waiting, waiting);
            else if (played == 'j')
                improve(mover, die[d], after + one[d * moving + m] * waiting, waiting);
            else if (played == 'p')
                for (int beside = d ? d - 1 : 0; beside < 6 && beside <= d + 1; beside++)
                    improve(mover, die[d], after + one[beside * moving + m] * waiting, waiting);
    }
    if (!both) {
        for (int w = 0; w < waiting; w++) {
            float total = 0;
            for (int a = 0; a < 6; a++) {
                total += die[a][w];
                for (int b = a + 1; b < 6; b++)
                    total += 2 * better(mover, die[a][w], die[b][w]);
            }
            values[w] = total / 36;
        }
        return;
    }
    for (int w = 0; w < waiting; w++)
        values[w] = 0;
    for (int a = 0, pair = 0; a < 6; a++) {
        const float *doubles = both + two[(15 + a) * moving + m] * waiting;
        for (int w = 0; w < waiting; w++)
            values[w] += better(mover, die[a][w], doubles[w]) / 36;
        for (int b = a + 1; b < 6; b++, pair++) {
            const float *rolled = both + two[pair * moving + m] * waiting;
            for (int w = 0; w < waiting; w++)
                values[w] += better(mover, better(mover, die[a][w], die[b][w]), rolled[w]) / 18;
        }
    }
}

static inline void solve_layer(const struct round *r, int first, int second, int t, int mover)
{
    const struct layer *l = &layers(r, first, second)[t];
    size_t here = game(r, first, second) + t;
    const float *endings = r->endings + ((size_t)first * r->options[1] + second) * 2 * 729;

    for (int m = 0; m < l->moving; m++) {
        float *roll = l->may_roll ? r->roll[here] + m * l->waiting : NULL, *turn = r->turn[here];
        if (roll)
            roll_row(r, first, second, t, mover, m, roll);
        for (int w = 0; w < l->waiting; w++) {
            size_t place = w * l->moving + m;
            if (!l->ends)
                turn[place] = roll[w];
            else if (!roll)
                turn[place] = endings[l->ends[place]];
            else
                turn[place] = better(mover, roll[w], endings[l->ends[place]]);
        }
    }
}

static void solve_game(const struct round *r, int first, int second)
{
    for (int t = r->position->turns - 1; t >= 0; t--) {
        const struct layer *l = &layers(r, first, second)[t];
        if (!l->there)
            continue;
        size_t here = game(r, first, second) + t, size = (size_t)l->moving * l->waiting * sizeof(float);
        r->turn[here] = malloc(size);
        if (l->may_roll)
            r->roll[here] = malloc(size);
        if (l->mover)
            solve_layer(r, first, second, t, 1);
        else
            solve_layer(r, first, second, t, 0);
    }
}

/* The value before the first turn. */
float solve(const struct position *position, int32_t first, int32_t second, const char *played_first,
            const char *played_second, const float *endings)
{
    size_t tables = (size_t)first * second * position->turns;
    struct round r = {position, {first, second}, {played_first, played_second}, endings,
                      calloc(tables, sizeof(float *)), calloc(tables, sizeof(float *))};

    for (int i = first - 1; i >= 0; i--)
        for (int j = second - 1; j >= 0; j--)
            solve_game(&r, i, j);
    float value = r.turn[0][0];
    for (size_t i = 0; i < tables; i++) {
        free(r.turn[i]);
        free(r.roll[i]);
    }
    free(r.turn);
    free(r.roll);
    return value;
}
