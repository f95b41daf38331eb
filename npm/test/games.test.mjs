// Helpers of games and editors: explosions, camera arms, ledges, the surface under a cursor, and characters that respond to contacts.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { Aabb, Camera, CameraArm, Capsule, Character, CharacterState, LedgeProbe, Mesh, Scene, Sphere, blast, init, surfacePoint } from "hitscan";
import { close, minus, numbersOf, randoms } from "./numbers.mjs";

before(() => init());

describe("explosions", () => {
  test("reach balls at the distances of their formulas, the nearest first", () => {
    const next = randoms(37);
    using scene = new Scene();
    const balls = Array.from({ length: 60 }, (_, i) => ({ id: i, center: numbersOf(next, 3, -9, 9).map(Math.fround), radius: Math.fround(0.2 + next()) }));
    for (const { id, center, radius } of balls) scene.insert(id, new Sphere(center, radius));
    for (let i = 0; i < 20; i++) {
      const [center, reach] = [numbersOf(next, 3, -6, 6), 1 + 6 * next()];
      const expected = balls.map((ball) => ({ ...ball, distance: Math.max(Math.hypot(...minus(ball.center, center)) - ball.radius, 0) }));
      const within = expected.filter(({ distance }) => distance <= reach).sort((a, b) => a.distance - b.distance || a.id - b.id);
      const found = blast(scene, center, reach);
      assert.deepEqual(found.map(({ id }) => id), within.map(({ id }) => id));
      found.forEach(({ distance, point }, k) => {
        close(distance, within[k].distance, 1e-5);
        close(Math.hypot(...minus(point, within[k].center)), within[k].radius, 1e-4);
      });
    }
  });

  test("cover, and a second filter that chooses it", () => {
    using scene = new Scene();
    scene.insert("wall", new Aabb([2, -9, -9], [2.5, 9, 9]));
    scene.insert("guard", new Sphere([0, 0, 0], 0.5), [4, 0, 0]);
    scene.insert("barrel", new Sphere([0, 0, 0], 0.5), [-2, 0, 0]);
    const seen = (options) => blast(scene, { x: 0, y: 0, z: 0 }, 5, options).map(({ id, distance, isCovered }) => [id, distance, isCovered]);
    assert.deepEqual(seen(), [["barrel", 1.5, false], ["wall", 2, false], ["guard", 3.5, true]]);
    const guards = { entities: (id) => id === "guard" };
    assert.deepEqual(seen(guards), [["guard", 3.5, false]]);
    assert.deepEqual(seen({ ...guards, hiddenBy: {} }), [["guard", 3.5, true]]);
    assert.deepEqual(seen({ ...guards, hiddenBy: { exclude: ["wall"] } }), [["guard", 3.5, false]]);
    assert.deepEqual(seen({ exclude: ["wall"] }), [["barrel", 1.5, false], ["guard", 3.5, false]]);
    assert.deepEqual(blast(scene, [99, 0, 0], 5), []);
    assert.deepEqual(blast(scene, [4, 0, 0], 1)[0], { id: "guard", point: blast(scene, [4, 0, 0], 1)[0].point, distance: 0, isCovered: false });
    assert.throws(() => blast(scene, [0, 0, 0], -1), /the radius must be a finite number above 0, not -1/);
    assert.throws(() => blast(scene, [0, 0, 0], Infinity), /the radius/);
    assert.throws(() => blast(scene, [0, 0], 1), /the center must be/);
  });
});

test("the arm of a camera ends at a wall", () => {
  using scene = new Scene();
  scene.insert("wall", new Aabb([-5, 0, 3], [5, 4, 3.5]));
  scene.insert("hero", new Capsule([0, 0.3, 0], [0, 1.5, 0], 0.3));
  const arm = new CameraArm({ length: 6, radius: 0.25 });
  const end = arm.end(scene, [0, 1.6, 0], [0, 0, 2], { exclude: ["hero"] });
  assert.deepEqual([end.blockedBy, end.length, end.position], ["wall", 2.75, [0, 1.6, 2.75]]);
  // The camera touches the wall where its centre is a radius before it, along any direction.
  const slanted = arm.end(scene, [0, 1.6, 0], { x: 1, y: 0, z: 2 }, { exclude: ["hero"] });
  close(slanted.position[2], 2.75, 1e-6);
  close(slanted.length, 2.75 * Math.hypot(1, 2) / 2, 1e-6);
  assert.deepEqual(arm.end(scene, [0, 1.6, 0], [0, 0, -1], { exclude: ["hero"] }), { position: [0, 1.6, -6], length: 6, blockedBy: undefined });
  assert.deepEqual(arm.end(scene, [0, 1.6, 0], [0, 0, 0]).length, 0);
  assert.equal(new CameraArm({ length: 0, radius: 0.25 }).end(scene, [0, 1.6, 0], [0, 0, 1]).length, 0);
  assert.deepEqual([arm.length, arm.radius], [6, 0.25]);
  assert.throws(() => new CameraArm({ length: -1, radius: 0.25 }), /the length of the arm must be a finite number that is not negative, not -1/);
  assert.throws(() => new CameraArm({ length: 1 }), /the radius of the arm must be/);
});

