// A HitscanScene that follows a tree through random changes answers like a new one.
import assert from "node:assert/strict";
import { before, test } from "node:test";
import * as THREE from "three";
import { init, memoryBytes, Mesh, Scene, Sphere } from "hitscan";
import { HitscanBVH, HitscanScene } from "hitscan/three";

function randoms(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

const random = randoms(5);
const below = (count) => Math.floor(random() * count);
const some = (list) => list[below(list.length)];
const around = (size) => new THREE.Vector3(random() - 0.5, random() - 0.5, random() - 0.5).multiplyScalar(2 * size);

function place(object) {
  object.position.copy(around(3));
  // three.js' own `random` is not the same each time.
  object.rotation.set(6 * random(), 6 * random(), 6 * random());
  object.scale.setScalar(0.5 + random());
  object.updateMatrix();
  return object;
}

const material = () => new THREE.MeshBasicMaterial({ side: THREE.DoubleSide });
const geometries = [new THREE.TorusGeometry(1, 0.4, 10, 16), new THREE.BoxGeometry(), new THREE.IcosahedronGeometry(1, 2)];
const plainMesh = () => place(new THREE.Mesh(some(geometries), material()));

function instancedMesh() {
  const mesh = place(new THREE.InstancedMesh(new THREE.IcosahedronGeometry(0.5, 1), material(), 6));
  for (let i = 0; i < 6; i++) mesh.setMatrixAt(i, place(new THREE.Object3D()).matrix);
  return mesh;
}

function batchedMesh() {
  const mesh = place(new THREE.BatchedMesh(12, 2000, 4000, material()));
  const ids = [new THREE.SphereGeometry(0.5, 8, 6), new THREE.BoxGeometry()].map((geometry) => mesh.addGeometry(geometry));
  for (let i = 0; i < 4; i++) mesh.setMatrixAt(mesh.addInstance(ids[i % 2]), place(new THREE.Object3D()).matrix);
  return Object.assign(mesh, { ids });
}

function morphedMesh() {
  const mesh = place(new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1, 3, 3, 3), material()));
  const far = mesh.geometry.attributes.position.clone();
  for (let i = 0; i < far.count; i++) far.setX(i, far.getX(i) * 3);
  mesh.geometry.morphAttributes.position = [far];
  mesh.updateMorphTargets();
  return mesh;
}

/** A mesh with bones: its own, or the bones of another branch of the tree. */
function skinnedMesh(branch) {
  const geometry = new THREE.CylinderGeometry(0.3, 0.3, 3, 8, 8);
  const { position } = geometry.attributes;
  geometry.setAttribute("skinIndex", new THREE.Uint16BufferAttribute(Array.from({ length: position.count }, () => [0, 1, 0, 0]).flat(), 4));
  const weights = Array.from({ length: position.count }, (_, i) => (position.getY(i) + 1.5) / 3);
  geometry.setAttribute("skinWeight", new THREE.Float32BufferAttribute(weights.flatMap((weight) => [1 - weight, weight, 0, 0]), 4));
  const mesh = place(new THREE.SkinnedMesh(geometry, material()));
  const [foot, head] = [new THREE.Bone(), new THREE.Bone()];
  foot.add(head);
  (branch ?? mesh).add(foot);
  mesh.updateMatrixWorld(true);
  mesh.bind(new THREE.Skeleton([foot, head]));
  return mesh;
}

const plain = (hits) => hits.map(({ object, instanceId, batchId, faceIndex, distance, point, face }) => [object.id, object.type, instanceId, batchId, faceIndex, distance, ...point, face.materialIndex].join());

/** The hits of a new scene, which the following one must reproduce. */
function anew(root, raycaster) {
  const scene = HitscanScene.fromObject3D(root);
  const hits = scene.raycast(raycaster);
  scene.dispose();
  return hits;
}

