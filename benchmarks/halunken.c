/* Rules of Halunken & Spelunken and a Monte-Carlo tree search over them, for benchmarks/halunken.py.

   The search is decoupled UCT: at a secret choice either player picks by an own UCT over own cards (Finnsson and
   Björnsson 2008). Chance is sampled. Positions are nodes, whatever led to them. A leaf is valued by playing the hand to
   its end: won 1, drawn 1/2, lost 0. */

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { SPACES = 14, DEPTH = 3, ROUNDS = 8, NUMBERS = 7, RUM = 8, DECK = 42, NOBODY = 2, JACK = 2, MOST_ACTIONS = 64 };
enum { PLACE, FIRST, PLACE_JACK, AUCTION, CHOICE, NAME, TURN_UP, ROB_CAPTAIN, ROB_JACK, JACK_CARD, JACK_NAME, JACK_NUMBER,
       JACK_ROB, LOSE, OVER }; /* phases, as in rules.py */
enum { A_ROGUE = 16, A_NONE = 60, A_NUMBER = 64, A_CARDS = 80 };
/* actions: a space; A_ROGUE + its place in the deck (to bid, take or lose); A_NONE to pass or leave; A_NUMBER + number;
   A_CARDS + 9 * card + Black Jack's card, which is 0 if the player has not hired him */

typedef struct {
    uint64_t crews[2], boat, pile;
    int32_t lead; /* player 0's, of the hands before */
    uint8_t phase, player, round, opener, bid, hirer, blackjack, may;
    uint8_t shown[3], numbers[3], captains[2], jack, cards[3]; /* cards: a bit for each, the lowest for 1 */
    uint8_t tops[SPACES], left[SPACES];                         /* tops: 1 + place in the deck, or 0 */
    uint8_t padding[5];
} State;

/* ---- chance: SplitMix64 ---- */

static inline uint64_t next(uint64_t *seed) {
    uint64_t z = (*seed += 0x9e3779b97f4a7c15u);
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
}

static inline unsigned below(uint64_t *seed, unsigned bound) { return (unsigned)(((next(seed) >> 32) * bound) >> 32); }

/* ---- rogues ---- */

static const uint8_t VALUE[DECK] = {4, 5, 6, 7,  8,  9,  10, 11, 15, 3, 4, 5, 6, 7, 8, 9, 10, 11, 14, 2, 3,
                                    4, 5, 6, 7,  8,  9,  10, 11, 13, 1, 2, 3, 4, 5, 6, 7, 8,  9,  10, 11, 12};
static const uint8_t BEGIN[5] = {0, 9, 19, 30, 42};

static inline int size(uint64_t crew) { return __builtin_popcountll(crew); }

static int points(uint64_t crew) {
    int total = 0, most = 0, doubled = 0;
    for (int colour = 0; colour < 4; colour++) {
        uint64_t own = crew & ((1ull << BEGIN[colour + 1]) - (1ull << BEGIN[colour]));
        int count = size(own), sum = 0;
        for (; own; own &= own - 1) sum += VALUE[__builtin_ctzll(own)];
        total += sum;
        if (count > most || (count == most && sum > doubled)) most = count, doubled = sum;
    }
    return total + doubled;
}

static inline int pick(uint64_t crew, int index) { /* the place in the deck of its rogue of that index */
    while (index--) crew &= crew - 1;
    return __builtin_ctzll(crew);
}

/* ---- rules ---- */

static inline int ahead(int space, int number) { return (space - 1 + number) % SPACES + 1; }

static inline int next_free(int space, int first, int second) {
    do space = space % SPACES + 1;
    while (space == first || space == second);
    return space;
}

static inline int may_rob(const State *s, int thief) {
    int victim = size(s->crews[1 - thief]);
    return victim > 0 && victim >= size(s->crews[thief]);
}

static inline int cancelled(const State *s) { return s->shown[0] && s->shown[0] == s->shown[1]; }

static inline int mover(const State *s, int place) { return s->numbers[0] <= s->numbers[1] ? place : 1 - place; }

static uint64_t loot(const State *s) {
    uint64_t crew = s->crews[1 - s->player];
    if (s->phase != ROB_JACK) return crew;
    return (s->hirer == 1 - s->player && may_rob(s, s->player) ? crew : 0) | s->boat;
}

