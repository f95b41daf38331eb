import * as THREE from "three";

/** The largest number of walls off which a shot bounces. */
const most = 8;
const reach = 80;
const seconds = 3;

/**
 * Returns the corners of a shot's path, and the targets off which it bounces.
 *
 * A ray that goes on from a hit must ignore the triangle that was hit, because its start, rounded to f32, may lie behind the triangle.
 */
export function ricochet(scene, origin, direction) {
  const points = [origin];
  const targets = [];
  let left;
  while (targets.length <= most) {
    const hits = left && ((candidate) => candidate.id !== left.id || candidate.triangle !== left.triangle);
    const hit = scene.cast(points.at(-1), direction, { tMax: reach, hits });
    if (hit === null) {
      points.push(points.at(-1).map((x, i) => x + direction[i] * reach));
      break;
    }
    points.push(hit.point);
    targets.push(hit.id);
    const along = 2 * hit.normal.reduce((sum, n, i) => sum + n * direction[i], 0);
    direction = direction.map((d, i) => d - along * hit.normal[i]);
    left = hit;
  }
  return { points, targets };
}

/** The shots that are drawn. Each fades out. */
export class Shots {
  root = new THREE.Group();
  #shots = [];

  add(points, time) {
    const shot = new THREE.Group();
    const corners = points.map((at) => new THREE.Vector3(...at));
    const material = new THREE.MeshBasicMaterial({ color: 0xff5a1f, transparent: true });
    // Lines would be one pixel wide at any distance, so a path consists of thin sticks.
    for (let i = 1; i < corners.length; i++) {
      const way = corners[i].clone().sub(corners[i - 1]);
      const stick = new THREE.Mesh(new THREE.CylinderGeometry(0.025, 0.025, way.length(), 6), material);
      stick.position.copy(corners[i - 1]).addScaledVector(way, 0.5);
      stick.quaternion.setFromUnitVectors(new THREE.Vector3(0, 1, 0), way.normalize());
      shot.add(stick);
      if (i === corners.length - 1) continue;
      const dot = new THREE.Mesh(new THREE.SphereGeometry(0.1, 12, 8), material);
      dot.position.copy(corners[i]);
      shot.add(dot);
    }
    this.root.add(shot);
    this.#shots.push({ shot, material, time });
  }

  fade(time) {
    this.#shots = this.#shots.filter(({ shot, material, time: start }) => {
      material.opacity = 1 - (time - start) / seconds;
      if (material.opacity > 0) return true;
      shot.removeFromParent();
      shot.traverse(({ geometry }) => geometry?.dispose());
      material.dispose();
      return false;
    });
  }
}
