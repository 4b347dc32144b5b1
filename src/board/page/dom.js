// Elements. Text is always set as text, so that no input becomes markup.

const SVG = "http://www.w3.org/2000/svg";

// An element with attributes, handlers (on...), properties (.name) and children; what is null or false is left out.
export function h(name, attributes = {}, ...children) {
  return fill(document.createElement(name), attributes, children);
}

export function svg(name, attributes = {}, ...children) {
  return fill(document.createElementNS(SVG, name), attributes, children);
}

function fill(element, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) element.addEventListener(key.slice(2), value);
    else if (key.startsWith(".")) element[key.slice(1)] = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

export function replace(element, ...children) {
  element.replaceChildren(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
}

const ICONS = {
  flip: "M8 4v16m0 0l-4-4m4 4l4-4M16 20V4m0 0l-4 4m4-4l4 4",
  first: "M18 5l-8 7 8 7M6 5v14",
  back: "M15 5l-8 7 8 7",
  next: "M9 5l8 7-8 7",
  farBack: "M12 5l-8 7 8 7M20 5l-8 7 8 7",
  farNext: "M4 5l8 7-8 7M12 5l8 7-8 7",
  last: "M6 5l8 7-8 7M18 5v14",
  play: "M8 5l10 7-10 7z",
  pause: "M8 5v14M16 5v14",
  flag: "M6 21V4m0 0h11l-2 4 2 4H6",
  undo: "M8 5L4 9l4 4M4 9h9a6 6 0 0 1 0 12h-3",
  hint: "M12 3a6 6 0 0 0-3 11v3h6v-3a6 6 0 0 0-3-11M10 21h4",
  copy: "M9 9h11v12H9zM5 15H4V3h11v1",
  link: "M10 14a4 4 0 0 0 6 0l3-3a4 4 0 0 0-6-6l-1 1M14 10a4 4 0 0 0-6 0l-3 3a4 4 0 0 0 6 6l1-1",
  close: "M6 6l12 12M18 6L6 18",
  check: "M5 13l4 4L19 7",
  gear: "M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6M12 3v3M12 18v3M3 12h3M18 12h3M5.6 5.6l2.2 2.2M16.2 16.2l2.2 2.2M5.6 18.4l2.2-2.2M16.2 7.8l2.2-2.2",
  trash: "M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13",
  up: "M12 20V5m0 0l-6 6m6-6l6 6",
  save: "M12 4v11m0 0l-5-5m5 5l5-5M5 20h14",
  half: "M6 9h12M6 15h12",
  picture: "M4 5h16v14H4zM4 16l5-5 4 4 3-3 4 4M15 9h.01",
  find: "M10 4a6 6 0 1 0 0 12 6 6 0 0 0 0-12M15 15l5 5",
  more: "M12 5h.01M12 12h.01M12 19h.01",
  branch: "M5 19V5M5 15c0-5 12-3 12-8M14 9l3-4 3 4",
  print: "M7 9V4h10v5M7 17H4V9h16v8h-3M7 14h10v6H7z",
  edit: "M4 20l1-4L16 5l3 3L8 19z",
};

export function icon(name) {
  return svg("svg", { viewBox: "0 0 24 24", class: "icon", "aria-hidden": "true" }, svg("path", { d: ICONS[name] }));
}

export function button(text, onclick, attributes = {}) {
  return h("button", { type: "button", onclick, ...attributes }, ...(Array.isArray(text) ? text : [text]));
}

// A button that shows only a picture; its name is for hover and for screen readers.
export function iconButton(name, label, onclick, attributes = {}) {
  return button([icon(name)], onclick, { title: label, "aria-label": label, class: "icon-button", ...attributes });
}

// A field with its label above it.
export function field(label, control, hint) {
  return h("label", { class: "field" }, h("span", { class: "label" }, label), control, hint && h("small", {}, hint));
}

export function checkbox(label, checked, onchange, attributes = {}) {
  const input = h("input", { type: "checkbox", ".checked": checked, onchange: () => onchange(input.checked), ...attributes });
  return h("label", { class: "check" }, input, h("span", {}, label));
}

// Buttons of which one is chosen; a group of radio buttons for keyboards and screen readers.
export function choice(legend, options, value, onchange, attributes = {}) {
  const name = "choice-" + Math.random().toString(36).slice(2);
  const inputs = options.map(({ value: own, label, title }) =>
    h("label", { class: "option", title },
      h("input", { type: "radio", name, value: own, ".checked": own === value, onchange: () => onchange(own) }),
      h("span", {}, ...(Array.isArray(label) ? label : [label]))));
  return h("fieldset", { class: "choice", ...attributes }, h("legend", {}, legend), h("div", { class: "options" }, inputs));
}

export function select(options, value, onchange, attributes = {}) {
  const element = h("select", { onchange: () => onchange(element.value), ...attributes },
    options.map(([own, label]) => h("option", { value: own }, label)));
  element.value = value;
  return element;
}

// A dialog on the top layer: Escape closes it, the focus goes back to where it was.
export function dialog(title, content, { className = "", onclose } = {}) {
  const before = document.activeElement;
  const element = h("dialog", { class: `dialog ${className}`, "aria-label": title },
    h("div", { class: "dialog-head" }, h("h2", {}, title), iconButton("close", "Close", () => element.close(), { class: "icon-button quiet" })),
    h("div", { class: "content" }, content));
  element.addEventListener("click", (event) => event.target === element && element.close());
  element.addEventListener("close", () => {
    element.remove();
    onclose?.();
    if (before?.isConnected) before.focus();
  });
  document.body.append(element);
  element.showModal();
  return element;
}

// Passes on only those clicks whose press was on the element, too: after a tap the browser clicks on the element that
// is there now, which may have opened by the tap itself.
export function guardClicks(element) {
  let isPressed = false;
  element.addEventListener("pointerdown", () => {
    isPressed = true;
  }, true);
  element.addEventListener("click", (event) => {
    // A click by keyboard has no count.
    if (event.detail > 0 && !isPressed) event.stopPropagation();
  }, true);
}

// Whether a key belongs to the field that has the focus, and is no command.
export function isTyping(event) {
  const { target } = event;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return true;
  return target.isContentEditable || ["TEXTAREA", "SELECT"].includes(target.tagName) ||
    (target.tagName === "INPUT" && !["checkbox", "radio", "range"].includes(target.type)) || Boolean(target.closest?.("dialog"));
}