static int hidden(const State *s, uint8_t *dens) { /* dens whose rogues are drawn now */
    int n = 0;
    if (s->phase == FIRST) {
        dens[n++] = s->captains[s->player];
        if (s->captains[1 - s->player])
            for (int den = 1; den <= SPACES; den++) dens[n++] = den;
        return n;
    }
    for (int player = 0; player < 2; player++) {
        int den = s->captains[player];
        if ((cancelled(s) || player == s->player) && s->left[den - 1] && !s->tops[den - 1]) dens[n++] = den;
    }
    return n;
}

static void clear(State *s, int round) {
    s->round = round;
    s->bid = 0;
    s->hirer = NOBODY;
    memset(s->shown, 0, 3);
    memset(s->numbers, 0, 3);
}

static void open_round(State *s, int round) {
    clear(s, round);
    s->phase = s->blackjack ? AUCTION : CHOICE;
    s->player = s->blackjack ? s->opener : 0;
}

static void end_round(State *s) {
    if (s->round < ROUNDS) {
        open_round(s, s->round + 1);
        return;
    }
    clear(s, ROUNDS);
    s->phase = OVER;
    s->player = 0;
    s->lead += points(s->crews[0]) - points(s->crews[1]);
}

static int meets(const State *s, int player) { return (s->captains[player] - s->jack + SPACES) % SPACES <= s->numbers[JACK]; }

static void jack_ended(State *s) {
    s->jack = next_free(ahead(s->jack, s->numbers[JACK] - 1), s->captains[0], s->captains[1]);
    end_round(s);
}

static int nearer(const State *s) {
    return (s->captains[1] - s->jack + SPACES) % SPACES < (s->captains[0] - s->jack + SPACES) % SPACES;
}

static void meet(State *s, int from) { /* those whom he meets first (0) and second (1) */
    for (int turn = from; turn < 2; turn++) {
        int player = turn ? 1 - nearer(s) : nearer(s);
        if (meets(s, player) && s->crews[player]) {
            s->phase = LOSE;
            s->player = player;
            return;
        }
    }
    jack_ended(s);
}

static void jack_moves(State *s) {
    if (s->hirer == NOBODY) meet(s, 0);
    else if (meets(s, 1 - s->hirer) && may_rob(s, s->hirer)) s->phase = JACK_ROB, s->player = s->hirer;
    else jack_ended(s);
}

static void jack_turn(State *s) {
    if (!s->blackjack) end_round(s);
    else if (s->hirer == NOBODY) s->phase = JACK_CARD, s->player = 0;
    else if (s->shown[JACK] == RUM) s->phase = JACK_NAME, s->player = s->hirer;
    else jack_moves(s);
}

static void move(State *s, int place);

static void displace(State *s) {
    int player = s->player, here = s->captains[player], other = s->captains[1 - player];
    if (s->jack == here) s->jack = next_free(here, other, here);
    else if (other == here) s->captains[1 - player] = next_free(here, here, s->jack);
    move(s, 1 + (mover(s, 1) == player));
}

static void taken(State *s) {
    int player = s->player;
    if (cancelled(s)) {
        jack_turn(s);
        return;
    }
    if (s->captains[0] == s->captains[1] && may_rob(s, player)) {
        s->phase = ROB_CAPTAIN;
        return;
    }
    s->phase = ROB_JACK;
    if (s->captains[player] != s->jack || !loot(s)) displace(s);
}

static void take(State *s, int player) {
    int den = s->captains[player] - 1;
    if (!s->tops[den]) return;
    s->crews[player] |= 1ull << (s->tops[den] - 1);
    s->tops[den] = 0;
    s->left[den]--;
}

static void turn_up(State *s, int player) {
    uint8_t dens[SPACES + 1];
    s->phase = TURN_UP;
    s->player = player;
    if (!hidden(s, dens)) taken(s);
}

static void move(State *s, int place) {
    if (place == 2) {
        jack_turn(s);
        return;
    }
    int player = mover(s, place);
    s->captains[player] = ahead(s->captains[player], s->numbers[player]);
    take(s, player);
    turn_up(s, player);
}

