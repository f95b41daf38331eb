import { BackSide, FrontSide, Triangle, Vector2, Vector3, type BufferGeometry, type Intersection, type Material, type Object3D, type Ray, type Raycaster, type Side } from "three";

/** The positions of the vertices of a geometry, or of an object, which may be skinned or morphed. */
export interface Vertices {
  getVertexPosition(index: number, target: Vector3): Vector3;
}

const a = new Vector3();
const b = new Vector3();
const c = new Vector3();
const local = new Vector3();
const edge1 = new Vector3();
const edge2 = new Vector3();
const normalVector = new Vector3();

/** Returns the positions of a geometry at rest. */
export function geometryVertices(geometry: BufferGeometry): Vertices {
  const position = geometry.attributes["position"]!;
  return { getVertexPosition: (index, target) => target.fromBufferAttribute(position, index) };
}

/** Returns the three vertices of a triangle. */
export function corners(geometry: BufferGeometry, triangle: number): [number, number, number] {
  const { index } = geometry;
  const first = 3 * triangle;
  return index === null ? [first, first + 1, first + 2] : [index.getX(first), index.getX(first + 1), index.getX(first + 2)];
}

/**
 * Intersects a ray with one triangle by three.js' own formulas, in double precision. If these formulas miss the triangle at an edge although `isHit` is true,
 * the point is computed from the triangle's plane.
 *
 * The distance and the point are local, as is the ray.
 */
export function intersectTriangle(
  geometry: BufferGeometry,
  vertices: Vertices,
  ray: Ray,
  triangle: number,
  side: Side,
  isHit: boolean,
): (Intersection & { point: Vector3 }) | null {
  const [i, j, k] = corners(geometry, triangle);
  vertices.getVertexPosition(i, a);
  vertices.getVertexPosition(j, b);
  vertices.getVertexPosition(k, c);
  const met = side === BackSide ? ray.intersectTriangle(c, b, a, true, local) : ray.intersectTriangle(a, b, c, side === FrontSide, local);
  if (met === null && !(isHit && onPlane(ray, side))) return null;
  const { uv, uv1, normal } = geometry.attributes;
  const barycoord = new Vector3();
  Triangle.getBarycoord(local, a, b, c, barycoord);
  const intersection = { distance: ray.origin.distanceTo(local), point: local.clone() } as unknown as Intersection;
  if (uv !== undefined) intersection.uv = interpolated(uv, i, j, k, barycoord, new Vector2());
  if (uv1 !== undefined) intersection.uv1 = interpolated(uv1, i, j, k, barycoord, new Vector2());
  if (normal !== undefined) {
    const turned = interpolated(normal, i, j, k, barycoord, new Vector3());
    if (turned.dot(ray.direction) > 0) turned.multiplyScalar(-1);
    intersection.normal = turned;
  }
  intersection.face = { a: i, b: j, c: k, normal: Triangle.getNormal(a, b, c, new Vector3()), materialIndex: 0 };
  intersection.faceIndex = triangle;
  intersection.barycoord = barycoord;
  return intersection;
}

function interpolated<V extends Vector2 | Vector3>(attribute: unknown, i: number, j: number, k: number, at: Vector3, target: V): V {
  // Each declaration of the function allows one kind of attribute, but the function accepts all kinds.
  type Interpolate = (attribute: unknown, i: number, j: number, k: number, at: Vector3, target: V) => V;
  return (Triangle.getInterpolatedAttribute as unknown as Interpolate)(attribute, i, j, k, at, target);
}

/** Writes the intersection of a ray and the plane of the corners into `local`; false if the side that is hit does not count. */
function onPlane(ray: Ray, side: Side): boolean {
  normalVector.crossVectors(edge1.subVectors(b, a), edge2.subVectors(c, a));
  const speed = normalVector.dot(ray.direction);
  if (speed === 0 || (side === FrontSide && speed > 0) || (side === BackSide && speed < 0)) return false;
  const t = edge1.subVectors(a, ray.origin).dot(normalVector) / speed;
  ray.at(Math.max(t, 0), local);
  return true;
}

/** Transforms a local intersection of an object to the world; false if it is out of the raycaster's range. */
export function toWorld(hit: Intersection, object: Object3D, matrixWorld: Object3D["matrixWorld"], raycaster: Raycaster): boolean {
  hit.point.applyMatrix4(matrixWorld);
  hit.distance = raycaster.ray.origin.distanceTo(hit.point);
  hit.object = object;
  return hit.distance >= raycaster.near && hit.distance <= raycaster.far;
}

/** A group of a geometry. */
type Group = BufferGeometry["groups"][number];

/** A material of a triangle, its number in the list of materials, and the number of the group that has it. */
export interface MaterialAt {
  readonly material: { readonly side: Side };
  readonly materialIndex: number;
  readonly group: number;
}

/** Returns the material of a group. */
export function materialOfGroup({ materialIndex = 0 }: Group, materials: readonly Material[]): Material | undefined {
  return materials[materialIndex];
}

/** Returns the materials of a triangle; from a list, the materials of all groups with the triangle. */
export function materialsAt(geometry: BufferGeometry, material: Material | Material[] | null | undefined, triangle: number): MaterialAt[] {
  if (!material) return [];
  if (!Array.isArray(material)) return [{ material, materialIndex: 0, group: 0 }];
  const first = 3 * triangle;
  return geometry.groups.flatMap((group, number) => (first >= group.start && first < group.start + group.count ? materialAt(group, number, material) : []));
}

/** Returns the material of a group in the same form: an empty list if it has none. */
export function materialAt(group: Group, number: number, materials: readonly Material[]): MaterialAt[] {
  const material = materialOfGroup(group, materials);
  return material ? [{ material, materialIndex: group.materialIndex ?? 0, group: number }] : [];
}

/** Returns whether a triangle is drawn at all. */
export function isDrawn(geometry: BufferGeometry, triangle: number): boolean {
  const { start, count } = geometry.drawRange;
  return 3 * triangle >= start && 3 * triangle < start + count;
}