test("a ledge ahead, from its lowest to its highest edge", () => {
  using scene = new Scene();
  scene.insert("roof", new Aabb([-5, 0, 1], [5, 2, 5]));
  const settings = { reach: 1, lowest: 1.2, highest: 2.4, radius: 0.05, maxSlope: 0.6 };
  const find = (change, ...rest) => new LedgeProbe({ ...settings, ...change }).find(scene, ...rest);
  const ledge = find({}, [0.5, 0, 0.3], [0, 0, 3], [0, 2, 0]);
  assert.equal(ledge.id, "roof");
  [[ledge.point, [0.5, 2, 1]], [ledge.topNormal, [0, 1, 0]], [ledge.wallNormal, [0, 0, -1]]].forEach(([found, expected]) => {
    found.forEach((x, axis) => close(x, expected[axis], 1e-6));
  });
  assert.equal(find({}, [0, 1, 0.3], [0, 0, 1], [0, 1, 0]), null, "the edge is too low");
  assert.equal(find({ highest: 1.9 }, [0, 0, 0.3], [0, 0, 1], [0, 1, 0]), null, "the edge is too high");
  assert.equal(find({ reach: 0.2 }, [0, 0, 0.3], [0, 0, 1], [0, 1, 0]), null, "the edge is too far");
  assert.equal(find({}, [0, 0, 0.3], [0, 0, -1], [0, 1, 0]), null, "it is behind");
  assert.equal(find({}, [0, 0, 0.3], [0, 1, 0], [0, 1, 0]), null, "forward is up");
  assert.equal(find({}, [0, 0, 0.3], [0, 0, 1], [0, 1, 0], { exclude: ["roof"] }), null);
  assert.equal(new LedgeProbe(settings).settings.highest, 2.4);
  assert.throws(() => new LedgeProbe({ ...settings, radius: 0 }), /the radius must be a finite number above 0, not 0/);
  assert.throws(() => new LedgeProbe({ ...settings, lowest: -1 }), /the lowest edge must be a finite number that is not negative/);
  assert.throws(() => new LedgeProbe({ ...settings, lowest: 3 }), /the lowest edge must be at most the highest one, 2.4, not 3/);
  assert.throws(() => find({}, [0, 0, 0.3], [0, 0, 1]), /the up direction must be/);
});

test("the surface under a cursor, or else a path", () => {
  using scene = new Scene();
  scene.insert("table", new Aabb([-2, 0, -2], [2, 1, 2]));
  scene.insert("cup", new Sphere([0, 0, 0], 0.2), [0, 1.2, 0]);
  using camera = Camera.perspective({ eye: [0, 9, 0], target: [0, 0, 0], up: [0, 0, -1] }, 1);
  const size = [600, 600];
  const others = { exclude: ["cup"] };
  const floor = { point: [0, 1, 0], normal: [0, 2, 0] };
  const below = surfacePoint(scene, camera, size, [300, 300], floor, others);
  assert.deepEqual([below.point, below.hit.id, below.hit.normal], [[0, 1, 0], "table", [0, 1, 0]]);
  assert.equal(surfacePoint(scene, camera, size, [300, 300], floor).hit.id, "cup");
  // Beside the table the ray of the cursor goes on to the plane.
  for (const cursor of [[10, 300], [590, 20], [300, 5]]) {
    const { origin, direction } = camera.ray(cursor, size);
    const beside = surfacePoint(scene, camera, size, cursor, floor, others);
    assert.equal(beside.hit, null);
    const t = (1 - origin[1]) / direction[1];
    beside.point.forEach((x, axis) => close(x, origin[axis] + t * direction[axis], 1e-4));
  }
  const onLine = surfacePoint(scene, camera, size, [10, 300], { point: [0, 1, 0], direction: [3, 0, 0] }, others).point;
  assert.deepEqual(onLine.slice(1), [1, 0]);
  const facing = surfacePoint(scene, camera, { x: 0, y: 0, width: 600, height: 600 }, { x: 10, y: 300 }, { point: { x: 0, y: 3, z: 0 } }, others).point;
  close(facing[1], 3, 1e-9);
  assert.equal(surfacePoint(scene, camera, size, [NaN, 0], floor), null);
  assert.equal(surfacePoint(scene, camera, size, [0, 0], { point: [0, 0, 0], normal: [0, 0, 0] }), null);
  assert.throws(() => surfacePoint(scene, camera, size, [0, 0], { ...floor, direction: [1, 0, 0] }), /the path must be a plane with a normal or a line with a direction/);
  assert.throws(() => surfacePoint(scene, camera, size, [0, 0], { normal: [0, 1, 0] }), /the point of the path must be/);
});

