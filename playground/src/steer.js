import { el } from "./dom.js";

const keys = {
  KeyW: [0, 1], ArrowUp: [0, 1], KeyS: [0, -1], ArrowDown: [0, -1],
  KeyA: [-1, 0], ArrowLeft: [-1, 0], KeyD: [1, 0], ArrowRight: [1, 0],
};
/** The range of the stick, and the longest motion during a press that is still a shot, both in pixels. */
const [stickReach, slip] = [44, 6];

/**
 * The user's inputs. Keys and a stick move the character, drags look around, and a press without a drag fires.
 *
 * `look` receives the motion of a drag in pixels, and `fire` receives an event. `begin` is called at the first input.
 */
export class Steering {
  #pressed = new Set();
  #stick = [0, 0];
  #jump = false;
  #pointers = new Map();

  constructor(canvas, signal, { look, fire, begin }) {
    const on = (target, name, handle) => target.addEventListener(name, handle, { signal });
    on(window, "keydown", (event) => {
      if (event.target.tagName === "INPUT" || event.ctrlKey || event.metaKey || event.altKey) return;
      if (!(event.code in keys) && event.code !== "Space") return;
      // The space bar still presses a button that has the focus.
      if (event.code === "Space" && event.target.tagName === "BUTTON") return;
      event.preventDefault();
      begin();
      if (event.code === "Space") this.#jump = true;
      else this.#pressed.add(event.code);
    });
    on(window, "keyup", ({ code }) => this.#pressed.delete(code));
    on(window, "blur", () => this.#pressed.clear());
    on(canvas, "pointerdown", (event) => {
      canvas.focus({ preventScroll: true });
      canvas.setPointerCapture(event.pointerId);
      this.#pointers.set(event.pointerId, { x: event.clientX, y: event.clientY, way: 0 });
      begin();
    });
    on(canvas, "pointermove", (event) => {
      const last = this.#pointers.get(event.pointerId);
      if (!last) return;
      const [dx, dy] = [event.clientX - last.x, event.clientY - last.y];
      Object.assign(last, { x: event.clientX, y: event.clientY, way: last.way + Math.hypot(dx, dy) });
      if (last.way > slip) look(dx, dy);
    });
    on(canvas, "pointerup", (event) => {
      if ((this.#pointers.get(event.pointerId)?.way ?? Infinity) <= slip) fire(event);
      this.#pointers.delete(event.pointerId);
    });
    on(canvas, "pointercancel", ({ pointerId }) => this.#pointers.delete(pointerId));
    this.stick = this.#makeStick(on, begin);
  }

  /** Makes the stick and the button for touch screens. */
  #makeStick(on, begin) {
    const knob = el("div", { class: "knob" });
    const pad = el("div", { class: "pad", id: "stick", "aria-hidden": "true" }, knob);
    const place = (x, y) => {
      const length = Math.max(1, Math.hypot(x, y) / stickReach);
      this.#stick = [x / length / stickReach, -y / length / stickReach];
      knob.style.transform = `translate(${x / length}px, ${y / length}px)`;
    };
    const follow = (event) => {
      const { left, top, width, height } = pad.getBoundingClientRect();
      place(event.clientX - left - width / 2, event.clientY - top - height / 2);
    };
    on(pad, "pointerdown", (event) => {
      pad.setPointerCapture(event.pointerId);
      begin();
      follow(event);
    });
    on(pad, "pointermove", (event) => pad.hasPointerCapture(event.pointerId) && follow(event));
    for (const name of ["pointerup", "pointercancel"]) on(pad, name, () => place(0, 0));
    const jump = el("button", { class: "jump", id: "jump" }, "Jump");
    on(jump, "pointerdown", () => {
      begin();
      this.#jump = true;
    });
    return el("div", { class: "steer" }, pad, jump);
  }

  /** Returns the wanted direction, to the right and forwards, at most 1 long. */
  get wanted() {
    const sum = [...this.#pressed].reduce(([x, y], code) => [x + keys[code][0], y + keys[code][1]], this.#stick);
    const length = Math.max(1, Math.hypot(...sum));
    return sum.map((x) => x / length);
  }

  /** Returns true once for each wanted jump. */
  takeJump() {
    const jump = this.#jump;
    this.#jump = false;
    return jump;
  }
}
