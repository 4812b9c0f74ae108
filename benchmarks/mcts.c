/* Shanghaien's rules and a Monte-Carlo tree search over them, for benchmarks/mcts.py.

   The search is UCT with sampled chance. Every simulation draws its own dice and, where it goes on behind the present
   round, its own cards. A leaf is valued by playing the game to its end: won 1, drawn 1/2, lost 0. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { NATIONS = 8, NUMBERS = 6, ROUNDS = 8, KINDS = 4, DECK = 48, MOST_ACTIONS = 64, ROLLS = 21 };
enum { ROW, TURN, DICE, ROLLED, REROLL, PLACE, OVER };                    /* phases, as in rules.py */
enum { OPEN, LEFT, RIGHT };                                               /* where number 1 is */
enum { PLUS_MINUS, BOTH, AGAIN, WILD };                                   /* kinds of trick */
enum { TRICK = 64 };                                                      /* card 64 + kind; else 8 * nation + value */
enum { A_ROLL = 1, A_SHANGHAI = 2, A_PLACE = 16, A_PLUS = 40, A_MINUS = 50, A_BOTH = 60, A_AGAIN = 64, A_JOKER = 70 };
/* actions: A_PLACE + 3 * die + end, A_PLUS + die, A_MINUS + die, A_BOTH + end, A_JOKER + 8 * kind + nation */

typedef struct {
    uint8_t player, phase, count, dice[2], direction, placed[2][NUMBERS], tricked[2], tricks[2][KINDS];
    uint8_t crews[2][NATIONS]; /* strengths: a crew holds a nation that has any */
    uint8_t round, starter, row_size, row[NUMBERS], pile_size, pile[DECK];
} State;

/* ---- chance: SplitMix64 ---- */

