import { Matrix4, type BatchedMesh, type InstancedMesh, type Mesh as ThreeMesh, type Side } from "three";
import type { Scene } from "hitscan";
import { complain, wordsOf } from "./complaints.js";
import { Look } from "./look.js";
import { isDeformed, Pose } from "./pose.js";
import type { Target } from "./scene.js";
import { poseOf, Shapes, type Range, type Shaped } from "./shaped.js";
import type { Followed } from "./tree.js";

/** @internal An entity of the scene. */
export interface Entry extends Target {
  /** The entities of its object, and the index of this entity among them. */
  readonly state: ObjectEntities;
  readonly place: number;
  readonly shaped: Shaped;
  readonly start: number;
  readonly count: number;
  readonly matrix: Float64Array;
}

/** @internal The entities of an object: one, or one for each instance. */
export class ObjectEntities {
  readonly node: Followed<ObjectEntities>;
  readonly entries: (Entry | undefined)[] = [];
  readonly look = new Look();
  /** The number of entries. */
  count = 0;
  layers = -1;
  /** The number of moves of the object's node when the entries were updated. */
  moves = -1;
  /** The matrices of the instances relative to the object. */
  locals = new Float32Array(0);
  pose: Pose | undefined;
  /** The mesh of this object alone, because the object is deformed. */
  own: Shaped | undefined;

  constructor(node: Followed<ObjectEntities>) {
    this.node = node;
  }
}

/** A `BatchedMesh` with the private fields of three.js that are read here. */
type Batch = BatchedMesh & { readonly _instanceInfo: { visible: boolean; active: boolean; geometryIndex: number }[] };

const local = new Matrix4();
const world = new Matrix4();
const range = { start: 0, count: 0 };

/** @internal The entities of a scene, which follow the changes of the objects. All moves are made in one call. */
export class Entities {
  readonly #scene: Scene<Target>;
  readonly #shapes = new Shapes();
  readonly #nodes = new Set<Followed<ObjectEntities>>();
  #moved: Entry[] = [];
  #matrices = new Float64Array(16 * 64);
  #side: Side | undefined;
  #areSidesEqual = true;

  constructor(scene: Scene<Target>) {
    this.#scene = scene;
  }

  /** The sides that count, if they are the same for all entities. */
  get side(): Side | undefined {
    return this.#areSidesEqual ? this.#side : undefined;
  }

  /** Begins a round, in which each object is updated once. */
  begin(): void {
    this.#side = undefined;
    this.#areSidesEqual = true;
  }

  /** Drops the entities of all objects for which `isKept` is false. */
  keep(isKept: (node: Followed<ObjectEntities>) => boolean): void {
    for (const node of this.#nodes) {
      if (isKept(node)) continue;
      const { entries } = node.data!;
      for (let i = 0; i < entries.length; i++) this.#drop(node.data!, i);
      node.data = undefined;
      this.#nodes.delete(node);
    }
  }

