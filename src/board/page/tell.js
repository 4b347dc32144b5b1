// Messages of the page: visible in a corner, for screen readers in a live region.

import { h } from "./dom.js";

const SHOWN_MS = 5000;

// Tells screen readers; `now` interrupts what they say.
export function announce(text, now = false) {
  const region = document.getElementById(now ? "assertive" : "polite");
  // The same text twice would not be read again, so each one is an element of its own.
  region.replaceChildren(h("span", {}, text));
}

export function toast(text, kind = "note") {
  const element = h("p", { class: `toast ${kind}` }, text);
  document.getElementById("toasts").append(element);
  announce(text, kind === "error");
  setTimeout(() => element.remove(), SHOWN_MS);
}

export function tellError(error) {
  console.info(error);
  toast(error.message || "Something went wrong.", "error");
}

// A line at the bottom as long as the server is not there; null takes it away.
export function tellConnection(text) {
  const element = document.getElementById("connection");
  if (element.textContent === (text ?? "")) return;
  element.textContent = text ?? "";
}

export async function copy(text, what) {
  try {
    await navigator.clipboard.writeText(text);
  } catch {
    // Without a secure address there is no clipboard; the old way needs a selection.
    const area = h("textarea", { class: "hidden", ".value": text });
    (document.querySelector("dialog[open]") ?? document.body).append(area);
    area.select();
    const done = document.execCommand("copy");
    area.remove();
    if (!done) return toast(`${what} could not be copied.`, "error");
  }
  toast(`${what} copied.`);
}

export function download(name, text, type = "text/plain") {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = h("a", { href: url, download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), SHOWN_MS);
}
