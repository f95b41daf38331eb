// Points of meshes and shapes by themselves: nearest points, insides, distances, crossings and winding numbers.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { Aabb, Capsule, ConvexHull, Disc, Mesh, OrientedBox, Plane, Point, Quad, Rounded, RoundedBox, Sphere, Torus, WindingTree, init } from "hitscan";
import { close, cross, dot, minus, numbersOf, plus, randoms, scaled } from "./numbers.mjs";

before(() => init());

const corners = Array.from({ length: 8 }, (_, i) => [i & 1 ? 1 : -1, i & 2 ? 1 : -1, i & 4 ? 1 : -1]);
/** The sides of a cube, counter-clockwise from outside; the last one is y = 1. */
const sides = [[0, 4, 6, 2], [1, 3, 7, 5], [0, 2, 3, 1], [4, 5, 7, 6], [0, 1, 5, 4], [2, 6, 7, 3]];
const cube = (count = 6) => new Mesh(corners.flat(), sides.slice(0, count).flatMap(([a, b, c, d]) => [a, b, c, a, c, d]));

/** The distance of a point from the surface of the cube, negative inside. */
function cubeDistance(point) {
  const beyond = point.map((x) => Math.abs(x) - 1);
  const inside = Math.max(...beyond);
  return inside <= 0 ? inside : Math.hypot(...beyond.map((x) => Math.max(x, 0)));
}

describe("many points of a mesh", () => {
  test("a closed cube, as its coordinates say", () => {
    const next = randoms(11);
    using mesh = cube();
    const count = 20000;
    const points = Float64Array.from(numbersOf(next, 3 * count, -3, 3));
    const nearest = mesh.closestPointBatch(points);
    const inside = mesh.containsBatch(points);
    const signed = mesh.signedDistanceBatch(points);
    let contained = 0;
    for (let i = 0; i < count; i++) {
      const point = [...points.subarray(3 * i, 3 * i + 3)];
      const expected = cubeDistance(point);
      close(signed[i], expected, 1e-6);
      close(nearest.distance[i], Math.abs(expected), 1e-6);
      assert.equal(inside[i], expected < 0 ? 1 : 0);
      assert.equal(nearest.containment[i], inside[i]);
      const at = [...nearest.point.subarray(3 * i, 3 * i + 3)];
      close(cubeDistance(at), 0, 1e-6);
      close(Math.hypot(...minus(at, point)), Math.abs(expected), 1e-6);
      contained += inside[i];
      if (i % 100 !== 0) continue;
      const single = mesh.closestPoint(point);
      const features = ["face", "edge0", "edge1", "edge2", "vertex0", "vertex1", "vertex2"];
      assert.deepEqual([nearest.triangle[i], features[nearest.feature[i]]], [single.triangle, single.feature]);
      assert.deepEqual([at, [...nearest.normal.subarray(3 * i, 3 * i + 3)]], [single.point, single.normal]);
      assert.equal(mesh.signedDistance(point), signed[i]);
    }
    assert.ok(contained > 500, `${contained} are inside`);
  });

  test("a sheet has sides, a largest distance, and no inside", () => {
    using sheet = new Mesh([0, 0, 0, 4, 0, 0, 0, 4, 0]);
    const points = [1, 1, 2, 1, 1, -3, 1, 1, 9, NaN, 0, 0];
    const found = sheet.closestOnSurfaceBatch(points, 4);
    assert.deepEqual([...found.distance], [2, 3, Infinity, Infinity]);
    assert.deepEqual([...found.triangle], [0, 0, 4294967295, 4294967295]);
    assert.deepEqual([...found.side], [0, 1, 3, 3]);
    assert.deepEqual([...found.point], [1, 1, 0, 1, 1, 0, NaN, NaN, NaN, NaN, NaN, NaN]);
    assert.deepEqual([...found.feature.subarray(0, 2)], [0, 0]);
    assert.deepEqual([...sheet.closestOnSurfaceBatch([5, 0, 0, 5, -1, 0, 2, -1, 0]).feature], [5, 5, 1]);
    assert.deepEqual([...sheet.closestPointBatch(points).containment], [2, 2, 2, 3]);
    assert.deepEqual([...sheet.signedDistanceBatch(points)], [NaN, NaN, NaN, NaN]);
    assert.equal(sheet.signedDistance([1, 1, 2]), null);
    assert.deepEqual([...sheet.containsBatch(points)], [0, 0, 0, 0]);
    for (const ask of ["closestPointBatch", "closestOnSurfaceBatch", "containsBatch", "signedDistanceBatch"]) {
      assert.throws(() => sheet[ask]([1, 2]), /three numbers each/, ask);
      assert.throws(() => sheet[ask]("points"), /the points must be numbers/, ask);
      sheet[ask]([]);
    }
  });

  test("targets are used again", () => {
    using mesh = cube();
    const first = mesh.closestPointBatch([0, 0, 3, 0, 0.5, 0]);
    const { distance, containment } = first;
    assert.deepEqual([[...distance], [...containment]], [[2, 0.5], [0, 1]]);
    const again = mesh.closestPointBatch([5, 0, 0, 0, 0, 5], first);
    assert.equal(again, first);
    assert.equal(again.distance, distance);
    assert.deepEqual([[...distance], [...containment]], [[4, 4], [0, 0]]);
    const bytes = new Uint8Array(1);
    assert.equal(mesh.containsBatch([0, 0, 0], bytes), bytes);
    assert.equal(bytes[0], 1);
    const numbers = new Float32Array(1);
    assert.equal(mesh.signedDistanceBatch([0, 0, 0], numbers), numbers);
    assert.equal(numbers[0], -1);
  });
});

