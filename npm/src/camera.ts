import { place, rayRecord } from "./answers.js";
import { glue } from "./glue.js";
import { disposed, doubles, ready, recordStart } from "./module.js";
import type { RayLike } from "./questions.js";
import { matrix, vec2, vec3, type TransformLike, type Vec2Like, type Vec3, type Vec3Like } from "./vectors.js";

/** The part of the window that shows the picture: its size, or its top-left corner and size, in the same pixels as the cursor. */
export type ViewportLike = Vec2Like | { readonly x?: number; readonly y?: number; readonly width: number; readonly height: number };

/** The place of a camera: a camera-to-world transform (the camera looks along its -z), or an eye with a target and an up direction. */
export type CameraPlace = TransformLike | { readonly eye: Vec3Like; readonly target: Vec3Like; readonly up?: Vec3Like };

/** A point as the camera sees it. */
export interface Projected {
  pixel: [x: number, y: number];
  /** The distance from the camera's plane. */
  depth: number;
}

/** @internal Returns a viewport as four numbers. */
export function viewport(value: ViewportLike): [number, number, number, number] {
  const given = value as { readonly x?: number; readonly y?: number; readonly width?: number; readonly height?: number };
  if (typeof given?.width === "number" && typeof given.height === "number") return [given.x ?? 0, given.y ?? 0, given.width, given.height];
  return [0, 0, ...vec2(value as Vec2Like, "the viewport")];
}

function placed(at: CameraPlace): Float64Array {
  const { eye, target, up } = at as { readonly eye?: Vec3Like; readonly target?: Vec3Like; readonly up?: Vec3Like };
  ready();
  if (eye === undefined) return matrix(at as TransformLike, "the camera's transform");
  return glue.Camera.look_at(...vec3(eye, "the eye"), ...vec3(target!, "the target"), ...vec3(up ?? [0, 1, 0], "the up direction"));
}

/** A camera, which converts window pixels to rays, and points to pixels. The origin of cursor coordinates is the top-left corner, and y points down. */
export class Camera {
  #handle: glue.Camera | undefined;

  private constructor(handle: glue.Camera) {
    this.#handle = handle;
  }

  /** Makes a perspective camera; the vertical field of view is in radians. */
  static perspective(at: CameraPlace, fovY: number): Camera {
    return new Camera(glue.Camera.perspective(placed(at), fovY));
  }

  /** Makes an orthographic camera; the visible height is in world units. */
  static orthographic(at: CameraPlace, height: number): Camera {
    return new Camera(glue.Camera.orthographic(placed(at), height));
  }

  /** Makes a camera from the view and projection matrices that a scene is drawn with (three.js' `matrixWorldInverse` and `projectionMatrix`). */
  static fromMatrices(view: TransformLike, projection: TransformLike): Camera {
    ready();
    return new Camera(glue.Camera.from_matrices(matrix(view, "the view matrix"), matrix(projection, "the projection matrix")));
  }

  /**
   * Limits the camera's rays to the depths from `near` to `far`, like the picture; `far` may be infinite. By default rays begin at the eye and do not end.
   *
   * @throws Unless `near` is less than `far` and, for a perspective camera, greater than 0.
   */
  setClip(near: number, far: number): void {
    this.handle.set_clip(near, far);
  }

  /** @internal */
  get handle(): glue.Camera {
    return this.#handle ?? disposed("camera");
  }

  /** Returns the ray through a cursor. Its direction has the length 1. */
  ray(cursor: Vec2Like, size: ViewportLike): Required<RayLike> & { origin: Vec3; direction: Vec3 } {
    this.handle.ray(...vec2(cursor, "the cursor"), ...viewport(size));
    return rayRecord();
  }

  /** Returns the pixel that shows a point, or `null` for a point behind the camera. */
  project(point: Vec3Like, size: ViewportLike): Projected | null {
    if (!this.handle.project(...vec3(point, "the point"), ...viewport(size))) return null;
    const row = doubles();
    const at = recordStart();
    return { pixel: [row[at + place.uv]!, row[at + place.uv + 1]!], depth: row[at]! };
  }

  /** Frees the memory of this object. */
  dispose(): void {
    this.#handle?.free();
    this.#handle = undefined;
  }

  [Symbol.dispose](): void {
    this.dispose();
  }
}
