import { ClampToEdgeWrapping, DataUtils, HalfFloatType, MirroredRepeatWrapping, Vector2, type BufferGeometry, type Material, type Texture, type Wrapping } from "three";
import type { Mesh } from "hitscan";
import { stateOf, type Attribute } from "./identity.js";

/** A material with the fields that cut-outs need. */
type Masked = Material & { readonly map?: Texture | null; readonly alphaMap?: Texture | null; readonly opacity: number };

/** One channel of a picture. A number that equals `whole` is opaque. */
interface Channel {
  readonly width: number;
  readonly height: number;
  readonly numbers: Uint8Array | Float32Array;
  readonly whole: number;
}

/** The holes of a picture: 0 in a hole, and 255 elsewhere. */
interface Mask {
  readonly width: number;
  readonly height: number;
  readonly alpha: Uint8Array;
}

/** The textures that make holes, each with its channel. Where both can be read, the first decides the place on the triangles. */
const roles = [["alphaMap", 1], ["map", 3]] as const;

/** The numbers of integers that three.js' shaders read as 1, by the kind of array. Shaders read the other kinds as they are. */
const wholes: Readonly<Record<string, number>> = {
  Uint8Array: 255,
  Uint8ClampedArray: 255,
  Int8Array: 127,
  Uint16Array: 65535,
  Int16Array: 32767,
  Uint32Array: 4294967295,
  Int32Array: 2147483647,
  Float16Array: 1,
  Float32Array: 1,
  Float64Array: 1,
};

/** The channels of a picture's version. Textures with one source share them. */
const channels = new WeakMap<object, { readonly version: number; readonly byNumber: Map<number, Channel | null> }>();

/** The last mask that was made of a channel, and what it was made with. A texture that moves needs no other mask. */
const lastMasks = new WeakMap<Channel, { readonly other: Channel | undefined; readonly alphaTest: number; readonly opacity: number; readonly mask: Mask }>();

/**
 * Returns what the holes of a geometry with these materials depend on, as a key: an empty text if there are none. That is the limit and the opacity of a material,
 * its textures with their place on the triangles, the attributes with the coordinates, and the groups of a list of materials.
 */
export function holesOf(geometry: BufferGeometry, material: Material | Material[] | null | undefined): string {
  if (!Array.isArray(material)) return holesOfOne(geometry, material);
  const holes = material.map((one) => holesOfOne(geometry, one));
  if (holes.every((one) => one === "")) return "";
  const groups = geometry.groups.map(({ start, count, materialIndex = 0 }) => `${start}+${count}: ${material[materialIndex] ? holes[materialIndex] : "none"}`);
  return `[${groups.join()}]`;
}

function holesOfOne(geometry: BufferGeometry, material: Material | null | undefined): string {
  if (!material || !(material.alphaTest > 0)) return "";
  const masked = material as Masked;
  const textures = roles.flatMap(([role]) => {
    const texture = masked[role];
    if (!texture) return [];
    const { uuid, version, source } = texture;
    return [role, uuid, version, source.version, placeOf(texture), ...stateOf(uvOf(geometry, texture))];
  });
  return textures.length === 0 ? "" : [masked.alphaTest, masked.opacity, ...textures].join(" ");
}

/** Returns what decides the place of a texture on triangles, as a key. */
function placeOf(texture: Texture): string {
  if (texture.matrixAutoUpdate) texture.updateMatrix();
  const { channel, flipY, wrapS, wrapT, matrix } = texture;
  return [channel, flipY, wrapS, wrapT, ...matrix.elements].join(" ");
}

/**
 * Cuts holes into a range of a mesh's triangles where `alphaTest` discards the pixels of their material, given the indices of the whole mesh.
 *
 * The alpha is the alpha of `map`, times the green of `alphaMap`, times the opacity. If the two textures are placed differently, only `alphaMap` counts. A
 * texture that cannot be read counts as opaque.
 */
export function cutOut(mesh: Mesh, geometry: BufferGeometry, material: Material, indices: Uint32Array, triangles: readonly [number, number]): void {
  const { alphaTest, opacity } = material;
  if (!(alphaTest > 0)) return;
  const found = roles.flatMap(([role, number]) => {
    const texture = (material as Masked)[role];
    const uv = texture ? uvOf(geometry, texture) : undefined;
    const channel = texture && uv ? channelOf(texture, number) : null;
    return texture && uv && channel ? [{ texture, uv, channel }] : [];
  });
  const [one, other] = found;
  if (one === undefined) return;
  const { texture, uv, channel } = one;
  const second = other !== undefined && placeOf(other.texture) === placeOf(texture) ? other.channel : undefined;
  const texcoords = texcoordsAt(indices.subarray(3 * triangles[0], 3 * triangles[1]), uv, texture);
  mesh.cutOut({ ...maskOf(channel, second, alphaTest, opacity), wrap: [wrapOf(texture.wrapS), wrapOf(texture.wrapT)], triangles, texcoords });
}

