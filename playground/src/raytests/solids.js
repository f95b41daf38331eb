import * as THREE from "three";
import { Aabb, Plane, Sphere } from "hitscan";
import { condition, dot, f, material, outlined, plain, term } from "./math.js";

const [low, high] = [0.5, 2];

/** A slab test of a box in f32, in its usual form: it divides by components of the direction that may be 0. */
function plainBox({ o, d }) {
  let [enter, leave] = [-Infinity, Infinity];
  for (let i = 0; i < 3; i++) {
    const inverse = f(1 / f(d[i]));
    const [a, b] = [f(f(low - o[i]) * inverse), f(f(high - o[i]) * inverse)];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter <= leave && leave >= 0 ? { t: enter >= 0 ? enter : leave } : null;
}

/** The worked example: the box from (0.5, 0.5, 0.5) to (2, 2, 2), and its five rays. */
const box = {
  name: "Box",
  make: () => new Aabb([low, low, low], [high, high, high]),
  draw: () => outlined(new THREE.BoxGeometry(1.5, 1.5, 1.5).translate(1.25, 1.25, 1.25), 0x7aa7d9),
  rays: [
    { name: "through the corner", o: [-2, -2, -2], d: [2, 2, 2] },
    { name: "beside it, up", o: [0, 0, 0], d: [0, 1, 0] },
    { name: "beside it, left", o: [0, 0, 0], d: [-1, 0, 0] },
    { name: "from inside", o: [1, 1, 1], d: [1, 1, 0] },
    { name: "the box is behind", o: [0.4, 1, 1], d: [-1, 0, 0] },
  ],
  steps({ o, d }) {
    const spans = d.map((x, i) => (x === 0 ? (o[i] >= low && o[i] <= high ? [-Infinity, Infinity] : [Infinity, -Infinity]) : [(low - o[i]) / x, (high - o[i]) / x].sort((a, b) => a - b)));
    const [enter, leave] = [Math.max(...spans.map(([a]) => a)), Math.min(...spans.map(([, b]) => b))];
    const shown = ([a, b], i) => (d[i] === 0 ? (a < b ? "always" : "never") : `${Number(a.toPrecision(6))} to ${Number(b.toPrecision(6))}`);
    return [
      ...["x", "y", "z"].map((axis, i) => term(`${axis}: (0.5 - o.${axis}) / d.${axis}, (2 - o.${axis}) / d.${axis}`, shown(spans[i], i))),
      term("enter = the last of the firsts", enter),
      term("leave = the first of the lasts", leave),
      condition("enter <= leave", enter <= leave),
      condition("leave >= 0", leave >= 0),
      ...(enter <= leave && leave >= 0 ? [term(enter >= 0 ? "t = enter" : "t = leave, from inside", enter >= 0 ? enter : leave)] : []),
    ];
  },
  plain: plainBox,
};

const plane = {
  name: "Plane",
  make: () => new Plane([0, 0, 0], [0, 1, 0]),
  draw: () => new THREE.Mesh(new THREE.PlaneGeometry(6, 6).rotateX(-Math.PI / 2), material(0x9ccc8f)),
  rays: [
    { name: "from above", o: [-2, 2, 1], d: [2, -2, -1] },
    { name: "from below", o: [1, -2, 1], d: [0, 1, 0] },
    { name: "away from it", o: [2, 1, -1], d: [0.5, 1, 0] },
    { name: "in the plane", o: [-3, 0, 0], d: [1, 0, 0] },
  ],
  steps({ o, d }) {
    const [above, down] = [-o[1], d[1]];
    const t = above / down;
    return [term("n . (p - o)", above), term("n . d", down), condition("n . d is not 0: not parallel", down !== 0), ...(down === 0 ? [] : [term("t = n . (p - o) / n . d", t), condition("t >= 0", t >= 0)])];
  },
  plain: ({ o, d }) => (d[1] === 0 || f(-o[1] / d[1]) < 0 ? null : { t: f(-o[1] / d[1]) }),
};

const sphere = {
  name: "Sphere",
  make: () => new Sphere([0, 0, 0], 1),
  draw: () => new THREE.Mesh(new THREE.SphereGeometry(1, 48, 32), material(0xd9a77a)),
  rays: [
    { name: "through it", o: [-3, 0.3, 0.2], d: [3, 0, 0] },
    { name: "touching it", o: [-3, 1, 0], d: [3, 0, 0] },
    { name: "from inside", o: [0.2, 0, 0], d: [1, 1, 0] },
    { name: "just past it", o: [-3, 1.0000001, 0], d: [3, 0, 0] },
    { name: "from far away", o: [-4000, 0.9999999, 0], d: [1, 0, 0] },
  ],
  steps({ o, d }) {
    const [a, b, c] = [dot(d, d), dot(o, d), dot(o, o) - 1];
    const under = b * b - a * c;
    const ts = under < 0 ? [] : [(-b - Math.sqrt(under)) / a, (-b + Math.sqrt(under)) / a];
    return [
      term("a = d . d", a), term("b = o . d", b), term("c = o . o - r r", c), term("b b - a c", under), condition("b b - a c >= 0: the line hits it", under >= 0),
      ...ts.map((t, i) => term(`t = (-b ${i === 0 ? "-" : "+"} root) / a`, t)), ...(ts.length === 0 ? [] : [condition("one of them is >= 0", ts[1] >= 0)]),
    ];
  },
  plain({ o, d }) {
    const [a, b, c] = [plain.dot(d, d), plain.dot(o, d), f(plain.dot(o, o) - 1)];
    const under = f(f(b * b) - f(a * c));
    if (under < 0) return null;
    const t = [f(f(-b - f(Math.sqrt(under))) / a), f(f(-b + f(Math.sqrt(under))) / a)].find((t) => t >= 0);
    return t === undefined ? null : { t };
  },
};

export const solids = { box, plane, sphere };
