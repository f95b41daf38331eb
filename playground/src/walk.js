import * as THREE from "three";
import { HitscanScene } from "hitscan/three";
import { isOnCourse, liftHeight, makeCourse, tour } from "./course.js";
import { el, rows, show, state, vector } from "./dom.js";
import { Shots, ricochet } from "./shots.js";
import { Steering } from "./steer.js";
import { aim, free, light, pixel } from "./view.js";
import { groundHeight, village } from "./village.js";
import { Guide, Walker, solid, speed } from "./walker.js";

const dt = 1 / 60;
/** The largest number of steps to catch up after a pause, because a page in the background is not updated. */
const mostSteps = 30;
const eyeHeight = 1.6;

/** Reads a place and a viewing direction: x, y, z and degrees. */
function readPlace(text) {
  const numbers = (text ?? "").split(",").map(Number);
  return text && numbers.length === 4 && numbers.every((x) => Number.isFinite(x) && Math.abs(x) < 1000) ? numbers : undefined;
}

/** Begins the stage in which a character walks. Returns the function that ends the stage. */
export function walkStage(view, panel) {
  const listening = new AbortController();
  const { canvas, camera, controls } = view;
  const given = readPlace(state.read().at);
  const root = new THREE.Group();
  const { root: course, platform } = makeCourse();
  root.add(village(isOnCourse), course);
  root.traverse((object) => {
    if (object.name.startsWith("Leaves")) object.layers.set(1);
  });
  const lift = () => platform.position.setY(liftHeight(time));
  let time = 0;
  lift();
  const scene = HitscanScene.fromObject3D(root);
  scene.autoUpdate = false;
  const [x, y, z] = given ?? [0, groundHeight(0, 9) + 0.3, 9];
  const walker = new Walker([x, y, z]);
  walker.isNaive = state.read().naive === "1";
  const guide = new Guide(tour);
  const shots = new Shots();
  let isGuided = given === undefined;
  let yaw = ((given?.[3] ?? 0) * Math.PI) / 180;
  let pitch = -0.25;
  let pace = 0;
  let fired = 0;
  let climbed = 0;

  const body = new THREE.Mesh(new THREE.CapsuleGeometry(0.35, 1.1, 8, 20).translate(0, 0.9, 0), new THREE.MeshLambertMaterial({ color: 0x2f6fd0 }));
  const nose = new THREE.Mesh(new THREE.ConeGeometry(0.14, 0.4, 12).rotateX(Math.PI / 2).translate(0, 1.5, 0.42), new THREE.MeshLambertMaterial({ color: 0xffcc00 }));
  body.add(nose);
  view.scene = new THREE.Scene();
  view.scene.add(root, body, shots.root);
  light(view.scene, [-3, 6, -4]);
  controls.enabled = false;
  camera.layers.enable(1);
  camera.near = 0.05;
  camera.far = 400;
  camera.updateProjectionMatrix();

  const number = el("div", { class: "number", id: "speed" }, "...");
  const caption = el("div", { class: "dim" });
  const table = el("table", { id: "walker" });
  const shot = el("p", { class: "dim", id: "shot" }, "Nothing was fired at yet.");
  const naive = el("button", { id: "naive", "aria-pressed": String(walker.isNaive), onclick: () => {
    walker.isNaive = !walker.isNaive;
    naive.setAttribute("aria-pressed", walker.isNaive);
    state.write({ naive: walker.isNaive ? "1" : undefined });
  } }, "A simple collision test instead");
  const again = el("button", { id: "again", onclick: () => {
    walker.put([0, groundHeight(0, 9) + 0.3, 9]);
    isGuided = true;
    state.write({ at: undefined });
  } }, "From the start");
  panel.append(
    el("h2", {}, "Its speed"), number, caption, el("div", { class: "row" }, naive, again), el("h2", {}, "The character"), table,
    el("h2", {}, "Fire"), shot, el("p", { class: "dim" }, "W A S D or the arrow keys walk, the space bar jumps. Drag to look around, click or tap to fire. Ride the lift to the tower."),
  );

  const begin = () => {
    isGuided = false;
    document.body.dataset.guided = "";
  };
  const steering = new Steering(canvas, listening.signal, {
    begin,
    look: (dx, dy) => {
      yaw -= dx * 0.006;
      pitch = Math.min(0.9, Math.max(-1.2, pitch - dy * 0.004));
    },
    fire,
  });
  canvas.parentElement.append(steering.stick);

  const raycaster = new THREE.Raycaster();
  /** Fires from the chest at the point under the pointer. */
  function fire(event) {
    aim(view, raycaster, pixel(view, event));
    const { origin, direction } = raycaster.ray;
    const seen = scene.scene.cast(origin, direction, { tMin: 0.5 });
    const [x, y, z] = walker.position;
    const chest = [x, y + 1.2, z];
    const goal = seen?.point ?? origin.clone().addScaledVector(direction, 60).toArray();
    const way = goal.map((x, i) => x - chest[i]);
    const length = Math.hypot(...way);
    if (length < 1e-3) return;
    const { points, targets } = ricochet(scene.scene, chest, way.map((x) => x / length));
    shots.add(points, time);
    fired++;
    const names = targets.map(({ object }) => object.name);
    shot.textContent = names.length === 0 ? "The shot hits nothing." : `The shot hits ${names.join(", then ")}${names.length > 8 ? "." : ", and is gone."}`;
    Object.assign(document.body.dataset, { fired, bounces: targets.length, target: names[0] ?? "" });
  }

  function step() {
    time += dt;
    lift();
    scene.update();
    const [right, forward] = steering.wanted;
    const [sin, cos] = [Math.sin(yaw), Math.cos(yaw)];
    const before = walker.position[1];
    const velocity = isGuided ? guide.lead(walker.position, time, dt) : [speed * (sin * forward - cos * right), speed * (cos * forward + sin * right)];
    const way = walker.step(scene.scene, velocity, steering.takeJump() && !isGuided, dt);
    climbed = Math.max(0, walker.position[1] - before);
    pace += 0.12 * (way / dt - pace);
    if (isGuided && Math.hypot(...velocity) > 0.1) yaw += 0.05 * Math.atan2(Math.sin(Math.atan2(...velocity) - yaw), Math.cos(Math.atan2(...velocity) - yaw));
    if (Math.hypot(...velocity) > 0.1) body.rotation.y = Math.atan2(...velocity);
    if (walker.position[1] < -30) walker.put([0, groundHeight(0, 9) + 0.3, 9]);
  }

  /** Looks over the character's shoulder. The camera stays in front of any wall behind the character. */
  function look() {
    const [x, y, z] = walker.position;
    body.position.set(x, y, z);
    const head = [x, y + eyeHeight, z];
    const back = [-Math.sin(yaw) * Math.cos(pitch), -Math.sin(pitch), -Math.cos(yaw) * Math.cos(pitch)];
    const wall = scene.scene.cast(head, back, { ...solid, tMax: 6 });
    const distance = wall === null ? 6 : Math.max(0.4, wall.t - 0.25);
    camera.position.set(...head.map((at, i) => at + back[i] * distance));
    camera.lookAt(...head);
  }

  function tell() {
    const { position, ground, contacts, slope, microseconds, isNaive } = walker;
    number.textContent = `${pace.toFixed(1)} m/s`;
    caption.textContent = isNaive ? `of ${speed}: moved, and moved back where it overlaps` : `of ${speed}, along walls, up stairs and on the lift`;
    rows(table, [
      ["stands on", ground?.object.name ?? (isNaive ? "not known" : "nothing")], ["slope", isNaive ? "not known" : `${slope.toFixed(1)} degrees`], ["touches", String(contacts)],
      ["a move takes", `${microseconds.toFixed(0)} µs`], ["place", vector(position.map((x) => Number(x.toFixed(2))))],
    ]);
    Object.assign(document.body.dataset, { place: position.map(show).join(","), ground: ground?.object.name ?? "", climbed: climbed > 1e-3 ? "1" : "", contacts, time });
  }

  let [last, behind, told] = [undefined, 0, 0];
  view.frame = (now) => {
    behind = Math.min(mostSteps * dt, behind + now - (last ?? now));
    last = now;
    for (; behind >= dt; behind -= dt) step();
    look();
    shots.fade(time);
    if (now - told < 0.1) return;
    told = now;
    tell();
    if (!isGuided) state.write({ at: [...walker.position.map((x) => x.toFixed(2)), ((yaw * 180) / Math.PI).toFixed(0)].join(",") });
  };
  step();
  look();
  tell();
  return () => {
    listening.abort();
    view.frame = () => {};
    steering.stick.remove();
    camera.layers.disable(1);
    controls.enabled = true;
    scene.dispose();
    walker.dispose();
    free(view.scene);
    state.write({ at: undefined, naive: undefined });
    for (const name of ["place", "ground", "climbed", "contacts", "time", "fired", "bounces", "target", "guided"]) delete document.body.dataset[name];
  };
}
