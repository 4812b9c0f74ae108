/* One round of Shanghaien, solved position by position: the plain loop that the solver is measured against.

   A game is a pair of options, one of each player's: what it has played. Option 0 is nothing; the others are 'p', 'b',
   'r', or 'j' for a joker. Layers, and their tables, are those of p2p_shanghaien/players/shanghaien/geometry.py. */

#include <stdint.h>
#include <stdlib.h>

struct layer {
    int32_t there, mover, may_roll, dice, moving, waiting;
    const int64_t *takes; /* (waiting, moving), or null */
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

/* What a roll is worth with `m` the placement of who moves and `w` of who waits. */
static inline float rolling(const struct round *r, int first, int second, int t, int mover, int m, int w)
{
    const struct layer *l = &layers(r, first, second)[t];
    const int64_t *one = r->position->one[l->dice];
    size_t here = game(r, first, second);
    float die[6], turned[6], again = 0, total = 0;
    const float *both = NULL;
    int may_turn = 0, may_again = 0;

    for (int d = 0; d < 6; d++)
        die[d] = r->turn[here + t + 1][one[d * l->moving + m] * l->waiting + w];
    if ((mover ? second : first) == 0) {
        for (int trick = 1; trick < r->options[mover]; trick++) {
            size_t there = mover ? game(r, first, trick) : game(r, trick, second);
            const float *after = r->turn[there + t + 1];
            switch (r->played[mover][trick]) {
            case 'r':
                again = r->roll[there + t][m * l->waiting + w];
                may_again = 1;
                break;
            case 'b':
                both = after;
                break;
            case 'p':
                for (int d = 0; d < 6; d++)
                    turned[d] = after[one[d * l->moving + m] * l->waiting + w];
                may_turn = 1;
                break;
            default:
                for (int d = 0; d < 6; d++)
                    die[d] = better(mover, die[d], after[one[d * l->moving + m] * l->waiting + w]);
            }
        }
        if (may_turn)
            for (int d = 0; d < 6; d++)
                for (int beside = d - 1; beside <= d + 1; beside++)
                    if (beside >= 0 && beside < 6)
                        die[d] = better(mover, die[d], turned[beside]);
        if (may_again)
            for (int d = 0; d < 6; d++)
                die[d] = better(mover, die[d], again);
    }
    for (int a = 0, pair = 0; a < 6; a++) {
        for (int b = a + 1; b < 6; b++, pair++) {
            float best = better(mover, die[a], die[b]);
            if (both)
                best = better(mover, best, both[r->position->two[l->dice][pair * l->moving + m] * l->waiting + w]);
            total += 2 * best;
        }
        float best = die[a];
        if (both)
            best = better(mover, best, both[r->position->two[l->dice][(15 + a) * l->moving + m] * l->waiting + w]);
        total += best;
    }
    return total / 36;
}

static inline void solve_layer(const struct round *r, int first, int second, int t, int mover)
{
    const struct layer *l = &layers(r, first, second)[t];
    size_t here = game(r, first, second) + t;
    const float *ends = r->endings + (((size_t)first * r->options[1] + second) * 2 + mover) * 729;

    for (int m = 0; m < l->moving; m++)
        for (int w = 0; w < l->waiting; w++) {
            float value = 0;
            if (l->may_roll)
                value = r->roll[here][m * l->waiting + w] = rolling(r, first, second, t, mover, m, w);
            if (l->takes) {
                float end = ends[l->takes[w * l->moving + m]];
                value = l->may_roll ? better(mover, value, end) : end;
            }
            r->turn[here][w * l->moving + m] = value;
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
