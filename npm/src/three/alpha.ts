import { ClampToEdgeWrapping, MirroredRepeatWrapping, Vector2, type BufferAttribute, type BufferGeometry, type Material, type Texture, type Wrapping } from "three";
import type { Mesh } from "hitscan";

/** A material with the fields that cut-outs need. */
type Masked = Material & { readonly map?: Texture | null; readonly alphaMap?: Texture | null; readonly opacity: number };

/** One channel of a picture. */
type Mask = { width: number; height: number; alpha: Uint8Array };

/** The masks of a picture's version, by channel. Textures with one source share them. */
const masks = new WeakMap<object, { version: number; byChannel: Map<number, Mask | null> }>();

/**
 * Returns what the holes of a geometry with these materials depend on, as a key: an empty text if there are none. That is the limit and the opacity of a material,
 * its texture with its place on the triangles, the attribute with the coordinates, and the groups of a list of materials.
 */
export function holesOf(geometry: BufferGeometry, material: Material | Material[] | null | undefined): string {
  if (!Array.isArray(material)) return holesOfOne(geometry, material);
  const holes = material.map((one) => holesOfOne(geometry, one));
  if (holes.every((one) => one === "")) return "";
  const groups = geometry.groups.map(({ start, count, materialIndex = 0 }) => `${start}+${count}: ${holes[materialIndex] ?? ""}`);
  return `[${groups.join()}]`;
}

function holesOfOne(geometry: BufferGeometry, material: Material | null | undefined): string {
  if (!material || !(material.alphaTest > 0)) return "";
  const { alphaTest, map, alphaMap, opacity } = material as Masked;
  const texture = alphaMap ?? map;
  if (!texture) return "";
  if (texture.matrixAutoUpdate) texture.updateMatrix();
  const { uuid, version, flipY, wrapS, wrapT, matrix } = texture;
  const uv = uvOf(geometry, texture) as (object & { version?: number; data?: { version: number } }) | undefined;
  const uvVersion = uv?.version ?? uv?.data?.version;
  const role = texture === alphaMap ? "alphaMap" : "map";
  return [alphaTest, opacity, role, uuid, version, flipY, wrapS, wrapT, numberOf(uv), uvVersion, ...matrix.elements].join(" ");
}

const numbers = new WeakMap<object, number>();
let nextNumber = 1;

/** Returns a number of an object, by which it is known from others; 0 for no object. */
function numberOf(object: object | undefined): number {
  if (object === undefined) return 0;
  const known = numbers.get(object);
  if (known !== undefined) return known;
  numbers.set(object, nextNumber);
  return nextNumber++;
}

/** Cuts holes into a mesh where its material's `alphaTest` discards pixels. Returns whether the mesh has holes. */
export function cutOut(mesh: Mesh, geometry: BufferGeometry, material: Material, triangles?: readonly [number, number]): boolean {
  const { alphaTest, map, alphaMap, opacity } = material as Masked;
  const texture = alphaMap ?? map;
  if (!(alphaTest > 0) || !texture) return false;
  const mask = alphaOf(texture, texture === alphaMap ? 1 : 3);
  const uv = uvOf(geometry, texture);
  if (mask === null || uv === undefined) return false;
  mesh.setTexcoords(texcoordsOf(uv, texture));
  mesh.cutOut({ ...mask, cutoff: alphaTest / opacity, wrap: [wrapOf(texture.wrapS), wrapOf(texture.wrapT)], ...(triangles && { triangles }) });
  return true;
}

function uvOf(geometry: BufferGeometry, { channel }: Texture): BufferAttribute | undefined {
  return geometry.attributes[channel === 0 ? "uv" : `uv${channel}`] as BufferAttribute | undefined;
}

function wrapOf(wrapping: Wrapping): "repeat" | "mirror" | "clamp" {
  return wrapping === ClampToEdgeWrapping ? "clamp" : wrapping === MirroredRepeatWrapping ? "mirror" : "repeat";
}

/** Returns the texture coordinates after the texture's own transform, with v = 0 at the upper row of the picture. */
function texcoordsOf(uv: BufferAttribute, texture: Texture): Float32Array {
  if (texture.matrixAutoUpdate) texture.updateMatrix();
  const at = new Vector2();
  const numbers = new Float32Array(2 * uv.count);
  for (let i = 0; i < uv.count; i++) {
    at.fromBufferAttribute(uv, i).applyMatrix3(texture.matrix);
    numbers[2 * i] = at.x;
    numbers[2 * i + 1] = texture.flipY ? 1 - at.y : at.y;
  }
  return numbers;
}

/** Returns one channel of a texture's picture, or `null` if the picture cannot be read (it is not loaded, is not of bytes, or comes from another site). */
function alphaOf(texture: Texture, channel: number): Mask | null {
  const image = texture.image as { width: number; height: number; data?: ArrayLike<number> } | null;
  if (!image || !(image.width > 0)) return null;
  const { source } = texture;
  let known = masks.get(source);
  if (known?.version !== source.version) masks.set(source, (known = { version: source.version, byChannel: new Map() }));
  const before = known.byChannel.get(channel);
  if (before !== undefined) return before;
  const { width, height } = image;
  const data = image.data ?? pixelsOf(image as unknown as CanvasImageSource, width, height);
  // Halves are stored in whole numbers of 16 bits, whose low byte is no alpha.
  const areBytes = !ArrayBuffer.isView(data) || data instanceof Uint8Array || data instanceof Uint8ClampedArray;
  const isWhole = data !== null && data.length === 4 * width * height && areBytes;
  const mask = isWhole ? { width, height, alpha: Uint8Array.from({ length: width * height }, (_, i) => data[4 * i + channel]!) } : null;
  known.byChannel.set(channel, mask);
  return mask;
}

function pixelsOf(image: CanvasImageSource, width: number, height: number): Uint8ClampedArray | null {
  if (typeof OffscreenCanvas === "undefined" && typeof document === "undefined") return null;
  const canvas = typeof OffscreenCanvas === "undefined" ? Object.assign(document.createElement("canvas"), { width, height }) : new OffscreenCanvas(width, height);
  const context = canvas.getContext("2d", { willReadFrequently: true }) as CanvasRenderingContext2D | null;
  if (context === null) return null;
  try {
    context.drawImage(image, 0, 0, width, height);
    return context.getImageData(0, 0, width, height).data;
  } catch {
    return null;
  }
}