test("a scene follows every change of its objects", async () => {
  await init();
  const root = new THREE.Scene();
  const groups = [root, ...Array.from({ length: 3 }, () => place(new THREE.Group()))];
  groups.slice(1).forEach((group, i) => groups[i].add(group));
  const [instanced, batched, morphed] = [instancedMesh(), batchedMesh(), morphedMesh()];
  const bones = place(new THREE.Group());
  const skinned = [skinnedMesh(), skinnedMesh(bones)];
  const special = [instanced, batched, morphed, ...skinned];
  special.forEach((object, i) => groups[i % 4].add(object));
  // These bones come after the mesh that they deform.
  root.add(bones);
  const meshes = Array.from({ length: 8 }, plainMesh);
  meshes.forEach((mesh, i) => groups[i % 4].add(mesh));
  const objects = () => [...groups.slice(1), ...meshes, ...special, bones];
  const changes = {
    moved: () => place(some(objects())),
    "moved and updated, as by a renderer": () => place(some(objects())).updateMatrixWorld(),
    "hidden and shown": () => {
      const object = some(objects());
      object.visible = !object.visible;
    },
    "hidden while its group moves": () => {
      const group = some(groups.slice(1));
      group.visible = false;
      place(group);
    },
    "all shown": () => objects().forEach((object) => (object.visible = true)),
    "another parent": () => some(groups).add(some([...meshes, ...special])),
    "the last child first": () => some(groups).children.reverse(),
    removed: () => {
      const mesh = some(meshes);
      mesh.removeFromParent();
      meshes.splice(meshes.indexOf(mesh), 1);
      if (meshes.length === 0) meshes.push(plainMesh());
    },
    added: () => {
      const mesh = plainMesh();
      meshes.push(mesh);
      some(groups).add(mesh);
    },
    "one for another": () => {
      const { children } = some(groups);
      const i = children.findIndex((child) => meshes.includes(child));
      if (i < 0) return;
      meshes.splice(meshes.indexOf(children[i]), 1);
      const mesh = plainMesh();
      mesh.parent = children[i].parent;
      children[i] = mesh;
      meshes.push(mesh);
    },
    "an instance": () => instanced.setMatrixAt(below(instanced.count), place(new THREE.Object3D()).matrix),
    "fewer instances": () => (instanced.count = 2 + below(5)),
    "an instance of a batch": () => some([...batched._instanceInfo.keys()].filter((i) => batched._instanceInfo[i].active).map((i) => () => batched.setMatrixAt(i, place(new THREE.Object3D()).matrix)))?.(),
    "an instance of a batch hidden": () => some([...batched._instanceInfo.keys()].filter((i) => batched._instanceInfo[i].active).map((i) => () => batched.setVisibleAt(i, random() < 0.5)))?.(),
    "an instance of a batch has another geometry": () => some([...batched._instanceInfo.keys()].filter((i) => batched._instanceInfo[i].active).map((i) => () => batched.setGeometryIdAt(i, some(batched.ids))))?.(),
    "an instance of a batch for another": () => {
      const active = [...batched._instanceInfo.keys()].filter((i) => batched._instanceInfo[i].active);
      if (active.length > 2) batched.deleteInstance(some(active));
      batched.setMatrixAt(batched.addInstance(some(batched.ids)), place(new THREE.Object3D()).matrix);
    },
    "a morph": () => (morphed.morphTargetInfluences[0] = random()),
    "a morph target": () => {
      const [far] = morphed.geometry.morphAttributes.position;
      far.setX(below(far.count), 3 * random());
      far.needsUpdate = true;
    },
    // A new attribute has the version of the one that it replaces.
    "another morph target": () => {
      const far = morphed.geometry.attributes.position.clone();
      for (let i = 0; i < far.count; i++) far.setX(i, far.getX(i) * 4 * random());
      morphed.geometry.morphAttributes.position[0] = far;
    },
    "other weights of bones": () => {
      const { geometry } = some(skinned);
      const weights = Array.from({ length: geometry.attributes.position.count }, random);
      geometry.setAttribute("skinWeight", new THREE.Float32BufferAttribute(weights.flatMap((weight) => [1 - weight, weight, 0, 0]), 4));
    },
    "another buffer of interleaved positions": () => {
      const mesh = some(meshes);
      const { geometry } = mesh;
      const { array } = geometry.attributes.position;
      const buffer = new THREE.InterleavedBuffer(Float32Array.from(geometry.attributes.position.data?.array ?? array, (number) => 1.2 * number), 3);
      if (geometry.attributes.position.data !== undefined) geometry.attributes.position.data = buffer;
      else {
        mesh.geometry = geometry.clone();
        mesh.geometry.setAttribute("position", new THREE.InterleavedBufferAttribute(buffer, 3, 0));
      }
    },
    "a bone": () => place(some(some(skinned).skeleton.bones)),
    "another geometry": () => (some(meshes).geometry = some(geometries)),
    "other positions": () => {
      const { geometry } = some(meshes);
      const { position } = geometry.attributes;
      for (let i = 0; i < position.count; i++) position.setX(i, position.getX(i) * 1.1);
      position.needsUpdate = true;
    },
    "another attribute": () => {
      const mesh = some(meshes);
      mesh.geometry = mesh.geometry.clone();
      mesh.geometry.setAttribute("position", new THREE.Float32BufferAttribute(mesh.geometry.attributes.position.array.map((number) => 1.3 * number), 3));
    },
    "another index": () => {
      const mesh = some(meshes);
      mesh.geometry = mesh.geometry.clone();
      const { index } = mesh.geometry;
      if (index !== null) mesh.geometry.setIndex(Array.from(index.array).slice(0, 3 * (1 + below(index.count / 3))));
    },
    "another side": () => (some(meshes).material.side = some([THREE.FrontSide, THREE.BackSide, THREE.DoubleSide])),
    "other layers": () => some([...meshes, ...special]).layers.set(below(2)),
    "flat, and no more": () => {
      const mesh = some(meshes);
      mesh.scale.x = mesh.scale.x === 0 ? 1 : 0;
    },
    "a matrix of one's own": () => {
      const mesh = some(meshes);
      mesh.matrixAutoUpdate = false;
      mesh.matrix.copy(place(new THREE.Object3D()).matrix);
    },
    "a world matrix of one's own": () => {
      const mesh = some(meshes);
      mesh.matrixWorldAutoUpdate = false;
      mesh.matrixWorld.copy(place(new THREE.Object3D()).matrix);
    },
    "no number for a while": () => {
      const mesh = some(meshes);
      mesh.position.x = Number.isNaN(mesh.position.x) ? 0 : NaN;
    },
  };
  const scene = HitscanScene.fromObject3D(root);
  const names = Object.keys(changes);
  const last = [];
  let hits = 0;
  for (let step = 0; step < 250; step++) {
    for (let i = below(3); i >= 0; i--) {
      const name = names[(step + i * below(names.length)) % names.length];
      changes[name]();
      last.push(name);
    }
    for (let i = 0; i < 4; i++) {
      const origin = around(8);
      const raycaster = new THREE.Raycaster(origin, around(2).sub(origin).normalize());
      // Half of the rays skip the update, after a ray that updated.
      scene.autoUpdate = i % 2 === 0;
      const found = scene.raycast(raycaster);
      const expected = anew(root, raycaster);
      assert.deepEqual(plain(found), plain(expected), `step ${step}, after ${last.slice(-4).join(", ")}`);
      hits += found.length;
    }
  }
  assert.ok(hits > 800, `${hits}`);
  scene.dispose();
});

