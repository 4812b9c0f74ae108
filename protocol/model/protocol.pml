/*
 * Two seats, their stored logs, a connection that can be cut, and somebody who watches: sections 4.16, 5, 10 and 11 of
 * SPEC, as a model for Spin.
 *
 * A match of nine entries with two draws. Each seat commits to a share once and answers once, and one seat makes two
 * entries running. Entries are numbers in a table (`entry`); equal numbers mean equal bytes. Cuts, crashes and
 * backups come at any moment, as often as the macros say; then they stop, and the match has to come to its end.
 *
 * The claims are assertions, each with its name behind it. `check` runs the model, and then mutants of it
 * (MUTANT_...), each of which breaks a rule of SPEC: some claim must fail for each.
 */

#ifndef CONNECTIONS
#define CONNECTIONS 3   /* number of connections; all but the last can be cut */
#endif
#ifndef CUTS
#define CUTS true       /* connections are also cut by themselves, not only with a program */
#endif
#ifndef CRASHES
#define CRASHES 1       /* number of times that a program is killed and started again from its log */
#endif
#ifndef RESTORES
#define RESTORES 0      /* number of times that a log is restored from a backup */
#endif
#ifndef LIAR
#define LIAR 9          /* a seat that secretly restores its own older log to choose again; 9: nobody */
#endif
#ifdef WATCHER         /* somebody watches at the host's (4.16), from the beginning on */
#ifdef MUTANT_SHOWN_AT_ONCE
#define SHOWN(n) true
#else
/* an entry of the other seat is there that names it, or a later one; no seat makes more than two entries running */
#define SHOWN(n) (seat[HOST].length == LAST || \
                  ((n) + 1 < seat[HOST].length && SEAT((n) + 1) != SEAT(n)) || \
                  ((n) + 2 < seat[HOST].length && SEAT((n) + 2) != SEAT(n)))
#endif
#endif
#ifndef ENTRIES
#define ENTRIES 24      /* size of the table */
#endif

#define HOST 0
#define GUEST 1
#define NOBODY 9
#define LAST 9

mtype = { draw_commit, draw_contribution, draw_reveal, action, result };  /* kinds of entries (SPEC 5.3) */
mtype = { ENTRY, PROOF, HERE };                      /* frames: an entry; length and head; the note `here` */
/* phases of a program (SPEC 11.6) */
mtype = { unconnected, catching_up, parted, our_turn, their_turn, closing, signed, finished, violation };

/* the expected entry at each number: kind and seat */
#define KIND(n) ((n) == 0 -> draw_commit : \
                ((n) == 1 || (n) == 4 -> draw_contribution : \
                ((n) == 2 || (n) == 5 -> draw_reveal : \
                ((n) == 3 || (n) == 6 -> action : result))))
#define SEAT(n) ((n) == 0 || (n) == 2 || (n) == 4 || (n) == 7 -> HOST : GUEST)
#define CARRIES(n) ((n) == 0 || (n) == 3)            /* an entry with a commitment */

typedef Entry {
    byte number;
    byte parent;
    byte handshake;
    byte choice;    /* the user's choice; 0 if there is nothing to choose */
    byte gives;     /* the share that the entry gives or commits to: equal only if derived from equal input (10) */
    bool informed   /* a share whose author knew the share that it answers */
};
Entry entry[ENTRIES];  /* entry 0 is the session, the head of an empty log */
byte entries = 1;

typedef Seat {
    byte log[LAST];   /* on the disk */
    byte length;
    byte on;          /* the program's connection; 0: none */
    byte theirs;      /* length and head that the peer proved on it */
    byte head;
    byte unsent;      /* a stored entry that is not sent yet */
    mtype phase;
    bool restored;    /* has ever been restored from a backup */
    byte exempt;      /* an own commitment whose share may be known: a backup ends with it, or the peer returned it */
    bool spent        /* an answer by a seat that knew it has been taken; one backup exposes one draw */
};
Seat seat[2];
#ifdef WATCHER
byte watched[LAST];   /* the watcher's log, which no accident changes */
byte place;
#endif
int known[2];         /* the peer's shares that a seat has seen; no crash undoes that */

