export { type Numbers } from "./arrays.js";
export { Camera, type CameraPlace, type Projected, type ViewportLike } from "./camera.js";
export { Character, CharacterState, type CharacterContact, type CharacterSettings, type Moved } from "./character.js";
export { CollisionMatrix } from "./collisionMatrix.js";
export * as d2 from "./d2.js";
export { HeightField, type HeightFieldOptions } from "./heightField.js";
export {
  type ClosestPoint,
  type Containment,
  type ContactPoint,
  type Feature,
  type Hit,
  type MeshContact,
  type MeshHit,
  type MeshPoint,
  type Penetration,
  type ShapeHit,
  type ShapePoint,
  type Side,
  type SurfacePoint,
  type SweepHit,
  type SweepStart,
} from "./answers.js";
export { type BatchColumns, type BatchHits } from "./batch.js";
export { type InitOptions } from "./load.js";
export { Mesh, type CutOutOptions, type MeshOptions, type Quality, type TreeVisit } from "./mesh.js";
export { isReady, memoryBytes, simdLevel, type Level } from "./module.js";
export { Pointers, type PointerEvent, type PointerInput, type PressLimits } from "./pointers.js";
export { type Candidate, type FilterOptions, type RayLike, type RayOptions, type SceneRayOptions, type SightOptions, type SweepOptions } from "./questions.js";
export { Scene, type Geometry, type Part } from "./scene.js";
export { Region, Selector, type SelectorOptions } from "./select.js";
export {
  Aabb,
  Capsule,
  Cone,
  ConvexHull,
  Cylinder,
  Disc,
  OrientedBox,
  Plane,
  Point,
  Quad,
  Rounded,
  RoundedBox,
  Sphere,
  Torus,
  Triangle,
  Shape,
  type Volume,
} from "./shapes.js";
export { Cursor, snapKinds, type CursorOptions, type Snap, type SnapKind } from "./snap.js";
export { type PoseLike, type QuatLike, type TransformLike, type Vec2Like, type Vec3, type Vec3Like } from "./vectors.js";
export { buildMeshInWorker, serveMeshBuilds } from "./worker.js";