static void hire(State *s, int hirer, int rogue) {
    s->phase = CHOICE;
    s->player = 0;
    s->opener = s->hirer = hirer;
    s->bid = 0;
    s->crews[hirer] &= ~(1ull << rogue);
    s->boat |= 1ull << rogue;
}

static void bid(State *s, int action) {
    int rogue = action - A_ROGUE, player = s->player, other = 1 - player;
    if (action != A_NONE) {
        if (player != s->opener && !s->bid) hire(s, player, rogue);
        else s->player = other, s->bid = rogue + 1;
    } else if (s->bid) hire(s, other, s->bid - 1);
    else if (player == s->opener) s->player = other;
    else s->phase = CHOICE, s->player = 0;
}

static void steal(State *s, int action) {
    if (action == A_NONE) return;
    uint64_t rogue = 1ull << (action - A_ROGUE);
    s->crews[1 - s->player] &= ~rogue;
    s->boat &= ~rogue;
    s->crews[s->player] |= rogue;
}

static int number(int card) { return card == RUM ? 0 : card; }

/* What is open to a player in a position: the number of actions. */
int legal(const State *s, int player, uint8_t *actions) {
    int n = 0;
    uint64_t rogues = 0;
    if (s->phase == CHOICE) {
        for (int card = 1; card <= RUM; card++)
            if (s->cards[player] >> (card - 1) & 1) {
                if (s->hirer != player) actions[n++] = A_CARDS + 9 * card;
                else
                    for (int his = 1; his <= RUM; his++)
                        if (s->cards[JACK] >> (his - 1) & 1) actions[n++] = A_CARDS + 9 * card + his;
            }
        return n;
    }
    switch (s->phase) {
    case PLACE:
    case PLACE_JACK:
        for (int space = 1; space <= SPACES; space++)
            if (space != s->captains[0] && space != s->captains[1]) actions[n++] = space;
        return n;
    case NAME:
    case JACK_NAME:
        for (int i = 1; i <= NUMBERS; i++)
            if (s->phase == JACK_NAME || i != s->numbers[1 - player]) actions[n++] = A_NUMBER + i;
        return n;
    case AUCTION:
    case LOSE: rogues = s->crews[player]; break;
    case ROB_CAPTAIN:
    case ROB_JACK:
    case JACK_ROB: rogues = loot(s);
    }
    for (; rogues; rogues &= rogues - 1) {
        int rogue = __builtin_ctzll(rogues);
        if (s->phase != AUCTION || !s->bid || VALUE[rogue] > VALUE[s->bid - 1]) actions[n++] = A_ROGUE + rogue;
    }
    if (s->phase == AUCTION || s->phase == ROB_JACK || (s->phase != LOSE && s->may)) actions[n++] = A_NONE;
    return n;
}

void apply(State *s, int action) {
    int player = s->player;
    switch (s->phase) {
    case PLACE: s->captains[player] = action, s->phase = FIRST; break;
    case PLACE_JACK: s->jack = action, open_round(s, 1); break;
    case AUCTION: bid(s, action); break;
    case NAME: s->numbers[player] = action - A_NUMBER, move(s, 0); break;
    case JACK_NAME: s->numbers[JACK] = action - A_NUMBER, jack_moves(s); break;
    case LOSE: {
        uint64_t rogue = 1ull << (action - A_ROGUE);
        s->crews[player] &= ~rogue;
        s->boat |= rogue;
        meet(s, 1 + (player != nearer(s)));
        break;
    }
    case JACK_ROB: steal(s, action), jack_ended(s); break;
    default: steal(s, action), displace(s);
    }
}

void reveal(State *s, int first, int second) {
    int own[2] = {(first - A_CARDS) / 9, (second - A_CARDS) / 9};
    s->shown[JACK] = s->hirer == NOBODY ? 0 : ((s->hirer ? second : first) - A_CARDS) % 9;
    int same = own[0] == own[1];
    for (int player = 0; player < 2; player++) {
        s->shown[player] = own[player];
        s->numbers[player] = same ? 0 : number(own[player]);
        s->cards[player] &= ~(1 << (own[player] - 1));
    }
    s->numbers[JACK] = number(s->shown[JACK]);
    if (s->shown[JACK]) s->cards[JACK] &= ~(1 << (s->shown[JACK] - 1));
    if (same) {
        take(s, 0);
        take(s, 1);
        turn_up(s, 0);
    } else if (own[0] == RUM || own[1] == RUM) s->phase = NAME, s->player = own[1] == RUM;
    else move(s, 0);
}

