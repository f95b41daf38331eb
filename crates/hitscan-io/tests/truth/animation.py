"""The nodes of a glTF 2.0 file at a time of an animation, by appendix C of the specification. See poses.py."""

import copy
import math

import numpy as np


def find(gltf, wanted):
    """Returns an animation by its name, else by its index."""
    animations = gltf.json["animations"]
    named = [animation for animation in animations if animation.get("name") == wanted]
    return named[0] if named else animations[int(wanted)]


def slerp(a, b, t):
    product = float(a @ b)
    angle = math.acos(min(abs(product), 1.0))
    if math.sin(angle) == 0.0:
        return a
    sign = 1.0 if product >= 0 else -1.0
    return (math.sin(angle * (1 - t)) * a + sign * math.sin(angle * t) * b) / math.sin(angle)


def sample(times, values, interpolation, time, is_rotation):
    """Returns the value at a time. `values` has a row per key, for a spline three: in-tangent, value, out-tangent."""
    cubic = interpolation == "CUBICSPLINE"
    at = values[1::3] if cubic else values
    if time <= times[0]:
        result = at[0]
    elif time >= times[-1]:
        result = at[-1]
    else:
        k = int(np.searchsorted(times, time, side="right")) - 1
        seconds = times[k + 1] - times[k]
        t = (time - times[k]) / seconds
        if interpolation == "STEP":
            result = at[k]
        elif cubic:
            result = (2 * t**3 - 3 * t**2 + 1) * at[k] + seconds * (t**3 - 2 * t**2 + t) * values[3 * k + 2]
            result = result + (-2 * t**3 + 3 * t**2) * at[k + 1] + seconds * (t**3 - t**2) * values[3 * k + 3]
        elif is_rotation:
            unit = [q / math.sqrt(q @ q) for q in (at[k], at[k + 1])]
            result = slerp(*unit, t)
        else:
            result = (1 - t) * at[k] + t * at[k + 1]
    return result / math.sqrt(result @ result) if is_rotation else result


def pose(gltf, wanted, time):
    """Returns a copy of the nodes in which the animated properties have their values at the time."""
    nodes = copy.deepcopy(gltf.json["nodes"])
    animation = find(gltf, wanted)
    for channel in animation["channels"]:
        node, path = channel["target"]["node"], channel["target"]["path"]
        sampler = animation["samplers"][channel["sampler"]]
        times = gltf.accessor(sampler["input"])[:, 0].astype(np.float64)
        values = gltf.accessor(sampler["output"]).astype(np.float64)
        interpolation = sampler.get("interpolation", "LINEAR")
        if path == "weights":
            values = values.reshape(len(times) * (3 if interpolation == "CUBICSPLINE" else 1), -1)
        value = sample(times, values, interpolation, time, path == "rotation")
        nodes[node][path] = value.tolist()
    return nodes
