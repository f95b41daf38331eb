// Volumes that rotate, entities that move, all overlaps of a volume, and pairs of entities over time.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { Aabb, Capsule, Mesh, PairTracker, Plane, Scene, Sphere, init } from "hitscan";
import { close, minus, numbersOf, plus, randoms } from "./numbers.mjs";

before(() => init());

describe("moving volumes", () => {
  test("a bar that turns hits a post at the angle of the formula", () => {
    using scene = new Scene();
    scene.insert("post", new Sphere([0, 0, 0], 0.5), [1.5, 2, 0]);
    const bar = new Capsule([-3, 0, 0], [3, 0, 0], 0.01);
    const upright = { position: [0, 0, 0], rotation: [0, 0, 1, 1] };
    const hit = scene.sweepRotating(bar, [0, 0, 0], upright);
    close(hit.t, (Math.atan2(2, 1.5) - Math.asin(0.51 / 2.5)) / (Math.PI / 2), 1e-5);
    assert.deepEqual([hit.id, hit.start, hit.feature, "slide" in hit, "safeT" in hit], ["post", "apart", "face", false, false]);
    close(Math.hypot(...minus(hit.point, [1.5, 2, 0])), 0.5, 1e-4);
    assert.equal(scene.sweepRotating(bar, [0, 0, 0], upright, { exclude: ["post"] }), null);
    // The other way round it goes through the empty quarter.
    assert.equal(scene.sweepRotating(bar, [0, 0, 0], { position: [0, 0, 0], rotation: { x: 0, y: 0, z: -0.2, w: 1 } }), null);
    // Without a rotation it moves as in a sweep.
    const [turned, straight] = [scene.sweepRotating(bar, [0, 0, 0], [0, 4, 0]), scene.sweep(bar, [0, 0, 0], [0, 4, 0])];
    close(turned.t, straight.t, 1e-5);
    const leaving = [bar, [0, 1.5, 0], { position: [0, -1, 0], rotation: [0, 0, 0, 1] }];
    assert.deepEqual([scene.sweepRotating(...leaving).t, scene.sweepRotating(...leaving).start], [0, "penetrating"]);
    assert.equal(scene.sweepRotating(...leaving, { contacts: "ahead" }), null);
    assert.throws(() => scene.sweepRotating(bar, [0, 0, 0], [0, 0]), /the position of the volume at the end must be/);
    assert.throws(() => scene.sweepRotating(new Plane([0, 0, 0], [0, 1, 0]), [0, 0, 0], [0, 1, 0]), /no volume/);
  });

  test("an entity moves with all of its parts, and never hits itself", () => {
    using scene = new Scene();
    const [top, leg] = [new Aabb([-1, 0.9, -1], [1, 1, 1]), new Capsule([0, 0.1, 0], [0, 0.8, 0], 0.1)];
    scene.insert("table", [{ geometry: top }, { geometry: leg, transform: [0.5, 0, 0] }], [0, 0, 3]);
    scene.insert("wall", new Aabb([5, -9, -9], [6, 9, 9]));
    scene.insert("curb", new Aabb([2, -1, -9], [3, 0.25, 9]));
    const bounds = scene.boundsOf("table");
    const hit = scene.sweepEntity("table", [8, 0, 0], { skin: 0.1 });
    const parts = [top, leg].map((shape, i) => scene.sweep(shape, [0.5 * i, 0, 3], [8, 0, 0], { exclude: ["table"] }));
    assert.deepEqual(parts.map(({ id }) => id), ["wall", "curb"]);
    assert.deepEqual([hit.id, hit.t], ["curb", Math.min(...parts.map(({ t }) => t))]);
    close(hit.t, (2 - 0.6) / 8, 1e-6);
    close(hit.safeT, hit.t - 0.1 / 8, 1e-6);
    assert.equal(scene.sweepEntity("table", [8, 0, 0], { exclude: ["curb"] }).id, "wall");
    assert.equal(scene.sweepEntity("table", [0.1, 0, 0]), null);
    assert.equal(scene.sweepEntity("nobody", [8, 0, 0]), null);
    assert.deepEqual(scene.boundsOf("table"), bounds, "the scene is not changed");
    assert.throws(() => scene.sweepEntity("table", 8), /the motion must be/);
  });
});

