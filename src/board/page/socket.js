// A WebSocket that comes back: after a cut it waits, longer each time, and at once when the network is there again.

import { tellConnection } from "./tell.js";

const FIRST_WAIT_MS = 250;
const LONGEST_WAIT_MS = 10_000;
// A shorter cut is not shown.
const TOLD_AFTER_MS = 800;

// Sockets that are cut off at the moment; the line at the bottom is about all of them.
const lost = new Set();

function tell() {
  tellConnection(lost.size ? "Connection lost. Trying again …" : null);
}

export class Socket {
  // `hello` gives the first message of each connection.
  constructor(path, { hello, onmessage, onstate = () => {} }) {
    Object.assign(this, { path, hello, onmessage, onstate, wait: FIRST_WAIT_MS, isRefused: false, isClosed: false, socket: null, telling: null });
    this.retry = () => {
      if (!this.isOpen && !document.hidden) this.open();
    };
    // A page that the browser sets aside for the back key has no open sockets.
    this.pause = () => {
      this.isPaused = true;
      clearTimeout(this.timer);
      this.socket?.close();
    };
    this.resume = () => {
      if (!this.isPaused) return;
      this.isPaused = false;
      this.open();
    };
    addEventListener("pagehide", this.pause);
    addEventListener("pageshow", this.resume);
    addEventListener("online", this.retry);
    document.addEventListener("visibilitychange", this.retry);
    this.open();
  }

  get isOpen() {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  open() {
    if (this.isClosed || this.isPaused || this.socket?.readyState === WebSocket.CONNECTING) return;
    clearTimeout(this.timer);
    const scheme = location.protocol === "https:" ? "wss:" : "ws:";
    const socket = new WebSocket(`${scheme}//${location.host}${this.path}`);
    this.socket = socket;
    socket.addEventListener("open", () => {
      // After an error it waits longer each time, until another message comes.
      if (!this.isRefused) this.wait = FIRST_WAIT_MS;
      this.stopTelling();
      const hello = this.hello?.();
      if (hello) this.send(hello);
      this.onstate(true);
    });
    socket.addEventListener("message", (event) => {
      if (socket !== this.socket) return;
      try {
        const message = JSON.parse(event.data);
        this.isRefused = Boolean(message.error);
        this.onmessage(message);
      } catch (error) {
        console.info(error);
      }
    });
    socket.addEventListener("close", () => {
      if (this.isClosed || socket !== this.socket) return;
      this.socket = null;
      this.onstate(false);
      if (this.isPaused) return;
      // Attempts that fail meanwhile do not put it off.
      this.telling ??= setTimeout(() => {
        lost.add(this);
        tell();
      }, TOLD_AFTER_MS);
      // Many pages that were cut off at once come back one after the other.
      this.timer = setTimeout(() => this.open(), this.wait * (0.5 + Math.random()));
      this.wait = Math.min(this.wait * 2, LONGEST_WAIT_MS);
    });
  }

  // Whether it could be sent.
  send(message) {
    if (!this.isOpen) return false;
    this.socket.send(JSON.stringify(message));
    return true;
  }

  close() {
    this.isClosed = true;
    clearTimeout(this.timer);
    removeEventListener("pagehide", this.pause);
    removeEventListener("pageshow", this.resume);
    removeEventListener("online", this.retry);
    document.removeEventListener("visibilitychange", this.retry);
    this.socket?.close();
    this.stopTelling();
  }

  stopTelling() {
    clearTimeout(this.telling);
    this.telling = null;
    if (lost.delete(this)) tell();
  }
}
