"""Requests, results and constants, with the names and the defaults of python-fcl."""

from __future__ import annotations

import sys
from typing import Any

import numpy as np
from numpy.typing import NDArray

_Floats = NDArray[np.float64]


class OBJECT_TYPE:
    """The kinds of objects that `CollisionObject.getObjectType` returns."""

    OT_UNKNOWN, OT_BVH, OT_GEOM, OT_OCTREE, OT_COUNT = range(5)


class NODE_TYPE:
    """The kinds of geometries that `CollisionGeometry.getNodeType` returns."""

    BV_UNKNOWN, BV_AABB, BV_OBB, BV_RSS, BV_kIOS, BV_OBBRSS, BV_KDOP16, BV_KDOP18, BV_KDOP24 = range(9)
    GEOM_BOX, GEOM_SPHERE, GEOM_ELLIPSOID, GEOM_CAPSULE, GEOM_CONE, GEOM_CYLINDER, GEOM_CONVEX = range(9, 16)
    GEOM_PLANE, GEOM_HALFSPACE, GEOM_TRIANGLE, GEOM_OCTREE, NODE_COUNT = range(16, 21)


class CCDMotionType:
    """The motions of `continuousCollide`: `CCDM_TRANS` moves without a rotation, and `CCDM_LINEAR` rotates steadily about the object's origin."""

    CCDM_TRANS, CCDM_LINEAR, CCDM_SCREW, CCDM_SPLINE = range(4)


class CCDSolverType:
    """The solvers of FCL. There is one solver here, so the choice has no effect."""

    CCDC_NAIVE, CCDC_CONSERVATIVE_ADVANCEMENT, CCDC_RAY_SHOOTING, CCDC_POLYNOMIAL_SOLVER = range(4)


class GJKSolverType:
    """The solvers of FCL. There is one solver here, so the choice has no effect."""

    GST_LIBCCD, GST_INDEP = range(2)


class Contact:
    """Where two objects touch or overlap."""

    def __init__(self) -> None:
        """Makes a contact of nothing."""
        # The two geometries, in the order of the question.
        self.o1: Any = None
        self.o2: Any = None
        # The triangles of meshes; -1 for other geometries.
        self.b1 = 0
        self.b2 = 0
        # The direction from the first to the second, of unit length.
        self.normal: _Floats = np.zeros(3)
        # The middle between the deepest points of the two.
        self.pos: _Floats = np.zeros(3)
        self.penetration_depth = 0.0


class CostSource:
    """A source of cost. It is here for its name: no costs are computed."""

    def __init__(self) -> None:
        """Makes a source without a cost."""
        self.aabb_min: _Floats = np.zeros(3)
        self.aabb_max: _Floats = np.zeros(3)
        self.cost_density = 0.0
        self.total_cost = 0.0


class CollisionRequest:
    """What `collide` returns: at most how many contacts, and whether with their places."""

    def __init__(
        self,
        num_max_contacts: int = 1,
        enable_contact: bool = False,
        num_max_cost_sources: int = 1,
        enable_cost: bool = False,
        use_approximate_cost: bool = True,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
    ) -> None:
        """Makes a request. A request for costs is refused when it is used."""
        self.num_max_contacts = num_max_contacts
        self.enable_contact = enable_contact
        self.num_max_cost_sources = num_max_cost_sources
        self.enable_cost = enable_cost
        self.use_approximate_cost = use_approximate_cost
        self.gjk_solver_type = gjk_solver_type


class CollisionResult:
    """The contacts of all questions that were asked with this result."""

    def __init__(self, is_collision: bool = False) -> None:
        """Makes a result without contacts."""
        self.is_collision = is_collision
        self.contacts: list[Contact] = []
        self.cost_sources: list[CostSource] = []


class ContinuousCollisionRequest:
    """How two objects move, and how exact the time of their contact is."""

    def __init__(
        self,
        num_max_iterations: int = 10,
        toc_err: float = 0.0001,
        ccd_motion_type: int = CCDMotionType.CCDM_TRANS,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
        ccd_solver_type: int = CCDSolverType.CCDC_CONSERVATIVE_ADVANCEMENT,
    ) -> None:
        """Makes a request. `toc_err` bounds the work too, so `num_max_iterations` has no effect."""
        self.num_max_iterations = num_max_iterations
        self.toc_err = toc_err
        self.ccd_motion_type = ccd_motion_type
        self.gjk_solver_type = gjk_solver_type
        self.ccd_solver_type = ccd_solver_type


class ContinuousCollisionResult:
    """The first contact of all questions that were asked with this result: its time is a fraction of the motion."""

    def __init__(self, is_collide: bool = False, time_of_contact: float = 1.0) -> None:
        """Makes a result without a contact."""
        self.is_collide = is_collide
        self.time_of_contact = time_of_contact


class DistanceRequest:
    """Whether `distance` returns the negative depth of objects that overlap, or -1."""

    def __init__(
        self,
        enable_nearest_points: bool = False,
        enable_signed_distance: bool = False,
        gjk_solver_type: int = GJKSolverType.GST_LIBCCD,
    ) -> None:
        """Makes a request. The nearest points are always returned."""
        self.enable_nearest_points = enable_nearest_points
        self.enable_signed_distance = enable_signed_distance
        self.gjk_solver_type = gjk_solver_type


class DistanceResult:
    """The least distance of all questions that were asked with this result."""

    def __init__(self, min_distance_: float = sys.float_info.max) -> None:
        """Makes a result without a pair."""
        self.min_distance = min_distance_
        self.nearest_points: list[Any] = [None, None]
        self.o1: Any = None
        self.o2: Any = None
        self.b1 = -1
        self.b2 = -1


class CollisionData:
    """A request and a result, for the callback of a manager."""

    def __init__(self, request: CollisionRequest | None = None, result: CollisionResult | None = None) -> None:
        """Makes the data of a question; without arguments, with the defaults of each."""
        self.request = request or CollisionRequest()
        self.result = result or CollisionResult()
        self.done = False


class DistanceData:
    """A request and a result, for the callback of a manager."""

    def __init__(self, request: DistanceRequest | None = None, result: DistanceResult | None = None) -> None:
        """Makes the data of a question; without arguments, with the defaults of each."""
        self.request = request or DistanceRequest()
        self.result = result or DistanceResult()
        self.done = False
