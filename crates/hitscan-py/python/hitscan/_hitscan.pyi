import os
from collections.abc import Callable, Iterable, Mapping, Sequence, Set
from typing import Any, ClassVar, Literal, TypeAlias, TypedDict, final

import numpy as np
from numpy.typing import ArrayLike, NDArray

__version__: str

_Vector: TypeAlias = Sequence[float] | NDArray[Any]

_Keys: TypeAlias = ArrayLike | Set[int]

_Impact: TypeAlias = Literal["stop", "ricochet", "pass_through"]

class _Hides(TypedDict, total=False):
    layers: int | None
    exclude: _Keys | None
    only: _Keys | None

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

    def cast_crossings(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> AllHits:
        """Casts rays, and returns the hits at which each goes into the mesh and out of it."""

    def sweep(
        self,
        volume: Shape,
        positions: ArrayLike,
        motions: ArrayLike,
        *,
        rotations: ArrayLike | None = None,
        threads: int | None = None,
    ) -> MeshSweeps:
        """Moves a volume from each position by a motion, and returns the first triangle that it touches."""

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
    """All hits of rays: the rows of ray i, nearest first, are at splits[i] to splits[i + 1]."""

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

class _Answer:
    def to_dict(self) -> dict[str, NDArray[Any]]:
        """Returns a dictionary of all columns."""

    def __len__(self) -> int: ...

class _HitColumns(_Answer):
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

class _FirstHits(_HitColumns):
    @property
    def hit(self) -> NDArray[np.bool_]: ...

class _Ragged(_Answer):
    @property
    def splits(self) -> NDArray[np.int64]: ...

class _SweepColumns(_Answer):
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

class _PenetrationColumns(_Answer):
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

class _SnapColumns(_Answer):
    @property
    def kind(self) -> NDArray[np.int8]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def pixel(self) -> NDArray[np.float32]: ...
    @property
    def distance(self) -> NDArray[np.float32]: ...
    @property
    def depth(self) -> NDArray[np.float64]: ...
    @property
    def key(self) -> NDArray[np.int64]: ...
    @property
    def part(self) -> NDArray[np.int64]: ...
    @property
    def triangle(self) -> NDArray[np.int64]: ...
    @property
    def edge(self) -> NDArray[np.int64]: ...
    @property
    def vertex(self) -> NDArray[np.int64]: ...
    @property
    def crossed_key(self) -> NDArray[np.int64]: ...
    @property
    def crossed_edge(self) -> NDArray[np.int64]: ...
    @property
    def axis(self) -> NDArray[np.float64]: ...

class _LocalHitColumns(_Answer):
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

@final
class SceneHits(_FirstHits):
    """The first hits of rays in a scene: an array for each value, of the shape of the rays."""

    @property
    def reflection(self) -> NDArray[np.float32]: ...

@final
class SceneAllHits(_HitColumns, _Ragged):
    """All hits of rays in a scene: the rows of ray i, nearest first, are at splits[i] to splits[i + 1]."""

    @property
    def ray(self) -> NDArray[np.int64]: ...

@final
class PathHits(_FirstHits):
    """The first hits along paths: an array for each value, of the shape of the paths."""

    @property
    def segment(self) -> NDArray[np.int64]: ...
    @property
    def distance(self) -> NDArray[np.float32]: ...

@final
class TrajectoryHits(_FirstHits):
    """The first hits along ballistic arcs: an array for each value, of the shape of the arcs."""

    @property
    def chord(self) -> NDArray[np.int64]: ...
    @property
    def time(self) -> NDArray[np.float32]: ...
    @property
    def velocity(self) -> NDArray[np.float32]: ...

@final
class Grounds(_FirstHits):
    """The ground below points: an array for each value, of the shape of the points."""

    @property
    def slope_cos(self) -> NDArray[np.float32]: ...

@final
class PointMoves(_FirstHits):
    """The moves of points: an array for each value, of the shape of the points."""

    @property
    def position(self) -> NDArray[np.float64]: ...
    @property
    def fraction(self) -> NDArray[np.float32]: ...
    @property
    def remaining(self) -> NDArray[np.float32]: ...
    @property
    def slide(self) -> NDArray[np.float32]: ...

@final
class SurfacePoints(_FirstHits):
    """The places under cursors: an array for each value, of the shape of the pixels."""

    @property
    def position(self) -> NDArray[np.float64]: ...

@final
class ShotLegs(_HitColumns, _Ragged):
    """The legs of shots: the rows of shot i, in order, are at splits[i] to splits[i + 1]."""

    @property
    def ray(self) -> NDArray[np.int64]: ...
    @property
    def start(self) -> NDArray[np.float64]: ...
    @property
    def end(self) -> NDArray[np.float64]: ...

@final
class HitSurfaces(_Answer):
    """The data of meshes at hits: an array for each value, of the shape of the hits."""

    @property
    def texcoord(self) -> NDArray[np.float32]: ...
    @property
    def normal(self) -> NDArray[np.float32]: ...
    @property
    def is_hole(self) -> NDArray[np.bool_]: ...

@final
class Explanation:
    """An explanation why a ray does not hit an entity, or that it does."""

    @property
    def reason(self) -> str: ...

@final
class ShotHit:
    """The hit of a shot, about which `Scene.shoot` asks how the shot goes on."""

    @property
    def ray(self) -> int: ...
    @property
    def key(self) -> int: ...
    @property
    def part(self) -> int: ...
    @property
    def triangle(self) -> int: ...
    @property
    def t(self) -> float: ...
    @property
    def point(self) -> list[float]: ...
    @property
    def normal(self) -> list[float]: ...
    @property
    def side(self) -> int: ...
    @property
    def direction(self) -> list[float]: ...

@final
class BlastHits(_Ragged):
    """The entities that explosions reach: the rows of explosion i, the nearest first, are at splits[i] to splits[i + 1]."""

    @property
    def explosion(self) -> NDArray[np.int64]: ...
    @property
    def key(self) -> NDArray[np.int64]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def distance(self) -> NDArray[np.float32]: ...
    @property
    def is_covered(self) -> NDArray[np.bool_]: ...

@final
class ArmEnds(_Answer):
    """The ends of camera arms: an array for each value, of the shape of the targets."""

    @property
    def position(self) -> NDArray[np.float64]: ...
    @property
    def length(self) -> NDArray[np.float64]: ...
    @property
    def key(self) -> NDArray[np.int64]: ...

@final
class Ledges(_Answer):
    """The ledges ahead: an array for each value, of the shape of the feet."""

    @property
    def key(self) -> NDArray[np.int64]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def top_normal(self) -> NDArray[np.float64]: ...
    @property
    def wall_normal(self) -> NDArray[np.float64]: ...

@final
class Snaps(_SnapColumns):
    """The points that cursors snap to: an array for each value, of the shape of the pixels."""

@final
class AllSnaps(_SnapColumns, _Ragged):
    """All points within the radius of cursors: the rows of cursor i are at splits[i] to splits[i + 1]."""

    @property
    def cursor(self) -> NDArray[np.int64]: ...

@final
class ShapeHits(_LocalHitColumns):
    """The first hits of rays on a single shape or height field: an array for each value, of the shape of the rays."""

    @property
    def hit(self) -> NDArray[np.bool_]: ...

@final
class ShapeAllHits(_LocalHitColumns, _Ragged):
    """All hits of rays on a height field: the rows of ray i, nearest first, are at splits[i] to splits[i + 1]."""

    @property
    def ray(self) -> NDArray[np.int64]: ...

@final
class ShapePoints(_Answer):
    """The nearest points of a single shape or height field: an array for each value, of the shape of the points."""

    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def distance(self) -> NDArray[np.float32]: ...
    @property
    def normal(self) -> NDArray[np.float32]: ...
    @property
    def triangle(self) -> NDArray[np.int64]: ...
    @property
    def feature(self) -> NDArray[np.int8]: ...
    @property
    def containment(self) -> NDArray[np.int8]: ...

@final
class MeshSweeps(_Answer):
    """The first contacts of moving volumes with a single mesh or height field: an array for each value, of the shape of the positions."""

    @property
    def triangle(self) -> NDArray[np.int64]: ...
    @property
    def t(self) -> NDArray[np.float32]: ...
    @property
    def point(self) -> NDArray[np.float64]: ...
    @property
    def normal(self) -> NDArray[np.float32]: ...
    @property
    def feature(self) -> NDArray[np.int8]: ...
    @property
    def side(self) -> NDArray[np.int8]: ...
    @property
    def start(self) -> NDArray[np.int8]: ...

@final
class SegmentHits(_Answer):
    """The hits of segments on a triangle: an array for each value, of the shape of the segments."""

    @property
    def fraction(self) -> NDArray[np.float32]: ...
    @property
    def u(self) -> NDArray[np.float32]: ...
    @property
    def v(self) -> NDArray[np.float32]: ...
    @property
    def side(self) -> NDArray[np.int8]: ...

@final
class PairEvents(_Answer):
    """The changes of pairs since an update: an array for each value. Pairs that leave come first."""

    @property
    def first(self) -> NDArray[np.int64]: ...
    @property
    def second(self) -> NDArray[np.int64]: ...
    @property
    def change(self) -> NDArray[np.int8]: ...

@final
class SolidIntervals:
    """The intervals in which rays are inside of solids: the rows of ray i are at splits[i] to splits[i + 1]."""

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
class Sweeps(_SweepColumns):
    """The first hits of moving volumes: an array for each value, of the shape of the positions."""

@final
class AllSweeps(_SweepColumns, _Ragged):
    """All contacts of moving volumes: the rows of volume i, in order, are at splits[i] to splits[i + 1]."""

    @property
    def volume(self) -> NDArray[np.int64]: ...

@final
class Penetrations(_PenetrationColumns):
    """The deepest penetrations of volumes: an array for each value, of the shape of the positions."""

@final
class AllPenetrations(_PenetrationColumns, _Ragged):
    """All penetrations of volumes: the rows of volume i, the deepest first, are at splits[i] to splits[i + 1]."""

    @property
    def volume(self) -> NDArray[np.int64]: ...

@final
class AllOverlaps(_Ragged):
    """Everything that volumes overlap: what volume i overlaps is at splits[i] to splits[i + 1]."""

    @property
    def volume(self) -> NDArray[np.int64]: ...
    @property
    def key(self) -> NDArray[np.int64]: ...
    @property
    def part(self) -> NDArray[np.int64]: ...
    @property
    def triangle(self) -> NDArray[np.int64]: ...

@final
class ContactPoints(_Ragged):
    """The points at which volumes touch or overlap something: the rows of volume i are at splits[i] to splits[i + 1]."""

    @property
    def volume(self) -> NDArray[np.int64]: ...
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
    def on_volume(self) -> NDArray[np.float64]: ...

@final
class PairPenetrations(_Answer):
    """Penetrations of pairs of entities: an array for each value, of the shape of the keys."""

    @property
    def depth(self) -> NDArray[np.float32]: ...
    @property
    def normal(self) -> NDArray[np.float32]: ...
    @property
    def separation(self) -> NDArray[np.float64]: ...
    @property
    def points(self) -> NDArray[np.float64]: ...
    @property
    def parts(self) -> NDArray[np.int64]: ...
    @property
    def triangles(self) -> NDArray[np.int64]: ...

@final
class Overlaps:
    """The entities that volumes overlap: the rows of volume i are at splits[i] to splits[i + 1]."""

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
        cut_outs: Literal["open", "solid"] = "open",
        after: SceneHits | None = None,
        keep_hits: bool = False,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
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
        cut_outs: Literal["open", "solid"] = "open",
        after: SceneHits | None = None,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
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
        cut_outs: Literal["open", "solid"] = "open",
        after: SceneHits | None = None,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
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
        exclude: _Keys | None = None,
        only: _Keys | None = None,
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
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Returns for each eye and point whether nothing is between them."""

    def visibility(
        self,
        eyes: ArrayLike,
        points: ArrayLike,
        *,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> NDArray[np.int64]:
        """Returns for each eye how many of the points are seen from it."""

    def closest_point(
        self,
        points: ArrayLike,
        *,
        max_distance: float = ...,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
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
        exclude: _Keys | None = None,
        only: _Keys | None = None,
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
        exclude: _Keys | None = None,
        only: _Keys | None = None,
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
        exclude: _Keys | None = None,
        only: _Keys | None = None,
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
        exclude: _Keys | None = None,
        only: _Keys | None = None,
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
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> Selection:
        """Returns what a region of a window shows."""

    def cast_first_n(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        count: int,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        cull: Literal["none", "back", "front"] = "none",
        inside: Literal["exit", "solid", "ignore"] = "exit",
        cut_outs: Literal["open", "solid"] = "open",
        after: SceneHits | None = None,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> SceneAllHits:
        """Casts rays, and returns the first `count` hits of each."""

    def cast_entities(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        cull: Literal["none", "back", "front"] = "none",
        inside: Literal["exit", "solid", "ignore"] = "exit",
        cut_outs: Literal["open", "solid"] = "open",
        after: SceneHits | None = None,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> SceneAllHits:
        """Casts rays, and returns the nearest hit of every entity that each hits."""

    def cast_path(
        self,
        points: ArrayLike,
        *,
        cull: Literal["none", "back", "front"] = "none",
        inside: Literal["exit", "solid", "ignore"] = "exit",
        cut_outs: Literal["open", "solid"] = "open",
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> PathHits:
        """Returns the first hit along each path through points."""

    def cast_trajectory(
        self,
        origins: ArrayLike,
        velocities: ArrayLike,
        acceleration: _Vector,
        tolerance: float,
        *,
        t_min: float = 0.0,
        t_max: float = 10.0,
        cull: Literal["none", "back", "front"] = "none",
        inside: Literal["exit", "solid", "ignore"] = "exit",
        cut_outs: Literal["open", "solid"] = "open",
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> TrajectoryHits:
        """Returns the first hit along each ballistic arc."""

    def line_of_sight(
        self,
        viewers: ArrayLike,
        eyes: ArrayLike,
        targets: ArrayLike,
        points: ArrayLike,
        *,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Returns for two entities and a point of each whether no third entity is between the points."""

    def ground_below(
        self,
        points: ArrayLike,
        reach: float,
        *,
        up: _Vector = ...,
        cull: Literal["none", "back", "front"] = "none",
        inside: Literal["exit", "solid", "ignore"] = "exit",
        cut_outs: Literal["open", "solid"] = "open",
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> Grounds:
        """Returns the ground at most `reach` below each point."""

    def move_point(
        self,
        points: ArrayLike,
        motions: ArrayLike,
        skin: float,
        *,
        cull: Literal["none", "back", "front"] = "none",
        inside: Literal["exit", "solid", "ignore"] = "exit",
        cut_outs: Literal["open", "solid"] = "open",
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> PointMoves:
        """Moves each point along a motion until it is `skin` away from the first surface."""

    def surface(self, hits: SceneHits) -> HitSurfaces:
        """Returns what meshes have at the hits of `cast` in this scene."""

    def explain(
        self,
        origin: ArrayLike,
        direction: ArrayLike,
        key: int,
        *,
        t_min: float | None = None,
        t_max: float | None = None,
        cull: Literal["none", "back", "front"] = "none",
        inside: Literal["exit", "solid", "ignore"] = "exit",
        cut_outs: Literal["open", "solid"] = "open",
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> Explanation:
        """Explains why a ray does not hit the entity under a key, or says that it does."""

    def sweep_all(
        self,
        volume: Shape,
        positions: ArrayLike,
        motions: ArrayLike,
        *,
        rotations: ArrayLike | None = None,
        contacts: Literal["all", "ahead"] = "all",
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> AllSweeps:
        """Moves a volume from each position by a motion, and returns every contact."""

    def sweep_rotating(
        self,
        volume: Shape,
        positions: ArrayLike,
        end_positions: ArrayLike,
        *,
        rotations: ArrayLike | None = None,
        end_rotations: ArrayLike | None = None,
        contacts: Literal["all", "ahead"] = "all",
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> Sweeps:
        """Moves and rotates a volume from each position to another one, and returns what it hits first. Without `end_rotations` it does not turn."""

    def sweep_entity(
        self,
        keys: ArrayLike,
        motions: ArrayLike,
        *,
        contacts: Literal["all", "ahead"] = "all",
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> Sweeps:
        """Moves each entity by a motion from its present place, and returns what else it hits first."""

    def overlap_all(
        self,
        volume: Shape,
        positions: ArrayLike,
        *,
        rotations: ArrayLike | None = None,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> AllOverlaps:
        """Returns everything that a volume overlaps or touches at each position."""

    def penetration_all(
        self,
        volume: Shape,
        positions: ArrayLike,
        *,
        rotations: ArrayLike | None = None,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> AllPenetrations:
        """Returns everything that a volume overlaps or touches at each position, with the way out of each."""

    def contact_points(
        self,
        volume: Shape,
        positions: ArrayLike,
        *,
        rotations: ArrayLike | None = None,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> ContactPoints:
        """Returns the points at which a volume touches or overlaps something at each position."""

    def pair_penetration(self, first: ArrayLike, second: ArrayLike, *, threads: int | None = None) -> PairPenetrations:
        """Returns how deep pairs of entities are in each other, and the way of the second out of the first."""

    def shoot(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        range: float,
        *,
        impact: _Impact | Callable[[ShotHit], _Impact] | None = None,
        cull: Literal["none", "back", "front"] = "none",
        inside: Literal["exit", "solid", "ignore"] = "exit",
        cut_outs: Literal["open", "solid"] = "open",
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> ShotLegs:
        """Follows shots of a range, and returns the legs of each."""

    def blast(
        self,
        centers: ArrayLike,
        radius: float,
        *,
        hidden_by: _Hides | None = None,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> BlastHits:
        """Returns the entities within a radius of each center, the nearest first."""

    def camera_arm_end(
        self,
        targets: ArrayLike,
        directions: ArrayLike,
        length: float,
        radius: float,
        *,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> ArmEnds:
        """Returns the end of the arm of a camera from each target in a direction."""

    def find_ledge(
        self,
        feet: ArrayLike,
        forwards: ArrayLike,
        reach: float,
        lowest: float,
        highest: float,
        radius: float,
        max_slope: float,
        *,
        up: _Vector = ...,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> Ledges:
        """Finds the nearest edge of a surface ahead of each pair of feet."""

    def surface_point(
        self,
        camera: Camera,
        viewport: tuple[float, float],
        pixels: ArrayLike,
        point: _Vector,
        *,
        direction: _Vector = ...,
        path: Literal["plane", "axis", "screen"] = "plane",
        cull: Literal["none", "back", "front"] = "none",
        inside: Literal["exit", "solid", "ignore"] = "exit",
        cut_outs: Literal["open", "solid"] = "open",
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> SurfacePoints:
        """Returns for each cursor the place where something can be put down."""

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
    def rounded_box(min: _Vector, max: _Vector, margin: float) -> Shape:
        """Makes a box along the axes with a margin: all that is within it of the box from one corner to the other."""

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

    def cast(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        inside: Literal["exit", "solid", "ignore"] = "exit",
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> ShapeHits:
        """Casts rays at this shape alone, and returns the first hit of each."""

    def cast_t(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> NDArray[np.float32]:
        """Returns for each ray the t alone that `cast` would report."""

    def is_blocked(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Returns for each ray whether it hits this shape."""

    def interval(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """Returns where each ray's whole line enters and leaves a box along the axes."""

    def closest_point(self, points: ArrayLike, *, threads: int | None = None) -> ShapePoints:
        """Returns the nearest point of this shape's surface for each point."""

    def contains(self, points: ArrayLike, *, threads: int | None = None) -> NDArray[np.bool_]:
        """Returns for each point whether it is inside this shape or on its surface."""

    def signed_distance(self, points: ArrayLike, *, threads: int | None = None) -> NDArray[np.float32]:
        """Returns the signed distance of each point from a plane."""

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
    ) -> ShapeHits:
        """Casts rays at this ground alone, and returns the first hit of each."""

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
        """Returns for each ray whether it hits this ground."""

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
    ) -> ShapeAllHits:
        """Casts rays, and returns every triangle that each hits."""

    def closest_point(self, points: ArrayLike, *, threads: int | None = None) -> ShapePoints:
        """Returns the nearest point of the ground for each point."""

    def sweep(
        self,
        volume: Shape,
        positions: ArrayLike,
        motions: ArrayLike,
        *,
        rotations: ArrayLike | None = None,
        threads: int | None = None,
    ) -> MeshSweeps:
        """Moves a volume from each position by a motion, and returns the first triangle that it touches."""

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

@final
class CollisionMatrix:
    """The transform from the world to a triangle."""

    def __new__(cls, a: _Vector, b: _Vector, c: _Vector) -> CollisionMatrix: ...
    def placed(self, transform: ArrayLike) -> CollisionMatrix:
        """Returns the matrix of the same triangle in an instance with this transform."""

    def cast(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> ShapeHits:
        """Casts rays at the triangle, and returns the hit of each."""

    def cast_t(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> NDArray[np.float32]:
        """Returns for each ray the t alone that `cast` would report."""

    def is_blocked(
        self,
        origins: ArrayLike,
        directions: ArrayLike,
        *,
        t_min: ArrayLike | None = None,
        t_max: ArrayLike | None = None,
        invalid: Literal["raise", "miss"] = "raise",
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Returns for each ray whether it hits the triangle."""

    def collide_segment(self, starts: ArrayLike, ends: ArrayLike, *, threads: int | None = None) -> SegmentHits:
        """Returns the hits of segments from starts to ends."""

    def segment_is_blocked(
        self,
        starts: ArrayLike,
        ends: ArrayLike,
        *,
        threads: int | None = None,
    ) -> NDArray[np.bool_]:
        """Returns for each segment whether it hits the triangle."""

    @property
    def normal(self) -> NDArray[np.float32]: ...

@final
class PairTracker:
    """Tells which entities of a scene begin to overlap, still overlap, and no longer do."""

    def __new__(
        cls, *, layers: int | None = None, other_layers: int | None = None, test: Literal["shapes", "boxes"] = "shapes"
    ) -> PairTracker: ...
    def update(self, scene: Scene, *, threads: int | None = None) -> PairEvents:
        """Looks at a scene, and returns an event for every pair that overlaps now or did at the last update."""

    @property
    def events(self) -> PairEvents: ...
    @property
    def pairs(self) -> NDArray[np.int64]: ...
    def __copy__(self) -> PairTracker: ...
    def __deepcopy__(self, _memo: Any) -> PairTracker: ...

@final
class Cursor:
    """A cursor in a camera's picture, or several, that finds points within some pixels of it."""

    KINDS: ClassVar[list[str]]
    def __new__(
        cls,
        camera: Camera,
        viewport: tuple[float, float],
        pixels: ArrayLike,
        radius: float,
        *,
        hidden: Literal["skip", "keep"] = "skip",
        cut_outs: Literal["open", "solid"] = "open",
        start: _Vector | None = None,
        depth_tolerance: float | None = None,
    ) -> Cursor: ...
    def nearest(
        self,
        scene: Scene,
        kinds: Sequence[str] | None = None,
        *,
        hidden_by: _Hides | None = None,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> Snaps:
        """Returns the point that each cursor snaps to."""

    def all(
        self,
        scene: Scene,
        kinds: Sequence[str] | None = None,
        *,
        hidden_by: _Hides | None = None,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
        threads: int | None = None,
    ) -> AllSnaps:
        """Returns all points within the radius of each cursor, in their order."""

@final
class CharacterState:
    """The place of a character, and the ground that it stands on: all that a move reads and changes."""

    def __new__(cls, position: _Vector, rotation: _Vector = ...) -> CharacterState: ...
    @property
    def position(self) -> NDArray[np.float64]: ...
    @position.setter
    def position(self, value: _Vector, /) -> None: ...
    @property
    def rotation(self) -> NDArray[np.float64]: ...
    @rotation.setter
    def rotation(self, value: _Vector, /) -> None: ...
    @property
    def is_grounded(self) -> bool: ...
    @property
    def ground(self) -> int | None: ...
    def teleport(self, position: _Vector) -> None:
        """Puts the character at a place, in the air."""

    def leave_ground(self) -> None:
        """Says that the character jumps."""

    def ground_was_placed(self) -> None:
        """Says that the entity on which the character stands was placed somewhere else rather than moved there."""

    def to_bytes(self) -> bytes:
        """Returns the state as bytes."""

    @staticmethod
    def from_bytes(data: Any) -> CharacterState:
        """Makes a state of the bytes of `to_bytes`, in any object with the buffer protocol."""

    def __copy__(self) -> CharacterState: ...
    def __deepcopy__(self, _memo: Any) -> CharacterState: ...
    def __eq__(self, other: object, /) -> bool: ...
    __hash__: ClassVar[None]  # type: ignore[assignment]
    def __reduce_ex__(self, protocol: int) -> tuple[Any, tuple[Any]]: ...  # type: ignore[override]

@final
class CharacterContact:
    """A contact of a character, about which `Character.move_and_respond` asks what it does."""

    @property
    def key(self) -> int: ...
    @property
    def part(self) -> int: ...
    @property
    def triangle(self) -> int: ...
    @property
    def point(self) -> list[float]: ...
    @property
    def normal(self) -> list[float]: ...
    @property
    def surface_normal(self) -> list[float]: ...
    @property
    def depth(self) -> float: ...
    @property
    def velocity(self) -> list[float]: ...

@final
class Moved(_Answer):
    """The result of a move of a character, with a row for each contact in the columns that begin with `contact_`."""

    @property
    def motion(self) -> NDArray[np.float64]: ...
    @property
    def velocity(self) -> NDArray[np.float64]: ...
    @property
    def ground(self) -> NDArray[np.int64]: ...
    @property
    def ground_point(self) -> NDArray[np.float64]: ...
    @property
    def ground_normal(self) -> NDArray[np.float64]: ...
    @property
    def ground_surface_normal(self) -> NDArray[np.float64]: ...
    @property
    def ground_velocity(self) -> NDArray[np.float64]: ...
    @property
    def stepped(self) -> NDArray[np.float64]: ...
    @property
    def passed(self) -> NDArray[np.int64]: ...
    @property
    def contact_key(self) -> NDArray[np.int64]: ...
    @property
    def contact_part(self) -> NDArray[np.int64]: ...
    @property
    def contact_triangle(self) -> NDArray[np.int64]: ...
    @property
    def contact_point(self) -> NDArray[np.float64]: ...
    @property
    def contact_normal(self) -> NDArray[np.float64]: ...
    @property
    def contact_surface_normal(self) -> NDArray[np.float64]: ...
    @property
    def contact_depth(self) -> NDArray[np.float64]: ...
    @property
    def contact_velocity(self) -> NDArray[np.float64]: ...
    @property
    def contact_crushes(self) -> NDArray[np.bool_]: ...

@final
class Character:
    """The volume and the abilities of characters that are moved by their velocities."""

    def __new__(
        cls,
        volume: Shape,
        *,
        up: _Vector = ...,
        skin: float | None = None,
        max_slope: float | None = None,
        step_up: float | None = None,
        step_depth: float | None = None,
        step_down: float | None = None,
        escape_speed: float | None = None,
        keeps_speed_on_slopes: bool = True,
    ) -> Character: ...
    def move_and_slide(
        self,
        scene: Scene,
        state: CharacterState,
        velocity: _Vector,
        dt: float,
        *,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
    ) -> Moved:
        """Moves a character by its velocity for `dt` seconds, and changes its state."""

    def move_and_respond(
        self,
        scene: Scene,
        state: CharacterState,
        velocity: _Vector,
        dt: float,
        respond: Callable[[CharacterContact], str | _Vector],
        *,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
    ) -> Moved:
        """Moves a character as `move_and_slide` does, and asks a function about each contact what it does."""

    def has_room(
        self,
        scene: Scene,
        state: CharacterState,
        *,
        layers: int | None = None,
        exclude: _Keys | None = None,
        only: _Keys | None = None,
    ) -> bool:
        """Returns whether the volume has room at a state."""

    @property
    def settings(self) -> dict[str, Any]: ...
    @property
    def volume(self) -> Shape: ...
