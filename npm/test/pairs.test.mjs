// Pairs of entities of one scene and of two, beside a comparison of every two things by formulas.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { Aabb, Mesh, Plane, Scene, Sphere, init } from "hitscan";
import { close, cross, dot, minus, numbersOf, plus, randoms } from "./numbers.mjs";

before(() => init());

const joined = ({ first, second }) => `${first} ${second}`;

/** Makes a scene of some balls, in a random order of numbers of the module, and returns it with the balls. */
function balls(next, name, count) {
  const scene = new Scene();
  for (let i = 0; i < count; i++) scene.insert(`gone ${i}`, new Sphere([0, 0, 0], 1));
  const all = [];
  for (let i = 0; i < count; i++) {
    // Numbers of removed entities are used again, so numbers and order differ.
    scene.remove(`gone ${Math.floor(next() * count)}`);
    const ball = { key: `${name} ${i}`, at: numbersOf(next, 3, -4, 4).map(Math.fround), radius: Math.fround(0.1 + next()), layers: 1 << Math.floor(next() * 3) };
    scene.insert(ball.key, new Sphere([0, 0, 0], ball.radius), ball.at);
    scene.setLayers(ball.key, ball.layers);
    all.push(ball);
  }
  for (let i = 0; i < count; i++) scene.remove(`gone ${i}`);
  return [scene, all];
}

/** Compares every two balls that the choices let count. */
function everyTwo(some, others, { layers = ~0, otherLayers = ~0, exclude = [] } = {}) {
  const areSame = some === others;
  const isExcluded = (a, b) => exclude.some(([x, y]) => (x === a && y === b) || (areSame && x === b && y === a));
  return some.flatMap((a, i) =>
    (areSame ? others.slice(i + 1) : others)
      .filter((b) => ((a.layers & layers && b.layers & otherLayers) || (b.layers & layers && a.layers & otherLayers)) && !isExcluded(a.key, b.key))
      .map((b) => ({ first: a.key, second: b.key, a, b, gap: Math.hypot(...minus(b.at, a.at)) - a.radius - b.radius })),
  );
}

function check(found, { first, second, a, b, gap }) {
  assert.deepEqual([found.first, found.second], [first, second]);
  close(found.distance, Math.max(gap, 0), 2e-6);
  assert.deepEqual([found.parts, found.triangles], [[0, 0], [undefined, undefined]]);
  if (gap <= 0) return;
  const way = minus(b.at, a.at).map((x) => x / Math.hypot(...minus(b.at, a.at)));
  way.forEach((x, axis) => {
    close(found.normal[axis], x, 1e-5);
    close(found.points[0][axis], a.at[axis] + a.radius * x, 1e-5);
    close(found.points[1][axis], b.at[axis] - b.radius * x, 1e-5);
  });
}

describe("the nearest pairs are those of a comparison of every two", () => {
  for (const areTwo of [false, true]) {
    test(areTwo ? "between two scenes" : "in one scene", () => {
      const next = randoms(areTwo ? 71 : 70);
      const counts = { nearest: 0, near: 0, overlaps: 0 };
      for (let round = 0; round < 60; round++) {
        const [scene, some] = balls(next, "ball", 3 + Math.floor(next() * 20));
        const [second, others] = areTwo ? balls(next, "ball", 1 + Math.floor(next() * 20)) : [scene, some];
        const asked = areTwo ? scene.against(second) : scene;
        const pick = (all) => all[Math.floor(next() * all.length)].key;
        const exclude = Array.from({ length: 6 }, () => [pick(some), pick(others)]);
        for (const options of [undefined, { exclude }, { layers: 1, otherLayers: 6 }, { layers: 2, exclude }, { exclude: [["nobody", "ball 0"]] }]) {
          const all = everyTwo(some, others, options);
          const nearest = all.reduce((best, pair) => (best === undefined || Math.max(pair.gap, 0) < Math.max(best.gap, 0) ? pair : best), undefined);
          const found = asked.closestPair(options);
          assert.equal(found === null, nearest === undefined);
          if (found !== null) check(found, nearest);
          counts.nearest += found !== null;
          for (const limit of [0, next() * 3, Infinity]) {
            const near = all.filter(({ gap }) => gap <= limit);
            const pairs = asked.distancePairs(limit, options);
            assert.deepEqual(pairs.map(joined), near.map(joined));
            pairs.forEach((pair, i) => check(pair, near[i]));
            counts.near += near.length;
          }
          const overlaps = all.filter(({ gap }) => gap <= 0);
          assert.deepEqual(asked.overlapPairs(options), overlaps.map(({ first, second }) => [first, second]));
          counts.overlaps += overlaps.length;
        }
        second.dispose();
        scene.dispose();
      }
      assert.ok(Math.min(...Object.values(counts)) > 200, JSON.stringify(counts));
    });
  }
});

