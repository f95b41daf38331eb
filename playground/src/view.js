import * as THREE from "three";
import { OrbitControls } from "three/addons/controls/OrbitControls.js";
import { state } from "./dom.js";

/** Makes a canvas with an orbiting camera, which all stages use. It draws once a frame, and only while it is visible. */
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
  view.draw = () => {
    // A stage that moves the camera itself turns the controls off.
    if (controls.enabled) controls.update();
    view.scene.background = new THREE.Color(view.background());
    renderer.render(view.scene, camera);
    if (view.scene.children.length > 0) document.body.dataset.painted ??= Math.round(performance.now());
  };
  renderer.setAnimationLoop((time) => {
    view.frame(time / 1000);
    view.draw();
  });
  return view;
}

/**
 * Sets the camera from the address. Then it writes changes of the camera by the user to the address, until the signal is aborted. `begin` is called if the
 * address has a camera.
 */
export function holdCamera({ camera, controls }, signal, begin) {
  const numbers = (state.read().view ?? "").split(",").map(Number);
  const isPlace = numbers.length === 6 && numbers.every((x) => Number.isFinite(x) && Math.abs(x) < 1e7);
  if (isPlace && numbers.slice(0, 3).some((x, i) => x !== numbers[i + 3])) {
    camera.position.set(...numbers.slice(0, 3));
    controls.target.set(...numbers.slice(3));
    controls.update();
    begin?.();
  }
  const write = () => state.write({ view: [...camera.position, ...controls.target].map((x) => Number(x.toPrecision(6))).join(",") });
  controls.addEventListener("end", write);
  signal.addEventListener("abort", () => {
    controls.removeEventListener("end", write);
    state.write({ view: undefined });
  });
}

/** Returns a pointer event's place on the canvas, in CSS pixels. */
export function pixel(view, event) {
  const { left, top } = view.canvas.getBoundingClientRect();
  return [event.clientX - left, event.clientY - top];
}

/** Points a raycaster at a pixel by three.js' function. */
export function aim(view, raycaster, [x, y]) {
  const [width, height] = view.size();
  // The camera may have moved since the last frame.
  view.camera.updateMatrixWorld();
  raycaster.setFromCamera(new THREE.Vector2((2 * x) / width - 1, 1 - (2 * y) / height), view.camera);
  return raycaster;
}

/** Adds a hemisphere light and a sun to a scene. */
export function light(scene, from = [3, 6, 2]) {
  const sun = new THREE.DirectionalLight(0xffffff, 1.6);
  sun.position.set(...from);
  scene.add(new THREE.HemisphereLight(0xffffff, 0x8a8a7a, 2.2), sun);
}

/** Frees the graphics card's memory of everything below an object. */
export function free(root) {
  root.traverse(({ geometry, material }) => {
    geometry?.dispose();
    for (const one of [material ?? []].flat()) {
      one.map?.dispose();
      one.dispose();
    }
  });
}
