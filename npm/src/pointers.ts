import { place, recordLength } from "./answers.js";
import { glue } from "./glue.js";
import { disposed, doubles, ready } from "./module.js";
import { vec2, wrong, type Vec2Like } from "./vectors.js";

/** An action of a pointer, with the thing under the pointer. */
export interface PointerInput<T> {
  /** The number of the mouse or touch: 0 by default, a DOM event's `pointerId` for touches. */
  readonly pointer?: number;
  readonly kind?: "mouse" | "touch";
  /** The time in seconds: a DOM event's `timeStamp` divided by 1000. */
  readonly time: number;
  readonly action: "move" | "press" | "release" | "cancel" | "leave";
  /** The button, numbered as in DOM events: 0 primary, 1 middle, 2 secondary. */
  readonly button?: number;
  readonly position: Vec2Like;
  /** The thing under the pointer: the `id` of a hit. */
  readonly target?: T | undefined;
}

/** An event of a pointer. */
export interface PointerEvent<T> {
  type: "enter" | "leave" | "press" | "release" | "click" | "longPress" | "dragStart" | "dragMove" | "dragEnd" | "cancel";
  pointer: number;
  kind: "mouse" | "touch";
  time: number;
  position: [x: number, y: number];
  /** The receiver of the event. For all events of a press, this is the pressed thing. */
  target: T | undefined;
  /** The thing under the pointer. */
  over: T | undefined;
  button: number | undefined;
  /** The count of presses and clicks in a row: 2 is a double click. */
  count: number | undefined;
  /** The place where the drag began. */
  from: [x: number, y: number] | undefined;
  /** The place of the drag at the previous event. */
  previous: [x: number, y: number] | undefined;
  /** Why a press was cancelled. */
  reason: "cancelled" | "left" | "pressedAgain" | "notFinite" | undefined;
}

/** The limits that distinguish clicks, long presses and drags, in pixels and seconds. */
export interface PressLimits {
  readonly dragThreshold: number;
  readonly longPress: number;
  readonly multiClickTime: number;
  readonly multiClickDistance: number;
}

const types = ["enter", "leave", "press", "release", "click", "longPress", "dragStart", "dragMove", "dragEnd", "cancel"] as const;
const reasons = ["cancelled", "left", "pressedAgain", "notFinite"] as const;
const actions = ["move", "press", "release", "cancel", "leave"] as const;
const mouse: PressLimits = { dragThreshold: 4, longPress: Infinity, multiClickTime: 0.5, multiClickDistance: 4 };
const touch: PressLimits = { dragThreshold: 10, longPress: 0.5, multiClickTime: 0.5, multiClickDistance: 40 };

/**
 * Turns the events of mice and fingers into hovers, clicks, double clicks, long presses and drags. Targets are compared by `===`. Each press
 * has exactly one outcome: a click, a long press, a drag or a cancel.
 */
export class Pointers<T = unknown> {
  #handle: glue.Pointers | undefined;

  constructor(limits: { readonly mouse?: Partial<PressLimits>; readonly touch?: Partial<PressLimits> } = {}) {
    ready();
    this.#handle = new glue.Pointers();
    for (const [isTouch, l] of [[false, { ...mouse, ...limits.mouse }], [true, { ...touch, ...limits.touch }]] as const) {
      this.#handle.set_limits(isTouch, l.dragThreshold, l.longPress, l.multiClickTime, l.multiClickDistance);
    }
  }

  /** @internal */
  get raw(): glue.Pointers {
    return this.#handle ?? disposed("state of pointers");
  }

  /** Handles an input, and returns the events that follow from it. */
  handle(input: PointerInput<T>): PointerEvent<T>[] {
    const action = actions.indexOf(input.action);
    if (action < 0) throw wrong("the action", actions.join(", "), input.action);
    const [x, y] = vec2(input.position, "the position");
    const targets = this.raw.handle(input.pointer ?? 0, input.kind === "touch", input.time, action, input.button ?? 0, x, y, input.target) as (T | undefined)[];
    const row = doubles();
    const start = targets.length === 0 ? 0 : glue.list_address() / 8;
    return Array.from({ length: targets.length / 2 }, (_, i) => read(row, start + i * recordLength, targets[2 * i], targets[2 * i + 1]));
  }

  /** Returns the thing under a pointer. */
  hovered(pointer = 0, kind: "mouse" | "touch" = "mouse"): T | undefined {
    return this.raw.hovered(pointer, kind === "touch") as T | undefined;
  }

  /** Returns whether a pointer drags something. */
  isDragging(pointer = 0, kind: "mouse" | "touch" = "mouse"): boolean {
    return this.raw.is_dragging(pointer, kind === "touch");
  }

  /** Frees the memory of this object. */
  dispose(): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}

function read<T>(row: Float64Array, at: number, target: T | undefined, over: T | undefined): PointerEvent<T> {
  const pixel = (place: number): [number, number] | undefined => {
    const x = row[at + place]!;
    return x !== x ? undefined : [x, row[at + place + 1]!];
  };
  const type = types[row[at + place.side]!]!;
  const button = row[at + place.triangle]!;
  const count = row[at + place.feature]!;
  return {
    type,
    pointer: row[at + place.id]!,
    kind: row[at + place.part] === 1 ? "touch" : "mouse",
    time: row[at]!,
    position: [row[at + place.point]!, row[at + place.point + 1]!],
    target,
    over,
    button: button < 0 ? undefined : button,
    count: type === "press" || type === "click" ? count : undefined,
    from: pixel(place.normal),
    previous: pixel(place.second),
    reason: type === "cancel" ? reasons[count] : undefined,
  };
}
