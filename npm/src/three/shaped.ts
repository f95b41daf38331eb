import type { BufferGeometry, Material, Mesh as ThreeMesh } from "three";
import { Mesh } from "hitscan";
import { cutOut } from "./alpha.js";
import { indicesOf, posedPositions, positionsOf } from "./geometry.js";
import { Look } from "./look.js";
import { isDeformed } from "./pose.js";

/** @internal A mesh that entities have, made from a geometry or a range of it. */
export class Shaped {
  readonly mesh: Mesh;
  /** The number of the geometry's first triangle in it. */
  readonly first: number;
  readonly look = new Look();
  /** How many have it. */
  holders = 0;
  /** Whether its object is the only one that has it, because it is deformed. */
  readonly isOwn: boolean;
  /** The positions that it has in scenes, if these are others than its own. */
  posed: Float32Array | undefined;

  constructor(mesh: Mesh, first: number, isOwn: boolean) {
    this.mesh = mesh;
    this.first = first;
    this.isOwn = isOwn;
  }
}

/** A part of a geometry's index. */
export interface Range {
  start: number;
  count: number;
}

/** @internal The meshes of geometries, each made once, and anew when the geometry has changed. Objects that deform have their own. */
export class Shapes {
  readonly #shared = new Map<BufferGeometry, Map<string, Shaped>>();

  /** Returns the mesh of an object, or of a range of its geometry, which must be given back; `undefined` without triangles. */
  acquire(object: ThreeMesh, range: Range | undefined): Shaped | undefined {
    const { geometry } = object;
    const position = geometry.attributes["position"];
    if (position === undefined || position.count === 0) return undefined;
    const shaped = isDeformed(object) ? deformed(object) : this.#rigid(object, range);
    shaped.holders++;
    return shaped;
  }

  /** Gives a mesh back: nobody has it after the last one. */
  release(shaped: Shaped): void {
    if (--shaped.holders > 0) return;
    shaped.mesh.dispose();
    for (const [geometry, shapes] of this.#shared) {
      for (const [key, known] of shapes) if (known === shaped) shapes.delete(key);
      if (shapes.size === 0) this.#shared.delete(geometry);
    }
  }

  #rigid(object: ThreeMesh, range: Range | undefined): Shaped {
    const { geometry, material } = object;
    let shapes = this.#shared.get(geometry);
    if (shapes === undefined) this.#shared.set(geometry, (shapes = new Map()));
    const masked = Array.isArray(material) ? material.map(maskOf).join() : maskOf(material);
    const key = `${range?.start ?? 0}+${range?.count ?? "all"} ${masked}`;
    const known = shapes.get(key);
    if (known !== undefined && !known.look.hasChanged(object)) return known;
    const mesh = new Mesh(positionsOf(geometry), indicesOf(geometry, range?.start, range?.count));
    cutOutAll(mesh, geometry, material);
    const shaped = new Shaped(mesh, (range?.start ?? 0) / 3, false);
    shaped.look.hasChanged(object);
    // Those who have the one before give it back when they see the change.
    shapes.set(key, shaped);
    return shaped;
  }

  /** Frees all. */
  dispose(): void {
    for (const shapes of this.#shared.values()) for (const { mesh } of shapes.values()) mesh.dispose();
    this.#shared.clear();
  }
}

function deformed(object: ThreeMesh): Shaped {
  const { geometry, material } = object;
  const mesh = new Mesh(poseOf(object), indicesOf(geometry));
  cutOutAll(mesh, geometry, material);
  return new Shaped(mesh, 0, true);
}

/** @internal Returns the positions of an object's vertices in its present pose. */
export function poseOf(object: ThreeMesh): Float32Array {
  const { count } = object.geometry.attributes["position"]!;
  return posedPositions(object, count, new Float32Array(3 * count));
}

/** Returns what of a material makes holes. */
function maskOf(material: Material): string {
  const { alphaTest, opacity } = material;
  if (!(alphaTest > 0)) return "";
  const { map, alphaMap } = material as Material & { map?: { uuid: string; version: number } | null; alphaMap?: { uuid: string; version: number } | null };
  const texture = alphaMap ?? map;
  return texture ? `${alphaTest} ${opacity} ${texture.uuid} ${texture.version}` : "";
}

function cutOutAll(mesh: Mesh, geometry: BufferGeometry, material: Material | Material[]): void {
  if (!Array.isArray(material)) {
    cutOut(mesh, geometry, material);
    return;
  }
  for (const { start, count, materialIndex = 0 } of geometry.groups) {
    const chosen = material[materialIndex];
    const end = Math.min(Math.floor((start + count) / 3), mesh.triangleCount);
    if (chosen !== undefined) cutOut(mesh, geometry, chosen, [Math.ceil(start / 3), end]);
  }
}