/* How many draws are due, and the bound of the first; that of each later one is one less. */
int draws(const State *s, int *bound) {
    uint8_t dens[SPACES + 1];
    *bound = s->phase == JACK_CARD ? __builtin_popcount(s->cards[JACK]) : s->phase == JACK_NUMBER ? NUMBERS : size(s->pile);
    return s->phase == FIRST || s->phase == TURN_UP ? hidden(s, dens) : s->phase == JACK_CARD || s->phase == JACK_NUMBER;
}

void draw(State *s, const uint8_t *indices) {
    uint8_t dens[SPACES + 1], rogues[SPACES + 1];
    if (s->phase == JACK_CARD) {
        s->shown[JACK] = pick(s->cards[JACK], indices[0]) + 1;
        s->cards[JACK] &= ~(1 << (s->shown[JACK] - 1));
        if (s->shown[JACK] == RUM) s->phase = JACK_NUMBER;
        else s->numbers[JACK] = s->shown[JACK], jack_moves(s);
        return;
    }
    if (s->phase == JACK_NUMBER) {
        s->numbers[JACK] = indices[0] + 1;
        jack_moves(s);
        return;
    }
    int n = hidden(s, dens), begin = 0;
    for (int i = 0; i < n; i++) {
        rogues[i] = pick(s->pile, indices[i]);
        s->pile &= ~(1ull << rogues[i]);
    }
    if (s->phase == FIRST) {
        s->crews[s->player] = 1ull << rogues[0];
        s->left[dens[0] - 1]--;
        begin = 1;
    }
    for (int i = begin; i < n; i++) s->tops[dens[i] - 1] = rogues[i] + 1;
    if (s->phase == TURN_UP) {
        taken(s);
        return;
    }
    if (n == 1) {
        s->phase = PLACE;
        s->player = 1 - s->player;
        return;
    }
    if (!s->blackjack) {
        open_round(s, 1);
        return;
    }
    int own[2] = {__builtin_ctzll(s->crews[0]), __builtin_ctzll(s->crews[1])};
    s->opener = VALUE[own[1]] != VALUE[own[0]] ? VALUE[own[1]] > VALUE[own[0]] : own[1] > own[0];
    s->phase = PLACE_JACK;
    s->player = 1 - s->opener;
}

/* ---- playing to the end ---- */

static void sample(State *s, uint64_t *seed) {
    int bound, n = draws(s, &bound);
    uint8_t indices[SPACES + 1];
    for (int i = 0; i < n; i++) indices[i] = below(seed, bound - i);
    draw(s, indices);
}

static int is_chance(const State *s) {
    return s->phase == FIRST || s->phase == TURN_UP || s->phase == JACK_CARD || s->phase == JACK_NUMBER;
}

/* Every action is as likely as any other, but every second turn in an auction is a pass. */
static float play_out(State *s, uint64_t *seed) {
    uint8_t actions[MOST_ACTIONS], others[MOST_ACTIONS];
    while (s->phase != OVER) {
        if (is_chance(s)) sample(s, seed);
        else if (s->phase == CHOICE) {
            int first = legal(s, 0, actions), second = legal(s, 1, others);
            reveal(s, actions[below(seed, first)], others[below(seed, second)]);
        } else if (s->phase == AUCTION && below(seed, 2)) apply(s, A_NONE);
        else apply(s, actions[below(seed, legal(s, s->player, actions))]);
    }
    return s->lead > 0 ? 1.0f : s->lead == 0 ? 0.5f : 0.0f;
}

/* ---- the tree ---- */

typedef struct {
    uint32_t visits;
    float wins; /* of the player whose action it is */
} Arm;

typedef struct {
    State state;
    uint32_t visits, arms[2]; /* where the arms of either player begin */
    uint8_t counts[2];
} Node;

typedef struct {
    Node *nodes;
    Arm *arms;
    uint32_t *table, size, room, mask; /* table: 1 + node, open addressing */
} Tree;

