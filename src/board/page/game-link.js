// The connection of this page to a game: one socket for each seat that it has, or one to watch.

import { ApiError } from "./api.js";
import { Socket } from "./socket.js";

const PATIENCE_MS = 10_000;

const isSeat = (role) => role === "white" || role === "black";

export class GameLink {
  // `tokens`: of the seats; none to watch. `onstate(state)` gets the newest state, as the side to move sees it;
  // `ontoken(old, new, role)` the token that takes the place of an invitation; `onlag` the round-trip times of the
  // connections of both players.
  constructor(id, tokens, { onstate, onconnection, ontoken, onlag }) {
    Object.assign(this, { onstate, ontoken, onlag });
    this.ends = (tokens.length ? tokens : [null]).map((token) => ({ token, state: null, waiting: new Map(), socket: null }));
    this.next = 1;
    for (const end of this.ends) {
      end.socket = new Socket(`/api/games/${encodeURIComponent(id)}/socket`, {
        hello: () => ({ hello: { token: end.token, version: end.state?.version ?? null, lag: true } }),
        onmessage: (message) => this.receive(end, message),
        onstate: (isOpen) => {
          if (!isOpen) this.lose(end);
          onconnection(isOpen);
        },
      });
    }
  }

  receive(end, { state, refused, id, error, lag }) {
    if (lag) this.onlag(lag);
    // An invitation is valid once: the player who takes the seat gets a token of his own.
    if (state?.token && state.token !== end.token && isSeat(state.role)) {
      this.ontoken(end.token, state.token, state.role);
      end.token = state.token;
    }
    if (state && (!end.state || state.version >= end.state.version)) {
      end.state = state;
      const shown = this.current();
      if (shown) this.onstate(shown);
    }
    const waiting = end.waiting.get(id);
    end.waiting.delete(id);
    if (refused) waiting?.reject(new ApiError(409, { error: refused.text, code: refused.code }));
    else if (state) waiting?.resolve(state);
    if (error) {
      waiting?.reject(new ApiError(400, { error: typeof error === "string" ? error : error.text ?? error.error }));
      this.onstate(null, typeof error === "string" ? error : error.text ?? error.error);
    }
  }

  // The state as the seat sees it that has the move; the first one otherwise.
  current() {
    const known = this.ends.map(({ state }) => state).filter(Boolean);
    const newest = Math.max(...known.map(({ version }) => version));
    const fresh = known.filter(({ version }) => version === newest);
    return fresh.find(({ role, turn }) => role === turn) ?? fresh[0] ?? null;
  }

  get roles() {
    return this.ends.map(({ state }) => state?.role).filter(Boolean);
  }

  // Does something, as this role if there are several, and only in this version of the game if one is stated. Refusals
  // are errors.
  act(act, role = this.current()?.role, version = undefined) {
    const end = this.ends.find(({ state }) => state?.role === role) ?? this.ends[0];
    const id = this.next;
    this.next += 1;
    return new Promise((resolve, reject) => {
      if (!end.socket.send({ act, id, version })) {
        reject(new ApiError(0, { error: "There is no connection at the moment.", code: "offline" }));
        return;
      }
      const timer = setTimeout(() => {
        end.waiting.delete(id);
        reject(new ApiError(0, { error: "The server does not answer.", code: "offline" }));
      }, PATIENCE_MS);
      const settle = (call) => (value) => {
        clearTimeout(timer);
        call(value);
      };
      end.waiting.set(id, { resolve: settle(resolve), reject: settle(reject) });
    });
  }

  token(role) {
    return (this.ends.find(({ state }) => state?.role === role) ?? this.ends[0]).token;
  }

  // Whether it went through is unknown; the next state says it.
  lose(end) {
    for (const waiting of end.waiting.values()) waiting.reject(new ApiError(0, { error: "The connection was cut off.", code: "cut" }));
    end.waiting.clear();
  }

  close() {
    this.ends.forEach((end) => {
      end.socket.close();
      this.lose(end);
    });
  }
}