byte connection = 0;  /* the last one; its number is its handshake hash, as nonces are fresh */
bool alive = false;   /* the last connection still carries frames */
#ifdef MUTANT_STALE_PROOF
bool greeted = false; /* the host has fixed the log head that it will prove */
byte proved;
#endif

/* frames in transit: on the last connection and the one before, to each seat. (A host can still be reading from
   the old connection when the guest, which knows that it is dead, has connected again.) */
chan wire[4] = [12] of { mtype, byte, byte };
#define WIRE(s, c) (2 * ((c) % 2) + (s))
#define TO(s, c) wire[WIRE(s, c)]

#define HEAD(s) (seat[s].length == 0 -> 0 : seat[s].log[seat[s].length - 1])
#define ALIKE (seat[HOST].log[LAST - 1] == seat[GUEST].log[LAST - 1] && seat[HOST].length == LAST)
#define HONEST(s) ((s) != LIAR)
#ifdef MUTANT_CHOOSE_AT_REVEAL
#define CHOOSES(n) ((n) == 5 || (n) == 6)
#else
#define CHOOSES(n) (KIND(n) == action)
#endif
#ifdef MUTANT_SIGN_BEFORE_HEAD
#define SIGNS(s) (!OVER(s))
#else
#define SIGNS(s) (seat[s].phase == our_turn || seat[s].phase == closing)
#endif
#define OVER(s) (seat[s].phase == parted || seat[s].phase == violation)
#define OWES(s) (seat[s].on && SIGNS(s) && !seat[s].unsent && seat[s].length < LAST && SEAT(seat[s].length) == (s))
#define SAME_PLACE(e, f) (entry[e].number == entry[f].number && entry[e].parent == entry[f].parent)
#define REBUTTED(s) (seat[s].phase != unconnected && seat[s].theirs <= seat[s].length)
#define EXPOSED(s, e) (!seat[s].spent && seat[s].exempt == (e))
#define KNOWS(s, x) ((known[s] >> (x)) & 1)

inline flush(w) {
    do
    :: nempty(wire[w]) -> wire[w] ? _, _, _
    :: empty(wire[w]) -> break
    od
}

/* sent is not delivered: a dead connection accepts everything */
inline send(s, what, x, y) {
    if
    :: alive && seat[s].on == connection -> TO(1 - s, connection) ! what, x, y
    :: else
    fi
}

/* the program leaves its connection, because it has broken or is to be broken */
inline leave(s) {
    if
    :: seat[s].on == connection -> alive = false
    :: else
    fi;
    if
    :: OVER(s) || seat[s].phase == finished
    :: else -> seat[s].phase = unconnected
    fi;
    seat[s].on = 0; seat[s].theirs = 0; seat[s].head = 0; seat[s].unsent = 0
}

/* the phase that the entries have led to, once the peer's log head is known */
inline reach(s) {
    if
    :: seat[s].phase == unconnected || seat[s].phase == finished
    :: else ->
        if
        :: seat[s].length < seat[s].theirs -> seat[s].phase = catching_up
        :: else ->
            if
            :: seat[s].length == LAST -> seat[s].phase = signed
            :: else ->
                if
                :: KIND(seat[s].length) == result -> seat[s].phase = closing
                :: else -> seat[s].phase = (SEAT(seat[s].length) == (s) -> our_turn : their_turn)
                fi
            fi
        fi
    fi
}

/* a frame that proves nothing: the connection is dropped. Two honest seats never do this */
inline garbage(s) {
    assert(LIAR != NOBODY);  /* GARBAGE */
    leave(s)
}

#ifdef WATCHER
/* the host shows what it may as soon as it may: who looks later sees no more */
inline expose() {
    place = 0;
    do
    :: place < seat[HOST].length && SHOWN(place) ->
        assert(!watched[place] || watched[place] == seat[HOST].log[place]);  /* WATCHER */
        watched[place] = seat[HOST].log[place];
        place++
    :: else -> break
    od;
    place = 0
}
#endif

inline store(s, e) {
    seat[s].log[seat[s].length] = e;
    seat[s].length++;
#ifdef WATCHER
    if
    :: s == HOST -> expose()
    :: else
    fi;
#endif
    reach(s)
}

/* the last entry has arrived: SPEC 5.10 */
inline finish(s) {
    send(s, HERE, seat[s].length, HEAD(s));
    seat[s].phase = finished
}

