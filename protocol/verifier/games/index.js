/** The games that are known here. */

import { halunken } from "./halunken.js";
import { macao } from "./macao.js";
import { shanghaien } from "./shanghaien.js";

export const GAMES = Object.freeze([shanghaien, halunken, macao]);