describe("crossings", () => {
  test("a ray goes into a cube and out of it once, also through edges and corners", () => {
    const next = randoms(13);
    using mesh = cube();
    let through = 0;
    for (let i = 0; i < 500; i++) {
      // Half of the rays lead through a point of an edge.
      const origin = numbersOf(next, 3, -4, 4).map(Math.fround);
      const target = i % 2 === 0 ? numbersOf(next, 3, -1, 1) : [1, -1, 2 * next() - 1];
      const direction = minus(target, origin).map(Math.fround);
      const slabs = direction.map((d, axis) => [(-1 - origin[axis]) / d, (1 - origin[axis]) / d].sort((a, b) => a - b));
      const [enter, leave] = [Math.max(...slabs.map(([t]) => t)), Math.min(...slabs.map(([, t]) => t))];
      if (Math.abs(enter) < 1e-4 || Math.abs(leave) < 1e-4 || Math.abs(leave - enter) < 1e-4) continue;
      const expected = enter < leave ? [[enter, "front"], [leave, "back"]].filter(([t]) => t > 0) : [];
      const found = mesh.castCrossings(origin, direction, { normalize: false });
      assert.deepEqual(found.map(({ side }) => side), expected.map(([, side]) => side));
      found.forEach(({ t }, k) => close(t, expected[k][0], 1e-5));
      through += found.length;
    }
    assert.ok(through > 500);
    // Exactly through two edges.
    const diagonal = { origin: [-2, 0, -2], direction: [1, 0, 1], normalize: false };
    assert.equal(mesh.castAll(diagonal).length > 2, true);
    assert.deepEqual(mesh.castCrossings(diagonal).map(({ t, side }) => [t, side]), [[1, "front"], [3, "back"]]);
    assert.deepEqual(mesh.castCrossings(diagonal, { tMin: 2 }).map(({ t }) => t), [3]);
    assert.deepEqual(mesh.castCrossings([0, 0, 0], [0, 1, 0]).map(({ side }) => side), ["back"]);
  });
});

