// The engine of the analysis: one search at a time, the newest wish counts.

import { Socket } from "./socket.js";

// The text while other searches come first.
export const WAITING = "Waiting for another search …";

export class EngineLink {
  // `oninfo(info, wish)`: depth, speed and lines for what was asked for; `onwaiting()` if other searches come first;
  // `isSecond` if the second engine is asked; `isShort` for a question that is answered in a moment, before others.
  // A page that is not seen searches nothing, so that other pages get their turn.
  constructor({ oninfo, ondone = () => {}, onerror = () => {}, onwaiting = () => {}, isSecond = false, isShort = false }) {
    Object.assign(this, { oninfo, ondone, onerror, onwaiting, isSecond, isShort, wish: null, socket: null });
    this.look = () => {
      if (this.wish) this.socket?.send(this.message);
    };
    document.addEventListener("visibilitychange", this.look);
  }

  // The newest question, or an end of the search.
  get message() {
    return this.wish && !document.hidden ? { search: { ...this.wish, short: this.isShort } } : { stop: {} };
  }

  search(wish) {
    this.wish = wish;
    if (!this.socket) {
      this.socket = new Socket(`/api/analysis/engine${this.isSecond ? "?second=true" : ""}`, {
        hello: () => (this.wish && !document.hidden ? this.message : null),
        onmessage: (message) => this.receive(message),
      });
      return;
    }
    this.socket.send(this.message);
  }

  receive({ info, done, waiting, error, refused }) {
    if (waiting && this.wish) this.onwaiting();
    // Messages after a stop belong to the search before it.
    if (info && this.wish) this.oninfo(info, this.wish);
    if (done && this.wish && !document.hidden) this.ondone(this.wish);
    const told = error ?? refused;
    if (told) this.onerror(told.text ?? told.error ?? String(told));
  }

  stop() {
    this.wish = null;
    this.socket?.send({ stop: {} });
  }

  close() {
    this.wish = null;
    document.removeEventListener("visibilitychange", this.look);
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