test("a thousand scenes leave no memory behind", async () => {
  await init();
  const geometry = new THREE.SphereGeometry(1, 16, 12);
  const round = () => {
    const root = new THREE.Scene();
    root.add(new THREE.Mesh(geometry, material()), morphedMesh(), instancedMesh(), batchedMesh(), skinnedMesh());
    const objects = HitscanScene.fromObject3D(root);
    objects.raycast(new THREE.Raycaster(new THREE.Vector3(0, 0, 9), new THREE.Vector3(0, 0, -1)));
    objects.dispose();
    const tree = new HitscanBVH(geometry);
    tree.closestPointToPoint(new THREE.Vector3(2, 0, 0));
    tree.intersectsSphere(new THREE.Sphere(new THREE.Vector3(1, 0, 0), 0.5));
    tree.dispose();
    const [mesh, ball, scene] = [new Mesh(geometry.attributes.position.array, geometry.index.array), new Sphere([0, 0, 0], 1), new Scene()];
    scene.insert("mesh", mesh);
    scene.insert("ball", ball, [2, 0, 0]);
    scene.castBatch(new Float32Array(600).fill(1));
    for (const thing of [mesh, ball, scene]) thing.dispose();
  };
  for (let i = 0; i < 100; i++) round();
  const bytes = memoryBytes();
  for (let i = 0; i < 1000; i++) round();
  assert.equal(memoryBytes(), bytes);
});
