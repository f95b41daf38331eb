import type { BufferAttribute, InterleavedBufferAttribute } from "three";

/** @internal An attribute of a geometry. */
export type Attribute = BufferAttribute | InterleavedBufferAttribute;

const numbers = new WeakMap<object, number>();
let nextNumber = 1;

/** @internal Returns a number of an object, by which it is known from others; 0 for no object. */
export function numberOf(object: object | undefined): number {
  if (object === undefined) return 0;
  const known = numbers.get(object);
  if (known !== undefined) return known;
  numbers.set(object, nextNumber);
  return nextNumber++;
}

/** @internal Returns the object that holds the numbers of an attribute and counts their changes: the attribute itself, or a buffer that attributes share. */
export function bufferOf(attribute: Attribute): { readonly version: number } {
  return "data" in attribute ? attribute.data : attribute;
}

/** @internal Returns three numbers that differ after a change of an attribute: a new attribute and a new buffer may have the version of the previous one. */
export function stateOf(attribute: Attribute | undefined): [number, number, number] {
  if (attribute === undefined) return [0, 0, 0];
  const buffer = bufferOf(attribute);
  return [numberOf(attribute), numberOf(buffer), buffer.version];
}
