import * as THREE from "three";

/** Returns a generator of random numbers, which are the same each time. */
function randoms(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

/** A picture of leaves whose gaps are transparent. */
function leaves(random) {
  const size = 64;
  const data = new Uint8Array(4 * size * size);
  for (let i = 0; i < size * size; i++) data.set([70, 130 + 60 * random(), 60, 0], 4 * i);
  for (let leaf = 0; leaf < 60; leaf++) {
    const [x, y, r] = [size * random(), size * random(), 2 + 4 * random()];
    for (let v = 0; v < size; v++) for (let u = 0; u < size; u++) if ((u - x) ** 2 + 3 * (v - y) ** 2 < r * r * 2) data[4 * (v * size + u) + 3] = 255;
  }
  const texture = new THREE.DataTexture(data, size, size);
  texture.colorSpace = THREE.SRGBColorSpace;
  texture.magFilter = THREE.LinearFilter;
  texture.needsUpdate = true;
  return texture;
}

/** Returns the height of the ground at a place. */
export const groundHeight = (x, z) => 1.6 * Math.sin(x / 9) * Math.cos(z / 11) + Math.max(0, (Math.hypot(x, z) - 26) / 5);

/** Makes a village of houses, trees with cut-out leaves, a church and hills. Nothing stands in the clearing. */
export function village(isClear = () => false) {
  const random = randoms(7);
  const root = new THREE.Group();
  const paint = (color, more = {}) => new THREE.MeshLambertMaterial({ color, ...more });
  const add = (name, geometry, material, x, y, z, turn = 0) => {
    const mesh = new THREE.Mesh(geometry, material);
    mesh.name = name;
    mesh.position.set(x, y, z);
    mesh.rotation.y = turn;
    root.add(mesh);
    return mesh;
  };
  const ground = new THREE.PlaneGeometry(110, 110, 110, 110).rotateX(-Math.PI / 2);
  const { position } = ground.attributes;
  for (let i = 0; i < position.count; i++) position.setY(i, groundHeight(position.getX(i), position.getZ(i)));
  ground.computeVertexNormals();
  add("Hills", ground, paint(0x8fb573), 0, 0, 0);
  const house = new THREE.BoxGeometry(3, 2.4, 4);
  const roof = new THREE.ConeGeometry(3.1, 1.9, 4).rotateY(Math.PI / 4).scale(0.86, 1, 1.12);
  const door = new THREE.BoxGeometry(0.7, 1.3, 0.1);
  const walls = [0xf1e3c6, 0xe7c9a9, 0xdedede, 0xf4d7c4].map((color) => paint(color));
  const roofs = [0xb3543b, 0x8d4a3a, 0x6b6f7a].map((color) => paint(color));
  const wood = paint(0x6a4a2f);
  for (let i = 1; i <= 22; i++) {
    const angle = i * 2.39996;
    const radius = 4 + 4.2 * Math.sqrt(i);
    const [x, z, turn] = [radius * Math.cos(angle), radius * Math.sin(angle), angle + random()];
    if (isClear(x, z)) continue;
    const y = groundHeight(x, z);
    add(`House ${i}`, house, walls[i % 4], x, y + 1, z, turn);
    add(`Roof ${i}`, roof, roofs[i % 3], x, y + 3.1, z, turn);
    add(`Door ${i}`, door, wood, x + 2 * Math.sin(turn), y + 0.7, z + 2 * Math.cos(turn), turn);
  }
  const y = groundHeight(0, 0);
  add("Church", new THREE.BoxGeometry(3, 4, 6), walls[2], 0, y + 1.8, 0);
  add("Steeple", new THREE.CylinderGeometry(0.9, 1.1, 7, 16), walls[0], 0, y + 3.4, 3.4);
  add("Spire", new THREE.ConeGeometry(1.3, 3, 16), roofs[2], 0, y + 8.3, 3.4);
  add("Bell", new THREE.TorusKnotGeometry(0.45, 0.15, 200, 24), paint(0xd6a840), 0, y + 10.4, 3.4);
  const trunk = new THREE.CylinderGeometry(0.16, 0.24, 2, 10);
  const crown = new THREE.IcosahedronGeometry(1.2, 5);
  const foliage = paint(0xffffff, { map: leaves(random), alphaTest: 0.5, side: THREE.DoubleSide });
  for (let i = 1; i <= 46; i++) {
    const angle = random() * Math.PI * 2;
    const radius = 9 + random() * 34;
    const [x, z] = [radius * Math.cos(angle), radius * Math.sin(angle)];
    const size = 0.8 + random() * 0.6;
    if (isClear(x, z)) continue;
    add(`Trunk ${i}`, trunk, wood, x, groundHeight(x, z) + 1, z);
    add(`Leaves ${i}`, crown, foliage, x, groundHeight(x, z) + 2.6, z).scale.setScalar(size);
  }
  return root;
}
