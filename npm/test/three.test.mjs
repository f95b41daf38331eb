// hitscan/three beside three.js' own Raycaster and inside an unmodified three-mesh-bvh.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import * as THREE from "three";
import * as bvh from "three-mesh-bvh";
import { init, Mesh, Region } from "hitscan";
import { HitscanBVH, HitscanRaycaster, HitscanScene, acceleratedRaycast, computeBatchedBoundsTree, computeBoundsTree, disposeBoundsTree } from "hitscan/three";

/** The same numbers each time. */
function randoms(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

const random = randoms(1);
const around = (size) => new THREE.Vector3(random() - 0.5, random() - 0.5, random() - 0.5).multiplyScalar(2 * size);

/** A uniform rotation (Shoemake 1992), as `Quaternion.random` of three.js gives it, which takes other numbers each time. */
function rotation() {
  const [u, v, w] = [random(), 2 * Math.PI * random(), 2 * Math.PI * random()];
  const [a, b] = [Math.sqrt(1 - u), Math.sqrt(u)];
  return new THREE.Quaternion(a * Math.sin(v), a * Math.cos(v), b * Math.sin(w), b * Math.cos(w));
}

function place(object) {
  object.position.copy(around(3));
  object.quaternion.copy(rotation());
  object.scale.set(0.3 + random(), 0.3 + random(), 0.3 + random());
  return object;
}

function aim(raycaster) {
  raycaster.ray.origin.copy(around(8));
  raycaster.ray.direction.copy(around(1)).sub(raycaster.ray.origin).normalize();
}

/** The fields of hits that can be compared. */
const plain = (hits) => hits.map(({ distance, faceIndex, object, instanceId, batchId, face }) => ({ distance, faceIndex, object: object.id, instanceId, batchId, material: face?.materialIndex }));

describe("HitscanBVH", () => {
  before(() => init());

  for (const [name, patch] of [["three-mesh-bvh", bvh], ["our own patch", { acceleratedRaycast, computeBoundsTree }]]) {
    test(`equals three.js to the last bit: ${name}`, () => {
      const geometry = new THREE.TorusKnotGeometry(1, 0.4, 120, 16);
      const scene = new THREE.Scene();
      const materials = [THREE.FrontSide, THREE.BackSide, THREE.DoubleSide].map((side) => new THREE.MeshBasicMaterial({ side }));
      for (let i = 0; i < 9; i++) scene.add(place(new THREE.Mesh(geometry, materials[i % 3])));
      scene.updateMatrixWorld(true);
      patch.computeBoundsTree.call(geometry, { type: HitscanBVH });
      assert.ok(geometry.boundsTree instanceof HitscanBVH);
      const raycaster = new THREE.Raycaster();
      const own = THREE.Mesh.prototype.raycast;
      let hits = 0;
      for (let i = 0; i < 400; i++) {
        aim(raycaster);
        raycaster.near = i % 4 === 1 ? 6 : 0;
        raycaster.far = i % 4 === 2 ? 7 : Infinity;
        THREE.Mesh.prototype.raycast = own;
        const expected = raycaster.intersectObject(scene, true);
        THREE.Mesh.prototype.raycast = patch.acceleratedRaycast;
        raycaster.firstHitOnly = false;
        assert.deepEqual(raycaster.intersectObject(scene, true), expected);
        raycaster.firstHitOnly = true;
        assert.deepEqual(raycaster.intersectObject(scene, true)[0], expected[0]);
        THREE.Mesh.prototype.raycast = own;
        hits += expected.length;
      }
      assert.ok(hits > 500, `${hits}`);
      disposeBoundsTree.call(geometry);
    });
  }

  test("the index is not touched, and groups, draw ranges and interleaved buffers count", () => {
    const geometry = new THREE.SphereGeometry(1, 40, 40);
    const index = geometry.index.array.slice();
    const position = geometry.attributes.position;
    const interleaved = new THREE.InterleavedBuffer(new Float32Array(position.count * 5), 5);
    geometry.setAttribute("position", new THREE.InterleavedBufferAttribute(interleaved, 3, 2));
    for (let i = 0; i < position.count; i++) geometry.attributes.position.setXYZ(i, position.getX(i), position.getY(i), position.getZ(i));
    const half = index.length / 2;
    geometry.addGroup(0, half, 1);
    geometry.addGroup(half, half, 0);
    const mesh = new THREE.Mesh(geometry, [new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }), new THREE.MeshBasicMaterial()]);
    const tree = new HitscanBVH(geometry);
    assert.deepEqual(geometry.index.array, index);
    const raycaster = new THREE.Raycaster();
    for (const [start, count] of [[0, Infinity], [600, 3000]]) {
      geometry.setDrawRange(start, count);
      for (let i = 0; i < 200; i++) {
        aim(raycaster);
        assert.deepEqual(tree.raycastObject3D(mesh, raycaster).sort((a, b) => a.distance - b.distance), raycaster.intersectObject(mesh));
      }
    }
  });

  test("a batched mesh in three-mesh-bvh", () => {
    const batched = new THREE.BatchedMesh(10, 5000, 10000, new THREE.MeshBasicMaterial());
    const ids = [new THREE.TorusGeometry(1, 0.4, 20, 30), new THREE.SphereGeometry(1, 20, 10)].map((geometry) => batched.addGeometry(geometry));
    for (let i = 0; i < 10; i++) {
      const at = place(new THREE.Object3D());
      at.updateMatrix();
      batched.setMatrixAt(batched.addInstance(ids[i % 2]), at.matrix);
    }
    batched.updateMatrixWorld(true);
    const raycaster = new THREE.Raycaster();
    const lists = [];
    for (let i = 0; i < 200; i++) {
      aim(raycaster);
      lists.push([raycaster.ray.clone(), raycaster.intersectObject(batched)]);
    }
    computeBatchedBoundsTree.call(batched);
    const own = THREE.Mesh.prototype.raycast;
    THREE.Mesh.prototype.raycast = bvh.acceleratedRaycast;
    batched.raycast = bvh.acceleratedRaycast;
    const equal = () => {
      for (const [ray, expected] of lists) {
        raycaster.ray.copy(ray);
        assert.deepEqual(raycaster.intersectObject(batched), expected);
      }
    };
    equal();
    // three-mesh-bvh leaves the draw range of a geometry without a tree behind.
    batched.boundsTrees[1] = null;
    equal();
    THREE.Mesh.prototype.raycast = own;
  });

  test("closest points, spheres, boxes, refit", () => {
    const geometry = new THREE.IcosahedronGeometry(1, 4);
    const [ours, theirs] = [new HitscanBVH(geometry), new bvh.MeshBVH(geometry.clone())];
    for (let i = 0; i < 100; i++) {
      const point = around(2);
      assert.ok(Math.abs(ours.closestPointToPoint(point).distance - theirs.closestPointToPoint(point).distance) < 1e-6);
      const sphere = new THREE.Sphere(point, 0.5 * random());
      assert.equal(ours.intersectsSphere(sphere), theirs.intersectsSphere(sphere));
      const box = new THREE.Box3(new THREE.Vector3(-0.2, -0.2, -0.2), new THREE.Vector3(0.2, 0.2, 0.2));
      const matrix = new THREE.Matrix4().compose(point, rotation(), new THREE.Vector3(1, 1, 1));
      assert.equal(ours.intersectsBox(box, matrix), theirs.intersectsBox(box, matrix));
    }
    // A refused box leaves the tree where it was.
    const far = new THREE.Matrix4().makeTranslation(50, 0, 0);
    for (const wrong of [new THREE.Box3(), new THREE.Box3(new THREE.Vector3(NaN, 0, 0), new THREE.Vector3(1, 1, 1))]) {
      try {
        assert.equal(ours.intersectsBox(wrong, far), false);
      } catch (error) {
        assert.match(error.message, /box|finite/i);
      }
      assert.ok(ours.intersectsSphere(new THREE.Sphere(new THREE.Vector3(1, 0, 0), 0.1)));
    }
    geometry.scale(2, 2, 2);
    ours.refit();
    const grown = new bvh.MeshBVH(geometry.clone());
    const point = new THREE.Vector3(5, 0, 0);
    assert.ok(Math.abs(ours.closestPointToPoint(point).distance - grown.closestPointToPoint(point).distance) < 1e-6);
  });

  test("no ray is lost at edges and vertices", () => {
    const geometry = new THREE.IcosahedronGeometry(1, 5);
    geometry.rotateX(0.3).rotateY(0.7);
    const tree = new HitscanBVH(geometry);
    const mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
    const { position } = geometry.attributes;
    const raycaster = new THREE.Raycaster();
    let lost = 0;
    for (let i = 0; i < position.count; i++) {
      const corner = new THREE.Vector3().fromBufferAttribute(position, i);
      raycaster.set(new THREE.Vector3(), corner.normalize());
      if (tree.raycastObject3D(mesh, raycaster).length === 0) lost++;
    }
    assert.equal(lost, 0);
  });
});

