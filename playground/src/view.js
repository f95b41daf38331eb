import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";

/** A canvas with a camera that orbits: what all stages draw with. It draws once a frame, and only while it is seen. */
export function makeView(canvas) {
  let renderer;
  try {
    renderer = new THREE.WebGLRenderer({ canvas, antialias: true });
  } catch {
    throw new Error("This browser shows no WebGL, which the page draws with. Turn hardware acceleration on, or take another browser; the library itself needs none.");
  }
  const camera = new THREE.PerspectiveCamera(50, 1, 0.05, 2000);
  const controls = new OrbitControls(camera, canvas);
  controls.enableDamping = true;
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const view = { renderer, camera, controls, canvas, scene: new THREE.Scene(), frame: () => {}, size: () => [canvas.clientWidth, canvas.clientHeight], background: () => (dark.matches ? 0x1a2430 : 0xdfeaf4) };
  const resize = () => {
    const { clientWidth: width, clientHeight: height } = canvas.parentElement;
    if (width === 0 || height === 0) return;
    renderer.setPixelRatio(Math.min(devicePixelRatio, 2));
    renderer.setSize(width, height, false);
    camera.aspect = width / height;
    camera.updateProjectionMatrix();
  };
  new ResizeObserver(resize).observe(canvas.parentElement);
  resize();
  renderer.setAnimationLoop((time) => {
    // A stage that moves the camera itself turns them off.
    if (controls.enabled) controls.update();
    view.scene.background = new THREE.Color(view.background());
    view.frame(time / 1000);
    renderer.render(view.scene, camera);
  });
  return view;
}

/** Returns a pointer event's place on the canvas, in CSS pixels. */
export function pixel(view, event) {
  const { left, top } = view.canvas.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

/** Points a raycaster at a pixel, as three.js does it. */
export function aim(view, raycaster, [x, y]) {
  const [width, height] = view.size();
  raycaster.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), view.camera);
  return raycaster;
}

/** Gives a hemisphere of light and a sun to a scene. */
export function light(scene, from = [3, 6, 2]) {
  const sun = new THREE.DirectionalLight(0xffffff, 1.6);
  sun.position.set(...from);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8a7a, 2.2), sun);
}

/** Frees what the graphics card holds of everything below an object. */
export function free(root) {
  root.traverse(({ geometry, material }) => {
    geometry?.dispose();
    for (const one of [material ?? []].flat()) {
      one.map?.dispose();
      one.dispose();
    }
  });
}
