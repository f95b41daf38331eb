// Shapes of the program's own.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import { Camera, Cursor, Custom, Mesh, Region, Scene, Selector, Sphere, init } from "hitscan";
import { close, cross, dot, numbersOf, randoms } from "./numbers.mjs";

before(() => init());

const unit = { min: [-1, -1, -1], max: [1, 1, 1] };

/** The crossings of a ray with a ball of radius 1 around the origin. */
function* ball({ origin, direction }) {
  const [a, b, c] = [dot(direction, direction), dot(origin, direction), dot(origin, origin) - 1];
  const square = b * b - a * c;
  if (square < 0) return;
  for (const [sign, side] of [[-1, "front"], [1, "back"]]) {
    const t = (-b + sign * Math.sqrt(square)) / a;
    yield { t, normal: origin.map((x, i) => x + t * direction[i]), side, u: 0.25, v: 0.5, feature: side === "front" ? 7 : 8 };
  }
}

test("a ball of one's own answers as the built-in ball does", () => {
  const next = randoms(23);
  const [mine, theirs] = [new Custom(unit, ball), new Sphere([0, 0, 0], 1)];
  let hits = 0;
  for (let i = 0; i < 400; i++) {
    const [origin, direction] = [numbersOf(next, 3, -2, 2), numbersOf(next, 3, -1, 1)];
    const gap = Math.hypot(...cross(origin, direction)) / Math.hypot(...direction);
    if (Math.abs(gap - 1) < 1e-3 || Math.abs(Math.hypot(...origin) - 1) < 1e-3) continue;
    for (const whenInside of ["exit", "solid", "ignore"]) {
      const [found, expected] = [mine, theirs].map((shape) => shape.cast(origin, direction, { whenInside }));
      assert.equal(found?.side, expected?.side);
      if (expected === null) continue;
      hits++;
      close(found.t, expected.t, 1e-4);
      if (expected.side !== "inside") found.normal.forEach((x, axis) => close(x, expected.normal[axis], 1e-3));
      assert.equal(mine.castT(origin, direction, { whenInside }), found.t);
    }
    assert.equal(mine.isBlocked(origin, direction), theirs.isBlocked(origin, direction));
  }
  assert.ok(hits > 100, `${hits} hits`);
  assert.deepEqual(mine.bounds(), unit);
  assert.equal(mine.cast([0, 0, 3], [0, 0, -1]).u, 0.25);
});

test("in a scene it is placed, hit, left out and counted as any other shape", () => {
  using scene = new Scene();
  const place = { position: [1, 0, -5], scale: [2, 1, 1] };
  scene.insert("mine", new Custom(unit, ball), place);
  scene.insert("theirs", new Sphere([0, 0, 0], 1), { ...place, position: [1, 0, -9] });
  const ray = [[1.5, 0.25, 0], [0, 0, -1]];
  const hits = scene.castAll(...ray);
  assert.deepEqual(hits.map(({ id, side }) => [id, side]), [["mine", "front"], ["mine", "back"], ["theirs", "front"], ["theirs", "back"]]);
  assert.deepEqual(hits.map(({ feature }) => feature), [7, 8, undefined, undefined]);
  assert.deepEqual([hits[0].u, hits[0].v, hits[2].u], [0.25, 0.5, undefined]);
  hits.slice(0, 2).forEach(({ t, normal }, i) => {
    close(hits[i + 2].t - t, 4, 1e-5);
    normal.forEach((x, axis) => close(x, hits[i + 2].normal[axis], 1e-5));
  });
  assert.deepEqual(scene.castEntities(...ray).map(({ id }) => id), ["mine", "theirs"]);
  assert.equal(scene.cast(...ray, { exclude: ["mine"] }).id, "theirs");
  assert.equal(scene.cast(...ray, { hits: ({ side, t }) => t > 5 }).id, "mine");
  assert.deepEqual([...scene.castBatch([...ray.flat(), 9, 9, 9, 0, 0, 1]).id], ["mine", undefined]);
  assert.deepEqual([...scene.castAllBatch(ray.flat()).id], ["mine", "mine", "theirs", "theirs"]);
  assert.deepEqual(scene.solidIntervals(...ray).map(({ id }) => id), ["mine", "theirs"]);
  assert.equal(scene.sweep(new Sphere([0, 0, 0], 0.1), [1.5, 0.25, 0], [0, 0, -20]).id, "theirs", "volumes pass it by");
  using camera = Camera.perspective([1, 0, 0], 1);
  assert.deepEqual(new Selector(camera, [64, 64], Region.rect([0, 0], [64, 64]), { visible: 4 }).entities(scene), ["mine"]);
  assert.throws(() => scene.toBytes(), Error);
});

