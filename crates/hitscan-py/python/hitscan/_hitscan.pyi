import os
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, ClassVar, Literal, TypeAlias, TypedDict, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

_Vector: TypeAlias = Sequence[float] | NDArray[Any]

class _Hides(TypedDict, total=False):
    layers: int | None
    exclude: ArrayLike | None
    only: ArrayLike | None

def thread_count() -> int:
    """Returns the number of threads that a call uses without `threads=`."""

def simd_level() -> str:
    """Returns the instruction set that answers are computed with: the best one, or that of `HITSCAN_SIMD`."""

def load(
    path: str | os.PathLike[str],
    quality: Literal["fast", "balanced", "best"] = "balanced",
    *,
    lenient: bool = False,
    threads: int | None = None,
) -> Mesh:
    """Reads a model of glTF, GLB, OBJ, STL or PLY, or a baked one, as one mesh."""

@final
class Mesh:
    """A triangle mesh with its tree."""

    def __new__(
        cls,
        vertices: ArrayLike,
        faces: ArrayLike,
        quality: Literal["fast", "balanced", "best"] = "balanced",
        *,
        origin: ArrayLike | None = None,
        threads: int | None = None,
    ) -> Mesh: ...
    def cast(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        cull: Literal["none", "back", "front"] = "none",
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> Hits:
        """Casts rays, and returns the first hit of each."""

    def is_blocked(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        cull: Literal["none", "back", "front"] = "none",
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Returns for each ray whether it hits anything."""

    def cast_all(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        cull: Literal["none", "back", "front"] = "none",
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> AllHits:
        """Casts rays, and returns every hit of each."""

    def closest_point(
        self,
        points: ArrayLike,
        *,
        ties: Literal["lowest", "facing"] = "lowest",
        tie_tolerance: float = 0.0,
        threads: int | None = None,
    ) -> Nearest:
        """Returns the nearest point of the surface for each point."""

    def signed_distance(self, points: ArrayLike, *, threads: int | None = None) -> NDArray[np.float64]:
        """Returns the distance of each point to the surface, negative inside."""

    def contains(self, points: ArrayLike, *, threads: int | None = None) -> NDArray[np.bool_]:
        """Returns for each point whether it is inside."""

    def winding_number(
        self, points: ArrayLike, *, error_bound: float = 1e-6, threads: int | None = None
    ) -> NDArray[np.float64]:
        """Returns the generalised winding number of each point, off by at most `error_bound`."""

    def refit(self, vertices: ArrayLike, *, threads: int | None = None) -> Mesh:
        """Returns a mesh of the same triangles with other vertices."""

    def rebuilt(self, quality: Literal["fast", "balanced", "best"], *, threads: int | None = None) -> Mesh:
        """Returns the same mesh with a tree of this quality."""

    def to_bytes(self) -> bytes:
        """Returns the mesh with its tree as bytes."""

    @staticmethod
    def from_bytes(data: Any) -> Mesh:
        """Makes a mesh of the bytes of `to_bytes`, in any object with the buffer protocol."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the bytes of `to_bytes` to a file."""

    @staticmethod
    def open(path: str | os.PathLike[str]) -> Mesh:
        """Opens a file of `save`, mapped into memory."""

    @property
    def vertices(self) -> NDArray[np.float64]: ...
    @property
    def faces(self) -> NDArray[np.int64]: ...
    @property
    def bounds(self) -> NDArray[np.float64]: ...
    @property
    def origin(self) -> NDArray[np.float64]: ...
    @property
    def quality(self) -> Literal["fast", "balanced", "best"]: ...
    @property
    def degenerate_count(self) -> int: ...
    @property
    def nbytes(self) -> int: ...
    def __len__(self) -> int: ...
    def __sizeof__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __hash__(self) -> int: ...
    def __copy__(self) -> Mesh: ...
    def __deepcopy__(self, _memo: Any) -> Mesh: ...
    def __dask_tokenize__(self) -> tuple[str, int]: ...
    def __reduce_ex__(self, protocol: int) -> tuple[Any, tuple[Any]]: ...  # type: ignore[override]

@final
class Hits:
    """The first hits of rays: an array for each value, of the shape of the rays."""

    @property
    def t(self) -> NDArray[np.float32]: ...
    @property
    def triangle(self) -> NDArray[np.int64]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float32]: ...
    @property
    def u(self) -> NDArray[np.float32]: ...
    @property
    def v(self) -> NDArray[np.float32]: ...
    @property
    def side(self) -> NDArray[np.int8]: ...
    @property
    def hit(self) -> NDArray[np.bool_]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

@final
class AllHits:
    """All hits of rays: those of ray i, nearest first, are at splits[i] to splits[i + 1]."""

    @property
    def splits(self) -> NDArray[np.int64]: ...
    @property
    def ray(self) -> NDArray[np.int64]: ...
    @property
    def t(self) -> NDArray[np.float32]: ...
    @property
    def triangle(self) -> NDArray[np.int64]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float32]: ...
    @property
    def u(self) -> NDArray[np.float32]: ...
    @property
    def v(self) -> NDArray[np.float32]: ...
    @property
    def side(self) -> NDArray[np.int8]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