test("all overlaps of a ball, with the motion that ends each", () => {
  using scene = new Scene();
  scene.insert("floor", new Aabb([-9, -1, -9], [9, 0, 9]));
  scene.insert("wall", new Aabb([2, 0, -9], [3, 5, 9]));
  scene.insert("far", new Aabb([8, 0, -9], [9, 5, 9]));
  scene.insert("sheet", new Mesh([-9, 1.5, -9, 9, 1.5, -9, 0, 1.5, 9]));
  const [ball, at] = [new Sphere([0, 0, 0], 1), [1.5, 0.75, 0]];
  const all = scene.penetrationAll(ball, at);
  assert.deepEqual(all.map(({ id, depth, triangle }) => [id, depth, triangle]), [["wall", 0.5, undefined], ["floor", 0.25, undefined], ["sheet", 0.25, 0]]);
  assert.deepEqual(all.map(({ separation }) => separation), [[-0.5, 0, 0], [0, 0.25, 0], [0, -0.25, 0]]);
  assert.deepEqual(all[0], scene.penetration(ball, at));
  assert.deepEqual(new Set(all.map(({ id }) => id)), new Set(scene.overlapEntities(ball, at)));
  assert.deepEqual(scene.penetrationAll(ball, at, { exclude: ["wall"] }).map(({ id }) => id), ["floor", "sheet"]);
  assert.deepEqual(scene.penetrationAll(ball, [0, 20, 0]), []);
  for (const { id, separation } of all) {
    const left = scene.penetrationAll(ball, plus(at, separation)).find((other) => other.id === id);
    assert.ok(left === undefined || left.depth < 1e-6);
  }
});

