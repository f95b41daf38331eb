// react-three-fiber: hitscan answers the events of a canvas, and follows the objects wherever React puts them.
import { useLayoutEffect, useState } from "react";
import { useThree } from "@react-three/fiber";
import { init } from "hitscan";
import { HitscanRaycaster } from "hitscan/three";

await init();

/** Takes the place of the raycaster that all events of the canvas around it are found with. */
function HitscanEvents() {
  const set = useThree((state) => state.set);
  useLayoutEffect(() => set({ raycaster: new HitscanRaycaster() }), [set]);
  return null;
}

function Crate({ name, at, onPick }) {
  const [isHovered, setHovered] = useState(false);
  return (
    <mesh
      position={at}
      onPointerOver={() => setHovered(true)}
      onPointerOut={() => setHovered(false)}
      onClick={({ faceIndex, distance }) => onPick(`${name}: triangle ${faceIndex}, ${distance.toFixed(2)} away`)}
    >
      <boxGeometry />
      <meshStandardMaterial color={isHovered ? "hotpink" : "orange"} />
    </mesh>
  );
}

/** What goes into a `<Canvas>`. */
export function Crates({ onPick }) {
  return (
    <>
      <HitscanEvents />
      <ambientLight />
      <Crate name="left" at={[-1, 0, 0]} onPick={onPick} />
      <Crate name="right" at={[1, 0, 0]} onPick={onPick} />
    </>
  );
}
