// HitscanRaycaster beside three.js' own with objects that have their own raycast, that are broken, and that are not drawn.
import assert from "node:assert/strict";
import { before, describe, mock, test } from "node:test";
import * as THREE from "three";
import { Line2 } from "three/examples/jsm/lines/Line2.js";
import { LineGeometry } from "three/examples/jsm/lines/LineGeometry.js";
import { init } from "hitscan";
import { HitscanBVH, HitscanRaycaster, HitscanScene, acceleratedRaycast } from "hitscan/three";

/** The same numbers each time. */
function randoms(seed) {
  return () => {
    seed = (Math.imul(seed, 1664525) + 1013904223) >>> 0;
    return seed / 2 ** 32;
  };
}

const camera = new THREE.PerspectiveCamera(60, 1, 0.1, 100);
camera.position.set(0, 0, 20);
camera.updateMatrixWorld(true);

function box(z, parent) {
  const mesh = new THREE.Mesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial());
  mesh.position.z = z;
  parent.add(mesh);
  return mesh;
}

/** Both raycasters, along -z. */
function raycasters(x = 0.1, y = 0.2) {
  return [new HitscanRaycaster(), new THREE.Raycaster()].map((raycaster) => {
    raycaster.set(new THREE.Vector3(x, y, 20), new THREE.Vector3(0, 0, -1));
    raycaster.camera = camera;
    return raycaster;
  });
}

const plain = (hits) => hits.map(({ distance, object, faceIndex, index }) => [object.id, distance.toFixed(5), faceIndex, index]);

/** Asserts that both answer the same, and returns the objects. */
function same(root, x, y) {
  root.updateMatrixWorld(true);
  const [ours, theirs] = raycasters(x, y);
  const expected = theirs.intersectObject(root);
  assert.deepEqual(plain(ours.intersectObject(root)), plain(expected));
  ours.firstHitOnly = true;
  assert.deepEqual(plain(ours.intersectObject(root)), plain(expected.slice(0, 1)));
  return expected.map(({ object }) => object);
}

/** Counts the warnings during some work. */
function warnings(work) {
  const warn = mock.method(console, "warn", () => {});
  try {
    work();
    return warn.mock.calls.map(({ arguments: [text] }) => text);
  } finally {
    warn.mock.restore();
  }
}