describe("winding numbers", () => {
  /** The solid angle of a triangle as seen from a point, over 4 pi (A. Van Oosterom and J. Strackee). */
  function windingOf([a, b, c], point) {
    const [p, q, r] = [a, b, c].map((corner) => minus(corner, point));
    const [x, y, z] = [p, q, r].map((v) => Math.hypot(...v));
    return Math.atan2(dot(p, cross(q, r)), x * y * z + dot(p, q) * z + dot(q, r) * x + dot(r, p) * y) / (2 * Math.PI);
  }

  test("of a cube without a side, as its solid angles add up", () => {
    const next = randoms(17);
    using mesh = cube(5);
    using tree = new WindingTree(mesh);
    const triangles = sides.slice(0, 5).flatMap(([a, b, c, d]) => [[a, b, c], [a, c, d]]).map((triangle) => triangle.map((corner) => corners[corner]));
    const points = numbersOf(next, 3 * 300, -2, 2);
    const found = tree.windingNumberBatch(points, 0);
    const rough = tree.windingNumberBatch(points, 0.01);
    for (let i = 0; i < 300; i++) {
      const point = points.slice(3 * i, 3 * i + 3);
      const expected = triangles.reduce((sum, triangle) => sum + windingOf(triangle, point), 0);
      close(found[i], expected, 1e-9);
      close(rough[i], expected, 0.01);
      assert.equal(tree.windingNumber(point, 0), found[i]);
    }
    close(tree.windingNumber([0, 0, 0]), 5 / 6, 1e-6);
  });

  test("of a closed cube, which are whole, and the edges of the question", () => {
    using mesh = cube();
    const tree = new WindingTree(mesh);
    mesh.dispose();
    assert.deepEqual([...tree.windingNumberBatch([0, 0, 0, 0.9, 0.9, -0.9, 3, 0, 0, NaN, 0, 0])], [1, 1, 0, NaN]);
    assert.equal(tree.windingNumber({ x: 0.5, y: 0, z: 0 }), 1);
    assert.equal(tree.windingNumber([0, Infinity, 0]), null);
    assert.throws(() => tree.windingNumberBatch([1]), /three numbers each/);
    assert.throws(() => tree.windingNumber([1]), /the point must be/);
    tree.dispose();
    assert.throws(() => tree.windingNumber([0, 0, 0]), /this winding tree was disposed/);
  });
});

