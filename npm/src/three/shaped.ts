import type { BufferGeometry, Material, Mesh as ThreeMesh, SkinnedMesh } from "three";
import { Mesh } from "hitscan";
import { cutOut } from "./alpha.js";
import { indicesOf, posedPositions, positionsOf } from "./geometry.js";

/** A mesh that entities have, and what of three.js it was made from. */
export interface Shaped {
  readonly mesh: Mesh;
  /** The number of the geometry's first triangle in it. */
  readonly first: number;
  /** The parts that change when the mesh does. */
  readonly version: string;
  used: boolean;
}

/** The meshes of geometries, each made once, and anew when the geometry has changed. Objects that deform have their own. */
export class Shapes {
  readonly #shared = new Map<BufferGeometry, Map<string, Shaped>>();
  readonly #own = new Map<ThreeMesh, Shaped & { positions: Float32Array }>();

  /** Returns the mesh of an object, or of a range of its geometry; `undefined` without triangles. */
  of(object: ThreeMesh, range: { start: number; count: number } | undefined): Shaped | undefined {
    const { geometry, material } = object;
    const position = geometry.attributes["position"];
    if (position === undefined || position.count === 0) return undefined;
    return isDeformed(object) ? this.#deformed(object) : this.#rigid(geometry, material, range);
  }

  #rigid(geometry: BufferGeometry, material: Material | Material[], range: { start: number; count: number } | undefined): Shaped {
    let shapes = this.#shared.get(geometry);
    if (shapes === undefined) this.#shared.set(geometry, (shapes = new Map()));
    const masked = Array.isArray(material) ? material.map(maskOf).join() : maskOf(material);
    const key = `${range?.start ?? 0}+${range?.count ?? "all"} ${masked}`;
    const version = versionOf(geometry);
    const known = shapes.get(key);
    if (known?.version === version) {
      known.used = true;
      return known;
    }
    known?.mesh.dispose();
    const mesh = new Mesh(positionsOf(geometry), indicesOf(geometry, range?.start, range?.count));
    cutOutAll(mesh, geometry, material);
    const shaped: Shaped = { mesh, first: (range?.start ?? 0) / 3, version, used: true };
    shapes.set(key, shaped);
    return shaped;
  }

  #deformed(object: ThreeMesh): Shaped {
    const { geometry, material } = object;
    const { count } = geometry.attributes["position"]!;
    const known = this.#own.get(object);
    const positions = posedPositions(object, count, new Float32Array(3 * count));
    if (known?.version.startsWith(`${versionOf(geometry)} `)) {
      known.used = true;
      if (same(known.positions, positions)) return known;
    }
    const moves = known === undefined ? 0 : Number(known.version.split(" ")[1]) + 1;
    const version = `${versionOf(geometry)} ${moves}`;
    let mesh: Mesh;
    if (known !== undefined && known.used) {
      // Scenes share meshes, so the fitted one is another value with the same tree's form.
      mesh = Mesh.fromBytes(known.mesh.toBytes());
      mesh.refit(positions);
    } else {
      mesh = new Mesh(positions, indicesOf(geometry));
      cutOutAll(mesh, geometry, material);
    }
    known?.mesh.dispose();
    const shaped = { mesh, first: 0, version, used: true, positions };
    this.#own.set(object, shaped);
    return shaped;
  }

  /** Frees what no object has had since the last call. */
  sweep(): void {
    for (const [geometry, shapes] of this.#shared) {
      for (const [key, shaped] of shapes) if (unused(shaped)) shapes.delete(key);
      if (shapes.size === 0) this.#shared.delete(geometry);
    }
    for (const [object, shaped] of this.#own) if (unused(shaped)) this.#own.delete(object);
  }

  dispose(): void {
    for (const shapes of this.#shared.values()) for (const { mesh } of shapes.values()) mesh.dispose();
    for (const { mesh } of this.#own.values()) mesh.dispose();
    this.#shared.clear();
    this.#own.clear();
  }
}

function unused(shaped: Shaped): boolean {
  if (!shaped.used) shaped.mesh.dispose();
  const { used } = shaped;
  shaped.used = false;
  return !used;
}

function same(a: Float32Array, b: Float32Array): boolean {
  for (let i = 0; i < a.length; i++) if (a[i] !== b[i]) return false;
  return a.length === b.length;
}

function isDeformed(object: ThreeMesh): boolean {
  const morphs = object.geometry.morphAttributes["position"] !== undefined && object.morphTargetInfluences !== undefined;
  return morphs || (object as unknown as SkinnedMesh).isSkinnedMesh === true;
}

/** Returns the state of a geometry: three.js counts the changes of attributes. */
function versionOf(geometry: BufferGeometry): string {
  const { index } = geometry;
  const position = geometry.attributes["position"] as { version?: number; data?: { version: number }; count: number };
  return `${position.version ?? position.data?.version}.${position.count}.${index?.version ?? ""}.${index?.count ?? ""}`;
}

/** Returns what of a material makes holes. */
function maskOf(material: Material): string {
  const { alphaTest } = material;
  if (!(alphaTest > 0)) return "";
  const { map, alphaMap } = material as Material & { map?: { uuid: string; version: number } | null; alphaMap?: { uuid: string; version: number } | null };
  const texture = alphaMap ?? map;
  return texture ? `${alphaTest} ${texture.uuid} ${texture.version}` : "";
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
