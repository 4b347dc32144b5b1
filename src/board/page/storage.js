// The storage of this browser. If the browser forbids it, values last as long as the page.

const memory = new Map();

export function load(key, fallback) {
  try {
    const text = localStorage.getItem(`hematite.${key}`);
    return text === null ? (memory.get(key) ?? fallback) : JSON.parse(text);
  } catch {
    return memory.get(key) ?? fallback;
  }
}

// Whether there was room for it.
export function store(key, value) {
  memory.set(key, value);
  try {
    if (value === undefined) localStorage.removeItem(`hematite.${key}`);
    else localStorage.setItem(`hematite.${key}`, JSON.stringify(value));
  } catch (error) {
    // It is in memory.
    return error.name !== "QuotaExceededError";
  }
  return true;
}

// Games in which this browser has a seat: id -> [{ token, role }]. Two seats are a game on one screen.
export function seats(id) {
  return load("seats", {})[id] ?? [];
}

const KEPT_GAMES = 200;

// Remembers something of a game, or forgets it without a value. Of so many games the oldest are forgotten.
export function keepOf(name, id, value) {
  const all = load(name, {});
  delete all[id];
  if (value !== undefined) all[id] = value;
  const ids = Object.keys(all);
  for (const old of ids.slice(0, Math.max(0, ids.length - KEPT_GAMES))) delete all[old];
  store(name, all);
}

export const keptOf = (name, id) => load(name, {})[id];

// Of so many games the tokens are kept. Those of games that are over are forgotten first, then those of arbiters; a
// player never loses the seat in a game that is not over.
export function keepSeat(id, seat) {
  const all = load("seats", {});
  const others = (all[id] ?? []).filter(({ token }) => token !== seat.token);
  delete all[id];
  all[id] = [...others, seat];
  const isOver = (old) => all[old].every((one) => one.isOver);
  const isArbiter = (old) => !isOver(old) && all[old].every(({ role }) => role === "arbiter");
  const old = Object.keys(all).filter((other) => other !== id);
  const surplus = Math.max(0, old.length + 1 - KEPT_GAMES);
  for (const game of [...old.filter(isOver), ...old.filter(isArbiter)].slice(0, surplus)) delete all[game];
  store("seats", all);
}

// These games are over.
export function finishGames(ids) {
  const all = load("seats", {});
  const seatsThere = ids.flatMap((id) => all[id] ?? []).filter(({ isOver }) => !isOver);
  seatsThere.forEach((seat) => {
    seat.isOver = true;
  });
  if (seatsThere.length) store("seats", all);
}

// The token with which this tab takes part in a game. Another tab of the browser may have another seat.
export function keepTab(id, token) {
  sessionStorage.setItem(`hematite.tab.${id}`, token);
}

export const tabToken = (id) => sessionStorage.getItem(`hematite.tab.${id}`);

export function dropSeat(id, token) {
  const all = load("seats", {});
  all[id] = (all[id] ?? []).filter((seat) => seat.token !== token);
  store("seats", all);
}

export function knownGames() {
  return load("seats", {});
}

// The tokens with which this browser is the arbiter of games: id -> token.
export function arbiterTokens() {
  const ofSeats = Object.entries(knownGames()).map(([id, kept]) => [id, kept.find(({ role }) => role === "arbiter")?.token]);
  const ofInvites = Object.entries(load("invites", {})).map(([id, { arbiter }]) => [id, arbiter]);
  const all = [...ofSeats, ...ofInvites, ...Object.entries(load("arbiters", {}))];
  const isClosed = load("closed", {});
  return new Map(all.filter(([id, token]) => token && !isClosed[id]));
}

// There is nothing left to do for the arbiter of a game.
export function closeArbiter(id) {
  keepOf("arbiters", id);
  keepOf("closed", id, true);
}

// The tokens with which this browser is the host of tournaments: id -> token.
export function hostTokens() {
  return new Map(Object.entries(load("tournaments", {})).map(([id, { host }]) => [id, host]).filter(([, token]) => token));
}

// The tokens of this browser in tournaments: id -> { host, player }.
export function partsIn(id) {
  return load("tournaments", {})[id] ?? {};
}

export function keepPart(id, part) {
  keepOf("tournaments", id, { ...partsIn(id), ...part });
}
