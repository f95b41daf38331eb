import type { Object3D } from "three";

const named = new WeakSet<Object3D>();

/** @internal Reports a fault of an object once on the console. */
export function complain(object: Object3D, fault: string): void {
  if (named.has(object)) return;
  named.add(object);
  console.warn(`hitscan: the ${object.type} "${object.name}" (${object.uuid}) ${fault}`);
}

/** @internal Returns the message of a thrown value. */
export function wordsOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
