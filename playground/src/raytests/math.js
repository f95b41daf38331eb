import * as THREE from "three";

export const dot = (a, b) => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const minus = (a, b) => a.map((x, i) => x - b[i]);
export const cross = (a, b) => [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
export const f = Math.fround;

/** The same functions with every operation rounded to f32. */
export const plain = {
  minus: (p, q) => p.map((x, i) => f(f(x) - f(q[i]))),
  dot: (p, q) => f(f(f(p[0] * q[0]) + f(p[1] * q[1])) + f(p[2] * q[2])),
  cross: (p, q) => [f(f(p[1] * q[2]) - f(p[2] * q[1])), f(f(p[2] * q[0]) - f(p[0] * q[2])), f(f(p[0] * q[1]) - f(p[1] * q[0]))],
};

/** A step of a formula: its text, its value, and whether a condition holds. */
export const term = (text, value) => ({ text, value });
export const condition = (text, holds) => ({ text, value: holds ? "yes" : "no", holds });

export const material = (color, opacity = 0.4) => new THREE.MeshLambertMaterial({ color, transparent: true, opacity, side: THREE.DoubleSide, depthWrite: false });

/** Makes a transparent surface with its edges. */
export function outlined(geometry, color, threshold = 1) {
  const group = new THREE.Group();
  group.add(new THREE.Mesh(geometry, material(color, 0.25)), new THREE.LineSegments(new THREE.EdgesGeometry(geometry, threshold), new THREE.LineBasicMaterial({ color: 0x667788 })));
  return group;
}
