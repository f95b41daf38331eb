"""Collisions, distances and continuous collisions with the names of python-fcl, without FCL.

`import hitscan.fcl as fcl` replaces `import fcl`. docs/python.md lists what differs.

>>> import hitscan.fcl as fcl
>>> ball = fcl.CollisionObject(fcl.Sphere(1.0))
>>> box = fcl.CollisionObject(fcl.Box(2.0, 2.0, 2.0), fcl.Transform([5.0, 0.0, 0.0]))
>>> fcl.distance(ball, box)
3.0
>>> ball.setTranslation([4.0, 0.0, 0.0])
>>> fcl.collide(ball, box)
1
"""

from ._data import (
    NODE_TYPE,
    OBJECT_TYPE,
    CCDMotionType,
    CCDSolverType,
    CollisionData,
    CollisionRequest,
    CollisionResult,
    Contact,
    ContinuousCollisionRequest,
    ContinuousCollisionResult,
    CostSource,
    DistanceData,
    DistanceRequest,
    DistanceResult,
    GJKSolverType,
)
from ._geometry import (
    Box,
    BVHModel,
    Capsule,
    CollisionGeometry,
    Cone,
    Convex,
    Cylinder,
    Ellipsoid,
    Halfspace,
    OcTree,
    Plane,
    Sphere,
    TriangleP,
)
from ._manager import DynamicAABBTreeCollisionManager, defaultCollisionCallback, defaultDistanceCallback
from ._objects import CollisionObject, Transform
from ._questions import collide, continuousCollide, distance

__all__ = [
    "NODE_TYPE",
    "OBJECT_TYPE",
    "BVHModel",
    "Box",
    "CCDMotionType",
    "CCDSolverType",
    "Capsule",
    "CollisionData",
    "CollisionGeometry",
    "CollisionObject",
    "CollisionRequest",
    "CollisionResult",
    "Cone",
    "Contact",
    "ContinuousCollisionRequest",
    "ContinuousCollisionResult",
    "Convex",
    "CostSource",
    "Cylinder",
    "DistanceData",
    "DistanceRequest",
    "DistanceResult",
    "DynamicAABBTreeCollisionManager",
    "Ellipsoid",
    "GJKSolverType",
    "Halfspace",
    "OcTree",
    "Plane",
    "Sphere",
    "Transform",
    "TriangleP",
    "collide",
    "continuousCollide",
    "defaultCollisionCallback",
    "defaultDistanceCallback",
    "distance",
]
