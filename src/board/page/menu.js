// A small menu at a point of the window.

import { button, h } from "./dom.js";

// `items`: [[text, call]]; null is left out.
export function openMenu(x, y, items) {
  document.querySelector(".menu")?.remove();
  const before = document.activeElement;
  const close = () => {
    element.remove();
    removeEventListener("pointerdown", outside, true);
    if (before?.isConnected) before.focus({ preventScroll: true });
  };
  const outside = (event) => !element.contains(event.target) && close();
  const buttons = items.filter(Boolean).map(([text, call]) => button(text, () => {
    close();
    call();
  }, { role: "menuitem" }));
  const element = h("div", { class: "menu", role: "menu" }, buttons);
  element.addEventListener("keydown", (event) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (event.key === "Escape" || event.key === "Tab") close();
    else if (step) buttons[(buttons.indexOf(document.activeElement) + step + buttons.length) % buttons.length].focus();
    else return;
    event.preventDefault();
    event.stopPropagation();
  });
  // Within a landmark, as everything on the page.
  document.getElementById("main").append(element);
  const { width, height } = element.getBoundingClientRect();
  element.style.left = `${Math.max(4, Math.min(x, innerWidth - width - 4))}px`;
  element.style.top = `${Math.max(4, Math.min(y, innerHeight - height - 4))}px`;
  buttons[0].focus();
  addEventListener("pointerdown", outside, true);
}