@final
class Nearest:
    """The nearest points of a surface: an array for each value, of the shape of the points."""

    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def distance(self) -> NDArray[np.float64]: ...
    @property
    def triangle(self) -> NDArray[np.int64]: ...
    @property
    def feature(self) -> NDArray[np.int8]: ...
    @property
    def containment(self) -> NDArray[np.int8]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

@final
class SceneHits:
    """The first hits of rays in a scene: an array for each value, of the shape of the rays."""

    @property
    def key(self) -> NDArray[np.int64]: ...
    @property
    def part(self) -> NDArray[np.int64]: ...
    @property
    def triangle(self) -> NDArray[np.int64]: ...
    @property
    def t(self) -> NDArray[np.float32]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float32]: ...
    @property
    def u(self) -> NDArray[np.float32]: ...
    @property
    def v(self) -> NDArray[np.float32]: ...
    @property
    def side(self) -> NDArray[np.int8]: ...
    @property
    def hit(self) -> NDArray[np.bool_]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

@final
class SceneAllHits:
    """All hits of rays in a scene: those of ray i, nearest first, are at splits[i] to splits[i + 1]."""

    @property
    def splits(self) -> NDArray[np.int64]: ...
    @property
    def ray(self) -> NDArray[np.int64]: ...
    @property
    def key(self) -> NDArray[np.int64]: ...
    @property
    def part(self) -> NDArray[np.int64]: ...
    @property
    def triangle(self) -> NDArray[np.int64]: ...
    @property
    def t(self) -> NDArray[np.float32]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float32]: ...
    @property
    def u(self) -> NDArray[np.float32]: ...
    @property
    def v(self) -> NDArray[np.float32]: ...
    @property
    def side(self) -> NDArray[np.int8]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

@final
class SolidIntervals:
    """The intervals in which rays are inside of solids: those of ray i are at splits[i] to splits[i + 1]."""

    @property
    def splits(self) -> NDArray[np.int64]: ...
    @property
    def ray(self) -> NDArray[np.int64]: ...
    @property
    def key(self) -> NDArray[np.int64]: ...
    @property
    def part(self) -> NDArray[np.int64]: ...
    @property
    def t_enter(self) -> NDArray[np.float32]: ...
    @property
    def t_exit(self) -> NDArray[np.float32]: ...
    @property
    def is_open(self) -> NDArray[np.bool_]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

@final
class ScenePoints:
    """The nearest points of a scene's surfaces: an array for each value, of the shape of the points."""

    @property
    def key(self) -> NDArray[np.int64]: ...
    @property
    def part(self) -> NDArray[np.int64]: ...
    @property
    def triangle(self) -> NDArray[np.int64]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def distance(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float32]: ...
    @property
    def feature(self) -> NDArray[np.int8]: ...
    @property
    def containment(self) -> NDArray[np.int8]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