describe("objects with a raycast of their own", () => {
  before(() => init());

  test("one that answers nothing, a custom one, and an instance's acceleratedRaycast", () => {
    const root = new THREE.Scene();
    const [silent, custom, plainBox] = [6, 3, 0].map((z) => box(z, root));
    silent.raycast = () => null;
    custom.raycast = function (raycaster, hits) {
      hits.push({ distance: 18.25, point: raycaster.ray.at(18.25, new THREE.Vector3()), object: this });
    };
    plainBox.raycast = acceleratedRaycast;
    assert.deepEqual(same(root), [custom, plainBox]);
    silent.raycast = null;
    assert.equal(raycasters()[0].intersectObject(root).length, 2);
    // Other questions look at its triangles.
    const scene = HitscanScene.fromObject3D(root);
    assert.equal(scene.closestPoint([0, 0, 9]).id.object, silent);
  });

  test("a class of the program's, and a patch of three.js' class", () => {
    const root = new THREE.Scene();
    class Ghost extends THREE.Mesh {
      raycast() {}
    }
    const ghost = new Ghost(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial());
    ghost.position.z = 5;
    root.add(ghost);
    const solid = box(0, root);
    assert.deepEqual(same(root), [solid]);
    const own = THREE.Mesh.prototype.raycast;
    THREE.Mesh.prototype.raycast = function (...all) {
      return own.apply(this, all);
    };
    assert.deepEqual(same(root), [solid]);
    THREE.Mesh.prototype.raycast = own;
  });

  test("fat lines, lines, points, sprites, and groups", () => {
    const root = new THREE.Scene();
    const fat = new Line2(new LineGeometry().setPositions([-2, 0.2, 4, 2, 0.2, 4]));
    fat.material.linewidth = 1;
    fat.material.worldUnits = true;
    root.add(fat);
    const line = new THREE.Line(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(-2, 0.2, 3), new THREE.Vector3(2, 0.2, 3)]));
    const points = new THREE.Points(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(0.1, 0.2, 2)]));
    const sprite = new THREE.Sprite(new THREE.SpriteMaterial());
    const group = new THREE.Group();
    group.raycast = function (raycaster, hits) {
      hits.push({ distance: 30, point: new THREE.Vector3(), object: this });
    };
    root.add(line, points, sprite, group);
    const objects = same(root);
    for (const object of [fat, line, points, sprite, group]) assert.ok(objects.includes(object), object.type);
    fat.layers.set(4);
    assert.ok(!same(root).includes(fat));
  });

  test("levels of detail", () => {
    const root = new THREE.Scene();
    const lod = new THREE.LOD();
    const levels = [1, 2].map((size) => new THREE.Mesh(new THREE.BoxGeometry(size, size, size), new THREE.MeshBasicMaterial()));
    lod.addLevel(levels[0], 0);
    lod.addLevel(levels[1], 10);
    root.add(lod);
    root.updateMatrixWorld(true);
    // three.js asks the level and then all of them, invisible ones as well.
    const [ours, theirs] = raycasters();
    ours.invisible = "hit";
    lod.update(camera);
    assert.deepEqual(plain(ours.intersectObject(root)), plain(theirs.intersectObject(root)));
    ours.invisible = "skip";
    assert.deepEqual(new Set(ours.intersectObject(root).map(({ object }) => object)), new Set([levels[1]]));
  });

  test("returning false ends there, with all that is below", () => {
    const root = new THREE.Scene();
    const front = box(5, root);
    const group = new THREE.Group();
    root.add(group);
    const below = box(2, group);
    const asked = box(1, below);
    asked.raycast = mock.fn();
    const back = box(-3, root);
    assert.deepEqual(same(root), [front, below, back]);
    const calls = asked.raycast.mock.callCount();
    assert.ok(calls > 0);
    group.raycast = () => false;
    assert.deepEqual(same(root), [front, back]);
    assert.equal(asked.raycast.mock.callCount(), calls);
    group.layers.set(7);
    assert.deepEqual(same(root), [front, below, back]);
    group.layers.set(0);
    front.raycast = () => false;
    assert.deepEqual(same(root), [back]);
    // The parent of the root is not asked.
    const [ours, theirs] = raycasters();
    assert.deepEqual(plain(ours.intersectObjects(group.children)), plain(theirs.intersectObjects(group.children)));
    assert.equal(ours.intersectObjects(group.children).length, 1);
  });
});