describe("HitscanScene", () => {
  before(() => init());

  /** A scene with everything in it, and its objects without exceptions. */
  function everything() {
    const root = new THREE.Scene();
    const group = place(new THREE.Group());
    root.add(group);
    const geometry = new THREE.TorusGeometry(1, 0.4, 24, 40);
    for (let i = 0; i < 6; i++) (i % 2 ? group : root).add(place(new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ side: [THREE.FrontSide, THREE.BackSide, THREE.DoubleSide][i % 3] }))));
    const instanced = place(new THREE.InstancedMesh(new THREE.IcosahedronGeometry(0.5, 2), new THREE.MeshBasicMaterial(), 8));
    for (let i = 0; i < 8; i++) {
      const at = place(new THREE.Object3D());
      at.updateMatrix();
      instanced.setMatrixAt(i, at.matrix);
    }
    root.add(instanced);
    const batched = new THREE.BatchedMesh(4, 2000, 4000, new THREE.MeshBasicMaterial());
    const ids = [new THREE.SphereGeometry(0.5, 16, 12), new THREE.BoxGeometry()].map((geometry) => batched.addGeometry(geometry));
    for (let i = 0; i < 4; i++) {
      const at = place(new THREE.Object3D());
      at.updateMatrix();
      batched.setMatrixAt(batched.addInstance(ids[i % 2]), at.matrix);
    }
    root.add(batched);
    const morphed = place(new THREE.Mesh(new THREE.BoxGeometry(1, 1, 1, 4, 4, 4), new THREE.MeshBasicMaterial()));
    const far = morphed.geometry.attributes.position.clone();
    for (let i = 0; i < far.count; i++) far.setX(i, far.getX(i) * 3);
    morphed.geometry.morphAttributes.position = [far];
    morphed.updateMorphTargets();
    morphed.morphTargetInfluences[0] = 0.5;
    root.add(morphed);
    root.add(skinned());
    root.updateMatrixWorld(true);
    root.traverse(withoutCulling);
    return { root, group, instanced, batched, morphed };
  }

  /** Lets three.js test the triangles of each mesh. It scales a bounding sphere by the longest axis of a matrix, which is too little where a parent with an uneven scale has a rotated mesh. */
  function withoutCulling(object) {
    if (!object.isMesh) return;
    const everywhere = new THREE.Sphere(new THREE.Vector3(), Infinity);
    object.geometry.boundingSphere = everywhere;
    if (object.isInstancedMesh || object.isSkinnedMesh) object.boundingSphere = everywhere;
  }

  function skinned() {
    const geometry = new THREE.CylinderGeometry(0.3, 0.3, 3, 12, 12);
    const { position } = geometry.attributes;
    const indices = new Uint16Array(4 * position.count);
    const weights = new Float32Array(4 * position.count);
    for (let i = 0; i < position.count; i++) {
      const weight = (position.getY(i) + 1.5) / 3;
      indices.set([0, 1], 4 * i);
      weights.set([1 - weight, weight], 4 * i);
    }
    geometry.setAttribute("skinIndex", new THREE.Uint16BufferAttribute(indices, 4));
    geometry.setAttribute("skinWeight", new THREE.Float32BufferAttribute(weights, 4));
    const mesh = new THREE.SkinnedMesh(geometry, new THREE.MeshBasicMaterial());
    const [foot, head] = [new THREE.Bone(), new THREE.Bone()];
    foot.add(head);
    mesh.add(foot);
    mesh.updateMatrixWorld(true);
    mesh.bind(new THREE.Skeleton([foot, head]));
    head.rotation.z = 1;
    head.position.x = 1;
    return mesh;
  }

  /** Compares all hits, with the distances within the error of f32 rays. */
  function compare(root, raycaster, ours) {
    const expected = plain(raycaster.intersectObject(root, true));
    const found = plain(ours);
    const key = ({ object, instanceId, batchId, faceIndex }) => `${object}/${instanceId}/${batchId}/${faceIndex}`;
    if (expected.length !== found.length || expected.some((hit, i) => key(hit) !== key(found[i]))) return false;
    expected.forEach((hit, i) => assert.ok(Math.abs(hit.distance - found[i].distance) < 1e-5, `${hit.distance} ${found[i].distance}`));
    return true;
  }

  test("answers as three.js does, whatever the objects are, and follows them", () => {
    const { root, group, instanced, morphed } = everything();
    const scene = HitscanScene.fromObject3D(root);
    const raycaster = new THREE.Raycaster();
    const differing = { rays: 0, of: 0, hits: 0 };
    const rays = () => {
      for (let i = 0; i < 150; i++) {
        aim(raycaster);
        raycaster.firstHitOnly = false;
        const ours = scene.raycast(raycaster);
        differing.of++;
        differing.hits += ours.length;
        if (!compare(root, raycaster, ours)) differing.rays++;
        else {
          raycaster.firstHitOnly = true;
          assert.deepEqual(plain(scene.raycast(raycaster)), plain(ours).slice(0, 1));
        }
      }
    };
    rays();
    place(group);
    root.children[3].material.side = THREE.DoubleSide;
    root.updateMatrixWorld(true);
    rays();
    instanced.count = 5;
    morphed.morphTargetInfluences[0] = 0.2;
    rays();
    root.remove(root.children[1]);
    root.add(place(new THREE.Mesh(new THREE.SphereGeometry(1), new THREE.MeshBasicMaterial())));
    root.updateMatrixWorld(true);
    rays();
    assert.ok(differing.hits > 400, JSON.stringify(differing));
    assert.equal(differing.rays, 0, JSON.stringify(differing));
    scene.dispose();
  });

  test("layers and visibility count", () => {
    const root = new THREE.Scene();
    const [near, far] = [2, -2].map((z) => {
      const mesh = new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial());
      mesh.position.z = z;
      root.add(mesh);
      return mesh;
    });
    const scene = HitscanScene.fromObject3D(root);
    const raycaster = new THREE.Raycaster(new THREE.Vector3(0.1, 0.2, 9), new THREE.Vector3(0, 0, -1));
    raycaster.firstHitOnly = true;
    const first = () => scene.raycast(raycaster)[0]?.object;
    assert.equal(first(), near);
    near.layers.set(3);
    assert.equal(first(), far);
    raycaster.layers.enable(3);
    assert.equal(first(), near);
    near.visible = false;
    assert.equal(first(), far);
    far.visible = false;
    assert.equal(first(), undefined);
  });

  /** Returns a square whose right half is a hole, its picture, and the number of hits at an x. */
  function halfMasked() {
    const data = new Uint8Array(4 * 4).fill(255);
    data[7] = data[15] = 0;
    const map = new THREE.DataTexture(data, 2, 2);
    const root = new THREE.Mesh(new THREE.PlaneGeometry(2, 2), new THREE.MeshBasicMaterial({ map, alphaTest: 0.5 }));
    const scene = HitscanScene.fromObject3D(root);
    const at = (x) => scene.raycast(new THREE.Raycaster(new THREE.Vector3(x, 0.3, 5), new THREE.Vector3(0, 0, -1))).length;
    return { data, map, root, at };
  }

  test("alphaTest makes holes", () => {
    const { root, at } = halfMasked();
    assert.deepEqual([at(-0.5), at(0.5)], [1, 0]);
    root.material.alphaTest = 0;
    assert.deepEqual([at(-0.5), at(0.5)], [1, 1]);
  });

  test("a picture that is drawn anew, or used for two purposes, makes other holes", () => {
    const { data, map, root, at } = halfMasked();
    assert.deepEqual([at(-0.5), at(0.5)], [1, 0]);
    [data[3], data[7], data[11], data[15]] = [0, 255, 0, 255];
    map.needsUpdate = true;
    assert.deepEqual([at(-0.5), at(0.5)], [0, 1]);
    // An alphaMap counts by its green channel.
    [data[1], data[5], data[9], data[13]] = [255, 0, 255, 0];
    map.needsUpdate = true;
    [root.material.alphaMap, root.material.map] = [map, null];
    assert.deepEqual([at(-0.5), at(0.5)], [1, 0]);
    [root.material.alphaMap, root.material.map] = [null, map];
    assert.deepEqual([at(-0.5), at(0.5)], [0, 1]);
    // A texture that is moved by half of its width, without a new version.
    map.wrapS = THREE.RepeatWrapping;
    map.offset.x = 0.5;
    assert.deepEqual([at(-0.5), at(0.5)], [1, 0]);
    // Another attribute of the same size, which mirrors the picture.
    const { uv } = root.geometry.attributes;
    root.geometry.setAttribute("uv", new THREE.BufferAttribute(Float32Array.from(uv.array, (at, i) => (i % 2 === 0 ? 1 - at : at)), 2));
    assert.deepEqual([at(-0.5), at(0.5)], [0, 1]);
  });

  test("the numbers of a picture count as three.js' shaders read them", () => {
    const { root, at } = halfMasked();
    const half = THREE.DataUtils.toHalfFloat(1);
    const pictures = [
      [new Uint16Array(16).fill(half), 0, THREE.HalfFloatType],
      [new Float32Array(16).fill(1), 0.25, THREE.FloatType],
      [new Uint16Array(16).fill(65535), 30000, THREE.UnsignedShortType],
      [new Uint8ClampedArray(16).fill(128), 127, THREE.UnsignedByteType],
    ];
    for (const [data, low, type] of pictures) {
      data[7] = data[15] = low;
      root.material.map = new THREE.DataTexture(data, 2, 2, THREE.RGBAFormat, type);
      root.material.map.needsUpdate = true;
      assert.deepEqual([at(-0.5), at(0.5)], [1, 0], type);
    }
    // One channel has no alpha.
    root.material.map = new THREE.DataTexture(new Uint8Array(4), 2, 2, THREE.RedFormat);
    assert.deepEqual([at(-0.5), at(0.5)], [1, 1]);
  });

  test("the alpha of map, the green of alphaMap and the opacity are multiplied", () => {
    const { root, at } = halfMasked();
    const lower = new Uint8Array(4 * 4).fill(0);
    lower.fill(255, 8, 16);
    const picture = (data, width, height) => Object.assign(new THREE.DataTexture(data, width, height), { needsUpdate: true });
    // The map has holes on the right, and the other one below.
    root.material.alphaMap = picture(lower, 1, 4);
    assert.deepEqual([at(-0.5), at(0.5)], [1, 0]);
    root.material.alphaMap = picture(lower.slice().reverse(), 1, 4);
    assert.deepEqual([at(-0.5), at(0.5)], [0, 0]);
    root.material.alphaMap = null;
    root.material.opacity = 0.4;
    assert.deepEqual([at(-0.5), at(0.5)], [0, 0]);
    root.material.opacity = 0.6;
    assert.deepEqual([at(-0.5), at(0.5)], [1, 0]);
  });

  test("the holes of each material are where its own texture is, in groups that overlap, too", () => {
    const random = randoms(41);
    const counts = [0, 0];
    for (let round = 0; round < 40; round++) {
      const texture = () => {
        const [width, height] = [1 + Math.floor(random() * 5), 1 + Math.floor(random() * 5)];
        const data = Uint8Array.from({ length: 4 * width * height }, () => (random() < 0.5 ? 0 : 255));
        const map = new THREE.DataTexture(data, width, height);
        map.repeat.set(0.5 + 3 * random(), 0.5 + 3 * random());
        map.offset.set(random(), random());
        map.rotation = random() * 6;
        map.flipY = random() < 0.5;
        map.channel = Math.floor(random() * 2);
        [map.wrapS, map.wrapT] = [0, 1].map(() => [THREE.RepeatWrapping, THREE.MirroredRepeatWrapping, THREE.ClampToEdgeWrapping][Math.floor(random() * 3)]);
        map.needsUpdate = true;
        return map;
      };
      const materials = Array.from({ length: 4 }, (_, i) => new THREE.MeshBasicMaterial({ map: i < 3 ? texture() : null, alphaTest: 0.5, side: THREE.DoubleSide }));
      const geometry = new THREE.PlaneGeometry(2, 2, 4, 4);
      geometry.setAttribute("uv1", new THREE.BufferAttribute(Float32Array.from(geometry.attributes.uv.array, () => random()), 2));
      for (let i = 0; i < 6; i++) geometry.addGroup(3 * Math.floor(random() * 32), 3 * Math.floor(random() * 32), Math.floor(random() * 4));
      const root = new THREE.Mesh(geometry, materials);
      const scene = HitscanScene.fromObject3D(root);
      for (let i = 0; i < 100; i++) {
        const raycaster = new THREE.Raycaster(new THREE.Vector3(2 * random() - 1, 2 * random() - 1, 5), new THREE.Vector3(0, 0, -1));
        let isUnclear = false;
        const isSeen = ({ face: { materialIndex }, uv, uv1 }) => {
          const { map } = materials[materialIndex];
          if (map === null) return true;
          const { width, height, data } = map.image;
          const at = map.transformUv((map.channel === 0 ? uv : uv1).clone());
          const [x, y] = [at.x * width, at.y * height];
          // Beside the border of a texel, the rounding decides.
          isUnclear ||= [x, y].some((place) => Math.abs(place - Math.round(place)) < 1e-4);
          return data[4 * (Math.min(Math.floor(y), height - 1) * width + Math.min(Math.floor(x), width - 1)) + 3] >= 128;
        };
        const of = (hits) => hits.map(({ faceIndex, face: { materialIndex } }) => [faceIndex, materialIndex]);
        const all = raycaster.intersectObject(root);
        const expected = all.filter(isSeen);
        if (isUnclear) continue;
        assert.deepEqual(of(scene.raycast(raycaster)), of(expected));
        counts[0] += expected.length;
        counts[1] += all.length - expected.length;
      }
      scene.dispose();
    }
    assert.ok(Math.min(...counts) > 1000, `${counts}`);
  });

  test("groups of triangles that are no longer there make no holes", () => {
    const { root, at } = halfMasked();
    const { geometry } = root;
    geometry.addGroup(0, 6, 0);
    geometry.addGroup(600, 6, 0);
    root.material = [root.material];
    assert.deepEqual([at(-0.5), at(0.5)], [1, 0]);
  });

  test("an object whose changed geometry is refused is not hit, and nor is another one with it", (t) => {
    t.mock.method(console, "warn", () => {});
    const { root } = halfMasked();
    const other = root.clone();
    other.position.y = 10;
    const both = new THREE.Group();
    both.add(root, other);
    const scene = HitscanScene.fromObject3D(both);
    const raycaster = new THREE.Raycaster();
    const hits = () => [0, 10].map((y) => {
      raycaster.set(new THREE.Vector3(-0.5, y + 0.1, 5), new THREE.Vector3(0, 0, -1));
      return scene.raycast(raycaster).length;
    });
    assert.deepEqual(hits(), [1, 1]);
    const refused = t.mock.method(Mesh.prototype, "cutOut", () => {
      throw new Error("no");
    });
    root.geometry.attributes.position.needsUpdate = true;
    assert.deepEqual([hits(), hits()], [[0, 0], [0, 0]]);
    refused.mock.restore();
    root.geometry.attributes.position.needsUpdate = true;
    assert.deepEqual(hits(), [1, 1]);
    scene.dispose();
  });

  test("marquee, lasso, closest point", () => {
    const root = new THREE.Scene();
    const [left, right] = [-2, 2].map((x) => {
      const mesh = new THREE.Mesh(new THREE.SphereGeometry(1), new THREE.MeshBasicMaterial());
      mesh.position.x = x;
      root.add(mesh);
      return mesh;
    });
    const camera = new THREE.PerspectiveCamera(60, 4 / 3, 0.1, 100);
    camera.position.z = 10;
    const scene = HitscanScene.fromObject3D(root);
    const objects = (region) => scene.select(camera, [800, 600], region).map(({ object }) => object);
    assert.deepEqual(objects(Region.rect([0, 0], [400, 600])), [left]);
    assert.deepEqual(objects(Region.lasso([[420, 100], [790, 300], [420, 500]])), [right]);
    assert.equal(scene.closestPoint([2.2, 0.1, 5]).id.object, right);
  });

  test("a raycaster for two lines", () => {
    const { root } = everything();
    const [ours, theirs] = [new HitscanRaycaster(), new THREE.Raycaster()];
    let equal = 0;
    for (let i = 0; i < 60; i++) {
      aim(ours);
      theirs.ray.copy(ours.ray);
      const expected = theirs.intersectObjects(root.children, true);
      if (compare(root, theirs, ours.intersectObjects(root.children, true))) equal++;
      if (compare(root, theirs, ours.intersectObject(root))) equal++;
      assert.ok(Array.isArray(expected));
    }
    assert.ok(equal >= 118, `${equal}`);
  });
});
