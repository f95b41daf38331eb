// Rays that go on: paths, shots, all hits of many rays, and sight between points.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { Aabb, Mesh, Path, Quad, Scene, Sphere, init, shoot } from "hitscan";
import { close, minus, numbersOf, plus, randoms, scaled } from "./numbers.mjs";

before(() => init());

/** Both crossings of a ray of unit length with a ball, or none. */
function crossingsOf(center, radius, origin, direction) {
  const to = minus(center, origin);
  const middle = to.reduce((sum, x, i) => sum + x * direction[i], 0);
  const square = radius * radius - to.reduce((sum, x) => sum + x * x, 0) + middle * middle;
  return square < 0 ? [] : [middle - Math.sqrt(square), middle + Math.sqrt(square)].filter((t) => t >= 0);
}

/** A scene of balls around the origin. */
function balls(next, count) {
  const scene = new Scene();
  const all = new Map();
  for (let i = 0; i < count; i++) {
    const center = numbersOf(next, 3, -5, 5);
    const radius = 0.5 + next();
    scene.insert(i, new Sphere(center, radius));
    all.set(i, { center: center.map(Math.fround), radius: Math.fround(radius) });
  }
  return { scene, all };
}

/** A ray that leads into such a scene. */
function rayInto(next) {
  const origin = numbersOf(next, 3, -12, 12);
  return { origin, direction: minus(numbersOf(next, 3, -5, 5), origin) };
}

describe("all hits of many rays", () => {
  test("a scene of balls has both crossings of each", () => {
    const next = randoms(3);
    const { scene, all } = balls(next, 40);
    const rays = Float32Array.from(Array.from({ length: 300 }, () => rayInto(next)).flatMap(({ origin, direction }) => [...origin, ...direction]));
    const found = scene.castAllBatch(rays, { sides: true, points: true, normals: true, uvs: true });
    assert.equal(found.offsets.length, 301);
    assert.ok(found.t.length > 300, `${found.t.length} hits`);
    for (let i = 0; i < 300; i++) {
      const [origin, along] = [[...rays.subarray(6 * i, 6 * i + 3)], [...rays.subarray(6 * i + 3, 6 * i + 6)]];
      const direction = scaled(along, 1 / Math.hypot(...along));
      const expected = [...all].flatMap(([id, { center, radius }]) => crossingsOf(center, radius, origin, direction).map((t) => ({ id, t })));
      expected.sort((a, b) => a.t - b.t);
      const [start, end] = found.offsets.subarray(i, i + 2);
      assert.deepEqual(found.id.slice(start, end), expected.map(({ id }) => id));
      expected.forEach(({ t, id }, k) => {
        close(found.t[start + k], t, 1e-3);
        const point = [...found.point.subarray(3 * (start + k), 3 * (start + k + 1))];
        const out = minus(point, all.get(id).center);
        close(Math.hypot(...out), all.get(id).radius, 1e-4);
        close(found.normal[3 * (start + k)], out[0] / all.get(id).radius, 1e-3);
      });
      assert.deepEqual([...found.t.subarray(start, end)], scene.castAll(origin, along).map(({ t }) => t));
    }
    assert.ok(found.triangle.every((triangle) => triangle === 4294967295) && found.uv.every(Number.isNaN));
    scene.dispose();
  });

  test("a mesh has two at an edge, and a ray that misses has none", () => {
    using mesh = new Mesh([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0], [0, 1, 2, 0, 2, 3]);
    const rays = [0.5, 0.5, 1, 0, 0, -1, 9, 9, 1, 0, 0, -1, 0.5, 0.25, 1, 0, 0, -2];
    const found = mesh.castAllBatch(rays, { normalize: false, sides: true });
    assert.deepEqual([...found.offsets], [0, 2, 2, 3]);
    assert.deepEqual([...found.triangle], [0, 1, 0]);
    assert.deepEqual([...found.t], [1, 1, 0.5]);
    assert.deepEqual([...found.side], [0, 0, 0]);
    assert.equal(found.uv, undefined);
    assert.deepEqual([...mesh.castAllBatch(rays, { cull: "back" }).offsets], [0, 2, 2, 3]);
    assert.deepEqual([...mesh.castAllBatch(rays, { cull: "front" }).offsets], [0, 0, 0, 0]);
    assert.deepEqual([...mesh.castAllBatch([]).offsets], [0]);
    assert.throws(() => mesh.castAllBatch([1, 2]), /6 numbers each: 2 is no multiple/);
  });
});

