// Node: a wall, a player and a guard. Who is hit, who is seen, and where does a ball stop?
import { init, Mesh, Scene, Sphere } from "hitscan";

await init();
const wall = new Mesh(Float32Array.of(-2, 0, 0, 2, 0, 0, 2, 3, 0, -2, 3, 0), Uint32Array.of(0, 1, 2, 0, 2, 3));
const scene = new Scene();
scene.insert("wall", wall);
scene.insert("player", new Sphere([0, 0, 0], 0.5), [0, 1.5, 5]);
scene.insert("guard", new Sphere([0, 0, 0], 0.5), [0, 1.5, -5]);

const eye = [0, 1.5, 5];
console.log(scene.cast(eye, [0, 0, -1], { exclude: ["player"] })); // the wall, 5 ahead
scene.setTransform("wall", [4, 0, 0]); // nothing to update or commit afterwards
const shot = scene.cast(eye, [0, 0, -1], { exclude: ["player"] });
console.log(`${shot.id} at ${shot.t}`); // guard at 9.5
const stop = scene.sweep(new Sphere([0, 0, 0], 0.25), [4, 1, 3], [0, 0, -6], { skin: 0.01 });
console.log(`a ball stops after ${stop.t} of its way, at the ${stop.id}`);
scene.dispose();
wall.dispose();