describe("broken objects", () => {
  before(() => init());

  /** Breaks one of three boxes, and asserts that it is named once and that the others are hit. */
  function broken(words, spoil) {
    const root = new THREE.Scene();
    const [front, bad, back] = [5, 2, -3].map((z) => box(z, root));
    const objects = () => raycasters()[0].intersectObject(root).map(({ object }) => object);
    assert.deepEqual(objects(), [front, bad, back]);
    bad.name = "the bad one";
    spoil(bad);
    const raycaster = raycasters()[0];
    let hits;
    const said = warnings(() => {
      for (let i = 0; i < 3; i++) {
        bad.position.x = 1e-3 * i;
        hits = raycaster.intersectObject(root).map(({ object }) => object);
      }
    });
    assert.ok(hits.includes(front) && hits.includes(back), words);
    assert.equal(said.length, 1, said.join("\n"));
    assert.match(said[0], /the bad one/);
    assert.match(said[0], words);
    return { root, bad, raycaster };
  }

  test("a NaN vertex costs its triangles alone", () => {
    // The front of the box is the triangles 8 and 9, whose vertices are 16 to 19. The ray hits triangle 8, without vertex 19.
    const { bad } = broken(/triangles? that (is|are) not hit: .*19/, ({ geometry }) => {
      geometry.attributes.position.setX(19, NaN);
      geometry.attributes.position.needsUpdate = true;
    });
    const scene = HitscanScene.fromObject3D(bad);
    const faces = [];
    warnings(() => {
      for (const [x, y] of [[-0.4, 0.4], [0.4, -0.4]]) faces.push(...scene.raycast(raycasters(x, y)[1]).map(({ faceIndex }) => faceIndex));
    });
    assert.deepEqual(faces.filter((face) => face === 8 || face === 9), [8]);
  });

  test("an index without a vertex costs its triangle alone", () => {
    const { bad, raycaster, root } = broken(/has a triangle that is not hit: .*9999/, ({ geometry }) => {
      geometry.index.setX(0, 9999);
      geometry.index.needsUpdate = true;
    });
    assert.ok(raycaster.intersectObject(root).some(({ object }) => object === bad));
  });

  test("no material, none in a list, no geometry", () => {
    const { root, bad, raycaster } = broken(/it has no material/, (bad) => (bad.material = undefined));
    bad.material = new THREE.MeshBasicMaterial();
    assert.equal(raycaster.intersectObject(root)[1].object, bad);
    broken(/it has no material/, (bad) => (bad.material = null));
    broken(/where it has no material/, (bad) => (bad.material = [undefined, undefined, undefined, undefined, undefined]));
    broken(/it has no geometry/, (bad) => (bad.geometry = undefined));
  });

  test("a transform that is a projection, and a skin without bones", () => {
    broken(/is not hit: /, (bad) => {
      bad.matrixAutoUpdate = false;
      bad.matrix.elements[3] = 0.5;
      bad.matrixWorldNeedsUpdate = true;
    });
    const root = new THREE.Scene();
    const front = box(5, root);
    const skinned = new THREE.SkinnedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial());
    root.add(skinned);
    const raycaster = raycasters()[0];
    let hits;
    const said = warnings(() => {
      for (let i = 0; i < 3; i++) hits = raycaster.intersectObject(root);
    });
    assert.deepEqual(hits.map(({ object }) => object), [front]);
    assert.equal(said.length, 1);
  });

  const projection = () => new THREE.Matrix4().set(1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 1, 0, 0, 0, 0.5, 1);
  const nothing = () => new THREE.Matrix4().makeTranslation(NaN, 0, 0);
  const at = (z) => new THREE.Matrix4().makeTranslation(0, 0, z);

  /** Counts the hits of an object's instances, and asserts that it is named as often as it should. */
  function instancesHit(root, key, times) {
    const raycaster = raycasters()[0];
    let hits;
    const said = warnings(() => {
      for (let i = 0; i < 3; i++) hits = raycaster.intersectObject(root);
    });
    assert.equal(said.length, times, said.join("\n"));
    return { said, hits: [...new Set(hits.map((hit) => hit[key]))] };
  }

  test("one instance costs itself alone", () => {
    for (const [bad, times] of [[nothing(), 0], [projection(), 1]]) {
      const root = new THREE.Scene();
      const instances = new THREE.InstancedMesh(new THREE.BoxGeometry(), new THREE.MeshBasicMaterial(), 3);
      [at(4), bad, at(-4)].forEach((matrix, i) => instances.setMatrixAt(i, matrix));
      root.add(instances);
      const { said, hits } = instancesHit(root, "instanceId", times);
      assert.deepEqual(hits, [0, 2]);
      if (times > 0) assert.match(said[0], /Mesh.* has an instance, number 1, that is not hit: /);
      instances.setMatrixAt(1, at(0));
      instances.instanceMatrix.needsUpdate = true;
      assert.deepEqual(instancesHit(root, "instanceId", 0).hits, [0, 1, 2]);
      // One object is spoilt after it was hit.
      instances.setMatrixAt(2, bad);
      assert.deepEqual(instancesHit(root, "instanceId", 0).hits, [0, 1]);
    }
  });

  test("one instance of a batch costs itself alone", () => {
    for (const [bad, times] of [[nothing(), 0], [projection(), 1]]) {
      const root = new THREE.Scene();
      const batch = new THREE.BatchedMesh(3, 48, 72, new THREE.MeshBasicMaterial());
      const geometry = batch.addGeometry(new THREE.BoxGeometry());
      const ids = [at(4), bad, at(-4)].map((matrix) => {
        const id = batch.addInstance(geometry);
        batch.setMatrixAt(id, matrix);
        return id;
      });
      root.add(batch);
      const { said, hits } = instancesHit(root, "batchId", times);
      assert.deepEqual(hits, [ids[0], ids[2]]);
      if (times > 0) assert.match(said[0], /Mesh.* has an instance, number 1, that is not hit: /);
      batch.setMatrixAt(ids[1], at(0));
      assert.deepEqual(instancesHit(root, "batchId", 0).hits, ids);
    }
  });

  test("a broken geometry of instances loses its broken triangles, and of a batch costs itself alone", () => {
    const spoilt = () => {
      const geometry = new THREE.BoxGeometry();
      geometry.attributes.position.setX(19, NaN); // in triangle 9, beside the triangle that the ray hits
      return geometry;
    };
    const root = new THREE.Scene();
    const instances = new THREE.InstancedMesh(spoilt(), new THREE.MeshBasicMaterial(), 2);
    [at(4), at(-4)].forEach((matrix, i) => instances.setMatrixAt(i, matrix));
    root.add(instances);
    // three.js' own box around instances has vertices that are not finite, so it is not asked.
    const { said, hits } = instancesHit(root, "instanceId", 1);
    assert.match(said[0], /Mesh.* has a triangle that is not hit: .*19/);
    assert.deepEqual(hits, [0, 1]);

    const stage = new THREE.Scene();
    const batch = new THREE.BatchedMesh(2, 48, 72, new THREE.MeshBasicMaterial());
    const ids = [new THREE.BoxGeometry(), spoilt()].map((geometry, i) => {
      const id = batch.addInstance(batch.addGeometry(geometry));
      batch.setMatrixAt(id, at(4 - 8 * i));
      return id;
    });
    stage.add(batch);
    const batched = instancesHit(stage, "batchId", 1);
    assert.match(batched.said[0], /Mesh.* has a triangle that is not hit: /);
    assert.deepEqual(batched.hits, ids);
  });

  test("a vertex that no triangle has costs nothing", () => {
    const root = new THREE.Scene();
    const mesh = box(0, root);
    mesh.geometry.attributes.position.setX(19, NaN);
    const index = Array.from(mesh.geometry.index.array).filter((_, i, all) => ![0, 1, 2].some((corner) => all[i - (i % 3) + corner] === 19));
    mesh.geometry.setIndex(index);
    const { hits } = instancesHit(root, "object", 0);
    assert.deepEqual(hits, [mesh]);
  });

  test("a tree of a broken geometry is an error that names the offender", () => {
    const spoil = [
      [/vertex 19/, (geometry) => geometry.attributes.position.setY(19, NaN)],
      [/9999/, (geometry) => geometry.index.setX(4, 9999)],
      [/no attribute `position`/, (geometry) => geometry.deleteAttribute("position")],
    ];
    for (const [words, work] of spoil) {
      const geometry = new THREE.BoxGeometry();
      work(geometry);
      assert.throws(() => new HitscanBVH(geometry), words);
      assert.equal(geometry.boundingBox, null);
    }
  });

  test("a pose that is not finite for a while", () => {
    const root = new THREE.Scene();
    const morphed = box(0, root);
    const { position } = morphed.geometry.attributes;
    morphed.geometry.morphAttributes.position = [position.clone()];
    morphed.updateMorphTargets();
    const back = box(-5, root);
    const raycaster = raycasters()[0];
    const objects = () => raycaster.intersectObject(root).map(({ object }) => object);
    assert.deepEqual(objects(), [morphed, back]);
    const said = warnings(() => {
      morphed.morphTargetInfluences[0] = NaN;
      assert.deepEqual(objects(), [back]);
      assert.deepEqual(objects(), [back]);
    });
    assert.equal(said.length, 1);
    morphed.morphTargetInfluences[0] = 0.5;
    assert.deepEqual(objects(), [morphed, back]);
    morphed.morphTargetInfluences[0] = 0.25;
    assert.deepEqual(objects(), [morphed, back]);
  });
});

