// Rotations by quaternions of any length.
import assert from "node:assert/strict";
import { before, describe, test } from "node:test";
import { Aabb, Character, CharacterState, OrientedBox, Scene, init } from "hitscan";

const turn = [0, 0, 0.6, 0.8];
const lengths = [1, 1 + 1e-9, 2, 0.5, 1e-20, 1e-200, 1e200, 1e-310];
const scaled = (length) => turn.map((number) => number * length);

/** Asserts that an answer is the same for all lengths, but for rounding. */
function alike(ask) {
  const expected = ask(turn);
  assert.ok(expected.every(Number.isFinite));
  for (const length of lengths) {
    for (const rotation of [scaled(length), Object.fromEntries(scaled(length).map((number, i) => ["xyzw"[i], number]))]) {
      ask(rotation).forEach((number, i) => assert.ok(Math.abs(number - expected[i]) < 1e-5, `length ${length}: ${number}, not ${expected[i]}`));
    }
  }
}

describe("a rotation of any length is a rotation", () => {
  before(() => init());

  test("of entities, boxes and volumes", () => {
    const bar = new Aabb([0, -0.1, -0.1], [2, 0.1, 0.1]);
    alike((rotation) => {
      const scene = new Scene();
      scene.insert("bar", bar, { position: [1, 2, 3], rotation });
      const { min, max } = scene.bounds();
      return [...min, ...max];
    });
    alike((rotation) => {
      const scene = new Scene();
      scene.insert("box", new OrientedBox([1, 0, 0], [2, 0.1, 0.1], rotation));
      return scene.bounds().max;
    });
    alike((rotation) => {
      const scene = new Scene();
      scene.insert("ceiling", new Aabb([0, 1.2, -1], [9, 3, 1]));
      return [scene.sweep(new OrientedBox([0, 0, 0], [1, 0.1, 0.1]), { position: [3, 0, 0], rotation }, [0, 1, 0]).t];
    });
  });

  test("zero is none", () => {
    const scene = new Scene();
    assert.throws(() => scene.insert("bar", new Aabb([0, 0, 0], [1, 1, 1]), { position: [0, 0, 0], rotation: [0, 0, 0, 0] }), /the rotation of .*not 0/);
    assert.throws(() => new OrientedBox([0, 0, 0], [1, 1, 1], [0, 0, 0, 0]), /the rotation/);
    assert.equal(scene.size ?? 0, 0);
  });

  test("of characters", () => {
    const scene = new Scene();
    const character = new Character(new OrientedBox([0, 0, 0], [1, 0.2, 0.2]));
    scene.insert("wall", new Aabb([1.05, -9, -9], [2, 9, 9]));
    alike((rotation) => {
      const state = new CharacterState([0, 0, 0]);
      state.setRotation(rotation);
      return [character.hasRoom(scene, state) ? 1 : 0, ...character.moveAndSlide(scene, state, [1, 0, 0], 0.5).motion];
    });
  });
});