/* two chains that differ before the end of the shorter one: by the heads that were proved, or by an entry */
inline part(s, found) {
    assert(LIAR != NOBODY);  /* PARTED */
    seat[s].phase = found
}

/* SPEC 11.2: the seat that is ahead sends the missing entries, perhaps with one that the peer has */
inline resume(s, far, its_head) {
    seat[s].theirs = far; seat[s].head = its_head;
    if
    :: seat[s].phase == finished || OVER(s)
    :: else -> seat[s].phase = catching_up; reach(s)
    fi;
    if
    :: far > seat[s].length
    :: else ->
        if
        :: far > 0 && seat[s].log[far - 1] != its_head -> part(s, parted)
        :: else ->
            i = far;
            if
            :: i > 0 && i < seat[s].length -> i--
            :: true
            fi;
#ifndef MUTANT_NO_REDELIVERY
            do
            :: i < seat[s].length -> send(s, ENTRY, seat[s].log[i], 0); i++
            :: else -> break
            od;
#endif
#ifndef MUTANT_END_SAID_ONCE
            if
            :: seat[s].length == LAST && far == LAST -> finish(s)
            :: else
            fi
#endif
        fi
    fi;
    i = 0
}

/* a share is known from the moment that it arrives in the clear; the choice that led to the draw has been signed */
inline learn(s, e) {
    if
    :: KIND(entry[e].number) == draw_contribution ->
        assert(KIND(entry[entry[e].parent].number) != action || entry[entry[e].parent].choice);  /* CHOICE */
        known[s] = known[s] | (1 << entry[e].gives)
    :: KIND(entry[e].number) == draw_reveal ->
        known[s] = known[s] | (1 << entry[entry[entry[e].parent].parent].gives)
    :: else
    fi
}

/* SPEC 5.2, 5.11, 11.3: an entry from the peer */
inline take(s, e) {
    if
    :: entry[e].number < seat[s].length ->
        if
#ifndef MUTANT_DUPLICATES_REFUSED
        :: seat[s].log[entry[e].number] == e  /* a duplicate */
#endif
        :: else -> part(s, violation)
        fi
    :: else ->
        if
        :: entry[e].number != seat[s].length || entry[e].parent != HEAD(s) -> garbage(s)
        :: else ->
            if
            :: entry[e].number >= seat[s].theirs &&
               (SEAT(entry[e].number) == s || entry[e].handshake != seat[s].on) -> garbage(s)
            :: else ->
                /* the answer was made without knowing the committed share, except (THREATS) after our backup */
                assert(!(HONEST(s) && entry[e].informed && !EXPOSED(s, entry[e].parent)));  /* ANSWER */
                seat[s].spent = seat[s].spent || entry[e].informed;
                store(s, e);
                if
                :: SEAT(entry[e].number) != s -> learn(s, e)
#ifndef MUTANT_NOTHING_GIVEN_BACK_IS_KNOWN
                :: SEAT(entry[e].number) == s && CARRIES(entry[e].number) -> seat[s].exempt = e
#endif
                :: else
                fi;
                if
                :: seat[s].length == seat[s].theirs && e != seat[s].head -> garbage(s)
                :: seat[s].length == LAST && !(seat[s].length == seat[s].theirs && e != seat[s].head) -> finish(s)
                :: else
                fi
            fi
        fi
    fi
}

/* the number, in the table, of the entry that `s` makes now */
inline intern(s, c) {
    i = 1;
    do
    :: i < entries && !(entry[i].number == seat[s].length && entry[i].parent == HEAD(s) &&
                        entry[i].handshake == seat[s].on && entry[i].choice == c) -> i++
    :: else -> break
    od;
    if
    :: i < entries
    :: else ->
        assert(entries < ENTRIES);
        entry[i].number = seat[s].length;
        entry[i].parent = HEAD(s);
        entry[i].handshake = seat[s].on;
        entry[i].choice = c;
        entry[i].gives = i;
        entry[i].informed = (KIND(seat[s].length) == draw_contribution && KNOWS(s, entry[HEAD(s)].gives));
        j = 1;
        do
        :: j < i ->
            if
#ifdef MUTANT_SHARE_BY_NUMBER
            :: entry[j].number == entry[i].number -> entry[i].gives = entry[j].gives; break
#endif
#ifdef MUTANT_SHARE_WITHOUT_HANDSHAKE
            :: SAME_PLACE(i, j) && entry[j].choice == c -> entry[i].gives = entry[j].gives; break
#endif
            /* no fork by honest seats: one entry for each number and parent */
            :: else ->
                assert(!(SAME_PLACE(i, j) && HONEST(s) && !seat[s].restored));  /* FORK */
                /* and after a backup only if the peer itself showed no more (11.4) */
                assert(!(SAME_PLACE(i, j) && HONEST(s) && !REBUTTED(s)));  /* REBUTTAL */
                j++
            fi
        :: else -> break
        od;
        entries++;
        j = 0
    fi
}

