import * as THREE from "three";
import { Aabb, Plane, Sphere, Triangle } from "hitscan";

const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
const minus = (a, b) => a.map((x, i) => x - b[i]);
const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
const f = Math.fround;
const material = (color) => new THREE.MeshLambertMaterial({ color, transparent: true, opacity: 0.55, side: THREE.DoubleSide });

/** Moller and Trumbore's test, every operation rounded to f32. */
export function plainTriangle(o, d, [a, b, c]) {
  const sub = (p, q) => p.map((x, i) => f(f(x) - f(q[i])));
  const mul = (p, q) => f(f(f(p[0] * q[0]) + f(p[1] * q[1])) + f(p[2] * q[2]));
  const times = (p, q) => [f(f(p[1] * q[2]) - f(p[2] * q[1])), f(f(p[2] * q[0]) - f(p[0] * q[2])), f(f(p[0] * q[1]) - f(p[1] * q[0]))];
  const [e1, e2] = [sub(b, a), sub(c, a)];
  const p = times(d.map(f), e2);
  const determinant = mul(e1, p);
  if (determinant === 0) return null;
  const inverse = f(1 / determinant);
  const s = sub(o, a);
  const u = f(mul(s, p) * inverse);
  if (u < 0 || u > 1) return null;
  const q = times(s, e1);
  const v = f(mul(d.map(f), q) * inverse);
  if (v < 0 || f(u + v) > 1) return null;
  const t = f(mul(e2, q) * inverse);
  return t >= 0 ? { t, u, v } : null;
}

/** A box test by slabs, in f32, as it is often written: it divides by directions that may be 0. */
function plainBox(o, d, min, max) {
  let [enter, leave] = [-Infinity, Infinity];
  for (let i = 0; i < 3; i++) {
    const inverse = f(1 / f(d[i]));
    const [a, b] = [f(f(min[i] - o[i]) * inverse), f(f(max[i] - o[i]) * inverse)];
    enter = Math.max(enter, Math.min(a, b));
    leave = Math.min(leave, Math.max(a, b));
  }
  return enter <= leave && leave >= 0 ? { t: enter >= 0 ? enter : leave } : null;
}

/**
 * The tests: what is drawn, what answers, what the formula is with its numbers, and what plain f32 answers.
 *
 * `rays` are those that the stage shows at the start; the first one can be dragged.
 */
