/** A match: the entries of one session, folded one after the other (SPEC 5). */

import { sameBytes, toHex } from "./bytes.js";
import { encode } from "./canonical.js";
import { drawIndices, drawSeed } from "./chance.js";
import { parseContent } from "./entry.js";
import { Illegal, OutOfPlace } from "./errors.js";
import { choiceCommitment, shareCommitment, taggedHash } from "./hashes.js";

/** @typedef {import("./entry.js").Entry} Entry */

/**
 * @typedef {object} Session
 * @property {Uint8Array} id
 * @property {Uint8Array} handshake the hash of its first handshake
 * @property {[import("./signatures.js").PublicKey, import("./signatures.js").PublicKey]} keys by seat
 */

/**
 * The position of a match, between two entries.
 * @typedef {object} Position
 * @property {0 | 1 | null} first the seat of player 0; null until the opening draw
 * @property {object} state the state of the game
 * @property {Awaited | null} awaits the expected entry; null when both results are there
 * @property {[string, number[] | null, 0 | 1 | null] | null} result by seat (SPEC 5.10); null until the match ends
 */

/**
 * The expected entry (SPEC 5.3), with what the entries before it left open.
 * @typedef {object} Awaited
 * @property {0 | 1} seat
 * @property {string} kind
 * @property {{ number: number, hash: Uint8Array }} [commitment] to a share or an action: where it is, and what
 * @property {Uint8Array} [share] the other's, when a `draw_reveal` is expected
 * @property {string} [answer] the other's action, when a `choice_reveal` is expected
 */

/**
 * An entry that was taken, and its effect.
 * @typedef {object} Step
 * @property {number} number
 * @property {0 | 1} seat
 * @property {string} kind
 * @property {object} state the state of the game after it
 * @property {number[]} [indices] of a draw; of the opening draw without the first
 * @property {0 | 1} [first] the first index of the opening draw
 * @property {0 | 1} [player] whose action it is
 * @property {string[]} [actions] one, or those of a simultaneous choice, player 0's first
 */

export class Match {
  /**
   * @param {Session} session
   * @param {object} game a game module
   * @param {object} state the game's first
   */
  constructor(session, game, state) {
    this.session = session;
    this.game = game;
    /** @type {Position} */
    this.position = { first: null, state, awaits: { seat: 0, kind: "draw_commit" }, result: null };
    /** @type {Entry[]} */
    this.entries = [];
    this.head = session.id;
    /** The heads that the chain has had, in hexadecimal. */
    this.heads = new Set([toHex(session.id)]);
  }

  /** The number of entries so far. */
  get number() {
    return this.entries.length;
  }

  /**
   * Decide if an entry is a fork: the second that its author signed for one place (SPEC 5.11).
   * @param {Entry} entry
   * @returns {boolean}
   */
  isFork(entry) {
    if (entry.number >= this.number) return false;
    const taken = this.entries[entry.number];
    return (
      sameBytes(entry.session, this.session.id) &&
      sameBytes(entry.parent, taken.parent) &&
      entry.seat === taken.seat &&
      !sameBytes(entry.hash, taken.hash) &&
      this.session.keys[entry.seat].verifies(entry.hash, entry.signature)
    );
  }

  /**
   * Add an entry to the chain. If it does not belong there, nothing changes.
   * @param {Entry} entry
   * @returns {Step}
   * @throws {OutOfPlace} if it is not in its place (SPEC 5.2)
   * @throws {Illegal} if its author must not make it (SPEC 5.11)
   */
  take(entry) {
    this.checkPlace(entry);
    const { position, ...told } = this.follow(entry);
    this.checkState(entry, position);
    this.position = position;
    this.entries.push(entry);
    this.head = entry.hash;
    this.heads.add(toHex(entry.hash));
    return { number: entry.number, seat: entry.seat, kind: entry.kind, state: position.state, ...told };
  }

  /**
   * Return what is expected where an entry has come.
   * @returns {Awaited | null}
   */
  awaited(_entry) {
    return this.position.awaits;
  }

  checkPlace(entry) {
    const awaits = this.awaited(entry);
    if (awaits === null) throw new OutOfPlace("entry_after_the_end");
    if (!sameBytes(entry.session, this.session.id)) throw new OutOfPlace("wrong_session");
    if (entry.number !== this.number) throw new OutOfPlace("wrong_number", { number: entry.number });
    if (!sameBytes(entry.parent, this.head)) throw new OutOfPlace("wrong_parent");
    if (entry.seat !== awaits.seat) throw new OutOfPlace("wrong_seat");
    const key = this.session.keys[entry.seat];
    if (!key.verifies(entry.hash, entry.signature)) throw new OutOfPlace("bad_signature");
  }

  /** Compute the `position` after an entry in its place, and the other properties of its step. */
  follow(entry) {
    const { result } = this.position;
    const awaits = this.awaited(entry);
    const ending = entry.kind === "resignation" || entry.kind === "abandonment";
    if (ending && result) throw new Illegal("already_ended");
    // a player could otherwise see what a share or a choice leads to, and then not open it
    if (entry.kind === "abandonment" && ["draw_reveal", "choice_reveal"].includes(this.position.awaits.kind)) {
      throw new Illegal("abandoned_instead_of_reveal");
    }
    if (!ending && entry.kind !== awaits.kind) {
      throw new Illegal("wrong_kind", { kind: entry.kind, expected: awaits.kind });
    }
    // so the kind is the name of one of the methods below
    return this[entry.kind](parseContent(entry), entry);
  }