test("two scenes have keys of their own, and each question sees their present state", () => {
  using robot = new Scene();
  using room = new Scene();
  const floor = { what: "floor" };
  robot.insert(0, new Sphere([0, 0, 0], 0.5), [0, 1, 0]);
  robot.insert(1, new Sphere([0, 0, 0], 0.5), [0.5, 3, 0]);
  room.insert(floor, new Aabb([-4, -1, -4], [4, 0, 4]));
  const both = robot.against(room);
  assert.deepEqual([both.closestPair().first, both.closestPair().second, both.closestPair().distance], [0, floor, 0.5]);
  assert.equal(both.pair(1, floor).distance().distance, 2.5);
  assert.equal(both.pair(1, "nobody").distance(), null);
  assert.deepEqual([both.pair(0, floor).overlaps(), both.pair(0, floor).penetrationAll()], [false, []]);
  robot.setTransform(1, [0, 0.25, 0]);
  assert.deepEqual(both.overlapPairs(), [[1, floor]]);
  assert.deepEqual(both.pair(1, floor).penetration().separation, [0, -0.25, 0]);
  assert.deepEqual(both.pair(1, floor).penetrationAll(), [both.pair(1, floor).penetration()]);
  // In the other order it is another question.
  assert.deepEqual(room.against(robot).closestPair().first, floor);
  assert.deepEqual(robot.against(robot).overlapPairs(), [[0, 0], [0, 1], [1, 0], [1, 1]].filter(([a, b]) => robot.pair(a, b).overlaps() || a === b));
  room.clear();
  assert.equal(both.closestPair(), null);
  assert.deepEqual(both.distancePairs(Infinity), []);
});

test("planes, equal distances, and bad choices", () => {
  using scene = new Scene();
  assert.equal(scene.closestPair(), null);
  scene.insert("ground", new Plane([0, 0, 0], [0, 1, 0]));
  assert.equal(scene.closestPair(), null);
  for (const x of [3, 1, 2]) scene.insert(`ball ${x}`, new Sphere([0, 0, 0], 0.25), [2 * x, 1.25, 0]);
  assert.deepEqual([joined(scene.closestPair()), scene.closestPair().distance], ["ground ball 3", 1]);
  assert.deepEqual(scene.distancePairs(1).map(joined), ["ground ball 3", "ground ball 1", "ground ball 2"]);
  assert.throws(() => scene.distancePairs(-1), /the distance of pairs must be a number that is not negative, not -1/);
  assert.throws(() => scene.distancePairs(NaN), /not negative, not NaN/);
  assert.throws(() => scene.closestPair({ exclude: ["ground"] }), /each excluded pair must be an array of two keys, not ground/);
  assert.throws(() => scene.against("room"), /the other scene must be a Scene/);
  const gone = new Scene();
  const both = scene.against(gone);
  gone.dispose();
  assert.throws(() => both.closestPair(), /this scene was disposed/);
});

/** Returns how far the second triangle must move to leave the first, by the axes of all faces of their difference; negative if they are apart. */
function depthOf(a, b) {
  const edges = (corners) => corners.map((corner, i) => minus(corners[(i + 1) % 3], corner));
  const [mine, theirs] = [edges(a), edges(b)];
  const axes = [cross(mine[0], mine[1]), cross(theirs[0], theirs[1]), ...mine.flatMap((one) => theirs.map((other) => cross(one, other)))];
  return Math.min(
    ...axes.flatMap((axis) => [axis, axis.map((x) => -x)]).map((axis) => {
      const length = Math.hypot(...axis);
      return Math.max(...a.map((corner) => dot(corner, axis) / length)) - Math.min(...b.map((corner) => dot(corner, axis) / length));
    }),
  );
}

test("every two triangles of two meshes that intersect, as their axes say", () => {
  const next = randoms(72);
  let count = 0;
  for (let round = 0; round < 20; round++) {
    const [some, others] = [0, 1].map(() => Array.from({ length: 12 }, () => {
      const middle = numbersOf(next, 3, -1, 1);
      return [0, 1, 2].map(() => plus(middle, numbersOf(next, 3, -1, 1)).map(Math.fround));
    }));
    using scene = new Scene();
    scene.insert("some", new Mesh(some.flat(2)));
    scene.insert("others", new Mesh(others.flat(2)));
    const depths = new Map();
    some.forEach((a, i) => others.forEach((b, j) => depths.set(`${i} ${j}`, depthOf(a, b))));
    const found = scene.pair("some", "others").penetrationAll();
    assert.deepEqual(found.map(({ triangles }) => triangles.join(" ")).sort(), [...depths.keys()].filter((pair) => depths.get(pair) >= 0).sort());
    for (const { depth, triangles, separation, normal } of found) {
      close(depth, depths.get(triangles.join(" ")), 1e-5);
      close(Math.hypot(...separation), depth, 1e-5);
      close(dot(separation, normal), depth, 1e-5);
      close(depthOf(some[triangles[0]], others[triangles[1]].map((corner) => plus(corner, separation))), 0, 1e-5);
    }
    assert.ok(found.every(({ depth }, i) => i === 0 || depth <= found[i - 1].depth), "the deepest is first");
    assert.equal(found[0]?.depth, scene.pair("some", "others").penetration()?.depth);
    count += found.length;
  }
  assert.ok(count > 100, `${count} pairs`);
});
