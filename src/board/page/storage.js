// What this browser remembers. A browser that forbids it forgets with the page.

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

export function keepSeat(id, seat) {
  const all = load("seats", {});
  const others = (all[id] ?? []).filter(({ token }) => token !== seat.token);
  delete all[id];
  all[id] = [...others, seat];
  const ids = Object.keys(all);
  for (const old of ids.slice(0, Math.max(0, ids.length - KEPT_GAMES))) delete all[old];
  store("seats", all);
}

export function dropSeat(id, token) {
  const all = load("seats", {});
  all[id] = (all[id] ?? []).filter((seat) => seat.token !== token);
  store("seats", all);
}

export function knownGames() {
  return load("seats", {});
}

// What this browser is in tournaments: id -> { host, player }, the tokens.
export function partsIn(id) {
  return load("tournaments", {})[id] ?? {};
}

export function keepPart(id, part) {
  const all = load("tournaments", {});
  const kept = { ...all[id], ...part };
  delete all[id];
  all[id] = kept;
  const ids = Object.keys(all);
  for (const old of ids.slice(0, Math.max(0, ids.length - KEPT_GAMES))) delete all[old];
  store("tournaments", all);
}