@final
class Sweeps:
    """The first hits of moving volumes: an array for each value, of the shape of the positions."""

    @property
    def key(self) -> NDArray[np.int64]: ...
    @property
    def part(self) -> NDArray[np.int64]: ...
    @property
    def triangle(self) -> NDArray[np.int64]: ...
    @property
    def t(self) -> NDArray[np.float64]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float32]: ...
    @property
    def surface_normal(self) -> NDArray[np.float32]: ...
    @property
    def feature(self) -> NDArray[np.int8]: ...
    @property
    def start(self) -> NDArray[np.int8]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

@final
class Penetrations:
    """The deepest penetrations of volumes: an array for each value, of the shape of the positions."""

    @property
    def key(self) -> NDArray[np.int64]: ...
    @property
    def part(self) -> NDArray[np.int64]: ...
    @property
    def triangle(self) -> NDArray[np.int64]: ...
    @property
    def depth(self) -> NDArray[np.float32]: ...
    @property
    def normal(self) -> NDArray[np.float32]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def separation(self) -> NDArray[np.float64]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

@final
class Overlaps:
    """The entities that volumes overlap: those of volume i are at splits[i] to splits[i + 1]."""

    @property
    def splits(self) -> NDArray[np.int64]: ...
    @property
    def volume(self) -> NDArray[np.int64]: ...
    @property
    def key(self) -> NDArray[np.int64]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

@final
class Distances:
    """Distances of pairs of entities: an array for each value, of the shape of the keys."""

    @property
    def distance(self) -> NDArray[np.float32]: ...
    @property
    def points(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float32]: ...
    @property
    def parts(self) -> NDArray[np.int64]: ...
    @property
    def triangles(self) -> NDArray[np.int64]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

@final
class Selection:
    """The contents of a region of a window, in the order of entity, part and number."""

    @property
    def key(self) -> NDArray[np.int64]: ...
    @property
    def part(self) -> NDArray[np.int64]: ...
    @property
    def index(self) -> NDArray[np.int64]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

class _RayColumns(TypedDict):
    origins: NDArray[np.float64]
    directions: NDArray[np.float32]
    t_min: NDArray[np.float32]
    t_max: NDArray[np.float32]

@final
class PixelRays:
    """The rays of pixels: an array for each value, of the shape of the picture or the pixels."""

    @property
    def origins(self) -> NDArray[np.float64]: ...
    @property
    def directions(self) -> NDArray[np.float32]: ...
    @property
    def t_min(self) -> NDArray[np.float32]: ...
    @property
    def t_max(self) -> NDArray[np.float32]: ...
    def to_dict(self) -> _RayColumns:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

@final
class Projections:
    """The places of points in a picture: an array for each value, of the shape of the points."""

    @property
    def pixel(self) -> NDArray[np.float32]: ...
    @property
    def depth(self) -> NDArray[np.float32]: ...
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

_Geometry: TypeAlias = "Mesh | Shape | HeightField | Compound"

