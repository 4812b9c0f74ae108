/** The thread that verifies: it takes one log at a time, and gives the report and what the page shows besides. */

import { sha256 } from "@noble/hashes/sha2.js";
import { bytesToHex, hexToBytes } from "@noble/hashes/utils.js";
import { taggedHash } from "../core/hashes.js";
import { examine } from "../core/verify.js";
import { GAMES } from "../games/index.js";

addEventListener("message", async ({ data: { id, bytes, data, handshakes } }) => {
  const progress = (done) => postMessage({ id, done });
  try {
    const kept = new Map(data.map((content) => [bytesToHex(sha256(content)), content]));
    const { report, steps, unruled } = await examine(bytes, { games: GAMES, data: kept, handshakes, progress });
    const fingerprints = (report.keys ?? unruled?.keys ?? []).map(fingerprint);
    const digest = bytesToHex(sha256(bytes));
    postMessage({ id, examined: { report, unruled, steps: steps.map(shown), fingerprints, digest } });
  } catch (error) {
    postMessage({ id, error: String(error) });
  }
});

/** A step without the states of the game, which no page shows. */
const shown = ({ indices, actions, player }) => ({ indices, actions, player });

/** The fingerprint of a key (SPEC 3.7), in groups of four digits. */
const fingerprint = (key) =>
  bytesToHex(taggedHash("fingerprint", hexToBytes(key)).slice(0, 16)).match(/.{4}/gu).join(" ");
