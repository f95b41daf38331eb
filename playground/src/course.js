import * as THREE from "three";
import { groundHeight } from "./village.js";

/** The height of the deck on which the course stands. */
export const deckHeight = 5;
const deck = { min: [-10, -3, 27], max: [10, deckHeight, 45] };

/** Returns whether a place belongs to the course, where nothing else may stand. */
export const isOnCourse = (x, z) => Math.abs(x) < 13 && z > 10 && z < 48;

/** The period of the lift in seconds. In this time it goes up and down once, with a rest at both ends. */
const period = 9;
const lift = { low: deckHeight + 0.1, high: 10, x: 0, z: 38.5 };

/** Returns the height of the lift's upper face at a time. */
export function liftHeight(time) {
  const wave = Math.min(1, Math.max(0, 0.5 - 0.75 * Math.cos((2 * Math.PI * time) / period)));
  return lift.low + (lift.high - lift.low) * wave;
}

/** The tour of the character before the user takes over: places on the ground, each with the condition that it waits for. */
export const tour = [
  { to: [0, 17] },
  { to: [0, 29] },
  { to: [4.3, 29.5] },
  { to: [6.8, 36.5] },
  { to: [0, 35.6] },
  { to: [0, lift.z], when: ({ time }) => liftHeight(time) < lift.low + 0.2 },
  { to: [0, 42.6], when: ({ y }) => y > lift.high - 0.1 },
  { to: [-6, 42.6] },
  { to: [-6, 38] },
  { to: [-4, 30] },
  { to: [-7.5, 31] },
  { to: [-7.5, 36] },
  { to: [-2.5, 36] },
  { to: [0, 29] },
];

/** Makes the obstacle course behind the village: stairs, ramps, a wall to slide along, and a lift to a tower. */
export function makeCourse() {
  const root = new THREE.Group();
  const paint = (color) => new THREE.MeshLambertMaterial({ color });
  const [stone, wood, brick, steel, grass] = [0xbdb7aa, 0xa9784c, 0xb0664f, 0x6f8fae, 0x7fa867].map(paint);
  const add = (name, geometry, material) => {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.name = name;
    root.add(mesh);
    return mesh;
  };
  const block = (name, min, max, material) => {
    const [size, middle] = [max.map((x, i) => x - min[i]), max.map((x, i) => (x + min[i]) / 2)];
    return add(name, new THREE.BoxGeometry(...size).translate(...middle), material);
  };
  block("Deck", deck.min, deck.max, stone);
  const count = 20;
  const rise = deckHeight / count;
  for (let step = 1; step < count; step++) {
    const front = deck.min[2] - 0.36 * (count - step);
    block(`Stair ${step}`, [-2, -3, front], [2, rise * step, front + 0.36], step % 2 ? wood : stone);
  }
  for (const [i, degrees] of [25, 42, 60].entries()) ramp(add, i, degrees, wood);
  block("Landing", [-10, deckHeight, 35], [-4, deckHeight + 1.4, 36.4], stone);
  zigzag(add, brick);
  const platform = block("Lift", [lift.x - 1.5, -0.25, lift.z - 1.5], [lift.x + 1.5, 0, lift.z + 1.5], steel);
  block("Tower", [-3, deckHeight, lift.z + 1.6], [3, lift.high, 44.5], brick);
  block("Crate", [3.2, deckHeight, 39], [4.4, deckHeight + 0.35, 40.2], wood);
  block("Crate on a crate", [4.4, deckHeight, 39], [5.6, deckHeight + 0.7, 40.2], wood);
  block("Gate, left", [-3.4, groundHeight(-3, 16) - 1, 15.6], [-2.8, 3.4, 16.2], grass);
  block("Gate, right", [2.8, groundHeight(3, 16) - 1, 15.6], [3.4, 3.4, 16.2], grass);
  return { root, platform };
}

/** Adds a ramp from the deck to the landing. The steepest ramp cannot be climbed. */
function ramp(add, number, degrees, material) {
  const high = 1.4;
  const long = high / Math.tan((degrees * Math.PI) / 180);
  const profile = new THREE.Shape([new THREE.Vector2(0, 0), new THREE.Vector2(long, 0), new THREE.Vector2(long, high)]);
  const geometry = new THREE.ExtrudeGeometry(profile, { depth: 1.8, bevelEnabled: false });
  add(`Ramp of ${degrees} degrees`, geometry.rotateY(-Math.PI / 2).translate(-4.1 - 2 * number, deckHeight, 35 - long), material);
}

/** Adds a wall whose pieces stand at angles to each other. */
function zigzag(add, material) {
  for (let i = 0; i < 6; i++) {
    const geometry = new THREE.BoxGeometry(0.3, 2, 2.1).rotateY(i % 2 ? 0.45 : -0.45);
    add(`Wall ${i + 1}`, geometry.translate(6.6 + 0.2 * i, deckHeight + 1, 30 + 1.75 * i), material);
  }
}
