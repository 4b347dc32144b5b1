// Requests to the server. Errors have a text for people.

export class ApiError extends Error {
  constructor(status, body) {
    super(body.error ?? `The server answers ${status}.`);
    this.status = status;
    this.code = body.code ?? "";
    this.column = body.column ?? null;
    this.body = body;
  }
}

async function request(method, path, { body, token, signal } = {}) {
  const headers = { Accept: "application/json" };
  if (body !== undefined) headers["Content-Type"] = "application/json";
  if (token) headers.Authorization = `Bearer ${token}`;
  let answer;
  try {
    answer = await fetch(path, { method, headers, body: body === undefined ? undefined : JSON.stringify(body), signal });
  } catch (error) {
    if (error.name === "AbortError") throw error;
    throw new ApiError(0, { error: "Hematite does not answer. Is it still running?", code: "offline" });
  }
  const text = await answer.text();
  const isJson = /^application\/json\b/.test(answer.headers.get("Content-Type") ?? "");
  let found = text;
  if (isJson) {
    try {
      found = JSON.parse(text);
    } catch {
      found = {};
    }
  }
  if (!answer.ok) throw new ApiError(answer.status, isJson ? found : {});
  return found;
}

export const get = (path, options) => request("GET", path, options);
export const put = (path, body, options) => request("PUT", path, { body, ...options });
export const post = (path, body, options) => request("POST", path, { body, ...options });

let about = null;

// Name, levels, files and addresses of the server; asked for once.
export function aboutServer() {
  about ??= get("/api/about").catch((error) => {
    about = null;
    throw error;
  });
  return about;
}

// Answers to positions that have been asked for, the newest last.
const positions = new Map();
const KEPT_POSITIONS = 500;

// The server's facts about the position after these moves: legal moves, check, opening, material, problems.
export async function position(fen, moves = []) {
  const key = fen + moves.join(" ");
  const known = positions.get(key);
  if (known) return known;
  const found = await post("/api/positions", { fen, moves });
  positions.set(key, found);
  if (positions.size > KEPT_POSITIONS) positions.delete(positions.keys().next().value);
  return found;
}
