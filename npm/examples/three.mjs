// three.js without a browser: hover over instanced things by the raycaster that replaces three.js' own.
import * as THREE from "three";
import { init, Region } from "hitscan";
import { HitscanRaycaster } from "hitscan/three";

await init();
const root = new THREE.Scene();
const trees = new THREE.InstancedMesh(new THREE.ConeGeometry(0.5, 2, 12), new THREE.MeshBasicMaterial(), 100);
for (let i = 0; i < 100; i++) trees.setMatrixAt(i, new THREE.Matrix4().makeTranslation((i % 10) * 2 - 9, 0, Math.floor(i / 10) * -2));
root.add(trees);
const camera = new THREE.PerspectiveCamera(60, 16 / 9, 0.1, 100);
camera.position.set(0, 3, 8);
camera.lookAt(0, 0, -5);
camera.updateMatrixWorld();

const raycaster = new HitscanRaycaster(); // instead of `new THREE.Raycaster()`
raycaster.firstHitOnly = true;
raycaster.setFromCamera(new THREE.Vector2(0.1, 0), camera);
const [hit] = raycaster.intersectObject(root);
console.log(`tree ${hit.instanceId}, triangle ${hit.faceIndex}, ${hit.distance.toFixed(3)} away`);
const chosen = raycaster.sceneOf(root).select(camera, [1600, 900], Region.circle([800, 450], 100));
console.log(`${chosen.length} trees in the circle`);