  /** Check the state hash of an entry that leads to a position (SPEC 5.8). */
  checkState(entry, { first, state }) {
    if (!sameBytes(entry.state, taggedHash("state", first, this.game.value(state)))) throw new Illegal("wrong_state");
  }

  // A method for each kind of entry (SPEC 5.4): what its content must be, and to which position it leads.

  draw_commit([hash], entry) {
    return this.expect({ seat: 1, kind: "draw_contribution", commitment: { number: entry.number, hash } });
  }

  draw_contribution([share], entry) {
    const { commitment } = this.position.awaits;
    return this.expect({ seat: 1 - entry.seat, kind: "draw_reveal", commitment, share });
  }

  draw_reveal([share, carried], entry) {
    const { first, state, awaits } = this.position;
    const { commitment } = awaits;
    const { id, keys } = this.session;
    const committed = shareCommitment(id, commitment.number, keys[entry.seat].bytes, share);
    if (!sameBytes(committed, commitment.hash)) throw new Illegal("share_not_committed");
    const shares = entry.seat === 0 ? [share, awaits.share] : [awaits.share, share];
    const seed = drawSeed(id, entry.number, entry.parent, shares);

    const asked = this.game.asks(state);
    const bounds = asked.kind === "draw" ? asked.bounds : [];
    if (first !== null) {
      const indices = drawIndices(seed, bounds);
      return { ...this.reach(first, this.game.draw(state, indices), carried, entry), indices };
    }
    const [seat, ...indices] = drawIndices(seed, [2, ...bounds]);
    const drawn = asked.kind === "draw" ? this.game.draw(state, indices) : state;
    return { ...this.reach(seat, drawn, carried, entry), indices, first: seat };
  }

  action([action, carried], entry) {
    const { first, state } = this.position;
    const player = playerAt(entry.seat, first);
    this.checkLegal(player, action);
    const acted = this.game.act(state, player, action);
    return { ...this.reach(first, acted, carried, entry), player, actions: [action] };
  }

  choice_commit([hash], entry) {
    return this.expect({ seat: 1, kind: "choice_contribution", commitment: { number: entry.number, hash } });
  }

  choice_contribution([answer], entry) {
    const { first, awaits } = this.position;
    this.checkLegal(playerAt(entry.seat, first), answer);
    return this.expect({ seat: 0, kind: "choice_reveal", commitment: awaits.commitment, answer });
  }

  choice_reveal([action, salt, carried], entry) {
    const { first, state, awaits } = this.position;
    const { commitment, answer } = awaits;
    const { id, keys } = this.session;
    const committed = choiceCommitment(id, commitment.number, keys[entry.seat].bytes, salt, action);
    if (!sameBytes(committed, commitment.hash)) throw new Illegal("choice_not_committed");
    this.checkLegal(playerAt(entry.seat, first), action);
    const actions = first === 0 ? [action, answer] : [answer, action];
    return { ...this.reach(first, this.game.choose(state, actions), carried, entry), actions };
  }

  resignation([seat, head, signature]) {
    const { id, keys } = this.session;
    const isKnown = this.heads.has(toHex(head));
    if (!isKnown || !keys[seat].verifies(taggedHash("resignation", id, seat, head), signature)) {
      throw new Illegal("false_resignation");
    }
    return this.end(["resigned", null, 1 - seat]);
  }

  abandonment([signature], entry) {
    const { id, keys } = this.session;
    const other = 1 - entry.seat;
    const offer = taggedHash("offer", id, other, entry.number);
    if (!keys[other].verifies(offer, signature)) throw new Illegal("false_offer");
    return this.end(["abandoned", null, null]);
  }

  result(content, entry) {
    // two values are the same if their encodings are
    if (!sameBytes(encode(content), encode(this.position.result))) throw new Illegal("wrong_result");
    return this.expect(entry.seat === 0 ? { seat: 1, kind: "result" } : null);
  }

  /** Expect another entry, in the same state of the game. */
  expect(awaits) {
    return { position: { ...this.position, awaits } };
  }

  /** Reach another state of the game, which decides the entry that is expected (SPEC 5.3). */
  reach(first, state, carried, entry) {
    const asked = this.game.asks(state);
    if (asked.kind === "draw") {
      if (!(carried instanceof Uint8Array && carried.length === 32)) throw new Illegal("no_commitment");
      const commitment = { number: entry.number, hash: carried };
      const awaits = { seat: 1 - entry.seat, kind: "draw_contribution", commitment };
      return { position: { first, state, awaits, result: null } };
    }
    if (carried !== null) throw new Illegal("idle_commitment");
    if (asked.kind === "over") {
      const { scores, winner } = this.game.result(state);
      const bySeat = first === 0 ? scores : [scores[1], scores[0]];
      const result = ["over", bySeat, winner === null ? null : seatOf(winner, first)];
      return { position: { first, state, awaits: { seat: 0, kind: "result" }, result } };
    }
    const turn = asked.kind === "turn";
    const awaits = turn ? { seat: seatOf(asked.player, first), kind: "action" } : { seat: 0, kind: "choice_commit" };
    return { position: { first, state, awaits, result: null } };
  }

  /** End the match before the game does (SPEC 5.9). Pending commitments are dropped. */
  end(result) {
    return { position: { ...this.position, awaits: { seat: 0, kind: "result" }, result } };
  }

  checkLegal(player, action) {
    if (!this.game.legal(this.position.state, player, action)) throw new Illegal("illegal_action", { action });
  }
}

/** Return the seat of a player, where player 0 sits at seat `first`. */
function seatOf(player, first) {
  return first === 0 ? player : 1 - player;
}

/** Return the player at a seat. */
function playerAt(seat, first) {
  return first === 0 ? seat : 1 - seat;
}