describe("sight", () => {
  test("between two points, as the distance of a ball's centre from the segment says", () => {
    const next = randoms(5);
    const { scene, all } = balls(next, 12);
    let clear = 0;
    for (let i = 0; i < 400; i++) {
      const [a, b] = [numbersOf(next, 3, -8, 8), numbersOf(next, 3, -8, 8)].map((point) => point.map(Math.fround));
      const gaps = [...all.values()].map(({ center, radius }) => {
        const along = minus(b, a);
        const at = minus(center, a).reduce((sum, x, k) => sum + x * along[k], 0) / along.reduce((sum, x) => sum + x * x, 0);
        const nearest = plus(a, scaled(along, Math.min(Math.max(at, 0), 1)));
        const [nearer, farther] = [Math.hypot(...minus(nearest, center)), Math.max(Math.hypot(...minus(a, center)), Math.hypot(...minus(b, center)))];
        // A segment that is wholly inside touches no surface.
        return farther < radius ? radius - farther : nearer - radius;
      });
      if (gaps.some((gap) => Math.abs(gap) < 1e-3)) continue;
      const expected = gaps.every((gap, k) => gap > 0);
      assert.equal(scene.sees(a, b), expected);
      assert.equal(scene.sees(b, a), expected);
      clear += expected ? 1 : 0;
    }
    assert.ok(clear > 40 && clear < 360, `${clear} are clear`);
    assert.equal(scene.sees([50, 0, 0], [50, 0, 0]), true);
    assert.equal(scene.sees([50, 0, NaN], [50, 0, 0]), false);
    assert.throws(() => scene.sees([0, 0], [0, 0, 0]), /the eye must be/);
    scene.dispose();
  });

  test("two entities do not hide their own points, and a third one does", () => {
    using scene = new Scene();
    scene.insert("player", new Sphere([0, 0, 0], 0.5), [0, 1, 0]);
    scene.insert("guard", new Sphere([0, 0, 0], 0.5), [0, 1, -8]);
    const sight = (viewer, target, options) => scene.lineOfSight(viewer, [0, 1, 0], target, { x: 0, y: 1, z: -8 }, options);
    assert.equal(scene.sees([0, 1, 0], [0, 1, -8]), false);
    assert.equal(sight("player", "guard"), true);
    assert.equal(sight("player", "nobody"), false);
    assert.equal(sight("nobody", "guard"), false);
    scene.insert("door", new Aabb([-1, 0, -4.1], [1, 2, -3.9]));
    assert.equal(sight("player", "guard"), false);
    assert.equal(sight("player", "guard", { exclude: ["door"] }), true);
    assert.equal(scene.sees([0, 1, 0], [0, 1, -8], { exclude: ["player", "guard", "door"] }), true);
  });
});

describe("paths", () => {
  test("the same ray again has the hits of castAll, one after the other", () => {
    const next = randoms(7);
    const { scene } = balls(next, 30);
    using path = new Path();
    let most = 0;
    for (let i = 0; i < 50; i++) {
      const ray = rayInto(next);
      const hits = [];
      path.reset();
      for (let hit = path.cast(scene, ray); hit !== null; hit = path.cast(scene, ray)) hits.push(hit);
      assert.deepEqual(hits, scene.castAll(ray));
      most = Math.max(most, hits.length);
    }
    assert.ok(most >= 6, `${most} hits`);
    scene.dispose();
  });

  test("a mirror is left by the reflected ray, and crossed by the one that goes on", () => {
    using scene = new Scene();
    scene.insert("mirror", new Quad([-5, 0, -5], [0, 0, 10], [10, 0, 0]));
    scene.insert("roof", new Quad([-9, 3, -9], [18, 0, 0], [0, 0, 18]));
    scene.insert("cellar", new Quad([-9, -1, -9], [0, 0, 18], [18, 0, 0]));
    using path = new Path();
    assert.deepEqual([path.bounce(), path.onward()], [null, null]);
    const first = path.cast(scene, [-2, 2, 0], [1, -1, 0], { normalize: false });
    assert.deepEqual([first.id, first.t, first.point], ["mirror", 2, [0, 0, 0]]);
    const { origin, direction, normalize } = path.bounce();
    assert.deepEqual([origin, direction, normalize], [[0, 0, 0], [1, 1, 0], false]);
    assert.deepEqual(path.onward().direction, [1, -1, 0]);
    using other = new Path();
    other.cast(scene, [-2, 2, 0], [1, -1, 0]);
    assert.equal(other.cast(scene, other.onward()).id, "cellar");
    const second = path.cast(scene, path.bounce());
    assert.deepEqual([second.id, second.t], ["roof", 3]);
    // The ray without a path hits the mirror where it begins.
    assert.deepEqual([scene.cast([0, 0, 0], [1, 1, 0]).id, scene.cast([0, 0, 0], [1, 1, 0]).t], ["mirror", 0]);
    assert.equal(path.cast(scene, path.bounce(), { exclude: ["mirror", "cellar"] }), null);
    assert.equal(path.bounce(), null, "after a miss there is no hit");
    path.dispose();
    assert.throws(() => path.bounce(), /this path was disposed/);
  });

  test("boxes that share a face are an exit and an entry", () => {
    using scene = new Scene();
    scene.insert("left", new Aabb([0, -1, -1], [1, 1, 1]));
    scene.insert("right", new Aabb([1, -1, -1], [2, 1, 1]));
    using path = new Path();
    const said = [];
    let hit = path.cast(scene, [-1, 0, 0], [1, 0, 0]);
    for (; hit !== null; hit = path.cast(scene, path.onward())) said.push([hit.id, hit.side, hit.point[0]]);
    assert.deepEqual(said, [["left", "front", 0], ["left", "back", 1], ["right", "front", 1], ["right", "back", 2]]);
  });
});

