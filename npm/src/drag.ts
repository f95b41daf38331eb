import { place, vector, type Hit } from "./answers.js";
import { viewport, type Camera, type ViewportLike } from "./camera.js";
import { doubles, recordStart } from "./module.js";
import type { SceneRayOptions } from "./questions.js";
import type { Scene } from "./scene.js";
import { vec2, vec3, wrong, type Vec2Like, type Vec3, type Vec3Like } from "./vectors.js";

/**
 * A path that something is dragged on. With `normal`, it is a plane through the point; with `direction`, a straight line through the point. Both vectors have
 * any length but 0. Without these, the path is the plane that faces the camera and goes through the point.
 */
export type DragPath = { readonly point: Vec3Like } & ({ readonly normal?: Vec3Like } | { readonly direction?: Vec3Like });

/** The place under a cursor where something can be put down. */
export interface SurfacePlace<K> {
  /** The point on the surface, or on the path that replaces it. */
  point: Vec3;
  /** The surface there; `null` if the path replaces it. */
  hit: Hit<K> | null;
}

/**
 * Returns the place on the first surface under a cursor. Exclude the thing that is dragged; otherwise it climbs onto itself.
 *
 * If no surface is there, the answer is the point of the path `otherwise` that is shown at the cursor, or near the cursor if the camera sees the path edge-on.
 * This point is also the answer if the surface is more than 16 times as far from a perspective eye as the point. Points and camera are relative to
 * `relativeTo`. The answer is `null` for a cursor or path that is not finite, a direction of length 0, and a viewport without a size.
 */
export function surfacePoint<K>(
  scene: Scene<K>,
  camera: Camera,
  size: ViewportLike,
  cursor: Vec2Like,
  otherwise: DragPath,
  options?: SceneRayOptions<K>,
): SurfacePlace<K> | null {
  const path = numbersOf(otherwise);
  const bits = scene.begin(options);
  const found = scene.handle.surface_point(camera.handle, ...viewport(size), ...vec2(cursor, "the cursor"), ...path, bits);
  scene.end();
  if (!found) return null;
  return { point: vector(doubles(), recordStart() + place.second), hit: scene.hitOrNull() };
}

/** Returns the kind of a path, its point and its direction, as the module takes them. */
function numbersOf(path: DragPath): [number, ...Vec3, ...Vec3] {
  const { point, normal, direction } = path as { readonly point: Vec3Like; readonly normal?: Vec3Like; readonly direction?: Vec3Like };
  if (normal !== undefined && direction !== undefined) throw wrong("the path", "a plane with a normal or a line with a direction", path);
  const at = vec3(point, "the point of the path");
  if (normal !== undefined) return [0, ...at, ...vec3(normal, "the normal of the path")];
  if (direction !== undefined) return [1, ...at, ...vec3(direction, "the direction of the path")];
  return [2, ...at, 0, 0, 0];
}