static uint64_t hash(const State *s) {
    const uint64_t *words = (const uint64_t *)s;
    uint64_t h = 0;
    for (size_t i = 0; i < sizeof(State) / 8; i++) {
        h = (h ^ words[i]) * 0x9e3779b97f4a7c15u;
        h ^= h >> 29;
    }
    return h;
}

/* The node of a position, which is new if it has no visits; or none if the tree is full. */
static Node *find(Tree *tree, const State *s) {
    uint32_t at = hash(s) & tree->mask;
    for (; tree->table[at]; at = (at + 1) & tree->mask)
        if (!memcmp(&tree->nodes[tree->table[at] - 1].state, s, sizeof(State))) return &tree->nodes[tree->table[at] - 1];
    if (tree->size == tree->room) return NULL;
    Node *node = &tree->nodes[tree->size];
    *node = (Node){*s, 0, {0, 0}, {0, 0}};
    tree->table[at] = ++tree->size;
    return node;
}

static int choose_arm(const Node *node, const Arm *arms, int n, double exploration, uint64_t *seed) {
    int fresh = 0, best = 0;
    for (int i = 0; i < n; i++) fresh += arms[i].visits == 0;
    if (fresh) {
        int skip = below(seed, fresh);
        for (int i = 0;; i++)
            if (arms[i].visits == 0 && skip-- == 0) return i;
    }
    float most = -1, all = (float)(exploration * exploration * log(node->visits));
    for (int i = 0; i < n; i++) {
        float bound = arms[i].wins / arms[i].visits + sqrtf(all / arms[i].visits);
        if (bound > most) most = bound, best = i;
    }
    return best;
}

enum { DEEPEST = 128, ARMS = 2 * MOST_ACTIONS };

/* Fill in `visits` and `wins` of each of a player's legal actions, in their order, after so many simulations. Return 0
   when memory has run out. */
int search(const State *root, int player, int simulations, double exploration, uint64_t seed, uint32_t *visits, float *wins) {
    uint32_t room = simulations + 1, slots = 4;
    while (slots < 2 * room) slots *= 2;
    Tree tree = {malloc(room * sizeof(Node)), calloc((size_t)room * ARMS, sizeof(Arm)), calloc(slots, sizeof(uint32_t)), 0,
                 room, slots - 1};
    int done = tree.nodes && tree.arms && tree.table;
    for (int i = 0; done && i < simulations; i++) {
        Arm *path[DEEPEST][2];
        Node *nodes[DEEPEST];
        int depth = 0, fresh = 0;
        State s = *root;
        while (s.phase != OVER && depth < DEEPEST && !fresh) {
            if (is_chance(&s)) {
                sample(&s, &seed);
                continue;
            }
            Node *node = find(&tree, &s);
            if (!node) break;
            Arm *arms = tree.arms + (size_t)(node - tree.nodes) * ARMS;
            fresh = node->visits == 0 && depth > 0;
            if (fresh) {
                nodes[depth] = node, path[depth][0] = path[depth][1] = NULL, depth++;
                break;
            }
            int picked[2] = {0, 0};
            nodes[depth] = node;
            for (int who = 0; who < 2; who++) {
                uint8_t actions[MOST_ACTIONS];
                path[depth][who] = NULL;
                if (s.phase != CHOICE && who != s.player) continue;
                int n = legal(&s, who, actions);
                int arm = choose_arm(node, arms + who * MOST_ACTIONS, n, exploration, &seed);
                path[depth][who] = arms + who * MOST_ACTIONS + arm;
                picked[who] = actions[arm];
            }
            depth++;
            if (s.phase == CHOICE) reveal(&s, picked[0], picked[1]);
            else apply(&s, picked[s.player]);
        }
        float won = play_out(&s, &seed);
        for (int at = 0; at < depth; at++) {
            nodes[at]->visits++;
            for (int who = 0; who < 2; who++)
                if (path[at][who]) path[at][who]->visits++, path[at][who]->wins += who ? 1 - won : won;
        }
    }
    for (int i = 0; done && i < MOST_ACTIONS; i++) {
        visits[i] = tree.arms[player * MOST_ACTIONS + i].visits;
        wins[i] = tree.arms[player * MOST_ACTIONS + i].wins;
    }
    free(tree.nodes);
    free(tree.arms);
    free(tree.table);
    return done;
}
