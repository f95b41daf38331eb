// The example for react-three-fiber in a canvas that draws nothing: its events are called as by a browser.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { join } from "node:path";
import { build } from "esbuild";

/** Calls a canvas' handlers, as pointers over it would. */
const harness = `
import { act } from "react";
import * as THREE from "three";
import { createRoot, events, extend } from "@react-three/fiber";
import { Crates } from "./react.jsx";
extend(THREE);
globalThis.IS_REACT_ACT_ENVIRONMENT = true;
const canvas = { style: {}, addEventListener() {}, removeEventListener() {}, setPointerCapture() {}, releasePointerCapture() {} };
const gl = { render() {}, setSize() {}, setPixelRatio() {}, dispose() {}, forceContextLoss() {}, renderLists: { dispose() {} }, shadowMap: {}, xr: { addEventListener() {}, removeEventListener() {} } };
const picked = [];
const found = [];
/** Two boxes above the crates, of which the one in front is left out of events, as react-three-fiber has it. */
const Ghosts = () => (
  <group position={[0, 1.5, 0]} onClick={({ object }) => found.push(object.name)}>
    <mesh name="ghost" raycast={null} position={[0, 0, 1]}><boxGeometry /></mesh>
    <mesh name="solid"><boxGeometry /></mesh>
  </group>
);
let store;
const root = createRoot(canvas);
await root.configure({ gl, events, size: { width: 800, height: 600, top: 0, left: 0 }, frameloop: "never", camera: { position: [0, 0, 5], fov: 60 } });
await act(async () => { store = root.render(<><Crates onPick={(words) => picked.push(words)} /><Ghosts /></>); });
const meshes = () => store.getState().scene.children.filter((child) => child.isMesh);
const send = (name, x, y = 300) => act(async () => store.getState().events.handlers[name]({ offsetX: x, offsetY: y, pointerId: 1, target: canvas, type: name, button: 0 }));
const click = async (x, y) => { await send("onPointerDown", x, y); await send("onClick", x, y); };
await send("onPointerMove", 560);
const colours = meshes().map((mesh) => mesh.material.color.getHexString());
await click(560);
await click(240);
// A moved object is not hit at its old place.
meshes()[0].position.y = 2;
await click(240);
await click(400, 144);
console.log(JSON.stringify({ found, raycaster: store.getState().raycaster.constructor.name, colours, picked }));
// React's scheduler keeps a channel open.
process.exit(0);
`;

test("react-three-fiber picks with it", async () => {
  const { outputFiles } = await build({
    stdin: { contents: harness, resolveDir: "examples", loader: "jsx" },
    bundle: true,
    write: false,
    format: "esm",
    target: "es2022",
    platform: "neutral",
    mainFields: ["module", "main"],
    jsx: "automatic",
    define: { "process.env.NODE_ENV": '"development"' },
    logLevel: "warning",
  });
  const file = join(process.cwd(), "build/test/react-bundle.mjs");
  writeFileSync(file, outputFiles[0].contents);
  const { found, raycaster, colours, picked } = JSON.parse(execFileSync(process.execPath, [file], { encoding: "utf8", timeout: 60000 }).split("\n").at(-2));
  assert.equal(raycaster, "HitscanRaycaster");
  assert.deepEqual(colours, ["ffa500", "ff69b4"]);
  assert.equal(picked.length, 2);
  assert.deepEqual(found, ["solid"]);
  assert.match(picked[0], /^right: triangle \d+, 4\.\d+ away$/);
  assert.match(picked[1], /^left: triangle \d+, 4\.\d+ away$/);
});