  /** Ends a round: moves the entities of moved objects in the scene. */
  end(): void {
    const moved = this.#moved;
    if (moved.length === 0) return;
    if (this.#matrices.length < 16 * moved.length) this.#matrices = new Float64Array(32 * moved.length);
    moved.forEach(({ matrix }, i) => this.#matrices.set(matrix, 16 * i));
    this.#moved = [];
    try {
      this.#scene.setTransforms(moved, this.#matrices.subarray(0, 16 * moved.length));
    } catch {
      // No entity has moved, because one transform is invalid.
      for (const entry of moved) this.#move(entry);
    }
  }

  /** Moves an entity, or drops it if its transform is invalid. */
  #move(entry: Entry): void {
    try {
      this.#scene.setTransform(entry, entry.matrix);
    } catch (error) {
      refuse(entry, error);
      this.#drop(entry.state, entry.place);
    }
  }

  /** Updates the entities of an object. If this fails, the object is named once on the console, and is not hit until an update succeeds. */
  follow(node: Followed<ObjectEntities>, prepare?: () => void): void {
    if (node.data === undefined) {
      node.data = new ObjectEntities(node);
      this.#nodes.add(node);
    }
    try {
      prepare?.();
      this.#follow(node, node.data);
    } catch (error) {
      complain(node.object, `is not hit: ${wordsOf(error)}`);
      node.data.moves = -1;
      for (let i = 0; i < node.data.entries.length; i++) this.#drop(node.data, i);
    }
  }

  #follow(node: Followed<ObjectEntities>, state: ObjectEntities): void {
    const object = node.object as ThreeMesh;
    if (!object.geometry) throw new Error("it has no geometry");
    if (!object.material) complain(object, "is not hit by rays: it has no material");
    else if (Array.isArray(object.material) && Array.from(object.material).some((material) => !material)) complain(object, "is not hit by rays where it has no material");
    const isOther = state.look.hasChanged(object);
    const isMoved = state.moves !== node.moves;
    if (isOther) state.own = undefined;
    const layers = object.layers.mask >>> 0;
    const isRelayered = state.layers !== layers;
    state.layers = layers;
    if ((object as unknown as BatchedMesh).isBatchedMesh) this.#batched(object as unknown as Batch, state, isOther, isMoved);
    else if ((object as InstancedMesh).isInstancedMesh) this.#instanced(object as InstancedMesh, state, isOther, isMoved);
    else if (isOther || isMoved || isDeformed(object)) {
      const isReshaped = this.#deform(object, state, isOther);
      this.#place(object, state, 0, object.matrixWorld, isReshaped, undefined, undefined, undefined);
    }
    if (isRelayered) for (const entry of state.entries) if (entry !== undefined) this.#scene.setLayers(entry, layers);
    if (state.count > 0) this.#joinSides(object);
    state.moves = node.moves;
  }

