// A list of very many rows, of which only those are there that can be seen.

import { h } from "./dom.js";

// Browsers cannot make an element arbitrarily high; longer lists scroll in proportion.
const HIGHEST_PX = 8_000_000;
const PAGE = 100;
const BEYOND = 8;

export class VirtualList {
  // `load(skip, limit)` promises rows; `row(item, index)` makes the element of one; `rowPx` is its height;
  // `onscroll(top)` when the user scrolls.
  constructor({ load, row, rowPx, label, onscroll = () => {} }) {
    Object.assign(this, { load, row, rowPx, count: 0, pages: new Map(), upper: 0 });
    this.body = h("div", { class: "virtual-body" });
    this.space = h("div", { class: "virtual-space" }, this.body);
    this.element = h("div", { class: "virtual", tabindex: "0", role: "group", "aria-label": label }, this.space);
    this.element.addEventListener("scroll", () => {
      this.draw();
      onscroll(this.element.scrollTop);
    });
    this.element.addEventListener("wheel", (event) => {
      if (event.ctrlKey || event.shiftKey) return;
      const unit = [1, this.rowPx, this.element.clientHeight][event.deltaMode];
      if (this.move(event.deltaY * unit)) event.preventDefault();
    }, { passive: false });
    this.element.addEventListener("keydown", (event) => {
      const page = this.element.clientHeight - this.rowPx;
      const by = { ArrowDown: this.rowPx, ArrowUp: -this.rowPx, PageDown: page, PageUp: -page }[event.key];
      if (by && !event.defaultPrevented && this.move(by)) event.preventDefault();
    });
    this.observer = new ResizeObserver(() => this.draw());
    this.observer.observe(this.element);
  }

  // `keepsPlace`: the same list as before, in which something has changed.
  set(count, firstPage = null, keepsPlace = false) {
    this.count = count;
    this.element.dataset.count = String(count);
    this.pages.clear();
    if (firstPage) this.pages.set(0, firstPage);
    this.space.style.blockSize = `${Math.min(HIGHEST_PX, count * this.rowPx)}px`;
    if (!keepsPlace) this.put(0);
    this.draw();
  }

  // The pixels of rows for which a pixel of the scroll bar stands.
  get scale() {
    const { clientHeight: height } = this.element;
    const full = this.count * this.rowPx;
    return full > HIGHEST_PX ? (full - height) / Math.max(1, HIGHEST_PX - height) : 1;
  }

  // Follows the scroll bar. Where it is only rounded, the place is known better.
  follow() {
    const { scrollTop } = this.element;
    if (this.scale === 1 || Math.abs(scrollTop - this.upper / this.scale) >= 1) this.upper = scrollTop * this.scale;
  }

  // Moves by pixels of rows where a pixel of the scroll bar stands for many. Whether that was done.
  move(by) {
    if (this.scale === 1) return false;
    const before = this.upper;
    this.put(before + by);
    this.draw();
    return this.upper !== before;
  }

  // Puts this pixel of the rows at the top, as far as there are rows.
  put(pixel) {
    const { element, rowPx, count, scale } = this;
    this.upper = Math.max(0, Math.min(count * rowPx - element.clientHeight, pixel));
    element.scrollTop = this.upper / scale;
  }

  // Scrolls to where it was, and to a row if that is not in sight there.
  show({ top, index }) {
    const { element, rowPx, count } = this;
    const height = element.clientHeight;
    element.scrollTop = top;
    this.follow();
    if (index === null || index >= count) return;
    const [place, upper] = [index * rowPx, this.upper];
    if (place >= upper && place + rowPx <= upper + height) return;
    this.put(place - (height - rowPx) / 2);
  }

  draw() {
    const { clientHeight: height, scrollTop } = this.element;
    const visible = Math.ceil(height / this.rowPx);
    this.follow();
    const { upper } = this;
    const first = Math.max(0, Math.floor(upper / this.rowPx) - BEYOND);
    const last = Math.min(this.count, first + visible + 2 * BEYOND + 1);
    const rows = [];
    for (let index = first; index < last; index += 1) {
      const page = Math.floor(index / PAGE);
      const items = this.pages.get(page);
      if (items === undefined) this.fetch(page);
      const item = Array.isArray(items) ? items[index % PAGE] : null;
      const element = item ? this.row(item, index) : h("div", { class: "row-placeholder" }, "…");
      element.style.blockSize = `${this.rowPx}px`;
      rows.push(element);
    }
    const same = (element) => element.getAttribute("href") ?? element.getAttribute("aria-label");
    const focused = this.body.contains(document.activeElement) ? same(document.activeElement) : null;
    this.body.replaceChildren(...rows);
    if (focused) [...this.body.querySelectorAll("a, button, input")].find((element) => same(element) === focused)?.focus({ preventScroll: true });
    this.body.style.transform = `translateY(${scrollTop + first * this.rowPx - upper}px)`;
  }

  fetch(page) {
    const { pages } = this;
    pages.set(page, null);
    this.load(page * PAGE, PAGE).then((items) => {
      pages.set(page, items);
      this.draw();
    }).catch(() => pages.delete(page));
  }

  end() {
    this.observer.disconnect();
  }
}

export const PAGE_ROWS = PAGE;