export const tests = {
  box: {
    name: "Box",
    make: () => new Aabb([0.5, 0.5, 0.5], [2, 2, 2]),
    draw: () => new THREE.Mesh(new THREE.BoxGeometry(1.5, 1.5, 1.5).translate(1.25, 1.25, 1.25), material(0x7aa7d9)),
    rays: [
      { name: "through the corner", o: [-2, -2, -2], d: [2, 2, 2] },
      { name: "beside: up", o: [0, 0, 0], d: [0, 1, 0] },
      { name: "beside: left", o: [0, 0, 0], d: [-1, 0, 0] },
      { name: "from inside", o: [1, 1, 1], d: [1, 1, 0] },
      { name: "the box is behind", o: [0.4, 1, 1], d: [-1, 0, 0] },
    ],
    formula: "for each axis i:\n  t1 = (min_i - o_i) / d_i\n  t2 = (max_i - o_i) / d_i\nenter = the largest of the smaller\nleave = the smallest of the larger\nhit if enter <= leave and leave >= 0",
    terms: ({ o, d }) => ["x", "y", "z"].map((axis, i) => [`t on ${axis}`, d[i] === 0 ? (o[i] >= 0.5 && o[i] <= 2 ? "always inside" : "never inside") : `${(0.5 - o[i]) / d[i]} .. ${(2 - o[i]) / d[i]}`]),
    plain: ({ o, d }) => plainBox(o, d, [0.5, 0.5, 0.5], [2, 2, 2]),
  },
  plane: {
    name: "Plane",
    make: () => new Plane([0, 0, 0], [0, 1, 0]),
    draw: () => new THREE.Mesh(new THREE.PlaneGeometry(6, 6).rotateX(-Math.PI / 2), material(0x9ccc8f)),
    rays: [{ name: "from above", o: [-2, 2, 1], d: [2, -2, -1] }, { name: "from below", o: [1, -2, 1], d: [0, 1, 0] }, { name: "in the plane", o: [-3, 0, 0], d: [1, 0, 0] }],
    formula: "t = n . (p - o) / n . d\nno hit if n . d = 0: the ray is parallel",
    terms: ({ o, d }) => [["n . (p - o)", -o[1]], ["n . d", d[1]]],
    plain: ({ o, d }) => (d[1] === 0 || f(-o[1] / d[1]) < 0 ? null : { t: f(-o[1] / d[1]) }),
  },
  sphere: {
    name: "Sphere",
    make: () => new Sphere([0, 0, 0], 1),
    draw: () => new THREE.Mesh(new THREE.SphereGeometry(1, 48, 32), material(0xd9a77a)),
    rays: [{ name: "through it", o: [-3, 0.3, 0.2], d: [3, 0, 0] }, { name: "touching", o: [-3, 1, 0], d: [3, 0, 0] }, { name: "from inside", o: [0.2, 0, 0], d: [1, 1, 0] }, { name: "from far away", o: [-4000, 0.9999999, 0], d: [1, 0, 0] }],
    formula: "a = d . d\nb = o . d\nc = o . o - r^2\ndiscriminant = b^2 - a c\nt = (-b - root) / a",
    terms: ({ o, d }) => [["a", dot(d, d)], ["b", dot(o, d)], ["c", dot(o, o) - 1], ["b^2 - a c", dot(o, d) ** 2 - dot(d, d) * (dot(o, o) - 1)]],
    plain: ({ o, d }) => {
      const mul = (p, q) => f(f(f(p[0] * q[0]) + f(p[1] * q[1])) + f(p[2] * q[2]));
      const [a, b, c] = [mul(d, d), mul(o, d), f(mul(o, o) - 1)];
      const under = f(f(b * b) - f(a * c));
      if (under < 0) return null;
      const t = [f(f(-b - f(Math.sqrt(under))) / a), f(f(-b + f(Math.sqrt(under))) / a)].find((t) => t >= 0);
      return t === undefined ? null : { t };
    },
  },
  triangle: {
    name: "Triangle",
    make: () => new Triangle([-1, 0, 1], [1.5, 0, 0.5], [0, 1.5, -1]),
    draw: () => triangleMesh([[-1, 0, 1], [1.5, 0, 0.5], [0, 1.5, -1]]),
    rays: [{ name: "its front", o: [0, 1, 3], d: [0, -0.3, -3] }, { name: "its back", o: [0, 0.2, -3], d: [0, 0.1, 3] }, { name: "through an edge", o: [0.25, 0, 3.75], d: [0, 0, -3] }, { name: "through a corner", o: [-1, 0, 4], d: [0, 0, -3] }],
    formula: "e1 = b - a, e2 = c - a, s = o - a\nD = e1 . (d x e2)\nu = s . (d x e2) / D\nv = d . (s x e1) / D\nt = e2 . (s x e1) / D\nhit if u, v >= 0 and u + v <= 1",
    terms: ({ o, d }) => {
      const [a, b, c] = [[-1, 0, 1], [1.5, 0, 0.5], [0, 1.5, -1]];
      const [e1, e2, s] = [minus(b, a), minus(c, a), minus(o, a)];
      const determinant = dot(e1, cross(d, e2));
      return [["D", determinant], ["u", dot(s, cross(d, e2)) / determinant], ["v", dot(d, cross(s, e1)) / determinant], ["t", dot(e2, cross(s, e1)) / determinant]];
    },
    plain: ({ o, d }) => plainTriangle(o, d, [[-1, 0, 1], [1.5, 0, 0.5], [0, 1.5, -1]]),
  },
};

function triangleMesh(corners) {
  const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(corners.flat(), 3));
  geometry.computeVertexNormals();
  return new THREE.Mesh(geometry, material(0xc78fd0));
}
