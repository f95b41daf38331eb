import type { Matrix4, Object3D } from "three";

/** @internal An object of the tree, with its state at the last visit, and data of the tree's user. */
export class Followed<T> {
  readonly object: Object3D;
  readonly children: Followed<T>[] = [];
  /** The number of changes of the object's world matrix. */
  moves = 0;
  /** The round in which the object was last visited. */
  seen = 0;
  /** The number of objects that were visited before it in that round, as three.js traverses the tree: parents first. */
  order = 0;
  data: T | undefined = undefined;
  parent: Followed<T> | undefined = undefined;
  parentMoves = -1;
  /** The inputs of the object's matrix: position, quaternion, scale and pivot; or the matrix itself, if three.js does not compute it. */
  readonly local = new Float64Array(16).fill(NaN);
  readonly world = new Float64Array(16).fill(NaN);

  constructor(object: Object3D) {
    this.object = object;
  }
}

/**
 * @internal A tree of objects that computes only changes since the last update.
 *
 * It compares all children and all inputs of matrices, because renderers reset flags such as
 * `matrixWorldNeedsUpdate`.
 */
export class ObjectTree<T> {
  /** Whether invisible objects are visited, too. */
  visitsInvisible = false;
  readonly #root: Object3D;
  readonly #nodes = new WeakMap<Object3D, Followed<T>>();
  readonly #visit: (node: Followed<T>) => void;
  #round = 0;
  #count = 0;
  #lastCount = 0;
  #isNew = false;
  #above: Object3D | null = null;
  readonly #aboveWorld = new Float64Array(16);
  #aboveMoves = 0;

  constructor(root: Object3D, visit: (node: Followed<T>) => void) {
    this.#root = root;
    this.#visit = visit;
  }

  /** Updates the matrices of all visible objects and visits them. Returns whether the set of visited objects has changed since the last update. */
  update(): boolean {
    this.#round++;
    this.#lastCount = this.#count;
    this.#count = 0;
    this.#isNew = false;
    const above = this.#root.parent;
    above?.updateWorldMatrix(true, false);
    if (above !== this.#above || (above !== null && take(above.matrixWorld, this.#aboveWorld))) this.#aboveMoves++;
    this.#above = above;
    this.#walk(this.#nodeOf(this.#root), undefined, this.#aboveMoves);
    return this.#isNew || this.#count !== this.#lastCount;
  }

  /** Returns whether an object was visited in the last round, so that its matrix is up to date. */
  isFresh(object: Object3D): boolean {
    return this.#nodes.get(object)?.seen === this.#round;
  }

  /** Returns whether a node was visited in the last round. */
  isVisited(node: Followed<T>): boolean {
    return node.seen === this.#round;
  }

  #nodeOf(object: Object3D): Followed<T> {
    let node = this.#nodes.get(object);
    if (node === undefined) this.#nodes.set(object, (node = new Followed<T>(object)));
    return node;
  }

  #walk(node: Followed<T>, parent: Followed<T> | undefined, parentMoves: number): void {
    const { object } = node;
    // Invisible objects are not drawn, and neither are their descendants.
    if (!object.visible && !this.visitsInvisible) return;
    if (node.seen !== this.#round - 1) this.#isNew = true;
    node.seen = this.#round;
    node.order = this.#count++;
    const isBelowChange = node.parent !== parent || node.parentMoves !== parentMoves;
    // Each comparison also copies the numbers.
    const isLocalChange = takeLocal(object, node.local);
    const isWorldChange = take(object.matrixWorld, node.world);
    if (isBelowChange || isLocalChange || isWorldChange) {
      node.parent = parent;
      node.parentMoves = parentMoves;
      object.updateWorldMatrix(false, false, true);
      if (!object.matrixAutoUpdate) takeLocal(object, node.local);
      if (take(object.matrixWorld, node.world) || isWorldChange) node.moves++;
    }
    this.#visit(node);
    const { children } = object;
    const known = node.children;
    if (known.length > children.length) known.length = children.length;
    for (let i = 0; i < children.length; i++) {
      let child = known[i];
      if (child?.object !== children[i]) child = known[i] = this.#nodeOf(children[i]!);
      this.#walk(child!, node, node.moves);
    }
  }
}

/** Copies the elements of a matrix, and returns whether they have changed. */
export function take({ elements: e }: Matrix4, into: Float64Array, at = 0): boolean {
  if (
    into[at] === e[0] && into[at + 1] === e[1] && into[at + 2] === e[2] && into[at + 3] === e[3] &&
    into[at + 4] === e[4] && into[at + 5] === e[5] && into[at + 6] === e[6] && into[at + 7] === e[7] &&
    into[at + 8] === e[8] && into[at + 9] === e[9] && into[at + 10] === e[10] && into[at + 11] === e[11] &&
    into[at + 12] === e[12] && into[at + 13] === e[13] && into[at + 14] === e[14] && into[at + 15] === e[15]
  ) return false;
  into.set(e, at);
  return true;
}

/** Copies the inputs of an object's matrix, and returns whether they have changed. */
function takeLocal(object: Object3D, into: Float64Array): boolean {
  if (!object.matrixAutoUpdate) return take(object.matrix, into);
  const { position, quaternion, scale } = object;
  const pivot = object.pivot ?? null;
  if (
    into[0] === position.x && into[1] === position.y && into[2] === position.z &&
    into[3] === quaternion.x && into[4] === quaternion.y && into[5] === quaternion.z && into[6] === quaternion.w &&
    into[7] === scale.x && into[8] === scale.y && into[9] === scale.z &&
    (pivot === null ? into[10] === 0 && into[11] === 0 && into[12] === 0 : into[10] === pivot.x && into[11] === pivot.y && into[12] === pivot.z)
  ) return false;
  position.toArray(into, 0);
  into[3] = quaternion.x;
  into[4] = quaternion.y;
  into[5] = quaternion.z;
  into[6] = quaternion.w;
  scale.toArray(into, 7);
  into[10] = pivot?.x ?? 0;
  into[11] = pivot?.y ?? 0;
  into[12] = pivot?.z ?? 0;
  return true;
}
