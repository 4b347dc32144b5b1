// The men that one side has more of, and by how many points.

import { h } from "./dom.js";
import { pieceImage, roleName } from "./pieces.js";
import { imbalance } from "./placement.js";

// The text below the board; `space` of both sides is known a moment later than the pieces.
export function materialText(pieces, space) {
  const { white, black, difference } = imbalance(pieces);
  const images = (roles, isWhite) => roles.length > 0 && h("span", { class: "more-men" }, roles.map((role) => pieceImage(isWhite ? role.toUpperCase() : role, "small-piece")));
  const told = (roles, side) => (roles.length ? ` ${side} has more: ${roles.map((role) => roleName(role)).join(", ")}.` : "");
  return [difference === 0 ? "Material even" : `${difference > 0 ? "White" : "Black"} +${Math.abs(difference)}`, " ",
    images(white, true), white.length > 0 && black.length > 0 && " : ", images(black, false), h("span", { class: "hidden" }, told(white, "White") + told(black, "Black")), space && ` · Space ${space.white}–${space.black}`];
}
