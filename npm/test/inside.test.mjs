// The inside of trees, the collision matrix, and the shapes of the plane.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { CollisionMatrix, Mesh, d2, init } from "hitscan";
import { close, cross, dot, minus, numbersOf, plus, randoms, scaled } from "./numbers.mjs";

before(() => init());

/** A flat sheet of squares at z = 0. */
function sheet(side) {
  const positions = Float32Array.from({ length: 3 * (side + 1) ** 2 }, (_, i) => [Math.floor(i / 3) % (side + 1), Math.floor(i / 3 / (side + 1)), 0][i % 3]);
  const corner = (x, y) => y * (side + 1) + x;
  const squares = Array.from({ length: side * side }, (_, i) => [i % side, Math.floor(i / side)]);
  const indices = squares.flatMap(([x, y]) => [corner(x, y), corner(x + 1, y), corner(x + 1, y + 1), corner(x, y), corner(x + 1, y + 1), corner(x, y + 1)]);
  return new Mesh(positions, Uint32Array.from(indices));
}

test("a ray looks at the boxes on its way, from the root down", () => {
  using mesh = sheet(40);
  const visits = mesh.visits([10.25, 20.5, 5], [0, 0, -1]);
  assert.deepEqual([visits[0].depth, visits[0].isLeaf, visits[0].min[0] <= 0, visits[0].max[1] >= 40], [0, false, true, true]);
  for (const [i, { min, max, depth }] of visits.entries()) {
    const isAbove = (box) => box.depth === depth - 1 && [0, 1].every((axis) => box.min[axis] <= min[axis] && box.max[axis] >= max[axis]);
    assert.ok(i === 0 || visits.slice(0, i).some(isAbove), `${i}: a box is in one before it`);
    assert.ok(min[0] <= 10.25 && max[0] >= 10.25 && min[1] <= 20.5 && max[1] >= 20.5, "the ray touches it");
  }
  assert.ok(visits.some(({ isLeaf }) => isLeaf));
  const [same, beside] = mesh.visitCounts(Float32Array.of(10.25, 20.5, 5, 0, 0, -1, 500, 0, 5, 0, 0, -1));
  assert.equal(same, visits.length);
  assert.ok(beside <= 1, "a ray beside it looks at the root at most");
  assert.throws(() => mesh.visitCounts(Float32Array.of(1, 2)), /six numbers/);
  assert.throws(() => mesh.visitCounts("rays"), /the rays must be numbers/);
});

test("the levels of a tree are those of all its lines", () => {
  using mesh = sheet(40);
  let lines = 0;
  let depth = 0;
  for (; mesh.levelLines(depth).length > 0; depth++) {
    lines += mesh.levelLines(depth).length;
    assert.equal(mesh.treeLines(depth).length, lines);
  }
  assert.ok(depth > 2);
  assert.equal(mesh.levelLines(0).length, 72);
});

test("a collision matrix answers as its triangle does", () => {
  using matrix = new CollisionMatrix([0, 0, 0], [2, 0, 0], [0, 2, 0]);
  const hit = matrix.cast([0.5, 1, 3], [0, 0, -2], { normalize: false });
  assert.deepEqual(hit, { t: 1.5, side: "front", point: [0.5, 1, 0], normal: [0, 0, 1], u: 0.25, v: 0.5 });
  assert.equal(matrix.cast([3, 3, 3], [0, 0, -1]), null);
  assert.equal(matrix.cast({ origin: [0.5, 1, -5], direction: [0, 0, 1] }).side, "back");
  assert.throws(() => new CollisionMatrix([0, 0, 0], [1, 0, 0], [2, 0, 0]));
});

test("a collision matrix hits segments where their ends are on different sides of the plane", () => {
  const next = randoms(41);
  const triangle = [[0, 0, 0], [2, 0, 1], [0, 2, -1]];
  using matrix = new CollisionMatrix(...triangle);
  const [a, b, c] = triangle;
  const normal = cross(minus(b, a), minus(c, a));
  let hits = 0;
  for (let i = 0; i < 1000; i++) {
    const [start, end] = [numbersOf(next, 3, -2, 3), numbersOf(next, 3, -2, 3)].map((point) => point.map(Math.fround));
    const [from, to] = [start, end].map((point) => dot(minus(point, a), normal));
    const fraction = from / (from - to);
    const point = plus(start, scaled(minus(end, start), fraction));
    const u = dot(cross(minus(c, a), minus(a, point)), normal) / dot(normal, normal);
    const v = dot(cross(minus(a, b), minus(a, point)), normal) / dot(normal, normal);
    if ([u, v, 1 - u - v, fraction, 1 - fraction].some((x) => Math.abs(x) < 1e-6)) continue;
    const isHit = [u, v, 1 - u - v, fraction, 1 - fraction].every((x) => x > 0);
    assert.equal(matrix.segmentIsBlocked(start, end), isHit);
    const found = matrix.collideSegment(start, end);
    assert.equal(found?.side, isHit ? (from > 0 ? "front" : "back") : undefined);
    if (!isHit) continue;
    hits++;
    [[found.fraction, fraction], [found.u, u], [found.v, v]].forEach(([x, expected]) => close(x, expected, 1e-5));
    const direction = minus(end, start);
    const ray = [start, direction, { normalize: false, tMax: 1 }];
    close(matrix.castT(...ray), fraction, 1e-5);
    assert.deepEqual([matrix.castT(...ray), matrix.isBlocked(...ray)], [matrix.cast(...ray).t, true]);
  }
  assert.ok(hits > 30, `${hits} hits`);
  assert.equal(matrix.castT([9, 9, 9], [0, 0, 1]), null);
  assert.equal(matrix.isBlocked({ origin: [9, 9, 9], direction: [0, 0, 1] }), false);
  assert.equal(matrix.collideSegment([0.5, 0.5, NaN], [0.5, 0.5, -1]), null);
  assert.throws(() => matrix.collideSegment([0, 0, 0], [1, 0]), /the end of the segment must be/);
  matrix.dispose();
  assert.throws(() => matrix.segmentIsBlocked([0, 0, 0], [1, 0, 0]), /this collision matrix was disposed/);
});

test("shapes of the plane", () => {
  using line = new d2.Line([0, 0], [0, 1]);
  using circle = new d2.Circle([0, 0], 1);
  using rect = new d2.Rect([0, 0], [2, 1]);
  assert.deepEqual(line.cast([-2, 2], [1, -1]), { t: 2, side: "front", point: [0, 0], normal: [0, 1] });
  assert.equal(line.cast([-2, 2], [1, 1]), null);
  assert.deepEqual(circle.cast([-3, 0], [2, 0]), { t: 1, side: "front", point: [-1, 0], normal: [-1, 0] });
  assert.equal(circle.cast([0, 0], [0, 2]).side, "back");
  assert.equal(circle.cast([-3, 0], [2, 0], [0, 0.5]), null);
  assert.deepEqual(rect.cast({ x: -1, y: 0.5 }, { x: 1, y: 0 }).point, [0, 0.5]);
  assert.throws(() => new d2.Circle([0, 0], -1));
  assert.throws(() => new d2.Line([0, 0], [0, 0]));
  assert.throws(() => new d2.Rect([0], [1, 1]), /the least corner/);
  circle.dispose();
  assert.throws(() => circle.cast([0, 0], [1, 0]), /disposed/);
});
