import * as THREE from "three";
import { d2 } from "hitscan";
import { condition, f, material, term } from "./math.js";

/** A two-dimensional shape with the interface of the stage's shapes. It ignores the third coordinate of rays. */
const inPlane = (shape) => ({
  cast(o, d) {
    if (d[0] === 0 && d[1] === 0) return null;
    const hit = shape.cast(o.slice(0, 2), d.slice(0, 2));
    return hit && { ...hit, point: [...hit.point, 0], normal: [...hit.normal, 0] };
  },
  dispose: () => shape.dispose(),
});

const line = {
  name: "2D line",
  isFlat: true,
  make: () => inPlane(new d2.Line([0, 0], [0, 1])),
  draw: () => new THREE.Mesh(new THREE.BoxGeometry(8, 0.04, 0.04), material(0x4f9d5d)),
  rays: [
    { name: "a ball falls to the floor", o: [-2, 2, 0], d: [1, -1, 0] },
    { name: "it rises to it from below", o: [1, -1.5, 0], d: [0.5, 1, 0] },
    { name: "it flies away", o: [2, 0.5, 0], d: [0.5, 1, 0] },
    { name: "it rolls along", o: [-3, 0, 0], d: [1, 0, 0] },
  ],
  steps({ o, d }) {
    const [distance, speed] = [o[1], -d[1]];
    const t = distance / speed;
    return [term("distance = n . (o - p)", distance), term("speed = -n . d", speed), condition("speed is not 0", speed !== 0), ...(speed === 0 ? [] : [term("t = distance / speed", t), condition("t >= 0", t >= 0)])];
  },
  plain: ({ o, d }) => (d[1] === 0 || f(-o[1] / d[1]) < 0 ? null : { t: f(-o[1] / d[1]) }),
};

const circle = {
  name: "2D circle",
  isFlat: true,
  make: () => inPlane(new d2.Circle([0, 0], 1)),
  draw: () => new THREE.Mesh(new THREE.CircleGeometry(1, 96), material(0xd9a77a)),
  rays: [
    { name: "through it", o: [-3, 0.4, 0], d: [2, 0, 0] },
    { name: "touching it", o: [-3, 1, 0], d: [2, 0, 0] },
    { name: "from inside", o: [0.2, -0.1, 0], d: [0.5, 1, 0] },
    { name: "past it", o: [-3, -1.4, 0], d: [2, 0.1, 0] },
  ],
  steps({ o, d }) {
    const [a, b, c] = [d[0] ** 2 + d[1] ** 2, o[0] * d[0] + o[1] * d[1], o[0] ** 2 + o[1] ** 2 - 1];
    const under = b * b - a * c;
    const ts = under < 0 ? [] : [(-b - Math.sqrt(under)) / a, (-b + Math.sqrt(under)) / a];
    return [term("a = d . d", a), term("b = o . d", b), term("c = o . o - r r", c), condition("b b - a c >= 0", under >= 0), ...ts.map((t, i) => term(`t = (-b ${i ? "+" : "-"} root) / a`, t)), ...(ts.length ? [condition("one of them is >= 0", ts[1] >= 0)] : [])];
  },
  plain({ o, d }) {
    const [a, b, c] = [f(f(d[0] * d[0]) + f(d[1] * d[1])), f(f(o[0] * d[0]) + f(o[1] * d[1])), f(f(f(o[0] * o[0]) + f(o[1] * o[1])) - 1)];
    const under = f(f(b * b) - f(a * c));
    if (under < 0) return null;
    const t = [f(f(-b - f(Math.sqrt(under))) / a), f(f(-b + f(Math.sqrt(under))) / a)].find((t) => t >= 0);
    return t === undefined ? null : { t };
  },
};

export const flat = { line, circle };