@final
class Scene:
    """Entities under integers: meshes, shapes, height fields and compounds, each placed by a transform, and a tree over them."""

    def __new__(cls, entities: Mapping[int, _Geometry] | Iterable[_Geometry] | None = None) -> Scene: ...
    def insert(self, key: int, geometry: _Geometry, transform: ArrayLike | None = None, *, layers: int | None = None) -> bool:
        """Puts a geometry into the scene under a key, and returns whether it replaced another one."""

    def insert_all(
        self,
        keys: ArrayLike,
        geometry: _Geometry | Sequence[_Geometry],
        transforms: ArrayLike | None = None,
        *,
        layers: int | None = None,
    ) -> None:
        """Puts many entities into the scene: one geometry for all keys, or a list of as many."""

    def remove(self, key: int) -> bool:
        """Takes an entity out, and returns whether it was there."""

    def remove_all(self, keys: ArrayLike) -> int:
        """Takes many entities out, and returns how many were there."""

    def clear(self) -> None:
        """Takes all entities out."""

    def set_transform(self, key: int, transform: ArrayLike) -> bool:
        """Moves an entity, and returns whether it is there."""

    def set_transforms(self, keys: ArrayLike, transforms: ArrayLike) -> int:
        """Moves many entities, and returns how many there were."""

    def set_layers(self, key: int, layers: int) -> bool:
        """Sets the layers of an entity, 32 bits, and returns whether it is there."""

    def refit(self, key: int, vertices: ArrayLike, *, part: int = 0) -> None:
        """Moves the vertices of a mesh in the scene."""

    def set_heights(self, key: int, row: int, column: int, heights: ArrayLike, *, part: int = 0) -> None:
        """Sets new heights for a rectangle of a height field in the scene."""

    def transform(self, key: int) -> NDArray[np.float64]:
        """Returns the transform that was given for an entity, a matrix of shape (4, 4)."""

    def layers(self, key: int) -> int:
        """Returns the layers of an entity."""

    def bounds(self, key: int | None = None) -> NDArray[np.float64]:
        """Returns the box around an entity, or around all that have an end."""

    def keys(self) -> NDArray[np.int64]:
        """Returns the keys of all entities."""

    def cast(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        cull: Literal["none", "back", "front"] = "none",
        inside: Literal["exit", "solid", "ignore"] = "exit",
        layers: int | None = None,
        exclude: ArrayLike | None = None,
        only: ArrayLike | None = None,
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> SceneHits:
        """Casts rays, and returns the first hit of each."""

    def is_blocked(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        cull: Literal["none", "back", "front"] = "none",
        inside: Literal["exit", "solid", "ignore"] = "exit",
        layers: int | None = None,
        exclude: ArrayLike | None = None,
        only: ArrayLike | None = None,
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Returns for each ray whether it hits anything."""

    def cast_all(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        cull: Literal["none", "back", "front"] = "none",
        inside: Literal["exit", "solid", "ignore"] = "exit",
        layers: int | None = None,
        exclude: ArrayLike | None = None,
        only: ArrayLike | None = None,
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> SceneAllHits:
        """Casts rays, and returns every hit of each."""

    def solid_intervals(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        layers: int | None = None,
        exclude: ArrayLike | None = None,
        only: ArrayLike | None = None,
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> SolidIntervals:
        """Returns the intervals in which rays are inside of solids and closed meshes."""

    def sees(
        self,
        eyes: ArrayLike,
        points: ArrayLike,
        *,
        layers: int | None = None,
        exclude: ArrayLike | None = None,
        only: ArrayLike | None = None,
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Returns for each eye and point whether nothing is between them."""

    def visibility(
        self,
        eyes: ArrayLike,
        points: ArrayLike,
        *,
        layers: int | None = None,
        exclude: ArrayLike | None = None,
        only: ArrayLike | None = None,
        threads: int | None = None,
    ) -> NDArray[np.int64]:
        """Returns for each eye how many of the points are seen from it."""

    def closest_point(
        self,
        points: ArrayLike,
        *,
        max_distance: float = ...,
        layers: int | None = None,
        exclude: ArrayLike | None = None,
        only: ArrayLike | None = None,
        threads: int | None = None,
    ) -> ScenePoints:
        """Returns the nearest point of all surfaces for each point."""

    def distance(
        self,
        first: ArrayLike,
        second: ArrayLike,
        *,
        threads: int | None = None,
    ) -> Distances:
        """Returns the distances of pairs of entities, and their nearest points."""

    def pair_overlaps(
        self,
        first: ArrayLike,
        second: ArrayLike,
        *,
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Returns for pairs of entities whether they overlap or touch."""

    def overlap_pairs(self, *, threads: int | None = None) -> NDArray[np.int64]:
        """Returns all pairs of entities that overlap or touch."""

    def sweep(
        self,
        volume: Shape,
        positions: ArrayLike,
        motions: ArrayLike,
        *,
        rotations: ArrayLike | None = None,
        contacts: Literal["all", "ahead"] = "all",
        layers: int | None = None,
        exclude: ArrayLike | None = None,
        only: ArrayLike | None = None,
        threads: int | None = None,
    ) -> Sweeps:
        """Moves a volume from each position by a motion, and returns what it hits first."""

    def overlaps(
        self,
        volume: Shape,
        positions: ArrayLike,
        *,
        rotations: ArrayLike | None = None,
        layers: int | None = None,
        exclude: ArrayLike | None = None,
        only: ArrayLike | None = None,
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Returns for each position whether a volume there overlaps or touches anything."""

    def overlap_entities(
        self,
        volume: Shape,
        positions: ArrayLike,
        *,
        rotations: ArrayLike | None = None,
        layers: int | None = None,
        exclude: ArrayLike | None = None,
        only: ArrayLike | None = None,
        threads: int | None = None,
    ) -> Overlaps:
        """Returns the keys of all entities that a volume overlaps or touches at each position."""

    def penetration(
        self,
        volume: Shape,
        positions: ArrayLike,
        *,
        rotations: ArrayLike | None = None,
        layers: int | None = None,
        exclude: ArrayLike | None = None,
        only: ArrayLike | None = None,
        threads: int | None = None,
    ) -> Penetrations:
        """Returns how deep a volume is in its surroundings at each position."""

    def select(
        self,
        camera: Camera,
        viewport: tuple[float, float],
        region: ArrayLike,
        *,
        what: Literal["entities", "triangles", "vertices", "edges"] = "entities",
        rule: Literal["touching", "inside", "center"] = "touching",
        visible: float | None = None,
        hidden_by: _Hides | None = None,
        layers: int | None = None,
        exclude: ArrayLike | None = None,
        only: ArrayLike | None = None,
        threads: int | None = None,
    ) -> Selection:
        """Returns what a region of a window shows."""

    def to_bytes(self) -> bytes:
        """Returns the scene as bytes."""

    @staticmethod
    def from_bytes(data: Any) -> Scene:
        """Makes a scene of the bytes of `to_bytes`, in any object with the buffer protocol."""

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the bytes of `to_bytes` to a file."""

    @staticmethod
    def open(path: str | os.PathLike[str]) -> Scene:
        """Opens a file of `save`, mapped into memory."""

    def __len__(self) -> int: ...
    def __contains__(self, key: object, /) -> bool: ...
    def __copy__(self) -> Scene: ...
    def __deepcopy__(self, _memo: Any) -> Scene: ...
    def __dask_tokenize__(self) -> tuple[str, int]: ...
    def __reduce_ex__(self, protocol: int) -> tuple[Any, tuple[Any]]: ...  # type: ignore[override]

@final
class Shape:
    """A shape for scenes: a solid, a flat surface, a hull, or points and lines."""

    @staticmethod
    def sphere(radius: float, center: _Vector = ...) -> Shape:
        """Makes a ball."""

    @staticmethod
    def box(min: _Vector, max: _Vector) -> Shape:
        """Makes a box along the axes, from its least to its greatest corner."""

    @staticmethod
    def oriented_box(center: _Vector, half_size: _Vector, rotation: _Vector) -> Shape:
        """Makes a box around a centre, with half its size along each of its axes and a rotation."""

    @staticmethod
    def capsule(start: _Vector, end: _Vector, radius: float) -> Shape:
        """Makes a capsule."""

    @staticmethod
    def cylinder(start: _Vector, end: _Vector, radius: float) -> Shape:
        """Makes a cylinder between the centres of its ends."""

    @staticmethod
    def cone(base: _Vector, apex: _Vector, radius: float) -> Shape:
        """Makes a cone from the centre of its base to its apex."""

    @staticmethod
    def hull(points: ArrayLike) -> Shape:
        """Makes the convex hull of points."""

    @staticmethod
    def point() -> Shape:
        """Makes the volume that is a point."""

    @staticmethod
    def plane(point: _Vector, normal: _Vector) -> Shape:
        """Makes a plane through a point, which faces along its normal."""

    @staticmethod
    def disc(center: _Vector, normal: _Vector, radius: float) -> Shape:
        """Makes a disc, which faces along its normal."""

    @staticmethod
    def quad(corner: _Vector, edge_u: _Vector, edge_v: _Vector) -> Shape:
        """Makes a parallelogram from a corner and its two edges."""

    @staticmethod
    def triangle(a: _Vector, b: _Vector, c: _Vector) -> Shape:
        """Makes a triangle, counter-clockwise seen from the front."""

    @staticmethod
    def torus(major_radius: float, minor_radius: float) -> Shape:
        """Makes a ring around the y axis."""

    @staticmethod
    def point_cloud(points: ArrayLike) -> Shape:
        """Makes a cloud of points, which `Scene.select` finds, and which nothing hits."""

    @staticmethod
    def polyline(points: ArrayLike) -> Shape:
        """Makes a line through points, which `Scene.select` finds, and which nothing hits."""

    def with_margin(self, margin: float) -> Shape:
        """Returns the volume with a margin around it."""

@final
class Compound:
    """Several geometries that are one entity."""

    def __new__(cls, parts: Iterable[_Geometry | tuple[_Geometry, ArrayLike]]) -> Compound: ...
    def __len__(self) -> int: ...

@final
class HeightField:
    """Ground as heights over a grid, of shape (rows, columns)."""

    def __new__(
        cls,
        heights: ArrayLike,
        cell_size: tuple[float, float] | list[float] = ...,
        *,
        holes: ArrayLike | None = None,
        diagonal: Literal["falling", "rising"] = "falling",
    ) -> HeightField: ...
    def height_at(self, points: ArrayLike, *, threads: int | None = None) -> NDArray[np.float32]:
        """Returns the height of the surface above or below each point."""

    def with_heights(self, row: int, column: int, heights: ArrayLike) -> HeightField:
        """Returns a field with other heights in a rectangle."""

    @property
    def heights(self) -> NDArray[np.float32]: ...
    @property
    def cell_size(self) -> tuple[float, float]: ...
    @property
    def holes(self) -> NDArray[np.int64]: ...
    @property
    def diagonal(self) -> Literal["falling", "rising"]: ...
    def __len__(self) -> int: ...

@final
class Camera:
    """A camera: the rays of pixels, and the pixels of points."""

    @staticmethod
    def perspective(
        transform: ArrayLike,
        fov_y: float,
        *,
        aspect: float | None = None,
        near: float | None = None,
        far: float | None = None,
    ) -> Camera:
        """Makes a perspective camera from its transform and the vertical field of view in radians."""

    @staticmethod
    def orthographic(
        transform: ArrayLike,
        height: float,
        *,
        aspect: float | None = None,
        near: float | None = None,
        far: float | None = None,
    ) -> Camera:
        """Makes a camera of parallel rays from its transform, and the height of what it sees."""

    @staticmethod
    def from_matrices(view: ArrayLike, projection: ArrayLike) -> Camera:
        """Makes a camera from the view and projection matrices of a renderer."""

    @staticmethod
    def look_at(eye: _Vector, target: _Vector, up: _Vector = ...) -> NDArray[np.float64]:
        """Returns the transform of a camera at an eye that looks at a target."""

    def rays(self, viewport: tuple[float, float], pixels: ArrayLike | None = None, *, threads: int | None = None) -> PixelRays:
        """Returns the rays through the middles of all pixels of a viewport, or those through `pixels`."""

    def project(self, points: ArrayLike, viewport: tuple[float, float], *, threads: int | None = None) -> Projections:
        """Returns the pixels of points, and their depths."""

    @property
    def position(self) -> NDArray[np.float64]: ...
    @property
    def forward(self) -> NDArray[np.float64]: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]

@final
class Model:
    """A model of a file, with its entities as they are in the file."""

    def __new__(cls, path: str | os.PathLike[str], *, lenient: bool = False, threads: int | None = None) -> Model: ...
    @property
    def names(self) -> list[str]: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def animations(self) -> list[tuple[str | None, float]]: ...
    def scene(self) -> Scene:
        """Returns a scene of its entities, whose keys count from 0."""

    def insert_into(self, scene: Scene, transform: ArrayLike | None = None, *, first_key: int = 0) -> None:
        """Puts its entities into a scene, under keys that count from `first_key`."""

    def pose(
        self, scene: Scene, animation: str | int, time: float, transform: ArrayLike | None = None, *, first_key: int = 0
    ) -> None:
        """Moves its entities in a scene to a time, in seconds, of an animation."""

    def to_bytes(self) -> bytes:
        """Returns the model as the bytes that `hitscan bake` writes."""

    @staticmethod
    def from_bytes(data: Any) -> Model:
        """Makes a model of the bytes of `to_bytes`, in any object with the buffer protocol."""

    def __len__(self) -> int: ...
