import * as THREE from "three";
import { CollisionMatrix, Triangle } from "hitscan";
import { condition, cross, dot, f, minus, outlined, plain, term } from "./math.js";

const corners = [[-1, 0, 1], [1.5, 0, 0.5], [0, 1.5, -1]];
const [a, b, c] = corners;
const rays = [
  { name: "its front", o: [0, 1, 3], d: [0, -0.3, -3] },
  { name: "its back", o: [0, 0.2, -3], d: [0, 0.1, 3] },
  { name: "through an edge", o: [0.25, 0, 3.75], d: [0, 0, -3] },
  { name: "through a corner", o: [-1, 0, 4], d: [0, 0, -3] },
  { name: "beside it", o: [1.4, 1.4, 3], d: [0, 0, -3] },
];

/** The test of Möller and Trumbore, with every operation rounded to f32. */
export function plainTriangle(o, d, [a, b, c]) {
  const [e1, e2] = [plain.minus(b, a), plain.minus(c, a)];
  const p = plain.cross(d.map(f), e2);
  const determinant = plain.dot(e1, p);
  if (determinant === 0) return null;
  const inverse = f(1 / determinant);
  const s = plain.minus(o, a);
  const u = f(plain.dot(s, p) * inverse);
  if (u < 0 || u > 1) return null;
  const q = plain.cross(s, e1);
  const v = f(plain.dot(d.map(f), q) * inverse);
  if (v < 0 || f(u + v) > 1) return null;
  const t = f(plain.dot(e2, q) * inverse);
  return t >= 0 ? { t, u, v } : null;
}

function draw() {
  const geometry = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(corners.flat(), 3));
  geometry.computeVertexNormals();
  return outlined(geometry, 0xc78fd0);
}

const inside = (u, v) => [condition("u >= 0", u >= 0), condition("v >= 0", v >= 0), condition("u + v <= 1", u + v <= 1)];

const triangle = {
  name: "Triangle",
  make: () => new Triangle(a, b, c),
  draw,
  rays,
  steps({ o, d }) {
    const [e1, e2, s] = [minus(b, a), minus(c, a), minus(o, a)];
    const determinant = dot(e1, cross(d, e2));
    if (determinant === 0) return [term("D = e1 . (d x e2)", 0), condition("D is not 0: not parallel", false)];
    const [u, v, t] = [dot(s, cross(d, e2)) / determinant, dot(d, cross(s, e1)) / determinant, dot(e2, cross(s, e1)) / determinant];
    return [term("D = e1 . (d x e2)", determinant), term("u = (o - a) . (d x e2) / D", u), term("v = d . ((o - a) x e1) / D", v), term("t = e2 . ((o - a) x e1) / D", t), ...inside(u, v), condition("t >= 0", t >= 0)];
  },
  plain: ({ o, d }) => plainTriangle(o, d, corners),
};

/** The rows of the matrix that transforms a point, relative to a, to (u, v, z). */
const normal = cross(minus(b, a), minus(c, a));
const square = dot(normal, normal);
const matrixRows = [cross(minus(c, a), normal), cross(normal, minus(b, a)), normal].map((row) => row.map((x) => x / square));

const matrix = {
  name: "Matrix",
  make: () => new CollisionMatrix(a, b, c),
  draw,
  rays,
  steps({ o, d }) {
    const [from, way] = [matrixRows.map((row) => dot(row, minus(o, a))), matrixRows.map((row) => dot(row, d))];
    const t = -from[2] / way[2];
    const [u, v] = [from[0] + t * way[0], from[1] + t * way[1]];
    const shown = (v) => v.map((x) => Number(x.toPrecision(4))).join(", ");
    return [
      term("o' = M (o - a)", shown(from)), term("d' = M d", shown(way)), condition("d'.z is not 0: not parallel", way[2] !== 0),
      ...(way[2] === 0 ? [] : [term("t = -o'.z / d'.z", t), term("u = o'.x + t d'.x", u), term("v = o'.y + t d'.y", v), ...inside(u, v), condition("t >= 0", t >= 0)]),
    ];
  },
  plain({ o, d }) {
    const rows = matrixRows.map((row) => row.map(f));
    const [from, way] = [rows.map((row) => plain.dot(row, plain.minus(o, a))), rows.map((row) => plain.dot(row, d.map(f)))];
    const t = f(-from[2] / way[2]);
    const [u, v] = [f(from[0] + f(t * way[0])), f(from[1] + f(t * way[1]))];
    return t >= 0 && u >= 0 && v >= 0 && f(u + v) <= 1 ? { t, u, v } : null;
  },
};

export const triangles = { triangle, matrix };