describe("shapes by themselves", () => {
  const segmentDistance = (point, a, b) => {
    const along = minus(b, a);
    const at = Math.min(Math.max(dot(minus(point, a), along) / dot(along, along), 0), 1);
    return Math.hypot(...minus(point, plus(a, scaled(along, at))));
  };

  test("solids contain what their formulas say", () => {
    const next = randoms(19);
    const turn = [0, 0, Math.SQRT1_2, Math.SQRT1_2];
    const solids = [
      [new Sphere([1, 0, 0], 1.5), (p) => 1.5 - Math.hypot(...minus(p, [1, 0, 0]))],
      [new Aabb([-1, -1, -1], [1, 1, 1]), (p) => -cubeDistance(p)],
      [new RoundedBox([-1, -1, -1], [1, 1, 1], 0.5), (p) => 0.5 - cubeDistance(p)],
      // A quarter of a turn around z exchanges the half extents along x and y.
      [new OrientedBox([0, 0, 0], [2, 0.5, 1], turn), ([x, y, z]) => Math.min(0.5 - Math.abs(x), 2 - Math.abs(y), 1 - Math.abs(z))],
      [new Capsule([-1, 0, 0], [1, 1, 0], 0.75), (p) => 0.75 - segmentDistance(p, [-1, 0, 0], [1, 1, 0])],
      [new Torus(1.5, 0.5), ([x, y, z]) => 0.5 - Math.hypot(Math.hypot(x, z) - 1.5, y)],
      [new ConvexHull([0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2]), ([x, y, z]) => Math.min(x, y, z, (2 - x - y - z) / Math.sqrt(3))],
    ];
    for (const [shape, depth] of solids) {
      let inside = 0;
      for (let i = 0; i < 4000; i++) {
        const point = numbersOf(next, 3, -2.5, 2.5);
        if (Math.abs(depth(point)) < 1e-5) continue;
        assert.equal(shape.contains(point), depth(point) > 0, `${shape.constructor.name} at ${point}`);
        inside += depth(point) > 0 ? 1 : 0;
      }
      assert.ok(inside > 20, shape.constructor.name);
    }
  });

  test("surfaces count, flat shapes contain nothing, and some have no inside", () => {
    assert.equal(new Sphere([0, 0, 0], 1).contains([0, 1, 0]), true);
    assert.equal(new Aabb([0, 0, 0], [1, 1, 1]).contains([1, 0.5, 0]), true);
    assert.equal(new Aabb([0, 0, 0], [1, 1, 1]).contains([1 + 1e-12, 0.5, 0]), false);
    assert.equal(new ConvexHull([0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2]).contains({ x: 1, y: 1, z: 0 }), true);
    assert.equal(new Disc([0, 0, 0], [0, 1, 0], 1).contains([0, 0, 0]), false);
    assert.equal(new Quad([0, 0, 0], [1, 0, 0], [0, 1, 0]).contains([0.5, 0.5, 0]), false);
    assert.equal(new Sphere([0, 0, 0], 1).contains([NaN, 0, 0]), false);
    assert.throws(() => new Point().contains([0, 0, 0]), /no surface: ask the shape itself/);
    assert.throws(() => new Rounded(new Sphere([0, 0, 0], 1), 1).contains([0, 0, 0]), /no surface/);
    assert.throws(() => new Sphere([0, 0, 0], 1).contains([0, 0]), /the point must be/);
  });

  test("the t of a hit alone", () => {
    const ball = new Sphere([0, 0, 0], 1);
    assert.equal(ball.castT([0, 3, 0], [0, -1, 0]), 2);
    assert.equal(ball.castT([0, 3, 0], [0, -4, 0], { normalize: false }), 0.5);
    assert.equal(ball.castT({ origin: [0, 0.5, 0], direction: [0, 1, 0] }), 0.5);
    assert.equal(ball.castT([0, 0.5, 0], [0, 1, 0], { whenInside: "solid" }), 0);
    assert.equal(ball.castT([0, 3, 0], [0, 1, 0]), null);
    assert.equal(new ConvexHull([0, 0, 0, 2, 0, 0, 0, 2, 0, 0, 0, 2]).castT([0.5, 0.5, -3], [0, 0, 1]), 3);
  });

  test("the side of a plane", () => {
    const plane = new Plane([1, 2, 3], [0, 0, -4]);
    assert.deepEqual([plane.signedDistance([9, 9, 5]), plane.signedDistance({ x: 0, y: 0, z: 0 }), plane.signedDistance([7, 7, 3])], [-2, 3, 0]);
    close(new Plane([0, 0, 0], [1, 1, 0]).signedDistance([1, 1, 8]), Math.SQRT2, 1e-6);
    assert.throws(() => plane.signedDistance(3), /the point must be/);
  });
});

describe("the triangles of a mesh that intersect each other", () => {
  test("none in a cube, and one pair of a triangle and one that pierces it", () => {
    using sound = cube();
    assert.equal(sound.selfIntersections().length, 0);
    using mesh = new Mesh([-2, 0, 0, 2, 0, 0, 0, 3, 0, 0, 1, -2, 0, 1, 2, 0, 2, 0], [0, 1, 2, 3, 4, 5]);
    const pairs = mesh.selfIntersections();
    assert.deepEqual([...pairs], [0, 1]);
    assert.equal(mesh.selfIntersections([1, 2]).length, 0);
    assert.deepEqual([...pairs], [0, 1], "an answer is a copy");
  });
});
