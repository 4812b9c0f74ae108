/**
 * Answer requests in JSON, one a line, on standard input: many logs and games in one process, for `tests/verifier`.
 *
 * `{ log, data, handshakes }` is answered with the verdict of SPEC 9.3, without `file`. `{ game, settings, data, steps,
 * asked }` follows a game: its answer has what each position is and asks for, and for each `[player, action]` in
 * `asked`, by position, if that is legal. Byte strings are in hexadecimal.
 */

import { createInterface } from "node:readline";

import { verify } from "../core/verify.js";
import { GAMES } from "../games/index.js";

const bytes = (hex) => new Uint8Array(Buffer.from(hex, "hex"));
const dataOf = (request) => new Map(Object.entries(request.data).map(([digest, hex]) => [digest, bytes(hex)]));

function follow({ game: name, settings, steps, asked }, data) {
  const game = GAMES.find((each) => each.name === name);
  const positions = [game.start(game.settings(settings), data)];
  for (const step of steps) positions.push(after(game, positions.at(-1), step));
  const { scores, winner } = game.result(positions.at(-1));
  return {
    positions: positions.map((state, at) => ({
      value: game.value(state),
      asks: game.asks(state),
      legal: asked[at].map(([player, action]) => game.legal(state, player, action)),
    })),
    result: [scores, winner],
  };
}

/** The position after a step: `{ indices }`, `{ actions }` of a choice, or `{ player, action }`. */
function after(game, state, { indices, actions, player, action }) {
  if (indices) return game.draw(state, indices);
  return actions ? game.choose(state, actions) : game.act(state, player, action);
}

for await (const line of createInterface({ input: process.stdin })) {
  const request = JSON.parse(line);
  const data = dataOf(request);
  const answer = request.game
    ? follow(request, data)
    : await verify(bytes(request.log), { games: GAMES, data, handshakes: request.handshakes });
  console.log(JSON.stringify(answer));
}