/* make the expected entry, with the choice c: sign and store it; another step sends it */
inline make(s, c) {
    intern(s, c);
    /* a seat that lost entries of its own takes them back: it never signs again what the peer has */
    assert(LIAR != NOBODY || seat[1 - s].length <= seat[s].length);  /* BACKUP */
    if
    :: KIND(seat[s].length) == draw_contribution ->
        /* the committed choice and share were fixed without knowing this one */
        assert(!(HONEST(s) && KNOWS(1 - s, entry[i].gives)))  /* SHARE */
    :: else
    fi;
    seat[s].unsent = i;
#ifdef MUTANT_SEND_BEFORE_STORE
    send(s, ENTRY, i, 0);
#else
    store(s, i);
#endif
    i = 0
}

inline despatch(s) {
#ifdef MUTANT_SEND_BEFORE_STORE
    store(s, seat[s].unsent);
#else
    send(s, ENTRY, seat[s].unsent, 0);
#endif
    seat[s].unsent = 0
}

/* the steps of both seats while they have a connection */
#define PLAY(s) \
    :: d_step { OWES(s) && !CHOOSES(seat[s].length) -> make(s, 0) } \
    :: d_step { OWES(s) && CHOOSES(seat[s].length) -> make(s, 1) } \
    :: d_step { OWES(s) && CHOOSES(seat[s].length) -> make(s, 2) } \
    :: d_step { seat[s].unsent -> despatch(s) } \
    :: atomic { seat[s].on && !seat[s].unsent && (seat[s].on < connection || !alive) -> \
        flush(WIRE(s, seat[s].on)); leave(s) }

/* take a frame of the seat's connection; a stored entry that is not sent goes first */
#define HEAR(s) \
    seat[s].on && !seat[s].unsent && nempty(TO(s, seat[s].on))

proctype Guest() {
    byte what, x, y, i, j;
end:
    do
    PLAY(GUEST)
    :: atomic {  /* connect again: the proof names the log as it is, and stays true until the host's arrives */
        !seat[GUEST].on && !alive && connection < CONNECTIONS && !OVER(GUEST) &&
        !(seat[HOST].phase == finished && seat[GUEST].phase == finished) &&
        (!seat[HOST].on || seat[HOST].on == connection) ->
            connection++;
            alive = true;
            flush(WIRE(HOST, connection));
            flush(WIRE(GUEST, connection));
            flush(WIRE(GUEST, connection + 1));
            seat[GUEST].on = connection;
            send(GUEST, PROOF, seat[GUEST].length, HEAD(GUEST))
      }
    :: atomic {
        HEAR(GUEST) ->
            TO(GUEST, seat[GUEST].on) ? what, x, y;
            if
            :: what == PROOF -> resume(GUEST, x, y)
            :: what == ENTRY && !OVER(GUEST) -> take(GUEST, x)
            :: what == HERE && x == LAST && seat[GUEST].length == LAST && y == HEAD(GUEST) ->
                seat[GUEST].phase = finished
            :: else
            fi;
            what = 0; x = 0; y = 0
      }
    od
}

