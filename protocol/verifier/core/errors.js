/** Errors in a log, by the names of SPEC 14. The class of an error decides the verdict (SPEC 9.1). */

/** An error of any class; `reason` is its name, and `details` say more about it, for people. */
export class LogError extends Error {
  /**
   * @param {string} reason a name of SPEC 14
   * @param {object} [details] ready for JSON
   */
  constructor(reason, details = {}) {
    super(reason);
    this.reason = reason;
    this.details = details;
  }
}

/** Bytes that do not have the form that SPEC gives them: INVALID FILE. */
export class Malformed extends LogError {}

/** A game, a version of its rules or data that are not known here: UNSUPPORTED. */
export class Unsupported extends LogError {}

/** An entry that is not in its place (SPEC 5.2): INVALID FILE. */
export class OutOfPlace extends LogError {}

/** An entry in its place that its author must not make (SPEC 5.11): VIOLATION. */
export class Illegal extends LogError {}
