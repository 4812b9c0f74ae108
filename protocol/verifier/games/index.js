/** The games that are known here. */

import { shanghaien } from "./shanghaien.js";

export const GAMES = Object.freeze([shanghaien]);