test("only the crossings that matter are asked for, and those that break the rules are left out", () => {
  let asked = 0;
  const stairs = new Custom({ min: [-1, 0, -1], max: [1, 10, 1] }, function* ({ origin, direction, tMin, tMax }) {
    assert.deepEqual([direction[0], direction[2], tMin <= 0, tMax >= 1000], [0, 0, true, true]);
    for (let y = 20; y >= -10; y--, asked++) yield { t: (y - origin[1]) / direction[1], normal: [0, 1, 0], side: y % 2 === 0 ? "front" : "back" };
  });
  using scene = new Scene();
  scene.insert("stairs", stairs);
  assert.equal(scene.cast([0, 30, 0], [0, -1, 0]).t, 20);
  assert.ok(asked <= 12, `${asked} were asked for`);
  assert.deepEqual(scene.castAll([0, 30, 0], [0, -1, 0]).map(({ t }) => t), Array.from({ length: 11 }, (_, i) => 20 + i));
  const backwards = new Custom(unit, () => [{ t: 2, normal: [0, 0, 1], side: "front" }, { t: 1.5, normal: [0, 0, 1], side: "back" }, { t: NaN, normal: [0, 0, 1], side: "back" }]);
  scene.insert("backwards", backwards, [5, 0, 0]);
  assert.deepEqual(scene.castAll([5, 0, 2], [0, 0, -1]).map(({ t }) => t), [2]);
});

test("errors of the function are thrown by the question, once", () => {
  const fails = () => {
    throw new RangeError("mine");
  };
  const broken = new Custom(unit, fails);
  const ray = [[0, 0, 3], [0, 0, -1]];
  for (const ask of ["cast", "castT", "isBlocked"]) assert.throws(() => broken[ask](...ray), /mine/, ask);
  using scene = new Scene();
  scene.insert("broken", broken);
  for (const ask of ["cast", "isBlocked", "castAll", "castEntities", "solidIntervals"]) assert.throws(() => scene[ask](...ray), /mine/, ask);
  assert.throws(() => scene.castBatch(ray.flat()), /mine/);
  assert.throws(() => new Cursor(Camera.perspective([0, 0, 3], 1), [9, 9], [4, 4], 9).all(scene) && scene.sees([0, 0, 3], [0, 0, -3]), /mine/);
  let calls = 0;
  scene.insert("broken", new Custom(unit, () => {
    throw new RangeError(`call ${++calls}`);
  }));
  assert.throws(() => scene.castBatch([...ray.flat(), ...ray.flat()]), /call 1/);
  assert.equal(calls, 1, "no function is called after an error");
  scene.remove("broken");
  assert.equal(scene.cast(...ray), null, "the next question has no error");
  const answers = (...crossings) => () => new Custom(unit, () => crossings).cast(...ray);
  assert.throws(() => new Custom(unit, () => undefined).cast(...ray), /the answer of a shape's function must be an array or another iterable of crossings, not undefined/);
  assert.throws(answers({ normal: [0, 0, 1], side: "front" }), /the t of a crossing must be a number/);
  assert.throws(answers({ t: 2, normal: [0, 1], side: "front" }), /the normal of a crossing must be/);
  assert.throws(answers({ t: 2, normal: [0, 0, 1], side: "inside" }), /the side of a crossing must be "front" or "back", not inside/);
  assert.throws(() => new Custom(unit, "ball"), /the function of a shape must be a function of a ray/);
  assert.throws(() => new Custom({ min: [1, 0, 0], max: [0, 1, 1] }, ball), /minimum .* above its maximum/);
  assert.throws(() => new Custom({ min: [0, 0, 0] }, ball), /the greatest corner must be/);
  for (const ask of ["contains", "closestPoint"]) assert.throws(() => new Custom(unit, ball)[ask]([0, 0, 0]), /answers rays alone/, ask);
  assert.throws(() => scene.overlaps(new Custom(unit, ball), [0, 0, 0]), /no volume/);
});

test("the function may ask others, and freed shapes leave their places to others", () => {
  using sheet = new Mesh([-1, -1, 0, 1, -1, 0, 0, 1, 0]);
  using inner = new Scene();
  inner.insert("sheet", sheet);
  const asks = new Custom(unit, ({ origin, direction }) => {
    const [{ t }] = inner.castAll(origin, direction, { normalize: false, entities: () => true });
    assert.deepEqual([...inner.castBatch([...origin, ...direction], { normalize: false }).t], [t]);
    return [{ t, normal: [0, 0, 1], side: "front" }];
  });
  using scene = new Scene();
  scene.insert("asks", asks);
  scene.insert("behind", new Sphere([0, 0, 0], 0.5), [0, 0, -4]);
  const filter = { entities: () => true };
  assert.deepEqual(scene.castAll([0, 0, 3], [0, 0, -1], filter).map(({ id, t }) => [id, t]), [["asks", 3], ["behind", 6.5], ["behind", 7.5]]);
  assert.deepEqual([...scene.castAllBatch([0, 0, 3, 0, 0, -1]).t], [3, 6.5, 7.5]);
  const at = (t) => new Custom(unit, () => [{ t, normal: [0, 0, 1], side: "front" }]);
  const first = at(2);
  scene.insert("kept", first, [5, 0, 0]);
  first.dispose();
  assert.throws(() => first.cast([0, 0, 3], [0, 0, -1]), /disposed/);
  const others = [2.25, 2.5].map(at);
  assert.equal(scene.cast([5, 0, 3], [0, 0, -1]).t, 2, "the scene keeps its share");
  scene.remove("kept");
  others.push(at(2.75));
  assert.deepEqual(others.map((shape) => shape.castT([0, 0, 3], [0, 0, -1])), [2.25, 2.5, 2.75]);
});
