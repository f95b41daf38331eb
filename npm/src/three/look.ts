import type { BufferAttribute, BufferGeometry, Material, Mesh as ThreeMesh } from "three";
import { holesOf } from "./alpha.js";

/** @internal The state of an object on which the triangles and holes of its mesh depend. three.js counts the changes of attributes and textures. */
export class Look {
  #geometry: BufferGeometry | undefined;
  #position: unknown;
  #positionVersion = NaN;
  #positionCount = NaN;
  #index: BufferAttribute | null = null;
  #indexVersion = NaN;
  #indexCount = NaN;
  /** The key of the holes of each material. */
  readonly #holes: string[] = [];

  /** Updates the state, and returns whether the mesh must be built again. */
  hasChanged({ geometry, material }: ThreeMesh): boolean {
    let changed = this.#takeGeometry(geometry);
    const count = Array.isArray(material) ? material.length : 1;
    if (this.#holes.length !== count) {
      this.#holes.length = count;
      changed = true;
    }
    if (!Array.isArray(material)) return this.#takeHoles(geometry, material, 0) || changed;
    for (let i = 0; i < count; i++) if (this.#takeHoles(geometry, material[i], i)) changed = true;
    return changed;
  }

  #takeGeometry(geometry: BufferGeometry): boolean {
    const { index } = geometry;
    const position = geometry.attributes["position"] as { version?: number; data?: { version: number }; count: number } | undefined;
    const positionVersion = position?.version ?? position?.data?.version ?? -1;
    const positionCount = position?.count ?? 0;
    const indexVersion = index?.version ?? -1;
    const indexCount = index?.count ?? -1;
    if (
      geometry === this.#geometry && position === this.#position && positionVersion === this.#positionVersion && positionCount === this.#positionCount &&
      index === this.#index && indexVersion === this.#indexVersion && indexCount === this.#indexCount
    ) return false;
    this.#geometry = geometry;
    this.#position = position;
    this.#positionVersion = positionVersion;
    this.#positionCount = positionCount;
    this.#index = index;
    this.#indexVersion = indexVersion;
    this.#indexCount = indexCount;
    return true;
  }

  #takeHoles(geometry: BufferGeometry, material: Material | null | undefined, i: number): boolean {
    const holes = holesOf(geometry, material);
    if (this.#holes[i] === holes) return false;
    this.#holes[i] = holes;
    return true;
  }
}