proctype Host() {
    byte what, x, y, i, j;
end:
    do
    PLAY(HOST)
#ifdef MUTANT_STALE_PROOF
    :: atomic {
        !greeted && seat[HOST].on < connection && nempty(TO(HOST, connection)) ->
            greeted = true;
            proved = seat[HOST].length
      }
#endif
    :: atomic {  /* a guest that has proved its key replaces the older connection; the host proves what it has now */
#ifdef MUTANT_STALE_PROOF
        greeted &&
#endif
        seat[HOST].on < connection && !seat[HOST].unsent && TO(HOST, connection) ? [PROOF, x, y] ->
            TO(HOST, connection) ? what, x, y;
            flush(WIRE(HOST, connection + 1));
            leave(HOST);
            seat[HOST].on = connection;
#ifdef MUTANT_STALE_PROOF
            send(HOST, PROOF, proved, (proved == 0 -> 0 : seat[HOST].log[proved - 1]));
            greeted = false;
            proved = 0;
#else
            send(HOST, PROOF, seat[HOST].length, HEAD(HOST));
#endif
            resume(HOST, x, y);
            what = 0; x = 0; y = 0
      }
    :: atomic {
        HEAR(HOST) ->
            TO(HOST, seat[HOST].on) ? what, x, y;
            if
            :: what == ENTRY && !OVER(HOST) -> take(HOST, x)
            :: else
            fi;
            what = 0; x = 0; y = 0
      }
    od
}

/* the connection breaks: frames in transit are lost, or some of them still arrive */
inline cut(also_to_host, also_to_guest) {
    alive = false;
    if
    :: flush(WIRE(HOST, connection))
    :: also_to_host
    fi;
    if
    :: flush(WIRE(GUEST, connection))
    :: also_to_guest
    fi
}

inline crash(s) {
    cut(s == GUEST, s == HOST);
    flush(WIRE(s, connection + 1));
#ifdef MUTANT_STALE_PROOF
    if
    :: s == HOST -> greeted = false; proved = 0
    :: else
    fi;
#endif
    leave(s)
}

/* start again from a backup: from the first `kept` entries of the log */
inline put_back(s) {
    kept = 0;
    do
    :: kept + 1 < seat[s].length -> kept++
    :: kept < seat[s].length -> break
    od;
    do
    :: seat[s].length > kept -> seat[s].length--; seat[s].log[seat[s].length] = 0
    :: else -> break
    od;
    if
    :: seat[s].phase == finished -> seat[s].phase = unconnected
    :: else
    fi;
    if
    :: HONEST(s) ->
        seat[s].restored = true;
#ifndef MUTANT_NOTHING_KEPT_IS_KNOWN
        seat[s].exempt = (kept > 0 && CARRIES(kept - 1) -> HEAD(s) : 0)
#endif
    :: else
    fi;
    kept = 0
}

/* accidents. They can stop at any moment, and then only the two seats take steps */
proctype World() {
    byte crashes = 0, restores = 0, lies = 0, kept = 0;
    do
    /* also what a relay can do: a frame that it drops, repeats or takes from another connection does not open, and so
       the frames before it are delivered, and the connection ends (SPEC 4.4). Delay is in the queues */
    :: atomic { CUTS && alive && connection < CONNECTIONS -> cut(true, true) }
#ifdef MUTANT_NO_CHANNEL
    :: atomic { alive && nempty(TO(HOST, connection)) -> TO(HOST, connection) ? _, _, _ }
    :: atomic { alive && nempty(TO(GUEST, connection)) -> TO(GUEST, connection) ? _, _, _ }
#endif
    :: atomic { connection < CONNECTIONS && crashes < CRASHES -> crashes++; crash(HOST) }
    :: atomic { connection < CONNECTIONS && crashes < CRASHES -> crashes++; crash(GUEST) }
#if RESTORES > 0
    :: atomic { connection < CONNECTIONS && restores < RESTORES && seat[HOST].length && HONEST(HOST) ->
        restores++; crash(HOST); put_back(HOST) }
    :: atomic { connection < CONNECTIONS && restores < RESTORES && seat[GUEST].length && HONEST(GUEST) ->
        restores++; crash(GUEST); put_back(GUEST) }
#endif
#if LIAR < 2
    :: atomic { connection < CONNECTIONS && lies < 1 && seat[LIAR].length -> lies++; crash(LIAR); put_back(LIAR) }
#endif
    :: break
    od
}

init {
    atomic {
        seat[HOST].phase = unconnected;
        seat[GUEST].phase = unconnected;
        run Guest();
        run Host();
        run World()
    }
    /* no step is possible any more: both have finished */
    timeout -> assert(LIAR != NOBODY || (seat[HOST].phase == finished && seat[GUEST].phase == finished && ALIKE))  /* END */
}
