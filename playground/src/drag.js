import * as THREE from "three";
import { aim, pixel } from "./view.js";

/**
 * Lets the user drag balls parallel to the screen, instead of turning the camera.
 *
 * `balls` returns the balls. A ball has its place `at`, and a function `move`, which receives the new place in f32. Its function `grabbed`, if it exists, is
 * called when a drag begins. `begin` is called at any press.
 */
export function dragBalls(view, signal, balls, begin) {
  const { canvas, camera, controls } = view;
  const raycaster = new THREE.Raycaster();
  const plane = new THREE.Plane();
  let held;
  const grab = (event) => {
    begin();
    aim(view, raycaster, pixel(view, event));
    held = balls().find(({ at }) => {
      // A finger is wider than a ball.
      const reach = at.distanceTo(camera.position) * (event.pointerType === "touch" ? 0.05 : 0.025);
      return raycaster.ray.distanceToPoint(at) <= reach;
    });
    if (!held) return;
    plane.setFromNormalAndCoplanarPoint(camera.getWorldDirection(new THREE.Vector3()), held.at);
    controls.enabled = false;
    canvas.setPointerCapture(event.pointerId);
    held.grabbed?.();
  };
  // This listener must run before the controls, which would turn the camera.
  canvas.addEventListener("pointerdown", grab, { signal, capture: true });
  const drag = (event) => {
    if (!held) return;
    aim(view, raycaster, pixel(view, event));
    const at = raycaster.ray.intersectPlane(plane, new THREE.Vector3());
    if (at !== null) held.move(at.toArray().map(Math.fround));
  };
  canvas.addEventListener("pointermove", drag, { signal });
  const release = () => {
    if (held) controls.enabled = true;
    held = undefined;
  };
  for (const name of ["pointerup", "pointercancel"]) canvas.addEventListener(name, release, { signal });
}

/** Makes a ball of one colour, which is visible through everything. */
export function ball(at, radius, color) {
  const mesh = new THREE.Mesh(new THREE.SphereGeometry(radius, 20, 14), new THREE.MeshBasicMaterial({ color, depthTest: false }));
  mesh.position.copy(at);
  mesh.renderOrder = 2;
  return mesh;
}
