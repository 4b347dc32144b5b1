// The shown position as a picture, which the server draws as `hematite diagram` does, and other things to copy.

import { post } from "./api.js";
import { button, dialog, h, iconButton, select } from "./dom.js";
import { settings } from "./settings.js";
import { copy, tellError, toast } from "./tell.js";

const SIZES = [["320", "Small, 320 px"], ["640", "Middle, 640 px"], ["1280", "Large, 1280 px"]];
const PLACES = { inside: "inside", outside: "outside", off: "none" };

// The address of the picture of `{ fen, side, last: [from, to], shapes }`; shapes are written as in PGN.
export function pictureAddress({ fen, side = "white", last = [], shapes = "" }, format, size) {
  const asked = { fen, format, size, side, last: last.join(""), shapes, theme: settings.board, pieces: settings.pieces, coordinates: PLACES[settings.coordinates] };
  return `/api/diagram?${new URLSearchParams(Object.entries(asked).filter(([, value]) => value))}`;
}

// A dialog with the picture: it is copied, or saved as PNG or SVG.
export function showPicture(shown) {
  const image = h("img", { class: "picture", alt: "The position", width: "640" });
  const png = h("a", { class: "button", download: "position.png" }, "Save as PNG");
  const svg = h("a", { class: "button", download: "position.svg" }, "Save as SVG");
  const size = select(SIZES, "640", () => update(), { "aria-label": "Size" });
  const update = () => {
    png.href = pictureAddress(shown, "png", size.value);
    svg.href = pictureAddress(shown, "svg", size.value);
    image.src = svg.href;
  };
  update();
  dialog("Picture of the position", [image, h("div", { class: "actions" }, button("Copy the picture", () => copyPicture(png.href), { class: "primary" }), png, svg, size)]);
}

async function copyPicture(address) {
  if (!navigator.clipboard?.write || typeof ClipboardItem === "undefined") return toast("This browser cannot copy pictures here. Save it instead.", "error");
  try {
    // The promise is handed over at once: after a wait some browsers take the click for over.
    const picture = fetch(address).then((answer) => (answer.ok ? answer.blob() : Promise.reject(new Error("There is no such picture."))));
    await navigator.clipboard.write([new ClipboardItem({ "image/png": picture })]);
    toast("The picture copied.");
  } catch (error) {
    tellError(error);
  }
  return undefined;
}

// Buttons that copy a position. `shown()` gives the parameters of a picture, `link()` an address with its origin,
// `pgn()` promises the moves; null leaves a button out. `linkName` names the target of the link.
export function copyButtons({ shown, pgn = null, link = null, linkName = "Copy a link to this position" }) {
  return h("div", { class: "copy" },
    button("FEN", () => copy(shown().fen, "The position"), { class: "quiet", title: "Copy the position" }),
    pgn && button("PGN", () => pgn().then((text) => copy(text, "The moves")).catch(tellError), { class: "quiet", title: "Copy the moves" }),
    link && iconButton("link", linkName, () => copy(link(), "The link"), { class: "icon-button quiet" }),
    pictureButton(shown));
}

// The text of a game with these moves, which the server writes: `tags` are pairs, and the moves have their SAN.
export async function pgnOf({ tags = [], start, result = "*", moves }) {
  const nodes = moves.map(({ uci = "", san }, index) => ({ parent: index ? index - 1 : null, uci, san }));
  return (await post("/api/analysis/write", { game: { tags, start, result, nodes } })).pgn;
}

export function pictureButton(shown) {
  return iconButton("picture", "Picture of this position", () => showPicture(shown()), { class: "icon-button quiet", "aria-haspopup": "dialog" });
}