  #instanced(object: InstancedMesh, state: ObjectEntities, isOther: boolean, isMoved: boolean): void {
    const { count, instanceMatrix } = object;
    const { array } = instanceMatrix;
    const isReshaped = this.#deform(object, state, isOther);
    for (let i = count; i < state.entries.length; i++) this.#drop(state, i);
    this.#makeRoom(state, count);
    for (let i = 0; i < count; i++) {
      if (!copied(array, state.locals, 16 * i) && state.entries[i] !== undefined && !(isReshaped || isMoved)) continue;
      world.multiplyMatrices(object.matrixWorld, local.fromArray(array, 16 * i));
      this.#place(object, state, i, world, isReshaped, undefined, i, undefined);
    }
  }

  #batched(object: Batch, state: ObjectEntities, isReshaped: boolean, isMoved: boolean): void {
    const infos = object._instanceInfo;
    for (let i = infos.length; i < state.entries.length; i++) this.#drop(state, i);
    this.#makeRoom(state, infos.length);
    for (let i = 0; i < infos.length; i++) {
      const { visible, active, geometryIndex } = infos[i]!;
      if (!visible || !active) {
        this.#drop(state, i);
        continue;
      }
      object.getMatrixAt(i, local);
      object.getGeometryRangeAt(geometryIndex, range as unknown as Parameters<Batch["getGeometryRangeAt"]>[1]);
      const entry = state.entries[i];
      const isOther = entry === undefined || entry.start !== range.start || entry.count !== range.count;
      if (!copied(local.elements, state.locals, 16 * i, 0) && !(isOther || isReshaped || isMoved)) continue;
      world.multiplyMatrices(object.matrixWorld, local);
      this.#place(object, state, i, world, isReshaped || isOther, range, undefined, i);
    }
  }

  /** Makes room for the matrices of instances. */
  #makeRoom(state: ObjectEntities, count: number): void {
    if (state.locals.length < 16 * count) state.locals = new Float32Array(16 * count).fill(NaN);
  }

  /** Applies the pose of a deformed object. Returns whether its mesh must be built again in that pose. */
  #deform(object: ThreeMesh, state: ObjectEntities, isOther: boolean): boolean {
    if (!isDeformed(object)) {
      state.pose = undefined;
      return isOther;
    }
    state.pose ??= new Pose();
    if (!state.pose.hasChanged(object) || isOther || state.own === undefined) return isOther;
    if (!state.own.isMended && this.#refit(state, state.own, poseOf(object))) return false;
    state.own = undefined;
    return true;
  }

  /** Moves the vertices of a deformed object; false if a position is invalid. */
  #refit(state: ObjectEntities, own: Shaped, posed: Float32Array): boolean {
    try {
      for (const entry of state.entries) if (entry?.shaped === own) this.#scene.refit(entry, posed);
    } catch {
      return false;
    }
    own.posed = posed;
    return true;
  }

  /** Inserts, moves or drops an entity. An entity that the scene refuses is not hit; the other instances of its object still are. */
  #place(
    object: ThreeMesh,
    state: ObjectEntities,
    i: number,
    { elements }: Matrix4,
    isReshaped: boolean,
    of: Range | undefined,
    instanceId: number | undefined,
    batchId: number | undefined,
  ): void {
    const entry = state.entries[i];
    if (!isSolid(elements)) {
      this.#drop(state, i);
    } else if (entry !== undefined && !isReshaped && entry.shaped.isOwn === isDeformed(object)) {
      if (!copied(elements, entry.matrix, 0)) return;
      this.#moved.push(entry);
    } else {
      // The previous mesh is released last, so that shared data is kept.
      const shaped = this.#acquire(object, state, of);
      this.#drop(state, i);
      if (shaped === undefined) return;
      const matrix = Float64Array.from(elements);
      const placed: Entry = { object, instanceId, batchId, state, place: i, shaped, start: of?.start ?? 0, count: of?.count ?? 0, matrix };
      try {
        this.#scene.insert(placed, shaped.mesh, matrix);
      } catch (error) {
        this.#shapes.release(shaped);
        refuse(placed, error);
        return;
      }
      this.#scene.setLayers(placed, state.layers);
      state.entries[i] = placed;
      state.count++;
    }
  }

  #acquire(object: ThreeMesh, state: ObjectEntities, of: Range | undefined): Shaped | undefined {
    const { own } = state;
    if (own === undefined) {
      const shaped = this.#shapes.acquire(object, of);
      if (shaped?.isOwn) state.own = shaped;
      return shaped;
    }
    if (own.posed !== undefined) own.mesh.refit(own.posed);
    own.posed = undefined;
    own.holders++;
    return own;
  }

  #drop(state: ObjectEntities, i: number): void {
    const entry = state.entries[i];
    if (entry === undefined) return;
    const moving = this.#moved.indexOf(entry);
    if (moving >= 0) this.#moved.splice(moving, 1);
    this.#scene.remove(entry);
    this.#shapes.release(entry.shaped);
    if (entry.shaped.holders === 0 && entry.shaped === state.own) state.own = undefined;
    state.entries[i] = undefined;
    state.count--;
  }

  #joinSides({ material }: ThreeMesh): void {
    for (const one of Array.isArray(material) ? material : [material]) if (one) this.#joinSide(one.side);
  }

  #joinSide(side: Side): void {
    if (this.#side === undefined) this.#side = side;
    else if (this.#side !== side) this.#areSidesEqual = false;
  }

  dispose(): void {
    for (const { data } of this.#nodes) for (const entry of data!.entries) entry?.shaped.mesh.dispose();
    this.#shapes.dispose();
    this.#nodes.clear();
  }
}

/** Reports once why an object or one of its instances is not hit. */
function refuse({ object, instanceId, batchId, place }: Entry, error: unknown): void {
  const isInstance = instanceId !== undefined || batchId !== undefined;
  complain(object, `${isInstance ? `has an instance, number ${place}, that ` : ""}is not hit: ${wordsOf(error)}`);
}

/** Copies 16 numbers to a place, and returns whether they have changed. */
function copied(from: ArrayLike<number>, into: Float32Array | Float64Array, at: number, first = at): boolean {
  let i = 0;
  while (i < 16 && into[at + i] === from[first + i]) i++;
  if (i === 16) return false;
  for (; i < 16; i++) into[at + i] = from[first + i]!;
  return true;
}

/** Returns whether a transform is finite and not flat, so that its object is visible. */
function isSolid(elements: ArrayLike<number>): boolean {
  let sum = 0;
  for (let i = 0; i < 16; i++) sum += Math.abs(elements[i]!);
  return Number.isFinite(sum) && world.fromArray(elements as number[]).determinant() !== 0;
}