function uvOf(geometry: BufferGeometry, { channel }: Texture): Attribute | undefined {
  return geometry.attributes[channel === 0 ? "uv" : `uv${channel}`];
}

function wrapOf(wrapping: Wrapping): "repeat" | "mirror" | "clamp" {
  return wrapping === ClampToEdgeWrapping ? "clamp" : wrapping === MirroredRepeatWrapping ? "mirror" : "repeat";
}

/** Returns the texture coordinates of vertices after the texture's own transform, with v = 0 at the first row of the picture. Beyond the attribute's end, they are NaN. */
function texcoordsAt(vertices: Uint32Array, uv: Attribute, texture: Texture): Float32Array {
  if (texture.matrixAutoUpdate) texture.updateMatrix();
  const at = new Vector2();
  const numbers = new Float32Array(2 * vertices.length);
  for (let i = 0; i < vertices.length; i++) {
    at.set(uv.getX(vertices[i]!), uv.getY(vertices[i]!)).applyMatrix3(texture.matrix);
    numbers[2 * i] = at.x;
    numbers[2 * i + 1] = texture.flipY ? 1 - at.y : at.y;
  }
  return numbers;
}

/** Makes the mask of a channel, or of the product of two channels, which are stretched to one size. */
function maskOf(one: Channel, other: Channel | undefined, alphaTest: number, opacity: number): Mask {
  const last = lastMasks.get(one);
  if (last !== undefined && last.other === other && last.alphaTest === alphaTest && last.opacity === opacity) return last.mask;
  const width = Math.max(one.width, other?.width ?? 0);
  const height = Math.max(one.height, other?.height ?? 0);
  const mask: Mask = { width, height, alpha: new Uint8Array(width * height) };
  const all = other === undefined ? [one] : [one, other];
  for (let y = 0, i = 0; y < height; y++) {
    for (let x = 0; x < width; x++, i++) {
      let alpha = opacity;
      for (const channel of all) {
        const row = Math.floor(((y + 0.5) * channel.height) / height);
        const column = Math.floor(((x + 0.5) * channel.width) / width);
        alpha *= channel.numbers[row * channel.width + column]! / channel.whole;
      }
      mask.alpha[i] = alpha < alphaTest ? 0 : 255;
    }
  }
  lastMasks.set(one, { other, alphaTest, opacity, mask });
  return mask;
}

/** Returns one channel of a texture's picture, or `null` if the picture cannot be read (it is not loaded, has no four channels, or comes from another site). */
function channelOf(texture: Texture, number: number): Channel | null {
  const image = texture.image as { width: number; height: number; data?: ArrayLike<number> } | null;
  if (!image || !(image.width > 0)) return null;
  const { source } = texture;
  let known = channels.get(source);
  if (known?.version !== source.version) channels.set(source, (known = { version: source.version, byNumber: new Map() }));
  const before = known.byNumber.get(number);
  if (before !== undefined) return before;
  const { width, height } = image;
  const data = image.data ?? pixelsOf(image as unknown as CanvasImageSource, width, height);
  const channel = data !== null && data.length === 4 * width * height ? extracted(data, number, texture.type === HalfFloatType, width, height) : null;
  known.byNumber.set(number, channel);
  return channel;
}

/** Extracts one of four channels. Half floats are stored as whole numbers of 16 bits. */
function extracted(data: ArrayLike<number>, channel: number, areHalves: boolean, width: number, height: number): Channel | null {
  const kind = (data as { readonly [Symbol.toStringTag]?: string })[Symbol.toStringTag] ?? "";
  const whole = wholes[kind];
  if (whole === undefined) return null;
  const isHalf = areHalves && kind === "Uint16Array";
  const numbers = whole === 255 ? new Uint8Array(width * height) : new Float32Array(width * height);
  for (let i = 0; i < numbers.length; i++) {
    const number = data[4 * i + channel]!;
    numbers[i] = isHalf ? DataUtils.fromHalfFloat(number) : number;
  }
  return { width, height, numbers, whole: isHalf ? 1 : whole };
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
