import * as THREE from "three";
import { GLTFLoader } from "three/addons/loaders/GLTFLoader.js";
import { MeshoptDecoder } from "three/addons/libs/meshopt_decoder.module.js";
import { MeshBVH, acceleratedRaycast } from "three-mesh-bvh";
import { Pointers, Region } from "hitscan";
import { HitscanScene } from "hitscan/three";
import { el, say, show, state, vector } from "./dom.js";
import { aim, free, holdCamera, light, pixel } from "./view.js";
import { village } from "./village.js";

const plainRaycast = THREE.Mesh.prototype.raycast;

/** The three compared libraries, each with its function for a raycaster. */
function makeEngines(root, scene) {
  const trees = new Map();
  return {
    hitscan: (raycaster) => {
      raycaster.firstHitOnly = true;
      return scene.raycast(raycaster);
    },
    "three-mesh-bvh": (raycaster) => {
      root.traverse(({ geometry }) => {
        if (geometry && !trees.has(geometry)) trees.set(geometry, (geometry.boundsTree = new MeshBVH(geometry, { indirect: true })));
      });
      THREE.Mesh.prototype.raycast = acceleratedRaycast;
      raycaster.firstHitOnly = true;
      const hits = raycaster.intersectObject(root, true);
      THREE.Mesh.prototype.raycast = plainRaycast;
      return hits;
    },
    "three.js": (raycaster) => raycaster.intersectObject(root, true),
  };
}

/** Looks at a whole model. The village is seen from nearer. */
function lookAt({ camera, controls }, root, isVillage) {
  const box = new THREE.Box3().setFromObject(root);
  const size = box.getSize(new THREE.Vector3()).length() || 1;
  controls.target.copy(isVillage ? new THREE.Vector3(0, 2, 0) : box.getCenter(new THREE.Vector3()));
  camera.position.copy(controls.target).add(new THREE.Vector3(0.5, 0.42, 0.75).normalize().multiplyScalar(isVillage ? 34 : size));
  Object.assign(camera, { near: size / 2000, far: size * 20 });
  camera.updateProjectionMatrix();
  controls.update();
}

/** Draws the village, which needs no library yet. */
export function showVillage(view) {
  view.village = village();
  view.scene.add(view.village);
  light(view.scene);
  lookAt(view, view.village, true);
  view.draw();
}

