// Games with changes that are not saved in any file. This browser keeps them under their origin, and shows them again
// when the origin is opened.

import { button, h, replace } from "./dom.js";
import { load, store } from "./storage.js";

// The most that are kept; the oldest go first.
const KEPT = 40;

// A name for games that come from nowhere else.
export const newName = () => Date.now().toString(36);

// The newest first: [{ key, address, title, at }].
export const drafts = () => load("drafts", []);

// { games, shown, version, at }; null if there is none.
export const readDraft = (key) => load(`draft.${key}`, null);

const forget = ({ key }) => store(`draft.${key}`, undefined);

// Whether there was room for it.
export function keepDraft(key, { address, title, ...content }) {
  const at = Date.now();
  const others = drafts().filter((draft) => draft.key !== key);
  others.splice(KEPT - 1).forEach(forget);
  let isKept = store(`draft.${key}`, { ...content, at });
  while (!isKept && others.length) {
    forget(others.pop());
    isKept = store(`draft.${key}`, { ...content, at });
  }
  store("drafts", [{ key, address, title, at }, ...others]);
  return isKept;
}

export function dropDraft(key) {
  if (!readDraft(key)) return;
  forget({ key });
  store("drafts", drafts().filter((draft) => draft.key !== key));
}

const dated = (at) => new Date(at).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

// Tells of the changes that are shown, or of those of an older state of the same game. `ontake(games)` shows these,
// `ondrop()` what was there before all changes.
export function draftNote(element, { key, address, ontake, ondrop }) {
  const own = readDraft(key);
  const older = own ? null : drafts().find((draft) => draft.address === address && draft.key !== key);
  const note = (text, ...buttons) => replace(element, h("div", { class: "panel", role: "note" }, h("p", {}, text), h("div", { class: "actions" }, buttons)));
  const drop = (name, call) => button("Drop them", () => {
    dropDraft(name);
    replace(element);
    call();
  });
  if (own) note(`Your changes of ${dated(own.at)} are shown. They are kept in this browser only.`, drop(key, ondrop));
  else if (older) {
    note(`Your changes of ${dated(older.at)} were made to another state of this game.`, button("Show them", () => {
      const { games } = readDraft(older.key);
      dropDraft(older.key);
      replace(element);
      ontake(games);
    }, { class: "primary" }), drop(older.key, () => {}));
  } else replace(element);
}

// Links to what is kept, except for what is shown.
export function draftList(key) {
  const others = drafts().filter((draft) => draft.key !== key).slice(0, 8);
  return others.length > 0 && h("section", {}, h("h3", {}, "Not saved yet"),
    h("ul", { class: "game-list" }, others.map(({ address, title, at }) => h("li", {}, h("a", { href: address }, h("span", { class: "names" }, title), h("small", {}, dated(at)))))));
}
