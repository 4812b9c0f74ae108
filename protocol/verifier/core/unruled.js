/** Matches of games whose rules are not known here: everything of SPEC 5 is checked but these. */

import { sameBytes } from "./bytes.js";
import { Illegal } from "./errors.js";
import { Match } from "./match.js";

/** In the place of a game: it lets everything pass, and knows no states and no bounds of draws. */
const NO_RULES = {
  asks: () => ({ kind: "draw", bounds: [] }),
  legal: () => true,
  act: () => null,
  choose: () => null,
  draw: () => null,
};

/** In the place of an expected entry, where only the rules would say which it is. */
const UNKNOWN = { seat: null, kind: null };

/** Kinds of entries with which the state changes (SPEC 5.8). */
const MOVING = ["draw_reveal", "action", "choice_reveal"];

export class UnruledMatch extends Match {
  /** @param {import("./match.js").Session} session */
  constructor(session) {
    super(session, NO_RULES, null);
  }

  /** Take what has come for what the rules would expect, if it can come at such a place. */
  awaited({ seat, kind }) {
    const { awaits } = this.position;
    if (awaits !== UNKNOWN) return awaits;
    return ["choice_commit", "result"].includes(kind) ? { seat: 0, kind } : { seat, kind: "action" };
  }

  /** An entry that does not change the state must repeat the hash before it. */
  checkState(entry) {
    const before = this.entries.at(-1);
    const isKept = before && !MOVING.includes(entry.kind);
    if (isKept && !sameBytes(entry.state, before.state)) throw new Illegal("wrong_state");
  }

  /** A commitment to a share announces a draw. */
  reach(first, state, carried, entry) {
    if (carried !== null) return super.reach(first, state, carried, entry);
    return { position: { first, state, awaits: UNKNOWN, result: null } };
  }

  /** The scores are those of which both say so. */
  result(content, entry) {
    if (this.position.result === null) {
      if (!isScored(content)) throw new Illegal("wrong_result");
      this.position = { ...this.position, result: content };
    }
    return super.result(content, entry);
  }
}

/** Decide if a result has the form of a game that ended by its rules (SPEC 5.10). */
function isScored(content) {
  if (!Array.isArray(content) || content.length !== 3) return false;
  const [reason, scores, winner] = content;
  return (
    reason === "over" &&
    Array.isArray(scores) &&
    scores.length === 2 &&
    scores.every((score) => Number.isSafeInteger(score)) &&
    [0, 1, null].includes(winner)
  );
}
