// The wheel of the mouse over a board steps through the game; the page does not scroll meanwhile.

// The distance of a finger on a touchpad for one step, and a pixel, a line and a page of a wheel, all in pixels.
const STEP_PX = 60;
const UNITS = [1, 40, 400];

export function onWheel(element, step) {
  let moved = 0;
  element.addEventListener("wheel", (event) => {
    // With Ctrl the page is made larger.
    if (event.ctrlKey || !event.deltaY) return;
    event.preventDefault();
    const px = event.deltaY * UNITS[event.deltaMode];
    moved = Math.sign(moved) === Math.sign(px) ? moved + px : px;
    const steps = Math.trunc(moved / STEP_PX);
    moved -= steps * STEP_PX;
    if (steps) step(Math.sign(steps));
  }, { passive: false });
}
