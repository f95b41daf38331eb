// The package in node: the names that other programs call, and the messages of errors.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import * as hitscan from "hitscan";
import {
  Aabb, Camera, Capsule, Character, CharacterState, Cone, ConvexHull, Cursor, Cylinder, Disc, HeightField, Mesh, OrientedBox, Plane, Point,
  Pointers, Quad, Region, Rounded, RoundedBox, Scene, Selector, Sphere, Torus, Triangle, init, isReady, memoryBytes, simdLevel,
} from "hitscan";

const square = () => new Mesh(Float32Array.of(0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0), Uint32Array.of(0, 1, 2, 0, 2, 3));

test("everything fails with a clear message before init", () => {
  assert.equal(isReady(), false);
  for (const make of [() => square(), () => new Scene(), () => new Sphere([0, 0, 0], 1), () => Camera.perspective([0, 0, 0], 1), () => Mesh.fromBytes(new Uint8Array(4))]) {
    assert.throws(make, /hitscan is not ready: call `await init\(\)` once/);
  }
});

describe("after init", () => {
  before(() => init());

  test("init may be called again, and says what it chose", async () => {
    await Promise.all([init(), init()]);
    assert.equal(simdLevel(), process.env.HITSCAN_LEVEL ?? "simd128");
  });

  test("a ray that counts in its own direction", () => {
    using mesh = new Mesh(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0), Uint32Array.of(0, 1, 2));
    const hit = mesh.cast([0.25, 0.25, 8], [0, 0, -4], { normalize: false });
    assert.deepEqual(hit, { t: 2, side: "front", triangle: 0, u: 0.25, v: 0.25, point: [0.25, 0.25, 0], normal: [0, 0, 1] });
    assert.equal(mesh.cast([0.25, 0.25, 8], [0, 0, -4]).t, 8);
    assert.equal(mesh.cast([0.25, 0.25, 8], [0, 0, 1]), null);
    assert.equal(mesh.cast({ x: 0.25, y: 0.25, z: 8 }, { x: 0, y: 0, z: -1 }).t, 8);
  });

  test("a target is used again", () => {
    using mesh = square();
    const target = {};
    const hit = mesh.cast([0.5, 0.25, 1], [0, 0, -1], undefined, target);
    assert.equal(hit, target);
    const { point } = hit;
    assert.equal(mesh.cast([0.75, 0.25, 1], [0, 0, -1], undefined, target).point, point);
    assert.deepEqual(point, [0.75, 0.25, 0]);
  });

  test("ranges are closed, sides can be left out, edges hold", () => {
    using mesh = square();
    assert.equal(mesh.cast([0.5, 0.25, 1], [0, 0, -1], { tMax: 1 }).t, 1);
    assert.equal(mesh.cast([0.5, 0.25, 1], [0, 0, -1], { tMax: 0.999 }), null);
    assert.equal(mesh.cast([0.5, 0.25, 1], [0, 0, -1], { cull: "front" }), null);
    assert.equal(mesh.cast([0.5, 0.25, -1], [0, 0, 1], { cull: "back" }), null);
    assert.equal(mesh.cast([0.5, 0.25, -1], [0, 0, 1]).side, "back");
    assert.equal(mesh.castAll([0.5, 0.5, 1], [0, 0, -1]).length, 2, "both triangles at their edge");
    assert.equal(mesh.isBlocked([0.5, 0.5, 1], [0, 0, -1]), true);
    assert.equal(mesh.firstTriangle([0.5, 0.25, 1], [0, 0, -1]), 0);
    assert.deepEqual([...mesh.triangles([0.5, 0.5, 1], [0, 0, -1])], [0, 1]);
  });

  test("rays in doubles are not rounded", () => {
    using mesh = new Mesh(Float32Array.of(0, 0, 0, 1, 0, 0, 0, 1, 0));
    const at = (y) => mesh.firstTriangle([0.5, y, 1], [0, 0, -1]);
    assert.deepEqual([at(0.5 - 1e-12), at(0.5), at(0.5 + 1e-12)], [0, 0, -1]);
    assert.equal(mesh.triangles([0.5, 0.5 + 1e-12, 1], [0, 0, -1]).length, 0);
    assert.equal(mesh.cast([0.5, 0.5 + 1e-12, 1], [0, 0, -1]).triangle, 0, "in f32 it is at the edge");
  });

  test("a batch answers as single rays do", () => {
    using mesh = square();
    const rays = Float32Array.from({ length: 6 * 500 }, (_, i) => [((i / 6) % 25) / 20 - 0.1, i / 6 / 400, 1, 0.01, 0.02, -1][i % 6]);
    const hits = mesh.castBatch(rays, { sides: true, uvs: true, points: true, normals: true });
    const blocked = mesh.isBlockedBatch(rays);
    for (let i = 0; i < 500; i++) {
      const [ox, oy, oz, dx, dy, dz] = rays.subarray(6 * i);
      const hit = mesh.cast([ox, oy, oz], [dx, dy, dz]);
      assert.equal(blocked[i] === 1, hit !== null);
      assert.equal(hits.t[i], hit?.t ?? Infinity);
      assert.equal(hits.triangle[i], hit?.triangle ?? 4294967295);
      if (hit === null) continue;
      assert.deepEqual([...hits.point.subarray(3 * i, 3 * i + 3)], hit.point);
      assert.deepEqual([...hits.normal.subarray(3 * i, 3 * i + 3)], hit.normal);
      assert.deepEqual([...hits.uv.subarray(2 * i, 2 * i + 2)], [hit.u, hit.v]);
    }
    const again = mesh.castBatch(rays, undefined, hits);
    assert.equal(again.t, hits.t, "the same array");
  });

  test("numbers may be in any array", () => {
    const corners = [0, 0, 0, 1, 0, 0, 0, 1, 0];
    const kinds = [Float32Array, Float64Array, Int8Array, Int16Array, Int32Array, Uint8Array, Uint8ClampedArray, Uint16Array, Uint32Array, Array];
    for (const kind of kinds) {
      for (const other of kinds) {
        using mesh = new Mesh(kind.from(corners), other.from([0, 1, 2]), { normals: kind.from([0, 0, 1, 0, 0, 1, 0, 0, 1]), texcoords: kind.from([0, 0, 1, 0, 0, 1]) });
        assert.equal(mesh.cast([0.25, 0.25, 8], [0, 0, -1]).t, 8);
      }
      using mesh = new Mesh(corners);
      const rays = kind.from([0, 0, 8, 0, 0, 1, 0, 0, 8, 1, 0, 2]);
      assert.equal(mesh.castBatch(rays).t.length, 2);
      assert.deepEqual([...mesh.isBlockedBatch(rays)], [0, 0]);
      mesh.refit(kind.from([0, 0, 2, 1, 0, 2, 0, 1, 2]));
      assert.equal(mesh.cast([0.25, 0.25, 8], [0, 0, -1]).t, 6);
      mesh.setTexcoords([0, 0, 1, 0, 0, 1]);
      mesh.cutOut({ width: 1, height: 1, alpha: kind.from([0]) });
      assert.equal(mesh.cast([0.25, 0.25, 8], [0, 0, -1]), null);
      using field = new HeightField(2, 2, [1, 1], kind.from([0, 0, 0, 0]));
      field.setHeights([0, 2], [0, 2], kind.from([3, 3, 3, 3]));
      assert.equal(field.heightAt(0.5, 0.5), 3);
      using hull = new ConvexHull(kind.from([0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1]));
      assert.equal(hull.vertices().length, 12);
      using scene = new Scene();
      scene.insert("square", square());
      assert.equal(scene.setTransforms(["square"], kind.from([1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 3, 1])), 1);
      assert.equal(scene.castPath(kind.from([0, 0, 5, 0, 0, 0])).t, 0.4000000059604645);
      assert.equal(scene.visibility([0, 0, 9], kind.from([0, 0, 5])), 1);
      assert.ok(scene.refit("square", kind.from([0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0])));
      assert.ok(Region.lasso(kind.from([0, 0, 9, 0, 9, 9])).contains([6, 3]));
    }
  });

  test("a key without an entity has no answer, and changes nothing", () => {
    using scene = new Scene();
    scene.insert(1, new Sphere([0, 0, 0], 1));
    assert.deepEqual([scene.remove(2), scene.setTransform(2, [0, 0, 0]), scene.setLayers(2, 1), scene.refit(2, [])], [false, false, false, false]);
    assert.equal(scene.boundsOf(2), undefined);
    assert.equal(scene.pair(1, 2).overlaps(), false);
    assert.equal(scene.pair(1, 2).distance(), null);
    assert.equal(scene.cast([0, 0, 5], [0, 0, -1], { exclude: [2] }).t, 4);
  });

  test("errors name the offender", () => {
    assert.throws(() => new Mesh(Float32Array.of(0, 0, 0, 1, 0, NaN, 0, 1, 0)), /vertex 1/);
    assert.throws(() => new Mesh(Float32Array.of(0, 0, 0), Uint32Array.of(0, 0, 7)), /7/);
    assert.throws(() => new Mesh(Float32Array.of(0, 0)), /three numbers each/);
    assert.throws(() => new Mesh([[0, 0, 0], [1, 0, 0], [0, 1, 0]]), /the positions must be numbers/);
    assert.throws(() => new Mesh("abc"), /the positions must be numbers, in a Float32Array or any other array, not abc/);
    assert.throws(() => new Mesh(new BigInt64Array(9)), /the positions must be numbers/);
    assert.throws(() => new Mesh(new Float32Array(9), [0, 1, -2]), /number 2 of the indices must be a whole number from 0 to 4294967295, not -2/);
    assert.throws(() => new Mesh(new Float32Array(9), [0, 1, 0.5]), /number 2 of the indices must be a whole number/);
    assert.throws(() => new Mesh([0, 0, 0, 1e39, 0, 0, 0, 1, 0]), /vertex 1/);
    assert.throws(() => new Mesh(new Float32Array(9), undefined, { quality: "good" }), /the quality must be "fast", "balanced" or "best"/);
    using mesh = square();
    assert.throws(() => mesh.cast([0, 0], [0, 0, 1]), /the origin must be \[x, y, z\]/);
    assert.throws(() => mesh.cast([0, 0, 0]), /the direction must be/);
    assert.throws(() => mesh.cast([0, 0, 0], [0, 0, 1], { cull: "both" }), /cull must be one of "none", "back", "front"/);
    assert.throws(() => mesh.castBatch(new Float32Array(7)), /6 numbers each: 7 is no multiple/);
    assert.throws(() => mesh.refit(new Float32Array(3)), Error);
    assert.throws(() => Mesh.fromBytes(Uint8Array.of(1, 2, 3)), Error);
    assert.throws(() => new Sphere([0, 0, 0], -1), /radius/);
    assert.throws(() => new Character(new Point()), Error);
    const gone = square();
    gone.dispose();
    gone.dispose();
    assert.throws(() => gone.cast([0, 0, 1], [0, 0, -1]), /this mesh was disposed/);
  });

  test("shapes answer", () => {
    const down = [[0, 3, 0], [0, -1, 0]];
    assert.equal(new Sphere([0, 0, 0], 1).cast(...down).t, 2);
    assert.equal(new Aabb([-1, -1, -1], [1, 1, 1]).cast(...down).t, 2);
    assert.equal(new OrientedBox([0, 0, 0], [1, 1, 1]).cast(...down).t, 2);
    assert.equal(new RoundedBox([-1, -1, -1], [1, 1, 1], 0.5).cast(...down).t, 1.5);
    assert.equal(new Capsule([0, -1, 0], [0, 1, 0], 0.5).cast(...down).t, 1.5);
    assert.equal(new Cylinder([0, -1, 0], [0, 1, 0], 0.5).cast(...down).t, 2);
    assert.equal(new Cone([0, -1, 0], [0, 1, 0], 0.5).cast(...down).t, 2);
    assert.equal(new Disc([0, 0, 0], [0, 1, 0], 1).cast(...down).t, 3);
    assert.equal(new Quad([-1, 0, -1], [0, 0, 2], [2, 0, 0]).cast(...down).t, 3);
    assert.equal(new Torus(2, 0.5).cast([2, 3, 0], [0, -1, 0]).t, 2.5);
    assert.equal(new Triangle([-1, 0, 1], [1, 0, 1], [0, 0, -1]).cast(...down).side, "front");
    assert.equal(new Plane([0, 1, 0], [0, 1, 0]).cast(...down).t, 2);
    assert.equal(new ConvexHull(Float32Array.of(-1, 0, -1, 1, 0, -1, 0, 0, 1, 0, 1, 0)).cast(...down).t, 2);
    assert.equal(new Sphere([0, 0, 0], 1).cast([0, 0, 0], [0, 1, 0], { whenInside: "ignore" }), null);
    assert.equal(new Sphere([0, 0, 0], 1).cast([0, 0, 0], [0, 1, 0], { whenInside: "solid" }).t, 0);
  });

  test("the worked box example", () => {
    const box = new Aabb([0.5, 0.5, 0.5], [2, 2, 2]);
    const plain = { normalize: false };
    assert.deepEqual(box.interval([-2, -2, -2], [2, 2, 2], plain), [1.25, 2]);
    assert.equal(box.isBlocked([0, 0, 0], [0, 1, 0], plain), false);
    assert.equal(box.isBlocked([0, 0, 0], [-1, 0, 0], plain), false);
    const exit = box.cast([1, 1, 1], [1, 1, 0], plain);
    assert.deepEqual([exit.t, exit.side, exit.normal], [1, "back", [1, 0, 0]]);
    assert.equal(box.isBlocked([0.4, 1, 1], [-1, 0, 0], plain), false);
  });

  test("a scene answers with the caller's own keys", () => {
    using scene = new Scene();
    const door = { name: "door" };
    scene.insert("floor", new Plane([0, 0, 0], [0, 1, 0]));
    scene.insert(door, square(), { position: [-0.5, 0, -4], scale: [1, 2, 1] });
    scene.insert(7, new Sphere([0, 0, 0], 0.5), [0, 1, -8]);
    assert.equal(scene.size, 3);
    const eye = [0, 1, 0];
    const hit = scene.cast(eye, [0, 0, -1]);
    assert.equal(hit.id, door);
    assert.equal(hit.t, 4);
    assert.deepEqual(scene.castAll(eye, [0, 0, -1]).map(({ id, t }) => [id, t]), [[door, 4], [door, 4], [7, 7.5], [7, 8.5]]);
    assert.deepEqual(scene.castEntities(eye, [0, 0, -1]).map(({ id }) => id), [door, 7]);
    assert.deepEqual(scene.castFirstN(1, eye, [0, 0, -1]).map(({ id }) => id), [door]);
    assert.equal(scene.cast(eye, [0, 0, -1], { exclude: [door] }).id, 7);
    assert.equal(scene.cast(eye, [0, 0, -1], { entities: (id) => id === 7 }).id, 7);
    assert.equal(scene.cast(eye, [0, 0, -1], { hits: ({ t }) => t > 8 }).t, 8.5);
    assert.equal(scene.cast(eye, [0, 0, -1]).id, door, "the next question has no filter");
    assert.throws(() => scene.cast(eye, [0, 0, -1], { entities: () => { throw new RangeError("mine"); } }), /mine/);
    scene.setLayers(door, 2);
    assert.equal(scene.cast(eye, [0, 0, -1], { layers: 1 }).id, 7);
    assert.equal(scene.setTransform(door, [0, 50, 0]), true);
    assert.equal(scene.cast(eye, [0, 0, -1]).id, 7);
    assert.equal(scene.remove(7), true);
    assert.equal(scene.remove(7), false);
    assert.equal(scene.cast(eye, [0, 0, -1]), null);
    assert.match(scene.explain(7, eye, [0, 0, -1]), /./);
    assert.throws(() => scene.insert("flat", new Sphere([0, 0, 0], 1), { position: [0, 0, 0], scale: 0 }), Error);
    assert.equal(scene.has("flat"), false);
    assert.throws(() => scene.insert("x", 3), /the geometry must be a Mesh/);
  });

  test("compounds, batches, closest points, overlaps, sweeps", () => {
    using scene = new Scene();
    scene.insert("dumbbell", [{ geometry: new Sphere([0, 0, 0], 1), transform: [-3, 0, 0] }, { geometry: new Sphere([0, 0, 0], 1), transform: [3, 0, 0] }]);
    assert.equal(scene.cast([3, 0, 5], [0, 0, -1]).part, 1);
    const batch = scene.castBatch(Float32Array.of(3, 0, 5, 0, 0, -1, 0, 0, 5, 0, 0, -1));
    assert.deepEqual([batch.id, [...batch.t]], [["dumbbell", undefined], [4, Infinity]]);
    assert.equal(scene.closestPoint([0, 0, 0]).distance, 2);
    assert.equal(scene.closestPointWithin([0, 0, 0], 1), null);
    assert.equal(scene.overlaps(new Sphere([0, 0, 0], 0.5), [-4.2, 0, 0]), true);
    assert.deepEqual(scene.overlapEntities(new Sphere([0, 0, 0], 0.5), [-4.2, 0, 0]), ["dumbbell"]);
    const out = scene.penetration(new Sphere([0, 0, 0], 0.5), [-4.25, 0, 0]);
    assert.deepEqual([out.depth, out.separation], [0.25, [-0.25, 0, 0]]);
    const met = scene.sweep(new Sphere([0, 0, 0], 0.5), [-3, 5, 0], [0, -5, 0], { skin: 0.01 });
    assert.equal(met.t, 0.7);
    assert.ok(met.safeT < 0.7 && met.safeT > 0.69);
    assert.equal(scene.sweep(new Rounded(new Point(), 0.5), [-3, 5, 0], [0, -5, 0]).t, 0.7);
    assert.equal(scene.sweepAll(new Sphere([0, 0, 0], 0.5), [-9, 0, 0], [18, 0, 0]).length, 2);
    assert.equal(scene.solidIntervals([-9, 0, 0], [1, 0, 0]).length, 2);
    assert.equal(scene.groundBelow([3, 4, 0], [0, 1, 0], 10).t, 3);
    assert.equal(scene.castPath(Float32Array.of(0, 5, 0, 3, 5, 0, 3, 0, 0)).segment, 1);
    assert.equal(scene.castTrajectory({ origin: [3, 5, 0], velocity: [0, 0, 0], acceleration: [0, -2, 0] }, 0.01).time, 2);
    assert.equal(scene.visibility([3, 0, 9], Float32Array.of(3, 0, -9, 0, 0, -9)), 0.5);
    assert.ok(scene.contactPoints(new Sphere([0, 0, 0], 0.5), [-4.25, 0, 0]).length > 0);
    scene.insert("other", new Sphere([0, 0, 0], 1), [6, 0, 0]);
    assert.equal(scene.pair("dumbbell", "other").distance().distance, 1);
    assert.equal(scene.pair("dumbbell", "absent").distance(), null);
    scene.setTransform("other", [4, 0, 0]);
    assert.deepEqual(scene.overlapPairs(), [["dumbbell", "other"]]);
    assert.equal(scene.pair("dumbbell", "other").overlaps(), true);
    assert.equal(scene.setTransforms(["other", "absent"], Float64Array.from([...Array(2)].flatMap(() => [1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 9, 0, 0, 1]))), 1);
    assert.throws(() => scene.overlaps(new Plane([0, 0, 0], [0, 1, 0]), [0, 0, 0]), /no volume/);
  });

  test("meshes: closest point, containment, sweep, refit, normals, holes", () => {
    using mesh = square();
    assert.deepEqual(mesh.closestPoint([2, 0.5, 0]).point, [1, 0.5, 0]);
    assert.equal(mesh.contains([0.5, 0.5, 1]), false);
    assert.equal(mesh.sweep(new Sphere([0, 0, 0], 0.25), [0.5, 0.5, 1], [0, 0, -1]).t, 0.75);
    mesh.setTexcoords(Float32Array.of(0, 0, 1, 0, 1, 1, 0, 1));
    mesh.cutOut({ width: 2, height: 1, alpha: Uint8Array.of(255, 0) });
    assert.equal(mesh.cast([0.25, 0.1, 1], [0, 0, -1]).triangle, 0);
    assert.equal(mesh.cast([0.75, 0.1, 1], [0, 0, -1]), null);
    mesh.refit(Float32Array.of(0, 0, 5, 1, 0, 5, 1, 1, 5, 0, 1, 5));
    assert.equal(mesh.cast([0.25, 0.1, 9], [0, 0, -1]).t, 4);
    assert.equal(mesh.triangleCount, 2);
    assert.deepEqual(mesh.bounds(), { min: [0, 0, 5], max: [1, 1, 5] });
  });

  test("a height field", () => {
    using field = new HeightField(3, 3, [1, 1], Float32Array.of(0, 0, 0, 0, 1, 0, 0, 0, 0), { holes: [[0, 0]] });
    assert.equal(field.heightAt(1, 1), 1);
    assert.equal(field.heightAt(-1, 1), undefined);
    assert.equal(field.cast([1, 5, 1], [0, -1, 0]).t, 4);
    assert.equal(field.cast([0.1, 5, 0.2], [0, -1, 0]), null, "the hole");
    field.setHeights([1, 2], [1, 2], Float32Array.of(2));
    assert.equal(field.heightAt(1, 1), 2);
    assert.throws(() => new HeightField(2, 2, [1, 1], new Float32Array(3)), Error);
  });

  test("a camera, regions and snapping", () => {
    using scene = new Scene();
    scene.insert("left", new Aabb([-1, -1, -1], [1, 1, 1]), [-3, 0, 0]);
    scene.insert("right", new Aabb([-1, -1, -1], [1, 1, 1]), [3, 0, 0]);
    using camera = Camera.perspective({ eye: [0, 0, 10], target: [0, 0, 0] }, Math.PI / 3);
    const size = [800, 600];
    const { pixel } = camera.project([3, 0, 1], size);
    assert.equal(scene.cast(camera.ray(pixel, size)).id, "right");
    assert.equal(scene.cast(camera.ray([400, 300], size)), null);
    const selected = (region, options) => new Selector(camera, size, region, options).entities(scene);
    assert.deepEqual(selected(Region.rect([0, 0], [400, 600])), ["left"]);
    assert.deepEqual(selected(Region.rect([0, 0], [800, 600]), { rule: "inside" }).sort(), ["left", "right"]);
    assert.deepEqual(selected(Region.circle(pixel, 5), { visible: 2 }), ["right"]);
    assert.deepEqual(selected(Region.lasso([[400, 0], [800, 300], [400, 600]])), ["right"]);
    scene.insert("door", square(), [0, 0, 2]);
    assert.equal(new Selector(camera, size, Region.rect([390, 200], [500, 310])).triangles(scene).length, 2);
    const corner = camera.project([1, 1, 2], size).pixel;
    const snap = new Cursor(camera, size, [corner[0] + 3, corner[1]], 8).nearest(scene);
    assert.deepEqual([snap.kind, snap.id, snap.point], ["vertex", "door", [1, 1, 2]]);
    assert.ok(new Cursor(camera, size, corner, 8).all(scene, ["edge"]).length > 0);
    assert.throws(() => new Cursor(camera, size, corner, 8).all(scene, ["corner"]), /a kind of snap must be/);
    assert.throws(() => Region.lasso([[0, 0]]), Error);
  });

  test("a second filter selects what hides", () => {
    using scene = new Scene();
    const square = (size) => new Mesh([-size, -size, 0, size, -size, 0, size, size, 0, -size, size, 0], [0, 1, 2, 0, 2, 3]);
    scene.insert("glass", square(9), [0, 0, -2]);
    scene.insert("wall", square(1), [0, 0, -4]);
    scene.setLayers("wall", 2);
    scene.insert("behind", new Sphere([0, 0, 0], 0.5), [0, 0, -6]);
    scene.insert("beside", new Sphere([0, 0, 0], 0.5), [2.5, 0, -6]);
    const camera = Camera.perspective([0, 0, 0], 1);
    const size = [64, 48];
    const selector = new Selector(camera, size, Region.rect([0, 0], size), { visible: 1 });
    const units = { entities: (id) => id.startsWith("be") };
    const found = (hiddenBy, options = units) => selector.entities(scene, { ...options, hiddenBy });
    assert.deepEqual(found(undefined, {}), ["glass"]);
    assert.deepEqual(found(undefined), ["behind", "beside"]);
    assert.deepEqual(found({}), []);
    assert.deepEqual(found({ exclude: ["glass"] }), ["beside"]);
    assert.deepEqual(found({ layers: 2 }), ["beside"]);
    assert.deepEqual(found({ layers: 0 }), ["behind", "beside"]);
    // Each filter has functions of its own.
    assert.deepEqual(found({ entities: (id) => id === "wall" }), ["beside"]);
    assert.deepEqual(found({ hits: ({ id }) => id === "wall" }), ["beside"]);
    assert.deepEqual(found({ entities: (id) => id !== "glass" }, { hits: ({ id }) => id !== "beside" }), ["glass", "wall"]);
    assert.deepEqual(found({ exclude: ["glass"] }, {}), ["glass", "wall", "beside"]);
    assert.deepEqual(found({ exclude: ["glass"], cull: "front" }), ["behind", "beside"]);
    const fails = () => {
      throw new RangeError("mine");
    };
    assert.throws(() => found({ entities: fails }), /mine/);
    assert.deepEqual(found(undefined), ["behind", "beside"]);

    const corner = camera.project([1, 1, -4], size).pixel;
    const cursor = new Cursor(camera, size, corner, 4);
    const walls = { exclude: ["glass", "behind", "beside"] };
    assert.equal(cursor.nearest(scene, ["vertex"], walls).id, "wall");
    assert.equal(cursor.nearest(scene, ["vertex"], { ...walls, hiddenBy: {} }), null);
    assert.equal(cursor.nearest(scene, ["vertex"], { ...walls, hiddenBy: { exclude: ["glass"] } }).id, "wall");
    assert.equal(cursor.all(scene, ["vertex"], { ...walls, hiddenBy: {} }).length, 0);
    assert.equal(new Cursor(camera, size, corner, 4, { hidden: "keep" }).nearest(scene, ["vertex"], { ...walls, hiddenBy: {} }).id, "wall");
  });

  test("characters jump, are put elsewhere, and ride on what moves, not on what is placed", () => {
    const dt = 1 / 60;
    const near = (a, b) => assert.ok(Math.abs(a - b) < 1e-6, `${a}, not ${b}`);
    using hero = new Character(new Capsule([0, -0.6, 0], [0, 0.6, 0], 0.3));
    const land = (scene, position) => {
      const state = new CharacterState(position);
      for (let i = 0; i < 60; i++) hero.moveAndSlide(scene, state, [0, -5, 0], dt);
      return state;
    };
    // The ground rises faster than the velocity: a walk, unless the caller says that it is a jump.
    using slope = new Scene();
    slope.insert("slope", new Plane([0, 0, 0], [-0.6, 0.8, 0]));
    using walks = land(slope, [0, 1.2, 0]);
    assert.equal(hero.moveAndSlide(slope, walks, [5, 3, 0], dt).ground?.id, "slope");
    using jumps = land(slope, [0, 1.2, 0]);
    jumps.leaveGround();
    for (let i = 0, velocity = [5, 3, 0]; i < 10; i++) {
      const moved = hero.moveAndSlide(slope, jumps, velocity, dt);
      assert.ok(moved.ground === undefined && moved.velocity[1] > 0);
      velocity = [5, moved.velocity[1], 0];
    }

    using scene = new Scene();
    scene.insert("floor", new Plane([0, 0, 0], [0, 1, 0]));
    scene.insert("platform", new Aabb([-2, 0, -2], [2, 0.2, 2]));
    using written = land(scene, [20, 0.95, 0]);
    written.position = [30, written.position[1], 0];
    const { groundVelocity } = hero.moveAndSlide(scene, written, [3, -1, 0], dt);
    near(written.position[0], 30.05);
    assert.deepEqual(groundVelocity, [0, 0, 0]);
    // What the ground has moved by since is added.
    written.position = [10, written.position[1], 0];
    scene.setTransform("floor", [0.5, 0, 0]);
    near(hero.moveAndSlide(scene, written, [0, 0, 0], dt).groundVelocity[0], 30);
    near(written.position[0], 10.5);

    using rides = land(scene, [0, 1.2, 0]);
    using stays = land(scene, [0, 1.2, 0]);
    assert.equal(rides.ground(scene), "platform");
    scene.setTransform("platform", [30, 0, 0]);
    stays.groundWasPlaced();
    assert.deepEqual(hero.moveAndSlide(scene, stays, [0, 0, 0], dt).groundVelocity, [0, 0, 0]);
    assert.equal(stays.position[0], 0);
    assert.ok(hero.moveAndSlide(scene, rides, [0, 0, 0], dt).groundVelocity[0] > 0);
    near(rides.position[0], 30);
  });

  test("a character climbs a step", () => {
    using scene = new Scene();
    scene.insert("floor", new Aabb([-9, -1, -9], [9, 0, 9]));
    scene.insert("step", new Aabb([2, 0, -9], [9, 0.25, 9]));
    scene.insert("wall", new Aabb([4, 0, -9], [5, 3, 9]));
    using hero = new Character(new Capsule([0, -0.6, 0], [0, 0.6, 0], 0.3));
    using state = new CharacterState([0, 1.5, 0]);
    let fall = 0;
    for (let i = 0; i < 120; i++) {
      fall = state.isGrounded ? 0 : fall - 9.81 / 60;
      hero.moveAndSlide(scene, state, [4, fall, 0], 1 / 60);
    }
    assert.equal(state.ground(scene), "step");
    const { skin } = hero.settings;
    const [x, y] = state.position;
    assert.ok(Math.abs(y - 0.9 - 0.25 - skin) < 1e-6 && Math.abs(x - 3.7 + skin) < 1e-6);
    assert.throws(() => hero.configure({ skin: -1 }), /skin/);
    state.leaveGround();
    assert.equal(state.isGrounded, false);
    assert.equal(hero.moveAndSlide(scene, state, [0, 0.5, 0], 1 / 60).ground, undefined);
    state.teleport([0, 0.91, 0]);
    assert.equal(hero.moveAndSlide(scene, state, [0, -1, 0], 1 / 60).ground.id, "floor");
    scene.insert("floor", new Aabb([-9, -1, -9], [9, 0, 9]), [3, 0, 0]);
    state.groundWasPlaced();
    hero.moveAndSlide(scene, state, [0, -1, 0], 1 / 60);
    assert.equal(state.position[0], 0);
    // The character cannot leave the press, as a lid is above it.
    scene.insert("press", new Aabb([-99, 1, -99], [99, 2, 99]));
    scene.insert("lid", new Aabb([-99, 2.1, -99], [99, 9, 99]));
    const { crushed } = hero.moveAndSlide(scene, state, [0, -1, 0], 1 / 60);
    assert.ok(crushed.some(({ id, depth }) => id === "press" && depth > 0), JSON.stringify(crushed));
  });

  test("pointers", () => {
    const pointers = new Pointers();
    const at = (action, time, x, target) => pointers.handle({ action, time, position: [x, 10], target });
    assert.deepEqual(at("move", 0, 10, "a").map(({ type, target }) => [type, target]), [["enter", "a"]]);
    assert.equal(pointers.hovered(), "a");
    assert.deepEqual(at("press", 1, 10, "a").map(({ type, count }) => [type, count]), [["press", 1]]);
    assert.deepEqual(at("release", 1.1, 10, "a").map(({ type }) => type).sort(), ["click", "release"]);
    at("press", 3, 10, "a");
    const drag = at("move", 3.1, 40, "b");
    assert.ok(drag.some(({ type, target, from }) => type === "dragStart" && target === "a" && from[0] === 10));
    assert.equal(pointers.isDragging(), true);
    assert.ok(at("release", 3.2, 40, "b").some(({ type, target, over }) => type === "dragEnd" && target === "a" && over === "b"));
  });

  test("bytes and back", () => {
    using mesh = square();
    using copy = Mesh.fromBytes(mesh.toBytes());
    assert.deepEqual(copy.cast([0.5, 0.25, 1], [0, 0, -1]), mesh.cast([0.5, 0.25, 1], [0, 0, -1]));
    using scene = new Scene();
    scene.insert("gone", new Sphere([0, 0, 0], 1));
    scene.insert("door", mesh, [0, 0, -4]);
    scene.insert("ball", new Sphere([0, 0, 0], 1), [5, 0, 0]);
    scene.remove("gone");
    using read = Scene.fromBytes(scene.toBytes());
    assert.deepEqual(read.cast([0.5, 0.25, 1], [0, 0, -1]), scene.cast([0.5, 0.25, 1], [0, 0, -1]));
    read.insert("new", new Sphere([0, 0, 0], 1), [0, 9, 0]);
    assert.deepEqual([...read.keys()], ["door", "ball", "new"]);
    assert.equal(read.cast([0, 9, 5], [0, 0, -1]).id, "new");
    assert.equal(read.cast([5, 0, 5], [0, 0, -1]).id, "ball");
    assert.throws(() => Scene.fromBytes(scene.toBytes().subarray(0, 40)), Error);
    assert.throws(() => Scene.fromBytes(new Uint8Array(2)), Error);
    scene.insert({}, mesh);
    assert.throws(() => scene.toBytes(), /a string or a number/);
  });

  test("a thousand scenes leave no memory behind", () => {
    const make = () => {
      const positions = Float32Array.from({ length: 9 * 500 }, (_, i) => Math.sin(i * 12.9898) * 10);
      const mesh = new Mesh(positions);
      const scene = new Scene();
      for (let i = 0; i < 5; i++) scene.insert(i, mesh, [i, 0, 0]);
      mesh.dispose();
      scene.cast([0, 0, 20], [0, 0, -1]);
      scene.dispose();
    };
    for (let i = 0; i < 50; i++) make();
    const before = memoryBytes();
    for (let i = 0; i < 1000; i++) make();
    assert.equal(memoryBytes(), before);
  });

  test("every name of the package is there", () => {
    assert.deepEqual(Object.keys(hitscan).sort(), [
      "Aabb", "Camera", "CameraArm", "Capsule", "Character", "CharacterState", "CollisionMatrix", "Cone", "ConvexHull", "Cursor", "Custom", "Cylinder", "Disc", "HeightField",
      "LedgeProbe", "Mesh", "OrientedBox", "PairTracker", "Path", "Plane", "Point", "Pointers", "Quad", "Region", "Rounded", "RoundedBox", "Scene", "ScenePair", "Selector", "Shape",
      "Sphere", "Torus", "Triangle", "WindingTree", "blast", "buildMeshInWorker", "d2", "init", "isReady", "memoryBytes", "serveMeshBuilds", "shoot", "simdLevel", "snapKinds",
      "surfacePoint",
    ]);
  });
});