describe("what is drawn and what is hit", () => {
  before(() => init());

  test("invisible proxies are hit if that is wanted", () => {
    const root = new THREE.Scene();
    const proxy = box(4, root);
    const group = new THREE.Group();
    root.add(group);
    const inner = box(2, group);
    const shown = box(0, root);
    proxy.visible = group.visible = false;
    root.updateMatrixWorld(true);
    const [ours, theirs] = raycasters();
    assert.deepEqual(ours.intersectObject(root).map(({ object }) => object), [shown]);
    ours.invisible = "hit";
    assert.deepEqual(plain(ours.intersectObject(root)), plain(theirs.intersectObject(root)));
    assert.deepEqual(ours.intersectObject(root).map(({ object }) => object), [proxy, inner, shown]);
    root.visible = false;
    assert.deepEqual(ours.intersectObjects(root.children).map(({ object }) => object), [proxy, inner, shown]);
    ours.invisible = "skip";
    assert.deepEqual(ours.intersectObjects(root.children).map(({ object }) => object), [shown]);
    root.visible = true;
    const scene = HitscanScene.fromObject3D(root, { invisible: "hit" });
    assert.equal(scene.closestPoint([0, 0, 9]).id.object, proxy);
    scene.invisible = "skip";
    assert.equal(scene.closestPoint([0, 0, 9]).id.object, shown);
  });

  test("rays of a camera are between its clip planes, as the picture is", () => {
    const size = [800, 600];
    const viewports = [
      new THREE.PerspectiveCamera(60, 4 / 3, 2, 50),
      new THREE.OrthographicCamera(-4, 4, 3, -3, 0, 50),
      Object.assign(new THREE.PerspectiveCamera(60, 4 / 3, 2, 50), { name: "scaled" }),
    ];
    for (const eye of viewports) {
      eye.position.set(3, 4, 5);
      eye.lookAt(0, 0, 0);
      if (eye.name === "scaled") eye.scale.setScalar(2);
      eye.updateMatrixWorld(true);
      const made = HitscanScene.camera(eye);
      for (const [x, y] of [[400, 300], [10, 590], [799, 3]]) {
        const { origin, direction, tMin, tMax } = made.ray([x, y], size);
        for (const [t, depth] of [[tMin, -1], [tMax, 1]]) {
          const at = new THREE.Vector3(...origin).addScaledVector(new THREE.Vector3(...direction), t).project(eye);
          assert.ok(Math.abs(at.z - depth) < 1e-4, `${eye.type} ${eye.name}: ${at.z} at ${t}`);
        }
      }
      made.dispose();
    }
    const bare = new THREE.Camera();
    bare.projectionMatrix.copy(viewports[0].projectionMatrix);
    assert.equal(HitscanScene.camera(bare).ray([400, 300], size).tMax, Infinity);
  });
});