describe("pairs", () => {
  test("how deep two balls are in each other", () => {
    const next = randoms(29);
    using scene = new Scene();
    let deep = 0;
    for (let i = 0; i < 100; i++) {
      const [a, b] = [numbersOf(next, 3, -1, 1).map(Math.fround), numbersOf(next, 3, -1, 1).map(Math.fround)];
      scene.insert("a", new Sphere([0, 0, 0], 0.5), a);
      scene.insert("b", new Sphere([0, 0, 0], 0.75), b);
      const found = scene.pair("a", "b").penetration();
      const gap = Math.hypot(...minus(b, a)) - 1.25;
      if (gap > 0) {
        assert.equal(found, null);
        continue;
      }
      deep++;
      close(found.depth, -gap, 1e-6);
      minus(b, a).forEach((x, axis) => close(found.normal[axis], x / (gap + 1.25), 1e-5));
      close(Math.hypot(...minus(found.points[0], a)), 0.5, 1e-5);
      close(Math.hypot(...minus(found.points[1], b)), 0.75, 1e-5);
      scene.setTransform("b", plus(b, found.separation));
      close(scene.pair("a", "b").distance().distance, 0, 1e-6);
      close(scene.pair("a", "b").penetration()?.depth ?? 0, 0, 1e-6);
    }
    assert.ok(deep > 20);
  });

  test("parts and triangles are named, and absent keys have no depth", () => {
    using scene = new Scene();
    scene.insert("sheet", new Mesh([-9, 0, -9, 0, 0, 9, -9, 0, 9, -9, 0, -9, 9, 0, -9, 0, 0, 9]));
    const ball = new Sphere([0, 0, 0], 1);
    scene.insert("pair", [{ geometry: ball, transform: [0, 9, 0] }, { geometry: ball, transform: [2, 0.75, -2] }]);
    const { depth, parts, triangles, separation } = scene.pair("sheet", "pair").penetration();
    assert.deepEqual([depth, parts, triangles, separation], [0.25, [0, 1], [1, undefined], [0, 0.25, 0]]);
    const other = scene.pair("pair", "sheet").penetration();
    assert.deepEqual([other.parts, other.triangles, other.separation[1]], [[1, 0], [undefined, 1], -0.25]);
    assert.equal(scene.pair("pair", "nobody").penetration(), null);
    assert.equal(scene.pair("pair", "pair").penetration(), null);
  });

  test("layers and boxes choose pairs", () => {
    using scene = new Scene();
    for (const [id, x] of [["door", 0], ["crate", 0.5], ["guard", 1]]) scene.insert(id, new Sphere([0, 0, 0], 1), [x, 0, 0]);
    scene.insert("corner", new Sphere([0, 0, 0], 1), [2.5, 1.9, 1.9]);
    scene.setLayers("door", 2);
    assert.deepEqual(scene.overlapPairs(), [["door", "crate"], ["door", "guard"], ["crate", "guard"]]);
    assert.deepEqual(scene.overlapPairs({ layers: 2 }), [["door", "crate"], ["door", "guard"]]);
    assert.deepEqual(scene.overlapPairs({ layers: 1, otherLayers: ~2 }), [["crate", "guard"]]);
    assert.deepEqual(scene.overlapPairs({ test: "boxes" }).at(-1), ["guard", "corner"]);
    assert.throws(() => scene.overlapPairs({ test: "spheres" }), /the test of pairs must be "shapes" or "boxes", not spheres/);
  });

  test("over time, as their distances say, whatever keys come and go", () => {
    const next = randoms(31);
    using scene = new Scene();
    const tracker = new PairTracker();
    const places = new Map();
    let known = new Set();
    const counts = { enter: 0, stay: 0, leave: 0 };
    const name = (a, b) => [a, b].sort().join(" ");
    for (let frame = 0; frame < 200; frame++) {
      for (let i = 0; i < 12; i++) {
        const key = `ball ${Math.floor(next() * 16)}`;
        const place = numbersOf(next, 3, -3, 3).map(Math.fround);
        const choice = next();
        if (choice < 0.3 && places.has(key)) {
          scene.remove(key);
          places.delete(key);
        } else if (choice < 0.6 && places.has(key)) {
          scene.setTransform(key, place);
          places.set(key, place);
        } else {
          // One that was removed comes back under another number of the module.
          scene.remove(key);
          scene.insert(key, new Sphere([0, 0, 0], 1), place);
          places.delete(key);
          places.set(key, place);
        }
      }
      const now = new Set();
      const keys = [...places.keys()];
      for (const [i, a] of keys.entries()) for (const b of keys.slice(i + 1)) if (Math.hypot(...minus(places.get(a), places.get(b))) <= 2) now.add(name(a, b));
      const events = tracker.update(scene);
      assert.equal(tracker.events, events);
      const found = (change) => events.filter((event) => event.change === change).map(({ first, second }) => name(first, second)).sort();
      assert.deepEqual(found("enter"), [...now].filter((pair) => !known.has(pair)).sort());
      assert.deepEqual(found("stay"), [...now].filter((pair) => known.has(pair)).sort());
      assert.deepEqual(found("leave"), [...known].filter((pair) => !now.has(pair)).sort());
      const left = found("leave").length;
      assert.ok(events.slice(0, left).every(({ change }) => change === "leave"), "those that leave come first");
      assert.deepEqual(events.slice(left).map(({ first, second }) => [first, second]), scene.overlapPairs());
      assert.deepEqual(tracker.pairs, scene.overlapPairs());
      for (const { change } of events) counts[change]++;
      known = now;
    }
    assert.ok(Math.min(...Object.values(counts)) > 100, JSON.stringify(counts));
  });

  test("a tracker of some layers, and of boxes", () => {
    using scene = new Scene();
    scene.insert("zone", new Sphere([0, 0, 0], 1));
    scene.insert("guard", new Sphere([0, 0, 0], 0.5), [1.2, 0, 0]);
    scene.insert("crate", new Sphere([0, 0, 0], 0.5), [1.2, 1.2, 0]);
    scene.setLayers("zone", 2);
    const tracker = new PairTracker({ layers: 2, otherLayers: 1 });
    assert.deepEqual([tracker.events, tracker.pairs], [[], []]);
    assert.deepEqual(tracker.update(scene), [{ first: "zone", second: "guard", change: "enter" }]);
    assert.deepEqual(new PairTracker({ layers: 2, test: "boxes" }).update(scene).map(({ second }) => second), ["guard", "crate"]);
    scene.remove("guard");
    assert.deepEqual(tracker.update(scene), [{ first: "zone", second: "guard", change: "leave" }]);
    assert.throws(() => new PairTracker({ test: "spheres" }).update(scene), /the test of pairs must be/);
  });
});