describe("shots", () => {
  function room() {
    const scene = new Scene();
    scene.insert("glass", new Aabb([2, 0, -5], [2.1, 3, 5]));
    scene.insert("floor", new Aabb([-9, -1, -9], [9, 0, 9]));
    return scene;
  }

  test("pass through glass, and ricochet from the floor", () => {
    using scene = room();
    const asked = [];
    const legs = shoot(scene, [0, 2, 0], [2, -1, 0], 50, (hit) => {
      asked.push(hit);
      return hit.id === "glass" ? "passThrough" : "ricochet";
    });
    assert.deepEqual(legs.map(({ hit }) => hit?.id), ["glass", "glass", "floor", undefined]);
    assert.deepEqual(legs.map(({ hit }) => hit?.side), ["front", "back", "front", undefined]);
    assert.equal(legs[3].hit, null);
    assert.deepEqual(legs[0].from, [0, 2, 0]);
    legs.slice(1).forEach(({ from }, i) => assert.deepEqual(from, legs[i].to));
    const lengths = legs.map(({ from, to }) => Math.hypot(...minus(to, from)));
    close(lengths.reduce((sum, length) => sum + length), 50, 1e-3);
    // The floor is where the line comes down to it, and the shot leaves it upwards at the same angle.
    legs[2].to.forEach((x, axis) => close(x, [4, 0, 0][axis], 1e-5));
    const last = scaled(minus(legs[3].to, legs[3].from), 1 / lengths[3]);
    last.forEach((x, axis) => close(x, [2, 1, 0][axis] / Math.sqrt(5), 1e-5));
    assert.equal(asked.length, 3);
    asked[0].direction.forEach((x, axis) => close(x, [2, -1, 0][axis] / Math.sqrt(5), 1e-6));
    const { direction, ...hit } = asked[2];
    assert.deepEqual(hit, legs[2].hit);
  });

  test("words, ranges, filters and errors", () => {
    using scene = room();
    const ids = (...rest) => shoot(scene, { x: 0, y: 2, z: 0 }, [2, -1, 0], ...rest).map(({ hit }) => hit?.id);
    assert.deepEqual(ids(50), ["glass"]);
    assert.deepEqual(ids(50, "passThrough"), ["glass", "glass", "floor", "floor", undefined]);
    assert.deepEqual(ids(1), [undefined]);
    assert.deepEqual(ids(Infinity, "stop", { exclude: ["glass"] }), ["floor"]);
    assert.deepEqual(shoot(scene, [0, 2, 0], [0, 0, 0], 5), []);
    assert.throws(() => ids(0), /the range must be a finite number above 0, not 0/);
    assert.throws(() => ids(NaN), /the range/);
    assert.throws(() => ids(50, "bounce"), /the impact must be "stop", "ricochet" or "passThrough", not bounce/);
    assert.throws(() => ids(50, () => undefined), /the impact must be/);
    const fails = () => {
      throw new RangeError("mine");
    };
    assert.throws(() => ids(50, fails), /mine/);
    assert.throws(() => ids(50, "stop", { entities: fails }), /mine/);
    assert.throws(() => ids(50, () => fails(scene.cast([0, 2, 0], [0, -1, 0]))), /mine/, "the error is kept past another question");
    assert.deepEqual(ids(50), ["glass"], "the next question has no error");
  });

  test("a function may ask another scene, with functions of its own", () => {
    using scene = room();
    using other = room();
    const thickness = () => {
      const [{ tEnter, tExit }] = other.solidIntervals([0, 2, 0], [1, 0, 0], { entities: (id) => id === "glass" });
      return tExit - tEnter;
    };
    let count = 0;
    const impact = ({ id }) => (thickness() < 0.2 && id === "glass" ? "passThrough" : "stop");
    const legs = shoot(scene, [0, 2, 0], [2, -1, 0], 50, impact, { entities: () => ++count > 0 });
    assert.deepEqual(legs.map(({ hit }) => hit?.id), ["glass", "glass", "floor"]);
    assert.ok(count > 0);
  });
});