static inline uint64_t next(uint64_t *seed) {
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline unsigned below(uint64_t *seed, unsigned bound) { return (unsigned)(((next(seed) >> 32) * bound) >> 32); }

/* ---- rules ---- */

static inline int used(const State *s, int player) {
    int sum = 0;
    for (int i = 0; i < NUMBERS; i++) sum += s->placed[player][i];
    return sum;
}

static int placements(const State *s, uint8_t *out) {
    int n = 0, from = s->direction == OPEN ? LEFT : OPEN, to = s->direction == OPEN ? RIGHT : OPEN;
    for (int i = 0; i < (s->dice[0] == s->dice[1] ? 1 : 2); i++)
        for (int end = from; end <= to; end++) out[n++] = A_PLACE + 3 * s->dice[i] + end;
    return n;
}

static int tricks(const State *s, uint8_t *out) {
    const uint8_t *held = s->tricks[s->player];
    int n = 0, different = s->dice[0] == s->dice[1] ? 1 : 2;
    if (held[PLUS_MINUS])
        for (int i = 0; i < different; i++) {
            if (s->dice[i] < 6) out[n++] = A_PLUS + s->dice[i];
            if (s->dice[i] > 1) out[n++] = A_MINUS + s->dice[i];
        }
    if (held[BOTH]) {
        if (s->direction == OPEN) out[n++] = A_BOTH + LEFT, out[n++] = A_BOTH + RIGHT;
        else out[n++] = A_BOTH + OPEN;
    }
    if (held[AGAIN]) out[n++] = A_AGAIN;
    for (int kind = 0; kind < KINDS; kind++)
        if (held[kind])
            for (int nation = 0; nation < NATIONS; nation++)
                if (s->crews[s->player][nation]) out[n++] = A_JOKER + 8 * kind + nation;
    return n;
}

int legal(const State *s, uint8_t *out) {
    int n = 0, dice;
    switch (s->phase) {
    case TURN:
        dice = used(s, s->player);
        if (dice <= 4) out[n++] = A_ROLL;
        if (dice >= 2) out[n++] = A_SHANGHAI;
        return n;
    case ROLLED:
        n = placements(s, out);
        return s->tricked[s->player] ? n : n + tricks(s, out + n);
    case PLACE:
        return placements(s, out);
    }
    return 0;
}

static inline int beside(const uint8_t *dice, int i) {
    return (i ? dice[i - 1] * i : 0) + (i < 5 ? dice[i + 1] * (i + 2) : 0);
}

/* who takes the card with index i: 0, 1, or -1 for nobody */
static inline int taker(const uint8_t placed[2][NUMBERS], int i) {
    int a = placed[0][i], b = placed[1][i];
    if (a == b && a) a = beside(placed[0], i), b = beside(placed[1], i);
    return a > b ? 0 : b > a ? 1 : -1;
}

static inline int card(const State *s, int i) { return s->row[s->direction == RIGHT ? 5 - i : i]; }

static void shanghai(State *s) {
    for (int i = 0; i < NUMBERS; i++) {
        int who = taker(s->placed, i), what = card(s, i);
        if (who < 0) continue;
        if (what >= TRICK) s->tricks[who][what - TRICK]++;
        else s->crews[who][what >> 3] += what & 7;
    }
    if (s->round == ROUNDS) s->phase = OVER;
    else s->phase = ROW, s->round++, s->player = s->starter = 1 - s->player;
    s->direction = OPEN;
    s->row_size = 0;
    memset(s->row, 0, sizeof s->row);
    memset(s->placed, 0, sizeof s->placed);
    memset(s->tricked, 0, sizeof s->tricked);
}

static void pass(State *s) {
    s->player = 1 - s->player;
    s->phase = TURN;
    s->count = s->dice[0] = s->dice[1] = 0;
}

static inline void show(State *s, int a, int b) {
    s->count = 2;
    s->dice[0] = a < b ? a : b;
    s->dice[1] = a < b ? b : a;
}

void apply(State *s, uint8_t action) {
    int p = s->player;
    if (action == A_ROLL) s->phase = DICE;
    else if (action == A_SHANGHAI) shanghai(s);
    else if (action < A_PLUS) {
        int end = (action - A_PLACE) % 3;
        if (end) s->direction = end;
        s->placed[p][(action - A_PLACE) / 3 - 1]++;
        pass(s);
    } else {
        s->tricked[p] = 1;
        s->phase = PLACE;
        if (action >= A_JOKER) {
            s->tricks[p][(action - A_JOKER) >> 3]--;
            s->crews[p][(action - A_JOKER) & 7] += 2;
        } else if (action == A_AGAIN) {
            s->tricks[p][AGAIN]--;
            s->phase = REROLL;
            s->count = s->dice[0] = s->dice[1] = 0;
        } else if (action >= A_BOTH) {
            s->tricks[p][BOTH]--;
            if (action > A_BOTH) s->direction = action - A_BOTH;
            s->placed[p][s->dice[0] - 1]++;
            s->placed[p][s->dice[1] - 1]++;
            pass(s);
        } else {
            int up = action < A_MINUS, die = action - (up ? A_PLUS : A_MINUS), other = s->dice[0] + s->dice[1] - die;
            s->tricks[p][PLUS_MINUS]--;
            show(s, up ? die + 1 : die - 1, other);
        }
    }
}

void roll(State *s, uint8_t a, uint8_t b) {
    s->phase = s->phase == DICE ? ROLLED : PLACE;
    show(s, a, b);
}

void lay_out(State *s, const uint8_t *indices) {
    for (int i = 0; i < NUMBERS; i++) {
        s->row[i] = s->pile[indices[i]];
        s->pile_size--;
        memmove(s->pile + indices[i], s->pile + indices[i] + 1, s->pile_size - indices[i]);
        s->pile[s->pile_size] = 0;
    }
    s->row_size = NUMBERS;
    s->phase = TURN;
}

/* player 0's lead in points, the game being over */
int score(const State *s) {
    int sum = 0;
    for (int kind = 0; kind < KINDS; kind++) sum += s->tricks[0][kind] - s->tricks[1][kind];
    for (int nation = 0; nation < NATIONS; nation++) {
        int a = s->crews[0][nation], b = s->crews[1][nation];
        if (!a || !b) sum += a - b;
        else if (a != b) sum += a > b ? b : -a;
    }
    return sum;
}

/* ---- playing to the end ---- */

static void draw(State *s, uint64_t *seed) {
    if (s->phase == ROW) {
        uint8_t indices[NUMBERS];
        for (int i = 0; i < NUMBERS; i++) indices[i] = below(seed, s->pile_size - i);
        lay_out(s, indices);
    } else {
        unsigned pair = below(seed, 36);
        roll(s, pair / 6 + 1, pair % 6 + 1);
    }
}

/* Every action is as likely as any other. A policy that looks at the cards (each die goes where the round's lead grows
   most, Shanghai is called at a lead) did as well with half the simulations, and took twice as long for them. */
static float play_out(State *s, uint64_t *seed) {
    uint8_t actions[MOST_ACTIONS];
    while (s->phase != OVER) {
        if (s->phase == ROW || s->phase == DICE || s->phase == REROLL) draw(s, seed);
        else apply(s, actions[below(seed, legal(s, actions))]);
    }
    int lead = score(s);
    return lead > 0 ? 1.0f : lead == 0 ? 0.5f : 0.0f;
}

/* ---- the tree ---- */

typedef struct {
    uint32_t first; /* of its children, which lie side by side; 0: none yet */
    uint32_t visits;
    float wins; /* player 0's */
    uint8_t children, action;
} Node;

typedef struct {
    Node *nodes;
    uint32_t size, room;
} Tree;

static int grow(Tree *tree, uint32_t node, const uint8_t *actions, int n) {
    if (tree->size + n > tree->room) {
        Node *more = realloc(tree->nodes, 2 * (size_t)tree->room * sizeof(Node));
        if (!more) return 0;
        tree->nodes = more;
        tree->room *= 2;
    }
    tree->nodes[node].first = tree->size;
    tree->nodes[node].children = n;
    for (int i = 0; i < n; i++) tree->nodes[tree->size++] = (Node){0, 0, 0, 0, actions ? actions[i] : 0};
    return 1;
}

static uint32_t choose_child(const Tree *tree, uint32_t at, int player, double exploration, uint64_t *seed) {
    const Node *node = &tree->nodes[at], *child = &tree->nodes[node->first];
    int fresh = 0, best = 0;
    for (int i = 0; i < node->children; i++) fresh += child[i].visits == 0;
    if (fresh) {
        int skip = below(seed, fresh);
        for (int i = 0;; i++)
            if (child[i].visits == 0 && skip-- == 0) return node->first + i;
    }
    float most = -1, all = (float)(exploration * exploration * log(node->visits));
    for (int i = 0; i < node->children; i++) {
        float n = child[i].visits, mean = child[i].wins / n;
        float bound = (player ? 1 - mean : mean) + sqrtf(all / n);
        if (bound > most) most = bound, best = i;
    }
    return node->first + best;
}

static inline int pair_index(const State *s) { /* of 21: 11, 12, 22, 13, 23, 33, ... */
    return s->dice[1] * (s->dice[1] - 1) / 2 + s->dice[0] - 1;
}

enum { DEEPEST = 128 };

/* The action most visited of `simulations`, or 0 when memory has run out. `exploration` is the constant of UCT for values
   from 0 to 1. `visits` and `wins` (of player 0) are filled in for each of the legal actions, in their order. Ends sooner
   where what is left cannot change the choice. */
uint8_t search(const State *root, int simulations, double exploration, uint64_t seed, uint32_t *visits, float *wins) {
    uint8_t actions[MOST_ACTIONS];
    Tree tree = {malloc(4096 * sizeof(Node)), 1, 4096};
    if (!tree.nodes) return 0;
    tree.nodes[0] = (Node){0, 0, 0, 0, 0};
    int n = legal(root, actions);
    if (!grow(&tree, 0, actions, n)) goto out_of_memory;
    for (int left = simulations; left > 0; left--) {
        uint32_t path[DEEPEST], at = 0;
        int depth = 0;
        State s = *root;
        path[depth++] = 0;
        while (s.phase != ROW && s.phase != OVER && depth < DEEPEST) {
            if (at && !tree.nodes[at].visits) break;
            int chance = s.phase == DICE || s.phase == REROLL, player = s.player;
            int grown = tree.nodes[at].children;
            if (!grown) grown = chance ? grow(&tree, at, NULL, ROLLS) : grow(&tree, at, actions, legal(&s, actions));
            if (!grown) goto out_of_memory;
            if (chance) {
                draw(&s, &seed);
                at = tree.nodes[at].first + pair_index(&s);
            } else {
                at = choose_child(&tree, at, player, exploration, &seed);
                apply(&s, tree.nodes[at].action);
            }
            path[depth++] = at;
        }
        float won = play_out(&s, &seed);
        for (int i = 0; i < depth; i++) tree.nodes[path[i]].visits++, tree.nodes[path[i]].wins += won;
        if ((left & 63) == 0) {
            uint32_t most = 0, second = 0;
            for (int i = 0; i < n; i++) {
                uint32_t v = tree.nodes[1 + i].visits;
                if (v > most) second = most, most = v;
                else if (v > second) second = v;
            }
            if (most - second > (uint32_t)left) break;
        }
    }
    int best = 0;
    for (int i = 0; i < n; i++) {
        visits[i] = tree.nodes[1 + i].visits;
        wins[i] = tree.nodes[1 + i].wins;
        if (visits[i] > visits[best]) best = i;
    }
    free(tree.nodes);
    return actions[best];
out_of_memory:
    free(tree.nodes);
    return 0;
}
