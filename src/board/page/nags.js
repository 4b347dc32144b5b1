// Glyphs of moves and positions (PGN standard, 10). Those with buttons stand here; the server knows all of them.

import { get } from "./api.js";

export const MOVE_NAGS = [
  ["$1", "!", "good move"], ["$2", "?", "mistake"], ["$3", "!!", "brilliant move"], ["$4", "??", "blunder"],
  ["$5", "!?", "interesting move"], ["$6", "?!", "dubious move"], ["$7", "□", "only move"],
];

export const POSITION_NAGS = [
  ["$10", "=", "even"], ["$13", "∞", "unclear"], ["$14", "+/=", "White is slightly better"], ["$15", "=/+", "Black is slightly better"],
  ["$16", "±", "White is better"], ["$17", "∓", "Black is better"], ["$18", "+−", "White is winning"], ["$19", "−+", "Black is winning"],
];

const KNOWN = new Map([...MOVE_NAGS, ...POSITION_NAGS, ["$146", "N", "novelty"]].map(([nag, sign, text]) => [nag, { sign, text }]));

const own = [...KNOWN.keys()].filter((nag) => nag !== "$146");
let all = null;

// Asks the server for the names of all, once; without them numbers are shown.
export function loadNags() {
  all ??= get("/api/notation").then(({ nags }) => nags.forEach(({ nag, sign, meaning: text }) => {
    if (!KNOWN.has(`$${nag}`)) KNOWN.set(`$${nag}`, { sign: sign ?? `$${nag}`, text });
  })).catch(() => {
    all = null;
  });
  return all;
}

// Those without a button of their own: [[nag, sign, text]].
export const otherNags = () => [...KNOWN].filter(([nag]) => !own.includes(nag) && nag !== "$0").map(([nag, { sign, text }]) => [nag, sign, text]);

export const nagSign = (nag) => KNOWN.get(nag) ?? { sign: nag, text: `glyph ${nag.slice(1)}` };

export const isMoveNag = (nag) => MOVE_NAGS.some(([known]) => known === nag);
