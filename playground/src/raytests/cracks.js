import * as THREE from "three";
import { Mesh } from "hitscan";
import { plainTriangle } from "./triangles.js";

let found;

/**
 * Casts rays from the middle of a closed ball through its vertices and edges. Returns the directions in which rays leave the ball without a hit: for a plain
 * test in f32, and for hitscan, which has none.
 */
export function findCracks() {
  if (found) return found;
  const ball = new THREE.IcosahedronGeometry(1, 12).rotateX(0.3).rotateY(0.7);
  const { array } = ball.attributes.position;
  using mesh = new Mesh(array);
  const corner = (i) => [array[i], array[i + 1], array[i + 2]];
  const rays = new Map();
  // The rays are aimed at every third triangle, which is enough to show the cracks.
  for (let i = 0; i < array.length; i += 27) {
    const [a, b] = [corner(i), corner(i + 3)];
    for (const way of [a, a.map((x, k) => Math.fround(0.5 * (x + b[k])))]) rays.set(way.join(), way);
  }
  const [plain, exact] = [[], []];
  for (const d of rays.values()) {
    if (mesh.cast([0, 0, 0], d, { normalize: false }) === null) exact.push(d);
    let isHit = false;
    // Only triangles near the ray can be hit. The others are skipped for speed.
    for (let k = 0; k < array.length && !isHit; k += 9) {
      if (array[k] * d[0] + array[k + 1] * d[1] + array[k + 2] * d[2] < 0.9) continue;
      isHit = plainTriangle([0, 0, 0], d, [corner(k), corner(k + 3), corner(k + 6)]) !== null;
    }
    if (!isHit) plain.push(d);
  }
  found = { rays: rays.size, plain, exact, ball };
  return found;
}

/** Draws the ball, and a bright line along each ray that leaves it without a hit. */
export function drawCracks(isPlain) {
  const { ball, plain, exact } = findCracks();
  const group = new THREE.Group();
  const leaks = (isPlain ? plain : exact).flatMap((d) => [...d, ...d.map((x) => 1.7 * x)]);
  const needles = new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(leaks, 3));
  group.add(new THREE.Mesh(ball, new THREE.MeshLambertMaterial({ color: 0x556677, flatShading: true })), new THREE.LineSegments(needles, new THREE.LineBasicMaterial({ color: 0xff9900 })));
  group.position.set(-2.6, 1, -2.4);
  return group;
}
