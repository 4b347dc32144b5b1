// The engine of the analysis: one search at a time, the newest wish counts.

import { Socket } from "./socket.js";

export class EngineLink {
  // `oninfo(info, wish)`: depth, speed and lines for what was asked for; `isSecond` if the second engine is asked.
  constructor({ oninfo, ondone = () => {}, onerror = () => {}, isSecond = false }) {
    Object.assign(this, { oninfo, ondone, onerror, isSecond, wish: null, socket: null });
  }

  search(wish) {
    this.wish = wish;
    if (!this.socket) {
      this.socket = new Socket(`/api/analysis/engine${this.isSecond ? "?second=true" : ""}`, {
        hello: () => (this.wish ? { search: this.wish } : null),
        onmessage: (message) => this.receive(message),
      });
      return;
    }
    this.socket.send({ search: wish });
  }

  receive({ info, done, error, refused }) {
    // Messages after a stop belong to the search before it.
    if (info && this.wish) this.oninfo(info, this.wish);
    if (done && this.wish) this.ondone(this.wish);
    const told = error ?? refused;
    if (told) this.onerror(told.text ?? told.error ?? String(told));
  }

  stop() {
    this.wish = null;
    this.socket?.send({ stop: {} });
  }

  close() {
    this.wish = null;
    this.socket?.close();
    this.socket = null;
  }
}

// "+0.35", "−1.20", "#3": from White's view.
export function scoreText({ cp, mate }) {
  if (mate !== null && mate !== undefined) return `${mate < 0 ? "−" : ""}#${Math.abs(mate)}`;
  if (cp === null || cp === undefined) return "";
  const pawns = (Math.abs(cp) / 100).toFixed(2);
  return cp > 0 ? `+${pawns}` : cp < 0 ? `−${pawns}` : pawns;
}

// The expected result for White at a score, from 0 to 1; only for the length of a bar.
export function expectation({ cp, mate }) {
  if (mate !== null && mate !== undefined) return mate > 0 ? 1 : mate < 0 ? 0 : 0.5;
  return 1 / (1 + Math.exp(-(cp ?? 0) / 250));
}
