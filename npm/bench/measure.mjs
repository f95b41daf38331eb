// The measurements beside three-mesh-bvh and three.js' Raycaster, in node and in a page.
import * as THREE from "three";
import { MeshBVH, ObjectBVH, SAH, acceleratedRaycast } from "three-mesh-bvh";
import { Mesh, init, simdLevel } from "hitscan";
import { HitscanBVH, HitscanScene } from "hitscan/three";

/**
 * Asks all contenders the same questions in turns, JavaScript calls included, and returns the lines of a table of the rounds' medians.
 *
 * `now` returns a time in microseconds.
 */
export async function measure({ wanted, rounds, now, engine }) {
  await init();
  const columns = Math.round(Math.sqrt(wanted));
  const geometry = new THREE.TorusKnotGeometry(1, 0.4, columns, Math.round(wanted / 2 / columns));
  const triangles = geometry.index.count / 3;

  let seed = 1;
  const random = () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
  const around = (size) => new THREE.Vector3(random() - 0.5, random() - 0.5, random() - 0.5).multiplyScalar(2 * size);
  const count = 2000;
  const rays = Array.from({ length: count }, () => {
    const origin = around(4);
    return new THREE.Ray(origin, around(1.2).sub(origin).normalize());
  });
  const points = Array.from({ length: 300 }, () => around(2));
  const few = rays.slice(0, Math.max(2, Math.round(400000 / triangles)));
  const many = new Float32Array(6 * 10000);
  for (let i = 0; i < 10000; i++) {
    const { origin, direction } = rays[i % count];
    many.set([origin.x + 1e-4 * (i / count), origin.y, origin.z, direction.x, direction.y, direction.z], 6 * i);
  }

  const median = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];

  /** Runs contenders in turns, and returns the median time of each for one question, in microseconds. */
  function compare(contenders, times = rounds) {
    const taken = Object.fromEntries(Object.keys(contenders).map((name) => [name, []]));
    for (let round = -2; round < times; round++) {
      for (const [name, [ask, questions]] of Object.entries(contenders)) {
        const start = now();
        ask();
        if (round >= 0) taken[name].push((now() - start) / questions);
      }
    }
    return Object.fromEntries(Object.entries(taken).map(([name, list]) => [name, median(list)]));
  }

  const [hitscan, peer] = [new HitscanBVH(geometry), new MeshBVH(geometry.clone(), { strategy: SAH })];
  const mesh = hitscan.mesh;
  const object = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
  const raycaster = new THREE.Raycaster();
  // A thousand objects that stand still. three-mesh-bvh does not follow them: its tree of objects is refitted by hand.
  const root = new THREE.Scene();
  const part = new THREE.TorusGeometry(1, 0.4, 16, 32);
  part.boundsTree = new MeshBVH(part, { strategy: SAH });
  for (let i = 0; i < 1000; i++) {
    const thing = root.add(new THREE.Mesh(part, new THREE.MeshBasicMaterial())).children[i];
    thing.raycast = acceleratedRaycast;
    thing.position.copy(around(30));
    thing.rotation.set(6 * random(), 6 * random(), 0);
  }
  root.updateMatrixWorld(true);
  const [following, still] = [HitscanScene.fromObject3D(root), HitscanScene.fromObject3D(root)];
  still.autoUpdate = false;
  const objects = new ObjectBVH(root);
  const picker = Object.assign(new THREE.Raycaster(), { firstHitOnly: true });
  const pick = (ask) => rays.slice(0, 200).forEach(({ direction }) => {
    picker.ray.direction.copy(direction);
    sum += ask()[0]?.distance ?? 0;
  });
  const [target, nearest, found] = [{}, {}, {}];
  let sum = 0;
  const results = {
    build: compare({
      hitscan: [() => new Mesh(geometry.attributes.position.array, Uint32Array.from(geometry.index.array)).dispose(), 1],
      "three-mesh-bvh, SAH": [() => new MeshBVH(geometry.clone(), { strategy: SAH }), 1],
      "three-mesh-bvh": [() => new MeshBVH(geometry.clone()), 1],
    }, 5),
    "first hit": compare({
      "hitscan, Mesh.cast": [() => rays.forEach(({ origin, direction }) => (sum += mesh.cast(origin, direction, undefined, target)?.t ?? 0)), count],
      "hitscan, HitscanBVH": [() => rays.forEach((ray) => (sum += hitscan.raycastFirst(ray, THREE.DoubleSide)?.distance ?? 0)), count],
      "three-mesh-bvh": [() => rays.forEach((ray) => (sum += peer.raycastFirst(ray, THREE.DoubleSide)?.distance ?? 0)), count],
      "three.js": [() => few.forEach((ray) => {
        raycaster.ray.copy(ray);
        sum += raycaster.intersectObject(object).length;
      }), few.length],
    }),
    "all hits": compare({
      "hitscan, Mesh.castAll": [() => rays.forEach(({ origin, direction }) => (sum += mesh.castAll(origin, direction).length)), count],
      "three-mesh-bvh": [() => rays.forEach((ray) => (sum += peer.raycast(ray, THREE.DoubleSide).length)), count],
    }),
    "10,000 rays, a ray": compare({
      "hitscan, castBatch": [() => (sum += mesh.castBatch(many).t[0]), 10000],
      "three-mesh-bvh": [() => rays.forEach((ray) => (sum += peer.raycastFirst(ray, THREE.DoubleSide)?.distance ?? 0)), count],
    }),
    "pick of 1,000 objects": compare({
      "hitscan, HitscanScene": [() => pick(() => following.raycast(picker)), 200],
      "the same, without update": [() => pick(() => still.raycast(picker)), 200],
      "three-mesh-bvh, ObjectBVH": [() => pick(() => objects.raycast(picker)), 200],
      "three-mesh-bvh": [() => pick(() => picker.intersectObject(root)), 200],
    }),
    "closest point": compare({
      "hitscan, closestOnSurface": [() => points.forEach((point) => (sum += mesh.closestOnSurface(point, Infinity, nearest).distance)), points.length],
      "hitscan, HitscanBVH": [() => points.forEach((point) => (sum += hitscan.closestPointToPoint(point, found).distance)), points.length],
      "hitscan, closestPoint": [() => points.forEach((point) => (sum += mesh.closestPoint(point).distance)), points.length],
      "three-mesh-bvh": [() => points.forEach((point) => (sum += peer.closestPointToPoint(point).distance)), points.length],
    }),
  };
  if (!Number.isFinite(sum)) throw new Error("an answer is no number");
  const lines = [`${triangles} triangles, ${simdLevel()}, ${engine}, medians of ${rounds} rounds, microseconds`];
  for (const [what, times] of Object.entries(results)) {
    const [own] = Object.values(times);
    for (const [name, time] of Object.entries(times)) lines.push(`${what.padEnd(22)} ${name.padEnd(26)} ${time.toFixed(2).padStart(12)}  x${(time / own).toFixed(2)}`);
  }
  return lines;
}