/** Begins the stage in which things are picked. Returns the function that ends the stage. */
export function pickStage(view, panel) {
  const listening = new AbortController();
  const { canvas, camera, controls } = view;
  const overlay = document.getElementById("overlay");
  const raycaster = new THREE.Raycaster();
  const pointers = new Pointers();
  const selected = new Set();
  let root;
  let scene;
  let engines;
  let engine = "hitscan";
  let tool = "orbit";
  let touched = false;
  let cursor;
  let drawn;
  const timings = { hitscan: [], "three-mesh-bvh": [], "three.js": [] };

  const marker = new THREE.Group();
  const dot = new THREE.Mesh(new THREE.SphereGeometry(1, 16, 12), new THREE.MeshBasicMaterial({ color: 0xffcc00, depthTest: false }));
  const arrow = new THREE.ArrowHelper(new THREE.Vector3(0, 1, 0), new THREE.Vector3(), 1, 0xffcc00);
  const outline = new THREE.LineSegments(new THREE.BufferGeometry().setAttribute("position", new THREE.Float32BufferAttribute(new Float32Array(18), 3)), new THREE.LineBasicMaterial({ color: 0xffcc00, depthTest: false }));
  outline.frustumCulled = false;
  marker.add(dot, arrow, outline);
  const boxes = new THREE.Group();

  function open(model, name) {
    scene?.dispose();
    if (root && root !== model) free(root);
    selected.clear();
    root = model;
    root.updateMatrixWorld(true);
    scene = HitscanScene.fromObject3D(root);
    // Nothing moves here unless something is opened.
    scene.autoUpdate = false;
    engines = makeEngines(root, scene);
    for (const list of Object.values(timings)) list.length = 0;
    view.scene = new THREE.Scene();
    view.scene.add(root, marker, boxes);
    light(view.scene);
    lookAt(view, root, name === "village");
    let triangles = 0;
    root.traverse((object) => {
      if (object.isMesh) triangles += (object.geometry.index?.count ?? object.geometry.attributes.position.count) / 3;
    });
    about.textContent = `${name}: ${scene.scene.size.toLocaleString("en")} things, ${Math.round(triangles).toLocaleString("en")} triangles`;
    document.body.dataset.model = name;
    back.hidden = name === "village";
    describe();
    chosen();
  }

  // The panel.
  const number = el("div", { class: "number", id: "time" }, "...");
  const caption = el("div", { class: "dim" });
  const about = el("div", { class: "dim", id: "about" });
  const table = el("table", { id: "hit" });
  const list = el("div", { id: "selected" });
  const times = el("table", { id: "times" });
  const tools = { orbit: "Look around", rect: "Rectangle", lasso: "Lasso" };
  const toolButtons = Object.entries(tools).map(([key, name]) => el("button", { "data-tool": key, onclick: () => use(key) }, name));
  const slow = el("button", { id: "slower", "aria-pressed": "false", onclick: () => switchEngine(engine === "hitscan" ? "three.js" : "hitscan") }, "Pick with three.js instead");
  const back = el("button", { hidden: true, onclick: () => {
    view.opened = undefined;
    open(view.village, "village");
  } }, "The village again");
  const file = el("input", { type: "file", accept: ".glb,.gltf", id: "file", hidden: true, onchange: ({ target }) => read(target.files[0]) });
  panel.append(
    el("h2", {}, "A pick takes"), number, caption, el("div", { class: "row" }, slow),
    el("h2", {}, "Under the cursor"), table,
    el("h2", {}, "Select"), el("div", { class: "row" }, ...toolButtons), list,
    el("h2", {}, "Beside others"), times, about,
    el("div", { class: "row" }, el("button", { onclick: () => file.click() }, "Open a model"), back, file), el("p", { class: "dim" }, "or drop a .glb on the page"),
  );

  function use(which) {
    tool = which;
    controls.enabled = tool === "orbit";
    for (const button of toolButtons) button.setAttribute("aria-pressed", button.dataset.tool === tool);
  }

  function switchEngine(which) {
    engine = which;
    slow.setAttribute("aria-pressed", which !== "hitscan");
    state.write({ engine: which === "hitscan" ? undefined : which });
    caption.textContent = which === "hitscan" ? "with hitscan, in this browser" : "with three.js' own Raycaster: the same answers, later";
  }

  function row(name, value) {
    return el("tr", {}, el("th", {}, name), el("td", {}, value));
  }

  /** Describes the hit, and marks it. */
  function describe(hit) {
    marker.visible = hit !== undefined;
    document.body.dataset.hit = hit?.object.name ?? "";
    if (hit === undefined) {
      table.replaceChildren(row("", "nothing"));
      return;
    }
    const { object, faceIndex, distance, point, face, barycoord, uv } = hit;
    const normal = face.normal.clone().transformDirection(object.matrixWorld);
    table.replaceChildren(
      row("thing", el("b", {}, object.name || object.type)), row("triangle", String(faceIndex)), row("t", show(Math.fround(distance))),
      row("point", vector(point.toArray().map(Math.fround))), row("normal", vector(normal.toArray().map(Math.fround))),
      row("barycentrics", vector(barycoord.toArray().map(Math.fround))), row("texel", uv ? vector(uv.toArray().map(Math.fround)) : "no texture coordinates"),
    );
    const scale = distance / 90;
    dot.position.copy(point);
    dot.scale.setScalar(scale);
    arrow.position.copy(point);
    arrow.setDirection(normal);
    arrow.setLength(12 * scale, 4 * scale, 2 * scale);
    const corners = [face.a, face.b, face.c].map((i) => object.getVertexPosition(i, new THREE.Vector3()).applyMatrix4(object.matrixWorld));
    const lines = outline.geometry.attributes.position;
    [0, 1, 1, 2, 2, 0].forEach((corner, i) => lines.setXYZ(i, corners[corner].x, corners[corner].y, corners[corner].z));
    lines.needsUpdate = true;
  }

  function chosen() {
    boxes.clear();
    for (const object of selected) boxes.add(new THREE.BoxHelper(object, 0x0a6bd6));
    const names = [...selected].map(({ name }) => name || "without a name");
    list.textContent = names.length === 0 ? "nothing: click, or draw a region" : `${names.length}: ${names.slice(0, 12).join(", ")}${names.length > 12 ? ", ..." : ""}`;
    document.body.dataset.selected = names.join("|");
  }

  /** Picks with one of the three libraries. */
  function pick(which, at) {
    aim(view, raycaster, at);
    const [hit] = engines[which](raycaster);
    return hit?.face ? hit : undefined;
  }

  /** Measures the time of a pick. It times many picks, because the clocks of browsers are coarse. */
  function measure(which, at) {
    aim(view, raycaster, at);
    engines[which](raycaster);
    const start = performance.now();
    let picks = 0;
    let time = 0;
    while (time < 3) {
      engines[which](raycaster);
      picks++;
      time = performance.now() - start;
    }
    const taken = timings[which];
    taken.push(time / picks);
    if (taken.length > 15) taken.shift();
  }

  const middle = (times) => times.toSorted((a, b) => a - b)[times.length >> 1];
  const words = (ms) => (ms === undefined ? "..." : ms < 1 ? `${(1000 * ms).toFixed(1)} µs` : `${ms.toFixed(2)} ms`);

  // Inputs go through the state machine of pointers, which recognises clicks.
  function input(action, event) {
    touched = true;
    const at = pixel(view, event);
    cursor = action === "leave" ? undefined : at;
    const target = cursor && (action === "move" ? undefined : pick("hitscan", at)?.object);
    const kind = event.pointerType === "touch" ? "touch" : "mouse";
    for (const did of pointers.handle({ action, kind, pointer: event.pointerId, time: event.timeStamp / 1000, button: Math.max(0, event.button), position: at, target })) {
      if (did.type === "click" && did.button === 0 && tool === "orbit") {
        if (!event.ctrlKey && !event.shiftKey) selected.clear();
        if (did.over) selected.add(did.over);
        chosen();
      }
    }
    if (tool !== "orbit") draw(action, at);
    if (kind === "touch" && action === "release") cursor = at;
  }

  function draw(action, at) {
    if (action === "press") drawn = [at];
    else if (action === "move" && drawn) drawn.push(at);
    else if (action === "release" && drawn?.length > 1) {
      select(drawn);
      drawn = undefined;
    } else if (action !== "move") drawn = undefined;
    overlay.replaceChildren();
    if (!drawn) return;
    const [[ax, ay], [bx, by]] = [drawn[0], drawn.at(-1)];
    const ns = "http://www.w3.org/2000/svg";
    const shape = document.createElementNS(ns, tool === "rect" ? "rect" : "path");
    const attributes = tool === "rect" ? { x: Math.min(ax, bx), y: Math.min(ay, by), width: Math.abs(ax - bx), height: Math.abs(ay - by) } : { d: `M${drawn.map((at) => at.join(" ")).join("L")}Z` };
    for (const [name, value] of Object.entries(attributes)) shape.setAttribute(name, value);
    overlay.append(shape);
  }

  function select(corners) {
    let region;
    try {
      region = tool === "rect" ? Region.rect(corners[0], corners.at(-1)) : Region.lasso(corners);
    } catch {
      return; // A region without an area shows nothing.
    }
    selected.clear();
    for (const { object } of scene.select(camera, view.size(), region, { visible: 3 })) if (object.name !== "Hills") selected.add(object);
    chosen();
  }

  async function read(from) {
    if (!from) return;
    if (!/\.(glb|gltf)$/i.test(from.name)) return say(`${from.name} is no .glb or .gltf file`);
    try {
      const { scene: model } = await new GLTFLoader().setMeshoptDecoder(MeshoptDecoder).parseAsync(await from.arrayBuffer(), "");
      let meshes = 0;
      model.traverse(({ isMesh }) => (meshes += isMesh ? 1 : 0));
      if (meshes === 0) throw new Error("it has no mesh");
      view.opened = { root: model, name: from.name };
      if (listening.signal.aborted) return;
      open(model, from.name);
    } catch (error) {
      say(`${from.name} cannot be opened: ${error.message}`);
    }
  }

  /** Opens the model that the page is served with, once. */
  async function fetchGiven() {
    const meta = document.querySelector('meta[name="hitscan-model"]');
    if (!meta) return;
    meta.remove();
    try {
      const response = await fetch(meta.content);
      if (!response.ok) throw new Error(await response.text());
      await read(new File([await response.blob()], meta.content.split("/").at(-1)));
    } catch (error) {
      say(`The model cannot be loaded: ${error.message}`);
    }
  }

  const on = (target, name, handle) => target.addEventListener(name, handle, { signal: listening.signal });
  for (const [name, action] of [["pointermove", "move"], ["pointerdown", "press"], ["pointerup", "release"], ["pointercancel", "cancel"], ["pointerleave", "leave"]]) on(canvas, name, (event) => input(action, event));
  on(window, "dragover", (event) => event.preventDefault());
  on(window, "drop", (event) => {
    event.preventDefault();
    read(event.dataTransfer.files[0]);
  });
  on(window, "keydown", ({ key, target }) => {
    if (target.tagName === "INPUT") return;
    if (key === "l" || key === "L") use("lasso");
    if (key === "r" || key === "R") use("rect");
    if (key === "Escape") {
      if (tool === "orbit") selected.clear();
      use("orbit");
      chosen();
    }
  });

  let last = 0;
  view.frame = (time) => {
    controls.autoRotate = !touched;
    controls.autoRotateSpeed = 0.7;
    const [width, height] = view.size();
    // Until the first input, the cursor moves around by itself.
    const at = touched ? cursor : [width * (0.5 + 0.3 * Math.cos(time * 0.5)), height * (0.55 + 0.22 * Math.sin(time * 0.9))];
    if (at !== undefined && drawn === undefined) describe(pick(engine, at));
    if (time - last < 0.4) return;
    last = time;
    const place = at ?? [width / 2, height / 2];
    for (const which of Object.keys(engines)) measure(which, place);
    number.textContent = words(middle(timings[engine]));
    const own = middle(timings.hitscan);
    times.replaceChildren(...Object.keys(engines).map((which) => row(which, `${words(middle(timings[which]))}${which === "hitscan" ? "" : `, x${(middle(timings[which]) / own).toFixed(1)}`}`)));
  };

  view.village ??= village();
  if (view.opened) open(view.opened.root, view.opened.name);
  else open(view.village, "village");
  holdCamera(view, listening.signal, () => (touched = true));
  fetchGiven();
  use("orbit");
  switchEngine(state.read().engine === "three.js" ? "three.js" : "hitscan");
  return () => {
    listening.abort();
    view.frame = () => {};
    overlay.replaceChildren();
    controls.autoRotate = false;
    controls.enabled = true;
    scene.dispose();
    free(view.scene);
    pointers.dispose();
    for (const key of ["hit", "selected", "model"]) delete document.body.dataset[key];
  };
}