describe("ties", () => {
  before(() => init());

  /** Sheets in one place, whose edges and vertices are aimed at. */
  function sheets(random) {
    const geometry = new THREE.IcosahedronGeometry(1, 3);
    geometry.rotateX(random()).rotateY(random());
    return geometry;
  }

  test("raycastFirst is the first of raycast", () => {
    const random = randoms(7);
    const geometry = sheets(random);
    const tree = new HitscanBVH(geometry);
    const { position } = geometry.attributes;
    const [corner, other, ray] = [new THREE.Vector3(), new THREE.Vector3(), new THREE.Ray()];
    let ties = 0;
    for (let i = 0; i < 6000; i++) {
      const first = Math.floor(random() * position.count);
      corner.fromBufferAttribute(position, first);
      other.fromBufferAttribute(position, first - (first % 3) + ((first + 1) % 3));
      if (i % 2) corner.lerp(other, random());
      ray.origin.set(random() - 0.5, random() - 0.5, random() - 0.5).multiplyScalar(i % 4 < 2 ? 0.5 : 8);
      ray.direction.copy(corner).sub(ray.origin).normalize();
      for (const side of [THREE.FrontSide, THREE.BackSide, THREE.DoubleSide]) {
        const all = tree.raycast(ray, side).sort((a, b) => a.distance - b.distance);
        if (all.length > 1 && all[1].distance - all[0].distance < 1e-12) ties++;
        assert.deepEqual(tree.raycastFirst(ray, side), all[0] ?? null);
      }
    }
    assert.ok(ties > 100, `${ties}`);
  });

  test("the first hit of a scene is the first of all", () => {
    const random = randoms(11);
    const root = new THREE.Scene();
    const geometry = sheets(random);
    // Some are in one place.
    for (let i = 0; i < 6; i++) {
      const mesh = new THREE.Mesh(geometry, new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
      mesh.position.x = i % 3;
      root.add(mesh);
    }
    const scene = HitscanScene.fromObject3D(root);
    const raycaster = new THREE.Raycaster();
    const corner = new THREE.Vector3();
    let hits = 0;
    for (let i = 0; i < 2000; i++) {
      corner.fromBufferAttribute(geometry.attributes.position, Math.floor(random() * geometry.attributes.position.count));
      raycaster.ray.origin.set(random() - 0.5, random() - 0.5, random() - 0.5).multiplyScalar(10);
      raycaster.ray.direction.copy(corner).sub(raycaster.ray.origin).normalize();
      raycaster.firstHitOnly = false;
      const all = scene.raycast(raycaster);
      raycaster.firstHitOnly = true;
      assert.deepEqual(scene.raycast(raycaster), all.slice(0, 1));
      hits += all.length;
    }
    assert.ok(hits > 2000);
  });

  test("hits at one distance are in three.js' order, whatever was inserted when", () => {
    const random = randoms(17);
    const root = new THREE.Scene();
    const materials = [0, 1, 2].map(() => new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
    // A triangle in three groups, and one in none, is hit three times and never.
    const grouped = new THREE.PlaneGeometry(4, 4);
    for (const [start, materialIndex] of [[0, 2], [3, 1], [0, 1], [0, 0]]) grouped.addGroup(start, 3, materialIndex);
    const plain = new THREE.PlaneGeometry(4, 4);
    const instanced = new THREE.InstancedMesh(plain, materials[0], 3);
    const points = new THREE.Points(new THREE.BufferGeometry().setFromPoints([new THREE.Vector3(0.5, 0.25, 0)]), new THREE.PointsMaterial());
    const objects = [instanced, points, ...[0, 1, 2].map(() => new THREE.Mesh(plain, materials[0])), ...[0, 1].map(() => new THREE.Mesh(grouped, materials)), ...[0, 1, 2].map(() => new THREE.Group())];
    const ours = HitscanScene.fromObject3D(root);
    const raycaster = new THREE.Raycaster(new THREE.Vector3(0.5, 0.25, 8), new THREE.Vector3(0, 0, -1));
    const of = (hits) => hits.map(({ object, instanceId, faceIndex, face, index, distance }) => [object.id, instanceId, faceIndex, face?.materialIndex, index, distance]);
    let most = 0;
    for (let round = 0; round < 300; round++) {
      // Some objects go to another place in the tree, or out of it and back.
      const object = objects[Math.floor(random() * objects.length)];
      const parents = [root, root, ...objects].filter((parent) => { for (let above = parent; above; above = above.parent) if (above === object) return false; return true; });
      object.removeFromParent();
      if (random() < 0.3) ours.update();
      const parent = parents[Math.floor(random() * parents.length)];
      parent.add(object);
      parent.children.sort(() => random() - 0.5);
      instanced.count = Math.floor(random() * 4);
      // three.js does not notice another count.
      instanced.computeBoundingSphere();
      root.updateMatrixWorld(true);
      const expected = raycaster.intersectObject(root);
      raycaster.firstHitOnly = false;
      assert.deepEqual(of(ours.raycast(raycaster)), of(expected));
      raycaster.firstHitOnly = true;
      assert.deepEqual(of(ours.raycast(raycaster)), of(expected.slice(0, 1)));
      most = Math.max(most, expected.filter(({ distance }) => distance === 8).length);
    }
    assert.ok(most > 6, `${most} hits at one distance`);
    ours.dispose();
  });

  test("a tree gives the hits of several materials group by group", () => {
    const geometry = new THREE.PlaneGeometry(4, 4, 2, 1);
    for (const [start, count, materialIndex] of [[6, 6, 1], [0, 12, 0], [0, 12, 2]]) geometry.addGroup(start, count, materialIndex);
    const materials = [0, 1, 2].map(() => new THREE.MeshBasicMaterial({ side: THREE.DoubleSide }));
    const object = new THREE.Mesh(geometry, materials);
    const tree = new HitscanBVH(geometry);
    // At an edge between two triangles, too.
    for (const [x, y] of [[0.5, 0.25], [0, 0.5], [-1, 0]]) {
      const raycaster = new THREE.Raycaster(new THREE.Vector3(x, y, 8), new THREE.Vector3(0, 0, -1));
      const of = (hits) => hits.map(({ faceIndex, face, distance }) => [faceIndex, face.materialIndex, distance]);
      const expected = raycaster.intersectObject(object);
      assert.ok(expected.length >= 2);
      assert.deepEqual(of(tree.raycastObject3D(object, raycaster)), of(expected));
    }
  });
});