describe("characters that respond", () => {
  const dt = 1 / 60;

  function world() {
    const scene = new Scene();
    scene.insert("belt", new Aabb([-9, -1, -9], [9, 0, 9]));
    scene.insert("ledge", new Aabb([-9, 2.5, -9], [9, 2.6, 9]));
    return scene;
  }

  test("a one-way ledge is passed from below, and a belt carries", () => {
    using scene = world();
    using hero = new Character(new Capsule([0, -0.6, 0], [0, 0.6, 0], 0.3));
    using state = new CharacterState([0, 0.91, 0]);
    const passed = new Set();
    const asked = new Set();
    const respond = (contact) => {
      asked.add(contact.id);
      if (contact.id === "ledge" && (contact.velocity[1] > 0 || contact.depth > 0)) return "passThrough";
      return contact.id === "belt" ? { conveyor: { x: 1, y: 0, z: 0 } } : "solid";
    };
    let fall = 0;
    for (let frame = 0; frame < 120; frame++) {
      fall = frame === 30 ? 9 : state.isGrounded ? 0 : fall - 9.81 * dt;
      const moved = hero.moveAndRespond(scene, state, [0, fall, 0], dt, respond);
      moved.passed.forEach((id) => passed.add(id));
      fall = moved.velocity[1];
      if (frame === 29) {
        // The belt has carried it for almost 30 frames.
        close(state.position[0], 30 * dt, 2.5 * dt);
        close(moved.groundVelocity[0], 1, 1e-6);
      }
    }
    assert.deepEqual([[...passed], [...asked].sort(), state.ground(scene)], [["ledge"], ["belt", "ledge"], "ledge"]);
  });

  test("without a response all is solid, and a plain move passes nothing", () => {
    using scene = world();
    using hero = new Character(new Capsule([0, -0.6, 0], [0, 0.6, 0], 0.3));
    const run = (move) => {
      const state = new CharacterState([0, 0.91, 0]);
      const moves = Array.from({ length: 20 }, (_, i) => move(state, [2, i < 10 ? 5 : -5, 0]));
      assert.deepEqual(moves.flatMap(({ passed }) => passed), []);
      return [moves.map(({ motion }) => motion), state.position];
    };
    assert.deepEqual(
      run((state, velocity) => hero.moveAndRespond(scene, state, velocity, dt, () => "solid")),
      run((state, velocity) => hero.moveAndSlide(scene, state, velocity, dt)),
    );
  });

  test("an error is thrown, and the character stays", () => {
    using scene = world();
    using hero = new Character(new Capsule([0, -0.6, 0], [0, 0.6, 0], 0.3));
    using state = new CharacterState([0, 0.95, 0]);
    const move = (respond, options) => hero.moveAndRespond(scene, state, [1, -9, 0], dt, respond, options);
    assert.throws(() => move(() => "soft"), /the response to a contact must be "solid", "passThrough" or { conveyor: velocity }, not soft/);
    assert.throws(() => move(() => undefined), /the response to a contact/);
    assert.throws(() => move(() => ({ conveyor: [1, 0] })), /the velocity of a conveyor must be/);
    const fails = () => {
      throw new RangeError("mine");
    };
    assert.throws(() => move(fails), /mine/);
    assert.throws(() => move(() => "solid", { entities: fails }), /mine/);
    assert.throws(() => hero.moveAndSlide(scene, state, [1, -9, 0], dt, { entities: fails }), /mine/);
    assert.deepEqual(state.position, [0, 0.95, 0]);
    const moved = move(() => "solid");
    assert.equal(moved.ground.id, "belt");
    assert.notDeepEqual(state.position, [0, 0.95, 0]);
  });
});
