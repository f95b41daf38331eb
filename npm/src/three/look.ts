import type { BufferAttribute, BufferGeometry, Material, Mesh as ThreeMesh, Texture } from "three";

type Masked = Material & { readonly map?: Texture | null; readonly alphaMap?: Texture | null };

const noMaterial = { alphaTest: 0, opacity: 1 };

/** @internal The state of an object on which the triangles and holes of its mesh depend. three.js counts the changes of attributes and textures. */
export class Look {
  #geometry: BufferGeometry | undefined;
  #position: unknown;
  #positionVersion = NaN;
  #positionCount = NaN;
  #index: BufferAttribute | null = null;
  #indexVersion = NaN;
  #indexCount = NaN;
  /** For each material, the texture that makes its holes. */
  readonly #textures: (Texture | undefined)[] = [];
  /** For each material, the limit, the opacity and the texture's version. */
  readonly #masks: number[] = [];

  /** Updates the state, and returns whether the mesh must be built again. */
  hasChanged({ geometry, material }: ThreeMesh): boolean {
    let changed = this.#takeGeometry(geometry);
    const count = Array.isArray(material) ? material.length : 1;
    if (this.#textures.length !== count) {
      this.#textures.length = count;
      changed = true;
    }
    if (!Array.isArray(material)) return this.#takeMask(material, 0) || changed;
    for (let i = 0; i < count; i++) if (this.#takeMask(material[i], i)) changed = true;
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

  #takeMask(material: Masked | null | undefined, i: number): boolean {
    const { alphaTest, opacity } = material ?? noMaterial;
    const texture = alphaTest > 0 ? (material!.alphaMap ?? material!.map ?? undefined) : undefined;
    const known = this.#textures[i];
    const masks = this.#masks;
    if (texture === known) {
      if (texture === undefined) return false;
      if (masks[3 * i] === alphaTest && masks[3 * i + 1] === opacity && masks[3 * i + 2] === texture.version) return false;
    }
    this.#textures[i] = texture;
    masks[3 * i] = alphaTest;
    masks[3 * i + 1] = opacity;
    masks[3 * i + 2] = texture?.version ?? 0;
    return true;
  }
}
