export { type Numbers } from "./arrays.js";
export { Camera, type CameraPlace, type Projected, type ViewportLike } from "./camera.js";
export { Character, CharacterState, type CharacterSettings, type ContactResponse, type Moved } from "./character.js";
export { CollisionMatrix } from "./collisionMatrix.js";
export { type CustomHit, type CustomRay } from "./crossings.js";
export * as d2 from "./d2.js";
export { surfacePoint, type DragPath, type SurfacePlace } from "./drag.js";
export {
  CameraArm,
  LedgeProbe,
  blast,
  shoot,
  type ArmEnd,
  type Impact,
  type LedgeSettings,
  type ShotHit,
  type ShotLeg,
} from "./gameplay.js";
export { HeightField, type HeightFieldOptions } from "./heightField.js";
export {
  type ClosestPoint,
  type Containment,
  type Feature,
  type Hit,
  type MeshHit,
  type MeshPoint,
  type RotatingHit,
  type ShapeHit,
  type ShapePoint,
  type Side,
  type SurfacePoint,
  type SweepHit,
  type SweepStart,
} from "./answers.js";
export { type AllHits, type BatchColumns, type BatchHits, type MeshPoints, type NearestPoints, type SurfacePoints } from "./batch.js";
export { type BlastHit, type CharacterContact, type ContactPoint, type Ledge, type MeshContact, type Penetration, type SegmentHit } from "./records.js";
export { type InitOptions } from "./load.js";
export { Mesh, type CutOutOptions, type MeshOptions, type Quality, type RangeOptions, type TreeVisit } from "./mesh.js";
export { isReady, memoryBytes, simdLevel, type Level } from "./module.js";
export { PairTracker, ScenePair, type NearPair, type NearPairOptions, type Pair, type PairEvent, type PairOptions, type PairPenetration } from "./pairs.js";
export { Path } from "./path.js";
export { Capsule, Cone, Cylinder, Disc, Quad, RoundedBox, Torus, Triangle } from "./plainShapes.js";
export { Pointers, type PointerEvent, type PointerInput, type PressLimits } from "./pointers.js";
export { type Candidate, type FilterOptions, type RayLike, type RayOptions, type SceneRayOptions, type SightOptions, type SweepOptions } from "./questions.js";
export { Scene, type Geometry, type Part } from "./scene.js";
export { Region, Selector, type SelectorOptions } from "./select.js";
export {
  Aabb,
  ConvexHull,
  Custom,
  OrientedBox,
  Plane,
  Point,
  Rounded,
  Sphere,
  Shape,
  type Volume,
} from "./shapes.js";
export { Cursor, snapKinds, type CursorOptions, type Snap, type SnapKind } from "./snap.js";
export { type PoseLike, type QuatLike, type TransformLike, type Vec2Like, type Vec3, type Vec3Like } from "./vectors.js";
export { WindingTree } from "./windingTree.js";
export { buildMeshInWorker, serveMeshBuilds } from "./worker.js";
